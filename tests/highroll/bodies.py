"""Bodies of the events (highroll.md)."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body
from rules.data.bounds import DieNumbers, Integer, Positive, Text

__all__ = ["BODIES", "CLAIMS", "Options", "RerollBody", "ResolveBody", "RollBody"]


class Options(Body, frozen=True):
    pass


class RollBody(Body, frozen=True):
    dice: Annotated[Text, Meta(title="the dice: 3d6, or 3d6! for dice that explode")]


class RerollBody(Body, frozen=True):
    roll: Annotated[Positive, Meta(title="the number of the roll")]
    dice: Annotated[DieNumbers, Meta(title="the numbers of the dice to reroll")]


class ResolveBody(Body, frozen=True):
    roll: Annotated[Positive, Meta(title="the number of the roll")]
    total: Annotated[Integer, Meta(title="the sum")] | UnsetType = UNSET


BODIES: Mapping[str, object] = {"roll": RollBody, "reroll": RerollBody, "resolve": ResolveBody}
CLAIMS: Mapping[str, frozenset[str]] = {"resolve": frozenset({"total"})}
