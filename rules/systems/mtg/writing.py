"""Write bodies of rolls, effects and triggers as one-line notations (specs/mtg.md, "Notation")."""

import re
from collections.abc import Mapping
from typing import Any

from rules.common.free_text import BLANKS, narrow, reads_like_notation
from rules.systems.mtg.grammar import (
    AMOUNT,
    BAR,
    COLON,
    DICE,
    FLIPS,
    LINK,
    MARKS,
    RANDOM,
    RANGE,
    TRIGGER_RANGE,
    WHAT,
    WHO,
    WHOSE,
    WORD,
    is_begun,
    quote,
    says_again,
)

__all__ = [
    "write_effect",
    "write_ignore",
    "write_modifier",
    "write_permanent",
    "write_roll",
    "write_row",
    "write_standing",
    "write_trigger",
]


def _plain(text: str) -> str:
    """Return the text as it is, or quoted if it could be misread."""
    read = narrow(text)
    odd = not text or read != read.strip(" ") or read.startswith('"') or BAR.search(read)
    return quote(text) if odd else text


def write_roll(body: Mapping[str, Any]) -> str:
    """Return a roll as a line that `read_roll` reads into the same body."""
    head = [f"{link} {body[link]}" for link in ("again", "joins") if link in body]
    head += ["random"] if body.get("random") else []
    if "dice" in body:
        dice = str(body["dice"])
        head.append(dice if DICE.fullmatch(dice) and "D" not in dice else f"dice {quote(dice)}")
    source = body.get("source")
    modifiers = list(body.get("modifiers", ()))
    own = 0
    while own < len(modifiers) and modifiers[own]["source"] == source:
        head.append(f"{modifiers[own]['amount']:+d}")
        own += 1
    if source is not None:
        head.append(_head_text(body))
    line = " ".join(head) + (f": {_plain(body['use'])}" if "use" in body else "")
    segments = [line]
    segments += [f"no {name}" for name in ("modifiers", "effects", "ignores") if body.get(name) == []]
    segments += [write_modifier(one) for one in modifiers[own:]]
    segments += [write_effect(one) for one in body.get("effects", ())]
    segments += [write_ignore(one) for one in body.get("ignores", ())]
    segments += [write_row(one) for one in body.get("table", ())]
    segments += [f"doubles: {_plain(body['doubles'])}"] if "doubles" in body else []
    segments += [f"store on {body['store']}"] if "store" in body else []
    segments += [f"call {body['call']}"] if "call" in body else []
    segments += [f"without {', '.join(map(str, body['without']))}"] if "without" in body else []
    return " | ".join(segments)


def _head_text(body: Mapping[str, Any]) -> str:
    source: str = body["source"]
    read = narrow(source)
    begins = (
        not is_begun(body)
        or any(pattern.match(read) for pattern in (LINK, RANDOM, DICE, AMOUNT))
        or read.split(" ")[0] == "dice"
    )
    return quote(source) if begins or COLON.search(read) or reads_like_notation(source) else _plain(source)


def write_modifier(one: Mapping[str, Any]) -> str:
    """Return `+2: source`."""
    return f"{one['amount']:+d}: {_plain(one['source'])}"


def write_ignore(one: Mapping[str, Any]) -> str:
    """Return `+1 d20 ignore 2 lowest only d20: source`, or `ignore one of each pair: source`."""
    source = _plain(one["source"])
    only = f" only {one['only']}" if "only" in one else ""
    if one["which"] == "pair":
        return f"ignore one of each pair{only}: {source}"
    extra = f"+{one['extra']} " if one.get("extra") else ""
    sides = f"d{one['sides']} " if "sides" in one else ""
    count = f"{one['count']} " if one.get("count", 1) != 1 else ""
    return f"{extra}{sides}ignore {count}{one['which']}{only}: {source}"


def write_effect(one: Mapping[str, Any]) -> str:
    """Return `may reroll one once only d20 mana {1}: source`."""
    words = ["may"] if one.get("optional") else []
    words.append(one["kind"])
    if "amounts" in one:
        words.append("/".join(f"{amount:+d}" for amount in one["amounts"]))
    if "number" in one:
        words.append(str(one["number"]))
    elif one.get("scope", "each") != "each":
        words.append(one["scope"])
    words += ["once"] if one.get("once") else []
    words += [f"only {one['only']}"] if "only" in one else []
    words += [f"{word} {_word(one[name])}" for word, name in (("cost", "cost"), ("mana", "mana_cost")) if name in one]
    return f"{' '.join(words)}: {_plain(one['source'])}"


def _word(text: str) -> str:
    return text if WORD.fullmatch(narrow(text)) else quote(text)


def write_row(one: Mapping[str, Any]) -> str:
    """Return `range: effect`, with a mark where the words do not say whether to roll again."""
    again, effect = one.get("again"), one["effect"]
    says = says_again(effect)
    mark = "" if again == says else next(f" {mark}" for mark, means in MARKS.items() if means == again)
    words = quote(effect) if any(effect.endswith(end) for end in MARKS) else _plain(effect) if effect else ""
    return f"{_write_range(one['range'])}: {words}{mark if words else mark.lstrip(' ')}".rstrip(" ")


def _write_range(text: str, pattern: re.Pattern[str] = RANGE) -> str:
    return (
        text if pattern.fullmatch(narrow(text)) and text == text.strip(BLANKS) and not DICE.match(text) else quote(text)
    )


def write_trigger(body: Mapping[str, Any]) -> str:
    """Return `whenever you roll a natural 20: source`."""
    whose = body.get("whose", "you")
    flip = next((words for words, means in FLIPS.items() if means == (whose, body["on"])), None)
    if flip is not None:
        return f"whenever {flip}: {_plain(body['source'])}"
    who = next(words for words, means in WHO.items() if means == whose)
    what = next((words for words, on in WHAT.items() if on == body["on"]), None)
    if what is None:
        what = ("a natural " if body["on"] == "natural" else "a ") + _write_range(body["range"], TRIGGER_RANGE)
    return f"whenever {who} {what}: {_plain(body['source'])}"


def write_standing(body: Mapping[str, Any]) -> str:
    """Return the effect, with whose rolls it is for and the permanent that has it."""
    segments = [write_ignore(body["ignore"]) if "ignore" in body else write_effect(body["effect"])]
    segments += [words for words, whose in WHOSE.items() if whose == body.get("whose")]
    segments += [f"on {body['permanent']}"] if "permanent" in body else []
    return " | ".join(segments)


def write_permanent(body: Mapping[str, Any]) -> str:
    """Return `id: name`."""
    return f"{body['permanent']}: {_plain(body['name'])}"
