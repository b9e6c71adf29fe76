"""Rolls that ended without dice, and what they would have shown (specs/dice.md, "Voided rolls")."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rules import Session
from rules.data.bounds import HISTORY
from verifier.dice.derivation import chain_step, roll_seed
from verifier.dice.pending import PendingRoll, draw_all, draw_secret, in_order

__all__ = ["Count", "VoidedRoll", "VoidedRolls"]


class Count(Struct, frozen=True):
    """How often, and the number of the first event."""

    count: int
    first: int


class VoidedRoll(Struct, frozen=True):
    """A request that was voided, or waited when the game was closed."""

    pending: PendingRoll
    ended: int
    """number of the event that ended it"""
    by: str
    how: Literal["void", "close"]
    missing: tuple[str, ...] = ()
    """who did not open, as `by` says"""
    links: Mapping[str, bytes] = {}
    """those that are known, by contributor"""
    secret: bytes = b""
    """of a secret roll, where it is known"""
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

    def learn_secret(self, request: int, secret: bytes) -> None:
        """The secret of a voided secret roll is known."""
        roll = self._rolls.get(request)
        if roll is not None:
            self._rolls[request] = self._worked_out(replace(roll, secret=secret))

    def hidden(self, *, but: int | None) -> dict[str, Count]:
        """By party, of how many voided rolls its link is not known, and the first such request; one left out."""
        unknown = {name: [seq for seq in burned.values() if seq != but] for name, burned in self._burned.items()}
        return {name: Count(len(requests), min(requests)) for name, requests in unknown.items() if requests}

    def _show(self, request: int, name: str, link: bytes) -> None:
        roll = self._rolls.get(request)
        if roll is None:
            return
        self._rolls[request] = self._worked_out(replace(roll, links={**roll.links, name: link}))

    def _worked_out(self, roll: VoidedRoll) -> VoidedRoll:
        """The roll with what it would have shown, where all that it takes is known."""
        pending = roll.pending
        if roll.naturals or roll.hidden_by or (pending.secret is not None and not roll.secret):
            return roll
        session = self._sessions.pop(pending.seq)
        if pending.secret is not None:
            naturals = draw_secret(self._game, pending, roll.links, roll.secret)
            return replace(roll, sides=pending.secret.sides, naturals=naturals)
        seed = roll_seed(self._game, pending.roll_index, in_order(pending.contributors, roll.links))
        sides, naturals = draw_all(session, seed)
        return replace(roll, sides=sides, naturals=naturals)
