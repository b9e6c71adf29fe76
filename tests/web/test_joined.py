"""What is left out of the joined scripts is comments, as TypeScript reads them: no line that runs (specs/page.md)."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ledger.page.assets import ENTRY, JOINED, page
from tests.conftest import SPECS
from verifier.shell.modules import join_modules

pytestmark = pytest.mark.long

PROGRAM = """
const ts = require('typescript');
const { readFileSync } = require('node:fs');
const [first, second] = readFileSync(0, 'utf8').split('\\u0000');
const bare = (text) => ts.createPrinter({ removeComments: true }).printFile(
  ts.createSourceFile('joined.js', text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS));
console.log(first.length > second.length && bare(first) === bare(second));
"""


def test_what_runs_is_the_same_with_documentation_and_without() -> None:
    node = shutil.which("node")
    if node is None or not any(folder and (Path(folder) / "typescript").is_dir() for folder in _folders()):
        pytest.skip("Node or TypeScript is not installed (tests/oracles/node/package.json)")
    whole = join_modules(lambda path: (SPECS.parent / path).read_text(encoding="utf-8"), ENTRY)
    given = f"{whole}\0{page().files[JOINED].data.decode()}"
    done = subprocess.run([node, "-e", PROGRAM], input=given, capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr) == ("true\n", "")


def _folders() -> list[str]:
    return os.environ.get("NODE_PATH", "").split(os.pathsep)
