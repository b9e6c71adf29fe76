"""One roll: its dice, rerolls, modifiers and results (specs/wh40k.md, W1 to W7, W15, W16, W21)."""

from collections.abc import Iterable

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import Event, Violation, given
from rules.bounds import MAX_DICE, MAX_MODIFIER
from rules.shared import Rerolled, check_roller, check_room, find_die, open_roll, refuse, ruled_steps, succeeds
from rules.wh40k import bodies as b
from rules.wh40k.state import Die, Game, Part, Pending, PendingReroll, Roll
from rules.wh40k.values import Computed, Step, characteristic, check_size, highest, roll_result

__all__ = [
    "check_attacks",
    "check_claims",
    "computed",
    "corrected",
    "counts",
    "declare_reroll",
    "modified",
    "passed_clause",
    "request_reroll",
    "rerolled",
    "shown",
    "with_parts",
]

COMMAND = "Command Re-roll"
_COMMANDED = frozenset({"hit", "wound", "save", "damage", "attacks", "free"})
_NATURALLY = frozenset({"hit", "wound", "save"})
_SPOKEN = {"ignore": "ignore-wounds", "mortal": "mortal wounds"}


def shown(roll: Roll, naturals: tuple[int, ...]) -> Roll:
    """The roll with its dice on the table, nothing modified yet."""
    values = [roll.dice_of_part.value(natural) for natural in naturals]
    dice = tuple(Die(n, (natural,), v, v) for n, (natural, v) in enumerate(zip(naturals, values, strict=True), 1))
    return with_parts(replace(roll, status="open", dice=dice))


def computed(roll: Roll) -> Roll:
    """The roll with results (W2, W15; W8 for a characteristic) and with what passes (W16)."""
    parts = []
    dice = list(roll.dice)
    # A thousand dice show six values: each is computed once, and its steps are kept once.
    outcomes = {value: _outcome(roll, value) for value in sorted({part.unmodified for part in roll.parts})}
    for part in roll.parts:
        outcome = outcomes[part.unmodified]
        result, alone = outcome.number, len(part.dice) == 1
        ruled = dice[part.dice[0] - 1].ruled if alone else None
        passed = None
        if part.needs is not None:
            passed = _passes(roll, part, result) if roll.test in _NATURALLY else succeeds(result, part.needs)
        if ruled is not None:
            result, passed = ruled, None if part.needs is None else succeeds(ruled, part.needs)
        parts.append(replace(part, result=result, passed=passed, steps=outcome.steps))
        if alone:
            dice[part.dice[0] - 1] = replace(dice[part.dice[0] - 1], result=result)
    return replace(roll, parts=tuple(parts), dice=tuple(dice))


def corrected(roll: Roll, results: dict[int, int]) -> Roll:
    """The roll with results that a judge ruled, and what they come to where it is settled.

    Raises Violation `ruling` for a die that is not there, or a result beyond MAX_MODIFIER.
    """
    dice = list(roll.dice)
    for number, result in results.items():
        die = find_die(dice, number, "ruling")
        if abs(result) > MAX_MODIFIER:
            text = "no die comes to {result}: a result is at most {most} in size"
            refuse("ruling", text, result=result, most=MAX_MODIFIER)
        dice[number - 1] = replace(die, result=result, steps=ruled_steps(die.steps, result))
    roll = replace(roll, dice=tuple(dice))
    if roll.status not in ("open", "resolved"):
        return roll
    roll = with_parts(roll)
    try:
        settled = computed(roll)
    except Violation as violation:
        refuse("ruling", violation.template, **violation.values)
    if roll.purpose.of == "attacks":
        check_attacks(sum(counts(settled.parts)), "ruling")
    return roll if roll.status == "open" else settled


def counts(parts: tuple[Part, ...]) -> list[int]:
    """What the parts of a settled roll that tells a number come to; a result that was ruled below 0 is 0."""
    return [max(0, part.result or 0) for part in parts]


def check_attacks(count: int, clause: str) -> None:
    """Raises Violation of `clause` where a group comes to more than MAX_DICE attacks."""
    if count > MAX_DICE:
        text = "that could be {count} attacks of one group; there can be {most}: make several groups of it"
        refuse(clause, text, count=count, most=MAX_DICE)


