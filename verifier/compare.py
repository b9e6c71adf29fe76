"""Two files of one game: one history, or two, and who signed both (specs/disputes.md)."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, zip_longest
from typing import BinaryIO, Literal, NamedTuple

from msgspec import Struct

from verifier.chain import MerkleTree, leaf_hash
from verifier.checkpoint import SignedCheckpoint, keeper_signed, parse_checkpoint
from verifier.errors import NoteError
from verifier.evidence import EVIDENCE_FORMAT, MAX_EVIDENCE, Evidence, Statement
from verifier.format import Envelope, decode_envelope
from verifier.language import Translate
from verifier.proof import make_proof
from verifier.replay import Replay, Terms
from verifier.report import Report
from verifier.verify import read_lines, verify

__all__ = ["Comparison", "File", "Fork", "Signer", "compare"]

Outcome = Literal["equal", "prefix", "forked", "other-game", "unverified", "unreadable"]


class File(NamedTuple):
    """A log to compare: its name, what opens it from its start, and checkpoints of it that the caller holds."""

    name: str
    open: Callable[[], BinaryIO]
    receipts: Mapping[str, bytes] = {}


class Signer(Struct, frozen=True):
    """A party that signed in both histories, from the line in which they differ on."""

    name: str
    seqs: tuple[int, int]
    """the first such event in each file"""
    proof: bool
    """whether it vouches for both lines, which no honest party does"""


class Fork(Struct, frozen=True):
    """Where two histories part."""

    seq: int
    events: tuple[Envelope, Envelope]
    signed_both: tuple[Signer, ...]
    evidence: Mapping[str, Evidence]
    """by the accused; the keeper's first"""


class Comparison(Struct, frozen=True):
    """What two files are to each other."""

    outcome: Outcome
    common: int
    """lines that both begin with"""
    reports: tuple[Report, Report]
    fork: Fork | None = None

    @property
    def exit_code(self) -> int:
        if self.outcome == "unreadable":
            return 2
        worst = max(report.exit_code for report in self.reports)
        return worst or (0 if self.outcome in ("equal", "prefix") else 1)


class _Vouched(NamedTuple):
    """How one side goes on from the line in which it differs."""

    lines: list[bytes]
    """from that line on, as far as evidence needs and can hold them"""
    signed: dict[str, int]
    """for each party its first event from there on"""
    vouched: dict[str, int]
    """for each party the first event by which it vouches for that line"""


def compare(one: File, other: File, *, jobs: int = 1, translate: Translate = str) -> Comparison:
    """Verify both, find out where they part, and make evidence against whoever signed both.

    An OSError passes through.
    """
    files = (one, other)
    (report, replay), (report2, replay2) = (_verified(file, jobs, translate) for file in files)
    reports = (report, report2)
    if replay is None or replay2 is None or not (replay.size and replay2.size):
        return Comparison("unreadable" if "unreadable" in (r.verdict for r in reports) else "unverified", 0, reports)
    if report.game != report2.game:
        return Comparison("other-game", 0, reports)
    common = _common(one, other)
    if common >= min(report.valid_prefix, report2.valid_prefix):
        return Comparison(_alike(common, reports), common, reports)
    return Comparison("forked", common, reports, _fork(files, (replay, replay2), common))


def _verified(file: File, jobs: int, translate: Translate) -> tuple[Report, Replay | None]:
    with file.open() as stream:
        return verify(stream, name=file.name, jobs=jobs, translate=translate, receipts=file.receipts)


def _lines(file: File) -> Iterator[bytes]:
    """The lines without their line feeds."""
    with file.open() as stream:
        for line in read_lines(stream):
            yield line.removesuffix(b"\n")


def _common(one: File, other: File) -> int:
    pairs = zip_longest(_lines(one), _lines(other))
    return next((number for number, (line, line2) in enumerate(pairs) if line != line2), _size(one))


def _size(file: File) -> int:
    """The number of lines of a file."""
    return sum(1 for _ in _lines(file))


def _alike(common: int, reports: tuple[Report, Report]) -> Outcome:
    """Of two files that do not differ where both hold."""
    if any(report.valid_prefix < report.events for report in reports):
        same = all(report.events == common for report in reports)
        return "equal" if same else "unverified"
    return "equal" if reports[0].events == reports[1].events else "prefix"


def _fork(files: tuple[File, File], replays: tuple[Replay, Replay], seq: int) -> Fork:
    terms = replays[0].terms
    sides = [_vouched(file, seq, replay.size, terms.keeper) for file, replay in zip(files, replays, strict=True)]
    one, other = sides
    events = tuple(decode_envelope(side.lines[0]) for side in sides)
    proven = {
        name: [_statement(*pair, seq, name, terms) for pair in zip(files, replays, sides, strict=True)]
        for name in terms.keys
    }
    evidence = {
        name: Evidence(name, EVIDENCE_FORMAT, seq, next(_lines(files[0])).decode(), (first, second))
        for name, (first, second) in sorted(proven.items(), key=lambda item: item[0] != terms.keeper)
        if first is not None and second is not None
    }
    evidence = {name: found for name, found in evidence.items() if len(bytes(found)) <= MAX_EVIDENCE}
    both = []
    for name in terms.keys:
        if name in one.vouched and name in other.vouched:
            both.append(Signer(name, (one.vouched[name], other.vouched[name]), proof=True))
        elif name in one.signed and name in other.signed:
            both.append(Signer(name, (one.signed[name], other.signed[name]), proof=False))
    return Fork(seq, (events[0], events[1]), tuple(both), evidence)


def _vouched(file: File, seq: int, end: int, keeper: str) -> _Vouched:
    """What lines `seq` to `end` - 1 show about who vouches for line `seq`."""
    found = _Vouched([], {}, {})
    size = 0
    for number, line in enumerate(islice(_lines(file), seq, end), seq):
        size += len(line)
        if size <= MAX_EVIDENCE // 2:
            found.lines.append(line)
        author = decode_envelope(line).author
        found.signed.setdefault(author, number)
        if number > seq or author == keeper:
            found.vouched.setdefault(author, number)
    return found


def _statement(file: File, replay: Replay, side: _Vouched, seq: int, name: str, terms: Terms) -> Statement | None:
    """The shortest statement by which a party vouches for line `seq` of this side, if there is one."""
    end = side.vouched.get(name)
    if end is not None and end - seq < len(side.lines):
        return Statement(lines=tuple(line.decode() for line in side.lines[: end - seq + 1]))
    checkpoint = _checkpoint(file, replay, seq) if name == terms.keeper else None
    if checkpoint is None:
        return None
    leaves = [leaf_hash(line) for line in islice(_lines(file), checkpoint.head.size)]
    return Statement(proof=bytes(make_proof(leaves, side.lines[0], seq, checkpoint)).decode())


def _checkpoint(file: File, replay: Replay, seq: int) -> SignedCheckpoint | None:
    """A checkpoint by the keeper that has line `seq` and agrees with this file."""
    keeper = replay.terms.keys[replay.terms.keeper]
    for data in file.receipts.values():
        try:
            checkpoint = parse_checkpoint(data)
        except NoteError:
            continue
        head = checkpoint.head
        if (
            not seq < head.size <= replay.size
            or head.game != replay.terms.game
            or not keeper_signed(checkpoint, keeper)
        ):
            continue
        tree = MerkleTree()
        for line in islice(_lines(file), head.size):
            tree.append(leaf_hash(line))
        if tree.root() == head.root:
            return checkpoint
    return None
