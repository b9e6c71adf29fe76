"""What is wrong with a server's configuration, found before it is used: `rollproof serve --check`.

Each check looks, and changes nothing: no identity, folder or table is made, and nobody is asked for a passphrase.
"""

import asyncio
import os
import shutil
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib import import_module
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from ledger.clock import clock_is_disciplined
from ledger.database import reading
from ledger.errors import LedgerError, UsageError
from ledger.home import Home
from ledger.network.public import NotPublicError, resolve
from ledger.optional_dependencies import needs_extra
from ledger.server.connections import FEWEST, KEPT_FREE
from ledger.server.cosigning import witnesses_of
from ledger.server.hall import hall
from ledger.server.limits import Limits
from ledger.server.run import parse_proxies
from ledger.server.webhook import PostingTo
from rules.data.language import N_, Message
from verifier import VerifierError, VerifierKey

__all__ = ["MOUNTS", "Asked", "Finding", "check"]

MOUNTS = Path("/proc/self/mountinfo")
"""where Linux says which file system a folder is on"""

NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "fuse.glusterfs", "fuse.sshfs"}
)
"""file systems that several machines mount: SQLite's locks and its log of writes do not hold there"""

FLEETING = frozenset({"tmpfs", "ramfs"})
"""file systems that are empty after the machine was started again"""

APART = 60
"""seconds by which two clocks may differ"""

EXPIRES_SOON = timedelta(days=14)

MOST_TRUSTED = 1 << 24
"""addresses of one network of proxies: more is everybody"""

DATABASES = ("ledger.db", "tables.db", "anchors.db", "events.db")

CONNECTIONS_OF_ONE = 40
"""connections that one server process may have to PostgreSQL at once"""

GREETED_WITHIN = 10.0
"""seconds for a connection to the place where results are posted"""

