"""A table at which a program's own seats play, alone or by way of a server (ledger/keeper/table.py)."""

from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from ledger.errors import (
    BehindError,
    LedgerError,
    RefusedError,
    StoreError,
    TurnError,
    UntakenError,
    UsageError,
    WaitingError,
)
from ledger.game.core import Due
from ledger.home import Home
from ledger.keeper.table import Table as Played
from ledger.keeper.table import open_table
from ledger.seats.identity import Identity
from ledger.seats.seat import Seat
from ledger.store.game_view import GameView
from ledger.store.ledger import Ledger
from ledger.store.receipts import Receipt
from rules import SYSTEMS
from rules.systems.mtg.bodies import DeclarePermanent
from tests.support.cli import QUICK
from tests.support.table import ROLES, ROLL, Table, seat_in
from verifier.log.bodies import Close, Opening

COMES, COIN = DeclarePermanent("die", "A Die"), DeclarePermanent("coin", "A Coin")
LINE = "d20 Delina"


def with_seats(table: Table, *names: str) -> Played:
    """The table as a program has it at which these alone are at hand."""
    return Played(table.ledger, table.game, lambda name: nullcontext(table.seats[name] if name in names else None))


# --- whose seats are here --------------------------------------------------------------------------------------------


def test_nobody_acts_whose_seat_is_not_here(table: Table) -> None:
    here, size = with_seats(table, "host", "alice"), len(table.lines)
    with pytest.raises(KeyError):
        here.act("bob", "declare", COMES)
    with pytest.raises(KeyError):
        here.act_all("bob", [("declare", COMES)])
    with pytest.raises(UsageError, match="bob is not at hand"):
        here.roll("bob", LINE)
    assert not here.do(Due("bob", "commit"))
    assert len(table.lines) == size


def test_of_a_row_of_which_one_is_refused_nothing_is_written(table: Table) -> None:
    size = len(table.lines)
    with pytest.raises(RefusedError):
        table.played.act_all("alice", [("declare", COMES), ("declare", COMES)])
    assert len(table.lines) == size


def test_a_line_that_is_no_roll_is_refused_before_anything_is_signed(table: Table) -> None:
    size = len(table.lines)
    with pytest.raises(UsageError):
        table.played.roll("alice", "((")
    assert len(table.lines) == size


def test_a_roll_waits_for_who_is_not_here_and_the_next_one_waits_for_it(table: Table) -> None:
    here = with_seats(table, "host", "alice")
    assert here.roll("alice", LINE).status == "pending"
    with pytest.raises(WaitingError, match="a roll waits for bob"):
        here.roll("alice", LINE)
    table.played.carry_on()
    assert table.view.replay.pending is None


def test_the_keeper_signs_its_own_events_at_once(table: Table) -> None:
    (receipt,) = table.played.act_all("host", [("close", Close())])
    assert receipt.checkpoint is not None
    assert receipt.checkpoint.head.size == receipt.size == len(table.lines)


def test_an_event_of_the_keepers_is_its_own_receipt(table: Table) -> None:
    receipt = table.played.append(table.seats["host"], lambda view: table.seats["host"].close_game(view))
    assert receipt.checkpoint is not None
    assert receipt.checkpoint.head.size == receipt.size


def test_a_chain_is_renewed_once_when_it_is_spent(make_table: Callable[..., Table]) -> None:
    table = make_table()
    for name in ("alice", "bob", "dana"):
        table.played.append(table.seats[name], table.seats[name].join)
    assert not table.played.renews("alice"), "her first chain renews none"
    for name in ("alice", "bob", "host"):
        table.commit(name, 2 if name == "alice" else 16)
    assert not table.played.renews("alice")
    table.roll("bob")
    assert table.played.renews("alice")
    tip = table.view.replay.chains["alice"].tip
    assert not with_seats(table, "host").renew("alice"), "she is not at hand"
    with pytest.raises(RefusedError) as refused:
        table.played.roll("bob", LINE)
    assert refused.value.code == "state.not-committed", "nobody is waited for where there is no server"
    assert table.played.renew("alice")
    assert table.view.replay.chains["alice"].tip != tip
    assert not table.played.renew("alice")


