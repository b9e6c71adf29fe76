"""Python for browsers, in `ledger/browser/vendor`: unchanged, complete for what runs there, made again."""

import ast
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ledger.browser.loaded import code, vendored_files
from tests.make import browser_python

ELSEWHERE = {"rules", "verifier", "ledger", "msgspec", "cryptography", "nacl"}
UNUSED = {
    "multiprocessing",  # verifier.log.workers: processes, of which a browser has none
    "multiprocessing.connection",
    "multiprocessing.process",
}
"""modules that are named in the code and not kept"""


def test_the_files_are_those_that_are_told() -> None:
    told = (browser_python.FOLDER / browser_python.TOLD).read_text(encoding="utf-8")
    assert told == browser_python.told(browser_python.contents())
    assert dict(vendored_files()) == browser_python.contents()
    licences = {path.name for path in browser_python.FOLDER.glob("LICENSE-*")}
    assert all(name in told for name in licences)
    assert len(licences) == 5


@pytest.mark.long
def test_every_module_of_the_standard_library_that_the_code_imports_is_kept() -> None:
    with zipfile.ZipFile(io.BytesIO(vendored_files()["python_stdlib.zip"])) as archive:
        kept = set(archive.namelist())
    wanted: set[str] = set()
    with zipfile.ZipFile(io.BytesIO(code())) as archive:
        for name in (name for name in archive.namelist() if name.endswith(".py")):
            for node in ast.walk(ast.parse(archive.read(name))):
                match node:
                    case ast.Import(names=aliases):
                        wanted |= {alias.name for alias in aliases}
                    case ast.ImportFrom(module=str(module), level=0):
                        wanted.add(module)
    wanted = {name for name in wanted if name.split(".")[0] not in ELSEWHERE} - UNUSED - set(sys.builtin_module_names)
    written_in_c = {"array", "collections.abc", "math", "unicodedata", "zlib"}  # CPython's own binary has them
    for name in wanted - written_in_c:
        path = name.replace(".", "/")
        assert {f"{path}.pyc", f"{path}/__init__.pyc"} & kept, name


def test_what_is_loaded_has_no_program_that_opens_files_and_no_page() -> None:
    with zipfile.ZipFile(io.BytesIO(code())) as archive:
        names = archive.namelist()
    assert "rules/__init__.py" in names
    assert "verifier/locale/ja/LC_MESSAGES/rollproof.mo" in names
    assert [name for name in names if name.startswith(("verifier/web", "ledger/cli", "ledger/seats"))] == []
    assert "verifier/shell/files.py" not in names


def test_the_driver_needs_nothing_of_ours_that_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "code.zip"
    path.write_bytes(code())
    program = "import sys; sys.path.insert(0, sys.argv[1]); import ledger.browser.driver as it; print(it.__file__)"
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.startswith(str(path)), done.stderr


@pytest.mark.slow
def test_the_files_are_made_again_from_the_registries() -> None:
    try:
        built = browser_python.built()
    except (OSError, subprocess.SubprocessError):
        pytest.skip("Pyodide or msgspec could not be fetched")
    assert built == browser_python.contents()
    assert sorted(json.loads(browser_python.MODULES.read_text(encoding="utf-8"))) == sorted(
        name.removesuffix("c") for name in zipfile.ZipFile(io.BytesIO(built["python_stdlib.zip"])).namelist()
    )
