"""A stand-in for `cryptography` in a browser, as far as the verifier uses it: the page checks the signatures.

A signature that the page has not checked yet is assumed to be valid, and recorded. A report is valid only when the
page has checked all recorded signatures; if one is invalid, the page tells so by `learn`, and asks again.
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
    """An invalid signature."""


class UnsupportedAlgorithm(Exception):
    """The browser lacks the algorithm."""


class _PublicKey:
    def __init__(self, data: bytes) -> None:
        self._data = bytes(data)

    @classmethod
    def from_public_bytes(cls, data: bytes) -> "_PublicKey":
        """Return a key, unchecked."""
        return cls(data)

    def verify(self, signature: bytes, message: bytes) -> None:
        """Record the signature to be checked. Raises InvalidSignature if the page found it invalid."""
        question = self._data, bytes(signature), bytes(message)
        holds = _known.get(question)
        if holds is None:
            _asked[question] = None
        elif not holds:
            raise InvalidSignature


class _MlDsaKey(_PublicKey):
    @classmethod
    def from_public_bytes(cls, data: bytes) -> "_PublicKey":
        """Return a key. Raises UnsupportedAlgorithm if the browser lacks the algorithm."""
        if not _mldsa:
            raise UnsupportedAlgorithm
        return cls(data)


def install() -> None:
    """Replace `cryptography` by this module; call it before the verifier is imported."""
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
    """Set whether the browser has ML-DSA-44; call it before the first log."""
    global _mldsa
    _mldsa = available


def take_asked() -> list[Question]:
    """Return the signatures that were assumed to be valid since the last call."""
    asked = list(_asked)
    _asked.clear()
    return asked


def learn(question: Question, holds: bool) -> None:
    """Record the browser's result for a signature."""
    _known[question] = holds
