"""Rolls and rerolls, and their dice (specs/mtg.md, "Clauses").

The functions are pure: they take a game and an event, and return a new game or raise Violation.
"""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.base import Event, given
from rules.common.dice import notation
from rules.common.shared import add_to_tally, called_off, check_load, refuse
from rules.data.bounds import MAX_DICE
from rules.data.language import N_, Message
from rules.systems.mtg import bodies as b
from rules.systems.mtg import effects, standing
from rules.systems.mtg.bodies import MAX_STORED
from rules.systems.mtg.ignoring import without_ignored
from rules.systems.mtg.instruction import (
    MEMBERS,
    called_for,
    check_coins,
    check_planar,
    check_random,
    same_dice,
    with_ignores,
)
from rules.systems.mtg.outcome import check_nothing_due, check_unfinished, repeat, room, settle
from rules.systems.mtg.state import COIN, PLANAR, Ability, Die, EffectState, Game, Kind, Permanent, Roll
from rules.systems.mtg.table import parse_table

__all__ = ["own_permanent", "request", "reveal", "void"]


def request(game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
    """Take a roll or reroll. Return the game and the sides of the dice to draw. Raises Violation."""
    match event.body:
        case b.RerollBody(permanent=UnsetType()) as body:
            return effects.reroll(game, event.author, body)
        case b.RerollBody() as body:
            after = _stored_results(game, event, body)
        case b.RollBody(again=int(number)) as body:
            after = _repeat(game, event, body, number)
        case b.RollBody(joins=int(number)) as body:
            after = _joined(game, event, body, number)
        case b.RollBody() as body:
            after = _roll(game, event, body)
        case body:
            raise TypeError(f"{event.type} has no body {body!r}")
    assert after.open is not None
    return replace(after, before=game), after.open.sides


# --- a roll, a roll that joins it, a roll that repeats it -------------------------------------------------------------


def _roll(game: Game, event: Event, body: b.RollBody) -> Game:
    """Return the game with a roll that has its own instruction."""
    check_nothing_due(game)
    game = settle(game)
    roll = _new(game, event, body, body)
    if body.random is True:
        return replace(game, open=roll)
    if not isinstance(body.store, UnsetType):
        permanent = own_permanent(game, event.author, body.store, "706.8")
        _check_room(permanent, len(roll.sides))
        roll = replace(roll, home=permanent.number)
    return replace(game, open=roll, ability=Ability(roll, frozenset({event.author})))


def _joined(game: Game, event: Event, body: b.RollBody, number: int) -> Game:
    """Return the game with another player's roll in the same ability: “each player rolls” (706.3b)."""
    check_nothing_due(game)
    ability = game.ability
    if ability is None:
        refuse("706.3b", "roll {roll} cannot be joined: there is no ability to roll in", roll=number)
    if ability.first.roll != number:
        text = N_("roll {roll} cannot be joined: of the ability that was rolled for last the first is roll {first}")
        refuse("706.3b", text, roll=number, first=ability.first.roll)
    first = ability.first
    if event.author in ability.rolled:
        text = N_("{author} has rolled in the ability of roll {roll} already")
        refuse("706.3b", text, author=event.author, roll=number)
    for member in ("source", "dice", "modifiers", "table", "use", "doubles", "store"):
        if getattr(body, member) is not UNSET:
            text = N_("a roll that joins another has its instruction, so leave this out: {member}")
            refuse("706.3b", text, member=Message(MEMBERS[member]))
    if first.store is not None:
        text = N_("the results of roll {roll} are stored on {permanent}: no other player's roll joins it")
        refuse("706.8", text, roll=number, permanent=first.store)
    game = settle(game)
    instruction = replace(first.instruction, effects=body.effects, ignores=body.ignores, call=body.call)
    roll = replace(_new(game, event, instruction, body), joins=number)
    return replace(game, open=roll, ability=Ability(first, ability.rolled | {event.author}))


def _repeat(game: Game, event: Event, body: b.RollBody, number: int) -> Game:
    """Return the game with the repeat of a roll whose row says “Roll again.”, with the effects that
    apply now (706.3c).
    """
    check_unfinished(game)
    first = _owed(game, event.author, number)
    instruction = _restated(first, body)
    game = settle(game)
    back = [e for e in first.effects if e.answer != "ended" and not e.once and e.controller not in game.left]
    roll = replace(_new(game, event, instruction, body, [e for e in back if e.standing is None]), again=first.roll)
    home = game.permanents.get(first.store or "")
    if home is not None and home.number == first.home and len(roll.sides) <= room(home):
        roll = replace(roll, home=home.number)
    return replace(game, open=roll)


def _owed(game: Game, author: str, number: int) -> Roll:
    """Return the roll whose repeat is due or offered to this player. Raises Violation 706.3c."""
    first = repeat(game)
    if first is None:
        refuse("706.3c", "{author} owes no roll again for roll {roll}", author=author, roll=number)
    if first.roll != number:
        refuse("706.3c", "the roll again that is owed is for roll {owed}, not {roll}", owed=first.roll, roll=number)
    if first.player != author:
        text = N_("{player} is the one to roll again for roll {roll}, not {author}")
        refuse("706.3c", text, player=first.player, roll=number, author=author)
    return first


def _restated(first: Roll, body: b.RollBody) -> b.RollBody:
    """Return the instruction of a repeat: that of the first roll, with what this roll adds. Raises Violation 706.3c."""
    for member in ("table", "use", "doubles", "store", "call"):
        if getattr(body, member) is not UNSET:
            text = N_("a roll again repeats the first roll, so leave this out: {member}")
            refuse("706.3c", text, member=Message(MEMBERS[member]))
    instruction = first.instruction
    if not isinstance(body.dice, UnsetType) and not same_dice(body.dice, first.notation):
        refuse("706.3c", "a roll again uses the dice of the first: {dice}", dice=instruction.dice)
    if not isinstance(body.modifiers, UnsetType) and sum(m.amount for m in body.modifiers) != first.modifier:
        text = N_("a roll again has the modifiers of the first roll: {amount:+d} for each die")
        refuse("706.3c", text, amount=first.modifier)
    ignores = instruction.ignores if body.ignores is UNSET else body.ignores
    source = instruction.source if body.source is UNSET else body.source
    return replace(instruction, source=source, ignores=ignores, effects=body.effects)


def _new(
    game: Game, event: Event, instruction: b.RollBody, body: b.RollBody, back: list[EffectState] | None = None
) -> Roll:
    """Return a pending roll of an instruction. `back` are the effects that a repeat takes over from the roll before."""
    if isinstance(instruction.dice, UnsetType):
        refuse("706.1", "a roll says what kind of dice and how many, for example 1d20")
    table = () if isinstance(instruction.table, UnsetType) else parse_table(instruction.table)
    called, written = called_for(instruction.dice), instruction.dice
    if instruction.random is True:
        check_random(instruction, called)
    check_coins(instruction, called)
    check_planar(game, instruction, called)
    found = standing.take_in(game, event.author, called, body, random=instruction.random is True)
    sources = {one.source for one in found.taken}
    if not isinstance(instruction.ignores, UnsetType):  # a card whose effect stands now applies by itself
        instruction = replace(
            instruction, ignores=tuple(rule for rule in instruction.ignores if rule.source not in sources)
        )
    kept = [effect for effect in back or () if effect.source not in sources]
    roll = Roll(
        roll=event.seq,
        player=event.author,
        source=given(instruction.source, ""),
        notation=written,
        instruction=instruction,
        sides=(),
        effects=_listed(kept, event.author, given(instruction.effects, ())),
        table=table,
        store=given(instruction.store, None),
    )
    roll = _with_standing(roll, found, called, MAX_DICE)
    check_load(roll.entry_weight, len(roll.sides), "706.2")
    if instruction.doubles is not UNSET and sum(not special for _, special in called) != 2:
        refuse("706.5", "doubles need an instruction to roll exactly two dice")
    return roll


def _listed(back: list[EffectState], author: str, new: tuple[b.Effect, ...]) -> tuple[EffectState, ...]:
    """Return a roll's own effects, numbered: those that come back, then new ones. Raises Violation 706.2."""
    listed = tuple(replace(effect, effect=number, answer=None) for number, effect in enumerate(back, 1))
    return listed + effects.new_effects(author, new, len(listed) + 1)


def _with_standing(roll: Roll, found: standing.FittingEffects, called: tuple[Kind, ...], most: int) -> Roll:
    """Return the roll with its dice, and with the standing effects that there is room for. Raises Violation 706.1."""
    own = given(roll.instruction.ignores, ())
    dice, demands = with_ignores(called, own)
    roll = replace(roll, ignores=own)
    if found.taken:
        first = standing.first_kind(called)
        found = standing.with_room(found, dice, roll.effects, roll.entry_weight, most, first)
        roll = replace(roll, ignores=(*own, *standing.ignores(found.taken, called)))
        dice, demands = with_ignores(called, roll.ignores)
    return replace(
        roll,
        sides=tuple([sides for sides, _ in dice]),
        special=tuple([special for _, special in dice]),
        effects=roll.effects + standing.effects(found.taken, len(roll.effects) + 1),
        demands=demands,
        standing=tuple(one.standing for one in found.taken),
        without=found.left_out,
        no_room=found.no_room,
    )


# --- stored results ---------------------------------------------------------------------------------------------------


def _stored_results(game: Game, event: Event, body: b.RerollBody) -> Game:
    """Return the game with a reroll of stored results, whose new results take their place (706.8b)."""
    check_nothing_due(game)
    game = settle(game)
    key, source = given(body.permanent, ""), given(body.source, "")
    permanent = own_permanent(game, event.author, key, "706.8b")
    if given(body.by, key) != key:
        text = N_("only an ability of {permanent} itself rerolls the results stored on it")
        refuse("706.8c", text, permanent=key)
    numbers = given(body.stored, ())
    stored = {result.stored: result for result in permanent.stored}
    if not numbers or len(set(numbers)) != len(numbers):
        refuse("706.8b", "a reroll of stored results names one or more of them, each once")
    for number in numbers:
        if number not in stored:
            refuse("706.8b", "{permanent} has no stored result {number}", permanent=key, number=number)
    called: tuple[Kind, ...] = tuple((stored[number].sides, "") for number in numbers)
    found = standing.take_in(game, event.author, called, body)
    roll = Roll(
        roll=event.seq,
        player=event.author,
        source=source,
        notation=notation(tuple(sides for sides, _ in called)),
        instruction=b.RollBody(source=source, modifiers=body.modifiers, ignores=body.ignores, store=key),
        sides=(),
        store=key,
        home=permanent.number,
        rerolls=key,
        replaced=tuple(stored[number] for number in numbers),
    )
    roll = _with_standing(roll, found, called, room(permanent) + len(called))
    _check_room(permanent, len(roll.sides) - len(called))
    check_load(roll.entry_weight, len(roll.sides), "706.2")
    return replace(game, open=roll, ability=None)


def own_permanent(game: Game, author: str, permanent: str, clause: str) -> Permanent:
    """Return the author's permanent with this id. Raises Violation 706.8, or of `clause` if it is another's."""
    found = game.permanents.get(permanent)
    if found is None:
        refuse("706.8", "there is no permanent {permanent}: declare it first", permanent=permanent)
    if found.controller != author:
        text = N_("{controller} controls {permanent}, not {author}")
        refuse(clause, text, controller=found.controller, permanent=permanent, author=author)
    return found


def _check_room(permanent: Permanent, more: int) -> None:
    """Raise Violation 706.8a if the permanent has no room for this many more results."""
    if more > room(permanent):
        text = N_("{name} would store up to {count} results; a permanent stores at most {most}")
        refuse("706.8a", text, name=permanent.name, count=len(permanent.stored) + more, most=MAX_STORED)


# --- the reveal -------------------------------------------------------------------------------------------------------


def reveal(game: Game, naturals: tuple[int, ...]) -> Game:
    """Return the game after the dice of the pending request were revealed."""
    roll = _requested(game)
    if game.rerolling is not None:
        return effects.after_reroll(game, roll, game.rerolling, naturals)
    rerolled = len(naturals) if roll.rerolls is not None else 0
    players = add_to_tally(game.players, roll.player, dice=len(naturals), rerolled=rerolled)
    modifier = roll.modifier
    drawn = enumerate(zip(roll.sides, roll.special, naturals, strict=True), 1)
    dice = tuple(
        [
            Die(
                number,
                sides,
                special == PLANAR,
                special == COIN,
                (natural,),
                None if special else natural + modifier,
            )
            for number, (sides, special, natural) in drawn
        ]
    )
    permanents = game.permanents
    if roll.rerolls is not None:
        permanent = permanents[roll.rerolls]
        left = tuple(result for result in permanent.stored if result not in roll.replaced)
        permanents = {**permanents, roll.rerolls: replace(permanent, stored=left)}
    again = None if roll.again is not None else game.again
    game = replace(game, before=None, players=players, permanents=permanents, again=again)
    return without_ignored(game, replace(roll, status="open", dice=dice))


def _requested(game: Game) -> Roll:
    """Return the roll that the pending request is about."""
    if game.open is None:
        raise TypeError("no request is pending")
    return game.open


def void(game: Game) -> Game:
    """Return the game as before the pending request. A roll without dice is listed as void."""
    roll = _requested(game)
    if game.rerolling is not None:
        return replace(game, rerolling=None)
    if game.before is None:
        raise TypeError("no request is pending")
    return called_off(game.before, roll)
