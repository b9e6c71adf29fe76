"""The oracles agree with the vectors that they made, and with what others published."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from tests.make import vectors as make_vectors
from tests.oracles import reference, reference_rules
from tests.support.bundles import bundled
from tests.support.scripts import FOLDERS, Vector, script, scripts
from tests.support.sizes import LARGE

VECTORS = Path(__file__).resolve().parents[2] / "specs" / "vectors"


def oracle(folder: str) -> type[reference_rules.Game]:
    """The oracle of a folder of scripts: the class of `reference_FOLDER` that plays a game."""
    module = import_module(f"tests.oracles.reference_{folder}")
    classes = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]
    (found,) = [one for one in classes if issubclass(one, reference_rules.Game)]
    return found


ORACLES = {folder: oracle(folder) for folder in FOLDERS}
MOST_DICE = script("dice/D4--no-end-but-the-bound")
LONG = [vector for vector in scripts() if len(vector.data) > LARGE or vector == MOST_DICE]
LOGS: list[dict[str, Any]] = json.loads((VECTORS / "logs" / "index.json").read_bytes())

# The leaves of the Certificate Transparency reference implementation, and the roots of the first 1 to 8.
LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


@bundled("vector", [vector for vector in scripts() if vector not in LONG])
def test_script(vector: Vector) -> None:
    play(vector)


@pytest.mark.long
@pytest.mark.parametrize("vector", LONG, ids=str)
def test_long_script(vector: Vector) -> None:
    play(vector)


def play(vector: Vector) -> None:
    value = json.loads(vector.data)
    outcome = reference_rules.run_script(value, ORACLES[vector.folder])
    assert set(outcome) == set(value["expect"])
    assert reference_rules.difference(value["expect"], outcome) is None
    assert vector.violates == ("violation" in outcome)


def test_every_script_is_in_the_table() -> None:
    listed = set()
    for line in (VECTORS / "scripts" / "README.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 5:
            listed |= {f"{cells[1]}--{what}" for what in cells[2].split(", ")}
            listed |= {f"{cells[1]}--{what}.violates" for what in cells[3].split(", ")}
    assert {vector.stem for vector in scripts("mtg")} <= listed


@pytest.mark.long
def test_vectors_are_what_the_reference_makes() -> None:
    assert make_vectors.differing(make_vectors.all_files()) == []


def head(note: str) -> tuple[int, str]:
    """Size and root of a checkpoint."""
    _, size, root, *_ = note.split("\n")
    return int(size), base64.b64decode(root).hex()


@bundled("entry", LOGS, lambda entry: str(entry["file"]))
def test_log(entry: dict[str, Any]) -> None:
    data = (VECTORS / "logs" / entry["file"]).read_bytes()
    known = entry.get("expect", {"game": None, "keys": []})
    report = reference.verify(data, known["game"], known["keys"], [head(note) for note in entry.get("receipts", ())])
    assert (report.verdict, report.valid_prefix) == (entry["verdict"], entry["valid_prefix"])
    assert [asdict(finding) for finding in report.findings] == entry["findings"]
    assert "head" not in entry or report.head == entry["head"]
    assert report.trust == entry["trust"]
    for line in data.split(b"\n")[: report.valid_prefix]:
        assert rfc8785.dumps(json.loads(line)) == line


def test_merkle_root() -> None:
    leaves = [reference.leaf(bytes.fromhex(given)) for given in LEAVES]
    assert [reference.root(leaves[:size]).hex() for size in range(1, 9)] == ROOTS
    assert reference.root([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
