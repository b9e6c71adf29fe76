"""`cryptography`, as far as the verifier uses it, in a browser: whether a signature holds is for the page to say.

Each signature that the page has not been asked about is taken to hold, and noted. Whoever asks for a report has to have
what was noted checked, and if one does not hold, to ask again.
"""

import sys
from types import ModuleType
from typing import Any

__all__ = ["Question", "install", "learn", "set_mldsa", "take_asked"]

Question = tuple[bytes, bytes, bytes]
"""public key, signature, message"""

_known: dict[Question, bool] = {}
_asked: dict[Question, None] = {}
_mldsa = False


class InvalidSignature(Exception):
    """A signature does not hold."""


class UnsupportedAlgorithm(Exception):
    """The browser has not the algorithm."""


class _PublicKey:
    def __init__(self, data: bytes) -> None:
        self._data = bytes(data)

    @classmethod
    def from_public_bytes(cls, data: bytes) -> "_PublicKey":
        """A key, of which nothing is checked yet."""
        return cls(data)

    def verify(self, signature: bytes, message: bytes) -> None:
        """Raises InvalidSignature."""
        question = self._data, bytes(signature), bytes(message)
        holds = _known.get(question)
        if holds is None:
            _asked[question] = None
        elif not holds:
            raise InvalidSignature


class _MlDsaKey(_PublicKey):
    @classmethod
    def from_public_bytes(cls, data: bytes) -> "_PublicKey":
        """Raises UnsupportedAlgorithm where the browser has not the algorithm."""
        if not _mldsa:
            raise UnsupportedAlgorithm
        return cls(data)


def install() -> None:
    """Put this in the place of `cryptography`, before the verifier is imported."""
    asymmetric = "cryptography.hazmat.primitives.asymmetric"
    _module("cryptography")
    _module("cryptography.exceptions", InvalidSignature=InvalidSignature, UnsupportedAlgorithm=UnsupportedAlgorithm)
    _module("cryptography.hazmat")
    _module("cryptography.hazmat.primitives")
    mldsa = _module(f"{asymmetric}.mldsa", MLDSA44PublicKey=_MlDsaKey)
    ed25519 = _module(f"{asymmetric}.ed25519", Ed25519PublicKey=_PublicKey)
    _module(asymmetric, mldsa=mldsa, ed25519=ed25519)


def _module(name: str, **members: Any) -> ModuleType:
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(members)
    return module


def set_mldsa(available: bool) -> None:
    """Say whether the browser has ML-DSA-44; before the first log."""
    global _mldsa
    _mldsa = available


def take_asked() -> list[Question]:
    """The signatures that were taken to hold since the last call."""
    asked = list(_asked)
    _asked.clear()
    return asked


def learn(question: Question, holds: bool) -> None:
    """Note what the browser says of a signature."""
    _known[question] = holds
