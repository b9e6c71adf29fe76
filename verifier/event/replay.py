"""The replay of an event log, line by line (specs/event.md, "Verification")."""

import hashlib
from collections import OrderedDict
from typing import Any

from msgspec import Struct

from rules.data.language import N_
from verifier.errors import Failure
from verifier.event.acts import (
    ACTS,
    EVENT_FORMAT,
    LINE_LABEL,
    MAX_BEHIND,
    MAX_EVENT_LINES,
    ActFile,
    EventOpen,
    decode_act,
)
from verifier.event.refusals import STEP
from verifier.event.rules import apply_act, check_author
from verifier.event.state import EventState
from verifier.event.terms import EventTerms, read_terms
from verifier.log.bodies import Appoint, CorrectKey, SignedAct
from verifier.log.format import MAX_LINE, Envelope, act_message, decode_envelope, signed_message
from verifier.log.identity import holds
from verifier.log.merkle import ZERO_HASH, MerkleTree, leaf_hash
from verifier.log.plainjson import PlainJsonError, plain_json

__all__ = ["EventReplay", "TakenEventLine", "check_event_line", "is_event_line"]


class TakenEventLine(Struct, frozen=True):
    """A valid line, with its act."""

    seq: int
    type: str
    by: str
    act: Any
    time: str


def is_event_line(line: bytes) -> bool:
    """Return whether a file with this first line is an event log, of this format or another."""
    return _format(line) is not None


def _format(line: bytes) -> str | None:
    line = line.removesuffix(b"\n")
    if len(line) > MAX_LINE:
        return None
    try:
        head = plain_json(line)
    except PlainJsonError:
        return None
    body = head.get("body") if isinstance(head, dict) and head.get("type") == "open" else None
    act = body.get("act") if isinstance(body, dict) else None
    found = act.get("event") if isinstance(act, dict) else None
    return found if isinstance(found, str) and found.startswith("rollproof/event/") else None


def check_event_line(line: bytes | None) -> None:
    """Check that a file with this first line is an event log of a known format (steps 1 and 2). Raises Failure."""
    if line is None:
        raise Failure(1, "file.empty", "The file is empty.")
    found = _format(line)
    if found is None:
        raise Failure(1, "file.not-a-log", "The file is no event log: its first line opens no event.")
    if found != EVENT_FORMAT:
        text = N_("The log has format {actual!r}; this program reads {expected!r}. Use a newer program to judge it.")
        raise Failure(2, "file.version", text, expected=EVENT_FORMAT, actual=found)


