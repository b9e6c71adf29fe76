"""The settled rolls that a state keeps: the latest ones, so that the state of a game of any length is bounded."""

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from rules.data.bounds import HISTORY, HISTORY_DICE, HISTORY_LOAD
from rules.records import RollRecord

__all__ = ["History", "find_roll", "keep_roll", "replace_roll"]

R = TypeVar("R", bound=RollRecord)
R_co = TypeVar("R_co", bound=RollRecord, covariant=True)

BLOCK = 32
"""Rolls in one tuple. A new history shares its full blocks with the one before, so that keeping one more roll does not
copy a thousand."""


class History(Generic[R_co]):
    """Settled rolls, in the order in which they were settled. Immutable."""

    __slots__ = ("_blocks", "_dice", "_gone", "_latest", "_load", "_size")

    def __init__(
        self,
        blocks: tuple[tuple[R_co, ...], ...] = (),
        latest: tuple[R_co, ...] = (),
        gone: int = 0,
        size: int = 0,
        dice: int = 0,
        load: int = 0,
    ) -> None:
        """`blocks` are full and `latest` is not. The first `gone` rolls of all of them have been dropped."""
        self._blocks = blocks
        self._latest = latest
        self._gone = gone
        self._size = size
        self._dice = dice
        self._load = load

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[R_co]:
        first, *rest = (*self._blocks, self._latest)
        yield from first[self._gone :]
        for block in rest:
            yield from block

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def not_in(self, other: "History[Any]") -> list[R_co]:
        """Return the rolls, compared by identity, that another history does not have."""
        if self._blocks is other._blocks and self._latest[:-1] == other._latest:  # the usual case: one roll was settled
            return list(self._latest[-1:])
        ours, theirs = (*self._blocks, self._latest), (*other._blocks, other._latest)
        shared = {id(block) for block in ours} & {id(block) for block in theirs}
        known = {id(roll) for block in theirs if id(block) not in shared for roll in block}
        return [roll for block in ours if id(block) not in shared for roll in block if id(roll) not in known]


def keep_roll(history: History[R], roll: R) -> History[R]:
    """Return the history with `roll` appended, without the oldest rolls that exceed a bound.

    At most HISTORY rolls are kept, with at most HISTORY_DICE dice and a load of at most HISTORY_LOAD in all.
    """
    blocks, latest = history._blocks, (*history._latest, roll)
    gone, size, dice, load = history._gone, history._size + 1, history._dice + len(roll.dice), history._load + roll.load
    if len(latest) == BLOCK:
        blocks, latest = (*blocks, latest), ()
    while size > HISTORY or ((dice > HISTORY_DICE or load > HISTORY_LOAD) and size > 1):
        first = blocks[0] if blocks else latest
        dice, load = dice - len(first[gone].dice), load - first[gone].load
        gone, size = gone + 1, size - 1
        if gone == BLOCK:
            blocks, gone = blocks[1:], 0
    return History(blocks, latest, gone, size, dice, load)


def replace_roll(history: History[R], old: R, new: R) -> History[R]:
    """Return the history with `new` in place of `old`, which is found by identity."""
    blocks = tuple(_replaced(block, old, new) for block in history._blocks)
    dice = history._dice - len(old.dice) + len(new.dice)
    load = history._load - old.load + new.load
    return History(blocks, _replaced(history._latest, old, new), history._gone, history._size, dice, load)


def find_roll(history: History[R], opened: R | None, number: int) -> R | None:
    """Return the roll with this number among the kept ones and the open one; None if there is none."""
    if opened is not None and opened.roll == number:
        return opened
    return next((roll for roll in history if roll.roll == number), None)


def _replaced(block: tuple[R, ...], old: R, new: R) -> tuple[R, ...]:
    if any(roll is old for roll in block):
        return tuple(new if roll is old else roll for roll in block)
    return block
