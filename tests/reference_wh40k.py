"""An oracle for Warhammer 40,000, 9th edition: the rules of specs/wh40k.md and specs/rules.md, from those pages alone.

Nothing of the project is imported; what all systems share is in reference_rules.py. Everything is plain dicts and
lists, the checks stand in the order in which the page makes them, and nothing is clever. An open roll has no
consequences: they come when it is settled, which is done to a copy where the state of a roll that stands is asked for.
Where the pages leave a choice, it is marked CHOICE.
"""

from __future__ import annotations

import copy
import re
from fractions import Fraction
from typing import Any

from tests import reference_rules
from tests.reference_rules import (
    HISTORY,
    MAX_DICE,
    MAX_ITEMS,
    MAX_MODIFIER,
    Body,
    Check,
    Violation,
    array_of,
    boolean,
    equal,
    integer,
    integer_between,
    name,
    need,
    object_of,
    one_of,
    positive,
    required_text,
    text,
    true,
)

MAX_VALUE = 100
MAX_TRIGGERED = 10

PHASES = ("command", "movement", "psychic", "shooting", "charge", "fight", "morale")
OF_MODELS = ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv")
ROLLED = {"attacks": "A", "strength": "S", "damage": "D", "move": "M"}
"""Rolls of a characteristic."""
LATE = ("save", "invulnerable", "AP", "Sv", "D")
"""What modifiers may be on that are declared after dice."""
COMMAND_ROLLS = ("hit", "wound", "save", "damage", "attacks", "free")
DEFENDERS = ("save", "invulnerable", "saves", "ignore")
"""Rerolls of the target's player."""
SHOWN = (
    *("roll", "player", "status", "dice", "for", "source", "notation", "d3", "sequence", "rerolls", "modifiers"),
    *("at_most", "fails", "waived", "parts"),
)


# --- random values --------------------------------------------------------------------------------


def parse_random(value: object) -> Body | None:
    """The dice, their kind and what is added; None where it is no random value."""
    if not isinstance(value, str):
        return None
    match = re.fullmatch(r"([1-9][0-9]?)?[dD]([36])(?:\+(0|[1-9][0-9]?))?", value)
    if match is None or int(match[1] or 1) > 20:
        return None
    return {"n": int(match[1] or 1), "s": int(match[2]), "k": int(match[3] or 0)}


def is_random(value: object) -> bool:
    return parse_random(value) is not None


def the_random(value: object) -> Body:
    found = parse_random(value)
    assert found is not None
    return found


def canonical(value: Any) -> Any:
    """A random value in the one way of writing; anything else as it is."""
    found = parse_random(value)
    if found is None:
        return value
    return f"{found['n'] if found['n'] > 1 else ''}d{found['s']}" + (f"+{found['k']}" if found["k"] else "")


def shows(value: object) -> range:
    """All that a random value can come to."""
    found = the_random(value)
    return range(found["n"] + found["k"], found["n"] * found["s"] + found["k"] + 1)


def parse_free(dice: str) -> Body:
    """W1."""
    match = re.fullmatch(
        r"([1-9][0-9]{0,8})?[dD]([1-9][0-9]{0,16})(?:dh([1-9][0-9]{0,2}))?(?:dl([1-9][0-9]{0,2}))?(?:\+(0|[1-9][0-9]?))?",
        dice,
    )
    if match is None or int(match[1] or 1) > MAX_DICE or match[2] not in ("3", "6"):
        raise Violation("W1")
    return {
        "n": int(match[1] or 1),
        "s": int(match[2]),
        "k": int(match[5] or 0),
        "added": match[3] is not None or match[4] is not None or match[5] is not None,
        "high": int(match[3] or 0),
        "low": int(match[4] or 0),
    }


# --- bodies ---------------------------------------------------------------------------------------

numbers = array_of(positive, MAX_ITEMS, 1)
integers = array_of(integer, MAX_ITEMS, 1)


def members_of(value: object) -> Body:
    return value if isinstance(value, dict) else {}


def unit_id(value: object) -> None:
    need(isinstance(value, str) and re.fullmatch("[a-z0-9._-]{1,40}", value) is not None, "an id is needed")


def either(low: int, high: int, *words: str, random: bool = False) -> Check:
    """An integer from low to high, one of the words, or a random value where said."""

    def check(value: object) -> None:
        if isinstance(value, str):
            need(value in words or (random and is_random(value)), "a word that is none of these, or no random value")
        else:
            integer_between(low, high)(value)

    return check


