"""Before a table's game, for its host: `rollproof unseat`, `rollproof link` (specs/network.md, "The table")."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import app as main_app
from ledger.cli.app import command
from ledger.cli.call import Call
from ledger.cli.online import TableArgument, remote_of
from ledger.cli.parties import identity_of
from ledger.cli.table_terms import tell_seats
from ledger.errors import UsageError

if TYPE_CHECKING:
    from ledger.lobby import InvitedRole, Link
    from ledger.seats.identity import Identity

__all__: list[str] = []


@command(main_app, "unseat", signed=True, examples=["rollproof unseat 7d0c mallory --as alice"])
def unseat(
    call: Call,
    table: TableArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name at the seat.", show_default=False)],
) -> None:
    """Take somebody out of a table before its game, as its host.

    That key can no longer take a seat at this table. Anybody with the link can sit down with another key, so make a new
    link too, with `rollproof link`.
    """
    from ledger.client.tables import look, take_out

    _, (connection, link, me) = call.translate, _at(call, table)
    call.remoted.run(take_out(connection, link, me, name))
    if call.out.json:
        call.out.value({"table": link.table.hex(), "unseated": name})
        return
    call.out.say(_("{name} has no seat at this table any more, and takes none with the same key.").format(name=name))
    tell_seats(call, call.remoted.run(look(connection, link)))


@command(
    main_app, "link", signed=True, examples=["rollproof link 7d0c --as alice", "rollproof link 7d0c judge --as alice"]
)
def link(
    call: Call,
    table: TableArgument,
    role: Annotated[
        str, typer.Argument(metavar="ROLE", help="The link's role: player, gm, judge, witness, spectator.")
    ] = ("player"),
) -> None:
    """Make a new link to a table, which ends the one before, as its host.

    Nobody can sit down by the old link any more. People who sat down by it keep their seats; `rollproof unseat` takes
    one away.
    """
    from ledger.client.tables import new_link
    from ledger.lobby import INVITED

    _, (connection, known, me) = call.translate, _at(call, table)
    wanted: InvitedRole | None = next((each for each in INVITED if each == role), None)
    if wanted is None:
        raise UsageError(f"there is no role {role}: a link is for {', '.join(INVITED)}")
    made = call.remoted.run(new_link(connection, call.remoted.remotes, known, me, wanted))
    if call.out.json:
        call.out.value({"table": made.table.hex(), "role": role, "link": str(made)})
        return
    call.out.say(_("The new link, role {role}; the one before seats nobody any more:").format(role=_(role)))
    call.out.line(f"  {made}")


def _at(call: Call, table: str) -> "tuple[Any, Link, Identity]":
    """Return the way to a table's server, a link of the table, and its host."""
    from ledger.client.tables import link_of

    remote, me = remote_of(call, table), identity_of(call)
    found = link_of(remote, "player")
    return call.remoted.connect(remote.address, found.token), found, me
