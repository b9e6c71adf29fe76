"""Who vouches for which lines (verifier/disputes/attestation.py): what accuses nobody falsely, guard by guard."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import UNSET

from tests.conftest import SPECS
from tests.make.logs.replaced import Table as LostBrowser
from tests.protocol.test_compare import (
    begun,
    code,
    compared,
    evidence_of,
    file_of,
    forked,
    signed_both,
    signed_head,
    trigger,
    went_on,
    with_receipt,
)
from tests.support.table import Table, joined
from verifier import verify
from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint
from verifier.disputes.attestation import Attestation, AttestedLog, statement
from verifier.disputes.compare import compare
from verifier.log.merkle import leaf_hash, root_of

__all__ = ["begun", "forked"]

VOIDED = SPECS / "vectors" / "logs" / "holds--void-and-again.jsonl"


def log_of(lines: list[bytes], receipts: dict[str, bytes] | None = None) -> AttestedLog:
    file = file_of(lines, receipts=receipts)
    report, replay = verify(joined(lines))
    assert replay is not None
    return AttestedLog(file, report, replay)


def test_a_file_beside_a_log_that_is_no_checkpoint_is_passed_over(table: Table, begun: list[bytes]) -> None:
    receipts = {"junk": b"shopping: milk\n", "note": signed_head(table, begun)}
    assert [each.head.size for each in log_of(begun, receipts).checkpoints()] == [len(begun)]


def test_a_checkpoint_of_another_game_accuses_nobody(
    table: Table, begun: list[bytes], make_table: Callable[..., Table]
) -> None:
    """The keeper keeps two games: its checkpoint of the one is of as many lines as its checkpoint of the other."""
    longer = went_on(table, begun, ("alice", "declare", trigger("a dwarf")))
    other = make_table().begin()
    lines = went_on(other, other.lines, *[("alice", "declare", trigger(str(n))) for n in range(len(longer))])
    theirs = signed_head(table, lines[: len(longer)])
    assert list(log_of(begun, {"theirs": theirs}).checkpoints()) == []
    for receipts in ({"theirs": theirs}, {"theirs": theirs, "mine": signed_head(table, begun)}):
        file = file_of(begun, receipts=receipts)
        found = compare(file, file)
        assert found.outcome == "equal"
    short = with_receipt(table, begun, signed_head(table, longer), sidecar=lines[: len(longer)])
    assert (short.outcome, short.fork) == ("short", None)


def test_a_checkpoint_of_another_size_contradicts_no_receipt(table: Table, begun: list[bytes]) -> None:
    longer = went_on(table, begun, ("alice", "declare", trigger("a dwarf")))
    found = with_receipt(table, begun, signed_head(table, longer), sidecar=begun)
    assert (found.outcome, found.fork) == ("short", None)


def test_a_checkpoint_of_what_both_histories_have_accuses_nobody(table: Table, begun: list[bytes]) -> None:
    sides = [went_on(table, begun, (name, "declare", trigger(name))) for name in ("alice", "bob")]
    found = compare(*(file_of(side, receipts={"note": signed_head(table, begun)}) for side in sides))
    assert found.outcome == "forked"
    assert signed_both(found) == {}


def test_a_checkpoint_of_more_lines_than_there_are_agrees_with_no_log(table: Table, begun: list[bytes]) -> None:
    """A keeper that signs nonsense: the root of all lines as that of more."""
    head = Checkpoint(leaf_hash(begun[0]), len(begun) + 1, root_of([leaf_hash(line) for line in begun]))
    note = bytes(sign_checkpoint(head, table.keys["host"], table.identities["host"].sign))
    log = log_of(begun, {"note": note})
    assert [each.head.size for each in log.checkpoints()] == [len(begun) + 1]
    assert log.checkpoint(len(begun)) is None


def test_a_keepers_event_is_named_before_its_checkpoint(table: Table, forked: tuple[list[bytes], list[bytes]]) -> None:
    found = compare(*(file_of(side, receipts={"note": signed_head(table, side)}) for side in forked))
    number = len(forked[0]) - 1
    assert signed_both(found) == {"host": (f"event {number}", f"event {number}", True)}
    assert code(evidence_of(found)) == "evidence.fork"


def test_an_opening_for_the_very_line_in_which_two_histories_differ_counts(
    table: Table, begun: list[bytes], tmp_path: Path
) -> None:
    """Alice asks for other dice in each, and the others open for both."""
    one, other = (_rolled_from_a_backup(table, tmp_path / dice, dice) for dice in ("d20", "d6"))
    found = compare(file_of(one), file_of(other))
    assert found.common == len(begun)
    opened = f"opening {len(begun)}"
    assert signed_both(found)["alice"] == (opened, opened, True)
    assert signed_both(found)["bob"] == (opened, opened, True)
    evidence = evidence_of(found, "bob")
    assert (evidence.index, code(evidence)) == (len(begun), "evidence.fork")


def _rolled_from_a_backup(table: Table, backup: Path, dice: str) -> list[bytes]:
    table.close()
    shutil.copytree(table.folder, backup)
    table.restart()
    table.roll("alice", dice=dice)
    lines = table.lines
    table.close()
    shutil.rmtree(table.folder)
    shutil.copytree(backup, table.folder)
    table.restart()
    return lines


def test_an_opening_that_came_after_a_void_is_found() -> None:
    lines = VOIDED.read_bytes().splitlines()
    log = log_of(lines)
    request = [json.loads(line)["type"] for line in lines].index("void") - 1
    author = json.loads(lines[request + 2])["body"]["openings"][0]["author"]
    stated = statement(log, Attestation("opening", request), request, author)
    assert stated is not None
    assert stated.opening is not UNSET
    assert (stated.opening.author, stated.lines) == (author, (lines[request].decode(),))


def test_a_statement_has_no_more_lines_than_evidence_may_have(
    begun: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = log_of(begun)
    vouch = Attestation("event", len(begun) - 1)
    lines = begun[1:]
    size = sum(map(len, lines))
    monkeypatch.setattr("verifier.disputes.attestation.MAX_EVIDENCE", size)
    found = statement(log, vouch, 1, "host")
    assert found is not None
    assert found.lines == tuple(line.decode() for line in lines)
    monkeypatch.setattr("verifier.disputes.attestation.MAX_EVIDENCE", size - 1)
    assert statement(log, vouch, 1, "host") is None


def test_a_party_that_signed_both_histories_with_each_of_its_keys_is_named_once() -> None:
    """The evidence is about its first key."""
    sides = []
    for roller in ("alice", "bob"):
        w = LostBrowser("two keys")
        w.roll(roller)
        w.lost("bob")
        w.returned("bob")
        w.roll(roller)
        sides.append(list(w.lines))
    found = compared(*sides)
    assert list(signed_both(found)) == ["host", "alice", "bob"]
    assert found.fork is not None
    assert len(found.fork.signed_both) == 3
    assert code(evidence_of(found, "bob")) == "evidence.fork"
