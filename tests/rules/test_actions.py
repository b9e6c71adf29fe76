"""What a system offers is what it takes, no more and no less (tests.support.actions has the three properties)."""

from random import Random

import pytest

import rules
from rules import Session
from tests import highroll
from tests.support.actions import Grammars, Props, play_offered

ROLES: dict[str, rules.Role] = {"host": "keeper", "alice": "player", "bob": "gm", "dana": "judge", "cleo": "player"}
GRAMMARS: Grammars = {"dice": lambda random: random.choice(["d6", "2d6", "3d8", "4d6!", "d6+d8!", "seven", "2d1!"])}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_high_roll_takes_what_it_offers_and_nothing_beside_it(seed: int) -> None:
    random = Random(seed)
    props = Props(GRAMMARS, random)
    for _ in range(3):
        session = Session.start(highroll.HighRoll(), highroll.Options(), ROLES)
        play_offered(props, session, 30, naturals=lambda sides: [random.randint(1, n) for n in sides])
    assert {"roll dice", "reroll dice", "keep what shows"} <= props.accepted
