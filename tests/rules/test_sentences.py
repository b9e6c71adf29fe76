"""Sentences as players type them, of guides, logs and tables: each is read rightly, or refused with what is right.

`sentences.json` says of each where it is from, and what is right: `read`, the whole body, with `shown` what is told of
it before anything is signed, if anything is; or `refused`, with what the refusal has to offer. Sources are public, but
`own` ones; those of `japanese` are guides, logs and programs in that language.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ledger.forms.form import Form, short_forms
from ledger.forms.readback import read_back
from rules import SYSTEMS
from rules.base import NotationError
from rules.common.free_text import narrow
from tests.support.bundles import bundled

FILE: dict[str, Any] = json.loads((Path(__file__).parent / "sentences.json").read_text(encoding="utf-8"))
SENTENCES: list[dict[str, Any]] = FILE["sentences"]
DICE, MAGIC = "dice-1", "mtg-706-2023-11-17"


def sentence(entry: dict[str, Any]) -> str:
    return f"{entry['system']}: {entry['sentence']}"


def read(system: str, sentence: str) -> tuple[list[tuple[Form, dict[str, Any]]], str]:
    """The bodies of a roll that a sentence can be, and what is told by those who refuse it."""
    bodies, refusals = [], []
    for form in short_forms(SYSTEMS[system]):
        try:
            bodies.append((form, form.parsed(sentence)))
        except NotationError as problem:
            refusals.append(str(problem))
    return bodies, " ".join(refusals)


@bundled("entry", SENTENCES, sentence)
def test_a_sentence_is_read_rightly_or_refused_with_what_would_be_right(entry: dict[str, Any]) -> None:
    bodies, refusals = read(entry["system"], entry["sentence"])
    if "refused" in entry:
        assert bodies == []
        assert entry["refused"] in refusals
        return
    ((_, body),) = bodies
    assert body == entry["read"]
    shown = read_back(SYSTEMS[entry["system"]], (), "roll", body)
    assert entry["shown"] in str(shown) if "shown" in entry else shown is None


@bundled("entry", [one for one in SENTENCES if "read" in one], sentence)
def test_what_was_read_is_written_as_a_line_that_reads_so(entry: dict[str, Any]) -> None:
    ((form, body),) = read(entry["system"], entry["sentence"])[0]
    assert form.line(body) is not None


def test_there_are_enough_of_every_system_and_language() -> None:
    public = [entry for entry in SENTENCES if entry["source"] not in FILE["own"]]
    count = {system: sum(entry["system"] == system for entry in public) for system in SYSTEMS}
    assert min(count.values()) >= 9
    assert len(public) >= 250
    assert sum(entry["source"] in FILE["japanese"] for entry in public) >= 100
    assert sum(not entry["sentence"].isascii() for entry in SENTENCES) >= 50
    assert {entry["source"] for entry in SENTENCES} <= set(FILE["sources"])
    assert len({(entry["system"], entry["sentence"]) for entry in SENTENCES}) == len(SENTENCES)


@bundled("entry", [one for one in SENTENCES if "refused" in one], sentence)
def test_a_line_that_is_offered_is_read(entry: dict[str, Any]) -> None:
    """By one kind of roll, as it stands; it has the dice that were typed."""
    system, typed = entry["system"], _dice(entry["sentence"])
    for offered in offered_for(system, entry["sentence"]):
        assert len(read(system, offered)[0]) == 1
        if system in (DICE, MAGIC) and typed and not any("d66" in one for one in typed):
            assert _dice(offered) == typed


def offered_for(system: str, sentence: str) -> set[str]:
    """The lines that the refusals of a sentence offer."""
    found: set[str] = set()
    for form in short_forms(SYSTEMS[system]):
        with pytest.raises(NotationError) as refused:
            form.parsed(sentence)
        found.update(refused.value.lines)
    return found


def test_every_system_offers_lines() -> None:
    offering = {one["system"] for one in SENTENCES if "refused" in one and offered_for(one["system"], one["sentence"])}
    assert offering == set(SYSTEMS)


def _dice(line: str) -> list[str]:
    """The dice in a line, in order; blanks within them are left out."""
    return re.findall(
        r"(?<![a-z])(?!1d)[0-9]*d[0-9]+|(?<=1)d[0-9]+",
        re.sub(
            r"^([0-9]+) (?=d)|(?<![a-z]d)(?<=d) (?=[0-9])",
            r"\1",
            narrow(line).lower().replace("roll ", "").replace("two ", "2"),
        ),
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a: melee Chainsword at boyz, A3 S4", "stands in the profile"),
        ("a: Gun at boyz, A3 S4, hit 3+", "3+ is no change"),
        ("2d6 charge", "2d6 sum for charge"),
        ("roll-off 4+", "is no roll-off"),
    ],
)
def test_a_line_of_many_kinds_is_refused_as_the_kind_that_it_begins_as(line: str, told: str) -> None:
    """Whichever refusal a program tells, the first or the last."""
    for form in short_forms(SYSTEMS["wh40k-9e"]):
        with pytest.raises(NotationError, match=re.escape(told)):
            form.parsed(line)
