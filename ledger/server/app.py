"""The paths of a server (specs/network.md, "Paths"): what each takes and gives. What is done is done by the service."""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Annotated, Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Stream

from ledger.errors import LedgerError
from ledger.lobby import TableState
from ledger.network import wire
from ledger.page.assets import OFFLINE, page
from ledger.server.advice import DEFAULT_ROLLS, MAX_ROLLS
from ledger.server.bodies import read_body
from ledger.server.hub import Item, Subscription
from ledger.server.openapi import described
from ledger.server.pages import DOCUMENT_HEADERS, FILE_HEADERS, is_known, takes_gzip, verify_answer
from ledger.server.problems import MEDIA_TYPE, Problem, not_found, preferred, problem_of
from ledger.server.service import Service
from ledger.server.sse import PIECE, PING, PING_EVERY, EventStream, event, pieces
from rules.data.language import Message
from verifier.language import translator

__all__ = ["HANDLERS", "make_app"]

_HEX32 = re.compile(r"[0-9a-f]{64}\Z")
_BEARER = re.compile(r"Bearer ([0-9a-f]{64})\Z", re.IGNORECASE)
_JSON_LINES = "application/jsonl"
_OWN_MACHINE = re.compile(r"(?:127\.0\.0\.1|\[::1\]|localhost)(?::[0-9]{1,5})?\Z", re.IGNORECASE)
_BY_WAY_OF = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""headers that proxies add"""
_OCTETS = "application/octet-stream"

Served = NamedDependency[Service]
Asked = Request[Any, Any, Any]


# --- what every path needs -------------------------------------------------------------------------------------------


def _address(request: Asked) -> str:
    return request.client.host if request.client else ""


def _token(request: Asked) -> bytes | None:
    match = _BEARER.match(request.headers.get("authorization", ""))
    return bytes.fromhex(match[1].lower()) if match else None


def _table(service: Service, request: Asked, table: str) -> str:
    """The table's id, where the request may know of it. Raises Problem."""
    if not _HEX32.match(table):
        raise not_found()
    token = _token(request)
    _held(request, table, service.open_table(table, token), token)
    return table


def _game(service: Service, request: Asked, game: str) -> tuple[bytes, str | None]:
    """The game's id, and the party that reads, where the request may know of it. Raises Problem."""
    if not _HEX32.match(game):
        raise not_found()
    token = _token(request)
    party = service.open_game(game, token)
    _held(request, game, party, token)
    return bytes.fromhex(game), party


def _held(request: Asked, topic: str, party: str | None, token: bytes | None) -> None:
    """Note whose token came with a request. All of a party's tokens are one: it gets as many as it asks for."""
    whose = hashlib.sha256(token or b"").hexdigest() if party is None else party
    request.state.holder = f"{topic} {whose}"


def _caller(request: Asked) -> tuple[str, str]:
    """Whose posts are counted together (specs/network.md, "Limits")."""
    return _address(request), request.state.get("holder", "")


def _admit(service: Served, request: Asked) -> None:
    """Before a post is looked at. Raises Problem."""
    service.gate.post(*_caller(request))
    if service.writer.draining:
        raise Problem(503, "draining", Message("the server is about to stop; it comes back"), retry=5)


async def _body(service: Served, request: Asked, most: int) -> bytes:
    """The body of a post, of at most so many bytes, in time. Raises Problem."""
    _admit(service, request)
    body = await read_body(request, most, service.limits.idle)
    address, holder = _caller(request)
    service.gate.body(address, len(body), holder)
    request.state.posted = len(body)
    return body


def _answer(status: int, content: Any) -> Response[Any]:
    return Response(content, status_code=status, headers={"cache-control": "no-store"})


def _bytes(data: bytes, media_type: str, **headers: str) -> Response[bytes]:
    return Response(data, media_type=media_type, headers=_no_store(headers))


def _in_pieces(pieces: AsyncIterator[bytes], media_type: str, **headers: str) -> Stream:
    """An answer that is read as the reader takes it."""
    return Stream(pieces, media_type=media_type, headers=_no_store(headers))


def _no_store(headers: Mapping[str, str]) -> dict[str, str]:
    return {"cache-control": "no-store", **{name.replace("_", "-"): value for name, value in headers.items()}}


def _from_this_machine(request: Asked) -> bool:
    """Whether a program on this machine asks by itself: no page by a name of its own, nobody by way of a proxy."""
    if _address(request) not in ("127.0.0.1", "::1") or any(name in request.headers for name in _BY_WAY_OF):
        return False
    return _OWN_MACHINE.match(request.headers.get("host", "")) is not None


