"""The known attacks on provably fair dice, each carried out with the keys of one party (specs/security.md).

An attack ends in one of two ways: a program refuses to take part, or the log that the attacker makes tells on it.
In most tests here the attacker is the keeper, who has the log and the last word.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest

from ledger.errors import BehindError, ForkError, RefusedError, SeedError, UsageError
from ledger.seats.identity import Identity
from ledger.seats.records import SeatHead
from ledger.store.ledger import Ledger
from tests.oracles import reference
from tests.oracles.reference import leaf
from tests.support.table import (
    ROLL,
    SYSTEM,
    Forger,
    Shown,
    Table,
    as_json,
    error_in,
    joined,
    link_of,
    make_body,
    opening_of,
    report_on,
    reveal_body,
    seed_of,
)
from verifier import Pins, verify
from verifier.dice.derivation import OPENING_LABEL, SEED_LABEL, chain_step, draw, roll_seed
from verifier.log.bodies import Opening
from verifier.log.format import MAX_LINE
from verifier.verification import read_lines

MakeTable = Callable[..., Table]


def refused(table: Table, line: bytes) -> str:
    """The code with which the ledger refuses a line."""
    with pytest.raises(RefusedError) as caught:
        table.ledger.append(table.game, line)
    return caught.value.code


def at_fault(lines: list[bytes]) -> tuple[str, str | None]:
    """What is wrong with a log, and whose fault it is."""
    error = error_in(lines)
    return error.code, error.fault


def replacing(table: Table, name: str, tip: str) -> dict[str, object]:
    """A commit that the chain of this party allows: `tip` is any, the link of the old chain is right."""
    return {"length": 2, "link": link_of(table, name, table.view.replay.chains[name].next).hex(), "tip": tip}


def pending_request(table: Table) -> bytes:
    pending = table.view.replay.pending
    assert pending is not None
    return pending.request


@pytest.fixture
def keeper(table: Table) -> Forger:
    """The keeper's key in the wrong hands."""
    return Forger(table.identities["host"])


@pytest.fixture
def bob(table: Table) -> Forger:
    return Forger(table.identities["bob"])


# --- choosing the dice --------------------------------------------------------------------------------------------


def test_next_seed_grinding_the_keeper_commits_again_when_it_has_seen_the_players_links(
    pending: Table, keeper: Forger
) -> None:
    openings = [opening_of(pending, name) for name in ("alice", "bob")]
    request = pending_request(pending)

    def luck(link: bytes) -> int:
        return draw(seed_of(pending.view.replay, [keeper.opening(pending, link, 1, request), *openings]), (20,))[0]

    # With both players' links at hand a keeper that may still choose its own needs some twenty tries for a 20 …
    ground = next(link for link in iter(lambda: secrets.token_bytes(32), b"") if luck(link) == 20)
    tip = chain_step(ground, pending.game, "host", 1).hex()
    # … but a commitment between request and reveal is refused,
    commit = keeper.event(pending.lines, "commit", replacing(pending, "host", tip))
    assert refused(pending, commit) == "state.pending"
    assert at_fault([*pending.lines, commit]) == ("state.pending", "host")
    # and the link does not lead to the one from before.
    body = reveal_body(pending.view.replay, [keeper.opening(pending, ground, 1, request), *openings])
    assert body["naturals"][0] == 20
    reveal = keeper.event(pending.lines, "reveal", body)
    assert refused(pending, reveal) == "opening.link"
    assert at_fault([*pending.lines, reveal]) == ("opening.link", "host")


def test_grinding_the_request_gives_nothing_for_no_part_of_it_enters_the_seed(table: Table, tmp_path: Path) -> None:
    everybody = {name: Forger(table.identities[name]) for name in ("host", "alice", "bob")}
    before, shown = table.log, []
    for number, use in enumerate(("One purpose", "Another purpose")):
        ledger = Ledger(tmp_path / f"{number}.db", table.clock)
        ledger.importer.import_log(before, name="before")
        request = everybody["alice"].event(
            list(ledger.lines(table.game)), "roll", ROLL | {"dice": "20d20", "use": use}, time=table.clock()
        )
        ledger.append(table.game, request)
        # All of them together, and with the same links, come to the same dice for each of the two requests.
        openings = [
            forger.opening(table, link_of(table, name, 1), 1, leaf(request)) for name, forger in everybody.items()
        ]
        body = reveal_body(ledger.view(table.game).replay, openings)
        lines = list(ledger.lines(table.game))
        ledger.append(table.game, everybody["host"].event(lines, "reveal", body))
        shown.append((leaf(request), body["naturals"]))
        ledger.close()
    assert shown[0][0] != shown[1][0]
    assert shown[0][1] == shown[1][1]


def test_a_look_ahead_needs_links_that_nobody_gives_before_the_request(table: Table) -> None:
    for name in ("host", "alice", "bob"):
        with pytest.raises(UsageError, match="no roll waits"):
            table.seats[name].opening(table.view)


