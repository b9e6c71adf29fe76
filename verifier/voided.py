"""Rolls that ended without dice, and what they would have shown (specs/dice.md, "Voided rolls")."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rules import Session
from rules.bounds import HISTORY
from verifier.derivation import Stream, chain_step, roll_seed

__all__ = ["Count", "Pending", "VoidedRoll", "VoidedRolls", "draw_all", "in_order"]


class Pending(Struct, frozen=True):
    """A request that waits for its dice."""

    seq: int
    request: bytes
    """leaf hash of the request's line"""
    roller: str
    contributors: tuple[str, ...]
    roll_index: int
    closer: str
    """who opens last before the keeper"""


class Count(Struct, frozen=True):
    """How often, and the number of the first event."""

    count: int
    first: int


class VoidedRoll(Struct, frozen=True):
    """A request that was voided, or waited when the game was closed."""

    pending: Pending
    ended: int
    """number of the event that ended it"""
    by: str
    how: Literal["void", "close"]
    missing: tuple[str, ...] = ()
    """who did not open, as `by` says"""
    links: Mapping[str, bytes] = {}
    """those that are known, by contributor"""
    sides: tuple[int, ...] = ()
    naturals: tuple[int, ...] = ()
    """what it would have shown; both are empty where a link is not known"""

    @property
    def hidden_by(self) -> tuple[str, ...]:
        """The contributors whose link is not known."""
        return tuple(name for name in self.pending.contributors if name not in self.links)


class VoidedRolls:
    """The latest HISTORY voided rolls of a game, and whose links of voided rolls are not known."""

    def __init__(self, game: bytes) -> None:
        """`game` is the game's id."""
        self._game = game
        self._rolls: dict[int, VoidedRoll] = {}
        self._sessions: dict[int, Session] = {}
        """of rolls whose dice are not known yet: the game as it stood while they waited"""
        self._burned: dict[str, dict[int, int]] = {}
        """name → index of a link of its chain that is not known → number of the request"""

    def __iter__(self) -> Iterator[VoidedRoll]:
        return iter(self._rolls.values())

    def __len__(self) -> int:
        return len(self._rolls)

    def get(self, request: int) -> VoidedRoll | None:
        """The voided roll with this request."""
        return self._rolls.get(request)

    def copy(self) -> "VoidedRolls":
        """An independent copy."""
        other = VoidedRolls(self._game)
        other._rolls, other._sessions = self._rolls.copy(), self._sessions.copy()
        other._burned = {name: burned.copy() for name, burned in self._burned.items()}
        return other

    def add(self, roll: VoidedRoll, indexes: Mapping[str, int], session: Session) -> None:
        """A roll has ended without dice, and none of its links, with these indexes, is known yet.

        `session` is the game while the roll waited.
        """
        number = roll.pending.seq
        for name, index in indexes.items():
            self._burned.setdefault(name, {})[index] = number
        self._rolls[number] = roll
        self._sessions[number] = session
        if len(self._rolls) > HISTORY:
            oldest = next(iter(self._rolls))
            del self._rolls[oldest]
            self._sessions.pop(oldest, None)

    def learn(self, name: str, index: int, link: bytes) -> None:
        """`link` of the party's chain, and with it all links below, are known."""
        burned = self._burned.get(name)
        if not burned:
            return
        lowest = min(burned)
        for i in range(index, lowest - 1, -1):
            if i in burned:
                self._show(burned.pop(i), name, link)
            link = chain_step(link, self._game, name, i)

    def hidden(self, *, but: int | None) -> dict[str, Count]:
        """By party, of how many voided rolls its link is not known, and the first such request; one left out."""
        unknown = {name: [seq for seq in burned.values() if seq != but] for name, burned in self._burned.items()}
        return {name: Count(len(requests), min(requests)) for name, requests in unknown.items() if requests}

    def _show(self, request: int, name: str, link: bytes) -> None:
        roll = self._rolls.get(request)
        if roll is None:
            return
        roll = replace(roll, links={**roll.links, name: link})
        if not roll.hidden_by:
            pending, session = roll.pending, self._sessions.pop(request)
            seed = roll_seed(self._game, pending.roll_index, in_order(pending.contributors, roll.links))
            sides, naturals = draw_all(session, seed)
            roll = replace(roll, sides=sides, naturals=naturals)
        self._rolls[request] = roll


def in_order(contributors: Iterable[str], links: Mapping[str, bytes]) -> list[tuple[str, bytes]]:
    """The links as `roll_seed` takes them."""
    return [(name, links[name]) for name in contributors]


def draw_all(session: Session, seed: bytes) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Sides and naturals of all dice that the pending request of `session` draws from this seed (32 bytes)."""
    stream, sides = Stream(seed), session.draw
    naturals = stream.draw(sides)
    while more := session.draw_next(naturals):
        sides += more
        naturals += stream.draw(more)
    return sides, naturals
