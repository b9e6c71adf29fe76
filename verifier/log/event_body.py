"""The body of an event, decoded by the schema of its type (steps 8 and 9 of specs/verification.md)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rules import SYSTEMS, Body, System
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_, Message
from rules.protocol import REQUESTS, TRANSITIONS
from rules.sealing import sealed_request
from verifier.errors import Failure
from verifier.log.bodies import Open
from verifier.log.format import Envelope, decode_body, decode_options

__all__ = ["decode_event_body"]


def decode_event_body(envelope: Envelope, protocol: Mapping[str, type[Body]], system: System[Any] | None) -> Body:
    """Return the body of an event (steps 8 and 9). Raises Failure.

    `protocol` has the types of the protocol's bodies, `system` those of the game's rules; None before event 0.
    """
    kind = envelope.type
    if kind not in TRANSITIONS:
        raise Failure(8, "type.unknown", "There is no event type {type!r}.", type=kind)
    schema: Any = protocol.get(kind)
    if schema is None and system is not None:
        schema = system.bodies.get(kind)
    if schema is None:
        raise Failure(9, "body.malformed", "A log cannot have {type} here.", type=kind)
    if system is not None and kind in REQUESTS:
        return _decode_request(envelope, schema, system)
    body: Body = decode_body(envelope.body, schema, kind)
    if isinstance(body, Open):
        known = SYSTEMS.get(body.system)
        decode_options(body.options, known.options if known else dict)
    return body


def _decode_request(envelope: Envelope, schema: Any, system: System[Any]) -> Body:
    """Decode the body of a request. If the system has no secret rolls, the failure of a sealed one names its clause."""
    raw, kind = bytes(envelope.body), envelope.type
    try:
        body: Body = decode_body(envelope.body, schema, kind)
    except Failure as failure:
        if not system.seals and _names_holder(raw):
            failure.clause = system.seals_clause
        raise
    if system.seals:
        try:
            sealed_request(raw)
        except UNREADABLE:
            text = N_("The body of this {type} is not as the specification has it: {problem}.")
            problem = Message("what makes it a secret roll has another form")
            raise Failure(9, "body.malformed", text, type=kind, problem=problem) from None
    return body


def _names_holder(body: bytes) -> bool:
    """Return whether a request's body has the member `sealed`; False if it is not an object."""
    try:
        return "sealed" in msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    except UNREADABLE:
        return False
