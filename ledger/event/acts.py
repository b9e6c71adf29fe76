"""Acts of an event: sign them, read them, and put them into lines as the keeper (specs/event.md,
"Lines", "Act files").
"""

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
from verifier.event.acts import LINE_LABEL, ActFile, EventOpen, claim_message
from verifier.event.acts import KeeperAct as KeeperBody
from verifier.event.replay import EventReplay
from verifier.log.bodies import SignedAct
from verifier.log.format import MAX_LINE, act_message, signed_line, signed_message, unsigned_event
from verifier.log.merkle import ZERO_HASH
from verifier.log.plainjson import encode

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
    """Return an act signed by `identity`, with the newest line of `replay` as the one it follows; `at` is now."""
    raw = msgspec.Raw(encode(act))
    event, upon = (replay.terms.game.hex(), replay.head.hex()) if replay.size else (ZERO_HASH.hex(),) * 2
    message = act_message(raw, at, identity.name, event, type, upon)
    return ActFile(at, identity.name, identity.sign(message).hex(), upon, raw, event, type)


def parse_act_file(data: bytes) -> ActFile:
    """Read an act file. Raises MissingError if it is not one."""
    try:
        found = msgspec.json.decode(data[: MAX_LINE + 1].removesuffix(b"\n"), type=ActFile)
    except UNREADABLE:
        raise MissingError("this is no act file of an event") from None
    return found


def parse_act(data: bytes) -> ActFile:
    """Read an act as a server receives it: canonical JSON without a line feed. Raises RefusedError (`malformed`)."""
    try:
        found = msgspec.json.decode(data, type=ActFile)
        if encode(found) == data:
            return found
    except UNREADABLE:
        pass
    raise RefusedError(
        Message("this entry cannot be read: a field is empty, or has something else in it than it should"),
        "malformed",
        None,
    )


def first_line(keeper: Identity, organizer: Identity, terms: EventOpen, at: str) -> bytes:
    """Return line 0, signed by the first organizer and the keeper."""
    return line_of(keeper, EventReplay(), sign_act(organizer, EventReplay(), "open", terms, at), at)


def line_of(keeper: Identity, replay: EventReplay, act: ActFile, now: str) -> bytes:
    """Return the next line, with a person's act. Raises UsageError for an act of another event."""
    game = replay.terms.game.hex() if replay.size else ZERO_HASH.hex()
    if act.event != game:
        raise UsageError(f"the act of {act.by} is for event {act.event[:12]}, not for {game[:12]}")
    body: SignedAct = act.signed
    return _signed(keeper, replay, act.type, body, now)


def keeper_line(keeper: Identity, type: str, act: Body, now: Callable[[], str]) -> Callable[[EventReplay], bytes]:
    """Return a function that makes the next line, with an act of the keeper's own."""
    return lambda replay: _signed(keeper, replay, type, KeeperBody(msgspec.Raw(encode(act))), now())


def _signed(keeper: Identity, replay: EventReplay, type: str, body: Body, now: str) -> bytes:
    game = replay.terms.game.hex() if replay.size else ZERO_HASH.hex()
    time = max(now, replay.time)
    event = unsigned_event(keeper.name, body, game, replay.head.hex(), replay.size, time, type)
    return signed_line(event, keeper.sign(signed_message(event, LINE_LABEL)))


def new_claim_code() -> str:
    """Return a new claim code for a registration, to be handed to one person; it begins with a letter or digit.

    A code that begins with a hyphen would be read as an option on a command line, and as a formula in a spreadsheet.
    """
    while not (code := base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode())[0].isalnum():
        pass
    return code


def claim_secret(code: str) -> bytes:
    """Return the 32 bytes of a claim code. Raises UsageError if the code is not one."""
    try:
        secret = base64.b64decode(code.encode() + b"=", altchars=b"-_", validate=True)
    except ValueError:
        secret = b""
    if len(secret) != 32:
        raise UsageError("this is no claim code: it has 43 letters, digits, hyphens and underscores")
    return secret


def claim_key(code: str) -> Ed25519PrivateKey:
    """Return the key that is derived from a claim code. Raises UsageError if the code is not one."""
    secret = claim_secret(code)
    seed = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=_CLAIM_INFO).derive(secret)
    return Ed25519PrivateKey.from_private_bytes(seed)


def claim_signature(code: str, event: str, key: str) -> str:
    """Return the claim (hex) with which a player checks in; `event` is hex, `key` the player's verifier key."""
    return claim_key(code).sign(claim_message(event, key)).hex()
