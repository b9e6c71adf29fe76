"""The fast ways through a line that holds. Neither decides what is wrong with one that does not: LineChecks does."""

from collections.abc import Mapping, Sequence

from rules import Body
from verifier.errors import Failure
from verifier.format import PROTOCOL_BODIES, Envelope, Opening, Reveal, RevealGlance, from_hex, glance, signature_of
from verifier.identity import VerifierKey
from verifier.line_checks import LineChecks, Table
from verifier.signatures import trust
from verifier.voided import Pending

__all__ = ["TRUSTED", "FastChecks"]


class FastChecks(LineChecks):
    """All checks, those of steps 5 and 6 with the signature: the line is encoded once, for both.

    So a line with several flaws fails at another step than the page's first.
    """

    __slots__ = ()

    def read(self, line: bytes) -> Envelope:
        """The envelope, without a look at its form (steps 5, 6)."""
        return glance(line)

    def event(self, key: VerifierKey, line: bytes, envelope: Envelope, body: Body) -> None:
        """Form and signature of the line, at once."""
        self._signed(key, envelope.seq, *signature_of(line, envelope, body))


class _Trusted(LineChecks):
    """Of lines that were verified before: signatures, links and dice are taken as they stand."""

    __slots__ = ()
    bodies: Mapping[str, type[Body]] = {**PROTOCOL_BODIES, "reveal": RevealGlance}

    def read(self, line: bytes) -> Envelope:
        return glance(line)

    def event(self, key: VerifierKey, line: bytes, envelope: Envelope, body: Body) -> None:
        pass

    def link(self, table: Table, name: str, index: int, link: str, code: str) -> None:
        pass

    def openings(self, table: Table, pending: Pending, openings: Sequence[Opening]) -> dict[str, bytes]:  # noqa: ARG002
        return {opening.author: from_hex(opening.link, 32) for opening in openings}

    def naturals(self, game: bytes, pending: Pending, links: Mapping[str, bytes], told: Reveal) -> None:  # noqa: ARG002
        """Only that its dice can show them, which the rules rely on."""
        naturals, sides = told.naturals, told.sides
        if len(sides) != len(naturals) or any(n > most for n, most in zip(naturals, sides, strict=True)):
            raise Failure(22, "reveal.naturals", "The reveal has naturals that its dice do not have.")


TRUSTED = _Trusted(trust)
