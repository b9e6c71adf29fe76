"""Notations of changes, reroll rules and abilities, which stand in those of rolls (specs/wh40k.md, "Notation")."""

import re
from collections.abc import Mapping
from typing import Any

from rules.base import NotationError
from rules.data.language import Message
from rules.systems.wh40k.quoting import TEXT, Quoted, integers, read_integers, write_text

__all__ = [
    "DICE",
    "LIST",
    "Json",
    "add_once",
    "match_whole",
    "read_ability",
    "read_change",
    "read_modifier",
    "read_rule",
    "read_value",
    "refusal",
    "write_ability",
    "write_change",
    "write_modifier",
    "write_rule",
]

Json = dict[str, Any]
LIST = r"-?[0-9]+(?:-[0-9]+)?(?:,-?[0-9]+(?:-[0-9]+)?)*"
DICE = r"[0-9]*d[36](?:dh[0-9]+)?(?:dl[0-9]+)?(?:\+[0-9]+)?"


def match_whole(pattern: str, text: str) -> re.Match[str] | None:
    """Match the whole text, whatever the case of its letters; None if it does not match."""
    return re.fullmatch(pattern, text, re.IGNORECASE)


def refusal(what: Message, text: Quoted, piece: str, example: str) -> NotationError:
    """Return the error for a piece that is no notation of its kind, with an example of one."""
    written = text.shown(piece)
    return NotationError("{text} is no {what}: write it as in {example}", text=written, what=what, example=example)


def add_once(text: Quoted, found: Json, name: str, value: Any, piece: str) -> None:
    """Add a member that may occur once. Raises NotationError for a second one."""
    if name in found:
        written = text.shown(piece).strip(" ,")
        raise NotationError("{part!r} is given a second time; it can be given only once", part=written)
    found[name] = value


def read_value(text: str) -> int | str:
    """Return a number, the word `user` in lower case, or dice as they are."""
    return int(text) if re.fullmatch("-?[0-9]+", text) else text.lower() if text.lower() == "user" else text


# --- changes -------------------------------------------------------------------------------------------------------

_SIGNS = {"+": "add", "-": "subtract", "x": "multiply", "*": "multiply", "/": "divide", "=": "set"}
_SHOWN = {"add": "+", "subtract": "-", "multiply": "x", "divide": "/"}
_NAMED = {"set": "set", "treat": "treat", "improve": "improve", "worsen": "worsen", "at least": "floor"}
_OP = rf"(?:([-+x*/=]) ?([0-9]{{1,4}})|({'|'.join(_NAMED)}) +(-?[0-9]{{1,4}}))"
_CHANGE = rf"{_OP}(?: +when +({LIST}))? +({TEXT})"
_CHANGED = "-1 Dense Cover, x2 Rage, treat 0 when -1 Bastion"
_ON = {
    **{
        name.casefold(): name for name in ("hit", "wound", "save", "invulnerable", "WS", "BS", "S", "T", "A", "AP", "D")
    },
    "sv": "Sv",
    "inv": "invulnerable",
}


def read_change(text: Quoted, piece: str) -> Json:
    """Parse `-1 when 1-3 source`, without what it is on."""
    match = match_whole(_CHANGE, piece)
    if match is None:
        raise refusal(Message("change"), text, piece, _CHANGED)
    op = _SIGNS[match[1].lower()] if match[1] else _NAMED[match[3].lower()]
    when = {"when": read_integers(match[5], "when")} if match[5] else {}
    return {"source": text.read(match[6]), "op": op, "amount": int(match[2] or match[4]), **when}


def read_modifier(text: Quoted, piece: str) -> Json:
    """Parse `hit -1 source` or `-1 to hit source`."""
    match = match_whole(rf"({'|'.join(_ON)}) +(.*)", piece)
    if match is not None:
        return {**read_change(text, match[2]), "on": _ON[match[1].casefold()]}
    match = match_whole(rf"({_OP}) +to +({'|'.join(_ON)}) +({TEXT})", piece)
    if match is None:
        raise refusal(Message("modifier"), text, piece, "hit -1 Dense Cover, S x2 Rage, AP treat 0 when -1 Bastion")
    return {**read_change(text, f"{match[1]} {match[7]}"), "on": _ON[match[6].casefold()]}


def write_change(change: Mapping[str, Any]) -> str:
    """Return `-1 when 1-3 source`."""
    op, amount = change["op"], change["amount"]
    names = {value: name for name, value in _NAMED.items()}
    written = f"{_SHOWN[op]}{amount}" if op in _SHOWN else f"{names[op]} {amount}"
    when = f" when {integers(change['when'])}" if "when" in change else ""
    return f"{written}{when} {write_text(change['source'])}"


def write_modifier(modifier: Mapping[str, Any]) -> str:
    """Return `hit -1 source`."""
    return f"{modifier['on']} {write_change(modifier)}"


# --- reroll rules and abilities ------------------------------------------------------------------------------------

