"""Attacks on the protocol that worked once, each with the keys that its attacker has (specs/protocol.md).

Twelve were carried out against the official program before the rules that now stand against them. Each test was seen to
fail with an old rule (specs/security.md, "How the tests were seen to fail"):

| attack | what stands against it, or tells it, is shown in |
|---|---|
| 1 free retries of a keeper | here |
| 2 a request with a forged signature in the store | test_adversary_seats.py |
| 3 restored backups | test_adversary_seats.py |
| 4 framing by date | here: log, roster, keeper; test_adversary_seats.py: a seat; test_roster.py and test_compare.py |
| 5 the judge | here |
| 6 names for keys | test_adversary_witnesses.py; test_adversary_seats.py: a seat, and what the keeper has not taken |
| 7 junk in sidecars | test_adversary_witnesses.py |
| 8 a stolen signing key | here: it replaces no chain; test_adversary_seats.py: what bob's seat does |
| 9 two views under one policy | test_adversary_witnesses.py |
| 10 races | test_adversary_seats.py |
| 11 R of small order | here |
| 12 blame and texts | here; how texts are shown: test_text.py |
"""

import hashlib
import json
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ledger.errors import RefusedError, SeedError
from ledger.seats.identity import Identity
from ledger.store.ledger import Ledger
from tests.support import curve
from tests.support.table import (
    ROLL,
    Forger,
    Table,
    error_in,
    joined,
    link_of,
    opening_of,
    private_bytes,
    report_on,
    reveal_body,
)
from verifier import Finding, Pins, Report, verify
from verifier.dice.derivation import chain_step
from verifier.dice.voided import VoidedRoll
from verifier.log.format import EVENT_LABEL
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode
from verifier.log.roster import Entry, Roster
from verifier.replay import Replay

MakeTable = Callable[..., Table]


def refused(table: Table, line: bytes) -> str:
    """The code with which the ledger refuses a line."""
    with pytest.raises(RefusedError) as caught:
        table.ledger.append(table.game, line)
    return caught.value.code


def notices(report: Report) -> dict[str, Finding]:
    """By code; there is one of each in these logs."""
    return {finding.code: finding for finding in report.findings}


def holding(lines: list[bytes]) -> tuple[Report, Replay]:
    report, replay = verify(joined(lines))
    assert report.verdict == "holds"
    assert replay is not None
    return report, replay


def voided(table: Table) -> list[VoidedRoll]:
    return list(holding(table.lines)[1].voided)


# --- 1: free retries ------------------------------------------------------------------------------------------------


def preview(table: Table) -> list[int]:
    """What the pending roll shows, for those who have given each other their links; no seat opens for that."""
    replay, openings = table.view.replay, []
    assert replay.pending is not None
    for name in replay.pending.contributors:
        index = replay.chains[name].next
        link = link_of(table, name, index)
        openings.append(Forger(table.identities[name]).opening(table, link, index, replay.pending.request))
    naturals: list[int] = reveal_body(replay, openings)["naturals"]
    return naturals


def test_a_keeper_that_has_seen_the_dice_in_a_copy_cannot_call_them_off(pending: Table, tmp_path: Path) -> None:
    host = Forger(pending.identities["host"])
    pending.hand_in_all()
    copy = Ledger(tmp_path / "copy.db", pending.clock)
    copy.importer.import_log(pending.log, name="copy")
    body = reveal_body(pending.view.replay, [opening_of(pending, name) for name in ("host", "alice", "bob")])
    copy.append(pending.game, host.event(pending.lines, "reveal", body))
    copy.close()
    # It has seen the dice. Back in the original folder bob's opening is said not to have come.
    for missing in ([], ["bob"], ["alice", "bob"]):
        void = host.event(pending.lines, "void", {"missing": missing, "roll_index": 0})
        assert refused(pending, void) == "author.role"
        error = error_in([*pending.lines, void])
        assert (error.code, error.fault) == ("author.role", "host")
    # Nor does the one help who could have called it off: alice has opened, and her program does not do both.
    with pytest.raises(SeedError, match="the keeper may know the dice"):
        pending.seats["alice"].void(pending.view, ["bob"])
    # All that is left is to let the game stand still, or to close it: that is told, and of the keeper.
    report = report_on(pending.lines)
    assert notices(report)["log.pending"].fault is None
    close = host.event(pending.lines, "close", {"openings": [body["openings"][0]]})
    report, _ = holding([*pending.lines, close])
    assert "roll.left" in notices(report)
    assert "host, who could have known its dice, closed the game before the roll of alice had any" in report.trust


