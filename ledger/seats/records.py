"""The records of a seat's memory, one for each game (specs/seats.md, "What a seat remembers")."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

__all__ = [
    "Acknowledgements",
    "Memories",
    "OwnChain",
    "OwnSeal",
    "Record",
    "RememberedReceipt",
    "SeatHead",
    "mark_moved",
]


class SeatHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of a log that the seat has verified itself."""

    size: int
    """number of lines"""
    leaf: str
    """leaf hash (hex) of the last line"""


class OwnChain(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the seat's own seed chains. Hashes and secrets are hex."""

    tip: str
    length: int
    secret: str
    opened: int = 0
    """the highest index that was opened; 0: none"""
    request: str = ""
    """the request that it was opened for"""
    moved: bool = False
    """True if the chain came from another machine, and is opened for no roll here"""
    replaced: bool = False
    """a link of it went into a commit to another chain: it is used up"""


class OwnSeal(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the seat's own seals: numbers of its tags, and the key (hex) that its secrets are made of."""

    first: int
    count: int
    key: str


class RememberedReceipt(Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint that the keeper signed for the seat."""

    size: int
    root: str
    """hex"""
    note: str
    """the checkpoint, as in a file"""
    leaf: str = ""
    """hex: leaf hash of its last line, when it was compared with a log that agrees"""


class Acknowledgements(Struct, frozen=True, forbid_unknown_fields=True):
    """The request for which the seat gave receipts last, as one that may void it."""

    request: str
    """hex: its leaf hash"""
    authors: tuple[str, ...]
    """the authors of the acknowledged openings"""


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's record of one game. Hashes are hex."""

    head: SeatHead = SeatHead(0, "")
    chains: tuple[OwnChain, ...] = ()
    signed: Mapping[str, int] = {}
    """own events that are not yet among the verified lines: number by leaf hash"""
    voided: str = ""
    """the request that the seat voided last, or declined to open for"""
    acknowledged: Acknowledgements = Acknowledgements("", ())
    receipts: tuple[RememberedReceipt, ...] = ()
    received: tuple[str, ...] = ()
    """receipts for its openings, as they travel"""
    stopped: str = ""
    """why it signs nothing more in this game"""
    warnings: tuple[str, ...] = ()
    """warnings that the owner has not seen yet"""
    seals: tuple[OwnSeal, ...] = ()
    denied: str = ""
    """the request for which it opened, of which the keeper's judge says that it did not"""
    lines: tuple[str, ...] = ()
    """of an event log that it keeps: the lines that it signed together last"""
    hidden: Mapping[str, tuple[str, str]] = {}
    """salt (hex) and text of the purposes of own secret rolls, by their hash in the request (hex)"""


class Memories(Struct, frozen=True, forbid_unknown_fields=True):
    """All that goes with a seat to another machine. As secret as its chains."""

    count: int
    since: str
    records: Mapping[str, Record]
    """by game, hex"""


def mark_moved(record: Record) -> Record:
    """Return the record for another machine, where its chains open nothing."""
    chains = tuple(msgspec.structs.replace(chain, moved=True) for chain in record.chains)
    return msgspec.structs.replace(record, chains=chains)
