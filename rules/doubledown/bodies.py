"""Bodies of Double Down's events (specs/doubledown.md, "Bodies")."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body
from rules.bounds import MAX_ITEMS, Count, Id, Integer, Items, Name, Positive, RequiredText, SomeItems, Yes

T = TypeVar("T")
Named = Annotated[dict[Id, T], Meta(max_length=MAX_ITEMS)]
Held = Annotated[int, Meta(ge=0, le=1_000)]
Amount = Annotated[int, Meta(ge=1, le=1_000)]


class Options(Body, frozen=True):
    """`{}`"""


class TagBody(Body, frozen=True):
    stars: Integer
    exhausted: Yes | UnsetType = UNSET


class DeclareBody(Body, frozen=True, tag_field="what"):
    """What is declared is told by `what`."""


class DeclareSheet(DeclareBody, frozen=True, tag="sheet"):
    character: RequiredText
    stats: Named[Integer]
    track: Items[Integer]
    stress: Held
    tags: Named[TagBody]
    drive: Held


class DeclareConfirm(DeclareBody, frozen=True, tag="confirm"):
    player: Name


class DeclareCall(DeclareBody, frozen=True, tag="call"):
    source: RequiredText
    stat: Id
    difficulty: Integer
    players: Items[Name]
    support: Yes | UnsetType = UNSET
    combat: Yes | UnsetType = UNSET


class DeclareWithdraw(DeclareBody, frozen=True, tag="withdraw"):
    call: Positive


class DeclareRest(DeclareBody, frozen=True, tag="rest"):
    player: Name
    tags: Items[Id] | UnsetType = UNSET


class DeclareVote(DeclareBody, frozen=True, tag="vote"):
    roll: Positive
    double: bool


class DeclareCount(DeclareBody, frozen=True, tag="count"):
    roll: Positive


class Buy(Body, frozen=True):
    """One purchase with boons (T3) or banes (T4)."""

    buy: Literal["stress", "tag", "drive", "story", "tension", "complication"]
    player: Name | UnsetType = UNSET
    tag: Id | UnsetType = UNSET
    amount: Amount | UnsetType = UNSET
    text: RequiredText | UnsetType = UNSET

    def __post_init__(self) -> None:
        needed, further = _BUY_MEMBERS[self.buy]
        present = {name for name in ("player", "tag", "amount", "text") if getattr(self, name) is not UNSET}
        if not needed <= present <= needed | further:
            parts = [f"needs {_list(needed)}"] if needed else []
            parts += [f"may have {_list(further)}"] if further else []
            raise ValueError(f"{self.buy} {' and '.join(parts)}, nothing else")


_BUY_MEMBERS: Mapping[str, tuple[set[str], set[str]]] = {
    "stress": (set(), {"player", "amount"}),
    "tag": ({"tag"}, {"player"}),
    "drive": (set(), {"player", "amount"}),
    "story": ({"amount", "text"}, set()),
    "tension": (set(), {"amount"}),
    "complication": ({"amount", "text"}, set()),
}
"""The members that each kind of purchase needs, and may have."""


def _list(names: set[str]) -> str:
    return " and ".join(sorted(names))


class DeclareSpend(DeclareBody, frozen=True, tag="spend"):
    roll: Positive
    buys: SomeItems[Buy]


Declare = (
    DeclareSheet
    | DeclareConfirm
    | DeclareCall
    | DeclareWithdraw
    | DeclareRest
    | DeclareVote
    | DeclareCount
    | DeclareSpend
)


class Gives(Body, frozen=True, kw_only=True):
    """What a participant gives to a roll: tag and drive."""

    call: Positive
    tag: Id | UnsetType = UNSET
    irrelevant: Yes | UnsetType = UNSET
    drive: Count | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.irrelevant is not UNSET and self.tag is UNSET:
            raise ValueError("only a tag is irrelevant")


class RollBody(Gives, frozen=True):
    """The roller's request."""


class ModifyBody(Gives, frozen=True, kw_only=True):
    """A participant's contribution to a group roll."""

    roller: Name
    stat: Yes | UnsetType = UNSET
    stress: Yes | UnsetType = UNSET


class RerollBody(Body, frozen=True):
    """Doubling down."""

    roll: Positive


class ResolveBody(Body, frozen=True):
    """The end of a roll, with what was announced."""

    roll: Positive
    outcome: (
        Literal[
            "legendary success",
            "overwhelming success",
            "critical success",
            "success",
            "failure",
            "critical failure",
            "overwhelming failure",
            "legendary failure",
        ]
        | UnsetType
    ) = UNSET
    boons: Integer | UnsetType = UNSET
    banes: Integer | UnsetType = UNSET
    damage: Integer | UnsetType = UNSET
    drive: Integer | UnsetType = UNSET


BODIES: Mapping[str, object] = {
    "roll": RollBody,
    "reroll": RerollBody,
    "modify": ModifyBody,
    "resolve": ResolveBody,
    "declare": Declare,
}
"""A type that msgspec can decode, for each type of the domain that the system uses."""
