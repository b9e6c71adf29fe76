"""Rolls that ended without dice, and what they would have shown (specs/dice.md, "Voided rolls")."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rules import Session
from rules.data.bounds import HISTORY
from verifier.dice.derivation import chain_step, roll_seed
from verifier.dice.pending import PendingRoll, draw_all, draw_secret, in_order

__all__ = ["NoticeCount", "VoidedRoll", "VoidedRolls"]


class NoticeCount(Struct, frozen=True):
    """The number of occurrences, and the number of the first event."""

    count: int
    first: int


class VoidedRoll(Struct, frozen=True):
    """A request that was voided, or was pending when the game was closed."""

    pending: PendingRoll
    ended: int
    """the number of the event that ended it"""
    by: str
    how: Literal["void", "close"]
    missing: tuple[str, ...] = ()
    """the parties that did not open, according to `by`"""
    links: Mapping[str, bytes] = {}
    """contributor → link, for the links that are known"""
    secret: bytes = b""
    """the secret of a secret roll, if it is known; else empty"""
    sides: tuple[int, ...] = ()
    naturals: tuple[int, ...] = ()
    """the dice that it would have shown; empty, as `sides`, while a link is unknown"""

    @property
    def hidden_by(self) -> tuple[str, ...]:
        """The contributors whose link is not known."""
        return tuple(name for name in self.pending.contributors if name not in self.links)


class VoidedRolls:
    """The latest HISTORY voided rolls of a game, with the unknown links of all voided rolls."""

    def __init__(self, game: bytes) -> None:
        """`game` is the id of the game."""
        self._game = game
        self._rolls: dict[int, VoidedRoll] = {}
        self._sessions: dict[int, Session] = {}
        """number of the request → game while the roll was pending, for rolls whose dice are not known yet"""
        self._burned: dict[str, dict[int, int]] = {}
        """name → index of an unknown link in its chain → number of the request"""
        self._lost: dict[str, list[int]] = {}
        """name → numbers of the requests whose links it opens no more, because they are of an earlier key's chain"""

    def __iter__(self) -> Iterator[VoidedRoll]:
        return iter(self._rolls.values())

    def __len__(self) -> int:
        return len(self._rolls)

    def get(self, request: int) -> VoidedRoll | None:
        """Return the voided roll with this request; None without one."""
        return self._rolls.get(request)

    def copy(self) -> "VoidedRolls":
        """Return an independent copy."""
        other = VoidedRolls(self._game)
        other._rolls, other._sessions = self._rolls.copy(), self._sessions.copy()
        other._lost = {name: requests.copy() for name, requests in self._lost.items()}
        other._burned = {name: burned.copy() for name, burned in self._burned.items()}
        return other

    def add(self, roll: VoidedRoll, indexes: Mapping[str, int], session: Session) -> None:
        """Add a roll that ended without dice, and whose links, with these indexes, are all unknown.

        `session` is the game while the roll was pending.
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
        """Record that `link` of the party's chain, and so every lower link, has become known."""
        burned = self._burned.get(name)
        if not burned:
            return
        lowest = min(burned)
        for i in range(index, lowest - 1, -1):
            if i in burned:
                self._show(burned.pop(i), name, link)
            link = chain_step(link, self._game, name, i)

    def lose(self, name: str) -> None:
        """Record that a party has another chain, of which no link leads to those that are unknown."""
        self._lost.setdefault(name, []).extend(self._burned.pop(name, {}).values())

    def learn_secret(self, request: int, secret: bytes) -> None:
        """Record that the secret of a voided secret roll has become known."""
        roll = self._rolls.get(request)
        if roll is not None:
            self._rolls[request] = self._worked_out(replace(roll, secret=secret))

    def hidden(self, *, but: int | None) -> dict[str, NoticeCount]:
        """Return for each party in how many voided rolls its link is unknown, and the first such request.

        The request `but` is left out.
        """
        names = dict.fromkeys((*self._burned, *self._lost))
        all_ = {name: [*self._lost.get(name, ()), *self._burned.get(name, {}).values()] for name in names}
        unknown = {name: [seq for seq in requests if seq != but] for name, requests in all_.items()}
        return {name: NoticeCount(len(requests), min(requests)) for name, requests in unknown.items() if requests}

    def _show(self, request: int, name: str, link: bytes) -> None:
        roll = self._rolls.get(request)
        if roll is None:
            return
        self._rolls[request] = self._worked_out(replace(roll, links={**roll.links, name: link}))

    def _worked_out(self, roll: VoidedRoll) -> VoidedRoll:
        """Return the roll with the dice that it would have shown, if everything for that is known."""
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
