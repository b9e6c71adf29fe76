"""How the code is worded: docstrings in plain English, and names that say what a function does or a class is."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("rules", "verifier", "ledger/analysis", "ledger/event", "ledger/season", "ledger/store")
QUESTION = re.compile(r"(What|Whether|Who|Whom|Whose|How|Where|Which|When)\b")
PARTICIPLE = re.compile(
    r"[a-z]*[^e]ed|given|taken|shown|known|drawn|thrown|chosen|written|told|said|kept|left|held|found|made|done|gone|put"
)

KEPT = {
    "ledger/analysis": {"Tested", "Voided", "explained"},
    "ledger/season": {"Ranked"},
    "rules": {"Adjusted", "Announced", "Computed", "Divided", "Done", "Ended", "Exchanged", "Labelled", "Limited"}
    | {"Listed", "Negated", "Quoted", "Replaced", "Rerolled", "Ruled", "Triggered"}
    | {"balanced", "counted", "given", "isolated", "offered", "quoted"},
    "verifier": {"Accused", "Audited", "Continued", "Expected", "Failed", "Followed", "Forked", "Left", "Opened"}
    | {"Registered", "Stored", "Verified"},
}
"""functions and classes that still have a bare participle for a name; no others are added"""


@cache
def modules(package: str) -> dict[str, ast.Module]:
    """Return the parsed modules of a package, by path."""
    paths = sorted((ROOT / package).rglob("*.py"))
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in paths}


def worded_as_questions(package: str) -> Iterator[str]:
    """Yield the place of each docstring that begins with a question word; a property may say "Whether"."""
    for path, module in modules(package).items():
        for node in ast.walk(module):
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            found = QUESTION.match(ast.get_docstring(node) or "")
            if found is None or (found[0] == "Whether" and is_property(node)):
                continue
            yield f"{path}:{getattr(node, 'lineno', 1)}: {found[0]} …"


def is_property(node: ast.AST) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any(isinstance(each, ast.Name) and each.id in ("property", "cached_property") for each in decorators)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_docstring_begins_with_a_verb_or_a_noun_and_not_with_a_question(package: str) -> None:
    assert not list(worded_as_questions(package))


@pytest.mark.parametrize("package", PACKAGES)
def test_no_function_or_class_has_a_bare_participle_for_a_name(package: str) -> None:
    found = {
        node.name
        for module in modules(package).values()
        for node in module.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and PARTICIPLE.fullmatch(node.name.lower())
    }
    assert found == KEPT.get(package, set())
