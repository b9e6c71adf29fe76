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

from tests.oracles import reference_rules
from tests.oracles.reference_rules import (
    HISTORY,
    MAX_DICE,
    MAX_ITEMS,
    MAX_LOAD,
    MAX_MODIFIER,
    MAX_TOLD,
    Body,
    Check,
    Violation,
    array_of,
    boolean,
    check_load,
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
    weight,
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
REROLLED = ("hit", "wound", "damage", "attacks", "strength", *DEFENDERS)
"""Rerolls of the target's player."""
SHOWN = (
    *("roll", "player", "status", "dice", "for", "source", "notation", "d3", "sequence", "rerolls", "modifiers"),
    *("at_most", "passes", "fails", "off", "waived", "parts"),
)


# --- random values --------------------------------------------------------------------------------


def parse_random(value: object) -> Body | None:
    """The dice, their kind and what is added; None where it is no random value."""
    if not isinstance(value, str):
        return None
    match = re.fullmatch(
        r"([1-9][0-9]?)?[dD]([36])(?:[dD][hH]([1-9][0-9]{0,2}))?(?:[dD][lL]([1-9][0-9]{0,2}))?(?:\+(0|[1-9][0-9]?))?",
        value,
    )
    if match is None or int(match[1] or 1) > 20:
        return None
    found = {"n": int(match[1] or 1), "s": int(match[2]), "k": int(match[5] or 0)}
    found |= {"high": int(match[3] or 0), "low": int(match[4] or 0)}
    return found if found["high"] + found["low"] < found["n"] else None


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
    return written_dice(found)


def written_dice(dice: Body) -> str:
    return (
        f"{dice['n'] if dice['n'] > 1 else ''}d{dice['s']}"
        + (f"dh{dice['high']}" if dice["high"] else "")
        + (f"dl{dice['low']}" if dice["low"] else "")
        + (f"+{dice['k']}" if dice["k"] else "")
    )


def shows(value: object) -> range:
    """All that a random value can come to."""
    found = the_random(value)
    added = found["n"] - found["high"] - found["low"]
    return range(added + found["k"], added * found["s"] + found["k"] + 1)


def most_of(amount: Any) -> int:
    """The most that a number, or a random value, comes to."""
    most: int = shows(amount)[-1] if is_random(amount) else amount
    return most


def parse_free(dice: str) -> Body:
    """W1."""
    match = re.fullmatch(
        r"([1-9][0-9]{0,8})?[dD]([1-9][0-9]{0,16})(?:[dD][hH]([1-9][0-9]{0,2}))?(?:[dD][lL]([1-9][0-9]{0,2}))?(?:\+(0|[1-9][0-9]?))?",
        dice,
    )
    if match is None or int(match[1] or 1) > MAX_DICE or match[2] not in ("3", "6"):
        raise Violation("W1")
    return {
        "n": int(match[1] or 1),
        "s": int(match[2]),
        "k": int(match[5] or 0),
        "added": match[3] is not None or match[4] is not None or int(match[5] or 0) > 0,
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


def abilities_of(value: object) -> None:
    """The abilities of a group, or of `rules`: what its triggers make is bounded in sum too."""
    array_of(ability)(value)
    assert isinstance(value, list)
    for does in ("extra_hits", "extra_attacks"):
        made = sum(most_of(one["amount"]) for one in value if one.get("does") == does)
        need(made <= MAX_TRIGGERED, "too many extra hits or attacks in sum")


def reroll_rule(value: object) -> None:
    object_of({"source": required_text}, RULE)(value)
    check_together(value)


def no_always(abilities: object, ofs: tuple[str, ...]) -> None:
    """None of the reroll abilities of these rolls is `always`."""
    assert isinstance(abilities, list)
    need(not any("always" in one and one["of"] in ofs for one in abilities), "always, of another player's rolls")


def plain_rule(value: object) -> None:
    """A reroll rule that is declared as `always`."""
    reroll_rule(value)
    need(not {"always", "most", "by"} & set(members_of(value)), "always, most or by")


def ability(value: object) -> None:
    members = members_of(value)
    kind = members.get("kind")
    if kind == "reroll":
        object_of({"kind": one_of("reroll"), "of": one_of(*REROLLED), "source": required_text}, RULE)(value)
        check_together(value)
        return
    if kind in ("passes", "fails"):
        shape = {"kind": one_of("passes", "fails"), "source": required_text, "on": one_of("hit", "wound")}
        object_of({**shape, "results": integers})(value)
        return
    if kind == "wounds-on":
        object_of({"kind": one_of("wounds-on"), "source": required_text, "needs": integer_between(2, 6)})(value)
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
    if does in ("extra_attacks", "improve_ap"):
        required["amount"] = integer_between(1, MAX_TRIGGERED)
    if does == "extra_hits":
        required["amount"] = either(1, MAX_TRIGGERED, random=True)
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
    dict.fromkeys(("invulnerable", "ignores_wounds", "ignores_mortal"), integer_between(2, 6)),
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
        "abilities": abilities_of,
        "announced": object_of({}, dict.fromkeys(("hit", "wound", "S", "T", "AP"), integer)),
    },
)


def groups(value: object) -> None:
    array_of(group, MAX_ITEMS, 1)(value)
    assert isinstance(value, list)
    for one in value:
        no_always(one.get("abilities", []), DEFENDERS)


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
        optional = {"modifiers": array_of(modifier), "abilities": abilities_of}
        need("modifiers" in members or "abilities" in members, "modifiers or abilities are needed")
        no_always(members.get("abilities", []), REROLLED)
    elif what == "always":
        required = {"groups": numbers, "of": one_of(*REROLLED), "reroll": plain_rule}
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
            "passes": integers,
            "fails": integers,
            "modifiers": array_of(change_of("roll")),
            "rerolls": array_of(reroll_rule),
        }
        for member in ("test", "at_most", "passes", "fails"):
            need(member not in members or "needs" in members, "needs is needed")
        need(not ("test" in members and "at_most" in members), "test or at_most")
    elif what == "attack":
        required = {"unit": unit_id, "groups": groups}
    elif what == "off":
        required = {"source": required_text}
        optional = {"players": array_of(name, MAX_ITEMS, 1)}
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
        need(isinstance(what, str) and what in ("extra", "strength", "wound", "damage", "mortal"), "roll: for what?")
    object_of({"for": anything, **required}, optional)(value)
    if what == "hit":
        need("count" not in members or len(members["groups"]) == 1, "count is for one group")


def rerolled(value: object) -> None:
    how: dict[str, Check] = {"command": true} if "command" in members_of(value) else {"reroll": positive}
    object_of({"roll": positive, **how}, {"dice": array_of(positive, MAX_DICE)})(value)


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


def compute(  # noqa: C901 - stage by stage
    printed: Any, changes: list[Body], what: str | None, first: Body
) -> tuple[Any, list[Body]]:
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
    least = 1 if what in ("S", "T", "A", "Ld") else 0 if what in ("M", "W", "D") else None
    if least is not None and value < least:
        value = Fraction(least)
        steps.append(new_step("floor", None, None, written(value)))
    if what == "AP" and value > 0:
        value = Fraction(0)
        steps.append(new_step("cap", None, None, 0))
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


# --- rolls ----------------------------------------------------------------------------------------


def ruling_on(die: Body) -> int | None:
    """The result that a judge gave the die, while it stands."""
    if die["steps"] and "ruled" in die["steps"][-1]:
        ruled: int = die["steps"][-1]["ruled"]
        return ruled
    return None


def are_added(roll: Body) -> bool:
    """Whether dice are added; a die and a number are not."""
    added: bool = roll["random"]["n"] > 1
    return added


def value_of(roll: Body, die: Body) -> int:
    if die["replaced"] is not None:
        shown: int = die["replaced"]
        return shown
    natural: int = die["naturals"][-1]
    return (natural + 1) // 2 if roll["d3"] else natural


def counts_as(roll: Body, die: Body) -> int:
    """What is added of a die, where dice are added."""
    ruled = ruling_on(die)
    return value_of(roll, die) if ruled is None or not are_added(roll) else ruled


def dice_of_slot(roll: Body, place: int) -> list[Body]:
    size = roll["random"]["n"]
    found: list[Body] = roll["dice"][place * size : (place + 1) * size]
    return found


def discard(roll: Body, dice: list[Body]) -> list[int]:
    """First the highest, then of the others the lowest, among equals the earlier dice."""
    high = sorted(dice, key=lambda die: (-counts_as(roll, die), die["die"]))[: roll["random"]["high"]]
    others = [die for die in dice if die not in high]
    low = sorted(others, key=lambda die: (counts_as(roll, die), die["die"]))[: roll["random"]["low"]]
    return sorted(die["die"] for die in [*high, *low])


def lay_out(roll: Body) -> None:
    """Values and parts of an open roll, as the dice are now; nothing is computed yet."""
    roll["parts"] = []
    for die in roll["dice"]:
        die["value"] = value_of(roll, die)
        ruled = ruling_on(die)
        die["result"] = die["value"] if ruled is None else ruled
    for place, slot in enumerate(roll["slots"]):
        dice = dice_of_slot(roll, place)
        for die in dice:
            die["status"] = "ignored" if slot["ignored"] else "counted"
        if slot["ignored"] or not dice:
            continue
        discarded = discard(roll, dice)
        kept = [counts_as(roll, die) for die in dice if die["die"] not in discarded]
        roll["parts"].append(
            {
                "part": len(roll["parts"]) + 1,
                "dice": [die["die"] for die in dice],
                "discarded": discarded,
                "unmodified": sum(kept) + roll["random"]["k"],
                "result": None,
                "needs": slot["needs"],
                "passed": None,
                "steps": [],
            }
        )


def kept_slots(roll: Body) -> list[Body]:
    """The slots of the parts, in their order."""
    return [slot for slot in roll["slots"] if not slot["ignored"]]


def tested(roll: Body) -> str:
    """What W15 and W16 ask for: `hit`, `wound`, `save`, or something else."""
    what: str = roll["test"] if roll["for"] == "free" and roll["test"] is not None else roll["for"]
    return what


def by_numbers(roll: Body, number: int, needs: int) -> bool:
    return number <= needs if roll["at_most"] else number >= needs


def by_itself(roll: Body, unmodified: int, by_number: bool) -> bool:
    """W16 before the numbers."""
    if unmodified in roll["fails"]:
        return False
    if unmodified in roll["passes"]:
        return True
    what = tested(roll)
    if what in ("hit", "wound") and unmodified == 6:
        return True
    if what in ("hit", "wound", "save") and unmodified == 1:
        return False
    return by_number


def was_changed(die: Body) -> bool:
    """Whether the die was rerolled or replaced."""
    return len(die["naturals"]) > 1 or die["replaced"] is not None


def show_again(die: Body, natural: int, source: str) -> None:
    """The die is rerolled."""
    die["steps"].append({"reroll": die["naturals"][-1], "source": source})
    die["naturals"].append(natural)


def together(roll: Body) -> bool:
    """Whether saves are rolled together."""
    return roll["for"] == "save" and len(roll["slots"]) > 1


def has_failed(roll: Body, part: Body) -> bool:
    """W6."""
    if part["needs"] is None:
        return False
    return not by_itself(roll, part["unmodified"], by_numbers(roll, part["unmodified"], part["needs"]))


def least_of_blast(value: int, steps: list[Body]) -> int:
    if value >= 3:
        return value
    steps.append(new_step("blast", None, None, 3))
    return 3


def finish(roll: Body) -> None:
    """Results and passes."""
    lay_out(roll)
    what = ROLLED.get(roll["for"])
    for part in roll["parts"]:
        first = new_step("unmodified" if what is None else "rolled", None, None, part["unmodified"])
        result, steps = compute(part["unmodified"], roll["modifiers"], what, first)
        if tested(roll) in ("hit", "wound"):
            capped = min(max(result, part["unmodified"] - 1), part["unmodified"] + 1)
            if capped != result:
                result = capped
                steps.append(new_step("cap", None, None, result))
        if roll["least"]:
            result = least_of_blast(result, steps)
        dice = [die for die in roll["dice"] if die["die"] in part["dice"]]
        ruled = None if are_added(roll) else ruling_on(dice[0])
        if ruled is not None:
            result = ruled
        part["result"] = result
        part["steps"] = steps
        if part["needs"] is not None:
            part["passed"] = by_numbers(roll, result, part["needs"])
            if ruled is None:
                part["passed"] = by_itself(roll, part["unmodified"], part["passed"])
        if len(dice) == 1:
            dice[0]["result"] = result
    if roll["off"] is not None:
        decide(roll)


def decide(roll: Body) -> None:
    """W25: of the dice that were rolled last the highest has won, if it is not shared."""
    times = max(len(die["naturals"]) for die in roll["dice"])
    last = [die for die in roll["dice"] if len(die["naturals"]) == times]
    highest = max(die["result"] for die in last)
    first = [die["die"] for die in last if die["result"] == highest]
    won = first[0] if len(first) == 1 else None
    for part in roll["parts"]:
        part["passed"] = part["part"] == won
    roll["off"]["winner"] = None if won is None else roll["off"]["players"][won - 1]


def rolled_again(count: int, naturals: list[int]) -> list[int]:
    """W25: the dice that share the highest, round by round, as far as these naturals go; the last may be to come."""
    found: list[int] = []
    dice = list(range(1, count + 1))
    left = list(naturals)
    while len(left) >= len(dice):
        shown = {die: left.pop(0) for die in dice}
        dice = [die for die in dice if shown[die] == max(shown.values())]
        if len(dice) == 1:
            break
        found += dice
    return found


