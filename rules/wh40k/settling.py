"""Settling a roll, and taking the roll that was settled last up again (specs/wh40k.md, "Course", "Late modifiers").

settle: results → claims → consequences; again: the game before it → the roll changed → settle → the roll since.
"""

from collections.abc import Callable
from typing import NoReturn

from msgspec.structs import replace

from rules.base import Violation
from rules.history import keep_roll
from rules.shared import add_to_tally, refuse
from rules.wh40k import bodies as b
from rules.wh40k import consequences, rolls
from rules.wh40k.course import to_roll
from rules.wh40k.plans import roll_for
from rules.wh40k.state import Batch, Game, Hit, Roll, Undo
from rules.wh40k.triggers import check_triggered

__all__ = ["again", "count", "settle", "undone"]

_OF_HITS = frozenset({"strength", "wound"})


def count(game: Game, player: str, **more: int) -> Game:
    """The game with these numbers added to the player's tally."""
    return replace(game, players=add_to_tally(game.players, player, **more))


def settle(game: Game, body: b.ResolveBody | None = None) -> Game:
    """The open roll gets its results, and they do what they do; claims of `body` must be so."""
    assert game.open is not None
    before, roll = replace(game, undo=None), rolls.computed(game.open)
    if body is not None:
        rolls.check_claims(roll, body)
        check_triggered(game, roll, body)
    roll = replace(roll, status="resolved")
    game = replace(game, open=None, settled=keep_roll(game.settled, roll))
    game = count(consequences.apply(game, roll), roll.player, rolls=1)
    return replace(game, undo=Undo(roll.roll, before))


def undone(game: Game) -> Game:
    """The game before the roll that was settled last was; a roll that was made since is struck."""
    before = _before(game)
    if game.open is None:
        return before
    return replace(before, settled=keep_roll(before.settled, replace(game.open, status="struck")))


def again(game: Game, change: Callable[[Roll], Roll]) -> Game:
    """The roll that was settled last is changed and settled again; a roll that was made since stands as it can.

    Raises Violation W19 where that roll would now be another one, and what `change` raises.
    """
    before, since = _before(game), game.open
    assert before.open is not None
    changed = replace(before, open=change(before.open))
    new = settle(changed)
    if since is None:
        return new
    if since.purpose.sequence is None:
        return replace(new, open=since)
    standing = _standing(settle(before), new, since)
    ignored = _ignored(standing) - _ignored(since)
    if standing.parts:
        return replace(count(new, since.player, ignored=ignored), open=standing)
    ended = replace(standing, status="resolved")
    new = settle(replace(changed, settled=keep_roll(changed.settled, ended)))
    return count(new, since.player, rolls=1, ignored=ignored)


def _before(game: Game) -> Game:
    """The game before the roll that was settled last was, with what was counted, voided and struck since."""
    assert game.undo is not None
    before, roll = game.undo.before, game.undo.before.open
    assert roll is not None
    for ended in game.settled.not_in(before.settled):
        if ended.roll != roll.roll:
            before = replace(before, settled=keep_roll(before.settled, ended))
    return count(replace(before, players=game.players, command=game.command), roll.player, rolls=-1)


def _ignored(roll: Roll) -> int:
    return sum(die.status == "ignored" for die in roll.dice)


def _standing(old: Game, new: Game, since: Roll) -> Roll:
    """The roll that was made in `old`, in `new`: with what it needs there, without the dice of hits that are gone."""
    stands = _which_stand(old, new, since)
    if not any(stands):
        return _without(since, stands)
    try:
        was, now = _planned(old, since), _planned(new, since)
    except Violation:
        _refuse(old, since)
    same = (now.purpose.of, now.purpose.model, now.purpose.attacks, now.dice_of_part) == (
        was.purpose.of,
        was.purpose.model,
        was.purpose.attacks,
        was.dice_of_part,
    )
    if not same or len(now.needs) != sum(stands):
        _refuse(old, since)
    since = replace(
        _without(since, stands),
        purpose=now.purpose,
        needs=now.needs,
        changes=now.changes + since.changes[len(was.changes) :],
        rerolls=now.rerolls + since.rerolls[len(was.rerolls) :],
    )
    return rolls.with_parts(since)


def _planned(game: Game, roll: Roll) -> Roll:
    assert roll.asked is not None
    return roll_for(game, roll.player, roll.roll, roll.asked)


def _which_stand(old: Game, new: Game, since: Roll) -> list[bool]:
    """For each part of the roll whether what it is rolled for is still there. Raises Violation where there is more."""
    if since.purpose.of in _OF_HITS:
        had, left = {hit.of for hit in _hits(old)}, {hit.of for hit in _hits(new)}
        if not left <= had:
            _refuse(old, since)  # hits that nothing was rolled for
        return [hit.of in left for hit in _hits(old)]
    if since.purpose.of == "ignore" and not since.purpose.count:
        left_to_lose = _damage(new)
        return [number < left_to_lose for number in range(len(since.parts))]
    if since.purpose.of == "save":
        if _batch(new).hits:
            _refuse(old, since)  # a wound roll comes first now, and nobody gains a save by it
        return [bool(_batch(new).wounds)]
    if since.purpose.of == "damage":
        return [_batch(new).unsaved is not None]
    return [True] * len(since.parts)


def _batch(game: Game) -> Batch:
    batch = game.sequence.batch if game.sequence is not None else None
    return Batch() if batch is None else batch


def _hits(game: Game) -> list[Hit]:
    return to_roll(_batch(game))


def _damage(game: Game) -> int:
    """The damage that waits to be ignored or suffered."""
    unsaved = _batch(game).unsaved
    return (unsaved.damage or 0) if unsaved is not None else 0


def _without(roll: Roll, stands: list[bool]) -> Roll:
    """The roll with the dice of parts that do not stand ignored."""
    gone = {die for part, stays in zip(roll.parts, stands, strict=True) if not stays for die in part.dice}
    dice = tuple(replace(die, status="ignored") if die.die in gone else die for die in roll.dice)
    needs = tuple(part.needs for part, stays in zip(roll.parts, stands, strict=True) if stays)
    return rolls.with_parts(replace(roll, dice=dice, needs=needs))


def _refuse(old: Game, since: Roll) -> NoReturn:
    assert old.undo is not None
    text = "{player} has rolled on ({source}), and that would now be another roll: a judge corrects roll {roll}"
    refuse("W19", text, player=since.player, source=since.source, roll=old.undo.roll)
