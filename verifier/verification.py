"""Verification of a log from its first byte to its last (specs/verification.md). It takes bytes and keys, and opens
nothing.
"""

import io
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple, NoReturn

import msgspec

from rules.data.language import N_, Translate
from verifier.checkpoints.policy import Policy
from verifier.checkpoints.receipts import UNCHECKED, Receipts
from verifier.errors import Failure, Finding, TimeLimit
from verifier.fairness import fairness_of_rolls
from verifier.fault import FailedEvent, Signers, failed_finding, signed_over
from verifier.log.first_line import check_first_line
from verifier.log.format import MAX_LINE
from verifier.log.identity import VerifierKey
from verifier.log.signatures import FailedLine, SignatureQueue, trust
from verifier.log.terms import Pins, check_late_pins
from verifier.notices import notices
from verifier.replay import Replay
from verifier.report import Head, Report, coverage, not_judged, trust_statement
from verifier.without_rules import author_without_rules

if TYPE_CHECKING:
    from verifier.rosters.check import RosterCheck

__all__ = ["read_lines", "verdict_of", "verify"]

CHUNK_LINES = 2_048
CHUNK_BYTES = 1_000_000
"""bytes after which a chunk ends, even if it has fewer than CHUNK_LINES lines"""


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
    """Verify one log. Return the report, and the replay of the valid prefix or None if nothing could be read.

    `log` is the file's bytes, or a binary stream that is read once, line by line. With `jobs` above 1, that many
    processes check the signatures of a long log during the replay (see `Workers`); the result is the same. `translate`
    translates the messages. `receipts` maps names to the caller's checkpoints of this game. `policy` says which
    cosignatures the log needs.

    Nothing in a log makes this function raise; an OSError of the stream is passed on. If memory or the processor time
    of `verifier.shell.limits` runs out, the verdict is "unfinished".
    """
    stream = io.BytesIO(log) if isinstance(log, bytes) else log
    first = stream.readline(MAX_LINE + 2)
    try:
        check_first_line(first or None)  # 1 to 3
    except Failure as failure:
        finding = failed_finding(failure, 0, "file", failure.message(translate))
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
    """Yield the lines of a stream with their line feeds.

    A line that is too long is cut to MAX_LINE + 2 bytes, of which the last is a line feed if the line has one.
    """
    while line := stream.readline(MAX_LINE + 2):
        if not line.endswith(b"\n"):  # it is too long, or the last
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(MAX_LINE)
            line = line[:-1] + b"\n" if rest else line
        yield line


def _count_lines(stream: BinaryIO) -> int:
    """Return the number of lines left in a stream, whatever they contain."""
    count, last = 0, b"\n"
    while block := stream.read(1_000_000):
        count += block.count(b"\n")
        last = block[-1:]
    return count + (last != b"\n")


class _Part(NamedTuple):
    """A chunk of replayed lines, with the state before them."""

    before: Replay
    lines: list[bytes]


