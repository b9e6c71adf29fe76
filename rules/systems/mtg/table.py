"""Results tables and ranges of results (706.3a; 603)."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec
from msgspec import UNSET

from rules.base import Violation
from rules.common.ranges import NumberRange, overlap
from rules.data.bounds import MAX_SAFE_INTEGER
from rules.data.language import N_
from rules.systems.mtg.bodies import Row

__all__ = ["ResultRow", "parse_range", "parse_table", "parse_trigger_range", "rows_of"]

# Dashes between numbers, and digits, as English and Japanese typesetting writes them.
_DASHES = "\u002d\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u301c\uff0d\uff5e"
_DIGIT = "0-9\uff10-\uff19"
_NUMBER = f"([0\uff10]|[1-9\uff11-\uff19][{_DIGIT}]{{0,15}})"
_RANGE = re.compile(f"{_NUMBER}(?:[{_DASHES}]{_NUMBER}|([+\uff0b]))?")
_OR_LESS = re.compile(f"([-\u2212])?{_NUMBER}(?: or less|以下)")


class ResultRow(msgspec.Struct, frozen=True):
    """A row of a results table (706.3): for results in its range, its effect."""

    range: NumberRange
    effect: str
    again: Literal[True, "may"] | None
    """True for “Roll again.”, `may` for “You may roll again.”"""


def parse_table(rows: tuple[Row, ...]) -> tuple[ResultRow, ...]:
    """Return the rows of a table, in their order. Raises Violation 706.3a for an invalid range and for overlaps."""
    table = tuple(
        ResultRow(parse_range(row.range), row.effect, None if row.again is UNSET else row.again) for row in rows
    )
    common = overlap(row.range for row in table)
    if common is not None:
        text = N_("the rows {before} and {row} overlap")
        raise Violation("706.3a", text, before=common[0].text, row=common[1].text)
    return table


def rows_of(table: tuple[ResultRow, ...], results: Iterable[int]) -> Iterator[int]:
    """Yield for each result the number of its row, from 1, or 0 if it is in none. The table has at least one row."""
    order = sorted((row.range.low or 0, number) for number, row in enumerate(table, 1))
    lows = [low for low, _ in order]
    for result in results:
        _, number = order[bisect_right(lows, result) - 1]  # a result below all rows gives the last row, which lacks it
        yield number if result in table[number - 1].range else 0


def parse_range(text: str) -> NumberRange:
    """Parse `N`, `N1–N2` or `N+`, also with full-width digits and any dash.

    Raises Violation 706.3a for anything else, and if N1 is above N2.
    """
    match = _RANGE.fullmatch(text)
    if match is None:
        raise Violation("706.3a", "{text!r} is no range of results: write 7, 1–9 or 10+", text=text)
    low = int(match[1])
    high = None if match[3] else int(match[2] or match[1])
    if max(low, high or 0) > MAX_SAFE_INTEGER:
        raise Violation("706.3a", "the range {text} goes too high", text=text)
    if high is not None and low > high:
        raise Violation("706.3a", "the range {text} runs backward", text=text)
    return NumberRange(text, low, high)


def parse_trigger_range(text: str) -> NumberRange:
    """Parse a range of a table, or `N or less`, where N can be below zero. Raises Violation 706.3a."""
    match = _OR_LESS.fullmatch(text)
    if match is None:
        return parse_range(text)
    high = int(match[2])
    if high > MAX_SAFE_INTEGER:
        raise Violation("706.3a", "the range {text} goes too high", text=text)
    if match[1] and not high:
        raise Violation("706.3a", "{text!r} is no range of results: write 7, 1–9 or 10+", text=text)
    return NumberRange(text, None, -high if match[1] else high)
