"""Where a regular expression can be broken: an alternative, what may stand, what has to stand beside it.

An alternative is dropped, a character of a class, a look to the left or right, `^`. What may stand has to (`x?`, `x*`),
or is dropped; what may come again comes once, or not at all (`x+`).
"""

import re
from collections.abc import Iterator

__all__ = ["changes"]

_LOOK = re.compile(r"\(\?<?[=!]")
_OPEN = re.compile(r"\((?:\?:|\?P<\w+>)?")
_ESCAPE = re.compile(r"\\(?:x..|u.{4}|U.{8}|.)", re.DOTALL)
_AGAIN = {"?": ("",), "*": ("+",), "+": ("", "*")}
"""what stands in the place of a quantifier"""


def changes(pattern: str) -> Iterator[tuple[str, str]]:
    """What is changed, in words, and the pattern that comes of it. What is no pattern then is left out."""
    reader = _Reader(pattern)
    end = reader.alternatives(0)
    assert end == len(pattern), f"{pattern[end:]!r} is not understood"
    for start, end, instead, words in reader.found:
        changed = pattern[:start] + instead + pattern[end:]
        try:
            re.compile(changed)
        except re.error:
            continue
        yield words, changed


class _Reader:
    """Reads a pattern from the left, and notes each change: from where, to where, what instead, in words."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.found: list[tuple[int, int, str, str]] = []

    def _drop(self, start: int, end: int, beside: int = 0) -> None:
        """Without what stands from start to end; `beside`: how much more goes with it, to the left or the right."""
        words = f"without {self.pattern[start:end]}"
        self.found.append((start + min(beside, 0), end + max(beside, 0), "", words))

    def alternatives(self, at: int) -> int:
        """Read up to a closing parenthesis, or the end; where that is."""
        spans, start = [], at
        while at < len(self.pattern) and self.pattern[at] != ")":
            if self.pattern[at] == "|":
                spans.append((start, at))
                start = at = at + 1
            else:
                at = self._piece(at)
        for first, end in spans:
            self._drop(first, end, 1)
        if spans:
            self._drop(start, at, -1)
        return at

    def _piece(self, at: int) -> int:
        """Read what can be repeated, and how often it is."""
        end = self._atom(at)
        sign = self.pattern[end : end + 1]
        for instead in _AGAIN.get(sign, ()):
            told = self.pattern[at:end]
            self.found.append((end, end + 1, instead, f"{told}{sign} → {told}{instead}"))
        if sign in ("?", "*") and sign:
            self._drop(at, end + 1)
        counted = re.compile(r"(?:[?*+]|\{[0-9,]+\})[?+]?").match(self.pattern, end)
        return end if counted is None else counted.end()

    def _atom(self, at: int) -> int:
        look = _LOOK.match(self.pattern, at)
        opened = look or _OPEN.match(self.pattern, at)
        if opened is not None:
            end = self.alternatives(opened.end()) + 1
            if look is not None:
                self._drop(at, end)
            return end
        if self.pattern[at] == "[":
            return self._class(at)
        if self.pattern[at] == "^":
            self._drop(at, at + 1)
        return self._character(at)

    def _character(self, at: int) -> int:
        escape = _ESCAPE.match(self.pattern, at)
        return at + 1 if escape is None else escape.end()

    def _class(self, at: int) -> int:
        members = []
        at += 2 if self.pattern[at + 1] == "^" else 1
        while self.pattern[at] != "]":
            start, at = at, self._character(at)
            if self.pattern[at] == "-" and self.pattern[at + 1] != "]":
                at = self._character(at + 1)
            members.append((start, at))
        for start, end in members if len(members) > 1 else ():
            self._drop(start, end)
        return at + 1