def dash_integer(value: object) -> None:
    if value != "-":
        integer(value)


def change_of(what: str, extra: dict[str, Check] | None = None) -> Check:
    """`what`: `roll`, `AP`, `characteristic` or `any`."""
    ops = {
        "roll": ("divide", "multiply", "add", "subtract"),
        "AP": ("set", "divide", "multiply", "worsen", "improve", "treat"),
        "characteristic": ("set", "divide", "multiply", "add", "subtract", "floor", "treat"),
        "any": ("set", "divide", "multiply", "add", "subtract", "floor", "treat"),
    }[what]

    def check(value: object) -> None:
        op = members_of(value).get("op")
        amount = integer_between(1, MAX_VALUE)
        optional: dict[str, Check] = {}
        if op in ("set", "treat"):
            amount = integer_between(-MAX_VALUE, 0 if what == "AP" else MAX_VALUE)
            optional = {"when": integers}
        if op == "floor":
            amount = integer_between(0, MAX_VALUE)
        object_of({"source": required_text, "op": one_of(*ops), "amount": amount, **(extra or {})}, optional)(value)

    return check


def modifier(value: object) -> None:
    on = members_of(value).get("on")
    what = "characteristic"
    if on in ("hit", "wound", "save", "invulnerable"):
        what = "roll"
    if on == "AP":
        what = "AP"
    words = one_of("hit", "wound", "save", "invulnerable", "WS", "BS", "S", "T", "A", "AP", "D", "Sv")
    change_of(what, {"on": words})(value)


RULE: dict[str, Check] = {
    "results": integers,
    "failed": true,
    "apart": true,
    "most": integer_between(1, MAX_VALUE),
    "always": true,
    "by": name,
}


def check_together(value: object) -> None:
    members = members_of(value)
    need(not ("results" in members and "failed" in members), "results or failed")
    need(not ("always" in members and ("most" in members or "by" in members)), "always, most or by")


def reroll_rule(value: object) -> None:
    object_of({"source": required_text}, RULE)(value)
    check_together(value)


def ability(value: object) -> None:
    members = members_of(value)
    kind = members.get("kind")
    if kind == "reroll":
        of = one_of("hit", "wound", "damage", "attacks", "strength", "save", "invulnerable", "saves", "ignore")
        object_of({"kind": one_of("reroll"), "of": of, "source": required_text}, RULE)(value)
        check_together(value)
        return
    if kind != "trigger":
        object_of({"kind": one_of("auto-hit", "blast"), "source": required_text})(value)
        return
    required: dict[str, Check] = {
        "kind": one_of("trigger"),
        "source": required_text,
        "on": one_of("hit", "wound"),
        "results": integers,
        "does": one_of("extra_hits", "extra_attacks", "wound", "mortal", "improve_ap", "slay"),
    }
    optional: dict[str, Check] = {"unmodified": true}
    does = members.get("does")
    if does in ("extra_hits", "extra_attacks", "improve_ap"):
        required["amount"] = integer_between(1, MAX_TRIGGERED)
    if does == "mortal":
        required["amount"] = either(1, MAX_TRIGGERED, random=True)
        optional["instead"] = true
    object_of(required, optional)(value)


skill = either(1, 7, "-")
line = object_of(
    {
        "count": integer_between(1, MAX_VALUE),
        "name": required_text,
        "M": either(0, MAX_VALUE, "-", random=True),
        "WS": skill,
        "BS": skill,
        "S": either(1, MAX_VALUE, "-", random=True),
        "T": integer_between(1, MAX_VALUE),
        "W": integer_between(1, MAX_VALUE),
        "A": either(1, MAX_VALUE, "-", random=True),
        "Ld": either(0, MAX_VALUE, "-"),
        "Sv": skill,
    },
    {"invulnerable": integer_between(2, 6), "ignores_wounds": integer_between(2, 6)},
)


def lines(value: object) -> None:
    array_of(line, MAX_ITEMS, 1)(value)
    assert isinstance(value, list)
    need(sum(one["count"] for one in value) <= MAX_VALUE, "too many models")


