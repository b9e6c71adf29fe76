"""A server that kills itself at a step of what it does for an event."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.server.served import Server

if TYPE_CHECKING:
    from ledger.seats.memory import SeatMemory, Turn

__all__ = ["ROLL_STEPS", "STEPS", "kill_at", "kill_in_batch", "killing", "killing_in_batch"]

STEPS = ("taken", "begun", "named", "noted")
"""of a `start`: its line is there; event 0 of each table is signed; the games are there; the line that names them is
in the keeper's memory, and not yet in the store"""


def kill_at(step: str) -> None:
    """Let the program that calls this end at a step."""
    from ledger.server.event_keeper import EventKeeper
    from ledger.store.event_logs import EventLogs

    opens = "EventKeeper._open"
    places: dict[str, tuple[Any, str, Any]] = {
        "taken": (EventKeeper, "tend", lambda keeper, event: keeper.outstanding(event)),
        "begun": (EventKeeper, "_process", lambda _, operations, __: _named(operations, "CreateGame")),
        "letting in": (EventKeeper, "_process", lambda _, operations, __: _named(operations, "LetIn")),
        "named": (EventLogs, "write", lambda _, __, makers, ___: _named(makers, opens)),
    }
    if step == "noted":
        _kill_when_remembered()
        return
    owner, name, when = places[step]
    whole = getattr(owner, name)

    def killed(*arguments: Any, **named: Any) -> Any:
        ends = when(*arguments)
        if ends:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(*arguments, **named)

    setattr(owner, name, killed)


def _kill_when_remembered() -> None:
    """Let the program end when the keeper has recorded the line that names an event's games."""
    from ledger.seats.memory_file import Memory
    from ledger.seats.memory_service import ServiceMemory

    def killing(whole: "Callable[..., AbstractContextManager[Turn]]") -> Any:
        @contextmanager
        def game(self: "SeatMemory", game: bytes) -> "Iterator[Turn]":
            with whole(self, game) as turn:
                before = turn.record.lines
                yield turn
            if turn.record.lines != before and '"type":"opened"' in turn.record.lines[-1]:
                os.kill(os.getpid(), signal.SIGKILL)

        return game

    for kind in (Memory, ServiceMemory):
        kind.game = killing(kind.game)  # type: ignore[method-assign]


def _named(found: Any, name: str) -> bool:
    return bool(found) and str(getattr(found[0], "__qualname__", type(found[0]).__name__)).startswith(name)


def killing(step: str) -> type[Server]:
    """A server that ends at a step."""
    program = f"from tests.server.killed import kill_at; kill_at({step!r}); from ledger.cli import main; main()"
    return type("Killing", (Server,), {"program": program})


ROLL_STEPS = (
    ("come", 1),
    ("written", 1),
    ("taken", 1),
    ("signing", 1),
    ("signed", 1),
    ("storing", 1),
    ("stored", 1),
    ("signing", 2),
    ("signed", 2),
    ("storing", 2),
    ("stored", 2),
    ("answering", 1),
)
"""the steps of a batch of the keeper's: nothing is done; what came is written and not committed; it is committed; the
keeper's part is in a transaction of its memory; the memory has it; it is written to the store and not committed; it is
committed (these once more, where a checkpoint follows a line of the keeper's); all is done, and nobody has an answer"""


def kill_in_batch(step: str, number: int, armed: str) -> None:
    """Let the program that calls this end at the `number`-th time of a step, once the file `armed` is there."""
    from ledger.keeper.batch import Batch
    from ledger.keeper.signing import Signing
    from ledger.keeper.taking import Taking
    from ledger.store.writes import Writes

    times = 0
    within = ""

    def at(this: str) -> None:
        nonlocal times
        if this == step and Path(armed).exists():
            times += 1
            if times == number:
                os.kill(os.getpid(), signal.SIGKILL)

    def around(owner: Any, name: str, before: str = "", after: str = "", inside: str = "") -> None:
        whole = getattr(owner, name)

        def wrapped(*arguments: Any, **named: Any) -> Any:
            nonlocal within
            at(before)
            within, outside = inside or within, within
            found = whole(*arguments, **named)
            within = outside
            at(after)
            return found

        setattr(owner, name, wrapped)

    around(Taking, "take", "come", "taken", "written")
    around(Signing, "_sign_one", after="signing")
    around(Signing, "_sign", after="signed")
    around(Signing, "_store", after="stored", inside="storing")
    around(Batch, "run", after="answering")
    written = Writes.write

    def write(rows: Writes, database: Any) -> None:
        written(rows, database)
        at(within)

    setattr(Writes, "write", write)  # noqa: B010


def killing_in_batch(step: str, number: int, armed: Path) -> type[Server]:
    """A server that ends at a step of a batch, once the file `armed` is there."""
    call = f"kill_in_batch({step!r}, {number}, {str(armed)!r})"
    program = f"from tests.server.killed import kill_in_batch; {call}; from ledger.cli import main; main()"
    return type("Killing", (Server,), {"program": program})
