"""Have heads cosigned by public witnesses (specs/network.md, "Witnesses"; c2sp.org/tlog-witness).

One task for each witness requests one head at a time, and checks the answers. A witness's faults do not affect the rest
of the server.
"""

import asyncio
import contextlib
import random
import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import httpx

from ledger.errors import LedgerError, UsageError
from ledger.lobby.addresses import server_address
from ledger.network.answers import AnswerError, answer, new_client, read_whole
from verifier import NoteError
from verifier.checkpoints.event_proof import make_request
from verifier.checkpoints.head import SignedHead, parse_size
from verifier.checkpoints.note import NoteSignature, parse_signatures, signed_by
from verifier.checkpoints.policy import Policy, WitnessKey

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

T = TypeVar("T")

__all__ = ["MAX_WITNESS_ANSWER", "MAX_WITNESS_TIME", "CosignedLog", "Cosigning", "PublicWitness", "witnesses_of"]

MAX_WITNESS_ANSWER = 65_536
"""bytes"""
MAX_WITNESS_TIME = 20.0
"""seconds for an answer as a whole"""
FIRST_WAIT, LONGEST_WAIT = 1.0, 600.0
"""seconds before a witness is asked again"""
BETWEEN = 5.0
"""seconds at least between two requests for one game"""

_SIZE_TYPE = "text/x.tlog.size"
_CLEAN = re.compile(r"[^\x20-\x7e]")


class PublicWitness(NamedTuple):
    """A witness that is asked."""

    name: str
    """the policy's"""
    key: WitnessKey
    url: str
    """the submission prefix, without a slash at its end"""


def witnesses_of(policy: Policy) -> tuple[PublicWitness, ...]:
    """Return the witnesses of a policy that have a URL. Raises UsageError if there are none, or a URL is invalid."""
    found = []
    for name, url in policy.urls.items():
        address = server_address(url)
        key = policy.witnesses[name]
        if not key.can_check:
            raise UsageError(f"{name} cosigns with ML-DSA-44, which cryptography checks from version 47 on")
        found.append(PublicWitness(name, key, address))
    if not found:
        raise UsageError("no witness of this policy has an address to ask: witness NAME VKEY https://…")
    return tuple(found)


class _Recent(dict[str, T]):
    """A bounded cache by origin: a forgotten entry costs one more request."""

    MOST = 10_000

    def __setitem__(self, origin: str, value: T) -> None:
        self.pop(origin, None)
        if len(self) >= self.MOST:
            del self[next(iter(self))]
        super().__setitem__(origin, value)


class CosignedLog(Protocol):
    """A log whose heads are cosigned. Its methods may block; they are called in threads."""

    @property
    def origin(self) -> str:
        """The first line of its checkpoints."""

    @property
    def between(self) -> float:
        """Seconds at least between two requests for it."""

    def head(self) -> tuple[SignedHead, Sequence[bytes]] | None:
        """Return the latest head with its note's lines, and the leaf hashes; None before the first head."""

    def first_line(self) -> bytes | None:
        """Event 0 of a game, by which a witness gets to know it; None of another log."""

    async def take(self, head: SignedHead, witness: WitnessKey) -> None:
        """Keep a head with a line of this witness below it, which holds. Raises LedgerError."""


class _WitnessError(Exception):
    """An answer by which nothing was cosigned."""

    def __init__(self, problem: str, *, fork: bool = False, unknown: bool = False) -> None:
        super().__init__(problem)
        self.fork = fork
        """the witness says that it has seen another history, or more of this one"""
        self.unknown = unknown


class _Answer(NamedTuple):
    status: int
    type: str
    body: bytes


class _DueCosignature(NamedTuple):
    """A log for which a witness is to be asked."""

    log: CosignedLog
    at: float
    """not before this time"""
    wait: float
    """how long it is left after the next failure"""


