"""One-line notations of rolls, effects and triggers, and rolls in everyday words (specs/mtg.md, "Notation")."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.base import Notation, NotationError
from rules.data.language import N_
from rules.systems.mtg import bodies as b
from rules.systems.mtg.grammar import Json, LineParser
from rules.systems.mtg.meant import Meant, meant
from rules.systems.mtg.reading import (
    is_readable,
    read_effect,
    read_ignore,
    read_modifier,
    read_permanent,
    read_roll,
    read_row,
    read_standing,
    read_trigger,
)
from rules.systems.mtg.writing import (
    write_effect,
    write_ignore,
    write_modifier,
    write_permanent,
    write_roll,
    write_row,
    write_standing,
    write_trigger,
)

__all__ = ["NOTATIONS"]


def _parse_roll(text: str) -> Json:
    try:
        return read_roll(text)
    except NotationError as problem:
        roll = meant(text)
        line = None if roll is None else _line_of(roll)
        if roll is None or line is None or not is_readable(line):
            raise problem.offering(*filter(is_readable, problem.lines)) from None
        if not roll.which:
            raise problem.offering(line) from None
        refusal = (
            N_(
                "“{told}” says which dice do not count. It stands at the end, with the name of the card that says so: "
                "{part}"
            )
            if roll.is_named
            else N_(
                "“{told}” says which dice do not count, but no card is named. Write the card's name in the place of "
                "“{card}”, behind the dice and at the end: {part}"
            )
        )
        part = f"| {write_ignore(_ignores_of(roll))}"
        raise NotationError(refusal, lines=[line], told=roll.told, part=part, card=roll.name) from None


def _line_of(roll: Meant) -> str:
    """Return a roll in everyday words in this notation."""
    modifiers = [{"source": roll.name, "amount": roll.amount}] if roll.amount else []
    head = write_roll({"dice": roll.dice, "source": roll.name, **({"modifiers": modifiers} if modifiers else {})})
    return f"{head}{roll.rest}{f' | {write_ignore(_ignores_of(roll))}' if roll.which else ''}"


def _ignores_of(roll: Meant) -> Json:
    return {"source": roll.name, "which": roll.which, "count": roll.count}


def _whole(parse: Callable[[LineParser], Json]) -> Callable[[str], Json]:
    def parsed(text: str) -> Json:
        read = LineParser(text)
        body = parse(read)
        read.end()
        return body

    return parsed


NOTATIONS: Mapping[Any, Notation] = {
    b.RollBody: Notation(
        "roll", "d20 Delina, Wild Mage | 1–14: one token | 15–20: You may roll again.", _parse_roll, write_roll
    ),
    b.Modifier: Notation("modifier", "+2: the instruction", _whole(read_modifier), write_modifier),
    b.Effect: Notation("effect", "may reroll one, mana {1}: Monitor Monitor", _whole(read_effect), write_effect),
    b.Ignores: Notation("ignore", "+1 ignore lowest: Pixie Guide", _whole(read_ignore), write_ignore),
    b.Row: Notation("row", "15–20: Draw a card. You may roll again.", _whole(read_row), write_row),
    b.DeclareTrigger: Notation(
        "trigger", "whenever you roll one or more dice: Brazen Dwarf", _whole(read_trigger), write_trigger
    ),
    b.DeclareStanding: Notation("standing", "+1 ignore lowest: Pixie Guide", _whole(read_standing), write_standing),
    b.DeclarePermanent: Notation("permanent", "centaur: Centaur of Attention", _whole(read_permanent), write_permanent),
}
"""schema → notation"""
