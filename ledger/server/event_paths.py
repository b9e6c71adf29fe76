"""The paths of events (specs/event.md, "At a server"): they read requests and encode answers."""

from functools import partial
from typing import Annotated

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from ledger.network import wire
from ledger.server.asking import (
    HEX32,
    JSON_LINES,
    Asked,
    Served,
    answer,
    answer_in_pieces,
    body_of,
    bytes_answer,
    caller_of,
    event_stream,
    network_asking,
    note_holder,
    resumed_at,
    token_of,
    whole_in_pieces,
)
from ledger.server.events import Events
from ledger.server.problems import not_found
from ledger.server.service import Service
from verifier.event.names import MAX_NAMES, Names, parse_names

__all__ = ["EVENT_HANDLERS"]

_OCTETS = "application/octet-stream"


async def _event(service: Service, request: Asked, event: str) -> tuple[Events, bytes]:
    """Return the events here, and one's id. Everybody may read an event's log: it names nobody. Raises Problem."""
    if service.events is None or not HEX32.match(event):
        raise not_found()
    network = network_asking(request)
    found = await service.events.known(network, event)
    party = await service.events.party(network, found, token_of(request))
    if party is not None:
        note_holder(request, event, party, None)
    return service.events, found


@post("/v1/events", summary="Begin an event: its `open`, signed by its organizer", status_code=201)
async def open_event(service: Served, request: Asked) -> Response[wire.NewEvent]:
    body = await body_of(service, request, service.limits.line)
    if service.events is None:
        raise not_found()
    new, event = await service.events.create(body)
    return answer(201 if new else 200, wire.NewEvent(event))


@get("/v1/events/{event:str}", summary="An event as it stands")
async def event_now(service: Served, request: Asked, event: FromPath[str]) -> Response[wire.EventAsItStands]:
    events, found = await _event(service, request, event)
    return answer(200, await events.state(caller_of(request), found))


@get("/v1/events/{event:str}/log", summary="Lines of the event from a number on", media_type=JSON_LINES)
async def event_log(
    service: Served,
    request: Asked,
    event: FromPath[str],
    start: Annotated[int, QueryParameter(name="from", ge=0)] = 0,
) -> Stream:
    events, found = await _event(service, request, event)
    size, lines = await events.lines(caller_of(request), found, start)
    headers = {"cache-control": "no-store", "rollproof-size": str(size)}
    return whole_in_pieces(b"".join(line + b"\n" for line in lines), headers, JSON_LINES)


@get("/v1/events/{event:str}/stream", summary="The event's live stream", media_type="text/event-stream")
async def stream_of_event(
    service: Served,
    request: Asked,
    event: FromPath[str],
    start: Annotated[int, QueryParameter(name="from", ge=0)] = 0,
) -> Response[None]:
    events, found = await _event(service, request, event)
    so_far = partial(events.so_far, caller_of(request), found, resumed_at(request, start))
    return event_stream(service, request, found, None, so_far)


@post("/v1/events/{event:str}/acts", summary="Offer an act", status_code=201)
async def offer_act(service: Served, request: Asked, event: FromPath[str]) -> Response[wire.TakenAct]:
    events, found = await _event(service, request, event)
    new, seq = await events.take(found, await body_of(service, request, service.limits.line))
    return answer(201 if new else 200, wire.TakenAct(seq))


@post("/v1/events/{event:str}/access", summary="A token for staff, or a player who has checked in", status_code=200)
async def event_access(service: Served, request: Asked, event: FromPath[str]) -> Response[wire.Token]:
    events, found = await _event(service, request, event)
    body = await body_of(service, request, service.limits.body)
    return answer(200, wire.Token(await events.grant(network_asking(request), found, body)))


@post("/v1/events/{event:str}/tokens", summary="Let holders of codes read, as an organizer", status_code=200)
async def event_tokens(service: Served, request: Asked, event: FromPath[str]) -> Response[None]:
    events, found = await _event(service, request, event)
    await events.check_organizer(network_asking(request), found, token_of(request))
    await events.keep_tokens(network_asking(request), found, await body_of(service, request, service.limits.body))
    return answer(200, None)


@post("/v1/events/{event:str}/names", summary="Keep the names file, as an organizer", status_code=200)
async def keep_names(service: Served, request: Asked, event: FromPath[str]) -> Response[None]:
    events, found = await _event(service, request, event)
    await events.check_organizer(network_asking(request), found, token_of(request))
    await events.keep_names(network_asking(request), found, await body_of(service, request, MAX_NAMES))
    return answer(200, None)


@get("/v1/events/{event:str}/names", summary="The names file, for holders of a token")
async def event_names(service: Served, request: Asked, event: FromPath[str]) -> Response[Names]:
    events, found = await _event(service, request, event)
    data = await events.names(network_asking(request), found, token_of(request))
    return answer(200, parse_names(data))


@get("/v1/events/{event:str}/checkpoint", summary="Size and root of the event's log", media_type=MediaType.TEXT)
async def event_checkpoint(service: Served, request: Asked, event: FromPath[str]) -> Response[bytes]:
    events, found = await _event(service, request, event)
    return bytes_answer(await events.checkpoint(found), "text/plain")


@get("/v1/events/{event:str}/cosigned", summary="What each public witness cosigned last of the event's log")
async def event_cosigned(service: Served, request: Asked, event: FromPath[str]) -> Response[wire.EventCosigned]:
    events, found = await _event(service, request, event)
    return answer(200, await events.cosigned(found))


@get(
    "/v1/events/{event:str}/waiting",
    summary="The tables at which players are missing, or whose roll waits, and for whom",
)
async def event_waiting(service: Served, request: Asked, event: FromPath[str]) -> Response[wire.EventWaiting]:
    events, found = await _event(service, request, event)
    if not await events.insider(network_asking(request), found, token_of(request)):
        raise not_found()
    return answer(200, await events.waiting(caller_of(request), found))


@get(
    "/v1/events/{event:str}/bundle",
    summary="The event and its games in one file",
    media_type=_OCTETS,
)
async def event_bundle(service: Served, request: Asked, event: FromPath[str]) -> Stream:
    events, found = await _event(service, request, event)
    if not await events.insider(network_asking(request), found, token_of(request)):
        raise not_found()
    return answer_in_pieces(await events.bundle(caller_of(request), found), _OCTETS)


EVENT_HANDLERS = (
    *(open_event, event_now, event_log, stream_of_event, offer_act),
    *(event_access, event_tokens, keep_names, event_names, event_checkpoint, event_cosigned),
    *(event_waiting, event_bundle),
)
"""all that is served of events"""
