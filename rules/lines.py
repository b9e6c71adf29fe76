"""Parsing of a roll that was typed on one line, in the notation of its game (specs/rules.md)."""

from typing import Any, get_args

import msgspec

from rules.actions import agrees
from rules.base import Body, NotationError, System

__all__ = ["read_roll"]


def read_roll(system: System[Any], line: str, game: Any, party: str) -> Body:
    """Parse a line into the body of a `roll`, by trying each notation that the system has for rolls.

    If exactly one action of the party agrees with the line, the members that it has decided are filled in, such as the
    call that the roll answers. Raises NotationError if no notation fits or several do, and msgspec.ValidationError for
    a value that the schema refuses.
    """
    schema = system.bodies["roll"]
    read: list[Any] = []
    problem = NotationError("a roll of {name} has no notation", name=system.name)
    for kind in get_args(schema) or (schema,):
        notation = next((n for noted, n in system.notations.items() if kind in (get_args(noted) or (noted,))), None)
        if notation is None:
            continue
        try:
            read.append(notation.parse(line) | _tag(kind))
        except NotationError as error:
            problem = error.with_example(notation.example)
    if len(read) > 1:
        raise NotationError("this line can be {count} kinds of roll", count=len(read))
    if not read:
        raise problem
    meant = [a for a in system.actions(game, party) if a.type == "roll" and agrees(a, read[0])]
    decided = meant[0].body if len(meant) == 1 else {}
    body: Body = msgspec.convert({**decided, **read[0]}, schema)
    return body


def _tag(kind: Any) -> dict[str, Any]:
    """Return the member that tells a body from the others of its type, if there are several."""
    config = kind.__struct_config__
    return {config.tag_field: config.tag} if config.tag_field else {}
