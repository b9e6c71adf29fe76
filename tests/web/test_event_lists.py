"""Lists in and out: the desk in a browser reads and writes them as the command line does."""

import csv
import io
import json
import subprocess
from typing import Any

import pytest
from msgspec import convert

from ledger.errors import UsageError
from ledger.event.lists import csv_text, read_pairings, read_players, results_text
from tests.conftest import SPECS
from tests.web.browsers import NODE
from verifier.event.records import Round

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

NAMES = {1: "Alice Ito", 2: "Bob Meyer", 3: "佐藤 健", 4: "Carol", 5: "carol", 6: "Eve, the “Fox”", 8: "Rock + Roll"}
TAKEN = [2, 7]
PLAYERS = [
    "Name\nAlice\nBob\n",
    "No;Player\r\n1;Alice\r\n;Bob\r\n3;Carol\r\n",
    "First Name,Last Name,Player ID\nAda,Lovelace,9\nAlan,Turing,\n",
    "氏名\t番号\n佐藤 健\t12\n",
    'Number,Full_Name\n4,"Smith, Jo"\n4,Twice\n0,Zero\n9999,Many\n2,Taken\nx,Word\n5,\n',
    '\ufeffname\n"He said ""hi"""\n',
    "name\nA\u200bB\nC\n" + "x" * 501 + "\n",
    "Deck,Colour\nx,y\n",
    "Name\n",
    "Nummer;Name;Vorname\n4;Lovelace;Ada\n",
    "Startnummer;Spielerin\n4;Ada\n",
    "選手番号,選手名\n4,佐藤 健\n",
]
PAIRINGS = [
    "Table,Player 1,Player 2\n11,1,2\n12,3,4\n",
    "tbl;White;Black\n1;Alice Ito;p2\n;3;bye\n",
    "Player A ID,Player A Name,Player B ID,Player B Name\n1,Alice Ito,2,Bob Meyer\n3,x,,\n",
    "卓,プレイヤー 1,プレイヤー 2\n3,佐藤 健,ＢＯＢ　Meyer\n",
    'Table,Team 1,Team 2\n7,1+2,"Eve, the “Fox”"\n',
    "Table,Player 1,Player 2\n1,1,1\n2,Nobody,2\n3,carol,3\nx,4,5\n0,6,\n3,2,\n",
    "Table,Player 1,Player 2\n5,1,2\n5,3,4\n,,\n6,,\n",
    "Table,Player 1,Player 2\n1,#1,P2\n2,0,3\n3,1+2+3+4+5+6+1+2+3,4\n4,Rock + Roll,5\n",
    "What,Ever\n1,2\n",
    "Tisch;Spieler 1;Spieler 2\n7;1;2\n;3;Freilos\n",
    "Brett;Weiß;Schwarz\n7;1;2\n",
    "Tisch Nr.;Gegner 1;Gegner 2\n7;1;2\n",
    "Tischnummer;Spieler 1 Name;Spieler 1 Nr.;Spieler 2 Name;Spieler 2 Nr.\n7;x;1;y;2\n",
    "テーブル番号,選手1,選手2\n7,1,2\n,3,不戦勝\n",
    "卓,選手1氏名,選手1番号,選手２氏名,選手２番号\n7,x,1,y,2\n",
    "Table,Player 1\n",
]
ROWS: list[list[Any]] = [
    [1, "=SUM(A1)"],
    [None, " +1"],
    [-3, "-x"],
    ["a,b", 'He said "hi"'],
    ["＠x", "two\nlines"],
    ["@", "佐藤"],
]


def _result(won: int, drawn: int) -> dict[str, int]:
    return {"won": won, "drawn": drawn, "conceded": 0, "points": 7}


RESULTS = ["conceded", "drawn", "points", "won"]
ROUND: dict[str, Any] = {
    "number": 2,
    "byes": [5, 7],
    "tables": [
        {"number": 9, "sides": [[1, 4], [2]], "result": [_result(2, 1), _result(0, 1)]},
        {"number": 3, "sides": [[3], [6], [8]], "result": None},
    ],
}


def _round() -> Round:
    return convert(ROUND | {"tables": {table["number"]: table for table in ROUND["tables"]}}, Round)


def test_the_desk_reads_and_writes_lists_as_the_command_line_does() -> None:
    given = {
        "round": ROUND,
        "results": RESULTS,
        "players": PLAYERS,
        "pairings": PAIRINGS,
        "names": list(NAMES.items()),
        "taken": TAKEN,
        "rows": ROWS,
    }
    assert NODE is not None
    command = [NODE, "tests/web/event_lists.mjs"]
    ended = subprocess.run(command, input=json.dumps(given), cwd=SPECS.parent, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    for text, found in zip(PLAYERS, told["players"], strict=True):
        try:
            rows, problems = read_players(text.encode(), TAKEN)
        except UsageError as error:
            (problem,), words = found["problems"], str(error)
            assert (found["players"], problem["line"]) == ([], 1), text
            assert all(value in words for value in problem["problem"]["values"].values()), text
            continue
        assert [(each["name"], each["number"]) for each in found["players"]] == [(r.name, r.number) for r in rows], text
        assert [each["line"] for each in found["problems"]] == [each.line for each in problems], text
    for text, found in zip(PAIRINGS, told["pairings"], strict=True):
        try:
            pairing, problems = read_pairings(text.encode(), NAMES)
        except UsageError as error:
            (problem,), words = found["problems"], str(error)
            assert (found["tables"], problem["line"]) == ([], 1), text
            assert all(value in words for value in problem["problem"]["values"].values()), text
            continue
        tables = [(each["table"], each["sides"]) for each in found["tables"]]
        assert tables == [(each.table, [list(side) for side in each.sides]) for each in pairing.tables], text
        assert found["byes"] == list(pairing.byes), text
        assert [each["line"] for each in found["problems"]] == [each.line for each in problems], text
    assert told["results"] == results_text(_round(), RESULTS, NAMES)
    assert told["text"] == csv_text(["a", "b"], ROWS)


def test_the_rows_of_results_are_of_one_width_and_say_won_before_drawn() -> None:
    header, *rows = csv.reader(io.StringIO(results_text(_round(), RESULTS, NAMES), newline=""))
    assert header[2:8] == [f"player 1 {word}" for word in ("id", "name", "won", "drawn", "conceded", "points")]
    assert {len(row) for row in rows} == {len(header)}
    assert rows[1][1:8] == ["9", "1+4", "Alice Ito + Carol", "2", "1", "0", "7"]
    assert [row[:4] for row in rows[2:]] == [["2", "", "5", "carol"], ["2", "", "7", ""]]
