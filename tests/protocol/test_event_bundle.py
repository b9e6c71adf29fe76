"""The bundle of an event: forged and wrong things are found, with line and fault (specs/event.md)."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.make.event import FILE, NAMES, salt
from tests.oracles.reference import canonical, leaf, private_key
from tests.support.event import Event, bundle, close_of, names_file, signed, sound_event
from verifier import Pins, Report, VerifierKey
from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint
from verifier.event.bundle import verify_bundle
from verifier.event.verification import verify_event
from verifier.language import translator
from verifier.log.merkle import root_of
from verifier.report import render

VECTORS = json.loads(FILE.read_text())


@pytest.fixture(scope="module")
def event() -> Event:
    return sound_event()


def judged(data: bytes, **how: Any) -> Report:
    return verify_bundle(io.BytesIO(data), **how)


def errors(report: Report) -> list[tuple[str, int | None, str | None]]:
    return [(f.code, f.seq, f.fault) for f in report.findings if f.severity == "error"]


def game_at(event: Event, line: int, table: int) -> str:
    """The game that an `opened` line names for a table."""
    for text in event.writer.lines:
        value = json.loads(text)
        if value["type"] == "opened" and value["body"]["act"]["line"] == line:
            return next(str(g["game"]) for g in value["body"]["act"]["games"] if g["table"] == table)
    raise AssertionError(table)


def numbers(event: Event, kind: str) -> list[int]:
    return [at for at, text in enumerate(event.writer.lines) if json.loads(text)["type"] == kind]


def test_an_honest_bundle_holds_and_says_what_came_of_the_event(event: Event) -> None:
    report = judged(bundle(event.files()))
    assert (report.verdict, report.kind, report.exit_code) == ("holds", "bundle", 0)
    assert report.state is not None
    assert {game["verdict"] for game in report.state["games"]} == {"holds"}
    assert [game["cancelled"] for game in report.state["games"]] == [False, False, True, False]
    told = {finding.code for finding in report.findings}
    assert told == {
        *("event.desk", "event.rekeyed", "event.repaired", "event.judged", "event.corrected", "event.left"),
        *("event.by-hand", "event.tablet", "table.unsealed"),
    }
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
    assert "受付コードなしで運営側が受付をした参加者: 1人。" in text


# --- what is wrong with the event log is found in the bundle, too -----------------------------------------------------


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["about"])
def test_a_line_that_is_refused_is_found_in_a_bundle(case: dict[str, Any]) -> None:
    lines = [*VECTORS["event"][: case["keep"]], *case["lines"]]
    data = "".join(f"{line}\n" for line in lines).encode()
    report = judged(bundle([("event.jsonl", data)]))
    if case["error"] is None:
        assert report.findings[0].step != 29 or report.findings[0].severity == "notice"
        return
    wanted = case["error"]["code"], case["error"]["seq"], case["error"]["fault"]
    assert errors(report) == [wanted]
    assert report.exit_code == 1


# --- what is wrong with the games -------------------------------------------------------------------------------------

Forge = Callable[[Event], bytes]
FORGED: dict[str, tuple[Forge, Callable[[Event], list[tuple[str, int | None, str | None]]]]] = {}


def forged(about: str, found: Callable[[Event], list[tuple[str, int | None, str | None]]]) -> Callable[[Forge], Forge]:
    def register(make: Forge) -> Forge:
        FORGED[about] = make, found
        return make

    return register


def with_games(event: Event, games: dict[str, bytes]) -> bytes:
    return bundle([("event.jsonl", event.writer.data), *((f"games/{g}.jsonl", data) for g, data in games.items())])


def logs(event: Event) -> dict[str, bytes]:
    return {game: event.log_of(game) for game in event.games}


@forged("a swapped table", lambda e: [("table.fails", 9, "file"), ("table.terms", 9, "hall")] * 2)
def _swapped(event: Event) -> bytes:
    one, other, *_ = event.games
    return with_games(event, {**logs(event), one: event.log_of(other), other: event.log_of(one)})


@forged("another game in the bundle", lambda e: [("bundle.stranger", None, "file")])
def _stranger(event: Event) -> bytes:
    return with_games(event, {**logs(event), "a" * 64: event.log_of(next(iter(event.games)))})


@forged("a game that is missing", lambda e: [("table.missing", 9, "file")])
def _missing(event: Event) -> bytes:
    return with_games(event, dict(list(logs(event).items())[1:]))


@forged("a log that is cut inside a line", lambda e: [("table.fails", 9, "file")])
def _cut(event: Event) -> bytes:
    found = logs(event)
    first = next(iter(found))
    return with_games(event, {**found, first: found[first][:-40]})


@forged("dice, or anything else, changed in a log", lambda e: [("table.fails", 9, "file")])
def _changed(event: Event) -> bytes:
    found = logs(event)
    first = next(iter(found))
    return with_games(event, {**found, first: found[first].replace(b'"type":"close"', b'"type":"leave"')})


@forged("a file that is not what the manifest says", lambda e: [("bundle.file", None, "file")])
def _manifest(event: Event) -> bytes:
    data = bundle(event.files())
    return data[:-30] + data[-30:].replace(b"close", b"CLOSE")


@forged("a bundle whose end is cut off", lambda e: [("bundle.file", None, "file")])
def _end(event: Event) -> bytes:
    return bundle(event.files())[:-100]


@forged("bytes behind the last file", lambda e: [("bundle.file", None, "file")])
def _behind(event: Event) -> bytes:
    return bundle(event.files(), b"x")


@forged("a name that was not registered", lambda e: [("bundle.names", None, "file")])
def _name(event: Event) -> bytes:
    names = {n: (name, salt(n)) for n, name in NAMES.items()}
    names[2] = "Mallory", salt(2)
    return bundle([*event.files(), ("names.json", names_file(event.writer.id, names))])


@forged("the names of another event", lambda e: [("bundle.names", None, "file")])
def _names(event: Event) -> bytes:
    return bundle([*event.files(), ("names.json", names_file("b" * 64, {}))])


@forged("a names file that is none", lambda e: [("bundle.names", None, "file")])
def _no_names(event: Event) -> bytes:
    return bundle([*event.files(), ("names.json", b"[]\n")])


@pytest.mark.parametrize("about", FORGED)
def test_a_forged_bundle_is_found_with_line_and_fault(event: Event, about: str) -> None:
    make, found = FORGED[about]
    report = judged(make(event))
    assert sorted(errors(report), key=str) == sorted(found(event), key=str)
    assert report.exit_code == 1


def reopened(event: Event, change: Callable[[dict[str, Any]], dict[str, Any]], *, sealed: bool = False) -> Report:
    """The event up to its first `opened` line, in which the keeper names a game with other terms for table 11."""
    at = numbers(event, "opened")[0]
    writer = event.writer.copy(at)
    line = at - 1
    first, other = (event.games[game_at(event, line, table)] for table in (11, 14))
    zero = {name: value for name, value in json.loads(first[0]).items() if name != "sig"}
    head = signed(change(zero))
    log = [head, close_of(head, zero["time"])]
    ids = [leaf(head).hex(), leaf(other[0]).hex()]
    writer.write(
        None, "opened", {"games": [{"game": g, "table": t} for g, t in zip(ids, (11, 14), strict=True)], "line": line}
    )
    if sealed:
        root = root_of([leaf(each) for each in log])
        games = [{"game": ids[0], "root": root.hex(), "size": 2, "table": 11}]
        writer.write(None, "seal", {"games": games, "round": 1})
    made = Event(writer, {ids[0]: log, ids[1]: other})
    return judged(bundle(made.files()))


@pytest.mark.parametrize(
    ("member", "change"),
    [
        ("body.parties", lambda b: {"parties": [b["parties"][0], *reversed(b["parties"][1:3]), *b["parties"][3:]]}),
        ("body.parties", lambda b: {"parties": [*b["parties"][:2], {"key": _key("p2", "mallory"), "role": "player"}]}),
        ("body.parties", lambda b: {"parties": b["parties"][:3]}),
        ("body.nonce", lambda b: {"nonce": "0" * 64}),
        ("body.title", lambda b: {"title": "Spring Open, round 1, table 12"}),
        ("body.contributors", lambda b: {"contributors": "roller"}),
        ("body.options", lambda b: {"options": {"planechase": True}}),
        ("body.away", lambda b: {"away": "others"}),
        ("body.judge", lambda b: {"judge": "dana"}),
    ],
)
def test_a_table_with_other_terms_than_the_pairing_says_is_the_keepers_fault(
    event: Event, member: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    report = reopened(event, lambda zero: {**zero, "body": {**zero["body"], **change(zero["body"])}})
    (found,) = [f for f in report.findings if f.code == "table.terms"]
    assert (found.seq, found.fault) == (numbers(event, "start")[0], "hall")
    assert f"{member} differs" in found.message
    assert report.exit_code == 1


def _key(name: str, secret: str) -> str:
    return str(VerifierKey(name, private_key(secret).public_key().public_bytes_raw()))


def test_a_table_dated_otherwise_than_its_start_is_the_keepers_fault(event: Event) -> None:
    report = reopened(event, lambda zero: {**zero, "time": "2026-11-20T23:00:00.000Z"})
    assert ("table.terms", numbers(event, "start")[0], "hall") in errors(report)


def test_a_sealed_game_that_is_shorter_or_another_is_found(event: Event) -> None:
    assert errors(reopened(event, lambda zero: zero, sealed=True)) == []
    at = numbers(event, "opened")[0] + 1
    game = game_at(event, at - 2, 11)
    first, last = event.games[game]
    for size, root, wanted in (
        (3, root_of([leaf(first)]), ("table.short", at - 2, "file")),
        (2, root_of([leaf(first), leaf(first)]), ("table.forked", at - 2, "hall")),
        (2, root_of([leaf(first), leaf(last)]), None),
    ):
        writer = event.writer.copy(at)
        seal = {"games": [{"game": game, "root": root.hex(), "size": size, "table": 11}], "round": 1}
        writer.write(None, "seal", seal)
        games = {id_: log for id_, log in event.games.items() if id_.encode() in writer.data}
        assert errors(judged(bundle(Event(writer, games).files()))) == ([wanted] if wanted else [])


def test_a_table_that_the_keeper_never_opened_is_its_fault(event: Event) -> None:
    at = numbers(event, "opened")[0]
    writer = event.writer.copy(at)
    for table in (11, 14):
        slip = {"reason": "as seen", "round": 1, "sides": [{"won": 2}, {"won": 0}], "table": table}
        writer.write("dana", "slip", slip)
    writer.write("olga", "end", {"left": [], "round": 1})
    report = judged(bundle([("event.jsonl", writer.data)]))
    assert errors(report) == [("table.unopened", at - 1, "hall")] * 2


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


def _parsed(name: str, secret: str) -> VerifierKey:
    return VerifierKey.parse(_key(name, secret))


def test_names_that_were_registered_are_told_as_checked(event: Event) -> None:
    names = {n: (name, salt(n)) for n, name in NAMES.items()}
    report = judged(bundle([*event.files(), ("names.json", names_file(event.writer.id, names))]))
    assert report.verdict == "holds"
    assert any("names" in text for text in report.checked)


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


@pytest.mark.parametrize(
    "names",
    [
        ["games/" + "a" * 64 + ".jsonl"],
        ["event.jsonl", "../x"],
        ["event.jsonl", "event.jsonl"],
        ["event.jsonl", "event.checkpoint"],
        ["event.jsonl", "names.json", "games/" + "a" * 64 + ".jsonl"],
        ["event.jsonl", "games/" + "a" * 64 + ".checkpoint"],
        ["event.jsonl", "games/" + "A" * 64 + ".jsonl"],
        ["event.jsonl", "/etc/passwd"],
        ["names.json", "event.jsonl"],
    ],
)
def test_files_that_may_not_stand_where_they_do_are_refused(names: list[str]) -> None:
    report = judged(bundle([(name, b"") for name in names]))
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
