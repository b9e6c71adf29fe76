"""An oracle for Magic 706: the rules of specs/mtg.md and specs/rules.md, written from those pages alone.

Nothing of the project is imported; what all systems share is in reference_rules.py. Everything is plain dicts and
lists, the checks stand in the order in which they are made, and nothing is clever: what a finished roll shows is
what it would be if it were settled, so it is settled, looked at, and put back. Where the pages leave a choice, it is
marked CHOICE.
"""

from __future__ import annotations

import copy
import re

from tests.oracles import reference_rules
from tests.oracles.reference_rules import (
    MAX_DICE,
    MAX_ITEMS,
    MAX_MODIFIER,
    MAX_PARTIES,
    MAX_SAFE_INTEGER,
    MAX_TOLD,
    Body,
    Check,
    SchemaError,
    Violation,
    amount,
    array_of,
    boolean,
    check_load,
    integer,
    integer_between,
    name,
    need,
    object_of,
    one_of,
    positive,
    required_text,
    run_event,
    text,
    true,
    weight,
)

__all__ = ["Magic", "SchemaError", "Violation", "check_body", "check_options", "run_event"]

MAX_STORED = 100

FACES = {1: "planeswalk", 2: "blank", 3: "blank", 4: "blank", 5: "blank", 6: "chaos"}
COIN_FACES = {1: "heads", 2: "tails"}

SHOWN = (
    *("roll", "player", "status", "dice", "source", "notation", "modifiers", "effects", "again", "joins"),
    *("store", "stored", "rerolls", "replaced", "use", "ignoring", "rows", "doubles", "triggered"),
    *("total", "highest", "lowest", "heads", "won", "random", "call", "standing", "without"),
)

Kind = tuple[int, str]
"""Of a die: its sides, and "planar", "coin" or nothing."""

Range = tuple[int | None, int | None]
"""The first and the last number; None where there is no end."""


# --- bodies ---------------------------------------------------------------------------------------


def permanent_id(value: object) -> None:
    need(
        isinstance(value, str) and re.fullmatch("[a-z0-9._-]{1,40}", value) is not None,
        "a permanent's id is needed",
    )


def kind_of_dice(value: object) -> None:
    is_kind = isinstance(value, str) and re.fullmatch("d[1-9][0-9]{0,15}|planar|coin", value) is not None
    need(is_kind, "a kind of dice is needed")


def false(value: object) -> None:
    need(value is False, "false is needed, or nothing")


def true_or_may(value: object) -> None:
    need(value is True or value == "may", 'true or "may" is needed, or nothing')


dice_numbers = array_of(positive, MAX_DICE)

# CHOICE: the claims have an entry for each counted die, so up to MAX_DICE.
claims = array_of(integer, MAX_DICE)

effect_members = object_of(
    {"source": required_text, "kind": one_of("reroll", "adjust", "exchange")},
    {
        "amounts": array_of(amount, 10, 1),
        "number": integer_between(-MAX_MODIFIER, MAX_MODIFIER),
        "scope": one_of("each", "one", "any"),
        "optional": true,
        "cost": required_text,
        "mana_cost": required_text,
        "once": true,
        "only": kind_of_dice,
    },
)


def effect(value: object) -> None:
    effect_members(value)
    assert isinstance(value, dict)
    need(("amounts" in value) == (value["kind"] == "adjust"), "amounts belong to adjust, and only to it")
    need(("number" in value) == (value["kind"] == "exchange"), "a number belongs to exchange, and only to it")
    need(value["kind"] != "exchange" or value.get("scope") == "one", "an exchange is of one die")
    need(value.get("only") != "coin", "an effect concerns no coin")
    need(value.get("only") != "planar" or value["kind"] == "reroll", "planar dice are only rerolled")


ignore_members = object_of(
    {"source": required_text, "which": one_of("lowest", "highest", "any", "pair")},
    {"extra": integer_between(0, 100), "sides": positive, "count": integer_between(1, 100), "only": kind_of_dice},
)


def ignore_entry(value: object) -> None:
    ignore_members(value)
    assert isinstance(value, dict)
    need("sides" not in value or value.get("extra", 0) > 0, "no kind where no dice are added")
    need("sides" not in value or "only" not in value, "only, or sides")
    if value.get("only") in ("planar", "coin"):
        need(value["which"] in ("any", "pair"), "what has no number is not the lowest")
    if value["which"] == "pair":
        need(value.get("extra", 0) == 0 and value.get("count", 1) == 1, "a pair has no extra and no count")


modifiers = array_of(object_of({"source": required_text, "amount": amount}))

ignores = array_of(ignore_entry)

roll_members = object_of(
    {},
    {
        "source": required_text,
        "dice": text,
        "modifiers": modifiers,
        "effects": array_of(effect),
        "ignores": ignores,
        "table": array_of(object_of({"range": text, "effect": text}, {"again": true_or_may}), least=1),
        "use": required_text,
        "doubles": required_text,
        "store": permanent_id,
        "again": positive,
        "joins": positive,
        "call": one_of("heads", "tails"),
        "without": array_of(positive, least=1),
        "random": true,
    },
)


def roll_body(body: object) -> None:
    roll_members(body)
    assert isinstance(body, dict)
    need("source" in body or "again" in body or "joins" in body, "a source is needed")
    need("again" not in body or "joins" not in body, "again or joins, not both")
    if "random" in body:
        need(not set(body) - {"source", "dice", "table", "use", "random"}, "source, dice, table and use alone")


paying: dict[str, Check] = {"paid": true, "mana_abilities": array_of(text)}

reroll_effect_body = object_of({"roll": positive, "effect": positive}, {"dice": dice_numbers, **paying})

# CHOICE: `stored` may be empty for the schema, because clause 706.8b refuses "none"; it stands for dice, so
# up to MAX_DICE.
reroll_stored_body = object_of(
    {"permanent": permanent_id, "stored": dice_numbers, "source": required_text},
    {"by": permanent_id, "modifiers": modifiers, "ignores": ignores, "without": array_of(positive, least=1)},
)

modify_apply_body = object_of(
    {"roll": positive, "effect": positive, "choice": one_of("apply")},
    {"dice": dice_numbers, "amount": integer_between(-MAX_MODIFIER, MAX_MODIFIER), **paying},
)

modify_decline_body = object_of({"roll": positive, "effect": positive, "choice": one_of("decline")})

ignore_body = object_of({"roll": positive, "dice": dice_numbers})

resolve_body = object_of(
    {"roll": positive},
    {
        "results": claims,
        "rows": claims,
        "doubles": boolean,
        "again": false,
        "total": integer,
        "highest": integer,
        "lowest": integer,
        "heads": integer,
        "won": integer,
        "best": array_of(name, MAX_PARTIES),
    },
)

whose = one_of("you", "opponents", "any")

declare_bodies: dict[str, Check] = {
    "effect": object_of({"what": text, "roll": positive, "effect": effect}, {"controller": name}),
    "trigger": object_of(
        {"what": text, "source": required_text, "on": one_of("rolled", "die", "highest", "won", "lost")},
        {"whose": whose},
    ),
    "trigger range": object_of(
        {"what": text, "source": required_text, "on": one_of("result", "natural"), "range": text},
        {"whose": whose},
    ),
    "standing ignore": object_of({"what": text, "ignore": ignore_entry}, {"whose": whose, "permanent": permanent_id}),
    "standing effect": object_of({"what": text, "effect": effect}, {"whose": whose, "permanent": permanent_id}),
    "permanent": object_of({"what": text, "permanent": permanent_id, "name": required_text}),
    "gone": object_of({"what": text, "permanent": permanent_id}),
    "ends": object_of({"what": text, "trigger": positive}),
    "ends standing": object_of({"what": text, "standing": positive}),
    "ends effect": object_of({"what": text, "roll": positive, "effect": positive}),
}


