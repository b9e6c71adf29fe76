"""The keeper's core, without any store, and tables in threads (specs/protocol.md, "The course of a roll")."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from msgspec.structs import replace

from ledger.errors import RefusedError
from ledger.game.core import Due, KeptGame
from ledger.game.party_view import LogView
from ledger.keeper.table import Table as Played
from ledger.seats.identity import Identity
from ledger.seats.seat import Seat
from tests.support.table import ROLL, Clock, Forger, Table, make_body
from verifier import verify
from verifier.dice.derivation import received_message
from verifier.log.bodies import Opening
from verifier.opening import ReceivedOpening

NAMES = ("host", "alice", "bob")


class InMemory:
    """A game of which nobody has a file: lines, openings and checkpoints pass from the core to views and back."""

    def __init__(self, table: Table) -> None:
        self.clock = Clock()
        self.core = KeptGame()
        self.view = LogView()
        self.seats = table.seats
        for line in table.lines:
            self.offer(line)

    def offer(self, line: bytes) -> None:
        self.core.offer(line, self.clock())
        self.view.append(line)

    def take(self) -> None:
        self.core.checkpoint = self.view.checkpoint = self.seats["host"].checkpoint(self.view)


@pytest.fixture
def game(table: Table) -> InMemory:
    return InMemory(table)


def test_it_says_what_is_outstanding_for_whom(game: InMemory) -> None:
    assert game.core.outstanding() == ()
    game.offer(game.seats["alice"].sign(game.view, "roll", make_body("roll", ROLL)))
    assert game.core.outstanding() == (Due("host", "take"),)
    game.take()
    assert game.core.outstanding() == (Due("bob", "open"),), "alice closes her roll, and opens when bob has"
    opening = game.seats["bob"].opening(game.view)
    assert game.core.take(opening)
    assert not game.core.take(opening), "it is known"
    assert game.core.outstanding() == (Due("alice", "open"),)
    game.core.take(game.seats["alice"].opening(game.view, game.core.openings))
    assert game.core.outstanding() == (Due("host", "reveal"),)
    game.offer(game.seats["host"].reveal(game.view, game.core.openings))
    assert game.core.outstanding() == ()
    assert game.core.openings == ()
    assert game.core.replay.session.phase == "idle"


def test_after_a_void_the_keeper_discloses(game: InMemory) -> None:
    game.offer(game.seats["alice"].sign(game.view, "roll", make_body("roll", ROLL)))
    game.take()
    game.core.take(game.seats["bob"].opening(game.view))
    game.offer(game.seats["alice"].void(game.view))
    assert game.core.outstanding() == (Due("host", "disclose"),)
    assert [opening.author for opening in game.core.openings] == ["bob"], "it has to be disclosed"
    game.offer(game.seats["host"].disclose(game.view, game.core.openings))
    assert game.core.outstanding() == ()


def test_who_has_to_join_and_to_commit(make_table: Callable[..., Table]) -> None:
    table = make_table()
    everybody = InMemory(table)
    joins = [Due(name, "join") for name in ("alice", "bob", "dana")]
    assert set(everybody.core.outstanding()) == {*joins, Due("host", "commit")}


def test_of_a_game_that_is_not_there_and_of_one_that_is_closed_nothing_is_outstanding(
    make_table: Callable[..., Table],
) -> None:
    assert KeptGame().outstanding() == ()
    table = make_table()
    game = InMemory(table)
    game.offer(Forger(table.identities["host"]).event(table.lines, "close", {}))
    assert game.core.outstanding() == (), "whoever has not joined has not to any more"


def test_a_receipt_for_an_opening_is_taken_from_a_party_while_its_roll_waits(game: InMemory, table: Table) -> None:
    game.offer(game.seats["alice"].sign(game.view, "roll", make_body("roll", ROLL)))
    game.take()
    opening = game.seats["bob"].opening(game.view)
    good = game.seats["alice"].acknowledge(game.view, opening)
    other = replace(opening, link="00" * 32)
    dana, mallory = Forger(table.identities["dana"]), Forger(Identity.generate("mallory"))

    def received(by: Forger, of: Opening, request: str = good.request) -> ReceivedOpening:
        """A receipt that its giver signed."""
        link, whole = bytes.fromhex(of.link), bytes.fromhex(request)
        message = received_message(game.core.replay.game, whole, of.author, of.index, link)
        return ReceivedOpening.of(game.core.replay.game, whole, of, by.name, by.identity.sign(message))

    def refused(receipt: ReceivedOpening, code: str) -> None:
        with pytest.raises(RefusedError) as caught:
            game.core.check_received(receipt)
        assert caught.value.code == code

    refused(good, "opening.set")
    game.core.take(opening)
    game.core.check_received(good)
    game.core.check_received(received(dana, opening))
    refused(received(dana, opening, "00" * 32), "opening.set")
    refused(received(dana, replace(opening, author="alice")), "opening.set")
    refused(received(dana, other), "opening.link")
    refused(received(dana, replace(opening, index=opening.index + 1)), "opening.link")
    refused(received(mallory, opening), "opening.link")
    refused(replace(good, receiver="dana"), "opening.signature")
    assert (game.core.awaited, game.core.next_to_open) == (("alice",), ("alice",))
    game.offer(game.seats["alice"].void(game.view))
    assert (game.core.awaited, game.core.next_to_open) == ((), ()), "nobody opens any more"
    game.offer(game.seats["host"].disclose(game.view, game.core.openings))
    refused(good, "opening.set")


@pytest.mark.parametrize("ahead", [4, 5, 6])
def test_a_clock_that_runs_ahead_drags_nobody_along(game: InMemory, table: Table, ahead: int) -> None:
    now, late = "2026-11-20T20:00:00.000Z", f"2026-11-20T20:0{ahead}:00.000Z"
    line = Forger(table.identities["alice"]).event(table.lines, "roll", make_body("roll", ROLL), time=late)
    if ahead <= 5:
        game.core.offer(line, now)
        return
    size = game.core.replay.size
    with pytest.raises(RefusedError) as caught:
        game.core.offer(line, now)
    assert caught.value.code == "time.ahead"
    assert game.core.replay.size == size
    game.core.offer(line, None)


def test_an_event_no_later_than_the_one_before_is_taken_though_the_clock_was_set_back(
    game: InMemory, table: Table
) -> None:
    line = Forger(table.identities["alice"]).event(table.lines, "roll", ROLL)
    assert game.core.offer(line, "2026-11-19T00:00:00.000Z").seq == len(table.lines)


def test_a_line_that_does_not_hold_leaves_it_as_it_was(game: InMemory, table: Table) -> None:
    size, head = game.core.replay.size, game.core.replay.head
    undated = Forger(table.identities["alice"]).event(table.lines, "roll", ROLL, time="soon")
    good = game.seats["alice"].sign(game.view, "roll", make_body("roll", ROLL))
    for line in (b"", b"{}", good[:-3], good.replace(b"Delina", b"Delilah"), table.lines[-1], undated):
        with pytest.raises(RefusedError):
            game.core.offer(line, game.clock())
    assert (game.core.replay.size, game.core.replay.head) == (size, head)
    game.offer(good)


@pytest.mark.parametrize(
    ("type", "members", "code"),
    [
        ("roll", ROLL | {"source": "Delina\u200b"}, "body.malformed"),
        ("roll", ROLL | {"luck": 3}, "body.malformed"),
        ("roll", {"source": "Special action", "dice": "planar"}, "rules.violation"),
        ("resolve", {"roll": 3}, "rules.violation"),
        ("declare", {"what": "ends", "trigger": 9}, "rules.violation"),
    ],
)
def test_a_keeper_takes_nothing_that_the_rules_refuse(
    game: InMemory, table: Table, type: str, members: dict[str, object], code: str
) -> None:
    """A page can be led to sign such a line; an honest keeper's program never has it in its log, signed over or not."""
    line = Forger(table.identities["alice"]).event(table.lines, type, members)
    size = game.core.replay.size
    for take in (game.core.offer, lambda line, _: table.ledger.append(table.game, line)):
        with pytest.raises(RefusedError) as refused:
            take(line, None)
        assert refused.value.code == code
    assert (game.core.replay.size, len(table.lines)) == (size, size)


