"""Signatures that a log asks to be checked: on the spot, or by processes while the log is replayed on."""

from collections import deque
from collections.abc import Callable
from itertools import count

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Struct

from rules.language import N_
from verifier.errors import Failure
from verifier.identity import VerifierKey
from verifier.processes import Workers

__all__ = ["Check", "FailedLine", "SignatureCheck", "SignatureQueue", "trust", "verify_now"]

BATCH = 128
BATCH_BYTES = 64_000
"""what a process checks at a time: signatures, or bytes if the messages are long"""
FEW = 4
"""batches that are checked before processes would have started"""
DEPTH = 4
"""batches that a process is given ahead: they fit a pipe, and bound what is in memory"""


class SignatureCheck(Struct, frozen=True):
    """A signature of an event (step 12) or of an opening (step 18) by `key`."""

    key: VerifierKey
    signature: bytes
    message: bytes
    step: int

    def holds(self) -> bool:
        return self.key.verify(self.signature, self.message)

    def failure(self) -> Failure:
        """What is wrong if it does not hold."""
        author = self.key.name
        if self.step == 12:
            text = N_("The signature of this event is not {author}'s: it is not what {author} signed.")
            return Failure(12, "signature.invalid", text, author=author)
        text = N_("The opening is not {author}'s for this request: it was changed, or made for another.")
        return Failure(18, "opening.signature", text, author=author, opening=author)


Check = Callable[[SignatureCheck], None]


def verify_now(check: SignatureCheck) -> None:
    """Check a signature on the spot. Raises its Failure."""
    if not check.holds():
        raise check.failure()


def trust(check: SignatureCheck) -> None:
    """Do not check a signature, because it is known to hold."""


class FailedLine(Exception):
    """The line at `seq` failed."""

    def __init__(self, seq: int, failure: Failure) -> None:
        super().__init__(seq, failure)
        self.seq = seq
        self.failure = failure


Batch = list[tuple[int, SignatureCheck]]
"""signatures with the numbers of their lines"""


class SignatureQueue:
    """Signatures that are checked behind the replay; by `jobs` processes beside it, where there are many.

    Processes and not threads: a thread needs the interpreter between two signatures, and takes it from the replay.
    """

    def __init__(self, jobs: int) -> None:
        self.seq = 0
        """the number of the line whose signatures are added"""
        self._jobs = jobs
        self._workers: Workers | None = None
        self._batch: Batch = []
        self._bytes = 0
        self._waiting: deque[Batch] = deque()
        self._given: dict[int, Batch] = {}
        self._numbers = count()
        self._failed: dict[int, FailedLine] = {}
        """by the number of the batch"""

    def add(self, check: SignatureCheck) -> None:
        """Keep a signature of line `seq`, or hand it to a process."""
        self._batch.append((self.seq, check))
        self._bytes += len(check.message)
        if len(self._batch) >= BATCH or self._bytes >= BATCH_BYTES:
            self._close_batch()
            if self._workers is None and self._jobs > 1 and len(self._waiting) >= FEW:
                self._workers = Workers(self._jobs, _make_checker, depth=DEPTH, behind=True)
            if self._workers is not None:
                self._hand_out(self._workers)

    def settle(self, below: int | None = None) -> None:
        """Wait until the signatures of all lines before line `below` are checked; None means all lines.

        Raises FailedLine for the first, by line and step, that does not hold.
        """
        if self._workers is None:
            self._check_here()
        else:
            self._close_batch()
            self._hand_out(self._workers)
            while any(below is None or batch[0][0] < below for batch in self._given.values()):
                self._collect(self._workers)
            while self._failed and self._given:  # an earlier one may still be found
                self._collect(self._workers)
        if self._failed:
            raise self._failed[min(self._failed)]

    def close(self) -> None:
        """End the processes; what they have not checked is dropped."""
        if self._workers is not None:
            self._workers.close()

    def _close_batch(self) -> None:
        if self._batch:
            self._waiting.append(self._batch)
            self._batch, self._bytes = [], 0

    def _check_here(self) -> None:
        self._close_batch()
        while self._waiting and not self._failed:
            self._note(next(self._numbers), self._waiting.popleft(), None)

    def _hand_out(self, workers: Workers) -> None:
        while self._waiting:
            if not workers.room:
                self._collect(workers)
            number, batch = next(self._numbers), self._waiting.popleft()
            self._given[number] = batch
            workers.submit(number, _encode(batch))

    def _collect(self, workers: Workers) -> None:
        for number, result in workers.wait():
            self._note(number, self._given.pop(number), result)

    def _note(self, number: int, batch: Batch, result: bytes | None) -> None:
        """Note whether a batch holds: `result` is a process's answer; without one it is checked here."""
        if result is None:
            first = next((i for i, (_, check) in enumerate(batch) if not check.holds()), None)
        else:
            first = int.from_bytes(result, "big") if result else None
        if first is not None:
            seq, check = batch[first]
            self._failed[number] = FailedLine(seq, check.failure())


def _encode(batch: Batch) -> bytes:
    return msgspec.msgpack.encode([(check.key.public_bytes, check.signature, check.message) for _, check in batch])


def _make_checker() -> Callable[[bytes], bytes]:
    """What a process does: from a batch to the position of its first signature that does not hold, or nothing."""
    decode = msgspec.msgpack.Decoder(list[tuple[bytes, bytes, bytes]]).decode
    keys: dict[bytes, Ed25519PublicKey] = {}

    def check(batch: bytes) -> bytes:
        for position, (public_bytes, signature, message) in enumerate(decode(batch)):
            key = keys.get(public_bytes)
            if key is None:
                key = keys[public_bytes] = Ed25519PublicKey.from_public_bytes(public_bytes)
            try:
                key.verify(signature, message)
            except InvalidSignature:
                return position.to_bytes(4, "big")
        return b""

    return check
