"""Actions of a player, and the player that the game waits for (specs/mtg.md, "Actions")."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rules.actions import Action, Domain, Field, Free, OneOf, Option, SomeOf, options
from rules.base import WaitsFor
from rules.data.bounds import MAX_ITEMS
from rules.data.language import N_, Message
from rules.systems.mtg.effects import applicable, applicable_now, to_answer, unanswered_effects
from rules.systems.mtg.ignoring import choice
from rules.systems.mtg.outcome import repeat, room, settle, settled_if_finished
from rules.systems.mtg.state import EffectState, Game, Permanent, Roll, Standing

__all__ = ["actions", "waits_for"]


def waits_for(game: Game) -> WaitsFor | None:
    """Return the player that has to choose or to roll again; None if no choice is left."""
    roll = game.open
    if roll is not None and settled_if_finished(game) is None:
        return WaitsFor(roll.player, N_("ignore") if roll.demands else N_("effects"))
    again = repeat(game)
    if again is None:
        return None
    return WaitsFor(again.player, N_("may roll again") if again.offers_again else N_("roll again"))


def actions(game: Game, party: str) -> tuple[Action, ...]:
    """Return what a player can do now, due actions first."""
    if party not in game.players or party in game.left:
        return ()
    found = [*_of_open(game, party)]
    done = settled_if_finished(game)
    if game.open is None or done is not None:
        found += _repeats(game, party)
        found += _declares(settle(game), party)
        if repeat(game) is None:
            found += _requests(settle(game), party)
    found += _gone(game, party)
    return tuple(sorted(found, key=lambda action: not action.due))


# --- the open roll ----------------------------------------------------------------------------------------------------


def _of_open(game: Game, party: str) -> Iterator[Action]:
    roll = game.open
    if roll is None:
        return
    if roll.player == party:
        asked = choice(roll)
        if asked is not None:
            text = Message("choose dice to ignore ({source})", source=asked.source)
            dice = Field("dice", Message("the dice that are ignored"), _some(roll, asked.of, asked.count, asked.count))
            yield Action("ignore", text, "706.6", (dice,), {"roll": roll.roll}, due=True)
        else:
            yield from _answers(roll)
            if not to_answer(roll):
                text = Message("end the roll, with what was announced")
                yield Action("resolve", text, "706.3b", (), {"roll": roll.roll})
    if len(roll.effects) < MAX_ITEMS and not roll.flips and not roll.random:
        effect = _free("effect", Message("the effect that would modify it"), "effect", "706.2")
        there = OneOf(options(name for name in game.players if name not in game.left))
        controller = Field("controller", Message("the player who controls it"), there, required=False, default=party)
        text = Message("declare an effect that would modify roll {roll}", roll=roll.roll)
        yield Action("declare", text, "706.2", (effect, controller), {"what": "effect", "roll": roll.roll})
    own = [effect for effect in roll.effects if effect.answer is None and effect.controller == party]
    if own:
        numbers = OneOf(_effects(own))
        text = Message("say that an effect of yours no longer applies")
        gone = Field("effect", Message("the effect"), numbers)
        yield Action("declare", text, "706.2b", (gone,), {"what": "ends", "roll": roll.roll})


def _answers(roll: Roll) -> Iterator[Action]:
    waiting = {effect.effect for effect in to_answer(roll)}
    possible = {effect.effect for effect in unanswered_effects(roll)}
    for effect in roll.effects:
        if effect.answer is not None:
            continue
        due = effect.effect in waiting
        if effect.effect in possible:
            yield from _applied(roll, effect, due)
        if effect.declinable:
            text = Message("decline effect {effect}, {source}", effect=effect.effect, source=effect.source)
            body = {"roll": roll.roll, "effect": effect.effect, "choice": "decline"}
            yield Action("modify", text, "706.2a", (), body, due)


def _applied(roll: Roll, effect: EffectState, due: bool) -> Iterator[Action]:
    now = applicable_now(roll, effect)
    if not now or (effect.scope == "each" and now != applicable(roll, effect)):
        return
    fields = [_dice(roll, effect, now)]
    if effect.amounts:
        amounts = OneOf(
            options((amount, Message("{amount:+d}", amount=amount)) for amount in dict.fromkeys(effect.amounts))
        )
        fields.append(Field("amount", Message("which of its amounts"), amounts, len(effect.amounts) > 1))
    if effect.mana_cost is not None:
        text = Message("mana abilities that were activated before its mana cost was paid")
        fields.append(Field("mana_abilities", text, Free("mana")))
    body: dict[str, Any] = {"roll": roll.roll, "effect": effect.effect}
    if effect.kind != "reroll":
        body["choice"] = "apply"
    if effect.costs:
        body["paid"] = True
    paid = effect.cost or effect.mana_cost
    label = Message(_APPLY[effect.kind][paid is not None], effect=effect.effect, source=effect.source, cost=paid)
    clause = "706.2" if effect.kind == "exchange" else "706.2b"
    yield Action("reroll" if effect.kind == "reroll" else "modify", label, clause, tuple(fields), body, due)


_APPLY: Mapping[str, tuple[str, str]] = {
    "reroll": (
        N_("reroll by effect {effect}, {source}"),
        N_("pay {cost} and reroll by effect {effect}, {source}"),
    ),
    "adjust": (
        N_("apply effect {effect}, {source}"),
        N_("pay {cost} and apply effect {effect}, {source}"),
    ),
    "exchange": (
        N_("exchange a result by effect {effect}, {source}"),
        N_("pay {cost} and exchange a result by effect {effect}, {source}"),
    ),
}


def _dice(roll: Roll, effect: EffectState, now: Sequence[int]) -> Field:
    least = len(now) if effect.scope == "each" else 1
    most = 1 if effect.scope == "one" else len(now)
    text = Message("the dice that it is applied to")
    return Field("dice", text, _some(roll, now, least, most), effect.scope != "each")


def _some(roll: Roll, numbers: Iterable[int], least: int, most: int) -> SomeOf:
    shown = [roll.dice[number - 1] for number in numbers]
    labelled = ((die.die, Message(die.face) if die.face else Message("{value}", value=die.result)) for die in shown)
    return SomeOf(options(labelled), least, most)


def _effects(effects: Iterable[EffectState]) -> tuple[Option, ...]:
    return options((effect.effect, Message("{source}", source=effect.source)) for effect in effects)


# --- new rolls and declarations ---------------------------------------------------------------------------------------


def _free(name: str, label: Message, grammar: str, *clauses: str, required: bool = True) -> Field:
    return Field(name, label, Free(grammar, clauses), required)


_SOURCE = _free("source", Message("the card or ability that instructs the roll"), "text")
_MODIFIERS = Message("modifiers in the instruction itself")
_IGNORES = Message("effects that have dice ignored")
_EFFECTS = Message("other effects that would modify the roll")
_DICE = Message("kind and number of dice")
_TABLE = Message("the results table")
_USE = _free("use", Message("how the results are used without a table"), "text", required=False)


def _repeats(game: Game, party: str) -> Iterator[Action]:
    again = repeat(game)
    if again is None or again.player != party:
        return
    fields = (
        _free("source", Message("the card or ability that instructs the roll"), "text", required=False),
        _free("dice", _DICE, "dice", "706.1a", "706.3c", required=False),
        _free("modifiers", _MODIFIERS, "modifier", "706.3c", required=False),
        _free("ignores", _IGNORES, "ignore", "706.1", "706.2", "706.7", "604", required=False),
        _free("effects", _EFFECTS, "effect", "706.2", "604", required=False),
        *_without(game, party),
    )
    text = Message("roll again, as roll {roll} says", roll=again.roll)
    yield Action("roll", text, "706.3c", fields, {"again": again.roll}, due=True)
    if again.offers_again:
        text = Message("do not roll again")
        yield Action("resolve", text, "706.3c", (), {"roll": again.roll, "again": False}, due=True)


def _without(game: Game, party: str) -> list[Field]:
    """Return a field for the standing effects that a roll leaves out; none if no standing effect is for its player."""
    looking = [one for one in game.standing if one.looks_at(party)]
    if not looking:
        return []
    numbers = SomeOf(options((one.standing, _stands(one)) for one in looking), 1, len(looking))
    return [Field("without", Message("standing effects that are left out of this roll"), numbers, required=False)]


def _stands(standing: Standing) -> Message:
    return Message("{source} ({player})", source=standing.source, player=standing.controller)


_CALLS = OneOf(options((("heads", Message("heads")), ("tails", Message("tails")))))
_CALL = Field("call", Message("what is called before coins are flipped"), _CALLS, required=False)


def _requests(game: Game, party: str) -> Iterator[Action]:
    """Yield rolls and rerolls of stored results, for a game without an open roll."""
    own = {key: permanent for key, permanent in game.permanents.items() if permanent.controller == party}
    with_room = [_named(key, permanent) for key, permanent in own.items() if room(permanent) > 0]
    fields = [
        _SOURCE,
        _free("dice", _DICE, "dice", "706.1", "706.1a", "706.2", "706.7", "706.8a", "705"),
        _free("modifiers", _MODIFIERS, "modifier", "706.2", "706.7", "705", required=False),
        _free("effects", _EFFECTS, "effect", "706.2", "604", "705", required=False),
        _free("ignores", _IGNORES, "ignore", "706.1", "706.2", "706.7", "706.8a", "604", "705", required=False),
        _free("table", _TABLE, "row", "706.2", "706.3a", "706.7", "705", required=False),
        _USE,
        _free("doubles", Message("what happens on doubles"), "text", "706.5", "706.7", "705", required=False),
        _CALL,
        *_without(game, party),
    ]
    if with_room:
        stores = Message("the permanent that stores the results")
        fields.append(Field("store", stores, OneOf(options(with_room)), required=False))
    yield Action("roll", Message("roll dice"), "706.1", tuple(fields))
    chosen = (
        _free("source", Message("what has something chosen at random"), "text"),
        _free("dice", _DICE, "dice", "706.1", "706.1a", "706.2", "706.7", "705"),
        _free("table", _TABLE, "row", "706.2", "706.3a", "706.3c", required=False),
        _USE,
    )
    yield Action("roll", Message("choose something at random"), None, chosen, {"random": True})
    ability = game.ability
    if ability is not None and party not in ability.rolled and ability.first.store is None:
        flips = ability.first.flips
        joined = (
            _free("effects", _EFFECTS, "effect", "706.2", "604", "705", required=False),
            _free("ignores", _IGNORES, "ignore", "706.1", "706.2", "706.7", "604", "705", required=False),
            *([_CALL] if flips else []),
            *_without(game, party),
        )
        text = Message(
            "roll in the same ability as {player} in roll {roll}", player=ability.first.player, roll=ability.first.roll
        )
        yield Action("roll", text, "706.3b", joined, {"joins": ability.first.roll})
    for key, permanent in own.items():
        if permanent.stored:
            yield _stored(game, party, key, permanent)


def _stored(game: Game, party: str, key: str, permanent: Permanent) -> Action:
    labelled = ((s.stored, Message("{value} (d{sides})", value=s.value, sides=s.sides)) for s in permanent.stored)
    fields = (
        Field("stored", Message("the stored results"), SomeOf(options(labelled), 1, len(permanent.stored))),
        _SOURCE,
        Field("by", Message("the permanent whose ability says so"), OneOf(options([key])), required=False),
        _free("modifiers", _MODIFIERS, "modifier", "706.2", required=False),
        _free("ignores", _IGNORES, "ignore", "706.1", "706.2", "706.8a", "604", required=False),
        *_without(game, party),
    )
    text = Message("reroll stored results of {permanent}", permanent=permanent.name)
    return Action("reroll", text, "706.8b", fields, {"permanent": key})


def _named(key: str, permanent: Permanent) -> tuple[str, Message]:
    return key, Message("{name}", name=permanent.name)


def _declares(game: Game, party: str) -> Iterator[Action]:
    """Yield declarations that need no open roll."""
    source = _free("source", Message("the card or ability that says so"), "text", "603")
    whose = Field("whose", Message("whose rolls it looks at"), OneOf(options(_WHOSE)), required=False, default="you")
    if len(game.triggers) < MAX_ITEMS:
        for on, ranged in ((_ON, ()), (_ON_RANGE, (_RANGE,))):
            kind = Field("on", Message("what it triggers on"), OneOf(options(on)))
            text = (
                Message("declare an ability that triggers on results")
                if ranged
                else Message("declare an ability that triggers")
            )
            yield Action("declare", text, "603", (source, kind, *ranged, whose), {"what": "trigger"})
    if len(game.standing) < MAX_ITEMS:
        yield from _stand(game, party, whose)
    stands = [
        (one.standing, Message("{source}", source=one.source)) for one in game.standing if one.controller == party
    ]
    if stands:
        ends = Field("standing", Message("the standing effect"), OneOf(options(stands)))
        text = Message("say that a standing effect of yours is no longer there")
        yield Action("declare", text, "604", (ends,), {"what": "ends"})
    own = [
        (trigger.trigger, Message("{source}", source=trigger.source))
        for trigger in game.triggers
        if trigger.controller == party
    ]
    if own:
        ends = Field("trigger", Message("the ability"), OneOf(options(own)))
        text = Message("say that an ability of yours is no longer there")
        yield Action("declare", text, "603", (ends,), {"what": "ends"})
    if len(game.permanents) < MAX_ITEMS:
        permanent = _free("permanent", Message("a short id for the permanent"), "id", "706.8")
        name = _free("name", Message("the permanent's name"), "text")
        text = Message("declare a permanent that stores results or has standing effects")
        yield Action("declare", text, "706.8", (permanent, name), {"what": "permanent"})


def _stand(game: Game, party: str, whose: Field) -> Iterator[Action]:
    """Yield declarations of standing effects."""
    own = [_named(key, permanent) for key, permanent in game.permanents.items() if permanent.controller == party]
    goes = [Field("permanent", Message("the permanent with which it goes"), OneOf(options(own)), required=False)]
    further = (whose, *(goes if own else ()))
    ignore = _free("ignore", Message("what it has ignored in every roll"), "ignore", "604")
    text = Message("declare an effect that has dice ignored in every roll")
    yield Action("declare", text, "604", (ignore, *further), {"what": "standing"})
    effect = _free("effect", Message("the effect that would modify every roll"), "effect", "604")
    text = Message("declare an effect that would modify every roll")
    yield Action("declare", text, "604", (effect, *further), {"what": "standing"})


_ON = (
    ("rolled", Message("whenever one or more dice are rolled")),
    ("die", Message("whenever a die is rolled")),
    ("highest", Message("whenever a die shows its highest natural result")),
    ("won", Message("whenever a coin flip is won")),
    ("lost", Message("whenever a coin flip is lost")),
)
_ON_RANGE = (
    ("result", Message("whenever a die has such a result")),
    ("natural", Message("whenever a die has such a natural result")),
)
_RANGE = _free("range", Message("which results or naturals: 20, 1-9, 15+ or 3 or less"), "range", "706.3a")
_WHOSE = (
    ("you", Message("your rolls")),
    ("opponents", Message("rolls of opponents")),
    ("any", Message("rolls of any player")),
)


def _gone(game: Game, party: str) -> Iterator[Action]:
    own = [_named(key, permanent) for key, permanent in game.permanents.items() if permanent.controller == party]
    if own:
        permanent: Domain = OneOf(options(own))
        fields = (Field("permanent", Message("the permanent"), permanent),)
        text = Message("say that a permanent of yours left the battlefield")
        yield Action("declare", text, "706.8", fields, {"what": "gone"})
