"""What comes from outside never does more than fail: lines, logs, dice notation, texts, at every bound."""

import copy
import hashlib
import io
import json
import re
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import verifier
from rules import SYSTEMS
from rules.common.dice import DiceNotationError, notation, parse
from rules.data.bounds import MAX_DICE, MAX_ITEMS, MAX_MODIFIER, MAX_NAME, MAX_PARTIES, MAX_SAFE_INTEGER, MAX_TEXT
from rules.script import ScriptError, read, run
from tests.bench.scribe import game
from tests.conftest import SPECS
from tests.support.table import ROLL, SYSTEM, Forger, Table, error_in, joined, report_on
from verifier import Failure, KeyFormatError, Replay, Report, VerifierKey, render, verify
from verifier.errors import TimeLimit
from verifier.log.bodies import MAX_CHAIN, Commit
from verifier.log.format import MAX_LINE, decode_body, decode_envelope
from verifier.log.identity import valid_name
from verifier.log.plainjson import encode
from verifier.log.signatures import Check, trust
from verifier.verification import read_lines

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
ENVELOPE: dict[str, Any] = {
    "author": "alice",
    "body": {},
    "game": "0" * 64,
    "prev": "0" * 64,
    "seq": 0,
    "sig": "0" * 128,
    "time": "2026-11-20T19:00:00.000Z",
    "type": "join",
}
LOGS = SPECS / "vectors" / "logs"
TYPES = ("open", "join", "commit", "reveal", "void", "ruling", "leave", "close", "roll", "reroll", "ignore", "store")


def line_of(**members: Any) -> bytes:
    return written(ENVELOPE | members)


def written(event: dict[str, Any]) -> bytes:
    text = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode(errors="surrogatepass")


