"""Parsing and writing of datasheets as they are printed, pasted or typed (specs/wh40k.md, "Notation")."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rules.base import NotationError
from rules.data.letters import WORD
from rules.systems.wh40k.pasted import one_line_each
from rules.systems.wh40k.quoting import Quoted, write_text

__all__ = ["EXAMPLE", "parse_line", "parse_unit", "write_line", "write_unit"]

Json = dict[str, Any]
EXAMPLE = '10 Intercessors M6" WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+ inv 5+'

_STATS = ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv")
_WARDS = {"invulnerable": "inv", "ignores_wounds": "fnp", "ignores_mortal": "fnp"}
"""member → how a line writes it"""
_NAMES = {
    **{name.casefold(): name for name in _STATS},
    "move": "M",
    "movement": "M",
    "weapon skill": "WS",
    "ballistic skill": "BS",
    "str": "S",
    "strength": "S",
    "tgh": "T",
    "toughness": "T",
    "wounds": "W",
    "attacks": "A",
    "att": "A",
    "lead": "Ld",
    "leadership": "Ld",
    "save": "Sv",
    "sv": "Sv",
    "inv": "invulnerable",
    "invul": "invulnerable",
    "invul save": "invulnerable",
    "invuln": "invulnerable",
    "invulnerable": "invulnerable",
    "invulnerable save": "invulnerable",
    "invuln save": "invulnerable",
    "inv save": "invulnerable",
    "fnp": "ignores_wounds",
    "feel no pain": "ignores_wounds",
}
_NAME = "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True))
_VALUE = r"-(?![0-9])|[0-9]*d[36](?:dh[0-9]+)?(?:dl[0-9]+)?(?:\+[0-9]+)?(?![0-9])|[0-9]{1,4}"
_MORTAL = r"\s+(?:(?:vs\.?|against)\s+)?(?:mortal(?:\s+wounds?)?|mws?)"
_BETWEEN = r"[\s,|]"
_STAT = re.compile(
    rf'(?<![^\s,|])(?:({_NAME})\s*[:=]?\s*({_VALUE})("|\+{{1,3}})?|({_VALUE})(\+\+\+?))({_MORTAL})?(?={_BETWEEN}|$){_BETWEEN}*',
    re.IGNORECASE,
)
_CELL = re.compile(rf'(?:{_VALUE})(?:["″]|\+{{1,3}})?', re.IGNORECASE)
_BRACKETS = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
_POINTS = re.compile(rf"(?<!{WORD})(?:pts?|points|pl|power)(?!{WORD})", re.IGNORECASE)
_HEADS = frozenset({"unit", "name", "model", "models", "no.", "profile"})


def parse_unit(text: str) -> Json:
    """Parse the datasheet of a unit: its name, if it has a line of its own, and its models. Raises NotationError."""
    quoted = Quoted(text)
    pasted = re.split(r"[\r\n;]+", re.sub(r"(?<=[0-9])''", '"', _without_points(quoted.text)))
    lines = [line.strip(" \t,|") for line in one_line_each(pasted, _NAMES, _CELL)]
    lines = [line for line in lines if line]
    unit, name = None, None
    if (
        lines
        and (match := re.match(r"([a-z0-9._-]{1,40}) ?:\s+(?=\S)", lines[0]))
        and _start(lines[0][match.end() :]) != 0
    ):
        unit, lines[0] = match[1], lines[0][match.end() :]
    if lines and _start(lines[0]) is None and _header(lines[0]) is None:
        name = quoted.read(lines.pop(0).strip(" :"))
    models = _models(quoted, lines)
    if not models:
        raise NotationError("a unit has models: write them as in {example}", example=EXAMPLE)
    name = name or str(models[0]["name"])
    return {"what": "unit", "unit": unit or _id(name), "name": name, "models": models}


def parse_line(text: str) -> Json:
    """Parse models of one kind. Raises NotationError."""
    quoted = Quoted(text)
    return _line(quoted, _without_points(quoted.text).strip(" \t,|"))


def _models(text: Quoted, lines: Sequence[str]) -> list[Json]:
    found = []
    header: list[str] | None = None
    for line in lines:
        named = _header(line)
        if named is not None:
            header = named
        elif header is not None and _start(line) is None:
            found.append(_row(text, line, header))
        else:
            found.append(_line(text, line))
    return found


# --- a line --------------------------------------------------------------------------------------------------------


def _without_points(text: str) -> str:
    """Return the text without brackets that hold points or power."""
    return _BRACKETS.sub(lambda found: "" if found[0][0] == "[" or _POINTS.search(found[0]) else found[0], text)


def _start(line: str) -> int | None:
    """Return where the characteristics begin; None if the line does not end with at least two of them."""
    start, end, count = 0, 0, 0
    for match in _STAT.finditer(line):
        if match.start() != end or not count:
            start, count = match.start(), 0
        end, count = match.end(), count + 1
    return start if count > 1 and end == len(line) else None


def _line(text: Quoted, line: str) -> Json:
    start = _start(line)
    if start is None:
        raise NotationError("{line} is no datasheet: write it as in {example}", line=text.shown(line), example=EXAMPLE)
    stats: Json = {}
    for match in _STAT.finditer(line, start):
        name = _NAMES[" ".join(match[1].casefold().split())] if match[1] else None
        if name is None:
            name = "ignores_wounds" if match[5] == "+++" else "invulnerable"
        if match[6] is not None:
            if name != "ignores_wounds":
                raise NotationError("{line}: only fnp can be against mortal wounds alone", line=text.shown(line))
            name = "ignores_mortal"
        if name in stats:
            raise NotationError("{name} stands twice in {line}", name=name, line=text.shown(line))
        stats[name] = _value(match[2] or match[4])
    return _checked(text, line, line[:start], stats)


def _header(line: str) -> list[str] | None:
    """Return the characteristics that a line names in their order; None if it contains anything else."""
    words = [word for word in re.split(r"[\s,|]+", line) if word]
    while words and words[0].casefold() in _HEADS:
        words = words[1:]
    names = [_NAMES.get(word.casefold()) for word in words]
    found = [name for name in names if name is not None]
    return found if len(found) == len(words) >= len(_STATS) else None


def _row(text: Quoted, line: str, header: Sequence[str]) -> Json:
    """Parse a line of values below a line of names."""
    words = [word for word in re.split(r"[\s,|]+", line) if word]
    values = words[-len(header) :]
    if len(words) <= len(header) or not all(
        re.fullmatch(rf'(?:{_VALUE})(?:"|\+{{1,3}})?', v, re.IGNORECASE) for v in values
    ):
        columns = " ".join(header)
        raise NotationError("{line}: a name and the values of {header}", line=text.shown(line), header=columns)
    stats = {name: _value(re.sub(r'["+]+$', "", value)) for name, value in zip(header, values, strict=True)}
    return _checked(text, line, " ".join(words[: -len(header)]), stats)


def _checked(text: Quoted, line: str, title: str, stats: Json) -> Json:
    missing = [name for name in _STATS if name not in stats]
    if missing:
        shown = ", ".join(missing)
        raise NotationError("{line} says nothing of {missing}: write - for none", line=text.shown(line), missing=shown)
    for name in _WARDS:
        if stats.get(name) == "-":
            del stats[name]
    name, count = title.strip(" \t,|:-"), 1
    if (match := re.match(r"([0-9]{1,4})\s*(?:x\s*|\s)(?=\S)", name, re.IGNORECASE)) is not None:
        name, count = name[match.end() :], int(match[1])
    elif (match := re.search(r"\s*\(?x\s?([0-9]{1,4})\)?$", name, re.IGNORECASE)) is not None:
        name, count = name[: match.start()], int(match[1])
    if not name:
        raise NotationError("{line}: say what the models are called", line=text.shown(line))
    return {"count": count, "name": text.read(name), **stats}


def _value(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() else text.lower() if text == "-" else text


def _id(name: str) -> str:
    """Return the name in lower case, without characters that an id may not have."""
    return re.sub(r"[^a-z0-9._]+", "-", name.casefold()).strip("-")[:40].strip("-") or "unit"


# --- writing -------------------------------------------------------------------------------------------------------


def write_unit(body: Mapping[str, Any]) -> str:
    """Return the id and the name on one line, and each kind of models on a line below."""
    return "\n".join((f"{body['unit']}: {write_text(body['name'])}", *map(write_line, body["models"])))


def write_line(line: Mapping[str, Any]) -> str:
    """Return models as a line, such as `10 Boy M5" WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+ inv5+`."""
    parts = [f"{line['count']} {write_text(line['name'])}"]
    for name in (*_STATS, *_WARDS):
        if name in line:
            value = line[name]
            plus = "+" if name in ("WS", "BS", "Sv", *_WARDS) and value != "-" else ""
            inches = '"' if name == "M" and isinstance(value, int) else ""
            mortal = " mortal" if name == "ignores_mortal" else ""
            parts.append(f"{_WARDS.get(name, name)}{value}{plus}{inches}{mortal}")
    return " ".join(parts)
