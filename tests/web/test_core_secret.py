"""A browser's core as the holder of secret rolls: nothing of them leaves before it shows them (specs/page.md)."""

import json
from typing import Any

import pytest

from tests.server.served import Server
from tests.web.browsers import Browsers, CoreError
from tests.web.tables import At
from verifier import verify
from verifier.shown_roll import check_shown, parse_shown

pytestmark = pytest.mark.long

TEXT = "the ghoul who listens"


def begun(browsers: Browsers, server: Server, **terms: Any) -> At:
    """A table of alice and of gil, the game master; a judge; the host only looks on."""
    at = At(browsers, server.address, players=("alice",), gm="gil", sealed="kept", links=64, **terms)
    for name in at.names:
        at.until(name, "s.game.holders.includes('gil')")
    return at


def asks(at: At, who: str, dice: str, sides: list[int], text: str = "", *, blind: bool = False) -> int:
    """A secret roll of gil's, or one that somebody asks for blind; the number of its request."""
    why = {} if not text else {"source": text} if blind else {"hidden": at("hide", who, text=text)}
    seq = at.sign(who, "roll", {"dice": dice, "sealed": "gil", "sides": sides, **why})
    for name in ("host", *at.names):
        at.until(name, f"s.game.rolls.some(r => r.seq === {seq} && r.ended === 'reveal')")
    return seq


def outcome(at: At, seq: int, who: str = "gil") -> dict[str, Any]:
    """What the holder's own screen has of a roll."""
    shown = at.until(who, f"s.game && s.game.secrets.some(each => each.request === {seq})")
    found: dict[str, Any] = next(each for each in shown["game"]["secrets"] if each["request"] == seq)
    return found


def log_of(at: At, who: str = "alice") -> list[dict[str, Any]]:
    return [json.loads(line) for line in at("save", who)["bytes"].splitlines()]


def test_the_holder_alone_sees_its_rolls_and_nothing_leaves_before_it_shows_them(
    server: Server, browsers: Browsers
) -> None:
    at = begun(browsers, server)
    own = asks(at, "gil", "2d6 + 3", [6, 6], TEXT)
    blind = asks(at, "alice", "d20 + 5", [20], "Stealth", blind=True)
    mine, hers = outcome(at, own), outcome(at, blind)
    assert (mine["text"], mine["sides"], hers["text"]) == (TEXT, [6, 6], None)
    assert all(1 <= natural <= 6 for natural in mine["naturals"])
    for name in ("alice", "dana", "host"):
        assert at.snapshot(name)["game"]["secrets"] == []
        for roll in at.snapshot(name)["game"]["rolls"]:
            assert (roll["naturals"], roll["holder"], roll["shown"], roll["fair"]) == (None, "gil", None, False)
    before = at("sent", "gil")
    at("show", "gil", request=own)
    for name in ("host", *at.names):
        shown = at.until(name, f"s.game.rolls.some(r => r.seq === {own} && r.shown !== null)")
        (roll,) = [each for each in shown["game"]["rolls"] if each["seq"] == own]
        assert (roll["naturals"], roll["sides"], roll["fair"]) == (mine["naturals"], [6, 6], True)
    event = next(event["body"] for event in log_of(at) if event["type"] == "show")
    assert (event["text"], event["naturals"]) == (TEXT, mine["naturals"])
    # Every byte that left gil's browser until then: neither what it was for, nor salt, secret or dice.
    sent = "\n".join(before)
    assert "/lines" in sent
    for kept in (TEXT, "ghoul", event["secret"], event["salt"], "naturals", '\\"secret', '\\"salt', '\\"text'):
        assert kept not in sent, kept
    at.close_and_verify()
    report, _ = verify(at("save", "alice")["bytes"].encode())
    assert "gil rolled 1 roll in secret and showed 1: gil alone chose which." in report.trust
    assert "alice asked for 1 roll blind, which gil alone saw; gil showed 0 and alone chose which." in report.trust


