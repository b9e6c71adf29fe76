"""Find problems of a server's configuration before it is used: `rollproof serve --check`.

No check changes anything: none creates an identity, a folder or a table, or asks for a passphrase.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path

import msgspec

from ledger.database.sqlite import reading
from ledger.distribution.optional_dependencies import needs_extra
from ledger.errors import LedgerError
from ledger.home import Home
from ledger.server.clock import clock_is_disciplined
from ledger.server.configuration import Found, Level, ServerConfiguration
from ledger.server.connections import FEWEST, KEPT_FREE
from ledger.server.cosigning import witnesses_of
from ledger.server.network_checks import (
    check_address,
    check_hall,
    check_port,
    check_proxies,
    check_tls,
    check_webhook,
)
from ledger.server.public_games import check_folder
from rules.data.language import N_, Message
from verifier import VerifierError, VerifierKey

__all__ = ["MOUNTS", "CheckResult", "check"]

MOUNTS = Path("/proc/self/mountinfo")
"""the file in which Linux lists the file system of each folder"""

NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "fuse.glusterfs", "fuse.sshfs"}
)
"""file systems that several machines mount: SQLite's locks and its log of writes do not hold there"""

FLEETING = frozenset({"tmpfs", "ramfs"})
"""file systems that are empty after the machine was started again"""

APART = 60
"""seconds by which two clocks may differ"""

DATABASES = ("ledger.db", "tables.db", "anchors.db", "events.db")

CONNECTIONS_OF_ONE = 40
"""connections that one server process may have to PostgreSQL at once"""


class CheckResult(msgspec.Struct, frozen=True):
    """The result of one check."""

    check: str
    level: Level
    problem: Message | Exception
    """a sentence; an error if the check itself failed"""


def check(asked: ServerConfiguration) -> Iterator[CheckResult]:
    """Run all checks in turn. An error ends only the check that it happens in."""
    checks: tuple[tuple[str, Callable[[ServerConfiguration], Found]], ...] = (
        ("libraries", _libraries),
        ("limits", _limits),
        ("clock", _clock),  # before the memory is opened, which makes its file newer
        ("permissions", _permissions),
        ("database", _database),
        ("memory", _memory),
        ("room", _room),
        ("port", check_port),
        ("address", check_address),
        ("tls", check_tls),
        ("proxies", check_proxies),
        ("organizers", _organizers),
        ("witnesses", _witnesses),
        ("descriptors", _descriptors),
        ("hall", check_hall),
        ("webhook", check_webhook),
        ("public", _public),
    )
    for name, look in checks:
        try:
            for level, message in look(asked):
                yield CheckResult(name, level, message)
        except (LedgerError, VerifierError, OSError) as error:
            yield CheckResult(name, "wrong", error)


def _libraries(asked: ServerConfiguration) -> Found:
    needs_extra("litestar", "uvicorn", "structlog", "prometheus_client", "PIL", extra="online")
    if asked.database() is not None:
        needs_extra("psycopg", "psycopg_pool", extra="postgres")
    yield "ok", Message("all libraries are here")


def _limits(asked: ServerConfiguration) -> Found:
    asked.limits()
    yield "ok", Message("the limits can be read")


# --- files -------------------------------------------------------------------------------------------------------


def _permissions(asked: ServerConfiguration) -> Found:
    """Check that only the server's account can read and change its files."""
    home = asked.home
    for folder in (home.root, home.state):
        yield from _folder(folder)
    if os.name != "posix":
        return
    files = [home.root / name for name in DATABASES]
    files += sorted(home.state.glob("*.db")) + sorted((home.root / "identities").glob("*/key.json"))
    for file in filter(Path.exists, files):
        if file.stat().st_uid != os.geteuid():
            yield "wrong", Message("{file} belongs to another account than the one that runs this", file=str(file))
        elif file.stat().st_mode & 0o077:
            text = N_("others on this machine can read {file}: let only its owner read it (chmod 600)")
            yield "wrong", Message(text, file=str(file))
    if os.geteuid() == 0:
        text = N_("this runs as root: a server needs no more than an account of its own, and a port above 1023")
        yield "warning", Message(text)


