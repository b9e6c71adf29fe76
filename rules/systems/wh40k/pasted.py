"""Conversion of datasheets that were copied from apps and web sites into datasheet lines (specs/wh40k.md, "Notation").

It reads tables with columns (tabs, `|`, commas), tables without a column for the name, and characteristics that stand
one below the other. It guesses nothing. A column that is no characteristic, name or number of models is left out, and
so are weapons, keywords and abilities, unless one of them tells of a save that the models may have.
"""

import re
from collections.abc import Iterator, Sequence

from rules.base import NotationError
from rules.data.language import N_

__all__ = ["one_line_each"]

_COLUMNS = re.compile(r"\s*[\t|]\s*")
_LABEL = re.compile(r"(?:Unit|Model|Profile|Datasheet|Name): *(?=\S)")
_RANGE = re.compile(r"([0-9]{1,4}) ?[-–] ?([0-9]{1,4})(?= |$)")
_NAME = frozenset({"name", "unit", "model", "models", "profile", "unit name", "model name"})
_COUNT = frozenset({"no.", "no", "count", "number", "qty", "#"})
_LEAST = 9
"""the number of characteristics of a profile"""
_SOME = 5
"""as many characteristics with their values make a line one of models"""
_BULLET = re.compile(r"\s*(?:[•·▪◦>]\s*|(?:[*.–—-]|#{1,6})\s+)(?=\S)")
_OTHER = re.compile(
    r"(?:selections|categories|rules|(?:faction )?keywords|abilities|wargear(?: options)?|weapons?|psychic powers?"
    r"|psyker|unit composition|role|explosion|unit *:.*\b(?:weapon|abilities))\b *:",
    re.IGNORECASE,
)
"""the label of a line about something else"""
_OTHER_TABLE = frozenset({"weapon", "weapons", "ability", "abilities", "psyker", "wargear", "explosion", "remaining w"})
_WARD = re.compile(
    r"(?:an? )?(?:(inv(?:uln(?:erable)?)?(?: save)?|fnp|feel no pain)(?: of)?\s*[:=]?\s*)?([2-6]\+{1,3})"
    r"(?: (invulnerable save|feel no pain))?\.?",
    re.IGNORECASE,
)
"""a line that only says a save besides Sv"""
_TELLS_OF_WARD = re.compile(r"\b(?:invul|feel no pain|ignores?\b.{0,30}\bwound)|[2-6]\+\+", re.IGNORECASE)
_COUNTED = re.compile(r"([0-9]{1,4})\s?x\s+([^:]+?)\s*(?::.*)?", re.IGNORECASE)
"""a line of a roster: how many models have a profile of this name, and what they bear"""


def one_line_each(lines: Sequence[str], names: dict[str, str], value: re.Pattern[str]) -> list[str]:
    """Return the lines, with each row of a table as `10 Intercessors M 6" WS 3+ …`.

    `names` are the names of characteristics; `value` matches one of their values. Raises NotationError for a line such
    as `4-9 Intercessors`.
    """
    found: list[str] = []
    columns: list[str | None] | None = None
    title = ""
    told = _about_models(_rows(lines), names, value)
    for line in _upright(told, names, value):
        cells = _cells(line)
        words = line.split()
        if len(cells) == 1 and len(words) >= _LEAST and _is_table(words, names, value):
            cells = words
        header = _header(cells, names)
        if header is not None:
            columns = header
            found += [line] if cells is words else []  # keep it: the lines below may repeat the names
        elif columns is not None and _fits(cells, columns, value):
            found.append(_row(cells, columns, title))
        else:
            columns = None if columns is not None and len(cells) == 1 else columns
            title = _LABEL.sub("", line.strip(" \t,|:"))
            found.append(_LABEL.sub("", line))
    stats = _stats(names, value)
    found = _with_counts(_with_wards(found, stats), stats)
    for line in found:
        if (match := _RANGE.match(line)) is not None:
            text = N_("{range}: say how many there are, from {least} to {most}")
            raise NotationError(text, range=match[0].strip(), least=match[1], most=match[2])
    return found


