"""The logs of a server that public witnesses cosign (specs/network.md, "Witnesses")."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from ledger.errors import LedgerError, UsageError
from ledger.server.cosigning import BETWEEN
from ledger.server.problems import Problem
from ledger.store.ledger import Ledger
from ledger.transparency.anchors import Anchors
from verifier.checkpoints.checkpoint import ORIGIN_PREFIX, SignedCheckpoint
from verifier.checkpoints.head import SignedHead
from verifier.checkpoints.note import signed_by
from verifier.checkpoints.policy import WitnessKey
from verifier.log.merkle import leaf_hash

__all__ = ["AnchorLog", "GameLog"]

Write = Callable[[Callable[[], object]], Awaitable[object]]
"""does something in the writer's thread"""


class AnchorLog:
    """The anchor log."""

    between = 0.0

    def __init__(self, anchors: Anchors) -> None:
        self.origin = anchors.origin
        self._anchors = anchors

    def head(self) -> tuple[SignedHead, Sequence[bytes]] | None:
        """Return the latest head, and its leaf hashes."""
        return self._anchors.head()

    def first_line(self) -> bytes | None:
        """None: it is no game."""
        return None

    async def take(self, head: SignedHead, witness: WitnessKey) -> None:
        """Keep the line of this witness, which holds."""
        line = signed_by(head.note, witness)
        assert line is not None
        await asyncio.to_thread(self._anchors.cosigned, head.head.size, witness, line)


class GameLog:
    """A game that the server keeps."""

    between = BETWEEN

    def __init__(self, ledger: Ledger, game: bytes, write: Write) -> None:
        self.origin = ORIGIN_PREFIX + game.hex()
        self._ledger = ledger
        self._game = game
        self._write = write

    def head(self) -> tuple[SignedHead, Sequence[bytes]] | None:
        """Return the latest checkpoint, and the leaf hashes of its lines; None if the game is gone."""
        try:
            found = self._ledger.checkpoint(self._game)
            if found is None:
                return None
            leaves = [leaf_hash(line) for line in self._ledger.lines(self._game, 0, found.head.size)]
        except UsageError:
            return None
        return (found.of_log, leaves) if len(leaves) == found.head.size else None

    def first_line(self) -> bytes | None:
        """Event 0."""
        try:
            return next(self._ledger.lines(self._game, 0, 1), None)
        except UsageError:
            return None

    async def take(self, head: SignedHead, witness: WitnessKey) -> None:
        """Keep the line of this witness below the stored checkpoint, if that is still for this head."""
        with_line = SignedCheckpoint.of_game(head)
        try:
            await self._write(lambda: self._ledger.take_checkpoint(with_line, (witness,)))
        except Problem as problem:
            raise LedgerError(str(problem)) from None
