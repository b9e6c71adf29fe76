"""A server that is killed at each step of a roll: what it promises is the same wherever games and memory stand.

What was answered stands; what was not is sent again and answered; each roll comes to its dice, once; the log holds; and
no two checkpoints of the keeper are of two histories. Some steps are struck in the ordinary run, `-m slow` strikes all.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.server.killed import ROLL_STEPS, killing_in_batch
from tests.server.machines import until
from tests.server.served import Plain, Server, UnableError, with_limits
from tests.server.test_two_machines import log_of
from tests.support.postgres import Cluster, cluster
from verifier import verify
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.log.merkle import MerkleTree, leaf_hash
from verifier.opening import SentOpening

REQUEST, OPENING, LAST = "request", "opening", "last opening"
STRIKES = [
    (what, step, number)
    for what in (REQUEST, OPENING, LAST)
    for step, number in ROLL_STEPS
    if number == 1 or what == LAST
]
"""only the last opening has the keeper sign twice: the reveal, and the checkpoint over it"""
SOME = [(REQUEST, "signed", 1), (LAST, "storing", 1)]


@pytest.fixture(scope="module")
def clusters() -> Iterator[tuple[Cluster, Cluster] | None]:
    """For games, and for what the keeper remembers."""
    with cluster() as games, cluster() as memory:
        yield None if games is None or memory is None else (games, memory)


@pytest.fixture(params=["SQLite, file", "SQLite, service", "PostgreSQL, file", "PostgreSQL, service"])
def options(request: pytest.FixtureRequest, tmp_path: Path, clusters: tuple[Cluster, Cluster] | None) -> list[str]:
    """Of a server: where its games are, and where its keeper remembers."""
    found = [*with_limits(tmp_path)]
    for kind, option, at in (("PostgreSQL", "--database", 0), ("service", "--memory", 1)):
        if kind in request.param:
            if clusters is None:
                pytest.skip("no PostgreSQL here: apt-get install postgresql")
            found += [option, clusters[at].make(f"{tmp_path.name}-{at}")]
    return found


class Struck:
    """A table whose server is killed."""

    def __init__(self, root: Path, options: list[str], stack: ExitStack) -> None:
        self._root, self._options = root, options
        self._armed = root / "armed"
        self.server = Server(root / "server", *options)
        self.alice, self.bob = (Plain(root / name, name, self.server.address) for name in ("alice", "bob"))
        stack.callback(self._close)
        link = self.alice.open_table("dice-1")["player"]
        for party in (self.alice, self.bob):
            assert party.sit(link).status_code == 201
        assert self.alice.start().status_code == 201
        for party in (self.alice, self.bob):
            party.enter()
        self.notes: set[str] = set()
        self.taken: dict[int, bytes] = {}

    def _close(self) -> None:
        for party in (self.alice, self.bob):
            party.close()
        if self.server.process.poll() is None:
            assert self.server.stop() == 0

    def roll(self, what: str, step: str, number: int) -> None:
        """Roll, and kill the server at this step of what is named."""
        self._begin(step, number)
        self._fetch(self.alice)
        line = self.alice.seat.sign(self.alice.view, "roll", self.alice.typed())
        answer = self._send(self.alice, "lines", line, strike=what == REQUEST)
        self.taken[answer["seq"]] = leaf_hash(line)
        self.notes.add(answer["checkpoint"])
        for party, this in ((self.bob, OPENING), (self.alice, LAST)):
            self._fetch(party)
            pending = party.view.replay.pending
            assert pending is not None
            opening = party.seat.opening(party.view, [sent.opening for sent in party.openings()])
            body = bytes(SentOpening.of(party.game, pending.request, opening))
            self._send(party, "openings", body, strike=what == this)
        until(lambda: self._fetched() and self.alice.view.replay.pending is None)

    def _begin(self, step: str, number: int) -> None:
        if self.server.process.poll() is None:
            assert self.server.stop() == 0
        self.server = killing_in_batch(step, number, self._armed)(
            self._root / "server", *self._options, port=self.server.port
        )

    def _send(self, party: Plain, path: str, body: bytes, *, strike: bool) -> dict:  # type: ignore[type-arg]
        """Send; where it is struck, the server dies and gives no answer, starts again, and is sent the same."""
        if strike:
            self._armed.touch()
            with pytest.raises(httpx.TransportError):
                party.post(party.path(path), body)
            assert self.server.wait() == -9
            self._armed.unlink()
            self.server = self.server.again()
        answers = list[httpx.Response]()

        def answered() -> bool:
            answers.append(party.post(party.path(path), body))
            return answers[-1].status_code in (200, 201)

        until(answered, answers)
        return dict(answers[-1].json())

    def _fetch(self, party: Plain) -> None:
        def fetched() -> bool:
            try:
                party.fetch()
            except UnableError:
                return False
            return True

        until(fetched)
        assert party.view.checkpoint is not None
        self.notes.add(bytes(party.view.checkpoint).decode())

    def _fetched(self) -> bool:
        self._fetch(self.alice)
        return True

    def check(self, rolls: int) -> None:
        """Look at all that the table has."""
        log = log_of(self.alice)
        leaves = [leaf_hash(line) for line in log.splitlines()]
        assert {seq: leaves[seq] for seq in self.taken} == self.taken, "what was answered stands"
        report, _ = verify(log)
        assert report.verdict == "holds", report.findings
        assert report.state is not None
        assert [bool(roll["dice"]) for roll in report.state["rolls"]] == [True] * rolls
        assert log.count(b'"type":"reveal"') == rolls
        assert list(self.alice.view.lines(0)) == log.splitlines(), "what was shown stands"
        tree, roots = MerkleTree(), [b""]
        for leaf in leaves:
            tree.append(leaf)
            roots.append(tree.root())
        for note in self.notes:
            head = parse_checkpoint(note.encode()).head
            assert head.root == roots[head.size], "one history"


def strike_all(root: Path, options: list[str], strikes: list[tuple[str, str, int]]) -> None:
    with ExitStack() as stack:
        struck = Struck(root, options, stack)
        for what, step, number in strikes:
            struck.roll(what, step, number)
        struck.check(len(strikes))


@pytest.mark.slow
def test_killed_at_some_steps(tmp_path: Path, options: list[str]) -> None:
    strike_all(tmp_path, options, SOME)


@pytest.mark.slow
def test_killed_at_every_step(tmp_path: Path, options: list[str]) -> None:
    strike_all(tmp_path, options, STRIKES)
