"""The checks of a line that a seat without the rules can make (specs/verification.md, "With and without rules")."""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from rules import Event, Role, Ruling, System
from rules.protocol import ACTS, REQUESTS
from verifier.errors import Failure
from verifier.log.format import decode_envelope
from verifier.replay import Replay

__all__ = ["author_without_rules"]


class _AnyRules:
    """A system that accepts every body and every event, with the roles and options of a real system."""

    bodies: Mapping[str, Any] = dict.fromkeys(REQUESTS | ACTS, dict)

    def __init__(self, system: System[Any]) -> None:
        self.roles, self.rollers = system.roles, system.rollers
        self.rollers_clause, self.agreement, self.late = system.rollers_clause, system.agreement, system.late
        self.seals, self.seals_clause = system.seals, system.seals_clause

    def request(self, game: Any, _: Event) -> tuple[Any, tuple[int, ...]]:
        """Accept a roll that draws no dice."""
        return game, ()

    def act(self, game: Any, _: Event) -> Any:
        """Accept an event of the system."""
        return game

    def rule(self, game: Any, _: Ruling) -> Any:
        """Accept a ruling."""
        return game

    def void(self, game: Any) -> Any:
        """Accept a void."""
        return game

    def show(self, game: Any, _: int, __: tuple[int, ...]) -> Any:
        """Accept a show of a secret roll."""
        return game

    def admit(self, game: Any, _: str, __: Role) -> Any:
        """Accept a new party."""
        return game

    def leave(self, game: Any, _: str) -> Any:
        """Accept that a party leaves."""
        return game

    def away(self, game: Any, _: frozenset[str]) -> Any:
        """Accept that parties are away."""
        return game


def author_without_rules(replay: Replay, line: bytes) -> str | None:
    """Return the author of a line that only the rules refuse; None if another check refuses it too.

    It is always None for event 0 and for lines of the keeper.
    """
    if not replay.size:
        return None
    other = replay.copy()
    system = cast(System[Any], _AnyRules(replay.session.system))
    other.session = msgspec.structs.replace(replay.session, system=system, owes={})
    try:
        author = decode_envelope(line).author
        if author == replay.terms.keeper:
            return None
        other.step(line)
    except Failure:
        return None
    return author
