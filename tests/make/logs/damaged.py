"""Files that are no logs, are cut, or have lines that were dropped and swapped (specs/log.md)."""

from __future__ import annotations

from typing import Any

from tests.make.cases import Cases
from tests.make.parts import BODIES, JUDGED, TWO, edited, joined, request, roll, table, whole_game
from tests.oracles import reference as ref
from tests.oracles.reference import Writer, canonical, leaf

CASES = Cases()
log = CASES.log


@log("file.empty--no-bytes", "A file without a byte.", "file")
def _() -> Any:
    return b"", 0


@log("file.not-a-log--other-text", "The result of a game, as a sentence.", "file")
def _() -> Any:
    return b"alice rolled a 20\n", 0


@log("file.not-a-log--other-json", "A JSON file of another kind.", "file")
def _() -> Any:
    return b'{"rolls":[20,20,20]}\n', 0


@log("file.not-a-log--begins-later", "The `open` of a game was cut off: the first line is a join.", "file")
def _() -> Any:
    return joined(whole_game("headless").lines[1:]), 0


@log("file.not-a-log--empty-first-line", "A game after an empty line.", "file")
def _() -> Any:
    return b"\n" + whole_game("empty first").data, 0


@log("file.not-a-log--byte-order-mark", "A whole game after a byte order mark.", "file")
def _() -> Any:
    return b"\xef\xbb\xbf" + whole_game("bom first").data, 0


@log("file.not-a-log--invalid-utf-8", "A byte FF in the title of event 0.", "file")
def _() -> Any:
    w = whole_game("utf-8 first")
    return w.data.replace(b'"title":""', b'"title":"\xff"', 1), 0


@log("file.not-a-log--not-a-number", "Event 0 has NaN, which is no JSON.", "file")
def _() -> Any:
    return first_line("nan", b"NaN"), 0


@log("file.not-a-log--nested-65-deep", "Event 0 nests 65 levels deep.", "file")
def _() -> Any:
    return nested_open(65)[0], 0


@log("file.not-a-log--nested-very-deep", "Event 0 nests 30,000 levels deep.", "file")
def _() -> Any:
    return first_line("very deep", b"[" * 30_000 + b"]" * 30_000), 0


@log("file.not-a-log--first-line-of-65536-bytes", "The first line is an event 0 of MAX_LINE + 1 bytes.", "file")
def _() -> Any:
    w = Writer("long open", TWO)
    short = ref.MAX_LINE + 1 - len(canonical(w.event("host", "open", w.open_body())))
    w.open(title="x" * short)
    assert len(w.lines[0]) == ref.MAX_LINE + 1
    w.join("alice", "bob")
    return w, 0


@log("body.malformed--first-line-of-65535-bytes", "Event 0 has MAX_LINE bytes and is read: its title is long.", "host")
def _() -> Any:
    w = Writer("longest open", TWO)
    short = ref.MAX_LINE - len(canonical(w.event("host", "open", w.open_body())))
    w.open(title="x" * short)
    assert len(w.lines[0]) == ref.MAX_LINE
    w.join("alice", "bob")
    return w, 0


@log("file.not-a-log--type-twice-the-last-wrong", "`type` stands twice in event 0, and the last is no string.", "file")
def _() -> Any:
    w = Writer("type last wrong", TWO)
    w.append(canonical(w.event("host", "open", w.open_body()))[:-1] + b',"type":1}')
    w.join("alice", "bob")
    return w, 0


def first_line(label: str, option: bytes) -> bytes:
    """A game whose event 0 has another text for the value of its option, and over which the keeper goes on."""
    w = Writer(f"first line {label}", TWO)
    w.append(
        canonical(w.event("host", "open", w.open_body())).replace(b'"planechase":false', b'"planechase":' + option)
    )
    w.join("alice", "bob")
    w.commit("host")
    return w.data


def nested_open(levels: int) -> tuple[Writer, int]:
    """A game whose event 0, signed, nests so deep: the event, its body, the options, and arrays."""
    value: Any = []
    for _ in range(levels - 4):
        value = [value]
    w = Writer(f"nested {levels}", TWO)
    w.open(options={"planechase": value})
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log("line.unterminated--cut-inside-the-last-line", "Anyone cuts a file inside its last line.", "file")
def _() -> Any:
    w = whole_game("cut")
    return w.data[:-40], w.last


@log("line.unterminated--no-line-feed-at-the-end", "A whole game, but for the last line feed.", "file")
def _() -> Any:
    w = whole_game("no line feed")
    return w.data[:-1], w.last


@log("line.unterminated--first-line", "A whole first line without its line feed.", "file")
def _() -> Any:
    w = Writer("one line", TWO)
    w.open()
    return w.data[:-1], 0


@log("line.unterminated--second-line-of-one-byte", "One byte after event 0, without a line feed: it counts.", "file")
def _() -> Any:
    w = Writer("two lines", TWO)
    w.open()
    return w.data + b"{", 1


@log(
    "line.unterminated--a-byte-behind-what-the-rules-refuse",
    "The last line is a request that the rules refuse, and another byte in the place of its line feed: no offer.",
    "file",
)
def _() -> Any:
    w = table("a byte behind")
    roll(w, "alice", BODIES["thumb"])
    flawed = request(w, "bob")
    return w.data[:-1] + b"x", flawed


@log("chain.seq--line-dropped", "Anyone drops a line.", "file")
def _() -> Any:
    lines = list(whole_game("dropped").lines)
    del lines[6]
    return joined(lines), 6


@log("chain.seq--line-doubled", "Anyone doubles a line.", "file")
def _() -> Any:
    lines = list(whole_game("doubled").lines)
    lines.insert(6, lines[5])
    return joined(lines), 6


@log("chain.seq--lines-swapped", "Anyone swaps two lines.", "file")
def _() -> Any:
    lines = list(whole_game("swapped").lines)
    lines[4], lines[5] = lines[5], lines[4]
    return joined(lines), 4


@log(
    "chain.game--line-of-another-game",
    "Anyone puts in the line with the same number of another game.",
    "file",
)
def _() -> Any:
    lines = list(whole_game("one game").lines)
    lines[7] = whole_game("another game").lines[7]
    return joined(lines), 7


@log(
    "chain.game--signed-for-another-game",
    "alice's valid join of another game, as the keeper of both chains it.",
    "file",
)
def _() -> Any:
    w = Writer("this game", TWO)
    w.open()
    flawed = w.write("alice", "join", {}, game=leaf(b"another game").hex())
    w.join("bob")
    return w, flawed


@log("chain.prev--line-edited-and-left", "Anyone drops a line and numbers the others anew.", "file")
def _() -> Any:
    lines = list(whole_game("renumbered").lines)
    del lines[6]
    lines = [edited(line, seq=number) for number, line in enumerate(lines)]
    return joined(lines), 6


@log("chain.prev--lines-swapped-and-renumbered", "Anyone swaps two lines and their numbers.", "file")
def _() -> Any:
    lines = list(whole_game("swapped anew").lines)
    lines[4], lines[5] = lines[5], lines[4]
    lines = [edited(line, seq=number) for number, line in enumerate(lines)]
    return joined(lines), 4


@log(
    "chain.prev--of-the-other-history",
    "A keeper with two histories puts bob's event of the one into the other.",
    "file",
)
def _() -> Any:
    one = Writer("two histories", JUDGED)
    one.open()
    one.join("alice", "bob", "dana")
    two = Writer("two histories", JUDGED)
    two.open()
    two.join("bob", "alice", "dana")
    one.commit("host")
    two.commit("host")
    two.commit("bob")
    flawed = one.append(two.lines[-1])
    return one, flawed
