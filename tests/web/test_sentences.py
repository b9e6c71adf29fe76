"""What the page says of an event: the words of the rules' own table, and never the same of two events that differ."""

import json
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.forms.form import forms
from ledger.forms.protocol import SENTENCES as OF_PROTOCOL
from ledger.page.systems import systems_json
from rules import SYSTEMS, Event
from rules.data.sentences import REFERENCES, Say, Sentences
from rules.data.text import plain
from tests.support.made_bodies import made_body
from tests.support.scripts import scripts

PROGRAM = Path(__file__).with_name("sentences.mjs")
SLOT = re.compile(r"\{([#~@]?)(\w+)(:\+d)?\}")
SIGNS = "\u2068\u2069"


def told(events: Sequence[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """What the page makes of events, in Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    (folder / "systems.json").write_bytes(systems_json())
    (folder / "events.json").write_text(json.dumps(events))
    asked = [node, str(PROGRAM), str(folder / "systems.json"), str(folder / "events.json")]
    found: list[dict[str, Any]] = json.loads(subprocess.run(asked, check=True, capture_output=True, timeout=120).stdout)
    return found


def of_vectors() -> Iterator[dict[str, Any]]:
    """Each body of the scripts that a log can have."""
    for script in (vector.value for vector in scripts()):
        system = SYSTEMS.get(script["system"])
        for event in script["events"]:
            if system is None or event["type"] not in system.bodies or "body" not in event:
                continue
            try:
                msgspec.convert(event["body"], system.bodies[event["type"]])
            except (msgspec.ValidationError, ValueError):
                continue
            yield {"system": system.id, "author": "alice", "type": event["type"], "body": event["body"]}


def made() -> Iterator[dict[str, Any]]:
    """Bodies of every kind that no hand thought of."""
    random = Random(29)
    for system in SYSTEMS.values():
        for type_ in system.bodies:
            for form in forms(system, type_):
                for _ in range(25):
                    body = made_body(form.schema, random)
                    yield {"system": system.id, "author": "alice", "type": type_, "body": body}


@pytest.fixture(scope="module")
def events() -> list[dict[str, Any]]:
    found = {}
    for event in (*of_vectors(), *made()):
        body = msgspec.convert(event["body"], SYSTEMS[event["system"]].bodies[event["type"]])
        found[event["system"], event["type"], msgspec.json.encode(body)] = event
    return [*found.values()]


@pytest.fixture(scope="module")
def sentences(events: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return told(events, tmp_path_factory.mktemp("sentences"))


def test_two_events_that_differ_have_sentences_or_details_that_differ(
    events: list[dict[str, Any]], sentences: list[dict[str, Any]]
) -> None:
    """For every body of every system: what stands on a button and in its fold is never the same of two."""
    assert len(events) > 3_000
    same: dict[tuple[str, ...], list[Any]] = defaultdict(list)
    for event, said in zip(events, sentences, strict=True):
        same[event["system"], event["type"], said["button"], said["details"]].append(event["body"])
    assert {key: bodies for key, bodies in same.items() if len(bodies) > 1} == {}


def test_what_a_sentence_leaves_out_stands_beside_it(sentences: list[dict[str, Any]]) -> None:
    """Where a list is cut short or a member untold, the fold is open; most sentences tell all."""
    assert all(not said["whole"] for said in sentences if said["left"])
    assert sum(said["whole"] for said in sentences) > 0.7 * len(sentences)


def test_page_and_command_line_say_the_same(events: list[dict[str, Any]], sentences: list[dict[str, Any]]) -> None:
    """Both readers of the table, without a log, in the form that a log has."""
    differ = []
    for event, said in zip(events, sentences, strict=True):
        system = SYSTEMS[event["system"]]
        body = msgspec.convert(event["body"], system.bodies[event["type"]])
        words = system.summarize(Event(1, "alice", event["type"], body))
        if plain(str(words)).translate({ord(sign): None for sign in SIGNS}) != said["log"].translate(
            {ord(sign): None for sign in SIGNS}
        ):
            differ.append((event, str(words), said["log"]))
    assert differ == []


def test_no_sentence_speaks_as_a_machine(sentences: list[dict[str, Any]]) -> None:
    for said in sentences:
        assert not re.search(r"\bthe number of the\b|undefined|\[object|NaN|\[\w+\|", said["log"]), said
        assert said["button"][:1] == said["button"][:1].upper()


def tables() -> Iterator[tuple[str, Sentences, dict[str, set[str]]]]:
    for system in SYSTEMS.values():
        told_of = json.loads(systems_json())["systems"][system.id]
        members = {name: {each["name"] for each in found["members"]} for name, found in told_of["objects"].items()}
        for type_, kinds in told_of["events"].items():
            for kind in kinds:
                key = f"{type_} {kind['tag']['value']}" if kind["tag"] else type_
                members[key] = {each["name"] for each in kind["members"]}
        yield system.id, system.sentences, members


def ways(found: tuple[Say, ...]) -> Iterator[Say]:
    for way in found:
        yield way
        yield from ways(way.more)


@pytest.mark.parametrize(
    ("name", "table", "members"), [*tables()], ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_table_has_each_kind_and_names_members_that_there_are(
    name: str, table: Sentences, members: dict[str, set[str]]
) -> None:
    assert set(members) - set(table) == set()
    assert set(table) - set(members) == set()
    for key, found in table.items():
        for way in ways(found):
            for sign, slot, _ in SLOT.findall(way.text):
                assert slot in members[key], (key, way)
                assert sign != "@" or slot in REFERENCES, (key, way)
            for condition in way.when.split():
                assert re.sub(r"^!|[=?>].*$", "", condition) in members[key], (key, way)


def test_the_protocols_own_events_are_told(tmp_path: Path) -> None:
    told_of = [
        ("leave", {"party": "alice"}, "Leave the game", "leaves the game"),
        ("leave", {"party": "bob"}, "Take bob out of the game", "takes bob out of the game"),
        ("away", {"party": "bob", "burned": "0" * 64}, "Sign bob away", "signs bob away"),
        ("ruling", {"ruling": "void", "subject": 7, "text": "too late"}, "Rule the roll void (event 7), too late", ""),
    ]
    asked = [{"system": "dice-1", "author": "alice", "type": type_, "body": body} for type_, body, *_ in told_of]
    for said, (_, _, button, in_log) in zip(told(asked, tmp_path), told_of, strict=True):
        assert said["button"] == button
        assert in_log in said["log"]
        assert said["whole"]
    assert {"join", "leave", "away", "back", "close", "void", "ruling", "admit", "consent"} <= set(OF_PROTOCOL)


def test_what_is_referred_to_comes_from_the_log(tmp_path: Path) -> None:
    """“Reroll the 3”: from dice that this browser has verified, and those only."""
    roll = {"seq": 5, "author": "alice", "type": "roll", "ended": "reveal", "naturals": [3, 6, 1]}
    roll["body"] = {"for": "free", "source": "a leap", "dice": "3d6", "rerolls": [{"source": "Luck"}]}
    event = {
        "system": "wh40k-9e",
        "author": "alice",
        "type": "reroll",
        "body": {"roll": 5, "reroll": 1, "dice": [1, 3]},
    }
    again = {
        "seq": 9,
        "type": "reroll",
        "ended": "reveal",
        "author": "alice",
        "naturals": [5, 2],
        "body": event["body"],
    }
    unsure = {**again, "body": {"roll": 5, "command": True}}
    log = {"rolls": [roll], "events": [roll]}
    asked = [
        {**event, "log": log},
        {**event, "log": {"rolls": [roll, again], "events": [roll, again]}},
        {**event, "log": {"rolls": [roll, unsure], "events": [roll, unsure]}},
        {**event, "log": {"rolls": [{**roll, "ended": None}], "events": [roll]}},
        event,
    ]
    assert [said["button"] for said in told(asked, tmp_path)] == [
        "Reroll the 3, 1 (alice: 3d6 for a leap), by Luck",
        "Reroll the 5, 2 (alice: 3d6 for a leap), by Luck",
        "Reroll dice 1, 3 (alice: 3d6 for a leap), by Luck",
        "Reroll dice 1, 3 (alice: 3d6 for a leap), by Luck",
        "Reroll dice 1, 3 (roll 5), by reroll rule 1",
    ]


def test_whose_roll_is_ruled_on_and_which_dice_stands_in_the_words(tmp_path: Path) -> None:
    """Also where nobody said what it is for, and of dice that were rolled again."""
    bodies: list[dict[str, Any]] = [
        {"dice": "2d6"},
        {"dice": "d20", "source": "the gate"},
        {"roll": 5, "dice": [1]},
        {"roll": 4},
    ]
    events = [
        {"seq": seq, "author": "ben", "type": "reroll" if "roll" in body else "roll", "body": body}
        for seq, body in enumerate(bodies, 4)
    ]
    asked = [
        {
            "system": "wh40k-9e",
            "author": "dana",
            "type": "ruling",
            "body": {"ruling": "void", "subject": event["seq"], "text": "late"},
            "log": {"rolls": [], "events": events},
        }
        for event in events
    ]
    assert [said["button"] for said in told(asked, tmp_path)] == [
        "Rule the roll void (ben: 2d6), late",
        "Rule the roll void (ben: d20 for the gate), late",
        "Rule the roll void (ben: dice are rerolled (ben: d20 for the gate)), late",
        "Rule the roll void (ben: dice are rerolled (ben: 2d6)), late",
    ]


def test_no_text_looks_like_two(tmp_path: Path) -> None:
    """Details are told apart where a text has in it what parts one value from the next."""
    body = {"what": "play", "deck": "poker", "items": ["a, b"]}
    deck = {"what": "deck", "deck": "d", "items": [{"item": "a, how many of it there are: 2"}]}
    bodies = [
        body,
        {**body, "items": ["a", "b"]},
        {**body, "items": ["“a”, “b”"]},
        {**body, "items": ["“a, b”"]},
        deck,
        {**deck, "items": [{"item": "a", "count": 2}]},
    ]
    events = [{"system": "dice-1", "author": "alice", "type": "declare", "body": each} for each in bodies]
    assert len({said["details"] for said in told(events, tmp_path)}) == len(bodies)


def test_a_list_that_is_cut_short_is_not_the_whole(tmp_path: Path) -> None:
    """Then what is signed stands open below the button."""
    for count, whole in ((6, True), (7, False)):
        body = {"what": "play", "deck": "poker", "items": [f"card {number}" for number in range(count)]}
        (said,) = told([{"system": "dice-1", "author": "alice", "type": "declare", "body": body}], tmp_path)
        assert said["whole"] is whole
        assert ("1 more" in said["button"]) is not whole
