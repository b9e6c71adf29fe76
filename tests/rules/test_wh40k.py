"""Warhammer 40,000, 9th edition: the scripts of specs/vectors/scripts/wh40k, and what must hold for all dice."""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import cycle
from math import ceil
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import SYSTEMS, Event, Ruling, Session, Violation
from rules.data.bounds import HISTORY_DICE
from rules.script import read, run
from rules.systems.wh40k.rerolls import takes
from rules.systems.wh40k.terms import Change
from rules.systems.wh40k.values import characteristic, check_improved, highest, rule_ap
from tests.conftest import SPECS
from tests.support.bundles import bundled
from tests.support.scripts import Vector, scripts
from verifier.log.bodies import Close

SYSTEM = SYSTEMS["wh40k-9e"]
PARAGRAPHS = {"void", "leaving", "rulings", "script", "late", "stands"}
"""the paragraphs of specs/wh40k.md and specs/rules.md that have no number"""
ROLES = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"}


class Table:
    """A game between alice and bob, with dice typed in."""

    def __init__(self) -> None:
        options = msgspec.convert({"fast_rolling": True}, SYSTEM.options)
        session = Session.start(SYSTEM, options, msgspec.convert(ROLES, dict[str, Any]))
        self.session = session.with_joined(ROLES)
        self.seq = 0

    def do(self, author: str, type: str, body: Mapping[str, Any]) -> int:
        """The number of dice that the event draws. Raises Violation, and leaves the table as it was."""
        event = Event(self.seq + 1, author, type, msgspec.convert(body, SYSTEM.bodies[type]))
        self.session.check_role(author, type)
        self.session.check_state(event)
        self.session = self.session.apply(event)
        self.seq += 1
        return len(self.session.draw)

    def show(self, *shown: int) -> None:
        self.session = self.session.apply(Event(0, "host", "reveal", Close()), shown)

    def declare(self, author: str, what: str, **body: Any) -> None:
        self.do(author, "declare", {"what": what, **body})

    @property
    def view(self) -> dict[str, Any]:
        return self.session.view()


# --- scripts -------------------------------------------------------------------------------------------------------


@bundled("vector", [vector for vector in scripts("wh40k") if vector.violates])
def test_what_is_refused_leaves_no_trace(vector: Vector) -> None:
    script = read(vector.data)
    outcome = run(script)
    before = run(msgspec.structs.replace(script, events=script.events[: outcome.seq - 1]))
    assert before.violation is None
    assert outcome.session.view() == before.session.view()


def test_every_clause_has_scripts_of_both_kinds() -> None:
    holds: set[str] = set()
    violates: set[str] = set()
    for vector in scripts("wh40k"):
        (violates if vector.violates else holds).add(vector.clause)
    clauses = {clause.number for clause in SYSTEM.clauses}
    assert holds - PARAGRAPHS == clauses
    assert violates - PARAGRAPHS == clauses


def test_every_clause_stands_in_the_specification() -> None:
    page = (SPECS / "wh40k.md").read_text()
    for clause in SYSTEM.clauses:
        assert f"**{clause.number}**" in page


# --- characteristics and rolls -------------------------------------------------------------------------------------

ARITHMETIC = ("divide", "multiply", "add", "subtract")


def changes(*ops: str, most: int = 4) -> st.SearchStrategy[list[dict[str, Any]]]:
    one = st.fixed_dictionaries({"source": st.just("a rule"), "op": st.sampled_from(ops), "amount": st.integers(1, 9)})
    return st.lists(one, max_size=most)


names = st.sampled_from(["S", "T", "A", "Ld", "M", "W", "D", "WS"])


def staged(value: int, told: list[dict[str, Any]], order: tuple[str, ...]) -> int:
    """The naive oracle: change after change in the order of the stages, rounded up at the end."""
    exact = Fraction(value)
    for op in order:
        for amount in (change["amount"] for change in told if change["op"] == op):
            match op:
                case "divide":
                    exact /= amount
                case "multiply":
                    exact *= amount
                case "add" | "worsen":
                    exact += amount
                case _:
                    exact -= amount
    return ceil(exact)


