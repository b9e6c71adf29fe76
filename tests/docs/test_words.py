"""How the code is worded: docstrings in plain English, and names that say what a function does or a class is."""

import ast
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("ledger", "rules", "verifier")
QUESTION = re.compile(r"(What|Whether|Who|Whom|Whose|How|Where|Which|When)\b")
PARTICIPLE = re.compile(
    r"[a-z]*[^e]ed|given|taken|shown|known|drawn|thrown|chosen|written|told|said|kept|left|held|found|made|done|gone|put"
)

KEPT = {
    "ledger": {"Anchored", "EventCosigned", "Explained", "HandInReceived", "NewReceived", "OEmbed", "OpeningReceived"}
    | {"Ranked", "Reasoned", "Recovered", "Signed", "Started", "Tested", "Typed", "Voided", "Written"}
    | {"balanced", "isolated"},
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
    """Yield the place of each docstring that begins with a question word."""
    for path, module in modules(package).items():
        for node in ast.walk(module):
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            found = QUESTION.match(ast.get_docstring(node) or "")
            if found is None:
                continue
            yield f"{path}:{getattr(node, 'lineno', 1)}: {found[0]} …"


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


SAME_NAME = """
Game Offer Problem Roll Table
"""
"""names that two or more classes of the product still share; no others are added"""


def names_of_several_classes() -> set[str]:
    """Return the names that two or more classes have.

    Each system has a `RollBody` of its own: a name that several systems have once each counts as one.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for package in ("ledger", "rules", "verifier"):
        for path in (ROOT / package).rglob("*.py"):
            system = re.match(r"rules/systems/\w+/", str(path.relative_to(ROOT)))
            for name in re.findall(r"^ *class (\w+)[(:]", path.read_text(), re.MULTILINE):
                counts[name][system[0] if system else "shared"] += 1
    return {name for name, places in counts.items() if places.pop("shared", 0) + max(places.values(), default=0) > 1}


def test_no_two_classes_have_one_name() -> None:
    assert names_of_several_classes() == set(SAME_NAME.split())


SUBJECTS_SINCE = "718923b2efa986091113687876ca4f45c3dfcf8f"
"""subjects of older commits are longer"""


def git(*arguments: str) -> str | None:
    """Return the output of git; None without git, and where it fails: in an archive, or a shallow clone."""
    if shutil.which("git") is None:
        return None
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else None


def test_the_subject_of_a_commit_has_at_most_72_characters() -> None:
    subjects = git("log", "--no-merges", "--format=%s", f"{SUBJECTS_SINCE}..HEAD")
    if subjects is None:
        pytest.skip("the history is not here")
    assert [subject for subject in subjects.splitlines() if len(subject) > 72] == []
