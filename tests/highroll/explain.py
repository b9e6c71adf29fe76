"""How the dice of a roll came to what they came to."""

from rules.base import Told
from rules.explain import told_end, told_naturals
from rules.history import find_roll
from tests.highroll.state import Game

__all__ = ["explain"]


def explain(game: Game, roll: int) -> tuple[Told, ...]:
    found = find_roll(game.settled, game.open, roll)
    if found is None:
        return ()
    shown = [told for die in found.dice for told in told_naturals(die, "H1", "H2")]
    total = [] if found.total is None else [Told("H3", "the sum is {total}", total=found.total)]
    return (*shown, *total, *told_end(found))
