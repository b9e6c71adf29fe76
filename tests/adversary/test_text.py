"""Texts of parties as they are shown (specs/log.md, "Text"): none reorders what stands around it."""

import json
import re
import shutil
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.data.bounds import MAX_TEXT
from rules.data.jsontext import quote_value
from rules.data.language import Message
from rules.data.text import TEXT_PATTERN, balanced, isolated, isolated_in, plain, safe_json
from rules.data.unseen import UNICODE
from tests.conftest import SPECS
from tests.make.unseen import differing
from tests.oracles import network_client, reference, reference_rules
from tests.support.bundles import bundled
from tests.support.cli import PASSPHRASE, Cli, make_home, on_terminal

HEBREW = "\u05d1\u05e8\u05e7 10"
ARABIC_DIGITS = "\u0661\u0662"
OPEN, CLOSE = "\u2068", "\u2069"
VECTORS = json.loads((SPECS / "vectors" / "texts.json").read_text(encoding="utf-8"))
UNSEEN = [chr(code) for first, last in VECTORS["refused"] for code in range(first, last + 1)]
JOINERS = "\u200c\u200d\ufe0f"


def test_the_tables_are_what_the_property_makes() -> None:
    assert differing() == []
    assert VECTORS["unicode"] == UNICODE
    assert f"**Unicode {UNICODE}**" in (SPECS / "log.md").read_text(encoding="utf-8")


def test_the_page_names_every_character_that_no_text_has() -> None:
    """Among all of Unicode, and no other; the joiners have places of their own."""
    text = (SPECS / "log.md").read_text().partition("## Text")[2].partition("## Hashes")[0]
    named: set[int] = set()
    for row in re.findall(r"^\| (U\+.*?) \|", text, re.MULTILINE):
        for part in row.split(", "):
            first, _, last = part.replace("U+", "").partition("–")
            named |= set(range(int(first, 16), int(last or first, 16) + 1))
    pattern = re.compile(TEXT_PATTERN)
    refused = {code for code in range(0x110000) if pattern.match(f"\u00e9{chr(code)}") is None}
    assert named == refused == set(map(ord, UNSEEN))


@bundled("case", VECTORS["texts"], lambda case: str(case["about"]))
def test_texts_of_the_vectors(case: dict[str, Any]) -> None:
    """As the oracles say too, which were written from the page."""
    text = case["text"]
    fits = len(text) <= MAX_TEXT and re.match(TEXT_PATTERN, text) is not None
    assert fits == reference.is_text(text) == reference_rules.is_text(text) == network_client.is_text(text)
    assert fits == case["valid"]


@pytest.mark.parametrize(
    "hostile", ["\u00e9\u200d" * 30_000 + "\n", "\u00e9" * 60_000 + "\n", "1\ufe0f\u20e3" * 20_000 + "\n"]
)
def test_a_long_text_is_refused_at_once(hostile: str) -> None:
    began = time.process_time()
    assert re.match(TEXT_PATTERN, hostile) is None
    assert time.process_time() - began < 1


def test_what_nobody_sees_is_shown_by_its_number() -> None:
    for character in UNSEEN:
        code = f"{ord(character):04x}"
        assert plain(f"a{character}b") == (f"a\\u{code}b" if len(code) == 4 else f"a\\u{{{code}}}b")
        assert json.loads(safe_json(json.dumps(f"\u00e9{character}", ensure_ascii=False))) == f"\u00e9{character}"
        assert character not in safe_json(f"\u00e9{character}")
        assert character not in quote_value(f"\u00e9{character}")


@pytest.mark.parametrize(
    "text", ["", "Lightning Bolt", "\u7a32\u59bb", "\u00e9", "\u20ac 10", "\U0001f3b2", "\u0928\u200d", "\u2764\ufe0f"]
)
def test_a_text_of_other_scripts_is_shown_as_it_is(text: str) -> None:
    assert isolated(text) == text


@pytest.mark.parametrize("text", [HEBREW, "a \u0627", ARABIC_DIGITS, "\u07ca", "\U00010800", "\U0001e900"])
def test_a_text_with_a_right_to_left_script_is_shown_by_itself(text: str) -> None:
    assert isolated(text) == OPEN + text + CLOSE
    assert isolated(isolated(text)) == isolated(text)
    assert isolated(f"roll 3, {isolated(text)}: 10") == f"roll 3, {isolated(text)}: 10"


@bundled("character", [character for character in UNSEEN if ord(character) < 0xE0002], ascii)
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
