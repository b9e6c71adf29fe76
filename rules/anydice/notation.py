"""How people write a roll, a row and an item on one line (specs/dice-1.md, "On one line")."""

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from rules.anydice.bodies import Item, RollBody, Row
from rules.anydice.grammar import read_dice
from rules.base import Notation, NotationError
from rules.language import N_, Message

__all__ = ["NOTATIONS"]

_INT = r"(-?(?:0|[1-9][0-9]*))"
_ANSWER = re.compile(r"call +([1-9][0-9]*)(?: *: *(.*))?", re.ASCII)
_DRAW = re.compile(r"draw(?: +([1-9][0-9]*))? +from +([a-z0-9._-]{1,40})(?: +for +(.*))?", re.ASCII)
_VS = re.compile(rf" +vs +{_INT}(?= |\||$)", re.ASCII)
_UNDER = re.compile(rf" +under +{_INT}(?= |\||$)", re.ASCII)
_FOR = re.compile(r" +for +")
_ROW = re.compile(r" *\| *")
_RANGE = re.compile(rf"({_INT}(?:[–—-]{_INT}|[+-])?) +", re.ASCII)
_ITEM = re.compile(r"([1-9][0-9]*) +(?=.)", re.ASCII)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_PLAIN = re.compile(r"[^|]*[^| ]")


def _read_roll(text: str) -> dict[str, Any]:
    text = text.strip(" ")
    if text.startswith("call ") and (match := _ANSWER.fullmatch(text)):
        answered = {"dice": _whole(match[2])} if match[2] is not None else {}
        return {"call": int(match[1]), **answered}
    if text.startswith("draw") and (match := _DRAW.fullmatch(text)):
        count = {"draw": int(match[1])} if match[1] else {}
        return {"deck": match[2], **count, **({"source": _only_words(match[3])} if match[3] else {})}
    if text.startswith(("call", "draw")):
        raise NotationError("“{text}” is no roll: write {examples}", text=text[:60], examples=_FORMS)
    return _read_rolled(text)


_FORMS = "4d6kh3 + 2 for Strength, call 4: d20+3, draw 2 from initiative"


def _whole(text: str) -> str:
    found, end = read_dice(text)
    if end < len(text):
        _fail(text, end, Message("the dice end here, and nothing comes after them"))
    return found.text


def _read_rolled(text: str) -> dict[str, Any]:
    found, at = read_dice(text)
    body: dict[str, Any] = {"dice": found.text}
    for name, pattern in (("least", _VS), ("most", _UNDER)):
        if match := pattern.match(text, at):
            body[name], at = int(match[1]), match.end()
    if match := _FOR.match(text, at):
        body["source"], at = _words(text, match.end())
    rows = []
    while match := _ROW.match(text, at):
        row, at = _row(text, match.end())
        rows.append(row)
    if at < len(text):
        right = Message(
            "{examples} or the end would be right", examples="+ 2, vs 15, under 45, for Strength, | 10+ done"
        )
        _fail(text, at, right)
    return body | ({"table": rows} if rows else {})


def _row(text: str, at: int) -> tuple[dict[str, Any], int]:
    match = _RANGE.match(text, at)
    if match is None:
        _fail(text, at, Message("a row is a range and what comes of it: {example}", example="7-9 at a cost"))
    effect, at = _words(text, match.end())
    return {"range": match[1], "effect": effect}, at


def _words(text: str, at: int) -> tuple[str, int]:
    """Words from a place on, and where they end."""
    if match := _QUOTED.match(text, at):
        try:
            words = json.loads(match[0])
        except ValueError:
            _fail(text, at, Message("a text in quotation marks is written as in JSON"))
        return str(words), match.end()
    match = _PLAIN.match(text, at)
    if match is None or text.startswith('"', at):
        _fail(text, at, Message("some words would be right"))
    return match[0], match.end()


def _only_words(text: str) -> str:
    words, end = _words(text, 0)
    if end < len(text):
        _fail(text, end, Message("the end would be right"))
    return words


def _fail(text: str, at: int, right: Message) -> NoReturn:
    told = N_("“{text}” is not understood from character {place} on, “{rest}”: {right}")
    raise NotationError(told, text=text[:60], place=at + 1, rest=text[at : at + 20], right=right)


def _write_roll(body: Mapping[str, Any]) -> str:
    if "call" in body:
        return f"call {body['call']}" + (f": {body['dice']}" if "dice" in body else "")
    source = f" for {_written(body['source'])}" if "source" in body else ""
    if "deck" in body:
        count = f" {body['draw']}" if "draw" in body else ""
        return f"draw{count} from {body['deck']}{source}"
    target = "".join(f" {word} {body[name]}" for name, word in (("least", "vs"), ("most", "under")) if name in body)
    return f"{body['dice']}{target}{source}" + "".join(f" | {_write_row(row)}" for row in body.get("table", ()))


def _written(words: str, *, digits: bool = True) -> str:
    plain = _PLAIN.fullmatch(words) and words[0] not in ' "' and (digits or not words[0].isdigit())
    return words if plain else json.dumps(words, ensure_ascii=False)


def _read_row(text: str) -> dict[str, Any]:
    row, end = _row(text, 0)
    if end < len(text):
        _fail(text, end, Message("the end would be right"))
    return row


def _write_row(row: Mapping[str, Any]) -> str:
    return f"{row['range']} {_written(row['effect'])}"


def _read_item(text: str) -> dict[str, Any]:
    match = _ITEM.match(text)
    words = _only_words(text[match.end() :] if match else text)
    return {"item": words, **({"count": int(match[1])} if match else {})}


def _write_item(item: Mapping[str, Any]) -> str:
    count = f"{item['count']} " if "count" in item else ""
    return count + _written(item["item"], digits=False)


NOTATIONS: Mapping[Any, Notation] = {
    RollBody: Notation("roll", "4d6kh3 + 2 for Strength", _read_roll, _write_roll),
    Row: Notation("row", "7-9 at a cost", _read_row, _write_row),
    Item: Notation("item", "2 Joker", _read_item, _write_item),
}
