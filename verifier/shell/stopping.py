"""Ctrl-C and SIGTERM during a command: it ends in order, and can report what it has done (specs/commands.md)."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["stop_code", "stoppable"]

_came: list[int] = []
"""the signals that have come"""


@contextmanager
def stoppable() -> Iterator[None]:
    """Make both signals raise KeyboardInterrupt within the block. A second signal ends the process at once."""
    if threading.current_thread() is not threading.main_thread():  # signals come to the main thread only
        yield
        return
    before = {number: signal.signal(number, _stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def stop_code() -> int:
    """Return the exit code of a stopped program: 128 plus the signal, as shells report it."""
    return 128 + (_came[-1] if _came else signal.SIGINT)


def _stop(number: int, _frame: object) -> None:
    if _came:
        os._exit(128 + number)
    _came.append(number)
    raise KeyboardInterrupt
