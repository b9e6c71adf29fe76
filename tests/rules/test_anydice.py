"""`dice-1`: what dice come to, what is told, decks, and dice that depend on dice in a signed log (specs/dice-1.md)."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from rules import SYSTEMS, Session
from rules.base import Event, Role, next_wave
from rules.data.bounds import MAX_DICE, MAX_LOAD
from rules.script import read, run
from rules.systems.anydice import AnyDice, drawing
from rules.systems.anydice.bodies import BODIES, Options, RollBody
from rules.systems.anydice.drawing import dice_of_draw, first_sides
from rules.systems.anydice.grammar import parse
from rules.systems.anydice.problems import DiceError
from rules.systems.anydice.terms import Match, ParsedText
from rules.systems.anydice.totals import first_results, totals
from tests.support import anydice_random as games
from tests.support.anydice_random import draw
from tests.support.scripts import script
from tests.support.table import Forger, Table, error_in, report_on

SYSTEM = AnyDice()
ROLES: dict[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "gil": "gm", "dana": "judge"}


def total(text: str, naturals: tuple[int, ...] | list[int]) -> int:
    notation = parse(text)
    found = dice_of_draw(notation, naturals)
    (result,) = totals(notation, found.throws, list(first_results(notation, found)))
    return result.total


# --- what dice come to ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reckon"),
    [
        ("3d4kh2", lambda n: sum(sorted(n)[1:])),
        ("3d4dl1dh1", lambda n: sorted(n)[1]),
        ("3d4>=3f1", lambda n: sum(x >= 3 for x in n) - sum(x == 1 for x in n)),
        ("3d4min2max3", lambda n: sum(min(max(x, 2), 3) for x in n)),
        ("{d4, d4 + 1, d4}kl1", lambda n: min(n[0], n[1] + 1, n[2])),
        ("(d4 - d4) * d4 / 2", lambda n: (n[0] - n[1]) * n[2] // 2),
        ("3dF", lambda n: sum(x - 2 for x in n)),
    ],
)
def test_over_all_naturals(text: str, reckon: Callable[[tuple[int, ...]], int]) -> None:
    for naturals in product(*(range(1, sides + 1) for sides in first_sides(parse(text)))):
        assert total(text, naturals) == reckon(naturals)


def test_the_work_of_a_draw_grows_with_its_dice_and_no_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand waves of one die: each goes on from the one before."""
    looked = 0
    shown = drawing._shown

    def counted(*arguments: Any) -> int:
        nonlocal looked
        looked += 1
        return shown(*arguments)

    monkeypatch.setattr(drawing, "_shown", counted)
    for text, natural in (("d1000!!>=2", 2), ("d1000!>=2", 2), ("d1000rr<1000", 2)):
        notation, looked = parse(text), 0
        naturals = draw(notation, lambda sides, natural=natural: [natural] * len(sides))  # type: ignore[misc]
        assert len(naturals) == MAX_DICE
        assert looked <= 2 * MAX_DICE
        assert len(dice_of_draw(notation, naturals).naturals) == (1 if "rr" in text else MAX_DICE)


def test_draws_side_by_side_do_not_disturb_each_other() -> None:
    first, second = parse("3d6!"), parse("3d6rr1")
    assert first_sides(first) == first_sides(second) == (6, 6, 6)
    one, other = drawing.waves(first, (6, 1, 6)), drawing.waves(second, (1, 1, 6))
    assert next(one) == next(other) == (6, 6)
    assert one.send((6, 1)) == (6,)
    assert next(drawing.waves(first, (6, 1, 1))) == (6,)
    assert next_wave(one, (2,)) == next_wave(other, (3, 2)) == ()


def test_each_order_of_a_deck_is_as_likely_as_any_other() -> None:
    deck = {"what": "deck", "deck": "d", "items": [{"item": "a"}, {"item": "b", "count": 2}, {"item": "c"}]}
    orders: Counter[str] = Counter()
    for naturals in product((1, 2, 3, 4), (1, 2, 3), (1, 2), (1,)):
        events: list[dict[str, Any]] = [
            {"author": "alice", "type": "declare", "body": deck},
            {"author": "bob", "type": "roll", "body": {"deck": "d", "draw": 4}, "naturals": naturals},
        ]
        (roll,) = played(events).view()["rolls"]
        orders["".join(die["face"] for die in roll["dice"])] += 1
    assert len(orders) == 12
    assert set(orders.values()) == {2}, "two of the four are alike"


