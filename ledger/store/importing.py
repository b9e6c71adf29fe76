"""Imports into a store: logs from files, and checkpoints (specs/protocol.md, "Taken and untaken")."""

from collections.abc import Callable, Collection
from itertools import islice
from typing import NamedTuple

from ledger.errors import BehindError, ForkError, MissingError, NotTakenError, RefusedError
from ledger.game.core import KeptGame
from ledger.store.cosignatures import CheckpointUpdate, merge_cosignatures
from ledger.store.game_view import GameView
from ledger.store.games import Games
from rules.data.language import Translate
from verifier import Pins, Replay, Report, VerifierKey, verify
from verifier.checkpoints.checkpoint import SignedCheckpoint, keeper_signed, parse_checkpoint
from verifier.checkpoints.policy import WitnessKey
from verifier.log.merkle import MerkleTree, leaf_hash
from verifier.log.signatures import trust, verify_now

__all__ = ["ImportResult", "Importing"]


class ImportResult(NamedTuple):
    """The result of an import."""

    report: Report
    added: int
    """the number of new lines"""
    untaken: tuple[bytes, ...] = ()
    """stored lines that the keeper has not taken, and that were replaced by others"""
    checkpoint: CheckpointUpdate | None = None
    """the result for the checkpoint that came with the log"""


class Importing(Games):
    """A store of games that imports what others send."""

    def taken(self, game: bytes) -> int:
        """Return the number of events that the keeper has signed a checkpoint over (specs/protocol.md)."""
        return self.kept(game).taken

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

        The checkpoint's cosignatures are stored as by `take_checkpoint`.

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
            pairs = zip(self.lines(game), lines, strict=False)
            parting = next((seq for seq, (old, new) in enumerate(pairs) if old != new), None)
            if parting is not None:
                self._check_taken(name, parting, stored.replay, KeptGame(replay, given).taken)
                untaken = tuple(self.lines(game, parting))
                stored = self._cut(game, parting)
            added = lines[stored.replay.size :]
            keeper_here = is_here is not None and is_here(replay.terms.keys[replay.terms.keeper])
            now = self._clock() if keeper_here else None
            try:
                for line in added:
                    self._append(stored, line, trust, now)
            except RefusedError:
                self._cache.drop(game)  # the game in memory has the lines before
                raise
            taken = None if given is None else self._take(given, stored.replay, cosigners)
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
                if next(self.lines(game, seq, seq + 1)) != line:
                    raise NotTakenError(f"another event {seq} of game {game.hex()[:12]} is here")
                return False
            if seq == 0 and leaf_hash(line) != game:
                raise NotTakenError(f"this is event 0 of another game than {game.hex()[:12]}")
            if seq == size:
                self._append(stored, line, verify_now, None)
                return True
        problem = f"event {seq} of game {game.hex()[:12]} came, but {size} events are here: some are missing"
        raise RefusedError(problem, "chain.seq", None)

    def _check_taken(self, name: str, parting: int, stored: Replay, theirs: int) -> None:
        """Check that a file may replace the stored lines from `parting` on.

        `theirs` is the number of its lines that the keeper has taken. Raises ForkError, NotTakenError.
        """
        game = stored.terms.game
        ours = KeptGame(stored, self.checkpoint(game)).taken
        keeper, where = stored.terms.keeper, f"game {game.hex()[:12]}"
        if ours > parting and theirs > parting:
            raise ForkError(
                f"{name} and the stored log of {where} differ at event {parting}: the game was forked, and {keeper}, "
                f"the keeper, signed over both. The stored log is as it was; keep both and ask a judge."
            )
        if theirs <= parting and ours > parting:
            raise NotTakenError(
                f"{name} goes on at event {parting} in another way than {where} does here: another event came first. "
                f"Nothing is lost: whoever wrote it imports the log as it stands here, and signs it again."
            )
        if theirs <= parting:
            raise NotTakenError(
                f"{name} and the stored log of {where} go on in two ways at event {parting}, and {keeper}, the keeper, "
                f"has signed over neither: import the log that {keeper} exports."
            )

    def take_checkpoint(self, checkpoint: SignedCheckpoint, cosigners: Collection[WitnessKey] = ()) -> CheckpointUpdate:
        """Store a checkpoint that came with a log, or came back with cosignatures.

        A cosignature is stored if it holds with a key of a witness of the game or with one of `cosigners`
        (specs/checkpoints.md, "Cosignatures in a store"). A checkpoint older than the stored one is ignored. Raises
        UsageError if it is not the keeper's, BehindError and ForkError if it contradicts the stored log.
        """
        head = checkpoint.head
        with self._transactions.writing([head.game]):
            replay = self.view(head.game).replay
            keeper = replay.terms.keeper
            if not keeper_signed(checkpoint, replay.terms.keys[keeper]):
                raise MissingError(f"the checkpoint has no signature of {keeper}, the keeper, that holds")
            if head.size > replay.size:
                raise BehindError(
                    f"{keeper}, the keeper, has signed for {head.size} events of game {head.game.hex()[:12]}, but "
                    f"{replay.size} are here: the end is missing. Get the whole log, and import it."
                )
            if self._root(replay, head.size) != head.root:
                raise ForkError(
                    f"{keeper}, the keeper, signed another history of game {head.game.hex()[:12]} than the one that is "
                    f"here, among its first {head.size} events: it was forked. Keep both and ask a judge."
                )
            return self._take(checkpoint, replay, cosigners)

    def _root(self, replay: Replay, size: int) -> bytes:
        if size == replay.size:
            return replay.tree.root()
        tree = MerkleTree()
        for line in islice(GameView(self._cache, replay).lines(0), size):
            tree.append(leaf_hash(line))
        return tree.root()

    def _take(
        self, checkpoint: SignedCheckpoint, replay: Replay, cosigners: Collection[WitnessKey]
    ) -> CheckpointUpdate:
        """Store a checkpoint that agrees with the log, unless a later one is stored."""
        stored = self.checkpoint(checkpoint.head.game)
        if stored is not None and stored.head.size > checkpoint.head.size:
            return CheckpointUpdate(stored)
        same = stored if stored is not None and stored.head == checkpoint.head else None
        taken = merge_cosignatures(checkpoint, same, replay.terms, cosigners)
        self._store(taken.checkpoint)
        return taken

    def _store(self, checkpoint: SignedCheckpoint) -> None:
        row = (checkpoint.head.game.hex(), checkpoint.head.size, bytes(checkpoint).decode())
        self._transactions.writes.upsert("checkpoints", [row])
        self._cache.set_checkpoint(checkpoint)
