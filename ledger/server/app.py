"""The paths of a server (specs/network.md, "Paths"): they read requests, call the service and encode answers."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Annotated, Any

import msgspec
from litestar import Litestar, MediaType, Response, get, post
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, QueryParameter

from ledger.analysis.advice import MAX_ROLLS
from ledger.errors import LedgerError
from ledger.lobby import TableState
from ledger.network import wire
from ledger.page.assets import IMMUTABLE, OFFLINE, page
from ledger.server.advice import DEFAULT_ROLLS
from ledger.server.asking import (
    HEX32,
    JSON_LINES,
    Asked,
    Served,
    address_of,
    admit,
    answer,
    answer_in_pieces,
    body_of,
    bytes_answer,
    caller_of,
    event_stream,
    game_of,
    network_asking,
    resumed_at,
    table_of,
    whole_in_pieces,
)
from ledger.server.bodies import read_into
from ledger.server.event_paths import EVENT_HANDLERS
from ledger.server.hub import StreamItem
from ledger.server.openapi import describe_paths
from ledger.server.pages import (
    DOCUMENT_HEADERS,
    FILE_HEADERS,
    FOR_EVER,
    WINDOW_HEADERS,
    is_known,
    overlay_answer,
    takes,
    verify_answer,
)
from ledger.server.problems import MEDIA_TYPE, Problem, not_found, preferred_language, problem_of
from ledger.server.roll_paths import ROLL_HANDLERS
from ledger.server.service import Service
from ledger.server.sse import event
from rules.data.language import Message
from verifier.language import translator

__all__ = ["HANDLERS", "make_app"]

_OWN_MACHINE = re.compile(r"(?:127\.0\.0\.1|\[::1\]|localhost)(?::[0-9]{1,5})?\Z", re.IGNORECASE)
_BY_WAY_OF = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""headers that proxies add"""
_OCTETS = "application/octet-stream"


def _from_this_machine(request: Asked) -> bool:
    """Return True if a program on this machine asks directly: not through a proxy, nor from a page of another name."""
    if address_of(request) not in ("127.0.0.1", "::1") or any(name in request.headers for name in _BY_WAY_OF):
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
        posts=None if service.webhook is None else wire.PostsTold(not service.webhook.hosts, service.webhook.name),
        public=None if service.public is None else service.public.address,
        systems=tuple(service.systems),
        time=service.now(),
        witnesses=tuple(wire.WitnessTold(service.witness_games, str(each.key), each.url) for each in service.witnesses),
    )


@post("/v1/tables", summary="Open a table: its terms, signed by the host", status_code=201)
async def open_table(service: Served, request: Asked) -> Response[wire.NewTable]:
    body = await body_of(service, request, service.limits.body)
    new, table = await service.lifecycle.add(body, lambda: service.gate.table(address_of(request)))
    return answer(201 if new else 200, wire.NewTable(table))


@get("/v1/tables/{table:str}", summary="A table as it stands")
async def table_state(service: Served, request: Asked, table: FromPath[str]) -> Response[TableState]:
    found = await table_of(service, request, table)
    return answer(200, await service.states.look(network_asking(request), found))


@get(
    "/v1/tables/{table:str}/stream",
    summary="The table, at once and at each change",
    media_type="text/event-stream",
)
async def table_stream(service: Served, request: Asked, table: FromPath[str]) -> Response[None]:
    found = await table_of(service, request, table)
    network = network_asking(request)
    return event_stream(service, request, bytes.fromhex(found), None, lambda _: _state_now(service, network, found))


@post("/v1/tables/{table:str}/seats", summary="Take a seat", status_code=201)
async def take_seat(service: Served, request: Asked, table: FromPath[str]) -> Response[None]:
    found = await table_of(service, request, table)
    new = await service.seating.sit(found, await body_of(service, request, service.limits.body), caller_of(request))
    return answer(201 if new else 200, None)


