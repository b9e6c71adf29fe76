"""What programs ask of a state beside its view: one roll, the rolls in their order, what a line shows of them."""

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from rules import SYSTEMS, Violation
from rules.script import read, run, start, step
from tests.support.scripts import FOLDERS, scripts


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_roll_by_its_number_is_the_one_in_the_state(folder: str) -> None:
    for vector in scripts(folder):
        session = run(read(vector.data)).session
        rolls = session.view()["rolls"]
        for roll in rolls:
            assert session.view_roll(roll["roll"]) == roll, vector.stem
        assert session.view_roll(10**6) is None, vector.stem


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS)
def test_rolls_are_those_of_the_state_in_its_order(folder: str) -> None:
    for vector in scripts(folder):
        script = read(vector.data)
        session = run(script).session
        settled, opened = SYSTEMS[script.system].rolls(session.game)
        told = [(roll.roll, roll.status, roll.player, len(roll.dice)) for roll in (*settled, *opened)]
        shown = session.view()["rolls"]
        assert told == [(roll["roll"], roll["status"], roll["player"], len(roll["dice"])) for roll in shown], (
            vector.stem
        )
        for roll in (*settled, *opened):
            assert session.system.summary(roll) is None or roll.dice, str(vector)


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_sides_that_are_drawn_are_those_of_the_dice(folder: str) -> None:
    """A log has no naturals: it is by these sides that they are derived."""
    for vector in scripts(folder):
        script = read(vector.data)
        session = start(script)
        for seq, line in enumerate(script.events, 1):
            try:
                if not isinstance(line.naturals, UnsetType):
                    asked = step(session, seq, msgspec.structs.replace(line, naturals=UNSET))
                    drawn = asked.sides_drawn(line.naturals)
                session = step(session, seq, line)
            except Violation:
                break
            if not isinstance(line.naturals, UnsetType):
                number = msgspec.json.decode(line.body).get("roll", seq) if line.type == "reroll" else seq
                roll = session.view_roll(number)
                assert roll is None or set(drawn) <= {die["sides"] for die in roll["dice"]}, vector.stem


def test_every_system_has_its_scripts() -> None:
    assert len(FOLDERS) == len(SYSTEMS)
