"""Search all states of a model, breadth first: what the models that are written in Python share."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import Generic, NamedTuple, TypeVar

State = TypeVar("State", bound=Hashable)
Event = TypeVar("Event", bound=Hashable)


class Found(NamedTuple, Generic[Event]):
    """All states of one game: how many, and the events on the way, each with the labels of the shortest way to it."""

    states: int
    events: dict[Event, tuple[str, ...]]


class Result(NamedTuple):
    """One claim, or one expected attack: whether it came out as it should."""

    what: str
    states: int
    good: bool
    trace: tuple[str, ...] = ()


def search(start: State, moves: Callable[[State], Iterable[tuple[str, State, Iterable[Event]]]]) -> Found[Event]:
    """Search all states. `moves` gives what can happen next: its label, the state after it, and its events."""
    came: dict[State, tuple[State, str] | None] = {start: None}
    found: dict[Event, tuple[str, ...]] = {}
    queue = deque(came)
    while queue:
        state = queue.popleft()
        for label, then, events in moves(state):
            for event in events:
                if event not in found:
                    found[event] = (*_way(came, state), label)
            if then not in came:
                came[then] = (state, label)
                queue.append(then)
    return Found(len(came), found)


def _way(came: dict[State, tuple[State, str] | None], state: State) -> tuple[str, ...]:
    labels: list[str] = []
    while (step := came[state]) is not None:
        state, label = step
        labels.append(label)
    return tuple(reversed(labels))


def coalitions(parties: Sequence[str]) -> list[frozenset[str]]:
    """Every set of parties that may cheat together, the empty one first."""
    return [frozenset(some) for size in range(len(parties) + 1) for some in combinations(parties, size)]
