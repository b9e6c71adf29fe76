"""Magic 706.1, 706.6, 706.7: the dice that an instruction calls for, and what `ignores` make of them."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from msgspec import UNSET, UnsetType

from rules.base import given
from rules.bounds import MAX_DICE
from rules.dice import DiceNotationError, parse
from rules.language import N_
from rules.mtg import bodies as b
from rules.mtg.state import PLANAR, PLANAR_SIDES, Demand, Game
from rules.shared import check_dice_count, refuse

__all__ = ["Kind", "called_for", "check_planar", "same_dice", "with_ignores"]

Kind = tuple[int, bool]
"""sides of a die, and whether it is planar"""

_PLANAR_TERM = re.compile(rf"([1-9][0-9]{{0,3}})?{PLANAR}", re.ASCII)


@lru_cache(maxsize=256)
def called_for(dice: str) -> tuple[Kind, ...]:
    """The dice of a notation with planar ones in it. Raises Violation 706.1a."""
    kinds: list[Kind] = []
    if PLANAR not in dice.casefold():
        return _numbered(dice)
    for term in dice.split("+"):
        planar = _PLANAR_TERM.fullmatch(term)
        if planar is not None:
            kinds += [(PLANAR_SIDES, True)] * int(planar[1] or 1)
        elif PLANAR in term.casefold():
            text = N_("{text!r} is not dice notation: write for example planar, 2planar or d20+planar")
            refuse("706.1a", text, text=dice)
        else:
            kinds += _numbered(term)
    if len(kinds) > MAX_DICE:
        text = N_("{text!r} asks for too many dice: at most {most} in one roll")
        refuse("706.1a", text, text=dice[:60], most=MAX_DICE)
    return tuple(kinds)


def _numbered(dice: str) -> tuple[Kind, ...]:
    try:
        return tuple((sides, False) for sides in parse(dice))
    except DiceNotationError as error:
        refuse("706.1a", error.template, **error.values)


def same_dice(one: str, other: str) -> bool:
    """Whether two notations call for the same dice. Raises Violation 706.1a."""
    return called_for(one) == called_for(other)


def check_planar(game: Game, body: b.RollBody, called: tuple[Kind, ...]) -> None:
    """Raises Violation 706.7 where a planar die cannot be rolled, or what is said of it needs a number."""
    if not any(planar for _, planar in called):
        return
    if not game.planechase:
        refuse("706.7", "the planar die is rolled in Planechase games only; this game is none")
    if not all(planar for _, planar in called):
        return
    for member in ("modifiers", "table", "doubles", "store"):
        if getattr(body, member) is not UNSET:
            refuse("706.7", "the planar die has no number: {member} cannot concern it", member=member)
    if any(rule.which in ("lowest", "highest") for rule in given(body.ignores, ())):
        refuse("706.7", "the planar die has no number: it is neither the lowest nor the highest")


def with_ignores(
    called: tuple[Kind, ...], ignores: tuple[b.Ignores, ...] | UnsetType
) -> tuple[tuple[Kind, ...], tuple[Demand, ...]]:
    """The dice that are rolled, in the order of their numbers, and what of them is to be ignored (706.6).

    Raises Violation 706.1.
    """
    rules = given(ignores, ())
    if not rules:
        return called, ()
    dice = list(called)
    groups: list[list[int]] = []
    """of dice by their numbers; a die that was not doubled has none"""
    for rule in rules:
        if rule.which == "pair":
            check_dice_count(2 * len(dice), "706.1")
            count = len(dice)
            grouped = {number for group in groups for number in group}
            groups = [[*group, *(number + count for number in group)] for group in groups]
            groups += [[number, number + count] for number in range(1, count + 1) if number not in grouped]
            dice += dice
        elif rule.extra:
            check_dice_count(len(dice) + rule.extra, "706.1")
            dice += [_extra_kind(called, rule)] * rule.extra
    doubling = _sources(rule for rule in rules if rule.which == "pair")
    paired = [Demand(doubling, "pair", len(group) - 1, tuple(group)) for group in sorted(groups)]
    others = groupby((rule for rule in rules if rule.which != "pair"), key=lambda rule: rule.which)
    return tuple(dice), (*paired, *(_together(tuple(alike)) for _, alike in others))


def _together(rules: tuple[b.Ignores, ...]) -> Demand:
    """What neighbours of one kind ask for: the two lowest, not a lowest and then another."""
    return Demand(_sources(rules), rules[0].which, sum(rule.count for rule in rules))


def _sources(rules: Iterable[b.Ignores]) -> str:
    return ", ".join(dict.fromkeys(rule.source for rule in rules))


def _extra_kind(called: tuple[Kind, ...], rule: b.Ignores) -> Kind:
    """The kind of the dice that an effect adds. Raises Violation 706.1."""
    kinds = {kind for kind in called if not kind[1]}
    if isinstance(rule.sides, UnsetType):
        if len(kinds) > 1:
            text = N_("dice of several kinds are rolled: say which kind {source} adds, by its sides")
            refuse("706.1", text, source=rule.source)
        return kinds.pop() if kinds else called[0]
    if (rule.sides, False) not in kinds:
        text = N_("{source} adds dice of a kind that is rolled, and no d{sides} is")
        refuse("706.1", text, source=rule.source, sides=rule.sides)
    return rule.sides, False
