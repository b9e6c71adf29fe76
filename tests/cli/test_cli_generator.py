"""Options, and the way back, are made from schemas alone: what is written is read as the same body, whatever it is."""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import UNSET, Meta, UnsetType

import rules
from ledger.cli.argv import arguments_of, options_of
from ledger.errors import UsageError
from ledger.forms.form import Form, forms, option_members
from rules.base import Body, Notation, NotationError
from rules.data.bounds import DieNumbers, Id, Integer, Items, Name, Positive, RequiredText, SomeItems, Text, Yes
from tests import highroll
from tests.highroll.notation import NOTATIONS
from tests.support.cli_typed import Typed, Typist
from tests.support.made_bodies import made_body

ROLES: dict[str, rules.Role] = {"host": "keeper", "alice": "player", "bob": "player"}


class Part(Body, frozen=True):
    """An object with a notation: `+2 source`."""

    source: RequiredText
    amount: Integer


class Left(Body, frozen=True, tag_field="side", tag="left"):
    name: Text


class Right(Body, frozen=True, tag_field="side", tag="right"):
    number: Integer


class Plain(Body, frozen=True):
    """An object without a notation."""

    numbers: Items[Integer]


class Declared(Body, frozen=True, tag_field="what"):
    pass


class DeclareMany(Declared, frozen=True, tag="many"):
    """Everything that there can be several of."""

    dice: DieNumbers
    players: Items[Name] | UnsetType = UNSET
    names: SomeItems[RequiredText] | UnsetType = UNSET
    parts: Items[Part] | UnsetType = UNSET
    sides: Items[Left | Right] | UnsetType = UNSET
    stats: Annotated[dict[Id, Integer], Meta(max_length=3)] | UnsetType = UNSET
    held: dict[Id, Part] | UnsetType = UNSET
    words: Items[Literal["a", "b"]] | UnsetType = UNSET


class DeclareOne(Declared, frozen=True, tag="one"):
    """Everything that there is one of."""

    number: Annotated[Integer, Meta(title="a whole number")]
    text: Text | UnsetType = UNSET
    id: Id | UnsetType = UNSET
    flag: Annotated[Yes, Meta(title="that it is so")] | UnsetType = UNSET
    either: bool | UnsetType = UNSET
    again: Yes | Literal["may"] | UnsetType = UNSET
    scope: Literal["each", "one", "any"] = "each"
    number_or_dash: Positive | Literal["-"] | UnsetType = UNSET
    part: Part | UnsetType = UNSET
    side: Left | Right | UnsetType = UNSET
    plain: Plain | UnsetType = UNSET


class OnlyKind(Body, frozen=True):
    """One kind, with a member that says so."""

    what: Literal["kind"]
    number: Integer


def _parse_part(text: str) -> Any:
    amount, _, source = text.partition(" ")
    try:
        return {"amount": int(amount), "source": source}
    except ValueError:
        raise NotationError("a part is an amount and a source, not {text}", text=repr(text)) from None


def _parse_side(text: str) -> Any:
    side, _, rest = text.partition(" ")
    if side not in ("l", "r"):
        raise NotationError("a side is l or r, not {text}", text=repr(text))
    return {"side": "left", "name": rest} if side == "l" else {"side": "right", "number": int(rest)}


PART = Notation("part", "+2 Card", _parse_part, lambda part: f"{part['amount']} {part['source']}")
SIDE = Notation(
    "side", "r 3", _parse_side, lambda one: f"l {one['name']}" if one["side"] == "left" else f"r {one['number']}"
)


class Every(highroll.HighRoll):
    """High Roll with everything that a schema can have."""

    id = "every-1"
    name = "every"
    bodies: Mapping[str, Any] = {
        "roll": highroll.RollBody,
        "declare": DeclareMany | DeclareOne,
        "modify": OnlyKind,
        "resolve": highroll.ResolveBody,
    }
    notations: Mapping[Any, Notation] = {**NOTATIONS, Part: PART, Left | Right: SIDE}


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rules._HOMES, highroll.HighRoll.id, "tests.highroll:HighRoll")
    monkeypatch.setitem(rules._HOMES, Every.id, "every = tests.cli.test_cli_generator:Every")