def test_the_order_of_two_fights_cannot_be_picked_for_what_was_seen_for_one_goes_to_no_other(
    table: Table, tmp_path: Path
) -> None:
    first, second = (table.sign("alice", "roll", ROLL | {"source": fight}) for fight in ("Fight one", "Fight two"))
    before = table.log
    table.ledger.append(table.game, first)
    table.hand_in("bob")
    # The keeper does not like what it sees, puts the first request away and shows bob the second in its place.
    ledger = Ledger(tmp_path / "other.db")
    ledger.importer.import_log(before, name="before")
    ledger.append(table.game, second)
    with pytest.raises(ForkError, match="forked"):
        table.seats["bob"].opening(ledger.view(table.game))
    # Even a bob who has forgotten what he saw has it on record what he opened.
    bob = table.seats["bob"]
    with bob._memory.game(table.game) as turn:
        turn.change(head=SeatHead(7, leaf(table.lines[6]).hex()), receipts=())
    view = ledger.view(table.game)
    with pytest.raises(SeedError, match="two histories"):
        bob.opening(Shown(view, Forger(table.identities["host"]).checkpoint(view)))
    ledger.close()


def test_modulo_bias_naturals_without_rejection_are_not_those_of_the_links(table: Table, keeper: Forger) -> None:
    table.act("alice", "roll", ROLL | {"dice": "1000d20"})
    openings = [opening_of(table, name) for name in ("host", "alice", "bob")]
    seed = seed_of(table.view.replay, openings)
    stream = b"".join(reference.block(seed, c) for c in range(32))[:1000]
    biased = [value % 20 + 1 for value in stream]
    fair = reveal_body(table.view.replay, openings)["naturals"]
    # The same until the first byte of 240 or more: its 1 to 16 come up once too often.
    first = next(i for i, value in enumerate(stream) if value >= 240)
    assert biased[:first] == fair[:first]
    assert biased != fair
    reveal = keeper.event(table.lines, "reveal", reveal_body(table.view.replay, openings, naturals=biased))
    assert refused(table, reveal) == "reveal.naturals"
    assert at_fault([*table.lines, reveal]) == ("reveal.naturals", "host")


def test_a_seed_that_is_keyed_in_another_way_gives_other_dice(pending: Table, keeper: Forger) -> None:
    openings = [opening_of(pending, name) for name in ("host", "alice", "bob")]
    links = {opening["author"]: bytes.fromhex(opening["link"]) for opening in openings}
    host, alice, bob = (bytes([len(name)]) + name.encode() + link for name, link in links.items())
    message = SEED_LABEL + bytes(8) + host + alice + bob
    sides = pending.view.replay.session.draw
    # The spec's way round is the code's …
    assert (
        list(draw(hmac.digest(pending.game, message, "sha256"), sides))
        == reveal_body(pending.view.replay, openings)["naturals"]
    )
    # … the other, one with the keeper's link as its key, and one with the parties in another order are found out.
    for key, text in (
        (message, pending.game),
        (links["host"], SEED_LABEL + pending.game + bytes(8) + alice + bob),
        (pending.game, SEED_LABEL + bytes(8) + host + bob + alice),
    ):
        naturals = list(draw(hmac.digest(key, text, "sha256"), sides))
        reveal = keeper.event(pending.lines, "reveal", reveal_body(pending.view.replay, openings, naturals=naturals))
        assert refused(pending, reveal) == "reveal.naturals"
        assert at_fault([*pending.lines, reveal]) == ("reveal.naturals", "host")


def test_the_seed_of_one_game_is_not_that_of_another(make_table: MakeTable) -> None:
    """Its key is the game's id: the same links would show other dice at another table."""
    links = [(name, secrets.token_bytes(32)) for name in ("host", "alice", "bob")]
    games = [make_table().game for _ in range(2)]
    assert len({roll_seed(game, 0, links) for game in games}) == 2


def long_link_and_its_hash() -> tuple[bytes, bytes]:
    """HMAC takes a key longer than 64 bytes and its SHA-256 for the same key."""
    link = secrets.token_bytes(65)
    return link, hashlib.sha256(link).digest()


def padded_link() -> tuple[bytes, bytes]:
    """HMAC takes a short key and the key padded with zeros for the same key."""
    link = secrets.token_bytes(31)
    return link, link + b"\0"


@pytest.mark.parametrize("collision", [long_link_and_its_hash, padded_link])
def test_key_length_collisions_a_link_of_another_length_is_no_link(
    table: Table, keeper: Forger, collision: Callable[[], tuple[bytes, bytes]]
) -> None:
    odd, right = collision()
    game, request = table.game, bytes(32)
    assert chain_step(odd, game, "host", 1) == chain_step(right, game, "host", 1), "they do collide"
    tip = chain_step(right, game, "host", 1).hex()
    table.ledger.append(table.game, keeper.event(table.lines, "commit", replacing(table, "host", tip)))
    table.act("alice", "roll", ROLL)
    request = pending_request(table)
    others = [opening_of(table, name) for name in ("alice", "bob")]
    # Two keys for one commitment, two names for one roll: only the one of 32 bytes can stand in a log.
    wrong = keeper.event(
        table.lines, "reveal", reveal_body(table.view.replay, [keeper.opening(table, odd, 1, request), *others])
    )
    assert refused(table, wrong) == "body.malformed"
    assert at_fault([*table.lines, wrong]) == ("body.malformed", "host")
    rightly = reveal_body(table.view.replay, [keeper.opening(table, right, 1, request), *others])
    table.ledger.append(table.game, keeper.event(table.lines, "reveal", rightly))


