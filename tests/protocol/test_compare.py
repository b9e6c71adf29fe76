"""Two files of one game, and evidence of two histories (specs/disputes.md). The forgers own keys; nobody is framed."""

import json
import random
import shutil
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.cli import run
from ledger.seats.identity import Identity
from tests.conftest import SPECS
from tests.support.bundles import bundled
from tests.support.cli import REPOSITORY
from tests.support.table import Forger, Table, identity_from, joined, link_of
from verifier import Pins, Report, VerifierKey
from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint
from verifier.checkpoints.note import Note, format_note, signature_line
from verifier.disputes.attestation import File
from verifier.disputes.compare import Comparison, compare, compare_receipt
from verifier.disputes.evidence import Evidence, verify_evidence
from verifier.errors import ChangedError, NoteError
from verifier.log.merkle import MerkleTree, consistency_proof, leaf_hash, root_of
from verifier.log.plainjson import encode
from verifier.log.roster import Entry, Roster
from verifier.rosters.roster import parse_roster

RULING = {"ruling": "uphold", "subject": 1, "text": "so be it"}


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


def test_a_file_that_is_cut_while_it_is_read(forked: tuple[list[bytes], list[bytes]]) -> None:
    opened = [joined(forked[0]), joined(forked[0]), joined(forked[0][:-2])]
    file = File("one", lambda: BytesIO(opened.pop(0)))
    with pytest.raises(ChangedError, match="changed while it was read"):
        compare(file, file_of(forked[1]))
    assert not opened


def evidence_of(found: Comparison, name: str = "host") -> Evidence:
    assert found.fork is not None
    evidence = found.fork.evidence[name]()
    assert evidence is not None
    return evidence


def signed_both(found: Comparison) -> dict[str, tuple[str, str, bool]]:
    """How each party signed on both sides, and whether that is proof."""
    assert found.fork is not None
    return {s.name: (*(f"{v.how} {v.number}" for v in s.signed), s.proof) for s in found.fork.signed_both}  # type: ignore[misc]


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


def test_an_offer_behind_a_log_is_no_part_of_it() -> None:
    offered = (SPECS / "vectors" / "logs" / "holds--offer.jsonl").read_bytes().splitlines()
    for one, other in ((offered, offered), (offered, offered[:-1]), (offered[:-1], offered)):
        found = compared(one, other)
        assert (found.outcome, found.common, found.exit_code) == ("equal", len(offered) - 1, 0)


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


@pytest.mark.parametrize(("dated", "outcome", "exit_code"), [(None, "unreadable", 2), (b"19", "unverified", 1)])
def test_a_log_beside_one_of_which_no_line_holds(
    table: Table, begun: list[bytes], dated: bytes | None, outcome: str, exit_code: int
) -> None:
    """It is none at all, or its event 0 was dated back."""
    one = [b"hello"] if dated is None else [begun[0].replace(b'"time":"20', b'"time":"' + dated), *begun[1:]]
    for found in (compared(one, begun), compared(begun, one), with_receipt(table, one, signed_head(table, begun))):
        assert (found.outcome, found.common, found.exit_code) == (outcome, 0, exit_code)


def test_a_fork_names_the_keeper_who_signed_both(forked: tuple[list[bytes], list[bytes]], begun: list[bytes]) -> None:
    found = compared(*forked)
    assert (found.outcome, found.common, found.exit_code) == ("forked", len(begun), 1)
    assert found.fork is not None
    assert [event.author for event in found.fork.events] == ["alice", "bob"]
    assert signed_both(found) == {"host": (f"event {len(begun) + 1}", f"event {len(begun) + 1}", True)}
    assert code(evidence_of(found)) == "evidence.fork"
    report = verify_evidence(bytes(evidence_of(found)))
    assert report.findings[0].fault == "host"
    assert (report.game, report.exit_code) == (leaf_hash(begun[0]).hex(), 0)


def test_a_player_who_signed_upon_both_has_signed_both(table: Table, begun: list[bytes]) -> None:
    one = went_on(table, begun, ("alice", "declare", trigger("a")), ("bob", "declare", trigger("b")))
    other = went_on(table, begun, ("alice", "declare", trigger("c")), ("bob", "declare", trigger("d")))
    found = compared(one, other)
    assert found.fork is not None
    n = len(begun)
    assert signed_both(found) == {
        "alice": (f"event {n}", f"event {n}", False),
        "bob": (f"event {n + 1}", f"event {n + 1}", True),
    }
    assert list(found.fork.evidence) == ["bob"]
    assert code(evidence_of(found, "bob")) == "evidence.fork"


def test_a_run_of_own_events_that_was_signed_anew_is_no_proof(table: Table, begun: list[bytes]) -> None:
    """Bob's events go in a row, and the keeper took none of the first row; upon alice's he signs only when taken."""

    def side(word: str, *names: str) -> list[bytes]:
        return went_on(table, begun, *((name, "declare", trigger(f"{word} {n}")) for n, name in enumerate(names)))

    n = len(begun)
    found = compared(side("one", "bob", "bob", "bob"), side("other", "bob", "bob"))
    assert signed_both(found) == {"bob": (f"event {n}", f"event {n}", False)}
    assert found.fork is not None
    assert not found.fork.evidence
    found = compared(side("one", "alice", "bob", "bob"), side("other", "bob", "bob", "alice", "bob", "bob"))
    assert signed_both(found) == {
        "alice": (f"event {n}", f"event {n + 2}", False),
        "bob": (f"event {n + 1}", f"event {n + 3}", True),
    }
    evidence = evidence_of(found, "bob")
    assert (evidence.index, code(evidence)) == (n, "evidence.fork")
    one, other = side("one", "bob", "alice", "bob", "bob"), side("other", "alice", "alice", "bob", "bob")
    evidence = evidence_of(compared(one, other), "bob")
    assert (evidence.index, code(evidence)) == (n + 1, "evidence.fork")
    framed = [chain(*lines[n + 2 :]) for lines in (one, other)]
    assert code(rebuilt(evidence, index=n + 2, statements=framed)) == "evidence.statement"


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
    n = len(begun) + 1
    assert signed_both(found) == {"host": (f"checkpoint {n}", f"checkpoint {n}", True)}
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


