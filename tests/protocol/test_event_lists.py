"""Lists of players and pairings: many headers, errors by line, no formulas."""

import csv
import io

import pytest

from ledger.errors import UsageError
from ledger.event.lists import MAX_CSV, csv_text, read_pairings, read_players
from tests.support.cli import REPOSITORY
from verifier.event.acts import Pairing

NAMES = {1: "Alice Ito", 2: "Bob Meyer", 3: "Carol Diaz", 4: "伊藤 花子", 7: "Bob Meyer"}


def text(*lines: str) -> bytes:
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize(
    "data",
    [
        text("No,Player", "1,Alice Ito", "2,Bob Meyer"),
        text("Player,ID", "Alice Ito,1", "Bob Meyer,2"),
        text("Player;Player ID", "Alice Ito;1", "Bob Meyer;2"),
        text("First name\tLast name\t#", "Alice\tIto\t1", "Bob\tMeyer\t2"),
        b"\xef\xbb\xbf" + text("番号,氏名", "1,Alice Ito", "2,Bob Meyer"),
        text("FULL NAME,Points", "Alice Ito,9", "", "Bob Meyer,3"),
        text('Player_Name,"No."', '"Alice Ito",1', "Bob Meyer,2"),
        text("Startnummer;Spieler", "1;Alice Ito", "2;Bob Meyer"),
        text("Nr.;Name;Vorname", "1;Ito;Alice", "2;Meyer;Bob"),
        text("選手番号,選手名", "1,Alice Ito", "2,Bob Meyer"),
    ],
)
def test_players_come_under_many_headers(data: bytes) -> None:
    rows, problems = read_players(data)
    assert problems == []
    assert [(row.number, row.name) for row in rows] == [(1, "Alice Ito"), (2, "Bob Meyer")]


def test_numbers_that_are_missing_are_the_next_free_ones() -> None:
    rows, problems = read_players(text("number,name", ",Alice", "2,Bob", ",Carol"), taken=[1, 4])
    assert problems == []
    assert [(row.number, row.name) for row in rows] == [(3, "Alice"), (2, "Bob"), (5, "Carol")]


