"""Rolls and the state in words (specs/mtg.md)."""

from collections.abc import Iterable
from typing import Any

from msgspec import UnsetType

from rules.base import Table, given
from rules.common.explain import STILL_IGNORED, still_ignored
from rules.data.language import N_, Listed, Message
from rules.systems.mtg import bodies as b
from rules.systems.mtg.ignoring import choice
from rules.systems.mtg.outcome import for_display, leading, shown_roll
from rules.systems.mtg.state import EffectState, Game, Permanent, Roll, Standing

__all__ = ["notes", "summary", "tables"]

_FEW = 12
"""items of a list that a line shows"""


# --- events on one line -----------------------------------------------------------------------------------------------


def _list(items: Iterable[object]) -> Message:
    texts = [item if isinstance(item, Message) else str(item) for item in items]
    more = [Message("and {count} more", count=len(texts) - _FEW)] if len(texts) > _FEW else []
    return Listed([*texts[:_FEW], *more])


_WHICH = {
    "lowest": N_("ignore the lowest ({source})"),
    "highest": N_("ignore the highest ({source})"),
    "any": N_("ignore any ({source})"),
    "pair": N_("roll each die twice and ignore one of each pair ({source})"),
}


def _ignores(rule: b.Ignores) -> Message:
    parts = [Message(_WHICH[rule.which], source=rule.source)]
    if not isinstance(rule.sides, UnsetType):
        parts.insert(0, Message("dice added: {extra} (d{sides})", extra=rule.extra, sides=rule.sides))
    elif rule.extra:
        parts.insert(0, Message("dice added: {extra}", extra=rule.extra))
    if rule.count > 1:
        parts.append(Message("dice to ignore: {count}", count=rule.count))
    if not isinstance(rule.only, UnsetType):
        parts.append(Message("{kind} alone", kind=rule.only))
    return Listed(parts)


_DOES = {
    "reroll": N_("reroll (706.2b)"),
    "adjust": N_("adjust by {amounts}"),
    "exchange": N_("exchange the result with {number}"),
}
_SCOPES = {"each": N_("every die"), "one": N_("one die"), "any": N_("one die or more")}


def _effect(effect: b.Effect | EffectState) -> Message:
    return Message("{source}: {what}", source=effect.source, what=_effect_words(effect))


def _effect_words(effect: b.Effect | EffectState) -> Message:
    """Return what an effect does; it comes from a body or from a state."""
    amounts = Listed([f"{amount:+d}" for amount in given(effect.amounts, ())], N_(" or "))
    words = [Message(_DOES[effect.kind], amounts=amounts, number=effect.number), Message(_SCOPES[effect.scope])]
    cost, mana_cost = given(effect.cost, None), given(effect.mana_cost, None)
    words += [Message("optional")] if effect.optional is True else []
    words += [Message("cost: {cost}", cost=cost)] if cost is not None else []
    words += [Message("mana cost: {cost}", cost=mana_cost)] if mana_cost is not None else []
    words += [Message("for this roll alone")] if effect.once is True else []
    words += [Message("{kind} alone", kind=effect.only)] if isinstance(effect.only, str) else []
    return Listed(words)


def _stands(standing: b.DeclareStanding | Standing) -> Message:
    what = standing.what if isinstance(standing, Standing) else standing.what_stands
    return _ignores(what) if isinstance(what, b.Ignores) else _effect(what)


_ON = {
    "rolled": N_("one or more dice"),
    "die": N_("a die"),
    "result": N_("a result of {range}"),
    "natural": N_("a natural result of {range}"),
    "highest": N_("a die's highest natural result"),
}
_FLIPS = {
    "won": N_("whenever a coin flip is won ({whose})"),
    "lost": N_("whenever a coin flip is lost ({whose})"),
}
_ROLLS_OF = {"you": N_("their own"), "opponents": N_("opponents'"), "any": N_("any player's")}
_WHENEVER = {
    "you": N_("whenever {controller} rolls {on}"),
    "opponents": N_("whenever an opponent of {controller} rolls {on}"),
    "any": N_("whenever a player rolls {on}"),
}


# --- a roll -----------------------------------------------------------------------------------------------------------


def notes(game: Game, number: int) -> tuple[Message, ...]:
    """Return a roll's result, and the actions still possible."""
    roll = shown_roll(game, number)
    return () if roll is None else tuple(_notes(game, roll))


