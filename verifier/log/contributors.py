"""The parties that contribute to a roll: the terms, and who is there at the moment (specs/protocol.md)."""

from collections.abc import Container

from msgspec import Struct

from rules import Session
from verifier.log.terms import Terms

__all__ = ["ContributorSets", "parties_without_part"]


class ContributorSets(Struct):
    """The contributors to each roller's rolls, computed anew only when the presence of a party changes."""

    sets: dict[str, tuple[frozenset[str], frozenset[str], tuple[str, ...]]] = {}
    """roller → parties that have left, parties that are away, and the contributors under these conditions"""

    def of(self, roller: str, terms: Terms, session: Session, committed: Container[str]) -> tuple[str, ...]:
        """Return the contributors to a roll of `roller` now; `committed` are the parties that have a seed chain."""
        left, away = session.parties.left, session.parties.away
        known = self.sets.get(roller)
        if known is None or known[0] is not left or known[1] is not away:
            absent = _absent(roller, terms, session, committed)
            known = self.sets[roller] = left, away, terms.contributors_of(roller, absent)
        return known[2]

    def clear(self) -> None:
        """Forget them: the terms changed, or a party that came later has committed."""
        self.sets = {}

    def copy(self) -> "ContributorSets":
        """Return an independent copy."""
        return ContributorSets(self.sets.copy())


def parties_without_part(
    roller: str, contributors: tuple[str, ...], terms: Terms, session: Session, committed: Container[str]
) -> tuple[str, ...]:
    """Return the parties without which this party rolls: somebody else signed them away, or gave them a key."""
    signed, worded = session.parties.signed_away, session.parties.renewed_by_others
    if not signed and not worded:
        return ()
    there = terms.contributors_of(roller, _absent(roller, terms, session, committed) - signed)
    return tuple(name for name in there if name not in contributors or name in worded)


def _absent(roller: str, terms: Terms, session: Session, committed: Container[str]) -> frozenset[str]:
    """Return the parties that contribute to no roll of this party at present, whatever the terms say."""
    late = frozenset(name for name in terms.late if name not in committed and name != roller)
    return session.parties.left | session.parties.away | late
