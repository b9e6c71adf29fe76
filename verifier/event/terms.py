"""The terms of an event, which its line 0 fixes (specs/event.md, E1)."""

import re
from collections.abc import Mapping

from msgspec import Struct

from rules import SYSTEMS
from rules.data.language import Message
from verifier.errors import Failure, KeyFormatError
from verifier.event.acts import PLAYER_NAME, EventOpen
from verifier.log.format import decode_options
from verifier.log.identity import VerifierKey
from verifier.log.plainjson import encode

__all__ = ["EventTerms", "read_terms"]


class EventTerms(Struct, frozen=True):
    """The valid terms of line 0."""

    game: bytes
    """the id of the event"""
    keeper: str
    keys: Mapping[str, VerifierKey]
    """name → key, for the keeper only"""
    body: EventOpen

    @property
    def keeper_key(self) -> VerifierKey:
        """The key that signs every line."""
        return self.keys[self.keeper]


def read_terms(body: EventOpen, by: str, author: str, leaf: bytes) -> EventTerms:
    """Return the terms of line 0, which has this leaf hash (E1). Raises Failure."""
    keys: list[VerifierKey] = []
    for text in (body.keeper, *body.organizers):
        try:
            keys.append(VerifierKey.parse(text))
        except KeyFormatError as error:
            raise _no_terms(error) from None
    keeper, first = keys[0], keys[1]
    if len({key.name for key in keys}) < len(keys) or len({key.public_bytes for key in keys}) < len(keys):
        raise _no_terms(Message("two of keeper and organizers share a name or a key"))
    if any(re.fullmatch(PLAYER_NAME, key.name) for key in keys):
        raise _no_terms(Message("p and a number is a player's name"))
    if author != keeper.name or by != first.name:
        raise _no_terms(Message("the keeper writes it, and the first organizer signs it"))
    if list(body.results) != sorted(set(body.results)):
        raise _no_terms(Message("what a slip has of each side is sorted, each once"))
    system = SYSTEMS.get(body.system)
    if system is None:
        raise Failure(
            3,
            "file.system",
            "The log was made for the rules {actual!r}, which this program does not have.",
            expected=", ".join(sorted(SYSTEMS)),
            actual=body.system,
        )
    try:
        decode_options(encode(body.options), system.options)
    except Failure as failure:
        raise _no_terms(failure) from None
    return EventTerms(leaf, keeper.name, {keeper.name: keeper}, body)


def _no_terms(problem: Message) -> Failure:
    return Failure(10, "open.terms", "The event's terms are not valid: {problem}.", clause="E1", problem=problem)
