"""What the dice and rolls of every system have (specs/rules.md, \"State\")."""

from typing import Literal, Protocol

from rules.data.language import Message

__all__ = ["DieRecord", "RollRecord", "RollStatus"]


class DieRecord(Protocol):
    """What every system's dice have (specs/rules.md, "State")."""

    @property
    def die(self) -> int:
        """Its number in the roll, from 1."""

    @property
    def sides(self) -> int:
        """1 to 2^53 - 1."""

    @property
    def naturals(self) -> tuple[int, ...]:
        """Each 1 to `sides`; the last one counts, the others were rerolled."""

    @property
    def status(self) -> str:
        """`counted` or `ignored`."""

    @property
    def result(self) -> int | None:
        """The natural after modifiers and rulings; None for a die without a number."""


RollStatus = Literal["sealed", "shown", "pending", "open", "resolved", "void", "struck", "abandoned"]
"""How far a roll has come (specs/rules.md, "State")."""


class RollRecord(Protocol):
    """What every system's rolls have (specs/rules.md, "State")."""

    @property
    def roll(self) -> int:
        """The number of its request in the log."""

    @property
    def player(self) -> str:
        """The party that rolled."""

    @property
    def status(self) -> RollStatus:
        """How far it has come."""

    @property
    def source(self) -> str:
        """What it was rolled for, in the players' words."""

    @property
    def notation(self) -> str:
        """The dice that were asked for: notation, or a word of the system's."""

    @property
    def dice(self) -> tuple[DieRecord, ...]:
        """In the order of the draw; none before they are revealed, and none of a void roll."""

    @property
    def load(self) -> int:
        """What bears on it, times its dice and one (specs/rules.md, "Load"); 0 where nothing does."""

    @property
    def summary(self) -> Message | None:
        """What stands behind the dice where they are shown, such as `+ 2 = 12, 13+ fails`.

        None where there is nothing but each die's own result.
        """
