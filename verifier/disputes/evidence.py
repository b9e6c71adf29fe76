"""Evidence that a party signed two histories of one game (specs/disputes.md, which numbers the steps).

It is checked by itself: event 0 fixes the keys, and every step is a hash or a signature of the accused.
"""

from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules import Body
from rules.base import BodyError, given
from rules.data.bounds import Name, Positive
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_, Message, Translate
from rules.data.text import isolated
from verifier.checkpoints.checkpoint import keeper_signed, parse_checkpoint
from verifier.checkpoints.event_proof import Expected, ProofFailure, check_proof
from verifier.dice.derivation import opening_message
from verifier.errors import Failure, Finding, NoteError
from verifier.log.bodies import Opening
from verifier.log.format import MAX_LINE, Envelope, decode_envelope, signed_message
from verifier.log.identity import decode_base64
from verifier.log.merkle import MAX_PROOF, leaf_hash, verify_consistency
from verifier.log.plainjson import encode
from verifier.log.terms import Pins, Terms, admitted_by, check_late_pins
from verifier.replay import Replay
from verifier.report import Report

__all__ = ["EVIDENCE_FORMAT", "MAX_EVIDENCE", "Evidence", "Statement", "is_evidence", "verify_evidence"]

EVIDENCE_FORMAT = "rollproof/evidence/v1"
MAX_EVIDENCE = 8_388_608
"""bytes of an evidence file"""

_BEGINNING = b'{"accused":'


class Statement(Body, frozen=True):
    """A statement by the accused on one side, in one of the forms of the specification."""

    checkpoint: str | UnsetType = UNSET
    """a checkpoint by the keeper of the first n lines; with `root` and `hashes`, of more lines that begin with these"""
    hashes: Annotated[tuple[str, ...], Meta(max_length=MAX_PROOF)] | UnsetType = UNSET
    lines: Annotated[tuple[str, ...], Meta(min_length=1)] | UnsetType = UNSET
    """lines n, n + 1, … up to one that the accused signed, or with `opening` up to the request of the opening"""
    opening: Opening | UnsetType = UNSET
    proof: str | UnsetType = UNSET
    """a proof of line n, which it contains"""
    root: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        if frozenset(name for name in self.__struct_fields__ if getattr(self, name) is not UNSET) not in _FORMS:
            raise BodyError("a statement has one of the forms of the specification")

    @property
    def of_prefix(self) -> bool:
        """True if the statement is about the first n lines, not about line n."""
        return self.checkpoint is not UNSET


_FORMS = frozenset(
    map(frozenset, (["lines"], ["lines", "opening"], ["proof"], ["checkpoint"], ["checkpoint", "hashes", "root"]))
)


class Evidence(Body, frozen=True):
    """Two statements, both by the accused, about line `index` of one game, or about its first `index` lines."""

    accused: Name
    format: str
    index: Positive
    open: str
    statements: Annotated[tuple[Statement, ...], Meta(min_length=2, max_length=2)]
    admit: str | UnsetType = UNSET
    """the line that admitted the accused, if event 0 does not name it"""

    def __post_init__(self) -> None:
        if len({statement.of_prefix for statement in self.statements}) > 1:
            raise BodyError("one statement is about a line, the other about the lines before it")

    def __bytes__(self) -> bytes:
        """Encode it as a file."""
        return encode(self) + b"\n"


def is_evidence(beginning: bytes) -> bool:
    """Return whether a file that begins like this is evidence. The events of a log begin with their author."""
    return beginning.startswith(_BEGINNING)


class _Shown(NamedTuple):
    """The facts that a statement shows."""

    hash: bytes
    """the leaf hash of line n, or the root of the first n lines"""
    dated: str | None
    """the date of the accused's event, or of the request of its opening; None without a date"""
    before: str | None = None
    """the date of the event before the accused's own, if the statement shows it"""