def _notes(game: Game, roll: Roll) -> Iterable[Message]:
    yield from _left_standing(roll)
    yield from (Message(STILL_IGNORED, die=die) for die in still_ignored(roll.dice))
    if roll.random:
        yield Message("chosen at random: no die was rolled")
    if roll.has_outcome:
        yield from _come_to(game, roll)
    for row in roll.rows:
        if row.row:
            yield Message("die {die}: row {row}: {effect}", die=row.die, row=row.row, effect=row.effect)
        else:
            yield Message("die {die}: no row of the table; nothing happens", die=row.die)
    if roll.doubles:
        yield Message("doubles")
    for trigger, times in roll.triggered:
        text = N_("{source} ({player}) triggers") if times == 1 else N_("{source} ({player}) triggers, times: {times}")
        yield Message(text, source=trigger.source, player=trigger.controller, times=times)
    if roll.stored:
        yield Message("the results are stored on {permanent}", permanent=roll.store)
    if roll.status == "open":
        yield from _to_do(roll)


def _left_standing(roll: Roll) -> Iterable[Message]:
    """Yield the standing effects that fit but are no part of the roll."""
    for one in roll.without:
        text = N_("{source} ({controller}) is left out by {player}")
        yield Message(text, source=one.source, controller=one.controller, player=roll.player)
    for one in roll.no_room:
        text = N_("{source} ({controller}) has no room in this roll")
        yield Message(text, source=one.source, controller=one.controller)


def _come_to(game: Game, roll: Roll) -> Iterable[Message]:
    """Yield the outcome of several results together."""
    if roll.won is not None:
        yield Message("flips won: {won} of {count}", won=roll.won, count=len(roll.counted))
    elif roll.flips and len(roll.counted) > 1:
        yield Message("heads: {number}", number=roll.heads)
    results = roll.results
    if len(results) > 1:
        text = N_("total {total}, highest {highest}, lowest {lowest}")
        yield Message(text, total=sum(results), highest=max(results), lowest=min(results))
    if roll.joins is not None and results:
        yield Message("the highest total so far: {players}", players=_list(leading(game, roll)))


def _to_do(roll: Roll) -> Iterable[Message]:
    asked = choice(roll)
    if asked is not None:
        text = N_("{player} chooses dice to ignore ({source}), so many: {count}; of {dice}")
        yield Message(text, player=roll.player, source=asked.source, count=asked.count, dice=_list(asked.of))
    for effect in roll.effects:
        if effect.answer is None:
            text = N_("effect {effect}, {source}: {what}")
            yield Message(text, effect=effect.effect, source=effect.source, what=_effect_words(effect))
    if roll.makes_again:
        yield Message("{player} rolls again", player=roll.player)
    elif roll.offers_again:
        yield Message("{player} may roll again", player=roll.player)


# --- the state as tables ----------------------------------------------------------------------------------------------


def summary(roll: Roll) -> None:
    """Return None: each die has its own result, so there is nothing to add."""


def tables(game: Game) -> tuple[Table, ...]:
    """Return the system's own part of the state."""
    permanents = for_display(game)[1]
    return (
        Table(
            Message("Effects that stand"),
            (
                Message("number"),
                Message("player"),
                Message("what it does"),
                Message("whose rolls"),
                Message("permanent"),
            ),
            [
                (one.standing, one.controller, _stands(one), Message(_ROLLS_OF[one.whose]), one.permanent or "")
                for one in game.standing
            ],
        ),
        Table(
            Message("Abilities that trigger"),
            (Message("ability"), Message("player"), Message("source"), Message("triggers")),
            [
                (t.trigger, t.controller, t.source, _whenever(t.on, t.whose, t.controller, t.range))
                for t in game.triggers
            ],
        ),
        Table(
            Message("Permanents"),
            (Message("id"), Message("name"), Message("player"), Message("stored")),
            [(key, p.name, p.controller, _stored(p)) for key, p in permanents.items()],
        ),
    )


def _whenever(on: str, whose: str, controller: str, range_: Any) -> Message:
    if on in _FLIPS:
        return Message(_FLIPS[on], whose=Message(_ROLLS_OF[whose]))
    what = Message(_ON[on], range=range_.text if range_ else "")
    return Message(_WHENEVER[whose], controller=controller, on=what)


def _stored(permanent: Permanent) -> Message:
    values = [f"{s.stored}: {s.value} (d{s.sides})" for s in permanent.stored]
    return Listed(values) if values else Message("nothing")
