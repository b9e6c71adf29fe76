"""Dice, parts, modifiers and results of a roll, and which parts pass (specs/wh40k.md, W1, W2, W15, W16)."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from rules.base import Violation
from rules.common import shared
from rules.common.shared import check_load, check_room, refuse, succeeds, with_ruling
from rules.data.bounds import MAX_DICE, MAX_MODIFIER
from rules.data.language import N_
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.record import Die, Number, Off, Part, Purpose, Roll
from rules.systems.wh40k.state import AttackGroup
from rules.systems.wh40k.terms import ROLL_OPS, Fails, Passes
from rules.systems.wh40k.values import Computed, Dice, Step, characteristic, check_size, highest, roll_result

__all__ = [
    "D6",
    "add_changes",
    "apply_rulings",
    "check_attacks",
    "check_no_off",
    "compute_results",
    "counts",
    "fails_by_itself",
    "of_characteristic",
    "of_test",
    "passed_clause",
    "reveal_dice",
    "with_parts",
]

D6 = Dice(1, 6, 0)
_NATURALLY = frozenset({"hit", "wound", "save"})


# --- requests ------------------------------------------------------------------------------------------------------


def of_test(test: str, group: AttackGroup, purpose: Purpose, author: str, seq: int, needs: tuple[int, ...]) -> Roll:
    """Return a hit, wound or save roll of a group, with one D6 for each entry of `needs`."""
    notation = Dice(len(needs), 6, 0).text
    source = f"{test}: {group.body.weapon}"
    return Roll(
        seq,
        author,
        purpose,
        source,
        notation,
        D6,
        needs,
        test=test,
        changes=group.changes(test),
        rerolls=group.rerolls(test),
        passes=group.named(Passes, test),
        fails=group.named(Fails, test),
    )


def of_characteristic(
    name: str, group: AttackGroup, purpose: Purpose, author: str, seq: int, dice: Dice, times: int
) -> Roll:
    """Return a roll of a random characteristic of a group's weapon, `times` times."""
    return Roll(
        seq,
        author,
        purpose,
        f"{purpose.of}: {group.body.weapon}",
        Dice(dice.count * times, dice.sides, 0).text,
        dice,
        (None,) * times,
        characteristic=name,
        changes=group.changes(name),
        rerolls=group.rerolls(purpose.of),
    )


# --- reveal --------------------------------------------------------------------------------------------------------


def reveal_dice(roll: Roll, naturals: tuple[int, ...]) -> Roll:
    """Return the roll with its dice revealed and nothing modified yet."""
    values = [roll.dice_of_part.value(natural) for natural in naturals]
    dice = tuple(Die(n, (natural,), v, v) for n, (natural, v) in enumerate(zip(naturals, values, strict=True), 1))
    return with_parts(replace(roll, status="open", dice=dice))


def with_parts(roll: Roll) -> Roll:
    """Return the roll with its dice grouped into parts, nothing modified yet. Ignored dice belong to none."""
    one = roll.dice_of_part
    if one.count == 1 and len(roll.dice) == len(roll.needs):
        return replace(roll, parts=tuple(_singles(roll, one.plus)))
    counted = [die for die in roll.dice if die.status == "counted"]
    parts = []
    for number, needs in enumerate(roll.needs, 1):
        dice = counted[(number - 1) * one.count : number * one.count]
        values = [die.value if one.count == 1 or die.ruled is None else die.ruled for die in dice]
        off = one.discarded(values) if one.added < one.count else frozenset()
        unmodified = sum(value for position, value in enumerate(values) if position not in off) + one.plus
        discarded = tuple(dice[position].die for position in sorted(off))
        parts.append(Part(number, tuple(die.die for die in dice), unmodified, needs, discarded=discarded))
    return replace(roll, parts=tuple(parts))


def _singles(roll: Roll, plus: int) -> Iterator[Part]:
    """Yield the parts of single dice, all of which count."""
    for die, needs in zip(roll.dice, roll.needs, strict=True):
        yield Part(die.die, (die.die,), die.value + plus, needs)


# --- modifiers -----------------------------------------------------------------------------------------------------


def add_changes(roll: Roll, body: b.ModifyBody) -> Roll:
    """Return the roll with more changes. They apply when it is settled, because rerolls may come first (W3).

    Raises Violation W2, W8, W9 or W25.
    """
    check_no_off(roll)
    check_room(len(roll.changes) + len(body.modifiers) - 1, "W2")
    for change in body.modifiers:
        if roll.characteristic is None and change.op not in ROLL_OPS:
            text = N_("a roll is divided, multiplied, added to and subtracted from; {source} would {op} it")
            refuse("W2", text, source=change.source, op=change.op)
    changes = roll.changes + body.modifiers
    check_load(replace(roll, changes=changes).entry_weight, len(roll.needs), "W2")
    # Check all possible values: dice may still be rerolled, and a judge may rule another value.
    one = roll.dice_of_part
    values = {*range(one.lowest, one.highest + 1), *(part.unmodified for part in roll.parts)}
    check_size(values, changes, roll.characteristic)
    roll = replace(roll, changes=changes)
    if isinstance(roll.purpose, Number):
        each = len(roll.parts) * roll.purpose.each
        check_attacks(max(highest("A", values, changes), roll.least) * each, "W9")
    return roll


