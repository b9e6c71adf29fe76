"""Explanation of a roll by clauses of 706, in the order of the log (specs/explanations.md)."""

from collections.abc import Iterator, Mapping

from rules.base import Reason, given
from rules.common.explain import STILL_IGNORED, explain_end, still_ignored
from rules.common.shared import Exchanged, Rerolled
from rules.data.language import N_, Listed
from rules.history import find_roll
from rules.systems.mtg.instruction import called_for
from rules.systems.mtg.outcome import for_display, settled_if_finished
from rules.systems.mtg.state import Adjusted, Die, Done, EffectState, Game, Roll, face

__all__ = ["explain"]


def explain(game: Game, number: int) -> tuple[Reason, ...]:
    """Return the steps of a roll; none for a roll that is not kept."""
    opened = for_display(game)[0]
    roll = find_roll(game.settled, opened, number)
    if roll is None:
        return ()
    stands = roll is opened and settled_if_finished(game) is not None
    end = () if stands else explain_end(roll)
    return (*_asked(roll), *_shown(roll), *_course(roll), *_outcome(roll, stands), *end)


# --- the instruction, and what the dice show -----------------------------------------------------------------------


def _asked(roll: Roll) -> Iterator[Reason]:
    if roll.again is not None:
        text = N_("{player} rolls again, as a row of roll {again} says")
        yield Reason("706.3c", text, player=roll.player, again=roll.again)
    if roll.joins is not None:
        text = N_("{player} rolls in the same ability as in roll {joins}")
        yield Reason("706.3b", text, player=roll.player, joins=roll.joins)
    if roll.rerolls is not None:
        yield from _stored_rerolled(roll)
    elif roll.flips:
        yield from _flipped(roll)
    elif roll.random:
        text = N_("{player} chooses at random, with {dice}, for {source}: it is no roll of a die")
        yield Reason(None, text, player=roll.player, dice=roll.notation, source=roll.source)
    else:
        clause = "706.7" if roll.all_planar else "706.1"
        dice = Reason(None, "the planar die") if roll.notation == "planar" else roll.notation
        yield Reason(clause, "{player} rolls {dice} for {source}", player=roll.player, dice=dice, source=roll.source)
    yield from _stood(roll)
    for rule in roll.ignores:
        if rule.which == "pair":
            yield Reason("706.6", "{source} has each die rolled twice", source=rule.source)
        elif rule.extra:
            yield Reason("706.6", "{source} adds dice: {extra}", source=rule.source, extra=rule.extra)


def _stored_rerolled(roll: Roll) -> Iterator[Reason]:
    text = N_("{player} rerolls stored results of {permanent}: {dice} for {source}")
    yield Reason("706.8b", text, player=roll.player, permanent=roll.rerolls, dice=roll.notation, source=roll.source)
    for number, old in enumerate(roll.replaced, 1):
        text = N_("die {die} replaces stored result {stored}, whose value was {value}")
        yield Reason("706.8b", text, die=number, stored=old.stored, value=old.value)


def _flipped(roll: Roll) -> Iterator[Reason]:
    count = len(called_for(roll.notation))
    yield Reason(
        "705", "{player} flips coins for {source}: {count}", player=roll.player, source=roll.source, count=count
    )
    if roll.call is not None:
        yield Reason("705", "{player} calls {face}", player=roll.player, face=Reason(None, roll.call))


def _stood(roll: Roll) -> Iterator[Reason]:
    """Yield the standing effects that applied to the roll, and those that were left out."""
    for number in roll.standing:
        yield Reason("604", "standing effect {number} applies by itself", number=number)
    for one in roll.without:
        text = N_("{source} ({controller}) would fit, and {player} leaves it out of this roll")
        yield Reason("604", text, source=one.source, controller=one.controller, player=roll.player)
    for one in roll.no_room:
        text = N_("{source} ({controller}) would fit, but comes to more than there can be in one roll")
        yield Reason("604", text, source=one.source, controller=one.controller)


def _shown(roll: Roll) -> Iterator[Reason]:
    for die in roll.dice:
        if die.planar:
            shows = _face(die.naturals[0])
            yield Reason("706.7", "die {die}, a planar die, shows {face}", die=die.die, face=shows)
        elif die.coin:
            yield Reason("705", "coin {die} shows {face}", die=die.die, face=Reason(None, die.face or ""))
        else:
            yield Reason("706.1a", "die {die} shows {natural}", die=die.die, natural=die.naturals[0])
    for modifier in given(roll.instruction.modifiers, ()) if roll.dice else ():
        text = N_("{amount:+d} for each die, from the instruction ({source})")
        yield Reason("706.2", text, amount=modifier.amount, source=modifier.source)


def _face(natural: int) -> Reason:
    return Reason(None, face(natural))


# --- changes of the dice -------------------------------------------------------------------------------------------


def _course(roll: Roll) -> Iterator[Reason]:
    """Yield all changes in their order, then the results."""
    changes = {die.die: _changes(die) for die in roll.dice}
    for done in roll.course:
        yield from _done(roll, done, changes)
    yield from (Reason("706.6", STILL_IGNORED, die=die) for die in still_ignored(roll.dice))
    for die in roll.numbered:
        yield Reason("706.2", "the result of die {die} is {result}", die=die.die, result=die.result)


