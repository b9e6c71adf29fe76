"""Conversion of datasheets that were copied from apps and web sites into datasheet lines (specs/wh40k.md, "Notation").

It reads tables with columns (tabs, `|`, commas), tables without a column for the name, and characteristics that stand
one below the other. It guesses nothing: a column that is no characteristic, name or number of models is left out.
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


def one_line_each(lines: Sequence[str], names: dict[str, str], value: re.Pattern[str]) -> list[str]:
    """Return the lines, with each row of a table as `10 Intercessors M 6" WS 3+ …`.

    `names` are the names of characteristics; `value` matches one of their values. Raises NotationError for a line such
    as `4-9 Intercessors`.
    """
    found: list[str] = []
    columns: list[str | None] | None = None
    title = ""
    for line in _upright(_rows(lines), names, value):
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
    for line in found:
        if (match := _RANGE.match(line)) is not None:
            text = N_("{range}: say how many there are, from {least} to {most}")
            raise NotationError(text, range=match[0].strip(), least=match[1], most=match[2])
    return found


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
    return len(cells) == len(columns) and sum(bool(value.fullmatch(cell)) for cell in named) >= _LEAST


def _row(cells: Sequence[str], columns: Sequence[str | None], title: str) -> str:
    of = dict(zip(columns, cells, strict=False))
    stats = [f"{column} {cell}" for column, cell in zip(columns, cells, strict=False) if _is_stat(column) and cell]
    return " ".join(filter(None, (of.get("count", ""), of.get("name", "") or title, *stats)))


def _is_stat(column: str | None) -> bool:
    return column not in (None, "name", "count")


# --- vertical lists ---------------------------------------------------------------------------------------------------


def _upright(lines: Sequence[str], names: dict[str, str], value: re.Pattern[str]) -> Iterator[str]:
    """Yield the lines, with characteristics that stand one below the other put on one line behind their name."""
    name, words, values = "", list[str](), list[str]()

    def told() -> Iterator[str]:
        nonlocal words, values
        if len(words) >= _LEAST and len(words) == len(values):
            pairs = " ".join(f"{word} {each}" for word, each in zip(words, values, strict=True))
            yield f"{name} {pairs}".strip()
        else:
            yield from ([name] if name else [])
            yield from (each for each in (*words, *values) if each)
        words, values = [], []

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
        if not started:
            name, started = "", True
    if started:
        yield from told()
