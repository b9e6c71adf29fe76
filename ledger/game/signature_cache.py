"""A signature that this program has found to hold is not checked by it a second time (specs/seats.md).

An opening is looked at by the store that takes it, by the seat that gives a receipt for it, by the seat that reveals,
and by the store again, in the reveal.
"""

import hashlib
from threading import Lock

from verifier.log.signatures import SignatureCheck, verify_now

__all__ = ["verify_once"]

MOST = 8_192
"""signatures that are remembered"""

_adding = Lock()
_held: dict[bytes, None] = {}
"""hashes of key, signature and message; the oldest first"""


def verify_once(check: SignatureCheck) -> None:
    """Check a signature, unless it held before. Raises its Failure. Any thread may call it."""
    lengths = bytes([len(check.public_key), len(check.signature)])
    known = hashlib.sha256(lengths + check.public_key + check.signature + check.message).digest()
    if known in _held:
        return
    verify_now(check)
    with _adding:
        _held[known] = None
        if len(_held) > MOST:
            del _held[next(iter(_held))]