def asked(name: str, printed: int, told: list[dict[str, Any]]) -> dict[str, Any]:
    table = Table()
    table.declare("alice", "characteristic", characteristic=name, printed=printed, modifiers=told)
    computed: dict[str, Any] = table.view["computed"][0]
    return computed


@given(names, st.integers(0, 20), changes(*ARITHMETIC), st.randoms())
def test_a_characteristic_does_not_depend_on_the_order_of_declaration(
    name: str, printed: int, told: list[dict[str, Any]], rng: random.Random
) -> None:
    computed = asked(name, printed, told)
    floor = {"S": 1, "T": 1, "A": 1, "Ld": 1, "M": 0, "W": 0, "D": 0}.get(name)
    value = staged(printed, told, ARITHMETIC)
    assert computed["value"] == (value if floor is None else max(value, floor))
    assert computed["steps"][-1]["value"] == computed["value"]
    assert asked(name, printed, rng.sample(told, len(told)))["value"] == computed["value"]


@given(
    st.integers(-6, 0),
    changes("worsen", "improve"),
    st.sampled_from([None, 0, -1, -3]),
    st.integers(-6, 0),
    st.integers(-3, 0),
    st.randoms(),
)
def test_ap_is_set_first_treated_last_and_never_above_0(
    printed: int, told: list[dict[str, Any]], set_to: int | None, when: int, treated: int, rng: random.Random
) -> None:
    rules = [*told, {"source": "a treaty", "op": "treat", "amount": treated, "when": [when]}]
    if set_to is not None:
        rules.append({"source": "a buckler", "op": "set", "amount": set_to})
    value = min(0, staged(printed if set_to is None else set_to, told, ("worsen", "improve")))
    expected = treated if value == when else value
    assert asked("AP", printed, rules)["value"] == expected <= 0
    assert asked("AP", printed, rng.sample(rules, len(rules)))["value"] == expected


replacements = st.lists(
    st.builds(
        lambda op, amount, when: {"source": "a rule", "op": op, "amount": amount, **({"when": when} if when else {})},
        st.sampled_from(("set", "treat")),
        st.integers(0, 9),
        st.lists(st.integers(0, 12), max_size=3),
    ),
    max_size=3,
)


@given(
    st.sampled_from(["S", "A", "D", "M"]),
    st.integers(1, 4),
    st.integers(1, 30),
    changes(*ARITHMETIC, "floor"),
    replacements,
    st.booleans(),
)
def test_what_can_still_be_rolled_is_checked_as_if_each_was_rolled(
    name: str, low: int, size: int, told: list[dict[str, Any]], more: list[dict[str, Any]], huge: bool
) -> None:
    much = [{"source": "a rule", "op": "multiply", "amount": 100}] * (5 if huge else 0)
    of_body = msgspec.convert([*told, *more, *much], tuple[Change, ...])
    starts = range(low, low + size)

    def outcome(compute: Callable[[], int]) -> int | str | None:
        try:
            return compute()
        except Violation as violation:
            return violation.clause

    each = outcome(lambda: max(characteristic(name, start, of_body, rolled=True).number for start in starts))
    assert outcome(lambda: highest(name, starts, of_body)) == each


@given(
    st.integers(-6, 0),
    changes("divide", "multiply", "worsen", "improve"),
    st.lists(
        st.fixed_dictionaries(
            {"source": st.just("a rule"), "op": st.sampled_from(["set", "treat"]), "amount": st.integers(-3, 0)},
            optional={"when": st.lists(st.integers(-9, 0), min_size=1, max_size=4)},
        ),
        max_size=3,
    ),
    st.sets(st.integers(0, 12), min_size=1),
    st.booleans(),
)
def test_what_triggers_may_improve_is_checked_as_if_each_had_come(
    printed: int, told: list[dict[str, Any]], more: list[dict[str, Any]], amounts: set[int], huge: bool
) -> None:
    much = [{"source": "a rule", "op": "multiply", "amount": 100}] * (4 if huge else 0)
    of_body = msgspec.convert([*told, *more, *much], tuple[Change, ...])

    def refused(check: Callable[[], object]) -> str | None:
        try:
            check()
        except Violation as violation:
            return violation.clause
        return None

    each = {refused(partial(characteristic, "AP", printed, (*of_body, *improved(amount)))) for amount in amounts}
    assert refused(lambda: check_improved(printed, of_body, amounts)) in ({None} if each == {None} else each - {None})


