"""One-line notations of rolls, effects and triggers (specs/mtg.md, "Notation")."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from rules.base import Notation, NotationError
from rules.common.free_text import BLANKS, COIN, check_free, instructs, narrow, reads_like_notation
from rules.data.language import N_, Message
from rules.systems.mtg import bodies as b
from rules.systems.mtg.meant import Meant, meant

__all__ = ["NOTATIONS"]

_Json = dict[str, Any]

_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
_COLON = re.compile(r" *: *")
_BAR = re.compile(r" *\| *")
_PLAIN = re.compile(r"[^|]*")
_SOURCE = re.compile(r"[^|:]*")
_AMOUNT = re.compile(r"([+\u2212-]) *([1-9][0-9]*)(?![0-9])")
_INTEGER = re.compile(r"([+\u2212-])?(0|[1-9][0-9]*)(?![0-9])")
_COUNT = re.compile(r"[1-9][0-9]*(?![0-9])")
_TERM = r"(?:(?:[1-9][0-9]*)?(?:[dD][1-9][0-9]*|planar|coin(?! (?:flip|toss))))"
_DICE = re.compile(rf"{_TERM}(?:\+{_TERM})*(?=$|[ +:\u2212-])", re.ASCII)
_LINK = re.compile(r"(again|joins) ([1-9][0-9]*)(?=$|[ :])")
_RANDOM = re.compile(r"random(?= )")
_KIND = re.compile(r"[dD][1-9][0-9]*|planar|coin", re.ASCII)
_NUMBERS = re.compile(r"[1-9][0-9]*(?: *, *[1-9][0-9]*)*(?= *(?:$|\|))")
_WORD = re.compile(r'[^\s:|,"]+')
_RANGE = re.compile(r"[0-9][^:|]*")
_TRIGGER_RANGE = re.compile(rf"[\u2212-]?{_RANGE.pattern}")


class _Text:
    """A line that is parsed from the left. `text` has full-width characters as ASCII; `typed` is the original."""

    def __init__(self, text: str) -> None:
        self.typed = text.strip(BLANKS)
        self.text = narrow(self.typed)
        self.at = 0

    @property
    def rest(self) -> str:
        return self.text[self.at :]

    def skip(self) -> None:
        while self.rest.startswith(" "):
            self.at += 1

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match the pattern at the current place, and skip it with the blanks behind it."""
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
            self.skip()
        return found

    def word(self, *words: str) -> str | None:
        """Return the first of these words that stands at the current place, and skip it; None if none does."""
        for word in words:
            after = self.at + len(word)
            if self.text.startswith(word, self.at) and self.text[after : after + 1] in ("", " ", ",", ":"):
                self.at = after
                self.skip()
                return word
        return None

    def expect(self, wanted: str) -> NoReturn:
        """Raise NotationError that says what would be right at the current place."""
        right = Message(wanted)
        if not self.rest:
            text = N_("{text!r} ends too early; expected: {wanted}")
            raise NotationError(text, text=self.text, wanted=right)
        text = N_("in {text!r}, what would be right in place of {rest!r} is {wanted}")
        raise NotationError(text, text=self.text, rest=self.rest, wanted=right)

    def as_typed(self, found: re.Match[str], group: int = 0) -> str:
        """Return the original text of a match."""
        return self.typed[found.start(group) : found.end(group)]

    def quoted(self) -> str | None:
        found = self.take(_QUOTED)
        return None if found is None else re.sub(r"\\(.)", r"\1", self.as_typed(found, 1))

    def colon(self) -> None:
        if self.take(_COLON) is None:
            self.expect(N_("`: ` and a text"))

    def plain(self, pattern: re.Pattern[str] = _PLAIN) -> str:
        """Return the text that the pattern matches at the current place, without blanks at its end; else empty."""
        found = self.take(pattern)
        return "" if found is None else self.as_typed(found).rstrip(BLANKS)

    def required_text(self, pattern: re.Pattern[str] = _PLAIN) -> str:
        """Return a text in quotation marks, or the text up to a bar. Raises NotationError if it is empty."""
        if self.rest.startswith('"'):
            quoted = self.quoted()
            return quoted or self.expect(N_('a text, with `"` at its end'))
        text = self.plain(pattern)
        return text or self.expect(N_("a text"))

    def end(self) -> None:
        if self.rest:
            self.expect(N_("the end of the line"))


def _number(match: re.Match[str]) -> int:
    return -int(match[2]) if match[1] in ("-", "\u2212") else int(match[2])


