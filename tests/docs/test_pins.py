"""The libraries of a container: pinned with hashes, and compared with advisories (tests.make.pins)."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.make.pins import EXTRAS, FILE, ROOT, compare, fits, main, make, pins

TEXT = FILE.read_text(encoding="utf-8")
PINS = pins(TEXT)


def wanted(extra: str | None) -> list[Requirement]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [
        Requirement(text)
        for text in (project["dependencies"] if extra is None else project["optional-dependencies"][extra])
    ]


@pytest.mark.parametrize("extra", [None, "client", *EXTRAS.split(",")])
def test_each_library_is_pinned_to_what_is_asked_for(extra: str | None) -> None:
    for requirement in wanted(extra):
        name = canonicalize_name(requirement.name)
        assert name == "rollproof" or PINS[name] in requirement.specifier, requirement


def test_pins_say_nothing_of_where_they_came_from() -> None:
    assert not re.search("://|index|file:|/", TEXT.replace("rollproof[", "").replace("&&", ""))
    assert len(PINS) == TEXT.count("--hash=sha256:") > 30


def test_a_report_of_pip_becomes_pins() -> None:
    def item(name: str, version: str) -> dict[str, Any]:
        archive = {"hashes": {"sha256": "ab" * 32}}
        return {
            "metadata": {"name": name, "version": version},
            "download_info": {"url": "https://x", "archive_info": archive},
        }

    made = make({"install": [item("Zope_X", "2"), item("rollproof", "1"), item("a", "1.0")]})
    assert [line for line in made.splitlines() if "#" not in line] == [
        f"a==1.0 --hash=sha256:{'ab' * 32}",
        f"zope-x==2 --hash=sha256:{'ab' * 32}",
    ]


@pytest.mark.parametrize("line", ["httpx==1", "httpx>=1 --hash=sha256:" + "0" * 64, "httpx==1 --hash=md5:0", "./x"])
def test_what_is_no_pin_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="no pin"):
        pins(line)


def advisory(name: str = "httpx", **affected: Any) -> dict[str, Any]:
    return {
        "id": "TEST-1",
        "summary": "Bad.",
        "affected": [{"package": {"ecosystem": "PyPI", "name": name}, **affected}],
    }


def span(*events: dict[str, str], kind: str = "ECOSYSTEM") -> dict[str, Any]:
    return {"ranges": [{"type": kind, "events": list(events)}]}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (advisory(versions=["0.27.0", "0.28.1"]), True),
        (advisory(versions=["0.28.0"]), False),
        (advisory(**span({"introduced": "0"}, {"fixed": "0.28.2"})), True),
        (advisory(**span({"introduced": "0"}, {"fixed": "0.28.1"})), False),
        (advisory(**span({"introduced": "0.28.1"})), True),
        (advisory(**span({"introduced": "0.29"})), False),
        (advisory(**span({"introduced": "0"}, {"last_affected": "0.28.1"})), True),
        (advisory(**span({"introduced": "0"}, {"last_affected": "0.28.0"})), False),
        (advisory(**span({"introduced": "0"}, {"fixed": "0.5"}, {"introduced": "0.28"}, {"fixed": "0.30"})), True),
        (advisory(**span({"introduced": "0"}, {"fixed": "0.9"}, kind="GIT")), False),
        (advisory(**span({"introduced": "what?"})), True),
        (advisory("HTTPX", versions=["0.28.1"]), True),
        (advisory("httpy", versions=["0.28.1"]), False),
        (advisory(versions=["0.28.1"]) | {"withdrawn": "2026-01-01T00:00:00Z"}, False),
        ({"affected": [{"package": {"ecosystem": "npm", "name": "httpx"}, "versions": ["0.28.1"]}]}, False),
        ({}, False),
    ],
)
def test_an_advisory_is_for_the_versions_that_it_says(given: dict[str, Any], found: bool) -> None:
    assert fits(given, "httpx", "0.28.1") is found


def test_the_command_tells_what_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "one.json").write_text(json.dumps(advisory(versions=[PINS["httpx"]])))
    (tmp_path / "two.json").write_text(json.dumps([advisory("litestar", **span({"introduced": "99"}))]))
    assert main(["--advisories", str(tmp_path / "two.json")]) == 0
    assert main(["--advisories", str(tmp_path / "all"), str(tmp_path / "two.json")]) == 1
    assert f"httpx {PINS['httpx']}: TEST-1: Bad." in capsys.readouterr().out
    assert compare(PINS, []) == 2
    words = [sys.executable, "-m", "tests.make.pins", "--advisories", str(tmp_path / "all")]
    assert subprocess.run(words, cwd=ROOT, capture_output=True, check=False).returncode == 1


PIP_AUDIT = """import json, pathlib, sys
assert "--require-hashes" in sys.argv and "--disable-pip" in sys.argv
assert "--hash=sha256:" in pathlib.Path(sys.argv[sys.argv.index("--requirement") + 1]).read_text()
"""


@pytest.mark.parametrize(
    ("program", "code", "says"),
    [
        (None, 2, "pip-audit is not installed"),
        ("sys.exit('ConnectionError: no way to the service')", 2, "no way to the service"),
        ("print('{}')", 2, "did not say: it said nothing"),
        ("print(json.dumps({'dependencies': []}))", 2, "0 of 0"),
        (
            "print(json.dumps({'dependencies': [{'name': 'httpx', 'version': '1', 'vulns': []}]}))",
            0,
            "0 advisories fit",
        ),
        ("print(json.dumps({'dependencies': [{'name': 'httpx', 'skip_reason': 'none'}]}))", 2, "0 of "),
        (
            "print(json.dumps({'dependencies': [{'name': 'httpx', 'version': '1', 'vulns': "
            "[{'id': 'TEST-2', 'fix_versions': ['2']}]}]})); sys.exit(1)",
            1,
            "httpx 1: TEST-2: mended in 2",
        ),
    ],
    ids=["not-there", "not-reached", "odd", "empty", "none", "nobody-asked", "one"],
)
def test_one_command_asks_pip_audit_or_says_why_not(tmp_path: Path, program: str | None, code: int, says: str) -> None:
    (tmp_path / "pip_audit.py").write_text(
        "raise ModuleNotFoundError('No module named pip_audit')" if program is None else f"{PIP_AUDIT}{program}"
    )
    words = [sys.executable, "-m", "tests.make.pins", "--audit"]
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")
    assert says in done.stdout
