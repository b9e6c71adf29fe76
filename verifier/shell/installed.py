"""Comparison of the installed files with those that were installed (specs/releases.md).

Other projects also have packages called `ledger`, `rules` and `verifier`, and pip replaces one with another without a
warning. This module imports nothing of `rules` and `ledger`, because it must work if one of them was replaced.
"""

import os
import re
import sys
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "PACKAGES",
    "Difference",
    "ListedFile",
    "differences",
    "end_if_replaced",
    "find_replaced",
    "owner_of",
    "pip_differences",
    "record",
    "site_folder",
]

PACKAGES = ("ledger", "rules", "verifier")


class ListedFile(NamedTuple):
    """A file as in pip's list."""

    digest: str
    """SHA-256 in URL-safe base64 without padding; empty if pip has none"""
    size: str
    """bytes, in decimal"""


class Difference(NamedTuple):
    """A file that differs from the installed one."""

    path: str
    kind: str
    """`changed`, `missing`, or `added` for a file that the release does not have"""
    owner: str | None
    """another installed package with a file of this name, as `NAME VERSION`; None without one"""


def site_folder() -> Path:
    """Return the folder with the three packages."""
    return Path(__file__).absolute().parents[2]


def record(site: Path) -> dict[str, ListedFile]:
    """Return the list that pip wrote when it installed the package; empty without one, as in a checkout."""
    for folder in site.glob("rollproof-*.dist-info"):
        found = dict(_read(folder))
        if any(f"{package}/__init__.py" in found for package in PACKAGES):
            return found  # the list of an editable install names no file of the packages
    return {}


def find_replaced(site: Path) -> str | None:
    """Return the first `__init__.py` of the packages that is missing or differs in size from pip's list; else None."""
    for folder in site.glob("rollproof-*.dist-info"):
        text = _text(folder)  # searched as a whole, because every start of the program pays for this
        for path in (f"{package}/__init__.py" for package in PACKAGES):
            line = re.search(rf"^{path},[^,\n]*,(\d+)$", text, re.MULTILINE)
            if line is not None and _size(site / path) != line[1]:
                return path
    return None


def owner_of(site: Path, path: str) -> str | None:
    """Return another installed package whose list has this file, as `NAME VERSION`; None without one."""
    for folder in sorted(site.glob("*.dist-info")):
        if not folder.name.startswith("rollproof-") and any(name == path for name, _ in _read(folder)):
            return folder.name.removesuffix(".dist-info").replace("-", " ")
    return None


def differences(site: Path, hashes: Mapping[str, str]) -> list[Difference]:
    """Return the differences between the packages below `site` and the map path → SHA-256 in hex."""
    found = [(path, _kind(site / path, digest)) for path, digest in hashes.items()]
    found += [(path, "added") for path in _there(site) if path not in hashes]
    return [Difference(path, kind, owner_of(site, path)) for path, kind in sorted(found) if kind]


def pip_differences(site: Path) -> tuple[int, list[Difference]]:
    """Return the number of files in pip's list, 0 without one, and the differences from it."""
    hashes = {
        path: urlsafe_b64decode(recorded.digest + "=").hex()
        for path, recorded in record(site).items()
        if recorded.digest and path.partition("/")[0] in PACKAGES
    }
    return len(hashes), differences(site, hashes) if hashes else []


def end_if_replaced(program: str) -> None:
    """End the process with code 74 if another package has replaced one of ours, and say whose it is and what to do.

    `rollproof version` is allowed to run: it lists every file that differs.
    """
    site = site_folder()
    path = find_replaced(site)
    if path is None or sys.argv[1:2] == ["version"]:
        return
    translate = _translator(site)
    owner = owner_of(site, path)
    if owner is None:
        text = translate("{path} in {site} is not the file that was installed with this program, or it is gone.")
    else:
        text = translate("{path} in {site} is not this program's any more: {owner} has a file of the same name.")
    what_now = translate(
        "Nothing was read and nothing was written. Install Rollproof anew in an environment of its own, with pipx or "
        "uv tool. Every file that differs: {command}"
    )
    _end(
        program,
        f"{text.format(path=path, site=site, owner=owner)} {what_now.format(command='rollproof version --verify')}",
    )


def _end(program: str, message: str) -> None:
    """End with the exit code for a problem of the machine (specs/commands.md, "Exit codes")."""
    from verifier.shell.stdio import prepare

    prepare()
    if "--json" in sys.argv:
        import json

        error = {"kind": "machine", "message": message, "exit_code": 74, "code": None, "clause": None}
        print(json.dumps({"error": error}))
    print(f"{program}: {message}", file=sys.stderr)
    sys.exit(74)


def _translator(site: Path) -> Callable[[str], str]:
    """Return the translation into the language of `--lang`, of ROLLPROOF_LANG, or of the locale."""
    import gettext

    words = sys.argv[1:]
    asked = [words[number + 1] for number, word in enumerate(words[:-1]) if word == "--lang"]
    asked += filter(None, [os.environ.get("ROLLPROOF_LANG")])
    return gettext.translation("rollproof", site / "verifier" / "locale", asked[:1] or None, fallback=True).gettext


def _size(path: Path) -> str | None:
    try:
        return str(path.stat().st_size)
    except OSError:
        return None


def _read(folder: Path) -> Iterator[tuple[str, ListedFile]]:
    """Yield the lines `PATH,sha256=DIGEST,SIZE` of a package's list; none if it cannot be read."""
    for line in _text(folder).splitlines():
        path, _, size = line.rpartition(",")
        path, _, digest = path.rpartition(",")
        yield path.strip('"'), ListedFile(digest.removeprefix("sha256="), size)


def _kind(path: Path, digest: str) -> str | None:
    from hashlib import sha256  # imported here because a normal start does not need it

    try:
        return None if sha256(path.read_bytes()).hexdigest() == digest else "changed"
    except OSError:
        return "missing"


def _there(site: Path) -> Iterator[str]:
    """Yield the files of the three packages, without Python's caches."""
    for package in PACKAGES:
        for path in (site / package).rglob("*"):
            if "__pycache__" not in path.parts and not path.is_dir():
                yield path.relative_to(site).as_posix()


def _text(folder: Path) -> str:
    try:
        return (folder / "RECORD").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
