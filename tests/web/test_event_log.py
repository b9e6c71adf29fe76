"""Events and bundles in Node: all that Python says of them, and no exception for whatever is damaged."""

import io
import json
import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tests.conftest import SPECS
from tests.make.bundles import bundle_of
from tests.make.event import whole
from tests.oracles.reference import canonical, leaf
from tests.web.browsers import NODE
from tests.web.event_damage import damaged_bundle, damaged_event
from verifier import Pins, Report
from verifier.event.acts import MAX_BEHIND
from verifier.event.bundle import is_bundle, verify_bundle
from verifier.event.replay import is_event_line
from verifier.event.verification import verify_event
from verifier.language import translator
from verifier.shell.audit import AuditOptions, audit_result
from verifier.shell.files import Brought

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

WEB = SPECS.parent / "tests" / "web"
COMPARED = ("code", "severity", "step", "seq", "fault", "clause")
OTHER_WORDS = (
    "line.malformed",
    "body.malformed",
    "open.terms",
    "table.fails",
    "bundle.names",
    "bundle.malformed",
    "receipt.malformed",
)
"""codes whose messages say in words of their own what is wrong inside of a line or file"""
OF_KEYS = ("appoint.person", "player.key")


def vectors(name: str) -> Any:
    return json.loads((SPECS / "vectors" / name).read_text(encoding="utf-8"))


def events() -> list[bytes]:
    """Every event log of the vectors: the whole one first."""
    found = vectors("event.json")
    whole = found["event"]
    all_lines = [whole, *([*whole[: case["keep"]], *case["lines"]] for case in found["cases"])]
    return ["".join(f"{line}\n" for line in lines).encode() for lines in all_lines]


def bundles() -> list[bytes]:
    found = vectors("bundles.json")
    return [bundle_of(found, case) for case in found["cases"]]


def in_node(files: list[bytes], folder: Path) -> Iterator[Any]:
    assert NODE is not None
    packed = folder / "files"
    packed.write_bytes(b"".join(struct.pack(">I", len(data)) + data for data in files))
    ended = subprocess.run([NODE, WEB / "run.mjs", "packed", packed], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-2_000:]
    return map(json.loads, ended.stdout.splitlines())


def in_python(data: bytes) -> Report | None:
    if is_bundle(data):
        return verify_bundle(io.BytesIO(data))
    return verify_event(data)[0] if is_event_line(data.split(b"\n", 1)[0]) else None


def words(finding: Any) -> str:
    own = finding["code"] in OTHER_WORDS or (finding["code"] in OF_KEYS and "this key:" in finding["message"])
    return "" if own else str(finding["message"])


def said(report: Any) -> Any:
    """What both must say."""
    of_table = ("expected", "actual")  # of other findings it is not said in the same words
    findings = [
        [*(each[name] for name in COMPARED), words(each), *(each[n] for n in of_table if each["code"] == "table.terms")]
        for each in report["findings"]
    ]
    return [
        *(report[name] for name in ("kind", "verdict", "game", "events", "valid_prefix", "head", "trust")),
        findings,
    ]


def is_of_options(data: bytes, theirs: Any) -> bool:
    """Return whether Python refuses the options of line 0: only the systems know theirs."""
    found = next((each for each in theirs["findings"] if each["severity"] == "error"), None)
    if found is None or (found["code"], found["seq"]) != ("open.terms", 0):
        return False
    lines = (line for line in data.split(b"\n") if line.startswith(b'{"author"'))
    return bool(json.loads(next(lines))["body"]["act"]["options"] != {"planechase": False})


def compare(files: list[bytes], folder: Path) -> Counter[str]:
    """Check that Python and JavaScript say the same of each file."""
    outcomes: Counter[str] = Counter()
    for at, (data, mine) in enumerate(zip(files, in_node(files, folder), strict=True)):
        report = in_python(data)
        if report is None:
            assert mine["kind"] == "log", at
            continue
        theirs = msgspec.to_builtins(report)
        if is_of_options(data, theirs):
            outcomes["options, which take the rules"] += 1
            continue
        if said(mine) != said(theirs) or mine["event"] != theirs["state"]:
            (folder / "differs").write_bytes(data)
            raise AssertionError(f"{at}: {folder / 'differs'}\n{said(mine)}\n{said(theirs)}")
        outcomes[report.error.code if report.error else "holds"] += 1
    return outcomes


