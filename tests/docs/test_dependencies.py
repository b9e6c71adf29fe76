"""What the package needs from others: ranges with a reason each, and licences that go with its own (Apache-2.0)."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

import pytest
from packaging.requirements import Requirement

from ledger.distribution.optional_dependencies import requirements as suggested
from tests.support.cli import REPOSITORY

PYPROJECT = REPOSITORY / "pyproject.toml"
PERMISSIVE = re.compile(
    r"apache|bsd|mit\b|mit-cmu|\bmit license|psf|python software foundation|isc|hpnd|zlib|unlicense|public domain|mpl",
    re.IGNORECASE,
)
COPYLEFT = re.compile(r"\b(?:a?gpl|gnu (?:affero )?general public)", re.IGNORECASE)
USED = ("", "report", "stats")
"""the extras that people install; the others are for those who work on it"""


def requirements() -> dict[str, list[str]]:
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    return {"": project["dependencies"], **project["optional-dependencies"]}


def needed(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> Iterator[Distribution]:
    """A distribution and all that it needs here."""
    if (name, extras) in seen:
        return
    seen.add((name, extras))
    found = distribution(name)
    yield found
    for text in found.requires or ():
        asked = Requirement(text)
        if any(asked.marker is None or asked.marker.evaluate({"extra": extra}) for extra in (extras or {""})):
            yield from needed(asked.name, frozenset(asked.extras), seen)


def licence(found: Distribution) -> str:
    told = found.metadata
    classifiers = [c for c in told.get_all("Classifier") or () if c.startswith("License ::")]
    free = [*(told.get_all("License-Expression") or ()), *(told.get_all("License") or ())]
    return " ".join([*classifiers, *(text[:200] for text in free)])


@pytest.mark.parametrize("extra", USED)
def test_licences_go_with_ours(extra: str) -> None:
    if extra not in requirements():
        pytest.skip(f"no extra {extra}")
    seen: set[tuple[str, frozenset[str]]] = set()
    for text in requirements()[extra]:
        asked = Requirement(text)
        if asked.name == "rollproof":
            continue
        try:
            found = list(needed(asked.name, frozenset(asked.extras), seen))
        except PackageNotFoundError as error:
            pytest.skip(f"{error} is not installed here")
        for one in found:
            told = licence(one)
            assert PERMISSIVE.search(told), (one.metadata["Name"], told)
            assert not COPYLEFT.search(told), (one.metadata["Name"], told)


def test_each_dependency_has_a_range_and_a_reason() -> None:
    lines = PYPROJECT.read_text().splitlines()
    for extra, texts in requirements().items():
        for text in texts:
            asked = Requirement(text)
            if asked.name == "rollproof":
                continue
            assert {part.operator for part in asked.specifier} & {">=", "~=", "=="}, text
            if extra in USED:
                line = next(line for line in lines if f'"{text}"' in line)
                assert re.search(r"# \w+", line), f"{text} stands without its reason"


def test_the_verifier_needs_three_packages_at_most() -> None:
    """Of others: itself imports two (held by the import contracts), and one of those brings what it wraps."""
    named = set()
    for path in (REPOSITORY / "verifier").rglob("*.py"), (REPOSITORY / "rules").rglob("*.py"):
        for file in path:
            named |= set(re.findall(r"^\s*(?:from|import) (\w+)", file.read_text(), re.MULTILINE))
    assert named & {"cryptography", "msgspec"} == {"cryptography", "msgspec"}
    assert not named & {
        "sqlite3",
        "sqlite_utils",
        "typer",
        "rich",
        "jinja2",
        "scipy",
        "matplotlib",
        "numpy",
        "requests",
    }


@pytest.mark.parametrize("extra", sorted(requirements().keys() - {"", "dev"}))
def test_what_is_suggested_for_an_extra_can_be_typed(extra: str) -> None:
    """Nothing of ours is in an index: what is named are the libraries, as pyproject.toml has them."""
    asked = [Requirement(text) for text in _flat(extra)]
    assert {Requirement(word) for word in shlex.split(suggested(extra))} == set(asked)


def _flat(extra: str) -> Iterator[str]:
    for text in requirements()[extra]:
        if Requirement(text).name == "rollproof":
            for inner in Requirement(text).extras:
                yield from _flat(inner)
        else:
            yield text


def test_where_nothing_was_installed_the_checkout_is_suggested(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> list[str]:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.requires", nothing)
    assert shlex.split(suggested("stats")) == [f"{REPOSITORY}[stats]"]
