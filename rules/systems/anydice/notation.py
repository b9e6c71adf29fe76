"""One-line notations of rolls, calls, decks, rows and items (specs/dice-1.md, "On one line")."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from rules.base import Notation, NotationError
from rules.common.free_text import BLANKS, TypedLine, check_free, narrow, reads_like_notation
from rules.data.language import N_, Message
from rules.systems.anydice.bodies import (
    DeclareCall,
    DeclareCards,
    DeclareDeck,
    DeclarePlay,
    DeclareReturn,
    Item,
    RollBody,
    Row,
)
from rules.systems.anydice.cards import CARDS
from rules.systems.anydice.dialects import pointless, remarks, rewritten
from rules.systems.anydice.grammar import parse, read_dice
from rules.systems.anydice.problems import BLANK_COMPARISON, right

__all__ = ["NOTATIONS"]

_INT = r"(-?(?:0|[1-9][0-9]*))"
_ANSWER = re.compile(r"call +([1-9][0-9]*)(?: *: *(.*))?", re.ASCII)
_DRAW = re.compile(
    r"draw(?: +([1-9][0-9]*))? +from +([a-z0-9._-]{1,40})( +to +hand)?(?:(?: +for +| *#+ *)(.*))?", re.ASCII
)
_VS = re.compile(rf" +vs +{_INT}(?= |\||$)", re.ASCII)
_UNDER = re.compile(rf" +under +{_INT}(?= |\||$)", re.ASCII)
_FOR = re.compile(r" +for +| *#+ *")
_ROW = re.compile(r" *\| *")
_RANGE = re.compile(rf"({_INT}(?:[–—-]{_INT}|[+-])?) +", re.ASCII)
_ITEM = re.compile(r"([1-9][0-9]*) +(?=.)", re.ASCII)
_NAME = r"[a-z0-9][a-z0-9._-]{0,31}"
_CALLED = re.compile(rf"({_NAME}(?: *, *{_NAME})*) *: *", re.ASCII)
_OF_DECK = re.compile(r"([a-z0-9._-]{1,40}) *: *", re.ASCII)
_BETWEEN = re.compile(r" *[,\n] *")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_PLAIN = re.compile(r"[^|]*[^| ]")
_PLAIN_ITEM = re.compile(r"[^|,\n]*[^|,\n ]")


def _read_roll(typed: str) -> dict[str, Any]:
    text = TypedLine(typed.strip(BLANKS))
    try:
        return _read_line(text)
    except NotationError as problem:
        line = next(filter(_is_read, (*rewritten(text), *problem.lines)), None)
        raise (problem.offering() if line is None else problem.offering(line)) from None


def _is_read(line: str) -> bool:
    try:
        _read_line(TypedLine(line))
    except NotationError:
        return False
    return True


def _read_line(text: TypedLine) -> dict[str, Any]:
    if text.startswith("call ") and (match := _ANSWER.fullmatch(text)):
        answered = {"dice": _whole(match[2])} if match[2] is not None else {}
        return {"call": int(match[1]), **answered}
    if text.startswith("draw") and (match := _DRAW.fullmatch(text)):
        count = {"draw": int(match[1])} if match[1] else {}
        hand = {"hand": True} if match[3] else {}
        return {
            "deck": match[2],
            **count,
            **hand,
            **({"source": _purpose(text, match.start(4), is_line=True)[0]} if match[4] else {}),
        }
    if text.startswith(("call", "draw")):
        raise NotationError("“{text}” is no roll: write {examples}", text=text[:60], examples=_FORMS)
    return _read_rolled(text)


_FORMS = "4d6kh3 + 2 for Strength, call 4: d20+3, draw 2 from initiative"


def _whole(typed: str) -> str:
    text = TypedLine(typed)
    dice, end = _dice(text, 0)
    if end < len(text):
        _fail(text, end, Message("the dice end here, and nothing comes after them"))
    return dice


def _dice(text: TypedLine, at: int) -> tuple[str, int]:
    """Return the dice at a place, and where they end. Raises NotationError for pointless dice, unless
    they are quoted.
    """
    if text.startswith('"', at):
        dice, end = _words(text, at)
        return parse(dice).text, end
    found, end = read_dice(text[at:])
    line = pointless(found.text)
    if line is None:
        return found.text, at + end
    quoted = json.dumps(found.text)
    if not line:
        refusal = N_(
            "in “{dice}” either every face counts or none does. "
            "To roll it as it stands, write it in quotation marks: {quoted}"
        )
        raise NotationError(refusal, dice=found.text, quoted=quoted)
    refusal = N_("“{dice}” probably means {line}. To roll it as it stands, write it in quotation marks: {quoted}")
    raise NotationError(refusal, dice=found.text, line=line, quoted=quoted)


def _written_dice(dice: str) -> str:
    return dice if pointless(dice) is None else json.dumps(dice, ensure_ascii=False)


def _target(text: str, at: int) -> tuple[dict[str, Any], int]:
    target: dict[str, Any] = {}
    for name, pattern in (("least", _VS), ("most", _UNDER)):
        if match := pattern.match(text, at):
            target[name], at = int(match[1]), match.end()
    return target, at


def _read_rolled(text: TypedLine) -> dict[str, Any]:
    dice, at = _dice(text, 0)
    target, at = _target(text, at)
    body: dict[str, Any] = {"dice": dice, **target}
    if match := _FOR.match(text, at):
        body["source"], at = _purpose(text, match.end(), dice, is_line=True)
    rows = []
    while match := _ROW.match(text, at):
        row, at = _row(text, match.end())
        rows.append(row)
    if at < len(text):
        found = _OPERATOR.match(text, at)
        _fail(text, at, right(text, at if BLANK_COMPARISON.match(text, at) else found.start(1)) if found else _FREE)
    return body | ({"table": rows} if rows else {})


_OPERATOR = re.compile(r" *([-+*/%^.,;×÷−<>=]|x *[0-9]|i?[ekrt]-?[0-9]|[kd][hl])")
_FREE = Message("{examples} or the end would be right", examples="+ 2, vs 15, under 45, for Strength, | 10+ done")


def _purpose(text: TypedLine, at: int, dice: str = "", *, is_line: bool = False) -> tuple[str, int]:
    """Return the purpose of a roll, and where it ends. Raises NotationError if it reads like notation, is not quoted
    and does not repeat what is added to the dice. `is_line`: `text` is all that was typed.
    """
    words, end = _words(text, at)
    if text[at - 1] == "#" and _is_dice(words):
        _fail(text, at, Message("dice stand there: how often all of it is rolled comes first, 3x 2d6"))
    if not text.startswith('"', at) and not _repeats(words, dice):
        check_free(words, text[:at] + json.dumps(words, ensure_ascii=False) + text[end:], is_line=is_line)
    return words, end


_ADDED = re.compile(r"(?<![<>=])([+\u2212-]) *([0-9]+)\Z", re.ASCII)


def _repeats(words: str, dice: str) -> bool:
    """Return whether the only notation in a purpose is what the dice end with: `+7` of `d20+7 for Longsword +7`."""
    named, added = _ADDED.search(narrow(words)), _ADDED.search(dice)
    if named is None or added is None or named[2] != added[2] or ("+" in named[1]) != ("+" in added[1]):
        return False
    before = words[: named.start()].strip(BLANKS)
    return bool(before) and reads_like_notation(before) is None


def _is_dice(words: str) -> bool:
    try:
        parse(words)
    except NotationError:
        return False
    return True


def _row(text: TypedLine, at: int) -> tuple[dict[str, Any], int]:
    match = _RANGE.match(text, at)
    if match is None and text.startswith('"', at):
        range_, at = _words(text, at)
        effect, at = _words(text, at + len(text[at:]) - len(text[at:].lstrip(" ")))
        return {"range": range_, "effect": effect}, at
    if match is None:
        _fail(text, at, Message("a row is a range and what comes of it: {example}", example=NOTATIONS[Row].example))
    effect, at = _words(text, match.end())
    return {"range": match[1], "effect": effect}, at


def _words(text: TypedLine, at: int, plain: re.Pattern[str] = _PLAIN) -> tuple[str, int]:
    """Return the words at a place as they were typed, and where they end."""
    if match := _QUOTED.match(text, at):
        try:
            words = json.loads(f'"{text.typed[match.start() + 1 : match.end() - 1]}"')
        except ValueError:
            _fail(text, at, Message("a text in quotation marks is written as in JSON"))
        return str(words), match.end()
    match = plain.match(text, at)
    if match is None or text.startswith('"', at):
        _fail(text, at, Message("some words would be right"))
    return text.typed[match.start() : match.end()], match.end()


def _only_words(text: TypedLine, at: int = 0) -> str:
    words, end = _words(text, at)
    if end < len(text):
        _fail(text, end, Message("the end would be right"))
    return words


def _fail(text: str, at: int, right: Message) -> NoReturn:
    refusal = N_("“{text}” is not understood from character {place} on, “{rest}”: {right}")
    raise NotationError(refusal, text=text[:60], place=at + 1, rest=text[at : at + 20], right=right)


# --- declarations ---------------------------------------------------------------------------------------------------


def _read_call(typed: str) -> dict[str, Any]:
    text = TypedLine(typed.strip(BLANKS))
    body: dict[str, Any] = {}
    at = 0
    if match := _CALLED.match(text):
        body["parties"], at = re.split(" *, *", match[1]), match.end()
    # The patterns expect a blank first, as there is behind dice.
    rest = TypedLine(" " + text.typed[at:])
    if any(pattern.match(rest) for pattern in (_VS, _UNDER, _FOR)):
        place = 0
    else:
        body["dice"], place = _dice(text, at)
        place += 1 - at
    target, place = _target(rest, place)
    match = _FOR.match(rest, place)
    if match is None:
        _fail(text, at + place - 1, Message("for, and what the roll is for, would be right: {example}", example=_CALL))
    body["source"], end = _purpose(rest, match.end(), body.get("dice", ""))
    if end < len(rest):
        _fail(text, at + end - 1, Message("the end would be right"))
    return {**body, **target}


_CALL = "d20 vs 15 for Dexterity save"


def _write_call(body: Mapping[str, Any]) -> str:
    whom = ", ".join(body.get("parties", ())) + ": " if "parties" in body else ""
    before, source = (
        f"{_written_dice(body['dice']) if 'dice' in body else ''}{_written_target(body)} for ".lstrip(" "),
        str(body["source"]),
    )
    line = before + _written_purpose(source)
    return whom + (line if whom or not _CALLED.match(line) else before + json.dumps(source, ensure_ascii=False))


_T = TypeVar("_T")


def _items(text: TypedLine, at: int, read: Callable[[TypedLine, int, re.Pattern[str]], tuple[_T, int]]) -> list[_T]:
    """Parse items separated by commas up to the end of the line. Raises NotationError."""
    items = []
    while True:
        item, at = read(text, at, _PLAIN_ITEM)
        items.append(item)
        if not (match := _BETWEEN.match(text, at)):
            break
        at = match.end()
    if at < len(text):
        _fail(text, at, Message("a comma and a further item, or the end, would be right"))
    return items


def _read_deck(typed: str) -> dict[str, Any]:
    text = TypedLine(typed.rstrip(f"{BLANKS}\n"))
    id_, at = _deck_of(text, "initiative: 2 Joker, King of Spades")
    items = _items(text, at, _item)
    if len(items) == 1 and _READY.fullmatch(text[len(id_) :].lower()):
        refusal = N_(
            "ready-made cards are declared as cards, not as a deck; there one of these would be right: {examples}"
        )
        raise NotationError(refusal, examples=", ".join(f"{id_}: {cards}" for cards in CARDS))
    return {"deck": id_, "items": items}


_READY = re.compile(r" *: *(?:52|54|78|tarot|(?:(?:52|54|78) +)?(?:standard |playing |tarot )?(?:cards?|deck))")


def _write_deck(body: Mapping[str, Any]) -> str:
    return f"{body['deck']}: " + ", ".join(_write_item(item, _PLAIN_ITEM) for item in body["items"])


def _read_cards(typed: str) -> dict[str, Any]:
    text = TypedLine(typed.strip(BLANKS))
    id_, at = _deck_of(text, "poker: 52")
    if text[at:] not in CARDS:
        _fail(text, at, Message("one of these would be right: {cards}", cards=", ".join(CARDS)))
    return {"deck": id_, "cards": text[at:]}


def _write_cards(body: Mapping[str, Any]) -> str:
    return f"{body['deck']}: {body['cards']}"


def _read_play(typed: str) -> dict[str, Any]:
    text = TypedLine(typed.rstrip(f"{BLANKS}\n"))
    id_, at = _deck_of(text, "poker: Ace of Spades, Two of Clubs")
    items = _items(text, at, _words)
    return {"deck": id_, "items": items}


def _write_play(body: Mapping[str, Any]) -> str:
    return f"{body['deck']}: " + ", ".join(_written(item, pattern=_PLAIN_ITEM) for item in body["items"])


def _read_return(typed: str) -> dict[str, Any]:
    text = TypedLine(typed)
    id_, at = _deck_of(text, "initiative: King of Spades")
    return {"deck": id_, "item": _only_words(text, at)}


def _deck_of(text: str, example: str) -> tuple[str, int]:
    match = _OF_DECK.match(text)
    if match is None:
        _fail(text, 0, Message("the deck's short name and a colon would be right: {example}", example=example))
    return match[1], match.end()


def _write_return(body: Mapping[str, Any]) -> str:
    return f"{body['deck']}: {_written(body['item'])}"


# --- writing --------------------------------------------------------------------------------------------------------


def _write_roll(body: Mapping[str, Any]) -> str:
    if "call" in body:
        return f"call {body['call']}" + (f": {_written_dice(body['dice'])}" if "dice" in body else "")
    source = f" for {_written_purpose(body['source'])}" if "source" in body else ""
    if "deck" in body:
        count = f" {body['draw']}" if "draw" in body else ""
        return f"draw{count} from {body['deck']}{' to hand' if 'hand' in body else ''}{source}"
    return f"{_written_dice(body['dice'])}{_written_target(body)}{source}" + "".join(
        f" | {_write_row(row)}" for row in body.get("table", ())
    )


def _remarks(body: Mapping[str, Any]) -> Sequence[Message]:
    return remarks(body["dice"]) if "dice" in body else ()


def _written_purpose(words: str) -> str:
    return json.dumps(words, ensure_ascii=False) if reads_like_notation(words) else _written(words)


def _written_target(body: Mapping[str, Any]) -> str:
    return "".join(f" {word} {body[name]}" for name, word in (("least", "vs"), ("most", "under")) if name in body)


def _written(words: str, *, digits: bool = True, pattern: re.Pattern[str] = _PLAIN) -> str:
    read = narrow(words)
    plain = (
        pattern.fullmatch(read) and read[0] not in ' "' and (digits or not (words[0].isascii() and words[0].isdigit()))
    )
    return words if plain else json.dumps(words, ensure_ascii=False)


def _read_row(typed: str) -> dict[str, Any]:
    text = TypedLine(typed)
    row, end = _row(text, 0)
    if end < len(text):
        _fail(text, end, Message("the end would be right"))
    return row


def _write_row(row: Mapping[str, Any]) -> str:
    range_ = row["range"] if _RANGE.fullmatch(row["range"] + " ") else json.dumps(row["range"], ensure_ascii=False)
    return f"{range_} {_written(row['effect'])}"


def _read_item(typed: str) -> dict[str, Any]:
    text = TypedLine(typed)
    item, end = _item(text, 0, _PLAIN)
    if end < len(text):
        _fail(text, end, Message("the end would be right"))
    return item


def _item(text: TypedLine, at: int, plain: re.Pattern[str]) -> tuple[dict[str, Any], int]:
    match = _ITEM.match(text, at)
    words, end = _words(text, match.end() if match else at, plain)
    return {"item": words, **({"count": int(match[1])} if match else {})}, end


def _write_item(item: Mapping[str, Any], pattern: re.Pattern[str] = _PLAIN) -> str:
    count = f"{item['count']} " if "count" in item else ""
    return count + _written(item["item"], digits=False, pattern=pattern)


NOTATIONS: Mapping[Any, Notation] = {
    RollBody: Notation("roll", "4d6kh3 + 2 for Strength", _read_roll, _write_roll, _remarks),
    Row: Notation("row", "7-9 at a cost", _read_row, _write_row),
    Item: Notation("item", "2 Joker", _read_item, _write_item),
    DeclareCall: Notation("call", _CALL, _read_call, _write_call),
    DeclareDeck: Notation("deck", "initiative: 2 Joker, King of Spades", _read_deck, _write_deck),
    DeclareCards: Notation("cards", "poker: 52", _read_cards, _write_cards),
    DeclarePlay: Notation("play", "poker: Ace of Spades, Two of Clubs", _read_play, _write_play),
    DeclareReturn: Notation("return", "initiative: King of Spades", _read_return, _write_return),
}
