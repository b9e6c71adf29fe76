"""Proof of one roll in a single file, for people without the log (specs/roll-proof.md, which numbers the steps).

It is checked by itself: event 0 fixes the keys, the keeper's checkpoint fixes the lines, and the signature of each
contributor covers this very roll.
"""

import zlib
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from rules import Body
from rules.base import Ruling
from rules.data.bounds import MAX_PARTIES
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_, Listed, Message, Translate
from rules.protocol import Strike
from rules.sealing import sealed_request
from verifier.checkpoints.checkpoint import SignedCheckpoint, keeper_signed, parse_checkpoint
from verifier.checkpoints.roll_report import ProvenRoll, report_failure, report_roll
from verifier.dice.derivation import draw, opening_message, roll_seed, walk_down
from verifier.errors import Failure, NoteError
from verifier.log.bodies import Commit, Hex32, Opening, Reveal
from verifier.log.format import MAX_LINE, Envelope, decode_body, decode_envelope, signed_message
from verifier.log.merkle import MAX_PROOF, inclusion_proof, leaf_hash, verify_inclusion
from verifier.log.plainjson import encode
from verifier.log.terms import Pins, Terms, admitted_by, check_late_pins
from verifier.replay import Replay
from verifier.report import Report

__all__ = [
    "MAX_ROLL_FILE",
    "ROLL_FORMAT",
    "RollProof",
    "checkpoint_of_roll",
    "is_roll_proof",
    "make_roll_proof",
    "roll_link",
    "verify_roll_proof",
]

_Format = Literal["rollproof/roll/v1"]
ROLL_FORMAT: _Format = "rollproof/roll/v1"
MAX_ROLL_FILE = 2_097_152
"""bytes of a proof of one roll"""
_MAX_LINES = 3 * MAX_PARTIES
_REQUESTS = ("roll", "reroll")
_BEGINNING = b'{"checkpoint":"rollproof/v1/'


class ProvenLine(Body, frozen=True):
    """A line of the log, without its line feed, and the hashes from it to the root of the checkpoint."""

    index: Annotated[int, Meta(ge=0)]
    line: str
    proof: Annotated[tuple[Hex32, ...], Meta(max_length=MAX_PROOF)]


class RollProof(Body, frozen=True):
    """The lines that prove one roll, from event 0 to its dice, in the order of the log."""

    checkpoint: str
    format: _Format
    lines: Annotated[tuple[ProvenLine, ...], Meta(min_length=1, max_length=_MAX_LINES)]
    names: bool
    """whether a page that shows the roll shows the names of the parties"""

    def __bytes__(self) -> bytes:
        """Encode it as a file."""
        return encode(self) + b"\n"


class _Event(Struct, frozen=True):
    """An event in a line of the proof."""

    envelope: Envelope
    leaf: bytes


def is_roll_proof(beginning: bytes) -> bool:
    """Return whether a file that begins like this is a proof of one roll, not a log."""
    return beginning.startswith(_BEGINNING)


# --- making ----------------------------------------------------------------------------------------------------------


def make_roll_proof(
    lines: Sequence[bytes], request: int, checkpoint: SignedCheckpoint, *, names: bool = False
) -> RollProof:
    """Return the proof of the roll that line `request` of a log asked for. Raises NoteError if there is none.

    `lines` are those of a verified log, without line feeds, at least as many as the checkpoint covers.
    """
    size = checkpoint.head.size
    events = [decode_envelope(line) for line in lines[:size]]
    if not 0 <= request < size:
        raise NoteError(
            "the checkpoint is for {size} events, and event {seq} is no roll that it shows", size=size, seq=request
        )
    if events[request].type == "reveal":
        raise NoteError(
            "event {seq} shows the dice of a roll, and the roll's number is that of its request: {roll}",
            seq=request,
            roll=request - 1,
        )
    if [event.type for event in events[request + 1 : request + 2]] != ["reveal"]:
        raise NoteError("event {seq} is no roll that has dice", seq=request)
    if sealed_request(bytes(events[request].body)) is not None:
        raise NoteError("event {seq} is a secret roll, whose dice its holder shows", seq=request)
    reveal: Reveal = decode_body(events[request + 1].body, Reveal, "reveal")
    authors = {opening.author for opening in reveal.openings}
    joins = Counter(event.author for event in events[:request] if event.type == "join")
    renewed = next((name for name in (events[request].author, *sorted(authors)) if joins[name] > 1), None)
    if renewed is not None:
        raise NoteError("{name} goes on under a new key, and only the whole log shows by whose word", name=renewed)
    commits = {event.author: event.seq for event in events[:request] if event.type == "commit"}
    chosen = {0, request, request + 1, *(seq for name, seq in commits.items() if name in authors)}
    chosen |= {event.seq for event in events if event.type == "admit"}
    chosen |= {event.seq for event in events if _rules_on(event, request)}
    leaves = [leaf_hash(line) for line in lines[:size]]
    shown = tuple(
        ProvenLine(seq, lines[seq].decode(), tuple(each.hex() for each in inclusion_proof(leaves, seq)))
        for seq in sorted(chosen)
    )
    if len(shown) > _MAX_LINES:
        raise NoteError("this roll takes more than {most} lines to show", most=_MAX_LINES)
    return RollProof(bytes(checkpoint).decode(), ROLL_FORMAT, shown, names)


