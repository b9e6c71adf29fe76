"""The state as tables: phase, units, moves, the open sequence, computed characteristics, ended sequences."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from rules.base import Table, given
from rules.data.language import N_, Listed, Message
from rules.systems.wh40k.effects_text import damage, sequence_name
from rules.systems.wh40k.next_step import SPOKEN, next_step
from rules.systems.wh40k.phrases import ability, change, ranges, steps
from rules.systems.wh40k.settling import settle_open
from rules.systems.wh40k.state import (
    AttackGroup,
    AttackSequence,
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
from rules.systems.wh40k.units import eligible

__all__ = ["tables"]

Cell = Message | str | int | None
Rows = list[tuple[Cell, ...]]
_LATEST = 10


def tables(game: Game) -> tuple[Table, ...]:
    """Return the system's own part of the state. A roll that stands is shown as settled."""
    game = settle_open(game)
    return tuple(table for table in _tables(game) if table.rows)


def _tables(game: Game) -> Iterator[Table]:
    yield _table(Message("Phase"), ("turn of", "phase", "Command Re-roll used or waived by"), _phase(game))
    yield _table(
        Message("Units"), ("unit", "player", "models", "left"), [r for u in game.units.values() for r in _unit(u)]
    )
    yield _table(Message("Moves"), ("unit", "player", "inches", "how"), _moves(game))
    if game.sequence is not None:
        yield from _attacks(game, game.sequence)
    asked: Rows = []
    for computation in game.computed[-_LATEST:]:
        of = Message(
            "{name} {value}: {steps}",
            name=computation.characteristic,
            value=computation.value,
            steps=steps(computation.steps),
        )
        asked.append((computation.declared, computation.player, of))
    yield _table(Message("Characteristics"), ("event", "player", "step by step"), asked)
    ended: Rows = [
        (s.sequence, s.player, sequence_name(game, s), s.status, damage(game, s)) for s in game.sequences[-_LATEST:]
    ]
    yield _table(Message("Attacks and mortal wounds before"), ("event", "player", "what", "status", "damage"), ended)


_COLUMNS = {
    "turn of": Message("turn of"),
    "phase": Message("phase"),
    "Command Re-roll used or waived by": Message("Command Re-roll used or waived by"),
    "unit": Message("unit"),
    "player": Message("player"),
    "models": Message("models"),
    "left": Message("left"),
    "inches": Message("inches"),
    "how": Message("how"),
    "event": Message("event"),
    "step by step": Message("step by step"),
    "what": Message("what"),
    "status": Message("status"),
    "damage": Message("damage"),
    "group": Message("group"),
    "profile": Message("profile"),
    "so far": Message("so far"),
    "rules": Message("rules"),
    "which": Message("which"),
    "step": Message("step"),
    "dice": Message("dice"),
    "model": Message("model"),
    "normal": Message("normal"),
    "mortal": Message("mortal"),
    "slain": Message("slain"),
}


def _table(title: Message, columns: Iterable[str], rows: Rows) -> Table:
    return Table(title, tuple(_COLUMNS[column] for column in columns), rows)


# --- phase, units, moves -------------------------------------------------------------------------------------------


def _phase(game: Game) -> Rows:
    if game.turn is None and not game.command:
        return []
    turn = (None, None) if game.turn is None else (game.turn.player, game.turn.phase)
    return [(*turn, Listed(game.command) if game.command else None)]


def _unit(unit: Unit) -> Rows:
    rows: Rows = []
    for (name, wounds), found in groupby(unit.models, key=lambda model: (model.line.name, model.line.W)):
        models = list(found)
        first, last = models[0].model, models[-1].model
        numbers = str(first) if first == last else f"{first}-{last}"
        kind = Message("{numbers} {name}, W {wounds}", numbers=numbers, name=name, wounds=wounds)
        named = unit.unit if unit.name == unit.unit else Message("{unit}, {name}", unit=unit.unit, name=unit.name)
        rows.append((named, unit.player, kind, _left(models)))
    return rows


def _left(models: list[Model]) -> Message:
    alive = [model for model in models if not model.destroyed]
    parts = [Message("{left} of {all}", left=len(alive), all=len(models))]
    for model in alive:
        if model.lost:
            values = {"model": model.model, "lost": model.lost, "wounds": model.line.W}
            parts.append(Message("model {model} lost {lost} of {wounds}", **values))
    gone = [model.model for model in models if model.destroyed]
    if gone:
        parts.append(Message("destroyed: {models}", models=ranges(gone)))
    return Listed(parts)


