"""One-line notations of rolls, modifiers and reroll rules (specs/t9a.md, "Notation")."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.base import Notation, NotationError
from rules.common.dice import DiceNotationError
from rules.common.dice import parse as parse_dice
from rules.common.free_text import TypedLine, check_free, narrow, reads_like_notation
from rules.data.language import N_, Message
from rules.systems.t9a import bodies as b

__all__ = ["NOTATIONS", "parse_roll", "write_roll"]

Json = dict[str, Any]

_QUOTED = r'"(?:[^"]|"")*"'
_BY = rf"\(\s*(?:{_QUOTED}|[^()\"]*)\s*\)"
_THROW = r"\d*d\d+(?:\+\d*d\d+)*"
_WHICH = r"failed|successful|any|throw|\d+s(?:,\d+s)*"
_MINUS = "-−‐‑‒–—"
"""the minus, and the dashes into which phones and word processors turn it"""
_CHANGE = rf"(?=[{_MINUS}\s,、(+x*×]|$)"
_END = r"(?=[\s,、(]|$)"
_PARTS = {
    "gap": r"\s*[,、]\s*|\s+",
    "throws": rf"(?P<count>\d+)\s*[x*×]\s*(?P<throw>{_THROW}|direction-d6|direction|dice\s+(?P<odd>{_QUOTED})){_END}",
    "sum": rf"(?P<sum>sum\s+)?(?P<one>{_THROW}|direction-d6|direction|dice\s+(?P<odd_one>{_QUOTED})){_CHANGE}",
    "target": rf"(?P<target>\d+[{_MINUS}+]){_END}|target\s+(?P<odd_target>{_QUOTED})",
    "unclear": rf"[{_MINUS}+x*×]\s*(?P<unclear>\d+[{_MINUS}+]){_END}",
    "versus": rf"(?:vs|under)\s+(?P<versus>\d+){_END}",
    "modifier": rf"(?P<sign>[{_MINUS}+x*×])\s*(?P<amount>\d+){_CHANGE}(?:\s*(?P<modifier_by>{_BY}))?",
    "instance": rf"(?P<kind>maximi[sz]ed|minimi[sz]ed){_END}(?P<instance_by>(?:\s*{_BY})*)",
    "always": rf"(?P<decides>always|never)\s+(?P<naturals>none|\d+(?:,\d+)*){_END}",
    "reroll": rf"(?:(?P<mode>may|must)\s+)?reroll(?:\s+(?P<pick>\d+))?\s+(?P<which>{_WHICH}){_END}"
    rf"(?P<dropped>\s+with\s+dropped{_END})?(?P<first>\s+or\s+keep{_END})?(?:\s*(?P<reroll_by>{_BY}))?",
    "of": rf"of\s+(?P<of>successes|failures){_END}",
    "zero": rf"zero\s*(?P<zero>{_BY})",
    "at_once": rf"(?P<at_once>at\s+once|later){_END}",
    "number": rf"(?P<number>\d+){_END}",
    "quoted": rf"(?P<quoted>{_QUOTED})",
    "word": r"[^\s,、()\"]+",
}
_PART = re.compile("|".join(f"(?P<_{name}>{pattern})" for name, pattern in _PARTS.items()), re.IGNORECASE | re.ASCII)
_HOW_MANY = 15
"""digits of a number; a longer one exceeds every bound"""


# --- a roll ----------------------------------------------------------------------------------------------------------


def parse_roll(text: str) -> Json:
    """Parse the body of a roll. Raises NotationError."""
    line = _read(text, _PARTS)
    plain, source = line.pop("plain", False), line.pop("source", None)
    if source is None:
        raise NotationError("say what is rolled for: 10 to hit 4+, or 2d6 charge range")
    if plain:
        check_free(source, _quote(source))
        _check_separate(source)
    for named in (*line.get("modifiers", ()), *line.get("rerolls", ())):
        named["source"] = source if named["source"] is None else named["source"]
    for instances in ("maximised", "minimised"):
        if instances in line:
            line[instances] = [source if name is None else name for name in line[instances]]
    _settle_dice(line, text)
    later, once = line.pop("later", False), line.pop("at_once", False)
    if once or (not later and _orders(line)):
        line["at_once"] = True
    return {"source": source, **line}


_SEPARATE = re.compile(r"(?<![a-z])(?:each|separate(?:ly)?|apiece)(?![a-z])", re.IGNORECASE)


def _check_separate(source: str) -> None:
    """Raise NotationError for a purpose that asks for separate dice: they would be added up."""
    if (found := _SEPARATE.search(narrow(source))) is not None:
        text = N_("“{word}” is no name here: ten throws of one D6 are 10, five of two D6 are 5x2d6")
        raise NotationError(text, word=found[0])


def write_roll(body: Json) -> str:
    """Return a line for the body of a roll. It leaves out what parsing adds."""
    parts = [_write_dice(body), *_written(body)]
    source = body["source"]
    for name in (_quote(source),) if reads_like_notation(source) else (source, _quote(source)):
        text = " ".join(part for part in (parts[0], name, *parts[1:]) if part)
        if _reads_as(text, body):
            return text
    return text


def _reads_as(text: str, body: Json) -> bool:
    try:
        return parse_roll(text) == body
    except NotationError:
        return False


def _remarks(body: Mapping[str, Any]) -> Sequence[Message]:
    """Return notes on what a player at a table could have meant instead."""
    remarks = []
    target = re.fullmatch("([0-9]{1,4})([+-])", body.get("target", ""))
    modifiers = body.get("modifiers", ())
    if target is not None and target[2] == "-" and modifiers:
        remarks.append(Message("what is rolled is changed, and not the {number}", number=target[1]))
    die = re.fullmatch("1?d([0-9]{1,4})", body["dice"])
    if target is not None and target[2] == "+" and die is not None and not modifiers and int(target[1]) > int(die[1]):
        remarks.append(Message("no die shows {number} or more", number=target[1]))
    return remarks


def _orders(body: Mapping[str, Any]) -> bool:
    return any("may" not in rule for rule in body.get("rerolls", ()))


# --- reading ---------------------------------------------------------------------------------------------------------


def _read(typed: str, allowed: Mapping[str, Any]) -> Json:
    """Return the parts of a line. A source that is left out is None; `plain` is set if it is not quoted."""
    line: Json = {}
    text = TypedLine(typed)
    at, words_at = 0, -1
    while at < len(text):
        match = _PART.match(text, at)
        if match is None:
            rest = text[at : at + 40]
            raise NotationError("{rest!r} cannot be read: is a bracket or a quotation mark missing?", rest=rest)
        name = next(name for name in _PARTS if match[f"_{name}"] is not None)
        if name not in (*allowed, "gap"):
            raise NotationError("{part!r} does not belong here", part=match[0])
        at = match.end()
        if name == "sum" and "dice" in line and (match["one"] or "").lower() == "direction":
            name = "word"  # `direction direction of flight`
        if name == "number" and words_at == match.start() and "dice" not in line:
            refusal = N_(
                "how many throws stands before what they are for: {number} {source}; a target has a sign: {number}+"
            )
            is_line = at == len(text) and line.keys() == {"source", "plain"}
            lines = [f"{match[0]} {line['source']}"] if is_line else []
            raise NotationError(refusal, lines=lines, number=match[0], source=line["source"])
        if name == "word":
            _read_word(line, _typed(text, match, 0), joined=words_at == match.start())
            gap = re.compile(r"\s*").match(text, at)
            words_at = at if gap is None else gap.end()
        elif name != "gap":
            _READERS[name](line, text, match)
    return line


def _typed(text: TypedLine, match: re.Match[str], group: str | int) -> str:
    """Return the original text of a group of the match."""
    return text.typed[match.start(group) : match.end(group)]


def _once(line: Json, member: str, value: object, part: str) -> None:
    if member in line:
        raise NotationError("{part!r} is given a second time; it can be given only once", part=part)
    line[member] = value


def _read_word(line: Json, word: str, *, joined: bool) -> None:
    if joined:
        line["source"] += f" {word}"
        return
    if "source" in line:
        text = N_("what is rolled for stands in one place: {first!r}, then {second!r}. Is a word misspelt?")
        raise NotationError(text, first=line["source"], second=word)
    line |= {"source": word, "plain": True}


def _read_throws(line: Json, text: TypedLine, match: re.Match[str]) -> None:
    _once(line, "dice", _unquote(_typed(text, match, "odd")) if match["odd"] else match["throw"].lower(), match[0])
    line["times"] = _number(match["count"])


def _read_sum(line: Json, text: TypedLine, match: re.Match[str]) -> None:
    _once(
        line, "dice", _unquote(_typed(text, match, "odd_one")) if match["odd_one"] else match["one"].lower(), match[0]
    )
    line["sum"] = bool(match["sum"]) or bool(match["odd_one"])


def _read_number(line: Json, _: TypedLine, match: re.Match[str]) -> None:
    if "dice" in line:
        text = N_(
            "“{number}” by itself is so many throws, and the dice are named already: a target is {number}+ or "
            "{number}-, and naturals are {number}s"
        )
        raise NotationError(text, number=match[0])
    _once(line, "dice", "1d6", match[0])
    line["times"] = _number(match[0])


def _read_target(line: Json, text: TypedLine, match: re.Match[str]) -> None:
    target = _unquote(_typed(text, match, "odd_target")) if match["odd_target"] else _plain(match["target"])
    _once(line, "target", target, match[0])


def _read_modifier(line: Json, text: TypedLine, match: re.Match[str]) -> None:
    amount = _number(match["amount"])
    change = {"multiply": amount} if match["sign"] in "xX*×" else {"add": amount if match["sign"] == "+" else -amount}
    line.setdefault("modifiers", []).append({"source": _by(text, match, "modifier_by"), **change})


def _read_instance(line: Json, text: TypedLine, match: re.Match[str]) -> None:
    start = match.start("instance_by")
    found = re.compile(_BY).finditer(text, start, match.end("instance_by"))
    sources = [_by(text, by, 0) for by in found] or [None]
    member = "maximised" if match["kind"].lower().startswith("max") else "minimised"
    line.setdefault(member, []).extend(sources)


def _read_always(line: Json, _: TypedLine, match: re.Match[str]) -> None:
    member = "success" if match["decides"].lower() == "always" else "failure"
    always = line.setdefault("always", {})
    if match["naturals"].lower() != "none":
        _once(always, member, [_number(natural) for natural in match["naturals"].split(",")], match[0])


def _read_reroll(line: Json, text: TypedLine, match: re.Match[str]) -> None:
    which = match["which"].lower()
    naturals = re.findall(r"\d+", which)
    rule: Json = {"source": _by(text, match, "reroll_by"), "which": "natural" if naturals else which}
    if naturals:
        rule["naturals"] = [_number(natural) for natural in naturals]
    if (match["mode"] or "").lower() == "may":
        rule["may"] = True
    if match["pick"]:
        rule["pick"] = _number(match["pick"])
    rule |= {flag: True for flag in ("dropped", "first") if match[flag]}
    line.setdefault("rerolls", []).append(rule)


def _read_at_once(line: Json, _: TypedLine, match: re.Match[str]) -> None:
    _once(line, "later" if match[0].lower() == "later" else "at_once", True, match[0])


def _read_unclear(_: Json, __: TypedLine, match: re.Match[str]) -> None:
    text = N_("“{part}” is no change: a target stands by itself: {target}")
    raise NotationError(text, part=match[0], target=_plain(match["unclear"]))


def _read_versus(_: Json, __: TypedLine, match: re.Match[str]) -> None:
    text = N_("a target stands by itself: {number}+ for {number} or more, {number}- for {number} or less")
    raise NotationError(text, number=match["versus"])


def _read_quoted(line: Json, text: TypedLine, match: re.Match[str]) -> None:
    _once(line, "source", _unquote(_typed(text, match, 0)), match[0])


_READERS: Mapping[str, Callable[[Json, TypedLine, re.Match[str]], None]] = {
    "throws": _read_throws,
    "sum": _read_sum,
    "number": _read_number,
    "target": _read_target,
    "unclear": _read_unclear,
    "versus": _read_versus,
    "modifier": _read_modifier,
    "instance": _read_instance,
    "always": _read_always,
    "reroll": _read_reroll,
    "of": lambda line, _, match: _once(line, "of", match["of"].lower(), match[0]),
    "zero": lambda line, text, match: _once(line, "zero", _by(text, match, "zero"), match[0]),
    "at_once": _read_at_once,
    "quoted": _read_quoted,
}


def _number(digits: str) -> int:
    if len(digits) > _HOW_MANY:
        raise NotationError("{digits} is too large a number", digits=f"{digits[:_HOW_MANY]}…")
    return int(digits)


def _plain(target: str) -> str:
    """Return a target with its sign as the body has it."""
    return f"{target[:-1]}{'+' if target[-1] == '+' else '-'}"


def _unquote(quoted: str) -> str:
    return quoted[1:-1].replace('""', '"')


def _by(text: TypedLine, match: re.Match[str], group: str | int) -> str | None:
    """Return the text in brackets; None without brackets."""
    if match[group] is None:
        return None
    inside = _typed(text, match, group)[1:-1].strip()
    return _unquote(inside) if narrow(inside[:1]) == '"' else inside


# --- several throws, or one sum --------------------------------------------------------------------------------------


def _settle_dice(line: Json, text: str) -> None:
    """Decide what `10d6` means: ten throws if a sum makes no sense, one sum if it can fail. Else raise
    NotationError.
    """
    one_sum = line.pop("sum", None)
    if "dice" not in line:
        if "of" not in line:
            raise NotationError("say which dice: 10 for ten throws of one D6, 2d6 for a sum, d3, direction")
        line["dice"] = "1d6"
    if one_sum is not False:
        return
    match _meant(line):
        case "throws":
            count, _, die = line["dice"].partition("d")
            line["dice"], line["times"] = f"1d{die}", _number(count)
        case "either":
            count, _, die = line["dice"].partition("d")
            both = (count if die == "6" else f"{count}xd{die}", f"sum {line['dice']}")
            found = re.search(rf"(?<![0-9a-z]){line['dice']}(?![0-9a-z])", narrow(text), re.IGNORECASE | re.ASCII)
            lines = [] if found is None else [f"{text[: found.start()]}{each}{text[found.end() :]}" for each in both]
            refusal = N_("{dice} with {target} can be two things: so many throws, or one sum")
            raise NotationError(refusal, lines=lines, dice=line["dice"], target=line["target"])


def _meant(line: Mapping[str, Any]) -> str:
    """Return `throws`, `sum` or `either` for a line that does not say which it means."""
    match = re.fullmatch(r"([0-9]{1,4})d([0-9]{1,4})", line["dice"])
    count = int(match[1]) if match else 1
    if match is None or count < 2:
        return "sum"
    if line.get("always"):
        return "throws"
    target = re.fullmatch(r"([0-9]{1,4})\+", line.get("target", ""))
    if target is None or int(target[1]) > int(match[2]):
        return "sum"
    modifiers = line.get("modifiers", ())
    least = count + sum(min(modifier.get("add", 0), 0) for modifier in modifiers)
    certain = int(target[1]) <= least and not any("multiply" in modifier for modifier in modifiers)
    return "throws" if certain else "either"


# --- writing ---------------------------------------------------------------------------------------------------------


def _write_dice(body: Json) -> str:
    dice, times = body["dice"], body.get("times")
    if dice == "1d6" and times is not None:
        return str(times)
    if dice == "1d6" and "of" in body:
        return ""
    odd = not _is_dice(dice)
    written = f"dice {_quote(dice)}" if odd else dice
    if times is not None:
        return f"{times}x{written}"
    return f"sum {dice}" if not odd and _meant(body) != "sum" else written


def _is_dice(text: str) -> bool:
    if text in ("direction", "direction-d6"):
        return True
    try:
        return bool(parse_dice(text))
    except DiceNotationError:
        return False


def _written(body: Json) -> list[str]:
    parts = []
    if "target" in body:
        target = body["target"]
        parts.append(target if re.fullmatch(r"[0-9]+[+-]", target) else f"target {_quote(target)}")
    if "of" in body:
        parts.append(f"of {body['of']}")
    if "always" in body:
        parts.append(_write_always(body["always"]))
    parts += [_write_modifier(modifier) for modifier in body.get("modifiers", ())]
    parts += [" ".join((name, *map(_bracket, body[name]))) for name in ("maximised", "minimised") if name in body]
    parts += [_write_reroll(rule) for rule in body.get("rerolls", ())]
    if "zero" in body:
        parts.append(f"zero {_bracket(body['zero'])}")
    if _orders(body):
        parts.append("" if "at_once" in body else "later")
    elif "at_once" in body:
        parts.append("at once")
    return parts


def _write_modifier(modifier: Json) -> str:
    factor, amount = modifier.get("multiply"), modifier.get("add", 0)
    change = f"x{factor}" if factor is not None else f"{'-' if amount < 0 else '+'}{abs(amount)}"
    return f"{change} {_bracket(modifier['source'])}"


def _write_always(always: Json) -> str:
    words = (("success", "always"), ("failure", "never"))
    parts = [f"{word} {','.join(map(str, always[name]))}" for name, word in words if name in always]
    return " ".join(parts) or "always none"


def _write_reroll(rule: Json) -> str:
    which = ",".join(f"{n}s" for n in rule["naturals"]) if rule["which"] == "natural" else rule["which"]
    parts = ["may reroll" if "may" in rule else "reroll", *([str(rule["pick"])] if "pick" in rule else []), which]
    parts += ["with dropped"] if "dropped" in rule else []
    parts += ["or keep"] if "first" in rule else []
    return " ".join((*parts, _bracket(rule["source"])))


def _quote(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _bracket(text: str) -> str:
    plain = re.fullmatch(r'[^()"]+', text) and text == text.strip()
    return f"({text})" if plain else f"({_quote(text)})"


# --- parts by themselves ---------------------------------------------------------------------------------------------


def _parse_modifier(text: str) -> Json:
    return _only(text, "modifier", "modifiers", "-1 (Curse)")


def _parse_reroll(text: str) -> Json:
    return _only(text, "reroll", "rerolls", "may reroll failed (Blessing)")


def _only(text: str, part: str, member: str, example: str) -> Json:
    """Return the only object in the text. Raises NotationError for none or several."""
    found: list[Json] = _read(text, {part: None}).get(member, [])
    if len(found) != 1:
        raise NotationError("write one, for example {example}", example=example)
    if found[0]["source"] is None:
        raise NotationError("say in brackets which rule says so: {example}", example=example)
    return found[0]


def _parse_always(text: str) -> Json:
    always: Json | None = _read(text, {"always": None}).get("always")
    if always is None:
        raise NotationError("write one, for example {example}", example="always 6 never 1")
    return always


NOTATIONS: Mapping[Any, Notation] = {
    b.RollBody: Notation("roll", "10 to hit 4+ reroll failed (Hatred)", parse_roll, write_roll, _remarks),
    b.Modifier: Notation("modifier", "-1 (Curse)", _parse_modifier, _write_modifier),
    b.RerollRule: Notation("reroll", "may reroll failed (Blessing)", _parse_reroll, _write_reroll),
    b.Always: Notation("always", "always 6 never 1", _parse_always, _write_always),
}
