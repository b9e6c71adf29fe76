"""Write files atomically, and replace existing ones only on request."""

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from ledger.cli.language import N_
from ledger.cli.output import printable
from ledger.errors import UsageError

__all__ = ["read_bounded", "read_whole", "write_files"]


def write_files(files: Mapping[Path, Callable[[BinaryIO], object]], *, force: bool, secret: bool = False) -> None:
    """Write all of these files, each by its function, or none. Only the owner can read `secret` files.

    Raises UsageError, OSError.
    """
    for path in files:
        _check(path, force)
    parts: dict[Path, str] = {}
    try:
        for path, write in files.items():
            parts[path] = _part(path, write, 0o600 if secret else 0o666 & ~_umask())
        _publish(parts, force=force)
    finally:
        for part in parts.values():
            Path(part).unlink(missing_ok=True)


def read_bounded(path: Path, most: int) -> bytes:
    """Return a file's bytes (`-`: standard input), all of them; of one that is too long one byte more than `most`.

    Raises OSError; NoteError for a pipe or device, which is not waited for.
    """
    from verifier.shell.files import open_regular

    if path == Path("-"):
        return sys.stdin.buffer.read(most + 1)
    with open_regular(path) as stream:
        return stream.read(most + 1)


def read_whole(path: Path, most: int) -> bytes:
    """Return a file's bytes (`-`: standard input), all of them.

    Raises OSError; NoteError for a pipe or device, and for one of more than `most` bytes.
    """
    from verifier.errors import NoteError

    data = read_bounded(path, most)
    if len(data) > most:
        text = N_("{path}: it has more than {most:,} bytes, more than there can be")
        raise NoteError(text, path=printable(path), most=most)
    return data


def _check(path: Path, force: bool) -> None:
    if path.is_dir():
        raise UsageError(f"{printable(path)} is a folder: --out takes the name of a file")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {printable(path.parent)}: make it first, or choose another")
    if path.exists() and not force:
        raise _exists(path)


def _exists(path: Path) -> UsageError:
    return UsageError(f"{printable(path)} exists: choose another name, or replace it with --force")


def _part(path: Path, write: Callable[[BinaryIO], object], mode: int) -> str:
    """Return the content in a file of its own in the same folder, on the disk."""
    descriptor, part = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        Path(part).chmod(mode)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
    return part


def _publish(parts: Mapping[Path, str], *, force: bool) -> None:
    made: list[Path] = []
    try:
        for path, part in parts.items():
            if force:
                Path(part).replace(path)
            else:
                path.hardlink_to(part)
                made.append(path)
    except OSError as error:
        for path in made:
            path.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise _exists(path) from None
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
