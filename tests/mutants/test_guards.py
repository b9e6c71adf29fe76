"""The guards of verifier, seat, keeper, server, client and pages are broken on purpose (tests.mutants)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants import known, scripts
from tests.mutants.groups import GUARDED, ROOT, paths, trees
from tests.mutants.guards import guards
from tests.mutants.record import TESTS, Reached, files
from tests.mutants.session import Session
from tests.mutants.sites import Site

HELD = [
    *(("verifier", f"verifier.disputes.{name}") for name in ("attestation", "compare")),
    *(("verifier", f"verifier.checkpoints.{name}") for name in ("checkpoint", "note")),
    *(("server", f"ledger.lobby.{name}") for name in ("links", "signed", "signing")),
]
"""groups and modules of which every change is noticed or explained, also of conditions that refuse nothing"""
HELD_GROUPS = ["event"]
"""groups of which every change of a guard is; of the others one run of the command has not shown it yet"""

BROKEN = '''"""A guard."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 3 if TYPE_CHECKING else 4


def admits(who: str, count: int, names: list[str]) -> bool:
    assert count >= 0
    check_name(who)
    if count > LIMIT or who in names:
        raise ValueError(who)
    if not (0 <= count < LIMIT):
        check_name(who)
        return False
    try:
        late = next(name for name in names if name and len(name) < 9)
    except (KeyError, StopIteration):
        return True
    while late:
        late = late[1:]
    return all(name for name in names) and count == min(LIMIT, len(names))
'''
SCRIPT = """/** A guard. */
const LIMIT = globalThis.limit ?? 4;

export function admits(who, count, names) {
  checkName(who);
  if (count > LIMIT || names.includes(who)) throw new Error(who);
  if (!count) {
    checkName(who);
    throw new Error('none');
  }
  try {
    return names.every((name) => name) && count === Math.min(LIMIT, names.length);
  } catch {
    return false;
  }
}
"""
DECIDING = '''"""Conditions that decide about a refusal; the others say `other`."""
MAX_NAMES = 9


def read(who: str, names: list[str], other: int) -> str | None:
    if other:
        who = "b"
    told = "a" if other else "b"
    if who == "raises":
        raise ValueError(who)
    if who == "calls":
        check_name(who)
    if who == "records":
        names.append(ReadError(told))
    elif other:
        names.append(who)
    if who == "nothing":
        return None
    counted = min(other, len(names))
    right = who == "name" and names
    wrong = other == 4
    if not right:
        return ""
    for name in names:
        if name == "again":
            continue
        if other == 5:
            told = name
    if len(names) > MAX_NAMES:
        names.clear()
    found = who if who != "given" else None
    if other == 6:
        return told
    names.append(who if wrong else found)
    if who == "here":
        return who
    elif who == "there":
        return told
    raise KeyError(who)
