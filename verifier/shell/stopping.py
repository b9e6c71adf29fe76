"""Ctrl-C and SIGTERM while a command is at work: it ends in order, and can say what it had done (specs/commands.md)."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["stop_code", "stoppable"]

_came: list[int] = []
"""the signals"""


@contextmanager
def stoppable() -> Iterator[None]:
    """Within it both signals raise KeyboardInterrupt. A second one ends the process at once."""
    if threading.current_thread() is not threading.main_thread():  # where no signal comes
        yield
        return
    before = {number: signal.signal(number, _stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def stop_code() -> int:
    """The exit code of what was stopped: 128 and the signal, as a shell tells it."""
    return 128 + (_came[-1] if _came else signal.SIGINT)


def _stop(number: int, _frame: object) -> None:
    if _came:
        os._exit(128 + number)
    _came.append(number)
    raise KeyboardInterrupt