Level = Literal["ok", "warning", "wrong"]


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration as it was given. What may raise when it is read is read by its check."""

    home: Home
    keeper: str
    judge: str
    host: str
    port: int
    address: Callable[[], str | None]
    database: Callable[[], str | None]
    limits: Callable[[], Limits]
    witnesses: Callable[[], Any]
    """the policy; None where no witness is asked"""
    passphrase: Callable[[], bytes | None]
    """None where none is at hand"""
    proxies: str
    tls_cert: Path | None
    tls_key: Path | None
    organizers: tuple[str, ...]
    hall: bool
    """there is no internet where it is to serve"""
    posting: Callable[[], PostingTo | None]
    """None where results are posted nowhere"""


class Finding(msgspec.Struct, frozen=True):
    """What one check found."""

    check: str
    level: Level
    problem: Message | Exception
    """in words; an error where looking itself failed"""


Found = Iterator[tuple[Level, Message]]


def check(asked: Asked) -> Iterator[Finding]:
    """Look at everything that a server needs, one thing after the other. An error ends the check that met it alone."""
    checks: tuple[tuple[str, Callable[[Asked], Found]], ...] = (
        ("libraries", _libraries),
        ("limits", _limits),
        ("clock", _clock),  # before the memory is opened, which makes its file newer
        ("permissions", _permissions),
        ("database", _database),
        ("memory", _memory),
        ("room", _room),
        ("port", _port),
        ("address", _address),
        ("tls", _tls),
        ("proxies", _proxies),
        ("organizers", _organizers),
        ("witnesses", _witnesses),
        ("descriptors", _descriptors),
        ("hall", _hall),
        ("webhook", _webhook),
    )
    for name, look in checks:
        try:
            for level, message in look(asked):
                yield Finding(name, level, message)
        except (LedgerError, VerifierError, OSError) as error:
            yield Finding(name, "wrong", error)


def _libraries(asked: Asked) -> Found:
    needs_extra("litestar", "uvicorn", "structlog", "prometheus_client", "PIL", extra="online")
    if asked.database() is not None:
        needs_extra("psycopg", "psycopg_pool", extra="postgres")
    yield "ok", Message("all libraries are here")


def _limits(asked: Asked) -> Found:
    asked.limits()
    yield "ok", Message("the limits can be read")


# --- files -------------------------------------------------------------------------------------------------------


def _permissions(asked: Asked) -> Found:
    """Who else may read or change what the server keeps."""
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
            text = N_("others on this machine can read {file}: make it its owner's alone (chmod 600)")
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
        text = N_("others on this machine can change what is in {folder}: make it its owner's alone (chmod 700)")
        yield "wrong", Message(text, folder=str(folder))
    else:
        yield "ok", Message("{folder} can be written to", folder=str(folder))


def _file_system(folder: Path, what: Message) -> Found:
    """Whether the disk that a folder is on keeps what is written there."""
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
    """The kind of file system that a folder is on; None where the platform does not say so."""
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


def _room(asked: Asked) -> Found:
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


def _database(asked: Asked) -> Found:
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
            "{name} has {setting} off: what it answered can be lost in a crash, and the keeper would stop. Set it on"
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
    from ledger.database import open_to_read

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


def _memory(asked: Asked) -> Found:
    home = asked.home
    if home.memory_address is None:
        yield from _file_system(home.state, Message("what the keeper's seat remembers"))
    else:
        from ledger.seats.memory_service import probe_service
        from ledger.store.inspection import check_apart

        probe_service(home.memory_address)
        if (games := asked.database()) is not None:
            check_apart(home.memory_address, games)
        yield "ok", Message("the service in which the keeper's seat remembers keeps what it answers")
    if home.state.absolute().is_relative_to(home.root.absolute()):
        text = N_("what the keeper's seat remembers is within {folder}: a backup of that folder has it, and must not")
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


# --- how it is reached -------------------------------------------------------------------------------------------


def _port(asked: Asked) -> Found:
    try:
        found = socket.getaddrinfo(asked.host, asked.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise UsageError(f"{asked.host} is no address of this machine: {error.strerror}") from None
    family, kind, protocol, _, place = found[0]
    try:
        with socket.socket(family, kind, protocol) as listening:
            if os.name == "posix":  # as the server does it; on Windows this would take another's port
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(1)
    except PermissionError:
        text = N_("this account may not listen at port {port}: choose one above 1023, behind a proxy")
        yield "wrong", Message(text, port=asked.port)
    except OSError as error:
        text = N_("nobody can listen at {host} port {port}: {problem}")
        yield "wrong", Message(text, host=asked.host, port=asked.port, problem=error.strerror or str(error))
    else:
        yield "ok", Message("{host} port {port} is free", host=asked.host, port=asked.port)


def _address(asked: Asked) -> Found:
    address, has_tls = asked.address(), asked.tls_cert is not None
    parts = urlsplit(address or "")
    if address is None:
        if not _own(asked.host) and not has_tls:
            text = N_(
                "others reach this server at a plain address, where browsers have no cryptography: use a certificate"
            )
            yield "wrong", Message(text)
        else:
            yield "ok", Message("others reach it where it listens")
    elif parts.scheme == "http" and not _own(parts.hostname or ""):
        text = N_("{address} is a plain address, where browsers have no cryptography: others need https")
        yield "wrong", Message(text, address=address)
    elif parts.scheme == "https" and not has_tls and not asked.proxies.strip():
        text = N_("{address} needs a proxy that has the certificate, and no proxy is named")
        yield "wrong", Message(text, address=address)
    elif parts.scheme == "https" and not has_tls and not _own(asked.host) and not _inner(asked.host):
        text = N_(
            "whoever reaches {host} port {port} comes past the proxy, without TLS: listen at 127.0.0.1, or see to a "
            "firewall"
        )
        yield "warning", Message(text, host=asked.host, port=asked.port)
    else:
        yield "ok", Message("others reach it at {address}", address=address)


def _own(host: str) -> bool:
    """Whether an address is reached from the same machine alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _webhook(asked: Asked) -> Found:
    """Whether the place where results are posted can be reached. Nothing is sent there but a TLS greeting."""
    posting = asked.posting()
    if posting is None:
        return
    webhook = posting.webhook
    parts = urlsplit(webhook.url)
    host, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    try:
        asyncio.run(_greet(host, port, secure=secure, private=webhook.private))
    except NotPublicError:
        text = N_("{host}, where results are posted, is at an address of a private network, which nobody has allowed")
        yield "wrong", Message(text, host=host)
    except ssl.SSLError as error:
        problem = getattr(error, "verify_message", "") or error.reason or str(error)
        text = N_("{host}, where results are posted, has no certificate that holds: {problem}")
        yield "wrong", Message(text, host=host, problem=problem)
    except (OSError, TimeoutError) as error:
        text = N_("{host}, where results are posted, cannot be reached: {problem}")
        yield "wrong", Message(text, host=host, problem=error.strerror or str(error) or "timeout")
    else:
        text = N_("results can be posted to {name}; whether it takes them shows with the first")
        yield "ok", Message(text, name=webhook.name)


