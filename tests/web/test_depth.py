"""However deep a file nests, both verifiers end with the same verdict (specs/log.md, specs/verification.md step 5)."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.data.jsontext import MAX_DEPTH
from tests.conftest import SPECS
from tests.web.test_verifier import beside, compare_logs, run
from verifier.disputes.evidence import verify_evidence
from verifier.log.format import MAX_LINE

VECTORS = SPECS / "vectors"
LOG = (VECTORS / "logs" / "holds--rejected-bytes.jsonl").read_bytes()
BAD = (VECTORS / "logs" / "signature.invalid--edited-by-keeper.jsonl").read_bytes()
DEPTHS = (3, MAX_DEPTH - 2, MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, 30_000)


def nested(depth: int) -> list[bytes]:
    """Values of so many levels: arrays, objects, both in turns; short enough for a line."""
    arrays = b"[" * depth + b"]" * depth
    objects = b'{"a":' * (depth - 1) + b"{}" + b"}" * (depth - 1)
    mixed = b'[{"a":' * (depth // 2) + b"[]" * (depth % 2) + b"1" * (1 - depth % 2) + b"}]" * (depth // 2)
    return [value for value in (arrays, objects, mixed) if len(value) < MAX_LINE - 600]


def hostile_lines(line: bytes, depth: int) -> list[bytes]:
    """A line with something deep in it: as the whole, a body, in a body, in a member that is doubled or unknown."""
    event = json.loads(line)
    lines: list[bytes] = []
    for value in nested(depth):
        lines.append(value)
        for member in ("body", "type"):
            shallow = json.dumps({**event, member: "@"}, separators=(",", ":"), sort_keys=True).encode()
            lines.append(shallow.replace(b'"@"', value))
            lines.append(shallow.replace(b'"@"', b'{"x":%b}' % value))
        lines.append(line[:-1] + b',"zzz":%b}' % value)
        lines.append(line.replace(b'{"author"', b'{"author":%b,"author"' % value, 1))
    return [each for each in lines if len(each) <= MAX_LINE]


def logs() -> list[bytes]:
    lines = LOG.splitlines()
    found: list[bytes] = []
    for depth in DEPTHS:
        for at in (0, len(lines) - 1):
            before, after = lines[:at], lines[at + 1 :]
            found += [b"\n".join((*before, line, *after, b"")) for line in hostile_lines(lines[at], depth)]
        # Behind a line that fails, where it is asked who signed over that.
        found += [BAD + line + b"\n" for line in hostile_lines(lines[2], depth)]
        bad = BAD.splitlines()
        found += [b"\n".join((*bad[:-1], line, bad[-1])) + b"\n" for line in nested(depth)]
    return found


@pytest.mark.long
def test_logs_of_any_depth_are_judged_alike(tmp_path: Path) -> None:
    outcomes = compare_logs(logs(), tmp_path)
    assert outcomes["line.malformed"] > 100
    assert "holds" not in outcomes


@pytest.mark.long
def test_a_deep_line_is_malformed(tmp_path: Path) -> None:
    deep = b"[" * 30_000 + b"]" * 30_000 + b"\n"
    outcomes = compare_logs([LOG + deep, BAD + deep], tmp_path)
    assert outcomes == {"line.malformed": 1, "signature.invalid": 1}


@pytest.mark.long
def test_evidence_of_any_depth_has_a_verdict(tmp_path: Path) -> None:
    """In its own members, and in the lines that it quotes."""
    good = json.loads((VECTORS / "disputes" / "fork.evidence").read_text(encoding="utf-8"))
    cases: list[bytes] = []
    for depth in DEPTHS:
        for value in nested(depth):
            for member in ("accused", "index", "open", "statements"):
                shallow = json.dumps({**good, member: "@"}, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
                cases.append(shallow.encode().replace(b'"@"', value) + b"\n")
            quoted = {**good, "statements": [{"lines": [value.decode()]}, good["statements"][1]]}
            cases.append(json.dumps(quoted, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode() + b"\n")
            opened = {**good, "open": value.decode()}
            cases.append(json.dumps(opened, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode() + b"\n")
    files = [tmp_path / f"{number}.json" for number in range(len(cases))]
    for path, data in zip(files, cases, strict=True):
        path.write_bytes(data)
    told = [json.loads(line) for line in run("evidence", *files).splitlines()]
    for data, mine in zip(cases, told, strict=True):
        report = verify_evidence(data)
        assert [each["code"] for each in mine["findings"]] == [each.code for each in report.findings], data[:200]
        assert mine["verdict"] == report.verdict


@pytest.mark.long
def test_openings_of_any_depth_are_unreadable(tmp_path: Path) -> None:
    vectors: Any = json.loads((VECTORS / "openings.json").read_text(encoding="utf-8"))
    sent = vectors["openings"][0]["sent"]
    known: dict[str, Any] = {"log": str(VECTORS / "logs" / vectors["log"]), "game": None, "keys": [], "index": None}
    files = []
    for depth in DEPTHS:
        for value in nested(depth):
            files.append({"name": "a.opening", "text": value.decode()})
            files.append({"name": "b.opening", "text": sent.rstrip()[:-1] + f',"zzz":{value.decode()}}}\n'})
    [told] = beside([{**known, "files": files}], tmp_path)
    assert {each["verdict"] for each in told} == {"unreadable"}
