"""Whom a keeper calls away for want of a link, so that nobody can roll (specs/network.md, "Gone without a link")."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import RefusedError
from ledger.keeper import calling_away
from ledger.keeper.calling_away import HEARD, IDLE
from ledger.keeper.operations import Acceptance, CloseGame, LetIn, Offer, Resume
from ledger.seats.identity import Identity
from rules.protocol import Back, Phase
from rules.systems.mtg.bodies import Options, RollBody
from tests.support.hosted import Client, Hosted
from tests.support.table import SYSTEM
from verifier import verify
from verifier.log.bodies import AdmitBody, AwayBody

OPTIONS = Options(planechase=False)
ROLL = RollBody(source="Delina", dice="1d20", use="attack")


class Table:
    """A table at which the last party has joined and died, before it had committed unless `commits`."""

    def __init__(
        self,
        folder: Path,
        names: str = "alice bob",
        *,
        commits: int = 0,
        contributors: str = "all",
        away: bool = True,
        **terms: Any,
    ) -> None:
        self.now = 0.0
        self.hosted = Hosted(folder, names.split())
        self.hosted.host.calling._clock = lambda: self.now
        hosted = self.hosted
        (outcome,) = hosted.process(
            hosted.terms(SYSTEM, OPTIONS, contributors=contributors, away="others" if away else None, **terms)
        )
        assert isinstance(outcome, Acceptance)
        self.game = bytes.fromhex(outcome.receipt.game)
        self.gone = names.split()[-1]
        for name in names.split():
            self.due(name)  # join
            if name != self.gone or commits:
                self.due(name, commits if name == self.gone else 16)

    def client(self, name: str) -> Client:
        return self.hosted.clients[self.game][name]

    def due(self, name: str, links: int = 16) -> None:
        """The party joins or commits, whichever is due."""
        client = self.client(name)
        joined = name in client.view.replay.session.parties.joined
        line = client.seat.due("commit" if joined else "join", client.view, (), links)
        (outcome,) = self.hosted.process(Offer(self.game, line))
        assert isinstance(outcome, Acceptance), outcome

    def call(self, by: str = "alice", party: str = "") -> None:
        (outcome,) = self.hosted.process(self.client(by).act("away", AwayBody(party or self.gone)))
        assert isinstance(outcome, Acceptance), outcome

    def later(self, seconds: float) -> frozenset[str]:
        """The server looks again at a time; who is away then."""
        self.now = seconds
        self.hosted.process(Resume(self.game))
        return self.client("alice").view.replay.session.parties.away

    def roll(self) -> None:
        (outcome,) = self.hosted.process(self.client("alice").act("roll", ROLL))
        assert isinstance(outcome, Acceptance), outcome
        self.hosted.settle()
        assert self.client("alice").view.replay.session.phase is Phase.IDLE


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.hosted.close()


def test_who_died_before_its_commit_is_called_away_after_fifteen_seconds(table: Table) -> None:
    with pytest.raises(RefusedError) as refused:
        table.client("alice").act("roll", ROLL)
    assert refused.value.code == "state.not-committed"
    table.call()
    assert table.later(HEARD - 0.1) == set()
    assert table.later(HEARD) == {"bob"}
    bob = table.client("bob")
    (outcome,) = table.hosted.process(bob.act("back", Back("bob")))
    assert isinstance(outcome, Acceptance)
    table.due("bob")
    table.roll()
    report, replay = verify(bob.log)
    assert (report.verdict, replay is not None and len(replay.contributors("alice"))) == ("holds", 3)


def test_who_has_called_is_no_sooner_done_than_all_have(tmp_path: Path) -> None:
    table = Table(tmp_path, "alice carol bob")
    try:
        table.call()
        assert table.later(10 * IDLE) == set(), "carol has not called"
        table.call("carol")
        assert table.client("alice").view.replay.session.parties.away == {"bob"}
    finally:
        table.hosted.close()


def test_a_chain_that_was_spent_when_its_owner_died(tmp_path: Path) -> None:
    """Bob's chain had one link for a roll: it is spent with the first, and he is seen so from then on."""
    table = Table(tmp_path, commits=2)
    try:
        (outcome,) = table.hosted.process(table.client("alice").act("roll", ROLL))
        assert isinstance(outcome, Acceptance)
        table.now = 100.0
        for name in ("bob", "alice"):
            operation = table.client(name).due()
            assert operation is not None
            table.hosted.process(operation)
        assert table.client("alice").view.replay.session.phase is Phase.IDLE
        table.call()
        assert table.later(100.0 + HEARD - 0.1) == set(), "until the roll had its dice he had a link"
        assert table.later(100.0 + HEARD) == {"bob"}
        table.roll()
    finally:
        table.hosted.close()