def _stats(names: dict[str, str], value: re.Pattern[str]) -> re.Pattern[str]:
    """Return the pattern of a characteristic with its value, in a line."""
    named = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.compile(rf"(?<![^\s,|])(?:{named})\s*[:=]?\s*(?:{value.pattern})(?=[\s,|]|$)", re.IGNORECASE)


def _is_profile(line: str, stats: re.Pattern[str]) -> bool:
    return sum(1 for _ in stats.finditer(line)) >= _SOME


def _about_models(lines: Sequence[str], names: dict[str, str], value: re.Pattern[str]) -> list[str]:
    """Return the lines without bullets, and without those about something else than models.

    Raises NotationError where one of these tells of a save.
    """
    found: list[str] = []
    stats = _stats(names, value)
    skips = False
    for bulleted in lines:
        line = bulleted[match.end() :] if (match := _BULLET.match(bulleted)) else bulleted
        cells = _cells(line)
        models = _header(cells, names) is not None or _is_profile(line, stats)
        first = cells[0].casefold().rstrip(":")
        table = len(cells) > 1 and first in _OTHER_TABLE
        table = table or ({"range", "type", "ap", "d"} <= set(line.casefold().split()))
        skips = not models and (skips or table)
        if models or not (skips or _OTHER.match(line.strip())):
            found.append(line)
        elif _TELLS_OF_WARD.search(line):
            text = N_(
                "{line}: a save that the models have stands behind their Sv (inv 5+, fnp 6+); else leave the line out"
            )
            raise NotationError(text, line=" ".join(line.split()))
    return found


def _with_wards(lines: Sequence[str], stats: re.Pattern[str]) -> list[str]:
    """Return the lines, with a save that stands on a line of its own put to the only models above it."""
    found: list[str] = []
    for line in lines:
        match = _WARD.fullmatch(" ".join(line.split()))
        models = [at for at, each in enumerate(found) if _is_profile(each, stats)]
        if match is None or not models or not (match[1] or match[3] or len(match[2]) > 2):
            found.append(line)
        elif len(models) > 1:
            text = N_("{line}: say whose save it is, behind their Sv")
            raise NotationError(text, line=" ".join(line.split()))
        else:
            said = (match[1] or match[3] or ("fnp" if match[2].endswith("+++") else "inv")).casefold()
            ward = "fnp" if said in ("fnp", "feel no pain") else "inv"
            found[models[0]] = f"{found[models[0]].rstrip(' ,|')} {ward} {match[2].rstrip('+')}+"
    return found


def _with_counts(lines: Sequence[str], stats: re.Pattern[str]) -> list[str]:
    """Return the lines, with the number that a roster's line tells put to the profile of its name.

    Other lines that name profiles, and what their models bear, are left out.
    """
    models = {line: _name_of(line, stats) for line in lines if _is_profile(line, stats)}
    profiles = {name for name in models.values() if name}
    counts: dict[str, int] = {}
    found: list[str] = []
    for line in lines:
        counted = None if line in models else _COUNTED.fullmatch(line.strip())
        named = {name.strip().casefold() for name in line.split(":")[0].split(",")}
        if counted is not None and counted[2].casefold() in profiles:
            counts[counted[2].casefold()] = counts.get(counted[2].casefold(), 0) + int(counted[1])
        elif line in models or not named <= profiles or line is lines[0]:
            found.append(line)
    return [f"{counts[models[line]]} {line}" if models.get(line) in counts else line for line in found]


def _name_of(line: str, stats: re.Pattern[str]) -> str:
    """Return the name before a line's characteristics, in lower case; empty where a number stands before it."""
    match = stats.search(line)
    name = line[: match.start() if match else 0].strip(" \t,|:-").casefold()
    return "" if name[:1].isdigit() else name