def test_a_chain_that_another_program_renews_meanwhile_is_renewed(
    make_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_table().begin(2)
    table.roll("alice")
    here, faster = with_seats(table, "alice"), [False, True]

    def do(due: Due) -> bool:
        if faster.pop(0):
            table.commit("alice")
        raise TurnError("not now")

    monkeypatch.setattr(here, "do", do)
    with pytest.raises(TurnError):
        here.renew("alice")
    assert here.renew("alice")
    assert not table.played.renews("alice")


def test_who_has_a_new_key_comes_back_with_it_between_rolls(make_table: Callable[..., Table], tmp_path: Path) -> None:
    table = make_table(roles={**ROLES, "cyd": "player"}).begin()
    table.act("dana", "away", {"party": "bob"})
    identity = Identity.generate("bob")
    number = table.act("host", "replace", {"key": str(identity.key)}).seq
    for name in ("alice", "cyd"):
        table.act(name, "consent", {"admit": number})
    with closing(seat_in(tmp_path / "new", identity, table.clock)) as new:
        seats = {"bob": new, "host": table.seats["host"]}
        here = Played(table.ledger, table.game, lambda name: nullcontext(seats.get(name)))
        here.append(new, new.join)
        with_seats(table, "host").take_place("bob")
        table.act("alice", "roll", ROLL)
        size = len(table.lines)
        here.take_place("bob")
        assert len(table.lines) == size, "not while a roll waits, nor by a program that has not his seat"
        table.played.carry_on()
        here.take_place("bob")
        parties, chains = table.view.replay.session.parties, table.view.replay.chains
        assert (parties.away, chains["bob"].next) == (frozenset(), 1)
        size = len(table.lines)
        here.take_place("bob")
        assert len(table.lines) == size


@pytest.mark.parametrize("told", [False, True])
def test_the_error_of_a_seat_is_told_and_the_others_go_on(
    table: Table, monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    table.act("alice", "roll", ROLL)
    here, do, failures = table.played, Played.do, list[tuple[Due, LedgerError]]()

    def fail(played: Played, due: Due) -> bool:
        if due == Due("bob", "open"):
            do(played, due)
            raise StoreError("the disk is full")
        return do(played, due)

    monkeypatch.setattr(Played, "do", fail)
    if not told:
        with pytest.raises(StoreError, match="the disk is full"):
            here.carry_on()
        return
    here.carry_on(lambda due, error: failures.append((due, error)))
    assert [due for due, _ in failures] == [Due("bob", "open")]
    assert table.view.replay.pending is None, "the opening was there all the same"


# --- what another program does meanwhile -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "goes_on", "again"),
    [
        (RefusedError("x", "chain.prev", None), True, True),
        (RefusedError("x", "chain.seq", None), False, False),
        (RefusedError("x", "rules.violation", None), True, False),
        (BehindError("x"), True, True),
        (BehindError("x"), False, False),
        (StoreError("x"), True, False),
    ],
)
def test_what_was_signed_upon_an_older_end_is_signed_again_and_nothing_else(
    table: Table, error: LedgerError, goes_on: bool, again: bool
) -> None:
    tries: list[int] = []

    def act(view: GameView) -> int:
        tries.append(view.replay.size)
        if len(tries) == 1:
            if goes_on:
                table.act("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": "So be it."})
            raise error
        return view.replay.size

    if not again:
        with pytest.raises(type(error)):
            table.played.in_turn(act)
        assert len(tries) == 1
        return
    assert table.played.in_turn(act) == tries[0] + 1


def test_the_keeper_takes_what_is_to_be_signed_upon_where_it_is_here(table: Table) -> None:
    table.ledger.append(table.game, table.seats["bob"].sign(table.view, "declare", COMES))
    size, absent = len(table.lines), with_seats(table, "alice")
    before = table.ledger.checkpoint(table.game)
    assert not absent.take(size)
    assert absent.take(table.ledger.taken(table.game)), "so far it has taken already"
    assert table.ledger.checkpoint(table.game) == before
    with pytest.raises(UntakenError):
        absent.act("alice", "declare", COIN)
    assert with_seats(table, "host").take(size)
    assert absent.take(size)
    assert not with_seats(table, "host").take(size + 1), "there is no more"
    absent.act("alice", "declare", COIN)


