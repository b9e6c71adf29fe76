"""Logs of whole games that are computed: dice that a story needs, many of them, and what the caller expects."""

from __future__ import annotations

import json
from typing import Any

from tests.make.cases import Cases
from tests.make.parts import (
    DELINA,
    PIXIE,
    TWO,
    first_seed,
    joined,
    request,
    resolve,
    table,
    whole_game,
    whole_roll,
)
from tests.oracles import reference as ref
from tests.oracles.reference import Writer, leaf

CASES = Cases()
log = CASES.log


@log("holds--continues", "Event 0 names the game that this one goes on from.")
def _() -> Any:
    before = whole_game("before")
    root = ref.root([leaf(line) for line in before.lines]).hex()
    w = table("continues", continues={"game": before.game.hex(), "root": root, "size": len(before.lines)})
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--unfinished",
    "The log of a closed game, cut at the end of a line: it holds, and says it may go on.",
)
def _() -> Any:
    w = whole_game("unfinished")
    return joined(w.lines[:-3])


@log("holds--ignored-die", "One die more than the instruction says, both equal; alice chooses which one is ignored.")
def _() -> Any:
    def make(label: str) -> Writer:
        w = table(label)
        number = request(w, "alice", PIXIE)
        w.reveal()
        w.write("alice", "ignore", {"roll": number, "dice": [2]})
        resolve(w, number, results=w.naturals[:1])
        w.close()
        return w

    return first_seed("ignored", lambda w: w.naturals[0] == w.naturals[1], make)


@log("holds--ignored-at-once", "One die more than the instruction says; the lower one is ignored without an event.")
def _() -> Any:
    def make(label: str) -> Writer:
        w = table(label)
        number = request(w, "alice", PIXIE)
        w.reveal()
        resolve(w, number, results=[max(w.naturals)])
        w.close()
        return w

    return first_seed("ignored at once", lambda w: w.naturals[0] != w.naturals[1], make)


@log(
    "holds--rejected-bytes",
    "A roll of 4d20 in whose stream at least two bytes are 240 or more and passed over.",
)
def _() -> Any:
    def make(label: str) -> Writer:
        w = table(label)
        whole_roll(w, "alice", {"source": "Four dice", "dice": "4d20", "use": "Add them up."})
        w.close()
        return w

    return first_seed("rejected", lambda w: rejections(w, [20] * 4) >= 2, make)


def rejections(w: Writer, sides: list[int]) -> int:
    """How many values the first reveal of a log passed over."""
    event = next(e for e in map(json.loads, w.lines) if e["type"] == "reveal")
    links = [(opening["author"], bytes.fromhex(opening["link"])) for opening in event["body"]["openings"]]
    seed = ref.make_seed(w.game, event["body"]["roll_index"], links)
    return sum(len(die.tried) - 1 for die in ref.draw(seed, sides))


@log("holds--many-dice", "One hundred dice of one request, from several blocks of the stream.")
def _() -> Any:
    w = table("many dice")
    number = request(w, "alice", {"source": "One hundred", "dice": "100d6", "use": "Add them up."})
    w.reveal()
    resolve(w, number, results=w.naturals)
    w.close()
    return w


@log(
    "holds--names-and-texts-at-their-bounds",
    "Names of 1 and 32 characters, texts of 500 with every kind of character.",
)
def _() -> Any:
    long = "a0123456789._-" + "z" * 18
    w = table(
        "bounds",
        {"0": "keeper", long: "player", "dana": "judge"},
        title="\"\\/<>&' \u00e9\u00df\u3042\U0001f3b2" + "\u20ac" * 487,
    )
    number = request(
        w,
        long,
        {
            **DELINA,
            "source": "\U0001f3b2" * 500,
            "use": "\u2010\u200c\u2027\u200d\u202f\u205f\u2070\u2764\ufe0f\u200d~\u00a0\u061b1\ufe0f\u20e3",
        },
    )
    w.reveal()
    resolve(w, number, long)
    w.write("dana", "ruling", {"ruling": "uphold", "subject": number, "text": "x" * 500})
    w.close()
    return w


@log("expect.game--another-game", "A whole, valid game; the caller expects another (see `expect`).", "file")
def _() -> Any:
    return whole_game("not expected"), 0, {"game": leaf(b"the game the caller means").hex(), "keys": []}


@log("holds--all-contributors-collude", "host, alice and bob together seek links that give a 20: no log can show it.")
def _() -> Any:
    def make(label: str) -> Writer:
        w = Writer("collude", TWO)
        w.open()
        w.join("alice", "bob")
        w.label = label
        w.commit("host", "alice", "bob", length=2)
        whole_roll(w)
        w.close()
        return w

    return first_seed("collude", lambda w: w.naturals == [20], make)