def improved(amount: int) -> tuple[Change, ...]:
    return (rule_ap(amount, "a trigger"),) if amount else ()


@given(st.sampled_from([None, "hit", "wound", "save"]), st.integers(1, 6), changes(*ARITHMETIC), st.integers(2, 6))
def test_a_roll_is_modified_by_stages_and_capped_where_it_is_to(
    test: str | None, natural: int, told: list[dict[str, Any]], needs: int
) -> None:
    table = Table()
    body = {"for": "free", "source": "a rule", "dice": "d6", "needs": needs, "modifiers": told}
    table.do("alice", "roll", body | ({"test": test} if test else {}))
    table.show(natural)
    table.do("alice", "resolve", {"roll": 1})
    part = table.view["rolls"][0]["parts"][0]
    result = staged(natural, told, ARITHMETIC)
    if test in ("hit", "wound"):
        result = max(natural - 1, min(natural + 1, result))
    assert part["result"] == result
    always = {"hit": {1: False, 6: True}, "wound": {1: False, 6: True}, "save": {1: False}}.get(test or "", {})
    assert part["passed"] == always.get(natural, result >= needs)


@given(st.integers(1, 40), st.integers(1, 40))
def test_the_wound_table(strength: int, toughness: int) -> None:
    table = Table()
    table.declare("alice", "unit", unit="one", name="One", models=[model(1, {})])
    table.declare("bob", "unit", unit="two", name="Two", models=[model(1, {"T": toughness})])
    group = {"target": "two", "weapon": "gun", "type": "ranged", "bearers": [1], "A": 1, "S": strength, "AP": 0, "D": 1}
    table.declare("alice", "attacks", unit="one", groups=[group])
    ratio = Fraction(strength, toughness)
    needs = 2 if ratio >= 2 else 3 if ratio > 1 else 4 if ratio == 1 else 5 if ratio > Fraction(1, 2) else 6
    assert table.view["sequence"]["groups"][0]["wound"] == needs


# --- fast and slow -------------------------------------------------------------------------------------------------


def model(count: int, differs: Mapping[str, Any]) -> dict[str, Any]:
    line = {"count": count, "name": "Model", "M": 6, "WS": 3, "BS": 4, "S": 4, "T": 4, "W": 1, "A": 1, "Ld": 7, "Sv": 4}
    return {**line, **differs}


def trigger(on: str, results: list[int], does: str, **more: Any) -> dict[str, Any]:
    return {"kind": "trigger", "source": does, "on": on, "results": results, "does": does, **more}


ABILITIES: list[dict[str, Any]] = [
    trigger("hit", [6], "extra_hits", amount=2, unmodified=True),
    trigger("hit", [5, 6, 7], "extra_attacks", amount=1),
    trigger("hit", [6], "wound", unmodified=True),
    trigger("hit", [6], "mortal", amount=1, unmodified=True, instead=True),
    trigger("wound", [5, 6], "mortal", amount="d3", unmodified=True),
    trigger("wound", [6], "mortal", amount=2, instead=True),
    trigger("wound", [6], "improve_ap", amount=3, unmodified=True),
    {"kind": "reroll", "source": "Captain", "of": "hit", "results": [1]},
    {"kind": "reroll", "source": "Lieutenant", "of": "wound", "failed": True},
]
MODIFIERS: list[dict[str, Any]] = [
    {"source": "Dense Cover", "on": "hit", "op": "subtract", "amount": 1},
    {"source": "Heroic", "on": "hit", "op": "add", "amount": 1},
    {"source": "Transhuman", "on": "wound", "op": "subtract", "amount": 1},
    {"source": "Light Cover", "on": "save", "op": "add", "amount": 1},
    {"source": "Duty Eternal", "on": "D", "op": "divide", "amount": 2},
    {"source": "Bastion", "on": "AP", "op": "treat", "amount": 0, "when": [-1]},
    {"source": "Ramshackle", "on": "AP", "op": "worsen", "amount": 1},
]
groups = st.fixed_dictionaries(
    {
        "A": st.sampled_from([1, 2, 3, "d3", "d6"]),
        "S": st.sampled_from([3, 4, 8]),
        "AP": st.integers(-3, 0),
        "D": st.sampled_from([0, 1, 2, "d3", "d6", "d3+1"]),
        "abilities": st.lists(st.sampled_from(ABILITIES), unique_by=id, max_size=4),
        "modifiers": st.lists(st.sampled_from(MODIFIERS), unique_by=id, max_size=3),
    }
)
wards = st.fixed_dictionaries({}, optional={"invulnerable": st.integers(4, 6), "ignores_wounds": st.integers(4, 6)})
targets = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3), wards), min_size=1, max_size=2)


