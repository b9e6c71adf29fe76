"""A public witness over HTTP (specs/network.md, "Witnesses"; c2sp.org/tlog-witness)."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.params import FromPath

from ledger.errors import LedgerError, WitnessError
from ledger.server.bodies import read_body
from ledger.server.limits import Gate, Limits
from ledger.server.problems import Problem
from ledger.transparency.witness import Witness
from verifier import Failure, VerifierKey
from verifier.checkpoints.event_proof import MAX_PROOF_FILE
from verifier.log.format import MAX_LINE

__all__ = ["in_words", "make_witness_app"]

T = TypeVar("T")
Asked = Request[Any, Any, Any]

_HASH = re.compile(r"[0-9a-f]{64}\Z")
_SIZE_TYPE = "text/x.tlog.size"


class Cosigner:
    """A witness, the keepers that it serves, and its limits."""

    def __init__(self, witness: Witness, keepers: Sequence[VerifierKey], limits: Limits, log: Callable[..., Any]):
        self.witness = witness
        self.keepers = keepers
        self.limits = limits
        self.log = log
        self.gate = Gate(limits)
        self._worker = ThreadPoolExecutor(1, "witness")

    async def do(self, work: Callable[..., T], *arguments: Any) -> T:
        """Look into the record: one thing at a time, beside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work, *arguments)

    @asynccontextmanager
    async def lifespan(self, _: Litestar) -> AsyncIterator[None]:
        """Finish running work before the end."""
        yield
        self._worker.shutdown()


Served = NamedDependency[Cosigner]


@post("/add-checkpoint", status_code=200)
async def add_checkpoint(cosigner: Served, request: Asked) -> Response[bytes]:
    """Cosign a checkpoint that extends the one cosigned before: the request of C2SP tlog-witness."""
    body = await _body(cosigner, request, MAX_PROOF_FILE)
    line = await cosigner.do(cosigner.witness.answer, body)
    return _text(200, line.line)


@post("/add-game", status_code=200)
async def add_game(cosigner: Served, request: Asked) -> Response[bytes]:
    """Take a game of a keeper that is followed here, by its event 0. Refuses what is no event 0 (400)."""
    body = await _body(cosigner, request, MAX_LINE)
    try:
        game = await cosigner.do(cosigner.witness.admit, body, cosigner.keepers)
    except Failure as failure:
        raise WitnessError(f"this is no event 0 of a game: {failure}", 400) from None
    cosigner.log("game", game=game.hex()[:12])
    return _text(200, "")


@get("/{digest:str}/checkpoint")
async def latest(cosigner: Served, digest: FromPath[str]) -> Response[bytes]:
    """Return what was cosigned last of a log, by the hash of its origin; 404 for a log that is not known here."""
    held = await cosigner.do(cosigner.witness.held_by_hash, digest) if _HASH.match(digest) else None
    if held is None:
        raise WitnessError("nothing was cosigned of such a log", 404)
    return _text(200, bytes(held).decode())


@get("/health", media_type=MediaType.TEXT)
async def health() -> str:
    """Say that the witness runs."""
    return "ok\n"


def make_witness_app(
    witness: Witness, keepers: Sequence[VerifierKey], limits: Limits, log: Callable[..., Any]
) -> Litestar:
    """Return the application of a witness for the logs of these keepers. `log` receives events, by name and members.

    Raises StoreError.
    """
    from litestar.datastructures import State

    for keeper in keepers:
        witness.follow(keeper)
    cosigner = Cosigner(witness, keepers, limits, log)
    return Litestar(
        route_handlers=[add_checkpoint, add_game, latest, health],
        dependencies={"cosigner": Provide(lambda: cosigner, sync_to_thread=False)},
        exception_handlers={Exception: _refuse},
        state=State({"cosigner": cosigner}),
        lifespan=[cosigner.lifespan],
        openapi_config=None,
        logging_config=None,
        request_max_body_size=None,
    )


def in_words(problem: Problem, _: str) -> tuple[str, bytes]:
    """Refuse with a sentence, as this protocol does everywhere."""
    return "text/plain; charset=utf-8", f"{problem.text}\n".encode()


async def _body(cosigner: Cosigner, request: Asked, most: int) -> bytes:
    cosigner.gate.post(_address(request))
    return await read_body(request, most, cosigner.limits.idle)


def _refuse(request: Asked, error: Exception) -> Response[bytes]:
    cosigner: Cosigner = request.app.state.cosigner
    if isinstance(error, WitnessError):
        return _refused(cosigner, request, error)
    if isinstance(error, Problem):
        return _text(error.status, f"{error.text}\n", **error.headers)
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _text(error.status_code, "there is no such path here\n")
    cosigner.log("failed", problem=str(error) if isinstance(error, LedgerError) else repr(error))
    return _text(503, "the witness cannot look into its record at the moment\n", **{"retry-after": "5"})


def _refused(cosigner: Cosigner, request: Asked, error: WitnessError) -> Response[bytes]:
    """Return a refusal of c2sp.org/tlog-witness. A 409 is a step of the protocol, and counts for nobody."""
    if error.status == 409:
        size = 0 if error.held is None else error.held.head.size
        return _text(409, f"{size}\n", _SIZE_TYPE)
    if error.status == 422 and error.held is not None:
        cosigner.log("contradiction", origin=error.held.head.origin, size=error.held.head.size, problem=str(error))
    if request.method == "POST":
        cosigner.gate.refused(_address(request))
    return _text(error.status, f"{error}\n")


def _text(status: int, text: str, media_type: str = "text/plain; charset=utf-8", **headers: str) -> Response[bytes]:
    # As a header: the framework adds a charset to every text, and clients compare the type of a size as it stands.
    headers = {"cache-control": "no-store", "content-type": media_type, **headers}
    return Response(text.encode(), status_code=status, headers=headers)


def _address(request: Asked) -> str:
    return request.client.host if request.client else ""
