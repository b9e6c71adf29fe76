"""Snapshots change no answer: of a state nothing is lost, and a game that is taken up from one goes on as without."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.game.party_view import LogView
from ledger.seats import snapshots
from ledger.seats.identity import Identity
from ledger.seats.snapshots import Snapshots, decode_state, encode_state, members_of, take_up
from ledger.store.ledger import Ledger
from ledger.store.stored_logs import StoredLogs
from rules import Event, Session, Violation
from rules.script import Script, ScriptError, read, start, step
from tests.support.scripts import Vector, scripts
from tests.support.table import ROLL, Forger, declared
from tests.support.table_with_snapshots import EVERY, TableWithSnapshots
from verifier import Replay

VECTORS = Path(__file__).parents[2] / "specs" / "vectors"
LOGS = sorted(
    path
    for path in (VECTORS / "logs").glob("holds--*.jsonl")
    if "--offer" not in path.name and b'"type":"replace"' not in path.read_bytes()
)
"""of games in which no key was replaced: of others there is no snapshot"""


def again(session: Session) -> Session:
    """The session, written and read."""
    state = encode_state({"session": session}, session.system)
    assert state is not None
    found: Session = decode_state(state)["session"]
    return found


def played(script: Script, between: Callable[[Session], Session]) -> list[Any]:
    """What a script comes to: the state after each event, and how it ends."""
    states: list[Any] = []
    session = start(script)
    for seq, line in enumerate(script.events, 1):
        try:
            session = between(step(session, seq, line))
        except (ScriptError, Violation) as problem:
            return [*states, str(problem)]
        states.append(session.view())
    return states


def check_scripts(vectors: Sequence[Vector]) -> None:
    for vector in vectors:
        try:
            script = read(vector.data)
            plain = played(script, lambda session: session)
        except (ScriptError, Violation):
            continue
        assert played(script, again) == plain, str(vector)


def test_a_state_that_is_written_and_read_after_each_event_is_the_same_state() -> None:
    """The rules look for rolls by identity, so a state of equal parts is not enough."""
    check_scripts(scripts()[::60])


@pytest.mark.slow
def test_every_script_plays_the_same_with_its_state_written_and_read_after_each_event() -> None:
    check_scripts(scripts())


LATE_OR_SECRET = [path for path in LOGS if b'"admits":' in path.read_bytes() or b'"sealed":"' in path.read_bytes()]
TAKEN = sorted({*LOGS[::8], *LATE_OR_SECRET})
"""some of all logs, and all in which somebody may come later or roll in secret"""


@pytest.mark.parametrize("path", TAKEN, ids=lambda path: path.stem)
def test_a_replay_that_is_written_and_read_after_each_line_goes_on_alike(path: Path) -> None:
    """Chains, voided rolls and conduct too."""
    plain, taken = Replay(), Replay()
    for line in path.read_bytes().split(b"\n")[:-1]:
        plain.step(line)
        taken.step(line)
        taken = taken_up(taken, path.read_bytes().split(b"\n")[0])
        assert parts(taken) == parts(plain)


def taken_up(replay: Replay, first: bytes) -> Replay:
    """The replay, written, and read on its line 0."""
    state = encode_state(members_of(replay), replay.session.system)
    assert state is not None
    taken = Replay()
    taken.follow(first)
    take_up(taken, decode_state(state))
    return taken


def parts(replay: Replay) -> tuple[Any, ...]:
    """All that a replay has come to."""
    voided = replay.voided
    told = (replay.session.view(), replay.session.owes, replay.chains, replay.pending, replay.conduct, list(voided))
    hashes = (replay.size, replay.head, replay.tree.root(), replay.time, replay.game, replay.sealed, replay._tips)
    late = (replay.terms, dict(replay.session.parties.late), replay._recent, replay.secret_rolls, replay.session.seals)
    # In this order, which is the party order, and that of contributors.
    order = ([*replay.terms.keys], [*replay.terms.roles.items()], [*replay.session.parties.roles.items()])
    contributors = [replay.contributors(name) for name in replay.terms.roles]
    keys = [str(key) for key in replay.terms.keys.values()]
    terms, host = msgspec.structs.replace(late[0], keys={}, host=None), str(late[0].host)
    return *told, *hashes, voided._burned, voided._sessions, terms, host, *late[1:], *order, contributors, keys


@pytest.fixture(scope="module")
def played_before(tmp_path_factory: pytest.TempPathFactory) -> TableWithSnapshots:
    """A long game; nobody is at the table now."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshots, "EVERY", EVERY)
        table = TableWithSnapshots(tmp_path_factory.mktemp("played") / "table")
        table.begin()
        for _ in range(4):
            table.roll("alice")
    table.close()
    return table


@pytest.fixture
def table(
    played_before: TableWithSnapshots, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TableWithSnapshots]:
    """That game."""
    monkeypatch.setattr(snapshots, "EVERY", EVERY)
    table = played_before.copied(tmp_path / "table")
    yield table
    table.close()


