"""The inspection of a PostgreSQL server before it is used. It changes nothing."""

from urllib.parse import urlsplit

import psycopg
from msgspec import Struct

from ledger.database.postgres import Connection, connect
from ledger.errors import StoreError

__all__ = ["DatabaseState", "check_apart", "inspect"]

CONNECT_WITHIN = 10
"""seconds"""

SAFE_SETTINGS = ("fsync", "full_page_writes", "synchronous_commit")
"""settings that must be on, so that acknowledged writes survive a crash of that machine"""


class DatabaseState(Struct, frozen=True):
    """The state of a PostgreSQL database."""

    name: str
    """host and database, without user and password"""
    version: str
    user: str
    standby: bool
    """whether it replicates another server, and accepts no writes"""
    may_create: bool
    """whether this account may make tables"""
    unsafe: tuple[str, ...]
    """settings of SAFE_SETTINGS that are off, each of which can lose acknowledged writes"""
    encoding: str
    connections: int
    """the most connections that it accepts"""
    ahead: float
    """seconds by which its clock is ahead of this machine's"""
    system: int
    """the system identifier of the cluster, the same in all its standbys"""


_LOOK = b"""
SELECT current_setting('server_version'), current_user::text, pg_is_in_recovery(),
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false), current_setting('server_encoding'),
       current_setting('max_connections')::int, extract(epoch FROM clock_timestamp())::float8,
       (SELECT system_identifier FROM pg_control_system())"""


def inspect(url: str) -> DatabaseState:
    """Return the state of a database. Raises StoreError if it cannot be reached."""
    import time

    parts = urlsplit(url)
    name = f"{parts.hostname or 'localhost'}{parts.path}"
    try:
        with connect(url, CONNECT_WITHIN) as connection:
            row = connection.execute(_LOOK).fetchone()
            here = time.time()
            unsafe = [each for each in SAFE_SETTINGS if _off(connection, each)]
    except psycopg.Error as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        raise StoreError(f"{name} cannot be reached: {said}") from None
    assert row is not None
    version, user, standby, may_create, encoding, connections, there, system = row
    version = version.split()[0]
    return DatabaseState(
        name, version, user, standby, may_create, tuple(unsafe), encoding, connections, there - here, system
    )


def _off(connection: Connection, setting: str) -> bool:
    row = connection.execute("SELECT current_setting(%s)", [setting]).fetchone()
    assert row is not None
    return bool(row[0] == "off")


def check_apart(memory: str, games: str) -> None:
    """Raise StoreError if the seats' memory and the games are in one cluster.

    If that cluster were restored from a backup, both would be older, and neither would show it.
    """
    if inspect(memory).system == inspect(games).system:
        raise StoreError(
            "what the seat remembers and the games are in one PostgreSQL cluster: put back, both would be older, and "
            "the keeper would sign twice. What it remembers needs a cluster of its own"
        )