def declare_body(body: object) -> None:
    need(isinstance(body, dict), "an object is needed")
    assert isinstance(body, dict)
    one_of("effect", "trigger", "standing", "permanent", "gone", "ends")(body.get("what"))
    form = str(body["what"])
    if form == "trigger" and "range" in body:
        form = "trigger range"
    elif form == "standing":
        form = "standing ignore" if "ignore" in body else "standing effect"
    elif form == "ends" and "standing" in body:
        form = "ends standing"
    elif form == "ends" and "trigger" not in body:
        form = "ends effect"
    declare_bodies[form](body)


def check_options(options: object) -> None:
    object_of({"planechase": boolean})(options)


def check_body(type: str, body: object) -> None:
    need(isinstance(body, dict), "an object is needed")
    assert isinstance(body, dict)
    if type == "roll":
        roll_body(body)
    elif type == "reroll":
        (reroll_stored_body if "permanent" in body else reroll_effect_body)(body)
    elif type == "ignore":
        ignore_body(body)
    elif type == "modify":
        (modify_decline_body if body.get("choice") == "decline" else modify_apply_body)(body)
    elif type == "resolve":
        resolve_body(body)
    elif type == "declare":
        declare_body(body)
    else:
        raise SchemaError(f"{type} is no type of this system")


# --- notations ------------------------------------------------------------------------------------


def parse_kinds(notation: str) -> list[Kind] | None:
    """The kind of each die in order, or None when this is no dice notation."""
    kinds: list[Kind] = []
    for term in notation.split("+"):
        match = re.fullmatch("([1-9][0-9]*)?(?:d([1-9][0-9]*)|(planar|coin))", term)
        # More digits than MAX_SAFE_INTEGER has are too many in any case.
        if match is None or len(match[1] or "") > 4 or len(match[2] or "") > 16:
            return None
        special = match[3] or ""
        sides = {"planar": 6, "coin": 2}[special] if special else int(match[2])
        if sides > MAX_SAFE_INTEGER:
            return None
        number = 1 if match[1] is None else int(match[1])
        if len(kinds) + number > MAX_DICE:
            return None
        kinds += [(sides, special)] * number
    return kinds


def write_dice(kinds: list[Kind]) -> str:
    """The notation of a reroll of stored results: neighbours of one kind together."""
    terms: list[list[int]] = []
    for sides, _ in kinds:
        if terms and terms[-1][1] == sides:
            terms[-1][0] += 1
        else:
            terms.append([1, sides])
    # CHOICE: one die of a kind has its number too.
    return "+".join(f"{count}d{sides}" for count, sides in terms)


DIGITS = "0123456789"
FULL_WIDTH = "".join(chr(point) for point in range(0xFF10, 0xFF1A))
DASHES = "\\-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u301c\uff0d\uff5e"
NUMBER = f"([{DIGITS}{FULL_WIDTH}]+)"


def parse_number(written: str) -> int | None:
    digits = written
    for ascii_digit, wide_digit in zip(DIGITS, FULL_WIDTH, strict=True):
        digits = digits.replace(wide_digit, ascii_digit)
    if (len(digits) > 1 and digits[0] == "0") or len(digits) > 16 or int(digits) > MAX_SAFE_INTEGER:
        return None
    return int(digits)


def parse_range(written: str) -> Range | None:
    """The range of a table's row, or None when this is none."""
    match = re.fullmatch(f"{NUMBER}(?:[{DASHES}]{NUMBER}|([+\uff0b]))?", written)
    if match is None:
        return None
    first = parse_number(match[1])
    if first is None:
        return None
    if match[3] is not None:
        return first, None
    if match[2] is None:
        return first, first
    last = parse_number(match[2])
    if last is None or first > last:
        return None
    return first, last


def parse_trigger_range(written: str) -> Range | None:
    """The range of an ability that triggers, or None when this is none."""
    match = re.fullmatch(f"([-\u2212])?{NUMBER}(?: or less|\u4ee5\u4e0b)", written)
    if match is None:
        return parse_range(written)
    number = parse_number(match[2])
    if number is None or (match[1] is not None and number == 0):
        return None
    return None, number if match[1] is None else -number


def in_range(value: int, limits: Range) -> bool:
    first, last = limits
    return (first is None or first <= value) and (last is None or value <= last)


def row_range(row: Body) -> Range:
    parsed = parse_range(row["range"])
    if parsed is None:
        raise Violation("706.3a")
    return parsed


def check_table(table: list[Body]) -> None:
    ranges = [row_range(row) for row in table]
    for index, (first, last) in enumerate(ranges):
        for other_first, other_last in ranges[:index]:
            assert first is not None
            assert other_first is not None
            if (last is None or other_first <= last) and (other_last is None or first <= other_last):
                raise Violation("706.3a")


# --- the dice of a roll ---------------------------------------------------------------------------


def all_planar(called: list[Kind]) -> bool:
    return all(special == "planar" for _, special in called)


def has_coins(called: list[Kind]) -> bool:
    return any(special == "coin" for _, special in called)


def name_of(kind: Kind) -> str:
    sides, special = kind
    return special or f"d{sides}"


def is_concerned(one: Body, kind: Kind) -> bool:
    """Whether an entry of `ignores`, or an effect, is for dice of this kind."""
    only = one.get("only")
    return only is None or only == name_of(kind)


def added_kind(called: list[Kind], one: Body) -> Kind:
    """The kind of the dice that an entry adds."""
    possible = [kind for kind in called if not kind[1]] or called
    if one.get("only") is not None:
        chosen = [kind for kind in called if name_of(kind) == one["only"]]
    elif one.get("first"):
        # What stands adds dice of the kind called for first.
        chosen = possible[:1]
    elif "sides" in one:
        chosen = [kind for kind in possible if kind == (one["sides"], "")]
    else:
        chosen = possible if len(set(possible)) == 1 else []
    if not chosen:
        raise Violation("706.1")
    return chosen[0]


def with_ignores(called: list[Kind], given: list[Body]) -> tuple[list[Kind], list[int]]:
    """All dice, and for each the number of the first one of its group."""
    kinds = list(called)
    groups = list(range(1, len(kinds) + 1))
    for one in given:
        if one["which"] == "pair":
            doubled = [index for index, kind in enumerate(kinds) if is_concerned(one, kind)]
            kinds = kinds + [kinds[index] for index in doubled]
            groups = groups + [groups[index] for index in doubled]
        elif one.get("extra", 0) > 0:
            added = added_kind(called, one)
            for _ in range(one["extra"]):
                kinds = [*kinds, added]
                groups = [*groups, len(kinds)]
        if len(kinds) > MAX_DICE:
            raise Violation("706.1")
    return kinds, groups


def joined_sources(entries: list[Body]) -> str:
    sources: list[str] = []
    for one in entries:
        if one["source"] not in sources:
            sources.append(one["source"])
    return ", ".join(sources)


def ignoring_steps(given: list[Body], groups: list[int]) -> list[Body]:
    """What is to be ignored, step by step; `dice` of a group, else None."""
    steps: list[Body] = []
    pairs = [one for one in given if one["which"] == "pair"]
    for group in sorted(set(groups)):
        members = [number for number, first in enumerate(groups, start=1) if first == group]
        if len(members) > 1:
            # CHOICE: `which` of a group's choice is `pair`.
            count = len(members) - 1
            steps.append(
                {"source": joined_sources(pairs), "which": "pair", "dice": members, "count": count, "only": None}
            )
    together: list[list[Body]] = []
    for one in given:
        if one["which"] == "pair":
            continue
        is_alike = together and all(together[-1][0].get(key) == one.get(key) for key in ("which", "only"))
        if is_alike:
            together[-1].append(one)
        else:
            together.append([one])
    for entries in together:
        count = sum(one.get("count", 1) for one in entries)
        step = {"source": joined_sources(entries), "which": entries[0]["which"], "dice": None, "count": count}
        steps += [{**step, "only": entries[0].get("only")}]
    return steps