def step_of(what: Callable[[], object]) -> tuple[int, str]:
    with pytest.raises(Failure) as caught:
        what()
    return caught.value.step, caught.value.code


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game in which a roll waits; read only."""
    table = Table(tmp_path_factory.mktemp("started")).begin()
    table.act("alice", "roll", ROLL)
    return table


# --- fuzz ----------------------------------------------------------------------------------------------------------


@given(st.binary(max_size=200))
@example(b"")
@example(b"[" * 100_000)
@example(b'{"a":' * 50_000)
@example(b'"' + b"\\" * 1_001)
@example(b"1" * 5_000)
@example(b"-" + b"9" * 5_000)
@example(b"1e999999999")
def test_any_bytes_are_an_event_or_a_failure(data: bytes) -> None:
    assert step_of(lambda: decode_envelope(data))[0] in (5, 6)


@given(name=st.sampled_from(sorted(ENVELOPE)), value=values)
def test_any_value_in_an_event_is_a_failure_of_step_5_or_6_or_nothing(name: str, value: Any) -> None:
    line = line_of(**{name: value})
    try:
        event = decode_envelope(line)
    except Failure as failure:
        assert (failure.step, failure.code) in ((5, "line.malformed"), (6, "line.not-canonical"))  # noqa: PT017
    else:
        assert encode(event) == line


@given(type=st.sampled_from(TYPES) | st.text(max_size=8), body=st.dictionaries(st.text(max_size=8), values, max_size=4))
def test_any_body_on_a_running_game_is_a_failure_that_leaves_the_replay_as_it_was(
    started: Table, type: str, body: dict[str, Any]
) -> None:
    replay = started.view.replay.copy()
    before = whole_state(replay)
    event = json.loads(started.lines[-1]) | {"type": type, "body": body, "seq": replay.size, "prev": replay.head.hex()}
    with pytest.raises(Failure):
        replay.step(written(event))
    assert whole_state(replay) == before


def whole_state(replay: Replay) -> dict[str, Any]:
    """All that a replay knows, down to its tree."""
    return {name: copy.copy(value) for name, value in vars(replay).items() if name not in ("tree", "voided")} | {
        "conduct": replay.conduct.copy(),
        "_contributors": replay._contributors.copy(),
        "voided": (tuple(replay.voided), replay.voided.hidden(but=None)),
        "size": replay.tree.size,
        "root": replay.tree.root(),
    }


likely_lines = st.sampled_from([b"{}", b"null", line_of(), line_of(type="open")])


@given(st.lists(st.binary(max_size=60) | likely_lines, max_size=5))
def test_any_file_gets_a_report(lines: list[bytes]) -> None:
    check_report(verify(joined(lines))[0])


@given(at=st.integers(0, 10**6), cut=st.integers(0, 40), new=st.binary(max_size=40))
def test_any_damage_to_a_log_gets_a_report(started: Table, at: int, cut: int, new: bytes) -> None:
    log = started.log
    at %= len(log)
    check_report(verify(log[:at] + new + log[at + cut :])[0])


def check_report(report: Report) -> None:
    assert report.verdict in ("holds", "fails", "unreadable")
    assert (report.verdict == "holds") == (report.error is None)
    assert render(report)
    assert json.loads(msgspec.json.encode(report))["valid_prefix"] == report.valid_prefix


@given(st.text(max_size=120) | st.from_regex(r"[a-z]{1,5}\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{40,50}", fullmatch=True))
def test_any_text_is_a_verifier_key_or_a_key_format_error(text: str) -> None:
    try:
        key = VerifierKey.parse(text)
    except KeyFormatError:
        return
    assert str(key) == text


@given(st.binary(max_size=200) | values.map(lambda value: json.dumps(value).encode(errors="surrogatepass")))
def test_any_bytes_are_a_script_or_a_script_error(data: bytes) -> None:
    with pytest.raises(ScriptError):
        run(read(data))


# --- lines ---------------------------------------------------------------------------------------------------------


def test_an_event_that_is_right_is_read() -> None:
    assert decode_envelope(line_of()).author == "alice"


@pytest.mark.parametrize("name", sorted(ENVELOPE))
def test_an_event_has_each_of_its_members(name: str) -> None:
    event = {key: value for key, value in ENVELOPE.items() if key != name}
    assert step_of(lambda: decode_envelope(encode(event))) == (5, "line.malformed")


@pytest.mark.parametrize("members", [{"x": 1}, {"Author": "alice"}, {"": 1}, {"author ": "x"}])
def test_an_event_has_no_other_members(members: dict[str, Any]) -> None:
    assert step_of(lambda: decode_envelope(encode(ENVELOPE | members))) == (5, "line.malformed")


NO_OBJECTS: list[Any] = [[], "", 0, True, [[]]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("author", value) for value in ("", "Alice", "a" * (MAX_NAME + 1), "-a", "a b", "ä", "a\n", 1, None, "١")),
        *(("seq", value) for value in (-1, 2**53, 2**64, 2**70, True, "0")),
        *(("game", value) for value in ("", "0" * 63, "0" * 65, "0" * 63 + "A", "0" * 63 + "g", "0" * 64 + "\n")),
        *(("sig", value) for value in ("0" * 127, "0" * 64, "F" * 128, "0" * 128 + "\n")),
        *(
            ("time", value)
            for value in (
                *("2026-11-20T19:00:00Z", "2026-11-20T19:00:00.000", "2026-11-20T19:00:00.000+00:00"),
                *("2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "0000-01-01T00:00:00.000Z"),
                *("2026-11-20T24:00:00.000Z", "2026-11-20T23:59:60.000Z", "2026-11-20 19:00:00.000Z"),
                *("2026-11-20T19:00:00.000Z\n", "٢٠٢٦-11-20T19:00:00.000Z", "2026-11-20t19:00:00.000z", 0),
            )
        ),
        *(("body", value) for value in NO_OBJECTS),
        *(("type", value) for value in (0, None, *NO_OBJECTS[:1])),
    ],
)
def test_a_member_of_the_wrong_kind_is_malformed(name: str, value: Any) -> None:
    assert step_of(lambda: decode_envelope(line_of(**{name: value}))) == (5, "line.malformed")


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2024-02-29T00:00:00.000Z"])
def test_a_time_that_exists_is_read(time: str) -> None:
    assert decode_envelope(line_of(time=time)).time == time


@pytest.mark.parametrize("value", [2**53 - 1, -(2**53) + 1, 0])
def test_integers_within_bounds_are_read_wherever_they_stand(value: int) -> None:
    decode_envelope(line_of(body={"a": [{"b": value}]}))


OUT_OF_BOUNDS = [str(2**53), str(-(2**53)), str(2**63), str(2**64), "1" + "0" * 30, "1" + "0" * 5_000]


@pytest.mark.parametrize("value", OUT_OF_BOUNDS, ids=lambda value: value[:20])
@pytest.mark.parametrize("inside", ['"a":%s', '"a":[%s]', '"a":{"b":[0,%s]}'])
def test_integers_out_of_bounds_are_malformed_wherever_they_stand(value: str, inside: str) -> None:
    line = line_of().replace(b'"body":{}', f'"body":{{{inside % value}}}'.encode())
    assert step_of(lambda: decode_envelope(line)) == (5, "line.malformed")


@pytest.mark.parametrize("number", ["9007199254740992", "123456789012345678901234567890"])
@pytest.mark.parametrize("blank", [" ", "\t"])
def test_an_integer_out_of_bounds_is_malformed_before_its_line_is_not_canonical(number: str, blank: str) -> None:
    line = line_of().replace(b'"body":{}', f'"body":{{"a":{blank}{number}}}'.encode())
    assert step_of(lambda: decode_envelope(line)) == (5, "line.malformed")


NULL_FIRST = '{"a":null,"b":9007199254740992}'


@pytest.mark.parametrize("body", [NULL_FIRST, '{"a":9007199254740992,"b":null}'])
def test_an_integer_out_of_bounds_is_malformed_before_a_null_is_not_canonical(body: str) -> None:
    line = line_of().replace(b'"body":{}', f'"body":{body}'.encode())
    assert step_of(lambda: decode_envelope(line)) == (5, "line.malformed")


@pytest.mark.parametrize("number", ["1.0", "1.5", "1e3", "1E3", "-0.0", "1e-400", "1e400", "NaN", "Infinity"])
def test_numbers_that_are_no_integers_are_malformed(number: str) -> None:
    line = line_of().replace(b'"body":{}', f'"body":{{"a":{number}}}'.encode())
    assert step_of(lambda: decode_envelope(line)) == (5, "line.malformed")


@pytest.mark.parametrize("body", [{"a": None}, {"a": [None]}, {"a": {"b": None}}])
def test_null_is_not_canonical_wherever_it_stands(body: dict[str, Any]) -> None:
    assert step_of(lambda: decode_envelope(line_of(body=body))) == (6, "line.not-canonical")


def test_the_word_null_in_a_text_is_no_null() -> None:
    assert decode_envelope(line_of(body={"null": "null:1234567890123456789"}))


@pytest.mark.parametrize(
    ("member", "change"),
    [
        ("link", str.upper),
        ("link", lambda link: link[:-2]),
        ("link", lambda link: f" {link}"),
        ("link", lambda link: link[:-1] + "g"),
        ("sig", str.upper),
        ("sig", lambda sig: sig + "00"),
        ("sig", lambda _: ""),
        ("author", str.upper),
        ("author", lambda _: ""),
        ("index", lambda _: 0),
        ("index", lambda _: -1),
        ("index", lambda _: MAX_CHAIN + 1),
        ("index", str),
    ],
)
def test_a_member_of_an_opening_without_its_form_makes_a_reveal_malformed(
    member: str, change: Callable[[Any], Any]
) -> None:
    """Also where nobody looks at signatures, and though it is decoded before its form is looked at."""
    lines = game(9)[0].splitlines()
    at = next(number for number, line in enumerate(lines) if b'"type":"reveal"' in line)
    replay = Replay()
    for line in lines[:at]:
        replay.step(line, trust)
    event = json.loads(lines[at])
    opening = event["body"]["openings"][1]
    opening[member] = change(opening[member])
    assert step_of(lambda: replay.step(encode(event), trust)) == (9, "body.malformed")
    replay.step(lines[at], trust)
    # Its signature, which is over other bytes, fails at a later step.
    report, _ = verify(b"\n".join([*lines[:at], encode(event), b""]))
    assert [(found.step, found.seq) for found in report.findings] == [(9, at)]


@pytest.mark.parametrize("depth", [65, 500, 1_000, 30_000])
def test_deep_nesting_is_a_failure_and_no_crash(started: Table, depth: int) -> None:
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        inside = b'"body":{"a":' + opening * depth + b"0" + closing * depth + b"}"
        last = json.loads(started.lines[-1])
        event = last | {"body": {}, "seq": len(started.lines), "prev": started.view.replay.head.hex(), "type": "roll"}
        line = encode(event).replace(b'"body":{}', inside)
        error = error_in([*started.lines, line])
        assert (error.step, error.code) in ((4, "line.too-long"), (5, "line.malformed"), (9, "body.malformed"))


@pytest.mark.parametrize("size", [MAX_LINE, MAX_LINE + 1, MAX_LINE + 2, 2 * MAX_LINE, 1_000_000])
def test_long_lines_are_counted_as_one_and_found(started: Table, size: int) -> None:
    lines = [*started.lines, b"x" * size, b"{}"]
    report = verify(joined(lines))[0]
    assert report.events == len(lines)
    assert report.error is not None
    assert report.error.seq == len(lines) - 2
    assert report.error.code == ("line.malformed" if size == MAX_LINE else "line.too-long")
    cut = verify(joined(lines)[: -len(b"\n{}\n")])[0]
    assert cut.error is not None
    assert (cut.error.code, cut.events) == ("line.unterminated", len(lines) - 1)


@given(st.lists(st.integers(0, 3 * MAX_LINE), max_size=6), st.booleans())
def test_lines_are_split_at_line_feeds_whatever_their_length(sizes: list[int], ended: bool) -> None:
    data = joined([b"x" * size for size in sizes])
    data = data if ended else data[:-1]
    lines = list(read_lines(io.BytesIO(data)))
    expected = data.split(b"\n")
    expected = expected[:-1] if expected[-1] == b"" else expected
    assert len(lines) == len(expected)
    assert all(line.endswith(b"\n") for line in lines[:-1])
    for line, whole in zip(lines, expected, strict=True):
        told = line.removesuffix(b"\n")
        assert told == whole if len(whole) <= MAX_LINE else MAX_LINE < len(told) <= MAX_LINE + 2


def test_a_first_line_of_a_megabyte_is_no_log() -> None:
    report = verify(b'{"type":"open","body":{"format":"rollproof/v1","x":"' + b"x" * 1_000_000 + b'"}}\n')[0]
    assert report.error is not None
    assert (report.verdict, report.error.code) == ("unreadable", "file.not-a-log")


def test_a_stream_is_verified_like_bytes(started: Table) -> None:
    assert verify(io.BytesIO(started.log))[0] == verify(started.log)[0]


@pytest.mark.parametrize(("bound", "most", "at", "held"), [("LINES", 2, 1, 0), ("LINES", 2, 5, 2), ("BYTES", 1, 5, 4)])
@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (MemoryError(), "limit.memory", "There was not enough memory to verify this log to its end."),
        (TimeLimit("It took longer than {seconds} s.", seconds=2), "limit.time", "It took longer than 2 s."),
    ],
)
def test_what_runs_out_leaves_a_log_unfinished(
    started: Table,
    monkeypatch: pytest.MonkeyPatch,
    bound: str,
    most: int,
    at: int,
    held: int,
    error: BaseException,
    code: str,
    message: str,
) -> None:
    """The report says how many lines are known to hold, and of which game it is if any does."""
    step = Replay.step

    def breaks(replay: Replay, line: bytes, check: Check) -> Any:
        if replay.size == at:
            raise error
        return step(replay, line, check)

    monkeypatch.setattr(f"verifier.verification.CHUNK_{bound}", most)
    monkeypatch.setattr(Replay, "step", breaks)
    report, replay = verify(started.log)
    (finding,) = report.findings
    assert (report.verdict, finding.code, finding.message, replay) == ("unfinished", code, message, None)
    assert (report.game, report.valid_prefix) == (started.game.hex() if held else None, held)


# --- bounds of bodies ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "right"), [(2, True), (MAX_CHAIN, True), (1, False), (MAX_CHAIN + 1, False)])
def test_a_chain_has_a_link_to_use_and_one_to_keep_and_at_most_as_many_as_the_bound_says(
    length: int, right: bool
) -> None:
    body = encode({"length": length, "tip": "0" * 64})
    if right:
        assert decode_body(body, Commit, "commit").length == length
    else:
        assert step_of(lambda: decode_body(body, Commit, "commit")) == (9, "body.malformed")


@pytest.mark.parametrize(
    ("character", "right"),
    [
        *((chr(code), False) for code in (0, 1, 9, 10, 13, 0x1F, 0x7F, 0x80, 0x85, 0x9F)),
        *((chr(code), False) for code in (0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069)),
        *((chr(code), False) for code in (0x061C, 0x200B, 0x200E, 0x200F, 0x2060, 0x2061, 0x2065, 0x206A, 0xFEFF)),
        *((chr(code), True) for code in (0x20, 0x7E, 0xA0, 0x2027, 0x202F, 0xFFFD, 0x1F3B2)),
        *((chr(code), True) for code in (0x061B, 0x061D, 0x200A, 0x2010, 0x205F)),
        *((chr(code), True) for code in (0x05D0, 0x0627, 0x0661, 0xFEFE, 0xFF00, 0x10FFFF)),
    ],
)
def test_a_text_has_no_character_that_breaks_lines_or_reorders(character: str, right: bool) -> None:
    schema = SYSTEMS[SYSTEM].bodies["roll"]
    for text in (character, f"a{character}", f"{character}a", f"a{character}a"):
        body = encode(ROLL | {"source": text})
        if right:
            assert decode_body(body, schema, "roll").source == text
        else:
            assert step_of(lambda body=body: decode_body(body, schema, "roll")) == (9, "body.malformed")  # type: ignore[misc]


@pytest.mark.parametrize("character", ["a", "é", "\U0001f3b2"])
def test_a_text_is_counted_in_code_points(character: str) -> None:
    schema = SYSTEMS[SYSTEM].bodies["roll"]
    assert decode_body(encode(ROLL | {"source": character * MAX_TEXT}), schema, "roll")
    longer = encode(ROLL | {"source": character * (MAX_TEXT + 1)})
    assert step_of(lambda: decode_body(longer, schema, "roll")) == (9, "body.malformed")


def many(count: int, item: Any) -> list[Any]:
    return [item] * count


@pytest.mark.parametrize(
    ("type", "members", "bound"),
    [
        ("roll", lambda n: ROLL | {"modifiers": many(n, {"source": "x", "amount": 1})}, MAX_ITEMS),
        ("roll", lambda n: ROLL | {"table": many(n, {"range": "1", "effect": ""})}, MAX_ITEMS),
        ("roll", lambda n: ROLL | {"effects": many(n, {"source": "x", "kind": "reroll"})}, MAX_ITEMS),
        ("roll", lambda n: ROLL | {"ignores": many(n, {"source": "x", "which": "any"})}, MAX_ITEMS),
        ("roll", lambda n: ROLL | {"modifiers": [{"source": "x", "amount": n}]}, MAX_MODIFIER),
        ("roll", lambda n: ROLL | {"modifiers": [{"source": "x", "amount": -n}]}, MAX_MODIFIER),
        ("ignore", lambda n: {"roll": 1, "dice": list(range(1, n + 1))}, MAX_DICE),
        ("resolve", lambda n: {"roll": 1, "results": many(n, 1)}, MAX_DICE),
        ("resolve", lambda n: {"roll": n}, MAX_SAFE_INTEGER),
        ("modify", lambda n: {"roll": 1, "effect": 1, "choice": "apply", "mana_abilities": many(n, "x")}, MAX_ITEMS),
    ],
)
def test_a_body_is_read_up_to_its_bound_and_not_beyond(type: str, members: Callable[[int], Any], bound: int) -> None:
    schema = SYSTEMS[SYSTEM].bodies[type]
    assert decode_body(encode(members(bound)), schema, type)
    assert step_of(lambda: decode_body(encode(members(bound + 1)), schema, type)) == (9, "body.malformed")


def test_a_game_has_at_most_as_many_parties_as_the_bound_says(started: Table) -> None:
    opened = json.loads(started.lines[0])
    host = Forger(started.identities["host"])
    for count, code in ((MAX_PARTIES, "open.terms"), (MAX_PARTIES + 1, "body.malformed")):
        opened["body"]["parties"] = many(count, opened["body"]["parties"][0])
        assert error_in([host.sign(opened)]).code == code


NO_TEXTS = ("", "x" * 501, "a\nb", "\u202e")


@pytest.mark.parametrize("key", ["alice", "alice+00000000+AAAA", *NO_TEXTS])
def test_a_party_whose_key_is_none_makes_terms_that_are_not_valid(started: Table, key: str) -> None:
    opened = json.loads(started.lines[0])
    opened["body"]["parties"][1]["key"] = key
    assert error_in([Forger(started.identities["host"]).sign(opened)]).code == "open.terms"


def test_two_verifier_keys_are_equal_if_name_and_public_key_are() -> None:
    key = VerifierKey("alice", b"a" * 32)
    assert key == VerifierKey("alice", b"a" * 32)
    for other in (VerifierKey("alice", b"b" * 32), VerifierKey("bob", b"a" * 32), str(key), None):
        assert key != other


def test_names_are_lower_case_ascii_and_not_reserved() -> None:
    assert all(map(valid_name, ("a", "0", "a.b_c-d", "a" * MAX_NAME)))
    assert not any(map(valid_name, ("", "A", "a" * (MAX_NAME + 1), ".a", "_a", "a\n", "file", "é", "a a", "а")))


# --- dice notation -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("", "d", "2d", "d0", "0d6", "00d6", "02d6", "2d06", "2d-3", "-2d6", "+2d6", "2d6+", "+", "d6++d6", "2d6-1"),
        *("2D6", " 2d6", "2d6 ", "2 d6", "2d6\n", "2d6.0", "2d6d6", "1e3d6", "2d6+3", "d%", "xd6", "2x6"),
        *("٢d٦", "²d6", "１d6", "2ⅾ6", "d６", "d᠖"),
        *("1000001d6", "1001d6", "999d6+2d6", f"d{2**53}", "d" + "9" * 5_000, "9" * 5_000 + "d6", "d6+" * 2_000 + "d6"),
    ],
)
def test_what_is_no_dice_notation_is_an_error_in_words(text: str) -> None:
    with pytest.raises(DiceNotationError) as caught:
        parse(text)
    assert len(str(caught.value)) < 12_000
    assert str(caught.value)


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("d6", (6,)),
        ("1d1", (1,)),
        ("2d6+1d8", (6, 6, 8)),
        ("d6+d6", (6, 6)),
        (f"d{2**53 - 1}", (2**53 - 1,)),
        ("1000d20", (20,) * 1_000),
        ("999d6+d6", (6,) * 1_000),
    ],
)
def test_dice_notation_is_read(text: str, sides: tuple[int, ...]) -> None:
    assert parse(text) == sides


@given(st.lists(st.integers(1, 2**53 - 1) | st.integers(1, 4), min_size=1, max_size=30))
def test_notation_that_is_written_is_read_again(sides: list[int]) -> None:
    assert parse(notation(tuple(sides))) == tuple(sides)


@given(st.text(alphabet="0123456789d+ -D٢", max_size=12))
def test_any_text_is_dice_notation_or_an_error(text: str) -> None:
    try:
        sides = parse(text)
    except DiceNotationError:
        return
    assert 1 <= len(sides) <= MAX_DICE
    assert all(1 <= n <= MAX_SAFE_INTEGER for n in sides)
    assert parse(notation(sides)) == sides


@pytest.mark.parametrize("kind", TYPES[1:])
def test_a_replay_that_has_seen_nothing_takes_only_an_open(kind: str) -> None:
    assert step_of(lambda: Replay().step(line_of(type=kind))) == (1, "file.not-a-log")


def test_a_replay_refuses_the_first_line_of_what_is_no_log_as_a_file_is_refused() -> None:
    """Evidence, and a keeper that takes up a game, have no file."""
    index = json.loads((LOGS / "index.json").read_bytes())
    refused = {each["file"]: each["findings"][0] for each in index if each["verdict"] == "unreadable"}
    del refused["file.empty--no-bytes.jsonl"]
    assert len(refused) > 10
    found = {}
    for file in refused:
        first = (LOGS / file).read_bytes().partition(b"\n")[0]
        step, code = step_of(lambda first=first: Replay().step(first))  # type: ignore[misc]
        found[file] = {"step": step, "code": code}
    assert found == {file: {name: told[name] for name in ("step", "code")} for file, told in refused.items()}


def test_no_party_is_called_file_and_nobody_else_is(started: Table) -> None:
    """A name by its form, a party's never: step 10 for event 0, step 11 for an author."""
    opened, host = json.loads(started.lines[0]), started.identities["host"]
    key = host.key.public_bytes
    key_id = hashlib.sha256(b"file\n\x01" + key).digest()[:4].hex()
    opened["body"]["parties"][1]["key"] = f"file+{key_id}+{b64encode(bytes([1]) + key).decode()}"
    failure = error_in([Forger(host).sign(opened)])
    assert (failure.step, failure.code) == (10, "open.terms")
    line = re.sub(rb'"author":"\w+"', b'"author":"file"', started.lines[-1], count=1)
    failure = error_in([*started.lines[:-1], line])
    assert (failure.step, failure.code) == (11, "author.unknown")