def _advice(data: bytes) -> Response[Any]:
    headers = {"cache-control": "no-store", "vary": "accept-language"}
    return Response(data, media_type=MediaType.JSON, headers=headers)


def _html(data: bytes, headers: Mapping[str, str]) -> Response[bytes]:
    return Response(data, media_type=MediaType.HTML, headers=headers)


# --- paths -----------------------------------------------------------------------------------------------------------


@get("/v1/server", summary="The server's name, keys, systems, limits and time")
async def server_info(service: Served) -> wire.Server:
    return wire.Server(
        judge=None if service.judge is None else str(service.judge),
        keep_days=service.keep_days,
        keeper=str(service.keeper),
        limits=msgspec.to_builtins(service.limits),
        name=service.keeper.name,
        systems=tuple(service.systems),
        time=service.now(),
        witnesses=tuple(wire.WitnessTold(service.witness_games, str(each.key), each.url) for each in service.witnesses),
    )


@post("/v1/tables", summary="Open a table: its terms, signed by the host", status_code=201)
async def open_table(service: Served, request: Asked) -> Response[wire.NewTable]:
    body = await _body(service, request, service.limits.body)
    new, table = await service.add_table(body, lambda: service.gate.table(_address(request)))
    return _answer(201 if new else 200, wire.NewTable(table))


@get("/v1/tables/{table:str}", summary="A table as it stands")
async def table_state(service: Served, request: Asked, table: FromPath[str]) -> Response[TableState]:
    return _answer(200, service.state(_table(service, request, table)))


@get(
    "/v1/tables/{table:str}/stream",
    summary="The table, at once and at each change",
    media_type="text/event-stream",
)
async def table_stream(service: Served, request: Asked, table: FromPath[str]) -> Response[None]:
    found = _table(service, request, table)
    return _stream(service, request, bytes.fromhex(found), None, lambda _: _state_now(service, found))


@post("/v1/tables/{table:str}/seats", summary="Take a seat", status_code=201)
async def take_seat(service: Served, request: Asked, table: FromPath[str]) -> Response[None]:
    found = _table(service, request, table)
    new = await service.sit(found, await _body(service, request, service.limits.body), _caller(request))
    return _answer(201 if new else 200, None)


@post("/v1/tables/{table:str}/unseat", summary="Take somebody out, as the host", status_code=200)
async def take_out(service: Served, request: Asked, table: FromPath[str]) -> Response[None]:
    found = _table(service, request, table)
    await service.unseat(found, await _body(service, request, service.limits.body))
    return _answer(200, None)


@post("/v1/tables/{table:str}/invites", summary="Put a new link in the place of a role's, as the host", status_code=201)
async def make_link(service: Served, request: Asked, table: FromPath[str]) -> Response[None]:
    found = _table(service, request, table)
    new = await service.invite(found, await _body(service, request, service.limits.body))
    return _answer(201 if new else 200, None)


@post("/v1/tables/{table:str}/start", summary="Start the game, as the host", status_code=201)
async def start_game(service: Served, request: Asked, table: FromPath[str]) -> Response[wire.Started]:
    found = _table(service, request, table)
    new, game = await service.start(found, await _body(service, request, service.limits.body))
    return _answer(201 if new else 200, wire.Started(game))


@post("/v1/tables/{table:str}/admit", summary="Let in somebody who asks, as the host", status_code=201)
async def let_in(service: Served, request: Asked, table: FromPath[str]) -> Response[wire.TakenLine]:
    found = _table(service, request, table)
    new, seq, checkpoint = await service.let_in(found, await _body(service, request, service.limits.body))
    return _answer(201 if new else 200, wire.TakenLine(checkpoint.decode(), seq))


@post("/v1/tables/{table:str}/close", summary="Have the keeper close the game, as the host", status_code=201)
async def close_game(service: Served, request: Asked, table: FromPath[str]) -> Response[wire.TakenLine]:
    found = _table(service, request, table)
    new, seq, checkpoint = await service.close(found, await _body(service, request, service.limits.body))
    return _answer(201 if new else 200, wire.TakenLine(checkpoint.decode(), seq))


@post("/v1/tables/{table:str}/delete", summary="Delete a table and its game, as the host", status_code=200)
async def delete_table(service: Served, request: Asked, table: FromPath[str]) -> Response[None]:
    found = _table(service, request, table)
    await service.delete(found, await _body(service, request, service.limits.body))
    return _answer(200, None)


