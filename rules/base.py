"""What a rules system is (specs/rules.md). Pure: naturals in, state or violation out."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules.data.bounds import HISTORY, MAX_DICE, Integer, Name, Positive, RequiredText
from rules.data.language import Message
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
    "given",
    "keep",
]

Role = Literal["keeper", "player", "gm", "judge", "witness"]
LateRole = Literal["player", "gm", "witness", "judge"]
"""a role in which somebody may come later"""


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of all event bodies: exactly the members of the schema; optional ones are absent or have a value."""


class DeclareBody(Body, frozen=True, tag_field="what"):
    """Base of the bodies of `declare`: what is declared is told by `what`."""


class BodyError(Message, ValueError):
    """A body whose members do not go together."""


class Event(msgspec.Struct, frozen=True):
    """An event as the rules see it: no hashes, no signatures, no time."""

    seq: int
    author: str
    type: str
    body: Body
    raw: bytes = b""
    """of a request, the body's canonical form"""


class RuledResult(Body, frozen=True):
    """A result that a judge gives a die, numbered from 1, in a `correct`."""

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


class Reason(Message):
    """A step from naturals to outcome, in words: `clause` is the system's that it falls under, or None."""

    def __init__(self, clause: str | None, template: str, /, **values: Any) -> None:
        super().__init__(template, **values)
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


class Notation(msgspec.Struct, frozen=True):
    """How people write a value on one line, where its schema is an object: `reroll: Krark's Thumb`."""

    grammar: str
    """its name on the system's page, and in the fields of actions"""
    example: str
    parse: Callable[[str], Any]
    """from the text to JSON values of the schema. Raises NotationError"""
    write: Callable[[Any], str]
    """from JSON values of the schema to the text"""
    remarks: Callable[[Any], Sequence[Message]] = lambda _: ()
    """what of JSON values of the schema could have been meant otherwise, in words"""


class NotationError(Message, ValueError):
    """A text that is not in the notation: where, and what would be right."""


class Table(msgspec.Struct, frozen=True):
    """A part of a state for people: a table with a title. Cells are messages, texts of parties, numbers or None."""

    title: Message
    columns: tuple[Message, ...]
    rows: Sequence[Sequence["Message | str | int | None"]]


G = TypeVar("G")
T = TypeVar("T")


