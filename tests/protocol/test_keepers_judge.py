"""The judge that the keeper's program runs (specs/protocol.md, "The keeper's judge")."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from ledger.errors import RefusedError, TurnError
from ledger.keeper import calling_away
from ledger.keeper.calling_away import HEARD, Calling
from ledger.keeper.host import Host
from ledger.keeper.operations import (
    Acceptance,
    CallOff,
    HandIn,
    LetIn,
    Offer,
    OpenGame,
    OpeningOutcome,
    Rejection,
    Resume,
    ResumeOutcome,
)
from ledger.seats.identity import Identity
from ledger.seats.records import Record
from ledger.store.ledger import Ledger
from rules.protocol import Back
from rules.systems.anydice.bodies import Options as DiceOptions
from rules.systems.anydice.bodies import RollBody as DiceRoll
from rules.systems.mtg.bodies import Options, RollBody
from tests.support.hosted import Client, Hosted
from tests.support.table import SYSTEM, Forger, seat_in
from verifier import verify
from verifier.log.bodies import AdmitBody, AwayBody
from verifier.report import trust_statement

OPTIONS = Options(planechase=False)
ROLL = RollBody(source="Delina", dice="1d20", use="attack")
D20 = DiceRoll(dice="d20")


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[Hosted]:
    """Alice and bob, a host, and its judge."""
    hosted = Hosted(tmp_path, judge="timer")
    yield hosted
    hosted.close()


@pytest.fixture
def game(hosted: Hosted) -> bytes:
    return hosted.open(hosted.terms(SYSTEM, OPTIONS))


def clients(hosted: Hosted, game: bytes) -> tuple[Client, Client]:
    return hosted.clients[game]["alice"], hosted.clients[game]["bob"]


def told(client: Client) -> list[tuple[str, str]]:
    """Author and type of each event."""
    events = [msgspec.json.decode(line) for line in client.lines]
    return [(event["author"], event["type"]) for event in events]


def rolled(hosted: Hosted, game: bytes) -> int:
    """Alice asks for dice; the number of the request."""
    (outcome,) = hosted.process(clients(hosted, game)[0].act("roll", ROLL))
    assert isinstance(outcome, Acceptance)
    return outcome.receipt.seq


def last(client: Client, back: int) -> dict[str, object]:
    body: dict[str, object] = msgspec.json.decode(client.lines[-back])["body"]
    return body


def disclosed(client: Client) -> list[str]:
    """Whose openings the last event has."""
    openings = last(client, 1)["openings"]
    assert isinstance(openings, list)
    return [opening["author"] for opening in openings]


def check_whole(client: Client) -> None:
    report, _ = verify(client.log)
    assert report.verdict == "holds", report.findings


def test_it_joins_behind_the_keepers_commit(hosted: Hosted, game: bytes) -> None:
    alice, _ = clients(hosted, game)
    assert told(alice)[:3] == [("host", "open"), ("host", "commit"), ("timer", "join")]
    assert hosted.process(CallOff(game, 0)) == (ResumeOutcome(alice.view.replay.size),), "nothing waits"


def test_it_voids_and_names_whose_turn_it_is(hosted: Hosted, game: bytes) -> None:
    """Alice closes the roll: she opens when bob has, and until then she is kept waiting and not named."""
    alice, bob = clients(hosted, game)
    request = rolled(hosted, game)
    hosted.process(CallOff(game, request))
    assert told(alice)[-2:] == [("timer", "void"), ("host", "disclose")]
    assert last(alice, 2) == {"missing": ["bob"], "roll_index": 0}
    assert alice.checkpoints[-1] == alice.view.replay.size

    request = rolled(hosted, game)
    hosted.process(HandIn(bob.open()))
    hosted.process(CallOff(game, request, closer=True), CallOff(game, request, closer=True))
    assert told(alice)[-2:] == [("timer", "void"), ("host", "disclose")]
    assert last(alice, 2) == {"missing": ["alice"], "roll_index": 1}
    assert disclosed(alice) == ["host", "bob"]

    hosted.process(CallOff(game, request, closer=True))
    hosted.process(CallOff(game, request - 3))
    assert told(alice)[-1] == ("host", "disclose"), "what is over is not voided again"

    rolled(hosted, game)
    hosted.settle()
    assert alice.view.replay.session.phase == "idle"
    check_whole(alice)
    assert "host runs the judge timer too" in trust_statement(alice.view.replay)
    assert "2 by timer (host, who runs timer, could have known" in trust_statement(alice.view.replay)


def test_a_closer_whose_turn_has_just_begun_is_not_named(hosted: Hosted, game: bytes) -> None:
    """Bob opens in the last moment of the others' turn: the closer's has its own time."""
    alice, bob = clients(hosted, game)
    request = rolled(hosted, game)
    hosted.process(HandIn(bob.open()), CallOff(game, request))
    assert told(alice)[-1] == ("alice", "roll")
    hosted.process(CallOff(game, request))
    assert told(alice)[-1] == ("alice", "roll")
    hosted.settle()
    assert told(alice)[-1] == ("host", "reveal")


def test_it_never_voids_where_the_keeper_alone_is_awaited(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = clients(hosted, game)
    request = rolled(hosted, game)
    hosted.process(HandIn(bob.open()))
    with monkeypatch.context() as patched:
        patched.setattr(hosted.keeper, "reveal", _no_reveal)
        hosted.process(HandIn(alice.open()))
        assert told(alice)[-1] == ("alice", "roll")
        hosted.process(CallOff(game, request), CallOff(game, request, closer=True))
        assert told(alice)[-1] == ("alice", "roll")
    hosted.process(CallOff(game, request))
    assert told(alice)[-1] == ("host", "reveal")
    assert hosted.judge is not None


def _no_reveal(*_: object) -> bytes:
    raise TurnError("not now")


def test_its_seat_signs_no_void_that_names_nobody(hosted: Hosted, game: bytes) -> None:
    rolled(hosted, game)
    assert hosted.judge is not None
    with pytest.raises(TurnError, match="only where somebody but the keeper has not opened"):
        hosted.judge.void(hosted.ledger.view(game))
    with pytest.raises(TurnError, match="cannot name host"):
        hosted.judge.void(hosted.ledger.view(game), ["host", "bob"])


def test_an_opening_that_comes_while_the_void_is_signed_is_never_named(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process of the same server takes bob's, then alice's: the voids that name them are not stored."""
    alice, bob = clients(hosted, game)
    request = rolled(hosted, game)
    assert hosted.judge is not None
    void, coming = type(hosted.judge).void, [bob, alice]

    def signed(*arguments: object) -> bytes:
        line = void(*arguments)  # type: ignore[arg-type]
        if coming:
            sent = coming.pop(0).open()
            for client in (alice, bob):
                client.openings[sent.opening.author] = sent.opening
            with_other = Ledger(hosted.folder / "ledger.db", hosted.clock)
            assert with_other.hand_in(game, sent.opening)
            with_other.close()
        return line

    monkeypatch.setattr(hosted.judge, "void", lambda *arguments: signed(hosted.judge, *arguments))
    hosted.process(CallOff(game, request))
    assert coming == [alice]
    assert told(alice)[-1] == ("alice", "roll"), "now it is alice's turn"
    hosted.process(CallOff(game, request, closer=True))
    assert coming == []
    assert told(alice)[-1] == ("host", "reveal")
    check_whole(alice)


