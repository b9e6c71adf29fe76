"""Code and oracle play the same random games: they allow the same events and come to the same state.

A system brings a dealer, which makes up the next event from the state, and its oracle, written from the specification
alone. What differs is told as a script that `rollproof rules check` runs.
"""

import copy
import json
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol

import msgspec

from rules import SYSTEMS, Body, Role, Session
from tests.oracles import reference_rules
from tests.oracles.test_properties import code_step

__all__ = ["Deals", "Outcomes", "broken", "compare", "played_until", "shown"]

Outcomes = Counter[tuple[str, str | None] | None]
"""How many events were allowed (None), and refused with each code and clause."""


def broken(outcomes: Outcomes) -> set[str | None]:
    """The clauses by which events were refused."""
    return {outcome[1] for outcome in outcomes if outcome is not None}


def played_until(
    enough: Callable[[set[str | None]], bool], play: Callable[[int], Outcomes], *, least: int, most: int
) -> Outcomes:
    """Play by the seeds 0, 1, 2, …: `least` of them, and on until the clauses that were broken are enough."""
    outcomes: Outcomes = Counter()
    for seed in range(most):
        if seed >= least and enough(broken(outcomes)):
            break
        outcomes += play(seed)
    return outcomes


class Deals(Protocol):
    random: Random

    def chance(self, percent: int) -> bool: ...

    def event(self, state: dict[str, Any]) -> dict[str, Any]: ...

    def naturals(self, sides: tuple[int, ...]) -> list[int]: ...


def shown(deal: Deals, session: Session) -> list[int]:
    """Naturals for the request that waits, those that the first of them call for too."""
    naturals: list[int] = []
    while len(sides := session.sides_drawn(naturals)) > len(naturals):
        naturals += deal.naturals(sides[len(naturals) :])
    return naturals


def oracle_step(
    game: reference_rules.Game, seq: int, event: dict[str, Any]
) -> tuple[reference_rules.Game, tuple[str, str | None] | None]:
    """The oracle's game after an event, or as it was and the code and clause of the violation."""
    after = copy.deepcopy(game)
    try:
        reference_rules.run_event(after, seq, copy.deepcopy(event))
    except reference_rules.Violation as violation:
        return game, (violation.code, violation.clause)
    return after, None


def compare(
    deal: Deals,
    oracle: type[reference_rules.Game],
    options: Body,
    parties: Mapping[str, Role],
    length: int,
) -> Outcomes:
    """Play one game of at most `length` offers by the code's rules and by the oracle's. Fails where they differ."""
    outcomes: Outcomes = Counter()
    keeper = next(party for party, role in parties.items() if role == "keeper")
    joined = list(parties) if deal.chance(85) else [keeper]
    plain = msgspec.to_builtins(options)
    session = Session.start(SYSTEMS[oracle.SYSTEM], options, parties)
    session = session.with_joined(joined)
    game = oracle(plain, dict(parties), joined)
    events: list[dict[str, Any]] = []
    for _ in range(length):
        seq, event = len(events) + 1, deal.event(session.view())
        after, violation = code_step(session, seq, event)
        if violation is None and after.phase == "pending" and not deal.chance(6):
            event["naturals"] = shown(deal, after)
            after, violation = code_step(session, seq, event)
        game, other = oracle_step(game, seq, event)
        script = {
            "format": reference_rules.SCRIPT_FORMAT,
            "system": oracle.SYSTEM,
            "options": plain,
            "parties": dict(parties),
            "events": [*events, event],
        }
        assert violation == other, f"code {violation}, oracle {other}: {json.dumps(script, ensure_ascii=False)}"
        outcomes[violation] += 1
        if violation is None:
            session = after
            events.append(event)
            assert session.view() == game.state(), json.dumps(script, ensure_ascii=False)
        if session.phase == "closed":
            break
    return outcomes
