"""The 9th Age: a roll from its request to its dice (specs/t9a.md, T1, T3.2, T5.1, T6, T7)."""

import re
from typing import Literal

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import Event, given
from rules.bounds import MAX_ITEMS, MAX_SAFE_INTEGER
from rules.dice import DiceNotationError, parse
from rules.shared import add_to_tally, check_dice_count, check_none_open, extremes, refuse
from rules.t9a import bodies as b
from rules.t9a.rerolls import new_rule
from rules.t9a.state import SIDES, VALUE, Always, Die, Game, Kind, Modifier, Roll, Target

_DIRECTIONS: dict[str, tuple[Kind, ...]] = {"direction": ("arrow",), "direction-d6": ("face", "bearing")}
_NUMBERS: dict[int, Kind] = {6: "d6", 3: "d3"}
_TARGET = re.compile(r"(0|[1-9][0-9]{0,15})([+-])", re.ASCII)


def request_roll(game: Game, event: Event, body: b.RollBody) -> tuple[Game, tuple[int, ...]]:
    """Take a roll; also the sides of the dice to draw, throw by throw."""
    check_none_open(game.open, "T1.4")
    kinds = _kinds(body.dice)
    _check_direction(body, kinds)
    roll = Roll(
        roll=event.seq,
        player=event.author,
        source=body.source,
        notation=body.dice if body.times == 1 else f"{body.times}x{body.dice}",
        kinds=kinds,
        times=body.times,
        maximised=given(body.maximised, ()),
        minimised=given(body.minimised, ()),
        modifiers=tuple(new_modifier(event.author, m, late=False) for m in given(body.modifiers, ())),
        target=_target(body.target),
        always=_always(body, kinds),
        rules=(),
        zero=given(body.zero, None),
    )
    for rule in given(body.rerolls, ()):
        roll = replace(roll, rules=(*roll.rules, new_rule(roll, event.author, rule, late=False)))
    roll = replace(roll, kinds=kinds + kinds[:1] * abs(roll.net))
    check_dice_count(len(roll.kinds) * roll.times, "T1.1")
    check_reach(roll, "T2.3")
    return replace(game, open=roll), tuple(SIDES[kind] for kind in roll.kinds) * roll.times


def reveal_roll(game: Game, roll: Roll, naturals: tuple[int, ...]) -> Game:
    """The dice show these naturals; what Maximised or Minimised takes is dropped (T6)."""
    size = len(roll.kinds)
    dice: list[Die] = []
    for throw in range(1, roll.times + 1):
        shown = naturals[(throw - 1) * size : throw * size]
        dropped = extremes(shown, abs(roll.net), "lowest" if roll.net > 0 else "highest")
        for position, (kind, natural) in enumerate(zip(roll.kinds, shown, strict=True)):
            status: Literal["counted", "ignored"] = "ignored" if position in dropped else "counted"
            die = Die(len(dice) + 1, throw, kind, SIDES[kind], (natural,), status, VALUE[kind](natural))
            dice.append(die)
    players = add_to_tally(game.players, roll.player, dice=len(dice), ignored=sum(not die.kept for die in dice))
    return replace(game, players=players, open=replace(roll, status="open", dice=tuple(dice)))


def new_modifier(by: str, modifier: b.Modifier, *, late: bool) -> Modifier:
    return Modifier(modifier.source, by, late, given(modifier.add, None), given(modifier.multiply, None))


def check_reach(roll: Roll, clause: str) -> None:
    """T2.3: every total can be written down. Raises Violation of `clause`."""
    if len(roll.modifiers) > MAX_ITEMS:
        refuse(clause, "a roll has at most {most} modifiers", most=MAX_ITEMS)
    if roll.reach > MAX_SAFE_INTEGER:
        refuse(clause, "the total could come to {reach}, above {most}", reach=roll.reach, most=MAX_SAFE_INTEGER)


def _kinds(dice: str) -> tuple[Kind, ...]:
    """The kinds of the dice that one throw calls for (T1.1)."""
    if dice in _DIRECTIONS:
        return _DIRECTIONS[dice]
    try:
        sides = parse(dice)
    except DiceNotationError as error:
        refuse("T1.1", "{error}, or direction, or direction-d6", error=error)
    if set(sides) not in ({6}, {3}):
        refuse("T1.1", "{dice} is not rolled in this game: its dice are D6, or D3 (a D6 halved)", dice=dice)
    return (_NUMBERS[sides[0]],) * len(sides)


def _check_direction(body: b.RollBody, kinds: tuple[Kind, ...]) -> None:
    """T7.3: a direction is no number, and a number no direction."""
    if kinds[0] in _NUMBERS.values():
        if not isinstance(body.zero, UnsetType):
            refuse("T7.3", "{dice} gives no direction: leave out zero", dice=body.dice)
        return
    for member in ("maximised", "minimised", "modifiers", "target", "always"):
        if not isinstance(getattr(body, member), UnsetType):
            refuse("T7.3", "a direction is no number: {member} cannot concern it", member=member)


def _target(text: str | UnsetType) -> Target | None:
    if isinstance(text, UnsetType):
        return None
    match = _TARGET.fullmatch(text)
    if match is None or int(match[1]) > MAX_SAFE_INTEGER:
        refuse("T1.3", "{text!r} is no target: write 4+ (4 or more), or 8- (8 or less)", text=text[:60])
    return Target(text, int(match[1]), match[2] == "-")


def _always(body: b.RollBody, kinds: tuple[Kind, ...]) -> Always:
    if isinstance(body.always, UnsetType):
        return Always()
    always = Always(given(body.always.success, ()), given(body.always.failure, ()))
    problem = None
    if isinstance(body.target, UnsetType):
        problem = "without a target nothing succeeds or fails"
    elif len(kinds) != 1:
        problem = "a natural is that of one D6, but {dice} is several; for several throws of one use times"
    elif not always.success and not always.failure:
        problem = "say which naturals always succeed or fail"
    elif set(always.success) & set(always.failure):
        problem = "the same natural cannot both succeed and fail"
    if problem:
        refuse("T3.2", problem, dice=body.dice)
    return always
