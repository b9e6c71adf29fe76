"""What every system of the list must bring, declared (specs/adding-a-system.md)."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ledger.forms.form import forms
from rules import SYSTEMS, System
from rules.scene import scene_of
from tests.make import clauses as make_clauses
from tests.oracles.test_oracles import ORACLES

ROOT = Path(__file__).parents[2]


def folder(system: System[Any]) -> str:
    """The name of its folder of vectors, which its oracle and its tests have too."""
    (name,) = {clause.holds.partition("/")[0] for clause in system.clauses}
    return name


def has_a_page(system: System[Any]) -> bool:
    """One page says that it is this system's."""
    return make_clauses.page_of(system).exists()


def has_clauses(system: System[Any]) -> bool:
    """Its text, clause by clause, each once."""
    numbers = [clause.number for clause in system.clauses]
    return bool(numbers) and len(numbers) == len(set(numbers))


def has_vectors_of_both_kinds(system: System[Any]) -> bool:
    """For each clause scripts that hold, and scripts that violate it or a reason why none can."""
    holds, violates = make_clauses.vectors(system.id)
    return all(holds[c.number] and (violates[c.number] or c.unviolable) for c in system.clauses)


def has_an_oracle(system: System[Any]) -> bool:
    """Written from the page alone, and run on all of its vectors."""
    return (ROOT / "tests" / "oracles" / f"reference_{folder(system)}.py").exists() and folder(system) in ORACLES


def has_a_differential_test(system: System[Any]) -> bool:
    """Random games, played by the code and by somebody else's."""
    name = OTHERWISE_NAMED.get(folder(system), f"test_{folder(system)}_differential.py")
    return "naturals" in (ROOT / "tests" / "oracles" / name).read_text()


def has_a_test_of_its_actions(system: System[Any]) -> bool:
    """Sound, complete and exact, over its vectors and over random games."""
    return "check_complete" in (ROOT / "tests" / "rules" / f"test_actions_{folder(system)}.py").read_text()


def has_words_for_its_members(system: System[Any]) -> bool:
    """A notation for its rolls, or nothing to write; and every event on a line."""
    return bool(system.notations) and callable(system.summarize)


def has_titles(system: System[Any]) -> bool:
    """For each kind of body, and for nothing that is none."""
    kinds = {" ".join(form.words) for event in system.bodies for form in forms(system, event)}
    events = {title for title in system.titles if title.split(" ")[0] in system.bodies}
    return kinds == events


def has_a_scene(system: System[Any]) -> bool:
    """With one keeper and somebody who rolls."""
    roles = list(scene_of(system).roles.values())
    return roles.count("keeper") == 1 and bool(system.rollers & set(roles))


BRINGS: Mapping[str, Callable[[System[Any]], bool]] = {
    "page": has_a_page,
    "clauses": has_clauses,
    "vectors of both kinds": has_vectors_of_both_kinds,
    "oracle": has_an_oracle,
    "differential test": has_a_differential_test,
    "actions test": has_a_test_of_its_actions,
    "notation": has_words_for_its_members,
    "titles": has_titles,
    "scene": has_a_scene,
}
"""What a system must bring, as specs/adding-a-system.md lists it."""

OTHERWISE_NAMED = {"mtg": "test_properties.py"}
"""differential tests that are not called test_NAME_differential.py"""


@pytest.mark.parametrize("what", BRINGS)
@pytest.mark.parametrize("id_", SYSTEMS)
def test_a_system_brings(id_: str, what: str) -> None:
    assert BRINGS[what](SYSTEMS[id_])


@pytest.mark.parametrize("what", BRINGS)
def test_the_guide_lists_it(what: str) -> None:
    assert f"**{what}**" in (ROOT / "specs" / "adding-a-system.md").read_text().lower()
