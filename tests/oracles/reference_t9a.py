"""An oracle for The 9th Age (2022): the rules of specs/t9a.md and specs/rules.md, written from those pages alone.

Nothing of the project is imported; what all systems share is in reference_rules.py. Everything is plain dicts and
lists, the checks stand in the order in which they are made, and nothing is clever. Where the pages leave a choice,
it is marked CHOICE.
"""

from __future__ import annotations

import copy
import re

from tests.oracles import reference_rules
from tests.oracles.reference_rules import (
    MAX_DICE,
    MAX_ITEMS,
    MAX_MODIFIER,
    MAX_SAFE_INTEGER,
    Body,
    Check,
    Violation,
    amount,
    array_of,
    check_load,
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
    weight,
)

SHOWN = (
    *("roll", "player", "status", "dice", "source", "notation", "times", "maximised", "minimised", "modifiers"),
    *("target", "always", "rerolls", "of", "at_once", "first", "zero", "throws", "successes"),
)
# Rules whose pieces are throws for number dice too (T4.2).
OF_THROWS = ("failed", "successful", "throw")


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
    with_throws: dict[str, Check] = {"dropped": true} if members.get("which") in OF_THROWS else {}
    object_of(
        {"source": required_text, "which": one_of("failed", "successful", "natural", "any", "throw"), **asked},
        {"may": true, "pick": integer_between(1, MAX_DICE), "first": true, **with_throws},
    )(value)


def ignored(value: object) -> None:
    by = "dice" if isinstance(value, dict) and "dice" in value else "throws"
    object_of({"roll": positive, by: array_of(positive, MAX_DICE)})(value)


def reroll(value: object) -> None:
    by = "dice" if isinstance(value, dict) and "dice" in value else "throws"
    object_of({"roll": positive, "rule": positive}, {by: array_of(positive, MAX_DICE)})(value)


bodies: dict[str, Check] = {
    "roll": object_of(
        {"source": required_text, "dice": text},
        {
            "times": integer_between(1, MAX_DICE),
            "of": one_of("successes", "failures"),
            "maximised": sources,
            "minimised": sources,
            "modifiers": array_of(modifier),
            "target": text,
            "always": object_of({}, {"success": naturals, "failure": naturals}),
            "rerolls": array_of(reroll_rule),
            "at_once": true,
            "zero": required_text,
        },
    ),
    "declare": object_of({"what": one_of("reroll"), "roll": positive, "rule": reroll_rule}),
    "modify": object_of({"roll": positive, "modifier": modifier}),
    # `throws` and `dice` may be empty for the schema; T4.2 and T4.3 refuse that.
    "reroll": reroll,
    "ignore": ignored,
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


def sides_of(kind: str) -> int:
    return 360 if kind in ("arrow", "bearing") else 6


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


def told(roll: Body) -> int:
    """What bears on the roll: its modifiers and reroll rules."""
    return weight([one["source"] for one in [*roll["modifiers"], *roll["rerolls"]]])


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
        "dropped": given.get("dropped", False),
        "first": given.get("first", False),
        "rerolled": 0,
    }


# --- throws ---------------------------------------------------------------------------------------


def dice_of(roll: Body, numbers: list[int]) -> list[Body]:
    return [roll["dice"][number - 1] for number in numbers]


def natural_of(die: Body) -> int:
    """The natural that counts: the last, or the first where the first result was let stand (T4.3)."""
    let_stand = any("first" in step for step in die["steps"])
    natural: int = die["naturals"][0 if let_stand else -1]
    return natural


def succeeds(roll: Body, throw: Body) -> bool | None:
    if roll["target"] is None:
        return None
    natural = natural_of(roll["dice"][throw["kept"][0] - 1])
    if natural in roll["always"]["success"]:
        return True
    if natural in roll["always"]["failure"]:
        return False
    number, or_more = parse_target(roll["target"])
    met: bool = throw["total"] >= number if or_more else throw["total"] <= number
    return met


def modified(roll: Body, total: int) -> int:
    """A sum after the modifiers, one after the other (T2.1)."""
    for one in roll["modifiers"]:
        total = total + one["add"] if one["multiply"] is None else total * one["multiply"]
    return total