class _Asker:
    """The requests to one witness."""

    def __init__(self, witness: PublicWitness, http: httpx.AsyncClient, log: "FilteringBoundLogger") -> None:
        self.witness = witness
        self._http = http
        self._log = log
        self._due: dict[str, _DueCosignature] = {}
        self._sizes = _Recent[int]()
        """by origin, the size that the witness said it has"""
        self._asked = _Recent[float]()
        """by origin: when it was asked last"""
        self._unknown = _Recent[None]()
        """origins that the witness does not take"""
        self._told: str | None = None
        self._wake = asyncio.Event()

    def changed(self, log: CosignedLog) -> None:
        """Note that there is a new head."""
        if log.origin in self._unknown:
            return
        if log.origin not in self._due:
            now = time.monotonic()
            at = max(now, self._asked.get(log.origin, 0.0) + log.between)
            self._due[log.origin] = _DueCosignature(log, at, FIRST_WAIT)
        self._wake.set()

    async def run(self) -> None:
        """Ask, one head after the other, for ever."""
        while True:
            self._wake.clear()
            due = min(self._due.values(), key=lambda each: each.at, default=None)
            pause = None if due is None else due.at - time.monotonic()
            if due is None or (pause is not None and pause > 0):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), pause)
                continue
            del self._due[due.log.origin]
            await self._once(due)

    async def _once(self, due: _DueCosignature) -> None:
        log = due.log
        self._asked[log.origin] = time.monotonic()
        try:
            await self._have_cosigned(log)
            self._told = None
        except _WitnessError as problem:
            self._tell(problem)
            if problem.unknown and log.first_line() is not None:
                self._unknown[log.origin] = None
                return
        except LedgerError as problem:
            self._log.error("cosigning", witness=self.witness.name, problem=str(problem))
        except Exception as error:  # a bug; the next attempt may go well
            self._log.error("cosigning", witness=self.witness.name, exc_info=error)
        else:
            return
        pause = due.wait * random.uniform(0.5, 1.0)  # noqa: S311 - no secret
        wait = min(2 * due.wait, LONGEST_WAIT)
        self._due[log.origin] = _DueCosignature(log, time.monotonic() + max(pause, log.between), wait)

    def _tell(self, problem: _WitnessError) -> None:
        """Tell the operator, once for the same problem; a fork each time."""
        if problem.fork:
            self._log.error("witness", witness=self.witness.name, problem=str(problem))
        elif str(problem) != self._told:
            self._log.warning("witness", witness=self.witness.name, problem=str(problem))
        self._told = str(problem)

    async def _have_cosigned(self, log: CosignedLog) -> None:
        """Raises _WitnessError, LedgerError."""
        found = await asyncio.to_thread(log.head)
        if found is None:
            return
        head, leaves = found
        if _line_of(head, self.witness.key) is not None:
            return
        line = await self._ask(log, head, leaves)
        await log.take(SignedHead(head.head, (*head.signatures, line)), self.witness.key)
        self._sizes[log.origin] = head.head.size
        self._log.info("cosigned", witness=self.witness.name, size=head.head.size)

    async def _ask(self, log: CosignedLog, head: SignedHead, leaves: Sequence[bytes]) -> NoteSignature:
        admitted = corrected = False
        old = min(self._sizes.get(log.origin, 0), head.head.size)
        while True:
            request = await asyncio.to_thread(lambda old: bytes(make_request(leaves, old, head)), old)
            answer = await self._post("add-checkpoint", request)
            if answer.status == 200:
                return self._cosignature(answer.body, head)
            if answer.status == 409 and not corrected:
                old, corrected = self._size(answer, head), True
                self._sizes[log.origin] = old
            elif answer.status == 404 and not admitted and (line := log.first_line()) is not None:
                admitted = True
                taken = await self._post("add-game", line)
                if taken.status != 200:
                    raise _WitnessError(f"it does not take this game: {_told(taken)}", unknown=True)
            else:
                raise _WitnessError(_told(answer), fork=answer.status == 422, unknown=answer.status == 404 and admitted)

    def _cosignature(self, body: bytes, head: SignedHead) -> NoteSignature:
        try:
            lines = parse_signatures(body.decode())
            line = _line_of(SignedHead(head.head, lines), self.witness.key)
        except (NoteError, UnicodeDecodeError) as problem:
            raise _WitnessError(f"its answer has no cosignature that holds: {problem}") from None
        if line is None:
            raise _WitnessError("its answer has no cosignature by its key")
        return line

    def _size(self, answer: _Answer, head: SignedHead) -> int:
        text = answer.body.decode("latin-1")
        size = parse_size(text.removesuffix("\n")) if answer.type == _SIZE_TYPE and text.endswith("\n") else None
        if size is None:
            raise _WitnessError(f"it says 409 without a size: {_told(answer)}")
        if size > head.head.size:
            raise _WitnessError(
                f"it has cosigned {size} entries of {head.head.origin}, and {head.head.size} are here: the database "
                f"was put back, or somebody else has the keeper's key",
                fork=True,
            )
        return size

    async def _post(self, path: str, body: bytes) -> _Answer:
        headers = {"Content-Type": "text/plain"}
        try:
            async with (
                asyncio.timeout(MAX_WITNESS_TIME),
                answer(
                    self._http, "POST", f"{self.witness.url}/{path}", body, headers, wait=MAX_WITNESS_TIME
                ) as response,
            ):
                data = await read_whole(response, MAX_WITNESS_ANSWER, MAX_WITNESS_TIME)
                media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
                return _Answer(response.status_code, media_type, data)
        except TimeoutError:
            raise _WitnessError(f"it gave no answer within {MAX_WITNESS_TIME:.0f} seconds") from None
        except AnswerError as problem:
            raise _WitnessError(f"its answer is none that is taken: {problem}") from None
        except (httpx.HTTPError, httpx.InvalidURL) as problem:
            raise _WitnessError(f"it cannot be reached: {problem or type(problem).__name__}") from None


class Cosigning:
    """All that is asked of witnesses, while the server runs. For the event loop."""

    def __init__(
        self,
        witnesses: Sequence[PublicWitness],
        log: "FilteringBoundLogger",
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`transport` takes the place of the network."""
        self._http = new_client(trust_env=False, transport=transport)
        self._askers = [_Asker(witness, self._http, log) for witness in witnesses]
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to ask."""
        self._tasks = [asyncio.create_task(asker.run()) for asker in self._askers]

    def changed(self, log: CosignedLog) -> None:
        """Note that a log has a new head."""
        for asker in self._askers:
            asker.changed(log)

    async def stop(self) -> None:
        """Stop asking; unanswered requests are repeated after the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._http.aclose()


def _line_of(head: SignedHead, key: WitnessKey) -> NoteSignature | None:
    """Return the witness's line, which holds; None if it has none. Raises NoteError if one does not hold."""
    return signed_by(head.note, key)


def _told(answer: _Answer) -> str:
    """Return a witness's answer for a person: short, without control characters."""
    return f"status {answer.status}: {_CLEAN.sub(' ', answer.body[:200].decode('latin-1')).strip()}"
