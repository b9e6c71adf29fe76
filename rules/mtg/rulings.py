"""Magic 706: what a ruling changes, and what a player that leaves takes along (specs/mtg.md, "Rulings", "Leaving")."""

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import Ruling
from rules.mtg.checks import outcome, with_die
from rules.mtg.state import (
    Game,
    Roll,
)
from rules.shared import find_die, find_roll, keep_roll, refuse, replaced, ruled_steps


def leave(game: Game, party: str) -> Game:
    """What a party that leaves takes along."""
    if game.open is not None and game.open.player == party:
        game = replace(game, open=None, settled=keep_roll(game.settled, replace(game.open, status="abandoned")))
    return replace(
        game,
        again=None if game.again is not None and game.again.player == party else game.again,
        owed=tuple(o for o in game.owed if o.controller != party),
        triggers=tuple(t for t in game.triggers if t.controller != party),
        permanents={k: v for k, v in game.permanents.items() if v.controller != party},
    )


def rule(game: Game, ruling: Ruling) -> Game:
    """What a ruling on a roll changes; any other ruling changes nothing here."""
    roll = find_roll(game.settled, game.open, ruling.subject)
    if roll is None:
        return game
    if ruling.ruling == "void":
        return _strike(game, roll)
    if ruling.ruling == "correct" and not isinstance(ruling.results, UnsetType):
        return _correct(game, roll, {r.die: r.result for r in ruling.results})
    return game


def _strike(game: Game, roll: Roll) -> Game:
    struck = replace(roll, status="struck")
    if game.open is roll:
        game = replace(game, open=None, settled=keep_roll(game.settled, struck))
    else:
        game = replace(game, settled=replaced(game.settled, roll, struck))
    permanents = {
        key: replace(p, stored=tuple(s for s in p.stored if s.roll != roll.roll)) for key, p in game.permanents.items()
    }
    again = None if game.again is not None and game.again.roll == roll.roll else game.again
    return replace(game, again=again, permanents=permanents, owed=tuple(o for o in game.owed if o.roll != roll.roll))


def _correct(game: Game, roll: Roll, results: dict[int, int]) -> Game:
    corrected = roll
    for number, result in results.items():
        die = find_die(corrected.dice, number, "ruling")
        if die.planar:
            refuse("ruling", "die {die} is the planar die: it has no result to correct", die=number)
        dice = with_die(corrected, replace(die, result=result, steps=ruled_steps(die.steps, result)))
        corrected = replace(corrected, dice=dice)
    if game.open is roll:
        game = replace(game, open=corrected)
    else:
        corrected = outcome(corrected) if roll.status == "resolved" else corrected
        game = replace(game, settled=replaced(game.settled, roll, corrected))
    permanents = {
        key: replace(
            p,
            stored=tuple(
                replace(s, value=results[s.die]) if s.roll == roll.roll and s.die in results else s for s in p.stored
            ),
        )
        for key, p in game.permanents.items()
    }
    return replace(game, permanents=permanents)