def can_show(roll: Body) -> list[int]:
    """All unmodified values that a part can have, and those that the parts have."""
    size = roll["random"]
    kept = size["n"] - size["high"] - size["low"]
    possible = list(range(kept + size["k"], kept * size["s"] + size["k"] + 1))
    return possible + [part["unmodified"] for part in roll["parts"]]


def check_changes(roll: Body, changes: list[Body]) -> None:
    """MAX_MODIFIER and contradictions, whatever the dice show."""
    what = ROLLED.get(roll["for"])
    for value in can_show(roll):
        compute(value, changes, what, {})


def most_attacks(bearers: int, once: bool, values: list[int], changes: list[Body], least: bool) -> int:
    """What a number of attacks that is rolled can come to."""
    each: list[int] = [max(0, compute(value, changes, "A", {})[0]) for value in values]
    return bearers * max(3 if least else 0, *each, 0)


def claim_of_results(roll: Body, claimed: list[int]) -> None:
    parts = roll["parts"]
    different = [place for place, part in enumerate(parts) if place < len(claimed) and claimed[place] != part["result"]]
    if not different and len(claimed) == len(parts):
        return
    if not parts:
        raise Violation("W2")
    if roll["off"] is not None:
        raise Violation("W25")
    part = parts[different[0] if different else 0]
    ops = [one["op"] for one in part["steps"]]
    if "blast" in ops:
        raise Violation("W24")
    if tested(roll) in ("hit", "wound") and "cap" in ops:
        raise Violation("W15")
    if roll["for"] in ROLLED and roll["modifiers"]:
        raise Violation("W8")
    if roll["d3"] and not roll["modifiers"]:
        raise Violation("W1")
    raise Violation("W2")


def claim_of_passed(roll: Body, claimed: list[int]) -> None:
    passed = [part["part"] for part in roll["parts"] if part["passed"]]
    if sorted(claimed) == passed:
        return
    different = [part for part in roll["parts"] if (part["part"] in claimed) != (part["part"] in passed)]
    if not roll["parts"]:
        raise Violation("W2")
    if roll["off"] is not None:
        raise Violation("W25")
    part = different[0] if different else roll["parts"][0]
    if part["passed"] is not None and part["passed"] != by_numbers(roll, part["result"], part["needs"]):
        raise Violation("W16")
    raise Violation({"wound": "W17", "save": "W18", "ignore": "W22"}.get(roll["for"], "W2"))


def sets_off(roll: Body, part: Body, trigger: Body) -> bool:
    """W7; the roll of the trigger's own kind."""
    if trigger["does"] in ("wound", "improve_ap") and not part["passed"]:
        return False
    looked_at = part["unmodified"] if "unmodified" in trigger else part["result"]
    found: bool = looked_at in trigger["results"]
    return found


def rules_of(abilities: list[Body], *of: str) -> list[Body]:
    """The reroll rules among a group's abilities that are for such a roll."""
    return [
        {member: copy.deepcopy(value) for member, value in one.items() if member not in ("kind", "of")}
        for one in abilities
        if one["kind"] == "reroll" and one["of"] in of
    ]


def numbered(rules: list[Body]) -> list[Body]:
    return [{"reroll": number, **rule} for number, rule in enumerate(rules, start=1)]


def of_kind(abilities: list[Body], kind: str) -> list[Body]:
    return [one for one in abilities if one["kind"] == kind]


def triggers_of(abilities: list[Body], on: str) -> list[tuple[int, Body]]:
    """The triggers, with their numbers in the group."""
    return [
        (number, one) for number, one in enumerate(abilities, start=1) if one["kind"] == "trigger" and one["on"] == on
    ]


# --- groups ---------------------------------------------------------------------------------------


def changes_on(group: Body, *on: str) -> list[Body]:
    return [as_change(one) for one in group["modifiers"] if one["on"] in on]


def improvements(group: Body) -> list[int]:
    """All that the triggers of a group can improve its AP by, together."""
    sums = {0}
    for one in of_kind(group["abilities"], "trigger"):
        if one["does"] == "improve_ap":
            sums |= {before + one["amount"] for before in sums}
    return sorted(sums)


def armour_of(group: Body, improved: int) -> int:
    """The AP of a wound, with what a trigger improved it by."""
    changes = changes_on(group, "AP")
    if improved:
        changes.append({"source": "", "op": "improve", "amount": improved})
    value: int = compute(group["printed"]["AP"], changes, "AP", {})[0]
    return value


def save_changes(group: Body, improved: int, invulnerable: bool) -> list[Body]:
    """W18."""
    if invulnerable:
        return changes_on(group, "invulnerable")
    armour = armour_of(group, improved)
    first = [{"source": "AP", "op": "subtract", "amount": -armour}] if armour else []
    return first + changes_on(group, "save")


def figure(group: Body) -> None:
    """The characteristics of a group (W8, W13, W24)."""
    printed = group["printed"]
    what = "BS" if group["type"] == "ranged" else "WS"
    if printed["skill"] == "-":
        raise Violation("W8")
    group["skill"] = from_printed(printed["skill"], changes_on(group, what), what)
    # S
    if is_random(printed["S"]):
        group["S"] = {"value": printed["S"], "steps": []}
    elif printed["S"] == "-":
        steps = [new_step("printed", None, None, "-"), new_step("takes T", None, None, printed["stand_in"])]
        group["S"] = {"value": printed["stand_in"], "steps": steps}
    else:
        group["S"] = from_printed(printed["S"], changes_on(group, "S"), "S")
    # A
    blasts = of_kind(group["abilities"], "blast")
    group["least"] = blasts != [] and group["models"] >= 6
    most = blasts != [] and group["models"] >= 11 and is_random(printed["A"])
    group["rolled"] = is_random(printed["A"]) and not most
    if group["rolled"]:
        group["A"] = {"value": printed["A"], "steps": []}
    else:
        if printed["A"] == "-":
            raise Violation("W8")  # CHOICE: no such A makes attacks, as with WS and BS
        start, first = printed["A"], new_step("printed", None, None, printed["A"])
        if most:
            start = shows(printed["A"])[-1]
            first = new_step("blast", None, None, start)
        value, steps = compute(start, changes_on(group, "A"), "A", first)
        if group["least"]:
            value = least_of_blast(value, steps)
        group["A"] = {"value": value, "steps": steps}
    group["T"] = from_printed(printed["T"], changes_on(group, "T"), "T")
    group["AP"] = from_printed(printed["AP"], changes_on(group, "AP"), "AP")
    if is_random(printed["D"]):
        group["D"] = {"value": printed["D"], "steps": []}
    else:
        group["D"] = from_printed(printed["D"], changes_on(group, "D"), "D")
    group["wound"] = fixed_of(group)
    if group["wound"] is None and not is_random(group["S"]["value"]):
        group["wound"] = to_wound(group["S"]["value"], group["T"]["value"])


def check_to_come(group: Body) -> None:
    """What is still to be rolled (W8, W13, W2)."""
    for what in ("S", "A", "D"):
        if is_random(group[what]["value"]):
            for value in shows(group[what]["value"]):
                compute(value, changes_on(group, what), what, {})
    for improved in improvements(group):
        armour_of(group, improved)
    for what in ("hit", "wound", "invulnerable"):
        for natural in range(1, 7):
            compute(natural, changes_on(group, what), None, {})
    for improved in improvements(group):
        for natural in range(1, 7):
            compute(natural, save_changes(group, improved, False), None, {})
    for value in group["armours"]:
        compute(value, changes_on(group, "Sv"), "Sv", {})


def check_announced(group: Body, announced: Body) -> None:
    for claim, what in (("hit", "skill"), ("S", "S"), ("T", "T"), ("AP", "AP")):
        if claim in announced and not equal(announced[claim], group[what]["value"]):
            raise Violation(clause_of_value(what, group[what]["steps"]))
    if "wound" in announced and not equal(announced["wound"], group["wound"]):
        raise Violation("W17")


def check_number_of_attacks(group: Body) -> None:
    bearers = len(group["bearers"])
    if not group["rolled"]:
        if bearers * max(0, group["A"]["value"]) > MAX_DICE:
            raise Violation("W9")
        return
    values = list(shows(group["A"]["value"]))
    most = most_attacks(bearers, group["once"], values, changes_on(group, "A"), group["least"])
    times = 1 if group["once"] else bearers
    if most > MAX_DICE or the_random(group["A"]["value"])["n"] * times > MAX_DICE:
        raise Violation("W9")


def weight_of(group: Body) -> int:
    """What bears on the rolls of the group."""
    return weight([one["source"] for one in [*group["modifiers"], *group["abilities"]]])


def check_weight(modifiers: list[Body], abilities: list[Body]) -> None:
    """What bears on the rolls of a group is not too much for the hits of one attack."""
    triggers = [one for one in of_kind(abilities, "trigger") if one["does"] == "extra_hits"]
    told = weight([one["source"] for one in [*modifiers, *abilities]])
    check_load(told, 1 + sum(most_of(one["amount"]) for one in triggers), "W20")


def check_abilities(group: Body) -> None:
    """W23, W24."""
    sums = {"extra_hits": 0, "extra_attacks": 0}
    for one in of_kind(group["abilities"], "trigger"):
        if one["on"] == "wound" and one["does"] not in ("mortal", "improve_ap"):
            raise Violation("W23")
        if one["on"] == "hit" and one["does"] == "improve_ap":
            raise Violation("W23")
        if one["does"] in sums:
            sums[one["does"]] += most_of(one["amount"])
            if sums[one["does"]] > MAX_TRIGGERED:
                raise Violation("W20")
    if of_kind(group["abilities"], "blast") and group["type"] == "melee":
        raise Violation("W24")
    if len({one["needs"] for one in of_kind(group["abilities"], "wounds-on")}) > 1:
        raise Violation("W17")


def check_skill_used(group: Body) -> None:
    unused = "WS" if group["type"] == "ranged" else "BS"
    if changes_on(group, unused):
        raise Violation("W20")


def ward_of_mortal(line: Body) -> int | None:
    """W22: what a die needs to ignore a mortal wound."""
    wards = [line[member] for member in ("ignores_wounds", "ignores_mortal") if member in line]
    return min(wards) if wards else None


def has_slay(group: Body) -> bool:
    return any(one["does"] == "slay" for one in of_kind(group["abilities"], "trigger"))


def fixed_of(group: Body) -> int | None:
    """W17: what its hits need to wound by a rule of their own."""
    found = of_kind(group["abilities"], "wounds-on")
    return found[0]["needs"] if found else None


def named_of(group: Body, kind: str, on: str) -> list[int]:
    """W16: the unmodified results of such rolls that its abilities name."""
    return [result for one in of_kind(group["abilities"], kind) if one["on"] == on for result in one["results"]]


def hits_itself(group: Body) -> bool:
    """Whether the attacks hit without a roll."""
    return of_kind(group["abilities"], "auto-hit") != []


def likeness(group: Body) -> list[Any]:
    """W10: what must be equal in a batch."""

    def any_order(many: list[Body]) -> list[str]:
        return sorted(
            repr(
                sorted(
                    (member, sorted(set(value)) if isinstance(value, list) else value) for member, value in one.items()
                )
            )
            for one in many
        )

    damage = [group["D"]["value"], any_order(changes_on(group, "D")) if is_random(group["D"]["value"]) else []]
    modifiers = [one for one in group["modifiers"] if one["on"] in ("hit", "wound", "save", "invulnerable", "T", "Sv")]
    return [
        group["type"],
        group["skill"]["value"],
        group["S"]["value"],
        group["AP"]["value"],
        damage,
        any_order(modifiers),
        any_order(group["abilities"]),
        group["target"],
    ]


def most_extra_hits(group: Body) -> int:
    """The extra hits that one hit roll of the group can make."""
    if hits_itself(group):
        return 0
    most = 0
    for unmodified in range(1, 7):
        for result in (unmodified - 1, unmodified, unmodified + 1):
            made = 0
            for _, one in triggers_of(group["abilities"], "hit"):
                looked_at = unmodified if "unmodified" in one else result
                if one["does"] == "extra_hits" and looked_at in one["results"]:
                    made += most_of(one["amount"])
            most = max(most, made)
    return most


def makes_mortal(group: Body) -> bool:
    return any(one["does"] == "mortal" for one in of_kind(group["abilities"], "trigger"))


def queue_up(group: Body) -> None:
    """The attacks of a group of which A is not rolled, as long as none was made."""
    if group["begun"] or group["lapsed"] or not group["bearers"]:
        return
    group["known"] = not group["rolled"]
    group["attacks"] = None
    group["queue"] = []
    if group["known"]:
        each = max(0, group["A"]["value"])
        group["queue"] = [bearer for bearer in group["bearers"] for _ in range(each)]
        group["attacks"] = len(group["queue"])


def add_rules(group: Body, modifiers: list[Body], abilities: list[Body]) -> None:
    group["modifiers"] = group["modifiers"] + copy.deepcopy(modifiers)
    for one in abilities:
        known = {member: canonical(value) if member == "amount" else value for member, value in one.items()}
        group["abilities"] = [*group["abilities"], copy.deepcopy(known)]


def new_sequence(seq: int, author: str, unit: str | None, groups: list[Body]) -> Body:
    return {
        "sequence": seq,
        "player": author,
        "unit": unit,
        "status": "open",
        "groups": groups,
        "mortal": [],
        "damage": [],
        "limited": [],
        # What the state does not show.
        "against": [group["target"] for group in groups],
        "under": None,
        "batch": None,
    }


def drop_queue(group: Body) -> None:
    """The attacks that are left of a group lapse."""
    group["queue"] = []
    group["made"] = []
    group["known"] = True


