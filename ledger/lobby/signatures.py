"""Checks of signatures that several messages share: the host's, and those of the terms."""

from ledger.lobby.signed import TABLE_LABEL, Closing, Delete, Invite, LobbyError, Signed, Start, TableTerms, Unseat
from rules.data.language import Message
from verifier.log.identity import holds

__all__ = ["check_host", "check_signed", "signature_holds"]


def signature_holds(key: bytes, label: bytes, what: Signed, sig: str) -> bool:
    """Return True if a signature (hex) under a message with this label holds for a public key (32 bytes)."""
    return holds(key, bytes.fromhex(sig), what.message(label))


def check_host(terms: TableTerms, label: bytes, what: Start | Delete | Closing | Unseat | Invite) -> None:
    """Verify that the host signed a message, for this table. Raises LobbyError (`table.host`)."""
    if what.table != terms.id.hex():
        raise LobbyError("table.host", Message("this was signed for another table"))
    if not signature_holds(terms.host_key.public_bytes, label, what, what.sig):
        raise LobbyError("table.host", Message("the signature is not {host}'s, the host's", host=terms.host_key.name))


def check_signed(terms: TableTerms) -> None:
    """Verify the host's signature under these terms. Raises LobbyError (`table.terms`)."""
    if not signature_holds(terms.host_key.public_bytes, TABLE_LABEL, terms, terms.sig):
        raise LobbyError("table.terms", Message("the signature is not {host}'s, the host's", host=terms.host_key.name))