group = object_of(
    {
        "target": unit_id,
        "weapon": required_text,
        "type": one_of("ranged", "melee"),
        "A": either(1, MAX_VALUE, "user", random=True),
        "S": either(1, MAX_VALUE, "user", random=True),
        "AP": integer_between(-MAX_VALUE, 0),
        "D": either(0, MAX_VALUE, random=True),
    },
    {
        "bearers": numbers,
        "once": true,
        "modifiers": array_of(modifier),
        "abilities": array_of(ability),
        "announced": object_of({}, dict.fromkeys(("hit", "wound", "S", "T", "AP"), integer)),
    },
)
groups = array_of(group, MAX_ITEMS, 1)


def declared(value: object) -> None:  # noqa: C901 - a form a branch
    members = members_of(value)
    what = members.get("what")
    required: dict[str, Check] = {}
    optional: dict[str, Check] = {}
    if what == "phase":
        required = {"phase": one_of(*PHASES)}
    elif what == "unit":
        required = {"unit": unit_id, "name": required_text, "models": lines}
    elif what == "gone":
        required = {"unit": unit_id}
    elif what == "wounds":
        required = {
            "unit": unit_id,
            "model": positive,
            "lost": integer_between(0, MAX_VALUE),
            "source": required_text,
        }
    elif what == "move":
        required = {"unit": unit_id}
        optional = {"modifiers": array_of(change_of("characteristic")), "source": required_text}
    elif what == "characteristic":
        named = members.get("characteristic")
        changes = array_of(change_of("AP" if named == "AP" else "characteristic"))
        optional = {"modifiers": changes, "value": dash_integer}
        if "printed" in members:
            required = {
                "characteristic": one_of(*OF_MODELS, "AP", "D"),
                "printed": either(-MAX_VALUE, MAX_VALUE, "-"),
            }
        else:
            required = {"characteristic": one_of(*OF_MODELS), "unit": unit_id, "model": positive}
    elif what == "attacks":
        required = {"unit": unit_id, "groups": groups}
    elif what == "rules":
        required = {"groups": numbers}
        optional = {"modifiers": array_of(modifier), "abilities": array_of(ability)}
        need("modifiers" in members or "abilities" in members, "modifiers or abilities are needed")
    elif what == "mortal":
        required = {"target": unit_id, "source": required_text}
        if "roll" in members:
            required["roll"] = positive
        else:
            required["count"] = integer_between(1, MAX_VALUE)
    elif what == "reroll":
        required = {"roll": positive, "reroll": reroll_rule}
    elif what == "replace":
        required = {"roll": positive, "die": positive, "shows": integer_between(1, 6), "source": required_text}
    else:
        need(what == "waive", "declare: what?")
        optional = {"roll": positive}
    object_of({"what": anything, **required}, optional)(value)


def anything(value: object) -> None:
    pass


def rolled(value: object) -> None:  # noqa: C901 - a form a branch
    members = members_of(value)
    what = members.get("for")
    required: dict[str, Check] = {}
    optional: dict[str, Check] = {}
    if what == "free":
        required = {"source": required_text, "dice": text}
        optional = {
            "sum": true,
            "test": one_of("hit", "wound", "save"),
            "needs": integer,
            "at_most": true,
            "fails": integers,
            "modifiers": array_of(change_of("roll")),
            "rerolls": array_of(reroll_rule),
        }
        for member in ("test", "at_most", "fails"):
            need(member not in members or "needs" in members, "needs is needed")
        need(not ("test" in members and "at_most" in members), "test or at_most")
    elif what == "attack":
        required = {"unit": unit_id, "groups": groups}
    elif what == "move":
        required = {"unit": unit_id}
    elif what == "attacks":
        required = {"group": positive}
    elif what == "hit":
        required = {"groups": numbers}
        optional = {"count": positive}
    elif what == "save":
        optional = {"model": positive, "invulnerable": true, "count": positive}
    elif what == "ignore":
        if "model" in members or "count" in members:
            required = {"model": positive, "count": positive}
    else:
        need(isinstance(what, str) and what in ("strength", "wound", "damage", "mortal"), "roll: for what?")
    object_of({"for": anything, **required}, optional)(value)
    if what == "hit":
        need("count" not in members or len(members["groups"]) == 1, "count is for one group")


def rerolled(value: object) -> None:
    how: dict[str, Check] = {"command": true} if "command" in members_of(value) else {"reroll": positive}
    object_of({"roll": positive, **how}, {"dice": array_of(positive, MAX_DICE, 1)})(value)


