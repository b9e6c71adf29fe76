"""Attestations: signatures by which parties vouch for lines, and statements that show them (specs/disputes.md)."""

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
from verifier.log.bodies import Opening
from verifier.log.format import decode_envelope
from verifier.log.identity import VerifierKey
from verifier.log.merkle import MerkleTree, consistency_proof, leaf_hash
from verifier.replay import Replay
from verifier.report import Report
from verifier.verification import read_lines

__all__ = ["Attestation", "AttestedLog", "File", "Side", "last_line", "side_of", "statement", "statement_of_prefix"]


class File(NamedTuple):
    """A log to compare: its name, a function that opens it, and checkpoints of it that the caller holds."""

    name: str
    open: Callable[[], BinaryIO]
    receipts: Mapping[str, bytes] = {}


class Attestation(Struct, frozen=True):
    """A signature by which a party vouches for the beginning of a history."""

    how: Literal["event", "opening", "checkpoint"]
    number: int
    """the number of the event, or of the opening's request, or the size of the checkpoint"""


class AttestedLog(NamedTuple):
    """A verified log."""

    file: File
    report: Report
    replay: Replay

    @property
    def keeper(self) -> str:
        """The party that keeps the log."""
        return self.replay.terms.keeper

    def key_at(self, name: str, seq: int) -> VerifierKey:
        """Return the key with which a party signs event `seq`, and its openings for that event."""
        return self.replay.terms.keys_of(name)[self.replay.conduct.key_number(name, seq)]

    def lines(self, start: int = 0) -> Iterator[bytes]:
        """Yield the valid lines from `start` on, without line feeds. Raises OSError, and ChangedError if some are
        missing.
        """
        with self.file.open() as stream:
            left = self.replay.size - start
            for line in islice(read_lines(stream), start, self.replay.size):
                left -= 1
                yield line.removesuffix(b"\n")
        if left > 0:
            raise ChangedError("{name} was changed while it was read: try again", name=self.file.name)

    def leaves(self, size: int) -> list[bytes]:
        """Return the leaf hashes of the first `size` lines."""
        return [leaf_hash(line) for line in islice(self.lines(), size)]

    def root(self, size: int) -> bytes:
        """Return the root of the first `size` lines."""
        tree = MerkleTree()
        for line in islice(self.lines(), size):
            tree.append(leaf_hash(line))
        return tree.root()

    def checkpoints(self) -> Iterator[SignedCheckpoint]:
        """Yield the caller's checkpoints that the keeper signed for this game."""
        terms = self.replay.terms
        for data in self.file.receipts.values():
            try:
                checkpoint = parse_checkpoint(data)
            except NoteError:
                continue
            if checkpoint.head.game == terms.game and keeper_signed(checkpoint, terms.keys[terms.keeper]):
                yield checkpoint

    def checkpoint(self, least: int) -> SignedCheckpoint | None:
        """Return a checkpoint that agrees with this log and covers at least this many lines; None without one."""
        for checkpoint in self.checkpoints():
            head = checkpoint.head
            if least <= head.size <= self.replay.size and self.root(head.size) == head.root:
                return checkpoint
        return None


class _Openings(Struct):
    """The openings of a reveal, disclose or close."""

    openings: tuple[Opening, ...] = ()


_AFTER_REQUEST = {"reveal": 1, "close": 1, "disclose": 2}
"""type of an event with openings → its distance in lines from the request (before a disclose stands a void)"""


class Side(NamedTuple):
    """The signatures in one history, from the line on in which it differs from another."""

    vouched: dict[VerifierKey, Attestation]
    """key of a party → its first signature that vouches for that line"""
    signed: dict[VerifierKey, Attestation]
    """key of a party → its first event from that line on"""


def side_of(log: AttestedLog, seq: int) -> Side:
    """Return the signatures in this history from line `seq` on, where another history has another line."""
    side = Side({}, {})
    authors: set[str] = set()
    keeper = log.key_at(log.keeper, 0)
    for number, line in enumerate(log.lines(seq), seq):
        event = decode_envelope(line)
        author = log.key_at(event.author, number)
        side.signed.setdefault(author, Attestation("event", number))
        request = number - _AFTER_REQUEST.get(event.type, number + 1)
        if request >= seq:
            for opening in msgspec.json.decode(event.body, type=_Openings).openings:
                if opening.author != log.keeper:  # the keeper's own event shows as much
                    side.vouched.setdefault(log.key_at(opening.author, request), Attestation("opening", request))
        if authors - {event.author} or event.author == log.keeper:  # consecutive lines of one guest count for nothing
            side.vouched.setdefault(author, Attestation("event", number))
        authors.add(event.author)
    checkpoint = log.checkpoint(seq + 1) if keeper not in side.vouched else None
    if checkpoint is not None:
        side.vouched[keeper] = Attestation("checkpoint", checkpoint.head.size)
    return side


def last_line(log: AttestedLog, vouch: Attestation, name: str) -> int:
    """Return the last line that a party's first vouching signature vouches for."""
    if vouch.how == "opening" or (vouch.how == "event" and name == log.keeper):
        return vouch.number
    # A checkpoint's size is its last line plus one. The line before a vouching event is by another party.
    return vouch.number - 1


def statement(log: AttestedLog, vouch: Attestation, index: int, name: str) -> Statement | None:
    """Return the statement by which a party vouches for line `index`; None if it would be too long."""
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


def _openings(log: AttestedLog, request: int) -> tuple[Opening, ...]:
    """Return the openings that a log has for a request."""
    after = islice(log.lines(request + 1), 2)
    first = decode_envelope(next(after))
    event = decode_envelope(next(after)) if first.type == "void" else first
    return msgspec.json.decode(event.body, type=_Openings).openings


def statement_of_prefix(log: AttestedLog, checkpoint: SignedCheckpoint, size: int) -> Statement:
    """Return the statement by which the keeper vouches for the first `size` lines."""
    if checkpoint.head.size == size:
        return Statement(checkpoint=bytes(checkpoint).decode())
    leaves = log.leaves(checkpoint.head.size)
    hashes = tuple(b64encode(each).decode() for each in consistency_proof(leaves, size))
    return Statement(checkpoint=bytes(checkpoint).decode(), hashes=hashes, root=b64encode(log.root(size)).decode())
