"""Where a body can have a text, by its schema, and a value of the schema with a given text at one such place."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from msgspec import inspect

from tests.support.made_bodies import made_part

__all__ = ["Place", "text_places"]


class Place(NamedTuple):
    """A text in a body."""

    path: str
    """`members/0/name`; the name of a member itself is `members/*`"""
    body: Any
    """what the schema asks for, and the given text there"""


def text_places(schema: Any, text: str) -> Iterator[Place]:
    """Each place for a text, also where only some texts may stand, with that text in it."""
    yield from _Walk(text).places(inspect.type_info(schema), ())


class _Walk:
    """Through a schema, down to its texts. A type within itself is not gone into again."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._random = Random(1)

    def places(self, kind: Any, around: tuple[type, ...]) -> Iterator[Place]:
        while isinstance(kind, inspect.Metadata):
            kind = kind.type
        if isinstance(kind, inspect.StrType) or _has_words(kind):
            yield Place("", self._text)
            return
        walks: dict[type, Callable[[Any, tuple[type, ...]], Iterator[Place]]] = {
            inspect.VarTupleType: self._in_list,
            inspect.ListType: self._in_list,
            inspect.DictType: self._in_members,
            inspect.UnionType: self._in_one_of,
            inspect.StructType: self._in_object,
        }
        if (walk := walks.get(type(kind))) is not None:
            yield from walk(kind, around)

    def _in_list(self, kind: Any, around: tuple[type, ...]) -> Iterator[Place]:
        for place in self.places(kind.item_type, around):
            rest = [self._make(kind.item_type) for _ in range((kind.min_length or 1) - 1)]
            yield _below("0", place, [place.body, *rest])

    def _in_members(self, kind: Any, around: tuple[type, ...]) -> Iterator[Place]:
        yield Place("*", {self._text: self._make(kind.value_type)})
        for place in self.places(kind.value_type, around):
            yield _below("x", place, {self._make(kind.key_type): place.body})

    def _in_one_of(self, kind: Any, around: tuple[type, ...]) -> Iterator[Place]:
        seen = set[str]()
        for one in kind.types:
            tag = f"{one.tag}:" if isinstance(one, inspect.StructType) and one.tag else ""
            for place in self.places(one, around):
                if (path := tag + place.path) not in seen:
                    seen.add(path)
                    yield Place(path, place.body)

    def _in_object(self, kind: Any, around: tuple[type, ...]) -> Iterator[Place]:
        if kind.cls in around:
            return
        needed = {field.encode_name: self._make(field.type) for field in kind.fields if field.required}
        if kind.tag_field:
            needed[kind.tag_field] = kind.tag
            yield Place(kind.tag_field, {**needed, kind.tag_field: self._text})
        yield Place("*", {**needed, self._text: 1})
        for field in kind.fields:
            for place in self.places(field.type, (*around, kind.cls)):
                yield _below(field.encode_name, place, {**needed, field.encode_name: place.body})

    def _make(self, kind: Any) -> Any:
        return {} if isinstance(kind, inspect.RawType | inspect.AnyType) else made_part(kind, self._random)


def _has_words(kind: Any) -> bool:
    return isinstance(kind, inspect.LiteralType) and any(isinstance(value, str) for value in kind.values)


def _below(step: str, place: Place, body: Any) -> Place:
    return Place(f"{step}/{place.path}".rstrip("/"), body)