def test_a_long_game_is_taken_up_and_goes_on_as_without(
    table: TableWithSnapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.restart()
    followed: list[bytes] = []
    follow = Replay.follow

    def noted(replay: Replay, line: bytes) -> Event:
        followed.append(line)
        return follow(replay, line)

    monkeypatch.setattr(Replay, "follow", noted)
    view = table.view
    base = table.ledger.base(table.game)
    assert base is not None
    assert base.size > len(table.lines) - 2 * EVERY, "the latest is used"
    # Line 0 twice: for the parties' keys, and for the terms.
    assert len(followed) <= 2 + len(table.lines) - base.size
    assert parts(view.replay) == parts(replayed(table))
    table.roll("bob", source="Second")
    assert parts(table.view.replay) == parts(replayed(table))
    assert list(table.view.lines(0)) == table.lines


def replayed(table: TableWithSnapshots) -> Replay:
    replay = Replay()
    for line in table.lines:
        replay.step(line)
    return replay


def test_a_seat_in_its_turn_reads_no_line_before_its_snapshot(
    table: TableWithSnapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.roll("alice")
    table.restart()
    read: list[int] = []
    lines = StoredLogs.lines

    def noted(logs: StoredLogs, game: bytes, start: int = 0, stop: int = 2**53 - 1) -> Iterator[bytes]:
        for seq, line in enumerate(lines(logs, game, start, stop), start):
            read.append(seq)
            yield line

    monkeypatch.setattr(StoredLogs, "lines", noted)
    table.ledger.append(table.game, table.seats["alice"].sign(table.view, "roll", table.body("roll", ROLL)))
    table.played.carry_on()
    size = table.view.replay.size
    assert {seq for seq in read if 0 < seq < size - 3 * EVERY} == set()


def test_who_verifies_an_older_view_does_not_set_the_game_back(table: TableWithSnapshots) -> None:
    """A seat looks at what it was shown, while others write."""
    table.restart()
    view, base = table.view, table.ledger.base(table.game)
    assert base is not None
    ruling = {"ruling": "uphold", "subject": 0, "text": "So be it."}
    line = Forger(table.identities["dana"]).event(table.lines, "ruling", ruling)
    table.ledger.append(table.game, line)
    view.verify(base.size, table.identities["alice"].key)
    assert parts(table.view.replay) == parts(replayed(table))
    assert table.view.replay.size == view.replay.size + 1


def test_a_short_game_has_none(tmp_path: Path) -> None:
    table = TableWithSnapshots(tmp_path)
    table.begin().roll("alice")
    assert not (tmp_path / "state" / "snapshots").exists()
    table.close()


def test_none_is_made_where_there_is_no_place_for_it(table: TableWithSnapshots) -> None:
    for path in table.snapshot_files():
        path.unlink()
    table.snapshot_folder.rmdir()
    table.snapshot_folder.write_text("a file")
    table.restart()
    table.roll("alice")
    assert table.view.replay.session.requests == 5


def test_a_state_that_is_too_long_or_too_deep_or_cannot_be_written_is_left_out(
    table: TableWithSnapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = table.view.replay.session
    deep: Any = ()
    for _ in range(100_000):
        deep = (deep,)
    for odd in (deep, type("Gone", (), {})(), memoryview(b"")):
        assert encode_state({"odd": odd}, session.system) is None
    state = encode_state({"session": session}, session.system)
    assert state is not None
    monkeypatch.setattr(snapshots, "MAX_STATE", len(state))
    assert encode_state({"session": session}, session.system) == state
    monkeypatch.setattr(snapshots, "MAX_STATE", len(state) - 1)
    assert encode_state({"session": session}, session.system) is None


def test_none_is_made_while_lines_are_shown_that_the_keeper_has_not_taken(table: TableWithSnapshots) -> None:
    """They may be replaced yet: it would be of a log that never was."""
    bob, host, file = table.seats["bob"], Forger(table.identities["host"]), table.snapshot_of("bob")
    lines = list(table.take("bob").lines(0))
    lines.append(declared(bob, table.view))
    file.unlink(missing_ok=True)
    declared(bob, LogView(lines))
    assert not file.exists()
    declared(bob, LogView(lines, host.checkpoint(LogView(lines))))
    assert file.exists()


def test_where_no_snapshots_are_wanted_none_is_made_or_used(table: TableWithSnapshots) -> None:
    plain = Ledger(table.folder / "ledger.db", table.clock)
    assert parts(plain.view(table.game).replay) == parts(table.view.replay)
    assert plain.base(table.game) is None
    plain.close()
    assert Snapshots(table.folder / "elsewhere", lambda _: True).keys(table.game) == []


# --- when there is one -----------------------------------------------------------------------------------------------


def made(lines: Iterable[bytes], place: Snapshots, identity: Identity) -> list[int]:
    """After which of these lines of one log a snapshot is made."""
    replay, sizes = Replay(), list[int]()

    def sign(message: bytes) -> bytes:
        sizes.append(replay.size)
        return identity.sign(message)

    for line in lines:
        replay.step(line)
        place.renew(replay, identity.key, sign)
        place.renew(replay, identity.key, sign)
    return sizes


def test_one_is_made_every_so_many_lines_and_anew_on_a_shorter_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 4)
    path = max(LOGS, key=lambda path: path.read_bytes().count(b"\n") if path.stat().st_size < 30_000 else 0)
    lines, identity = path.read_bytes().splitlines(), Identity.generate("alice")
    assert len(lines) >= 12
    place = Snapshots(tmp_path, lambda _: True)
    assert made(lines[:12], place, identity) == [4, 8, 12]
    assert made(lines[:9], place, identity) == [4, 8], "the one of 12 lines is of no use here"
    monkeypatch.setattr(snapshots, "MAX_STATE", 100)
    assert made(lines, place, identity) == [], "each is too long"


@pytest.mark.parametrize("name", ["replaced-by-a-later-key", "replaced-by-all-others"])
def test_none_is_made_where_a_key_is_replaced_or_is_to_be(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 1)
    lines = (VECTORS / "logs" / f"holds--{name}.jsonl").read_bytes().splitlines()
    first = next(seq for seq, line in enumerate(lines) if b'"type":"replace"' in line)
    assert made(lines, Snapshots(tmp_path, lambda _: True), Identity.generate("alice")) == [*range(1, first + 1)]