def _rules_on(event: Envelope, request: int) -> bool:
    """Return whether an event is a judge's ruling on the roll, or an agreement to take it back."""
    if event.type == "strike":
        strike: Strike = decode_body(event.body, Strike, "strike")
        return strike.roll == request
    if event.type != "ruling":
        return False
    ruling: Ruling = decode_body(event.body, Ruling, "ruling")
    return ruling.subject in (request, request + 1)


def roll_link(address: str, proof: RollProof) -> str:
    """Return a link to a server's page that shows the roll. The proof stands behind `#`, so it is not sent to the
    server.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(bytes(proof)) + packer.flush()
    return f"{address}/verify#roll={urlsafe_b64encode(packed).decode().rstrip('=')}"


# --- checking --------------------------------------------------------------------------------------------------------


def verify_roll_proof(
    data: bytes, *, name: str = "roll", pins: Pins | None = None, translate: Translate = str
) -> Report:
    """Verify a proof by steps 51 to 57, and return a report: `holds`, or the first step that fails."""
    game: str | None = None
    pins = pins or Pins()
    try:
        proof, checkpoint = _read(data)  # 51
        terms = _terms(proof, pins)  # 52
        game = terms.game.hex()
        _check_checkpoint(checkpoint, terms)  # 53
        terms = _admit(proof, terms, pins)
        events = {each.index: _event(each, checkpoint, terms) for each in proof.lines}  # 54
        roll = _roll(events, terms, checkpoint.head.size, proof.names)  # 55
        links, roll = _openings(roll, events)  # 56
        _dice(roll, links)  # 57
    except Failure as failure:
        return report_failure(name, game, failure, translate)
    return report_roll(name, roll, pins, translate)


def checkpoint_of_roll(data: bytes) -> bytes:
    """Return the checkpoint of a proof, for use as a receipt; other data is returned unchanged."""
    try:
        return _read(data)[0].checkpoint.encode()
    except Failure:
        return data


def _failure(step: int, part: str, template: str, /, **values: Any) -> Failure:
    return Failure(step, f"roll-proof.{part}", template, **values)


def _read(data: bytes) -> tuple[RollProof, SignedCheckpoint]:
    """Parse the proof and its checkpoint (step 51)."""
    text = N_("This is no proof of one roll: {problem}.")
    if len(data) > MAX_ROLL_FILE:
        problem = Message("it has more than {most} bytes", most=MAX_ROLL_FILE)
        raise _failure(51, "malformed", text, problem=problem)
    try:
        proof = msgspec.json.decode(data, type=RollProof)
    except UNREADABLE:
        raise _failure(51, "malformed", text, problem=Message("it does not have the members of one")) from None
    if encode(proof) != data.removesuffix(b"\n"):
        raise _failure(51, "malformed", text, problem=Message("it is not in canonical form"))
    try:
        checkpoint = parse_checkpoint(proof.checkpoint.encode())
    except NoteError:
        raise _failure(51, "malformed", text, problem=Message("its checkpoint is none")) from None
    indexes = [each.index for each in proof.lines]
    if indexes[0] != 0 or indexes != sorted(set(indexes)):
        problem = Message("its lines are not in the order of the log, from event 0 on")
        raise _failure(51, "malformed", text, problem=problem)
    return proof, checkpoint


def _terms(proof: RollProof, pins: Pins) -> Terms:
    """Return the terms of event 0 (step 52). Raises Failure."""
    replay = Replay(pins)
    try:
        replay.step(proof.lines[0].line.encode())
    except Failure as failure:
        text = N_("Its event 0 does not hold, so it shows nothing: {problem}")
        raise _failure(52, "open", text, problem=failure) from None
    return replay.terms


def _check_checkpoint(checkpoint: SignedCheckpoint, terms: Terms) -> None:
    """Verify that the checkpoint is the keeper's for this game (step 53). Raises Failure."""
    if checkpoint.head.game != terms.game:
        text = N_("Its checkpoint is of another game than its event 0.")
        raise _failure(53, "checkpoint", text, expected=terms.game.hex(), actual=checkpoint.head.game.hex())
    if not keeper_signed(checkpoint, terms.keys[terms.keeper]):
        text = N_("Its checkpoint has no signature of {keeper}, the keeper, that holds: anybody could have written it.")
        raise _failure(53, "checkpoint", text, keeper=terms.keeper)


