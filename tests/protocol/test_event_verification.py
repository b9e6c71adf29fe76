"""An event log by itself: its first line, what is expected of it, notices, state and bounds (specs/event.md)."""

import io
import json
from typing import Any

import msgspec
import pytest

from tests.make import event as make
from tests.make.event import OPTIONS, EventWriter, key_of, terms, whole, won
from tests.oracles.reference import canonical
from verifier import Pins, Report, VerifierKey
from verifier.errors import TimeLimit
from verifier.event import replay as event_replay
from verifier.event.acts import ActFile
from verifier.event.replay import EventReplay, is_event_line
from verifier.event.verification import verify_event
from verifier.log.format import MAX_LINE

WHOLE = whole()
AT = dict(make.AT)


def judged(data: bytes, **how: Any) -> Report:
    return verify_event(data, **how)[0]


def errors(report: Report) -> list[tuple[str, int | None, str | None]]:
    return [(f.code, f.seq, f.fault) for f in report.findings if f.severity == "error"]


def notices(report: Report) -> dict[str, tuple[int | None, str]]:
    """Of each notice the line, and how many it counts."""
    found = [f for f in report.findings if f.severity == "notice"]
    assert len({f.code for f in found}) == len(found)
    return {f.code: (f.seq, f.message.rpartition(" ")[2].rstrip(".")) for f in found}


def begun(keep: int) -> EventWriter:
    """The beginning of the whole event."""
    return WHOLE.copy(keep)


# --- the first line ---------------------------------------------------------------------------------------------------


def opened(members: dict[str, Any]) -> bytes:
    w = EventWriter()
    w.write("olga", "open", members)
    return w.data


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"1",
        b'{"body":[],"type":"open"}',
        b'{"body":{"act":[]},"type":"open"}',
        b'{"body":{"act":{"event":1}},"type":"open"}',
        b'{"body":{"act":{"event":"rollproof/evening/v1"}},"type":"open"}',
        b'{"body":{"act":{"event":"rollproof/event/v1"}},"type":"close"}',
        b"\xff\xfe",
    ],
)
def test_a_file_whose_first_line_opens_no_event_is_no_event_log(line: bytes) -> None:
    assert not is_event_line(line)
    report = judged(line + b"\n")
    assert (report.verdict, errors(report)) == ("unreadable", [("file.not-a-log", 0, "file")])


def test_the_first_line_is_known_whatever_its_format() -> None:
    assert is_event_line(WHOLE.lines[0])
    assert is_event_line(WHOLE.lines[0] + b"\n")
    assert is_event_line(b'{"body":{"act":{"event":"rollproof/event/v2"}},"type":"open"}')


def test_a_first_line_that_is_longer_than_a_line_may_be_is_not_read() -> None:
    def of_length(more: int) -> bytes:
        room = MAX_LINE + more - len(opened(terms(options={"x": ""}))) + 1
        return opened(terms(options={"x": "x" * room}))

    assert len(of_length(0)) == MAX_LINE + 1
    assert errors(judged(of_length(0))) == [("open.terms", 0, "file")]
    for data in (of_length(1), of_length(1)[:-1]):
        assert errors(judged(data)) == [("file.not-a-log", 0, "file")]


def test_a_system_that_is_not_known_and_options_that_it_does_not_have_are_told() -> None:
    report = judged(opened(terms(system="chess")))
    assert (report.verdict, report.kind, errors(report)) == ("unreadable", "event", [("file.system", 0, "file")])
    for options in ({**OPTIONS, "planechase": 1}, {**OPTIONS, "more": True}):
        report = judged(opened(terms(options=options)))
        assert (report.verdict, errors(report)) == ("fails", [("open.terms", 0, "file")])


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_a_line_has_at_most_so_many_bytes() -> None:
    def ends(more: int) -> dict[str, Any]:
        left = [{"reason": "x" * 480, "table": table} for table in range(1_000, 1_127)]
        return {"left": [*left, {"reason": "x" * (1 + more), "table": 1_127}], "round": 1}

    short = begun(AT["in"])
    short.write("olga", "end", ends(0))
    for size, error in ((MAX_LINE, ("round.state", 8, "hall")), (MAX_LINE + 1, ("line.too-long", 8, "file"))):
        w = begun(AT["in"])
        w.write("olga", "end", ends(size - len(short.lines[-1])))
        assert len(w.lines[-1]) == size
        assert errors(judged(w.data)) == [error]


