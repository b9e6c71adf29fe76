"""Python for browsers: Pyodide from npm, msgspec's wheel from PyPI, both pinned, trimmed to what runs here.

    python -m tests.make.browser_python          # fetches and writes ledger/browser/vendor; needs both registries
    python -m tests.make.browser_python --check  # compares what stands there with VENDORED.txt; exits 1 if it differs

Files are stored with gzip, as servers send them. The hashes are of their contents: gzip's own bytes differ between
releases of zlib.
"""

import gzip
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

__all__ = ["FOLDER", "built", "contents", "names"]

FOLDER = Path(__file__).parents[2] / "ledger" / "browser" / "vendor"
PYODIDE = "314.0.7"
PYODIDE_HASH = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
MSGSPEC = "0.22.0"
MSGSPEC_HASH = "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
PLATFORM, PYTHON = "pyemscripten_2026_0_wasm32", "3.14"
"""what Pyodide's release is"""

UNCHANGED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""of Pyodide's package, byte for byte"""
STDLIB, LIBRARY = "python_stdlib.zip", "msgspec.zip"
"""made here of what the packages have, as archives without compression: the library's files unchanged, the modules of
the standard library as byte code, with which Python starts in less than half the time"""
COMPILER = Path(__file__).with_name("bytecode.mjs")
TOLD = "VENDORED.txt"
MODULES = Path(__file__).with_name("browser_modules.json")
"""paths of the standard library's modules that are kept: those that are imported, and what they may import later"""
_LOCK = {
    "info": {
        "abi_version": "2026_0",
        "arch": "wasm32",
        "platform": "emscripten_5_0_3",
        "python": "3.14.2",
        "version": PYODIDE,
    },
    "packages": {},
}
"""what Pyodide asks for besides: it has no packages here"""
_DATE = (1980, 1, 1, 0, 0, 0)


def built() -> dict[str, bytes]:
    """The contents of each file. Raises CalledProcessError without a registry, ValueError on another hash."""
    with tempfile.TemporaryDirectory() as scratch:
        with tarfile.open(fileobj=io.BytesIO(_pyodide(Path(scratch)))) as archive:
            package = {name: _member(archive, f"package/{name}") for name in (*UNCHANGED, STDLIB)}
        wheel = _msgspec(Path(scratch))
    kept = json.loads(MODULES.read_text(encoding="utf-8"))
    sources = _stored({name: data for name, data in _unpacked(package[STDLIB]).items() if name in kept})
    package[STDLIB] = _compiled(package, sources)
    library = _unpacked(wheel)
    package[LIBRARY] = _stored({name: data for name, data in library.items() if not name.endswith((".pyi", "RECORD"))})
    return package


def names() -> tuple[str, ...]:
    """The names of the files, without the ending of their compression."""
    return (*UNCHANGED, STDLIB, LIBRARY)


def contents() -> dict[str, bytes]:
    """What stands in the folder. Raises OSError where one is missing."""
    return {name: gzip.decompress((FOLDER / f"{name}.gz").read_bytes()) for name in names()}


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    member = archive.extractfile(name)
    assert member is not None, name
    return member.read()


def _unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def _stored(files: Mapping[str, bytes]) -> bytes:
    """An archive without compression: the same bytes wherever it is made."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system = 3  # else it is that of whoever builds it
            archive.writestr(info, files[name])
    return stream.getvalue()


def _compiled(package: Mapping[str, bytes], sources: bytes) -> bytes:
    """The modules of an archive as byte code, by that very Python. The same bytes each time."""
    with tempfile.TemporaryDirectory() as folder:
        for name in UNCHANGED:
            (Path(folder) / name).write_bytes(package[name])
        source, made = Path(folder) / STDLIB, Path(folder) / "compiled.zip"
        source.write_bytes(sources)
        (Path(folder) / "pyodide-lock.json").write_text(json.dumps(_LOCK), encoding="utf-8")
        _run(["node", str(COMPILER), folder, str(source), str(made)])
        return _stored(_unpacked(made.read_bytes()))


def _pyodide(scratch: Path) -> bytes:
    _run(["npm", "pack", "--silent", f"pyodide@{PYODIDE}", "--pack-destination", str(scratch)])
    return _checked(scratch / f"pyodide-{PYODIDE}.tgz", PYODIDE_HASH)


def _msgspec(scratch: Path) -> bytes:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    _run([*pip, "--platform", PLATFORM, "--python-version", PYTHON, "--dest", str(scratch), f"msgspec=={MSGSPEC}"])
    (wheel,) = scratch.glob("msgspec-*.whl")
    return _checked(wheel, MSGSPEC_HASH)


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=300)


def _checked(path: Path, expected: str) -> bytes:
    data = path.read_bytes()
    if (found := sha256(data).hexdigest()) != expected:
        raise ValueError(f"{path.name} has the hash {found}, not {expected}")
    return data


def told(files: Mapping[str, bytes]) -> str:
    """The page about the files: where they come from, and the hash of each."""
    hashes = "".join(f"{sha256(files[name]).hexdigest()}  {name}\n" for name in names())
    return _TOLD.format(pyodide=PYODIDE, msgspec=MSGSPEC, platform=PLATFORM, hashes=hashes)


_TOLD = """CPython 3.14 for browsers (WebAssembly), and msgspec for it.
Made by tests/make/browser_python.py. What is changed is said below; all else is as it was published.

pyodide.mjs, pyodide.asm.mjs, pyodide.asm.wasm
    of the npm package pyodide {pyodide}, byte for byte. Pyodide is under the MPL-2.0 (LICENSE-pyodide.txt);
    its source is at https://github.com/pyodide/pyodide, tag {pyodide}. In it are CPython 3.14.2
    (LICENSE-cpython.txt), the runtime of Emscripten 5.0.3 with musl (LICENSE-emscripten.txt), and libffi, hiwire,
    zlib, bzip2, xz, zstd, SQLite, Expat, mpdecimal and HACL* (LICENSE-libraries.txt).
python_stdlib.zip
    of the same package: the modules of CPython's standard library that are used here, and Pyodide's own, compiled to
    byte code by that CPython (as with -OO: without docstrings and assertions). Their source is in that package.
msgspec.zip
    the wheel of msgspec {msgspec} for {platform}, from PyPI (LICENSE-msgspec.txt).

Each file is stored with gzip. SHA-256 of the contents:

{hashes}"""


def main() -> int:
    """Build, or compare."""
    if "--check" in sys.argv[1:]:
        same = (FOLDER / TOLD).read_text(encoding="utf-8") == told(contents())
        print("the files are those of VENDORED.txt" if same else "a file differs from VENDORED.txt")
        return 0 if same else 1
    files = built()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (FOLDER / f"{name}.gz").write_bytes(gzip.compress(data, 9, mtime=0))
    (FOLDER / TOLD).write_text(told(files), encoding="utf-8")
    for name, data in files.items():
        print(f"{len(data):>10} {(FOLDER / f'{name}.gz').stat().st_size:>10}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
