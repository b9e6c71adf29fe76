"""The clock of a program that runs for long: it goes on evenly where the machine's is set to another time."""

import ctypes
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Lock

from ledger.game.times import format_time

__all__ = ["SteadyClock", "clock_is_disciplined"]

TOLERANCE = 60.0
"""seconds by which the machine's clock may differ from what has passed, as when it is set right bit by bit"""

TELL_EVERY = 60.0
"""seconds between two words about it"""


_TIMEX = 512
"""bytes, more than `struct timex` has"""
_TIME_ERROR = 5
"""what `adjtimex` answers of a clock that nothing keeps right"""


def clock_is_disciplined() -> bool | None:
    """Return whether the system keeps its clock by NTP; None where it does not say so."""
    if sys.platform != "linux":
        return None
    try:
        state: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX))  # all zero: nothing is changed
    except (AttributeError, OSError):
        return None
    return None if state < 0 else state != _TIME_ERROR


def _passed() -> float:
    """Seconds since some moment, those in which the machine slept too where it counts them."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class SteadyClock:
    """Gives the time in the log's form. Any thread may use it."""

    def __init__(
        self,
        tell: Callable[[float], None],
        wall: Callable[[], float] = time.time,
        passed: Callable[[], float] = _passed,
    ) -> None:
        """`tell` gets the seconds by which the machine's clock is ahead, now and then while it is wrong."""
        self._tell = tell
        self._wall = wall
        self._passed = passed
        self._turn = Lock()
        self._at = wall(), passed()
        """a moment: what the machine's clock said, and what had passed"""
        self._warned = float("-inf")

    def __call__(self) -> str:
        """Return the time in the log's form, UTC with milliseconds."""
        return format_time(datetime.fromtimestamp(0, UTC) + timedelta(seconds=self._seconds()))

    def _seconds(self) -> float:
        with self._turn:
            wall, passed = self._wall(), self._passed()
            expected = self._at[0] + passed - self._at[1]
            if abs(wall - expected) <= TOLERANCE:
                self._at = wall, passed
                return wall
            tells = passed - self._warned >= TELL_EVERY
            if tells:
                self._warned = passed
        if tells:
            self._tell(wall - expected)
        return expected
