"""Taking the latest roll back, all together (specs/protocol.md, "Taking a roll back")."""

from typing import Any

from msgspec import Struct

from rules.data.language import N_
from rules.parties import Parties

__all__ = ["Latest", "strike_problem"]


class Latest(Struct, frozen=True):
    """The latest roll, as long as it can be taken back."""

    request: int
    author: str
    naturals: tuple[int, ...]
    by: frozenset[str] = frozenset()
    """the parties that have agreed to take it back"""

    def who_agrees(self, parties: Parties, keepers_judge: str | None) -> list[str]:
        """Return the parties that have to agree, in party order. Below two nobody can take it back."""
        return [
            name
            for name in parties.present("player", "gm", "judge")
            if name in parties.joined
            and name not in parties.away
            and name != keepers_judge
            and (name == self.author or not parties.is_newcomer(name))
        ]

    def missing(self, parties: Parties, keepers_judge: str | None) -> list[str]:
        """Return the parties that could take it back and have not agreed yet, in party order."""
        agree = self.who_agrees(parties, keepers_judge)
        return [] if len(agree) < 2 else [name for name in agree if name not in self.by]

    def view(self, parties: Parties, keepers_judge: str | None) -> dict[str, Any] | None:
        """Return it as JSON values; None if nobody can take it back."""
        missing = self.missing(parties, keepers_judge)
        if not missing:
            return None
        by = [name for name in parties.roles if name in self.by]
        return {"roll": self.request, "by": by, "missing": missing}


def strike_problem(latest: Latest | None, author: str, roll: int, agree: list[str]) -> str | None:
    """Return why this party cannot take the roll back now (step 15); None if it can.

    `agree` are the parties that have to.
    """
    if latest is None or latest.request != roll:
        return N_(
            "roll {roll} cannot be taken back: only the latest roll can, once, before anything is played on it and "
            "where nothing of it was rolled again; a judge can still rule it void"
        )
    if author not in agree:
        return N_("{author} came later, and has no say in this before the others have consented")
    if len(agree) < 2:
        return N_("{author} is alone here, and nobody takes a roll back alone: a judge can rule it void")
    if author in latest.by:
        return N_("{author} has agreed already to take roll {roll} back")
    return None