def _moves(game: Game) -> Rows:
    rows: Rows = []
    for unit in game.units.values():
        if unit.move is None:
            continue
        computed = unit.move.computed
        inches = Message("to be rolled") if computed is None else computed.value
        rows.append((unit.unit, unit.player, inches, None if computed is None else steps(computed.steps)))
    return rows


# --- attacks -------------------------------------------------------------------------------------------------------


def _attacks(game: Game, sequence: AttackSequence) -> Iterator[Table]:
    title = Message("Under way: {what}, of event {event}", what=sequence_name(game, sequence), event=sequence.sequence)
    groups: Rows = [(g.group, _what(g), _profile(g), _so_far(g), _rules(g)) for g in sequence.groups]
    yield _table(title, ("group", "what", "profile", "so far", "rules"), groups)
    found: Rows = []
    for group in sequence.groups:
        for name in ("skill", "A", "S", "T", "AP", "D"):
            computed = getattr(group, name)
            if len(computed.steps) > 1:
                found.append((group.group, name, steps(computed.steps)))
    yield _table(Message("Their characteristics"), ("group", "which", "step by step"), found)
    yield _table(Message("Still to do"), ("what",), [(item,) for item in _waiting(game, sequence)])
    coming = next_step(game)
    following: Rows = []
    if coming is not None:
        following = [(coming.player, Message(SPOKEN[coming.step]), coming.dice)]
    yield _table(Message("Next"), ("player", "step", "dice"), following)
    lost: Rows = [(d.unit, d.model, d.normal, d.mortal, d.slain) for d in sequence.damage.values()]
    yield _table(Message("Wounds lost in them"), ("unit", "model", "normal", "mortal", "slain"), lost)


def _what(group: AttackGroup) -> Message:
    values = {"weapon": group.body.weapon, "target": group.target, "models": ranges(group.bearers)}
    return Message("{weapon} at {target}, by {models}", **values)


def _profile(group: AttackGroup) -> Message:
    attacks = Message("{attacks} attacks", attacks=group.attacks)
    if group.attacks is None:
        attacks = Message("{A} attacks each", A=group.A.value)
    hit = Message("hit without a roll") if group.auto_hit else Message("hit on {skill}+", skill=group.skill.value)
    values = {"S": group.S.value, "T": group.T.value, "AP": group.AP.value, "D": group.D.value}
    return Listed((attacks, hit, Message("S {S} against T {T}, AP {AP}, D {D}", **values)))


def _so_far(group: AttackGroup) -> Message:
    left = Message("attacks to be rolled")
    if group.queue is not None:
        left = Message("{left} left", left=len(group.queue))
    counts = (
        (group.hits, Message("{count} hits", count=group.hits)),
        (group.wounds, Message("{count} wounds", count=group.wounds)),
        (group.saved, Message("{count} saved", count=group.saved)),
        (group.failed, Message("{count} not saved", count=group.failed)),
    )
    return Listed((left, *(text for count, text in counts if count)))


def _rules(group: AttackGroup) -> Message | None:
    rules = (*map(change, given(group.body.modifiers, ())), *map(ability, group.abilities))
    return Listed(rules) if rules else None


def _waiting(game: Game, sequence: AttackSequence) -> Iterator[Message]:
    match sequence.at:
        case RollingExtra(hits=hits, target=target, first=first):
            values = {"count": len(first), "amount": first[0].amount, "target": target, "source": first[0].source}
            yield Message("{count} hits on {target} to wound", count=len(hits), target=target)
            yield Message("{count} x {amount} further hits on {target} ({source})", **values)
        case RollingStrength(target=target, hits=hits) | RollingWounds(target=target, hits=hits):
            yield Message("{count} hits on {target} to wound", count=len(hits), target=target)
        case RollingDamage(target=target, model=model):
            yield Message("the damage to model {model} of {target}", model=model, target=target)
        case Ignoring(target=target, model=model, damage=damage):
            text = N_("model {model} of {target} may ignore {damage} damage")
            yield Message(text, model=model, target=target, damage=damage)
        case _:
            pass
    if isinstance(sequence.at, Saving | RollingDamage | Ignoring) and sequence.at.wounds:
        target, count = sequence.at.target, len(sequence.at.wounds)
        numbers = ranges(model.model for model in eligible(game.units[target]))
        text = N_("{count} wounds to save by {target}, model {models}")
        yield Message(text, count=count, target=target, models=numbers)
    for item in sequence.mortal:
        values = {"count": item.times, "amount": item.amount, "target": item.target, "source": item.source}
        yield Message("{count} x {amount} mortal wounds on {target} ({source})", **values)
