"""The bundle of an event: forged and wrong things are found, with line and fault (specs/event.md)."""

import io
import json
from typing import Any

import pytest

from tests.make.bundles import FILE as BUNDLE_FILE
from tests.make.bundles import bundle_of
from tests.make.event import FILE, NAMES, salt
from tests.oracles.reference import canonical, leaf, private_key
from tests.support.bundles import bundled
from tests.support.event import Event, bundle, names_file, sound_event
from verifier import Pins, Report, VerifierKey
from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint
from verifier.errors import NoteError, TimeLimit
from verifier.event.bundle import read_part, verify_bundle
from verifier.event.names import MAX_NAMES, parse_names
from verifier.event.replay import EventReplay
from verifier.event.verification import verify_event
from verifier.language import translator
from verifier.log.merkle import root_of
from verifier.report import render
from verifier.shell.audit import AuditOptions, audit_result
from verifier.shell.files import Brought

VECTORS = json.loads(FILE.read_text())
BUNDLES = json.loads(BUNDLE_FILE.read_text())


@pytest.fixture(scope="module")
def event() -> Event:
    return sound_event()


def judged(data: bytes, **how: Any) -> Report:
    return verify_bundle(io.BytesIO(data), **how)


def errors(report: Report) -> list[tuple[str, int | None, str | None]]:
    return [(f.code, f.seq, f.fault) for f in report.findings if f.severity == "error"]


def test_an_honest_bundle_holds_and_says_what_came_of_the_event(event: Event) -> None:
    report = judged(bundle(event.files()))
    assert (report.verdict, report.kind, report.exit_code) == ("holds", "bundle", 0)
    assert report.state is not None
    assert {game["verdict"] for game in report.state["games"]} == {"holds"}
    assert [game["cancelled"] for game in report.state["games"]] == [False, False, True, False]
    assert not any("changes" in game for game in report.state["games"])
    told = [finding.code for finding in report.findings]
    assert sorted(told) == [
        *("event.by-hand", "event.corrected", "event.desk", "event.judged", "event.left", "event.rekeyed"),
        *("event.repaired", "event.tablet", "table.unsealed"),
    ]
    assert report.checked[1:] == ("Games of tables, each by itself and with the event: 4.",)
    assert report.not_checked == ("Who is behind a number or a key, and whether what people signed is true.",)
    first = report.state["rounds"][0]["tables"][0]
    assert first["table"] == 11
    assert first["result"] == [{"won": 1}, {"won": 2}]
    assert first["by"] == "henry"
    assert report.state["rounds"][0]["paused"] == 10
    assert report.state["rounds"][0]["tables"][1]["by_hand"] == "no phone; dana saw each throw"
    counted = {finding.code: finding.message for finding in report.findings}
    assert counted["event.by-hand"] == "Tables at which dice were thrown by hand, without proof: 1."
    assert "HOLDS" in render(report)


def test_a_report_is_told_in_japanese_too(event: Event) -> None:
    text = render(judged(bundle(event.files()), translate=translator("ja")), translator("ja"))
    assert "登録コードなしでスタッフがチェックインさせたプレイヤー: 1人。" in text


# --- what is wrong with the event log is found in the bundle, too -----------------------------------------------------


@bundled("case", VECTORS["cases"], lambda case: str(case["about"]))
def test_a_line_that_is_refused_is_found_in_a_bundle(case: dict[str, Any]) -> None:
    lines = [*VECTORS["event"][: case["keep"]], *case["lines"]]
    data = "".join(f"{line}\n" for line in lines).encode()
    report = judged(bundle([("event.jsonl", data)]))
    if case["error"] is None:
        assert {code for code, _, _ in errors(report)} <= {"table.unopened"}
        return
    wanted = case["error"]["code"], case["error"]["seq"], case["error"]["fault"]
    assert errors(report) == [wanted]
    assert report.exit_code == (2 if case["error"]["step"] <= 3 else 1)


# --- what is wrong with the games, the manifest and what lies with them -----------------------------------------------


@bundled("case", BUNDLES["cases"], lambda case: str(case["about"]))
def test_a_forged_bundle_is_found_with_line_and_fault(case: dict[str, Any]) -> None:
    report = judged(bundle_of(BUNDLES, case))
    assert report.verdict == case["verdict"]
    assert errors(report) == [(error["code"], error["seq"], error["fault"]) for error in case["errors"]]
    assert report.exit_code == {"holds": 0, "fails": 1, "unreadable": 2}[case["verdict"]]


