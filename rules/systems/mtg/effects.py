"""Effects that modify a roll, one at a time: first rerolls, then adjustments, then exchanges (706.2)."""

from collections.abc import Iterable
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from rules.base import given
from rules.common.shared import Exchanged, Rerolled, add_to_tally, check_load, check_roller, find_die, open_roll, refuse
from rules.data.bounds import MAX_ITEMS
from rules.data.language import N_
from rules.systems.mtg import bodies as b
from rules.systems.mtg.ignoring import check_ignored
from rules.systems.mtg.state import Adjusted, Die, Done, EffectState, Game, PendingReroll, Roll, concerns

__all__ = [
    "add_effect",
    "after_reroll",
    "answer",
    "applicable",
    "applicable_now",
    "check_answered",
    "ends",
    "modify",
    "new_effects",
    "reroll",
    "to_answer",
    "unanswered_effects",
    "with_dice",
    "with_forced",
]


def new_effects(controller: str, effects: Iterable[b.Effect], first: int = 1) -> tuple[EffectState, ...]:
    """Return states for the effects in a body, numbered from `first`. Raises Violation 706.2."""
    states = []
    for number, effect in enumerate(effects, first):
        if number > MAX_ITEMS:
            text = N_("this roll already has {most} effects, and no more are allowed")
            refuse("706.2", text, most=MAX_ITEMS)
        states.append(
            EffectState(
                effect=number,
                source=effect.source,
                controller=controller,
                kind=effect.kind,
                amounts=given(effect.amounts, ()),
                number=given(effect.number, None),
                scope=effect.scope,
                optional=effect.optional is True,
                cost=given(effect.cost, None),
                mana_cost=given(effect.mana_cost, None),
                once=effect.once is True,
                only=given(effect.only, None),
            )
        )
    return tuple(states)


# --- unanswered effects, and those that have only one answer ----------------------------------------------------------


def applicable(roll: Roll, effect: EffectState) -> list[int]:
    """Return the numbers of the dice that an effect can be applied to (706.2b, 706.7)."""
    untouched = [die for die in roll.counted if not die.exchanged and concerns(effect.only, die.kind)]
    if effect.kind == "reroll":
        return [die.die for die in untouched if not die.adjusted]
    return [die.die for die in untouched if not die.planar]


def _alike(effect: EffectState) -> tuple[str, str | None]:
    """Return a key that is equal for effects that can be applied to the same dice."""
    return effect.kind, effect.only


def unanswered_effects(roll: Roll) -> list[EffectState]:
    """Return the effects that are not answered and can be applied to a die."""
    if not roll.effects:
        return []
    left = [effect for effect in roll.effects if effect.answer is None]
    possible = {alike: bool(applicable(roll, one)) for alike, one in {_alike(one): one for one in left}.items()}
    return [effect for effect in left if possible[_alike(effect)]]


def to_answer(roll: Roll) -> list[EffectState]:
    """Return the effects that the player has to answer.

    There are none if all that are left can be applied in one way only: settling the roll applies those.
    """
    left = unanswered_effects(roll)
    return [] if _forced(roll, left) else left


def _forced(roll: Roll, effects: list[EffectState]) -> bool:
    if any(effect.kind != "adjust" or effect.declinable or len(effect.amounts) > 1 for effect in effects):
        return False
    return all(effect.scope == "each" or len(applicable(roll, effect)) == 1 for effect in effects)


def with_forced(roll: Roll) -> Roll:
    """Return the roll with the remaining effects applied, if each of them can be applied in one way only."""
    left = unanswered_effects(roll)
    if not left:
        return roll
    if _forced(roll, left):
        for effect in left:
            roll = _adjusted(roll, effect, applicable(roll, effect), effect.amounts[0])
    return roll


def check_answered(roll: Roll) -> None:
    """Raise Violation 706.2 or 706.2a if the player still has to answer an effect."""
    for effect in to_answer(roll):
        if effect.declinable:
            text = N_("effect {effect} ({source}) is still to be applied or declined")
            refuse("706.2a", text, effect=effect.effect, source=effect.source)
        text = N_("effect {effect} ({source}) is still to be applied")
        refuse("706.2", text, effect=effect.effect, source=effect.source)


_COMES_FIRST = {"reroll": (), "adjust": ("reroll",), "exchange": ("reroll", "adjust")}


