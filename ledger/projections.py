"""Read tables, rebuilt from the log at any time (`rollproof rebuild`). They hold nothing that the log does not say.

All rows of a game come from its events in order, so rebuilding gives the same rows.
"""

import json
from typing import TYPE_CHECKING

from ledger.display import roll_text
from rules import Event, Ruling, Session
from rules.base import RollRecord
from verifier import Replay
from verifier.format import Void

if TYPE_CHECKING:
    from sqlite_utils import Database

__all__ = ["READ_SCHEMA", "READ_TABLES", "project"]

READ_TABLES = ("dice", "rolls", "voids", "rulings", "parties", "games")

READ_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    game TEXT PRIMARY KEY, title TEXT NOT NULL, system TEXT NOT NULL, contributors TEXT NOT NULL,
    phase TEXT NOT NULL, events INTEGER NOT NULL, head TEXT NOT NULL, root TEXT NOT NULL,
    opened TEXT NOT NULL, changed TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS parties (
    game TEXT NOT NULL, party TEXT NOT NULL, position INTEGER NOT NULL, role TEXT NOT NULL, key TEXT NOT NULL,
    joined INTEGER NOT NULL, gone INTEGER NOT NULL, PRIMARY KEY (game, party)) STRICT;

CREATE TABLE IF NOT EXISTS rolls (
    game TEXT NOT NULL, roll INTEGER NOT NULL, player TEXT NOT NULL, status TEXT NOT NULL, source TEXT NOT NULL,
    notation TEXT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (game, roll)) STRICT;

CREATE TABLE IF NOT EXISTS dice (
    game TEXT NOT NULL, roll INTEGER NOT NULL, die INTEGER NOT NULL, sides INTEGER NOT NULL, naturals TEXT NOT NULL,
    natural INTEGER NOT NULL, result INTEGER, status TEXT NOT NULL, PRIMARY KEY (game, roll, die)) STRICT;

CREATE TABLE IF NOT EXISTS rulings (
    game TEXT NOT NULL, seq INTEGER NOT NULL, judge TEXT NOT NULL, ruling TEXT NOT NULL, subject INTEGER NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (game, seq)) STRICT;

CREATE TABLE IF NOT EXISTS voids (
    game TEXT NOT NULL, seq INTEGER NOT NULL, party TEXT NOT NULL, PRIMARY KEY (game, seq, party)) STRICT"""


def project(database: "Database", replay: Replay, before: Session | None, event: Event) -> None:
    """Bring the read tables to the state after `event`. `before` is the session before it, None for event 0."""
    terms, session, game = replay.terms, replay.session, replay.terms.game.hex()
    if before is None:
        database.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (game, terms.title, terms.system, _contributors(replay), "", 0, "", "", replay.time, ""),
        )
        for position, (name, role) in enumerate(terms.roles.items(), 1):
            party_row = (game, name, position, role, str(terms.keys[name]), name in session.joined, False)
            database.execute("INSERT INTO parties VALUES (?, ?, ?, ?, ?, ?, ?)", party_row)
    database.execute(
        "UPDATE games SET phase = ?, events = ?, head = ?, root = ?, changed = ? WHERE game = ?",
        (str(session.phase), replay.size, replay.head.hex(), replay.tree.root().hex(), replay.time, game),
    )
    match event.body:
        case Void(failed=failed):
            for party in failed:
                database.execute("INSERT INTO voids VALUES (?, ?, ?)", (game, event.seq, party))
        case Ruling() as r:
            row = (game, event.seq, event.author, r.ruling, r.subject, r.text)
            database.execute("INSERT INTO rulings VALUES (?, ?, ?, ?, ?, ?)", row)
        case _:
            pass
    if event.type == "join":
        database.execute("UPDATE parties SET joined = 1 WHERE game = ? AND party = ?", (game, event.author))
    for party in session.left - (before.left if before else frozenset()):
        database.execute("UPDATE parties SET gone = 1 WHERE game = ? AND party = ?", (game, party))
    for roll in _touched(before, session):
        _project_roll(database, game, roll)


def _contributors(replay: Replay) -> str:
    contributors = replay.terms.contributors
    return contributors if isinstance(contributors, str) else ", ".join(contributors)


def _touched(before: Session | None, after: Session) -> list[RollRecord]:
    """The rolls that an event changed: states share what did not change."""
    settled, open_roll = after.system.rolls(after.game)
    old_settled, old_open = before.system.rolls(before.game) if before else ((), None)
    touched = []
    if settled is not old_settled:
        if settled[-2:-1] == old_settled[-1:]:
            touched = list(settled[-1:])
        else:
            known = {id(roll) for roll in old_settled}
            touched = [roll for roll in settled if id(roll) not in known]
    if open_roll is not None and open_roll is not old_open:
        touched.append(open_roll)
    return touched


def _project_roll(database: "Database", game: str, roll: RollRecord) -> None:
    row = (game, roll.roll, roll.player, roll.status, roll.source, roll.notation, roll_text(roll))
    database.execute("INSERT OR REPLACE INTO rolls VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    for die in roll.dice:
        naturals = json.dumps(die.naturals)
        dice = (game, roll.roll, die.die, die.sides, naturals, die.naturals[-1], die.result, die.status)
        database.execute("INSERT OR REPLACE INTO dice VALUES (?, ?, ?, ?, ?, ?, ?, ?)", dice)
