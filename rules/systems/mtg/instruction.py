"""The dice of an instruction, and those that `ignores` add to it (706.1, 706.6, 706.7)."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from msgspec import UNSET, UnsetType

from rules.base import given
from rules.common.dice import DiceNotationError, parse
from rules.common.shared import check_dice_count, refuse
from rules.data.bounds import MAX_DICE
from rules.data.language import N_, Message
from rules.systems.mtg import bodies as b
from rules.systems.mtg.state import COIN, COIN_SIDES, PLANAR, PLANAR_SIDES, Demand, Game, Kind, concerns

__all__ = ["MEMBERS", "called_for", "check_coins", "check_planar", "check_random", "same_dice", "with_ignores"]

MEMBERS = {
    "source": N_("source"),
    "dice": N_("dice"),
    "modifiers": N_("modifiers"),
    "effects": N_("effects"),
    "table": N_("the results table"),
    "use": N_("how the results are used"),
    "doubles": N_("what happens on doubles"),
    "store": N_("where results are stored"),
    "call": N_("what is called"),
}
"""member of a roll → words for it"""

_SPECIAL = re.compile(f"{PLANAR}|{COIN}")
_SPECIAL_TERM = re.compile(rf"([1-9][0-9]{{0,3}})?({PLANAR}|{COIN})", re.ASCII)
_SIDES = {PLANAR: PLANAR_SIDES, COIN: COIN_SIDES}


@lru_cache(maxsize=256)
def called_for(dice: str) -> tuple[Kind, ...]:
    """Return the dice of a notation, which can contain planar dice and coins. Raises Violation 706.1a."""
    kinds: list[Kind] = []
    if _SPECIAL.search(dice.casefold()) is None:
        return _numbered(dice)
    for term in dice.split("+"):
        special = _SPECIAL_TERM.fullmatch(term)
        if special is not None:
            kinds += [(_SIDES[special[2]], special[2])] * int(special[1] or 1)
        elif _SPECIAL.search(term.casefold()) is not None:
            text = N_("{text!r} is not dice notation: write for example planar, 2planar, d20+planar or 2coin")
            refuse("706.1a", text, text=dice)
        else:
            kinds += _numbered(term)
    if len(kinds) > MAX_DICE:
        text = N_("{text!r} asks for too many dice: at most {most} in one roll")
        refuse("706.1a", text, text=dice[:60], most=MAX_DICE)
    return tuple(kinds)


def _numbered(dice: str) -> tuple[Kind, ...]:
    try:
        return tuple((sides, "") for sides in parse(dice))
    except DiceNotationError as error:
        refuse("706.1a", error.template, **error.values)


def same_dice(one: str, other: str) -> bool:
    """Return whether two notations stand for the same dice. Raises Violation 706.1a."""
    return called_for(one) == called_for(other)


def check_planar(game: Game, body: b.RollBody, called: tuple[Kind, ...]) -> None:
    """Raise Violation 706.7 if a planar die may not be rolled, or the roll uses what needs numbers."""
    if not any(special == PLANAR for _, special in called):
        return
    if not game.planechase:
        refuse("706.7", "the planar die is rolled in Planechase games only; this game is none")
    if not all(special for _, special in called):
        return
    for member in ("modifiers", "table", "doubles", "store"):
        if getattr(body, member) is not UNSET:
            text = N_("the planar die has no number, so leave this out: {member}")
            refuse("706.7", text, member=Message(MEMBERS[member]))
    if any(rule.which in ("lowest", "highest") for rule in given(body.ignores, ())):
        refuse("706.7", "the planar die has no number: it is neither the lowest nor the highest")


def check_random(body: b.RollBody, called: tuple[Kind, ...]) -> None:
    """Raise Violation 705, 706.3c or 706.7 if a choice at random has members that only rolls may have."""
    if any(special == PLANAR for _, special in called):
        refuse("706.7", "the planar die chooses nothing at random: take a die with a number")
    if any(special == COIN for _, special in called):
        refuse("705", "a coin chooses nothing at random here: flip it, or take a die with a number")
    if any(row.again is not UNSET for row in given(body.table, ())):
        refuse("706.3c", "a choice at random is not rolled again")


def check_coins(body: b.RollBody, called: tuple[Kind, ...]) -> None:
    """Raise Violation 705 if a flip has members that only dice may have, or a call is made without coins."""
    if not any(special == COIN for _, special in called):
        if body.call is not UNSET:
            refuse("705", "heads or tails are called where coins are flipped, and no coin is")
        return
    if not all(special == COIN for _, special in called):
        refuse("705", "a coin is no die: flip it by itself, before the roll or after it")
    for member in ("modifiers", "effects", "table", "doubles", "store"):
        if getattr(body, member) is not UNSET:
            text = N_("a coin shows heads or tails and no number, so leave this out: {member}")
            refuse("705", text, member=Message(MEMBERS[member]))
    if any(rule.which in ("lowest", "highest") for rule in given(body.ignores, ())):
        refuse("705", "a coin has no number: it is neither the lowest nor the highest")


def with_ignores(called: tuple[Kind, ...], rules: tuple[b.Ignores, ...]) -> tuple[tuple[Kind, ...], tuple[Demand, ...]]:
    """Return the dice to roll, in the order of their numbers, and which of them are to be ignored (706.6).

    Raises Violation 706.1.
    """
    if not rules:
        return called, ()
    dice = list(called)
    groups: list[list[int]] = []
    """groups of the numbers of a die and its doubles; a die that was not doubled is in none"""
    for rule in rules:
        if rule.which == "pair":
            doubled = [number for number, kind in enumerate(dice, 1) if concerns(given(rule.only, None), kind)]
            check_dice_count(len(dice) + len(doubled), "706.1")
            partners = dict(zip(doubled, range(len(dice) + 1, len(dice) + len(doubled) + 1), strict=True))
            grouped = {number for group in groups for number in group}
            groups = [[*group, *(partners[number] for number in group if number in partners)] for group in groups]
            groups += [[number, partners[number]] for number in doubled if number not in grouped]
            dice += [dice[number - 1] for number in doubled]
        elif rule.extra:
            check_dice_count(len(dice) + rule.extra, "706.1")
            dice += [_extra_kind(called, rule)] * rule.extra
    doubling = _sources(rule for rule in rules if rule.which == "pair")
    paired = [Demand(doubling, "pair", len(group) - 1, tuple(group)) for group in sorted(groups)]
    others = groupby((rule for rule in rules if rule.which != "pair"), key=lambda rule: (rule.which, rule.only))
    return tuple(dice), (*paired, *(_together(tuple(alike)) for _, alike in others))


def _together(rules: tuple[b.Ignores, ...]) -> Demand:
    """Return one demand for neighbouring effects of one kind: for the two lowest dice, not twice for the lowest."""
    count = sum(rule.count for rule in rules)
    return Demand(_sources(rules), rules[0].which, count, only=given(rules[0].only, None))


def _sources(rules: Iterable[b.Ignores]) -> str:
    return ", ".join(dict.fromkeys(rule.source for rule in rules))


def _extra_kind(called: tuple[Kind, ...], rule: b.Ignores) -> Kind:
    """Return the kind of the dice that an effect adds. Raises Violation 706.1."""
    if not isinstance(rule.only, UnsetType):
        found = next((kind for kind in called if concerns(rule.only, kind)), None)
        if found is None:
            text = N_("{source} adds dice of a kind that is rolled, and no {kind} is")
            refuse("706.1", text, source=rule.source, kind=rule.only)
        return found
    kinds = {kind for kind in called if not kind[1]}
    if isinstance(rule.sides, UnsetType):
        if len(kinds) > 1:
            text = N_("dice of several kinds are rolled: say which kind {source} adds, by its sides")
            refuse("706.1", text, source=rule.source)
        return kinds.pop() if kinds else called[0]
    if (rule.sides, "") not in kinds:
        text = N_("{source} adds dice of a kind that is rolled, and no d{sides} is")
        refuse("706.1", text, source=rule.source, sides=rule.sides)
    return rule.sides, ""
