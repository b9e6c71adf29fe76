"""What is sent to a keeper's program again is answered as it was answered first (specs/network.md)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.keeper.operations import (
    Acceptance,
    HandIn,
    HandInReceived,
    LetIn,
    NewLine,
    NewReceived,
    Offer,
    OpeningOutcome,
    Outcome,
    ReceiptOutcome,
    Rejection,
)
from ledger.seats.identity import Identity
from rules.protocol import Consent
from rules.systems.anydice.bodies import Options, RollBody
from tests.support.hosted import Client, Hosted
from tests.support.table import Forger, seat_in
from verifier.log.bodies import AdmitBody, ReplaceBody
from verifier.opening import ReceivedOpening

ROLL = RollBody(dice="d20")


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[Hosted]:
    """Alice, bob and cyd play, dana judges."""
    hosted = Hosted(tmp_path, ("alice", "bob", "cyd", "dana"))
    yield hosted
    hosted.close()


@pytest.fixture
def game(hosted: Hosted) -> bytes:
    return hosted.open(hosted.terms("dice-1", Options(), {"dana": "judge"}, admits=("player", "judge")))


def outcome_of(hosted: Hosted, *operations: HandIn | HandInReceived | LetIn | Offer) -> Outcome:
    """What becomes of the last of these, each sent by itself."""
    for operation in operations:
        (outcome,) = hosted.process(operation)
    return outcome


def code(outcome: Outcome) -> str:
    assert isinstance(outcome, Rejection), outcome
    return outcome.code


def place(outcome: Outcome, *, new: bool) -> tuple[int, str]:
    """Where a line stands; whether it was written now."""
    assert isinstance(outcome, Acceptance), outcome
    assert outcome.new == new
    assert outcome.receipt.checkpoint is not None
    assert outcome.receipt.checkpoint.head.size > outcome.receipt.seq
    return outcome.receipt.seq, outcome.receipt.leaf


def test_a_line_with_a_number_that_no_log_has_is_refused_and_stops_nobody_else(hosted: Hosted, game: bytes) -> None:
    alice = hosted.clients[game]["alice"]
    offer = alice.act("roll", ROLL)
    own = f'"seq":{alice.view.replay.size}'.encode()
    assert own in offer.line
    numbers = (-1, -(2**64), 2**53, 2**64)
    *refused, taken = hosted.process(
        *(Offer(game, offer.line.replace(own, b'"seq":%d' % number)) for number in numbers), offer
    )
    assert [code(outcome) for outcome in refused] == ["line.malformed"] * len(numbers)
    place(taken, new=True)


def test_another_line_in_the_place_of_one_that_stands_is_not_taken_for_it(hosted: Hosted, game: bytes) -> None:
    alice = hosted.clients[game]["alice"]
    forger, lines = Forger(hosted.identities["bob"]), alice.lines
    for seq in (1, len(lines) - 1):
        line = forger.event(lines[:seq], "roll", {}, time=hosted.clock())
        assert code(outcome_of(hosted, Offer(game, line))) == "chain.seq"
    assert place(outcome_of(hosted, Offer(game, lines[0])), new=False)[0] == 0


def test_an_opening_that_was_handed_in_is_told_once(hosted: Hosted, game: bytes) -> None:
    alice, bob = hosted.clients[game]["alice"], hosted.clients[game]["bob"]
    hosted.process(alice.act("roll", ROLL))
    opening = HandIn(bob.open())
    first = outcome_of(hosted, opening)
    assert isinstance(first, OpeningOutcome)
    again = hosted.host.process([opening])
    assert again.outcomes == (OpeningOutcome(first.received, new=False),)
    assert not again.news


def test_an_opening_that_the_store_has_without_a_receipt_is_not_told_again(hosted: Hosted, game: bytes) -> None:
    """The program ended between the two."""
    alice, bob = hosted.clients[game]["alice"], hosted.clients[game]["bob"]
    hosted.process(alice.act("roll", ROLL))
    opening = bob.open()
    hosted.ledger.hand_in(game, opening.opening)
    processed = hosted.host.process([HandIn(opening)])
    (outcome,) = processed.outcomes
    assert isinstance(outcome, OpeningOutcome)
    assert outcome.received is not None
    assert not outcome.new
    assert processed.news == {game: [NewReceived(outcome.received)]}


def test_a_receipt_that_was_handed_on_is_told_once(hosted: Hosted, game: bytes) -> None:
    alice, bob = hosted.clients[game]["alice"], hosted.clients[game]["bob"]
    hosted.process(alice.act("roll", ROLL))
    opening = bob.open()
    hosted.process(HandIn(opening))
    receipt = alice.acknowledge(opening.opening)
    assert hosted.host.process([receipt]).news == {game: [NewReceived(receipt.received)]}
    again = hosted.host.process([receipt])
    assert again.outcomes == (ReceiptOutcome(new=False),)
    assert not again.news


def test_what_comes_late_for_a_roll_is_answered_while_the_next_one_waits(hosted: Hosted, game: bytes) -> None:
    alice, bob = hosted.clients[game]["alice"], hosted.clients[game]["bob"]
    hosted.process(alice.act("roll", ROLL))
    opening = HandIn(bob.open())
    given = outcome_of(hosted, opening)
    assert isinstance(given, OpeningOutcome)
    receipt = alice.acknowledge(opening.opening.opening)
    received = receipt.received
    request, own = bytes.fromhex(received.request), opening.opening.opening
    forged = HandInReceived(
        ReceivedOpening.of(game, request, type(own)(own.author, own.index, "00" * 32, own.sig), "alice", bytes(64))
    )
    hosted.settle()

    def check() -> None:
        assert outcome_of(hosted, opening) == OpeningOutcome(given.received, new=False)
        assert outcome_of(hosted, receipt) == ReceiptOutcome(new=False)
        assert code(outcome_of(hosted, forged)) == "opening.set"
        other = HandInReceived(ReceivedOpening.of(game, bytes(32), own, "alice", bytes.fromhex(received.sig)))
        assert code(outcome_of(hosted, other)) == "opening.set"

    check()
    hosted.process(alice.act("roll", ROLL))
    check()


def test_who_was_let_in_is_let_in_once(hosted: Hosted, game: bytes) -> None:
    eve, size = Identity.generate("eve"), hosted.clients[game]["alice"].view.replay.size
    admit = LetIn(game, AdmitBody(key=str(eve.key), role="player"))
    first, twin = hosted.process(admit, admit)
    assert first == twin
    stands = place(first, new=True)
    assert stands[0] == size
    assert place(outcome_of(hosted, admit), new=False) == stands
    keys = {name: str(identity.key) for name, identity in hosted.identities.items()}
    for seated in (AdmitBody(key=keys["alice"], role="player"), AdmitBody(key=keys["dana"], role="judge")):
        assert place(outcome_of(hosted, LetIn(game, seated)), new=False)[0] == 0, "event 0 has it"
    for other in (
        AdmitBody(key=str(eve.key), role="judge"),
        AdmitBody(key=str(Identity.generate("eve").key), role="player"),
        AdmitBody(key=str(Identity.generate("alice").key), role="player"),
    ):
        assert code(outcome_of(hosted, LetIn(game, other))).startswith("admit."), other
    assert hosted.clients[game]["alice"].view.replay.size == size + 1


def test_a_new_key_takes_its_place_once(hosted: Hosted, game: bytes) -> None:
    """Bob's browser is lost. His new key waits for the others' word; a third key is another matter."""
    alice, _, cyd, dana = hosted.clients[game].values()
    identity = Identity.generate("bob")
    present = ReplaceBody(str(hosted.identities["bob"].key))
    assert code(outcome_of(hosted, LetIn(game, present))) == "state.replace"
    place(outcome_of(hosted, Offer(game, dana.seat.away(dana.view, "bob"))), new=True)
    assert code(outcome_of(hosted, LetIn(game, present))) == "replace.key", "it is the one that stands"
    replace = LetIn(game, ReplaceBody(str(identity.key)))
    asked = place(outcome_of(hosted, replace), new=True)
    assert place(outcome_of(hosted, replace), new=False) == asked
    for other in (alice, cyd):
        place(outcome_of(hosted, other.act("consent", Consent(asked[0]))), new=True)
    new = Client(seat_in(hosted.folder / "new", identity, hosted.clock))
    new.hear(NewLine(seq, line) for seq, line in enumerate(alice.lines))
    new.view.checkpoint = alice.view.checkpoint
    joined = place(outcome_of(hosted, Offer(game, new.seat.join(new.view))), new=True)
    new.seat.close()
    assert place(outcome_of(hosted, replace), new=False) == joined
    third = place(outcome_of(hosted, LetIn(game, ReplaceBody(str(Identity.generate("bob").key)))), new=True)
    assert third[0] > joined[0]


def test_a_game_whose_keeper_is_elsewhere_lets_nobody_in(hosted: Hosted, game: bytes, tmp_path: Path) -> None:
    """Nor does it say that somebody is in; and what another game asks for goes on."""
    elsewhere = Hosted(tmp_path / "elsewhere")
    other = elsewhere.open(elsewhere.terms("dice-1", Options(), admits=("player",)))
    alice = elsewhere.clients[other]["alice"]
    hosted.ledger.importer.import_log(alice.log, name="log")
    keys = [str(elsewhere.identities["alice"].key), str(Identity.generate("eve").key)]
    *away, taken = hosted.process(
        *(LetIn(other, AdmitBody(key=key, role="player")) for key in keys),
        hosted.clients[game]["alice"].act("roll", ROLL),
    )
    assert [getattr(outcome, "code", None) for outcome in away] == ["keeper.away"] * 2
    place(taken, new=True)
    elsewhere.close()
