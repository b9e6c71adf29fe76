"""Vectors of every size, of which the large ones are tried by the longer tests."""

from pathlib import Path
from typing import Any

import pytest

LARGE = 24_000
"""bytes"""


def long_if_large(path: Path, name: str | None = None) -> Any:
    """Return a parameter of pytest, named after the file."""
    large = path.stat().st_size > LARGE
    return pytest.param(path, id=name or path.stem, marks=[pytest.mark.long] if large else [])
