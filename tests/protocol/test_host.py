"""A keeper's program that serves many games (ledger/keeper/host.py): groups, receipts, races, a restored store."""

import shutil
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import rules
from ledger.errors import (
    BehindError,
    MissingError,
    NotTakenError,
    RefusedError,
    StaleMemoryError,
    StoreError,
    UsageError,
)
from ledger.game import signature_cache as once
from ledger.game.party_view import View
from ledger.keeper.catching_up import LackingGame
from ledger.keeper.keepers import Keepers, Quota
from ledger.keeper.operations import (
    Acceptance,
    BatchResult,
    CatchUp,
    CaughtUp,
    CloseGame,
    HandIn,
    HandInReceived,
    KeeperFailure,
    LetIn,
    NewCheckpoint,
    NewLine,
    NewOpening,
    NewReceived,
    Offer,
    OpenGame,
    OpeningOutcome,
    Outcome,
    ReceiptOutcome,
    Rejection,
    Resume,
    ResumeOutcome,
)
from ledger.keeper.signing import Signing
from ledger.keeper.taking import Taking
from ledger.keeper.tickets import Ticket
from ledger.seats.identity import Identity
from ledger.seats.keyless_seat import KeylessSeat
from ledger.seats.memory_file import Memory
from ledger.seats.seat import Seat
from ledger.store import line_writer
from ledger.store.ledger import Ledger
from ledger.store.storage import SqliteStorage
from rules.systems.mtg.bodies import Options, ResolveBody, RollBody
from tests.highroll import HighRoll
from tests.support.hosted import Client, Hosted, HostStage
from tests.support.table import SYSTEM, Forger
from verifier import verify
from verifier.log.bodies import AdmitBody
from verifier.log.merkle import leaf_hash
from verifier.log.signatures import SignatureCheck, verify_now
from verifier.opening import ReceivedOpening, SentOpening

OPTIONS = Options(planechase=False)
ROLL = RollBody(source="Delina", dice="1d20", use="attack")


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[Hosted]:
    """Alice and bob, and a host without any game."""
    hosted = Hosted(tmp_path)
    yield hosted
    hosted.close()


@pytest.fixture
def game(hosted: Hosted) -> bytes:
    return hosted.open(hosted.terms(SYSTEM, OPTIONS))


def clients(hosted: Hosted, game: bytes) -> tuple[Client, Client]:
    return hosted.clients[game]["alice"], hosted.clients[game]["bob"]


def check_whole(hosted: Hosted) -> None:
    """Every stored log verifies, is what its participants have, and ends under a checkpoint."""
    for game, followed in hosted.clients.items():
        lines = list(hosted.ledger.lines(game))
        report, _ = verify(b"".join(line + b"\n" for line in lines))
        assert report.verdict == "holds", report.findings
        checkpoint = hosted.ledger.checkpoint(game)
        assert checkpoint is not None
        assert checkpoint.head.size == len(lines)
        for client in followed.values():
            assert client.lines == lines


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["highroll-1", "dice-1", SYSTEM])
def test_a_scene_is_played_by_parties_elsewhere(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rules._HOMES, HighRoll.id, "tests.highroll:HighRoll")
    stage = HostStage(tmp_path, system)
    log = stage.play()
    report, replay = verify(log)
    assert report.verdict == "holds", report.findings
    assert replay is not None
    assert replay.session.requests > 0
    check_whole(stage.hosted)
    stage.hosted.close()


@pytest.mark.long
def test_thirty_games_at_once(hosted: Hosted) -> None:
    outcomes = hosted.process(*[hosted.terms(SYSTEM, OPTIONS, title=str(number)) for number in range(30)])
    assert all(isinstance(outcome, Acceptance) for outcome in outcomes)
    hosted.settle()
    games = list(hosted.clients)
    assert len(games) == 30
    for _ in range(2):
        requests = [clients(hosted, game)[0].act("roll", ROLL) for game in games]
        statements: list[str] = []
        storage = hosted.ledger._database
        assert isinstance(storage, SqliteStorage)
        storage.conn.set_trace_callback(statements.append)
        outcomes = hosted.process(*requests)
        storage.conn.set_trace_callback(None)
        assert statements.count("COMMIT") == 2, "all lines at once, and all checkpoints"
        assert [type(outcome) for outcome in outcomes] == [Acceptance] * 30
        hosted.settle()
        hosted.process(
            *[clients(hosted, game)[0].act("resolve", ResolveBody(roll=_last_request(hosted, game))) for game in games]
        )
    check_whole(hosted)
    assert {len(list(hosted.ledger.lines(game))) for game in games} == {12}


def _last_request(hosted: Hosted, game: bytes) -> int:
    return hosted.clients[game]["alice"].view.replay.size - 2


# --- what each gets --------------------------------------------------------------------------------------------------


def test_each_line_is_answered_with_a_checkpoint_that_it_is_under(hosted: Hosted, game: bytes) -> None:
    alice, _ = clients(hosted, game)
    offer = alice.act("roll", ROLL)
    processed = hosted.host.process([offer])
    (outcome,) = processed.outcomes
    assert isinstance(outcome, Acceptance)
    assert outcome.new
    receipt = outcome.receipt
    assert receipt.checkpoint is not None
    assert receipt.checkpoint.head.size == receipt.size == receipt.seq + 1
    assert receipt.checkpoint.head.root.hex() == receipt.root
    assert processed.news == {game: [NewLine(receipt.seq, offer.line), NewCheckpoint(receipt.checkpoint)]}


def test_where_nothing_is_outstanding_there_is_no_news(hosted: Hosted, game: bytes) -> None:
    size = clients(hosted, game)[0].view.replay.size
    assert hosted.host.process([Resume(game)]) == BatchResult((ResumeOutcome(size),), {})


def test_only_what_is_signed_again_byte_for_byte_is_not_waited_for(hosted: Hosted, game: bytes) -> None:
    alice, _ = clients(hosted, game)
    storage = hosted.ledger._database
    assert isinstance(storage, SqliteStorage)
    statements: list[str] = []
    storage.conn.set_trace_callback(statements.append)
    hosted.process(alice.act("roll", ROLL))
    hosted.settle()  # to the reveal
    storage.conn.set_trace_callback(None)
    waited, inserted = True, set()
    for statement in statements:
        if statement.startswith("PRAGMA synchronous"):
            waited = statement.endswith("FULL")
        elif statement.startswith("INSERT"):
            inserted.add((statement.partition(" INTO ")[2].split()[0], waited))
    assert waited
    assert {("events", True), ("openings", True), ("checkpoints", False)} <= inserted
    assert not {("events", False), ("openings", False)} & inserted


