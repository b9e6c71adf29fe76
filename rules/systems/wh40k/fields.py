"""Short constructors for fields of actions (specs/rules.md, "Actions")."""

from collections.abc import Iterable
from typing import Any

from rules.actions import Field, Free, OneOf, Range, Scalar, SomeOf, options
from rules.data.language import Message
from rules.systems.wh40k.state import Game

__all__ = ["count_of", "free", "one_of", "one_unit", "range_of", "some_of"]


def one_of(name: str, label: str, values: Iterable[Scalar | tuple[Scalar, Message]], *, required: bool = True) -> Field:
    """Return a field for one of these values."""
    return Field(name, Message(label), OneOf(options(values)), required)


def one_unit(name: str, label: str, game: Game, units: Iterable[str]) -> Field:
    """Return a field for one of these units, by their names."""
    return one_of(name, label, [(unit, Message("{name}", name=game.unit_name(unit))) for unit in units])


def some_of(
    name: str,
    label: str,
    values: Iterable[Scalar | tuple[Scalar, Message]],
    least: int,
    most: int,
    *,
    required: bool = True,
) -> Field:
    """Return a field for `least` to `most` of these values."""
    return Field(name, Message(label), SomeOf(options(values), least, most), required)


def range_of(name: str, label: str, least: int, most: int, *, required: bool = True, default: Any = None) -> Field:
    """Return a field for a whole number."""
    return Field(name, Message(label), Range(least, most), required, default)


def count_of(name: str, label: str, most: int, *, required: bool) -> Field:
    """Return a field for a count from 1; if it is absent, the count is `most`."""
    return range_of(name, label, 1, most, required=required, default=None if required else most)


def free(name: str, label: str, grammar: str, *clauses: str, required: bool = True) -> Field:
    """Return a field that the party writes in a grammar. It can be refused only under these clauses."""
    return Field(name, Message(label), Free(grammar, clauses), required)