def check_no_off(roll: Roll) -> None:
    """Raise Violation W25 for a roll-off, which nobody may modify or reroll."""
    if isinstance(roll.purpose, Off):
        refuse("W25", "roll {roll} is a roll-off: it is neither modified nor rerolled", roll=roll.roll)


def apply_rulings(roll: Roll, results: Mapping[int, int]) -> Roll:
    """Return the roll with the results that a judge ruled and, if it is settled, with its new outcome.

    Raises Violation `ruling` for a die that does not exist, and for a result beyond MAX_MODIFIER.
    """
    roll = replace(roll, dice=shared.with_rulings(roll.dice, results, _with_result))
    if roll.status not in ("open", "resolved"):
        return roll
    roll = with_parts(roll)
    try:
        if roll.status == "open" and not isinstance(roll.purpose, Number):
            _outcomes(roll)
            return roll
        settled = compute_results(roll)
    except Violation as violation:
        refuse("ruling", violation.template, **violation.values)
    if isinstance(roll.purpose, Number):
        check_attacks(sum(counts(settled.parts)) * roll.purpose.each, "ruling")
    return roll if roll.status == "open" else settled


def _with_result(die: Die, result: int) -> Die:
    if abs(result) > MAX_MODIFIER:
        text = N_("no die comes to {result}: a result is at most {most} in size")
        refuse("ruling", text, result=result, most=MAX_MODIFIER)
    return with_ruling(die, result)


def check_attacks(count: int, clause: str) -> None:
    """Raise Violation of `clause` if a group has more than MAX_DICE attacks."""
    if count > MAX_DICE:
        text = N_("that could be {count} attacks of one group; there can be {most}: make several groups of it")
        refuse(clause, text, count=count, most=MAX_DICE)


# --- results -------------------------------------------------------------------------------------------------------


def compute_results(roll: Roll) -> Roll:
    """Return the roll with its results (W2, W15; W8 for a characteristic) and with the parts that pass (W16)."""
    parts = []
    dice = list(roll.dice)
    outcomes = _outcomes(roll)
    for part in roll.parts:
        outcome = outcomes[part.unmodified]
        result, alone = outcome.number, len(part.dice) == 1
        ruled = dice[part.dice[0] - 1].ruled if alone else None
        passed = None
        if part.needs is not None:
            passed = _passes(roll, part.unmodified, part.needs, result)
        if ruled is not None:
            result, passed = ruled, None if part.needs is None else _reaches(roll, ruled, part.needs)
        parts.append(replace(part, result=result, passed=passed, steps=outcome.steps))
        if alone:
            dice[part.dice[0] - 1] = replace(dice[part.dice[0] - 1], result=result)
    roll = replace(roll, parts=tuple(parts), dice=tuple(dice))
    return _decided(roll) if isinstance(roll.purpose, Off) else roll


def _decided(roll: Roll) -> Roll:
    """Return a roll-off with its winner: the highest of the dice that were rolled last, if it is unique (W25)."""
    shown = [(len(die.naturals), die.result) for die in roll.dice]
    best = max(shown)
    won = shown.index(best) + 1 if shown.count(best) < 2 else None
    return replace(roll, parts=tuple(replace(part, passed=part.part == won) for part in roll.parts))


def counts(parts: tuple[Part, ...]) -> list[int]:
    """Return the results of a settled roll for a number. A ruled result below 0 counts as 0."""
    return [max(0, part.result or 0) for part in parts]


def fails_by_itself(roll: Roll, unmodified: int, needs: int) -> bool:
    """Return whether a part has failed before any modifier (W6)."""
    return not _passes(roll, unmodified, needs, unmodified)


def passed_clause(roll: Roll, part: Part) -> str:
    """Return the clause that decides whether a part passes. It is W16 if a natural decides against the numbers."""
    if isinstance(roll.purpose, Off):
        return "W25"
    if part.needs is not None and part.result is not None and part.passed != _reaches(roll, part.result, part.needs):
        return "W16"
    return {"wound": "W17", "save": "W18", "ignore": "W22"}.get(roll.purpose.of, "W2")


def _outcomes(roll: Roll) -> dict[int, Computed]:
    """Return the outcome of each distinct value, so that a thousand dice need only six computations."""
    return {value: _outcome(roll, value) for value in sorted({part.unmodified for part in roll.parts})}


def _outcome(roll: Roll, unmodified: int) -> Computed:
    if roll.characteristic is not None:
        outcome = characteristic(roll.characteristic, unmodified, roll.changes, rolled=True)
        if not roll.least or outcome.number >= roll.least:
            return outcome
        return Computed(roll.least, (*outcome.steps, Step("blast", roll.least)))
    return roll_result(unmodified, roll.changes, roll.test in ("hit", "wound"))


def _passes(roll: Roll, unmodified: int, needs: int, result: int) -> bool:
    """Return whether a part passes (W16).

    `fails` and `passes` come first. Then an unmodified 1 fails, and an unmodified 6 hits and wounds. Else the numbers
    decide.
    """
    if unmodified in roll.fails or unmodified in roll.passes:
        return unmodified not in roll.fails
    if unmodified == 1 and roll.test in _NATURALLY:
        return False
    return (unmodified == 6 and roll.test in ("hit", "wound")) or _reaches(roll, result, needs)


def _reaches(roll: Roll, result: int, needs: int) -> bool:
    """Return whether the part passes by its numbers."""
    return result <= needs if roll.at_most else succeeds(result, needs)
