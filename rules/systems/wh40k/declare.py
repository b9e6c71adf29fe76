"""Declaration of attacks: groups with their characteristics, and rules that are added later (specs/wh40k.md, W8, W20,
W24).
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.actions import Action
from rules.base import BodyError, Event, given
from rules.common.shared import check_load, check_room, check_weight, refuse, weight
from rules.data.bounds import MAX_TOLD
from rules.data.language import N_, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.attack_grouping import check_batch, hits_of
from rules.systems.wh40k.fields import free, one_of, one_unit, some_of
from rules.systems.wh40k.next_step import idle
from rules.systems.wh40k.record import Attack, Number, ToHit
from rules.systems.wh40k.rolls import check_attacks
from rules.systems.wh40k.state import (
    AttackGroup,
    AttackSequence,
    Choosing,
    Game,
    Ignoring,
    Model,
    RollingDamage,
    RollingExtra,
    RollingStrength,
    RollingWounds,
    Saving,
    Unit,
)
from rules.systems.wh40k.terms import OF_ATTACKER, OF_DEFENDER, Blast, Change, Group, Trigger, WoundsOn, most_of
from rules.systems.wh40k.units import clause_of, of_model, own_unit, possible, standing, unit_of
from rules.systems.wh40k.values import (
    Computed,
    Step,
    characteristic,
    check_improved,
    check_size,
    highest,
    plain,
    wound_needs,
)

__all__ = [
    "add_always",
    "add_rules",
    "after_dice",
    "announced_wound",
    "check_once",
    "declare_attacks",
    "least_attacks",
    "offers",
    "offers_of_rules",
    "queue",
    "wound_roll_needs",
]

_DOES = {
    "hit": frozenset({"extra_hits", "extra_attacks", "wound", "mortal", "slay"}),
    "wound": frozenset({"mortal", "improve_ap"}),
}
MOST_TOLD = 3 * MAX_TOLD
"""the weight of the entries of all groups of a sequence"""
_MODELS_FOR_LEAST, _LEAST_ATTACKS, _MODELS_FOR_MOST = 6, 3, 11
_AFTER_DICE = frozenset({"save", "invulnerable", "AP", "Sv", "D"})


def declare_attacks(game: Game, event: Event, body: b.DeclareAttacks | b.AttackRoll) -> Game:
    """Return the game after a unit was selected to shoot or fight. Raises Violation."""
    if game.sequence is not None:
        refuse("W19", "the attacks of event {sequence} are not finished", sequence=game.sequence.sequence)
    unit = standing(own_unit(game, event.author, body.unit))
    groups = []
    for number, group in enumerate(body.groups, 1):
        _check_told(group)
        groups.append(_group(game, unit, number, group))
    _check_all_told(groups)
    sequence = AttackSequence(event.seq, event.author, unit.unit, Choosing(None), tuple(groups))
    return replace(game, sequence=idle(sequence, None))


def add_always(game: Game, author: str, body: b.DeclareAlways) -> Game:
    """Return the game with a rule that always rerolls, which only the player of these rolls may declare (W20).

    Raises Violation.
    """
    sequence, _ = _attacks(game)
    check_once(body.groups)
    for number in body.groups:
        roller = _roller(game, sequence, sequence.group(number), body.of)
        if author != roller:
            text = N_("{source} is for {player} to say, who makes these rolls; without “always” anybody may declare it")
            refuse("W20", text, source=body.reroll.source, player=roller)
    return add_rules(game, body)


def add_rules(game: Game, body: b.DeclareRules | b.DeclareAlways) -> Game:
    """Return the game with more modifiers or abilities for groups, before their first dice (W20). Raises Violation."""
    sequence, unit = _attacks(game)
    check_once(body.groups)
    groups = list(sequence.groups)
    for number in body.groups:
        group = sequence.group(number)
        late = _late(game, group)
        if late and (given(body.abilities, ()) or any(m.on not in _AFTER_DICE for m in given(body.modifiers, ()))):
            text = N_(
                "dice have been rolled for group {group}, or nobody makes its attacks: rules are declared before that"
            )
            refuse("W20", text, group=number)
        modifiers = given(group.body.modifiers, ()) + given(body.modifiers, ())
        abilities = group.abilities + given(body.abilities, ())
        check_room(max(len(modifiers), len(abilities)) - 1, "W20")
        try:
            extended = replace(group.body, modifiers=modifiers, abilities=abilities, announced=UNSET)
        except BodyError as error:
            refuse("W20", "{problem}", problem=error)
        _check_told(extended)
        if not group.bearers:
            groups[number - 1] = replace(group, body=extended)
            continue
        found = _group(game, unit, number, extended, group)
        groups[number - 1] = replace(group, body=extended, AP=found.AP, D=found.D) if late else found
    _check_all_told(groups)
    begun = [groups[number - 1] for number in body.groups if _late(game, sequence.group(number))]
    if begun:
        check_batch(begun, _under_way(game, sequence), "W20")
    return replace(game, sequence=replace(sequence, groups=tuple(groups)))


def _check_told(body: Group) -> None:
    """Raise Violation W20 if the entries of a group weigh too much for the hits of one attack."""
    abilities = given(body.abilities, ())
    weight_of_all = weight(m.source for m in given(body.modifiers, ())) + weight(
        ability.source for ability in abilities
    )
    extra = sum(most_of(a.amount) for a in abilities if isinstance(a, Trigger) and a.does == "extra_hits")
    check_load(weight_of_all, 1 + extra, "W20")


def _check_all_told(groups: list[AttackGroup]) -> None:
    text = N_("everything that affects these attacks weighs {told}, names included; the most is {most}")
    check_weight(sum(group.entry_weight for group in groups), "W20", text, most=MOST_TOLD)


def _under_way(game: Game, sequence: AttackSequence) -> int:
    """Return the number of hits that the current batch has or can have."""
    match sequence.at:
        case RollingExtra(hits=hits, owed=owed):
            return len(hits) + sum(most_of(extra.amount) for extra in owed)
        case RollingStrength(hits=hits) | RollingWounds(hits=hits):
            return len(hits)
        case Saving(wounds=wounds):
            return len(wounds)
        case RollingDamage(wounds=wounds) | Ignoring(wounds=wounds):
            return len(wounds) + 1
        case _ if game.open is not None and isinstance(game.open.purpose, ToHit):
            return hits_of((sequence.group(number), attack) for number, attack in game.open.purpose.attacks)
        case _:
            return 0


def after_dice(game: Game, body: b.DeclareRules) -> bool:
    """Return whether rules come after dice of one of their groups."""
    sequence = game.sequence
    return sequence is not None and any(_late(game, sequence.group(number)) for number in body.groups)


def _late(game: Game, group: AttackGroup) -> bool:
    return group.started or not group.bearers or group.group in _on_the_table(game)


def check_once(numbers: tuple[int, ...]) -> None:
    """Raise Violation W19 if a group is named twice."""
    if len(set(numbers)) != len(numbers):
        refuse("W19", "each group is named once")


def _on_the_table(game: Game) -> frozenset[int]:
    """Return the groups whose first dice are in the open roll."""
    match game.open.purpose if game.open is not None else None:
        case ToHit(attacks=attacks):
            return frozenset(number for number, _ in attacks)
        case Number(group=number):
            return frozenset({number})
        case _:
            return frozenset()


def _attacks(game: Game) -> tuple[AttackSequence, Unit]:
    """Return the open sequence of attacks, and the attacking unit. Raises Violation W19."""
    if game.sequence is None or game.sequence.unit is None:
        refuse("W19", "no attacks are under way that rules could be declared for")
    return game.sequence, game.units[game.sequence.unit]


def _roller(game: Game, sequence: AttackSequence, group: AttackGroup, of: str) -> str:
    """Return the player who makes rolls of kind `of` for a group."""
    return game.units[group.body.target].player if of in OF_DEFENDER else sequence.player


def offers(game: Game, party: str) -> Iterator[Action]:
    """Yield the attacks that the player can declare, with and without their first dice."""
    units = [unit.unit for unit in game.units.values() if unit.player == party and unit.alive]
    if not units:
        return
    clauses = ("W2", "W8", "W9", "W13", "W14", "W17", "W19", "W20", "W23", "W24")
    unit = one_unit("unit", N_("the unit that shoots or fights"), game, units)
    fields = (unit, free("groups", N_("its attacks, by weapon and target"), "groups", *clauses))
    yield Action("roll", Message("shoot or fight: declare attacks and roll"), "W10", fields, {"for": "attack"})
    yield Action("declare", Message("declare attacks"), "W20", fields, {"what": "attacks"})


def offers_of_rules(game: Game, party: str) -> Iterator[Action]:
    """Yield the rules that anybody can declare for the open sequence, and those for the player's own rolls."""
    sequence = game.sequence
    if sequence is None or sequence.unit is None:
        return
    clauses = ("W2", "W8", "W9", "W13", "W17", "W20", "W23", "W24")
    numbers = [(g.group, Message("{weapon}", weapon=g.body.weapon)) for g in sequence.groups]
    groups = some_of("groups", N_("the groups of attacks"), numbers, 1, len(numbers))
    modifiers = N_("what changes their rolls and characteristics")
    abilities = N_("their abilities")
    for wanted in ("modifiers", "abilities"):
        label = Message("declare modifiers of attacks") if wanted == "modifiers" else Message("declare abilities")
        fields = (
            groups,
            free("modifiers", modifiers, "modifiers", *clauses, required=wanted == "modifiers"),
            free("abilities", abilities, "abilities", *clauses, required=wanted == "abilities"),
        )
        yield Action("declare", label, "W20", fields, {"what": "rules"})
    for ofs, label in (
        (OF_ATTACKER, Message("declare what is always rerolled of your attacks")),
        (OF_DEFENDER, Message("declare what is always rerolled of your saves")),
    ):
        own = [
            (group.group, Message("{weapon}", weapon=group.body.weapon))
            for group in sequence.groups
            if not _late(game, group) and _roller(game, sequence, group, ofs[0]) == party
        ]
        if own:
            fields = (
                some_of("groups", N_("the groups of attacks"), own, 1, len(own)),
                one_of("of", N_("the rolls that it is for"), ofs),
                free("reroll", N_("the rule by which dice are rerolled"), "plain-rule", "W20"),
            )
            yield Action("declare", label, "W20", fields, {"what": "always"})


