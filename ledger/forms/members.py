"""Convert the members of a body to typed options and back, by the schema alone (specs/commands.md, "Options").

    true                      a flag                 --paid
    true or false             two flags              --again, --no-again
    whole number, literal     one argument           --effect 2, --scope one
    array of numbers          with commas, as runs   --dice 1,3,5-8
    array of names            with commas            --players alice,bob
    other arrays              repeatable             --row '1-10 | one token' --row '11-20 | two tokens'
    mapping                   repeatable             --stats might=2 --stats wits=1
    object                    in the system's notation, else JSON
    union                     as one of its kinds

On a command line an array that is there and has nothing in it is `--no-NAME`. Nothing here opens a file: texts are what
they are.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, get_args

import msgspec
from msgspec import NODEFAULT, inspect

from rules.base import Notation, NotationError
from rules.data.language import N_, Message, one_of

__all__ = ["Member", "Notations", "Value", "members_of", "notations_of"]

MAX_RUN = 1_000
"""numbers that a run such as 1-10 may stand for"""
MAX_LISTED = 10_000
"""values that texts with commas and runs may stand for, together; no array of a body has as many"""

Notations = Mapping[Any, Notation]


@dataclass(frozen=True)
class Value:
    """A JSON value in one argument."""

    shape: str
    """as help shows it: `N`, `TEXT`, `each|one|any`"""
    what: Message
    """what it takes, for errors"""
    example: str
    parse: Callable[[str], Any]
    """Raises NotationError."""
    write: Callable[[Any], str]
    takes: Callable[[Any], bool] = lambda _: True
    """whether a JSON value is of this kind"""
    choices: tuple[str, ...] = ()
    """every text that it takes, where they can be listed"""
    is_object: bool = False


@dataclass(frozen=True)
class Member:
    """A member of a body as it is typed: an option of a command, a field of a page."""

    name: str
    how: Literal["flag", "switch", "one", "listed", "several", "named"]
    value: Value
    """of one item, where there can be several"""
    title: str
    required: bool
    default: Any
    """JSON; None where there is none"""
    may_be_empty: bool
    repeats: bool

    @property
    def option(self) -> str:
        """`--mana-abilities`"""
        return f"--{self.name.replace('_', '-')}"

    @property
    def emptied(self) -> str:
        """The option for an array or mapping that is there and has nothing in it."""
        return f"--no-{self.name.replace('_', '-')}"

    @property
    def shape(self) -> str:
        """The placeholder of the option in help."""
        match self.how:
            case "flag" | "switch":
                return ""
            case "listed":
                return f"{self.value.shape},…"
            case "named":
                return f"NAME={self.value.shape}"
            case _:
                return self.value.shape

    def read(self, texts: Sequence[str], called: str | None = None) -> Any:
        """Return the JSON value of typed texts: one for each time that the member was given. The last one counts if
        there can be one only. `called` is what it is called for whoever typed it. Raises NotationError.
        """
        called = self.name if called is None else called
        match self.how:
            case "flag" | "switch":
                raise TypeError(f"{self.name} has no text")
            case "one":
                return self._parsed(texts[-1], called)
            case "listed":
                found = list(islice((item for text in texts for item in self._listed(text, called)), MAX_LISTED + 1))
                if len(found) > MAX_LISTED:
                    raise NotationError("{option}: these are more than {most}", option=called, most=MAX_LISTED)
                return found
            case "several":
                return [self._parsed(text, called) for text in texts]
            case "named":
                return dict(self._named(text, called) for text in texts)

    def texts(self, value: Any) -> list[str]:
        """Return the texts for a JSON value, none for an array or mapping that is empty."""
        match self.how:
            case "flag" | "switch":
                raise TypeError(f"{self.name} has no text")
            case "one":
                return [self.value.write(value)]
            case _ if not value:
                return []
            case "listed":
                return [",".join(self.value.write(item) for item in value)]
            case "several":
                return [self.value.write(item) for item in value]
            case "named":
                return [f"{name}={self.value.write(item)}" for name, item in value.items()]

    def _parsed(self, text: str, called: str) -> Any:
        try:
            return self.value.parse(text)
        except NotationError as error:
            raise NotationError("{option}: {problem}", option=called, problem=error) from None

    def _listed(self, text: str, called: str) -> Iterator[Any]:
        for part in text.split(","):
            run = re.fullmatch(r"\s*([0-9]{1,9})\s*[-–]\s*([0-9]{1,9})\s*", part, re.ASCII)
            if run and self.value.shape == "N" and int(run[2]) - int(run[1]) < MAX_RUN:
                yield from range(int(run[1]), int(run[2]) + 1)
            else:
                yield self._parsed(part.strip(), called)

    def _named(self, text: str, called: str) -> tuple[str, Any]:
        name, equals, rest = text.partition("=")
        if not equals:
            raise NotationError(
                "{option} takes NAME={shape}; not {text}", option=called, shape=self.value.shape, text=repr(text)
            )
        return name.strip(), self._parsed(rest.strip(), called)


# --- from schemas ----------------------------------------------------------------------------------------------------


def notations_of(notations: Notations) -> dict[frozenset[type], Notation]:
    """Return the notations by the classes that each is for: one class, or those of a union."""
    return {frozenset(get_args(schema) or (schema,)): notation for schema, notation in notations.items()}


def members_of(
    kind: inspect.StructType, notations: Mapping[frozenset[type], Notation], without: Iterable[str] = ()
) -> tuple[Member, ...]:
    """Return the members of an object as options, in schema order, `without` those already decided."""
    return tuple(_member(field, notations) for field in kind.fields if field.encode_name not in without)


def _member(field: inspect.Field, notations: Mapping[frozenset[type], Notation]) -> Member:
    kind, title = _bare(field.type)
    how: Literal["flag", "switch", "one", "listed", "several", "named"] = "one"
    value_kind: inspect.Type = kind
    match kind:
        case inspect.LiteralType(values=(True,)):
            how = "flag"
        case inspect.BoolType():
            how = "switch"
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            value_kind = item
            how = "listed" if _no_commas(item) else "several"
        case inspect.DictType(value_type=item):
            value_kind, how = item, "named"
    least = getattr(kind, "min_length", None) or 0
    return Member(
        name=field.encode_name,
        how=how,
        value=_value(value_kind, notations),
        title=title or "",
        required=field.required,
        default=None if field.default is NODEFAULT else field.default,
        may_be_empty=how in ("listed", "several", "named") and least == 0,
        repeats=how in ("listed", "several", "named"),
    )


def _bare(kind: inspect.Type) -> tuple[inspect.Type, str | None]:
    """Return the type without its annotations, and its title; of a union with absence, the other type."""
    title: str | None = None
    while isinstance(kind, inspect.Metadata):
        title = title or (kind.extra_json_schema or {}).get("title")
        kind = kind.type
    return kind, title


def _no_commas(item: inspect.Type) -> bool:
    """Return True if the texts of a type have no comma, so that several stand in one argument."""
    bare, _ = _bare(item)
    match bare:
        case inspect.IntType():
            return True
        case inspect.StrType(pattern=str(pattern)):
            return not re.search(pattern, "a,b") and bool(re.search(pattern, "ab"))
        case inspect.LiteralType(values=values):
            return not any("," in str(value) for value in values)
        case _:
            return False


def _value(kind: inspect.Type, notations: Mapping[frozenset[type], Notation]) -> Value:
    description = None
    while isinstance(kind, inspect.Metadata):
        description = description or (kind.extra_json_schema or {}).get("description")
        kind = kind.type
    match kind:
        case inspect.IntType(ge=least, le=most):
            return Value(
                "N", Message("a whole number"), str(max(1, least or 1)), _whole_number, str, _within(least, most)
            )
        case inspect.LiteralType(values=values):
            return _literal(values)
        case inspect.BoolType():
            return _literal((True, False))
        case inspect.StrType(pattern=pattern):
            return _text(pattern, description)
        case inspect.StructType(cls=cls):
            notation = notations.get(frozenset({cls}))
            return _noted(notation) if notation else _JSON
        case inspect.UnionType(types=kinds):
            classes = frozenset(one.cls for one, _ in map(_bare, kinds) if isinstance(one, inspect.StructType))
            if classes and len(classes) == len(kinds) and (notation := notations.get(classes)):
                return _noted(notation)
            return _union([_value(one, notations) for one in kinds])
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item) if _no_commas(item):
            return _array(_value(item, notations))
        case _:
            return _JSON


def _whole_number(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text.strip(), re.ASCII):
        raise NotationError("a whole number is wanted, for example {example}; not {text}", example=3, text=repr(text))
    return int(text)


def _within(least: int | None, most: int | None) -> Callable[[Any], bool]:
    def takes(value: Any) -> bool:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and (least is None or value >= least) and (most is None or value <= most)

    return takes


def _literal(values: Iterable[Any]) -> Value:
    words = {{True: "yes", False: "no"}[v] if isinstance(v, bool) else str(v): v for v in values}
    told = one_of(Message("{word}", word=word) for word in words)

    def parse(text: str) -> Any:
        if text.strip() in words:
            return words[text.strip()]
        raise NotationError("{told} is wanted, not {text}", told=told, text=repr(text))

    def write(value: Any) -> str:
        return next(word for word, one in words.items() if one == value and type(one) is type(value))

    def takes(value: Any) -> bool:
        return any(one == value and type(one) is type(value) for one in words.values())

    return Value("|".join(words), told, next(iter(words)), parse, write, takes, tuple(words))


def _text(pattern: str | None, description: str | None) -> Value:
    def takes(value: Any) -> bool:
        return isinstance(value, str) and (pattern is None or re.search(pattern, value) is not None)

    short = pattern is not None and not re.search(pattern, "a b")
    what = Message(description) if description else Message("a text")
    return Value("NAME" if short else "TEXT", what, "x" if short else "a text", str, str, takes)


def _array(item: Value) -> Value:
    def parse(text: str) -> list[Any]:
        return [item.parse(part.strip()) for part in text.split(",")] if text.strip() else []

    def write(value: Any) -> str:
        return ",".join(map(item.write, value))

    def takes(value: Any) -> bool:
        return isinstance(value, list) and all(map(item.takes, value))

    return Value(f"{item.shape},…", item.what, item.example, parse, write, takes)


def _noted(notation: Notation) -> Value:
    def takes(value: Any) -> bool:
        return isinstance(value, Mapping)

    shape, what = notation.grammar.upper().replace(" ", "-"), Message("{grammar}", grammar=notation.grammar)
    return Value(shape, what, notation.example, notation.parse, notation.write, takes, is_object=True)


def _from_json(text: str) -> Any:
    from rules.data.jsontext import json_problem

    problem = json_problem(text.encode(errors="surrogateescape"), doubled=True)
    if problem is not None:
        raise NotationError("JSON is wanted here: {problem}", problem=problem)
    return msgspec.json.decode(text)


_JSON = Value(
    *("JSON", Message("JSON"), "{}", _from_json, lambda value: msgspec.json.encode(value, order="sorted").decode()),
    takes=lambda value: isinstance(value, Mapping | list),
)
"""a value that its system has no notation for"""


def _union(kinds: Sequence[Value]) -> Value:
    if kinds and all(one.choices for one in kinds):
        parsed = [one.parse(word) for one in kinds for word in one.choices]
        return _literal(parsed)

    def parse(text: str) -> Any:
        problems = []
        # What is spelt out comes before what takes nearly any text.
        for one in sorted(kinds, key=lambda kind: kind.shape in ("TEXT", "NAME")):
            try:
                value = one.parse(text)
            except NotationError as error:
                problems.append(error)
                continue
            if one.takes(value):
                return value
        if len(problems) == 1:
            raise problems[0]
        text_ = N_("{what} is wanted, for example {example}; not {text}")
        raise NotationError(text_, what=one_of(one.what for one in kinds), example=kinds[0].example, text=repr(text))

    def write(value: Any) -> str:
        return next(one for one in kinds if one.takes(value)).write(value)

    def takes(value: Any) -> bool:
        return any(one.takes(value) for one in kinds)

    shape = "|".join(dict.fromkeys(one.shape for one in kinds))
    what = one_of(one.what for one in kinds)
    return Value(shape, what, kinds[0].example, parse, write, takes, is_object=all(one.is_object for one in kinds))
