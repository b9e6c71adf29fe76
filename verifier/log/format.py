"""The lines of a log: form, envelope, and how a body is decoded (specs/log.md).

Decoding raises Failure with the step and code of specs/verification.md.
"""

from typing import Any

import msgspec

from rules.base import Body, Role
from rules.data.bounds import MAX_SAFE_INTEGER, Count, Name
from rules.data.jsontext import MAX_DEPTH, UNREADABLE, nesting
from rules.data.language import N_, Message
from rules.data.schema import schema_problem
from verifier.errors import Failure
from verifier.log.bodies import HEX_DIGITS, Hex32, Hex64, Open, Time, is_time
from verifier.log.plainjson import encode, has_null, strict_json

__all__ = [
    "ACT_LABEL",
    "ADMIT_LABEL",
    "EVENT_LABEL",
    "FORMAT",
    "MAX_LINE",
    "MAX_WORD",
    "Envelope",
    "act_message",
    "admission_message",
    "check_canonical",
    "decode_body",
    "decode_envelope",
    "decode_options",
    "from_hex",
    "glance",
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


_envelopes = msgspec.json.Decoder(Envelope)
_MANY_BRACKETS = 1_000
"""brackets above which the depth of a line is counted before it is decoded, because a browser's stack is small"""
_glances = msgspec.json.Decoder(_Glance)


class _NoEvent(Message, ValueError):
    """Raised for a value that no event can have."""


_NO_EVENT = N_("This line is not an event: {problem}.")


_values = msgspec.json.Decoder()
_bodies: dict[Any, msgspec.json.Decoder[Any]] = {}


def signed_message(event: Envelope | _Unsigned, label: bytes = EVENT_LABEL) -> bytes:
    """Return the message that the author of an event signs. Event logs use another label (event.md)."""
    unsigned = _Unsigned(event.author, event.body, event.game, event.prev, event.seq, event.time, event.type)
    return label + encode(unsigned)


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
    return ADMIT_LABEL + encode(_Admission("rollproof/admit/v1", game, head, key, role))


def act_message(act: msgspec.Raw | Body, at: str, by: str, event: str, type: str, upon: str) -> bytes:
    """Return the message that the author of an event's act signs.

    `act` is in canonical form; `event` and `upon` are in hex.
    """
    return ACT_LABEL + encode({"act": act, "at": at, "by": by, "event": event, "type": type, "upon": upon})


def signed_line(event: _Unsigned, signature: bytes) -> bytes:
    """Return the line of an event with its signature, without a line feed."""
    return _with_signature(encode(event), signature.hex())


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
        event = _envelopes.decode(encode(value))
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
    return event if plain and encode(value) == line else None


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
    if encode(whole) != line or isinstance(body, Open) or not is_time(time):
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
    raise Failure(5, "line.malformed", _NO_EVENT, problem=Message(HEX_DIGITS[size]))


def check_canonical(line: bytes, value: Any) -> None:
    """Verify that the bytes are the canonical form of their value (step 6). Raises Failure."""
    canonical = encode(value)
    if canonical != line:
        at = next(
            (i for i, (a, b) in enumerate(zip(line, canonical, strict=False)) if a != b), min(len(line), len(canonical))
        )
        raise Failure(
            6,
            "line.not-canonical",
            "The bytes of this line are not the canonical form of what it says (they differ at byte {at}): two "
            "programs could read it in two ways.",
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


def _has_odd(value: Any) -> bool:
    """Return whether anything in the value is null, a float, or an integer out of bounds."""
    if isinstance(value, dict):
        return any(map(_has_odd, value.values()))
    if isinstance(value, list):
        return any(map(_has_odd, value))
    if isinstance(value, int):
        return abs(value) > MAX_SAFE_INTEGER
    return value is None or isinstance(value, float)
