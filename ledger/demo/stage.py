"""A stage for scenes: real parties, each with its own key and secrets in its own folder, and one store."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from ledger.keeper import table as played
from ledger.seats.identity import Identity
from ledger.seats.memory_places import begin_memory
from ledger.seats.seat import Seat
from ledger.store.game_view import GameView
from ledger.store.ledger import Ledger
from rules import Body, System
from rules.records import RollRecord
from rules.scene import Scene
from verifier.shell.display import roll_text

__all__ = ["LiveStage", "Say"]

Say = Callable[[str], None]


class LiveStage:
    """A game in progress. Every method acts as one party only; what passes between parties are lines and openings."""

    def __init__(self, folder: Path, say: Say, system: System[Any], scene: Scene) -> None:
        """`folder` is for keys, memories and the store; nothing outside of it is written."""
        self._say = say
        self._system = system
        self._scene = scene
        self.identities = {name: Identity.generate(name) for name in scene.roles}
        self._seats = {name: _seat(identity, folder / name) for name, identity in self.identities.items()}
        self._ledger = Ledger(folder / "ledger.db")
        self._table: played.Table | None = None

    def close(self) -> None:
        """Close all files."""
        for seat in self._seats.values():
            seat.close()
        self._ledger.close()

    @property
    def view(self) -> GameView:
        """Return a view of the present log. Only in an open game."""
        return self._game.view

    @property
    def game(self) -> Any:
        """Return the system's present state."""
        return self.view.replay.session.game

    def lines(self) -> list[bytes]:
        """Return the log so far, without line feeds."""
        return list(self.view.lines(0))

    def log(self) -> bytes:
        """Return the log so far, as a file."""
        return b"".join(line + b"\n" for line in self.lines())

    def begin(self, title: str) -> None:
        """Open a game, let everybody join, and let everybody who contributes commit to a seed chain."""
        keeper = self._seats[self._keeper]
        parties = [(self.identities[name].key, role) for name, role in self._scene.roles.items()]
        line = keeper.open_game(self._system.id, self._scene.options, parties, title=title)
        game = bytes.fromhex(self._ledger.create(line, keeper).game)
        self._table = played.Table(self._ledger, game, lambda name: nullcontext(self._seats[name]))
        for name, seat in self._seats.items():
            if name != self._keeper:
                self._game.append(seat, seat.join)
            if self.view.replay.terms.may_contribute(name):
                self._game.append(seat, partial(seat.commit, length=256))

    def say(self, text: str) -> None:
        """Print a line for the viewer."""
        self._say(text)

    def act(self, name: str, type: str, body: Body) -> int:
        """Record one event by `name`, with its dice if it asks for any, and return its number."""
        receipt = self._game.act(name, type, body)
        self._game.carry_on()
        return receipt.seq

    def roll(self, number: int) -> RollRecord:
        """Return a roll by the number of its request."""
        settled, opened = self._system.rolls(self.game)
        found: RollRecord = next(r for r in (*settled, *opened) if r.roll == number)
        return found

    def show(self, number: int) -> None:
        """Tell what a roll came to."""
        roll = self.roll(number)
        self.say(f"  {roll.player}: {roll_text(roll, self._system)}")

    def finish(self) -> None:
        """Close the game, as its keeper."""
        keeper = self._seats[self._keeper]
        self._game.append(keeper, keeper.close_game)

    @property
    def _keeper(self) -> str:
        return next(name for name, role in self._scene.roles.items() if role == "keeper")

    @property
    def _game(self) -> played.Table:
        assert self._table is not None, "no game yet"
        return self._table


def _seat(identity: Identity, folder: Path) -> Seat:
    folder.mkdir(parents=True)
    return Seat(identity, begin_memory(identity, folder, folder / "state"))
