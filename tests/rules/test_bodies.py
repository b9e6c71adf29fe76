"""Bodies of all systems: what the decoder would let through unless the schemas are written with care."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from rules import SYSTEMS
from rules.base import Body


def tagged_alone(kind: Any, path: str, several: bool, seen: frozenset[type]) -> Iterator[str]:
    """Where a struct with a tag is the only one that can stand there: msgspec then does not ask for the tag."""
    if isinstance(kind, inspect.UnionType):
        structs = sum(isinstance(one, inspect.StructType) for one in kind.types)
        for one in kind.types:
            yield from tagged_alone(one, path, structs > 1, seen)
    elif isinstance(kind, inspect.StructType) and kind.cls not in seen:
        if kind.tag is not None and not several:
            yield path
        for field in kind.fields:
            yield from tagged_alone(field.type, f"{path}/{field.name}", False, seen | {kind.cls})
    elif isinstance(kind, inspect.DictType):
        yield from tagged_alone(kind.value_type, path, False, seen)
    elif hasattr(kind, "item_type"):
        yield from tagged_alone(kind.item_type, path, False, seen)
    for one in getattr(kind, "item_types", ()):
        yield from tagged_alone(one, path, False, seen)


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_body_can_leave_out_what_kind_of_body_it_is(system: str) -> None:
    bodies = {**SYSTEMS[system].bodies, "options": SYSTEMS[system].options}
    found = [
        at for name, body in bodies.items() for at in tagged_alone(inspect.type_info(body), name, False, frozenset())
    ]
    assert found == []


def test_a_tag_that_is_not_asked_for_is_found() -> None:
    class Lone(Body, frozen=True, tag_field="what", tag="x"):
        pass

    class Holder(Body, frozen=True):
        inside: tuple[Lone, ...]

    assert msgspec.json.decode(b"{}", type=Lone) == Lone()
    assert [*tagged_alone(inspect.type_info(Holder), "body", False, frozenset())] == ["body/inside"]
