"""Magic 706, event by event (specs/mtg.md, "Clauses"). Pure: a Game and an event in, a new Game or a Violation out.

The course of a roll: `request` → `reveal` → ignore (706.6) → rerolls, then adjustments (706.2b) → store (706.8) → resolve.
"""

from collections.abc import Callable, Iterable

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.base import Event, Ruling, Violation, check_dice_count, given, keep
from rules.dice import DiceNotationError, parse
from rules.mtg import bodies as b
from rules.mtg.state import (
    PLANAR,
    Adjusted,
    Demand,
    Die,
    EffectState,
    Game,
    Owed,
    PendingReroll,
    PendingStored,
    Permanent,
    Rerolled,
    Roll,
    RowResult,
    StoredResult,
    TableRow,
    Trigger,
)
from rules.mtg.table import check_order, parse_range
from rules.shared import RuledStep, check_room, refuse, replaced

PLANAR_SIDES = 6


# --- requests ------------------------------------------------------------------------------------------------------


def request(game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
    """Take a roll or reroll; also the sides of the dice to draw."""
    match event.body:
        case b.RollBody() as body:
            game = replace(game, open=_new_roll(game, event, body))
            assert game.open is not None
            return game, game.open.sides
        case b.RerollBody(permanent=str()) as body:
            return _request_stored(game, event, body)
        case b.RerollBody() as body:
            return _request_reroll(game, event, body)
        case body:
            raise TypeError(f"{event.type} has no body {body!r}")


def _new_roll(game: Game, event: Event, body: b.RollBody) -> Roll:
    if not isinstance(body.again, UnsetType):
        body = _repeated(game, event, body, body.again)
        again = game.again.roll if game.again else None
    else:
        _check_nothing_open(game)
        again = None
    if isinstance(body.dice, UnsetType):
        refuse("706.1", "a roll says what kind of dice and how many, for example 1d20")
    table = _table(body)
    demands = tuple(Demand(i.which, i.count) for i in given(body.ignores, ()))
    called = _called(game, body, body.dice)
    extra = sum(i.extra for i in given(body.ignores, ()))
    if extra and len(set(called)) > 1:
        refuse("706.1", "extra dice can only be added to dice of one kind")
    if body.doubles is not UNSET and len(called) != 2:
        refuse("706.5", "doubles need an instruction to roll exactly two dice")
    if not table and body.use is UNSET and body.store is UNSET and body.dice != PLANAR:
        refuse("706.4", "a roll without a results table says how its results are used")
    if not isinstance(body.store, UnsetType):
        _own_permanent(game, event.author, body.store, "706.8")
    check_dice_count(len(called) + extra, "706.1")
    return Roll(
        roll=event.seq,
        player=event.author,
        source=body.source,
        notation=body.dice,
        instruction=body,
        sides=called + called[:1] * extra,
        effects=_effects(game, event.author, given(body.effects, ())),
        demands=demands,
        table=table,
        again=again,
        store=given(body.store, None),
    )


def _repeated(game: Game, event: Event, body: b.RollBody, again: int) -> b.RollBody:
    """The instruction of a “Roll again.” (706.3c)."""
    first = game.again
    if game.open is not None or first is None or first.roll != again or first.player != event.author:
        refuse("706.3c", "{author} owes no roll again for roll {roll}", author=event.author, roll=again)
    for member in ("effects", "ignores", "table", "use", "doubles", "store"):
        if getattr(body, member) is not UNSET:
            refuse("706.3c", "a roll again repeats the first roll: leave out {member}", member=member)
    told = first.instruction
    if not isinstance(body.dice, UnsetType) and not _same_dice(body.dice, told.dice):
        refuse("706.3c", "a roll again uses the dice of the first: {dice}", dice=told.dice)
    if body.modifiers is not UNSET and given(body.modifiers, ()) != given(told.modifiers, ()):
        refuse("706.3c", "a roll again has the modifiers of the first roll")
    return replace(told, source=body.source)


def _same_dice(restated: str, told: str | UnsetType) -> bool:
    try:
        return restated == told or parse(restated) == parse(str(told))
    except DiceNotationError:
        return False


def _called(game: Game, body: b.RollBody, dice: str) -> tuple[int, ...]:
    """The sides of the dice that the instruction calls for, before extra ones."""
    if dice != PLANAR:
        try:
            return parse(dice)
        except DiceNotationError as error:
            refuse("706.1a", "{error}", error=error)
    if not game.planechase:
        refuse("706.7", "the planar die is rolled in Planechase games only; this game is none")
    for member in ("modifiers", "table", "doubles", "store"):
        if getattr(body, member) is not UNSET:
            refuse("706.7", "the planar die has no number: {member} cannot concern it", member=member)
    if any(i.which != "any" for i in given(body.ignores, ())):
        refuse("706.7", "the planar die has no number: it is neither the lowest nor the highest")
    return (PLANAR_SIDES,)


def _table(body: b.RollBody) -> tuple[TableRow, ...]:
    rows = tuple(TableRow(parse_range(row.range), row.effect, row.again is True) for row in given(body.table, ()))
    check_order([row.range for row in rows])
    return rows


def _effects(game: Game, author: str, effects: Iterable[b.Effect], first: int = 1) -> tuple[EffectState, ...]:
    states = []
    for number, effect in enumerate(effects, first):
        controller = given(effect.controller, author)
        if controller not in game.players:
            refuse("706.2b", "{controller} is no player of this game, so controls no effect", controller=controller)
        states.append(
            EffectState(
                effect=number,
                source=effect.source,
                controller=controller,
                kind=effect.kind,
                amounts=given(effect.amounts, ()),
                scope=effect.scope,
                optional=effect.optional is True,
                cost=given(effect.cost, None),
                mana_cost=given(effect.mana_cost, None),
            )
        )
    return tuple(states)


def _request_reroll(game: Game, event: Event, body: b.RerollBody) -> tuple[Game, tuple[int, ...]]:
    assert not isinstance(body.roll, UnsetType) and not isinstance(body.effect, UnsetType)
    roll = _open_roll(game, body.roll)
    effect = _answerable(roll, event.author, body.effect)
    if effect.kind != "reroll":
        refuse("706.2b", "effect {effect} ({source}) does not reroll", effect=effect.effect, source=effect.source)
    dice = _targets(roll, effect, given(body.dice, ()))
    _check_paid(effect, body.paid is True, body.mana_abilities is not UNSET)
    return replace(game, pending=PendingReroll(effect.effect, dice)), tuple(roll.dice[n - 1].sides for n in dice)


def _request_stored(game: Game, event: Event, body: b.RerollBody) -> tuple[Game, tuple[int, ...]]:
    assert not isinstance(body.permanent, UnsetType) and not isinstance(body.source, UnsetType)
    numbers = given(body.stored, ())
    _check_nothing_open(game)
    if given(body.by, body.permanent) != body.permanent:
        text = "only an ability of {permanent} itself rerolls the results stored on it"
        refuse("706.8c", text, permanent=body.permanent)
    permanent = _own_permanent(game, event.author, body.permanent, "706.8b")
    stored = {s.stored: s for s in permanent.stored}
    if not numbers or len(set(numbers)) != len(numbers):
        refuse("706.8b", "a reroll of stored results names one or more of them, each once")
    for number in numbers:
        if number not in stored:
            text = "{permanent} has no stored result {number}"
            refuse("706.8b", text, permanent=body.permanent, number=number)
    sides = tuple(stored[number].sides for number in numbers)
    notation = "+".join(f"1d{n}" for n in sides)
    roll = Roll(
        roll=event.seq,
        player=event.author,
        source=body.source,
        notation=notation,
        instruction=b.RollBody(source=body.source, dice=notation, store=body.permanent),
        sides=sides,
        store=body.permanent,
        rerolls=body.permanent,
    )
    return replace(game, open=roll, pending=PendingStored(body.permanent, numbers)), sides


# --- dice ----------------------------------------------------------------------------------------------------------


def reveal(game: Game, naturals: tuple[int, ...]) -> Game:
    """The pending request's dice show these naturals."""
    roll = game.open
    assert roll is not None, "no request is pending"
    if isinstance(game.pending, PendingReroll):
        return _rerolled(game, roll, game.pending, naturals)
    game = _count(game, roll.player, dice=len(naturals))
    dice = tuple(
        Die(number, sides, roll.planar, (natural,), None if roll.planar else natural + roll.modifier)
        for number, (sides, natural) in enumerate(zip(roll.sides, naturals, strict=True), 1)
    )
    if isinstance(game.pending, PendingStored):
        permanent = game.permanents[game.pending.permanent]
        left = tuple(s for s in permanent.stored if s.stored not in game.pending.stored)
        game = _with_permanent(game, game.pending.permanent, replace(permanent, stored=left))
        game = _count(game, roll.player, rerolled=len(naturals))
    again = None if roll.again is not None else game.again
    return replace(game, open=replace(roll, status="open", dice=dice), pending=None, again=again)


def _rerolled(game: Game, roll: Roll, pending: PendingReroll, naturals: tuple[int, ...]) -> Game:
    source = roll.effects[pending.effect - 1].source
    dice = list(roll.dice)
    for number, natural in zip(pending.dice, naturals, strict=True):
        die = dice[number - 1]
        dice[number - 1] = replace(
            die,
            naturals=(*die.naturals, natural),
            result=None if die.planar else natural + roll.modifier,
            steps=(*die.steps, Rerolled(die.natural, source)),
        )
    roll = _answer(replace(roll, dice=tuple(dice)), pending.effect, "applied")
    game = _count(game, roll.player, dice=len(naturals), rerolled=len(naturals))
    return replace(game, open=roll, pending=None)


def void(game: Game) -> Game:
    """The pending request draws nothing. A reroll of dice leaves its roll as it was; a roll is listed as void."""
    assert game.open is not None, "no request is pending"
    if isinstance(game.pending, PendingReroll):
        return replace(game, pending=None)
    return replace(game, open=None, pending=None, settled=keep(game.settled, replace(game.open, status="void")))


# --- acts ----------------------------------------------------------------------------------------------------------


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
    roll = _open_roll(game, body.roll)
    _check_roller(roll, author, "706.6", "chooses which dice are ignored")
    if not body.dice:
        refuse("706.6", "say which dice are ignored")
    for number in body.dice:
        roll = _ignore_one(roll, number)
    return _count(replace(game, open=roll), author, ignored=len(body.dice))


def _ignore_one(roll: Roll, number: int) -> Roll:
    die = _die(roll, number, "706.6")
    if not die.counted:
        refuse("706.6", "die {die} is ignored already", die=number)
    if not roll.demands:
        refuse("706.6", "nothing tells {player} to ignore die {die}", player=roll.player, die=number)
    demand = next((d for d in _specific_first(roll.demands) if _meets(roll, die, d)), None)
    if demand is None:
        raise Violation(
            "706.6",
            "die {die} shows {result}; only a die that is the {which} can be ignored",
            die=number,
            result=die.result,
            which=" or ".join(sorted({d.which for d in roll.demands})),
        )
    demands = list(roll.demands)
    position = next(i for i, d in enumerate(demands) if d is demand)
    demands[position : position + 1] = [replace(demand, count=demand.count - 1)] if demand.count > 1 else []
    dice = _with_die(roll, replace(die, status="ignored"))
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
    roll = _open_roll(game, body.roll)
    effect = _answerable(roll, author, body.effect)
    if body.choice == "decline":
        if not effect.declinable:
            text = "effect {effect} ({source}) is not optional and has no cost: it must be applied"
            refuse("706.2a", text, effect=effect.effect, source=effect.source)
        return replace(game, open=_answer(roll, effect.effect, "declined"))
    if effect.kind != "adjust":
        refuse("706.2b", "effect {effect} is a reroll: use reroll", effect=effect.effect)
    dice = _targets(roll, effect, given(body.dice, None))
    for other in roll.unanswered:
        if other.kind == "reroll" and set(roll.applicable(other)) & set(dice):
            text = "rerolls come first: apply or decline effect {effect} ({source}) before any increase or decrease"
            refuse("706.2b", text, effect=other.effect, source=other.source)
    amount = _amount(effect, given(body.amount, None))
    _check_paid(effect, body.paid is True, body.mana_abilities is not UNSET)
    for number in dice:
        die = roll.dice[number - 1]
        assert die.result is not None
        step = Adjusted(amount, effect.source)
        roll = replace(roll, dice=_with_die(roll, replace(die, result=die.result + amount, steps=(*die.steps, step))))
    return replace(game, open=_answer(roll, effect.effect, "applied"))


def _amount(effect: EffectState, chosen: int | None) -> int:
    if chosen is None and len(effect.amounts) == 1:
        return effect.amounts[0]
    if chosen not in effect.amounts or chosen is None:
        amounts = ", ".join(f"{a:+d}" for a in effect.amounts)
        refuse("706.2b", "effect {effect} offers {amounts}: choose one of them", effect=effect.effect, amounts=amounts)
    return chosen


def _answerable(roll: Roll, author: str, number: int) -> EffectState:
    """The effect, if `author` may apply or decline it now."""
    _check_roller(roll, author, "706.2b", "chooses which effect to apply")
    _check_ignored(roll)
    if not 1 <= number <= len(roll.effects):
        refuse("706.2b", "roll {roll} has no effect {effect}", roll=roll.roll, effect=number)
    effect = roll.effects[number - 1]
    if effect.answer is not None:
        refuse("706.2a", "effect {effect} has been {answer} already", effect=number, answer=effect.answer)
    return effect


def _targets(roll: Roll, effect: EffectState, chosen: tuple[int, ...] | None) -> tuple[int, ...]:
    """The dice that an effect is applied to; None stands for all, where the scope is `each`."""
    applicable = roll.applicable(effect)
    if chosen is None and effect.scope == "each":
        chosen = tuple(applicable)
    if chosen is None:
        refuse("706.2b", "say which dice effect {effect} is applied to", effect=effect.effect)
    for number in chosen:
        die = _die(roll, number, "706.2b")
        if not die.counted:
            refuse("706.6", "die {die} is ignored: no effect applies to it", die=number)
        if number not in applicable:
            if die.planar:
                refuse("706.7", "the planar die has no number: an increase or decrease does nothing to it")
            refuse("706.2b", "die {die} has been increased or decreased; rerolls come before that", die=number)
    fits = {
        "each": sorted(chosen) == applicable and bool(chosen),
        "one": len(chosen) == 1,
        "any": bool(chosen) and len(set(chosen)) == len(chosen),
    }
    if not fits[effect.scope]:
        which = {"each": "every die of the roll", "one": "exactly one die", "any": "one die or more, each once"}
        text = "effect {effect} is applied to {which}"
        refuse(
            "706.7" if roll.planar and not applicable else "706.2b",
            text,
            effect=effect.effect,
            which=which[effect.scope],
        )
    return chosen


def _check_paid(effect: EffectState, paid: bool, mana_abilities: bool) -> None:
    problem = None
    if effect.costs and not paid:
        problem = "effect {effect} has a cost ({cost}): pay it or decline"
    elif paid and not effect.costs:
        problem = "effect {effect} has no cost to pay"
    elif effect.mana_cost is not None and not mana_abilities:
        problem = "effect {effect} has a mana cost ({cost}): first comes the chance to activate mana abilities; say which, or none"
    elif mana_abilities and effect.mana_cost is None:
        problem = "effect {effect} has no mana cost, so there are no mana abilities to activate"
    if problem:
        refuse("706.2a", problem, effect=effect.effect, cost=effect.mana_cost or effect.cost)


def _check_answered(roll: Roll) -> None:
    for effect in roll.unanswered:
        if effect.declinable:
            text = "effect {effect} ({source}) is still to be applied or declined"
            refuse("706.2a", text, effect=effect.effect, source=effect.source)
        text = "effect {effect} ({source}) is still to be applied"
        refuse("706.2", text, effect=effect.effect, source=effect.source)


def _store(game: Game, author: str, body: b.StoreBody) -> Game:
    roll = _open_roll(game, body.roll)
    _check_roller(roll, author, "706.8a", "stores its results")
    _check_ignored(roll)
    if roll.store is None:
        refuse("706.8a", "roll {roll} is not to be stored", roll=roll.roll)
    if roll.store != body.permanent:
        text = "roll {roll} belongs to {permanent}: its results are stored there"
        refuse("706.8c", text, roll=roll.roll, permanent=roll.store)
    if roll.stored:
        refuse("706.8a", "the results of roll {roll} are stored already", roll=roll.roll)
    _check_answered(roll)
    permanent = _own_permanent(game, author, roll.store, "706.8")
    new = tuple(
        StoredResult(number, die.sides, die.result, roll.roll, die.die)
        for number, die in enumerate(roll.counted, permanent.last + 1)
        if die.result is not None
    )
    permanent = replace(permanent, stored=permanent.stored + new, last=permanent.last + len(new))
    return _with_permanent(replace(game, open=replace(roll, stored=True)), roll.store, permanent)


def _resolve(game: Game, author: str, body: b.ResolveBody) -> Game:
    assert not isinstance(body.roll, UnsetType)
    roll = _open_roll(game, body.roll)
    _check_roller(roll, author, "706.3b", "finishes the instruction")
    _check_ignored(roll)
    _check_answered(roll)
    if roll.store is not None and not roll.stored:
        refuse("706.8a", "the results of roll {roll} are still to be stored", roll=roll.roll)
    roll = _outcome(replace(roll, status="resolved"))
    _check_claims(roll, body)
    owed = _owed(game, roll)
    if roll.counted:
        game = _count(game, author, rolls=1)
    return replace(
        game,
        open=None,
        settled=keep(game.settled, roll),
        again=roll if any(row.row and roll.table[row.row - 1].again for row in roll.rows) else None,
        owed=game.owed + owed,
        last_owed=game.last_owed + len(owed),
    )


def _outcome(roll: Roll) -> Roll:
    """The roll with its rows (706.3a) and doubles (706.5), from the results."""
    results = [(die.die, die.result) for die in roll.counted if die.result is not None]
    rows = []
    for die, result in results if roll.table else ():
        number = next((n for n, row in enumerate(roll.table, 1) if result in row.range), 0)
        rows.append(RowResult(die, number, roll.table[number - 1].effect if number else None))
    doubles = len(results) == 2 and results[0][1] == results[1][1]
    return replace(roll, rows=tuple(rows), doubles=doubles)


def _check_claims(roll: Roll, body: b.ResolveBody) -> None:
    """What was announced is what the dice say."""
    if roll.planar and (body.results is not UNSET or body.rows is not UNSET or body.doubles is True):
        refuse("706.7", "the planar die has no number: there is no result, row or double to announce")
    results = [die.result for die in roll.counted]
    if given(body.results, tuple(results)) != tuple(results):
        text = "the results are {expected}, not {actual}"
        refuse("706.2", text, expected=results, actual=list(given(body.results, ())))
    rows = [row.row for row in roll.rows] or [0] * len(results)
    if given(body.rows, tuple(rows)) != tuple(rows):
        text = "the results {results} are in rows {expected}, not {actual}"
        refuse("706.3a", text, results=results, expected=rows, actual=list(given(body.rows, ())))
    if given(body.doubles, roll.doubles) != roll.doubles:
        text = "the results {results} are doubles" if roll.doubles else "the results {results} are no doubles"
        refuse("706.5", text, results=results)


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
    _check_nothing_open(game)
    owed = next((o for o in game.owed if o.owed == number), None)
    if owed is None or owed.controller != author:
        refuse("706.6", "{author} has no triggered ability {number} to resolve", author=author, number=number)
    return replace(game, owed=tuple(o for o in game.owed if o is not owed))


def _declare(game: Game, author: str, body: object) -> Game:
    if isinstance(body, b.DeclareEffect):
        roll = _open_roll(game, body.roll)
        check_room(len(roll.effects), "706.2", "effects on one roll")
        effects = _effects(game, author, (body.effect,), len(roll.effects) + 1)
        return replace(game, open=replace(roll, effects=roll.effects + effects))
    _check_nothing_open(game)
    match body:
        case b.DeclareTrigger():
            check_room(len(game.triggers), "706.6", "triggered abilities")
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
            check_room(len(game.permanents), "706.8", "permanents that store results")
            if permanent in game.permanents:
                refuse("706.8", "there is a permanent {permanent} already: choose another id", permanent=permanent)
            return _with_permanent(game, permanent, Permanent(name, author))
        case b.DeclareGone(permanent=permanent):
            _own_permanent(game, author, permanent, "706.8")
            return replace(game, permanents={k: v for k, v in game.permanents.items() if k != permanent})
        case _:
            raise TypeError(f"no such declaration: {body!r}")


# --- leaving, rulings ----------------------------------------------------------------------------------------------


def leave(game: Game, party: str) -> Game:
    """What a party that leaves takes along."""
    if game.open is not None and game.open.player == party:
        game = replace(game, open=None, settled=keep(game.settled, replace(game.open, status="abandoned")))
    return replace(
        game,
        again=None if game.again is not None and game.again.player == party else game.again,
        owed=tuple(o for o in game.owed if o.controller != party),
        triggers=tuple(t for t in game.triggers if t.controller != party),
        permanents={k: v for k, v in game.permanents.items() if v.controller != party},
    )


def rule(game: Game, ruling: Ruling) -> Game:
    """What a ruling on a roll changes; any other ruling changes nothing here."""
    roll = game.open if game.open is not None and game.open.roll == ruling.subject else None
    roll = roll or next((r for r in game.settled if r.roll == ruling.subject), None)
    if roll is None:
        return game
    if ruling.ruling == "void":
        return _strike(game, roll)
    if ruling.ruling == "correct" and not isinstance(ruling.results, UnsetType):
        return _correct(game, roll, {r.die: r.result for r in ruling.results})
    return game


def _strike(game: Game, roll: Roll) -> Game:
    struck = replace(roll, status="struck")
    if game.open is roll:
        game = replace(game, open=None, settled=keep(game.settled, struck))
    else:
        game = replace(game, settled=replaced(game.settled, roll, struck))
    permanents = {
        key: replace(p, stored=tuple(s for s in p.stored if s.roll != roll.roll)) for key, p in game.permanents.items()
    }
    again = None if game.again is not None and game.again.roll == roll.roll else game.again
    return replace(game, again=again, permanents=permanents, owed=tuple(o for o in game.owed if o.roll != roll.roll))


def _correct(game: Game, roll: Roll, results: dict[int, int]) -> Game:
    corrected = roll
    for number, result in results.items():
        die = _die(corrected, number, "ruling")
        if die.planar:
            refuse("ruling", "die {die} is the planar die: it has no result to correct", die=number)
        dice = _with_die(corrected, replace(die, result=result, steps=(*die.steps, RuledStep(result))))
        corrected = replace(corrected, dice=dice)
    if game.open is roll:
        game = replace(game, open=corrected)
    else:
        corrected = _outcome(corrected) if roll.status == "resolved" else corrected
        game = replace(game, settled=replaced(game.settled, roll, corrected))
    permanents = {
        key: replace(
            p,
            stored=tuple(
                replace(s, value=results[s.die]) if s.roll == roll.roll and s.die in results else s for s in p.stored
            ),
        )
        for key, p in game.permanents.items()
    }
    return replace(game, permanents=permanents)


# --- helpers -------------------------------------------------------------------------------------------------------


def _check_nothing_open(game: Game) -> None:
    if game.open is not None:
        text = "roll {roll} of {player} is not finished: resolve it first"
        refuse("706.3b", text, roll=game.open.roll, player=game.open.player)
    if game.again is not None:
        text = "{player} still has to roll again for roll {roll}"
        refuse("706.3b", text, roll=game.again.roll, player=game.again.player)


def _open_roll(game: Game, number: int) -> Roll:
    if game.open is None:
        refuse("706.3b", "roll {roll} is not open: no roll is", roll=number)
    if game.open.roll != number:
        refuse("706.3b", "roll {roll} is not open; roll {open} is", roll=number, open=game.open.roll)
    return game.open


def _check_roller(roll: Roll, author: str, clause: str, does: str) -> None:
    if author != roll.player:
        text = "{player}, who rolled, {does}; {author} does not"
        refuse(clause, text, player=roll.player, does=does, author=author)


def _check_ignored(roll: Roll) -> None:
    if roll.demands:
        count = sum(demand.count for demand in roll.demands)
        text = "dice are ignored before anything else: {player} still has {count} to ignore"
        refuse("706.6", text, player=roll.player, count=count)


def _die(roll: Roll, number: int, clause: str) -> Die:
    if not 1 <= number <= len(roll.dice):
        refuse(clause, "roll {roll} has no die {die}; it has {count}", roll=roll.roll, die=number, count=len(roll.dice))
    return roll.dice[number - 1]


def _with_die(roll: Roll, die: Die) -> tuple[Die, ...]:
    return (*roll.dice[: die.die - 1], die, *roll.dice[die.die :])


def _answer(roll: Roll, number: int, answer: str) -> Roll:
    effects = tuple(replace(e, answer=answer) if e.effect == number else e for e in roll.effects)
    return replace(roll, effects=effects)


def _own_permanent(game: Game, author: str, permanent: str, clause: str) -> Permanent:
    found = game.permanents.get(permanent)
    if found is None or found.controller != author:
        text = "{author} controls no permanent {permanent}; declare it first"
        refuse(clause, text, author=author, permanent=permanent)
    return found


def _with_permanent(game: Game, key: str, permanent: Permanent) -> Game:
    return replace(game, permanents={**game.permanents, key: permanent})


def _count(game: Game, player: str, rolls: int = 0, dice: int = 0, ignored: int = 0, rerolled: int = 0) -> Game:
    tally = game.players[player]
    tally = replace(
        tally,
        rolls=tally.rolls + rolls,
        dice=tally.dice + dice,
        ignored=tally.ignored + ignored,
        rerolled=tally.rerolled + rerolled,
    )
    return replace(game, players={**game.players, player: tally})
