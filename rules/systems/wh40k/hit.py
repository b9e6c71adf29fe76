"""The number of attacks, and the hit roll (specs/wh40k.md, "Course", W9, W10, W19, W23, W24).

The step asks for the number of attacks if A is random, and for batches of attacks that may be rolled together. The dice
make hits, some of them more than one because of triggers. The wound roll follows.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from msgspec.structs import replace

from rules.actions import Action, Field
from rules.base import Violation, given
from rules.common.shared import refuse
from rules.data.bounds import MAX_DICE, MAX_ITEMS, MAX_LOAD
from rules.data.language import N_, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k import extra
from rules.systems.wh40k.attack_grouping import check_equal, hits_of, most_hits
from rules.systems.wh40k.declare import check_once, least_attacks, queue
from rules.systems.wh40k.fields import count_of, one_of, some_of
from rules.systems.wh40k.next_step import choosable, choosing, idle
from rules.systems.wh40k.record import Attack, Number, Roll, ToHit
from rules.systems.wh40k.rolls import counts, of_characteristic, of_test
from rules.systems.wh40k.state import (
    AttackGroup,
    AttackSequence,
    Choosing,
    Extra,
    Game,
    Hit,
)
from rules.systems.wh40k.triggers import Triggers, more_attacks, owe, slay
from rules.systems.wh40k.values import plain

__all__ = [
    "offers",
    "plan",
    "plan_first",
    "plan_number",
    "settle",
    "settle_number",
    "without_roll",
]

Taken = list[tuple[AttackGroup, Attack]]


# --- the number of attacks -----------------------------------------------------------------------------------------


def plan_number(game: Game, author: str, seq: int, body: b.AttacksRoll) -> Roll:
    """Return the roll of a random A, once for each bearer or once for all. Raises Violation."""
    sequence = choosing(game, author)
    group = sequence.group(body.group)
    dice = group.A.dice
    if group.queue is not None:
        blast = any(step.op == "blast" for step in group.A.steps[:1])
        text = N_("the attacks of group {group} are known: {attacks}")
        refuse("W24" if blast else "W9", text, group=group.group, attacks=group.attacks)
    assert dice is not None, "its number of attacks is to be rolled"
    bearers = len(group.bearers)
    times, each = (1, bearers) if group.body.once is True else (bearers, 1)
    purpose = Number(sequence.sequence, group.group, each)
    roll = of_characteristic("A", group, purpose, author, seq, dice, times)
    return replace(roll, least=least_attacks(group))


def settle_number(game: Game, sequence: AttackSequence, roll: Roll, purpose: Number) -> Game:
    """Return the game with the number of the group's attacks known."""
    group = sequence.group(purpose.group)
    made = counts(roll.parts) * purpose.each
    attacks = queue(group, made)
    group = replace(group, queue=attacks, attacks=len(attacks), started=True)
    target = sequence.at.target if isinstance(sequence.at, Choosing) else None
    return replace(game, sequence=idle(sequence.with_group(group), target))


# --- a batch -------------------------------------------------------------------------------------------------------


def plan(game: Game, author: str, seq: int, body: b.HitRoll) -> Roll:
    """Return the hit roll of a new batch. Raises Violation."""
    sequence = choosing(game, author)
    taken = _taken(game, sequence, body.groups, given(body.count, None))
    group = taken[0][0]
    if group.auto_hit:
        refuse("W19", "attacks with {weapon} hit without a roll: resolve them", weapon=group.body.weapon)
    purpose = ToHit(sequence.sequence, tuple((g.group, attack) for g, attack in taken))
    return of_test("hit", group, purpose, author, seq, tuple(g.skill.number for g, _ in taken))


def plan_first(game: Game, author: str, seq: int) -> Roll:
    """Return the first dice of attacks that were declared with them: of group 1, as many as may be rolled together."""
    sequence = game.sequence
    if sequence is None:
        refuse("W19", "there is no attack to roll for in the first group")
    group = sequence.groups[0]
    if group.queue is None:
        return plan_number(game, author, seq, b.AttacksRoll(1))
    count = len(group.queue)
    try:
        check_equal(game, (group,), [(group, attack) for attack in group.queue])
    except Violation:
        count = 1
    return plan(game, author, seq, b.HitRoll((1,), count))


