"""A roll on one line."""

from collections.abc import Mapping
from typing import Any

from rules.base import Notation
from tests.highroll.bodies import RollBody

__all__ = ["NOTATIONS"]

NOTATIONS: Mapping[Any, Notation] = {
    RollBody: Notation("dice", "3d6!", lambda text: {"dice": text}, lambda body: str(body["dice"]))
}
