"""Comparison of a log with the caller's checkpoints and policy (steps 26 and 27 of specs/verification.md)."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from rules.data.language import N_, Translate
from verifier.checkpoints.checkpoint import Checkpoint, SignedCheckpoint, keeper_signed, parse_checkpoint
from verifier.checkpoints.policy import Policy
from verifier.errors import Finding, NoteError
from verifier.language import join_names, join_sentences
from verifier.log.identity import VerifierKey
from verifier.log.merkle import MerkleTree

__all__ = ["MAX_RECEIPTS", "UNCHECKED", "Receipts"]

UNCHECKED = "policy.unchecked"
"""the code of a finding that leaves open whether the log holds"""

MAX_RECEIPTS = 1_000
"""receipts for one verification"""


class KeptTerms(Protocol):
    """The facts in line 0 of a log about its keeper and its parties' keys."""

    @property
    def game(self) -> bytes:
        """The id of the log: the leaf hash of its line 0."""

    @property
    def keeper(self) -> str:
        """The name of the party that signs its checkpoints."""

    @property
    def keys(self) -> Mapping[str, VerifierKey]:
        """The keys of its parties, by name."""


class KeptLog(Protocol):
    """A log, replayed as far as it is valid, whose checkpoints a keeper signs: that of a game or of an event."""

    @property
    def size(self) -> int:
        """The number of valid lines."""

    @property
    def tree(self) -> MerkleTree:
        """The Merkle tree of the lines that were kept."""

    @property
    def terms(self) -> KeptTerms:
        """The terms in line 0."""

    @property
    def sealed(self) -> int:
        """The number of the last line that the keeper signed; -1 before line 0."""

    @property
    def closed(self) -> bool:
        """True if no line can follow."""


class _Held(Struct, frozen=True):
    """A receipt that the caller gave, with what was parsed from it."""

    name: str
    checkpoint: SignedCheckpoint | None
    problem: NoteError | None = None


class Receipts:
    """The caller's checkpoints, for the verification of one log."""

    def __init__(self, given: Mapping[str, bytes], policy: Policy | None = None) -> None:
        """`given` maps names to bytes. Raises ValueError for more than MAX_RECEIPTS."""
        if len(given) > MAX_RECEIPTS:
            raise ValueError(f"at most {MAX_RECEIPTS} receipts, not {len(given)}")
        self._held = [_read(name, data) for name, data in given.items()]
        self._policy = policy
        self._sizes = frozenset(held.checkpoint.head.size for held in self._held if held.checkpoint is not None)
        self._roots: dict[int, bytes] = {}

    def note(self, replay: KeptLog) -> None:
        """Record the root of the replayed lines. Call it after each line."""
        if replay.size in self._sizes:
            self._roots[replay.size] = replay.tree.root()

    def ahead(self, replay: KeptLog) -> Mapping[int, frozenset[bytes]]:
        """Return the roots that the keeper signed for more lines than are replayed, by size; none before event 0."""
        roots: dict[int, frozenset[bytes]] = {}
        for found in (held.checkpoint for held in self._held if replay.size):
            if found is not None and found.head.size > replay.size and _is_keepers(found, replay):
                roots[found.head.size] = roots.get(found.head.size, frozenset()) | {found.head.root}
        return roots

    def judge(self, replay: KeptLog, events: int, _: Translate, *, ended: bool) -> "Judgement":
        """Compare the log with the receipts and the policy (steps 26 and 27).

        `replay` is at the end of the valid prefix; `ended` says whether that is the whole log.
        """
        judge = _Judge(replay, events, self._roots, self._held, _)
        findings = [finding for held in self._held if (finding := judge.finding(held)) is not None]
        checked, not_checked = judge.coverage(self._held)
        notices: list[Finding] = []
        if self._policy is not None and ended:
            unmet = judge.unmet(self._policy)
            if unmet is not None and unmet.code == UNCHECKED:
                not_checked.append(unmet.message)
            if unmet is None:
                text = _("Policy: the cosignatures that it asks for are there, for all {events} events.")
                checked.append(text.format(events=events))
            else:
                findings.append(unmet)
            split = self._policy.split
            if split is not None:
                notices.append(Finding("policy.split", "notice", 27, None, None, None, split.message(_)))
        return Judgement(tuple(findings), tuple(checked), tuple(not_checked), judge.taken(), tuple(notices))


class Judgement(Struct, frozen=True):
    """The errors that were found, and what was and was not compared, in words."""

    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    not_checked: tuple[str, ...]
    taken: int
    """the number of events that the keeper signed in receipts that agree with the log"""
    notices: tuple[Finding, ...] = ()


def _read(name: str, data: bytes) -> _Held:
    try:
        return _Held(name, parse_checkpoint(data))
    except NoteError as problem:
        return _Held(name, None, problem)


def _is_keepers(checkpoint: SignedCheckpoint, replay: KeptLog) -> bool:
    """Return whether a checkpoint is of this game and by its keeper."""
    terms = replay.terms
    return checkpoint.head.game == terms.game and keeper_signed(checkpoint, terms.keys[terms.keeper])


