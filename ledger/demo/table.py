"""A table for demonstrations: real parties, each with its own key and secrets in its own folder, and one store."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from ledger import table as played
from ledger.display import roll_text
from ledger.games import GameView
from ledger.identity import Identity
from ledger.memory import begin_memory
from ledger.seat import Seat
from ledger.store import Ledger
from rules import Body, Role
from rules.base import RollRecord

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
        self._table: played.Table | None = None
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
    def _game(self) -> played.Table:
        assert self._table is not None, "no game yet"
        return self._table

    @property
    def view(self) -> GameView:
        return self._game.view

    def lines(self) -> list[bytes]:
        """The log so far, without line feeds."""
        return list(self.view.lines(0))

    def open(self, system: str, options: Body, title: str) -> None:
        """Open a game, let everybody join, and let everybody who contributes commit to a seed chain."""
        self._options = options
        parties = [(self.identities[name].key, role) for name, role in self.roles.items()]
        line = self._seats[self.keeper].open_game(system, options, parties, title=title)
        game = bytes.fromhex(self._ledger.create(line, self._seats[self.keeper]).game)
        self._table = played.Table(self._ledger, game, lambda name: nullcontext(self._seats[name]))
        for name, seat in self._seats.items():
            if name != self.keeper:
                self._game.append(seat, seat.join)
            if self.view.replay.terms.may_contribute(name):
                self._game.append(seat, partial(seat.commit, length=256))

    def act(self, name: str, type: str, body: Body) -> int:
        """One event by `name`, with its dice if it asks for any. Returns its number."""
        receipt = self._game.act(name, type, body)
        self._game.carry_on()
        return receipt.seq

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
        keeper = self._seats[self.keeper]
        self._game.append(keeper, keeper.close_game)


def _seat(identity: Identity, folder: Path) -> Seat:
    folder.mkdir(parents=True)
    return Seat(identity, begin_memory(identity, folder, folder / "state"))
