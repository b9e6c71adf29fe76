"""Groups of attacks: their characteristics, and which are equal (specs/wh40k.md, W8, W10, W20, W24)."""

from collections.abc import Iterable
from collections.abc import Sequence as Several

import msgspec
from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import BodyError, Event, given
from rules.bounds import MAX_DICE
from rules.history import find_roll
from rules.shared import check_room, refuse
from rules.wh40k import bodies as b
from rules.wh40k.equal import differences
from rules.wh40k.rolls import check_attacks
from rules.wh40k.state import Attack, Game, Group, Model, Mortal, Sequence, Unit
from rules.wh40k.units import clause_of, of_model, own_unit, possible, unit_of
from rules.wh40k.values import Computed, Step, characteristic, check_improved, check_size, highest, plain, wound_needs

__all__ = [
    "add_rules",
    "check_equal",
    "declare_attacks",
    "declare_mortal",
    "least_attacks",
    "queue",
    "wound_roll_needs",
]

_DOES = {
    "hit": frozenset({"extra_hits", "extra_attacks", "wound", "mortal", "slay"}),
    "wound": frozenset({"mortal", "improve_ap"}),
}
_MODELS_FOR_LEAST, _LEAST_ATTACKS, _MODELS_FOR_MOST = 6, 3, 11


def declare_attacks(game: Game, event: Event, body: b.DeclareAttacks) -> Game:
    """A unit is selected to shoot or fight."""
    unit = own_unit(game, event.author, body.unit)
    groups = tuple(_group(game, unit, number, group) for number, group in enumerate(body.groups, 1))
    return replace(game, sequence=Sequence(event.seq, event.author, unit.unit, groups))


def declare_mortal(game: Game, event: Event, body: b.DeclareMortal) -> Game:
    """Mortal wounds that no attack makes."""
    unit = unit_of(game, body.target)
    if not unit.alive:
        refuse("W20", "{unit} is destroyed", unit=unit.unit)
    count = given(body.count, 0)
    if not isinstance(body.roll, UnsetType):
        count = _rolled(game, event.author, body.roll)
    mortal = (Mortal(body.target, body.source, count, 1),) if count > 0 else ()
    return replace(game, sequence=Sequence(event.seq, event.author, None, target=body.target, mortal=mortal))


def add_rules(game: Game, body: b.DeclareRules) -> Game:
    """More modifiers or abilities for groups of the open sequence, before their first dice (W20)."""
    sequence = game.sequence
    if sequence is None or sequence.unit is None:
        refuse("W19", "no attacks are under way that rules could be declared for")
    groups = list(sequence.groups)
    for number in dict.fromkeys(body.groups):
        group = sequence.group(number)
        if group.started:
            text = "dice have been rolled for group {group}: its rules are declared before that"
            refuse("W20", text, group=number)
        modifiers = given(group.body.modifiers, ()) + given(body.modifiers, ())
        abilities = group.abilities + given(body.abilities, ())
        check_room(max(len(modifiers), len(abilities)) - 1, "W20")
        try:
            told = replace(group.body, modifiers=modifiers, abilities=abilities, announced=msgspec.UNSET)
        except BodyError as error:
            refuse("W20", "{problem}", problem=error)
        groups[number - 1] = _group(game, game.units[sequence.unit], number, told, group)
    return replace(game, sequence=replace(sequence, groups=tuple(groups)))


def wound_roll_needs(group: Group, strength: int | None) -> int:
    """What a hit of the group needs to wound (W17); `strength` as rolled where S is random."""
    return wound_needs(group.S.number if strength is None else strength, group.T.number)


def least_attacks(group: Group) -> int:
    """What each bearer makes at least, whatever its A (W24)."""
    return _LEAST_ATTACKS if group.blast and group.models >= _MODELS_FOR_LEAST else 0


def queue(group: Group, attacks: Iterable[int]) -> tuple[Attack, ...]:
    """The attacks of the bearers, so many of each, in order."""
    pairs = zip(group.body.bearers, attacks, strict=True)
    return tuple(attack for bearer, count in pairs for attack in (Attack(bearer),) * count)


# --- groups --------------------------------------------------------------------------------------------------------


