"""Settlement of rolls, and reopening of the last settled roll (specs/wh40k.md, "Course", "Late modifiers").

Settling: results, claims, effects. Reopening: the game before the roll, the changed roll, settling, the roll made
since.
"""

from collections.abc import Callable
from typing import NoReturn

from msgspec.structs import replace

from rules.base import Violation, WaitsFor
from rules.common.shared import add_to_tally, refuse
from rules.data.language import N_
from rules.history import keep_roll
from rules.systems.wh40k import attack_sequence, mortal, move, rolls
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.claims import check_claims, check_triggered
from rules.systems.wh40k.next_step import next_step
from rules.systems.wh40k.record import (
    OfDamage,
    OfExtra,
    OfMove,
    OfSequence,
    OfStrength,
    Roll,
    ToIgnore,
    ToIgnoreMortal,
    ToSave,
    ToWound,
)
from rules.systems.wh40k.rerolls import waits_for
from rules.systems.wh40k.state import (
    At,
    AttackSequence,
    Game,
    Ignoring,
    Inflicting,
    Limited,
    RollingDamage,
    RollingExtra,
    RollingStrength,
    RollingWounds,
    Saving,
    Undo,
)
from rules.systems.wh40k.wound import hits_to_wound

__all__ = [
    "again",
    "awaited_player",
    "count",
    "count_reopening",
    "planned_again",
    "settle",
    "settle_open",
    "undone",
]


def count(game: Game, player: str, **more: int) -> Game:
    """Return the game with these numbers added to the player's tally."""
    return replace(game, players=add_to_tally(game.players, player, **more))


def settle_open(game: Game) -> Game:
    """Return the game with the open roll settled, if it stands."""
    if game.open is None or game.open.status != "open" or waits_for(game, game.open) is not None:
        return game
    return settle(game, game.open)


def awaited_player(game: Game) -> WaitsFor | None:
    """Return the player whose choice the open roll, or the next step, waits for; None if there is no such choice."""
    roll = game.open
    if roll is not None:
        player = waits_for(game, roll)
        if player is not None:
            return WaitsFor(player, N_("reroll or resolve") if player == roll.player else N_("reroll or waive"))
        game = settle_open(game)
    coming = next_step(game)
    if coming is not None:
        return WaitsFor(coming.player, coming.step)
    return next((WaitsFor(unit.player, N_("move")) for unit in game.units.values() if unit.to_move), None)


def settle(game: Game, opened: Roll, body: b.ResolveBody | None = None) -> Game:
    """Return the game after the open roll got its results and took effect. The claims of `body` must be right.

    Raises Violation.
    """
    before, roll = replace(game, undo=None, open=opened), rolls.compute_results(opened)
    if body is not None:
        check_claims(roll, body)
        check_triggered(game, roll, body)
    roll = replace(roll, status="resolved")
    game = replace(game, open=None, settled=keep_roll(game.settled, roll))
    match roll.purpose:
        case OfMove() as purpose:
            game = move.settle(game, roll, purpose)
        case OfSequence() if game.sequence is not None:
            sequence = _limited(game.sequence, roll)
            game = attack_sequence.settle(replace(game, sequence=sequence), sequence, roll)
    return replace(count(game, roll.player, rolls=1), undo=Undo(opened, before))


def _limited(sequence: AttackSequence, roll: Roll) -> AttackSequence:
    """Return the sequence with the parts that limited rules took of the roll."""
    found = {(limited.source, limited.of): limited.taken for limited in sequence.limited}
    for source, taken in roll.taken.items():
        found[source, roll.purpose.of] = found.get((source, roll.purpose.of), 0) + taken
    return replace(sequence, limited=tuple(Limited(source, of, taken) for (source, of), taken in found.items()))


def undone(game: Game, undo: Undo) -> Game:
    """Return the game as before the last settled roll. A roll that was made since is struck."""
    before = _before(game, undo)
    if game.open is None:
        return before
    return replace(before, settled=keep_roll(before.settled, replace(game.open, status="struck")))