def work_out(roll: Body) -> None:
    """Everything that follows from the dice as they are now."""
    for throw in roll["throws"]:
        dice = dice_of(roll, throw["kept"])
        if is_direction(roll):
            throw["degrees"] = dice[-1]["result"]
            throw["face"] = dice[0]["result"] if len(dice) == 2 else None
            continue
        throw["sum"] = sum(die["result"] for die in dice)
        throw["total"] = modified(roll, throw["sum"])
        throw["success"] = succeeds(roll, throw)
    if roll["target"] is not None and roll["throws"]:
        roll["successes"] = sum(1 for throw in roll["throws"] if throw["success"])


def from_end(roll: Body, numbers: list[int], lowest: bool) -> list[int]:
    """The dice from the lowest natural up, or from the highest down; among equals the lower die number first."""
    return sorted(
        numbers,
        key=lambda number: (natural_of(roll["dice"][number - 1]) * (1 if lowest else -1), number),
    )


def drop(roll: Body, throw: Body) -> None:
    """Drop dice of the throw, by the naturals that they have now (T6.1 to T6.4)."""
    excess = len(roll["maximised"]) - len(roll["minimised"])
    numbers = [die["die"] for die in roll["dice"] if die["throw"] == throw["throw"]]
    in_order = from_end(roll, numbers, lowest=excess > 0)
    throw["dropped"] = sorted(in_order[: 0 if is_direction(roll) else abs(excess)])
    throw["kept"] = [number for number in numbers if number not in throw["dropped"]]
    for die in dice_of(roll, numbers):
        die["status"] = "ignored" if die["die"] in throw["dropped"] else "counted"


def first_shown(roll: Body, naturals: list[int]) -> None:
    """The dice and throws of a roll, as the dice are shown."""
    kinds = roll["drawn"]
    for place, natural in enumerate(naturals):
        kind = kinds[place % len(kinds)]
        roll["dice"].append(
            {
                "die": place + 1,
                "throw": place // len(kinds) + 1,
                "kind": kind,
                "sides": sides_of(kind),
                "naturals": [natural],
                "status": "counted",
                "result": value_of(kind, natural),
                "steps": [],
            }
        )
    for number in range(1, roll["times"] + 1):
        throw: Body = {
            "throw": number,
            "kept": [],
            "dropped": [],
            "sum": None,
            "total": None,
            "success": None,
            "degrees": None,
            "face": None,
        }
        drop(roll, throw)
        roll["throws"].append(throw)
    work_out(roll)


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
        return natural_of(die) in rule["naturals"]
    return True


def by_throws(roll: Body, rule: Body) -> bool:
    """Whether the pieces of the rule are throws."""
    return rule["which"] in OF_THROWS or is_direction(roll)


def pieces(roll: Body, rule: Body, again: bool = False) -> list[Body]:
    """The pieces that a rule may take, with all dice that are drawn for each; `again`: as if none had been rerolled."""
    found: list[Body] = []
    for throw in roll["throws"]:
        dice = [
            die["die"]
            for die in dice_of(roll, throw["kept"])
            if concerns(rule, throw, die) and (again or not rerolled(die))
        ]
        if not by_throws(roll, rule):
            found += [{"throw": None, "dice": [number]} for number in dice]
        elif dice:
            if rule["dropped"]:
                dice = dice + [die["die"] for die in dice_of(roll, throw["dropped"]) if not rerolled(die)]
            found.append({"throw": throw["throw"], "dice": sorted(dice)})
    return found


def left_of(rule: Body) -> int | None:
    """How many pieces are left of the rule's pick; None where it has none."""
    return None if rule["pick"] is None else rule["pick"] - rule["rerolled"]


def applies(roll: Body, rule: Body) -> bool:
    """Whether the rule concerns a die, and may still take one."""
    return left_of(rule) != 0 and pieces(roll, rule) != []


def orders(roll: Body) -> list[Body]:
    return [rule for rule in roll["rerolls"] if not rule["may"] and applies(roll, rule)]


def choice_of(roll: Body) -> str | None:
    """What a shown roll waits for; None where it stands."""
    if orders(roll):
        return "reroll"
    if any(applies(roll, rule) for rule in roll["rerolls"]):
        return "reroll or resolve"
    return "ignore or resolve" if roll["first"] else None