def test_each_wrong_line_is_told_with_its_number() -> None:
    lines = ["number,name", "1,Alice", "1,Bob", "0,Carol", "x,Dave", "5,", "6,Eve\u202e", "5001,Fay"]
    _, problems = read_players(text(*lines))
    assert [problem.line for problem in problems] == [3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"Deck,Farbe\n1,2\n", "no column is a name. The headers are: Deck, Farbe. Known are, .*Vorname, Nachname"),
        ("name\nJos\xe9\n".encode("latin-1"), "line 2: it is not in UTF-8"),
        (b"name\nA\0B\n", "zero bytes"),
        (b'name\n"open\n', "no CSV"),
        (b"x" * (MAX_CSV + 1), "more than"),
        (b"name\n" + b"a\n" * 30_000, "more than 20,000 lines"),
        (b'name\n"' + b"x" * 200_000 + b'"\n', "no CSV"),
    ],
)
def test_what_is_no_list_is_told(data: bytes, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_players(data)


@pytest.mark.parametrize(
    "data",
    [
        text("Table,Player 1,Player 2", "11,1,2", "14,3,4", ",7,BYE"),
        text("Table Number;Player 1;Player 2", "11;Alice Ito;2", "14;carol diaz;伊藤　花子", "-;p7;"),
        text("Tbl,Player 1,Player 1 ID,Player 2,Player 2 ID", "11,A,1,B,2", "14,C,3,D,4", "0,Bob Meyer,7,-,-"),
        text("Board,White,Black", "11,p1,#2", "14,3,4", ",7,*BYE*"),
        text("卓,プレイヤー1,プレイヤー2", "11,1,2", "14,3,4", ",7,不戦勝"),
        text("Tisch;Spieler 1;Spieler 2", "11;1;2", "14;3;4", ";7;Freilos"),
        text(
            "Tisch Nr.;Spieler 1 Name;Spieler 1 Nr.;Spieler 2 Name;Spieler 2 Nr.", "11;A;1;B;2", "14;C;3;D;4", ";E;7;;"
        ),
        text("Brett;Weiß;Schwarz", "11;1;2", "14;3;4", ";7;spielfrei"),
        text("テーブル番号,選手1氏名,選手1番号,選手2氏名,選手2番号", "11,A,1,B,2", "14,C,3,D,4", ",E,7,,"),
    ],
)
def test_pairings_come_under_many_headers(data: bytes) -> None:
    found, problems = read_pairings(data, NAMES)
    assert problems == []
    assert found.tables == (Pairing(((1,), (2,)), 11), Pairing(((3,), (4,)), 14))
    assert found.byes == (7,)


def test_teams_tables_of_many_and_tables_without_numbers() -> None:
    found, problems = read_pairings(text("Team A,Team B", "1+2,3 + 4", "5+6,7+8"), {})
    assert problems == []
    assert found.tables == (Pairing(((1, 2), (3, 4)), 1), Pairing(((5, 6), (7, 8)), 2))
    found, _ = read_pairings(text("table,player 1,player 2,player 3,player 4", "9,1,2,3,4", "12,5,6,7,"), {})
    assert [len(table.sides) for table in found.tables] == [4, 3]


def test_each_wrong_pairing_is_told_with_its_number() -> None:
    lines = ["Table,Player 1,Player 2", "1,1,2", "1,3,4", "2,1,5", "x,6,7", "3,Nobody,9", "4,Bob Meyer,10", "5,,"]
    _, problems = read_pairings(text(*lines), NAMES)
    assert [problem.line for problem in problems] == [3, 4, 5, 6, 7, 8]
    assert "players 2, 7" in problems[4].problem
    assert "line 2 too" in problems[0].problem
    _, problems = read_pairings(text("Table,Player 1,Player 2", "1,1,1"), NAMES)
    assert problems[0].problem == "Alice Ito (number 1) stands twice in this line"


def test_an_unknown_header_is_told_with_those_that_are_known() -> None:
    with pytest.raises(UsageError, match=r"The headers are: What, Ever. Known are, .*Spieler 1, Spieler 2.*選手1"):
        read_pairings(text("What,Ever", "1,2"), NAMES)


HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "=cmd|' /C calc'!A0"]


def test_no_cell_is_a_formula() -> None:
    rows = list(csv.reader(io.StringIO(csv_text(["=head", "b"], [[cell, 1] for cell in HOSTILE]), newline="")))
    for row in rows:
        assert row[0].startswith("'"), row
    assert [row[1] for row in rows[1:]] == ["1"] * len(HOSTILE)


@pytest.mark.parametrize("name", [*HOSTILE, "'=1", "''=1", "-Max", "'quoted'", "O'Neil", "' x", "x=1"])
def test_what_was_written_is_read_again(name: str) -> None:
    """A pairing tool gives back the names that it was given, with the apostrophe before them."""
    data = csv_text(["name"], [[name]]).encode()
    ((row,), problems) = read_players(data)
    assert (row.name, problems) == (name.strip(), [])
    if "+" in name:
        return  # between players of one side
    pairs = csv_text(["player 1", "player 2"], [[name, "Bo"]]).encode()
    found, problems = read_pairings(pairs, {1: name.strip(), 2: "Bo"})
    assert (found.tables[0].sides, problems) == (((1,), (2,)), [])


def test_no_list_is_written_in_another_way() -> None:
    written = [path for path in (REPOSITORY / "ledger").rglob("*.py") if "csv.writer" in path.read_text("utf-8")]
    assert [path.name for path in written] == ["lists.py"]


def test_numbers_are_written_as_they_are() -> None:
    assert csv_text(["a"], [[-3], [None], ["x,y"]]) == 'a\r\n-3\r\n""\r\n"x,y"\r\n'