def wound_roll_needs(group: AttackGroup, strength: int | None) -> int:
    """Return what a hit of the group needs to wound (W17). `strength` is the rolled one if S is random."""
    if group.wounds_on is not None:
        return group.wounds_on
    return wound_needs(group.S.number if strength is None else strength, group.T.number)


def announced_wound(group: AttackGroup) -> int | None:
    """Return what a hit of the group needs to wound; None if it depends on a random S."""
    known = group.wounds_on is not None or isinstance(group.S.value, int)
    return wound_roll_needs(group, None) if known else None


def least_attacks(group: AttackGroup) -> int:
    """Return the least number of attacks that each bearer makes, whatever its A is (W24)."""
    return _LEAST_ATTACKS if group.blast and group.models >= _MODELS_FOR_LEAST else 0


def queue(group: AttackGroup, attacks: Iterable[int]) -> tuple[Attack, ...]:
    """Return the attacks of the bearers in order, with the given number for each bearer."""
    pairs = zip(group.bearers, attacks, strict=True)
    return tuple(attack for bearer, count in pairs for attack in (Attack(bearer),) * count)


# --- groups --------------------------------------------------------------------------------------------------------


def _group(game: Game, unit: Unit, number: int, body: Group, declared: AttackGroup | None = None) -> AttackGroup:
    """Return the group with its computed characteristics.

    With `declared`, the target counts as it was when that group was declared.
    """
    target = _target(game, unit, body)
    bearers = _bearers(unit, body, declared)
    _check_triggers(body)
    toughness = _majority(target) if declared is None else declared.T.steps[0].value
    models = len(target.alive) if declared is None else declared.models
    none = Computed(0)
    group = AttackGroup(number, body, skill=none, A=none, S=none, T=none, AP=none, D=none, models=models, queue=None)
    group = replace(group, bearers=tuple(model.model for model in bearers))
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


