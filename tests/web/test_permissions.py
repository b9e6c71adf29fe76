"""What a game may permit is declared once in Python and once in JavaScript, and both declarations take the same."""

import json
import shutil
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifier.log.bodies import Permissions

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")

ASK = f"""
import {{ PERMISSIONS }} from {json.dumps((ROOT / "verifier" / "web" / "schema.js").as_uri())};
const values = JSON.parse(process.argv[1]);
const takes = (check) => values.filter((value) => check(value) === null);
const taken = Object.entries(PERMISSIONS).map(([name, check]) => [name, takes(check)]);
console.log(JSON.stringify(Object.fromEntries(taken)));
"""
"""the values among those of the argument that each permission takes, by its name"""


def words() -> list[str]:
    """Every word of the schema in Python, and two that it has not."""
    found = set[str]()

    def look(schema: Any) -> None:
        match schema:
            case {"enum": list(values)}:
                found.update(values)
            case dict():
                for each in schema.values():
                    look(each)

    look(msgspec.json.schema(Permissions))
    assert {"witness", "others", "kept", "all"} <= found
    return [*sorted(found), "keeper", ""]


def takes(name: str, value: Any) -> bool:
    try:
        msgspec.convert({name: value}, Permissions)
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_both_verifiers_take_the_same_permissions() -> None:
    told = words()
    lists = [list(each) for length in (1, 2) for each in product(told, repeat=length)]
    four = ["player", "gm", "witness", "judge"]
    values: list[Any] = [*told, *lists, [], four, [*four, "player"], None, True, 1, {}]
    assert NODE is not None
    command = [NODE, "--input-type=module", "--eval", ASK, json.dumps(values)]
    theirs = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    ours = {name: [v for v in values if takes(name, v)] for name in Permissions.__struct_fields__}
    assert theirs == ours
    assert all(ours.values())
