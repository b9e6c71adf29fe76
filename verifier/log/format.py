"""The lines of a log: canonical form, envelope, bodies (specs/log.md; specs/protocol.md, "Event bodies").

Decoding raises Failure with the step and code of specs/verification.md.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError, LateRole, Role, Ruling
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
from rules.protocol import Admit, Away, Back, Consent, Join, Leave, Replace, Strike
from rules.sealing import Seal, Show
from verifier.errors import Failure
from verifier.log.plainjson import has_null, strict_json

__all__ = [
    "ACT_LABEL",
    "ADMIT_LABEL",
    "EVENT_LABEL",
    "FORMAT",
    "MAX_CHAIN",
    "MAX_LINE",
    "MAX_PLAYERS",
    "MAX_WORD",
    "MIN_CHAIN",
    "ORDINARY",
    "PROTOCOL_BODIES",
    "UNREADABLE",
    "AdmitBody",
    "Appoint",
    "Appointment",
    "AwayBody",
    "Close",
    "Commit",
    "Contributing",
    "CorrectKey",
    "Correction",
    "Disclose",
    "Envelope",
    "EventOfTable",
    "JoinBody",
    "LeaveBody",
    "Number",
    "ObjectBody",
    "Open",
    "Opening",
    "Party",
    "Permissions",
    "ReplaceBody",
    "Reveal",
    "RevealGlance",
    "SealBody",
    "ShowBody",
    "SignedAct",
    "Succession",
    "Void",
    "Word",
    "act_message",
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
ACT_LABEL = b"rollproof/v1/act\n"
MAX_WORD = 64
"""the number of lines after which the host's word for an admission lapses"""
MAX_LINE = 65_535
MIN_CHAIN = 2
"""the fewest links of a chain: the last one is reserved for the commit that replaces the chain"""
MAX_CHAIN = 65_536
MAX_PLAYERS = 5_000
"""the highest number of a player at an event"""

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
Number = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]
Contributing = Literal["all", "roller"] | Annotated[tuple[Name, ...], Meta(min_length=2, max_length=MAX_PARTIES)]
"""who contributes to the dice"""


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event as a line has it, with exactly these eight members."""

    author: Name
    body: msgspec.Raw
    game: Hex32
    prev: Hex32
    seq: Count
    sig: Hex64
    time: Time
    type: str


# Matching a pattern takes as long as decoding. So a text that is compared with its expected value anyway, or checked in
# another way, is decoded without its pattern.
class _Glance(Envelope, frozen=True, forbid_unknown_fields=True):
    """An event whose author, game, prev, sig and time can be any text, and whose seq any integer."""

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
"""the bytes of a line behind the member sig, without the name of the type; _SIGNATURE are those of sig itself"""


class Party(Body, frozen=True):
    """A party of event 0: its verifier key, which contains its name (log.md, "Identities"), its role
    and called name.
    """

    key: str
    role: Role
    called: Called | UnsetType = UNSET


class Continued(Body, frozen=True):
    """The game that this one continues."""

    game: Hex32
    root: Hex32
    size: Positive


class EventOfTable(Body, frozen=True):
    """The event that the game is a table of: its id, and the verifier keys of its organizers in office."""

    id: Hex32
    organizers: Annotated[tuple[str, ...], Meta(min_length=1, max_length=MAX_PARTIES)]


class Permissions(Body, frozen=True, kw_only=True):
    """The terms that permit what is not so in every game.

    Event 0 has these members, and so have the terms of a table on a server, which become event 0. A further permission
    is declared here; `verifier.log.terms` reads it, and the command line says it (`ledger.cli.table_terms`).
    """

    admits: Annotated[tuple[LateRole, ...], Meta(min_length=1, max_length=4)] | UnsetType = UNSET
    """the roles in which somebody may come when the game has begun"""
    away: Literal["others"] | UnsetType = UNSET
    """all other contributors together may sign a party away"""
    sealed: Literal["kept", "everyone"] | UnsetType = UNSET
    """game masters, or players too, may hold secret rolls"""
    strike: Literal["all"] | UnsetType = UNSET
    """all who play can take the latest roll back together"""

    def permissions(self) -> "Permissions":
        """Return these members alone."""
        return Permissions(**{name: getattr(self, name) for name in Permissions.__struct_fields__})


ORDINARY = Permissions()
"""of a game that permits nothing more"""


class Open(Permissions, frozen=True):
    """Body of `open`, event 0: the terms of the whole game."""

    format: str
    system: str
    options: msgspec.Raw
    parties: Annotated[tuple[Party, ...], Meta(min_length=2, max_length=MAX_PARTIES)]
    contributors: Contributing
    nonce: Hex32
    title: Text
    continues: Continued | UnsetType = UNSET
    judge: Name | UnsetType = UNSET
    host: str | UnsetType = UNSET
    event: EventOfTable | UnsetType = UNSET


class Commit(Body, frozen=True):
    """Body of `commit`, a new seed chain: number of links, tip, and the next link of the chain that it replaces."""

    length: ChainLength
    tip: Hex32
    link: Hex32 | UnsetType = UNSET


class JoinBody(Join, frozen=True):
    """Body of `join` in a log; `checks` says that the party's program checks the rules before it signs."""

    checks: Literal["rules"] | UnsetType = UNSET
    recovery: Hex32 | UnsetType = UNSET
    """the public recovery key of the party's profile"""


