"""Events of The 9th Age on one line of a log: what was rolled, rerolled, brought to the roll, announced."""

from collections.abc import Mapping
from typing import Any

from ledger.cli.lists import few, numbered
from ledger.cli.t9a_words import always_text, change_text, reroll_text

__all__ = ["summarize"]

_Body = Mapping[str, Any]
_DIRECTIONS = {"direction": "a direction", "direction-d6": "a direction by a D6"}


def summarize(event: Mapping[str, Any]) -> str | None:
    """What an event says, as one short sentence; None for a type that the system does not have."""
    body: _Body = event["body"]
    match event["type"]:
        case "roll":
            return ", ".join((_dice(body), *_terms(body)))
        case "declare":
            return f"roll {body['roll']}: {_rule(body['rule'])}"
        case "modify":
            return f"roll {body['roll']}: {change_text(body['modifier'])}"
        case "reroll":
            dice = f"{numbered('die', 'dice', body['dice'])} of " if body.get("dice") else ""
            return f"{dice}roll {body['roll']}, by its reroll rule {body['rule']}"
        case "resolve":
            return ", ".join((f"roll {body['roll']} is settled", *_claims(body)))
    return None


def _dice(body: _Body) -> str:
    times = body.get("times", 1)
    dice = _DIRECTIONS.get(body["dice"], body["dice"] or "no dice")
    return f"{f'{times} times ' if times > 1 else ''}{dice} for {body['source']}"


def _terms(body: _Body) -> list[str]:
    """Under which terms the dice are rolled, in the order in which they come to bear."""
    terms = [f"{name} ({few(body[name.lower()])})" for name in ("Maximised", "Minimised") if name.lower() in body]
    if body.get("modifiers"):
        terms.append(few([change_text(modifier) for modifier in body["modifiers"]]))
    if "target" in body:
        terms.append(f"{body['target'] or 'no target'} succeeds")
    if "always" in body:
        terms += always_text(body["always"])
    if "zero" in body:
        terms.append(f"0° is {body['zero']}")
    return [*terms, *([few([_rule(rule) for rule in body["rerolls"]])] if body.get("rerolls") else [])]


def _rule(rule: _Body) -> str:
    return f"{reroll_text(rule)} ({rule['source']})"


def _claims(body: _Body) -> list[str]:
    """What was announced with the end."""
    claims = []
    for name, one, sign in (("totals", "total", ""), ("directions", "direction", "°"), ("faces", "face", "")):
        if name in body:
            told = few([f"{value}{sign}" for value in body[name]]) or "none"
            claims.append(f"{one if len(body[name]) == 1 else name} {told}")
    if "successes" in body:
        claims.insert("totals" in body, f"{body['successes']} success{'' if body['successes'] == 1 else 'es'}")
    return claims
