"""`rollproof explain` (specs/explanations.md): a shell redoes every number; every roll is explained."""

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ledger.analysis.explanation import Draw, Explanation, explain
from tests.conftest import SPECS
from tests.support.bundles import bundled
from tests.support.cli import Cli, make_home
from tests.support.sizes import LARGE
from verifier import verify
from verifier.log.format import decode_envelope

LOGS = SPECS / "vectors" / "logs"


@cache
def lines_of(path: Path) -> list[bytes]:
    """Of a log that holds, without an offer behind it."""
    data = path.read_bytes()
    lines = data.removesuffix(b"\n").split(b"\n")
    return lines[: verify(data)[0].events] if path.name.startswith("holds--") else lines


HOLDING = sorted(LOGS.glob("holds--*.jsonl"))
BY_HAND = ["holds--void-and-again", "holds--renewal-after-void", "holds--void-of-a-reroll"]
WITHOUT_DICE = [
    path
    for path in HOLDING
    if b'"type":"void"' in path.read_bytes() or path.stem.startswith("holds--left-without-dice")
]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(Path(shutil.copytree(begun, tmp_path / "home")), capsys, monkeypatch)


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


@pytest.mark.long
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


@pytest.mark.long
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
            naturals = json.loads(line)["body"]["naturals"]
            secret = "sealed" in json.loads(lines[draw.request.seq])["body"]
            if secret:
                assert naturals == []
                shows = [json.loads(each)["body"] for each in lines if b'"type":"show"' in each]
                naturals = next((show["naturals"] for show in shows if show["request"] == draw.request.seq), [])
            assert [die.natural for die in draw.dice] == naturals
            assert (draw.seed is not None) == (naturals != [] or not secret)
        if event.type == "disclose" or (event.type == "close" and "openings" in json.loads(line)["body"]):
            closed = event.type == "close"
            draw = next(draw for draw in found.draws if draw.end == (seq if closed else seq - 1))
            assert draw.disclosed == (None if closed else seq)
        elif event.type in ("open", "join", "commit", "close"):
            assert found.roll is None
            assert not found.draws
        for told in found.told:
            assert told.clause is None or any(_within(told.clause, number) for number in numbers), told.clause
            assert "{" not in str(told)


def _within(clause: str, number: str) -> bool:
    return clause.startswith(number) or number.startswith(clause)


def test_a_link_after_a_void_is_walked_down_in_several_steps() -> None:
    gaps = []
    for path in HOLDING:
        if b'"type":"void"' in path.read_bytes():
            for draw in draws_of(path):
                assert all(len(o.by_hand) == o.index - o.known.index + 1 for o in draw.openings)
                assert all(len(s.by_hand) == s.shown.index - s.known.index for s in draw.shown)
                gaps += [o.index - o.known.index for o in draw.openings]
    assert max(gaps) > 1


def draws_of(path: Path) -> list[Draw]:
    requests = [n for n, line in enumerate(lines_of(path)) if decode_envelope(line).type in ("roll", "reroll")]
    draws = {draw.request.seq: draw for seq in requests for draw in explained(path, seq).draws}
    return [draws[seq] for seq in requests]


@bundled("path", [path for path in HOLDING if path.stat().st_size <= LARGE], lambda path: path.stem)
def test_a_request_without_dice_shows_what_the_verifier_found(path: Path) -> None:
    check_requests_without_dice(path)


@pytest.mark.long
@pytest.mark.parametrize("path", [path for path in HOLDING if path.stat().st_size > LARGE], ids=lambda path: path.stem)
def test_a_request_without_dice_of_a_large_log_shows_what_the_verifier_found(path: Path) -> None:
    check_requests_without_dice(path)


def check_requests_without_dice(path: Path) -> None:
    _, replay = verify(path.read_bytes())
    assert replay is not None
    ended = [draw for draw in draws_of(path) if draw.ended not in (None, "reveal")]
    assert [draw.request.seq for draw in ended] == [roll.pending.seq for roll in replay.voided]
    for draw, roll in zip(ended, replay.voided, strict=True):
        assert (draw.end, draw.ended, draw.by, draw.missing) == (roll.ended, roll.how, roll.by, roll.missing)
        assert draw.hidden_by == roll.hidden_by
        assert tuple(die.natural for die in draw.dice) == roll.naturals
        kept = roll.pending.secret is not None and not roll.secret
        assert (draw.seed is None) == (bool(roll.hidden_by) or kept)
        assert draw.links == {name: link.hex() for name, link in roll.links.items()}
        for shown in draw.shown:
            prints = [shown.shown.link, *(by_hand.prints for by_hand in shown.by_hand)]
            assert prints[shown.shown.index - shown.index] == shown.link
            assert prints[-1] == shown.known.link


