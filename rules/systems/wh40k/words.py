"""Notes on rolls in words."""

from collections.abc import Iterator

from rules.data.language import N_, Listed, Message
from rules.systems.wh40k import rerolls
from rules.systems.wh40k.arithmetic import summary
from rules.systems.wh40k.effects_text import differences
from rules.systems.wh40k.phrases import changes, ranges, steps, which
from rules.systems.wh40k.record import Part, Roll
from rules.systems.wh40k.settling import settle, settle_open
from rules.systems.wh40k.state import Game
from rules.systems.wh40k.tables import tables
from rules.systems.wh40k.view import roll_for_display

__all__ = ["notes", "summary", "tables"]


def notes(game: Game, number: int) -> tuple[Message, ...]:
    """Return what a roll came to, its effects, and what can still be done to it."""
    roll, opened = roll_for_display(game, number), game.open
    if roll is None or not roll.parts:
        return ()
    found: list[Message] = []
    if roll.parts[0].result is None:
        found += _to_come(roll)
    else:
        found += _of_settled(roll)
    if opened is not None and opened.roll == number:
        found += _rerolls(game, opened)
        found += differences(game, settle_open(game))
    elif game.undo is not None and game.undo.roll.roll == number:
        found += differences(game.undo.before, settle(game.undo.before, game.undo.roll))
    return tuple(found)


def _to_come(roll: Roll) -> Iterator[Message]:
    needs = {part.needs for part in roll.parts}
    if len(needs) == 1 and None not in needs:
        yield Message(N_("{needs} or less is needed") if roll.at_most else N_("{needs}+ is needed"), needs=needs.pop())
    if roll.changes:
        yield Message("to be modified: {changes}", changes=changes(roll.changes))


def _rerolls(game: Game, roll: Roll) -> Iterator[Message]:
    for number, rule in enumerate(roll.rerolls, 1):
        dice = rerolls.takes(game, roll, rule)
        text = N_("rule {number}, {source}, may reroll {which}: no die now")
        if dice:
            text = N_("rule {number}, {source}, may reroll {which}: {dice}")
        values = Listed([f"{die} ({roll.dice[die - 1].value})" for die in dice])
        yield Message(text, number=number, source=rule.source, which=which(rule), dice=values)


def _of_settled(roll: Roll) -> Iterator[Message]:
    changed: list[Part] = [part for part in roll.parts if len(part.steps) > 1]
    if len(roll.parts) == 1 and changed:
        yield steps(changed[0].steps)
    elif changed:
        yield Message("modified: {changes}", changes=changes(roll.changes))
        if any(step.op == "cap" for part in changed for step in part.steps):
            yield Message("a hit or wound roll is never modified by more than 1")
    if len(roll.parts) > 1 and roll.parts[0].passed is not None:
        passed = [die for part in roll.parts if part.passed for die in part.dice]
        yield Message("successes: dice {dice}", dice=ranges(passed)) if passed else Message("no success")
