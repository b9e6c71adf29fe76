"""Checks of requests by those who are at a table already: to read its game, to close it, to delete it."""

from collections.abc import Iterable

from ledger.lobby.signatures import check_host, signature_holds
from ledger.lobby.signed import ACCESS_LABEL, CLOSE_LABEL, DELETE_LABEL, Access, Closing, Delete, LobbyError, TableTerms
from ledger.lobby.times import MAX_CLOCK_SKEW, time_between
from rules.data.language import N_, Message
from verifier import VerifierKey

__all__ = ["check_access", "check_closing", "check_delete"]


def check_access(keys: Iterable[VerifierKey], game: bytes, access: Access, now: str) -> None:
    """Verify that one of these keys asks to read a game. Raises LobbyError (`not-found`, `access.time`)."""
    own = (key.public_bytes for key in keys if key.name == access.party)
    if access.game != game.hex() or not any(signature_holds(key, ACCESS_LABEL, access, access.sig) for key in own):
        raise LobbyError("not-found", Message("there is no such thing here, or no access to it"))
    if time_between(access.time, now) > MAX_CLOCK_SKEW:
        text = N_("this was signed at {time}, and the clock here says {now}: set the clock right")
        raise LobbyError("access.time", Message(text, time=access.time, now=now))


def check_delete(terms: TableTerms, delete: Delete) -> None:
    """Verify that the host wants its table deleted. Raises LobbyError (`table.host`)."""
    check_host(terms, DELETE_LABEL, delete)


def check_closing(terms: TableTerms, game: bytes, closing: Closing) -> None:
    """Verify that the host wants this game of its table closed. Raises LobbyError (`table.host`)."""
    if closing.game != game.hex():
        raise LobbyError("table.host", Message("this was signed for another game"))
    check_host(terms, CLOSE_LABEL, closing)
