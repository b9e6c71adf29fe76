"""Attacks on honest parties' own programs: what a seat must not be made to do (specs/seats.md).

The attacker has other parties' keys, or may write files of the party that it attacks, or both; and no key of that
party. Nothing may come of it but a refusal: no second statement, no link for two requests, no log that blames it.
"""

import multiprocessing
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.errors import (
    BehindError,
    ForkError,
    LedgerError,
    MemoryLostError,
    RefusedError,
    SeedError,
    StoppedError,
    StoreError,
    TurnError,
    UntakenError,
    UsageError,
)
from ledger.game.party_view import LogView
from ledger.seats.identity import Identity
from ledger.seats.memory_file import Memory
from ledger.seats.memory_places import begin_memory
from ledger.seats.records import SeatHead
from ledger.seats.seat import Seat
from ledger.store.game_cache import GameCache
from ledger.store.ledger import Ledger
from tests.make.logs import replaced
from tests.make.profiles import Person, secret
from tests.oracles.reference import leaf
from tests.support.cli import LIMIT
from tests.support.table import (
    ROLL,
    Clock,
    Forger,
    Shown,
    Table,
    identity_from,
    joined,
    make_body,
    private_bytes,
    report_on,
    seat_in,
)
from verifier.log.bodies import Opening
from verifier.opening import ReceivedOpening

MakeTable = Callable[..., Table]
RULING = {"ruling": "uphold", "subject": 0, "text": "It stands."}


def put(ledger: Ledger, game: bytes, line: bytes) -> None:
    """Write a line into the file of a store, and its head into the table of games, as anybody can who may write it."""
    with closing(sqlite3.connect(ledger.path, isolation_level=None)) as database:
        [(size,)] = database.execute("SELECT count(*) FROM events WHERE game = ?", (game.hex(),)).fetchall()
        database.execute("INSERT INTO events VALUES (?, ?, ?)", (game.hex(), size, line.decode()))
        statement = "UPDATE games SET events = ?, head = ? WHERE game = ?"
        database.execute(statement, (size + 1, leaf(line).hex(), game.hex()))


def take_out(ledger: Ledger, game: bytes, size: int) -> None:
    """Take all lines from number `size` on out of the file of a store."""
    with closing(sqlite3.connect(ledger.path, isolation_level=None)) as database:
        database.execute("DROP TRIGGER events_no_delete")
        database.execute("DELETE FROM events WHERE game = ? AND seq >= ?", (game.hex(), size))
        database.execute("DELETE FROM checkpoints")
    ledger.rebuild()


def opened(table: Table, name: str) -> list[tuple[int, str]]:
    """Index and request of what is on record as opened, for each chain."""
    with table.seats[name]._memory.game(table.game) as turn:
        return [(own.opened, own.request) for own in turn.record.chains]


def backup(folder: Path) -> Path:
    """A copy of a folder, as it stands."""
    return Path(shutil.copytree(folder, folder.with_name(f"{folder.name}-backup")))


# --- 2: a request with a forged signature, put into the store --------------------------------------------------------


@pytest.mark.parametrize("restarted", [False, True])
def test_nobody_opens_reveals_or_signs_over_a_request_that_was_put_into_the_store(
    table: Table, restarted: bool
) -> None:
    mallory = Forger(Identity.generate("alice"))
    put(table.ledger, table.game, mallory.event(table.lines, "roll", ROLL))
    if restarted:
        table.restart()
    assert table.view.replay.pending is not None, "the store is believed, as long as nobody signs"
    host = table.seats["host"]
    acts: list[Callable[[], object]] = [
        lambda: host.checkpoint(table.view),
        lambda: table.ledger.sign_checkpoint(table.game, host),
        lambda: table.seats["bob"].opening(Shown(table.view, Forger(table.identities["host"]).checkpoint(table.view))),
        lambda: host.reveal(table.view, []),
        lambda: table.seats["alice"].void(table.view),
        lambda: table.seats["dana"].void(table.view),
        lambda: host.close_game(table.view),
    ]
    for act in acts:
        with pytest.raises(StoreError, match=r"event 7 .* does not hold"):
            act()
    for name in ("host", "alice", "bob"):
        assert opened(table, name) == [(0, "")]


