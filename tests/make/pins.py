"""Pin what a server in a container runs on: each library with its version and the hash of its file.

python -m tests.make.pins                            # writes ledger/server/pins.txt, with what pip finds in its index
python -m tests.make.pins --audit                    # asks the service of pip-audit about it
python -m tests.make.pins --advisories FILE|DIR …    # compares it with advisories in the form of OSV

pip checks the hashes: `pip install --require-hashes --no-deps --only-binary :all: -r ledger/server/pins.txt`. They are
of the files for the machine that this runs on. Advisories are files of JSON, an array or one each, as osv.dev exports
them (`PyPI/all.zip`, unpacked); so the comparison needs no network. Exit code: 0 none fits; 1 some do, each told; 2
there was nothing to compare with: no advisories, no pip-audit here, or its service was not reached, which is said.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "ledger" / "server" / "pins.txt"
EXTRAS = "online,postgres,fast"
HEAD = f"""\
# What rollproof[{EXTRAS}] runs on, for a container: made by python -m tests.make.pins.
# pip install --require-hashes --no-deps --only-binary :all: -r FILE && pip install --no-deps .
"""
_PIN = re.compile(r"([A-Za-z0-9._-]+)==(\S+) --hash=sha256:([0-9a-f]{64})")


def make(report: dict[str, Any]) -> str:
    """The lines for what pip would install, sorted; nothing of where it would get them."""
    lines = []
    for item in report["install"]:
        name = canonicalize_name(item["metadata"]["name"])
        if name != "rollproof":
            digest = item["download_info"]["archive_info"]["hashes"]["sha256"]
            lines.append(f"{name}=={item['metadata']['version']} --hash=sha256:{digest}\n")
    return HEAD + "".join(sorted(lines))


def asked() -> dict[str, Any]:
    """What pip would install."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        words = ["-q", "--dry-run", "--ignore-installed", "--only-binary", ":all:", "--report", str(report)]
        subprocess.run([sys.executable, "-m", "pip", "install", *words, f"{ROOT}[{EXTRAS}]"], check=True)
        found: dict[str, Any] = json.loads(report.read_bytes())
        return found


def pins(text: str) -> dict[str, str]:
    """Name → version. Raises ValueError for a line that is no pin with a hash."""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            match = _PIN.fullmatch(line)
            if match is None:
                raise ValueError(f"no pin with a hash: {line}")
            found[str(canonicalize_name(match[1]))] = match[2]
    return found


def advisories(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """Those of files, and of the *.json below folders."""
    for path in paths:
        for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
            value = json.loads(file.read_bytes())
            yield from value if isinstance(value, list) else [value]


def fits(advisory: dict[str, Any], name: str, version: str) -> bool:
    """Whether an advisory is for this version: by its list of versions, or its ranges."""
    if advisory.get("withdrawn"):
        return False
    for affected in advisory.get("affected", []):
        package = affected.get("package", {})
        if package.get("ecosystem") != "PyPI" or canonicalize_name(package.get("name", "")) != name:
            continue
        if version in affected.get("versions", []):
            return True
        if any(_within(each, Version(version)) for each in affected.get("ranges", [])):
            return True
    return False


def _within(span: dict[str, Any], version: Version) -> bool:
    """Whether a range has a version: its events in order, of which the last one before the version counts."""
    if span.get("type") not in ("ECOSYSTEM", "SEMVER"):
        return False
    inside = False
    for event in span.get("events", []):
        for what, at in event.items():
            try:
                bound = Version("0") if at == "0" else Version(at)
            except InvalidVersion:
                return True  # what cannot be compared is looked at by a person
            if what == "introduced" and version >= bound:
                inside = True
            elif (what == "fixed" and version >= bound) or (what == "last_affected" and version > bound):
                inside = False
    return inside


def compare(pinned: dict[str, str], known: Iterable[dict[str, Any]]) -> int:
    """Tell what fits; the exit code."""
    looked, found = 0, 0
    for advisory in known:
        looked += 1
        for name, version in pinned.items():
            if fits(advisory, name, version):
                found += 1
                print(f"{name} {version}: {advisory.get('id')}: {advisory.get('summary', '')}".rstrip(": "))
    print(f"{len(pinned)} libraries compared with {looked} advisories: {found} fit")
    return 2 if not looked else 1 if found else 0


def audit(file: Path) -> int:
    """Have pip-audit ask its service about the pins, and tell what it says; the exit code."""
    words = ["--requirement", str(file), "--require-hashes", "--disable-pip", "--progress-spinner", "off"]
    command = [sys.executable, "-m", "pip_audit", *words, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        told = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        if "No module named pip_audit" in done.stderr:
            print("pip-audit is not installed: pip install pip-audit, or compare with --advisories")
        else:
            last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            print(
                f"pip-audit did not say: {last}\nIf its service cannot be reached from here, compare with --advisories."
            )
        return 2
    found = [(each, flaw) for each in told for flaw in each.get("vulns", [])]
    for each, flaw in found:
        mended = ", ".join(flaw.get("fix_versions", [])) or "no version yet"
        print(f"{each['name']} {each['version']}: {flaw['id']}: mended in {mended}")
    left_out = [each.get("skip_reason", "") for each in told if "vulns" not in each]
    print(f"{len(told) - len(left_out)} of {len(told)} libraries asked about: {len(found)} advisories fit")
    if left_out:
        print(f"{len(left_out)} were not asked about; of the first it says: {left_out[0]}")
        return 1 if found else 2
    if found:
        return 1
    return 0 if told else 2


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--advisories", nargs="+", type=Path, metavar="FILE|DIR")
    parser.add_argument("--audit", action="store_true")
    parser.add_argument("--pins", type=Path, default=FILE, metavar="FILE")
    given = parser.parse_args(words)
    if given.advisories is not None:
        return compare(pins(given.pins.read_text(encoding="utf-8")), advisories(given.advisories))
    if given.audit:
        return audit(given.pins)
    given.pins.write_text(make(asked()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
