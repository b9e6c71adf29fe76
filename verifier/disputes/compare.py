"""Comparison of two logs of a game: one history or a fork, and the parties that signed both (specs/disputes.md)."""

from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from typing import Literal

from msgspec import UNSET, Struct

from rules import Phase
from rules.data.language import Translate
from verifier.checkpoints.checkpoint import SignedCheckpoint, parse_checkpoint
from verifier.disputes.attestation import (
    Attestation,
    AttestedLog,
    File,
    last_line,
    side_of,
    statement,
    statement_of_prefix,
)
from verifier.disputes.evidence import EVIDENCE_FORMAT, MAX_EVIDENCE, Evidence, Statement
from verifier.log.format import Envelope, decode_envelope
from verifier.log.identity import VerifierKey
from verifier.replay import Replay
from verifier.report import Report
from verifier.verification import read_lines, verify

__all__ = ["Comparison", "DoubleSigner", "Fork", "compare", "compare_receipt"]

Outcome = Literal["equal", "prefix", "forked", "other-game", "short", "unverified", "unreadable"]


class DoubleSigner(Struct, frozen=True):
    """A party that signed in both histories, from the line on in which they differ."""

    name: str
    signed: tuple[Attestation, Attestation]
    """its first such signature in each file"""
    proof: bool
    """whether the signatures vouch for both lines, which no honest party does"""


class Fork(Struct, frozen=True):
    """The place where two histories diverge, and who signed both."""

    seq: int | None
    """the first line that differs; None for a receipt, which does not show it"""
    events: tuple[Envelope, ...]
    signed_both: tuple[DoubleSigner, ...]
    evidence: Mapping[str, Callable[[], Evidence | None]]
    """accused → function that makes evidence, the keeper's first; it returns None beyond MAX_EVIDENCE"""


class Comparison(Struct, frozen=True):
    """The result of comparing two files."""

    outcome: Outcome
    common: int
    """the number of lines that both are known to begin with"""
    reports: tuple[Report, ...]
    fork: Fork | None = None

    @property
    def exit_code(self) -> int:
        """The worse exit code of the two reports, else 0 for one history and 1 for two."""
        worst = max(report.exit_code for report in self.reports)
        return worst or (0 if self.outcome in ("equal", "prefix") else 1)


def compare(one: File, other: File, *, jobs: int = 1, translate: Translate = str) -> Comparison:
    """Verify both logs, and find out where they diverge and who signed both.

    Raises ChangedError if a file is no longer the one that was verified. An OSError is passed on.
    """
    found = [_verified(file, jobs, translate) for file in (one, other)]
    reports = tuple(report for report, _ in found)
    if any(replay is None or not replay.size for _, replay in found):
        unread = "unreadable" in (report.verdict for report in reports)
        return Comparison("unreadable" if unread else "unverified", 0, reports)
    logs = [
        AttestedLog(file, report, replay) for file, (report, replay) in zip((one, other), found, strict=True) if replay
    ]
    if reports[0].game != reports[1].game:
        return Comparison("other-game", 0, reports)
    common = min(_common(one, other), *(report.events for report in reports))  # an offer behind a log does not count
    if common < min(report.valid_prefix for report in reports):
        return Comparison("forked", common, reports, _fork((logs[0], logs[1]), common))
    if common == reports[0].events == reports[1].events:
        return Comparison("equal", common, reports)
    held = all(report.valid_prefix == report.events for report in reports)
    return Comparison("prefix" if held else "unverified", common, reports)


def compare_receipt(file: File, name: str, receipt: bytes, *, jobs: int = 1, translate: Translate = str) -> Comparison:
    """Verify a log and a checkpoint, and find out whether one history can include both.

    Raises NoteError if the bytes are no checkpoint, and ChangedError if the file is no longer the one that was
    verified. An OSError is passed on.
    """
    checkpoint = parse_checkpoint(receipt)
    file = file._replace(receipts={**file.receipts, name: receipt})
    report, replay = _verified(file, jobs, translate)
    if replay is None or not replay.size:
        return Comparison("unreadable" if report.verdict == "unreadable" else "unverified", 0, (report,))
    log, head = AttestedLog(file, report, replay), checkpoint.head
    if head.game != replay.terms.game:
        return Comparison("other-game", 0, (report,))
    if checkpoint not in list(log.checkpoints()):
        return Comparison("unverified", 1, (report,))
    if head.size <= replay.size:
        if log.root(head.size) == head.root:
            return Comparison("equal" if head.size == report.events else "prefix", head.size, (report,))
        return Comparison("forked", 1, (report,), _fork_with(log, checkpoint))
    closed = replay.session.phase is Phase.CLOSED
    if closed or any(each.head.size == head.size and each.head.root != head.root for each in log.checkpoints()):
        return Comparison("forked", 1, (report,), _fork_with(log, checkpoint))
    return Comparison("short" if head.size > report.events else "unverified", replay.size, (report,))