def named_throws(roll: Body, rule: Body, whole: list[Body], numbers: list[int]) -> list[Body]:
    """The pieces that a reroll names by their throws, one after the other."""
    taken: list[Body] = []
    for number in numbers:
        if number > len(roll["throws"]):
            raise Violation("T4.2")
        throw = roll["throws"][number - 1]
        if all(rerolled(die) for die in dice_of(roll, throw["kept"])):
            raise Violation("T4.1")
        found = [piece for piece in whole if piece["throw"] == number]
        if not found or found[0] in taken:
            raise Violation("T4.2")
        taken.append(found[0])
    return taken


def named_dice(roll: Body, rule: Body, whole: list[Body], numbers: list[int]) -> list[Body]:
    """The pieces that a reroll names by their dice, one after the other."""
    taken: list[Body] = []
    for number in numbers:
        if number > len(roll["dice"]):
            raise Violation("T4.2")
        die = roll["dice"][number - 1]
        if number not in roll["throws"][die["throw"] - 1]["kept"]:
            raise Violation("T6.5")
        if rerolled(die):
            raise Violation("T4.1")
        found = [piece for piece in whole if piece["dice"] == [number]]
        if not found:
            raise Violation("T5.2" if rule["which"] == "natural" and die["kind"] == "d3" else "T4.2")
        if found[0] in taken:
            raise Violation("T4.2")
        taken.append(found[0])
    return taken


def reroll_dice(roll: Body, rule: Body, taken: list[Body], numbers: list[int], naturals: list[int]) -> None:
    """The dice with these numbers have been drawn anew for these pieces."""
    for die, natural in zip(dice_of(roll, numbers), naturals, strict=True):
        die["steps"].append({"reroll": natural_of(die), "source": rule["source"]})
        die["naturals"].append(natural)
        die["result"] = value_of(die["kind"], natural)
    rule["rerolled"] += len(taken)
    if rule["first"]:
        roll["first"] += [{"rule": rule["rule"], **piece} for piece in taken]
    if rule["dropped"]:
        for piece in taken:
            drop(roll, roll["throws"][piece["throw"] - 1])
    work_out(roll)


def show(roll: Body, naturals: list[int]) -> list[int]:
    """Show the dice, and with `at_once` carry out the orders (T4.4). The numbers of the dice that come after these."""
    count = roll["times"] * len(roll["drawn"])
    first_shown(roll, naturals[:count])
    rest = naturals[count:]
    for rule in roll["rerolls"] if roll["at_once"] else []:
        taken = pieces(roll, rule)
        if rule["may"] or not taken or (rule["pick"] is not None and len(taken) > rule["pick"]):
            continue
        numbers = sorted(number for piece in taken for number in piece["dice"])
        if not rest:
            return numbers
        reroll_dice(roll, rule, taken, numbers, rest[: len(numbers)])
        rest = rest[len(numbers) :]
    return []