class Battle(Table):
    """Attacks played to their end: what kind of die comes next is fixed, how many are rolled together is not."""

    def __init__(self, group: dict[str, Any], target: list[tuple[int, int, dict[str, int]]], seed: int) -> None:
        super().__init__()
        self.seed = seed
        self.streams: dict[str, random.Random] = {}
        lines = [model(count, {"W": wounds, **more}) for count, wounds, more in target]
        self.declare("alice", "unit", unit="marines", name="Marines", models=[model(4, {})])
        self.declare("bob", "unit", unit="orks", name="Orks", models=lines)
        self.lines = [line for line in lines for _ in range(line["count"])]
        told = {"target": "orks", "weapon": "gun", "type": "ranged", **group}
        both = [{**told, "bearers": [1, 2]}, {**told, "bearers": [3, 4]}]
        self.declare("alice", "attacks", unit="marines", groups=both)

    def play(self, sizes: Iterator[int | None]) -> dict[str, Any]:
        """The state of what was attacked, after all is resolved in batches of these sizes."""
        while self.session.game.sequence is not None:
            coming = self.view["sequence"]["next"]
            getattr(self, "_" + coming["step"].split()[0])(coming["player"], sizes)
        state = self.view
        ended = state["sequences"][-1]
        assert ended["status"] == "resolved"
        return {"units": state["units"], "damage": ended["damage"]}

    def _attacks(self, player: str, sizes: Iterator[int | None]) -> None:
        known = self.view["sequence"]["groups"]
        unknown = [g["group"] for g in known if g["attacks"] is None]
        self._roll(player, {"for": "attacks", "group": unknown[0]})

    def _hit(self, player: str, sizes: Iterator[int | None]) -> None:
        groups = [g for g in self.view["sequence"]["groups"] if g["left"]]
        size = next(sizes)
        if size is None:
            return self._roll(player, {"for": "hit", "groups": [g["group"] for g in groups]})
        # Attacks that a trigger made come after all others, as they do where both groups are rolled together.
        queues = {group.group: group.queue for group in self.session.game.sequence.groups}
        first = min(groups, key=lambda g: all(attack.extra for attack in queues[g["group"]]))
        body = {"for": "hit", "groups": [first["group"]]}
        while size:
            try:
                return self._roll(player, {**body, "count": size})
            except Violation as violation:
                if violation.clause != "W19":
                    raise
                size -= 1
        return self._roll(player, body)

    def _wound(self, player: str, sizes: Iterator[int | None]) -> None:
        self._roll(player, {"for": "wound"})

    def _save(self, player: str, sizes: Iterator[int | None]) -> None:
        number = self._eligible()
        more = {"invulnerable": True} if "invulnerable" in self.lines[number - 1] else {}
        self._roll(player, {"for": "save", "model": number, **more})

    def _damage(self, player: str, sizes: Iterator[int | None]) -> None:
        self._roll(player, {"for": "damage"})

    def _ignore(self, player: str, sizes: Iterator[int | None]) -> None:
        self._roll(player, {"for": "ignore"})

    def _mortal(self, player: str, sizes: Iterator[int | None]) -> None:
        self._roll(player, {"for": "mortal"})

    def _inflict(self, player: str, sizes: Iterator[int | None]) -> None:
        number = self._eligible()
        if "ignores_wounds" in self.lines[number - 1]:
            self._roll(player, {"for": "ignore", "model": number, "count": 1})
        else:
            self.do(player, "resolve", {"model": number, "mortal": 1})

    def _eligible(self) -> int:
        unit = self.view["units"]["orks"]
        alive = [m for m in unit["models"] if not m["destroyed"]]
        first = [m["model"] for m in alive if m["lost"] or m["model"] in unit["chosen"]]
        return int(first[0] if first else alive[-1]["model"])

    def _roll(self, player: str, body: dict[str, Any]) -> None:
        before = self._attacked()
        dice = self.do(player, "roll", body)
        number = self.seq
        voided = self.session.apply(Event(0, "host", "void", Close()))
        assert {k: voided.view()[k] for k in before} == before
        self.show(*self._dice(body["for"], dice))
        self._reroll(player, number)
        self.do(player, "resolve", {"roll": number})
        struck = self.session.apply(Event(self.seq + 1, "dana", "ruling", Ruling("void", number, "struck")))
        assert {k: struck.view()[k] for k in before} == before

    def _reroll(self, player: str, number: int) -> None:
        """Every reroll that a rule allows is taken."""
        roll = self.view["rolls"][-1]
        for rule in roll["rerolls"]:
            for die in roll["dice"]:
                try:
                    self.do(player, "reroll", {"roll": number, "reroll": rule["reroll"], "dice": [die["die"]]})
                except Violation as violation:
                    if violation.clause not in ("W3", "W4", "W6"):
                        raise
                else:
                    self.show(*self._dice(f"reroll {roll['for']} {rule['reroll']}", 1))

    def _dice(self, kind: str, count: int) -> list[int]:
        """The next dice of this kind: the same, whatever is rolled in between."""
        stream = self.streams.setdefault(kind, random.Random(f"{self.seed} {kind}"))
        return [stream.randint(1, 6) for _ in range(count)]

    def _attacked(self) -> dict[str, Any]:
        return {key: self.view[key] for key in ("units", "sequence", "sequences")}


