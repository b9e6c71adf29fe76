"""Bodies of the system's events, and which of their members are claims (specs/doubledown.md, "Bodies")."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError, DeclareBody
from rules.data.bounds import MAX_ITEMS, Id, Integer, Items, Name, Positive, RequiredText, RollNumber, Yes
from rules.data.language import N_, Listed, Message
from rules.systems.doubledown.tables import BUYS

T = TypeVar("T")
_Named = Annotated[dict[Id, T], Meta(max_length=MAX_ITEMS)]
_Held = Annotated[int, Meta(ge=0, le=1_000)]
_Amount = Annotated[int, Meta(ge=1, le=1_000)]
_CallNumber = Annotated[Positive, Meta(title=N_("the number of the call"))]
_Spent = Annotated[Positive, Meta(title=N_("how much of your drive is spent"))]
_Tag = Annotated[Id, Meta(title=N_("the tag of yours that is exhausted for it"))]
_Irrelevant = Annotated[Yes, Meta(title=N_("the tag does not bear on the attempt"))]


class Options(Body, frozen=True):
    """The body `{}`: the system has no options."""


class TagBody(Body, frozen=True):
    """The value of a tag on a sheet."""

    stars: Annotated[Integer, Meta(title=N_("its stars"))]
    exhausted: Annotated[Yes, Meta(title=N_("it is exhausted"))] | UnsetType = UNSET


Stats = _Named[Integer]
Track = Items[Integer]
Tags = _Named[TagBody]


class DeclareSheet(DeclareBody, frozen=True, tag="sheet"):
    """A character sheet that a player proposes for a GM to confirm (R2)."""

    character: Annotated[RequiredText, Meta(title=N_("the character's name"))]
    stats: Annotated[Stats, Meta(title=N_("the base stats with their stars"))]
    track: Annotated[Track, Meta(title=N_("the stars of the stress track with no stress taken, with one, and so on"))]
    stress: Annotated[_Held, Meta(title=N_("the stress taken"))]
    tags: Annotated[Tags, Meta(title=N_("the tags with their stars"))]
    drive: Annotated[_Held, Meta(title=N_("the drive held"))]


class DeclareConfirm(DeclareBody, frozen=True, tag="confirm"):
    """The confirmation of a player's proposed sheet by a GM (R2)."""

    player: Annotated[Name, Meta(title=N_("whose sheet"))]


class DeclareCall(DeclareBody, frozen=True, tag="call"):
    """A call for a roll by a GM (R1)."""

    source: Annotated[RequiredText, Meta(title=N_("what is attempted"))]
    stat: Annotated[Id, Meta(title=N_("the base stat"))]
    difficulty: Annotated[Integer, Meta(title=N_("the difficulty, 10 or more"))]
    players: Annotated[Items[Name], Meta(title=N_("who may roll; several are a group"))]
    support: Annotated[Yes, Meta(title=N_("a support roll: a plain success gives half the boons"))] | UnsetType = UNSET
    combat: Annotated[Yes, Meta(title=N_("in combat: the outcome deals damage"))] | UnsetType = UNSET


class DeclareWithdraw(DeclareBody, frozen=True, tag="withdraw"):
    """The withdrawal of a call that nobody has rolled for (R1)."""

    call: _CallNumber


class DeclareRest(DeclareBody, frozen=True, tag="rest"):
    """The rest of a character, by which tags are recovered."""

    player: Annotated[Name, Meta(title=N_("whose character rested"))]
    tags: Annotated[Items[Id], Meta(title=N_("the tags that are recovered; all if none is named"))] | UnsetType = UNSET


class DeclareRoller(DeclareBody, frozen=True, tag="roller"):
    """The choice of the roller by a GM when a group is tied (R9)."""

    call: _CallNumber
    player: Annotated[Name, Meta(title=N_("who rolls for the group"))]


class DeclareVote(DeclareBody, frozen=True, tag="vote"):
    """A participant's vote on doubling down (R9)."""

    roll: RollNumber
    double: Annotated[bool, Meta(title=N_("whether to double down"))]