@post("/v1/games/{game:str}/access", summary="A token for a party of a game", status_code=200)
async def access(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.Token]:
    with suppress(Problem):
        _game(service, request, game)  # a token that is good already says who asks
    body = await _body(service, request, service.limits.body)
    if not _HEX32.match(game):
        raise not_found()
    return _answer(200, wire.Token(await service.grant(_caller(request), bytes.fromhex(game), body)))


@get("/v1/games/{game:str}/log", summary="Lines from a number on", media_type=_JSON_LINES)
async def game_log(
    service: Served,
    request: Asked,
    game: FromPath[str],
    start: Annotated[int, QueryParameter(name="from", ge=0)] = 0,
) -> Response[Any]:
    found, _ = _game(service, request, game)
    lines = await service.readers.lines(_caller(request), found, start, start + service.limits.lines_sent)
    size = str(lines.size)
    if lines.whole is not None:
        return _bytes(b"".join(line + b"\n" for line in lines.whole), _JSON_LINES, rollproof_size=size)
    found_in_pieces = (b"".join(line + b"\n" for line in piece) async for _, piece in lines)
    return _in_pieces(found_in_pieces, _JSON_LINES, rollproof_size=size)


@get("/v1/games/{game:str}/stream", summary="The live stream", media_type="text/event-stream")
async def game_stream(
    service: Served,
    request: Asked,
    game: FromPath[str],
    start: Annotated[int, QueryParameter(name="from", ge=0)] = 0,
) -> Response[None]:
    found, party = _game(service, request, game)
    last = request.headers.get("last-event-id", "")
    if last.isascii() and last.isdigit() and len(last) < 17:
        start = int(last) + 1
    caller = _caller(request)
    return _stream(service, request, found, party, partial(service.readers.so_far, caller, found, start))


@post("/v1/games/{game:str}/lines", summary="Offer a line", status_code=201)
async def offer_line(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.TakenLine]:
    found, _ = _game(service, request, game)
    new, seq, checkpoint = await service.offer(found, await _body(service, request, service.limits.line))
    return _answer(201 if new else 200, wire.TakenLine(checkpoint.decode(), seq))


@post("/v1/games/{game:str}/openings", summary="Hand in an opening", status_code=201)
async def hand_in(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.OpeningReceived]:
    found, _ = _game(service, request, game)
    new, received = await service.hand_in(found, await _body(service, request, service.limits.body))
    return _answer(201 if new else 200, wire.OpeningReceived(msgspec.Raw(msgspec.json.encode(received))))


@post("/v1/games/{game:str}/received", summary="A participant's receipt for an opening", status_code=200)
async def hand_on(service: Served, request: Asked, game: FromPath[str]) -> Response[None]:
    found, _ = _game(service, request, game)
    await service.hand_on(found, await _body(service, request, service.limits.body))
    return _answer(200, None)


@post(
    "/v1/games/{game:str}/catch-up",
    summary="What a server lacks that was put back",
    status_code=200,
    request_max_body_size=None,
)
async def catch_up(service: Served, request: Asked, game: FromPath[str]) -> Response[None]:
    found, _ = _game(service, request, game)
    _admit(service, request)
    caller, limits = _caller(request), service.limits
    await service.catch_up(
        found,
        caller,
        lambda lines: service.gate.lines(caller[0], lines),
        lambda: read_body(request, limits.catch_up, limits.idle),
    )
    return _answer(200, None)


@get("/v1/games/{game:str}/checkpoint", summary="The keeper's latest checkpoint", media_type=MediaType.TEXT)
async def game_checkpoint(service: Served, request: Asked, game: FromPath[str]) -> Response[bytes]:
    found, _ = _game(service, request, game)
    return _bytes(await service.checkpoint(_caller(request), found), "text/plain")


@get("/v1/games/{game:str}/tile/{path:path}", summary="A tile of the game's log", media_type="application/octet-stream")
async def game_tile(service: Served, request: Asked, game: FromPath[str], path: FromPath[str]) -> Response[Any]:
    found, _ = _game(service, request, game)
    tile = await service.logs.tile(_caller(request), found, path.removeprefix("/"))
    return _bytes(tile, _OCTETS) if isinstance(tile, bytes) else _in_pieces(tile, _OCTETS)


