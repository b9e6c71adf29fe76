"""How long functions and files of the product may be, and that the pages' classes are made of parts."""

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("ledger", "rules", "verifier")
LONGEST_FUNCTION = 60
"""lines, without the docstring or the comment in front"""
LONGEST_FILE = 500

LONG_FILES = {
    "verifier/replay.py": "the steps of specs/verification.md, in their order",
}
"""files that are longer, each with what it is for"""

PROGRAM = """
const ts = require('typescript');
const { readFileSync } = require('node:fs');
const found = [];
for (const file of JSON.parse(readFileSync(0, 'utf8'))) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const line = (at) => source.getLineAndCharacterOfPosition(at).line;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const name = (node.name ?? node.parent.name)?.getText() ?? '';
      found.push([`${file}: ${name}`, line(node.end) - line(node.getStart()) + 1]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
console.log(JSON.stringify(found));
"""
"""reads paths as JSON, and prints the name and the number of lines of each function"""


def sources(suffix: str) -> list[Path]:
    """Return the product's own files of a language: none from elsewhere, and no dictionaries, which are lists."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob(f"*{suffix}"))]
    return [path for path in paths if "vendor" not in path.parts and not path.name.startswith("words-")]


def python_functions() -> Iterator[tuple[str, int]]:
    """Yield the place of each function, and the number of its lines without decorators and docstring."""
    for path in sources(".py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            lines = (node.end_lineno or 0) - node.lineno + 1
            if ast.get_docstring(node) is not None:
                lines -= (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
            yield f"{path.relative_to(ROOT)}: {node.name}", lines


@pytest.mark.long
def test_no_function_of_python_is_longer_than_a_screen() -> None:
    functions = list(python_functions())
    assert len(functions) > 3_000
    assert [(name, lines) for name, lines in functions if lines > LONGEST_FUNCTION] == []


@pytest.mark.long
def test_no_function_of_javascript_is_longer_than_a_screen() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    paths = json.dumps([str(path.relative_to(ROOT)) for path in sources(".js")])
    done = subprocess.run([node, "-e", PROGRAM], input=paths, cwd=ROOT, capture_output=True, text=True, check=False)
    if "Cannot find module 'typescript'" in done.stderr:
        pytest.skip("TypeScript is not installed (tests/oracles/node/package.json)")
    assert done.returncode == 0, done.stderr
    functions = json.loads(done.stdout)
    assert len(functions) > 3_000
    assert [(name, lines) for name, lines in functions if lines > LONGEST_FUNCTION] == []


def test_only_these_files_are_longer_than_500_lines() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for suffix in (".py", ".js")
        for path in sources(suffix)
    }
    assert {name for name, lines in lengths.items() if lines > LONGEST_FILE} == LONG_FILES.keys()


def test_classes_of_the_pages_are_made_of_parts() -> None:
    """A class extends nothing but an error. A connection is a transport with a server's paths, a file a memory kept."""
    classes = re.compile(r"^(?:export )?(?:default )?class (\w+) extends (\w+)", re.MULTILINE)
    above = {name: base for path in sources(".js") for name, base in classes.findall(path.read_text("utf-8"))}
    errors = {"Error"}
    while more := {name for name, base in above.items() if base in errors} - errors:
        errors |= more
    assert {name: base for name, base in above.items() if name not in errors} == {
        "Connection": "Transport",
        "FileStorage": "MemoryStorage",
    }
