"""What players type for Warhammer 40,000 as members of bodies: datasheets, rules with their source, dice, ranges."""

import re
from collections.abc import Iterable
from typing import Any

from ledger.cli.place import present
from ledger.errors import UsageError

__all__ = [
    "announced",
    "changes",
    "claims_of_abilities",
    "model_line",
    "modifier",
    "needed",
    "reroll_ability",
    "reroll_rules",
    "span",
    "strength",
    "trigger",
    "value",
]

_DICE = re.compile(r"(?:[1-9][0-9]?)?d[36](?:\+(?:0|[1-9][0-9]?))?", re.ASCII | re.IGNORECASE)
_WHOLE = re.compile(r"[-+]?[0-9]{1,9}", re.ASCII)
_MOST = 1_000
"""entries that a list in a body has at most (MAX_DICE of rules.bounds)"""

# --- numbers -------------------------------------------------------------------------------------------------------


def needed(text: str, where: str) -> int:
    """`3+` or `3` as 3. Raises UsageError."""
    number = text.removesuffix("+")
    if not _WHOLE.fullmatch(number):
        raise UsageError(f"{where} is what the roll needs, for example 3+; not {text!r}")
    return int(number)


def value(text: str, option: str, *, dice: bool = True, user: bool = False, dash: bool = False) -> int | str:
    """A characteristic: a number, and where allowed a random value, `user` or `-`. Raises UsageError."""
    low = text.casefold()
    if (user and low == "user") or (dash and low == "-") or (dice and _DICE.fullmatch(low)):
        return low.removeprefix("1") if low.startswith("1d") else low
    if _WHOLE.fullmatch(low):
        return int(low)
    also = (", or dice such as d6, 2d6 or d3+3" if dice else "") + (", user for the model's own" if user else "")
    raise UsageError(f"{option} takes a number{also}{', or - for none' if dash else ''}; not {text!r}")


def strength(text: str, weapon: str) -> tuple[int | str, list[dict[str, Any]]]:
    """A weapon's S as it is printed: 4, user, +1 or x2; the last two change the model's own. Raises UsageError."""
    match = re.fullmatch(r"([+xX×*])([1-9][0-9]?)", text, re.ASCII)
    if match is None:
        return value(text, "-S", user=True), []
    op = "add" if match[1] == "+" else "multiply"
    return "user", [{"source": weapon, "on": "S", "op": op, "amount": int(match[2])}]