class EventReplay:
    """The state of an event after some lines. `step` takes the next one, or raises Failure without any change."""

    state: EventState
    """the state, set by line 0"""

    def __init__(self) -> None:
        self.tree = MerkleTree()
        self.head = ZERO_HASH
        self.time = ""
        self._game = ZERO_HASH
        self._recent: OrderedDict[bytes, tuple[int, bytes]] = OrderedDict()
        """for the latest MAX_BEHIND lines: leaf hash → number, and hash of the message that the act's author signed"""
        self._acts: set[bytes] = set()
        """these hashes of messages"""

    @property
    def size(self) -> int:
        """The number of lines so far."""
        return self.tree.size

    @property
    def sealed(self) -> int:
        """The number of the last line that the keeper signed, which is the last line: it signs all."""
        return self.size - 1

    @property
    def terms(self) -> EventTerms:
        """The terms of line 0."""
        return self.state.terms

    @property
    def closed(self) -> bool:
        """True if the event is closed, so that nothing can follow."""
        return self.state.closed

    def line_of(self, act: ActFile) -> int | None:
        """Return the number of the line with this act, among the latest MAX_BEHIND; None if there is none."""
        message = act_message(act.act, act.at, act.by, act.event, act.type, act.upon)
        digest = hashlib.sha256(message).digest()
        if digest not in self._acts:
            return None
        return next(seq for seq, known in self._recent.values() if known == digest)

    def step(self, line: bytes, *, trusted: bool = False) -> TakenEventLine:
        """Take the next line, without its line feed. Raises Failure, and is then unchanged.

        With `trusted`, the line was verified before, and its signatures are not checked again.
        """
        if not self.size:
            check_event_line(line)
        if self.size >= MAX_EVENT_LINES:
            text = N_("An event log has at most {most} lines.")
            raise Failure(4, "event.too-long", text, clause="E32", most=MAX_EVENT_LINES)
        if len(line) > MAX_LINE:
            raise Failure(4, "line.too-long", "This line is too long: at most {most} bytes.", most=MAX_LINE)
        envelope = decode_envelope(line)
        self._check_chain(envelope)
        kind = envelope.type
        if kind not in ACTS:
            raise Failure(8, "type.unknown", "There is no event type {type!r}.", type=kind)
        act, signed = decode_act(kind, envelope.body)
        leaf = leaf_hash(line)
        if isinstance(act, EventOpen) == bool(self.size):
            text = N_("An event log begins with its only open; this is line {seq}.")
            raise Failure(10, "open.terms", text, clause="E1", seq=self.size)
        if isinstance(act, EventOpen):
            assert signed is not None
            terms = read_terms(act, signed.by, envelope.author, leaf)
            state = EventState(terms)
        else:
            terms, state = self.terms, self.state
        self._check_keeper(terms, envelope, trusted=trusted)
        if envelope.time < self.time:
            text = N_("The time {actual} is before that of the event before, {expected}.")
            raise Failure(14, "time.backwards", text, expected=self.time, actual=envelope.time)
        digest = self._take(state, envelope, act, signed, trusted=trusted)
        self.state, self.time, self.head = state, envelope.time, leaf
        if not self.size:
            self._game = leaf
        self._recent[leaf] = envelope.seq, digest
        self._acts.add(digest)
        if len(self._recent) > MAX_BEHIND:
            _, (_, oldest) = self._recent.popitem(last=False)
            self._acts.discard(oldest)
        self.tree.append(leaf)
        return TakenEventLine(envelope.seq, kind, terms.keeper if signed is None else signed.by, act, envelope.time)

    def _check_chain(self, envelope: Envelope) -> None:
        """Verify the place of the line in the chain (step 7)."""
        if envelope.seq != self.size:
            text = N_(
                "Event {expected} should stand here, but this is event {actual}: lines are missing, "
                "doubled or out of order."
            )
            raise Failure(7, "chain.seq", text, expected=self.size, actual=envelope.seq)
        if envelope.game != self._game.hex():
            text = N_("This event belongs to another game, {actual}.")
            raise Failure(7, "chain.game", text, expected=self._game.hex(), actual=envelope.game)
        if envelope.prev != self.head.hex():
            text = N_(
                "This event does not follow the line before it: that line was changed, or lines were "
                "dropped or swapped."
            )
            raise Failure(7, "chain.prev", text, expected=self.head.hex(), actual=envelope.prev)

    @staticmethod
    def _check_keeper(terms: EventTerms, envelope: Envelope, *, trusted: bool) -> None:
        """Verify the author and the signature of the line (steps 11 and 12)."""
        if envelope.author != terms.keeper:
            text = N_("{actual} does not keep this event: {expected} writes its lines.")
            raise Failure(11, "author.unknown", text, expected=terms.keeper, actual=envelope.author)
        if trusted:
            return
        message = signed_message(envelope, LINE_LABEL)
        if not holds(terms.keeper_key.public_bytes, bytes.fromhex(envelope.sig), message):
            text = N_("The signature of this event is not {author}'s: it is not what {author} signed.")
            raise Failure(12, "signature.invalid", text, author=terms.keeper)

    def _take(
        self, state: EventState, envelope: Envelope, act: Any, signed: SignedAct | None, *, trusted: bool
    ) -> bytes:
        """Apply rules E2 to E31. Return the hash of the message that the author signed; empty for the keeper's own
        lines.
        """
        if state.closed:
            raise Failure(STEP, "event.closed", "The event is closed: nothing follows.", clause="E7")
        if signed is None:
            apply_act(state, act, None, envelope.seq, envelope.time, envelope.seq)
            return b""
        opens = isinstance(act, EventOpen)
        key = state.people[signed.by].key if opens else check_author(state, envelope.type, act, signed.by)
        upon = self._upon(signed, opens=opens)
        message = act_message(signed.act, signed.at, signed.by, envelope.game, envelope.type, signed.upon)
        if not trusted and not holds(key.public_bytes, bytes.fromhex(signed.sig), message):
            text = N_("The signature of this act is not {by}'s: it is not what {by} signed.")
            raise Failure(STEP, "act.signature", text, clause="E5", by=signed.by)
        digest = hashlib.sha256(message).digest()
        if digest in self._acts:
            text = N_("This act of {by} stands in the log already.")
            raise Failure(STEP, "act.again", text, clause="E6", by=signed.by)
        if not opens:
            apply_act(state, act, signed, envelope.seq, envelope.time, upon)
        if isinstance(act, Appoint | CorrectKey):
            state.words[envelope.seq] = signed
        return digest

    def _upon(self, signed: SignedAct, *, opens: bool) -> int:
        """Return the number of the line that the author had seen last (E4)."""
        if opens and signed.upon == ZERO_HASH.hex():
            return 0
        found = self._recent.get(bytes.fromhex(signed.upon))
        if found is None:
            text = N_(
                "{by} signed this act upon a line that is none of the {most} before it: in another history, or "
                "long ago."
            )
            raise Failure(STEP, "act.upon", text, clause="E4", by=signed.by, most=MAX_BEHIND)
        return found[0]
