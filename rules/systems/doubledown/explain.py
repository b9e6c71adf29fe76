"""Explanation of a roll, clause by clause (specs/explanations.md)."""

from collections.abc import Iterator

from rules.base import Reason
from rules.common.explain import explain_end, explain_naturals, explain_ruled
from rules.data.language import N_, Message
from rules.systems.doubledown.state import Die, Game, Purchase, Roll
from rules.systems.doubledown.tables import CLAUSE_OF, KINDS, OUTCOMES, SHIFT, by_difficulty, outcome_of
from rules.systems.doubledown.words import bought_words

__all__ = ["explain"]

_GIVEN = {
    "stat": N_("{amount:+d} from {player}: the stat {source}"),
    "stress": N_("{amount:+d} from {player}: the stress track"),
    "tag": N_("{amount:+d} from {player}: the tag {source}"),
    "irrelevant": N_("{amount:+d} from {player}: the tag {source}, irrelevant, so one star less"),
    "drive": N_("{amount:+d} from {player}: drive"),
}


def explain(game: Game, number: int) -> tuple[Reason, ...]:
    """Return the steps of a roll; none for a roll that is not kept."""
    roll = game.find(number)
    if roll is None:
        return ()
    bought = (_purchase(purchase) for purchase in roll.bought)
    return (*_asked(roll), *_dice(roll), *_outcome(roll), *bought, *explain_end(roll))


def _asked(roll: Roll) -> Iterator[Reason]:
    called = roll.called
    text = N_("{player} rolls {stat} for {source}, as called by a GM, against {difficulty}")
    yield Reason("R1", text, player=roll.player, stat=called.stat, source=called.source, difficulty=called.difficulty)
    for modifier in roll.modifiers:
        gives = called.contributions[modifier.player] if modifier.kind == "tag" else None
        kind = "irrelevant" if gives is not None and gives.irrelevant else modifier.kind
        clause = "R9" if called.group else "R2"
        yield Reason(clause, _GIVEN[kind], amount=modifier.amount, player=modifier.player, source=modifier.source)


def _dice(roll: Roll) -> Iterator[Reason]:
    for die in roll.dice:
        yield from explain_naturals(die, "R3" if die.die == 1 else "R4", "R4")
        yield from explain_ruled(die)
        yield _read(roll, die)
        if die.die == 1:
            yield from _votes(roll)
    if roll.doubled and roll.before is not None and roll.outcome is not None:
        moved = SHIFT[_tier(roll, roll.dice[1])]
        text = N_("the second die moves {before} by {moved:+d} in the table of outcomes: {outcome}")
        yield Reason("R4", text, before=Message(roll.before.name), moved=moved, outcome=Message(roll.outcome.name))


def _votes(roll: Roll) -> Iterator[Reason]:
    text = {True: N_("{player} votes to double down"), False: N_("{player} votes to let the die stand")}
    for player, double in roll.votes.items():
        yield Reason("R9", text[double], player=player)
    if roll.decided is not None:
        yield Reason("R9", N_("the group doubles down") if roll.decided else N_("the group does not double down"))


def _tier(roll: Roll, die: Die) -> int:
    return outcome_of(die.natural, die.result, roll.called.difficulty)


def _read(roll: Roll, die: Die) -> Reason:
    name, natural = Message(OUTCOMES[_tier(roll, die)].name), die.natural
    if natural >= 19 or natural <= 2:
        text = N_("a natural {natural} comes ahead of any total: {name}")
        return Reason("R3", text, natural=natural, name=name)
    difficulty = roll.called.difficulty
    if die.steps:
        return Reason("R3", "{total}, against {difficulty}: {name}", total=die.result, difficulty=difficulty, name=name)
    text = N_("{natural} {modifier:+d} is {total}, against {difficulty}: {name}")
    return Reason(
        "R3", text, natural=natural, modifier=roll.modifier, total=die.result, difficulty=difficulty, name=name
    )


def _outcome(roll: Roll) -> Iterator[Reason]:
    result = roll.result
    if result is None:
        return
    column = by_difficulty(roll.called.difficulty)
    each = column.boons if result.kind == "boons" else column.banes
    if result.multiple:
        text = N_("{kind} for difficulty {difficulty}: {each}, times {multiple} for {outcome}")
        values = {"kind": Message(KINDS[result.kind]), "each": each, "outcome": Message(result.name)}
        yield Reason("R5", text, difficulty=roll.called.difficulty, multiple=result.multiple, **values)
    elif roll.halved:
        yield Reason("R8", "a plain success in a support roll: half of {each} boons", each=each)
    if roll.spent_drive and result.success:
        yield Reason("R5", "boons for the drive spent, never multiplied: {drive}", drive=roll.spent_drive)
    elif roll.spent_drive:
        yield Reason("R5", "the drive spent gives nothing on a failure")
    yield Reason("R5", "{kind}: {count}", kind=Message(KINDS[result.kind]), count=roll.earned(result.kind))
    if roll.damage is not None:
        yield Reason("R6", "damage: {damage}", damage=roll.damage)
    if roll.drive:
        yield Reason("R7", "{player} gains drive: {drive}", player=roll.player, drive=roll.drive)


def _purchase(bought: Purchase) -> Reason:
    text = N_("{kind} spent: {cost}; {what}")
    return Reason(
        CLAUSE_OF[bought.kind], text, kind=Message(KINDS[bought.kind]), cost=bought.cost, what=bought_words(bought)
    )
