"""Sessions as the scripts of the specification go through them."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

import rules
from rules import Session, Violation
from rules.script import Script, ScriptError, ScriptEvent, read, step
from tests.support.scripts import scripts

__all__ = ["Stepped", "scripts_of", "sessions"]


class Stepped(NamedTuple):
    """An event that a script takes, and the session after it."""

    seq: int
    event: ScriptEvent
    session: Session


def scripts_of(system: str) -> list[Script]:
    """The scripts of a system."""
    every = (read(vector.data) for vector in scripts())
    return [script for script in every if script.system == system]


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