def test_a_bundle_that_was_cut_off_says_to_get_it_again(event: Event) -> None:
    report = judged(bundle(event.files())[:-300], name="cut.bundle")
    assert (report.verdict, report.error and report.error.code) == ("fails", "bundle.file")
    assert not any("Games" in text or "names file" in text for text in report.checked)
    assert "The tables' dice: they are in their own logs, which a bundle has." in report.not_checked
    told = render(report)
    assert "cut.bundle: FAILS (something is wrong): the event's log holds, and not all that lies with it" in told
    assert "the file is incomplete or damaged. Get it again." in told


def test_a_game_that_goes_on_after_its_round_or_has_no_end_is_told() -> None:
    """A notice, not a flaw: extensions are ordinary. A close alone may come later."""
    told = {
        "a game that ended before its round, and was closed behind it": [],
        "a game that ended with its round": [],
        "a game that went on after its round": [("table.outside", 9)],
        "a game that nobody closed": [("table.open", 9)],
        "a game that is sealed": [],
        "a log whose first line nobody signed": [],
    }
    cases = {case["about"]: case for case in BUNDLES["cases"]}
    for about, wanted in told.items():
        found = [(f.code, f.seq) for f in judged(bundle_of(BUNDLES, cases[about])).findings]
        assert [each for each in found if each[0] in ("table.outside", "table.open")] == wanted, about


ABOUT_CHANGES = "a table at which a judge changed rolls and parties"


def test_what_judges_changed_at_a_table_is_told_in_the_events_report() -> None:
    (case,) = [case for case in BUNDLES["cases"] if case["about"] == ABOUT_CHANGES]
    report = judged(bundle_of(BUNDLES, case))
    assert report.state is not None
    (game,) = report.state["games"]
    dana = {"by": ["dana"]}
    assert game["changes"] == [
        {"event": 13, "what": "set", **dana, "roll": 7, "results": [{"die": 1, "result": 7}], "text": WRONG},
        {"event": 14, "what": "void", **dana, "roll": 10, "text": "It was for a countered spell."},
        {"event": 18, "what": "off", **dana, "roll": 17, "missing": ["p2"]},
        {"event": 20, "what": "away", **dana, "party": "p2"},
        {"event": 22, "what": "replaced", "by": ["olga", "dana"], "party": "p2"},
        {"event": 23, "what": "removed", **dana, "party": "p2"},
    ]
    (told,) = [finding for finding in report.findings if finding.code == "table.changed"]
    assert (told.seq, told.severity) == (9, "notice")
    assert told.message == "Rolls and parties that judges and others changed at tables: 6."
    text = audit_result(report, AuditOptions(Pins(), Brought()), str).text
    assert f"round 1, table 11, event 13, dana: set results of the roll of event 7: die 1: 7. Why: {WRONG}" in text
    assert "round 1, table 11, event 22, olga and dana: gave p2 a new key: p2 may be somebody else now" in text


WRONG = "The die was read wrong."


def test_acts_that_the_event_had_ended_when_a_table_took_them_are_told() -> None:
    cases = {case["about"]: case for case in BUNDLES["cases"]}
    for when, wanted in (("before", [9]), ("after", [])):
        report = judged(bundle_of(BUNDLES, cases[f"a judge and a key that the event ended {when} the table took them"]))
        told = [finding for finding in report.findings if finding.code == "table.ended"]
        assert [finding.seq for finding in told] == wanted
        assert all(finding.message.endswith(": 2.") for finding in told)
    for about in (
        "a judge who came later, and a corrected key",
        "a judge whom the event dismissed in the moment in which the table took her",
    ):
        report = judged(bundle_of(BUNDLES, cases[about]))
        assert "table.ended" not in {finding.code for finding in report.findings}


def test_a_table_with_other_terms_is_told_with_what_was_expected() -> None:
    cases = {case["about"]: case for case in BUNDLES["cases"]}
    members = {
        "players in another order": "body.parties",
        "another title": "body.title",
        "other options": "body.options",
    }
    for about, member in members.items():
        report = judged(bundle_of(BUNDLES, cases[f"a table with {about}"]))
        (found,) = [f for f in report.findings if f.code == "table.terms"]
        assert f"{member} differs" in found.message
        assert found.expected != found.actual
        if member == "body.title":
            wanted = '"Spring Open, round 1, table 11"', '"Spring Open, round 1, table 12"'
            assert (found.expected, found.actual) == wanted


def test_an_act_that_the_event_does_not_have_is_told_as_it_stands() -> None:
    cases = {case["about"]: case for case in BUNDLES["cases"]}
    report = judged(bundle_of(BUNDLES, cases["a judge by an act that the event does not have"]))
    (found,) = [f for f in report.findings if f.code == "table.act"]
    assert found.actual is not None
    assert (found.expected, json.loads(found.actual)["by"]) == (None, "olga")


