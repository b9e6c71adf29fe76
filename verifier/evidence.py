"""Evidence that somebody signed two histories of one game (specs/disputes.md). The numbers are the specification's.

It is checked from itself alone: event 0 fixes the keys, and every step is a hash or a signature of the accused.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules import Body
from rules.base import BodyError, given
from rules.bounds import Name, Positive
from rules.language import N_, Message
from verifier.chain import leaf_hash
from verifier.errors import Failure, Finding
from verifier.format import MAX_LINE, UNREADABLE, Envelope, decode_envelope, encode, signed_message
from verifier.language import Translate
from verifier.proof import Expected, ProofFailure, check_proof
from verifier.replay import Pins, Replay, Terms
from verifier.report import Report

__all__ = ["EVIDENCE_FORMAT", "MAX_EVIDENCE", "Evidence", "Statement", "is_evidence", "verify_evidence"]

EVIDENCE_FORMAT = "rollproof/evidence/v1"
MAX_EVIDENCE = 8_388_608
"""bytes of an evidence file"""

_BEGINNING = b'{"accused":'


class Statement(Body, frozen=True):
    """Either the lines n, n + 1, … of one history, up to one that the accused signed, or a proof of line n."""

    lines: Annotated[tuple[str, ...], Meta(min_length=1)] | UnsetType = UNSET
    proof: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.lines is UNSET) == (self.proof is UNSET):
            raise BodyError("a statement has lines or a proof")


class Evidence(Body, frozen=True):
    """Two statements about line `index` of one game, both vouched for by the accused."""

    accused: Name
    format: str
    index: Positive
    open: str
    statements: Annotated[tuple[Statement, ...], Meta(min_length=2, max_length=2)]

    def __bytes__(self) -> bytes:
        """As it stands in a file."""
        return encode(self) + b"\n"


def is_evidence(beginning: bytes) -> bool:
    """Whether a file that begins so is evidence and no log, whose events begin with their author."""
    return beginning.startswith(_BEGINNING)


def verify_evidence(
    data: bytes, *, name: str = "evidence", pins: Pins | None = None, translate: Translate = str
) -> Report:
    """Steps 31 to 34, as a report: `holds` with the notice `evidence.fork`, or the first step that fails."""
    game: str | None = None
    try:
        evidence = _read(data)
        terms = _terms(evidence, pins or Pins())
        game = terms.game.hex()
        one, other = (_leaf_vouched_for(evidence, number, terms) for number in (0, 1))
        if one == other:
            text = N_("Both statements are about the same event {index}: they contradict each other in nothing.")
            raise Failure(34, "evidence.agree", text, index=evidence.index)
    except Failure as failure:
        return _fails(name, game, failure, translate)
    return _shows(name, game, evidence, one, other, translate)


def _read(data: bytes) -> Evidence:
    """Step 31."""
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


def _terms(evidence: Evidence, pins: Pins) -> Terms:
    """Step 32."""
    replay = Replay(pins)
    try:
        replay.step(evidence.open.encode())
    except Failure as failure:
        text = N_("Its event 0 does not hold, so it shows nothing: {problem}")
        raise Failure(32, "evidence.open", text, problem=failure) from None
    if evidence.accused not in replay.terms.keys:
        text = N_("{accused} is no party of this game.")
        raise Failure(32, "evidence.open", text, accused=evidence.accused)
    return replay.terms


def _leaf_vouched_for(evidence: Evidence, number: int, terms: Terms) -> bytes:
    """Step 33: the leaf hash of line n that statement `number` (0 or 1) shows."""
    statement = evidence.statements[number]
    if not isinstance(statement.proof, UnsetType):
        return _proven(evidence, statement.proof, number, terms)
    lines = [line.encode() for line in given(statement.lines, ())]
    last = _linked(evidence, lines, number, terms)
    key = terms.keys[evidence.accused]
    if last.author != evidence.accused or not key.verify(bytes.fromhex(last.sig), signed_message(last)):
        text = N_("its last event, {seq}, was not signed by {accused}")
        raise _no_statement(number, Message(text, seq=last.seq, accused=evidence.accused))
    if len(lines) == 1 and evidence.accused != terms.keeper:
        text = N_("{accused} may sign event {index} anew when the keeper did not take it; only what follows it counts")
        raise _no_statement(number, Message(text, accused=evidence.accused, index=evidence.index))
    return leaf_hash(lines[0])


def _linked(evidence: Evidence, lines: list[bytes], number: int, terms: Terms) -> Envelope:
    """The last of the lines, which are checked to be linked from line n on."""
    before: bytes | None = None
    for seq, line in enumerate(lines, evidence.index):
        try:
            if len(line) > MAX_LINE:
                raise Failure(4, "line.too-long", "This line is too long: at most {most} bytes.", most=MAX_LINE)
            envelope = decode_envelope(line)
        except Failure as failure:
            raise _no_statement(number, Message("{seq}: {problem}", seq=seq, problem=failure)) from None
        if (envelope.seq, envelope.game) != (seq, terms.game.hex()):
            raise _no_statement(number, Message("what stands for event {seq} is not that event of this game", seq=seq))
        if before is not None and envelope.prev != before.hex():
            raise _no_statement(number, Message("event {seq} does not follow the one before it", seq=seq))
        before = leaf_hash(line)
    return envelope


def _proven(evidence: Evidence, proof: str, number: int, terms: Terms) -> bytes:
    if evidence.accused != terms.keeper:
        raise _no_statement(number, Message("a checkpoint says nothing about {name}", name=evidence.accused))
    expected = Expected(game=terms.game, keeper=terms.keys[terms.keeper], index=evidence.index)
    try:
        return leaf_hash(check_proof(proof.encode(), expected).line)
    except ProofFailure as failure:
        raise _no_statement(number, failure) from None


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


def _shows(name: str, game: str | None, evidence: Evidence, one: bytes, other: bytes, _: Translate) -> Report:
    text = _(
        "{accused} signed two histories of game {game}: there are two events {index}, with the leaf hashes {one} and "
        "{other}, and {accused} vouched for both. No honest program signs that."
    )
    told = {"accused": evidence.accused, "game": game, "index": evidence.index, "one": one.hex(), "other": other.hex()}
    finding = Finding("evidence.fork", "notice", 34, evidence.index, evidence.accused, None, text.format(**told))
    checked = (
        _("Event 0, which fixes the game and the key of {accused}.").format(accused=evidence.accused),
        _("Both statements: each leads by hashes to a signature that {accused} made.").format(accused=evidence.accused),
    )
    not_checked = (
        _("Whose key it is: compare it with the one that {accused} gave you, or pass it with --key."),
        _("Which history was played, and whether it was done on purpose or by a program that had lost its memory."),
    )
    return Report(
        file=name,
        verdict="holds",
        game=game,
        events=0,
        valid_prefix=0,
        head=None,
        findings=(finding,),
        trust="",
        checked=checked,
        not_checked=tuple(text.format(accused=evidence.accused) for text in not_checked),
        state=None,
        kind="evidence",
    )
