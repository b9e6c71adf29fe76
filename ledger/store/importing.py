"""Imports of logs into a store, from files and from servers (specs/protocol.md, "Taken and untaken")."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from ledger.errors import ForkError, NotTakenError, RefusedError
from ledger.game.core import KeptGame
from ledger.store.checkpoints import CheckpointStore
from ledger.store.cosignatures import CheckpointUpdate
from ledger.store.game_database import GameDatabase
from ledger.store.line_writer import LineWriter
from rules.data.language import Translate
from verifier import Pins, Replay, Report, VerifierKey, verify
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.checkpoints.policy import WitnessKey
from verifier.log.merkle import leaf_hash
from verifier.log.signatures import trust, verify_now

__all__ = ["ImportResult", "LogImporter"]


class ImportResult(NamedTuple):
    """The result of an import."""

    report: Report
    added: int
    """the number of new lines"""
    untaken: tuple[bytes, ...] = ()
    """stored lines that the keeper has not taken, and that were replaced by others"""
    checkpoint: CheckpointUpdate | None = None
    """the result for the checkpoint that came with the log"""


class LogImporter:
    """Imports into one database what others send."""

    def __init__(
        self, games: GameDatabase, lines: LineWriter, checkpoints: CheckpointStore, clock: Callable[[], str]
    ) -> None:
        self._logs = games.logs
        self._cache = games.cache
        self._transactions = games.transactions
        self._lines = lines
        self._checkpoints = checkpoints
        self._clock = clock

    def import_log(
        self,
        data: bytes,
        *,
        name: str,
        pins: Pins | None = None,
        checkpoint: bytes | None = None,
        translate: Translate = str,
        is_here: Callable[[VerifierKey], bool] | None = None,
        cosigners: Collection[WitnessKey] = (),
    ) -> ImportResult:
        """Import a log from a file: all of it, or nothing if it does not verify. `checkpoint` came with it.

        The checkpoint's cosignatures are stored as by `Ledger.take_checkpoint`.

        A log that continues a stored game adds its new lines. If it differs from the stored log, the keeper's signature
        decides (specs/protocol.md, "Taken and untaken"): stored lines that the keeper has not signed over are replaced.
        Raises NotTakenError if those of the file are not signed over, or neither side's are; ForkError if both sides'
        are. If `is_here` says that the keeper's key is on this machine, so that the new lines will be signed over:
        RefusedError if a new event is dated ahead of the clock.
        """
        receipts = {} if checkpoint is None else {f"{name}.checkpoint": checkpoint}
        report, replay = verify(data, name=name, pins=pins, receipts=receipts, translate=translate)
        if report.verdict != "holds" or replay is None:
            return ImportResult(report, 0)
        game = replay.terms.game
        given = None if checkpoint is None else parse_checkpoint(checkpoint)
        lines = data.removesuffix(b"\n").split(b"\n")[: report.events]  # without an offer after them
        with self._transactions.writing([game]):
            stored = self._cache.catch_up(game)
            untaken: tuple[bytes, ...] = ()
            pairs = zip(self._logs.lines(game), lines, strict=False)
            parting = next((seq for seq, (old, new) in enumerate(pairs) if old != new), None)
            if parting is not None:
                self._check_taken(name, parting, stored.replay, KeptGame(replay, given).taken)
                untaken = tuple(self._logs.lines(game, parting))
                stored = self._lines.cut(game, parting)
            added = lines[stored.replay.size :]
            keeper_here = is_here is not None and is_here(replay.terms.keys[replay.terms.keeper])
            now = self._clock() if keeper_here else None
            try:
                for line in added:
                    self._lines.append(stored, line, trust, now)
            except RefusedError:
                self._cache.drop(game)  # the game in memory has the lines before
                raise
            taken = None if given is None else self._checkpoints.merge(given, stored.replay, cosigners)
        return ImportResult(report, len(added), untaken, taken)

    def take_line(self, game: bytes, seq: int, line: bytes) -> bool:
        """Store line `seq` of a game, without its line feed, as a server streams it; return whether it is new.

        The line is verified like any other. Event 0 begins the game. Raises RefusedError if it does not hold or lines
        before it are missing; NotTakenError if another line is stored in its place; StoreError.
        """
        with self._transactions.writing([game]):
            stored = self._cache.catch_up(game, snapshots=True)
            size = stored.replay.size
            if seq < size:
                if next(self._logs.lines(game, seq, seq + 1)) != line:
                    raise NotTakenError(f"another event {seq} of game {game.hex()[:12]} is here")
                return False
            if seq == 0 and leaf_hash(line) != game:
                raise NotTakenError(f"this is event 0 of another game than {game.hex()[:12]}")
            if seq == size:
                self._lines.append(stored, line, verify_now, None)
                return True
        problem = f"event {seq} of game {game.hex()[:12]} came, but {size} events are here: some are missing"
        raise RefusedError(problem, "chain.seq", None)

    def _check_taken(self, name: str, parting: int, stored: Replay, theirs: int) -> None:
        """Check that a file may replace the stored lines from `parting` on.

        `theirs` is the number of its lines that the keeper has taken. Raises ForkError, NotTakenError.
        """
        game = stored.terms.game
        ours = KeptGame(stored, self._logs.checkpoint(game)).taken
        keeper, where = stored.terms.keeper, f"game {game.hex()[:12]}"
        if ours > parting and theirs > parting:
            raise ForkError(
                f"{name} and the stored log of {where} differ at event {parting}: the game was forked, and {keeper}, "
                f"the keeper, signed over both. The stored log is as it was; keep both and ask a judge."
            )
        if ours > parting:
            raise NotTakenError(
                f"{name} goes on at event {parting} in another way than {where} does here: another event came first. "
                f"Nothing is lost: whoever wrote it imports the log as it stands here, and signs it again."
            )
        if theirs <= parting:
            raise NotTakenError(
                f"{name} and the stored log of {where} go on in two ways at event {parting}, and {keeper}, the keeper, "
                f"has signed over neither: import the log that {keeper} exports."
            )
