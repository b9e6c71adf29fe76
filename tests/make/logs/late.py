"""Logs of who comes later that are computed (specs/protocol.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.make.cases import Cases
from tests.make.parts import key_of, table
from tests.oracles.reference import Writer

CASES = Cases()
log = CASES.log


def late_game(label: str, **opened: Any) -> Writer:
    """A game in which everybody sits, and that admits witnesses."""
    return table(label, length=20, admits=["witness"], **opened)


@log("holds--word-of-64-lines-before", "The host's word was given on the first of the 64 lines before the admit.")
def _() -> Any:
    return word_game("word 64", 64)


def word_game(label: str, lines: int) -> Writer:
    """A witness is admitted by a word that was given so many lines before."""
    w = late_game(label, host=key_of("hetty"))
    for number in range(lines):
        w.write("alice", "away" if number % 2 == 0 else "back", {"party": "alice"})
    w.admit("walt", "witness", word=w.word("walt", "witness", "hetty", head=-lines))
    w.close()
    return w


def _no_party(key: str) -> Callable[[], Any]:
    def make() -> Any:
        w = late_game("admit party " + key)
        w.leave("bob", "bob")
        return w, w.write("host", "admit", {"key": key, "role": "witness"})

    return make


for _name, _about, _key in (
    ("name-of-a-party", "alice is a party already.", key_of("alice", "walt")),
    ("name-of-one-who-left", "bob left: his name is nobody else's.", key_of("bob", "walt")),
    ("name-that-looks-like-a-party", "a1ice looks like alice.", key_of("a1ice")),
    ("key-of-a-party", "The key is alice's, under another name.", key_of("walt", "alice")),
    ("key-of-one-who-left", "bob left, and does not come back.", key_of("bob")),
):
    log("admit.party--" + _name, _about, "host")(_no_party(_key))


@log("admit.party--no-room", "A game has at most 64 parties.", "host")
def _() -> Any:
    w = Writer("admit room", {"host": "keeper", "alice": "player", **{f"w-{n}": "witness" for n in range(62)}})
    w.open(admits=["judge"])
    w.join("alice")
    return w, w.admit("dana", "judge")


@log("admit.word--of-65-lines-before", "The host's word has lapsed: it was given 65 lines before.", "host")
def _() -> Any:
    w = word_game("word 65", 65)
    return w, w.last - 1


@log("admit.word--on-another-history", "The host's word was given on a line that this log does not have.", "host")
def _() -> Any:
    w = late_game("word elsewhere", host=key_of("hetty"))
    other = late_game("word elsewhere 2", host=key_of("hetty"))
    return w, w.admit("walt", "witness", word=other.word("walt", "witness", "hetty"))


@log("admit.word--for-another-key", "The host's word is for another walt.", "host")
def _() -> Any:
    w = late_game("word key", host=key_of("hetty"))
    return w, w.admit("walt", "witness", word=w.word("walt", "witness", "hetty", key=key_of("walt", "wendy")))
