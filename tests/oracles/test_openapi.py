"""The OpenAPI document, read whole by validators from npm (tests/oracles/node).

They share nothing with what makes the document. `NODE_PATH` says where they were installed.
"""

import copy
import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ledger.server.app import HANDLERS
from ledger.server.openapi import describe_paths

NODE = Path(__file__).parent / "node"
VECTORS = Path(__file__).parents[2] / "specs" / "vectors"


@cache
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(describe_paths(HANDLERS)))
    return found


def judged(document: dict[str, Any], cases: list[dict[str, Any]]) -> dict[str, Any]:
    """What the validators say of a document, and of values against its schemas."""
    given = json.dumps({"document": document, "cases": cases})
    try:
        done = subprocess.run(["node", NODE / "openapi.js"], input=given, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("Node is not here")
    if "Cannot find module" in done.stderr:
        pytest.skip("the peers are not installed (tests/oracles/node)")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def pointer(*steps: str) -> str:
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def body_of(path: str) -> str:
    return pointer("paths", path, "post", "requestBody", "content", "application/json", "schema")


@pytest.mark.long
def test_a_validator_of_javascript_takes_the_document_and_its_examples() -> None:
    """And refuses each example with a member that is wrong, so a schema that takes anything is found."""
    cases = []
    for path, operations in document()["paths"].items():
        content = operations.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json")
        if content is not None:
            cases.append({"at": body_of(path), "value": content["example"]})
    good = len(cases)
    assert good >= 12
    signed = [case for case in cases if "sig" in case["value"]]
    cases += [{**case, "value": {**case["value"], "sig": case["value"]["sig"] + "\n"}} for case in signed]
    found = judged(document(), cases)
    assert found["valid"], found["errors"]
    assert found["version"] == "3.1"
    assert found["schemas"] == len(document()["components"]["schemas"])
    assert [each for each in found["cases"][:good] if not each["holds"]] == []
    assert len(cases) > good
    assert not any(each["holds"] for each in found["cases"][good:])


@pytest.mark.long
def test_the_validator_refuses_a_document_that_is_none() -> None:
    broken = copy.deepcopy(document())
    broken["paths"]["/v1/server"]["get"]["parameters"] = [{"name": "x", "in": "nowhere"}]
    assert not judged(broken, [])["valid"]


def test_patterns_are_those_of_javascript() -> None:
    """No `\\A` and `\\Z`: with the flag `u` they are errors, and without it they are letters."""
    patterns: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            patterns.extend(each for name, each in value.items() if name == "pattern" and isinstance(each, str))
            for each in value.values():
                walk(each)
        elif isinstance(value, list):
            for each in value:
                walk(each)

    walk(document())
    assert len(patterns) > 10
    assert not any(r"\A" in each or r"\Z" in each for each in patterns)


def test_repeats_headers_and_the_events_of_streams_are_described() -> None:
    paths = document()["paths"]
    repeated = (
        *("/tables", "/tables/{table}/seats", "/tables/{table}/invites", "/tables/{table}/start"),
        *("/tables/{table}/close", "/games/{game}/lines", "/games/{game}/openings"),
    )
    for path in repeated:
        answers = paths[f"/v1{path}"]["post"]["responses"]
        assert answers["200"]["content"] == answers["201"]["content"], path
    assert "Rollproof-Size" in paths["/v1/games/{game}/log"]["get"]["responses"]["200"]["headers"]
    stream = paths["/v1/games/{game}/stream"]["get"]
    assert {each["name"] for each in stream["parameters"]} == {"game", "from", "Last-Event-ID"}
    events = stream["responses"]["200"]["content"]["text/event-stream"]["x-events"]
    page = (VECTORS.parent / "network.md").read_text(encoding="utf-8").split("\n## The stream\n")[1].split("\n## ")[0]
    for name in events:
        assert f"\n| `{name}`" in page, name
    assert set(events) == {"line", "checkpoint", "opening", "received", "here", "bye"}
    for operation in (each for operations in paths.values() for each in operations.values()):
        assert "Retry-After" in operation["responses"]["default"]["headers"]
