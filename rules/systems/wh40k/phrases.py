"""Rules, steps and numbers as people read them: what stands in summaries, notes and tables alike."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from rules.base import given
from rules.data.language import N_, Listed, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.values import Step

__all__ = ["ability", "change", "changes", "few", "ranges", "steps", "which"]

_FEW = 3
_CHANGED = {
    "add": N_("+{amount} ({source})"),
    "subtract": N_("-{amount} ({source})"),
    "multiply": N_("x{amount} ({source})"),
    "divide": N_("/{amount} ({source})"),
    "set": N_("set to {amount} ({source})"),
    "treat": N_("treated as {amount} ({source})"),
    "improve": N_("improved by {amount} ({source})"),
    "worsen": N_("worsened by {amount} ({source})"),
    "floor": N_("at least {amount} ({source})"),
}
_STEPS = {
    "printed": N_("printed {value}"),
    "rolled": N_("rolled {value}"),
    "unmodified": N_("unmodified {value}"),
    "round": N_("rounded up: {value}"),
    "cap": N_("no further: {value}"),
    "floor": N_("no lower: {value}"),
    "blast": N_("blast: {value}"),
    "takes T": N_("T stands in: {value}"),
}
_OF = {
    "hit": N_("hit"),
    "wound": N_("wound"),
    "save": N_("save"),
    "invulnerable": N_("invulnerable"),
    "saves": N_("saves"),
    "ignore": N_("ignore"),
    "damage": N_("damage"),
    "attacks": N_("attacks"),
    "strength": N_("strength"),
    "mortal": N_("mortal"),
}
_DOES = {
    "extra_hits": N_("{amount} further hits"),
    "extra_attacks": N_("{amount} further attacks"),
    "wound": N_("wounds without a roll"),
    "mortal": N_("{amount} mortal wounds later"),
    "improve_ap": N_("AP improved by {amount}"),
    "slay": N_("slays the bearer"),
}


def of_words(of: str) -> Message | str:
    """What a rule bears on, a kind of roll or a characteristic, which speaks for itself."""
    return Message(_OF[of]) if of in _OF else of


def ranges(numbers: Iterable[int]) -> str:
    """[1, 2, 3, 7] as `1-3, 7`."""
    runs = groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    found = [[number for _, number in run] for _, run in runs]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in found)


def few(told: Sequence[Message | str]) -> Message:
    """`a, b`; `a, b, c, 4 more`."""
    more = [Message("{count} more", count=len(told) - _FEW)] if len(told) > _FEW else []
    return Listed((*told[:_FEW], *more))


def change(told: b.Change | b.Modifier) -> Message:
    """`-1 (Dense Cover)`, `hit -1 (Dense Cover)`, `treated as 0 (Bastion) when -1`."""
    text = Message(_CHANGED[told.op], amount=told.amount, source=told.source)
    if given(told.when, ()):
        values = " / ".join(map(str, given(told.when, ())))
        text = Message("{change} when {values}", change=text, values=values)
    if isinstance(told, b.Modifier):
        return Message("{on} {change}", on=of_words(told.on), change=text)
    return text


def changes(told: Iterable[b.Change | b.Modifier]) -> Message:
    """Several, with commas between them."""
    return few([change(one) for one in told])


def which(rule: b.Reroll | b.RerollAbility) -> Message:
    """What a reroll rule takes: `failed rolls`, `results of 1`, `any roll`; how many; whose it is."""
    text = Message("any roll")
    if rule.failed is True:
        text = Message("failed rolls")
    elif results := given(rule.results, ()):
        text = Message("results of {results}", results=" / ".join(map(str, results)))
    parts = [text]
    if rule.apart is True:
        parts.append(Message("one die at a time"))
    if isinstance(rule.most, int):
        parts.append(Message("at most {most}", most=rule.most))
    if rule.always is True:
        parts.append(Message("always"))
    if isinstance(rule.by, str):
        parts.append(Message("by {player}", player=rule.by))
    return Listed(parts)


def ability(told: b.AnyAbility) -> Message:
    """An ability with its source."""
    match told:
        case b.AutoHit():
            return Message("hits without a roll ({source})", source=told.source)
        case b.Blast():
            return Message("blast ({source})", source=told.source)
        case b.WoundsOn():
            return Message("wounds on {needs}+ ({source})", needs=told.needs, source=told.source)
        case b.Passes() | b.Fails():
            text = N_("{on} of unmodified {results} passes ({source})")
            if isinstance(told, b.Fails):
                text = N_("{on} of unmodified {results} fails ({source})")
            return Message(text, on=of_words(told.on), results=ranges({*told.results}), source=told.source)
        case b.RerollAbility():
            return Message(
                "reroll {of}: {which} ({source})", of=of_words(told.of), which=which(told), source=told.source
            )
        case b.Trigger():
            return _trigger(told)


def _trigger(told: b.Trigger) -> Message:
    does = Message(_DOES[told.does], amount=given(told.amount, ""))
    results = " / ".join(map(str, told.results))
    text = N_("{on} of {results}: {does} ({source})")
    if told.unmodified is True:
        text = N_("{on} of unmodified {results}: {does} ({source})")
    if told.instead is True:
        does = Message("{does}, and the attack ends", does=does)
    return Message(text, on=of_words(told.on), results=results, does=does, source=told.source)


def steps(told: Iterable[Step]) -> Message:
    """`printed -2; worsened by 1 (Dour Duty): -1; treated as 0 (Bastion): 0`."""
    return Listed([_step(step) for step in told], N_("; "))


def _step(step: Step) -> Message:
    if step.amount is None or step.op not in _CHANGED:
        return Message(_STEPS[step.op], value=step.value)
    text = Message(_CHANGED[step.op], amount=step.amount, source=step.source)
    return Message("{change}: {value}", change=text, value=step.value)