def test_an_event_has_at_most_so_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_replay, "MAX_EVENT_LINES", len(WHOLE.lines))
    assert errors(judged(WHOLE.data)) == []
    monkeypatch.setattr(event_replay, "MAX_EVENT_LINES", len(WHOLE.lines) - 1)
    report = judged(WHOLE.data)
    assert errors(report) == [("event.too-long", len(WHOLE.lines) - 1, "file")]
    assert report.error is not None
    assert report.error.clause == "E32"


def test_memory_and_time_that_run_out_leave_it_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    for error, code in ((MemoryError(), "limit.memory"), (TimeLimit("too long"), "limit.time")):
        step = EventReplay.step

        def breaks(self: EventReplay, line: bytes, *, trusted: bool = False, _: Any = (step, error)) -> Any:
            if self.size == 5:
                raise _[1]
            return _[0](self, line, trusted=trusted)

        with monkeypatch.context() as patch:
            patch.setattr(EventReplay, "step", breaks)
            report, replay = verify_event(WHOLE.data)
        assert (report.verdict, report.kind, errors(report)) == ("unfinished", "event", [(code, None, None)])
        assert (report.events, report.valid_prefix, replay) == (5, 5, None)


# --- what is expected -------------------------------------------------------------------------------------------------


def key(name: str, secret: str | None = None) -> VerifierKey:
    return VerifierKey.parse(key_of(name, secret))


def test_any_key_counts_that_a_person_of_the_log_ever_had() -> None:
    known = (key("hall"), key("olga"), key("oscar"), key("p3"), key("p3", "p3 new"))
    assert errors(judged(WHOLE.data, pins=Pins(bytes.fromhex(WHOLE.id), known))) == []


def test_another_event_than_the_one_expected_is_read_no_further() -> None:
    report = judged(WHOLE.data, pins=Pins(bytes(32)))
    assert errors(report) == [("expect.game", 0, "file")]
    assert (report.events, report.valid_prefix) == (len(WHOLE.lines), 1)


def test_a_key_that_nobody_had_is_told_once_all_lines_hold() -> None:
    for found, words in ((key("olga", "mallory"), "somebody may be posing"), (key("mallory"), "Nobody in this log")):
        report = judged(WHOLE.data, pins=Pins(None, (found,)))
        assert errors(report) == [("expect.key", None, "file")]
        assert report.error is not None
        assert words in report.error.message


def test_a_stream_is_read_as_bytes_are() -> None:
    assert judged(WHOLE.data) == verify_event(io.BytesIO(WHOLE.data))[0]


# --- what came of it --------------------------------------------------------------------------------------------------


def test_what_is_counted_in_the_whole_event() -> None:
    assert notices(judged(WHOLE.data)) == {
        "event.desk": (6, "1"),
        "event.tablet": (6, "1"),
        "event.rekeyed": (37, "1"),
        "event.repaired": (34, "1"),
        "event.judged": (17, "1"),
        "event.by-hand": (20, "1"),
        "event.corrected": (23, "3"),
        "event.left": (38, "1"),
    }


def test_a_claim_of_a_round_that_has_ended_is_counted_until_all_sides_have_signed() -> None:
    claimed, agreed = AT["end 2"] + 2, AT["end 2"] + 3
    assert notices(judged(begun(claimed).data))["event.unagreed"] == (None, "1")
    assert "event.unagreed" not in notices(judged(begun(agreed).data))
    assert "event.unagreed" not in notices(judged(begun(AT["agree"]).data)), "the round runs"


def test_what_is_not_closed_is_told() -> None:
    assert notices(judged(begun(AT["in"]).data)) == {
        "event.unfinished": (None, "missing"),
        "event.desk": (6, "1"),
        "event.tablet": (6, "1"),
    }