@post("/v1/tables/{table:str}/unseat", summary="Take somebody out, as the host", status_code=200)
async def take_out(service: Served, request: Asked, table: FromPath[str]) -> Response[None]:
    found = await table_of(service, request, table)
    await service.seating.unseat(found, await body_of(service, request, service.limits.body))
    return answer(200, None)


@post("/v1/tables/{table:str}/invites", summary="Put a new link in the place of a role's, as the host", status_code=201)
async def make_link(service: Served, request: Asked, table: FromPath[str]) -> Response[None]:
    found = await table_of(service, request, table)
    new = await service.seating.invite(found, await body_of(service, request, service.limits.body))
    return answer(201 if new else 200, None)


@post("/v1/tables/{table:str}/start", summary="Start the game, as the host", status_code=201)
async def start_game(service: Served, request: Asked, table: FromPath[str]) -> Response[wire.Started]:
    found = await table_of(service, request, table)
    new, game = await service.lifecycle.start(found, await body_of(service, request, service.limits.body))
    return answer(201 if new else 200, wire.Started(game))


@post("/v1/tables/{table:str}/admit", summary="Let in somebody who asks, as the host", status_code=201)
async def let_in(service: Served, request: Asked, table: FromPath[str]) -> Response[wire.TakenLine]:
    found = await table_of(service, request, table)
    body = await body_of(service, request, service.limits.body)
    new, seq, checkpoint = await service.seating.let_in(found, body, caller_of(request))
    return answer(201 if new else 200, wire.TakenLine(checkpoint.decode(), seq))


@post("/v1/tables/{table:str}/replace", summary="Wish that somebody who asks go on under a new key", status_code=201)
async def replace(service: Served, request: Asked, table: FromPath[str]) -> Response[wire.TakenLine]:
    found = await table_of(service, request, table)
    body = await body_of(service, request, service.limits.body)
    new, seq, checkpoint = await service.seating.replace(found, body, caller_of(request))
    return answer(201 if new else 200, wire.TakenLine(checkpoint.decode(), seq))


@post("/v1/tables/{table:str}/close", summary="Have the keeper close the game, as the host", status_code=201)
async def close_game(service: Served, request: Asked, table: FromPath[str]) -> Response[wire.TakenLine]:
    found = await table_of(service, request, table)
    new, seq, checkpoint = await service.lifecycle.close(found, await body_of(service, request, service.limits.body))
    return answer(201 if new else 200, wire.TakenLine(checkpoint.decode(), seq))


@post("/v1/tables/{table:str}/delete", summary="Delete a table and its game, as the host", status_code=200)
async def delete_table(service: Served, request: Asked, table: FromPath[str]) -> Response[None]:
    found = await table_of(service, request, table)
    await service.deletion.delete(found, await body_of(service, request, service.limits.body))
    return answer(200, None)


@post("/v1/games/{game:str}/access", summary="A token for a party of a game", status_code=200)
async def access(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.Token]:
    with suppress(Problem):
        await game_of(service, request, game)  # a valid token already identifies the caller
    body = await body_of(service, request, service.limits.body)
    if not HEX32.match(game):
        raise not_found()
    return answer(200, wire.Token(await service.access.grant(caller_of(request), bytes.fromhex(game), body)))


@get("/v1/games/{game:str}/log", summary="Lines from a number on", media_type=JSON_LINES)
async def game_log(
    service: Served,
    request: Asked,
    game: FromPath[str],
    start: Annotated[int, QueryParameter(name="from", ge=0)] = 0,
) -> Response[Any]:
    found, _ = await game_of(service, request, game)
    lines = await service.readers.lines(caller_of(request), found, start, start + service.limits.lines_sent)
    size = str(lines.size)
    if lines.whole is not None:
        return bytes_answer(b"".join(line + b"\n" for line in lines.whole), JSON_LINES, rollproof_size=size)
    found_in_pieces = (b"".join(line + b"\n" for line in piece) async for _, piece in lines)
    return answer_in_pieces(found_in_pieces, JSON_LINES, rollproof_size=size)


