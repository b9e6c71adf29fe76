"""One roll that a server keeps for others to see: what its party signs (specs/roll-proof.md)."""

import hashlib
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ledger.lobby.signed import LobbyError, Signed, parse_signed
from ledger.lobby.signing import UNSIGNED, Signer
from rules.data.bounds import Count, Name
from rules.data.language import Message
from verifier import VerifierKey
from verifier.log.bodies import Hex32, Hex64
from verifier.log.identity import holds

__all__ = [
    "PUBLISH_LABEL",
    "REVOKE_LABEL",
    "Publish",
    "Revoke",
    "RollId",
    "check_published",
    "new_publish",
    "new_revoke",
    "parse_publish",
    "parse_revoke",
]

PUBLISH_LABEL = b"rollproof/v1/publish\n"
REVOKE_LABEL = b"rollproof/v1/revoke\n"

RollId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
"""of what was published, in hex"""


class Publish(Signed, frozen=True):
    """A request to show one roll to all holders of its link, signed by the party that asked for the roll."""

    format: Literal["rollproof/publish/v1"]
    game: Hex32
    names: bool
    """whether a page shows the names of the parties"""
    nonce: Hex32
    party: Name
    request: Count
    sig: Hex64

    @property
    def id(self) -> str:
        """The identifier in its link: 16 bytes of SHA-256, hex."""
        return hashlib.sha256(bytes(self)).digest()[:16].hex()


class Revoke(Signed, frozen=True):
    """The end of such a link: signed by the party that published the roll."""

    format: Literal["rollproof/revoke/v1"]
    game: Hex32
    party: Name
    roll: RollId
    sig: Hex64


def new_publish(party: Signer, game: bytes, request: int, *, names: bool, nonce: bytes) -> Publish:
    """Publish a roll of a game; `nonce` is 32 random bytes."""
    publish = Publish("rollproof/publish/v1", game.hex(), names, nonce.hex(), party.key.name, request, UNSIGNED)
    return msgspec.structs.replace(publish, sig=party.sign(publish.message(PUBLISH_LABEL)).hex())


def new_revoke(party: Signer, game: bytes, roll: str) -> Revoke:
    """Revoke the link with this id."""
    revoke = Revoke("rollproof/revoke/v1", game.hex(), party.key.name, roll, UNSIGNED)
    return msgspec.structs.replace(revoke, sig=party.sign(revoke.message(REVOKE_LABEL)).hex())


def parse_publish(data: bytes) -> Publish:
    """Read what is to be published. Raises LobbyError (`malformed`)."""
    return parse_signed(data, Publish, Message("the wish to publish a roll"))


def parse_revoke(data: bytes) -> Revoke:
    """Read which link is to end. Raises LobbyError (`malformed`)."""
    return parse_signed(data, Revoke, Message("the wish to revoke a link"))


def check_published(signed: Publish | Revoke, game: bytes, key: VerifierKey | None) -> None:
    """Check that the party with this key (None: there is no such party) signed it for this game.

    Raises LobbyError (`roll.party`).
    """
    label = PUBLISH_LABEL if isinstance(signed, Publish) else REVOKE_LABEL
    if signed.game != game.hex():
        raise LobbyError("roll.party", Message("this was signed for another game"))
    if key is None:
        raise LobbyError("roll.party", Message("{name} is no party of this game", name=signed.party))
    if not holds(key.public_bytes, bytes.fromhex(signed.sig), signed.message(label)):
        raise LobbyError("roll.party", Message("the signature is not {name}'s", name=signed.party))
