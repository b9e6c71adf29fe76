"""The interface of a rules system, and the types that all systems share (specs/rules.md).

A system is pure: naturals go in; a state or a violation comes out.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules.data.bounds import HISTORY, MAX_DICE, Integer, Name, Positive, RequiredText
from rules.data.language import N_, Listed, Message, Translate
from rules.data.sentences import Sentences
from rules.records import RollRecord

if TYPE_CHECKING:
    from rules.actions import Action
    from rules.history import History

__all__ = [
    "Body",
    "BodyError",
    "Clause",
    "DeclareBody",
    "Event",
    "LateRole",
    "Notation",
    "NotationError",
    "Reason",
    "Role",
    "RuledResult",
    "Ruling",
    "System",
    "Table",
    "Violation",
    "WaitsFor",
    "Waves",
    "complete",
    "given",
    "keep",
    "next_wave",
]

Role = Literal["keeper", "player", "gm", "judge", "witness"]
LateRole = Literal["player", "gm", "witness", "judge"]
"""a role that somebody can take after the game has begun"""


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base class of event bodies. A body has exactly the members of its schema; an optional one is absent or has a
    value.
    """


class DeclareBody(Body, frozen=True, tag_field="what"):
    """Base class of the bodies of `declare`; the member `what` names the kind of declaration."""


class BodyError(Message, ValueError):
    """Raised when the members of a body contradict each other."""


class Event(msgspec.Struct, frozen=True):
    """An event as the rules see it, without hashes, signatures and times."""

    seq: int
    author: str
    type: str
    body: Body
    raw: bytes = b""
    """the body in canonical form; only requests have it"""


class RuledResult(Body, frozen=True):
    """The result that a judge gives one die in a `correct`. Dice are numbered from 1."""

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
    """Raised for an event that the protocol or the rules forbid.

    `code` is a finding code of specs/verification.md; `clause` is the violated clause of the rules, or None.
    """

    def __init__(self, clause: str | None, template: str, /, *, code: str = "rules.violation", **values: Any) -> None:
        super().__init__(template, **values)
        self.code = code
        self.clause = clause


class Reason(Message):
    """One step from naturals to outcome, in words. `clause` is the clause that it applies, or None."""

    def __init__(self, clause: str | None, template: str, /, **values: Any) -> None:
        super().__init__(template, **values)
        self.clause = clause


class Clause(msgspec.Struct, frozen=True):
    """One clause of a system's printed rules, and how the verifier enforces it.

    `holds` and `violates` each name a rules script below specs/vectors/scripts: FILE--NAME is the script NAME of
    FILE.json. If no log can violate the clause, `violates` is empty and `unviolable` says why.
    """

    number: str
    asks: str
    enforced: str
    holds: str = ""
    violates: str = ""
    unviolable: str = ""


class WaitsFor(msgspec.Struct, frozen=True):
    """The party that the game waits for, and the choice that it has to make."""

    party: str
    choice: str


class Notation(msgspec.Struct, frozen=True):
    """A way to type an object of a schema on one line, such as `reroll: Krark's Thumb`."""

    grammar: str
    """the name of the grammar on the system's page and in fields of actions"""
    example: str
    parse: Callable[[str], Any]
    """parses a text into JSON values of the schema; raises NotationError"""
    write: Callable[[Any], str]
    """writes JSON values of the schema as a text"""
    remarks: Callable[[Any], Sequence[Message]] = lambda _: ()
    """explains which of the JSON values may not be what the author meant"""


class NotationError(Message, ValueError):
    """Raised for a text that is not in the notation. The message says where it is wrong and what would be right.

    `lines` are lines that would be read in its place (specs/rules.md, "Free text"); `problem` is the message without
    them, for a program that offers them by itself.
    """

    def __init__(self, template: str, /, *, lines: Sequence[str] = (), **values: Any) -> None:
        super().__init__(template, **values)
        self.lines = tuple(lines)

    @property
    def problem(self) -> Message:
        """The message without the lines."""
        return Message(self.template, **self.values)

    def message(self, translate: Translate = str) -> str:
        """Return the message, with the lines behind it."""
        told = super().message(translate)
        if not self.lines:
            return told
        lines = Listed(self.lines, N_(" or "))
        return Message("{problem}; this would be read: {lines}", problem=told, lines=lines).message(translate)

    def offering(self, *lines: str) -> "NotationError":
        """Return the same error with these lines."""
        return NotationError(self.template, lines=lines, **self.values)

    def with_example(self, example: str) -> "NotationError":
        """Return the error with an example of the notation, if it has no lines to offer."""
        if self.lines:
            return self
        ended = self.template.endswith((".", "!", "?", "”"))
        problem = self if ended else Message("{sentence}.", sentence=self)
        return NotationError("{problem} As in: {example}", problem=problem, example=example)


