"""Times as the log has them (specs/log.md): UTC with milliseconds, such as `2026-11-20T19:00:00.000Z`."""

from datetime import UTC, datetime

__all__ = ["format_time", "utc_now"]


def format_time(moment: datetime) -> str:
    """Return a moment, in UTC, in the log's format."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_now() -> str:
    """Return the current time in the log's format."""
    return format_time(datetime.now(UTC))
