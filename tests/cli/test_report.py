"""`rollproof report`: a page that needs nothing, escapes everything, and can be read without eyes or colours."""

import itertools
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.conftest import SPECS
from tests.support.cli import Cli, make_home

LOGS = SPECS / "vectors" / "logs"
VOID = {"meta", "br", "link", "img", "hr", "input"}
HOSTILE = "<script>alert(1)</script> \"'&<img src=x onerror=alert(1)> javascript:alert(1)"


class Page(HTMLParser):
    """A page as a tree of open elements: fails on one that is closed wrongly."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, self.getpos()

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.seen if name == tag]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home", title=HOSTILE)


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(Path(shutil.copytree(begun, tmp_path / "home")), capsys, monkeypatch)


def page_of(cli: Cli, tmp_path: Path, *what: str | Path, code: int = 0) -> str:
    out = tmp_path / "report.html"
    assert cli("report", *what, "--out", out, "--force").code == code
    return out.read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "logs"
    found.mkdir()
    for name in ("holds--void-and-again", "rules.violation--resolve-with-wrong-results", "holds--renewal-after-void"):
        path = LOGS / f"{name}.jsonl"
        if path.exists():
            shutil.copy(path, found)
    (found / "nothing.jsonl").write_text("hello\n")
    return found


def test_a_page_about_a_folder_is_whole(cli: Cli, tmp_path: Path, folder: Path) -> None:
    text = page_of(cli, tmp_path, folder, code=2)
    page = Page(text)
    ids = [attrs["id"] for _, attrs in page.seen if "id" in attrs]
    assert len(ids) == len(set(ids))
    targets = [str(attrs["href"]) for attrs in page.all("a")]
    assert all(target.startswith("#") and target[1:] in ids for target in targets)
    labels = [str(attrs["aria-labelledby"]) for _, attrs in page.seen if "aria-labelledby" in attrs]
    assert set(labels) <= set(ids)
    levels = [int(tag[1]) for tag, _ in page.seen if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))
    assert page.all("html")[0]["lang"] == "en"
    for landmark in ("header", "main", "footer"):
        assert len(page.all(landmark)) == 1


def test_tables_have_captions_and_heads(cli: Cli, tmp_path: Path, folder: Path) -> None:
    page = Page(page_of(cli, tmp_path, folder, code=2))
    assert len(page.all("table")) == len(page.all("caption")) >= 3
    assert all(attrs.get("scope") in ("col", "row") for attrs in page.all("th"))
    assert all(attrs.get("role") == "img" and attrs.get("aria-label") for attrs in page.all("svg"))


def test_the_page_needs_nothing_from_elsewhere(cli: Cli, tmp_path: Path, folder: Path) -> None:
    text = page_of(cli, tmp_path, folder, code=2)
    page = Page(text)
    assert not [tag for tag, _ in page.seen if tag in ("script", "link", "img", "iframe", "object", "form")]
    assert not [name for _, attrs in page.seen for name in attrs if name.startswith("on") or name == "src"]
    assert "http://" not in text
    assert "https://" not in text
    assert "url(" not in text
    assert "default-src 'none'" in text


def test_what_a_log_says_is_escaped(cli: Cli, tmp_path: Path) -> None:
    cli.ok("magic", "roll", HOSTILE, "--dice", "2d20", "--as", "alice", "--source", HOSTILE, "--use", HOSTILE)
    cli.ok("magic", "resolve", HOSTILE, "--as", "alice")
    cli.ok("ruling", HOSTILE, "uphold", "--as", "dana", "--subject", "7", "--text", HOSTILE)
    log = tmp_path / "<b>log&.jsonl"
    cli.ok("export", HOSTILE, "--out", log)
    text = page_of(cli, tmp_path, log)
    page = Page(text)
    assert not page.all("script")
    assert not page.all("img")
    assert not page.all("b")
    assert "<script" not in text
    assert page.text.count("alert(1)") >= 4, "it is shown as what it is"


def test_every_roll_is_there_with_its_naturals_and_steps(cli: Cli, tmp_path: Path) -> None:
    # Two dice of a million sides hardly show the same: which of two equal ones is ignored would be a choice.
    ignores = '[{"source":"Barbarian Class","which":"lowest","extra":1}]'
    body = f'{{"source":"Farideh","dice":"1d1000000","use":"draw a card","ignores":{ignores}}}'
    cli.ok("magic", "roll", HOSTILE, "--as", "alice", "--body", body)
    state = cli.value("state", HOSTILE)
    low = min(state["rolls"][-1]["dice"], key=lambda die: die["naturals"][-1])
    cli.ok("magic", "resolve", HOSTILE, "--as", "alice")
    page = Page(page_of(cli, tmp_path, HOSTILE))
    roll = cli.value("state", HOSTILE)["rolls"][-1]
    for die in roll["dice"]:
        assert f"die {die['die']} shows {die['naturals'][-1]}" in page.text
    assert f"not counted: die {low['die']}" in page.text, "in words, and not by a line through it alone"
    assert "(706.6)" in page.text


def test_rolls_without_dice_are_told_with_whose_word_it_is(cli: Cli, tmp_path: Path) -> None:
    hidden = Page(page_of(cli, tmp_path, LOGS / "holds--void-hidden.jsonl"))
    assert "Rolls without dice" in hidden.text
    assert "bob, says alice" in hidden.text
    assert "not known: the link of alice, bob is missing" in hidden.text
    known = Page(page_of(cli, tmp_path, LOGS / "holds--void-known-by-burned-in-a-leave.jsonl"))
    assert "dana (void, event 8)" in known.text
    cells = re.findall(r"<td>([^<]*)</td></tr>", page_of(cli, tmp_path, LOGS / "holds--left-without-dice.jsonl"))
    assert "19" in cells, "what it would have shown"
    assert "alice, called off by dana" in known.text, "and in the statistics apart"
    assert "Rolls without dice</h3>" not in page_of(cli, tmp_path, HOSTILE)


def test_what_somebody_changed_by_word_is_among_the_findings(cli: Cli, tmp_path: Path) -> None:
    page = Page(page_of(cli, tmp_path, LOGS / "holds--corrected-twice.jsonl"))
    assert "roll.corrected" in page.text
    assert "set results of dice" in page.text
    page = Page(page_of(cli, tmp_path, LOGS / "holds--away-by-the-others.jsonl"))
    assert "party.away" in page.text


def test_in_japanese(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "ja.html"
    cli.ok("roll", HOSTILE, "d20 Delina: x", "--as", "alice")
    assert cli("report", HOSTILE, "--out", out, "--lang", "ja").code == 0
    page = Page(out.read_text())
    assert page.all("html")[0]["lang"] == "ja"
    assert "出目" in page.text


def colours(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    for block in re.findall(r":root \{([^}]*)\}", text):
        found = dict(re.findall(r"--(\w+): (#[0-9a-f]{3,6})", block))
        if found:
            yield block, found


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_enough_in_light_dark_and_print(cli: Cli, tmp_path: Path) -> None:
    schemes = list(colours(page_of(cli, tmp_path, HOSTILE)))
    assert len(schemes) == 3
    for _, found in schemes:
        for text in ("ink", "quiet", "link"):
            assert contrast(found[text], found["paper"]) >= 4.5
        assert contrast(found["ink"], found["shade"]) >= 4.5
        assert contrast(found["line"], found["paper"]) >= 3


def test_a_page_is_not_written_over_another_unless_told(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    out.write_text("mine")
    assert "exists" in cli.refused("report", HOSTILE, "--out", out)
    assert out.read_text() == "mine"


def test_who_has_many_logs_is_told_of_a_seasons_page(
    cli: Cli, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = cli("report", folder, "--out", tmp_path / "few.html")
    monkeypatch.setattr("ledger.report.MAX_SECTIONS", 1)
    many = cli("report", folder, "--out", tmp_path / "many.html")
    assert ["export --parquet" in told.err for told in (few, many)] == [False, True]
    assert "There are many logs" in (tmp_path / "many.html").read_text()