@get("/v1/games/{game:str}/stream", summary="The live stream", media_type="text/event-stream")
async def game_stream(
    service: Served,
    request: Asked,
    game: FromPath[str],
    start: Annotated[int, QueryParameter(name="from", ge=0)] = 0,
) -> Response[None]:
    found, party = await game_of(service, request, game)
    so_far = partial(service.readers.so_far, caller_of(request), found, resumed_at(request, start))
    return event_stream(service, request, found, party, so_far)


@post("/v1/games/{game:str}/lines", summary="Offer a line", status_code=201)
async def offer_line(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.TakenLine]:
    found, _ = await game_of(service, request, game)
    new, seq, checkpoint = await service.games.offer(found, await body_of(service, request, service.limits.line))
    return answer(201 if new else 200, wire.TakenLine(checkpoint.decode(), seq))


@post("/v1/games/{game:str}/openings", summary="Hand in an opening", status_code=201)
async def hand_in(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.OpeningReceived]:
    found, _ = await game_of(service, request, game)
    new, received = await service.games.hand_in(found, await body_of(service, request, service.limits.body))
    return answer(201 if new else 200, wire.OpeningReceived(msgspec.Raw(msgspec.json.encode(received))))


@post("/v1/games/{game:str}/received", summary="A participant's receipt for an opening", status_code=200)
async def hand_on(service: Served, request: Asked, game: FromPath[str]) -> Response[None]:
    found, _ = await game_of(service, request, game)
    await service.games.hand_on(found, await body_of(service, request, service.limits.body))
    return answer(200, None)


@post(
    "/v1/games/{game:str}/catch-up",
    summary="What a server lacks that was put back",
    status_code=200,
    request_max_body_size=None,
)
async def catch_up(service: Served, request: Asked, game: FromPath[str]) -> Response[None]:
    found, _ = await game_of(service, request, game)
    admit(service, request)
    caller, limits = caller_of(request), service.limits
    await service.games.catch_up(
        found,
        caller,
        lambda lines: service.gate.lines(caller[0], lines),
        lambda log: read_into(request, limits.catch_up, limits.idle, log),
    )
    return answer(200, None)


@get("/v1/games/{game:str}/checkpoint", summary="The keeper's latest checkpoint", media_type=MediaType.TEXT)
async def game_checkpoint(service: Served, request: Asked, game: FromPath[str]) -> Response[bytes]:
    found, _ = await game_of(service, request, game)
    return bytes_answer(await service.games.checkpoint(caller_of(request), found), "text/plain")


@get("/v1/games/{game:str}/tile/{path:path}", summary="A tile of the game's log", media_type="application/octet-stream")
async def game_tile(service: Served, request: Asked, game: FromPath[str], path: FromPath[str]) -> Response[Any]:
    found, _ = await game_of(service, request, game)
    tile = await service.logs.tile(caller_of(request), found, path.removeprefix("/"))
    return bytes_answer(tile, _OCTETS) if isinstance(tile, bytes) else answer_in_pieces(tile, _OCTETS)


@get("/v1/games/{game:str}/anchor", summary="Where the final checkpoint stands in the anchor log")
async def game_anchor(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.Anchored]:
    found, _ = await game_of(service, request, game)
    return answer(200, wire.Anchored(**await service.logs.anchor(caller_of(request), found)))


@get("/v1/games/{game:str}/state", summary="The game as its rules have it: advice")
async def advised_state(
    service: Served,
    request: Asked,
    game: FromPath[str],
    rolls: Annotated[int, QueryParameter(ge=1, le=MAX_ROLLS)] = DEFAULT_ROLLS,
) -> Response[wire.AdvisedState]:
    found, _ = await game_of(service, request, game)
    language = _language(request)
    return _advice(await service.advice.state(caller_of(request), found, rolls, language, translator(language)))