def test_a_forged_line_is_found_however_deep_it_stands(table: Table) -> None:
    """The party looked last before it; others have written over it since."""
    mallory = Forger(Identity.generate("dana"))
    put(table.ledger, table.game, mallory.event(table.lines, "ruling", RULING))
    put(table.ledger, table.game, Forger(table.identities["alice"]).event(table.lines, "roll", ROLL))
    table.restart()
    with pytest.raises(StoreError, match=r"event 7 .* does not hold"):
        table.seats["host"].checkpoint(table.view)


def test_lines_that_were_verified_once_are_not_verified_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.act("alice", "roll", ROLL)
    table.ledger.sign_checkpoint(table.game, table.seats["host"])
    table.restart()
    monkeypatch.setattr(GameCache, "verify", lambda *_: exec("raise AssertionError"))
    table.seats["host"].checkpoint(table.view)
    with pytest.raises(AssertionError):
        table.seats["dana"].void(table.view)  # who saw less


# --- 3: what was put back --------------------------------------------------------------------------------------------


def test_a_link_is_opened_once_though_the_folder_was_put_back(pending: Table) -> None:
    """The keeper grinds a chain of its own, knows bob's next link, and has bob open it for a roll of its choice."""
    folder, lines = pending.folder / "bob", pending.lines
    before = backup(folder / "identity")
    pending.hand_in("bob")
    first = pending.ledger.openings(pending.game)[0]
    pending.seats["bob"].close()
    shutil.rmtree(folder / "identity")
    shutil.copytree(before, folder / "identity")
    pending.seats["bob"] = pending.seat("bob")
    fork = Ledger(pending.folder / "fork.db", pending.clock)
    fork.importer.import_log(joined(lines[:-1]), name="fork")
    fork.append(pending.game, Forger(pending.identities["alice"]).event(lines[:-1], "roll", ROLL))
    view = fork.view(pending.game)
    with pytest.raises(ForkError):
        pending.seats["bob"].opening(Shown(view, Forger(pending.identities["host"]).checkpoint(view)))
    assert pending.open("bob") == first
    fork.close()


def test_who_remembers_nothing_stops_at_its_first_event_wherever_it_stands(table: Table) -> None:
    """Somebody carried bob's key to another machine, where all lines are new, and the last one is another's."""
    bob = Seat(table.identities["bob"], begin_elsewhere(table, "bob"), table.clock)
    with pytest.raises(StoppedError, match="a join, is signed with bob's key"):
        bob.sign(LogView(table.lines), "declare", make_body("declare", trigger("bob's")))
    bob.close()


@pytest.mark.parametrize("what", ["state", "identity", "both"])
@pytest.mark.parametrize("name", ["bob", "host"])
def test_who_was_put_back_in_part_signs_nothing(pending: Table, name: str, what: str) -> None:
    folder = pending.folder / name
    pending.seats[name].close()
    pending.seats[name] = pending.seat(name)
    old = {part: backup(folder / part) for part in ("state", "identity")}
    pending.hand_in_all()
    pending.reveal()
    pending.seats[name].close()
    for part in ("state", "identity") if what == "both" else (what,):
        shutil.rmtree(folder / part)
        shutil.copytree(old[part], folder / part)
    if what == "state":
        with pytest.raises(MemoryLostError, match="older than"):
            pending.seat(name)
        begin_memory(pending.identities[name], folder / "identity", folder / "state")  # so that it can be closed
    pending.seats[name] = pending.seat(name)
    if what == "identity":
        pending.sign(name, "leave", {"party": name})  # the copy alone may lag
        return
    # The whole machine, or a memory begun anew: it is shown what it did, and does not remember.
    with pytest.raises(StoppedError, match="event"):
        pending.sign(name, "leave", {"party": name})
    pending.seats[name].close()
    pending.seats[name] = pending.seat(name)
    with pytest.raises(StoppedError):
        pending.sign(name, "leave", {"party": name})


def test_a_machine_that_was_put_back_stops_at_an_event_of_its_own_without_an_opening(table: Table) -> None:
    folder = table.folder / "bob"
    table.seats["bob"].close()
    old = backup(folder)
    table.seats["bob"] = table.seat("bob")
    table.act("bob", "declare", trigger("bob's"))
    table.seats["bob"].close()
    shutil.rmtree(folder)
    shutil.copytree(old, folder)
    table.seats["bob"] = table.seat("bob")
    with pytest.raises(StoppedError, match="event 7, a declare, is signed with bob's key"):
        table.sign("bob", "roll", ROLL)


