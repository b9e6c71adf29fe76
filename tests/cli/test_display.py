"""How rolls and events read: dice in signs and words, steps, what a judge ruled; and the state of one roll alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.cli.describe import event_line, summary
from rules.script import Outcome, read, run
from tests.support.bundles import bundled
from tests.support.cli import Cli
from tests.support.scripts import SCRIPTS, script, scripts
from verifier.shell.display import roll_text, struck_through

HOLDING = [str(vector) for vector in scripts() if not vector.violates]


def outcome_of(name: str) -> Outcome:
    return run(read(script(name).data))


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(tmp_path / "home", capsys, monkeypatch)


# --- dice ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "text", "through"),
    [
        # What a judge put in the place of a natural is no modifier, and modifiers after it are.
        ("mtg/rulings--correct-of-a-settled-roll", "2d6 (6 ruled 3, 3)", []),
        ("mtg/rulings--adjusted-after-a-correction", "1d6 (5 ruled 2) + 1 = 3", []),
        (
            "t9a/rulings--a-dropped-die-is-not-dropped-anew",
            "3d6 (~~2~~, 4 ruled 1, 5) = 6",
            ["not counted: die 1"],
        ),
        ("t9a/T6.1--d3-drops-by-the-d6", "2d3 (2, ~~1~~) = 1 against 1+: success", ["not counted: die 2"]),
        # A reroll sets aside what was ruled before it.
        ("t9a/rulings--correct-then-reroll", "2x1d6 (~~2~~ 1, 3) = 1, 3; 4+: 0 of 2", ["replaced: die 1"]),
        ("t9a/T4.3--the-first-stands", "2d6 (4, ~~1~~ 2) = 6", ["replaced: die 2"]),
        # Arithmetic is true as written.
        ("t9a/T2.1--in-the-order-given", "1d6 (3) = (3 + 1) × 2 = 8", []),
        ("t9a/T2.1--each-throw", "2x1d6 (4, 5) each − 1: 3, 4; 4+: 1 of 2", []),
        ("t9a/T2.2--below-one", "2x1d6 (1, 3) each − 3: −2, 0", []),
        ("mtg/706.2b--any-takes-some", "3d6 (~~1~~ 5, 2, ~~3~~ 6)", ["replaced: die 1, 3"]),
    ],
)
def test_a_roll_reads_so(script: str, text: str, through: list[str]) -> None:
    session = outcome_of(script).session
    settled, opened = session.system.rolls(session.game)
    roll = [*settled, *opened][-1]
    assert roll_text(roll, session.system) == text
    assert [str(told) for told in struck_through(roll)] == through


@bundled("name", HOLDING)
def test_one_roll_alone_is_told_as_in_the_whole_state(name: str) -> None:
    session = outcome_of(name).session
    rolls = session.view()["rolls"]
    assert [session.view_roll(roll["roll"]) for roll in rolls] == rolls
    assert session.view_roll(10**6) is None


# --- rules check ---------------------------------------------------------------------------------------------------


def test_a_check_tells_each_step_with_its_clause_and_source(cli: Cli) -> None:
    told = cli.ok("rules", "check", SCRIPTS / "mtg/706.2b.json", "--only", "any-takes-some").splitlines()
    assert "  706.2b: die 1, which showed 1, is rerolled (Monitor Monitor) and shows 5" in told
    assert "  706.2: the result of die 3 is 6" in told


def test_a_check_tells_a_ruling_as_the_judges(cli: Cli) -> None:
    told = cli.ok("rules", "check", SCRIPTS / "mtg/rulings.json", "--only", "correct-of-a-settled-roll").splitlines()
    assert "  a judge ruled: the result of die 1 is 3" in told
    assert not any(" - 3" in line for line in told)


def test_a_check_tells_modifiers_one_by_one_with_their_sources(cli: Cli, tmp_path: Path) -> None:
    body = {
        "source": "Card",
        "dice": "1d20",
        "use": "compare",
        "modifiers": [{"source": "Sword", "amount": 2}, {"source": "Curse", "amount": -1}],
    }
    script = {
        "format": "rollproof/script/v1",
        "system": "mtg-706-2023-11-17",
        "options": {"planechase": False},
        "parties": {"host": "keeper", "alice": "player"},
        "events": [{"author": "alice", "type": "roll", "body": body, "naturals": [7]}],
    }
    file = tmp_path / "script.json"
    file.write_text(json.dumps(script))
    told = cli.ok("rules", "check", file).splitlines()
    assert "The event is allowed. The state after it:" in told
    steps = [line for line in told if line.startswith("  706.2:")]
    assert steps == [
        "  706.2: +2 for each die, from the instruction (Sword)",
        "  706.2: -1 for each die, from the instruction (Curse)",
        "  706.2: the result of die 1 is 8",
    ]


# --- events --------------------------------------------------------------------------------------------------------


def event(type_: str, **body: Any) -> dict[str, Any]:
    return {"seq": 7, "author": "alice", "type": type_, "body": body}


def test_an_event_is_told_in_its_systems_words_else_by_its_members() -> None:
    of_roll = event("roll", dice="d20", optional=True, rows=[1, 2], more={"a": []})
    assert summary(of_roll, "unknown-1", str) == "dice d20, optional yes, rows 1 and 2, more (a none)"
    flight = event("roll", source="Flight", dice="direction")
    assert event_line(flight, "t9a-2022", str) == "event 7: alice, roll: a direction for Flight"
    # The protocol's own events are told alike in all systems.
    assert event_line(event("reveal", naturals=[3, 4]), "t9a-2022", str) == "event 7: alice, reveal: 3, 4"