# --- a roll -----------------------------------------------------------------------------------------------------------


def _parse_roll(text: str) -> _Json:
    try:
        return _read_roll(text)
    except NotationError as problem:
        roll = meant(text)
        line = None if roll is None else _line_of(roll)
        if roll is None or line is None or not _is_read(line):
            raise problem.offering(*filter(_is_read, problem.lines)) from None
        if not roll.which:
            raise problem.offering(line) from None
        refusal = (
            N_(
                "“{told}” says which dice do not count. It stands at the end, with the name of the card that says so: "
                "{part}"
            )
            if roll.is_named
            else N_(
                "“{told}” says which dice do not count, but no card is named. Write the card's name in the place of "
                "“{card}”, behind the dice and at the end: {part}"
            )
        )
        part = f"| {_write_ignore(_ignores_of(roll))}"
        raise NotationError(refusal, lines=[line], told=roll.told, part=part, card=roll.name) from None


_BEHIND = "| +1 ignore lowest: Pixie Guide"


def _is_read(line: str) -> bool:
    try:
        _read_roll(line)
    except NotationError:
        return False
    return True


def _line_of(roll: Meant) -> str:
    """Return a roll in everyday words in this notation."""
    modifiers = [{"source": roll.name, "amount": roll.amount}] if roll.amount else []
    head = _write_roll({"dice": roll.dice, "source": roll.name, **({"modifiers": modifiers} if modifiers else {})})
    return f"{head}{roll.rest}{f' | {_write_ignore(_ignores_of(roll))}' if roll.which else ''}"


def _ignores_of(roll: Meant) -> _Json:
    return {"source": roll.name, "which": roll.which, "count": roll.count}


def _read_roll(text: str) -> _Json:
    line = _Text(text)
    body = _head(line)
    while line.rest:
        if line.take(_BAR) is None:
            line.expect(N_("`|` and what else there is"))
        _segment(body, line)
    if "source" not in body and "again" not in body and "joins" not in body:
        problem = N_("{text!r} does not say what instructs the roll: write `d20 Name of the card`")
        raise NotationError(problem, text=text)
    return body


def _head(text: _Text) -> _Json:
    body: _Json = {}
    link = text.take(_LINK)
    if link is not None:
        body[link[1]] = int(link[2])
    elif text.take(_RANDOM) is not None:
        body["random"] = True
    if text.word("dice"):
        dice = text.quoted()
        body["dice"] = dice if dice is not None else text.expect(N_("dice in quotation marks"))
    else:
        found = text.take(_DICE)
        if found is not None:
            body["dice"] = found[0].replace("D", "d")
    amounts = []
    while (amount := text.take(_AMOUNT)) is not None:
        amounts.append(_number(amount))
    source = None
    if text.rest and _COLON.match(text.text, text.at) is None and _BAR.match(text.text, text.at) is None:
        source = body["source"] = _named(text, body)
    if text.take(_COLON) is not None:
        body["use"] = text.required_text()
    if amounts and source is None:
        text.expect(N_("the name of the card, whose modifiers these are"))
    if amounts:
        body["modifiers"] = [{"source": source, "amount": amount} for amount in amounts]
    return body


def _named(text: _Text, body: _Json) -> str:
    """Return the name of the card that instructs the roll. Raises NotationError if it reads like notation, unquoted."""
    quoted, at = text.rest.startswith('"'), text.at
    name = text.required_text(_SOURCE)
    part = None if quoted else reads_like_notation(name)
    if part is None:
        if not quoted and not _begun(body):
            raise NotationError(
                "“{source}” stands where dice do. They come first, as NdS (2d6: two dice with six sides), `coin`, "
                "`2coin` or `planar`, then a blank and the name of the card",
                source=name,
            )
        return name
    if "dice" in body and instructs(name):
        refusal = N_(
            "“{part}” reads like an instruction, and stands where a name does. What a card does to dice stands at the "
            "end, as here: {example}. A name like that is written in quotation marks: {quoted}"
        )
        raise NotationError(refusal, part=part, example=_BEHIND, quoted=_with_quoted(text, at, name))
    if "dice" in body:
        line = _with_quoted(text, at, name)
        return check_free(name, line, is_line=line != _quote(name))
    if COIN.fullmatch(part):
        raise NotationError(
            "“{part}”: a coin is flipped as `coin Name of the card`, two as `2coin`, and what is called stands behind "
            "it: `| call heads`",
            part=part,
        )
    raise NotationError(
        "“{part}” is not how dice are written. They come first, as NdS (2d6: two dice with six sides), then a blank "
        "and the name; a name that reads like dice or an instruction stands in quotation marks",
        part=part,
    )


