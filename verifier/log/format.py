"""The lines of a log: canonical form, envelope, bodies (specs/log.md; specs/protocol.md, "Event bodies").

Decoding raises Failure with the step and code of specs/verification.md.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, LateRole, Role, Ruling
from rules.data.bounds import (
    MAX_DICE,
    MAX_PARTIES,
    MAX_SAFE_INTEGER,
    MAX_TAGS,
    Called,
    Count,
    Name,
    Positive,
    RequiredText,
    Text,
)
from rules.data.jsontext import MAX_DEPTH, UNREADABLE, nesting
from rules.data.language import N_, Message
from rules.data.schema import schema_problem
from rules.sealing import Seal, Show
from rules.session import Admit, Away, Back, Consent, Join, Leave
from verifier.errors import Failure
from verifier.log.plainjson import has_null, strict_json

__all__ = [
    "ADMIT_LABEL",
    "EVENT_LABEL",
    "FORMAT",
    "MAX_CHAIN",
    "MAX_LINE",
    "MAX_WORD",
    "MIN_CHAIN",
    "PROTOCOL_BODIES",
    "UNREADABLE",
    "AdmitBody",
    "AwayBody",
    "Close",
    "Commit",
    "Disclose",
    "Envelope",
    "JoinBody",
    "LeaveBody",
    "ObjectBody",
    "Open",
    "Opening",
    "Party",
    "Reveal",
    "RevealGlance",
    "SealBody",
    "ShowBody",
    "Void",
    "Word",
    "admission_message",
    "check_canonical",
    "decode_body",
    "decode_envelope",
    "decode_options",
    "encode",
    "from_hex",
    "glance",
    "is_time",
    "signature_of",
    "signed_line",
    "signed_message",
    "unsigned_event",
]

FORMAT = "rollproof/v1"
EVENT_LABEL = b"rollproof/v1/event\n"
ADMIT_LABEL = b"rollproof/v1/admit\n"
MAX_WORD = 64
"""lines after which the host's word for an admission lapses"""
MAX_LINE = 65_535
MIN_CHAIN = 2
"""the last link of a chain is kept for the commit that replaces it"""
MAX_CHAIN = 65_536

