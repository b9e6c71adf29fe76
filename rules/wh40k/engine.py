"""Warhammer 40,000, event by event (specs/wh40k.md). Pure: a Game and an event in, a new Game or a Violation out.

The course of a roll: `request` → `reveal` → rerolls (W3) → modifiers and results (`settling`) → `consequences`.
"""

from collections.abc import Callable
from typing import Literal

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import Event, Ruling, Violation, given
from rules.history import find_roll, keep_roll, replaced
from rules.shared import check_none_open, check_roller, open_roll, refuse
from rules.wh40k import bodies as b
from rules.wh40k import consequences, rolls, units
from rules.wh40k.attacks import add_rules, declare_attacks, declare_mortal
from rules.wh40k.plans import roll_for
from rules.wh40k.settling import again, count, settle, undone
from rules.wh40k.state import Game, Pending, Purpose, Roll, Turn
from rules.wh40k.values import Dice, check_size, parse

__all__ = ["act", "leave", "request", "reveal", "rule", "void"]


# --- requests ------------------------------------------------------------------------------------------------------


def request(game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
    """Take a roll or reroll; also the sides of the dice to draw."""
    body = event.body
    if isinstance(body, b.RerollBody):
        return rolls.request_reroll(game, event, body)
    before, game = game, _settle_own(game, event.author)
    if isinstance(body, b.FreeRoll):
        roll = _free(event, body)
    elif isinstance(body, b.MoveRoll):
        roll = _move(game, event, body)
    else:
        assert isinstance(body, b.RollBody)
        roll = roll_for(game, event.author, event.seq, body)
    return replace(game, open=roll, pending=Pending(before)), roll.sides


def _free(event: Event, body: b.FreeRoll) -> Roll:
    dice = parse(body.dice)
    added = body.sum is True
    if dice.plus and not added:
        text = "{dice}: +{plus} is added to a sum, so say that the dice are added (sum), or write a modifier"
        refuse("W1", text, dice=body.dice, plus=dice.plus)
    changes = given(body.modifiers, ())
    one = dice if added else replace(dice, count=1)
    check_size(units.possible(one), changes, None)
    needs = (given(body.needs, None),) * (1 if added else dice.count)
    return Roll(
        event.seq,
        event.author,
        Purpose("free"),
        body.source,
        dice.text,
        one,
        needs,
        test=given(body.test, None),
        changes=changes,
        rerolls=given(body.rerolls, ()),
    )


def _move(game: Game, event: Event, body: b.MoveRoll) -> Roll:
    move, dice = units.move_dice(game, event.author, body.unit)
    purpose, source = Purpose("move", unit=body.unit), f"move: {body.unit}"
    text = Dice(dice.count, dice.sides, 0).text
    return Roll(event.seq, event.author, purpose, source, text, dice, (None,), characteristic="M", changes=move.changes)


# --- dice ----------------------------------------------------------------------------------------------------------


def reveal(game: Game, naturals: tuple[int, ...]) -> Game:
    """The pending request's dice show these naturals."""
    roll, pending = game.open, game.pending
    assert roll is not None, "no request is pending"
    assert pending is not None
    game = count(replace(game, pending=None), roll.player, dice=len(naturals))
    if pending.reroll is not None:
        game = count(game, roll.player, rerolled=len(naturals))
        return rolls.rerolled(game, roll, pending.reroll, naturals)
    return replace(game, open=rolls.shown(roll, naturals))


def void(game: Game) -> Game:
    """The pending request draws nothing: the game is as before it, and a roll is listed as void."""
    assert game.open is not None, "no request is pending"
    assert game.pending is not None
    before = game.pending.before
    if game.pending.reroll is not None:
        return before
    return replace(before, settled=keep_roll(before.settled, replace(game.open, status="void")))


def _settle_own(game: Game, author: str) -> Game:
    """A player's next step settles what the player rolled; another player's roll has to be settled first (W19)."""
    if game.open is not None and game.open.player == author:
        return settle(game)
    check_none_open(game.open, "W19")
    return game


# --- acts ----------------------------------------------------------------------------------------------------------


def act(game: Game, event: Event) -> Game:
    """Take a modify, resolve or declare."""
    match event.body:
        case b.ModifyBody() as body:
            return _modify(game, body)
        case b.DeclareReroll() as body:
            return rolls.declare_reroll(game, event.author, body)
        case b.ResolveBody(roll=int(number)) as body:
            roll = open_roll(game.open, number, "W19")
            check_roller(roll, event.author, "W19")
            return settle(game, body)
    game = _settle_own(game, event.author)
    if isinstance(event.body, b.ResolveBody):
        return _resolve(replace(game, undo=None), event.author, event.body)
    assert isinstance(event.body, b.DeclareBody)
    return _declare(game, event, event.body)


def _modify(game: Game, body: b.ModifyBody) -> Game:
    """More changes for the open roll, or late for the one that was settled last; by any player."""
    if game.undo is not None and game.undo.roll == body.roll:
        return again(game, lambda roll: rolls.modified(roll, body))
    if find_roll(game.settled, None, body.roll) is not None:
        text = "roll {roll} is settled, and what came of it was played on: a judge corrects it"
        refuse("W19", text, roll=body.roll)
    return replace(game, open=rolls.modified(open_roll(game.open, body.roll, "W19"), body))


def _resolve(game: Game, author: str, body: b.ResolveBody) -> Game:
    if not isinstance(body.groups, UnsetType):
        return consequences.hit_without_roll(game, author, body)
    assert not isinstance(body.model, UnsetType)  # ResolveBody has no other form
    if isinstance(body.mortal, UnsetType):
        return consequences.unsaved(game, author, body.model)
    return consequences.inflict(game, author, body.model, body.mortal)


def _declare(game: Game, event: Event, body: b.DeclareBody) -> Game:
    if not isinstance(body, b.DeclareUnit | b.DeclareCharacteristic | b.DeclareRules):
        return _declare_between(replace(game, undo=None), event, body)
    declared = _declare_always(game, event, body)
    if game.undo is None:
        return declared
    # It has nothing to do with the roll settled last, which can still be taken up again.
    return replace(declared, undo=replace(game.undo, before=_declare_always(game.undo.before, event, body)))


def _declare_always(game: Game, event: Event, body: b.DeclareUnit | b.DeclareCharacteristic | b.DeclareRules) -> Game:
    """What is declared at any time."""
    match body:
        case b.DeclareUnit():
            return units.declare_unit(game, event, body)
        case b.DeclareCharacteristic():
            return units.ask(game, event, body)
        case b.DeclareRules():
            return consequences.advance(add_rules(game, body))


def _declare_between(game: Game, event: Event, body: b.DeclareBody) -> Game:
    """What is declared between attacks only (W19)."""
    author = event.author
    if game.sequence is not None:
        refuse("W19", "the attacks of event {sequence} are not finished", sequence=game.sequence.sequence)
    match body:
        case b.DeclarePhase():
            return _phase(game, author, body.phase)
        case b.DeclareGone():
            return units.gone(game, author, body.unit)
        case b.DeclareWounds():
            return units.set_wounds(game, author, body)
        case b.DeclareMove():
            return units.select_move(game, event, body)
        case b.DeclareAttacks():
            return consequences.advance(declare_attacks(game, event, body))
        case b.DeclareMortal():
            return consequences.advance(declare_mortal(game, event, body))
        case _:
            raise TypeError(f"no such declaration: {body!r}")


def _phase(game: Game, author: str, phase: str) -> Game:
    """A phase begins: what is remembered for one phase is forgotten (W9, W11, W21)."""
    fresh = {key: replace(unit, chosen=(), move=None) for key, unit in game.units.items()}
    return replace(game, turn=Turn(author, phase), units=fresh, command=())


# --- leaving, rulings ----------------------------------------------------------------------------------------------


def leave(game: Game, party: str) -> Game:
    """What a party that leaves takes along."""
    if party not in game.players:
        return game
    game = replace(game, undo=None)
    if game.open is not None and game.open.player == party:
        game = _close(game, "abandoned")
    sequence = game.sequence
    gone = {key for key, unit in game.units.items() if unit.player == party}
    if sequence is not None and (sequence.player == party or gone & {sequence.unit, *sequence.targets}):
        if game.open is not None and game.open.purpose.sequence is not None:
            game = _close(game, "abandoned")
        game = consequences.abandon(game, "abandoned")
    return replace(game, units={key: unit for key, unit in game.units.items() if key not in gone})


def rule(game: Game, ruling: Ruling) -> Game:
    """What a ruling changes here: rolls and sequences that it strikes, results that it corrects."""
    if ruling.ruling == "void":
        return _strike(game, ruling.subject)
    if ruling.ruling == "correct" and not isinstance(ruling.results, UnsetType):
        return _correct(game, ruling.subject, {r.die: r.result for r in ruling.results})
    return game


def _strike(game: Game, subject: int) -> Game:
    if game.open is not None and game.open.roll == subject:
        return _close(game, "struck")
    if game.undo is not None and game.undo.roll == subject:
        return _close(undone(game), "struck")
    sequence = game.sequence
    if sequence is not None and sequence.sequence == subject:
        if game.open is not None and game.open.purpose.sequence == subject:
            game = _close(game, "struck")
        return replace(consequences.abandon(units.give_back(game, sequence), "struck"), undo=None)
    ended = next((s for s in game.sequences if s.sequence == subject and s.status != "struck"), None)
    if ended is not None:
        struck = replace(ended, status="struck")
        sequences = tuple(struck if s is ended else s for s in game.sequences)
        return replace(units.give_back(game, ended), sequences=sequences, undo=None)
    return _with_settled(game, subject, lambda roll: replace(roll, status="struck"))


def _correct(game: Game, subject: int, results: dict[int, int]) -> Game:
    if game.open is not None and game.open.roll == subject:
        return replace(game, open=rolls.corrected(game.open, results))
    if game.undo is not None and game.undo.roll == subject:
        return _settled_as_ruled(game, results)
    roll = find_roll(game.settled, None, subject)
    if roll is None:
        return game
    if roll.status == "resolved" and roll.purpose.of != "free":
        corrected = rolls.corrected(roll, results)
        text = (
            "what roll {roll} did was played on, so it cannot be corrected: void {what}, or have the players declare "
            "their wounds; uphold tells what the die was"
        )
        sequence = corrected.purpose.sequence
        refuse("ruling", text, roll=subject, what=f"the attacks of event {sequence}" if sequence else "the roll")
    return _with_settled(game, subject, lambda roll: rolls.corrected(roll, results))


def _settled_as_ruled(game: Game, results: dict[int, int]) -> Game:
    """The roll settled last, settled with a judge's results; a roll made since is struck where it cannot stand."""
    try:
        return again(game, lambda roll: rolls.corrected(roll, results))
    except Violation as violation:
        if violation.clause == "ruling":
            raise
    game = undone(game)
    assert game.open is not None
    return settle(replace(game, open=rolls.corrected(game.open, results)))


def _close(game: Game, status: Literal["struck", "abandoned"]) -> Game:
    """The open roll ends without doing anything."""
    assert game.open is not None
    roll = replace(game.open, status=status)
    return replace(game, open=None, pending=None, settled=keep_roll(game.settled, roll))


def _with_settled(game: Game, number: int, change: Callable[[Roll], Roll]) -> Game:
    roll = find_roll(game.settled, None, number)
    return game if roll is None else replace(game, settled=replaced(game.settled, roll, change(roll)), undo=None)
