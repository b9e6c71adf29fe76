"""Who keeps which checkpoints, and refuses what: stores, seats, witnesses (specs/checkpoints.md)."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from ledger.errors import BehindError, ForkError, RefusedError, UsageError, WitnessError
from ledger.game.party_view import LogView
from ledger.seats.identity import Identity
from ledger.seats.records import OwnChain, Record
from ledger.seats.seat import Seat
from ledger.store.checkpoints import CheckpointStore
from ledger.store.ledger import Ledger
from ledger.transparency.witness import Witness
from rules.systems.mtg.bodies import Options
from tests.make import notes as make_notes
from tests.support.table import Clock, Table, declared, dump, make_body, seat_in
from verifier import verify
from verifier.checkpoints.checkpoint import Checkpoint, SignedCheckpoint, cosign, keeper_signed, parse_checkpoint
from verifier.checkpoints.checkpoint import sign_checkpoint as sign
from verifier.checkpoints.event_proof import make_request
from verifier.log.merkle import leaf_hash

LOG, OTHER = make_notes.LOG, make_notes.OTHER
GAME = leaf_hash(LOG[0])


def seat_of(name: str, folder: Path) -> Seat:
    """The seat of a party that remembers what it signed and opened in both histories."""
    identity = Identity(name, make_notes.secret(name))
    began = not (folder / name).exists()
    seat = seat_in(folder / name, identity, Clock())
    if began:
        with seat._memory.game(GAME) as turn:
            turn.record = Record()
            for lines in (LOG, OTHER):
                for line, before in zip(lines[1:], lines, strict=False):
                    event = json.loads(line)
                    if event["author"] == name:
                        turn.change(signed={**turn.record.signed, leaf_hash(line).hex(): event["seq"]})
                    for opening in event["body"].get("openings", ()):
                        if opening["author"] == name:
                            own = OwnChain("00" * 32, 1, "00" * 32, opening["index"], leaf_hash(before).hex())
                            turn.change(chains=(*turn.record.chains, own))
    return seat


def receipt(size: int, leaves: list[bytes] = make_notes.LEAVES) -> SignedCheckpoint:
    """A checkpoint by host of the vectors' game, or of its other history."""
    return parse_checkpoint(make_notes.checkpoint(size, leaves).encode())


@pytest.fixture
def follower(tmp_path: Path) -> Iterator[Ledger]:
    """Somebody's store with the vectors' game."""
    ledger = Ledger(tmp_path / "follower.db", Clock())
    ledger.importer.import_log(b"".join(line + b"\n" for line in LOG), name="log")
    yield ledger
    ledger.close()


# --- the keeper's store ----------------------------------------------------------------------------------------------


def test_each_append_has_its_checkpoint(table: Table) -> None:
    host = table.seats["host"]
    for name in ("alice", "bob"):
        appended = table.ledger.append(table.game, declared(table.seats[name], table.view), host)
        signed = appended.checkpoint
        assert signed is not None
        assert signed.head == Checkpoint(table.game, appended.size, bytes.fromhex(appended.root))
        assert keeper_signed(signed, table.keys["host"])
        assert table.ledger.checkpoint(table.game) == signed
        report, _ = verify(table.log, receipts={"mine": bytes(signed)})
        assert report.verdict == "holds"


def test_a_game_begins_with_a_checkpoint(tmp_path: Path, table: Table) -> None:
    ledger, host = Ledger(tmp_path / "new.db", table.clock), table.seats["host"]
    parties = [(table.keys[name], role) for name, role in table.roles.items()]
    line = host.open_game("mtg-706-2023-11-17", Options(False), parties)
    made = ledger.create(line, host)
    assert made.checkpoint is not None
    assert made.checkpoint.head == Checkpoint(leaf_hash(line), 1, leaf_hash(line))


