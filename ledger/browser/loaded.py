"""The files that a browser's worker loads: the vendored Python for WebAssembly, the rules and the verifier.

>>> [name for name in vendored_files() if name.endswith(".wasm")]
['pyodide.asm.wasm']
"""

import gzip
import io
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

__all__ = ["CODE", "LICENCES", "code", "compressed_vendored_files", "licences", "vendored_files"]

CODE: Final = "code.zip"
"""the name of the archive that `code` returns"""
LICENCES: Final = "licences.txt"
"""the name of the text that `licences` returns"""
_SHELL: Final = ("__init__.py", "display.py", "typed.py")
"""the modules of `verifier.shell` that need neither files nor a screen"""
_OURS: Final[Mapping[str, tuple[str, ...]]] = {
    "ledger": ("__init__.py", "errors.py"),
    "ledger/analysis": ("__init__.py", "advice.py", "explanation.py"),
    "ledger/browser": ("__init__.py", "cryptography_here.py", "driver.py", "followed.py"),
    "ledger/forms": ("__init__.py", "form.py", "members.py", "offers.py", "readback.py", "reading.py"),
    "ledger/network": ("__init__.py", "wire.py"),
    "verifier/shell": _SHELL,
}
"""the folders of which only these files are loaded"""
_LEFT_OUT: Final = frozenset({"verifier/web", "verifier/shell"})
_DATE: Final = (1980, 1, 1, 0, 0, 0)


@cache
def compressed_vendored_files() -> Mapping[str, bytes]:
    """Return the vendored files, compressed with gzip, by name: the same bytes in each copy of this version."""
    found = {file.name.removesuffix(".gz"): file for file in _folder().iterdir() if file.name.endswith(".gz")}
    return MappingProxyType({name: found[name].read_bytes() for name in sorted(found)})


@cache
def vendored_files() -> Mapping[str, bytes]:
    """Return the contents of the vendored files, by name."""
    return MappingProxyType({name: gzip.decompress(data) for name, data in compressed_vendored_files().items()})


def licences() -> str:
    """Return the list of the vendored files, and all their licences, as one text."""
    found = sorted(file.name for file in _folder().iterdir() if file.name.startswith("LICENSE-"))
    texts = [(_folder() / name).read_text(encoding="utf-8") for name in ("VENDORED.txt", *found)]
    return f"\n{'=' * 78}\n\n".join(texts)


def _folder() -> Traversable:
    return files("ledger") / "browser" / "vendor"


@cache
def code() -> bytes:
    """Return an archive of the rules, the verifier and the worker's modules, with the words of all languages.

    It is not compressed: so its bytes are the same on every machine.
    """
    found = dict(_all_of(files("rules"), "rules"))
    found |= dict(_all_of(files("verifier"), "verifier"))
    for folder, kept in _OURS.items():
        package, *below = folder.split("/")
        place = files(package).joinpath(*below)
        found |= {f"{folder}/{name}": (place / name).read_bytes() for name in kept}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(found):
            info = zipfile.ZipInfo(path, _DATE)
            info.create_system = 3  # Unix; the default depends on the machine
            archive.writestr(info, found[path])
    return stream.getvalue()


def _all_of(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for child in folder.iterdir():
        below = f"{path}/{child.name}"
        if child.is_dir() and below not in _LEFT_OUT:
            yield from _all_of(child, below)
        elif child.name.endswith((".py", ".mo")):
            yield below, child.read_bytes()
