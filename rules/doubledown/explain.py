"""How a roll came to what it came to (specs/explanations.md), rule by rule."""

from collections.abc import Iterator

from rules.base import Told
from rules.doubledown.state import Die, Game, Roll
from rules.doubledown.tables import OUTCOMES, SHIFT, outcome_of
from rules.history import find_roll
from rules.told import told_end, told_naturals, told_ruled

__all__ = ["explain"]

_GIVEN = {"stat": "the stat {source}", "stress": "the stress track", "tag": "the tag {source}", "drive": "drive"}


def explain(game: Game, number: int) -> tuple[Told, ...]:
    """The steps of a roll that the state keeps; of another none."""
    roll = find_roll(game.settled, game.open, number)
    return () if roll is None else (*_asked(roll), *_dice(roll), *_outcome(roll), *told_end(roll))


def _asked(roll: Roll) -> Iterator[Told]:
    called = roll.called
    text = "{player} rolls {stat} for {source}, as called by a GM, against {difficulty}"
    yield Told("R1", text, player=roll.player, stat=called.stat, source=called.source, difficulty=called.difficulty)
    for modifier in roll.modifiers:
        text = "{amount:+d} from {player}: " + _GIVEN[modifier.kind]
        clause = "R9" if called.group else "R2"
        yield Told(clause, text, amount=modifier.amount, player=modifier.player, source=modifier.source)


def _dice(roll: Roll) -> Iterator[Told]:
    for die in roll.dice:
        yield from told_naturals(die, "R3" if die.die == 1 else "R4", "R4")
        yield from told_ruled(die)
        yield _read(roll, die)
    if roll.doubled and roll.before is not None and roll.outcome is not None:
        moved = SHIFT[_tier(roll, roll.dice[1])]
        text = "the second die moves {before} by {moved:+d}: {outcome}"
        yield Told("R4", text, before=roll.before.name, moved=moved, outcome=roll.outcome.name)


def _tier(roll: Roll, die: Die) -> int:
    return outcome_of(die.natural, die.result, roll.called.difficulty)


def _read(roll: Roll, die: Die) -> Told:
    name, natural = OUTCOMES[_tier(roll, die)].name, die.natural
    if natural >= 19 or natural <= 2:
        text = "a natural {natural} comes ahead of any total: {name}"
        return Told("R3", text, natural=natural, name=name)
    text = "{natural} {modifier:+d} is {total}, against {difficulty}: {name}"
    difficulty = roll.called.difficulty
    return Told("R3", text, natural=natural, modifier=roll.modifier, total=die.result, difficulty=difficulty, name=name)


def _outcome(roll: Roll) -> Iterator[Told]:
    result = roll.result
    if result is None:
        return
    yield Told("R5", "{kind}: {count}", kind=result.kind, count=roll.earned(result.kind))
    if roll.halved:
        yield Told("R8", "a plain success in a support roll: half the boons")
    if roll.damage is not None:
        yield Told("R6", "damage: {damage}", damage=roll.damage)
    if roll.drive:
        yield Told("R7", "{player} gains drive: {drive}", player=roll.player, drive=roll.drive)
    for bought in roll.bought:
        clause = "T3" if bought.kind == "boons" else "T4"
        yield Told(clause, "{cost} {kind} buy {what}", cost=bought.cost, kind=bought.kind, what=bought.buy)
