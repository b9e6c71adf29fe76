"""The JSON Schema of a system's events, from the declarations that bodies are decoded by."""

from typing import Any

import msgspec

from rules import System

__all__ = ["schema_of"]

_REF = "#/$defs/{name}"


def schema_of(system: System[Any]) -> dict[str, Any]:
    """Draft 2020-12, of an object `{"type", "body"}`: one alternative for each type of event that the system has.

    What only a system's own checks know (members that exclude each other, what the state allows) it does not say.
    """
    schemas, definitions = msgspec.json.schema_components((system.options, *system.bodies.values()), ref_template=_REF)
    _options, *bodies = schemas
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:rollproof:{system.id}",
        "title": system.title,
        "oneOf": [
            {
                "type": "object",
                "properties": {"type": {"const": type_}, "body": body},
                "required": ["type", "body"],
            }
            for type_, body in zip(system.bodies, bodies, strict=True)
        ],
        "$defs": definitions,
    }
