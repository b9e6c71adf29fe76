"""Equality of attacks, which may then be rolled together, and their differences in words (specs/wh40k.md, W10)."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import given
from rules.common.shared import refuse
from rules.data.bounds import MAX_DICE, MAX_LOAD
from rules.data.language import N_, Listed, Message
from rules.systems.wh40k import phrases
from rules.systems.wh40k.record import Attack
from rules.systems.wh40k.state import AttackGroup, Game
from rules.systems.wh40k.terms import AnyAbility, Change, Modifier, NamedResults, RerollAbility, Trigger, most_of
from rules.systems.wh40k.values import plain

__all__ = ["check_batch", "check_equal", "hits_of", "most_hits"]

_OF_ATTACK = ("hit", "wound", "save", "invulnerable", "T", "Sv")
"""what modifiers change that count as abilities; other modifiers are part of the profile"""


_Rule = Change | Modifier | AnyAbility
"""a modifier or ability that affects an attack"""


class CharacteristicDifference(msgspec.Struct, frozen=True):
    """A characteristic in which attacks differ, with the value of each."""

    name: Message | str
    values: Message


_TYPES = {"melee": N_("melee"), "ranged": N_("ranged")}


def _differences(groups: tuple[AttackGroup, ...]) -> Iterator[CharacteristicDifference]:
    """Yield the differences of the attacks of these groups, in the order of W10."""
    skill = "BS" if groups[0].body.type == "ranged" else "WS"
    types = {group.body.type for group in groups}
    if len(types) > 1:
        yield CharacteristicDifference(Message("type"), _all_of(Message(_TYPES[kind]) for kind in types))
    for name, values in (
        (skill, {f"{group.skill.value}+" for group in groups}),
        ("S", {str(group.S.value) for group in groups}),
        ("AP", {str(group.AP.value) for group in groups}),
    ):
        if len(values) > 1:
            yield CharacteristicDifference(name, _all_of(values))
    yield from _rules("D", [(str(g.D.value), g.changes("D") if g.D.dice is not None else ()) for g in groups])
    yield from _rules(Message("abilities"), [("", _abilities(group)) for group in groups])
    targets = {group.target for group in groups}
    if len(targets) > 1:
        yield CharacteristicDifference(Message("target"), _all_of(targets))


def _all_of(causes: Iterable[Message | str]) -> Message:
    return Listed(sorted(causes, key=str), N_(" and "))


def _abilities(group: AttackGroup) -> tuple[_Rule, ...]:
    modifiers = given(group.body.modifiers, ())
    return (*group.abilities, *(m for m in modifiers if m.on in _OF_ATTACK))


def _rules(name: Message | str, groups: list[tuple[str, tuple[_Rule, ...]]]) -> Iterator[CharacteristicDifference]:
    """Yield a difference if the values, or the rules that affect them, are not all the same. Order does not matter."""
    different = {(value, _key(rules)): (value, rules) for value, rules in groups}
    if len(different) > 1:
        yield CharacteristicDifference(name, _all_of(_told(*each) for each in different.values()))


def _key(rules: tuple[_Rule, ...]) -> tuple[bytes, ...]:
    return tuple(sorted(msgspec.json.encode(_plain(rule), order="sorted") for rule in rules))


def _plain(rule: _Rule) -> _Rule:
    """Return the rule in a normal form, so that equal rules compare equal."""
    if isinstance(rule, Trigger):
        amount = rule.amount if isinstance(rule.amount, int | UnsetType) else str(plain(rule.amount))
        return replace(rule, results=tuple(sorted(set(rule.results))), amount=amount)
    if isinstance(rule, RerollAbility | NamedResults) and not isinstance(rule.results, UnsetType):
        return replace(rule, results=tuple(sorted(set(rule.results))))
    return rule


def _told(value: str, rules: tuple[_Rule, ...]) -> Message | str:
    listed = Listed(sorted(map(_words, rules), key=str))
    if not rules:
        return value or Message("none")
    return Message("{value} {rules}", value=value, rules=listed) if value else listed


def _words(rule: _Rule) -> Message:
    return phrases.change(rule) if isinstance(rule, Change | Modifier) else phrases.ability(rule)


# --- equal attacks -------------------------------------------------------------------------------------------------


def check_equal(game: Game, groups: tuple[AttackGroup, ...], taken: Sequence[tuple[AttackGroup, Attack]]) -> None:
    """Verify that these attacks of these groups may be rolled together (W10). Raises Violation with the difference."""
    if len(taken) > 1:
        if not game.options.fast_rolling:
            text = N_("this game does not roll attacks together: roll one at a time (count 1), not {count}")
            refuse("W10", text, count=len(taken))
        different = next(iter(_differences(groups)), None)
        if different is not None:
            text = N_("these attacks differ in {name} ({values}): roll them apart")
            refuse("W10", text, name=different.name, values=different.values)
        if any(isinstance(group.S.value, str) for group in groups):
            text = N_("S is rolled ({S}) for each of these attacks, so they differ in S: roll them apart")
            refuse("W10", text, S=groups[0].S.value)
        slaying = next((t for group in groups for _, t in group.triggers("hit") if t.does == "slay"), None)
        if slaying is not None:
            text = N_("{source} may slay the bearer, so one attack can end another's: roll them apart")
            refuse("W10", text, source=slaying.source)
    hits = hits_of(taken)
    if hits > MAX_DICE:
        text = N_("{count} attacks could make more than {most} hits: take fewer at a time")
        refuse("W10", text, count=len(taken), most=MAX_DICE)
    check_batch(groups, hits, "W10")


def hits_of(taken: Iterable[tuple[AttackGroup, Attack]]) -> int:
    """Return the most hits that these attacks can make."""
    found: dict[tuple[int, bool], int] = {}
    total = 0
    for group, attack in taken:
        kind = group.group, attack.extra
        if kind not in found:
            found[kind] = most_hits(group, attack)
        total += found[kind]
    return total


def check_batch(groups: Iterable[AttackGroup], hits: int, clause: str) -> None:
    """Raise Violation of `clause` if there are too many hits for the weight of the rules that affect their rolls."""
    heaviest = max(group.entry_weight for group in groups)
    if heaviest * (hits + 1) > MAX_LOAD:
        text = N_(
            "{hits} hits at once are too many: what affects their rolls weighs {told}, "
            "which makes a load of {load}, above {most}"
        )
        refuse(clause, text, hits=hits, told=heaviest, load=heaviest * (hits + 1), most=MAX_LOAD)


def most_hits(group: AttackGroup, attack: Attack) -> int:
    """Return the most hits that one attack can make. Automatic hits and attacks made by a trigger set
    off none (W23).
    """
    if attack.extra or group.auto_hit:
        return 1
    return 1 + sum(most_of(trigger.amount) for _, trigger in group.triggers("hit") if trigger.does == "extra_hits")
