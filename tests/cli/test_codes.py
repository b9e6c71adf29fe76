"""The code of a table: what people read to each other (specs/disputes.md)."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from ledger.cli.call import Call
from ledger.cli.codes import code_now, code_of
from ledger.cli.watching import Watching
from ledger.client.inbox import RemoteUpdate
from ledger.client.participant import Spectator
from tests.make.notes import ALICES, BOBS, COMMON, SIZE, VECTORS
from tests.support.cli import Cli, make_home
from tests.support.table import Table
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.checkpoints.code import parse_code, table_code

CASES: list[dict[str, str]] = json.loads((VECTORS / "codes.json").read_bytes())
MINE, THEIRS = VECTORS / "logs" / ALICES, VECTORS / "logs" / BOBS
GAME = "Table 12"


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(tmp_path / "home", capsys, monkeypatch)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["code"])
def test_vectors(case: dict[str, str]) -> None:
    head = parse_checkpoint(f"{case['text']}\n— x AAAAAAAA\n".encode()).head
    assert table_code(head) == case["code"]
    assert parse_code(case["code"]) == (None, case["code"])
    assert parse_code(f"{head.size}: {case['code']}") == (head.size, case["code"])


CODE = "00044 85251 36140 11504 32282 23918"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (f"{CODE}\n", (None, CODE)),
        (f" 43 :{CODE.replace(' ', '-')}", (43, CODE)),
        (f"43: {CODE.replace(' ', '')}", (43, CODE)),
        (f"43: {CODE.replace(' ', ' – ')}", (43, CODE)),
        ("４３：" + "".join(chr(ord(each) + 0xFEE0) if each != " " else "\u3000" for each in CODE), (43, CODE)),
        ("".join(chr(ord(each) - ord("0") + 0x0660) if each != " " else each for each in CODE), (None, CODE)),
        (CODE[:-1], None),
        (f"{CODE}1", None),
        (f"0: {CODE}", None),
        (f"-: {CODE}", None),
        (f": {CODE}", None),
        (f"{2**53}: {CODE}", None),
        (f"{'9' * 60_000}: {CODE}", None),
        (f"1: 2: {CODE}", None),
        (f"{CODE[:-1]}²", None),
        (f"{CODE[:-1]}x", None),
        ("", None),
    ],
)
def test_what_is_read(text: str, read: tuple[int | None, str] | None) -> None:
    assert parse_code(text) == read


def test_two_copies_are_compared_by_what_is_read_aloud(cli: Cli) -> None:
    said = cli.ok("code", MINE).strip()
    assert said == f"{SIZE}: {CASES[SIZE - 1]['code']}"
    assert "THE SAME" in cli.ok("code", MINE, said)
    assert cli.value("code", MINE, said)["same"] is True
    forked = cli("code", THEIRS, said)
    assert forked.code == 1
    assert "NOT THE SAME" in forked.out
    common = cli.value("code", MINE, "--events", str(COMMON))
    assert (common["events"], common["code"]) == (COMMON, CASES[COMMON - 1]["code"])
    assert "THE SAME" in cli.ok("code", THEIRS, f"{COMMON}: {common['code']}")
    after = cli.value("code", MINE, "--events", str(COMMON + 1))
    assert cli.value("code", THEIRS, f"{COMMON + 1}: {after['code']}", code=1)["same"] is False


def test_fewer_events_wait(cli: Cli, tmp_path: Path) -> None:
    short = tmp_path / "short.jsonl"
    short.write_bytes(b"".join(MINE.read_bytes().splitlines(keepends=True)[:5]))
    said = cli.ok("code", MINE).strip()
    assert f"5 of {SIZE} events are here" in cli.refused("code", short, said, code=75)
    assert cli.ok("code", short).strip() == f"5: {CASES[4]['code']}"
    assert "is not a code" in cli.refused("code", MINE, said[:-1])
    assert "--events says 4" in cli.refused("code", MINE, said, "--events", "4")


def test_only_what_holds_has_a_code(cli: Cli, tmp_path: Path) -> None:
    lines = MINE.read_bytes().splitlines(keepends=True)
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(b"".join([*lines[:7], lines[7].replace(b"a", b"b", 1), *lines[8:]]))
    told = cli("code", changed)
    assert (told.code, told.out.strip()) == (1, f"7: {CASES[6]['code']}")
    assert "before event 7" in told.err
    assert cli("code", changed, "--events", "8").code != 0


def test_state_tells_it(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    cli = Cli(make_home(tmp_path / "home"), capsys, monkeypatch)
    said = cli.ok("code", GAME).strip()
    assert f"to read to the others: {said}\n" in cli.ok("state", GAME)
    cli.ok("roll", GAME, "d20 Delina: compare", "--as", "alice")
    assert cli.ok("code", GAME).strip() != said
    assert "THE SAME" in cli.ok("code", GAME, said)


class _Said:
    """What is printed, in the place of a terminal."""

    def __init__(self, json: bool) -> None:
        self.json, self.lines = json, list[Any]()

    def say(self, text: str) -> None:
        self.lines.append(text)

    value = say

    def cut(self, text: str) -> str:
        return text


class _Watched:
    def __init__(self, table: Table) -> None:
        self.table = table

    @property
    def view(self) -> Any:
        return self.table.view


@pytest.mark.parametrize("json", [False, True], ids=["words", "json"])
def test_watch_tells_it_at_places_of_the_log(table: Table, json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """At its beginning, behind every fifth event here, and at the end; of those events, whatever came since."""
    monkeypatch.setattr("ledger.cli.watching.CODE_EVERY", 5)

    class Called:
        out, translate = _Said(json), str

    watching = Watching(cast(Call, Called), table.game, None, None)
    watcher, shown = cast(Spectator, _Watched(table)), len(table.lines)
    watching._tell_begin(watcher)
    expected = {shown: code_of(table.view, shown)}
    for _ in range(4):
        table.roll("alice")
    table.act("host", "close", {})
    for seq in range(shown, len(table.lines)):
        watching._tell(watcher, RemoteUpdate("line", seq, table.lines[seq]))
    sizes = [size for size in range(shown + 1, len(table.lines)) if size % 5 == 0]
    expected |= {size: code_of(table.view, size) for size in (*sizes, len(table.lines))}
    assert code_of(table.view, len(table.lines)) == code_now(table.view.replay)
    if json:
        told = [line["code"] for line in Called.out.lines if "code" in line]
        assert {each["events"]: each["code"] for each in told} == expected
    else:
        read = [line.rpartition("others: ")[2] for line in Called.out.lines if "to read to the others" in line]
        assert [parse_code(each) for each in read] == list(expected.items())
