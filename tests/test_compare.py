"""Two files of one game, and evidence of two histories (specs/disputes.md). The forgers own keys; nobody is framed."""

import json
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from ledger.cli import run
from tests.cli import REPOSITORY
from tests.conftest import SPECS
from tests.table import Forger, Table, joined
from verifier import Pins, Report
from verifier.chain import MerkleTree, leaf_hash
from verifier.checkpoint import Checkpoint, sign_checkpoint
from verifier.compare import Comparison, File, compare
from verifier.evidence import Evidence, verify_evidence
from verifier.format import encode


def file_of(lines: list[bytes], name: str = "log", receipts: dict[str, bytes] | None = None) -> File:
    return File(name, lambda: BytesIO(joined(lines)), receipts or {})


def compared(one: list[bytes], other: list[bytes]) -> Comparison:
    return compare(file_of(one, "one"), file_of(other, "other"))


def forger(table: Table, name: str) -> Forger:
    return Forger(table.identities[name])


def trigger(source: str) -> dict[str, Any]:
    return {"what": "trigger", "source": source, "on": "rolled"}


def went_on(table: Table, lines: list[bytes], *events: tuple[str, str, Any]) -> list[bytes]:
    """The lines, and further events by whoever owns the keys."""
    lines = list(lines)
    for name, kind, body in events:
        lines.append(forger(table, name).event(lines, kind, body))
    return lines


@pytest.fixture
def begun(table: Table) -> list[bytes]:
    table.roll("alice")
    return table.lines


