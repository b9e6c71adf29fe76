"""Every clause is shown by a script that holds and one that violates it."""

from typing import Any

from rules import SYSTEMS, Clause, System
from tests.make import clauses as make_clauses
from tests.support.bundles import bundled
from tests.support.scripts import script

CLAUSES = [(system, clause) for system in SYSTEMS.values() for clause in system.clauses]


def told(of: tuple[System[Any], Clause]) -> str:
    return f"{of[0].id}-{of[1].number}"


@bundled("of", CLAUSES, told)
def test_a_clause_has_a_script_that_holds(of: tuple[System[Any], Clause]) -> None:
    system, clause = of
    shown = script(clause.holds).value
    assert shown["system"] == system.id
    assert "violation" not in shown["expect"]


@bundled("of", CLAUSES, told)
def test_a_clause_has_a_script_that_violates_it_or_a_reason_why_none_can(of: tuple[System[Any], Clause]) -> None:
    system, clause = of
    assert bool(clause.violates) != bool(clause.unviolable)
    if clause.violates:
        shown = script(clause.violates).value
        assert shown["system"] == system.id
        assert shown["expect"]["violation"]["clause"] == clause.number


def test_the_table_in_the_specification_is_up_to_date() -> None:
    assert make_clauses.PAGE.read_text() == make_clauses.page(), "run: python -m tests.make.clauses"
