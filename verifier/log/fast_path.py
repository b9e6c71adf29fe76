"""Fast checks for valid lines. LineChecks finds the problem of an invalid line."""

from collections.abc import Mapping, Sequence

from rules import Body
from verifier.dice.derivation import opening_message, walk_down
from verifier.dice.pending import PendingRoll
from verifier.errors import Failure
from verifier.log.bodies import (
    PROTOCOL_BODIES,
    AdmitBody,
    Appointment,
    Correction,
    Opening,
    Reveal,
    RevealGlance,
    Succession,
    Word,
)
from verifier.log.format import Envelope, from_hex, glance, signature_of
from verifier.log.identity import VerifierKey
from verifier.log.line_checks import NOT_ON_CHAIN, CheckContext, LineChecks
from verifier.log.signatures import SignatureCheck, trust
from verifier.log.terms import Terms

__all__ = ["TRUSTED", "FastChecks"]


_BODIES: Mapping[str, type[Body]] = {**PROTOCOL_BODIES, "reveal": RevealGlance}


class FastChecks(LineChecks):
    """All checks, in a faster order.

    Steps 5 and 6 are made together with the signature, by comparing the line with the signed message. Step 9 for the
    openings of a reveal is made with their steps 17 to 20, which are stricter than the schema. So a line with several
    flaws may fail at another step than the first of the specification.
    """

    __slots__ = ()
    bodies = _BODIES

    def read(self, line: bytes) -> Envelope:
        """Decode the envelope without checking its form (steps 5, 6)."""
        return glance(line)

    def event(self, key: VerifierKey, line: bytes, envelope: Envelope, body: Body) -> None:
        """Verify form and signature of the line together."""
        self._signed(key, envelope.seq, *signature_of(line, envelope, body))

    def openings(self, table: CheckContext, pending: PendingRoll, openings: Sequence[Opening]) -> dict[str, bytes]:
        """Verify form, link and signature of each opening in turn. Its author is a contributor (step 17)."""
        game, keys, chains, seq = table
        links: dict[str, bytes] = {}
        for opening in openings:
            name, index = opening.author, opening.index
            chain, link = chains[name], from_hex(opening.link, 32)
            if index != chain.next or walk_down(link, game, name, index, chain.known) != chain.link:
                raise Failure(20, "opening.link", NOT_ON_CHAIN, author=name, opening=name, actual=opening.link)
            message = opening_message(game, pending.request, name, index, link)
            self._check(SignatureCheck(keys[name].public_bytes, from_hex(opening.sig, 64), message, name, 18, seq))
            links[name] = link
        return links


class _Trusted(LineChecks):
    """Checks for lines that have been verified before: signatures, links and dice are taken as they are."""

    __slots__ = ()
    bodies = _BODIES

    def read(self, line: bytes) -> Envelope:
        return glance(line)

    def event(self, key: VerifierKey, line: bytes, envelope: Envelope, body: Body) -> None:
        pass

    def word(self, table: CheckContext, host: VerifierKey, admitted: AdmitBody, word: Word) -> None:
        pass

    def succession(self, succession: Succession) -> None:
        pass

    def event_word(self, terms: Terms, signed: Appointment | Correction, name: str) -> None:
        pass

    def link(self, table: CheckContext, name: str, index: int, link: str, code: str) -> None:
        pass

    def openings(self, table: CheckContext, pending: PendingRoll, openings: Sequence[Opening]) -> dict[str, bytes]:  # noqa: ARG002
        return {opening.author: from_hex(opening.link, 32) for opening in openings}

    def opening_after(self, table: CheckContext, roll: PendingRoll, index: int, opening: Opening) -> bytes:  # noqa: ARG002
        return from_hex(opening.link, 32)

    def naturals(self, game: bytes, pending: PendingRoll, links: Mapping[str, bytes], reveal: Reveal) -> None:  # noqa: ARG002
        """Verify only that the naturals are possible for their dice, on which the rules rely."""
        naturals, sides = reveal.naturals, reveal.sides
        if len(sides) != len(naturals) or any(n > most for n, most in zip(naturals, sides, strict=True)):
            raise Failure(22, "reveal.naturals", "The reveal has naturals that its dice do not have.")


TRUSTED = _Trusted(trust)
