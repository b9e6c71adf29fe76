"""Signature checks of a log, made at once or by other processes while the replay goes on."""

from collections import deque
from collections.abc import Callable
from itertools import count

import msgspec
from msgspec import Struct

from rules.data.language import N_
from verifier.errors import Failure
from verifier.log.identity import holds
from verifier.log.workers import Workers

__all__ = ["Check", "FailedLine", "SignatureCheck", "SignatureQueue", "trust", "verify_now"]

BATCH = 128
BATCH_BYTES = 64_000
"""bytes of messages after which a batch is closed, even if it has fewer than BATCH signatures"""
FEW = 4
"""batches below which it is quicker to check them here than to start processes"""
DEPTH = 3
"""batches that a process is given ahead: they fit into a pipe, and bound the memory"""


class SignatureCheck(Struct, frozen=True, array_like=True):
    """A signature to check: of event `seq` (step 12), of the host's word in it (16), or of an opening in it (18)."""

    public_key: bytes
    signature: bytes
    message: bytes
    author: str
    step: int
    seq: int

    def holds(self) -> bool:
        """Verify the signature (log.md, "Signatures")."""
        return holds(self.public_key, self.signature, self.message)

    def failure(self) -> Failure:
        """Return the failure to report if the signature is invalid."""
        author = self.author
        if self.step == 12:
            text = N_("The signature of this event is not {author}'s: it is not what {author} signed.")
            return Failure(12, "signature.invalid", text, author=author)
        if self.step == 16:
            text = N_("The host's word for {author} does not hold: the host did not sign it for this key and role.")
            return Failure(16, "admit.word", text, author=author)
        text = N_("The opening is not {author}'s for this request: it was changed, or made for another.")
        return Failure(18, "opening.signature", text, author=author, opening=author)


Check = Callable[[SignatureCheck], None]


def verify_now(check: SignatureCheck) -> None:
    """Verify a signature at once. Raises its Failure."""
    if not check.holds():
        raise check.failure()


def trust(check: SignatureCheck) -> None:
    """Skip a signature that is known to be valid."""


class FailedLine(Exception):
    """Raised when the line at `seq` fails."""

    def __init__(self, seq: int, failure: Failure) -> None:
        super().__init__(seq, failure)
        self.seq = seq
        self.failure = failure


Batch = list[SignatureCheck]


class SignatureQueue:
    """Signatures that are checked while the replay goes on, by up to `jobs` processes including this one.

    It uses processes, because a thread takes the interpreter from the replay between any two signatures. This process
    replays as long as the others have enough to check; otherwise it checks too.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._workers: Workers | None = None
        self._batch: Batch = []
        self.add: Check = self._batch.append
        """adds a signature to the current batch"""
        self._bytes = 0
        self._waiting: deque[Batch] = deque()
        self._given: dict[int, Batch] = {}
        self._numbers = count()
        self._failed: dict[int, FailedLine] = {}
        """number of a batch → failure"""

    def end_line(self, size: int) -> None:
        """End a line of this many bytes; if the batch is large enough, hand it to a process."""
        self._bytes += size
        if len(self._batch) >= BATCH or self._bytes >= BATCH_BYTES:
            self._close_batch()
            if self._workers is None and self._jobs > 1 and len(self._waiting) >= FEW:
                self._workers = Workers(self._jobs - 1, _make_checker, depth=DEPTH)
            if self._workers is not None:
                self._hand_out(self._workers)

    def settle(self, below: int | None = None) -> None:
        """Wait until the signatures of all lines before line `below` are checked; None means all lines.

        Raises FailedLine for the first invalid signature, by line and step.
        """
        if self._workers is None:
            self._check_here()
        else:
            self._close_batch()
            self._hand_out(self._workers)
            if below is None:
                self._help(self._workers)
            while any(below is None or batch[0].seq < below for batch in self._given.values()):
                self._collect(self._workers)
            while self._failed and self._given:  # an earlier failure may still be found
                self._collect(self._workers)
        if self._failed:
            raise self._failed[min(self._failed)]

    def close(self) -> None:
        """End the processes, and drop what they have not checked."""
        if self._workers is not None:
            self._workers.close()

    def _close_batch(self) -> None:
        if self._batch:
            self._waiting.append(self._batch.copy())
            self._batch.clear()
        self._bytes = 0

    def _check_here(self) -> None:
        self._close_batch()
        while self._waiting and not self._failed:
            self._note(next(self._numbers), self._waiting.popleft(), None)

    def _hand_out(self, workers: Workers) -> None:
        """Give the processes as many batches as they have room for, and check the others here."""
        while self._waiting:
            if not workers.room:
                self._collect(workers, timeout=0)
            number, batch = next(self._numbers), self._waiting.popleft()
            if workers.room:
                self._given[number] = batch
                workers.submit(number, msgspec.msgpack.encode(batch))
            else:
                self._note(number, batch, None)

    def _help(self, workers: Workers) -> None:
        """Check batches here that processes were given but have not begun, beginning with the last."""
        while len(self._given) > self._jobs - 1:
            number, batch = self._given.popitem()
            self._note(number, batch, None)
            self._collect(workers, timeout=0)

    def _collect(self, workers: Workers, timeout: float | None = None) -> None:
        for number, result in workers.wait(timeout):
            batch = self._given.pop(number, None)
            if batch is not None:  # None if it was checked here in the meantime
                self._note(number, batch, result)

    def _note(self, number: int, batch: Batch, result: bytes | None) -> None:
        """Record the result of a batch, which is a process's answer or, if None, determined here."""
        first = _first_failing(batch) if result is None else int.from_bytes(result, "big") if result else None
        if first is not None:
            self._failed[number] = FailedLine(batch[first].seq, batch[first].failure())


def _first_failing(batch: Batch) -> int | None:
    """Return the position of the first invalid signature; None if all are valid."""
    for position, check in enumerate(batch):
        if not holds(check.public_key, check.signature, check.message):
            return position
    return None


def _make_checker() -> Callable[[bytes], bytes]:
    """Return a function from a batch to the position of its first invalid signature, or to nothing."""
    decode = msgspec.msgpack.Decoder(Batch).decode

    def check(batch: bytes) -> bytes:
        first = _first_failing(decode(batch))
        return b"" if first is None else first.to_bytes(4, "big")

    return check
