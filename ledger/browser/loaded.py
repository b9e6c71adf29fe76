"""What the worker of a browser loads: Python for WebAssembly as it was vendored, and the rules and the verifier.

>>> [name for name in vendored() if name.endswith(".wasm")]
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

__all__ = ["CODE", "LICENCES", "code", "licences", "vendored", "vendored_compressed"]

CODE: Final = "code.zip"
"""the name of what `code` gives, beside the vendored files"""
LICENCES: Final = "licences.txt"
"""the name of what `licences` gives"""
_SHELL: Final = ("__init__.py", "display.py", "typed.py")
"""of verifier.shell, which needs files and screens else"""
_OURS: Final[Mapping[str, tuple[str, ...]]] = {
    "ledger": ("__init__.py", "errors.py"),
    "ledger/analysis": ("__init__.py", "advice.py", "explanation.py"),
    "ledger/browser": ("__init__.py", "cryptography_here.py", "driver.py", "followed.py"),
    "ledger/forms": ("__init__.py", "form.py", "members.py", "offers.py", "readback.py", "reading.py"),
    "ledger/network": ("__init__.py", "wire.py"),
    "verifier/shell": _SHELL,
}
"""of these folders some files; of the others all"""
_LEFT_OUT: Final = frozenset({"verifier/web", "verifier/shell"})
_DATE: Final = (1980, 1, 1, 0, 0, 0)


@cache
def vendored_compressed() -> Mapping[str, bytes]:
    """The vendored files with gzip, by name: the same bytes wherever this version of the program is."""
    found = {file.name.removesuffix(".gz"): file for file in _folder().iterdir() if file.name.endswith(".gz")}
    return MappingProxyType({name: found[name].read_bytes() for name in sorted(found)})


@cache
def vendored() -> Mapping[str, bytes]:
    """Their contents."""
    return MappingProxyType({name: gzip.decompress(data) for name, data in vendored_compressed().items()})


def licences() -> str:
    """What the vendored files are, and the licences of what is in them, as one text."""
    found = sorted(file.name for file in _folder().iterdir() if file.name.startswith("LICENSE-"))
    texts = [(_folder() / name).read_text(encoding="utf-8") for name in ("VENDORED.txt", *found)]
    return f"\n{'=' * 78}\n\n".join(texts)


def _folder() -> Traversable:
    return files("ledger") / "browser" / "vendor"


@cache
def code() -> bytes:
    """The rules, the verifier and what runs in the worker, with the words of all languages, as an archive.

    It is not compressed: so its bytes are the same wherever it is made.
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
            info.create_system = 3  # else it is that of whoever builds it
            archive.writestr(info, found[path])
    return stream.getvalue()


def _all_of(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for child in folder.iterdir():
        below = f"{path}/{child.name}"
        if child.is_dir() and below not in _LEFT_OUT:
            yield from _all_of(child, below)
        elif child.name.endswith((".py", ".mo")):
            yield below, child.read_bytes()