class Word(Body, frozen=True):
    """The host's word for an admission: the leaf hash of the line on which it was given, and the signature."""

    head: Hex32
    sig: Hex64


class _Signing(Body, frozen=True):
    """The members beside the act in the body of a line with a signed act (event.md, "Lines")."""

    at: Time
    by: Name
    sig: Hex64
    upon: Hex32

    def __post_init__(self) -> None:
        _check_at(self.at)


class SignedAct(_Signing, frozen=True):
    """The body of an event log's line with a signed act."""

    act: msgspec.Raw


class Appoint(Body, frozen=True):
    """The appointment of a person to an office."""

    key: str
    role: Literal["organizer", "head", "judge"]


class CorrectKey(Body, frozen=True):
    """A new key for a player."""

    key: str
    number: Number
    reason: RequiredText


class Appointment(_Signing, frozen=True):
    """The body of an event log's `appoint`."""

    act: Appoint


class Correction(_Signing, frozen=True):
    """The body of an event log's `correct-key`."""

    act: CorrectKey


class AdmitBody(Admit, frozen=True):
    """Body of `admit` in a log."""

    word: Word | UnsetType = UNSET
    called: Called | UnsetType = UNSET
    appointment: Appointment | UnsetType = UNSET


class Succession(Body, frozen=True):
    """The statement that one key continues as another. `check_succession` verifies it."""

    format: Literal["rollproof/succession/v1"]
    key: str
    named: Hex64
    """the signature by which `key` names its recovery key"""
    new: str
    new_sig: Hex64
    recovery: Hex32
    sig: Hex64
    """the signature of the recovery key"""
    time: Time

    def __post_init__(self) -> None:
        if not is_time(self.time):
            text = N_("{text!r} is no time; it has the form 2026-11-20T19:00:00.000Z")
            raise BodyError(text, text=self.time)

    def __bytes__(self) -> bytes:
        """Encode it as a line with its line feed."""
        return encode(self) + b"\n"


class ReplaceBody(Replace, frozen=True):
    """Body of `replace` in a log; without a succession and a correction the others are asked."""

    succession: Succession | UnsetType = UNSET
    correction: Correction | UnsetType = UNSET


class SealBody(Seal, frozen=True):
    """Body of `seal` in a log, with the secret of the last tag of the author's previous seal."""

    tags: Annotated[tuple[Hex32, ...], Meta(min_length=2, max_length=MAX_TAGS)]
    secret: Hex32 | UnsetType = UNSET


class ShowBody(Show, frozen=True, kw_only=True):
    """Body of `show` in a log."""

    secret: Hex32
    salt: Hex32 | UnsetType = UNSET
    text: RequiredText | UnsetType = UNSET


class LeaveBody(Leave, frozen=True):
    """Body of `leave` in a log."""

    burned: Hex32 | UnsetType = UNSET