def test_a_checkpoint_that_a_crash_of_the_machine_took_is_signed_again(hosted: Hosted, game: bytes) -> None:
    alice, _ = clients(hosted, game)
    (outcome,) = hosted.process(alice.act("roll", ROLL))
    assert isinstance(outcome, Acceptance)
    hosted.stop()
    with closing(sqlite3.connect(hosted.folder / "ledger.db", isolation_level=None)) as database:
        database.execute("DELETE FROM checkpoints")
    hosted.start()
    assert hosted.ledger.checkpoint(game) is None
    hosted.host.resume()
    assert hosted.ledger.checkpoint(game) == outcome.receipt.checkpoint


def test_a_line_that_stands_is_answered_as_the_first_time(hosted: Hosted, game: bytes) -> None:
    alice, bob = clients(hosted, game)
    offer = alice.act("roll", ROLL)
    first, twin = hosted.process(offer, offer)
    assert first == twin
    processed = hosted.host.process([offer])
    (again,) = processed.outcomes
    assert isinstance(first, Acceptance)
    assert isinstance(again, Acceptance)
    assert not again.new
    assert again.receipt == first.receipt
    assert not processed.news
    hosted.settle()
    (later,) = hosted.process(offer)
    assert isinstance(later, Acceptance)
    assert later.receipt.checkpoint is not None
    assert later.receipt.checkpoint.head.size == bob.view.replay.size > first.receipt.size
    assert (later.receipt.seq, later.receipt.leaf) == (first.receipt.seq, first.receipt.leaf)


def test_of_two_lines_for_one_place_one_is_taken_and_the_other_is_told_where_the_game_is(
    hosted: Hosted, game: bytes
) -> None:
    alice, bob = clients(hosted, game)
    first, second = alice.act("roll", ROLL), bob.act("roll", ROLL)
    taken, late = hosted.process(first, second)
    assert isinstance(taken, Acceptance)
    assert isinstance(late, Rejection)
    assert late.stale
    assert late.code == "chain.seq"
    assert (late.size, late.head) == (alice.view.replay.size, alice.view.replay.head), "as it is with the first"


def test_only_who_signed_a_late_line_of_this_game_has_lost_a_race(hosted: Hosted, game: bytes) -> None:
    """Its author has the next turn; nobody can give it to another, or take it with a line that is refused anyway."""
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    alice, bob = clients(hosted, game)
    of_other = hosted.clients[other]["bob"].act("roll", ROLL).line
    before, late = alice.lines, bob.act("roll", ROLL).line
    first = alice.act("roll", ROLL)
    hosted.process(first)
    forger, stranger = Forger(hosted.identities["bob"]), Forger(Identity.generate("mallory"))
    beside = forger.event([*before, late], "roll", {})
    lines = {
        late: ("chain.seq", "bob"),
        beside: ("chain.prev", "bob"),
        late.replace(b"Delina", b"Delila"): ("chain.seq", None),
        of_other: ("chain.seq", None),
        stranger.event(before, "roll", {}): ("chain.seq", None),
        forger.event([*before, first.line], "draw", {}): ("type.unknown", None),
    }
    outcomes = hosted.process(*(Offer(game, line) for line in lines))
    refused = [(outcome.code, outcome.author) for outcome in outcomes if isinstance(outcome, Rejection)]
    assert refused == list(lines.values())


def test_what_does_not_hold_leaves_the_rest_of_the_batch_alone(hosted: Hosted, game: bytes) -> None:
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    alice, bob = clients(hosted, game)
    good = hosted.clients[other]["alice"].act("roll", ROLL)
    forged = bob.act("roll", ROLL).line.replace(b"Delina", b"Delila")
    stranger = bytes(32)
    outcomes = hosted.process(
        Offer(game, forged), Offer(game, b"{}"), good, Offer(stranger, good.line), Offer(game, good.line)
    )
    codes = [getattr(outcome, "code", None) for outcome in outcomes]
    assert codes == ["signature.invalid", "line.malformed", None, "not-found", "chain.game"]
    assert isinstance(outcomes[2], Acceptance)
    assert not any(isinstance(outcome, Rejection) and outcome.stale for outcome in outcomes[:2])
    hosted.settle()
    check_whole(hosted)
    (stands,) = hosted.process(alice.act("roll", ROLL))
    assert isinstance(stands, Acceptance)


def test_nobody_writes_in_the_keepers_name(hosted: Hosted, game: bytes) -> None:
    """A thief of its key would else stop its seat for good."""
    alice, _ = clients(hosted, game)
    forged = Forger(hosted.identities["host"]).event(alice.lines, "close", {}, time=hosted.clock())
    (outcome,) = hosted.process(Offer(game, forged))
    assert isinstance(outcome, Rejection)
    assert outcome.code == "author.keeper"
    own = next(line for line in alice.lines if b'"author":"host"' in line)
    (stands,) = hosted.process(Offer(game, own))
    assert isinstance(stands, Acceptance), "what it wrote itself stands, whoever sends it"
    (taken,) = hosted.process(alice.act("roll", ROLL))
    assert isinstance(taken, Acceptance)


def test_openings_are_receipted_and_handed_on_and_the_last_brings_the_dice(hosted: Hosted, game: bytes) -> None:
    alice, bob = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    opening = bob.open()
    processed = hosted.host.process([HandIn(opening)])
    (outcome,) = processed.outcomes
    assert isinstance(outcome, OpeningOutcome)
    assert outcome.received is not None
    assert (outcome.received.author, outcome.received.receiver) == ("bob", "host")
    assert processed.news == {game: [NewOpening(opening), NewReceived(outcome.received)]}
    hosted.tell(processed)
    assert hosted.seats["bob"].keyless.received(game) == [outcome.received]
    (again,) = hosted.process(HandIn(opening))
    assert again == OpeningOutcome(outcome.received, new=False)
    size = alice.view.replay.size
    (last,) = hosted.process(HandIn(alice.open()))
    assert isinstance(last, OpeningOutcome)
    assert last.received is not None
    assert alice.view.replay.size == size + 1
    assert alice.view.replay.session.phase == "idle", "it is revealed"
    assert alice.checkpoints[-1] == size + 1
    (known,) = hosted.process(HandIn(opening))
    assert known == OpeningOutcome(outcome.received, new=False), "after the roll too"
    (wrong,) = hosted.process(HandIn(SentOpening.of(game, bytes(32), opening.opening)))
    assert isinstance(wrong, Rejection)
    assert wrong.code == "opening.set"


def test_both_openings_in_one_batch(hosted: Hosted, game: bytes) -> None:
    alice, bob = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    opening = bob.open()
    alice.openings["bob"] = opening.opening
    outcomes = hosted.process(HandIn(opening), HandIn(alice.open()))
    assert all(isinstance(outcome, OpeningOutcome) and outcome.received is not None for outcome in outcomes)
    assert alice.view.replay.session.phase == "idle"


