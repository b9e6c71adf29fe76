"""Sign acts of an event, and put them into lines as its keeper (specs/event.md, "Lines", "Act files")."""

import base64
import secrets
from collections.abc import Callable

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ledger.errors import MissingError, RefusedError, UsageError
from ledger.seats.identity import Identity
from rules import Body
from rules.data.jsontext import UNREADABLE
from rules.data.language import Message
from verifier.event.acts import LINE_LABEL, ActFile, Open, SignedAct, act_message, claim_message
from verifier.event.acts import KeeperAct as KeeperBody
from verifier.event.replay import EventReplay
from verifier.log.format import MAX_LINE, encode, signed_line, signed_message, unsigned_event
from verifier.log.merkle import ZERO_HASH

__all__ = [
    "claim_key",
    "claim_secret",
    "claim_signature",
    "first_line",
    "keeper_line",
    "line_of",
    "new_claim_code",
    "parse_act",
    "parse_act_file",
    "sign_act",
]

_CLAIM_INFO = b"rollproof/v1/claim key\n"


def sign_act(identity: Identity, replay: EventReplay, type: str, act: Body, at: str) -> ActFile:
    """An act by an identity, upon the newest line that is known here; `at` is now."""
    raw = msgspec.Raw(encode(act))
    event, upon = (replay.terms.game.hex(), replay.head.hex()) if replay.size else (ZERO_HASH.hex(),) * 2
    message = act_message(raw, at, identity.name, event, type, upon)
    return ActFile(raw, at, identity.name, event, identity.sign(message).hex(), type, upon)


def parse_act_file(data: bytes) -> ActFile:
    """Read an act file. Raises UsageError where it is none."""
    try:
        found = msgspec.json.decode(data[: MAX_LINE + 1].removesuffix(b"\n"), type=ActFile)
    except UNREADABLE:
        raise MissingError("this is no act file of an event") from None
    return found


def parse_act(data: bytes) -> ActFile:
    """Read an act as it travels: canonical, without a line feed. Raises RefusedError (`malformed`)."""
    try:
        found = msgspec.json.decode(data, type=ActFile)
        if encode(found) == data:
            return found
    except UNREADABLE:
        pass
    raise RefusedError(Message("this is no act of an event"), "malformed", None)


def first_line(keeper: Identity, organizer: Identity, terms: Open, at: str) -> bytes:
    """Line 0, signed by the first organizer and the keeper."""
    return line_of(keeper, EventReplay(), sign_act(organizer, EventReplay(), "open", terms, at), at)


def line_of(keeper: Identity, replay: EventReplay, act: ActFile, now: str) -> bytes:
    """The next line, with somebody's act. Raises UsageError for an act of another event."""
    game = replay.terms.game.hex() if replay.size else ZERO_HASH.hex()
    if act.event != game:
        raise UsageError(f"the act of {act.by} is for event {act.event[:12]}, not for {game[:12]}")
    body: SignedAct = act.signed
    return _signed(keeper, replay, act.type, body, now)


def keeper_line(keeper: Identity, type: str, act: Body, now: Callable[[], str]) -> Callable[[EventReplay], bytes]:
    """What makes the next line, with an act of the keeper's own."""
    return lambda replay: _signed(keeper, replay, type, KeeperBody(msgspec.Raw(encode(act))), now())


def _signed(keeper: Identity, replay: EventReplay, type: str, body: Body, now: str) -> bytes:
    game = replay.terms.game.hex() if replay.size else ZERO_HASH.hex()
    time = max(now, replay.time)
    event = unsigned_event(keeper.name, body, game, replay.head.hex(), replay.size, time, type)
    return signed_line(event, keeper.sign(signed_message(event, LINE_LABEL)))


def new_claim_code() -> str:
    """A claim code for a registration, to be handed to one person. It begins with a letter or digit.

    One that begins with a hyphen would be taken for an option on a command line, and for a formula in a spreadsheet.
    """
    while not (code := base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode())[0].isalnum():
        pass
    return code


def claim_secret(code: str) -> bytes:
    """The 32 bytes of a claim code. Raises UsageError where it is none."""
    try:
        secret = base64.b64decode(code.encode() + b"=", altchars=b"-_", validate=True)
    except ValueError:
        secret = b""
    if len(secret) != 32:
        raise UsageError("this is no claim code: it has 43 letters, digits, hyphens and underscores")
    return secret


def claim_key(code: str) -> Ed25519PrivateKey:
    """The key that follows from a claim code. Raises UsageError where it is none."""
    secret = claim_secret(code)
    seed = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=_CLAIM_INFO).derive(secret)
    return Ed25519PrivateKey.from_private_bytes(seed)


def claim_signature(code: str, event: str, key: str) -> str:
    """The claim (hex) that a player with this code checks in with; `event` is hex, `key` the verifier key."""
    return claim_key(code).sign(claim_message(event, key)).hex()
