"""What a seat without rules checks of a line (specs/verification.md, "With and without rules")."""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from rules import Event, Role, Ruling, System
from rules.session import ACTS, REQUESTS
from verifier.errors import Failure
from verifier.log.format import decode_envelope
from verifier.replay import Replay

__all__ = ["author_without_rules"]


class _AnyRules:
    """A system that takes every body and every event. Who rolls, and what else a seat knows of it, is the system's."""

    bodies: Mapping[str, Any] = dict.fromkeys(REQUESTS | ACTS, dict)

    def __init__(self, system: System[Any]) -> None:
        self.roles, self.rollers = system.roles, system.rollers
        self.rollers_clause, self.agreement, self.late = system.rollers_clause, system.agreement, system.late
        self.seals, self.seals_clause = system.seals, system.seals_clause

    def request(self, game: Any, _: Event) -> tuple[Any, tuple[int, ...]]:
        """Take a roll that draws no dice."""
        return game, ()

    def act(self, game: Any, _: Event) -> Any:
        """Take an event of the system's."""
        return game

    def rule(self, game: Any, _: Ruling) -> Any:
        """Take a ruling."""
        return game

    def void(self, game: Any) -> Any:
        """Forget the pending request."""
        return game

    def show(self, game: Any, _: int, __: tuple[int, ...]) -> Any:
        """Let the holder of a secret roll show its dice."""
        return game

    def admit(self, game: Any, _: str, __: Role) -> Any:
        """Let a party come."""
        return game

    def leave(self, game: Any, _: str) -> Any:
        """Let a party leave."""
        return game

    def away(self, game: Any, _: frozenset[str]) -> Any:
        """Let parties be away."""
        return game


def author_without_rules(replay: Replay, line: bytes) -> str | None:
    """The author of a line that the replay refuses, where the rules alone refuse it; None where another check does.

    A keeper's line, and event 0, are never such a line.
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