def without_roll(game: Game, author: str, groups: tuple[int, ...], count: int | None) -> Game:
    """Return the game after the automatic hits of a new batch. Raises Violation."""
    sequence = choosing(game, author)
    taken = _taken(game, sequence, groups, count)
    if not taken[0][0].auto_hit:
        refuse("W19", "these attacks do not hit by themselves: roll to hit")
    hits = [Hit(group.group, (part, 0)) for part, (group, _) in enumerate(taken, 1)]
    return _landed(game, _remove(sequence, taken), taken[0][0].target, hits, [])


def settle(game: Game, sequence: AttackSequence, roll: Roll, purpose: ToHit) -> Game:
    """Return the game after a hit roll: hits, extra hits and attacks, mortal wounds, slain bearers (W23)."""
    taken = [(sequence.group(number), attack) for number, attack in purpose.attacks]
    sequence = _remove(sequence, taken)
    hits: list[Hit] = []
    numbers: list[Extra] = []
    slain: list[int] = []
    more: dict[int, list[Attack]] = {}
    owed: Counter[tuple[int, int]] = Counter()
    triggers = Triggers("hit")
    for part, (group, attack) in zip(roll.parts, taken, strict=True):
        own, further = Hit(group.group, (part.part, 0)), 0
        lands = part.passed is True
        for number, trigger in triggers.set_off(group, part, attack):
            match trigger.does:
                case "extra_hits" if isinstance(trigger.amount, int):
                    further += trigger.amount
                case "extra_hits" if isinstance(trigger.amount, str):
                    amount = str(plain(trigger.amount))
                    numbers.append(Extra(group.group, (part.part, number), trigger.source, amount))
                case "extra_attacks" if isinstance(trigger.amount, int):
                    again = Attack(attack.bearer, extra=True)
                    more.setdefault(group.group, []).extend([again] * trigger.amount)
                case "wound":
                    own = replace(own, wounds=True)
                case "mortal":
                    owed[group.group, number] += 1
                    lands = lands and trigger.instead is not True
                case "slay":
                    slain.append(attack.bearer)
                case _:
                    pass
        hits += [own] * lands + [Hit(group.group, (part.part, n)) for n in range(1, further + 1)]
    game, sequence = slay(game, more_attacks(owe(sequence, owed), more), slain)
    return _landed(game, sequence, taken[0][0].target, hits, numbers)


def _landed(game: Game, sequence: AttackSequence, target: str, hits: list[Hit], numbers: list[Extra]) -> Game:
    """Return the game with the batch continued by these hits and random numbers of extra hits."""
    sequence = sequence.counted(Counter(hit.group for hit in hits), "hits")
    return extra.begin(game, sequence, target, tuple(hits), tuple(numbers))


def _taken(game: Game, sequence: AttackSequence, numbers: tuple[int, ...], count: int | None) -> Taken:
    """Return the attacks of a new batch, which must be allowed to be rolled together. Raises Violation W9, W10, W19 or
    W20.
    """
    check_once(numbers)
    under_way = sequence.at.target if isinstance(sequence.at, Choosing) else None
    taken: Taken = []
    for number in numbers:
        group = sequence.group(number)
        if under_way not in (None, group.target):
            text = N_("the attacks on {target} are finished first, then group {group}")
            refuse("W20", text, target=under_way, group=number)
        if group.queue is None:
            text = N_("the number of attacks of group {group} is rolled first ({A})")
            refuse("W9", text, group=number, A=group.A.value)
        if not group.queue:
            refuse("W19", "no attacks are left in group {group}", group=number)
        taken += _pool(group)
    if (count or 0) > len(taken):
        refuse("W19", "{count} attacks are too many: {left} are left to roll now", count=count, left=len(taken))
    taken = taken[:count]
    check_equal(game, tuple(sequence.group(number) for number in numbers), taken)
    return taken


def _pool(group: AttackGroup) -> Taken:
    """Return the attacks of a group that come next. Those that a trigger made come last."""
    left = _left(group)
    own = [attack for attack in left if not attack.extra]
    return [(group, attack) for attack in own or left]


def _left(group: AttackGroup) -> tuple[Attack, ...]:
    """Return the remaining attacks of a group whose number of attacks is known."""
    assert group.queue is not None, "its attacks are known"
    return group.queue


