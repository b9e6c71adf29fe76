"""The notation of dice: from a text to what is to be drawn and added up (specs/dice-1.md, "The notation")."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NoReturn

from rules.anydice.terms import (
    COMPARISONS,
    Adds,
    Count,
    Dice,
    Divided,
    Group,
    Keep,
    Labelled,
    Limit,
    Match,
    Negated,
    Node,
    Notation,
    Number,
    Times,
    Within,
)
from rules.base import NotationError
from rules.bounds import MAX_DICE, MAX_ITEMS, MAX_LOAD, MAX_SAFE_INTEGER, MAX_TEXT
from rules.language import N_, Message

__all__ = ["DiceError", "parse", "read_dice"]

MAX_DIGITS = 20
"""of a number that is read: longer ones are too large"""

DEPTH = 20
"""how deep parentheses and groups stand in each other"""


class DiceError(NotationError):
    """A text that is no dice notation, or asks for what cannot be: `clause` says which."""

    def __init__(self, clause: str, template: str, /, **values: object) -> None:
        super().__init__(template, **values)
        self.clause = clause


# --- reading ---------------------------------------------------------------------------------------------------------

_NAT = r"(?:0|[1-9][0-9]*)"
_MATCH = rf"((?:<=|<|>=|>|=)-?{_NAT}|{_NAT})"
_COMPARISON = rf"((?:<=|<|>=|>|=)-?{_NAT})"
_KEEP_WORD = r"(?:kh|kl|k|dh|dl|d(?!s))"
_KEEPS = rf"((?:{_KEEP_WORD}[1-9][0-9]*){{0,3}}(?:{_KEEP_WORD}(?:[1-9][0-9]*)?)?)"
_COUNT = rf"((?:cs)?{_COMPARISON})?(f{_MATCH})?(ds{_MATCH})?"
_DIE = re.compile(r"([1-9][0-9]*)?d(?:([1-9][0-9]*)|(%%)|(%)|(F)|\{([^{}\[\]]*)\})", re.ASCII)
_MODIFIERS = re.compile(
    rf"(adv|dis)?(?:(ro|rr){_MATCH}?)?(?:(!!p|!!|!p|!o|!){_MATCH}?)?((?:(?:min|max)-?{_NAT}){{0,2}}){_KEEPS}{_COUNT}",
    re.ASCII,
)
_GROUP_MODIFIERS = re.compile(rf"{_KEEPS}{_COUNT}", re.ASCII)
_KEEP = re.compile(r"(kh|kl|k|dh|dl|d)([1-9][0-9]*)?", re.ASCII)
_LIMIT = re.compile(rf"(min|max)(-?{_NAT})", re.ASCII)
_NUMBER = re.compile(_NAT, re.ASCII)
_TIMES = re.compile(r"([1-9][0-9]*)x *", re.ASCII)
_DIVIDE = re.compile(r" *(/\^|/~|/) *([1-9][0-9]*)", re.ASCII)
_MULTIPLY = re.compile(r" *\* *")
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
def parse(text: str) -> Notation:
    """The notation that `text`, the whole of it, is. Raises DiceError under D1 to D6.

    >>> parse("4d6kh3 + 2").terms[0].keeps[0].number
    3
    """
    _check_length(len(text))
    reader = _Reader(text)
    times, root = reader.whole()
    if reader.at < len(text):
        reader.fail()
    return _checked(reader, times, root)


def read_dice(text: str) -> tuple[Notation, int]:
    """The notation that `text` begins with, and where it ends. Raises DiceError."""
    reader = _Reader(text)
    times, root = reader.whole()
    _check_length(reader.at)
    if reader.at < len(text) and not text[reader.at :].startswith((" ", "|")):
        reader.fail()
    return _checked(reader, times, root), reader.at


def _check_length(length: int) -> None:
    if length > MAX_TEXT:
        raise DiceError("D1", "dice are written in at most {most} characters", most=MAX_TEXT)


class _Reader:
    """Reads a text from its beginning, each rule of the grammar by a method."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.terms: list[Dice] = []
        self.large: list[str] = []
        """numbers that are too large"""
        self.later: list[DiceError] = []
        """what is wrong under a later clause than D2"""

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
                found = Divided(found, match[1], self.number(match[2]))  # type: ignore[arg-type] # the pattern has these
            elif self.take(_MULTIPLY):
                found = Times(found, self.factor())
            else:
                return found

    def factor(self) -> Node:
        sign = self.text[self.at : self.at + 1]
        if sign in ("+", "-") and sign:
            self.at += 1
            self.blanks()
        found = self.primary()
        if match := self.take(_LABEL):
            found = Labelled(found, match[1].strip(" "))
        return Negated(found) if sign == "-" else found

    def primary(self) -> Node:
        if match := self.take(_DIE):
            return self.dice(match)
        if match := self.take(_NUMBER):
            return Number(self.number(match[0]))
        opened = self.text[self.at : self.at + 1]
        if opened not in ("(", "{") or not opened:
            self.fail()
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(Message("parentheses stand at most {most} deep", most=DEPTH))
        self.at += 1
        parts = [self.part()]
        while opened == "{" and self.text.startswith(",", self.at):
            self.at += 1
            parts.append(self.part())
        if not self.text.startswith(")" if opened == "(" else "}", self.at):
            self.fail(Message("a {bracket} is missing", bracket=")" if opened == "(" else "}"))
        self.at += 1
        self.depth -= 1
        if opened == "(":
            return Within(parts[0])
        if len(parts) == 1:
            self.at -= 1
            self.fail(Message("a group has two parts or more: {example}", example="{d8, d6}kh1"))
        match = self.take(_GROUP_MODIFIERS)
        assert match is not None, "all of it is optional"
        return Group(tuple(parts), self.keeps(match[1]), self.count(*match.group(2, 3, 4, 5, 6, 7)), match[0])

    def part(self) -> Node:
        self.blanks()
        found = self.sum()
        self.blanks()
        return found

    def dice(self, die: re.Match[str]) -> Dice:
        sides: tuple[int, ...] = (self.number(die[2]),) if die[2] else (100,)
        faces: tuple[int | None, ...] | None = None
        names: tuple[str | None, ...] = ()
        if die[3]:
            sides = (10, 10)
        elif die[5]:
            faces, names = (-1, 0, 1), (None, None, None)
        elif die[6] is not None:
            faces, names = self.faces(die)
        if faces is not None:
            sides = (len(faces),)
        match = self.take(_MODIFIERS)
        assert match is not None, "all of it is optional"
        adv, reroll, reroll_match, explode, explode_match, limits, keeps, *count = match.groups()
        numbers = [number or 0 for number in faces] if faces is not None else [1, sides[0] if len(sides) == 1 else 100]
        if adv and die[1] not in (None, "1"):
            text = N_("“{text}”: advantage and disadvantage are for one die; write {right}")
            right = f"{int(die[1]) + 1}{die[0].removeprefix(die[1])}k{'h' if adv == 'adv' else 'l'}"
            self.later.append(DiceError("D5", text, text=die[0] + adv, right=right))
        more = (Keep("keep", "highest" if adv == "adv" else "lowest", 1),) if adv else ()
        found = Dice(
            die[0] + match[0],
            self.number(die[1] or "1") + bool(adv),
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
        at = die.start(6)
        for face in die[6].split(","):
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

    def count(self, *found: str | None) -> Count | None:
        """From what the pattern found: successes, failures and doubles, each whole and as a comparison."""
        whole, success, failed, failure, doubled, double = found
        if whole is None and failed is None and doubled is None:
            return None
        if success is None:
            text = N_("“{text}”: failures, and what counts twice, stand beside successes: {example}")
            told = (failed or "") + (doubled or "")
            self.later.append(DiceError("D6", text, text=told, example="6d10>=7f1ds10"))
            success = "=0"  # refused in the end
        failing, doubling = (self.match(one) if one else None for one in (failure, double))
        return Count(self.match(success), failing, doubling)

    def fail(self, right: Message | None = None) -> NoReturn:
        if not _BLANK_MODIFIER.match(self.text, self.at) and self.text[self.at :].strip(" "):
            self.blanks()
        rest = self.text[self.at :]
        right = right or _right(self.text, self.at)
        if not rest:
            text = N_("“{text}” ends too early: {right}")
            raise DiceError("D1", text, text=self.text[-60:], right=right)
        text = N_("“{text}” is no dice notation from character {place} on, “{rest}”: {right}")
        raise DiceError("D1", text, text=self.text[:60], place=self.at + 1, rest=rest[:20], right=right)


_FIRST: tuple[tuple[str, Message], ...] = (
    (r"[0-9]*D[0-9%F{]", Message("write a small d")),
    (r"0+d", Message("a roll has at least one die")),
    (r"[/!.](?:r|roll|gmroll)\b|roll(?= )", Message("leave that out: the dice come first")),
    (r"\[\[", Message("leave the brackets out: the dice come first")),
    (r"#|//", Message("the dice come first; a comment stands behind them and for")),
    (
        r"(?:floor|ceil|round|abs|min|max) *\(",
        Message("there are no functions: / rounds down, /^ up, /~ to the nearest"),
    ),
    (r"(?:a )?coin|flip", Message("a coin is a die with two faces: d{{heads, tails}}")),
    (r"[a-z0-9]+-sided", Message("a die is written with d and the number of its sides")),
)
"""what would be right at the beginning of a text"""

_HINTS: tuple[tuple[str, Message], ...] = (
    (r"D(?=[0-9%F{])", Message("write a small d")),
    (r"D", Message("dice have a number of sides: 2d6")),
    (r"df(?![0-9])", Message("dice for Fate have a large F: 4dF")),
    (r"(?<=\))d", Message("how many dice there are is written as a number")),
    (r"\*\*|\^", Message("there are no powers")),
    (r"r(?![or])", Message("write ro to reroll once, rr to reroll until it no longer matches")),
    (r"×|·", Message("write * for times")),
    (r"÷|:", Message("write / for divided by")),
    (r"[−–—]", Message("write - for minus")),
    (r"[xe](?=[0-9<>=]|$)", Message("write ! for dice that explode: 3d6! or 3d6!>=5")),
    (r"mi[0-9]|ma[0-9]", Message("write min2 or max5")),
    (r"p[hl]", Message("write dh or dl for dice to drop")),
    (r"cf|df|sf", Message("write f for failures: 6d10>=7f=1")),
    (r" *\[", Message("a label stands in brackets, at most 40 characters: 2d6[fire]")),
    (r"//", Message("write / for division that is rounded down")),
    (r"/ *(?:\(|[0-9]*d|0)", Message("divide by a number from 1 up")),
    (r"(?<=[khld])[kd]", Message("a keep or drop before another has its number: 4d6dl1dh1")),
    (
        r"adv|dis|ro|rr|!|min|max|k|d|[<>=]|cs|f",
        Message("what is done with dice stands in this order: adv, ro or rr, !, min or max, keep or drop, successes"),
    ),
    (r" +$", Message("nothing would be right: there is no blank at the end")),
)
_BLANK_MODIFIER = re.compile(r" +(?:adv|dis|ro|rr|!|min|max|kh|kl|k[0-9]|dh|dl|cs|[<>=])")


def _right(text: str, at: int) -> Message:
    """What would be right at a place where a text is no notation."""
    rest = text[at:]
    if _BLANK_MODIFIER.match(rest):
        return Message("write no blank before it: 4d6kh3")
    for pattern, right in () if at > 1 else _FIRST:
        if re.match(pattern, text):
            return right
    for pattern, right in _HINTS:
        if at and re.compile(pattern).match(text, at):
            return right
    if not at or text[:at].rstrip(" ").endswith(("+", "-", "*", "/", "(", "{", ",", "x")):
        return Message("dice or a number would be right: {examples}", examples="4d6kh3, d%, 4dF, 2")
    return Message("+, -, *, / or the end would be right")


# --- what there is an end to ----------------------------------------------------------------------------------------


def _checked(reader: _Reader, times: int, root: Node) -> Notation:
    """The notation that was read. Raises DiceError under D2 to D6, in this order."""
    terms = tuple(reader.terms)
    if not terms:
        raise DiceError(
            "D1", "“{text}” has no dice: write for example {example}", text=reader.text[:60], example="d20 + 5"
        )
    if reader.large:
        text = N_("the number {number} is too large: at most {most}")
        raise DiceError("D2", text, number=reader.large[0][:40], most=MAX_SAFE_INTEGER)
    if times > MAX_ITEMS:
        raise DiceError("D2", "a roll is repeated at most {most} times, not {times}", most=MAX_ITEMS, times=times)
    if any(len(term.names) > MAX_ITEMS for term in terms):
        raise DiceError("D2", "a die has at most {most} faces that are named", most=MAX_ITEMS)
    named = times * sum(term.number * len(term.sides) for term in terms)
    if named > MAX_DICE:
        text = N_("“{text}” comes to {count} dice; there can be {most} in one roll")
        raise DiceError("D2", text, text=reader.text[:60], count=named, most=MAX_DICE)
    _size(root)
    if times * len(reader.text[: reader.at].encode()) > MAX_LOAD:
        raise DiceError(
            "D2", "so long a text can be repeated fewer times only: here at most {most}", most=_most(reader)
        )
    found = [*reader.later, *(problem for term in terms for problem in _endless(term))]
    if found:
        raise min(found, key=lambda error: error.clause)
    draws_on = any(term.draws_on for term in terms)
    plain = all(term.faces is None and not term.percentile and not term.explode for term in terms)
    return Notation(reader.text[: reader.at], times, root, terms, named, draws_on, plain)


def _most(reader: _Reader) -> int:
    """How often a text can be repeated that is so long."""
    return MAX_LOAD // len(reader.text[: reader.at].encode())


def _size(node: Node) -> int:
    """How large what comes out can be, whatever its sign. Raises DiceError D2 where that is too large."""
    match node:
        case Number(value=value):
            size = value
        case Dice():
            largest = max((abs(number or 0) for number in node.faces), default=0) if node.faces else node.sides[0]
            largest = max([100 if node.percentile else largest, *(abs(limit.number) for limit in node.limits)])
            throws = MAX_DICE if node.explode else node.number
            size = throws * largest
            if node.count and size <= MAX_SAFE_INTEGER:  # what is only counted is shown, too
                size = 2 * throws
        case Negated(of=of) | Labelled(of=of) | Within(of=of) | Divided(of=of):
            size = _size(of)
        case Adds(parts=parts):
            size = sum(_size(part) for _, part in parts)
        case Times(left=left, right=right):
            size = _size(left) * _size(right)
        case Group(parts=inner, count=count):
            sizes = [_size(part) for part in inner]
            size = 2 * len(inner) if count else sum(sizes)
    if size > MAX_SAFE_INTEGER:
        raise DiceError("D2", "what comes out of these dice could be above {most}", most=MAX_SAFE_INTEGER)
    return size


def _endless(term: Dice) -> Iterator[DiceError]:
    """What of a term would go on for ever, whatever its dice show; `<`, `>` and their like hold for all or an end."""
    faces = [number or 0 for number in term.faces] if term.faces else [1, 100 if term.percentile else term.sides[0]]
    if term.reroll == "rr" and all(map(term.reroll_match, faces)):
        yield DiceError(
            "D3",
            "{dice} would be rerolled for ever: every face of it is {match}",
            dice=term.text,
            match=str(term.reroll_match),
        )
    if term.explode and term.percentile:
        yield DiceError("D4", "two ten-sided dice do not explode: write {dice}", dice="d%!")
    if term.explode not in (None, "!o") and all(map(term.explode_match, faces)):
        yield DiceError(
            "D4",
            "{dice} would explode for ever: every face of it is {match}",
            dice=term.text,
            match=str(term.explode_match),
        )
