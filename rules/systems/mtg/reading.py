"""Read one-line notations of rolls, effects and triggers into bodies (specs/mtg.md, "Notation")."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from rules.base import NotationError
from rules.common.free_text import BLANKS, COIN, check_free, instructs, narrow, reads_like_notation
from rules.data.language import N_
from rules.systems.mtg.grammar import (
    AMOUNT,
    BAR,
    COLON,
    DICE,
    FLIPS,
    LINK,
    MARKS,
    RANDOM,
    RANGE,
    TRIGGER_RANGE,
    WHAT,
    WHO,
    WHOSE,
    WORD,
    Json,
    LineParser,
    is_begun,
    quote,
    says_again,
    signed_number,
)

__all__ = [
    "is_readable",
    "read_effect",
    "read_ignore",
    "read_modifier",
    "read_permanent",
    "read_roll",
    "read_row",
    "read_standing",
    "read_trigger",
]

_COUNT = re.compile(r"[1-9][0-9]*(?![0-9])")
_EFFECT = re.compile(r"(may|reroll|adjust|exchange)(?=[ ,:])")
_ID = re.compile(r"[a-z0-9._-]+")
_IGNORES = re.compile(r"(\+[1-9][0-9]* *(d[1-9][0-9]* *)?)?ignore ")
_INTEGER = re.compile(r"([+\u2212-])?(0|[1-9][0-9]*)(?![0-9])")
_KIND = re.compile(r"[dD][1-9][0-9]*|planar|coin", re.ASCII)
_MARK = re.compile(r"\[(?:again|may again|no again)\]")
_NUMBERS = re.compile(r"[1-9][0-9]*(?: *, *[1-9][0-9]*)*(?= *(?:$|\|))")
_SOURCE = re.compile(r"[^|:]*")


def read_roll(text: str) -> Json:
    """Return the body of a roll. Raises NotationError if the line is not in this notation."""
    line = LineParser(text)
    body = _head(line)
    while line.rest:
        if line.take(BAR) is None:
            line.expect(N_("`|` and what else there is"))
        _segment(body, line)
    if "source" not in body and "again" not in body and "joins" not in body:
        problem = N_("{text!r} does not say what instructs the roll: write `d20 Name of the card`")
        raise NotationError(problem, text=text)
    return body


def is_readable(line: str) -> bool:
    """Return whether a line is a roll in this notation."""
    try:
        read_roll(line)
    except NotationError:
        return False
    return True


def _head(text: LineParser) -> Json:
    body: Json = {}
    link = text.take(LINK)
    if link is not None:
        body[link[1]] = int(link[2])
    elif text.take(RANDOM) is not None:
        body["random"] = True
    if text.word("dice"):
        dice = text.quoted()
        body["dice"] = dice if dice is not None else text.expect(N_("dice in quotation marks"))
    else:
        found = text.take(DICE)
        if found is not None:
            body["dice"] = found[0].replace("D", "d")
    amounts = []
    while (amount := text.take(AMOUNT)) is not None:
        amounts.append(signed_number(amount))
    source = None
    if text.rest and COLON.match(text.text, text.at) is None and BAR.match(text.text, text.at) is None:
        source = body["source"] = _named(text, body)
    if text.take(COLON) is not None:
        body["use"] = text.required_text()
    if amounts and source is None:
        text.expect(N_("the name of the card, whose modifiers these are"))
    if amounts:
        body["modifiers"] = [{"source": source, "amount": amount} for amount in amounts]
    return body


_BEHIND = "| +1 ignore lowest: Pixie Guide"


def _named(text: LineParser, body: Json) -> str:
    """Return the name of the card that instructs the roll. Raises NotationError if it reads like notation, unquoted."""
    quoted, at = text.rest.startswith('"'), text.at
    name = text.required_text(_SOURCE)
    part = None if quoted else reads_like_notation(name)
    if part is None:
        if not quoted and not is_begun(body):
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
        return check_free(name, line, is_line=line != quote(name))
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


def _with_quoted(text: LineParser, at: int, name: str) -> str:
    """Return the line with the name quoted; only the quoted name if the line has other errors."""
    quoted = quote(name)
    behind = text.typed[text.at :]
    line = f"{text.text[:at].rstrip(' ')} {quoted}{' ' if narrow(behind[:1]) == '|' else ''}{behind}"
    return line if is_readable(line) else quoted


_NONE = {"modifiers", "effects", "ignores"}


def _segment(body: Json, text: LineParser) -> None:
    """Parse the text between two bars."""
    word = text.word(*_SEGMENTS)
    if word is not None:
        _SEGMENTS[word](body, text)
    elif _IGNORES.match(text.rest):
        body.setdefault("ignores", []).append(read_ignore(text))
    elif _EFFECT.match(text.rest):
        body.setdefault("effects", []).append(read_effect(text))
    elif re.match(r"[+\u2212-] *[1-9][0-9]* *:", text.rest):
        body.setdefault("modifiers", []).append(read_modifier(text))
    else:
        body.setdefault("table", []).append(read_row(text))


def _none(body: Json, text: LineParser) -> None:
    what = text.word(*_NONE)
    if what is None or body.get(what):
        text.expect(N_("`modifiers`, `effects` or `ignores`, of which none are named"))
    body[what] = []


def _doubles(body: Json, text: LineParser) -> None:
    text.colon()
    _once(body, "doubles", text.required_text())


def _call(body: Json, text: LineParser) -> None:
    _once(body, "call", text.word("heads", "tails") or text.expect(N_("`heads` or `tails`")))


def _without(body: Json, text: LineParser) -> None:
    found = text.take(_NUMBERS)
    if found is None:
        text.expect(N_("the numbers of standing effects, with commas"))
    _once(body, "without", [int(number) for number in found[0].split(",")])


_SEGMENTS: Mapping[str, Callable[[Json, LineParser], None]] = {
    "no": _none,
    "store on": lambda body, text: _once(body, "store", text.required_text()),
    "doubles": _doubles,
    "call": _call,
    "without": _without,
}


def _once(body: Json, name: str, value: Any) -> None:
    if name in body:
        raise NotationError(N_("{name} stands twice"), name=name)
    body[name] = value


# --- parts of a roll --------------------------------------------------------------------------------------------------


def read_modifier(text: LineParser) -> Json:
    """Parse `+2: source`."""
    amount = text.take(AMOUNT)
    if amount is None:
        text.expect(N_("a number with a sign: +2 or -1"))
    text.colon()
    return {"source": text.required_text(), "amount": signed_number(amount)}


def read_ignore(text: LineParser) -> Json:
    """Parse `+1 d20 ignore 2 lowest only d20: source`, or `ignore one of each pair: source`."""
    if text.word("ignore one of each pair"):
        only = _only(text)
        text.colon()
        return {"source": text.required_text(), "which": "pair", **only}
    body: Json = {}
    extra = text.take(AMOUNT)
    if extra is not None:
        body["extra"] = signed_number(extra)
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


def _only(text: LineParser) -> Json:
    """Return the member for the kind of dice that an effect is limited to; empty without a limit."""
    return {"only": _kind(text)} if text.word("only") else {}


def _kind(text: LineParser) -> str:
    found = text.take(_KIND)
    return found[0].replace("D", "d") if found is not None else text.expect(N_("a kind of dice: d20, planar or coin"))


def read_effect(text: LineParser) -> Json:
    """Parse `may reroll one once only d20, mana {1}: source`."""
    body: Json = {}
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
        body["number"] = signed_number(number) if number is not None else text.expect(N_("a number"))
        body["scope"] = "one"
    while COLON.match(text.text, text.at) is None:
        _option(body, text)
    text.colon()
    return {"source": text.required_text(), **body}


def _amounts(text: LineParser) -> list[int]:
    amounts: list[int] = []
    while True:
        amount = text.take(AMOUNT)
        if amount is None:
            text.expect(N_("a number with a sign: +2 or -1"))
        amounts.append(signed_number(amount))
        if text.take(re.compile("/")) is None:
            return amounts


def _option(body: Json, text: LineParser) -> None:
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
            plain = None if quoted is not None else text.take(WORD)
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


def read_row(text: LineParser) -> Json:
    """Parse `range: effect` with a mark for rolling again; without a mark, the words of the effect decide."""
    quoted = text.quoted()
    found = text.take(RANGE) if quoted is None else None
    if quoted is None and found is None:
        text.expect(N_("a range of results: 7, 1–9 or 10+"))
    range_ = quoted if quoted is not None else text.as_typed(found).rstrip(BLANKS) if found else ""
    text.colon()
    effect, mark = text.quoted(), None
    if effect is None:
        effect = text.plain()
        mark = next((mark for mark in MARKS if effect == mark or effect.endswith(" " + mark)), None)
        effect = effect.removesuffix(mark or "").rstrip(BLANKS)
    else:
        found = text.take(_MARK)
        mark = found[0] if found is not None else None
    again = MARKS[mark] if mark is not None else says_again(effect)
    return {"range": range_, "effect": effect, **({} if again is None else {"again": again})}


# --- triggers, standing effects and permanents ------------------------------------------------------------------------


def read_trigger(text: LineParser) -> Json:
    """Parse `whenever you roll a natural 20: source`."""
    body: Json = {"what": "trigger"}
    if not text.word("whenever"):
        text.expect(N_("`whenever`"))
    flip = text.word(*FLIPS)
    if flip is not None:
        whose, body["on"] = FLIPS[flip]
        text.colon()
        body["source"] = text.required_text()
        return body | ({} if whose == "you" else {"whose": whose})
    who = text.word(*WHO)
    if who is None:
        text.expect(N_("`you roll`, `an opponent rolls`, `a player rolls` or `you win a coin flip`"))
    on = text.word(*WHAT)
    if on is not None:
        body["on"] = WHAT[on]
    else:
        if not text.word("a"):
            text.expect(N_("`one or more dice`, `a die`, `a die's highest natural result`, `a 20` or `a natural 20`"))
        body["on"] = "natural" if text.word("natural") else "result"
        quoted = text.quoted()
        found = text.take(TRIGGER_RANGE) if quoted is None else None
        if quoted is None and found is None:
            text.expect(N_("a range of results: 7, 1–9, 10+ or 3 or less"))
        body["range"] = quoted if quoted is not None else text.as_typed(found).rstrip(BLANKS) if found else ""
    text.colon()
    body["source"] = text.required_text()
    return body | ({} if WHO[who] == "you" else {"whose": WHO[who]})


def read_standing(text: LineParser) -> Json:
    """Parse an effect that stays, with whose rolls it is for and the permanent that has it."""
    body: Json = {"what": "standing"}
    if _IGNORES.match(text.rest):
        body["ignore"] = read_ignore(text)
    elif _EFFECT.match(text.rest):
        body["effect"] = read_effect(text)
    else:
        text.expect(N_("`ignore …`, `+1 ignore …`, `reroll`, `adjust` or `exchange`"))
    while text.take(BAR) is not None:
        whose = text.word(*WHOSE)
        if whose is not None:
            _once(body, "whose", WHOSE[whose])
        elif text.word("on"):
            found = text.take(_ID)
            _once(body, "permanent", found[0] if found is not None else text.expect(N_("the id of a permanent")))
        else:
            text.expect(N_("`opponents`, `any player` or `on` and the id of a permanent"))
    return body


def read_permanent(text: LineParser) -> Json:
    """Parse `id: name`."""
    found = text.take(_ID)
    if found is None:
        text.expect(N_("a short id: a to z, 0 to 9, dot, underscore and hyphen"))
    text.colon()
    return {"what": "permanent", "permanent": found[0], "name": text.required_text()}