def _remove(sequence: AttackSequence, taken: Taken) -> AttackSequence:
    """Return the sequence without the attacks of a batch. Their groups count as started."""
    by_group: dict[int, Counter[Attack]] = {}
    for group, attack in taken:
        by_group.setdefault(group.group, Counter())[attack] += 1
    for number, gone in by_group.items():
        group = sequence.group(number)
        left = []
        for attack in _left(group):
            if gone[attack]:
                gone[attack] -= 1
            else:
                left.append(attack)
        sequence = sequence.with_group(replace(group, queue=tuple(left), started=True))
    return sequence


# --- offers --------------------------------------------------------------------------------------------------------


def offers(game: Game, sequence: AttackSequence, due: bool) -> Iterator[Action]:
    """Yield the numbers of attacks and the batches that the attacker can roll now."""
    groups = choosable(sequence)
    unknown = [_named(group) for group in sequence.left_on(None) if groups and group.queue is None]
    if unknown:
        label = Message("roll the number of attacks")
        field = one_of("group", N_("the group of attacks"), unknown)
        yield Action("roll", label, "W9", (field,), {"for": "attacks"}, due)
    known = [group for group in groups if group.queue]
    for group in known:
        most = _most(game, group)
        if most:
            count = count_of("count", N_("how many attacks"), most, required=most < len(_pool(group)))
            yield _offer(group, (count,), {"groups": [group.group]}, due)
    yield from _together(game, known, due)


def _together(game: Game, groups: list[AttackGroup], due: bool) -> Iterator[Action]:
    """Yield batches of several equal groups."""
    while groups:
        first, *others = groups
        equal = [first, *(other for other in others if _fits(game, first, other))]
        groups = [group for group in others if group not in equal]
        if len(equal) < 2:
            continue
        room = _room(equal)
        if hits_of(_pools(equal)) <= room:
            field = some_of("groups", N_("the groups of attacks"), map(_named, equal), 2, len(equal))
            yield _offer(first, (field,), {}, due)
            continue
        for some in islice(_fitting(equal, room), MAX_ITEMS):
            field = some_of("groups", N_("the groups of attacks"), map(_named, some), len(some), len(some))
            yield _offer(some[0], (field,), {}, due)


def _fitting(groups: list[AttackGroup], room: int) -> Iterator[list[AttackGroup]]:
    """Yield sets of groups whose attacks may be rolled together. Only sets that fit are tried with one more group."""
    begun: list[tuple[list[AttackGroup], int, int]] = [([], 0, room)]
    while begun:
        some, start, left = begun.pop()
        if len(some) > 1:
            yield some
        for at in reversed(range(start, len(groups))):
            hits = hits_of(_pool(groups[at]))
            if hits <= left:
                begun.append(([*some, groups[at]], at + 1, left - hits))


def _offer(group: AttackGroup, fields: tuple[Field, ...], body: dict[str, Any], due: bool) -> Action:
    if group.auto_hit:
        label = Message("{weapon}: hit without a roll", weapon=group.body.weapon)
        return Action("resolve", label, "W19", fields, body, due)
    label = Message("{weapon}: roll to hit", weapon=group.body.weapon)
    return Action("roll", label, "W10", fields, {"for": "hit", **body}, due)


def _named(group: AttackGroup) -> tuple[int, Message]:
    return group.group, Message("{weapon} at {target}", weapon=group.body.weapon, target=group.target)


def _most(game: Game, group: AttackGroup) -> int:
    """Return how many attacks of the group may be rolled together."""
    pool = _pool(group)
    most = min(len(pool), _room([group]) // most_hits(*pool[0]))
    return most if most < 2 or _passes(game, (group,), pool[:2]) else 1


def _fits(game: Game, one: AttackGroup, other: AttackGroup) -> bool:
    return _passes(game, (one, other), [_pool(one)[0], _pool(other)[0]])


def _passes(game: Game, groups: tuple[AttackGroup, ...], taken: Taken) -> bool:
    try:
        check_equal(game, groups, taken)
    except Violation:
        return False
    return True


def _pools(groups: list[AttackGroup]) -> Iterator[tuple[AttackGroup, Attack]]:
    for group in groups:
        yield from _pool(group)


def _room(groups: list[AttackGroup]) -> int:
    """Return how many hits a batch of these groups may make."""
    return min(MAX_DICE, MAX_LOAD // max(1, *(group.entry_weight for group in groups)) - 1)
