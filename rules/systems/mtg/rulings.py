"""Magic 706: what a ruling changes, and what a player that leaves takes along (specs/mtg.md, "Rulings", "Leaving")."""

from collections.abc import Mapping

from msgspec.structs import replace

from rules.base import Ruling
from rules.common.shared import corrected, refuse, ruled, ruled_results
from rules.data.language import N_
from rules.history import find_roll, keep_roll, replaced
from rules.systems.mtg.effects import answer, with_forced
from rules.systems.mtg.ignoring import without_ignored
from rules.systems.mtg.outcome import finished, settle, with_outcome
from rules.systems.mtg.standing import ended
from rules.systems.mtg.state import Ability, Die, Done, Game, Roll

__all__ = ["leave", "rule"]


def leave(game: Game, party: str) -> Game:
    """What a party that leaves takes along."""
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
    """What a ruling on a roll, or on the declaration of a standing effect, changes; any other changes nothing here."""
    roll = find_roll(game.settled, game.open, ruling.subject)
    if roll is None:
        return ended(game, lambda one: one.declared == ruling.subject) if ruling.ruling == "void" else game
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
        game = replace(game, settled=replaced(game.settled, roll, struck))
    permanents = {
        key: replace(p, stored=tuple(s for s in p.stored if s.roll != roll.roll)) for key, p in game.permanents.items()
    }
    again = None if game.again is not None and game.again.roll == roll.roll else game.again
    return replace(game, again=again, permanents=permanents, ability=_ability_without(game.ability, roll))


def _ability_without(ability: Ability | None, roll: Roll) -> Ability | None:
    """The latest ability when a roll is struck: without its first there is none, another's player may roll again.

    Not the player of a roll that came to nothing before: that one does not count, and another of theirs may.
    """
    if ability is None or ability.first.roll == roll.roll:
        return None
    if roll.joins != ability.first.roll or roll.status in ("void", "struck"):
        return ability
    return replace(ability, rolled=ability.rolled - {roll.player})


def _corrected(roll: Roll, results: Mapping[int, int]) -> Roll:
    """The roll whose dice have these results. Raises Violation `ruling`."""
    return replace(roll, dice=corrected(roll.dice, results, _with_result), course=_course(roll, results))


def _with_result(die: Die, result: int) -> Die:
    if die.planar:
        refuse("ruling", "die {die} is the planar die: it has no result to correct", die=die.die)
    if die.coin:
        refuse("ruling", "die {die} is a coin: it has no result to correct", die=die.die)
    return ruled(die, result)


def _correct_open(game: Game, roll: Roll, results: Mapping[int, int]) -> Game:
    """A finished roll is corrected as it is shown; what of a roll is still to be ignored is worked out anew."""
    shown = with_forced(roll) if finished(game) is not None else roll
    return without_ignored(game, _corrected(shown, results))


def _correct(game: Game, roll: Roll, results: Mapping[int, int]) -> Game:
    """The dice have other results, and so has all that hangs on them."""
    after = _corrected(roll, results)
    game = _with_stored_values(game, roll.roll, results)
    if roll.status == "resolved":
        after = with_outcome(after, after.watching)
        game = _with_repeat(game, roll, after)
    return replace(game, settled=replaced(game.settled, roll, after))


def _course(roll: Roll, results: Mapping[int, int]) -> tuple[Done, ...]:
    """The course of a roll with a ruling; a die that is ruled on twice in a row has its last result alone."""
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
    """The game with the repeat due or offered, or not, when `roll` has become `after` (706.3c).

    Raises Violation `ruling` where one would become due in the middle of something else.
    """
    was = game.again is not None and game.again.roll == roll.roll
    if not after.repeats or roll.player in game.left or _repeated(game, roll.roll):
        return replace(game, again=None) if was else game
    if not was:
        done = finished(game)
        if done is not None and not done.repeats:
            game = settle(game)
        if game.open is not None or game.again is not None:
            text = N_("roll {roll} now says “Roll again.”, but another roll is not finished: rule on it after that")
            refuse("ruling", text, roll=roll.roll)
    return replace(game, again=after)


def _repeated(game: Game, number: int) -> bool:
    """Whether a roll that repeats this one is open or resolved."""
    rolls = (*game.settled, *((game.open,) if game.open else ()))
    return any(roll.again == number and roll.status in ("open", "resolved") for roll in rolls)
