"""The lines of a log: canonical form, envelope, bodies (specs/log.md; specs/protocol.md, "Event bodies").

Decoding raises Failure with the step and code of specs/verification.md.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rules.base import Body, Role, Ruling
from rules.bounds import MAX_DICE, MAX_PARTIES, MAX_SAFE_INTEGER, Count, Name, Positive, Text
from rules.jsontext import UNREADABLE
from rules.language import N_, Message
from rules.schema import schema_problem
from rules.session import Close, Join, Leave
from verifier.errors import Failure

__all__ = [
    "EVENT_LABEL",
    "FORMAT",
    "MAX_CHAIN",
    "MAX_LINE",
    "PROTOCOL_BODIES",
    "UNREADABLE",
    "Commit",
    "Envelope",
    "Open",
    "Opening",
    "Party",
    "Reveal",
    "Void",
    "check_canonical",
    "decode_body",
    "decode_envelope",
    "decode_options",
    "encode",
    "glance",
    "signed_message",
]

FORMAT = "rollproof/v1"
EVENT_LABEL = b"rollproof/v1/event\n"
MAX_LINE = 65_535
MAX_CHAIN = 65_536

Hex32 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z", description=N_("64 hexadecimal digits, 0 to 9 and a to f"))]
Hex64 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{128}\Z", description=N_("128 hexadecimal digits, 0 to 9 and a to f"))]
Time = Annotated[
    str,
    Meta(
        pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z\Z",
        description=N_("a time in UTC to the millisecond, such as 2026-11-20T19:00:00.000Z"),
    ),
]
ChainIndex = Annotated[int, Meta(ge=1, le=MAX_CHAIN)]


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


class _Glance(Envelope, frozen=True, forbid_unknown_fields=True):
    """An event whose author, game and prev are still to be compared with what they must be."""

    author: str
    game: str
    prev: str
    seq: int


class _Unsigned(msgspec.Struct, frozen=True):
    author: str
    body: msgspec.Raw
    game: str
    prev: str
    seq: int
    time: str
    type: str


class Party(Body, frozen=True):
    key: str
    role: Role


class Open(Body, frozen=True):
    format: str
    system: str
    options: msgspec.Raw
    parties: Annotated[tuple[Party, ...], Meta(min_length=2, max_length=MAX_PARTIES)]
    contributors: Literal["all", "roller"] | Annotated[tuple[Name, ...], Meta(max_length=MAX_PARTIES)]
    nonce: Hex32
    title: Text


class Commit(Body, frozen=True):
    length: ChainIndex
    tip: Hex32


class Opening(Body, frozen=True):
    author: Name
    index: ChainIndex
    link: Hex32
    sig: Hex64


Openings = Annotated[tuple[Opening, ...], Meta(max_length=MAX_PARTIES)]


class Reveal(Body, frozen=True):
    roll_index: Count
    openings: Openings
    naturals: Annotated[tuple[Positive, ...], Meta(max_length=MAX_DICE)]


class Void(Body, frozen=True):
    roll_index: Count
    openings: Openings
    failed: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=MAX_PARTIES)]


PROTOCOL_BODIES: Mapping[str, type[Body]] = {
    "open": Open,
    "join": Join,
    "commit": Commit,
    "reveal": Reveal,
    "void": Void,
    "ruling": Ruling,
    "leave": Leave,
    "close": Close,
}

# Sorting by code point is RFC 8785's order for every name that a valid event has (specs/log.md, "Canonical form").
_encoder = msgspec.json.Encoder(order="sorted")
_envelopes = msgspec.json.Decoder(Envelope)
_glances = msgspec.json.Decoder(_Glance)


class _NoEvent(Message, ValueError):
    """A value that no event has."""


def _refuse_float(text: str) -> Any:
    raise _NoEvent("{number} is not an integer", number=text)


_values = msgspec.json.Decoder(float_hook=_refuse_float)
_bodies: dict[Any, msgspec.json.Decoder[Any]] = {}


def encode(value: Any) -> bytes:
    """The canonical form of an event, a body or any JSON value without floats."""
    return _encoder.encode(value)


def signed_message(event: Envelope | _Unsigned) -> bytes:
    """What the author of an event signs."""
    unsigned = _Unsigned(event.author, event.body, event.game, event.prev, event.seq, event.time, event.type)
    return EVENT_LABEL + _encoder.encode(unsigned)


def unsigned_event(author: str, body: Body, game: str, prev: str, seq: int, time: str, type: str) -> _Unsigned:
    """An event that is still to be signed; `game` and `prev` are hex."""
    return _Unsigned(author, msgspec.Raw(_encoder.encode(body)), game, prev, seq, time, type)


def signed_line(event: _Unsigned, signature: bytes) -> bytes:
    """The line, without its line feed."""
    return _encoder.encode(
        Envelope(event.author, event.body, event.game, event.prev, event.seq, signature.hex(), event.time, event.type)
    )


def decode_envelope(line: bytes, *, thorough: bool = True) -> Envelope:
    """Steps 5 and 6: an event in canonical form.

    If not `thorough`, integers out of bounds, nulls and any texts for author, game and prev pass. That is enough for a
    line that goes on to hold: every schema bounds its integers and has no null, and those texts and seq are compared
    with what they must be. A line that fails later has to be looked at again.
    """
    try:
        event = _envelopes.decode(line) if thorough else _glances.decode(line)
        value = _values.decode(line)
        _check_time(event.time)
        if not isinstance(value["body"], dict):
            raise _NoEvent("its body is not an object")
        if thorough and _has_null(value):
            text = N_("This line has a null. Nothing in a log is null: a member that has no value is left out.")
            raise Failure(6, "line.not-canonical", text)
    except UNREADABLE as error:
        text = N_("This line is not an event: {problem}.")
        raise Failure(5, "line.malformed", text, problem=schema_problem(error, line, Envelope)) from None
    check_canonical(line, value)
    return event


def glance(line: bytes) -> Envelope:
    """An event of a line that is known to be one, and canonical. Raises Failure (step 5) where it is none."""
    try:
        return _glances.decode(line)
    except UNREADABLE as error:
        text = N_("This line is not an event: {problem}.")
        raise Failure(5, "line.malformed", text, problem=schema_problem(error, line, Envelope)) from None


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
    try:
        datetime.fromisoformat(time)
    except ValueError:
        raise _NoEvent("there is no time {time}", time=time) from None


def _has_null(value: Any) -> bool:
    """Whether anything in the value is null. Raises ValueError where an integer is out of bounds."""
    if isinstance(value, dict):
        return True in [_has_null(member) for member in value.values()]
    if isinstance(value, list):
        return True in [_has_null(element) for element in value]
    if isinstance(value, int) and abs(value) > MAX_SAFE_INTEGER:
        raise _NoEvent("{number} is out of bounds", number=value)
    return value is None