@pytest.mark.long
def test_all_of_the_vectors_is_said_as_python_says_it(tmp_path: Path) -> None:
    found = compare([*events(), *bundles()], tmp_path)
    assert found["holds"] > 5
    assert len(found) > 40


def test_of_a_game_that_is_not_whole_no_changes_are_told(tmp_path: Path) -> None:
    damaged = []
    for data in bundles():
        report = in_python(data)
        if report is None or not any(found.code == "table.changed" for found in report.findings):
            continue
        head, rest = data.split(b"\n", 1)
        games = [each for each in json.loads(head)["files"] if each["name"].endswith(".jsonl") and "/" in each["name"]]
        damaged += [head.replace(each["sha256"].encode(), b"0" * 64) + b"\n" + rest for each in games]
    assert damaged
    assert compare(damaged, tmp_path)["bundle.file"] == len(damaged)


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_what_was_changed_at_tables_is_told_in_the_words_of_python(language: str) -> None:
    assert NODE is not None
    found = vectors("bundles.json")
    (case,) = [case for case in found["cases"] if case["about"] == "a table at which a judge changed rolls and parties"]
    data, translate = bundle_of(found, case), translator(language)
    ended = subprocess.run([NODE, WEB / "event_changes.mjs", language], input=data, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr
    report = verify_bundle(io.BytesIO(data), translate=translate)
    told = audit_result(report, AuditOptions(Pins(), Brought()), translate).text.splitlines()
    mine = ended.stdout.decode().splitlines()
    assert len(mine) == 6
    assert mine == [line.strip() for line in told if line.strip() in mine]


@pytest.mark.long
def test_an_act_that_comes_too_late_is_refused_and_one_in_time_is_taken(tmp_path: Path) -> None:
    """Over more lines than the vectors have: `upon` is one of the MAX_BEHIND lines before."""
    event = whole()
    lines = [*event.lines]
    for count, refused in ((MAX_BEHIND, None), (MAX_BEHIND + 1, "act.upon")):
        writer = event.copy(len(lines) - 1)  # without its close
        upon = leaf(writer.lines[-1]).hex()
        for _ in range(count - 1):
            writer.write("olga", "penalty", {"number": 1, "penalty": "warning", "text": "late"})
        writer.write("olga", "close", {}, upon=upon)
        found = compare([writer.data], tmp_path)
        assert found == ({refused: 1} if refused else {"holds": 1})


def test_event_zero_of_each_table_follows_from_the_log() -> None:
    assert NODE is not None
    found = vectors("event.json")
    given = json.dumps({"lines": found["event"], "tables": found["tables"]})
    ended = subprocess.run([NODE, WEB / "event_log.mjs"], input=given, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert [canonical(table["event"]).decode() for table in found["tables"]] == json.loads(ended.stdout)


@pytest.mark.slow
def test_damaged_events_and_bundles_are_judged_alike(tmp_path: Path) -> None:
    random = Random(1)
    found = compare(
        [*(damaged_event(random) for _ in range(250)), *(damaged_bundle(random) for _ in range(50))], tmp_path
    )
    assert len(found) > 20, found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_damaged_events_and_bundles_are_judged_alike(seed: int, tmp_path: Path, record_property: Any) -> None:
    random = Random(seed)
    files = [*(damaged_event(random) for _ in range(400)), *(damaged_bundle(random) for _ in range(100))]
    record_property("damaged events and bundles, beside Python", sum(compare(files, tmp_path).values()))


def test_a_bundle_that_nests_or_promises_much_is_no_bomb(tmp_path: Path) -> None:
    deep = b'{"bundle":' + b"[" * 1_000_000
    long = b'{"bundle":"' + b"x" * 17_000_000
    line = b'{"author":"hall","body":{"act":' + b"[" * 60_000
    whole = events()[0]
    compare([deep, long, line, whole + line, whole + line + b"\n", whole + b"x" * 200_000 + b"\n"], tmp_path)
