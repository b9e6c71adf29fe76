"""The reference tables T1 to T4, and the outcome of a die (R3) (specs/doubledown.md)."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.base import Violation
from rules.data.language import N_, Listed, Message

__all__ = [
    "CLAUSE_OF",
    "COSTS",
    "DIFFICULTIES",
    "KINDS",
    "OUTCOMES",
    "SHIFT",
    "SUCCESS",
    "Kind",
    "OutcomeTier",
    "Row",
    "by_difficulty",
    "cost",
    "outcome_of",
]

Kind = Literal["boons", "banes"]


class OutcomeTier(msgspec.Struct, frozen=True):
    """A tier of T1."""

    name: str
    kind: Kind
    multiple: int
    damage: int

    @property
    def success(self) -> bool:
        """True if the tier gives boons."""
        return self.kind == "boons"


OUTCOMES = (
    OutcomeTier(N_("legendary failure"), "banes", 8, 0),
    OutcomeTier(N_("overwhelming failure"), "banes", 4, 0),
    OutcomeTier(N_("critical failure"), "banes", 2, 0),
    OutcomeTier(N_("failure"), "banes", 1, 0),
    OutcomeTier(N_("success"), "boons", 0, 1),
    OutcomeTier(N_("critical success"), "boons", 1, 2),
    OutcomeTier(N_("overwhelming success"), "boons", 2, 3),
    OutcomeTier(N_("legendary success"), "boons", 4, 4),
)
"""table T1, from tier 0, the lowest, to tier 7"""

CRITICAL_FAILURE, FAILURE, SUCCESS, CRITICAL_SUCCESS = 2, 3, 4, 5
SHIFT: Mapping[int, int] = {CRITICAL_FAILURE: -2, FAILURE: -1, SUCCESS: 1, CRITICAL_SUCCESS: 2}
"""tier of the second die → number of tiers by which it moves the outcome (R4)"""


class Row(msgspec.Struct, frozen=True):
    """A column of T2, for difficulties from this one on."""

    difficulty: int
    boons: int
    banes: int


DIFFICULTIES = (Row(10, 2, 1), Row(13, 4, 2), Row(16, 6, 3), Row(19, 8, 4), Row(22, 10, 5), Row(25, 12, 6))

COSTS: Mapping[Kind, Mapping[str, int]] = {
    "boons": {"stress": 1, "tag": 2, "drive": 2, "story": 1},
    "banes": {"stress": 1, "tension": 2, "complication": 1},
}
"""tables T3 and T4: the cost of one of each. A story reward or complication is as large as what is spent on it."""

KINDS: Mapping[Kind, str] = {"boons": N_("boons"), "banes": N_("banes")}
"""what a roll earns, in words"""

BUYS: Mapping[str, str] = {
    "stress": N_("stress"),
    "tag": N_("a tag"),
    "drive": N_("drive"),
    "story": N_("a story reward"),
    "tension": N_("tension"),
    "complication": N_("a complication"),
}
"""kind of purchase → words for it"""

CLAUSE_OF: Mapping[Kind, str] = {"boons": "T3", "banes": "T4"}


def outcome_of(natural: int, total: int, difficulty: int) -> int:
    """Return the tier of one die (R3). A critical natural takes precedence over the total.

    >>> OUTCOMES[outcome_of(19, 23, 25)].name
    'critical success'
    """
    if natural >= 19:
        return CRITICAL_SUCCESS
    if natural <= 2:
        return CRITICAL_FAILURE
    return SUCCESS if total >= difficulty else FAILURE


def by_difficulty(difficulty: int) -> Row:
    """Return the column of T2 for a difficulty. Raises Violation T2 below 10."""
    column = next((row for row in reversed(DIFFICULTIES) if difficulty >= row.difficulty), None)
    if column is None:
        raise Violation("T2", "difficulties begin at 10; {difficulty} has no boons or banes", difficulty=difficulty)
    return column


def cost(kind: Kind, buy: str, amount: int) -> int:
    """Return the cost of `amount` of `buy`. Raises Violation T3 or T4 if the table does not have it."""
    costs = COSTS[kind]
    if buy not in costs:
        text = N_("{kind} do not buy {buy}; they buy {costs}")
        bought = [Message(BUYS[name]) for name in costs]
        raise Violation(CLAUSE_OF[kind], text, kind=Message(KINDS[kind]), buy=Message(BUYS[buy]), costs=Listed(bought))
    return costs[buy] * amount
