"""The course of attacks: what comes next, by whom, with which dice (specs/wh40k.md, "Course", W9 to W12, W18 to W24).

    attacks (random A) → hit → strength (random S) → wound → save → damage (random D) → ignore → … → mortal → inflict

What a step rolls stands in rules.wh40k.plans, what the dice do to the attacks in rules.wh40k.consequences.
"""

from msgspec import UnsetType

from rules.base import given
from rules.bounds import MAX_DICE
from rules.shared import refuse
from rules.wh40k import bodies as b
from rules.wh40k.attacks import check_equal
from rules.wh40k.state import Attack, Batch, Game, Group, Hit, Model, Mortal, Next, Sequence, Unit, Wound
from rules.wh40k.units import allocate, of_model
from rules.wh40k.values import Computed, characteristic, parse, roll_result

__all__ = [
    "CHOOSING",
    "armour",
    "armour_changes",
    "auto_hits",
    "check_inflict",
    "checked",
    "due",
    "first_random",
    "next_step",
    "take",
    "target_of",
    "times_of",
    "to_roll",
    "unsaveable",
]

CHOOSING = ("attacks or hit", "hit")
"""the steps where the attacker chooses which attacks come next"""


def next_step(game: Game) -> Next | None:
    """What is to be done next in the open sequence."""
    sequence = game.sequence
    if sequence is None:
        return None
    if sequence.batch is not None:
        return _next_of_batch(game, sequence, sequence.batch)
    groups = [g for g in sequence.groups if g.left and sequence.target in (None, g.target)]
    if groups:
        return Next(sequence.player, CHOOSING[0] if any(g.queue is None for g in groups) else CHOOSING[1])
    item = first_random(sequence)
    if item is not None:
        return Next(sequence.player, "mortal", parse(str(item.amount)).count * times_of(item))
    return Next(_defender(game, sequence), "inflict")


def _next_of_batch(game: Game, sequence: Sequence, batch: Batch) -> Next:
    if batch.hits:
        rolled = to_roll(batch)
        dice = sequence.group(rolled[0].group).S.dice
        if dice is not None and rolled[0].strength is None:
            return Next(sequence.player, "strength", dice.count * len(rolled))
        return Next(sequence.player, "wound", len(rolled))
    if batch.unsaved is None:
        return Next(_defender(game, sequence), "save", 1)
    if batch.unsaved.damage is not None:
        return Next(_defender(game, sequence), "ignore", min(batch.unsaved.damage, MAX_DICE))
    damage = sequence.group(batch.unsaved.group).D.dice
    assert damage is not None
    return Next(sequence.player, "damage", damage.count)


def due(game: Game, author: str, *steps: str) -> Sequence:
    """The open sequence, where one of these steps is next and the author's: else Violation W19, W12."""
    sequence, coming = game.sequence, next_step(game)
    if sequence is None or coming is None:
        text = "no attacks are under way, so there is nothing to do for them ({step})"
        refuse("W19", text, step=steps[-1])
    if coming.step not in steps:
        if "inflict" in steps and any(m.target == sequence.target for m in sequence.mortal):
            text = "mortal wounds come after all normal damage: next is {step}, by {player}"
            refuse("W12", text, step=spoken(coming.step), player=coming.player)
        text = "in these attacks {step} comes next, by {player}"
        refuse("W19", text, step=spoken(coming.step), player=coming.player)
    if coming.player != author:
        text = "next in these attacks is {step}: that is for {player}, not {author}"
        refuse("W19", text, step=spoken(coming.step), player=coming.player, author=author)
    return sequence


_SPOKEN = {
    "attacks or hit": "rolling the number of attacks, or to hit",
    "hit": "rolling to hit",
    "strength": "rolling S",
    "wound": "rolling to wound",
    "save": "a saving throw",
    "damage": "rolling the damage",
    "ignore": "rolling to ignore wounds",
    "mortal": "rolling the number of mortal wounds",
    "inflict": "giving mortal wounds to models",
}


def spoken(step: str) -> str:
    """A step of the course in words that stand in a sentence."""
    return _SPOKEN[step]


def to_roll(batch: Batch) -> list[Hit]:
    """The hits that need a wound roll."""
    return [hit for hit in batch.hits if not hit.wounds]


