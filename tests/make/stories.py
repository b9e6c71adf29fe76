"""Logs that are written as data: the rows of `tests/make/logs/*.toml`, and how they are played.

README.md in that folder says how to write one. What a row cannot say is a function in a module of that folder.
"""

from __future__ import annotations

import inspect
import json
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.make import parts
from tests.make.cases import Case
from tests.make.logs.event_word import EventTable, appointment, correction
from tests.make.logs.replaced import Table
from tests.make.parts import BODIES, PARTIES, ROWS
from tests.make.profiles import Person, public, succession
from tests.oracles import reference as ref
from tests.oracles.reference import Writer

__all__ = ["WrongRow", "read", "stories"]

ACTS: dict[str, Callable[..., Any]] = {
    "open by": parts.open_by,
    "request": parts.request,
    "reroll": parts.reroll,
    "roll": parts.roll,
    "whole roll": parts.whole_roll,
    "resolve": parts.resolve,
    "rule": parts.rule,
    "call away": parts.call_away,
    "strike": parts.strike,
}
"""by its word, what an act does; it takes the arguments of the function behind the game"""

METHODS = {
    *("join", "commit", "reveal", "void", "disclose", "call off", "close", "leave", "away", "back", "admit", "consent"),
    *("replace", "seal", "ask secret", "roll secret", "show", "write"),
    *("sit", "sign away", "succeed", "ask", "renewed", "returned", "lost", "appointed", "corrected", "dead"),
}
"""acts that are methods of a game: of every game, and (the last line) of the tables of `TABLES`"""

VALUES: dict[str, Callable[..., Any]] = {
    "event": lambda w, *other: ref.secret_of(*other, "event").hex(),
    "game": lambda w: w.game.hex(),
    "hidden": lambda w, name, *text: w.hide(name, " ".join(text)),
    "key": lambda w, name, *hand: parts.key_of(name, " ".join(hand) or None),
    "leaf": lambda w, type_, count="0": ref.leaf(w.lines[_number(w, type_, count)]).hex(),
    "link": lambda w, name, index: w.chains[name][int(index)].hex(),
    "public": lambda w, *words: public(*words).hex(),
    "secret": lambda w, holder, number: w.secret(holder, int(number)).hex(),
    "word": lambda w, name, role, host: w.word(name, role, host),
    "wrong": lambda w: ref.secret_of("wrong").hex(),
}
"""what `$WORD …` stands for; any other word is a type of event: `$roll 2` is the number of the second roll"""


def _opening(w: Writer, name: str, **how: Any) -> dict[str, Any]:
    known: dict[str, Any] = {each: bytes.fromhex(how[each]) for each in ("link", "request") if each in how}
    return w.opening(name, **{**how, **known})


MADE: dict[str, Callable[..., Any]] = {
    "opening-of": _opening,
    "appointment-of": lambda w, name, **how: appointment(name, **how),
    "correction-of": lambda w, number, **how: correction(number, **how),
    "succession-of": lambda w, name, number=1, later=2, **how: succession(
        Person(name, number), Person(name, later), **how
    ),
    "repeat": lambda w, value, times: value * times,
}
"""what a table with this member stands for; its other members say how it is made"""

TABLES: dict[str, type[Table]] = {"lost browser": Table, "event": EventTable}
GAMES = {"seated", "opened", "unopened", *TABLES}
"""how a game begins"""

MEMBERS = {"name", "about", "fails", "game", "label", "parties", "contributors", "terms", "length", "checks"}
MEMBERS |= {"recovery", "strangers", "body", "acts", "expect", "checkpoint"}
"""of a row"""

PARTY = ("name", "names", "who", "author", "party", "holder", "missing", "without", "others")
"""the arguments that name parties"""


class WrongRow(ValueError):
    """A row that cannot be played. The message begins with the row's name."""


def _number(w: Writer, type_: str, count: str = "0") -> int:
    """The number of an event: the last of its type, or the first, the second, …"""
    found = [number for number, line in enumerate(w.lines) if json.loads(line)["type"] == type_]
    if not found or not count.isdigit() or int(count) > len(found):
        raise ValueError(f"there is no ${type_} {count}")
    return found[int(count) - 1]


