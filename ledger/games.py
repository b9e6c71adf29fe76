"""Games as they are stored: their lines, byte for byte, replays of them, and the read tables.

Every line is offered to the verifier's own Replay before it is stored, so what was appended verifies. Holds no secrets:
anybody can keep a store of games that they follow.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO, Protocol

from msgspec import Struct

from ledger.database import LEDGER_KIND, append_only, data_version, deleting, open_database, reading, transaction
from ledger.errors import RefusedError, StoreError, UsageError
from ledger.projections import READ_SCHEMA, READ_TABLES, Rebuilding, project
from ledger.seat import utc_now
from ledger.view import View
from rules.bounds import MAX_SAFE_INTEGER
from rules.language import N_, Message
from verifier import Failure, Replay, VerifierKey
from verifier.chain import leaf_hash
from verifier.checkpoint import SignedCheckpoint, parse_checkpoint
from verifier.format import Opening
from verifier.signatures import Check, verify_now

__all__ = ["MAX_CLOCK_SKEW", "GameView", "Games", "Keeper", "Receipt", "refused"]

MAX_CLOCK_SKEW = timedelta(minutes=5)
"""how far ahead of the keeper's clock an event's time may be"""

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS events (
    game TEXT NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (game, seq)) STRICT;

CREATE TABLE IF NOT EXISTS openings (
    game TEXT NOT NULL, request TEXT NOT NULL, author TEXT NOT NULL, link_index INTEGER NOT NULL,
    link TEXT NOT NULL, sig TEXT NOT NULL, PRIMARY KEY (game, request, author)) STRICT;

CREATE TABLE IF NOT EXISTS checkpoints (
    game TEXT PRIMARY KEY, size INTEGER NOT NULL, note TEXT NOT NULL) STRICT;

CREATE VIEW IF NOT EXISTS timeline AS
    SELECT game, seq, json_extract(line, '$.time') AS time, json_extract(line, '$.author') AS author,
           json_extract(line, '$.type') AS type, json_extract(line, '$.body') AS body FROM events;

{append_only("events")};

{append_only("openings")};

{READ_SCHEMA}"""


class Receipt(Struct, frozen=True):
    """What an append came to: the event's number and leaf hash, and the log's size and root with it (hex).

    `checkpoint` is the keeper's word for it; None where the keeper had no part in the append.
    """

    game: str
    seq: int
    leaf: str
    size: int
    root: str
    checkpoint: SignedCheckpoint | None = None


class Keeper(Protocol):
    """Who signs checkpoints: the keeper's `Seat`."""

    @property
    def key(self) -> VerifierKey: ...

    def check(self, view: View) -> None:
        """Whether it would sign the head. Raises LedgerError, and records nothing."""

    def checkpoint(self, view: View) -> SignedCheckpoint:
        """Sign the head, which is stored, and remember that. Raises LedgerError."""


class GameView:
    """A stored game, replayed. Serves as a `ledger.seat.View`."""

    def __init__(self, games: "Games", replay: Replay) -> None:
        self._games = games
        self.replay = replay

    @property
    def game(self) -> bytes:
        return self.replay.terms.game

    def leaf(self, seq: int) -> bytes:
        """The leaf hash of line `seq`, 32 bytes."""
        if seq == self.replay.size - 1:
            return self.replay.head
        return leaf_hash(next(self._games.lines(self.game, seq)))

    @property
    def checkpoint(self) -> SignedCheckpoint | None:
        """The last that is stored."""
        return self._games.checkpoint(self.game)

    @property
    def trusted(self) -> int:
        """How many lines this program took from the store as they stood."""
        return self._games.trusted(self.game)

    def lines(self, start: int) -> Iterator[bytes]:
        """The lines of the replay from number `start` on."""
        return self._games.lines(self.game, start, self.replay.size)

    def verify(self, start: int) -> None:
        """Verify the lines from number `start` on. Raises StoreError where one does not hold."""
        self._games.verify(self, start)


