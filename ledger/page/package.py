"""The npm package for developers: the modules of `ledger/sdk`, and all that they import."""

import json
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

from ledger.distribution.version import own_version
from ledger.page.assets import needs

__all__ = ["package_files"]

_OWN = "ledger/sdk"
_ENTRIES = {".": "index", "./files": "files", "./storage-test": "storage-test", "./window": "window"}


def package_files() -> dict[str, bytes]:
    """Return the bytes of each file by its path in the package."""
    found: dict[str, bytes] = {}
    for path in _own(files("ledger") / "sdk", _OWN):
        if path.endswith((".js", ".d.ts")):
            found[path] = _read(path)
        else:  # documentation is at the top of the package
            found[path.removeprefix(f"{_OWN}/")] = _read(path)
    waiting = [path for path in found if path.endswith(".js")]
    while waiting:
        path = waiting.pop()
        for target in needs(path, found[path]):
            if target not in found:
                found[target] = _read(target)
                waiting.append(target)
    # Browsers without a bundler import a file by its name: so the entries are at the top too.
    for name in _ENTRIES.values():
        found[f"{name}.js"] = f"export * from './{_OWN}/{name}.js';\n".encode()
        found[f"{name}.d.ts"] = f"export * from './{_OWN}/{name}.js';\n".encode()
    found["package.json"] = _package()
    return dict(sorted(found.items()))


def _package() -> bytes:
    exports = {entry: {"types": f"./{name}.d.ts", "default": f"./{name}.js"} for entry, name in _ENTRIES.items()}
    described = {
        "name": "rollproof",
        "version": own_version(),
        "description": "Dice that nobody can predict, bend or deny: a participant at a table, for browsers and Node",
        "license": "Apache-2.0",
        "type": "module",
        "exports": exports,
        "types": "./index.d.ts",
        "engines": {"node": ">=20"},
        "sideEffects": False,
        "private": True,
    }
    return (json.dumps(described, indent=2) + "\n").encode()


def _own(folder: Traversable, path: str) -> Iterator[str]:
    for each in folder.iterdir():
        inner = f"{path}/{each.name}"
        if each.is_dir():
            yield from _own(each, inner)
        elif PurePosixPath(each.name).suffix in (".js", ".ts", ".md", ".mjs", ".html"):
            yield inner


def _read(path: str) -> bytes:
    package, _, rest = path.partition("/")
    return files(package).joinpath(*rest.split("/")).read_bytes()
