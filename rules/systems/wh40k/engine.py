"""The events of the system, one by one (specs/wh40k.md).

The functions are pure: they take a game and an event, and return a new game or raise Violation. The course of a roll:
`request`, `reveal`, rerolls (W3), modifiers and results (`settling`), effects (`course`).
"""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from rules.base import DeclareBody, Event, Ruling, Violation, Waves
from rules.common.shared import called_off, check_none_open, check_roller, open_roll, refuse, ruled_results
from rules.data.language import N_, Message
from rules.history import find_roll, keep_roll, replace_roll
from rules.systems.wh40k import (
    attack_sequence,
    declare,
    hit,
    mortal,
    move,
    rerolls,
    rolloff,
    rolls,
    standalone_rolls,
    turn,
    units,
)
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.record import Off, OfSequence, Roll, ToSave
from rules.systems.wh40k.settling import again, count, count_reopening, planned_again, settle, undone
from rules.systems.wh40k.state import Ended, Game, PendingReroll, WaitingRoll

__all__ = ["act", "leave", "request", "reveal", "rule", "void", "waves"]


# --- requests ------------------------------------------------------------------------------------------------------


def request(game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
    """Take a roll or reroll. Return the game and the sides of the dice to draw. Raises Violation."""
    body = event.body
    if isinstance(body, b.RerollBody):
        return rerolls.request_reroll(game, event, body)
    before, game = game, _stepped(game, event.author)
    match body:
        case b.FreeRoll():
            roll = standalone_rolls.plan(event.author, event.seq, body)
        case b.OffRoll():
            roll = rolloff.plan(game, event, body)
        case b.MoveRoll():
            roll = move.plan(game, event.author, event.seq, body)
        case b.AttackRoll():
            game = attack_sequence.advance(declare.declare_attacks(replace(game, undo=None), event, body))
            roll = hit.plan_first(game, event.author, event.seq)
        case b.RollBody():
            roll = attack_sequence.plan(game, event.author, event.seq, body)
        case _:
            raise TypeError(f"no such request: {body!r}")
    return replace(game, open=roll, pending=WaitingRoll(roll, before)), roll.sides


def waves(game: Game, first: tuple[int, ...]) -> Waves:
    """Draw the dice that are rerolled as part of the roll itself (W3, W25)."""
    match game.pending:
        case WaitingRoll(roll=roll):
            naturals = first
            while count := len(roll.sides) + len(_further(roll, naturals)) - len(naturals):
                naturals += yield (6,) * count


def _further(roll: Roll, naturals: tuple[int, ...]) -> list[tuple[str, int]]:
    """Return the dice that are rerolled as part of the roll itself, each with its source.

    `naturals` begin with those of the roll.
    """
    own = len(roll.sides)
    if isinstance(roll.purpose, Off):
        return [(rolloff.TIE, die) for die in rolloff.ties(own, naturals)]
    if not any(rule.always is True for rule in roll.rerolls):
        return []
    return list(rerolls.always(rolls.reveal_dice(roll, naturals[:own])))


def reveal(game: Game, naturals: tuple[int, ...]) -> Game:
    """Return the game after the dice of the pending request were revealed."""
    match game.pending:
        case WaitingRoll(roll=roll):
            own = len(roll.sides)
            more = tuple(_further(roll, naturals)[: len(naturals) - own])
            opened = rerolls.reroll(rolls.reveal_dice(roll, naturals[:own]), more, naturals[own:])
            game = count(game, roll.player, dice=len(naturals), rerolled=len(more))
            return replace(game, pending=None, open=opened)
        case PendingReroll(roll=roll) as pending:
            return _rerolled(replace(game, pending=None), roll, pending, naturals)
        case _:
            raise TypeError("no request is pending")


def _rerolled(game: Game, roll: Roll, pending: PendingReroll, naturals: tuple[int, ...]) -> Game:
    game = count(game, roll.player, dice=len(naturals), rerolled=len(naturals))
    if pending.rule is None:
        game = replace(game, command=(*game.command, roll.player))
    elif roll.rerolls[pending.rule - 1].most is not UNSET:
        parts = sum(bool(set(part.dice) & set(pending.dice)) for part in roll.parts)
        taken = {**roll.taken, pending.source: roll.taken.get(pending.source, 0) + parts}
        roll = replace(roll, taken=taken)
    dice = tuple((pending.source, number) for number in pending.dice)
    return replace(game, open=rerolls.reroll(roll, dice, naturals))


def void(game: Game) -> Game:
    """Return the game as before the pending request. A roll without dice is listed as void."""
    match game.pending:
        case WaitingRoll(roll=roll, before=before):
            return called_off(before, roll)
        case PendingReroll(before=before):
            return before
        case _:
            raise TypeError("no request is pending")


def _stepped(game: Game, author: str) -> Game:
    """Return the game with the author's own roll, or one that stands, settled by the author's next step.

    Raises Violation W19 if the open roll waits for somebody else.
    """
    roll = game.open
    if roll is None:
        return game
    waits = rerolls.waits_for(game, roll)
    if waits is None or waits == author == roll.player:
        return settle(game, roll)
    if roll.player == author:
        text = N_("{player} may still have dice of roll {roll} rerolled, or waive that")
        refuse("W19", text, player=waits, roll=roll.roll)
    check_none_open(roll, "W19")
    return game


# --- acts ----------------------------------------------------------------------------------------------------------


def act(game: Game, event: Event) -> Game:
    """Return the game after a modify, resolve or declare. Raises Violation."""
    match event.body:
        case b.ModifyBody() as body:
            return _modify(game, body)
        case b.DeclareReroll() as body:
            return rerolls.declare_reroll(game, event.author, body)
        case b.DeclareReplace() as body:
            return rerolls.replace_die(game, event.author, body)
        case b.DeclareWaive() as body:
            return rerolls.waive(game, event.author, body)
        case b.DeclareUnit() | b.DeclareCharacteristic() | b.DeclareRules() | b.DeclareAlways() as body:
            return _declare_always(game, event, body)
        case b.ResolveBody(roll=int(number)) as body:
            roll = open_roll(game.open, number, "W19")
            check_roller(roll, event.author, "W19")
            if rerolls.waits_for(game, roll) not in (None, event.author):
                _stepped(game, event.author)
            return settle(game, roll, body)
        case b.ResolveBody() as body:
            return attack_sequence.resolve(replace(_stepped(game, event.author), undo=None), event.author, body)
        case DeclareBody() as body:
            return _declare(replace(_stepped(game, event.author), undo=None), event, body)
        case body:
            raise TypeError(f"no such act: {body!r}")


def _modify(game: Game, body: b.ModifyBody) -> Game:
    """Return the game with more changes of the open roll or, late, of the roll that was settled last."""
    if game.undo is not None and game.undo.roll.roll == body.roll:
        return again(game, game.undo, "W19", lambda roll: rolls.add_changes(roll, body))
    if find_roll(game.settled, None, body.roll) is not None:
        text = N_("roll {roll} is settled, and what came of it was played on: a judge corrects it")
        refuse("W19", text, roll=body.roll)
    return replace(game, open=rolls.add_changes(open_roll(game.open, body.roll, "W19"), body))


_AtAnyTime = b.DeclareUnit | b.DeclareCharacteristic | b.DeclareRules | b.DeclareAlways


def _declare_always(game: Game, event: Event, body: _AtAnyTime) -> Game:
    """Return the game after a declaration that can come at any time and settles no roll."""
    declared = _declared(game, event, body)
    if game.undo is None or (isinstance(body, b.DeclareRules) and declare.after_dice(game, body)):
        return replace(declared, undo=None)
    # It does not concern the roll that was settled last, which can still be reopened.
    before = _declared(game.undo.before, event, body)
    return replace(declared, undo=replace(game.undo, before=before))


def _declared(game: Game, event: Event, body: _AtAnyTime) -> Game:
    match body:
        case b.DeclareUnit():
            return units.declare_unit(game, event, body)
        case b.DeclareCharacteristic():
            return units.ask(game, event, body)
        case b.DeclareAlways():
            new = declare.add_always(game, event.author, body)
        case b.DeclareRules():
            new = declare.add_rules(game, body)
    if game.open is None or not isinstance(game.open.purpose, OfSequence):
        return attack_sequence.advance(new)
    if isinstance(game.open.purpose, ToSave):
        return replace(new, open=planned_again(game, new, game.open))
    return new


def _declare(game: Game, event: Event, body: DeclareBody) -> Game:
    """Return the game after a declaration that can come only between attacks (W19)."""
    author = event.author
    if game.sequence is not None:
        refuse("W19", "the attacks of event {sequence} are not finished", sequence=game.sequence.sequence)
    match body:
        case b.DeclarePhase():
            return turn.begin(game, author, body.phase)
        case b.DeclareGone():
            return units.remove_unit(game, author, body.unit)
        case b.DeclareWounds():
            return units.set_wounds(game, author, body)
        case b.DeclareMove():
            return move.select(game, event, body)
        case b.DeclareAttacks():
            return attack_sequence.advance(declare.declare_attacks(game, event, body))
        case b.DeclareMortal():
            return attack_sequence.advance(mortal.declare(game, event, body))
        case _:
            raise TypeError(f"no such declaration: {body!r}")


# --- leaving, rulings ----------------------------------------------------------------------------------------------


def leave(game: Game, party: str) -> Game:
    """Return the game after a party left, without its units, its open roll and the attacks that concern it."""
    if party not in game.players:
        return game
    on_turn = game.turn is not None and game.turn.player == party
    game = replace(game, undo=None, left=game.left | {party}, turn=None if on_turn else game.turn)
    if game.open is not None and game.open.player == party:
        game = _close(game, game.open, "abandoned")
    sequence = game.sequence
    gone = {key for key, unit in game.units.items() if unit.player == party}
    if sequence is not None and (sequence.player == party or gone & {sequence.unit, *sequence.targets}):
        if game.open is not None and isinstance(game.open.purpose, OfSequence):
            game = _close(game, game.open, "abandoned")
        game = attack_sequence.abandon(game, "abandoned")
    return replace(game, units={key: unit for key, unit in game.units.items() if key not in gone})


def rule(game: Game, ruling: Ruling) -> Game:
    """Return the game after a ruling on a roll or sequence: struck with `void`, corrected with `correct`."""
    if ruling.ruling == "void":
        return _strike(game, ruling.subject)
    results = ruled_results(ruling)
    return game if results is None else _correct(game, ruling.subject, results)


def _strike(game: Game, subject: int) -> Game:
    if game.open is not None and game.open.roll == subject:
        return _close(game, game.open, "struck")
    if game.undo is not None and game.undo.roll.roll == subject:
        before = undone(game, game.undo)
        return _close(before, game.undo.roll, "struck")
    sequence = game.sequence
    if sequence is not None and sequence.sequence == subject:
        if game.open is not None and isinstance(game.open.purpose, OfSequence):
            game = _close(game, game.open, "struck")
        return replace(attack_sequence.abandon(units.give_back(game, sequence), "struck"), undo=None)
    ended = next((s for s in game.sequences if s.sequence == subject), None)
    if ended is not None and ended.status == "struck":
        return game
    if ended is not None:
        struck = replace(ended, at=Ended("struck"))
        sequences = tuple(struck if s is ended else s for s in game.sequences)
        return replace(units.give_back(game, ended), sequences=sequences, undo=None)
    settled = find_roll(game.settled, None, subject)
    if settled is None or settled.status == "struck":
        return game  # nothing changes, so the roll that was settled last can still be reopened
    return _with_settled(game, subject, lambda roll: replace(roll, status="struck"))


def _correct(game: Game, subject: int, results: Mapping[int, int]) -> Game:
    if game.open is not None and game.open.roll == subject:
        return replace(game, open=rolls.apply_rulings(game.open, results))
    if game.undo is not None and game.undo.roll.roll == subject:
        return _settled_as_ruled(game, results)
    roll = find_roll(game.settled, None, subject)
    if roll is None:
        return game
    if roll.status == "resolved" and roll.purpose.of not in ("free", "off"):
        corrected = rolls.apply_rulings(roll, results)
        text = N_(
            "what roll {roll} did was played on, so it cannot be corrected: void {what}, or have the players declare "
            "their wounds; uphold tells what the die was"
        )
        purpose = corrected.purpose
        what = Message("the roll")
        if isinstance(purpose, OfSequence):
            what = Message("the attacks of event {event}", event=purpose.sequence)
        refuse("ruling", text, roll=subject, what=what)
    if not results:
        return game  # nothing changes, so the roll that was settled last can still be reopened
    return _with_settled(game, subject, lambda roll: rolls.apply_rulings(roll, results))


def _settled_as_ruled(game: Game, results: Mapping[int, int]) -> Game:
    """Return the game with the last settled roll corrected, and a later roll struck if it cannot stand."""
    undo = game.undo
    if undo is None:
        return game
    try:
        return again(game, undo, "ruling", lambda roll: rolls.apply_rulings(roll, results))
    except Violation as violation:
        if violation.clause == "ruling":
            raise
    return count_reopening(settle(undone(game, undo), rolls.apply_rulings(undo.roll, results)), undo)


def _close(game: Game, opened: Roll, status: Literal["struck", "abandoned"]) -> Game:
    """Return the game with the open roll ended without effect."""
    roll = replace(opened, status=status)
    return replace(game, open=None, pending=None, settled=keep_roll(game.settled, roll))


def _with_settled(game: Game, number: int, change: Callable[[Roll], Roll]) -> Game:
    roll = find_roll(game.settled, None, number)
    return game if roll is None else replace(game, settled=replace_roll(game.settled, roll, change(roll)), undo=None)
