"""What a party can do now."""

from rules.actions import Action, Field, Free, SomeOf, options
from rules.data.language import Message
from tests.highroll.state import Game

__all__ = ["actions"]

_NEW = Action(
    "roll",
    Message("roll dice"),
    "H1",
    (Field("dice", Message("the dice"), Free("dice", ("H1", "H4"))),),
)


def actions(game: Game, party: str) -> tuple[Action, ...]:
    roll = game.open
    if roll is None or (roll.rerolled and roll.player != party):
        return (_NEW,)
    if roll.player != party:
        return ()
    body = {"roll": roll.roll}
    resolve = Action("resolve", Message("keep what shows"), "H3", body=body, due=not roll.rerolled)
    if roll.rerolled:
        return (resolve, _NEW)
    shown = options((die.die, Message("{natural}", natural=die.result)) for die in roll.dice)
    dice = Field("dice", Message("the dice to reroll"), SomeOf(shown, 1, len(shown)))
    return (Action("reroll", Message("reroll dice"), "H2", (dice,), body, due=True), resolve)
