"""The store of event logs: what is refused leaves nothing, what was signed is not signed twice."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.database.sqlite import EVENTS_KIND
from ledger.errors import BehindError, ForkError, MissingError, RefusedError, StaleMemoryError, StoreError, UsageError
from ledger.event.acts import claim_key, keeper_line, line_of, new_claim_code
from ledger.seats.identity import Identity
from ledger.seats.memory import SeatMemory
from ledger.seats.memory_places import begin_memory
from ledger.seats.service_opening import begin_service_memory, open_service_memory
from ledger.store import event_logs
from ledger.store.event_logs import EventLogs
from ledger.store.storage import SqliteStorage
from tests.make import event as make_event
from tests.make.event import FILE, EventWriter, terms, whole
from tests.oracles.reference import private_key
from tests.support.postgres import cluster
from verifier.event.acts import MAX_EVENT_LINES, ActFile, Opened, OpenedGame
from verifier.event.replay import EventReplay, TakenEventLine
from verifier.log.merkle import leaf_hash

VECTORS = json.loads(FILE.read_text())
WHOLE = [line.encode() for line in VECTORS["event"]]
KEEPER = Identity("hall", private_key("hall"))


class Logs(EventLogs):
    """The logs of one keeper."""

    def __init__(self, folder: Path, memory: SeatMemory) -> None:
        super().__init__(SqliteStorage(folder / "events.db", kind=EVENTS_KIND, mode=0o600))
        self.memory = memory

    def begin(self, line: bytes) -> bytes:
        _, event = self.create(line, self.memory)
        return event

    def add(self, event: bytes, *makers: Callable[[EventReplay], bytes]) -> EventReplay:
        return self.write(event, makers, self.memory)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SeatMemory]:
    folder, state = tmp_path / "hall", tmp_path / "state"
    folder.mkdir()
    state.mkdir()
    found = begin_memory(KEEPER, folder, state)
    yield found
    found.close()


@pytest.fixture
def logs(tmp_path: Path, memory: SeatMemory) -> Iterator[Logs]:
    found = Logs(tmp_path / "home", memory)
    yield found
    found.close()


def put(logs: Logs, lines: list[bytes]) -> bytes:
    event = logs.begin(lines[0])
    logs.add(event, *(lambda _replay, line=line: line for line in lines[1:]))
    return event


def data_of(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


@pytest.mark.parametrize(
    "case", [case for case in VECTORS["cases"] if case["error"]], ids=lambda case: str(case["about"])
)
def test_what_is_wrong_is_refused_when_it_is_offered_and_leaves_nothing(logs: Logs, case: dict[str, object]) -> None:
    lines, error = case["lines"], case["error"]
    assert isinstance(lines, list)
    assert isinstance(error, dict)
    keep = WHOLE[: int(str(case["keep"]))]
    good = error["seq"] - len(keep)
    if error["seq"] == 0:
        with pytest.raises(RefusedError) as refused:
            logs.begin(lines[0].encode())
        assert (refused.value.code, refused.value.clause) == (error["code"], error["clause"])
        assert logs.events() == []
        return
    event = put(logs, [*keep, *(line.encode() for line in lines[:good])])
    before = list(logs.lines(event))
    with pytest.raises(RefusedError) as refused:
        logs.add(event, lambda _replay: lines[good].encode())
    assert (refused.value.code, refused.value.clause) == (error["code"], error["clause"])
    assert list(logs.lines(event)) == before
    assert logs.replay(event).size == len(before)


def test_one_open_begins_one_event_whatever_first_lines_are_made_of_it(logs: Logs) -> None:
    """The keeper's time alone would make it another event: what a second process made is not kept, nor remembered."""
    later = line_of(KEEPER, EventReplay(), act_of(WHOLE[0]), "2031-01-01T00:00:00.000Z")
    assert leaf_hash(later) != leaf_hash(WHOLE[0])
    assert logs.create(WHOLE[0], logs.memory) == (True, leaf_hash(WHOLE[0]))
    assert logs.create(later, logs.memory) == (False, leaf_hash(WHOLE[0]))
    assert logs.create(WHOLE[0], logs.memory) == (False, leaf_hash(WHOLE[0])), "made in the same millisecond"
    assert [(each.event, each.lines) for each in logs.events()] == [(leaf_hash(WHOLE[0]).hex(), 1)]
    with logs.memory.game(leaf_hash(later)) as turn:
        assert not turn.record.lines


def act_of(line: bytes) -> ActFile:
    """The act that stands in a line."""
    event = json.loads(line)
    made = {**event["body"], "event": event["game"], "type": event["type"]}
    return msgspec.json.decode(msgspec.json.encode(made), type=ActFile)


