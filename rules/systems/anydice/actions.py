"""Actions of players and game masters (specs/dice-1.md, "Actions")."""

from collections.abc import Iterator

from rules.actions import Action, Field, Free, OneOf, Range, SomeOf, options
from rules.data.bounds import MAX_ITEMS, MAX_MODIFIER
from rules.data.language import Message
from rules.systems.anydice import calls, decks
from rules.systems.anydice.cards import CARDS
from rules.systems.anydice.rolling import latest_of
from rules.systems.anydice.state import Deck, Game

__all__ = ["actions"]

_DICE = Free("roll-dice", ("D1", "D2", "D3", "D4", "D5", "D6"))
_SOURCE = Field("source", Message("what it is for"), Free("text"), required=False)
_TARGET = (
    Field("least", Message("the target: this much or more passes"), Range(-MAX_MODIFIER, MAX_MODIFIER), required=False),
    Field("most", Message("the target: this much or less passes"), Range(-MAX_MODIFIER, MAX_MODIFIER), required=False),
)
_ITEMS = Field("items", Message("what is in it"), Free("items", ("D11",)))
_CARDS = Field("cards", Message("which cards"), OneOf(options(CARDS)))
_HAND = Field("hand", Message("what is drawn is held in the hand"), OneOf(options([True])), required=False)
_ROLL = Action(
    "roll",
    Message("roll dice"),
    "D1",
    (
        Field("dice", Message("the dice, such as 4d6kh3 + 2"), _DICE),
        _SOURCE,
        *_TARGET,
        Field("table", Message("what totals mean"), Free("table", ("D9",)), required=False),
    ),
)


def actions(game: Game, party: str) -> tuple[Action, ...]:
    """Return what the party can do now. None of it is ever due."""
    if party not in game.rollers():
        return ()
    return (_ROLL, *_answers(game, party), *_announces(game, party), *_decks(game, party), *_calls(game, party))


def _answers(game: Game, party: str) -> Iterator[Action]:
    for call in game.calls:
        if party in call.waiting:
            label = Message("answer the call of {gm}: {source}", gm=call.gm, source=call.source)
            if call.dice is not None:
                default = Message("the dice, if not {dice}", dice=call.dice)
                dice = Field("dice", default, _DICE, required=False, default=call.dice)
            else:
                dice = Field("dice", Message("the dice, such as 4d6kh3 + 2"), _DICE)
            yield Action("roll", label, "D10", (dice,), {"call": call.call})


def _announces(game: Game, party: str) -> Iterator[Action]:
    roll = latest_of(game, party)
    if roll is not None:
        yield Action("resolve", Message("put on record what came out"), "D7", body={"roll": roll.roll})


def _decks(game: Game, party: str) -> Iterator[Action]:
    for id_, deck in game.decks.items():
        if deck.left:
            count = Field("draw", Message("how many are drawn"), Range(1, deck.left), required=False, default=1)
            yield Action("roll", Message("draw from {deck}", deck=id_), "D12", (count, _HAND, _SOURCE), {"deck": id_})
    for id_, deck in game.decks.items():
        if held := deck.held(party):
            items = Field("items", Message("what is played"), SomeOf(options(held), 1, len(held)))
            label = Message("play from the hand, of {deck}", deck=id_)
            yield Action("declare", label, "D13", (items,), {"what": "play", "deck": id_})
    if len(game.decks) < MAX_ITEMS:
        name = Field("deck", Message("the deck's short name"), Free("deck", ("D11",)))
        yield Action("declare", Message("declare a deck or bag"), "D11", (name, _ITEMS), {"what": "deck"})
        yield Action("declare", Message("declare ready-made cards"), "D11", (name, _CARDS), {"what": "cards"})
    for id_, deck in game.decks.items():
        if decks.handles(game, party, deck):
            yield from _handling(id_, deck)


def _handling(id_: str, deck: Deck) -> Iterator[Action]:
    body = {"deck": id_}
    anew = Message("declare the deck {deck} anew", deck=id_)
    yield Action("declare", anew, "D11", (_ITEMS,), {"what": "deck", **body})
    ready = Message("declare the deck {deck} anew, with ready-made cards", deck=id_)
    yield Action("declare", ready, "D11", (_CARDS,), {"what": "cards", **body})
    out = [stack.item for stack in deck.items if deck.lies(stack)]
    if out:
        item = Field("item", Message("what goes back"), OneOf(options(out)))
        yield Action("declare", Message("put back into {deck}", deck=id_), "D11", (item,), {"what": "return", **body})
    yield Action(
        "declare",
        Message("shuffle {deck}, all back in it that nobody holds", deck=id_),
        "D11",
        body={"what": "shuffle", **body},
    )
    yield Action("declare", Message("remove the deck {deck}", deck=id_), "D11", body={"what": "remove", **body})


def _calls(game: Game, party: str) -> Iterator[Action]:
    if game.roles[party] != "gm":
        return
    if len(calls.standing(game)) < MAX_ITEMS:
        named = options(game.rollers())
        whom = SomeOf(named, 1, len(named))
        yield Action(
            "declare",
            Message("call for a roll"),
            "D10",
            (
                Field("source", Message("what the roll is for"), Free("words")),
                Field("dice", Message("the dice, such as 4d6kh3 + 2"), _DICE, required=False),
                *_TARGET,
                Field("parties", Message("who is called, if not all players"), whom, required=not game.players()),
            ),
            {"what": "call"},
        )
    for call in game.calls:
        label = Message("call off {source}", source=call.source)
        yield Action("declare", label, "D10", body={"what": "withdraw", "call": call.call})