def _before(roll: Roll, effect: EffectState) -> list[tuple[EffectState, list[int]]]:
    """Return the unanswered effects that must come before this one, each with the dice that it can be applied to.

    Of effects that can be applied to the same dice only the first is returned.
    """
    first: dict[tuple[str, str | None], EffectState] = {}
    for other in unanswered_effects(roll) if _COMES_FIRST[effect.kind] else ():
        if other.kind in _COMES_FIRST[effect.kind]:
            first.setdefault(_alike(other), other)
    return [(other, applicable(roll, other)) for other in first.values()]


def applicable_now(roll: Roll, effect: EffectState) -> list[int]:
    """Return the numbers of the dice that an effect can be applied to and that no earlier effect waits for."""
    waiting = {number for _, dice in _before(roll, effect) for number in dice}
    return [number for number in applicable(roll, effect) if number not in waiting]


# --- applying and declining -------------------------------------------------------------------------------------------


def modify(game: Game, author: str, body: b.ModifyBody) -> Game:
    """Return the game after the roller applied an adjustment or exchange, or declined any effect.

    Raises Violation 706.2, 706.2a, 706.2b or 706.3b.
    """
    roll = open_roll(game.open, body.roll, "706.3b")
    effect = _answerable(roll, author, body.effect)
    if body.choice == "decline":
        if not effect.declinable:
            text = N_("effect {effect} ({source}) is not optional and has no cost: it must be applied")
            refuse("706.2a", text, effect=effect.effect, source=effect.source)
        return replace(game, open=answer(roll, effect.effect, "declined"))
    if effect.kind == "reroll":
        refuse("706.2b", "effect {effect} is a reroll: use reroll", effect=effect.effect)
    dice = _targets(roll, effect, given(body.dice, None))
    _check_first(roll, effect, dice)
    amount = _amount(effect, given(body.amount, None))
    _check_paid(effect, body.paid is True, body.mana_abilities is not UNSET)
    if effect.kind == "exchange":
        return replace(game, open=_exchanged(roll, effect, dice, amount, given(body.mana_abilities, None)))
    return replace(game, open=_adjusted(roll, effect, dice, amount, given(body.mana_abilities, None)))


def _answerable(roll: Roll, author: str, number: int) -> EffectState:
    """Return the effect with this number if the author may answer it now. Raises Violation 706.2a, 706.2b or 706.6."""
    check_roller(roll, author, "706.2b")
    check_ignored(roll)
    return _listed(roll, number)


def _listed(roll: Roll, number: int, controller: str | None = None) -> EffectState:
    """Return the unanswered effect with this number, which `controller` must control, unless that is None.

    Raises Violation 706.2b, or 706.2a for an effect that is answered already.
    """
    if not 1 <= number <= len(roll.effects):
        refuse("706.2b", "roll {roll} has no effect {effect}", roll=roll.roll, effect=number)
    effect = roll.effects[number - 1]
    if controller not in (None, effect.controller):
        text = N_("{controller} controls effect {effect} ({source}), not {author}")
        refuse("706.2b", text, controller=effect.controller, effect=number, source=effect.source, author=controller)
    if effect.answer == "ended":
        refuse("706.2a", "effect {effect} has ended: it no longer applies", effect=number)
    if effect.answer == "applied":
        refuse("706.2a", "effect {effect} has been applied already", effect=number)
    if effect.answer == "declined":
        refuse("706.2a", "effect {effect} has been declined already", effect=number)
    return effect


