"""Sessions as the scripts of the specification go through them (specs/vectors/scripts)."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

import rules
from rules import Session, Violation
from rules.script import Script, ScriptError, ScriptEvent, read, step
from tests.conftest import SPECS

__all__ = ["SCRIPTS", "Stepped", "scripts_of", "sessions"]

SCRIPTS = SPECS / "vectors" / "scripts"


class Stepped(NamedTuple):
    """An event that a script takes, and the session after it."""

    seq: int
    event: ScriptEvent
    session: Session


def scripts_of(system: str) -> list[Path]:
    """The scripts of a system."""
    return [path for path in sorted(SCRIPTS.rglob("*.json")) if read(path.read_bytes()).system == system]


def sessions(script: Script) -> Iterator[Stepped]:
    """The events of a script up to the first that is refused. Everybody has joined."""
    system = rules.SYSTEMS[script.system]
    options = msgspec.json.decode(script.options, type=system.options)
    session = Session.start(system, options, script.parties)
    session = session.with_joined(session.parties.roles)
    for seq, line in enumerate(script.events, 1):
        try:
            session = step(session, seq, line)
        except (Violation, ScriptError):
            return
        yield Stepped(seq, line, session)