@pytest.mark.long
@settings(deadline=None)
@given(groups, targets, st.integers(), st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_fast_and_slow_rolling_come_to_the_same(
    group: dict[str, Any], target: list[tuple[int, int, dict[str, int]]], seed: int, sizes: list[int]
) -> None:
    slow = Battle(group, target, seed).play(cycle([1]))
    assert Battle(group, target, seed).play(cycle([None])) == slow
    assert Battle(group, target, seed).play(cycle(sizes)) == slow


# --- what a state keeps --------------------------------------------------------------------------------------------


def test_a_state_keeps_so_many_dice_of_rolls_and_their_steps_once() -> None:
    table = Table()
    add = [{"source": "a rule", "op": "add", "amount": 1}] * 2
    for _ in range(12):
        table.do("alice", "roll", {"for": "free", "source": "a rule", "dice": "1000d6", "modifiers": add})
        table.show(*[n % 6 + 1 for n in range(1000)])
        table.do("alice", "resolve", {"roll": table.seq})
    settled = list(table.session.game.settled)
    assert sum(len(roll.dice) for roll in settled) == HISTORY_DICE
    assert len({id(part.steps) for part in settled[-1].parts}) == 6


def test_attacks_that_ended_keep_no_queue() -> None:
    table = shots(100, [])
    struck = table.session.apply(Event(4, "dana", "ruling", Ruling("void", table.seq, "struck")))
    ended = struck.view()["sequences"][-1]
    assert (ended["status"], ended["groups"][0]["attacks"], ended["groups"][0]["left"]) == ("struck", 100, 0)


# --- late modifiers ------------------------------------------------------------------------------------------------

LATE: list[dict[str, Any]] = [
    trigger("hit", [6, 7], "extra_hits", amount=2),
    trigger("hit", [6], "extra_hits", amount=1, unmodified=True),
    trigger("hit", [6, 7], "mortal", amount=1),
    trigger("hit", [1, 2], "slay"),
    trigger("wound", [5, 6], "mortal", amount="d3", unmodified=True),
    trigger("wound", [6], "improve_ap", amount=3, unmodified=True),
]


def dice(table: Table) -> dict[tuple[int, int], list[int]]:
    """Every die of the game with its naturals, of rolls that count."""
    rolls = [roll for roll in table.view["rolls"] if roll["status"] in ("open", "resolved")]
    return {(roll["roll"], die["die"]): die["naturals"] for roll in rolls for die in roll["dice"]}


def shots(attacks: int, abilities: list[dict[str, Any]]) -> Table:
    table = Table()
    table.declare("alice", "unit", unit="marines", name="Marines", models=[model(1, {})])
    table.declare("bob", "unit", unit="orks", name="Orks", models=[model(9, {})])
    group = {"target": "orks", "weapon": "gun", "type": "ranged", "bearers": [1], "A": attacks, "S": 4, "AP": 0, "D": 1}
    table.declare("alice", "attacks", unit="marines", groups=[{**group, "abilities": abilities}])
    return table


@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=6),
    st.lists(st.sampled_from(LATE), unique_by=id, max_size=3),
    st.lists(st.integers(1, 6), min_size=40, max_size=40),
    st.integers(1, 2),
)
def test_a_late_modifier_does_what_it_would_have_done_in_time(
    shown: list[int], abilities: list[dict[str, Any]], wounds: list[int], times: int
) -> None:
    """And nobody gets another die by it: all that were shown are still there."""
    if any(ability["does"] == "slay" for ability in abilities):
        shown = shown[:1]
    cover = {"modifiers": [{"source": "Cover", "op": "subtract", "amount": 1}]}
    late = shots(len(shown), abilities)
    hits = late.seq + 1
    late.do("alice", "roll", {"for": "hit", "groups": [1]})
    late.show(*shown)
    late.do("alice", "resolve", {"roll": hits})
    coming = late.view["sequence"] and late.view["sequence"]["next"]
    if coming and coming["step"] == "wound":
        late.show(*wounds[: late.do("alice", "roll", {"for": "wound"})])
    before = dice(late)
    for _ in range(times):
        late.do("bob", "modify", {"roll": hits, **cover})
    assert dice(late) == before

    timely = shots(len(shown), abilities)
    timely.do("alice", "roll", {"for": "hit", "groups": [1]})
    timely.show(*shown)
    for _ in range(times):
        timely.do("bob", "modify", {"roll": hits, **cover})
    timely.do("alice", "resolve", {"roll": hits})
    rolled = next((r for r in late.view["rolls"] if r["for"] == "wound"), None)
    if rolled is not None:
        counted = [die["naturals"][0] for die in rolled["dice"] if die["status"] == "counted"]
        if counted:
            assert timely.do("alice", "roll", {"for": "wound"}) == len(counted)
            timely.show(*counted)
            timely.do("alice", "resolve", {"roll": timely.seq})
            late.do("alice", "resolve", {"roll": rolled["roll"]})
    for key in ("units", "sequence", "sequences"):
        assert late.view[key] == timely.view[key]