def test_a_closer_whom_a_judges_void_does_not_name_is_no_suspect(make_table: MakeTable) -> None:
    """A judge that asked the closer names it: where it does not, only keeper and judge can be in it."""
    for missing, told in (
        ((), "1 by dana (host and dana together could have known the dice first)"),
        (("bob",), "1 by dana (host and dana together could have known the dice first)"),
        (("alice",), "1 by dana (host with dana, or with alice, could have known the dice first)"),
    ):
        table = make_table().begin()
        table.act("alice", "roll", ROLL)
        table.void("dana", *missing)
        assert told in report_on(table.lines).trust


def test_with_the_closers_help_a_keeper_repeats_a_roll_and_both_are_named(make_table: MakeTable) -> None:
    """Host and alice have given each other their links, and bob has opened: they know the dice, alice voids."""
    table = make_table().begin(100)
    owed = ROLL | {"dice": "1d4"}
    shown: list[int] = []
    while len(set(shown)) < 2:  # another number than the first is what they want
        if shown:
            table.void("alice", "bob")
            report = report_on(table.lines)
            assert report.verdict == "holds"
            # Alice's link is the one that nobody else has: the roll counts as hidden by her.
            assert "without the link of alice" in notices(report)["roll.hidden"].message
            assert refused(table, table.sign("alice", "roll", ROLL | {"dice": "1d20"})) == "state.owed"
        table.act("alice", "roll", owed)
        table.hand_in("bob")
        shown += preview(table)
    table.hand_in("alice")
    table.reveal()
    times = len(shown) - 1
    report = report_on(table.lines)
    found = notices(report)
    assert found["roll.voids"].fault is None
    assert found["roll.voids"].message.startswith(f"alice voided {times} roll")
    assert "by alice's word: bob" in found["roll.voids"].message
    assert f"{times} by alice (host and alice " in report.trust
    # Her opening gave all links below it away: whoever holds the log sees what did not suit the two.
    assert "roll.hidden" not in found
    assert [roll.naturals for roll in voided(table)] == [(natural,) for natural in shown[:-1]]


def test_keeper_and_judge_repeat_a_roll_and_both_are_named(pending: Table) -> None:
    pending.hand_in_all()
    shown = preview(pending)
    pending.void("dana")
    report = report_on(pending.lines)
    assert "1 by dana (host and dana together could have known the dice first)" in report.trust
    assert "roll.hidden" not in notices(report)
    assert [list(roll.naturals) for roll in voided(pending)] == [shown]


def test_a_closer_that_opens_and_voids_is_at_fault(pending: Table) -> None:
    """Alice has opened, sees with the keeper what the dice show, and calls them off: her opening is in the log."""
    pending.hand_in_all()
    with pytest.raises(SeedError, match="the keeper may know the dice"):
        pending.seats["alice"].void(pending.view, [])
    void = Forger(pending.identities["alice"]).event(pending.lines, "void", {"missing": [], "roll_index": 0})
    seq = pending.ledger.append(pending.game, void).seq
    assert "void.opened" not in notices(report_on(pending.lines)), "nobody has shown her opening yet"
    pending.disclose()
    report = report_on(pending.lines)
    assert report.verdict == "holds", "the log is as it was signed"
    opened = notices(report)["void.opened"]
    assert (opened.severity, opened.step, opened.seq, opened.fault) == ("notice", 24, seq, "alice")
    assert "alice opened for 1 roll that alice voided" in report.trust
    assert all(finding.fault is None for finding in report.findings if finding.code != "void.opened")


def test_nobody_is_at_fault_for_a_void_of_somebody_elses(pending: Table) -> None:
    """Alice, the closer, opened and the judge voids; in the next roll bob opened and she voids: neither did both."""
    pending.hand_in_all()
    pending.void("dana")
    assert "void.opened" not in notices(report_on(pending.lines))
    alices = json.loads(pending.lines[-1])["body"]["openings"][1]
    assert alices["author"] == "alice"
    pending.act("alice", "roll", json.loads(pending.lines[-3])["body"])
    pending.hand_in("bob")
    void = pending.seats["alice"].void(pending.view, [])
    pending.ledger.append(pending.game, void)
    # The keeper has her opening for the roll before, and puts it in.
    own, bobs = opening_of(pending, "host"), opening_of(pending, "bob")
    body = {"openings": [own, alices, bobs], "roll_index": 1}
    disclose = Forger(pending.identities["host"]).event(pending.lines, "disclose", body)
    assert refused(pending, disclose) == "opening.signature"
    error = error_in([*pending.lines, disclose])
    assert (error.code, error.fault) == ("opening.signature", "host")
    pending.disclose()
    assert "void.opened" not in notices(report_on(pending.lines))


