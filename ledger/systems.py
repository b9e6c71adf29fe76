"""What a page knows of the rules: `systems.json` (specs/page.md, "What a page knows of the rules")."""

from typing import Any

import msgspec

from rules import SYSTEMS

__all__ = ["systems_json"]


def systems_json() -> bytes:
    """The catalogue, in canonical form."""
    found: dict[str, Any] = {id_: {"name": system.name} for id_, system in SYSTEMS.items()}
    return msgspec.json.encode({"systems": found}, order="sorted")
