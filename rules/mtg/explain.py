"""How a roll came to what it came to (specs/explanations.md), clause by clause of 706, in the order of the log."""

from collections.abc import Iterable, Iterator, Mapping

from rules.base import Told, given
from rules.history import find_roll
from rules.language import N_
from rules.mtg.state import Adjusted, Die, Done, EffectState, Game, Roll
from rules.shared import Exchanged, Rerolled
from rules.told import told_end

__all__ = ["explain"]


def explain(game: Game, number: int) -> tuple[Told, ...]:
    """The steps of a roll that the state keeps; of another none."""
    roll = find_roll(game.settled, game.open, number)
    if roll is None:
        return ()
    return (*_asked(roll), *_shown(roll), *_course(roll), *_outcome(roll), *_after(game, roll), *told_end(roll))


# --- the instruction, and what the dice show -----------------------------------------------------------------------


def _asked(roll: Roll) -> Iterator[Told]:
    if roll.again is not None:
        text = N_("{player} rolls again, as a row of roll {again} says")
        yield Told("706.3c", text, player=roll.player, again=roll.again)
    if roll.rerolls is not None:
        text = N_("{player} rerolls stored results of {permanent}: {dice} for {source}")
        yield Told("706.8b", text, player=roll.player, permanent=roll.rerolls, dice=roll.notation, source=roll.source)
    else:
        text = N_("{player} rolls {dice} for {source}")
        clause = "706.7" if roll.planar else "706.1"
        dice = Told(None, roll.notation) if roll.planar else roll.notation
        yield Told(clause, text, player=roll.player, dice=dice, source=roll.source)
    for rule in given(roll.instruction.ignores, ()):
        if rule.extra:
            yield Told("706.6", "{source} adds dice: {extra}", source=rule.source, extra=rule.extra)


def _shown(roll: Roll) -> Iterator[Told]:
    for die in roll.dice:
        yield Told("706.1a", "die {die} shows {natural}", die=die.die, natural=die.naturals[0])
    for modifier in given(roll.instruction.modifiers, ()) if roll.dice else ():
        text = N_("{amount:+d} for each die, from the instruction ({source})")
        yield Told("706.2", text, amount=modifier.amount, source=modifier.source)


# --- what was done to them -----------------------------------------------------------------------------------------


def _course(roll: Roll) -> Iterator[Told]:
    """All that was done, and the results once nothing but a ruling can change them: before the store, else last."""
    changes = {die.die: _changes(die) for die in roll.dice}
    for done in roll.course:
        yield from _done(roll, done, changes)
    if roll.planar:
        for die in roll.counted:
            yield Told("706.7", "die {die} has the face {face}", die=die.die, face=Told(None, die.face or ""))
    elif not roll.stored:
        yield from _results([die.die for die in roll.counted], [die.result for die in roll.counted])


def _done(roll: Roll, done: Done, changes: Mapping[int, Iterator[Told]]) -> Iterator[Told]:
    match done.what:
        case "ignored":
            for die in done.dice:
                yield Told("706.6", "die {die} is ignored: it counts for nothing", die=die)
        case "ruled":
            for die, result in zip(done.dice, done.results, strict=True):
                yield Told(None, "a judge ruled: the result of die {die} is {result}", die=die, result=result)
        case "stored":
            yield from _results(done.dice, done.results)
            yield Told("706.8a", "the results are stored on {permanent}", permanent=roll.store)
        case "applied" | "declined" | "ended":
            yield from _answered(roll, roll.effects[done.effect - 1])
            for die in done.dice:
                yield next(changes[die])


def _results(dice: Iterable[int], results: Iterable[int | None]) -> Iterator[Told]:
    for die, result in zip(dice, results, strict=True):
        yield Told("706.2", "the result of die {die} is {result}", die=die, result=result)


def _answered(roll: Roll, effect: EffectState) -> Iterator[Told]:
    """Whose choice it was, where there was one."""
    if effect.answer == "ended":
        yield Told("706.2b", "{source} has ended: it no longer applies", source=effect.source)
    elif effect.answer == "declined":
        yield Told("706.2a", "{player} declined {source}", player=roll.player, source=effect.source)
    elif effect.costs:
        text = N_("{player} pays for {source}")
        yield Told("706.2a", text, player=roll.player, source=effect.source)
    elif effect.optional:
        yield Told("706.2a", "{player} chose to apply {source}", player=roll.player, source=effect.source)


def _changes(die: Die) -> Iterator[Told]:
    """What effects did to a die, in their order."""
    later = iter(die.naturals[1:])
    for step in die.steps:
        match step:
            case Rerolled(reroll=old, source=source):
                text = N_("die {die}, which showed {old}, is rerolled ({source}) and shows {natural}")
                yield Told("706.2b", text, die=die.die, old=old, source=source, natural=next(later))
            case Adjusted(adjust=amount, source=source):
                text = N_("{amount:+d} for die {die} ({source})")
                yield Told("706.2b", text, amount=amount, die=die.die, source=source)
            case Exchanged(exchange=old, number=taken, source=source):
                text = N_("the result of die {die} is exchanged ({source}): {old} for {number}")
                yield Told("706.2b", text, die=die.die, source=source, old=old, number=taken)


# --- what it came to -----------------------------------------------------------------------------------------------


def _outcome(roll: Roll) -> Iterator[Told]:
    if roll.status != "resolved":
        return
    for effect in roll.effects:
        if effect.answer is None:
            text = N_("{source} applies to no die of this roll")
            yield Told("706.2b", text, source=effect.source)
    use = given(roll.instruction.use, None)
    if use is not None:
        yield Told("706.4", "how the results are used: {use}", use=use)
    for row in roll.rows:
        if row.row == 0:
            yield Told("706.3a", "the result of die {die} is in no row: nothing happens", die=row.die)
        else:
            text = N_("the result of die {die} is in row {row}: {effect}")
            yield Told("706.3a", text, die=row.die, row=row.row, effect=row.effect)
    doubles = given(roll.instruction.doubles, None)
    if doubles is not None:
        text = N_("doubles: {effect}") if roll.doubles else N_("no doubles")
        yield Told("706.5", text, effect=doubles)


def _after(game: Game, roll: Roll) -> Iterator[Told]:
    """What a resolved roll leaves to be done."""
    if roll.status != "resolved":
        return
    if roll.makes_again:
        yield Told("706.3c", "a row says “Roll again.”")
    elif roll.offers_again:
        texts = {
            True: N_("a row says “You may roll again.”: {player} does"),
            False: N_("a row says “You may roll again.”: {player} does not"),
            None: N_("a row says “You may roll again.”: {player} has not been asked"),
        }
        yield Told("706.3c", texts[roll.announced], player=roll.player)
    for owed in game.owed:
        if owed.roll == roll.roll:
            text = N_("{source} has triggered; {player} still has to deal with it")
            yield Told("603", text, source=owed.trigger.source, player=owed.trigger.controller)
