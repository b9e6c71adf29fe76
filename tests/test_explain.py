"""`rollproof explain` (specs/explanations.md): a shell redoes every number; every roll is explained."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ledger.explanation import Explanation, explain
from tests.cli import Cli, make_home
from tests.conftest import SPECS
from verifier import verify
from verifier.format import decode_envelope

LOGS = SPECS / "vectors" / "logs"
HOLDING = sorted(LOGS.glob("holds--*.jsonl"))
BY_HAND = ["holds--void-and-again", "holds--renewal-after-void", "holds--void-of-a-reroll"]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(Path(shutil.copytree(begun, tmp_path / "home")), capsys, monkeypatch)


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().removesuffix(b"\n").split(b"\n")


def explained(path: Path, seq: int) -> Explanation:
    lines = lines_of(path)
    return explain(lambda: lines, seq, str(path))


def commands_of(value: Any) -> list[tuple[str, str]]:
    """All commands in a JSON value, with what they print."""
    if isinstance(value, list):
        return [pair for item in value for pair in commands_of(item)]
    if not isinstance(value, dict):
        return []
    if set(value) == {"command", "prints"}:
        return [(value["command"], value["prints"])]
    return [pair for item in value.values() for pair in commands_of(item)]


def check_by_hand(commands: list[tuple[str, str]], folder: Path) -> None:
    """Each command ends its output with what it is said to print."""
    for command, prints in commands:
        run = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True)
        assert run.returncode == 0, (command, run.stderr)
        assert run.stdout.strip().endswith(prints), command


@pytest.mark.parametrize("name", BY_HAND)
def test_a_shell_redoes_every_number(name: str, cli: Cli, tmp_path: Path) -> None:
    log = tmp_path / "it's a log, 'quoted'.jsonl"
    log.write_bytes((LOGS / f"{name}.jsonl").read_bytes())
    requests = [n for n, line in enumerate(lines_of(log)) if decode_envelope(line).type in ("roll", "reroll")]
    commands = [pair for seq in requests for pair in commands_of(cli.value("explain", log, str(seq)))]
    assert len(commands) > 5 * len(requests)
    check_by_hand(list(dict.fromkeys(commands)), tmp_path)


def test_a_shell_finds_out_what_was_changed(cli: Cli, tmp_path: Path) -> None:
    """So the commands of the test above can fail: on the log with one letter changed they do."""
    log = tmp_path / "log.jsonl"
    log.write_bytes((LOGS / "holds--void-and-again.jsonl").read_bytes())
    found = cli.value("explain", log, "9")
    log.write_bytes(log.read_bytes().replace(b'"type":"roll"', b'"type":"rolL"'))
    for by_hand in found["draws"][0]["request"]["by_hand"]:
        with pytest.raises(AssertionError):
            check_by_hand([(by_hand["command"], by_hand["prints"])], tmp_path)


@pytest.mark.parametrize("path", HOLDING, ids=lambda path: path.stem)
def test_every_event_of_every_log_that_holds_is_explained(path: Path) -> None:
    """The dice are those of the log, and an event of a roll is told with all others of that roll."""
    lines = lines_of(path)
    _, replay = verify(path.read_bytes())
    assert replay is not None
    numbers = {clause.number for clause in replay.session.system.clauses}
    for seq, line in list(enumerate(lines))[-40:]:
        found = explain(lambda: lines, seq, "log")
        assert found.event.seq == seq
        assert seq in found.events
        event = decode_envelope(line)
        if event.type == "reveal":
            draw = next(draw for draw in found.draws if draw.end == seq)
            assert [die.natural for die in draw.dice] == json.loads(line)["body"]["naturals"]
            assert draw.seed is not None
        if event.type in ("open", "join", "commit", "close"):
            assert found.roll is None
            assert not found.draws
        for told in found.told:
            assert told.clause is None or any(_within(told.clause, number) for number in numbers), told.clause
            assert "{" not in str(told)


def _within(clause: str, number: str) -> bool:
    return clause.startswith(number) or number.startswith(clause)


def test_a_link_after_a_void_is_walked_down_in_several_steps() -> None:
    path = LOGS / "holds--void-nobody-opened.jsonl"
    draws = [
        draw
        for seq, line in enumerate(lines_of(path))
        if decode_envelope(line).type == "roll"
        for draw in explained(path, seq).draws
    ]
    gaps = [o.index - o.known.index for draw in draws for o in draw.openings]
    assert all(len(o.by_hand) == o.index - o.known.index + 1 for draw in draws for o in draw.openings)
    assert max(gaps, default=1) >= 1


def test_a_voided_roll_says_who_failed(cli: Cli) -> None:
    log = LOGS / "holds--void-and-again.jsonl"
    seq = next(n for n, line in enumerate(lines_of(log)) if decode_envelope(line).type == "void")
    told = cli.ok("explain", log, str(seq))
    assert "failed to open" in told
    assert "Step 4" not in told
    assert "nothing comes of it" in told


def test_an_event_of_no_roll(cli: Cli) -> None:
    told = cli.ok("explain", LOGS / "holds--void-and-again.jsonl", "1")
    assert "belongs to no roll" in told


def test_an_event_that_is_not_there(cli: Cli) -> None:
    assert "there is no event 999" in cli.refused("explain", LOGS / "holds--void-and-again.jsonl", "999")


def test_an_event_behind_the_flaw_is_not_explained(cli: Cli) -> None:
    result = cli("explain", LOGS / "author.role--judge-resolves.jsonl", "9")
    assert result.code == 1
    assert "FAILS at event 9" in result.out


def test_an_event_before_the_flaw_is_explained(cli: Cli) -> None:
    assert "Step 6" in cli.ok("explain", LOGS / "author.role--judge-resolves.jsonl", "8")


def test_what_is_no_log(cli: Cli, tmp_path: Path) -> None:
    assert "no such log or stored game" in cli.refused("explain", tmp_path / "none.jsonl", "1")
    other = tmp_path / "text.jsonl"
    other.write_text("hello\n")
    assert cli("explain", other, "0").code == 2


def test_a_stored_game_in_japanese(cli: Cli) -> None:
    cli.ok("roll", "Table 12", "d20", "--as", "alice", "--source", "Delina", "--use", "15 or more: again")
    seq = cli.value("state", "Table 12")["rolls"][-1]["roll"]
    english = cli.value("explain", "Table 12", str(seq))
    assert {rule["clause"] for rule in english["rules"]} >= {"706.1", "706.1a", "706.2"}
    told = cli.ok("explain", "Table 12", str(seq), "--lang", "ja")
    assert all(rule["text"] not in told for rule in english["rules"]), "what the rules say is Japanese"
