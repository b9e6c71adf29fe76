"""Groups of attacks: their characteristics, and which are equal (specs/wh40k.md, W8, W10, W20, W24)."""

from collections.abc import Iterable

import msgspec
from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import Body, Event, given
from rules.bounds import MAX_DICE
from rules.shared import check_dice_count, check_room, find_roll, refuse
from rules.wh40k import bodies as b
from rules.wh40k.state import Attack, Game, Group, Model, Mortal, Sequence, Unit
from rules.wh40k.units import clause_of, of_model, own_unit, possible, unit_of
from rules.wh40k.values import Computed, characteristic, check_size, rule_ap, wound_needs

__all__ = [
    "add_rules",
    "blast_attacks",
    "check_equal",
    "declare_attacks",
    "declare_mortal",
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
        except ValueError as error:
            refuse("W20", "{error}", error=error)
        toughness = group.T.steps[0].value
        assert isinstance(toughness, int)
        groups[number - 1] = _group(game, game.units[sequence.unit], number, told, toughness)
    return replace(game, sequence=replace(sequence, groups=tuple(groups)))


def wound_roll_needs(group: Group, strength: int | None) -> int:
    """What a hit of the group needs to wound (W17); `strength` as rolled where S is random."""
    return wound_needs(group.S.number if strength is None else strength, group.T.number)


def blast_attacks(group: Group, models: int, attacks: int) -> int:
    """The attacks of one bearer after W24."""
    blast = any(isinstance(ability, b.Blast) for ability in group.abilities)
    return max(attacks, _LEAST_ATTACKS) if blast and models >= _MODELS_FOR_LEAST else attacks


def queue(group: Group, attacks: Iterable[int]) -> tuple[Attack, ...]:
    """The attacks of the bearers, so many of each, in order."""
    return tuple(
        Attack(bearer) for bearer, count in zip(group.body.bearers, attacks, strict=True) for _ in range(count)
    )


# --- groups --------------------------------------------------------------------------------------------------------


def _group(game: Game, unit: Unit, number: int, body: b.Group, toughness: int | None = None) -> Group:
    """The group with all that is computed from what is declared."""
    target = _target(game, unit, body)
    bearers = _bearers(unit, body)
    _check_triggers(body)
    if toughness is None:
        toughness = _majority(target)
    none = Computed(0)
    group = Group(number, body, skill=none, A=none, S=none, T=none, AP=none, D=none, queue=None)
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
    return _count_attacks(group, len(target.alive))


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
    used += ["T"] if body.S == "user" else []
    for name in used:
        if len({getattr(model.line, name) for model in bearers}) > 1:
            text = "the bearers of {weapon} differ in {name}: make a group for each"
            refuse("W20", text, weapon=body.weapon, name=name)
    return bearers


def _check_triggers(body: b.Group) -> None:
    for ability in given(body.abilities, ()):
        if isinstance(ability, b.Trigger) and ability.does not in _DOES[ability.on]:
            text = "{source}: a {on} roll cannot {does}"
            refuse("W23", text, source=ability.source, on=ability.on, does=ability.does)
        if isinstance(ability, b.Blast) and body.type == "melee":
            refuse("W24", "{weapon}: a blast weapon does not fight", weapon=body.weapon)


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
        refuse("W8", "{name} of “-”: {weapon} makes no attacks", name=name, weapon=group.body.weapon)
    return computed


def _plain(name: str, value: int | str, changes: tuple[b.Change, ...]) -> Computed:
    return Computed(value) if isinstance(value, str) else characteristic(name, value, changes)


def _check_sizes(group: Group, target: Unit) -> None:
    """No dice that are still to come can make a computation fail: see that now."""
    for name, computed in (("A", group.A), ("S", group.S), ("D", group.D)):
        if computed.dice is not None:
            check_size(possible(computed.dice), group.changes(name), name)
    for on in ("hit", "wound", "save", "invulnerable"):
        check_size((1, 6), group.changes(on), None)
    improvements = sum(
        t.amount for _, t in group.triggers("wound") if t.does == "improve_ap" and isinstance(t.amount, int)
    )
    for amount in range(1, improvements + 1):
        characteristic("AP", group.body.AP, (*group.changes("AP"), rule_ap(amount, "a trigger")))
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
            text = "S {S} against T {T} wounds on {expected}+, not {actual}+"
            refuse("W17", text, S=group.S.value, T=group.T.value, expected=needs, actual=said.wound)


def _count_attacks(group: Group, models: int) -> Group:
    """The group with its attacks, where no dice are needed for their number."""
    dice, bearers = group.A.dice, len(group.body.bearers)
    if dice is None:
        each = group.A.number
    elif any(isinstance(a, b.Blast) for a in group.abilities) and models >= _MODELS_FOR_MOST:
        computed = characteristic("A", dice.highest, group.changes("A"), rolled=True)
        first = replace(computed.steps[0], op="blast")
        group = replace(group, A=Computed(computed.value, (first, *computed.steps[1:])))
        each = group.A.number
    else:
        check_dice_count(dice.count * bearers, "W9")
        most = max(characteristic("A", n, group.changes("A")).number for n in possible(dice))
        check_dice_count(most * bearers, "W9")
        return group
    check_dice_count(each * bearers, "W9")
    attacks = queue(group, [each] * bearers)
    return replace(group, queue=attacks, attacks=len(attacks))


def _rolled(game: Game, author: str, number: int) -> int:
    roll = find_roll(game.settled, None, number)
    if roll is None or roll.player != author or roll.purpose.of != "free" or roll.status != "resolved":
        refuse("W20", "{author} has no settled free roll {roll}", author=author, roll=number)
    return sum(part.result or 0 for part in roll.parts)


# --- equal attacks -------------------------------------------------------------------------------------------------


def check_equal(game: Game, groups: tuple[Group, ...], taken: int) -> None:
    """W10: these attacks, of these groups, may be rolled together. Raises Violation with what differs."""
    if taken > 1:
        if not game.fast_rolling:
            refuse("W10", "this game rolls attacks one at a time: {count} is too many", count=taken)
        for name, values in _attributes(groups):
            if len(values) > 1:
                text = "these attacks differ in {name} ({values}): roll them apart"
                refuse("W10", text, name=name, values=" and ".join(sorted(values)))
    triggers = [t for group in groups for _, t in group.triggers("hit") if t.does == "extra_hits"]
    extra = sum(t.amount for t in triggers if isinstance(t.amount, int))
    if taken > 1 and taken * (1 + extra) > MAX_DICE:
        text = "{count} attacks could make more than {most} hits: take fewer at a time"
        refuse("W10", text, count=taken, most=MAX_DICE)


def _attributes(groups: tuple[Group, ...]) -> list[tuple[str, set[str]]]:
    """What fast rolling asks to be equal, in the order in which a difference is named."""
    skill = _skill_name(groups[0].body)
    strengths = {str(group.S.value) for group in groups}
    abilities = {_abilities(group) for group in groups}
    if any(isinstance(group.S.value, str) for group in groups):
        strengths |= {"rolled for each"}
    if any(t.does == "slay" for group in groups for _, t in group.triggers("hit")):
        abilities |= {"may slay the bearer"}
    return [
        ("type", {group.body.type for group in groups}),
        (skill, {f"{group.skill.value}+" for group in groups}),
        ("S", strengths),
        ("AP", {str(group.AP.value) for group in groups}),
        ("D", {_damage(group) for group in groups}),
        ("abilities", abilities),
        ("target", {group.target for group in groups}),
    ]


def _damage(group: Group) -> str:
    if group.D.dice is None:
        return str(group.D.value)
    return f"{group.D.value} {_told(group.changes('D'))}".strip()


def _abilities(group: Group) -> str:
    """The abilities and modifiers of an attack besides its profile, as text that does not depend on their order."""
    relevant = ("hit", "wound", "save", "invulnerable", "T", "Sv")
    modifiers = [m for m in given(group.body.modifiers, ()) if m.on in relevant]
    return _told([*group.abilities, *modifiers]) or "none"


def _told(items: Iterable[Body]) -> str:
    return ", ".join(sorted(msgspec.json.encode(item, order="sorted").decode() for item in items))
