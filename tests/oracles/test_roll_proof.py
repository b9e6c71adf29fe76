"""Proofs of one roll: vectors, what makes them, and what commands say (specs/roll-proof.md)."""

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SPECS
from tests.make import rolls as make_rolls
from tests.oracles import reference as ref
from tests.support.cli import Cli
from tests.support.cli_scene import begin
from verifier import Pins, VerifierKey, verify
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.checkpoints.roll_proof import MAX_ROLL_FILE, make_roll_proof, verify_roll_proof
from verifier.errors import NoteError

CASES: list[dict[str, Any]] = json.loads((SPECS / "vectors" / "rolls.json").read_bytes())["cases"]
GOOD: str = CASES[0]["file"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["about"])
def test_vectors(case: dict[str, Any]) -> None:
    report = verify_roll_proof(case["file"].encode())
    errors = [finding.code for finding in report.findings if finding.severity == "error"]
    assert errors == ([case["code"]] if case["code"] else [])
    if case["code"] is None:
        assert [finding.code for finding in report.findings] == case["notices"]
        assert report.state is not None
        assert all(report.state[name] == case[name] for name in ("naturals", "request") if name in case)
    assert report.exit_code == {None: 0, "roll-proof.malformed": 2}.get(case["code"], 1)


def test_the_vectors_are_those_of_the_page() -> None:
    assert json.loads(make_rolls.FILE.read_bytes())["cases"] == make_rolls.cases()


def test_every_step_has_a_vector() -> None:
    page = (SPECS / "roll-proof.md").read_text(encoding="utf-8")
    codes = {line.rpartition("`roll-proof.")[2].split("`")[0] for line in page.splitlines() if line.startswith("| 5")}
    assert codes == {case["code"].partition(".")[2] for case in CASES if case["code"]}


def test_every_byte_counts() -> None:
    """Whatever is changed in it, it does not hold any more, or is no proof; it never shows other dice."""
    shown = verify_roll_proof(GOOD.encode()).state
    data = GOOD.encode()
    for at in range(0, len(data), 61):
        for bit in (1, 32):
            changed = bytearray(data)
            changed[at] ^= bit
            report = verify_roll_proof(bytes(changed))
            assert report.verdict != "holds" or report.state == shown, at


@pytest.mark.parametrize("title", ["<script>alert(1)</script>", "}{", "\u05d0 1", "a" * 500])
def test_a_title_is_a_text(title: str) -> None:
    table = make_rolls.Table("hostile", title=title)
    proof = table.proof(table.roll("alice", "d20", [20], title))
    report = verify_roll_proof(ref.canonical(proof))
    assert report.verdict == "holds"
    assert report.state is not None
    assert (report.state["title"], report.state["asked"]["source"]) == (title, title)


def test_who_knows_the_keys_gives_them() -> None:
    key = VerifierKey.parse(ref.verifier_key("host", ref.public_key("host")))
    report = verify_roll_proof(GOOD.encode(), pins=Pins(keys=(key,)))
    assert not any("stranger" in text for text in report.not_checked)
    other = VerifierKey.parse(ref.verifier_key("host", ref.public_key("mallory")))
    [error] = verify_roll_proof(GOOD.encode(), pins=Pins(keys=(other,))).findings
    assert error.code == "roll-proof.open"
    [error] = verify_roll_proof(GOOD.encode(), pins=Pins(game=bytes(32))).findings
    assert error.code == "roll-proof.open"


def test_what_is_too_long_is_not_read() -> None:
    assert verify_roll_proof(GOOD.encode() + b" " * MAX_ROLL_FILE).verdict == "unreadable"


def test_what_is_made_of_a_log_is_what_the_vectors_have() -> None:
    table = make_rolls.Table("a proof of one roll")
    first = table.roll("alice", "4d6kh3", [6] * 4, "Strength")
    table.roll("bob", "d20", [20])
    checkpoint = parse_checkpoint(table.note(len(table.w.lines)).encode())
    assert bytes(make_roll_proof(table.w.lines, first, checkpoint)).decode() == GOOD
    for number in (0, first + 1, len(table.w.lines)):
        with pytest.raises(NoteError):
            make_roll_proof(table.w.lines, number, checkpoint)


def test_a_roll_is_shared_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cli = Cli(begin(tmp_path / "home", "dice"), capsys, monkeypatch)
    number = cli.value("roll", "Scene", "4d6kh3 for Strength", "--as", "alice")["seq"]
    file = tmp_path / "mine.roll"
    assert cli("share", "Scene", str(number), "--out", str(file)).code == 0
    told = cli("verify", str(file))
    assert told.code == 0
    assert "the proof of a roll HOLDS" in told.out
    assert "not checked: Which of several rolls" in told.out
    link = cli.value("share", "Scene", str(number), "--names", "--link", "https://dice.example.org/")["link"]
    address, _, packed = link.partition("/verify#roll=")
    assert address == "https://dice.example.org"
    unpacked = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15)
    assert json.loads(unpacked) == json.loads(file.read_bytes()) | {"names": True}
    reveal = cli("share", "Scene", str(number + 1))
    assert reveal.code != 0
    assert f"the roll's number is that of its request: {number}" in reveal.err
    assert cli("share", "Scene", str(number), "--link", "https://dice.example.org@evil.example").code == 64
    policy = tmp_path / "x.policy"
    policy.write_text("quorum none\n")
    refused = cli("verify", str(file), "--policy", str(policy))
    assert "no receipts and meets no policy" in refused.out + refused.err
    file.write_bytes(file.read_bytes().replace(b'"Strength', b'"Strengtx'))
    told = cli("verify", str(file))
    assert (told.code, "roll-proof.line" in told.out or "roll-proof" in told.out) == (1, True)


def test_it_is_no_log(tmp_path: Path) -> None:
    assert verify(GOOD.encode())[0].verdict == "unreadable"


def history(word: str) -> make_rolls.Table:
    """One of two histories of one game: they part at the second roll."""
    table = make_rolls.Table("a forked game")
    table.roll("alice", "d20", [20])
    table.roll("bob", "d6", [6], word)
    return table


def test_a_fork_is_found_by_whoever_has_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both histories hold, and so does the proof of a roll of one; the keeper signed both."""
    one, other = history("one"), history("other")
    request = len(one.w.lines) - 2
    proof, log = tmp_path / "one.roll", tmp_path / "other.jsonl"
    proof.write_bytes(ref.canonical(one.proof(request)) + b"\n")
    log.write_bytes(other.w.data)
    cli = Cli(tmp_path / "home", capsys, monkeypatch)
    assert [cli("verify", each).code for each in (proof, log)] == [0, 0]
    told = cli("verify", log, "--receipt", proof)
    assert told.code == 1
    assert "receipt.forked (fault: host)" in told.out
    log.write_bytes(one.w.data)
    assert cli("verify", log, "--receipt", proof).code == 0
    proof.write_bytes(b'{"checkpoint":"rollproof/v1/')
    assert "receipt.malformed" in cli("verify", log, "--receipt", proof).out
