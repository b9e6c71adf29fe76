"""A second oracle for dice of any game: specs/dice-1.md, read by somebody who wrote neither page, code nor the first.

It reads the grammar letter by letter, draws wave by wave, adds up, and keeps decks and hands. What it says is compared
with the code by test_second_oracles.py. Nothing of `rules` is imported here.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any

MAX_DICE, MAX_ITEMS, MAX_SAFE = 1000, 100, 2**53 - 1

Json = dict[str, Any]


class Refused(Exception):
    """What is refused; the argument is the clause."""


class Unfit(Exception):
    """Nothing of the grammar stands at this place."""


# --- the grammar: every function takes a place and gives what it read and the place behind it -----------------------

_SIGNS = ("<=", ">=", "<", ">", "=")


def _compare(sign: str, value: int, number: int) -> bool:
    return {
        "<": value < number,
        "<=": value <= number,
        ">": value > number,
        ">=": value >= number,
        "=": value == number,
    }[sign]


class Reader:
    """One text."""

    def __init__(self, text: str) -> None:
        self.s = text
        self.terms: list[Json] = []
        self.numbers: list[int] = []
        self.fixed_sizes: list[tuple[int, int, int]] = []
        self.rounding = 0
        self.depth = 0

    def has(self, at: int, text: str) -> bool:
        return self.s.startswith(text, at)

    def ws(self, at: int) -> int:
        while self.has(at, " "):
            at += 1
        return at

    def digits(self, at: int, pattern: str = r"0|[1-9][0-9]*") -> tuple[int, int]:
        found = re.compile(pattern, re.ASCII).match(self.s, at)
        if not found:
            raise Unfit
        return int(found[0]), found.end()

    def number(self, at: int) -> tuple[int, int]:
        value, end = self.digits(at, r"[1-9][0-9]*")
        self.numbers.append(value)
        return value, end

    def nat(self, at: int) -> tuple[int, int]:
        value, end = self.digits(at)
        self.numbers.append(value)
        return value, end

    def integer(self, at: int) -> tuple[int, int]:
        if self.has(at, "-"):
            value, end = self.nat(at + 1)
            return -value, end
        return self.nat(at)

    def attempt(self, read: Callable[..., Any], *args: Any) -> Any:
        """What is read; None, with nothing kept of the attempt, where it does not fit."""
        kept = (len(self.terms), len(self.numbers), len(self.fixed_sizes), self.rounding, self.depth)
        try:
            return read(*args)
        except Unfit:
            del self.terms[kept[0] :], self.numbers[kept[1] :], self.fixed_sizes[kept[2] :]
            self.rounding, self.depth = kept[3:]
            return None

    def roll(self) -> tuple[int, Any]:
        at, times = 0, 1
        if re.match(r"[1-9][0-9]*x", self.s):
            times, at = self.number(0)
            at = self.ws(at + 1)
        node, at = self.expr(at)
        if at != len(self.s):
            raise Unfit
        return times, node

    def expr(self, at: int) -> tuple[Any, int]:
        first, at = self.term(at)
        parts = [("+", first)]
        while True:
            sign_at = self.ws(at)
            sign = self.s[sign_at : sign_at + 1]
            if sign not in ("+", "-") or not sign:
                break
            found = self.attempt(self.term, self.ws(sign_at + 1))
            if not found:
                break
            parts.append((sign, found[0]))
            at = found[1]
        return (parts[0][1] if len(parts) == 1 else ("sum", parts)), at

    def term(self, at: int) -> tuple[Any, int]:
        node, at = self.factor(at)
        while True:
            op_at = self.ws(at)
            op = next((op for op in ("/^", "/~", "/", "%", "*") if self.has(op_at, op)), None)
            if op is None:
                return node, at
            after = self.ws(op_at + len(op))
            if op == "*":
                found = self.attempt(self.factor, after)
                make = ("times", node)
            else:
                found = self.attempt(self.divisor, after)
                make = ("div", node, op, op == "/" and self.rounding > 0)  # type: ignore[assignment]
            if not found:
                return node, at
            node, at = (*make, found[0]), found[1]

    def divisor(self, at: int) -> tuple[int, int]:
        found: tuple[int, int] | None = self.attempt(self.number, at)
        return found or self.fixed(at, 1)

    def fixed(self, at: int, least: int) -> tuple[int, int]:
        """Arithmetic in parentheses that is worked out before any die."""
        if not self.has(at, "("):
            raise Unfit
        self.enter()
        terms = len(self.terms)
        node, end = self.expr(self.ws(at + 1))
        end = self.ws(end)
        if not self.has(end, ")") or len(self.terms) != terms or _has(node, ("label", "group")) or _exact(node):
            raise Unfit
        self.depth -= 1
        value = _worth(node)
        self.fixed_sizes.append((_size(node), value, least))
        return max(value, least), end + 1

    def enter(self) -> None:
        self.depth += 1
        if self.depth > 20:
            raise Unfit

    def factor(self, at: int) -> tuple[Any, int]:
        sign = self.s[at : at + 1]
        if sign in ("+", "-") and sign:
            at = self.ws(at + 1)
        node, at = self.primary(at)
        found = re.compile(r" *\[([^\[\]]{1,40})\]").match(self.s, at)
        if found:
            if _exact(node):
                raise Unfit
            node, at = ("label", found[1].strip(" "), node), found.end()
        power = re.compile(r" *(?:\^|\*\*) *").match(self.s, at)
        if power:
            exponent = self.attempt(self.nat, power.end()) or self.attempt(self.fixed, power.end(), 0)
            if exponent:
                if _exact(node):
                    raise Unfit
                node, at = ("power", node, exponent[0]), exponent[1]
        return (("minus", node) if sign == "-" else node), at

    def primary(self, at: int) -> tuple[Any, int]:
        for way in (self.dice, self.plain, self.bracketed, self.group, self.function):
            found: tuple[Any, int] | None = self.attempt(way, at)
            if found:
                return found
        raise Unfit

    def plain(self, at: int) -> tuple[Any, int]:
        value, end = self.nat(at)
        return ("number", value), end

    def bracketed(self, at: int) -> tuple[Any, int]:
        if not self.has(at, "("):
            raise Unfit
        self.enter()
        node, end = self.expr(self.ws(at + 1))
        end = self.ws(end)
        if not self.has(end, ")"):
            raise Unfit
        self.depth -= 1
        return ("within", node), end + 1

    def listed(self, at: int, closing: str) -> tuple[list[Any], int]:
        self.enter()
        found, end = self.expr(self.ws(at))
        parts = [found]
        end = self.ws(end)
        while self.has(end, ","):
            found, end = self.expr(self.ws(end + 1))
            parts.append(found)
            end = self.ws(end)
        if not self.has(end, closing):
            raise Unfit
        self.depth -= 1
        return parts, end + 1

    def group(self, at: int) -> tuple[Any, int]:
        if not self.has(at, "{"):
            raise Unfit
        parts, at = self.listed(at + 1, "}")
        if len(parts) < 2 or any(map(_exact, parts)):
            raise Unfit
        keeps, at = self.keeps(at)
        count, at = self.count(at)
        return ("group", parts, keeps, count), at

    def function(self, at: int) -> tuple[Any, int]:
        name = next((n for n in ("floor", "ceil", "round", "abs", "max", "min") if self.has(at, n + "(")), None)
        if name is None:
            raise Unfit
        rounds = name in ("floor", "ceil", "round")
        self.rounding += rounds
        parts, end = self.listed(at + len(name) + 1, ")")
        self.rounding -= rounds
        if (len(parts) > 1) != (name in ("max", "min")):
            raise Unfit
        return ("call", name, parts), end

    def dice(self, at: int) -> tuple[Any, int]:  # noqa: C901
        start, number = at, 1
        found = self.attempt(self.nat, at) or self.attempt(self.fixed, at, 0)
        if found:
            number, at = found
        if not self.has(at, "d"):
            raise Unfit
        faces: list[tuple[str | None, int | None]] | None = None
        sides, percent = 0, False
        if self.has(at, "d%%"):
            percent, at = True, at + 3
        elif self.has(at, "d%"):
            sides, at = 100, at + 2
        elif self.has(at, "dF"):
            faces, at = [(None, -1), (None, 0), (None, 1)], at + 2
        elif self.has(at, "d{"):
            inside = re.compile(r"d\{([^{}\[\]]*)\}").match(self.s, at)
            if not inside:
                raise Unfit
            faces, at = [self.face(face) for face in inside[1].split(",")], inside.end()
        else:
            sides, at = self.divisor(at + 1)
        term: Json = {"number": max(number, 0), "sides": max(sides, 1), "faces": faces, "percent": percent}
        term["adv"] = next((w for w in ("adv", "dis") if self.has(at, w)), None)
        at += 3 if term["adv"] else 0
        for name, words in (("reroll", ("ro", "rr")), ("explode", ("!!p", "!!", "!p", "!o", "!"))):
            word = next((w for w in words if self.has(at, w)), None)
            term[name], term[name + "_on"] = word, None
            if word:
                at += len(word)
                if found := self.attempt(self.match, at):
                    term[name + "_on"], at = found
        term["limits"] = []
        while len(term["limits"]) < 2 and self.s[at : at + 3] in ("min", "max"):
            found = self.attempt(self.integer, at + 3)
            if not found:
                break
            term["limits"].append((self.s[at : at + 3], found[0]))
            at = found[1]
        term["keeps"], at = self.keeps(at)
        term["count"], at = self.count(at)
        term["text"] = self.s[start:at]
        self.terms.append(term)
        return ("dice", term), at

    def face(self, text: str) -> tuple[str | None, int | None]:
        text = text.strip(" ")
        if re.fullmatch(r"[+-]?(?:0|[1-9][0-9]*)", text, re.ASCII):
            self.numbers.append(abs(int(text)))
            return None, int(text)
        name, equals, value = text.partition("=")
        if (
            not 1 <= len(name) <= 40
            or name != name.strip(" ")
            or re.fullmatch(r"[+-]?(?:0|[1-9][0-9]*)", name, re.ASCII)
        ):
            raise Unfit
        if not equals:
            return name, None
        if not re.fullmatch(r"[+-]?(?:0|[1-9][0-9]*)", value, re.ASCII):
            raise Unfit
        self.numbers.append(abs(int(value)))
        return name, int(value)

    def match(self, at: int) -> tuple[tuple[str, int], int]:
        if found := self.attempt(self.compare, at):
            return found  # type: ignore[no-any-return]
        value, end = self.nat(at)
        return ("=", value), end

    def compare(self, at: int) -> tuple[tuple[str, int], int]:
        sign = next((sign for sign in _SIGNS if self.has(at, sign)), None)
        if sign is None:
            raise Unfit
        value, end = self.integer(at + len(sign))
        return (sign, value), end

    def keeps(self, at: int) -> tuple[list[tuple[str, int]], int]:
        found: list[tuple[str, int]] = []
        while len(found) < 4:
            word = next((w for w in ("kh", "kl", "k", "dh", "dl", "d") if self.has(at, w)), None)
            if word is None or (word == "d" and self.has(at, "ds")):
                break
            number = self.attempt(self.number, at + len(word))
            if number is None:
                found.append((word, 1))
                return found, at + len(word)
            found.append((word, number[0]))
            at = number[1]
        return found, at

    def count(self, at: int) -> tuple[Json | None, int]:
        found: Json = {}
        start = at + 2 if self.has(at, "cs") else at
        if success := self.attempt(self.compare, start):
            found["success"], at = success
        for name, word in (("failure", "f"), ("double", "ds")):
            if self.has(at, word) and (one := self.attempt(self.match, at + len(word))):
                found[name], at = one
        return found or None, at


def _parts(node: Any) -> list[Any]:
    match node[0]:
        case "sum":
            return [one for _, one in node[1]]
        case "times":
            return [node[1], node[2]]
        case "div" | "power" | "minus" | "within":
            return [node[1]]
        case "label":
            return [node[2]]
        case "group":
            return list(node[1])
        case "call":
            return list(node[2])
    return []


def _has(node: Any, kinds: tuple[str, ...]) -> bool:
    return node[0] in kinds or any(_has(one, kinds) for one in _parts(node))


def _exact(node: Any) -> bool:
    """Whether there is a quotient in it that is a fraction."""
    if node[0] == "call" and node[1] in ("floor", "ceil", "round"):
        return False
    return (node[0] == "div" and node[3]) or any(map(_exact, _parts(node)))


def _worth(node: Any) -> int:
    return int(Evaluation([], None).value(node))


# --- how large it can be ----------------------------------------------------------------------------------------------


def _size(node: Any) -> int:
    worth = _size_of(node)
    if worth > MAX_SAFE:
        raise Refused("D2")
    return worth


def _size_of(node: Any) -> int:  # noqa: C901
    match node[0]:
        case "number":
            return int(node[1])
        case "dice":
            term = node[1]
            thrown = MAX_DICE if term["explode"] else term["number"] + bool(term["adv"])
            most = 100 if term["percent"] else max(abs(n) for n in _shown(term))
            most = max([most, *(abs(number) for _, number in term["limits"])])
            size = thrown * most
            if size > MAX_SAFE:
                raise Refused("D2")
            return 2 * thrown if term["count"] else size
        case "sum":
            return sum(_size(one) for one in _parts(node))
        case "times":
            return _size(node[1]) * _size(node[2])
        case "div":
            inside = _size(node[1])
            return int(node[4]) if node[2] == "%" else inside
        case "power":
            inside = _size(node[1])
            if not node[2]:
                return 1
            return inside if inside < 2 else inside ** min(node[2], 60)
        case "group":
            sizes = sum(map(_size, node[1]))
            return 2 * len(node[1]) if node[3] else sizes
        case "call" if node[1] in ("max", "min"):
            return max(map(_size, node[2]))
    (one,) = _parts(node)
    return _size(one)


def _shown(term: Json) -> list[int]:
    """The least and the greatest number on a die, or all of them where they are named."""
    if term["percent"]:
        return [1, 100]
    if term["faces"] is not None:
        return [number or 0 for _, number in term["faces"]]
    return [1, term["sides"]]


def _matches(term: Json, name: str) -> tuple[str, int]:
    default = min(_shown(term)) if name == "reroll" else max(_shown(term))
    return term[name + "_on"] or ("=", default)


def _always(term: Json, on: tuple[str, int]) -> bool:
    """Whether each face matches: numbers in a row do where both ends do (`=` where there is but one)."""
    if on[0] == "=" and term["faces"] is None:
        low, high = _shown(term)
        return low == high == on[1]
    return all(_compare(on[0], number, on[1]) for number in _shown(term))


def read(text: str) -> tuple[int, Any, list[Json]]:
    """Repetitions, expression and terms. Raises Refused."""
    reader = Reader(text)
    try:
        if not 0 < len(text) <= 500 or text != text.strip(" "):
            raise Unfit
        times, node = reader.roll()
        if not reader.terms:
            raise Unfit
    except Unfit:
        raise Refused("D1") from None
    named = times * sum(_thrown(term) * (2 if term["percent"] else 1) for term in reader.terms)
    faces = any(term["faces"] is not None and len(term["faces"]) > MAX_ITEMS for term in reader.terms)
    fixed = any(size > MAX_SAFE or value < least for size, value, least in reader.fixed_sizes)
    if max(reader.numbers, default=0) > MAX_SAFE or fixed or times > MAX_ITEMS or faces or not 0 < named <= MAX_DICE:
        raise Refused("D2")
    _size(node)
    if len(text.encode()) * times > 100_000:
        raise Refused("D2")
    for clause in ("D3", "D4", "D5", "D6"):
        if any(clause in _wrong(term) for term in reader.terms):
            raise Refused(clause)
    if _lacks_success(node):
        raise Refused("D6")
    return times, node, reader.terms


def _wrong(term: Json) -> list[str]:
    """The clauses that a term alone breaks."""
    found = []
    if term["reroll"] == "rr" and _always(term, _matches(term, "reroll")):
        found.append("D3")
    endless = term["explode"] not in (None, "!o") and _always(term, _matches(term, "explode"))
    if term["explode"] and (term["percent"] or endless):
        found.append("D4")
    if term["adv"] and term["number"] != 1:
        found.append("D5")
    if term["count"] and "success" not in term["count"]:
        found.append("D6")
    return found


def _lacks_success(node: Any) -> bool:
    here = node[0] == "group" and node[3] and "success" not in node[3]
    return bool(here) or any(map(_lacks_success, _parts(node)))


def _thrown(term: Json) -> int:
    return int(term["number"]) + bool(term["adv"])


# --- drawing ----------------------------------------------------------------------------------------------------------


class Drawing:
    """The throws of all terms; `draw` gives the natural of a die with so many sides."""

    def __init__(self, times: int, terms: list[Json], draw: Callable[[int], int]) -> None:
        self.draw = draw
        self.room = MAX_DICE - times * sum(_thrown(t) * (2 if t["percent"] else 1) for t in terms)
        self.dice = 0
        self.drawn = [[self.term(term) for term in terms] for _ in range(times)]

    def die(self, term: Json, new: bool) -> Json:
        """One throw's dice, drawn for the first time."""
        throw: Json = {"numbers": [], "shown": [], "minus": 0}
        self.again(term, throw)
        if new:
            for _ in throw["shown"]:
                self.dice += 1
                throw["numbers"].append(self.dice)
        return throw

    def again(self, term: Json, throw: Json) -> None:
        if term["percent"]:
            tens, units = self.draw(10), self.draw(10)
            total = tens % 10 * 10 + units % 10
            throw["parts"] = [tens % 10 * 10, units % 10]
            throw["shown"] = [None, None]
            throw["value"] = total or 100
            throw["latest"] = throw["value"]
            return
        if term["faces"] is not None:
            natural = self.draw(len(term["faces"]))
            throw["numbered"] = term["faces"][natural - 1][1] is not None
            shown = term["faces"][natural - 1][1] or 0
        else:
            natural = self.draw(term["sides"])
            shown = natural
        throw["shown"] = [natural]
        throw["value"] = throw["latest"] = shown

    def term(self, term: Json) -> list[Json]:
        throws = [self.die(term, new=True) for _ in range(_thrown(term))]
        each = 2 if term["percent"] else 1
        if term["reroll"]:
            sign, number = _matches(term, "reroll")
            wave = [one for one in throws if _compare(sign, one["latest"], number)]
            while wave:
                done = []
                for throw in wave:
                    if self.room < each:
                        return self.exploded(term, throws)
                    self.room -= each
                    self.again(term, throw)
                    done.append(throw)
                wave = [one for one in done if _compare(sign, one["latest"], number)] if term["reroll"] == "rr" else []
        return self.exploded(term, throws)

    def exploded(self, term: Json, throws: list[Json]) -> list[Json]:
        if not term["explode"]:
            return throws
        sign, number = _matches(term, "explode")
        less = 1 if "p" in term["explode"] else 0
        wave = [one for one in throws if _compare(sign, one["latest"], number)]
        while wave:
            found = []
            for throw in wave:
                if not self.room:
                    return throws
                self.room -= 1
                further = self.die(term, new=True)
                penalty = less if further.get("numbered", True) else 0
                if "!!" in term["explode"]:
                    throw["numbers"] += further["numbers"]
                    throw["value"] += further["value"] - penalty
                    throw["latest"] = further["latest"]
                    found.append(throw)
                else:
                    further["value"] -= penalty
                    throws.append(further)
                    found.append(further)
            wave = [one for one in found if _compare(sign, one["latest"], number)]
            if term["explode"] == "!o":
                break
        return throws


