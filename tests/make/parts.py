"""Parts of games, of which the logs of `specs/vectors/logs/` are made, by rows and in Python."""

from __future__ import annotations

import base64
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.oracles import reference as ref
from tests.oracles.reference import Writer, canonical, leaf

ROWS = Path(__file__).parent / "logs"
NAMED: dict[str, dict[str, Any]] = tomllib.loads((ROWS / "named.toml").read_text(encoding="utf-8"))
PARTIES, BODIES = NAMED["parties"], NAMED["bodies"]
TWO, JUDGED = PARTIES["two"], PARTIES["two, dana"]
DELINA, PIXIE, CHAOS = BODIES["delina"], BODIES["pixie"], BODIES["chaos"]


def key_of(name: str, hand: str | None = None) -> str:
    """The verifier key of this name; `hand`: what it is made from, where that is not the name."""
    return ref.verifier_key(name, ref.public_key(hand or name))


def sides_of(body: dict[str, Any]) -> list[int]:
    """The dice of a simple roll, extra ones included."""
    if body["dice"] == "planar":
        return [6]
    sides: list[int] = []
    for term in body["dice"].split("+"):
        number, _, kind = term.partition("d")
        sides += [int(kind)] * int(number or 1)
    extra: int = sum(entry.get("extra", 0) for entry in body.get("ignores", []))
    return sides + sides[:1] * extra


# --- acts: each writes events, and returns the number of one of them --------------------------------------------------


def open_by(w: Writer, author: str, how: dict[str, Any] | None = None, **members: Any) -> int:
    """An `open`, by whom and where it may not be."""
    return w.write(author, "open", w.open_body(**members), **(how or {}))


def request(
    w: Writer, who: str = "alice", body: dict[str, Any] = DELINA, sides: list[int] | None = None, **how: Any
) -> int:
    """Ask for a roll; `sides` where the body does not say them simply."""
    return w.request(who, "roll", body, sides_of(body) if sides is None else sides, **how)


def reroll(w: Writer, who: str, body: dict[str, Any], sides: list[int]) -> int:
    """Ask for a reroll of some dice."""
    return w.request(who, "reroll", body, sides)


def roll(w: Writer, who: str, body: dict[str, Any], sides: list[int] | None = None) -> int:
    """Ask for a roll, and reveal it; the number of the request."""
    number = request(w, who, body, sides)
    w.reveal()
    return number


def whole_roll(w: Writer, who: str = "alice", body: dict[str, Any] = DELINA) -> int:
    """A roll from request to resolve; the number of the request."""
    number = roll(w, who, body)
    resolve(w, number, who)
    return number


def resolve(w: Writer, number: int, who: str = "alice", **claims: Any) -> int:
    return w.write(who, "resolve", {"roll": number, **claims})


def rule(w: Writer, author: str, ruling: str, subject: int, text: str, **members: Any) -> int:
    """A judge's ruling."""
    return w.write(author, "ruling", {"ruling": ruling, "subject": subject, "text": text, **members})


def call_away(w: Writer, author: str, party: str, **how: Any) -> int:
    """A word that somebody is away, in which others have still to join."""
    return w.away(author, party, effect=False, **how)


def strike(w: Writer, roll: int, *names: str) -> int:
    """Parties agree to take a roll back."""
    for name in names:
        w.write(name, "strike", {"roll": roll})
    return w.last


def checkpoint(w: Writer, size: int) -> tuple[int, str, str]:
    """The keeper's checkpoint of the first lines: size, root, note."""
    top = ref.root([leaf(line) for line in w.lines[:size]])
    text = f"rollproof/v1/{w.game.hex()}\n{size}\n{base64.b64encode(top).decode()}\n"
    made = ref.key_id(w.keeper, ref.public_key(w.keeper)) + ref.private_key(w.keeper).sign(text.encode())
    return size, top.hex(), f"{text}\n— {w.keeper} {base64.b64encode(made).decode()}\n"


# --- whole games, and lines -------------------------------------------------------------------------------------------


def table(
    label: str,
    roles: dict[str, str] | None = None,
    contributors: Any = "all",
    length: int = 5,
    **opened: Any,
) -> Writer:
    """A game of Magic in which everybody has joined and everybody who may contribute has committed."""
    w = Writer(label, dict(roles or TWO), contributors)
    w.open(**opened)
    w.seat_all(length)
    return w


def whole_game(label: str) -> Writer:
    w = table(label)
    whole_roll(w)
    whole_roll(w, "bob", CHAOS)
    w.close()
    return w


def joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def edited(line: bytes, **members: Any) -> bytes:
    """A line with other members, canonical again, signature as it was."""
    return canonical({**json.loads(line), **members})


def first_seed(label: str, wanted: Callable[[Writer], bool], make: Callable[[str], Writer]) -> Writer:
    """The first game of a numbered series that has a property."""
    for n in range(10_000):
        w = make(f"{label} {n}")
        if wanted(w):
            return w
    raise AssertionError(label)
