"""Magic 706: what is done with a roll until it is resolved, and what is declared (specs/mtg.md, "Clauses").

The course of a roll: ignore (706.6) → rerolls, then adjustments (706.2b) → store (706.8) → resolve.
"""

from collections.abc import Iterable

from msgspec import UNSET
from msgspec.structs import replace

from rules.base import Event, given
from rules.history import keep_roll, replaced
from rules.language import N_, Message
from rules.mtg import bodies as b
from rules.mtg import triggers
from rules.mtg.checks import (
    answer,
    answerable,
    check_ignored,
    check_nothing_open,
    check_paid,
    listed_effect,
    new_effects,
    outcome,
    own_permanent,
    stores,
    tallied,
    targets,
    with_dice,
    with_permanent,
)
from rules.mtg.ignoring import ignored
from rules.mtg.state import Adjusted, Die, Done, EffectState, Game, Permanent, Roll, StoredResult
from rules.shared import Exchanged, check_roller, check_room, open_roll, refuse


def act(game: Game, event: Event) -> Game:
    """Take an ignore, modify, store, resolve or declare."""
    match event.body:
        case b.IgnoreBody() as body:
            return _ignore(game, event.author, body)
        case b.ModifyBody() as body:
            return _modify(game, event.author, body)
        case b.StoreBody() as body:
            return _store(game, event.author, body)
        case b.ResolveBody(trigger=int(number)):
            return triggers.resolve(game, event.author, number)
        case b.ResolveBody(roll=int(number)) as body:
            return _resolve(game, event.author, number, body)
        case body:
            return _declare(game, event.author, body)


def _ignore(game: Game, author: str, body: b.IgnoreBody) -> Game:
    roll = open_roll(game.open, body.roll, "706.3b")
    check_roller(roll, author, "706.6")
    if not body.dice:
        refuse("706.6", "say which dice are ignored")
    return tallied(replace(game, open=ignored(roll, body.dice)), author, ignored=len(body.dice))


def _modify(game: Game, author: str, body: b.ModifyBody) -> Game:
    roll = open_roll(game.open, body.roll, "706.3b")
    effect = answerable(roll, author, body.effect)
    if body.choice == "decline":
        if not effect.declinable:
            text = N_("effect {effect} ({source}) is not optional and has no cost: it must be applied")
            refuse("706.2a", text, effect=effect.effect, source=effect.source)
        return replace(game, open=answer(roll, effect.effect, "declined"))
    if effect.kind == "reroll":
        refuse("706.2b", "effect {effect} is a reroll: use reroll", effect=effect.effect)
    dice = targets(roll, effect, given(body.dice, None))
    _check_first(roll, effect, dice)
    amount = _amount(effect, given(body.amount, None))
    check_paid(effect, body.paid is True, body.mana_abilities is not UNSET)
    chosen, adjusted = set(dice), Adjusted(amount, effect.source)
    changed = [_changed(die, effect, amount, adjusted) for die in roll.counted if die.die in chosen]
    return replace(game, open=answer(with_dice(roll, changed), effect.effect, "applied", dice))


_FIRST = {
    "reroll": N_("rerolls come first: apply or decline effect {effect} ({source}) before any increase or decrease"),
    "adjust": N_("an exchange comes last: before it, effect {effect} ({source}) is applied or declined"),
}


def _check_first(roll: Roll, effect: EffectState, dice: tuple[int, ...]) -> None:
    """Raises Violation 706.2b where another effect comes first for one of these dice: rerolls before adjustments,
    both before an exchange, which is of the result.
    """
    before = ("reroll",) if effect.kind == "adjust" else ("reroll", "adjust")
    for other in roll.unanswered:
        if other.kind in before and not set(dice).isdisjoint(roll.applicable(other)):
            text = _FIRST["adjust" if effect.kind == "exchange" else "reroll"]
            refuse("706.2b", text, effect=other.effect, source=other.source)


