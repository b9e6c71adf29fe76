"""What a server's keeper writes at tables by organizers' acts, from the logs alone (specs/event.md, "At a server")."""

from collections.abc import Callable
from typing import Any

import pytest

from ledger.server.event_words import due_words
from tests.make.bundles import PlayedTable, numbers, start_round
from tests.make.event import EventWriter, key_of
from tests.support.event import sound_event
from verifier import Replay
from verifier.event.replay import EventReplay

JUDY, HEDDA = {"key": key_of("judy"), "role": "judge"}, {"key": key_of("hedda"), "role": "head"}
NEW = {"key": key_of("p2", "p2 new"), "number": 2, "reason": "a dead battery"}
Acts = Callable[[EventWriter], object]
Play = Callable[[PlayedTable], object]


def nothing(_: object) -> None:
    """Nobody does anything."""


def due(
    before: Acts = nothing, after: Acts = nothing, play: Play = nothing, hand: str = "p2", *, sit: bool = True
) -> list[str]:
    """What is due at table 11: who is let in, after acts before and behind the start, and a game so far."""
    sound = sound_event()
    writer = sound.writer.copy(numbers(sound, "pair")[0])
    before(writer)
    start = start_round(writer)
    game = PlayedTable(writer, start, 11)
    game.hands["p2"] = hand
    writer.write(None, "opened", {"games": [{"game": game.game.hex(), "table": 11}], "line": start})
    after(writer)
    if sit:
        game.join(*game.players, "dana")
        game.commit("hall", *game.players)
    play(game)
    event, replay = EventReplay(), Replay()
    for line in writer.lines:
        event.step(line)
    for line in game.lines:
        replay.step(line)
    found = list(due_words(event.state, lambda _: replay))
    assert all(each.game == game.game for each in found)
    return [f"{each.what} {each.body.key}" for each in found]


def appoint(members: Any = JUDY, by: str = "olga") -> Acts:
    return lambda writer: writer.write(by, "appoint", members)


def correct(members: Any = NEW) -> Acts:
    return lambda writer: writer.write("olga", "correct-key", members)


def both(*acts: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda writer: [act(writer) for act in acts]


def away(by: str = "dana") -> Play:
    return lambda game: game.away(by, "p2")


ADMIT, REPLACE = f"admit {JUDY['key']}", f"replace {NEW['key']}"


def test_a_later_judge_and_a_new_key_are_let_in() -> None:
    assert due() == []
    assert due(after=appoint()) == [ADMIT]
    assert due(after=appoint(HEDDA)) == [f"admit {HEDDA['key']}"]
    assert due(after=both(appoint(), correct()), play=away()) == [ADMIT, REPLACE]


def test_nobody_is_let_in_by_an_act_from_before_the_table_was_opened() -> None:
    dismissed = both(appoint(), lambda w: w.write("olga", "dismiss", {"name": "judy", "reason": "went home"}))
    assert due(before=dismissed) == []
    assert due(before=correct(), play=away(), hand="p2 new") == [], "the table has the key"


def test_nobody_is_let_in_who_was_dismissed_since() -> None:
    assert due(after=both(appoint(), lambda w: w.write("olga", "dismiss", {"name": "judy", "reason": "x"}))) == []


def test_the_latest_key_of_a_player_counts() -> None:
    newer = {**NEW, "key": key_of("p2", "p2 newer")}
    assert due(after=both(correct(), correct(newer)), play=away()) == [f"replace {newer['key']}"]


def test_an_organizer_is_no_judge() -> None:
    assert due(after=appoint({"key": key_of("oscar"), "role": "organizer"})) == []


def test_an_organizer_who_was_appointed_later_lets_nobody_in_at_this_table() -> None:
    oscar = appoint({"key": key_of("oscar"), "role": "organizer"})
    assert due(after=both(oscar, appoint(by="oscar"))) == []
    by_oscar: Acts = lambda w: w.write("oscar", "correct-key", NEW)  # noqa: E731
    assert due(after=both(oscar, by_oscar), play=away()) == []


def test_nothing_is_due_while_a_roll_waits_or_somebody_has_not_sat_down() -> None:
    def roll(game: PlayedTable) -> None:
        game.request("p1", "roll", {"source": "a spell", "dice": "1d20", "use": "10 or more: draw"}, [20])

    assert due(after=appoint(), play=roll) == []
    assert due(after=appoint(), sit=False) == []


@pytest.mark.parametrize("play", [nothing, away("p2")])
def test_a_new_key_waits_for_a_judge(play: Play) -> None:
    assert due(after=correct(), play=play) == []


def test_nothing_is_written_twice() -> None:
    def admitted(game: PlayedTable) -> None:
        game.admit("judy", "judge")

    assert due(after=appoint(), play=admitted) == []
    sound: list[Any] = []

    def waits(game: PlayedTable) -> None:
        game.away("dana", "p2")
        game.write("hall", "replace", {"correction": sound[0], "key": NEW["key"]})

    def corrected(writer: EventWriter) -> None:
        import json

        line = writer.write("olga", "correct-key", NEW)
        sound.append(json.loads(writer.lines[line])["body"])

    assert due(after=corrected, play=waits) == []


def test_nothing_is_due_at_a_table_with_a_result_or_in_a_round_that_has_ended() -> None:
    slip = {"reason": "as seen", "round": 1, "sides": [{"won": 2}, {"won": 0}], "table": 11}
    assert due(after=both(appoint(), lambda w: w.write("dana", "slip", slip))) == []
    ended = {"left": [{"reason": "their slip comes later", "table": 11}], "round": 1}
    assert due(after=both(appoint(), lambda w: w.write("olga", "end", ended))) == []
