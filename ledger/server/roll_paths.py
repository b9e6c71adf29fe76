"""The paths of published rolls (specs/roll-proof.md, "A link that a server keeps")."""

import re
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import urlsplit

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, FromQuery, QueryParameter

from ledger.lobby.addresses import AddressError, server_address
from ledger.network import wire
from ledger.server.asking import Asked, Served, answer, body_of, bytes_answer, caller_of, game_of, whole_in_pieces
from ledger.server.pages import SHOWN_ANYWHERE, is_known, no_roll, roll_headers, takes
from ledger.server.problems import Problem, preferred_language
from ledger.server.service import Service
from rules.data.language import Message
from verifier.language import translator

__all__ = ["ROLL_HANDLERS"]

_ROLL = re.compile(r"[0-9a-f]{32}\Z")
_NO_ROLL = Message("there is no such roll here")


def _roll(roll: str) -> str:
    """Return the id of a roll. Raises Problem."""
    if not _ROLL.match(roll):
        raise Problem(404, "not-found", _NO_ROLL)
    return roll


def _address(service: Service, request: Asked) -> str:
    """Return the configured address of the server, else the one of the request."""
    if service.rolls.address is not None:
        return service.rolls.address
    try:
        return server_address(f"{request.url.scheme}://{request.headers.get('host', '')}")
    except AddressError:
        raise Problem(404, "not-found", _NO_ROLL) from None


def _language(request: Asked) -> str:
    return preferred_language(request.headers.get("accept-language", ""))


def _unless_known(request: Asked, data: bytes, headers: Mapping[str, str], media_type: str) -> Response[Any]:
    if is_known(headers["etag"], request.headers.get("if-none-match", "")):
        kept = {name: value for name, value in headers.items() if name != "content-encoding"}
        return Response(b"", status_code=304, headers=kept)
    return whole_in_pieces(data, headers, media_type)


@post("/v1/games/{game:str}/rolls", summary="Publish one roll, as who asked for it", status_code=201)
async def publish_roll(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.NewRoll]:
    found, _ = await game_of(service, request, game)
    body = await body_of(service, request, service.limits.body)
    new, roll = await service.rolls.publish(caller_of(request), found, body)
    return answer(201 if new else 200, wire.NewRoll(roll))


@get("/v1/games/{game:str}/rolls", summary="The rolls of a game that are published")
async def published_rolls(service: Served, request: Asked, game: FromPath[str]) -> Response[wire.PublishedRolls]:
    found, _ = await game_of(service, request, game)
    return answer(200, await service.rolls.of_game(caller_of(request), found))


@get("/v1/rolls/{roll:str}", summary="The proof of a published roll", media_type=MediaType.JSON)
async def published_proof(service: Served, request: Asked, roll: FromPath[str]) -> Response[bytes]:
    return bytes_answer(await service.rolls.proof(caller_of(request), _roll(roll)), "application/json")


@post("/v1/rolls/{roll:str}/revoke", summary="End the link to a roll, as who published it", status_code=200)
async def revoke_roll(service: Served, request: Asked, roll: FromPath[str]) -> Response[None]:
    body = await body_of(service, request, service.limits.body)
    await service.rolls.revoke(caller_of(request), _roll(roll), body)
    return answer(200, None)


@get("/v1/oembed", summary="The card of a published roll, as oEmbed")
async def oembed(
    service: Served,
    request: Asked,
    url: FromQuery[str],
    format: FromQuery[str] = "json",
    maxwidth: Annotated[int | None, QueryParameter(ge=1)] = None,
    maxheight: Annotated[int | None, QueryParameter(ge=1)] = None,
) -> Response[wire.OEmbed]:
    if format != "json":
        raise Problem(501, "malformed", Message("a card can be given in JSON only"))
    address = _address(service, request)
    link = urlsplit(url)._replace(query="", fragment="").geturl()
    roll = _roll(link.removeprefix(f"{address}/r/"))
    card = await service.rolls.oembed(caller_of(request), roll, _language(request), address, maxwidth, maxheight)
    return answer(200, card)


@get("/r/{roll:str}", summary="A published roll in a browser", media_type=MediaType.HTML)
async def roll_in_browser(service: Served, request: Asked, roll: FromPath[str]) -> Response[Any]:
    language = _language(request)
    zipped = takes("gzip", request.headers.get("accept-encoding", ""))
    try:
        address = _address(service, request)
        page = await service.rolls.page(caller_of(request), _roll(roll), language, address, zipped=zipped)
    except Problem as problem:
        if problem.status not in (404, 410):
            raise
        data, headers = no_roll(problem.in_words(translator(language)), language)
        return Response(data, status_code=problem.status, media_type=MediaType.HTML, headers=headers)
    return _unless_known(request, page.data, roll_headers(page.etag, zipped=zipped), MediaType.HTML)


@get("/r/{roll:str}/card.png", summary="The picture of a published roll", media_type="image/png")
async def picture_of_roll(service: Served, request: Asked, roll: FromPath[str]) -> Response[Any]:
    picture = await service.rolls.picture(caller_of(request), _roll(roll))
    return _unless_known(request, picture.data, {**SHOWN_ANYWHERE, "etag": picture.etag}, "image/png")


ROLL_HANDLERS = (
    *(publish_roll, published_rolls, published_proof, revoke_roll, oembed),
    *(roll_in_browser, picture_of_roll),
)
"""all that is served of rolls"""