def _amount(effect: EffectState, chosen: int | None) -> int:
    """What is added, or what a result is exchanged with."""
    if effect.number is not None:
        if chosen is not None:
            refuse("706.2b", "effect {effect} is an exchange: it has no amount to choose", effect=effect.effect)
        return effect.number
    if chosen is None and len(effect.amounts) == 1:
        return effect.amounts[0]
    if chosen is None or chosen not in effect.amounts:
        amounts = ", ".join(f"{a:+d}" for a in effect.amounts)
        refuse("706.2b", "effect {effect} offers {amounts}: choose one of them", effect=effect.effect, amounts=amounts)
    return chosen


def _changed(die: Die, effect: EffectState, amount: int, adjusted: Adjusted) -> Die:
    """The die after an adjustment, the step `adjusted`, or an exchange."""
    old = die.result or 0  # no effect of these kinds applies to a die without a number
    if effect.kind == "exchange":
        return replace(die, result=amount, steps=(*die.steps, Exchanged(old, amount, effect.source)))
    return replace(die, result=old + amount, steps=(*die.steps, adjusted))


def _check_answered(roll: Roll) -> None:
    for effect in roll.unanswered:
        if effect.declinable:
            text = N_("effect {effect} ({source}) is still to be applied or declined")
            refuse("706.2a", text, effect=effect.effect, source=effect.source)
        text = N_("effect {effect} ({source}) is still to be applied")
        refuse("706.2", text, effect=effect.effect, source=effect.source)


def _store(game: Game, author: str, body: b.StoreBody) -> Game:
    roll = open_roll(game.open, body.roll, "706.3b")
    check_roller(roll, author, "706.8a")
    check_ignored(roll)
    if roll.store is None:
        refuse("706.8a", "roll {roll} is not to be stored", roll=roll.roll)
    if roll.store != body.permanent:
        text = N_("roll {roll} belongs to {permanent}: its results are stored there")
        refuse("706.8c", text, roll=roll.roll, permanent=roll.store)
    if roll.stored:
        refuse("706.8a", "the results of roll {roll} are stored already", roll=roll.roll)
    if roll.unanswered:
        effect = roll.unanswered[0]
        text = N_("effect {effect} ({source}) is still to be applied or declined: results are stored after that")
        refuse("706.8a", text, effect=effect.effect, source=effect.source)
    permanent = own_permanent(game, author, roll.store, "706.8")
    new = tuple(
        StoredResult(number, die.sides, die.result, roll.roll, die.die)
        for number, die in enumerate(roll.counted, permanent.last + 1)
        if die.result is not None
    )
    permanent = replace(permanent, stored=permanent.stored + new, last=permanent.last + len(new))
    done = Done("stored", tuple(s.die for s in new), results=tuple(s.value for s in new))
    return with_permanent(
        replace(game, open=replace(roll, stored=True, course=(*roll.course, done))), roll.store, permanent
    )


def _resolve(game: Game, author: str, number: int, body: b.ResolveBody) -> Game:
    if game.open is None and game.offered is not None and game.offered.roll == number:
        return _answer_offer(game, game.offered, author, body)
    roll = open_roll(game.open, number, "706.3b")
    check_roller(roll, author, "706.3b")
    check_ignored(roll)
    _check_answered(roll)
    if stores(game, roll) and not roll.stored:
        refuse("706.8a", "the results of roll {roll} are still to be stored", roll=roll.roll)
    roll = outcome(replace(roll, status="resolved", last_trigger=game.last_trigger))
    _check_claims(roll, body)
    announced = given(body.again, None)
    _check_again(roll, announced)
    roll = replace(roll, announced=announced)
    if roll.counted:
        game = tallied(game, author, rolls=1)
    again = roll if roll.makes_again or (roll.offers_again and announced) else None
    game = replace(game, open=None, settled=keep_roll(game.settled, roll), again=again)
    return triggers.set_off(game, roll)