def test_without_the_keeper_the_line_stands_and_is_signed_later(table: Table) -> None:
    appended = table.ledger.append(table.game, declared(table.seats["alice"], table.view))
    assert appended.checkpoint is None
    stored = table.ledger.checkpoint(table.game)
    assert stored is not None
    assert stored.head.size < appended.size
    signed = table.ledger.sign_checkpoint(table.game, table.seats["host"])
    assert signed.head.size == appended.size
    assert table.ledger.sign_checkpoint(table.game, table.seats["host"]) == signed


def test_nobody_else_signs_checkpoints(table: Table) -> None:
    before = dump(table.ledger)
    line = declared(table.seats["alice"], table.view)
    with pytest.raises(UsageError, match="not the keeper"):
        table.ledger.append(table.game, line, table.seats["alice"])
    assert dump(table.ledger) == before
    table.ledger.append(table.game, line)
    before = dump(table.ledger)
    with pytest.raises(UsageError, match="not the keeper"):
        table.ledger.sign_checkpoint(table.game, table.seats["bob"])
    assert dump(table.ledger) == before
    table.ledger.sign_checkpoint(table.game, table.seats["host"])


def test_what_is_refused_gets_no_checkpoint(table: Table) -> None:
    before = dump(table.ledger)
    line = declared(table.seats["alice"], table.view)
    with pytest.raises(RefusedError):
        table.ledger.append(table.game, line.replace(b"a dwarf", b"a giant"), table.seats["host"])
    assert dump(table.ledger) == before