# --- what is told ---------------------------------------------------------------------------------------------------


def played(events: list[dict[str, Any]]) -> Session:
    whole = {"format": "rollproof/script/v1", "system": "dice-1", "options": {}, "parties": ROLES, "events": events}
    outcome = run(read(json.dumps(whole).encode()))
    assert outcome.violation is None, str(outcome.violation)
    return outcome.session


def told(dice: str, *naturals: int, **more: Any) -> list[str]:
    event = {"author": "alice", "type": "roll", "body": {"dice": dice, **more}, "naturals": naturals}
    return [str(line) for line in SYSTEM.notes(played([event]).game, 1)]


@pytest.mark.parametrize(
    ("dice", "naturals", "line"),
    [
        ("4d6kh3", [6, 5, 3, 2], "4d6kh3 (6, 5, 3, ~~2~~) = 14"),
        ("4d6kh3+2", [6, 5, 3, 2], "4d6kh3 (6, 5, 3, ~~2~~) + 2 = 16"),
        ("d20adv+5", [3, 17], "d20adv (~~3~~, 17) + 5 = 22"),
        ("2d6ro1", [1, 4, 5], "2d6ro1 (1→5, 4) = 9"),
        ("2d6!", [6, 2, 3], "2d6! (6!, 2, 3) = 11"),
        ("2d6!!", [6, 2, 6, 1], "2d6!! (6!+6!+1, 2) = 15"),
        ("2d6!p", [6, 2, 3], "2d6!p (6!, 2, 2) = 10"),
        ("4d6>=5f1", [6, 5, 3, 1], "4d6>=5f1 (6*, 5*, 3, 1-) = 1 success"),
        ("3d10>=7ds10", [10, 7, 1], "3d10>=7ds10 (10**, 7*, 1) = 3 successes"),
        ("4dF+3", [3, 1, 2, 3], "4dF (+, -, 0, +) + 3 = 4"),
        ("2d{sword,shield=1}", [1, 2], "2d{sword,shield=1} (sword, shield) = 1"),
        ("2d6min3", [1, 5], "2d6min3 (1→3, 5) = 8"),
        ("d%%", [7, 3], "d%% (73) = 73"),
        ("2d6[fire] + 3[STR]", [1, 5], "2d6 (1, 5) [fire] + 3 [STR] = 9"),
        ("{d8!!,d6!!}kh1 - 1", [3, 6, 2], "{d8!! (~~3~~), d6!! (6!+2)}kh1 - 1 = 7"),
        ("-(d6+1)*2/~3", [5], "-(d6 (5) + 1) * 2 /~ 3 = -4"),
    ],
)
def test_a_roll_is_told_in_the_words_of_dice(dice: str, naturals: list[int], line: str) -> None:
    assert told(dice, *naturals) == [line]


def test_targets_tables_and_repetitions_are_told() -> None:
    assert told("d20+3", 12, least=15) == ["d20 (12) + 3 = 15, 15 or more: passes"]
    assert told("d%", 46, most=45) == ["d% (46) = 46, 45 or less: fails"]
    assert told("2xd6", 3, 4, least=4, most=5) == ["d6 (3) = 3, 4 to 5: fails", "d6 (4) = 4, 4 to 5: passes"]
    assert told("2d6", 3, 4, table=[{"range": "7-9", "effect": "at a cost"}]) == ["2d6 (3, 4) = 7, at a cost"]


SAVE = {"what": "call", "source": "Dexterity save", "dice": "d20", "least": 15}
TABLE_GAME: list[dict[str, Any]] = [
    {"author": "gil", "type": "declare", "body": SAVE},
    {"author": "alice", "type": "roll", "body": {"call": 1, "dice": "d20adv + 3"}, "naturals": [9, 14]},
    {
        "author": "gil",
        "type": "declare",
        "body": {"what": "deck", "deck": "cards", "items": [{"item": "Joker", "count": 2}, {"item": "King"}]},
    },
    {"author": "gil", "type": "roll", "body": {"deck": "cards", "draw": 2}, "naturals": [3, 1]},
]


