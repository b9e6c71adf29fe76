"""Roll-offs: the highest die wins, and tied dice are rerolled at once (specs/wh40k.md, W25)."""

from collections.abc import Iterator, Sequence

from rules.actions import Action
from rules.base import Event, given
from rules.common.shared import refuse
from rules.data.language import N_, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.fields import free, some_of
from rules.systems.wh40k.record import Off, Roll
from rules.systems.wh40k.rolls import D6
from rules.systems.wh40k.state import Game
from rules.systems.wh40k.values import Dice

__all__ = ["TIE", "offers", "plan", "ties"]

TIE = "tie"
"""the source of the reroll step of a tied die"""


def plan(game: Game, event: Event, body: b.OffRoll) -> Roll:
    """Return a roll with a die for each of the players. Raises Violation W25."""
    known = _players(game)
    players = given(body.players, known)
    for name in players:
        if name not in known:
            refuse("W25", "{name} is no player in the game", name=name)
    if len(players) < 2 or len(set(players)) < len(players):
        refuse("W25", "two players or more roll off, each once")
    notation = Dice(len(players), 6, 0).text
    return Roll(event.seq, event.author, Off(players), body.source, notation, D6, (None,) * len(players))


def ties(count: int, naturals: Sequence[int]) -> list[int]:
    """Return the dice that are rerolled because of ties, round by round; the last round may lack naturals.

    `count` is the number of players. `naturals` has the first dice, then those of each round.
    """
    found: list[int] = []
    dice, shown, rest = [*range(1, count + 1)], naturals[:count], naturals[count:]
    while True:
        most = max(shown)
        highest = [die for die, natural in zip(dice, shown, strict=True) if natural == most]
        if len(highest) < 2:
            return found
        found += highest
        if len(rest) < len(highest):
            return found
        dice, shown, rest = highest, rest[: len(highest)], rest[len(highest) :]


def offers(game: Game) -> Iterator[Action]:
    """Yield a roll-off if there are two players or more."""
    players = _players(game)
    if len(players) > 1:
        source = free("source", N_("what is rolled off for"), "text")
        some = some_of("players", N_("who rolls off, if not all"), players, 2, len(players), required=False)
        yield Action("roll", Message("roll off"), "W25", (source, some), {"for": "off"})


def _players(game: Game) -> tuple[str, ...]:
    return tuple(name for name in game.players if name not in game.left)
