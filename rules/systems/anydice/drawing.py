"""Which dice a notation draws, wave after wave (specs/dice-1.md, "Draws")."""

import threading
from collections.abc import Generator, Sequence

from rules.data.bounds import MAX_DICE
from rules.systems.anydice.terms import Dice, Notation

__all__ = ["Drawn", "Throw", "drawn", "further_sides"]

Throw = tuple[int, ...]
"""positions, from 0, of its dice in the roll"""


class Drawn:
    """The dice of a roll, each by its position in the order of the draw."""

    __slots__ = ("naturals", "origins", "sides", "throws")

    def __init__(self) -> None:
        self.sides: list[int] = []
        self.naturals: list[tuple[int, ...]] = []
        """of each die, the last one counts"""
        self.origins: dict[int, int] = {}
        """die → the die that it is the explosion of"""
        self.throws: list[tuple[Throw, ...]] = []
        """of each term of each repetition"""


_Draws = Generator[tuple[int, ...], Sequence[int], Drawn]
"""gives the sides of the dice drawn next, takes their naturals, returns them all"""


def drawn(notation: Notation, naturals: Sequence[int]) -> Drawn:
    """The dice of a whole draw."""
    if not notation.draws_on:
        return _at_once(notation, naturals)
    progress = _progress(notation, naturals)
    assert progress.whole is not None, "a reveal has all naturals"
    return progress.whole


def further_sides(notation: Notation, naturals: Sequence[int]) -> tuple[int, ...]:
    """The sides of the dice drawn after those that showed `naturals`, first dice included; none where all are drawn."""
    if not notation.draws_on:
        return () if naturals else _named(notation)
    return _progress(notation, naturals).sides


# --- dice that depend on none ---------------------------------------------------------------------------------------


def _named(notation: Notation) -> tuple[int, ...]:
    once: list[int] = []
    for term in notation.terms:
        once += term.sides * term.number
    return tuple(once) * notation.times


def _at_once(notation: Notation, naturals: Sequence[int]) -> Drawn:
    found = Drawn()
    found.naturals = [(natural,) for natural in naturals]
    for _ in range(notation.times):
        for term in notation.terms:
            found.throws.append(_first_throws(term, len(found.sides)))
            found.sides += term.sides * term.number
    return found


def _first_throws(term: Dice, at: int) -> tuple[Throw, ...]:
    if term.percentile:
        return tuple((first, first + 1) for first in range(at, at + 2 * term.number, 2))
    return tuple((number,) for number in range(at, at + term.number))


# --- dice that depend on others -------------------------------------------------------------------------------------


def _draws(notation: Notation) -> _Draws:
    found = Drawn()
    room = MAX_DICE - notation.named
    for _ in range(notation.times):
        for term in notation.terms:
            throws = list(_first_throws(term, len(found.sides)))
            sides = term.sides * term.number
            found.naturals += [(natural,) for natural in (yield sides)] if sides else []
            found.sides += sides
            if term.reroll:
                room = yield from _reroll(term, found, throws, room)
            if term.explode:
                room = yield from _explode(term, found, throws, room)
            found.throws.append(tuple(throws))
    return found


def _shown(term: Dice, found: Drawn, throw: Throw) -> int:
    """What the latest die of a throw shows; of two ten-sided dice, what both do."""
    last = found.naturals[throw[-1]][-1]
    if term.percentile:
        return (found.naturals[throw[0]][-1] % 10 * 10 + last % 10) or 100
    return term.shows(last)


def _reroll(
    term: Dice, found: Drawn, throws: Sequence[Throw], room: int
) -> Generator[tuple[int, ...], Sequence[int], int]:
    each = len(term.sides)
    wave = [throw for throw in throws if term.reroll_match(_shown(term, found, throw))]
    while wave:
        wave = wave[: room // each]
        if not wave:
            break
        naturals = yield term.sides * len(wave)
        room -= len(naturals)
        dice = (die for throw in wave for die in throw)
        for die, natural in zip(dice, naturals, strict=True):
            found.naturals[die] += (natural,)
        if term.reroll == "ro":
            break
        wave = [throw for throw in wave if term.reroll_match(_shown(term, found, throw))]
    return room


def _explode(
    term: Dice, found: Drawn, throws: list[Throw], room: int
) -> Generator[tuple[int, ...], Sequence[int], int]:
    """`throws` get the further dice."""
    compounds = term.explode in ("!!", "!!p")
    wave = [at for at, throw in enumerate(throws) if term.explode_match(_shown(term, found, throw))]
    while wave:
        wave = wave[:room]
        if not wave:
            break
        naturals = yield term.sides * len(wave)
        room -= len(naturals)
        after = []
        for at, natural in zip(wave, naturals, strict=True):
            die = len(found.sides)
            found.origins[die] = throws[at][-1]
            found.sides.append(term.sides[0])
            found.naturals.append((natural,))
            if compounds:
                throws[at] += (die,)
            else:
                throws.append((die,))
            if term.explode_match(term.shows(natural)):
                after.append(at if compounds else len(throws) - 1)
        if term.explode == "!o":
            break
        wave = after
    return room


class _Progress:
    """A draw that has come as far as `naturals`."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self.naturals: tuple[int, ...] = ()
        self.whole: Drawn | None = None
        self._draws = _draws(notation)
        self.sides = next(self._draws)

    def feed(self, naturals: tuple[int, ...]) -> None:
        while self.sides and len(naturals) >= (until := len(self.naturals) + len(self.sides)):
            try:
                self.sides = self._draws.send(naturals[len(self.naturals) : until])
            except StopIteration as end:
                self.whole, self.sides = end.value, ()
            self.naturals = naturals[:until]


class _Latest(threading.local):
    """The draw that was looked at last.

    Whoever draws asks again after each wave, with all naturals so far: going on from there keeps the work linear.
    """

    progress: _Progress | None = None


_latest = _Latest()


def _progress(notation: Notation, naturals: Sequence[int]) -> _Progress:
    given, progress = tuple(naturals), _latest.progress
    if progress is None or progress.notation is not notation or given[: len(progress.naturals)] != progress.naturals:
        progress = _Progress(notation)
    progress.feed(given)
    _latest.progress = progress
    return progress
