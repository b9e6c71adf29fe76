"""`rollproof unpublish`: the operator takes one published roll down (specs/roll-proof.md)."""

from contextlib import closing
from typing import Annotated
from urllib.parse import urlsplit

import typer

from ledger.cli.app import app, command
from ledger.cli.backup import Database, DatabaseFile
from ledger.cli.call import Call
from ledger.cli.output import printable
from ledger.cli.server_options import postgres_address
from ledger.errors import MissingError, UsageError

__all__: list[str] = []


@command(
    app,
    "unpublish",
    examples=[
        "rollproof unpublish https://dice.example.org/r/2f0c61d2a94be3b7a0d5c1e8f7264b90 --reason 'It insults.'",
    ],
)
def unpublish(
    call: Call,
    roll: Annotated[str, typer.Argument(metavar="ROLL", help="Its link, or the part of it behind /r/.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="The reason, shown to everybody who opens the link.")],
    database: Database = None,
    database_file: DatabaseFile = None,
) -> None:
    """Take one published roll down, as the operator of a server, while it runs.

    All links to this roll say why, and its party cannot publish it here again. The log keeps it.
    """
    import msgspec

    from ledger.server.published import PublishedStore
    from ledger.server.run import tables_storage
    from rules.data.bounds import MAX_TEXT, RequiredText

    _ = call.translate
    found = urlsplit(roll).path.removesuffix("/card.png").rpartition("/")[2]
    try:
        said = msgspec.convert(reason.strip(), RequiredText)
    except msgspec.ValidationError:
        text = f"a reason has 1 to {MAX_TEXT} characters, all of them visible: say in a few words why"
        raise UsageError(text) from None
    url, ended = postgres_address(call, database, database_file), []
    if url is not None or (call.home.root / "tables.db").exists():  # no server was here: none is made
        with closing(tables_storage(call.home, url)) as storage:
            ended = PublishedStore(storage).take_down(found, said)
    if not ended:
        raise MissingError(f"no roll is published here as {printable(found)}: its link may have been taken back")
    if call.out.json:
        call.out.value({"reason": said, "rolls": ended})
        return
    text = _("Taken down. Anybody who opens a link to this roll reads: {reason} (links: {count})")
    call.out.say(text.format(reason=printable(said), count=len(ended)))
