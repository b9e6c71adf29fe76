"""`ledger/web/core/event-log.js` in Node: what a phone finds in an event's log is what the vectors say."""

import json
import subprocess
from typing import Any

import pytest

from tests.conftest import SPECS
from tests.oracles.reference import canonical
from tests.web.browsers import NODE

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

NOT_LOOKED_AT = {"table.seal", "event.too-long", "type.unknown", "file.version", "file.not-a-log", "file.system"}
"""codes of what a phone's table does not rest on"""


def read(logs: list[list[str]], tables: list[dict[str, Any]]) -> Any:
    assert NODE is not None
    ended = subprocess.run(
        [NODE, "tests/web/event_log.mjs"],
        input=json.dumps({"logs": logs, "tables": tables}),
        cwd=SPECS.parent,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_a_phone_finds_in_the_vectors_what_they_say() -> None:
    vectors = json.loads((SPECS / "vectors" / "event.json").read_text(encoding="utf-8"))
    whole, cases = vectors["event"], vectors["cases"]
    told = read([whole, *([*whole[: case["keep"]], *case["lines"]] for case in cases)], vectors["tables"])
    assert told["found"][0] == {"size": len(whole), "code": None, "root": vectors["root"]}
    assert [canonical(table["event"]).decode() for table in vectors["tables"]] == told["zeros"]
    wrong = []
    for case, found in zip(cases, told["found"][1:], strict=True):
        error = case["error"]
        if error is None:
            expected = (len(whole[: case["keep"]]) + len(case["lines"]), None)
        elif error["code"].startswith(("body.", "line.")) or error["code"] in NOT_LOOKED_AT:
            continue
        else:
            expected = (error["seq"], error["code"])
        if (found["size"], found["code"]) != expected:
            wrong.append((case["about"], expected, found))
    assert wrong == []


def test_a_phone_is_no_worse_for_junk() -> None:
    vectors = json.loads((SPECS / "vectors" / "event.json").read_text(encoding="utf-8"))
    whole = vectors["event"]
    acts = [json.loads(line) for line in whole]
    junk = ["", "[" * 60_000, "{}", "null", "7", '{"body":{"act":{}},"sig":"00"}']
    for line in acts:  # each member of each act away, in turn: the signature does not hold, and nothing throws
        for name in line["body"]["act"]:
            less = {
                **line,
                "body": {**line["body"], "act": {k: v for k, v in line["body"]["act"].items() if k != name}},
            }
            junk.append(canonical(less).decode())
    told = read([[*whole[:5], each] for each in junk], [])
    assert all(found["size"] == 5 and found["code"] for found in told["found"])
    assert {type(found["code"]) for found in told["found"]} == {str}