# --- rerolls -------------------------------------------------------------------------------------------------------


def test_a_rule_takes_what_has_failed_and_was_not_rerolled() -> None:
    table = Table()
    failed = {"source": "a rule", "failed": True}
    table.do("alice", "roll", {"for": "free", "source": "a test", "dice": "3d6", "needs": 4, "rerolls": [failed]})
    table.show(2, 3, 5)

    def taken() -> tuple[int, ...]:
        roll = table.session.game.open
        return takes(table.session.game, roll, roll.rerolls[0])

    assert taken() == (1, 2)
    table.do("alice", "reroll", {"roll": 1, "reroll": 1, "dice": [1]})
    table.show(2)
    assert taken() == (2,)


# --- how a roll is told --------------------------------------------------------------------------------------------


def change(op: str, amount: int) -> dict[str, Any]:
    return {"source": "a rule", "op": op, "amount": amount}


@pytest.mark.parametrize(
    ("body", "shown", "told"),
    [
        ({"dice": "2d6"}, [1, 2], None),
        ({"dice": "2d6", "sum": True}, [1, 2], "= 3"),
        ({"dice": "2d3"}, [1, 5], "= 1, 3"),
        ({"dice": "d3+3", "sum": True}, [5], "= 3 + 3 = 6"),
        (
            {"dice": "2d6", "needs": 3, "modifiers": [{"source": "Cover", "op": "subtract", "amount": 1}]},
            [3, 4],
            "each − 1: 2, 3; 3+: 1 of 2",
        ),
        ({"dice": "2d6", "sum": True, "needs": 9}, [4, 5], "= 9 against 9+: success"),
        ({"dice": "2d6", "sum": True, "needs": 9, "at_most": True}, [4, 5], "= 9 against 9-: success"),
        (
            {"dice": "2d6", "sum": True, "modifiers": [change("subtract", 2), change("multiply", 2)]},
            [2, 3],
            "= (2 + 3) × 2 − 2 = 8",
        ),
        (
            {"dice": "3d6dh1", "sum": True, "modifiers": [change("divide", 2), change("add", 1)]},
            [6, 2, 3],
            "= (2 + 3) / 2 + 1 = 7/2, which counts as 4",
        ),
        (
            {"dice": "d6", "test": "hit", "needs": 3, "modifiers": [change("subtract", 3)]},
            [4],
            "= 4 − 3 = 1, which counts as 3 against 3+: success",
        ),
    ],
)
def test_a_roll_sums_itself_up(body: dict[str, Any], shown: list[int], told: str | None) -> None:
    table = Table()
    table.do("alice", "roll", {"for": "free", "source": "a rule", **body})
    table.show(*shown)
    table.do("alice", "resolve", {"roll": 1})
    (roll,) = table.session.game.settled
    found = table.session.system.summary(roll)
    assert found is None if told is None else str(found) == told


