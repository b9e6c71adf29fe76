"""How Warhammer 40,000 explains a roll: dice, changes and what passes, each under its clause."""

import pytest

from rules.script import Outcome, read, run
from tests.support.bundles import bundled
from tests.support.scripts import script, scripts

Lines = list[tuple[str | None, str]]

TOLD: dict[tuple[str, int], Lines] = {
    ("W2--half-damage-and-one-less", 9): [
        ("W19", "alice rolls d6, damage: Gun"),
        ("W7", "die 1 shows 5"),
        ("W8", "die 1, /2 (Half damage): 5/2"),
        ("W8", "die 1, -1 (Duty Eternal): 3/2"),
        ("W8", "die 1, rounded up: 2"),
    ],
    ("W5--d3-plus-1-damage", 9): [
        ("W19", "alice rolls d3, damage: Gun"),
        ("W7", "die 1 shows 2"),
        ("W3", "die 1, which showed 2, is rerolled (Gunner) and shows 6"),
        ("W1", "die 1 is a D3: half of 6, rounded up, is 3"),
        ("W4", "die 1, plus 1: 4"),
    ],
    ("W9--halved-move", 3): [
        ("W19", "bob rolls 2d6, move: spawn"),
        ("W7", "die 1 shows 3"),
        ("W7", "die 2 shows 4"),
        ("W4", "dice 1 and 2 together: 7"),
        ("W8", "dice 1 and 2 together, /2 (Difficult): 7/2"),
        ("W8", "dice 1 and 2 together, +1 (Icon): 9/2"),
        ("W8", "dice 1 and 2 together, rounded up: 5"),
    ],
    ("W8--a-roll-treated-below-0", 3): [
        ("W19", "bob rolls 2d6, move: spawn"),
        ("W7", "die 1 shows 2"),
        ("W7", "die 2 shows 2"),
        ("W4", "dice 1 and 2 together: 4"),
        ("W8", "dice 1 and 2 together, treated as -1 (a rule): -1"),
    ],
    ("W10--rending-rolled-together", 9): [
        ("W19", "bob rolls d6, save: Gun"),
        ("W7", "die 1 shows 5"),
        ("W2", "die 1, -3 (AP): 2"),
        ("W18", "die 1 fails: 2, 3+ is needed"),
    ],
    ("W3--a-replaced-die", 1): [
        ("W19", "alice rolls 2d6, a rule"),
        ("W7", "die 1 shows 1"),
        ("W3", "die 1 counts as 6, not 1 (Miracle dice)"),
        ("W7", "die 2 shows 3"),
        ("W4", "dice 1 and 2 together: 9"),
        ("W2", "dice 1 and 2 together pass: 9, 9+ is needed"),
    ],
    ("W1--discard-the-highest", 1): [
        ("W19", "alice rolls 3d6dh1, a rule"),
        ("W7", "die 1 shows 5"),
        ("W7", "die 2 shows 2"),
        ("W7", "die 3 shows 5"),
        ("W1", "die 1 is discarded"),
        ("W4", "dice 1 to 3 together: 7"),
    ],
    ("W16--unmodified-results-that-fail", 1): [
        ("W19", "alice rolls 2d6, a rule"),
        ("W7", "die 1 shows 1"),
        ("W7", "die 2 shows 1"),
        ("W4", "dice 1 and 2 together: 2"),
        ("W2", "dice 1 and 2 together, +5 (a rule): 7"),
        ("W16", "dice 1 and 2 together fail: 7, 3+ is needed; an unmodified 2 always fails"),
    ],
    ("W24--the-roll-counts-as-3", 4): [
        ("W19", "alice rolls d6, attacks: Gun"),
        ("W7", "die 1 shows 1"),
        ("W24", "die 1, as many as blast makes at least: 3"),
    ],
    ("rulings--rerolled-after-a-correction", 1): [
        ("W19", "alice rolls 2d6, a rule"),
        ("W7", "die 1 shows 4"),
        ("W3", "die 1, which showed 4, is rerolled (Captain) and shows 6"),
        ("W7", "die 2 shows 5"),
        ("W2", "die 1 passes: 6, 4+ is needed"),
        ("W2", "die 2 passes: 5, 4+ is needed"),
    ],
    ("late--a-struck-roll-since-is-still-listed", 5): [
        ("W19", "alice rolls d6, wound: Gun"),
        ("W7", "die 1 shows 1"),
        (None, "the roll was ruled void or taken back: nothing comes of it"),
    ],
    ("leaving--the-defenders-open-save", 7): [
        ("W19", "bob rolls d6, save: Gun"),
        ("W7", "die 1 shows 1"),
        (None, "a player left, and with that player these attacks ended: nothing comes of the roll"),
    ],
}