def test_a_keeper_cannot_keep_its_own_link_of_a_voided_roll_back(pending: Table) -> None:
    """It knew the dice, and a judge voided for it: without its link nobody else would ever learn what they were."""
    pending.hand_in_all()
    shown, host = preview(pending), Forger(pending.identities["host"])
    own, alices, bobs = (opening_of(pending, name) for name in ("host", "alice", "bob"))
    pending.ledger.append(pending.game, pending.seats["dana"].void(pending.view, ()))
    for openings in ([], [bobs], [alices, bobs]):
        disclose = host.event(pending.lines, "disclose", {"openings": openings, "roll_index": 0})
        assert refused(pending, disclose) == "opening.set"
        error = error_in([*pending.lines, disclose])
        assert (error.code, error.step, error.fault) == ("opening.set", 17, "host")
    # Nor can it give another link, or go past the disclose.
    body = {"openings": [own | {"link": secrets.token_hex(32)}], "roll_index": 0}
    assert refused(pending, host.event(pending.lines, "disclose", body)) == "opening.signature"
    for kind, past in {"close": {}, "commit": {"length": 2, "tip": secrets.token_hex(32)}}.items():
        assert refused(pending, host.event(pending.lines, kind, past)) == "state.voided"
    found = notices(report_on(pending.lines))
    assert found["log.undisclosed"].fault is None, "the game stands still, and says for whom"
    # With its own alone the others' links are their own affair: bob's next shows his.
    disclose = host.event(pending.lines, "disclose", {"openings": [own], "roll_index": 0})
    pending.ledger.append(pending.game, disclose)
    assert "host" not in notices(report_on(pending.lines))["roll.hidden"].message
    for name in ("alice", "bob"):
        commit = {"length": 2, "link": link_of(pending, name, 2).hex(), "tip": secrets.token_hex(32)}
        line = Forger(pending.identities[name]).event(pending.lines, "commit", commit)
        pending.ledger.append(pending.game, line)
    assert [list(roll.naturals) for roll in voided(pending)] == [shown]


def test_a_keeper_cannot_close_over_a_roll_without_its_own_link(pending: Table) -> None:
    pending.hand_in_all()
    shown, host = preview(pending), Forger(pending.identities["host"])
    own, alices, bobs = (opening_of(pending, name) for name in ("host", "alice", "bob"))
    for openings in ([], [alices, bobs]):
        close = host.event(pending.lines, "close", {"openings": openings})
        assert refused(pending, close) == "opening.set"
        error = error_in([*pending.lines, close])
        assert (error.code, error.fault) == ("opening.set", "host")
    assert refused(pending, host.event(pending.lines, "close", {})) == "state.close"
    pending.ledger.append(pending.game, host.event(pending.lines, "close", {"openings": [own, alices, bobs]}))
    assert [list(roll.naturals) for roll in voided(pending)] == [shown]
    assert "roll.hidden" not in notices(report_on(pending.lines))


def test_a_chain_that_is_replaced_gives_the_voided_dice_away(pending: Table) -> None:
    """Once alice renewed her chain, what her voids had hidden was hidden for ever."""
    shown, alice = preview(pending), Forger(pending.identities["alice"])
    pending.hand_in("bob")
    pending.void("alice")
    report, _ = holding(pending.lines)
    assert "without the link of alice" in notices(report)["roll.hidden"].message
    assert voided(pending)[0].naturals == ()
    commit = {"length": 2, "tip": secrets.token_hex(32)}
    assert refused(pending, alice.event(pending.lines, "commit", commit)) == "commit.link"
    burned = link_of(pending, "alice", 1).hex()
    assert refused(pending, alice.event(pending.lines, "commit", commit | {"link": burned})) == "commit.link"
    link = link_of(pending, "alice", 2).hex()
    pending.ledger.append(pending.game, alice.event(pending.lines, "commit", commit | {"link": link}))
    report, _ = holding(pending.lines)
    assert "roll.hidden" not in notices(report)
    assert list(voided(pending)[0].naturals) == shown


