"""Events of Warhammer 40,000 on one line of a log: what was declared, rolled, rerolled, modified, resolved."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ledger.cli.wh40k_words import change_text, ranges, which_text

__all__ = ["summarize"]

_Body = Mapping[str, Any]
_FEW = 3
"""what is told of a list; of the rest only how many there are"""


def summarize(event: Mapping[str, Any]) -> str | None:
    """What an event says, as one short sentence; None for a type that the system does not have."""
    body: _Body = event["body"]
    match event["type"]:
        case "declare":
            return _DECLARED[body["what"]](body)
        case "roll":
            return _ROLLED[body["for"]](body)
        case "reroll":
            return _reroll(body)
        case "modify":
            return f"roll {body['roll']}: {_changes(body['modifiers'])}"
        case "resolve":
            return _resolve(body)
    return None


# --- lists ---------------------------------------------------------------------------------------------------------


def _few(told: Sequence[str]) -> str:
    """`a, b and c`; `a, b, c and 4 more`."""
    more = len(told) - _FEW
    shown = [*told[:_FEW], *([f"{more} more"] if more > 0 else [])]
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def _changes(changes: Iterable[_Body]) -> str:
    return _few([change_text(change) for change in changes])


def _modified(body: _Body) -> str:
    return f", {_changes(body['modifiers'])}" if body.get("modifiers") else ""


def _source(body: _Body) -> str:
    return f" ({body['source']})" if "source" in body else ""


def _numbered(word: str, numbers: Sequence[int], several: str | None = None) -> str:
    """`group 1`, `groups 1-3`; `die 2`, `dice 2, 5`."""
    runs = ranges(set(numbers)).split(", ")
    return f"{word if len(numbers) == 1 else several or f'{word}s'} {_few(runs)}"


# --- declare -------------------------------------------------------------------------------------------------------


def _unit(body: _Body) -> str:
    lines = [f"{line['count']} {line['name']}" for line in body["models"]]
    return f"{body['unit']} is on the table: {body['name']}, {_few(lines)}"


def _attacks(body: _Body) -> str:
    groups: list[_Body] = body["groups"]
    verb = {("ranged",): "shoots at", ("melee",): "fights"}.get(tuple({g["type"] for g in groups}), "attacks")
    at: dict[str, list[str]] = {}
    for group in groups:
        at.setdefault(group["target"], []).append(f"{group['weapon']} ({_numbered('model', group['bearers'])})")
    return f"{body['unit']} {verb} {_few([f'{target} with {_few(weapons)}' for target, weapons in at.items()])}"


def _rules(body: _Body) -> str:
    sources = dict.fromkeys(rule["source"] for kind in ("modifiers", "abilities") for rule in body.get(kind, ()))
    return f"more rules for {_numbered('group', body['groups'])}: {_few([*sources])}"


def _mortal(body: _Body) -> str:
    count = body["count"] if "count" in body else f"as many as roll {body['roll']} came to:"
    return f"{count} mortal wound{'' if count == 1 else 's'} on {body['target']}{_source(body)}"


def _characteristic(body: _Body) -> str:
    name = body["characteristic"]
    of = f"{name} of model {body['model']} of {body['unit']}" if "unit" in body else f"{name} {body['printed']}"
    said = f"; said to be {body['value']}" if "value" in body else ""
    return f"what {of} is{_modified(body)}{said}"


_DECLARED: Mapping[str, Callable[[_Body], str]] = {
    "phase": lambda body: f"the {body['phase']} phase begins",
    "unit": _unit,
    "gone": lambda body: f"{body['unit']} is off the table",
    "wounds": lambda body: f"model {body['model']} of {body['unit']} has now lost {body['lost']}{_source(body)}",
    "move": lambda body: f"{body['unit']} is selected to move{_source(body)}{_modified(body)}",
    "characteristic": _characteristic,
    "attacks": _attacks,
    "rules": _rules,
    "mortal": _mortal,
    "reroll": lambda b: f"roll {b['roll']} may be rerolled: {which_text(b['reroll'])} ({b['reroll']['source']})",
}

# --- rolls ---------------------------------------------------------------------------------------------------------


def _free(body: _Body) -> str:
    added = " added together" if body.get("sum") else ""
    test = f" as a {body['test']} roll" if "test" in body else ""
    needs = f", {body['needs']}+ is needed" if "needs" in body else ""
    return f"{body['dice']}{added} for {body['source']}{test}{needs}{_modified(body)}"


def _hit(body: _Body) -> str:
    count = f"{body['count']} attack{'' if body['count'] == 1 else 's'}" if "count" in body else "the attacks"
    return f"to hit with {count} of {_numbered('group', body['groups'])}"


def _save(body: _Body) -> str:
    return f"{'an invulnerable save' if body.get('invulnerable') else 'a save'} for model {body['model']}"


def _ignore(body: _Body) -> str:
    if "count" not in body:
        return "to ignore damage"
    return f"to ignore {body['count']} mortal wound{'' if body['count'] == 1 else 's'} on model {body['model']}"


_ROLLED: Mapping[str, Callable[[_Body], str]] = {
    "free": _free,
    "move": lambda body: f"the Move of {body['unit']}",
    "attacks": lambda body: f"the number of attacks of group {body['group']}",
    "hit": _hit,
    "strength": lambda _: "the Strength of the hits",
    "wound": lambda _: "to wound",
    "save": _save,
    "damage": lambda _: "the damage",
    "ignore": _ignore,
    "mortal": lambda _: "the number of mortal wounds",
}


def _reroll(body: _Body) -> str:
    dice = f"{_numbered('die', body['dice'], 'dice')} of " if "dice" in body else ""
    rule = "the Command Re-roll" if body.get("command") else f"its rule {body['reroll']}"
    return f"{dice}roll {body['roll']}, by {rule}"


def _resolve(body: _Body) -> str:
    if "groups" in body:
        which = f"{body['count']} attack{'' if body['count'] == 1 else 's'}" if "count" in body else "the attacks"
        return f"{which} of {_numbered('group', body['groups'])} hit without a roll"
    if "model" in body:
        if "mortal" in body:
            return f"{body['mortal']} mortal wound{'' if body['mortal'] == 1 else 's'} on model {body['model']}"
        return f"model {body['model']} takes the wound, without a save"
    claims = [f"roll {body['roll']} is settled"]
    if "results" in body:
        claims.append(f"results {_few([str(result) for result in body['results']]) or 'none'}")
    if "passed" in body:
        claims.append(_numbered("success", body["passed"], "successes") if body["passed"] else "no success")
    if "triggered" in body:
        claims.append(f"abilities set off: {_few([str(told['ability']) for told in body['triggered']]) or 'none'}")
    return ", ".join(claims)