@get("/v1/games/{game:str}/anchor", summary="Where the final checkpoint stands in the anchor log")
async def game_anchor(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.Anchored]:
    found, _ = _game(service, request, game)
    return _answer(200, wire.Anchored(**await service.logs.anchor(_caller(request), found)))


@get("/v1/games/{game:str}/state", summary="The game as its rules have it: advice")
async def advised_state(
    service: Served,
    request: Asked,
    game: FromPath[str],
    rolls: Annotated[int, QueryParameter(ge=1, le=MAX_ROLLS)] = DEFAULT_ROLLS,
) -> Response[wire.AdvisedState]:
    found, _ = _game(service, request, game)
    language = _language(request)
    return _advice(await service.advice.state(_caller(request), found, rolls, language, translator(language)))


@get("/v1/games/{game:str}/actions", summary="What a party can do now: advice")
async def advised_actions(
    service: Served, request: Asked, game: FromPath[str], party: FromQuery[str]
) -> Response[wire.OfferedActions]:
    found, _ = _game(service, request, game)
    language = _language(request)
    return _advice(await service.advice.actions(_caller(request), found, party, language, translator(language)))


@post("/v1/games/{game:str}/read", summary="What was typed, as the body that was meant: advice", status_code=200)
async def advised_reading(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.ReadBody]:
    found, _ = _game(service, request, game)
    body = await _body(service, request, service.limits.body)
    return _advice(await service.advice.read(_caller(request), found, body, translator(_language(request))))


@get("/v1/games/{game:str}/explain", summary="How the dice of a roll came to what they came to: advice")
async def advised_reasons(
    service: Served, request: Asked, game: FromPath[str], roll: Annotated[int, QueryParameter(ge=0)]
) -> Response[wire.Explained]:
    found, _ = _game(service, request, game)
    language = _language(request)
    return _advice(await service.advice.explain(_caller(request), found, roll, language, translator(language)))


@get("/v1/anchors/checkpoint", summary="The anchor log's latest checkpoint", media_type=MediaType.TEXT)
async def anchors_checkpoint(service: Served, request: Asked) -> Response[bytes]:
    return _bytes(await service.logs.anchors_checkpoint(_caller(request)), "text/plain")


@get("/v1/anchors/tile/{path:path}", summary="A tile of the anchor log", media_type="application/octet-stream")
async def anchors_tile(service: Served, request: Asked, path: FromPath[str]) -> Response[bytes]:
    return _bytes(await service.logs.anchors_tile(_caller(request), path.removeprefix("/")), "application/octet-stream")


@get("/health", summary="Whether the server takes lines", media_type=MediaType.TEXT)
async def health(service: Served) -> Response[str]:
    text, status = ("draining\n", 503) if service.writer.draining else ("ok\n", 200)
    return Response(text, status_code=status, media_type=MediaType.TEXT)


@get("/metrics", summary="Figures, in the form of Prometheus", media_type=MediaType.TEXT)
async def metrics(service: Served, request: Asked) -> Response[bytes]:
    if not _from_this_machine(request):
        raise not_found()
    return _bytes(service.metrics.exposition(), "text/plain; version=0.0.4")


@get("/verify", summary="The page that verifies logs in a browser", media_type=MediaType.HTML)
async def verify_in_browser(request: Asked) -> Response[Any]:
    zipped = takes_gzip(request.headers.get("accept-encoding", ""))
    data, headers = await asyncio.to_thread(verify_answer, zipped=zipped)
    if is_known(headers["etag"], request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)

    async def in_pieces() -> AsyncIterator[bytes]:  # whoever takes it slowly has no more than one of them waiting
        for at in range(0, len(data), PIECE):
            yield data[at : at + PIECE]

    length = {"content-length": str(len(data))}
    return Stream(in_pieces(), media_type=MediaType.HTML, headers={**headers, **length})


@get(["/", "/t/{table:str}"], summary="The table in a browser", media_type=MediaType.HTML)
async def table_in_browser(request: Asked) -> Response[bytes]:
    found = await asyncio.to_thread(page)
    return _html(found.documents[_language(request)], DOCUMENT_HEADERS)


