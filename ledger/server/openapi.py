"""Describe the paths as OpenAPI 3.1: the framework's description, completed by the schemas of bodies.

The schemas are those of the types that decode the bodies. The framework does not know them, because signed bodies are
read byte for byte.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig

from ledger.forms.json_schema import with_patterns_for_javascript
from ledger.lobby import (
    Access,
    AdmitWord,
    Closing,
    Delete,
    Invite,
    LobbySeat,
    ReplaceWish,
    Start,
    TableState,
    TableTerms,
    Unseat,
)
from ledger.lobby.published import Publish, Revoke
from ledger.network import wire
from ledger.server.problems import MEDIA_TYPE
from verifier.event.acts import ActFile
from verifier.event.names import Names
from verifier.log.format import Envelope
from verifier.opening import ReceivedOpening, SentOpening

__all__ = ["EXAMPLES", "describe_paths"]

_BODIES: dict[str, Any] = {
    "/v1/tables": TableTerms,
    "/v1/tables/{table}/seats": LobbySeat,
    "/v1/tables/{table}/unseat": Unseat,
    "/v1/tables/{table}/invites": Invite,
    "/v1/tables/{table}/start": Start,
    "/v1/tables/{table}/admit": AdmitWord,
    "/v1/tables/{table}/replace": ReplaceWish,
    "/v1/tables/{table}/close": Closing,
    "/v1/tables/{table}/delete": Delete,
    "/v1/events": ActFile,
    "/v1/events/{event}/acts": ActFile,
    "/v1/events/{event}/access": Access,
    "/v1/events/{event}/tokens": wire.EventTokens,
    "/v1/events/{event}/names": Names,
    "/v1/games/{game}/access": Access,
    "/v1/games/{game}/lines": Envelope,
    "/v1/games/{game}/openings": SentOpening,
    "/v1/games/{game}/received": ReceivedOpening,
    "/v1/games/{game}/rolls": Publish,
    "/v1/rolls/{roll}/revoke": Revoke,
}

_OF_EVENT = "/v1/events/{event}"
_OPEN_TO_ALL = (
    *("/v1/rolls/{roll}", "/v1/rolls/{roll}/revoke", "/r/{roll}", "/r/{roll}/card.png"),
    *("/v1/server", "/v1/tables", "/v1/games/{game}/access", "/t/{table}", "/o/{table}", "/e/{event}", _OF_EVENT),
    *(f"{_OF_EVENT}/{each}" for each in ("log", "stream", "acts", "access", "checkpoint")),
)
"""paths that need no token"""

_REF = "#/components/schemas/{name}"

EXAMPLES = Path(__file__).with_name("examples.json")
"""by path: a body of specs/vectors"""

_PROBLEM = {
    "type": "object",
    "description": "RFC 9457",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "clause": {"type": "string"},
        "lines": {"type": "array", "items": {"type": "string"}},
        "size": {"type": "integer"},
        "head": {"type": "string"},
    },
    "required": ["type", "title", "status", "detail", "code"],
}


_COUNT = {"type": "integer", "minimum": 0}

_READ = {"line": "4d6kh3 + 2 for Strength", "party": "alice", "type": "roll"}
"""an example of a body that is not signed, so no vector has it"""


_IDS = {**dict.fromkeys(("table", "game", "event"), "^[0-9a-f]{64}$"), "roll": "^[0-9a-f]{32}$"}
"""patterns of ids, by kind"""

_ANSWERS = (
    *(wire.Server, wire.NewTable, wire.Started, wire.TakenLine, wire.Token, wire.OpeningReceived, wire.Anchored),
    *(wire.NewRoll, wire.PublishedRolls, wire.OEmbed),
    *(wire.NewEvent, wire.TakenAct, wire.EventAsItStands, wire.EventCosigned),
    *(wire.AdvisedState, wire.OfferedActions, wire.ReadBody, wire.Explained, TableState),
)
"""bodies of answers, whose schemas replace those of the framework"""

_EVENTS: dict[str, dict[str, dict[str, Any]]] = {
    "/v1/tables/{table}/stream": {"table": {"$ref": _REF.format(name="TableState")}},
    "/v1/events/{event}/stream": {"line": {"$ref": _REF.format(name="Envelope")}},
    "/v1/games/{game}/stream": {
        "line": {"$ref": _REF.format(name="Envelope")},
        "checkpoint": {"$ref": _REF.format(name="TakenLine")},
        "opening": {"$ref": _REF.format(name="SentOpening")},
        "received": {"$ref": _REF.format(name="ReceivedOpening")},
        "here": {"$ref": _REF.format(name="Here")},
    },
}
"""the type of the data, by stream and event; given as `x-events`, for which OpenAPI 3.1 has no member"""

_HEADERS: dict[tuple[str, str], dict[str, Any]] = {
    (path, "get"): {
        "Rollproof-Size": {"required": True, "description": "how many lines the log has", "schema": {"type": "integer"}}
    }
    for path in ("/v1/games/{game}/log", "/v1/events/{event}/log")
}
"""of answers with 200"""

_ASKED: dict[str, dict[str, str]] = {
    "/v1/events/{event}/stream": {"Last-Event-ID": "the number of the last line that is there; goes before `from`"},
    "/v1/games/{game}/stream": {"Last-Event-ID": "the number of the last line that is there; goes before `from`"},
    **{
        f"/v1/games/{{game}}/{each}": {"Accept-Language": "of the words of the answer"}
        for each in ("state", "actions", "read", "explain")
    },
}
"""by path: headers of requests, besides Authorization"""


def describe_paths(handlers: Sequence[HTTPRouteHandler]) -> dict[str, Any]:
    """Return the paths as OpenAPI 3.1, with the bodies and answers of specs/network.md."""
    seen = _seen(handlers)
    kinds = [*_BODIES.values(), wire.ReadRequest, wire.Here, wire.Bye, *_ANSWERS]
    schemas, definitions = msgspec.json.schema_components(kinds, ref_template=_REF)
    components = seen.setdefault("components", {})
    components.setdefault("schemas", {}).update(definitions)
    components["schemas"]["Problem"] = _PROBLEM
    components["schemas"]["OpeningReceived"]["properties"]["received"] = {
        "anyOf": [{"$ref": _REF.format(name="ReceivedOpening")}, {"type": "null"}]
    }
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "64 hex digits"}}
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8")) | {"/v1/games/{game}/read": _READ}
    for path, schema in zip([*_BODIES, "/v1/games/{game}/read"], schemas, strict=False):
        content = {"schema": schema, "example": examples[path]}
        seen["paths"][path]["post"]["requestBody"] = {"required": True, "content": {"application/json": content}}
    seen["paths"]["/v1/games/{game}/catch-up"]["post"]["requestBody"] = {
        "required": True,
        "content": {"application/jsonl": {"schema": {"type": "string"}}},
    }
    for path, operations in seen["paths"].items():
        for method, operation in operations.items():
            _complete(path, method, operation)
    whole: dict[str, Any] = with_patterns_for_javascript(seen)
    return whole


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    """Add the parts of an operation that the framework does not know."""
    answers = operation["responses"]
    answers.pop("400", None)
    answers["default"] = {
        "description": "refused",
        "headers": {
            "Retry-After": {"description": "with 429 and 503: seconds until it is worth asking again", "schema": _COUNT}
        },
        "content": {MEDIA_TYPE: {"schema": {"$ref": _REF.format(name="Problem")}}},
    }
    if "201" in answers:
        answers["200"] = {**answers["201"], "description": "it stands already: as the first time"}
    if (path, method) in _HEADERS:
        answers["200"]["headers"] = _HEADERS[path, method]
    if path in _EVENTS:
        events = {**_EVENTS[path], "bye": {"$ref": _REF.format(name="Bye")}}
        answers["200"]["content"]["text/event-stream"] = {"schema": {"type": "string"}, "x-events": events}
    asked = operation.setdefault("parameters", [])
    for parameter in asked:
        if parameter["in"] == "path" and parameter["name"] in _IDS:
            parameter["schema"]["pattern"] = _IDS[parameter["name"]]
    asked += [
        {"name": name, "in": "header", "required": False, "description": about, "schema": {"type": "string"}}
        for name, about in _ASKED.get(path, {}).items()
    ]
    needs_none = path in _OPEN_TO_ALL or "{" not in path
    if not needs_none and not (path.startswith(("/v1/anchors", "/page")) or method == "head"):
        operation["security"] = [{"token": []}]


def _seen(handlers: Sequence[HTTPRouteHandler]) -> dict[str, Any]:
    """Return the framework's own description.

    An application that describes itself also serves the framework's pages about it. So this describes a second
    application, which is not served.
    """
    app = Litestar(
        route_handlers=handlers,
        dependencies={"service": Provide(lambda: None, sync_to_thread=False)},
        openapi_config=OpenAPIConfig(
            title="Rollproof", version="1", description="A table on a server: specs/network.md", render_plugins=[]
        ),
        logging_config=None,
    )
    return app.openapi_schema.to_schema()
