"""The state of a game (highroll.md)."""

from typing import Literal

import msgspec

from rules.common.shared import RuledStep
from rules.history import History
from rules.records import RollStatus

__all__ = ["Die", "Game", "Roll"]


class Die(msgspec.Struct, frozen=True):
    die: int
    sides: int
    naturals: tuple[int, ...]
    result: int
    status: Literal["counted"] = "counted"
    steps: tuple[RuledStep, ...] = ()


class Roll(msgspec.Struct, frozen=True):
    roll: int
    player: str
    source: str
    notation: str
    status: RollStatus = "pending"
    dice: tuple[Die, ...] = ()
    rerolled: bool = False
    total: int | None = None

    @property
    def load(self) -> int:
        return 0


class Game(msgspec.Struct, frozen=True):
    open: Roll | None = None
    rerolling: tuple[int, ...] = ()
    before: "Game | None" = None
    """the game before the pending roll, which may have settled another"""
    settled: History[Roll] = History()