# --- adding up --------------------------------------------------------------------------------------------------------


def _select(values: list[int | Fraction], keeps: list[tuple[str, int]]) -> list[bool]:
    """Which of the values are kept, after each keep as written."""
    kept = [True] * len(values)
    for word, number in keeps:
        still = [place for place, one in enumerate(kept) if one]
        highest = word in ("kh", "k", "dh")
        ranked = sorted(still, key=lambda place: (-values[place] if highest else values[place], place))
        named = set(ranked[:number])
        drops = word in ("dh", "dl", "d")
        for place in still:
            kept[place] = (place in named) != drops
    return kept


def _counted(value: int, count: Json) -> int:
    good = 1 if _compare(count["success"][0], value, count["success"][1]) else 0
    if "double" in count and _compare(count["double"][0], value, count["double"][1]):
        good = 2
    return good - (1 if "failure" in count and _compare(count["failure"][0], value, count["failure"][1]) else 0)


class Evaluation:
    """What an expression comes to with the throws of its terms."""

    def __init__(self, terms: list[Json], throws: list[list[Json]] | None) -> None:
        self.by = {id(term): drawn for term, drawn in zip(terms, throws or [], strict=False)}
        self.terms: dict[int, Json] = {}
        self.labels: list[Json] = []

    def value(self, node: Any) -> int | Fraction:  # noqa: C901
        match node[0]:
            case "number":
                return int(node[1])
            case "dice":
                return self.term(node[1])
            case "sum":
                return sum((1 if sign == "+" else -1) * self.value(one) for sign, one in node[1])
            case "times":
                left = self.value(node[1])
                return left * self.value(node[2])
            case "div":
                return self.quotient(self.value(node[1]), node[2], node[3], node[4])
            case "power":
                return self.value(node[1]) ** int(node[2]) if node[2] else (self.value(node[1]), 1)[1]
            case "minus":
                return -self.value(node[1])
            case "within":
                return self.value(node[1])
            case "label":
                place = len(self.labels)
                self.labels.append({"label": node[1], "value": 0})
                self.labels[place]["value"] = found = self.value(node[2])
                return found
            case "group":
                return self.group(node)
            case _:
                return self.call(node[1], [self.value(one) for one in node[2]])

    @staticmethod
    def quotient(left: int | Fraction, op: str, exact: bool, by: int) -> int | Fraction:
        whole = Fraction(left) / by
        if op == "%":
            return left - by * floor(whole)
        if op == "/^":
            return ceil(whole)
        if op == "/~":
            return floor(whole + Fraction(1, 2))
        return whole if exact else floor(whole)

    @staticmethod
    def call(name: str, values: list[int | Fraction]) -> int | Fraction:
        if name in ("max", "min"):
            ranked: list[int | Fraction] = sorted(values, key=Fraction)
            return ranked[-1] if name == "max" else ranked[0]
        (one,) = values
        if name == "abs":
            return one if one >= 0 else -one
        if name == "round":
            return floor(one + Fraction(1, 2))
        return floor(one) if name == "floor" else ceil(one)

    def term(self, term: Json) -> int:
        throws = self.by[id(term)]
        values = []
        for throw in throws:
            value = throw["value"]
            for which, number in term["limits"]:
                value = max(value, number) if which == "min" else min(value, number)
            values.append(value)
        keeps = list(term["keeps"])
        if term["adv"]:
            keeps.insert(0, ("kh" if term["adv"] == "adv" else "kl", 1))
        kept = _select(values, keeps)
        count = term["count"]
        told = [_counted(v, count) if count and k else None for v, k in zip(values, kept, strict=True)]
        worth = [told[i] if count else v for i, v in enumerate(values)]
        total = sum(w or 0 for w, k in zip(worth, kept, strict=True) if k)
        self.terms[id(term)] = {
            "dice": term["text"],
            "value": total,
            "throws": [
                {"dice": throw["numbers"], "value": value, "kept": k, "successes": t}
                for throw, value, k, t in zip(throws, values, kept, told, strict=True)
            ],
        }
        return total

    def group(self, node: Any) -> int | Fraction:
        values = [self.value(one) for one in node[1]]
        kept = _select(values, node[2])
        for one, stays in zip(node[1], kept, strict=True):
            if not stays:
                self.drop(one)
        if node[3]:
            return sum(_counted(int(v), node[3]) for v, k in zip(values, kept, strict=True) if k)
        return sum(v for v, k in zip(values, kept, strict=True) if k)

    def drop(self, node: Any) -> None:
        if node[0] == "dice":
            for throw in self.terms[id(node[1])]["throws"]:
                throw["kept"] = False
        for one in _parts(node):
            self.drop(one)


