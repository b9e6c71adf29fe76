"""Links to a table (specs/network.md, "Links")."""

import hashlib
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import Struct

from ledger.lobby.addresses import AddressError, server_address
from ledger.lobby.signed import INVITED, NO_KEY, Invitation, InvitedRole, malformed_error
from rules.data.language import N_, Message

__all__ = [
    "Link",
    "parse_link",
    "token_hash",
]


_TOKEN_INFO = b"rollproof/v1/token\n"
_INVITATION_INFO = b"rollproof/v1/invitation key\n"
_LINK = re.compile(r"(https?://[^\s#?]+?)/t/([0-9a-f]{64})#([a-z]+)\.([A-Za-z0-9_-]{43})")


class Link(Struct, frozen=True):
    """A link to a table, for one role. Any holder can take a seat, or read: it is a secret."""

    address: str
    """the server's, without a slash at the end"""
    table: bytes
    role: InvitedRole
    secret: bytes
    """32 bytes"""

    def __str__(self) -> str:
        secret = urlsafe_b64encode(self.secret).rstrip(b"=").decode()
        return f"{self.address}/t/{self.table.hex()}#{self.role}.{secret}"

    @property
    def token(self) -> bytes:
        """32 bytes, which the server is shown."""
        return _derived(self.secret, _TOKEN_INFO)

    @property
    def invitation_key(self) -> Ed25519PrivateKey:
        """The private key that signs seats of this role. The server never has it."""
        return Ed25519PrivateKey.from_private_bytes(_derived(self.secret, _INVITATION_INFO))

    @property
    def invitation(self) -> Invitation:
        """The public part of this link, as in the table's terms."""
        spectator = self.role == "spectator"
        key = NO_KEY if spectator else self.invitation_key.public_key().public_bytes_raw().hex()
        return Invitation(key, self.role, token_hash(self.token))


def _derived(secret: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(secret)


def token_hash(token: bytes) -> str:
    """Return a token's SHA-256 in hex, as in the terms and in a server's database."""
    return hashlib.sha256(token).hexdigest()


def parse_link(text: str) -> Link:
    """Read a link. Raises LobbyError (`malformed`)."""
    what = Message("the link")
    found = _LINK.fullmatch(text.strip())
    if found is None:
        form = N_("it has the form ADDRESS/t/TABLE#ROLE.SECRET; copy it whole")
        raise malformed_error(what, Message(form))
    given, table, role, encoded = found.groups()
    try:
        address = server_address(given)
    except AddressError as error:
        raise malformed_error(what, error.problem) from None
    invited = next((known for known in INVITED if known == role), None)
    if invited is None:
        raise malformed_error(what, Message("there is no role {role}", role=role))
    secret = urlsafe_b64decode(encoded + "=")
    if urlsafe_b64encode(secret).rstrip(b"=").decode() != encoded:
        raise malformed_error(what, Message("its last character is not one that its secret can have; copy it whole"))
    return Link(address, bytes.fromhex(table), invited, secret)
