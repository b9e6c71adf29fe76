"""Reroll rules, rerolls, and first results that stand (specs/t9a.md, T4, T5.2, T6.5)."""

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from typing import Literal, NoReturn

from msgspec.structs import replace

from rules.base import given
from rules.common.shared import (
    FirstStands,
    Rerolled,
    add_to_tally,
    check_load,
    check_roller,
    check_room,
    extremes,
    find_die,
    open_roll,
    refuse,
)
from rules.data.bounds import MAX_SAFE_INTEGER
from rules.data.language import N_
from rules.systems.t9a import bodies as b
from rules.systems.t9a.modifiers import check_reach
from rules.systems.t9a.state import VALUE, Die, First, Game, PendingReroll, Piece, Roll, Rule

__all__ = [
    "allowed_rerolls",
    "carry_out",
    "concerns",
    "declare",
    "drop",
    "limits",
    "may_stand",
    "new_rule",
    "ordered_reroll",
    "pieces",
    "request_reroll",
    "reveal_reroll",
    "stand",
    "whole",
]

Pieces = tuple[Piece, ...]


# --- rules ---------------------------------------------------------------------------------------------------------


def declare(game: Game, author: str, body: b.DeclareReroll) -> Game:
    """Return the game with one more reroll rule for the open roll. Raises Violation T1.4, T4.2 or T7.3."""
    roll = open_roll(game.open, body.roll, "T1.4")
    rule = new_rule(roll, author, body.rule, late=True)
    check_room(len(roll.rules), "T4.2")
    roll = replace(roll, rules=(*roll.rules, rule))
    check_load(roll.entry_weight, len(roll.kinds) * roll.times, "T4.2")
    return replace(game, open=roll)


def new_rule(roll: Roll, by: str, rule: b.RerollRule, *, late: bool) -> Rule:
    """Return the state of one more reroll rule of the roll. Raises Violation T4.2 or T7.3."""
    if roll.direction and rule.which not in ("any", "throw"):
        text = N_(
            "a direction is no number: {source} can reroll any of them, or the throw, but not those that are {which}"
        )
        refuse("T7.3", text, source=rule.source, which=rule.which)
    if roll.target is None and rule.which in ("failed", "successful"):
        refuse("T4.2", "without a target nothing succeeds or fails, so {source} rerolls nothing", source=rule.source)
    return Rule(
        rule=len(roll.rules) + 1,
        source=rule.source,
        by=by,
        late=late,
        which=rule.which,
        naturals=given(rule.naturals, ()),
        may=rule.may is True,
        pick=given(rule.pick, None),
        dropped=rule.dropped is True,
        first=rule.first is True,
    )


def whole(roll: Roll, rule: Rule) -> bool:
    """Return whether the pieces of the rule are throws, not single dice."""
    return roll.direction or rule.judged or rule.which == "throw"


def pieces(roll: Roll, rule: Rule, *, rerolled: bool = False) -> Pieces:
    """Return the pieces that a rule concerns (T4.2). With `rerolled`, also those that have been rerolled already."""
    found: list[Piece] = []
    for throw in roll.throws:
        if rule.judged and throw.success is not (rule.which == "successful"):
            continue
        left = [die for die in roll.of_throw(throw.throw) if rerolled or not die.rerolled]
        dice = [d.die for d in left if d.kept and (rule.which != "natural" or d.natural in rule.naturals)]
        if not whole(roll, rule):
            found += [Piece(None, (die,)) for die in dice]
        elif dice:
            found.append(Piece(throw.throw, tuple(d.die for d in left) if rule.dropped else tuple(dice)))
    return tuple(found)


def _can_reroll(roll: Roll, rule: Rule) -> bool:
    return rule.left != 0 and concerns(roll, rule)


def concerns(roll: Roll, rule: Rule) -> bool:
    """Return whether the rule concerns any piece, as `bool(pieces(roll, rule))` does, in constant time."""
    wanted = rule.which == "successful"
    return any(
        (not rule.judged or success is wanted) and (rule.which != "natural" or natural in rule.naturals)
        for success, natural in roll.fresh
    )


def ordered_reroll(roll: Roll) -> Rule | None:
    """Return the first rule that orders a reroll which has not been made (T4.4); None without one."""
    return next((rule for rule in roll.rules if not rule.may and _can_reroll(roll, rule)), None)


def allowed_rerolls(roll: Roll) -> tuple[Rule, ...]:
    """Return the rules that can still reroll something."""
    return tuple(rule for rule in roll.rules if _can_reroll(roll, rule))


def limits(rule: Rule, found: Pieces) -> tuple[int, int]:
    """Return the least and the most of the pieces `found` that a reroll by this rule takes (T4.2)."""
    most = len(found) if rule.left is None else min(rule.left, len(found))
    return (1 if rule.may else most), most


# --- a reroll --------------------------------------------------------------------------------------------------------


