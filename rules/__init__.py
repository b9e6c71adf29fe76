"""The rules of the games: pure functions without dice, keys, clocks or files (specs/rules.md).

Naturals go in; a state or a violation comes out.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from rules.base import Body, Clause, Event, Role, Ruling, System, Violation, WaitsFor
from rules.protocol import Phase
from rules.session import Session

__all__ = [
    "SYSTEMS",
    "Body",
    "Clause",
    "Event",
    "Phase",
    "Role",
    "Ruling",
    "Session",
    "System",
    "Violation",
    "WaitsFor",
    "games",
]

_HOMES = {
    "mtg-706-2023-11-17": "magic = rules.systems.mtg:Magic",
    "wh40k-9e": "wh40k = rules.systems.wh40k:Warhammer40k",
    "t9a-2022": "t9a = rules.systems.t9a:NinthAge",
    "doubledown-1": "doubledown = rules.systems.doubledown:DoubleDown",
    "dice-1": "dice = rules.systems.anydice:AnyDice",
}
"""System id → `name = module:class`; the name is that of the game, so that listing games loads no system.

The list is closed: a new system or edition is a line here.
"""


class _Systems(Mapping[str, System[Any]]):
    """The systems of the list. Each is imported when it is first looked up, because a game needs only one of them."""

    def __init__(self, homes: Mapping[str, str]) -> None:
        self._homes = homes
        self._systems: dict[str, System[Any]] = {}

    def __getitem__(self, id_: str) -> System[Any]:
        if id_ not in self._systems:
            module, _, name = self._homes[id_].rpartition(" = ")[2].partition(":")
            self._systems[id_] = getattr(import_module(module), name)()
        return self._systems[id_]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


SYSTEMS: Mapping[str, System[Any]] = _Systems(_HOMES)
"""Every rules system, by id."""


def games() -> Mapping[str, str]:
    """Return the ids of the systems by the names of their games, in the order of the list.

    A game with several editions has the id of the last one.
    """
    return {home.rpartition(" = ")[0] or SYSTEMS[id_].name: id_ for id_, home in _HOMES.items()}
