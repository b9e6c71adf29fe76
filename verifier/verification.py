"""Verify a log from its first byte to its last (specs/verification.md). Takes bytes and keys; opens nothing."""

import contextlib
import io
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple, NoReturn

from rules.language import N_
from verifier.checkpoints.policy import Policy
from verifier.checkpoints.receipts import UNCHECKED, Receipts
from verifier.errors import Failure, Finding, KeyFormatError, TimeLimit
from verifier.first_line import check_first_line
from verifier.format import MAX_LINE, Envelope, decode_envelope, signed_message
from verifier.identity import VerifierKey
from verifier.language import Translate, join_sentences
from verifier.merkle import leaf_hash
from verifier.plainjson import PlainJsonError, plain_json
from verifier.replay import Replay
from verifier.report import Head, Report, coverage, not_judged, notices, trust_statement
from verifier.signatures import FailedLine, SignatureQueue, trust
from verifier.terms import Pins, Terms

if TYPE_CHECKING:
    from verifier.rosters.check import RosterCheck

__all__ = ["read_lines", "verify"]

CHUNK_LINES = 2_048
CHUNK_BYTES = 1_000_000
"""what is kept until its signatures are checked: lines, or bytes if the lines are long"""


def verify(
    log: bytes | BinaryIO,
    *,
    name: str = "log",
    pins: Pins | None = None,
    jobs: int = 1,
    translate: Translate = str,
    receipts: Mapping[str, bytes] | None = None,
    policy: Policy | None = None,
) -> tuple[Report, Replay | None]:
    """Verify one log; also returns the replay of its valid prefix, or None where nothing could be read.

    `log` is the file's bytes or a binary stream, which is read once, line by line. With `jobs` above 1 as many
    processes check the signatures of a long log beside the replay (see `Workers`); nothing else changes.
    `translate` puts messages into another language.
    `receipts`: checkpoints of this game that the caller holds, by name; `policy`: whose cosignatures the log must have.
    Nothing that the log says makes this raise; an OSError of the stream passes through. Where memory or the processor
    time of `verifier.shell.limits` runs out the report says so ("unfinished").
    """
    stream = io.BytesIO(log) if isinstance(log, bytes) else log
    first = stream.readline(MAX_LINE + 2)
    try:
        check_first_line(first or None)  # 1 to 3
    except Failure as failure:
        finding = _error(failure, 0, "file", failure.message(translate))
        checked, not_checked = coverage(None, finding, translate)
        return Report(name, "unreadable", None, 0, 0, None, (finding,), "", checked, not_checked, None), None
    run = _Run(name, pins or Pins(), jobs, translate, Receipts(receipts or {}, policy))
    try:
        return run.run(first, stream)
    except MemoryError:
        return run.unfinished("limit.memory", N_("There was not enough memory to verify this log to its end.")), None
    except TimeLimit as limit:
        return run.unfinished("limit.time", limit.template, **limit.values), None


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream with their line feeds.

    Of a line that is too long only MAX_LINE + 2 bytes are kept, the last of them a line feed if the line has one.
    """
    while line := stream.readline(MAX_LINE + 2):
        if len(line) == MAX_LINE + 2 and not line.endswith(b"\n"):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(MAX_LINE)
            line = line[:-1] + b"\n" if rest else line
        yield line


def _count_lines(stream: BinaryIO) -> int:
    """The lines that are left in a stream, whatever is in them."""
    count, last = 0, b"\n"
    while block := stream.read(1_000_000):
        count += block.count(b"\n")
        last = block[-1:]
    return count + (last != b"\n")


class _Part(NamedTuple):
    """Lines that were replayed, and the state before them."""

    before: Replay
    lines: list[bytes]


class _Run:
    """One verification.

    Lines are replayed in chunks, and their signatures checked beside that: by the end of a chunk those of the one
    before it. A chunk is kept, with the state before it, until it holds.
    """

    def __init__(self, name: str, pins: Pins, jobs: int, translate: Translate, receipts: Receipts) -> None:
        self.name = name
        self.replay = Replay(pins)
        self.queue = SignatureQueue(jobs)
        self.translate = translate
        self.receipts = receipts
        self.roster = _roster_check(pins)
        self.events = 0
        self.held = 0
        """how many lines are known to hold"""

    def run(self, first: bytes, stream: BinaryIO) -> tuple[Report, Replay]:
        lines = self._counted(first, read_lines(stream))
        parts: deque[_Part] = deque()
        try:
            while chunk := _chunk(lines):
                parts.append(_Part(self.replay.copy(), chunk))
                self._replay(chunk)
                self.queue.settle(below=parts[-1].before.size)
                self.held = parts[-1].before.size
                while len(parts) > 1:
                    parts.popleft()
            self.queue.settle()
        except FailedLine as failed:
            while len(parts) > 1 and failed.seq >= parts[1].before.size:
                parts.popleft()
            later = chain.from_iterable(part.lines for part in islice(parts, 1, None))
            return self._failed(failed, *parts[0], chain(later, lines), stream), self.replay
        finally:
            self.queue.close()
        return self._report((), ended=True), self.replay

    def _counted(self, first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
        self.events = 1
        yield first
        for line in rest:
            self.events += 1
            yield line

    def _replay(self, chunk: list[bytes]) -> None:
        """Raises FailedLine."""
        replay, queue = self.replay, self.queue
        for line in chunk:
            seq = replay.size
            try:
                if not line.endswith(b"\n"):  # 4
                    raise Failure(4, "line.unterminated", "The last line has no line feed: the file was cut inside it.")
                event = replay.step(line[:-1], queue.add)  # 1 to 23
                queue.end_line(len(line))
                self.receipts.note(replay)
                if self.roster is not None:
                    self.roster.note(event, replay)
            except Failure as failure:
                self._raise_first(FailedLine(seq, failure))

    def _raise_first(self, failed: FailedLine) -> NoReturn:
        """Raise it, or the signature that failed on a line before, or at a step before. Raises FailedLine."""
        try:
            self.queue.settle()
        except FailedLine as signature:
            if (signature.seq, signature.failure.step) < (failed.seq, failed.failure.step):
                raise
        raise failed from None

    def unfinished(self, code: str, template: str, **values: object) -> Report:
        """What is told where verifying came to no end."""
        game = self.replay.terms.game.hex() if self.held else None
        events, held, translate = self.events, self.held, self.translate
        del self.replay  # there may be no memory to say it
        message = translate(template).format(**values)
        return not_judged(
            self.name, "unfinished", code, message, translate, game=game, events=events, valid_prefix=held
        )

    def _failed(
        self, failed: FailedLine, before: Replay, chunk: list[bytes], rest: Iterator[bytes], stream: BinaryIO
    ) -> Report:
        """Report a failure: go back to the state before the line, find out whose fault it is, and count the rest."""
        replay = before
        position = failed.seq - before.size
        for line in chunk[:position]:
            replay.step(line[:-1], trust)
        self.replay = replay
        failure = failed.failure
        line, following = chunk[position], chunk[position + 1 :]
        signers = _Signers.of(replay.terms) if replay.size else _Signers.read(line)
        fault, signed_over = _fault(failure, line, chain(following, rest), signers)
        self.events += _count_lines(stream)
        sentences = [_sentence(failure, self.translate)]
        if signed_over and fault == signers.keeper and failure.step < 13:
            text = self.translate("{keeper}, the keeper, signed over it.")
            sentences.append(text.format(keeper=signers.keeper))
        elif signed_over and fault != signers.keeper:
            text = self.translate("{keeper}, the keeper, accepted it all the same.")
            sentences.append(text.format(keeper=signers.keeper))
        finding = _error(failure, failed.seq, fault, join_sentences(sentences, self.translate))
        return self._report((finding,), ended=False)

    def _report(self, errors: tuple[Finding, ...], *, ended: bool) -> Report:
        replay = self.replay
        if replay.size == 0:
            checked, not_checked = coverage(None, errors[0], self.translate)
            return Report(self.name, "fails", None, self.events, 0, None, errors, "", checked, not_checked, None)
        checked, not_checked = coverage(replay, errors[0] if errors else None, self.translate)
        beside = self.receipts.judge(replay, self.events, self.translate, ended=ended)  # 26, 27
        errors += beside.findings
        told = notices(replay, self.translate, ended=ended, taken=beside.taken) + beside.notices
        for finding in () if self.roster is None else self.roster.findings(replay, self.translate):  # 28
            if finding.severity == "error":
                errors += (finding,)
            else:
                told += (finding,)
        return Report(
            file=self.name,
            verdict=_verdict(errors),
            game=replay.terms.game.hex(),
            events=self.events,
            valid_prefix=replay.size,
            head=Head(replay.size, replay.head.hex(), replay.tree.root().hex()),
            findings=errors + told,
            trust=trust_statement(replay, self.translate, holds=_verdict(errors) != "fails"),
            checked=checked + beside.checked,
            not_checked=beside.not_checked + not_checked,
            state=replay.session.view(),
        )


def _verdict(errors: tuple[Finding, ...]) -> Literal["holds", "fails", "unfinished"]:
    if not errors:
        return "holds"
    return "unfinished" if all(error.code == UNCHECKED for error in errors) else "fails"


def _roster_check(pins: Pins) -> "RosterCheck | None":
    if pins.roster is None:
        return None
    from verifier.rosters.check import RosterCheck  # most logs are verified without one

    return RosterCheck(pins.roster)


def _error(failure: Failure, seq: int, fault: str, message: str) -> Finding:
    return Finding(
        failure.code, "error", failure.step, seq, fault, failure.clause, message, failure.expected, failure.actual
    )


def _chunk(lines: Iterator[bytes]) -> list[bytes]:
    """The next lines, as many as are replayed before their signatures are checked."""
    chunk, size = [], 0
    for line in lines:
        chunk.append(line)
        size += len(line)
        if len(chunk) == CHUNK_LINES or size >= CHUNK_BYTES:
            break
    return chunk


def _sentence(failure: Failure, translate: Translate) -> str:
    """With a capital and a full stop: the rules word their violations to stand after a clause."""
    template, text = translate(failure.template), failure.message(translate)
    if template[:1].islower():  # not where a name stands first: names have no capitals
        text = text[:1].upper() + text[1:]
    if text.endswith((".", "?", "!", "。")):
        return text
    return text + ("." if template == failure.template else translate("."))


class _Signers(NamedTuple):
    """Whose signatures count when fault is looked for."""

    keys: Mapping[str, VerifierKey]
    keeper: str | None

    @classmethod
    def of(cls, terms: Terms) -> "_Signers":
        return cls(terms.keys, terms.keeper)

    @classmethod
    def read(cls, line: bytes) -> "_Signers":
        """From an event 0 that does not hold: the valid keys of its parties, without names that stand there twice."""
        found: list[tuple[VerifierKey, Any]] = []
        try:
            parties = list(plain_json(line.removesuffix(b"\n"))["body"]["parties"])
        except (PlainJsonError, KeyError, TypeError):
            parties = []
        for party in parties:  # one that is no party says nothing about the others
            with contextlib.suppress(KeyFormatError, KeyError, TypeError, AttributeError):
                found.append((VerifierKey.parse(party["key"]), party.get("role")))
        names = Counter(key.name for key, _ in found)
        alone = [(key, role) for key, role in found if names[key.name] == 1]
        keepers = [key.name for key, role in alone if role == "keeper"]
        return cls({key.name: key for key, _ in alone}, keepers[0] if len(keepers) == 1 else None)


def _fault(failure: Failure, line: bytes, following: Iterator[bytes], signers: _Signers) -> tuple[str, bool]:
    """Whose fault a failure is, and whether the keeper signed over it (specs/verification.md, "Fault")."""
    if failure.step in (1, 2, 3, 4, 7) or failure.code.startswith("expect."):
        return "file", False
    signed_over = _signed_over(line[:-1], following, signers)
    if failure.opening is not None and failure.step in (19, 20):
        return failure.opening, signed_over
    event = _signed_event(line[:-1], signers)
    if event is not None:
        return event.author, signed_over
    return (signers.keeper if signed_over and signers.keeper else "file"), signed_over


def _signed_event(line: bytes, signers: _Signers) -> Envelope | None:
    """The event in a line, if it decodes, is canonical and carries its author's signature."""
    try:
        event = decode_envelope(line)
    except Failure:
        return None
    key = signers.keys.get(event.author)
    return event if key is not None and key.verify(bytes.fromhex(event.sig), signed_message(event)) else None


def _signed_over(line: bytes, following: Iterator[bytes], signers: _Signers) -> bool:
    """Whether the keeper signed an event that has this line in its chain."""
    leaf = leaf_hash(line)
    for terminated in following:
        next_line = terminated.removesuffix(b"\n")
        try:
            event = decode_envelope(next_line)
        except Failure:
            return False
        if event.prev != leaf.hex() or not terminated.endswith(b"\n") or len(next_line) > MAX_LINE:
            return False
        if event.author == signers.keeper and _signed_event(next_line, signers) is not None:
            return True
        leaf = leaf_hash(next_line)
    return False
