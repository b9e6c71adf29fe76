"""Magic: abilities that trigger on rolls, and the triggers that are owed (specs/mtg.md, "Triggers"; rule 603)."""

from collections.abc import Iterable

from msgspec import UnsetType
from msgspec.structs import replace

from rules.language import N_
from rules.mtg.bodies import MAX_OWED, DeclareTrigger
from rules.mtg.checks import check_nothing_open
from rules.mtg.state import Die, Game, Owed, Roll, Trigger
from rules.mtg.table import parse_range
from rules.shared import check_room, refuse

__all__ = ["check_owed_room", "corrected", "declare", "ends", "resolve", "set_off"]


def declare(game: Game, author: str, body: DeclareTrigger) -> Game:
    """An ability of the author's triggers from now on."""
    text = N_("there are {most} abilities that trigger already: one has to end first")
    check_room(len(game.triggers), "603", text)
    number = game.last_trigger + 1
    range_ = None if isinstance(body.range, UnsetType) else parse_range(body.range)
    trigger = Trigger(number, author, body.source, body.on, range_, body.whose)
    return replace(game, triggers=(*game.triggers, trigger), last_trigger=number)


def ends(game: Game, author: str, number: int) -> Game:
    """An ability of the author's is no longer there."""
    gone = next((t for t in game.triggers if t.trigger == number), None)
    if gone is None:
        refuse("603", "there is no triggered ability {number}", number=number)
    if gone.controller != author:
        text = N_("{controller} controls ability {number} ({source}), not {author}")
        refuse("603", text, controller=gone.controller, number=number, source=gone.source, author=author)
    return replace(game, triggers=tuple(t for t in game.triggers if t is not gone))


def resolve(game: Game, author: str, number: int) -> Game:
    """An owed trigger has been dealt with."""
    check_nothing_open(game)
    owed = next((o for o in game.owed if o.owed == number), None)
    if owed is None:
        refuse("603", "trigger {number} is not owed: it never was, or has been dealt with", number=number)
    controller, source = owed.trigger.controller, owed.trigger.source
    if controller != author:
        text = N_("{controller} controls trigger {number} ({source}), not {author}")
        refuse("603", text, controller=controller, number=number, source=source, author=author)
    return replace(game, owed=tuple(o for o in game.owed if o is not owed))


def check_owed_room(game: Game, player: str, dice: int) -> None:
    """Raises Violation 603 where a roll of so many dice could bring more owed triggers than there can be."""
    if not game.triggers:
        return
    most = len(game.owed) + _could_trigger(game, player, dice)
    if most > MAX_OWED:
        text = N_("with this roll up to {count} triggers could be owed; there can be {most}: deal with some first")
        refuse("603", text, count=most, most=MAX_OWED)


def _could_trigger(game: Game, player: str, dice: int) -> int:
    looking = [trigger for trigger in game.triggers if trigger.looks_at(player)]
    return sum(1 if trigger.on == "rolled" else dice for trigger in looking)


def set_off(game: Game, roll: Roll) -> Game:
    """What a resolved roll triggers, once for the instruction or for each die (706.6, 706.7)."""
    new: list[tuple[Trigger, int | None]] = []
    for trigger in game.triggers:
        if not trigger.looks_at(roll.player):
            continue
        if trigger.on == "rolled":
            new += [(trigger, None)] if roll.counted else []
        else:
            new += [(trigger, d.die) for d in roll.counted if trigger.fits(trigger.number_of(d), d.sides)]
    return _owe(game, roll, new)


def corrected(game: Game, old: Roll, roll: Roll, numbers: Iterable[int]) -> Game:
    """The game after a ruling on the results of these dice: what they no longer trigger, and what they do now.

    Raises Violation `ruling` where more would be owed than can be.
    """
    changed = {n: (old.dice[n - 1], roll.dice[n - 1]) for n in sorted(numbers) if roll.dice[n - 1].counted}
    kept = tuple(o for o in game.owed if not _undone(o, roll.roll, changed))
    new: list[tuple[Trigger, int | None]] = [
        (trigger, number)
        for trigger in game.triggers
        if trigger.on == "result" and trigger.trigger <= roll.last_trigger and trigger.looks_at(roll.player)
        for number, (before, after) in changed.items()
        if trigger.fits(after.result, after.sides) and not trigger.fits(before.result, before.sides)
    ]
    coming = _could_trigger(game, game.open.player, len(game.open.sides)) if game.open else 0
    count = len(kept) + len(new) + coming
    if count > MAX_OWED:
        text = N_("with this ruling up to {count} triggers could be owed; there can be {most}: deal with some first")
        refuse("ruling", text, count=count, most=MAX_OWED)
    return _owe(replace(game, owed=kept), roll, new)


def _undone(owed: Owed, roll: int, changed: dict[int, tuple[Die, Die]]) -> bool:
    if owed.roll != roll or owed.trigger.on != "result" or owed.die not in changed:
        return False
    after = changed[owed.die][1]
    return not owed.trigger.fits(after.result, after.sides)


def _owe(game: Game, roll: Roll, new: list[tuple[Trigger, int | None]]) -> Game:
    if not new:
        return game
    owed = tuple(Owed(number, trigger, roll.roll, die) for number, (trigger, die) in enumerate(new, game.last_owed + 1))
    return replace(game, owed=game.owed + owed, last_owed=game.last_owed + len(owed))