def verify_evidence(
    data: bytes, *, name: str = "evidence", pins: Pins | None = None, translate: Translate = str
) -> Report:
    """Verify evidence by steps 31 to 34.

    Return a report with verdict `holds` and the notice `evidence.fork`, or with the first step that fails.
    """
    game: str | None = None
    pins = pins or Pins()
    try:
        evidence = _read(data)
        terms, opened = _terms(evidence, pins)
        game = terms.game.hex()
        one, other = (_shown(evidence, number, terms) for number in (0, 1))
        if one.hash == other.hash:
            text = N_("Both statements are about the same event {index}: they do not contradict each other.")
            raise Failure(34, "evidence.agree", text, index=evidence.index)
        until, ended = _counted_until(evidence.accused, terms, opened, pins, (one, other), translate)
    except Failure as failure:
        return _fails(name, game, failure, translate)
    return _shows(name, terms, evidence, pins, (one, other), until, ended, translate)


def _read(data: bytes) -> Evidence:
    """Parse the evidence (step 31)."""
    if len(data) > MAX_EVIDENCE:
        raise _malformed(Message("it has more than {most} bytes", most=MAX_EVIDENCE))
    try:
        evidence = msgspec.json.decode(data, type=Evidence)
    except UNREADABLE:
        raise _malformed(Message("it does not have the members of evidence")) from None
    if evidence.format != EVIDENCE_FORMAT:
        raise _malformed(Message("its format is not {known}", known=EVIDENCE_FORMAT))
    if encode(evidence) != data.removesuffix(b"\n"):
        raise _malformed(Message("it is not in canonical form"))
    return evidence


def _malformed(problem: Message) -> Failure:
    return Failure(31, "evidence.malformed", "This is no evidence file: {problem}.", problem=problem)


def _terms(evidence: Evidence, pins: Pins) -> tuple[Terms, str]:
    """Return the terms of event 0 and its time (step 32)."""
    replay = Replay(pins)
    try:
        replay.step(evidence.open.encode())
    except Failure as failure:
        text = N_("Its event 0 does not hold, so it shows nothing: {problem}")
        raise Failure(32, "evidence.open", text, problem=failure) from None
    terms = replay.terms
    if not isinstance(evidence.admit, UnsetType):
        terms = _with_admitted(terms, evidence.accused, evidence.admit.encode())
    if evidence.accused not in terms.keys:
        text = N_("{accused} is no party of this game.")
        raise Failure(32, "evidence.open", text, accused=evidence.accused)
    try:
        check_late_pins(pins, terms, terms.late)
    except Failure as failure:
        text = N_("Its event 0 does not hold, so it shows nothing: {problem}")
        raise Failure(32, "evidence.open", text, problem=failure) from None
    return terms, replay.time


def _with_admitted(terms: Terms, accused: str, line: bytes) -> Terms:
    """Return the terms with the accused, whom an `admit` of the keeper let in."""
    found = admitted_by(terms, line)
    if found is None or found.late[-1] != accused:
        raise _no_admit(accused)
    return found


def _no_admit(accused: str) -> Failure:
    text = N_("Its admit does not show that the keeper let {accused} into this game.")
    return Failure(32, "evidence.open", text, accused=accused)


def _shown(evidence: Evidence, number: int, terms: Terms) -> _Shown:
    """Return what statement `number` (0 or 1) shows (step 33)."""
    statement = evidence.statements[number]
    if statement.of_prefix or statement.proof is not UNSET:
        if evidence.accused != terms.keeper:
            raise _no_statement(number, Message("a checkpoint says nothing about {name}", name=evidence.accused))
        return _Shown((_signed_prefix if statement.of_prefix else _proven)(evidence, statement, number, terms), None)
    lines = [line.encode() for line in given(statement.lines, ())]
    before, last, others = _linked(evidence, lines, number, terms)
    if not isinstance(statement.opening, UnsetType):
        _check_opening(evidence, statement.opening, lines[-1], number, terms)
        return _Shown(leaf_hash(lines[0]), last.time)
    key = terms.keys[evidence.accused]
    if last.author != evidence.accused or not key.verify(bytes.fromhex(last.sig), signed_message(last)):
        text = N_("its last event, {seq}, was not signed by {accused}")
        raise _no_statement(number, Message(text, seq=last.seq, accused=evidence.accused))
    if not others and evidence.accused != terms.keeper:
        text = N_(
            "{accused} may sign event {index} and its own events upon it anew when the keeper did not take them; only "
            "what follows an event of somebody else counts"
        )
        raise _no_statement(number, Message(text, accused=evidence.accused, index=evidence.index))
    return _Shown(leaf_hash(lines[0]), last.time, before)