def test_records_that_anybody_may_delete_are_missed(pending: Table) -> None:
    pending.hand_in("bob")
    with records_of(pending, "bob") as database:
        database.execute("DELETE FROM records")
    with pytest.raises(MemoryLostError, match="taken away"):
        pending.open("bob")
    pending.seats["bob"].close()
    with pytest.raises(MemoryLostError, match="taken away"):
        pending.seat("bob")
    pending.seats["bob"] = Seat(pending.identities["bob"], begin_elsewhere(pending, "bob"), pending.clock)


def test_a_record_that_anybody_may_put_back_opens_no_link_again(pending: Table) -> None:
    """The record from before bob opened, in the place of the one that says so; then he is shown another history."""
    lines = pending.lines
    with records_of(pending, "bob") as database:
        before = database.execute("SELECT number, sealed, game FROM records").fetchall()
    pending.hand_in("bob")
    with records_of(pending, "bob") as database:
        database.executemany("UPDATE records SET number = ?, sealed = ? WHERE game = ?", before)
    fork = Ledger(pending.folder / "fork.db", pending.clock)
    fork.importer.import_log(joined(lines[:-1]), name="fork")
    fork.append(pending.game, Forger(pending.identities["alice"]).event(lines[:-1], "roll", ROLL))
    view = fork.view(pending.game)
    with pytest.raises(MemoryLostError, match="put back"):
        pending.seats["bob"].opening(Shown(view, Forger(pending.identities["host"]).checkpoint(view)))
    fork.close()


def records_of(table: Table, name: str) -> Any:
    """The file of a party's memory, as whoever may write it opens it."""
    [file] = (table.folder / name / "state").glob("*.db")
    return closing(sqlite3.connect(file, isolation_level=None))


def begin_elsewhere(table: Table, name: str) -> Any:
    folder = table.folder / f"{name}-elsewhere"
    folder.mkdir()
    return begin_memory(table.identities[name], folder, folder / "state")


def test_the_keeper_signs_no_second_history_when_its_store_was_put_back(pending: Table) -> None:
    pending.hand_in_all()
    host = pending.seats["host"]
    reveal = host.reveal(pending.view, pending.ledger.openings(pending.game))
    pending.ledger.append(pending.game, reveal, host)
    take_out(pending.ledger, pending.game, 8)
    pending.restart()
    host = pending.seats["host"]
    for _ in range(2):
        with pytest.raises(BehindError, match="its end is missing"):
            host.close_game(pending.view, [])
        with pytest.raises(BehindError, match="its end is missing"):
            host.checkpoint(pending.view)
    pending.ledger.append(pending.game, reveal, host)  # the lost line itself comes back
    assert report_on(pending.lines).verdict == "holds"


# --- what the keeper has not taken -----------------------------------------------------------------------------------


def test_a_seat_signs_upon_nothing_of_anothers_that_the_keeper_has_not_taken(table: Table) -> None:
    """Whoever calls the seat, and whatever store it has: the seat itself looks to it."""
    bob, dana, host = table.seats["bob"], table.seats["dana"], Forger(table.identities["host"])
    lines = [*table.lines, Forger(table.identities["alice"]).event(table.lines, "declare", trigger("a"))]
    roll = [*lines, Forger(table.identities["alice"]).event(lines, "roll", ROLL)]
    earlier = host.checkpoint(LogView(lines))
    for view in (LogView(roll), LogView(roll, earlier)):
        acts: list[Callable[[], object]] = [
            partial(dana.void, view),
            partial(dana.away, view, "alice"),
            partial(dana.leave, view, "alice"),
            partial(bob.sign, view, "leave", make_body("leave", {"party": "bob"})),
        ]
        for act in acts:
            with pytest.raises(UntakenError, match=r"whether host, the keeper, has taken event [78] of alice"):
                act()
    bob.sign(LogView(lines, earlier), "declare", make_body("declare", trigger("b")))
    dana.void(LogView(roll, host.checkpoint(LogView(roll))))


