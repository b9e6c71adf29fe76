"""A season as data (specs/luck.md, "A season as data"): what the logs say, each game once, and luck over all of it."""

import json
import re
import shutil
import time
from collections import Counter
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger.analysis.luck import LuckTally
from tests.bench.scribe import game
from tests.cli.test_report import Page
from tests.make.season import games, write
from tests.support.cli import REPOSITORY, Cli
from tests.web.games import Maker
from verifier import verify

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from ledger.season import TABLES, Season  # noqa: E402
from ledger.season.luck import season_luck  # noqa: E402
from ledger.season.rows import SeasonRows, ThrowRow  # noqa: E402

LOGS = REPOSITORY / "specs" / "vectors" / "logs"
FAILS = "reveal.naturals--changed.jsonl"


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(tmp_path / "home", capsys, monkeypatch)


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """Logs of several games, with rolls that were called off and rulings, one that fails and one that is none."""
    folder = tmp_path / "Spring Open: 1"
    folder.mkdir()
    for name in ("as-expected", "void-and-again", "corrected-twice", "left-without-dice-hidden", "roller"):
        shutil.copy(LOGS / f"holds--{name}.jsonl", folder)
    (folder / "made.jsonl").write_bytes(game(60)[0])
    shutil.copy(LOGS / FAILS, folder)
    (folder / "empty.jsonl").touch()
    return folder