def request_reroll(game: Game, event: Event, body: b.RerollBody) -> tuple[Game, tuple[int, ...]]:
    """Take a reroll of dice of the open roll (W3 to W6, W21)."""
    roll = open_roll(game.open, body.roll, "W3")
    check_roller(roll, event.author, "W3")
    if isinstance(body.reroll, UnsetType):
        _check_command(game, roll)
        rule = b.Reroll(COMMAND)
    elif body.reroll > len(roll.rerolls):
        refuse("W3", "roll {roll} has no reroll rule {rule}", roll=roll.roll, rule=body.reroll)
    else:
        rule = roll.rerolls[body.reroll - 1]
    numbers = _numbers(roll, given(body.dice, None))
    _check_parts(roll, rule, numbers)
    command = body.command is True
    if command and sum(bool(set(part.dice) & set(numbers)) for part in roll.parts) > 1:
        refuse("W21", "the Command Re-roll takes one roll, not several: name its die, or its dice if they are added")
    for number in numbers:
        if roll.dice[number - 1].rerolled:
            text = "die {die} has been rerolled: no die is ever rerolled twice"
            refuse("W3", text, die=number)
    return replace(game, pending=Pending(game, PendingReroll(rule.source, numbers, command))), (6,) * len(numbers)


def rerolled(game: Game, roll: Roll, pending: PendingReroll, naturals: tuple[int, ...]) -> Game:
    """The dice that were rerolled show these naturals."""
    dice = list(roll.dice)
    for number, natural in zip(pending.dice, naturals, strict=True):
        die = dice[number - 1]
        value = roll.dice_of_part.value(natural)
        step = Rerolled(die.naturals[-1], pending.source)
        dice[number - 1] = replace(
            die, naturals=(*die.naturals, natural), value=value, result=value, steps=(*die.steps, step)
        )
    command = (*game.command, roll.player) if pending.command else game.command
    return replace(game, open=with_parts(replace(roll, dice=tuple(dice))), command=command)


def modified(roll: Roll, body: b.ModifyBody) -> Roll:
    """The roll with more changes, which apply when it is settled: rerolls may still come before them (W3)."""
    check_room(len(roll.changes) + len(body.modifiers) - 1, "W2")
    for change in body.modifiers:
        if roll.characteristic is None and change.op not in b.ROLL_OPS:
            text = "a roll is divided, multiplied, added to and subtracted from; {source} would {op} it"
            refuse("W2", text, source=change.source, op=change.op)
    changes = roll.changes + body.modifiers
    # All that the dice can show: they may still be rerolled, and a judge may rule another value.
    one = roll.dice_of_part
    values = {*range(one.lowest, one.highest + 1), *(part.unmodified for part in roll.parts)}
    check_size(values, changes, roll.characteristic)
    roll = replace(roll, changes=changes)
    if roll.purpose.of == "attacks":
        check_attacks(max(highest("A", values, changes), roll.least) * len(roll.parts), "W9")
    return roll


def declare_reroll(game: Game, author: str, body: b.DeclareReroll) -> Game:
    """One more reroll rule for the open roll of the author."""
    roll = open_roll(game.open, body.roll, "W19")
    check_roller(roll, author, "W3")
    check_room(len(roll.rerolls), "W3")
    return replace(game, open=replace(roll, rerolls=(*roll.rerolls, body.reroll)))


def check_claims(roll: Roll, body: b.ResolveBody) -> None:
    """What was announced is what the dice say: else Violation of the clause of the first part that differs."""
    results = [part.result or 0 for part in roll.parts]
    claimed = given(body.results, None)
    if claimed is not None and list(claimed) != results:
        pairs = zip(roll.parts, claimed, strict=False)
        part = next((p for p, told in pairs if p.result != told), roll.parts[0])
        text = "the results are {expected}, not {actual}"
        refuse(_results_clause(roll, part), text, expected=_listed(results), actual=_listed(claimed))
    passed = [part.part for part in roll.parts if part.passed]
    said = given(body.passed, None)
    if said is not None and (sorted(said) != passed or len(set(said)) != len(said)):
        differ = set(said) ^ set(passed)
        part = next((p for p in roll.parts if p.part in differ), roll.parts[0])
        clause, told = passed_clause(roll, part), "passes" if part.passed else "fails"
        text = "part {part} {told} ({result}, {needs}): what passes is {expected}, not {actual}"
        needs = "nothing is needed" if part.needs is None else f"{part.needs}+ is needed"
        if clause == "W16":
            needs += f", an unmodified {part.unmodified} always {told}"
        refuse(
            clause,
            text,
            part=part.part,
            told=told,
            result=part.result,
            needs=needs,
            expected=_listed(passed),
            actual=_listed(sorted(said)),
        )


def _listed(values: Iterable[int]) -> str:
    """Numbers as people write them: `2 and 5`; `none`."""
    *most, last = map(str, values) if values else ("none",)
    return " and ".join((*((", ".join(most),) if most else ()), last))