@pytest.mark.parametrize("gives", [True, False])
def test_who_leaves_gives_its_burned_link_or_is_said_to_hide_it(pending: Table, gives: bool) -> None:
    shown, alice = preview(pending), Forger(pending.identities["alice"])
    pending.hand_in("bob")
    pending.void("alice")
    body = {"party": "alice"} | ({"burned": link_of(pending, "alice", 1).hex()} if gives else {})
    pending.ledger.append(pending.game, alice.event(pending.lines, "leave", body))
    found = notices(report_on(pending.lines))
    assert ("roll.hidden" in found) == (not gives)
    assert [list(roll.naturals) for roll in voided(pending)] == [shown if gives else []]


# --- 4: framing by date ---------------------------------------------------------------------------------------------


def test_a_date_that_keeper_and_player_wrote_does_not_make_bobs_key_one_that_had_ended(
    table: Table, tmp_path: Path
) -> None:
    """Five weeks ahead bob's key has ended. He dates his event no earlier than the log is, as he must."""
    until, late = "2026-12-01T00:00:00.000Z", "2026-12-26T19:00:00.000Z"
    roster = Roster(
        "Open",
        1,
        "0" * 64,
        tuple(Entry(key, until=until) if name == "bob" else Entry(key) for name, key in table.keys.items()),
    )
    host, alice = Forger(table.identities["host"]), Forger(table.identities["alice"])
    tip, link = secrets.token_hex(32), link_of(table, "host", 1).hex()
    for lines in (
        [
            *table.lines,
            alice.event(table.lines, "declare", {"what": "permanent", "permanent": "a", "name": "A"}, time=late),
        ],
        [*table.lines, host.event(table.lines, "commit", {"length": 2, "link": link, "tip": tip}, time=late)],
    ):
        bobs = Forger(table.identities["bob"]).event(
            lines, "declare", {"what": "permanent", "permanent": "b", "name": "B"}
        )
        report = verify(joined([*lines, bobs]), pins=Pins(roster=roster))[0]
        assert report.verdict == "holds"
        ended = notices(report)["roster.ended"]
        assert (ended.severity, ended.fault, ended.seq) == ("notice", None, len(lines))
        assert "roster.revoked" not in notices(report)
        # A keeper's program takes no such date in the first place.
        assert refused(table, lines[-1]) == "time.ahead"
        # Whoever chose a date after its own key's end answers for it.
        own = Forger(table.identities["bob"]).event(
            table.lines, "declare", {"what": "permanent", "permanent": "b", "name": "B"}, time=late
        )
        revoked = verify(joined([*table.lines, own]), pins=Pins(roster=roster))[0].error
        assert revoked is not None
        assert (revoked.code, revoked.fault) == ("roster.revoked", "bob")


# --- 5: the judge ---------------------------------------------------------------------------------------------------


def test_a_result_that_a_judge_corrects_is_told(table: Table) -> None:
    roll = table.roll("alice")
    results = [{"die": 1, "result": 20}]
    ruling = {"ruling": "correct", "subject": roll, "text": "It was a 20.", "results": results}
    seq = table.act("dana", "ruling", ruling).seq
    table.act("dana", "ruling", ruling)
    report = report_on(table.lines)
    corrected = notices(report)["roll.corrected"]
    assert (corrected.fault, corrected.seq) == (None, seq)
    assert "dana" in corrected.message
    assert "(2×)" in corrected.message
    assert "The judge dana set results of dice (2×)." in report.trust
    table.act("dana", "ruling", {"ruling": "void", "subject": roll, "text": "It was none."})
    report = report_on(table.lines)
    assert "roll.struck" in notices(report)
    assert "The judge dana ruled rolls void (1×)." in report.trust


def test_who_is_taken_out_by_a_judge_is_told_and_whose_dice_came_after(table: Table) -> None:
    table.roll("alice")
    seq = table.act("dana", "leave", {"party": "bob"}).seq
    table.roll("alice")
    report = report_on(table.lines)
    removed = notices(report)["party.removed"]
    assert (removed.fault, removed.seq) == (None, seq)
    assert "dana took bob out of the game" in removed.message
    assert f"dana took bob out of the game (event {seq})." in report.trust
    assert "bob had no part in these dice: host and alice together could have chosen them." in report.trust