def test_an_opening_that_does_not_hold_is_refused(hosted: Hosted, game: bytes) -> None:
    alice, bob = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    good = bob.open()
    bad = type(good).of(game, bytes.fromhex(good.request), type(good.opening)("bob", 1, "00" * 32, good.opening.sig))
    refused, taken = hosted.process(HandIn(bad), HandIn(good))
    assert isinstance(refused, Rejection)
    assert refused.code == "opening.signature"
    assert isinstance(taken, OpeningOutcome)


def test_participants_receipts_are_handed_on(hosted: Hosted, game: bytes) -> None:
    alice, bob = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    opening = bob.open()
    receipt = alice.acknowledge(opening.opening)
    (early,) = hosted.process(receipt)
    assert isinstance(early, Rejection), "the opening has not come"
    hosted.process(HandIn(opening))
    (noted,) = hosted.process(receipt)
    assert noted == ReceiptOutcome(new=True)
    assert hosted.process(receipt) == (ReceiptOutcome(new=False),)
    assert {received.receiver for received in hosted.seats["bob"].keyless.received(game)} == {"alice", "host"}
    given = receipt.received
    forged = ReceivedOpening.of(game, bytes.fromhex(given.request), opening.opening, "bob", bytes.fromhex(given.sig))
    (wrong,) = hosted.process(HandInReceived(forged))
    assert isinstance(wrong, Rejection)


def test_after_a_void_the_keeper_discloses_and_it_ends_no_roll_by_itself(hosted: Hosted, game: bytes) -> None:
    alice, bob = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    hosted.process(HandIn(bob.open()))
    hosted.clock.now += 30 * (hosted.clock.now - hosted.clock.now.replace(hour=1))
    size = alice.view.replay.size
    assert hosted.process(Resume(game)) == (ResumeOutcome(size),)
    assert alice.view.replay.session.phase == "pending", "however long it takes"
    (outcome,) = hosted.process(Offer(game, hosted.seats["alice"].void(alice.view, ["alice"])))
    assert isinstance(outcome, Acceptance)
    assert alice.view.replay.size == size + 2
    assert b'"type":"disclose"' in alice.lines[-1]
    assert b'"author":"bob"' in alice.lines[-1]
    assert outcome.receipt.checkpoint is not None
    assert outcome.receipt.checkpoint.head.size == size + 2
    check_whole(hosted)


def test_an_opening_that_comes_with_the_void_is_disclosed_without_a_receipt(hosted: Hosted, game: bytes) -> None:
    alice, bob = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    void, opening = Offer(game, hosted.seats["alice"].void(alice.view)), bob.open()
    stands, opened = hosted.process(void, HandIn(opening))
    assert isinstance(stands, Acceptance)
    assert opened == OpeningOutcome(None, new=True)
    assert opening.opening.link.encode() in alice.lines[-1]
    assert hosted.process(HandIn(opening)) == (OpeningOutcome(None, new=False),)
    check_whole(hosted)


def test_a_game_is_closed_also_over_a_roll_that_waits(hosted: Hosted, game: bytes) -> None:
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    alice, bob = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    opening = bob.open()
    closing_, idle, given = hosted.process(CloseGame(game), CloseGame(other), HandIn(opening))
    for outcome, each in ((closing_, game), (idle, other)):
        client, _ = clients(hosted, each)
        assert isinstance(outcome, Acceptance)
        assert outcome.new
        assert b'"type":"close"' in client.lines[outcome.receipt.seq]
        assert client.view.replay.session.phase == "closed"
    assert isinstance(given, OpeningOutcome)
    assert given.received is not None
    assert opening.opening.link.encode() in alice.lines[-1], "what came is disclosed"
    (again,) = hosted.process(CloseGame(game))
    assert again == replace(closing_, new=False)
    check_whole(hosted)


def test_a_game_that_the_keeper_cannot_close_is_not_said_to_be_closed(hosted: Hosted, game: bytes) -> None:
    with hosted.keeper._memory.game(game) as turn:
        turn.change(stopped="somebody else has the key")
    newcomer = AdmitBody(key=str(Identity.generate("cyd").key), role="player")
    outcomes = hosted.process(CloseGame(game), LetIn(game, newcomer), Resume(game))
    assert [getattr(outcome, "code", None) for outcome in outcomes] == ["keeper.stopped"] * 3
    assert clients(hosted, game)[0].view.replay.session.phase == "idle"


@pytest.mark.parametrize(
    ("change", "code"),
    [("UPDATE games SET events = events + 1 WHERE game = ?", "keeper.failed"), ("", "not-found")],
)
def test_a_game_that_another_program_changes_before_the_keeper_looks_stops_alone(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch, change: str, code: str
) -> None:
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    offers = [clients(hosted, each)[0].act("roll", ROLL) for each in (game, other)]
    examine = Keepers.examine

    def changed(keepers: Keepers, games: Iterable[bytes]) -> dict[bytes, KeeperFailure]:
        problems = examine(keepers, games)
        if change:
            with closing(sqlite3.connect(hosted.folder / "ledger.db", isolation_level=None)) as database:
                database.execute(change, (game.hex(),))
        else:
            with closing(Ledger(hosted.folder / "ledger.db", hosted.clock)) as program:
                program.delete(game)
        return problems

    monkeypatch.setattr(Keepers, "examine", changed)
    failed, taken = hosted.process(*offers)
    assert isinstance(failed, KeeperFailure)
    assert failed.code == code
    assert isinstance(taken, Acceptance)


