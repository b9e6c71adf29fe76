"""Lists of players and pairings in CSV, exchanged with other tools (specs/guide/event.md).

Columns are found by any of their usual headers. Every problem names its line. A spreadsheet opens every written cell
as text and never as a formula.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ledger.errors import UsageError
from rules.data.bounds import MAX_TEXT
from rules.data.text import TEXT_PATTERN
from verifier.event.acts import MAX_TABLE, Pairing
from verifier.log.bodies import MAX_PLAYERS

__all__ = ["MAX_CSV", "ListProblem", "PairingList", "PlayerRow", "csv_text", "read_pairings", "read_players"]

MAX_CSV = 8_388_608
"""the most bytes of a list"""
MAX_ROWS = 20_000
_MOST_PROBLEMS = 50

_NAME = {"name", "player", "player name", "full name", "participant", "display name", "名前", "氏名", "プレイヤー"}
_FIRST = {"first name", "firstname", "given name", "名"}
_LAST = {"last name", "lastname", "surname", "family name", "姓"}
_NUMBER = {"number", "no", "no.", "#", "id", "player id", "player number", "player no", "番号", "参加者番号"}
_TABLE = {"table", "table number", "table no", "table no.", "tbl", "board", "tisch", "卓", "卓番号", "テーブル"}
_SIDE = re.compile(
    r"(?:player|team|opponent|side|name|プレイヤー|チーム)? ?(?:id|number|name)? ?#?"
    r"([1-8a-h])(?: (?:id|number|no|name))?"
)
_ONE = {"player": 1, "white": 1, "home": 1, "opponent": 2, "black": 2, "away": 2, "対戦相手": 2}
_BYE = {"", "-", "bye", "*bye*", "(bye)", "awarded bye", "none", "不戦勝", "なし"}
_NO_TABLE = _BYE | {"0"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


class ListProblem(Struct, frozen=True):
    """A problem of a list, and its line; line 1 holds the headers."""

    line: int
    problem: str


class PlayerRow(Struct, frozen=True):
    """A player of a list."""

    line: int
    name: str
    number: int | None


class PairingList(Struct, frozen=True):
    """The tables and byes of a list."""

    tables: tuple[Pairing, ...]
    byes: tuple[int, ...]


def read_players(data: bytes, taken: Iterable[int] = ()) -> tuple[list[PlayerRow], list[ListProblem]]:
    """Return the players of a list, each with a number, and the problems of the list.

    A player without a number gets the next free one; numbers in `taken` are given to nobody. Raises UsageError if
    `data` is not a list of players.
    """
    headers, rows = _table(data)
    name, first, last = _column(headers, _NAME), _column(headers, _FIRST), _column(headers, _LAST)
    number = _column(headers, _NUMBER)
    if name is None and (first is None or last is None):
        raise UsageError(f"line 1: no column is a name. The columns are: {', '.join(headers)}")
    found, problems, used = list[PlayerRow](), list[ListProblem](), set(taken)
    for line, cells in rows:
        text = cells[name] if name is not None else f"{cells[first or 0]} {cells[last or 0]}".strip()
        given = cells[number] if number is not None else ""
        problem = _name_problem(text)
        value = int(given) if re.fullmatch("[0-9]{1,4}", given) else None
        if given and (value is None or not 1 <= value <= MAX_PLAYERS):
            problem = f"{given!r} is no number of a player: 1 to {MAX_PLAYERS:,}"
        elif value is not None and value in used:
            problem = f"number {value} is another player's"
        if problem is not None:
            problems.append(ListProblem(line, problem))
            continue
        if value is not None:
            used.add(value)
        found.append(PlayerRow(line, text, value))
    free = (each for each in range(1, MAX_PLAYERS + 1) if each not in used)
    whole = []
    for row in found:
        given_number = row.number if row.number is not None else next(free, None)
        if given_number is None:
            problems.append(ListProblem(row.line, f"there are {MAX_PLAYERS:,} players already"))
            break
        whole.append(PlayerRow(row.line, row.name, given_number))
    if not whole and not problems:
        problems.append(ListProblem(1, "there is no player below the headers"))
    return whole, problems[:_MOST_PROBLEMS]


def read_pairings(data: bytes, names: Mapping[int, str]) -> tuple[PairingList, list[ListProblem]]:
    """Return the pairings of a list, and its problems.

    A player is a number (`17`, `p17`), or a name of `names` that only one player has. Players of one side stand in one
    cell with plus signs between them. A row with one side, or with a bye beside it, is a bye if it has no table. If no
    column is a table, the rows get 1, 2, 3, …. Raises UsageError if `data` is not a list of pairings.
    """
    headers, rows = _table(data)
    table, sides = _column(headers, _TABLE), _sides(headers)
    if not sides:
        raise UsageError(f"line 1: no column is a player. The columns are: {', '.join(headers)}")
    by_name: dict[str, list[int]] = {}
    for number, name in names.items():
        by_name.setdefault(_folded(name), []).append(number)
    tables, byes, problems = list[Pairing](), list[int](), list[ListProblem]()
    seated, used = dict[int, int](), dict[int, int]()
    for line, cells in rows:
        try:
            found = [_side(cells[at], by_name) for at in sides if _folded(cells[at]) not in _BYE]
            _seat(found, seated, line, names)
            text = cells[table] if table is not None else ""
            if not found:
                raise ValueError("no player stands in it")
            if len(found) == 1 and _folded(text) in _NO_TABLE:
                byes += found[0]
                continue
            number = _table_number(text) if table is not None else len(tables) + 1
            if number in used:
                raise ValueError(f"table {number} stands in line {used[number]} too")
            used[number] = line
            tables.append(Pairing(tuple(found), number))
        except ValueError as problem:
            problems.append(ListProblem(line, str(problem)))
    if not tables and not byes and not problems:
        problems.append(ListProblem(1, "there is no pairing below the headers"))
    return PairingList(tuple(tables), tuple(byes)), problems[:_MOST_PROBLEMS]


def csv_text(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a list in CSV for other tools. A text that a spreadsheet would read as a formula gets an apostrophe."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(map(_cell, headers))
    writer.writerows(list(map(_cell, row)) for row in rows)
    return stream.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, int):
        return value
    text = str(value)
    return f"'{text}" if _would_be_formula(text) else text


def _uncovered(cell: str) -> str:
    """Return a cell without the apostrophe that `csv_text` wrote before it."""
    return cell[1:].strip() if cell.startswith("'") and _would_be_formula(cell[1:]) else cell


def _would_be_formula(text: str) -> bool:
    """Return whether a spreadsheet reads a text as a formula, or would without the apostrophes before it."""
    return text.lstrip(" '").startswith(_FORMULA)


def _table(data: bytes) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the headers, and the rows that are not empty with the numbers of their lines. Raises UsageError."""
    if len(data) > MAX_CSV:
        raise UsageError(f"the list has more than {MAX_CSV:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(f"line {line}: it is not in UTF-8. In the other program, save it as CSV UTF-8") from None
    if "\0" in text:
        raise UsageError("it is no list in CSV: there are zero bytes in it")
    first = text.split("\n", 1)[0]
    delimiter = max((",", ";", "\t"), key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows = list[tuple[int, list[str]]]()
    try:
        for cells in reader:
            trimmed = [_uncovered(cell.strip()) for cell in cells]
            if any(trimmed):
                rows.append((reader.line_num, trimmed))
            if len(rows) > MAX_ROWS:
                raise UsageError(f"the list has more than {MAX_ROWS:,} lines")
    except csv.Error as error:
        raise UsageError(f"line {reader.line_num}: it is no CSV: {error}") from None
    if not rows:
        raise UsageError("the list is empty")
    headers = rows[0][1]
    width = len(headers)
    return headers, [(line, [*cells, *[""] * width][:width]) for line, cells in rows[1:]]


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("_", " ").split())


def _column(headers: Sequence[str], names: Iterable[str]) -> int | None:
    known = set(names)
    return next((at for at, header in enumerate(headers) if _folded(header) in known), None)


def _sides(headers: Sequence[str]) -> list[int]:
    """Return the columns of the sides, by their number. A column of numbers is preferred to one of names."""
    found: dict[int, int] = {}
    for at, header in enumerate(headers):
        text = _folded(header)
        matched = _SIDE.fullmatch(text)
        side = _ONE.get(text)
        if matched is not None:
            side = int(matched[1]) if matched[1].isdigit() else ord(matched[1]) - ord("a") + 1
        if side is not None and (side not in found or re.search(r"\b(id|number|no)\b|#", text)):
            found[side] = at
    return [found[side] for side in sorted(found)]


def _side(text: str, by_name: Mapping[str, list[int]]) -> tuple[int, ...]:
    whole = by_name.get(_folded(text))
    parts = [text] if whole is not None else text.split("+")
    if len(parts) > 8:
        raise ValueError(f"a side has at most 8 players, not {len(parts)}")
    return tuple(_player(part.strip(), by_name) for part in parts)


def _player(text: str, by_name: Mapping[str, list[int]]) -> int:
    """Return the number of the player that a cell names. Raises ValueError."""
    matched = re.fullmatch("[pP#]?([0-9]{1,4})", text)
    if matched and 1 <= int(matched[1]) <= MAX_PLAYERS:
        return int(matched[1])
    found = by_name.get(_folded(text), [])
    if len(found) > 1:
        raise ValueError(f"{text!r} is the name of players {', '.join(map(str, found))}: give the number")
    if not found:
        raise ValueError(f"nobody is called {text!r}, and it is no number of a player")
    return found[0]


def _seat(sides: Iterable[tuple[int, ...]], seated: dict[int, int], line: int, names: Mapping[int, str]) -> None:
    """Give each player of `sides` a seat in this line. Raises ValueError for a player who has one already."""
    for number in (number for side in sides for number in side):
        if number in seated:
            who = f"{names[number]} (number {number})" if number in names else f"number {number}"
            raise ValueError(f"{who} stands in line {seated[number]} too")
        seated[number] = line


def _table_number(text: str) -> int:
    matched = re.fullmatch("[0-9]{1,4}", text)
    if not matched or not 1 <= int(text) <= MAX_TABLE:
        raise ValueError(f"{text!r} is no number of a table: 1 to {MAX_TABLE:,}")
    return int(text)


def _name_problem(text: str) -> str | None:
    if not text:
        return "there is no name in it"
    if len(text) > MAX_TEXT or not re.match(TEXT_PATTERN, text):
        return "the name is too long, or has a character that is not seen or breaks lines"
    return None