def test_it_signs_several_of_its_own_in_a_row_and_anew_when_another_was_taken(table: Table) -> None:
    """No false alarm: what the keeper did not take makes room, own or not; and a chain is kept until it is replaced."""
    bob, host = table.seats["bob"], Forger(table.identities["host"])
    lines = table.lines
    own = list(lines)
    for number in range(3):
        own.append(bob.sign(LogView(own), "declare", make_body("declare", trigger(f"{number}"))))
    assert report_on(own).verdict == "holds"
    with pytest.raises(UntakenError, match="event 7 of bob"):
        table.seats["alice"].sign(LogView(own), "declare", make_body("declare", trigger("a")))
    taken = [*own[:8], Forger(table.identities["alice"]).event(own[:8], "declare", trigger("alice's"))]
    with pytest.raises(UntakenError, match="event 8 of alice"):
        bob.sign(LogView(taken), "declare", make_body("declare", trigger("again")))
    seen = LogView(taken, host.checkpoint(LogView(taken)))
    taken.append(bob.sign(seen, "declare", make_body("declare", trigger("again"))))
    assert report_on(taken).verdict == "holds"
    for cut in (own, own[:8]):
        with pytest.raises(ForkError):
            bob.sign(LogView(cut), "declare", make_body("declare", trigger("back")))


def test_what_the_keeper_took_before_its_own_lines_frees_a_seat_to_go_on(table: Table) -> None:
    """The checkpoint that comes with the log covers alice's line, and not bob's first one after it."""
    bob, host = table.seats["bob"], Forger(table.identities["host"])
    lines = [*table.lines, Forger(table.identities["alice"]).event(table.lines, "declare", trigger("alice's"))]
    taken = host.checkpoint(LogView(lines))
    for number in range(2):
        lines.append(bob.sign(LogView(lines, taken), "declare", make_body("declare", trigger(f"{number}"))))
    assert report_on(lines).verdict == "holds"


def test_nothing_is_recorded_of_a_void_that_the_keeper_has_not_taken(make_table: MakeTable) -> None:
    """A judge that the keeper runs shows bob a void that names him; it may be replaced by another line yet."""
    table = make_table(judge="dana").begin()
    table.act("alice", "roll", ROLL)
    table.hand_in("bob")
    bob, host, request = table.seats["bob"], Forger(table.identities["host"]), leaf(table.lines[-1]).hex()
    lines = [*table.lines, table.seats["dana"].void(table.view, ["bob"])]
    before = host.checkpoint(LogView(lines[:-1]))
    with pytest.raises(LedgerError):
        bob.sign(LogView(lines, before), "leave", make_body("leave", {"party": "bob"}))
    record = bob.keyless.seen(table.game)
    assert (record.head.size, record.denied, record.warnings) == (len(lines) - 1, "", ())
    taken = LogView(lines, host.checkpoint(LogView(lines)))
    with pytest.raises(LedgerError):
        bob.sign(taken, "roll", make_body("roll", ROLL))
    record = bob.keyless.seen(table.game)
    assert (record.head.size, record.denied, len(record.warnings)) == (len(lines), request, 1)


def trigger(source: str) -> dict[str, str]:
    return {"what": "trigger", "source": source, "on": "rolled"}


# --- 4: dates --------------------------------------------------------------------------------------------------------


def test_nobody_signs_on_a_log_that_is_dated_ahead(table: Table) -> None:
    ahead = Forger(table.identities["alice"]).event(table.lines, "roll", ROLL, time="2026-12-25T19:00:00.000Z")
    view = LogView([*table.lines, ahead])
    host, taken = table.seats["host"], Forger(table.identities["host"]).checkpoint(view)
    acts: list[Callable[[], object]] = [
        lambda: table.seats["bob"].opening(Shown(view, taken)),
        lambda: table.seats["dana"].void(view),
        lambda: host.checkpoint(view),
        lambda: host.reveal(view, []),
    ]
    for act in acts:
        with pytest.raises(RefusedError, match="ahead of the clock") as caught:
            act()
        assert caught.value.code == "time.ahead"
    table.clock.now += timedelta(days=40)
    host.checkpoint(view)


