"""Several events of one party in a row, as one group: all of them or none, and one checkpoint is the receipt for each
(specs/seats.md, specs/checkpoints.md).
"""

import sqlite3
from collections.abc import Collection, Sequence
from typing import Any

import pytest

from ledger.errors import BehindError, RefusedError, UntakenError, UsageError
from ledger.game.party_view import LogView
from ledger.seats.memory_file import Memory
from ledger.store.storage import SqliteStorage
from rules import Body
from rules.systems.mtg.bodies import DeclareGone, DeclarePermanent, RollBody
from tests.support.table import ROLL, Table, dump, report_on
from verifier.checkpoints.checkpoint import keeper_signed
from verifier.log.merkle import leaf_hash

COMES, GOES = DeclarePermanent("die", "A Die"), DeclareGone("die")
ROW: Sequence[tuple[str, Body]] = [("declare", COMES), ("declare", GOES), ("declare", COMES)]


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is waited for on the disk, from now on."""
    waited: list[str] = []
    transaction, committed = SqliteStorage.transaction, Memory._committed

    def written(storage: SqliteStorage, names: Collection[str] | None = None, *, durable: bool = True) -> object:
        waited.extend(["store"] if durable else [])
        return transaction(storage, names, durable=durable)

    def remembered(memory: Memory, sealed: bytes, version: int | None) -> None:
        waited.append("memory")
        committed(memory, sealed, version)

    monkeypatch.setattr(SqliteStorage, "transaction", written)
    monkeypatch.setattr(Memory, "_committed", remembered)
    return waited


def test_a_row_of_events_stands_under_one_checkpoint(table: Table) -> None:
    before = len(table.lines)
    lines = table.seats["alice"].sign_all(table.view, ROW)
    receipts = table.ledger.append_all(table.game, lines, table.seats["host"])
    assert table.lines[before:] == lines
    assert [(receipt.seq, receipt.leaf) for receipt in receipts] == [
        (seq, leaf_hash(line).hex()) for seq, line in enumerate(lines, before)
    ]
    (checkpoint,) = {receipt.checkpoint for receipt in receipts}
    assert checkpoint is not None
    assert keeper_signed(checkpoint, table.keys["host"])
    assert checkpoint.head.size == len(table.lines)
    assert checkpoint.head.root.hex() == receipts[-1].root
    assert report_on(table.lines).verdict == "holds"
    table.roll("alice")  # seats and store go on from there


@pytest.mark.parametrize("count", [1, 3])
def test_a_row_waits_for_the_disk_as_often_as_one_event(
    table: Table, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    waited = counted(monkeypatch)
    lines = table.seats["alice"].sign_all(table.view, ROW[:count])
    assert waited == ["memory"], "before they leave"
    table.ledger.append_all(table.game, lines, table.seats["host"])
    assert waited == ["memory", "store", "memory"], "the keeper remembers what its store has"


def test_a_row_is_written_at_a_table(table: Table) -> None:
    before = len(table.lines)
    receipts = table.played.act_all("bob", ROW)
    assert [receipt.seq for receipt in receipts] == [before, before + 1, before + 2]
    assert table.played.act_all("bob", []) == []
    with pytest.raises(UntakenError):
        table.seats["alice"].sign_all(table.view, ROW)
    table.played.act_all("alice", [("declare", DeclarePermanent("coin", "A Coin"))])  # the keeper takes bob's
    assert report_on(table.lines).verdict == "holds"


def test_a_row_of_which_one_is_refused_leaves_nothing(table: Table) -> None:
    alice = table.seats["alice"]
    with pytest.raises(RefusedError):
        alice.sign_all(table.view, [("declare", COMES), ("declare", COMES)])
    good = alice.sign_all(table.view, ROW)
    before = dump(table.ledger)
    for bad in ([*good, good[0]], [good[1]], [good[0], good[2]]):
        with pytest.raises(RefusedError):
            table.ledger.append_all(table.game, bad, table.seats["host"])
        assert dump(table.ledger) == before
        assert table.view.replay.size == len(table.lines)
    with pytest.raises(UsageError):
        table.ledger.append_all(table.game, good, table.seats["bob"])  # who is not the keeper
    assert dump(table.ledger) == before
    assert len(table.ledger.append_all(table.game, good, table.seats["host"])) == len(good)


def test_a_row_is_all_there_or_not_at_all_where_the_store_fails(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = table.seats["alice"].sign_all(table.view, ROW)
    before = dump(table.ledger)
    insert = SqliteStorage.insert

    def failing(storage: SqliteStorage, into: str, *given: Any, **how: Any) -> None:
        """Fail behind the lines."""
        insert(storage, into, *given, **how)
        if into == "events":
            raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStorage, "insert", failing)
        with pytest.raises(Exception, match="disk I/O error"):
            table.ledger.append_all(table.game, lines, table.seats["host"])
    assert dump(table.ledger) == before
    assert table.view.replay.size == len(table.lines)
    table.ledger.append_all(table.game, lines, table.seats["host"])
    assert table.lines[-3:] == lines


def test_a_request_in_a_row_ends_it(table: Table) -> None:
    alice = table.seats["alice"]
    roll = RollBody(source=ROLL["source"], dice=ROLL["dice"], use=ROLL["use"])
    with pytest.raises(RefusedError):
        alice.sign_all(table.view, [("roll", roll), ("declare", COMES)])
    lines = alice.sign_all(table.view, [("declare", COMES), ("roll", roll)])
    table.ledger.append_all(table.game, lines, table.seats["host"])
    table.hand_in_all()


def test_a_row_that_was_lost_before_it_was_stored_costs_nothing(table: Table) -> None:
    """As where a program is killed in between: what is signed on the same end later is no fork."""
    before = len(table.lines)
    table.seats["alice"].sign_all(table.view, ROW)
    table.close()
    table.restart()
    lines = table.seats["alice"].sign_all(table.view, ROW[:2])
    table.ledger.append_all(table.game, lines, table.seats["host"])
    assert table.lines[before:] == lines
    assert report_on(table.lines).verdict == "holds"


def test_a_store_without_a_row_that_stood_is_told_by_each_who_saw_it(table: Table) -> None:
    before = list(table.lines)
    alice, host = table.seats["alice"], table.seats["host"]
    table.ledger.append_all(table.game, alice.sign_all(table.view, ROW), host)
    alice.sign(table.view, "declare", GOES)  # when it has seen the checkpoint
    for size in (len(before), len(before) + 1, len(before) + 2):
        put_back = LogView([*before, *table.lines[len(before) : size]])
        with pytest.raises(BehindError):
            alice.sign(put_back, "declare", GOES)
        with pytest.raises(BehindError):
            host.checkpoint(put_back)