class Games:
    """The games in one SQLite file."""

    def __init__(self, path: Path, clock: Callable[[], str] = utc_now) -> None:
        """Open or create. Raises StoreError."""
        self.path = path
        self._clock = clock
        self._database = open_database(path, _SCHEMA, kind=LEDGER_KIND, mode=0o644)
        self._replays: dict[bytes, tuple[Replay, int]] = {}
        """by game: its replay, and the version of the database that it is up to date with"""
        self._trusted: dict[bytes, int] = {}
        """by game: how many lines its replay took as they stood in the store"""

    def close(self) -> None:
        self._database.close()

    # --- reading ---------------------------------------------------------------------------------------------------

    def games(self) -> list[bytes]:
        """The ids of all games, in the order of their opening."""
        with reading(self.path):
            rows = self._database.execute("SELECT game FROM games ORDER BY opened, game").fetchall()
        return [bytes.fromhex(row[0]) for row in rows]

    def find(self, text: str) -> bytes:
        """The id of the game that `text` means: an id, its beginning (4 digits or more), or a title.

        Raises UsageError.
        """
        with reading(self.path):
            rows = self._database.execute("SELECT game, title FROM games ORDER BY opened, game").fetchall()
        ids = [game for game, _ in rows if game == text.lower()]  # a title cannot hide a game from its whole id
        if not ids:
            ids = [game for game, title in rows if title == text or (len(text) >= 4 and game.startswith(text.lower()))]
        if len(ids) == 1:
            return bytes.fromhex(ids[0])
        if ids:
            raise UsageError(f"{text!r} fits {len(ids)} games: {', '.join(i[:12] for i in ids)}. Give more of the id.")
        raise UsageError(f"there is no game {text!r} here. See them with: rollproof games")

    def lines(self, game: bytes, start: int = 0, stop: int = MAX_SAFE_INTEGER) -> Iterator[bytes]:
        """The stored lines from number `start` to before `stop`, without their line feeds. Raises StoreError."""
        with reading(self.path):
            cursor = self._database.execute(
                "SELECT line FROM events WHERE game = ? AND seq >= ? AND seq < ? ORDER BY seq",
                (game.hex(), start, stop),
            )
            for (line,) in cursor:
                yield line.encode()

    def view(self, game: bytes) -> GameView:
        """The game as it stands now.

        Raises UsageError where there is none, StoreError where the store was tampered with.
        """
        replay = self._catch_up(game)
        if replay.size == 0:
            raise UsageError(f"there is no game {game.hex()[:12]} here")
        return GameView(self, replay)

    def trusted(self, game: bytes) -> int:
        """How many lines of a game were taken as they stood in the store; from the next on this program verified them.

        Lines in a store prove nothing: whoever may write its file can put others there.
        """
        return self._trusted.get(game, 0)

    def verify(self, view: GameView, start: int) -> None:
        """Verify all that a view shows from line `start` on: steps 4 to 23 of specs/verification.md.

        Raises StoreError where a line does not hold.
        """
        replay = Replay()
        try:
            for line in view.lines(0):
                replay.step(line) if replay.size >= start else replay.follow(line)
        except Failure as failure:
            raise self._changed(view.game, replay.size, failure) from None
        if replay.head != view.replay.head:
            raise self._changed(view.game, replay.size, "it was changed meanwhile")
        if self._replays.get(view.game, (None,))[0] is view.replay:
            self._trusted[view.game] = min(start, self.trusted(view.game))

    def openings(self, game: bytes) -> list[Opening]:
        """The openings that were handed in for the pending request."""
        pending = self.view(game).replay.pending
        if pending is None:
            return []
        with reading(self.path):
            rows = self._database.execute(
                "SELECT author, link_index, link, sig FROM openings WHERE game = ? AND request = ?",
                (game.hex(), pending.request.hex()),
            ).fetchall()
        return [Opening(*row) for row in rows]

    def checkpoint(self, game: bytes) -> SignedCheckpoint | None:
        """The last checkpoint of a game, with what cosignatures it got; None where there is none. Raises StoreError."""
        with reading(self.path):
            row = self._database.execute("SELECT note FROM checkpoints WHERE game = ?", (game.hex(),)).fetchone()
        return parse_checkpoint(row[0].encode()) if row else None

    def export(self, game: bytes, stream: BinaryIO) -> int:
        """Write the log as a file, byte for byte; returns the number of lines."""
        count = 0
        for line in self.lines(game):
            stream.write(line + b"\n")
            count += 1
        return count

    # --- writing ---------------------------------------------------------------------------------------------------

    def rebuild(self) -> int:
        """Make the read tables again from the logs; returns the number of games."""
        with self._writing():
            rows = self._database.execute("SELECT DISTINCT game FROM events").fetchall()
            for table in READ_TABLES:
                self._database.execute(f"DROP TABLE IF EXISTS {table}")  # fixed names
            for statement in READ_SCHEMA.split(";\n\n"):
                self._database.execute(statement)
            for (game,) in rows:
                self._project(bytes.fromhex(game))
        return len(rows)

    def _project(self, game: bytes) -> Replay:
        """Write the rows of a game that has none; returns its replay."""
        replay = Replay()
        rows = Rebuilding(self._database, replay)
        for line in self.lines(game):
            try:
                rows.take(replay.follow(line))
            except Failure as failure:
                raise self._changed(game, replay.size, failure) from None
        rows.write()
        return replay

    def _cut(self, game: bytes, size: int) -> Replay:
        """Keep the first lines of a game alone; returns their replay."""
        with deleting(self._database, "events"):
            self._database.execute("DELETE FROM events WHERE game = ? AND seq >= ?", (game.hex(), size))
        for table in READ_TABLES:
            self._database.execute(f"DELETE FROM {table} WHERE game = ?", (game.hex(),))  # fixed names
        replay = self._project(game)
        self._replays[game] = replay, data_version(self._database)
        self._trusted[game] = replay.size
        return replay

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction. If it does not end well, the replays may be ahead of what was written, and are made anew."""
        try:
            with transaction(self._database):
                yield
        except RefusedError:
            raise  # a replay that refuses a line is as it was
        except BaseException:
            self._replays.clear()
            self._trusted.clear()
            raise

    def _catch_up(self, game: bytes) -> Replay:
        """The replay of a stored game, brought up to what other processes have added; empty where there is none.

        The store's lines were verified. Raises StoreError where they are not those that were appended.
        """
        with reading(self.path):
            version = data_version(self._database)
        replay, known = self._replays.get(game) or (Replay(), None)
        if known == version:
            return replay
        with reading(self.path):
            row = self._database.execute("SELECT events, head FROM games WHERE game = ?", (game.hex(),)).fetchone()
        events, head = row or (0, "")
        before = replay.size
        for line in self.lines(game, replay.size):
            try:
                replay.follow(line)
            except Failure as failure:
                self._replays.pop(game, None)
                raise self._changed(game, replay.size, failure) from None
        # Another process may have appended since; there can be more lines now than then, but never fewer.
        if replay.size < events or (replay.size == events and replay.head.hex() != head and events):
            self._replays.pop(game, None)
            raise self._changed(game, replay.size, "it, or what follows it, is not what was appended")
        if replay.size:
            if replay.size > before:
                self._trusted[game] = replay.size
            self._replays[game] = replay, version
        return replay

    def _changed(self, game: bytes, seq: int, problem: object) -> StoreError:
        return StoreError(
            f"{self.path} was changed by something else: event {seq} of game {game.hex()[:12]} does "
            f"not hold ({problem}). "
            f"Restore it from a backup or from an exported log."
        )

    def _append(self, replay: Replay, line: bytes, check: Check, keeper: Keeper | None = None) -> Receipt:
        latest = replay.time
        self._step(replay, line, check)
        game, seq = replay.terms.game, replay.size - 1
        if check is verify_now and replay.time > latest:
            self._check_clock(replay)
        if game not in self._replays:
            self._replays[game] = replay, data_version(self._database)
        self._database.execute("INSERT INTO events VALUES (?, ?, ?)", (game.hex(), seq, line.decode()))
        if keeper is not None:
            self._check_keeper(replay, keeper)
            keeper.check(GameView(self, replay))
        return Receipt(game.hex(), seq, replay.head.hex(), replay.size, replay.tree.root().hex())

    def _step(self, replay: Replay, line: bytes, check: Check) -> None:
        before = replay.session if replay.size else None
        try:
            event = replay.step(line, check)
        except Failure as failure:
            raise refused(failure) from None
        project(self._database, replay, before, event)

    def _check_clock(self, replay: Replay) -> None:
        """Later events cannot be earlier than this one, so a clock that runs ahead would drag the game along.

        Not asked where the event is no later than the one before it: that drags nothing along, and after this clock was
        set back every event is so until it has caught up.
        """
        now = self._clock()
        if replay.time <= now:
            return
        if datetime.fromisoformat(replay.time) > datetime.fromisoformat(now) + MAX_CLOCK_SKEW:
            self._replays.pop(replay.terms.game, None)  # it has taken the event already
            text = N_(
                "the event is dated {time}, more than {minutes} minutes ahead of the clock here ({clock}): "
                "set the clock right and sign again"
            )
            problem = Message(text, time=replay.time, minutes=MAX_CLOCK_SKEW.seconds // 60, clock=now)
            raise RefusedError(problem, "time.ahead", None)

    def _check_keeper(self, replay: Replay, keeper: Keeper) -> None:
        terms = replay.terms
        key = terms.keys[terms.keeper]
        if (key.name, key.public_bytes) != (keeper.key.name, keeper.key.public_bytes):
            raise UsageError(f"{keeper.key.name} with this key is not the keeper of game {terms.game.hex()[:12]}")


def refused(failure: Failure) -> RefusedError:
    problem: Message = failure
    if failure.step == 7:
        text = N_("The game has gone on since this event was signed: look at its new end and sign again. {problem}")
        problem = Message(text, problem=failure)
    return RefusedError(problem, failure.code, failure.clause)