def results(text: str, draw: Callable[[int], int]) -> list[Json]:
    """For each repetition what it comes to. Raises Refused."""
    times, node, terms = read(text)
    drawing = Drawing(times, terms, draw)
    found = []
    for throws in drawing.drawn:
        evaluation = Evaluation(terms, throws)
        total = evaluation.value(node)
        found.append(
            {
                "total": total,
                "terms": [evaluation.terms[id(term)] for term in terms],
                "labels": evaluation.labels,
            }
        )
    return found


# --- decks and hands --------------------------------------------------------------------------------------------------

_VALUES = ["Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"]
_TRUMPS = [
    *("The Fool", "The Magician", "The High Priestess", "The Empress", "The Emperor", "The Hierophant", "The Lovers"),
    *("The Chariot", "Strength", "The Hermit", "Wheel of Fortune", "Justice", "The Hanged Man", "Death", "Temperance"),
    *("The Devil", "The Tower", "The Star", "The Moon", "The Sun", "Judgement", "The World"),
]


def ready_made(cards: str) -> list[str]:
    """The items of ready-made cards, in order."""
    french = [
        f"{value} of {suit}"
        for suit in ("Clubs", "Diamonds", "Hearts", "Spades")
        for value in (*_VALUES, "Jack", "Queen", "King")
    ]
    if cards == "tarot":
        suits = ("Wands", "Cups", "Swords", "Pentacles")
        court = ("Page", "Knight", "Queen", "King")
        return _TRUMPS + [f"{value} of {suit}" for suit in suits for value in (*_VALUES, *court)]
    return french + (["Black Joker", "Red Joker"] if cards == "54" else [])


