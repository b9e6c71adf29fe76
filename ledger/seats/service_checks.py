"""Connect to the PostgreSQL server of a seat's memory, and check that it is durable (specs/seats.md)."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from ledger.database.postgres import Connection, connect
from ledger.errors import StoreError

__all__ = ["check_service", "connect_service", "first_line", "probe_service", "service_errors"]

CONNECT_WITHIN = 10
"""seconds"""

ANSWER_WITHIN = 30_000
"""milliseconds after which a statement is given up: a standby that does not answer keeps nobody for ever"""

IDLE_WITHIN = 10_000
"""milliseconds after which the service ends a transaction whose machine is silent, and lets go of what it locked"""

_SETTINGS = ("fsync", "full_page_writes")

_STANDBYS = b"""
SELECT count(*) FILTER (WHERE sync_state IS NULL), count(*) FILTER (WHERE sync_state IN ('async', 'potential')),
       count(*) FILTER (WHERE sync_state = 'quorum'), current_setting('synchronous_standby_names')
FROM pg_stat_replication"""


def check_service(connection: Connection) -> None:
    """Raise StoreError for a standby, a server that is not durable, or one whose standbys may lack an answer."""
    ((standby,),) = connection.execute("SELECT pg_is_in_recovery()").fetchall()
    if standby:
        raise StoreError("the memory's service is a standby: name the primary, or both with target_session_attrs")
    for setting in _SETTINGS:
        ((value,),) = connection.execute("SELECT current_setting(%s)", [setting]).fetchall()
        if value == "off":
            raise StoreError(f"the memory's service has {setting} off, and would lose what it answered: set it on")
    ((hidden, behind, voting, names),) = connection.execute(_STANDBYS).fetchall()
    if hidden:
        raise StoreError(
            "this account may not see whether the memory's standbys are synchronous: GRANT pg_read_all_stats to it"
        )
    quorum = re.match(r"\s*ANY\s+(\d+)", names, re.IGNORECASE)
    if behind or (quorum is not None and int(quorum[1]) < voting):  # of several each must have it, not most
        raise StoreError(
            "the memory's service has a standby that is not synchronous, and would lose the last records in a "
            "failover: name it in synchronous_standby_names, or take it away"
        )


@contextmanager
def service_errors() -> Iterator[None]:
    """Turn errors of the service into StoreError."""
    try:
        yield
    except psycopg.Error as error:
        raise StoreError(f"the memory's service cannot be used: {first_line(error)}") from None


def connect_service(url: str, notice: Any) -> Connection:
    """Return a connection on which COMMIT ends when the standbys have it. Raises StoreError."""
    try:
        connection = connect(url, CONNECT_WITHIN)
    except psycopg.Error as error:
        raise StoreError(f"the memory's service cannot be reached: {first_line(error)}") from None
    connection.add_notice_handler(
        lambda said: notice(said.message_primary or "") if said.severity == "WARNING" else None
    )
    with service_errors():
        connection.execute("SET synchronous_commit = on")
        connection.execute(f"SET statement_timeout = {ANSWER_WITHIN}".encode())
        connection.execute(f"SET idle_in_transaction_session_timeout = {IDLE_WITHIN}".encode())
    return connection


def first_line(error: Exception) -> str:
    """Return the first line of an error's message."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def probe_service(url: str) -> None:
    """Raise StoreError for a service that cannot be reached, or would lose what it answered."""
    with service_errors(), connect_service(url, lambda _: None) as connection:
        check_service(connection)
