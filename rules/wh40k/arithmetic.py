"""What stands behind the dice of a roll where they are shown: arithmetic that is true as it is written."""

from collections.abc import Sequence

from rules.wh40k.record import Part, Roll
from rules.wh40k.values import Dice, Step

__all__ = ["summary"]

_MANY = 10
"""more dice than these are told as their sum"""
_SIGNS = {"divide": "/", "multiply": "×", "add": "+", "subtract": "−"}


def summary(roll: Roll) -> str | None:
    """What the dice come to, and how many pass; None where there is nothing but each die's own result.

    One part is told as a sum, `= (2 + 3) × 2 − 2 = 8`; of several, each result stands by itself.
    """
    plain = roll.dice_of_part == Dice(1, 6, 0) and set(roll.needs) == {None}
    if not roll.parts or (plain and not roll.changes and not roll.least):
        return None
    settled = roll.parts[0].result is not None
    text = _one(roll, roll.parts[0]) if len(roll.parts) == 1 else _several(roll)
    needs = set(roll.needs)
    if not settled or needs == {None}:
        return text
    passed = sum(part.passed is True for part in roll.parts)
    sign = "-" if roll.at_most else "+"
    told = f"{needs.pop()}{sign}" if len(needs) == 1 else "passed"
    if len(roll.parts) > 1:
        return f"{text}; {told}: {passed} of {len(roll.parts)}"
    return f"{text}, {told} {'succeeds' if passed else 'fails'}"


def _one(roll: Roll, part: Part) -> str:
    terms = _terms(roll, part)
    text = f"= {_signed(part.unmodified)}"
    if len(terms) > 1 and roll.dice_of_part.plus:
        text = f"= {_calculation(terms, ())} = {_signed(part.unmodified)}"
    # What a judge ruled of a die by itself is the result, whatever the changes. The first step is what was rolled.
    ruled = len(part.dice) == 1 and roll.dice[part.dice[0] - 1].ruled is not None
    steps = () if ruled else part.steps[1:]
    changed = [step for step in steps if step.op in _SIGNS]
    value: int | str = part.unmodified
    if changed:
        start = next((step.value for step in steps if step.op == "set"), value)
        value = changed[-1].value
        if start == part.unmodified:
            text = f"= {_calculation(terms, changed)} = {_signed(value)}"
        else:
            calculation = _calculation([_signed(start)], changed)
            text = f"{text}, which counts as {_signed(start)}; {calculation} = {_signed(value)}"
    return text if part.result in (None, value) else f"{text}, which counts as {_signed(part.result)}"


def _terms(roll: Roll, part: Part) -> list[str]:
    """What is added, before all changes. What a judge ruled of one of several dice is what is added of it."""
    dice = [roll.dice[number - 1] for number in part.dice if number not in part.discarded]
    if len(dice) > _MANY:
        return [_signed(part.unmodified)]
    values = [die.value if die.ruled is None or len(part.dice) == 1 else die.ruled for die in dice]
    return [_signed(value) for value in (*values, *([roll.dice_of_part.plus] if roll.dice_of_part.plus else []))]


def _calculation(terms: Sequence[str], changed: Sequence[Step]) -> str:
    """`(2 + 3) × 2 − 2`: what is done first stands in brackets where the signs would say otherwise."""
    text = " + ".join(terms)
    added = len(terms) > 1
    for step in changed:
        if step.op in ("divide", "multiply") and added:
            text, added = f"({text})", False
        text = f"{text} {_SIGNS[step.op]} {step.amount}"
    return text


def _several(roll: Roll) -> str:
    results = ", ".join(_signed(part.unmodified if part.result is None else part.result) for part in roll.parts)
    ops = {op: n for n, op in enumerate(_SIGNS)}
    changes = sorted((c for c in roll.changes if c.op in ops), key=lambda c: ops[c.op])
    if not changes or roll.parts[0].result is None:
        return f"= {results}"
    return f"each {', '.join(f'{_SIGNS[c.op]} {c.amount}' for c in changes)}: {results}"


def _signed(value: int | str) -> str:
    """With a minus that is one, not a hyphen, as between numbers."""
    return str(value).replace("-", "−")
