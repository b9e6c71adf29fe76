"""The store of event logs: what is refused leaves nothing, what was signed is not signed twice."""

import json
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from ledger.database import EVENTS_KIND
from ledger.errors import BehindError, ForkError, RefusedError, StoreError, UsageError
from ledger.event.acts import claim_key, keeper_line, line_of, new_claim_code
from ledger.seats.identity import Identity
from ledger.store.event_logs import EventLogs
from ledger.store.storage import SqliteStorage
from tests.make import event as make_event
from tests.make.event import FILE, whole
from tests.oracles.reference import private_key
from verifier.event.acts import ActFile, Opened, OpenedGame
from verifier.event.replay import EventReplay, TakenEventLine

VECTORS = json.loads(FILE.read_text())
WHOLE = [line.encode() for line in VECTORS["event"]]
KEEPER = Identity("hall", private_key("hall"))


def opened(folder: Path, state: Path) -> EventLogs:
    return EventLogs(SqliteStorage(folder / "events.db", kind=EVENTS_KIND, mode=0o600), state)


@pytest.fixture
def logs(tmp_path: Path) -> Iterator[EventLogs]:
    found = opened(tmp_path / "home", tmp_path / "state")
    yield found
    found.close()


def put(logs: EventLogs, lines: list[bytes]) -> bytes:
    event = logs.create(lines[0])
    logs.write(event, [lambda _replay, line=line: line for line in lines[1:]])  # type: ignore[misc]
    return event


def data_of(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


@pytest.mark.parametrize(
    "case", [case for case in VECTORS["cases"] if case["error"]], ids=lambda case: str(case["about"])
)
def test_what_is_wrong_is_refused_when_it_is_offered_and_leaves_nothing(
    logs: EventLogs, case: dict[str, object]
) -> None:
    lines, error = case["lines"], case["error"]
    assert isinstance(lines, list)
    assert isinstance(error, dict)
    keep = WHOLE[: int(str(case["keep"]))]
    good = error["seq"] - len(keep)
    event = put(logs, [*keep, *(line.encode() for line in lines[:good])])
    before = list(logs.lines(event))
    with pytest.raises(RefusedError) as refused:
        logs.write(event, [lambda _replay: lines[good].encode()])
    assert (refused.value.code, refused.value.clause) == (error["code"], error["clause"])
    assert list(logs.lines(event)) == before
    assert logs.replay(event).size == len(before)


def test_several_lines_are_taken_together_or_not_at_all(logs: EventLogs) -> None:
    event = put(logs, WHOLE[:4])
    with pytest.raises(RefusedError):
        logs.write(event, [lambda _: WHOLE[4], lambda _: WHOLE[6]])
    assert len(list(logs.lines(event))) == 4
    logs.write(event, [lambda _: WHOLE[4], lambda _: WHOLE[5]])
    assert len(list(logs.lines(event))) == 6


def test_a_store_that_was_put_back_signs_nothing(logs: EventLogs, tmp_path: Path) -> None:
    event = put(logs, WHOLE[:5])
    logs.close()
    shutil.copytree(tmp_path / "home", tmp_path / "old")
    again = opened(tmp_path / "home", tmp_path / "state")
    again.write(event, [lambda _: WHOLE[5], lambda _: WHOLE[6]])
    again.write(event, [lambda _: WHOLE[7]])
    again.close()
    old = opened(tmp_path / "old", tmp_path / "state")
    with pytest.raises(StoreError, match="was put back"):
        old.write(event, [lambda _: WHOLE[5]])
    old.close()


def test_a_line_that_was_signed_when_the_machine_stopped_is_stored_and_not_signed_anew(
    logs: EventLogs, tmp_path: Path
) -> None:
    event = put(logs, WHOLE[:5])
    note = tmp_path / "state" / f"{event.hex()}.event-line"
    note.write_bytes(WHOLE[5])  # as it is between the note and the commit
    replay = logs.write(event, [lambda _: WHOLE[6]])
    assert replay.size == 7
    assert list(logs.lines(event)) == WHOLE[:7]
    note.write_bytes(b"\n".join(WHOLE[7:10]))  # several that were signed together
    with pytest.raises(RefusedError):
        logs.write(event, [lambda _: WHOLE[12]])
    assert list(logs.lines(event)) == WHOLE[:10], "what was signed stands, whatever comes of what is offered"
    assert logs.write(event, []).size == 10
    assert list(logs.lines(event)) == WHOLE[:10]
    note.unlink()
    with pytest.raises(StoreError, match="is not kept on this machine"):
        logs.write(event, [lambda _: WHOLE[10]])


def test_what_was_refused_costs_no_second_look_at_the_whole_log(
    logs: EventLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, steps = put(logs, WHOLE[:9]), list[bytes]()
    step = EventReplay.step

    def counted(self: EventReplay, line: bytes, *, trusted: bool = False) -> TakenEventLine:
        steps.append(line)
        return step(self, line, trusted=trusted)

    monkeypatch.setattr(EventReplay, "step", counted)
    for _ in range(5):
        with pytest.raises(RefusedError):
            logs.write(event, [lambda _: WHOLE[10]])
    assert len(steps) == 5
    with logs.looking(event) as replay:
        assert replay.size == 9
    assert len(steps) == 5


def test_the_log_of_somebody_else_is_taken_if_it_goes_on_from_what_is_here(logs: EventLogs) -> None:
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
    with pytest.raises(ForkError):
        logs.take(log.data)
    with pytest.raises(RefusedError) as refused:
        logs.take(data_of(WHOLE)[:-1])
    assert refused.value.code == "line.unterminated"
    assert list(logs.lines(event)) == WHOLE


def test_an_act_file_comes_to_stand_in_a_line_as_its_author_signed_it(logs: EventLogs) -> None:
    log = whole().copy(8)
    event = put(logs, log.lines)
    body = log.act("p1", "drop", {"number": 1, "reason": "a train"})
    act = msgspec.json.decode(msgspec.json.encode({**body, "event": log.id, "type": "drop"}), type=ActFile)

    def make(replay: EventReplay) -> bytes:
        return line_of(KEEPER, replay, act, "2026-11-20T12:00:00.000Z")

    replay = logs.write(event, [make])
    assert replay.state.players[1].state == "dropped"
    assert json.loads(list(logs.lines(event))[-1])["body"] == body
    with pytest.raises(RefusedError) as refused:
        logs.write(event, [make])
    assert refused.value.code == "player.state" or refused.value.code == "act.again"


def test_a_keepers_own_line_is_dated_no_earlier_than_the_line_before(logs: EventLogs) -> None:
    line = next(at for at, text in enumerate(WHOLE) if json.loads(text)["type"] == "start")
    event = put(logs, WHOLE[: line + 1])
    act = Opened((OpenedGame("a" * 64, 11),), line)
    logs.write(event, [keeper_line(KEEPER, "opened", act, partial(str, "2020-01-01T00:00:00.000Z"))])
    assert logs.replay(event).time == json.loads(WHOLE[line])["time"]


def test_an_event_is_found_by_title_and_by_the_beginning_of_its_id(logs: EventLogs) -> None:
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