@get("/page/{path:path}", summary="A file of the page", media_type="application/octet-stream")
async def page_file(request: Asked, path: FromPath[str]) -> Response[bytes]:
    file = (await asyncio.to_thread(page)).files.get(path.removeprefix("/"))
    if file is None:
        raise not_found()
    # The type as a header: the framework adds a charset to every text, to what has one too.
    zipped = takes_gzip(request.headers.get("accept-encoding", ""))
    etag = file.zipped_etag if zipped else file.etag
    headers = {**FILE_HEADERS, "etag": etag, "content-type": file.media_type}
    if file.path == OFFLINE:
        headers["service-worker-allowed"] = "/"
    if is_known(etag, request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    if zipped:
        return Response(file.compressed, headers={**headers, "content-encoding": "gzip"})
    return Response(file.data, headers=headers)


@get("/v1/openapi.json", include_in_schema=False)
async def openapi() -> Response[bytes]:
    return _bytes(await asyncio.to_thread(_description), MediaType.JSON)


# --- streams ---------------------------------------------------------------------------------------------------------

SoFar = Callable[[Subscription], AsyncIterator[list[Item]]]


def _stream(
    service: Served,
    request: Asked,
    topic: bytes,
    party: str | None,
    so_far: SoFar,
) -> EventStream:
    """What stands already, then what comes. Who follows is noted before the first look, so nothing falls between."""

    @contextmanager
    def follow() -> Iterator[Subscription]:
        readers = service.readers
        with (
            service.gate.stream(_address(request), readers.hub.readers(topic)),
            readers.follow(topic, party) as subscription,
        ):
            yield subscription

    async def events(subscription: Subscription) -> AsyncIterator[bytes]:
        sent = -1
        async for items in so_far(subscription):
            sent = max([sent, *(item.seq for item in items if item.seq is not None)])
            for piece in pieces(items):
                yield piece
        while True:
            came = await subscription.take(PING_EVERY, PIECE)
            if subscription.ended and not came:
                yield event("bye", {"retry": None if subscription.over else 1}).data
                return
            new = [item for item in came if item.seq is None or item.seq > sent]
            for piece in pieces(new) if new else (PING,):
                yield piece

    return EventStream(follow(), events)


async def _state_now(service: Served, table: str) -> AsyncIterator[list[Item]]:
    yield [event("table", service.state(table))]


# --- the application -------------------------------------------------------------------------------------------------


def _refuse(request: Asked, error: Exception) -> Response[bytes]:
    """Every refusal is problem details, the framework's own too."""
    service: Service = request.app.state.service
    if isinstance(error, Problem):
        problem = error
    elif isinstance(error, LedgerError):  # the database is away
        service.log.error("failed", path=request.url.path, problem=str(error))
        problem = problem_of(error)
    elif isinstance(error, HTTPException) and error.status_code in (404, 405):
        problem = not_found()
    elif isinstance(error, HTTPException) and error.status_code < 500:
        problem = Problem(error.status_code, "malformed", Message("the request has not the form that this path takes"))
    else:
        service.log.error("failed", path=request.url.path, exc_info=error)
        problem = Problem(500, "failed", Message("the server failed; it has written down why"))
    # What is typed is wrong until it is whole: a page asks again and again, and means no harm.
    if problem.status in (400, 403, 413, 422) and request.method == "POST" and problem.code != "notation":
        service.gate.refused(*_caller(request))
    service.gate.not_kept(_address(request), request.state.get("posted", 0))
    service.metrics.refused(problem.code)
    body = problem.body(translator(_language(request)))
    return Response(body, status_code=problem.status, media_type=MEDIA_TYPE, headers=problem.headers)


def _language(request: Asked) -> str:
    return preferred(request.headers.get("accept-language", ""))


HANDLERS = (
    *(
        server_info,
        open_table,
        table_state,
        table_stream,
        take_seat,
        take_out,
        make_link,
        start_game,
        let_in,
        close_game,
        delete_table,
    ),
    *(access, game_log, game_stream, offer_line, hand_in, hand_on, catch_up),
    *(advised_state, advised_actions, advised_reading, advised_reasons),
    *(game_checkpoint, game_tile, game_anchor, anchors_checkpoint, anchors_tile),
    *(health, metrics, openapi, verify_in_browser, table_in_browser, page_file),
)
"""all that is served"""


@cache
def _description() -> bytes:
    """The paths as OpenAPI."""
    return msgspec.json.encode(described(HANDLERS))


def make_app(service: Service) -> Litestar:
    """The server's application. `service` runs as long as it does."""
    from litestar.datastructures import State

    return Litestar(
        route_handlers=HANDLERS,
        dependencies={"service": Provide(lambda: service, sync_to_thread=False)},
        exception_handlers={Exception: _refuse},
        state=State({"service": service}),
        lifespan=[service.lifespan],
        openapi_config=None,  # else the framework serves pages about it
        logging_config=None,
        request_max_body_size=None,
    )
