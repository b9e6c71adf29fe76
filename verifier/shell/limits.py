"""Limits of processor time for one file, on systems that can count it (specs/verification.md)."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from verifier.errors import TimeLimit

__all__ = ["time_limit"]


@contextmanager
def time_limit(seconds: int | None) -> Iterator[None]:
    """Raise TimeLimit in the block after this many seconds of the process's processor time; None for no limit.

    It works only in a program's main thread and has no effect on Windows.
    """
    if seconds is None or sys.platform == "win32":
        yield
        return

    def up(_number: int, _frame: FrameType | None) -> None:
        raise TimeLimit("It took longer than {seconds} seconds of processor time.", seconds=seconds)

    before = signal.signal(signal.SIGPROF, up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
