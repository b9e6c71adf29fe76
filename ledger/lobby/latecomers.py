"""Checks of seats in a game that has begun, and of the host's word for them (specs/protocol.md)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import UNSET, UnsetType

from ledger.lobby.seats import check_called
from ledger.lobby.signatures import signature_holds
from ledger.lobby.signed import AdmitWord, LobbyError, LobbySeat, TableTerms
from rules import Role
from rules.base import given
from rules.data.language import N_, Message
from verifier import Replay, VerifierKey
from verifier.log.format import ADMIT_LABEL
from verifier.log.identity import looks_alike
from verifier.log.terms import Terms

__all__ = ["asking", "check_admit", "check_asks", "check_newcomer"]


def asking(seats: Iterable[LobbySeat], terms: Terms) -> list[LobbySeat]:
    """Return the seats of those who are no party of the game with these terms, and wait for the host to let them in."""
    return [seat for seat in seats if seat.replaces is UNSET and terms.owner_of(seat.party_key.public_bytes) is None]


def check_asks(
    terms: TableTerms,
    seat: LobbySeat,
    parties: Mapping[str, VerifierKey],
    called: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Verify that a game with these parties, who are `called` so, could take in a seat later.

    Raises LobbyError.
    """
    name, key = seat.name, seat.party_key
    if seat.role not in given(terms.admits, ()):
        text = N_("the game has begun without {name}, and no {role} comes later")
        raise LobbyError("table.started", Message(text, name=name, role=seat.role))
    for other in parties.values():
        if key.public_bytes == other.public_bytes:
            raise LobbyError(
                "table.seat", Message("{name} plays here already, as {other}", name=name, other=other.name)
            )
        if name == other.name:
            text = N_("somebody else is called {name} at this table: choose another name")
            raise LobbyError("table.name", Message(text, name=name))
        if looks_alike(name, other.name):
            text = N_("{name} looks like {other}, who plays here: choose another name")
            raise LobbyError("table.name", Message(text, name=name, other=other.name))
        check_called(seat, other.name, called.get(other.name, UNSET))


def check_admit(terms: TableTerms, game: bytes, word: AdmitWord) -> None:
    """Verify that the host lets somebody into this game of its table. Raises LobbyError (`table.host`)."""
    if word.game != game.hex():
        raise LobbyError("table.host", Message("this was signed for another game"))
    if not signature_holds(terms.host_key.public_bytes, ADMIT_LABEL, word, word.sig):
        raise LobbyError("table.host", Message("the signature is not {host}'s, the host's", host=terms.host_key.name))


def check_newcomer(replay: Replay, key: VerifierKey, role: Role, called: str | UnsetType = UNSET) -> bool:
    """Verify that the host has let this key in, in this role and called so; return False if nobody has yet.

    Raises LobbyError (`table.opened`) where the keeper did alone, or otherwise.
    """
    name = key.name
    known = replay.terms.keys.get(name)
    if known is None:
        return False
    late = replay.conduct.late.get(name)
    if str(known) != str(key) or replay.terms.roles[name] != role or replay.terms.called.get(name, UNSET) != called:
        text = N_("the server let in another {name} than the one who asked")
        raise LobbyError("table.opened", Message(text, name=name))
    if late is not None and not late.by_host:
        text = N_("the server let {name} in without the host's word: nothing was signed. Ask the host")
        raise LobbyError("table.opened", Message(text, name=name))
    return True