def signed_head(table: Table, lines: list[bytes], by: str = "host") -> bytes:
    """A checkpoint of all these lines, in the keeper's name."""
    tree = MerkleTree()
    for line in lines:
        tree.append(leaf_hash(line))
    head = Checkpoint(leaf_hash(lines[0]), len(lines), tree.root())
    return bytes(sign_checkpoint(head, table.keys["host"], table.identities[by].sign))


@pytest.fixture
def rolled(table: Table, begun: list[bytes], tmp_path: Path) -> tuple[list[bytes], list[bytes]]:
    """Two histories with a roll in each: all restored their homes from a backup, so that their seats know no better."""
    table.close()
    shutil.copytree(table.folder, tmp_path / "backup")
    table.restart()
    table.act("alice", "declare", trigger("a"))
    table.roll("alice")
    one = table.lines
    table.close()
    shutil.rmtree(table.folder)
    shutil.copytree(tmp_path / "backup", table.folder)
    table.restart()
    table.act("alice", "declare", trigger("b"))
    table.roll("alice")
    assert len(begun) < len(one) == len(table.lines)
    return one, table.lines


def test_openings_are_signatures_too(rolled: tuple[list[bytes], list[bytes]], begun: list[bytes]) -> None:
    """A roll in both histories names all whose links were opened in both; dana, the judge, has no part in dice."""
    found = compared(*rolled)
    n = len(begun)
    opened = f"opening {n + 1}"
    revealed = f"event {n + 2}"
    assert signed_both(found) == {
        "host": (revealed, revealed, True),
        "alice": (opened, opened, True),
        "bob": (opened, opened, True),
    }
    for name in ("host", "alice", "bob"):
        report = verify_evidence(bytes(evidence_of(found, name)))
        assert [(f.code, f.fault) for f in report.findings] == [("evidence.fork", name)]


def test_a_party_that_opened_in_one_history_is_not_said_to_have_in_the_other(
    table: Table, rolled: tuple[list[bytes], list[bytes]], begun: list[bytes]
) -> None:
    one, _ = rolled
    other = went_on(table, begun, ("dana", "ruling", RULING), ("host", "close", {}))
    assert list(signed_both(compared(one, other))) == ["host"]


def test_two_events_of_the_keepers_with_one_number(table: Table, begun: list[bytes]) -> None:
    one = went_on(table, begun, ("host", "close", {}))
    chain = table.view.replay.chains["host"]
    link = link_of(table, "host", chain.next).hex()
    other = went_on(table, begun, ("host", "commit", {"length": 4, "link": link, "tip": "ab" * 32}))
    found = compared(one, other)
    event = f"event {len(begun)}"
    assert signed_both(found) == {"host": (event, event, True)}
    assert code(evidence_of(found)) == "evidence.fork"


def test_one_opening_in_a_reveal_and_in_a_close_accuses_the_keeper_only(pending: Table) -> None:
    """Alice and bob opened once, for a request that both histories have; what came of it was the keeper's to say."""
    pending.hand_in_all()
    openings = pending.ledger.openings(pending.game)
    lines = pending.lines
    host = pending.seats["host"]
    revealed, closed = (make(pending.view, openings) for make in (host.reveal, host.close_game))
    found = compared([*lines, revealed], [*lines, closed])
    event = f"event {len(lines)}"
    assert signed_both(found) == {"host": (event, event, True)}
    assert code(evidence_of(found)) == "evidence.fork"


def test_a_file_cut_inside_its_last_line_feed_is_not_equal(begun: list[bytes]) -> None:
    found = compare(file_of(begun), File("cut", lambda: BytesIO(joined(begun)[:-1])))
    assert (found.outcome, found.common, found.exit_code) == ("unverified", len(begun) - 1, 1)


def test_evidence_is_short_however_far_away_the_fork_is(table: Table, begun: list[bytes]) -> None:
    """Both sides go on for long before bob signs; from his signatures back two lines are enough."""
    sides = []
    for source in ("one", "other"):
        events = [("alice", "declare", trigger(f"{source} {n}")) for n in range(40)]
        sides.append(went_on(table, begun, *events, ("bob", "declare", trigger("at last"))))
    evidence = evidence_of(compared(*sides), "bob")
    assert [len(statement.lines or ()) for statement in evidence.statements] == [2, 2]
    assert code(evidence) == "evidence.fork"