def test_a_log_may_be_ahead_by_five_minutes_and_not_by_a_moment_more(table: Table) -> None:
    last = datetime.fromisoformat(table.view.replay.time)
    for late, taken in ((timedelta(), True), (timedelta(milliseconds=1), False)):
        table.clock.now = last - timedelta(minutes=5, milliseconds=250) - late  # it moves on by these before it tells
        if taken:
            table.seats["host"].checkpoint(table.view)
        else:
            with pytest.raises(RefusedError, match="more than 5 minutes ahead of the clock"):
                table.seats["host"].checkpoint(table.view)


# --- 6: names for keys -----------------------------------------------------------------------------------------------


def test_another_with_the_name_is_not_the_party(pending: Table, tmp_path: Path) -> None:
    other = seat_in(tmp_path / "other", Identity.generate("host"), pending.clock)
    acts: list[Callable[[], object]] = [
        lambda: other.checkpoint(pending.view),
        lambda: other.reveal(pending.view, []),
        lambda: other.sign(pending.view, "close", make_body("close", {})),
        lambda: other.acknowledge(pending.view, pending.open("bob")),
    ]
    for act in acts:
        with pytest.raises(UsageError, match="is not the host of game"):
            act()
    assert other.keyless.seen(pending.game).head == SeatHead(0, ""), "who is no party goes on from nothing"
    other.close()


# --- 8: a stolen key -------------------------------------------------------------------------------------------------


def thiefs_commit(table: Table) -> bytes:
    """A commit by whoever has bob's key and, as in the worst case, his links."""
    own = table.seat("bob")
    with own._memory.game(table.game) as turn:
        chain = turn.record.chains[-1]
        link = own._vault.link(table.game, chain, 1).hex()
    own.close()
    body = {"length": 4, "link": link, "tip": "5a" * 32}
    return Forger(table.identities["bob"]).event(table.lines, "commit", body)


def test_bob_stops_when_something_is_signed_in_his_name(table: Table) -> None:
    table.ledger.append(table.game, thiefs_commit(table))
    seq = len(table.lines) - 1
    acts: list[Callable[[], object]] = [
        lambda: table.sign("bob", "roll", ROLL),
        lambda: table.seats["bob"].commit(table.view, 4),
        lambda: table.sign("bob", "leave", {"party": "bob"}),
    ]
    for _ in range(2):
        for act in acts:
            with pytest.raises(StoppedError, match=f"event {seq}, a commit, is signed with bob's key"):
                act()
        table.restart()
    table.sign("alice", "roll", ROLL)


def test_bob_opens_for_no_roll_when_a_thief_asked_for_it(table: Table) -> None:
    table.ledger.append(table.game, Forger(table.identities["bob"]).event(table.lines, "roll", ROLL))
    table.hand_in("alice")
    with pytest.raises(StoppedError, match="a roll, is signed with bob's key"):
        table.open("bob")
    assert opened(table, "bob") == [(0, "")]


def test_bob_stops_when_an_opening_that_he_did_not_make_was_revealed(pending: Table) -> None:
    links = pending.seat("bob")
    with links._memory.game(pending.game) as turn:
        link = links._vault.link(pending.game, turn.record.chains[-1], 1)
    links.close()
    stolen = Forger(pending.identities["bob"]).opening(pending, link, 1, leaf(pending.lines[-1]))
    pending.ledger.hand_in(pending.game, Opening(**stolen))
    pending.hand_in("alice")
    pending.reveal()
    for _ in range(2):
        with pytest.raises(StoppedError, match="has an opening by bob's key that bob did not make"):
            pending.sign("bob", "roll", ROLL)
        pending.restart()