@pytest.mark.parametrize("what", ["link", "sig"])
def test_an_opening_of_the_wrong_length_cannot_be_handed_in_and_block_the_roll(pending: Table, what: str) -> None:
    alice = Forger(pending.identities["alice"])
    right = opening_of(pending, "alice")
    if what == "link":
        longer = bytes.fromhex(right["link"]) + b"\0"
        wrong = alice.opening(pending, longer, 1, pending_request(pending))
    else:
        wrong = right | {"sig": right["sig"].upper()}
    with pytest.raises(RefusedError):
        pending.ledger.hand_in(pending.game, Opening(**wrong))


@pytest.mark.parametrize("name", ["alice", "host"])
def test_identical_commitments_nobody_commits_to_anothers_tip(table: Table, bob: Forger, name: str) -> None:
    # Whoever mirrors another's commitment hopes to mirror the links as well, when the other has opened.
    tip = table.view.replay.chains[name].tip.hex()
    mirrored = bob.event(table.lines, "commit", replacing(table, "bob", tip))
    assert refused(table, mirrored) == "commit.tip-reused"
    assert at_fault([*table.lines, mirrored]) == ("commit.tip-reused", "bob")


def test_a_mirrored_link_leads_nowhere_for_links_are_bound_to_their_owners_name(table: Table, bob: Forger) -> None:
    link = secrets.token_bytes(32)
    assert chain_step(link, table.game, "alice", 1) != chain_step(link, table.game, "bob", 1)
    # Bob has a chain of his own, but opens alice's link, so as to cancel it out.
    table.ledger.append(
        table.game,
        bob.event(table.lines, "commit", replacing(table, "bob", chain_step(link, table.game, "bob", 1).hex())),
    )
    table.act("alice", "roll", ROLL)
    openings = [opening_of(table, "host"), opening_of(table, "alice")]
    copied = bob.opening(table, bytes.fromhex(openings[1]["link"]), 1, pending_request(table))
    reveal = Forger(table.identities["host"]).event(
        table.lines, "reveal", reveal_body(table.view.replay, [*openings, copied])
    )
    assert refused(table, reveal) == "opening.link"
    assert at_fault([*table.lines, reveal]) == ("opening.link", "bob")


def test_a_signing_key_alone_replaces_no_chain(table: Table, bob: Forger) -> None:
    """A thief of bob's signing key knows no link of his chain, so it cannot put one of its own in its place."""
    tip = secrets.token_hex(32)
    right = replacing(table, "bob", tip)
    known = table.view.replay.chains["bob"].tip.hex()
    foreign, later = link_of(table, "alice", 1).hex(), link_of(table, "bob", 2).hex()
    for guess in (secrets.token_hex(32), known, foreign, later):
        commit = bob.event(table.lines, "commit", right | {"link": guess})
        assert refused(table, commit) == "commit.link"
        assert at_fault([*table.lines, commit]) == ("commit.link", "bob")
    without = bob.event(table.lines, "commit", {"length": 2, "tip": tip})
    assert refused(table, without) == "commit.link"
    table.ledger.append(table.game, bob.event(table.lines, "commit", right))


def test_a_first_chain_replaces_none(make_table: MakeTable) -> None:
    table = make_table()
    commit = Forger(table.identities["host"]).event(
        table.lines, "commit", {"length": 2, "link": secrets.token_hex(32), "tip": secrets.token_hex(32)}
    )
    assert at_fault([*table.lines, commit]) == ("commit.link", "host")


def test_the_last_link_is_for_no_roll(make_table: MakeTable) -> None:
    table = make_table().begin(2)
    table.roll("alice")
    request = table.sign("alice", "roll", ROLL)
    assert refused(table, request) == "state.not-committed"
    assert at_fault([*table.lines, request]) == ("state.not-committed", "alice")
    for name in ("host", "alice", "bob"):
        table.commit(name, 2)
    table.roll("alice")
    one = Forger(table.identities["bob"]).event(
        table.lines, "commit", replacing(table, "bob", "00" * 32) | {"length": 1}
    )
    assert refused(table, one) == "body.malformed", "a chain of one link could never be replaced"


# --- a second try -------------------------------------------------------------------------------------------------


def test_reload_or_crash_brings_the_same_dice_again(pending: Table) -> None:
    pending.hand_in("bob")
    before = {name: opening_of(pending, name) for name in ("host", "alice", "bob")}
    expected = reveal_body(pending.view.replay, list(before.values()))["naturals"]
    pending.restart()
    assert {name: opening_of(pending, name) for name in ("host", "alice", "bob")} == before
    pending.restart()
    pending.hand_in_all()
    pending.reveal()
    assert pending.naturals() == expected


