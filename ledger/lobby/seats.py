"""Checks of seats at a table before its game: whose they are, and whether they are free."""

from collections.abc import Iterable

from msgspec import UNSET, UnsetType

from ledger.lobby.invitations import invitations_of, is_invited
from ledger.lobby.signatures import check_host, signature_holds
from ledger.lobby.signed import SEAT_LABEL, UNSEAT_LABEL, Invite, LobbyError, LobbySeat, TableTerms, Unseat
from rules.data.language import N_, Message

__all__ = ["check_called", "check_free", "check_seat", "check_unseat"]


def check_seat(terms: TableTerms, seat: LobbySeat, invites: Iterable[Invite] = (), *, latest: bool = False) -> None:
    """Verify that a seat is of this table, signed by its party and by a link of its role, or by the latest link.

    Raises LobbyError.
    """
    if seat.table != terms.id.hex():
        raise LobbyError("table.seat", Message("this is a seat at another table"))
    key = seat.party_key
    invitations = invitations_of(terms, invites, seat.role)
    if not invitations:
        raise LobbyError("table.seat", Message("this table has no link for the role {role}", role=seat.role))
    for other in terms.reserved.values():
        if key.public_bytes == other.public_bytes:
            text = N_("the key of {name} is that of {other}, whom the server runs")
            raise LobbyError("table.seat", Message(text, name=key.name, other=other.name))
    by = [each for each in invitations if is_invited(each, seat)]
    if latest and by and by[-1] != invitations[-1]:
        text = N_(
            "the host has made a new link for the role {role}, and this one seats nobody any more: ask for the new one"
        )
        raise LobbyError("table.seat", Message(text, role=seat.role))
    if not by:
        text = N_("{name} does not have the link for the role {role}: the invitation does not hold")
        raise LobbyError("table.seat", Message(text, name=key.name, role=seat.role))
    if not signature_holds(key.public_bytes, SEAT_LABEL, seat, seat.sig):
        raise LobbyError("table.seat", Message("the signature is not {name}'s", name=key.name))
    if any(key.name == other.name for other in terms.reserved.values()):
        text = N_("{name} is the name of the server's keeper or judge: choose another")
        raise LobbyError("table.name", Message(text, name=key.name))
    for other in terms.reserved.values():
        check_called(seat, other.name, UNSET)


def check_free(seats: Iterable[LobbySeat], seat: LobbySeat) -> bool:
    """Verify that a seat is free; return False if it is taken by this very party. Raises LobbyError."""
    key = seat.party_key
    for other in seats:
        taken = other.party_key
        if (other.key, other.role) == (seat.key, seat.role):
            return False
        if taken.public_bytes == key.public_bytes:
            text = N_("{name} has a seat here already, as {role}")
            raise LobbyError("table.seat", Message(text, name=taken.name, role=other.role))
        if seat.replaces is not UNSET or other.replaces is not UNSET:
            continue  # it takes no name
        if taken.name == key.name:
            text = N_("somebody else is called {name} at this table: choose another name")
            raise LobbyError("table.name", Message(text, name=key.name))
        check_called(seat, taken.name, other.called)
    return True


def check_called(seat: LobbySeat, name: str, called: str | UnsetType) -> None:
    """Verify that a seat's names differ from another party's, by code points. Raises LobbyError."""
    for mine in (seat.name, seat.called):
        if mine is not UNSET and mine in (name, called):
            text = N_("somebody else is called {name} at this table: choose another name")
            raise LobbyError("table.name", Message(text, name=mine))


def check_unseat(terms: TableTerms, unseat: Unseat) -> None:
    """Verify that the host takes somebody out of its table. Raises LobbyError (`table.host`)."""
    check_host(terms, UNSEAT_LABEL, unseat)
