"""The 9th Age (2022): the scripts of specs/vectors/scripts/t9a, and what must hold for all dice."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import SYSTEMS, Event, Session, Violation
from rules.data.bounds import MAX_SAFE_INTEGER
from tests.conftest import SPECS
from tests.support.scripts import script, scripts
from verifier.log.bodies import Close

SYSTEM = SYSTEMS["t9a-2022"]
PARAGRAPHS = {"void", "leaving", "rulings", "script"}
"""the paragraphs of specs/t9a.md and specs/rules.md that have no number"""

naturals = st.integers(1, 6)


class Table:
    """A game between alice and bob, with dice typed in."""

    def __init__(self) -> None:
        roles = {"host": "keeper", "alice": "player", "bob": "player"}
        session = Session.start(SYSTEM, SYSTEM.options(), msgspec.convert(roles, dict[str, Any]))
        self.session = session.with_joined(roles)
        self.seq = 0

    def do(self, author: str, type: str, body: Mapping[str, Any], shown: list[int] | None = None) -> None:
        """Raises Violation, and leaves the table as it was."""
        event = Event(self.seq + 1, author, type, msgspec.convert(body, SYSTEM.bodies[type]))
        self.session.check_role(author, type)
        self.session.check_state(event)
        session = self.session.apply(event)
        self.seq += 1
        self.session = session
        if shown is not None:
            assert len(shown) == len(session.draw)
            self.show(shown)

    def offer(self, author: str, type: str, body: Mapping[str, Any]) -> str | None:
        """The clause by which an event is refused, or None where it is taken."""
        try:
            self.do(author, type, body)
        except Violation as violation:
            return violation.clause
        return None

    def show(self, shown: list[int]) -> None:
        """The dice of a request that waits for them."""
        self.session = self.session.apply(Event(0, "host", "reveal", Close()), tuple(shown))

    def roll(self, shown: list[int], dice: str = "1d6", **body: Any) -> int:
        self.do("alice", "roll", {"source": "a rule", "dice": dice, **body}, shown)
        return self.seq

    @property
    def last(self) -> dict[str, Any]:
        rolls: list[dict[str, Any]] = self.session.view()["rolls"]
        return rolls[-1]


def test_dice_asked_for_once_do_not_decide_what_others_draw() -> None:
    table = Table()
    rules = [{"source": "a rule", "which": "failed"}]
    table.do(
        "alice",
        "roll",
        {"source": "a rule", "dice": "1d6", "times": 2, "target": "4+", "at_once": True, "rerolls": rules},
    )
    for shown, more in (((6, 1), 1), ((1, 1), 2), ((6, 6), 0), ((1, 6), 1), ((1, 1), 2)):
        assert table.session.sides_drawn(shown) == (6,) * (2 + more), shown


def thrown(shown: list[int], dice: str, **body: Any) -> list[dict[str, Any]]:
    """The throws of one roll."""
    table = Table()
    table.roll(shown, dice, **body)
    throws: list[dict[str, Any]] = table.last["throws"]
    return throws


# --- scripts -------------------------------------------------------------------------------------------------------


def test_every_clause_has_scripts_of_both_kinds() -> None:
    holds: set[str] = set()
    violates: set[str] = set()
    for vector in scripts("t9a"):
        (violates if vector.violates else holds).add(vector.clause)
    clauses = {clause.number for clause in SYSTEM.clauses}
    assert holds - PARAGRAPHS == clauses
    assert violates - PARAGRAPHS == clauses
    for clause in SYSTEM.clauses:
        assert not script(clause.holds).violates
        assert script(clause.violates).violates


def test_every_clause_stands_in_the_specification() -> None:
    page = (SPECS / "t9a.md").read_text()
    for clause in SYSTEM.clauses:
        assert f"**{clause.number}" in page


# --- Maximised, Minimised ------------------------------------------------------------------------------------------


@given(st.integers(1, 5), st.integers(0, 5), st.integers(0, 5), st.data())
def test_maximised_and_minimised_are_the_difference_of_the_kind_that_is_left(
    count: int, most: int, least: int, data: st.DataObject
) -> None:
    left = abs(most - least)
    shown = data.draw(st.lists(naturals, min_size=count + left, max_size=count + left))
    sources = {"maximised": ["up"] * most, "minimised": ["down"] * least}
    kind = "maximised" if most > least else "minimised"
    both = thrown(shown, f"{count}d6", **{name: value for name, value in sources.items() if value})
    alone = thrown(shown, f"{count}d6", **({kind: ["left"] * left} if left else {}))
    assert both == alone
    by_hand = sorted(shown)[left:] if most > least else sorted(shown)[:count]
    assert both[0]["total"] == sum(by_hand)


@given(st.lists(naturals, min_size=3, max_size=6), st.booleans(), st.data())
def test_dropped_dice_never_change_the_sum(shown: list[int], up: bool, data: st.DataObject) -> None:
    body = {"maximised" if up else "minimised": ["a rule"] * (len(shown) - 2)}
    throw = thrown(shown, "2d6", **body)[0]
    kept = [shown[die - 1] for die in throw["kept"]]
    assert throw["sum"] == sum(kept)
    others = st.integers(1, min(kept)) if up else st.integers(max(kept), 6)
    changed = [n if die in throw["kept"] else data.draw(others) for die, n in enumerate(shown, 1)]
    assert thrown(changed, "2d6", **body)[0]["sum"] == throw["sum"]


@given(st.integers(1, 4), st.integers(0, 4), st.integers(0, 4), st.data())
def test_minimised_is_maximised_with_the_dice_turned_over(
    count: int, most: int, least: int, data: st.DataObject
) -> None:
    """A die of n turned over shows 7 - n: what Maximised keeps of dice, Minimised keeps of them turned over."""
    size = count + abs(most - least)
    shown = data.draw(st.lists(naturals, min_size=size, max_size=size))
    turned = [7 - n for n in shown]

    def instances(up: int, down: int) -> dict[str, list[str]]:
        given = {"maximised": ["a rule"] * up, "minimised": ["a rule"] * down}
        return {name: value for name, value in given.items() if value}

    throw = thrown(shown, f"{count}d6", **instances(most, least))[0]
    other = thrown(turned, f"{count}d6", **instances(least, most))[0]
    assert throw["dropped"] == other["dropped"]
    assert throw["total"] == 7 * count - other["total"]


@given(st.lists(naturals, min_size=3, max_size=8), st.data())
def test_one_more_maximised_never_lowers_and_one_more_minimised_never_raises(
    shown: list[int], data: st.DataObject
) -> None:
    for kind, sign in (("maximised", 1), ("minimised", -1)):
        totals = []
        for more in range(len(shown) - 1):
            body = {kind: ["a rule"] * more} if more else {}
            totals.append(sign * thrown(shown[: 2 + more], "2d6", **body)[0]["total"])
        assert totals == sorted(totals)


@given(st.sampled_from(["d6", "d3"]), st.integers(1, 3), st.integers(1, 3), st.integers(-2, 2), st.data())
def test_after_rerolls_a_throw_is_what_its_last_naturals_give(
    kind: str, count: int, times: int, net: int, data: st.DataObject
) -> None:
    """The first result is ignored for all purposes: the same throw without a reroll comes to the same (T4.3)."""
    size = count + abs(net)
    instances = {"maximised" if net > 0 else "minimised": ["a rule"] * abs(net)} if net else {}
    target = {"target": f"{count + 1}+"} | ({"always": {"success": [6], "failure": [1]}} if count == 1 else {})
    shown = data.draw(st.lists(naturals, min_size=size * times, max_size=size * times))
    table = Table()
    again = {"source": "again", "which": "any", "may": True}
    roll = table.roll(shown, f"{count}{kind}", times=times, rerolls=[again], **instances, **target)
    kept = [die for throw in table.last["throws"] for die in throw["kept"]]
    dice = data.draw(st.lists(st.sampled_from(kept), min_size=1, unique=True))
    table.do("alice", "reroll", {"roll": roll, "rule": 1, "dice": dice}, [data.draw(naturals) for _ in dice])
    last = [table.last["dice"][die - 1]["naturals"][-1] for die in kept]
    fresh = thrown(last, f"{count}{kind}", times=times, **target)
    told = ("sum", "total", "success")
    assert [[throw[name] for name in told] for throw in table.last["throws"]] == [
        [throw[name] for name in told] for throw in fresh
    ]


@given(st.lists(naturals, min_size=4, max_size=4), st.lists(naturals, min_size=2, max_size=2), st.booleans())
def test_a_reroll_draws_for_kept_dice_only(shown: list[int], second: list[int], up: bool) -> None:
    table = Table()
    body = {"maximised" if up else "minimised": ["one", "two"]}
    roll = table.roll(shown, "2d6", rerolls=[{"source": "again", "which": "any"}], **body)
    dropped = table.last["throws"][0]["dropped"]
    table.do("alice", "reroll", {"roll": roll, "rule": 1}, second)
    assert table.last["throws"][0]["dropped"] == dropped
    assert table.last["throws"][0]["total"] == sum(second)


def test_maximised_is_bad_for_a_roll_that_has_to_be_low() -> None:
    """Over all dice: Maximised lowers the chance of 8 or less on 2D6, and Minimised lowers that of 8 or more."""

    def succeed(dice: int, target: str, **body: Any) -> int:
        table = Table()
        shown = [n for throw in product(range(1, 7), repeat=dice) for n in throw]
        times = len(shown) // dice
        found = 0
        for start in range(0, times, 300):
            part = shown[start * dice : (start + 300) * dice]
            roll = table.roll(part, "2d6", times=len(part) // dice, target=target, **body)
            found += table.last["successes"]
            table.do("alice", "resolve", {"roll": roll})
        return found

    assert succeed(2, "8-") * 6 > succeed(3, "8-", maximised=["Frenzy"])
    assert succeed(2, "8+") * 6 > succeed(3, "8+", minimised=["A curse"])
    assert succeed(3, "8-", minimised=["A blessing"]) > succeed(2, "8-") * 6


# --- rerolls -------------------------------------------------------------------------------------------------------

rules = st.fixed_dictionaries(
    {"source": st.just("a rule")},
    optional={"may": st.just(True), "pick": st.integers(1, 3)},
).flatmap(
    lambda rule: st.one_of(
        st.sampled_from(["failed", "successful", "any", "throw"]).map(lambda which: {**rule, "which": which}),
        st.lists(naturals, min_size=1, max_size=3).map(lambda ns: {**rule, "which": "natural", "naturals": ns}),
    )
)


@settings(deadline=None)
@given(st.integers(1, 3), st.integers(1, 3), st.lists(rules, min_size=1, max_size=4), st.data())
def test_a_rerolled_die_is_never_rerolled_again(
    count: int, times: int, several: list[dict[str, Any]], data: st.DataObject
) -> None:
    table = Table()
    dice = count * times
    shown = data.draw(st.lists(naturals, min_size=dice, max_size=dice))
    roll = table.roll(shown, f"{count}d6", times=times, target=f"{3 * count}+", rerolls=several)
    for _ in range(6):
        body: dict[str, Any] = {"roll": roll, "rule": data.draw(st.integers(1, len(several)))}
        if data.draw(st.booleans()):
            body["dice"] = data.draw(st.lists(st.integers(1, dice), max_size=dice, unique=True))
        before = table.last
        named = [before["dice"][die - 1] for die in body.get("dice", [])]
        clause = table.offer("alice", "reroll", body)
        assert clause in {None, "T4.1", "T4.2"}
        if clause is None:
            assert all(len(die["naturals"]) == 1 for die in named)
            table.show([data.draw(naturals) for _ in table.session.draw])
    for first, die in zip(shown, table.last["dice"], strict=True):
        assert die["naturals"][0] == first
        assert len(die["naturals"]) <= 2
        assert die["result"] == die["naturals"][-1]


# --- D3, directions ------------------------------------------------------------------------------------------------


def test_d3_is_uniform_and_its_natural_is_the_d6() -> None:
    throws = thrown([1, 2, 3, 4, 5, 6], "d3", times=6, target="9+", always={"success": [1, 6]})
    assert [throw["total"] for throw in throws] == [1, 1, 2, 2, 3, 3]
    assert [throw["success"] for throw in throws] == [True, False, False, False, False, True]


def test_directions_are_every_degree_once_whatever_the_d6_shows() -> None:
    for top in range(1, 7):
        shown = [n for degree in range(1, 361) for n in (top, degree)]
        throws = thrown(shown, "direction-d6", times=360)
        assert sorted(throw["degrees"] for throw in throws) == list(range(360))
        assert {throw["face"] for throw in throws} == ({5} if top in (1, 6) else {1})
    throws = thrown(list(range(1, 361)), "direction", times=360)
    assert sorted(throw["degrees"] for throw in throws) == list(range(360))


# --- whatever is offered -------------------------------------------------------------------------------------------

BODIES = {
    "roll": st.fixed_dictionaries(
        {"source": st.just("s"), "dice": st.sampled_from(["1d6", "2d6", "d3", "direction", "direction-d6", "d20"])},
        optional={
            "times": st.integers(1, 3),
            "maximised": st.lists(st.just("up"), min_size=1, max_size=3),
            "minimised": st.lists(st.just("down"), min_size=1, max_size=3),
            "target": st.sampled_from(["4+", "8-", "0+", "4"]),
            "always": st.just({"success": [6], "failure": [1]}),
            "rerolls": st.lists(rules, max_size=3),
            "modifiers": st.lists(
                st.one_of(
                    st.sampled_from([-1_000_000_000, -1, 2]).map(lambda n: {"source": "m", "add": n}),
                    st.sampled_from([2, 1_000_000_000]).map(lambda n: {"source": "m", "multiply": n}),
                ),
                max_size=3,
            ),
            "zero": st.just("north"),
        },
    ),
    "modify": st.fixed_dictionaries(
        {"roll": st.integers(1, 20), "modifier": st.just({"source": "m", "multiply": 1_000_000})}
    ),
    "declare": st.fixed_dictionaries({"what": st.just("reroll"), "roll": st.integers(1, 20), "rule": rules}),
    "reroll": st.fixed_dictionaries(
        {"roll": st.integers(1, 20), "rule": st.integers(1, 4)},
        optional={"dice": st.lists(st.integers(1, 9), max_size=4)},
    ),
    "resolve": st.fixed_dictionaries({"roll": st.integers(1, 20)}, optional={"successes": st.integers(0, 3)}),
}
offers = st.sampled_from(sorted(BODIES)).flatmap(lambda kind: st.tuples(st.just(kind), BODIES[kind]))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["alice", "bob"]), offers), max_size=20), st.data())
def test_every_offer_is_taken_or_refused_with_a_clause(
    events: list[tuple[str, tuple[str, dict[str, Any]]]], data: st.DataObject
) -> None:
    clauses = {clause.number for clause in SYSTEM.clauses}
    table = Table()
    for author, (kind, body) in events:
        if table.session.waits_for() is not None and kind != "roll" and data.draw(st.booleans()):
            body["roll"] = table.last["roll"]
        before = table.session
        clause = table.offer(author, kind, body)
        if clause is not None:
            assert clause in clauses
            assert table.session is before
            continue
        if table.session.draw:
            table.show([data.draw(st.integers(1, sides)) for sides in table.session.draw])
        for roll in table.session.view()["rolls"]:
            assert all(abs(throw["total"] or 0) <= MAX_SAFE_INTEGER for throw in roll["throws"])
            assert sum(len(throw["kept"]) + len(throw["dropped"]) for throw in roll["throws"]) == len(roll["dice"])