def test_a_silent_repeat_the_keeper_drops_the_request_and_has_it_made_again(table: Table, tmp_path: Path) -> None:
    before = table.log
    table.act("alice", "roll", ROLL)
    table.hand_in_all()
    # The dice are not to the keeper's liking: a log without the request, and alice is asked to roll once more.
    ledger = Ledger(tmp_path / "other.db", table.clock)
    ledger.importer.import_log(before, name="before")
    with pytest.raises(BehindError, match="its end is missing"):
        table.seats["alice"].sign(ledger.view(table.game), "roll", make_body("roll", ROLL))
    ledger.close()


def test_a_silent_repeat_with_the_keepers_next_link_is_one_link_too_far(pending: Table, keeper: Forger) -> None:
    second = keeper.opening(pending, link_of(pending, "host", 2), 2, pending_request(pending))
    others = [opening_of(pending, name) for name in ("alice", "bob")]
    reveal = keeper.event(
        pending.lines,
        "reveal",
        reveal_body(pending.view.replay, [second, *others]),
    )
    assert refused(pending, reveal) == "opening.index"
    assert at_fault([*pending.lines, reveal]) == ("opening.index", "host")


def test_after_a_void_the_burned_links_are_worth_nothing(pending: Table, keeper: Forger) -> None:
    burned = [opening_of(pending, name) for name in ("host", "alice", "bob")]
    pending.void("dana")
    pending.act("bob", "roll", ROLL)
    request = pending_request(pending)
    again = keeper.opening(pending, bytes.fromhex(burned[0]["link"]), 1, request)
    others = [opening_of(pending, name) for name in ("alice", "bob")]
    reveal = keeper.event(pending.lines, "reveal", reveal_body(pending.view.replay, [again, *others]))
    assert at_fault([*pending.lines, reveal]) == ("opening.index", "host")


def test_an_open_repeat_has_a_name_in_it_and_is_counted(table: Table) -> None:
    voids = []
    for _ in range(3):
        table.act("alice", "roll", ROLL)
        table.hand_in("bob")
        voids.append(table.void().seq)
    report = report_on(table.lines)
    assert report.verdict == "holds"
    found = [finding for finding in report.findings if finding.code == "roll.voids"]
    assert [(finding.fault, finding.seq) for finding in found] == [(None, voids[0])]
    assert found[0].message == "alice voided 3 rolls."
    assert "3 rolls, 3 by alice (host and alice " in report.trust


def test_who_voids_is_not_the_keeper(pending: Table, keeper: Forger) -> None:
    void = keeper.event(pending.lines, "void", {"missing": ["bob"], "roll_index": 0})
    assert refused(pending, void) == "author.role"
    assert at_fault([*pending.lines, void]) == ("author.role", "host")


def test_of_the_players_the_closer_alone_voids(pending: Table, bob: Forger) -> None:
    waiting = pending.view.replay.pending
    assert waiting is not None
    assert waiting.closer == "alice", "who asked for the roll opens last of the players"
    void = bob.event(pending.lines, "void", {"missing": [], "roll_index": 0})
    assert refused(pending, void) == "state.void"
    assert at_fault([*pending.lines, void]) == ("state.void", "bob")
    pending.void("alice")


def test_the_closer_is_the_last_contributor_where_the_roller_is_none(make_table: MakeTable) -> None:
    roles = {"host": "keeper", "alice": "player", "bob": "player", "carol": "player", "dana": "judge"}
    table = make_table(roles=roles, contributors=("host", "alice", "bob")).begin()
    table.act("carol", "roll", ROLL)
    for name in ("carol", "alice"):
        void = Forger(table.identities[name]).event(table.lines, "void", {"missing": [], "roll_index": 0})
        assert refused(table, void) == "state.void"
    table.void("bob")


def test_the_closers_program_does_not_void_what_it_has_opened_for(pending: Table) -> None:
    pending.hand_in("bob", "alice")
    with pytest.raises(SeedError, match="the keeper may know the dice"):
        pending.seats["alice"].void(pending.view)
    pending.void("dana")


def test_the_closer_opens_for_all_others_openings_only(pending: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="when bob has opened"):
        pending.hand_in("alice")
    forged = Forger(pending.identities["host"]).opening(
        pending, bytes.fromhex(opening_of(pending, "bob")["link"]), 1, pending_request(pending)
    )
    monkeypatch.setattr(pending.ledger, "openings", lambda game: [Opening(**(forged | {"author": "bob"}))])
    with pytest.raises(RefusedError) as caught:
        pending.hand_in("alice")
    assert caught.value.code == "opening.signature"
    pending.ledger.append(pending.game, pending.seats["alice"].void(pending.view))


def test_the_keepers_program_reveals_for_all_openings_only(pending: Table) -> None:
    pending.hand_in("bob")
    with pytest.raises(UsageError, match="when alice has opened"):
        pending.seats["host"].reveal(pending.view, pending.ledger.openings(pending.game))


@pytest.mark.parametrize("missing", [["nobody"], ["dana"], ["bob", "alice"], ["bob", "bob"]])
def test_a_void_names_contributors_in_party_order(pending: Table, missing: list[str]) -> None:
    alice = Forger(pending.identities["alice"])
    wrong = alice.event(pending.lines, "void", {"missing": missing, "roll_index": 0})
    assert refused(pending, wrong) == "void.missing"
    assert at_fault([*pending.lines, wrong]) == ("void.missing", "alice")


