"""What a rules system is (specs/rules.md). Pure: naturals in, state or violation out."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules.bounds import HISTORY, MAX_DICE, Integer, Name, Positive, RequiredText
from rules.language import Message

__all__ = [
    "Body",
    "BodyError",
    "Clause",
    "DieRecord",
    "Event",
    "Role",
    "RollRecord",
    "RuledResult",
    "Ruling",
    "System",
    "Violation",
    "WaitsFor",
    "given",
    "keep",
]

Role = Literal["keeper", "player", "gm", "judge", "witness"]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of all event bodies: exactly the members of the schema; optional ones are absent or have a value."""


class BodyError(Message, ValueError):
    """A body whose members do not go together."""


class Event(msgspec.Struct, frozen=True):
    """An event as the rules see it: no hashes, no signatures, no time."""

    seq: int
    author: str
    type: str
    body: Body


class RuledResult(Body, frozen=True):
    die: Positive
    result: Integer


class Ruling(Body, frozen=True):
    """A judge's ruling (specs/protocol.md, "Event bodies")."""

    ruling: Literal["void", "correct", "uphold", "penalty"]
    subject: Integer
    text: RequiredText
    party: Name | UnsetType = UNSET
    results: Annotated[tuple[RuledResult, ...], Meta(max_length=MAX_DICE)] | UnsetType = UNSET


class Violation(Message, Exception):
    """An event that the protocol or the rules forbid.

    `code` is a finding code of specs/verification.md, `clause` the rule's clause or None.
    """

    def __init__(self, clause: str | None, template: str, /, *, code: str = "rules.violation", **values: Any) -> None:
        super().__init__(template, **values)
        self.code = code
        self.clause = clause


class Clause(msgspec.Struct, frozen=True):
    """One clause of a system's text, and how the verifier holds a log to it.

    `holds` and `violates` name a rules script each, below specs/vectors/scripts; where a log cannot violate the clause,
    `violates` is empty and `unviolable` says why.
    """

    number: str
    asks: str
    enforced: str
    holds: str = ""
    violates: str = ""
    unviolable: str = ""


class WaitsFor(msgspec.Struct, frozen=True):
    """Whose choice the open roll waits for."""

    party: str
    choice: str


G = TypeVar("G")
T = TypeVar("T")


class DieRecord(Protocol):
    """What every system's dice have."""

    @property
    def die(self) -> int: ...
    @property
    def sides(self) -> int: ...
    @property
    def naturals(self) -> tuple[int, ...]: ...
    @property
    def status(self) -> str: ...
    @property
    def result(self) -> int | None: ...


class RollRecord(Protocol):
    """What every system's rolls have."""

    @property
    def roll(self) -> int: ...
    @property
    def player(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def notation(self) -> str: ...
    @property
    def dice(self) -> tuple[DieRecord, ...]: ...
    @property
    def summary(self) -> str | None:
        """What stands behind the dice where they are shown, such as `+ 2 = 12, 13+ fails`.

        None where there is nothing but each die's own result.
        """


class System(Protocol[G]):
    """A rules system over a state G, which is immutable: every method returns a new one or raises Violation."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def roles(self) -> frozenset[Role]:
        """The roles that the system uses besides keeper, player, judge and witness."""

    @property
    def agreement(self) -> str | None:
        """The clause by which everybody must have agreed to the digital dice, if the system has one."""

    @property
    def options(self) -> type[Body]: ...
    @property
    def bodies(self) -> Mapping[str, Any]:
        """A type that msgspec can decode, for the body of each type of the domain that the system uses."""

    @property
    def clauses(self) -> tuple[Clause, ...]: ...

    def start(self, options: Body, parties: Mapping[str, Role]) -> G: ...
    def request(self, game: G, event: Event) -> tuple[G, tuple[int, ...]]:
        """Take a roll or reroll; also returns the sides of each die to draw, at most MAX_DICE."""

    def reveal(self, game: G, naturals: tuple[int, ...]) -> G: ...
    def void(self, game: G) -> G:
        """The pending request draws nothing."""

    def act(self, game: G, event: Event) -> G:
        """Take an ignore, store, modify, resolve or declare."""

    def leave(self, game: G, party: str) -> G: ...
    def rule(self, game: G, ruling: Ruling) -> G: ...
    def waits_for(self, game: G) -> WaitsFor | None: ...
    def rolls(self, game: G) -> tuple[tuple[RollRecord, ...], RollRecord | None]:
        """The settled rolls that are kept, and the open one or None."""

    def view(self, game: G) -> dict[str, Any]:
        """The system's own members of the state, as JSON values."""


def given(value: T | UnsetType, default: T) -> T:
    """The value of an optional member, or the default where it is absent."""
    return default if isinstance(value, UnsetType) else value


def keep(history: tuple[T, ...], item: T) -> tuple[T, ...]:
    """`history` with `item` as the latest of at most HISTORY."""
    return (*history[-(HISTORY - 1) :], item)