def test_the_owner_is_told_of_what_was_done_against_it(pending: Table) -> None:
    bob = pending.seats["bob"]
    pending.hand_in("bob")
    pending.void("dana", "bob")
    seq = pending.request("alice", "roll", ROLL | {"dice": "20d20", "use": "compare"})
    assert seq
    [first] = bob.keyless.warnings(pending.game)
    assert "dana says that bob did not open for roll 0. bob did" in first
    assert bob.keyless.seen(pending.game).denied == "", "dana is not the keeper's judge"
    pending.act("alice", "resolve", {"roll": seq})
    mine = pending.roll("bob")
    pending.act("dana", "ruling", {"ruling": "void", "subject": mine, "text": "cocked"})
    named = pending.act("bob", "declare", trigger("bob's")).seq
    pending.act("dana", "ruling", {"ruling": "void", "subject": named, "text": "no such card"})
    correction = {"ruling": "correct", "subject": mine, "text": "a 20", "results": [{"die": 1, "result": 20}]}
    pending.act("dana", "ruling", correction)
    pending.act("dana", "away", {"party": "bob"})
    pending.act("dana", "leave", {"party": "bob"})
    with pytest.raises(LedgerError):
        pending.ledger.append(pending.game, pending.sign("bob", "roll", ROLL))
    warnings = bob.keyless.warnings(pending.game)
    told = [text.split(": ")[1].split()[1] for text in warnings]
    assert told == ["says", "ruled", "ruled", "corrected", "signed", "took"]
    assert warnings[4].endswith("dana signed bob away")
    assert warnings[5].endswith("dana took bob out of the game")
    assert warnings[1].endswith(f"dana ruled void event {mine} (bob: 1d20 for Delina, Wild Mage). The reason: cocked")
    assert warnings[2].endswith(f"dana ruled void event {named} (declare). The reason: no such card")
    bob.keyless.dismiss_warnings(pending.game, warnings[:1])
    pending.restart()
    assert pending.seats["bob"].keyless.warnings(pending.game) == warnings[1:]


def test_the_owner_is_told_nothing_of_what_is_not_against_it(pending: Table) -> None:
    """A void that names nobody, a ruling that upholds, bob's own leave."""
    bob = pending.seats["bob"]
    pending.hand_in("bob")
    pending.void("dana")
    named = pending.act("bob", "declare", trigger("bob's")).seq
    pending.act("dana", "ruling", RULING | {"subject": named})
    pending.act("bob", "leave", {"party": "bob"})
    with pytest.raises(LedgerError):
        bob.sign(pending.take("bob"), "leave", make_body("leave", {"party": "bob"}))
    pending.ledger.sign_checkpoint(pending.game, pending.seats["host"])
    with pytest.raises(LedgerError):
        bob.sign(pending.view, "leave", make_body("leave", {"party": "bob"}))
    assert bob.keyless.seen(pending.game).head.size == len(pending.lines)
    assert bob.keyless.warnings(pending.game) == ()


def test_a_seat_that_has_stopped_goes_on_saying_why(table: Table) -> None:
    """Whatever else it is shown: the first reason is the one that it told its owner."""
    bob, thief = table.seats["bob"], Forger(table.identities["bob"])
    for kind, body in (("declare", trigger("thief's")), ("roll", ROLL)):
        view = LogView([*table.lines, thief.event(table.lines, kind, body)])
        with pytest.raises(StoppedError, match="event 7, a declare, is signed with bob's key"):
            bob.sign(view, "leave", make_body("leave", {"party": "bob"}))


def test_a_seat_that_has_stopped_tells_each_warning_once(table: Table) -> None:
    bob = table.seats["bob"]
    named = table.act("bob", "declare", trigger("bob's")).seq
    table.act("dana", "ruling", {"ruling": "void", "subject": named, "text": "no such card"})
    table.ledger.append(table.game, Forger(table.identities["bob"]).event(table.lines, "declare", trigger("thief's")))
    view = table.view
    taken = Shown(view, Forger(table.identities["host"]).checkpoint(view))
    for _ in range(2):
        with pytest.raises(StoppedError):
            bob.sign(taken, "roll", make_body("roll", ROLL))
        assert len(bob.keyless.warnings(table.game)) == 1


# --- a new key -------------------------------------------------------------------------------------------------------


def sits(folder: Path, name: str, number: int) -> Seat:
    """A party of a vector's log on a machine of its own, under its first, second or third key."""
    return seat_in(folder, Identity(name, secret(*Person(name, number).words)), Clock())


def test_a_new_key_goes_on_where_another_signed_in_its_name(tmp_path: Path) -> None:
    """Events and openings of the lost key are not its own; its own are, from its join on."""
    log = replaced.Table("guards")
    log.roll("bob")
    log.lost()
    old, new, copied, other = (sits(tmp_path / f"{n}", "bob", number) for n, number in enumerate((1, 2, 2, 3)))
    lines = list(log.lines)
    with pytest.raises(TurnError, match="is not the bob of game"):
        other.join(LogView(lines))
    joined_at = len(lines)
    lines.append(new.join(LogView(lines)))
    with pytest.raises(StoppedError, match=f"event {joined_at}, a join, is signed with bob's key, but not by bob on"):
        copied.back(LogView(lines), "bob")
    lines.append(new.back(LogView(lines), "bob"))
    lines.append(new.commit(LogView(lines), 4))
    assert report_on(lines).verdict == "holds"
    for seat in (other, old):
        with pytest.raises(TurnError, match="is not the bob" if seat is other else "goes on under another key"):
            seat.back(LogView(lines), "bob")
    for seat in (old, new, copied, other):
        seat.close()