class DeclareSpend(DeclareBody, frozen=True, tag="spend"):
    """One purchase with boons (T3) or banes (T4)."""

    roll: RollNumber
    buy: Annotated[
        Literal["stress", "tag", "drive", "story", "tension", "complication"], Meta(title=N_("what is bought"))
    ]
    player: Annotated[Name, Meta(title=N_("whose character gets it; the roller's if nobody is named"))] | UnsetType = (
        UNSET
    )
    tag: Annotated[Id, Meta(title=N_("the tag that is recovered"))] | UnsetType = UNSET
    amount: Annotated[_Amount, Meta(title=N_("how much of it"))] | UnsetType = UNSET
    text: Annotated[RequiredText, Meta(title=N_("what happens, in words"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        needed, further = _BUY_MEMBERS[self.buy]
        present = {name for name in ("player", "tag", "amount", "text") if getattr(self, name) is not UNSET}
        if not needed <= present <= needed | further:
            text = N_("to buy {buy} takes {members}, and nothing else")
            members = [Message(_MEMBERS[name]) for name in sorted(needed)]
            members += [
                Message("{member} (may be left out)", member=Message(_MEMBERS[name])) for name in sorted(further)
            ]
            raise BodyError(text, buy=Message(BUYS[self.buy]), members=Listed(members))


_MEMBERS: Mapping[str, str] = {
    "player": N_("player"),
    "tag": N_("tag"),
    "amount": N_("amount"),
    "text": N_("text"),
}
_BUY_MEMBERS: Mapping[str, tuple[set[str], set[str]]] = {
    "stress": (set(), {"player", "amount"}),
    "tag": ({"tag"}, {"player"}),
    "drive": (set(), {"player", "amount"}),
    "story": ({"amount", "text"}, set()),
    "tension": (set(), {"amount"}),
    "complication": ({"amount", "text"}, set()),
}
"""kind of purchase → members that it needs, and members that it may have besides"""


Declare = (
    DeclareSheet
    | DeclareConfirm
    | DeclareCall
    | DeclareWithdraw
    | DeclareRest
    | DeclareRoller
    | DeclareVote
    | DeclareSpend
)


class Gives(Body, frozen=True, kw_only=True):
    """A participant's contribution of a tag and drive to a roll."""

    call: _CallNumber
    tag: _Tag | UnsetType = UNSET
    irrelevant: _Irrelevant | UnsetType = UNSET
    drive: _Spent | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.irrelevant is not UNSET and self.tag is UNSET:
            raise BodyError("irrelevant is said of a tag, and no tag is named")


class RollBody(Gives, frozen=True):
    """The roller's request, with its own contribution."""


class ModifyBody(Gives, frozen=True, kw_only=True):
    """A participant's contribution to a group roll."""

    roller: Annotated[Name, Meta(title=N_("who is to roll for the group"))]
    stat: Annotated[Yes, Meta(title=N_("your base stat counts for the group"))] | UnsetType = UNSET
    stress: Annotated[Yes, Meta(title=N_("your stress track counts for the group"))] | UnsetType = UNSET


class RerollBody(Body, frozen=True):
    """The request for the second die: doubling down."""

    roll: RollNumber


class ResolveBody(Body, frozen=True):
    """The decision to let the first die stand, or the announced outcome of a roll that stands."""

    roll: RollNumber
    outcome: (
        Annotated[
            Literal[
                "legendary success",
                "overwhelming success",
                "critical success",
                "success",
                "failure",
                "critical failure",
                "overwhelming failure",
                "legendary failure",
            ],
            Meta(title=N_("the outcome as announced")),
        ]
        | UnsetType
    ) = UNSET
    boons: Annotated[Integer, Meta(title=N_("the boons as announced"))] | UnsetType = UNSET
    banes: Annotated[Integer, Meta(title=N_("the banes as announced"))] | UnsetType = UNSET
    damage: Annotated[Integer, Meta(title=N_("the damage as announced"))] | UnsetType = UNSET
    drive: Annotated[Integer, Meta(title=N_("the drive that the roller gains, as announced"))] | UnsetType = UNSET


BODIES: Mapping[str, object] = {
    "roll": RollBody,
    "reroll": RerollBody,
    "modify": ModifyBody,
    "resolve": ResolveBody,
    "declare": Declare,
}
"""event type → type that msgspec decodes its body to"""

CLAIMS: Mapping[str, frozenset[str]] = {"resolve": frozenset({"outcome", "boons", "banes", "damage", "drive"})}
