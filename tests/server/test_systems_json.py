"""What a page knows of the rules is enough to put every event into words, and to make a form (specs/page.md)."""

import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from ledger.forms.form import forms
from ledger.page.systems import systems_json, systems_words
from rules import SYSTEMS
from tests.support.made_bodies import made_body
from verifier.language import languages, translator
from verifier.log.bodies import PROTOCOL_BODIES

TOLD: Mapping[str, Any] = json.loads(systems_json())


def said(value: Any, of: Mapping[str, Any], objects: Mapping[str, Any]) -> str:  # noqa: C901 - a case for each kind
    """A value of a body in words, made from `systems.json` alone. Raises LookupError where it has none for it."""
    match of["kind"]:
        case "integer" if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        case "text" if isinstance(value, str):
            return value
        case "boolean" if isinstance(value, bool):
            return "yes" if value else "no"
        case "literal":
            titles = {(type(one["value"]), one["value"]): str(one["title"]) for one in of["values"]}
            return titles[type(value), value]
        case "array" if isinstance(value, list):
            return "; ".join(said(item, of["items"], objects) for item in value)
        case "mapping" if isinstance(value, dict):
            return "; ".join(f"{name} {said(item, of['values'], objects)}" for name, item in value.items())
        case "object" if isinstance(value, dict):
            return said_object(value, objects[of["object"]], objects)
        case "one-of":
            for one in of["values"]:
                try:
                    return said(value, one, objects)
                except LookupError:
                    continue
    raise LookupError(of["kind"], value)


def said_object(value: Mapping[str, Any], found: Mapping[str, Any], objects: Mapping[str, Any]) -> str:
    tag = found["tag"]
    if tag is None:
        return ", ".join(said_members(value, found["members"], objects))
    if value.get(tag["name"]) != tag["value"]:
        raise LookupError(tag)
    rest = {name: item for name, item in value.items() if name != tag["name"]}
    return ", ".join([str(tag["title"]), *said_members(rest, found["members"], objects)])


def said_members(body: Mapping[str, Any], members: list[Any], objects: Mapping[str, Any]) -> list[str]:
    known = {member["name"]: member for member in members}
    assert body.keys() <= known.keys()
    assert {name for name, member in known.items() if member["required"]} <= body.keys()
    return [f"{known[name]['title']}: {said(value, known[name]['value'], objects)}" for name, value in body.items()]


@pytest.mark.parametrize("id_", SYSTEMS)
def test_every_body_can_be_put_into_words(id_: str) -> None:
    system, told, random = SYSTEMS[id_], TOLD["systems"][id_], Random(id_)
    assert set(told["events"]) == set(system.bodies)
    for event in system.bodies:
        kinds = told["events"][event]
        for form, kind in zip(forms(system, event), kinds, strict=True):
            assert (kind["tag"] or {}).get("value") == form.tag
            assert kind["title"]
            for _ in range(20):
                members = {n: v for n, v in made_body(form.schema, random).items() if n != form.tag_field}
                assert all(said_members(members, kind["members"], told["objects"]))


@pytest.mark.parametrize("language", languages())
def test_each_text_has_its_words_in_every_language(language: str) -> None:
    """What reads alike in both has letters from values and abbreviations alone."""
    words = systems_words(translator(language))
    assert len(words) > 600
    text = systems_json().decode()
    assert all(json.dumps(each, ensure_ascii=False) in text for each in words)
    same = [
        each for each, told in words.items() if told == each and re.search(r"[a-z]{3}", re.sub(r"\{.*?\}", "", each))
    ]
    assert len(same) < 40


def test_members_and_kinds_of_the_protocol_are_called_something() -> None:
    events = TOLD["protocol"]["events"]
    assert set(events) == set(PROTOCOL_BODIES)
    everything = [*(kind for kinds in events.values() for kind in kinds), *TOLD["protocol"]["objects"].values()]
    assert all(member["title"] for kind in everything for member in kind["members"])


def test_options_make_a_form() -> None:
    options = {o["name"]: o for o in TOLD["systems"]["wh40k-9e"]["options"]}
    assert options["fast_rolling"]["required"]
    assert options["command_reroll"]["default"] is True
    assert options["fast_saves"]["value"] == {"kind": "boolean"}


def test_what_can_be_written_on_a_line_has_an_example() -> None:
    for id_, told in TOLD["systems"].items():
        rolls = [kind["line"] for kind in told["events"]["roll"] if kind["line"]]
        assert rolls, id_
        assert all(line["example"] and line["grammar"] for line in rolls)