def _is_table(words: Sequence[str], names: dict[str, str], value: re.Pattern[str]) -> bool:
    """Return whether the words are only characteristics, or only values."""
    return all(word.casefold() in names for word in words) or all(value.fullmatch(word) for word in words)


def _rows(lines: Sequence[str]) -> list[str]:
    """Return the lines without those that only draw a table."""
    return [line for line in lines if line.strip(" \t|:+=-")]


def _cells(line: str) -> list[str]:
    """Return the columns of a line, split at tabs or bars, else at commas if there are enough of them."""
    inner = line.strip(" ").removeprefix("|").removesuffix("|").strip(" ")
    if re.search(r"[\t|]", inner):
        return [cell.strip() for cell in _COLUMNS.split(inner)]
    cells = [cell.strip() for cell in inner.split(",")]
    return cells if len(cells) >= _LEAST else [inner]


def _header(cells: Sequence[str], names: dict[str, str]) -> list[str | None] | None:
    """Return the meaning of each column: a characteristic, `name`, `count` or None; None if it is no header."""
    meanings: list[str | None] = []
    for cell in cells:
        plain = " ".join(cell.casefold().split())
        known = names.get(plain) or ("name" if plain in _NAME else "count" if plain in _COUNT else None)
        meanings.append(None if known in meanings else known)
    return meanings if sum(each is not None for each in meanings) >= _LEAST and len(cells) >= _LEAST else None


def _fits(cells: Sequence[str], columns: Sequence[str | None], value: re.Pattern[str]) -> bool:
    """Return whether a line has a value in the column of each characteristic."""
    if len(cells) < len(columns):
        cells = [*cells, *[""] * (len(columns) - len(cells))]
    named = [cell for cell, column in zip(cells, columns, strict=False) if column not in (None, "name", "count")]
    return len(cells) == len(columns) and sum(cell == "*" or bool(value.fullmatch(cell)) for cell in named) >= _LEAST


def _row(cells: Sequence[str], columns: Sequence[str | None], title: str) -> str:
    """Return a row as a line. Raises NotationError for a characteristic that changes with the wounds of its model."""
    of = dict(zip(columns, cells, strict=False))
    if any(_is_stat(column) and cell == "*" for column, cell in of.items()):
        text = N_("{name}: * changes with its wounds; write what it is now")
        raise NotationError(text, name=of.get("name") or title)
    stats = [f"{column} {cell}" for column, cell in zip(columns, cells, strict=False) if _is_stat(column) and cell]
    return " ".join(filter(None, (of.get("count", ""), of.get("name", "") or title, *stats)))


def _is_stat(column: str | None) -> bool:
    return column not in (None, "name", "count")


# --- vertical lists ---------------------------------------------------------------------------------------------------


def _upright(lines: Sequence[str], names: dict[str, str], value: re.Pattern[str]) -> Iterator[str]:
    """Yield the lines, with characteristics that stand one below the other put on one line behind their name."""
    name, words, values, others = "", list[str](), list[str](), list[str]()

    def told() -> Iterator[str]:
        nonlocal words, values, others
        if len(words) >= _LEAST and len(words) == len(values):
            pairs = " ".join(f"{word} {each}" for word, each in zip(words, values, strict=True))
            yield f"{name} {pairs}".strip()
        else:
            yield from ([name] if name else [])
            yield from others
        words, values, others = [], [], []

    started = False
    for line in lines:
        plain = line.strip(" \t,")
        word = " ".join(plain.casefold().rstrip(":").split())
        pair = re.fullmatch(r"([A-Za-z ]{1,20}?)\s*[:=]\s*(\S+)", plain)
        if word in names:
            words.append(plain.rstrip(":"))
        elif words and value.fullmatch(plain):
            values.append(plain)
        elif pair and pair[1].casefold() in names and value.fullmatch(pair[2]):
            words.append(pair[1])
            values.append(pair[2])
        else:
            if started:
                yield from told()
            name, started = line, True
            continue
        others.append(line)
        if not started:
            name, started = "", True
    if started:
        yield from told()
