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
@pytest.mark.long
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


IMPLEMENT = {"InModules": "System", "PostgresStorage": "Storage", "SqliteStorage": "Storage"}
"""classes that have the methods of a protocol, whose docstrings stand there once"""


@cache
def class_definitions() -> dict[str, list[ast.ClassDef]]:
    """Return the classes of the product, by name."""
    found: defaultdict[str, list[ast.ClassDef]] = defaultdict(list)
    for package in PACKAGES:
        for module in modules(package).values():
            for node in ast.walk(module):
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(node)
    return found


def has_documented(owner: str, method: str) -> bool:
    """Return whether a class, or one that it is derived from, says what a method does."""
    for node in class_definitions().get(owner, []):
        own = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
        if any(each.name == method and ast.get_docstring(each) for each in own):
            return True
        bases = [name.id for base in node.bases for name in ast.walk(base) if isinstance(name, ast.Name)]
        if any(has_documented(base, method) for base in bases):
            return True
    return owner in IMPLEMENT and has_documented(IMPLEMENT[owner], method)


def is_handler(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Return whether a function answers a request: the summary of its path says what it does."""
    calls = [each for each in node.decorator_list if isinstance(each, ast.Call)]
    return any(keyword.arg == "summary" for call in calls for keyword in call.keywords)


def public_without_docstring(body: list[ast.stmt], owner: str | None = None) -> Iterator[ast.stmt]:
    """Yield the public functions, classes and methods of which nothing says what they are for."""
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
            continue
        says = ast.get_docstring(node) or is_handler(node) or (owner is not None and has_documented(owner, node.name))
        if not says:
            yield node
        if isinstance(node, ast.ClassDef):
            yield from public_without_docstring(node.body, node.name)


@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_public_says_what_it_is_for(package: str) -> None:
    """Ruff asks it of a module's `__all__` alone."""
    found = [
        f"{path}:{node.lineno}"
        for path, module in modules(package).items()
        for node in public_without_docstring(module.body)
    ]
    assert found == []


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