def alike(one: Body, other: Body) -> bool:
    """Two models: their lines are the same in all but `count`."""

    def but_count(model: Body) -> Body:
        return {member: canonical(value) for member, value in model["line"].items() if member != "count"}

    return equal(but_count(one), but_count(other))


# --- the game -------------------------------------------------------------------------------------

MINE = ("turn", "units", "sequence", "sequences", "computed", "command", "players", "rolls", "open", "late")
"""What a request that is voided leaves as it was before."""


class Warhammer(reference_rules.Game):
    """The state of one game."""

    SYSTEM = "wh40k-9e"
    check_options = staticmethod(check_options)
    check_body = staticmethod(check_body)

    def __init__(self, options: Body, parties: dict[str, str], joined: list[str] | None = None) -> None:
        """`parties`: name -> role, in party order; `joined`: who has joined at the start (absent: all)."""
        super().__init__(options, parties, joined)
        self.turn: Body | None = None
        self.units: dict[str, Body] = {}
        self.sequence: Body | None = None
        self.sequences: list[Body] = []
        self.computed: list[Body] = []
        self.command: list[str] = []
        self.late: Body | None = None
        """The roll that a late modifier could name, as it was before it was settled, and what it was settled in."""
        self.players = {
            party: {"rolls": 0, "dice": 0, "ignored": 0, "rerolled": 0}
            for party, role in parties.items()
            if role == "player"
        }

    def keep(self) -> Body:
        return {member: copy.deepcopy(getattr(self, member)) for member in MINE}

    def restore(self, kept: Body) -> None:
        for member in MINE:
            setattr(self, member, kept[member])

    # Units and models.

    def the_unit(self, unit: str, owner: str | None = None, alive: bool = True) -> Body:
        """A declared unit, of this player where one is named (W20)."""
        if unit not in self.units:
            raise Violation("W20")
        found = self.units[unit]
        if owner is not None and found["player"] != owner:
            raise Violation("W20")
        if alive and not self.left_of(unit):
            raise Violation("W20")
        return found

    def left_of(self, unit: str) -> list[Body]:
        """The models that are not destroyed."""
        return [model for model in self.units[unit]["models"] if not model["destroyed"]]

    def the_model(self, unit: str, number: int, alive: bool = True) -> Body:
        models: list[Body] = self.units[unit]["models"]
        if number > len(models) or (alive and models[number - 1]["destroyed"]):
            raise Violation("W20")
        return models[number - 1]

    def takers(self, unit: str) -> list[Body]:
        """W11: the models of which one takes the next wound."""
        left = self.left_of(unit)
        first = [one for one in left if one["lost"] > 0 or one["model"] in self.units[unit]["chosen"]]
        return first or left

    def decided(self, unit: str) -> Body | None:
        """The model that takes the next wound, where that is decided."""
        takers = self.takers(unit)
        if len(takers) == 1:
            return takers[0]
        if takers and self.options.get("fast_saves", False) and all(alike(one, takers[0]) for one in takers):
            return takers[0]
        return None

    def lose(self, unit: str, number: int, wounds: int, how: str) -> None:
        """A model loses wounds through the sequence, no more than it has."""
        assert self.sequence is not None
        model = self.units[unit]["models"][number - 1]
        lost = min(wounds, model["W"] - model["lost"])
        if lost <= 0:
            return
        model["lost"] += lost
        model["destroyed"] = model["lost"] >= model["W"]
        born = self.units[unit]["born"]
        for entry in self.sequence["damage"]:
            if (entry["unit"], entry["born"], entry["model"]) == (unit, born, number):
                entry[how] += lost
                break
        else:
            entry = {"unit": unit, "born": born, "model": number, "normal": 0, "mortal": 0, "slain": 0}
            entry[how] = lost
            self.sequence["damage"].append(entry)
        if not self.left_of(unit):
            self.lapse(unit)

    def lapse(self, target: str) -> None:
        """The target is destroyed: whatever is left on it lapses."""
        assert self.sequence is not None
        sequence = self.sequence
        if sequence["batch"] is not None and sequence["batch"]["target"] == target:
            sequence["batch"] = None
        for group in sequence["groups"]:
            if group["target"] == target:
                drop_queue(group)
                group["lapsed"] = True
        sequence["mortal"] = [one for one in sequence["mortal"] if one["target"] != target]
        if sequence["under"] == target:
            sequence["under"] = None

    # Sequences.

    def group(self, number: int) -> Body:
        assert self.sequence is not None
        found: Body = self.sequence["groups"][number - 1]
        return found

    def is_single(self, target: str) -> bool:
        """W12: whether mortal wounds on the target are of a single attack."""
        assert self.sequence is not None
        attacks = 0
        for group in self.sequence["groups"]:
            if group["target"] == target and makes_mortal(group):
                attacks += 2 if group["rolled"] else group["selected"] * max(0, group["A"]["value"])
        return attacks == 1

    def waiting_on(self, target: str) -> list[Body]:
        assert self.sequence is not None
        return [one for one in self.sequence["mortal"] if one["target"] == target]

    def single_waits(self) -> bool:
        assert self.sequence is not None
        return any(self.is_single(one["target"]) for one in self.sequence["mortal"])

    def served(self) -> str | None:
        """The target whose mortal wounds come now."""
        assert self.sequence is not None
        sequence = self.sequence
        if sequence["batch"] is not None:
            return None
        under: str | None = sequence["under"]
        if under is not None:
            return under if self.waiting_on(under) and self.is_single(under) else None
        return sequence["mortal"][0]["target"] if sequence["mortal"] else None

    def may_come(self) -> list[Body]:
        """The groups that may come now and have attacks left, or a number of attacks to roll."""
        assert self.sequence is not None
        under = self.sequence["under"]
        return [
            group
            for group in self.sequence["groups"]
            if (under is None or group["target"] == under) and (not group["known"] or group["queue"] or group["made"])
        ]

    def stage(self) -> tuple[str, str, int | None] | None:  # noqa: C901 - a step a branch
        """Who rolls what next, and how many dice; None where nothing is left."""
        sequence = self.sequence
        if sequence is None:
            return None
        attacker = sequence["player"]
        batch = sequence["batch"]
        if batch is not None:
            defender = self.units[batch["target"]]["player"]
            if batch["extra"]:
                waiting = first_extra(batch)
                return attacker, "extra", the_random(waiting[0]["amount"])["n"] * len(waiting)
            to_roll = [hit for hit in batch["hits"] if not hit["auto"]]
            if to_roll:
                strength = self.group(to_roll[0]["group"])["S"]["value"]
                fixed = fixed_of(self.group(to_roll[0]["group"]))
                if fixed is None and is_random(strength) and to_roll[0]["S"] is None:
                    return attacker, "strength", len(to_roll) * the_random(strength)["n"]
                return attacker, "wound", len(to_roll)
            unsaved = batch["unsaved"]
            if unsaved is not None and unsaved["damage"] is None:
                return attacker, "damage", the_random(self.group(unsaved["group"])["D"]["value"])["n"]
            if unsaved is not None:
                return defender, "ignore", min(unsaved["damage"], MAX_DICE)
            return defender, "save", 1
        target = self.served()
        if target is not None:
            randoms = [one for one in self.waiting_on(target) if is_random(one["amount"])]
            if randoms:
                size = the_random(randoms[0]["amount"])["n"]
                return attacker, "mortal", size * min(randoms[0]["times"], MAX_DICE // size)
            return self.units[target]["player"], "inflict", None
        groups = self.may_come()
        if not groups:
            return None
        if any(not group["known"] for group in groups):
            return attacker, "attacks or hit", None
        return attacker, "hit", None

    def step_is(self, step: str) -> bool:
        stage = self.stage()
        return stage is not None and stage[1] == step

    def of_the_sequence(self) -> bool:
        """Whether the open roll is one of the open sequence."""
        if self.open is None or self.sequence is None:
            return False
        found: bool = self.find_roll(self.open)["sequence"] == self.sequence["sequence"]
        return found

    def tidy(self) -> None:
        """Hits that need no wound roll wound; a batch, a target and a sequence of which nothing is left end."""
        assert self.sequence is not None
        sequence = self.sequence
        batch = sequence["batch"]
        if batch is not None and not batch["extra"] and all(hit["auto"] for hit in batch["hits"]):
            for hit in batch["hits"]:
                self.wound(hit, 0)
            batch["hits"] = []
            if not batch["wounds"] and batch["unsaved"] is None:
                sequence["batch"] = None
        if sequence["batch"] is None and sequence["under"] is not None and not self.may_come():
            sequence["under"] = None
        if self.stage() is None:
            self.end_sequence("resolved")

    def end_sequence(self, status: str) -> None:
        assert self.sequence is not None
        sequence = self.sequence
        sequence["status"] = status
        sequence["batch"] = None
        sequence["mortal"] = []
        sequence["under"] = None
        for group in sequence["groups"]:
            drop_queue(group)
        self.sequences.append(sequence)
        self.sequences = self.sequences[-HISTORY:]
        self.sequence = None

    def advance(self) -> None:
        """What is not to be chosen happens by itself."""
        while self.sequence is not None and not self.of_the_sequence():
            self.tidy()
            if self.sequence is None:
                return
            if self.step_is("save"):
                batch = self.sequence["batch"]
                model = self.decided(batch["target"])
                if model is None or self.can_save(model, batch["wounds"][0]):
                    return
                self.fail(model["model"], batch["wounds"].pop(0))
            elif self.step_is("inflict"):
                target = self.served()
                assert target is not None
                model = self.decided(target)
                if model is None or ward_of_mortal(model["line"]) is not None:
                    return
                count = min(model["W"] - model["lost"], self.owed_on(target))
                self.consume(target, count)
                self.lose(target, model["model"], count, "mortal")
            else:
                return

    def can_save(self, model: Body, wound: Body) -> bool:
        """W11: whether a save could succeed."""
        if "invulnerable" in model["line"]:
            return True
        needs = self.save_needs(model, wound, False)
        if needs is None:
            return False
        changes = save_changes(self.group(wound["group"]), wound["improved"], False)
        best: int = compute(6, changes, None, {})[0]
        return best >= needs

    def save_needs(self, model: Body, wound: Body, invulnerable: bool) -> int | None:
        """None where the model has no such save."""
        if invulnerable:
            needs: int | None = model["line"].get("invulnerable")
            return needs
        if model["line"]["Sv"] == "-":
            return None
        value: int = compute(model["line"]["Sv"], changes_on(self.group(wound["group"]), "Sv"), "Sv", {})[0]
        return value

    def allocate(self, unit: str, number: int) -> None:
        """An attack is allocated to the model."""
        chosen = self.units[unit]["chosen"]
        if number not in chosen:
            chosen.append(number)

    def fail(self, number: int, wound: Body) -> None:
        """A save is failed; what follows of it, as far as nothing is rolled."""
        assert self.sequence is not None
        batch = self.sequence["batch"]
        target = batch["target"]
        self.allocate(target, number)
        group = self.group(wound["group"])
        group["failed"] += 1
        batch["unsaved"] = {"model": number, "damage": None, "group": wound["group"], "key": wound["key"]}
        if not is_random(group["D"]["value"]):
            self.damage(group["D"]["value"])

    def damage(self, amount: int) -> None:
        """The damage of the failed save is known."""
        assert self.sequence is not None
        batch = self.sequence["batch"]
        unsaved = batch["unsaved"]
        amount = max(0, amount)
        model = self.units[batch["target"]]["models"][unsaved["model"] - 1]
        if amount > 0 and "ignores_wounds" in model["line"]:
            unsaved["damage"] = amount
            return
        batch["unsaved"] = None
        self.lose(batch["target"], unsaved["model"], amount, "normal")

    def wound(self, hit: Body, improved: int) -> None:
        assert self.sequence is not None
        self.group(hit["group"])["wounds"] += 1
        self.sequence["batch"]["wounds"].append({"key": hit["key"], "group": hit["group"], "improved": improved})

    def add_mortal(self, target: str, source: str, amount: Any) -> None:
        assert self.sequence is not None
        amount = canonical(amount)
        for entry in self.sequence["mortal"]:
            alike_one = (entry["target"], entry["source"], entry["amount"]) == (target, source, amount)
            if alike_one and not entry["rest"]:
                entry["times"] += 1
                return
        self.sequence["mortal"].append(
            {"target": target, "source": source, "amount": amount, "times": 1, "rest": False}
        )

    def owed_on(self, target: str) -> int:
        return sum(one["amount"] * one["times"] for one in self.waiting_on(target) if not is_random(one["amount"]))

    def consume(self, target: str, count: int) -> None:
        """So many of the mortal wounds that wait on the target are inflicted."""
        assert self.sequence is not None
        for entry in self.waiting_on(target):
            whole = entry["amount"] * entry["times"]
            taken = min(whole, count)
            count -= taken
            if taken == whole:
                self.sequence["mortal"] = [one for one in self.sequence["mortal"] if one is not entry]
            elif taken:
                entry.update({"amount": whole - taken, "times": 1, "rest": True})

    def slay(self, bearer: int) -> None:
        """The bearer is destroyed and its attacks that are left lapse."""
        assert self.sequence is not None
        sequence = self.sequence
        for group in sequence["groups"]:
            if bearer in group["bearers"]:
                group["bearers"] = [one for one in group["bearers"] if one != bearer]
                group["queue"] = [one for one in group["queue"] if one != bearer]
                group["made"] = [one for one in group["made"] if one != bearer]
                if not group["bearers"] and not group["known"]:
                    drop_queue(group)
        model = self.units[sequence["unit"]]["models"][bearer - 1]
        self.lose(sequence["unit"], bearer, model["W"] - model["lost"], "slain")

    # Open rolls: who can choose, and settling.

    def limit_of(self, roll: Body, rule: Body) -> int | None:
        """How many parts a rule with `most` may still take; None without it."""
        if "most" not in rule:
            return None
        taken: int = roll["taken"].get(rule["source"], 0)
        if roll["sequence"] is not None and self.sequence is not None:
            for entry in self.sequence["limited"]:
                if (entry["source"], entry["for"]) == (rule["source"], roll["for"]):
                    taken += entry["taken"]
        most: int = rule["most"]
        return most - taken

    def takes(self, roll: Body, rule: Body) -> list[int]:
        """W3: the dice that a rule takes."""
        limit = self.limit_of(roll, rule)
        if limit is not None and limit <= 0:
            return []
        found: list[int] = []
        for part in roll["parts"]:
            if rule.get("failed") and not has_failed(roll, part):
                continue
            dice = [die for die in roll["dice"] if die["die"] in part["dice"]]
            if "results" in rule:
                fitting = [die for die in dice if die["value"] in rule["results"]]
            elif "apart" in rule or not any(was_changed(die) for die in dice):
                fitting = dice
            else:
                fitting = []
            found += [die["die"] for die in fitting if not was_changed(die)]
        return found

    def can_command(self, roll: Body, player: str) -> bool:
        """W21: whether the player who rolled can use the Command Re-roll on the roll."""
        if not self.options.get("command_reroll", True) or player in self.command:
            return False
        if roll["for"] not in COMMAND_ROLLS or together(roll):
            return False
        for part in roll["parts"]:
            if not any(was_changed(die) for die in roll["dice"] if die["die"] in part["dice"]):
                return True
        return False

    def waits(self) -> dict[str, str] | None:
        """Whose choice the open roll waits for; None where it stands, or no roll is open."""
        if self.open is None:
            return None
        roll = self.find_roll(self.open)
        for party, role in self.parties.items():
            if role != "player" or party == roll["player"] or party in roll["waived"] or party in self.left:
                continue
            if any(rule.get("by") == party and self.takes(roll, rule) for rule in roll["rerolls"]):
                return {"party": party, "choice": "reroll or waive"}
        player = roll["player"]
        own = [rule for rule in roll["rerolls"] if rule.get("by", player) == player]
        if any(self.takes(roll, rule) for rule in own) or self.can_command(roll, player):
            return {"party": player, "choice": "reroll or resolve"}
        return None

    def waits_by(self) -> bool:
        waits = self.waits()
        return waits is not None and waits["choice"] == "reroll or waive"

    def step(self, author: str) -> None:
        """A step settles the open roll, or is refused because it waits."""
        if self.open is None:
            return
        waits = self.waits()
        if waits is not None and (waits["choice"] == "reroll or waive" or waits["party"] != author):
            raise Violation("W19")
        self.settle()

    def put_last(self, roll: Body) -> None:
        self.rolls = [one for one in self.rolls if one is not roll]
        self.rolls.append(roll)

    def settle(self) -> None:
        """The open roll is settled."""
        assert self.open is not None
        roll = self.find_roll(self.open)
        self.late = {
            "roll": roll["roll"],
            "record": copy.deepcopy(roll),
            "units": copy.deepcopy(self.units),
            "sequence": copy.deepcopy(self.sequence),
            "sequences": copy.deepcopy(self.sequences),
            "times": 0,
        }
        self.open = None
        self.players[roll["player"]]["rolls"] += 1
        self.carry_out(roll)
        self.advance()

    def carry_out(self, roll: Body) -> None:
        """Results, and what they do."""
        finish(roll)
        roll["status"] = "resolved"
        self.put_last(roll)
        if roll["for"] == "move":
            move = self.units[roll["info"]["unit"]]["move"]
            move["value"] = roll["parts"][0]["result"]
            move["steps"] = copy.deepcopy(roll["parts"][0]["steps"])
        if roll["sequence"] is None:
            return
        assert self.sequence is not None
        for source, taken in roll["taken"].items():
            for entry in self.sequence["limited"]:
                if (entry["source"], entry["for"]) == (source, roll["for"]):
                    entry["taken"] += taken
                    break
            else:
                self.sequence["limited"].append({"source": source, "for": roll["for"], "taken": taken})
        {
            "attacks": self.settle_attacks,
            "hit": self.settle_hit,
            "strength": self.settle_strength,
            "wound": self.settle_wound,
            "extra": self.settle_extra,
            "save": self.settle_save,
            "damage": self.settle_damage,
            "ignore": self.settle_ignore,
            "mortal": self.settle_mortal,
        }[roll["for"]](roll)

    def settle_attacks(self, roll: Body) -> None:
        group = self.group(roll["info"]["group"])
        counts = [max(0, part["result"]) for part in roll["parts"]]
        if group["once"]:
            counts = counts * len(group["bearers"])
        group["queue"] = [bearer for bearer, count in zip(group["bearers"], counts, strict=True) for _ in range(count)]
        group["attacks"] = len(group["queue"])
        group["known"] = True
        group["begun"] = True

    def take_attacks(self, attacks: list[Body]) -> Body:
        """A new batch of these attacks."""
        assert self.sequence is not None
        for attack in attacks:
            group = self.group(attack["group"])
            group["made" if attack["made"] else "queue"].pop(0)
            group["begun"] = True
        target = self.group(attacks[0]["group"])["target"]
        self.sequence["under"] = target
        self.sequence["batch"] = {"target": target, "hits": [], "extra": [], "wounds": [], "unsaved": None}
        self.sequence["batch"] |= {"told": [], "told_for": None}
        batch: Body = self.sequence["batch"]
        return batch

    def settle_hit(self, roll: Body) -> None:  # noqa: C901 - what a trigger does a branch
        attacks = roll["info"]["attacks"]
        batch = self.take_attacks(attacks)
        slain: list[int] = []
        for place, (attack, part) in enumerate(zip(attacks, roll["parts"], strict=True)):
            group = self.group(attack["group"])
            hits, wounds, ended, extra = part["passed"], False, False, 0
            for which, trigger in [] if attack["made"] else triggers_of(group["abilities"], "hit"):
                if not sets_off(roll, part, trigger):
                    continue
                if trigger["does"] == "extra_hits" and is_random(trigger["amount"]):
                    waits = {"key": [place, which], "group": attack["group"], "bearer": attack["bearer"]}
                    amount = canonical(trigger["amount"])
                    batch["extra"].append({**waits, "source": trigger["source"], "amount": amount})
                elif trigger["does"] == "extra_hits":
                    extra += trigger["amount"]
                elif trigger["does"] == "extra_attacks":
                    group["made"] += [attack["bearer"]] * trigger["amount"]
                    group["attacks"] += trigger["amount"]
                elif trigger["does"] == "wound":
                    wounds = True
                elif trigger["does"] == "mortal":
                    self.add_mortal(group["target"], trigger["source"], trigger["amount"])
                    ended = ended or "instead" in trigger
                else:
                    slain.append(attack["bearer"])
            same = {"group": attack["group"], "bearer": attack["bearer"], "S": None}
            if hits and not ended:
                batch["hits"].append({"key": [place, 0], "auto": wounds, **same})
                group["hits"] += 1
            for number in range(1, extra + 1):
                batch["hits"].append({"key": [place, number], "auto": False, **same})
                group["hits"] += 1
        for bearer in slain:
            self.slay(bearer)

    def settle_extra(self, roll: Body) -> None:
        """W23: so many further hits for each number that was rolled, behind those of the same die."""
        assert self.sequence is not None
        batch = self.sequence["batch"]
        waiting = first_extra(batch)
        most = most_of(waiting[0]["amount"])
        for extra, part in zip(waiting, roll["parts"], strict=True):
            place = extra["key"][0]
            before = max([hit["key"][1] for hit in batch["hits"] if hit["key"][0] == place], default=0)
            for number in range(1, min(most, max(0, part["result"])) + 1):
                same = {"group": extra["group"], "bearer": extra["bearer"], "S": None, "auto": False}
                batch["hits"].append({"key": [place, before + number], **same})
                self.group(extra["group"])["hits"] += 1
        batch["hits"].sort(key=lambda hit: hit["key"])
        batch["extra"] = [one for one in batch["extra"] if one not in waiting]

    def settle_strength(self, roll: Body) -> None:
        assert self.sequence is not None
        for slot, part in zip(kept_slots(roll), roll["parts"], strict=True):
            for hit in self.sequence["batch"]["hits"]:
                if hit["key"] == slot["key"]:
                    hit["S"] = part["result"]

    def settle_wound(self, roll: Body) -> None:
        assert self.sequence is not None
        batch = self.sequence["batch"]
        parts = {tuple(slot["key"]): part for slot, part in zip(kept_slots(roll), roll["parts"], strict=True)}
        for hit in batch["hits"]:
            if hit["auto"]:
                self.wound(hit, 0)
                continue
            part = parts[tuple(hit["key"])]
            group = self.group(hit["group"])
            improved, ended = 0, False
            for _, trigger in triggers_of(group["abilities"], "wound"):
                if not sets_off(roll, part, trigger):
                    continue
                if trigger["does"] == "mortal":
                    self.add_mortal(group["target"], trigger["source"], trigger["amount"])
                    ended = ended or "instead" in trigger
                else:
                    improved += trigger["amount"]
            if part["passed"] and not ended:
                self.wound(hit, improved)
        batch["hits"] = []

    def settle_save(self, roll: Body) -> None:
        assert self.sequence is not None
        batch = self.sequence["batch"]
        batch["told"] = [part["passed"] for part in roll["parts"]]
        batch["told_for"] = roll["info"]["model"]
        self.tell(batch)

    def tell(self, batch: Body) -> None:
        """Of saves that were rolled together one after the other takes effect, until something is rolled for one."""
        target = batch["target"]
        while batch["told"] and batch["unsaved"] is None:
            model = self.units[target]["models"][batch["told_for"] - 1]
            if model["destroyed"]:
                model = next((one for one in self.takers(target) if alike(one, model)), None)
            if model is None:
                batch["told"] = []
                return
            wound = batch["wounds"].pop(0)
            if batch["told"].pop(0):
                self.allocate(target, model["model"])
                self.group(wound["group"])["saved"] += 1
            else:
                self.fail(model["model"], wound)

    def settle_damage(self, roll: Body) -> None:
        assert self.sequence is not None
        batch = self.sequence["batch"]
        self.damage(roll["parts"][0]["result"])
        self.tell(batch)

    def settle_ignore(self, roll: Body) -> None:
        assert self.sequence is not None
        ignored = sum(1 for part in roll["parts"] if part["passed"])
        info = roll["info"]
        if info["count"] is not None:
            count = len(roll["parts"])
            self.consume(info["target"], count)
            self.lose(info["target"], info["model"], count - ignored, "mortal")
            return
        batch = self.sequence["batch"]
        unsaved = batch["unsaved"]
        batch["unsaved"] = None
        self.lose(batch["target"], unsaved["model"], unsaved["damage"] - ignored, "normal")
        self.tell(batch)

    def settle_mortal(self, roll: Body) -> None:
        assert self.sequence is not None
        total = sum(max(0, part["result"]) for part in roll["parts"])
        entry = next(one for one in self.waiting_on(roll["info"]["target"]) if is_random(one["amount"]))
        place = next(number for number, one in enumerate(self.sequence["mortal"]) if one is entry)
        entry["times"] -= len(roll["parts"])
        if total > 0:
            # CHOICE: in the place of what it was rolled for, before what is left of it.
            known = {**entry, "amount": total, "times": 1, "rest": True}
            self.sequence["mortal"].insert(place, known)
        if entry["times"] == 0:
            self.sequence["mortal"] = [one for one in self.sequence["mortal"] if one is not entry]

    # What a roll is made of, by the sequence as it is.

    def plan(self, kind: str, info: Body) -> Body:  # noqa: C901 - a kind of roll a branch
        """Slots with their needs, dice, changes, reroll rules, source of a roll of the sequence."""
        assert self.sequence is not None
        batch = self.sequence["batch"]
        random: Body = {"n": 1, "s": 6, "k": 0, "high": 0, "low": 0}
        slots: list[Body] = []
        changes: list[Body] = []
        rules: list[Body] = []
        source = ""
        least = False
        passes: list[int] = []
        fails: list[int] = []
        if kind == "attacks":
            group = self.group(info["group"])
            random = the_random(group["A"]["value"])
            bearers = group["bearers"][:1] if group["once"] else group["bearers"]
            slots = [{"key": bearer, "needs": None} for bearer in bearers]
            changes, rules = changes_on(group, "A"), rules_of(group["abilities"], "attacks")
            source, least = group["weapon"], group["least"]
        elif kind == "hit":
            for place, attack in enumerate(info["attacks"]):
                slots.append({"key": place, "needs": self.group(attack["group"])["skill"]["value"]})
            group = self.group(info["attacks"][0]["group"])
            changes, rules, source = (
                changes_on(group, "hit"),
                rules_of(group["abilities"], "hit"),
                group["weapon"],
            )
        elif kind == "extra":
            waiting = first_extra(batch)
            random, source = the_random(waiting[0]["amount"]), waiting[0]["source"]
            slots = [{"key": one["key"], "needs": None} for one in waiting]
        elif kind in ("strength", "wound"):
            to_roll = [hit for hit in batch["hits"] if not hit["auto"]]
            group = self.group(to_roll[0]["group"])
            source, rules = group["weapon"], rules_of(group["abilities"], kind)
            changes = changes_on(group, "S" if kind == "strength" else "wound")
            if kind == "strength":
                random = the_random(group["S"]["value"])
            for hit in to_roll:
                own = self.group(hit["group"])
                needs = fixed_of(own) if kind == "wound" else None
                if kind == "wound" and needs is None:
                    strength = own["S"]["value"] if hit["S"] is None else hit["S"]
                    needs = to_wound(strength, own["T"]["value"])
                slots.append({"key": hit["key"], "needs": needs})
        elif kind == "save":
            wound = batch["wounds"][0]
            group = self.group(wound["group"])
            model = self.units[batch["target"]]["models"][info["model"] - 1]
            needs = self.save_needs(model, wound, info["invulnerable"])
            slots = [{"key": place, "needs": needs} for place in range(info["count"])]
            changes = save_changes(group, wound["improved"], info["invulnerable"])
            rules = rules_of(group["abilities"], "saves", "invulnerable" if info["invulnerable"] else "save")
            source = group["weapon"]
        elif kind == "damage":
            group = self.group(batch["unsaved"]["group"])
            random = the_random(group["D"]["value"])
            slots = [{"key": batch["unsaved"]["key"], "needs": None}]
            changes, rules, source = (
                changes_on(group, "D"),
                rules_of(group["abilities"], "damage"),
                group["weapon"],
            )
        elif kind == "ignore":
            target, number, count = info["target"], info["model"], info["count"]
            if count is None:
                unsaved = batch["unsaved"]
                number, count = unsaved["model"], min(unsaved["damage"], MAX_DICE)
                rules = rules_of(self.group(unsaved["group"])["abilities"], "ignore")
            line = self.units[target]["models"][number - 1]["line"]
            needs = line["ignores_wounds"] if info["count"] is None else ward_of_mortal(line)
            slots = [{"key": place, "needs": needs} for place in range(count)]
            source = target
        else:
            entry = next(one for one in self.waiting_on(info["target"]) if is_random(one["amount"]))
            random = the_random(entry["amount"])
            times = min(entry["times"], MAX_DICE // random["n"])
            slots = [{"key": place, "needs": None} for place in range(times)]
            source = entry["source"]
        if kind in ("hit", "wound"):
            passes, fails = named_of(group, "passes", kind), named_of(group, "fails", kind)
        return {
            "slots": [{**slot, "ignored": False} for slot in slots],
            "random": random,
            "changes": changes,
            "rules": rules,
            "source": f"{kind}: {source}",
            "least": least,
            "passes": passes,
            "fails": fails,
        }

    def new_roll(self, seq: int, author: str, kind: str, info: Body, plan: Body) -> Body:
        dice = len(plan["slots"]) * plan["random"]["n"]
        return {
            "roll": seq,
            "player": author,
            "status": "pending",
            "dice": [],
            "for": kind,
            "source": plan["source"],
            "notation": f"{dice if dice > 1 else ''}d{plan['random']['s']}",
            "d3": plan["random"]["s"] == 3,
            "sequence": None,
            "rerolls": numbered(plan["rules"]),
            "modifiers": plan["changes"],
            "at_most": False,
            "passes": plan.get("passes", []),
            "fails": plan.get("fails", []),
            "off": None,
            "waived": [],
            "parts": [],
            # What the state does not show.
            "test": None,
            "random": plan["random"],
            "slots": plan["slots"],
            "least": plan["least"],
            "info": info,
            "further_changes": [],
            "further_rules": [],
            "taken": {},
        }

    def plan_anew(self, roll: Body, plan: Body) -> None:
        """Needs, changes and reroll rules of the state as it is now; what was said of the roll stays behind them."""
        for slot, other in zip(kept_slots(roll), plan["slots"], strict=True):
            slot["needs"] = other["needs"]
        roll["modifiers"] = plan["changes"] + copy.deepcopy(roll["further_changes"])
        roll["rerolls"] = numbered(plan["rules"] + copy.deepcopy(roll["further_rules"]))
        roll["least"] = plan["least"]
        roll["source"] = plan["source"]
        lay_out(roll)

    # Requests.

    def request(self, seq: int, author: str, type: str, body: Body) -> list[int]:
        undo = self.keep()
        try:
            pending = self.request_reroll(author, body) if type == "reroll" else self.request_roll(seq, author, body)
        except Violation:
            self.restore(undo)
            raise
        self.pending = {**pending, "undo": undo}
        self.requests += 1
        self.phase = "pending"
        return [6] * pending["dice"]

    def request_roll(self, seq: int, author: str, body: Body) -> Body:
        self.step(author)
        kind = body["for"]
        if kind == "free":
            roll = self.free_roll(seq, author, body)
        elif kind == "off":
            roll = self.roll_off(seq, author, body)
        elif kind == "move":
            roll = self.move_roll(seq, author, body)
        elif kind == "attack":
            roll = self.attack_roll(seq, author, body)
        else:
            kind, info = self.asked_of_sequence(author, body)
            roll = self.sequence_roll(seq, author, kind, info)
        self.rolls.append(roll)
        self.open = seq
        return {"roll": seq, "dice": len(roll["slots"]) * roll["random"]["n"], "reroll": None}

    # What bears on a roll.

    def told(self, roll: Body) -> int:
        return weight([one["source"] for one in [*roll["modifiers"], *roll["rerolls"]]])

    def load(self, roll: Body) -> int:
        return self.told(roll) * (len(kept_slots(roll)) + 1)

    def check_bearing(self, roll: Body, clause: str) -> None:
        check_load(self.told(roll), len(kept_slots(roll)), clause)

    def free_roll(self, seq: int, author: str, body: Body) -> Body:
        dice = parse_free(body["dice"])
        added = body.get("sum", False)
        if dice["added"] and not added:
            raise Violation("W1")
        if dice["high"] + dice["low"] >= dice["n"] and dice["high"] + dice["low"] > 0:
            raise Violation("W1")
        size = dice["n"] if added else 1
        plan = {
            "slots": [
                {"key": place, "needs": body.get("needs"), "ignored": False} for place in range(dice["n"] // size)
            ],
            "random": {"n": size, "s": dice["s"], "k": dice["k"], "high": dice["high"], "low": dice["low"]},
            "changes": copy.deepcopy(body.get("modifiers", [])),
            "rules": copy.deepcopy(body.get("rerolls", [])),
            "source": body["source"],
            "least": False,
        }
        roll = self.new_roll(seq, author, "free", {}, plan)
        self.check_bearing(roll, "W2")
        roll["notation"] += f"dh{dice['high']}" if dice["high"] else ""
        roll["notation"] += f"dl{dice['low']}" if dice["low"] else ""
        roll["notation"] += f"+{dice['k']}" if dice["k"] else ""
        roll["test"] = body.get("test")
        roll["at_most"] = body.get("at_most", False)
        roll["passes"] = list(body.get("passes", []))
        roll["fails"] = list(body.get("fails", []))
        check_changes(roll, roll["modifiers"])
        return roll

    def roll_off(self, seq: int, author: str, body: Body) -> Body:
        """W25."""
        known = [party for party, role in self.parties.items() if role == "player" and party not in self.left]
        players = list(body.get("players", known))
        if len(players) < 2 or len(set(players)) < len(players) or any(one not in known for one in players):
            raise Violation("W25")
        plan = {
            "slots": [{"key": place, "needs": None, "ignored": False} for place in range(len(players))],
            "random": {"n": 1, "s": 6, "k": 0, "high": 0, "low": 0},
            "changes": [],
            "rules": [],
            "source": body["source"],
            "least": False,
        }
        roll = self.new_roll(seq, author, "off", {}, plan)
        roll["off"] = {"players": players, "winner": None}
        return roll

    def move_roll(self, seq: int, author: str, body: Body) -> Body:
        unit = self.the_unit(body["unit"], author)
        move = unit["move"]
        if move is None or move["value"] is not None:
            raise Violation("W9")
        plan = {
            "slots": [{"key": 0, "needs": None, "ignored": False}],
            "random": the_random(unit["models"][0]["line"]["M"]),
            "changes": copy.deepcopy(move["modifiers"]),
            "rules": [],
            "source": f"move: {body['unit']}",
            "least": False,
        }
        return self.new_roll(seq, author, "move", {"unit": body["unit"]}, plan)

    def attack_roll(self, seq: int, author: str, body: Body) -> Body:
        if self.sequence is not None:
            raise Violation("W19")
        self.begin_attacks(seq, author, body)
        self.late = None
        group = self.group(1)
        if group["rolled"]:
            return self.sequence_roll(seq, author, "attacks", {"group": 1})
        if hits_itself(group) or not group["queue"]:
            raise Violation("W19")
        attacks = self.attacks_of([1], None)
        if not self.may_batch([1], attacks):
            attacks = attacks[:1]
        return self.sequence_roll(seq, author, "hit", {"groups": [1], "count": len(attacks), "attacks": attacks})

    def sequence_roll(self, seq: int, author: str, kind: str, info: Body) -> Body:
        assert self.sequence is not None
        roll = self.new_roll(seq, author, kind, info, self.plan(kind, info))
        roll["sequence"] = self.sequence["sequence"]
        return roll

    def asked_of_sequence(self, author: str, body: Body) -> tuple[str, Body]:
        """The kind of a roll that a sequence needs, and what it is about."""
        kind = body["for"]
        if kind == "attacks":
            return kind, self.asked_attacks(author, body)
        if kind == "hit":
            return kind, self.asked_hit(author, body, by_itself=False)
        if kind == "save":
            return kind, self.asked_save(author, body)
        if kind == "ignore" and "model" in body:
            self.check_next("inflict", author)
            return kind, self.asked_inflict(body["model"], body["count"], ignores=True)
        self.check_next(kind, author)
        assert self.sequence is not None
        if kind == "ignore":
            batch = self.sequence["batch"]
            key = batch["unsaved"]["key"]
            return kind, {"target": batch["target"], "model": batch["unsaved"]["model"], "count": None, "key": key}
        return kind, {"target": self.served()} if kind == "mortal" else {}

    def check_next(self, step: str, author: str) -> None:
        """A step of the sequence is next, and its player's."""
        stage = self.stage()
        if stage is None:
            raise Violation("W19")
        assert self.sequence is not None
        if stage[1] != step:
            waiting = self.sequence["mortal"]
            if step == "mortal" and stage[1] == "inflict":
                waiting = []  # their time has come, and their number is known
            raise Violation("W12" if step in ("inflict", "mortal") and waiting else "W19")
        if stage[0] != author:
            raise Violation("W19")

    def check_attacks_next(self, author: str) -> None:
        """Attacks, or a number of attacks, may come now."""
        if self.sequence is None:
            raise Violation("W19")
        if self.single_waits():
            raise Violation("W12")
        if self.sequence["batch"] is not None or self.sequence["player"] != author:
            raise Violation("W19")

    def asked_attacks(self, author: str, body: Body) -> Body:
        self.check_attacks_next(author)
        assert self.sequence is not None
        if body["group"] > len(self.sequence["groups"]):
            raise Violation("W19")
        group = self.group(body["group"])
        if is_random(group["printed"]["A"]) and not group["rolled"]:
            raise Violation("W24")
        if not group["rolled"] or group["known"]:
            raise Violation("W9")
        return {"group": body["group"]}

    def attacks_of(self, numbers: list[int], count: int | None) -> list[Body]:
        """The attacks that a batch of these groups takes."""
        attacks: list[Body] = []
        for number in numbers:
            group = self.group(number)
            made = not group["queue"]
            bearers = group["made"] if made else group["queue"]
            attacks += [{"group": number, "bearer": bearer, "made": made} for bearer in bearers]
        return attacks if count is None else attacks[:count]

    def may_batch(self, numbers: list[int], attacks: list[Body]) -> bool:
        """W10."""
        named = [self.group(number) for number in numbers]
        if len(attacks) > 1:
            if not self.options["fast_rolling"]:
                return False
            if any(not equal(likeness(one), likeness(named[0])) for one in named):
                return False
            if any(is_random(one["S"]["value"]) or has_slay(one) for one in named):
                return False
        hits = self.hits_of(attacks)
        return hits <= MAX_DICE and max(weight_of(one) for one in named) * (hits + 1) <= MAX_LOAD

    def hits_of(self, attacks: list[Body]) -> int:
        """What these attacks could come to."""
        return sum(1 + (0 if one["made"] else most_extra_hits(self.group(one["group"]))) for one in attacks)

    def asked_hit(self, author: str, body: Body, by_itself: bool) -> Body:
        self.check_attacks_next(author)
        assert self.sequence is not None
        numbers = body["groups"]
        if len(set(numbers)) < len(numbers):
            raise Violation("W19")
        under = self.sequence["under"]
        for number in numbers:
            if number > len(self.sequence["groups"]):
                raise Violation("W19")
            group = self.group(number)
            if under is not None and group["target"] != under:
                raise Violation("W20")
            if not group["known"]:
                raise Violation("W9")
            if not group["queue"] and not group["made"]:
                raise Violation("W19")
        count = body.get("count")
        attacks = self.attacks_of(numbers, count)
        if count is not None and count > len(attacks):
            raise Violation("W19")
        if not self.may_batch(numbers, attacks):
            raise Violation("W10")
        if any(hits_itself(self.group(number)) != by_itself for number in numbers):
            raise Violation("W19")
        return {"groups": list(numbers), "count": count, "attacks": attacks}

    def asked_model(self, target: str, number: int | None) -> Body:
        """W11: the model that takes the next wound."""
        if number is None:
            model = self.decided(target)
            if model is None:
                raise Violation("W11")
            return model
        for one in self.takers(target):
            if one["model"] == number:
                return one
        raise Violation("W11")

    def asked_save(self, author: str, body: Body) -> Body:
        self.check_next("save", author)
        assert self.sequence is not None
        batch = self.sequence["batch"]
        model = self.asked_model(batch["target"], body.get("model"))
        invulnerable = body.get("invulnerable", False)
        if self.save_needs(model, batch["wounds"][0], invulnerable) is None:
            raise Violation("W18")
        most = self.most_saves(model, invulnerable)
        count = body.get("count", most)
        if count > len(batch["wounds"]):
            raise Violation("W19")
        if count > most:
            raise Violation("W11")
        return {"model": model["model"], "invulnerable": invulnerable, "count": count}

    def most_saves(self, model: Body, invulnerable: bool) -> int:
        """W11: how many would be saves of models alike, if each failed and D came to the most."""
        assert self.sequence is not None
        batch = self.sequence["batch"]
        first = batch["wounds"][0]
        group = self.group(first["group"])
        rules = rules_of(group["abilities"], "saves", "invulnerable" if invulnerable else "save")
        if not self.options.get("fast_saves", False) or any("most" in rule for rule in rules):
            return 1
        damage = group["D"]["value"]
        if is_random(damage):
            first_step = new_step("rolled", None, None, 0)
            changes = changes_on(group, "D")
            damage = max(compute(value, changes, "D", first_step)[0] for value in shows(damage))
        unit = copy.deepcopy(self.units[batch["target"]])
        count = 0
        for wound in batch["wounds"]:
            if wound["group"] != first["group"]:
                break
            if armour_of(group, wound["improved"]) != armour_of(group, first["improved"]):
                break
            count += 1
            now = unit["models"][model["model"] - 1]
            unit["chosen"].append(now["model"])
            now["lost"] = min(now["W"], now["lost"] + max(0, damage))
            now["destroyed"] = now["lost"] == now["W"]
            if now["destroyed"]:
                left = [one for one in unit["models"] if not one["destroyed"]]
                first_ones = [one for one in left if one["lost"] > 0 or one["model"] in unit["chosen"]]
                coming = [one for one in first_ones or left if alike(one, model)]
                if not left:  # nothing comes of the dice that follow
                    return self.of_one_kind(batch["wounds"])
                if not coming:
                    break
                model = coming[0]
        return count

    def of_one_kind(self, wounds: list[Body]) -> int:
        """How many of the first wounds are of one group and one AP."""
        group = self.group(wounds[0]["group"])
        count = 0
        for wound in wounds:
            if wound["group"] != wounds[0]["group"]:
                break
            if armour_of(group, wound["improved"]) != armour_of(group, wounds[0]["improved"]):
                break
            count += 1
        return count

    def asked_inflict(self, number: int, count: int, ignores: bool) -> Body:
        target = self.served()
        assert target is not None
        model = self.asked_model(target, number)
        if count > model["W"] - model["lost"] or count > self.owed_on(target):
            raise Violation("W12")
        if (ward_of_mortal(model["line"]) is not None) != ignores:
            raise Violation("W22")
        return {"target": target, "model": number, "count": count}

    def request_reroll(self, author: str, body: Body) -> Body:  # noqa: C901 - the checks in their order
        if self.open is None or self.open != body["roll"]:
            raise Violation("W3")
        roll = self.find_roll(self.open)
        rule: Body = {"source": "Command Re-roll"}
        if "command" in body:
            if roll["player"] != author:
                raise Violation("W3")
            if roll["for"] not in COMMAND_ROLLS or together(roll):
                raise Violation("W21")
            if not self.options.get("command_reroll", True) or author in self.command:
                raise Violation("W21")
        else:
            if body["reroll"] > len(roll["rerolls"]):
                raise Violation("W3")
            rule = roll["rerolls"][body["reroll"] - 1]
            if rule.get("by", roll["player"]) != author or author in roll["waived"]:
                raise Violation("W3")
        if "dice" in body:
            dice = list(body["dice"])
        elif len(roll["parts"]) == 1:
            dice = list(roll["parts"][0]["dice"])
        else:
            raise Violation("W3")
        if not dice or len(set(dice)) < len(dice) or max(dice) > len(roll["dice"]):
            raise Violation("W3")
        if any(roll["dice"][number - 1]["status"] == "ignored" for number in dice):
            raise Violation("W3")
        parts = [part for part in roll["parts"] if set(part["dice"]) & set(dice)]
        whole = "results" not in rule and "apart" not in rule
        for part in parts:
            named = [number for number in part["dice"] if number in dice]
            if "results" in rule and any(roll["dice"][one - 1]["value"] not in rule["results"] for one in named):
                raise Violation("W5" if roll["d3"] else "W4")
            if "failed" in rule and not has_failed(roll, part):
                raise Violation("W6")
            if whole and len(named) < len(part["dice"]):
                raise Violation("W4")
        if "command" in body and len(parts) > 1:
            raise Violation("W21")
        if whole and are_added(roll) and len(parts) > 1:
            raise Violation("W4")
        limit = self.limit_of(roll, rule)
        if limit is not None and len(parts) > limit:
            raise Violation("W4")
        if any(was_changed(roll["dice"][number - 1]) for number in dice):
            raise Violation("W3")
        return {
            "roll": roll["roll"],
            "dice": len(dice),
            "reroll": {
                "dice": dice,
                "source": rule["source"],
                "command": author if "command" in body else None,
                "parts": len(parts) if "most" in rule else 0,
            },
        }

    def first_shown(self, roll: Body, naturals: list[int]) -> None:
        roll["dice"] = [
            {
                "die": number,
                "sides": 6,
                "naturals": [natural],
                "status": "counted",
                "result": natural,
                "value": natural,
                "steps": [],
                "replaced": None,
            }
            for number, natural in enumerate(naturals, start=1)
        ]
        lay_out(roll)

    def taken_always(self, roll: Body) -> list[tuple[int, str]]:
        """W3: the dice that `always` rules take with the roll, and the sources."""
        marked = copy.deepcopy(roll)
        taken: list[tuple[int, str]] = []
        for rule in marked["rerolls"]:
            if "always" not in rule:
                continue
            taken += [(number, rule["source"]) for number in self.takes(marked, rule)]
            for number, _ in taken:
                marked["dice"][number - 1]["replaced"] = marked["dice"][number - 1]["value"]
        return taken

    def further(self, naturals: list[int]) -> list[int]:
        assert self.pending is not None
        if self.pending["reroll"] is not None or len(naturals) < self.pending["dice"]:
            return []
        roll = copy.deepcopy(self.find_roll(self.pending["roll"]))
        if roll["off"] is not None:
            first = self.pending["dice"]
            return [6] * (len(rolled_again(first, naturals)) - (len(naturals) - first))
        if len(naturals) != self.pending["dice"]:
            return []
        self.first_shown(roll, naturals)
        return [6] * len(self.taken_always(roll))

    def reveal(self, naturals: list[int]) -> None:
        assert self.pending is not None
        pending = self.pending
        roll = self.find_roll(pending["roll"])
        counts = self.players[roll["player"]]
        counts["dice"] += len(naturals)
        if pending["reroll"] is None:
            first = pending["dice"]
            roll["status"] = "open"
            self.first_shown(roll, naturals[:first])
            again = self.taken_always(roll)
            if roll["off"] is not None:
                again = [(die, "tie") for die in rolled_again(first, naturals)]
            again = again[: len(naturals) - first]
            for (number, source), natural in zip(again, naturals[first:], strict=True):
                show_again(roll["dice"][number - 1], natural, source)
            counts["rerolled"] += len(again)
        else:
            reroll = pending["reroll"]
            for number, natural in zip(reroll["dice"], naturals, strict=True):
                show_again(roll["dice"][number - 1], natural, reroll["source"])
            counts["rerolled"] += len(naturals)
            if reroll["command"] is not None:
                self.command.append(reroll["command"])
            if reroll["parts"]:
                roll["taken"][reroll["source"]] = roll["taken"].get(reroll["source"], 0) + reroll["parts"]
        lay_out(roll)
        self.pending = None
        self.phase = "idle"

    def void(self) -> None:
        assert self.pending is not None
        roll = self.find_roll(self.pending["roll"])
        self.restore(self.pending["undo"])
        if self.pending["reroll"] is None:
            roll["status"] = "void"
            self.rolls.append(roll)
        self.pending = None
        self.phase = "idle"

    def close(self) -> None:
        super().close()
        if self.open is not None and self.waits() is None:
            self.settle()

    # Actions.

    def act(self, seq: int, author: str, type: str, body: Body) -> None:
        undo = self.keep()
        try:
            if type == "modify":
                self.modify(body)
            elif type == "declare":
                self.declare(seq, author, body)
            elif "roll" in body:
                self.resolve(author, body)
            else:
                self.resolve_step(author, body)
        except Violation:
            self.restore(undo)
            raise

    def declare(self, seq: int, author: str, body: Body) -> None:  # noqa: C901 - a form a branch
        what = body["what"]
        if what in ("phase", "gone", "wounds", "move", "attacks", "mortal"):
            self.step(author)
            self.late = None
            if self.sequence is not None:
                raise Violation("W19")
        if what == "phase":
            self.declare_phase(author, body)
        elif what == "unit":
            self.declare_unit(seq, author, body)
        elif what == "gone":
            self.the_unit(body["unit"], author, alive=False)
            del self.units[body["unit"]]
        elif what == "wounds":
            self.the_unit(body["unit"], author, alive=False)
            model = self.the_model(body["unit"], body["model"], alive=False)
            if body["lost"] > model["W"]:
                raise Violation("W20")
            model["lost"] = body["lost"]
            model["destroyed"] = model["lost"] >= model["W"]
        elif what == "move":
            self.declare_move(seq, author, body)
        elif what == "characteristic":
            self.declare_characteristic(seq, author, body)
        elif what == "attacks":
            self.begin_attacks(seq, author, body)
            self.advance()
        elif what == "rules":
            self.declare_rules(body)
        elif what == "always":
            self.declare_always(author, body)
        elif what == "mortal":
            self.declare_mortal(seq, author, body)
        elif what == "reroll":
            self.declare_reroll(author, body)
        elif what == "replace":
            self.declare_replace(author, body)
        else:
            self.declare_waive(author, body)

    def declare_phase(self, author: str, body: Body) -> None:
        turn = self.turn
        if turn is not None and turn["player"] == author:
            after = PHASES.index(body["phase"]) > PHASES.index(turn["phase"])
            others = [
                party
                for party, role in self.parties.items()
                if role == "player" and party != author and party not in self.left
            ]
            if not after and (turn["phase"] != "morale" or others):
                raise Violation("W19")
        elif turn is not None and turn["phase"] != "morale":
            raise Violation("W19")
        self.turn = {"player": author, "phase": body["phase"]}
        self.command = []
        for unit in self.units.values():
            unit["chosen"] = []
            unit["move"] = None

    def declare_unit(self, seq: int, author: str, body: Body) -> None:
        if body["unit"] in self.units or len(self.units) >= MAX_ITEMS:
            raise Violation("W20")
        moves = [canonical(one["M"]) for one in body["models"]]
        if any(is_random(one) for one in moves) and any(one != moves[0] for one in moves):
            raise Violation("W9")
        if sum(line["count"] * len(line["name"].encode("utf-8")) for line in body["models"]) > MAX_TOLD:
            raise Violation("W20")
        models: list[Body] = []
        for line in body["models"]:
            for _ in range(line["count"]):
                models.append(
                    {
                        "model": len(models) + 1,
                        "name": line["name"],
                        "W": line["W"],
                        "lost": 0,
                        "destroyed": False,
                        "line": {member: canonical(value) for member, value in line.items() if member != "name"}
                        | {"name": line["name"]},
                    }
                )
        unit = {
            "name": body["name"],
            "player": author,
            "models": models,
            "chosen": [],
            "move": None,
            "born": seq,
        }
        self.units[body["unit"]] = unit
        if self.late is not None:
            self.late["units"][body["unit"]] = copy.deepcopy(unit)

    def declare_move(self, seq: int, author: str, body: Body) -> None:
        unit = self.the_unit(body["unit"], author)
        distance = unit["models"][0]["line"]["M"]
        if not is_random(distance):
            raise Violation("W9")
        if unit["move"] is not None and "source" not in body:
            raise Violation("W9")
        changes = copy.deepcopy(body.get("modifiers", []))
        for value in shows(distance):
            compute(value, changes, "M", {})
        unit["move"] = {"selected": seq, "value": None, "steps": [], "modifiers": changes}

    def declare_characteristic(self, seq: int, author: str, body: Body) -> None:
        what = body["characteristic"]
        changes = body.get("modifiers", [])
        stand_in = None
        if "printed" in body:
            printed = body["printed"]
        else:
            self.the_unit(body["unit"], alive=False)
            line = self.the_model(body["unit"], body["model"])["line"]
            printed = line[what]
            if what in ("S", "Ld") and printed == "-":
                stand_in = line["T"]
        if is_random(printed):
            raise Violation("W9")
        value, steps = compute(printed, changes, what, new_step("printed", None, None, printed))
        if stand_in is not None:
            value = stand_in
            steps.append(new_step("takes T", None, None, value))
        if "value" in body and not equal(body["value"], value):
            raise Violation(clause_of_value(what, steps))
        self.computed.append(
            {
                "declared": seq,
                "player": author,
                "characteristic": what,
                "unit": body.get("unit"),
                "model": body.get("model"),
                "value": value,
                "steps": steps,
            }
        )
        self.computed = self.computed[-HISTORY:]

    def begin_attacks(self, seq: int, author: str, body: Body) -> None:
        unit = self.the_unit(body["unit"], author)
        groups = [
            self.new_group(author, number, unit, body["unit"], given)
            for number, given in enumerate(body["groups"], start=1)
        ]
        self.check_all_weights(groups)
        self.sequence = new_sequence(seq, author, body["unit"], groups)

    def new_group(self, author: str, number: int, unit: Body, own: str, given: Body) -> Body:
        """A group as declared: the checks of `attacks`."""
        abilities = [
            {member: canonical(value) if member == "amount" else copy.deepcopy(value) for member, value in one.items()}
            for one in given.get("abilities", [])
        ]
        check_weight(given.get("modifiers", []), abilities)
        target = self.the_unit(given["target"])
        if target["player"] == author:
            raise Violation("W20")
        alive = [one["model"] for one in self.left_of(own)]
        bearers = list(given.get("bearers", alive))
        if len(set(bearers)) < len(bearers) or any(bearer not in alive for bearer in bearers):
            raise Violation("W20")
        lines = [unit["models"][bearer - 1]["line"] for bearer in bearers]
        used = ["BS" if given["type"] == "ranged" else "WS"]
        used += [what for what in ("A", "S") if given[what] == "user"]
        if any(line[what] != lines[0][what] for line in lines for what in used):
            raise Violation("W20")
        if given["S"] == "user" and lines[0]["S"] == "-" and any(line["T"] != lines[0]["T"] for line in lines):
            raise Violation("W20")
        models = self.left_of(given["target"])
        toughness = [one["line"]["T"] for one in models]
        printed = {what: lines[0][what] if given[what] == "user" else canonical(given[what]) for what in ("A", "S")}
        group: Body = {
            "group": number,
            "target": given["target"],
            "weapon": given["weapon"],
            "type": given["type"],
            "bearers": bearers,
            "modifiers": copy.deepcopy(given.get("modifiers", [])),
            "abilities": abilities,
            "attacks": None,
            "hits": 0,
            "wounds": 0,
            "saved": 0,
            "failed": 0,
            # What the state does not show.
            "once": given.get("once", False),
            "printed": {
                **printed,
                "skill": lines[0][used[0]],
                "stand_in": lines[0]["T"],
                "T": max(toughness, key=lambda one: (toughness.count(one), one)),
                "AP": given["AP"],
                "D": canonical(given["D"]),
            },
            "models": len(models),
            "armours": sorted({one["line"]["Sv"] for one in target["models"] if one["line"]["Sv"] != "-"}),
            "selected": len(bearers),
            "begun": False,
            "lapsed": False,
            "known": False,
            "queue": [],
            "made": [],
        }
        check_abilities(group)
        check_skill_used(group)
        figure(group)
        check_to_come(group)
        check_announced(group, given.get("announced", {}))
        check_number_of_attacks(group)
        queue_up(group)
        return group

    def declare_always(self, author: str, body: Body) -> None:
        sequence = self.sequence
        if sequence is None or len(set(body["groups"])) < len(body["groups"]):
            raise Violation("W19")
        for number in body["groups"]:
            if number > len(sequence["groups"]):
                raise Violation("W19")
            rolls = (
                self.units[self.group(number)["target"]]["player"] if body["of"] in DEFENDERS else sequence["player"]
            )
            if author != rolls:
                raise Violation("W20")
        one = {"kind": "reroll", "of": body["of"], **body["reroll"], "always": True}
        self.declare_rules({"groups": body["groups"], "abilities": [one]})

    def declare_rules(self, body: Body) -> None:  # noqa: C901 - the checks in their order
        sequence = self.sequence
        if sequence is None or len(set(body["groups"])) < len(body["groups"]):
            raise Violation("W19")
        modifiers = body.get("modifiers", [])
        abilities = body.get("abilities", [])
        after_dice = False
        for number in body["groups"]:
            if number > len(sequence["groups"]):
                raise Violation("W19")
            group = self.group(number)
            if self.has_dice(group):
                after_dice = True
                if abilities or any(one["on"] not in LATE for one in modifiers):
                    raise Violation("W20")
            room = max(len(group["modifiers"]) + len(modifiers), len(group["abilities"]) + len(abilities))
            if room > MAX_ITEMS:
                raise Violation("W20")
            check_weight(group["modifiers"] + modifiers, group["abilities"] + abilities)
            self.the_unit(group["target"])
            add_rules(group, modifiers, abilities)
            check_abilities(group)
            check_skill_used(group)
            figure(group)
            check_to_come(group)
            check_number_of_attacks(group)
            queue_up(group)
        self.check_all_weights(sequence["groups"])
        under_way = self.hits_under_way()
        for number in body["groups"]:
            if self.has_dice(self.group(number)) and weight_of(self.group(number)) * (under_way + 1) > MAX_LOAD:
                raise Violation("W20")
        if after_dice:
            self.late = None
        if self.late is not None and self.late["sequence"] is not None:
            for number in body["groups"]:
                earlier = self.late["sequence"]["groups"][number - 1]
                add_rules(earlier, modifiers, abilities)
                figure(earlier)
                queue_up(earlier)
        if self.of_the_sequence():
            assert self.open is not None
            roll = self.find_roll(self.open)
            if roll["for"] == "save":
                info = {**roll["info"], "count": len(kept_slots(roll))}
                self.plan_anew(roll, self.plan("save", info))
                check_changes(roll, roll["modifiers"])
        self.advance()

    def check_all_weights(self, groups: list[Body]) -> None:
        if sum(weight_of(group) for group in groups) > 3 * MAX_TOLD:
            raise Violation("W20")

    def hits_under_way(self) -> int:
        """Hits or wounds of the batch that wait, the one not saved among them; else what an open hit roll can make."""
        assert self.sequence is not None
        batch = self.sequence["batch"]
        if batch is not None:
            unsaved = 0 if batch.get("unsaved") is None else 1
            to_come = sum(most_of(one["amount"]) for one in batch["extra"])
            return len(batch["hits"]) + to_come + len(batch["wounds"]) + unsaved
        if self.of_the_sequence():
            assert self.open is not None
            roll = self.find_roll(self.open)
            if roll["for"] == "hit":
                return self.hits_of(roll["info"]["attacks"])
        return 0

    def has_dice(self, group: Body) -> bool:
        """Whether dice were rolled for the group, or no bearer is left of it."""
        if group["begun"] or not group["bearers"]:
            return True
        if not self.of_the_sequence():
            return False
        assert self.open is not None
        roll = self.find_roll(self.open)
        named = [roll["info"].get("group"), *(one["group"] for one in roll["info"].get("attacks", []))]
        return group["group"] in named

    def declare_mortal(self, seq: int, author: str, body: Body) -> None:
        self.the_unit(body["target"])
        count = body.get("count", 0)
        if "roll" in body:
            roll = self.find_kept_roll(body["roll"])
            if roll is None or roll["for"] != "free" or roll["status"] != "resolved" or roll["player"] != author:
                raise Violation("W20")
            count = max(0, sum(part["result"] for part in roll["parts"]))
        self.sequence = new_sequence(seq, author, None, [])
        self.sequence["against"] = [body["target"]]
        if count:
            self.add_mortal(body["target"], body["source"], count)
        self.advance()

    def the_open_roll(self, number: int) -> Body:
        if self.open is None or self.open != number:
            raise Violation("W19")
        return self.find_roll(number)

    def declare_reroll(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if roll["player"] != author:
            raise Violation("W3")
        if roll["off"] is not None:
            raise Violation("W25")
        if len(roll["rerolls"]) >= MAX_ITEMS:
            raise Violation("W3")
        self.check_bearing({**roll, "rerolls": [*roll["rerolls"], body["reroll"]]}, "W3")
        rule = copy.deepcopy(body["reroll"])
        roll["further_rules"].append(rule)
        roll["rerolls"].append({"reroll": len(roll["rerolls"]) + 1, **copy.deepcopy(rule)})

    def declare_replace(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if roll["player"] != author:
            raise Violation("W3")
        if roll["off"] is not None:
            raise Violation("W25")
        if body["die"] > len(roll["dice"]):
            raise Violation("W3")
        die = roll["dice"][body["die"] - 1]
        if die["status"] == "ignored" or die["replaced"] is not None:
            raise Violation("W3")
        if roll["d3"] and body["shows"] > 3:
            raise Violation("W1")
        die["steps"].append({"replaced": die["value"], "source": body["source"]})
        die["replaced"] = body["shows"]
        lay_out(roll)

    def declare_waive(self, author: str, body: Body) -> None:
        if "roll" in body:
            roll = self.the_open_roll(body["roll"])
            named = any(rule.get("by") == author for rule in roll["rerolls"])
            if roll["player"] == author or not named or author in roll["waived"]:
                raise Violation("W21")
            roll["waived"].append(author)
            return
        if not self.options.get("command_reroll", True) or author in self.command:
            raise Violation("W21")
        self.command.append(author)

    def resolve(self, author: str, body: Body) -> None:
        if self.open is None or self.open != body["roll"]:
            raise Violation("W19")
        roll = self.find_roll(self.open)
        if roll["player"] != author or self.waits_by():
            raise Violation("W19")
        shown = copy.deepcopy(roll)
        finish(shown)
        if "results" in body:
            claim_of_results(shown, body["results"])
        if "passed" in body:
            claim_of_passed(shown, body["passed"])
        if "triggered" in body:
            claimed = sorted([one["ability"], sorted(one["parts"])] for one in body["triggered"])
            if claimed != self.triggered(shown):
                raise Violation("W7")
        self.settle()

    def triggered(self, roll: Body) -> list[list[Any]]:
        """Each ability that any part sets off, with these parts."""
        found: dict[int, list[int]] = {}
        if roll["for"] not in ("hit", "wound"):
            return []
        if roll["for"] == "hit":
            owners = [(one["group"], one["made"]) for one in roll["info"]["attacks"]]
        else:
            assert self.sequence is not None
            hits = [hit for hit in self.sequence["batch"]["hits"] if not hit["auto"]]
            owners = [(hit["group"], False) for hit in hits]
        for (number, made), part in zip(owners, roll["parts"], strict=True):
            for which, trigger in triggers_of(self.group(number)["abilities"], roll["for"]):
                if not made and sets_off(roll, part, trigger):
                    found.setdefault(which, []).append(part["part"])
        return [[which, parts] for which, parts in sorted(found.items())]

    def resolve_step(self, author: str, body: Body) -> None:
        self.step(author)
        self.late = None
        if "groups" in body:
            attacks = self.asked_hit(author, body, by_itself=True)["attacks"]
            batch = self.take_attacks(attacks)
            for place, attack in enumerate(attacks):
                hit = {"key": [place, 0], "group": attack["group"], "bearer": attack["bearer"]}
                batch["hits"].append({**hit, "auto": False, "S": None})
                self.group(attack["group"])["hits"] += 1
        elif "mortal" in body:
            self.check_next("inflict", author)
            info = self.asked_inflict(body["model"], body["mortal"], ignores=False)
            self.consume(info["target"], info["count"])
            self.lose(info["target"], info["model"], info["count"], "mortal")
        else:
            self.check_next("save", author)
            assert self.sequence is not None
            batch = self.sequence["batch"]
            model = self.asked_model(batch["target"], body["model"])
            if self.can_save(model, batch["wounds"][0]):
                raise Violation("W11")
            self.fail(model["model"], batch["wounds"].pop(0))
        self.advance()

    # Late modifiers.

    def modify(self, body: Body) -> None:  # noqa: C901 - the checks in their order
        late = None
        if self.open is not None and self.open == body["roll"]:
            roll = self.find_roll(self.open)
            sequence = self.sequence
        elif self.late is not None and self.late["roll"] == body["roll"]:
            late = self.late
            roll = late["record"]
            sequence = late["sequence"]
        else:
            raise Violation("W19")
        if late is not None:
            if late["times"] >= max(1, MAX_DICE // max(1, len(kept_slots(roll)))):
                raise Violation("W19")
            late["times"] += 1
        if roll["off"] is not None:
            raise Violation("W25")
        if len(roll["modifiers"]) + len(body["modifiers"]) > MAX_ITEMS:
            raise Violation("W2")
        self.check_bearing({**roll, "modifiers": [*roll["modifiers"], *body["modifiers"]]}, "W2")
        if roll["for"] not in ROLLED and any(one["op"] in ("set", "floor", "treat") for one in body["modifiers"]):
            raise Violation("W2")
        roll["modifiers"] += copy.deepcopy(body["modifiers"])
        roll["further_changes"] += copy.deepcopy(body["modifiers"])
        check_changes(roll, roll["modifiers"])
        if roll["for"] == "attacks":
            assert sequence is not None
            group = sequence["groups"][roll["info"]["group"] - 1]
            bearers, least = len(group["bearers"]), roll["least"]
            if most_attacks(bearers, group["once"], can_show(roll), roll["modifiers"], least) > MAX_DICE:
                raise Violation("W9")
        if late is not None:
            self.settle_again()

    def settle_again(self) -> None:
        """The roll that was settled last is settled again, as `late` has it now; a roll made since stands."""
        self.take_up()
        assert self.late is not None
        roll = copy.deepcopy(self.late["record"])
        self.rolls.append(roll)
        now_open, self.open = self.open, None
        self.carry_out(roll)
        self.advance()
        self.open = now_open
        if self.open is None:
            return
        since = self.find_roll(self.open)
        if since["sequence"] is None:
            return
        before = sum(1 for die in since["dice"] if die["status"] == "ignored")
        self.stand_on(since)
        after = sum(1 for die in since["dice"] if die["status"] == "ignored")
        self.players[since["player"]]["ignored"] += after - before
        if not since["parts"]:
            since["status"] = "resolved"
            self.players[since["player"]]["rolls"] += 1
            self.put_last(since)
            self.put_last(roll)
            self.open = None
            self.advance()

    def take_up(self) -> None:
        """All is as before the roll that was settled last was settled."""
        assert self.late is not None
        self.units = copy.deepcopy(self.late["units"])
        self.sequence = copy.deepcopy(self.late["sequence"])
        self.sequences = copy.deepcopy(self.late["sequences"])
        self.rolls = [one for one in self.rolls if one["roll"] != self.late["roll"]]

    def stand_on(self, roll: Body) -> None:
        """The dice of a roll that was made since, for what is there now; W19 where it would be another roll."""
        fitting = self.still_there(roll)
        for slot in roll["slots"]:
            slot["ignored"] = slot["key"] not in fitting
        if fitting:
            info = roll["info"]
            if roll["for"] in ("save", "ignore") and info["count"] is not None:
                info = {**info, "count": len(fitting)}
            plan = self.plan(roll["for"], info)
            if [slot["key"] for slot in plan["slots"]] != [slot["key"] for slot in kept_slots(roll)]:
                raise Violation("W19")
            if plan["random"] != roll["random"]:
                raise Violation("W19")
            self.plan_anew(roll, plan)
        else:
            lay_out(roll)

    def still_there(self, roll: Body) -> list[Any]:  # noqa: C901 - a kind of roll a branch
        """The keys of the slots of which the dice are for something that is there."""
        kind, info = roll["for"], roll["info"]
        other = Violation("W19")
        keys = [slot["key"] for slot in roll["slots"]]
        stage = self.stage()
        step = None if stage is None else stage[1]
        batch = None if self.sequence is None else self.sequence["batch"]
        hits = [] if batch is None else [hit for hit in batch["hits"] if not hit["auto"]]
        wounds = [] if batch is None else batch["wounds"]
        unsaved = None if batch is None else batch["unsaved"]
        coming = [one["key"] for one in [*([] if batch is None else batch["hits"]), *wounds]]
        if step == "extra" and kind != "extra":
            raise other
        if kind == "extra":
            waiting = [one["key"] for one in first_extra(batch)] if step == "extra" and batch is not None else []
            if any(key not in keys for key in waiting):
                raise other
            return waiting
        if kind in ("strength", "wound"):
            if not hits:
                return []
            needed = [hit["key"] for hit in hits]
            if step != kind or any(key not in keys for key in needed):
                raise other
            return needed
        if kind == "save":
            if not hits and not wounds:
                return []
            if step != "save":
                raise other
            assert batch is not None
            model = next((one for one in self.takers(batch["target"]) if one["model"] == info["model"]), None)
            count = min(len(keys), len(wounds))
            if model is None or count > self.most_saves(model, info["invulnerable"]):
                raise other
            return keys[:count]
        if kind == "damage":
            if unsaved is not None and unsaved["key"] == keys[0]:
                if step != "damage":
                    raise other
                return keys
            if keys[0] in coming:
                raise other
            return []
        if kind == "ignore" and info["count"] is None:
            if unsaved is not None and unsaved["key"] == info["key"]:
                if step != "ignore" or unsaved["model"] != info["model"]:
                    raise other
                count = min(unsaved["damage"], MAX_DICE)
                if count > len(keys):
                    raise other
                return keys[:count]
            if info["key"] in coming:
                raise other
            return []
        if kind == "ignore" and (self.sequence is None or not self.waiting_on(info["target"])):
            return []
        if self.sequence is None:
            raise other
        if kind == "ignore":
            if step != "inflict" or self.served() != info["target"]:
                raise other
            model = next((one for one in self.takers(info["target"]) if one["model"] == info["model"]), None)
            if model is None:
                raise other
            count = min(len(keys), self.owed_on(info["target"]), model["W"] - model["lost"])
            return keys[:count]
        if kind == "mortal":
            if step != "mortal" or self.served() != info["target"]:
                raise other
            return keys
        if batch is not None or self.single_waits():
            raise other
        if kind == "attacks":
            if self.group(info["group"])["known"]:
                raise other
            return keys
        under = self.sequence["under"]
        if any(under not in (None, self.group(number)["target"]) for number in info["groups"]):
            raise other
        attacks = self.attacks_of(info["groups"], info["count"])
        if attacks != info["attacks"]:
            raise other
        return keys

    # Leaving and rulings.

    def end_roll(self, roll: Body, status: str) -> None:
        """The open roll ends, and nothing comes of it."""
        roll["status"] = status
        self.put_last(roll)
        self.open = None

    def leave(self, name: str) -> None:
        self.left.add(name)
        if self.parties[name] != "player":
            return
        self.late = None
        if self.turn is not None and self.turn["player"] == name:
            self.turn = None
        if self.open is not None and self.find_roll(self.open)["player"] == name:
            self.end_roll(self.find_roll(self.open), "abandoned")
        if self.sequence is not None:
            owners = [self.sequence["player"], *(self.units[unit]["player"] for unit in self.sequence["against"])]
            if name in owners:
                if self.of_the_sequence():
                    assert self.open is not None
                    self.end_roll(self.find_roll(self.open), "abandoned")
                self.end_sequence("abandoned")
        self.units = {unit: one for unit, one in self.units.items() if one["player"] != name}

    def ruling(self, seq: int, author: str, body: Body) -> None:
        if body["ruling"] == "void":
            self.strike(body["subject"])
        elif body["ruling"] == "correct" and "results" in body:
            undo = self.keep()
            try:
                self.correct(body["subject"], body["results"])
            except Violation as violation:
                self.restore(undo)
                raise Violation("ruling") from violation
        self.record(seq, author, body)

    def strike(self, subject: int) -> None:
        if self.open is not None and self.open == subject:
            self.end_roll(self.find_roll(self.open), "struck")
            self.advance()
            return
        if self.late is not None and self.late["roll"] == subject:
            if self.open is not None:
                self.end_roll(self.find_roll(self.open), "struck")
            self.take_up()
            roll = self.late["record"]
            roll["status"] = "struck"
            lay_out(roll)
            self.rolls.append(roll)
            self.players[roll["player"]]["rolls"] -= 1
            self.late = None
            self.advance()
            return
        if self.sequence is not None and self.sequence["sequence"] == subject:
            if self.of_the_sequence():
                assert self.open is not None
                self.end_roll(self.find_roll(self.open), "struck")
            self.give_back(self.sequence)
            self.end_sequence("struck")
            self.late = None
            return
        for sequence in self.sequences:
            if sequence["sequence"] == subject:
                if sequence["status"] != "struck":
                    self.give_back(sequence)
                    sequence["status"] = "struck"
                    self.late = None
                return
        found = self.find_kept_roll(subject)
        if found is not None and found["status"] != "struck":
            found["status"] = "struck"
            self.late = None

    def give_back(self, sequence: Body) -> None:
        for entry in sequence["damage"]:
            unit = self.units.get(entry["unit"])
            if unit is None or unit["born"] != entry["born"]:
                continue
            model = unit["models"][entry["model"] - 1]
            model["lost"] = max(0, model["lost"] - entry["normal"] - entry["mortal"] - entry["slain"])
            model["destroyed"] = model["lost"] >= model["W"]

    def correct(self, subject: int, results: list[Body]) -> None:
        found = self.find_kept_roll(subject)
        if found is None:
            return
        if found["status"] == "open":
            rule_dice(found, results)
            self.check_ruled(found, self.sequence)
            lay_out(found)
            return
        if self.late is not None and self.late["roll"] == subject:
            if self.late["times"] >= max(1, MAX_DICE // max(1, len(kept_slots(self.late["record"])))):
                raise Violation("ruling")
            self.late["times"] += 1
            rule_dice(self.late["record"], results)
            self.check_ruled(self.late["record"], self.late["sequence"])
            undo = self.keep()
            try:
                self.settle_again()
            except Violation:
                self.restore(undo)
                assert self.open is not None
                self.end_roll(self.find_roll(self.open), "struck")
                self.settle_again()
            return
        if found["status"] == "resolved" and found["for"] not in ("free", "off"):
            raise Violation("ruling")
        rule_dice(found, results)
        if found["status"] == "resolved":
            self.check_ruled(found, None)
            finish(found)
        else:
            for die in found["dice"]:
                ruled = ruling_on(die)
                die["result"] = die["result"] if ruled is None else ruled
        if results:
            self.late = None

    def check_ruled(self, roll: Body, sequence: Body | None) -> None:
        """No result beyond MAX_MODIFIER, no more than MAX_DICE attacks."""
        after = copy.deepcopy(roll)
        finish(after)
        results = [part["result"] for part in after["parts"]]
        if any(abs(result) > MAX_MODIFIER for result in results):
            raise Violation("ruling")
        if roll["for"] == "attacks":
            assert sequence is not None
            group = sequence["groups"][roll["info"]["group"] - 1]
            times = len(group["bearers"]) if group["once"] else 1
            if sum(max(0, result) for result in results) * times > MAX_DICE:
                raise Violation("ruling")

    # The state, as reports show it.

    def stands(self) -> bool:
        return self.phase != "pending" and self.open is not None and self.waits() is None

    def settled(self) -> Warhammer:
        """The game after the settling of the roll that stands."""
        after = copy.deepcopy(self)
        after.settle()
        return after

    def waits_for(self) -> dict[str, str] | None:
        if self.stands():
            return self.settled().waits_for()
        if self.open is not None:
            return self.waits()
        stage = self.stage()
        if stage is not None:
            return {"party": stage[0], "choice": stage[1]}
        for unit, one in self.units.items():
            if one["move"] is not None and one["move"]["value"] is None and self.left_of(unit):
                return {"party": one["player"], "choice": "move"}
        return None

    def state(self) -> Body:
        if self.stands():
            shown = self.settled().state()
            shown["rolls"][-1]["status"] = "open"
            shown["open"] = self.open
            return shown
        state = {
            **self.shared_state(SHOWN),
            "open": self.open,
            "turn": copy.deepcopy(self.turn),
            "units": {unit: self.shown_unit(one) for unit, one in self.units.items()},
            "sequence": None if self.sequence is None else self.shown_sequence(self.sequence),
            "sequences": [self.shown_sequence(one) for one in self.sequences],
            "computed": copy.deepcopy(self.computed),
            "command": list(self.command),
            "players": copy.deepcopy(self.players),
        }
        for roll in state["rolls"]:
            for die in roll["dice"]:
                del die["replaced"]
        return state

    def shown_unit(self, unit: Body) -> Body:
        move = unit["move"]
        return {
            "name": unit["name"],
            "player": unit["player"],
            "models": [
                {member: model[member] for member in ("model", "name", "W", "lost", "destroyed")}
                for model in unit["models"]
            ],
            "chosen": list(unit["chosen"]),
            "move": None
            if move is None
            else {member: copy.deepcopy(move[member]) for member in ("selected", "value", "steps")},
        }

    def shown_sequence(self, sequence: Body) -> Body:
        batch = sequence["batch"]
        target = coming = None
        if sequence is self.sequence:
            target = sequence["under"]
            if target is None:
                target = self.served()
            stage = self.stage()
            if stage is not None:
                coming = {"player": stage[0], "step": stage[1], "dice": stage[2]}
        unsaved = None if batch is None else batch["unsaved"]
        return {
            **{member: sequence[member] for member in ("sequence", "player", "unit", "status")},
            "groups": [shown_group(group) for group in sequence["groups"]],
            "target": target,
            "next": coming,
            "hits": 0 if batch is None else len(batch["hits"]),
            "extra": [] if batch is None else shown_extra(batch),
            "wounds": 0 if batch is None else len(batch["wounds"]),
            "rolled": {"saved": sum(batch["told"]), "failed": batch["told"].count(False)}
            if batch is not None and batch["told"]
            else None,
            "unsaved": None if unsaved is None else {"model": unsaved["model"], "damage": unsaved["damage"]},
            "mortal": [
                {member: one[member] for member in ("target", "source", "amount", "times")}
                for one in sequence["mortal"]
            ],
            "damage": [
                {member: one[member] for member in ("unit", "model", "normal", "mortal", "slain")}
                for one in sequence["damage"]
            ],
            "limited": copy.deepcopy(sequence["limited"]),
        }


def rule_dice(roll: Body, results: list[Body]) -> None:
    """A judge's results of dice of a roll."""
    for entry in results:
        if entry["die"] > len(roll["dice"]) or abs(entry["result"]) > MAX_MODIFIER:
            raise Violation("ruling")
        die = roll["dice"][entry["die"] - 1]
        if ruling_on(die) is not None:
            die["steps"].pop()
        die["steps"].append({"ruled": entry["result"]})


def first_extra(batch: Body) -> list[Body]:
    """The numbers of extra hits that are rolled next, together."""
    first = batch["extra"][0]
    return [one for one in batch["extra"] if (one["source"], one["amount"]) == (first["source"], first["amount"])]


def shown_extra(batch: Body) -> list[Body]:
    """What waits of them, what is rolled together in one."""
    found: list[Body] = []
    for one in batch["extra"]:
        entry = next((x for x in found if (x["source"], x["amount"]) == (one["source"], one["amount"])), None)
        if entry is None:
            found.append({"source": one["source"], "amount": one["amount"], "times": 1})
        else:
            entry["times"] += 1
    return found


def shown_group(group: Body) -> Body:
    members = (
        *("group", "target", "weapon", "type", "bearers", "skill", "S", "T", "AP", "D", "A", "wound", "modifiers"),
        *("abilities", "attacks", "hits", "wounds", "saved", "failed"),
    )
    left = len(group["queue"]) + len(group["made"]) if group["known"] else None
    return {**{member: copy.deepcopy(group[member]) for member in members}, "left": left}
