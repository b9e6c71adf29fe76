"""Random numbers of extra hits (specs/wh40k.md, "Course", W23).

The step asks how many extra hits are made by each die of the hit roll that set off such an ability. Wound rolls follow.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from rules.actions import Action
from rules.data.language import Message
from rules.systems.wh40k import wound
from rules.systems.wh40k.next_step import at
from rules.systems.wh40k.record import OfExtra, Roll
from rules.systems.wh40k.rolls import counts
from rules.systems.wh40k.state import AttackSequence, Extra, Game, Hit, RollingExtra
from rules.systems.wh40k.values import Dice, parse

__all__ = ["begin", "offers", "plan", "settle"]


def begin(game: Game, sequence: AttackSequence, target: str, hits: tuple[Hit, ...], owed: tuple[Extra, ...]) -> Game:
    """Return the game with the batch at its next step: random numbers of hits if there are any, else wound rolls."""
    if owed:
        return replace(game, sequence=replace(sequence, at=RollingExtra(target, hits, owed)))
    return wound.begin(game, sequence, target, hits)


def plan(game: Game, author: str, seq: int) -> Roll:
    """Return the roll for the first random number, and for all equal ones with it."""
    sequence, step = at(game, author, RollingExtra)
    dice, first = parse(step.first[0].amount), step.first[0]
    notation = Dice(dice.count * len(step.first), dice.sides, 0).text
    purpose, source = OfExtra(sequence.sequence), f"extra: {first.source}"
    hits = tuple(extra.of for extra in step.first)
    return Roll(seq, author, purpose, source, notation, dice, (None,) * len(hits), hits=hits)


def settle(game: Game, sequence: AttackSequence, step: RollingExtra, roll: Roll) -> Game:
    """Return the game with the extra hits added, each behind the earlier hits of the same die."""
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
    """Yield the roll that the attacker makes now."""
    if isinstance(sequence.at, RollingExtra):
        yield Action("roll", Message("roll the number of further hits"), "W23", (), {"for": "extra"}, due)
