"""What options of a command are turned into a body at: a game as it stands, and who acts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.errors import UsageError

if TYPE_CHECKING:
    from rules import Session
    from rules.base import RollRecord

__all__ = ["Place", "Section", "numbers", "present", "split_amount"]


class Section(NamedTuple):
    """A table of a system's state."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[object]]


@dataclass(frozen=True)
class Place:
    """A game as it stands, and who acts."""

    session: "Session"
    author: str
    notes: list[str] = field(default_factory=list)
    """what to tell about how options were read"""

    @property
    def open_roll(self) -> "RollRecord | None":
        """The roll that is pending or not finished, if any: the author's own, else the latest."""
        opened = self.session.system.rolls(self.session.game)[1]
        own = [roll for roll in opened if roll.player == self.author]
        return next(reversed(own or opened), None)

    def roll(self, given: int | None) -> int:
        """The number of the roll that is meant: the one given, else the open one. Raises UsageError."""
        if given is not None:
            return given
        if self.open_roll is None:
            raise UsageError("no roll is open in this game, so there is nothing to do this to")
        return self.open_roll.roll

    def settled(self, number: int) -> "RollRecord | None":
        """A roll that is finished, if it is kept."""
        return next((roll for roll in self.session.system.rolls(self.session.game)[0] if roll.roll == number), None)


def present(**members: Any) -> dict[str, Any]:
    """The members that have a value; no value is None, and for a list empty."""
    return {name: value for name, value in members.items() if value is not None and value != []}


def numbers(text: str | None, option: str) -> list[int] | None:
    """`1,3` as [1, 3]; None as None. Raises UsageError."""
    if text is None:
        return None
    try:
        return [int(part) for part in text.split(",")] if text else []
    except ValueError:
        raise UsageError(f"{option} takes numbers with commas between them, for example 1,3; not {text!r}") from None


def split_amount(text: str, source: str, option: str) -> dict[str, Any]:
    """`+2` or `-1=Card` as a modifier; without a source it is the given one. Raises UsageError."""
    amount, equals, given = text.partition("=")
    try:
        return {"source": given if equals else source, "amount": int(amount)}
    except ValueError:
        raise UsageError(
            f"{option} takes a whole number, or NUMBER=SOURCE, for example +2=Card; not {text!r}"
        ) from None