@pytest.mark.parametrize("missing", [[], ["bob"], ["host", "alice", "bob"]])
def test_whom_a_void_names_is_its_authors_word_and_nobodys_fault(pending: Table, missing: list[str]) -> None:
    pending.hand_in("bob")
    # By no program of ours, which does not name the keeper.
    body = {"missing": missing, "roll_index": 0}
    pending.ledger.append(pending.game, Forger(pending.identities["dana"]).event(pending.lines, "void", body))
    pending.disclose()
    report = report_on(pending.lines)
    assert report.verdict == "holds"
    assert {finding.fault for finding in report.findings} == {None}
    (voids,) = (finding for finding in report.findings if finding.code == "roll.voids")
    assert ("by dana's word" in voids.message) == bool(missing)


def test_after_a_void_the_keeper_discloses_before_anything_else(pending: Table, keeper: Forger) -> None:
    alice = Forger(pending.identities["alice"])
    lines = [*pending.lines, alice.event(pending.lines, "void", {"missing": [], "roll_index": 0})]
    pending.ledger.append(pending.game, lines[-1])
    for forger, kind, body in (
        (alice, "roll", ROLL | {"dice": "20d20"}),
        (keeper, "close", {"openings": []}),
        (keeper, "commit", replacing(pending, "host", secrets.token_hex(32))),
        (alice, "void", {"missing": [], "roll_index": 0}),
    ):
        event = forger.event(lines, kind, body)
        assert refused(pending, event) == "state.voided"
        assert at_fault([*lines, event]) == ("state.voided", forger.name)
    report = report_on(lines)
    assert "log.undisclosed" in [finding.code for finding in report.findings]
    pending.disclose()
    again = keeper.event(pending.lines, "disclose", {"openings": [], "roll_index": 0})
    assert refused(pending, again) == "state.not-voided"


def test_a_voided_roll_is_asked_for_again_as_it_was(pending: Table) -> None:
    owed = {"source": "Delina, Wild Mage", "dice": "20d20", "use": "compare"}
    pending.void()
    assert pending.state["owes"] == {"alice": len(pending.lines) - 3}
    for other in (ROLL, owed | {"use": "compare."}, owed | {"dice": "19d20"}):
        event = pending.sign("alice", "roll", other)
        assert refused(pending, event) == "state.owed"
        notices = report_on([*pending.lines, event]).findings
        assert [(notice.code, notice.fault) for notice in notices if notice.seq == len(pending.lines)] == [
            ("log.offer", None)
        ]
    pending.roll("bob")
    pending.roll("alice", **owed)
    assert pending.state["owes"] == {}


def test_a_disclosure_has_right_openings_only(pending: Table, keeper: Forger) -> None:
    right = [opening_of(pending, name) for name in ("host", "alice", "bob")]
    pending.ledger.append(pending.game, pending.seats["dana"].void(pending.take("dana"), ()))
    request = pending_request(pending)
    wrong: list[tuple[str, list[dict[str, object]]]] = [
        ("opening.set", right[::-1]),
        ("opening.set", [right[1], right[1]]),
        ("opening.signature", [right[0], right[1] | {"sig": right[2]["sig"]}]),
        ("opening.index", [keeper.opening(pending, link_of(pending, "host", 2), 2, request)]),
        ("opening.link", [keeper.opening(pending, secrets.token_bytes(32), 1, request)]),
    ]
    for code, openings in wrong:
        event = keeper.event(pending.lines, "disclose", {"openings": openings, "roll_index": 0})
        assert refused(pending, event) == code
        assert at_fault([*pending.lines, event]) == (code, "host")
    event = keeper.event(pending.lines, "disclose", {"openings": right, "roll_index": 1})
    assert refused(pending, event) == "roll.index"


def test_an_opening_that_is_moved_to_another_request_is_not_its_authors(pending: Table, keeper: Forger) -> None:
    moved = Opening(**opening_of(pending, "bob"))
    pending.void()
    pending.act("bob", "roll", ROLL)
    with pytest.raises(RefusedError) as caught:
        pending.ledger.hand_in(pending.game, moved)
    assert caught.value.code == "opening.signature"
    openings = [opening_of(pending, "host"), opening_of(pending, "alice"), as_json(moved)]
    reveal = keeper.event(pending.lines, "reveal", reveal_body(pending.view.replay, openings))
    assert refused(pending, reveal) == "opening.signature"
    assert at_fault([*pending.lines, reveal]) == ("opening.signature", "host")


# --- the record ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A finished game of two rolls and a ruling; read only."""
    table = Table(tmp_path_factory.mktemp("game")).begin()
    roll = table.roll("alice")
    table.act("dana", "ruling", {"ruling": "uphold", "subject": roll, "text": "A fair roll."})
    table.roll("bob", dice="3d6")
    table.act("host", "close", {})
    assert report_on(table.lines).verdict == "holds"
    return table


SEQS = range(15)


def test_the_finished_game_has_an_event_for_every_test_below(game: Table) -> None:
    assert len(game.lines) == len(SEQS)


