"""Who is let in later has its part in a system that takes it: it is called, calls, has a sheet, confirms one."""

from typing import Any

import msgspec
import pytest

from rules import SYSTEMS, Event, Violation
from rules.base import Role, System

DICE: System[Any] = SYSTEMS["dice-1"]
DOUBLE: System[Any] = SYSTEMS["doubledown-1"]
ROLES: dict[str, Role] = {"host": "keeper", "gil": "gm", "alice": "player"}
SHEET = {"what": "sheet", "stats": {"wits": 2}, "track": [1], "stress": 0, "tags": {}, "drive": 0}


def began(system: System[Any]) -> Any:
    return system.start(msgspec.convert({}, system.options), ROLES)


def declare(system: System[Any], game: Any, seq: int, author: str, **body: Any) -> Any:
    return system.act(game, Event(seq, author, "declare", msgspec.convert(body, system.bodies["declare"])))


def test_any_dice_calls_a_late_player_and_takes_the_calls_of_a_late_master() -> None:
    game = DICE.admit(DICE.admit(began(DICE), "carol", "player"), "gina", "gm")
    game = declare(DICE, game, 9, "gina", what="call", dice="d20", source="Stealth")
    (call,) = DICE.view(game)["calls"]
    assert call["waiting"] == ["alice", "carol"]
    with pytest.raises(Violation):
        declare(DICE, game, 10, "carol", what="call", dice="d20", source="Stealth")


def test_double_down_takes_the_sheet_of_a_late_player_and_the_word_of_a_late_master() -> None:
    game = DOUBLE.admit(began(DOUBLE), "carol", "player")
    game = declare(DOUBLE, game, 8, "carol", character="Cleo", **SHEET)
    with pytest.raises(Violation):
        declare(DOUBLE, game, 9, "carol", what="confirm", player="carol")
    game = DOUBLE.admit(game, "gina", "gm")
    game = declare(DOUBLE, game, 9, "gina", what="confirm", player="carol")
    game = declare(DOUBLE, game, 10, "gina", what="call", source="Hide", stat="wits", difficulty=10, players=["carol"])
    assert DOUBLE.view(game)["calls"][0]["players"] == ("carol",)
    assert "carol" in DOUBLE.view(game)["players"]


def test_who_is_let_in_to_judge_is_no_player_of_double_down() -> None:
    game = began(DOUBLE)
    assert DOUBLE.admit(game, "dana", "judge") == game