@pytest.fixture
def forked(table: Table, begun: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The keeper shows two histories, and closes both."""
    one = went_on(table, begun, ("alice", "declare", trigger("a dwarf")), ("host", "close", {}))
    other = went_on(table, begun, ("bob", "declare", trigger("a clown")), ("host", "close", {}))
    return one, other


def evidence_of(found: Comparison, name: str = "host") -> Evidence:
    assert found.fork is not None
    return found.fork.evidence[name]


def code(data: bytes | Evidence, pins: Pins | None = None) -> str:
    """The verdict on evidence by its finding's code."""
    report = verify_evidence(bytes(data), pins=pins)
    (finding,) = report.findings
    assert (report.verdict == "holds") == (finding.code == "evidence.fork")
    assert finding.message
    assert (finding.fault == "file") == (report.verdict != "holds")
    return finding.code


# --- comparing -----------------------------------------------------------------------------------------------------


def test_equal_and_prefix(begun: list[bytes]) -> None:
    assert compared(begun, begun).outcome == "equal"
    assert compared(begun, begun).exit_code == 0
    found = compared(begun[:-1], begun)
    assert (found.outcome, found.common, found.exit_code) == ("prefix", len(begun) - 1, 0)
    assert compared(begun, begun[:-1]).outcome == "prefix"


def test_different_games(begun: list[bytes], make_table: Callable[..., Table]) -> None:
    found = compared(begun, make_table().begin().lines)
    assert (found.outcome, found.exit_code) == ("other-game", 1)


def test_what_does_not_hold_is_no_fork(begun: list[bytes]) -> None:
    changed = [*begun[:-1], begun[-1].replace(b"resolve", b"declare")]
    found = compared(begun, changed)
    assert (found.outcome, found.exit_code) == ("unverified", 1)
    assert found.fork is None


def test_what_is_no_log(begun: list[bytes]) -> None:
    assert compared(begun, [b"hello"]).exit_code == 2


def test_a_fork_names_the_keeper_who_signed_both(forked: tuple[list[bytes], list[bytes]], begun: list[bytes]) -> None:
    found = compared(*forked)
    assert (found.outcome, found.common, found.exit_code) == ("forked", len(begun), 1)
    assert found.fork is not None
    assert [event.author for event in found.fork.events] == ["alice", "bob"]
    assert [(s.name, s.seqs, s.proof) for s in found.fork.signed_both] == [("host", (len(begun) + 1,) * 2, True)]
    assert code(evidence_of(found)) == "evidence.fork"
    report = verify_evidence(bytes(evidence_of(found)))
    assert report.findings[0].fault == "host"
    assert (report.game, report.exit_code) == (leaf_hash(begun[0]).hex(), 0)


def test_a_player_who_signed_upon_both_has_signed_both(table: Table, begun: list[bytes]) -> None:
    one = went_on(table, begun, ("alice", "declare", trigger("a")), ("bob", "declare", trigger("b")))
    other = went_on(table, begun, ("alice", "declare", trigger("c")), ("bob", "declare", trigger("d")))
    found = compared(one, other)
    assert found.fork is not None
    assert {s.name: s.proof for s in found.fork.signed_both} == {"alice": False, "bob": True}
    assert list(found.fork.evidence) == ["bob"]
    assert code(evidence_of(found, "bob")) == "evidence.fork"


def test_a_keeper_who_signed_checkpoints_only_is_found_out(table: Table, begun: list[bytes]) -> None:
    """No event by the keeper after the fork: two checkpoints show it."""
    sides = [went_on(table, begun, (name, "declare", trigger(name))) for name in ("alice", "bob")]
    game, host = leaf_hash(begun[0]), table.identities["host"]
    files: list[File] = []
    for lines in sides:
        tree = MerkleTree()
        for line in lines:
            tree.append(leaf_hash(line))
        head = Checkpoint(game, len(lines), tree.root())
        signed = sign_checkpoint(head, host.key, host.sign)
        files.append(file_of(lines, str(len(files)), {"note": bytes(signed)}))
    found = compare(*files)
    assert found.fork is not None
    assert code(evidence_of(found)) == "evidence.fork"
    assert b"tlog-proof" in bytes(evidence_of(found))


def test_nobody_signed_both_yet(table: Table, begun: list[bytes]) -> None:
    one = went_on(table, begun, ("alice", "declare", trigger("a")))
    other = went_on(table, begun, ("bob", "declare", trigger("b")))
    found = compared(one, other)
    assert found.fork is not None
    assert found.outcome == "forked"
    assert not found.fork.signed_both
    assert not found.fork.evidence


# --- framing -------------------------------------------------------------------------------------------------------


def rebuilt(evidence: Evidence, **members: Any) -> bytes:
    return encode(json.loads(encode(evidence)) | members)


def chain(*lines: bytes) -> dict[str, list[str]]:
    return {"lines": [line.decode() for line in lines]}


def test_a_player_who_signed_anew_is_not_framed(table: Table, begun: list[bytes]) -> None:
    """Alice's event was not taken, so she signed another in its place: two events with one number, and no proof."""
    one = went_on(table, begun, ("alice", "declare", trigger("a")), ("host", "close", {}))
    other = went_on(table, begun, ("alice", "declare", trigger("b")), ("host", "close", {}))
    evidence = evidence_of(compared(one, other))
    n = len(begun)
    framed = rebuilt(evidence, accused="alice", statements=[chain(one[n]), chain(other[n])])
    assert code(framed) == "evidence.statement"
    framed = rebuilt(evidence, accused="alice", statements=[chain(one[n], one[n + 1]), chain(other[n])])
    assert code(framed) == "evidence.statement"


def test_evidence_against_another_party(forked: tuple[list[bytes], list[bytes]]) -> None:
    evidence = evidence_of(compared(*forked))
    for name in ("alice", "bob", "dana"):
        assert code(rebuilt(evidence, accused=name)) == "evidence.statement"
    assert code(rebuilt(evidence, accused="mallory")) == "evidence.open"


def test_one_history_twice(forked: tuple[list[bytes], list[bytes]]) -> None:
    evidence = evidence_of(compared(*forked))
    one, other = json.loads(encode(evidence))["statements"]
    assert code(rebuilt(evidence, statements=[one, one])) == "evidence.agree"
    assert code(rebuilt(evidence, statements=[other, one])) == "evidence.fork", "their order is of no matter"


def test_with_a_stolen_key_of_another_party(table: Table, forked: tuple[list[bytes], list[bytes]]) -> None:
    """Bob's key cannot make a statement of the keeper's."""
    one, _ = forked
    evidence = evidence_of(compared(*forked))
    n = evidence.index
    stranger = went_on(table, one[:n], ("bob", "declare", trigger("x")))
    claimed = forger(table, "bob").event(stranger, "close", {}, author="host")
    framed = rebuilt(evidence, statements=[chain(one[n], one[n + 1]), chain(stranger[n], claimed)])
    assert code(framed) == "evidence.statement"


def test_a_line_that_does_not_follow(forked: tuple[list[bytes], list[bytes]]) -> None:
    """The keeper's own line behind one that is not its predecessor."""
    one, other = forked
    evidence = evidence_of(compared(*forked))
    n = evidence.index
    framed = rebuilt(evidence, statements=[chain(one[n], one[n + 1]), chain(other[n], one[n + 1])])
    assert code(framed) == "evidence.statement"


def test_events_of_another_number(forked: tuple[list[bytes], list[bytes]]) -> None:
    one, other = forked
    evidence = evidence_of(compared(*forked))
    n = evidence.index
    assert code(rebuilt(evidence, index=n + 1)) == "evidence.statement"
    framed = rebuilt(evidence, statements=[chain(one[n], one[n + 1]), chain(other[n + 1])])
    assert code(framed) == "evidence.statement"


def test_statements_of_another_game(
    forked: tuple[list[bytes], list[bytes]], begun: list[bytes], make_table: Callable[..., Table]
) -> None:
    """The keeper's honest lines in two games are no contradiction, whichever event 0 they are put under."""
    table = make_table().begin()
    table.roll("alice")
    there = went_on(table, table.lines, ("alice", "declare", trigger("a")), ("host", "close", {}))
    evidence = evidence_of(compared(*forked))
    n = evidence.index
    assert len(there) > n
    mixed = [chain(*forked[0][n : n + 2]), chain(*there[n : n + 2])]
    assert code(rebuilt(evidence, statements=mixed)) == "evidence.statement"
    assert code(rebuilt(evidence, open=there[0].decode())) == "evidence.statement"


def test_an_event_0_that_somebody_else_made(table: Table, forked: tuple[list[bytes], list[bytes]]) -> None:
    """The keys are those that the keeper of event 0 signed; one who is not its keeper cannot open a game for them."""
    evidence = evidence_of(compared(*forked))
    opened = json.loads(evidence.open)
    forged = forger(table, "bob").sign(opened | {"time": "2026-11-20T19:00:00.001Z"})
    assert code(rebuilt(evidence, open=forged.decode())) == "evidence.open"


def test_a_signature_under_another_label(table: Table, forked: tuple[list[bytes], list[bytes]]) -> None:
    """The keeper signed these bytes as something else: as an opening, as a checkpoint."""
    one, other = forked
    evidence = evidence_of(compared(*forked))
    n = evidence.index
    last = json.loads(other[n + 1])
    for label in (b"rollproof/v1/opening\n", b"", b"cosignature/v1\n"):
        signed = forger(table, "host").sign(last, label)
        framed = rebuilt(evidence, statements=[chain(*one[n : n + 2]), chain(other[n], signed)])
        assert code(framed) == "evidence.statement"


def test_a_checkpoint_says_nothing_about_players(table: Table, begun: list[bytes]) -> None:
    sides = [
        went_on(table, begun, (name, "declare", trigger(name)), ("host", "close", {})) for name in ("alice", "bob")
    ]
    evidence = evidence_of(compared(*sides))
    framed = rebuilt(evidence, accused="alice", statements=[{"proof": "c2sp.org/tlog-proof@v1\n"}] * 2)
    assert code(framed) == "evidence.statement"


def test_pins(forked: tuple[list[bytes], list[bytes]], table: Table) -> None:
    evidence = evidence_of(compared(*forked))
    assert code(evidence, Pins(game=leaf_hash(forked[0][0]))) == "evidence.fork"
    assert code(evidence, Pins(game=bytes(32))) == "evidence.open"
    assert code(evidence, Pins(keys=(table.keys["host"],))) == "evidence.fork"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data + b"\n",
        lambda data: data.replace(b'"index":', b'"index": '),
        lambda data: data.replace(b"evidence/v1", b"evidence/v2"),
        lambda data: data.replace(b'"open"', b'"opem"'),
        lambda data: data[:-3],
        lambda _data: b'{"accused":',
        lambda _data: b"",
        lambda _data: b"x" * 9_000_000,
        lambda _data: b'{"accused":' * 100_000,
    ],
)
def test_what_is_no_evidence(forked: tuple[list[bytes], list[bytes]], change: Callable[[bytes], bytes]) -> None:
    assert code(change(bytes(evidence_of(compared(*forked))))) == "evidence.malformed"


