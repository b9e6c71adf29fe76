"""A rules system without a module of its own here: bodies are given in JSON; the state reads as every system's does."""

from collections.abc import Callable, Mapping
from typing import Any

from ledger.cli.place import Section

__all__ = ["BODIES", "EXAMPLES", "NAME", "due", "next_command", "roll_notes", "sections", "summarize"]

NAME = ""
BODIES: Mapping[str, Callable[..., dict[str, Any]]] = {}
EXAMPLES: Mapping[str, tuple[str, ...]] = {}


def next_command(choice: str, view: Mapping[str, Any], game: str) -> str | None:  # noqa: ARG001
    return None


def due(view: Mapping[str, Any], game: str) -> list[str]:  # noqa: ARG001
    return []


def roll_notes(roll: Mapping[str, Any]) -> list[str]:  # noqa: ARG001
    return []


def sections(view: Mapping[str, Any]) -> list[Section]:  # noqa: ARG001
    return []


def summarize(event: Mapping[str, Any]) -> str | None:  # noqa: ARG001
    return None
