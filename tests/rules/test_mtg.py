"""Magic 706: what the scripts are too short to show: cost, bounds, and every order of ignoring."""

import json
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.script import Outcome, read, run
from rules.systems.mtg.bodies import MAX_STORED
from tests.support.scripts import scripts

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


def play(events: Iterable[dict[str, Any]], *, planechase: bool = False) -> Outcome:
    script = {
        "format": "rollproof/script/v1",
        "system": "mtg-706-2023-11-17",
        "options": {"planechase": planechase},
        "parties": PARTIES,
        "events": list(events),
    }
    return run(read(json.dumps(script).encode()))


def refused(events: Iterable[dict[str, Any]]) -> tuple[int, str | None] | None:
    outcome = play(events)
    return None if outcome.violation is None else (outcome.seq, outcome.violation.clause)


# --- ignoring ------------------------------------------------------------------------------------------------------


def by_definition(results: dict[int, int], groups: list[list[int]], demands: list[str]) -> set[frozenset[int]]:
    """The sets of dice that can be ignored: 706.6 word for word, one die after the other."""
    if groups:
        first, *others = groups
        left = [
            by_definition({d: r for d, r in results.items() if d == kept or d not in first}, others, demands)
            for kept in first
        ]
        gone = [frozenset(first) - {kept} for kept in first]
        return {some | more for some, sets in zip(gone, left, strict=True) for more in sets}
    if not demands or not results:
        return {frozenset()}
    which, *others_ = demands
    extremes = {"lowest": min(results.values()), "highest": max(results.values())}
    return {
        more | {die}
        for die, result in results.items()
        if which == "any" or result == extremes[which]
        for more in by_definition({d: r for d, r in results.items() if d != die}, [], others_)
    }


def by_choices(events: list[dict[str, Any]]) -> set[frozenset[int]]:
    """The sets of dice that can be ignored, choice after choice, as the state offers them."""
    shown = play(events).session.view()["rolls"][0]
    asked = shown["ignoring"]
    if asked is None:
        return {frozenset(die["die"] for die in shown["dice"] if die["status"] == "ignored")}
    chosen = combinations(asked["of"], asked["count"])
    return {some for dice in chosen for some in by_choices([*events, event("ignore", roll=1, dice=list(dice))])}


@given(
    st.lists(st.integers(1, 3), min_size=2, max_size=5),
    st.lists(st.sampled_from(["lowest", "highest", "any"]), max_size=4),
    st.booleans(),
)
@settings(deadline=None)
def test_what_can_be_ignored_is_what_the_definition_lets(results: list[int], demands: list[str], pair: bool) -> None:
    ignores: list[dict[str, Any]] = [{"source": "x", "which": which} for which in demands]
    results, groups = results[: 4 if pair else 5], []
    if pair:
        results, half = results[: len(results) // 2 * 2], len(results) // 2
        ignores.insert(0, {"source": "y", "which": "pair"})
        groups = [[die, die + half] for die in range(1, half + 1)]
    body: dict[str, Any] = {"source": "x", "dice": f"{len(results) // (1 + pair)}d6", "ignores": ignores}
    events = [event("roll", results, **body)]
    assert by_choices(events) == by_definition(dict(enumerate(results, 1)), groups, demands)


def hundred_demands(*which: str) -> list[dict[str, Any]]:
    return [{"source": "x", "which": which[n % len(which)], "count": 10} for n in range(100)]


@pytest.mark.parametrize("which", [("lowest",), ("any",), ("lowest", "highest")])
def test_as_many_dice_as_a_hundred_demands_bear_on_are_ignored_at_once(which: tuple[str, ...]) -> None:
    shown = [n % 6 + 1 for n in range(29)]
    begun = process_time()
    outcome = play([roll(shown, ignores=hundred_demands(*which))])
    assert process_time() - begun < SLOW / 5
    assert outcome.violation is None
    view = outcome.session.view()
    if len(which) == 1:
        assert view["players"]["alice"]["ignored"] == 29
    else:
        assert view["rolls"][0]["ignoring"]["count"] == 1


def test_a_hundred_effects_on_as_many_dice_as_they_bear_on() -> None:
    effects = [{"source": "x", "kind": "adjust", "amounts": [1]}, {"source": "x", "kind": "reroll", "optional": True}]
    late = [event("declare", what="effect", roll=1, effect=effect) for effect in effects * 50]
    declined = [event("modify", roll=1, effect=n, choice="decline") for n in range(2, 101, 2)]
    applied = [event("modify", roll=1, effect=n, choice="apply") for n in range(1, 101, 2)]
    begun = process_time()
    outcome = play([roll([1] * 29), *late, *declined, *applied, event("resolve", roll=1)])
    assert process_time() - begun < SLOW
    assert outcome.violation is None
    assert {die["result"] for die in outcome.session.view()["rolls"][0]["dice"]} == {51}


# --- bounds --------------------------------------------------------------------------------------------------------


def test_the_bounds_are_those_of_the_page() -> None:
    page = (Path(__file__).parents[2] / "specs" / "mtg.md").read_text("utf-8")
    assert f"`MAX_STORED` ({MAX_STORED})" in page


def test_a_thousand_dice_are_the_most() -> None:
    """However they come to be as many: called for, planar ones, or two for each."""
    pair = [{"source": "x", "which": "pair"}]
    for dice, ignores in (("1000planar", []), ("500d6", pair), ("998d6+2planar", [])):
        rolled = event("roll", [1] * 1000, source="x", dice=dice, ignores=ignores)
        assert play([rolled], planechase=True).violation is None, dice
    for dice, ignores, clause in (
        ("1001planar", [], "706.1a"),
        ("501d6", pair, "706.1"),
        ("999d6+2planar", [], "706.1a"),
    ):
        told = play([event("roll", source="x", dice=dice, ignores=ignores)], planechase=True).violation
        assert told is not None
        assert told.clause == clause


def test_a_hundred_abilities_and_a_thousand_dice() -> None:
    """What triggers is told as a number of times: a roll never says more than there are abilities."""
    sixes = [event("declare", what="trigger", source="x", on="result", range="6")] * 100
    begun = process_time()
    outcome = play([*sixes, roll([6] * 1000)])
    assert process_time() - begun < SLOW
    assert [told["times"] for told in outcome.session.view()["rolls"][0]["triggered"]] == [1000] * 100


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
        ("Planar", "write for example planar, 2planar, d20+planar or 2coin"),
        ("planar+1D6", "write 1d6"),
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
    assert "this roll already has 100 effects" in str(play([roll([1]), *[late] * 101]).violation)
    permanents = [event("declare", what="permanent", permanent=f"p{n}", name="x") for n in range(101)]
    assert "already 100 permanents that can store results" in str(play(permanents).violation)


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
    for member in ("rows", "doubles", "status", "triggered"):
        assert corrected["rolls"][0][member] == as_rolled["rolls"][0][member]


def test_no_script_of_a_violation_leaves_a_trace() -> None:
    """The state before a refused event is that of the script without it."""
    for script in (vector.value for vector in scripts("mtg") if vector.violates):
        del script["expect"]
        stopped = run(read(json.dumps(script).encode()))
        all_of_it, script["events"] = script["events"], script["events"][: stopped.seq - 1]
        joins = [any(line["type"] == "join" for line in part) for part in (all_of_it, script["events"])]
        if joins[0] != joins[1]:
            continue  # without its joins, everybody would have joined from the start
        assert run(read(json.dumps(script).encode())).session.view() == stopped.session.view()