def again(game: Game, undo: Undo, clause: str, change: Callable[[Roll], Roll]) -> Game:
    """Return the game with the last settled roll changed and settled again. A roll that was made since is adapted.

    Raises Violation W19 if that roll would now be another one, Violation of `clause` if the settled roll was reopened
    too often, and what `change` raises.
    """
    _check_again(undo, clause)
    return count_reopening(_again(game, undo, change), undo)


def _check_again(undo: Undo, clause: str) -> None:
    """Raise Violation of `clause` if the roll has been reopened as often as allowed."""
    if undo.spent:
        text = N_("roll {roll} has been taken up again as often as it can be: {times}")
        refuse(clause, text, roll=undo.roll.roll, times=undo.times)


def count_reopening(game: Game, undo: Undo) -> Game:
    """Return the game with one more reopening counted."""
    return game if game.undo is None else replace(game, undo=replace(game.undo, times=undo.times + 1))


def _again(game: Game, undo: Undo, change: Callable[[Roll], Roll]) -> Game:
    before, since = _before(game, undo), game.open
    changed = change(undo.roll)
    new = settle(replace(before, open=changed), changed)
    if since is None:
        return new
    if not isinstance(since.purpose, OfSequence):
        return replace(new, open=since)
    standing = _standing(settle(before, undo.roll), new, undo.roll, since)
    ignored = _ignored(standing) - _ignored(since)
    if standing.parts:
        return replace(count(new, since.player, ignored=ignored), open=standing)
    ended = replace(standing, status="resolved")
    new = settle(replace(before, open=changed, settled=keep_roll(before.settled, ended)), changed)
    return count(new, since.player, rolls=1, ignored=ignored)


def planned_again(old: Game, new: Game, roll: Roll) -> Roll:
    """Return an open roll of the sequence with its needs and changes planned again in a new state of its step."""
    was, now = _planned(old, roll, len(roll.needs)), _planned(new, roll, len(roll.needs))
    return rolls.with_parts(_as_planned(roll, was, now))


def _before(game: Game, undo: Undo) -> Game:
    """Return the game as before the last settled roll, but with what was counted, voided and struck since."""
    before = undo.before
    for ended in game.settled.not_in(before.settled):
        if ended.roll != undo.roll.roll:
            before = replace(before, settled=keep_roll(before.settled, ended))
    return count(replace(before, players=game.players, command=game.command), undo.roll.player, rolls=-1)


def _ignored(roll: Roll) -> int:
    return sum(die.status == "ignored" for die in roll.dice)


def _standing(old: Game, new: Game, last: Roll, since: Roll) -> Roll:
    """Return the roll made in `old`, planned again in `new`, without the dice of hits that no longer exist."""
    if isinstance(_at(new), RollingExtra) and not isinstance(since.purpose, OfExtra):
        _refuse(last, since)  # now numbers of hits must be rolled before it
    stands = _which_stand(old, new, last, since)
    if not any(stands):
        return rolls.with_parts(replace(_without(since, stands), needs=()))
    try:
        was, now = _planned(old, since, len(since.needs)), _planned(new, since, sum(stands))
    except Violation:
        _refuse(last, since)
    if (now.purpose, now.dice_of_part) != (was.purpose, was.dice_of_part) or len(now.needs) != sum(stands):
        _refuse(last, since)
    return rolls.with_parts(_as_planned(_without(since, stands), was, now))


def _as_planned(roll: Roll, was: Roll, now: Roll) -> Roll:
    """Return the roll as it would be planned now, with the changes and rules that were added since it was planned."""
    return replace(
        roll,
        purpose=now.purpose,
        needs=now.needs,
        changes=now.changes + roll.changes[len(was.changes) :],
        rerolls=now.rerolls + roll.rerolls[len(was.rerolls) :],
    )


def _planned(game: Game, roll: Roll, size: int) -> Roll:
    """Return the roll that the same body asks for in this state, with `size` parts if the body does not say."""
    asked = roll.asked
    if asked is None:
        raise TypeError("only rolls of a sequence are planned")
    if isinstance(asked, b.SaveRoll) and isinstance(roll.purpose, ToSave):
        asked = replace(asked, model=roll.purpose.model, count=size)
    if isinstance(asked, b.IgnoreRoll) and isinstance(roll.purpose, ToIgnoreMortal):
        asked = replace(asked, count=size)
    return attack_sequence.plan(replace(game, open=None), roll.player, roll.roll, asked)