def test_several_lines_are_taken_together_or_not_at_all(logs: Logs) -> None:
    event = put(logs, WHOLE[:4])
    with pytest.raises(RefusedError):
        logs.add(event, lambda _: WHOLE[4], lambda _: WHOLE[6])
    assert len(list(logs.lines(event))) == 4
    logs.add(event, lambda _: WHOLE[4], lambda _: WHOLE[5])
    assert len(list(logs.lines(event))) == 6


def test_a_store_that_was_put_back_signs_nothing(logs: Logs, tmp_path: Path) -> None:
    event = put(logs, WHOLE[:5])
    logs.close()
    shutil.copytree(tmp_path / "home", tmp_path / "old")
    again = Logs(tmp_path / "home", logs.memory)
    again.add(event, lambda _: WHOLE[5], lambda _: WHOLE[6])
    again.add(event, lambda _: WHOLE[7])
    again.close()
    old = Logs(tmp_path / "old", logs.memory)
    with pytest.raises(StoreError, match="was put back"):
        old.add(event, lambda _: WHOLE[5])
    old.close()


def test_a_line_that_was_signed_when_the_machine_stopped_is_stored_and_not_signed_anew(
    logs: Logs, tmp_path: Path
) -> None:
    event = put(logs, WHOLE[:5])
    remember(logs, event, WHOLE[5])  # as it is between the turn and the commit
    replay = logs.add(event, lambda _: WHOLE[6])
    assert replay.size == 7
    assert list(logs.lines(event)) == WHOLE[:7]
    remember(logs, event, *WHOLE[7:10])  # several that were signed together
    with pytest.raises(RefusedError):
        logs.add(event, lambda _: WHOLE[12])
    assert list(logs.lines(event)) == WHOLE[:10], "what was signed stands, whatever comes of what is offered"
    assert logs.add(event).size == 10
    assert list(logs.lines(event)) == WHOLE[:10]
    remember(logs, event)
    with pytest.raises(StoreError, match="is not kept here"):
        logs.add(event, lambda _: WHOLE[10])


def remember(logs: Logs, event: bytes, *lines: bytes) -> None:
    with logs.memory.game(event) as turn:
        turn.change(lines=tuple(line.decode() for line in lines))


@pytest.mark.long
def test_of_two_machines_that_sign_the_same_line_of_an_event_one_is_stale(tmp_path: Path) -> None:
    """One has lost its lock in the database, and does not know it yet: here each has a database of its own."""
    with cluster() as found, ExitStack() as stack:
        if found is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        url, folder = found.make("seat"), tmp_path / "hall"
        folder.mkdir()
        for state in ("one", "two"):
            (tmp_path / state).mkdir()
        first = stack.enter_context(closing(begin_service_memory(KEEPER, folder, tmp_path / "one", url)))
        second = stack.enter_context(closing(open_service_memory(KEEPER, folder, tmp_path / "two", url)))
        one = stack.enter_context(closing(Logs(tmp_path / "home", first)))
        event = put(one, WHOLE[:5])
        shutil.copytree(tmp_path / "home", tmp_path / "other")
        two = stack.enter_context(closing(Logs(tmp_path / "other", second)))

        def late(_: EventReplay) -> bytes:
            two.add(event, lambda _: WHOLE[5])
            return bytes(WHOLE[5])

        with pytest.raises(StaleMemoryError):
            one.add(event, late)
        assert list(one.lines(event)) == WHOLE[:5]
        assert one.add(event, lambda _: WHOLE[6]).size == 7, "the other's line is taken from what is remembered"
        assert two.add(event).size == 7
        assert list(two.lines(event)) == list(one.lines(event)) == WHOLE[:7]


