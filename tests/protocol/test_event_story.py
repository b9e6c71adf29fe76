"""An event told in words, line by line (verifier/event/story.py)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.make.event import EventWriter, key_of, registered, table, terms, whole, won
from verifier.errors import Failure
from verifier.event.acts import ACTS
from verifier.event.story import Story, StoryLine

VECTORS = Path(__file__).parents[2] / "specs" / "vectors"
EVENT = [line.encode() for line in json.loads((VECTORS / "event.json").read_text())["event"]]
NAMES = {1: "Alice", 2: "Bob"}
TOLD = {
    0: "olga: began the event Spring Open: mtg-706-2023-11-17, at most 2 rounds",
    1: "olga: registered players 1–5",
    3: "olga: appointed henry as head judge",
    4: "Alice (1): checked in",
    6: "dana: checked in player 3 on a device of the event's staff: dana's tablet; Carol sat there",
    8: "olga: paired round 1: table 11: Alice (1) : Bob (2); table 14: player 3 : player 4",
    9: "olga: started round 1, 50 minutes",
    10: "hall: opened the games of tables 11, 14",
    11: "Alice (1): called a judge to table 11: a die fell off",
    12: "dana: answered the call of line 11, table 11: the roll stands",
    13: "Alice (1): appealed the answer of line 12, table 11",
    14: "henry: answered the appeal of line 13, table 11: it stands",
    15: "Alice (1): handed in the slip of table 11, round 1: Alice (1): won 2, Bob (2): won 1",
    16: "Bob (2): agreed to the slip of line 15, table 11",
    17: "dana: set the result of table 14, round 1: player 3: won 2, player 4: won 0. Why: as seen at the table",
    18: "dana: gave 5 more minutes to table 11. Why: as seen at the table",
    19: "henry: stopped the clock of round 1 for 10 minutes. Why: as seen at the table",
    20: "dana: said that table 14 throws its dice by hand from here on, without proof: no phone; dana saw each throw",
    22: "dana: gave player 4 a warning: late to the table",
    23: "henry: took back the penalty of line 22, of player 4. Why: as seen at the table",
    24: "henry: corrected the result of table 11, round 1, to Alice (1): won 1, Bob (2): won 2 "
    "(it was Alice (1): won 2, Bob (2): won 1). Why: as seen at the table",
    25: "olga: ended round 1",
    26: "hall: sealed the games of round 1: tables 11, 14",
    27: "player 4: dropped. Why: a train",
    28: "olga: paired round 2: table 11: Alice (1) : player 3; bye: Bob (2)",
    29: "olga: changed the pairings of round 2: cancelled table 11; now table 12: Bob (2) : player 3; "
    "bye: Alice (1). Why: as seen at the table",
    33: "olga: dismissed oscar. Why: as seen at the table",
    36: "henry: brought player 4 back. Why: as seen at the table",
    37: "olga: gave player 3 a new key: the old phone is out. Why: as seen at the table",
    38: "olga: ended round 2; without a result: table 12 (as seen at the table)",
    41: "olga: closed the event",
}


def plain(text: str) -> str:
    """The text without the marks that isolate what people wrote."""
    return text.replace("\u2068", "").replace("\u2069", "")


def words(told: StoryLine) -> str:
    by = told.by if isinstance(told.by, str) else told.by.message()
    return plain(f"{by}: {told.what.message()}")


def test_each_line_is_told_with_who_what_and_why() -> None:
    story = Story(NAMES)
    told = [story.tell(line) for line in EVENT]
    assert {line: words(told[line]) for line in TOLD} == TOLD
    assert [each.line for each in told] == list(range(len(EVENT)))
    assert {each.type for each in told} == set(ACTS), "each type has words"


def test_what_the_whole_event_has_in_one_form_is_told_in_the_other() -> None:
    w = EventWriter()
    results = ["conceded", "drawn", "points", "won"]
    w.write("olga", "open", terms(results=results))
    told = {
        w.write("olga", "register", {"players": [registered(1)]}): "olga: registered Alice (1)",
        w.write("olga", "register", {"players": [registered(n) for n in (2, 4)]}): "olga: registered players 2, 4",
    }
    w.write("olga", "appoint", {"key": key_of("dana"), "role": "head"})

    def tell(by: str, kind: str, members: dict[str, Any], expected: str) -> None:
        told[w.write(by, kind, members)] = expected

    for number, player in ((1, "Alice (1)"), (2, "Bob (2)")):
        tell("dana", "check-in", {"key": key_of(f"p{number}"), "number": number}, f"dana: checked in {player}")
    why = {"reason": "ill"}
    tell("dana", "drop", {"number": 4, **why}, "dana: dropped player 4. Why: ill")
    line = w.write("dana", "penalty", {"number": 2, "penalty": "warning", "text": "late"})
    penalty = f"dana: changed the penalty of line {line}, of Bob (2), to a game loss. Why: ill"
    tell("dana", "correct-penalty", {"line": line, "penalty": "game-loss", **why}, penalty)
    w.write("olga", "pair", {"byes": [], "round": 1, "tables": [table(1, [1])]})
    changed = {"cancelled": [], "round": 1, "tables": [], **why}
    start = "olga: changed the pairings of round 1: "
    tell("olga", "correct-pairing", {**changed, "byes": []}, f"{start}no byes. Why: ill")
    tell("olga", "correct-pairing", {**changed, "tables": [table(1, [1], [2])]},
         f"{start}now table 1: Alice (1) : Bob (2). Why: ill")  # fmt: skip
    w.write("olga", "start", {"minutes": 50, "round": 1})
    sides = [dict(zip(results, numbers, strict=True)) for numbers in ((0, 1, 6, 2), (1, 0, 0, 0))]
    result = "won 2, drawn 1, points 6, Bob (2): won 0, conceded 1, points 0"
    tell("p1", "slip", {"round": 1, "sides": sides, "table": 1},
         f"Alice (1): handed in the slip of table 1, round 1: Alice (1): {result}")  # fmt: skip
    story = Story(NAMES)
    found = [words(story.tell(line)) for line in w.lines]
    assert {line: found[line] for line in told} == told


def test_a_line_that_does_not_hold_is_not_told() -> None:
    story = Story(NAMES)
    story.tell(EVENT[0])
    with pytest.raises(Failure):
        story.tell(EVENT[2])
    assert story.replay.size == 1


def test_a_second_correction_tells_what_the_first_had_set() -> None:
    """The vectors have one; the second is added behind it, at the line where that stands."""
    at = next(number for number, line in enumerate(EVENT) if b'"type":"correct-result"' in line)
    writer = whole().copy(at + 1)
    why = {"reason": "a second look"}
    writer.write("henry", "correct-result", {"round": 1, "sides": won(2, 0), "table": 11, **why})
    story = Story(NAMES)
    told = [words(story.tell(line)) for line in writer.data.splitlines()]
    assert told[-1].endswith(
        "to Alice (1): won 2, Bob (2): won 0 (it was Alice (1): won 1, Bob (2): won 2). Why: a second look"
    )