class System(Protocol[G]):
    """A rules system over a state G, which is immutable: every method returns a new one or raises Violation."""

    @property
    def id(self) -> str:
        """Names the edition; logs have it as `system`."""

    @property
    def name(self) -> str:
        """One word for the game: what its commands stand under."""

    @property
    def title(self) -> str:
        """The game and the edition, for people."""

    @property
    def roles(self) -> frozenset[Role]:
        """The roles that the system uses besides keeper, player, judge and witness."""

    @property
    def rollers(self) -> frozenset[Role]:
        """The roles that ask for dice: players, and game masters where the system lets them."""

    @property
    def rollers_clause(self) -> str | None:
        """The clause that keeps the system's further roles from asking for dice, if it has one."""

    @property
    def late(self) -> frozenset[Role]:
        """Which of players and game masters the system takes in mid-game."""

    @property
    def seals(self) -> bool:
        """Whether the system takes secret rolls."""

    @property
    def seals_clause(self) -> str | None:
        """The clause by which the system takes no secret rolls, if it takes none."""

    @property
    def agreement(self) -> str | None:
        """The clause by which everybody must have agreed to the digital dice, if the system has one."""

    @property
    def options(self) -> type[Body]:
        """The schema of `options` in `open`."""

    @property
    def bodies(self) -> Mapping[str, Any]:
        """A type that msgspec can decode, for the body of each type of the domain that the system uses."""

    @property
    def claims(self) -> Mapping[str, frozenset[str]]:
        """Of each type of event the members that only put on record what was announced: the state is as without."""

    @property
    def notations(self) -> Mapping[Any, Notation]:
        """How people write a value, by its schema: a body, or an object within one."""

    @property
    def titles(self) -> Mapping[str, str]:
        """What its events are called, by `TYPE` or `TYPE KIND`, and values of their members, by `MEMBER VALUE`, where
        those do not speak for themselves: templates.
        """

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The text, clause by clause, in its order."""

    def start(self, options: Body, parties: Mapping[str, Role]) -> G:
        """The state of a new game; `options` is of the type above, `parties` are names and roles in party order."""

    def request(self, game: G, event: Event) -> tuple[G, tuple[int, ...]]:
        """Take a roll or reroll; also returns the sides of the dice drawn first, at most MAX_DICE. Raises Violation."""

    def draw_next(self, game: G, naturals: tuple[int, ...]) -> tuple[int, ...]:
        """The sides of the dice that the pending request draws after these naturals; none where it has all."""

    def reveal(self, game: G, naturals: tuple[int, ...]) -> G:
        """The dice of the pending request: one natural for each that it draws, 1 to its sides. Never refuses."""

    def void(self, game: G) -> G:
        """The pending request draws nothing."""

    def show(self, game: G, roll: int, naturals: tuple[int, ...]) -> G:
        """The holder of a secret roll shows its dice. Never refuses."""

    def secret_sides(self, dice: str) -> tuple[int, ...]:
        """The sides of the dice of a secret roll, in the system's notation. Raises Violation."""

    def secret_notes(self, game: G, roll: int, naturals: tuple[int, ...]) -> tuple[Message, ...]:
        """What a secret roll comes to with these naturals, for its holder; nothing of one that the state lacks."""

    def act(self, game: G, event: Event) -> G:
        """Take an ignore, store, modify, resolve or declare. Raises Violation."""

    def actions(self, game: G, party: str) -> tuple["Action", ...]:
        """What a player or gm can do now (specs/rules.md, "Actions"), due ones first. No request is pending.

        Where the only action that is due has nothing to fill in and draws no dice, it is not due: the roll stands.
        """

    def settle(self, game: G) -> G:
        """The game with the roll settled that stands, if one does (specs/rules.md, "A roll that stands")."""

    def leave(self, game: G, party: str) -> G:
        """A party leaves, and its open roll is abandoned. No request is pending."""

    def admit(self, game: G, party: str, role: Role) -> G:
        """A party comes in mid-game. No request is pending."""

    def away(self, game: G, away: frozenset[str]) -> G:
        """These parties, and no others, are away from here on; a game whose rules do not ask stays as it is."""

    def rule(self, game: G, ruling: Ruling) -> G:
        """Take a ruling on a roll; any other leaves the state as it is. Raises Violation of clause `ruling`."""

    def waits_for(self, game: G) -> WaitsFor | None:
        """Whose choice the open roll, or what it left to be done, waits for: a party for which an action is due.

        None where anybody may go on, as with a roll that stands.
        """

    def rolls(self, game: G) -> tuple["History[RollRecord]", tuple[RollRecord, ...]]:
        """The settled rolls that are kept, and those that are pending or open, in the order of their requests."""

    def explain(self, game: G, roll: int) -> tuple[Reason, ...]:
        """How the dice of a roll came to what they came to, in the order in which the rules apply.

        Empty where the state does not keep the roll.
        """

    @property
    def sentences(self) -> Sentences:
        """What its events say, as a table that the page reads too (`rules.data.sentences`)."""

    def summarize(self, event: Event) -> Message | None:
        """What an event of the domain says, on one line; None leaves it to its members."""

    def notes(self, game: G, roll: int) -> tuple[Message, ...]:
        """What a roll comes to, and what can still be done to it; nothing of one that the state does not keep."""

    def tables(self, game: G) -> tuple[Table, ...]:
        """The system's own part of the state, for people; empty tables are left out by who shows them."""

    def view_roll(self, game: G, roll: int) -> dict[str, Any] | None:
        """The roll with this number as `view` has it in `rolls`; None where the state does not keep it."""

    def view(self, game: G) -> dict[str, Any]:
        """The system's own members of the state, as JSON values."""


def given(value: T | UnsetType, default: T) -> T:
    """The value of an optional member, or the default where it is absent."""
    return default if isinstance(value, UnsetType) else value


def keep(history: tuple[T, ...], item: T) -> tuple[T, ...]:
    """`history` with `item` as the latest of at most HISTORY."""
    return (*history[-(HISTORY - 1) :], item)
