"""Files of several rules scripts: those of the vectors, and the layout that they have (tests.make.scripts)."""

import json
from functools import partial
from typing import Any

import msgspec
import pytest

from rules.script import read, read_file
from tests.make.scripts import differing, laid_out
from tests.support.scripts import FOLDERS, SCRIPTS, scripts

FILES = sorted(SCRIPTS.glob("*/*.json"))
SCRIPT = {
    "format": "rollproof/script/v1",
    "system": "dice-1",
    "options": {},
    "parties": {"host": "keeper", "alice": "player"},
    "events": [{"author": "alice", "type": "roll", "body": {"dice": "d6"}, "naturals": [6]}],
}


def file_of(**members: Any) -> str:
    """A file of two scripts, the first of them with these members too."""
    return json.dumps({"format": "rollproof/scripts/v1", "scripts": {"b": SCRIPT | members, "a.violates": SCRIPT}})


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_file_has_the_scripts_of_one_clause_of_one_system(folder: str) -> None:
    systems = set()
    for path in (path for path in FILES if path.parent.name == folder):
        found = read_file(path.read_bytes())
        assert found == {each.name: read(each.data) for each in scripts(folder) if each.clause == path.stem}
        systems |= {script.system for script in found.values()}
    assert len(systems) == 1


def test_no_other_files_are_there() -> None:
    others = {path.name for path in SCRIPTS.rglob("*") if path.is_file() and path not in FILES}
    assert others == {"README.md"}
    assert len({str(vector) for vector in scripts()}) == len(scripts()) > 3_000


def test_the_files_have_one_layout() -> None:
    assert [path.name for path, _ in differing()] == [], "run: python -m tests.make.scripts"


def test_the_layout_leaves_the_contents_and_itself_as_they_are() -> None:
    text = file_of(about='\u202e \u200d é " \\ \n').replace('"d6"', '["d6", 1.50, 1E2, -0, 12345678901234567890123]')
    told = laid_out(text.encode())
    read_as_written = partial(json.loads, parse_int=str, parse_float=str)
    assert read_as_written(told) == read_as_written(text)
    assert laid_out(told) == told


def test_the_layout_is_sorted_has_an_event_on_a_line_and_shows_everything() -> None:
    event = '{"author": "alice", "type": "roll", "body": {"dice": "d6"}, "naturals": [6]}'
    told = laid_out(file_of(about="é\u202e", expect={"state": {}}).encode()).decode()
    first = '"format": "rollproof/script/v1", "system": "dice-1", "options": {},'
    parties = '"parties": {"host": "keeper", "alice": "player"},'
    assert [line.strip() for line in told.splitlines()] == [
        *("{", '"format": "rollproof/scripts/v1",', '"scripts": {'),
        *('"a.violates": {', first, parties, '"events": [', event, "]", "},"),
        *('"b": {', '"about": "é\\u202e",', first, parties, '"events": [', event, "],", '"expect": {"state": {}}', "}"),
        *("}", "}"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        file_of().replace('"a.violates"', '"b"'),
        file_of().replace('"d6"', "NaN"),
        file_of(more=1),
        file_of()[:-1],
        json.dumps(SCRIPT),
    ],
)
def test_what_is_no_file_of_scripts_is_not_laid_out(text: str) -> None:
    with pytest.raises((ValueError, msgspec.ValidationError)):
        laid_out(text.encode())