def test_a_line_stands_whose_checkpoint_could_not_be_stored(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the keeper remembers is never ahead of its store, or a crash would end the game."""
    line = declared(table.seats["alice"], table.view)

    def fail(ledger: Ledger, checkpoint: SignedCheckpoint) -> None:
        raise sqlite3.OperationalError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(CheckpointStore, "store", fail)
        assert table.ledger.append(table.game, line, table.seats["host"]).checkpoint is None
    assert table.lines[-1] == line
    table.restart()
    stored = table.ledger.checkpoint(table.game)
    assert stored is not None
    assert stored.head.size < len(table.lines)
    line = table.seats["alice"].leave(table.view, "alice")
    assert table.ledger.append(table.game, line, table.seats["host"]).checkpoint is not None


def test_a_line_that_the_keeper_would_not_sign_over_leaves_no_trace(table: Table, tmp_path: Path) -> None:
    host, fork = table.seats["host"], Ledger(tmp_path / "fork.db", table.clock)
    fork.importer.import_log(table.log, name="log")
    table.ledger.append(table.game, declared(table.seats["alice"], table.view), host)
    before = dump(fork)
    with pytest.raises(ForkError):
        fork.append(table.game, declared(table.seats["bob"], fork.view(table.game)), host)
    assert dump(fork) == before
    fork.close()


def test_a_keeper_that_lost_its_end_signs_nothing(table: Table, tmp_path: Path) -> None:
    """A store restored from a backup is no way to a second history: the keeper's seat knows what it signed for."""
    host = table.seats["host"]
    table.ledger.append(table.game, declared(table.seats["alice"], table.view), host)
    table.ledger._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(table.ledger.path, tmp_path / "backup.db")
    line = declared(table.seats["bob"], table.view)
    table.ledger.append(table.game, line, host)
    restored = Ledger(tmp_path / "backup.db", table.clock)
    before = dump(restored)
    assert restored.sign_checkpoint(table.game, host) == restored.checkpoint(table.game)  # what was signed stays signed
    dana = table.seats["dana"]
    another = dana.sign(restored.view(table.game), "ruling", make_body("ruling", RULING))
    with pytest.raises(ForkError):
        restored.append(table.game, another, host)
    assert dump(restored) == before
    restored.append(table.game, line, host)  # the lost line itself comes back
    restored.close()


RULING = {"ruling": "uphold", "subject": 0, "text": "It stands."}


def test_the_stored_checkpoint_is_one_row(table: Table) -> None:
    for _ in range(3):
        table.ledger.append(table.game, declared(table.seats["alice"], table.view), table.seats["host"])
    assert len(dump(table.ledger)["checkpoints"]) == 1


# --- others' stores --------------------------------------------------------------------------------------------------


def test_a_checkpoint_comes_in_with_its_log(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.db", Clock())
    data = b"".join(line + b"\n" for line in LOG)
    report, added, *_ = ledger.importer.import_log(data, name="log", checkpoint=bytes(receipt(9)))
    assert (report.verdict, added) == ("holds", len(LOG))
    assert ledger.checkpoint(GAME) == receipt(9)
    ledger.importer.import_log(data, name="log", checkpoint=bytes(receipt(11)))
    assert ledger.checkpoint(GAME) == receipt(11)
    ledger.importer.import_log(data, name="log", checkpoint=bytes(receipt(9)))
    assert ledger.checkpoint(GAME) == receipt(11)
    ledger.close()


@pytest.mark.parametrize(
    ("checkpoint", "code"),
    [
        (bytes(receipt(11, make_notes.OTHERS)), "receipt.forked"),
        (b"junk", "receipt.malformed"),
        (f"{make_notes.text_of(11)}\n{make_notes.signed(make_notes.text_of(11), 'zoe')}".encode(), "receipt.signature"),
    ],
)
def test_a_log_that_is_not_what_its_checkpoint_says_is_kept_out(tmp_path: Path, checkpoint: bytes, code: str) -> None:
    ledger = Ledger(tmp_path / "ledger.db", Clock())
    report, added, *_ = ledger.importer.import_log(
        b"".join(line + b"\n" for line in LOG), name="log", checkpoint=checkpoint
    )
    assert report.error is not None
    assert (report.verdict, report.error.code, added) == ("fails", code, 0)
    assert ledger.catalog.games() == []
    ledger.close()


def test_cosignatures_are_added_to_the_stored_checkpoint(follower: Ledger) -> None:
    walt, gail = (Identity(name, make_notes.secret(name)) for name in ("walt", "gail"))
    assert follower.take_checkpoint(receipt(11)).checkpoint == receipt(11)
    for number, witness in enumerate((walt, gail), 2):
        line = cosign(receipt(11).head, witness.cosigner_key, make_notes.TIME, witness.sign)
        given = SignedCheckpoint(receipt(11).head, (*receipt(11).signatures, line))
        merged = follower.take_checkpoint(given, [witness.cosigner_key]).checkpoint
        assert len(merged.signatures) == number
        assert follower.checkpoint(GAME) == merged
    assert follower.take_checkpoint(receipt(5)).checkpoint == merged


def test_checkpoints_that_contradict_the_store_are_refused(follower: Ledger, tmp_path: Path) -> None:
    with pytest.raises(ForkError, match="another history"):
        follower.take_checkpoint(receipt(8, make_notes.OTHERS))
    by_alice = f"{make_notes.text_of(8)}\n{make_notes.signed(make_notes.text_of(8), 'alice')}"
    with pytest.raises(UsageError, match="no signature of host"):
        follower.take_checkpoint(parse_checkpoint(by_alice.encode()))
    short = Ledger(tmp_path / "short.db", Clock())
    short.importer.import_log(b"".join(line + b"\n" for line in LOG[:5]), name="short")
    with pytest.raises(BehindError, match="the end is missing"):
        short.take_checkpoint(receipt(8))
    assert follower.checkpoint(GAME) is None
    assert short.checkpoint(GAME) is None
    short.close()


# --- players ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def alice(tmp_path: Path) -> Iterator[Seat]:
    seat = seat_of("alice", tmp_path)
    yield seat
    seat.close()


def test_a_player_with_a_receipt_signs_on_no_shorter_log(alice: Seat, tmp_path: Path) -> None:
    alice.keyless.keep(receipt(7), LogView(LOG[:7]))
    for _ in range(2):
        with pytest.raises(BehindError, match="its end is missing"):
            alice.keyless.keep(receipt(9), LogView(LOG[:7]))
    assert [held.size for held in alice.keyless.seen(GAME).receipts] == [7, 9], "each is kept once"
    again = seat_of("alice", tmp_path)  # it is kept over a restart
    with pytest.raises(BehindError, match="receipt of host"):
        again.sign(LogView(LOG[:8]), "resolve", make_body("resolve", {"roll": 7}))
    again.sign(LogView(LOG[:9]), "resolve", make_body("resolve", {"roll": 7}))
    again.close()


def test_a_player_with_a_receipt_signs_on_no_other_history(alice: Seat) -> None:
    with pytest.raises(BehindError):
        alice.keyless.keep(receipt(8), LogView(OTHER[:7]))
    for size in (8, 11):
        with pytest.raises(ForkError, match="was forked"):
            alice.sign(LogView(OTHER[:size]), "resolve", make_body("resolve", {"roll": 7}))
    alice.sign(LogView(LOG[:9]), "resolve", make_body("resolve", {"roll": 7}))


def test_a_receipt_that_contradicts_is_kept_as_evidence(alice: Seat, tmp_path: Path) -> None:
    with pytest.raises(ForkError):
        alice.keyless.keep(receipt(8, make_notes.OTHERS), LogView(LOG[:9]))
    again = seat_of("alice", tmp_path)
    with pytest.raises(ForkError):
        again.sign(LogView(LOG[:9]), "resolve", make_body("resolve", {"roll": 7}))
    assert again.keyless.latest(GAME) == receipt(8, make_notes.OTHERS)
    again.close()


def test_a_checkpoint_that_came_with_a_log_and_contradicts_a_receipt_is_kept_as_evidence(alice: Seat) -> None:
    """The keeper signed for two histories of the same number of lines, and shows the one that alice knows."""
    alice.keyless.keep(receipt(9), LogView(LOG[:9]))
    view = LogView(LOG[:9], receipt(9, make_notes.OTHERS))
    for shown in (view, LogView(LOG[:9])):
        with pytest.raises(ForkError, match="was forked"):
            alice.sign(shown, "resolve", make_body("resolve", {"roll": 7}))


def test_a_receipt_whose_lines_are_yet_to_come_is_kept_beside_one_that_agrees(alice: Seat) -> None:
    for size in (9, 7):
        with pytest.raises(BehindError, match="its end is missing"):
            alice.keyless.keep(receipt(size), LogView(LOG[:7]))
    assert [held.size for held in alice.keyless.seen(GAME).receipts] == [7, 9]
    with pytest.raises(BehindError, match="its end is missing"):
        alice.keyless.keep(receipt(7), LogView(LOG[:8]))


def test_a_keeper_holds_no_receipts_of_its_own(table: Table) -> None:
    table.roll("alice")
    assert table.ledger.checkpoint(table.game) is not None
    assert table.seats["host"].keyless.seen(table.game).receipts == ()
    assert len(table.seats["alice"].keyless.seen(table.game).receipts) == 1


def test_a_fork_is_told_before_a_missing_end(alice: Seat) -> None:
    with pytest.raises(BehindError):
        alice.keyless.keep(receipt(11), LogView(LOG[:8]))
    for _ in range(2):
        with pytest.raises(ForkError, match="was forked"):
            alice.keyless.keep(receipt(7, make_notes.OTHERS), LogView(LOG[:8]))


def test_a_worthless_receipt_is_not_kept(alice: Seat) -> None:
    text = make_notes.text_of(9)
    by_zoe = parse_checkpoint(f"{text}\n{make_notes.signed(text, 'host', 'zoe')}".encode())
    with pytest.raises(UsageError, match="worthless"):
        alice.keyless.keep(by_zoe, LogView(LOG[:8]))
    other = Checkpoint(bytes(32), 3, bytes(32))
    host = Identity("host", make_notes.secret("host"))
    with pytest.raises(UsageError, match="not of"):
        alice.keyless.keep(sign(other, host.key, host.sign), LogView(LOG[:8]))
    assert alice.keyless.latest(GAME) is None
    alice.sign(LogView(LOG[:9]), "leave", make_body("leave", {"party": "alice"}))


def test_receipts_that_were_compared_cost_nothing_more(alice: Seat) -> None:
    class Counting(LogView):
        looked = 0

        def lines(self, start: int) -> Iterator[bytes]:
            for line in super().lines(start):
                Counting.looked += 1
                yield line

    view = Counting(LOG[:9])
    alice.keyless.keep(receipt(5), view)
    looked = Counting.looked
    assert looked >= 5
    for _ in range(3):
        alice.keyless.keep(receipt(9), view)  # the head itself
        alice.sign(view, "resolve", make_body("resolve", {"roll": 7}))
        view.checkpoint = receipt(5)  # an earlier one, which came with the log
    assert Counting.looked - looked < 10


def test_a_receipt_that_agreed_once_holds_for_what_is_shown_later(alice: Seat) -> None:
    """Between what a party signed last and a receipt there are lines that only the receipt vouches for."""
    alice.sign(LogView(LOG[:4]), "leave", make_body("leave", {"party": "alice"}))
    alice.keyless.keep(receipt(9), LogView(LOG[:9]))
    alice.keyless.keep(receipt(7), LogView(LOG[:9]))
    for size in (9, 11):
        with pytest.raises(ForkError, match="was forked"):
            alice.sign(LogView(OTHER[:size]), "resolve", make_body("resolve", {"roll": 7}))
    with pytest.raises(BehindError, match="its end is missing"):
        alice.sign(LogView(LOG[:8]), "resolve", make_body("resolve", {"roll": 7}))
    with pytest.raises(BehindError, match="its end is missing"):
        alice.sign(LogView(OTHER[:8]), "resolve", make_body("resolve", {"roll": 7}))
    alice.sign(LogView(LOG[:9]), "resolve", make_body("resolve", {"roll": 7}))


def test_a_receipt_is_not_compared_with_a_log_that_may_be_another(alice: Seat) -> None:
    alice.keyless.keep(receipt(9), LogView(LOG[:9]))
    with pytest.raises(BehindError):
        alice.keyless.keep(receipt(7, make_notes.OTHERS), LogView(OTHER[:8]))
    with pytest.raises(ForkError, match="was forked"):
        alice.sign(LogView(LOG[:9]), "resolve", make_body("resolve", {"roll": 7}))


# --- witnesses -------------------------------------------------------------------------------------------------------


@pytest.fixture
def make_witness(tmp_path: Path) -> Iterator[Callable[[], Witness]]:
    made: list[Witness] = []

    def make() -> Witness:
        identity = Identity("walt", make_notes.secret("walt"))
        made.append(Witness(identity, tmp_path / "witness.db", lambda: make_notes.TIME))
        return made[-1]

    yield make
    for witness in made:
        witness.close()


def ask(witness: Witness, old: int, size: int, leaves: list[bytes] = make_notes.LEAVES) -> None:
    witness.cosign(make_request(leaves[:size], old, receipt(size, leaves).of_log))


def test_a_witness_remembers_over_a_restart(make_witness: Callable[[], Witness]) -> None:
    first = make_witness()
    first.admit(LOG[0])
    ask(first, 0, 8)
    second = make_witness()
    with pytest.raises(WitnessError) as caught:
        ask(second, 0, 5)
    assert caught.value.status == 409
    assert caught.value.held is not None
    assert caught.value.held.head == receipt(8).of_log.head
    ask(second, 8, 11)


def test_a_witness_keeps_the_proof_of_a_fork(make_witness: Callable[[], Witness]) -> None:
    witness = make_witness()
    witness.admit(LOG[0])
    ask(witness, 0, 8)
    with pytest.raises(WitnessError, match="two histories") as caught:
        ask(witness, 8, 8, make_notes.OTHERS)
    assert caught.value.status == 422
    [(origin, note, held)] = witness._database.execute("SELECT * FROM refused").fetchall()
    assert origin == f"rollproof/v1/{GAME.hex()}"
    both = [parse_checkpoint(each.encode()) for each in (note, held)]
    host = Identity("host", make_notes.secret("host")).key
    assert all(keeper_signed(each, host) for each in both)
    assert both[0].head.size == both[1].head.size
    assert both[0].head.root != both[1].head.root


def test_a_witness_database_goes_nowhere_but_forward(make_witness: Callable[[], Witness]) -> None:
    witness = make_witness()
    witness.admit(LOG[0])
    ask(witness, 0, 8)
    for statement in ("UPDATE cosigned SET size = 7", "DELETE FROM cosigned", "UPDATE logs SET keeper = 'x'"):
        with pytest.raises(sqlite3.IntegrityError):
            witness._database.execute(statement)


def test_a_witness_takes_the_keeper_from_event_0_only(make_witness: Callable[[], Witness]) -> None:
    from verifier import Failure

    witness = make_witness()
    with pytest.raises(Failure):
        witness.admit(LOG[1])
    with pytest.raises(Failure):
        witness.admit(LOG[0].replace(b'"title":"', b'"title":"x'))
    with pytest.raises(WitnessError) as caught:
        ask(witness, 0, 5)
    assert caught.value.status == 404


@pytest.mark.parametrize("seed", range(4))
def test_many_ask_a_witness_at_once(make_witness: Callable[[], Witness], tmp_path: Path, seed: int) -> None:
    """Requests of two histories, in any order, at once: what it cosigned is one history and never goes back."""
    witness = make_witness()
    witness.admit(LOG[0])
    random = Random(seed)
    histories = (make_notes.LEAVES, make_notes.OTHERS)
    jobs = [(random.choice(histories), random.randrange(1, 12)) for _ in range(60)]
    cosigned: list[tuple[list[bytes], int]] = []

    def work(share: list[tuple[list[bytes], int]]) -> None:
        identity = Identity("walt", make_notes.secret("walt"))
        with closing(Witness(identity, tmp_path / "witness.db", lambda: make_notes.TIME)) as own:
            for leaves, size in share:
                held = own.held(f"rollproof/v1/{GAME.hex()}")
                try:
                    ask(own, held.head.size if held else 0, size, leaves)
                except (WitnessError, IndexError):
                    continue
                cosigned.append((leaves, size))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, [jobs[start::4] for start in range(4)]))
    beyond = [leaves for leaves, size in cosigned if size > make_notes.COMMON]
    assert all(leaves is beyond[0] for leaves in beyond)
    final = witness.held(f"rollproof/v1/{GAME.hex()}")
    assert final is not None
    assert final.head.size == max(size for _, size in cosigned)


def test_a_receipt_takes_the_events_that_it_is_for(table: Table) -> None:
    for name in ("alice", "bob"):
        table.act(name, "leave", {"party": name})

    def unsealed(**receipts: bytes) -> list[int | None]:
        report, _ = verify(table.log, receipts=receipts)
        return [finding.seq for finding in report.findings if finding.code == "log.unsealed"]

    size, host = table.view.replay.size, table.seats["host"]
    earlier = bytes(host.checkpoint(LogView(table.lines[:-1])))
    whole = bytes(host.checkpoint(table.view))
    assert unsealed() == [size - 2], "only their authors vouch for them"
    assert unsealed(mine=whole) == []
    assert unsealed(mine=earlier) == [size - 1]
    forged = whole.replace(f"\n{size}\n".encode(), f"\n{size - 1}\n".encode())
    assert unsealed(mine=forged) == [size - 2], "what does not pass counts for nothing"
