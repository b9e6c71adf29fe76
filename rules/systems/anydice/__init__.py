"""The system `dice-1`: dice for any game (specs/dice-1.md)."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from rules.base import Body, Clause, Event, Role, WaitsFor
from rules.common.shared import InModules
from rules.data.language import N_, Message
from rules.history import History, find_roll
from rules.systems.anydice import calls, decks, rolling
from rules.systems.anydice.bodies import (
    BODIES,
    CLAIMS,
    DeclareCall,
    DeclareCards,
    DeclareDeck,
    DeclarePlay,
    DeclareRemove,
    DeclareReturn,
    DeclareShuffle,
    DeclareWithdraw,
    Options,
    ResolveBody,
)
from rules.systems.anydice.cards import CARDS
from rules.systems.anydice.clauses import CLAUSES
from rules.systems.anydice.state import Deck, DiceCall, Game, Roll

__all__ = ["AnyDice"]


class AnyDice(InModules):
    """The system `dice-1`."""

    id = "dice-1"
    name = "dice"
    title = N_("Dice for any game")
    roles: frozenset[Role] = frozenset({"gm"})
    rollers: frozenset[Role] = frozenset({"player", "gm"})
    rolls_stand_alone = True
    seals: bool = True
    seals_clause: str | None = None
    late: frozenset[Role] = frozenset({"player", "gm"})
    rollers_clause: str | None = None
    agreement: str | None = None
    options: type[Body] = Options
    bodies: Mapping[str, Any] = BODIES
    claims: Mapping[str, frozenset[str]] = CLAIMS
    clauses: tuple[Clause, ...] = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:  # noqa: ARG002
        return Game(parties)

    def admit(self, game: Game, party: str, role: Role) -> Game:
        return replace(game, roles={**game.roles, party: role})

    request = staticmethod(rolling.request)
    waves = staticmethod(rolling.waves)
    reveal = staticmethod(rolling.reveal)
    void = staticmethod(rolling.void)
    show = staticmethod(rolling.show)
    secret_sides = staticmethod(rolling.fixed_sides)
    rule = staticmethod(rolling.rule)

    def act(self, game: Game, event: Event) -> Game:  # noqa: C901 - a line for each kind
        match event.body:
            case ResolveBody() as body:
                return rolling.resolve(game, event.author, body)
            case DeclareCall() as body:
                declared = calls.declare(game, event.seq, event.author, body)
                if isinstance(body.dice, str):
                    rolling.check_notation(body.dice)
                return declared
            case DeclareWithdraw(call=call):
                return calls.withdraw(game, event.author, call)
            case DeclareDeck(deck=deck, items=items):
                return decks.declare(game, event.seq, event.author, deck, items)
            case DeclareCards(deck=deck, cards=cards):
                return decks.declare(game, event.seq, event.author, deck, CARDS[cards])
            case DeclareReturn(deck=deck, item=item):
                return decks.return_drawn(game, event.author, deck, item)
            case DeclareShuffle(deck=deck):
                return decks.shuffle(game, event.seq, event.author, deck)
            case DeclareRemove(deck=deck):
                return decks.remove(game, event.author, deck)
            case DeclarePlay(deck=deck, items=played):
                return decks.play(game, event.author, deck, played)
            case other:
                raise TypeError(f"{event.type} has no body {other!r}")

    def secret_notes(self, game: Game, roll: int, naturals: tuple[int, ...]) -> tuple[Message, ...]:
        notes: tuple[Message, ...] = self._module("words").secret_notes(game, roll, naturals)
        return notes

    def settle(self, game: Game) -> Game:
        return game

    def leave(self, game: Game, party: str) -> Game:
        return calls.without(decks.without(replace(game, left=game.left | {party}), party), party)

    def away(self, game: Game, away: frozenset[str]) -> Game:  # noqa: ARG002
        return game

    def waits_for(self, game: Game) -> WaitsFor | None:  # noqa: ARG002
        return None

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        return game.settled, game.waiting

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = find_roll(game.settled, game.pending, roll)
        return None if found is None else _roll(found)

    def view(self, game: Game) -> dict[str, Any]:
        return {"rolls": [_roll(roll) for roll in (*game.settled, *game.waiting)], **self.view_rest(game)}

    def view_rest(self, game: Game) -> dict[str, Any]:
        return {
            "calls": [_call(call) for call in game.calls],
            "decks": {id_: _deck(game, deck) for id_, deck in game.decks.items()},
        }


def _roll(roll: Roll) -> dict[str, Any]:
    view: dict[str, Any] = msgspec.to_builtins(roll)
    return {name: value for name, value in view.items() if name not in ("throws", "hand", "load")}


def _call(call: DiceCall) -> dict[str, Any]:
    return {**msgspec.to_builtins(call), "waiting": list(call.waiting)}


def _deck(game: Game, deck: Deck) -> dict[str, Any]:
    items = [{"item": stack.item, "count": stack.count, "left": stack.left} for stack in deck.items]
    hands = {
        name: [{"item": item, "count": count} for item, count in deck.held(name).items()]
        for name in game.roles
        if name in deck.hands
    }
    return {"owner": deck.owner, "declared": deck.declared, "items": items, "left": deck.left, "hands": hands}
