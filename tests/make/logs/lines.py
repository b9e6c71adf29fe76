"""Logs with lines whose bytes are forged (specs/log.md)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.make.cases import Cases
from tests.make.logs.damaged import first_line, nested_open
from tests.make.parts import JUDGED, TWO, joined, request, resolve, table, whole_game, whole_roll
from tests.oracles import reference as ref
from tests.oracles.reference import Writer, canonical

CASES = Cases()
log = CASES.log


@log("holds--line-of-65535-bytes", "alice's request is exactly MAX_LINE bytes long.")
def _() -> Any:
    return big_line(ref.MAX_LINE)


def big_line(size: int) -> Writer:
    """A game with a request, valid but for its length, of a given number of bytes; it is voided."""
    w = table(f"line of {size}")
    rows = [{"range": str(n + 1), "effect": "\U0001f3b2" * 150} for n in range(100)]
    body = {"source": "A very long table", "dice": "1d100", "table": rows}
    short = size - len(canonical(w.event("alice", "roll", body)))
    assert 0 <= short <= 34_000, short
    for row in rows:
        more = min(340, short)
        row["effect"] += "x" * more
        short -= more
    request(w, "alice", body)
    assert len(w.lines[-1]) == size
    w.call_off("alice", ["bob"])
    w.close()
    return w


@log("line.too-long--65536-bytes", "alice signs a request of MAX_LINE + 1 bytes, the keeper takes it.", "file")
def _() -> Any:
    w = big_line(ref.MAX_LINE + 1)
    return w, next(n for n, line in enumerate(w.lines) if len(line) > ref.MAX_LINE)


def oddly_written(label: str, how: Callable[[bytes], bytes], type_: str = "resolve") -> tuple[bytes, int]:
    """Alice's program writes a signed event oddly; the keeper takes it and closes over it."""
    w = table(label)
    number = request(w)
    w.reveal()
    line = canonical(w.event("alice", type_, {"roll": number}))
    changed = how(line)
    assert changed != line
    flawed = w.append(changed)
    w.close()
    return w.data, flawed


@log("line.malformed--no-json", "A line is cut short, and the keeper signs over it.", "host")
def _() -> Any:
    return oddly_written("no json", lambda line: line[:-1])


@log("line.malformed--empty-line", "An empty line between two events; the keeper signs over it.", "host")
def _() -> Any:
    return oddly_written("empty line", lambda line: b"")


@log("line.malformed--array", "A line that is an array.", "host")
def _() -> Any:
    return oddly_written("array", lambda line: b"[" + line + b"]")


@log("line.malformed--invalid-utf-8", "A byte FF in a string.", "host")
def _() -> Any:
    return oddly_written("utf-8", lambda line: line.replace(b'"resolve"', b'"resolve\xff"'))


@log("line.malformed--lone-surrogate", "Half of a surrogate pair, escaped.", "host")
def _() -> Any:
    return oddly_written("surrogate", lambda line: line.replace(b'"resolve"', b'"resolve\\ud83c"'))


@log("line.malformed--lone-surrogate-that-does-not-count", "It stands in the first of two members `type`.", "host")
def _() -> Any:
    return oddly_written("surrogate twice", lambda line: line.replace(b'"type":', b'"type":"\\udfb2","type":'))


@log("line.malformed--lone-surrogate-in-a-name", "A member's name is half of a surrogate pair.", "host")
def _() -> Any:
    return oddly_written("surrogate name", lambda line: line.replace(b'{"roll":', b'{"\\ud83c":1,"roll":'))


@log("line.malformed--lone-surrogate-in-event-0", "Half of a surrogate pair, escaped, in the title.", "host")
def _() -> Any:
    w = Writer("surrogate in 0", TWO)
    w.append(canonical(w.event("host", "open", w.open_body())).replace(b'"title":""', b'"title":"\\ud83c"'))
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log("line.malformed--1e400-in-event-0", "Event 0 has a number that no machine's can hold.", "host")
def _() -> Any:
    return first_line("1e400", b"1E400"), 0


@log("line.malformed--5000-digits-in-event-0", "Event 0 has an integer of 5,000 digits.", "host")
def _() -> Any:
    return first_line("digits", b"7" * 5_000), 0