# --- by way of a server ----------------------------------------------------------------------------------------------


class Way:
    """A server's game in another store, with all other parties; what they do while somebody waits is scripted."""

    def __init__(self, served: Table, here: Ledger, *script: Callable[[], object]) -> None:
        self.served, self.here, self.script = served, here, [*script]
        self.before: list[Callable[[], object]] = []
        """what others do before a line arrives"""
        self.fetch()

    def fetch(self) -> None:
        for seq in range(self.here.size(self.served.game), len(self.served.lines)):
            self.here.importer.take_line(self.served.game, seq, self.served.lines[seq])
        self.here.take_checkpoint(self.served.ledger.sign_checkpoint(self.served.game, self.served.seats["host"]))
        for opening in self.served.ledger.openings(self.served.game):
            self.here.hand_in(self.served.game, opening)

    def offer(self, line: bytes) -> Receipt:
        while self.before:
            self.before.pop(0)()
        try:
            return self.served.ledger.append(self.served.game, line, self.served.seats["host"])
        finally:
            self.fetch()

    def hand_in(self, seat: Seat, opening: Opening) -> None:
        self.served.ledger.hand_in(self.served.game, opening)
        self.end()

    def acknowledge(self, seat: Seat, opening: Opening) -> None:
        raise AssertionError("nobody asks for it here")

    def wait(self) -> bool:
        if not self.script:
            return False
        self.script.pop(0)()
        self.end()
        return True

    def end(self) -> None:
        """The keeper reveals when all have opened."""
        if self.served.view.replay.pending is not None and not self.served.played.kept.awaited:
            self.served.reveal()
        self.fetch()


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Ledger]:
    """Alice's own store."""
    with closing(Ledger(tmp_path / "here" / "ledger.db")) as ledger:
        yield ledger


def at(way: Way) -> Played:
    """Alice at the server's game."""
    seats = way.served.seats
    return Played(way.here, way.served.game, lambda name: nullcontext(seats[name] if name == "alice" else None), way)


def bob_opens(table: Table) -> Callable[[], object]:
    return lambda: table.hand_in("bob")


def test_a_roll_at_a_server_waits_for_the_others_as_long_as_there_is_patience(table: Table, here: Ledger) -> None:
    way = Way(table, here)
    played = at(way)
    assert played.roll("alice", LINE).status == "pending"
    way.script = [bob_opens(table)]
    assert not [due for due in played.carry_on() if due.what == "open"]
    assert table.view.replay.pending is None, "alice opened when bob had, and the keeper revealed"
    assert list(here.lines(table.game)) == table.lines


def test_at_a_server_events_in_a_row_are_sent_one_by_one(table: Table, here: Ledger) -> None:
    played = at(Way(table, here))
    size = len(table.lines)
    receipts = played.act_all("alice", [("declare", COMES), ("declare", COIN)])
    assert [receipt.size for receipt in receipts] == [size + 1, size + 2]
    assert list(here.lines(table.game)) == table.lines
    with pytest.raises(KeyError):
        played.act_all("bob", [("declare", COMES)])


def test_who_has_no_link_left_commits_before_it_rolls_at_a_server(
    make_table: Callable[..., Table], here: Ledger
) -> None:
    table = make_table()
    for name in ("alice", "bob", "dana"):
        table.played.append(table.seats[name], table.seats[name].join)
    for name, length in (("alice", 2), ("bob", 3), ("host", 16)):
        table.commit(name, length)
    table.roll("bob")
    way = Way(table, here, bob_opens(table))
    played = at(way)
    roll = played.roll("alice", LINE)
    assert roll.dice, "she committed anew"
    # Now bob has none left: alice waits for his commit, and not longer than she has patience.
    table.act("alice", "resolve", {"roll": roll.roll})
    way.fetch()
    with pytest.raises(RefusedError) as refused:
        played.roll("alice", LINE)
    assert refused.value.code == "state.not-committed"
    way.script = [lambda: table.commit("bob"), bob_opens(table)]
    assert played.roll("alice", LINE).dice