def span(text: str, option: str) -> list[int]:
    """`1-5,7` as [1, 2, 3, 4, 5, 7]. Raises UsageError."""
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,6})\s*(?:[-–]\s*([0-9]{1,6})\s*)?", part, re.ASCII)
        if match is None:
            raise UsageError(f"{option} takes numbers and ranges with commas between them, 1-5,7; not {text!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise UsageError(f"{option}: a range begins with the lower number, {last}-{first}; not {part.strip()}")
        if len(found) + last - first >= _MOST:
            raise UsageError(f"{option} takes {_MOST} numbers at most")
        found += range(first, last + 1)
    return found


def _results(text: str, highest: int) -> list[int]:
    """Results of a die: 6, 5,6, 5-6, or 5+, which goes up to the highest that there can be."""
    if text.endswith("+"):
        low = int(text[:-1])
        return list(range(low, max(low, highest) + 1))
    return span(text, "results")


# --- datasheets ----------------------------------------------------------------------------------------------------

_LINE = re.compile(r"\s*([0-9]{1,4})\s*[xX×]\s*(\S.*)", re.ASCII)
_STAT = re.compile(
    r"(inv|fnp|WS|BS|Ld|Sv|M|S|T|W|A)(-|[0-9]+(?:\+|\")?|[0-9]*d[36](?:\+[0-9]+)?)", re.ASCII | re.IGNORECASE
)
_STATS = {name.casefold(): name for name in ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv")}
_EXTRAS = {"inv": "invulnerable", "fnp": "ignores_wounds"}
_RANGES = {
    **dict.fromkeys(("WS", "BS", "Sv"), (1, 7)),
    **dict.fromkeys(_EXTRAS.values(), (2, 6)),
    **dict.fromkeys(("S", "T", "W", "A"), (1, 100)),
}
_LINE_EXAMPLE = "'10xBoy M5 WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+'"


def model_line(text: str) -> dict[str, Any]:
    """`10xBoy M5 WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+ inv5+ fnp5+` as a line of a unit. Raises UsageError."""
    match = _LINE.fullmatch(text)
    words = match[2].split() if match else []
    start = _datasheet(words)
    if match is None or start == 0:
        raise UsageError(f"--models takes how many, the name and the datasheet, {_LINE_EXAMPLE}; not {text!r}")
    stats: dict[str, Any] = {}
    for word in words[start:]:
        stat = _STAT.fullmatch(word)
        if stat is None:
            raise UsageError(
                f"--models: {word!r} in {text!r} is none of {' '.join(_STATS.values())} inv fnp with its value. "
                f"Write it as in {_LINE_EXAMPLE}, with - for none and inv5+ or fnp5+ at the end"
            )
        low = stat[1].casefold()
        name = _STATS.get(low) or _EXTRAS[low]
        if name in stats:
            raise UsageError(f"--models: {stat[1]} stands twice in {text!r}")
        stats[name] = value(stat[2].removesuffix("+").removesuffix('"'), stat[1], dash=True)
        low, high = _RANGES.get(name, (0, 100))
        if isinstance(number := stats[name], int) and not low <= number <= high:
            raise UsageError(f"--models: {stat[1]} goes from {low} to {high}; not {word}")
    missing = [name for name in _STATS.values() if name not in stats]
    if missing:
        raise UsageError(f"--models: {text!r} says nothing of {' and '.join(missing)} (write {missing[0]}- for none)")
    return {"count": int(match[1]), "name": " ".join(words[:start]), **stats}


def _datasheet(words: list[str]) -> int:
    """Where the datasheet begins in what follows the number: with M, and another characteristic after it; else 0."""
    found = [_STAT.fullmatch(word) for word in words]
    moves = (i for i in range(1, len(words) - 1) if (stat := found[i]) and stat[1] in "Mm" and found[i + 1])
    return next(moves, 0)


# --- changes -------------------------------------------------------------------------------------------------------


_OPS = {
    "plus": "add",
    "minus": "subtract",
    "at_least": "floor",
    **{name: name for name in ("divide", "multiply", "set", "treat", "improve", "worsen")},
}
"""option → the `op` of a change"""


def changes(**given: Iterable[str] | None) -> list[dict[str, Any]]:
    """Changes from options: what was given for each, SOURCE:N. Raises UsageError."""
    return [
        _change(text, _OPS[name], f"--{name.replace('_', '-')}")
        for name, texts in given.items()
        for text in texts or ()
    ]


def _change(text: str, op: str, option: str) -> dict[str, Any]:
    # Other systems write NUMBER=SOURCE, so that is understood too.
    match = re.fullmatch(r"(.*\S)\s*:\s*([-+]?[0-9]+)\s*(?:when\s+(\S+)\s*)?", text) or None
    if match is not None:
        source, amount, when = match[1].strip(), match[2], match[3]
    elif other := re.fullmatch(r"([-+]?[0-9]+)=(.*\S)", text):
        source, amount, when = other[2].strip(), other[1], None
    else:
        example = f"{option} 'Bastion:0 when -1'" if op in ("set", "treat") else f"{option} 'Dense Cover:1'"
        raise UsageError(f"{option} takes the rule that says so and a number, {example}; not {text!r}")
    return {"source": source, "op": op, "amount": _amount(amount), **present(when=_when(when, option))}


def _when(text: str | None, option: str) -> list[int] | None:
    if text is None:
        return None
    if not re.fullmatch(r"-?[0-9]{1,9}(,-?[0-9]{1,9})*", text, re.ASCII):
        raise UsageError(f"{option}: after “when” come values with commas between them, -1,-2; not {text!r}")
    return [int(number) for number in text.split(",")]


def _amount(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise UsageError(f"a number of at most nine digits is needed; not {text[:40]!r}")
    return int(text)


_ON = {
    **{name.casefold(): name for name in ("hit", "wound", "save", "WS", "BS", "S", "T", "A", "AP", "D", "Sv")},
    "inv": "invulnerable",
    "invulnerable": "invulnerable",
}
_SIGNS = {"+": "add", "-": "subtract", "x": "multiply", "×": "multiply", "*": "multiply", "/": "divide", "=": "set"}
_WORDS = {
    **{word: word for word in ("add", "subtract", "multiply", "divide", "set", "treat", "improve", "worsen")},
    "at-least": "floor",
}
_MOD = re.compile(
    rf"\s*([A-Za-z]+)\s+(?:([-+xX×*/=])\s*([0-9]+)|({'|'.join(_WORDS)})\s+([-+]?[0-9]+))"
    r"(?:\s+when\s+(\S+))?\s+(\S.*?)\s*",
    re.IGNORECASE,
)


def modifier(text: str) -> dict[str, Any]:
    """`hit -1 Dense Cover`, `S x2 Rage`, `ap treat 0 when -1 Bastion` as a modifier. Raises UsageError."""
    match = _MOD.fullmatch(text)
    on = match and _ON.get(match[1].casefold())
    if match is None or on is None:
        raise UsageError(
            f"--mod takes what is changed, how, and the rule that says so, 'hit -1 Dense Cover' or 'S x2 Rage'; what: "
            f"{', '.join(dict.fromkeys(_ON.values()))}; how: +1 -1 x2 /2 =3, or {' '.join(_WORDS)} with a number; "
            f"not {text!r}"
        )
    op = _SIGNS[match[2].lower()] if match[2] else _WORDS[match[4].lower()]
    if on == "AP" and op in ("add", "subtract", "floor"):
        raise UsageError(f"AP is improved or worsened: 'ap improve 1 {match[7]}' makes AP -1 an AP -2; not {text!r}")
    amount = _amount(match[3] or match[5])
    return {"source": match[7], "on": on, "op": op, "amount": amount, **present(when=_when(match[6], "--mod"))}


# --- abilities -----------------------------------------------------------------------------------------------------

_DOES = {
    "extra-hits": "extra_hits",
    "extra-hit": "extra_hits",
    "extra-attacks": "extra_attacks",
    "extra-attack": "extra_attacks",
    "mortal": "mortal",
    "improve-ap": "improve_ap",
    "wounds": "wound",
    "slays": "slay",
}
_ALONE = ("wounds", "slays")
_TRIGGER = re.compile(
    r"\s*(hit|wound)\s+(unmodified\s+|natural\s+)?([0-9]{1,3}(?:[-,][0-9]{1,3})*\+?)\s+"
    rf"(?:({'|'.join(_ALONE)})|({'|'.join(d for d in _DOES if d not in _ALONE)})\s+(\S+)(\s+instead)?)\s+(\S.*?)\s*",
    re.IGNORECASE | re.ASCII,
)


def trigger(text: str) -> dict[str, Any]:
    """`hit unmodified 6 extra-hits 1 Source` as an ability. Raises UsageError."""
    match = _TRIGGER.fullmatch(text)
    if match is None:
        raise UsageError(
            "--on takes the roll, its results, what they do and the rule that says so, 'hit unmodified 6 extra-hits 1 "
            "Tesla', 'wound 6+ improve-ap 3 Rending', 'hit 1 slays Overheat'; they do: extra-hits N, extra-attacks N, "
            f"mortal N (or mortal N instead), improve-ap N, wounds, slays; not {text!r}"
        )
    natural = match[2] is not None
    amount = match[6] and value(match[6], "--on")
    return {
        "kind": "trigger",
        "source": match[8],
        "on": match[1].casefold(),
        # A hit or wound roll of 6 comes to 7 at most (W15).
        "results": _results(match[3], 6 if natural else 7),
        "does": _DOES[(match[4] or match[5]).casefold()],
        **present(unmodified=natural or None, amount=amount, instead=match[7] and True),
    }


_REROLL = re.compile(r"\s*([A-Za-z]+)\s+(failed|any|[0-9]+(?:[-,][0-9]+)*)\s+(apart\s+)?(\S.*?)\s*", re.IGNORECASE)
_REROLLED = ("hit", "wound", "damage", "attacks", "strength", "save", "invulnerable", "ignore")


def reroll_ability(text: str) -> dict[str, Any]:
    """`hit 1 Captain`, `wound failed Litany`, `damage any Relic` as an ability. Raises UsageError."""
    match = _REROLL.fullmatch(text)
    of = match and (_ON.get(match[1].casefold(), match[1].casefold()))
    if match is None or of not in _REROLLED:
        raise UsageError(
            f"--reroll takes the roll, which of it and the rule that says so, 'hit 1 Captain', 'wound failed Litany' "
            f"or 'damage any Relic'; rolls: {', '.join(_REROLLED)}; not {text!r}"
        )
    apart = match[3] is not None
    return {"kind": "reroll", "of": of, **_rule(match[4], match[2].casefold()), **present(apart=apart or None)}


def _rule(source: str, which: str) -> dict[str, Any]:
    if which == "any":
        return {"source": source}
    return (
        {"source": source, "failed": True}
        if which == "failed"
        else {"source": source, "results": span(which, "--reroll")}
    )


def reroll_rules(
    ones: Iterable[str] | None, failed: Iterable[str] | None, any_: Iterable[str] | None, results: Iterable[str] | None
) -> list[dict[str, Any]]:
    """Reroll rules of one roll, from their options. Raises UsageError."""
    rules = [
        _rule(source, which)
        for which, told in (("1", ones), ("failed", failed), ("any", any_))
        for source in told or ()
    ]
    for text in results or ():
        source, colon, which = text.rpartition(":")
        if not colon or not source:
            raise UsageError(f"--reroll-results takes the rule and the results, 'Oath:1,2'; not {text!r}")
        rules.append({"source": source.strip(), "results": span(which, "--reroll-results")})
    return rules


# --- claims --------------------------------------------------------------------------------------------------------

_CLAIM = re.compile(r"(hit|wound|S|T|AP)\s*(-?[0-9]{1,9})\+?", re.ASCII | re.IGNORECASE)
_CLAIMED = {name.casefold(): name for name in ("hit", "wound", "S", "T", "AP")}


def announced(text: str | None) -> dict[str, int]:
    """`hit 3+, wound 5+, AP -1` as what a player says these are. Raises UsageError."""
    told: dict[str, int] = {}
    for part in (text or "").split(",") if text is not None else ():
        match = _CLAIM.fullmatch(part.strip())
        if match is None:
            raise UsageError(
                f"--announce takes what you say these are, 'hit 3+, wound 5+, S 4, T 5, AP -1'; not {text!r}"
            )
        told[_CLAIMED[match[1].casefold()]] = int(match[2])
    return told


def claims_of_abilities(texts: Iterable[str] | None) -> list[dict[str, Any]] | None:
    """`1:2,5` each, an ability and the dice that set it off. Raises UsageError."""
    if texts is None:
        return None
    found = []
    for text in texts:
        ability, colon, parts = text.partition(":")
        if not colon or not _WHOLE.fullmatch(ability.strip()):
            raise UsageError(f"--triggered takes an ability's number and the dice that set it off, 1:2,5; not {text!r}")
        found.append({"ability": int(ability), "parts": span(parts, "--triggered")})
    return found