def outcome_of(stem: str) -> Outcome:
    outcome = run(read(script(f"wh40k/{stem}").data))
    assert outcome.violation is None, outcome.violation
    return outcome


def told(outcome: Outcome, roll: int) -> Lines:
    session = outcome.session
    return [(step.clause, str(step)) for step in session.system.explain(session.game, roll)]


@pytest.mark.parametrize(("stem", "roll"), TOLD, ids=[stem for stem, _ in TOLD])
def test_a_roll_is_told_step_by_step(stem: str, roll: int) -> None:
    assert told(outcome_of(stem), roll) == TOLD[stem, roll]


@bundled("stem", [vector.stem for vector in scripts("wh40k") if not vector.violates])
def test_every_roll_is_told_in_whole_sentences_up_to_what_the_state_says(stem: str) -> None:
    outcome = outcome_of(stem)
    clauses = {clause.number for clause in outcome.session.system.clauses} | {None}
    for roll in outcome.session.view()["rolls"]:
        lines = told(outcome, roll["roll"])
        assert {clause for clause, _ in lines} <= clauses
        assert not any("{" in text for _, text in lines)
        assert sum(clause == "W7" for clause, _ in lines) == len(roll["dice"])
        steps = [step for die in roll["dice"] for step in die["steps"]]
        rerolled = "W3" if roll["off"] is None else "W25"
        told_again = sum(
            clause == rerolled and "roll-off" not in text and "has won" not in text for clause, text in lines
        )
        assert told_again == sum("ruled" not in step for step in steps)
        if roll["off"] is not None:
            won = [text for _, text in lines if "has won" in text]
            assert [text.split()[0] for text in won] == [name for name in [roll["off"]["winner"]] if name is not None]
            continue
        passing = [part for part in roll["parts"] if part["passed"] is not None]
        sign = " or less is needed" if roll["at_most"] else "+ is needed"
        said = [text for _, text in lines if sign in text]
        assert [" pass" in text for text in said] == [part["passed"] for part in passing]
        for part, text in zip(passing, said, strict=True):
            assert f": {part['result']}, {part['needs']}{sign}" in text
        for part in roll["parts"]:
            ruled = len(part["dice"]) == 1 and "ruled" in (roll["dice"][part["dice"][0] - 1]["steps"] or [{}])[-1]
            if len(part["steps"]) > 1 and not ruled:
                assert any(text.endswith(f": {part['steps'][-1]['value']}") for _, text in lines)


@pytest.mark.parametrize(
    ("stem", "line"),
    [
        ("W16--a-6-hits", "; an unmodified 6 always passes"),
        ("W16--a-1-misses", "; an unmodified 1 always fails"),
        ("W16--a-1-never-saves", "; an unmodified 1 always fails"),
    ],
)
def test_what_passes_or_fails_by_itself_is_told_under_w16(stem: str, line: str) -> None:
    outcome = outcome_of(stem)
    lines = [one for roll in outcome.session.view()["rolls"] for one in told(outcome, roll["roll"])]
    assert any(clause == "W16" and text.endswith(line) for clause, text in lines)
    assert all(clause != "W16" or "an unmodified" in text for clause, text in lines)


def test_a_roll_that_is_not_there_has_nothing_to_tell() -> None:
    assert told(outcome_of("W9--halved-move"), 99) == []
