"""Parser of the dice notation (specs/dice-1.md, "The notation")."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NoReturn

from rules.data.bounds import MAX_DICE, MAX_ITEMS, MAX_LOAD, MAX_SAFE_INTEGER, MAX_TEXT
from rules.data.language import N_, Message
from rules.systems.anydice.problems import BLANK_MODIFIER, DiceError, right
from rules.systems.anydice.sizes import endless, size_of
from rules.systems.anydice.terms import (
    COMPARISONS,
    Adds,
    DiceTerm,
    Divided,
    ExpressionGroup,
    Function,
    Keep,
    Labelled,
    Limit,
    Match,
    Negated,
    Node,
    Number,
    ParsedText,
    Power,
    SuccessCount,
    Times,
    Within,
)
from rules.systems.anydice.totals import fixed_value

__all__ = ["parse", "read_dice"]

MAX_DIGITS = 20
"""digits of a number that is parsed; a longer one is too large"""

DEPTH = 20
"""nested levels of parentheses and groups"""


# --- reading ---------------------------------------------------------------------------------------------------------

_NAT = r"(?:0|[1-9][0-9]*)"
_MATCH = rf"((?:<=|<|>=|>|=)-?{_NAT}|{_NAT})"
_COMPARISON = rf"((?:<=|<|>=|>|=)-?{_NAT})"
_KEEP_WORD = r"(?:kh|kl|k|dh|dl|d(?!s))"
_KEEPS = rf"((?:{_KEEP_WORD}[1-9][0-9]*){{0,3}}(?:{_KEEP_WORD}(?:[1-9][0-9]*)?)?)"
_SUCCESSES = rf"((?:cs)?{_COMPARISON})?(f{_MATCH})?(ds{_MATCH})?"
_COUNT = re.compile(rf"({_NAT})?(?=d)", re.ASCII)
_DIE = re.compile(r"d(?:([1-9][0-9]*)|(%%)|(%)|(F)|\{([^{}\[\]]*)\}|(?=\())", re.ASCII)
_MODIFIERS = re.compile(
    rf"(adv|dis)?(?:(ro|rr){_MATCH}?)?(?:(!!p|!!|!p|!o|!){_MATCH}?)?((?:(?:min|max)-?{_NAT}){{0,2}}){_KEEPS}{_SUCCESSES}",
    re.ASCII,
)
_GROUP_MODIFIERS = re.compile(rf"{_KEEPS}{_SUCCESSES}", re.ASCII)
_KEEP = re.compile(r"(kh|kl|k|dh|dl|d)([1-9][0-9]*)?", re.ASCII)
_LIMIT = re.compile(rf"(min|max)(-?{_NAT})", re.ASCII)
_NUMBER = re.compile(_NAT, re.ASCII)
_TIMES = re.compile(r"([1-9][0-9]*)x *", re.ASCII)
_DIVIDE = re.compile(r" *(/\^|/~|/|%) *(?=[1-9(])", re.ASCII)
_MULTIPLY = re.compile(r" *\*(?!\*) *")
_RAISE = re.compile(r" *(?:\^|\*\*) *(?=[0-9(])", re.ASCII)
_FUNCTION = re.compile(r"(floor|ceil|round|abs|max|min)(?=\()")
_ROUNDS = ("floor", "ceil", "round")
_SIGN = re.compile(r" *([+-]) *")
_LABEL = re.compile(r" *\[([^\[\]]{1,40})\]")
_FACE = re.compile(rf"(?:([+-]?{_NAT})|([^,={{}}\[\]]{{1,40}}?)(?:=([+-]?{_NAT}))?)", re.ASCII)
_INTEGER = re.compile(rf"[+-]?{_NAT}", re.ASCII)

_SELECT: Mapping[str, tuple[Literal["keep", "drop"], Literal["highest", "lowest"]]] = {
    "k": ("keep", "highest"),
    "kh": ("keep", "highest"),
    "kl": ("keep", "lowest"),
    "d": ("drop", "lowest"),
    "dl": ("drop", "lowest"),
    "dh": ("drop", "highest"),
}


@lru_cache(maxsize=512)
def parse(text: str) -> ParsedText:
    """Parse the whole of a text. Raises DiceError under D1 to D6.

    >>> parse("4d6kh3 + 2").terms[0].keeps[0].number
    3
    """
    _check_length(len(text))
    reader = _Reader(text)
    times, root = reader.whole()
    if reader.at < len(text):
        reader.fail()
    return _checked(reader, times, root)


def read_dice(text: str) -> tuple[ParsedText, int]:
    """Parse the dice at the beginning of a text. Return them and where they end. Raises DiceError."""
    reader = _Reader(text)
    times, root = reader.whole()
    _check_length(reader.at)
    rest = text[reader.at :]
    dice_come = not reader.terms and re.search("d[0-9%]", rest, re.IGNORECASE)
    if rest and (dice_come or not rest.startswith((" ", "|", "#"))):
        reader.fail()
    return _checked(reader, times, root), reader.at


def _check_length(length: int) -> None:
    if length > MAX_TEXT:
        raise DiceError("D1", "dice are written in at most {most} characters", most=MAX_TEXT)


class _Reader:
    """Recursive-descent parser with a method for each rule of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.terms: list[DiceTerm] = []
        self.large: list[str] = []
        """numbers that are too large"""
        self.beyond: list[DiceError] = []
        """computed numbers that are too large or too small"""
        self.later: list[DiceError] = []
        """errors under later clauses than D2"""
        self.rounding = 0
        """the number of rounding functions around the current place"""
        self.open = 0
        """dice, labels and groups so far; a constant expression has none of them"""

    def whole(self) -> tuple[int, Node]:
        match = self.take(_TIMES)
        return (self.number(match[1]) if match else 1), self.sum()

    def number(self, digits: str) -> int:
        if len(digits) > MAX_DIGITS:
            self.large.append(digits)
            return MAX_SAFE_INTEGER
        number = int(digits)
        if abs(number) > MAX_SAFE_INTEGER:
            self.large.append(digits)
        return number

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def blanks(self) -> None:
        while self.text.startswith(" ", self.at):
            self.at += 1

    def sum(self) -> Node:
        parts = [(1, self.product())]
        while match := self.take(_SIGN):
            parts.append((1 if match[1] == "+" else -1, self.product()))
        return Adds(tuple(parts)) if len(parts) > 1 else parts[0][1]

    def product(self) -> Node:
        found = self.factor()
        while True:
            if match := self.take(_DIVIDE):
                by = self.constant(1, N_("{text} comes to {value}; a divisor must be 1 or more"))
                found = Divided(found, match[1], by, bool(self.rounding) and match[1] == "/")  # type: ignore[arg-type] # the pattern has these
            elif self.take(_MULTIPLY):
                found = Times(found, self.factor())
            else:
                return found

    def factor(self) -> Node:
        sign = self.text[self.at : self.at + 1]
        if sign in ("+", "-"):
            self.at += 1
            self.blanks()
        found = self.primary()
        if match := self.take(_LABEL):
            self.check_whole(found)
            self.open += 1
            found = Labelled(found, match[1].strip(" "))
        if self.take(_RAISE):
            self.check_whole(found)
            found = Power(found, self.constant(0, N_("{text} comes to {value}; an exponent must be 0 or more")))
        return Negated(found) if sign == "-" else found

    def primary(self) -> Node:
        start = self.at
        if (match := self.take(_COUNT)) and (die := self.take(_DIE)):
            return self.dice(start, self.number(match[1] or "1"), die)
        self.at = start
        if match := self.take(_NUMBER):
            return Number(self.number(match[0]))
        if match := self.take(_FUNCTION):
            return self.function(match[1])
        if self.text.startswith("{", start):
            return self.group()
        before = self.open
        (inside,) = self.brackets("(", ")")
        end = self.at
        if die := self.take(_DIE):
            if self.open == before:
                text = N_("{text} comes to {value}: there are no fewer than 0 dice")
                return self.dice(start, self.constant_of(inside, start, end, before, 0, text), die)
            self.at = end
            self.fail()
        return Within(inside)

    def brackets(self, opening: str, closing: str, most: int = 1) -> list[Node]:
        """Parse expressions in brackets, separated by commas: at most `most` of them."""
        if not self.text.startswith(opening, self.at):
            self.fail()
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(Message("parentheses stand at most {most} deep", most=DEPTH))
        self.at += 1
        parts = [self.part()]
        while len(parts) < most and self.text.startswith(",", self.at):
            self.at += 1
            parts.append(self.part())
        if not self.text.startswith(closing, self.at):
            self.fail(missing=closing)
        self.at += 1
        self.depth -= 1
        return parts

    def group(self) -> Node:
        parts = self.brackets("{", "}", MAX_TEXT)
        if len(parts) == 1:
            self.at -= 1
            self.fail(Message("a group has two parts or more: {example}", example="{d8, d6}kh1"))
        for part in parts:
            self.check_whole(part)
        self.open += 1
        match = self.take(_GROUP_MODIFIERS)
        assert match is not None, "all of it is optional"
        return ExpressionGroup(tuple(parts), self.keeps(match[1]), self.count(*match.group(2, 3, 4, 5, 6, 7)), match[0])

    def function(self, name: str) -> Node:
        several = name in ("max", "min")
        self.rounding += name in _ROUNDS
        parts = self.brackets("(", ")", MAX_TEXT if several else 1)
        self.rounding -= name in _ROUNDS
        if several and len(parts) == 1:
            self.at -= 1
            self.fail(Message("{name} has two parts or more: {example}", name=name, example=f"{name}(d8, d6)"))
        return Function(name, tuple(parts))  # type: ignore[arg-type] # the pattern has these

    # Constants: numbers that are computed before any die is drawn.

    def constant(self, least: int, text: str) -> int:
        """Parse a number, or a constant expression in parentheses. `text` is the error for one below `least`."""
        if match := self.take(_NUMBER):
            return self.number(match[0])
        at, before = self.at, self.open
        (inside,) = self.brackets("(", ")")
        return self.constant_of(inside, at, self.at, before, least, text)

    def constant_of(self, inside: Node, at: int, end: int, before: int, least: int, text: str) -> int:
        """Return the value of a constant expression, which stands from `at` to `end`. `open` was `before` at its start.

        A value out of bounds is recorded in `beyond`, and `least` stands in for it.
        """
        if self.open != before or not _is_whole(inside):
            self.at = at
            self.fail(Message("this number must be a constant, without dice, labels, groups or fractions"))
        try:
            size_of(inside)
        except DiceError as error:
            self.beyond.append(error)
            return least
        value = fixed_value(inside)
        if value < least:
            self.beyond.append(DiceError("D2", text, text=self.text[at:end], value=value))
        return max(value, least)

    def check_whole(self, node: Node) -> None:
        """Raise DiceError D1 for an expression that can be a fraction."""
        if not _is_whole(node):
            self.fail(Message("in floor, ceil and round a fraction has no label, group or power: round it first"))

    def part(self) -> Node:
        self.blanks()
        found = self.sum()
        self.blanks()
        return found

    def dice(self, start: int, number: int, die: re.Match[str]) -> DiceTerm:
        """Parse the sides and modifiers of dice, whose number begins at `start`."""
        self.open += 1
        sides: tuple[int, ...] = ()
        faces: tuple[int | None, ...] | None = None
        names: tuple[str | None, ...] = ()
        if die[1]:
            sides = (self.number(die[1]),)
        elif die[2] or die[3]:
            sides = (10, 10) if die[2] else (100,)
        elif die[4]:
            faces, names = (-1, 0, 1), (None, None, None)
        elif die[5] is not None:
            faces, names = self.faces(die)
        else:
            sides = (self.constant(1, N_("{text} comes to {value}; a die must have 1 side or more")),)
        if faces is not None:
            sides = (len(faces),)
        kind = self.text[die.start() : self.at]
        match = self.take(_MODIFIERS)
        assert match is not None, "all of it is optional"
        adv, reroll, reroll_match, explode, explode_match, limits, keeps, *count = match.groups()
        numbers = [number or 0 for number in faces] if faces is not None else [1, sides[0] if len(sides) == 1 else 100]
        if adv and number != 1:
            text = N_("“{text}”: advantage and disadvantage are for one die; write {right}")
            right = f"{number + 1}{kind}k{'h' if adv == 'adv' else 'l'}"
            self.later.append(DiceError("D5", text, text=self.text[start : match.end(1)], right=right))
        more = (Keep("keep", "highest" if adv == "adv" else "lowest", 1),) if adv else ()
        found = DiceTerm(
            self.text[start : self.at],
            number + bool(adv),
            sides,
            faces,
            names,
            reroll,
            self.match(reroll_match) if reroll_match else Match("=", min(numbers)),
            explode,
            self.match(explode_match) if explode_match else Match("=", max(numbers)),
            tuple(Limit(one[1], self.number(one[2])) for one in _LIMIT.finditer(limits)),  # type: ignore[arg-type]
            more + self.keeps(keeps),
            self.count(*count),
        )
        self.terms.append(found)
        return found

    def faces(self, die: re.Match[str]) -> tuple[tuple[int | None, ...], tuple[str | None, ...]]:
        faces: list[int | None] = []
        names: list[str | None] = []
        at = die.start(5)
        for face in die[5].split(","):
            match = _FACE.fullmatch(face.strip(" "))
            if match is None or (match[2] or "").endswith(" ") or (match[2] and _INTEGER.fullmatch(match[2])):
                self.at = at
                self.fail(Message("a face is a number, a name, or a name and its number: {example}", example="hit=1"))
            number = match[1] or match[3]
            faces.append(None if number is None else self.number(number))
            names.append(match[2])
            at += len(face) + 1
        return tuple(faces), tuple(names)

    def match(self, text: str) -> Match:
        sign = text[:2] if text[:2] in COMPARISONS else text[:1]
        if sign in COMPARISONS:
            return Match(sign, self.number(text[len(sign) :]))
        return Match("=", self.number(text))

    def keeps(self, text: str) -> tuple[Keep, ...]:
        return tuple(Keep(*_SELECT[one[1]], self.number(one[2] or "1")) for one in _KEEP.finditer(text))

    def count(self, *found: str | None) -> SuccessCount | None:
        """Return the count of successes from the groups that the pattern matched.

        They are success, failure and double, each as written and as its comparison.
        """
        whole, success, failed, failure, doubled, double = found
        if whole is None and failed is None and doubled is None:
            return None
        if success is None:
            text = N_("“{text}”: failures, and what counts twice, stand beside successes: {example}")
            written = (failed or "") + (doubled or "")
            self.later.append(DiceError("D6", text, text=written, example="6d10>=7f1ds10"))
            success = "=0"  # a placeholder: the error above refuses the text
        failing, doubling = (self.match(one) if one else None for one in (failure, double))
        return SuccessCount(self.match(success), failing, doubling)

    def fail(self, suggested: Message | None = None, missing: str | None = None) -> NoReturn:
        if not BLANK_MODIFIER.match(self.text, self.at) and self.text[self.at :].strip(" "):
            self.blanks()
        rest = self.text[self.at :]
        suggested = suggested or right(self.text, self.at, missing)
        if not rest:
            text = N_("“{text}” ends too early: {right}")
            raise DiceError("D1", text, text=self.text[-60:], right=suggested)
        text = N_("“{text}” is no dice notation from character {place} on, “{rest}”: {right}")
        raise DiceError("D1", text, text=self.text[:60], place=self.at + 1, rest=rest[:20], right=suggested)