@pytest.mark.parametrize("seq", SEQS)
def test_a_dropped_event_is_found_where_it_stood(game: Table, seq: int) -> None:
    lines = game.lines
    del lines[seq]
    if seq == 0:
        assert report_on(lines).error is not None
        assert report_on(lines).verdict == "unreadable"
    elif seq == len(lines):
        # The last one: a shorter log that holds. Only its size and root, known from elsewhere, show it.
        assert report_on(lines).head != report_on(game.lines).head
    else:
        error = error_in(lines)
        assert (error.code, error.seq, error.fault) == ("chain.seq", seq, "file")


@pytest.mark.parametrize("seq", SEQS)
def test_a_doubled_event_is_found_where_it_stands_again(game: Table, seq: int) -> None:
    lines = game.lines
    lines.insert(seq, lines[seq])
    error = error_in(lines)
    assert (error.code, error.seq, error.fault) == ("chain.seq", seq + 1, "file")


@pytest.mark.parametrize("seq", SEQS[:-1])
def test_two_swapped_events_are_found_at_the_first(game: Table, seq: int) -> None:
    lines = game.lines
    lines[seq], lines[seq + 1] = lines[seq + 1], lines[seq]
    if seq == 0:
        assert report_on(lines).verdict == "unreadable"
    else:
        error = error_in(lines)
        assert (error.code, error.seq, error.fault) == ("chain.seq", seq, "file")


