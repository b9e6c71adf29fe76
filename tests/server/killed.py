"""A server that kills itself at a step of what it does for an event."""

import os
import signal
from typing import Any

from tests.server.served import Server

__all__ = ["STEPS", "kill_at", "killing"]

STEPS = ("taken", "begun", "named", "noted")
"""of a `start`: its line is there; event 0 of each table is signed; the games are there; the line that names them is
outside of the store, and not yet in it"""


def kill_at(step: str) -> None:
    """Let the program that calls this end at a step."""
    from ledger.server.event_keeper import EventKeeper
    from ledger.store.event_logs import EventLogs

    opens = "EventKeeper._open"
    places: dict[str, tuple[Any, str, Any]] = {
        "taken": (EventKeeper, "tend", lambda keeper, event: keeper.outstanding(event)),
        "begun": (EventKeeper, "_process", lambda _, operations, __: _named(operations, "CreateGame")),
        "named": (EventLogs, "write", lambda _, __, makers: _named(makers, opens)),
        "noted": (EventLogs, "_note", lambda _, __, lines: b'"type":"opened"' in lines[-1]),
    }
    owner, name, when = places[step]
    whole = getattr(owner, name)

    def killed(*arguments: Any, **named: Any) -> Any:
        ends = when(*arguments)
        found = whole(*arguments, **named) if not ends or step == "noted" else None
        if ends:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    setattr(owner, name, killed)


def _named(found: Any, name: str) -> bool:
    return bool(found) and str(getattr(found[0], "__qualname__", type(found[0]).__name__)).startswith(name)


def killing(step: str) -> type[Server]:
    """A server that ends at a step."""
    program = f"from tests.server.killed import kill_at; kill_at({step!r}); from ledger.cli import main; main()"
    return type("Killing", (Server,), {"program": program})