@log("line.malformed--number-that-does-not-count", "1E400 stands in the first of two members `seq`.", "host")
def _() -> Any:
    return oddly_written("number twice", lambda line: line.replace(b'"seq":', b'"seq":1E400,"seq":'))


@log("line.malformed--seq-twice-the-last-wrong", "`seq` stands twice; the last is a string.", "host")
def _() -> Any:
    return oddly_written("seq last wrong", lambda line: line.replace(b',"sig":', b',"seq":"7","sig":'))


@log("line.malformed--nested-65-deep", "alice's resolve has arrays that nest 65 levels deep.", "host")
def _() -> Any:
    return oddly_written(
        "deep 65", lambda line: line.replace(b'"roll":', b'"again":' + b"[" * 63 + b"]" * 63 + b',"roll":')
    )


@log("line.malformed--nested-very-deep", "A line behind the last is arrays that nest 30,000 levels deep.", "file")
def _() -> Any:
    w = table("very deep")
    w.append(b"[" * 30_000 + b"]" * 30_000)
    return w, len(w.lines) - 1


@log("line.malformed--nested-65-deep-where-it-does-not-count", "It stands in the first of two members `roll`.", "host")
def _() -> Any:
    return oddly_written(
        "deep twice", lambda line: line.replace(b'"roll":', b'"roll":' + b"[" * 63 + b"]" * 63 + b',"roll":')
    )


@log("body.malformed--nested-64-deep", "alice's resolve has arrays that nest 64 levels deep.", "host")
def _() -> Any:
    w = table("deep 64")
    number = request(w)
    w.reveal()
    value: Any = []
    for _ in range(61):
        value = [value]
    flawed = resolve(w, number, again=value)
    w.close()
    return w, flawed


@log("body.malformed--nested-64-deep-in-event-0", "Event 0 nests 64 levels deep.", "host")
def _() -> Any:
    return nested_open(64)


@log("line.malformed--byte-order-mark", "A byte order mark before a line.", "host")
def _() -> Any:
    return oddly_written("bom", lambda line: b"\xef\xbb\xbf" + line)


def oddly_ruled(label: str, body: dict[str, Any], old: str, new: str) -> tuple[bytes, int]:
    """A judge's program signs a ruling and writes it oddly; the keeper closes over it."""
    w = table(label, JUDGED)
    assert whole_roll(w) == 7
    event = w.event("dana", "ruling", {"ruling": "uphold", "subject": 7, "text": "Fine.", **body})
    written = canonical(event).decode()
    assert written.count(old) == 1
    flawed = w.append(written.replace(old, new).encode())
    w.close()
    return w.data, flawed


@log("line.malformed--fraction", "A judge writes `7.0` for an integer; it signed 7.", "host")
def _() -> Any:
    return oddly_ruled("fraction", {}, '"subject":7,', '"subject":7.0,')


@log("line.malformed--exponent", "A judge writes `7e0` for an integer; it signed 7.", "host")
def _() -> Any:
    return oddly_ruled("exponent", {}, '"subject":7,', '"subject":7e0,')


@log("line.malformed--upper-case-hex", "The signature in upper case.", "host")
def _() -> Any:
    def change(line: bytes) -> bytes:
        return canonical({**json.loads(line), "sig": json.loads(line)["sig"].upper()})

    return oddly_written("upper case", change)


@log("line.malformed--member-added-to-event-0", "Event 0 has a ninth member; the keeper plays on over it.", "host")
def _() -> Any:
    w = Writer("ninth member of 0", TWO)
    w.append(canonical(w.event("host", "open", w.open_body(), note="hello")))
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log("line.malformed--fraction-in-event-0", "Event 0 has a fraction, and nobody but bob signed over it.", "file")
def _() -> Any:
    w = Writer("fraction in 0", TWO)
    line = canonical(w.event("host", "open", w.open_body(options={"planechase": 5}, title="Half")))
    w.append(line.replace(b'"planechase":5', b'"planechase":0.5'))
    w.join("bob")
    return w, 0


@log("line.malformed--member-missing", "bob's join has no `time`.", "host")
def _() -> Any:
    w = Writer("no time", TWO)
    w.open()
    w.join("alice")
    event = w.event("bob", "join", {})
    del event["time"], event["sig"]
    event["sig"] = ref.private_key("bob").sign(ref.EVENT_LABEL + canonical(event)).hex()
    flawed = w.append(canonical(event))
    w.commit("host")
    return w, flawed