def test_the_keepers_own_opening_is_never_taken(game: InMemory) -> None:
    game.offer(game.seats["alice"].sign(game.view, "roll", make_body("roll", ROLL)))
    game.take()
    with pytest.raises(RefusedError):
        game.core.take(Opening("host", 1, "00" * 32, "00" * 64))


def test_a_snapshot_does_not_change(game: InMemory) -> None:
    before = game.core.snapshot()
    size, state = before.size, before.session.view()
    game.offer(game.seats["alice"].sign(game.view, "roll", make_body("roll", ROLL)))
    assert (before.size, before.session.view()) == (size, state)
    assert before.pending is None
    assert game.core.replay.pending is not None


# --- a store that any thread may use ---------------------------------------------------------------------------------


@pytest.fixture
def played(table: Table) -> Played:
    """The table's game, each party's seat for one thread at a time."""
    locks = {name: threading.RLock() for name in table.seats}

    @contextmanager
    def seat_of(name: str) -> Iterator[Seat]:
        with locks[name]:
            yield table.seats[name]

    return Played(table.ledger, table.game, seat_of)


def test_a_view_does_not_change_under_its_holder(table: Table, played: Played) -> None:
    view, lines = table.view, table.lines
    assert played.view.replay.size == view.replay.size == len(lines)
    played.act("alice", "roll", make_body("roll", ROLL))
    played.carry_on()
    assert view.replay.size == len(lines)
    assert list(view.lines(0)) == lines
    assert view.replay.session.requests == 0
    assert played.view.replay.session.requests == 1


