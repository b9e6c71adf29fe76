"""The bot of specs/guide/bots.md, as it stands on the page: from one thread and from several."""

import importlib.util
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from ledger import Home, LedgerError, Table, UsageError, open_table
from tests.support.cli import PASSPHRASE, state_of
from tests.support.cli_scene import begin
from tests.support.pages import GUIDE, blocks
from verifier import verify

PARTIES = ("host", "alice", "bob")


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    (text,) = (block.text for block in blocks(GUIDE / "bots.md") if block.name == "bot.py")
    assert len(text.splitlines()) <= 40
    path = tmp_path_factory.mktemp("bot") / "bot.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("bot", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(begin(tmp_path / "home", "dice"), state_of(tmp_path / "home"))


@pytest.fixture
def table(home: Home) -> Iterator[Table]:
    with open_table(home, "Scene", dict.fromkeys(PARTIES, PASSPHRASE.encode())) as table:
        yield table


@pytest.mark.long
def test_it_answers_rolls_and_says_what_is_wrong(bot: ModuleType, table: Table) -> None:
    answer = bot.Bot(table).answer
    assert answer("alice", "hello") is None
    assert answer("alice", "!roll 4d6kh3 for Strength").startswith("alice: 4d6kh3 (")
    assert "As in:" in answer("bob", "!roll a 6 please")
    assert answer("eve", "!roll d6") == "eve: eve is not at hand at this table"
    assert "keeper" in answer("host", "!roll d6")
    assert table.view.replay.session.requests == 1


def test_it_is_asked_from_many_threads_at_once(bot: ModuleType, table: Table) -> None:
    answer = bot.Bot(table).answer
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: answer("alice" if n % 2 else "bob", f"!roll d6 + {n}"), range(16)))
    assert len({told.rpartition("(event ")[2] for told in answers}) == 16
    assert Counter(told.partition(":")[0] for told in answers) == {"alice": 8, "bob": 8}
    report, _ = verify(b"".join(line + b"\n" for line in table.view.lines(0)))
    assert report.verdict == "holds"
    assert report.state is not None
    assert len(report.state["rolls"]) == 16


def test_whoever_is_elsewhere_is_awaited(bot: ModuleType, home: Home) -> None:
    with open_table(home, "Scene", dict.fromkeys(("host", "alice"), PASSPHRASE.encode())) as table:
        assert bot.Bot(table).answer("alice", "!roll d6") == "alice: waiting for bob"
        with pytest.raises(UsageError, match="waits for bob"):
            table.roll("alice", "d6")


def test_a_seat_is_opened_for_a_party_alone(home: Home) -> None:
    home.new_identity("eve", PASSPHRASE.encode())
    with pytest.raises(LedgerError, match="eve's key here is none"), open_table(home, "Scene", {"eve": b"x"}):
        pass