def _group(game: Game, unit: Unit, number: int, body: b.Group, declared: Group | None = None) -> Group:
    """The group with all that is computed from what is declared; the target is as it was when it was `declared`."""
    target = _target(game, unit, body)
    bearers = _bearers(unit, body)
    _check_triggers(body)
    toughness = _majority(target) if declared is None else declared.T.steps[0].value
    models = len(target.alive) if declared is None else declared.models
    none = Computed(0)
    group = Group(number, body, skill=none, A=none, S=none, T=none, AP=none, D=none, models=models, queue=None)
    group = replace(
        group,
        skill=_skill(bearers[0], group),
        S=_own(bearers[0], group, "S", body.S),
        A=_own(bearers[0], group, "A", body.A),
        T=characteristic("T", toughness, group.changes("T")),
        AP=characteristic("AP", body.AP, group.changes("AP")),
        D=_plain("D", body.D, group.changes("D")),
    )
    _check_sizes(group, target)
    _check_announced(group)
    return _count_attacks(group)


def _target(game: Game, unit: Unit, body: b.Group) -> Unit:
    target = unit_of(game, body.target)
    if target.player == unit.player:
        refuse("W20", "{target} is {player}'s own", target=target.unit, player=unit.player)
    if not target.alive:
        refuse("W20", "{target} is destroyed", target=target.unit)
    return target


def _bearers(unit: Unit, body: b.Group) -> list[Model]:
    if len(set(body.bearers)) != len(body.bearers):
        refuse("W20", "each bearer of {weapon} is named once", weapon=body.weapon)
    bearers = [unit.model(number, "W20") for number in body.bearers]
    used = [_skill_name(body), *(name for name in ("A", "S") if getattr(body, name) == "user")]
    used += ["T"] if body.S == "user" and bearers[0].line.S == "-" else []
    for name in used:
        if len({plain(getattr(model.line, name)) for model in bearers}) > 1:
            text = "the bearers of {weapon} differ in {name}: make a group for each"
            refuse("W20", text, weapon=body.weapon, name=name)
    return bearers


def _check_triggers(body: b.Group) -> None:
    for ability in given(body.abilities, ()):
        if isinstance(ability, b.Trigger) and ability.does not in _DOES[ability.on]:
            text = "{source}: a {on} roll does not do that ({does}); it does {can}"
            can = ", ".join(sorted(_DOES[ability.on]))
            refuse("W23", text, source=ability.source, on=ability.on, does=ability.does, can=can)
        if isinstance(ability, b.Blast) and body.type == "melee":
            refuse("W24", "{weapon} is a blast weapon: it shoots, it does not fight", weapon=body.weapon)


def _majority(target: Unit) -> int:
    """The T of most of the unit's models, the highest on a tie."""
    toughness = [model.line.T for model in target.alive]
    return max(set(toughness), key=lambda t: (toughness.count(t), t))


def _skill_name(body: b.Group) -> str:
    return "BS" if body.type == "ranged" else "WS"


def _skill(model: Model, group: Group) -> Computed:
    name = _skill_name(group.body)
    other = group.changes("WS" if name == "BS" else "BS")
    if other:
        text = "{source} changes a skill that {type} attacks do not use"
        refuse("W20", text, source=other[0].source, type=group.body.type)
    skill = of_model(model, name, group.changes(name))
    if skill.value == "-":
        refuse("W8", "a {name} of “-” makes no {type} attacks", name=name, type=group.body.type)
    return skill


def _own(model: Model, group: Group, name: str, value: int | str) -> Computed:
    """A or S, the bearer's own where the weapon says so."""
    if value != "user":
        return _plain(name, value, group.changes(name))
    computed = of_model(model, name, group.changes(name))
    if computed.value == "-":
        refuse("W8", "the bearer has no {name} (“-”): {weapon} makes no attacks", name=name, weapon=group.body.weapon)
    return computed


def _plain(name: str, value: int | str, changes: tuple[b.Change, ...]) -> Computed:
    return Computed(plain(value)) if isinstance(value, str) else characteristic(name, value, changes)


def _check_sizes(group: Group, target: Unit) -> None:
    """No dice that are still to come can make a computation fail: see that now."""
    for name, computed in (("A", group.A), ("S", group.S), ("D", group.D)):
        if computed.dice is not None:
            check_size(possible(computed.dice), group.changes(name), name)
    for on in ("hit", "wound", "save", "invulnerable"):
        check_size((1, 6), group.changes(on), None)
    improvements = {0}
    for _, trigger in group.triggers("wound"):
        if trigger.does == "improve_ap" and isinstance(trigger.amount, int):
            improvements |= {amount + trigger.amount for amount in improvements}
    check_improved(group.body.AP, group.changes("AP"), improvements)
    for save in {model.line.Sv for model in target.models}:
        characteristic("Sv", save, group.changes("Sv"))


