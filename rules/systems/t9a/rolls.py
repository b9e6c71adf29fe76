"""Rolls from the request to the reveal (specs/t9a.md, T1, T3.2, T4.4 “at once”, T5.1, T6, T7)."""

import re

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import Event, Waves, complete, given
from rules.common.dice import DiceNotationError, parse
from rules.common.shared import add_to_tally, check_dice_count, check_load, refuse
from rules.data.bounds import MAX_SAFE_INTEGER
from rules.data.language import N_
from rules.systems.t9a import bodies as b
from rules.systems.t9a.modifiers import check_reach, new_modifier
from rules.systems.t9a.rerolls import carry_out, drop, new_rule
from rules.systems.t9a.settling import choice, latest, settle
from rules.systems.t9a.state import SIDES, VALUE, DecisiveNaturals, Die, Game, Kind, Roll, Source, Target

__all__ = ["request_roll", "reveal_roll", "waves"]

_DIRECTIONS: dict[str, tuple[Kind, ...]] = {"direction": ("arrow",), "direction-d6": ("face", "bearing")}
_NUMBERS: dict[int, Kind] = {6: "d6", 3: "d3"}
_TARGET = re.compile(r"(0|[1-9][0-9]{0,15})([+-])", re.ASCII)


def request_roll(game: Game, event: Event, body: b.RollBody) -> tuple[Game, tuple[int, ...]]:
    """Take a roll. Return the game and the sides of the dice to draw first, throw by throw. Raises Violation.

    A roll that stands is settled by it.
    """
    before, game = game, settle(game)
    _check_none_waits(game.open)
    source, times = _source(game, body)
    kinds = _kinds(body.dice)
    _check_direction(body, kinds)
    roll = Roll(
        roll=event.seq,
        player=event.author,
        source=body.source,
        notation=body.dice if times == 1 else f"{times}x{body.dice}",
        kinds=kinds,
        times=times,
        maximised=given(body.maximised, ()),
        minimised=given(body.minimised, ()),
        modifiers=tuple(new_modifier(event.author, m, late=False) for m in given(body.modifiers, ())),
        target=_target(body.target),
        always=_always(body, kinds),
        rules=(),
        zero=given(body.zero, None),
        of=source,
        at_once=body.at_once is True,
    )
    for rule in given(body.rerolls, ()):
        roll = replace(roll, rules=(*roll.rules, new_rule(roll, event.author, rule, late=False)))
    roll = replace(roll, kinds=kinds + kinds[:1] * abs(roll.net))
    # A die is rerolled at most once, so rerolls at once can at most double the number of dice.
    check_dice_count(len(roll.kinds) * roll.times * (2 if roll.at_once else 1), "T1.1")
    check_load(roll.entry_weight, len(roll.kinds) * roll.times, "T2.3")
    check_reach(roll, "T2.3")
    return replace(game, open=roll, before=before), tuple(SIDES[kind] for kind in roll.kinds) * roll.times


def waves(roll: Roll, first: tuple[int, ...]) -> Waves:
    """Draw the dice of orders that are carried out at once."""
    if roll.at_once:
        yield from carry_out(_shown(roll, first))


def reveal_roll(game: Game, roll: Roll, naturals: tuple[int, ...]) -> Game:
    """Return the game with the dice of a roll revealed, dice dropped (T6) and orders carried out (T4.4)."""
    count = len(roll.kinds) * roll.times
    roll = _shown(roll, naturals[:count])
    dropped = sum(not die.kept for die in roll.dice)
    if roll.at_once:
        roll = complete(carry_out(roll), naturals[count:])
    players = add_to_tally(
        game.players, roll.player, dice=len(naturals), ignored=dropped, rerolled=len(naturals) - count
    )
    return replace(game, players=players, open=replace(roll, status="open"), before=None)


def _shown(roll: Roll, naturals: tuple[int, ...]) -> Roll:
    """Return the roll with its first dice."""
    size = len(roll.kinds)
    dice: list[Die] = []
    for throw in range(1, roll.times + 1):
        kinds_and_naturals = zip(roll.kinds, naturals[(throw - 1) * size : throw * size], strict=True)
        dice += drop(
            [
                Die(len(dice) + at, throw, kind, SIDES[kind], (natural,), "counted", VALUE[kind](natural))
                for at, (kind, natural) in enumerate(kinds_and_naturals, 1)
            ],
            roll.net,
        )
    return replace(roll, dice=tuple(dice))


def _check_none_waits(roll: Roll | None) -> None:
    """Raise Violation T1.4 if a roll is open. A roll that stood has been settled before."""
    if roll is not None:
        text = N_("roll {roll} of {player} is not finished: dice of it have to be rerolled first")
        if choice(roll) != "reroll":
            text = N_("roll {roll} of {player} is not finished: {player} can still choose, or resolves it")
        refuse("T1.4", text, roll=roll.roll, player=roll.player)


def _source(game: Game, body: b.RollBody) -> tuple[Source | None, int]:
    """Return the earlier results for which the throws are made, and the number of throws. Raises Violation T1.5."""
    if isinstance(body.of, UnsetType):
        return None, given(body.times, 1)
    last = latest(game)
    if last is None:
        refuse("T1.5", "no roll has been made whose {of} these throws could be for", of=body.of)
    count = last.failures if body.of == "failures" else last.successes
    if not count:
        text = N_("roll {roll} ({source}) has no {of}, so there is nothing to throw for")
        refuse("T1.5", text, roll=last.roll, source=last.source, of=body.of)
    times = given(body.times, count)
    if times > count:
        text = N_("roll {roll} ({source}) has {count} {of}: there are no {times} throws to make for them")
        refuse("T1.5", text, roll=last.roll, source=last.source, count=count, of=body.of, times=times)
    return Source(body.of, last.roll, count), times


def _kinds(dice: str) -> tuple[Kind, ...]:
    """Return the kinds of the dice of one throw. Raises Violation T1.1."""
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
    """Raise Violation T7.3 if a direction has members that only numbers may have, or the other way round."""
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


def _always(body: b.RollBody, kinds: tuple[Kind, ...]) -> DecisiveNaturals:
    if isinstance(body.always, UnsetType):
        return DecisiveNaturals()
    always = DecisiveNaturals(given(body.always.success, ()), given(body.always.failure, ()))
    problem = None
    if isinstance(body.target, UnsetType):
        problem = N_("without a target nothing succeeds or fails")
    elif len(kinds) != 1:
        problem = N_("a natural is that of one D6, but {dice} is several; for several throws of one use times")
    elif not always.success and not always.failure:
        problem = N_("say which naturals always succeed or fail")
    elif set(always.success) & set(always.failure):
        problem = N_("the same natural cannot both succeed and fail")
    if problem:
        refuse("T3.2", problem, dice=body.dice)
    return always
