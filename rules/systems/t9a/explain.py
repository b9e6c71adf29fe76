"""Explanation of a roll, clause by clause (specs/explanations.md)."""

from collections.abc import Iterator

from rules.base import Reason
from rules.common.explain import STILL_IGNORED, explain_end, explain_naturals, explain_ruled, still_ignored
from rules.common.shared import FirstStands
from rules.data.language import N_, Message
from rules.history import find_roll
from rules.systems.t9a.state import AppliedModifier, DiceThrow, Die, Game, Roll, Rule
from rules.systems.t9a.words import change, of_words, side_words, which_words

__all__ = ["explain"]


def explain(game: Game, number: int) -> tuple[Reason, ...]:
    """Return the steps of a roll; none for a roll that is not kept."""
    roll = find_roll(game.settled, game.open, number)
    return () if roll is None else (*_asked(roll), *_brought(roll), *_dice(roll), *_throws(roll), *explain_end(roll))


def _asked(roll: Roll) -> Iterator[Reason]:
    clause = "T7.1" if roll.direction else "T1.1"
    yield Reason(
        clause, "{player} rolls {dice} for {source}", player=roll.player, dice=roll.notation, source=roll.source
    )
    if roll.of is not None:
        yield Reason("T1.5", "the throws are for {what} of roll {roll}", what=of_words(roll.of), roll=roll.of.roll)
    for sources, clause, word in ((roll.maximised, "T6.1", N_("Maximised")), (roll.minimised, "T6.2", N_("Minimised"))):
        for source in sources:
            yield Reason(clause, "{word} by {source}", word=Message(word), source=source)
    if roll.maximised and roll.minimised:
        left = Message("nothing")
        if roll.net:
            left = Message(N_("Maximised {count}") if roll.net > 0 else N_("Minimised {count}"), count=abs(roll.net))
        yield Reason("T6.4", "Maximised and Minimised cancel one for one: {left} is left", left=left)


def _brought(roll: Roll) -> Iterator[Reason]:
    """Yield the reroll rules with the players they belong to, and the modifiers brought after the reveal."""
    for rule in roll.rules:
        text = N_("{source}: {player} must reroll {which}")
        if rule.may:
            text = N_("{source}: {player} may reroll {which}")
        if rule.pick is not None:
            text = N_("{source}: {player} must reroll {which}, {pick} at most")
            if rule.may:
                text = N_("{source}: {player} may reroll {which}, {pick} at most")
        which = which_words(rule.which, rule.naturals)
        yield _of(rule, Reason("T4.2", text, source=rule.source, player=roll.player, which=which, pick=rule.pick))
        if rule.dropped:
            yield Reason("T6.5", "{source} takes dropped dice too", source=rule.source)
        if rule.first:
            yield Reason("T4.3", "{source} lets the first result stand", source=rule.source)
    if roll.at_once:
        yield Reason("T4.4", "what must be rerolled is rerolled at once")
    for modifier in roll.modifiers:
        if modifier.late:
            yield _of(modifier, Reason("T2.1", "{source} bears on the roll", source=modifier.source))


def _of(brought: Rule | AppliedModifier, reason: Reason) -> Reason:
    """Return the reason with the player who brought the rule or modifier, if that was after the reveal."""
    if not brought.late:
        return reason
    return Reason(reason.clause, "{told} ({by} brought it when the dice had been shown)", told=reason, by=brought.by)


def _dice(roll: Roll) -> Iterator[Reason]:
    for die in roll.dice:
        yield from explain_naturals(die, _shows(die), "T4.1")
        for step in die.steps:
            if isinstance(step, FirstStands):
                text = N_("the first result of die {die}, {natural}, stands ({source})")
                yield Reason("T4.3", text, die=die.die, natural=step.first, source=step.source)
        if not die.kept:
            yield Reason("T6.5", "die {die} is dropped", die=die.die)
            yield from explain_ruled(die)
            yield from (Reason("T6.5", STILL_IGNORED, die=number) for number in still_ignored((die,)))
            continue
        if die.kind == "d3":
            yield Reason("T5.1", "die {die} is a D3: half of {natural}, rounded up", die=die.die, natural=die.natural)
        yield from explain_ruled(die)


def _shows(die: Die) -> str:
    return {"face": "T7.2", "arrow": "T7.1", "bearing": "T7.1"}.get(die.kind, "T3.1")


def _throws(roll: Roll) -> Iterator[Reason]:
    for throw in roll.throws:
        yield from _throw(roll, throw)
    if roll.target is not None and roll.times > 1 and roll.dice:
        yield Reason("T1.3", "{successes} of {times} succeed", successes=roll.successes, times=roll.times)


def _throw(roll: Roll, throw: DiceThrow) -> Iterator[Reason]:
    which = Message("throw {throw}", throw=throw.throw) if roll.times > 1 else Message("the throw")
    if throw.degrees is not None:
        if throw.face is not None:
            yield Reason("T7.2", "{which}: the arrow is {side}", which=which, side=side_words(throw.face))
        yield Reason("T7.1", "{which} points to {degrees} degrees", which=which, degrees=throw.degrees)
        return
    yield Reason("T1.2", "the dice of {which} that are kept add up to {sum}", which=which, sum=throw.sum)
    sums = [throw.sum or 0]
    for modifier in roll.modifiers:
        sums.append(modifier.applied(sums[-1]))
        yield Reason(
            "T2.1", "{change} ({source}): {total}", change=change(modifier), source=modifier.source, total=sums[-1]
        )
    if roll.target is None or throw.success is None:
        return
    natural = roll.of_throw(throw.throw)[throw.kept[0] - roll.of_throw(throw.throw)[0].die].natural
    word = Message("succeeds") if throw.success else Message("fails")
    if natural in (*roll.always.success, *roll.always.failure):
        yield Reason("T3.1", "{which} {word}: a natural {natural} always does", which=which, word=word, natural=natural)
    else:
        text = N_("{which} {word}: {total} against {target}")
        yield Reason("T1.3", text, which=which, word=word, total=throw.total, target=roll.target.text)