_WHICH = (
    rf"(any|all|failed|ones|{LIST})( +apart)?(?: +most +([0-9]{{1,3}}))?( +always)?"
    rf"(?: +by +([a-z0-9][a-z0-9._-]*))? +({TEXT})"
)
_OF = ("hit", "wound", "damage", "attacks", "strength", "save", "invulnerable", "saves", "ignore")
_DOES = {"extra hits": "extra_hits", "extra attacks": "extra_attacks", "improve ap": "improve_ap"}
_TRIGGER = (
    rf"on +(hit|wound)( +unmodified)? +({LIST})(\+?) ?: +"
    rf"(?:(wounds|slays)|({'|'.join(_DOES)}) +([0-9]+|{DICE})|mortal +([0-9]+|{DICE})( +instead)?) +({TEXT})"
)


_NAMED_RESULTS = rf"on +(hit|wound) +unmodified +({LIST})(\+?) ?: +(passes|fails) +({TEXT})"
_WOUNDS_ON = rf"wounds +on +([0-9]{{1,2}})\+ +({TEXT})"


def read_rule(text: Quoted, piece: str) -> Json:
    """Parse `failed most 1 by bob source`: which dice are rerolled, and by whose rule."""
    match = match_whole(_WHICH, piece)
    if match is None:
        raise refusal(
            Message("reroll rule"),
            text,
            piece,
            "1 Captain, failed Litany, any most 1 Rites of War, failed by bob Dread",
        )
    word = match[1].casefold()
    words: dict[str, Json] = {"failed": {"failed": True}, "ones": {"results": [1]}}
    which = words.get(word, {})
    if word[0] in "-0123456789":
        which = {"results": read_integers(word, "results")}
    return {
        "source": text.read(match[6]),
        **which,
        **({"apart": True} if match[2] else {}),
        **({"most": int(match[3])} if match[3] else {}),
        **({"always": True} if match[4] else {}),
        **({"by": match[5].lower()} if match[5] else {}),
    }


def read_ability(text: Quoted, piece: str) -> Json:
    """Parse an ability of a weapon or a unit. Each begins with a word of its own, such as `reroll`, `on` or `blast`."""
    for kind in ("auto-hit", "blast"):
        if (match := match_whole(rf"{kind} +({TEXT})", piece)) is not None:
            return {"kind": kind, "source": text.read(match[1])}
    if (match := match_whole(rf"reroll +({'|'.join(_OF)}) +(.*)", piece)) is not None:
        return {"kind": "reroll", "of": match[1].lower(), **read_rule(text, match[2])}
    if (match := match_whole(_WOUNDS_ON, piece)) is not None:
        return {"kind": "wounds-on", "source": text.read(match[2]), "needs": int(match[1])}
    if (match := match_whole(_NAMED_RESULTS, piece)) is not None:
        found = {"kind": match[4].lower(), "source": text.read(match[5]), "on": match[1].lower()}
        return {**found, "results": _up_to(match[2], match[3], 6)}
    match = match_whole(_TRIGGER, piece)
    if match is None:
        raise refusal(
            Message("ability"), text, piece, "reroll hit 1 Captain, on hit unmodified 6: extra hits 1 Tesla, blast Frag"
        )
    results = _up_to(match[3], match[4], 6 if match[2] else 7)
    found = {"kind": "trigger", "source": text.read(match[10]), "on": match[1].lower(), "results": results}
    if match[2]:
        found["unmodified"] = True
    if match[5]:
        return {**found, "does": "wound" if match[5].lower() == "wounds" else "slay"}
    if match[6]:
        return {**found, "does": _DOES[match[6].lower()], "amount": read_value(match[7])}
    return {**found, "does": "mortal", "amount": read_value(match[8]), **({"instead": True} if match[9] else {})}


def _up_to(text: str, plus: str, most: int) -> list[int]:
    """Return results, with `4+` extended up to the highest possible one."""
    results = read_integers(text, "results")
    return [*range(results[-1], max(results[-1], most) + 1)] if plus else results


def write_rule(rule: Mapping[str, Any]) -> str:
    """Return `failed most 1 by bob source`."""
    which = "failed" if "failed" in rule else integers(rule["results"]) if "results" in rule else "any"
    parts = [which, *(["apart"] if "apart" in rule else []), *([f"most {rule['most']}"] if "most" in rule else [])]
    parts += [*(["always"] if "always" in rule else []), *([f"by {rule['by']}"] if "by" in rule else [])]
    return " ".join((*parts, write_text(rule["source"])))


def write_ability(ability: Mapping[str, Any]) -> str:
    """Return an ability as a piece that `read_ability` reads into the same ability."""
    if ability["kind"] in ("auto-hit", "blast"):
        return f"{ability['kind']} {write_text(ability['source'])}"
    if ability["kind"] == "reroll":
        return f"reroll {ability['of']} {write_rule(ability)}"
    if ability["kind"] == "wounds-on":
        return f"wounds on {ability['needs']}+ {write_text(ability['source'])}"
    if ability["kind"] in ("passes", "fails"):
        of = f"{ability['on']} unmodified {integers(ability['results'])}"
        return f"on {of}: {ability['kind']} {write_text(ability['source'])}"
    unmodified = "unmodified " if "unmodified" in ability else ""
    names = {value: name for name, value in _DOES.items()}
    does = {"wound": "wounds", "slay": "slays", "mortal": "mortal"}.get(ability["does"]) or names[ability["does"]]
    amount = f" {ability['amount']}" if "amount" in ability else ""
    instead = " instead" if "instead" in ability else ""
    results = integers(ability["results"])
    return f"on {ability['on']} {unmodified}{results}: {does}{amount}{instead} {write_text(ability['source'])}"