def _with_quoted(text: _Text, at: int, name: str) -> str:
    """Return the line with the name quoted; only the quoted name if the line has other errors."""
    quoted = _quote(name)
    behind = text.typed[text.at :]
    line = f"{text.text[:at].rstrip(' ')} {quoted}{' ' if narrow(behind[:1]) == '|' else ''}{behind}"
    return line if _is_read(line) else quoted


def _begun(body: Mapping[str, Any]) -> bool:
    """Return whether an unquoted name can follow, because dice or the roll that it continues came first."""
    return not body.keys().isdisjoint({"dice", "again", "joins"})


_NONE = {"modifiers", "effects", "ignores"}


def _segment(body: _Json, text: _Text) -> None:
    """Parse the text between two bars."""
    word = text.word(*_SEGMENTS)
    if word is not None:
        _SEGMENTS[word](body, text)
    elif _IGNORES.match(text.rest):
        body.setdefault("ignores", []).append(_ignore(text))
    elif _EFFECT.match(text.rest):
        body.setdefault("effects", []).append(_effect(text))
    elif re.match(r"[+\u2212-] *[1-9][0-9]* *:", text.rest):
        body.setdefault("modifiers", []).append(_modifier(text))
    else:
        body.setdefault("table", []).append(_row(text))


def _none(body: _Json, text: _Text) -> None:
    what = text.word(*_NONE)
    if what is None or body.get(what):
        text.expect(N_("`modifiers`, `effects` or `ignores`, of which none are named"))
    body[what] = []


def _doubles(body: _Json, text: _Text) -> None:
    text.colon()
    _once(body, "doubles", text.required_text())


def _call(body: _Json, text: _Text) -> None:
    _once(body, "call", text.word("heads", "tails") or text.expect(N_("`heads` or `tails`")))


def _without(body: _Json, text: _Text) -> None:
    found = text.take(_NUMBERS)
    if found is None:
        text.expect(N_("the numbers of standing effects, with commas"))
    _once(body, "without", [int(number) for number in found[0].split(",")])


_SEGMENTS: Mapping[str, Callable[[_Json, _Text], None]] = {
    "no": _none,
    "store on": lambda body, text: _once(body, "store", text.required_text()),
    "doubles": _doubles,
    "call": _call,
    "without": _without,
}
_IGNORES = re.compile(r"(\+[1-9][0-9]* *(d[1-9][0-9]* *)?)?ignore ")
_EFFECT = re.compile(r"(may|reroll|adjust|exchange)(?=[ ,:])")


def _once(body: _Json, name: str, value: Any) -> None:
    if name in body:
        raise NotationError(N_("{name} stands twice"), name=name)
    body[name] = value


# --- parts of a roll --------------------------------------------------------------------------------------------------


def _modifier(text: _Text) -> _Json:
    amount = text.take(_AMOUNT)
    if amount is None:
        text.expect(N_("a number with a sign: +2 or -1"))
    text.colon()
    return {"source": text.required_text(), "amount": _number(amount)}


def _ignore(text: _Text) -> _Json:
    if text.word("ignore one of each pair"):
        only = _only(text)
        text.colon()
        return {"source": text.required_text(), "which": "pair", **only}
    body: _Json = {}
    extra = text.take(_AMOUNT)
    if extra is not None:
        body["extra"] = _number(extra)
        sides = text.take(re.compile(r"d([1-9][0-9]*)(?= )"))
        if sides is not None:
            body["sides"] = int(sides[1])
    if not text.word("ignore"):
        text.expect(N_("`ignore`"))
    count = text.take(_COUNT)
    if count is not None and int(count[0]) != 1:
        body["count"] = int(count[0])
    which = text.word("lowest", "highest", "any")
    if which is None:
        text.expect(N_("`lowest`, `highest`, `any` or `one of each pair`"))
    body |= _only(text)
    text.colon()
    return {"source": text.required_text(), "which": which, **body}


def _only(text: _Text) -> _Json:
    """Return the member for the kind of dice that an effect is limited to; empty without a limit."""
    return {"only": _kind(text)} if text.word("only") else {}


def _kind(text: _Text) -> str:
    found = text.take(_KIND)
    return found[0].replace("D", "d") if found is not None else text.expect(N_("a kind of dice: d20, planar or coin"))


