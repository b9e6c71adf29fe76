"""Secret rolls in the state of a game, without cryptography (specs/protocol.md, "Secret rolls")."""

from collections.abc import Collection, Mapping
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, Role
from rules.data.bounds import MAX_DICE, MAX_SEALED, Count, Name, Positive
from rules.data.language import N_, Message
from rules.parties import Parties

__all__ = ["Holder", "Seal", "SealedRequest", "SecretRoll", "Show", "Tag", "sealed_request"]

_MEMBER = b'"sealed":'
"""no text can contain this: in a JSON text a quotation mark follows a backslash"""


class Seal(Body, frozen=True):
    """Body of `seal`: tags of secrets of the author. The last one is used for no roll."""

    tags: tuple[str, ...]


class Show(Body, frozen=True):
    """Body of `show`: what a secret roll of the author came to, and its purpose if that was hidden."""

    request: Count
    naturals: Annotated[tuple[Positive, ...], Meta(max_length=MAX_DICE)] | UnsetType = UNSET
    salt: str | UnsetType = UNSET
    text: str | UnsetType = UNSET


class SealedRequest(msgspec.Struct, frozen=True):
    """The members that make a request one for a secret roll. The other members of the body are the system's."""

    sealed: Name
    sides: Annotated[tuple[Positive, ...], Meta(min_length=1, max_length=MAX_DICE)]
    hidden: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")] | UnsetType = UNSET


class Tag(msgspec.Struct, frozen=True):
    """The tag of a secret, with its number among the tags of its holder."""

    number: int
    tag: str
    """hex"""


class SecretRoll(msgspec.Struct, frozen=True):
    """A sealed request with the tag that it took."""

    request: int
    """the number of the event"""
    holder: str
    tag: Tag
    sides: tuple[int, ...]
    hidden: str | None
    revealed: bool = False
    """false while it is pending, and after a void"""


class Holder(msgspec.Struct, frozen=True):
    """The tags and secret rolls of a party that has written a `seal`."""

    last: Tag
    """the last tag of its latest seal, which no roll takes"""
    unused: tuple[Tag, ...] = ()
    """the tags that no request has taken, in their order"""
    secret: Mapping[int, SecretRoll] = {}
    """number of the request → roll that was revealed, or voided by somebody else, and is not shown yet"""

    @property
    def unshown(self) -> list[int]:
        """The numbers of the requests that were revealed and not shown."""
        return [number for number, roll in self.secret.items() if roll.revealed]

    @property
    def owes(self) -> int | None:
        """The number of a request that somebody else voided and whose secret the holder still owes; else None."""
        return next((number for number, roll in self.secret.items() if not roll.revealed), None)

    def without(self, request: int) -> "Holder":
        """Return the holder after the secret of a request became known."""
        left = {number: roll for number, roll in self.secret.items() if number != request}
        return msgspec.structs.replace(self, secret=left)

    def keeping(self, roll: SecretRoll) -> "Holder":
        """Return the holder with one more roll whose secret is not known."""
        return msgspec.structs.replace(self, secret={**self.secret, roll.request: roll})


_decoder = msgspec.json.Decoder(SealedRequest)


def sealed_request(raw: bytes) -> SealedRequest | None:
    """Return the sealing members of a request's body, given in canonical form; None if the request is not sealed.

    Raises msgspec.ValidationError for members that are not well-formed.
    """
    return _decoder.decode(raw) if _MEMBER in raw else None


def sealed_anew(holder: Holder | None, tags: tuple[str, ...]) -> Holder:
    """Return the holder after one more seal with these tags. `holder` is None before the first."""
    first = 1 if holder is None else holder.last.number + 1
    numbered = tuple(Tag(number, tag) for number, tag in enumerate(tags, first))
    if holder is None:
        return Holder(numbered[-1], numbered[:-1])
    return msgspec.structs.replace(holder, last=numbered[-1], unused=holder.unused + numbered[:-1])


def show_problem(roll: SecretRoll | None, show: Show) -> Message | None:
    """Return why this show of a roll must be refused (step 15); None if it is valid.

    `roll` is None if the event is no roll that the author holds and has not shown.
    """
    if roll is None:
        text = N_("event {request} is no secret roll that {author} holds and has not shown")
        return Message(text)
    if roll.revealed != (show.naturals is not UNSET):
        return Message("a show has the naturals of a roll that was revealed, and none of one that was voided")
    if {show.salt is not UNSET, show.text is not UNSET} != {roll.hidden is not None}:
        return Message("a show says what its roll was for, with the salt, if the roll hid this, and only then")
    return None


def sealed_problem(
    sealed: SealedRequest, author: str, holders: Collection[Role], parties: Parties, seals: Mapping[str, Holder]
) -> Message | None:
    """Return why its holder cannot take a sealed request of this author now (step 15); None if it can.

    `holders` are the roles that may hold secret rolls, `seals` what each party has sealed.
    """
    name = sealed.sealed
    holder, role = seals.get(name), parties.roles.get(name)
    if not holders:
        return Message("in this game no roll is secret")
    if role not in holders or (name != author and role != "gm"):
        return Message("{holder} can hold no secret roll of {author} here", holder=name, author=author)
    if name not in parties.joined or parties.is_gone(name):
        return Message("{holder}, who would hold this roll, is not at the table", holder=name)
    if holder is None or not holder.unused:
        return Message("{holder} has no secret left for this roll, and has to seal first", holder=name)
    if holder.owes is not None:
        text = N_("{holder} owes the secret of event {owed}, which was voided, and shows that first")
        return Message(text, holder=name, owed=holder.owes)
    if len(holder.unshown) >= MAX_SEALED:
        text = N_("{holder} holds {most} secret rolls that are not shown, and shows one first")
        return Message(text, holder=name, most=MAX_SEALED)
    if sealed.hidden is not UNSET and name != author:
        return Message("only the holder of a roll can hide what it is for: {holder} would hold this one", holder=name)
    return None