def test_who_is_signed_away_by_a_judge_is_told_and_whose_dice_came_meanwhile(table: Table) -> None:
    seq = table.act("dana", "away", {"party": "bob"}).seq
    table.roll("alice")
    table.act("dana", "back", {"party": "bob"})
    table.roll("alice")
    report = report_on(table.lines)
    away = notices(report)["party.away"]
    assert (away.fault, away.seq) == (None, seq)
    assert f"dana signed bob away (1×, first in event {seq})." in report.trust
    assert "bob had no part in these dice: host and alice together could have chosen them." in report.trust
    assert "Dice of 1 roll: nobody could choose or predict them unless ALL of host, alice and bob" in report.trust


def test_who_goes_by_itself_is_not_said_to_have_been_taken_out(table: Table) -> None:
    table.act("bob", "away", {"party": "bob"})
    table.act("bob", "leave", {"party": "bob"})
    found = notices(report_on(table.lines))
    assert not {"party.away", "party.removed"} & set(found)


def test_a_keeper_signs_nobody_away_alone(table: Table) -> None:
    host = Forger(table.identities["host"])
    assert refused(table, host.event(table.lines, "away", {"party": "bob"})) == "author.role"
    assert refused(table, host.event(table.lines, "leave", {"party": "bob"})) == "author.role"
    alice = Forger(table.identities["alice"])
    assert refused(table, alice.event(table.lines, "away", {"party": "bob"})) == "state.presence"


def test_where_others_may_call_all_of_them_must(make_table: MakeTable) -> None:
    table = make_table(away="others", roles={"host": "keeper", "alice": "player", "bob": "player", "carol": "player"})
    table.begin()
    for caller in ("host", "alice"):
        table.act(caller, "away", {"party": "bob"})
        assert table.state["away"] == []
    assert (
        refused(table, Forger(table.identities["alice"]).event(table.lines, "away", {"party": "bob"}))
        == "state.presence"
    )
    # Bob is here, and writes: the calls are forgotten.
    table.roll("bob")
    table.act("carol", "away", {"party": "bob"})
    assert table.state["away"] == []
    for caller in ("host", "alice"):
        table.act(caller, "away", {"party": "bob"})
    assert table.state["away"] == ["bob"]
    report = report_on(table.lines)
    assert "alice signed bob away" in report.trust


# --- 8: a stolen signing key ----------------------------------------------------------------------------------------


def test_a_thief_of_a_signing_key_replaces_no_chain(table: Table) -> None:
    """With bob's chain in the thief's hands, and host and alice on its side, the dice would be theirs to choose."""
    thief = Forger(table.identities["bob"])
    ground = secrets.token_bytes(32)
    body = {"length": 2, "tip": chain_step(ground, table.game, "bob", 1).hex()}
    assert refused(table, thief.event(table.lines, "commit", body)) == "commit.link"
    guess = body | {"link": secrets.token_hex(32)}
    assert refused(table, thief.event(table.lines, "commit", guess)) == "commit.link"
    table.roll("alice")
    opened = json.loads(table.lines[-2])["body"]["openings"][2]
    assert opened["author"] == "bob"
    again = body | {"link": opened["link"]}
    assert refused(table, thief.event(table.lines, "commit", again)) == "commit.link", "what was opened is known"
    error = error_in([*table.lines, thief.event(table.lines, "commit", again)])
    assert (error.code, error.step) == ("commit.link", 16)


# --- 11: R of small order -------------------------------------------------------------------------------------------


