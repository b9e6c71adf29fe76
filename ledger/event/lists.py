"""Lists of players and pairings in CSV, exchanged with other tools (specs/guide/event.md).

Columns are found by any of their usual headers. Every problem names its line. A spreadsheet opens every written cell
as text and never as a formula.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from ledger.errors import UsageError
from rules.data.bounds import MAX_TEXT
from rules.data.text import TEXT_PATTERN
from verifier.event.acts import MAX_TABLE, Pairing
from verifier.event.records import Round
from verifier.log.bodies import MAX_PLAYERS

__all__ = [
    "MAX_CSV",
    "ListProblem",
    "PairingList",
    "PlayerRow",
    "csv_text",
    "read_pairings",
    "read_players",
    "results_text",
]

MAX_CSV = 8_388_608
"""the most bytes of a list"""
MAX_ROWS = 20_000
_MOST_PROBLEMS = 50

_NAME = frozenset(
    {
        *("name", "player", "player name", "full name", "participant", "display name"),
        *("spieler", "spielerin", "spielername", "teilnehmer", "teilnehmerin"),
        *("名前", "お名前", "氏名", "選手", "選手名", "プレイヤー", "プレイヤー名", "参加者", "参加者名"),
    }
)
_FIRST = frozenset({"first name", "firstname", "given name", "vorname", "名"})
_LAST = frozenset({"last name", "lastname", "surname", "family name", "nachname", "familienname", "姓"})
_NUMBER = frozenset(
    {
        *("number", "no", "no.", "#", "id", "player id", "player number", "player no"),
        *("nummer", "nr", "nr.", "startnummer", "spielernummer", "teilnehmernummer"),
        *("番号", "参加者番号", "選手番号", "プレイヤー番号"),
    }
)
_TABLE = frozenset(
    {
        *("table", "table number", "table no", "table no.", "tbl", "board"),
        *("tisch", "tischnummer", "tisch nr", "tisch nr.", "brett"),
        *("卓", "卓番号", "テーブル", "テーブル番号"),
    }
)
_SIDE = re.compile(
    r"(?:player|team|opponent|side|name|spieler|spielerin|gegner|mannschaft|seite|プレイヤー|選手|チーム)? ?"
    r"(?:id|number|name|nummer|nr\.?)? ?#?([1-8a-h])"
    r"(?: (?:id|number|no|name|nummer|nr\.?)| ?(?:番号|の番号|氏名|名|名前))?"
)
_ONE = {
    **dict.fromkeys(("player", "white", "home", "spieler", "weiss", "heim", "選手", "プレイヤー", "白"), 1),
    **dict.fromkeys(("opponent", "black", "away", "gegner", "schwarz", "gast", "対戦相手", "黒"), 2),
}
_OF_NUMBERS = re.compile(r"\b(?:id|number|no|nummer|nr)\b|#|番号")
"""a header of numbers, not of names"""
_BYE = {"", "-", "bye", "*bye*", "(bye)", "awarded bye", "none", "freilos", "spielfrei", "不戦勝", "なし"}
_NO_TABLE = _BYE | {"0"}
_KNOWN_NAMES = "Name; Player; First name, Last name; Spieler; Vorname, Nachname; 氏名; 選手名; 姓, 名"
_KNOWN_SIDES = (
    "Player 1, Player 2; Team 1, Team 2; White, Black; Spieler 1, Spieler 2; Mannschaft 1, Mannschaft 2; "
    "Weiß, Schwarz; 選手1, 選手2; プレイヤー1, プレイヤー2"
)
_RESULTS = ("won", "drawn", "conceded", "points")
"""the columns of a side's result, in their order"""
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
    name, first, last = _name_columns(headers)
    number = _column(headers, _NUMBER)
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
        raise UsageError(_unknown(headers, "a player", _KNOWN_SIDES))
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


def _unknown(headers: Sequence[str], what: str, known: str) -> str:
    return f"line 1: no column is {what}. The headers are: {', '.join(headers)}. Known are, for example: {known}"


def results_text(round_: Round, members: Collection[str], names: Mapping[int, str]) -> str:
    """Return the results of a round in CSV: a row for each table, then one for each bye, all of the same width.

    `members` are those of a result, as the event's terms say.
    """
    words = [word for word in _RESULTS if word in members]
    tables = sorted(round_.tables.values(), key=lambda each: each.number)
    width = max(2, *(len(table.sides) for table in tables)) if tables else 2
    headers = ["round", "table"]
    for side in range(1, width + 1):
        headers += [f"player {side} id", f"player {side} name", *(f"player {side} {word}" for word in words)]
    rows = list[list[object]]()
    for table in tables:
        row: list[object] = [round_.number, table.number]
        for at, numbers in enumerate(table.sides):
            result = {} if table.result is None else table.result[at].members()
            id_: object = numbers[0] if len(numbers) == 1 else "+".join(map(str, numbers))
            row += [id_, " + ".join(names.get(n, "") for n in numbers), *(result.get(word) for word in words)]
        rows.append(row)
    rows += [[round_.number, None, bye, names.get(bye, "")] for bye in round_.byes]
    return csv_text(headers, ([*row, *[None] * (len(headers) - len(row))] for row in rows))


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


def _column(headers: Sequence[str], names: Collection[str]) -> int | None:
    return next((at for at, header in enumerate(headers) if _folded(header) in names), None)


def _name_columns(headers: Sequence[str]) -> tuple[int | None, int | None, int | None]:
    """Return the columns of the whole name, or of the first and the last. Raises UsageError without either."""
    name, first, last = (_column(headers, known) for known in (_NAME, _FIRST, _LAST))
    if last is None and first is not None and _folded(headers[first]) == "vorname":
        name, last = None, name  # beside a Vorname, a German list calls the last name Name
    if name is None and (first is None or last is None):
        raise UsageError(_unknown(headers, "a name", _KNOWN_NAMES))
    return name, first, last


def _sides(headers: Sequence[str]) -> list[int]:
    """Return the columns of the sides, by their number. A column of numbers is preferred to one of names."""
    found: dict[int, int] = {}
    for at, header in enumerate(headers):
        text = _folded(header)
        matched = _SIDE.fullmatch(text)
        side = _ONE.get(text)
        if matched is not None:
            side = int(matched[1]) if matched[1].isdigit() else ord(matched[1]) - ord("a") + 1
        if side is not None and (side not in found or _OF_NUMBERS.search(text)):
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
            if seated[number] == line:
                raise ValueError(f"{who} stands twice in this line")
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
