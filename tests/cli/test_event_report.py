"""The page and the words about an event, from its bundle, its log and the home (specs/event.md)."""

import html
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.make.bundles import FILE as BUNDLE_FILE
from tests.make.bundles import bundle_of
from tests.make.event import NAMES, salt
from tests.support.cli import Cli
from tests.support.event import Event, bundle, names_file, sound_event
from verifier.shell.command import run as run_verifier


@pytest.fixture(scope="module")
def event() -> Event:
    return sound_event()


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(tmp_path / "home", capsys, monkeypatch)


@pytest.fixture
def files(event: Event, tmp_path: Path) -> dict[str, Path]:
    """The event as a bundle, as a bundle with names, as a log, and its names."""
    names = names_file(event.writer.id, {number: (name, salt(number)) for number, name in NAMES.items()})
    parts = event.files()
    found = {
        "bundle": bundle(parts),
        "named": bundle([*parts, ("names.json", names)]),
        "log": dict(parts)["event.jsonl"],
        "names": names,
    }
    for name, data in found.items():
        (tmp_path / name).write_bytes(data)
    return {name: tmp_path / name for name in found}


def rows(page: str, id_: str) -> list[list[str]]:
    """The cells of a section's table."""
    section = page[page.index(f'<section aria-labelledby="{id_}">') :].partition("</section>")[0]
    body = re.findall(r"<tr>(.*?)</tr>", section.partition("<tbody>")[2])
    cells = [re.findall(r"<bdi>(.*?)</bdi>", row) for row in body]
    return [[re.sub("[\u2066-\u2069]", "", html.unescape(cell)) for cell in row] for row in cells]


def page_of(cli: Cli, *words: str | Path) -> str:
    out = cli.home.parent / "page.html"
    cli.ok("report", *words, "--out", out, "--force")
    return out.read_text(encoding="utf-8")


def test_the_page_has_rounds_results_corrections_penalties_and_games(cli: Cli, files: dict[str, Path]) -> None:
    page = page_of(cli, files["bundle"])
    assert "HOLDS" in page
    first = rows(page, "rounds")[0]
    assert first[:4] == ["11", "1 : 2", "won 1 : won 2", "henry"]
    assert first[4].endswith("holds")
    assert "dice by hand, without proof: no phone; dana saw each throw" in rows(page, "rounds")[1][5]
    corrections = [row[3] for row in rows(page, "corrections")]
    assert any("won 2, player 2: won 1). Why: as seen at the table" in text for text in corrections)
    assert [row[2] for row in rows(page, "penalties")] == ["dana", "henry"]
    assert ["henry", "head judge"] in [row[:2] for row in rows(page, "staff")]
    assert {row[3] for row in rows(page, "games")} == {"holds"}
    assert [row[5] for row in rows(page, "games")].count("cancelled") == 1
    assert [row[0] for row in rows(page, "record")] == [str(n) for n in range(len(rows(page, "record")))]
    assert rows(page, "record")[-1][3] == "closed the event"
    assert not any(name in page for name in NAMES.values())


def test_what_judges_changed_at_tables_is_on_the_page_and_event_log_says_where(cli: Cli, tmp_path: Path) -> None:
    vectors = json.loads(BUNDLE_FILE.read_text(encoding="utf-8"))
    (case,) = [
        case for case in vectors["cases"] if case["about"] == "a table at which a judge changed rolls and parties"
    ]
    file = tmp_path / "ruled.bundle"
    file.write_bytes(bundle_of(vectors, case))
    page = page_of(cli, file)
    assert [row[:4] for row in rows(page, "changes")] == [
        *([["1", "11", str(event), "dana"] for event in (13, 14, 18, 20)]),
        ["1", "11", "22", "olga and dana"],
        ["1", "11", "23", "dana"],
    ]
    assert rows(page, "changes")[1][4] == ("ruled the roll of event 10 void. Why: It was for a countered spell.")
    told = cli("event", "log", file)
    assert shlex.split(told.err.strip().splitlines()[-1]) == ["rollproof", "verify", str(file)]
    assert "what judges changed" not in cli("event", "log", file, "--json").out