@pytest.mark.parametrize("who", ["alice", "bob"])
def test_no_new_key_hides_what_a_thief_signed_before(tmp_path: Path, who: str) -> None:
    """Another's, which has come; or one that is wished for in the party's own place."""
    log = replaced.Table("guards")
    bob = sits(tmp_path / "bob", "bob", 1)
    with bob._memory.game(leaf(log.lines[0])) as turn:
        own = {leaf(line).hex(): seq for seq, line in enumerate(log.lines) if b'"author":"bob"' in line}
        turn.change(signed=own)
    stolen = log.away("bob", "bob")
    log.back("bob", "bob")
    log.lost(who)
    if who == "alice":
        log.returned(who)
    with pytest.raises(StoppedError, match=f"event {stolen}, a away, is signed with bob's key"):
        bob.leave(LogView(log.lines), "bob")
    bob.close()


def test_who_is_no_party_is_told_who_is(table: Table, tmp_path: Path) -> None:
    zoe = seat_in(tmp_path / "zoe", Identity.generate("zoe"), table.clock)
    with pytest.raises(TurnError, match=r"zoe is no party of game .*; the parties are host, alice, bob, dana"):
        zoe.join(table.view)
    zoe.close()


# --- 10: races -------------------------------------------------------------------------------------------------------


def sign_late(
    path: Path, folder: Path, secret: bytes, game: bytes, what: str, taken: bytes, start: Any, done: Any
) -> None:
    """In a process of its own: sign or open on the history that is shown here, at the same time as the other."""
    from verifier.checkpoints.checkpoint import parse_checkpoint

    ledger, seat = Ledger(path), seat_in(folder, identity_from("bob", secret))
    view = Shown(ledger.view(game), parse_checkpoint(taken))
    start.wait(timeout=LIMIT)
    try:
        if what == "open":
            seat.opening(view)
        else:
            seat.sign(view, "roll", make_body("roll", ROLL))
        done.put("done")
    except (ForkError, SeedError) as error:
        done.put(type(error).__name__)
    seat.close()
    ledger.close()


def forks(table: Table, what: str) -> list[tuple[Path, bytes]]:
    """Two stores, each with a history of its own and the keeper's checkpoint of it; in both bob can do this."""
    host, made = Forger(table.identities["host"]), []
    for number in range(2):
        fork = Ledger(table.folder / f"fork-{number}.db")
        fork.importer.import_log(table.log, name="fork")
        ruling = RULING | {"text": f"In history {number}."}
        fork.append(table.game, Forger(table.identities["dana"]).event(table.lines, "ruling", ruling))
        if what == "open":
            lines = list(fork.lines(table.game))
            fork.append(table.game, Forger(table.identities["alice"]).event(lines, "roll", ROLL))
        made.append((Path(fork.path), bytes(host.checkpoint(fork.view(table.game)))))
        fork.close()
    return made


class Meanwhile(Identity):
    """Something is done each time when this party has looked and has recorded nothing yet: while it signs."""

    def __init__(self, identity: Identity, done: Callable[[], object]) -> None:
        super().__init__(identity.name, identity._private_key)
        self._done = done

    def sign(self, message: bytes) -> bytes:
        self._done()
        return super().sign(message)


@pytest.mark.parametrize("what", ["sign", "open"])
def test_nobody_else_looks_up_between_a_seats_look_and_its_record(table: Table, what: str) -> None:
    """The two programs of bob are shown two histories, and the second looks while the first is about to record."""
    stores = [Ledger(path) for path, _ in forks(table, what)]
    views = [
        Shown(store.view(table.game), Forger(table.identities["host"]).checkpoint(store.view(table.game)))
        for store in stores
    ]

    def act(seat: Seat, view: Shown) -> None:
        seat.opening(view) if what == "open" else seat.sign(view, "roll", make_body("roll", ROLL))

    second = table.seat("bob")
    assert isinstance(second._memory, Memory)
    second._memory._database.execute("PRAGMA busy_timeout = 0")  # it need not wait to be told that it has to

    def look() -> None:
        with pytest.raises(StoreError, match="locked"):
            act(second, views[1])

    bob = Meanwhile(table.identities["bob"], look)
    first = seat_in(table.folder / "bob", bob, table.clock)
    act(first, views[0])
    with pytest.raises(ForkError):
        act(second, views[1])
    first.close()
    second.close()
    for store in stores:
        store.close()


