"""A table for demonstrations: real parties, each with its own key and secrets in its own folder, and one store."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ledger.display import roll_text
from ledger.identity import Identity
from ledger.memory import begin_memory
from ledger.seat import Seat
from ledger.store import GameView, Ledger
from rules import Body, Role
from rules.base import RollRecord
from rules.session import REQUESTS

__all__ = ["Say", "Table"]

Say = Callable[[str], None]


class Table:
    """A game in progress. Every method acts as one party only; what passes between parties are lines and openings."""

    def __init__(self, folder: Path, say: Say, roles: Mapping[str, Role]) -> None:
        self.say = say
        self.roles = roles
        self.identities = {name: Identity.generate(name) for name in roles}
        self._seats = {name: _seat(identity, folder / name) for name, identity in self.identities.items()}
        self._ledger = Ledger(folder / "ledger.db")
        self._game = b""
        self._options: Body | None = None

    def close(self) -> None:
        """Let go of all files."""
        for seat in self._seats.values():
            seat.close()
        self._ledger.close()

    @property
    def keeper(self) -> str:
        return next(name for name, role in self.roles.items() if role == "keeper")

    @property
    def options(self) -> Body:
        """The options that the game was opened with."""
        assert self._options is not None, "no game yet"
        return self._options

    @property
    def view(self) -> GameView:
        return self._ledger.view(self._game)

    def lines(self) -> list[bytes]:
        """The log so far, without line feeds."""
        return list(self._ledger.lines(self._game))

    def open(self, system: str, options: Body, title: str) -> None:
        """Open a game, let everybody join, and let everybody who contributes commit to a seed chain."""
        self._options = options
        parties = [(self.identities[name].key, role) for name, role in self.roles.items()]
        line = self._seats[self.keeper].open_game(system, options, parties, title=title)
        self._game = bytes.fromhex(self._ledger.create(line, self._seats[self.keeper]).game)
        for name in self.roles:
            if name != self.keeper:
                self._append(self._seats[name].join(self.view))
        for name in self.roles:
            if self.view.replay.terms.may_contribute(name):
                self._append(self._seats[name].commit(self.view, length=256))

    def act(self, name: str, type: str, body: Body) -> int:
        """One event by `name`, with its dice if it asks for any. Returns its number."""
        seq = self._append(self._seats[name].sign(self.view, type, body))
        if type in REQUESTS:
            self._reveal()
        return seq

    def roll(self, number: int) -> RollRecord:
        """A roll by the number of its request."""
        settled, opened = self.view.replay.session.system.rolls(self.view.replay.session.game)
        found: RollRecord = next(r for r in (*settled, *opened) if r.roll == number)
        return found

    def show(self, number: int) -> None:
        """Say what a roll came to."""
        roll = self.roll(number)
        self.say(f"  {roll.player}: {roll_text(roll)}")

    def finish(self) -> None:
        """The keeper closes the game."""
        self._append(self._seats[self.keeper].close_game(self.view))

    def _append(self, line: bytes) -> int:
        # The keeper's own process would do this: it puts the line into the log and signs the checkpoint.
        return self._ledger.append(self._game, line, self._seats[self.keeper]).seq

    def _reveal(self) -> None:
        """All contributors open, the keeper last."""
        pending = self.view.replay.pending
        assert pending is not None
        others = [name for name in pending.contributors if name != self.keeper]
        for name in sorted(
            others, key=lambda name: name == pending.closer
        ):  # who closes the roll opens after the others
            opening = self._seats[name].opening(
                self.view, self._ledger.openings(self._game), self._ledger.checkpoint(self._game)
            )
            self._ledger.hand_in(self._game, opening)
        self._append(self._seats[self.keeper].reveal(self.view, self._ledger.openings(self._game)))


def _seat(identity: Identity, folder: Path) -> Seat:
    folder.mkdir(parents=True)
    return Seat(identity, begin_memory(identity, folder, folder / "state"))
