"""Rulings, and players that leave (specs/mtg.md, "Rulings", "Leaving")."""

from collections.abc import Mapping

from msgspec.structs import replace

from rules.base import Ruling
from rules.common.shared import refuse, ruled_results, with_ruling, with_rulings
from rules.data.language import N_
from rules.history import find_roll, keep_roll, replace_roll
from rules.systems.mtg.effects import answer, with_forced
from rules.systems.mtg.ignoring import without_ignored
from rules.systems.mtg.outcome import settle, settled_if_finished, with_outcome
from rules.systems.mtg.standing import without_ended
from rules.systems.mtg.state import Ability, Die, Done, Game, Roll

__all__ = ["leave", "rule"]


def leave(game: Game, party: str) -> Game:
    """Return the game after a party left, without its open roll, its effects, abilities and permanents."""
    if game.open is not None and game.open.player == party:
        game = replace(game, open=None, settled=keep_roll(game.settled, replace(game.open, status="abandoned")))
    elif game.open is not None:
        game = replace(game, open=_without_effects(game.open, party))
    return replace(
        game,
        again=None if game.again is not None and game.again.player == party else game.again,
        triggers=tuple(t for t in game.triggers if t.controller != party),
        standing=tuple(s for s in game.standing if s.controller != party),
        permanents={k: v for k, v in game.permanents.items() if v.controller != party},
        left=game.left | {party},
    )


def _without_effects(roll: Roll, controller: str) -> Roll:
    for effect in roll.effects:
        if effect.controller == controller and effect.answer is None:
            roll = answer(roll, effect.effect, "ended")
    return roll


def rule(game: Game, ruling: Ruling) -> Game:
    """Return the game after a ruling on a roll or on the declaration of a standing effect. Raises Violation `ruling`.

    Any other ruling leaves the game unchanged.
    """
    roll = find_roll(game.settled, game.open, ruling.subject)
    if roll is None:
        return without_ended(game, lambda one: one.declared == ruling.subject) if ruling.ruling == "void" else game
    if ruling.ruling == "void":
        return _strike(game, roll)
    results = ruled_results(ruling)
    if results is not None:
        return _correct_open(game, roll, results) if game.open is roll else _correct(game, roll, results)
    return game


def _strike(game: Game, roll: Roll) -> Game:
    struck = replace(roll, status="struck", triggered=())
    if game.open is roll:
        game = replace(game, open=None, settled=keep_roll(game.settled, struck))
    else:
        game = replace(game, settled=replace_roll(game.settled, roll, struck))
    permanents = {
        key: replace(p, stored=tuple(s for s in p.stored if s.roll != roll.roll)) for key, p in game.permanents.items()
    }
    again = None if game.again is not None and game.again.roll == roll.roll else game.again
    return replace(game, again=again, permanents=permanents, ability=_ability_without(game.ability, roll))


def _ability_without(ability: Ability | None, roll: Roll) -> Ability | None:
    """Return the latest ability after a roll was struck; None if that was its first roll.

    The player of another roll may roll again, unless that roll did not count before: then the player may have another
    one.
    """
    if ability is None or ability.first.roll == roll.roll:
        return None
    if roll.joins != ability.first.roll or roll.status in ("void", "struck"):
        return ability
    return replace(ability, rolled=ability.rolled - {roll.player})


def _corrected(roll: Roll, results: Mapping[int, int]) -> Roll:
    """Return the roll with these results. Raises Violation `ruling`."""
    return replace(roll, dice=with_rulings(roll.dice, results, _with_result), course=_course(roll, results))


def _with_result(die: Die, result: int) -> Die:
    if die.planar:
        refuse("ruling", "die {die} is the planar die: it has no result to correct", die=die.die)
    if die.coin:
        refuse("ruling", "die {die} is a coin: it has no result to correct", die=die.die)
    return with_ruling(die, result)


def _correct_open(game: Game, roll: Roll, results: Mapping[int, int]) -> Game:
    """Return the game with a finished roll corrected as it is shown, or with an open one and its choices renewed."""
    shown = with_forced(roll) if settled_if_finished(game) is not None else roll
    return without_ignored(game, _corrected(shown, results))


def _correct(game: Game, roll: Roll, results: Mapping[int, int]) -> Game:
    """Return the game with corrected results, and with all that depends on them."""
    after = _corrected(roll, results)
    game = _with_stored_values(game, roll.roll, results)
    if roll.status == "resolved":
        after = with_outcome(after, after.watching)
        game = _with_repeat(game, roll, after)
    return replace(game, settled=replace_roll(game.settled, roll, after))


def _course(roll: Roll, results: Mapping[int, int]) -> tuple[Done, ...]:
    """Return the course of a roll with a ruling. A die that is ruled on twice in a row keeps the last result only."""
    before, last = roll.course, roll.course[-1] if roll.course else None
    if last is not None and last.what == "ruled":
        before, results = before[:-1], {**dict(zip(last.dice, last.results, strict=True)), **results}
    return (*before, Done("ruled", tuple(results), results=tuple(results.values())))


def _with_stored_values(game: Game, roll: int, results: Mapping[int, int]) -> Game:
    permanents = {
        key: replace(
            p,
            stored=tuple(
                replace(s, value=results[s.die]) if s.roll == roll and s.die in results else s for s in p.stored
            ),
        )
        for key, p in game.permanents.items()
    }
    return replace(game, permanents=permanents)


def _with_repeat(game: Game, roll: Roll, after: Roll) -> Game:
    """Return the game with the repeat due, offered or not, after `roll` became `after` (706.3c).

    Raises Violation `ruling` if a repeat would become due while another roll is not finished.
    """
    was = game.again is not None and game.again.roll == roll.roll
    if not after.repeats or roll.player in game.left or _repeated(game, roll.roll):
        return replace(game, again=None) if was else game
    if not was:
        done = settled_if_finished(game)
        if done is not None and not done.repeats:
            game = settle(game)
        if game.open is not None or game.again is not None:
            text = N_("roll {roll} now says “Roll again.”, but another roll is not finished: rule on it after that")
            refuse("ruling", text, roll=roll.roll)
    return replace(game, again=after)


def _repeated(game: Game, number: int) -> bool:
    """Return whether a roll that repeats this one is open or resolved."""
    rolls = (*game.settled, *((game.open,) if game.open else ()))
    return any(roll.again == number and roll.status in ("open", "resolved") for roll in rolls)