@pytest.mark.long
@pytest.mark.parametrize("what", ["sign", "open"])
def test_of_two_processes_of_one_party_that_are_shown_two_forks_one_acts(table: Table, what: str) -> None:
    context = multiprocessing.get_context("spawn")
    start, done = context.Barrier(2), context.Queue()
    folder, secret = table.folder / "bob", private_bytes(table.identities["bob"])
    both = [
        context.Process(target=sign_late, args=(path, folder, secret, table.game, what, given, start, done))
        for path, given in forks(table, what)
    ]
    for process in both:
        process.start()
    told = [done.get(timeout=LIMIT) for _ in both]
    for process in both:
        process.join()
        assert process.exitcode == 0
    assert sorted(told) == ["ForkError", "done"]


# --- receipts for openings -------------------------------------------------------------------------------------------


def test_a_receipt_for_an_opening_holds_and_says_who_had_it(pending: Table) -> None:
    opening = pending.open("bob")
    host, bob = pending.seats["host"], pending.seats["bob"]
    received = host.acknowledge(pending.view, opening)
    assert (received.author, received.receiver, received.index) == ("bob", "host", 1)
    bob.keyless.keep_received(received, pending.view)
    pending.restart()
    assert pending.seats["bob"].keyless.received(pending.game) == [received]
    for members in (
        {"receiver": "dana"},
        {"link": "00" * 32},
        {"index": 2},
        {"request": "00" * 32},
        {"author": "alice"},
    ):
        with pytest.raises(UsageError, match="no receipt for an opening"):
            pending.seats["bob"].keyless.keep_received(replace(received, **members), pending.view)
    with pytest.raises(UsageError, match="not for alice's"):
        pending.seats["alice"].keyless.keep_received(received, pending.view)


def test_receipts_for_openings_are_kept_until_their_roll_is_shown(table: Table) -> None:
    """Also where a roll was called off, and where a receipt comes late; each is kept once."""
    bob = table.seats["bob"].keyless

    def given(*names: str) -> tuple[int, list[ReceivedOpening]]:
        """Alice asks for a roll, bob opens for it, and these give receipts."""
        number = table.act("alice", "roll", ROLL).seq
        opening = table.open("bob")
        table.ledger.hand_in(table.game, opening)
        return number, [table.seats[name].acknowledge(table.view, opening) for name in names]

    def kept(*received: ReceivedOpening) -> list[ReceivedOpening]:
        for each in (*received, *received):
            bob.keep_received(each, table.view)
        return bob.received(table.game)

    _, (*first, late) = given("host", "alice", "dana")
    assert kept(*first) == first
    table.ledger.append(table.game, table.seats["alice"].void(table.take("alice")))
    assert kept(late) == [*first, late]
    table.disclose()
    number, second = given("host", "alice")
    assert kept(second[0]) == [*first, late, second[0]], "no roll was shown yet"
    table.hand_in_all(but=["bob"])
    table.reveal()
    assert kept(second[1]) == [*first, late, second[1]], "one is as good as the other: the log has the opening"
    table.act("alice", "resolve", {"roll": number})
    _, third = given("host", "alice")
    assert kept(third[0]) == [*first, late, third[0]], "those of the roll that was shown are gone"
    assert kept(second[1]) == [*first, late, third[0], second[1]]
    assert kept(third[1]) == [*first, late, *third]


def test_nobody_acknowledges_an_opening_that_does_not_hold(pending: Table) -> None:
    forged = Forger(pending.identities["bob"]).opening(pending, bytes(32), 1, leaf(pending.lines[-1]))
    view = pending.take("bob")
    with pytest.raises(RefusedError) as caught:
        pending.seats["alice"].acknowledge(view, Opening(**forged))
    assert caught.value.code == "opening.link"