def _admit(proof: RollProof, terms: Terms, pins: Pins) -> Terms:
    """Return the terms with the parties that the keeper admitted later (part of step 54). Raises Failure."""
    for each in proof.lines:
        found = admitted_by(terms, each.line.encode())
        terms = terms if found is None else found
    try:
        check_late_pins(pins, terms, terms.late)
    except Failure as failure:
        text = N_("Its event 0 does not hold, so it shows nothing: {problem}")
        raise _failure(52, "open", text, problem=failure) from None
    return terms


def _event(shown: ProvenLine, checkpoint: SignedCheckpoint, terms: Terms) -> _Event:
    """Return the event in a line, after verifying inclusion and signature (step 54). Raises Failure."""
    line, head = shown.line.encode(), checkpoint.head
    leaf = leaf_hash(line)
    proof = [bytes.fromhex(each) for each in shown.proof]
    if not verify_inclusion(leaf, shown.index, head.size, proof, head.root):
        text = N_("The line that it gives for event {index} is not in what {keeper} signed.")
        raise _failure(54, "line", text, index=shown.index, keeper=terms.keeper)
    try:
        if len(line) > MAX_LINE:
            raise Failure(4, "line.too-long", "This line is too long: at most {most} bytes.", most=MAX_LINE)
        event = decode_envelope(line)
    except Failure as failure:
        text = N_("The line that it gives for event {index} is no event: {problem}")
        raise _failure(54, "line", text, index=shown.index, problem=failure) from None
    game = leaf if shown.index == 0 else bytes.fromhex(event.game)
    if (event.seq, game) != (shown.index, terms.game):
        text = N_("The line that it gives for event {index} is not that event of this game.")
        raise _failure(54, "line", text, index=shown.index)
    key = terms.keys.get(event.author)
    if key is None or not key.verify(bytes.fromhex(event.sig), signed_message(event)):
        text = N_("Event {index} says that {author} signed it, but {author} did not.")
        raise _failure(54, "line", text, index=shown.index, author=event.author)
    return _Event(event, leaf)