def test_who_is_asked_for_dice_first_has_them_first(table: Table, here: Ledger) -> None:
    """Bob's request comes while alice's is on its way."""
    way = Way(table, here, bob_opens(table), bob_opens(table))
    way.before = [lambda: table.act("bob", "roll", ROLL)]
    played = at(way)
    assert played.roll("alice", LINE).player == "alice"
    rolls = [line for line in table.lines if b'"type":"roll"' in line]
    assert [b'"author":"bob"' in line for line in rolls] == [True, False]


def test_what_the_rules_refuse_is_not_sent_for_ever(table: Table, here: Ledger) -> None:
    table.act("alice", "away", {"party": "alice"})
    with pytest.raises(RefusedError) as refused:
        at(Way(table, here)).roll("alice", LINE)
    assert refused.value.code not in ("state.pending", "state.not-committed")


def test_a_step_that_another_program_of_ones_own_has_done_is_no_failure(
    table: Table, here: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = Way(table, here, bob_opens(table))
    played, do, faster = at(way), Played.do, [True]

    def late(at_table: Played, due: Due) -> bool:
        if due == Due("alice", "open") and at_table is played and faster:
            faster.clear()
            do(at_table, due)
            raise StoreError("another program was faster")
        return do(at_table, due)

    monkeypatch.setattr(Played, "do", late)
    assert played.roll("alice", LINE).dice
    assert not faster


def test_who_opens_last_at_a_server_has_the_dice_already(table: Table, here: Ledger) -> None:
    table.act("alice", "roll", ROLL)
    table.hand_in("bob")
    played = at(Way(table, here))
    assert played.open(table.seats["alice"]).author == "alice"
    assert here.view(table.game).replay.pending is None


def test_a_step_that_fails_at_a_server_is_a_failure(
    table: Table, here: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = Way(table, here, bob_opens(table))
    played = at(way)

    def fail(due: Due) -> bool:
        raise StoreError("the disk is full")

    table.act("alice", "roll", ROLL)
    table.hand_in("bob")
    way.fetch()
    monkeypatch.setattr(played, "do", fail)
    with pytest.raises(StoreError, match="the disk is full"):
        played.carry_on()


def test_at_a_server_what_the_keeper_has_taken_is_asked_for(table: Table, here: Ledger) -> None:
    way = Way(table, here)
    played, size = at(way), len(table.lines)
    assert played.take(size)
    assert not played.take(size + 1)
    table.act("alice", "declare", {"what": "trigger", "source": "a dwarf", "on": "rolled"})
    assert played.take(size + 1)
    assert here.size(table.game) == size + 1


# --- the seats of a home ---------------------------------------------------------------------------------------------


def test_a_table_is_opened_with_keys_of_its_parties_alone(tmp_path: Path) -> None:
    passphrase = b"correct horse battery"
    home = Home(tmp_path / "home", tmp_path / "state")
    names = ("host", "alice", "zoe", "bob")
    keys = {name: home.new_identity(name, passphrase, QUICK) for name in names}
    elsewhere = Identity.generate("bob").key
    with closing(home.ledger()) as ledger, closing(home.seat("host", passphrase)) as host:
        parties = [(keys["host"], "keeper"), (keys["alice"], "player"), (elsewhere, "player")]
        line = host.open_game("dice-1", SYSTEMS["dice-1"].options(), parties)  # type: ignore[arg-type]
        game = ledger.create(line, host).game
    with open_table(home, game, {"alice": passphrase}) as table:
        assert table.do(Due("alice", "join"))
        assert not table.do(Due("host", "commit"))
    for name in ("zoe", "bob"):
        with (
            pytest.raises(TurnError, match=f"{name}'s key here is none of a party"),
            open_table(home, game, {name: passphrase}),
        ):
            pass
