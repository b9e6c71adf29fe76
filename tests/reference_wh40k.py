"""An oracle for Warhammer 40,000: the rules of specs/wh40k.md and specs/rules.md, written from those pages alone.

Nothing of the project is imported; what all systems share is in reference_rules.py. Everything is plain dicts and
lists, the checks stand in the order in which they are made, and nothing is clever: whatever may be undone is kept as
a copy of the whole game. What it asked of the pages when it was written, they say now.
"""

from __future__ import annotations

import copy
import re
from fractions import Fraction
from math import ceil
from typing import Any

from tests import reference_rules
from tests.reference_rules import (
    HISTORY,
    MAX_DICE,
    MAX_ITEMS,
    MAX_MODIFIER,
    Body,
    Check,
    SchemaError,
    Violation,
    array_of,
    boolean,
    difference,
    integer,
    integer_between,
    need,
    object_of,
    one_of,
    positive,
    required_text,
    run_event,
    text,
    true,
)

__all__ = ["SchemaError", "Violation", "Warhammer", "check_body", "check_options", "difference", "run_event"]

MAX_VALUE = 100
MAX_TRIGGERED = 10
PHASES = ("command", "movement", "psychic", "shooting", "charge", "fight", "morale")
# The least that stage 8 leaves.
LEAST = {"S": 1, "T": 1, "A": 1, "Ld": 1, "M": 0, "W": 0, "D": 0}
# Rolls that are characteristics, and which.
ROLLED = {"move": "M", "attacks": "A", "strength": "S", "damage": "D"}
# What claims of `passed` break, by the form of the roll (W16 aside).
PASSED = {"wound": "W17", "save": "W18", "ignore": "W22"}
BY_COMMAND = ("hit", "wound", "save", "damage", "attacks", "free")
SHOWN = (
    *("roll", "player", "status", "dice", "for", "source", "notation", "d3", "sequence", "rerolls", "modifiers"),
    "parts",
)


# --- schemas --------------------------------------------------------------------------------------

ROLL_OPS = ("divide", "multiply", "add", "subtract")
OPS = ("set", *ROLL_OPS, "floor", "treat")
AP_OPS = ("set", "divide", "multiply", "worsen", "improve", "treat")

results_of_a_rule = array_of(integer, least=1)


def parse_random(value: object, most_dice: int = 20) -> tuple[int, int, int] | None:
    """Dice, sides and what is added of `NdS` or `NdS+K`, or None when this is none."""
    if not isinstance(value, str):
        return None
    match = re.fullmatch("([1-9][0-9]{0,3})?[dD]([36])(?:\\+(0|[1-9][0-9]?))?", value)
    if match is None or int(match[1] or 1) > most_dice:
        return None
    return int(match[1] or 1), int(match[2]), int(match[3] or 0)


def write_random(dice: int, sides: int, plus: int = 0) -> str:
    return f"{dice if dice > 1 else ''}d{sides}{f'+{plus}' if plus else ''}"


def is_random(value: object) -> bool:
    return isinstance(value, str) and value != "-"


def random_or(check: Check) -> Check:
    def either(value: object) -> None:
        if parse_random(value) is None:
            check(value)

    return either


def dash_or(check: Check) -> Check:
    def either(value: object) -> None:
        if value != "-":
            check(value)

    return either


def user_or(check: Check) -> Check:
    def either(value: object) -> None:
        if value != "user":
            check(value)

    return either


def change(ops: tuple[str, ...], on: tuple[str, ...] = ()) -> Check:
    """A change with one of these ops; `on`: what a modifier may be on, with the ops that each takes."""
    required: dict[str, Check] = {"source": required_text, "op": one_of(*ops), "amount": integer}
    if on:
        required["on"] = one_of(*on)

    def check(value: object) -> None:
        object_of(required, {"when": results_of_a_rule})(value)
        assert isinstance(value, dict)
        op, most = value["op"], MAX_VALUE
        if on:
            need(op in ops_of(value["on"]), "what it is on does not take this")
            most = 0 if value["on"] == "AP" else MAX_VALUE
        elif ops is AP_OPS:
            most = 0
        if op in ("set", "treat"):
            integer_between(-MAX_VALUE, most)(value["amount"])
        else:
            integer_between(0 if op == "floor" else 1, MAX_VALUE)(value["amount"])
            need("when" not in value, "only set and treat have a condition")

    return check


ON_ROLLS = ("hit", "wound", "save", "invulnerable")
ON_CHARACTERISTICS = ("WS", "BS", "S", "T", "A", "AP", "D", "Sv")


def ops_of(on: str) -> tuple[str, ...]:
    return ROLL_OPS if on in ON_ROLLS else AP_OPS if on == "AP" else OPS


modifiers_of_a_group = array_of(change((*OPS, "worsen", "improve"), (*ON_ROLLS, *ON_CHARACTERISTICS)))

rule_members: dict[str, Check] = {"results": results_of_a_rule, "failed": true, "apart": true}


def reroll_rule(value: object) -> None:
    object_of({"source": required_text}, rule_members)(value)
    assert isinstance(value, dict)
    need(not ("failed" in value and "results" in value), "one or the other")


def ability(value: object) -> None:
    need(isinstance(value, dict), "an object is needed")
    assert isinstance(value, dict)
    one_of("reroll", "trigger", "auto-hit", "blast")(value.get("kind"))
    members: dict[str, Check] = {"kind": text, "source": required_text}
    if value["kind"] == "reroll":
        kinds = one_of("hit", "wound", "damage", "attacks", "strength", "save", "invulnerable", "ignore")
        object_of({**members, "of": kinds}, rule_members)(value)
        need(not ("failed" in value and "results" in value), "one or the other")
    elif value["kind"] == "trigger":
        does = one_of("extra_hits", "extra_attacks", "wound", "mortal", "improve_ap", "slay")
        object_of(
            {**members, "on": one_of("hit", "wound"), "results": results_of_a_rule, "does": does},
            {"unmodified": true, "amount": random_or(integer_between(1, MAX_TRIGGERED)), "instead": true},
        )(value)
        need(("amount" in value) == (value["does"] not in ("wound", "slay")), "an amount where there is something")
        need(value["does"] == "mortal" or not is_random(value.get("amount")), "a number is needed")
        need(value["does"] == "mortal" or "instead" not in value, "only mortal wounds are instead")
    else:
        object_of(members)(value)


def too_many_triggered(abilities: list[Body]) -> bool:
    sums: dict[str, int] = {}
    for one in abilities:
        if one.get("does") in ("extra_hits", "extra_attacks"):
            sums[one["does"]] = sums.get(one["does"], 0) + one["amount"]
    return any(total > MAX_TRIGGERED for total in sums.values())


def abilities_of_a_group(value: object) -> None:
    array_of(ability)(value)
    assert isinstance(value, list)
    need(not too_many_triggered(value), "too many of one kind together")


def unit_id(value: object) -> None:
    need(isinstance(value, str) and re.fullmatch("[a-z0-9._-]{1,40}", value) is not None, "a unit's id is needed")


number = integer_between(0, MAX_VALUE)
from_1 = integer_between(1, MAX_VALUE)
skill = dash_or(integer_between(1, 7))
line = object_of(
    {
        "count": integer_between(1, 100),
        "name": required_text,
        "M": random_or(dash_or(number)),
        **dict.fromkeys(("S", "A"), random_or(dash_or(from_1))),
        **dict.fromkeys(("WS", "BS", "Sv"), skill),
        **dict.fromkeys(("T", "W"), from_1),
        "Ld": dash_or(number),
    },
    {"invulnerable": integer_between(2, 6), "ignores_wounds": integer_between(2, 6)},
)


def lines(value: object) -> None:
    array_of(line, least=1)(value)
    assert isinstance(value, list)
    need(sum(one["count"] for one in value) <= 100, "at most 100 models")


group_body = object_of(
    {
        "target": unit_id,
        "weapon": required_text,
        "type": one_of("ranged", "melee"),
        "bearers": array_of(positive, least=1),
        "A": user_or(random_or(integer_between(1, 100))),
        "S": user_or(random_or(integer_between(1, 100))),
        "AP": integer_between(-100, 0),
        "D": random_or(integer_between(0, 100)),
    },
    {
        "modifiers": modifiers_of_a_group,
        "abilities": abilities_of_a_group,
        "announced": object_of({}, dict.fromkeys(("hit", "wound", "S", "T", "AP"), integer)),
    },
)

OF_A_MODEL = ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv")


def characteristic_body(body: Body) -> None:
    one_of(*OF_A_MODEL, "AP", "D")(body.get("characteristic"))
    asked = body["characteristic"]
    changes = array_of(change(AP_OPS if asked == "AP" else OPS))
    optional: dict[str, Check] = {"modifiers": changes, "value": dash_or(integer)}
    members: dict[str, Check] = {"what": text, "characteristic": text}
    if "printed" in body:
        printed = dash_or(integer_between(-MAX_VALUE, MAX_VALUE))
        object_of({**members, "printed": printed}, optional)(body)
    else:
        one_of(*OF_A_MODEL)(asked)
        object_of({**members, "unit": unit_id, "model": positive}, optional)(body)


declare_bodies: dict[str, Check] = {
    "phase": object_of({"what": text, "phase": one_of(*PHASES)}),
    "unit": object_of({"what": text, "unit": unit_id, "name": required_text, "models": lines}),
    "gone": object_of({"what": text, "unit": unit_id}),
    "wounds": object_of(
        {"what": text, "unit": unit_id, "model": positive, "lost": integer_between(0, 100), "source": required_text}
    ),
    "move": object_of({"what": text, "unit": unit_id}, {"modifiers": array_of(change(OPS)), "source": required_text}),
    "attacks": object_of({"what": text, "unit": unit_id, "groups": array_of(group_body, least=1)}),
    "rules": object_of(
        {"what": text, "groups": array_of(positive, least=1)},
        {"modifiers": modifiers_of_a_group, "abilities": abilities_of_a_group},
    ),
    "reroll": object_of({"what": text, "roll": positive, "reroll": reroll_rule}),
}


def declare_body(body: Body) -> None:
    one_of(*declare_bodies, "characteristic", "mortal")(body.get("what"))
    if body["what"] == "characteristic":
        characteristic_body(body)
    elif body["what"] == "mortal":
        amount: dict[str, Check] = {"roll": positive} if "roll" in body else {"count": integer_between(1, 100)}
        object_of({"what": text, "target": unit_id, "source": required_text, **amount})(body)
    else:
        declare_bodies[body["what"]](body)
        need(body["what"] != "rules" or "modifiers" in body or "abilities" in body, "modifiers or abilities")