def counted(roll: Body) -> list[Body]:
    return [die for die in roll["dice"] if die["status"] == "counted"]


def with_result(roll: Body) -> list[Body]:
    """The counted dice that are not planar, and no coins."""
    return [die for die in counted(roll) if not die["planar"] and not die["coin"]]


def kind_of(die: Body) -> Kind:
    return die["sides"], "planar" if die["planar"] else "coin" if die["coin"] else ""


def find_die(roll: Body, number: int) -> Body | None:
    for die in roll["dice"]:
        if die["die"] == number:
            found: Body = die
            return found
    return None


def ignore_what_leaves_no_choice(roll: Body) -> int:
    """Ignore at once what can be, up to the next choice, which is noted; the number of dice that were ignored."""
    ignored = 0
    roll["ignoring"] = None
    while roll["steps"]:
        step = roll["steps"][0]
        which = step["which"]
        if step["dice"] is not None:
            dice = [die for die in counted(roll) if die["die"] in step["dice"]]
        elif which == "any":
            dice = [die for die in counted(roll) if is_concerned(step, kind_of(die))]
        else:
            dice = [die for die in with_result(roll) if is_concerned(step, kind_of(die))]
        choose_from: list[Body] = []
        if len(dice) <= step["count"]:
            at_once = dice
        elif which in ("any", "pair"):
            at_once = []
            choose_from = dice
        else:
            results = sorted((die["result"] for die in dice), reverse=which == "highest")
            limit = results[step["count"] - 1]
            if which == "lowest":
                at_once = [die for die in dice if die["result"] < limit]
            else:
                at_once = [die for die in dice if die["result"] > limit]
            tied = [die for die in dice if die["result"] == limit]
            if len(tied) > step["count"] - len(at_once):
                choose_from = tied
            else:
                at_once = at_once + tied
        for die in at_once:
            die["status"] = "ignored"
        ignored += len(at_once)
        step["count"] -= len(at_once)
        if choose_from:
            roll["ignoring"] = {
                "source": step["source"],
                "which": which,
                "of": [die["die"] for die in choose_from],
                "count": step["count"],
            }
            return ignored
        roll["steps"].pop(0)
    return ignored


# --- effects --------------------------------------------------------------------------------------


def adjusted(die: Body) -> bool:
    return any("adjust" in step for step in die["steps"])


def exchanged(die: Body) -> bool:
    return any("exchange" in step for step in die["steps"])


def applicable(roll: Body, one: Body) -> list[int]:
    """The dice of the roll that this effect can be applied to."""
    dice = [die for die in counted(roll) if not exchanged(die) and is_concerned(one, kind_of(die))]
    if one["kind"] == "reroll":
        return [die["die"] for die in dice if not adjusted(die)]
    return [die["die"] for die in dice if not die["planar"]]


def mandatory(one: Body) -> bool:
    return not one["optional"] and one["cost"] is None and one["mana_cost"] is None


def waiting(roll: Body) -> list[Body]:
    """The unanswered effects that can be applied to a die."""
    return [one for one in roll["effects"] if one["answer"] is None and applicable(roll, one)]


def has_one_way(roll: Body, one: Body) -> bool:
    return (
        one["kind"] == "adjust"
        and mandatory(one)
        and len(one["amounts"]) == 1
        and (one["scope"] == "each" or len(applicable(roll, one)) == 1)
    )


def forced(roll: Body) -> list[Body]:
    effects = waiting(roll)
    return effects if all(has_one_way(roll, one) for one in effects) else []


def to_be_answered(roll: Body) -> list[Body]:
    return [] if forced(roll) else waiting(roll)


def finished(roll: Body) -> bool:
    return roll["status"] == "open" and roll["ignoring"] is None and not to_be_answered(roll)


def apply_adjustment(roll: Body, one: Body, numbers: list[int], chosen: int) -> None:
    for number in numbers:
        die = roll["dice"][number - 1]
        die["steps"].append({"adjust": chosen, "source": one["source"]})
        die["result"] += chosen
    one["answer"] = "applied"


def apply_forced(roll: Body) -> None:
    for one in forced(roll):
        apply_adjustment(roll, one, applicable(roll, one), one["amounts"][0])


def new_effect(given: Body, number: int, controller: str) -> Body:
    return {
        "effect": number,
        "answer": None,
        "source": given["source"],
        "controller": controller,
        "kind": given["kind"],
        "amounts": given.get("amounts", []),
        "number": given.get("number"),
        "scope": given.get("scope", "each"),
        "optional": given.get("optional", False),
        "cost": given.get("cost"),
        "mana_cost": given.get("mana_cost"),
        "once": given.get("once", False),
        "only": given.get("only"),
        "standing": None,
    }


# --- what follows from the results ----------------------------------------------------------------


def work_out_rows(roll: Body) -> list[Body]:
    """The row that each counted die with a result selects; 0 for none, without a table too."""
    rows: list[Body] = []
    for die in with_result(roll):
        found: Body = {"die": die["die"], "row": 0, "effect": None}
        for number, row in enumerate(roll["table"] or [], start=1):
            if in_range(die["result"], row_range(row)):
                found = {"die": die["die"], "row": number, "effect": row["effect"]}
        rows.append(found)
    return rows


def shown_rows(roll: Body) -> list[Body]:
    return [] if roll["table"] is None else work_out_rows(roll)


def work_out_doubles(roll: Body) -> bool:
    dice = with_result(roll)
    return len(dice) == 2 and dice[0]["result"] == dice[1]["result"]


def looks_at(trigger: Body, player: str) -> bool:
    if trigger["whose"] == "any":
        return True
    is_own: bool = player == trigger["controller"]
    return is_own if trigger["whose"] == "you" else not is_own


def flips_won(roll: Body) -> int | None:
    """None where no coin is flipped, or nothing was called."""
    if roll["call"] is None:
        return None
    return len([die for die in counted(roll) if die["face"] == roll["call"]])


def times_triggered(trigger: Body, roll: Body) -> int:
    if roll["random"]:
        return 0
    won = flips_won(roll)
    if trigger["on"] == "won":
        return won or 0
    if trigger["on"] == "lost":
        return 0 if won is None else len(counted(roll)) - won
    if has_coins(roll["called"]):
        return 0
    if trigger["on"] == "rolled":
        return 1 if counted(roll) else 0
    if trigger["on"] == "die":
        return len(counted(roll))
    times = 0
    for die in with_result(roll):
        if trigger["on"] == "highest":
            is_met = die["naturals"][-1] == die["sides"]
        else:
            limits = parse_trigger_range(trigger["range"])
            assert limits is not None
            is_met = in_range(die["result"] if trigger["on"] == "result" else die["naturals"][-1], limits)
        if is_met:
            times += 1
    return times


def work_out_triggered(roll: Body, triggers: list[Body]) -> list[Body]:
    triggered: list[Body] = []
    for trigger in triggers:
        times = times_triggered(trigger, roll) if looks_at(trigger, roll["player"]) else 0
        if times > 0:
            triggered.append(
                {
                    "trigger": trigger["trigger"],
                    "controller": trigger["controller"],
                    "source": trigger["source"],
                    "times": times,
                }
            )
    return triggered