def let_first_stand(roll: Body, taken: list[Body]) -> None:
    """T4.3, and T6.5 for a rule that rerolled dropped dice too."""
    for piece in taken:
        rule = roll["rerolls"][piece["rule"] - 1]
        for die in dice_of(roll, piece["dice"]):
            die["steps"].append({"first": die["naturals"][0], "source": rule["source"]})
            die["result"] = value_of(die["kind"], die["naturals"][0])
        roll["first"].remove(piece)
        if rule["dropped"]:
            drop(roll, roll["throws"][piece["throw"] - 1])
    work_out(roll)


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

    def standing(self) -> Body | None:
        """The open roll, if it waits for nobody (What stands)."""
        if self.open is None or self.phase == "pending":
            return None
        roll = self.find_roll(self.open)
        return roll if choice_of(roll) is None else None

    def settle(self, roll: Body) -> None:
        roll["status"] = "resolved"
        self.open = None
        self.players[roll["player"]]["rolls"] += 1

    def as_many(self, body: Body) -> Body | None:
        """What `of` stands for (T1.5)."""
        if "of" not in body:
            return None
        # What stands is settled first, so it is the latest.
        standing = self.standing()
        resolved = [roll for roll in self.kept_rolls() if roll["status"] == "resolved"]
        if standing is None and not resolved:
            raise Violation("T1.5")
        last = resolved[-1] if standing is None else standing
        if last["target"] is None:
            raise Violation("T1.5")
        count = sum(1 for throw in last["throws"] if throw["success"] is (body["of"] == "successes"))
        if count == 0 or body.get("times", 1) > count:
            raise Violation("T1.5")
        return {"which": body["of"], "roll": last["roll"], "count": count}

    def request_roll(self, seq: int, author: str, body: Body) -> Body:  # noqa: C901 - the checks in their order
        standing = self.standing()
        if self.open is not None and standing is None:
            raise Violation("T1.4")
        of = self.as_many(body)
        times: int = body["times"] if "times" in body else 1 if of is None else of["count"]
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
            "notation": (f"{times}x" if times > 1 else "") + body["dice"],
            "times": times,
            "maximised": list(body.get("maximised", [])),
            "minimised": list(body.get("minimised", [])),
            "modifiers": [new_modifier(given, author, False) for given in body.get("modifiers", [])],
            "target": body.get("target"),
            "always": {member: list((always or {}).get(member, [])) for member in ("success", "failure")},
            "rerolls": [],
            "of": of,
            "at_once": body.get("at_once", False),
            "first": [],
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
        roll["drawn"] = kinds
        if times * len(kinds) * (2 if roll["at_once"] else 1) > MAX_DICE:
            raise Violation("T1.1")
        check_load(told(roll), times * len(kinds), "T2.3")
        check_reach(roll, "T2.3")
        if standing is not None:
            self.settle(standing)
        self.rolls.append(roll)
        # "From its request until it is settled a roll is open."
        self.open = seq
        sides = [sides_of(kind) for kind in kinds] * times
        return {"roll": roll, "rule": None, "settled": standing, "sides": sides}

    def request_reroll(self, author: str, body: Body) -> Body:
        roll = self.the_own_open_roll(body["roll"], author)
        if body["rule"] > len(roll["rerolls"]):
            raise Violation("T4.2")
        rule = roll["rerolls"][body["rule"] - 1]
        left = left_of(rule)
        if left == 0:
            raise Violation("T4.2")
        whole = pieces(roll, rule)
        if "throws" not in body and "dice" not in body:
            if not whole:
                raise Violation("T4.1" if pieces(roll, rule, again=True) else "T4.2")
            taken = whole
        elif ("throws" in body) != by_throws(roll, rule):
            raise Violation("T4.2")
        elif "throws" in body:
            taken = named_throws(roll, rule, whole, body["throws"])
        else:
            taken = named_dice(roll, rule, whole, body["dice"])
        most = len(whole) if left is None else min(left, len(whole))
        if not taken or not (1 if rule["may"] else most) <= len(taken) <= most:
            raise Violation("T4.2")
        numbers = [number for piece in taken for number in piece["dice"]]
        sides = [roll["dice"][number - 1]["sides"] for number in numbers]
        return {"roll": roll, "rule": rule, "taken": taken, "dice": numbers, "sides": sides}

    def further(self, naturals: list[int]) -> list[int]:
        assert self.pending is not None
        if self.pending["rule"] is not None:
            return []
        roll = copy.deepcopy(self.pending["roll"])
        numbers = show(roll, naturals)
        return [roll["dice"][number - 1]["sides"] for number in numbers]

    def reveal(self, naturals: list[int]) -> None:
        assert self.pending is not None
        pending = self.pending
        self.check_naturals(naturals, self.all_dice(pending["sides"], naturals))
        roll = pending["roll"]
        counts = self.players[roll["player"]]
        counts["dice"] += len(naturals)
        if pending["rule"] is None:
            roll["status"] = "open"
            show(roll, naturals)
            counts["rerolled"] += len(naturals) - len(pending["sides"])
            # As many are dropped anew as were dropped at first.
            counts["ignored"] += sum(len(throw["dropped"]) for throw in roll["throws"])
        else:
            reroll_dice(roll, pending["rule"], pending["taken"], pending["dice"], naturals)
            counts["rerolled"] += len(naturals)
        self.pending = None
        self.phase = "idle"

    def void(self) -> None:
        assert self.pending is not None
        if self.pending["rule"] is None:
            self.pending["roll"]["status"] = "void"
            self.open = None
            settled = self.pending["settled"]
            if settled is not None:
                # It stands again, and the open roll is the last one.
                settled["status"] = "open"
                self.players[settled["player"]]["rolls"] -= 1
                self.open = settled["roll"]
                self.rolls = [roll for roll in self.rolls if roll is not settled] + [settled]
        self.pending = None
        self.phase = "idle"

    def settle_standing(self) -> None:
        standing = self.standing()
        if standing is not None:
            self.settle(standing)

    # Actions.

    def act(self, seq: int, author: str, type: str, body: Body) -> None:
        if type == "modify":
            self.modify(author, body)
        elif type == "declare":
            self.declare(author, body)
        elif type == "ignore":
            self.ignore(author, body)
        elif type == "resolve":
            self.resolve(author, body)
        else:
            raise ValueError(type)

    def load(self, roll: Body) -> int:
        return told(roll) * (int(roll["times"]) * len(roll["drawn"]) + 1)

    def modify(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if is_direction(roll):
            raise Violation("T7.3")
        after = {**roll, "modifiers": [*roll["modifiers"], new_modifier(body["modifier"], author, True)]}
        if len(after["modifiers"]) > MAX_ITEMS:
            raise Violation("T2.3")
        check_reach(after, "T2.3")
        check_load(told(after), roll["times"] * len(roll["drawn"]), "T2.3")
        roll["modifiers"] = after["modifiers"]
        work_out(roll)

    def declare(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        check_rule(roll, body["rule"])
        if len(roll["rerolls"]) == MAX_ITEMS:
            raise Violation("T4.2")
        rule = new_rule(body["rule"], len(roll["rerolls"]) + 1, author, True)
        check_load(told({**roll, "rerolls": [*roll["rerolls"], rule]}), roll["times"] * len(roll["drawn"]), "T4.2")
        roll["rerolls"].append(rule)

    def resolve(self, author: str, body: Body) -> None:
        roll = self.the_own_open_roll(body["roll"], author)
        if orders(roll):
            raise Violation("T4.4")
        self.check_places(roll, body)
        self.check_claims(roll, body)
        self.settle(roll)

    def ignore(self, author: str, body: Body) -> None:
        roll = self.the_own_open_roll(body["roll"], author)
        taken: list[Body] = []
        for number in body.get("throws", []) + body.get("dice", []):
            found = [
                piece
                for piece in roll["first"]
                if (
                    piece["throw"] == number
                    if "throws" in body
                    else (piece["throw"], piece["dice"]) == (None, [number])
                )
            ]
            if not found or found[0] in taken:
                raise Violation("T4.3")
            taken.append(found[0])
        if not taken:
            raise Violation("T4.3")
        after = copy.deepcopy(roll)
        let_first_stand(after, taken)
        check_reach(after, "T2.3")
        let_first_stand(roll, taken)

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
                    raise Violation(self.overlooked(roll, throw, claimed))
        if "successes" in body and body["successes"] != roll["successes"]:
            if roll["always"]["success"] or roll["always"]["failure"]:
                raise Violation("T5.2" if roll["kinds"] == ["d3"] else "T3.1")
            raise Violation("T1.3")
        if "directions" in body and body["directions"] != [throw["degrees"] for throw in throws]:
            raise Violation("T7.1" if roll["kinds"] == ["arrow"] else "T7.2")
        if "faces" in body and body["faces"] != [throw["face"] for throw in throws]:
            raise Violation("T7.2")

    def counted_a_dropped_die(self, roll: Body, throw: Body, claimed: int) -> bool:
        """Whether the claim is what the throw comes to if other dice than the dropped ones are left out."""
        if not throw["dropped"]:
            return False
        maximised = len(roll["maximised"]) > len(roll["minimised"])
        every = throw["kept"] + throw["dropped"]
        in_order = from_end(roll, throw["dropped"], lowest=maximised)
        left_out = [in_order[:j] for j in range(len(in_order))]
        left_out.append(from_end(roll, every, lowest=not maximised)[: len(throw["dropped"])])
        for out in left_out:
            total = sum(die["result"] for die in dice_of(roll, every) if die["die"] not in out)
            if claimed == modified(roll, total):
                return True
        return False

    def overlooked(self, roll: Body, throw: Body, claimed: int) -> str:
        """The clause of a wrong total."""
        counted = self.counted_a_dropped_die(roll, throw, claimed)
        for condition, clause in (
            (counted and roll["maximised"] != [] and roll["minimised"] != [], "T6.4"),
            (counted and len(throw["dropped"]) > 1, "T6.3"),
            (counted and roll["maximised"] != [], "T6.1"),
            (counted, "T6.2"),
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
        choice = choice_of(roll)
        return None if choice is None else {"party": roll["player"], "choice": choice}

    def state(self) -> Body:
        state = {**self.shared_state(SHOWN), "open": self.open, "players": copy.deepcopy(self.players)}
        for roll in state["rolls"]:
            if roll["status"] != "open":
                roll["first"] = []
        return state
