"""An oracle for Magic 706: the rules of specs/mtg.md and specs/rules.md, written from those pages alone.

Nothing of the project is imported; what all systems share is in reference_rules.py. Everything is plain dicts and
lists, the checks stand in the order in which they are made, and nothing is clever. Where the pages leave a choice,
it is marked CHOICE.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from tests import reference_rules
from tests.reference_rules import (
    MAX_DICE,
    MAX_ITEMS,
    MAX_MODIFIER,
    MAX_SAFE_INTEGER,
    Body,
    Check,
    SchemaError,
    Violation,
    amount,
    array_of,
    boolean,
    integer,
    integer_between,
    name,
    need,
    object_of,
    one_of,
    parse_dice,
    positive,
    required_text,
    run_event,
    text,
    true,
)

__all__ = ["Magic", "SchemaError", "Violation", "check_body", "check_options", "run_event"]

MAX_STORED = 100
MAX_OWED = 1_000

FACES = {1: "planeswalk", 2: "blank", 3: "blank", 4: "blank", 5: "blank", 6: "chaos"}

SHOWN = (
    *("roll", "player", "status", "dice", "source", "notation", "modifiers", "effects"),
    *("again", "store", "stored", "rerolls", "use", "rows", "doubles"),
)


def permanent_id(value: object) -> None:
    need(
        isinstance(value, str) and re.fullmatch("[a-z0-9._-]{1,40}", value) is not None,
        "a permanent's id is needed",
    )


dice_numbers = array_of(positive, MAX_DICE)

claims = array_of(integer, MAX_DICE)

effect_members = object_of(
    {"source": required_text, "kind": one_of("reroll", "adjust", "exchange")},
    {
        "controller": name,
        "amounts": array_of(amount, 10, 1),
        "number": integer_between(-MAX_MODIFIER, MAX_MODIFIER),
        "scope": one_of("each", "one", "any"),
        "optional": true,
        "cost": required_text,
        "mana_cost": required_text,
    },
)


def effect(value: object) -> None:
    effect_members(value)
    assert isinstance(value, dict)
    need(("amounts" in value) == (value["kind"] == "adjust"), "amounts belong to adjust, and only to it")
    need(("number" in value) == (value["kind"] == "exchange"), "a number belongs to exchange, and only to it")
    need(value["kind"] != "exchange" or value.get("scope") == "one", "an exchange is of one die")


modifiers = array_of(object_of({"source": required_text, "amount": amount}))

ignores = array_of(
    object_of(
        {"source": required_text, "which": one_of("lowest", "highest", "any")},
        {"extra": integer_between(0, 100), "count": integer_between(1, 100)},
    )
)


def true_or_may(value: object) -> None:
    need(value is True or value == "may", 'true or "may" is needed, or nothing')


roll_body = object_of(
    {"source": required_text},
    {
        "dice": text,
        "modifiers": modifiers,
        "effects": array_of(effect),
        "ignores": ignores,
        "table": array_of(object_of({"range": text, "effect": text}, {"again": true_or_may}), least=1),
        "use": required_text,
        "doubles": required_text,
        "store": permanent_id,
        "again": positive,
    },
)

paying: dict[str, Check] = {"paid": true, "mana_abilities": array_of(text)}

reroll_effect_body = object_of({"roll": positive, "effect": positive}, {"dice": dice_numbers, **paying})

# CHOICE: `stored` may be empty for the schema, because clause 706.8b refuses "none"; it stands for dice, so
# up to MAX_DICE.
reroll_stored_body = object_of(
    {"permanent": permanent_id, "stored": dice_numbers, "source": required_text},
    {"by": permanent_id, "modifiers": modifiers, "ignores": ignores},
)

modify_apply_body = object_of(
    {"roll": positive, "effect": positive, "choice": one_of("apply")},
    {"dice": dice_numbers, "amount": integer_between(-MAX_MODIFIER, MAX_MODIFIER), **paying},
)

modify_decline_body = object_of({"roll": positive, "effect": positive, "choice": one_of("decline")})

ignore_body = object_of({"roll": positive, "dice": dice_numbers})

store_body = object_of({"roll": positive, "permanent": permanent_id})

# CHOICE: the claims have an entry for each counted die, so up to MAX_DICE.
resolve_roll_body = object_of(
    {"roll": positive}, {"results": claims, "rows": claims, "doubles": boolean, "again": boolean}
)

resolve_trigger_body = object_of({"trigger": positive})

whose = one_of("you", "opponents", "any")

declare_bodies: dict[str, Check] = {
    "effect": object_of({"what": text, "roll": positive, "effect": effect}),
    "trigger": object_of({"what": text, "source": required_text, "on": one_of("rolled", "highest")}, {"whose": whose}),
    "trigger range": object_of(
        {"what": text, "source": required_text, "on": one_of("result", "natural"), "range": text},
        {"whose": whose},
    ),
    "permanent": object_of({"what": text, "permanent": permanent_id, "name": required_text}),
    "gone": object_of({"what": text, "permanent": permanent_id}),
    "ends": object_of({"what": text, "trigger": positive}),
    "ends effect": object_of({"what": text, "roll": positive, "effect": positive}),
}


def declare_body(body: object) -> None:
    need(isinstance(body, dict), "an object is needed")
    assert isinstance(body, dict)
    one_of("effect", "trigger", "permanent", "gone", "ends")(body.get("what"))
    form = str(body["what"])
    if form == "trigger":
        form = "trigger range" if "range" in body else "trigger"
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
    elif type == "store":
        store_body(body)
    elif type == "modify":
        (modify_decline_body if body.get("choice") == "decline" else modify_apply_body)(body)
    elif type == "resolve":
        (resolve_trigger_body if "trigger" in body else resolve_roll_body)(body)
    elif type == "declare":
        declare_body(body)
    else:
        raise SchemaError(f"{type} is no type of this system")


# --- notations ------------------------------------------------------------------------------------


def write_dice(sides: list[int]) -> str:
    """CHOICE: the notation of a reroll of stored results; neighbours of one kind together, extra dice left out."""
    terms: list[list[int]] = []
    for kind in sides:
        if terms and terms[-1][1] == kind:
            terms[-1][0] += 1
        else:
            terms.append([1, kind])
    return "+".join(f"{count}d{kind}" for count, kind in terms)


def parse_range(written: str) -> tuple[int, int | None] | None:
    """First and last number of a range (None: no end), or None when this is no range."""
    number = "(0|[1-9][0-9]*)"
    match = re.fullmatch(f"{number}(?:[\u2013\u2014-]{number}|(\\+))?", written)
    if match is None or any(len(digits or "") > 16 for digits in (match[1], match[2])):
        return None
    first = int(match[1])
    if first > MAX_SAFE_INTEGER:
        return None
    if match[3] is not None:
        return first, None
    last = first if match[2] is None else int(match[2])
    if last > MAX_SAFE_INTEGER or first > last:
        return None
    return first, last


def parse_range_or_refuse(written: str) -> tuple[int, int | None]:
    parsed = parse_range(written)
    if parsed is None:
        raise Violation("706.3a")
    return parsed


def in_range(value: int, limits: tuple[int, int | None]) -> bool:
    return limits[0] <= value and (limits[1] is None or value <= limits[1])


def check_table(table: list[Body]) -> None:
    end: int | None = -1
    for row in table:
        first, last = parse_range_or_refuse(row["range"])
        if end is None or first <= end:
            raise Violation("706.3a")
        end = last


# --- what a roll asks for -------------------------------------------------------------------------


def counted(roll: Body) -> list[Body]:
    return [die for die in roll["dice"] if die["status"] == "counted"]


def find_die(roll: Body, number: int) -> Body | None:
    for die in roll["dice"]:
        if die["die"] == number:
            found: Body = die
            return found
    return None


def demands(roll: Body) -> list[str]:
    """The dice still to be ignored, one entry each; with no counted die left all demands have lapsed."""
    left: list[str] = roll["demands"] if counted(roll) else []
    return left


def adjusted(die: Body) -> bool:
    return any("adjust" in step for step in die["steps"])


def exchanged(die: Body) -> bool:
    return any("exchange" in step for step in die["steps"])


def applicable(roll: Body, one: Body) -> list[int]:
    """The dice of the roll that this effect can be applied to."""
    dice = [die for die in counted(roll) if not exchanged(die)]
    if one["kind"] == "reroll":
        return [die["die"] for die in dice if not adjusted(die)]
    return [die["die"] for die in dice if not die["planar"]]


def with_extra_dice(sides: list[int], given: list[Body]) -> list[int]:
    """The dice of a roll and those that `ignores` add, which are numbered last."""
    extra: int = sum(one.get("extra", 0) for one in given)
    if extra > 0 and len(set(sides)) > 1:
        raise Violation("706.1")
    if len(sides) + extra > MAX_DICE:
        raise Violation("706.1")
    return sides + sides[:1] * extra


def all_demands(given: list[Body]) -> list[str]:
    return [one["which"] for one in given for _ in range(one.get("count", 1))]


def mandatory(one: Body) -> bool:
    return not one["optional"] and one["cost"] is None and one["mana_cost"] is None


def unanswered(roll: Body) -> list[Body]:
    """The effects that must still be answered: those that can be applied to some die."""
    return [one for one in roll["effects"] if one["answer"] is None and applicable(roll, one)]


def work_out_rows(roll: Body) -> list[Body]:
    """The row that each counted die selects; row 0 for none, without a table too."""
    rows: list[Body] = []
    for die in counted(roll):
        found: Body = {"die": die["die"], "row": 0, "effect": None}
        for number, row in enumerate(roll["table"] or [], start=1):
            if die["result"] is not None and in_range(die["result"], parse_range_or_refuse(row["range"])):
                found = {"die": die["die"], "row": number, "effect": row["effect"]}
        rows.append(found)
    return rows


def again_marks(roll: Body, rows: list[Body]) -> list[Any]:
    """What the rows that were selected say about rolling again: True, "may" or None each."""
    return [roll["table"][row["row"] - 1].get("again") for row in rows if row["row"] != 0]


def meets(trigger: Body, die: Body) -> bool:
    """Whether a die sets off a `result`, `natural` or `highest` trigger."""
    if die["planar"]:
        return False
    if trigger["on"] == "highest":
        highest: bool = die["naturals"][-1] == die["sides"]
        return highest
    value = die["result"] if trigger["on"] == "result" else die["naturals"][-1]
    return in_range(value, parse_range_or_refuse(trigger["range"]))


def work_out_doubles(roll: Body) -> bool:
    dice = counted(roll)
    return len(dice) == 2 and not any(die["planar"] for die in dice) and dice[0]["result"] == dice[1]["result"]


def new_effect(given: Body, number: int, author: str) -> Body:
    return {
        "effect": number,
        "answer": None,
        "source": given["source"],
        "controller": given.get("controller", author),
        "kind": given["kind"],
        "amounts": given.get("amounts", []),
        "number": given.get("number"),
        "scope": given.get("scope", "each"),
        "optional": given.get("optional", False),
        "cost": given.get("cost"),
        "mana_cost": given.get("mana_cost"),
    }


def new_roll(seq: int, player: str, source: str, notation: str, sides: list[int]) -> Body:
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
        "store": None,
        "stored": False,
        "rerolls": None,
        "use": None,
        "rows": [],
        "doubles": None,
        "sides": sides,
        "planar": False,
        "table": None,
        "ignores": [],
        "demands": [],
        "doubles_text": None,
        "named": 0,
        "said_again": None,
        "triggers_then": 0,
    }


# --- the game -------------------------------------------------------------------------------------


class Magic(reference_rules.Game):
    """The state of one game. A method that raises Violation has changed nothing before."""

    SYSTEM = "mtg-706-2023-11-17"
    AGREEMENT = "706.1b"
    check_options = staticmethod(check_options)
    check_body = staticmethod(check_body)

    def __init__(self, options: Body, parties: dict[str, str], joined: list[str] | None = None) -> None:
        """`parties`: name -> role, in party order; `joined`: who has joined at the start (absent: all)."""
        super().__init__(options, parties, joined)
        self.again: int | None = None
        self.triggers: list[Body] = []
        self.trigger_count = 0
        self.owed: list[Body] = []
        self.owed_count = 0
        self.permanents: dict[str, Body] = {}
        self.players = {
            party: {"rolls": 0, "dice": 0, "ignored": 0, "rerolled": 0}
            for party, role in parties.items()
            if role == "player"
        }

    # Looking things up.

    def the_open_roll(self, number: int) -> Body:
        if self.open is None or self.open != number:
            raise Violation("706.3b")
        return self.find_roll(number)

    def refuse_while_busy(self) -> None:
        if self.open is not None or self.again is not None:
            raise Violation("706.3b")

    def check_controller(self, given: Body) -> None:
        if "controller" in given and (
            self.parties.get(given["controller"]) != "player" or given["controller"] in self.left
        ):
            raise Violation("706.2b")

    def looks_at(self, trigger: Body, player: str) -> bool:
        is_own = player == trigger["controller"]
        looks: bool = trigger["whose"] == "any" or (trigger["whose"] == "you") == is_own
        return looks

    def check_room_for_owed(self, player: str, dice: int) -> None:
        if len(self.owed) + self.could_be_owed(player, dice) > MAX_OWED:
            raise Violation("603")

    def could_be_owed(self, player: str, dice: int) -> int:
        looking = [trigger for trigger in self.triggers if self.looks_at(trigger, player)]
        return sum(1 if trigger["on"] == "rolled" else dice for trigger in looking)

    # Requests.

    def request(self, seq: int, author: str, type: str, body: Body) -> list[int]:
        pending: Body
        if type == "roll" and "again" in body:
            roll = self.request_again(seq, author, body)
            pending = {"kind": "roll", "roll": roll}
        elif type == "roll":
            roll = self.request_roll(seq, author, body)
            pending = {"kind": "roll", "roll": roll}
        elif "permanent" in body:
            roll = self.request_stored(seq, author, body)
            pending = {"kind": "stored", "roll": roll, "stored": list(body["stored"])}
        else:
            roll, numbers = self.request_reroll(author, body)
            pending = {"kind": "reroll", "roll": roll, "effect": body["effect"], "dice": numbers}
        if pending["kind"] != "reroll":
            self.rolls.append(roll)
            self.open = roll["roll"]
            pending["sides"] = list(roll["sides"])
        else:
            pending["sides"] = [roll["dice"][number - 1]["sides"] for number in pending["dice"]]
        self.pending = pending
        self.requests += 1
        self.phase = "pending"
        return list(pending["sides"])

    def request_roll(self, seq: int, author: str, body: Body) -> Body:  # noqa: C901 - the checks in their order
        self.refuse_while_busy()
        if "dice" not in body:
            raise Violation("706.1")
        if "table" in body:
            check_table(body["table"])
        ignores = body.get("ignores", [])
        planar = body["dice"] == "planar"
        if planar:
            if not self.options["planechase"]:
                raise Violation("706.7")
            for member in ("modifiers", "table", "doubles", "store"):
                if member in body:
                    raise Violation("706.7")
            if any(one["which"] != "any" for one in ignores):
                raise Violation("706.7")
            sides = [6]
        else:
            parsed = parse_dice(body["dice"])
            if parsed is None:
                raise Violation("706.1a")
            sides = parsed
        drawn = with_extra_dice(sides, ignores)
        for given in body.get("effects", []):
            self.check_controller(given)
        if not planar and "table" not in body and "use" not in body and "store" not in body:
            raise Violation("706.4")
        if "doubles" in body and len(sides) != 2:
            raise Violation("706.5")
        if "store" in body:
            permanent = self.permanents.get(body["store"])
            if permanent is None or permanent["controller"] != author:
                raise Violation("706.8")
            if len(permanent["stored"]) + len(drawn) > MAX_STORED:
                raise Violation("706.8a")
        self.check_room_for_owed(author, len(drawn))
        roll = new_roll(seq, author, body["source"], body["dice"], drawn)
        roll["planar"] = planar
        roll["modifiers"] = copy.deepcopy(body.get("modifiers", []))
        roll["effects"] = [
            new_effect(given, number, author) for number, given in enumerate(body.get("effects", []), start=1)
        ]
        roll["named"] = len(roll["effects"])
        roll["store"] = body.get("store")
        roll["use"] = body.get("use")
        roll["table"] = copy.deepcopy(body.get("table"))
        roll["ignores"] = copy.deepcopy(ignores)
        roll["doubles_text"] = body.get("doubles")
        roll["demands"] = all_demands(ignores)
        return roll

    def request_again(self, seq: int, author: str, body: Body) -> Body:  # noqa: C901 - the checks in their order
        if self.open is not None:
            raise Violation("706.3b")
        if self.again is None or self.again != body["again"]:
            raise Violation("706.3c")
        first = self.find_roll(self.again)
        if first["player"] != author:
            raise Violation("706.3c")
        for member in ("effects", "ignores", "table", "use", "doubles", "store"):
            if member in body:
                raise Violation("706.3c")
        if "modifiers" in body and body["modifiers"] != first["modifiers"]:
            raise Violation("706.3c")
        if "dice" in body:
            restated = parse_dice(body["dice"])
            if restated is None:
                raise Violation("706.1a")
            if restated != parse_dice(first["notation"]):
                raise Violation("706.3c")
        roll = new_roll(seq, author, body["source"], first["notation"], list(first["sides"]))
        for member in ("modifiers", "store", "use", "table", "ignores", "doubles_text"):
            roll[member] = copy.deepcopy(first[member])
        stored = self.permanents[roll["store"]]["stored"] if roll["store"] in self.permanents else None
        if stored is not None and len(stored) + len(roll["sides"]) > MAX_STORED:
            raise Violation("706.8a")
        self.check_room_for_owed(author, len(roll["sides"]))
        for one in first["effects"][: first["named"]]:
            if one["answer"] != "ended" and one["controller"] not in self.left:
                number = len(roll["effects"]) + 1
                roll["effects"].append(copy.deepcopy(one) | {"effect": number, "answer": None})
        roll["named"] = len(roll["effects"])
        roll["demands"] = all_demands(roll["ignores"])
        roll["again"] = first["roll"]
        return roll

    def request_stored(self, seq: int, author: str, body: Body) -> Body:
        self.refuse_while_busy()
        permanent = self.permanents.get(body["permanent"])
        if permanent is None:
            raise Violation("706.8")
        if permanent["controller"] != author:
            raise Violation("706.8b")
        if "by" in body and body["by"] != body["permanent"]:
            raise Violation("706.8c")
        kinds = {entry["stored"]: entry["sides"] for entry in permanent["stored"]}
        numbers = body["stored"]
        if not numbers or len(set(numbers)) != len(numbers) or any(number not in kinds for number in numbers):
            raise Violation("706.8b")
        sides = [kinds[number] for number in numbers]
        ignores = body.get("ignores", [])
        drawn = with_extra_dice(sides, ignores)
        if len(permanent["stored"]) - len(sides) + len(drawn) > MAX_STORED:
            raise Violation("706.8a")
        self.check_room_for_owed(author, len(drawn))
        roll = new_roll(seq, author, body["source"], write_dice(sides), drawn)
        roll["modifiers"] = copy.deepcopy(body.get("modifiers", []))
        roll["ignores"] = copy.deepcopy(ignores)
        roll["demands"] = all_demands(ignores)
        roll["store"] = body["permanent"]
        roll["rerolls"] = body["permanent"]
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
        if demands(roll):
            raise Violation("706.6")
        number = body["effect"]
        if not 1 <= number <= len(roll["effects"]):
            raise Violation("706.2b")
        one: Body = roll["effects"][number - 1]
        if one["answer"] is not None:
            raise Violation("706.2a")
        if one["kind"] not in kinds:
            raise Violation("706.2b")
        return one

    def check_cost(self, one: Body, body: Body) -> None:
        if ("paid" in body) != (one["cost"] is not None or one["mana_cost"] is not None):
            raise Violation("706.2a")
        if ("mana_abilities" in body) != (one["mana_cost"] is not None):
            raise Violation("706.2a")

    def check_dice(self, roll: Body, one: Body, body: Body) -> list[int]:
        """The dice that an effect is applied to."""
        possible = applicable(roll, one)
        if one["kind"] != "reroll" and roll["planar"]:
            raise Violation("706.7")
        if "dice" in body:
            numbers: list[int] = list(body["dice"])
        elif one["scope"] == "each":
            numbers = possible
        else:
            raise Violation("706.2b")
        for number in numbers:
            die = find_die(roll, number)
            if die is not None and die["status"] == "ignored":
                raise Violation("706.6")
        if not numbers or len(set(numbers)) != len(numbers) or any(number not in possible for number in numbers):
            raise Violation("706.2b")
        if one["scope"] == "each" and set(numbers) != set(possible):
            raise Violation("706.2b")
        if one["scope"] == "one" and len(numbers) != 1:
            raise Violation("706.2b")
        return numbers

    # What a request ends with.

    def reveal(self, naturals: list[int]) -> None:
        assert self.pending is not None
        pending = self.pending
        self.check_naturals(naturals, pending["sides"])
        roll = pending["roll"]
        plus = sum(one["amount"] for one in roll["modifiers"])
        counts = self.players[roll["player"]]
        counts["dice"] += len(naturals)
        if pending["kind"] == "reroll":
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
                    die["result"] = natural + plus
        else:
            roll["status"] = "open"
            self.again = None
            for number, natural in enumerate(naturals, start=1):
                roll["dice"].append(
                    {
                        "die": number,
                        "sides": roll["sides"][number - 1],
                        "naturals": [natural],
                        "status": "counted",
                        "result": None if roll["planar"] else natural + plus,
                        "planar": roll["planar"],
                        "face": FACES[natural] if roll["planar"] else None,
                        "steps": [],
                    }
                )
        if pending["kind"] == "stored":
            counts["rerolled"] += len(naturals)
            permanent = self.permanents[roll["store"]]
            permanent["stored"] = [entry for entry in permanent["stored"] if entry["stored"] not in pending["stored"]]
        self.pending = None
        self.phase = "idle"

    def void(self) -> None:
        assert self.pending is not None
        if self.pending["kind"] != "reroll":
            self.pending["roll"]["status"] = "void"
            self.open = None
        self.pending = None
        self.phase = "idle"

    # Actions.

    def act(self, seq: int, author: str, type: str, body: Body) -> None:
        if type == "ignore":
            self.ignore(author, body)
        elif type == "modify":
            self.modify(author, body)
        elif type == "store":
            self.store(author, body)
        elif type == "resolve" and "trigger" in body:
            self.resolve_trigger(author, body)
        elif type == "resolve":
            self.resolve(author, body)
        elif type == "declare":
            self.declare(author, body)
        else:
            raise ValueError(type)

    def ignore(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if roll["player"] != author:
            raise Violation("706.6")
        if not body["dice"]:
            raise Violation("706.6")
        work = copy.deepcopy(roll)
        for number in body["dice"]:
            die = find_die(work, number)
            if die is None or die["status"] != "counted":
                raise Violation("706.6")
            left = demands(work)
            results = [] if work["planar"] else [other["result"] for other in counted(work)]
            satisfied = [
                which
                for which in left
                if which == "any"
                or (which == "lowest" and die["result"] == min(results))
                or (which == "highest" and die["result"] == max(results))
            ]
            if not satisfied:
                raise Violation("706.6")
            exact = [which for which in satisfied if which != "any"]
            work["demands"].remove(exact[0] if exact else "any")
            die["status"] = "ignored"
        self.rolls[self.rolls.index(roll)] = work
        self.players[author]["ignored"] += len(body["dice"])

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
        if one["kind"] == "exchange":
            if "amount" in body:
                raise Violation("706.2b")
            chosen = one["number"]
        elif "amount" in body:
            chosen = body["amount"]
        elif len(one["amounts"]) == 1:
            chosen = one["amounts"][0]
        else:
            raise Violation("706.2b")
        if one["kind"] == "adjust" and chosen not in one["amounts"]:
            raise Violation("706.2b")
        # CHOICE: after the amount, before the cost.
        first = ("reroll",) if one["kind"] == "adjust" else ("reroll", "adjust")
        for other in roll["effects"]:
            waits = other["kind"] in first and other["answer"] is None
            if waits and set(applicable(roll, other)) & set(numbers):
                raise Violation("706.2b")
        self.check_cost(one, body)
        for number in numbers:
            die = roll["dice"][number - 1]
            if one["kind"] == "exchange":
                die["steps"].append({"exchange": die["result"], "number": chosen, "source": one["source"]})
                die["result"] = chosen
            else:
                die["steps"].append({"adjust": chosen, "source": one["source"]})
                die["result"] += chosen
        one["answer"] = "applied"

    def store(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if roll["player"] != author:
            raise Violation("706.8a")
        if demands(roll):
            raise Violation("706.6")
        if roll["store"] is None:
            raise Violation("706.8a")
        if roll["store"] != body["permanent"]:
            raise Violation("706.8c")
        if roll["stored"]:
            raise Violation("706.8a")
        if unanswered(roll):
            raise Violation("706.8a")
        if roll["store"] not in self.permanents:
            raise Violation("706.8")
        permanent = self.permanents[roll["store"]]
        for die in counted(roll):
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
        roll["stored"] = True

    def resolve(self, author: str, body: Body) -> None:
        if self.open is None and self.is_offered(body["roll"]):
            self.answer_offer(author, body)
            return
        roll = self.the_open_roll(body["roll"])
        if roll["player"] != author:
            raise Violation("706.3b")
        if demands(roll):
            raise Violation("706.6")
        for one in unanswered(roll):
            raise Violation("706.2" if mandatory(one) else "706.2a")
        if roll["store"] in self.permanents and not roll["stored"]:
            raise Violation("706.8a")
        rows, doubles = self.check_claims(roll, body)
        is_owed = self.check_again(roll, rows, body)
        roll["said_again"] = body.get("again")
        roll["triggers_then"] = self.trigger_count
        roll["status"] = "resolved"
        roll["rows"] = [] if roll["table"] is None else rows
        roll["doubles"] = doubles
        self.open = None
        if is_owed:
            self.again = roll["roll"]
        if counted(roll):
            self.players[roll["player"]]["rolls"] += 1
        self.trigger_for(roll)

    def is_offered(self, number: int) -> bool:
        """Whether this resolved roll offers a roll again that its player was not asked about."""
        if self.again is None or self.again != number:
            return False
        roll = self.find_roll(number)
        return roll["said_again"] is None and True not in again_marks(roll, roll["rows"])

    def answer_offer(self, author: str, body: Body) -> None:
        roll = self.find_roll(body["roll"])
        if roll["player"] != author:
            raise Violation("706.3b")
        rows, _ = self.check_claims(roll, body)
        if not self.check_again(roll, rows, body):
            self.again = None
        roll["said_again"] = body["again"]

    def check_claims(self, roll: Body, body: Body) -> tuple[list[Body], bool]:
        """The rows and doubles of the results, with which what is claimed has to agree."""
        if roll["planar"] and ("results" in body or "rows" in body or body.get("doubles") is True):
            raise Violation("706.7")
        if "results" in body and body["results"] != [die["result"] for die in counted(roll)]:
            raise Violation("706.2")
        rows = work_out_rows(roll)
        if "rows" in body and body["rows"] != [row["row"] for row in rows]:
            raise Violation("706.3a")
        doubles = work_out_doubles(roll)
        if "doubles" in body and body["doubles"] != doubles:
            raise Violation("706.5")
        return rows, doubles

    def check_again(self, roll: Body, rows: list[Body], body: Body) -> bool:
        """Whether the rows that were selected make the player owe a roll again."""
        marks = again_marks(roll, rows)
        if True in marks:
            if body.get("again") is False:
                raise Violation("706.3c")
            return True
        if "may" in marks:
            if "again" not in body:
                raise Violation("706.3c")
            return body["again"] is True
        if body.get("again") is True:
            raise Violation("706.3c")
        return False

    def trigger_for(self, roll: Body) -> None:
        for trigger in self.triggers:
            if not self.looks_at(trigger, roll["player"]):
                continue
            if trigger["on"] == "rolled":
                if counted(roll):
                    self.owe(trigger, roll, None)
                continue
            for die in counted(roll):
                if meets(trigger, die):
                    self.owe(trigger, roll, die["die"])

    def owe(self, trigger: Body, roll: Body, die: int | None) -> None:
        self.owed_count += 1
        self.owed.append(
            {
                "owed": self.owed_count,
                "trigger": trigger["trigger"],
                "controller": trigger["controller"],
                "source": trigger["source"],
                "on": trigger["on"],
                "range": trigger["range"],
                "roll": roll["roll"],
                "die": die,
            }
        )

    def resolve_trigger(self, author: str, body: Body) -> None:
        self.refuse_while_busy()
        for entry in self.owed:
            if entry["owed"] == body["trigger"] and entry["controller"] == author:
                self.owed.remove(entry)
                return
        raise Violation("603")

    def declare_effect(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        # CHOICE: what the roll allows comes before what the effect says.
        if roll["stored"]:
            raise Violation("706.8a")
        if len(roll["effects"]) >= MAX_ITEMS:
            raise Violation("706.2")
        self.check_controller(body["effect"])
        roll["effects"].append(new_effect(body["effect"], len(roll["effects"]) + 1, author))

    def declare(self, author: str, body: Body) -> None:  # noqa: C901 - one form after the other
        what = body["what"]
        if what == "effect":
            self.declare_effect(author, body)
            return
        if what == "ends" and "effect" in body:
            self.end_effect(author, body)
            return
        if what == "gone":
            permanent = self.permanents.get(body["permanent"])
            if permanent is None or permanent["controller"] != author:
                raise Violation("706.8")
            del self.permanents[body["permanent"]]
            return
        self.refuse_while_busy()
        if what == "trigger":
            if len(self.triggers) >= MAX_ITEMS:
                raise Violation("603")
            if "range" in body:
                parse_range_or_refuse(body["range"])
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
        elif what == "permanent":
            # CHOICE: an id is declared once in a game, gone or not.
            if body["permanent"] in self.permanents or len(self.permanents) >= MAX_ITEMS:
                raise Violation("706.8")
            self.permanents[body["permanent"]] = {
                "name": body["name"],
                "controller": author,
                "stored": [],
                "last_stored": 0,
            }
        else:
            for trigger in self.triggers:
                if trigger["trigger"] == body["trigger"] and trigger["controller"] == author:
                    self.triggers.remove(trigger)
                    return
            raise Violation("603")

    def end_effect(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if not 1 <= body["effect"] <= len(roll["effects"]):
            raise Violation("706.2b")
        one = roll["effects"][body["effect"] - 1]
        if one["controller"] != author:
            raise Violation("706.2b")
        if one["answer"] is not None:
            raise Violation("706.2a")
        one["answer"] = "ended"

    # Leaving and rulings.

    def leave(self, name: str) -> None:
        self.left.add(name)
        if self.open is not None and self.find_roll(self.open)["player"] == name:
            self.find_roll(self.open)["status"] = "abandoned"
            self.open = None
        if self.open is not None:
            for one in self.find_roll(self.open)["effects"]:
                if one["controller"] == name and one["answer"] is None:
                    one["answer"] = "ended"
        if self.again is not None and self.find_roll(self.again)["player"] == name:
            self.again = None
        self.owed = [entry for entry in self.owed if entry["controller"] != name]
        self.triggers = [entry for entry in self.triggers if entry["controller"] != name]
        self.permanents = {key: entry for key, entry in self.permanents.items() if entry["controller"] != name}

    def ruling(self, seq: int, author: str, body: Body) -> None:
        roll = self.find_kept_roll(body["subject"])
        if roll is not None and body["ruling"] == "correct" and "results" in body:
            for entry in body["results"]:
                die = find_die(roll, entry["die"])
                if die is None or die["planar"]:
                    raise Violation("ruling")
            self.correct(roll, {entry["die"]: entry["result"] for entry in body["results"]})
        if roll is not None and body["ruling"] == "void":
            self.strike(roll)
        self.record(seq, author, body)

    def correct(self, roll: Body, results: dict[int, int]) -> None:
        before = copy.deepcopy(roll["dice"])
        after = copy.deepcopy(roll)
        for number, result in results.items():
            die = after["dice"][number - 1]
            if die["steps"] and "ruled" in die["steps"][-1]:
                die["steps"].pop()
            die["steps"].append({"ruled": result})
            die["result"] = result
        if roll["status"] == "resolved":
            rows = work_out_rows(after)
            after["rows"] = [] if after["table"] is None else rows
            after["doubles"] = work_out_doubles(after)
            again = self.again_after(after, rows)
            gone, new = self.triggers_after(after, before, results)
            coming = 0
            if self.open is not None:
                other = self.find_roll(self.open)
                coming = self.could_be_owed(other["player"], len(other["sides"]))
            if len(self.owed) - len(gone) + len(new) + coming > MAX_OWED:
                raise Violation("ruling")
            self.again = again
            self.owed = [entry for entry in self.owed if entry not in gone]
            for trigger, number in new:
                self.owe(trigger, after, number)
        self.rolls[self.rolls.index(roll)] = after
        for permanent in self.permanents.values():
            for entry in permanent["stored"]:
                if entry["roll"] == roll["roll"] and entry["die"] in results:
                    entry["value"] = results[entry["die"]]

    def again_after(self, roll: Body, rows: list[Body]) -> int | None:
        """What is owed when the roll has these rows."""
        marks = again_marks(roll, rows)
        due = True in marks or ("may" in marks and roll["said_again"] is not False)
        repeated = any(
            other["again"] == roll["roll"] and other["status"] in ("open", "resolved") for other in self.kept_rolls()
        )
        is_owed = self.again == roll["roll"]
        if not due or repeated or roll["player"] in self.left:
            return None if is_owed else self.again
        if not is_owed and (self.open is not None or self.again is not None):
            raise Violation("ruling")
        number: int = roll["roll"]
        return number

    def triggers_after(
        self, roll: Body, before: list[Body], results: dict[int, int]
    ) -> tuple[list[Body], list[tuple[Body, int]]]:
        """What is owed no more, and what is owed now, after a correction of these dice."""
        dice = [die for die in counted(roll) if die["die"] in results]
        gone = [
            entry
            for entry in self.owed
            for die in dice
            if (entry["roll"], entry["die"], entry["on"]) == (roll["roll"], die["die"], "result")
            and not meets(entry, die)
        ]
        new = [
            (trigger, die["die"])
            for trigger in self.triggers
            for die in dice
            if trigger["on"] == "result"
            and trigger["trigger"] <= roll["triggers_then"]
            and self.looks_at(trigger, roll["player"])
            and meets(trigger, die)
            and not meets(trigger, before[die["die"] - 1])
        ]
        return gone, new

    def strike(self, roll: Body) -> None:
        roll["status"] = "struck"
        if self.open == roll["roll"]:
            self.open = None
        if self.again == roll["roll"]:
            self.again = None
        self.owed = [entry for entry in self.owed if entry["roll"] != roll["roll"]]
        for permanent in self.permanents.values():
            permanent["stored"] = [entry for entry in permanent["stored"] if entry["roll"] != roll["roll"]]

    # The state, as reports show it.

    def waits_for(self) -> dict[str, str] | None:
        if self.open is not None:
            roll = self.find_roll(self.open)
            if demands(roll):
                choice = "ignore"
            elif unanswered(roll):
                choice = "effects"
            elif roll["store"] in self.permanents and not roll["stored"]:
                choice = "store"
            else:
                choice = "resolve"
            return {"party": roll["player"], "choice": choice}
        if self.again is not None:
            choice = "may roll again" if self.is_offered(self.again) else "roll again"
            return {"party": self.find_roll(self.again)["player"], "choice": choice}
        return None

    def state(self) -> Body:
        return {
            **self.shared_state(SHOWN),
            "open": self.open,
            "again": self.again,
            "triggers": copy.deepcopy(self.triggers),
            "owed": copy.deepcopy(self.owed),
            "permanents": {
                key: {
                    "name": entry["name"],
                    "controller": entry["controller"],
                    "stored": copy.deepcopy(entry["stored"]),
                }
                for key, entry in self.permanents.items()
            },
            "players": copy.deepcopy(self.players),
        }