def _target(game: Game, unit: Unit, body: Group) -> Unit:
    target = unit_of(game, body.target)
    if target.player == unit.player:
        refuse("W20", "{target} is {player}'s own", target=target.unit, player=unit.player)
    if not target.alive:
        refuse("W20", "{target} is destroyed", target=target.unit)
    return target


def _bearers(unit: Unit, body: Group, declared: AttackGroup | None) -> list[Model]:
    numbers = given(body.bearers, tuple(model.model for model in unit.alive))
    if declared is not None:
        numbers = declared.bearers
    if len(set(numbers)) != len(numbers):
        refuse("W20", "each bearer of {weapon} is named once", weapon=body.weapon)
    # The bearers of a declared group stay the same, even if some are destroyed by now.
    there = unit.models if declared is not None else None
    bearers = [there[number - 1] if there else unit.model(number, "W20") for number in numbers]
    used = [_skill_name(body), *(name for name in ("A", "S") if getattr(body, name) == "user")]
    used += ["T"] if body.S == "user" and bearers[0].line.S == "-" else []
    for name in used:
        if len({plain(getattr(model.line, name)) for model in bearers}) > 1:
            text = N_("the bearers of {weapon} differ in {name}: make a group for each")
            refuse("W20", text, weapon=body.weapon, name=name)
    return bearers