def value(w: Writer, given: Any) -> Any:
    """What stands in a row, with all that the game so far has to say about it."""
    if isinstance(given, str) and given.startswith("$"):
        word, *words = given[1:].split()
        return VALUES[word](w, *words) if word in VALUES else _number(w, word, *words)
    if isinstance(given, list):
        return [value(w, each) for each in given]
    if isinstance(given, dict):
        known = {name: value(w, each) for name, each in given.items()}
        name = next((name for name in MADE if name in known), None)
        if name is None:
            return known
        changed = known.pop("changed", {})
        made = MADE[name](w, known.pop(name), **known)
        return {**made, **changed} if changed else made
    return given


def act(w: Writer, words: list[Any], usual: dict[str, Any], strangers: list[str]) -> None:
    """Play one act: its word, then the arguments, then a table of those that have a name.

    `usual`: arguments of acts that do not have them. Raises `ValueError`, `TypeError` or `LookupError`.
    """
    word, *given = value(w, words)
    if word not in METHODS and word not in ACTS:
        raise ValueError("there is no such act")
    does = partial(ACTS[word], w) if word in ACTS else getattr(w, word.replace(" ", "_"))
    signature = inspect.signature(does)
    places = list(signature.parameters)
    named = bool(given) and isinstance(given[-1], dict) and places[len(given) - 1 : len(given)] != ["body"]
    bound = signature.bind_partial(*given[: -1 if named else None], **(given[-1] if named else {}))
    for place in set(places) & set(usual) - set(bound.arguments):
        bound.arguments[place] = usual[place]
    if not isinstance(bound.arguments.get("how", {}), dict):
        raise TypeError("too many arguments")
    if isinstance(bound.arguments.get("body"), str):
        bound.arguments["body"] = BODIES[bound.arguments["body"]]
    for place in PARTY:
        names = bound.arguments.get(place, ())
        for name in [names] if isinstance(names, str) else names:
            if name not in w.roles and name not in strangers:
                raise ValueError(f"{name} is no party, and not among the row's `strangers`")
    does(*bound.args, **bound.kwargs)


def begin(row: dict[str, Any]) -> Writer:
    """The game of a row before its first act."""
    parties = dict(PARTIES[row["parties"]] if isinstance(row["parties"], str) else row["parties"])
    contributors, game = row.get("contributors", "all"), row.get("game", "seated")
    if game not in GAMES:
        raise ValueError(f"there is no game {game}")
    w = Writer(row["label"], parties, contributors)
    terms = value(w, row.get("terms", {}))
    if game in TABLES:
        more = {"recovery": value(w, row["recovery"])} if "recovery" in row else {}
        return TABLES[game](row["label"], parties, contributors=contributors, **terms, **more)
    if game != "unopened":
        w.open(**terms)
    if game == "seated":
        system = ref.AnyDice if terms.get("system") == "dice-1" else ref.Magic
        w.seat_all(row.get("length", 5), row.get("checks", ()), system)
    return w


def play(row: dict[str, Any]) -> tuple[Any, ...]:
    """The game of a row, the flawed line's number, what the caller expects, receipts; raises `WrongRow`."""
    usual: dict[str, Any] = {"who": "alice", **{name: row[name] for name in ("body", "length") if name in row}}
    words: Any = "the game"
    try:
        if unknown := set(row) - MEMBERS:
            raise ValueError(f"no such member: {', '.join(sorted(unknown))}")
        w = begin(row)
        for words in row["acts"]:
            act(w, words, usual, row.get("strangers", []))
        words = "what is beside the game"
        expect = value(w, {"game": None, "keys": [], **row["expect"]}) if "expect" in row else None
        beside = [parts.checkpoint(w, row["checkpoint"])] if "checkpoint" in row else []
    except Exception as error:
        raise WrongRow(f"{row.get('name')}: {words}: {error!r}") from error
    return w, row.get("fails", {}).get("seq"), expect, beside


def read(path: Path) -> list[Case]:
    """The cases of one file."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    found = []
    for row in told["log"]:
        fails = row.get("fails", {})
        make = partial(play, {**told.get("usual", {}), **row})
        found.append(Case(row["name"], row["about"], make, fails.get("fault"), fails.get("clause")))
    return found


def stories() -> list[Case]:
    """The cases of all files."""
    return [case for path in sorted(ROWS.glob("*.toml")) if path.name != "named.toml" for case in read(path)]