class Table(msgspec.Struct, frozen=True):
    """A part of the state for people to read: a table with a title. A cell is a message, a party's text, a number or
    None.
    """

    title: Message
    columns: tuple[Message, ...]
    rows: Sequence[Sequence["Message | str | int | None"]]


G = TypeVar("G")
T = TypeVar("T")
Waves = Generator[tuple[int, ...], tuple[int, ...], None]
"""the rest of a draw, wave by wave: it yields the sides of the dice to draw next, and receives their naturals"""


def next_wave(waves: Waves, naturals: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sides of the dice that a draw takes after these naturals; empty if it is complete."""
    try:
        return waves.send(naturals)
    except StopIteration:
        return ()


def complete(draws: Generator[tuple[int, ...], Sequence[int], T], naturals: Sequence[int]) -> T:
    """Return what a draw comes to; `naturals` are those of all dice whose sides it yields."""
    at = 0
    try:
        sides = next(draws)
        while True:
            at, wave = at + len(sides), naturals[at : at + len(sides)]
            sides = draws.send(wave)
    except StopIteration as end:
        result: T = end.value
        return result


class System(Protocol[G]):
    """A rules system whose games have states of type G. A state is immutable: methods return a new one or raise
    Violation.
    """

    @property
    def id(self) -> str:
        """The id of the edition, which logs have as `system`."""

    @property
    def name(self) -> str:
        """The game as one word, which is also the name of its commands."""

    @property
    def title(self) -> str:
        """The game and its edition, for people."""

    @property
    def roles(self) -> frozenset[Role]:
        """The roles that the system has besides keeper, player, judge and witness."""

    @property
    def rollers(self) -> frozenset[Role]:
        """The roles that may request dice: players, and game masters if the rules allow it."""

    @property
    def rollers_clause(self) -> str | None:
        """The clause under which the system's further roles may not request dice; None without one."""

    @property
    def late(self) -> frozenset[Role]:
        """The roles, among player and gm, that somebody can take after the game has begun."""

    @property
    def seals(self) -> bool:
        """True if the system allows secret rolls."""

    @property
    def seals_clause(self) -> str | None:
        """The clause under which secret rolls are not allowed; None where they are."""

    @property
    def agreement(self) -> str | None:
        """The clause under which everybody must have agreed to digital dice; None without one."""

    @property
    def options(self) -> type[Body]:
        """The schema of `options` in `open`."""

    @property
    def bodies(self) -> Mapping[str, Any]:
        """Event type → type that msgspec decodes its body to, for the types of the domain that the system uses."""

    @property
    def rolls_stand_alone(self) -> bool:
        """True if what `notes` and `view_roll` say of a roll depends on its record alone: so it can be kept."""

    @property
    def claims(self) -> Mapping[str, frozenset[str]]:
        """Event type → members that only record what was announced. The state is the same without them."""

    @property
    def notations(self) -> Mapping[Any, Notation]:
        """Schema (of a body, or of an object within one) → the notation in which people type it."""

    @property
    def titles(self) -> Mapping[str, str]:
        """Templates with the names of events, by `TYPE` or `TYPE KIND`, and of values, by `MEMBER VALUE`.

        A value that explains itself has none.
        """

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the printed rules, in their order."""

    def start(self, options: Body, parties: Mapping[str, Role]) -> G:
        """Return the state of a new game. `options` is an instance of `System.options`; `parties` is in party order."""

    def request(self, game: G, event: Event) -> tuple[G, tuple[int, ...]]:
        """Take a roll or reroll. Return the new state and the sides of the dice that are drawn first, at most MAX_DICE.

        Raises Violation.
        """

    def waves(self, game: G, first: tuple[int, ...]) -> Waves:
        """Draw the dice of the pending request that depend on earlier ones. `first` has the naturals of its first dice.

        Every yielded wave has at least one die.
        """

    def reveal(self, game: G, naturals: tuple[int, ...]) -> G:
        """Return the state after the dice of the pending request are revealed; never raises Violation.

        `naturals` has one number for each die that the request draws, from 1 to the die's sides.
        """

    def void(self, game: G) -> G:
        """Return the state after the pending request was called off, so that it draws no dice."""

    def show(self, game: G, roll: int, naturals: tuple[int, ...]) -> G:
        """Return the state after the holder of a secret roll has shown its dice; never raises Violation."""

    def secret_sides(self, dice: str) -> tuple[int, ...]:
        """Return the sides of the dice of a secret roll, given in the system's notation. Raises Violation."""

    def secret_notes(self, game: G, roll: int, naturals: tuple[int, ...]) -> tuple[Message, ...]:
        """Return the result of a secret roll with these naturals, for its holder. Empty if the state lacks the roll."""

    def act(self, game: G, event: Event) -> G:
        """Return the state after an ignore, store, modify, resolve or declare. Raises Violation."""

    def actions(self, game: G, party: str) -> tuple["Action", ...]:
        """Return what a player or gm can do now, due actions first (specs/rules.md, "Actions"). No request is pending.

        If the only due action has no fields and draws no dice, it is not due: the roll stands.
        """

    def settle(self, game: G) -> G:
        """Return the game with the roll that stands settled, if there is one (specs/rules.md, "A roll that stands")."""

    def leave(self, game: G, party: str) -> G:
        """Return the game after a party left; its open roll is abandoned. No request is pending."""

    def admit(self, game: G, party: str, role: Role) -> G:
        """Return the game after a party joined in mid-game. No request is pending."""

    def away(self, game: G, away: frozenset[str]) -> G:
        """Return the game with exactly these parties away. Rules that do not depend on it return the game unchanged."""

    def rule(self, game: G, ruling: Ruling) -> G:
        """Return the game after a ruling on a roll; any other ruling leaves it unchanged. Raises Violation of clause
        `ruling`.
        """

    def waits_for(self, game: G) -> WaitsFor | None:
        """Return whose choice the open roll, or what that roll left to do, waits for: a party with a due action.

        None if anybody may go on, as with a roll that stands.
        """

    def rolls(self, game: G) -> tuple["History[RollRecord]", tuple[RollRecord, ...]]:
        """Return the settled rolls that the state keeps, and those that are pending or open, in the order of their
        requests.
        """

    def explain(self, game: G, roll: int) -> tuple[Reason, ...]:
        """Return how the dice of a roll led to its outcome, in the order in which the rules apply.

        Empty if the state does not keep the roll.
        """

    @property
    def sentences(self) -> Sentences:
        """Templates for what the system's events say, as data that the page reads too (`rules.data.sentences`)."""

    def summarize(self, event: Event) -> Message | None:
        """Return a one-line summary of an event of the domain; None if there is no template for it."""

    def notes(self, game: G, roll: int) -> tuple[Message, ...]:
        """Return a roll's result and the actions still possible. Empty if the state does not keep the roll."""

    def summary(self, roll: RollRecord) -> Message | None:
        """Return the text to show behind the dice of a roll of `rolls`, such as `+ 2 = 12 against 13+: failure`.

        None if there is nothing to add to the results of the dice.
        """

    def tables(self, game: G) -> tuple[Table, ...]:
        """Return the system's own part of the state for people to read. Callers skip empty tables."""

    def view_roll(self, game: G, roll: int) -> dict[str, Any] | None:
        """Return the roll with this number as `view` has it in `rolls`; None if the state does not keep it."""

    def view(self, game: G) -> dict[str, Any]:
        """Return the system's own members of the state, as JSON values: `rolls`, and those of `view_rest`."""

    def view_rest(self, game: G) -> dict[str, Any]:
        """Return the system's own members of the state without `rolls`, whose cost does not grow with the rolls that
        are kept.
        """


def given(value: T | UnsetType, default: T) -> T:
    """Return the value of an optional member, or the default if it is absent."""
    return default if isinstance(value, UnsetType) else value


def keep(history: tuple[T, ...], item: T) -> tuple[T, ...]:
    """Return `history` with `item` appended, cut to the latest HISTORY items."""
    return (*history[-(HISTORY - 1) :], item)
