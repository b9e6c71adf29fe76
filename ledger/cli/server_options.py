"""Options of commands that serve or keep a server's data, and what is read by them (specs/guide/operating.md)."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.call import Call
from ledger.cli.output import printable
from ledger.cli.passphrase import passphrase
from ledger.errors import UsageError

if TYPE_CHECKING:
    from ledger.server.limits import Limits

__all__ = [
    "KEEPER",
    "Memory",
    "MemoryFile",
    "first_line",
    "memory_address",
    "option",
    "postgres_address",
    "read_limits",
    "secret_of",
]

KEEPER = "keeper"
"""the name of the keeper where nobody gave another"""

_MAX_SECRET = 1_000
"""bytes of a file with a passphrase, or the address of a database"""


def option(flag: str, metavar: str | None, help: str, **more: Any) -> Any:
    """Return an option that an environment variable can set, too."""
    variable = f"ROLLPROOF_{flag.replace('-', '_').upper()}"
    return typer.Option(f"--{flag}", metavar=metavar, envvar=variable, help=help, **more)


Memory = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="URL",
        help="postgresql://… of a separate cluster, for the memory of the keeper's seat (else ROLLPROOF_MEMORY, "
        "else a file on this machine).",
    ),
]
MemoryFile = Annotated[Path | None, option("memory-file", "FILE", "The same in a file's first line.")]


def postgres_address(call: Call, given: str | None, file: Path | None) -> str | None:
    """Return the address of the database; None for SQLite. Raises UsageError, OSError."""
    return _postgres(call, "database", given, file)


def memory_address(call: Call, given: str | None, file: Path | None) -> str | None:
    """Return the address of the seats' memory service; None for files. Raises UsageError, OSError, MissingError."""
    from ledger.distribution.optional_dependencies import needs_extra

    found = _postgres(call, "memory", given, file)
    if found is not None:
        needs_extra("psycopg", extra="postgres")
    return found


def _postgres(call: Call, what: str, given: str | None, file: Path | None) -> str | None:
    """Return the address of a PostgreSQL database: an option's, a file's or the environment's.
    Raises UsageError, OSError.
    """
    from urllib.parse import urlsplit

    from verifier.shell.secrecy import secret_variable

    if given is not None and file is not None:
        raise UsageError(f"--{what} and --{what}-file say the same: give one of them")
    if given is not None and re.search("://[^/@]*:[^/@]*@|password=", given):
        raise UsageError(
            "a password on the command line is shown to everybody on this machine: put the database's address into a "
            f"file that nobody else can read (--{what}-file FILE), or into ROLLPROOF_{what.upper()}"
        )
    found = first_line(call, file) if file is not None else given or secret_variable(f"ROLLPROOF_{what.upper()}")
    try:
        if found is None or urlsplit(found).scheme in ("postgresql", "postgres"):
            return found or None
    except ValueError:
        pass
    raise UsageError(f"--{what} takes the address of a PostgreSQL database: postgresql://…")


def first_line(call: Call, file: Path) -> str:
    """Return the first line of a secret file; warn its owner if others can read it. Raises OSError."""
    from ledger.cli.files import read_bounded
    from verifier.shell.typed import command as shell_command

    data = read_bounded(file, _MAX_SECRET)
    if os.name == "posix" and file != Path("-") and file.stat().st_mode & 0o007:
        advice = shell_command("chmod", "o=", file)
        call.out.note(f"{printable(file)} has a secret in it, and everybody on this machine can read it: {advice}")
    return os.fsdecode(data).partition("\n")[0].rstrip("\r")


def read_limits(path: Path | None) -> "Limits":
    """Return a server's bounds from a file; the usual ones without. Raises UsageError, OSError."""
    import msgspec

    from ledger.cli.files import read_bounded
    from ledger.server.limits import Limits
    from rules.data.text import one_line

    if path is None:
        return Limits()
    try:
        return msgspec.json.decode(read_bounded(path, 65_536), type=Limits)
    except msgspec.MsgspecError as problem:
        raise UsageError(f"{path} has no limits: {one_line(str(problem))}") from None


def secret_of(call: Call, name: str, file: Path | None) -> bytes:
    """Return an identity's passphrase, from a file, the environment, or a prompt. Raises PassphraseError, OSError."""
    return passphrase(name) if file is None else os.fsencode(first_line(call, file))
