"""The paths as OpenAPI 3.1, for programs: what the framework sees of them, and what bodies they take.

The bodies' schemas are those of the types that the server reads them by. The framework does not see them: what is
signed is read byte for byte.
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

from ledger.lobby import Access, Closing, Delete, Invite, LobbySeat, Start, TableTerms, Unseat
from ledger.server.problems import MEDIA_TYPE
from ledger.wire import ReadRequest
from verifier.format import Envelope
from verifier.opening import ReceivedOpening, SentOpening

__all__ = ["EXAMPLES", "described"]

_BODIES: dict[str, Any] = {
    "/v1/tables": TableTerms,
    "/v1/tables/{table}/seats": LobbySeat,
    "/v1/tables/{table}/unseat": Unseat,
    "/v1/tables/{table}/invites": Invite,
    "/v1/tables/{table}/start": Start,
    "/v1/tables/{table}/close": Closing,
    "/v1/tables/{table}/delete": Delete,
    "/v1/games/{game}/access": Access,
    "/v1/games/{game}/lines": Envelope,
    "/v1/games/{game}/openings": SentOpening,
    "/v1/games/{game}/received": ReceivedOpening,
}

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
        "size": {"type": "integer"},
        "head": {"type": "string"},
    },
    "required": ["type", "title", "status", "detail", "code"],
}


_READ = {"line": "4d6kh3 + 2 for Strength", "party": "alice", "type": "roll"}
"""an example of a body that is not signed, so no vector has it"""


def _read(components: dict[str, Any]) -> dict[str, Any]:
    (schema,), definitions = msgspec.json.schema_components([ReadRequest], ref_template=_REF)
    components["schemas"].update(definitions)
    return {"schema": schema}


def described(handlers: Sequence[HTTPRouteHandler]) -> dict[str, Any]:
    """What the framework sees of the paths, with bodies, examples, tokens and refusals."""
    seen = _seen(handlers)
    schemas, definitions = msgspec.json.schema_components(list(_BODIES.values()), ref_template=_REF)
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    components = seen.setdefault("components", {})
    components.setdefault("schemas", {}).update(definitions)
    components["schemas"]["Problem"] = _PROBLEM
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "64 hex digits"}}
    for path, schema in zip(_BODIES, schemas, strict=True):
        content = {"schema": schema, "example": examples[path]}
        seen["paths"][path]["post"]["requestBody"] = {"required": True, "content": {"application/json": content}}
    seen["paths"]["/v1/games/{game}/catch-up"]["post"]["requestBody"] = {
        "required": True,
        "content": {"application/jsonl": {"schema": {"type": "string"}}},
    }
    reading = seen["paths"]["/v1/games/{game}/read"]["post"]
    reading["requestBody"] = {
        "required": True,
        "content": {"application/json": {**_read(components), "example": _READ}},
    }
    refusal = {"description": "refused", "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for path, operations in seen["paths"].items():
        for method, operation in operations.items():
            operation["responses"].pop("400", None)
            operation["responses"]["default"] = refusal
            needs_none = path in ("/v1/server", "/v1/tables", "/v1/games/{game}/access") or "{" not in path
            if not needs_none and not (path.startswith("/v1/anchors") or method == "head"):
                operation["security"] = [{"token": []}]
    return seen


def _seen(handlers: Sequence[HTTPRouteHandler]) -> dict[str, Any]:
    """What the framework sees. An application that describes itself also serves pages of the framework's about it.

    So the one that is asked here is another than the one that is served.
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