@pytest.mark.parametrize("seq", SEQS)
def test_an_event_that_the_keeper_edits_shows_the_keeper_if_it_signs_over_it(game: Table, seq: int) -> None:
    lines = game.lines
    keeper = Forger(game.identities["host"])
    event = json.loads(lines[seq])
    event["time"] = event["time"].replace("2026", "2025")
    own = event["author"] == "host"
    edited = keeper.sign(event)
    if not own:
        # The keeper cannot sign for the author: it leaves the author's signature as it is.
        event["sig"] = json.loads(lines[seq])["sig"]
        edited = json.dumps(event, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    forged = [*lines[:seq], edited]
    if seq == 0:
        # New terms make a new game: nothing that anybody else signed belongs to it.
        assert at_fault([edited, *lines[1:]])[0] == "chain.game"
        return
    forged.append(keeper.event(forged, "close", {}))
    assert at_fault(forged) == ("time.backwards" if own else "signature.invalid", "host")
    # Whoever edits without the keeper's key is nobody in particular.
    code, fault = at_fault([*lines[:seq], edited, *lines[seq + 1 :]])
    assert (code, fault) == (("time.backwards", "host") if own else ("signature.invalid", "file"))


def test_a_fork_shown_to_two_players_fits_neither_of_them(table: Table, tmp_path: Path) -> None:
    before = table.log
    copies = {}
    for shown in ("alice", "bob"):
        ledger = Ledger(tmp_path / f"{shown}.db", table.clock)
        ledger.importer.import_log(before, name="before")
        # Two histories that part at an event of the keeper's own.
        forger = Forger(table.identities["host"])
        history = [*ledger.lines(table.game)]
        ledger.append(table.game, forger.event(history, "commit", replacing(table, "host", secrets.token_hex(32))))
        copies[shown] = ledger
        view = ledger.view(table.game)
        ledger.append(table.game, table.seats[shown].sign(view, "roll", make_body("roll", ROLL)))
    logs = {shown: list(ledger.lines(table.game)) for shown, ledger in copies.items()}
    heads = {shown: report_on(lines).head for shown, lines in logs.items()}
    assert {report_on(lines).verdict for lines in logs.values()} == {"holds"}
    # Each holds by itself. Comparing size and root shows the fork,
    assert heads["alice"] is not None
    assert heads["bob"] is not None
    assert heads["alice"].size == heads["bob"].size
    assert heads["alice"].root != heads["bob"].root
    # what a player signed on one history does not fit the other,
    assert at_fault([*logs["alice"][:-1], logs["bob"][-1]]) == ("chain.prev", "file")
    # no store takes both,
    with pytest.raises(ForkError, match="forked"):
        copies["alice"].importer.import_log(joined(logs["bob"]), name="bob's")
    # and a player that saw one signs and opens nothing on the other.
    with pytest.raises(ForkError, match="forked"):
        table.seats["alice"].opening(copies["bob"].view(table.game))
    with pytest.raises(ForkError, match="forked"):
        table.seats["bob"].sign(copies["alice"].view(table.game), "roll", make_body("roll", ROLL))
    for ledger in copies.values():
        ledger.close()


def test_a_tail_cut_at_a_line_holds_as_a_shorter_log_and_only_its_head_tells(game: Table) -> None:
    whole = report_on(game.lines)
    cut = report_on(game.lines[:-2])
    assert (whole.verdict, cut.verdict) == ("holds", "holds")
    assert [finding.code for finding in whole.findings] == []
    assert "log.unfinished" in [finding.code for finding in cut.findings]
    assert whole.head is not None
    assert cut.head is not None
    assert (cut.head.size, whole.head.size - 2) == (whole.head.size - 2, cut.head.size)
    assert cut.head.root != whole.head.root


def test_a_tail_cut_within_a_line_is_found(game: Table) -> None:
    for missing in range(1, len(game.lines[-1]) + 1, 40):
        error = verify(game.log[:-missing])[0].error
        assert error is not None
        assert (error.code, error.seq, error.fault) == ("line.unterminated", len(game.lines) - 1, "file")


def test_a_party_that_saw_the_tail_does_not_sign_without_it(table: Table, tmp_path: Path) -> None:
    before = table.log
    table.roll("alice")
    table.seats["bob"].sign(table.take("bob"), "roll", make_body("roll", ROLL))
    ledger = Ledger(tmp_path / "cut.db", table.clock)
    ledger.importer.import_log(before, name="cut")
    for name in ("alice", "bob", "host"):
        with pytest.raises(BehindError, match="its end is missing"):
            table.seats[name].sign(ledger.view(table.game), "roll", make_body("roll", ROLL))
    ledger.close()


def test_the_log_of_one_game_does_not_pass_for_that_of_another(make_table: MakeTable) -> None:
    identities = {name: Identity.generate(name) for name in ("host", "alice", "bob", "dana")}
    first, second = (make_table(identities=identities).begin() for _ in range(2))
    for game in (first, second):
        game.roll("alice")
    assert first.game != second.game, "same terms, same parties, same keys"
    error = verify(second.log, pins=Pins(first.game))[0].error
    assert error is not None
    assert (error.code, error.seq, error.fault) == ("expect.game", 0, "file")
    # No event of one fits into the other, wherever it is put and whatever it says.
    for seq in range(1, len(first.lines)):
        spliced = [*first.lines[:seq], *second.lines[seq:]]
        assert at_fault(spliced) == ("chain.game", "file")
        assert error_in(spliced).seq == seq
    assert refused(first, second.sign("alice", "roll", ROLL)) == "chain.game"


def test_the_key_of_one_party_does_not_sign_for_another(table: Table, bob: Forger, keeper: Forger) -> None:
    posing = bob.event(table.lines, "roll", ROLL, author="alice")
    assert refused(table, posing) == "signature.invalid"
    # Nobody's key stands behind it, until the keeper signs over it.
    assert at_fault([*table.lines, posing]) == ("signature.invalid", "file")
    covered = [*table.lines, posing]
    covered.append(keeper.event(covered, "close", {}))
    assert at_fault(covered) == ("signature.invalid", "host")


def test_a_name_with_another_key_is_not_who_the_caller_knows(make_table: MakeTable, game: Table) -> None:
    impostors = make_table().begin()
    for name, key in game.keys.items():
        error = verify(impostors.log, pins=Pins(keys=(key,)))[0].error
        assert error is not None
        assert (error.code, error.seq, error.fault) == ("expect.key", 0, "file")
        assert name in error.message
    assert verify(game.log, pins=Pins(game.game, tuple(game.keys.values())))[0].verdict == "holds"


def test_an_opening_of_anothers_chain_is_not_signed_by_its_owner(pending: Table, bob: Forger, keeper: Forger) -> None:
    stolen = bob.opening(pending, bytes.fromhex(opening_of(pending, "alice")["link"]), 1, pending_request(pending))
    posing = stolen | {"author": "alice"}
    with pytest.raises(RefusedError) as caught:
        pending.ledger.hand_in(pending.game, Opening(**posing))
    assert caught.value.code == "opening.signature"
    body = reveal_body(pending.view.replay, [opening_of(pending, "host"), posing, opening_of(pending, "bob")])
    assert at_fault([*pending.lines, keeper.event(pending.lines, "reveal", body)]) == ("opening.signature", "host")


@pytest.mark.parametrize("label", [OPENING_LABEL, b"", b"rollproof/v2/event\n", b"rollproof/v1/event"])
def test_a_signature_by_the_right_key_over_another_label_is_worth_nothing(table: Table, label: bytes) -> None:
    alice = Forger(table.identities["alice"])
    right = json.loads(table.sign("alice", "roll", ROLL))
    mislabelled = alice.sign(right, label)
    assert refused(table, mislabelled) == "signature.invalid"
    assert at_fault([*table.lines, mislabelled]) == ("signature.invalid", "file")
    assert table.ledger.append(table.game, alice.sign(right)).seq == len(table.lines) - 1


@dataclass(frozen=True)
class Edition:
    system: str
    code: str
    verdict: str


@pytest.mark.parametrize("system", ["mtg-706-2024-11-08", "mtg-706", "MTG-706-2023-11-17"])
def test_a_log_of_an_edition_that_the_verifier_does_not_have_is_not_judged(game: Table, system: str) -> None:
    lines = game.lines
    opened = json.loads(lines[0])
    opened["body"]["system"] = system
    # Even signed anew by the keeper.
    report = report_on([Forger(game.identities["host"]).sign(opened), *lines[1:]])
    assert report.verdict == "unreadable"
    assert report.error is not None
    assert report.error.code == "file.system"


def test_an_edition_cannot_be_changed_or_mixed_in_the_middle(table: Table, keeper: Forger) -> None:
    opened = json.loads(table.lines[0])["body"]
    again = keeper.event(table.lines, "open", opened | {"system": SYSTEM})
    assert refused(table, again) == "open.terms"
    assert at_fault([*table.lines, again]) == ("open.terms", "host")


def test_an_event_before_the_one_before_it_is_refused_and_its_authors_fault(table: Table, keeper: Forger) -> None:
    alice = Forger(table.identities["alice"])
    early = alice.event(table.lines, "roll", ROLL, time="2026-11-20T18:59:59.999Z")
    assert refused(table, early) == "time.backwards"
    assert at_fault([*table.lines, early]) == ("time.backwards", "alice")
    # A keeper that takes it in is named as well.
    covered = [*table.lines, early]
    covered.append(keeper.event(covered, "close", {}))
    error = error_in(covered)
    assert (error.code, error.fault) == ("time.backwards", "alice")
    assert "host" in error.message


def test_an_event_far_ahead_of_the_keepers_clock_is_refused(table: Table) -> None:
    alice = Forger(table.identities["alice"])
    near, far = "2026-11-20T19:05:00.000Z", "2026-11-20T19:05:30.000Z"
    assert refused(table, alice.event(table.lines, "roll", ROLL, time=far)) == "time.ahead"
    table.ledger.append(table.game, alice.event(table.lines, "roll", ROLL, time=near))


def test_a_reveal_without_every_contributor_shows_no_dice(pending: Table, keeper: Forger) -> None:
    openings = [opening_of(pending, name) for name in ("host", "alice", "bob")]
    for some in (openings[:2], openings[:1], openings[1:], openings[::-1], [*openings, openings[2]]):
        body = {"roll_index": 0, "openings": some, "sides": [20] * 20, "naturals": [20] * 20}
        reveal = keeper.event(pending.lines, "reveal", body)
        assert refused(pending, reveal) == "opening.set"
        assert at_fault([*pending.lines, reveal]) == ("opening.set", "host")


def test_the_fault_of_a_forgery_needs_a_whole_line_of_the_keepers_over_it(table: Table, bob: Forger) -> None:
    # specs/verification.md, "Fault": the lines that count pass step 4 as well, so one that was cut says nothing.
    posing = bob.event(table.lines, "roll", ROLL, author="alice")
    covered = [*table.lines, posing]
    over = Forger(table.identities["host"]).event(covered, "close", {})
    report = verify(joined(covered) + over)[0]
    assert report.error is not None
    assert (report.error.code, report.error.fault) == ("signature.invalid", "file")


def test_a_second_open_with_malformed_options_fails_at_its_body_first(table: Table, keeper: Forger) -> None:
    opened = json.loads(table.lines[0])["body"]
    again = keeper.event(table.lines, "open", opened | {"options": {}})
    assert at_fault([*table.lines, again]) == ("body.malformed", "host")


def test_the_fault_of_a_forgery_needs_lines_of_a_right_length_over_it(table: Table, bob: Forger) -> None:
    lines = [*table.lines, bob.event(table.lines, "roll", ROLL, author="alice")]
    short = bob.event(lines, "roll", ROLL | {"source": ""})
    lines.append(bob.event(lines, "roll", ROLL | {"source": "x" * (MAX_LINE + 1 - len(short))}))
    assert len(lines[-1]) == MAX_LINE + 1
    lines.append(Forger(table.identities["host"]).event(lines, "close", {}))
    assert at_fault(lines) == ("signature.invalid", "file")


# --- single bits --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A log of eight lines, one of each kind that a game needs."""
    table = Table(tmp_path_factory.mktemp("small"), roles={"host": "keeper", "alice": "player"}).begin(2)
    table.roll("alice")
    table.act("host", "close", {})
    return table.log


def check_flips(log: bytes, bits: range) -> None:
    for bit in bits:
        at = bit // 8
        flipped = bytearray(log)
        flipped[at] ^= 1 << bit % 8
        report, _ = verify(bytes(flipped))
        error = report.error
        assert error is not None, f"bit {bit % 8} of byte {at} is missed"
        assert error.seq == log.count(b"\n", 0, at), f"bit {bit % 8} of byte {at}"
        assert report.valid_prefix == error.seq


@pytest.mark.long
def test_a_flipped_bit_is_found_in_its_line(small: bytes) -> None:
    assert len(list(read_lines(BytesIO(small)))) == 8
    check_flips(small, range(0, 8 * len(small), 61))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(16))
def test_every_flipped_bit_is_found_in_its_line(small: bytes, part: int) -> None:
    check_flips(small, range(part, 8 * len(small), 16))


def test_one_party_that_is_none_hides_no_other_ones_fault(table: Table) -> None:
    """A keeper that signs an event 0 with an odd entry among its parties is at fault, wherever the entry stands."""
    host, opened = table.identities["host"], json.loads(table.lines[0])
    for place in range(len(opened["body"]["parties"]) + 1):
        odds: tuple[object, ...] = ("x", None, 7, [], {}, {"key": 3})
        for odd in odds:
            parties = list(opened["body"]["parties"])
            parties.insert(place, odd)
            event = opened | {"body": opened["body"] | {"parties": parties}}
            del event["sig"]
            line = Forger(host).sign(event)
            error = verify(line + b"\n")[0].error
            assert error is not None
            assert (error.step, error.fault) == ((6, "file") if odd is None else (9, "host"))
