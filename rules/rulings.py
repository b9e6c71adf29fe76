"""A judge's rulings: their form, and what the state keeps of them (specs/protocol.md)."""

from collections.abc import Collection

from msgspec import UNSET, Struct

from rules.base import Event, Ruling, Violation, given
from rules.data.language import N_

__all__ = ["Ruled", "check_ruling"]


class Ruled(Struct, frozen=True):
    """A ruling as the state keeps it."""

    seq: int
    judge: str
    ruling: str
    subject: int
    text: str
    party: str | None
    results: tuple[tuple[int, int], ...] | None

    @classmethod
    def of(cls, event: Event, ruling: Ruling) -> "Ruled":
        """Return what the state keeps of an event's ruling."""
        results = given(ruling.results, None)
        return cls(
            seq=event.seq,
            judge=event.author,
            ruling=ruling.ruling,
            subject=ruling.subject,
            text=ruling.text,
            party=given(ruling.party, None),
            results=None if results is None else tuple((r.die, r.result) for r in results),
        )


def check_ruling(event: Event, ruling: Ruling, parties: Collection[str]) -> None:
    """Verify the form of a ruling (step 15). Raises Violation `ruling.*`."""
    if not 0 <= ruling.subject < event.seq:
        text = N_("a ruling is about an earlier event; {subject} is none")
        raise Violation(None, text, code="ruling.subject", subject=ruling.subject)
    has_party, has_results = ruling.party is not UNSET, ruling.results is not UNSET
    if has_party != (ruling.ruling == "penalty"):
        raise Violation(None, "a penalty names a party; other rulings name none", code="ruling.form")
    if has_results and ruling.ruling != "correct":
        raise Violation(None, "only a correction names results", code="ruling.form")
    corrected = [ruled.die for ruled in given(ruling.results, ())]
    if len(set(corrected)) < len(corrected):
        raise Violation(None, "a correction names each die once", code="ruling.form")
    if has_party and ruling.party not in parties:
        raise Violation(None, "{party} is no party of this game", code="ruling.form", party=ruling.party)