@pytest.mark.parametrize("when", ["before it signs", "after it signed"])
def test_a_game_that_another_program_deletes_meanwhile_stops_alone(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    forged = clients(hosted, game)[1].act("roll", ROLL).line.replace(b"Delina", b"Delila")
    finish = Signing.finish

    def deleted(signing: Signing) -> None:
        if when == "after it signed":
            finish(signing)
        with closing(Ledger(hosted.folder / "ledger.db", hosted.clock)) as program:
            program.delete(game)
        if when == "before it signs":
            finish(signing)

    monkeypatch.setattr(Signing, "finish", deleted)
    refused, closed, resumed, taken = hosted.host.process(
        [Offer(game, forged), CloseGame(game), Resume(game), clients(hosted, other)[0].act("roll", ROLL)]
    ).outcomes
    assert isinstance(refused, Rejection)
    assert (refused.code, refused.size, refused.head) == ("signature.invalid", 0, bytes(32))
    assert isinstance(closed, KeeperFailure)
    assert isinstance(resumed, KeeperFailure)
    assert isinstance(taken, Acceptance)


def test_a_spent_chain_is_renewed_between_rolls(tmp_path: Path) -> None:
    hosted = Hosted(tmp_path, links=3)
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    alice, _ = clients(hosted, game)
    for _ in range(5):
        (outcome,) = hosted.process(alice.act("roll", ROLL))
        assert isinstance(outcome, Acceptance), outcome
        hosted.settle()
        hosted.process(alice.act("resolve", ResolveBody(roll=outcome.receipt.seq)))
        hosted.settle()
    commits = [line for line in alice.lines if b'"author":"host"' in line and b'"type":"commit"' in line]
    assert len(commits) == 3
    check_whole(hosted)
    hosted.close()


def test_what_the_keeper_signs_while_another_program_writes_it_signs_anew(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, _ = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    seq, due, other = alice.view.replay.size - 1, Seat.due, Ledger(hosted.folder / "ledger.db", hosted.clock)
    void = hosted.seats["alice"].void(alice.view)
    other.append(game, void)
    signed: list[bytes] = []

    def slow(seat: Seat, what: str, view: View, *rest: object) -> bytes:
        signed.append(due(seat, what, view, *rest))  # type: ignore[arg-type]
        if len(signed) == 1:  # and another program of the keeper's does the same
            other.append(game, due(seat, what, view, *rest))  # type: ignore[arg-type]
            line = hosted.seats["alice"].sign(other.view(game), "roll", ROLL)
            other.append(game, line)
        return signed[-1]

    monkeypatch.setattr(Seat, "due", slow)
    (outcome,) = hosted.host.process([Resume(game)]).outcomes
    other.close()
    assert outcome == ResumeOutcome(seq + 4), "roll, void, the other program's disclose, and the roll that is owed"
    assert len(signed) == 1
    checkpoint = hosted.ledger.checkpoint(game)
    assert checkpoint is not None
    assert checkpoint.head.size == seq + 4


def test_terms_that_no_game_can_have_are_refused_and_leave_no_trace(hosted: Hosted, game: bytes) -> None:
    records = hosted.keeper._memory.count
    terms = hosted.terms(SYSTEM, OPTIONS, contributors=("host", "nobody"))
    good = hosted.terms(SYSTEM, OPTIONS)
    refused, taken = hosted.process(terms, good)
    assert isinstance(refused, Rejection)
    assert refused.code == "open.terms"
    assert isinstance(taken, Acceptance)
    assert hosted.keeper._memory.count == records + 3, "event 0, its commit, its checkpoint"


def test_a_game_of_another_keeper_is_left_alone(hosted: Hosted, tmp_path: Path) -> None:
    elsewhere = Hosted(tmp_path / "elsewhere")
    game = elsewhere.open(elsewhere.terms(SYSTEM, OPTIONS))
    alice, _ = clients(elsewhere, game)
    hosted.ledger.importer.import_log(alice.log, name="log")
    (outcome,) = hosted.process(alice.act("roll", ROLL))
    assert isinstance(outcome, KeeperFailure)
    assert outcome.code == "keeper.away"
    with pytest.raises(UsageError, match="is not here"):
        hosted.host.lacking(game)
    with pytest.raises(MissingError):
        hosted.host.lacking(bytes(32))
    (foreign,) = hosted.process(elsewhere.terms(SYSTEM, OPTIONS))
    assert isinstance(foreign, KeeperFailure)
    assert foreign.code == "keeper.away"
    elsewhere.close()


def test_readers_see_only_what_is_durable(hosted: Hosted, game: bytes) -> None:
    """While one thread works, others look: at whole lines, and at checkpoints of what is there."""
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    stop = threading.Event()

    def read() -> int:
        looks = 0
        while not stop.is_set():
            for each in (game, other):
                checkpoint, view = hosted.ledger.checkpoint(each), hosted.ledger.view(each)
                lines = list(hosted.ledger.lines(each))
                assert checkpoint is not None
                assert checkpoint.head.size <= view.replay.size <= len(lines)
                assert leaf_hash(lines[view.replay.size - 1]) == view.replay.head
                assert list(view.lines(view.replay.size - 3)) == lines[view.replay.size - 3 : view.replay.size]
                looks += 1
        return looks

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        try:
            for _ in range(3):
                hosted.process(*(clients(hosted, each)[0].act("roll", ROLL) for each in (game, other)))
                hosted.settle()
                hosted.process(
                    *(
                        clients(hosted, each)[0].act("resolve", ResolveBody(roll=_last_request(hosted, each)))
                        for each in (game, other)
                    )
                )
        finally:
            stop.set()
        assert all(reader.result(timeout=60) for reader in readers)


def test_a_game_that_somebody_changed_in_the_store_stands_still_alone(hosted: Hosted, game: bytes) -> None:
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    offers = [clients(hosted, each)[0].act("roll", ROLL) for each in (game, other)]
    with closing(sqlite3.connect(hosted.folder / "ledger.db", isolation_level=None)) as database:
        database.execute("UPDATE games SET events = events + 1 WHERE game = ?", (game.hex(),))
    one, two = hosted.process(*offers)
    assert isinstance(one, KeeperFailure)
    assert "changed by something else" in one.problem
    assert isinstance(two, Acceptance)
    assert len(hosted.host.resume().outcomes) == 2


def test_a_game_that_was_deleted_is_not_found(hosted: Hosted, game: bytes) -> None:
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    offers = [clients(hosted, each)[0].act("roll", ROLL) for each in (game, other)]
    hosted.ledger.delete(game)
    lines = tuple(clients(hosted, game)[0].lines)
    with pytest.raises(MissingError):
        hosted.host.lacking(game)
    gone, taken, resumed, brought = hosted.process(*offers, Resume(game), CatchUp(game, 0, lines))
    assert isinstance(gone, KeeperFailure)
    assert isinstance(resumed, KeeperFailure)
    assert isinstance(brought, KeeperFailure), "it does not come back"
    assert gone.code == resumed.code == brought.code == "not-found"
    assert isinstance(taken, Acceptance)


def test_a_full_game_takes_only_what_ends_something(hosted: Hosted, game: bytes) -> None:
    alice, _ = clients(hosted, game)
    offer, size, stored = alice.act("roll", ROLL), len(alice.lines), len(alice.log)
    keepers = hosted.host._keepers

    def full(offered: Offer) -> bool:
        (outcome,) = hosted.process(offered)
        return isinstance(outcome, Rejection) and outcome.code == "game.full"

    keepers._quota = Quota(10**9, stored + len(offer.line))
    assert full(offer)
    keepers._quota = Quota(size, 10**9)
    assert full(offer)
    assert full(Offer(game, b"{}")), "whatever it is"
    keepers._quota = Quota(size + 1, stored + len(offer.line) + 1)
    (taken,) = hosted.process(offer)
    assert isinstance(taken, Acceptance)
    (ended,) = hosted.process(Offer(game, alice.seat.void(alice.view)))
    assert isinstance(ended, Acceptance)
    assert full(alice.act("roll", ROLL))


def test_terms_without_a_keeper_are_nobody_s_here(hosted: Hosted, game: bytes) -> None:
    terms = hosted.terms(SYSTEM, OPTIONS).body
    none = OpenGame(replace(terms, parties=tuple(party for party in terms.parties if party.role != "keeper")))
    away, taken = hosted.process(none, clients(hosted, game)[0].act("roll", ROLL))
    assert isinstance(away, KeeperFailure)
    assert away.code == "keeper.away"
    assert isinstance(taken, Acceptance)


def test_a_game_that_is_deleted_before_its_line_is_taken_is_not_found(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    offers = [clients(hosted, each)[0].act("roll", ROLL) for each in (game, other)]
    take = Taking.take

    def deleted(taking: Taking, tickets: Sequence[Ticket]) -> None:
        with closing(Ledger(hosted.folder / "ledger.db", hosted.clock)) as program:
            program.delete(game)
        take(taking, tickets)

    monkeypatch.setattr(Taking, "take", deleted)
    gone, taken = hosted.process(*offers)
    assert isinstance(gone, KeeperFailure)
    assert gone.code == "not-found"
    assert isinstance(taken, Acceptance)


def test_a_key_with_another_name_is_another_keeper(hosted: Hosted) -> None:
    same = Identity("other", hosted.identities["host"]._private_key)
    terms = hosted.terms(SYSTEM, OPTIONS).body
    parties = tuple(replace(party, key=str(same.key)) if party.role == "keeper" else party for party in terms.parties)
    (foreign,) = hosted.process(OpenGame(replace(terms, parties=parties)))
    assert isinstance(foreign, KeeperFailure)
    assert foreign.code == "keeper.away"


# --- where the keeper cannot -----------------------------------------------------------------------------------------


def test_a_seat_that_has_stopped_stops_its_game_alone(hosted: Hosted, game: bytes) -> None:
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    with hosted.keeper._memory.game(game) as turn:
        turn.change(stopped="somebody else has the key")
    hosted.stop()
    hosted.start()
    stopped, known = clients(hosted, game)[0].act("roll", ROLL), clients(hosted, game)[0].lines[-1]
    one, two, three = hosted.process(stopped, clients(hosted, other)[0].act("roll", ROLL), Offer(game, known))
    assert isinstance(one, KeeperFailure)
    assert one.code == "keeper.stopped"
    assert isinstance(two, Acceptance)
    assert isinstance(three, Acceptance), "it stood before"
    assert list(hosted.ledger.lines(game)) == clients(hosted, game)[0].lines, "nothing is taken that it would not sign"


def test_a_memory_that_cannot_be_read_stops_no_batch(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted.stop()
    hosted.start()
    offer = clients(hosted, game)[0].act("roll", ROLL)

    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Seat, "group", fail)
    monkeypatch.setattr(KeylessSeat, "seen", fail)
    failed, unknown, new = hosted.process(offer, Resume(bytes(32)), hosted.terms(SYSTEM, OPTIONS))
    assert new == KeeperFailure("keeper.failed", "the disk is full")
    assert failed == KeeperFailure("keeper.failed", "the disk is full", clients(hosted, game)[0].view.replay.size)
    assert isinstance(unknown, KeeperFailure)
    assert unknown.code == "not-found"


def test_a_store_that_cannot_be_read_is_told_to_each(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise StoreError("the disk is gone")

    offer = clients(hosted, game)[0].act("roll", ROLL)
    with monkeypatch.context() as patch:
        patch.setattr(SqliteStorage, "version", fail)
        outcomes = hosted.process(offer, Resume(game))
    assert [getattr(outcome, "code", None) for outcome in outcomes] == ["keeper.failed"] * 2
    (taken,) = hosted.process(offer)
    assert isinstance(taken, Acceptance)


def test_a_seat_that_stops_on_the_way_is_told(hosted: Hosted, game: bytes) -> None:
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    with hosted.keeper._memory.game(game) as turn:
        turn.change(stopped="somebody else has the key")
    offer = clients(hosted, game)[0].act("roll", ROLL)
    one, two = hosted.process(offer, clients(hosted, other)[0].act("roll", ROLL))
    assert isinstance(one, KeeperFailure)
    assert one.code == "keeper.stopped"
    assert isinstance(two, Acceptance)
    (again,) = hosted.process(offer)
    assert isinstance(again, KeeperFailure), "it stands, and no checkpoint says so"
    before = list(hosted.ledger.lines(game))
    body = {"missing": [], "roll_index": 0}
    line = Forger(hosted.identities["alice"]).event(before, "void", body, time=hosted.clock())
    (void,) = hosted.process(Offer(game, line))
    assert isinstance(void, KeeperFailure)
    assert list(hosted.ledger.lines(game)) == before, "nothing more is taken"


def put_back(hosted: Hosted, backup: Path) -> None:
    """The keeper's database, and nothing else, is as it was when it was copied."""
    hosted.stop()
    for each in hosted.folder.glob("ledger.db*"):
        each.unlink()
    shutil.copy(backup, hosted.folder / "ledger.db")
    hosted.start()


def back_up(hosted: Hosted) -> Path:
    hosted.ledger._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Path(shutil.copy(hosted.folder / "ledger.db", hosted.folder / "backup.db"))


def missing(lacking: LackingGame, lines: Sequence[bytes]) -> tuple[bytes, ...]:
    """What is lacking, out of a log."""
    log = BytesIO(b"".join(line + b"\n" for line in lines))
    return tuple(chain.from_iterable(lacking.missing_in(log).pieces(log, 2, 700)))


def bring(hosted: Hosted, game: bytes, lines: Sequence[bytes]) -> Outcome:
    """A log, as somebody brings it who has it."""
    lacking = hosted.host.lacking(game)
    assert lacking is not None
    (outcome,) = hosted.process(CatchUp(game, lacking.here, missing(lacking, lines)))
    return outcome


def test_a_store_that_was_put_back_signs_nothing_until_it_is_caught_up(hosted: Hosted, game: bytes) -> None:
    alice, bob = clients(hosted, game)
    backup, size = back_up(hosted), alice.view.replay.size
    hosted.process(alice.act("roll", ROLL))
    hosted.settle()
    seq = alice.view.replay.size - 2
    late = alice.act("resolve", ResolveBody(roll=seq))
    put_back(hosted, backup)
    (behind, resumed) = hosted.process(late, Resume(game))
    assert isinstance(behind, KeeperFailure)
    assert (behind.code, behind.size) == ("keeper.behind", size)
    assert isinstance(resumed, KeeperFailure)
    # Bob makes up another history from where the store stands, with a line that holds.
    forger = Forger(hosted.identities["bob"])
    body = {"source": "x", "dice": "1d20", "use": "y"}
    forged = forger.event(alice.lines[:size], "roll", body, time=hosted.clock())
    for log in (alice.lines[: size + 1], [*alice.lines[:size], forged], [b"{}"] * size):
        with pytest.raises(BehindError):
            bring(hosted, game, log)
    last = alice.lines[size + 1]
    longer = [*alice.lines[:size], forged, *[forger.event([*alice.lines[:size], forged], "join", {}) for _ in range(3)]]
    elsewhere = [alice.lines[0], *alice.lines[:-1]]
    for log in (
        longer,
        elsewhere,
        [*alice.lines[:size], forged, last],
        [*alice.lines[: size + 1], forged],
        [b""] * 99,
        [*alice.lines[:size], b"{" * 70_000],
    ):
        with pytest.raises(NotTakenError):
            bring(hosted, game, log)
    assert list(hosted.ledger.lines(game)) == alice.lines[:size], "none of it was taken"
    # In pieces; what comes behind the lines that the keeper has seen is left. Until all are here nothing is taken.
    lacking = hosted.host.lacking(game)
    assert lacking is not None
    more = forger.event(alice.lines, "roll", body, time=hosted.clock())
    lines = missing(lacking, (*alice.lines, more))
    assert lines == tuple(alice.lines[size:])
    assert hosted.process(CatchUp(game, size, (lines[0],))) == (CaughtUp(size + 1, 1),)
    (behind,) = hosted.process(late)
    assert isinstance(behind, KeeperFailure)
    assert (behind.code, behind.size) == ("keeper.behind", size + 1)
    (again,) = hosted.process(CatchUp(game, size, (lines[0],)))
    assert isinstance(again, KeeperFailure)
    assert again.code == "catch-up"
    caught_up, taken = hosted.process(CatchUp(game, size + 1, (lines[1],)), late)
    assert caught_up == CaughtUp(size + 2, 1)
    assert isinstance(taken, Acceptance)
    hosted.process(bob.act("roll", ROLL))
    hosted.settle()
    check_whole(hosted)


def test_an_opening_for_a_roll_that_a_store_lacks_is_taken_when_it_is_back(hosted: Hosted, game: bytes) -> None:
    """It is no mistake of whoever hands it in, who would not try again."""
    alice, bob = clients(hosted, game)
    backup, size = back_up(hosted), alice.view.replay.size
    hosted.process(alice.act("roll", ROLL))
    opening = bob.open()
    put_back(hosted, backup)
    (behind,) = hosted.process(HandIn(opening))
    assert isinstance(behind, KeeperFailure)
    assert (behind.code, behind.size) == ("keeper.behind", size)
    bring(hosted, game, alice.lines)
    (taken,) = hosted.process(HandIn(opening))
    assert isinstance(taken, OpeningOutcome)
    assert taken.new


def replaced(hosted: Hosted, backup: Path) -> None:
    """The database is put back while the keeper's program has it open."""
    with closing(sqlite3.connect(backup)) as one, closing(sqlite3.connect(hosted.folder / "ledger.db")) as other:
        one.backup(other)


def without_lines(hosted: Hosted, game: bytes, size: int) -> None:
    """The lines alone are put back, and not what was made of them."""
    with closing(sqlite3.connect(hosted.folder / "ledger.db")) as other, other:
        other.execute("DROP TRIGGER events_no_delete")
        other.execute("DELETE FROM events WHERE game = ? AND seq >= ?", (game.hex(), size))


@pytest.mark.parametrize("how", ["noticed", "as many have written since", "the lines alone"])
def test_a_store_that_is_put_back_between_look_and_append_takes_nothing(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    alice, _ = clients(hosted, game)
    backup, size = back_up(hosted), alice.view.replay.size
    hosted.process(alice.act("roll", ROLL))
    hosted.settle()
    body = {"source": "x", "dice": "1d20", "use": "y"}
    lines = alice.lines[:size]
    other = Forger(hosted.identities["bob"]).event(lines, "roll", body, time=hosted.clock())
    upon = hosted.ledger.live(game)
    late = alice.act("resolve", ResolveBody(roll=alice.view.replay.size - 2)).line
    if how != "noticed":  # then the version of the database is another one
        version = hosted.ledger._database.version()
        monkeypatch.setattr(hosted.ledger._database, "version", lambda: version)
    if how == "the lines alone":
        without_lines(hosted, game, size)
    else:
        replaced(hosted, backup)
    for line in (late, other):
        with pytest.raises((StoreError, RefusedError)):
            hosted.ledger.append(game, line, upon=upon)
        assert list(hosted.ledger.lines(game)) == lines


def test_what_was_signed_for_lines_that_are_gone_is_not_kept(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is put back after the keeper has signed, and before that is stored."""
    alice, _ = clients(hosted, game)
    backup, checkpoint = back_up(hosted), hosted.ledger.checkpoint(game)
    group = Ledger.group

    @contextmanager
    def replaced_before(ledger: Ledger, *arguments: Any, durable: bool = True) -> Iterator[None]:
        if not durable:
            replaced(hosted, backup)
        with group(ledger, *arguments, durable=durable):
            yield

    monkeypatch.setattr(Ledger, "group", replaced_before)
    (failed,) = hosted.process(alice.act("roll", ROLL))
    assert isinstance(failed, KeeperFailure)
    assert hosted.ledger.checkpoint(game) == checkpoint
    monkeypatch.undo()
    (behind,) = hosted.process(Resume(game))
    assert isinstance(behind, KeeperFailure)
    assert behind.code == "keeper.behind"


def test_a_game_that_the_store_had_not_yet_is_brought_by_its_parties(hosted: Hosted, game: bytes) -> None:
    backup = back_up(hosted)
    later = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    alice, _ = clients(hosted, later)
    put_back(hosted, backup)
    offer = alice.act("roll", ROLL)
    (unknown,) = hosted.process(offer)
    assert isinstance(unknown, KeeperFailure)
    assert (unknown.code, unknown.size) == ("keeper.behind", 0)
    with pytest.raises(BehindError):
        bring(hosted, later, alice.lines[:2])
    (behind,) = hosted.process(offer)
    assert isinstance(behind, KeeperFailure)
    assert (behind.code, behind.size) == ("keeper.behind", 0), "nothing of it was taken"
    with pytest.raises(NotTakenError):
        bring(hosted, later, clients(hosted, game)[0].lines * 2)
    assert bring(hosted, later, alice.lines) == CaughtUp(len(alice.lines), len(alice.lines))
    (outcome,) = hosted.process(offer)
    assert isinstance(outcome, Acceptance)
    hosted.settle()
    check_whole(hosted)


def test_behind_what_the_keeper_has_seen_only_what_it_signed_itself_is_missing(hosted: Hosted, game: bytes) -> None:
    lines = clients(hosted, game)[0].lines
    own, seen = leaf_hash(lines[4]).hex(), leaf_hash(lines[3])
    for signed, size in (({own: 4, "00" * 32: 5}, 5), ({"00" * 32: 4}, 4), ({own: 5}, 4), ({}, 4)):
        lacking = LackingGame(game, 2, leaf_hash(lines[1]), 4, seen.hex(), signed)
        assert missing(lacking, lines) == tuple(lines[2:size])


def test_nothing_is_missing_where_nothing_was_lost(hosted: Hosted, game: bytes) -> None:
    assert hosted.host.lacking(game) is None
    hosted.process(clients(hosted, game)[0].act("roll", ROLL))
    hosted.settle()
    assert hosted.host.lacking(game) is None


def test_what_was_outstanding_when_it_ended_is_done_when_it_starts(hosted: Hosted, game: bytes) -> None:
    """Lines whose checkpoint did not come to be, and a roll that has all openings."""
    alice, bob = clients(hosted, game)
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    hosted.process(alice.act("roll", ROLL))
    opening = bob.open()
    hosted.ledger.hand_in(game, opening.opening)
    alice.openings["bob"] = opening.opening
    hosted.ledger.hand_in(game, alice.open().opening)
    line = clients(hosted, other)[1].act("roll", ROLL).line
    hosted.ledger.append(other, line)
    hosted.stop()
    hosted.start()
    assert set(hosted.ledger.catalog.unfinished()) == {game, other}
    processed = hosted.host.resume()
    assert all(isinstance(outcome, ResumeOutcome) for outcome in processed.outcomes)
    clients(hosted, other)[0].hear([NewLine(len(clients(hosted, other)[0].lines), line)])
    clients(hosted, other)[1].hear([NewLine(len(clients(hosted, other)[1].lines), line)])
    hosted.tell(processed)
    assert alice.view.replay.session.phase == "idle"
    check_whole(hosted)


def test_a_store_that_cannot_be_written_loses_nobody_anything(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = clients(hosted, game)
    known, offer = Offer(game, alice.lines[-1]), alice.act("roll", ROLL)
    pages = hosted.ledger._database.execute("PRAGMA page_count").fetchone()[0]
    hosted.ledger._database.execute(f"PRAGMA max_page_count = {pages}")
    games = [hosted.terms(SYSTEM, OPTIONS, title="x" * 200) for _ in range(40)]
    answered, *outcomes = hosted.process(known, offer, *games)
    assert isinstance(answered, Acceptance), "it stood before"
    assert {getattr(outcome, "code", None) for outcome in outcomes} == {"keeper.failed"}
    assert list(hosted.ledger.lines(game)) == alice.lines
    hosted.ledger._database.execute("PRAGMA max_page_count = 1000000")
    (stands,) = hosted.process(offer)
    assert isinstance(stands, Acceptance)
    # And between the signing and the storing of what the keeper signed.
    hosted.process(HandIn(bob.open()))

    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    last = HandIn(alice.open())
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "keep_signed", fail)
        failed = hosted.process(last, hosted.terms(SYSTEM, OPTIONS))
    assert [getattr(outcome, "code", None) for outcome in failed] == ["keeper.failed"] * 2
    assert alice.view.replay.session.phase == "pending"
    (opened,) = hosted.process(last)
    assert isinstance(opened, OpeningOutcome)
    assert alice.view.replay.session.phase == "idle"
    (begun,) = (each for each in hosted.clients if each != game)
    (stands,) = hosted.process(Offer(begun, clients(hosted, begun)[0].lines[0]))
    assert isinstance(stands, Acceptance), "it is signed for when it is sent again"
    check_whole(hosted)


def test_an_opening_has_its_receipt_also_where_the_keeper_cannot_end_the_roll(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the receipt a party can show that it opened, which matters most where no reveal follows."""
    alice, bob = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    hosted.process(HandIn(bob.open()))

    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Seat, "due", fail)
    (outcome,) = hosted.process(HandIn(alice.open()))
    assert isinstance(outcome, OpeningOutcome)
    assert outcome.received is not None
    assert outcome.received.receiver == "host"
    assert alice.view.replay.session.phase == "pending"


def test_the_keeper_remembers_nothing_that_its_store_does_not_have(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the store fails at, the seat's head is at most the store's end: else it could never go on."""
    alice, _ = clients(hosted, game)
    append = Ledger.append

    def fail(ledger: Ledger, of: bytes, line: bytes, **members: Any) -> object:
        append(ledger, of, line, **members)
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "append", fail)
        (failed,) = hosted.process(alice.act("roll", ROLL))
    assert isinstance(failed, KeeperFailure)
    with hosted.keeper._memory.game(game) as turn:
        assert turn.record.head.size <= hosted.ledger.view(game).replay.size
    (stands,) = hosted.process(alice.act("roll", ROLL))
    assert isinstance(stands, Acceptance)


@pytest.mark.parametrize("times", [5, 6])
def test_a_keeper_whose_other_machine_was_faster_signs_anew_and_not_for_ever(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """Its memory is in a service, and another machine of its own is at the same game."""
    alice, _ = clients(hosted, game)
    group, left = Seat.group, [times]

    @contextmanager
    def stale(seat: Seat, *games: Any) -> Iterator[None]:
        with group(seat, *games):
            yield
            if left[0]:
                left[0] -= 1
                raise StaleMemoryError("another machine was faster")

    offer = alice.act("roll", ROLL)
    monkeypatch.setattr(Seat, "group", stale)
    (outcome,) = hosted.process(offer)
    assert left == [0]
    if times == 5:
        assert isinstance(outcome, Acceptance)
        return
    assert isinstance(outcome, KeeperFailure)
    (again,) = hosted.process(offer)
    assert isinstance(again, Acceptance), "it stands, and is signed for when it is sent again"


def test_what_the_keeper_dates_ahead_of_its_store_s_clock_is_not_written(hosted: Hosted, game: bytes) -> None:
    """The machine's clock was set back between the signing and the storing."""
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    early, lines = hosted.clock(), clients(hosted, game)[0].lines
    hosted.clock.now += timedelta(minutes=10)
    hosted.ledger._clock = lambda: early
    failed, resumed = hosted.process(CloseGame(game), Resume(other))
    assert isinstance(failed, KeeperFailure)
    assert failed.code == "time.ahead"
    assert isinstance(resumed, ResumeOutcome)
    assert list(hosted.ledger.lines(game)) == lines


# --- a keeper that was moved here ------------------------------------------------------------------------------------


def moved(hosted: Hosted, *games: bytes) -> None:
    """The keeper's program starts on another machine, with a memory that was moved there."""
    for game in games:
        with hosted.keeper._memory.game(game) as turn:
            turn.change(chains=tuple(replace(chain, moved=True) for chain in turn.record.chains))
    hosted.stop()
    hosted.start()


def commits(hosted: Hosted, game: bytes) -> int:
    return sum(b'"author":"host"' in line and b'"type":"commit"' in line for line in hosted.ledger.lines(game))


def test_a_keeper_that_was_moved_commits_anew_at_its_start_where_no_roll_waits(hosted: Hosted, game: bytes) -> None:
    waiting, still = (hosted.open(hosted.terms(SYSTEM, OPTIONS)) for _ in range(2))
    hosted.process(clients(hosted, waiting)[0].act("roll", ROLL))
    moved(hosted, game, waiting)
    for _ in range(2):
        hosted.tell(hosted.host.resume())
        assert [commits(hosted, each) for each in (game, waiting, still)] == [2, 1, 1]
    hosted.process(clients(hosted, game)[0].act("roll", ROLL))
    hosted.settle()
    assert clients(hosted, game)[0].view.replay.session.phase == "idle", "it is revealed"


def test_a_moved_keeper_commits_anew_also_where_another_line_came_first(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved(hosted, game)
    alice, due = clients(hosted, game)[0], Seat.due
    away = [alice.seat.away(alice.view, "alice")]

    def raced(seat: Seat, what: str, view: View, *rest: object) -> bytes:
        line = due(seat, what, view, *rest)  # type: ignore[arg-type]
        if away:
            with closing(Ledger(hosted.folder / "ledger.db", hosted.clock)) as program:
                program.append(game, away.pop())
        return line

    monkeypatch.setattr(Seat, "due", raced)
    hosted.host.resume()
    assert not away
    assert commits(hosted, game) == 2


def test_a_moved_keeper_whose_memory_cannot_be_read_stops_nobody_else(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    moved(hosted, game)

    def fail(*_: object) -> bool:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Seat, "has_moved_chain", fail)
    hosted.host.resume()
    (taken,) = hosted.process(clients(hosted, other)[0].act("roll", ROLL))
    assert isinstance(taken, Acceptance)


def test_what_the_keeper_could_not_record_leaves_nowhere(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, _ = clients(hosted, game)
    before, offer = hosted.ledger.checkpoint(game), alice.act("roll", ROLL)

    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Memory, "_committed", fail)
        processed = hosted.host.process([offer])
    (failed,) = processed.outcomes
    assert isinstance(failed, KeeperFailure)
    assert failed.code == "keeper.failed"
    assert processed.news == {game: [NewLine(len(alice.lines), offer.line)]}, "it stands, and has no checkpoint"
    assert hosted.ledger.checkpoint(game) == before
    hosted.tell(processed)
    (stands,) = hosted.process(offer)
    assert isinstance(stands, Acceptance)
    check_whole(hosted)


def test_openings_are_verified_once_and_false_ones_each_time(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[SignatureCheck] = []

    def counted(check: SignatureCheck) -> None:
        checked.append(check)
        verify_now(check)

    alice, bob = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    opening = bob.open()
    false = SentOpening.of(game, bytes.fromhex(opening.request), replace(opening.opening, sig="00" * 64))
    monkeypatch.setattr(once, "verify_now", counted)
    for _ in range(2):
        (refused,) = hosted.process(HandIn(false))
        assert isinstance(refused, Rejection)
    assert len(checked) == 2
    hosted.process(HandIn(opening))
    hosted.process(HandIn(alice.open()))
    of_bob = [check for check in checked if check.author == "bob" and check.signature.hex() == opening.opening.sig]
    assert len(of_bob) == 1, "taken, acknowledged, looked at by alice, revealed, and appended in the reveal"
    check_whole(hosted)


# --- groups of the store ---------------------------------------------------------------------------------------------


def test_a_group_that_fails_leaves_nothing_on_disk_or_in_memory(hosted: Hosted, game: bytes) -> None:
    alice, _ = clients(hosted, game)
    before, line = list(hosted.ledger.lines(game)), alice.act("roll", ROLL).line

    def fail(error: Exception) -> None:
        with hosted.ledger.group():
            hosted.ledger.append(game, line)
            raise error

    for error, raised in (
        (KeyError(), KeyError),
        (StoreError("x"), StoreError),
        (RefusedError("x", "x", None), StoreError),
    ):
        with pytest.raises(raised):
            fail(error)
        assert hosted.ledger.view(game).replay.size == len(before)
        assert list(hosted.ledger.lines(game)) == before
    hosted.ledger.append(game, line)


def test_what_failed_in_a_group_fails_it_also_where_nobody_tells(hosted: Hosted, game: bytes) -> None:
    alice, bob = clients(hosted, game)
    line = alice.act("roll", ROLL).line

    def swallow() -> None:
        with hosted.ledger.group():
            hosted.ledger.append(game, line)
            try:
                hosted.ledger.create(bob.lines[0])  # it is there
            except Exception:
                return

    with pytest.raises(StoreError):
        swallow()
    assert hosted.ledger.view(game).replay.size == len(bob.lines)


def test_an_error_within_a_line_fails_its_group_also_where_it_is_caught(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, _ = clients(hosted, game)
    line = alice.act("roll", ROLL).line

    def fail(*_: object) -> None:
        raise KeyError("a mistake")

    def swallow() -> None:
        with hosted.ledger.group(), suppress(KeyError):
            hosted.ledger.append(game, line)

    with monkeypatch.context() as patch:
        patch.setattr(line_writer, "project", fail)
        with pytest.raises(KeyError, match="a mistake"):
            swallow()
    assert list(hosted.ledger.lines(game)) == alice.lines
    assert hosted.ledger.view(game).replay.size == len(alice.lines)
    hosted.ledger.append(game, line)


def test_a_line_that_is_refused_leaves_the_group_alone(hosted: Hosted, game: bytes) -> None:
    alice, _ = clients(hosted, game)
    line = alice.act("roll", ROLL).line
    with hosted.ledger.group():
        with pytest.raises(RefusedError):
            hosted.ledger.append(game, b"{}")
        hosted.ledger.append(game, line)
        with pytest.raises(RefusedError, match="gone on"):
            hosted.ledger.append(game, line)
    assert hosted.ledger.view(game).replay.size == len(alice.lines) + 1


def test_a_view_has_the_lines_that_another_program_wrote(hosted: Hosted, game: bytes) -> None:
    """What is at hand of the latest lines is not taken for what came later."""
    alice, bob = clients(hosted, game)
    view = hosted.ledger.view(game)
    for start in range(len(alice.lines) + 1):
        assert list(view.lines(start)) == alice.lines[start:]
    hosted.process(alice.act("roll", ROLL))
    other = Ledger(hosted.folder / "ledger.db", hosted.clock)
    line = hosted.seats["alice"].void(alice.view)
    other.append(game, line)
    other.close()
    view = hosted.ledger.view(game)
    assert list(view.lines(0)) == list(hosted.ledger.lines(game)) == [*alice.lines, line]
    assert [view.leaf(seq) for seq in range(view.replay.size)] == [leaf_hash(each) for each in view.lines(0)]
    hosted.host.process([Resume(game)])
    view = hosted.ledger.view(game)
    lines = list(hosted.ledger.lines(game))
    assert lines[:-1] == [*bob.lines, line]
    for start in range(len(lines) + 1):
        assert list(view.lines(start)) == lines[start:]
