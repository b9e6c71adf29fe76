"""An oracle for The 9th Age (2022): the rules of specs/t9a.md and specs/rules.md, written from those pages alone.

Nothing of the project is imported; what all systems share is in reference_rules.py. Everything is plain dicts and
lists, the checks stand in the order in which they are made, and nothing is clever. Where the pages leave a choice,
it is marked CHOICE.
"""

from __future__ import annotations

import copy
import re

from tests import reference_rules
from tests.reference_rules import (
    MAX_DICE,
    MAX_ITEMS,
    MAX_MODIFIER,
    MAX_SAFE_INTEGER,
    Body,
    Check,
    Violation,
    amount,
    array_of,
    integer,
    integer_between,
    need,
    object_of,
    one_of,
    parse_dice,
    positive,
    required_text,
    text,
    true,
)

SHOWN = (
    *("roll", "player", "status", "dice", "source", "notation", "times", "maximised", "minimised", "modifiers"),
    *("target", "always", "rerolls", "zero", "throws", "successes"),
)


# --- bodies ---------------------------------------------------------------------------------------


sources = array_of(required_text, least=1)
naturals = array_of(integer_between(1, 6), 6, 1)
claims = array_of(integer, MAX_DICE)


def modifier(value: object) -> None:
    members = value if isinstance(value, dict) else {}
    how: dict[str, Check] = {"multiply": integer_between(2, MAX_MODIFIER)} if "multiply" in members else {"add": amount}
    object_of({"source": required_text, **how})(value)


def reroll_rule(value: object) -> None:
    members = value if isinstance(value, dict) else {}
    asked: dict[str, Check] = {"naturals": naturals} if members.get("which") == "natural" else {}
    object_of(
        {"source": required_text, "which": one_of("failed", "successful", "natural", "any", "throw"), **asked},
        {"may": true, "pick": integer_between(1, MAX_DICE)},
    )(value)


bodies: dict[str, Check] = {
    "roll": object_of(
        {"source": required_text, "dice": text},
        {
            "times": integer_between(1, MAX_DICE),
            "maximised": sources,
            "minimised": sources,
            "modifiers": array_of(modifier),
            "target": text,
            "always": object_of({}, {"success": naturals, "failure": naturals}),
            "rerolls": array_of(reroll_rule),
            "zero": required_text,
        },
    ),
    "declare": object_of({"what": one_of("reroll"), "roll": positive, "rule": reroll_rule}),
    "modify": object_of({"roll": positive, "modifier": modifier}),
    # `dice` may be empty for the schema; T4.2 refuses too few.
    "reroll": object_of({"roll": positive, "rule": positive}, {"dice": array_of(positive, MAX_DICE)}),
    "resolve": object_of(
        {"roll": positive}, {"totals": claims, "successes": integer, "directions": claims, "faces": claims}
    ),
}


def check_options(options: object) -> None:
    object_of({})(options)


def check_body(type: str, body: object) -> None:
    need(type in bodies, f"{type} is no type of this system")
    bodies[type](body)


# --- what a roll is -------------------------------------------------------------------------------


def is_direction(roll: Body) -> bool:
    directs: bool = roll["kinds"] not in (["d6"], ["d3"])
    return directs


def kinds_of(dice: str) -> tuple[list[str], int]:
    """The kinds of dice of one throw, and how many number dice it has (T1.1, T7.1, T7.2)."""
    if dice == "direction":
        return ["arrow"], 0
    if dice == "direction-d6":
        return ["face", "bearing"], 0
    sides = parse_dice(dice)
    if sides is None or (set(sides) != {6} and set(sides) != {3}):
        raise Violation("T1.1")
    return [f"d{sides[0]}"], len(sides)


def parse_target(written: str) -> tuple[int, bool]:
    """N, and whether N or more is asked for."""
    match = re.fullmatch("(0|[1-9][0-9]*)([+-])", written)
    if match is None or len(match[1]) > 16 or int(match[1]) > MAX_SAFE_INTEGER:
        raise Violation("T1.3")
    return int(match[1]), match[2] == "+"


def value_of(kind: str, natural: int) -> int:
    """The `result` of a die from its natural."""
    if kind == "d3":
        return (natural + 1) // 2
    if kind == "face":
        return 5 if natural in (1, 6) else 1
    if kind in ("arrow", "bearing"):
        return natural % 360
    return natural