_DIGITS = {32: N_("64 hexadecimal digits, 0 to 9 and a to f"), 64: N_("128 hexadecimal digits, 0 to 9 and a to f")}
Hex32 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z", description=_DIGITS[32])]
Hex64 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{128}\Z", description=_DIGITS[64])]
_TIME = re.compile(r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z\Z")
Time = Annotated[
    str,
    Meta(
        pattern=_TIME.pattern,
        description=N_("a time in UTC to the millisecond, such as 2026-11-20T19:00:00.000Z"),
    ),
]
ChainIndex = Annotated[int, Meta(ge=1, le=MAX_CHAIN)]
ChainLength = Annotated[int, Meta(ge=MIN_CHAIN, le=MAX_CHAIN)]
Listed = Annotated[tuple[Name, ...], Meta(min_length=2, max_length=MAX_PARTIES)]


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event as it stands in a line: exactly these eight members."""

    author: Name
    body: msgspec.Raw
    game: Hex32
    prev: Hex32
    seq: Count
    sig: Hex64
    time: Time
    type: str


# To match a text with a pattern takes as long as to decode it. So one that is compared with what it must be, or looked
# at in another way, is not matched before.
class _Glance(Envelope, frozen=True, forbid_unknown_fields=True):
    """An event that may have any texts for author, game, prev, sig and time, and any integer for seq."""

    author: str
    game: str
    prev: str
    seq: int
    sig: str
    time: str


class _Unsigned(msgspec.Struct, frozen=True):
    author: str
    body: Body | msgspec.Raw
    game: str
    prev: str
    seq: int
    time: str
    type: str


class _Signed(msgspec.Struct, frozen=True):
    author: str
    body: Body
    game: str
    prev: str
    seq: int
    sig: str
    time: str
    type: str


_SIGNATURE = len(f',"sig":"{"":128}"')
_AFTER_SIGNATURE = len(f',"time":"{"":24}","type":""}}')
"""how many bytes of a line are the member sig, and what follows it but the name of the type"""


class Party(Body, frozen=True):
    """A party of event 0: a verifier key (log.md, "Identities"), which has its name, a role, and what it is called."""

    key: str
    role: Role
    called: Called | UnsetType = UNSET


class Continued(Body, frozen=True):
    """The game that this one goes on from."""

    game: Hex32
    root: Hex32
    size: Positive


class Open(Body, frozen=True):
    """Event 0: the terms, for the whole game."""

    format: str
    system: str
    options: msgspec.Raw
    parties: Annotated[tuple[Party, ...], Meta(min_length=2, max_length=MAX_PARTIES)]
    contributors: Literal["all", "roller"] | Listed
    nonce: Hex32
    title: Text
    away: Literal["others"] | UnsetType = UNSET
    continues: Continued | UnsetType = UNSET
    judge: Name | UnsetType = UNSET
    admits: Annotated[tuple[LateRole, ...], Meta(min_length=1, max_length=4)] | UnsetType = UNSET
    host: str | UnsetType = UNSET
    sealed: Literal["kept", "everyone"] | UnsetType = UNSET


class Commit(Body, frozen=True):
    """A new seed chain: number of links, its tip, and the next link of the chain that it replaces."""

    length: ChainLength
    tip: Hex32
    link: Hex32 | UnsetType = UNSET


class JoinBody(Join, frozen=True):
    """A `join` as a log has it: whether the party's program checks the rules before it signs."""

    checks: Literal["rules"] | UnsetType = UNSET


class Word(Body, frozen=True):
    """The host's word for an admission: the leaf hash of the line that it was given on, and the signature."""

    head: Hex32
    sig: Hex64


class AdmitBody(Admit, frozen=True):
    """An `admit` as a log has it."""

    word: Word | UnsetType = UNSET
    called: Called | UnsetType = UNSET


class SealBody(Seal, frozen=True):
    """A `seal` as a log has it; with the secret of the last tag of the author's seal before."""

    tags: Annotated[tuple[Hex32, ...], Meta(min_length=2, max_length=MAX_TAGS)]
    secret: Hex32 | UnsetType = UNSET


class ShowBody(Show, frozen=True, kw_only=True):
    """A `show` as a log has it."""

    secret: Hex32
    salt: Hex32 | UnsetType = UNSET
    text: RequiredText | UnsetType = UNSET


class LeaveBody(Leave, frozen=True):
    """A `leave` as a log has it."""

    burned: Hex32 | UnsetType = UNSET


class AwayBody(Away, frozen=True):
    """An `away` as a log has it."""

    burned: Hex32 | UnsetType = UNSET


class Opening(Body, frozen=True):
    """A link for the pending request, signed for it alone (protocol.md, "The course of a roll")."""

    author: Name
    index: ChainIndex
    link: Hex32
    sig: Hex64


Openings = Annotated[tuple[Opening, ...], Meta(max_length=MAX_PARTIES)]


class Reveal(Body, frozen=True):
    """The dice, by the keeper: all openings, and of each die its sides and its natural, 1 to sides."""

    roll_index: Count
    openings: Openings
    sides: Annotated[tuple[Positive, ...], Meta(max_length=MAX_DICE)]
    naturals: Annotated[tuple[Positive, ...], Meta(max_length=MAX_DICE)]


class _OpeningGlance(Opening, frozen=True):
    """An opening that may have any texts, and any integer for its index."""

    author: str
    index: int
    link: str
    sig: str


class RevealGlance(Reveal, frozen=True):
    """A reveal with such openings."""

    openings: tuple[_OpeningGlance, ...]


class Void(Body, frozen=True):
    """The end of a roll without dice, and who did not open."""

    roll_index: Count
    missing: Annotated[tuple[Name, ...], Meta(max_length=MAX_PARTIES)]
    secret: Hex32 | UnsetType = UNSET


class Disclose(Body, frozen=True):
    """What was opened for a roll that was voided, by the keeper."""

    roll_index: Count
    openings: Openings


class ObjectBody(Body, frozen=True):
    """The author's opening for a request of which the keeper's judge says that the author did not open."""

    opening: Opening
    request: Count


class Close(Body, frozen=True):
    """The end of the game; with what was opened for a roll that still waits."""

    openings: Openings | UnsetType = UNSET


PROTOCOL_BODIES: Mapping[str, type[Body]] = {
    "open": Open,
    "join": JoinBody,
    "commit": Commit,
    "reveal": Reveal,
    "void": Void,
    "disclose": Disclose,
    "ruling": Ruling,
    "leave": LeaveBody,
    "away": AwayBody,
    "back": Back,
    "admit": AdmitBody,
    "consent": Consent,
    "object": ObjectBody,
    "seal": SealBody,
    "show": ShowBody,
    "close": Close,
}

# Sorting by code point is RFC 8785's order for every name that a valid event has (specs/log.md, "Canonical form").
_encoder = msgspec.json.Encoder(order="sorted")
_envelopes = msgspec.json.Decoder(Envelope)
_MANY_BRACKETS = 1_000
"""in a line of more, their depth is counted before a decoder goes down them: in a browser it has little room"""
_glances = msgspec.json.Decoder(_Glance)


class _NoEvent(Message, ValueError):
    """A value that no event has."""


_NO_EVENT = N_("This line is not an event: {problem}.")


_values = msgspec.json.Decoder()
_bodies: dict[Any, msgspec.json.Decoder[Any]] = {}


def encode(value: Any) -> bytes:
    """The canonical form of an event, a body or any JSON value without floats."""
    return _encoder.encode(value)


def signed_message(event: Envelope | _Unsigned, label: bytes = EVENT_LABEL) -> bytes:
    """What the author of an event signs; the lines of an event log have a label of their own (event.md)."""
    unsigned = _Unsigned(event.author, event.body, event.game, event.prev, event.seq, event.time, event.type)
    return label + _encoder.encode(unsigned)


def unsigned_event(author: str, body: Body, game: str, prev: str, seq: int, time: str, type: str) -> _Unsigned:
    """An event that is still to be signed; `game` and `prev` are hex."""
    return _Unsigned(author, body, game, prev, seq, time, type)


class _Admission(msgspec.Struct, frozen=True):
    format: str
    game: str
    head: str
    key: str
    role: Role


def admission_message(game: str, head: str, key: str, role: Role) -> bytes:
    """What the host of a game signs to let somebody in; `game` and `head` are hex."""
    return ADMIT_LABEL + _encoder.encode(_Admission("rollproof/admit/v1", game, head, key, role))


def signed_line(event: _Unsigned, signature: bytes) -> bytes:
    """The line, without its line feed."""
    return _with_signature(_encoder.encode(event), signature.hex())


def _with_signature(unsigned: bytes, sig: str) -> bytes:
    """An event's canonical form with its `sig`, which comes before `time` and `type`."""
    at = unsigned.rindex(b',"time":"')
    return b'%b,"sig":"%b"%b' % (unsigned[:at], sig.encode(), unsigned[at:])


def decode_envelope(line: bytes) -> Envelope:
    """Steps 5 and 6: an event in canonical form."""
    try:
        if (event := _canonical_event(line)) is not None:
            return event
        value = strict_json(line)
        event = _envelopes.decode(_encoder.encode(value))
        _check_time(event.time)
        if not isinstance(value["body"], dict):
            raise _NoEvent("its body is not an object")
    except UNREADABLE as error:
        raise Failure(5, "line.malformed", _NO_EVENT, problem=schema_problem(error, line, Envelope)) from None
    if has_null(value):
        text = N_("This line has a null. Nothing in a log is null: a member that has no value is left out.")
        raise Failure(6, "line.not-canonical", text)
    check_canonical(line, value)
    return event


def _canonical_event(line: bytes) -> Envelope | None:
    """The event of a line that is plainly in canonical form; None where a closer look is needed."""
    if line.count(b"{") + line.count(b"[") > MAX_DEPTH:
        return None
    try:
        event, value = _envelopes.decode(line), _values.decode(line)
        plain = isinstance(value["body"], dict) and is_time(event.time) and not _has_odd(value)
    except UNREADABLE:
        return None
    return event if plain and _encoder.encode(value) == line else None


def glance(line: bytes) -> Envelope:
    """An event of a line that may not be canonical, its body not decoded. Raises Failure (step 5) where it is none.

    Texts may have any form, and seq any size: see `signature_of`, and what they are compared with.
    """
    if line.count(b"[") + line.count(b"{") > _MANY_BRACKETS and nesting(line) > MAX_DEPTH:
        raise Failure(5, "line.malformed", _NO_EVENT, problem=Message("it nests too deep"))
    try:
        return _glances.decode(line)
    except UNREADABLE as error:
        raise Failure(5, "line.malformed", _NO_EVENT, problem=schema_problem(error, line, Envelope)) from None


def signature_of(line: bytes, event: Envelope, body: Body) -> tuple[bytes, bytes]:
    """The signature of an event and the message that it is over, from `line`, `glance(line)` and the decoded body.

    Raises Failure (steps 5, 6) where the line is not the event's canonical form. Most are just what the decoded event
    encodes to, which settles it: what is encoded is in canonical form, has no null, and only numbers that its schema
    bounds. Other lines can hold too, such as one that gives a member the value that it would have without.
    """
    sig, time, kind = event.sig, event.time, event.type
    whole = _Signed(event.author, body, event.game, event.prev, event.seq, sig, time, kind)
    if _encoder.encode(whole) != line or isinstance(body, Open) or not is_time(time):
        known = decode_envelope(line)
        return bytes.fromhex(known.sig), signed_message(known)
    signature = from_hex(sig, 64)
    after = len(line) - len(kind) - _AFTER_SIGNATURE
    return signature, EVENT_LABEL + line[: after - _SIGNATURE] + line[after:]


def from_hex(text: str, size: int) -> bytes:
    """32 or 64 bytes, `size`, from their lower-case digits. Raises Failure (step 5)."""
    try:
        data = bytes.fromhex(text)
    except ValueError:
        data = b""
    if len(data) == size and data.hex() == text:
        return data
    raise Failure(5, "line.malformed", _NO_EVENT, problem=Message(_DIGITS[size]))


def check_canonical(line: bytes, value: Any) -> None:
    """Step 6: the bytes are the canonical form of the value that they decode to."""
    canonical = _encoder.encode(value)
    if canonical != line:
        at = next(
            (i for i, (a, b) in enumerate(zip(line, canonical, strict=False)) if a != b), min(len(line), len(canonical))
        )
        raise Failure(
            6,
            "line.not-canonical",
            "The bytes of this line are not the canonical form of what it says (they differ at byte {at}): "
            "two readers could see two things in it.",
            at=at,
            expected=canonical[at : at + 40].decode(errors="replace"),
            actual=line[at : at + 40].decode(errors="replace"),
        )


_BODY = N_("The body of this {type} is not as the specification has it: {problem}.")
_OPTIONS = N_("The game's options are not as these rules have them: {problem}.")


def decode_body(raw: msgspec.Raw | bytes, schema: Any, type: str) -> Any:
    """Step 9: the body has exactly the members of its schema."""
    return _decode(raw, schema, _BODY, type=type)


def decode_options(raw: msgspec.Raw | bytes, schema: Any) -> Any:
    """Step 9: the game's options have exactly the members that the system gives them."""
    return _decode(raw, schema, _OPTIONS)


def _decode(raw: msgspec.Raw | bytes, schema: Any, template: str, **values: Any) -> Any:
    decoder = _bodies.get(schema)
    if decoder is None:
        decoder = _bodies[schema] = msgspec.json.Decoder(schema)
    try:
        return decoder.decode(raw)
    except UNREADABLE as error:
        raise Failure(9, "body.malformed", template, **values, problem=schema_problem(error, raw, schema)) from None


def _check_time(time: str) -> None:
    """Raises ValueError for the 30th of February and its like."""
    if not is_time(time):
        raise _NoEvent("there is no time {time}", time=time)


def is_time(time: str) -> bool:
    """Whether it has the form of a time, and there is such a day."""
    if _TIME.match(time) is None:
        return False
    try:
        datetime.fromisoformat(time)
    except ValueError:
        return False
    return True


def _has_odd(value: Any) -> bool:
    """Whether anything in the value is null, a fraction, or an integer out of bounds."""
    if isinstance(value, dict):
        return any(map(_has_odd, value.values()))
    if isinstance(value, list):
        return any(map(_has_odd, value))
    if isinstance(value, int):
        return abs(value) > MAX_SAFE_INTEGER
    return value is None or isinstance(value, float)
