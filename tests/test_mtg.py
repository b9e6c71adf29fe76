"""Magic 706: what the scripts are too short to show: cost, bounds, and every order of ignoring."""

import json
from collections.abc import Iterable
from itertools import permutations
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.mtg.bodies import MAX_OWED, MAX_STORED
from rules.script import Outcome, read, run

SCRIPTS = Path(__file__).parent.parent / "specs" / "vectors" / "scripts" / "mtg"
PARTIES = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"}
SLOW = 5.0
"""seconds; each of these takes a tenth of that on a slow machine, and took more than ten times as long before"""


def event(type: str, naturals: list[int] | None = None, author: str = "alice", **body: Any) -> dict[str, Any]:
    return {"author": author, "type": type, "body": body} | ({} if naturals is None else {"naturals": naturals})


def roll(naturals: list[int], sides: int = 6, **body: Any) -> dict[str, Any]:
    return event("roll", naturals, source="x", dice=f"{len(naturals)}d{sides}", use="u", **body)


def correct(subject: int, results: dict[int, int]) -> dict[str, Any]:
    told = [{"die": die, "result": result} for die, result in results.items()]
    return event("ruling", author="dana", ruling="correct", subject=subject, text="So.", results=told)


def play(events: Iterable[dict[str, Any]]) -> Outcome:
    script = {
        "format": "rollproof/script/v1",
        "system": "mtg-706-2023-11-17",
        "options": {"planechase": False},
        "parties": PARTIES,
        "events": list(events),
    }
    return run(read(json.dumps(script).encode()))


def refused(events: Iterable[dict[str, Any]]) -> tuple[int, str | None] | None:
    outcome = play(events)
    return None if outcome.violation is None else (outcome.seq, outcome.violation.clause)


# --- ignoring ------------------------------------------------------------------------------------------------------


def by_definition(results: list[int], demands: list[str], order: Iterable[int]) -> bool:
    """Whether these dice may be ignored one after the other: 706.6 word for word."""
    left, demands = dict(enumerate(results, 1)), list(demands)
    for die in order:
        extremes = {"lowest": min(left.values()), "highest": max(left.values())}
        met = [d for d in demands if d == "any" or left[die] == extremes[d]]
        if not met:
            return False
        demands.remove(next((d for d in met if d != "any"), "any"))
        del left[die]
    return True


@given(
    st.lists(st.integers(1, 3), min_size=2, max_size=5),
    st.lists(st.sampled_from(["lowest", "highest", "any"]), min_size=1, max_size=4),
)
def test_every_order_of_ignoring_is_judged_by_the_definition(results: list[int], demands: list[str]) -> None:
    ignores = [{"source": "x", "which": which} for which in demands]
    for order in permutations(range(1, len(results) + 1), min(len(demands), len(results)) - 1 or 1):
        events = [roll(results, ignores=ignores), event("ignore", roll=1, dice=list(order))]
        assert (refused(events) is None) is by_definition(results, demands, order)


def hundred_demands(*which: str) -> list[dict[str, Any]]:
    return [{"source": "x", "which": which[n % len(which)], "count": 10} for n in range(100)]


@pytest.mark.parametrize("which", [("lowest",), ("any",), ("lowest", "highest")])
def test_a_thousand_dice_are_ignored_at_once(which: tuple[str, ...]) -> None:
    shown = [n % 6 + 1 for n in range(1000)]
    # All the lowest first; with demands of both kinds the highest come at the end, as demands for them are left.
    order = sorted(range(1, 1001), key=lambda die: shown[die - 1])
    dice = order if len(which) == 1 else [*order[:500], *reversed(order[500:])]
    begun = process_time()
    outcome = play([roll(shown, ignores=hundred_demands(*which)), event("ignore", roll=1, dice=dice)])
    assert process_time() - begun < SLOW / 5
    assert outcome.violation is None
    assert outcome.session.view()["players"]["alice"]["ignored"] == 1000