def _check_opening(evidence: Evidence, opening: Opening, request: bytes, number: int, terms: Terms) -> None:
    """Verify that the opening is by the accused, for the request with this line."""
    accused, link = evidence.accused, bytes.fromhex(opening.link)
    message = opening_message(terms.game, leaf_hash(request), accused, opening.index, link)
    if opening.author != accused or not terms.keys[accused].verify(bytes.fromhex(opening.sig), message):
        text = N_("{accused} signed no such opening for its last event")
        raise _no_statement(number, Message(text, accused=accused))


def _linked(evidence: Evidence, lines: list[bytes], number: int, terms: Terms) -> tuple[str | None, Envelope, bool]:
    """Verify that the lines are linked, from line n on.

    Return the date of the line before the last, the last event, and whether any line is by another party than the
    accused.
    """
    others = False
    before: bytes | None = None
    dated: str | None = None
    latest: str | None = None
    for seq, line in enumerate(lines, evidence.index):
        try:
            if len(line) > MAX_LINE:
                raise Failure(4, "line.too-long", "This line is too long: at most {most} bytes.", most=MAX_LINE)
            envelope = decode_envelope(line)
        except Failure as failure:
            raise _no_statement(number, Message("{seq}: {problem}", seq=seq, problem=failure)) from None
        if (envelope.seq, envelope.game) != (seq, terms.game.hex()):
            raise _no_statement(
                number, Message("the line given for event {seq} is not that event of this game", seq=seq)
            )
        if before is not None and envelope.prev != before.hex():
            raise _no_statement(number, Message("event {seq} does not follow the one before it", seq=seq))
        before = leaf_hash(line)
        dated, latest = latest, envelope.time
        others = others or envelope.author != evidence.accused
    return dated, envelope, others


def _proven(evidence: Evidence, statement: Statement, number: int, terms: Terms) -> bytes:
    """Return the leaf hash of line n."""
    expected = Expected(game=terms.game, keeper=terms.keys[terms.keeper], index=evidence.index)
    try:
        return leaf_hash(check_proof(given(statement.proof, "").encode(), expected).line)
    except ProofFailure as failure:
        raise _no_statement(number, failure) from None


def _signed_prefix(evidence: Evidence, statement: Statement, number: int, terms: Terms) -> bytes:
    """Return the root of the first n lines."""
    try:
        checkpoint = parse_checkpoint(given(statement.checkpoint, "").encode())
    except NoteError as problem:
        raise _no_statement(number, problem) from None
    head, size = checkpoint.head, evidence.index
    if head.game != terms.game or not keeper_signed(checkpoint, terms.keys[terms.keeper]):
        text = N_("{accused} did not sign this checkpoint for this game")
        raise _no_statement(number, Message(text, accused=evidence.accused))
    if isinstance(statement.root, UnsetType):
        if head.size != size:
            text = N_("its checkpoint is for {actual} events, not for {expected}")
            raise _no_statement(number, Message(text, actual=head.size, expected=size))
        return head.root
    root = decode_base64(statement.root)
    hashes = [decode_base64(each) for each in given(statement.hashes, ())]
    known = [each for each in hashes if each is not None and len(each) == 32]
    if (
        root is None
        or len(known) < len(hashes)
        or head.size <= size
        or not verify_consistency(size, head.size, root, head.root, known)
    ):
        text = N_("its checkpoint of {actual} events does not show the root of the first {size}")
        raise _no_statement(number, Message(text, actual=head.size, size=size))
    return root


