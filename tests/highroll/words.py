"""Events, rolls and the state in words."""

from rules.base import Table
from rules.data.language import Message
from rules.history import find_roll
from tests.highroll.state import Game, Roll

__all__ = ["notes", "summary", "tables"]


def notes(game: Game, roll: int) -> tuple[Message, ...]:
    found = find_roll(game.settled, game.open, roll)
    if found is None or not found.dice:
        return ()
    return (Message("total {total}", total=sum(die.result for die in found.dice)),)


def summary(roll: Roll) -> Message | None:
    return Message("= {results}", results=sum(die.result for die in roll.dice)) if roll.dice else None


def tables(game: Game) -> tuple[Table, ...]:
    return ()
