"""Proof that one event is in a game, without the rest of the log (specs/checkpoints.md, "Proof of one event").

The file is a c2sp.org/tlog-proof@v1. Its own claims count for nothing: the caller supplies the game, the keeper's key
and the number of the event, and the line is hashed here.
"""

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from rules.data.language import N_, Message, Translate
from verifier.checkpoints.checkpoint import Checkpoint, SignedCheckpoint, keeper_signed, parse_checkpoint
from verifier.checkpoints.head import SignedHead, parse_signed_head, parse_size
from verifier.checkpoints.policy import Policy
from verifier.errors import Failure, NoteError, VerifierError
from verifier.log.format import MAX_LINE, Envelope, decode_envelope, signed_message
from verifier.log.identity import VerifierKey, decode_base64
from verifier.log.merkle import MAX_PROOF, consistency_proof, inclusion_proof, leaf_hash, verify_inclusion

__all__ = [
    "MAX_PROOF_FILE",
    "Expected",
    "Proof",
    "ProofFailure",
    "Proven",
    "Request",
    "check_proof",
    "make_proof",
    "make_request",
    "parse_proof",
    "parse_request",
    "proof_report",
    "render_proven",
]

MAX_PROOF_FILE = 360_448
"""bytes of a proof: a note, and the longest line in base64"""

_HEADER = "c2sp.org/tlog-proof@v1"


class Proof(Struct, frozen=True):
    """A parsed proof, of which nothing has been checked."""

    extra: bytes | None
    index: int
    hashes: tuple[bytes, ...]
    checkpoint: SignedCheckpoint

    def __bytes__(self) -> bytes:
        """Encode it as a file."""
        extra = "" if self.extra is None else f"extra {b64encode(self.extra).decode()}\n"
        return f"{_HEADER}\n{extra}index {self.index}\n{_lines(self.hashes)}\n".encode() + bytes(self.checkpoint)


class ProofFailure(Message, VerifierError):
    """Raised for a proof that does not show what the caller asked.

    `step` and `code` are those of specs/checkpoints.md.
    """

    def __init__(self, step: str, code: str, template: str, /, **values: Any) -> None:
        super().__init__(template, **values)
        self.step = step
        self.code = code


class Expected(Struct, frozen=True):
    """The facts that the caller knows from another source than the proof."""

    game: bytes
    keeper: VerifierKey
    index: int
    size: int | None = None
    line: bytes | None = None
    """the event's line, without its line feed"""
    keys: tuple[VerifierKey, ...] = ()
    """keys of parties, of which the author's is used"""
    policy: Policy | None = None


class Proven(Struct, frozen=True):
    """The facts that a proof has shown."""

    head: Checkpoint
    line: bytes
    event: Envelope
    author_checked: bool
    """whether the event's own signature was checked too"""


def make_proof(leaves: Sequence[bytes], line: bytes, index: int, checkpoint: SignedCheckpoint) -> Proof:
    """Return a proof of line `index`. `leaves` are the leaf hashes of all lines of the checkpoint."""
    return Proof(line, index, tuple(inclusion_proof(leaves, index)), checkpoint)


def parse_proof(data: bytes) -> Proof:
    """Parse a proof. Raises NoteError."""
    lines, below = _divide(data)
    checkpoint = parse_checkpoint(below)
    if lines[0] != _HEADER:
        raise NoteError("its first line is not {header}", header=_HEADER)
    extra = None
    if len(lines) > 1 and lines[1].startswith("extra "):
        extra = decode_base64(lines.pop(1).removeprefix("extra "))
        if extra is None:
            raise NoteError("its extra line is not base64")
    if len(lines) == 1:
        raise NoteError("it has no index line")
    return Proof(extra, _number(lines[1], "index"), _hashes(lines[2:]), checkpoint)