def _counted_until(
    accused: str, terms: Terms, opened: str, pins: Pins, shown: tuple[_Shown, _Shown], _: Translate
) -> tuple[str | None, tuple[Finding, ...]]:
    """Check the accused's key against the roster (step 28).

    Return the date until which the key counted, if it has ended, and a notice if it had ended at that time.
    """
    if pins.roster is None:
        return None, ()
    from verifier.rosters.check import (
        check_accused,
        ended_notice,
    )  # imported here because most verifications have no roster

    events = tuple((each.before, each.dated) for each in shown if each.dated is not None)
    entry, ended = check_accused(pins.roster, terms.keys[accused], opened, events)
    return entry.until, (ended_notice(entry, None, _),) if ended else ()


def _no_statement(number: int, problem: Message) -> Failure:
    text = N_("Statement {number} does not hold, so there is no evidence: {problem}.")
    return Failure(33, "evidence.statement", text, number=number + 1, problem=problem)


def _fails(name: str, game: str | None, failure: Failure, _: Translate) -> Report:
    verdict: Literal["unreadable", "fails"] = "unreadable" if failure.code == "evidence.malformed" else "fails"
    finding = Finding(
        failure.code, "error", failure.step, None, "file", None, failure.message(_), failure.expected, failure.actual
    )
    nothing = _("Evidence that does not hold shows nothing about anybody.")
    return Report(name, verdict, game, 0, 0, None, (finding,), "", (), (nothing,), None, kind="evidence")


def _shows(
    name: str,
    terms: Terms,
    evidence: Evidence,
    pins: Pins,
    shown: tuple[_Shown, _Shown],
    until: str | None,
    ended: tuple[Finding, ...],
    _: Translate,
) -> Report:
    if evidence.statements[0].of_prefix:
        text = _(
            "{accused} signed two histories of game {game}: there are two of its first {index} events, with the roots "
            "{one} and {other}, and {accused} vouched for both. No honest program signs that."
        )
    else:
        text = _(
            "{accused} signed two histories of game {game}: there are two events {index}, with the leaf hashes {one} "
            "and {other}, and {accused} vouched for both. No honest program signs that."
        )
    one, other = (each.hash.hex() for each in shown)
    accused, index, game = evidence.accused, evidence.index, terms.game.hex()
    text = text.format(accused=accused, game=game, index=index, one=one, other=other)
    finding = Finding("evidence.fork", "notice", 34, index, accused, None, text)
    checked = [
        _("Event 0, which fixes the game and the key of {accused}.").format(accused=accused),
        _("Both statements: each leads by hashes to a signature that {accused} made.").format(accused=accused),
    ]
    not_checked = []
    if pins.roster is not None:
        text = _("Whose key it is: by version {version} of the roster of {event}.")
        checked.append(text.format(version=pins.roster.version, event=isolated(pins.roster.event)))
    elif any(key.name == accused for key in pins.keys):
        checked.append(_("Whose key it is: it is the one that you gave of {accused}.").format(accused=accused))
    else:
        text = _("Whose key it is: compare it with the one that {accused} gave you, or verify with that one.")
        not_checked.append(text.format(accused=accused))
    if until is not None:
        text = _(
            "Whether it was signed before {until}, when the key of {accused} ceased to count: a thief can backdate."
        )
        not_checked.append(text.format(accused=accused, until=until))
    text = _("Which history was played, and whether it was done on purpose or by a program that had lost its memory.")
    not_checked.append(text)
    return Report(
        file=name,
        verdict="holds",
        game=game,
        events=0,
        valid_prefix=0,
        head=None,
        findings=(finding, *ended),
        trust="",
        checked=tuple(checked),
        not_checked=tuple(not_checked),
        state=None,
        kind="evidence",
    )
