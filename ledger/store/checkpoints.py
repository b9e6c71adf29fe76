"""The checkpoints in a store: which are taken, and with which cosignatures (specs/checkpoints.md)."""

from collections.abc import Collection
from itertools import islice

from ledger.errors import BehindError, ForkError, MissingError
from ledger.store.cosignatures import CheckpointUpdate, merge_cosignatures
from ledger.store.game_database import GameDatabase
from ledger.store.game_view import GameView
from verifier import Replay
from verifier.checkpoints.checkpoint import SignedCheckpoint, keeper_signed
from verifier.checkpoints.policy import WitnessKey
from verifier.log.merkle import MerkleTree, leaf_hash

__all__ = ["CheckpointStore"]


class CheckpointStore:
    """The latest checkpoint of each game in one database."""

    def __init__(self, games: GameDatabase) -> None:
        self._logs = games.logs
        self._cache = games.cache
        self._transactions = games.transactions

    def take(self, checkpoint: SignedCheckpoint, cosigners: Collection[WitnessKey] = ()) -> CheckpointUpdate:
        """Take a checkpoint, as `Ledger.take_checkpoint` does."""
        head = checkpoint.head
        with self._transactions.writing([head.game]):
            replay = self._cache.look(head.game).snapshot()
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
            return self.merge(checkpoint, replay, cosigners)

    def merge(
        self, checkpoint: SignedCheckpoint, replay: Replay, cosigners: Collection[WitnessKey]
    ) -> CheckpointUpdate:
        """Store a checkpoint that agrees with the log, unless a later one is stored."""
        stored = self._logs.checkpoint(checkpoint.head.game)
        if stored is not None and stored.head.size > checkpoint.head.size:
            return CheckpointUpdate(stored)
        same = stored if stored is not None and stored.head == checkpoint.head else None
        taken = merge_cosignatures(checkpoint, same, replay.terms, cosigners)
        self.store(taken.checkpoint)
        return taken

    def store(self, checkpoint: SignedCheckpoint) -> None:
        """Replace the stored checkpoint, within a transaction."""
        row = (checkpoint.head.game.hex(), checkpoint.head.size, bytes(checkpoint).decode())
        self._transactions.writes.upsert("checkpoints", [row])
        self._cache.set_checkpoint(checkpoint)

    def _root(self, replay: Replay, size: int) -> bytes:
        if size == replay.size:
            return replay.tree.root()
        tree = MerkleTree()
        for line in islice(GameView(self._cache, replay).lines(0), size):
            tree.append(leaf_hash(line))
        return tree.root()
