"""What an event says, on one line, and what a roll comes to."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from rules.base import Body, Event, given
from rules.data.language import N_, Listed, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k import rerolls
from rules.systems.wh40k.happened import happened
from rules.systems.wh40k.phrases import ability, change, changes, few, models, ranges, steps, which
from rules.systems.wh40k.record import Part, Roll
from rules.systems.wh40k.settling import settle, settled
from rules.systems.wh40k.state import Game
from rules.systems.wh40k.tables import tables
from rules.systems.wh40k.view import shown

__all__ = ["notes", "summarize", "tables"]


def summarize(event: Event) -> Message | None:
    """An event of the domain in one short sentence."""
    match event.body:
        case b.DeclareBody() as body:
            return _declared(body)
        case b.RollBody() as body:
            return _rolled(body)
        case b.RerollBody() as body:
            return _rerolled(body)
        case b.ModifyBody() as body:
            return Message("roll {roll}: {changes}", roll=body.roll, changes=changes(body.modifiers))
        case b.ResolveBody() as body:
            return _resolved(body)
        case _:
            return None


# --- declared ------------------------------------------------------------------------------------------------------


_BEGINS: dict[b.Phase, str] = {
    "command": N_("the command phase begins"),
    "movement": N_("the movement phase begins"),
    "psychic": N_("the psychic phase begins"),
    "shooting": N_("the shooting phase begins"),
    "charge": N_("the charge phase begins"),
    "fight": N_("the fight phase begins"),
    "morale": N_("the morale phase begins"),
}


def _declared(body: Body) -> Message | None:
    match body:
        case b.DeclarePhase():
            return Message(_BEGINS[body.phase])
        case b.DeclareCharacteristic():
            return _asked(body)
        case b.DeclareAttacks():
            return _attacks(body.unit, body.groups)
        case b.DeclareRules():
            return _rules(body)
        case b.DeclareAlways():
            text = N_("for group {groups}: {rule}")
            return Message(text, groups=ranges(body.groups), rule=ability(body.abilities[0]))
        case b.DeclareMortal():
            return _mortal(body)
        case b.DeclareReroll() | b.DeclareReplace() | b.DeclareWaive():
            return _of_roll(body)
        case _:
            return _of_unit(body)


def _of_unit(body: Body) -> Message | None:
    match body:
        case b.DeclareUnit():
            lines = few([Message("{count} {name}", count=line.count, name=line.name) for line in body.models])
            return Message("{unit} is on the table: {name}, {models}", unit=body.unit, name=body.name, models=lines)
        case b.DeclareGone():
            return Message("{unit} is off the table", unit=body.unit)
        case b.DeclareWounds():
            text = N_("model {model} of {unit} has now lost {lost} ({source})")
            return Message(text, model=body.model, unit=body.unit, lost=body.lost, source=body.source)
        case b.DeclareMove():
            return _with(Message("{unit} is selected to move", unit=body.unit), given(body.modifiers, ()))
        case _:
            return None


def _of_roll(body: b.DeclareReroll | b.DeclareReplace | b.DeclareWaive) -> Message:
    match body:
        case b.DeclareReroll(reroll=rule):
            text = N_("roll {roll} may be rerolled: {which} ({source})")
            return Message(text, roll=body.roll, which=which(rule), source=rule.source)
        case b.DeclareReplace():
            text = N_("die {die} of roll {roll} counts as {shows} ({source})")
            return Message(text, die=body.die, roll=body.roll, shows=body.shows, source=body.source)
        case b.DeclareWaive(roll=int(roll)):
            return Message("no die of roll {roll} is to be rerolled", roll=roll)
        case b.DeclareWaive():
            return Message("no Command Re-roll in this phase")


def _with(text: Message, told: Sequence[b.Change]) -> Message:
    return Message("{text}, {changes}", text=text, changes=changes(told)) if told else text


def _asked(body: b.DeclareCharacteristic) -> Message:
    name = body.characteristic
    text = Message("what {name} {printed} is", name=name, printed=given(body.printed, ""))
    if isinstance(body.unit, str):
        values = {"name": name, "model": given(body.model, 0), "unit": body.unit}
        text = Message("what {name} of model {model} of {unit} is", **values)
    text = _with(text, given(body.modifiers, ()))
    return text if body.value is UNSET else Message("{text}; said to be {value}", text=text, value=body.value)


def _attacks(unit: str, groups: Sequence[b.Group]) -> Message:
    told = []
    for group in groups:
        text = N_("{weapon} at {target}")
        bearers = given(group.bearers, ())
        if bearers:
            text = N_("{weapon} at {target} ({models})")
        told.append(Message(text, weapon=group.weapon, target=group.target, models=models(bearers) if bearers else ""))
    types = {group.type for group in groups}
    text = N_("{unit} shoots: {attacks}") if types == {"ranged"} else N_("{unit} fights: {attacks}")
    return Message(text, unit=unit, attacks=few(told))


def _rules(body: b.DeclareRules) -> Message:
    sources = dict.fromkeys(rule.source for rule in (*given(body.modifiers, ()), *given(body.abilities, ())))
    return Message("more rules for group {groups}: {rules}", groups=ranges(body.groups), rules=few([*sources]))


def _mortal(body: b.DeclareMortal) -> Message:
    if isinstance(body.roll, int):
        text = N_("as many mortal wounds on {target} as roll {roll} came to ({source})")
        return Message(text, target=body.target, roll=body.roll, source=body.source)
    text = N_("{count} mortal wounds on {target} ({source})")
    return Message(text, count=given(body.count, 0), target=body.target, source=body.source)


# --- rolled --------------------------------------------------------------------------------------------------------

_PLAIN: dict[type[Body], str] = {
    b.ExtraRoll: N_("the number of further hits"),
    b.StrengthRoll: N_("the Strength of the hits"),
    b.WoundRoll: N_("to wound"),
    b.DamageRoll: N_("the damage"),
    b.MortalRoll: N_("the number of mortal wounds"),
}


def _rolled(body: b.RollBody) -> Message | None:
    match body:
        case b.FreeRoll():
            return _free(body)
        case b.OffRoll():
            names = Listed(given(body.players, ()))
            text = N_("a roll-off of {players}: {source}") if given(body.players, ()) else N_("a roll-off: {source}")
            return Message(text, players=names, source=body.source)
        case b.AttackRoll():
            return _attacks(body.unit, body.groups)
        case b.MoveRoll():
            return Message("the Move of {unit}", unit=body.unit)
        case b.AttacksRoll():
            return Message("the number of attacks of group {group}", group=body.group)
        case b.HitRoll(count=int(count)):
            return Message("to hit with {count} of group {groups}", count=count, groups=ranges(body.groups))
        case b.HitRoll():
            return Message("to hit with group {groups}", groups=ranges(body.groups))
        case b.SaveRoll():
            return _save(body)
        case b.IgnoreRoll():
            return _ignored(body)
        case _:
            return Message(_PLAIN[type(body)]) if type(body) in _PLAIN else None


_TESTS = {"hit": N_("as a hit roll"), "wound": N_("as a wound roll"), "save": N_("as a save roll")}


def _free(body: b.FreeRoll) -> Message:
    text = N_("{dice} for {source}")
    if body.sum is True:
        text = N_("{dice} added together for {source}")
    told = [Message(text, dice=body.dice, source=body.source)]
    if isinstance(body.test, str):
        told.append(Message(_TESTS[body.test]))
    if isinstance(body.needs, int):
        text = N_("{needs} or less is needed") if body.at_most is True else N_("{needs}+ is needed")
        told.append(Message(text, needs=body.needs))
    return Listed((*told, *map(change, given(body.modifiers, ()))))


def _save(body: b.SaveRoll) -> Message:
    text = Message("an invulnerable save") if body.invulnerable is True else Message("a save")
    if isinstance(body.count, int) and body.count > 1:
        kind = N_("{count} saves") if body.invulnerable is not True else N_("{count} invulnerable saves")
        text = Message(kind, count=body.count)
    if isinstance(body.model, int):
        return Message("{saves}, from model {model}", saves=text, model=body.model)
    return text


def _ignored(body: b.IgnoreRoll) -> Message:
    if isinstance(body.model, int):
        text = N_("to ignore {count} mortal wounds on model {model}")
        return Message(text, count=given(body.count, 0), model=body.model)
    return Message("to ignore damage")


def _rerolled(body: b.RerollBody) -> Message:
    rule = Message("the Command Re-roll")
    if isinstance(body.reroll, int):
        rule = Message("its rule {rule}", rule=body.reroll)
    if dice := given(body.dice, ()):
        return Message("dice {dice} of roll {roll}, by {rule}", dice=ranges(dice), roll=body.roll, rule=rule)
    return Message("roll {roll}, by {rule}", roll=body.roll, rule=rule)


def _resolved(body: b.ResolveBody) -> Message:
    if groups := given(body.groups, ()):
        text = N_("the attacks of group {groups} hit without a roll")
        if isinstance(body.count, int):
            text = N_("{count} attacks of group {groups} hit without a roll")
        return Message(text, count=given(body.count, 0), groups=ranges(groups))
    if isinstance(body.model, int):
        text = N_("model {model} takes the wound, without a save")
        if isinstance(body.mortal, int):
            text = N_("{mortal} mortal wounds on model {model}")
        return Message(text, model=body.model, mortal=given(body.mortal, 0))
    told = [Message("the dice of roll {roll} stand", roll=given(body.roll, 0))]
    if isinstance(body.results, tuple):
        told.append(Message("results {results}", results=few([str(result) for result in body.results])))
    if isinstance(body.passed, tuple):
        passed = N_("successes {passed}") if body.passed else N_("no success")
        told.append(Message(passed, passed=ranges(set(body.passed))))
    if isinstance(body.triggered, tuple):
        told.append(Message("abilities set off: {abilities}", abilities=few([str(t.ability) for t in body.triggered])))
    return Listed(told)


# --- notes ---------------------------------------------------------------------------------------------------------


def notes(game: Game, number: int) -> tuple[Message, ...]:
    """What a roll comes to and did, and what can still be done to it."""
    roll, opened = shown(game, number), game.open
    if roll is None or not roll.parts:
        return ()
    told: list[Message] = []
    if roll.parts[0].result is None:
        told += _to_come(roll)
    else:
        told += _of_settled(roll)
    if opened is not None and opened.roll == number:
        told += _rerolls(game, opened)
        told += happened(game, settled(game))
    elif game.undo is not None and game.undo.roll.roll == number:
        told += happened(game.undo.before, settle(game.undo.before, game.undo.roll))
    return tuple(told)


def _to_come(roll: Roll) -> Iterator[Message]:
    needs = {part.needs for part in roll.parts}
    if len(needs) == 1 and None not in needs:
        yield Message(N_("{needs} or less is needed") if roll.at_most else N_("{needs}+ is needed"), needs=needs.pop())
    if roll.changes:
        yield Message("to be modified: {changes}", changes=changes(roll.changes))


def _rerolls(game: Game, roll: Roll) -> Iterator[Message]:
    for number, rule in enumerate(roll.rerolls, 1):
        dice = rerolls.takes(game, roll, rule)
        text = N_("rule {number}, {source}, may reroll {which}: no die now")
        if dice:
            text = N_("rule {number}, {source}, may reroll {which}: {dice}")
        values = Listed([f"{die} ({roll.dice[die - 1].value})" for die in dice])
        yield Message(text, number=number, source=rule.source, which=which(rule), dice=values)


def _of_settled(roll: Roll) -> Iterator[Message]:
    changed: list[Part] = [part for part in roll.parts if len(part.steps) > 1]
    if len(roll.parts) == 1 and changed:
        yield steps(changed[0].steps)
    elif changed:
        yield Message("modified: {changes}", changes=changes(roll.changes))
        if any(step.op == "cap" for part in changed for step in part.steps):
            yield Message("a hit or wound roll is never modified by more than 1")
    if len(roll.parts) > 1 and roll.parts[0].passed is not None:
        passed = [die for part in roll.parts if part.passed for die in part.dice]
        yield Message("successes: dice {dice}", dice=ranges(passed)) if passed else Message("no success")