def check_proof(data: bytes, expected: Expected) -> Proven:
    """Check a proof by steps P1 to P10. Raises ProofFailure for the first step that fails."""
    try:
        proof = parse_proof(data)  # P1
    except NoteError as problem:
        raise ProofFailure("P1", "proof.malformed", "this is no proof: {problem}", problem=problem) from None
    head = proof.checkpoint.head
    if head.game != expected.game:
        text = N_("the proof is about another game, {actual}")
        raise ProofFailure("P2", "proof.game", text, actual=head.game.hex())
    if not keeper_signed(proof.checkpoint, expected.keeper):
        text = N_("its checkpoint has no signature of {keeper}, the keeper, that holds: anybody could have written it")
        raise ProofFailure("P3", "proof.signature", text, keeper=expected.keeper.name)
    if expected.size is not None and head.size != expected.size:
        text = N_("its checkpoint is for {actual} events, not for {expected}")
        raise ProofFailure("P4", "proof.size", text, actual=head.size, expected=expected.size)
    if proof.index != expected.index or proof.index >= head.size:
        text = N_("the proof is about event {actual} of {size}, not about event {expected}")
        values = {"actual": proof.index, "size": head.size, "expected": expected.index}
        raise ProofFailure("P5", "proof.index", text, **values)
    line = _line(proof, expected)
    if not verify_inclusion(leaf_hash(line), proof.index, head.size, proof.hashes, head.root):
        text = N_("this line is not event {index} of what {keeper} signed")
        raise ProofFailure("P7", "proof.inclusion", text, index=proof.index, keeper=expected.keeper.name)
    event = _event(line, head, proof.index)
    checked = _check_author(event, expected)
    if expected.policy is not None:
        _check_policy(proof.checkpoint, expected.keeper, expected.policy)
    return Proven(head, line, event, checked)


def _line(proof: Proof, expected: Expected) -> bytes:
    """Return the line of the event (P6)."""
    line = proof.extra if expected.line is None else expected.line
    if line is None:
        raise ProofFailure("P6", "proof.event", "the proof has no event in it: give the event's line beside it")
    if len(line) > MAX_LINE:
        raise ProofFailure("P6", "proof.event", "the event's line is too long: at most {most} bytes", most=MAX_LINE)
    if proof.extra is not None and proof.extra != line:
        raise ProofFailure("P6", "proof.event", "the proof carries another event than the line that was given")
    return line


def _event(line: bytes, head: Checkpoint, index: int) -> Envelope:
    """Return the event after checking its place in the game (P8)."""
    try:
        event = decode_envelope(line)
    except Failure as failure:
        raise ProofFailure("P8", "proof.event", "{problem}", problem=failure) from None
    game = leaf_hash(line) if index == 0 else bytes.fromhex(event.game)
    if event.seq != index or game != head.game:
        text = N_("the line calls itself event {seq} of game {game}: the keeper put it where it does not belong")
        raise ProofFailure("P8", "proof.event", text, seq=event.seq, game=event.game)
    return event


def _check_author(event: Envelope, expected: Expected) -> bool:
    """Verify the author's signature (P9). Return False if the key of the author was not given."""
    for key in (expected.keeper, *expected.keys):
        if key.name == event.author:
            if not key.verify(bytes.fromhex(event.sig), signed_message(event)):
                text = N_("the event's signature is not that of the {author} whose key was given")
                raise ProofFailure("P9", "proof.author", text, author=event.author)
            return True
    return False


def _check_policy(checkpoint: SignedCheckpoint, keeper: VerifierKey, policy: Policy) -> None:
    """Verify that the policy is met (P10)."""
    if not policy.accepts(keeper):
        text = N_("{keeper} is not one of the keepers that the policy accepts")
        raise ProofFailure("P10", "policy.unmet", text, keeper=keeper.name)
    missing = policy.missing([checkpoint])
    if missing is None:
        return
    unchecked = policy.unchecked([checkpoint])
    if unchecked:
        text = N_(
            "whether the policy is met is not known: it takes ML-DSA-44 to check the cosignatures of {names}, and this "
            "program's library, cryptography, has it from version 47 on"
        )
        raise ProofFailure("P10", "policy.unchecked", text, names=", ".join(unchecked))
    text = N_("the policy asks for more cosignatures; missing: {names}")
    raise ProofFailure("P10", "policy.unmet", text, names=", ".join(missing))


