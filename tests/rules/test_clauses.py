"""Every clause is shown by a script that holds and one that violates it."""

import json
from typing import Any

import pytest

from rules import SYSTEMS, Clause, System
from tests.make import clauses as make_clauses

CLAUSES = [(system, clause) for system in SYSTEMS.values() for clause in system.clauses]
IDS = [f"{system.id}-{clause.number}" for system, clause in CLAUSES]


def script(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((make_clauses.SCRIPTS / f"{name}.json").read_text())
    return value


@pytest.mark.parametrize(("system", "clause"), CLAUSES, ids=IDS)
def test_a_clause_has_a_script_that_holds(system: System[Any], clause: Clause) -> None:
    shown = script(clause.holds)
    assert shown["system"] == system.id
    assert "violation" not in shown["expect"]


@pytest.mark.parametrize(("system", "clause"), CLAUSES, ids=IDS)
def test_a_clause_has_a_script_that_violates_it_or_a_reason_why_none_can(system: System[Any], clause: Clause) -> None:
    assert bool(clause.violates) != bool(clause.unviolable)
    if clause.violates:
        shown = script(clause.violates)
        assert shown["system"] == system.id
        assert shown["expect"]["violation"]["clause"] == clause.number


def test_the_table_in_the_specification_is_up_to_date() -> None:
    assert make_clauses.PAGE.read_text() == make_clauses.page(), "run: python -m tests.make.clauses"
