"""How a roll came to what it came to (specs/explanations.md), clause by clause."""

from collections.abc import Iterator

from rules.base import Told
from rules.history import find_roll
from rules.told import told_end, told_naturals, told_ruled
from rules.wh40k.state import Game, Part, Roll

__all__ = ["explain"]

_ROLLED = {"hit": "W16", "wound": "W17", "save": "W18", "ignore": "W22"}
_STEPS = {"cap": "W15", "blast": "W24"}


def explain(game: Game, number: int) -> tuple[Told, ...]:
    """The steps of a roll that the state keeps; of another none."""
    roll = find_roll(game.settled, game.open, number)
    return () if roll is None else (*_asked(roll), *_dice(roll), *_parts(roll), *told_end(roll))


def _asked(roll: Roll) -> Iterator[Told]:
    text = "{player} rolls {dice}, {source}"
    yield Told("W19", text, player=roll.player, dice=roll.notation, source=roll.source)


def _dice(roll: Roll) -> Iterator[Told]:
    for die in roll.dice:
        yield from told_naturals(die, "W7", "W3")
        if roll.dice_of_part.d3:
            yield Told(
                "W1",
                "die {die} is a D3: half of {natural}, rounded up, is {value}",
                die=die.die,
                natural=die.naturals[-1],
                value=die.value,
            )
        yield from told_ruled(die)
        if die.status == "ignored":
            text = "die {die} is ignored: by a modifier or ruling since, there is nothing that it was rolled for"
            yield Told("W19", text, die=die.die)


def _parts(roll: Roll) -> Iterator[Told]:
    for part in roll.parts:
        yield from _part(roll, part)


def _part(roll: Roll, part: Part) -> Iterator[Told]:
    which = f"die {part.dice[0]}" if len(part.dice) == 1 else f"dice {part.dice[0]} to {part.dice[-1]} together"
    if len(part.dice) > 1 or roll.dice_of_part.plus:
        yield Told("W4", "{which}: {sum}", which=which, sum=part.unmodified)
    # What a judge ruled of a die by itself is the result, whatever the changes. The first step is what was rolled.
    ruled = len(part.dice) == 1 and roll.dice[part.dice[0] - 1].ruled is not None
    for step in () if ruled else part.steps[1:]:
        source = f" ({step.source})" if step.source else ""
        amount = "" if step.amount is None else f" {step.amount}"
        clause = _STEPS.get(step.op, "W8" if roll.characteristic else "W2")
        text = "{which}, {op}{amount}{source}: {value}"
        yield Told(clause, text, which=which, op=step.op, amount=amount, source=source, value=step.value)
    if part.passed is not None:
        word = "passes" if part.passed else "fails"
        text = "{which} {word}: {result}, {needs}+ is needed"
        clause = _ROLLED.get(roll.test or roll.purpose.of, "W2")
        yield Told(clause, text, which=which, word=word, result=part.result, needs=part.needs)