def _effect(text: _Text) -> _Json:
    body: _Json = {}
    if text.word("may"):
        body["optional"] = True
    kind = text.word("reroll", "adjust", "exchange")
    if kind is None:
        text.expect(N_("`reroll`, `adjust` or `exchange`"))
    body["kind"] = kind
    if kind == "adjust":
        body["amounts"] = _amounts(text)
    if kind == "exchange":
        number = text.take(_INTEGER)
        body["number"] = _number(number) if number is not None else text.expect(N_("a number"))
        body["scope"] = "one"
    while _COLON.match(text.text, text.at) is None:
        _option(body, text)
    text.colon()
    return {"source": text.required_text(), **body}


def _amounts(text: _Text) -> list[int]:
    amounts: list[int] = []
    while True:
        amount = text.take(_AMOUNT)
        if amount is None:
            text.expect(N_("a number with a sign: +2 or -1"))
        amounts.append(_number(amount))
        if text.take(re.compile("/")) is None:
            return amounts


def _option(body: _Json, text: _Text) -> None:
    text.take(re.compile(","))
    word = text.word("each", "one", "any", "once", "only", "cost", "mana")
    match word:
        case "each" | "one" | "any":
            body |= {} if word == "each" else {"scope": word}
        case "once":
            body["once"] = True
        case "only":
            body["only"] = _kind(text)
        case "cost" | "mana":
            quoted = text.quoted()
            plain = None if quoted is not None else text.take(_WORD)
            cost = (
                quoted
                if quoted is not None
                else text.as_typed(plain)
                if plain is not None
                else text.expect(N_("a cost"))
            )
            body["cost" if word == "cost" else "mana_cost"] = cost
        case _:
            text.expect(N_("`each`, `one`, `any`, `once`, `only`, `cost`, `mana` or `: ` and a text"))


_MARKS: Mapping[str, Any] = {"[again]": True, "[may again]": "may", "[no again]": None}
_MARK = re.compile(r"\[(?:again|may again|no again)\]")
_SAYS = (
    (re.compile(r"(you may roll again|振り直してもよい)[.。]?\Z", re.IGNORECASE), "may"),
    (re.compile(r"(roll again|振り直す)[.。]?\Z", re.IGNORECASE), True),
)


def _row(text: _Text) -> _Json:
    quoted = text.quoted()
    found = text.take(_RANGE) if quoted is None else None
    if quoted is None and found is None:
        text.expect(N_("a range of results: 7, 1–9 or 10+"))
    range_ = quoted if quoted is not None else text.as_typed(found).rstrip(BLANKS) if found else ""
    text.colon()
    effect, mark = text.quoted(), None
    if effect is None:
        effect = text.plain()
        mark = next((mark for mark in _MARKS if effect == mark or effect.endswith(" " + mark)), None)
        effect = effect.removesuffix(mark or "").rstrip(BLANKS)
    else:
        found = text.take(_MARK)
        mark = found[0] if found is not None else None
    again = _MARKS[mark] if mark is not None else _says_again(effect)
    return {"range": range_, "effect": effect, **({} if again is None else {"again": again})}


def _says_again(effect: str) -> Any:
    """Return what the words of an effect say about rolling again; None if they do not mention it."""
    return next((again for words, again in _SAYS if words.search(effect)), None)


def _trigger(text: _Text) -> _Json:
    body: _Json = {"what": "trigger"}
    if not text.word("whenever"):
        text.expect(N_("`whenever`"))
    flip = text.word(*_FLIPS)
    if flip is not None:
        whose, body["on"] = _FLIPS[flip]
        text.colon()
        body["source"] = text.required_text()
        return body | ({} if whose == "you" else {"whose": whose})
    who = text.word(*_WHO)
    if who is None:
        text.expect(N_("`you roll`, `an opponent rolls`, `a player rolls` or `you win a coin flip`"))
    on = text.word(*_WHAT)
    if on is not None:
        body["on"] = _WHAT[on]
    else:
        if not text.word("a"):
            text.expect(N_("`one or more dice`, `a die`, `a die's highest natural result`, `a 20` or `a natural 20`"))
        body["on"] = "natural" if text.word("natural") else "result"
        quoted = text.quoted()
        found = text.take(_TRIGGER_RANGE) if quoted is None else None
        if quoted is None and found is None:
            text.expect(N_("a range of results: 7, 1–9, 10+ or 3 or less"))
        body["range"] = quoted if quoted is not None else text.as_typed(found).rstrip(BLANKS) if found else ""
    text.colon()
    body["source"] = text.required_text()
    return body | ({} if _WHO[who] == "you" else {"whose": _WHO[who]})


