"""Choices of an open roll, its end, and rulings (specs/t9a.md, "What stands", T1.4, T4.4)."""

from msgspec.structs import replace

from rules.base import Ruling
from rules.common.shared import add_to_tally, check_roller, open_roll, refuse, ruled_results, with_ruling, with_rulings
from rules.data.language import N_
from rules.history import find_roll, keep_roll, replace_roll
from rules.systems.t9a import bodies as b
from rules.systems.t9a.claims import check_claims
from rules.systems.t9a.modifiers import check_reach
from rules.systems.t9a.rerolls import allowed_rerolls, ordered_reroll
from rules.systems.t9a.state import Die, Game, Roll

__all__ = ["choice", "latest", "leave", "resolve", "rule", "settle"]


def choice(roll: Roll) -> str | None:
    """Return the choice that a revealed roll waits for; None if it stands."""
    if ordered_reroll(roll):
        return N_("reroll")
    if allowed_rerolls(roll):
        return N_("reroll or resolve")
    return N_("ignore or resolve") if roll.firsts else None


def settle(game: Game) -> Game:
    """Return the game with the roll that stands settled, if there is one."""
    if game.open is None or game.open.status != "open" or game.pending is not None or choice(game.open):
        return game
    return _settled(game, game.open)


def latest(game: Game) -> Roll | None:
    """Return the roll that was resolved last, among those that are kept (T1.5); None without one."""
    return next((roll for roll in reversed(tuple(game.settled)) if roll.status == "resolved"), None)


def resolve(game: Game, author: str, body: b.ResolveBody) -> Game:
    """Return the game after the player ended the open roll. Raises Violation T1.4, T4.4, or the clause of a wrong
    claim.
    """
    roll = open_roll(game.open, body.roll, "T1.4")
    check_roller(roll, author, "T1.4")
    order = ordered_reroll(roll)
    if order is not None:
        text = N_("{source} orders a reroll ({which}) that has not been made")
        refuse("T4.4", text, source=order.source, which=order.words)
    check_claims(roll, body)
    return _settled(game, roll)


def _settled(game: Game, roll: Roll) -> Game:
    players = add_to_tally(game.players, roll.player, rolls=1)
    return replace(_ended(game, replace(roll, status="resolved")), players=players)


def _ended(game: Game, roll: Roll) -> Game:
    """Return the game with the open roll ended as `roll`."""
    return replace(game, open=None, settled=keep_roll(game.settled, roll))


# --- leaving, rulings ----------------------------------------------------------------------------------------------


def leave(game: Game, party: str) -> Game:
    """Return the game after a party left; its open roll is abandoned."""
    if game.open is None or game.open.player != party:
        return game
    return _ended(game, replace(game.open, status="abandoned"))


def rule(game: Game, ruling: Ruling) -> Game:
    """Return the game after a ruling on a roll; any other ruling leaves it unchanged. Raises Violation `ruling`."""
    roll = find_roll(game.settled, game.open, ruling.subject)
    if roll is None:
        return game
    if ruling.ruling == "void":
        struck = replace(roll, status="struck")
        return _ended(game, struck) if game.open is roll else _with(game, roll, struck)
    results = ruled_results(ruling)
    if results is not None:
        after = replace(roll, dice=with_rulings(roll.dice, results, _ruled))
        check_reach(after, "ruling")
        return _with(game, roll, after)
    return game


def _with(game: Game, old: Roll, new: Roll) -> Game:
    """Return the game with a roll replaced, whether it is open or settled."""
    if game.open is old:
        return replace(game, open=new)
    return replace(game, settled=replace_roll(game.settled, old, new))


def _ruled(die: Die, result: int) -> Die:
    if die.kind in ("arrow", "bearing") and not 0 <= result < 360:
        refuse("ruling", "die {die} gives a direction: 0 to 359 degrees", die=die.die)
    if die.kind == "face" and result not in (1, 5):
        refuse("ruling", "die {die} says which side is the arrow: 1 or 5", die=die.die)
    return with_ruling(die, result)