# --- requests to a witness --------------------------------------------------------------------------------------


class Request(Struct, frozen=True):
    """The body of a request to add-checkpoint (c2sp.org/tlog-witness)."""

    old: int
    hashes: tuple[bytes, ...]
    checkpoint: SignedHead

    def __bytes__(self) -> bytes:
        return f"old {self.old}\n{_lines(self.hashes)}\n".encode() + bytes(self.checkpoint)


def make_request(leaves: Sequence[bytes], old: int, checkpoint: SignedHead) -> Request:
    """Return a request to a witness that cosigned `old` events. `leaves` are those of all lines of the checkpoint."""
    return Request(old, tuple(consistency_proof(leaves, old)) if old else (), checkpoint)


def parse_request(data: bytes) -> Request:
    """Parse a request to a witness. Raises NoteError."""
    lines, below = _divide(data)
    checkpoint = parse_signed_head(below)
    old = _number(lines[0], "old")
    if old > checkpoint.head.size:
        raise NoteError("its old size, {old}, is above that of its checkpoint", old=old)
    return Request(old, _hashes(lines[1:]), checkpoint)


def _divide(data: bytes) -> tuple[list[str], bytes]:
    """Return the lines above the first empty line, at least one, and the bytes below it, if any. Raises NoteError."""
    if len(data) > MAX_PROOF_FILE:
        raise NoteError("it is longer than {most} bytes", most=MAX_PROOF_FILE)
    above, _, below = data.partition(b"\n\n")
    try:
        return above.decode("ascii").split("\n"), below
    except UnicodeDecodeError:
        raise NoteError("it is not ASCII above its checkpoint") from None


def _number(line: str, word: str) -> int:
    name, _, text = line.partition(" ")
    number = parse_size(text) if name == word else None
    if number is None:
        raise NoteError("the line {line!r} is not {word} and a number", line=line[:80], word=word)
    return number


def _hashes(lines: Sequence[str]) -> tuple[bytes, ...]:
    if len(lines) > MAX_PROOF:
        raise NoteError("it has more than {most} hashes", most=MAX_PROOF)
    decoded = [decode_base64(line) for line in lines]
    hashes = tuple(each for each in decoded if each is not None and len(each) == 32)
    if len(hashes) != len(lines):
        raise NoteError("a hash of it is not base64 of 32 bytes")
    return hashes


def _lines(hashes: Sequence[bytes]) -> str:
    return "".join(f"{b64encode(each).decode()}\n" for each in hashes)


def render_proven(proven: Proven, expected: Expected, _: Translate = str) -> str:
    """Return in words what a proof has shown, and what it has not."""
    event, keeper = proven.event, expected.keeper.name
    said = [
        _("HOLDS: {keeper} signed that this is event {seq} of game {game}, among {size}:").format(
            keeper=keeper, seq=event.seq, game=proven.head.game.hex(), size=proven.head.size
        ),
        proven.line.decode(),
    ]
    if proven.author_checked:
        said.append(_("checked: {author} signed the event itself.").format(author=event.author))
    else:
        text = _("not checked: that {author} signed it; that takes the key of {author}.")
        said.append(text.format(author=event.author))
    if expected.policy is not None:
        said.append(_("checked: the cosignatures that the policy asks for are there."))
        split = expected.policy.split
        if split is not None:
            said.append(_("notice {code}: {message}").format(code="policy.split", message=split.message(_)))
    said.append(_("not checked: that the rest of the game holds; that takes the log."))
    return "\n".join(said)


def proof_report(proven: Proven, expected: Expected, _: Translate = str) -> dict[str, Any]:
    """Return what a proof has shown, as JSON values."""
    split = None if expected.policy is None else expected.policy.split
    return {
        "verdict": "holds",
        "game": proven.head.game.hex(),
        "size": proven.head.size,
        "root": proven.head.root.hex(),
        "author_checked": proven.author_checked,
        "event": msgspec.json.decode(proven.line),
        "notices": [] if split is None else [{"code": "policy.split", "message": split.message(_)}],
    }