def _is_whole(node: Node) -> bool:
    """Return whether an expression is never a fraction outside a rounding function."""
    match node:
        case Divided(of=of, exact=exact):
            return not exact and _is_whole(of)
        case Negated(of=of) | Within(of=of):
            return _is_whole(of)
        case Adds(parts=parts):
            return all(_is_whole(part) for _, part in parts)
        case Times(left=left, right=right):
            return _is_whole(left) and _is_whole(right)
        case Function(name=name, parts=inner):
            return name in _ROUNDS or all(map(_is_whole, inner))
        case _:
            return True


# --- bounds ---------------------------------------------------------------------------------------------------------


def _checked(reader: _Reader, times: int, root: Node) -> ParsedText:
    """Return the parsed notation. Raises DiceError under D2 to D6, in this order."""
    terms = tuple(reader.terms)
    if not terms:
        raise DiceError(
            "D1", "“{text}” has no dice: write for example {example}", text=reader.text[:60], example="d20 + 5"
        )
    if reader.large:
        text = N_("the number {number} is too large: at most {most}")
        raise DiceError("D2", text, number=reader.large[0][:40], most=MAX_SAFE_INTEGER)
    if reader.beyond:
        raise reader.beyond[0]
    if times > MAX_ITEMS:
        raise DiceError("D2", "a roll is repeated at most {most} times, not {times}", most=MAX_ITEMS, times=times)
    if any(len(term.names) > MAX_ITEMS for term in terms):
        raise DiceError("D2", "a die has at most {most} faces that are named", most=MAX_ITEMS)
    named = times * sum(term.number * len(term.sides) for term in terms)
    if not named:
        text = N_("“{text}” draws no die, so there is nothing to roll")
        raise DiceError("D2", text, text=reader.text[:60])
    if named > MAX_DICE:
        text = N_("“{text}” comes to {count} dice; there can be {most} in one roll")
        raise DiceError("D2", text, text=reader.text[:60], count=named, most=MAX_DICE)
    size_of(root)
    if times * len(reader.text[: reader.at].encode()) > MAX_LOAD:
        raise DiceError("D2", "a text as long as this can be repeated at most {most} times", most=_most(reader))
    found = [*reader.later, *(problem for term in terms for problem in endless(term))]
    if found:
        raise min(found, key=lambda error: error.clause)
    draws_on = any(term.draws_on for term in terms)
    plain = all(term.faces is None and not term.percentile and not term.explode for term in terms)
    return ParsedText(reader.text[: reader.at], times, root, terms, named, draws_on, plain)


def _most(reader: _Reader) -> int:
    """Return how many times a text of this length may be repeated."""
    return MAX_LOAD // len(reader.text[: reader.at].encode())