_WHO = {"you roll": "you", "an opponent rolls": "opponents", "a player rolls": "any"}
_FLIPS = {
    " ".join((who, word + end, "a", "coin", "flip")): (whose, on)
    for who, end, whose in (("you", "", "you"), ("an opponent", "s", "opponents"), ("a player", "s", "any"))
    for word, on in (("win", "won"), ("lose", "lost"))
}
_WHAT = {"one or more dice": "rolled", "a die's highest natural result": "highest", "a die": "die"}


def _standing(text: _Text) -> _Json:
    body: _Json = {"what": "standing"}
    if _IGNORES.match(text.rest):
        body["ignore"] = _ignore(text)
    elif _EFFECT.match(text.rest):
        body["effect"] = _effect(text)
    else:
        text.expect(N_("`ignore …`, `+1 ignore …`, `reroll`, `adjust` or `exchange`"))
    while text.take(_BAR) is not None:
        whose = text.word(*_WHOSE)
        if whose is not None:
            _once(body, "whose", _WHOSE[whose])
        elif text.word("on"):
            found = text.take(_ID)
            _once(body, "permanent", found[0] if found is not None else text.expect(N_("the id of a permanent")))
        else:
            text.expect(N_("`opponents`, `any player` or `on` and the id of a permanent"))
    return body


_WHOSE = {"opponents": "opponents", "any player": "any"}
_ID = re.compile(r"[a-z0-9._-]+")


def _permanent(text: _Text) -> _Json:
    found = text.take(_ID)
    if found is None:
        text.expect(N_("a short id: a to z, 0 to 9, dot, underscore and hyphen"))
    text.colon()
    return {"what": "permanent", "permanent": found[0], "name": text.required_text()}


# --- writing ----------------------------------------------------------------------------------------------------------


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _plain(text: str) -> str:
    """Return the text as it is, or quoted if it could be misread."""
    read = narrow(text)
    odd = not text or read != read.strip(" ") or read.startswith('"') or _BAR.search(read)
    return _quote(text) if odd else text


def _write_roll(body: Mapping[str, Any]) -> str:
    head = [f"{link} {body[link]}" for link in ("again", "joins") if link in body]
    head += ["random"] if body.get("random") else []
    if "dice" in body:
        dice = str(body["dice"])
        head.append(dice if _DICE.fullmatch(dice) and "D" not in dice else f"dice {_quote(dice)}")
    source = body.get("source")
    modifiers = list(body.get("modifiers", ()))
    own = 0
    while own < len(modifiers) and modifiers[own]["source"] == source:
        head.append(f"{modifiers[own]['amount']:+d}")
        own += 1
    if source is not None:
        head.append(_head_text(body))
    line = " ".join(head) + (f": {_plain(body['use'])}" if "use" in body else "")
    segments = [line]
    segments += [f"no {name}" for name in ("modifiers", "effects", "ignores") if body.get(name) == []]
    segments += [_write_modifier(one) for one in modifiers[own:]]
    segments += [_write_effect(one) for one in body.get("effects", ())]
    segments += [_write_ignore(one) for one in body.get("ignores", ())]
    segments += [_write_row(one) for one in body.get("table", ())]
    segments += [f"doubles: {_plain(body['doubles'])}"] if "doubles" in body else []
    segments += [f"store on {body['store']}"] if "store" in body else []
    segments += [f"call {body['call']}"] if "call" in body else []
    segments += [f"without {', '.join(map(str, body['without']))}"] if "without" in body else []
    return " | ".join(segments)


def _head_text(body: Mapping[str, Any]) -> str:
    source: str = body["source"]
    read = narrow(source)
    begins = (
        not _begun(body)
        or any(pattern.match(read) for pattern in (_LINK, _RANDOM, _DICE, _AMOUNT))
        or read.split(" ")[0] == "dice"
    )
    return _quote(source) if begins or _COLON.search(read) or reads_like_notation(source) else _plain(source)


def _write_modifier(one: Mapping[str, Any]) -> str:
    return f"{one['amount']:+d}: {_plain(one['source'])}"


