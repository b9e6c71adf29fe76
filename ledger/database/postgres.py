"""Connections to PostgreSQL that notice within seconds when the other side is gone without a word.

A machine that lost its power or its network ends no connection: without this its transactions would keep what they
locked, and whoever asked it would wait, for as long as the system's own bounds say, which is hours.
"""

from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

__all__ = ["SILENT_WITHIN", "Connection", "connect", "noticing"]

Connection = psycopg.Connection[tuple[Any, ...]]

SILENT_WITHIN = 3
"""seconds after which a side whose system answers nothing is gone"""

_HERE = {
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": SILENT_WITHIN - 1,
    "tcp_user_timeout": SILENT_WITHIN * 1_000,
}
_THERE = "; ".join(
    f"SET {name} = {value}"
    for name, value in (
        ("tcp_keepalives_idle", 1),
        ("tcp_keepalives_interval", 1),
        ("tcp_keepalives_count", SILENT_WITHIN - 1),
        ("tcp_user_timeout", SILENT_WITHIN * 1_000),
    )
)


def noticing(url: str) -> dict[str, Any]:
    """Return the parameters by which this side notices, but for those that the address has itself."""
    given = conninfo_to_dict(url)
    return {name: value for name, value in _HERE.items() if name not in given}


def connect(url: str, within: float) -> Connection:
    """Connect within so many seconds, in autocommit; both sides notice. Raises psycopg.Error."""
    found: Connection = psycopg.connect(url, autocommit=True, connect_timeout=int(within), **noticing(url))
    try:
        found.execute(_THERE.encode(), prepare=False)
    except BaseException:
        found.close()
        raise
    return found