def test_many_threads_play_at_one_table(table: Table, played: Played) -> None:
    """Each rolls and carries on, whoever's roll it is; nothing is lost, nothing is there twice, and the log holds."""
    done = []

    def roll(number: int) -> None:
        while True:
            try:
                played.act(("alice", "bob")[number % 2], "roll", make_body("roll", ROLL))
                break
            except RefusedError as error:
                if error.code != "state.pending":  # another thread's roll waits
                    raise
                played.carry_on(failed=lambda _due, _error: None)
        played.carry_on(failed=lambda _due, _error: None)
        done.append(number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(roll, range(6), timeout=120))
    played.carry_on()
    assert sorted(done) == list(range(6))
    report, replay = verify(table.log)
    assert report.verdict == "holds"
    assert replay is not None
    assert replay.session.requests == 6


def test_readers_see_only_what_stands(table: Table, played: Played) -> None:
    """While others write, each view and each export holds by itself."""
    stop = threading.Event()

    def read() -> int:
        count = 0
        while not stop.is_set():
            view = table.ledger.view(table.game)
            assert len(list(view.lines(0))) == view.replay.size
            assert table.ledger.kept(table.game).replay.size >= view.replay.size
            count += 1
        return count

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        try:
            for _ in range(4):
                played.act("alice", "roll", make_body("roll", ROLL))
                played.carry_on()
        finally:
            stop.set()
        assert all(reader.result(timeout=60) for reader in readers)


def test_who_is_not_at_hand_is_left_to_do_its_part(table: Table) -> None:
    there = {"host": table.seats["host"], "alice": table.seats["alice"]}
    played = Played(table.ledger, table.game, lambda name: nullcontext(there.get(name)))
    played.act("alice", "roll", make_body("roll", ROLL))
    assert played.carry_on() == (Due("bob", "open"),)
    there["bob"] = table.seats["bob"]
    assert played.carry_on() == ()
    assert played.view.replay.session.phase == "idle"


def test_the_core_and_the_store_say_the_same(table: Table, tmp_path: Path) -> None:
    assert table.ledger.kept(table.game).outstanding() == InMemory(table).core.outstanding()
