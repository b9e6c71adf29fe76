"""`rollproof backup`, `rollproof restore`: back up and restore a server's data (specs/guide/operating.md)."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from ledger.cli.app import app, command
from ledger.cli.call import Call
from ledger.cli.output import printable
from ledger.cli.server_options import KEEPER, Memory, MemoryFile, memory_address, option, postgres_address, secret_of
from ledger.errors import MemoryLostError, RestoreError

if TYPE_CHECKING:
    from ledger.server.backup import Backup, BackupManifest
    from ledger.store.contents import Lacking

_MOST = 5
"""games that are named one by one"""

Database = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", help="postgresql://… of the games (else ROLLPROOF_DATABASE, else SQLite)."
    ),
]
DatabaseFile = Annotated[Path | None, option("database-file", "FILE", "The same in a file's first line.")]


@command(
    app,
    "backup",
    examples=["rollproof backup monday.rollproof", "rollproof backup monday.rollproof --database-file database.txt"],
    reads=True,
)
def backup(
    call: Call,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup; what is sealed in it stays sealed.")],
    database: Database = None,
    database_file: DatabaseFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Save all that a server keeps, while it runs: games, tables, the log of closed games, identities.

    The memory of seats is left out: an old memory that is put back would make a keeper sign twice.
    """
    _ = call.translate
    from ledger.cli.files import write_files
    from ledger.game.times import utc_now
    from ledger.server.backup import write_backup

    made: list[BackupManifest] = []

    def write(stream: BinaryIO) -> None:
        url = postgres_address(call, database, database_file)
        made.append(write_backup(call.home, url, stream, utc_now(), file.absolute().parent))

    write_files({file: write}, force=force, secret=True)
    games, names = len(made[0].contents.games), call.home.names()
    if call.out.json:
        call.out.value({"file": str(file), "made": made[0].made, "games": games, "identities": names})
        return
    text = _("Backup of {time} in {file}: games {games}, identities {names}. What seats remember is not in it.")
    call.out.say(text.format(file=printable(file), games=games, names=", ".join(names), time=made[0].made))


@command(
    app,
    "restore",
    examples=["rollproof restore monday.rollproof", "rollproof restore monday.rollproof --behind"],
)
def restore(
    call: Call,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    database: Database = None,
    database_file: DatabaseFile = None,
    keeper: Annotated[str, option("keeper", "NAME", "The keeper's identity.")] = KEEPER,
    passphrase_file: Annotated[
        Path | None, option("passphrase-file", "FILE", "The keeper's passphrase, in a file's first line.")
    ] = None,
    memory: Memory = None,
    memory_file: MemoryFile = None,
    behind: Annotated[
        bool,
        typer.Option(
            "--behind",
            help="Restore even if the keeper has signed more than the backup has; it waits for the missing lines.",
        ),
    ] = False,
) -> None:
    """Restore a backup, while no server runs: all of it, or nothing.

    This is refused if there is more here than in the backup. If the keeper remembers more than the backup has, --behind
    is needed: the keeper signs nothing in those games until one of the players' programs has brought what is missing.
    """
    from ledger.server.backup import open_backup, put_back

    url = postgres_address(call, database, database_file)
    call.home = call.home.remembering(memory_address(call, memory, memory_file))
    call.home.root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_backup(file, call.home.root) as found:
        waits, lost = _looked_at(call, found, keeper, secret_of(call, keeper, passphrase_file))
        if waits and not behind:
            text = call.translate(
                "the keeper has signed more than this backup has ({what}). With --behind it is restored "
                "nevertheless, and the keeper signs nothing there until one of the players' programs has sent "
                "what is missing"
            )
            raise RestoreError(text.format(what=_listed(call, waits)))
        came = put_back(found, call.home, url)
        manifest = found.manifest
    if call.out.json:
        rows = [{"what": each.what, "id": each.id, "here": each.here, "there": each.there} for each in waits]
        summary = {"made": manifest.made, "games": len(manifest.contents.games), "identities": came}
        call.out.value({**summary, "waits_for": rows, "memory": lost is None})
        return
    _say(call, manifest, waits, lost)


def _looked_at(
    call: Call, found: "Backup", keeper: str, secret: bytes
) -> "tuple[list[Lacking], MemoryLostError | None]":
    """Return what the keeper's memory has and the backup lacks, or the error if there is no memory here."""
    from ledger.home import Home
    from ledger.server.waiting import remembered_contents

    here = call.home if keeper in call.home.names() else Home(found.folder, call.home.state, call.home.memory_address)
    identity = here.identity(keeper, secret)
    try:
        with closing(here.memory(identity)) as memory:
            records = memory.records()
    except MemoryLostError as error:
        return [], error
    return list(found.manifest.contents.lacks(remembered_contents(records, identity.key))), None


def _say(call: Call, manifest: "BackupManifest", waits: "list[Lacking]", lost: MemoryLostError | None) -> None:
    from ledger.cli.failures import failure_text

    _ = call.translate
    text = _("Put back as of {time}: games {games}. What was deleted since then is here again too.")
    call.out.say(text.format(games=len(manifest.contents.games), time=manifest.made))
    if waits:
        text = _("The keeper waits, and signs nothing there until it gets what is missing: {what}.")
        call.out.say(text.format(what=_listed(call, waits)))
    if lost is not None:
        call.out.note(failure_text(lost, _) or str(lost))


def _listed(call: Call, waits: "list[Lacking]") -> str:
    from ledger.server.backup import in_words

    summary = [in_words(each).message(call.translate) for each in waits[:_MOST]]
    more = len(waits) - _MOST
    return "; ".join(summary) + (call.translate(", and {count} more").format(count=more) if more > 0 else "")
