"""Many small cases in one test, where a test for each would take longer to set up than what it tries."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

__all__ = ["bundled"]

SIZE = 50


def bundled(name: str, cases: Iterable[Any], ids: Callable[[Any], str] = str) -> Callable[[Callable[..., None]], Any]:
    """As `pytest.mark.parametrize`, with up to 50 cases to a test; the error of one names it, and ends its test."""
    every = list(cases)
    bundles = [every[first : first + SIZE] for first in range(0, len(every), SIZE)]

    def decorated(test: Callable[..., None]) -> Any:
        @wraps(test)
        def run(**given: Any) -> None:
            for case in given.pop(name):
                try:
                    test(**given, **{name: case})
                except pytest.skip.Exception:
                    pass
                except BaseException as error:
                    error.add_note(f"{name}: {ids(case)}")
                    raise

        return pytest.mark.parametrize(name, bundles, ids=[ids(bundle[0]) for bundle in bundles])(run)

    return decorated
