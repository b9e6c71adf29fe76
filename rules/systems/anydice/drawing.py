"""The draw of a notation's dice, wave by wave (specs/dice-1.md, "Draws")."""

from collections.abc import Generator, Sequence

from rules.base import Waves, complete
from rules.data.bounds import MAX_DICE
from rules.systems.anydice.terms import DiceTerm, ParsedText

__all__ = ["DrawnDice", "Throw", "dice_of_draw", "first_sides", "waves"]

Throw = tuple[int, ...]
"""positions of the throw's dice in the roll, from 0"""


class DrawnDice:
    """The dice of a roll, by position in the order of the draw."""

    __slots__ = ("naturals", "origins", "sides", "throws")

    def __init__(self) -> None:
        self.sides: list[int] = []
        self.naturals: list[tuple[int, ...]] = []
        """for each die, its naturals, of which the last one counts"""
        self.origins: dict[int, int] = {}
        """die that an explosion added → die that exploded"""
        self.throws: list[tuple[Throw, ...]] = []
        """for each term of each repetition, its throws"""


_Draws = Generator[tuple[int, ...], Sequence[int], DrawnDice]
"""yields the sides of the dice to draw next, receives their naturals, and returns all dice"""


def dice_of_draw(notation: ParsedText, naturals: Sequence[int]) -> DrawnDice:
    """Return the dice of a complete draw."""
    if not notation.draws_on:
        return _at_once(notation, naturals)
    return complete(_draws(notation), naturals)


def first_sides(notation: ParsedText) -> tuple[int, ...]:
    """Return the sides of the dice that are drawn first: all of them, unless some depend on others."""
    return next(_draws(notation)) if notation.draws_on else _named(notation)


def waves(notation: ParsedText, first: Sequence[int]) -> Waves:
    """Draw the dice after the first ones, whose naturals are `first`."""
    if not notation.draws_on:
        return
    draws, naturals = _draws(notation), first
    next(draws)
    try:
        while True:
            naturals = yield draws.send(naturals)
    except StopIteration:
        return


# --- dice that depend on none ---------------------------------------------------------------------------------------


def _named(notation: ParsedText) -> tuple[int, ...]:
    once: list[int] = []
    for term in notation.terms:
        once += term.sides * term.number
    return tuple(once) * notation.times


def _at_once(notation: ParsedText, naturals: Sequence[int]) -> DrawnDice:
    found = DrawnDice()
    found.naturals = [(natural,) for natural in naturals]
    for _ in range(notation.times):
        for term in notation.terms:
            found.throws.append(_first_throws(term, len(found.sides)))
            found.sides += term.sides * term.number
    return found


def _first_throws(term: DiceTerm, at: int) -> tuple[Throw, ...]:
    if term.percentile:
        return tuple((first, first + 1) for first in range(at, at + 2 * term.number, 2))
    return tuple((number,) for number in range(at, at + term.number))


# --- dice that depend on others -------------------------------------------------------------------------------------


def _draws(notation: ParsedText) -> _Draws:
    found = DrawnDice()
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


def _shown(term: DiceTerm, found: DrawnDice, throw: Throw) -> int:
    """Return the number that the latest die of a throw shows, or that two ten-sided dice show together."""
    last = found.naturals[throw[-1]][-1]
    if term.percentile:
        return (found.naturals[throw[0]][-1] % 10 * 10 + last % 10) or 100
    return term.shows(last)


def _reroll(
    term: DiceTerm, found: DrawnDice, throws: Sequence[Throw], room: int
) -> Generator[tuple[int, ...], Sequence[int], int]:
    """Reroll the dice that match. Return how many more dice may be drawn."""
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
    term: DiceTerm, found: DrawnDice, throws: list[Throw], room: int
) -> Generator[tuple[int, ...], Sequence[int], int]:
    """Draw the dice that explosions add, and add them to `throws`. Return how many more dice may be drawn."""
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
