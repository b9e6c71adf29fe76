"""What stands behind the dice of a roll where they are shown: arithmetic that is true as it is written."""

from rules.wh40k.record import Part, Roll
from rules.wh40k.values import Dice

__all__ = ["summary"]

_SIGNS = {"divide": "/", "multiply": "×", "add": "+", "subtract": "-"}


def summary(roll: Roll) -> str | None:
    """What the dice come to, and how many pass; None where there is nothing but each die's own result.

    One part is told as a sum, `(2 + 3) × 2 - 2 = 8`; of several, each result stands by itself.
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
    values = [str(roll.dice[number - 1].value) for number in part.dice if number not in part.discarded]
    plus = [str(roll.dice_of_part.plus)] if roll.dice_of_part.plus else []
    terms = [*values, *plus]
    text = " + ".join(terms)
    if roll.dice[part.dice[0] - 1].ruled is not None or part.result is None:
        text = f"{text} = {part.unmodified}" if len(terms) > 1 else f"= {part.unmodified}"
        return text if part.result in (None, part.unmodified) else f"{text}, ruled {part.result}"
    changed = [step for step in part.steps[1:] if step.op in _SIGNS]
    for position, step in enumerate(changed):
        low = position == 0 and len(terms) > 1
        lower = position > 0 and step.op in ("divide", "multiply") and changed[position - 1].op in ("add", "subtract")
        text = f"({text})" if (low and step.op in ("divide", "multiply")) or lower else text
        text = f"{text} {_SIGNS[step.op]} {step.amount}"
    value: int | str = changed[-1].value if changed else part.unmodified
    text = f"{text} = {value}" if changed or len(terms) > 1 else f"= {value}"
    return text if value == part.result else f"{text}, which counts as {part.result}"


def _several(roll: Roll) -> str:
    results = [part.unmodified if part.result is None else part.result for part in roll.parts]
    return f"= {', '.join(map(str, results))}"