def resolved(value: object) -> None:
    members = members_of(value)
    if "roll" in members:
        parts = array_of(positive, MAX_DICE)
        object_of(
            {"roll": positive},
            {
                "results": array_of(integer, MAX_DICE),
                "passed": parts,
                "triggered": array_of(object_of({"ability": positive, "parts": parts})),
            },
        )(value)
    elif "groups" in members:
        object_of({"groups": numbers}, {"count": positive})(value)
        need("count" not in members or len(members["groups"]) == 1, "count is for one group")
    else:
        object_of({"model": positive}, {"mortal": positive})(value)


bodies: dict[str, Check] = {
    "declare": declared,
    "roll": rolled,
    "reroll": rerolled,
    "modify": object_of({"roll": positive, "modifiers": array_of(change_of("any"), MAX_ITEMS, 1)}),
    "resolve": resolved,
}


def check_options(options: object) -> None:
    object_of({"fast_rolling": boolean}, {"fast_saves": boolean, "command_reroll": boolean})(options)


def check_body(type: str, body: object) -> None:
    need(type in bodies, f"{type} is no type of this system")
    bodies[type](body)


# --- computations ---------------------------------------------------------------------------------


def written(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def new_step(op: str, amount: int | None, source: str | None, value: Any) -> Body:
    return {"op": op, "amount": amount, "source": source, "value": value}


def as_change(one: Body) -> Body:
    """A modifier, or a change, without `on`."""
    return {member: copy.deepcopy(value) for member, value in one.items() if member != "on"}


STAGES = {"divide": 2, "multiply": 3, "add": 4, "worsen": 4, "subtract": 5, "improve": 5}


def compute(printed: Any, changes: list[Body], what: str | None, first: Body) -> tuple[Any, list[Body]]:  # noqa: C901 - stage by stage
    """The table of changes: the value and its steps. `what`: the characteristic, or None for a roll."""
    steps = [first]
    if printed == "-":
        return "-", steps
    beyond = "W2" if what is None else "W8"
    value = Fraction(printed)

    def reach(next_value: Fraction) -> Fraction:
        if abs(next_value) > MAX_MODIFIER:
            raise Violation(beyond)
        return next_value

    def at_once(op: str, now: Fraction) -> list[Body]:
        acting = [one for one in changes if one["op"] == op and ("when" not in one or now in one["when"])]
        if len({one["amount"] for one in acting}) > 1:
            # CHOICE: of AP it is W13 that says what set and treat do.
            raise Violation("W13" if what == "AP" else "W8")
        return acting

    reach(value)
    for one in at_once("set", value):
        value = Fraction(one["amount"])
        steps.append(new_step("set", one["amount"], one["source"], written(value)))
    for stage in (2, 3, 4, 5):
        for one in changes:
            if STAGES.get(one["op"]) != stage:
                continue
            if stage == 2:
                value = reach(value / one["amount"])
            elif stage == 3:
                value = reach(value * one["amount"])
            elif stage == 4:
                value = reach(value + one["amount"])
            else:
                value = reach(value - one["amount"])
            steps.append(new_step(one["op"], one["amount"], one["source"], written(value)))
    if value.denominator != 1:
        value = reach(Fraction(-(-value.numerator // value.denominator)))
        steps.append(new_step("round", None, None, written(value)))
    for one in changes:
        if one["op"] == "floor" and value < one["amount"]:
            value = Fraction(one["amount"])
            steps.append(new_step("floor", one["amount"], one["source"], written(value)))
    capped = value
    if what in ("S", "T", "A", "Ld"):
        capped = max(value, Fraction(1))
    if what in ("M", "W", "D"):
        capped = max(value, Fraction(0))
    if what == "AP":
        capped = min(value, Fraction(0))
    if capped != value:
        value = capped
        steps.append(new_step("cap", None, None, written(value)))
    for one in at_once("treat", value):
        value = Fraction(one["amount"])
        steps.append(new_step("treat", one["amount"], one["source"], written(value)))
    return int(value), steps


def from_printed(printed: Any, changes: list[Body], what: str) -> Body:
    """What a group shows of a characteristic that is not rolled."""
    value, steps = compute(printed, changes, what, new_step("printed", None, None, printed))
    return {"value": value, "steps": steps}


def to_wound(strength: int, toughness: int) -> int:
    """W17."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    if 2 * strength <= toughness:
        return 6
    return 5


def clause_of_value(what: str, steps: list[Body]) -> str:
    """The clause of a claim about a characteristic."""
    ops = [one["op"] for one in steps]
    if what == "AP" and "cap" in ops:
        return "W14"
    if what == "AP" and ("set" in ops or "treat" in ops):
        return "W13"
    return "W8"
