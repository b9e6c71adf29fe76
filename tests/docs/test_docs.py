"""The pages say what the code does: codes, bounds, links."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.distribution import release
from ledger.event import acts as event_acts
from ledger.lobby import links, signed
from ledger.seats import sealing, snapshots
from ledger.seats.identity import MIN_PASSPHRASE
from rules import SYSTEMS
from rules.data import bounds
from rules.protocol import TRANSITIONS, Phase
from tests.make.clauses import page_of
from tests.make.practice import MADE
from tests.support.bundles import bundled
from verifier.checkpoints import code as table_code
from verifier.dice import derivation
from verifier.event import acts, bundle, names, tables
from verifier.event import rules as event_rules
from verifier.log import bodies, succession
from verifier.log import format as log_format
from verifier.log.identity import _SMALL_ORDER
from verifier.rosters import roster

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "specs"
PAGES = sorted([*SPECS.rglob("*.md"), *ROOT.glob("*.md")])


def rows(page: str) -> Iterator[list[str]]:
    """The cells of all table rows of a page."""
    for line in (SPECS / page).read_text().splitlines():
        if line.startswith("|"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def literals(*packages: str) -> set[str]:
    """Every string that stands in the code of these packages."""
    trees = [ast.parse(path.read_text()) for package in packages for path in (ROOT / package).rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def codes() -> set[str]:
    return {
        code for row in rows("verification.md") for cell in row for code in re.findall(r"`([a-z]+\.[a-z-]+)`", cell)
    }


@pytest.mark.long
def test_every_code_of_the_page_is_one_that_the_code_gives() -> None:
    assert len(codes()) > 40
    assert codes() - literals("verifier", "rules") == set()


@pytest.mark.long
def test_every_code_that_the_code_gives_is_on_the_page() -> None:
    families = {code.split(".")[0] for code in codes()}
    given = {text for text in literals("verifier", "rules") if re.fullmatch(rf"({'|'.join(families)})\.[a-z-]+", text)}
    assert len(given) > 40
    assert given - codes() == set()


def test_every_test_that_the_threats_name_exists() -> None:
    named = set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (SPECS / "threats.md").read_text()))
    assert len(named) > 30
    missing = {f"{file}::{name}" for file, name in named if not (ROOT / file).exists()}
    missing |= {f"{f}::{n}" for f, n in named if (ROOT / f).exists() and f"def {n}(" not in (ROOT / f).read_text()}
    assert missing == set()


@pytest.mark.long
def test_every_code_that_the_ledger_refuses_with_is_on_a_page() -> None:
    families = {code.split(".")[0] for code in codes()}
    given = {text for text in literals("ledger") if re.fullmatch(rf"({'|'.join(families)})\.[a-z-]+", text)}
    told = {code for page in SPECS.glob("*.md") for code in re.findall(r"`([a-z]+\.[a-z-]+)`", page.read_text())}
    assert "time.ahead" in given - codes(), "the ledger has a code that no log has"
    assert given - told == set()


OF_BOUNDS = (bounds, bodies, log_format)
"""the modules with bounds of a log"""


@pytest.mark.parametrize("row", [row for row in rows("README.md") if row[0].startswith("`") and row[0].isupper()])
def test_a_bound_of_the_page_is_the_constant_of_the_code(row: list[str]) -> None:
    name, written = row[0].strip("`"), row[1]
    actual = next(getattr(module, name) for module in OF_BOUNDS if hasattr(module, name))
    number = "2^53 − 1" if written.startswith("2^53") else written.split()[0].replace(",", "")
    assert actual == (2**53 - 1 if number == "2^53 − 1" else int(number))


def test_every_bound_of_the_code_is_on_the_page() -> None:
    named = {row[0].strip("`") for row in rows("README.md")}
    of_the_code = {name for module in OF_BOUNDS for name in vars(module) if re.fullmatch(r"MAX_\w+", name)}
    assert len(of_the_code) >= 10
    assert of_the_code - named == set()


def test_the_codes_and_rules_of_an_event_are_those_of_the_code() -> None:
    page = (SPECS / "event.md").read_text()
    told = set(re.findall(r"`([a-z]+\.[a-z-]+)`", page))
    code = literals("verifier/event") | literals("ledger/server")
    given = {text for text in code if re.fullmatch(r"[a-z]+\.[a-z-]+", text)}
    files = {"event.jsonl", "event.checkpoint", "event.policy", "event.roster"}
    families = {"act", "appoint", "player", "round", "pairing", "table", "call", "slip", "penalty", "event", "bundle"}
    of_lobby = {"table.host", "table.invite", "table.name", "table.seat", "table.start", "table.started"}
    assert {code for code in told - files if code.split(".")[0] in families} == {
        code for code in given - files - of_lobby if code.split(".")[0] in families
    }
    rules = {f"E{rule}" for rule in re.findall(r"^\| E(\d+) \|", page, re.MULTILINE)}
    assert rules == {f"E{rule}" for rule in range(1, 32)}


def test_what_writes_a_type_of_act_is_what_the_page_says() -> None:
    told = {row[0].strip("`"): row[1] for row in rows("event.md") if len(row) == 3 and row[0].strip("`") in acts.ACTS}
    assert set(told) == set(acts.ACTS)
    for kind, roles in event_rules._BY.items():
        page = told[kind].replace("staff", "organizer head judge")
        assert {role for role in ("organizer", "head", "judge", "player") if role in page} == set(roles), kind


def test_the_bounds_of_an_event_are_those_of_the_page() -> None:
    told = {row[0].strip("`"): row[1] for row in rows("event.md") if row[0].startswith("`MAX_")}
    assert len(told) == 8
    for name, value in told.items():
        actual = next(getattr(module, name) for module in (acts, bundle, names) if hasattr(module, name))
        assert actual == int(value.split()[0].replace(",", "")), name


def test_the_labels_of_the_page_are_those_of_the_code() -> None:
    page = (SPECS / "README.md").read_text()
    rows_of_labels = "".join(re.findall(r"^\| `rollproof/v1/.*", page, re.MULTILINE))
    labels = {label.encode() + b"\n" for label in re.findall(r"`(rollproof/v1/[\w ]+)\\n`", rows_of_labels)}
    modules = [derivation, log_format, roster, signed, links, table_code, snapshots, sealing]
    modules += [acts, event_acts, tables, names, release, succession]
    of_the_code = {value for m in modules for name, value in vars(m).items() if name.endswith(("_LABEL", "_INFO"))}
    assert labels - {b"rollproof/v1/anchor\n"} == of_the_code
    assert not any(a != b and a.startswith(b) for a in labels for b in labels), "no label begins another"


def test_the_state_table_of_the_page_is_that_of_the_code() -> None:
    page = [row for row in rows("protocol.md") if len(row) == 4 and row[3] in set(Phase)]
    told = {
        kind: (*({part.strip() for part in row[i].split(",")} for i in (1, 2)), row[3])
        for row in page
        for kind in re.findall(r"`(\w+)`", row[0])
    }
    assert told == {kind: (set(t.before), set(t.roles), t.after) for kind, t in TRANSITIONS.items()}


def test_the_encodings_of_small_order_are_those_of_the_page() -> None:
    page = (SPECS / "log.md").read_text()
    assert set(re.findall(r"^ {4}([0-9a-f]{64})$", page, re.MULTILINE)) == {e.hex() for e in _SMALL_ORDER}


def test_the_shortest_passphrase_of_the_page_is_that_of_the_code() -> None:
    assert f"`MIN_PASSPHRASE` = {MIN_PASSPHRASE} characters" in " ".join((SPECS / "security.md").read_text().split())


def test_every_test_that_was_seen_to_fail_is_there_and_every_attack_has_one() -> None:
    page = (SPECS / "security.md").read_text().split("## How the tests were seen to fail")[1]
    told = re.findall(r"^\| (\d+)[^|]*\|[^|]+\|([^|]+)\|$", page, re.MULTILINE)
    assert {int(attack) for attack, _ in told} == set(range(1, 13))
    code = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    named = {name for _, tests in told for name in re.findall(r"`(\w+)`", tests)}
    assert named - set(re.findall(r"^def (test_\w+)\(", code, re.MULTILINE)) == set()


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_clause_of_a_system_stands_on_its_page(system: str) -> None:
    # A whole number of a clause: 706.1 is not told by 706.1b.
    told = set(re.findall(r"[\w.]+", page_of(SYSTEMS[system]).read_text().replace(".**", "**")))
    told |= {word.rstrip(".") for word in told}
    clauses = SYSTEMS[system].clauses
    assert clauses
    assert [clause.number for clause in clauses if clause.number not in told] == []


@bundled("page", PAGES, lambda page: page.relative_to(ROOT).as_posix())
def test_every_relative_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        if found in {SPECS / "site" / name for name in MADE}:
            continue
        assert found.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", found.read_text(), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}, target


LONGEST = 120
"""characters of a line of text"""


@bundled("page", PAGES, lambda page: page.relative_to(ROOT).as_posix())
def test_the_lines_of_a_page_are_wrapped(page: Path) -> None:
    """But for tables, headings, code, links, and Japanese, where a line's end would be read as a blank."""
    if page.is_relative_to(SPECS / "vectors") or page.name == "CHANGELOG.md":
        return
    text = re.sub(r"^( *)(```+).*?^\1\2$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in text.splitlines() if not re.match(r"\s*[|#<]|    |\[", line)]
    long = [line for line in lines if len(line) > LONGEST and not re.search("[\u3040-\u30ff\u4e00-\u9fff]", line)]
    assert [line for line in long if re.search(r"\S{80}", line) is None] == []