def contents(place: Path | str) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables, sorted."""
    season = Season(place)
    found = {}
    for name in TABLES:
        parts = season.folder.parts(name)
        names = pq.ParquetFile(pa.BufferReader(season.folder.read(parts[0]))).schema_arrow.names if parts else []
        rows = season.table(name, [*names, "event", "day"]).to_pylist() if parts else []
        found[name] = sorted(rows, key=str)
    return found


@pytest.mark.long
def test_the_rows_are_those_of_the_logs(cli: Cli, tables: Path, tmp_path: Path) -> None:
    result = cli("export", "--parquet", tmp_path / "season", tables, "--json")
    assert result.code == 2, "one log is none"
    assert result.json["verdicts"]["fails"] == 1
    rows = contents(tmp_path / "season")
    holding = [row for row in rows["games"] if row["verdict"] == "holds"]
    assert {row["event"] for row in rows["games"]} == {"Spring Open: 1"}
    dice: Counter[tuple[str, int, int]] = Counter()
    roots = set()
    for path in tables.glob("*.jsonl"):
        report, _ = verify(path.read_bytes())
        if report.verdict != "holds":
            continue
        assert report.head is not None
        assert report.game is not None
        events = [json.loads(line) for line in path.read_bytes().splitlines()]
        roots.add(report.head.root)
        (row,) = (row for row in holding if row["game"] == report.game)
        assert (row["root"], row["events"], row["day"]) == (report.head.root, report.events, events[0]["time"][:10])
        reveals = [event["body"] for event in events if event["type"] == "reveal"]
        dice.update(
            (report.game, *die) for body in reveals for die in zip(body["sides"], body["naturals"], strict=True)
        )
        rulings = [event["body"]["text"] for event in events if event["type"] == "ruling"]
        assert sorted(r["text"] for r in rows["rulings"] if r["game"] == report.game) == sorted(rulings)
        asked = {event["seq"] for event in events if event["type"] in ("roll", "reroll")}
        assert {r["request"] for r in rows["rolls"] if r["game"] == report.game} <= asked
    revealed = (row for row in rows["dice"] if row["how"] == "reveal")
    assert Counter((row["game"], row["sides"], row["natural"]) for row in revealed) == dice
    for name in ("rolls", "dice", "rulings"):
        assert {row["root"] for row in rows[name]} <= roots, "nothing of a log that does not hold"
        assert rows[name]
    others = {Path(row["file"]).name: (row["verdict"], row["error"]) for row in rows["games"] if row not in holding}
    assert others == {FAILS: ("fails", "reveal.naturals"), "empty.jsonl": ("unreadable", "file.empty")}


@pytest.mark.long
def test_its_luck_is_that_of_the_logs(cli: Cli, tables: Path, tmp_path: Path) -> None:
    (tables / FAILS).unlink()
    (tables / "empty.jsonl").unlink()
    cli.ok("export", "--parquet", tmp_path / "season", tables)
    tally = LuckTally()
    for path in sorted(tables.glob("*.jsonl")):
        tally.add(path.read_bytes().splitlines())
    luck = tally.luck()

    def told(tests: Any) -> set[Any]:
        return {(t.key, t.voided_by_key, t.sides, t.dice, t.bins, t.statistic, t.p, t.method) for t in tests}

    found = season_luck(Season(tmp_path / "season"))
    assert told(one.test for one in found.ranked if one.whose != "keeper") == told(luck.tests)
    assert any(one.test.voided_by for one in found.ranked)
    keepers = [one.test for one in found.ranked if one.whose == "keeper"]
    thrown = [test.dice for test in luck.tests if test.voided_by is None and test.player is not None]
    assert sum(test.dice for test in keepers) == sum(thrown)
    ranked = [one.test.corrected for one in found.ranked]
    assert ranked == sorted(ranked)
    assert found.rolls_without_dice == dict(Counter(v.how for v in luck.voids for _ in range(v.rolls)))
    words = cli("stats", tmp_path / "season", "--top", "2")
    assert words.code == 0
    assert "Nobody is marked" in words.out
    assert f"2 of {len(ranked)} tests are shown" in words.out
    assert len(cli.value("stats", tmp_path / "season")["ranked"]) == len(ranked)


@pytest.mark.long
def test_exporting_again_replaces_and_never_doubles(cli: Cli, tables: Path, tmp_path: Path) -> None:
    season = tmp_path / "season"
    export = ("export", "--parquet", season, tables)
    cli(*export)
    first = contents(season)
    cli(*export)
    assert contents(season) == first
    cli(*export, "--event", "other")
    moved = contents(season)
    assert {row["event"] for name in TABLES for row in moved[name]} == {"other"}
    assert {name: len(rows) for name, rows in moved.items()} == {name: len(rows) for name, rows in first.items()}
    copy = tmp_path / "copy"
    shutil.copytree(tables, copy)
    cli("export", "--parquet", season, copy, "--event", "copy")
    assert [len(rows) for rows in contents(season).values()][1:] == [len(rows) for rows in first.values()][1:]


@pytest.mark.long
def test_a_log_that_holds_no_more_takes_its_rows_along(cli: Cli, tables: Path, tmp_path: Path) -> None:
    season, log = tmp_path / "season", tables / "made.jsonl"
    cli("export", "--parquet", season, tables)
    game_id = next(row["game"] for row in contents(season)["games"] if row["file"] == str(log))
    log.write_bytes(log.read_bytes()[:-1])
    assert cli("export", "--parquet", season, log, "--event", "Spring Open: 1").code == 1
    rows = contents(season)
    (row,) = (row for row in rows["games"] if row["game"] == game_id)
    assert (row["verdict"], row["error"], row["dice"]) == ("fails", "line.unterminated", 0)
    assert not any(row["game"] == game_id for row in chain(rows["rolls"], rows["dice"]))
    assert cli("stats", season).code == 2, "the worst of the verdicts"


def test_the_longest_log_of_a_game_counts_and_two_histories_are_told(tmp_path: Path) -> None:
    season = Season(tmp_path / "season", make=True)
    (row,) = games(1, 2)
    from msgspec.structs import replace

    shorter = replace(row, file="shorter.jsonl", events=9, root="00", throws=row.throws[:1])
    assert season.add("x", [shorter, row]) == []
    assert [kept["file"] for kept in contents(tmp_path / "season")["games"]] == [row.file]
    assert season.add("x", [shorter]) == [], "the longer one stays"
    assert [kept["file"] for kept in contents(tmp_path / "season")["games"]] == [row.file]
    assert season.add("x", [replace(row, file="other.jsonl", root="11")]) == [(row.game, row.file, "other.jsonl")]


def test_what_is_not_of_one_piece_is_not_counted(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "season", games(40, 10))
    (part, *_) = (tmp_path / "season" / "dice").rglob("*.parquet")
    part.unlink()
    assert "not of one piece" in cli.refused("stats", tmp_path / "season")


def test_a_folder_that_is_something_else_is_left_alone(cli: Cli, tables: Path, tmp_path: Path) -> None:
    none = cli.refused("export", "--parquet", tmp_path / "none", tmp_path / "typo")
    assert "there is no such file" in none
    assert not (tmp_path / "none").exists()
    told = cli.refused("export", "--parquet", tables, tables)
    assert "no season's data" in told
    assert cli("stats", tables).code == 2
    cli.ok("export", "--parquet", tmp_path / "season", tables / "made.jsonl")
    assert "alone" in cli.refused("stats", tmp_path / "season", tables)
    for words in (("--out", "x"), ("--force",)):
        cli.refused("export", "--parquet", tmp_path / "season", tables, *words, code=64)
    cli.refused("export", "9c31", "9c32", code=64)
    cli.refused("export", "9c31", "--event", "x", code=64)
    cli.refused("export", "--parquet", tmp_path / "season", tables, "--event", "x" * 101, code=64)


@pytest.mark.long
def test_an_organizers_page_of_a_season(cli: Cli, tables: Path, tmp_path: Path) -> None:
    (tables / "<script>.jsonl").write_bytes(b"no log\n")
    cli("export", "--parquet", tmp_path / "season", tables)
    cli("export", "--parquet", tmp_path / "season", tables / "made.jsonl", "--event", "<b>Autumn")
    assert cli("report", tmp_path / "season", "--out", tmp_path / "season.html").code == 2, "the worst of the verdicts"
    text = (tmp_path / "season.html").read_text()
    page = Page(text)
    assert not page.all("script")
    assert not page.all("b")
    assert len(page.all("table")) == len(page.all("caption")) == 3
    ids = [attrs["id"] for _, attrs in page.seen if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {attrs["aria-labelledby"] for _, attrs in page.seen if "aria-labelledby" in attrs} <= set(ids)
    cells = [re.findall(r"<bdi>(.*?)</bdi>", row) for row in re.findall(r"<tr>(<th scope=.row.*?)</tr>", text)]
    holding = [row for row in contents(tmp_path / "season")["games"] if row["verdict"] == "holds"]
    assert {row[0]: row[3] for row in cells if len(row) == 8} == {"Spring Open: 1": "5", "&lt;b&gt;Autumn": "1"}
    assert sum(int(row[5]) for row in cells if len(row) == 8) == sum(row["dice"] for row in holding)
    assert [row[1:] for row in cells if row[0].endswith(FAILS)] == [["fails", "reveal.naturals", "7"]]
    ranked = cli.value("stats", tmp_path / "season", code=2)["ranked"]
    assert [float(row[5]) for row in cells if len(row) == 7] == [float(f"{r['test']['corrected']:.3g}") for r in ranked]
    assert "Nobody is marked" in page.text
    assert re.search("Rulings of judges: .*correct [1-9]", page.text)


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "'; DROP TABLE games; --", "@SUM(A1)", "${x}{0}%s", "<b>x"])
@pytest.mark.long
def test_texts_of_strangers_are_texts_in_every_table(cli: Cli, tmp_path: Path, text: str) -> None:
    """In Parquet a text is no formula, because the column says that it is text; in the page it is no mark-up."""
    folder, season = tmp_path / "logs", tmp_path / "season"
    folder.mkdir()
    maker = Maker(Random(1), ["host", "alice", "dana"])
    maker.title = text
    maker.open()
    maker.write("dana", "join", {})
    maker.write("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": text})
    (folder / f"{text.replace('/', '')}.jsonl").write_bytes(maker.bytes())
    assert cli("export", "--parquet", season, folder, "--event", text.replace("/", "")).code == 0
    rows = contents(season)
    assert [row["title"] for row in rows["games"]] == [row["text"] for row in rows["rulings"]] == [text]
    for table, column in (("games", "title"), ("rulings", "text")):
        (part,) = season.rglob(f"{table}/**/*.parquet")
        assert pq.read_schema(part).field(column).type == pa.string()
    assert cli("stats", season).code == 0
    assert cli("report", season, "--out", tmp_path / "x.html").code == 0
    assert not Page((tmp_path / "x.html").read_text()).all("b")


@pytest.mark.long
def test_duckdb_reads_it(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = list(games(60, 10))
    write(tmp_path / "season", iter(rows), "Spring Open")
    found = duckdb.sql(
        f"""select event, count(*), sum("natural") from read_parquet('{tmp_path}/season/dice/**/*.parquet',
        hive_partitioning = true) where sides = 6 group by event"""
    ).fetchall()
    naturals = [n for row in rows for t in row.throws for n, s in zip(t.naturals, t.sides, strict=True) if s == 6]
    assert found == [("Spring Open", len(naturals), sum(naturals))]
    days = duckdb.sql(f"select distinct day from read_parquet('{tmp_path}/season/games/**/*.parquet')").fetchall()
    assert len(days) == 30


@pytest.mark.long
def test_loaded_dice_stand_first_and_honest_ones_are_not_marked(cli: Cli, tmp_path: Path) -> None:
    from msgspec.structs import replace

    def sixes(throw: ThrowRow) -> ThrowRow:
        return replace(throw, naturals=throw.sides) if throw.player == "player-3" and throw.request % 4 else throw

    def loaded(row: SeasonRows) -> SeasonRows:
        return replace(row, throws=tuple(map(sixes, row.throws)))

    season = write(tmp_path / "season", map(loaded, games(200, 20)))
    luck = season_luck(season)
    assert luck.ranked[0].test.player == "player-3"
    honest = [one.test.corrected for one in luck.ranked if one.whose == "player" and one.test.player != "player-3"]
    assert min(honest) > 1e-3
    assert "suspect" not in cli("stats", tmp_path / "season").out


@pytest.mark.slow
def test_a_hundred_thousand_games_in_seconds(tmp_path: Path) -> None:
    season = write(tmp_path / "season", games(100_000, 20_000, 500))
    begun = time.process_time()
    luck = season_luck(season)
    taken = time.process_time() - begun
    print(f"{luck.dice:,} dice, {len(luck.ranked):,} tests, {taken:.1f} s")
    assert luck.games == 100_000
    assert luck.ranked[0].test.corrected > 1e-3, "honest dice"
    assert taken < 60, "seconds of processor time"
