"""What a rules script shows to be refused was not offered before, in any system (specs/rules.md, "Actions").

This is the property “exact” over the vectors. Where actions are made by the very check that refuses, a check that is
gone takes its refusals and what is not offered with it, and games made from either notice nothing; the scripts do.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from rules.actions import Action, Field, Free, Records, fits
from rules.offered import offered
from rules.script import read, run
from tests.support.actions import without_claims
from tests.support.bundles import bundled
from tests.support.scripts import Vector, scripts

REFUSED = [vector for vector in scripts() if vector.violates]


def listed(fields: tuple[Field, ...], body: dict[str, Any]) -> Iterator[str]:
    """The clauses of the free fields that a body fills in."""
    for one in fields:
        match one.domain:
            case Free(clauses=clauses) if one.name in body:
                yield from clauses
            case Records(fields=inner):
                for entry in body.get(one.name, ()):
                    yield from listed(inner, entry)


def offers(action: Action, type_: str, body: dict[str, Any]) -> bool:
    return action.type == type_ and fits(action, body)


@bundled("vector", REFUSED)
def test_what_a_script_refuses_was_not_offered(vector: Vector) -> None:
    script = vector.value
    violation = script["expect"]["violation"]
    if violation.get("code", "rules.violation") != "rules.violation" or violation["clause"] is None:
        pytest.skip("it is not the rules that refuse")
    before = {name: value for name, value in script.items() if name != "expect"}
    seq = violation["seq"]
    *earlier, event = script["events"][:seq]
    outcome = run(read(json.dumps(before | {"events": earlier}).encode()))
    assert outcome.violation is None
    body = event["body"]
    if without_claims(outcome.session, event["type"], body) != body:
        pytest.skip("what was announced is no field")
    for action in offered(outcome.session, event["author"], seq):
        if offers(action, event["type"], body):
            assert violation["clause"] in set(listed(action.fields, body)), action