def _done(roll: Roll, done: Done, changes: Mapping[int, Iterator[Reason]]) -> Iterator[Reason]:
    match done.what:
        case "ignored":
            for die in done.dice:
                text = N_("die {die} is ignored ({source}): it counts for nothing")
                yield Reason("706.6", text, die=die, source=done.source)
        case "ruled":
            for die, result in zip(done.dice, done.results, strict=True):
                yield Reason(None, "a judge ruled: the result of die {die} is {result}", die=die, result=result)
        case "applied" | "declined" | "ended":
            yield from _answered(roll, done, roll.effects[done.effect - 1])
            for die in done.dice:
                yield next(changes[die])


def _answered(roll: Roll, done: Done, effect: EffectState) -> Iterator[Reason]:
    """Yield the player's choice about an effect, if there was one, and what was paid."""
    if effect.answer == "ended":
        yield Reason("706.2b", "{source} has ended: it no longer applies", source=effect.source)
    elif effect.answer == "declined":
        yield Reason("706.2a", "{player} declined {source}", player=roll.player, source=effect.source)
    elif effect.costs:
        if done.mana_abilities:
            text = N_("{player} activates mana abilities: {abilities}")
            yield Reason("706.2a", text, player=roll.player, abilities=Listed(done.mana_abilities))
        cost = Listed([cost for cost in (effect.mana_cost, effect.cost) if cost is not None])
        yield Reason("706.2a", "{player} pays {cost} for {source}", player=roll.player, cost=cost, source=effect.source)
    elif effect.optional:
        yield Reason("706.2a", "{player} chose to apply {source}", player=roll.player, source=effect.source)


def _changes(die: Die) -> Iterator[Reason]:
    """Yield what effects did to a die, in their order."""
    later = iter(die.naturals[1:])
    for step in die.steps:
        match step:
            case Rerolled(reroll=old, source=source) if die.planar:
                text = N_("die {die}, a planar die that showed {old}, is rerolled ({source}) and shows {face}")
                yield Reason("706.7", text, die=die.die, old=_face(old), source=source, face=_face(next(later)))
            case Rerolled(reroll=old, source=source):
                text = N_("die {die}, which showed {old}, is rerolled ({source}) and shows {natural}")
                yield Reason("706.2b", text, die=die.die, old=old, source=source, natural=next(later))
            case Adjusted(adjust=amount, source=source):
                text = N_("{amount:+d} for die {die} ({source})")
                yield Reason("706.2b", text, amount=amount, die=die.die, source=source)
            case Exchanged(exchange=old, number=taken, source=source):
                text = N_("the result of die {die} is exchanged ({source}): {old} for {number}")
                yield Reason("706.2", text, die=die.die, source=source, old=old, number=taken)


# --- the outcome ---------------------------------------------------------------------------------------------------


def _outcome(roll: Roll, stands: bool) -> Iterator[Reason]:
    if roll.status != "resolved" and not stands:
        return
    for effect in roll.effects:
        if effect.answer is None:
            yield Reason("706.2b", "{source} applies to no die of this roll", source=effect.source)
    if roll.won is not None:
        yield Reason("705", "flips won: {won} of {count}", won=roll.won, count=len(roll.counted))
    use = given(roll.instruction.use, None)
    if use is not None:
        yield Reason("706.4", "how the results are used: {use}", use=use)
    for row in roll.rows:
        if row.row == 0:
            yield Reason("706.3a", "the result of die {die} is in no row: nothing happens", die=row.die)
        else:
            text = N_("the result of die {die} is in row {row}: {effect}")
            yield Reason("706.3a", text, die=row.die, row=row.row, effect=row.effect)
    doubles = given(roll.instruction.doubles, None)
    if doubles is not None:
        yield Reason("706.5", N_("doubles: {effect}") if roll.doubles else N_("no doubles"), effect=doubles)
    if roll.stored:
        yield Reason("706.8a", "the results are stored on {permanent}", permanent=roll.store)
    yield from _after(roll, stands)


def _after(roll: Roll, stands: bool) -> Iterator[Reason]:
    """Yield what the roll leaves to be done."""
    if roll.makes_again:
        yield Reason("706.3c", "a row says “Roll again.”")
    elif roll.offers_again:
        yield Reason("706.3c", "a row says “You may roll again.”")
    elif roll.declined:
        text = N_("a row says “You may roll again.”: {player} does not")
        yield Reason("706.3c", text, player=roll.player)
    for trigger, times in roll.triggered:
        if times == 1:
            yield Reason("603", "{source} ({player}) triggers", source=trigger.source, player=trigger.controller)
        else:
            text = N_("{source} ({player}) triggers, times: {times}")
            yield Reason("603", text, source=trigger.source, player=trigger.controller, times=times)
    if stands and not roll.repeats:
        yield Reason(None, "nothing is left to choose: the roll stands")
