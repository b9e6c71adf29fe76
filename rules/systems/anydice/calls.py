"""Calls by game masters, and the answers to them (specs/dice-1.md, clause D10)."""

from collections.abc import Callable

from msgspec.structs import replace

from rules.base import given
from rules.common.shared import refuse
from rules.data.bounds import MAX_ITEMS
from rules.data.language import N_
from rules.systems.anydice.bodies import DeclareCall
from rules.systems.anydice.state import DiceCall, Game

__all__ = ["answer", "declare", "standing", "to_answer", "unanswer", "withdraw", "without"]


def standing(game: Game) -> tuple[DiceCall, ...]:
    """Return the calls that are not fully answered."""
    return tuple(call for call in game.calls if call.waiting)


def declare(game: Game, seq: int, author: str, body: DeclareCall) -> Game:
    """Return the game with one more call. Raises Violation D10. The caller checks the notation of the dice."""
    check_gm(game, author)
    named = given(body.parties, game.players())
    for at, name in enumerate(named):
        if name in named[:at]:
            refuse("D10", "{party} is called twice", party=name)
    for name in named:
        if name not in game.rollers():
            refuse("D10", "{party} cannot be called: a player or gm who has not left can", party=name)
    if not named:
        refuse("D10", "there is nobody to call: no player is left")
    if len(standing(game)) >= MAX_ITEMS:
        refuse("D10", "{most} calls wait for answers already: call one of them off", most=MAX_ITEMS)
    parties = tuple(name for name in game.roles if name in named)
    dice, least, most = given(body.dice, None), given(body.least, None), given(body.most, None)
    call = DiceCall(seq, author, body.source, dice, least, most, parties)
    return replace(game, calls=(*standing(game), call))


def withdraw(game: Game, author: str, number: int) -> Game:
    """Return the game without the call. Raises Violation D10."""
    check_gm(game, author)
    call = _find(game, number)
    return replace(game, calls=tuple(one for one in game.calls if one is not call))


def to_answer(game: Game, author: str, number: int) -> DiceCall:
    """Return the call with this number if the author still has to answer it; raise Violation D10 otherwise."""
    call = _find(game, number)
    if author not in call.parties:
        text = N_("call {call} ({source}) is not for {party}")
        refuse("D10", text, call=number, source=call.source, party=author)
    if author in call.answers:
        text = N_("{party} has answered call {call} with roll {roll}")
        refuse("D10", text, party=author, call=number, roll=call.answers[author])
    return call


def answer(game: Game, party: str, number: int, roll: int) -> Game:
    """Return the game with a party's answer, whose dice are revealed."""
    return _changed(game, number, lambda call: replace(call, answers={**call.answers, party: roll}))


def unanswer(game: Game, number: int, roll: int) -> Game:
    """Return the game without this answer. A party that gave it and has not left has to answer again."""

    def without_it(call: DiceCall) -> DiceCall:
        answers = {name: number for name, number in call.answers.items() if number != roll}
        gone = game.left - answers.keys()
        return replace(call, answers=answers, parties=tuple(name for name in call.parties if name not in gone))

    return _changed(game, number, without_it)


def without(game: Game, party: str) -> Game:
    """Return the game after a party left: its unanswered calls no longer name it."""
    calls = (
        call if party in call.answers else replace(call, parties=tuple(name for name in call.parties if name != party))
        for call in game.calls
    )
    return replace(game, calls=tuple(calls))


def check_gm(game: Game, author: str) -> None:
    """Raise Violation D10 if the author is not a game master."""
    if game.roles[author] != "gm":
        refuse("D10", "{party} is a player; a gm calls for rolls, and calls them off", party=author)


def _find(game: Game, number: int) -> DiceCall:
    call = next((call for call in game.calls if call.call == number), None)
    if call is None:
        numbers = ", ".join(str(call.call) for call in game.calls)
        if not numbers:
            refuse("D10", "there is no call {call}: none stands", call=number)
        refuse("D10", "there is no call {call}; there are {calls}", call=number, calls=numbers)
    return call


def _changed(game: Game, number: int, change: Callable[[DiceCall], DiceCall]) -> Game:
    return replace(game, calls=tuple(change(call) if call.call == number else call for call in game.calls))