def first_random(sequence: Sequence) -> Mortal | None:
    """The mortal wounds on the target whose number is to be rolled next."""
    return next((m for m in sequence.mortal if m.target == sequence.target and isinstance(m.amount, str)), None)


def take(sequence: Sequence, numbers: tuple[int, ...], count: int | None) -> list[tuple[Group, Attack]]:
    """The attacks that a batch of these groups takes (W10, W19, W20)."""
    pools: list[tuple[Group, Attack]] = []
    for number in dict.fromkeys(numbers):
        group = sequence.group(number)
        if sequence.target not in (None, group.target):
            text = "the attacks on {target} are finished first, then group {group}"
            refuse("W20", text, target=sequence.target, group=number)
        if group.queue is None:
            text = "the number of attacks of group {group} is rolled first ({A})"
            refuse("W9", text, group=number, A=group.A.value)
        pools += [(group, attack) for attack in group.queue]
    pool = [(g, attack) for g, attack in pools if not attack.extra] or pools
    if not pool:
        refuse("W19", "no attacks are left in group {groups}", groups=" or ".join(map(str, dict.fromkeys(numbers))))
    if (count or 0) > len(pool):
        refuse("W19", "{count} attacks are too many: {left} are left to roll now", count=count, left=len(pool))
    return pool[:count]


def auto_hits(game: Game, author: str, body: b.ResolveBody) -> list[tuple[Group, Attack]]:
    """The attacks that hit without a roll."""
    assert not isinstance(body.groups, UnsetType)
    taken = checked(game, due(game, author, *CHOOSING), body.groups, given(body.count, None))
    if not all(group.auto_hit for group, _ in taken):
        refuse("W19", "these attacks do not hit by themselves: roll to hit")
    return taken


def unsaveable(game: Game, author: str, number: int) -> None:
    """The first wound is allocated to a model that cannot save: else Violation W11."""
    sequence = due(game, author, "save")
    assert sequence.batch is not None
    group, wound = sequence.group(sequence.batch.wounds[0].group), sequence.batch.wounds[0]
    model = allocate(target_of(game, sequence), number)
    save = armour(model, group)
    best = roll_result(6, armour_changes(group, wound), False).number
    if not isinstance(model.line.invulnerable, UnsetType) or (save.value != "-" and best >= save.number):
        refuse("W11", "model {model} may still save: roll for it", model=number)


# --- helpers -------------------------------------------------------------------------------------------------------


def check_inflict(game: Game, sequence: Sequence, number: int, count: int) -> Model:
    """The model, if it can be given so many mortal wounds now (W11, W12)."""
    model = allocate(target_of(game, sequence), number)
    owed = sum(m.amount * m.times for m in sequence.mortal if m.target == sequence.target and isinstance(m.amount, int))
    most = min(owed, model.left)
    if count > most:
        text = "model {model} can be given {most} now, not {count}: owed in all {owed}, wounds that it has left {left}"
        refuse("W12", text, most=most, count=count, owed=owed, model=number, left=model.left)
    return model


def checked(game: Game, sequence: Sequence, groups: tuple[int, ...], count: int | None) -> list[tuple[Group, Attack]]:
    """The attacks of a new batch, which may be rolled together (W10)."""
    taken = take(sequence, groups, count)
    check_equal(game, taken)
    return taken


def times_of(item: Mortal) -> int:
    """How often the random number is rolled at once."""
    return min(item.times, MAX_DICE // parse(str(item.amount)).count)


def target_of(game: Game, sequence: Sequence) -> Unit:
    """The unit that is under attack."""
    assert sequence.target is not None
    return game.units[sequence.target]


def _defender(game: Game, sequence: Sequence) -> str:
    return target_of(game, sequence).player


def armour(model: Model, group: Group) -> Computed:
    """The model's Sv against attacks of the group."""
    return of_model(model, "Sv", group.changes("Sv"))


def armour_changes(group: Group, wound: Wound) -> tuple[b.Change, ...]:
    """The changes of an armour save: the wound's AP is one of them (W18)."""
    ap = characteristic("AP", group.body.AP, (*group.changes("AP"), *wound.changes)).number
    own = (b.Change("AP", "subtract", -ap),) if ap < 0 else ()
    return (*own, *group.changes("save"))
