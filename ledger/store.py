"""The append-only store of logs, and the keeper's sequencing (specs/protocol.md).

Every line is offered to the verifier's own Replay before it is stored, so what was appended verifies. Lines are
kept byte for byte. Holds no secrets: anybody can keep a store of games that they follow.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from ledger.cosignatures import Taken, merged
from ledger.database import LEDGER_KIND, append_only, data_version, deleting, open_database, reading, transaction
from ledger.errors import BehindError, ForkError, NotTakenError, RefusedError, StoreError, UsageError
from ledger.projections import READ_SCHEMA, READ_TABLES, Rebuilding, project
from ledger.seat import utc_now
from ledger.view import View
from rules.bounds import MAX_SAFE_INTEGER
from rules.language import N_, Message, Translate
from verifier import Failure, Pins, Replay, Report, VerifierKey, verify
from verifier.chain import MerkleTree, leaf_hash
from verifier.checkpoint import CosignerKey, SignedCheckpoint, keeper_signed, parse_checkpoint
from verifier.format import Opening
from verifier.signatures import Check, trust, verify_now

__all__ = ["MAX_CLOCK_SKEW", "GameView", "Imported", "Keeper", "Ledger", "Receipt"]

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


class Imported(NamedTuple):
    """What an import came to."""

    report: Report
    added: int
    """lines that were new"""
    untaken: tuple[bytes, ...] = ()
    """lines that stood here, which the keeper has not taken: others stand in their places now"""
    checkpoint: Taken | None = None
    """what became of the checkpoint that came beside the log"""


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

    def __init__(self, ledger: "Ledger", replay: Replay) -> None:
        self._ledger = ledger
        self.replay = replay

    @property
    def game(self) -> bytes:
        return self.replay.terms.game

    def leaf(self, seq: int) -> bytes:
        """The leaf hash of line `seq`, 32 bytes."""
        if seq == self.replay.size - 1:
            return self.replay.head
        return leaf_hash(next(self._ledger.lines(self.game, seq)))

    @property
    def trusted(self) -> int:
        """How many lines this program took from the store as they stood."""
        return self._ledger.trusted(self.game)

    def lines(self, start: int) -> Iterator[bytes]:
        """The lines of the replay from number `start` on."""
        return self._ledger.lines(self.game, start, self.replay.size)

    def verify(self, start: int) -> None:
        """Verify the lines from number `start` on. Raises StoreError where one does not hold."""
        self._ledger.verify(self, start)


class Ledger:
    """A store of games in one SQLite file."""

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
        raise UsageError(f"there is no game {text!r} here", "games.list")

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

    def taken(self, game: bytes) -> int:
        """How many events the keeper is known to have taken: it has signed over them (specs/protocol.md)."""
        return _taken(self.view(game).replay, self.checkpoint(game))

    def export(self, game: bytes, stream: BinaryIO) -> int:
        """Write the log as a file, byte for byte; returns the number of lines."""
        count = 0
        for line in self.lines(game):
            stream.write(line + b"\n")
            count += 1
        return count

    # --- writing ---------------------------------------------------------------------------------------------------

    def create(self, line: bytes, keeper: Keeper | None = None) -> Receipt:
        """Begin a game with its event 0; `keeper` signs the checkpoint. Raises RefusedError, StoreError."""
        with self._writing():
            receipt = self._append(Replay(), line, verify_now, keeper)
        return self._signed(receipt, keeper)

    def append(self, game: bytes, line: bytes, keeper: Keeper | None = None) -> Receipt:
        """Add an event, without its line feed, to the end of a game; then `keeper` signs the checkpoint.

        Durable when this returns; without a trace if it raises. Without the keeper, and where its checkpoint cannot be
        stored, the line stands, and its checkpoint comes with the next one (`sign_checkpoint`).

        Raises RefusedError where the log would not verify with it (a stale head among the reasons), StoreError,
        UsageError where `keeper` is not the game's, ForkError where the keeper signed another history.
        """
        with self._writing():
            replay = self._catch_up(game)
            if replay.size == 0:
                raise UsageError(f"there is no game {game.hex()[:12]} here")
            receipt = self._append(replay, line, verify_now, keeper)
        return self._signed(receipt, keeper)

    def hand_in(self, game: bytes, opening: Opening) -> None:
        """Take a contributor's opening for the pending request. Raises RefusedError where it is not one.

        Never the keeper's: whoever sees the store would know the dice before everybody has opened.
        """
        replay = self.view(game).replay
        if opening.author == replay.terms.keeper:
            text = N_("{keeper} keeps the log and opens last, in the reveal itself")
            raise RefusedError(Message(text, keeper=opening.author), "opening.set", None)
        try:
            replay.check_opening(opening)
        except Failure as failure:
            raise _refused(failure) from None
        assert replay.pending is not None
        with transaction(self._database):
            self._database.execute(
                "INSERT OR IGNORE INTO openings VALUES (?, ?, ?, ?, ?, ?)",
                (game.hex(), replay.pending.request.hex(), opening.author, opening.index, opening.link, opening.sig),
            )

    def import_log(
        self,
        data: bytes,
        *,
        name: str,
        pins: Pins | None = None,
        checkpoint: bytes | None = None,
        translate: Translate = str,
        is_here: Callable[[VerifierKey], bool] | None = None,
        cosigners: Collection[CosignerKey] = (),
    ) -> Imported:
        """Take a log from a file: all of it, or nothing if it does not verify. `checkpoint` came beside it.

        Of the checkpoint's cosignatures those are kept that `take_checkpoint` keeps.

        A log that continues a stored game adds its new lines. Where it goes on in another way than the stored one, the
        keeper's signature decides (specs/protocol.md, "Taken and untaken"): lines that only stand here, and that it has
        not signed over, make room. Raises NotTakenError where the file's are those, or neither side's are signed over;
        ForkError where both sides' are. Where `is_here` says that the keeper's key is, and what is new
        is about to be taken: RefusedError where a new event is dated ahead of the clock.
        """
        receipts = {} if checkpoint is None else {f"{name}.checkpoint": checkpoint}
        report, replay = verify(data, name=name, pins=pins, receipts=receipts, translate=translate)
        if report.verdict != "holds" or replay is None:
            return Imported(report, 0)
        game = replay.terms.game
        given = None if checkpoint is None else parse_checkpoint(checkpoint)
        lines = data.removesuffix(b"\n").split(b"\n")
        with self._writing():
            stored = self._catch_up(game)
            untaken: tuple[bytes, ...] = ()
            pairs = zip(self.lines(game), lines, strict=False)
            parting = next((seq for seq, (old, new) in enumerate(pairs) if old != new), None)
            if parting is not None:
                self._check_taken(name, parting, stored, _taken(replay, given))
                untaken = tuple(self.lines(game, parting))
                stored = self._cut(game, parting)
            added = lines[stored.size :]
            keeper_here = is_here is not None and is_here(replay.terms.keys[replay.terms.keeper])
            for line in added:
                latest = stored.time
                self._append(stored, line, trust)
                if keeper_here and stored.time > latest:
                    self._check_clock(stored)
            taken = None if given is None else self._take(given, stored, cosigners)
        return Imported(report, len(added), untaken, taken)

    def _check_taken(self, name: str, parting: int, stored: Replay, theirs: int) -> None:
        """Whether a file of which the keeper has taken `theirs` lines may replace what is stored from `parting` on."""
        game = stored.terms.game
        ours = _taken(stored, self.checkpoint(game))
        keeper, where = stored.terms.keeper, f"game {game.hex()[:12]}"
        if ours > parting and theirs > parting:
            raise ForkError(
                f"{name} and the stored log of {where} differ at event {parting}: the game was forked, and {keeper}, "
                f"the keeper, signed over both. The stored log is as it was; keep both and ask a judge."
            )
        if theirs <= parting and ours > parting:
            raise NotTakenError(
                f"{name} goes on at event {parting} in another way than {where} does here: another event came first. "
                f"Nothing is lost: whoever wrote it imports the log as it stands here, and runs the command again."
            )
        if theirs <= parting:
            raise NotTakenError(
                f"{name} and the stored log of {where} go on in two ways at event {parting}, and {keeper}, the keeper, "
                f"has signed over neither: import the log that {keeper} exports."
            )

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

    # --- checkpoints -----------------------------------------------------------------------------------------------

    def checkpoint(self, game: bytes) -> SignedCheckpoint | None:
        """The last checkpoint of a game, with what cosignatures it got; None where there is none. Raises StoreError."""
        with reading(self.path):
            row = self._database.execute("SELECT note FROM checkpoints WHERE game = ?", (game.hex(),)).fetchone()
        return parse_checkpoint(row[0].encode()) if row else None

    def sign_checkpoint(self, game: bytes, keeper: Keeper) -> SignedCheckpoint:
        """The checkpoint of the game as it stands: the one that is there, or a new one by its keeper.

        Raises UsageError where `keeper` is not the game's, ForkError where the keeper signed another history.
        """
        with self._writing():
            replay = self._catch_up(game)
            found = self.checkpoint(game)
            if found is not None and found.head.size == replay.size:
                return found
            return self._sign(replay, keeper)

    def take_checkpoint(self, checkpoint: SignedCheckpoint, cosigners: Collection[CosignerKey] = ()) -> Taken:
        """Take a checkpoint that came with a log, or came back with cosignatures.

        Of these those are kept that hold with a key of a witness of the game or one of `cosigners`
        (specs/checkpoints.md, "Cosignatures in a store"). An older checkpoint than the stored is left. Raises
        UsageError where it is not the keeper's, BehindError and ForkError where it contradicts the stored log.
        """
        head = checkpoint.head
        with self._writing():
            replay = self.view(head.game).replay
            keeper = replay.terms.keeper
            if not keeper_signed(checkpoint, replay.terms.keys[keeper]):
                raise UsageError(f"the checkpoint has no signature of {keeper}, the keeper, that holds")
            if head.size > replay.size:
                raise BehindError(
                    f"{keeper}, the keeper, has signed for {head.size} events of game {head.game.hex()[:12]}, but "
                    f"{replay.size} are here: the end is missing. Get the whole log, and import it."
                )
            tree = MerkleTree()
            for line in self.lines(head.game, stop=head.size):
                tree.append(leaf_hash(line))
            if tree.root() != head.root:
                raise ForkError(
                    f"{keeper}, the keeper, signed another history of game {head.game.hex()[:12]} than the one that is "
                    f"here, among its first {head.size} events: it was forked. Keep both and ask a judge."
                )
            return self._take(checkpoint, replay, cosigners)

    def _take(self, checkpoint: SignedCheckpoint, replay: Replay, cosigners: Collection[CosignerKey]) -> Taken:
        """Store a checkpoint that agrees with the log, unless there is a later one."""
        stored = self.checkpoint(checkpoint.head.game)
        if stored is not None and stored.head.size > checkpoint.head.size:
            return Taken(stored)
        same = stored if stored is not None and stored.head == checkpoint.head else None
        taken = merged(checkpoint, same, replay.terms, cosigners)
        self._store(taken.checkpoint)
        return taken

    def _sign(self, replay: Replay, keeper: Keeper) -> SignedCheckpoint:
        """A checkpoint of the game as it stands, signed and stored."""
        self._check_keeper(replay, keeper)
        signed = keeper.checkpoint(GameView(self, replay))
        self._store(signed)
        return signed

    def _store(self, checkpoint: SignedCheckpoint) -> None:
        row = (checkpoint.head.game.hex(), checkpoint.head.size, bytes(checkpoint).decode())
        self._database.execute(
            "INSERT INTO checkpoints VALUES (?1, ?2, ?3) ON CONFLICT (game) DO UPDATE SET size = ?2, note = ?3", row
        )

    def _signed(self, receipt: Receipt, keeper: Keeper | None) -> Receipt:
        """The receipt with the keeper's checkpoint of a line that is stored.

        What the keeper remembers may be ahead of its store at no time, whatever crashes, or it could never go on.
        """
        if keeper is None:
            return receipt
        with suppress(StoreError):
            return replace(receipt, checkpoint=self.sign_checkpoint(bytes.fromhex(receipt.game), keeper))
        return receipt

    def _check_keeper(self, replay: Replay, keeper: Keeper) -> None:
        terms = replay.terms
        key = terms.keys[terms.keeper]
        if (key.name, key.public_bytes) != (keeper.key.name, keeper.key.public_bytes):
            raise UsageError(f"{keeper.key.name} with this key is not the keeper of game {terms.game.hex()[:12]}")

    # --- beneath ---------------------------------------------------------------------------------------------------

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
            raise _refused(failure) from None
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


def _taken(replay: Replay, checkpoint: SignedCheckpoint | None) -> int:
    """How many lines the keeper has signed over: with an event of its own, or a checkpoint that agrees with them."""
    return max(replay.sealed + 1, 0 if checkpoint is None else checkpoint.head.size)


def _refused(failure: Failure) -> RefusedError:
    problem: Message = failure
    if failure.step == 7:
        text = N_("The game has gone on since this event was signed: look at its new end and sign again. {problem}")
        problem = Message(text, problem=failure)
    return RefusedError(problem, failure.code, failure.clause)