def test_a_show_that_the_keeper_does_not_take_holds_as_a_file(server: Server, browsers: Browsers) -> None:
    at = begun(browsers, server)
    own = asks(at, "gil", "d20", [20], TEXT)
    mine = outcome(at, own)
    at("gate", "gil", paths=["POST /v1/games/.*/lines"])
    file = at("showFile", "gil", request=own)
    lines = at("save", "alice")["bytes"].encode().splitlines()
    found = check_shown(lines, parse_shown(file["bytes"].encode()))
    assert (found.holder, found.request, found.text) == ("gil", own, TEXT)
    assert list(found.naturals or ()) == mine["naturals"]
    # After the close too.
    at("gate", "gil", paths=[])
    at.close_and_verify()
    assert at("showFile", "gil", request=own) == file


def test_a_secret_that_is_owed_is_shown_by_itself(server: Server, browsers: Browsers) -> None:
    """The judge calls alice's blind roll off; gil's page gives the secret, and the next one is taken."""
    at = begun(browsers, server)
    at("gate", "gil", paths=["POST /v1/games/.*/openings"])
    seq = at.sign("alice", "roll", {"dice": "d20", "sealed": "gil", "sides": [20]})
    at.until("dana", "s.game.phase === 'pending'")
    at("void", "dana", missing=["gil"])
    at.until("alice", f"s.game.rolls.some(r => r.seq === {seq} && r.shown !== null)")
    at("gate", "gil", paths=[])
    event = next(event for event in log_of(at) if event["type"] == "show")
    assert (event["author"], "naturals" in event["body"]) == ("gil", False)
    asks(at, "alice", "d20", [20], blind=True)


def test_the_holders_own_void_has_its_secret(server: Server, browsers: Browsers) -> None:
    at = begun(browsers, server)
    at("gate", "alice", paths=["POST /v1/games/.*/openings"])
    hidden = at("hide", "gil", text=TEXT)
    at.sign("gil", "roll", {"dice": "d20", "hidden": hidden, "sealed": "gil", "sides": [20]})
    at.until("gil", "s.game.waiting !== null && s.game.waiting.absent.includes('alice')")
    at("void", "gil", missing=["alice"])
    event = next(event for event in log_of(at, "gil") if event["type"] == "void")
    assert len(event["body"]["secret"]) == 64
    at("gate", "alice", paths=[])
    # What is owed is asked for again as it was, and its purpose is still known.
    at.until("gil", "s.game.phase === 'idle'")
    seq = at.sign("gil", "roll", {"dice": "d20", "hidden": hidden, "sealed": "gil", "sides": [20]})
    at.here("alice2", storage="alice", links=64)
    at("table", "alice2", link=at.link("player", "alice2"))
    assert outcome(at, seq)["text"] == TEXT


def test_a_purpose_that_this_browser_does_not_know_is_never_signed(server: Server, browsers: Browsers) -> None:
    at = begun(browsers, server)
    with pytest.raises(CoreError, match="could never be shown"):
        at.sign("gil", "roll", {"dice": "d20", "hidden": "ab" * 32, "sealed": "gil", "sides": [20]})
    with pytest.raises(CoreError, match="no text"):
        at("hide", "gil", text="left\u202eright")


def test_a_browser_that_was_put_back_shows_nothing_twice(server: Server, browsers: Browsers) -> None:
    """A backup from before the show: what it finds under its own name it did not make, so it stops for good."""
    at = begun(browsers, server)
    own = asks(at, "gil", "d20", [20])
    mine = outcome(at, own)
    at.browsers("clone", "", storage=f"{at.prefix} gil", to=f"{at.prefix} backup")
    at("show", "gil", request=own)
    at("close", "gil")
    at.here("back", storage="backup", links=64)
    at("table", "back", link=at.link("gm", "back"))
    at.until("back", "s.me.stopped !== null")
    with pytest.raises(CoreError):
        at("show", "back", request=own)
    shows = [event for event in log_of(at) if event["type"] == "show"]
    assert [event["body"]["naturals"] for event in shows] == [mine["naturals"]]