def test_every_way_by_which_a_link_can_be_known_is_told() -> None:
    """By a later opening, by the commit that replaces the chain, and given away on leaving."""
    ways = set()
    for path in HOLDING:
        for draw in draws_of(path) if b'"void"' in path.read_bytes() or b'"burned"' in path.read_bytes() else ():
            types = [decode_envelope(line).type for line in lines_of(path)]
            ways |= {types[shown.shown.seq] for shown in draw.shown}
    assert ways >= {"reveal", "commit", "close", "leave", "away"}, ways


@pytest.mark.long
@pytest.mark.parametrize("path", WITHOUT_DICE, ids=lambda path: path.stem)
def test_a_shell_finds_what_a_request_without_dice_would_have_shown(path: Path, cli: Cli, tmp_path: Path) -> None:
    _, replay = verify(path.read_bytes())
    assert replay is not None
    for roll in replay.voided:
        found = cli.value("explain", path, str(roll.pending.seq))
        (draw,) = (draw for draw in found["draws"] if draw["request"]["seq"] == roll.pending.seq)
        by_hand = [value for name, value in draw.items() if name != "request"]
        check_by_hand(commands_of(by_hand), tmp_path)
        told = cli.ok("explain", path, str(roll.pending.seq))
        undisclosed = draw["ended"] == "void" and draw["disclosed"] is None
        assert ("has not been disclosed yet" in told) == undisclosed
        both = draw["ended"] == "void" and draw["by"] in [opened["author"] for opened in draw["openings"]]
        assert ("opened for this request too" in told) == both
        assert ("would have shown is not known" in told) == (bool(roll.hidden_by) and not undisclosed)
        assert all(link.hex() in told for link in roll.links.values())
        for sides, natural in zip(roll.sides, roll.naturals, strict=True):
            assert re.search(rf"^\d+ +{sides} .* {natural}( |$)", told, re.MULTILINE)


def test_a_voided_roll_says_by_whom_and_whom_it_names(cli: Cli) -> None:
    log = LOGS / "holds--void-and-again.jsonl"
    lines = lines_of(log)
    seq = next(n for n, line in enumerate(lines) if decode_envelope(line).type == "void")
    void = json.loads(lines[seq])
    told = cli.ok("explain", log, str(seq))
    assert f"In event {seq} {void['author']} voids the request." in told
    if void["body"]["missing"]:
        assert f"by {void['author']}'s word: {', '.join(void['body']['missing'])}" in told
    assert "nothing comes of it" in told


def test_an_event_of_no_roll(cli: Cli) -> None:
    told = cli.ok("explain", LOGS / "holds--void-and-again.jsonl", "1")
    assert "belongs to no roll" in told


def test_an_event_that_is_not_there(cli: Cli) -> None:
    assert "there is no event 999" in cli.refused("explain", LOGS / "holds--void-and-again.jsonl", "999")


def test_an_event_behind_the_flaw_is_not_explained(cli: Cli) -> None:
    result = cli("explain", LOGS / "author.role--judge-resolves.jsonl", "9")
    assert result.code == 1
    assert "FAILS (something is wrong) at event 9" in result.out


def test_an_event_before_the_flaw_is_explained(cli: Cli) -> None:
    assert "Step 6" in cli.ok("explain", LOGS / "author.role--judge-resolves.jsonl", "8")


def test_what_is_no_log(cli: Cli, tmp_path: Path) -> None:
    assert "no such log or stored game" in cli.refused("explain", tmp_path / "none.jsonl", "1")
    other = tmp_path / "text.jsonl"
    other.write_text("hello\n")
    assert cli("explain", other, "0").code == 2


def test_a_stored_game_in_japanese(cli: Cli) -> None:
    cli.ok("roll", "Table 12", "d20 Delina: 15 or more: again", "--as", "alice")
    seq = cli.value("state", "Table 12")["rolls"][-1]["roll"]
    english = cli.value("explain", "Table 12", str(seq))
    assert {rule["clause"] for rule in english["rules"]} >= {"706.1", "706.1a", "706.2"}
    told = cli.ok("explain", "Table 12", str(seq), "--lang", "ja")
    assert all(rule["text"] not in told for rule in english["rules"]), "what the rules say is Japanese"