LONE = (
    *(r"\ud800", r"\uDBFF", r"\udc00", r"\uDFFF"),
    *(r"\udc00\ud800", r"\ud800\ud800\udc00", r"\ud800x\udc00", r"\ud800\\udc00"),
)


@pytest.mark.parametrize("escape", LONE)
@pytest.mark.parametrize("place", ["in a text", "in a name", "in a member that is replaced"])
def test_a_lone_surrogate_makes_a_line_no_event(started: Table, escape: str, place: str) -> None:
    there = {
        "in a text": rb'"title":"' + escape.encode(),
        "in a name": rb'"' + escape.encode() + rb'":1,"title":"',
        "in a member that is replaced": rb'"title":"' + escape.encode() + rb'","title":"',
    }[place]
    opened, *others = started.lines
    changed = opened.replace(b'"title":"', there)
    assert changed != opened
    first = report_on([changed, *others]).error
    assert first is not None
    assert (first.step, first.code) == (5, "line.malformed")
    there = there.replace(b'"title"', b'"type"')
    line = others[0].replace(b'"type":"', there)
    assert line != others[0]
    failure = error_in([opened, line, *others[1:]])
    assert (failure.step, failure.code) == (5, "line.malformed")


def test_a_surrogate_in_utf_8_is_none(started: Table) -> None:
    """So in the first line nothing can be read from it at all."""
    opened, *others = started.lines
    changed = [line.replace(b'"type":"', b'"type":"\xed\xa0\xbc') for line in (opened, others[0])]
    first = report_on([changed[0], *others]).error
    assert first is not None
    assert (first.step, first.code) == (1, "file.not-a-log")
    failure = error_in([opened, changed[1], *others[1:]])
    assert (failure.step, failure.code) == (5, "line.malformed")


@pytest.mark.parametrize(("text", "code"), [(r"\ud83c\udfb2", "line.not-canonical"), (r"\\ud800", "type.unknown")])
def test_a_pair_of_escapes_is_a_character_and_an_escaped_backslash_is_none(
    started: Table, text: str, code: str
) -> None:
    line = started.lines[1].replace(b'"type":"', b'"type":"' + text.encode())
    assert error_in([started.lines[0], line]).code == code


def test_the_library_has_its_public_names_and_no_others() -> None:
    for name in verifier.__all__:
        assert getattr(verifier, name).__name__ == name
    assert not hasattr(verifier, "verify_everything")