@pytest.fixture
def every(monkeypatch: pytest.MonkeyPatch) -> Typist:
    """Types in a game of Every in which nothing is offered, so that nothing is filled in."""
    return typist("every-1", monkeypatch)


def typist(system: str, patch: pytest.MonkeyPatch) -> Typist:
    patch.setattr("ledger.cli.event_input.actions_of", lambda play, party: ())
    found = rules.SYSTEMS[system]
    return Typist(SimpleNamespace(system=found, roles=ROLES, waits_for=lambda: None), 9, patch)  # type: ignore[arg-type]


def types() -> list[tuple[str, str]]:
    found = []
    for system in (*rules.SYSTEMS, highroll.HighRoll.id, Every.id):
        home = {highroll.HighRoll.id: highroll.HighRoll, Every.id: Every}.get(system) or rules.SYSTEMS[system]
        found += [(system, event) for event in home.bodies]
    return found


def same(form: Form, typed: Typed, body: dict[str, Any]) -> bool:
    """Whether a command writes this body: absent members are their defaults."""
    schema = form.system.bodies[form.type]
    return typed.type == form.type and msgspec.convert(typed.body, schema) == msgspec.convert(body, schema)


# --- there and back ------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("system", "type"), types())
def test_what_is_written_is_read_as_the_same_body(system: str, type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    types_in, random = typist(system, monkeypatch), Random(type)
    for form in forms(rules.SYSTEMS[system], type):
        for _ in range(25):
            body = {**form.fixed, **made_body(form.schema, random)}
            arguments = arguments_of(form.system, type, body, "GAME")
            at = arguments.index("--") if "--" in arguments else len(arguments)
            assert same(form, types_in(*arguments[:at], "--as", "alice", *arguments[at:]), body)


@pytest.mark.long
@pytest.mark.parametrize(("system", "type"), types())
def test_options_say_all_that_a_notation_says(system: str, type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    types_in, random = typist(system, monkeypatch), Random(type)
    for form in forms(rules.SYSTEMS[system], type):
        for _ in range(10):
            body = {**form.fixed, **made_body(form.schema, random)}
            arguments = (form.system.name, *form.words, "GAME", *options_of(form, body))
            assert same(form, types_in(*arguments, "--as", "alice"), body)


# --- what is typed ---------------------------------------------------------------------------------------------------

TYPED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("declare many GAME --dice 1,3-5", {"what": "many", "dice": [1, 3, 4, 5]}),
    ("declare many GAME --dice 1 --dice 2", {"what": "many", "dice": [1, 2]}),
    ("declare many GAME --no-dice --players alice,bob", {"what": "many", "dice": [], "players": ["alice", "bob"]}),
    ("declare many GAME --dice 1 --names a --names b,c", {"what": "many", "dice": [1], "names": ["a", "b,c"]}),
    ("declare many GAME --dice 1 --stats x=1 --stats y=-2", {"what": "many", "dice": [1], "stats": {"x": 1, "y": -2}}),
    ("declare one GAME --number -3", {"what": "one", "number": -3}),
    ("declare one GAME --number=3 --flag --either", {"what": "one", "number": 3, "flag": True, "either": True}),
    ("declare one GAME --number 3 --no-either", {"what": "one", "number": 3, "either": False}),
    ("declare one GAME --number 3 --again yes", {"what": "one", "number": 3, "again": True}),
    ("declare one GAME --number 3 --again may", {"what": "one", "number": 3, "again": "may"}),
    ("declare one GAME --number 3 --number-or-dash -", {"what": "one", "number": 3, "number_or_dash": "-"}),
    ("modify kind GAME --number 3", {"what": "kind", "number": 3}),
    ("roll GAME 3d6!", {"dice": "3d6!"}),
    ("roll GAME --dice 3d6", {"dice": "3d6"}),
)


@pytest.mark.parametrize(("line", "body"), TYPED)
def test_what_is_typed_becomes_a_body(every: Typist, line: str, body: dict[str, Any]) -> None:
    assert every("every", *line.split(), "--as", "alice").body == body


def test_objects_are_typed_in_the_systems_notation(every: Typist) -> None:
    many, one = ("every", "declare", "many", "GAME", "--no-dice"), ("every", "declare", "one", "GAME", "--number", "1")
    typed = every(*many, "--parts", "+2 Card", "--parts", "-1 @x", "--as", "bob")
    assert typed.body["parts"] == [{"amount": 2, "source": "Card"}, {"amount": -1, "source": "@x"}]
    typed = every(*one, "--side", "l left of it", "--as", "bob")
    assert typed.body["side"] == {"side": "left", "name": "left of it"}
    typed = every(*one, "--plain", '{"numbers": [1]}', "--as", "bob")
    assert typed.body["plain"] == {"numbers": [1]}, "what has no notation is JSON"


def test_a_file_has_one_object_a_line(every: Typist, tmp_path: Path) -> None:
    file = tmp_path / "parts.txt"
    file.write_text("2 Card\n\n-1 Curse\n", encoding="utf-8")
    typed = every(*["every", "declare", "many", "GAME", "--no-dice", "--parts"], f"@{file}", "--as", "bob")
    assert [part["source"] for part in typed.body["parts"]] == ["Card", "Curse"]
    (tmp_path / "roll.txt").write_text("3d6!\n", encoding="utf-8")
    assert every("roll", "GAME", f"@{tmp_path / 'roll.txt'}", "--as", "bob").body == {"dice": "3d6!"}


def test_a_body_in_json_is_taken_whole(every: Typist) -> None:
    body = {"number": 3, "scope": "any"}
    typed = every(*["every", "declare", "one", "GAME", "--as", "alice", "--body"], json.dumps(body))
    assert typed.body == {"what": "one", **body}


REFUSED = (
    ("declare one GAME --number x", "--number: a whole number is wanted, for example 3; not 'x'"),
    ("declare one GAME --number 1 --scope some", "--scope: any, each or one is wanted, not 'some'"),
    ("declare one GAME --number 1 --again never", "--again: yes or may is wanted, not 'never'"),
    ("declare one GAME --number 1 --number-or-dash x", "--number-or-dash: a whole number or - is wanted"),
    ("declare one GAME --number 1 --part Card", "--part: a part is an amount and a source, not 'Card'"),
    ("declare one GAME --number 1 --plain x", "--plain: JSON is wanted here"),
    ("declare many GAME --dice 1,,2", "--dice: a whole number is wanted"),
    ("declare many GAME --dice 1-99999", "--dice: a whole number is wanted, for example 3; not '1-99999'"),
    ("declare many GAME --dice 1 --no-dice", "give --dice or --no-dice, not both"),
    ("declare many GAME --no-dice --stats x", "--stats takes NAME=N; not 'x'"),
    ("declare one GAME --number 1 --body {}", "--body is all of it"),
    ("declare one GAME --body {", "--body cannot be read: it is no JSON"),
    ("roll GAME 3d6 --dice 4d6", "--dice is said twice, in the line and as an option"),
    ("declare GAME", "No such command 'GAME'"),
    ("frobnicate GAME", "No such command 'frobnicate'"),
)


@pytest.mark.parametrize(("line", "told"), REFUSED)
def test_what_cannot_be_read_is_refused_with_what_would_be_right(every: Typist, line: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        every("every", *line.split(), "--as", "alice")
    assert told in str(caught.value), caught.value


def test_the_options_of_a_game_are_members_of_its_schema() -> None:
    for system in rules.SYSTEMS.values():
        assert {member.name for member in option_members(system)} == set(system.options.__struct_fields__)


@pytest.mark.parametrize(("system", "type"), types())
def test_every_option_says_what_it_means_and_every_object_has_a_notation(system: str, type: str) -> None:
    if system == Every.id:
        return
    for form in forms(rules.SYSTEMS[system], type):
        for member in form.members:
            where = (form.words, member.name)
            assert member.title, where
            assert member.value.shape != "JSON", where