def request_reroll(game: Game, author: str, body: b.RerollBody) -> tuple[Game, tuple[int, ...]]:
    """Take a reroll. Return the game and the sides of the dice to draw. Raises Violation T1.4, T4.1, T4.2, T5.2 or
    T6.5.
    """
    roll = open_roll(game.open, body.roll, "T1.4")
    check_roller(roll, author, "T1.4")
    if body.rule > len(roll.rules):
        refuse("T4.2", "roll {roll} has no reroll rule {rule}: declare it first", roll=roll.roll, rule=body.rule)
    rule = roll.rules[body.rule - 1]
    if rule.left == 0:
        text = N_("reroll rule {rule} ({source}) has rerolled as many as it can: {pick}")
        refuse("T4.2", text, rule=rule.rule, source=rule.source, pick=rule.pick)
    chosen = _chosen(roll, rule, body)
    pending = PendingReroll(rule.rule, chosen)
    return replace(game, pending=pending), _sides(roll, chosen)


def reveal_reroll(game: Game, roll: Roll, pending: PendingReroll, naturals: tuple[int, ...]) -> Game:
    """Return the game with the second results, which are final (T4.3)."""
    again = _rolled_again(roll, roll.rules[pending.rule - 1], pending.pieces, naturals)
    players = add_to_tally(game.players, roll.player, dice=len(naturals), rerolled=len(naturals))
    return replace(game, players=players, open=again, pending=None)


def carry_out(roll: Roll) -> Generator[tuple[int, ...], Sequence[int], Roll]:
    """Carry out the orders of a revealed roll “at once” (T4.4), and return the roll after them.

    The generator yields the sides of the dice that an order draws, and receives their naturals.
    """
    for number in range(len(roll.rules)):
        rule = roll.rules[number]
        if rule.may or not concerns(roll, rule):
            continue
        found = pieces(roll, rule)
        if limits(rule, found)[1] == len(found):
            roll = _rolled_again(roll, rule, found, (yield _sides(roll, found)))
    return roll


def _sides(roll: Roll, chosen: Pieces) -> tuple[int, ...]:
    return tuple(roll.dice[number - 1].sides for piece in chosen for number in piece.dice)


def _rolled_again(roll: Roll, rule: Rule, chosen: Pieces, naturals: Iterable[int]) -> Roll:
    dice = list(roll.dice)
    numbers = (number for piece in chosen for number in piece.dice)
    for number, natural in zip(numbers, naturals, strict=True):
        die = dice[number - 1]
        step = Rerolled(die.natural, rule.source)
        dice[number - 1] = replace(
            die, naturals=(*die.naturals, natural), result=VALUE[die.kind](natural), steps=(*die.steps, step)
        )
    rules = tuple(replace(r, rerolled=r.rerolled + len(chosen)) if r is rule else r for r in roll.rules)
    firsts = (*roll.firsts, *(First(rule.rule, piece) for piece in chosen)) if rule.first else roll.firsts
    roll = replace(roll, dice=tuple(dice), rules=rules, firsts=firsts)
    return _dropped_anew(roll, chosen) if rule.dropped else roll


def _dropped_anew(roll: Roll, chosen: Pieces) -> Roll:
    """Return the roll with dropped dice chosen again in these throws, because a rule rerolled dropped
    dice too (T6.5).
    """
    throws = {piece.throw for piece in chosen}
    dice: list[Die] = []
    for throw in range(1, roll.times + 1):
        dice += drop(roll.of_throw(throw), roll.net) if throw in throws else roll.of_throw(throw)
    return replace(roll, dice=tuple(dice))


def drop(dice: Sequence[Die], net: int) -> list[Die]:
    """Return the dice of a throw with `net` of them dropped: the lowest if it is above 0, the highest if below (T6)."""
    if not net:
        return list(dice)
    gone = extremes([die.natural for die in dice], abs(net), "lowest" if net > 0 else "highest")
    statuses: list[Literal["counted", "ignored"]] = ["ignored" if at in gone else "counted" for at in range(len(dice))]
    return [replace(die, status=status) for die, status in zip(dice, statuses, strict=True)]


# --- choice of pieces ------------------------------------------------------------------------------------------------


def _chosen(roll: Roll, rule: Rule, body: b.RerollBody) -> Pieces:
    """Return the pieces that a reroll names, in its order. Raises Violation T4.2 if they are too few or too many."""
    found = pieces(roll, rule)
    throws, dice = given(body.throws, None), given(body.dice, None)
    if throws is None and dice is None:
        chosen = found
        if not found:
            _refuse_none(roll, rule)
    elif throws is not None:
        _check_kind(rule, "throws", whole(roll, rule))
        chosen = _named(throws, found, partial(_check_throw, roll, rule))
    else:
        _check_kind(rule, "dice", not whole(roll, rule))
        chosen = _named(dice or (), found, partial(_check_die, roll, rule))
    least, most = limits(rule, found)
    if not chosen:
        text = N_("a reroll is of one die or more: name them, or name none for all that {source} concerns")
        refuse("T4.2", text, source=rule.source)
    if not least <= len(chosen) <= most:
        asked = str(most) if least == most else f"{least} to {most}"
        text = N_("{source} ({which}) rerolls {asked} of {found}, not {chosen}: say which")
        refuse("T4.2", text, source=rule.source, which=rule.words, asked=asked, found=len(found), chosen=len(chosen))
    return chosen


