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
from verifier.checkpoints.checkpoint import SignedCheckpoint, parse_checkpoint
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


def test_a_caller_knows_the_key_of_somebody_who_came_later() -> None:
    table = make_rolls.Table("somebody came later", admits=["player"])
    table.w.admit("zoe", "player")
    table.w.join("zoe")
    table.w.commit("zoe", length=9)
    proof = ref.canonical(table.proof(table.roll("zoe", "d20", [20])))
    for seed, codes in (("zoe", []), ("mallory", ["roll-proof.open"])):
        key = VerifierKey.parse(ref.verifier_key("zoe", ref.public_key(seed)))
        assert [finding.code for finding in verify_roll_proof(proof, pins=Pins(keys=(key,))).findings] == codes


def test_what_is_too_long_is_not_read() -> None:
    """Lines of the greatest length are taken, and a file of the greatest length, line feed and all."""
    table = make_rolls.Table("a long proof")
    roll = table.roll("alice", "d20", [20])
    within = len(table.w.lines)

    def line(size: int) -> None:
        event: dict[str, Any] = {"author": "alice", "body": {"x": ""}, "game": table.w.game.hex(), "prev": ref.ZEROS}
        event |= {"seq": len(table.w.lines), "time": "2026-11-20T19:00:00.000Z", "type": "declare"}
        event["body"]["x"] = "x" * (size - len(quick(event | {"sig": "00" * 64})))
        sig = ref.private_key("alice").sign(ref.EVENT_LABEL + quick(event)).hex()
        table.w.append(quick(event | {"sig": sig}))

    def quick(value: Any) -> bytes:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()

    def proof() -> bytes:
        return quick(table.proof(roll, more=range(within, len(table.w.lines)))) + b"\n"

    for size in [ref.MAX_LINE] * 31 + [1_000]:
        line(size)
    left = MAX_ROLL_FILE - len(proof())
    for size, verdict in ((MAX_ROLL_FILE, "holds"), (MAX_ROLL_FILE + 1, "unreadable")):
        table.w.lines.pop()
        line(1_000 + left + size - MAX_ROLL_FILE)
        assert len(proof()) == size
        assert verify_roll_proof(proof()).verdict == verdict


def signed_by_the_keeper(table: make_rolls.Table) -> SignedCheckpoint:
    return parse_checkpoint(table.note(len(table.w.lines)).encode())


def test_what_is_made_of_a_log_is_what_the_vectors_have() -> None:
    table = make_rolls.Table("a proof of one roll")
    first = table.roll("alice", "4d6kh3", [6] * 4, "Strength")
    table.roll("bob", "d20", [20])
    checkpoint = signed_by_the_keeper(table)
    assert bytes(make_roll_proof(table.w.lines, first, checkpoint)).decode() == GOOD
    size = len(table.w.lines)
    for number, words in {
        -1: "event -1 is no roll that it shows",
        0: "event 0 is no roll that has dice",
        first + 1: f"that of its request: {first}",
        size - 1: f"that of its request: {size - 2}",
        size: f"event {size} is no roll that it shows",
    }.items():
        with pytest.raises(NoteError, match=words):
            make_roll_proof(table.w.lines, number, checkpoint)
    waits = parse_checkpoint(table.note(first + 1).encode())
    with pytest.raises(NoteError, match=f"event {first} is no roll that has dice"):
        make_roll_proof(table.w.lines, first, waits)


def test_what_was_ruled_and_agreed_on_a_roll_is_in_its_proof_and_no_other() -> None:
    table = make_rolls.Table("a table that talks", strike="all", admits=["judge"])
    rolls = [table.roll("alice", "d20", [20]) for _ in range(2)]
    table.w.admit("jo", "judge")
    for roll in rolls:
        for subject in (roll, roll + 1):
            table.w.write("dana", "ruling", {"ruling": "uphold", "subject": subject, "text": "seen"})
        table.w.write("bob", "strike", {"roll": roll})
    checkpoint = signed_by_the_keeper(table)
    for roll in rolls:
        proof = bytes(make_roll_proof(table.w.lines, roll, checkpoint))
        assert proof == ref.canonical(table.proof(roll)) + b"\n"
        found = [finding.code for finding in verify_roll_proof(proof).findings]
        assert found == ["roll-proof.ruling", "roll-proof.ruling", "roll-proof.strike"]


def test_a_proof_has_no_more_lines_than_a_reader_takes() -> None:
    table = make_rolls.Table("a much disputed roll")
    roll = table.roll("alice", "d20", [20])
    for _ in range(192 - 6):  # event 0, the request, its dice and three commitments
        table.w.write("dana", "ruling", {"ruling": "uphold", "subject": roll, "text": "again"})
    proof = make_roll_proof(table.w.lines, roll, signed_by_the_keeper(table))
    assert len(proof.lines) == 192
    assert verify_roll_proof(bytes(proof)).verdict == "holds"
    table.w.write("dana", "ruling", {"ruling": "uphold", "subject": roll, "text": "once more"})
    with pytest.raises(NoteError, match="more than 192 lines"):
        make_roll_proof(table.w.lines, roll, signed_by_the_keeper(table))


def test_no_proof_is_made_of_what_only_the_whole_log_shows() -> None:
    secret, number = make_rolls.secret_roll()
    with pytest.raises(NoteError, match="is a secret roll"):
        make_roll_proof(secret.w.lines, number, signed_by_the_keeper(secret))
    for renewed, roller in (("alice", "alice"), ("bob", "alice")):
        table = make_rolls.Table("a lost browser")
        before = table.roll(roller, "d20", [20])
        table.w.replace(renewed, "new")
        table.w.go_on(renewed, "new")
        table.w.join(renewed)
        table.w.commit(renewed, length=9)
        number = table.roll(roller, "d20", [20])
        with pytest.raises(NoteError, match=f"{renewed} goes on under a new key"):
            make_roll_proof(table.w.lines, number, signed_by_the_keeper(table))
        assert make_roll_proof(table.w.lines, before, signed_by_the_keeper(table))


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
