"""Back up and restore a server's data (specs/guide/operating.md).

A backup is a tar file: `manifest.json` first, which has the size and SHA-256 of every other member; `identities/…`, the
sealed keys; and the databases, of SQLite `sqlite/NAME`, of PostgreSQL `postgres/TABLE` as COPY writes it. What seats
remember is in none: put back, it would make a keeper sign twice.
"""

import hashlib
import io
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Literal

import msgspec
from msgspec import Struct

from ledger.distribution.optional_dependencies import needs_extra
from ledger.errors import MissingError, RestoreError, StoreError, UsageError
from ledger.home import Home
from ledger.store.contents import FILES, Contents, Lacking, contents_of_files
from ledger.store.copying import copy_files, put_files_back
from rules.data.language import N_, Message
from rules.data.text import one_line

__all__ = ["Backup", "BackupManifest", "contents_here", "in_words", "open_backup", "put_back", "write_backup"]

_MANIFEST = "manifest.json"
_MAX_MANIFEST = 64 << 20
_PIECE = 1 << 20
_OF_IDENTITY = ("key.json", "key.txt", "memory")
"""the files of an identity that are kept: its sealed key, its public one, and the count of its memory's records"""


class BackupMember(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a backup."""

    size: int
    sha256: str


class BackupManifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a backup."""

    format: Literal["rollproof/backup/v1"]
    made: str
    """the time, in the format of logs"""
    kind: Literal["sqlite", "postgres"]
    contents: Contents
    members: Mapping[str, BackupMember]
    tables: Mapping[str, list[str]] = {}
    """of PostgreSQL: columns by table"""


class Backup(Struct, frozen=True):
    """A backup that was read and checked, unpacked in a folder."""

    manifest: BackupManifest
    folder: Path


def write_backup(home: Home, database: str | None, out: BinaryIO, made: str, beside: Path) -> BackupManifest:
    """Write a backup of a home, and of the PostgreSQL database of its games, while they are in use.

    `beside` is a folder with room for a copy of it all. Raises StoreError, MissingError where there is nothing.
    """
    with TemporaryDirectory(prefix=".rollproof-", dir=beside) as made_here:
        folder = Path(made_here)
        tables: Mapping[str, list[str]] = {}
        for name in home.names():
            _copy_identity(home, name, folder)
        if database is None:
            (folder / "sqlite").mkdir()
            if not copy_files(home.root, folder / "sqlite"):
                raise MissingError(f"there are no games in {home.root}")
            contents = contents_of_files(folder / "sqlite")
        else:
            needs_extra("psycopg", "psycopg_pool", extra="postgres")
            from ledger.store.postgres_copying import copy_tables

            (folder / "postgres").mkdir()
            tables, contents = copy_tables(database, folder / "postgres")
            if not tables:
                raise MissingError("there are no games in this database")
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        members = {path.relative_to(folder).as_posix(): _member(path) for path in files}
        kind: Literal["sqlite", "postgres"] = "sqlite" if database is None else "postgres"
        manifest = BackupManifest("rollproof/backup/v1", made, kind, contents, members, tables)
        with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
            _add(archive, _MANIFEST, io.BytesIO(encoded := msgspec.json.encode(manifest)), len(encoded))
            for name, member in members.items():
                with (folder / name).open("rb") as stream:
                    _add(archive, name, stream, member.size)
        return manifest


def _copy_identity(home: Home, name: str, folder: Path) -> None:
    source, copy = home.root / "identities" / name, folder / "identities" / name
    copy.mkdir(parents=True)
    for each in _OF_IDENTITY:
        if (source / each).exists():
            (copy / each).write_bytes((source / each).read_bytes())


def _add(archive: tarfile.TarFile, name: str, stream: BinaryIO, size: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    archive.addfile(entry, stream)


def _member(path: Path) -> BackupMember:
    with path.open("rb") as stream:
        return BackupMember(path.stat().st_size, hashlib.file_digest(stream, "sha256").hexdigest())


@contextmanager
def open_backup(file: Path, beside: Path) -> Iterator[Backup]:
    """Unpack a backup into a folder within `beside`, until the end of the block; every byte of it is checked.

    Raises MissingError where it is none, or is damaged.
    """
    with TemporaryDirectory(prefix=".rollproof-", dir=beside) as folder:
        try:
            with tarfile.open(file, mode="r:") as archive:
                manifest = _read_manifest(archive)
                for entry in archive:
                    _unpack(archive, entry, manifest, Path(folder))
        except (tarfile.TarError, msgspec.MsgspecError, EOFError) as error:
            raise MissingError(f"{file} is no backup, or is damaged: {one_line(str(error))}") from None
        missing = [name for name in manifest.members if not (Path(folder) / name).exists()]
        if missing:
            raise MissingError(f"{file} is damaged: it lacks {missing[0]}")
        yield Backup(manifest, Path(folder))


def _read_manifest(archive: tarfile.TarFile) -> BackupManifest:
    entry = archive.next()
    if entry is None or entry.name != _MANIFEST or entry.size > _MAX_MANIFEST:
        raise tarfile.TarError("it does not begin with its manifest")
    stream = archive.extractfile(entry)
    if stream is None:
        raise tarfile.TarError("its manifest is no file")
    return msgspec.json.decode(stream.read(), type=BackupManifest)


def _unpack(archive: tarfile.TarFile, entry: tarfile.TarInfo, manifest: BackupManifest, folder: Path) -> None:
    """Write one member that the manifest names, if its path is allowed in a backup."""
    if entry.name == _MANIFEST:
        return
    expected, parts = manifest.members.get(entry.name), entry.name.split("/")
    stream = archive.extractfile(entry) if entry.isfile() else None
    if expected is None or stream is None or entry.size != expected.size or not _is_place(parts, manifest):
        raise tarfile.TarError(f"{entry.name!r} is not what its manifest says")
    path, digest = folder.joinpath(*parts), hashlib.sha256()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("xb") as out:
        path.chmod(0o600)
        while piece := stream.read(_PIECE):
            digest.update(piece)
            out.write(piece)
    if digest.hexdigest() != expected.sha256:
        raise tarfile.TarError(f"{entry.name} has other bytes than its manifest says")


def _is_place(parts: list[str], manifest: BackupManifest) -> bool:
    """Return True if a member's path is allowed: names become parts of paths, so no others may."""
    from verifier.log.identity import valid_name

    match parts:
        case ["identities", name, file]:
            return valid_name(name) and file in _OF_IDENTITY
        case ["sqlite", file]:
            return manifest.kind == "sqlite" and file in FILES
        case ["postgres", table]:
            return manifest.kind == "postgres" and table in manifest.tables and table.replace("_", "").isalnum()
    return False


def contents_here(home: Home, database: str | None) -> Contents:
    """Return the contents of the home that a backup would replace. Raises StoreError."""
    if database is None:
        return contents_of_files(home.root)
    needs_extra("psycopg", "psycopg_pool", extra="postgres")
    from ledger.store.postgres_copying import postgres_contents

    return postgres_contents(database)


def put_back(backup: Backup, home: Home, database: str | None) -> list[str]:
    """Restore a backup to a home and its database; return the names of the restored identities.

    Existing identities are not changed. Raises RestoreError if a server runs, or the home has more than the backup;
    UsageError if the backup is of another kind of database; StoreError.
    """
    manifest = backup.manifest
    if (manifest.kind == "sqlite") != (database is None):
        other = "PostgreSQL: name its database" if database is None else "SQLite: name no database"
        raise UsageError(f"the backup is of games in {other}")
    more = next(manifest.contents.lacks(contents_here(home, database)), None)
    if more is not None:
        raise RestoreError(Message(_AHEAD[manifest.kind], what=in_words(more)))
    came = sorted((backup.folder / "identities").glob("*"))
    new = [folder for folder in came if _is_new(folder, home)]
    if database is None:
        put_files_back(backup.folder / "sqlite", home.root)
    else:
        _put_tables_back(backup, database)
    for folder in new:
        _put_identity(folder, home)
    return [folder.name for folder in new]


_AHEAD = {
    "sqlite": N_(
        "there is more here than in the backup ({what}): if you give that up, first move ledger.db and the files "
        "beside it away"
    ),
    "postgres": N_("there is more here than in the backup ({what}): if you give that up, restore into a new database"),
}


def in_words(more: Lacking) -> Message:
    """Describe something that one store lacks and another has."""
    match more.what:
        case "game" if not more.there:
            return Message("game {game} was deleted", game=more.id[:12])
        case "game":
            return Message("game {game}: {here} of {there} lines", game=more.id[:12], here=more.here, there=more.there)
        case "event":
            text = N_("event {event}: {here} of {there} lines")
            return Message(text, event=more.id[:12], here=more.here, there=more.there)
    return Message("the log of closed games: {here} of {there} entries", here=more.here, there=more.there)


def _is_new(source: Path, home: Home) -> bool:
    """Return True if the home lacks an identity of a backup. Raises RestoreError if it has another key of that name."""
    here = home.root / "identities" / source.name
    if not here.exists():
        return True
    if (here / "key.txt").read_bytes() != (source / "key.txt").read_bytes():
        text = N_("{name} is another identity here, with another key: move {folder} away first")
        raise RestoreError(Message(text, name=source.name, folder=str(here)))
    return False


def _put_identity(source: Path, home: Home) -> None:
    here = home.root / "identities" / source.name
    try:
        here.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (source / "key.txt").chmod(0o644)
        source.rename(here)
    except OSError as error:
        raise StoreError(f"{here} cannot be written: {error.strerror}") from None


def _put_tables_back(backup: Backup, database: str) -> None:
    from contextlib import closing

    from ledger.server.event_cosigned import EventCosignatures
    from ledger.server.event_tokens import EventTokenStore
    from ledger.server.published import PublishedStore
    from ledger.server.tables import Tables
    from ledger.store.event_logs import EventLogs
    from ledger.store.ledger import Ledger
    from ledger.store.postgres import PostgresStorage
    from ledger.store.postgres_copying import put_tables_back
    from ledger.transparency.anchors import create_anchors

    with closing(PostgresStorage(database)) as storage:  # as a server makes them
        Ledger(storage)
        Tables(storage)
        create_anchors(storage)
        EventLogs(storage)
        EventTokenStore(storage)
        EventCosignatures(storage)
        PublishedStore(storage)
    put_tables_back(database, backup.folder / "postgres", backup.manifest.tables, backup.manifest.contents)