roll_bodies: dict[str, Check] = {
    "free": object_of(
        {"for": text, "source": required_text, "dice": text},
        {
            "sum": true,
            "test": one_of("hit", "wound", "save"),
            "needs": integer,
            "modifiers": array_of(change(ROLL_OPS)),
            "rerolls": array_of(reroll_rule),
        },
    ),
    "move": object_of({"for": text, "unit": unit_id}),
    "attacks": object_of({"for": text, "group": positive}),
    "hit": object_of({"for": text, "groups": array_of(positive, least=1)}, {"count": positive}),
    "strength": object_of({"for": text}),
    "wound": object_of({"for": text}),
    "save": object_of({"for": text, "model": positive}, {"invulnerable": true}),
    "damage": object_of({"for": text}),
    "ignore": object_of({"for": text}, {"model": positive, "count": positive}),
    "mortal": object_of({"for": text}),
}


def roll_body(body: Body) -> None:
    one_of(*roll_bodies)(body.get("for"))
    roll_bodies[body["for"]](body)
    if body["for"] == "free":
        need("test" not in body or "needs" in body, "a test needs a number")
    if body["for"] == "ignore":
        need(("model" in body) == ("count" in body), "both or none")


dice_numbers = array_of(positive, MAX_DICE)
claimed_triggers = array_of(object_of({"ability": positive, "parts": array_of(positive, MAX_DICE)}))


def resolve_body(body: Body) -> None:
    if "roll" in body:
        claims = {
            "results": array_of(integer, MAX_DICE),
            "passed": array_of(positive, MAX_DICE),
            "triggered": claimed_triggers,
        }
        object_of({"roll": positive}, claims)(body)
    elif "groups" in body:
        object_of({"groups": array_of(positive, least=1)}, {"count": positive})(body)
    else:
        object_of({"model": positive}, {"mortal": positive})(body)


def check_options(options: object) -> None:
    object_of({"fast_rolling": boolean})(options)


def check_body(type: str, body: object) -> None:
    need(isinstance(body, dict), "an object is needed")
    assert isinstance(body, dict)
    if type == "roll":
        roll_body(body)
    elif type == "reroll":
        by: dict[str, Check] = {"command": true} if "command" in body else {"reroll": positive}
        object_of({"roll": positive, **by}, {"dice": dice_numbers})(body)
    elif type == "modify":
        object_of({"roll": positive, "modifiers": array_of(change(OPS), least=1)})(body)
    elif type == "resolve":
        resolve_body(body)
    elif type == "declare":
        declare_body(body)
    else:
        raise SchemaError(f"{type} is no type of this system")


# --- values ---------------------------------------------------------------------------------------


class TooLarge(Exception):
    """A value went beyond MAX_MODIFIER."""


class Contradiction(Exception):
    """Two rules set a value to different ones, or treat it as different ones."""


def written(value: Fraction | int | str) -> int | str:
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    return value


def step(op: str, value: Fraction | int | str, change: Body | None = None) -> Body:
    change = change or {}
    return {"op": op, "amount": change.get("amount"), "source": change.get("source"), "value": written(value)}


def acting(changes: list[Body], op: str, value: Fraction) -> list[Body]:
    """The changes with this op whose condition is met; they must not contradict each other."""
    found = [one for one in changes if one["op"] == op and ("when" not in one or value in one["when"])]
    if len({one["amount"] for one in found}) > 1:
        raise Contradiction
    return found


def work_out(  # noqa: C901 - the stages in their order
    first: str, printed: int, changes: list[Body], what: str | None, blast: bool = False
) -> list[Body]:
    """The steps of a computation. `what`: a characteristic; `hit` or `wound`, which are capped; or None."""
    value = Fraction(printed)
    steps = [step(first, value)]

    def go(op: str, new: Fraction | int, one: Body | None = None) -> None:
        nonlocal value
        value = Fraction(new)
        if abs(value) > MAX_MODIFIER:
            raise TooLarge
        steps.append(step(op, value, one))

    for one in acting(changes, "set", value):
        go("set", one["amount"], one)
    for one in changes:
        if one["op"] == "divide":
            go("divide", value / one["amount"], one)
    for one in changes:
        if one["op"] == "multiply":
            go("multiply", value * one["amount"], one)
    for one in changes:
        if one["op"] in ("add", "worsen"):
            go(one["op"], value + one["amount"], one)
    for one in changes:
        if one["op"] in ("subtract", "improve"):
            go(one["op"], value - one["amount"], one)
    if value.denominator != 1:
        go("round", ceil(value))
    for one in changes:
        if one["op"] == "floor" and value < one["amount"]:
            go("floor", one["amount"], one)
    if what in LEAST and value < LEAST[what]:
        go("floor", LEAST[what])
    if what == "AP" and value > 0:
        go("cap", 0)
    if what in ("hit", "wound") and abs(value - printed) > 1:
        go("cap", printed + (1 if value > printed else -1))
    for one in acting(changes, "treat", value):
        go("treat", one["amount"], one)
    if blast and value < 3:
        go("blast", 3)
    return steps


def possible(random: str) -> range:
    dice, sides, plus = parse_random(random) or (0, 0, 0)
    return range(dice + plus, dice * sides + plus + 1)


def needs_to_wound(strength: int, toughness: int) -> int:
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def on(modifiers: list[Body], what: str) -> list[Body]:
    return [{member: one[member] for member in one if member != "on"} for one in modifiers if one["on"] == what]


# --- rolls ----------------------------------------------------------------------------------------


def ruled(die: Body) -> int | None:
    """What a judge ruled that the die shows, and no reroll came after."""
    result: int | None = die["steps"][-1].get("ruled") if die["steps"] else None
    return result


def die_value(roll: Body, die: Body) -> int:
    natural: int = die["naturals"][-1]
    return (natural + 1) // 2 if roll["d3"] else natural


def chunks(roll: Body) -> list[tuple[int, list[Body]]]:
    """The parts that count: where they stood when the roll was made (from 0), and their dice."""
    every = [roll["dice"][first : first + roll["each"]] for first in range(0, len(roll["dice"]), roll["each"])]
    return [(place, dice) for place, dice in enumerate(every) if dice[0]["status"] == "counted"]


def unmodified(roll: Body, dice: list[Body]) -> int:
    total: int = roll["plus"]
    for die in dice:
        told = ruled(die) if roll["added"] else None
        total += die_value(roll, die) if told is None else told
    return total


def all_modifiers(roll: Body) -> list[Body]:
    base: list[Body] = roll["base"]
    return base + list(roll["late"])


def kind_of_cap(roll: Body) -> str | None:
    """What work_out is to know of a roll: its characteristic, or whether it is capped."""
    if roll["for"] in ROLLED:
        return ROLLED[roll["for"]]
    test: str | None = roll["test"]
    return test


def part_steps(roll: Body, value: int) -> list[Body]:
    first = "rolled" if roll["for"] in ROLLED else "unmodified"
    return work_out(first, value, all_modifiers(roll), kind_of_cap(roll), roll["blast"])


def work_out_parts(roll: Body) -> list[Body]:
    """All parts as they would be settled now; `against` says that W16 decides against the numbers."""
    parts: list[Body] = []
    for place, dice in chunks(roll):
        value = unmodified(roll, dice)
        steps = part_steps(roll, value)
        told = None if roll["added"] else ruled(dice[0])
        result = steps[-1]["value"] if told is None else told
        needs = roll["needs"][place] if roll["needs"] is not None else None
        passed = None
        against = False
        if needs is not None:
            passed = result >= needs
            if told is None and roll["test"] is not None:
                if value == 1 and passed:
                    passed, against = False, True
                elif value == 6 and not passed and roll["test"] in ("hit", "wound"):
                    passed, against = True, True
        parts.append(
            {
                "part": len(parts) + 1,
                "dice": [die["die"] for die in dice],
                "unmodified": value,
                "result": result,
                "needs": needs,
                "passed": passed,
                "steps": steps,
                "against": against,
                "place": place,
            }
        )
    return parts


def fails_by_itself(roll: Body, place: int, value: int) -> bool:
    """W6: before any modifier."""
    if roll["needs"] is None:
        return False
    if roll["test"] is not None and value == 1:
        return True
    if roll["test"] in ("hit", "wound") and value == 6:
        return False
    fails: bool = value < roll["needs"][place]
    return fails


def clause_of_result(roll: Body, part: Body) -> str:
    ops = [one["op"] for one in part["steps"]]
    if "blast" in ops:
        return "W24"
    if "cap" in ops:
        return "W15"
    if all_modifiers(roll):
        return "W8" if roll["for"] in ROLLED else "W2"
    return "W1" if roll["d3"] else "W2"


def check_reroll_of_part(roll: Body, rule: Body, place: int, dice: list[Body], named: list[int]) -> None:
    """For one part: named results (W4, W5), failed (W6), whole (W4)."""
    of_part = [die for die in dice if die["die"] in named]
    if "results" in rule:
        for die in of_part:
            if die_value(roll, die) not in rule["results"]:
                raise Violation("W5" if roll["d3"] else "W4")
    if rule.get("failed") and not fails_by_itself(roll, place, unmodified(roll, dice)):
        raise Violation("W6")
    if "results" not in rule and not rule.get("apart") and len(of_part) < len(dice):
        raise Violation("W4")


# --- attacks --------------------------------------------------------------------------------------


def alive(unit: Body) -> list[Body]:
    return [model for model in unit["models"] if not model["destroyed"]]


def set_lost(model: Body, lost: int) -> None:
    model["lost"] = lost
    model["destroyed"] = lost >= model["W"]


def toughness_of(unit: Body) -> int:
    """That of most models that are there, the highest on a tie."""
    counts: dict[int, int] = {}
    for model in alive(unit):
        counts[model["printed"]["T"]] = counts.get(model["printed"]["T"], 0) + 1
    return max(counts, key=lambda toughness: (counts[toughness], toughness))


def computed(what: str, printed: int | str, changes: list[Body], first: str = "printed", blast: bool = False) -> Body:
    """A characteristic; one that is rolled has its value and no steps, W8 where "-" is changed or rules contradict."""
    if is_random(printed):
        dice, sides, plus = parse_random(printed) or (0, 0, 0)
        return {"value": write_random(dice, sides, plus), "steps": []}
    if printed == "-":
        if changes:
            raise Violation("W8")
        return {"value": "-", "steps": [step("printed", "-")]}
    assert isinstance(printed, int)
    try:
        steps = work_out(first, printed, changes, what, blast)
    except Contradiction:
        raise Violation("W13" if what == "AP" else "W8") from None
    except TooLarge:
        raise Violation("W8") from None
    return {"value": steps[-1]["value"], "steps": steps}


def computed_with_stand_in(what: str, printed: int | str, toughness: int, changes: list[Body]) -> Body:
    """S or Ld, for which T stands in."""
    found = computed(what, printed, changes)
    if found["value"] == "-":
        found = {"value": toughness, "steps": [step("printed", "-"), step("takes T", toughness)]}
    return found


def check_random(what: str, random: str, changes: list[Body]) -> None:
    """What is still to be rolled: no value that the dice can show may lead to a contradiction or too far."""
    for value in possible(random):
        computed(what, value, changes)


