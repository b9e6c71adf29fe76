"""What is said of a value that does not fit its schema: where, what it must be, what it is; no regex, no Python."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from rules import SYSTEMS, Ruling
from rules.data.jsontext import UNREADABLE, json_problem, quote_value
from rules.data.schema import schema_problem
from rules.script import Script, ScriptError, ScriptFile, differences, read, run
from tests.support.scripts import scripts
from verifier.language import translator
from verifier.log.bodies import PROTOCOL_BODIES
from verifier.log.format import Envelope
from verifier.log.plainjson import encode

VECTORS = Path(__file__).parents[2] / "specs" / "vectors"
FOREIGN = re.compile(r"`|\$|\\A|\\Z|\[a-z|\{\d|\(\?|None\b|[Ee]xpected|regex|\b(int|str|bool|list|dict|float)\b|<class")
"""what only somebody who writes Python or regular expressions can read"""
FALLBACK = "a value in it is not as the specification has it"
MOST = 20
"""values of a schema that are damaged in every way"""
WRONG: tuple[Any, ...] = (
    *(None, True, -1, 0, 7, 1.5, 2**60, "", "x y", "Ü" * 600),
    *([], [None], [[]] * 1_001, {}, {"x": 1}),
)


NAMES = [
    *("script", "file of scripts", "event", *PROTOCOL_BODIES),
    *(f"options of {id_}" for id_ in SYSTEMS),
    *(f"{name} of {id_}" for id_ in SYSTEMS for name in SYSTEMS[id_].bodies),
]
"""the schemas of the project"""


@cache
def schemas() -> dict[str, tuple[Any, list[Any]]]:
    """Every schema, by name, with values that fit it: one of each shape in the vectors."""
    found: dict[str, tuple[Any, dict[str, Any]]] = {}

    def add(name: str, schema: Any, value: Any) -> None:
        found.setdefault(name, (schema, {}))[1].setdefault(shape(value), value)

    for schema, value in (*of_scripts(), *of_logs()):
        add(*schema, value)
    return {name: (schema, list(values.values())[:MOST]) for name, (schema, values) in found.items()}


def of_scripts() -> Iterator[tuple[tuple[str, Any], Any]]:
    """Name and schema, and a value: scripts themselves, options, and the bodies of events."""
    event = {"author": "alice", "type": "roll", "body": {}, "naturals": [1]}
    script = {"format": "x", "system": "x", "options": {}, "parties": {"a": "keeper", "b": "player"}, "events": [event]}
    expectations: tuple[Any, ...] = ({"state": {}}, {"violation": {"seq": 1, "clause": None, "code": "x"}})
    for expect in expectations:
        yield ("script", Script), script | {"about": "x", "expect": expect}
    yield ("file of scripts", ScriptFile), {"format": "x", "scripts": {"a": script, "a-b.violates": script}}
    for vector in scripts():
        value = vector.value
        if "violat" in vector.name or value["system"] not in SYSTEMS:
            continue
        system = SYSTEMS[value["system"]]
        yield (f"options of {system.id}", system.options), value["options"]
        for event in value["events"]:
            if event["type"] == "ruling":
                yield ("ruling", Ruling), event["body"]
            elif event["type"] in system.bodies:
                yield (f"{event['type']} of {system.id}", system.bodies[event["type"]]), event.get("body", {})


def of_logs() -> Iterator[tuple[tuple[str, Any], Any]]:
    """The same for what the protocol itself has."""
    for path in sorted((VECTORS / "logs").glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            if fits(line, Envelope) and fits(line, Any):  # an Envelope's body is not looked into: it may be no UTF-8
                event = msgspec.json.decode(line)
                schema = PROTOCOL_BODIES.get(event["type"])
                if schema is not None and fits(encode(event["body"]), schema):
                    yield (event["type"], schema), event["body"]
                    yield ("event", Envelope), event


def shape(value: Any) -> str:
    """Values of one shape differ in nothing that a schema looks at first."""
    match value:
        case dict():
            told = value.get("what") if isinstance(value.get("what"), str) else ""
            return f"{told}{{{','.join(f'{key}{shape(member)}' for key, member in sorted(value.items()))}}}"
        case list():
            return f"[{shape(value[0]) if value else ''}]"
        case _:
            return type(value).__name__


def fits(data: Any, schema: Any) -> bool:
    try:
        msgspec.json.decode(data, type=schema)
    except UNREADABLE:
        return False
    return True


def damaged(value: Any) -> Iterator[Any]:
    """The value with one flaw: at every depth another value, a member too few, a member too many."""
    yield from WRONG
    if isinstance(value, dict):
        for name, member in value.items():
            yield {key: other for key, other in value.items() if key != name}
            for wrong in damaged(member):
                yield value | {name: wrong}
        yield value | {"further": 1}
    if isinstance(value, list) and value:
        for wrong in damaged(value[0]):
            yield [wrong, *value[1:]]


def test_every_schema_of_the_project_is_looked_at() -> None:
    assert set(schemas()) == set(NAMES)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_every_flaw_is_told_in_words_that_need_no_programmer(name: str) -> None:
    schema, values = schemas()[name]
    ja, told = translator("ja"), set()
    for flawed in (flawed for value in values for flawed in damaged(value)):
        data = msgspec.json.encode(flawed)
        try:
            msgspec.json.decode(data, type=schema)
        except UNREADABLE as error:
            problem = schema_problem(error, data, schema)
            assert problem.message(ja)
            told.add(str(problem))
    assert FALLBACK not in told
    assert [text for text in told if FOREIGN.search(text)] == []
    assert len(told) > 5


def ruling(**members: Any) -> dict[str, Any]:
    return {"ruling": "correct", "subject": 1, "text": "The die was cocked"} | members


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([], "the whole must be an object, but is an array"),
        ({"ruling": "void", "text": "x"}, "subject is missing"),
        (ruling(reason="x"), "there is no member reason here; there can be ruling, subject, text, party, results"),
        (ruling(ruling="maybe"), 'ruling must be "correct", "penalty", "uphold" or "void", but is "maybe"'),
        (ruling(subject="7"), 'subject must be a whole number, but is "7"'),
        (ruling(subject=None), "subject must be a whole number, but is null"),
        (ruling(subject=True), "subject must be a whole number, but is true"),
        (ruling(subject=2**53), "subject is out of bounds: whole numbers go to 9007199254740991"),
        (ruling(text=""), "text must not be empty"),
        (ruling(text="x" * 501), "text must have at most 500 characters, but has 501"),
        (
            ruling(text="a\u202eb"),
            "text must be a text without line breaks, control characters and marks that reorder it or are not seen, "
            'but is "a\\u202eb"',
        ),
        (
            ruling(party="Bob"),
            "party must be a name: 1 to 32 of a to z, 0 to 9, dot, underscore and hyphen, "
            'the first of them a letter or digit, but is "Bob"',
        ),
        (ruling(results={}), "results must be an array, but is an object"),
        (
            ruling(results=[{"die": 1, "result": 2}, {"die": 0, "result": 2}]),
            "results, item 2, die must be a whole number from 1 up, but is 0",
        ),
        (ruling(results=[{"die": 1}]), "results, item 1 has no result, which it needs"),
        (
            ruling(results=[{"die": 1, "result": 2, "x": 3}]),
            "results, item 1 has no member x; it can have die, result",
        ),
    ],
)
def test_a_flaw_is_told_with_its_place_and_what_would_be_right(value: Any, problem: str) -> None:
    data = msgspec.json.encode(value)
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(data, type=Ruling)
    assert str(schema_problem(caught.value, data, Ruling)) == problem


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b"\xef\xbb\xbf{}", "it begins with a byte order mark: save it as UTF-8 without one"),
        ('{"a":1}'.encode("utf-16"), "it is UTF-16 text: save it as UTF-8"),
        (b'{"a":"\xff"}', "it is not UTF-8 text: byte 7 belongs to no character"),
        (b'{"a":1', "it is no JSON: it ends too early"),
        (b'{"a":"x', "it is no JSON: it ends too early"),
        (b'{"a":1,}', "it is no JSON: it cannot be read from character 8 on"),
        (b'{\n "a": 1\n "b": 2}', "it is no JSON: line 3 cannot be read from column 2 on"),
        (b"[" * 100_000, "it nests too deep"),
        (b"9" * 5_000, "a number in it has too many digits"),
        (b'{"a":NaN}', "NaN is no JSON number"),
        (b'"\\ud800"', "a text in it has half a character, a surrogate that stands alone"),
        (b'{"a":{"b":1,"b":2}}', 'an object in it has the member "b" twice'),
    ],
)
def test_json_that_cannot_be_read_is_told_with_its_place(data: bytes, problem: str) -> None:
    assert str(json_problem(data, doubled=True)) == problem


def test_json_that_can_be_read_has_no_problem() -> None:
    assert json_problem('{"a": [1, "Ü", null, {}]}'.encode(), doubled=True) is None
    assert json_problem(b'{"a":1,"a":2}') is None


def test_every_pattern_of_a_schema_has_its_meaning_beside_it() -> None:
    roots = [*PROTOCOL_BODIES.values(), Envelope, ScriptFile]
    roots += [schema for id_ in SYSTEMS for schema in (SYSTEMS[id_].options, *SYSTEMS[id_].bodies.values())]
    metas = [meta for root in roots for meta in metas_of(root, set())]
    patterns = {meta.pattern: meta.description for meta in metas if meta.pattern}
    assert len(patterns) >= 6
    assert {pattern for pattern, description in patterns.items() if not description} == set()


def metas_of(type_: Any, seen: set[Any]) -> Iterator[msgspec.Meta]:
    """All bounds below a type, those of the bodies in it too."""
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        if type_ not in seen:
            seen.add(type_)
            for hint in get_type_hints(type_, include_extras=True).values():
                yield from metas_of(hint, seen)
        return
    yield from (meta for meta in getattr(type_, "__metadata__", ()) if isinstance(meta, msgspec.Meta))
    inner = (type_.__origin__,) if hasattr(type_, "__metadata__") else get_args(type_) if get_origin(type_) else ()
    for part in (*inner, *(get_args(type_) if hasattr(type_, "__args__") else ())):
        if part is not Ellipsis and not isinstance(part, str | int | bool):
            yield from metas_of(part, seen)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", '"x"'),
        ("x" * 41, '"' + "x" * 40 + '…"'),
        ("a\x1b[2J\u202e\n", '"a\\u001b[2J\\u202e\\n"'),
        ({"a": [1, None, True]}, '{"a": [1, null, true]}'),
        ([[[[[[[1]]]]]]], "[[[[[…]]]]]"),
        (2**70, str(2**70)),
    ],
)
def test_a_value_is_shown_short_and_harmless(value: Any, text: str) -> None:
    assert quote_value(value) == text
    assert len(quote_value([value] * 1_000)) < 250


@pytest.mark.parametrize("depth", [100, 400, 900, 5_000])
def test_a_deep_script_is_refused_in_words(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    script = (
        '{"format":"rollproof/script/v1","system":"t9a-2022","options":{},"parties":{"host":"keeper","al":"player"},'
        '"events":[],"expect":{"state":{"rolls":%s}}}'
    )
    try:
        read_script = read((script % deep).encode())
    except ScriptError as error:
        assert "nests too deep" in str(error)  # noqa: PT017
    else:
        (problem,) = differences(read_script, run(read_script))
        assert len(str(problem)) < 1_000