class Decks:
    """Decks of a table, and who holds what of them."""

    def __init__(self, parties: list[str]) -> None:
        self.parties = parties
        self.gone: set[str] = set()
        self.decks: dict[str, Json] = {}
        self.draws: dict[int, Json] = {}

    def may(self, author: str, gm: bool, deck: Json) -> bool:
        return author == deck["owner"] or gm or deck["owner"] in self.gone

    def event(self, seq: int, author: str, gm: bool, body: Json) -> None:  # noqa: C901
        """A declaration. Raises Refused."""
        what, name = body["what"], body["deck"]
        deck = self.decks.get(name)
        if what in ("deck", "cards"):
            if what == "cards":
                items = [(item, 1) for item in ready_made(body["cards"])]
            else:
                items = [(one["item"], one.get("count", 1)) for one in body["items"]]
            if (deck is not None and not self.may(author, gm, deck)) or (deck is None and len(self.decks) >= MAX_ITEMS):
                raise Refused("D11")
            weight = sum(len(item.encode()) * count for item, count in items)
            many = sum(count for _, count in items)
            if len({item for item, _ in items}) < len(items) or many > MAX_DICE or weight > 100_000:
                raise Refused("D11")
            self.decks[name] = {
                "owner": author,
                "declared": seq,
                "shuffled": seq,
                "items": items,
                "left": dict(items),
                "hands": {},
            }
            return
        if what == "play":
            self.play(author, deck, body["items"])
            return
        if deck is None or not self.may(author, gm, deck):
            raise Refused("D11")
        if what == "remove":
            del self.decks[name]
        elif what == "shuffle":
            for item, count in deck["items"]:
                deck["left"][item] = count - self.held(deck, item)
            deck["shuffled"] = seq
        else:
            item = body["item"]
            if item not in deck["left"] or self.out(deck, item) < 1:
                raise Refused("D11")
            deck["left"][item] += 1

    def play(self, author: str, deck: Json | None, items: list[str]) -> None:
        if deck is None or len(set(items)) < len(items):
            raise Refused("D13")
        hand = deck["hands"].get(author, {})
        if any(hand.get(item, 0) < 1 for item in items):
            raise Refused("D13")
        for item in items:
            hand[item] -= 1

    @staticmethod
    def held(deck: Json, item: str) -> int:
        return sum(hand.get(item, 0) for hand in deck["hands"].values())

    def out(self, deck: Json, item: str) -> int:
        """How many are neither in the deck nor in a hand."""
        return int(dict(deck["items"])[item] - deck["left"][item] - self.held(deck, item))

    def draw(self, seq: int, author: str, body: Json, draw: Callable[[int], int]) -> list[str]:
        """The items that are drawn. Raises Refused."""
        deck = self.decks.get(body["deck"])
        many = body.get("draw", 1)
        if deck is None or sum(deck["left"].values()) < many:
            raise Refused("D12")
        found = []
        for _ in range(many):
            natural = draw(sum(deck["left"].values()))
            for item, _ in deck["items"]:
                natural -= deck["left"][item]
                if natural <= 0:
                    break
            deck["left"][item] -= 1
            found.append(item)
            if "hand" in body:
                hand = deck["hands"].setdefault(author, {})
                hand[item] = hand.get(item, 0) + 1
        self.draws[seq] = {"author": author, "deck": body["deck"], "hand": "hand" in body, "items": found}
        return found

    def strike(self, seq: int) -> None:
        """A judge voids a draw: each item goes back once, where the deck is still the one it came from."""
        drawn = self.draws.pop(seq, None)
        deck = self.decks.get(drawn["deck"]) if drawn else None
        if drawn is None or deck is None or deck["declared"] > seq:
            return
        for item in drawn["items"]:
            hand = deck["hands"].get(drawn["author"], {})
            if drawn["hand"] and hand.get(item, 0):
                hand[item] -= 1
                deck["left"][item] += 1
            elif deck["shuffled"] <= seq and self.out(deck, item):
                deck["left"][item] += 1

    def leave(self, party: str) -> None:
        self.gone.add(party)
        for deck in self.decks.values():
            deck["hands"].pop(party, None)

    def view(self) -> Json:
        """As the state shows them."""
        return {
            name: {
                "owner": deck["owner"],
                "declared": deck["declared"],
                "items": [{"item": item, "count": count, "left": deck["left"][item]} for item, count in deck["items"]],
                "left": sum(deck["left"].values()),
                "hands": {
                    party: [
                        {"item": item, "count": deck["hands"][party][item]}
                        for item, _ in deck["items"]
                        if deck["hands"][party].get(item)
                    ]
                    for party in self.parties
                    if any(deck["hands"].get(party, {}).values())
                },
            }
            for name, deck in self.decks.items()
        }
