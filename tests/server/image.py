"""The container image as `specs/deploy/steps.py` builds it: of the libraries that the tests run with, offline."""

import base64
import hashlib
import os
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from tests.make.pins import FILE, pins

__all__ = ["DEPLOY", "build", "steps"]

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "specs" / "deploy"
STEPS = DEPLOY / "steps.py"
UNABLE = 77


def wheel(folder: Path, name: str, files: dict[str, bytes], tag: str) -> Path:
    """A wheel of these files, as pip takes it; RECORD is made here."""
    version = metadata.version(name)
    stem = f"{name.replace('-', '_')}-{version}"
    info = next(path.split("/")[0] for path in files if path.endswith(".dist-info/METADATA"))
    files = {path: data for path, data in files.items() if not path.endswith(("/RECORD", "/WHEEL", "/direct_url.json"))}
    head = f"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: {str(tag.endswith('any')).lower()}\nTag: {tag}\n"
    files[f"{info}/WHEEL"] = head.encode()
    rows = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(data)}")
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]).encode()
    out = folder / f"{stem}-{tag}.whl"
    with zipfile.ZipFile(out, "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return out


def installed(name: str) -> dict[str, bytes]:
    """The files of an installed library, but scripts and compiled modules."""
    found = metadata.files(name) or []
    kept = [each for each in found if ".." not in each.parts and "__pycache__" not in each.parts]
    return {str(each): each.read_binary() for each in kept if Path(str(each.locate())).exists()}


def build(folder: Path) -> Path:
    """The image, built in a folder from wheels of those libraries and of this repository; else the test is skipped."""
    context = folder / "context"
    for each in ("wheels", "specs/deploy", "ledger/server"):
        (context / each).mkdir(parents=True)
    (context / "specs" / "deploy" / "health.py").write_bytes((DEPLOY / "health.py").read_bytes())
    lines = []
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    for name in pins(FILE.read_text(encoding="utf-8")):
        try:
            files = installed(name)
        except metadata.PackageNotFoundError:
            pytest.skip(f"{name}, which is pinned, is not installed here")
        pure = not any(path.endswith(".so") for path in files)
        made = wheel(context / "wheels", name, files, "py3-none-any" if pure else f"{python}-{python}-linux_x86_64")
        digest = hashlib.sha256(made.read_bytes()).hexdigest()
        lines.append(f"{name}=={metadata.version(name)} --hash=sha256:{digest}")
    (context / "ledger" / "server" / "pins.txt").write_text("\n".join(lines))
    own = {path: data for path, data in installed("rollproof").items() if ".dist-info/" in path}
    for package in ("ledger", "rules", "verifier"):
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                own[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    wheel(context / "wheels", "rollproof", own, "py3-none-any")
    command: list[str | Path] = [
        sys.executable,
        STEPS,
        "build",
        folder / "image",
        "--arg",
        "PIP_NO_INDEX=1",
        "--from",
        context,
    ]
    quicker = {**os.environ, "PIP_NO_COMPILE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=quicker)
    if done.returncode == UNABLE:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "image"


def steps(verb: str, built: Path, **env: str) -> list[str | Path]:
    """The command that does something with what was built."""
    given = (each for name, value in env.items() for each in ("--env", f"ROLLPROOF_{name}={value}"))
    return [sys.executable, STEPS, verb, built, *given]
