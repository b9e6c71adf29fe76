"""The JSON Schema of a system's events, from the declarations that bodies are decoded by."""

from typing import Any

import msgspec

from rules import System

__all__ = ["for_javascript", "schema_of", "with_patterns_for_javascript"]

_REF = "#/$defs/{name}"


def for_javascript(pattern: str) -> str:
    """Return a pattern as JSON Schema and JavaScript have it (flag `u`): of the whole text."""
    return pattern.replace(r"\A", "^").replace(r"\Z", "$")


def with_patterns_for_javascript(schema: Any) -> Any:
    """Return a schema whose patterns are those of JavaScript, as JSON Schema wants them (draft 2020-12, 6.4)."""
    if isinstance(schema, dict):
        return {
            name: for_javascript(value)
            if name == "pattern" and isinstance(value, str)
            else with_patterns_for_javascript(value)
            for name, value in schema.items()
        }
    if isinstance(schema, list | tuple):
        return [with_patterns_for_javascript(each) for each in schema]
    return schema


def schema_of(system: System[Any]) -> dict[str, Any]:
    """Draft 2020-12, of an object `{"type", "body"}`: one alternative for each type of event that the system has.

    What only a system's own checks know (members that exclude each other, what the state allows) it does not say.
    """
    schemas, definitions = msgspec.json.schema_components((system.options, *system.bodies.values()), ref_template=_REF)
    _options, *bodies = schemas
    schema = {
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
    described: dict[str, Any] = with_patterns_for_javascript(schema)
    return described