'''
DECIDING_SCRIPT = """/** Conditions that decide about a refusal; the others say `other`. */
const MAX_NAMES = 9;

/** @param {string} who @returns {boolean} */
const isName = (who) => who !== 'predicate';

export function read(who, names, other) {
  if (other) names.push(who);
  let told = other ? 'a' : 'b';
  if (who === 'raises') throw new Error(who);
  if (who === 'calls') checkName(who);
  if (who === 'records') names.push(new ReadError(told));
  else if (other === 1) names.push(who);
  if (who === 'nothing') return null;
  const counted = Math.min(other, names.length);
  const right = who === 'name' && isName(who);
  const wrong = other === 4;
  if (!right) return [];
  for (const name of names) {
    if (name === 'again') continue;
    if (other === 5) told = name;
  }
  if (names.length > MAX_NAMES) names.pop();
  const found = who !== 'given' ? who : null;
  if (other === 6) return told;
  names.push(wrong ? who : found, counted);
  if (who === 'here') return who;
  else if (who === 'there') return told;
  throw new Error(who);
}
"""
ONE_TEST = """
import sys
from tests.mutants.groups import trees
from tests.mutants.record import Reached
from tests.mutants.session import Session

[tree] = [tree for tree in trees("verifier", {"verifier.checkpoints.code"})]
reached = Reached()
sites = [site for site in tree.sites if site.function in ("table_code", "parse_code")]
lines = [[site.module, site.function, site.text, [0]] for site in sites]
reached.add({"tests": {sys.argv[1]: 0.1}, "lines": lines})
told = []
Session([("verifier", tree, site) for site in sites], reached, lambda one, who: told.append(who)).run()
print(*sorted(set(told)), len(told), sep="\\n")
"""


def found(tmp_path: Path, source: str, *, everything: bool = True) -> list[tuple[str, str]]:
    path = tmp_path / "broken.py"
    path.write_text(source)
    return [
        (site.text.split()[0], site.change) for site in guards("verifier.broken", path, everything=everything).sites
    ]


def test_guards_are_broken_and_nothing_that_runs_at_import(tmp_path: Path) -> None:
    assert found(tmp_path, BROKEN) == [
        ("check_name(who)", "checks nothing"),
        ("if", "always"),
        ("if", "without count > LIMIT"),
        ("if", "without who in names"),
        ("if", "> → >="),
        ("if", "always"),
        ("if", "never"),
        ("if", "<= → <"),
        ("if", "< → <="),
        ("if", "without 0 <= count"),
        ("if", "without count < LIMIT"),
        ("check_name(who)", "checks nothing #2"),
        ("late", "never"),
        ("late", "without name"),
        ("late", "without len(name) < 9"),
        ("late", "< → <="),
        ("except", "lets through KeyError"),
        ("except", "lets through StopIteration"),
        ("while", "never"),
        ("return", "without all((name for name in names))"),
        ("return", "without count == min(LIMIT, len(names))"),
        ("return", "all → any"),
        ("return", "min without LIMIT"),
        ("return", "min without len(names)"),
    ]


@pytest.mark.parametrize(
    "source", [BROKEN, "def fits(count, sizes):\n    return count < min(9, *sizes)\n"], ids=["guards", "starred"]
)
def test_each_change_is_a_program_and_another_one(source: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    whole = compile(source, str(path), "exec")
    for number in range(len(guards("verifier.broken", path).sites)):
        tree = guards("verifier.broken", path)
        tree.sites[number].apply()
        assert compile(tree.tree, str(path), "exec") != whole


def test_a_condition_that_decides_about_no_refusal_is_no_guard(tmp_path: Path) -> None:
    path = tmp_path / "deciding.py"
    path.write_text(DECIDING)
    guarded = {site.text for site in guards("verifier.deciding", path).sites}
    others = {site.text for site in guards("verifier.deciding", path, everything=True).sites} - guarded
    assert len(guarded) == 13
    assert {text for text in guarded if "other" in text} == {"counted = min(other, len(names))"}
    assert [text for text in others if "other" not in text] == ["names.append(who if wrong else found)"]


@pytest.mark.long
def test_a_condition_of_javascript_that_decides_about_no_refusal_is_no_guard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not scripts.is_there():
        pytest.skip("Node or TypeScript is not installed")
    monkeypatch.setattr(scripts, "ROOT", tmp_path)
    path = tmp_path / "deciding.js"
    path.write_text(DECIDING_SCRIPT)
    [script], [whole] = scripts.scripts([path]), scripts.scripts([path], everything=True)
    guarded = {site.text for site in script.sites}
    others = {site.text for site in whole.sites} - guarded
    assert len(guarded) == 14
    assert {text for text in guarded if "other" in text} == {"const counted = Math.min(other, names.length);"}
    assert [text for text in others if "other" not in text] == ["names.push(wrong ? who : found, counted);"]


@pytest.mark.long
def test_guards_of_javascript_are_broken_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not scripts.is_there():
        pytest.skip("Node or TypeScript is not installed")
    monkeypatch.setattr(scripts, "ROOT", tmp_path)
    path = tmp_path / "broken.js"
    path.write_text(SCRIPT)
    [script] = scripts.scripts([path], everything=True)
    assert [(site.function, site.text.split()[0], site.change) for site in script.sites] == [
        ("admits", "checkName(who);", "checks nothing"),
        ("admits", "if", "always"),
        ("admits", "if", "without count > LIMIT"),
        ("admits", "if", "without names.includes(who)"),
        ("admits", "if", "> → >="),
        ("admits", "if", "always"),
        ("admits", "if", "never"),
        ("admits", "checkName(who);", "checks nothing #2"),
        ("admits", "throw", "throws nothing"),
        ("admits", "return", "without names.every((name) => name)"),
        ("admits", "return", "without count === Math.min(LIMIT, names.length)"),
        ("admits", "return", "every → some"),
        ("admits", "return", "min without LIMIT"),
        ("admits", "return", "min without names.length"),
        ("admits", "}", "lets through"),
    ]
    altered = [script.altered(site) for site in script.sites]
    assert len({*altered, SCRIPT}) == len(altered) + 1
    assert "catch (thrown) { throw thrown;" in altered[-1]


def test_every_group_has_modules_and_tests_that_are_asked_about_it() -> None:
    assert GUARDED.keys() == TESTS.keys()
    for group, patterns in GUARDED.items():
        for pattern in patterns:
            assert list(ROOT.glob(pattern)), f"{group}: no {pattern}"
        for pattern in TESTS[group]:
            assert list((ROOT / "tests").glob(f"{pattern}.py")), f"{group}: no {pattern}"
        assert files([group])


def test_every_entry_about_a_guard_names_a_change_of_todays_code() -> None:
    listed = known.read()
    guarded = {module for group in GUARDED for module, _ in paths(group)}
    wanted = {key[0] for key in listed.why} & guarded
    looked = [tree for group in GUARDED for tree in trees(group, wanted, everything=True)]
    assert listed.strangers((site for tree in looked for site in tree.sites), [tree.module for tree in looked]) == []


def test_a_line_that_is_new_is_shown_to_the_tests_of_its_function() -> None:
    reached = Reached()
    reached.add({"tests": {"a": 0.1, "b": 0.2}, "lines": [["m", "f", "if x:", [0]], ["m", "f", "return y", [1]]]})
    reached.add({"tests": {"c": 0.1}, "lines": [["m", "f", "if w:", [0]], ["m", "g", "if x:", []]]})
    assert reached.tests("m", "f", "if x:") == {"a", "c"}
    assert reached.tests("m", "f", "if w:") == {"a", "b", "c"}
    assert reached.tests("m", "g", "if x:") == set()
    assert reached.tests("m", "h", "if x:") == set()


def test_each_file_of_tests_is_asked_in_turn_and_a_slow_test_leaves_time_to_quick_ones() -> None:
    reached = Reached()
    reached.add({"tests": {f"a::{n}": 1 / 16 for n in range(1, 10)}, "lines": [["m", "f", "if x:", list(range(9))]]})
    reached.add({"tests": {"b::slow": 0.5, "b::1": 1 / 16}, "lines": [["m", "f", "if x:", [0, 1]]]})
    session = Session([], reached, lambda *_: None, seconds=1)
    session._items = reached.seconds
    chosen = session._chosen(Site("m", "f", 1, "if x:", "always", lambda: None))
    assert chosen == ["b::1", *(f"a::{n}" for n in range(1, 8)), "b::slow"]


@pytest.mark.long
def test_a_change_is_noticed_by_a_test_that_comes_to_it() -> None:
    cases = json.loads((ROOT / "specs" / "vectors" / "codes.json").read_text())
    test = f"tests/cli/test_codes.py::test_vectors[{cases[0]['code']}]"
    ended = subprocess.run([sys.executable, "-c", ONE_TEST, test], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    *told, count = ended.stdout.splitlines()
    assert {"", test} <= {*told}, "what no test of these comes to is left"
    assert int(count) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("group", "module"), HELD)
def test_every_change_of_a_module_is_noticed_or_explained(group: str, module: str) -> None:
    command = [sys.executable, "-m", "tests.mutants", group, "--module", module, "--everything", "--quiet"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize("group", HELD_GROUPS)
def test_every_guard_of_a_group_is_noticed_or_explained(group: str) -> None:
    command = [sys.executable, "-m", "tests.mutants", group, "--quiet"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