def check_rule(roll: Body, rule: Body) -> None:
    if is_direction(roll) and rule["which"] not in ("any", "throw"):
        raise Violation("T7.3")
    if rule["which"] in ("failed", "successful") and roll["target"] is None:
        raise Violation("T4.2")


def check_reach(roll: Body, clause: str) -> None:
    """T2.3. A direction has no number that could reach too far."""
    if is_direction(roll):
        return
    largest = max([6] + [abs(die["result"]) for die in roll["dice"] if die["status"] == "counted"])
    reach = roll["number"] * largest
    for one in roll["modifiers"]:
        reach = reach + abs(one["add"]) if one["multiply"] is None else reach * one["multiply"]
    if reach > MAX_SAFE_INTEGER:
        raise Violation(clause)


def new_modifier(given: Body, author: str, late: bool) -> Body:
    return {
        "source": given["source"],
        "by": author,
        "late": late,
        "add": given.get("add"),
        "multiply": given.get("multiply"),
    }


def new_rule(given: Body, number: int, author: str, late: bool) -> Body:
    return {
        "rule": number,
        "source": given["source"],
        "by": author,
        "late": late,
        "which": given["which"],
        "naturals": list(given.get("naturals", [])),
        "may": given.get("may", False),
        "pick": given.get("pick"),
        "rerolled": 0,
    }


# --- throws ---------------------------------------------------------------------------------------


def dice_of(roll: Body, numbers: list[int]) -> list[Body]:
    return [roll["dice"][number - 1] for number in numbers]


def succeeds(roll: Body, throw: Body) -> bool | None:
    if roll["target"] is None:
        return None
    natural = roll["dice"][throw["kept"][0] - 1]["naturals"][-1]
    if natural in roll["always"]["success"]:
        return True
    if natural in roll["always"]["failure"]:
        return False
    number, or_more = parse_target(roll["target"])
    met: bool = throw["total"] >= number if or_more else throw["total"] <= number
    return met


def work_out(roll: Body) -> None:
    """Everything that follows from the dice as they are now."""
    for throw in roll["throws"]:
        dice = dice_of(roll, throw["kept"])
        if is_direction(roll):
            throw["degrees"] = dice[-1]["result"]
            throw["face"] = dice[0]["result"] if len(dice) == 2 else None
            continue
        throw["sum"] = sum(die["result"] for die in dice)
        total = throw["sum"]
        for one in roll["modifiers"]:
            total = total + one["add"] if one["multiply"] is None else total * one["multiply"]
        throw["total"] = total
        throw["success"] = succeeds(roll, throw)
    if roll["target"] is not None and roll["throws"]:
        roll["successes"] = sum(1 for throw in roll["throws"] if throw["success"])


def drop(roll: Body, numbers: list[int]) -> list[int]:
    """The dice of one throw that Maximised and Minimised take away (T6.1 to T6.4)."""
    excess = len(roll["maximised"]) - len(roll["minimised"])
    in_order = sorted(
        numbers,
        key=lambda number: (
            roll["dice"][number - 1]["naturals"][0] * (1 if excess > 0 else -1),
            number,
        ),
    )
    return sorted(in_order[: abs(excess)])


# --- rerolls --------------------------------------------------------------------------------------


def rerolled(die: Body) -> bool:
    return len(die["naturals"]) > 1


def concerns(rule: Body, throw: Body, die: Body) -> bool:
    """T4.2, for a die that is kept, whether it was rerolled or not."""
    if rule["which"] == "failed":
        return throw["success"] is False
    if rule["which"] == "successful":
        return throw["success"] is True
    if rule["which"] == "natural":
        shows: bool = die["naturals"][-1] in rule["naturals"]
        return shows
    return True


def pieces(roll: Body, rule: Body, again: bool = False) -> list[list[int]]:
    """The pieces that a rule may take; with `again` as if no die had been rerolled yet."""
    found: list[list[int]] = []
    for throw in roll["throws"]:
        dice = [
            die["die"]
            for die in dice_of(roll, throw["kept"])
            if concerns(rule, throw, die) and (again or not rerolled(die))
        ]
        if rule["which"] in ("failed", "successful", "throw") or is_direction(roll):
            found += [dice] if dice else []
        else:
            found += [[number] for number in dice]
    return found


def left_of(rule: Body) -> int | None:
    """How many pieces are left of the rule's pick; None where it has none."""
    return None if rule["pick"] is None else rule["pick"] - rule["rerolled"]


