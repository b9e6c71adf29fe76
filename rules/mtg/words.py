"""Magic in words: its events on one line, what a roll comes to, its part of the state as tables."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from rules.base import Event, Table, given
from rules.history import find_roll
from rules.language import N_, Listed, Message
from rules.mtg import bodies as b
from rules.mtg.ignoring import choice
from rules.mtg.outcome import shown
from rules.mtg.state import EffectState, Game, Permanent, Roll

__all__ = ["notes", "summarize", "tables"]

_FEW = 12
"""numbers and texts of a kind that a line shows"""


# --- events on one line -----------------------------------------------------------------------------------------------


def summarize(event: Event) -> Message | None:
    """What an event says, shortly; None for a type that the system does not have."""
    told: Callable[[Any], Message] | None = _SUMMARIES.get(type(event.body))
    return None if told is None else told(event.body)


def _list(items: Iterable[object]) -> Message:
    texts = [item if isinstance(item, Message) else str(item) for item in items]
    more = [Message("and {count} more", count=len(texts) - _FEW)] if len(texts) > _FEW else []
    return Listed([*texts[:_FEW], *more])


def _parts(*parts: Message | str | None) -> Message:
    return Listed([part for part in parts if part is not None], N_("; "))


def _roll(body: b.RollBody) -> Message:
    head: Message
    if not isinstance(body.again, UnsetType):
        head = Message("roll again for roll {again}", again=body.again)
    elif not isinstance(body.joins, UnsetType):
        head = Message("in the ability of roll {joins}", joins=body.joins)
    else:
        dice = _dice_words(body.dice)
        head = Message("{dice} for {source}", dice=dice, source=body.source)
    return _parts(
        head,
        *_extras(body.modifiers, body.ignores),
        _list(_effect(effect) for effect in given(body.effects, ())) if given(body.effects, ()) else None,
        None if isinstance(body.table, UnsetType) else Message("results table, rows: {rows}", rows=len(body.table)),
        _said(N_("use: {text}"), body.use),
        _said(N_("doubles: {text}"), body.doubles),
        _said(N_("to be stored on {text}"), body.store),
    )


def _dice_words(dice: str | UnsetType) -> Message | str:
    if isinstance(dice, UnsetType):
        return Message("no dice")
    return Message("the planar die") if dice == "planar" else dice


def _said(template: str, text: str | UnsetType) -> Message | None:
    return None if isinstance(text, UnsetType) else Message(template, text=text)


def _extras(
    modifiers: Sequence[b.Modifier] | UnsetType, ignores: Sequence[b.Ignores] | UnsetType
) -> list[Message | None]:
    """The modifiers and the ignoring of an instruction."""
    added = [Message("{amount:+d} ({source})", amount=m.amount, source=m.source) for m in given(modifiers, ())]
    going = [_ignores(rule) for rule in given(ignores, ())]
    none = Message("nothing is ignored") if ignores == () else None
    return [_list(added) if added else None, _list(going) if going else none]


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
    """What an effect does, of a body or of a state."""
    amounts = Listed([f"{amount:+d}" for amount in given(effect.amounts, ())], N_(" or "))
    words = [Message(_DOES[effect.kind], amounts=amounts, number=effect.number), Message(_SCOPES[effect.scope])]
    cost, mana_cost = given(effect.cost, None), given(effect.mana_cost, None)
    words += [Message("optional")] if effect.optional is True else []
    words += [Message("cost: {cost}", cost=cost)] if cost is not None else []
    words += [Message("mana cost: {cost}", cost=mana_cost)] if mana_cost is not None else []
    words += [Message("for this roll alone")] if effect.once is True else []
    return Listed(words)


def _reroll(body: b.RerollBody) -> Message:
    if not isinstance(body.permanent, UnsetType):
        text = N_("stored results {stored} of {permanent} ({source})")
        stored = _list(given(body.stored, ()))
        told = Message(text, stored=stored, permanent=body.permanent, source=body.source)
        return _parts(told, *_extras(body.modifiers, body.ignores))
    text = N_("roll {roll}: effect {effect} rerolls {dice}")
    told = Message(text, roll=body.roll, effect=body.effect, dice=_dice(body.dice))
    return _parts(told, *_paid(body))


def _dice(dice: Sequence[int] | UnsetType) -> Message:
    if isinstance(dice, UnsetType):
        return Message("every die")
    return Message(N_("die {dice}") if len(dice) == 1 else N_("dice {dice}"), dice=_list(dice))


def _paid(body: b.RerollBody | b.ModifyBody) -> list[Message]:
    told = [Message("paid")] if body.paid is True else []
    if not isinstance(body.mana_abilities, UnsetType):
        abilities = _list(body.mana_abilities) if body.mana_abilities else Message("none")
        told.append(Message("mana abilities: {abilities}", abilities=abilities))
    return told


def _modify(body: b.ModifyBody) -> Message:
    if body.choice == "decline":
        return Message("roll {roll}: effect {effect} is declined", roll=body.roll, effect=body.effect)
    text = N_("roll {roll}: effect {effect} is applied to {dice}")
    told = Message(text, roll=body.roll, effect=body.effect, dice=_dice(body.dice))
    amount = None if isinstance(body.amount, UnsetType) else f"{body.amount:+d}"
    return _parts(told, amount, *_paid(body))


def _ignore(body: b.IgnoreBody) -> Message:
    return Message("roll {roll}: {dice}", roll=body.roll, dice=_dice(body.dice))


def _resolve(body: b.ResolveBody) -> Message:
    doubles = None if body.doubles is UNSET else Message("doubles") if body.doubles else Message("no doubles")
    return _parts(
        Message("roll {roll}", roll=body.roll),
        None if isinstance(body.results, UnsetType) else Message("results {results}", results=_list(body.results)),
        None if isinstance(body.rows, UnsetType) else Message("rows {rows}", rows=_list(body.rows)),
        doubles,
        Message("does not roll again") if body.again is False else None,
    )


def _declared_effect(body: b.DeclareEffect) -> Message:
    return Message("roll {roll}: a further effect, {effect}", roll=body.roll, effect=_effect(body.effect))


_ON = {
    "rolled": N_("one or more dice"),
    "die": N_("a die"),
    "result": N_("a result of {range}"),
    "natural": N_("a natural result of {range}"),
    "highest": N_("a die's highest natural result"),
}
_WHENEVER = {
    "you": N_("whenever {controller} rolls {on}"),
    "opponents": N_("whenever an opponent of {controller} rolls {on}"),
    "any": N_("whenever a player rolls {on}"),
}


def _declared_trigger(body: b.DeclareTrigger) -> Message:
    on = Message(_ON[body.on], range=given(body.range, ""))
    when = Message(_WHOSE_OF_AUTHOR[body.whose], on=on)
    return Message("{source}: {when}", source=body.source, when=when)


_WHOSE_OF_AUTHOR = {
    "you": N_("whenever you roll {on}"),
    "opponents": N_("whenever an opponent rolls {on}"),
    "any": N_("whenever a player rolls {on}"),
}


def _declared_permanent(body: b.DeclarePermanent) -> Message:
    return Message("{permanent} stores results: {name}", permanent=body.permanent, name=body.name)


def _gone(body: b.DeclareGone) -> Message:
    return Message("{permanent} is gone", permanent=body.permanent)


def _ends(body: b.DeclareEnds) -> Message:
    if isinstance(body.trigger, UnsetType):
        return Message("roll {roll}: effect {effect} has ended", roll=body.roll, effect=body.effect)
    return Message("ability {trigger} has ended", trigger=body.trigger)


_SUMMARIES: dict[type, Callable[[Any], Message]] = {
    b.RollBody: _roll,
    b.RerollBody: _reroll,
    b.ModifyBody: _modify,
    b.IgnoreBody: _ignore,
    b.ResolveBody: _resolve,
    b.DeclareEffect: _declared_effect,
    b.DeclareTrigger: _declared_trigger,
    b.DeclarePermanent: _declared_permanent,
    b.DeclareGone: _gone,
    b.DeclareEnds: _ends,
}


# --- what a roll comes to ---------------------------------------------------------------------------------------------


def notes(game: Game, number: int) -> tuple[Message, ...]:
    """What a roll comes to, and what can still be done to it."""
    roll = find_roll(game.settled, shown(game)[0], number)
    return () if roll is None else tuple(_notes(roll))


def _notes(roll: Roll) -> Iterable[Message]:
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


def tables(game: Game) -> tuple[Table, ...]:
    """Magic's own part of the state."""
    permanents = shown(game)[1]
    return (
        Table(
            Message("Abilities that trigger"),
            (Message("ability"), Message("player"), Message("source"), Message("triggers")),
            [
                (t.trigger, t.controller, t.source, _whenever(t.on, t.whose, t.controller, t.range))
                for t in game.triggers
            ],
        ),
        Table(
            Message("Permanents with stored results"),
            (Message("id"), Message("name"), Message("player"), Message("stored")),
            [(key, p.name, p.controller, _stored(p)) for key, p in permanents.items()],
        ),
    )


def _whenever(on: str, whose: str, controller: str, range_: Any) -> Message:
    what = Message(_ON[on], range=range_.text if range_ else "")
    return Message(_WHENEVER[whose], controller=controller, on=what)


def _stored(permanent: Permanent) -> Message:
    told = [f"{s.stored}: {s.value} (d{s.sides})" for s in permanent.stored]
    return Listed(told) if told else Message("nothing")