def _write_ignore(one: Mapping[str, Any]) -> str:
    source = _plain(one["source"])
    only = f" only {one['only']}" if "only" in one else ""
    if one["which"] == "pair":
        return f"ignore one of each pair{only}: {source}"
    extra = f"+{one['extra']} " if one.get("extra") else ""
    sides = f"d{one['sides']} " if "sides" in one else ""
    count = f"{one['count']} " if one.get("count", 1) != 1 else ""
    return f"{extra}{sides}ignore {count}{one['which']}{only}: {source}"


def _write_effect(one: Mapping[str, Any]) -> str:
    words = ["may"] if one.get("optional") else []
    words.append(one["kind"])
    if "amounts" in one:
        words.append("/".join(f"{amount:+d}" for amount in one["amounts"]))
    if "number" in one:
        words.append(str(one["number"]))
    elif one.get("scope", "each") != "each":
        words.append(one["scope"])
    words += ["once"] if one.get("once") else []
    words += [f"only {one['only']}"] if "only" in one else []
    words += [f"{word} {_word(one[name])}" for word, name in (("cost", "cost"), ("mana", "mana_cost")) if name in one]
    return f"{' '.join(words)}: {_plain(one['source'])}"


def _word(text: str) -> str:
    return text if _WORD.fullmatch(narrow(text)) else _quote(text)


def _write_row(one: Mapping[str, Any]) -> str:
    again, effect = one.get("again"), one["effect"]
    says = _says_again(effect)
    mark = "" if again == says else next(f" {mark}" for mark, means in _MARKS.items() if means == again)
    words = _quote(effect) if any(effect.endswith(end) for end in _MARKS) else _plain(effect) if effect else ""
    return f"{_write_range(one['range'])}: {words}{mark if words else mark.lstrip(' ')}".rstrip(" ")


def _write_range(text: str, pattern: re.Pattern[str] = _RANGE) -> str:
    return (
        text
        if pattern.fullmatch(narrow(text)) and text == text.strip(BLANKS) and not _DICE.match(text)
        else _quote(text)
    )


def _write_trigger(body: Mapping[str, Any]) -> str:
    whose = body.get("whose", "you")
    flip = next((words for words, means in _FLIPS.items() if means == (whose, body["on"])), None)
    if flip is not None:
        return f"whenever {flip}: {_plain(body['source'])}"
    who = next(words for words, means in _WHO.items() if means == whose)
    what = next((words for words, on in _WHAT.items() if on == body["on"]), None)
    if what is None:
        what = ("a natural " if body["on"] == "natural" else "a ") + _write_range(body["range"], _TRIGGER_RANGE)
    return f"whenever {who} {what}: {_plain(body['source'])}"


def _write_standing(body: Mapping[str, Any]) -> str:
    segments = [_write_ignore(body["ignore"]) if "ignore" in body else _write_effect(body["effect"])]
    segments += [words for words, whose in _WHOSE.items() if whose == body.get("whose")]
    segments += [f"on {body['permanent']}"] if "permanent" in body else []
    return " | ".join(segments)


def _write_permanent(body: Mapping[str, Any]) -> str:
    return f"{body['permanent']}: {_plain(body['name'])}"


# --- the notations ----------------------------------------------------------------------------------------------------


def _whole(parse: Callable[[_Text], _Json]) -> Callable[[str], _Json]:
    def parsed(text: str) -> _Json:
        read = _Text(text)
        body = parse(read)
        read.end()
        return body

    return parsed


NOTATIONS: Mapping[Any, Notation] = {
    b.RollBody: Notation(
        "roll", "d20 Delina, Wild Mage | 1–14: one token | 15–20: You may roll again.", _parse_roll, _write_roll
    ),
    b.Modifier: Notation("modifier", "+2: the instruction", _whole(_modifier), _write_modifier),
    b.Effect: Notation("effect", "may reroll one, mana {1}: Monitor Monitor", _whole(_effect), _write_effect),
    b.Ignores: Notation("ignore", "+1 ignore lowest: Pixie Guide", _whole(_ignore), _write_ignore),
    b.Row: Notation("row", "15–20: Draw a card. You may roll again.", _whole(_row), _write_row),
    b.DeclareTrigger: Notation(
        "trigger", "whenever you roll one or more dice: Brazen Dwarf", _whole(_trigger), _write_trigger
    ),
    b.DeclareStanding: Notation("standing", "+1 ignore lowest: Pixie Guide", _whole(_standing), _write_standing),
    b.DeclarePermanent: Notation("permanent", "centaur: Centaur of Attention", _whole(_permanent), _write_permanent),
}
"""schema → notation"""
