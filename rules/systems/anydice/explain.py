"""Explanation of a roll, step by step (specs/explanations.md)."""

from collections.abc import Iterator

from rules.base import Reason
from rules.common.explain import explain_end, explain_ruled
from rules.data.language import N_, Listed
from rules.history import find_roll
from rules.systems.anydice.grammar import parse
from rules.systems.anydice.state import Die, Game, Roll
from rules.systems.anydice.terms import DiceTerm
from rules.systems.anydice.totals import Result, Term
from rules.systems.anydice.words import expression, target

__all__ = ["explain"]


def explain(game: Game, number: int) -> tuple[Reason, ...]:
    """Return the steps of a roll; none for a roll that is not kept."""
    roll = find_roll(game.settled, game.pending, number)
    return () if roll is None else (*_steps(roll), *explain_end(roll))


def _steps(roll: Roll) -> Iterator[Reason]:
    if roll.call is not None:
        yield Reason(
            "D10", "{party} answers call {call}: {source}", party=roll.player, call=roll.call, source=roll.source
        )
    if roll.deck is not None:
        for die in roll.dice:
            text = N_("{left} items are left in {deck}: number {natural} of them is {item}")
            yield Reason("D12", text, left=die.sides, deck=roll.deck, natural=die.naturals[0], item=die.face)
        if roll.hand and roll.dice:
            yield Reason("D13", "{party} holds it, until it is played", party=roll.player)
        return
    yield Reason("D1", "{party} rolls {dice}", party=roll.player, dice=roll.notation)
    if roll.sealed is not None:
        text = N_("it is a secret roll: {holder} alone sees the dice, and chooses whether to show them")
        yield Reason("D14", text, holder=roll.sealed)
    for die in roll.dice:
        yield from _shown(die)
        yield from explain_ruled(die)
    notation = parse(roll.notation)
    for result in roll.results:
        for dice, term in zip(notation.terms, result.terms, strict=True):
            yield from _counted(dice, term)
        yield from _came_to(roll, result)


def _shown(die: Die) -> Iterator[Reason]:
    first, *later = die.naturals
    if die.origin is None:
        yield Reason("D1", "die {die} shows {natural}", die=die.die, natural=first)
    else:
        text = N_("die {origin} explodes: die {die} shows {natural}")
        yield Reason("D4", text, origin=die.origin, die=die.die, natural=first)
    for old, natural in zip(die.naturals, later, strict=False):
        text = N_("die {die}, which showed {old}, is rerolled and shows {natural}")
        yield Reason("D3", text, die=die.die, old=old, natural=natural)
    if die.face is not None:
        yield Reason("D1", "that face of die {die} is {face}", die=die.die, face=die.face)


def _counted(dice: DiceTerm, term: Term) -> Iterator[Reason]:
    if dice.limits:
        values = Listed(str(throw.value) for throw in term.throws)
        yield Reason("D5", "{dice}: within its limits that is {values}", dice=term.dice, values=values)
    dropped = [str(throw.value) for throw in term.throws if not throw.kept]
    if dropped:
        kept = Listed([str(throw.value) for throw in term.throws if throw.kept] or ["-"])
        yield Reason("D5", "{dice}: {kept} kept, {dropped} dropped", dice=term.dice, kept=kept, dropped=Listed(dropped))
    if dice.count is not None:
        counted = Listed(f"{throw.value}: {throw.successes}" for throw in term.throws if throw.successes is not None)
        yield Reason("D6", "{dice}: successes, {counted}", dice=term.dice, counted=counted)


def _came_to(roll: Roll, result: Result) -> Iterator[Reason]:
    yield Reason("D7", "{dice} = {total}", dice=expression(roll, result), total=result.total)
    if result.passed is not None:
        text = N_("{total} passes: {target}") if result.passed else N_("{total} fails: {target}")
        yield Reason("D8", text, total=result.total, target=target(roll.least, roll.most))
    if result.row is not None:
        row = roll.table[result.row - 1]
        yield Reason("D9", "{total} is in row {row}: {effect}", total=result.total, row=result.row, effect=row.effect)