def _check_triggers(body: Group) -> None:
    for ability in given(body.abilities, ()):
        if isinstance(ability, Trigger) and ability.does not in _DOES[ability.on]:
            text = N_("{source}: a {on} roll does not do that ({does}); it does {can}")
            can = ", ".join(sorted(_DOES[ability.on]))
            refuse("W23", text, source=ability.source, on=ability.on, does=ability.does, can=can)
        if isinstance(ability, Blast) and body.type == "melee":
            refuse("W24", "{weapon} is a blast weapon: it shoots, it does not fight", weapon=body.weapon)
    fixed = [ability for ability in given(body.abilities, ()) if isinstance(ability, WoundsOn)]
    for one, other in pairwise(fixed):
        if one.needs != other.needs:
            text = N_("{one} wounds on {needs}+ and {other} on {others}+: declare the one that holds")
            refuse("W17", text, one=one.source, needs=one.needs, other=other.source, others=other.needs)


def _majority(target: Unit) -> int:
    """Return the T of most models of the unit; on a tie, the highest."""
    toughness = [model.line.T for model in target.alive]
    return max(set(toughness), key=lambda t: (toughness.count(t), t))


def _skill_name(body: Group) -> str:
    return "BS" if body.type == "ranged" else "WS"


def _skill(model: Model, group: AttackGroup) -> Computed:
    name = _skill_name(group.body)
    other = group.changes("WS" if name == "BS" else "BS")
    if other:
        text = N_("{source} changes a skill that {type} attacks do not use")
        refuse("W20", text, source=other[0].source, type=group.body.type)
    skill = of_model(model, name, group.changes(name))
    if skill.value == "-":
        refuse("W8", "a {name} of “-” makes no {type} attacks", name=name, type=group.body.type)
    return skill


def _own(model: Model, group: AttackGroup, name: str, value: int | str) -> Computed:
    """Return A or S, which is the bearer's own if the weapon says so."""
    if value != "user":
        return _plain(name, value, group.changes(name))
    computed = of_model(model, name, group.changes(name))
    if computed.value == "-":
        refuse("W8", "the bearer has no {name} (“-”): {weapon} makes no attacks", name=name, weapon=group.body.weapon)
    return computed


def _plain(name: str, value: int | str, changes: tuple[Change, ...]) -> Computed:
    return Computed(plain(value)) if isinstance(value, str) else characteristic(name, value, changes)


def _check_sizes(group: AttackGroup, target: Unit) -> None:
    """Raise Violation if any future dice could make a computation exceed its bounds."""
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


def _check_announced(group: AttackGroup) -> None:
    """Raise Violation if an announced characteristic of the group is wrong."""
    said = group.body.announced
    if isinstance(said, UnsetType):
        return
    name = _skill_name(group.body)
    for announced, label, computed in (
        (said.hit, name, group.skill),
        (said.S, "S", group.S),
        (said.T, "T", group.T),
        (said.AP, "AP", group.AP),
    ):
        if not isinstance(announced, UnsetType) and announced != computed.value:
            text = N_("{name} is {expected}, not {actual}")
            clause = clause_of(label, computed)
            refuse(clause, text, name=label, expected=computed.value, actual=announced)
    if not isinstance(said.wound, UnsetType):
        needs = announced_wound(group)
        if said.wound != needs:
            if group.wounds_on is not None:
                text = N_("{weapon} wounds on {expected}+ whatever S and T are, not {actual}+")
                refuse("W17", text, weapon=group.body.weapon, expected=needs, actual=said.wound)
            if needs is None:
                text = N_("S is rolled ({S}), so what is needed to wound is not known before: announce nothing of it")
                refuse("W17", text, S=group.S.value)
            text = N_("S {S} against T {T} wounds on {expected}+, not {actual}+")
            refuse("W17", text, S=group.S.value, T=group.T.value, expected=needs, actual=said.wound)


def _count_attacks(group: AttackGroup) -> AttackGroup:
    """Return the group with its attacks, if their number needs no dice."""
    dice, bearers, least = group.A.dice, len(group.bearers), least_attacks(group)
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
    return replace(group, queue=attacks, attacks=len(attacks), selected=len(attacks))
