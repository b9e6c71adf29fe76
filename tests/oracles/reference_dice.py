"""An oracle for dice for any game: the rules of specs/dice-1.md and specs/rules.md, written from those pages alone.

Nothing of the project is imported; what all systems share is in reference_rules.py. Everything is plain dicts and
lists, the checks stand in the order in which they are made, and nothing is clever. Where the pages leave a choice,
it is marked CHOICE.
"""

from __future__ import annotations

import copy
import re
from fractions import Fraction
from math import ceil, floor
from typing import Any

from tests.oracles import reference_rules
from tests.oracles.reference_rules import (
    MAX_DICE,
    MAX_ITEMS,
    MAX_LOAD,
    MAX_PARTIES,
    MAX_SAFE_INTEGER,
    Body,
    Check,
    Violation,
    array_of,
    boolean,
    integer,
    integer_between,
    name,
    need,
    object_of,
    one_of,
    positive,
    required_text,
    text,
)

SHOWN = (
    *("roll", "player", "status", "dice", "source", "notation", "call", "least", "most", "table", "deck"),
    "sealed",
    "results",
)
MAX_TARGET = 10**9
MAX_NESTED = 20


# --- bodies ---------------------------------------------------------------------------------------


target = integer_between(-MAX_TARGET, MAX_TARGET)


def deck_id(value: object) -> None:
    need(isinstance(value, str) and re.fullmatch("[a-z0-9._-]{1,40}", value) is not None, "a deck's id is needed")


def only_true(value: object) -> None:
    need(value is True, "true is needed")


def hash_of_purpose(value: object) -> None:
    need(isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None, "64 hexadecimal digits are needed")


def check_roll(value: object) -> None:
    members = value if isinstance(value, dict) else {}
    if "call" in members:
        object_of({"call": positive}, {"dice": text})(value)
    elif "sealed" in members and "deck" not in members:
        purpose: dict[str, Check] = {"hidden": hash_of_purpose} if "hidden" in members else {"source": text}
        object_of({"dice": text, "sealed": name, "sides": array_of(positive, MAX_DICE, 1)}, purpose)(value)
    elif "deck" in members:
        optional = {"draw": integer_between(1, MAX_DICE), "hand": only_true, "source": text}
        object_of({"deck": deck_id}, optional)(value)
    else:
        table = array_of(object_of({"range": text, "effect": required_text}), least=1)
        object_of({"dice": text}, {"source": text, "least": target, "most": target, "table": table})(value)


# CHOICE: the item of a `return` is a text that is not empty, as in the deck.
declarations: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
    "call": (
        {"source": required_text},
        {"dice": text, "least": target, "most": target, "parties": array_of(name, MAX_PARTIES, 1)},
    ),
    "withdraw": ({"call": positive}, {}),
    "deck": (
        {
            "deck": deck_id,
            "items": array_of(object_of({"item": required_text}, {"count": integer_between(1, MAX_DICE)}), least=1),
        },
        {},
    ),
    "cards": ({"deck": deck_id, "cards": one_of("52", "54", "tarot")}, {}),
    "play": ({"deck": deck_id, "items": array_of(required_text, MAX_ITEMS, 1)}, {}),
    "return": ({"deck": deck_id, "item": required_text}, {}),
    "shuffle": ({"deck": deck_id}, {}),
    "remove": ({"deck": deck_id}, {}),
}


def check_declare(value: object) -> None:
    need(isinstance(value, dict), "an object is needed")
    assert isinstance(value, dict)
    one_of(*declarations)(value.get("what"))
    required, optional = declarations[value["what"]]
    object_of({"what": text, **required}, optional)(value)


bodies: dict[str, Check] = {
    "roll": check_roll,
    "declare": check_declare,
    "resolve": object_of({"roll": positive}, {"totals": array_of(integer), "passed": array_of(boolean)}),
}


def check_options(options: object) -> None:
    object_of({})(options)


def check_body(type: str, body: object) -> None:
    need(type in bodies, f"{type} is no type of this system")
    bodies[type](body)


# --- the notation: its grammar --------------------------------------------------------------------

NUMBER = "[1-9][0-9]*"
NAT = "(?:0|[1-9][0-9]*)"
INT = f"-?{NAT}"
INT_FACE = f"[+-]?{NAT}"
# A part of the text that the grammar has read: {"kind": ...}.
Node = dict[str, Any]


