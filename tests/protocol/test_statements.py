"""An honest party's statements agree: a receipt for an opening, and a void that names who did not open (seats.md)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.errors import ForkError, SeedError, TurnError, UntakenError
from ledger.game.party_view import LogView
from ledger.keeper.operations import Acceptance, CallOff, HandIn
from ledger.store.ledger import Ledger
from rules.systems.mtg.bodies import Options, RollBody
from tests.support.hosted import Hosted
from tests.support.table import ROLL, Forger, Shown, Table, link_of, make_body, opening_of
from verifier.log.bodies import Opening

MakeTable = Callable[..., Table]


def asked(make_table: MakeTable) -> tuple[Table, Opening]:
    """Alice asks for dice, and bob opens; what he opened has not been handed in."""
    table = make_table().begin()
    table.act("alice", "roll", ROLL)
    return table, table.open("bob")


@pytest.mark.parametrize("author", ["alice", "dana"])
@pytest.mark.parametrize("restarted", [False, True])
def test_who_gave_a_receipt_names_nobody_of_whom_it_has_the_opening(
    make_table: MakeTable, author: str, restarted: bool
) -> None:
    """The closer, and a judge: where the store, or a server, shows the opening no more, too."""
    table, opening = asked(make_table)
    table.seats[author].acknowledge(table.view, opening)
    if restarted:
        table.restart()
    with pytest.raises(TurnError, match="gave a receipt for the opening of bob"):
        table.seats[author].void(table.view, ["bob"])
    with pytest.raises(TurnError, match="gave a receipt for the opening of bob"):
        table.seats[author].void(table.view, ["alice", "bob"])
    table.void(author)
    assert table.view.replay.session.phase == "idle"


@pytest.mark.parametrize("author", ["alice", "dana"])
@pytest.mark.parametrize("restarted", [False, True])
def test_who_signed_a_void_gives_no_receipt_for_its_request(
    make_table: MakeTable, author: str, restarted: bool
) -> None:
    """The void does not come into the log: the keeper holds it back, or it is lost."""
    table, opening = asked(make_table)
    table.seats[author].void(table.view, ["bob"])
    if restarted:
        table.restart()
    with pytest.raises(TurnError, match="has called this roll off, and gives no receipt"):
        table.seats[author].acknowledge(table.view, opening)


def test_a_void_that_is_refused_is_no_statement(make_table: MakeTable) -> None:
    """Bob may not void alice's roll: nothing was signed, and he goes on giving receipts."""
    table, _ = asked(make_table)
    taken = table.take("bob")
    with pytest.raises(Exception, match="bob"):
        table.seats["bob"].void(taken, ["alice"])
    table.hand_in("bob")
    assert table.seats["bob"].acknowledge(table.view, table.open("alice")).receiver == "bob"


def test_who_may_void_notes_whose_opening_it_has_once_and_nobody_else_does(make_table: MakeTable) -> None:
    table, opening = asked(make_table)
    waiting = table.view.replay.pending
    assert waiting is not None
    noted = {}
    for name in ("host", "alice", "dana"):
        seat = table.seats[name]
        counts = set()
        for _ in range(2):
            seat.acknowledge(table.view, opening)
            counts.add(seat.memory.count)
        assert len(counts) == 1, "nothing is noted again"
        noted[name] = seat.keyless.acknowledged(table.game, waiting.request)
    assert noted == {"host": frozenset(), "alice": {"bob"}, "dana": {"bob"}}
    alices = Opening(**opening_of(table, "alice"))
    table.seats["bob"].acknowledge(table.view, alices)
    table.seats["dana"].acknowledge(table.view, alices)
    assert table.seats["bob"].keyless.acknowledged(table.game, waiting.request) == frozenset()
    assert table.seats["dana"].keyless.acknowledged(table.game, waiting.request) == {"alice", "bob"}
    assert table.seats["dana"].keyless.acknowledged(table.game, bytes(32)) == frozenset()


def test_a_receipt_for_one_roll_bars_no_void_of_the_next(make_table: MakeTable) -> None:
    table, opening = asked(make_table)
    table.seats["dana"].acknowledge(table.view, opening)
    table.void()
    table.act("alice", "roll", ROLL)
    table.take("dana")
    table.void("dana", "bob")
    assert table.view.replay.session.phase == "idle"


def either_request(table: Table) -> tuple[Callable[[int, bool], Shown], Callable[[Shown], Opening]]:
    """Two requests of alice's for one place, shown with the keeper's checkpoint or without it; bob's opening for each.

    Alice, bob and the keeper cheat.
    """
    begun, link = table.lines, link_of(table, "bob", 1)
    alice, bob, host = (Forger(table.identities[name]) for name in ("alice", "bob", "host"))
    lines = [alice.event(begun, "roll", ROLL | {"dice": dice}) for dice in ("1d20", "2d6")]

    def shown(which: int, taken: bool) -> Shown:
        view = LogView([*begun, lines[which]])
        return Shown(view, host.checkpoint(view if taken else LogView(begun)))

    def opened(view: Shown) -> Opening:
        assert view.replay.pending is not None
        return Opening(**bob.opening(table, link, 1, view.replay.pending.request))

    return shown, opened