def work_out_together(roll: Body) -> Body:
    """What the results come to together, and the coins."""
    if has_coins(roll["called"]):
        heads = len([die for die in counted(roll) if die["face"] == "heads"])
        return {"total": None, "highest": None, "lowest": None, "heads": heads, "won": flips_won(roll)}
    results = [die["result"] for die in with_result(roll)]
    return {
        "total": sum(results),
        "highest": max(results) if results else None,
        "lowest": min(results) if results else None,
        "heads": None,
        "won": None,
    }


NOTHING_TOGETHER = {"total": None, "highest": None, "lowest": None, "heads": None, "won": None}


def repeat_by_rows(roll: Body) -> str | None:
    """Whether the rows of a roll make a repeat, or offer one that was not declined."""
    marks = [roll["table"][row["row"] - 1].get("again") for row in work_out_rows(roll) if row["row"] != 0]
    if True in marks:
        return "made"
    if "may" in marks and not roll["declined"]:
        return "offered"
    return None


def new_roll(seq: int, player: str, source: str, notation: str, called: list[Kind]) -> Body:
    """A requested roll; the state shows the members in SHOWN, the others are for working it out."""
    return {
        "roll": seq,
        "player": player,
        "status": "pending",
        "dice": [],
        "source": source,
        "notation": notation,
        "modifiers": [],
        "effects": [],
        "again": None,
        "joins": None,
        "store": None,
        "stored": False,
        "rerolls": None,
        "replaced": [],
        "use": None,
        "ignoring": None,
        "rows": [],
        "doubles": None,
        **NOTHING_TOGETHER,
        "random": False,
        "call": None,
        "standing": [],
        "without": [],
        "triggered": [],
        # The dice called for, and all with those that `ignores` add.
        "called": called,
        "kinds": called,
        "table": None,
        "doubles_text": None,
        # The roll's own, and all with what stands.
        "ignores": [],
        "all_ignores": [],
        "steps": [],
        # Which permanent of that id is meant; None where nothing is to be stored.
        "store_on": None,
        "declined": False,
        "triggers_then": [],
    }


def copy_roll(roll: Body) -> Body:
    """Deep where it is changed."""
    return {**roll, **{key: copy.deepcopy(roll[key]) for key in ("dice", "effects", "steps")}}


# --- the game -------------------------------------------------------------------------------------