def check_roll_changes(changes: list[Body], unmodified_values: list[int], what: str | None) -> None:
    for value in unmodified_values:
        try:
            work_out("unmodified", value, changes, what)
        except TooLarge:
            raise Violation("W2") from None


def clause_of_ap(steps: list[Body]) -> str:
    ops = [one["op"] for one in steps]
    if "cap" in ops:
        return "W14"
    return "W13" if "set" in ops or "treat" in ops else "W8"


def triggers(group: Body, on: str) -> list[tuple[int, Body]]:
    return [
        (index, one)
        for index, one in enumerate(group["abilities"], start=1)
        if one["kind"] == "trigger" and one["on"] == on
    ]


def has(group: Body, kind: str) -> bool:
    return any(one["kind"] == kind or one.get("does") == kind for one in group["abilities"])


def sets_off(one: Body, part: Body) -> bool:
    if one["does"] in ("wound", "improve_ap") and not part["passed"]:
        return False
    return (part["unmodified"] if one.get("unmodified") else part["result"]) in one["results"]


def canonical(value: object) -> object:
    """Written in one way, so that equal rules are equal."""
    if isinstance(value, dict):
        return {
            member: sorted(set(entry)) if member in ("results", "when") else canonical(entry)
            for member, entry in value.items()
        }
    random = parse_random(value)
    return write_random(*random) if random is not None else value


def in_any_order(entries: list[Body]) -> list[str]:
    return sorted(repr(sorted((canonical(one) or {}).items())) for one in entries)  # type: ignore[attr-defined]


def what_must_be_equal(group: Body) -> list[object]:
    """W10, in this order."""
    alike = [one for one in group["modifiers"] if one["on"] in (*ON_ROLLS, "T", "Sv")]
    changes = on(group["modifiers"], "D") if is_random(group["D"]["value"]) else []
    return [
        group["type"],
        group["skill"]["value"],
        group["S"]["value"],
        group["AP"]["value"],
        (group["D"]["value"], in_any_order(changes)),
        (in_any_order(alike), in_any_order(group["abilities"])),
        group["target"],
    ]


def work_out_group(group: Body) -> None:  # noqa: C901 - the checks in their order
    """Everything about a group that its modifiers and abilities tell, in the order of the checks."""
    given, modifiers = group["given"], group["modifiers"]
    for one in group["abilities"]:
        if one["kind"] == "trigger":
            if one["on"] == "wound" and one["does"] not in ("mortal", "improve_ap"):
                raise Violation("W23")
            if one["on"] == "hit" and one["does"] == "improve_ap":
                raise Violation("W23")
        if one["kind"] == "blast" and group["type"] == "melee":
            raise Violation("W24")
    used, unused = ("BS", "WS") if group["type"] == "ranged" else ("WS", "BS")
    if on(modifiers, unused):
        raise Violation("W20")
    bearer = group["bearer"]
    group["skill"] = computed(used, bearer[used], on(modifiers, used))
    if group["skill"]["value"] == "-":
        raise Violation("W8")
    strength = bearer["S"] if given["S"] == "user" else given["S"]
    group["S"] = computed_with_stand_in("S", strength, bearer["T"], on(modifiers, "S"))
    attacks = bearer["A"] if given["A"] == "user" else given["A"]
    blast = has(group, "blast")
    group["blast"] = blast and group["targets"] >= 6
    if blast and group["targets"] >= 11 and is_random(attacks):
        group["A"] = computed("A", possible(attacks)[-1], on(modifiers, "A"), "blast", True)
    else:
        group["A"] = computed("A", attacks, on(modifiers, "A"), blast=group["blast"])
    if group["A"]["value"] == "-":
        raise Violation("W8")
    group["T"] = computed("T", group["toughness"], on(modifiers, "T"))
    group["AP"] = computed("AP", given["AP"], on(modifiers, "AP"))
    group["D"] = computed("D", given["D"], on(modifiers, "D"))
    check_what_is_to_be_rolled(group)
    group["wound"] = (
        None if is_random(group["S"]["value"]) else needs_to_wound(group["S"]["value"], group["T"]["value"])
    )
    check_announced(group)
    random = is_random(group["A"]["value"])
    most: int
    if random:
        changes = on(modifiers, "A")
        most = max(
            work_out("rolled", value, changes, "A", group["blast"])[-1]["value"]
            for value in possible(group["A"]["value"])
        )
        dice = (parse_random(group["A"]["value"]) or (0,))[0]
        if dice * len(group["bearers"]) > MAX_DICE:
            raise Violation("W9")
    else:
        most = group["A"]["value"]
    if max(most, 0) * len(group["bearers"]) > MAX_DICE:
        raise Violation("W9")
    if not random:
        each = max(group["A"]["value"], 0)
        group["attacks"] = each * len(group["bearers"])
        group["queue"] = [bearer for bearer in group["bearers"] for _ in range(each)]


def check_what_is_to_be_rolled(group: Body) -> None:
    modifiers = group["modifiers"]
    for what in ("S", "A", "D"):
        if is_random(group[what]["value"]):
            check_random(what, group[what]["value"], on(modifiers, what))
    sums = {0}
    for _, one in triggers(group, "wound"):
        if one["does"] == "improve_ap":
            sums |= {total + one["amount"] for total in sums}
    aps = [improved_ap(group, total)["value"] for total in sorted(sums)]
    for model in group["saves"]:
        computed("Sv", model, on(modifiers, "Sv"))
    for what in ("hit", "wound", "invulnerable"):
        check_roll_changes(on(modifiers, what), [1, 6], what)
    for ap in aps:
        check_roll_changes([*as_modifier(ap), *on(modifiers, "save")], [1, 6], None)


def improved_ap(group: Body, amount: int) -> Body:
    more = [{"source": "improved", "op": "improve", "amount": amount}] if amount else []
    return computed("AP", group["given"]["AP"], [*on(group["modifiers"], "AP"), *more])


def as_modifier(ap: int) -> list[Body]:
    return [{"source": "AP", "op": "subtract", "amount": -ap}] if ap else []


def check_announced(group: Body) -> None:
    announced = group["given"].get("announced", {})
    if "hit" in announced and announced["hit"] != group["skill"]["value"]:
        raise Violation("W8")
    if "S" in announced and announced["S"] != group["S"]["value"]:
        raise Violation("W8")
    if "T" in announced and announced["T"] != group["T"]["value"]:
        raise Violation("W8")
    if "AP" in announced and announced["AP"] != group["AP"]["value"]:
        raise Violation(clause_of_ap(group["AP"]["steps"]))
    if "wound" in announced and announced["wound"] != group["wound"]:
        raise Violation("W17")


def attacks_left(group: Body) -> int:
    return len(group["queue"]) + len(group["more"])


def to_be_rolled(sequence: Body, group: Body) -> list[int]:
    """The bearers for which a random A is still to be rolled."""
    if group["attacks"] is not None or group["over"]:
        return []
    return [bearer for bearer in group["bearers"] if bearer not in sequence["slain"]]


def new_sequence(seq: int, player: str, unit: str | None) -> Body:
    return {
        "sequence": seq,
        "player": player,
        "unit": unit,
        "status": "open",
        "groups": [],
        "target": None,
        "mortal": [],
        "damage": [],
        "batch": None,
        "slain": [],
    }


def new_roll(seq: int, player: str, kind: str, source: str, dice: int, **more: Any) -> Body:
    """A roll; the state shows the members in SHOWN, the others are for working it out."""
    return {
        "roll": seq,
        "player": player,
        "status": "pending",
        "dice": [],
        "for": kind,
        "source": source,
        "notation": write_random(dice, 6),
        "d3": False,
        "sequence": None,
        "number": dice,
        "each": 1,
        "plus": 0,
        "added": False,
        "base": [],
        "late": [],
        "rules": [],
        "said": [],
        "needs": None,
        "test": None,
        "blast": False,
        "group": None,
        "body": {},
        "settled": None,
        "once_settled": False,
        **more,
    }


def of_random(random: str, times: int) -> Body:
    """The members of a roll that rolls a random value so many times."""
    dice, sides, plus = parse_random(random, MAX_DICE) or (0, 0, 0)
    return {
        "notation": write_random(dice * times, sides),
        "d3": sides == 3,
        "each": dice,
        "plus": plus,
        "added": dice > 1,
    }


class Copy(dict[str, Any]):
    """The whole game as it was; nobody changes it, so it is never copied again."""

    def __deepcopy__(self, memo: object) -> Copy:
        return self


# What a copy of the game has; `last` is not among it, as a copy is never of interest further back.
COPIED = ("units", "turn", "command", "sequence", "sequences", "computed", "rolls", "open")