@pytest.mark.parametrize("seconds", [HEARD, IDLE - 0.1])
def test_who_has_a_stream_open_is_waited_for_and_not_for_ever(table: Table, seconds: float) -> None:
    table.hosted.host.streaming = lambda game: ["bob"] if game == table.game else []
    table.call()
    assert table.later(seconds) == set()
    assert table.later(IDLE) == {"bob"}


def test_who_wrote_meanwhile_is_heard_at_whichever_process(table: Table) -> None:
    """Bob's stream is another process's: that he is here his lines say, and his program writes one."""
    table.call()
    assert table.later(HEARD - 1) == set()
    table.call("bob", "alice")  # he says something else; the call about him is forgotten with it
    table.call()
    assert table.later(HEARD + 1) == set()
    assert table.later(2 * HEARD - 1.1) == set()
    assert table.later(2 * HEARD - 1) == {"bob"}, "and stays without a link"


def test_who_commits_in_the_last_moment_is_not_called_away(table: Table) -> None:
    table.call()
    table.later(HEARD - 0.1)
    table.due("bob")
    table.call()
    assert table.later(10 * IDLE) == set()
    table.roll()


def test_who_is_let_in_in_the_moment_in_which_another_is_called_away_is_in(tmp_path: Path) -> None:
    table = Table(tmp_path, admits=("judge",))
    try:
        table.call()
        table.now = HEARD
        cyd = AdmitBody(key=str(Identity.generate("cyd").key), role="judge")
        (outcome,) = table.hosted.process(LetIn(table.game, cyd))
        assert isinstance(outcome, Acceptance), outcome
        alice = table.client("alice")
        assert b'"type":"admit"' in alice.lines[outcome.receipt.seq]
        assert alice.view.replay.session.parties.away == {"bob"}
    finally:
        table.hosted.close()


def test_in_a_game_that_is_closed_nobody_is_called_away(table: Table) -> None:
    table.call()
    (outcome,) = table.hosted.process(CloseGame(table.game))
    assert isinstance(outcome, Acceptance)
    assert table.later(10 * IDLE) == set()
    assert table.hosted.host.calling.party(table.client("alice").view.replay) is None


def test_who_committed_is_not_called_away_however_long_nothing_is_heard(tmp_path: Path) -> None:
    table = Table(tmp_path, commits=16)
    try:
        table.call()
        assert table.later(10 * IDLE) == set()
    finally:
        table.hosted.close()


def test_who_keeps_nobody_from_rolling_is_not_called_away(tmp_path: Path) -> None:
    """With `roller` bob lacks in his own rolls alone."""
    table = Table(tmp_path, contributors="roller")
    try:
        table.call()
        assert table.later(10 * IDLE) == set()
        table.roll()
    finally:
        table.hosted.close()


def test_a_server_that_was_started_again_counts_anew(table: Table) -> None:
    table.call()
    table.later(HEARD - 1)
    table.hosted.stop()
    table.hosted.start()
    table.hosted.host.calling._clock = lambda: table.now
    assert table.later(HEARD + 1) == set()
    assert table.later(2 * HEARD + 1) == {"bob"}


def test_where_the_terms_do_not_let_the_others_nothing_is_noted(tmp_path: Path) -> None:
    table = Table(tmp_path, away=False)
    try:
        assert table.later(10 * IDLE) == set()
        assert not table.hosted.host.calling._without
    finally:
        table.hosted.close()


def test_a_store_that_was_put_back_makes_it_count_anew(table: Table) -> None:
    table.call()
    calling, replay = table.hosted.host.calling, table.client("alice").view.replay
    seen = calling._without[table.game]["bob"]
    calling._without[table.game]["bob"] = type(seen)(replay.size + 1, seen.since)
    assert table.later(HEARD) == set()
    assert calling._without[table.game]["bob"].size == replay.size


def test_of_how_many_games_it_is_known_has_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling_away, "MAX_GAMES", 1)
    table = Table(tmp_path)
    try:
        hosted = table.hosted
        (outcome,) = hosted.process(hosted.terms(SYSTEM, OPTIONS, away="others", title="another"))
        assert isinstance(outcome, Acceptance)
        table.game = bytes.fromhex(outcome.receipt.game)
        table.due("alice")
        assert list(hosted.host.calling._without) == [table.game]
    finally:
        hosted.close()


def test_each_line_is_read_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A keeper looks at a game for every line that is written while somebody is called."""
    calling, ledger = table.hosted.host.calling, table.hosted.ledger
    before = table.client("alice").view.replay.copy()
    read: list[int] = []

    class Counted:
        opening = ledger.opening

        def lines(self, game: bytes, start: int, stop: int) -> Iterator[bytes]:
            read.extend(range(start, stop))
            return ledger.lines(game, start, stop)

    table.call()
    after = table.client("alice").view.replay
    monkeypatch.setattr(calling, "_stored", Counted())
    calling._wrote.clear()
    for replay, start in ((before, 2), (before, 2), (after, before.size), (after, 2), (after, after.size)):
        calling._look(replay, start)
    assert read == list(range(2, after.size))
