"""Who looks at a broken module, in this process: the vectors, then the tests of the rules."""

import contextlib
import io
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from tests.mutants.sites import GROUPS, RULES
from tests.support.scripts import scripts

__all__ = ["notices_in_tests", "notices_in_vectors", "prepare", "vectors", "writes"]

TESTS = RULES.parent / "tests" / "rules"
LOGS = RULES.parent / "specs" / "vectors" / "logs"
FOLDERS = {"anydice": "dice"}
"""where a system's vectors are called otherwise than its folder"""

OFFERS = "offer or takes or taken"
"""in the names of the tests of actions"""

RULES_TESTS = {
    "mtg": ("test_mtg", "test_mtg_explain"),
    "wh40k": ("test_wh40k_light", "test_wh40k"),
    "t9a": ("test_t9a",),
    "doubledown": ("test_doubledown_events", "test_doubledown", "test_late_systems"),
    "anydice": ("test_anydice", "test_late_systems"),
    "shared": ("test_session", "test_history", "test_bodies", "test_lines"),
}
"""modules of tests that look at one system, in process, the quick ones first"""
NOTATION_TESTS = {
    "mtg": ("test_mtg_words", "test_actions_mtg"),
    "wh40k": ("test_wh40k_notation", "test_wh40k_light"),
    "t9a": ("test_t9a_explain", "test_actions_t9a"),
    "doubledown": ("test_actions_doubledown",),
    "anydice": ("test_anydice_notation", "test_actions_dice"),
    "shared": ("test_free_text_parts", "test_free_text", "test_sentences"),
}
ACTION_TESTS = {
    "mtg": ("test_actions_mtg",),
    "wh40k": ("test_actions_wh40k",),
    "t9a": ("test_actions_t9a",),
    "doubledown": ("test_actions_doubledown",),
    "anydice": ("test_actions_dice",),
    "shared": ("test_actions", "test_actions_t9a", "test_actions_mtg", "test_actions_wh40k"),
}


def writes(module: str) -> bool:
    """Whether a module only reads and writes notations of people, which no vector has."""
    return module.rpartition(".")[2] in ("notation", "datasheet", "quoting", "free_text")


def asks(group: str, module: str, *, played: bool) -> list[list[str]]:
    """What pytest is to run for a change: files and a choice of their tests, one after the other.

    `played`: vectors come to what is changed; where none does, it is about what is offered, or asked of a state.
    """
    if writes(module):
        return [[*_files(NOTATION_TESTS[group]), "-k", f"not ({OFFERS})"]]
    folder = FOLDERS.get(group, group)
    states = [*_files(["test_script_states"]), "-k", "" if group == "shared" else folder]
    offered = [*_files(ACTION_TESTS[group]), "-k", OFFERS]
    if module.rpartition(".")[2] == "actions":
        return [offered]
    return [_files(RULES_TESTS[group]), states] if played else [offered, states]


def _files(names: Sequence[str]) -> list[str]:
    """The files of these tests of the rules."""
    return [str(TESTS / f"{name}.py") for name in names]


@cache
def vectors(group: str) -> tuple[tuple[str, bytes], ...]:
    """Names and contents of the scripts of a system; for what they share of all, and the logs.

    Who comes later, and secret rolls, are in logs alone: their keys and secrets are in no script.
    """
    folders = [one for one in GROUPS if one != "shared"] if group == "shared" else [group]
    found = []
    for folder in folders:
        found += [(str(vector), vector.data) for vector in scripts(FOLDERS.get(folder, folder))]
    if group == "shared":
        found += [(f"logs/{path.name}", b"") for path in sorted(LOGS.glob("*.jsonl"))]
    return tuple(found)


def prepare(*, tests: bool) -> None:
    """Import what no change touches, so that each trial finds it there."""
    import msgspec  # noqa: F401

    if tests:
        import hypothesis  # noqa: F401
        import pytest  # noqa: F401

    for group in GROUPS:
        vectors(group)


def notices_in_vectors(group: str, numbers: Iterable[int] | None = None) -> str | None:
    """The first vector, or the first of those with these numbers, that does not end as it says; or None."""
    from rules.script import differences, read, run

    scripts = vectors(group)
    for name, data in scripts if numbers is None else (scripts[number] for number in numbers):
        try:
            if name.startswith("logs/"):
                if not _is_judged_as_it_says(name.removeprefix("logs/")):
                    return name
                continue
            script = read(data)
            if differences(script, run(script)):
                return name
        except Exception as error:
            return f"{name}: {type(error).__name__}"
    return None


def _is_judged_as_it_says(file: str) -> bool:
    """Whether the verifier finds in a log what its vector says."""
    from tests.oracles.test_vectors import LOGS, verify_vector

    entry = LOGS[file]
    report = verify_vector(entry)
    found = [[each.code, each.severity, each.step, each.seq, each.fault, each.clause] for each in report.findings]
    said = [
        [each[name] for name in ("code", "severity", "step", "seq", "fault", "clause")] for each in entry["findings"]
    ]
    return found == said and (report.verdict, report.valid_prefix) == (entry["verdict"], entry["valid_prefix"])


class _First:
    """Remembers the first test that fails."""

    name: str | None = None

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and self.name is None:
            self.name = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and self.name is None:
            self.name = f"{report.nodeid} (not collected)"


def notices_in_tests(group: str, module: str, *, played: bool) -> str | None:
    """The first test of the rules that fails, or None. The same examples are drawn each time."""
    import hypothesis
    import pytest

    hypothesis.settings.register_profile("mutants", derandomize=True, database=None, deadline=None)
    hypothesis.settings.load_profile("mutants")
    first = _First()
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--assert=plain", "-m", "not slow"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for asked in asks(group, module, played=played):
            code = pytest.main([*options, *asked], plugins=[first])
            if code != 0:
                return first.name or f"pytest ends with {int(code)}"
    return None