def test_who_has_not_answered_is_told() -> None:
    session = played(TABLE_GAME)
    calls, decks, hands = SYSTEM.tables(session.game)
    assert not hands.rows
    assert [[None if c is None else str(c) for c in row] for row in calls.rows] == [
        ["1", "Dexterity save, d20, 15 or more", "alice 17 passes", "bob"]
    ]
    assert [[str(c) for c in row] for row in decks.rows] == [["cards", "gil", "1", "Joker, King"]]
    assert [str(line) for line in SYSTEM.notes(session.game, 4)] == ["drawn from cards: King, Joker"]
    answers = [a for a in SYSTEM.actions(session.game, "bob") if a.body == {"call": 1}]
    assert [(str(a.label), a.due) for a in answers] == [("answer the call of gil: Dexterity save", False)]
    assert not [a for a in SYSTEM.actions(session.game, "alice") if "call" in a.body]


def test_a_roll_is_explained_step_by_step() -> None:
    session = played(TABLE_GAME)
    assert [(told.clause, str(told)) for told in SYSTEM.explain(session.game, 2)] == [
        ("D10", "alice answers call 1: Dexterity save"),
        ("D1", "alice rolls d20adv + 3"),
        ("D1", "die 1 shows 9"),
        ("D1", "die 2 shows 14"),
        ("D5", "d20adv: 14 kept, 9 dropped"),
        ("D7", "d20adv (~~9~~, 14) + 3 = 17"),
        ("D8", "17 passes: 15 or more"),
    ]
    assert [(told.clause, str(told)) for told in SYSTEM.explain(session.game, 4)] == [
        ("D12", "3 items are left in cards: number 3 of them is King"),
        ("D12", "2 items are left in cards: number 1 of them is Joker"),
    ]
    assert SYSTEM.explain(session.game, 99) == ()


def test_rerolls_explosions_successes_rows_and_rulings_are_explained() -> None:
    body = {"dice": "2d6rr1!>=6max5>=5", "table": [{"range": "1", "effect": "one"}]}
    ruling = {"ruling": "correct", "subject": 1, "text": "x", "results": [{"die": 2, "result": 4}]}
    session = played(
        [
            {"author": "alice", "type": "roll", "body": body, "naturals": [1, 5, 6, 2]},
            {"author": "dana", "type": "ruling", "body": ruling},
        ]
    )
    assert [(told.clause, str(told)) for told in SYSTEM.explain(session.game, 1)] == [
        ("D1", "alice rolls 2d6rr1!>=6max5>=5"),
        ("D1", "die 1 shows 1"),
        ("D3", "die 1, which showed 1, is rerolled and shows 6"),
        ("D1", "die 2 shows 5"),
        (None, "a judge ruled: the result of die 2 is 4"),
        ("D4", "die 1 explodes: die 3 shows 2"),
        ("D5", "2d6rr1!>=6max5>=5: within its limits that is 5, 4, 2"),
        ("D6", "2d6rr1!>=6max5>=5: successes, 5: 1, 4: 0, 2: 0"),
        ("D7", "2d6rr1!>=6max5>=5 (1→6!→5*, 4, 2) = 1"),
        ("D9", "1 is in row 1: one"),
    ]


@pytest.mark.parametrize(
    ("type_", "body", "line"),
    [
        ("roll", {"dice": "4d6kh3 + 2", "source": "Strength"}, "4d6kh3 + 2 for Strength"),
        ("roll", {"call": 4, "dice": "d20"}, "answers call 4 with d20"),
        ("resolve", {"roll": 3, "totals": [4, 5]}, "says what came out (roll 3), totals 4, 5"),
        ("resolve", {"roll": 3}, "says what came out (roll 3)"),
        ("declare", SAVE | {"parties": ["bob"]}, "calls for Dexterity save, d20, 15 or more, for bob"),
        ("declare", {"what": "withdraw", "call": 1}, "takes back call 1"),
        ("declare", TABLE_GAME[2]["body"], "makes the deck cards: 2 × Joker; King"),
        ("declare", {"what": "return", "deck": "cards", "item": "King"}, "puts King back into cards"),
        ("declare", {"what": "shuffle", "deck": "cards"}, "shuffles cards, with all back in it that nobody holds"),
        ("declare", {"what": "cards", "deck": "poker", "cards": "52"}, "makes the deck poker: 52 playing cards"),
        ("declare", {"what": "cards", "deck": "fate", "cards": "tarot"}, "makes the deck fate: 78 tarot cards"),
        ("declare", {"what": "play", "deck": "poker", "items": ["a", "b"]}, "plays a, b, of poker"),
        ("roll", {"deck": "poker", "draw": 5, "hand": True}, "draws 5 from poker to hand"),
        ("roll", {"dice": "2d6>=7"}, "2d6>=7"),
        ("roll", {"dice": "no dice"}, "no dice"),
        ("declare", {"what": "remove", "deck": "cards"}, "removes the deck cards"),
    ],
)
def test_an_event_on_one_line(type_: str, body: dict[str, Any], line: str) -> None:
    event = Event(1, "gil", type_, msgspec.convert(body, BODIES[type_]))
    assert str(SYSTEM.summarize(event)) == line


