"""Triggers of hit and wound rolls, and their effects (specs/wh40k.md, W7, W23)."""

from collections.abc import Iterator, Mapping

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.systems.wh40k.record import Attack, Part
from rules.systems.wh40k.state import AttackGroup, AttackSequence, Game, Mortal
from rules.systems.wh40k.terms import Trigger
from rules.systems.wh40k.units import lose
from rules.systems.wh40k.values import plain

__all__ = ["Triggers", "more_attacks", "owe", "slay"]


class Triggers:
    """The triggers that the parts of a roll set off. Parts that show the same are examined once."""

    def __init__(self, on: str) -> None:
        """`on` is `hit` or `wound`."""
        self._on = on
        self._found: dict[tuple[int, int | None, int, bool | None], list[tuple[int, Trigger]]] = {}

    def set_off(self, group: AttackGroup, part: Part, attack: Attack | None = None) -> list[tuple[int, Trigger]]:
        """Return the triggers of a group that a part sets off, with the numbers of the abilities (W7, W23)."""
        if attack is not None and attack.extra:
            return []
        shows = group.group, part.result, part.unmodified, part.passed
        if shows not in self._found:
            self._found[shows] = list(self._looked_at(group, part))
        return self._found[shows]

    def _looked_at(self, group: AttackGroup, part: Part) -> Iterator[tuple[int, Trigger]]:
        for number, trigger in group.triggers(self._on):
            looked_at = part.result if trigger.unmodified is UNSET else part.unmodified
            needs_success = trigger.does in ("wound", "improve_ap")
            if looked_at in trigger.results and (part.passed or not needs_success):
                yield number, trigger


def owe(sequence: AttackSequence, more: Mapping[tuple[int, int], int]) -> AttackSequence:
    """Return the sequence with mortal wounds that abilities set off. `more` maps a group and an ability to a count.

    Equal ones are kept as one entry.
    """
    owed = {replace(item, times=1): item.times for item in sequence.mortal}
    for (number, ability), times in more.items():
        group = sequence.group(number)
        trigger = group.abilities[ability - 1]
        assert isinstance(trigger, Trigger), "it is set off"
        assert not isinstance(trigger.amount, UnsetType), "it makes mortal wounds"
        item = Mortal(group.target, trigger.source, plain(trigger.amount), 1)
        owed[item] = owed.get(item, 0) + times
    return replace(sequence, mortal=tuple(replace(item, times=times) for item, times in owed.items()))


def more_attacks(sequence: AttackSequence, more: Mapping[int, list[Attack]]) -> AttackSequence:
    """Return the sequence with more attacks in these groups."""
    for number, attacks in more.items():
        group = sequence.group(number)
        assert group.queue is not None, "its attacks are known"
        assert group.attacks is not None, "and so is their number"
        queue_ = (*group.queue, *attacks)
        sequence = sequence.with_group(replace(group, queue=queue_, attacks=group.attacks + len(attacks)))
    return sequence


def slay(game: Game, sequence: AttackSequence, bearers: list[int]) -> tuple[Game, AttackSequence]:
    """Return the game and the sequence after bearers were destroyed. Their remaining attacks lapse."""
    for bearer in dict.fromkeys(bearers):
        unit = sequence.unit or ""
        left = game.units[unit].models[bearer - 1].left
        game, sequence = lose(game, sequence, unit, bearer, left, "slain")
        for group in sequence.groups:
            others = tuple(n for n in group.bearers if n != bearer)
            attacks = None if group.queue is None else tuple(a for a in group.queue if a.bearer != bearer)
            lapsed = replace(group, bearers=others, queue=attacks if others else ())
            sequence = sequence.with_group(lapsed)
    return game, sequence