class Reader:
    """Reads a notation by the rules of the ABNF, each of which gives None and stays where it is if it does not fit."""

    def __init__(self, notation: str) -> None:
        self.notation = notation
        self.at = 0
        self.nested = 0
        # All numbers that were read; digits are digits of the same number for every rule that reads them.
        self.numbers: list[int] = []
        # All that is computed before the dice: {"inside", "least", "value": None until it is known}.
        self.fixed_numbers: list[Node] = []

    def take(self, pattern: str) -> str | None:
        """What the pattern matches here."""
        match = re.compile(pattern).match(self.notation, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match[0]

    def take_number(self, pattern: str) -> int | None:
        found = self.take(pattern)
        if found is None:
            return None
        self.numbers.append(int(found))
        return int(found)

    def blanks(self) -> None:
        self.take(" *")

    def roll_dice(self) -> Node | None:
        """The whole text, or None when it is not in the grammar."""
        times = self.take_number(NUMBER)
        if times is None or self.take("x") is None:
            times = 1
            self.at = 0
        else:
            self.blanks()
        expression = self.expr()
        if expression is None or self.at != len(self.notation):
            return None
        return {"times": times, "expr": expression}

    def expr(self) -> Node | None:
        first = self.term()
        if first is None:
            return None
        rest: list[tuple[str, Node]] = []
        while True:
            before = self.at
            self.blanks()
            sign = self.take("[+-]")
            if sign is not None:
                self.blanks()
                following = self.term()
                if following is not None:
                    rest.append((sign, following))
                    continue
            self.at = before
            return {"kind": "sum", "first": first, "rest": rest}

    def term(self) -> Node | None:
        first = self.factor()
        if first is None:
            return None
        rest: list[tuple[str, Any]] = []
        while True:
            before = self.at
            self.blanks()
            sign = self.take("[*](?![*])|/\\^|/~|/|%")
            if sign is not None:
                self.blanks()
                following = self.factor() if sign == "*" else self.number_or_fixed(NUMBER, 1)
                if following is not None:
                    rest.append((sign, following))
                    continue
            self.at = before
            return {"kind": "product", "first": first, "rest": rest}

    def factor(self) -> Node | None:
        before = self.at
        sign = self.take("[+-]")
        if sign is not None:
            self.blanks()
        begin = self.at
        primary = self.primary()
        if primary is None:
            self.at = before
            return None
        label = self.take(" *\\[[^][]{1,40}\\]")
        if label is not None:
            label = label.strip(" ")[1:-1].strip(" ")
        before = self.at
        self.blanks()
        exponent: Node | int | None = None
        if self.take("\\^|[*][*]") is not None:
            self.blanks()
            exponent = self.number_or_fixed(NAT, 0)
        if exponent is None:
            self.at = before
        return {
            "kind": "factor",
            "minus": sign == "-",
            "primary": primary,
            "label": label,
            "begin": begin,
            "exponent": exponent,
        }

    def number_or_fixed(self, pattern: str, least: int) -> Node | int | None:
        """A number, or arithmetic in parentheses that has no dice, labels and groups."""
        number = self.take_number(pattern)
        return self.fixed(least) if number is None else number

    def fixed(self, least: int) -> Node | None:
        before = self.at
        if self.nested == MAX_NESTED:
            return None
        self.nested += 1
        found = self.parentheses()
        self.nested -= 1
        # No name of a function but `round` has the d of dice.
        if found is None or re.search("[][{}d]", self.notation[before : self.at].replace("round", "")):
            self.at = before
            return None
        self.fixed_numbers.append({"kind": "fixed", "inside": found["inside"], "least": least, "value": None})
        return self.fixed_numbers[-1]

    def primary(self) -> Node | None:
        dice = self.dice()
        if dice is not None:
            return dice
        value = self.take_number(NAT)
        if value is not None:
            return {"kind": "number", "value": value}
        before = self.at
        if self.nested == MAX_NESTED:
            return None
        self.nested += 1
        inside = self.parentheses()
        if inside is None:
            self.at = before
            inside = self.group()
        if inside is None:
            self.at = before
            inside = self.function()
        self.nested -= 1
        if inside is None:
            self.at = before
        return inside

    def parentheses(self) -> Node | None:
        if self.take("[(]") is None:
            return None
        self.blanks()
        inside = self.expr()
        self.blanks()
        if inside is None or self.take("[)]") is None:
            return None
        return {"kind": "parentheses", "inside": inside}

    def function(self) -> Node | None:
        named = self.take("floor|ceil|round|abs|max|min")
        if named is None or self.take("[(]") is None:
            return None
        parts: list[Node] = []
        while True:
            self.blanks()
            part = self.expr()
            if part is None:
                return None
            parts.append(part)
            self.blanks()
            if self.take(",") is None:
                break
        if self.take("[)]") is None or (len(parts) < 2 if named in ("max", "min") else len(parts) != 1):
            return None
        return {"kind": "function", "name": named, "parts": parts}

    def group(self) -> Node | None:
        if self.take("[{]") is None:
            return None
        parts: list[Node] = []
        while True:
            self.blanks()
            part = self.expr()
            if part is None:
                return None
            parts.append(part)
            self.blanks()
            if self.take(",") is None:
                break
        if self.take("[}]") is None or len(parts) < 2:
            return None
        keeps = self.keeps()
        return {"kind": "group", "parts": parts, "keeps": keeps, "count": self.count()}

    def dice(self) -> Node | None:
        before = self.at
        number: Node | int | None = self.take_number(NAT)
        if number is None and self.dice_follow_parentheses():
            number = self.fixed(0)
        die = self.die()
        if die is None:
            self.at = before
            return None
        adv = self.take("adv|dis")
        reroll = self.take("ro|rr")
        rerolled = self.match() if reroll is not None else None
        explode = self.take("!!p|!!|!p|!o|!")
        exploded = self.match() if explode is not None else None
        limits: list[tuple[str, int]] = []
        while len(limits) < 2:
            here = self.at
            word = self.take("min|max")
            to = self.take_number(INT) if word is not None else None
            if word is None or to is None:
                self.at = here
                break
            limits.append((word, to))
        keeps = self.keeps()
        count = self.count()
        return {
            "kind": "dice",
            "written": self.notation[before : self.at],
            "number": number,
            "die": die,
            "adv": adv,
            "reroll": reroll,
            "rerolled": rerolled,
            "explode": explode,
            "exploded": exploded,
            "limits": limits,
            "keeps": keeps,
            "count": count,
        }

    def dice_follow_parentheses(self) -> bool:
        """Whether parentheses open here, and a `d` stands behind where they close."""
        opened = 0
        for at in range(self.at, len(self.notation)):
            opened += {"(": 1, ")": -1}.get(self.notation[at], 0)
            if opened == 0:
                return at > self.at and self.notation[at + 1 : at + 2] == "d"
        return False

    def die(self) -> Node | None:
        """{"sides", "faces": None or [(number or None, name or None)], "percent": d%%}."""
        before = self.at
        if self.take("d") is None:
            return None
        sides = self.number_or_fixed(NUMBER, 1)
        if sides is not None:
            return {"sides": sides, "faces": None, "percent": False}
        if self.take("%%") is not None:
            return {"sides": 10, "faces": None, "percent": True}
        if self.take("%") is not None:
            return {"sides": 100, "faces": None, "percent": False}
        if self.take("F") is not None:
            return {"sides": 3, "faces": [(-1, None), (0, None), (1, None)], "percent": False}
        inside = self.take("{[^{}]*}")
        faces = None if inside is None else self.faces(inside[1:-1])
        if faces is None:
            self.at = before
            return None
        return {"sides": len(faces), "faces": faces, "percent": False}

    def faces(self, inside: str) -> list[tuple[int | None, str | None]] | None:
        faces: list[tuple[int | None, str | None]] = []
        for written in inside.split(","):
            # CHOICE: a blank is SP; the 40 characters of a name are those between the blanks around it.
            face = written.strip(" ")
            if re.fullmatch(INT_FACE, face):
                self.numbers.append(int(face))
                faces.append((int(face), None))
                continue
            called, equals, number = face.partition("=")
            if equals == "=" and not re.fullmatch(INT_FACE, number):
                return None
            if not 1 <= len(called) <= 40 or called != called.strip(" ") or re.search("[][]", called):
                return None
            if re.fullmatch(INT_FACE, called):
                return None
            if equals == "=":
                self.numbers.append(int(number))
            faces.append((int(number) if equals == "=" else None, called))
        return faces

    def compare(self) -> tuple[str, int] | None:
        before = self.at
        how = self.take("<=|<|>=|>|=")
        to = self.take_number(INT) if how is not None else None
        if how is None or to is None:
            self.at = before
            return None
        return how, to

    def match(self) -> tuple[str, int] | None:
        compared = self.compare()
        if compared is not None:
            return compared
        number = self.take_number(NAT)
        return None if number is None else ("=", number)

    def keeps(self) -> list[tuple[str, int]]:
        keeps: list[tuple[str, int]] = []
        while len(keeps) < 4:
            word = self.take("kh|kl|k|dh|dl|d(?!s)")
            if word is None:
                break
            number = self.take_number(NUMBER)
            keeps.append(({"k": "kh", "d": "dl"}.get(word, word), 1 if number is None else number))
            if number is None:
                # Only the last one can be without.
                break
        return keeps

    def count(self) -> Node | None:
        """{"compare", "f", "ds"}, each a comparison or None; None where there is no count."""
        before = self.at
        self.take("cs")
        compared = self.compare()
        if compared is None:
            self.at = before
        before = self.at
        failure = self.match() if self.take("f") is not None else None
        if failure is None:
            self.at = before
        before = self.at
        double = self.match() if self.take("ds") is not None else None
        if double is None:
            self.at = before
        if compared is None and failure is None and double is None:
            return None
        return {"compare": compared, "f": failure, "ds": double}


def parts_of(node: Node) -> list[Node]:
    """The parts that a part is made of, in the order in which they are written; divisors are left out."""
    if node["kind"] in ("sum", "product"):
        return [node["first"], *(part for sign, part in node["rest"] if sign in ("+", "-", "*"))]
    if node["kind"] == "factor":
        return [node["primary"]]
    if node["kind"] == "parentheses":
        return [node["inside"]]
    if node["kind"] in ("group", "function"):
        return list(node["parts"])
    return []


ROUNDS = ("floor", "ceil", "round")


def has_exact_quotient(node: Node) -> bool:
    """Whether a part of what is rounded has a `/` that stands in no further function that rounds."""
    if node["kind"] == "function" and node["name"] in ROUNDS:
        return False
    if node["kind"] == "product" and any(sign == "/" for sign, _ in node["rest"]):
        return True
    return any(has_exact_quotient(part) for part in parts_of(node))


def exact_where_it_can_be(node: Node, rounded: bool) -> bool:
    """Whether all exact quotients are where the grammar lets them be; `rounded`: a function around it rounds."""
    if node["kind"] == "fixed":
        return exact_where_it_can_be(node["inside"], rounded) and not (rounded and has_exact_quotient(node["inside"]))
    named_or_raised = node["kind"] == "factor" and (node["label"] is not None or node["exponent"] is not None)
    if rounded and named_or_raised and has_exact_quotient(node["primary"]):
        return False
    if rounded and node["kind"] == "group" and any(has_exact_quotient(part) for part in node["parts"]):
        return False
    within = rounded or (node["kind"] == "function" and node["name"] in ROUNDS)
    inner = parts_of(node) + fixed_of(node)
    return all(exact_where_it_can_be(part, within) for part in inner)


def fixed_of(node: Node) -> list[Node]:
    """What is computed before the dice directly in a part."""
    found: list[Any] = []
    if node["kind"] == "product":
        found = [part for sign, part in node["rest"] if sign != "*"]
    if node["kind"] == "factor":
        found = [node["exponent"]]
    if node["kind"] == "dice":
        found = [node["number"], node["die"]["sides"]]
    return [one for one in found if isinstance(one, dict)]


def known(number: Node | int) -> int:
    """A number, or what has been computed for it."""
    return number if isinstance(number, int) else int(number["value"])


def all_of(node: Node, kind: str) -> list[Node]:
    """The node, if it is of this kind, and all such parts of it, in the order in which they begin."""
    found = [node] if node["kind"] == kind else []
    for part in parts_of(node):
        found += all_of(part, kind)
    return found


# --- the notation: D1 to D6 -----------------------------------------------------------------------


def matches(match: tuple[str, int], value: int) -> bool:
    how, to = match
    return {"<=": value <= to, "<": value < to, ">=": value >= to, ">": value > to, "=": value == to}[how]


def bounds(die: Node) -> tuple[int, int]:
    """The lowest and the highest number on a die."""
    if die["percent"]:
        return 1, 100
    if die["faces"] is None:
        return 1, known(die["sides"])
    # CHOICE: a face without a number counts as 0 here, too.
    numbers = [number or 0 for number, _ in die["faces"]]
    return min(numbers), max(numbers)


def every_face(match: tuple[str, int], die: Node) -> bool:
    """Whether every face matches: what matches the lowest and the highest number matches all between."""
    low, high = bounds(die)
    return matches(match, low) and matches(match, high)


def number_of_throws(dice: Node) -> int:
    number = 1 if dice["number"] is None else known(dice["number"])
    return number + 1 if dice["adv"] is not None else number


def number_of_dice(dice: Node) -> int:
    return number_of_throws(dice) * (2 if dice["die"]["percent"] else 1)


def reroll_match(dice: Node) -> tuple[str, int]:
    match: tuple[str, int] | None = dice["rerolled"]
    return ("=", bounds(dice["die"])[0]) if match is None else match


def explode_match(dice: Node) -> tuple[str, int]:
    match: tuple[str, int] | None = dice["exploded"]
    return ("=", bounds(dice["die"])[1]) if match is None else match


def within(size: int) -> int:
    if size > MAX_SAFE_INTEGER:
        raise Violation("D2")
    return size


def size_of(node: Node) -> int:  # noqa: C901 - one branch for each kind
    """The size of a part, when it and all in it are small enough."""
    if node["kind"] == "number":
        return within(node["value"])
    if node["kind"] == "dice":
        throws = MAX_DICE if node["explode"] is not None else number_of_throws(node)
        low, high = bounds(node["die"])
        size = within(throws * max([abs(low), abs(high)] + [abs(to) for _, to in node["limits"]]))
        return size if node["count"] is None else within(2 * throws)
    if node["kind"] == "group":
        sizes = [size_of(part) for part in node["parts"]]
        return within(2 * len(sizes) if node["count"] is not None else sum(sizes))
    if node["kind"] == "factor":
        size = size_of(node["primary"])
        return size if node["exponent"] is None else power(size, known(node["exponent"]))
    if node["kind"] == "parentheses":
        return size_of(node["inside"])
    if node["kind"] == "function":
        return max([size_of(part) for part in node["parts"]])
    size = size_of(node["first"])
    for sign, part in node["rest"]:
        if sign in ("+", "-"):
            size = within(size + size_of(part))
        elif sign == "*":
            size = within(size * size_of(part))
        elif sign == "%":
            size = known(part)
    return size


def power(size: int, exponent: int) -> int:
    """A power of a size, which is not worked out further than it may be."""
    if size in (0, 1):
        return 1 if exponent == 0 else size
    found = 1
    for _ in range(exponent):
        found = within(found * size)
    return found


def compute_fixed(fixed: Node) -> None:
    size_of(fixed["inside"])
    fixed["value"] = work_out(fixed["inside"], [], [])
    if fixed["value"] < fixed["least"]:
        raise Violation("D2")


def read(notation: str) -> Node:  # noqa: C901 - the checks in their order
    """{"times", "expr", "terms", "named"}: what a notation says, if D1 to D6 do not refuse it."""
    reader = Reader(notation)
    found = reader.roll_dice()
    if found is None:
        raise Violation("D1")
    terms = all_of(found["expr"], "dice")
    if not terms or not exact_where_it_can_be(found["expr"], rounded=False):
        raise Violation("D1")
    # D2, in its order.
    if any(abs(number) > MAX_SAFE_INTEGER for number in reader.numbers):
        raise Violation("D2")
    # Those within others were read before these.
    for fixed in reader.fixed_numbers:
        compute_fixed(fixed)
    if found["times"] > MAX_ITEMS:
        raise Violation("D2")
    if any(dice["die"]["faces"] is not None and len(dice["die"]["faces"]) > MAX_ITEMS for dice in terms):
        raise Violation("D2")
    named = found["times"] * sum(number_of_dice(dice) for dice in terms)
    if not 1 <= named <= MAX_DICE:
        raise Violation("D2")
    size_of(found["expr"])
    if found["times"] * len(notation.encode("utf-8")) > MAX_LOAD:
        raise Violation("D2")
    for dice in terms:
        if dice["reroll"] == "rr" and every_face(reroll_match(dice), dice["die"]):
            raise Violation("D3")
    for dice in terms:
        if dice["explode"] is None:
            continue
        if dice["die"]["percent"] or (dice["explode"] != "!o" and every_face(explode_match(dice), dice["die"])):
            raise Violation("D4")
    for dice in terms:
        if dice["adv"] is not None and dice["number"] is not None and known(dice["number"]) != 1:
            raise Violation("D5")
    for part in terms + all_of(found["expr"], "group"):
        if part["count"] is not None and part["count"]["compare"] is None:
            raise Violation("D6")
    for place, dice in enumerate(terms):
        dice["place"] = place
    return {**found, "terms": terms, "named": named}


# --- the draw -------------------------------------------------------------------------------------


class Wanted(Exception):
    """There are not as many naturals yet: dice of these sides come next."""

    def __init__(self, sides: list[int]) -> None:
        super().__init__(f"{len(sides)} dice")
        self.sides = sides


class Drawing:
    """Dice of one roll as they are drawn."""

    def __init__(self, plan: Node, naturals: list[int]) -> None:
        self.plan = plan
        self.left = list(naturals)
        self.room: int = MAX_DICE - plan["named"]
        self.dice: list[Body] = []
        # For each repetition, for each term, its throws: each the numbers of its dice.
        self.throws: list[list[list[list[int]]]] = []
        for _ in range(plan["times"]):
            self.throws.append([])
            for dice in plan["terms"]:
                self.throws[-1].append(self.term(dice))

    def draw(self, sides: list[int]) -> list[int]:
        """The naturals of dice that are drawn together."""
        if len(self.left) < len(sides):
            raise Wanted(sides[len(self.left) :])
        drawn = self.left[: len(sides)]
        self.left = self.left[len(sides) :]
        return drawn

    def term(self, dice: Node) -> list[list[int]]:
        count, sides = number_of_dice(dice), known(dice["die"]["sides"])
        numbers = [self.new(dice, place, natural, None) for place, natural in enumerate(self.draw([sides] * count))]
        each = 2 if dice["die"]["percent"] else 1
        throws = [numbers[place : place + each] for place in range(0, count, each)]
        if dice["reroll"] is not None:
            self.reroll(dice, throws)
        if dice["explode"] is not None:
            self.explode(dice, throws)
        return throws

    def new(self, dice: Node, place: int, natural: int, origin: int | None) -> int:
        """A new die, the number of which is given back; `origin`: the die that it is the explosion of."""
        die: Body = {
            "die": len(self.dice) + 1,
            "sides": known(dice["die"]["sides"]),
            "naturals": [],
            "status": "counted",
            "result": None,
            "face": None,
            "from": origin,
            "steps": [],
        }
        self.dice.append(die)
        self.show(dice, die, place, natural)
        if origin is not None and dice["explode"] in ("!p", "!!p") and die["result"] is not None:
            die["result"] -= 1
        return len(self.dice)

    def show(self, dice: Node, die: Body, place: int, natural: int) -> None:
        die["naturals"].append(natural)
        die["result"], die["face"] = self.face(dice, place, natural)

    def face(self, dice: Node, place: int, natural: int) -> tuple[int | None, str | None]:
        """The number and the name that a die shows; `place`: of the die in the term, the even ones are tens."""
        if dice["die"]["percent"]:
            return (natural % 10) * (10 if place % 2 == 0 else 1), None
        if dice["die"]["faces"] is None:
            return natural, None
        number, called = dice["die"]["faces"][natural - 1]
        return number, called

    def reroll(self, dice: Node, throws: list[list[int]]) -> None:
        match = reroll_match(dice)
        sides = known(dice["die"]["sides"])
        concerned = [throw for throw in throws if matches(match, self.value(dice, throw))]
        while concerned:
            wave: list[list[int]] = []
            for throw in concerned:
                if self.room < len(throw):
                    break
                self.room -= len(throw)
                wave.append(throw)
            naturals = self.draw([sides for throw in wave for _ in throw])
            for throw in wave:
                for place, number in enumerate(throw):
                    self.show(dice, self.dice[number - 1], place, naturals.pop(0))
            if dice["reroll"] == "ro" or len(wave) < len(concerned):
                return
            concerned = [throw for throw in wave if matches(match, self.value(dice, throw))]

    def value(self, dice: Node, throw: list[int]) -> int:
        """The value of a throw before anything was added to it."""
        value = sum(self.dice[number - 1]["result"] or 0 for number in throw)
        return 100 if dice["die"]["percent"] and value == 0 else value

    def explode(self, dice: Node, throws: list[list[int]]) -> None:
        match = explode_match(dice)
        # No `d%%` is here, so each throw has one die; `latest` are the latest dice of throws that may explode.
        latest = [(throw, throw[0]) for throw in throws]
        while True:
            concerned = [(throw, number) for throw, number in latest if matches(match, self.shown(dice, number))]
            wave = concerned[: self.room]
            self.room -= len(wave)
            if not wave:
                return
            naturals = self.draw([known(dice["die"]["sides"])] * len(wave))
            latest = []
            for (throw, number), natural in zip(wave, naturals, strict=True):
                further = self.new(dice, 0, natural, number)
                if dice["explode"] in ("!!", "!!p"):
                    throw.append(further)
                    latest.append((throw, further))
                else:
                    throws.append([further])
                    latest.append((throws[-1], further))
            if dice["explode"] == "!o" or len(wave) < len(concerned):
                return

    def shown(self, dice: Node, number: int) -> int:
        """What a die shows, whatever is taken from it."""
        shown, _ = self.face(dice, 0, self.dice[number - 1]["naturals"][-1])
        return shown or 0


# --- what it comes to -----------------------------------------------------------------------------


def kept_of(values: list[int], keeps: list[tuple[str, int]]) -> list[bool]:
    """Which of the values, that were drawn one after the other, `keep`s leave."""
    kept = list(range(len(values)))
    for word, number in keeps:
        high_first = sorted(kept, key=lambda place: (-values[place], place))
        low_first = sorted(kept, key=lambda place: (values[place], place))
        in_order = high_first if word in ("kh", "dh") else low_first
        taken = in_order[:number]
        kept = [place for place in kept if (place in taken) == (word in ("kh", "kl"))]
    return [place in kept for place in range(len(values))]


def counts_as(count: Node, value: int) -> int:
    """What a kept throw, or value, counts."""
    counted = 0
    if count["ds"] is not None and matches(count["ds"], value):
        counted = 2
    elif matches(count["compare"], value):
        counted = 1
    if count["f"] is not None and matches(count["f"], value):
        counted -= 1
    return counted


def ruled_within(value: Any) -> Any:
    """What dice come to; that it is too large can only be by a ruling, because D2 has seen to all else."""
    if abs(value) > MAX_SAFE_INTEGER:
        raise Violation("ruling")
    return value


def work_out_term(dice: Node, numbers: list[list[int]], results: dict[int, int | None]) -> Body:
    throws: list[Body] = []
    for throw in numbers:
        value = ruled_within(sum(results[number] or 0 for number in throw))
        if dice["die"]["percent"] and value == 0:
            value = 100
        for word, to in dice["limits"]:
            value = max(value, to) if word == "min" else min(value, to)
        throws.append({"dice": list(throw), "value": value, "kept": True, "successes": None})
    first = {None: [], "adv": [("kh", 1)], "dis": [("kl", 1)]}[dice["adv"]]
    kept = kept_of([throw["value"] for throw in throws], first + dice["keeps"])
    total = 0
    for one, stays in zip(throws, kept, strict=True):
        one["kept"] = stays
        if stays and dice["count"] is not None:
            one["successes"] = counts_as(dice["count"], one["value"])
        if stays:
            total += one["value"] if dice["count"] is None else one["successes"]
    return {"dice": dice["written"], "value": ruled_within(total), "throws": throws}


def divide(sign: str, value: Any, by: int) -> Any:
    if sign == "%":
        return value - by * floor(Fraction(value) / by)
    if sign == "/":
        return value // by
    if sign == "/^":
        return -(-value // by)
    return (2 * value + by) // (2 * by)


def ruled_power(value: int, exponent: int) -> int:
    """A power, which is not worked out further than it can be shown."""
    if value in (-1, 0, 1):
        return int(value ** (exponent % 2 if value == -1 else min(exponent, 1)))
    found = 1
    for _ in range(exponent):
        found = ruled_within(found * value)
    return found


def call(named: str, values: list[Any]) -> Any:
    """What a function comes to."""
    if named in ("max", "min"):
        return sorted(values)[-1 if named == "max" else 0]
    (value,) = values
    if named == "floor":
        return floor(value)
    if named == "ceil":
        return ceil(value)
    if named == "round":
        return floor(value + Fraction(1, 2))
    return value if value >= 0 else -value


def work_out(node: Node, terms: list[Body], labels: list[Body], exact: bool = False) -> Any:  # noqa: C901 - one branch for each kind
    """The value of a part; drops the throws of dropped expressions, and adds the labels. `exact`: `/` is a fraction."""
    if node["kind"] == "number":
        return int(node["value"])
    if node["kind"] == "dice":
        return int(terms[node["place"]]["value"])
    if node["kind"] == "parentheses":
        return work_out(node["inside"], terms, labels, exact)
    if node["kind"] == "function":
        inner = exact or node["name"] in ROUNDS
        return ruled_within(call(node["name"], [work_out(part, terms, labels, inner) for part in node["parts"]]))
    if node["kind"] == "factor":
        value = work_out(node["primary"], terms, labels, exact)
        if node["label"] is not None:
            labels.append({"label": node["label"], "value": value, "begin": node["begin"]})
        if node["exponent"] is not None:
            value = ruled_power(value, known(node["exponent"]))
        return -value if node["minus"] else value
    if node["kind"] == "group":
        values = [work_out(part, terms, labels) for part in node["parts"]]
        kept = kept_of(values, node["keeps"])
        for part, stays in zip(node["parts"], kept, strict=True):
            for dice in all_of(part, "dice") if not stays else []:
                for throw in terms[dice["place"]]["throws"]:
                    throw["kept"] = False
        of_kept = [one for one, stays in zip(values, kept, strict=True) if stays]
        return ruled_within(sum(one if node["count"] is None else counts_as(node["count"], one) for one in of_kept))
    value = work_out(node["first"], terms, labels, exact)
    for sign, part in node["rest"]:
        if sign in ("+", "-"):
            following = work_out(part, terms, labels, exact)
            value = value + following if sign == "+" else value - following
        elif sign == "*":
            value = value * work_out(part, terms, labels, exact)
        elif sign == "/" and exact:
            value = value / Fraction(known(part))
        else:
            value = divide(sign, value, known(part))
        ruled_within(value)
    return value


def passes(roll: Body, total: int) -> bool | None:
    if roll["least"] is None and roll["most"] is None:
        return None
    if roll["least"] is not None and total < roll["least"]:
        return False
    return roll["most"] is None or total <= roll["most"]


def row_of(roll: Body, total: int) -> int | None:
    for number, row in enumerate(roll["table"], start=1):
        low, high = parse_range(row["range"])
        if (low is None or low <= total) and (high is None or total <= high):
            return number
    return None


def come_to(roll: Body) -> None:
    """Everything that follows from the results of the dice as they are now."""
    plan = roll["plan"]
    results = {die["die"]: die["result"] for die in roll["dice"]}
    roll["results"] = []
    for throws in roll["throws"]:
        terms = [work_out_term(dice, one, results) for dice, one in zip(plan["terms"], throws, strict=True)]
        labels: list[Body] = []
        total = work_out(plan["expr"], terms, labels)
        labels.sort(key=lambda label: label["begin"])
        roll["results"].append(
            {
                "total": total,
                "passed": passes(roll, total),
                "row": row_of(roll, total),
                "terms": terms,
                "labels": [{"label": label["label"], "value": label["value"]} for label in labels],
            }
        )
        for throw in [throw for term in terms for throw in term["throws"]]:
            for number in throw["dice"]:
                roll["dice"][number - 1]["status"] = "counted" if throw["kept"] else "ignored"


# --- tables ---------------------------------------------------------------------------------------


def parse_range(written: str) -> tuple[int | None, int | None]:
    """The least and the most of a range, None where there is none."""
    for pattern in (f"(?P<n>{INT})", f"(?P<n>{INT})[-\u2013\u2014](?P<m>{INT})", f"(?P<n>{INT})[+]", f"(?P<n>{INT})-"):
        match = re.fullmatch(pattern, written)
        if match is None:
            continue
        ends = [int(digits) for digits in match.groups()]
        if any(abs(end) > MAX_SAFE_INTEGER for end in ends):
            raise Violation("D9")
        if len(ends) == 2 and ends[0] > ends[1]:
            raise Violation("D9")
        if len(ends) == 2:
            return ends[0], ends[1]
        if written.endswith("+"):
            return ends[0], None
        if written.endswith("-"):
            return None, ends[0]
        return ends[0], ends[0]
    raise Violation("D9")


def check_table(table: list[Body]) -> None:
    ranges = [parse_range(row["range"]) for row in table]
    for place, (low, high) in enumerate(ranges):
        for other_low, other_high in ranges[:place]:
            begins_after = low is not None and other_high is not None and low > other_high
            ends_before = high is not None and other_low is not None and high < other_low
            if not begins_after and not ends_before:
                raise Violation("D9")


# --- ready-made items -----------------------------------------------------------------------------

NUMBERS = "Ace, Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten"
TRUMPS = (
    "The Fool, The Magician, The High Priestess, The Empress, The Emperor, The Hierophant, The Lovers, The Chariot, "
    "Strength, The Hermit, Wheel of Fortune, Justice, The Hanged Man, Death, Temperance, The Devil, The Tower, "
    "The Star, The Moon, The Sun, Judgement, The World"
)


def ready_made(which: str) -> list[Body]:
    if which == "tarot":
        names = TRUMPS.split(", ")
        suits, courts = "Wands, Cups, Swords, Pentacles", "Page, Knight, Queen, King"
    else:
        names = []
        suits, courts = "Clubs, Diamonds, Hearts, Spades", "Jack, Queen, King"
    for suit in suits.split(", "):
        for value in (NUMBERS + ", " + courts).split(", "):
            names.append(value + " of " + suit)
    if which == "54":
        names += ["Black Joker", "Red Joker"]
    return [{"item": each} for each in names]


# --- the game -------------------------------------------------------------------------------------


class Dice(reference_rules.Game):
    """The state of one game."""

    SYSTEM = "dice-1"
    ROLES = ("keeper", "player", "gm", "judge", "witness")
    ROLLERS = ("player", "gm")
    check_options = staticmethod(check_options)
    check_body = staticmethod(check_body)

    def __init__(self, options: Body, parties: dict[str, str], joined: list[str] | None = None) -> None:
        """`parties`: name -> role, in party order; `joined`: who has joined at the start (absent: all)."""
        super().__init__(options, parties, joined)
        # {"call", "gm", "source", "dice", "least", "most", "called": names, "answers"}
        self.calls: list[Body] = []
        # id -> {"owner", "declared", "shuffled": event or None, "items": [{"item", "count", "left"}],
        # "held": [(name, item)], one for each item in a hand}
        self.decks: dict[str, Body] = {}

    # Calls and decks.

    def find_call(self, number: int) -> Body:
        """A call in the state (D10)."""
        for call in self.calls:
            if call["call"] == number:
                return call
        raise Violation("D10")

    def waiting(self, call: Body) -> list[str]:
        """Who has still to answer."""
        return [
            party
            for party in self.parties
            if party in call["called"] and party not in call["answers"] and party not in self.left
        ]

    def may_handle(self, author: str, deck: Body) -> bool:
        return deck["owner"] == author or self.parties[author] == "gm" or deck["owner"] in self.left

    # Requests.

    def request(self, seq: int, author: str, type: str, body: Body) -> list[int]:
        roll: Body = {
            "roll": seq,
            "player": author,
            "status": "pending",
            "dice": [],
            "source": body.get("source", ""),
            "notation": "",
            "call": None,
            "least": body.get("least"),
            "most": body.get("most"),
            "table": copy.deepcopy(body.get("table", [])),
            "deck": None,
            "sealed": body.get("sealed"),
            "results": [],
            "plan": None,
            "throws": [],
        }
        if "deck" in body:
            sides = self.request_draw(roll, body)
        elif "call" in body:
            sides = self.request_answer(roll, body)
        elif "sealed" in body:
            self.request_dice(roll, body["dice"])
            sides = []
            draws_on = any(dice.get("reroll") or dice.get("explode") for dice in all_of(roll["plan"]["expr"], "dice"))
            if draws_on or self.all_sides(roll["plan"]) != body["sides"]:
                raise Violation("D14")
        else:
            sides = self.request_dice(roll, body["dice"])
            check_table(roll["table"])
        self.rolls.append(roll)
        self.pending = roll
        self.requests += 1
        self.phase = "pending"
        return sides

    def request_dice(self, roll: Body, notation: str) -> list[int]:
        roll["notation"] = notation
        roll["plan"] = read(notation)
        try:
            Drawing(roll["plan"], [])
        except Wanted as wanted:
            return wanted.sides
        raise AssertionError("D2 has seen to it that there is a die")

    def all_sides(self, plan: Node) -> list[int]:
        """The sides of all dice of a notation without rerolls and explosions."""
        sides: list[int] = []
        while True:
            try:
                Drawing(plan, [1] * len(sides))
            except Wanted as wanted:
                sides += wanted.sides
            else:
                return sides

    def request_answer(self, roll: Body, body: Body) -> list[int]:
        call = self.find_call(body["call"])
        if roll["player"] not in call["called"] or roll["player"] in call["answers"]:
            raise Violation("D10")
        dice = body.get("dice", call["dice"])
        if dice is None:
            raise Violation("D10")
        roll["call"] = call["call"]
        for member in ("source", "least", "most"):
            roll[member] = call[member]
        return self.request_dice(roll, dice)

    def request_draw(self, roll: Body, body: Body) -> list[int]:
        deck = self.decks.get(body["deck"])
        if deck is None:
            raise Violation("D12")
        left = sum(one["left"] for one in deck["items"])
        draw = body.get("draw", 1)
        if draw > left:
            raise Violation("D12")
        roll["notation"] = f"draw {draw} from {body['deck']}"
        if "hand" in body:
            roll["notation"] += " to hand"
        roll["to_hand"] = "hand" in body
        roll["deck"] = body["deck"]
        return [left - drawn for drawn in range(draw)]

    def further(self, naturals: list[int]) -> list[int]:
        assert self.pending is not None
        if self.pending["deck"] is not None or self.pending["sealed"] is not None:
            return []
        try:
            Drawing(self.pending["plan"], naturals)
        except Wanted as wanted:
            return wanted.sides
        return []

    def reveal(self, naturals: list[int]) -> None:
        roll = self.pending
        assert roll is not None
        if roll["deck"] is not None:
            self.draw_items(roll, naturals)
        elif roll["sealed"] is None:
            self.drawn(roll, naturals)
        if roll["call"] is not None:
            self.find_call(roll["call"])["answers"][roll["player"]] = roll["roll"]
        roll["status"] = "resolved" if roll["sealed"] is None else "sealed"
        self.pending = None
        self.phase = "idle"

    def drawn(self, roll: Body, naturals: list[int]) -> None:
        drawing = Drawing(roll["plan"], naturals)
        roll["dice"] = drawing.dice
        roll["throws"] = drawing.throws
        come_to(roll)

    def show(self, number: int, naturals: list[int]) -> None:
        """The holder of a secret roll shows it; that the state keeps it still is looked at."""
        roll = self.find_kept_roll(number)
        if roll is not None and roll["status"] == "sealed":
            self.drawn(roll, naturals)
            roll["status"] = "shown"

    def draw_items(self, roll: Body, naturals: list[int]) -> None:
        deck = self.decks[roll["deck"]]
        roll["of"] = (deck["declared"], deck["shuffled"])
        for number, natural in enumerate(naturals, start=1):
            there = [one for one in deck["items"] for _ in range(one["left"])]
            item = there[natural - 1]
            item["left"] -= 1
            if roll["to_hand"]:
                deck["held"].append((roll["player"], item["item"]))
            roll["dice"].append(
                {
                    "die": number,
                    "sides": len(there),
                    "naturals": [natural],
                    "status": "counted",
                    "result": None,
                    "face": item["item"],
                    "from": None,
                    "steps": [],
                }
            )

    def void(self) -> None:
        assert self.pending is not None
        self.pending["status"] = "void"
        self.pending = None
        self.phase = "idle"

    # Declarations and claims.

    def act(self, seq: int, author: str, type: str, body: Body) -> None:
        if type == "resolve":
            self.resolve(author, body)
        elif body["what"] == "call":
            self.call(seq, author, body)
        elif body["what"] == "withdraw":
            if self.parties[author] != "gm":
                raise Violation("D10")
            self.calls.remove(self.find_call(body["call"]))
        elif body["what"] == "deck":
            self.declare_deck(seq, author, body["deck"], body["items"])
        elif body["what"] == "cards":
            self.declare_deck(seq, author, body["deck"], ready_made(body["cards"]))
        elif body["what"] == "play":
            self.play(author, body)
        else:
            self.handle_deck(seq, author, body)

    def call(self, seq: int, author: str, body: Body) -> None:
        if self.parties[author] != "gm":
            raise Violation("D10")
        if "parties" in body:
            called = list(body["parties"])
        else:
            called = [party for party, role in self.parties.items() if role == "player" and party not in self.left]
        if len(set(called)) < len(called):
            raise Violation("D10")
        for party in called:
            if self.parties.get(party) not in ("player", "gm") or party in self.left:
                raise Violation("D10")
        if not called:
            raise Violation("D10")
        if sum(1 for call in self.calls if self.waiting(call)) >= MAX_ITEMS:
            raise Violation("D10")
        if "dice" in body:
            read(body["dice"])
        self.calls = [call for call in self.calls if self.waiting(call)]
        self.calls.append(
            {
                "call": seq,
                "gm": author,
                "source": body["source"],
                "dice": body.get("dice"),
                "least": body.get("least"),
                "most": body.get("most"),
                "called": called,
                "answers": {},
            }
        )

    def play(self, author: str, body: Body) -> None:
        deck = self.decks.get(body["deck"])
        if deck is None:
            raise Violation("D13")
        if len(set(body["items"])) < len(body["items"]):
            raise Violation("D13")
        for item in body["items"]:
            if (author, item) not in deck["held"]:
                raise Violation("D13")
        for item in body["items"]:
            deck["held"].remove((author, item))

    def lying(self, deck: Body, one: Body) -> int:
        """How many of an item are out and held by nobody."""
        held = sum(1 for _, item in deck["held"] if item == one["item"])
        return int(one["count"]) - int(one["left"]) - held

    def declare_deck(self, seq: int, author: str, named: str, listed: list[Body]) -> None:
        there = self.decks.get(named)
        if there is not None and not self.may_handle(author, there):
            raise Violation("D11")
        if there is None and len(self.decks) >= MAX_ITEMS:
            raise Violation("D11")
        items = [one["item"] for one in listed]
        if len(set(items)) < len(items):
            raise Violation("D11")
        if sum(one.get("count", 1) for one in listed) > MAX_DICE:
            raise Violation("D11")
        if sum(one.get("count", 1) * len(one["item"].encode("utf-8")) for one in listed) > MAX_LOAD:
            raise Violation("D11")
        self.decks[named] = {
            # CHOICE: "a deck is its declarer's", so whoever declares it anew has it.
            "owner": author,
            "declared": seq,
            "shuffled": None,
            "items": [
                {"item": one["item"], "count": one.get("count", 1), "left": one.get("count", 1)} for one in listed
            ],
            "held": [],
        }

    def handle_deck(self, seq: int, author: str, body: Body) -> None:
        deck = self.decks.get(body["deck"])
        if deck is None or not self.may_handle(author, deck):
            raise Violation("D11")
        if body["what"] == "remove":
            del self.decks[body["deck"]]
        elif body["what"] == "shuffle":
            deck["shuffled"] = seq
            for one in deck["items"]:
                one["left"] += self.lying(deck, one)
        else:
            out = [one for one in deck["items"] if one["item"] == body["item"] and self.lying(deck, one) > 0]
            if not out:
                raise Violation("D11")
            out[0]["left"] += 1

    def resolve(self, author: str, body: Body) -> None:
        own = [
            roll
            for roll in self.kept_rolls()
            if roll["player"] == author and roll["status"] == "resolved" and roll["deck"] is None
        ]
        if not own or own[-1]["roll"] != body["roll"]:
            raise Violation("D7")
        results = own[-1]["results"]
        if "totals" in body and body["totals"] != [one["total"] for one in results]:
            raise Violation("D7")
        if "passed" in body:
            passed = [one["passed"] for one in results]
            if None in passed or body["passed"] != passed:
                raise Violation("D8")

    # Leaving and rulings.

    def leave(self, name: str) -> None:
        self.left.add(name)
        for deck in self.decks.values():
            deck["held"] = [(holder, item) for holder, item in deck["held"] if holder != name]

    def ruling(self, seq: int, author: str, body: Body) -> None:
        roll = self.find_kept_roll(body["subject"])
        if roll is not None and body["ruling"] == "correct" and "results" in body and roll["sealed"] is not None:
            raise Violation("ruling")
        if roll is not None and body["ruling"] == "correct":
            self.correct(roll, {entry["die"]: entry["result"] for entry in body.get("results", [])})
        if roll is not None and body["ruling"] == "void":
            self.strike(roll)
        self.record(seq, author, body)

    def correct(self, roll: Body, results: dict[int, int]) -> None:
        for number in results:
            if number > len(roll["dice"]) or roll["dice"][number - 1]["result"] is None:
                raise Violation("ruling")
        for number, result in results.items():
            die = roll["dice"][number - 1]
            die["steps"] = [{"ruled": result}]
            die["result"] = result
        if roll["status"] == "resolved" and roll["deck"] is None:
            come_to(roll)

    def strike(self, roll: Body) -> None:
        undone = roll["status"] == "resolved"
        roll["status"] = "struck"
        roll["results"] = []
        if not undone:
            # It is struck already, or was called off: there is nothing to undo.
            return
        for call in self.calls:
            if roll["call"] == call["call"]:
                del call["answers"][roll["player"]]
        deck = self.decks.get(roll["deck"]) if roll["deck"] is not None else None
        if deck is None or deck["declared"] != roll["of"][0]:
            return
        for die in roll["dice"]:
            for one in deck["items"]:
                if one["item"] != die["face"]:
                    continue
                if roll["to_hand"] and (roll["player"], one["item"]) in deck["held"]:
                    deck["held"].remove((roll["player"], one["item"]))
                    one["left"] += 1
                elif deck["shuffled"] == roll["of"][1] and self.lying(deck, one) > 0:
                    one["left"] += 1

    # The state, as reports show it.

    def hands_of(self, deck: Body) -> Body:
        hands: Body = {}
        for party in self.parties:
            for one in deck["items"]:
                count = deck["held"].count((party, one["item"]))
                if count > 0:
                    hands.setdefault(party, []).append({"item": one["item"], "count": count})
        return hands

    def waits_for(self) -> dict[str, str] | None:
        return None

    def load(self, roll: Body) -> int:
        if not roll["dice"]:
            return 0
        faces = sum(len(die["face"].encode("utf-8")) for die in roll["dice"] if die["face"] is not None)
        if roll["deck"] is not None:
            return faces
        return faces + int(read(roll["notation"])["times"]) * len(roll["notation"].encode("utf-8"))

    def state(self) -> Body:
        calls = []
        for call in self.calls:
            waiting = self.waiting(call)
            calls.append(
                {
                    **{member: call[member] for member in ("call", "gm", "source", "dice", "least", "most")},
                    "parties": [party for party in self.parties if party in call["answers"] or party in waiting],
                    "answers": dict(call["answers"]),
                    "waiting": waiting,
                }
            )
        decks = {
            identifier: {
                "owner": deck["owner"],
                "declared": deck["declared"],
                "items": copy.deepcopy(deck["items"]),
                "left": sum(one["left"] for one in deck["items"]),
                "hands": self.hands_of(deck),
            }
            for identifier, deck in self.decks.items()
        }
        return {**self.shared_state(SHOWN), "calls": calls, "decks": decks}