def _answer_offer(game: Game, roll: Roll, author: str, body: b.ResolveBody) -> Game:
    """A “You may roll again.” that a judge's correction has offered is taken or declined (706.3c)."""
    check_roller(roll, author, "706.3b")
    _check_claims(roll, body)
    announced = given(body.again, None)
    _check_again(roll, announced)
    answered = replace(roll, announced=announced)
    settled = replaced(game.settled, roll, answered)
    return replace(game, settled=settled, again=answered if announced else None)


def _check_again(roll: Roll, announced: bool | None) -> None:
    """Raises Violation 706.3c where what is said about rolling again is not what the table says."""
    if roll.makes_again and announced is False:
        refuse("706.3c", "the table says “Roll again.”: this cannot be declined")
    if roll.offers_again and not roll.makes_again and announced is None:
        refuse("706.3c", "the table says “You may roll again.”: say whether {player} does", player=roll.player)
    if announced and not (roll.makes_again or roll.offers_again):
        refuse("706.3c", "no row of these results says “Roll again.”")


def _check_claims(roll: Roll, body: b.ResolveBody) -> None:
    """What was announced is what the dice say."""
    if roll.planar and (body.results is not UNSET or body.rows is not UNSET or body.doubles is True):
        refuse("706.7", "the planar die has no number: there is no result, row or double to announce")
    results = [die.result for die in roll.counted]
    if given(body.results, tuple(results)) != tuple(results):
        text = N_("the results are {expected}, not {actual}")
        refuse("706.2", text, expected=_list(results), actual=_list(given(body.results, ())))
    rows = [row.row for row in roll.rows] or [0] * len(results)
    if given(body.rows, tuple(rows)) != tuple(rows):
        text = N_("rows of the results {results}: {expected}, not {actual}")
        claimed = _list(given(body.rows, ()))
        refuse("706.3a", text, results=_list(results), expected=_list(rows), actual=claimed)
    if given(body.doubles, roll.doubles) != roll.doubles:
        yes, no = N_("the results {results} are doubles"), N_("the results {results} are no doubles")
        refuse("706.5", yes if roll.doubles else no, results=_list(results))


def _list(numbers: Iterable[int | None]) -> str | Message:
    """`3, 5`; `none`."""
    return ", ".join(map(str, numbers)) or Message("none")


def _declare(game: Game, author: str, body: object) -> Game:
    match body:
        case b.DeclareEffect():
            return _declare_effect(game, author, body)
        case b.DeclareEnds(roll=int(roll), effect=int(effect)):
            return _end_effect(game, author, roll, effect)
        case b.DeclareGone(permanent=permanent):
            own_permanent(game, author, permanent, "706.8")
            return replace(game, permanents={k: v for k, v in game.permanents.items() if k != permanent})
    check_nothing_open(game)
    match body:
        case b.DeclareTrigger():
            return triggers.declare(game, author, body)
        case b.DeclareEnds(trigger=int(number)):
            return triggers.ends(game, author, number)
        case b.DeclarePermanent(permanent=permanent, name=name):
            text = N_("there are {most} permanents that can store results already, and there can be no more")
            check_room(len(game.permanents), "706.8", text)
            if permanent in game.permanents:
                refuse("706.8", "there is a permanent {permanent} already: choose another id", permanent=permanent)
            return with_permanent(game, permanent, Permanent(name, author))
        case _:
            raise TypeError(f"no such declaration: {body!r}")


def _declare_effect(game: Game, author: str, body: b.DeclareEffect) -> Game:
    roll = open_roll(game.open, body.roll, "706.3b")
    if roll.stored:
        refuse("706.8a", "the results of roll {roll} are stored already: too late for an effect", roll=roll.roll)
    text = N_("this roll has {most} effects already, and there can be no more")
    check_room(len(roll.effects), "706.2", text)
    effects = new_effects(game, author, (body.effect,), len(roll.effects) + 1)
    return replace(game, open=replace(roll, effects=roll.effects + effects))


def _end_effect(game: Game, author: str, number: int, effect: int) -> Game:
    roll = open_roll(game.open, number, "706.3b")
    ended = listed_effect(roll, effect, author)
    return replace(game, open=answer(roll, ended.effect, "ended"))