def test_what_was_refused_costs_no_second_look_at_the_whole_log(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    event, steps = put(logs, WHOLE[:9]), list[bytes]()
    step = EventReplay.step

    def counted(self: EventReplay, line: bytes, *, trusted: bool = False) -> TakenEventLine:
        steps.append(line)
        return step(self, line, trusted=trusted)

    monkeypatch.setattr(EventReplay, "step", counted)
    for _ in range(5):
        with pytest.raises(RefusedError):
            logs.add(event, lambda _: WHOLE[10])
    assert len(steps) == 5
    with logs.looking(event) as replay:
        assert replay.size == 9
    assert len(steps) == 5


def test_the_log_of_somebody_else_is_taken_if_it_goes_on_from_what_is_here(logs: Logs) -> None:
    case = VECTORS["cases"][1]
    with pytest.raises(RefusedError):
        logs.take(data_of([*WHOLE[: case["keep"]], case["lines"][0].encode()]))
    assert logs.events() == []
    event, new = logs.take(data_of(WHOLE[:9]))
    assert new == 9
    assert logs.take(data_of(WHOLE)) == (event, len(WHOLE) - 9)
    assert logs.take(data_of(WHOLE)) == (event, 0)
    with pytest.raises(BehindError):
        logs.take(data_of(WHOLE[:9]))
    log = whole().copy(10)
    log.write("p1", "drop", {"number": 1, "reason": "a train"})
    with pytest.raises(ForkError, match="another history of this event"):
        logs.take(log.data)
    with pytest.raises(RefusedError) as refused:
        logs.take(data_of(WHOLE)[:-1])
    assert refused.value.code == "line.unterminated"
    assert list(logs.lines(event)) == WHOLE


def test_an_act_file_comes_to_stand_in_a_line_as_its_author_signed_it(logs: Logs) -> None:
    log = whole().copy(8)
    event = put(logs, log.lines)
    body = log.act("p1", "drop", {"number": 1, "reason": "a train"})
    act = msgspec.json.decode(msgspec.json.encode({**body, "event": log.id, "type": "drop"}), type=ActFile)

    def make(replay: EventReplay) -> bytes:
        return line_of(KEEPER, replay, act, "2026-11-20T12:00:00.000Z")

    replay = logs.add(event, make)
    assert replay.state.players[1].state == "dropped"
    assert json.loads(list(logs.lines(event))[-1])["body"] == body
    with pytest.raises(RefusedError) as refused:
        logs.add(event, make)
    assert refused.value.code == "player.state" or refused.value.code == "act.again"


def test_a_keepers_own_line_is_dated_no_earlier_than_the_line_before(logs: Logs) -> None:
    line = next(at for at, text in enumerate(WHOLE) if json.loads(text)["type"] == "start")
    event = put(logs, WHOLE[: line + 1])
    act = Opened((OpenedGame("a" * 64, 11),), line)
    logs.add(event, keeper_line(KEEPER, "opened", act, partial(str, "2020-01-01T00:00:00.000Z")))
    assert logs.replay(event).time == json.loads(WHOLE[line])["time"]


def test_lines_are_read_a_block_at_a_time(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    event, read, asked = put(logs, WHOLE[:9]), SqliteStorage.read, list[object]()

    def counted(self: SqliteStorage, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        asked.append(values)
        return read(self, statement, values)

    monkeypatch.setattr(event_logs, "_AT_ONCE", 4)
    monkeypatch.setattr(SqliteStorage, "read", counted)
    for start, stop, questions in ((0, 8, 2), (2, 5, 1), (0, 9, 3), (3, 3, 0), (0, 1_000_000, 4)):
        asked.clear()
        assert list(logs.lines(event, start, stop)) == WHOLE[start : min(stop, 9)]
        assert len(asked) == questions, (start, stop)


@pytest.mark.parametrize("start", [MAX_EVENT_LINES, 2**63 - 1, 10**30])
def test_from_far_behind_the_end_nothing_is_read(logs: Logs, start: int) -> None:
    """A database has no such number, and somebody asks for it."""
    event = put(logs, WHOLE[:9])
    assert list(logs.lines(event, start)) == list(logs.lines(event, start, start + 1)) == []


def test_those_who_listen_are_told_of_what_was_written_alone(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[Collection[str]]()
    monkeypatch.setattr(SqliteStorage, "tell", lambda _, names: told.append(names))
    event = logs.begin(WHOLE[0])
    logs.add(event, lambda _: WHOLE[1])
    logs.add(event)
    with pytest.raises(RefusedError):
        logs.add(event, lambda _: WHOLE[2], lambda _: WHOLE[4])
    assert told == [[event.hex()]] * 2
    assert logs.add(event, lambda _: WHOLE[2]).size == 3, "a turn without lines leaves what the keeper remembers"


def test_a_database_that_lost_lines_under_a_running_server_is_read_anew(logs: Logs, tmp_path: Path) -> None:
    event, other = put(logs, WHOLE[:9]), whole().copy(8)
    other.write("p1", "drop", {"number": 1, "reason": "a train"})
    with logs.looking(event) as replay:
        assert replay.size == 9
    for lines in ([*WHOLE[:5]], other.lines, WHOLE[:9]):
        overwrite(tmp_path / "home" / "events.db", event, lines)
        with logs.looking(event) as replay:
            assert replay.head == leaf_hash(lines[-1])
    overwrite(tmp_path / "home" / "events.db", event, [])
    with pytest.raises(MissingError), logs.looking(event):
        pass


def test_an_event_that_is_not_here_is_missing(logs: Logs) -> None:
    with pytest.raises(MissingError), logs.looking(bytes(32)):
        pass
    with pytest.raises(MissingError):
        logs.add(bytes(32), lambda _: WHOLE[0])


def test_a_damaged_line_is_told_with_its_number(logs: Logs, tmp_path: Path) -> None:
    event = put(logs, WHOLE[:9])
    overwrite(tmp_path / "home" / "events.db", event, [*WHOLE[:4], b"{}", *WHOLE[5:9]])
    with pytest.raises(StoreError, match="is damaged at line 4"):
        logs.replay(event)
    with pytest.raises(StoreError, match="is damaged at line 4"), logs.looking(event):
        pass


def overwrite(path: Path, event: bytes, lines: Sequence[bytes]) -> None:
    """Put these lines in the place of an event's, as somebody may who has the file."""
    with closing(sqlite3.connect(path)) as database, database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute("DELETE FROM event_lines")
        rows = [(event.hex(), seq, line) for seq, line in enumerate(lines)]
        database.executemany("INSERT INTO event_lines VALUES (?, ?, ?)", rows)


def test_lines_of_another_keeper_are_added_to_what_is_here(logs: Logs) -> None:
    event = leaf_hash(WHOLE[0])
    assert logs.extend(event, [], 0) == 0
    assert logs.events() == []
    with pytest.raises(ForkError, match="another event"):
        logs.extend(bytes(32), WHOLE[:2], 0)
    assert logs.extend(event, WHOLE[:3], 0) == 3
    assert [(each.title, each.lines) for each in logs.events()] == [("Spring Open", 3)]
    assert logs.extend(event, WHOLE[1:5], 1) == 2, "two of them are here"
    assert logs.extend(event, WHOLE[2:4], 2) == 0
    assert logs.extend(event, WHOLE[5:9], 5) == 4
    other = whole().copy(8)
    other.write("p1", "drop", {"number": 1, "reason": "a train"})
    for lines, first in ((other.lines[8:], 8), ([*WHOLE[7:8], *other.lines[8:], *WHOLE[9:]], 7)):
        with pytest.raises(ForkError, match="other lines"):
            logs.extend(event, lines, first)
    with pytest.raises(RefusedError):
        logs.extend(event, WHOLE[10:12], 10)
    assert list(logs.lines(event)) == WHOLE[:9]
    with logs.looking(event) as replay:
        assert replay.size == 9


def test_no_lines_are_no_log(logs: Logs) -> None:
    with pytest.raises(RefusedError, match="no line feed"):
        logs.take(b"")


def test_one_name_for_two_events_is_told_with_their_ids(logs: Logs) -> None:
    one = put(logs, WHOLE[:3])
    two = EventWriter()
    two.write("olga", "open", terms(nonce="0" * 64))
    other = logs.begin(two.lines[0])
    with pytest.raises(UsageError, match="more than one event") as ambiguous:
        logs.find("Spring Open")
    assert all(event.hex()[:12] in str(ambiguous.value) for event in (one, other))
    hexed = EventWriter()
    hexed.write("olga", "open", terms(title=one.hex()[:8]))
    third = logs.begin(hexed.lines[0])
    assert logs.find(one.hex()[:8]) == third, "a title comes before an id"
    assert logs.find(one.hex()[:9]) == one
    for text in (one.hex()[:3], "Spring", "0" * 12):
        with pytest.raises(MissingError):
            logs.find(text)


def test_an_event_is_found_by_title_and_by_the_beginning_of_its_id(logs: Logs) -> None:
    event = put(logs, WHOLE[:3])
    assert logs.find("Spring Open") == event
    assert logs.find(event.hex()[:8]) == event
    assert [(each.title, each.lines) for each in logs.events()] == [("Spring Open", 3)]


def test_a_claim_code_is_no_option_and_no_formula() -> None:
    codes = [new_claim_code() for _ in range(400)]
    assert all(code[0].isalnum() and len(code) == 43 for code in codes)
    assert len({claim_key(code).public_key().public_bytes_raw() for code in codes}) == 400
    for wrong in ("", "x", codes[0][:-1], codes[0] + "A", f"'{codes[0]}", "é" * 43):
        with pytest.raises(UsageError):
            claim_key(wrong)


@pytest.mark.long
def test_the_vectors_are_what_makes_them_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["event", "--check"])
    assert make_event.main() == 0
