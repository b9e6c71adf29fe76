"""Times that somebody signed, beside the clock here."""

from datetime import datetime, timedelta

from ledger.lobby.signed import LobbyError
from rules.data.language import Message

__all__ = ["MAX_CLOCK_SKEW", "time_between"]


MAX_CLOCK_SKEW = timedelta(minutes=5)
"""how far the time of terms and of an access may be from the server's clock"""


def time_between(time: str, now: str) -> timedelta:
    """Return how far apart two times are. Raises LobbyError (`malformed`) for one that is no time."""
    return abs(_parse_time(time) - _parse_time(now))


def _parse_time(time: str) -> datetime:
    """Raises LobbyError for the 30th of February and its like."""
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        raise LobbyError("malformed", Message("there is no time {time}", time=time)) from None