def damage(shown: list[int], modifiers: list[dict[str, Any]]) -> Table:
    """Damage of 2D6 that was rolled and changed."""
    table = Table()
    table.declare("alice", "unit", unit="marines", name="Marines", models=[model(1, {})])
    table.declare("bob", "unit", unit="orks", name="Orks", models=[model(1, {"W": 100})])
    on = [{"on": "D", **modifier} for modifier in modifiers]
    gun = {"weapon": "gun", "type": "ranged", "A": 1, "S": 8, "AP": -6, "D": "2d6", "modifiers": on}
    table.declare("alice", "attacks", unit="marines", groups=[{"target": "orks", **gun}])
    for step in ({"for": "hit", "groups": [1]}, {"for": "wound"}):
        table.do("alice", "roll", step)
        table.show(6)
    table.do("alice", "roll", {"for": "damage"})
    table.show(*shown)
    return table


def ruled(table: Table, die: int, result: int) -> None:
    body = {"ruling": "correct", "subject": table.session.game.open.roll, "text": "cocked"}
    table.seq += 1
    found = msgspec.convert({**body, "results": [{"die": die, "result": result}]}, Ruling)
    table.session = table.session.apply(Event(table.seq, "dana", "ruling", found))


def summary(table: Table) -> str:
    number = table.session.game.open.roll
    table.do("alice", "resolve", {"roll": number})
    return next(str(table.session.system.summary(roll)) for roll in table.session.game.settled if roll.roll == number)


def test_what_is_set_or_ruled_is_what_is_calculated_with() -> None:
    table = damage([1, 2], [{**change("set", 5), "when": [3]}, change("add", 1)])
    assert summary(table) == "= 3, which counts as 5; 5 + 1 = 6"
    table = damage([2, 3], [change("multiply", 2)])
    ruled(table, 1, 6)
    assert summary(table) == "= (6 + 3) × 2 = 18"


def true_as_written(line: str) -> bool:
    """Whether what stands left and right of each `=` is the same number."""
    for told in line.split("; "):
        sides = told.split(", which counts as ")[0].removeprefix("= ").split(" = ")
        exact = re.sub(r"\d+", r"Fraction(\g<0>)", " = ".join(sides)).translate({ord("−"): "-", ord("×"): "*"})
        if len({eval(side, {"Fraction": Fraction}) for side in exact.split(" = ")}) != 1:
            return False
    return True


@settings(max_examples=60)
@given(
    st.lists(st.integers(1, 6), min_size=2, max_size=2),
    changes(*ARITHMETIC, "set", "treat"),
    st.none() | st.tuples(st.integers(1, 2), st.integers(-9, 9)),
)
def test_arithmetic_is_true_as_written(
    shown: list[int], told: list[dict[str, Any]], ruling: tuple[int, int] | None
) -> None:
    with suppress(Violation):  # of two that contradict each other
        table = damage(shown, told)
        if ruling is not None:
            ruled(table, *ruling)
        assert true_as_written(summary(table))
