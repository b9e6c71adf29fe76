"""Tables of outcomes (specs/dice-1.md, clause D9)."""

import re
from collections.abc import Sequence

from rules.common.ranges import NumberRange, overlap
from rules.common.shared import refuse
from rules.data.bounds import MAX_SAFE_INTEGER
from rules.systems.anydice.bodies import Row

__all__ = ["ranges", "row_of"]

_INT = r"-?(?:0|[1-9][0-9]*)"
_RANGE = re.compile(rf"({_INT})(?:[–—-]({_INT})|([+-]))?", re.ASCII)


def ranges(rows: Sequence[Row]) -> tuple[NumberRange, ...]:
    """Return the ranges of a table's rows, in their order. Raises Violation D9."""
    found = tuple(_range(row.range) for row in rows)
    common = overlap(found)
    if common is not None:
        before, after = common
        refuse("D9", "the rows {before} and {after} have a number in common", before=before.text, after=after.text)
    return found


def row_of(rows: Sequence[NumberRange], total: int) -> int | None:
    """Return the number, from 1, of the row that contains a total; None if no row does."""
    return next((number for number, row in enumerate(rows, 1) if total in row), None)


def _range(text: str) -> NumberRange:
    match = _RANGE.fullmatch(text)
    if match is None:
        refuse("D9", "“{text}” is no range of totals: write 7, 7-9, 10+ or 6-", text=text[:60])
    first, last = int(match[1]), int(match[2] or match[1])
    if max(abs(first), abs(last)) > MAX_SAFE_INTEGER:
        refuse("D9", "the range {text} goes too far: at most {most}", text=text[:60], most=MAX_SAFE_INTEGER)
    if first > last:
        refuse("D9", "the range {text} runs backward", text=text)
    return NumberRange(text, None if match[3] == "-" else first, None if match[3] == "+" else last)
