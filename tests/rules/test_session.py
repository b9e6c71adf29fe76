"""What of the session no script can say: who signs others away, bounds, dice that come in parts (specs/protocol.md)."""

import json
from typing import Any

import msgspec
import pytest

from rules import SYSTEMS, Event, Role, Session, Violation
from rules.base import keep
from rules.common.dice import notation
from rules.data import bounds as of
from rules.protocol import Away, Leave, roles_problem
from rules.script import ScriptEvent, step
from rules.systems.t9a.bodies import Options
from tests.conftest import SPECS

TABLE: dict[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "cleo": "player", "dana": "judge"}
PLAYERS = frozenset({"alice", "bob", "cleo"})


def session(callers: frozenset[str] = PLAYERS) -> Session:
    started = Session.start(SYSTEMS["t9a-2022"], Options(), TABLE, callers)
    return started.with_joined(TABLE)


def play(game: Session, seq: int, author: str, type: str, body: dict[str, Any], *naturals: int) -> Session:
    told = naturals or msgspec.UNSET
    return step(game, seq, ScriptEvent(author, type, msgspec.Raw(json.dumps(body).encode()), told))


def call(game: Session, author: str, party: str) -> Session:
    event = Event(0, author, "away", Away(party))
    game.check_state(event)
    return game.apply(event)


def test_all_others_together_sign_a_player_away() -> None:
    game = call(session(), "alice", "cleo")
    assert not game.parties.away
    assert call(game, "bob", "cleo").parties.away == {"cleo"}


def test_one_alone_signs_nobody_away() -> None:
    game = session()
    left = game.apply(Event(0, "bob", "leave", Leave("bob")))
    assert not call(left, "alice", "cleo").parties.away


def test_who_is_away_or_has_left_or_has_not_joined_need_not_sign() -> None:
    five: dict[str, Role] = {**TABLE, "eve": "player", "finn": "player"}
    started = Session.start(SYSTEMS["t9a-2022"], Options(), five, PLAYERS | {"eve", "finn"})
    game = started.with_joined(frozenset(five) - {"finn"})
    game = game.apply(Event(0, "eve", "leave", Leave("eve")))
    game = call(call(game, "alice", "cleo"), "bob", "cleo")
    assert game.parties.away == {"cleo"}
    # Cleo is away: Alice and one more are asked for Bob, and nobody else is there.
    assert not call(game, "alice", "bob").parties.away - {"cleo"}


def test_whoever_writes_is_here_and_the_calls_for_others_stay() -> None:
    game = call(call(session(), "alice", "cleo"), "alice", "bob")
    game = play(game, 3, "cleo", "roll", {"source": "x", "dice": "1d6"}, 4)
    assert game.parties.calls == {"bob": {"alice"}}


def test_nobody_calls_the_same_party_away_twice() -> None:
    game = call(session(), "alice", "cleo")
    with pytest.raises(Violation, match="already"):
        call(game, "alice", "cleo")
    call(game, "alice", "bob")


def test_the_dice_that_come_next_are_known_from_those_before() -> None:
    body = {"source": "x", "dice": "1d6", "times": 2, "target": "4+", "at_once": True}
    asked = play(session(), 1, "alice", "roll", {**body, "rerolls": [{"source": "Hatred", "which": "failed"}]})
    assert asked.sides_drawn(()) == (6, 6)
    assert asked.sides_drawn((1, 6)) == (6, 6, 6)
    assert asked.sides_drawn((1, 6, 3)) == (6, 6, 6)
    assert asked.sides_drawn((5, 6)) == (6, 6)


@pytest.mark.parametrize(
    ("roles", "used", "told"),
    [
        (("keeper", "player"), (), None),
        (("keeper", "keeper", "player"), (), "exactly one keeper"),
        (("player",), (), "exactly one keeper"),
        (("keeper", "judge"), (), "at least one player"),
        (("keeper", "player", "gm"), (), "no gm"),
        (("keeper", "player", "gm"), ("gm",), None),
    ],
)
def test_a_game_has_one_keeper_and_a_player(roles: tuple[Role, ...], used: tuple[Role, ...], told: str | None) -> None:
    problem = roles_problem({f"p{number}": role for number, role in enumerate(roles)}, frozenset(used))
    assert (problem is None) if told is None else (told in str(problem))


def test_bounds_are_those_of_the_page() -> None:
    page = (SPECS / "README.md").read_text(encoding="utf-8").split("## Bounds")[1]
    told = {"MAX_SAFE_INTEGER": 2**53 - 1}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        number = cells[2].split()[0].replace(",", "") if len(cells) == 5 and cells[2] else ""
        if number.isdigit():
            told[cells[1].strip("`")] = int(number)
    here = {name: value for name, value in vars(of).items() if name.isupper() and isinstance(value, int)}
    assert {name: told[name] for name in here} == here


def test_a_name_has_1_to_32_characters() -> None:
    assert msgspec.convert("a" * 32, of.Name) == "a" * 32
    for name in ("", "a" * 33, "A", "-a"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(name, of.Name)


def test_counts_begin_at_0() -> None:
    assert msgspec.convert(0, of.Count) == 0


def test_rulings_are_kept_up_to_the_bound() -> None:
    kept: tuple[int, ...] = ()
    for number in range(of.HISTORY + 5):
        kept = keep(kept, number)
    assert kept == tuple(range(5, of.HISTORY + 5))


def test_equal_neighbours_stand_together_in_a_notation() -> None:
    assert notation((6, 6, 6, 20, 6)) == "3d6+1d20+1d6"
