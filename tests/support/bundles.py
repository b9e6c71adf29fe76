"""Many small cases in one test, where a test for each would take longer to set up than what it tries."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

__all__ = ["bundled"]

SIZE = 50


def bundled(name: str, cases: Iterable[Any], ids: Callable[[Any], str] = str) -> Callable[[Callable[..., None]], Any]:
    """As `pytest.mark.parametrize`, with up to 50 cases to a test. The first error names all cases that failed."""
    every = list(cases)
    bundles = [every[first : first + SIZE] for first in range(0, len(every), SIZE)]

    def decorated(test: Callable[..., None]) -> Any:
        @wraps(test)
        def run(**given: Any) -> None:
            failures, skipped = list[tuple[str, BaseException]](), 0
            bundle = given.pop(name)
            for case in bundle:
                try:
                    test(**given, **{name: case})
                except pytest.skip.Exception:
                    skipped += 1
                except (Exception, pytest.fail.Exception) as error:
                    failures.append((ids(case), error))
            if failures:
                first = failures[0][1]
                first.add_note(f"{name}: {', '.join(case for case, _ in failures)}")
                raise first
            if skipped == len(bundle):
                pytest.skip("every case of the bundle")

        return pytest.mark.parametrize(name, bundles, ids=[ids(bundle[0]) for bundle in bundles])(run)

    return decorated
