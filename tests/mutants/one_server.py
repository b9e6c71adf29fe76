"""One server for all trials of what runs in browsers: no change alters it, and it takes a second to start."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

__all__ = ["one_server"]

PATIENCE = 24
"""seconds until a test says that a browser does nothing more, instead of sixty"""
MANY = ("MAX_STREAMS", "MAX_READERS", "MAX_CONCURRENT", "MAX_WORK", "MAX_WORK_ALL", "MAX_WORK_BURST", "MAX_QUESTIONS")
"""limits of a server that many tests meet at once"""


@contextmanager
def one_server() -> Iterator[None]:
    """Start a server, which the fixture of the pages' tests gives to all of them."""
    from tests.server.served import ROOMY, serving, with_limits

    os.environ["ROLLPROOF_PATIENCE"] = str(PATIENCE)
    conftest: Any = sys.modules["tests.web.conftest"]
    with tempfile.TemporaryDirectory(prefix="server-") as folder:
        limits = with_limits(Path(folder), {**ROOMY, **dict.fromkeys(MANY, 100_000)})
        with serving(Path(folder), *limits) as server:
            conftest.roomy = lambda _: nullcontext(server)
            yield