def _outcome(roll: Roll, unmodified: int) -> Computed:
    if roll.characteristic is not None:
        outcome = characteristic(roll.characteristic, unmodified, roll.changes, rolled=True)
        if not roll.least or outcome.number >= roll.least:
            return outcome
        return Computed(roll.least, (*outcome.steps, Step("blast", roll.least)))
    return roll_result(unmodified, roll.changes, roll.test in ("hit", "wound"))


def _passes(roll: Roll, part: Part, result: int) -> bool:
    """W16: an unmodified 1 fails; an unmodified 6 hits and wounds."""
    assert part.needs is not None
    if part.unmodified == 1:
        return False
    return (part.unmodified == 6 and roll.test != "save") or succeeds(result, part.needs)


def _results_clause(roll: Roll, part: Part) -> str:
    if any(step.op == "cap" for step in part.steps) and roll.characteristic is None:
        return "W15"
    if any(step.op == "blast" for step in part.steps):
        return "W24"
    if roll.changes:
        return "W2" if roll.characteristic is None else "W8"
    return "W1" if roll.dice_of_part.d3 else "W2"


def passed_clause(roll: Roll, part: Part) -> str:
    """The clause that says whether a part passes: W16 where it decides against the numbers."""
    if part.needs is not None and part.result is not None and part.passed != succeeds(part.result, part.needs):
        return "W16"
    return {"wound": "W17", "save": "W18", "ignore": "W22"}.get(roll.purpose.of, "W2")


def with_parts(roll: Roll) -> Roll:
    """The roll with the parts that its dice make, nothing modified yet; dice that are ignored make none."""
    size = roll.dice_of_part.count
    counted = [die for die in roll.dice if die.status == "counted"]
    parts = []
    for number, needs in enumerate(roll.needs, 1):
        dice = counted[(number - 1) * size : number * size]
        values = [die.value if size == 1 or die.ruled is None else die.ruled for die in dice]
        unmodified = sum(values) + roll.dice_of_part.plus
        parts.append(Part(number, tuple(die.die for die in dice), unmodified, needs))
    return replace(roll, parts=tuple(parts))


def _numbers(roll: Roll, chosen: tuple[int, ...] | None) -> tuple[int, ...]:
    if chosen is None:
        if len(roll.parts) > 1:
            refuse("W3", "say which dice of roll {roll} are rerolled", roll=roll.roll)
        return roll.parts[0].dice
    if not chosen or len(set(chosen)) != len(chosen):
        refuse("W3", "a reroll names one die or more, each once")
    for number in chosen:
        if find_die(roll.dice, number, "W3").status == "ignored":
            refuse("W3", "die {die} is ignored: what it was rolled for is no more", die=number)
    return chosen


def _check_parts(roll: Roll, rule: b.Reroll, numbers: tuple[int, ...]) -> None:
    """W4 to W6: the rule lets these dice be rerolled."""
    results = given(rule.results, None)
    clause = "W5" if roll.dice_of_part.d3 else "W4"
    for part in roll.parts:
        named = set(part.dice) & set(numbers)
        if not named:
            continue
        for number in sorted(named) if results is not None else ():
            value = roll.dice[number - 1].value
            if results is not None and value not in results:
                text = "{source} rerolls results of {results}; die {die} is a {value}"
                refuse(clause, text, source=rule.source, results=_listed(results), die=number, value=value)
        if rule.failed is True:
            _check_failed(roll, rule, part)
        if results is None and rule.apart is not True and named != set(part.dice):
            text = "dice that are added together are rerolled together: dice {dice}"
            refuse("W4", text, dice=_listed(part.dice))


def _check_failed(roll: Roll, rule: b.Reroll, part: Part) -> None:
    if part.needs is None:
        text = "{source} rerolls failed rolls; roll {roll} cannot fail"
        refuse("W6", text, source=rule.source, roll=roll.roll)
    natural = roll.test in _NATURALLY
    if _passes(roll, part, part.unmodified) if natural else succeeds(part.unmodified, part.needs):
        text = "{source} rerolls failed rolls; an unmodified {value} where {needs}+ is needed has not failed"
        refuse("W6", text, source=rule.source, value=part.unmodified, needs=part.needs)


def _check_command(game: Game, roll: Roll) -> None:
    if roll.purpose.of not in _COMMANDED:
        text = "the Command Re-roll takes no {of} roll: only hit, wound, save, damage, number of attacks and free rolls"
        refuse("W21", text, of=_SPOKEN.get(roll.purpose.of, roll.purpose.of))
    if roll.player in game.command:
        refuse("W21", "{player} has used the Command Re-roll in this phase", player=roll.player)
