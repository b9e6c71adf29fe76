"""The 9th Age: modifiers, named in the roll or brought when its dice show (specs/t9a.md, T2)."""

from msgspec.structs import replace

from rules.base import given
from rules.common.shared import check_load, open_roll, refuse
from rules.data.bounds import MAX_ITEMS, MAX_SAFE_INTEGER
from rules.systems.t9a import bodies as b
from rules.systems.t9a.state import Game, Modifier, Roll

__all__ = ["check_reach", "modify", "new_modifier"]


def new_modifier(by: str, modifier: b.Modifier, *, late: bool) -> Modifier:
    """The modifier of a body, brought by the player `by`; `late` when the dice had been shown."""
    return Modifier(modifier.source, by, late, given(modifier.add, None), given(modifier.multiply, None))


def modify(game: Game, author: str, body: b.ModifyBody) -> Game:
    """A further modifier bears on the open roll, after those that it has. Raises Violation T1.4, T7.3, T2.3."""
    roll = open_roll(game.open, body.roll, "T1.4")
    if roll.direction:
        refuse("T7.3", "a direction is no number: {source} cannot modify it", source=body.modifier.source)
    roll = replace(roll, modifiers=(*roll.modifiers, new_modifier(author, body.modifier, late=True)))
    check_reach(roll, "T2.3")
    check_load(roll.told, len(roll.kinds) * roll.times, "T2.3")
    return replace(game, open=roll)


def check_reach(roll: Roll, clause: str) -> None:
    """T2.3: every total can be written down. Raises Violation of `clause`."""
    if len(roll.modifiers) > MAX_ITEMS:
        refuse(clause, "a roll has at most {most} modifiers", most=MAX_ITEMS)
    if roll.reach > MAX_SAFE_INTEGER:
        refuse(clause, "the total could come to {reach}, above {most}", reach=roll.reach, most=MAX_SAFE_INTEGER)
