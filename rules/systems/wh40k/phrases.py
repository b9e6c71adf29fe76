"""Rules, steps and numbers in words, for summaries, notes and tables."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from rules.base import given
from rules.data.language import N_, Listed, Message
from rules.systems.wh40k.terms import (
    AnyAbility,
    AutoHit,
    Blast,
    Change,
    Fails,
    Modifier,
    Passes,
    Reroll,
    RerollAbility,
    Trigger,
    WoundsOn,
)
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
    """Return a kind of roll in words. A characteristic is returned as it is."""
    return Message(_OF[of]) if of in _OF else of


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers as ranges, such as `1-3, 7`."""
    runs = groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    found = [[number for _, number in run] for _, run in runs]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in found)


def few(items: Sequence[Message | str]) -> Message:
    """Return `a, b`, or `a, b, c, 4 more`."""
    more = [Message("{count} more", count=len(items) - _FEW)] if len(items) > _FEW else []
    return Listed((*items[:_FEW], *more))


def change(rule: Change | Modifier) -> Message:
    """Return a change such as `-1 (Dense Cover)`, `hit -1 (Dense Cover)` or `treated as 0 (Bastion) when -1`."""
    text = Message(_CHANGED[rule.op], amount=rule.amount, source=rule.source)
    if given(rule.when, ()):
        values = " / ".join(map(str, given(rule.when, ())))
        text = Message("{change} when {values}", change=text, values=values)
    if isinstance(rule, Modifier):
        return Message("{on} {change}", on=of_words(rule.on), change=text)
    return text


def changes(rules: Iterable[Change | Modifier]) -> Message:
    """Return several changes, separated by commas."""
    return few([change(one) for one in rules])


def which(rule: Reroll | RerollAbility) -> Message:
    """Return the dice that a reroll rule takes, how many, and by whom: `failed rolls`, `results of 1`, `any roll`."""
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


def ability(rule: AnyAbility) -> Message:
    """Return an ability with its source."""
    match rule:
        case AutoHit():
            return Message("hits without a roll ({source})", source=rule.source)
        case Blast():
            return Message("blast ({source})", source=rule.source)
        case WoundsOn():
            return Message("wounds on {needs}+ ({source})", needs=rule.needs, source=rule.source)
        case Passes() | Fails():
            text = N_("{on} of unmodified {results} passes ({source})")
            if isinstance(rule, Fails):
                text = N_("{on} of unmodified {results} fails ({source})")
            return Message(text, on=of_words(rule.on), results=ranges({*rule.results}), source=rule.source)
        case RerollAbility():
            return Message(
                "reroll {of}: {which} ({source})", of=of_words(rule.of), which=which(rule), source=rule.source
            )
        case Trigger():
            return _trigger(rule)


def _trigger(trigger: Trigger) -> Message:
    does = Message(_DOES[trigger.does], amount=given(trigger.amount, ""))
    results = " / ".join(map(str, trigger.results))
    text = N_("{on} of {results}: {does} ({source})")
    if trigger.unmodified is True:
        text = N_("{on} of unmodified {results}: {does} ({source})")
    if trigger.instead is True:
        does = Message("{does}, and the attack ends", does=does)
    return Message(text, on=of_words(trigger.on), results=results, does=does, source=trigger.source)


def steps(items: Iterable[Step]) -> Message:
    """Return the steps such as `printed -2; worsened by 1 (Dour Duty): -1; treated as 0 (Bastion): 0`."""
    return Listed([_step(step) for step in items], N_("; "))


def _step(step: Step) -> Message:
    if step.amount is None or step.op not in _CHANGED:
        return Message(_STEPS[step.op], value=step.value)
    text = Message(_CHANGED[step.op], amount=step.amount, source=step.source)
    return Message("{change}: {value}", change=text, value=step.value)
