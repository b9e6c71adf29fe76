"""Standing effects: declared once, then part of every roll that they fit (604; specs/mtg.md, "604")."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.base import given
from rules.common.shared import check_room, check_weight, refuse, weight
from rules.data.bounds import MAX_DICE, MAX_ITEMS, MAX_LOAD, MAX_TOLD
from rules.data.language import N_
from rules.systems.mtg import bodies as b
from rules.systems.mtg.effects import answer, new_effects
from rules.systems.mtg.state import EffectState, Game, Kind, Standing, concerns

__all__ = [
    "FittingEffects",
    "declare",
    "effects",
    "end",
    "first_kind",
    "ignores",
    "take_in",
    "with_room",
    "without_ended",
]


# --- the standing effects of a roll ----------------------------------------------------------------------------------


class FittingEffects(msgspec.Struct, frozen=True):
    """The standing effects that fit a roll: those that apply, those that the player left out, those without room."""

    taken: tuple[Standing, ...]
    left_out: tuple[Standing, ...]
    no_room: tuple[Standing, ...] = ()


def take_in(
    game: Game, player: str, called: tuple[Kind, ...], body: b.RollBody | b.RerollBody, *, random: bool = False
) -> FittingEffects:
    """Return the standing effects that fit a roll of these dice, except those that the body leaves out.

    Raises Violation 604.
    """
    _check_without(game, player, body.without)
    without = given(body.without, ())
    fits = () if random else tuple(one for one in game.standing if one.looks_at(player) and one.fits(called))
    taken = tuple(one for one in fits if one.standing not in without)
    _check_named_once(taken, given(body.ignores, ()))
    if isinstance(body, b.RollBody):
        _check_named_once(taken, given(body.effects, ()))
    return FittingEffects(taken, tuple(one for one in fits if one.standing in without))


def with_room(
    found: FittingEffects, dice: Sequence[Kind], own: Sequence[EffectState], told: int, most: int, first: Kind
) -> FittingEffects:
    """Return the standing effects again, with those that exceed a bound moved to `no_room`.

    `dice`, `own` and `told` are the roll's own dice, effects and weight. `most` is the highest number of dice, `first`
    the kind of added dice if an effect names none.
    """
    counts, number = Counter(dice), len(own)
    taken, no_room = [], []
    for one in found.taken:
        after, more = _with_dice(counts, one, first), isinstance(one.what, b.Effect)
        weighs = told if isinstance(one.what, b.Ignores) and one.what.which == "pair" else told + weight((one.text,))
        total = after.total()
        within = total <= min(most, MAX_DICE) and number + more <= MAX_ITEMS and weighs <= MAX_TOLD
        if within and weighs * (total + 1) <= MAX_LOAD:
            counts, number, told = after, number + more, weighs
            taken.append(one)
        else:
            no_room.append(one)
    return FittingEffects(tuple(taken), found.left_out, tuple(no_room))


def _with_dice(counts: Counter[Kind], one: Standing, first: Kind) -> Counter[Kind]:
    """Return the number of dice of each kind, with those that a standing effect adds."""
    what = one.what
    if not isinstance(what, b.Ignores):
        return counts
    if what.which == "pair":
        return Counter({kind: 2 * count if concerns(one.only, kind) else count for kind, count in counts.items()})
    added = next((kind for kind in counts if one.only is not None and concerns(one.only, kind)), first)
    return counts + Counter({added: what.extra})


def _check_without(game: Game, player: str, without: tuple[int, ...] | UnsetType) -> None:
    """Raise Violation 604 if an effect to leave out does not exist, is not for this player, or is named twice."""
    numbers = given(without, ())
    looking = {one.standing for one in game.standing if one.looks_at(player)}
    for number in numbers:
        if number not in looking:
            text = N_("no standing effect {number} is for rolls of {player}: there is nothing to leave out")
            refuse("604", text, number=number, player=player)
    if len(set(numbers)) != len(numbers):
        refuse("604", "a standing effect is left out once")


def _check_named_once(taken: Iterable[Standing], named: Sequence[b.Ignores | b.Effect]) -> None:
    """Raise Violation 604 if a roll names an effect that stands already."""
    standing = {one.source: one.standing for one in taken}
    for entry in named:
        if entry.source in standing:
            text = N_(
                "{source} stands already, as number {number}, and applies by itself: leave it out here. "
                "A second one of that name is declared as the first was"
            )
            refuse("604", text, source=entry.source, number=standing[entry.source])


def first_kind(called: tuple[Kind, ...]) -> Kind:
    """Return the kind of dice that standing effects add: the first that has a number, else the first."""
    return next((kind for kind in called if not kind[1]), called[0])


def ignores(taken: Iterable[Standing], called: tuple[Kind, ...]) -> tuple[b.Ignores, ...]:
    """Return the replacement effects among the standing effects."""
    sides, special = first_kind(called)
    found = []
    for one in taken:
        if isinstance(one.what, b.Ignores):
            adds = one.what.extra and one.only is None and not special
            found.append(replace(one.what, sides=sides) if adds else one.what)
    return tuple(found)


def effects(taken: Iterable[Standing], first: int) -> tuple[EffectState, ...]:
    """Return the modifying effects among the standing effects, numbered from `first`. Raises Violation 706.2."""
    states: list[EffectState] = []
    for one in taken:
        if isinstance(one.what, b.Effect):
            (state,) = new_effects(one.controller, (one.what,), first + len(states))
            states.append(replace(state, standing=one.standing))
    return tuple(states)


# --- beginning and end -----------------------------------------------------------------------------------------------


def declare(game: Game, author: str, seq: int, body: b.DeclareStanding) -> Game:
    """Return the game with a standing effect of the author. Raises Violation 604 or 706.8."""
    text = N_("there are {most} standing effects already: one has to end first")
    check_room(len(game.standing), "604", text)
    number = game.last_standing + 1
    what = body.what_stands
    new = Standing(number, author, what, body.whose, given(body.permanent, None), seq)
    text = N_("the standing effects weigh {told}, names included; the most is {most}")
    check_weight(weight(one.text for one in (*game.standing, new)), "604", text)
    if isinstance(what, b.Ignores) and what.sides is not UNSET:
        refuse("604", "an effect that stands names no sides: “only d20” says which dice it concerns")
    if isinstance(what, b.Effect) and what.once is not UNSET:
        refuse("604", "an effect that stands is not for one roll alone: it stands until it ends")
    if new.permanent is not None:
        permanent = game.permanents.get(new.permanent)
        if permanent is None:
            refuse("706.8", "there is no permanent {permanent}: declare it first", permanent=new.permanent)
        if permanent.controller != author:
            text = N_("{controller} controls {permanent}, not {author}")
            refuse("706.8", text, controller=permanent.controller, permanent=new.permanent, author=author)
    return replace(game, standing=(*game.standing, new), last_standing=number)


def end(game: Game, author: str, number: int) -> Game:
    """Return the game without a standing effect of the author. Raises Violation 604."""
    gone = next((one for one in game.standing if one.standing == number), None)
    if gone is None:
        refuse("604", "there is no standing effect {number}", number=number)
    if gone.controller != author:
        text = N_("{controller} controls standing effect {number} ({source}), not {author}")
        refuse("604", text, controller=gone.controller, number=number, source=gone.source, author=author)
    return without_ended(game, lambda one: one is gone)


def without_ended(game: Game, ends: Callable[[Standing], bool]) -> Game:
    """Return the game without the standing effects that end; their unanswered effects on the open roll end too."""
    gone = {one.standing for one in game.standing if ends(one)}
    if not gone:
        return game
    roll = game.open
    for effect in roll.effects if roll is not None else ():
        if effect.standing in gone and effect.answer is None:
            assert roll is not None
            roll = answer(roll, effect.effect, "ended")
    return replace(game, open=roll, standing=tuple(one for one in game.standing if one.standing not in gone))