def test_a_request_that_is_shown_in_turn_with_another_gets_one_statement(make_table: MakeTable) -> None:
    """Else the second receipt would make a judge forget the first, and name bob after all."""
    table = make_table().begin()
    shown, opened = either_request(table)
    dana = table.seats["dana"]
    for which in (0, 1, 0):
        view = shown(which, False)
        with pytest.raises(UntakenError, match="has taken event"):
            dana.acknowledge(view, opened(view))
    view = shown(0, True)
    dana.acknowledge(view, opened(view))
    with pytest.raises(ForkError, match="forked"):
        dana.acknowledge(shown(1, False), opened(shown(1, False)))
    with pytest.raises(TurnError, match="gave a receipt for the opening of bob"):
        dana.void(view, ["bob"])


@pytest.mark.parametrize("say", ["void", "decline"])
def test_nobody_calls_off_what_the_keeper_has_not_taken(make_table: MakeTable, say: str) -> None:
    """Else who calls a second request off would forget the first, and open for it."""
    table = make_table().begin()
    begun, alice, host = table.lines, table.seats["alice"], Forger(table.identities["host"])
    before = Shown(LogView(begun), host.checkpoint(LogView(begun)))
    views = []
    for dice in ("1d20", "2d6"):
        views.append(LogView([*begun, alice.sign(before, "roll", make_body("roll", ROLL | {"dice": dice}))]))
        with pytest.raises(UntakenError, match="has taken event"):
            getattr(alice, say)(Shown(views[-1], before.checkpoint))
    getattr(alice, say)(Shown(views[0], host.checkpoint(views[0])))
    bob, link = Forger(table.identities["bob"]), link_of(table, "bob", 1)
    for view in views:
        assert view.replay.pending is not None
        opening = Opening(**bob.opening(table, link, 1, view.replay.pending.request))
        with pytest.raises((ForkError, SeedError), match=r"forked|has called this roll off"):
            alice.opening(Shown(view, host.checkpoint(view)), [opening])


def test_a_fork_of_the_request_gets_no_second_statement(make_table: MakeTable, tmp_path: Path) -> None:
    """A judge who voided one request is shown another in its place: it gives no receipt, and names nobody."""
    table = make_table().begin()
    fork = Ledger(tmp_path / "fork.db", table.clock)
    fork.importer.import_log(table.log, name="fork")
    table.act("alice", "roll", ROLL)
    table.seats["dana"].void(table.take("dana"), ["bob"])
    fork.append(table.game, Forger(table.identities["alice"]).event(table.lines[:-1], "roll", ROLL | {"dice": "2d6"}))
    view = fork.view(table.game)
    bobs = Opening("bob", 1, "00" * 32, "00" * 64)
    for say in (lambda: table.seats["dana"].acknowledge(view, bobs), lambda: table.seats["dana"].void(view, ["bob"])):
        with pytest.raises(ForkError, match="forked"):
            say()
    fork.close()


# --- the keeper and its judge ----------------------------------------------------------------------------------------


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[Hosted]:
    hosted = Hosted(tmp_path, judge="timer")
    yield hosted
    hosted.close()


def test_the_keepers_judge_names_nobody_for_whom_the_keeper_gave_a_receipt(hosted: Hosted) -> None:
    """The server's database is put back to before the opening came; its seats remember."""
    game = hosted.open(hosted.terms("mtg-706-2023-11-17", Options(planechase=False)))
    alice, bob = hosted.clients[game].values()
    (outcome,) = hosted.process(alice.act("roll", RollBody(source="Delina", dice="1d20", use="attack")))
    assert isinstance(outcome, Acceptance)
    hosted.stop()
    saved = {each: each.read_bytes() for each in hosted.folder.glob("ledger.db*")}
    hosted.start()
    hosted.process(HandIn(bob.open()))
    assert [(each.author, each.receiver) for each in bob.received] == [("bob", "host")]
    hosted.stop()
    for each in hosted.folder.glob("ledger.db*"):
        each.unlink()
    for each, data in saved.items():
        each.write_bytes(data)
    hosted.start()
    assert not hosted.ledger.openings(game), "the database has forgotten it"
    hosted.process(CallOff(game, outcome.receipt.seq))
    assert alice.view.replay.session.phase == "pending", "nobody is left whom the judge could name"
    hosted.process(HandIn(bob.open()))
    hosted.process(HandIn(alice.open()))
    assert alice.view.replay.session.phase == "idle"
    assert not alice.view.replay.voided


def test_a_log_view_is_enough(make_table: MakeTable) -> None:
    """What a seat said is its memory's, whatever it is shown the game by."""
    table, opening = asked(make_table)
    table.seats["dana"].acknowledge(table.view, opening)
    view = Shown(LogView(table.lines), table.view.checkpoint)
    with pytest.raises(TurnError, match="gave a receipt"):
        table.seats["dana"].void(view, ["bob"])