class _Judge:
    """The valid prefix of a log, and the checkpoints that its keeper signed."""

    def __init__(
        self, replay: KeptLog, events: int, roots: Mapping[int, bytes], held: list[_Held], translate: Translate
    ) -> None:
        self.replay = replay
        self.events = events
        self.roots = roots
        self.translate = translate
        self.keeper = replay.terms.keeper
        self.signed = [
            each.checkpoint for each in held if each.checkpoint is not None and _is_keepers(each.checkpoint, replay)
        ]

    def coverage(self, receipts: list[_Held]) -> tuple[list[str], list[str]]:
        """Return in words what was compared and what was not."""
        _ = self.translate
        counted = [(held.name, c.head) for held in receipts if (c := held.checkpoint) is not None and c in self.signed]
        agreed = {name: head.size for name, head in counted if self._has(head)}
        beyond = [name for name, head in counted if self.replay.size < head.size <= self.events]
        checked, not_checked = [], []
        if agreed:
            text = _("Receipts ({names}): the log has all that {keeper} signed in them, up to its first {size} events.")
            names, size = ", ".join(agreed), max(agreed.values())
            checked.append(text.format(names=names, keeper=self.keeper, size=size))
        if beyond:
            text = _("Receipts ({names}): they are about events that do not hold.")
            not_checked.append(text.format(names=", ".join(beyond)))
        return checked, not_checked

    def taken(self) -> int:
        """Return the number of events that the keeper signed in receipts that agree with the log."""
        return max((found.head.size for found in self.signed if self._has(found.head)), default=0)

    def _has(self, head: Checkpoint) -> bool:
        """Return whether the log begins with the lines of the checkpoint."""
        return head.size <= self.replay.size and self.roots[head.size] == head.root

    def finding(self, held: _Held) -> Finding | None:
        """Return the error in a receipt, or in the log according to it (step 26); None if they agree."""
        found, terms, _ = held.checkpoint, self.replay.terms, self.translate
        if found is None:
            assert held.problem is not None
            text = _("{name} is not a checkpoint of a game: {problem}.")
            return self._error("receipt.malformed", text.format(name=held.name, problem=held.problem.message(_)))
        head = found.head
        if head.game != terms.game:
            text = _("{name} is a receipt of another game: it says nothing about this one.").format(name=held.name)
            return self._error("receipt.game", text, expected=terms.game.hex(), actual=head.game.hex())
        if found not in self.signed:
            text = _("{name} has no signature of {keeper}, the keeper, that holds: anybody could have written it.")
            text = text.format(name=held.name, keeper=self.keeper)
            return self._error("receipt.signature", text, expected=str(terms.keys[self.keeper]))
        if self._contradicted(head):
            text = N_(
                "{keeper}, the keeper, signed in {name} for a history of {size} events that this log does not have."
            )
            return self._forked(held.name, head, _(text))
        if head.size > self.events:
            text = _(
                "{keeper}, the keeper, signed in {name} for {size} events; this file has {events}: its end is missing."
            ).format(keeper=self.keeper, name=held.name, size=head.size, events=self.events)
            return self._error("receipt.short", text, expected=str(head.size), actual=str(self.events))
        return None

    def _contradicted(self, head: Checkpoint) -> bool:
        """Return whether no continuation of this log has this head, or the keeper signed another head of its size."""
        if head.size <= self.replay.size:
            return not self._has(head)
        # A closed log has no continuation.
        return self.replay.closed or any(
            other.head.size == head.size and other.head.root != head.root for other in self.signed
        )

    def _forked(self, name: str, head: Checkpoint, template: str) -> Finding:
        _ = self.translate
        sentences = [template.format(keeper=self.keeper, name=name, size=head.size)]
        actual = self.roots.get(head.size)
        if self._signed_both(head):
            text = _("{keeper} signed both histories: keep this file and {name}; together they show it to anybody.")
            sentences.append(text.format(keeper=self.keeper, name=name))
            fault = self.keeper
        else:
            text = _("{keeper} has not signed the line that this file has in its place.")
            sentences.append(text.format(keeper=self.keeper))
            fault = "file"
        message = join_sentences(sentences, _)
        return self._error("receipt.forked", message, fault, head.root.hex(), actual.hex() if actual else None)

    def _signed_both(self, head: Checkpoint) -> bool:
        """Return whether the keeper also vouched for another history than that of this checkpoint."""
        if head.size > self.replay.size:
            return True  # it closed the game, or signed another head of that size
        if self.replay.sealed >= head.size - 1:
            return True
        return any(
            (other.head.size >= head.size and self._has(other.head))
            or (other.head.size == head.size and other.head.root != head.root)
            for other in self.signed
        )

    def unmet(self, policy: Policy) -> Finding | None:
        """Return the error if the policy's quorum of cosignatures on the whole log is not met (step 27); else None."""
        _, key = self.translate, self.replay.terms.keys[self.keeper]
        if not policy.accepts(key):
            text = _("{keeper}, the keeper of this game, is not one of the keepers that the policy accepts.")
            return self._error("policy.unmet", text.format(keeper=self.keeper), actual=str(key), step=27)
        whole = [found for found in self.signed if found.head.size == self.events and self._has(found.head)]
        missing = policy.missing(whole)
        if missing is None:
            return None
        unchecked = policy.unchecked(whole)
        if unchecked:
            text = _(
                "Policy: whether its quorum is met is not known. It takes ML-DSA-44 to check the cosignatures of "
                "{names}, and this program's library, cryptography, has it from version 47 on."
            )
            message = text.format(names=join_names(unchecked, _))
            return self._error(UNCHECKED, message, fault=None, expected=policy.asks, step=27)
        if not whole:
            text = _("The policy asks for a checkpoint of all {events} events, and none was given.")
        else:
            text = _("The policy asks for more cosignatures on all {events} events. Missing: {names}.")
        text = text.format(events=self.events, names=join_names(missing, _))
        return self._error("policy.unmet", text, expected=policy.asks, step=27)

    def _error(
        self,
        code: str,
        message: str,
        fault: str | None = "file",
        expected: str | None = None,
        actual: str | None = None,
        step: int = 26,
    ) -> Finding:
        return Finding(code, "error", step, None, fault, None, message, expected, actual)
