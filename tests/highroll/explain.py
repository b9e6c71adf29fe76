"""How the dice of a roll came to what they came to."""

from rules.base import Reason
from rules.common.explain import explain_end, explain_naturals
from rules.history import find_roll
from tests.highroll.state import Game

__all__ = ["explain"]


def explain(game: Game, roll: int) -> tuple[Reason, ...]:
    found = find_roll(game.settled, game.open, roll)
    if found is None:
        return ()
    shown = [told for die in found.dice for told in explain_naturals(die, "H1", "H2")]
    total = [] if found.total is None else [Reason("H3", "the sum is {total}", total=found.total)]
    return (*shown, *total, *explain_end(found))