def _targets(roll: Roll, effect: EffectState, chosen: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the dice that an effect is applied to; `chosen` None means all, if the scope is `each`.
    Raises Violation.
    """
    clause = _clause(effect)
    if roll.all_planar and effect.kind != "reroll":
        _refuse_planar(effect)
    possible = applicable(roll, effect)
    if chosen is None:
        if effect.scope != "each":
            refuse(clause, "say which dice effect {effect} is applied to", effect=effect.effect)
        chosen = tuple(possible)
    for number in chosen:
        _check_target(find_die(roll.dice, number, clause), effect)
    if effect.scope == "each" and sorted(chosen) != possible:
        refuse(clause, "effect {effect} is applied to every die of the roll", effect=effect.effect)
    if effect.scope == "one" and len(chosen) != 1:
        refuse(clause, "effect {effect} is applied to exactly one die", effect=effect.effect)
    if not chosen or len(set(chosen)) != len(chosen):
        refuse(clause, "effect {effect} is applied to one die or more, each once", effect=effect.effect)
    return chosen


def _check_target(die: Die, effect: EffectState) -> None:
    if not die.counted:
        refuse("706.6", "die {die} is ignored: no effect applies to it", die=die.die)
    if not concerns(effect.only, die.kind):
        text = N_("effect {effect} ({source}) is for {kind} alone, and die {die} is none")
        refuse(_clause(effect), text, effect=effect.effect, source=effect.source, kind=effect.only, die=die.die)
    if die.planar and effect.kind != "reroll":
        _refuse_planar(effect)
    if die.exchanged:
        refuse("706.2", "the result of die {die} has been exchanged; an exchange comes last", die=die.die)
    if die.adjusted and effect.kind == "reroll":
        refuse("706.2b", "die {die} has been increased or decreased; rerolls come before that", die=die.die)


def _refuse_planar(effect: EffectState) -> None:
    text = N_("the planar die has no number: an increase or decrease does nothing to it")
    if effect.kind == "exchange":
        text = N_("the planar die has no number: there is no result to exchange")
    refuse("706.7", text)


def _clause(effect: EffectState) -> str:
    """Return the clause under which an effect is applied. Clause 706.2b has no step for exchanges, so
    theirs is 706.2.
    """
    return "706.2" if effect.kind == "exchange" else "706.2b"


_FIRST = {
    "adjust": N_("rerolls come first: apply or decline effect {effect} ({source}) before any increase or decrease"),
    "exchange": N_("an exchange comes last: before it, effect {effect} ({source}) is applied or declined"),
}


def _check_first(roll: Roll, effect: EffectState, dice: tuple[int, ...]) -> None:
    """Raise Violation 706.2b, or 706.2 for an exchange, if another effect must come first for one of these dice."""
    for other, possible in _before(roll, effect):
        if not set(dice).isdisjoint(possible):
            refuse(_clause(effect), _FIRST[effect.kind], effect=other.effect, source=other.source)


def _amount(effect: EffectState, chosen: int | None) -> int:
    """Return the amount to add, or the number to exchange a result with. Raises Violation 706.2 or 706.2b."""
    if effect.number is not None:
        if chosen is not None:
            refuse("706.2", "effect {effect} is an exchange: it has no amount to choose", effect=effect.effect)
        return effect.number
    if chosen is None and len(effect.amounts) == 1:
        return effect.amounts[0]
    if chosen is None or chosen not in effect.amounts:
        amounts = ", ".join(f"{a:+d}" for a in effect.amounts)
        refuse("706.2b", "effect {effect} offers {amounts}: choose one of them", effect=effect.effect, amounts=amounts)
    return chosen


def _check_paid(effect: EffectState, paid: bool, mana_abilities: bool) -> None:
    problem = None
    if effect.costs and not paid:
        problem = N_("effect {effect} has a cost ({cost}): pay it or decline")
    elif paid and not effect.costs:
        problem = N_("effect {effect} has no cost to pay")
    elif effect.mana_cost is not None and not mana_abilities:
        problem = N_(
            "effect {effect} has a mana cost ({cost}): first comes the chance to activate mana abilities; "
            "say which, or none"
        )
    elif mana_abilities and effect.mana_cost is None:
        problem = N_("effect {effect} has no mana cost, so there are no mana abilities to activate")
    if problem:
        refuse("706.2a", problem, effect=effect.effect, cost=effect.mana_cost or effect.cost)


# --- changes of the dice ----------------------------------------------------------------------------------------------


def answer(
    roll: Roll,
    number: int,
    answer: Literal["applied", "declined", "ended"],
    dice: Iterable[int] = (),
    mana_abilities: tuple[str, ...] | None = None,
) -> Roll:
    """Return the roll with the effect of this number answered, and applied to `dice` if it was applied."""
    effects = tuple(replace(e, answer=answer) if e.effect == number else e for e in roll.effects)
    done = Done(answer, tuple(dice), number, mana_abilities=mana_abilities)
    return replace(roll, effects=effects, course=(*roll.course, done))


def with_dice(roll: Roll, changed: Iterable[Die]) -> Roll:
    """Return the roll with these dice in place of those with the same numbers."""
    dice = list(roll.dice)
    for die in changed:
        dice[die.die - 1] = die
    return replace(roll, dice=tuple(dice))


def _adjusted(
    roll: Roll, effect: EffectState, dice: Iterable[int], amount: int, mana: tuple[str, ...] | None = None
) -> Roll:
    step, chosen = Adjusted(amount, effect.source), tuple(dice)
    old = [roll.dice[number - 1] for number in chosen]
    changed = [replace(die, result=(die.result or 0) + amount, steps=(*die.steps, step)) for die in old]
    return answer(with_dice(roll, changed), effect.effect, "applied", chosen, mana)


def _exchanged(roll: Roll, effect: EffectState, dice: Iterable[int], number: int, mana: tuple[str, ...] | None) -> Roll:
    chosen = tuple(dice)
    changed = []
    for die in (roll.dice[one - 1] for one in chosen):
        step = Exchanged(die.result or 0, number, effect.source)
        changed.append(replace(die, result=number, steps=(*die.steps, step)))
    return answer(with_dice(roll, changed), effect.effect, "applied", chosen, mana)


def reroll(game: Game, author: str, body: b.RerollBody) -> tuple[Game, tuple[int, ...]]:
    """Take a reroll of dice by an effect of the open roll. Return the game and the sides of the dice to draw.

    Raises Violation 706.2, 706.2a, 706.2b or 706.3b.
    """
    roll = open_roll(game.open, given(body.roll, 0), "706.3b")
    effect = _answerable(roll, author, given(body.effect, 0))
    if effect.kind != "reroll":
        text = N_("effect {effect} ({source}) does not reroll")
        refuse(_clause(effect), text, effect=effect.effect, source=effect.source)
    dice = _targets(roll, effect, given(body.dice, None))
    _check_paid(effect, body.paid is True, body.mana_abilities is not UNSET)
    pending = PendingReroll(effect.effect, dice, given(body.mana_abilities, None))
    return replace(game, rerolling=pending), tuple(roll.dice[number - 1].sides for number in dice)


def after_reroll(game: Game, roll: Roll, pending: PendingReroll, naturals: tuple[int, ...]) -> Game:
    """Return the game after the dice of a reroll were revealed."""
    source = roll.effects[pending.effect - 1].source
    changed = []
    for number, natural in zip(pending.dice, naturals, strict=True):
        die = roll.dice[number - 1]
        step = Rerolled(die.natural, source)
        result = None if die.planar else natural + roll.modifier
        changed.append(replace(die, naturals=(*die.naturals, natural), result=result, steps=(*die.steps, step)))
    roll = answer(with_dice(roll, changed), pending.effect, "applied", pending.dice, pending.mana_abilities)
    players = add_to_tally(game.players, roll.player, dice=len(naturals), rerolled=len(naturals))
    return replace(game, open=roll, rerolling=None, players=players)


# --- beginning and end of effects ----------------------------------------------------------------------------------


def add_effect(game: Game, author: str, body: b.DeclareEffect) -> Game:
    """Return the game with one more effect on the open roll. Raises Violation 705, 706.2, 706.2b or 706.3b."""
    roll = open_roll(game.open, body.roll, "706.3b")
    if roll.flips:
        refuse("705", "nothing modifies a coin that is flipped")
    if roll.random:
        refuse("706.2", "nothing modifies a choice at random: it is no roll of a die")
    controller = given(body.controller, author)
    effects = new_effects(controller, (body.effect,), len(roll.effects) + 1)
    if controller not in game.players:
        refuse("706.2b", "{controller} is no player of this game, so controls no effect", controller=controller)
    if controller in game.left:
        refuse("706.2b", "{controller} has left the game, so controls no effect", controller=controller)
    roll = replace(roll, effects=roll.effects + effects)
    check_load(roll.entry_weight, len(roll.sides), "706.2")
    return replace(game, open=roll)


def ends(game: Game, author: str, number: int, effect: int) -> Game:
    """Return the game after the controller of an effect said that it no longer applies to the open roll.

    Raises Violation 706.2a, 706.2b or 706.3b.
    """
    roll = open_roll(game.open, number, "706.3b")
    return replace(game, open=answer(roll, _listed(roll, effect, author).effect, "ended"))
