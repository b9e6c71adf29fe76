"""Who vouches for which lines of a history, by what signature, and the statement that shows it (specs/disputes.md)."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import BinaryIO, Literal, NamedTuple

import msgspec
from msgspec import Struct

from verifier.checkpoints.checkpoint import SignedCheckpoint, keeper_signed, parse_checkpoint
from verifier.checkpoints.event_proof import make_proof
from verifier.disputes.evidence import MAX_EVIDENCE, Statement
from verifier.errors import ChangedError, NoteError
from verifier.log.format import Opening, decode_envelope
from verifier.log.merkle import MerkleTree, consistency_proof, leaf_hash
from verifier.replay import Replay
from verifier.report import Report
from verifier.verification import read_lines

__all__ = ["Attestation", "File", "Log", "Side", "last_line", "side_of", "statement", "statement_of_prefix"]


class File(NamedTuple):
    """A log to compare: its name, what opens it from its start, and checkpoints of it that the caller holds."""

    name: str
    open: Callable[[], BinaryIO]
    receipts: Mapping[str, bytes] = {}


class Attestation(Struct, frozen=True):
    """A signature by which a party vouches for the beginning of a history."""

    how: Literal["event", "opening", "checkpoint"]
    number: int
    """of the event, or of the request that was opened for; the size of the checkpoint"""


class Log(NamedTuple):
    """A log that was verified."""

    file: File
    report: Report
    replay: Replay

    @property
    def keeper(self) -> str:
        """Who keeps the log."""
        return self.replay.terms.keeper

    def lines(self, start: int = 0) -> Iterator[bytes]:
        """The lines that hold, without their line feeds. Raises OSError; ChangedError where they are not all there."""
        with self.file.open() as stream:
            left = self.replay.size - start
            for line in islice(read_lines(stream), start, self.replay.size):
                left -= 1
                yield line.removesuffix(b"\n")
        if left > 0:
            raise ChangedError("{name} was changed while it was read: try again", name=self.file.name)

    def leaves(self, size: int) -> list[bytes]:
        """The leaf hashes of the first lines."""
        return [leaf_hash(line) for line in islice(self.lines(), size)]

    def root(self, size: int) -> bytes:
        """The root of the first lines."""
        tree = MerkleTree()
        for line in islice(self.lines(), size):
            tree.append(leaf_hash(line))
        return tree.root()

    def checkpoints(self) -> Iterator[SignedCheckpoint]:
        """Those that the caller holds and the keeper signed for this game."""
        terms = self.replay.terms
        for data in self.file.receipts.values():
            try:
                checkpoint = parse_checkpoint(data)
            except NoteError:
                continue
            if checkpoint.head.game == terms.game and keeper_signed(checkpoint, terms.keys[terms.keeper]):
                yield checkpoint

    def checkpoint(self, least: int) -> SignedCheckpoint | None:
        """One that agrees with this log and is for at least so many lines."""
        for checkpoint in self.checkpoints():
            head = checkpoint.head
            if least <= head.size <= self.replay.size and self.root(head.size) == head.root:
                return checkpoint
        return None


class _Openings(Struct):
    """What is looked at in a reveal, disclose or close."""

    openings: tuple[Opening, ...] = ()


_AFTER_REQUEST = {"reveal": 1, "close": 1, "disclose": 2}
"""how many lines after its request an event with openings stands (a void is between it and a disclose)"""


class Side(NamedTuple):
    """Who signed in one history, from the line on in which it differs."""

    vouched: dict[str, Attestation]
    """for each party its first signature that vouches for that line"""
    signed: dict[str, Attestation]
    """its first event from there on"""


def side_of(log: Log, seq: int) -> Side:
    """Who signed in this history from line `seq` on, of which there is another in another history."""
    side = Side({}, {})
    authors: set[str] = set()
    for number, line in enumerate(log.lines(seq), seq):
        event = decode_envelope(line)
        side.signed.setdefault(event.author, Attestation("event", number))
        request = number - _AFTER_REQUEST.get(event.type, number + 1)
        if request >= seq:
            for opening in msgspec.json.decode(event.body, type=_Openings).openings:
                if opening.author != log.keeper:  # whose own event says as much
                    side.vouched.setdefault(opening.author, Attestation("opening", request))
        if authors - {event.author} or event.author == log.keeper:  # a guest's run of own lines counts for nothing
            side.vouched.setdefault(event.author, Attestation("event", number))
        authors.add(event.author)
    checkpoint = log.checkpoint(seq + 1) if log.keeper not in side.vouched else None
    if checkpoint is not None:
        side.vouched[log.keeper] = Attestation("checkpoint", checkpoint.head.size)
    return side


def last_line(log: Log, vouch: Attestation, name: str) -> int:
    """The last line that the first signature by which a party vouches for a line vouches for."""
    if vouch.how == "opening" or (vouch.how == "event" and name == log.keeper):
        return vouch.number
    # A checkpoint's size is one more than its last line. Before the first event that vouches stands another party's.
    return vouch.number - 1


def statement(log: Log, vouch: Attestation, index: int, name: str) -> Statement | None:
    """By which a party vouches for line `index`; None where it would be too long."""
    if vouch.how == "checkpoint":
        checkpoint = log.checkpoint(vouch.number)
        assert checkpoint is not None
        line = next(log.lines(index))
        return Statement(proof=bytes(make_proof(log.leaves(checkpoint.head.size), line, index, checkpoint)).decode())
    lines: list[str] = []
    size = 0
    for line in islice(log.lines(index), vouch.number - index + 1):
        size += len(line)
        if size > MAX_EVIDENCE:
            return None
        lines.append(line.decode())
    if vouch.how == "event":
        return Statement(lines=tuple(lines))
    opening = next(each for each in _openings(log, vouch.number) if each.author == name)
    return Statement(lines=tuple(lines), opening=opening)


def _openings(log: Log, request: int) -> tuple[Opening, ...]:
    """Those that a log has for a request."""
    after = islice(log.lines(request + 1), 2)
    first = decode_envelope(next(after))
    event = decode_envelope(next(after)) if first.type == "void" else first
    return msgspec.json.decode(event.body, type=_Openings).openings


def statement_of_prefix(log: Log, checkpoint: SignedCheckpoint, size: int) -> Statement:
    """By which the keeper vouches for the first `size` lines."""
    if checkpoint.head.size == size:
        return Statement(checkpoint=bytes(checkpoint).decode())
    leaves = log.leaves(checkpoint.head.size)
    hashes = tuple(b64encode(each).decode() for each in consistency_proof(leaves, size))
    return Statement(checkpoint=bytes(checkpoint).decode(), hashes=hashes, root=b64encode(log.root(size)).decode())
