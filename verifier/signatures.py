"""Signatures that a log asks to be checked: on the spot, or by threads while the log is replayed on."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from rules.language import N_
from verifier.errors import Failure
from verifier.identity import VerifierKey

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

__all__ = ["Check", "FailedLine", "SignatureCheck", "SignatureQueue", "trust", "verify_now"]

BATCH = 128
"""signatures that a thread checks at a time"""

T = TypeVar("T")


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


class SignatureQueue:
    """Signatures that are kept until `wait`, and then checked by threads at the same time.

    Nothing else runs meanwhile: threads that check signatures and a replay would only fight over the interpreter.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: list[tuple[int, SignatureCheck]] = []

    def add(self, seq: int, check: SignatureCheck) -> None:
        """Keep a signature of line `seq`."""
        self._waiting.append((seq, check))

    def wait(self) -> None:
        """Check all that are kept. Raises FailedLine for the first, by line and step, that does not hold."""
        waiting, self._waiting = self._waiting, []
        failures: Iterable[FailedLine | None]
        if self._threads == 1 or len(waiting) <= BATCH:
            failures = (_first_failure(waiting),)
        else:
            failures = self._start().map(_first_failure, _batched(waiting, BATCH))
        for failure in failures:
            if failure is not None:
                raise failure

    def close(self) -> None:
        """End the threads; batches that none has begun are dropped."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _start(self) -> "ThreadPoolExecutor":
        if self._pool is None:
            # Here and not above: small logs start faster without it.
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(self._threads)
        return self._pool


def _batched(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """`items` in pieces of `size`, the last one perhaps shorter."""
    return [items[i : i + size] for i in range(0, len(items), size)]


def _first_failure(batch: Iterable[tuple[int, SignatureCheck]]) -> FailedLine | None:
    return next((FailedLine(seq, check.failure()) for seq, check in batch if not check.holds()), None)