@get("/v1/games/{game:str}/actions", summary="What a party can do now: advice")
async def advised_actions(
    service: Served, request: Asked, game: FromPath[str], party: FromQuery[str]
) -> Response[wire.OfferedActions]:
    found, _ = await game_of(service, request, game)
    language = _language(request)
    return _advice(await service.advice.actions(caller_of(request), found, party, language, translator(language)))


@post("/v1/games/{game:str}/read", summary="What was typed, as the body that was meant: advice", status_code=200)
async def advised_reading(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.ReadBody]:
    found, _ = await game_of(service, request, game)
    body = await body_of(service, request, service.limits.body)
    return _advice(await service.advice.read(caller_of(request), found, body, translator(_language(request))))


@get("/v1/games/{game:str}/explain", summary="How the dice of a roll came to what they came to: advice")
async def advised_reasons(
    service: Served, request: Asked, game: FromPath[str], roll: Annotated[int, QueryParameter(ge=0)]
) -> Response[wire.Explained]:
    found, _ = await game_of(service, request, game)
    language = _language(request)
    return _advice(await service.advice.explain(caller_of(request), found, roll, language, translator(language)))


@get("/v1/anchors/checkpoint", summary="The anchor log's latest checkpoint", media_type=MediaType.TEXT)
async def anchors_checkpoint(service: Served, request: Asked) -> Response[bytes]:
    return bytes_answer(await service.logs.anchors_checkpoint(caller_of(request)), "text/plain")


@get("/v1/anchors/tile/{path:path}", summary="A tile of the anchor log", media_type="application/octet-stream")
async def anchors_tile(service: Served, request: Asked, path: FromPath[str]) -> Response[bytes]:
    return bytes_answer(await service.logs.anchors_tile(caller_of(request), path.removeprefix("/")), _OCTETS)


@get("/health", summary="Whether the server takes lines", media_type=MediaType.TEXT)
async def health(service: Served) -> Response[str]:
    text, status = ("draining\n", 503) if service.writer.draining else ("ok\n", 200)
    return Response(text, status_code=status, media_type=MediaType.TEXT)


@get("/metrics", summary="Figures, in the form of Prometheus", media_type=MediaType.TEXT)
async def metrics(service: Served, request: Asked) -> Response[bytes]:
    if not _from_this_machine(request):
        raise not_found()
    return bytes_answer(service.metrics.exposition(), "text/plain; version=0.0.4")


