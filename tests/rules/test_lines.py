"""A roll on one line becomes a body, in every system."""

from typing import get_args

import msgspec
import pytest

from rules import SYSTEMS, Event, Role
from rules.base import NotationError
from rules.lines import read_roll
from rules.scene import scene_of
from rules.systems.doubledown import bodies as b

ROLES: dict[str, Role] = {"host": "keeper", "alice": "player", "bob": "player"}


@pytest.mark.parametrize("id_", SYSTEMS)
def test_the_example_of_each_notation_of_a_roll_is_read(id_: str) -> None:
    system = SYSTEMS[id_]
    schema = system.bodies["roll"]
    kinds = get_args(schema) or (schema,)
    noted = [(kind, n) for kind, n in system.notations.items() if set(get_args(kind) or (kind,)) & set(kinds)]
    assert noted
    game = system.start(scene_of(system).options, ROLES)
    for kind, notation in noted:
        if id_ != "doubledown-1":  # whose rolls answer a call
            assert isinstance(read_roll(system, notation.example, game, "alice"), kind)


def test_what_only_one_action_can_mean_is_filled_in() -> None:
    system = SYSTEMS["doubledown-1"]
    game = system.start(msgspec.convert({}, system.options), {"host": "keeper", "gil": "gm", "alice": "player"})
    bodies = [
        ("alice", b.DeclareSheet("Ash", {"wits": 2}, (1,), 0, {"rogue": b.TagBody(2)}, 1)),
        ("gil", b.DeclareConfirm("alice")),
        ("gil", b.DeclareCall("a bridge", "wits", 14, ("alice",))),
    ]
    for seq, (author, body) in enumerate(bodies, 1):
        game = system.act(game, Event(seq, author, "declare", body))
    assert msgspec.to_builtins(read_roll(system, "rogue", game, "alice"))["call"] == 1


def test_what_is_no_roll_says_where_and_how_it_is_written() -> None:
    with pytest.raises(NotationError, match=r"As in: .*d"):
        read_roll(SYSTEMS["dice-1"], "4 dice please", None, "alice")
