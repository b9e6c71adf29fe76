"""How long a program may work on one file: processor time, where the system can count it (specs/verification.md)."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from verifier.errors import TimeLimit

__all__ = ["time_limit"]


@contextmanager
def time_limit(seconds: int | None) -> Iterator[None]:
    """What runs within raises TimeLimit after so many seconds of this process's processor time; None for no limit.

    Only in a program's main thread, and not on Windows: there it has no effect.
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