def _roll(events: Mapping[int, _Event], terms: Terms, size: int, names: bool) -> ProvenRoll:
    """Return the roll that the lines are about (step 55). Raises Failure."""
    requests = [each for each in events.values() if each.envelope.type in _REQUESTS]
    if len(requests) != 1:
        raise _failure(
            55, "lines", N_("It is not about one roll: it has {count} requests for dice."), count=len(requests)
        )
    [asked] = requests
    request = asked.envelope
    shown = events.get(request.seq + 1)
    if shown is None or shown.envelope.type != "reveal" or shown.envelope.author != terms.keeper:
        raise _failure(
            55,
            "lines",
            N_("It does not show the dice of event {index}, by {keeper}."),
            index=request.seq,
            keeper=terms.keeper,
        )
    if shown.envelope.prev != asked.leaf.hex():
        raise _failure(55, "lines", N_("The dice that it shows are not those of event {index}."), index=request.seq)
    if "sealed" in msgspec.json.decode(request.body):  # in any form: the rules of the system are not at hand
        raise _failure(55, "lines", N_("Event {index} is a secret roll, of which this is no proof."), index=request.seq)
    reveal: Reveal = _body(shown.envelope, Reveal)
    rulings = []
    for each in events.values():
        event = each.envelope
        if event.type == "ruling" and terms.roles[event.author] == "judge":
            ruling: Ruling = _body(event, Ruling)
            if ruling.subject in (request.seq, request.seq + 1):
                rulings.append((event, ruling))
    strikes = [
        each.envelope
        for each in events.values()
        if terms.strikes and each.envelope.type == "strike" and _body(each.envelope, Strike).roll == request.seq
    ]
    return ProvenRoll(terms, request, reveal, size, tuple(rulings), tuple(strikes), names)


def _body(event: Envelope, kind: type[Body]) -> Any:
    try:
        return decode_body(event.body, kind, event.type)
    except Failure as failure:
        text = N_("The line that it gives for event {index} is no event: {problem}")
        raise _failure(54, "line", text, index=event.seq, problem=failure) from None


def _openings(roll: ProvenRoll, events: Mapping[int, _Event]) -> tuple[list[tuple[str, bytes]], ProvenRoll]:
    """Return the links of the contributors in party order, and the roll with `counted` set (step 56).
    Raises Failure.
    """
    terms, request = roll.terms, roll.request
    names = roll.contributors
    may = terms.contributors_of(request.author, frozenset())
    if len(names) < 2 or terms.keeper not in names or names != [each for each in may if each in names]:
        text = N_("The openings of its dice are not those of parties who have a part in them: {names}.")
        raise _failure(56, "opening", text, names=Listed(names))
    leaf = events[request.seq].leaf
    links, counted = [], True
    for opening in roll.reveal.openings:
        seq, commit = _commit_of(opening.author, events.values(), request.seq)
        _check_opening(roll, opening, leaf, commit)
        links.append((opening.author, bytes.fromhex(opening.link)))
        counted = (
            counted and opening.index == roll.reveal.roll_index + 1 and (opening.author != terms.keeper or seq == 1)
        )
    return links, msgspec.structs.replace(roll, counted=counted)


def _commit_of(author: str, events: Iterable[_Event], before: int) -> tuple[int, Commit]:
    """Return the latest commit of a party before the request that the proof contains, with its number.
    Raises Failure.
    """
    found = [
        each.envelope
        for each in events
        if each.envelope.type == "commit" and each.envelope.author == author and each.envelope.seq < before
    ]
    if not found:
        raise _failure(56, "opening", N_("It does not show what {author} committed to before the roll."), author=author)
    commit: Commit = _body(found[-1], Commit)
    return found[-1].seq, commit


def _check_opening(roll: ProvenRoll, opening: Opening, request: bytes, commit: Commit) -> None:
    author, link = opening.author, bytes.fromhex(opening.link)
    message = opening_message(roll.terms.game, request, author, opening.index, link)
    if not roll.terms.keys[author].verify(bytes.fromhex(opening.sig), message):
        raise _failure(56, "opening", N_("{author} did not sign this opening for this roll."), author=author)
    if opening.index > min(commit.length - 1, roll.reveal.roll_index + 1):
        text = N_("{author} opened link {index}, which no roll with this number takes.")
        raise _failure(56, "opening", text, author=author, index=opening.index)
    if walk_down(link, roll.terms.game, author, opening.index, 0).hex() != commit.tip:
        text = N_("The link that {author} opened is not on the chain that {author} committed to.")
        raise _failure(56, "opening", text, author=author)


def _dice(roll: ProvenRoll, links: Sequence[tuple[str, bytes]]) -> None:
    """Verify that the dice follow from the links (step 57). Raises Failure."""
    reveal = roll.reveal
    naturals = draw(roll_seed(roll.terms.game, reveal.roll_index, links), reveal.sides)
    if naturals != reveal.naturals:
        text = N_("The links give other dice than it shows.")
        raise _failure(57, "dice", text, expected=list(naturals), actual=list(reveal.naturals))
