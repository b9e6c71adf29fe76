"""Effects of a roll in words: wounds lost, models destroyed, attacks finished."""

from collections.abc import Iterator

from rules.data.language import Listed, Message
from rules.systems.wh40k.phrases import ranges
from rules.systems.wh40k.state import AttackSequence, Game, Unit

__all__ = ["damage", "differences", "sequence_name"]


def differences(before: Game, after: Game) -> Iterator[Message]:
    """Yield the differences between a game and the same game with a roll settled."""
    for key, unit in after.units.items():
        old = before.units.get(key)
        if old is not None and old is not unit:
            yield from _lost(after.unit_name(key), old, unit)
    if before.sequence is not None and after.sequence is None and after.sequences:
        ended = after.sequences[-1]
        yield Message("{attacks}: finished; {damage}", attacks=sequence_name(after, ended), damage=damage(after, ended))


def _lost(name: str, old: Unit, unit: Unit) -> Iterator[Message]:
    """Yield the models that lost wounds: the destroyed ones together, the others one by one."""
    destroyed = []
    for was, model in zip(old.models, unit.models, strict=True):
        if was.lost == model.lost:
            continue
        if model.destroyed:
            destroyed.append(model.model)
            continue
        values = {"unit": name, "model": model.model, "left": model.left, "wounds": model.line.W}
        yield Message("{unit}: model {model} has {left} of {wounds} wounds left", **values)
    if destroyed:
        yield Message("{unit}: destroyed: {models}", unit=name, models=ranges(destroyed))


def sequence_name(game: Game, sequence: AttackSequence) -> Message:
    """Return the name of a sequence."""
    if sequence.unit is None:
        return Message("mortal wounds")
    return Message("attacks of {unit}", unit=game.unit_name(sequence.unit))


def damage(game: Game, sequence: AttackSequence) -> Message:
    """Return the wounds that each unit lost by a sequence."""
    by_unit: dict[str, list[int]] = {}
    for loss in sequence.damage.values():
        by_unit.setdefault(loss.unit, []).append(loss.normal + loss.mortal + loss.slain)
    if not by_unit:
        return Message("nobody lost a wound")
    return Listed(
        Message(
            "{unit} lost {wounds} wounds on {models} models",
            unit=game.unit_name(unit),
            wounds=sum(lost),
            models=len(lost),
        )
        for unit, lost in by_unit.items()
    )
