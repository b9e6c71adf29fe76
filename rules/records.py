"""The members that the dice and rolls of every system have (specs/rules.md, \"State\")."""

from typing import Literal, Protocol

__all__ = ["DieRecord", "RollRecord", "RollStatus"]


class DieRecord(Protocol):
    """A die in a state, whatever the system (specs/rules.md, "State")."""

    @property
    def die(self) -> int:
        """The number of the die in its roll, from 1."""

    @property
    def sides(self) -> int:
        """The number of sides, from 1 to 2^53 - 1."""

    @property
    def naturals(self) -> tuple[int, ...]:
        """The naturals, each from 1 to `sides`. The last one counts; the others were rerolled."""

    @property
    def status(self) -> str:
        """`counted` or `ignored`."""

    @property
    def result(self) -> int | None:
        """The natural after modifiers and rulings; None for a die without a number."""


RollStatus = Literal["sealed", "shown", "pending", "open", "resolved", "void", "struck", "abandoned"]
"""The stages of a roll (specs/rules.md, "State")."""


class RollRecord(Protocol):
    """A roll in a state, whatever the system (specs/rules.md, "State")."""

    @property
    def roll(self) -> int:
        """The number of the roll's request in the log."""

    @property
    def player(self) -> str:
        """The party that rolled."""

    @property
    def status(self) -> RollStatus:
        """The stage of the roll."""

    @property
    def source(self) -> str:
        """The purpose of the roll, in the players' words."""

    @property
    def notation(self) -> str:
        """The requested dice: dice notation, or a word of the system."""

    @property
    def dice(self) -> tuple[DieRecord, ...]:
        """The dice, in the order of the draw. Empty before they are revealed, and for a void roll."""

    @property
    def load(self) -> int:
        """The weight of all that bears on the roll, times the number of its dice plus one; 0 if nothing does.

        See specs/rules.md, "Load".
        """
