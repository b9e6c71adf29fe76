"""Results tables (706.3a)."""

import re
from itertools import pairwise

import msgspec

from rules.base import Violation
from rules.bounds import MAX_SAFE_INTEGER
from rules.language import N_

_NUMBER = r"(0|[1-9][0-9]{0,15})"
# The rules print an en dash, cards an em dash.
_RANGE = re.compile(rf"{_NUMBER}(?:[–—-]{_NUMBER}|(\+))?", re.ASCII)


class Range(msgspec.Struct, frozen=True):
    """Results `low` to `high`, both included; no upper end if `high` is None."""

    text: str
    low: int
    high: int | None

    def __contains__(self, result: int) -> bool:
        return self.low <= result and (self.high is None or result <= self.high)


def parse_range(text: str) -> Range:
    """`N`, `N1–N2` (or an em dash or hyphen) or `N+`.

    Raises Violation 706.3a for anything else, and where N1 is above N2.
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
    return Range(text, low, high)


def check_order(ranges: list[Range]) -> None:
    """Raises Violation 706.3a where a row does not begin above the end of the row before it."""
    for before, row in pairwise(ranges):
        if before.high is None or row.low <= before.high:
            text = N_("the rows {before} and {row} overlap or are out of order")
            raise Violation("706.3a", text, before=before.text, row=row.text)
