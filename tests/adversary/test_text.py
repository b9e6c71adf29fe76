"""Texts of parties as they are shown (specs/log.md, "Text"): none reorders what stands around it."""

import re
import shutil
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.bounds import TEXT_PATTERN
from rules.language import Message
from rules.text import balanced, isolated, isolated_in, plain
from tests.conftest import SPECS
from tests.support.cli import PASSPHRASE, Cli, make_home, on_terminal

HEBREW = "\u05d1\u05e8\u05e7 10"
ARABIC_DIGITS = "\u0661\u0662"
OPEN, CLOSE = "\u2068", "\u2069"
UNSEEN = [
    *(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200B, 0x200E, 0x200F)),
    *(chr(code) for code in (*range(0x2028, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF)),
]


def test_the_page_names_every_character_that_no_text_has() -> None:
    """Among all of Unicode, and no other."""
    text = (SPECS / "log.md").read_text().partition("## Text")[2].partition("## Hashes")[0]
    named: set[int] = set()
    for row in re.findall(r"^\| (U\+.*?) \|", text, re.MULTILINE):
        for part in row.split(", "):
            first, _, last = part.replace("U+", "").partition("–")
            named |= set(range(int(first, 16), int(last or first, 16) + 1))
    pattern = re.compile(TEXT_PATTERN)
    assert named == {code for code in range(0x110000) if pattern.match(chr(code)) is None} == set(map(ord, UNSEEN))


@pytest.mark.parametrize(
    "text", ["", "Lightning Bolt", "\u7a32\u59bb", "\u00e9", "\u20ac 10", "\U0001f3b2", "\u0928\u200d"]
)
def test_a_text_of_other_scripts_is_shown_as_it_is(text: str) -> None:
    assert isolated(text) == text


@pytest.mark.parametrize("text", [HEBREW, "a \u0627", ARABIC_DIGITS, "\u07ca", "\U00010800", "\U0001e900"])
def test_a_text_with_a_right_to_left_script_is_shown_by_itself(text: str) -> None:
    assert isolated(text) == OPEN + text + CLOSE
    assert isolated(isolated(text)) == isolated(text)
    assert isolated(f"roll 3, {isolated(text)}: 10") == f"roll 3, {isolated(text)}: 10"


@pytest.mark.parametrize("character", UNSEEN)
def test_nothing_gets_out_of_its_isolation(character: str) -> None:
    told = isolated(f"{HEBREW}{character}{HEBREW}")
    assert told.startswith(OPEN)
    assert told.endswith(CLOSE)
    assert not set(told[1:-1]) & set(UNSEEN)
    assert plain(told) == told


@given(st.text(st.sampled_from(["a", "1", " ", "\u05d0", "\u0661", OPEN, CLOSE, "\u202e", "\n"])))
def test_what_is_plain_has_isolates_in_pairs_only(text: str) -> None:
    for told in (plain(text), plain(f"x {isolated(text)} y")):
        rest = re.sub(f"{OPEN}[^{OPEN}{CLOSE}\n\u202e]*{CLOSE}", "", told)
        assert not set(rest) & set(UNSEEN)
        assert plain(told) == told


@given(st.text(st.sampled_from(["a", "1", "\u05d0", " "])), st.integers(1, 5))
def test_lines_that_a_text_is_broken_into_are_isolated_each(text: str, width: int) -> None:
    whole = f"roll {isolated(text)} 10"
    lines = balanced([whole[at : at + width] for at in range(0, len(whole), width)])
    for line in lines:
        outside = re.sub(f"{OPEN}[^{CLOSE}]*{CLOSE}", "", line).replace(CLOSE, "")
        assert not any(unicodedata.bidirectional(c) == "R" for c in outside)
        assert OPEN not in outside
    assert "".join(lines).replace(OPEN, "").replace(CLOSE, "") == whole.replace(OPEN, "").replace(CLOSE, "")


def test_a_value_of_a_message_is_isolated_and_a_message_in_it_is_not_again() -> None:
    inner = Message("{source} is {what!r}", source=HEBREW, what=HEBREW)
    told = str(Message("{inner}, by {name}, {count:+d}", inner=inner, name="alice", count=3))
    assert told == f"{isolated(HEBREW)} is {OPEN}{HEBREW!r}{CLOSE}, by alice, +3"


def test_all_texts_of_a_value_are_isolated() -> None:
    assert isolated_in({"a": [HEBREW, 1, None, {"b": "c"}], "d": (True,)}) == {
        "a": [isolated(HEBREW), 1, None, {"b": "c"}],
        "d": [True],
    }


# --- what commands show -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home", title=HEBREW)


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)
    found = Cli(Path(shutil.copytree(begun, tmp_path / "home")), capsys, monkeypatch)
    body = (
        f'{{"source":"{HEBREW}","dice":"1d20","effects":[{{"source":"{HEBREW}","kind":"reroll","optional":true}}],'
        f'"modifiers":[{{"source":"{HEBREW}","amount":2}}],"table":[{{"range":"1–100","effect":"{HEBREW}"}}]}}'
    )
    assert found("magic", "roll", HEBREW, "--as", "alice", "--body", body).code == 0
    return found


def game_of(cli: Cli) -> str:
    return str(cli.value("games")[0]["game"])


def alone(text: str) -> bool:
    """Whether each right-to-left character stands within isolates, and they are balanced."""
    rest = re.sub(f"{OPEN}[^{OPEN}{CLOSE}\n]*{CLOSE}", "", text)
    return not any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in rest) and OPEN not in rest


@pytest.mark.parametrize("command", ["games", "log", "state", "explain", "verify"])
def test_a_command_shows_each_text_by_itself(cli: Cli, command: str) -> None:
    given = {"games": (), "explain": ("Table", "7")}.get(command, ("Table",))
    told = cli.ok(command, *(game_of(cli) if what == "Table" else what for what in given))
    assert alone(told), told
    assert command == "verify" or isolated(HEBREW) in told


@pytest.mark.parametrize("command", ["games", "log", "state"])
def test_json_has_each_text_as_it_is(cli: Cli, command: str) -> None:
    answer = str(cli.value(command, *(() if command == "games" else (HEBREW,))))
    assert HEBREW in answer
    assert OPEN not in answer


@pytest.mark.long
def test_a_narrow_terminal_breaks_no_isolation(cli: Cli) -> None:
    code, told = on_terminal("state", HEBREW, env={"ROLLPROOF_HOME": str(cli.home)}, columns=40)
    assert code == 0
    assert all(alone(line) for line in told.splitlines()), told


def test_the_page_isolates_each_text(cli: Cli, tmp_path: Path) -> None:
    log, page = tmp_path / "log.jsonl", tmp_path / "page.html"
    cli.ok("export", HEBREW, "--out", log)
    cli.ok("report", log, "--out", page)
    text = re.sub(r"<bdi>[^<]*</bdi>", "", page.read_text())
    assert f"<bdi>{HEBREW}</bdi>" in page.read_text()
    assert alone(text)
