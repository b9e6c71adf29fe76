"""The bodies of the protocol's events, as msgspec decodes them (specs/protocol.md, "Event bodies")."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError, LateRole, Role, Ruling
from rules.data.bounds import (
    MAX_DICE,
    MAX_PARTIES,
    MAX_TAGS,
    Called,
    Count,
    Name,
    Positive,
    RequiredText,
    Text,
)
from rules.data.language import N_
from rules.protocol import Admit, Away, Back, Consent, Join, Leave, Replace, Strike
from rules.sealing import Seal, Show
from verifier.log.plainjson import encode

__all__ = [
    "HEX_DIGITS",
    "MAX_CHAIN",
    "MAX_PLAYERS",
    "MIN_CHAIN",
    "ORDINARY",
    "PROTOCOL_BODIES",
    "AdmitBody",
    "Appoint",
    "Appointment",
    "AwayBody",
    "ChainIndex",
    "ChainLength",
    "Close",
    "Commit",
    "Continued",
    "Contributing",
    "CorrectKey",
    "Correction",
    "Disclose",
    "EventOfTable",
    "Hex32",
    "Hex64",
    "JoinBody",
    "LeaveBody",
    "Number",
    "ObjectBody",
    "Open",
    "Opening",
    "Openings",
    "Party",
    "Permissions",
    "ReplaceBody",
    "Reveal",
    "RevealGlance",
    "SealBody",
    "ShowBody",
    "SignedAct",
    "Succession",
    "Time",
    "Void",
    "Word",
    "is_time",
]

MIN_CHAIN = 2
"""the fewest links of a chain: the last one is reserved for the commit that replaces the chain"""
MAX_CHAIN = 65_536
MAX_PLAYERS = 5_000
"""the highest number of a player at an event"""
HEX_DIGITS = {32: N_("64 hexadecimal digits, 0 to 9 and a to f"), 64: N_("128 hexadecimal digits, 0 to 9 and a to f")}
"""number of bytes → their form"""
Hex32 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z", description=HEX_DIGITS[32])]
Hex64 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{128}\Z", description=HEX_DIGITS[64])]
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
