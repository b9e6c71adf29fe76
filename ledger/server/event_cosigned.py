"""The log of a running event, which public witnesses cosign (specs/event.md, "At a server")."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from ledger.errors import LedgerError
from ledger.server.cosigning import BETWEEN
from ledger.server.problems import Problem
from ledger.store.event_logs import EventLogs
from ledger.store.storage import Storage
from verifier.checkpoints.checkpoint import ORIGIN_PREFIX
from verifier.checkpoints.head import SignedHead, parse_signed_head
from verifier.checkpoints.note import MAX_SIGNATURES, NoteSignature
from verifier.checkpoints.policy import WitnessKey
from verifier.log.merkle import leaf_hash

__all__ = ["CosignedHead", "EventCosignatures", "EventLogHead"]


class CosignedHead(NamedTuple):
    """The latest head of an event that a witness cosigned."""

    key: str
    """the witness's"""
    head: SignedHead
    """with the keeper's line and the witness's"""


class EventCosignatures:
    """The latest cosignature of each witness for each event. Any thread may use it."""

    def __init__(self, storage: Storage) -> None:
        """The owner of the storage closes it. Raises StoreError."""
        self._storage = storage
        storage.create("event_cosigned")

    def keep(self, event: bytes, witness: WitnessKey, head: SignedHead) -> None:
        """Keep a head with a line of this witness, which holds. An older one never takes a newer's place."""
        with self._storage.transaction([event.hex()]):
            statement = "SELECT size FROM event_cosigned WHERE event = ? AND witness = ?"
            before = self._storage.execute(statement, (event.hex(), str(witness))).fetchone()
            if before is None or before[0] <= head.head.size:
                row = (event.hex(), str(witness), head.head.size, bytes(head).decode())
                self._storage.upsert("event_cosigned", [row])

    def of_event(self, event: bytes) -> list[CosignedHead]:
        """Return the latest head that each witness cosigned."""
        statement = "SELECT witness, note FROM event_cosigned WHERE event = ? ORDER BY witness"
        rows = self._storage.read(statement, (event.hex(),))
        return [CosignedHead(key, parse_signed_head(note.encode())) for key, note in rows]

    def added(self, event: bytes, signed: SignedHead) -> SignedHead:
        """Add the lines of all witnesses that cosigned this very head."""
        lines: list[NoteSignature] = list(signed.signatures)
        for found in self.of_event(event):
            if found.head.head == signed.head:
                lines += [line for line in found.head.signatures if line not in lines]
        return SignedHead(signed.head, tuple(lines[:MAX_SIGNATURES]))


class EventLogHead:
    """The head of one event's log, to be cosigned. Create it in the event loop."""

    between = BETWEEN

    def __init__(
        self,
        event: bytes,
        logs: EventLogs,
        cosignatures: EventCosignatures,
        checkpoint: Callable[[], Awaitable[bytes]],
    ) -> None:
        """`checkpoint` has the keeper sign the current log, and adds the existing cosignatures."""
        self.origin = ORIGIN_PREFIX + event.hex()
        self._event = event
        self._logs = logs
        self._cosignatures = cosignatures
        self._checkpoint = checkpoint
        self._loop = asyncio.get_running_loop()

    def head(self) -> tuple[SignedHead, Sequence[bytes]] | None:
        """Return the signed head of the current log, and the leaf hashes of its lines. Raises LedgerError."""

        async def sign() -> bytes:
            return await self._checkpoint()

        try:
            signed = parse_signed_head(asyncio.run_coroutine_threadsafe(sign(), self._loop).result())
        except Problem as problem:
            raise LedgerError(str(problem)) from None
        leaves = [leaf_hash(line) for line in self._logs.lines(self._event, 0, signed.head.size)]
        return signed, leaves

    def first_line(self) -> bytes | None:
        """Line 0, by which a witness gets to know the event."""
        return next(iter(self._logs.lines(self._event, 0, 1)), None)

    async def take(self, head: SignedHead, witness: WitnessKey) -> None:
        """Keep a head with a line of this witness below it, which holds."""
        await asyncio.to_thread(self._cosignatures.keep, self._event, witness, head)
