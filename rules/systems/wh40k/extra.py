"""Random numbers of extra hits (specs/wh40k.md, "Course", W23).

Asked: how many further hits each die of the hit roll makes that set such an ability off; then come the wound rolls.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from rules.actions import Action
from rules.data.language import Message
from rules.systems.wh40k import wound
from rules.systems.wh40k.order import at
from rules.systems.wh40k.record import OfExtra, Roll
from rules.systems.wh40k.rolls import counts
from rules.systems.wh40k.state import AttackSequence, Extra, Game, Hit, RollingExtra
from rules.systems.wh40k.values import Dice, parse

__all__ = ["begin", "offers", "plan", "settle"]


def begin(game: Game, sequence: AttackSequence, target: str, hits: tuple[Hit, ...], owed: tuple[Extra, ...]) -> Game:
    """The batch goes on: with the numbers that are still to be rolled, else with the wound rolls of its hits."""
    if owed:
        return replace(game, sequence=replace(sequence, at=RollingExtra(target, hits, owed)))
    return wound.begin(game, sequence, target, hits)


def plan(game: Game, author: str, seq: int) -> Roll:
    """The dice of the first number that waits, for all that wait alike."""
    sequence, step = at(game, author, RollingExtra)
    dice, first = parse(step.first[0].amount), step.first[0]
    notation = Dice(dice.count * len(step.first), dice.sides, 0).text
    purpose, source = OfExtra(sequence.sequence), f"extra: {first.source}"
    hits = tuple(extra.of for extra in step.first)
    return Roll(seq, author, purpose, source, notation, dice, (None,) * len(hits), hits=hits)


def settle(game: Game, sequence: AttackSequence, step: RollingExtra, roll: Roll) -> Game:
    """The further hits, each behind those that the same die of the hit roll made before."""
    most = roll.dice_of_part.highest
    more: list[Hit] = []
    last = Counter[int]()
    for hit in step.hits:
        last[hit.of[0]] = max(last[hit.of[0]], hit.of[1])
    for extra, rolled in zip(step.first, counts(roll.parts), strict=True):
        number, count = extra.of[0], min(most, rolled)
        before = last[number]
        more += [Hit(extra.group, (number, n)) for n in range(before + 1, before + count + 1)]
        last[number] += count
    sequence = sequence.counted(Counter(hit.group for hit in more), "hits")
    hits = tuple(sorted((*step.hits, *more), key=lambda hit: hit.of))
    return begin(game, sequence, step.target, hits, tuple(e for e in step.owed if e not in step.first))


def offers(sequence: AttackSequence, due: bool) -> Iterator[Action]:
    """The roll that the attacker makes now."""
    if isinstance(sequence.at, RollingExtra):
        yield Action("roll", Message("roll the number of further hits"), "W23", (), {"for": "extra"}, due)
