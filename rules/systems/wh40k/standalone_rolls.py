"""Rolls outside of attacks, such as charges and psychic tests (specs/wh40k.md, "Bodies", W1, W2, W16)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rules.actions import Action
from rules.base import given
from rules.common.shared import check_load, refuse
from rules.data.bounds import MAX_SAFE_INTEGER
from rules.data.language import N_, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.fields import free, one_of, range_of
from rules.systems.wh40k.record import FreePurpose, Roll
from rules.systems.wh40k.units import possible
from rules.systems.wh40k.values import check_size, parse

__all__ = ["offers", "plan"]


def plan(author: str, seq: int, body: b.FreeRoll) -> Roll:
    """Return a roll of the dice that a player names. Raises Violation W1 or W2."""
    dice = parse(body.dice)
    added = body.sum is True
    if not added and (dice.plus or dice.added < dice.count):
        text = N_("{dice}: a number is added, and dice are discarded, where dice are added together: say so (sum)")
        refuse("W1", text, dice=body.dice)
    changes = given(body.modifiers, ())
    one = dice if added else replace(dice, count=1)
    check_size(possible(one), changes, None)
    roll = Roll(
        seq,
        author,
        FreePurpose(),
        body.source,
        dice.text,
        one,
        (given(body.needs, None),) * (1 if added else dice.count),
        test=given(body.test, None),
        changes=changes,
        rerolls=given(body.rerolls, ()),
        at_most=body.at_most is True,
        passes=given(body.passes, ()),
        fails=given(body.fails, ()),
    )
    check_load(roll.entry_weight, len(roll.needs), "W2")
    return roll


def offers() -> Iterator[Action]:
    """Yield any roll: without a test, with one, and for attacks of units that are not declared."""
    source = free("source", N_("what is rolled for"), "text")
    dice = free("dice", N_("the dice"), "dice", "W1")
    added = one_of("sum", N_("the dice are added together"), [True], required=False)
    needs = range_of("needs", N_("what is needed to pass"), -MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
    passes = free("passes", N_("unmodified results that always pass"), "integers", required=False)
    fails = free("fails", N_("unmodified results that always fail"), "integers", required=False)
    changes = free("modifiers", N_("what changes it"), "changes", "W2", required=False)
    rules = free("rerolls", N_("rules that let dice be rerolled"), "reroll-rules", required=False)
    at_most = one_of("at_most", N_("passes on that or less"), [True], required=False)
    test = one_of("test", N_("what it is a roll of"), ["hit", "wound", "save"])
    body = {"for": "free"}
    yield Action("roll", Message("roll dice"), "W1", (source, dice, added, changes, rules), body)
    tested = (source, dice, added, needs, at_most, passes, fails, changes, rules)
    yield Action("roll", Message("roll dice that pass or fail"), "W2", tested, body)
    attacked = (source, dice, added, test, needs, passes, fails, changes, rules)
    yield Action("roll", Message("roll to hit, to wound or to save"), "W16", attacked, body)
