"""Magic 706: what is done with a roll until it is resolved, and what is declared (specs/mtg.md, "Clauses").

The course of a roll: ignore (706.6) → rerolls, then adjustments (706.2b) → store (706.8) → resolve.
"""

from collections.abc import Callable, Iterable

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.base import Event, given
from rules.language import N_
from rules.mtg import bodies as b
from rules.mtg.checks import (
    answer,
    answerable,
    check_ignored,
    check_nothing_open,
    check_paid,
    new_effects,
    outcome,
    own_permanent,
    tallied,
    targets,
    with_die,
    with_permanent,
)
from rules.mtg.state import (
    Adjusted,
    Demand,
    Die,
    EffectState,
    Game,
    Owed,
    Permanent,
    Roll,
    StoredResult,
    Trigger,
)
from rules.mtg.table import parse_range
from rules.shared import check_roller, check_room, find_die, keep_roll, open_roll, refuse

_NOT_THE = {
    frozenset({"lowest"}): N_("die {die} shows {result}; only a die that is the lowest can be ignored"),
    frozenset({"highest"}): N_("die {die} shows {result}; only a die that is the highest can be ignored"),
    frozenset({"lowest", "highest"}): N_(
        "die {die} shows {result}; only a die that is the highest or lowest can be ignored"
    ),
}


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
            return _resolve_trigger(game, event.author, number)
        case b.ResolveBody() as body:
            return _resolve(game, event.author, body)
        case body:
            return _declare(game, event.author, body)


def _ignore(game: Game, author: str, body: b.IgnoreBody) -> Game:
    roll = open_roll(game.open, body.roll, "706.3b")
    check_roller(roll, author, "706.6")
    if not body.dice:
        refuse("706.6", "say which dice are ignored")
    for number in body.dice:
        roll = _ignore_one(roll, number)
    return tallied(replace(game, open=roll), author, ignored=len(body.dice))


def _ignore_one(roll: Roll, number: int) -> Roll:
    die = find_die(roll.dice, number, "706.6")
    if not die.counted:
        refuse("706.6", "die {die} is ignored already", die=number)
    if not roll.demands:
        refuse("706.6", "nothing tells {player} to ignore die {die}", player=roll.player, die=number)
    demand = next((d for d in _specific_first(roll.demands) if _meets(roll, die, d)), None)
    if demand is None:
        text = _NOT_THE[frozenset(d.which for d in roll.demands)]
        refuse("706.6", text, die=number, result=die.result)
    demands = list(roll.demands)
    position = next(i for i, d in enumerate(demands) if d is demand)
    demands[position : position + 1] = [replace(demand, count=demand.count - 1)] if demand.count > 1 else []
    dice = with_die(roll, replace(die, status="ignored"))
    left = tuple(demands) if any(d.counted for d in dice) else ()
    return replace(roll, dice=dice, demands=left)


def _specific_first(demands: tuple[Demand, ...]) -> list[Demand]:
    return sorted(demands, key=lambda demand: demand.which == "any")


def _meets(roll: Roll, die: Die, demand: Demand) -> bool:
    if demand.which == "any":
        return True
    extreme: Callable[[Iterable[int]], int] = min if demand.which == "lowest" else max
    return die.result == extreme(d.result for d in roll.counted if d.result is not None)


def _modify(game: Game, author: str, body: b.ModifyBody) -> Game:
    roll = open_roll(game.open, body.roll, "706.3b")
    effect = answerable(roll, author, body.effect)
    if body.choice == "decline":
        if not effect.declinable:
            text = N_("effect {effect} ({source}) is not optional and has no cost: it must be applied")
            refuse("706.2a", text, effect=effect.effect, source=effect.source)
        return replace(game, open=answer(roll, effect.effect, "declined"))
    if effect.kind != "adjust":
        refuse("706.2b", "effect {effect} is a reroll: use reroll", effect=effect.effect)
    dice = targets(roll, effect, given(body.dice, None))
    for other in roll.unanswered:
        if other.kind == "reroll" and set(roll.applicable(other)) & set(dice):
            text = N_("rerolls come first: apply or decline effect {effect} ({source}) before any increase or decrease")
            refuse("706.2b", text, effect=other.effect, source=other.source)
    amount = _amount(effect, given(body.amount, None))
    check_paid(effect, body.paid is True, body.mana_abilities is not UNSET)
    for number in dice:
        die = roll.dice[number - 1]
        assert die.result is not None
        step = Adjusted(amount, effect.source)
        roll = replace(roll, dice=with_die(roll, replace(die, result=die.result + amount, steps=(*die.steps, step))))
    return replace(game, open=answer(roll, effect.effect, "applied"))


def _amount(effect: EffectState, chosen: int | None) -> int:
    if chosen is None and len(effect.amounts) == 1:
        return effect.amounts[0]
    if chosen not in effect.amounts or chosen is None:
        amounts = ", ".join(f"{a:+d}" for a in effect.amounts)
        refuse("706.2b", "effect {effect} offers {amounts}: choose one of them", effect=effect.effect, amounts=amounts)
    return chosen


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
    return with_permanent(replace(game, open=replace(roll, stored=True)), roll.store, permanent)


