"""Leaving, absence and rulings (specs/doubledown.md, "Leaving", "Rulings")."""

from collections.abc import Mapping

from msgspec.structs import replace

from rules.base import Ruling
from rules.common.shared import ruled_results, with_rulings
from rules.history import replace_roll
from rules.systems.doubledown import sheets
from rules.systems.doubledown.rolling import replace_open_roll, settle_roll
from rules.systems.doubledown.state import Game, Roll, RollCall
from rules.systems.doubledown.voting import decide


def leave(game: Game, party: str) -> Game:
    """Return the game after a party left, without its sheet, its part in calls and its open roll."""
    roll = game.own(party)
    if roll is not None:
        game = settle_roll(game, roll, replace(roll, status="abandoned"))
    game = replace(
        game,
        gms=tuple(name for name in game.gms if name != party),
        seated=tuple(name for name in game.seated if name != party),
        away=game.away - {party},
        sheets={name: sheet for name, sheet in game.sheets.items() if name != party},
        proposed={name: sheet for name, sheet in game.proposed.items() if name != party},
        calls=tuple(c for c in (_call_without(call, party) for call in game.calls) if c.players),
    )
    return decide(game)


def _call_without(call: RollCall, party: str) -> RollCall:
    return replace(
        call,
        players=tuple(name for name in call.players if name != party),
        roller=None if call.roller == party else call.roller,
        contributions={name: c for name, c in call.contributions.items() if name != party},
    )


def away(game: Game, away: frozenset[str]) -> Game:
    """Return the game with exactly these parties away. A vote may be decided without them."""
    return decide(replace(game, away=away))


def rule(game: Game, ruling: Ruling) -> Game:
    """Return the game after a ruling on a roll; any other ruling leaves it unchanged. Raises Violation `ruling`."""
    roll = game.find(ruling.subject)
    if roll is None:
        return game
    if ruling.ruling == "void":
        return _strike(game, roll)
    results = ruled_results(ruling)
    return game if results is None else _correct(game, roll, results)


def _strike(game: Game, roll: Roll) -> Game:
    struck = replace(roll, status="struck")
    if any(one is roll for one in game.opened):
        game = settle_roll(game, roll, roll)
    game = replace(game, settled=replace_roll(game.settled, roll, struck))
    if roll.status in ("void", "struck"):
        return game
    for name, gives in roll.called.contributions.items():
        game = sheets.gain(game, name, gives.drive)
        if gives.tag is not None and name in game.sheets and not _exhausted_later(game, roll, name, gives.tag):
            game = sheets.with_sheet(game, name, sheets.with_tag(game.sheets[name], gives.tag, exhausted=False))
    return sheets.gain(game, roll.player, -roll.drive)


def _exhausted_later(game: Game, roll: Roll, player: str, tag: str) -> bool:
    """Return whether a later roll exhausted the tag again, so that undoing `roll` must not recover it."""
    rolls = (*game.settled, *game.opened)
    later = (r for r in rolls if r.roll > roll.roll and r.status not in ("void", "struck"))
    return any((m.kind, m.player, m.source) == ("tag", player, tag) for r in later for m in r.modifiers)


def _correct(game: Game, roll: Roll, results: Mapping[int, int]) -> Game:
    after = replace(roll, dice=with_rulings(roll.dice, results))
    if any(one is roll for one in game.opened):
        return replace_open_roll(game, roll, after)
    game = replace(game, settled=replace_roll(game.settled, roll, after))
    return sheets.gain(game, roll.player, after.drive - roll.drive)