class Warhammer(reference_rules.Game):
    """The state of one game. A method that raises Violation has changed nothing before."""

    SYSTEM = "wh40k-9e"
    check_options = staticmethod(check_options)
    check_body = staticmethod(check_body)

    def __init__(self, options: Body, parties: dict[str, str], joined: list[str] | None = None) -> None:
        """`parties`: name -> role, in party order; `joined`: who has joined at the start (absent: all)."""
        super().__init__(options, parties, joined)
        self.units: dict[str, Body] = {}
        self.turn: Body | None = None
        self.command: list[str] = []
        self.sequence: Body | None = None
        self.sequences: list[Body] = []
        self.computed: list[Body] = []
        # The roll settled last, as long as a late modifier could name it: {"roll", "before", "since", "units",
        # "rules"}: the game right before it was settled; the roll, units and rules that came since.
        self.last: Body | None = None

    # Copies.

    def copied(self) -> Copy:
        return Copy(copy.deepcopy({member: getattr(self, member) for member in COPIED}))

    def restore(self, copied: Copy) -> None:
        for member in COPIED:
            setattr(self, member, copy.deepcopy(dict(copied)[member]))

    # Looking things up.

    def open_roll(self) -> Body | None:
        return None if self.open is None else self.find_roll(self.open)

    def unit_of(self, unit: str, author: str) -> Body:
        """A unit of the author's that is there."""
        found = self.units.get(unit)
        if found is None or found["player"] != author:
            raise Violation("W20")
        return found

    def standing(self, unit: Body) -> Body:
        if not alive(unit):
            raise Violation("W20")
        return unit

    def target_for(self, unit: str, author: str) -> Body:
        found = self.units.get(unit)
        if found is None or not alive(found) or found["player"] == author:
            raise Violation("W20")
        return found

    def sequence_or_refuse(self) -> Body:
        if self.sequence is None:
            raise Violation("W19")
        return self.sequence

    def defender(self, sequence: Body) -> str:
        player: str = self.units[sequence["target"]]["player"]
        return player

    # What comes next.

    def next(self) -> Body | None:
        sequence = self.sequence
        if sequence is None:
            return None
        attacker = sequence["player"]
        batch = sequence["batch"]
        if batch is not None:
            defender = self.defender(sequence)
            unsaved = batch["unsaved"]
            if unsaved is not None:
                if unsaved["damage"] is None:
                    dice = (parse_random(self.group_of(unsaved)["D"]["value"]) or (0,))[0]
                    return {"player": attacker, "step": "damage", "dice": dice}
                return {"player": defender, "step": "ignore", "dice": min(unsaved["damage"], MAX_DICE)}
            hits = [hit for hit in batch["hits"] if not hit["wounds"]]
            if hits:
                random = self.group_of(hits[0])["S"]["value"]
                if is_random(random) and "strength" not in hits[0]:
                    dice = (parse_random(random) or (0,))[0]
                    return {"player": attacker, "step": "strength", "dice": dice * len(hits)}
                return {"player": attacker, "step": "wound", "dice": len(hits)}
            return {"player": defender, "step": "save", "dice": 1}
        target = sequence["target"]
        if target is not None and not self.attacks_on(target):
            first = self.first_random(sequence)
            if first is not None:
                dice = (parse_random(first["amount"]) or (0,))[0]
                return {"player": attacker, "step": "mortal", "dice": dice * self.times(first)}
            return {"player": self.defender(sequence), "step": "inflict", "dice": None}
        groups = [group for group in sequence["groups"] if target in (None, group["target"])]
        unknown = any(to_be_rolled(sequence, group) for group in groups)
        return {"player": attacker, "step": "attacks or hit" if unknown else "hit", "dice": None}

    def group_of(self, one: Body) -> Body:
        assert self.sequence is not None
        group: Body = self.sequence["groups"][one["group"] - 1]
        return group

    def attacks_on(self, target: str) -> bool:
        """Whether attacks on the target are left, or may be, in groups whose number is still to be rolled."""
        assert self.sequence is not None
        return any(
            group["target"] == target and (attacks_left(group) > 0 or bool(to_be_rolled(self.sequence, group)))
            for group in self.sequence["groups"]
        )

    def first_random(self, sequence: Body) -> Body | None:
        for entry in sequence["mortal"]:
            if entry["target"] == sequence["target"] and is_random(entry["amount"]):
                found: Body = entry
                return found
        return None

    def times(self, entry: Body) -> int:
        dice = (parse_random(entry["amount"]) or (1,))[0]
        return min(int(entry["times"]), MAX_DICE // dice)

    def owed(self, sequence: Body) -> int:
        return sum(
            entry["amount"] * entry["times"] for entry in sequence["mortal"] if entry["target"] == sequence["target"]
        )

    def take_step(self, author: str, *steps: str) -> Body:
        """The sequence, if one of these steps is next and the author's."""
        sequence = self.sequence_or_refuse()
        coming = self.next()
        assert coming is not None
        if coming["step"] not in steps:
            early = steps[0] in ("mortal", "inflict") and coming["step"] != "inflict"
            waiting = any(entry["target"] == sequence["target"] for entry in sequence["mortal"])
            raise Violation("W12" if early and waiting else "W19")
        if coming["player"] != author:
            raise Violation("W19")
        return sequence

    # Requests.

    def request(self, seq: int, author: str, type: str, body: Body) -> list[int]:
        before, last = self.copied(), self.last
        pending: Body
        try:
            if type == "reroll":
                roll, numbers = self.request_reroll(author, body)
                pending = {"kind": "reroll", "roll": roll, "dice": numbers}
            else:
                self.settle_own(author)
                roll = getattr(self, f"request_{body['for']}")(seq, author, body)
                roll["body"] = copy.deepcopy(body)
                pending = {"kind": "roll", "roll": roll}
        except Violation:
            self.restore(before)
            self.last = last
            raise
        if pending["kind"] == "roll":
            self.rolls.append(roll)
            self.open = roll["roll"]
            pending["number"] = roll["number"]
        else:
            pending["number"] = len(pending["dice"])
        self.pending = {**pending, "before": before, "last": last, "body": body}
        self.requests += 1
        self.phase = "pending"
        return [6] * int(pending["number"])

    def reveal(self, naturals: list[int]) -> None:
        assert self.pending is not None
        pending = self.pending
        self.check_naturals(naturals, [6] * int(pending["number"]))
        roll = pending["roll"]
        if pending["kind"] == "reroll":
            source = "Command Re-roll"
            if "command" in pending["body"]:
                self.command.append(roll["player"])
            else:
                source = self.rules_of(roll)[pending["body"]["reroll"] - 1]["source"]
            for place, natural in zip(pending["dice"], naturals, strict=True):
                die = roll["dice"][place - 1]
                die["steps"].append({"reroll": die["naturals"][-1], "source": source})
                die["naturals"].append(natural)
        else:
            roll["status"] = "open"
            roll["dice"] = [
                {"die": place, "sides": 6, "naturals": [natural], "status": "counted", "steps": []}
                for place, natural in enumerate(naturals, start=1)
            ]
            if self.last is not None:
                self.last["since"] = roll["roll"]
        self.pending = None
        self.phase = "idle"

    def void(self) -> None:
        assert self.pending is not None
        pending = self.pending
        self.restore(pending["before"])
        self.last = pending["last"]
        if pending["kind"] == "roll":
            roll = {**pending["roll"], "status": "void"}
            self.rolls.append(roll)
        self.pending = None
        self.phase = "idle"

    def request_free(self, seq: int, author: str, body: Body) -> Body:
        random = parse_random(body["dice"], MAX_DICE)
        if random is None:
            raise Violation("W1")
        dice, sides, plus = random
        added = bool(body.get("sum"))
        if plus and not added:
            raise Violation("W1")
        changes = copy.deepcopy(body.get("modifiers", []))
        low, high = (dice + plus, dice * sides + plus) if added else (1, sides)
        test = body.get("test")
        check_roll_changes(changes, [low, high], None)
        parts = 1 if added else dice
        return new_roll(
            seq,
            author,
            "free",
            body["source"],
            dice,
            notation=write_random(dice, sides, plus),
            d3=sides == 3,
            each=dice if added else 1,
            plus=plus,
            added=added and dice > 1,
            base=changes,
            rules=copy.deepcopy(body.get("rerolls", [])),
            needs=[body["needs"]] * parts if "needs" in body else None,
            test=test,
        )

    def request_move(self, seq: int, author: str, body: Body) -> Body:
        unit = self.standing(self.unit_of(body["unit"], author))
        if unit["move"] is None or unit["move"]["value"] is not None:
            raise Violation("W9")
        random = alive(unit)[0]["printed"]["M"]
        more = of_random(random, 1)
        return new_roll(
            seq,
            author,
            "move",
            f"move: {body['unit']}",
            more["each"],
            base=copy.deepcopy(unit["move"]["modifiers"]),
            **more,
        )

    def request_attacks(self, seq: int, author: str, body: Body) -> Body:
        sequence = self.take_step(author, "attacks or hit", "hit")
        if not 1 <= body["group"] <= len(sequence["groups"]):
            raise Violation("W19")
        group = sequence["groups"][body["group"] - 1]
        bearers = to_be_rolled(sequence, group)
        if not bearers:
            rolled = any(one["op"] == "blast" for one in group["A"]["steps"][:1])
            raise Violation("W24" if rolled else "W9")
        more = of_random(group["A"]["value"], len(bearers))
        return self.of_group(
            seq,
            author,
            "attacks",
            group,
            more["each"] * len(bearers),
            base=on(group["modifiers"], "A"),
            blast=group["blast"],
            bearers=bearers,
            **more,
        )

    def of_group(self, seq: int, author: str, kind: str, group: Body, dice: int, **more: Any) -> Body:
        assert self.sequence is not None
        of = "invulnerable" if more.get("body", {}).get("invulnerable") else kind
        rules = [
            {member: one[member] for member in one if member not in ("kind", "of")}
            for one in group["abilities"]
            if one["kind"] == "reroll" and one["of"] == of
        ]
        return new_roll(
            seq,
            author,
            kind,
            f"{kind}: {group['weapon']}",
            dice,
            sequence=self.sequence["sequence"],
            group=group["group"],
            rules=copy.deepcopy(rules),
            **more,
        )

    def batch_of(self, author: str, body: Body, auto: bool) -> list[Body]:
        """The attacks that `groups` and `count` name."""
        sequence = self.take_step(author, "hit", "attacks or hit")
        groups: list[Body] = []
        for number in dict.fromkeys(body["groups"]):
            if not 1 <= number <= len(sequence["groups"]):
                raise Violation("W19")
            group = sequence["groups"][number - 1]
            if sequence["target"] is not None and group["target"] != sequence["target"]:
                raise Violation("W20")
            if to_be_rolled(sequence, group):
                raise Violation("W9")
            groups.append(group)
        normal = [self.attack(group, bearer, False) for group in groups for bearer in group["queue"]]
        made = [self.attack(group, bearer, True) for group in groups for bearer in group["more"]]
        left = normal or made
        count = body.get("count", len(left))
        if not 1 <= count <= len(left):
            raise Violation("W19")
        attacks = left[:count]
        self.check_fast(attacks)
        for attack in attacks:
            if has(self.group_of(attack), "auto-hit") != auto:
                raise Violation("W19")
        return attacks

    def attack(self, group: Body, bearer: int, made: bool) -> Body:
        return {"group": group["group"], "bearer": bearer, "made": made}

    def check_fast(self, attacks: list[Body]) -> None:
        if len(attacks) > 1:
            if not self.options["fast_rolling"]:
                raise Violation("W10")
            groups = {attack["group"]: self.group_of(attack) for attack in attacks}
            first = what_must_be_equal(self.group_of(attacks[0]))
            for group in groups.values():
                if is_random(group["S"]["value"]) or has(group, "slay") or what_must_be_equal(group) != first:
                    raise Violation("W10")
        hits = sum(1 + (0 if attack["made"] else self.most_extra_hits(self.group_of(attack))) for attack in attacks)
        if hits > MAX_DICE:
            raise Violation("W10")

    def most_extra_hits(self, group: Body) -> int:
        if has(group, "auto-hit"):
            return 0
        return sum(one["amount"] for one in group["abilities"] if one.get("does") == "extra_hits")

    def request_hit(self, seq: int, author: str, body: Body) -> Body:
        attacks = self.batch_of(author, body, auto=False)
        group = self.group_of(attacks[0])
        return self.of_group(
            seq,
            author,
            "hit",
            group,
            len(attacks),
            base=on(group["modifiers"], "hit"),
            needs=[group["skill"]["value"]] * len(attacks),
            test="hit",
            attacks=attacks,
        )

    def hits_to_roll(self) -> list[Body]:
        assert self.sequence is not None
        assert self.sequence["batch"] is not None
        return [hit for hit in self.sequence["batch"]["hits"] if not hit["wounds"]]

    def request_strength(self, seq: int, author: str, body: Body) -> Body:
        self.take_step(author, "strength")
        hits = self.hits_to_roll()
        group = self.group_of(hits[0])
        more = of_random(group["S"]["value"], len(hits))
        return self.of_group(
            seq,
            author,
            "strength",
            group,
            more["each"] * len(hits),
            base=on(group["modifiers"], "S"),
            keys=[hit["key"] for hit in hits],
            **more,
        )

    def request_wound(self, seq: int, author: str, body: Body) -> Body:
        self.take_step(author, "wound")
        hits = self.hits_to_roll()
        group = self.group_of(hits[0])
        return self.of_group(
            seq,
            author,
            "wound",
            group,
            len(hits),
            base=on(group["modifiers"], "wound"),
            needs=[self.needs_of_hit(hit) for hit in hits],
            test="wound",
            keys=[hit["key"] for hit in hits],
        )

    def needs_of_hit(self, hit: Body) -> int:
        group = self.group_of(hit)
        if "strength" in hit:
            return needs_to_wound(hit["strength"], group["T"]["value"])
        needs: int = group["wound"]
        return needs

    def model_for(self, sequence: Body, number: int) -> Body:
        """W11: the model of the target that takes the next."""
        unit = self.units[sequence["target"]]
        if not 1 <= number <= len(unit["models"]) or unit["models"][number - 1]["destroyed"]:
            raise Violation("W11")
        first = [model for model in alive(unit) if model["lost"] > 0 or model["model"] in unit["chosen"]]
        model: Body = unit["models"][number - 1]
        if first and model not in first:
            raise Violation("W11")
        return model

    def save_of(self, group: Body, model: Body) -> int | str:
        value: int | str = computed("Sv", model["printed"]["Sv"], on(group["modifiers"], "Sv"))["value"]
        return value

    def request_save(self, seq: int, author: str, body: Body) -> Body:
        sequence = self.take_step(author, "save")
        model = self.model_for(sequence, body["model"])
        wound = sequence["batch"]["wounds"][0]
        group = self.group_of(wound)
        if body.get("invulnerable"):
            needs = model["printed"]["invulnerable"]
            if needs is None:
                raise Violation("W18")
            changes = on(group["modifiers"], "invulnerable")
        else:
            needs = self.save_of(group, model)
            if needs == "-":
                raise Violation("W18")
            changes = [*as_modifier(improved_ap(group, wound["improved"])["value"]), *on(group["modifiers"], "save")]
        return self.of_group(
            seq, author, "save", group, 1, base=changes, needs=[needs], test="save", model=body["model"], body=body
        )

    def request_damage(self, seq: int, author: str, body: Body) -> Body:
        sequence = self.take_step(author, "damage")
        group = self.group_of(sequence["batch"]["unsaved"])
        more = of_random(group["D"]["value"], 1)
        base = on(group["modifiers"], "D")
        return self.of_group(seq, author, "damage", group, more["each"], base=base, **more)

    def request_ignore(self, seq: int, author: str, body: Body) -> Body:
        if "model" in body:
            sequence = self.take_step(author, "inflict")
            model = self.inflicted(sequence, body["model"], body["count"])
            dice = body["count"]
            if model["printed"]["ignores_wounds"] is None:
                raise Violation("W22")
        else:
            sequence = self.take_step(author, "ignore")
            unsaved = sequence["batch"]["unsaved"]
            model = self.units[sequence["target"]]["models"][unsaved["model"] - 1]
            dice = min(unsaved["damage"], MAX_DICE)
        needs = [model["printed"]["ignores_wounds"]] * dice
        source = f"ignore: {sequence['target']}"
        if "model" not in body:
            group = self.group_of(unsaved)
            return {**self.of_group(seq, author, "ignore", group, dice, needs=needs), "source": source}
        number = sequence["sequence"]
        return new_roll(seq, author, "ignore", source, dice, sequence=number, needs=needs, model=body["model"])

    def inflicted(self, sequence: Body, number: int, count: int) -> Body:
        model = self.model_for(sequence, number)
        if count > model["W"] - model["lost"] or count > self.owed(sequence):
            raise Violation("W12")
        return model

    def request_mortal(self, seq: int, author: str, body: Body) -> Body:
        sequence = self.take_step(author, "mortal")
        entry = self.first_random(sequence)
        assert entry is not None
        times = self.times(entry)
        more = of_random(entry["amount"], times)
        source = f"mortal: {entry['source']}"
        number = sequence["sequence"]
        return new_roll(seq, author, "mortal", source, more["each"] * times, sequence=number, **more)

    def rules_of(self, roll: Body) -> list[Body]:
        rules: list[Body] = roll["rules"] + roll["said"]
        return rules

    def request_reroll(self, author: str, body: Body) -> tuple[Body, list[int]]:  # noqa: C901 - the checks in their order
        roll = self.open_roll()
        if roll is None or roll["roll"] != body["roll"] or roll["player"] != author:
            raise Violation("W3")
        rule: Body
        if "command" in body:
            if roll["for"] not in BY_COMMAND or author in self.command:
                raise Violation("W21")
            rule = {}
        else:
            if not 1 <= body["reroll"] <= len(self.rules_of(roll)):
                raise Violation("W3")
            rule = self.rules_of(roll)[body["reroll"] - 1]
        parts = chunks(roll)
        if "dice" in body:
            named = list(body["dice"])
        elif len(parts) == 1:
            named = [die["die"] for die in parts[0][1]]
        else:
            raise Violation("W3")
        if not named or len(set(named)) < len(named) or any(number > len(roll["dice"]) for number in named):
            raise Violation("W3")
        if any(roll["dice"][number - 1]["status"] == "ignored" for number in named):
            raise Violation("W3")
        taken = 0
        for place, dice in parts:
            if any(die["die"] in named for die in dice):
                taken += 1
                check_reroll_of_part(roll, rule, place, dice, named)
        if "command" in body and taken != 1:
            raise Violation("W21")
        if any(len(roll["dice"][number - 1]["naturals"]) > 1 for number in named):
            raise Violation("W3")
        return roll, named

    # Settling.

    def settle_own(self, author: str) -> None:
        roll = self.open_roll()
        if roll is None:
            return
        if roll["player"] != author:
            raise Violation("W19")
        self.settle()

    def settle(self) -> None:
        roll = self.open_roll()
        assert roll is not None
        self.last = {"roll": roll["roll"], "before": self.copied(), "since": None, "units": [], "rules": []}
        roll["settled"] = work_out_parts(roll)
        roll["status"] = "resolved"
        roll["once_settled"] = True
        self.rolls.remove(roll)
        self.rolls.append(roll)
        self.open = None
        getattr(self, f"settle_{roll['for']}")(roll, roll["settled"])
        self.go_on()

    def settle_free(self, roll: Body, parts: list[Body]) -> None:
        pass

    def settle_move(self, roll: Body, parts: list[Body]) -> None:
        unit = self.units[roll["body"]["unit"]]
        unit["move"]["value"] = parts[0]["result"]
        unit["move"]["steps"] = parts[0]["steps"]

    def settle_attacks(self, roll: Body, parts: list[Body]) -> None:
        group = self.group_of(roll)
        counts = [max(part["result"], 0) for part in parts]
        group["queue"] = [bearer for bearer, count in zip(roll["bearers"], counts, strict=True) for _ in range(count)]
        group["attacks"] = sum(counts)
        group["begun"] = True

    def begin_batch(self, attacks: list[Body]) -> Body:
        """The attacks are no longer left; a batch without hits yet."""
        assert self.sequence is not None
        for attack in attacks:
            group = self.group_of(attack)
            group["more" if attack["made"] else "queue"].remove(attack["bearer"])
            group["begun"] = True
        self.sequence["target"] = self.group_of(attacks[0])["target"]
        batch: Body = {"hits": [], "wounds": [], "unsaved": None}
        self.sequence["batch"] = batch
        return batch

    def settle_hit(self, roll: Body, parts: list[Body]) -> None:
        assert self.sequence is not None
        batch = self.begin_batch(roll["attacks"])
        for part in parts:
            attack = roll["attacks"][part["place"]]
            group = self.group_of(attack)
            off = [one for _, one in triggers(group, "hit") if not attack["made"] and sets_off(one, part)]
            hits = []
            ended = any(one.get("instead") for one in off)
            if part["passed"] and not ended:
                hits.append({"wounds": any(one["does"] == "wound" for one in off)})
            for one in off:
                if one["does"] == "extra_hits":
                    hits += [{"wounds": False}] * one["amount"]
                elif one["does"] == "extra_attacks":
                    group["more"] += [attack["bearer"]] * one["amount"]
                    group["attacks"] += one["amount"]
                elif one["does"] == "mortal":
                    self.owe(group["target"], one)
            # The key tells an own hit (0) from extra hits (1 on).
            own = 0 if part["passed"] and not ended else 1
            for extra, hit in enumerate(hits, start=own):
                self.hit(batch, group, hit["wounds"], [part["place"], extra])
            if any(one["does"] == "slay" for one in off):
                self.slay(attack["bearer"])

    def hit(self, batch: Body, group: Body, wounds: bool, key: list[int]) -> None:
        group["hits"] += 1
        batch["hits"].append({"group": group["group"], "wounds": wounds, "key": key, "improved": 0})

    def owe(self, target: str, one: Body) -> None:
        assert self.sequence is not None
        amount = canonical(one["amount"])
        for entry in self.sequence["mortal"]:
            if (entry["target"], entry["source"], entry["amount"]) == (target, one["source"], amount):
                entry["times"] += 1
                return
        self.sequence["mortal"].append({"target": target, "source": one["source"], "amount": amount, "times": 1})

    def slay(self, bearer: int) -> None:
        assert self.sequence is not None
        sequence = self.sequence
        model = self.units[sequence["unit"]]["models"][bearer - 1]
        if model["destroyed"]:
            return
        self.take_wounds(sequence["unit"], model, model["W"] - model["lost"], "slain")
        sequence["slain"].append(bearer)
        for group in sequence["groups"]:
            group["bearers"] = [one for one in group["bearers"] if one != bearer]
            for queue in ("queue", "more"):
                group[queue] = [one for one in group[queue] if one != bearer]

    def settle_strength(self, roll: Body, parts: list[Body]) -> None:
        for hit, part in zip(self.hits_to_roll(), parts, strict=True):
            hit["strength"] = part["result"]

    def settle_wound(self, roll: Body, parts: list[Body]) -> None:
        assert self.sequence is not None
        batch = self.sequence["batch"]
        by_key = {tuple(roll["keys"][part["place"]]): part for part in parts}
        for hit in batch["hits"]:
            group = self.group_of(hit)
            if hit["wounds"]:
                group["wounds"] += 1
            else:
                part = by_key[tuple(hit["key"])]
                off = [one for _, one in triggers(group, "wound") if sets_off(one, part)]
                for one in off:
                    if one["does"] == "mortal":
                        self.owe(group["target"], one)
                if part["passed"] and not any(one.get("instead") for one in off):
                    hit["wounds"] = True
                    hit["improved"] = sum(one["amount"] for one in off if one["does"] == "improve_ap")
                    group["wounds"] += 1
        batch["wounds"] = [hit for hit in batch["hits"] if hit["wounds"]]
        batch["hits"] = []

    def settle_save(self, roll: Body, parts: list[Body]) -> None:
        if parts[0]["passed"]:
            assert self.sequence is not None
            wound = self.allocate(roll["model"])
            self.group_of(wound)["saved"] += 1
        else:
            self.fail_save(roll["model"])

    def allocate(self, model: int) -> Body:
        """The first wound is the model's to take."""
        assert self.sequence is not None
        unit = self.units[self.sequence["target"]]
        unit["chosen"] += [model] if model not in unit["chosen"] else []
        wound: Body = self.sequence["batch"]["wounds"].pop(0)
        return wound

    def fail_save(self, model: int) -> None:
        assert self.sequence is not None
        wound = self.allocate(model)
        group = self.group_of(wound)
        group["failed"] += 1
        damage = None if is_random(group["D"]["value"]) else group["D"]["value"]
        self.sequence["batch"]["unsaved"] = {"model": model, "damage": None, "group": wound["group"]}
        if damage is not None:
            self.suffer(damage)

    def suffer(self, damage: int) -> None:
        """The damage of the attack is known: it is ignored first, or lost."""
        assert self.sequence is not None
        batch = self.sequence["batch"]
        unsaved = batch["unsaved"]
        model = self.units[self.sequence["target"]]["models"][unsaved["model"] - 1]
        unsaved["damage"] = max(damage, 0)
        if model["printed"]["ignores_wounds"] is None or unsaved["damage"] == 0:
            batch["unsaved"] = None
            self.take_wounds(self.sequence["target"], model, unsaved["damage"], "normal")

    def settle_damage(self, roll: Body, parts: list[Body]) -> None:
        self.suffer(parts[0]["result"])

    def settle_ignore(self, roll: Body, parts: list[Body]) -> None:
        assert self.sequence is not None
        sequence = self.sequence
        ignored = sum(1 for part in parts if part["passed"])
        models = self.units[sequence["target"]]["models"]
        if "model" in roll["body"]:
            self.inflict(models[roll["model"] - 1], len(parts), ignored)
        else:
            unsaved = sequence["batch"]["unsaved"]
            sequence["batch"]["unsaved"] = None
            lost = unsaved["damage"] - ignored
            self.take_wounds(sequence["target"], models[unsaved["model"] - 1], lost, "normal")

    def settle_mortal(self, roll: Body, parts: list[Body]) -> None:
        assert self.sequence is not None
        sequence = self.sequence
        entry = self.first_random(sequence)
        assert entry is not None
        total = sum(max(part["result"], 0) for part in parts)
        place = sequence["mortal"].index(entry)
        entry["times"] -= len(parts)
        known = [{**entry, "amount": total, "times": 1}] if total else []
        rest = [entry] if entry["times"] > 0 else []
        sequence["mortal"][place : place + 1] = known + rest

    def inflict(self, model: Body, count: int, ignored: int) -> None:
        assert self.sequence is not None
        sequence = self.sequence
        unit = self.units[sequence["target"]]
        unit["chosen"] += [model["model"]] if model["model"] not in unit["chosen"] else []
        left = count
        for entry in sequence["mortal"]:
            if entry["target"] == sequence["target"] and left:
                there = entry["amount"] * entry["times"]
                taken = min(left, there)
                left -= taken
                entry["amount"], entry["times"] = there - taken, 1
        sequence["mortal"] = [entry for entry in sequence["mortal"] if entry["amount"] != 0]
        self.take_wounds(sequence["target"], model, count - ignored, "mortal")

    def take_wounds(self, unit: str, model: Body, wounds: int, kind: str) -> None:
        assert self.sequence is not None
        lost = min(wounds, model["W"] - model["lost"])
        if lost <= 0:
            return
        set_lost(model, model["lost"] + lost)
        for entry in self.sequence["damage"]:
            if (entry["unit"], entry["model"]) == (unit, model["model"]):
                entry[kind] += lost
                return
        lost_so_far = dict.fromkeys(("normal", "mortal", "slain"), 0) | {kind: lost}
        self.sequence["damage"].append({"unit": unit, "model": model["model"], **lost_so_far})

    def go_on(self) -> None:  # noqa: C901 - the checks in their order
        """What is over lapses; a sequence of which nothing is left is resolved."""
        sequence = self.sequence
        if sequence is None:
            return
        batch = sequence["batch"]
        target = sequence["target"]
        if target is not None and not alive(self.units[target]):
            sequence["batch"] = batch = None
            for group in sequence["groups"]:
                if group["target"] == target:
                    group["queue"], group["more"], group["over"] = [], [], True
            sequence["mortal"] = [entry for entry in sequence["mortal"] if entry["target"] != target]
        if batch is not None:
            if batch["hits"] and all(hit["wounds"] for hit in batch["hits"]):
                for hit in batch["hits"]:
                    self.group_of(hit)["wounds"] += 1
                batch["wounds"], batch["hits"] = batch["hits"], []
            if not batch["hits"] and not batch["wounds"] and batch["unsaved"] is None:
                sequence["batch"] = batch = None
        if batch is not None:
            return
        waiting = any(entry["target"] == target for entry in sequence["mortal"])
        if target is not None and not self.attacks_on(target) and not waiting:
            sequence["target"] = None
        if sequence["target"] is None and not any(self.attacks_on(group["target"]) for group in sequence["groups"]):
            self.end("resolved")

    def end(self, status: str) -> None:
        sequence = self.sequence
        assert sequence is not None
        sequence["status"] = status
        sequence["batch"] = None
        sequence["target"] = None
        sequence["mortal"] = []
        for group in sequence["groups"]:
            group["queue"], group["more"], group["over"] = [], [], True
        self.sequences.append(sequence)
        self.sequence = None

    # Actions.

    def act(self, seq: int, author: str, type: str, body: Body) -> None:
        before, last = self.copied(), self.last
        kept_last = copy.deepcopy(last)
        try:
            self.act_or_refuse(seq, author, type, body)
        except Violation:
            self.restore(before)
            self.last = kept_last
            raise

    def act_or_refuse(self, seq: int, author: str, type: str, body: Body) -> None:
        if type == "modify":
            self.modify(body)
            return
        if type == "declare" and body["what"] == "reroll":
            self.declare_reroll(author, body)
            return
        if type == "resolve" and "roll" in body:
            self.resolve(author, body)
            return
        self.settle_own(author)
        if type == "declare":
            getattr(self, f"declare_{body['what']}")(seq, author, body)
            goes_on = body["what"] in ("unit", "characteristic", "rules")
        else:
            goes_on = False
            if "groups" in body:
                self.resolve_groups(author, body)
            elif "mortal" in body:
                self.resolve_mortal(author, body)
            else:
                self.resolve_model(author, body)
        if not goes_on:
            self.last = None

    def resolve(self, author: str, body: Body) -> None:  # noqa: C901 - the checks in their order
        roll = self.open_roll()
        if roll is None or roll["roll"] != body["roll"] or roll["player"] != author:
            raise Violation("W19")
        parts = work_out_parts(roll)
        if "results" in body:
            claimed = body["results"]
            for part, result in zip(parts, claimed, strict=False):
                if part["result"] != result:
                    raise Violation(clause_of_result(roll, part))
            if len(claimed) != len(parts):
                raise Violation(clause_of_result(roll, parts[0]))
        if "passed" in body:
            passing = {part["part"] for part in parts if part["passed"]}
            other = "W18" if roll["for"] == "save" else PASSED.get(roll["for"], "W2")
            for part in parts:
                if (part["part"] in passing) != (part["part"] in body["passed"]):
                    raise Violation("W16" if part["against"] else other)
            if sorted(passing) != sorted(body["passed"]):
                raise Violation("W16" if parts[0]["against"] else other)
        if "triggered" in body:
            found = self.triggered(roll, parts)
            claims = sorted((one["ability"], sorted(one["parts"])) for one in body["triggered"])
            if claims != sorted(found):
                raise Violation("W7")
        self.settle()

    def triggered(self, roll: Body, parts: list[Body]) -> list[tuple[int, list[int]]]:
        if roll["for"] not in ("hit", "wound"):
            return []
        found = []
        for number, one in triggers(self.group_of(roll), roll["for"]):
            off = [
                part["part"]
                for part in parts
                if sets_off(one, part) and not (roll["for"] == "hit" and roll["attacks"][part["place"]]["made"])
            ]
            if off:
                found.append((number, off))
        return found

    def resolve_groups(self, author: str, body: Body) -> None:
        attacks = self.batch_of(author, body, auto=True)
        batch = self.begin_batch(attacks)
        for place, attack in enumerate(attacks):
            self.hit(batch, self.group_of(attack), False, [place, 0])
        self.go_on()

    def resolve_model(self, author: str, body: Body) -> None:
        sequence = self.take_step(author, "save")
        model = self.model_for(sequence, body["model"])
        wound = sequence["batch"]["wounds"][0]
        group = self.group_of(wound)
        if model["printed"]["invulnerable"] is not None:
            raise Violation("W11")
        needs = self.save_of(group, model)
        if needs != "-":
            changes = [*as_modifier(improved_ap(group, wound["improved"])["value"]), *on(group["modifiers"], "save")]
            if work_out("unmodified", 6, changes, None)[-1]["value"] >= needs:
                raise Violation("W11")
        self.fail_save(body["model"])
        self.go_on()

    def resolve_mortal(self, author: str, body: Body) -> None:
        sequence = self.take_step(author, "inflict")
        model = self.inflicted(sequence, body["model"], body["mortal"])
        if model["printed"]["ignores_wounds"] is not None:
            raise Violation("W22")
        self.inflict(model, body["mortal"], 0)
        self.go_on()

    # Declarations.

    def refuse_in_attacks(self) -> None:
        if self.sequence is not None:
            raise Violation("W19")

    def declare_phase(self, seq: int, author: str, body: Body) -> None:
        self.refuse_in_attacks()
        self.turn = {"player": author, "phase": body["phase"]}
        self.command = []
        for unit in self.units.values():
            unit["chosen"] = []
            unit["move"] = None

    def declare_unit(self, seq: int, author: str, body: Body) -> None:
        if body["unit"] in self.units or len(self.units) >= MAX_ITEMS:
            raise Violation("W20")
        moves = {str(canonical(one["M"])) for one in body["models"]}
        if any(is_random(one["M"]) for one in body["models"]) and len(moves) > 1:
            raise Violation("W9")
        models: list[Body] = []
        for one in body["models"]:
            for _ in range(one["count"]):
                printed = {**dict.fromkeys(("invulnerable", "ignores_wounds")), **one}
                number = len(models) + 1
                model = {"model": number, "name": one["name"], "W": one["W"], "lost": 0, "destroyed": False}
                models.append({**model, "printed": printed})
        unit = {"name": body["name"], "player": author, "models": models, "chosen": [], "move": None}
        self.units[body["unit"]] = {**unit, "declared": seq}
        if self.last is not None:
            self.last["units"].append(body["unit"])

    def declare_gone(self, seq: int, author: str, body: Body) -> None:
        self.refuse_in_attacks()
        self.unit_of(body["unit"], author)
        del self.units[body["unit"]]

    def declare_wounds(self, seq: int, author: str, body: Body) -> None:
        self.refuse_in_attacks()
        unit = self.unit_of(body["unit"], author)
        if body["model"] > len(unit["models"]) or body["lost"] > unit["models"][body["model"] - 1]["W"]:
            raise Violation("W20")
        set_lost(unit["models"][body["model"] - 1], body["lost"])

    def declare_move(self, seq: int, author: str, body: Body) -> None:
        self.refuse_in_attacks()
        unit = self.standing(self.unit_of(body["unit"], author))
        random = alive(unit)[0]["printed"]["M"]
        if not is_random(random):
            raise Violation("W9")
        if unit["move"] is not None and "source" not in body:
            raise Violation("W9")
        changes = copy.deepcopy(body.get("modifiers", []))
        check_random("M", random, changes)
        unit["move"] = {"selected": seq, "value": None, "steps": [], "modifiers": changes}

    def declare_characteristic(self, seq: int, author: str, body: Body) -> None:
        what, changes = body["characteristic"], body.get("modifiers", [])
        if "printed" in body:
            found = computed(what, body["printed"], changes)
        else:
            unit = self.units.get(body["unit"])
            if unit is None:
                raise Violation("W20")
            if body["model"] > len(unit["models"]) or unit["models"][body["model"] - 1]["destroyed"]:
                raise Violation("W20")
            printed = unit["models"][body["model"] - 1]["printed"]
            if is_random(printed[what]):
                raise Violation("W9")
            if what in ("S", "Ld"):
                found = computed_with_stand_in(what, printed[what], printed["T"], changes)
            else:
                found = computed(what, printed[what], changes)
        if "value" in body and body["value"] != found["value"]:
            raise Violation(clause_of_ap(found["steps"]) if what == "AP" else "W8")
        self.computed.append(
            {
                "declared": seq,
                "player": author,
                "characteristic": what,
                "unit": body.get("unit"),
                "model": body.get("model"),
                "value": found["value"],
                "steps": found["steps"],
            }
        )

    def declare_attacks(self, seq: int, author: str, body: Body) -> None:
        self.refuse_in_attacks()
        unit = self.standing(self.unit_of(body["unit"], author))
        sequence = new_sequence(seq, author, body["unit"])
        for number, given in enumerate(body["groups"], start=1):
            sequence["groups"].append(self.new_group(number, given, unit, author))
        self.sequence = sequence
        self.go_on()

    def new_group(self, number: int, given: Body, unit: Body, author: str) -> Body:
        target = self.target_for(given["target"], author)
        bearers = given["bearers"]
        if len(set(bearers)) < len(bearers):
            raise Violation("W20")
        printed = []
        for bearer in bearers:
            if bearer > len(unit["models"]) or unit["models"][bearer - 1]["destroyed"]:
                raise Violation("W20")
            printed.append(unit["models"][bearer - 1]["printed"])
        used = ["BS" if given["type"] == "ranged" else "WS"]
        used += [what for what in ("A", "S") if given[what] == "user"]
        if given["S"] == "user" and printed[0]["S"] == "-":
            used.append("T")
        for what in used:
            if len({str(canonical(one[what])) for one in printed}) > 1:
                raise Violation("W20")
        group = {
            "group": number,
            "given": copy.deepcopy(given),
            "bearer": printed[0],
            "target": given["target"],
            "targets": len(alive(target)),
            "toughness": toughness_of(target),
            "saves": [model["printed"]["Sv"] for model in target["models"]],
            "weapon": given["weapon"],
            "type": given["type"],
            "bearers": list(bearers),
            "modifiers": copy.deepcopy(given.get("modifiers", [])),
            "abilities": copy.deepcopy(given.get("abilities", [])),
            "attacks": None,
            "queue": [],
            "more": [],
            "begun": False,
            "over": False,
            **dict.fromkeys(("hits", "wounds", "saved", "failed"), 0),
        }
        work_out_group(group)
        return group

    def declare_rules(self, seq: int, author: str, body: Body) -> None:
        sequence = self.sequence_or_refuse()
        self.add_rules(sequence, body)
        self.go_on()
        if self.last is not None:
            self.last["rules"].append(copy.deepcopy(body))

    def add_rules(self, sequence: Body, body: Body) -> None:
        for number in dict.fromkeys(body["groups"]):
            if number > len(sequence["groups"]):
                raise Violation("W19")
            group = sequence["groups"][number - 1]
            if group["begun"] or group["over"]:
                raise Violation("W20")
            group["modifiers"] = group["modifiers"] + copy.deepcopy(body.get("modifiers", []))
            group["abilities"] = group["abilities"] + copy.deepcopy(body.get("abilities", []))
            if len(group["modifiers"]) > MAX_ITEMS or len(group["abilities"]) > MAX_ITEMS:
                raise Violation("W20")
            if too_many_triggered(group["abilities"]):
                raise Violation("W20")
            group["given"].pop("announced", None)
            work_out_group(group)

    def declare_mortal(self, seq: int, author: str, body: Body) -> None:
        self.refuse_in_attacks()
        if not alive(self.units.get(body["target"], {"models": []})):
            raise Violation("W20")
        if "roll" in body:
            roll = self.find_kept_roll(body["roll"])
            if roll is None or roll["for"] != "free" or roll["status"] != "resolved" or roll["player"] != author:
                raise Violation("W20")
            count = max(sum(part["result"] for part in roll["settled"]), 0)
        else:
            count = body["count"]
        sequence = new_sequence(seq, author, None)
        sequence["target"] = body["target"]
        if count:
            entry = {"target": body["target"], "source": body["source"], "amount": count, "times": 1}
            sequence["mortal"].append(entry)
        self.sequence = sequence
        self.go_on()

    def declare_reroll(self, author: str, body: Body) -> None:
        roll = self.open_roll()
        if roll is None or roll["roll"] != body["roll"]:
            raise Violation("W19")
        if roll["player"] != author:
            raise Violation("W3")
        if len(self.rules_of(roll)) >= MAX_ITEMS:
            raise Violation("W3")
        roll["said"].append(copy.deepcopy(body["reroll"]))

    # Late modifiers, and what judges change.

    def modify(self, body: Body) -> None:
        roll = self.open_roll()
        if roll is not None and roll["roll"] == body["roll"]:
            self.add_modifiers(roll, body["modifiers"])
        elif self.last is not None and self.last["roll"] == body["roll"]:
            self.settle_again(lambda found: self.add_modifiers(found, body["modifiers"]), strike=False)
        else:
            raise Violation("W19")

    def add_modifiers(self, roll: Body, modifiers: list[Body]) -> None:
        if roll["for"] not in ROLLED and any(one["op"] not in ROLL_OPS for one in modifiers):
            raise Violation("W2")
        if len(all_modifiers(roll)) + len(modifiers) > MAX_ITEMS:
            raise Violation("W2")
        roll["late"] = roll["late"] + copy.deepcopy(modifiers)
        self.check_changes(roll)

    def check_changes(self, roll: Body) -> None:
        """Whatever the dice show: they may still be rerolled. And what they show now, which may be ruled."""
        sides = 3 if roll["d3"] else 6
        values = list(range(roll["each"] + roll["plus"], roll["each"] * sides + roll["plus"] + 1))
        values += [unmodified(roll, dice) for _, dice in chunks(roll)]
        most = 0
        for value in values:
            try:
                most = max(most, part_steps(roll, value)[-1]["value"])
            except Contradiction:
                raise Violation("W8") from None
            except TooLarge:
                raise Violation("W8" if roll["for"] in ROLLED else "W2") from None
        if roll["for"] == "attacks" and most * len(chunks(roll)) > MAX_DICE:
            raise Violation("W9")

    def back_before_last(self) -> Body:
        """The game right before the last roll was settled, with what was declared since; that roll."""
        assert self.last is not None
        last = self.last
        units = {unit: self.units[unit] for unit in last["units"]}
        computed, command = self.computed, self.command
        ended = [roll for roll in self.rolls if roll["status"] in ("void", "struck", "resolved")]
        self.restore(last["before"])
        self.units.update(units)
        self.computed, self.command = computed, command
        # What was void, struck or ended since stays, and stands before the roll that is taken up again.
        known = {roll["roll"] for roll in self.rolls}
        self.rolls += [roll for roll in ended if roll["roll"] not in known]
        for rules in last["rules"]:
            assert self.sequence is not None
            self.add_rules(self.sequence, rules)
        return self.find_roll(last["roll"])

    def settle_again(self, alter: Any, strike: bool) -> None:
        """Settle the last roll again, altered; the roll made since stands, or is refused (or struck)."""
        assert self.last is not None
        last = self.last
        since = copy.deepcopy(self.find_roll(last["since"])) if last["since"] is not None else None
        roll = self.back_before_last()
        alter(roll)
        before = self.copied()
        self.settle()
        self.last = {**last, "before": before, "rules": [], "units": []}
        if since is None:
            return
        settled = self.copied()
        try:
            stands = self.lay_again(since)
        except Violation:
            if not strike:
                raise Violation("W19") from None
            self.restore(settled)
            self.end_first(since, "struck")
            return
        if stands is None:
            since["settled"] = []
            for die in since["dice"]:
                die["status"] = "ignored"
            self.end_first(since, "resolved")
        else:
            self.rolls.append(stands)
            self.open = stands["roll"]

    def end_first(self, since: Body, status: str) -> None:
        """The roll made since ends before the other is settled again."""
        assert self.last is not None
        since["status"] = status
        since["once_settled"] = status == "resolved"
        self.rolls.insert(len(self.rolls) - 1, since)
        self.last["since"] = None

    def lay_again(self, since: Body) -> Body | None:
        """The roll made since, for the state as it is now; None: no die of it is left."""
        kind = since["for"]
        if kind in ("free", "move"):
            return since
        author, coming = since["player"], self.next()
        over = self.nothing_left_for(since, coming)
        if over:
            return None
        body = since["body"]
        if since["sequence"] != (self.sequence or {}).get("sequence"):
            raise Violation("W19")
        again: Body = getattr(self, f"request_{kind}")(since["roll"], author, body)
        again["body"] = body
        keep = self.dice_that_stand(since, again)
        if keep is None:
            raise Violation("W19")
        needs = again["needs"]
        again["needs"] = None if needs is None else [None] * (len(since["dice"]) // again["each"])
        places = []
        for place in range(len(since["dice"]) // again["each"]):
            dice = since["dice"][place * again["each"] : (place + 1) * again["each"]]
            if place in keep:
                if needs is not None:
                    again["needs"][place] = needs[keep.index(place)]
                places.append(place)
            else:
                for die in dice:
                    die["status"] = "ignored"
        again["dice"] = since["dice"]
        again["status"] = "open"
        again["late"], again["said"], again["notation"] = since["late"], since["said"], since["notation"]
        if "keys" in again:
            again["keys"] = since["keys"]
        return again

    def nothing_left_for(self, since: Body, coming: Body | None) -> bool:
        """Whether what the roll was made for is no longer there."""
        kind = since["for"]
        batch = None if self.sequence is None else self.sequence["batch"]
        if kind in ("strength", "wound"):
            return batch is None or not [hit for hit in batch["hits"] if not hit["wounds"]]
        if kind == "save":
            return batch is None or (not batch["hits"] and not batch["wounds"] and batch["unsaved"] is None)
        if kind == "damage" or (kind == "ignore" and "model" not in since["body"]):
            return batch is None or batch["unsaved"] is None
        return False

    def dice_that_stand(self, since: Body, again: Body) -> list[int] | None:
        """The places of the parts of the first roll that stand for the parts of the other, or None."""
        if since["each"] != again["each"] or since["d3"] != again["d3"]:
            return None
        places = [place for place, _ in chunks(since)]
        wanted = again["number"] // again["each"]
        if since["for"] in ("strength", "wound"):
            by_key = {tuple(since["keys"][place]): place for place in places}
            keys = [tuple(key) for key in again["keys"]]
            return [by_key[key] for key in keys] if all(key in by_key for key in keys) else None
        if since["for"] == "hit" and since["attacks"] != again["attacks"]:
            return None
        if since["for"] == "attacks" and since["bearers"] != again["bearers"]:
            return None
        if since["for"] == "ignore" and "model" not in since["body"]:
            return places[:wanted] if wanted <= len(places) else None
        return places if wanted == len(places) else None

    def leave(self, name: str) -> None:
        self.left.add(name)
        if self.parties[name] != "player":
            return
        self.last = None
        roll = self.open_roll()
        ends = self.sequence is not None and (
            self.sequence["player"] == name
            or any(
                self.units[unit]["player"] == name
                for unit in [group["target"] for group in self.sequence["groups"]]
                + ([self.sequence["target"]] if self.sequence["target"] is not None else [])
            )
        )
        if roll is not None:
            number = self.sequence["sequence"] if self.sequence is not None else None
            if roll["player"] == name or (ends and roll["sequence"] == number):
                self.end_roll(roll, "abandoned")
        if ends:
            self.end("abandoned")
        self.units = {unit: one for unit, one in self.units.items() if one["player"] != name}

    def end_roll(self, roll: Body, status: str) -> None:
        roll["status"] = status
        self.rolls.remove(roll)
        self.rolls.append(roll)
        self.open = None

    def ruling(self, seq: int, author: str, body: Body) -> None:
        before, last = self.copied(), copy.deepcopy(self.last)
        try:
            if body["ruling"] == "void":
                self.strike(body["subject"])
            elif body["ruling"] == "correct" and "results" in body:
                self.correct(body["subject"], body["results"])
        except Violation:
            self.restore(before)
            self.last = last
            raise
        self.record(seq, author, body)

    def strike(self, subject: int) -> None:
        sequences = [*self.sequences[-HISTORY:], *([self.sequence] if self.sequence is not None else [])]
        for sequence in sequences:
            if sequence["sequence"] == subject:
                if sequence["status"] != "struck":
                    self.strike_sequence(sequence)
                    self.last = None
                return
        roll = self.find_kept_roll(subject)
        if roll is None:
            return
        if roll["status"] == "open":
            self.end_roll(roll, "struck")
            if self.last is not None:
                self.last["since"] = None
            return
        if self.last is not None and self.last["roll"] == subject:
            since = self.find_roll(self.last["since"]) if self.last["since"] is not None else None
            self.end_roll(self.back_before_last(), "struck")
            if since is not None:
                since["status"] = "struck"
                # It ends first, as under late modifiers.
                self.rolls.insert(len(self.rolls) - 1, since)
        else:
            roll["status"] = "struck"
        self.last = None

    def strike_sequence(self, sequence: Body) -> None:
        for entry in sequence["damage"]:
            unit = self.units.get(entry["unit"])
            if unit is not None and unit["declared"] < sequence["sequence"]:
                model = unit["models"][entry["model"] - 1]
                set_lost(model, max(0, model["lost"] - entry["normal"] - entry["mortal"] - entry["slain"]))
        if sequence["status"] == "open":
            roll = self.open_roll()
            if roll is not None and roll["sequence"] == sequence["sequence"]:
                self.end_roll(roll, "struck")
            self.end("struck")
        sequence["status"] = "struck"

    def correct(self, subject: int, results: list[Body]) -> None:
        roll = self.find_kept_roll(subject)
        if roll is None:
            return
        if any(entry["die"] > len(roll["dice"]) or abs(entry["result"]) > MAX_MODIFIER for entry in results):
            raise Violation("ruling")
        try:
            if roll["status"] == "open":
                self.rule_dice(roll, results)
                work_out_parts(roll)
            elif roll["status"] != "resolved":
                self.rule_dice(roll, results)
                self.last = None
            elif self.last is not None and self.last["roll"] == subject:
                self.settle_again(lambda found: self.rule_dice(found, results), strike=True)
            elif roll["for"] == "free":
                self.rule_dice(roll, results)
                roll["settled"] = work_out_parts(roll)
                self.last = None
            else:
                raise Violation("ruling")
        except TooLarge:
            raise Violation("ruling") from None

    def rule_dice(self, roll: Body, results: list[Body]) -> None:
        if roll["status"] not in ("open", "resolved"):
            # Nothing comes of it: its parts stay as they were.
            roll.setdefault("frozen", [unmodified(roll, dice) for _, dice in chunks(roll)])
        for entry in results:
            steps = roll["dice"][entry["die"] - 1]["steps"]
            if steps and "ruled" in steps[-1]:
                steps.pop()
            steps.append({"ruled": entry["result"]})
        if roll["for"] == "attacks" and roll["status"] == "open":
            attacks = sum(max(part["result"], 0) for part in work_out_parts(roll))
            if attacks > MAX_DICE:
                raise Violation("ruling")

    # The state.

    def waits_for(self) -> dict[str, str] | None:
        roll = self.open_roll()
        if roll is not None:
            return {"party": roll["player"], "choice": "reroll or resolve"}
        coming = self.next()
        if coming is not None:
            return {"party": coming["player"], "choice": coming["step"]}
        for unit in self.units.values():
            if unit["move"] is not None and unit["move"]["value"] is None and alive(unit):
                return {"party": unit["player"], "choice": "move"}
        return None

    def state(self) -> Body:
        for roll in self.rolls:
            self.show(roll)
        players = {}
        for party, role in self.parties.items():
            if role == "player":
                rolls = [roll for roll in self.rolls if roll["player"] == party]
                dice = [die for roll in rolls for die in roll["dice"]]
                players[party] = {
                    "rolls": sum(1 for roll in rolls if roll["status"] == "resolved" or roll["once_settled"]),
                    "dice": sum(len(die["naturals"]) for die in dice),
                    "ignored": sum(1 for die in dice if die["status"] == "ignored"),
                    "rerolled": sum(len(die["naturals"]) - 1 for die in dice),
                }
        return {
            **self.shared_state(SHOWN),
            "open": self.open,
            "turn": copy.deepcopy(self.turn),
            "units": {unit: self.view_unit(one) for unit, one in self.units.items()},
            "sequence": None if self.sequence is None else self.view_sequence(self.sequence),
            "sequences": [self.view_sequence(one) for one in self.sequences[-HISTORY:]],
            "computed": copy.deepcopy(self.computed[-HISTORY:]),
            "command": list(self.command),
            "players": players,
        }

    def show(self, roll: Body) -> None:
        """The members of a roll that are shown and follow from the others."""
        roll["modifiers"] = all_modifiers(roll)
        roll["rerolls"] = [{**rule, "reroll": number} for number, rule in enumerate(self.rules_of(roll), start=1)]
        settled = roll["settled"]
        roll["parts"] = []
        for number, (place, dice) in enumerate(chunks(roll), start=1):
            needs = roll["needs"][place] if roll["needs"] is not None else None
            part = {"part": number, "dice": [die["die"] for die in dice], "unmodified": unmodified(roll, dice)}
            if "frozen" in roll:
                part["unmodified"] = roll["frozen"][number - 1]
            if settled is None:
                part |= {"result": None, "needs": needs, "passed": None, "steps": []}
            else:
                part |= {member: settled[number - 1][member] for member in ("result", "needs", "passed", "steps")}
            roll["parts"].append(part)
        by_die = {part["dice"][0]: part["result"] for part in roll["parts"] if len(part["dice"]) == 1}
        for die in roll["dice"]:
            die["value"] = die_value(roll, die)
            result = by_die.get(die["die"]) if settled is not None else None
            told = ruled(die)
            if result is None or ("frozen" in roll and told is not None):
                result = told if told is not None else die["value"]
            die["result"] = result

    def view_unit(self, unit: Body) -> Body:
        move = unit["move"]
        return {
            "name": unit["name"],
            "player": unit["player"],
            "models": [{member: model[member] for member in model if member != "printed"} for model in unit["models"]],
            "chosen": list(unit["chosen"]),
            "move": None if move is None else {member: move[member] for member in ("selected", "value", "steps")},
        }

    def view_sequence(self, sequence: Body) -> Body:
        batch = sequence["batch"] or {"hits": [], "wounds": [], "unsaved": None}
        is_open = sequence["status"] == "open"
        unsaved = batch["unsaved"]
        return {
            **{member: sequence[member] for member in ("sequence", "player", "unit", "status", "target")},
            **{member: copy.deepcopy(sequence[member]) for member in ("mortal", "damage")},
            "groups": [self.view_group(group) for group in sequence["groups"]],
            "next": self.next() if is_open else None,
            "hits": len(batch["hits"]),
            "wounds": len(batch["wounds"]),
            "unsaved": None if unsaved is None else {member: unsaved[member] for member in ("model", "damage")},
        }

    def is_unknown(self, group: Body) -> bool:
        return group["attacks"] is None and not group["over"] and bool(group["bearers"])

    def view_group(self, group: Body) -> Body:
        shown = ("group", "target", "weapon", "type", "bearers", "skill", "S", "T", "AP", "D", "A", "wound")
        counted = ("attacks", "hits", "wounds", "saved", "failed")
        return {
            **{member: copy.deepcopy(group[member]) for member in (*shown, "modifiers", "abilities", *counted)},
            "left": None if self.is_unknown(group) else attacks_left(group),
        }


def run_script(script: Body) -> Body:
    """The final state of a script, or its violation; SchemaError when it cannot be read."""
    return reference_rules.run_script(script, Warhammer)
