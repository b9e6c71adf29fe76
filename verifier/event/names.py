"""The salted names of an event's players (specs/event.md, "Names and claims")."""

import hashlib
from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from rules import Body
from rules.data.bounds import RequiredText
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_
from verifier.errors import NoteError
from verifier.log.bodies import MAX_PLAYERS, Hex32, Number
from verifier.log.plainjson import encode

__all__ = ["MAX_NAMES", "NAME_LABEL", "NamedPlayer", "Names", "name_hash", "parse_names", "wrong_name"]

NAME_LABEL = b"rollproof/v1/name\n"
MAX_NAMES = 8_388_608
"""bytes that a names file may have"""


class NamedPlayer(Body, frozen=True):
    """A player's name, and the salt of its hash."""

    name: RequiredText
    number: Number
    salt: Hex32


class Names(Body, frozen=True):
    """The names file of the event with this id (hex)."""

    event: Hex32
    names: Annotated[tuple[NamedPlayer, ...], Meta(max_length=MAX_PLAYERS)]

    def by_number(self) -> dict[int, str]:
        """Return the names by player number."""
        return {each.number: each.name for each in self.names}


def name_hash(name: str, salt: str) -> str:
    """Return the hash of a name, in hex; the salt is 32 bytes in hex."""
    return hashlib.sha256(NAME_LABEL + bytes.fromhex(salt) + name.encode()).hexdigest()


def wrong_name(names: Names, registered: Mapping[int, str]) -> int | None:
    """Return the first number whose name is not the one that was registered (number → hash); None if all are."""
    wrong = (each.number for each in names.names if registered.get(each.number) != name_hash(each.name, each.salt))
    return next(wrong, None)


def parse_names(data: bytes) -> Names:
    """Parse a names file, with or without its line feed. Raises NoteError."""
    if len(data) > MAX_NAMES:
        raise NoteError("it is longer than {most} bytes", most=MAX_NAMES)
    line = data.removesuffix(b"\n")
    try:
        found = msgspec.json.decode(line, type=Names)
    except UNREADABLE:
        raise NoteError(N_("it is no names file as the specification has it")) from None
    numbers = [each.number for each in found.names]
    if encode(found) != line or numbers != sorted(set(numbers)):
        raise NoteError(N_("it is no names file as the specification has it"))
    return found
