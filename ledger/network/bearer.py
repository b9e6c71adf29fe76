"""The token of a request: `Authorization: Bearer` and 64 hexadecimal digits (specs/network.md, "Conventions")."""

import re

__all__ = ["authorization_of", "token_in"]

_BEARER = re.compile(r"Bearer ([0-9a-f]{64})\Z", re.IGNORECASE)


def authorization_of(token: bytes) -> str:
    """Return the header's value for a token of 32 bytes."""
    return f"Bearer {token.hex()}"


def token_in(authorization: str) -> bytes | None:
    """Return the token of 32 bytes in a header's value; None if the value has another form."""
    match = _BEARER.match(authorization)
    return bytes.fromhex(match[1]) if match else None
