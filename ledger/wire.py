"""What a server answers and streams (specs/network.md, "Paths", "The stream", "Refusals"), for client and server alike.

Nothing in it is checked: a client takes it to where it is (`ledger.lobby`, `verifier`, its seat).
"""

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, Struct, UnsetType

from rules.bounds import Count, Name, Positive
from verifier.format import Hex32, Time

__all__ = [
    "Anchored",
    "Bye",
    "Here",
    "NewTable",
    "OpeningReceived",
    "Problem",
    "Server",
    "Started",
    "TakenLine",
    "Token",
]


class Server(Struct, frozen=True):
    """`GET /v1/server`."""

    judge: str | None
    """verifier key of the server's judge; None where it has none"""
    keep_days: Count | None
    """how long closed games stay; None for ever"""
    keeper: str
    """verifier key"""
    limits: Mapping[str, int]
    name: str
    systems: tuple[str, ...]
    time: Time


class NewTable(Struct, frozen=True):
    """`POST /v1/tables`."""

    table: Hex32


class Started(Struct, frozen=True):
    """`POST /v1/tables/TABLE/start`."""

    game: Hex32


class Token(Struct, frozen=True):
    """`POST /v1/games/GAME/access`."""

    token: Hex32


class TakenLine(Struct, frozen=True):
    """`POST /v1/games/GAME/lines`; without `seq` the event `checkpoint` of a stream."""

    checkpoint: str
    """note"""
    seq: Count | UnsetType = UNSET


class OpeningReceived(Struct, frozen=True):
    """`POST /v1/games/GAME/openings`."""

    received: msgspec.Raw
    """the keeper's receipt: an object; null where the roll was ended before the keeper had signed one"""


class Anchored(Struct, frozen=True):
    """`GET /v1/games/GAME/anchor`."""

    checkpoint: str
    final: str
    index: Count
    proof: tuple[Hex32, ...]
    salt: Hex32


class Here(Struct, frozen=True):
    """The event `here`."""

    here: tuple[Name, ...]


class Bye(Struct, frozen=True):
    """The event `bye`."""

    retry: Positive
    """seconds"""


class Problem(Struct, frozen=True):
    """A refusal, `application/problem+json` (RFC 9457)."""

    type: str
    title: str
    status: Positive
    detail: str
    code: str
    clause: str | UnsetType = UNSET
    head: Hex32 | UnsetType = UNSET
    """leaf hash of the last line, where a race was lost"""
    size: Count | UnsetType = UNSET