def test_a_backup_that_is_shown_an_old_log_says_the_same_and_no_more(server: Server, browsers: Browsers) -> None:
    """Where the server shows it nothing newer it shows its roll once more: the same line but for the time."""
    at = begun(browsers, server)
    own = asks(at, "gil", "d20", [20], TEXT)
    outcome(at, own)
    at.browsers("clone", "", storage=f"{at.prefix} gil", to=f"{at.prefix} backup")
    at.here("back", storage="backup", links=64)
    at("table", "back", link=at.link("gm", "back"))
    assert at("showFile", "back", request=own) == at("showFile", "gil", request=own)


def test_a_seat_that_moved_has_its_secrets_still(server: Server, browsers: Browsers) -> None:
    passphrase = "a long passphrase"
    at = begun(browsers, server, passphrases={"gil": passphrase})
    own = asks(at, "gil", "2d6", [6, 6], TEXT)
    mine = outcome(at, own)
    file = at("move", "gil")
    assert TEXT not in file
    at.here("phone", links=64)
    at("take", "phone", file=file, passphrase=passphrase)
    at("table", "phone", link=at.link("gm", "phone"))
    assert outcome(at, own, "phone") == mine
    at("show", "phone", request=own)
    shown = at.until("alice", f"s.game.rolls.some(r => r.seq === {own} && r.shown !== null)")
    assert shown["game"]["rolls"][0]["naturals"] == mine["naturals"]
    # A file in which somebody changed a seal's key or a purpose is no file of a seat.
    for change in (
        "memory.record.seals[0].secret = 'ab'.repeat(32)",
        "memory.record.seals[0].tag = 'ab'.repeat(32)",
        "Object.values(memory.record.hidden)[0].text = 'a door'",
        "memory.record.hidden = 1",
        "delete memory.record.seals",
    ):
        forged = at("forge", "gil", file=file, passphrase=passphrase, change=change)
        at.here("thief", storage=f"thief {change}", links=64)
        with pytest.raises(CoreError, match="no file of a seat"):
            at("take", "thief", file=forged, passphrase=passphrase)


def test_a_secret_roll_is_signed_anew_behind_anothers(server: Server, browsers: Browsers) -> None:
    """It hangs on nothing that another's roll changes; what it is for is known still."""
    at = begun(browsers, server)
    body = {"dice": "d20", "hidden": at("hide", "gil", text=TEXT), "sealed": "gil", "sides": [20]}
    prepared = at("prepare", "gil", type="roll", body=body)
    at.roll("alice")
    seq = at("signPrepared", "gil", prepared=prepared)["seq"]
    assert seq > prepared["event"]["seq"]
    assert outcome(at, seq)["text"] == TEXT


def test_two_tabs_seal_once_and_both_see(server: Server, browsers: Browsers) -> None:
    at = begun(browsers, server)
    at.here("gil2", storage="gil", links=64)
    at("table", "gil2", link=at.link("gm", "gil2"))
    own = asks(at, "gil", "d20", [20])
    assert outcome(at, own) == outcome(at, own, "gil2")
    assert sum(event["type"] == "seal" for event in log_of(at)) == 1


def test_secrets_stand_nowhere_unsealed(server: Server, browsers: Browsers) -> None:
    at = begun(browsers, server)
    own = asks(at, "gil", "d20", [20], TEXT)
    outcome(at, own)
    records = at("memory", "gil", storage=f"{at.prefix} gil")
    memory = json.dumps(records)
    nonce_key_and_tag = 2 * (12 + 32 + 16)
    # One that lost a race for its line is made anew, and both are kept.
    assert {len(seal["sealed"]) for record in records for seal in record["seals"]} == {nonce_key_and_tag}
    at("show", "gil", request=own)
    event = next(event["body"] for event in log_of(at, "gil") if event["type"] == "show")
    for kept in (TEXT, event["salt"], event["secret"]):
        assert kept not in memory