def test_the_state_of_the_whole_event() -> None:
    state = judged(WHOLE.data).state
    assert state is not None
    games = [table.pop("game") for each in state["rounds"] for table in each["tables"]]
    assert len({*games, None}) == 4
    assert state == {
        "title": "Spring Open",
        "system": terms()["system"],
        "keeper": "hall",
        "closed": True,
        "players": {"registered": 5, "in": 4, "dropped": 0},
        "staff": [
            {"name": "olga", "role": "organizer", "since": 0},
            {"name": "dana", "role": "judge", "since": 2},
            {"name": "henry", "role": "head", "since": 3},
            {"name": "oscar", "role": "organizer", "since": 30, "until": 33},
        ],
        "rounds": [
            {
                "round": 1,
                "state": "ended",
                "byes": [],
                "paused": 10,
                "tables": [
                    {
                        "table": 11,
                        "sides": [[1], [2]],
                        "extended": 5,
                        "result": [{"won": 1}, {"won": 2}],
                        "by": "henry",
                    },
                    {
                        "table": 14,
                        "sides": [[3], [4]],
                        "by_hand": "no phone; dana saw each throw",
                        "result": won(2, 0),
                        "by": "dana",
                    },
                ],
            },
            {
                "round": 2,
                "state": "ended",
                "byes": [2],
                "tables": [
                    {
                        "table": 12,
                        "sides": [[1], [3]],
                        "left": "as seen at the table",
                        "result": won(0, 2),
                        "by": "p3",
                    }
                ],
            },
        ],
        "calls": 0,
        "penalties": [],
    }


def test_the_state_on_the_way() -> None:
    def at(keep: int) -> dict[str, Any]:
        state = judged(begun(keep).data).state
        assert state is not None
        return state

    paired = at(AT["start"])["rounds"][0]
    assert (paired["state"], paired["tables"][0]) == ("pairing", {"table": 11, "sides": [[1], [2]]})
    calls = {AT["call"]: 0, AT["call"] + 1: 1, AT["answer"] + 1: 0, AT["appeal"] + 1: 1, AT["appeal"] + 2: 0}
    assert {keep: at(keep)["calls"] for keep in calls} == calls
    assert at(AT["penalty"] + 1)["penalties"] == [{"line": AT["penalty"], "number": 4, "penalty": "warning"}]
    assert at(AT["pair 2"])["players"] == {"registered": 5, "in": 3, "dropped": 1}


def test_who_has_not_checked_in_has_no_role_and_no_key() -> None:
    _, replay = verify_event(WHOLE.data)
    assert replay is not None
    people = {name: (replay.state.role_of(name), replay.state.key_of(name)) for name in ("p3", "p5", "p9", "oscar")}
    assert people == {"p3": ("player", key("p3", "p3 new"))} | dict.fromkeys(("p5", "p9", "oscar"), (None, None))


# --- for who writes it ------------------------------------------------------------------------------------------------


def test_a_line_that_was_verified_before_is_taken_without_its_signatures() -> None:
    replay, event = EventReplay(), json.loads(WHOLE.lines[1])
    replay.step(WHOLE.lines[0], trusted=True)
    forged = {**event, "sig": "0" * 128, "body": {**event["body"], "sig": "0" * 128}}
    assert replay.step(canonical(forged), trusted=True).type == "register"


def test_the_line_of_an_act_is_found_among_the_latest(monkeypatch: pytest.MonkeyPatch) -> None:
    def act_of(line: bytes) -> ActFile:
        event = json.loads(line)
        whole = {**event["body"], "event": event["game"], "type": event["type"]}
        return msgspec.json.decode(canonical(whole), type=ActFile)

    monkeypatch.setattr(event_replay, "MAX_BEHIND", 3)
    replay = EventReplay()
    for line in WHOLE.lines[:6]:
        replay.step(line)
    assert [replay.line_of(act_of(line)) for line in WHOLE.lines[1:7]] == [None, None, 3, 4, 5, None]
