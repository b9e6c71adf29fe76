"""Chromium, for the example of a page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.table_page import launched

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Debian's Chromium; without it the test is skipped."""
    yield from launched()