def _verified(file: File, jobs: int, translate: Translate) -> tuple[Report, Replay | None]:
    with file.open() as stream:
        return verify(stream, name=file.name, jobs=jobs, translate=translate, receipts=file.receipts)


def _common(one: File, other: File) -> int:
    """Return how many lines, with their line feeds, both files begin with."""
    count = 0
    with one.open() as stream, other.open() as stream2:
        for line, line2 in zip_longest(read_lines(stream), read_lines(stream2)):
            if line != line2:
                break
            count += 1
    return count


def _fork(logs: tuple[AttestedLog, AttestedLog], seq: int) -> Fork:
    one, other = (side_of(log, seq) for log in logs)
    keeper = logs[0].keeper
    both = []
    first = {}
    for name, key in _keys(logs[0]):
        if name in first:
            continue
        if key in one.vouched and key in other.vouched:
            both.append(DoubleSigner(name, (one.vouched[key], other.vouched[key]), proof=True))
        elif key in one.signed and key in other.signed:
            both.append(DoubleSigner(name, (one.signed[key], other.signed[key]), proof=False))
        else:
            continue
        first[name] = key == logs[0].replay.terms.first_key(name)
    shown = (signer for signer in both if signer.proof and first[signer.name])
    proven = sorted(shown, key=lambda signer: signer.name != keeper)
    events = tuple(decode_envelope(next(log.lines(seq))) for log in logs)
    return Fork(seq, events, tuple(both), {signer.name: _maker(logs, signer) for signer in proven})


def _keys(log: AttestedLog) -> Iterator[tuple[str, VerifierKey]]:
    """Yield the keys of all parties, a party's oldest first."""
    terms = log.replay.terms
    for name in terms.keys:
        for key in terms.keys_of(name):
            yield name, key


def _fork_with(log: AttestedLog, receipt: SignedCheckpoint) -> Fork:
    """Return the fork between a log and a checkpoint that no single history can include."""
    head, keeper, replay = receipt.head, log.keeper, log.replay
    others = [each for each in log.checkpoints() if each.head.size == head.size and each.head.root != head.root]
    agreeing = log.checkpoint(head.size)
    other = next(iter(others), agreeing)
    signed = None if other is None else Attestation("checkpoint", other.head.size)
    if signed is None and (replay.sealed >= head.size - 1 or replay.session.phase is Phase.CLOSED):
        signed = Attestation("event", replay.sealed)
    both = () if signed is None else (DoubleSigner(keeper, (signed, Attestation("checkpoint", head.size)), proof=True),)
    if other is None:
        return Fork(None, (), both, {})
    evidence = _evidence(
        log,
        keeper,
        head.size,
        statement_of_prefix(log, other, head.size),
        Statement(checkpoint=bytes(receipt).decode()),
    )
    return Fork(None, (), both, {keeper: lambda: evidence})


# --- evidence ----------------------------------------------------------------------------------------------------


def _maker(logs: tuple[AttestedLog, AttestedLog], signer: DoubleSigner) -> Callable[[], Evidence | None]:
    """Return a function that makes the evidence. Evidence is made on demand, because it can be long and there can be
    many.
    """

    def make() -> Evidence | None:
        name, signed = signer.name, signer.signed
        index = min(last_line(log, vouch, name) for log, vouch in zip(logs, signed, strict=True))
        one, other = (statement(log, vouch, index, name) for log, vouch in zip(logs, signed, strict=True))
        return None if one is None or other is None else _evidence(logs[0], name, index, one, other)

    return make


def _evidence(log: AttestedLog, name: str, index: int, one: Statement, other: Statement) -> Evidence | None:
    late = log.replay.conduct.late.get(name)
    admit = UNSET if late is None else next(log.lines(late.seq)).decode()
    evidence = Evidence(name, EVIDENCE_FORMAT, index, next(log.lines()).decode(), (one, other), admit)
    return evidence if len(bytes(evidence)) <= MAX_EVIDENCE else None
