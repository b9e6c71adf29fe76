"""Writes `specs/vectors/`: `python -m tests.make.vectors`, or with `--check` compares what is there.

Every log is made by `reference.Writer` with the keys that its story needs, and judged by `reference.verify`.
The name of a file says what must come out, and the maker fails if it does not. tests/make/logs/README.md says how to
add one.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.make.logs import authors, damaged, dice, event_word, games, late, lines, links, replaced, secret
from tests.make.plain import canonical_vectors, dice_vectors, identity_vectors
from tests.make.stories import stories
from tests.oracles import reference as ref

HERE = Path(__file__).resolve().parents[2] / "specs" / "vectors"
MODULES = (authors, damaged, dice, event_word, games, late, lines, links, replaced, secret)
"""with the logs that are functions"""


def log_files() -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """All logs, and the index of what must come out of each."""
    files: dict[str, bytes] = {}
    index = []
    for case in [*stories(), *(case for module in MODULES for case in module.CASES)]:
        made = case.make()
        made = made if isinstance(made, tuple) else (made, None)
        data = made[0] if isinstance(made[0], bytes) else made[0].data
        expect = made[2] if len(made) > 2 else None
        given = expect or {"game": None, "keys": []}
        beside = made[3] if len(made) > 3 else []
        report = ref.verify(data, given["game"], given["keys"], [(size, top) for size, top, _ in beside])
        code = case.name.partition("--")[0]
        errors = [finding for finding in report.findings if finding.severity == "error"]
        got = errors[0] if errors else None
        assert (got.code if got else "holds") == code, (case.name, got)
        if got:
            assert (got.seq, got.fault, got.clause) == (made[1], case.fault, case.clause), (
                case.name,
                got,
                made[1],
            )
        name = case.name + ".jsonl"
        assert name not in files, name
        files["logs/" + name] = data
        entry: dict[str, Any] = {
            "file": name,
            "about": case.about,
            "verdict": report.verdict,
            "events": report.events,
            "valid_prefix": report.valid_prefix,
            "findings": [asdict(finding) for finding in report.findings],
        }
        if expect:
            entry["expect"] = expect
        if beside:
            entry["receipts"] = [note for _, _, note in beside]
        if report.voided:
            entry["voided"] = report.voided
        if report.verdict == "holds":
            entry["head"] = report.head
        entry["trust"] = report.trust
        index.append(entry)
    return files, sorted(index, key=lambda entry: str(entry["file"]))


def pretty(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=True, sort_keys=False) + "\n").encode("ascii")


def all_files() -> dict[str, bytes]:
    """Every vector file by its path under specs/vectors/."""
    files, index = log_files()
    files["logs/index.json"] = pretty(index)
    files["canonical.json"] = pretty(canonical_vectors())
    files["identities.json"] = pretty(identity_vectors())
    files["dice.json"] = pretty(dice_vectors())
    return files


def differing(files: dict[str, bytes]) -> list[str]:
    """The names of the files that are not there as given, and of those in logs/ that are one too many."""
    # Only logs/ is this program's alone; other folders have other owners.
    kept = {path.relative_to(HERE).as_posix() for path in (HERE / "logs").glob("*.json*")}
    wrong = [name for name, data in files.items() if not (HERE / name).exists() or (HERE / name).read_bytes() != data]
    return sorted(kept - set(files)) + wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the test vectors.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs")
    arguments = parser.parse_args()
    files = all_files()
    names = differing(files)
    for name in names:
        print(name)
        path = HERE / name
        if arguments.check:
            continue
        if name in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[name])
        else:
            path.unlink()
    return 1 if arguments.check and names else 0


if __name__ == "__main__":
    sys.exit(main())