class AwayBody(Away, frozen=True):
    """Body of `away` in a log."""

    burned: Hex32 | UnsetType = UNSET


class Opening(Body, frozen=True):
    """A link for the pending request, signed for that request only (protocol.md, "The course of a roll")."""

    author: Name
    index: ChainIndex
    link: Hex32
    sig: Hex64


Openings = Annotated[tuple[Opening, ...], Meta(max_length=MAX_PARTIES)]


class Reveal(Body, frozen=True):
    """Body of `reveal`, by the keeper: all openings, and for each die its sides and its natural, 1 to sides."""

    roll_index: Count
    openings: Openings
    sides: Annotated[tuple[Positive, ...], Meta(max_length=MAX_DICE)]
    naturals: Annotated[tuple[Positive, ...], Meta(max_length=MAX_DICE)]


class _OpeningGlance(Opening, frozen=True):
    """An opening that can have any texts, and any integer as its index."""

    author: str
    index: int
    link: str
    sig: str


class RevealGlance(Reveal, frozen=True):
    """A reveal with openings of that kind."""

    openings: tuple[_OpeningGlance, ...]


class Void(Body, frozen=True):
    """Body of `void`: the end of a roll without dice, with the parties that did not open."""

    roll_index: Count
    missing: Annotated[tuple[Name, ...], Meta(max_length=MAX_PARTIES)]
    secret: Hex32 | UnsetType = UNSET


class Disclose(Body, frozen=True):
    """Body of `disclose`, by the keeper: the openings for a voided roll."""

    roll_index: Count
    openings: Openings


class ObjectBody(Body, frozen=True):
    """Body of `object`: the author's opening for a request for which the keeper's judge called it missing."""

    opening: Opening
    request: Count


class Close(Body, frozen=True):
    """Body of `close`: the end of the game, with the openings for a roll that is still pending."""

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
    "replace": ReplaceBody,
    "consent": Consent,
    "object": ObjectBody,
    "strike": Strike,
    "seal": SealBody,
    "show": ShowBody,
    "close": Close,
}

# For the names in valid events, sorting by code point is the order of RFC 8785 (specs/log.md, "Canonical form").
_encoder = msgspec.json.Encoder(order="sorted")
_envelopes = msgspec.json.Decoder(Envelope)
_MANY_BRACKETS = 1_000
"""brackets above which the depth of a line is counted before it is decoded, because a browser's stack is small"""
_glances = msgspec.json.Decoder(_Glance)


class _NoEvent(Message, ValueError):
    """Raised for a value that no event can have."""


_NO_EVENT = N_("This line is not an event: {problem}.")


_values = msgspec.json.Decoder()
_bodies: dict[Any, msgspec.json.Decoder[Any]] = {}


def encode(value: Any) -> bytes:
    """Return the canonical form of an event, a body or any JSON value without floats."""
    return _encoder.encode(value)


def signed_message(event: Envelope | _Unsigned, label: bytes = EVENT_LABEL) -> bytes:
    """Return the message that the author of an event signs. Event logs use another label (event.md)."""
    unsigned = _Unsigned(event.author, event.body, event.game, event.prev, event.seq, event.time, event.type)
    return label + _encoder.encode(unsigned)


def unsigned_event(author: str, body: Body, game: str, prev: str, seq: int, time: str, type: str) -> _Unsigned:
    """Return an event that is not signed yet; `game` and `prev` are hex."""
    return _Unsigned(author, body, game, prev, seq, time, type)


class _Admission(msgspec.Struct, frozen=True):
    format: str
    game: str
    head: str
    key: str
    role: Role


def admission_message(game: str, head: str, key: str, role: Role) -> bytes:
    """Return the message that the host of a game signs to admit somebody; `game` and `head` are hex."""
    return ADMIT_LABEL + _encoder.encode(_Admission("rollproof/admit/v1", game, head, key, role))


def act_message(act: msgspec.Raw | Body, at: str, by: str, event: str, type: str, upon: str) -> bytes:
    """Return the message that the author of an event's act signs.

    `act` is in canonical form; `event` and `upon` are in hex.
    """
    return ACT_LABEL + encode({"act": act, "at": at, "by": by, "event": event, "type": type, "upon": upon})


