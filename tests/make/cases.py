"""The list of logs that a module of `tests/make` makes: `@log(…)` adds the function below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Case", "Cases", "Make"]

Make = Callable[[], Any]
"""makes the writer of a log or its bytes, with the number of the flawed line if there is one"""


class Case(NamedTuple):
    """One log to make. Its name says what must come out: the code of its first error, or `holds`."""

    name: str
    about: str
    make: Make
    fault: str | None
    clause: str | None


class Cases(list[Case]):
    """The logs of one module, in the order of its source."""

    def log(self, name: str, about: str, fault: str | None = None, clause: str | None = None) -> Callable[[Make], Make]:
        """Return the decorator that adds a function which makes this log.

        `fault` and `clause` are those of the first error; None where the log holds, and where no clause is named.
        """

        def add(make: Make) -> Make:
            self.append(Case(name, about, make, fault, clause))
            return make

        return add