# --- on the command line -------------------------------------------------------------------------------------------


def test_from_files_to_evidence_that_a_third_person_checks(
    forked: tuple[list[bytes], list[bytes]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    for path, lines in zip(paths, forked, strict=True):
        path.write_bytes(joined(lines))
    written = tmp_path / "fork.evidence"
    home = ["--home", str(tmp_path / "home")]
    assert run(["compare", *map(str, paths), "--evidence", str(written), *home]) == 1
    told = capsys.readouterr().out
    assert "FORKED at event" in told
    assert "proof against host" in told
    assert run(["verify", str(written), *home]) == 0
    assert "the evidence HOLDS" in capsys.readouterr().out
    written.write_bytes(written.read_bytes().replace(b"a clown", b"a clowm"))
    assert run(["verify", str(written), *home]) == 1
    assert "DOES NOT HOLD" in capsys.readouterr().out
    assert run(["compare", *map(str, paths), "--json", *home]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["outcome"], found["fork"]["evidence"]) == ("forked", ["host"])
    assert run(["compare", str(paths[0]), str(paths[0]), *home]) == 0
    assert run(["compare", str(paths[0]), str(tmp_path / "none"), *home]) == 2
    assert run(["compare", *map(str, paths), "--evidence", str(tmp_path / "x"), "--against", "bob", *home]) == 2
    assert not (tmp_path / "x").exists()


def test_the_standalone_verifier_checks_evidence(
    forked: tuple[list[bytes], list[bytes]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from verifier.__main__ import run as verify

    path = tmp_path / "fork.evidence"
    path.write_bytes(bytes(evidence_of(compared(*forked))))
    assert verify([str(path)]) == 0
    assert verify([str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (report["kind"], report["findings"][0]["fault"]) == ("evidence", "host")
    assert isinstance(verify_evidence(path.read_bytes()), Report)


# --- vectors -------------------------------------------------------------------------------------------------------

VECTORS = json.loads((SPECS / "vectors" / "disputes.json").read_text())


@pytest.mark.parametrize("case", VECTORS["evidence"], ids=lambda case: case["about"])
def test_vectors_of_evidence(case: dict[str, Any]) -> None:
    report = verify_evidence(case["data"].encode())
    (finding,) = report.findings
    assert (finding.code, finding.fault) == (case["code"], case["fault"])


def test_the_vectors_are_those_that_are_made() -> None:
    assert subprocess.run([sys.executable, "-m", "tests.make_disputes", "--check"], cwd=REPOSITORY).returncode == 0