def test_a_hundred_effects_on_a_thousand_dice() -> None:
    effects = [{"source": "x", "kind": "adjust", "amounts": [1]}, {"source": "x", "kind": "reroll", "optional": True}]
    late = [event("declare", what="effect", roll=1, effect=effect) for effect in effects * 50]
    declined = [event("modify", roll=1, effect=n, choice="decline") for n in range(2, 101, 2)]
    applied = [event("modify", roll=1, effect=n, choice="apply") for n in range(1, 101, 2)]
    begun = process_time()
    outcome = play([roll([1] * 1000), *late, *declined, *applied, event("resolve", roll=1)])
    assert process_time() - begun < SLOW
    assert outcome.violation is None
    assert {die["result"] for die in outcome.session.view()["rolls"][0]["dice"]} == {51}


# --- bounds --------------------------------------------------------------------------------------------------------


def test_the_bounds_are_those_of_the_page() -> None:
    page = (Path(__file__).parent.parent / "specs" / "mtg.md").read_text("utf-8")
    assert f"`MAX_STORED` ({MAX_STORED})" in page
    assert f"`MAX_OWED` ({MAX_OWED:,})" in page


def test_a_correction_owes_no_more_than_there_can_be() -> None:
    sixes = event("declare", what="trigger", source="x", on="result", range="6")
    # Two abilities and 400 dice: 800 triggers at the most. Three rolls of one die each leave room for no more.
    events = [sixes, sixes, roll([1] * 400), event("resolve", roll=3), roll([6] * 450), event("resolve", roll=5)]
    assert refused(events) is None
    assert refused([*events, correct(3, dict.fromkeys(range(1, 51), 6))]) is None
    assert refused([*events, correct(3, dict.fromkeys(range(1, 52), 6))]) == (7, "ruling")


def test_a_correction_leaves_room_for_what_an_open_roll_could_bring() -> None:
    """Else the open roll would bring more at its resolve, when nothing is refused any more."""
    sixes = event("declare", what="trigger", source="x", on="result", range="6")
    settled = [sixes, roll([1] * 600), event("resolve", roll=2)]
    opened = [*settled, roll([6] * 500)]
    assert refused([*settled, correct(2, dict.fromkeys(range(1, 601), 6))]) is None
    enough = [*opened, correct(2, dict.fromkeys(range(1, 501), 6)), event("resolve", roll=4)]
    assert len(play(enough).session.view()["owed"]) == MAX_OWED
    assert refused([*opened, correct(2, dict.fromkeys(range(1, 502), 6))]) == (5, "ruling")


def test_a_roll_again_that_has_no_room_can_be_ruled_void() -> None:
    """The owed roll is refused, nothing else may come, and the judge ends it."""
    sixes = [event("declare", what="trigger", source="x", on="result", range="6")] * 6
    table = [{"range": "6", "effect": "Roll again.", "again": True}]
    events = [*sixes, roll([6] * 100, table=table), event("resolve", roll=7)]
    again = event("roll", [6] * 100, source="x", again=7)
    assert refused([*events, again]) == (9, "603")
    void = event("ruling", author="dana", ruling="void", subject=7, text="So.")
    assert refused([*events, void, roll([6])]) is None


# --- what is said when an event is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "told"),
    [
        ("2D6", "write 2d6"),
        ("２ｄ６", "write 2d6"),
        ("2d6 + 1d8", "write 2d6+1d8"),
        ("0d6", "there is no die in it"),
        ("2d6+d0", "there is no die in it"),
        ("2d6+3", "a modifier is given beside the dice"),
        ("d20-1", "a modifier is given beside the dice"),
        ("Planar", "the planar die is rolled alone, as planar"),
        ("planar+1d6", "the planar die is rolled alone, as planar"),
        ("two dice", "write for example d20, 2d6 or 2d6+1d8"),
        ("1001d6", "asks for too many dice"),
    ],
)
def test_notation_that_is_none_is_told_what_is_wrong(dice: str, told: str) -> None:
    outcome = play([event("roll", source="x", dice=dice, use="u")])
    assert outcome.violation is not None
    assert outcome.violation.clause == "706.1a"
    assert told in str(outcome.violation)


