"""Events, rolls and the state in words."""

from rules.base import Event, Table
from rules.data.language import Message
from rules.history import find_roll
from tests.highroll.bodies import RerollBody, RollBody
from tests.highroll.state import Game

__all__ = ["notes", "summarize", "tables"]


def summarize(event: Event) -> Message | None:
    match event.body:
        case RollBody(dice=dice):
            return Message("{dice}", dice=dice)
        case RerollBody(dice=dice):
            return Message("dice {dice}", dice=", ".join(map(str, dice)))
        case _:
            return None


def notes(game: Game, roll: int) -> tuple[Message, ...]:
    found = find_roll(game.settled, game.open, roll)
    if found is None or not found.dice:
        return ()
    return (Message("total {total}", total=sum(die.result for die in found.dice)),)


def tables(game: Game) -> tuple[Table, ...]:
    return ()