def test_what_has_no_other_value_is_told_without_one() -> None:
    cases = {case["about"]: case for case in BUNDLES["cases"]}
    report = judged(bundle_of(BUNDLES, cases["a game that is missing"]))
    assert [(f.expected, f.actual) for f in report.findings] == [(None, None)] * len(report.findings)


def test_a_notice_is_of_the_first_line_that_it_is_about_whatever_the_order_of_the_games(event: Event) -> None:
    log, *games = event.files()
    for files in ([log, *games], [log, *reversed(games)]):
        (found,) = [f for f in judged(bundle(files)).findings if f.code == "table.unsealed"]
        assert (found.seq, found.message) == (9, "Games of tables whose length was never sealed: 4.")


class Trickle(io.BytesIO):
    """A stream that gives a few bytes at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size, 37) if size is not None and size >= 0 else 37)


@pytest.mark.parametrize("about", ["the names", "a game that is sealed", "a sealed game that is another"])
def test_a_bundle_that_comes_in_pieces_is_judged_alike(about: str) -> None:
    (case,) = [case for case in BUNDLES["cases"] if case["about"] == about]
    data = bundle_of(BUNDLES, case)
    assert verify_bundle(Trickle(data)) == judged(data)


def test_a_file_of_any_length_is_read_in_little_memory(event: Event) -> None:
    import tracemalloc

    log, game = b"x" * 8_000_000, "a" * 64
    data = bundle([*event.files(), (f"games/{game}.jsonl", log)])
    tracemalloc.start()
    try:
        report = judged(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert errors(report) == [("bundle.stranger", None, "file")]
    assert peak < 4_000_000


def test_memory_and_time_that_run_out_leave_a_bundle_unfinished(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    for error, code in ((MemoryError(), "limit.memory"), (TimeLimit("too long"), "limit.time")):

        def breaks(*_: Any, error: BaseException = error, **__: Any) -> Any:
            raise error

        monkeypatch.setattr(EventReplay, "step", breaks)
        report = judged(bundle(event.files()))
        assert (report.verdict, report.kind, errors(report)) == ("unfinished", "bundle", [(code, None, None)])


def test_a_file_is_taken_out_of_a_bundle_without_judging_it(event: Event) -> None:
    files = [*event.files(), ("names.json", b"no names")]
    data = bundle(files)
    for name, content in files:
        assert read_part(io.BytesIO(data), name) == content
    assert read_part(io.BytesIO(data), "event.policy") is None
    with pytest.raises(NoteError, match="incomplete or damaged"):
        read_part(io.BytesIO(data[:-1]), "names.json")


def test_the_cut_off_end_of_an_event_is_found_by_a_receipt_and_two_histories_are_the_keepers_fault(
    event: Event,
) -> None:
    key = VerifierKey("hall", private_key("hall").public_key().public_bytes_raw())
    lines = event.writer.lines

    def receipt(size: int, root: bytes) -> bytes:
        return bytes(sign_checkpoint(Checkpoint(leaf(lines[0]), size, root), key, private_key("hall").sign))

    whole = receipt(len(lines), root_of([leaf(line) for line in lines]))
    cut = b"".join(line + b"\n" for line in lines[:-1])
    report, _ = verify_event(cut, receipts={"held": whole})
    assert errors(report) == [("receipt.short", None, "file")]
    assert "event.unfinished" in {finding.code for finding in report.findings}
    report, _ = verify_event(event.writer.data, receipts={"held": receipt(len(lines), bytes(32))})
    assert errors(report) == [("receipt.forked", None, "hall")]
    report, _ = verify_event(event.writer.data, receipts={"held": whole})
    assert errors(report) == []
    files = event.files()
    assert errors(judged(bundle([("event.checkpoint", whole), *files]))) == []
    for beside in ([], [("event.checkpoint", whole)]):
        report = judged(bundle([*beside, *files]), receipts={"event.checkpoint": receipt(len(lines), bytes(32))})
        assert errors(report) == [("receipt.forked", None, "hall")], "a receipt with the name of the bundle's own"
    short = [("event.checkpoint", whole), ("event.jsonl", cut), *files[1:]]
    assert errors(judged(bundle(short))) == [("receipt.short", None, "file")]


def test_who_expects_an_id_and_keys_is_told_where_they_are_others(event: Event) -> None:
    right = Pins(
        bytes.fromhex(event.writer.id), (_parsed("olga", "olga"), _parsed("p3", "p3"), _parsed("p3", "p3 new"))
    )
    assert errors(judged(bundle(event.files()), pins=right)) == []
    for pins, code in (
        (Pins(bytes(32)), "expect.game"),
        (Pins(None, (_parsed("olga", "mallory"),)), "expect.key"),
        (Pins(None, (_parsed("mallory", "mallory"),)), "expect.key"),
    ):
        assert [code for code, _, _ in errors(judged(bundle(event.files()), pins=pins))] == [code]


def _key(name: str, secret: str) -> str:
    return str(VerifierKey(name, private_key(secret).public_key().public_bytes_raw()))


def _parsed(name: str, secret: str) -> VerifierKey:
    return VerifierKey.parse(_key(name, secret))


def test_names_that_were_registered_are_told_as_checked(event: Event) -> None:
    names = {n: (name, salt(n)) for n, name in NAMES.items()}
    report = judged(bundle([*event.files(), ("names.json", names_file(event.writer.id, names))]))
    assert report.verdict == "holds"
    assert any("names" in text for text in report.checked)


@pytest.mark.long
def test_a_names_file_has_at_most_so_many_bytes(event: Event) -> None:
    def longer(more: int) -> bytes:
        """A names file with so many bytes more than that with none more."""
        names = {n: ("\U0001f3b2" * 460 + "x" * max(0, min(40, more - 40 * (n - 1))), salt(n)) for n in range(1, 4_300)}
        return names_file(event.writer.id, names)

    room = MAX_NAMES - len(longer(0))
    assert len(parse_names(longer(room)).names) == 4_299
    assert len(longer(room)) == MAX_NAMES
    with pytest.raises(NoteError, match="longer"):
        parse_names(longer(room + 1))


class Honest(io.BytesIO):
    """A file that is never asked for more than it can have: a real one would take memory for all of it first."""

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is None or size <= 20_000_000
        return super().read(size)


def test_a_file_is_not_read_beyond_the_bundle_that_promises_it() -> None:
    head = b'{"bundle":"rollproof/bundle/v1","files":[{"name":"event.jsonl","sha256":"%s","size":%d}]}\n'
    assert read_part(Honest(head % (b"0" * 64, 4) + b"line"), "event.jsonl") == b"line"
    for size in (5, 2**53 - 1):
        with pytest.raises(NoteError, match="it ends before its first line says"):
            read_part(Honest(head % (b"0" * 64, size) + b"line"), "event.jsonl")


# --- hostile files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b'{"bundle":',
        b'{"bundle":"rollproof/bundle/v1","files":[]}\n',
        b'{"bundle":"rollproof/bundle/v2","files":[{"name":"event.jsonl","sha256":"%s","size":0}]}\n' % (b"0" * 64),
        b'{"bundle":' + b"[" * 100_000,
        b'{"bundle": "rollproof/bundle/v1","files":[{"name":"event.jsonl","sha256":"%s","size":0}]}\n' % (b"0" * 64),
        b'{"bundle":"' + b"x" * 17_000_000,
    ],
    ids=["cut", "empty", "version", "deep", "blank", "long"],
)
def test_what_is_no_bundle_is_told(data: bytes) -> None:
    report = judged(data)
    assert (report.verdict, report.findings[0].code) == ("unreadable", "bundle.malformed")


def test_a_bundle_that_promises_more_than_it_has_is_no_bomb() -> None:
    entry = {"name": "event.jsonl", "sha256": "0" * 64, "size": 2**53 - 1}
    data = canonical({"bundle": "rollproof/bundle/v1", "files": [entry]}) + b"\n" + b"x" * 10
    assert errors(judged(data))[-1] == ("bundle.file", None, "file")
    entry = {"name": "names.json", "sha256": "0" * 64, "size": 2**53 - 1}
    first = {"name": "event.jsonl", "sha256": "0" * 64, "size": 0}
    data = canonical({"bundle": "rollproof/bundle/v1", "files": [first, entry]}) + b"\n"
    assert judged(data).findings[0].code == "bundle.malformed"


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"{}\n",
        b'{"type":"open","body":{"act":{"event":"rollproof/event/v2"}}}\n',
        b'{"type":"open","body":{"act":{"event":"rollproof/event/v1"}}}\n',
        b'{"type":"open","body":{"act":{"event":"rollproof/event/v1"}}}',
        b'{"type":"open","body":[' + b"[" * 50_000,
        b"x" * 200_000,
        b"\xff\xfe\n",
    ],
)
def test_any_first_line_is_told_and_breaks_nothing(line: bytes) -> None:
    report, _ = verify_event(line)
    assert report.verdict in ("unreadable", "fails")
    assert report.error is not None
    assert errors(judged(bundle([("event.jsonl", line)])))
