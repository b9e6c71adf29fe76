"""The rules of the games, without dice, keys, clocks or files: naturals in, state or violation out (specs/rules.md)."""

from collections.abc import Mapping
from typing import Any

from rules.base import Body, Clause, Event, Role, Ruling, System, Violation, WaitsFor
from rules.doubledown import DoubleDown
from rules.mtg import Magic
from rules.session import Phase, Session
from rules.t9a import NinthAge
from rules.wh40k import Warhammer40k

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
]

_ALL: tuple[System[Any], ...] = (Magic(), NinthAge(), DoubleDown(), Warhammer40k())
SYSTEMS: Mapping[str, System[Any]] = {system.id: system for system in _ALL}
"""Every rules system, by id. The list is closed: a new system or edition is a line here."""
