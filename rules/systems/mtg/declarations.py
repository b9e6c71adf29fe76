"""Declarations by players: effects, triggered abilities and permanents, and the end of one of these."""

from msgspec import UnsetType
from msgspec.structs import replace

from rules.common.shared import check_room, check_weight, refuse, weight
from rules.data.language import N_
from rules.systems.mtg import bodies as b
from rules.systems.mtg import effects, standing
from rules.systems.mtg.outcome import check_unfinished, settle
from rules.systems.mtg.requests import own_permanent
from rules.systems.mtg.state import Game, Permanent, Trigger
from rules.systems.mtg.table import parse_trigger_range

__all__ = ["declare"]


def declare(game: Game, author: str, seq: int, body: object) -> Game:
    """Return the game after a declaration.

    A declaration that is not about the open roll settles that roll. Raises Violation, with clause 706.3b if the roll is
    not finished.
    """
    match body:
        case b.DeclareEffect():
            return effects.add_effect(game, author, body)
        case b.DeclareEnds(roll=int(roll), effect=int(effect)):
            return effects.ends(game, author, roll, effect)
        case b.DeclareGone(permanent=permanent):
            own_permanent(game, author, permanent, "706.8")
            game = replace(game, permanents={k: v for k, v in game.permanents.items() if k != permanent})
            return standing.without_ended(game, lambda one: one.permanent == permanent)
    check_unfinished(game)
    game = settle(game)
    match body:
        case b.DeclareTrigger():
            return _trigger(game, author, body)
        case b.DeclareEnds(trigger=int(number)):
            return _without_trigger(game, author, number)
        case b.DeclareStanding():
            return standing.declare(game, author, seq, body)
        case b.DeclareEnds(standing=int(number)):
            return standing.end(game, author, number)
        case b.DeclarePermanent():
            return _permanent(game, author, body)
        case _:
            raise TypeError(f"no such declaration: {body!r}")


def _permanent(game: Game, author: str, body: b.DeclarePermanent) -> Game:
    text = N_("there are already {most} permanents that can store results, and no more are allowed")
    check_room(len(game.permanents), "706.8", text)
    if body.permanent in game.permanents:
        refuse("706.8", "there is a permanent {permanent} already: choose another id", permanent=body.permanent)
    number = game.last_permanent + 1
    permanents = {**game.permanents, body.permanent: Permanent(body.name, author, number)}
    return replace(game, permanents=permanents, last_permanent=number)


def _trigger(game: Game, author: str, body: b.DeclareTrigger) -> Game:
    """Return the game with a triggered ability of the author (603)."""
    text = N_("there are {most} abilities that trigger already: one has to end first")
    check_room(len(game.triggers), "603", text)
    text = N_("the abilities that trigger weigh {told}, names included; the most is {most}")
    check_weight(weight((*(trigger.source for trigger in game.triggers), body.source)), "603", text)
    number = game.last_trigger + 1
    range_ = None if isinstance(body.range, UnsetType) else parse_trigger_range(body.range)
    trigger = Trigger(number, author, body.source, body.on, range_, body.whose)
    return replace(game, triggers=(*game.triggers, trigger), last_trigger=number)


def _without_trigger(game: Game, author: str, number: int) -> Game:
    """Return the game without a triggered ability of the author (603)."""
    gone = next((t for t in game.triggers if t.trigger == number), None)
    if gone is None:
        refuse("603", "there is no triggered ability {number}", number=number)
    if gone.controller != author:
        text = N_("{controller} controls ability {number} ({source}), not {author}")
        refuse("603", text, controller=gone.controller, number=number, source=gone.source, author=author)
    return replace(game, triggers=tuple(t for t in game.triggers if t is not gone))