async def _greet(host: str, port: int, *, secure: bool, private: bool) -> None:
    """Connect as a post would, to the very address that was looked at. Raises NotPublicError, OSError, TimeoutError."""
    address = await resolve(host, port, private=private)
    context = ssl.create_default_context() if secure else None
    async with asyncio.timeout(GREETED_WITHIN):
        named = host if secure else None
        _, writer = await asyncio.open_connection(address, port, ssl=context, server_hostname=named)
    writer.close()


def _inner(host: str) -> bool:
    """Whether an address is one of a private network."""
    try:
        found = ip_address(host)
    except ValueError:
        return False
    return found.is_private and not found.is_unspecified


def _tls(asked: Asked) -> Found:
    cert, key = asked.tls_cert, asked.tls_key
    if cert is None and key is None:
        return
    if cert is None or key is None:
        raise UsageError("a certificate and its key go together")
    if os.name == "posix" and key.stat().st_mode & 0o007:
        text = N_("everybody on this machine can read {file}: make it its owner's alone (chmod 600)")
        yield "wrong", Message(text, file=str(key))
    chain = cert.read_bytes()
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
    except (ssl.SSLError, ValueError) as error:
        problem = getattr(error, "reason", None) or str(error)
        yield "wrong", Message("certificate and key cannot be used together: {problem}", problem=problem)
        return
    yield from _certificate(chain, asked.address())


def _certificate(chain: bytes, address: str | None) -> Found:
    """Whether a certificate is for today, and for the address."""
    from cryptography.x509 import load_pem_x509_certificates

    first = load_pem_x509_certificates(chain)[0]
    now = datetime.now(UTC)
    begins, ends = first.not_valid_before_utc, first.not_valid_after_utc
    until = f"{ends:%Y-%m-%d}"
    if now > ends:
        yield "wrong", Message("the certificate is no longer valid since {date}", date=until)
    elif now < begins:
        yield "wrong", Message("the certificate is not valid before {date}", date=f"{begins:%Y-%m-%d}")
    elif now + EXPIRES_SOON > ends:
        yield "warning", Message("the certificate is valid until {date} only", date=until)
    else:
        yield "ok", Message("the certificate is valid until {date}", date=until)
    host = urlsplit(address or "").hostname
    if host is not None and not _names(first, host):
        yield "wrong", Message("the certificate is not for {host}", host=host)


def _names(certificate: Any, host: str) -> bool:
    """Whether a certificate is for a host (RFC 6125: a star stands for one label, the first)."""
    from cryptography.x509 import DNSName, ExtensionNotFound, IPAddress, SubjectAlternativeName

    try:
        names = certificate.extensions.get_extension_for_class(SubjectAlternativeName).value
    except ExtensionNotFound:
        return False
    try:
        return ip_address(host) in names.get_values_for_type(IPAddress)
    except ValueError:
        pass
    known = {str(name).lower() for name in names.get_values_for_type(DNSName)}
    return host.lower() in known or f"*.{host.partition('.')[2].lower()}" in known


def _hall(asked: Asked) -> Found:
    if asked.hall:
        yield from hall(asked.address(), asked.tls_cert, asked.tls_key)


def _proxies(asked: Asked) -> Found:
    for each in parse_proxies(asked.proxies):
        if ip_network(each).num_addresses > MOST_TRUSTED:
            text = N_(
                "proxies in {network} are believed, which is nearly everybody: whoever comes could claim to be another"
            )
            yield "wrong", Message(text, network=each)
            return
    yield "ok", Message("the addresses of proxies can be read")


def _organizers(asked: Asked) -> Found:
    keys = [VerifierKey.parse(text) for text in asked.organizers]
    if len({key.public_bytes for key in keys}) < len(keys):
        yield "warning", Message("an organizer's key is named twice")
    if keys:
        names = ", ".join(key.name for key in keys)
        yield "ok", Message("these may begin events: {names}", names=names)


def _witnesses(asked: Asked) -> Found:
    policy = asked.witnesses()
    if policy is not None:
        count = len(witnesses_of(policy))
        yield "ok", Message("witnesses that are asked: {count}", count=count)


# --- the machine -------------------------------------------------------------------------------------------------


def _descriptors(asked: Asked) -> Found:
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


def _clock(asked: Asked) -> Found:
    """Whether the machine's clock stands where what was written before says that it was later already."""
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
