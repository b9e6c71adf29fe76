"""The rules are broken on purpose, and somebody notices (tests.mutants)."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.mutants import known
from tests.mutants.groups import GUARDED, paths
from tests.mutants.patterns import changes
from tests.mutants.sites import GROUPS, Site, modules, sites

ROOT = Path(__file__).parents[2]

SOME = (
    *(
        "rules.systems.mtg.table",
        "rules.systems.wh40k.attack_grouping",
        "rules.systems.t9a.rerolls",
        "rules.systems.doubledown.tables",
        "rules.systems.anydice.calls",
    ),
    "rules.session",
    "rules.sealing",
    "rules.strikes",
    "rules.rulings",
    "rules.parties",
)
"""a module of each group, whose changes are noticed by vectors"""

BROKEN = '''"""A rule."""
from rules.data.language import N_

MOST: int = 3
TEXT = N_("at most 3")


def check(count: int, *, late: bool = False) -> int:
    assert count > 0
    if count > MOST and not late:
        refuse("A1", "{count} is more than 3", count=count + 1)
    return count - 1 if count in (1, 2) else -count
'''


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "tests.mutants", *arguments], cwd=ROOT, capture_output=True, text=True)


def test_every_group_finds_its_files() -> None:
    """A module that has moved would otherwise be broken no more, and nobody would see it."""
    assert [pattern for patterns in GUARDED.values() for pattern in patterns if not any(ROOT.glob(pattern))] == []


def found(tmp_path: Path, source: str) -> list[Site]:
    path = tmp_path / "broken.py"
    path.write_text(source)
    return list(sites("rules.broken", path).sites)


def test_operators_numbers_and_refusals_are_changed_and_no_messages(tmp_path: Path) -> None:
    assert [(site.function, site.change) for site in found(tmp_path, BROKEN)] == [
        ("", "3 → 4"),
        ("", "False → True"),
        ("check", "and → or"),
        ("check", "without count > MOST"),
        ("check", "without not late"),
        ("check", "> → >="),
        ("check", "not → (nothing)"),
        ("check", "refuses nothing"),
        ("check", "in → not in"),
        ("check", "1 → 2"),
        ("check", "2 → 3"),
        ("check", "- → +"),
        ("check", "1 → 2 #2"),
        ("check", "- → (nothing)"),
    ]


LET_THROUGH = '''"""What nobody noticed once."""


def decided(votes, voters, player=None or 5):
    if all(vote for vote in votes) or 2 * len(votes) == len(voters) and player in votes:
        return replace(player, ability=None, open=1)
    return votes == voters
'''


def test_operands_are_dropped_boundaries_moved_all_is_any_and_what_is_changed_stays(tmp_path: Path) -> None:
    assert [site.change for site in found(tmp_path, LET_THROUGH)] == [
        "or → and",
        "5 → 6",
        "or → and",
        "without all((vote for vote in votes))",
        "without 2 * len(votes) == len(voters) and player in votes",
        "all → any",
        "and → or",
        "without 2 * len(votes) == len(voters)",
        "without player in votes",
        "== → !=",
        "== → >=",
        "== → <=",
        "* → //",
        "2 → 3",
        "in → not in",
        "without ability=None",
        "without open=1",
        "1 → 2",
        "== → !=",
    ]


def test_a_regular_expression_loses_what_it_has() -> None:
    pattern = r"(?<!x)(?:ab?|[cd-f]+)(?![a-z])|^\.*"
    assert [words for words, _ in changes(pattern)] == [
        "without (?<!x)",
        "b? → b",
        "without b?",
        "without c",
        "without d-f",
        "[cd-f]+ → [cd-f]",
        "[cd-f]+ → [cd-f]*",
        "without ab?",
        "without [cd-f]+",
        "without (?![a-z])",
        "without ^",
        r"\.* → \.+",
        r"without \.*",
        "without (?<!x)(?:ab?|[cd-f]+)(?![a-z])",
        r"without ^\.*",
    ]


@pytest.mark.long
def test_of_a_regular_expression_that_is_made_of_parts_the_whole_is_changed() -> None:
    (path,) = (path for name, path in modules("shared") if name == "rules.common.free_text")
    tree = sites("rules.common.free_text", path)
    (site,) = [site for site in tree.sites if site.change == "without thrice"]
    site.apply()
    told: dict[str, Any] = {"__name__": "small"}
    exec(compile(tree.tree, "small", "exec"), told)
    assert [told["reads_like_notation"](word) for word in ("twice", "thrice")] == ["twice", None]


def changed(tmp_path: Path, source: str, change: str) -> dict[str, Any]:
    """What a module has when it is run with one change in it."""
    path = tmp_path / "small.py"
    path.write_text(source)
    tree = sites("rules.small", path)
    (site,) = [one for one in tree.sites if one.change == change]
    site.apply()
    told: dict[str, Any] = {}
    exec(compile(tree.tree, "small", "exec"), told)
    return told


@pytest.mark.parametrize(
    ("line", "change", "then"),
    [
        ("n > 1 and n < 5", "without n > 1", [True, True, False]),
        ("n > 1 and n < 5", "without n < 5", [False, True, True]),
        ("n == 3", "== → >=", [False, True, True]),
        ("n == 3", "== → <=", [True, True, False]),
        ("all(one for one in (n > 1, n < 5))", "all → any", [True, True, True]),
        ("dict(replace(n=1, m=n)) == {'m': n}", "without n=1", [True, True, True]),
    ],
)
def test_what_a_change_comes_to(tmp_path: Path, line: str, change: str, then: list[bool]) -> None:
    told = changed(tmp_path, f"replace = dict\n\n\ndef small(n):\n    return {line}\n", change)
    assert [told["small"](n) for n in (1, 3, 5)] == then


def test_a_change_alters_the_tree_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_text("def small(n):\n    return n < 3\n")
    tree = sites("rules.small", path)
    tree.sites[0].apply()
    told: dict[str, object] = {}
    exec(compile(tree.tree, "small", "exec"), told)
    small = told["small"]
    assert callable(small)
    assert [small(2), small(3), small(4)] == [True, True, False]


@pytest.mark.long
def test_every_entry_of_the_list_names_a_change_of_todays_code() -> None:
    trees = [sites(name, path) for group in GROUPS for name, path in modules(group)]
    listed = known.read()
    assert listed.strangers((site for tree in trees for site in tree.sites), [tree.module for tree in trees]) == []
    guarded = {name for group in GUARDED for name, _ in paths(group)}
    assert {key[0] for key in listed.why} <= {tree.module for tree in trees} | guarded


def test_what_nobody_notices_is_told_unless_it_is_explained(tmp_path: Path) -> None:
    one, two, three, *_ = found(tmp_path, BROKEN)
    listed = known.Known({one.key: "It is so.", three.key: "It was so."}, ())
    assert known.judge(listed, survived=[one, two], killed=[three]) == ([two], [three.key])
    assert listed.strangers([one], ["rules.broken"]) == [three.key]
    assert listed.strangers([one], ["rules.other"]) == []


def test_an_entry_without_a_reason_or_twice_is_refused(tmp_path: Path) -> None:
    entry = '[[unnoticed]]\nmodule = "rules.a"\nwhy = "{why}"\nchanges = [{{ line = "x < 1", change = "< → <=" }}]\n'
    path = tmp_path / "known.toml"
    for text in (entry.format(why=" "), 2 * entry.format(why="So.")):
        path.write_text(text)
        with pytest.raises(ValueError, match="twice, or without a reason"):
            known.read(path)


@pytest.mark.long
def test_some_changes_of_every_system_are_noticed() -> None:
    """Some of one module each, by vectors alone; all of them are tried by the slow test."""
    ended = run(*GROUPS, *(f"--module={name}" for name in SOME), "--sample", "3", "--vectors-only", "--quiet")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert all(f"\n{group} " in ended.stdout for group in GROUPS)


@pytest.mark.long
def test_what_nobody_notices_ends_with_1() -> None:
    """Without the list that explains it."""
    typed = ("t9a", "--only", "return value + (self.add or 0)", "--vectors-only", "--quiet")
    ended = run(*typed)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    ended = run(*typed, "--bare")
    assert ended.returncode == 1
    assert "nobody notices: rules.systems.t9a.state" in ended.stdout


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_every_change_is_noticed_or_explained(group: str) -> None:
    ended = run(group, "--quiet")
    assert ended.returncode == 0, ended.stdout + ended.stderr
