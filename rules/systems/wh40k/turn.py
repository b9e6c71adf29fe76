"""Phases and turns (specs/wh40k.md, W19, W21). What the state keeps for one phase is dropped with it."""

from collections.abc import Iterator
from typing import get_args

from msgspec.structs import replace

from rules.actions import Action
from rules.common.shared import refuse
from rules.data.language import N_, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.fields import one_of
from rules.systems.wh40k.state import Game, PlayerTurn

__all__ = ["begin", "offers"]

_PHASES: tuple[b.Phase, ...] = get_args(b.Phase)


def begin(game: Game, author: str, phase: b.Phase) -> Game:
    """Return the game with a phase of the author's turn begun (W9, W11, W21). Raises Violation W19."""
    if phase not in _to_come(game, author):
        text = N_("phases come in their order, each at most once a turn, and are {player}'s to declare until {last}")
        player = game.turn.player if game.turn is not None else author
        refuse("W19", text, player=player, last=_PHASES[-1])
    fresh = {key: replace(unit, chosen=(), move=None) for key, unit in game.units.items()}
    return replace(game, turn=PlayerTurn(author, phase), units=fresh, command=())


def _to_come(game: Game, player: str) -> tuple[b.Phase, ...]:
    """Return the phases that a player can declare now."""
    turn = game.turn
    if turn is None:
        return _PHASES
    if turn.player == player:
        later = _PHASES[_PHASES.index(turn.phase) + 1 :]
        alone = game.left >= game.players.keys() - {player}
        return later or (_PHASES if alone else ())
    return _PHASES if turn.phase == _PHASES[-1] else ()


def offers(game: Game, party: str) -> Iterator[Action]:
    """Yield the phases that the player can declare now."""
    phases = _to_come(game, party)
    if phases:
        field = one_of("phase", N_("the phase that begins"), phases)
        yield Action("declare", Message("begin a phase"), "W19", (field,), {"what": "phase"})