class _Run:
    """One verification.

    Lines are replayed in chunks, and their signatures are checked at the same time: those of a chunk are done by the
    end of the next one. A chunk is kept, with the state before it, until it is known to be valid.
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
        """the number of lines that are known to be valid"""

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
        return self._report(self._late_pins(), ended=True), self.replay

    def _late_pins(self) -> tuple[Finding, ...]:
        """Return an error if an expected key is still missing at the end of a game that admits others (step 10)."""
        replay = self.replay
        try:
            check_late_pins(replay.pins, replay.terms, replay.session.parties.joined)
        except Failure as failure:
            text = failure.message(self.translate)
            found = failed_finding(failure, 0, "file", text)
            return (msgspec.structs.replace(found, seq=None),)
        return ()

    def _counted(self, first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
        self.events = 1
        yield first
        for line in rest:
            self.events += 1
            yield line

    def _replay(self, chunk: list[bytes]) -> None:
        """Replay a chunk of lines. Raises FailedLine."""
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
        """Raise this failure, or that of a signature that was met before it. Raises FailedLine."""
        try:
            self.queue.settle()
        except FailedLine as signature:
            # A signature of the same step was met before the failure: nothing that follows a failure is looked at.
            if (signature.seq, signature.failure.step) <= (failed.seq, failed.failure.step):
                raise
        raise failed from None

    def unfinished(self, code: str, template: str, **values: object) -> Report:
        """Return the report on a verification that could not be finished."""
        game = self.replay.terms.game.hex() if self.held else None
        events, held, translate = self.events, self.held, self.translate
        del self.replay  # free memory, so that the report can be made
        message = translate(template).format(**values)
        return not_judged(
            self.name, "unfinished", code, message, translate, game=game, events=events, valid_prefix=held
        )

    def _failed(
        self, failed: FailedLine, before: Replay, chunk: list[bytes], rest: Iterator[bytes], stream: BinaryIO
    ) -> Report:
        """Return the report on a failure: return to the state before the line, attribute the fault, count the rest."""
        replay = before
        position = failed.seq - before.size
        for line in chunk[:position]:
            replay.step(line[:-1], trust)
        self.replay = replay
        line, following = chunk[position], chain(chunk[position + 1 :], rest)
        if replay.size:
            joining = {name: VerifierKey.parse(each.key) for name, each in replay.session.parties.asked.items()}
            signers = Signers.of(replay.terms, replay.conduct.checks, joining)
        else:
            signers = Signers.read(line)
        over = signed_over(line, following, signers, replay.tree, self.receipts.ahead(replay))
        self.events += _count_lines(stream)
        unseeing = author_without_rules(replay, line[:-1]) if line.endswith(b"\n") else None
        event = FailedEvent(failed.seq, line, failed.failure, signers, over, unseeing)
        if unseeing is not None and not over and self.events == replay.size + 1:
            self.events = replay.size
            return self._report(self._late_pins(), ended=True, offer=event.offer(self.translate))
        return self._report((event.finding(self.translate),), ended=False)

    def _report(self, errors: tuple[Finding, ...], *, ended: bool, offer: Finding | None = None) -> Report:
        replay = self.replay
        if replay.size == 0:
            checked, not_checked = coverage(None, errors[0], self.translate)
            return Report(self.name, "fails", None, self.events, 0, None, errors, "", checked, not_checked, None)
        checked, not_checked = coverage(replay, errors[0] if errors else None, self.translate)
        beside = self.receipts.judge(replay, self.events, self.translate, ended=ended)  # 26, 27
        errors += beside.findings
        reported = notices(replay, self.translate, ended=ended, taken=beside.taken, offer=offer) + beside.notices
        for finding in () if self.roster is None else self.roster.findings(replay, self.translate):  # 28
            if finding.severity == "error":
                errors += (finding,)
            else:
                reported += (finding,)
        return Report(
            file=self.name,
            verdict=verdict_of(errors),
            game=replay.terms.game.hex(),
            events=self.events,
            valid_prefix=replay.size,
            head=Head(replay.size, replay.head.hex(), replay.tree.root().hex()),
            findings=errors + reported,
            trust=trust_statement(replay, self.translate, holds=verdict_of(errors) != "fails"),
            checked=checked + beside.checked,
            not_checked=beside.not_checked + not_checked,
            state=replay.session.view(),
            rolls=fairness_of_rolls(replay, self.translate),
        )


def verdict_of(errors: Sequence[Finding]) -> Literal["holds", "fails", "unfinished"]:
    """Return the verdict on a log in which these errors were found."""
    if not errors:
        return "holds"
    return "unfinished" if all(error.code == UNCHECKED for error in errors) else "fails"


def _roster_check(pins: Pins) -> "RosterCheck | None":
    if pins.roster is None:
        return None
    from verifier.rosters.check import RosterCheck  # imported here because most verifications have no roster

    return RosterCheck(pins.roster)


def _chunk(lines: Iterator[bytes]) -> list[bytes]:
    """Return the next lines, as many as are replayed before their signatures must be checked."""
    chunk, size = [], 0
    for line in lines:
        chunk.append(line)
        size += len(line)
        if len(chunk) == CHUNK_LINES or size >= CHUNK_BYTES:
            break
    return chunk