def applies(roll: Body, rule: Body) -> bool:
    """Whether the rule concerns a die, and may still take one."""
    return left_of(rule) != 0 and pieces(roll, rule) != []


def orders(roll: Body) -> list[Body]:
    return [rule for rule in roll["rerolls"] if not rule["may"] and applies(roll, rule)]


def check_named(roll: Body, rule: Body, numbers: list[int]) -> None:
    """The dice that a reroll names, one after the other."""
    seen: list[int] = []
    for number in numbers:
        if number > len(roll["dice"]):
            raise Violation("T4.2")
        die = roll["dice"][number - 1]
        throw = roll["throws"][die["throw"] - 1]
        if number not in throw["kept"]:
            raise Violation("T6.5")
        if rerolled(die):
            raise Violation("T4.1")
        if not concerns(rule, throw, die):
            raise Violation("T5.2" if rule["which"] == "natural" and die["kind"] == "d3" else "T4.2")
        if number in seen:
            raise Violation("T4.2")
        seen.append(number)


# --- the game -------------------------------------------------------------------------------------


class NinthAge(reference_rules.Game):
    """The state of one game."""

    SYSTEM = "t9a-2022"
    check_options = staticmethod(check_options)
    check_body = staticmethod(check_body)

    def __init__(self, options: Body, parties: dict[str, str], joined: list[str] | None = None) -> None:
        """`parties`: name -> role, in party order; `joined`: who has joined at the start (absent: all)."""
        super().__init__(options, parties, joined)
        self.players = {
            party: {"rolls": 0, "dice": 0, "ignored": 0, "rerolled": 0}
            for party, role in parties.items()
            if role == "player"
        }

    def the_open_roll(self, number: int) -> Body:
        if self.open is None or self.open != number:
            raise Violation("T1.4")
        return self.find_roll(number)

    def the_own_open_roll(self, number: int, author: str) -> Body:
        roll = self.the_open_roll(number)
        if roll["player"] != author:
            raise Violation("T1.4")
        return roll

    # Requests.

    def request(self, seq: int, author: str, type: str, body: Body) -> list[int]:
        self.pending = self.request_roll(seq, author, body) if type == "roll" else self.request_reroll(author, body)
        self.requests += 1
        self.phase = "pending"
        return list(self.pending["sides"])

    def request_roll(self, seq: int, author: str, body: Body) -> Body:  # noqa: C901 - the checks in their order
        if self.open is not None:
            raise Violation("T1.4")
        kinds, number = kinds_of(body["dice"])
        if number == 0:
            for member in ("maximised", "minimised", "modifiers", "target", "always"):
                if member in body:
                    raise Violation("T7.3")
        elif "zero" in body:
            raise Violation("T7.3")
        if "target" in body:
            parse_target(body["target"])
        always = body.get("always")
        if always is not None:
            if "target" not in body or number != 1 or always == {}:
                raise Violation("T3.2")
            if set(always.get("success", [])) & set(always.get("failure", [])):
                raise Violation("T3.2")
        roll: Body = {
            "roll": seq,
            "player": author,
            "status": "pending",
            "dice": [],
            "source": body["source"],
            "notation": (f"{body['times']}x" if body.get("times", 1) > 1 else "") + body["dice"],
            "times": body.get("times", 1),
            "maximised": list(body.get("maximised", [])),
            "minimised": list(body.get("minimised", [])),
            "modifiers": [new_modifier(given, author, False) for given in body.get("modifiers", [])],
            "target": body.get("target"),
            "always": {member: list((always or {}).get(member, [])) for member in ("success", "failure")},
            "rerolls": [],
            "zero": body.get("zero"),
            "throws": [],
            "successes": None,
            "kinds": kinds,
            "number": number,
        }
        for given in body.get("rerolls", []):
            check_rule(roll, given)
            roll["rerolls"].append(new_rule(given, len(roll["rerolls"]) + 1, author, False))
        if number > 0:
            kinds = kinds * (number + abs(len(roll["maximised"]) - len(roll["minimised"])))
        if roll["times"] * len(kinds) > MAX_DICE:
            raise Violation("T1.1")
        check_reach(roll, "T2.3")
        self.rolls.append(roll)
        # "From its request until its resolve a roll is open."
        self.open = seq
        sides = [360 if kind in ("arrow", "bearing") else 6 for kind in kinds] * roll["times"]
        return {"roll": roll, "rule": None, "kinds": kinds, "sides": sides}

    def request_reroll(self, author: str, body: Body) -> Body:
        roll = self.the_own_open_roll(body["roll"], author)
        if body["rule"] > len(roll["rerolls"]):
            raise Violation("T4.2")
        rule = roll["rerolls"][body["rule"] - 1]
        left = left_of(rule)
        if left == 0:
            raise Violation("T4.2")
        whole = pieces(roll, rule)
        if "dice" in body:
            check_named(roll, rule, body["dice"])
        elif not whole:
            raise Violation("T4.1" if pieces(roll, rule, again=True) else "T4.2")
        numbers = body.get("dice", [number for piece in whole for number in piece])
        taken = [piece for piece in whole if set(piece) & set(numbers)]
        if any(not set(piece) <= set(numbers) for piece in taken):
            raise Violation("T4.2")
        most = len(whole) if left is None else min(left, len(whole))
        if not taken or not (1 if rule["may"] else most) <= len(taken) <= most:
            raise Violation("T4.2")
        sides = [roll["dice"][number - 1]["sides"] for number in numbers]
        return {"roll": roll, "rule": rule, "dice": list(numbers), "pieces": len(taken), "sides": sides}

    def reveal(self, naturals: list[int]) -> None:
        assert self.pending is not None
        pending = self.pending
        self.check_naturals(naturals, pending["sides"])
        roll = pending["roll"]
        counts = self.players[roll["player"]]
        counts["dice"] += len(naturals)
        if pending["rule"] is None:
            roll["status"] = "open"
            self.first_shown(roll, pending["kinds"], naturals)
            counts["ignored"] += sum(len(throw["dropped"]) for throw in roll["throws"])
        else:
            counts["rerolled"] += len(naturals)
            pending["rule"]["rerolled"] += pending["pieces"]
            for die, natural in zip(dice_of(roll, pending["dice"]), naturals, strict=True):
                die["steps"].append({"reroll": die["naturals"][-1], "source": pending["rule"]["source"]})
                die["naturals"].append(natural)
                die["result"] = value_of(die["kind"], natural)
        work_out(roll)
        self.pending = None
        self.phase = "idle"

    def first_shown(self, roll: Body, kinds: list[str], naturals: list[int]) -> None:
        for place, natural in enumerate(naturals):
            kind = kinds[place % len(kinds)]
            roll["dice"].append(
                {
                    "die": place + 1,
                    "throw": place // len(kinds) + 1,
                    "kind": kind,
                    "sides": 360 if kind in ("arrow", "bearing") else 6,
                    "naturals": [natural],
                    "status": "counted",
                    "result": value_of(kind, natural),
                    "steps": [],
                }
            )
        for number in range(1, roll["times"] + 1):
            dice = [die["die"] for die in roll["dice"] if die["throw"] == number]
            dropped = drop(roll, dice)
            for die in dice_of(roll, dropped):
                die["status"] = "ignored"
            roll["throws"].append(
                {
                    "throw": number,
                    "kept": [die for die in dice if die not in dropped],
                    "dropped": dropped,
                    "sum": None,
                    "total": None,
                    "success": None,
                    "degrees": None,
                    "face": None,
                }
            )

    def void(self) -> None:
        assert self.pending is not None
        if self.pending["rule"] is None:
            self.pending["roll"]["status"] = "void"
            self.open = None
        self.pending = None
        self.phase = "idle"

    # Actions.

    def act(self, seq: int, author: str, type: str, body: Body) -> None:
        if type == "modify":
            self.modify(author, body)
        elif type == "declare":
            self.declare(author, body)
        elif type == "resolve":
            self.resolve(author, body)
        else:
            raise ValueError(type)

    def modify(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if is_direction(roll):
            raise Violation("T7.3")
        after = {**roll, "modifiers": [*roll["modifiers"], new_modifier(body["modifier"], author, True)]}
        if len(after["modifiers"]) > MAX_ITEMS:
            raise Violation("T2.3")
        check_reach(after, "T2.3")
        roll["modifiers"] = after["modifiers"]
        work_out(roll)

    def declare(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        check_rule(roll, body["rule"])
        if len(roll["rerolls"]) == MAX_ITEMS:
            raise Violation("T4.2")
        roll["rerolls"].append(new_rule(body["rule"], len(roll["rerolls"]) + 1, author, True))

    def resolve(self, author: str, body: Body) -> None:
        roll = self.the_own_open_roll(body["roll"], author)
        if orders(roll):
            raise Violation("T4.4")
        self.check_places(roll, body)
        self.check_claims(roll, body)
        roll["status"] = "resolved"
        self.open = None
        self.players[author]["rolls"] += 1

    def check_places(self, roll: Body, body: Body) -> None:
        """The claims that such a roll cannot have."""
        if is_direction(roll) and ("totals" in body or "successes" in body):
            raise Violation("T7.3")
        if not is_direction(roll) and "directions" in body:
            raise Violation("T7.3")
        if "successes" in body and roll["target"] is None:
            raise Violation("T1.3")
        if "faces" in body and roll["kinds"] != ["face", "bearing"]:
            raise Violation("T7.2")

    def check_claims(self, roll: Body, body: Body) -> None:
        throws = roll["throws"]
        if "totals" in body:
            if len(body["totals"]) != len(throws):
                raise Violation("T1.2")
            for claimed, throw in zip(body["totals"], throws, strict=True):
                if claimed != throw["total"]:
                    raise Violation(self.overlooked(roll, throw))
        if "successes" in body and body["successes"] != roll["successes"]:
            if roll["always"]["success"] or roll["always"]["failure"]:
                raise Violation("T5.2" if roll["kinds"] == ["d3"] else "T3.1")
            raise Violation("T1.3")
        if "directions" in body and body["directions"] != [throw["degrees"] for throw in throws]:
            raise Violation("T7.1" if roll["kinds"] == ["arrow"] else "T7.2")
        if "faces" in body and body["faces"] != [throw["face"] for throw in throws]:
            raise Violation("T7.2")

    def overlooked(self, roll: Body, throw: Body) -> str:
        """The clause of a wrong total."""
        for condition, clause in (
            (any(rerolled(die) for die in dice_of(roll, throw["kept"])), "T4.3"),
            (throw["total"] < 1, "T2.2"),
            (roll["modifiers"] != [], "T2.1"),
            (roll["kinds"] == ["d3"], "T5.1"),
            (roll["maximised"] != [] and roll["minimised"] != [], "T6.4"),
            (len(roll["maximised"]) + len(roll["minimised"]) > 1, "T6.3"),
            (roll["maximised"] != [], "T6.1"),
            (roll["minimised"] != [], "T6.2"),
        ):
            if condition:
                return clause
        return "T1.2"

    # Leaving and rulings.

    def leave(self, name: str) -> None:
        self.left.add(name)
        if self.open is not None and self.find_roll(self.open)["player"] == name:
            self.find_roll(self.open)["status"] = "abandoned"
            self.open = None

    def ruling(self, seq: int, author: str, body: Body) -> None:
        roll = self.find_kept_roll(body["subject"])
        if roll is not None and body["ruling"] == "correct":
            self.correct(roll, {entry["die"]: entry["result"] for entry in body.get("results", [])})
        if roll is not None and body["ruling"] == "void":
            roll["status"] = "struck"
            if self.open == roll["roll"]:
                self.open = None
        self.record(seq, author, body)

    def correct(self, roll: Body, results: dict[int, int]) -> None:
        after = copy.deepcopy(roll)
        for number, result in results.items():
            if number > len(after["dice"]):
                raise Violation("ruling")
            die = after["dice"][number - 1]
            if die["kind"] in ("arrow", "bearing") and not 0 <= result <= 359:
                raise Violation("ruling")
            if die["kind"] == "face" and result not in (1, 5):
                raise Violation("ruling")
            if die["steps"] and "ruled" in die["steps"][-1]:
                die["steps"].pop()
            die["steps"].append({"ruled": result})
            die["result"] = result
        check_reach(after, "ruling")
        work_out(after)
        self.rolls[self.rolls.index(roll)] = after

    # The state, as reports show it.

    def waits_for(self) -> dict[str, str] | None:
        if self.open is None:
            return None
        roll = self.find_roll(self.open)
        choice = "resolve"
        if any(applies(roll, rule) for rule in roll["rerolls"]):
            choice = "reroll" if orders(roll) else "reroll or resolve"
        return {"party": roll["player"], "choice": choice}

    def state(self) -> Body:
        return {**self.shared_state(SHOWN), "open": self.open, "players": copy.deepcopy(self.players)}
