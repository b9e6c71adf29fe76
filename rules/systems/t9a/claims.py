"""Verification of the outcome that is announced with the end of a roll (specs/t9a.md, "Claims")."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import UnsetType

from rules.common.shared import extremes, refuse
from rules.data.language import N_, Message
from rules.systems.t9a import bodies as b
from rules.systems.t9a.state import DiceThrow, Die, Roll

__all__ = ["check_claims"]


def check_claims(roll: Roll, body: b.ResolveBody) -> None:
    """Raise Violation if a claim is wrong, of the clause that its author has most likely overlooked."""
    _check_place(roll, body)
    _check_true(roll, body)


def _check_place(roll: Roll, body: b.ResolveBody) -> None:
    """Verify that every claim is about something that such a roll has."""
    if roll.direction and not (isinstance(body.totals, UnsetType) and isinstance(body.successes, UnsetType)):
        refuse("T7.3", "a direction is no number: it has no total and no success")
    if not roll.direction and not isinstance(body.directions, UnsetType):
        refuse("T7.3", "{notation} gives no direction", notation=roll.notation)
    if roll.target is None and not isinstance(body.successes, UnsetType):
        refuse("T1.3", "roll {roll} has no target, so nothing succeeds or fails", roll=roll.roll)
    if roll.kinds[0] != "face" and not isinstance(body.faces, UnsetType):
        refuse("T7.2", "only a D6 in place of the direction die has a side that is the arrow")


def _check_true(roll: Roll, body: b.ResolveBody) -> None:
    throws, turned = roll.throws, "T7.2" if roll.kinds[0] == "face" else "T7.1"
    if not isinstance(body.totals, UnsetType):
        _check_number(roll, body.totals, "T1.2")
        _check_each(roll, N_("the total"), [throw.total for throw in throws], body.totals, partial(_overlooked, roll))
    if not isinstance(body.successes, UnsetType) and body.successes != roll.successes:
        always = roll.always.success or roll.always.failure
        clause = ("T5.2" if roll.kinds[0] == "d3" else "T3.1") if always else "T1.3"
        text = N_("{expected} of {times} throws succeed, not {actual}")
        if roll.times == 1:
            text = N_("the throw {does}: successes are {expected}, not {actual}")
        does = Message("succeeds") if roll.successes else Message("fails")
        refuse(clause, text, does=does, times=roll.times, expected=roll.successes, actual=body.successes)
    if not isinstance(body.directions, UnsetType):
        _check_number(roll, body.directions, turned)
        degrees = [throw.degrees for throw in throws]
        _check_each(roll, N_("the direction in degrees"), degrees, body.directions, lambda *_: turned)
    if not isinstance(body.faces, UnsetType):
        _check_number(roll, body.faces, "T7.2")
        _check_each(roll, N_("the side that is the arrow"), [t.face for t in throws], body.faces, lambda *_: "T7.2")


def _check_number(roll: Roll, claimed: Sequence[int], clause: str) -> None:
    """Verify that there is one claim for each throw."""
    if len(claimed) != roll.times:
        text = N_("say one number for each throw: {times}, not {claimed}")
        refuse(clause, text, times=roll.times, claimed=len(claimed))


def _check_each(
    roll: Roll, what: str, true: Sequence[int | None], claimed: Sequence[int], clause: Callable[[DiceThrow, int], str]
) -> None:
    """Verify each claim. For the first wrong one, `clause` returns the clause that was overlooked."""
    for throw, expected, actual in zip(roll.throws, true, claimed, strict=True):
        if actual != expected:
            text = N_("{what} is {expected}, not {actual}")
            if roll.times > 1:
                text = N_("throw {throw}: {what} is {expected}, not {actual}")
            refuse(clause(throw, actual), text, throw=throw.throw, what=Message(what), expected=expected, actual=actual)


def _overlooked(roll: Roll, wrong: DiceThrow, claimed: int) -> str:
    """Return the clause that the author of this wrong total has most likely overlooked."""
    instances = (
        ("T6.4", bool(roll.maximised and roll.minimised)),
        ("T6.3", abs(roll.net) > 1),
        ("T6.1", roll.net == 1),
        ("T6.2", roll.net == -1),
    )
    if claimed in _with_dropped(roll, wrong):
        return next(clause for clause, applies in instances if applies)
    causes = (
        ("T4.3", any(roll.dice[number - 1].rerolled for number in wrong.kept)),
        ("T2.2", wrong.total is not None and wrong.total < 1),
        ("T2.1", bool(roll.modifiers)),
        ("T5.1", roll.kinds[0] == "d3"),
        *instances,
    )
    return next((clause for clause, applies in causes if applies), "T1.2")


def _with_dropped(roll: Roll, throw: DiceThrow) -> Iterator[int]:
    """Yield the totals of the throw if other dice were dropped than the right ones."""
    dice, dropped = roll.of_throw(throw.throw), [die for die in roll.of_throw(throw.throw) if not die.kept]
    if not dropped:
        return
    sum_ = sum(die.result for die in dice)
    yield roll.total(sum_)
    for die in sorted(dropped, key=lambda die: (die.natural if roll.net > 0 else -die.natural, die.die))[:-1]:
        sum_ -= die.result
        yield roll.total(sum_)
    yield roll.total(sum(die.result for at, die in enumerate(dice) if at not in _wrong_end(dice, roll.net)))


def _wrong_end(dice: Sequence[Die], net: int) -> frozenset[int]:
    return extremes([die.natural for die in dice], abs(net), "highest" if net > 0 else "lowest")