def signed_line(event: _Unsigned, signature: bytes) -> bytes:
    """Return the line of an event with its signature, without a line feed."""
    return _with_signature(_encoder.encode(event), signature.hex())


def _with_signature(unsigned: bytes, sig: str) -> bytes:
    """Insert `sig` into the canonical form of an event, before `time` and `type`."""
    at = unsigned.rindex(b',"time":"')
    return b'%b,"sig":"%b"%b' % (unsigned[:at], sig.encode(), unsigned[at:])


def decode_envelope(line: bytes) -> Envelope:
    """Decode an event, and verify that it is in canonical form (steps 5 and 6). Raises Failure."""
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
    """Return the event if the line is obviously in canonical form; None if it has to be examined more closely."""
    if line.count(b"{") + line.count(b"[") > MAX_DEPTH:
        return None
    try:
        event, value = _envelopes.decode(line), _values.decode(line)
        plain = isinstance(value["body"], dict) and is_time(event.time) and not _has_odd(value)
    except UNREADABLE:
        return None
    return event if plain and _encoder.encode(value) == line else None


def glance(line: bytes) -> Envelope:
    """Decode an event without its body, from a line that need not be canonical. Raises Failure (step 5).

    Texts can have any form and seq any size. `signature_of` and later comparisons check them.
    """
    if line.count(b"[") + line.count(b"{") > _MANY_BRACKETS and nesting(line) > MAX_DEPTH:
        raise Failure(5, "line.malformed", _NO_EVENT, problem=Message("it nests too deep"))
    try:
        return _glances.decode(line)
    except UNREADABLE as error:
        raise Failure(5, "line.malformed", _NO_EVENT, problem=schema_problem(error, line, Envelope)) from None


def signature_of(line: bytes, event: Envelope, body: Body) -> tuple[bytes, bytes]:
    """Return the signature of an event and the message that it covers. Raises Failure (steps 5, 6).

    `event` is `glance(line)`, `body` the decoded body. Most lines equal the encoding of the decoded event. Those are in
    canonical form: an encoding has no null, and its numbers are within the bounds of their schema. Other lines can be
    valid too, such as one that gives a member its default value, so they are decoded strictly.
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
    """Return the 32 or 64 bytes (`size`) of a text in lower-case hex. Raises Failure (step 5)."""
    try:
        data = bytes.fromhex(text)
    except ValueError:
        data = b""
    if len(data) == size and data.hex() == text:
        return data
    raise Failure(5, "line.malformed", _NO_EVENT, problem=Message(_DIGITS[size]))


def check_canonical(line: bytes, value: Any) -> None:
    """Verify that the bytes are the canonical form of their value (step 6). Raises Failure."""
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
    """Decode a body, which must have exactly the members of its schema (step 9). Raises Failure."""
    return _decode(raw, schema, _BODY, type=type)


def decode_options(raw: msgspec.Raw | bytes, schema: Any) -> Any:
    """Decode the game's options, which must have exactly the system's members (step 9). Raises Failure."""
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
    """Raise ValueError for a date that does not exist, such as 30 February."""
    if not is_time(time):
        raise _NoEvent("there is no time {time}", time=time)


def _check_at(at: str) -> None:
    """Raise BodyError for a date that does not exist, such as 30 February."""
    if not is_time(at):
        raise BodyError(N_("there is no time {time}"), time=at)


def is_time(time: str) -> bool:
    """Return whether a text has the form of a time, and its date exists."""
    if _TIME.match(time) is None:
        return False
    try:
        datetime.fromisoformat(time)
    except ValueError:
        return False
    return True


def _has_odd(value: Any) -> bool:
    """Return whether anything in the value is null, a float, or an integer out of bounds."""
    if isinstance(value, dict):
        return any(map(_has_odd, value.values()))
    if isinstance(value, list):
        return any(map(_has_odd, value))
    if isinstance(value, int):
        return abs(value) > MAX_SAFE_INTEGER
    return value is None or isinstance(value, float)
