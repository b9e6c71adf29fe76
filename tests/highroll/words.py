"""Events, rolls and the state in words."""

from rules.base import Table
from rules.data.language import Message
from rules.history import find_roll
from tests.highroll.state import Game

__all__ = ["notes", "tables"]


def notes(game: Game, roll: int) -> tuple[Message, ...]:
    found = find_roll(game.settled, game.open, roll)
    if found is None or not found.dice:
        return ()
    return (Message("total {total}", total=sum(die.result for die in found.dice)),)


def tables(game: Game) -> tuple[Table, ...]:
    return ()