def test_evidence_that_would_be_too_long_is_not_made(
    table: Table, begun: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = went_on(table, begun, ("alice", "declare", trigger("a")), ("bob", "declare", trigger("b")))
    events = [("alice", "declare", trigger(f"other {n}")) for n in range(50)]
    other = went_on(table, begun, *events, ("bob", "declare", trigger("b")))
    made = bytes(evidence_of(compared(one, other), "bob"))
    assert code(made) == "evidence.fork"
    for most in (len(made), len(made) - 1, 10_000):
        for module in ("compare", "attestation"):
            monkeypatch.setattr(f"verifier.disputes.{module}.MAX_EVIDENCE", most)
        for sides in ((one, other), (other, one)):
            fork = compared(*sides).fork
            assert fork is not None
            assert fork.signed_both[-1].proof
            assert (fork.evidence["bob"]() is None) == (most < len(made))


# --- a log and a receipt -------------------------------------------------------------------------------------------


def with_receipt(table: Table, lines: list[bytes], receipt: bytes, *, sidecar: list[bytes] | None = None) -> Comparison:
    receipts = {} if sidecar is None else {"sidecar": signed_head(table, sidecar)}
    return compare_receipt(file_of(lines, receipts=receipts), "receipt", receipt)


def test_a_receipt_that_the_log_agrees_with(table: Table, begun: list[bytes]) -> None:
    found = with_receipt(table, begun, signed_head(table, begun))
    assert (found.outcome, found.common, found.exit_code) == ("equal", len(begun), 0)
    found = with_receipt(table, begun, signed_head(table, begun[:-2]))
    assert (found.outcome, found.common, found.exit_code) == ("prefix", len(begun) - 2, 0)


def test_a_receipt_for_more_than_the_log_has(table: Table, begun: list[bytes]) -> None:
    found = with_receipt(table, begun[:-1], signed_head(table, begun))
    assert (found.outcome, found.exit_code, found.fork) == ("short", 1, None)


def test_a_receipt_for_lines_that_do_not_hold(table: Table, begun: list[bytes]) -> None:
    """Whether there are as many lines as it is for, or fewer: of a log that breaks off, none are missing."""
    longer = went_on(table, begun, ("alice", "declare", trigger("a dwarf")))
    broken = [*begun[:-1], begun[-1].replace(b"resolve", b"declare")]
    for lines, outcome in ((begun, "unverified"), (longer, "short")):
        found = with_receipt(table, broken, signed_head(table, lines))
        assert (found.outcome, found.fork) == (outcome, None)


def test_two_receipts_for_more_than_the_log_has_prove_a_fork(
    table: Table, forked: tuple[list[bytes], list[bytes]], begun: list[bytes]
) -> None:
    one, other = forked
    found = with_receipt(table, begun, signed_head(table, one), sidecar=other)
    assert found.outcome == "forked"
    both = f"checkpoint {len(one)}"
    assert signed_both(found) == {"host": (both, both, True)}
    assert code(evidence_of(found)) == "evidence.fork"


def test_receipts_that_are_worth_nothing(table: Table, begun: list[bytes], make_table: Callable[..., Table]) -> None:
    assert with_receipt(table, begun, signed_head(table, begun, by="alice")).outcome == "unverified"
    other = make_table().begin()
    assert with_receipt(table, begun, signed_head(other, other.lines)).outcome == "other-game"
    with pytest.raises(NoteError):
        with_receipt(table, begun, b"rollproof/v1/\n")
    assert with_receipt(table, [b"hello"], signed_head(table, begun)).exit_code == 2


@pytest.mark.parametrize("longer", [0, 1])
def test_two_checkpoints_prove_a_fork(
    table: Table, forked: tuple[list[bytes], list[bytes]], begun: list[bytes], longer: int
) -> None:
    """The receipt is for one history; the file, of the other, has a checkpoint of the same size or a larger one."""
    one, other = forked
    n = len(begun) + 1
    found = with_receipt(table, one, signed_head(table, other[:n]), sidecar=one[: n + longer])
    assert (found.outcome, found.exit_code) == ("forked", 1)
    assert signed_both(found) == {"host": (f"checkpoint {n + longer}", f"checkpoint {n}", True)}
    evidence = evidence_of(found)
    assert evidence.index == n
    assert code(evidence) == "evidence.fork"


def test_an_event_of_the_keeper_against_a_receipt(
    table: Table, forked: tuple[list[bytes], list[bytes]], begun: list[bytes]
) -> None:
    """Without a checkpoint of the log's own: log and receipt are the evidence, and no file is made."""
    one, other = forked
    found = with_receipt(table, one, signed_head(table, other))
    n = len(one)
    assert signed_both(found) == {"host": (f"event {n - 1}", f"checkpoint {n}", True)}
    assert found.fork is not None
    assert not found.fork.evidence
    found = with_receipt(table, one[: len(begun) + 1], signed_head(table, other[: len(begun) + 1]))
    assert (found.outcome, signed_both(found)) == ("forked", {})


def test_a_receipt_for_more_than_a_closed_game_has(table: Table, forked: tuple[list[bytes], list[bytes]]) -> None:
    one, _ = forked
    longer = [*one, forger(table, "host").event(one, "close", {})]
    found = with_receipt(table, one, signed_head(table, longer))
    assert found.outcome == "forked"
    assert signed_both(found) == {"host": (f"event {len(one) - 1}", f"checkpoint {len(one) + 1}", True)}


def test_checkpoints_of_another_game_by_the_same_keeper_accuse_nobody(
    table: Table, begun: list[bytes], make_table: Callable[..., Table]
) -> None:
    """One keeper has many games, with one key: what it signed for another game says nothing about this one."""
    other = make_table(identities=table.identities).begin()
    other.roll("alice")
    other.roll("bob")
    n = len(begun)
    assert len(other.lines) > n
    beside = {"another game's": signed_head(other, other.lines[:n])}
    receipt = signed_head(table, begun)
    found = compare_receipt(file_of(begun[:-1], receipts=beside), "receipt", receipt)
    assert (found.outcome, found.fork) == ("short", None)
    one, two = (went_on(table, begun, ("alice", "declare", trigger(source))) for source in ("a dwarf", "a clown"))
    ours = {"another game's": signed_head(other, other.lines[: n + 1])}
    fork = compare(file_of(one, "one", ours), file_of(two, "two", ours)).fork
    assert fork is not None
    assert not fork.evidence
    assert [signer.name for signer in fork.signed_both if signer.proof] == []


def test_a_checkpoint_of_all_that_a_file_has_is_in_one_history_with_it(table: Table, begun: list[bytes]) -> None:
    """The boundary: as many lines as the log has, one fewer, one more."""
    n = len(begun)
    outcomes = [with_receipt(table, begun[:size], signed_head(table, begun[: n - 1])) for size in (n - 2, n - 1, n)]
    assert [found.outcome for found in outcomes] == ["short", "equal", "prefix"]
    assert [found.common for found in outcomes] == [n - 2, n - 1, n - 1]


def test_an_event_of_the_keeper_just_before_the_end_of_a_receipt_is_in_both(table: Table, begun: list[bytes]) -> None:
    """The keeper's event n vouches for the first n + 1 lines, so against a receipt for as many, and for no more."""
    theirs = went_on(table, begun, ("bob", "declare", trigger("a clown")), ("bob", "declare", trigger("a dwarf")))
    ours = went_on(table, begun, ("alice", "declare", trigger("a dwarf")), ("alice", "declare", trigger("a bard")))
    last = max(number for number, line in enumerate(ours) if json.loads(line)["author"] == "host")
    for size in (last + 1, last + 2):
        forged = [*ours[:last], b"{}", *theirs[last + 1 :]]
        found = with_receipt(table, ours, signed_head(table, forged[:size]))
        named = {} if size > last + 1 else {"host": (f"event {last}", f"checkpoint {size}", True)}
        assert (found.outcome, signed_both(found)) == ("forked", named), size


# --- framing -------------------------------------------------------------------------------------------------------


def rebuilt(evidence: Evidence, **members: Any) -> bytes:
    return encode(json.loads(encode(evidence)) | members)


def chain(*lines: bytes) -> dict[str, list[str]]:
    return {"lines": [line.decode() for line in lines]}


@pytest.fixture
def evidence(forked: tuple[list[bytes], list[bytes]], begun: list[bytes]) -> Evidence:
    """Evidence against the keeper from the first line that differs, two lines a side."""
    n = len(begun)
    statements = [chain(*lines[n : n + 2]) for lines in forked]
    data = rebuilt(evidence_of(compared(*forked)), index=n, statements=statements)
    assert code(data) == "evidence.fork"
    return msgspec.json.decode(data, type=Evidence)


def test_a_player_who_signed_anew_is_not_framed(table: Table, begun: list[bytes]) -> None:
    """Alice's event was not taken, so she signed another in its place: two events with one number, and no proof."""
    one = went_on(table, begun, ("alice", "declare", trigger("a")), ("host", "close", {}))
    other = went_on(table, begun, ("alice", "declare", trigger("b")), ("host", "close", {}))
    n = len(begun)
    evidence = evidence_of(compared(one, other))
    framed = rebuilt(evidence, accused="alice", index=n, statements=[chain(one[n]), chain(other[n])])
    assert code(framed) == "evidence.statement"
    framed = rebuilt(evidence, accused="alice", index=n, statements=[chain(one[n], one[n + 1]), chain(other[n])])
    assert code(framed) == "evidence.statement"


def test_evidence_against_another_party(evidence: Evidence) -> None:
    for name in ("alice", "bob", "dana"):
        assert code(rebuilt(evidence, accused=name)) == "evidence.statement"
    assert code(rebuilt(evidence, accused="mallory")) == "evidence.open"


def test_one_history_twice(evidence: Evidence) -> None:
    one, other = json.loads(encode(evidence))["statements"]
    assert code(rebuilt(evidence, statements=[one, one])) == "evidence.agree"
    assert code(rebuilt(evidence, statements=[other, one])) == "evidence.fork", "their order is of no matter"


def test_with_a_stolen_key_of_another_party(
    table: Table, forked: tuple[list[bytes], list[bytes]], evidence: Evidence
) -> None:
    """Bob's key cannot make a statement of the keeper's."""
    one, _ = forked
    n = evidence.index
    stranger = went_on(table, one[:n], ("bob", "declare", trigger("x")))
    claimed = forger(table, "bob").event(stranger, "close", {}, author="host")
    framed = rebuilt(evidence, statements=[chain(one[n], one[n + 1]), chain(stranger[n], claimed)])
    assert code(framed) == "evidence.statement"


def test_a_line_that_does_not_follow(forked: tuple[list[bytes], list[bytes]], evidence: Evidence) -> None:
    """The keeper's own line behind one that is not its predecessor."""
    one, other = forked
    n = evidence.index
    framed = rebuilt(evidence, statements=[chain(one[n], one[n + 1]), chain(other[n], one[n + 1])])
    assert code(framed) == "evidence.statement"


def test_events_of_another_number(forked: tuple[list[bytes], list[bytes]], evidence: Evidence) -> None:
    one, other = forked
    n = evidence.index
    assert code(rebuilt(evidence, index=n + 1)) == "evidence.statement"
    framed = rebuilt(evidence, statements=[chain(one[n], one[n + 1]), chain(other[n + 1])])
    assert code(framed) == "evidence.statement"


def test_statements_of_another_game(
    forked: tuple[list[bytes], list[bytes]], make_table: Callable[..., Table], evidence: Evidence
) -> None:
    """The keeper's honest lines in two games are no contradiction, whichever event 0 they are put under."""
    table = make_table().begin()
    table.roll("alice")
    there = went_on(table, table.lines, ("alice", "declare", trigger("a")), ("host", "close", {}))
    n = evidence.index
    assert len(there) > n
    mixed = [chain(*forked[0][n : n + 2]), chain(*there[n : n + 2])]
    assert code(rebuilt(evidence, statements=mixed)) == "evidence.statement"
    assert code(rebuilt(evidence, open=there[0].decode())) == "evidence.statement"


def test_an_event_0_that_somebody_else_made(table: Table, evidence: Evidence) -> None:
    """The keys are those that the keeper of event 0 signed; one who is not its keeper cannot open a game for them."""
    opened = json.loads(evidence.open)
    forged = forger(table, "bob").sign(opened | {"time": "2026-11-20T19:00:00.001Z"})
    assert code(rebuilt(evidence, open=forged.decode())) == "evidence.open"


def test_a_signature_under_another_label(
    table: Table, forked: tuple[list[bytes], list[bytes]], evidence: Evidence
) -> None:
    """The keeper signed these bytes as something else: as an opening, as a checkpoint."""
    one, other = forked
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


def test_an_opening_is_for_one_history(rolled: tuple[list[bytes], list[bytes]]) -> None:
    """Bob's own openings, exchanged, or handed to alice: none fits another request, index, link or name."""
    evidence = json.loads(encode(evidence_of(compared(*rolled), "bob")))
    one, other = evidence["statements"]
    for change in (
        {"opening": one["opening"]},
        {"opening": other["opening"] | {"author": "alice"}},
        {"opening": other["opening"] | {"index": 7}},
        {"opening": other["opening"] | {"link": "00" * 32}},
        {"lines": one["lines"]},
        {"lines": other["lines"][:-1] or one["lines"]},
    ):
        framed = encode(evidence | {"statements": [one, other | change]})
        assert code(framed) == "evidence.statement"
    assert code(encode(evidence | {"statements": [one, one]})) == "evidence.agree"
    assert code(encode(evidence | {"accused": "alice"})) == "evidence.statement"


@pytest.mark.long
def test_an_honest_keepers_checkpoints_frame_nobody(table: Table, begun: list[bytes]) -> None:
    """Whatever is made of checkpoints of one history, it contradicts nothing."""
    heads = {size: signed_head(table, begun[:size]).decode() for size in range(1, len(begun) + 1)}
    leaves = [leaf_hash(line) for line in begun]
    roots = {size: b64encode(root_of(leaves[:size])).decode() for size in heads}
    members = {"accused": "host", "format": "rollproof/evidence/v1", "open": begun[0].decode()}
    for size in heads:
        statements: list[dict[str, Any]] = [{"checkpoint": heads[size]}]
        for later in range(size + 1, len(begun) + 1):
            hashes = [b64encode(each).decode() for each in consistency_proof(leaves[:later], size)]
            statements.append({"checkpoint": heads[later], "hashes": hashes, "root": roots[size]})
            for claimed in roots.values():
                if claimed != roots[size]:
                    lie = {"checkpoint": heads[later], "hashes": hashes, "root": claimed}
                    framed = encode(members | {"index": size, "statements": [statements[0], lie]})
                    assert code(framed) == "evidence.statement"
        for one in statements:
            for other in statements:
                framed = encode(members | {"index": size, "statements": [one, other]})
                assert code(framed) == "evidence.agree"


def honest_pieces(table: Table, begun: list[bytes], other: Table) -> dict[str, list[Any]]:
    """What a cheating keeper has of honest players: two histories that it signed both, another game, openings."""
    table.act("alice", "declare", trigger("a"))
    table.roll("alice")
    table.roll("bob")
    signed_by_keeper = went_on(table, begun, ("host", "close", {}))
    histories = [table.lines, signed_by_keeper, other.lines]
    events = [json.loads(line) for lines in histories for line in lines]
    openings = [opening for event in events for opening in event["body"].get("openings", [])]
    heads = [signed_head(table, lines[:size]).decode() for lines in histories[:2] for size in range(1, len(lines) + 1)]
    return {"histories": histories, "openings": openings, "heads": heads}


@pytest.mark.long
def test_nothing_made_of_what_honest_players_signed_accuses_them(
    table: Table, begun: list[bytes], make_table: Callable[..., Table]
) -> None:
    """Thousands of evidence files, put together at random from all that the keeper has; only the keeper is accused."""
    other = make_table(identities=table.identities).begin()
    other.roll("alice")
    pieces, dice = honest_pieces(table, begun, other), random.Random(706)
    codes = Counter[tuple[str, str]]()
    for _ in range(4_000):
        n = dice.randrange(1, len(table.lines))

        def statement(n: int = n) -> dict[str, Any]:
            if dice.random() < 0.1:
                return {"checkpoint": dice.choice(pieces["heads"])}
            lines = dice.choice(pieces["histories"])[n : n + dice.randrange(1, 6)]
            if dice.random() < 0.2:  # a line, or all that follows, of another history
                lines = lines[: dice.randrange(len(lines) + 1)] + dice.choice(pieces["histories"])[n:][:3]
            opening = {"opening": dice.choice(pieces["openings"])} if dice.random() < 0.3 else {}
            return chain(*lines) | opening

        accused = dice.choice(["alice", "bob", "host"])
        members = {"accused": accused, "format": "rollproof/evidence/v1", "index": n}
        opened = dice.choice(pieces["histories"])[0].decode()
        found = code(encode(members | {"open": opened, "statements": [statement(), statement()]}))
        codes[accused, found] += 1
    assert codes["host", "evidence.fork"], "it is not impossible: the keeper did sign two histories"
    assert codes["alice", "evidence.agree"], "and each player's true statements are read"
    assert not codes["alice", "evidence.fork"]
    assert not codes["bob", "evidence.fork"]


def test_a_strangers_game_in_the_name_of_alice(table: Table, evidence: Evidence) -> None:
    """Anybody can open a game in which a key of theirs is called host; only whoever knows the key sees through it."""
    organizer = identity_from("olga", b"o" * 32)

    def on(*entries: Entry) -> Report:
        roster = Roster("Open", 1, "0" * 64, entries)
        note = Note(roster.text, (signature_line(organizer.key, organizer.sign(roster.text.encode())),))
        roster = parse_roster(format_note(note), organizer.key)
        return verify_evidence(bytes(evidence), pins=Pins(roster=roster))

    key = table.keys["host"]
    report = on(Entry(key))
    assert (report.exit_code, report.findings[0].code) == (0, "evidence.fork")
    assert any("roster of Open" in text for text in report.checked)
    assert not any("--key" in text for text in report.not_checked)
    stolen = on(Entry(key, until="2030-01-01T00:00:00.000Z"))
    assert any("2030-01-01" in text for text in stolen.not_checked), "a thief can date back"
    others = {
        "roster.unknown-key": Entry(Identity.generate("host").key),
        "roster.other-name": Entry(VerifierKey("gail", key.public_bytes)),
        "roster.revoked": Entry(key, until="2026-11-20T19:00:00.000Z"),
    }
    for expected, entry in others.items():
        report = on(entry)
        assert [(f.code, f.severity, f.fault) for f in report.findings] == [(expected, "error", "file")]
        assert report.exit_code == 1


def test_a_date_in_evidence_counts_where_the_accused_chose_it(table: Table, begun: list[bytes]) -> None:
    """In both histories a player dates an event, and the host closes the game at that date or at a later one."""
    key, n = table.keys["host"], len(begun)
    until, later = "2027-01-01T00:00:00.000Z", "2027-01-01T00:00:00.001Z"
    early = json.loads(begun[-1])["time"]

    def history(player: str, dated: str, closed: str) -> list[bytes]:
        lines = [*begun, forger(table, player).event(begun, "declare", trigger(player), time=dated)]
        return [*lines, forger(table, "host").event(lines, "close", {}, time=closed)]

    def found(dated: str, closed: str, size: int = 2, until: str = until) -> list[tuple[str, str, str | None]]:
        forked = [history(player, dated, closed) for player in ("alice", "bob")]
        lines = [chain(*each[len(each) - size :]) for each in forked]
        made = rebuilt(evidence_of(compared(*forked)), index=n + 2 - size, statements=lines)
        roster = Roster("Open", 1, "0" * 64, (Entry(key, until=until),))
        report = verify_evidence(made, pins=Pins(roster=roster))
        return [(f.code, f.severity, f.fault) for f in report.findings]

    fork, ended = ("evidence.fork", "notice", "host"), ("roster.ended", "notice", None)
    assert found(early, early) == [fork]
    assert found(early, until) == found(early, later) == [("roster.revoked", "error", "file")]
    assert found(until, until) == found(until, later) == [fork, ended], "a player wrote that date"
    assert found(early, until, size=1) == [fork, ended], "nothing shows what stood before"
    opened = json.loads(begun[0])["time"]
    assert found(early, early, until=opened) == [("roster.revoked", "error", "file")]


def test_an_opening_in_evidence_has_no_date(table: Table) -> None:
    """Bob opens in two histories for requests that alice dated after the end of his key."""
    begun = table.lines
    n = len(begun)
    until = "2027-01-01T00:00:00.000Z"
    body = {"source": "x", "dice": "1d20", "use": "y"}
    statements = []
    for source in ("one", "other"):
        line = forger(table, "alice").event(begun, "roll", body | {"source": source}, time=until)
        opening = forger(table, "bob").opening(table, bytes(32), 1, leaf_hash(line))
        statements.append({"lines": [line.decode()], "opening": opening})
    made = {"accused": "bob", "format": "rollproof/evidence/v1", "index": n, "open": begun[0].decode()}
    data = encode(made | {"statements": statements})
    for key, expected in (
        (Entry(table.keys["bob"]), ["evidence.fork"]),
        (Entry(table.keys["bob"], until=until), ["evidence.fork", "roster.ended"]),
    ):
        report = verify_evidence(data, pins=Pins(roster=Roster("Open", 1, "0" * 64, (key,))))
        assert [finding.code for finding in report.findings] == expected


def test_pins(forked: tuple[list[bytes], list[bytes]], table: Table, evidence: Evidence) -> None:
    assert code(evidence, Pins(game=leaf_hash(forked[0][0]))) == "evidence.fork"
    assert code(evidence, Pins(game=bytes(32))) == "evidence.open"
    assert code(evidence, Pins(keys=(table.keys["host"],))) == "evidence.fork"
    report = verify_evidence(bytes(evidence), pins=Pins(keys=(table.keys["host"],)))
    assert not any("--key" in text for text in report.not_checked)
    assert code(evidence, Pins(keys=(Identity.generate("host").key,))) == "evidence.open"


def test_every_expected_key_is_that_of_a_party_where_event_0_admits_others() -> None:
    """Event 0 alone does not say who is to come; of those that came later evidence shows the accused only."""
    vectors = json.loads((SPECS / "vectors" / "disputes.json").read_bytes())["evidence"]
    data = next(each["data"] for each in vectors if each["about"] == "walt, who came later, signed in both histories")
    walts = json.loads(json.loads(data)["admit"])["body"]["key"]
    strangers = str(Identity.generate("wendy").key)
    for keys, found in (([walts], "fork"), ([strangers], "open"), ([walts, strangers], "open")):
        assert code(data.encode(), Pins(keys=tuple(map(VerifierKey.parse, keys)))) == f"evidence.{found}"


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
def test_what_is_no_evidence(evidence: Evidence, change: Callable[[bytes], bytes]) -> None:
    assert code(change(bytes(evidence))) == "evidence.malformed"


def test_evidence_that_is_too_long(evidence: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytes(evidence)
    monkeypatch.setattr("verifier.disputes.evidence.MAX_EVIDENCE", len(data))
    assert code(data) == "evidence.fork"
    monkeypatch.setattr("verifier.disputes.evidence.MAX_EVIDENCE", len(data) - 1)
    assert code(data) == "evidence.malformed"


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
    written.write_bytes(written.read_bytes().replace(b"close", b"cloze"))
    assert run(["verify", str(written), *home]) == 1
    assert "DOES NOT HOLD" in capsys.readouterr().out
    assert run(["compare", *map(str, paths), "--json", *home]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["outcome"], found["fork"]["evidence"], found["evidence"]) == ("forked", ["host"], None)
    signed = [{"how": "event", "number": found["fork"]["seq"] + 1}] * 2
    assert found["fork"]["signed_both"] == [{"name": "host", "signed": signed, "proof": True}]
    assert run(["compare", *map(str, paths), "--evidence", str(written), "--force", "--json", *home]) == 1
    assert json.loads(capsys.readouterr().out)["evidence"] == {"accused": "host", "file": str(written)}
    assert run(["compare", str(paths[0]), str(paths[0]), *home]) == 0
    assert run(["compare", str(paths[0]), str(tmp_path / "none"), *home]) == 66
    assert run(["compare", *map(str, paths), "--evidence", str(tmp_path / "x"), "--against", "bob", *home]) == 66
    assert not (tmp_path / "x").exists()


def test_the_example_of_the_page_is_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for log in ("alice", "bob"):
        shutil.copy(SPECS / "vectors" / "logs" / f"holds--copy-shown-to-{log}.jsonl", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGUAGE", "en")
    example = (SPECS / "disputes.md").read_text().split("```\n")[1]
    commands = [line for line in example.splitlines() if line.startswith("$ ")]
    assert len(commands) == 2
    printed = ""
    for command in commands:
        run([*command.split()[2:], "--home", str(tmp_path / "home")])
        printed += f"{command}\n{capsys.readouterr().out}"
    assert printed == example


def test_no_evidence_is_written_where_there_is_none(
    begun: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And it is said: whoever asked for a file must not find an older one and take it for the answer."""
    paths = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    for path, lines in zip(paths, (begun, begun[:-1]), strict=True):
        path.write_bytes(joined(lines))
    home, wanted = ["--home", str(tmp_path / "home")], tmp_path / "x.evidence"
    assert run(["compare", *map(str, paths), "--evidence", str(wanted), *home]) == 0
    assert "is not written" in capsys.readouterr().err
    assert not wanted.exists()
    assert run(["compare", *map(str, paths), "--against", "host", *home]) == 64
    assert "goes with --evidence" in capsys.readouterr().err


def test_a_fork_by_checkpoints_is_not_said_to_be_nobodys(
    table: Table, begun: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("alice", "bob"):
        lines = went_on(table, begun, (name, "declare", trigger(name)))
        (tmp_path / f"{name}.jsonl").write_bytes(joined(lines))
        (tmp_path / f"{name}.jsonl.checkpoint").write_bytes(signed_head(table, lines))
    logs = [str(tmp_path / f"{name}.jsonl") for name in ("alice", "bob")]
    home = ["--home", str(tmp_path / "home")]
    assert run(["compare", *logs, *home]) == 1
    told = capsys.readouterr().out
    assert "a checkpoint of 11 events" in told
    assert "proof against host" in told
    assert "Nobody has signed" not in told
    written = str(tmp_path / "fork.evidence")
    assert run(["compare", logs[0], f"{logs[1]}.checkpoint", "--evidence", written, *home]) == 1
    assert "no history of the game has both" in capsys.readouterr().out
    assert run(["verify", written, *home]) == 0
    assert "first" in capsys.readouterr().out
    assert run(["compare", f"{logs[1]}.checkpoint", logs[1], *home]) == 0
    assert run(["compare", *(f"{log}.checkpoint" for log in logs), *home]) == 64
    (tmp_path / "cut").write_bytes(b"rollproof/v1/")
    assert run(["compare", logs[0], str(tmp_path / "cut"), *home]) == 66
    assert "is not a checkpoint" in capsys.readouterr().err


def test_evidence_is_not_taken_for_a_log(
    evidence: Evidence, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever lost hands in evidence, of whatever game, as the log of their table."""
    from verifier.shell.command import run as verify

    folder = tmp_path / "tables"
    folder.mkdir()
    log, named = folder / "table-12.jsonl", tmp_path / "fork.evidence"
    log.write_bytes(bytes(evidence))
    named.write_bytes(bytes(evidence))
    for paths in ([str(folder)], [str(log)], [str(log), str(named)]):
        assert verify(paths) == 2
        assert "file.not-a-log" in capsys.readouterr().out
    policy = tmp_path / "policy"
    policy.write_text("quorum none\n")
    assert verify([str(named)]) == 0
    capsys.readouterr()
    for option, file in (("--policy", policy), ("--receipt", named)):
        assert verify([str(named), option, str(file)]) == 2
        assert "no log" in capsys.readouterr().err


def test_the_standalone_verifier_checks_evidence(
    forked: tuple[list[bytes], list[bytes]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from verifier.shell.command import run as verify

    path = tmp_path / "fork.evidence"
    path.write_bytes(bytes(evidence_of(compared(*forked))))
    assert verify([str(path)]) == 0
    assert verify([str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (report["kind"], report["findings"][0]["fault"]) == ("evidence", "host")
    assert isinstance(verify_evidence(path.read_bytes()), Report)


# --- vectors -------------------------------------------------------------------------------------------------------

VECTORS = json.loads((SPECS / "vectors" / "disputes.json").read_text())


@bundled("case", VECTORS["evidence"], lambda case: str(case["about"]))
def test_vectors_of_evidence(case: dict[str, Any]) -> None:
    report = verify_evidence(case["data"].encode())
    (finding,) = report.findings
    assert (finding.code, finding.fault) == (case["code"], case["fault"])


@pytest.mark.parametrize("case", VECTORS["evidence_with_roster"], ids=lambda case: case["about"])
def test_vectors_of_evidence_with_a_roster(case: dict[str, Any]) -> None:
    roster = parse_roster(case["roster"].encode(), VerifierKey.parse(VECTORS["organizer"]))
    report = verify_evidence(case["data"].encode(), pins=Pins(roster=roster))
    assert report.findings[0].code == case["code"]
    assert {finding.code for finding in report.findings[1:]} <= {"roster.ended"}
    assert report.exit_code == (0 if case["code"] == "evidence.fork" else 1)


@pytest.mark.long
def test_the_vectors_are_those_that_are_made() -> None:
    assert subprocess.run([sys.executable, "-m", "tests.make.disputes", "--check"], cwd=REPOSITORY).returncode == 0


# --- what is not beside the files ------------------------------------------------------------------------------------


@pytest.fixture
def apart(table: Table, begun: list[bytes], tmp_path: Path) -> tuple[Path, Path, Path]:
    """Two histories, each without the keeper's checkpoint: of one it closed, of the other only as it went on."""
    one, other, whole = tmp_path / "one.jsonl", tmp_path / "other.jsonl", tmp_path / "whole.jsonl"
    lines = went_on(table, begun, ("alice", "declare", trigger("a")))
    one.write_bytes(joined(lines))
    whole.write_bytes(joined(went_on(table, lines, ("host", "close", {}))))
    other.write_bytes(joined(went_on(table, begun, ("bob", "declare", trigger("b")), ("host", "close", {}))))
    return one, other, whole


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_checkpoint_that_is_not_beside_a_log_is_named(
    apart: tuple[Path, Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    one, other, _ = apart
    words = [str(one), str(other), "--home", str(tmp_path / "home")]
    assert run(["compare", *words, "--lang", language]) == 1
    told = capsys.readouterr().out
    assert f"{one}.checkpoint, {other}.checkpoint" in told
    assert "signed over both yet" not in told
    assert run(["compare", *words, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["fork"]["missing"] == [f"{one}.checkpoint", f"{other}.checkpoint"]


def test_a_checkpoint_that_is_brought_shows_who_it_was(
    table: Table, begun: list[bytes], apart: tuple[Path, Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other, _ = apart
    Path(f"{one}.checkpoint").write_bytes(signed_head(table, one.read_bytes().splitlines()))
    assert run(["compare", str(one), str(other), "--home", str(tmp_path / "home")]) == 1
    told = capsys.readouterr().out
    assert "proof against host" in told
    assert "Get it" not in told


@pytest.mark.parametrize("turned", [False, True])
def test_the_game_that_is_stored_here_is_looked_at(
    apart: tuple[Path, Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], turned: bool
) -> None:
    one, other, whole = apart
    home = ["--home", str(tmp_path / "home")]
    assert run(["import", str(whole), *home]) == 0
    files = [str(other), str(one)] if turned else [str(one), str(other)]
    capsys.readouterr()
    assert run(["compare", *files, *home, "--evidence", str(tmp_path / "x.evidence")]) == 1
    told = capsys.readouterr().out
    assert f"{one} goes on in game" in told
    assert "proof against host" in told
    assert run(["verify", str(tmp_path / "x.evidence"), *home]) == 0


def test_a_stored_game_that_shows_no_more_changes_nothing(
    apart: tuple[Path, Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other, _ = apart
    home = ["--home", str(tmp_path / "home")]
    assert run(["import", str(one), *home]) == 0
    capsys.readouterr()
    assert run(["compare", str(one), str(other), *home]) == 1
    told = capsys.readouterr().out
    assert "goes on in" not in told
    assert f"{one}.checkpoint" in told