def _check_announced(group: Group) -> None:
    """What the player said these are is what they are."""
    said = group.body.announced
    if isinstance(said, UnsetType):
        return
    name = _skill_name(group.body)
    for told, label, computed in (
        (said.hit, name, group.skill),
        (said.S, "S", group.S),
        (said.T, "T", group.T),
        (said.AP, "AP", group.AP),
    ):
        if not isinstance(told, UnsetType) and told != computed.value:
            text = "{name} is {expected}, not {actual}"
            clause = clause_of(label, computed)
            refuse(clause, text, name=label, expected=computed.value, actual=told)
    if not isinstance(said.wound, UnsetType):
        needs = wound_roll_needs(group, None) if isinstance(group.S.value, int) else None
        if said.wound != needs:
            if needs is None:
                text = "S is rolled ({S}), so what is needed to wound is not known before: announce nothing of it"
                refuse("W17", text, S=group.S.value)
            text = "S {S} against T {T} wounds on {expected}+, not {actual}+"
            refuse("W17", text, S=group.S.value, T=group.T.value, expected=needs, actual=said.wound)


def _count_attacks(group: Group) -> Group:
    """The group with its attacks, where no dice are needed for their number."""
    dice, bearers, least = group.A.dice, len(group.body.bearers), least_attacks(group)
    if dice is not None and group.blast and group.models >= _MODELS_FOR_MOST:
        rolled = characteristic("A", dice.highest, group.changes("A"), rolled=True)
        group = replace(group, A=Computed(rolled.value, (replace(rolled.steps[0], op="blast"), *rolled.steps[1:])))
    elif dice is not None:
        most = max(least, dice.count, highest("A", possible(dice), group.changes("A")))
        check_attacks(most * bearers, "W9")
        return group
    if least and group.A.number < least:
        group = replace(group, A=Computed(least, (*group.A.steps, Step("blast", least))))
    check_attacks(group.A.number * bearers, "W9")
    attacks = queue(group, [group.A.number] * bearers)
    return replace(group, queue=attacks, attacks=len(attacks))


def _rolled(game: Game, author: str, number: int) -> int:
    roll = find_roll(game.settled, None, number)
    if roll is None or roll.player != author or roll.purpose.of != "free" or roll.status != "resolved":
        refuse("W20", "{author} has no settled free roll {roll}", author=author, roll=number)
    return sum(part.result or 0 for part in roll.parts)


# --- equal attacks -------------------------------------------------------------------------------------------------


def check_equal(game: Game, taken: Several[tuple[Group, Attack]]) -> None:
    """W10: these attacks may be rolled together. Raises Violation with what differs."""
    groups = tuple({group.group: group for group, _ in taken}.values())
    if len(taken) > 1:
        if not game.fast_rolling:
            text = "this game does not roll attacks together: roll one at a time (count 1), not {count}"
            refuse("W10", text, count=len(taken))
        different = next(iter(differences(groups)), None)
        if different is not None:
            text = "these attacks differ in {name} ({values}): roll them apart"
            refuse("W10", text, name=different.name, values=different.values)
        if any(isinstance(group.S.value, str) for group in groups):
            text = "S is rolled ({S}) for each of these attacks, so they differ in S: roll them apart"
            refuse("W10", text, S=groups[0].S.value)
        slaying = next((t for group in groups for _, t in group.triggers("hit") if t.does == "slay"), None)
        if slaying is not None:
            text = "{source} may slay the bearer, so one attack can end another's: roll them apart"
            refuse("W10", text, source=slaying.source)
    if sum(_most_hits(group, attack) for group, attack in taken) > MAX_DICE:
        text = "{count} attacks could make more than {most} hits: take fewer at a time"
        refuse("W10", text, count=len(taken), most=MAX_DICE)


def _most_hits(group: Group, attack: Attack) -> int:
    """What one attack can come to: attacks that hit by themselves, or that a trigger made, set off none (W23)."""
    if attack.extra or group.auto_hit:
        return 1
    triggers = [trigger for _, trigger in group.triggers("hit") if trigger.does == "extra_hits"]
    return 1 + sum(trigger.amount for trigger in triggers if isinstance(trigger.amount, int))