def test_two_programs_of_one_keeper_void_once(hosted: Hosted, game: bytes) -> None:
    alice, _ = clients(hosted, game)
    request = rolled(hosted, game)
    other = Ledger(hosted.folder / "ledger.db", hosted.clock)
    second = Host(other, [hosted.keeper], links=hosted.links, judge=hosted.judge)
    hosted.tell(second.process([CallOff(game, request)]))
    hosted.process(CallOff(game, request))
    assert [kind for _, kind in told(alice)].count("void") == 1
    assert list(other.lines(game)) == alice.lines
    other.close()


def test_a_program_that_ends_between_void_and_disclose_goes_on(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, _ = clients(hosted, game)
    request = rolled(hosted, game)
    with monkeypatch.context() as patched:
        patched.setattr(hosted.keeper, "disclose", _no_reveal)
        hosted.process(CallOff(game, request))
    assert told(alice)[-1] == ("timer", "void")
    hosted.stop()
    hosted.start()
    hosted.tell(hosted.host.resume())
    assert told(alice)[-1] == ("host", "disclose")
    check_whole(alice)


def test_where_the_judge_cannot_sign_the_game_goes_on(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = clients(hosted, game)
    request = rolled(hosted, game)
    with monkeypatch.context() as patched:
        patched.setattr(hosted.judge, "void", _no_reveal)
        (called_off,) = hosted.process(CallOff(game, request))
        assert isinstance(called_off, ResumeOutcome)
        (opened,) = hosted.process(HandIn(bob.open()))
    assert isinstance(opened, OpeningOutcome)
    assert told(alice)[-1] == ("alice", "roll")
    hosted.settle()
    assert told(alice)[-1] == ("host", "reveal")
    check_whole(alice)


def test_a_game_without_it_is_left_alone(hosted: Hosted) -> None:
    """A judge in the game, whom event 0 does not name as the keeper's, is not spoken for."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, judge=None))
    alice, _ = clients(hosted, game)
    assert ("timer", "join") not in told(alice)
    request = rolled(hosted, game)
    hosted.process(CallOff(game, request))
    assert told(alice)[-1] == ("alice", "roll")


def test_a_program_without_the_judge_that_event_0_names_voids_nothing(hosted: Hosted, game: bytes) -> None:
    alice, _ = clients(hosted, game)
    request = rolled(hosted, game)
    other = seat_in(hosted.folder / "other", Identity.generate("timer"), hosted.clock)
    for judge in (None, other):
        hosted.host._keepers.judge = judge
        (outcome,) = hosted.process(CallOff(game, request))
        assert isinstance(outcome, ResumeOutcome)
        assert told(alice)[-1] == ("alice", "roll")
    assert other.keyless.seen(game) == Record(), "it signed nothing that would be refused"
    other.close()


def test_where_the_keeper_has_stopped_its_judge_does_nothing(
    hosted: Hosted, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(hosted.judge, "due", _no_reveal)
        waiting = hosted.open(hosted.terms(SYSTEM, OPTIONS))
    request = rolled(hosted, game)
    before = [list(hosted.ledger.lines(each)) for each in (game, waiting)]
    for each in (game, waiting):
        with hosted.keeper._memory.game(each) as turn:
            turn.change(stopped="somebody else has the key")
    hosted.stop()
    hosted.start()
    outcomes = hosted.process(CallOff(game, request), Resume(waiting))
    assert [getattr(outcome, "code", None) for outcome in outcomes] == ["keeper.stopped"] * 2
    assert [list(hosted.ledger.lines(each)) for each in (game, waiting)] == before


def test_who_opens_too_late_is_told_that_the_roll_is_over(hosted: Hosted, game: bytes) -> None:
    alice, bob = clients(hosted, game)
    request = rolled(hosted, game)
    sent = bob.open()
    hosted.process(CallOff(game, request))
    (outcome,) = hosted.process(HandIn(sent))
    assert not isinstance(outcome, OpeningOutcome)
    assert last(alice, 2)["missing"] == ["bob"]
    assert disclosed(alice) == ["host"]
    # So it would be, too, where a server keeps an opening back whose dice it does not like: bob's program knows better.
    bob.act("roll", ROLL)
    assert "timer" in str(bob.seat.keyless.warnings(game)), bob.seat.keyless.warnings(game)
    alice.act("roll", ROLL)
    assert not alice.seat.keyless.warnings(game)


# --- signed away -----------------------------------------------------------------------------------------------------


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Hosted]:
    """With carol, at games in which the others may sign a party away."""
    hosted = Hosted(tmp_path, ("alice", "bob", "carol"), judge="timer")
    yield hosted
    hosted.close()


def call(hosted: Hosted, game: bytes, name: str, party: str) -> None:
    (outcome,) = hosted.process(hosted.clients[game][name].act("away", AwayBody(party)))
    assert isinstance(outcome, Acceptance), outcome


def test_the_keeper_calls_away_whom_its_judge_named_and_all_others_have_called(three: Hosted) -> None:
    game = three.open(three.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob, carol = three.clients[game].values()
    call(three, game, "alice", "bob")
    call(three, game, "carol", "bob")
    assert told(alice)[-1] == ("carol", "away"), "no roll was called off"
    request = rolled(three, game)
    three.process(HandIn(carol.open()))
    three.process(CallOff(game, request))
    assert last(alice, 3)["missing"] == ["bob"]
    assert told(alice)[-2:] == [("host", "disclose"), ("host", "away")], "both have called him already"
    assert alice.view.replay.session.parties.away == {"bob"}
    three.settle()
    rolled(three, game)
    three.process(HandIn(carol.open()))
    three.process(HandIn(alice.open()))
    assert told(alice)[-1] == ("host", "reveal")
    (outcome,) = three.process(bob.act("back", Back("bob")))
    assert isinstance(outcome, Acceptance)
    check_whole(alice)


def test_the_keeper_calls_nobody_away_who_was_not_named_or_not_by_all(three: Hosted) -> None:
    game = three.open(three.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob, carol = three.clients[game].values()
    request = rolled(three, game)
    three.process(HandIn(carol.open()))
    three.process(HandIn(bob.open()))
    three.process(CallOff(game, request, closer=True))
    assert last(alice, 2)["missing"] == ["alice"]
    for name in ("alice", "carol"):
        call(three, game, name, "bob")
    assert told(alice)[-1] == ("carol", "away"), "bob was not missing"
    call(three, game, "carol", "alice")
    assert told(alice)[-1] == ("carol", "away"), "bob has not called"
    (outcome,) = three.process(bob.act("roll", ROLL))
    assert isinstance(outcome, Acceptance)
    three.process(HandIn(carol.open()))
    three.process(HandIn(alice.open()))
    three.process(HandIn(bob.open()))
    assert told(alice)[-1] == ("host", "reveal")
    call(three, game, "bob", "alice")
    assert told(alice)[-1] == ("bob", "away"), "the latest request has its dice"
    assert not alice.view.replay.session.parties.away


def voided(hosted: Hosted, game: bytes, by: str, opens: Sequence[str] = ()) -> list[str]:
    """A roll that `by` asks for and `opens` open for waits too long; whom the void names."""
    (outcome,) = hosted.process(hosted.clients[game][by].act("roll", ROLL))
    assert isinstance(outcome, Acceptance), outcome
    for name in opens:
        hosted.process(HandIn(hosted.clients[game][name].open()))
    hosted.process(CallOff(game, outcome.receipt.seq))
    alice = next(iter(hosted.clients[game].values()))
    events = [msgspec.json.decode(line) for line in alice.lines]
    void = next(event for event in reversed(events) if event["type"] == "void")
    named: list[str] = void["body"]["missing"]
    return named


def test_who_keeps_a_closer_waiting_does_not_sign_it_away(hosted: Hosted) -> None:
    """Bob does not open for alice's roll: he is named, and not she, who could not open before him."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    assert voided(hosted, game, "alice") == ["bob"]
    call(hosted, game, "bob", "alice")
    assert told(alice)[-1] == ("bob", "away"), "the keeper does not call"
    assert not alice.view.replay.session.parties.away
    check_whole(bob)


def test_a_void_from_before_a_back_counts_no_more(hosted: Hosted) -> None:
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    assert voided(hosted, game, "alice") == ["bob"]
    assert voided(hosted, game, "alice") == ["bob"], "twice in a row"
    call(hosted, game, "alice", "bob")
    assert alice.view.replay.session.parties.away == {"bob"}
    hosted.process(bob.act("back", Back("bob")))
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away"), "he is back: nobody knows that he does not open"
    assert not alice.view.replay.session.parties.away
    assert voided(hosted, game, "alice") == ["bob"]
    assert alice.view.replay.session.parties.away == {"bob"}, "another roll waited for him, and alice's call stands"


def test_who_wrote_after_the_void_or_has_a_stream_open_is_not_called_away_once(hosted: Hosted) -> None:
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    assert voided(hosted, game, "alice") == ["bob"]
    hosted.process(bob.act("away", AwayBody("alice")))
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away"), "bob has written"
    assert not alice.view.replay.session.parties.away

    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    hosted.host.streaming = lambda of: ["bob"] if of == game else []
    assert voided(hosted, game, "alice") == ["bob"]
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away"), "bob has a stream open"
    hosted.host.streaming = lambda _: []
    hosted.process(alice.act("roll", ROLL))
    hosted.settle()
    assert told(alice)[-1] == ("host", "reveal"), "he is here, and opens"
    assert not alice.view.replay.session.parties.away


def test_who_is_here_and_does_not_open_twice_in_a_row_is_called_away(hosted: Hosted) -> None:
    """Else one player could hold the table up for ever by being connected."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    hosted.host.streaming = lambda of: ["alice", "bob"] if of == game else []
    assert voided(hosted, game, "alice") == ["bob"]
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away")
    hosted.process(bob.act("away", AwayBody("alice")))
    assert voided(hosted, game, "alice") == ["bob"]
    assert told(alice)[-1] == ("host", "disclose"), "his line has taken alice's call back"
    call(hosted, game, "alice", "bob")
    assert alice.view.replay.session.parties.away == {"bob"}


def closed_off(hosted: Hosted, game: bytes, seconds: float) -> None:
    """Alice rolls, waits so long for bob, and calls her roll off, naming him."""
    alice, bob = clients(hosted, game)
    hosted.host.calling._clock = time.monotonic
    hosted.process(alice.act("roll", ROLL))
    hosted.host.calling._clock = lambda: time.monotonic() + seconds
    line = alice.seat.void(alice.view, ["bob"])
    (outcome,) = hosted.process(Offer(game, line))
    assert isinstance(outcome, Acceptance), outcome
    assert bob.view.replay.session.phase == "idle"


def test_the_closer_has_somebody_called_away_when_its_roll_has_waited(hosted: Hosted) -> None:
    """Else whoever rolls could sign away who is here, before any opening can have come."""
    for seconds, away in ((0.0, set()), (HEARD - 1, set()), (HEARD + 1, {"bob"})):
        game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
        alice, _bob = clients(hosted, game)
        closed_off(hosted, game, seconds)
        call(hosted, game, "alice", "bob")
        assert alice.view.replay.session.parties.away == away, seconds


def test_a_closer_that_names_itself_and_goes_is_called_away(hosted: Hosted) -> None:
    """The void is its last line: it says that it was here then, and nothing of later."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    hosted.host.calling._clock = time.monotonic
    hosted.process(bob.act("roll", ROLL))
    hosted.process(HandIn(alice.open()))
    hosted.host.calling._clock = lambda: time.monotonic() + HEARD
    (outcome,) = hosted.process(Offer(game, bob.seat.void(bob.view, ["bob"])))
    assert isinstance(outcome, Acceptance), outcome
    call(hosted, game, "alice", "bob")
    assert alice.view.replay.session.parties.away == {"bob"}


def test_who_was_here_and_has_gone_is_called_away_however_soon_the_roll_was_called_off(hosted: Hosted) -> None:
    """A phone died: the others call off at once, and need not wait for another roll before they go on."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    heard, ended = ["alice", "bob"], time.monotonic()
    hosted.host.streaming = lambda of: heard if of == game else []
    hosted.host.left = lambda of: {"bob": ended} if of == game else {}
    hosted.process(alice.act("roll", ROLL))
    hosted.process(Offer(game, alice.seat.void(alice.view, ["bob"])))
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away"), "his stream has just ended"
    heard.remove("bob")
    hosted.process(Resume(game))
    assert alice.view.replay.session.parties.away == {"bob"}
    hosted.process(bob.act("back", Back("bob")))
    assert not alice.view.replay.session.parties.away


def test_what_the_closer_called_off_is_no_second_turn_that_somebody_let_pass(hosted: Hosted) -> None:
    """Bob is here, and slow once: that alice called the roll before off at once says nothing of him."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, _bob = clients(hosted, game)
    hosted.host.streaming = lambda of: ["alice", "bob"] if of == game else []
    closed_off(hosted, game, 0.0)
    assert voided(hosted, game, "alice") == ["bob"]
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away")
    assert not alice.view.replay.session.parties.away


def test_who_was_here_when_a_roll_was_called_off_and_goes_later_is_not_called_away(hosted: Hosted) -> None:
    """A phone that sleeps between two rolls: no roll has waited for it."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, _bob = clients(hosted, game)
    closed_off(hosted, game, 0.0)
    hosted.host.left = lambda of: {"bob": time.monotonic()} if of == game else {}
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away")
    assert not alice.view.replay.session.parties.away


def test_a_closer_signs_nobody_away_who_is_heard_however_often_it_calls_off(hosted: Hosted) -> None:
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, _bob = clients(hosted, game)
    hosted.host.streaming = lambda of: ["bob"] if of == game else []
    for _ in range(3):
        closed_off(hosted, game, HEARD + 1)
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away"), "bob has a stream open"
    assert not alice.view.replay.session.parties.away


def test_a_roll_that_waited_for_fifteen_seconds_has_waited(hosted: Hosted) -> None:
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, _bob = clients(hosted, game)
    hosted.host.calling._clock = lambda: 100.0
    hosted.process(alice.act("roll", ROLL))
    hosted.host.calling._clock = lambda: 100.0 + HEARD
    hosted.process(Offer(game, alice.seat.void(alice.view, ["bob"])))
    hosted.host.calling._clock = lambda: 0.0
    call(hosted, game, "alice", "bob")
    assert alice.view.replay.session.parties.away == {"bob"}


def test_what_comes_behind_a_void_makes_no_roll_wait_longer(hosted: Hosted) -> None:
    """Alice calls her roll off at once, and writes on: only what the roll had waited by then counts."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, _bob = clients(hosted, game)
    closed_off(hosted, game, 0.0)
    hosted.host.calling._clock = lambda: time.monotonic() + 2 * HEARD
    for _ in range(2):
        call(hosted, game, "alice", "bob")
        assert told(alice)[-1] == ("alice", "away")
        hosted.process(clients(hosted, game)[1].act("away", AwayBody("alice")))
    assert not alice.view.replay.session.parties.away


def test_how_long_another_roll_waited_says_nothing_of_the_latest(hosted: Hosted) -> None:
    """Of the latest nothing is known where another program of the keeper took it."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, _bob = clients(hosted, game)
    closed_off(hosted, game, HEARD + 1)
    known = hosted.host.calling._waits[game]
    closed_off(hosted, game, 0.0)
    hosted.host.calling._waits[game] = known
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away")
    assert not alice.view.replay.session.parties.away


def test_a_void_by_the_judge_and_one_by_the_closer_are_no_two_of_the_judge(hosted: Hosted) -> None:
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, _bob = clients(hosted, game)
    hosted.host.streaming = lambda of: ["bob"] if of == game else []
    assert voided(hosted, game, "alice") == ["bob"]
    closed_off(hosted, game, HEARD + 1)
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away"), "bob has a stream open"
    assert not alice.view.replay.session.parties.away


def test_who_was_named_once_and_not_in_the_latest_void_is_not_called_away(three: Hosted) -> None:
    """Whoever rolls alone has a part: bob was missing in his own roll, and in alice's he has no part."""
    game = three.open(three.terms(SYSTEM, OPTIONS, away="others", contributors="roller"))
    alice, bob, _carol = three.clients[game].values()
    for roller in (bob, alice):
        (outcome,) = three.process(roller.act("roll", ROLL))
        assert isinstance(outcome, Acceptance)
        three.process(CallOff(game, outcome.receipt.seq, closer=True))
        assert last(alice, 2)["missing"] == [roller.seat.name]
    for name in ("alice", "carol"):
        call(three, game, name, "bob")
    assert told(alice)[-1] == ("carol", "away")
    assert not alice.view.replay.session.parties.away


def test_the_keeper_calls_when_all_others_have_and_not_before(three: Hosted) -> None:
    game = three.open(three.terms(SYSTEM, OPTIONS, away="others"))
    alice, _bob, carol = three.clients[game].values()
    assert voided(three, game, "alice", ["carol"]) == ["bob"]
    call(three, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away"), "carol has not called"
    assert not alice.view.replay.session.parties.away
    call(three, game, "carol", "bob")
    assert told(carol)[-1] == ("host", "away")
    assert alice.view.replay.session.parties.away == {"bob"}


@pytest.fixture
def late(tmp_path: Path) -> Iterator[Hosted]:
    """Alice and bob sit at a table of any dice; cyd has a home of her own, and comes later."""
    hosted = Hosted(tmp_path, ("alice", "bob", "cyd"), judge="timer")
    yield hosted
    hosted.close()


def with_newcomer(late: Hosted) -> bytes:
    """The game, in which cyd has joined and committed, and nobody has consented to her."""
    terms = late.terms("dice-1", DiceOptions(), away="others", admits=("player",)).body
    seated = tuple(party for party in terms.parties if not party.key.startswith("cyd+"))
    game = late.open(OpenGame(msgspec.structs.replace(terms, parties=seated)))
    (outcome,) = late.process(LetIn(game, AdmitBody(key=str(late.identities["cyd"].key), role="player")))
    assert isinstance(outcome, Acceptance), outcome
    late.settle()
    return game


@pytest.mark.parametrize("roller", ["alice", "cyd"])
@pytest.mark.parametrize("by_judge", [True, False])
def test_nobody_waits_for_the_call_of_a_newcomer(late: Hosted, roller: str, by_judge: bool) -> None:
    """Bob's phone dies before he consented to cyd: alice and the keeper go on without him, whoever of the two rolls."""
    game = with_newcomer(late)
    alice, _bob, cyd = late.clients[game].values()
    rolls, other = (alice, cyd) if roller == "alice" else (cyd, alice)
    assert "cyd" in alice.view.replay.session.parties.callers
    (outcome,) = late.process(rolls.act("roll", D20))
    assert isinstance(outcome, Acceptance), outcome
    late.process(HandIn(other.open()))
    if by_judge:
        late.process(CallOff(game, outcome.receipt.seq))
    else:
        late.host.calling._clock = lambda: time.monotonic() + HEARD
        late.process(Offer(game, rolls.seat.void(rolls.view, ["bob"])))
    with pytest.raises(RefusedError, match="only bob or a judge can sign bob away"):
        cyd.act("away", AwayBody("bob"))
    assert not alice.view.replay.session.parties.away, "cyd's own word, and the keeper's, are not enough"
    call(late, game, "alice", "bob")
    assert told(alice)[-1] == ("host", "away")
    assert alice.view.replay.session.parties.away == {"bob"}
    (outcome,) = late.process(rolls.act("roll", D20))
    assert isinstance(outcome, Acceptance), outcome
    late.process(HandIn(other.open()))
    late.process(HandIn(rolls.open()))
    assert told(alice)[-1] == ("host", "reveal")
    check_whole(cyd)


def test_the_keeper_calls_nobody_away_on_the_word_of_a_newcomer(late: Hosted) -> None:
    """Cyd may be the keeper's friend: without alice, who is here, nobody is signed away."""
    game = with_newcomer(late)
    alice, _bob, cyd = late.clients[game].values()
    for _ in range(2):
        (outcome,) = late.process(cyd.act("roll", D20))
        assert isinstance(outcome, Acceptance), outcome
        late.process(HandIn(alice.open()))
        late.process(CallOff(game, outcome.receipt.seq))
    line = Forger(late.identities["cyd"]).event(alice.lines, "away", {"party": "bob"})
    (outcome,) = late.process(Offer(game, line))
    assert isinstance(outcome, Rejection)
    assert outcome.error.code == "state.presence"
    assert told(alice)[-1] == ("host", "disclose")
    assert not alice.view.replay.session.parties.away


def test_nobody_is_called_away_while_a_roll_waits(hosted: Hosted) -> None:
    """Bob was named, was heard, and is not any more: the next roll waits for him, and he opens."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    hosted.host.streaming = lambda of: ["bob"] if of == game else []
    assert voided(hosted, game, "alice") == ["bob"]
    call(hosted, game, "alice", "bob")
    hosted.process(alice.act("roll", ROLL))
    hosted.host.streaming = lambda _: []
    hosted.process(HandIn(bob.open()))
    assert alice.view.replay.session.phase == "pending"
    hosted.process(HandIn(alice.open()))
    assert told(alice)[-1] == ("host", "reveal")
    check_whole(alice)


def test_a_void_by_another_judge_is_none_by_the_closer(tmp_path: Path) -> None:
    """Dana, a judge of flesh and blood, can sign bob away herself; the keeper does not call for her."""
    hosted = Hosted(tmp_path, ("alice", "bob", "dana"), judge="timer")
    try:
        game = hosted.open(hosted.terms(SYSTEM, OPTIONS, {"dana": "judge"}, away="others"))
        alice, _bob, dana = hosted.clients[game].values()
        hosted.process(alice.act("roll", ROLL))
        hosted.host.calling._clock = lambda: time.monotonic() + HEARD + 1
        (outcome,) = hosted.process(Offer(game, dana.seat.void(dana.view, ["bob"])))
        assert isinstance(outcome, Acceptance), outcome
        call(hosted, game, "alice", "bob")
        assert told(alice)[-1] == ("alice", "away")
        assert set(alice.view.replay.session.parties.calls["bob"]) == {"alice"}
        assert not alice.view.replay.session.parties.away
    finally:
        hosted.close()


def test_without_a_judge_of_the_keepers_nobody_is_called_away_by_it(tmp_path: Path) -> None:
    hosted = Hosted(tmp_path)
    try:
        game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
        closed_off(hosted, game, HEARD + 1)
        call(hosted, game, "alice", "bob")
        alice, _bob = clients(hosted, game)
        assert told(alice)[-1] == ("alice", "away")
        assert not alice.view.replay.session.parties.away
    finally:
        hosted.close()


def test_what_is_known_of_games_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling_away, "MAX_GAMES", 2)
    event = Forger(Identity.generate("alice")).sign(
        {"author": "alice", "body": {}, "game": "", "prev": "", "seq": 0, "time": "", "type": "ruling"}
    )
    stored = SimpleNamespace(lines=lambda _game, start, stop: [event] * (stop - start))
    calling = Calling(cast("Any", stored), lambda _: ())
    for number in range(4):
        game = bytes([number])
        calling.took(game, "void", 7)  # of a roll that another program has taken
        calling.took(game, "roll", 8)
        calling._look(cast("Any", SimpleNamespace(game=game, size=9)), 5)
        assert len(calling._waits) == len(calling._wrote) == min(number + 1, 2)
    assert calling._look(cast("Any", SimpleNamespace(game=game, size=9)), 5).lines == {"alice": 8}
    for number, names in ((0, ["bob"]), (1, ()), (2, ())):
        calling._look_for(calling._without, cast("Any", SimpleNamespace(game=bytes([number]), size=9)), names)
    assert list(calling._without) == [bytes([0])], "where everybody has links nothing is known"
    # A store that was put back has other lines from there on.
    assert calling._look(cast("Any", SimpleNamespace(game=game, size=7)), 5).lines == {"alice": 6}


@pytest.mark.parametrize("opens", [False, True])
def test_who_has_opened_is_not_called_away_whatever_a_closer_says(hosted: Hosted, opens: bool) -> None:
    """Alice, who cheats, has bob's opening, does not open, and signs that he was missing."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    hosted.process(alice.act("roll", ROLL))
    if opens:
        hosted.process(HandIn(bob.open()))
    hosted.host.calling._clock = lambda: time.monotonic() + HEARD + 1
    pending = alice.view.replay.pending
    assert pending is not None
    body = {"missing": ["bob"], "roll_index": pending.roll_index}
    line = Forger(hosted.identities["alice"]).event(alice.lines, "void", body)
    (outcome,) = hosted.process(Offer(game, line))
    assert isinstance(outcome, Acceptance), outcome
    assert last(alice, 2)["missing"] == ["bob"]
    assert ("bob" in disclosed(alice)) is opens
    line = Forger(hosted.identities["alice"]).event(alice.lines, "away", {"party": "bob"})
    (outcome,) = hosted.process(Offer(game, line))
    assert isinstance(outcome, Acceptance), outcome
    assert alice.view.replay.session.parties.away == (set() if opens else {"bob"})


@pytest.mark.parametrize("first", ["back", "away"])
def test_back_and_away_signed_upon_the_same_line(three: Hosted, first: str) -> None:
    """The one that the keeper takes first stands; the other is signed anew, or not, upon what its author sees then."""
    game = three.open(three.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob, carol = three.clients[game].values()
    assert voided(three, game, "alice", ["carol"]) == ["bob"]
    for name in ("alice", "carol"):
        call(three, game, name, "bob")
    assert alice.view.replay.session.parties.away == {"bob"}
    lines = {"back": bob.act("back", Back("bob")), "away": carol.act("away", AwayBody("carol"))}
    order = [lines.pop(first), *lines.values()]
    one, other = three.process(*order)
    assert isinstance(one, Acceptance)
    assert isinstance(other, Rejection)
    assert other.error.code in ("chain.seq", "chain.prev")
    assert alice.view.replay.session.parties.away == (set() if first == "back" else {"bob", "carol"})
    if first == "away":
        (outcome,) = three.process(bob.act("back", Back("bob")))
        assert isinstance(outcome, Acceptance)
        assert alice.view.replay.session.parties.away == {"carol"}
    with pytest.raises(RefusedError):  # who is here is not back again
        bob.act("back", Back("bob"))
    call(three, game, "alice", "bob")
    assert "bob" not in alice.view.replay.session.parties.away, "what was called before he was back counts no more"
    check_whole(bob)


def test_how_long_a_roll_waited_is_not_known_to_a_program_that_was_started_again(hosted: Hosted) -> None:
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, _bob = clients(hosted, game)
    closed_off(hosted, game, HEARD + 1)
    hosted.stop()
    hosted.start()
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away")


def test_who_wrote_lately_is_known_to_a_program_that_was_started_again(hosted: Hosted) -> None:
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    assert voided(hosted, game, "alice") == ["bob"]
    hosted.process(bob.act("away", AwayBody("alice")))
    hosted.stop()
    hosted.start()
    call(hosted, game, "alice", "bob")
    assert told(alice)[-1] == ("alice", "away")
    assert not alice.view.replay.session.parties.away


def test_back_and_the_last_call_in_the_same_moment(hosted: Hosted) -> None:
    """Whichever comes first, nobody stays away who said that it is back, and no call is left over."""
    game = hosted.open(hosted.terms(SYSTEM, OPTIONS, away="others"))
    alice, bob = clients(hosted, game)
    assert voided(hosted, game, "alice") == ["bob"]
    first, second = alice.act("away", AwayBody("bob")), bob.act("away", AwayBody("bob"))
    outcomes = hosted.process(second, first)
    assert isinstance(outcomes[0], Acceptance)
    assert isinstance(outcomes[1], Rejection)
    assert alice.view.replay.session.parties.away == {"bob"}
    back, again = bob.act("back", Back("bob")), alice.act("roll", ROLL)
    outcomes = hosted.process(back, again)
    assert isinstance(outcomes[0], Acceptance)
    assert isinstance(outcomes[1], Rejection), "alice signs anew, and bob is waited for"
    assert not alice.view.replay.session.parties.away
    call(hosted, game, "alice", "bob")
    assert not alice.view.replay.session.parties.away
    outcomes = hosted.process(bob.act("away", AwayBody("alice")), alice.act("roll", ROLL))
    assert isinstance(outcomes[0], Acceptance)
    assert not alice.view.replay.session.parties.away
    assert set(alice.view.replay.session.parties.calls) == {"alice"}, "bob's line took back what was called about him"
    check_whole(alice)


def test_where_event_0_does_not_say_so_nobody_calls(hosted: Hosted, game: bytes) -> None:
    alice, _ = clients(hosted, game)
    hosted.process(CallOff(game, rolled(hosted, game)))
    with pytest.raises(RefusedError, match="only bob or a judge can sign bob away"):
        alice.act("away", AwayBody("bob"))


def test_that_a_closer_named_somebody_is_not_enough(three: Hosted) -> None:
    game = three.open(three.terms(SYSTEM, OPTIONS, away="others"))
    alice, *_ = three.clients[game].values()
    rolled(three, game)
    (outcome,) = three.process(Offer(game, alice.seat.void(alice.view, ["bob", "carol"])))
    assert isinstance(outcome, Acceptance)
    for name in ("alice", "carol"):
        call(three, game, name, "bob")
    assert told(alice)[-1] == ("carol", "away")
    assert not alice.view.replay.session.parties.away


def test_who_opened_and_is_called_missing_shows_the_opening_before_anything_else(hosted: Hosted, game: bytes) -> None:
    """Alice's opening never reaches the server, or so it says: the log shows it with alice's next event."""
    alice, bob = clients(hosted, game)
    request = rolled(hosted, game)
    assert alice.seat.tend(alice.view) == []
    hosted.process(HandIn(bob.open()))
    sent = alice.open().opening
    hosted.process(CallOff(game, request, closer=True))
    assert (last(alice, 2)["missing"], disclosed(alice)) == (["alice"], ["host", "bob"])
    (objects,) = alice.seat.tend(alice.view)
    (outcome,) = hosted.process(Offer(game, objects(alice.view)))
    assert isinstance(outcome, Acceptance)
    assert last(alice, 1) == {"opening": msgspec.to_builtins(sent), "request": request}
    assert alice.seat.tend(alice.view) == []
    assert bob.seat.tend(bob.view) == []
    voided = alice.view.replay.voided.get(request)
    assert voided is not None
    assert voided.naturals, "all links are known: what it would have shown is"
    assert "alice shows openings that timer called missing" in trust_statement(alice.view.replay)
    check_whole(alice)


def test_who_opened_for_later_rolls_meanwhile_objects_all_the_same(hosted: Hosted, game: bytes) -> None:
    """The server shows void and next request in one breath: bob has opened for it before he could object."""
    alice, bob = clients(hosted, game)
    request = rolled(hosted, game)
    bob.open()
    hosted.process(CallOff(game, request))
    assert last(alice, 2)["missing"] == ["bob"]
    rolled(hosted, game)
    hosted.settle()
    (objects,) = bob.seat.tend(bob.view)
    (outcome,) = hosted.process(Offer(game, objects(bob.view)))
    assert isinstance(outcome, Acceptance)
    check_whole(alice)


def test_who_did_not_open_has_nothing_to_object_to(hosted: Hosted, game: bytes) -> None:
    _, bob = clients(hosted, game)
    request = rolled(hosted, game)
    hosted.process(CallOff(game, request))
    rolled(hosted, game)
    hosted.settle()
    assert bob.seat.tend(bob.view) == []
    with pytest.raises(TurnError, match="nothing that bob opened was called missing"):
        bob.seat.object_to_void(bob.view)
