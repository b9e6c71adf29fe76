"""Read tables, which can be rebuilt from the log at any time (`rollproof rebuild`) and hold nothing but what it says.

All rows of a game are derived from its events in order, so rebuilding gives the same rows.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rules import Event, Ruling, Session, System
from rules.history import History
from rules.records import RollRecord
from verifier import Replay
from verifier.log.bodies import Void
from verifier.shell.display import roll_text

if TYPE_CHECKING:
    from ledger.store.writes import Writes

__all__ = ["READ_TABLES", "Rebuilding", "project"]

ROLLS_AT_ONCE = 2_000
"""the number of rolls that a rebuilding collects before it writes them"""

Row = tuple[object, ...]

READ_TABLES = ("dice", "rolls", "voids", "rulings", "parties", "games")


def project(writes: "Writes", replay: Replay, before: Session | None, event: Event) -> None:
    """Bring the read tables to the state after `event`. `before` is the session before it, None for event 0."""
    session, game = replay.session, replay.terms.game.hex()
    if before is None:
        _insert(writes, "games", [_game_row(replay, replay.time)])
        _insert(writes, "parties", _party_rows(replay))
    latest = (game, str(session.phase), replay.size, replay.head.hex(), replay.tree.root().hex(), replay.time)
    writes.update("games", ("game", "phase", "events", "head", "root", "changed"), 1, latest)
    for table, rows in _rows_of_event(game, event).items():
        _insert(writes, table, rows)
    if event.type == "join":
        _set(writes, "joined", game, event.author, value=True)
    for party in session.parties.left - (before.parties.left if before else frozenset()):
        _set(writes, "gone", game, party, value=True)
    for party in session.parties.away ^ (before.parties.away if before else frozenset()):
        _set(writes, "away", game, party, value=party in session.parties.away)
    _insert_rolls(writes, game, session.system, _touched(before, session))


def _set(writes: "Writes", column: str, game: str, party: str, *, value: bool) -> None:
    """Set a column of a party's row."""
    writes.update("parties", ("game", "party", column), 2, (game, party, value))


class RowSink(Protocol):
    """A destination of rows."""

    def upsert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        """Insert rows, and replace those with the same primary keys."""


class Rebuilding:
    """The rows of one game, derived from all its events and each written once."""

    def __init__(self, database: RowSink, replay: Replay) -> None:
        """Begin with `replay`, which has no event yet; `take` is called after each event that it replays."""
        self._database = database
        self._replay = replay
        self._opened = ""
        self._settled = History[RollRecord]()
        self._rows: dict[str, list[Row]] = {}
        self._rolls: dict[int, RollRecord] = {}

    def take(self, event: Event) -> None:
        """Collect what an event changed."""
        session = self._replay.session
        self._opened = self._opened or self._replay.time
        if event.type in ("void", "ruling"):
            for table, rows in _rows_of_event(self._replay.terms.game.hex(), event).items():
                self._rows.setdefault(table, []).extend(rows)
        settled, _ = session.system.rolls(session.game)
        if settled is not self._settled:
            for roll in settled.not_in(self._settled):
                self._rolls[roll.roll] = roll
            self._settled = settled
            if len(self._rolls) >= ROLLS_AT_ONCE:
                self._write_rolls()

    def write(self) -> None:
        """Write the remaining rows after the last event."""
        session = self._replay.session
        _, opened = session.system.rolls(session.game)
        self._rolls.update((roll.roll, roll) for roll in opened)
        self._write_rolls()
        for table, rows in self._rows.items():
            _insert(self._database, table, rows)
        _insert(self._database, "games", [_game_row(self._replay, self._opened)])
        _insert(self._database, "parties", _party_rows(self._replay))

    def _write_rolls(self) -> None:
        replay = self._replay
        _insert_rolls(self._database, replay.terms.game.hex(), replay.session.system, self._rolls.values())
        self._rolls.clear()


def _insert(database: RowSink, table: str, rows: Sequence[Row]) -> None:
    database.upsert(table, rows)


def _game_row(replay: Replay, opened: str) -> Row:
    terms, head = replay.terms, (replay.head.hex(), replay.tree.root().hex())
    named = (terms.game.hex(), terms.title, terms.system, _contributors(replay))
    return (*named, str(replay.session.phase), replay.size, *head, opened, replay.time)


def _party_rows(replay: Replay) -> list[Row]:
    terms, session = replay.terms, replay.session
    return [
        (
            *(terms.game.hex(), name, position, role, str(terms.keys[name])),
            *(name in session.parties.joined, name in session.parties.left, name in session.parties.away),
        )
        for position, (name, role) in enumerate(terms.roles.items(), 1)
    ]


def _rows_of_event(game: str, event: Event) -> dict[str, list[Row]]:
    """Return the rows that represent the event itself, by table."""
    match event.body:
        case Void(missing=missing):
            return {"voids": [(game, event.seq, event.author, ", ".join(missing))]}
        case Ruling() as r:
            return {"rulings": [(game, event.seq, event.author, r.ruling, r.subject, r.text)]}
        case _:
            return {}


def _contributors(replay: Replay) -> str:
    contributors = replay.terms.contributors
    return contributors if isinstance(contributors, str) else ", ".join(contributors)


def _touched(before: Session | None, after: Session) -> list[RollRecord]:
    """Return the rolls that an event changed; the states before and after share all others."""
    settled, opened = after.system.rolls(after.game)
    old_settled, old_opened = before.system.rolls(before.game) if before else (History[RollRecord](), ())
    touched = [] if settled is old_settled else settled.not_in(old_settled)
    known = {id(roll) for roll in old_opened}
    return touched + [roll for roll in opened if id(roll) not in known]


def _insert_rolls(database: RowSink, game: str, system: System[Any], rolls: Collection[RollRecord]) -> None:
    _insert(
        database,
        "rolls",
        [(game, r.roll, r.player, r.status, r.source, r.notation, roll_text(r, system)) for r in rolls],
    )
    dice = [
        (game, r.roll, d.die, d.sides, f"[{', '.join(map(str, d.naturals))}]", d.naturals[-1], d.result, d.status)
        for r in rolls
        for d in r.dice
    ]
    _insert(database, "dice", dice)
