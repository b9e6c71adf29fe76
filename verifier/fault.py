"""Attribution of fault for an event that fails verification (specs/verification.md, "Fault")."""

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from rules.data.language import Translate
from verifier.errors import Failure, Finding, KeyFormatError
from verifier.language import join_sentences
from verifier.log.format import MAX_LINE, Envelope, decode_envelope, signed_message
from verifier.log.identity import VerifierKey
from verifier.log.merkle import MerkleTree, leaf_hash
from verifier.log.plainjson import plain_json
from verifier.log.terms import Terms

__all__ = ["FailedEvent", "Signers", "failed_finding", "signed_over"]


class Signers(NamedTuple):
    """The parties whose signatures count in the attribution of fault."""

    keys: Mapping[str, VerifierKey]
    keeper: str | None
    checks: Collection[str] = ()
    """the parties that declared in their join that their program knows the rules"""
    joining: Mapping[str, VerifierKey] = {}
    """the new keys that wait for their join"""

    @classmethod
    def of(cls, terms: Terms, checks: Collection[str], joining: Mapping[str, VerifierKey]) -> "Signers":
        """Return the signers of a game with these terms."""
        return cls(terms.keys, terms.keeper, checks, joining)

    @classmethod
    def read(cls, line: bytes) -> "Signers":
        """Return the signers named by an event 0 that is not valid: parties with a valid key and a unique name.

        The line has passed steps 1 to 3.
        """
        found: list[tuple[VerifierKey, Any]] = []
        try:
            parties = list(plain_json(line.removesuffix(b"\n"))["body"]["parties"])
        except (KeyError, TypeError):
            parties = []
        for party in parties:  # a malformed entry does not affect the others
            with contextlib.suppress(KeyFormatError, KeyError, TypeError, AttributeError):
                found.append((VerifierKey.parse(party["key"]), party.get("role")))
        names = Counter(key.name for key, _ in found)
        alone = [(key, role) for key, role in found if names[key.name] == 1]
        keepers = [key.name for key, role in alone if role == "keeper"]
        return cls({key.name: key for key, _ in alone}, keepers[0] if len(keepers) == 1 else None)


class FailedEvent(NamedTuple):
    """A line that failed, with everything that decides whose fault it is."""

    seq: int
    line: bytes
    """the line, with its line feed if it has one"""
    failure: Failure
    signers: Signers
    signed_over: bool
    """whether the keeper signed a later event or checkpoint that includes it"""
    unseeing: str | None
    """its author, if only the rules refuse the line (`author_without_rules`); else None"""

    def fault(self) -> str:
        """Return the name of the party at fault, or `file`."""
        failure, keeper = self.failure, self.signers.keeper
        if _of_the_file(failure):
            return "file"
        if failure.opening is not None and failure.step in (19, 20):
            return failure.opening
        over = keeper if self.signed_over and keeper else "file"
        if self.unseeing is not None and self.unseeing not in self.signers.checks:
            return over
        event = _signed_event(self.line[:-1], self.signers)
        return over if event is None else event.author

    def finding(self, _: Translate) -> Finding:
        """Return the error for the report."""
        failure, fault, keeper = self.failure, self.fault(), self.signers.keeper
        over = self.signed_over and not _of_the_file(failure)
        sentences = [_sentence(failure, _)]
        if self.unseeing is not None and fault != self.unseeing:
            text = _("{author} signed it; {author}'s program need not know the rules.")
            sentences.append(text.format(author=self.unseeing))
        if over and fault != keeper:
            sentences.append(_("{keeper}, the keeper, accepted it all the same.").format(keeper=keeper))
        elif over and self.unseeing is not None:
            sentences.append(_("{keeper}, the keeper, knows them, and accepted it all the same.").format(keeper=keeper))
        elif over and failure.step < 13:
            sentences.append(_("{keeper}, the keeper, signed over it.").format(keeper=keeper))
        return failed_finding(failure, self.seq, fault, join_sentences(sentences, _))

    def offer(self, _: Translate) -> Finding:
        """Return the notice `log.offer`, for a last line that is an offer and no part of the log."""
        text = _(
            "{author} signed event {seq}, and {keeper}, the keeper, has not signed over it. {author}'s program "
            "need not know the rules. The event is an offer, not a part of this log: nobody is at fault."
        ).format(author=self.unseeing, seq=self.seq, keeper=self.signers.keeper)
        return Finding(
            "log.offer", "notice", 24, self.seq, None, None, join_sentences([text, _sentence(self.failure, _)], _)
        )


def failed_finding(failure: Failure, seq: int, fault: str, message: str) -> Finding:
    """Return the error of a report for a failure."""
    return Finding(
        failure.code, "error", failure.step, seq, fault, failure.clause, message, failure.expected, failure.actual
    )


def _of_the_file(failure: Failure) -> bool:
    """Return whether the failure cannot be traced to any key."""
    return failure.step in (1, 2, 3, 4, 7) or failure.code.startswith("expect.")


def _sentence(failure: Failure, translate: Translate) -> str:
    """Return the failure as a sentence with a capital and a full stop; messages of the rules have neither."""
    template, text = translate(failure.template), failure.message(translate)
    if template[:1].islower():  # a template that begins with a name keeps its lower case
        text = text[:1].upper() + text[1:]
    if text.endswith((".", "?", "!", "。")):
        return text
    return text + ("." if template == failure.template else translate("."))


def _signed_event(line: bytes, signers: Signers) -> Envelope | None:
    """Return the event in a line if it decodes, is canonical and has its author's signature; else None."""
    try:
        event = decode_envelope(line)
    except Failure:
        return None
    new = signers.joining.get(event.author) if event.type == "join" else None
    key = new or signers.keys.get(event.author)
    return event if key is not None and key.verify(bytes.fromhex(event.sig), signed_message(event)) else None


def signed_over(
    line: bytes,
    following: Iterator[bytes],
    signers: Signers,
    before: MerkleTree,
    roots: Mapping[int, Collection[bytes]],
) -> bool:
    """Return whether the keeper signed an event or a checkpoint whose history includes this line.

    `before` is the tree of the lines before it. `roots` are the larger roots that the keeper signed, by size. Lines
    include their line feeds.
    """
    tree, linked = before.copy(), True
    tree.append(leaf := leaf_hash(line.removesuffix(b"\n")))
    for terminated in following:
        if _is_root(tree, roots):
            return True
        if not linked and tree.size >= max(roots, default=0):
            return False
        next_line = terminated.removesuffix(b"\n")
        if next_line == terminated or len(next_line) > MAX_LINE:
            return False
        linked = linked and _follows(next_line, leaf)
        if linked and _is_keepers(next_line, signers):
            return True
        tree.append(leaf := leaf_hash(next_line))
    return _is_root(tree, roots)


def _is_root(tree: MerkleTree, roots: Mapping[int, Collection[bytes]]) -> bool:
    return tree.size in roots and tree.root() in roots[tree.size]


def _follows(line: bytes, leaf: bytes) -> bool:
    """Return whether a line is an event whose `prev` is this leaf hash."""
    try:
        return decode_envelope(line).prev == leaf.hex()
    except Failure:
        return False


def _is_keepers(line: bytes, signers: Signers) -> bool:
    """Return whether an event is by the keeper and carries its signature."""
    return decode_envelope(line).author == signers.keeper and _signed_event(line, signers) is not None