def small_r(identity: Identity, message: bytes) -> bytes:
    """A signature whose R is the neutral point: with the private key it needs no nonce, S = ka."""
    digest = bytearray(hashlib.sha512(private_bytes(identity)).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    r = curve.encode(curve.IDENTITY)
    k = curve.challenge(identity.key.public_bytes, r, message)
    return r + (k * int.from_bytes(digest, "little") % curve.L).to_bytes(32, "little")


def test_a_join_whose_signature_has_an_r_of_small_order_is_taken_by_nobody(make_table: MakeTable) -> None:
    """OpenSSL takes it, libsodium does not: a keeper that took it was blamed by who verifies with the other."""
    table = make_table()
    alice = table.identities["alice"]
    event = json.loads(Forger(alice).event(table.lines, "join", {}))
    del event["sig"]
    message = EVENT_LABEL + encode(event)
    signature = small_r(alice, message)
    Ed25519PublicKey.from_public_bytes(alice.key.public_bytes).verify(signature, message)  # as OpenSSL does
    assert curve.equation(alice.key.public_bytes, signature, message)
    line = encode(event | {"sig": signature.hex()})
    assert refused(table, line) == "signature.invalid"
    error = error_in([*table.lines, line])
    assert (error.code, error.step, error.fault) == ("signature.invalid", 12, "file")
    # A keeper that takes it all the same shows to every verifier, and not to some.
    covered = [*table.lines, line]
    covered.append(Forger(table.identities["host"]).event(covered, "close", {}))
    assert error_in(covered).fault == "host"


def test_an_opening_whose_signature_has_an_r_of_small_order_is_taken_by_nobody(pending: Table) -> None:
    from verifier.dice.derivation import opening_message
    from verifier.log.bodies import Opening

    bob = pending.identities["bob"]
    right = opening_of(pending, "bob")
    message = opening_message(pending.game, leaf_hash(pending.lines[-1]), "bob", 1, bytes.fromhex(right["link"]))
    with pytest.raises(RefusedError) as caught:
        pending.ledger.hand_in(pending.game, Opening(**(right | {"sig": small_r(bob, message).hex()})))
    assert caught.value.code == "opening.signature"


# --- 12: blame and texts --------------------------------------------------------------------------------------------


def test_a_log_that_was_cut_at_a_request_blames_nobody(pending: Table) -> None:
    """The keeper revealed; whoever cut the file wants it to look as if it had not."""
    cut = pending.lines
    pending.hand_in_all()
    pending.reveal()
    pending.act("alice", "resolve", {"roll": len(cut) - 1})
    found = notices(report_on(cut))
    assert {finding.fault for finding in found.values()} == {None}
    assert found["log.pending"].seq == len(cut) - 1
    for name in ("host", "alice", "bob"):
        assert name in found["log.pending"].message, "for whom it waits is told"
    # Cut at a void, it is the same.
    pending.act("bob", "roll", ROLL)
    pending.void("bob")
    found = notices(report_on(pending.lines[:-1]))
    assert {finding.fault for finding in found.values()} == {None}
    assert "log.undisclosed" in found


def test_a_name_with_two_keys_in_event_0_is_nobodys(table: Table) -> None:
    """The second entry called host has the thief's key: what the thief signs is not held against the first."""
    thief = Identity.generate("host")
    opened = json.loads(table.lines[0])
    parties = opened["body"]["parties"]
    entry = {"key": str(thief.key), "role": "keeper"}
    for doubled in ([*parties, entry], [entry, *parties], [*parties, entry | {"role": "player"}]):
        event = {**opened, "body": opened["body"] | {"parties": doubled}}
        for signer in (thief, table.identities["host"]):
            error = error_in([Forger(signer).sign(event)])
            assert (error.code, error.fault) == ("open.terms", "file")
    # Two entries of somebody else's name do not save the keeper that signed them.
    other = {"key": str(Identity.generate("bob").key), "role": "player"}
    event = {**opened, "body": opened["body"] | {"parties": [*parties, other]}}
    error = error_in([Forger(table.identities["host"]).sign(event)])
    assert (error.code, error.fault) == ("open.terms", "host")


UNSEEN = "\u061c\u200b\u200e\u200f\u2060\ufeff\u202a\u202e\u2066\u2069"
UNSEEN += "\xad\u034f\u115f\u2061\u206a\u3164\U000e0041\u200d\ufe0f"


@pytest.mark.parametrize("character", UNSEEN, ids=[f"U+{ord(character):04X}" for character in UNSEEN])
def test_text_that_changes_how_its_neighbours_are_shown_is_refused(table: Table, character: str) -> None:
    alice = Forger(table.identities["alice"])
    for member in ("source", "use"):
        line = alice.event(table.lines, "roll", ROLL | {member: f"hit: 10{character} / 15 : miss"})
        assert refused(table, line) == "body.malformed"
        closed = Forger(table.identities["host"]).event([*table.lines, line], "close", {})
        error = error_in([*table.lines, line, closed])
        assert (error.code, error.fault) == ("body.malformed", "alice"), "her join says that she knows the rules"


def test_joiners_that_scripts_need_stay(table: Table) -> None:
    for joiner in ("\u200c", "\u200d"):
        table.roll("alice", use=f"\u0646\u0645\u06cc{joiner}\u062e\u0648\u0627\u0647\u0645")
    assert report_on(table.lines).verdict == "holds"