def _folder(folder: Path) -> Found:
    made = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not made.is_dir() or not os.access(made, os.W_OK | os.X_OK):
        yield "wrong", Message("{folder} cannot be written to", folder=str(made))
    elif made != folder:
        yield "ok", Message("{folder} will be made at the first start", folder=str(folder))
    elif os.name == "posix" and folder.stat().st_mode & 0o022:
        text = N_("others on this machine can change what is in {folder}: let only its owner use it (chmod 700)")
        yield "wrong", Message(text, folder=str(folder))
    else:
        yield "ok", Message("{folder} can be written to", folder=str(folder))


def _file_system(folder: Path, what: Message) -> Found:
    """Check that the disk of a folder keeps what is written to it."""
    kind = _mounted(folder)
    if kind in NETWORK:
        text = N_(
            "{what} is at {folder}, on a network file system ({kind}), which loses writes: choose a disk of this "
            "machine"
        )
        yield "wrong", Message(text, what=what, folder=str(folder), kind=kind)
    elif kind in FLEETING:
        text = N_("{what} is at {folder}, in memory ({kind}): nothing of it is there after the machine starts again")
        yield "wrong", Message(text, what=what, folder=str(folder), kind=kind)


def _mounted(folder: Path) -> str | None:
    """Return the kind of file system that a folder is on; None if the platform does not say."""
    try:
        lines = MOUNTS.read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    path, best = str(folder.absolute().resolve()), ("", "")
    for line in lines:
        before, _, after = line.partition(" - ")
        at = before.split()[4].replace("\\040", " ")
        inside = path == at or path.startswith(at.rstrip("/") + "/")
        if inside and len(at) >= len(best[0]):
            best = at, after.split()[0]
    return best[1] or None


def _room(asked: ServerConfiguration) -> Found:
    limits, home = asked.limits(), asked.home
    for folder in (home.root, home.state):
        made = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        free = shutil.disk_usage(made).free
        if free < limits.free:
            text = N_(
                "the disk of {folder} has {free} MB free, and MIN_FREE asks for {least}: nothing new would be taken"
            )
            yield "wrong", Message(text, folder=str(folder), free=free >> 20, least=limits.free >> 20)
            return
    free = shutil.disk_usage(next(each for each in (home.root, *home.root.absolute().parents) if each.exists())).free
    taken = sum(path.stat().st_size for name in DATABASES if (path := home.root / name).exists())
    if asked.database() is None and limits.store > free + taken:
        text = N_("the disk is full before MAX_STORE is: {free} MB are free, and MAX_STORE is {most} MB")
        yield "warning", Message(text, free=free >> 20, most=limits.store >> 20)
    else:
        yield "ok", Message("there is room: {free} MB are free", free=free >> 20)


# --- what is stored, and what is remembered ----------------------------------------------------------------------


def _database(asked: ServerConfiguration) -> Found:
    url = asked.database()
    if url is None:
        yield from _sqlite(asked.home)
        return
    from ledger.store.inspection import inspect

    found = inspect(url)
    yield "ok", Message("PostgreSQL {version} answers at {name}", version=found.version, name=found.name)
    if found.standby:
        yield "wrong", Message("{name} is a standby, which takes no writes: name the primary", name=found.name)
    if not found.may_create:
        text = N_("the account {user} may make no tables in {name}: grant it CREATE on the schema")
        yield "wrong", Message(text, user=found.user, name=found.name)
    for setting in found.unsafe:
        text = N_(
            "{name} has {setting} off: what it answered can be lost in a crash, and the keeper would stop. Turn it on"
        )
        yield "wrong", Message(text, name=found.name, setting=setting)
    if found.encoding != "UTF8":
        text = N_("the database {name} is in {encoding}: make one in UTF8")
        yield "wrong", Message(text, name=found.name, encoding=found.encoding)
    if found.connections < CONNECTIONS_OF_ONE:
        text = N_("{name} takes {count} connections, and one server process may need {needed}: raise max_connections")
        yield "warning", Message(text, name=found.name, count=found.connections, needed=CONNECTIONS_OF_ONE)
    if abs(found.ahead) > APART:
        text = N_("the clock of {name} is {seconds} seconds away from this machine's: set both by NTP")
        yield "wrong", Message(text, name=found.name, seconds=round(abs(found.ahead)))


def _sqlite(home: Home) -> Found:
    from ledger.database.sqlite import open_to_read

    yield from _file_system(home.root, Message("the database"))
    for path in (home.root / name for name in DATABASES):
        if path.exists():
            with closing(open_to_read(path)) as connection, reading(path):
                said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if said != "ok":
                text = N_("{file} is damaged ({problem}): put a backup back")
                yield "wrong", Message(text, file=str(path), problem=said)
                return
    yield "ok", Message("SQLite in {folder}", folder=str(home.root))


