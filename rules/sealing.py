"""Secret rolls as the state knows them, without cryptography (specs/protocol.md, "Secret rolls")."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules.base import Body
from rules.data.bounds import MAX_DICE, Count, Name, Positive
from rules.data.language import N_, Message

__all__ = ["Holder", "Seal", "SealedRequest", "SecretRoll", "Show", "Tag", "sealed_request"]

_MEMBER = b'"sealed":'
"""in no text: a quotation mark stands there behind a backslash"""


class Seal(Body, frozen=True):
    """Tags of secrets of the author's, the last of which is used for no roll."""

    tags: tuple[str, ...]


class Show(Body, frozen=True):
    """What a secret roll of the author's came to, and what it was for where that was hidden."""

    request: Count
    naturals: Annotated[tuple[Positive, ...], Meta(max_length=MAX_DICE)] | UnsetType = UNSET
    salt: str | UnsetType = UNSET
    text: str | UnsetType = UNSET


class SealedRequest(msgspec.Struct, frozen=True):
    """The members of a request's body that make it one for a secret roll; the others are the system's."""

    sealed: Name
    sides: Annotated[tuple[Positive, ...], Meta(min_length=1, max_length=MAX_DICE)]
    hidden: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")] | UnsetType = UNSET


class Tag(msgspec.Struct, frozen=True):
    """The tag of a secret, and its number among the holder's."""

    number: int
    tag: str
    """hex"""


class SecretRoll(msgspec.Struct, frozen=True):
    """A sealed request, and the tag that it took."""

    request: int
    """number of the event"""
    holder: str
    tag: Tag
    sides: tuple[int, ...]
    hidden: str | None
    revealed: bool = False
    """else it waits or was voided"""


class Holder(msgspec.Struct, frozen=True):
    """What is known of a party that has sealed."""

    last: Tag
    """the last tag of its latest seal, which no roll takes"""
    unused: tuple[Tag, ...] = ()
    """those that no request took, in their order"""
    secret: Mapping[int, SecretRoll] = {}
    """by request: its rolls whose secret is not known, revealed or voided by another"""

    @property
    def unshown(self) -> list[int]:
        """The requests that were revealed and are not shown."""
        return [number for number, roll in self.secret.items() if roll.revealed]

    @property
    def owes(self) -> int | None:
        """The request, voided by another, whose secret it owes."""
        return next((number for number, roll in self.secret.items() if not roll.revealed), None)

    def without(self, request: int) -> "Holder":
        """The holder when the secret of a request is known."""
        left = {number: roll for number, roll in self.secret.items() if number != request}
        return msgspec.structs.replace(self, secret=left)

    def keeping(self, roll: SecretRoll) -> "Holder":
        """The holder of one more roll whose secret is not known."""
        return msgspec.structs.replace(self, secret={**self.secret, roll.request: roll})


_decoder = msgspec.json.Decoder(SealedRequest)


def sealed_request(raw: bytes) -> SealedRequest | None:
    """The members that seal a request with this body, in canonical form; None where it is no sealed one.

    Raises msgspec.ValidationError where they have another form.
    """
    return _decoder.decode(raw) if _MEMBER in raw else None


def sealed_anew(holder: Holder | None, tags: tuple[str, ...]) -> Holder:
    """The holder after a seal with these tags."""
    first = 1 if holder is None else holder.last.number + 1
    numbered = tuple(Tag(number, tag) for number, tag in enumerate(tags, first))
    if holder is None:
        return Holder(numbered[-1], numbered[:-1])
    return msgspec.structs.replace(holder, last=numbered[-1], unused=holder.unused + numbered[:-1])


def show_problem(roll: SecretRoll | None, show: Show) -> Message | None:
    """Why a show of a roll whose secret is not known is not right (step 15); None where it is."""
    if roll is None:
        text = N_("event {request} is no secret roll that {author} holds and has not shown")
        return Message(text)
    if roll.revealed != (show.naturals is not UNSET):
        return Message("a show has the naturals of a roll that was revealed, and none of one that was voided")
    if {show.salt is not UNSET, show.text is not UNSET} != {roll.hidden is not None}:
        return Message("a show says with its salt what a roll was for that hid this, and of no other")
    return None
