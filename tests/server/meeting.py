"""Servers that begin an event at the same moment, however the machine schedules them."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from tests.server.served import Server

__all__ = ["meet", "meeting"]

WAIT = 60.0


def meet(folder: str, dies: bool) -> None:
    """Let the program that calls this wait, before it stores an event's first line, until two programs are there.

    If it `dies`, it ends when the keeper has remembered the line, and the database does not have it yet. The other one
    stores nothing before that.
    """
    from ledger.store.event_logs import EventLogs

    logs: Any = EventLogs
    create, name = EventLogs.create, EventLogs._name

    def met(*arguments: Any) -> Any:
        (Path(folder) / str(os.getpid())).touch()
        end = time.monotonic() + WAIT
        while len(list(Path(folder).glob("[0-9]*"))) < 2 and time.monotonic() < end:
            time.sleep(0.001)
        while not dies and (Path(folder) / "dies").exists() and time.monotonic() < end:
            time.sleep(0.001)
        return create(*arguments)

    def died(*arguments: Any) -> Any:
        name(*arguments)
        (Path(folder) / "dies").unlink()
        os.kill(os.getpid(), signal.SIGKILL)

    logs.create = met
    if dies:
        (Path(folder) / "dies").touch()
        logs._name = died


def meeting(folder: Path, *, dies: bool = False) -> type[Server]:
    """A server that waits in `folder` for another one to begin an event."""
    folder.mkdir(exist_ok=True)
    call = f"meet({str(folder)!r}, {dies})"
    program = f"from tests.server.meeting import meet; {call}; from ledger.cli import main; main()"
    return type("Meeting", (Server,), {"program": program})
