"""The arithmetic of a roll, as it is shown behind its dice."""

from collections.abc import Sequence
from typing import Any

from rules.data.language import N_, Listed, Message
from rules.systems.wh40k.record import Off, Part, Roll
from rules.systems.wh40k.values import Dice, Step

__all__ = ["summary"]

_MANY = 10
"""dice up to which a calculation lists each; more are given as their sum"""
_SIGNS = {"divide": "/", "multiply": "×", "add": "+", "subtract": "−"}


def summary(roll: Roll) -> Message | None:
    """Return the calculation of a roll, and whether it succeeds; None if the dice speak for themselves.

    Modifiers count once the roll is settled. One part is written as a sum, such as `= (2 + 3) × 2 − 2 = 8`. Of several
    parts each result stands by itself.
    """
    if isinstance(roll.purpose, Off):
        return _of_roll_off(roll, roll.purpose)
    plain = roll.dice_of_part == Dice(1, 6, 0) and set(roll.needs) == {None}
    if not roll.parts or (plain and not roll.changes and not roll.least):
        return None
    settled = roll.parts[0].result is not None
    result = _one(roll, roll.parts[0]) if len(roll.parts) == 1 else _several(roll)
    needs = set(roll.needs)
    if not settled or needs == {None}:
        return result
    passed, count = sum(part.passed is True for part in roll.parts), len(roll.parts)
    if len(needs) > 1:
        return Message("{result}; passed: {passed} of {count}", result=result, passed=passed, count=count)
    values: dict[str, Any] = {"result": result, "target": f"{needs.pop()}{'-' if roll.at_most else '+'}"}
    if count > 1:
        return Message("{result}; {target}: {passed} of {count}", passed=passed, count=count, **values)
    return Message(
        N_("{result} against {target}: success") if passed else N_("{result} against {target}: failure"), **values
    )


def _of_roll_off(roll: Roll, off: Off) -> Message | None:
    """Return the result of each player, and the winner."""
    if not roll.parts or roll.parts[0].result is None:
        return None
    pairs = zip(off.players, roll.parts, strict=True)
    results = Listed(Message("{name} {result}", name=name, result=part.result) for name, part in pairs)
    text = N_("{results}: nobody has won") if roll.winner is None else N_("{results}: {winner} has won")
    return Message(text, results=results, winner=roll.winner)


def _one(roll: Roll, part: Part) -> Message:
    terms = _terms(roll, part)
    text = _equals(_signed(part.unmodified))
    if len(terms) > 1 and roll.dice_of_part.plus:
        text = _equals(_signed(part.unmodified), _calculation(terms, ()))
    # A judge's result of a single die overrides all changes. The first step is the roll itself.
    ruled = len(part.dice) == 1 and roll.dice[part.dice[0] - 1].ruled is not None
    steps = () if ruled else part.steps[1:]
    changed = [step for step in steps if step.op in _SIGNS]
    value: int | str = part.unmodified
    if changed:
        start = next((step.value for step in steps if step.op == "set"), value)
        value = changed[-1].value
        if start == part.unmodified:
            text = _equals(_signed(value), _calculation(terms, changed))
        else:
            calculation = _calculation([_signed(start)], changed)
            text = Message(
                "{result}; {calculation} = {value}",
                result=_counts_as(text, start),
                calculation=calculation,
                value=_signed(value),
            )
    return text if part.result in (None, value) else _counts_as(text, part.result)


def _equals(result: str, calculation: str = "") -> Message:
    if not calculation:
        return Message("= {results}", results=result)
    return Message("= {calculation} = {results}", calculation=calculation, results=result)


def _counts_as(value_text: Message, value: int | str) -> Message:
    return Message("{result}, which counts as {value}", result=value_text, value=_signed(value))


def _terms(roll: Roll, part: Part) -> list[str]:
    """Return the numbers that are added before all changes. A judge's result replaces a die that is one of several."""
    dice = [roll.dice[number - 1] for number in part.dice if number not in part.discarded]
    if len(dice) > _MANY:
        return [_signed(part.unmodified)]
    values = [die.value if die.ruled is None or len(part.dice) == 1 else die.ruled for die in dice]
    return [_signed(value) for value in (*values, *([roll.dice_of_part.plus] if roll.dice_of_part.plus else []))]


def _calculation(terms: Sequence[str], changed: Sequence[Step]) -> str:
    """Return a calculation such as `(2 + 3) × 2 − 2`, with brackets where the signs alone would be misread."""
    text = " + ".join(terms)
    added = len(terms) > 1
    for step in changed:
        if step.op in ("divide", "multiply") and added:
            text, added = f"({text})", False
        text = f"{text} {_SIGNS[step.op]} {step.amount}"
    return text


def _several(roll: Roll) -> Message:
    results = Listed(_signed(part.unmodified if part.result is None else part.result) for part in roll.parts)
    ops = {op: n for n, op in enumerate(_SIGNS)}
    changes = sorted((c for c in roll.changes if c.op in ops), key=lambda c: ops[c.op])
    if not changes or roll.parts[0].result is None:
        return Message("= {results}", results=results)
    signs = Listed(f"{_SIGNS[change.op]} {change.amount}" for change in changes)
    return Message("each {changes}: {results}", changes=signs, results=results)


def _signed(value: int | str) -> str:
    """With a minus that is one, not a hyphen, as between numbers."""
    return str(value).replace("-", "−")