def _memory(asked: ServerConfiguration) -> Found:
    home = asked.home
    if home.memory_address is None:
        yield from _file_system(home.state, Message("what the keeper's seat remembers"))
    else:
        from ledger.seats.service_checks import probe_service
        from ledger.store.inspection import check_apart

        probe_service(home.memory_address)
        if (games := asked.database()) is not None:
            check_apart(home.memory_address, games)
        yield "ok", Message("the service in which the keeper's seat remembers keeps what it answers")
    if home.state.absolute().is_relative_to(home.root.absolute()):
        text = N_(
            "the memory of the keeper's seat is inside {folder}: a backup of that folder would have it, and must not"
        )
        yield "wrong", Message(text, folder=str(home.root))
    secret = asked.passphrase()
    for name in (asked.keeper, asked.judge):
        if name not in home.names():
            yield "ok", Message("{name} will be made at the first start", name=name)
        elif secret is None:
            text = N_("no passphrase is at hand, so what {name} remembers was not looked at")
            yield "warning", Message(text, name=name)
        else:
            with closing(home.memory(home.identity(name, secret))) as memory:
                count = memory.count
            yield "ok", Message("{name}'s memory is here and whole ({count} records)", name=name, count=count)


# --- whom it serves and asks ---------------------------------------------------------------------------------------


def _organizers(asked: ServerConfiguration) -> Found:
    keys = [VerifierKey.parse(text) for text in asked.organizers]
    if len({key.public_bytes for key in keys}) < len(keys):
        yield "warning", Message("an organizer's key is named twice")
    if keys:
        names = ", ".join(key.name for key in keys)
        yield "ok", Message("these may begin events: {names}", names=names)


def _witnesses(asked: ServerConfiguration) -> Found:
    policy = asked.witnesses()
    if policy is not None:
        count = len(witnesses_of(policy))
        yield "ok", Message("witnesses that are asked: {count}", count=count)


def _public(asked: ServerConfiguration) -> Found:
    public = asked.public()
    if public is None:
        return
    named = asked.keeper in asked.home.names()
    check_folder(public.folder, asked.home, asked.home.key(asked.keeper) if named else None)
    if not os.access(public.folder, os.W_OK | os.X_OK):
        yield "wrong", Message("{folder} cannot be written to", folder=str(public.folder))
    else:
        text = N_("closed games of tables whose terms say so are written to {folder}, for {address}")
        yield "ok", Message(text, folder=str(public.folder), address=public.address)


# --- the machine -------------------------------------------------------------------------------------------------


def _descriptors(asked: ServerConfiguration) -> Found:
    try:
        resource = import_module("resource")
    except ImportError:  # Windows has no such bound
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = asked.limits().concurrent
    if hard == resource.RLIM_INFINITY or hard >= wanted + KEPT_FREE:
        yield "ok", Message("there are file descriptors for {count} connections", count=wanted)
    elif hard < FEWEST + KEPT_FREE:
        text = N_("the system allows {hard} file descriptors, and a server needs {least} (ulimit -n, LimitNOFILE)")
        yield "wrong", Message(text, hard=hard, least=FEWEST + KEPT_FREE)
    else:
        text = N_(
            "the system allows {hard} file descriptors, enough for {count} connections; MAX_CONCURRENT is {wanted}"
        )
        yield "warning", Message(text, hard=hard, count=hard - KEPT_FREE, wanted=wanted)


def _clock(asked: ServerConfiguration) -> Found:
    """Check that the clock is not behind the time of the last write, and is kept by NTP."""
    now = datetime.now(UTC)
    newest = max(
        (datetime.fromtimestamp(path.stat().st_mtime, UTC) for path in asked.home.state.glob("*.db*")),
        default=now,
    )
    if newest - now > timedelta(seconds=APART):
        text = N_("the clock is {seconds} seconds behind what the keeper wrote last: it was set back. Set it by NTP")
        yield "wrong", Message(text, seconds=round((newest - now).total_seconds()))
    elif clock_is_disciplined() is False:
        text = N_("the system does not keep its clock by NTP: a wrong time in a log stays there")
        yield "warning", Message(text)
    else:
        yield "ok", Message("the clock says {time}", time=f"{now:%Y-%m-%d %H:%M:%S} UTC")