class Magic(reference_rules.Game):
    """The state of one game. A method that raises Violation has changed nothing before.

    `rolls` has the settled rolls in the order in which they were settled, and the open or pending one last. A roll
    that is settled is not changed in place, so that what was can be put back.
    """

    SYSTEM = "mtg-706-2023-11-17"
    AGREEMENT = "706.1b"
    check_options = staticmethod(check_options)
    check_body = staticmethod(check_body)

    def __init__(self, options: Body, parties: dict[str, str], joined: list[str] | None = None) -> None:
        """`parties`: name -> role, in party order; `joined`: who has joined at the start (absent: all)."""
        super().__init__(options, parties, joined)
        self.again: int | None = None
        """The settled roll whose repeat is due or offered."""
        self.ability: int | None = None
        self.triggers: list[Body] = []
        self.trigger_count = 0
        self.standing: list[Body] = []
        self.standing_count = 0
        self.permanents: dict[str, Body] = {}
        self.permanent_count = 0
        self.players = {
            party: {"rolls": 0, "dice": 0, "ignored": 0, "rerolled": 0}
            for party, role in parties.items()
            if role == "player"
        }
        self.before: Body = {}
        """What was before the pending request."""

    # What bears on a roll.

    def told(self, roll: Body) -> int:
        texts = [one["source"] for one in roll["modifiers"]]
        texts += [one["source"] + (one["cost"] or "") + (one["mana_cost"] or "") for one in roll["effects"]]
        texts += [one["source"] for one in roll["all_ignores"] if one["which"] != "pair"]
        if roll["table"]:
            texts.append(max((row["effect"] for row in roll["table"]), key=lambda text: len(text.encode("utf-8"))))
        return weight(texts)

    def load(self, roll: Body) -> int:
        return self.told(roll) * (len(roll["kinds"]) + 1)

    def check_bearing(self, roll: Body) -> None:
        check_load(self.told(roll), len(roll["kinds"]), "706.2")

    # What was, and what would be.

    def snapshot(self) -> Body:
        rolls = list(self.rolls)
        if self.open is not None:
            rolls[-1] = copy_roll(rolls[-1])
        return {
            "rolls": rolls,
            "open": self.open,
            "again": self.again,
            "ability": self.ability,
            "triggers": copy.deepcopy(self.triggers),
            "trigger_count": self.trigger_count,
            "standing": list(self.standing),
            "standing_count": self.standing_count,
            "permanents": copy.deepcopy(self.permanents),
            "permanent_count": self.permanent_count,
            "players": copy.deepcopy(self.players),
        }

    def put_back(self, before: Body) -> None:
        for member, value in before.items():
            setattr(self, member, value)

    # The open roll.

    def the_open_roll(self, number: int) -> Body:
        if self.open is None or self.open != number:
            raise Violation("706.3b")
        return self.rolls[-1]

    def is_finished(self) -> bool:
        """Whether a roll is open and finished."""
        return self.open is not None and finished(self.rolls[-1])

    def settle_or_refuse(self) -> None:
        """What could not come while a roll is open settles it, and is refused where it is not finished."""
        if self.open is None:
            return
        if not self.is_finished():
            raise Violation("706.3b")
        self.settle()

    def settle(self) -> None:
        """The open roll, which is finished, becomes resolved."""
        roll = copy_roll(self.rolls[-1])
        self.rolls[-1] = roll
        apply_forced(roll)
        roll["status"] = "resolved"
        roll["triggers_then"] = copy.deepcopy(self.triggers)
        roll["rows"] = shown_rows(roll)
        roll["doubles"] = work_out_doubles(roll)
        roll |= work_out_together(roll)
        roll["triggered"] = work_out_triggered(roll, roll["triggers_then"])
        self.store(roll)
        if repeat_by_rows(roll) is not None:
            self.again = roll["roll"]
        if counted(roll):
            self.players[roll["player"]]["rolls"] += 1
        self.open = None

    def store(self, roll: Body) -> None:
        permanent = self.permanents.get(roll["store"])
        if permanent is None or permanent["permanent"] != roll["store_on"]:
            return
        for die in with_result(roll):
            permanent["last_stored"] += 1
            permanent["stored"].append(
                {
                    "stored": permanent["last_stored"],
                    "sides": die["sides"],
                    "value": die["result"],
                    "roll": roll["roll"],
                    "die": die["die"],
                }
            )
        # CHOICE: a roll without a die to store is stored too, where its permanent is there.
        roll["stored"] = True

    def repeat(self) -> tuple[Body, str] | None:
        """The roll whose repeat is made or offered, finished or settled, and which of the two it is."""
        if self.again is not None:
            roll = self.find_roll(self.again)
        elif self.is_finished():
            roll = copy_roll(self.rolls[-1])
            apply_forced(roll)
        else:
            return None
        which = repeat_by_rows(roll)
        return None if which is None else (roll, which)

    # Requests.

    def request(self, seq: int, author: str, type: str, body: Body) -> list[int]:
        before = self.snapshot()
        try:
            pending = self.make_request(seq, author, type, body)
        except Violation:
            self.put_back(before)
            raise
        self.before = before
        self.pending = pending
        self.requests += 1
        self.phase = "pending"
        return [sides for sides, _ in pending["kinds"]]

    def make_request(self, seq: int, author: str, type: str, body: Body) -> Body:
        if type == "reroll" and "permanent" not in body:
            roll, numbers = self.request_reroll(author, body)
            kinds = [roll["kinds"][number - 1] for number in numbers]
            return {"roll": roll, "kinds": kinds, "effect": body["effect"], "dice": numbers}
        self.settle_or_refuse()
        if type == "roll" and "again" in body:
            roll = self.request_again(seq, author, body)
        elif self.again is not None:
            raise Violation("706.3b")
        elif type == "roll" and "joins" in body:
            roll = self.request_join(seq, author, body)
        elif type == "roll":
            roll = self.request_roll(seq, author, body)
            if not roll["random"]:
                self.ability = roll["roll"]
        else:
            roll = self.request_stored(seq, author, body)
            self.ability = None
        self.rolls.append(roll)
        self.open = roll["roll"]
        return {"roll": roll, "kinds": roll["kinds"], "effect": None, "dice": []}

    def request_roll(self, seq: int, author: str, body: Body) -> Body:  # noqa: C901 - the checks in their order
        if "dice" not in body:
            raise Violation("706.1")
        if "table" in body:
            check_table(body["table"])
        called = parse_kinds(body["dice"])
        if called is None:
            raise Violation("706.1a")
        if "random" in body:
            if any(special == "planar" for _, special in called):
                raise Violation("706.7")
            if has_coins(called):
                raise Violation("705")
            if any("again" in row for row in body.get("table", [])):
                raise Violation("706.3c")
        self.check_flip(called, body)
        if any(special == "planar" for _, special in called) and not self.options["planechase"]:
            raise Violation("706.7")
        if all_planar(called) and {"modifiers", "table", "doubles", "store"} & set(body):
            raise Violation("706.7")
        roll = new_roll(seq, author, body["source"], body["dice"], called)
        roll["random"] = "random" in body
        roll["call"] = body.get("call")
        roll["modifiers"] = copy.deepcopy(body.get("modifiers", []))
        roll["use"] = body.get("use")
        roll["table"] = copy.deepcopy(body.get("table"))
        roll["doubles_text"] = body.get("doubles")
        self.take_in(roll, author, body, body.get("ignores", []), [])
        if "doubles" in body and len([kind for kind in called if not kind[1]]) != 2:
            raise Violation("706.5")
        if "store" in body:
            permanent = self.permanents.get(body["store"])
            if permanent is None or permanent["controller"] != author:
                raise Violation("706.8")
            if len(permanent["stored"]) + len(roll["kinds"]) > MAX_STORED:
                raise Violation("706.8a")
            roll["store"] = body["store"]
            roll["store_on"] = permanent["permanent"]
        return roll

    def check_flip(self, called: list[Kind], body: Body) -> None:
        if not has_coins(called):
            if "call" in body:
                raise Violation("705")
            return
        if any(special != "coin" for _, special in called):
            raise Violation("705")
        if {"modifiers", "effects", "table", "doubles", "store"} & set(body):
            raise Violation("705")
        if any(one["which"] in ("lowest", "highest") for one in body.get("ignores", [])):
            raise Violation("705")

    def fits(self, one: Body, player: str, called: list[Kind]) -> bool:
        if not looks_at(one, player):
            return False
        if one["ignore"] is not None:
            of_numbers = one["ignore"]["which"] in ("lowest", "highest")
        else:
            of_numbers = one["effect"]["kind"] in ("adjust", "exchange")
        for kind in called:
            is_special = kind[1] == "coin" or (kind[1] == "planar" and of_numbers)
            if one["only"] == name_of(kind) and not (kind[1] == "planar" and of_numbers):
                return True
            if one["only"] is None and not is_special:
                return True
        return False

    def take_in(
        self, roll: Body, author: str, body: Body, own: list[Body], old: list[Body], most: int = MAX_DICE
    ) -> None:
        """`own`: the roll's own entries; `old`: effects that come back; and what stands."""
        called = roll["called"]
        if all_planar(called) and any(one["which"] in ("lowest", "highest") for one in own):
            raise Violation("706.7")
        without = body.get("without", [])
        for number in without:
            if not any(one["standing"] == number and looks_at(one, author) for one in self.standing):
                raise Violation("604")
        if len(set(without)) != len(without):
            raise Violation("604")
        fitting = [] if roll["random"] else [one for one in self.standing if self.fits(one, author, called)]
        taken = [one for one in fitting if one["standing"] not in without]
        sources = [one["source"] for one in taken]
        if any(one["source"] in sources for one in [*body.get("ignores", []), *body.get("effects", [])]):
            raise Violation("604")
        if "ignores" not in body:
            own = [one for one in own if one["source"] not in sources]
        left = [one for one in fitting if one["standing"] in without]
        effects = [copy.deepcopy(one) for one in old if one["source"] not in sources]
        effects += [new_effect(one, 0, author) for one in body.get("effects", [])]
        if len(effects) > MAX_ITEMS:
            raise Violation("706.2")
        roll["ignores"] = copy.deepcopy(own)
        self.with_entries(roll, roll["ignores"], effects)
        no_room = [one for one in taken if not self.add_standing(roll, one, most)]
        roll["without"] = [
            {**{key: one[key] for key in ("standing", "controller", "source")}, "why": why}
            for why, many in (("left out", left), ("no room", no_room))
            for one in many
        ]
        roll["effects"] = [{**one, "effect": number, "answer": None} for number, one in enumerate(roll["effects"], 1)]
        self.check_bearing(roll)

    def with_entries(self, roll: Body, entries: list[Body], effects: list[Body]) -> None:
        kinds, groups = with_ignores(roll["called"], entries)
        roll["all_ignores"] = entries
        roll["kinds"] = kinds
        roll["steps"] = ignoring_steps(entries, groups)
        roll["effects"] = effects

    def add_standing(self, roll: Body, one: Body, most: int) -> bool:
        """Take in what stands, if there is room."""
        after = dict(roll)
        entries, effects = list(roll["all_ignores"]), list(roll["effects"])
        if one["ignore"] is not None:
            entries.append({**one["ignore"], "source": one["source"], "only": one["only"], "first": True})
        else:
            what = {key: value for key, value in one["effect"].items() if value is not None}
            told = {"source": one["source"], "only": one["only"], **what}
            effects.append({**new_effect(told, 0, one["controller"]), "standing": one["standing"]})
        try:
            self.with_entries(after, entries, effects)
            self.check_bearing(after)
        except Violation:
            return False
        if len(effects) > MAX_ITEMS or len(after["kinds"]) > most:
            return False
        roll.update(after)
        roll["standing"] = [*roll["standing"], one["standing"]]
        return True

    def request_again(self, seq: int, author: str, body: Body) -> Body:
        if self.again is None or self.again != body["again"]:
            raise Violation("706.3c")
        first = self.find_roll(self.again)
        if first["player"] != author:
            raise Violation("706.3c")
        if {"table", "use", "doubles", "store", "call"} & set(body):
            raise Violation("706.3c")
        if "dice" in body:
            restated = parse_kinds(body["dice"])
            if restated is None:
                raise Violation("706.1a")
            if restated != first["called"]:
                raise Violation("706.3c")
        if "modifiers" in body and plus(body["modifiers"]) != plus(first["modifiers"]):
            raise Violation("706.3c")
        # CHOICE: notation and modifiers are shown as the first roll has them.
        source = body["source"] if "source" in body else first["source"]
        roll = new_roll(seq, author, source, first["notation"], first["called"])
        for member in ("modifiers", "use", "table", "doubles_text", "store", "store_on"):
            roll[member] = copy.deepcopy(first[member])
        old = [
            one
            for one in first["effects"]
            if one["answer"] != "ended" and not one["once"] and one["controller"] not in self.left
        ]
        old = [one for one in old if one["standing"] is None]
        self.take_in(roll, author, body, body["ignores"] if "ignores" in body else first["ignores"], old)
        permanent = self.permanents.get(roll["store"])
        # CHOICE: whether there is room is looked at when the repeat is rolled; what has none is never stored.
        if permanent is not None and len(permanent["stored"]) + len(roll["kinds"]) > MAX_STORED:
            roll["store_on"] = None
        roll["again"] = first["roll"]
        return roll

    def request_join(self, seq: int, author: str, body: Body) -> Body:
        if self.ability is None or self.ability != body["joins"]:
            raise Violation("706.3b")
        first = self.find_roll(self.ability)
        for roll in self.rolls:
            is_part = roll["roll"] == self.ability or roll["joins"] == self.ability
            if is_part and roll["player"] == author and roll["status"] not in ("struck", "void"):
                raise Violation("706.3b")
        if set(body) - {"joins", "effects", "ignores", "without", "call"}:
            raise Violation("706.3b")
        if first["store"] is not None:
            raise Violation("706.8")
        roll = new_roll(seq, author, first["source"], first["notation"], first["called"])
        for member in ("modifiers", "use", "table", "doubles_text"):
            roll[member] = copy.deepcopy(first[member])
        self.check_flip(first["called"], body)
        roll["call"] = body.get("call")
        self.take_in(roll, author, body, body.get("ignores", []), [])
        roll["joins"] = self.ability
        return roll

    def request_stored(self, seq: int, author: str, body: Body) -> Body:
        permanent = self.permanents.get(body["permanent"])
        if permanent is None:
            raise Violation("706.8")
        if permanent["controller"] != author:
            raise Violation("706.8b")
        if "by" in body and body["by"] != body["permanent"]:
            raise Violation("706.8c")
        sides = {entry["stored"]: entry["sides"] for entry in permanent["stored"]}
        numbers = body["stored"]
        if not numbers or len(set(numbers)) != len(numbers) or any(number not in sides for number in numbers):
            raise Violation("706.8b")
        called: list[Kind] = [(sides[number], "") for number in numbers]
        roll = new_roll(seq, author, body["source"], write_dice(called), called)
        roll["modifiers"] = copy.deepcopy(body.get("modifiers", []))
        room = MAX_STORED - len(permanent["stored"]) + len(numbers)
        self.take_in(roll, author, body, body.get("ignores", []), [], room)
        if len(permanent["stored"]) - len(numbers) + len(roll["kinds"]) > MAX_STORED:
            raise Violation("706.8a")
        self.check_bearing(roll)
        roll["store"] = body["permanent"]
        roll["store_on"] = permanent["permanent"]
        roll["rerolls"] = body["permanent"]
        roll["replaced"] = list(numbers)
        return roll

    def request_reroll(self, author: str, body: Body) -> tuple[Body, list[int]]:
        roll = self.the_open_roll(body["roll"])
        one = self.check_answer(roll, author, body, ("reroll",))
        numbers = self.check_dice(roll, one, body)
        self.check_cost(one, body)
        return roll, numbers

    def check_answer(self, roll: Body, author: str, body: Body, kinds: tuple[str, ...]) -> Body:
        """What holds for applying and declining an effect of one of these kinds."""
        if roll["player"] != author:
            raise Violation("706.2b")
        if roll["ignoring"] is not None:
            raise Violation("706.6")
        number = body["effect"]
        if number > len(roll["effects"]):
            raise Violation("706.2b")
        one: Body = roll["effects"][number - 1]
        if one["answer"] is not None:
            raise Violation("706.2a")
        if one["kind"] not in kinds:
            raise Violation(clause_of(one))
        return one

    def check_cost(self, one: Body, body: Body) -> None:
        if ("paid" in body) != (one["cost"] is not None or one["mana_cost"] is not None):
            raise Violation("706.2a")
        if ("mana_abilities" in body) != (one["mana_cost"] is not None):
            raise Violation("706.2a")

    def check_dice(self, roll: Body, one: Body, body: Body) -> list[int]:  # noqa: C901 - the checks in their order
        """The dice that an effect is applied to."""
        possible = applicable(roll, one)
        if one["kind"] != "reroll" and all_planar(roll["called"]):
            raise Violation("706.7")
        if "dice" in body:
            numbers: list[int] = list(body["dice"])
        elif one["scope"] == "each":
            numbers = possible
        else:
            raise Violation(clause_of(one))
        for number in numbers:
            die = find_die(roll, number)
            if die is None:
                raise Violation(clause_of(one))
            if die["status"] == "ignored":
                raise Violation("706.6")
            if not is_concerned(one, kind_of(die)):
                raise Violation(clause_of(one))
            if die["planar"] and one["kind"] != "reroll":
                raise Violation("706.7")
            if exchanged(die):
                raise Violation("706.2")
            if adjusted(die) and one["kind"] == "reroll":
                raise Violation("706.2b")
        if not numbers or len(set(numbers)) != len(numbers):
            raise Violation(clause_of(one))
        if one["scope"] == "each" and set(numbers) != set(possible):
            raise Violation(clause_of(one))
        if one["scope"] == "one" and len(numbers) != 1:
            raise Violation(clause_of(one))
        return numbers

    # What a request ends with.

    def reveal(self, naturals: list[int]) -> None:
        assert self.pending is not None
        pending = self.pending
        self.check_naturals(naturals, [sides for sides, _ in pending["kinds"]])
        roll = pending["roll"]
        counts = self.players[roll["player"]]
        counts["dice"] += len(naturals)
        if pending["effect"] is not None:
            one = roll["effects"][pending["effect"] - 1]
            one["answer"] = "applied"
            counts["rerolled"] += len(naturals)
            for number, natural in zip(pending["dice"], naturals, strict=True):
                die = roll["dice"][number - 1]
                die["steps"].append({"reroll": die["naturals"][-1], "source": one["source"]})
                die["naturals"].append(natural)
                if die["planar"]:
                    die["face"] = FACES[natural]
                else:
                    die["result"] = natural + plus(roll["modifiers"])
        else:
            roll["status"] = "open"
            self.again = None
            faces: dict[str, dict[int, str]] = {"planar": FACES, "coin": COIN_FACES}
            for number, ((sides, special), natural) in enumerate(zip(roll["kinds"], naturals, strict=True), start=1):
                roll["dice"].append(
                    {
                        "die": number,
                        "sides": sides,
                        "naturals": [natural],
                        "status": "counted",
                        "result": None if special else natural + plus(roll["modifiers"]),
                        "planar": special == "planar",
                        "coin": special == "coin",
                        "face": faces[special][natural] if special else None,
                        "steps": [],
                    }
                )
            counts["ignored"] += ignore_what_leaves_no_choice(roll)
        if pending["effect"] is None and roll["rerolls"] is not None:
            counts["rerolled"] += len(naturals)
            permanent = self.permanents[roll["rerolls"]]
            permanent["stored"] = [entry for entry in permanent["stored"] if entry["stored"] not in roll["replaced"]]
        self.pending = None
        self.before = {}
        self.phase = "idle"

    def void(self) -> None:
        """The state is as it was before the request, but a roll that was asked for is listed."""
        assert self.pending is not None
        roll, is_roll = self.pending["roll"], self.pending["effect"] is None
        self.put_back(self.before)
        if is_roll:
            settled = len(self.rolls) - (0 if self.open is None else 1)
            self.rolls = [*self.rolls[:settled], {**roll, "status": "void"}, *self.rolls[settled:]]
        self.pending = None
        self.before = {}
        self.phase = "idle"

    def settle_standing(self) -> None:
        if self.is_finished():
            self.settle()

    # Actions.

    def act(self, seq: int, author: str, type: str, body: Body) -> None:
        before = self.snapshot()
        try:
            if type == "ignore":
                self.ignore(author, body)
            elif type == "modify":
                self.modify(author, body)
            elif type == "resolve":
                self.resolve(author, body)
            elif type == "declare":
                self.declare(seq, author, body)
            else:
                raise ValueError(type)
        except Violation:
            self.put_back(before)
            raise

    def ignore(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if roll["player"] != author:
            raise Violation("706.6")
        choice = roll["ignoring"]
        if choice is None:
            raise Violation("706.6")
        numbers = body["dice"]
        if len(numbers) != choice["count"] or len(set(numbers)) != len(numbers):
            raise Violation("706.6")
        if any(number not in choice["of"] for number in numbers):
            raise Violation("706.6")
        for number in numbers:
            roll["dice"][number - 1]["status"] = "ignored"
        roll["steps"].pop(0)
        self.players[author]["ignored"] += len(numbers) + ignore_what_leaves_no_choice(roll)

    def modify(self, author: str, body: Body) -> None:  # noqa: C901 - the checks in their order
        roll = self.the_open_roll(body["roll"])
        if body["choice"] == "decline":
            one = self.check_answer(roll, author, body, ("reroll", "adjust", "exchange"))
            if mandatory(one):
                raise Violation("706.2a")
            one["answer"] = "declined"
            return
        one = self.check_answer(roll, author, body, ("adjust", "exchange"))
        numbers = self.check_dice(roll, one, body)
        before_it = ("reroll",) if one["kind"] == "adjust" else ("reroll", "adjust")
        for other in roll["effects"]:
            comes_first = other["kind"] in before_it and other["answer"] is None
            if comes_first and set(applicable(roll, other)) & set(numbers):
                raise Violation(clause_of(one))
        if one["kind"] == "exchange":
            if "amount" in body:
                raise Violation("706.2")
        elif "amount" in body:
            if body["amount"] not in one["amounts"]:
                raise Violation("706.2b")
        elif len(one["amounts"]) > 1:
            raise Violation("706.2b")
        self.check_cost(one, body)
        if one["kind"] == "adjust":
            apply_adjustment(roll, one, numbers, body.get("amount", one["amounts"][0]))
            return
        die = roll["dice"][numbers[0] - 1]
        die["steps"].append({"exchange": die["result"], "number": one["number"], "source": one["source"]})
        die["result"] = one["number"]
        one["answer"] = "applied"

    def resolve(self, author: str, body: Body) -> None:
        if self.again is not None and self.again == body["roll"]:
            self.answer_offer(author, body)
            return
        roll = self.the_open_roll(body["roll"])
        if roll["player"] != author:
            raise Violation("706.3b")
        if roll["ignoring"] is not None:
            raise Violation("706.6")
        for one in to_be_answered(roll):
            raise Violation("706.2" if mandatory(one) else "706.2a")
        self.settle()
        roll = self.rolls[-1]
        self.check_claims(roll, body)
        if "again" in body:
            if repeat_by_rows(roll) != "offered":
                raise Violation("706.3c")
            self.decline(roll)

    def answer_offer(self, author: str, body: Body) -> None:
        """Of a settled roll."""
        roll = self.find_roll(body["roll"])
        if repeat_by_rows(roll) != "offered" or roll["player"] != author:
            raise Violation("706.3b")
        self.check_claims(roll, body)
        if "again" not in body:
            raise Violation("706.3c")
        self.decline(roll)

    def decline(self, roll: Body) -> None:
        self.replace(roll, {**roll, "declined": True})
        self.again = None

    def replace(self, roll: Body, other: Body) -> None:
        self.rolls = [other if one is roll else one for one in self.rolls]

    def check_claims(self, roll: Body, body: Body) -> None:  # noqa: C901 - the claims in their order
        of_numbers = {"results", "rows", "total", "highest", "lowest", "best"} & set(body)
        if of_numbers or body.get("doubles") is True:
            if has_coins(roll["called"]):
                raise Violation("705")
            if all_planar(roll["called"]):
                raise Violation("706.7")
        together = work_out_together(roll)
        for member in ("heads", "won"):
            if member in body and (together[member] is None or body[member] != together[member]):
                raise Violation("705")
        if "results" in body and body["results"] != [die["result"] for die in with_result(roll)]:
            raise Violation("706.2")
        if "rows" in body and body["rows"] != [row["row"] for row in work_out_rows(roll)]:
            raise Violation("706.3a")
        if "doubles" in body and body["doubles"] != work_out_doubles(roll):
            raise Violation("706.5")
        for member in ("total", "highest", "lowest"):
            if member in body and (together[member] is None or body[member] != together[member]):
                raise Violation("706.4")
        if "best" in body:
            best = self.best(roll)
            if not best or sorted(body["best"]) != sorted(best):
                raise Violation("706.4")

    def best(self, roll: Body) -> list[str]:
        """Who has the highest total in the ability of this roll."""
        first = roll["roll"] if roll["joins"] is None else roll["joins"]
        totals: dict[str, int] = {}
        for one in self.rolls:
            is_part = one["roll"] == first or one["joins"] == first
            if (one is roll or (is_part and one["status"] == "resolved")) and with_result(one):
                total = sum(die["result"] for die in with_result(one))
                totals[one["player"]] = max(total, totals.get(one["player"], total))
        return [player for player, total in totals.items() if total == max(totals.values())]

    def declare(self, seq: int, author: str, body: Body) -> None:  # noqa: C901 - one form after the other
        what = body["what"]
        if what == "effect":
            self.declare_effect(author, body)
        elif what == "ends" and "effect" in body:
            self.end_effect(author, body)
        elif what == "gone":
            permanent = self.permanents.get(body["permanent"])
            if permanent is None or permanent["controller"] != author:
                raise Violation("706.8")
            del self.permanents[body["permanent"]]
            self.end_standing([one for one in self.standing if one["permanent"] == body["permanent"]])
        elif what == "trigger":
            self.settle_or_refuse()
            self.declare_trigger(author, body)
        elif what == "permanent":
            self.settle_or_refuse()
            self.declare_permanent(author, body)
        elif what == "standing":
            self.settle_or_refuse()
            self.declare_standing(seq, author, body)
        elif "standing" in body:
            self.settle_or_refuse()
            ending = [one for one in self.standing if one["standing"] == body["standing"]]
            if not ending or ending[0]["controller"] != author:
                raise Violation("604")
            self.end_standing(ending)
        else:
            self.settle_or_refuse()
            for trigger in self.triggers:
                if trigger["trigger"] == body["trigger"] and trigger["controller"] == author:
                    self.triggers.remove(trigger)
                    return
            raise Violation("603")

    def declare_standing(self, seq: int, author: str, body: Body) -> None:
        what: Body = body["ignore"] if "ignore" in body else body["effect"]
        if len(self.standing) >= MAX_ITEMS:
            raise Violation("604")
        told = what["source"] + what.get("cost", "") + what.get("mana_cost", "")
        if weight([one["told"] for one in self.standing] + [told]) > MAX_TOLD:
            raise Violation("604")
        if "sides" in what or "once" in what:
            raise Violation("604")
        if "permanent" in body:
            permanent = self.permanents.get(body["permanent"])
            if permanent is None or permanent["controller"] != author:
                raise Violation("706.8")
        ignored = modified = None
        if "ignore" in body:
            ignored = {"which": what["which"], "extra": what.get("extra", 0), "count": what.get("count", 1)}
        else:
            shown = new_effect(what, 0, author)
            members = ("kind", "amounts", "number", "scope", "optional", "cost", "mana_cost")
            modified = {member: shown[member] for member in members}
        self.standing_count += 1
        self.standing.append(
            {
                "standing": self.standing_count,
                "controller": author,
                "source": what["source"],
                "whose": body.get("whose", "you"),
                "permanent": body.get("permanent"),
                "only": what.get("only"),
                "ignore": ignored,
                "effect": modified,
                "told": told,
                "declared": seq,
            }
        )

    def end_standing(self, ending: list[Body]) -> None:
        """They are there no more, and of the open roll the effects that came from them and are not answered end."""
        numbers = [one["standing"] for one in ending]
        self.standing = [one for one in self.standing if one["standing"] not in numbers]
        if self.open is not None:
            roll = copy_roll(self.rolls[-1])
            self.rolls[-1] = roll
            for one in roll["effects"]:
                if one["standing"] in numbers and one["answer"] is None:
                    one["answer"] = "ended"

    def declare_effect(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if has_coins(roll["called"]):
            raise Violation("705")
        if roll["random"]:
            raise Violation("706.2")
        if len(roll["effects"]) >= MAX_ITEMS:
            raise Violation("706.2")
        controller = body.get("controller", author)
        if self.parties.get(controller) != "player" or controller in self.left:
            raise Violation("706.2b")
        more = new_effect(body["effect"], len(roll["effects"]) + 1, controller)
        self.check_bearing({**roll, "effects": [*roll["effects"], more]})
        roll["effects"].append(more)

    def end_effect(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if body["effect"] > len(roll["effects"]):
            raise Violation("706.2b")
        one = roll["effects"][body["effect"] - 1]
        if one["controller"] != author:
            raise Violation("706.2b")
        if one["answer"] is not None:
            raise Violation("706.2a")
        one["answer"] = "ended"

    def declare_trigger(self, author: str, body: Body) -> None:
        if len(self.triggers) >= MAX_ITEMS:
            raise Violation("603")
        if weight([one["source"] for one in [*self.triggers, body]]) > MAX_TOLD:
            raise Violation("603")
        if "range" in body and parse_trigger_range(body["range"]) is None:
            raise Violation("706.3a")
        self.trigger_count += 1
        self.triggers.append(
            {
                "trigger": self.trigger_count,
                "controller": author,
                "source": body["source"],
                "on": body["on"],
                "range": body.get("range"),
                "whose": body.get("whose", "you"),
            }
        )

    def declare_permanent(self, author: str, body: Body) -> None:
        if len(self.permanents) >= MAX_ITEMS or body["permanent"] in self.permanents:
            raise Violation("706.8")
        self.permanent_count += 1
        self.permanents[body["permanent"]] = {
            "permanent": self.permanent_count,
            "name": body["name"],
            "controller": author,
            "stored": [],
            "last_stored": 0,
        }

    # Leaving and rulings.

    def leave(self, name: str) -> None:
        self.left.add(name)
        if self.open is not None:
            roll = copy_roll(self.rolls[-1])
            self.rolls[-1] = roll
            if roll["player"] == name:
                roll["status"] = "abandoned"
                roll["ignoring"] = None
                self.open = None
            else:
                for one in roll["effects"]:
                    if one["controller"] == name and one["answer"] is None:
                        one["answer"] = "ended"
        if self.again is not None and self.find_roll(self.again)["player"] == name:
            self.again = None
        self.triggers = [entry for entry in self.triggers if entry["controller"] != name]
        self.standing = [entry for entry in self.standing if entry["controller"] != name]
        self.permanents = {key: entry for key, entry in self.permanents.items() if entry["controller"] != name}

    def ruling(self, seq: int, author: str, body: Body) -> None:
        roll = self.find_kept_roll(body["subject"])
        if roll is not None and body["ruling"] == "correct" and "results" in body:
            before = self.snapshot()
            try:
                self.correct(roll, body["results"])
            except Violation:
                self.put_back(before)
                raise
        if roll is not None and body["ruling"] == "void":
            self.strike(roll)
        if roll is None and body["ruling"] == "void":
            self.end_standing([one for one in self.standing if one["declared"] == body["subject"]])
        self.record(seq, author, body)

    def correct(self, roll: Body, results: list[Body]) -> None:  # noqa: C901 - one after the other
        after = copy_roll(roll)
        for entry in results:
            die = find_die(after, entry["die"])
            if die is None or die["planar"] or die["coin"]:
                raise Violation("ruling")
        if finished(after):
            apply_forced(after)
        for entry in results:
            die = after["dice"][entry["die"] - 1]
            if die["steps"] and "ruled" in die["steps"][-1]:
                die["steps"].pop()
            die["steps"].append({"ruled": entry["result"]})
            die["result"] = entry["result"]
        if after["status"] == "open":
            self.players[after["player"]]["ignored"] += ignore_what_leaves_no_choice(after)
        if after["status"] == "resolved":
            after["rows"] = shown_rows(after)
            after["doubles"] = work_out_doubles(after)
            after |= work_out_together(after)
            after["triggered"] = work_out_triggered(after, after["triggers_then"])
            self.correct_repeat(after)
        self.rolls = [after if one["roll"] == after["roll"] else one for one in self.rolls]
        for permanent in self.permanents.values():
            for stored in permanent["stored"]:
                for entry in results:
                    if stored["roll"] == after["roll"] and stored["die"] == entry["die"]:
                        stored["value"] = entry["result"]

    def correct_repeat(self, roll: Body) -> None:
        """The due or offered repeat of a resolved roll after a correction."""
        is_repeated = any(
            other["again"] == roll["roll"] and other["status"] in ("open", "resolved") for other in self.rolls
        )
        if repeat_by_rows(roll) is None or roll["player"] in self.left or is_repeated:
            if self.again == roll["roll"]:
                self.again = None
            return
        if self.again == roll["roll"]:
            return
        if self.again is not None or self.repeat() is not None:
            raise Violation("ruling")
        if self.open is not None:
            if not self.is_finished():
                raise Violation("ruling")
            self.settle()
        self.again = roll["roll"]

    def strike(self, roll: Body) -> None:
        # CHOICE: a roll that came to nothing already is struck too.
        struck = {**roll, "status": "struck", "ignoring": None, "triggered": [], **NOTHING_TOGETHER}
        self.replace(roll, struck)
        if self.open == roll["roll"]:
            self.open = None
        if self.again == roll["roll"]:
            self.again = None
        if self.ability == roll["roll"]:
            self.ability = None
        for permanent in self.permanents.values():
            permanent["stored"] = [entry for entry in permanent["stored"] if entry["roll"] != roll["roll"]]

    # The state, as reports show it.

    def waits_for(self) -> dict[str, str] | None:
        if self.open is not None and not self.is_finished():
            roll = self.rolls[-1]
            return {"party": roll["player"], "choice": "effects" if roll["ignoring"] is None else "ignore"}
        repeat = self.repeat()
        if repeat is not None:
            roll, which = repeat
            return {"party": roll["player"], "choice": "roll again" if which == "made" else "may roll again"}
        return None

    def state(self) -> Body:
        """A finished roll is shown as it would be settled, but it is open, and not counted yet."""
        shown = copy.copy(self)
        shown.put_back(self.snapshot())
        if shown.is_finished():
            shown.settle()
            shown.rolls[-1]["status"] = "open"
        return {
            **shown.shared_state(SHOWN),
            "waits_for": self.waited_for(),
            "open": self.open,
            "again": shown.again,
            "ability": self.ability,
            "triggers": copy.deepcopy(self.triggers),
            "standing": [
                {key: value for key, value in one.items() if key not in ("told", "declared")} for one in self.standing
            ],
            "permanents": {
                key: {
                    "name": entry["name"],
                    "controller": entry["controller"],
                    "stored": copy.deepcopy(entry["stored"]),
                }
                for key, entry in shown.permanents.items()
            },
            "players": copy.deepcopy(self.players),
        }


def plus(given: list[Body]) -> int:
    total: int = sum(one["amount"] for one in given)
    return total


def clause_of(one: Body) -> str:
    """Of what is refused of dice, kinds, scope and amounts."""
    return "706.2" if one["kind"] == "exchange" else "706.2b"