def _which_stand(old: Game, new: Game, last: Roll, since: Roll) -> list[bool]:
    """Return for each part whether what it was rolled for still exists.

    Raises Violation W19 if there is more to roll for now, or something else.
    """
    was, at = _at(old), _at(new)
    rolled = _rolled(since)
    match since.purpose:
        case OfExtra() | OfStrength() | ToWound():
            left = _rolled_for(new, since)
            if not left <= {*since.hits}:
                _refuse(last, since)  # there are hits, or numbers of hits, without a die
            return [of in left for of in since.hits]
        case ToIgnore() if isinstance(was, Ignoring):
            if isinstance(at, Ignoring) and (at.failed.of, at.model) == (was.failed.of, was.model):
                return [number < at.damage for number in range(rolled)]
            return _gone(at, {was.failed.of}, last, since)
        case ToIgnoreMortal(model=model) if isinstance(was, Inflicting):
            most = _mortal_left(new, was.target, model, last, since)
            return [number < most for number in range(rolled)]
        case OfDamage() if isinstance(was, RollingDamage):
            if isinstance(at, RollingDamage) and at.failed.of == was.failed.of:
                return [True]
            return _gone(at, {was.failed.of}, last, since)
        case ToSave():
            if isinstance(at, Saving):
                return [number < len(at.wounds) for number in range(rolled)]
            return _gone(at, _to_come(at), last, since)
        case _:
            return [True] * rolled


def _mortal_left(game: Game, target: str, model: int, last: Roll, since: Roll) -> int:
    """Return how many mortal wounds on a target the model can get. Raises Violation W19 if another step comes first."""
    sequence = game.sequence
    if sequence is None or all(item.target != target for item in sequence.mortal):
        return 0
    if not isinstance(sequence.at, Inflicting):
        _refuse(last, since)
    return min(mortal.owed_on(sequence, target), game.units[target].models[model - 1].left)


def _gone(at: At | None, of: set[tuple[int, int]], last: Roll, since: Roll) -> list[bool]:
    """Return that no part stands. Raises Violation W19 if one of the wounds still exists, because another step comes
    first.
    """
    failed = {at.failed.of} if isinstance(at, RollingDamage | Ignoring) else set()
    if of & (_to_come(at) | failed):
        _refuse(last, since)  # its dice would have to be rolled again
    return [False] * _rolled(since)


def _to_come(at: At | None) -> set[tuple[int, int]]:
    """Return the hits whose wounds are, or may still be, waiting for saves."""
    match at:
        case RollingStrength(hits=hits) | RollingWounds(hits=hits):
            return {hit.of for hit in hits}
        case Saving(wounds=wounds) | RollingDamage(wounds=wounds) | Ignoring(wounds=wounds):
            return {wound.of for wound in wounds}
        case _:
            return set()


def _at(game: Game) -> At | None:
    return game.sequence.at if game.sequence is not None else None


def _rolled_for(game: Game, since: Roll) -> set[tuple[int, int]]:
    """Return what such a roll would be made for: hits, or numbers of hits."""
    match _at(game):
        case RollingExtra(first=first) if isinstance(since.purpose, OfExtra):
            return {extra.of for extra in first}
        case RollingStrength(hits=hits) | RollingWounds(hits=hits) if not isinstance(since.purpose, OfExtra):
            return {hit.of for hit in hits_to_wound(hits)}
        case _:
            return set()


def _rolled(roll: Roll) -> int:
    """Return how many parts the dice formed before any was ignored."""
    return len(roll.dice) // roll.dice_of_part.count


def _without(roll: Roll, stands: list[bool]) -> Roll:
    """Return the roll with the dice of parts ignored that do not stand, and the others counted."""
    one = roll.dice_of_part.count
    dice = tuple(replace(die, status="counted" if stands[(die.die - 1) // one] else "ignored") for die in roll.dice)
    return replace(roll, dice=dice)


def _refuse(last: Roll, since: Roll) -> NoReturn:
    text = N_("{player} has rolled on ({source}), and that would now be another roll: a judge corrects roll {roll}")
    refuse("W19", text, player=since.player, source=since.source, roll=last.roll)
