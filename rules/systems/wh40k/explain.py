"""Explanation of a roll, clause by clause (specs/explanations.md)."""

from collections.abc import Iterator

from rules.base import Reason
from rules.common.explain import explain_end, explain_naturals, explain_ruled
from rules.data.language import N_, Listed, Message
from rules.systems.wh40k.record import Off, OfSequence, Part, Replaced, Roll
from rules.systems.wh40k.rolls import passed_clause
from rules.systems.wh40k.state import Game
from rules.systems.wh40k.values import Step
from rules.systems.wh40k.view import roll_for_display

__all__ = ["explain"]

_CLAUSES = {"cap": "W15", "blast": "W24"}
_WORDS = {
    "set": N_("set to {amount}"),
    "divide": "/{amount}",
    "multiply": "x{amount}",
    "add": "+{amount}",
    "subtract": "-{amount}",
    "round": N_("rounded up"),
    "cap": N_("no further from what was rolled"),
    "treat": N_("treated as {amount}"),
    "blast": N_("as many as blast makes at least"),
}


def explain(game: Game, number: int) -> tuple[Reason, ...]:
    """Return the steps of a roll; none for a roll that is not kept."""
    roll = roll_for_display(game, number)
    return () if roll is None else (*_asked(roll), *_dice(roll), *_parts(roll), *_end(roll))


def _asked(roll: Roll) -> Iterator[Reason]:
    if isinstance(roll.purpose, Off):
        text, names = N_("roll-off of {players}, {source}"), Listed(roll.purpose.players)
        yield Reason("W25", text, players=names, source=roll.source)
        return
    text = N_("{player} rolls {dice}, {source}")
    yield Reason("W19", text, player=roll.player, dice=roll.notation, source=roll.source)


def _dice(roll: Roll) -> Iterator[Reason]:
    for die in roll.dice:
        yield from explain_naturals(die, "W7", "W25" if isinstance(roll.purpose, Off) else "W3")
        if roll.dice_of_part.d3:
            yield Reason(
                "W1",
                "die {die} is a D3: half of {natural}, rounded up, is {value}",
                die=die.die,
                natural=die.naturals[-1],
                value=die.value,
            )
        for step in die.steps:
            if isinstance(step, Replaced):
                text = N_("die {die} counts as {value}, not {old} ({source})")
                yield Reason("W3", text, die=die.die, value=die.value, old=step.replaced, source=step.source)
        yield from explain_ruled(die)
        if die.status == "ignored":
            text = N_("die {die} is ignored: by a modifier or ruling since, there is nothing that it was rolled for")
            yield Reason("W19", text, die=die.die)


def _parts(roll: Roll) -> Iterator[Reason]:
    for part in roll.parts:
        yield from _part(roll, part)
    if roll.winner is not None:
        yield Reason("W25", "{winner} has won: of the dice rolled last the highest", winner=roll.winner)


def _part(roll: Roll, part: Part) -> Iterator[Reason]:
    which, plus = _which(part.dice), roll.dice_of_part.plus
    for number in part.discarded:
        yield Reason("W1", "die {die} is discarded", die=number)
    if len(part.dice) > 1 or plus:
        text = N_("{which}, plus {plus}: {sum}") if plus else N_("{which}: {sum}")
        yield Reason("W4", text, which=which, plus=plus, sum=part.unmodified)
    # A judge's result of a single die overrides all changes. The first step is the roll itself.
    ruled = len(part.dice) == 1 and roll.dice[part.dice[0] - 1].ruled is not None
    for step in () if ruled else part.steps[1:]:
        clause = _CLAUSES.get(step.op, "W8" if roll.characteristic else "W2")
        yield Reason(clause, "{which}, {change}: {value}", which=which, change=_change(step), value=step.value)
    if part.passed is not None and part.needs is not None:
        yield _passing(roll, part, which)


_PASSING = {
    (True, True): N_("{which} pass: {result}, {needs}"),
    (True, False): N_("{which} fail: {result}, {needs}"),
    (False, True): N_("{which} passes: {result}, {needs}"),
    (False, False): N_("{which} fails: {result}, {needs}"),
}


def _passing(roll: Roll, part: Part, which: Message) -> Reason:
    needs = Message(N_("{needs} or less is needed") if roll.at_most else N_("{needs}+ is needed"), needs=part.needs)
    clause = passed_clause(roll, part)
    if clause == "W16":
        always = N_("{needs}; an unmodified {value} always passes")
        if not part.passed:
            always = N_("{needs}; an unmodified {value} always fails")
        needs = Message(always, needs=needs, value=part.unmodified)
    text = _PASSING[len(part.dice) > 1, part.passed is True]
    return Reason(clause, text, which=which, result=part.result, needs=needs)


def _end(roll: Roll) -> Iterator[Reason]:
    if roll.status == "abandoned" and isinstance(roll.purpose, OfSequence):
        # The player who left need not be the one who rolled.
        yield Reason(None, "a player left, and with that player these attacks ended: nothing comes of the roll")
    else:
        yield from explain_end(roll)


def _which(dice: tuple[int, ...]) -> Message:
    if len(dice) == 1:
        return Message("die {number}", number=dice[0])
    text = N_("dice {first} and {last} together") if len(dice) == 2 else N_("dice {first} to {last} together")
    return Message(text, first=dice[0], last=dice[-1])


def _change(step: Step) -> Message:
    """Return a step in words, such as `-1 (Dense Cover)` or `rounded up`."""
    if step.op == "floor":  # by a rule, or by the characteristic itself
        text = N_("at least {amount} ({source})") if step.source else N_("at least {amount}")
        return Message(text, amount=step.value, source=step.source)
    words = Message(_WORDS[step.op], amount=step.amount)
    return Message("{change} ({source})", change=words, source=step.source) if step.source else words
