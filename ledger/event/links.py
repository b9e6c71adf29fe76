"""Links to an event on a server (specs/event.md, "At a server")."""

import re
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import Struct

from ledger.errors import UsageError
from ledger.event.acts import claim_secret
from ledger.lobby.addresses import AddressError, server_address

__all__ = ["EventLink", "code_token", "parse_event_link"]

_TOKEN_INFO = b"rollproof/v1/token\n"
_LINK = re.compile(r"(https?://[^\s#?]+?)/e/([0-9a-f]{64})(?:#(wall\.)?([A-Za-z0-9_-]{43}))?")


class EventLink(Struct, frozen=True):
    """The address of an event on a server. Without a code it opens what everybody may read; a code is a secret."""

    address: str
    """the server's address, without a slash at the end"""
    event: bytes
    code: str | None = None
    """a player's claim code, or the code of the wall display"""
    wall: bool = False

    def __str__(self) -> str:
        behind = "" if self.code is None else f"#{'wall.' if self.wall else ''}{self.code}"
        return f"{self.address}/e/{self.event.hex()}{behind}"

    @property
    def token(self) -> bytes | None:
        """The 32 bytes that are sent to the server in place of the code; None without a code."""
        return None if self.code is None else code_token(self.code)


def code_token(code: str) -> bytes:
    """Return the token that is derived from a code. Raises UsageError if the code is not one."""
    derived: Any = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=_TOKEN_INFO).derive(claim_secret(code))
    return bytes(derived)


def parse_event_link(text: str) -> EventLink:
    """Read a link. Raises UsageError if the text is not one."""
    found = _LINK.fullmatch(text.strip())
    if found is None:
        raise UsageError("this is no link to an event: it has the form ADDRESS/e/EVENT or ADDRESS/e/EVENT#CODE")
    address, event, wall, code = found.groups()
    try:
        link = EventLink(server_address(address), bytes.fromhex(event), code, wall is not None)
    except AddressError as error:
        raise UsageError(error.problem) from None
    if code is not None:
        claim_secret(code)
    return link