def test_whatever_happens_can_be_told() -> None:
    random = Random(3)
    for _ in range(300):
        text = games.accepted(random)
        notation: ParsedText = parse(text)
        shown = draw(notation, lambda sides: games.naturals(random, sides))
        lines = told(text, *shown)
        assert len(lines) == notation.times
        results = played([{"author": "alice", "type": "roll", "body": {"dice": text}, "naturals": shown}])
        assert SYSTEM.explain(results.game, 1)
        (roll,) = results.view()["rolls"]
        for line, result in zip(lines, roll["results"], strict=True):
            assert f"= {result['total']}" in line


@pytest.mark.parametrize("scene", ["savage-worlds", "fate", "dnd-5e", "shadowrun"])
def test_every_roll_of_a_scene_can_be_typed_on_one_line(scene: str) -> None:
    played_there = read(script(f"dice/scene--{scene}").data)
    notation = SYSTEM.notations[RollBody]
    rolls = [msgspec.json.decode(event.body) for event in played_there.events if event.type == "roll"]
    assert rolls
    assert [notation.parse(notation.write(body)) for body in rolls] == rolls


# --- in a signed log ------------------------------------------------------------------------------------------------


@pytest.fixture
def table(make_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr("tests.support.table.SYSTEM", SYSTEM.id)
    monkeypatch.setattr("tests.support.table.Options", lambda planechase: Options())
    return make_table(roles=ROLES).begin(8)


def test_dice_that_depend_on_dice_come_from_one_stream_and_are_verified(table: Table) -> None:
    seq = table.request("gil", "roll", {"dice": "100d6ro1!! + 3d{a,b=2}", "source": "a storm"})
    shown = json.loads(table.lines[seq + 1])["body"]
    assert shown["sides"][:100] == [6] * 100
    assert len(shown["sides"]) > 103
    report = report_on(table.lines)
    assert report.verdict == "holds"
    assert report.state is not None
    (roll,) = report.state["rolls"]
    assert roll["results"][0]["total"] == total("100d6ro1!! + 3d{a,b=2}", shown["naturals"])
    wrong = Forger(table.identities["host"]).event(
        table.lines[: seq + 1],
        "reveal",
        shown | {"sides": shown["sides"][:-1], "naturals": shown["naturals"][:-1]},
    )
    assert error_in([*table.lines[: seq + 1], wrong]).code == "reveal.sides"


def test_a_deck_is_drawn_from_and_verified(table: Table) -> None:
    items = [{"item": f"card {n}"} for n in range(1, 53)]
    table.act("gil", "declare", {"what": "deck", "deck": "cards", "items": items})
    first = table.request("alice", "roll", {"deck": "cards", "draw": 5})
    assert json.loads(table.lines[first + 1])["body"]["sides"] == [52, 51, 50, 49, 48]
    table.request("bob", "roll", {"deck": "cards", "draw": 47})
    report = report_on(table.lines)
    assert report.verdict == "holds"
    assert report.state is not None
    faces = [die["face"] for roll in report.state["rolls"] for die in roll["dice"]]
    assert sorted(faces) == sorted(item["item"] for item in items)
    assert report.state["decks"]["cards"]["left"] == 0


def test_the_system_is_in_the_list() -> None:
    assert isinstance(SYSTEMS["dice-1"], AnyDice)
    assert Match("<=", 3)(3)


def test_a_text_too_long_to_be_repeated_tells_how_often_it_can_be() -> None:
    long = "d{" + ",".join(["語" * 40] * 11) + "}"
    most = MAX_LOAD // len(f"99x{long}".encode())
    with pytest.raises(DiceError, match=f"can be repeated at most {most} times$") as refused:
        parse(f"99x{long}")
    assert refused.value.clause == "D2"
    assert parse(f"{most}x{long}").times == most