def _refuse_none(roll: Roll, rule: Rule) -> NoReturn:
    if pieces(roll, rule, rerolled=True):
        text = N_("{source} concerns only dice that have been rerolled; a die is rerolled once")
        refuse("T4.1", text, source=rule.source)
    refuse("T4.2", "{source} ({which}) concerns no die of this roll", source=rule.source, which=rule.words)


def _check_kind(rule: Rule, named: str, fits: bool) -> None:
    if not fits:
        text = N_("{source} ({which}) rerolls whole throws: name throws, not dice")
        if named == "throws":
            text = N_("{source} ({which}) rerolls single dice: name dice, not throws")
        refuse("T4.2", text, source=rule.source, which=rule.words)


def _named(numbers: Iterable[int], found: Pieces, check: Callable[[int, bool], None]) -> Pieces:
    """Return the pieces with these numbers. `check` gets each number and whether it is in `found`, and may raise
    Violation.
    """
    by_number = {piece.number: piece for piece in found}
    chosen: dict[int, Piece] = {}
    for number in numbers:
        check(number, number in by_number)
        if number in chosen:
            refuse("T4.2", "{number} is named twice", number=number)
        chosen[number] = by_number[number]
    return tuple(chosen.values())


def _check_throw(roll: Roll, rule: Rule, number: int, concerned: bool) -> None:
    if not 1 <= number <= roll.times:
        refuse("T4.2", "there is no throw {throw}; the roll has {count}", throw=number, count=roll.times)
    if all(die.rerolled for die in roll.of_throw(number) if die.kept):
        refuse("T4.1", "throw {throw} has been rerolled; its second result is final", throw=number)
    if not concerned:
        refuse("T4.2", "{source} ({which}) does not concern throw {throw}", **_of(rule), throw=number)


def _check_die(roll: Roll, rule: Rule, number: int, concerned: bool) -> None:
    die = find_die(roll.dice, number, "T4.2")
    if not die.kept:
        refuse("T6.5", "die {die} was dropped: it is not rerolled", die=number)
    if die.rerolled:
        refuse("T4.1", "die {die} has been rerolled; its second result is final", die=number)
    if not concerned and die.kind == "d3" and rule.which == "natural":
        text = N_("die {die} is a D3 whose D6 shows {natural}; {source} is about the D6, not its half")
        refuse("T5.2", text, die=number, natural=die.natural, source=rule.source)
    if not concerned:
        text = N_("{source} ({which}) does not concern die {die}, which shows {natural}")
        refuse("T4.2", text, **_of(rule), die=number, natural=die.natural)


def _of(rule: Rule) -> dict[str, str]:
    return {"source": rule.source, "which": rule.words}


# --- first results that stand --------------------------------------------------------------------------------------


def stand(game: Game, author: str, body: b.IgnoreBody) -> Game:
    """Return the game with the second results of these pieces ignored (T4.3, “unless specifically stated otherwise”).

    Raises Violation T1.4, T2.3 or T4.3.
    """
    roll = open_roll(game.open, body.roll, "T1.4")
    check_roller(roll, author, "T1.4")
    throws = given(body.throws, None)
    numbers = given(body.dice, ()) if throws is None else throws
    can = {first.piece.number: first for first in roll.firsts if (first.piece.throw is None) == (throws is None)}
    if not numbers:
        refuse("T4.3", "say of which dice or throws the first result stands")
    for number in numbers:
        if number not in can:
            text = N_("no rule lets the first result of die {number} stand")
            if throws is not None:
                text = N_("no rule lets the first result of throw {number} stand")
            refuse("T4.3", text, number=number)
        roll = _stands(roll, can.pop(number))
    check_reach(roll, "T2.3")
    return replace(game, open=roll)


def may_stand(roll: Roll) -> tuple[Piece, ...]:
    """Return the pieces whose first result can stand: a rule allows it (T4.3), and T2.3 does not forbid it."""
    return tuple(first.piece for first in roll.firsts if _stands(roll, first).reach <= MAX_SAFE_INTEGER)


def _stands(roll: Roll, first: First) -> Roll:
    rule, dice = roll.rules[first.rule - 1], list(roll.dice)
    for number in first.piece.dice:
        die = dice[number - 1]
        natural = die.naturals[0]
        step = FirstStands(natural, rule.source)
        dice[number - 1] = replace(die, result=VALUE[die.kind](natural), steps=(*die.steps, step))
    firsts = tuple(one for one in roll.firsts if one is not first)
    roll = replace(roll, dice=tuple(dice), firsts=firsts)
    return _dropped_anew(roll, (first.piece,)) if rule.dropped else roll
