"""Verification of the outcome that is announced of a roll (specs/wh40k.md, "Clauses")."""

from collections.abc import Iterable, Iterator, Mapping

from rules.base import given
from rules.common.shared import refuse
from rules.data.language import N_, Listed, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.record import Attack, Off, Part, Roll, ToHit, ToWound
from rules.systems.wh40k.rolls import passed_clause
from rules.systems.wh40k.state import AttackGroup, Game, RollingWounds
from rules.systems.wh40k.triggers import Triggers

__all__ = ["check_claims", "check_triggered", "set_off_by"]


def check_claims(roll: Roll, body: b.ResolveBody) -> None:
    """Raise Violation if a claim is wrong, of the clause of the first part that differs from it."""
    results = [part.result or 0 for part in roll.parts]
    claimed = given(body.results, None)
    if claimed is not None and list(claimed) != results:
        pairs = zip(roll.parts, claimed, strict=False)
        part = next((p for p, values in pairs if p.result != values), roll.parts[0])
        text = N_("the results are {expected}, not {actual}")
        refuse(_results_clause(roll, part), text, expected=_listed(results), actual=_listed(claimed))
    passed = [part.part for part in roll.parts if part.passed]
    said = given(body.passed, None)
    if said is not None and (sorted(said) != passed or len(set(said)) != len(said)):
        differ = set(said) ^ set(passed)
        part = next((p for p in roll.parts if p.part in differ), roll.parts[0])
        clause = passed_clause(roll, part)
        if isinstance(roll.purpose, Off):
            text = (
                N_("nobody has won: nothing passes")
                if roll.winner is None
                else N_("{winner} has won: part {part} passes")
            )
            refuse("W25", text, winner=roll.winner, part=passed[0] if passed else None)
        text = N_("part {part} passes ({result}, {needs}): what passes is {expected}, not {actual}")
        if not part.passed:
            text = N_("part {part} fails ({result}, {needs}): what passes is {expected}, not {actual}")
        values = {"expected": _listed(passed), "actual": _listed(sorted(said))}
        refuse(clause, text, part=part.part, result=part.result, needs=_needs(roll, part, clause), **values)


def check_triggered(game: Game, roll: Roll, body: b.ResolveBody) -> None:
    """Raise Violation W7 if the announced abilities are not those that the dice set off."""
    claimed = given(body.triggered, None)
    if claimed is None:
        return
    expected = set_off_by(game, roll)
    actual = {t.ability: sorted(t.parts) for t in claimed}
    if actual != expected or len(actual) != len(claimed):
        text = N_("the abilities set off, with their dice, are {expected}, not {actual}")
        refuse("W7", text, expected=_told(expected), actual=_told(actual))


def set_off_by(game: Game, roll: Roll) -> Mapping[int, list[int]]:
    """Return the abilities that a roll with results sets off, each with the numbers of the parts that do."""
    found: dict[int, list[int]] = {}
    triggers = Triggers(roll.purpose.of)
    for part, group, attack in _subjects(game, roll):
        for number, _ in triggers.set_off(group, part, attack):
            found.setdefault(number, []).append(part.part)
    return found


def _subjects(game: Game, roll: Roll) -> Iterator[tuple[Part, AttackGroup, Attack | None]]:
    """Yield each part of a hit or wound roll with its group and, for hits, its attack."""
    sequence = game.sequence
    if sequence is None:
        return
    match roll.purpose, sequence.at:
        case ToHit(attacks=attacks), _:
            for part, (number, attack) in zip(roll.parts, attacks, strict=True):
                yield part, sequence.group(number), attack
        case ToWound(), RollingWounds(rolled=rolled):
            for part, hit in zip(roll.parts, rolled, strict=True):
                yield part, sequence.group(hit.group), None


def _told(set_off: Mapping[int, list[int]]) -> Message | str:
    """Return abilities with their dice, such as `1 (2, 5), 3 (2)`."""
    lines = [f"{ability} ({', '.join(map(str, parts))})" for ability, parts in sorted(set_off.items())]
    return Listed(lines) if lines else Message("none")


def _listed(values: Iterable[int]) -> Message:
    items = [str(value) for value in values]
    return Listed(items) if items else Message("none")


def _needs(roll: Roll, part: Part, clause: str) -> Message:
    if part.needs is None:
        return Message("nothing is needed")
    if clause == "W16":
        always = Message("an unmodified {value} always passes", value=part.unmodified)
        if not part.passed:
            always = Message("an unmodified {value} always fails", value=part.unmodified)
        return Listed((_needed(roll, part.needs), always))
    return _needed(roll, part.needs)


def _needed(roll: Roll, needs: int) -> Message:
    return Message(N_("{needs} or less is needed") if roll.at_most else N_("{needs}+ is needed"), needs=needs)


def _results_clause(roll: Roll, part: Part) -> str:
    if isinstance(roll.purpose, Off):
        return "W25"
    if any(step.op == "cap" for step in part.steps) and roll.characteristic is None:
        return "W15"
    if any(step.op == "blast" for step in part.steps):
        return "W24"
    if roll.changes:
        return "W2" if roll.characteristic is None else "W8"
    return "W1" if roll.dice_of_part.d3 else "W2"