@get("/verify", summary="The page that verifies logs in a browser", media_type=MediaType.HTML)
async def verify_in_browser(request: Asked) -> Response[Any]:
    zipped = takes("gzip", request.headers.get("accept-encoding", ""))
    data, headers = await asyncio.to_thread(verify_answer, zipped=zipped)
    if is_known(headers["etag"], request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    return whole_in_pieces(data, headers, MediaType.HTML)


@get(["/", "/t/{table:str}"], summary="The table in a browser", media_type=MediaType.HTML)
async def table_in_browser(request: Asked) -> Response[bytes]:
    found = await asyncio.to_thread(page)
    return _html(found.documents[_language(request)], DOCUMENT_HEADERS)


@get("/w", summary="The window for plugins, which a page of another site opens", media_type=MediaType.HTML)
async def window_in_browser(request: Asked) -> Response[bytes]:
    found = await asyncio.to_thread(page)
    return _html(found.documents[_language(request)], WINDOW_HEADERS)


@get("/e/{event:str}", summary="An event in a browser", media_type=MediaType.HTML)
async def event_in_browser(request: Asked) -> Response[bytes]:
    found = await asyncio.to_thread(page)
    return _html(found.event_documents[_language(request)], DOCUMENT_HEADERS)


@get("/o/{table:str}", summary="The dice of a table alone, for a stream or a screen", media_type=MediaType.HTML)
async def overlay_in_browser(request: Asked) -> Response[Any]:
    zipped = takes("gzip", request.headers.get("accept-encoding", ""))
    data, headers = await asyncio.to_thread(overlay_answer, _language(request), zipped=zipped)
    if is_known(headers["etag"], request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    return whole_in_pieces(data, headers, MediaType.HTML)


@get("/page/{path:path}", summary="A file of the page", media_type="application/octet-stream")
async def page_file(service: Served, request: Asked, path: FromPath[str]) -> Response[Any]:
    file = (await asyncio.to_thread(page)).files.get(path.removeprefix("/"))
    if file is None:
        raise not_found()
    # The type as a header: the framework adds a charset to every text, to what has one too.
    accepted = request.headers.get("accept-encoding", "")
    coding = next((each for each in file.codings if takes(each, accepted)), None)
    etag = file.etag if coding is None else file.packed_etag(coding)
    headers = {**FILE_HEADERS, "etag": etag, "content-type": file.media_type}
    if file.path == OFFLINE:
        headers["service-worker-allowed"] = "/"
    if is_known(etag, request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    if coding is not None:
        headers["content-encoding"] = coding
    data = await asyncio.to_thread(lambda: file.data if coding is None else file.packed(coding))
    if not file.path.startswith(IMMUTABLE):
        return whole_in_pieces(data, headers)
    return whole_in_pieces(data, {**headers, **FOR_EVER}, admitted=service.gate.rules())


@get("/v1/openapi.json", include_in_schema=False)
async def openapi() -> Response[bytes]:
    """Return the description of the paths as OpenAPI."""
    return bytes_answer(await asyncio.to_thread(_description), MediaType.JSON)


async def _state_now(service: Served, network: str, table: str) -> AsyncIterator[list[StreamItem]]:
    yield [event("table", await service.states.look(network, table))]


# --- the application -------------------------------------------------------------------------------------------------


def _refuse(request: Asked, error: Exception) -> Response[bytes]:
    """Return a refusal as problem details, the framework's own too."""
    service: Service = request.app.state.service
    if isinstance(error, Problem):
        problem = error
    elif isinstance(error, LedgerError):  # the database is away
        service.log.error("failed", path=request.url.path, problem=str(error))
        problem = problem_of(error)
    elif isinstance(error, HTTPException) and error.status_code in (404, 405):
        problem = not_found()
    elif isinstance(error, HTTPException) and error.status_code < 500:
        problem = Problem(error.status_code, "malformed", Message("malformed request: this path takes another form"))
    else:
        service.log.error("failed", path=request.url.path, exc_info=error)
        problem = Problem(500, "failed", Message("the server failed; it has written down why"))
    # Half-typed text is invalid: a page asks again after each key, so such refusals are not counted.
    if problem.status in (400, 403, 413, 422) and request.method == "POST" and problem.code != "notation":
        service.gate.refused(*caller_of(request))
    service.gate.not_kept(address_of(request), request.state.get("posted", 0))
    service.metrics.refused(problem.code)
    body = problem.body(translator(_language(request)))
    return Response(body, status_code=problem.status, media_type=MEDIA_TYPE, headers=problem.headers)


def _language(request: Asked) -> str:
    return preferred_language(request.headers.get("accept-language", ""))


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
        replace,
        close_game,
        delete_table,
    ),
    *(access, game_log, game_stream, offer_line, hand_in, hand_on, catch_up),
    *EVENT_HANDLERS,
    *ROLL_HANDLERS,
    *(advised_state, advised_actions, advised_reading, advised_reasons),
    *(game_checkpoint, game_tile, game_anchor, anchors_checkpoint, anchors_tile),
    *(health, metrics, openapi, verify_in_browser, table_in_browser, window_in_browser),
    *(event_in_browser, overlay_in_browser, page_file),
)
"""all that is served"""


@cache
def _description() -> bytes:
    """Return the paths as OpenAPI."""
    return msgspec.json.encode(describe_paths(HANDLERS))


def make_app(service: Service) -> Litestar:
    """Return the server's application. `service` runs as long as it does."""
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
