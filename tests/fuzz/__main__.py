"""`python -m tests.fuzz TARGET [--seconds N]`: look for inputs that bring out anything but the project's own errors.

Needs `pip install '.[fuzz]'` (atheris). Guided by the coverage of `rules` and `verifier`. Each target in turn
if none is named. Prints how many inputs were tried; exit code 1 if one was found, which is then kept in
specs/vectors/fuzz.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

CHILD = "--one"


def main() -> int:
    from tests.fuzz.targets import TARGETS

    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__.split("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="for each target (default 60)")
    given = parser.parse_args()
    unknown = [name for name in given.targets if name not in TARGETS]
    if unknown:
        parser.error(f"there is no target {unknown[0]}; there are {', '.join(TARGETS)}")
    found = [name for name in given.targets or TARGETS if not _search(name, given.seconds)]
    return 1 if found else 0


def _search(name: str, seconds: int) -> bool:
    """Fuzz one target in a process of its own; True if nothing was found."""
    from tests.fuzz.targets import FINDS, seeds

    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for _, data in seeds(name):
            (corpus / hashlib.sha256(data).hexdigest()).write_bytes(data)
        command = [sys.executable, "-m", "tests.fuzz", CHILD, name, str(corpus)]
        options = [f"-max_total_time={seconds}", "-max_len=70000", "-timeout=20", f"-artifact_prefix={folder}/find-"]
        run = subprocess.run([*command, *options], capture_output=True, text=True, errors="replace")
        executed = re.findall(r"#(\d+)\s", run.stderr)
        tried = max(map(int, executed), default=0)
        finds = sorted(Path(folder).glob("find-*"))
        print(f"{name}: {tried:,} inputs tried, {len(finds)} found", flush=True)
        for find in finds:
            kept = FINDS / name / find.name.removeprefix("find-")
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(find.read_bytes())
            print(f"  kept as {kept}")
        if (run.returncode and not finds) or not tried:
            print(run.stderr[-3000:], file=sys.stderr)
        elif finds:
            print("\n".join(line for line in run.stderr.splitlines() if not line.startswith("#"))[-3000:])
    return run.returncode == 0 and not finds and tried > 0


def _fuzz(name: str, arguments: list[str]) -> None:
    """In a process of its own: hand over to the fuzzer, which ends it."""
    import atheris

    with atheris.instrument_imports(include=["rules", "verifier"]):
        from rules import SYSTEMS
        from tests.fuzz.targets import TARGETS

        tuple(SYSTEMS.values())  # each is loaded when it is first asked for: load them while imports are watched
    from tests.fuzz.mutate import mutate_json

    target = TARGETS[name]

    def mutator(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.3:
            return bytes(atheris.Mutate(data, most))
        return mutate_json(data, random)[:most]

    options = {"custom_mutator": mutator} if target.json else {}
    atheris.Setup([sys.argv[0], *arguments], target.read, **options)
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == [CHILD]:
        os.environ.setdefault("PYTHONHASHSEED", "0")
        _fuzz(sys.argv[2], sys.argv[3:])
    sys.exit(main())