@pytest.mark.parametrize(
    ("author", "number", "told"),
    [
        ("bob", 1, "alice is the one to roll again for roll 1, not bob"),
        ("alice", 2, "the roll again that is owed is for roll 1, not 2"),
    ],
)
def test_who_rolls_again_and_for_which_roll(author: str, number: int, told: str) -> None:
    table = [{"range": "1+", "effect": "Roll again.", "again": True}]
    owed = [event("roll", [5], source="x", dice="1d6", table=table), event("resolve", roll=1)]
    outcome = play([*owed, event("roll", [5], author, source="x", again=number)])
    assert (outcome.violation and outcome.violation.clause, str(outcome.violation)) == ("706.3c", told)


def test_a_full_list_says_what_there_is_too_much_of() -> None:
    ability = event("declare", what="trigger", source="x", on="rolled")
    assert "100 abilities that trigger already" in str(play([ability] * 101).violation)
    effect = {"source": "x", "kind": "reroll", "optional": True}
    late = event("declare", what="effect", roll=1, effect=effect)
    assert "this roll has 100 effects already" in str(play([roll([1]), *[late] * 101]).violation)
    permanents = [event("declare", what="permanent", permanent=f"p{n}", name="x") for n in range(101)]
    assert "100 permanents that can store results already" in str(play(permanents).violation)


def test_a_claim_is_answered_with_numbers_and_not_with_code() -> None:
    outcome = play([roll([1, 5]), event("resolve", roll=1, results=[])])
    assert str(outcome.violation) == "the results are 1, 5, not none"


# --- corrections ---------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 6), min_size=1, max_size=3), st.data())
def test_a_corrected_roll_owes_what_a_roll_with_these_results_owes(shown: list[int], data: st.DataObject) -> None:
    """Whatever the results were: rows, doubles, the roll again and its triggers are those of the new ones."""
    table = [{"range": "1-3", "effect": ""}, {"range": "4+", "effect": "Roll again.", "again": True}]
    abilities = [event("declare", what="trigger", source="x", on="result", range=r) for r in ("2-4", "5+")]
    right = data.draw(st.lists(st.integers(1, 6), min_size=len(shown), max_size=len(shown)))

    def play_out(naturals: list[int]) -> list[dict[str, Any]]:
        return [*abilities, roll(naturals, table=table), event("resolve", roll=3)]

    as_rolled = play(play_out(right)).session.view()
    corrected = play([*play_out(shown), correct(3, dict(enumerate(right, 1)))]).session.view()
    for member in ("again", "waits_for", "players"):
        assert corrected[member] == as_rolled[member]
    for member in ("rows", "doubles", "status"):
        assert corrected["rolls"][0][member] == as_rolled["rolls"][0][member]
    # The numbers differ, because they are never used again.
    owed = [sorted((o["trigger"], o["die"]) for o in view["owed"]) for view in (corrected, as_rolled)]
    assert owed[0] == owed[1]


def test_no_script_of_a_violation_leaves_a_trace() -> None:
    """The state before a refused event is that of the script without it."""
    for path in sorted(SCRIPTS.glob("*.violates.json")):
        script = json.loads(path.read_bytes())
        del script["expect"]
        stopped = run(read(json.dumps(script).encode()))
        all_of_it, script["events"] = script["events"], script["events"][: stopped.seq - 1]
        joins = [any(line["type"] == "join" for line in part) for part in (all_of_it, script["events"])]
        if joins[0] != joins[1]:
            continue  # without its joins, everybody would have joined from the start
        assert run(read(json.dumps(script).encode())).session.view() == stopped.session.view()