def test_what_was_written_is_counted_as_rounds_and_matches(cli: Cli, files: dict[str, Path]) -> None:
    for file in (files["log"], files["bundle"]):
        told = cli.ok("report", file, "--out", cli.home.parent / "page.html", "--force")
        assert told.rstrip().endswith("page.html is written. Rounds of the event: 2. Matches at tables: 3.")


def test_names_are_on_the_page_where_the_bundle_or_a_file_has_them(cli: Cli, files: dict[str, Path]) -> None:
    for words in ((files["named"],), (files["log"], "--names", files["names"])):
        page = page_of(cli, *words)
        assert rows(page, "rounds")[0][1] == f"{NAMES[1]} (1) : {NAMES[2]} (2)"
        assert f"{NAMES[1]} (1)" in {row[2] for row in rows(page, "record")}
    wrong = json.loads(files["names"].read_text())
    wrong["names"][0]["name"] = "Mallory"
    files["names"].write_text(json.dumps(wrong, separators=(",", ":"), ensure_ascii=False))
    refused = cli("report", files["log"], "--names", files["names"], "--out", "-")
    assert refused.code == 65
    assert "Player 1 was not registered with the name" in refused.err
    assert "Mallory" not in refused.out


def test_the_page_of_what_does_not_hold_says_so(cli: Cli, files: dict[str, Path]) -> None:
    files["bundle"].write_bytes(files["bundle"].read_bytes()[:-100])
    told = cli("report", files["bundle"], "--out", cli.home.parent / "page.html")
    assert told.code == 1
    page = (cli.home.parent / "page.html").read_text(encoding="utf-8")
    assert "FAILS" in page
    assert "incomplete or damaged" in page


@pytest.mark.parametrize("language", ["de", "ja"])
def test_the_page_is_in_german_and_japanese(cli: Cli, files: dict[str, Path], language: str) -> None:
    english = page_of(cli, files["named"])
    page = page_of(cli, files["named"], "--lang", language)
    headings = re.findall("<(?:h2|h3|caption|th scope=.col.)[^>]*>([^<]+)<", english)
    same = {text for text in headings if f">{text}<" in page}
    assert same <= {"Name", "name", "Trust"}, same


def test_an_event_of_the_home_is_reported_and_verified(cli: Cli, files: dict[str, Path]) -> None:
    cli.ok("event", "import", files["log"], "--names", files["names"])
    page = page_of(cli, "Spring Open")
    assert rows(page, "rounds")[0][:4] == ["11", "1 : 2", "won 1 : won 2", "henry"]
    told: Any = cli.value("report", "Spring Open", "--out", cli.home.parent / "other.html")
    assert told["report"]["verdict"] == "holds"
    assert told["lines"][8]["what"].startswith("paired round 1")
    assert "HOLDS" in cli.ok("verify", "Spring Open")


def test_a_notice_says_the_command_that_shows_it_in_full(
    cli: Cli, files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    spaced = files["log"].with_name("Spring Open.jsonl")
    shutil.copy(files["log"], spaced)
    for file in (files["bundle"], spaced):
        capsys.readouterr()
        assert run_verifier([str(file)]) == 0
        told = re.findall(r"in full: rollproof (.*)", capsys.readouterr().out)
        assert len(told) >= 8
        for command in told:
            assert cli.value(*shlex.split(command))["lines"], command


@pytest.mark.parametrize("words", [("log",), ("state",), ("explain", "3")])
def test_a_command_for_games_says_which_is_for_events(cli: Cli, files: dict[str, Path], words: tuple[str, ...]) -> None:
    cli.ok("event", "import", files["log"])
    for what in ("Spring Open", str(files["log"]), str(files["bundle"])):
        refused = cli(words[0], what, *words[1:])
        assert refused.code == 64, refused
        assert "is an event" in refused.err
        command = shlex.split(refused.err.strip().splitlines()[-1])
        assert command[:2] == ["rollproof", "event"]
        assert cli(*command[1:]).code == 0, command