@log(
    "line.malformed--last-line-nobody-signed-over",
    "The last line is no JSON, and no key stands behind it.",
    "file",
)
def _() -> Any:
    w = table("garbage")
    w.append(b"{}" + b"}")
    return w, w.last


@log("line.not-canonical--carriage-return", "A carriage return before a line feed.", "host")
def _() -> Any:
    return oddly_written("cr", lambda line: line + b"\r")


@log("line.not-canonical--blank", "A blank after a comma.", "host")
def _() -> Any:
    return oddly_written("blank", lambda line: line.replace(b',"game"', b', "game"'))


@log("line.not-canonical--members-reordered", "`type` comes first.", "host")
def _() -> Any:
    return oddly_written("reordered", lambda line: b'{"type":"resolve",' + line[1:].replace(b',"type":"resolve"', b""))


@log("line.not-canonical--name-twice", "`roll` stands twice in the body: two readers, two rolls.", "host")
def _() -> Any:
    return oddly_written("twice", lambda line: line.replace(b'{"roll":', b'{"roll":1,"roll":'))


@log("line.not-canonical--seq-twice-the-first-wrong", "`seq` stands twice; the first is a string.", "host")
def _() -> Any:
    return oddly_written("seq first wrong", lambda line: line.replace(b'"seq":', b'"seq":"7","seq":'))


@log("line.not-canonical--type-twice-in-event-0", "`type` stands twice in event 0; the first is a number.", "host")
def _() -> Any:
    w = Writer("type first wrong", TWO)
    w.append(canonical(w.event("host", "open", w.open_body())).replace(b'"type":"open"', b'"type":1,"type":"open"'))
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log("line.not-canonical--needless-escape", "A letter as an escape.", "host")
def _() -> Any:
    return oddly_written("escape", lambda line: line.replace(b'"resolve"', b'"\\u0072esolve"'))


@log("line.not-canonical--minus-zero", "A judge writes `-0` for 0; it signed 0.", "host")
def _() -> Any:
    return oddly_ruled("minus zero", {"subject": 0}, '"subject":0,', '"subject":-0,')


@log("line.not-canonical--null", "A ruling's `party` is null, and signed so: no value of a line has a null.", "host")
def _() -> Any:
    w = table("null", JUDGED)
    event = w.event("dana", "ruling", {"party": "", "ruling": "uphold", "subject": 1, "text": "Fine."})
    del event["sig"]
    unsigned = canonical(event).replace(b'"party":""', b'"party":null')
    sig = ref.private_key("dana").sign(ref.EVENT_LABEL + unsigned).hex()
    flawed = w.append(unsigned.replace(b',"time":', b',"sig":"' + sig.encode() + b'","time":'))
    w.close()
    return w, flawed


@log(
    "line.malformed--null-in-the-place-of-a-body",
    "alice signs an event of a type that the system has no body for, with null in its place.",
    "host",
)
def _() -> Any:
    w = table("null body", system="dice-1", options={})
    event: dict[str, Any] = w.event("alice", "ignore", {})
    unsigned = canonical({name: value for name, value in event.items() if name != "sig"})
    sig = ref.private_key("alice").sign(ref.EVENT_LABEL + unsigned.replace(b'"body":{}', b'"body":null')).hex()
    flawed = w.append(canonical({**event, "sig": sig}).replace(b'"body":{}', b'"body":null'))
    w.close()
    return w, flawed


@log("line.not-canonical--first-line", "The keeper writes event 0 with a blank, and plays on over it.", "host")
def _() -> Any:
    w = Writer("blank open", TWO)
    w.append(canonical(w.event("host", "open", w.open_body())).replace(b'{"author"', b'{ "author"'))
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log(
    "line.not-canonical--nobody-signed-over",
    "Anyone adds a blank to a line; nothing after it fits any more.",
    "file",
)
def _() -> Any:
    w = whole_game("blank by anyone")
    lines = list(w.lines)
    lines[4] = lines[4].replace(b':"', b': "', 1)
    return joined(lines), 4
