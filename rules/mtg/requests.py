"""Magic 706: rolls and rerolls, and what their dice show (specs/mtg.md, "Clauses").

Pure: a Game and an event in, a new Game or a Violation out.
"""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.base import Event, given
from rules.dice import DiceNotationError, notation, parse
from rules.history import keep_roll
from rules.language import N_
from rules.mtg import bodies as b
from rules.mtg.bodies import MAX_STORED
from rules.mtg.checks import (
    answer,
    answerable,
    check_nothing_open,
    check_paid,
    new_effects,
    own_permanent,
    tallied,
    targets,
    with_permanent,
)
from rules.mtg.state import (
    PLANAR,
    Demand,
    Die,
    EffectState,
    Game,
    PendingReroll,
    PendingStored,
    Permanent,
    Roll,
    TableRow,
)
from rules.mtg.table import check_order, parse_range
from rules.mtg.triggers import check_owed_room
from rules.shared import Rerolled, check_dice_count, open_roll, refuse

PLANAR_SIDES = 6


def request(game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
    """Take a roll or reroll; also the sides of the dice to draw."""
    match event.body:
        case b.RollBody() as body:
            roll = _new_roll(game, event, body)
            return replace(game, open=roll), roll.sides
        case b.RerollBody(permanent=str(permanent), source=str(source)) as body:
            return _request_stored(game, event, body, permanent, source)
        case b.RerollBody(roll=int(number), effect=int(effect)) as body:
            return _request_reroll(game, event, body, number, effect)
        case body:
            raise TypeError(f"{event.type} has no body {body!r}")


def _new_roll(game: Game, event: Event, body: b.RollBody) -> Roll:
    first = None
    if isinstance(body.again, UnsetType):
        check_nothing_open(game)
    else:
        first = _owed_again(game, event.author, body.again)
        body = _repeated(first, body)
    if isinstance(body.dice, UnsetType):
        refuse("706.1", "a roll says what kind of dice and how many, for example 1d20")
    table = _table(body)
    called = _called(game, body, body.dice)
    sides = _with_extra(called, body.ignores)
    effects = _repeated_effects(game, first) if first else new_effects(game, event.author, given(body.effects, ()))
    if not table and body.use is UNSET and body.store is UNSET and body.dice != PLANAR:
        refuse("706.4", "a roll without a results table says how its results are used")
    if body.doubles is not UNSET and len(called) != 2:
        refuse("706.5", "doubles need an instruction to roll exactly two dice")
    if not isinstance(body.store, UnsetType) and first is None:
        own_permanent(game, event.author, body.store, "706.8")
    if not isinstance(body.store, UnsetType) and body.store in game.permanents:
        _check_storage(game.permanents[body.store], len(sides))
    check_owed_room(game, event.author, len(sides))
    return Roll(
        roll=event.seq,
        player=event.author,
        source=body.source,
        notation=body.dice,
        instruction=body,
        sides=sides,
        effects=effects,
        named=len(effects),
        demands=_demands(body.ignores),
        table=table,
        again=first.roll if first else None,
        store=given(body.store, None),
    )


def _with_extra(called: tuple[int, ...], ignores: tuple[b.Ignores, ...] | UnsetType) -> tuple[int, ...]:
    """The dice called for and, after them, those that replacement effects add (706.6)."""
    extra = 0 if isinstance(ignores, UnsetType) else sum(i.extra for i in ignores)
    if extra and len(set(called)) > 1:
        refuse("706.1", "extra dice can only be added to dice of one kind: name all dice in the roll, without extra")
    check_dice_count(len(called) + extra, "706.1")
    return called + called[:1] * extra


def _demands(ignores: tuple[b.Ignores, ...] | UnsetType) -> tuple[Demand, ...]:
    return () if isinstance(ignores, UnsetType) else tuple(Demand(i.which, i.count) for i in ignores)


def _owed_again(game: Game, author: str, number: int) -> Roll:
    """The roll whose “Roll again.” this player owes (706.3c)."""
    if game.open is not None:
        check_nothing_open(game)
    first = game.again
    if first is None:
        refuse("706.3c", "{author} owes no roll again for roll {roll}", author=author, roll=number)
    if first.roll != number:
        refuse("706.3c", "the roll again that is owed is for roll {owed}, not {roll}", owed=first.roll, roll=number)
    if first.player != author:
        text = N_("{player} is the one to roll again for roll {roll}, not {author}")
        refuse("706.3c", text, player=first.player, roll=number, author=author)
    return first


def _repeated(first: Roll, body: b.RollBody) -> b.RollBody:
    """The instruction of a “Roll again.” (706.3c)."""
    for member in ("effects", "ignores", "table", "use", "doubles", "store"):
        if getattr(body, member) is not UNSET:
            refuse("706.3c", "a roll again repeats the first roll: leave out {member}", member=member)
    told = first.instruction
    if not isinstance(body.dice, UnsetType) and not _same_dice(body.dice, first.notation):
        refuse("706.3c", "a roll again uses the dice of the first: {dice}", dice=told.dice)
    if body.modifiers is not UNSET and given(body.modifiers, ()) != given(told.modifiers, ()):
        refuse("706.3c", "a roll again has the modifiers of the first roll")
    return replace(told, source=body.source)


def _repeated_effects(game: Game, first: Roll) -> tuple[EffectState, ...]:
    """Those that its body named and that are still there; what was declared later was for that roll (706.3c)."""
    named = first.effects[: first.named]
    going_on = [effect for effect in named if effect.answer != "ended" and effect.controller not in game.left]
    return tuple(replace(effect, effect=number, answer=None) for number, effect in enumerate(going_on, 1))


def _same_dice(restated: str, told: str) -> bool:
    """Whether two notations call for the same dice; `planar` is itself."""
    if restated == told:
        return True
    return _parsed(restated) == (() if told == PLANAR else _parsed(told))


def _parsed(dice: str) -> tuple[int, ...]:
    try:
        return parse(dice)
    except DiceNotationError as error:
        refuse("706.1a", error.template, **error.values)


def _called(game: Game, body: b.RollBody, dice: str) -> tuple[int, ...]:
    """The sides of the dice that the instruction calls for, before extra ones."""
    if dice != PLANAR:
        if PLANAR in dice.casefold():
            refuse("706.1a", "{dice!r} is not dice notation: the planar die is rolled alone, as planar", dice=dice)
        return _parsed(dice)
    if not game.planechase:
        refuse("706.7", "the planar die is rolled in Planechase games only; this game is none")
    for member in ("modifiers", "table", "doubles", "store"):
        if getattr(body, member) is not UNSET:
            refuse("706.7", "the planar die has no number: {member} cannot concern it", member=member)
    if any(i.which != "any" for i in given(body.ignores, ())):
        refuse("706.7", "the planar die has no number: it is neither the lowest nor the highest")
    return (PLANAR_SIDES,)


def _table(body: b.RollBody) -> tuple[TableRow, ...]:
    if isinstance(body.table, UnsetType):
        return ()
    rows = tuple(
        TableRow(parse_range(row.range), row.effect, row.again is not UNSET, row.again == "may") for row in body.table
    )
    check_order([row.range for row in rows])
    return rows


def _request_reroll(
    game: Game, event: Event, body: b.RerollBody, number: int, effect_number: int
) -> tuple[Game, tuple[int, ...]]:
    roll = open_roll(game.open, number, "706.3b")
    effect = answerable(roll, event.author, effect_number)
    if effect.kind != "reroll":
        refuse("706.2b", "effect {effect} ({source}) does not reroll", effect=effect.effect, source=effect.source)
    dice = targets(roll, effect, given(body.dice, None))
    check_paid(effect, body.paid is True, body.mana_abilities is not UNSET)
    return replace(game, pending=PendingReroll(effect.effect, dice)), tuple(roll.dice[n - 1].sides for n in dice)


def _request_stored(
    game: Game, event: Event, body: b.RerollBody, key: str, source: str
) -> tuple[Game, tuple[int, ...]]:
    check_nothing_open(game)
    permanent = own_permanent(game, event.author, key, "706.8b")
    if given(body.by, key) != key:
        text = N_("only an ability of {permanent} itself rerolls the results stored on it")
        refuse("706.8c", text, permanent=key)
    numbers = given(body.stored, ())
    stored = {s.stored: s for s in permanent.stored}
    if not numbers or len(set(numbers)) != len(numbers):
        refuse("706.8b", "a reroll of stored results names one or more of them, each once")
    for number in numbers:
        if number not in stored:
            refuse("706.8b", "{permanent} has no stored result {number}", permanent=key, number=number)
    called = tuple(stored[number].sides for number in numbers)
    sides = _with_extra(called, body.ignores)
    _check_storage(permanent, len(sides) - len(called))
    check_owed_room(game, event.author, len(sides))
    roll = Roll(
        roll=event.seq,
        player=event.author,
        source=source,
        notation=notation(called),
        instruction=b.RollBody(source=source, modifiers=body.modifiers, store=key),
        sides=sides,
        demands=_demands(body.ignores),
        store=key,
        rerolls=key,
    )
    return replace(game, open=roll, pending=PendingStored(key, numbers)), sides


def _check_storage(permanent: Permanent, more: int) -> None:
    """Raises Violation 706.8a where so many more results have no room on the permanent."""
    count = len(permanent.stored) + more
    if count > MAX_STORED:
        text = N_("{name} would store up to {count} results; a permanent stores at most {most}")
        refuse("706.8a", text, name=permanent.name, count=count, most=MAX_STORED)


def reveal(game: Game, naturals: tuple[int, ...]) -> Game:
    """The pending request's dice show these naturals."""
    roll = _requested(game)
    if isinstance(game.pending, PendingReroll):
        return _rerolled(game, roll, game.pending, naturals)
    game = tallied(game, roll.player, dice=len(naturals))
    dice = tuple(
        Die(number, sides, roll.planar, (natural,), None if roll.planar else natural + roll.modifier)
        for number, (sides, natural) in enumerate(zip(roll.sides, naturals, strict=True), 1)
    )
    if isinstance(game.pending, PendingStored):
        permanent = game.permanents[game.pending.permanent]
        rerolled = set(game.pending.stored)
        left = tuple(s for s in permanent.stored if s.stored not in rerolled)
        game = with_permanent(game, game.pending.permanent, replace(permanent, stored=left))
        game = tallied(game, roll.player, rerolled=len(naturals))
    again = None if roll.again is not None else game.again
    return replace(game, open=replace(roll, status="open", dice=dice), pending=None, again=again)


def _requested(game: Game) -> Roll:
    """The roll that the pending request is, or is about."""
    if game.open is None:
        raise TypeError("no request is pending")
    return game.open


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
    roll = answer(replace(roll, dice=tuple(dice)), pending.effect, "applied", pending.dice)
    game = tallied(game, roll.player, dice=len(naturals), rerolled=len(naturals))
    return replace(game, open=roll, pending=None)


def void(game: Game) -> Game:
    """The pending request draws nothing. A reroll of dice leaves its roll as it was; a roll is listed as void."""
    roll = _requested(game)
    if isinstance(game.pending, PendingReroll):
        return replace(game, pending=None)
    return replace(game, open=None, pending=None, settled=keep_roll(game.settled, replace(roll, status="void")))