def _resolve(game: Game, author: str, body: b.ResolveBody) -> Game:
    assert not isinstance(body.roll, UnsetType)
    roll = open_roll(game.open, body.roll, "706.3b")
    check_roller(roll, author, "706.3b")
    check_ignored(roll)
    _check_answered(roll)
    if roll.store is not None and not roll.stored:
        refuse("706.8a", "the results of roll {roll} are still to be stored", roll=roll.roll)
    roll = outcome(replace(roll, status="resolved"))
    _check_claims(roll, body)
    again = _takes_again(roll, given(body.again, None))
    owed = _owed(game, roll)
    if roll.counted:
        game = tallied(game, author, rolls=1)
    return replace(
        game,
        open=None,
        settled=keep_roll(game.settled, roll),
        again=roll if again else None,
        owed=game.owed + owed,
        last_owed=game.last_owed + len(owed),
    )


def _takes_again(roll: Roll, announced: bool | None) -> bool:
    """Whether the table makes, or lets, the player roll again (706.3c)."""
    rows = [roll.table[row.row - 1] for row in roll.rows if row.row]
    must = any(row.again and not row.optional for row in rows)
    may = any(row.optional for row in rows)
    if must and announced is False:
        refuse("706.3c", "the table says “Roll again.”: this cannot be declined")
    if may and not must and announced is None:
        refuse("706.3c", "the table says “You may roll again.”: say whether {player} does", player=roll.player)
    if announced and not (must or may):
        refuse("706.3c", "no row of these results says “Roll again.”")
    return must or bool(announced)


def _check_claims(roll: Roll, body: b.ResolveBody) -> None:
    """What was announced is what the dice say."""
    if roll.planar and (body.results is not UNSET or body.rows is not UNSET or body.doubles is True):
        refuse("706.7", "the planar die has no number: there is no result, row or double to announce")
    results = [die.result for die in roll.counted]
    if given(body.results, tuple(results)) != tuple(results):
        text = N_("the results are {expected}, not {actual}")
        refuse("706.2", text, expected=results, actual=list(given(body.results, ())))
    rows = [row.row for row in roll.rows] or [0] * len(results)
    if given(body.rows, tuple(rows)) != tuple(rows):
        text = N_("the results {results} are in rows {expected}, not {actual}")
        refuse("706.3a", text, results=results, expected=rows, actual=list(given(body.rows, ())))
    if given(body.doubles, roll.doubles) != roll.doubles:
        yes, no = N_("the results {results} are doubles"), N_("the results {results} are no doubles")
        refuse("706.5", yes if roll.doubles else no, results=results)


def _owed(game: Game, roll: Roll) -> tuple[Owed, ...]:
    """The triggers that a resolved roll sets off, once for the instruction or for each die (706.6, 706.7)."""
    owed: list[Owed] = []
    for trigger in game.triggers:
        own = trigger.controller == roll.player
        if trigger.whose != "any" and own != (trigger.whose == "you"):
            continue
        dice: list[int | None]
        if trigger.on == "rolled":
            dice = [None] if roll.counted else []
        else:
            assert trigger.range is not None
            numbers = [die for die in roll.counted if not die.planar]
            shown = [(die, die.natural if trigger.on == "natural" else die.result) for die in numbers]
            dice = [die.die for die, number in shown if number is not None and number in trigger.range]
        for die in dice:
            owed.append(Owed(game.last_owed + len(owed) + 1, trigger.controller, trigger.source, roll.roll, die))
    return tuple(owed)


def _resolve_trigger(game: Game, author: str, number: int) -> Game:
    check_nothing_open(game)
    owed = next((o for o in game.owed if o.owed == number), None)
    if owed is None or owed.controller != author:
        refuse("706.6", "{author} has no triggered ability {number} to resolve", author=author, number=number)
    return replace(game, owed=tuple(o for o in game.owed if o is not owed))


def _declare(game: Game, author: str, body: object) -> Game:
    if isinstance(body, b.DeclareEffect):
        roll = open_roll(game.open, body.roll, "706.3b")
        if roll.stored:
            refuse("706.8a", "the results of roll {roll} are stored already: too late for an effect", roll=roll.roll)
        check_room(len(roll.effects), "706.2")
        effects = new_effects(game, author, (body.effect,), len(roll.effects) + 1)
        return replace(game, open=replace(roll, effects=roll.effects + effects))
    check_nothing_open(game)
    match body:
        case b.DeclareTrigger():
            check_room(len(game.triggers), "706.6")
            number = game.last_trigger + 1
            range_ = None if isinstance(body.range, UnsetType) else parse_range(body.range)
            trigger = Trigger(number, author, body.source, body.on, range_, body.whose)
            return replace(game, triggers=(*game.triggers, trigger), last_trigger=number)
        case b.DeclareEnds(trigger=number):
            gone = next((t for t in game.triggers if t.trigger == number), None)
            if gone is None or gone.controller != author:
                refuse("706.6", "{author} has no triggered ability {number}", author=author, number=number)
            return replace(game, triggers=tuple(t for t in game.triggers if t is not gone))
        case b.DeclarePermanent(permanent=permanent, name=name):
            check_room(len(game.permanents), "706.8")
            if permanent in game.permanents:
                refuse("706.8", "there is a permanent {permanent} already: choose another id", permanent=permanent)
            return with_permanent(game, permanent, Permanent(name, author))
        case b.DeclareGone(permanent=permanent):
            own_permanent(game, author, permanent, "706.8")
            return replace(game, permanents={k: v for k, v in game.permanents.items() if k != permanent})
        case _:
            raise TypeError(f"no such declaration: {body!r}")
