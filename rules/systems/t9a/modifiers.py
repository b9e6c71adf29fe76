"""Modifiers, which a roll names or a player brings after its reveal (specs/t9a.md, T2)."""

from msgspec.structs import replace

from rules.base import given
from rules.common.shared import check_load, open_roll, refuse
from rules.data.bounds import MAX_ITEMS, MAX_SAFE_INTEGER
from rules.systems.t9a import bodies as b
from rules.systems.t9a.state import AppliedModifier, Game, Roll

__all__ = ["check_reach", "modify", "new_modifier"]


def new_modifier(by: str, modifier: b.Modifier, *, late: bool) -> AppliedModifier:
    """Return the state of a modifier that player `by` brings; `late` means after the dice were revealed."""
    return AppliedModifier(modifier.source, by, late, given(modifier.add, None), given(modifier.multiply, None))


def modify(game: Game, author: str, body: b.ModifyBody) -> Game:
    """Return the game with one more modifier on the open roll, behind its others. Raises Violation
    T1.4, T2.3 or T7.3.
    """
    roll = open_roll(game.open, body.roll, "T1.4")
    if roll.direction:
        refuse("T7.3", "a direction is no number: {source} cannot modify it", source=body.modifier.source)
    roll = replace(roll, modifiers=(*roll.modifiers, new_modifier(author, body.modifier, late=True)))
    check_reach(roll, "T2.3")
    check_load(roll.entry_weight, len(roll.kinds) * roll.times, "T2.3")
    return replace(game, open=roll)


def check_reach(roll: Roll, clause: str) -> None:
    """Raise Violation of `clause` if a total could exceed the bound, or there are too many modifiers (T2.3)."""
    if len(roll.modifiers) > MAX_ITEMS:
        refuse(clause, "a roll has at most {most} modifiers", most=MAX_ITEMS)
    if roll.reach > MAX_SAFE_INTEGER:
        refuse(clause, "the total could come to {reach}, above {most}", reach=roll.reach, most=MAX_SAFE_INTEGER)
