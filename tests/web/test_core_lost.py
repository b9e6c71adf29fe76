"""A browser's core when a browser is lost: it asks, the others let it go on, it joins by itself (specs/page.md)."""

import json
from typing import Any

import pytest

from ledger.seats.identity import Identity
from tests.server.served import Server
from tests.web.browsers import NODE, Browsers, CoreError
from tests.web.cheat import Cheat, Keeper
from tests.web.tables import At
from verifier import verify
from verifier.log.merkle import leaf_hash

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.usefixtures("all_leave"),
    pytest.mark.long,
]
PASSPHRASE = "seven songs in a row"
OTHERS: dict[str, Any] = {"judge": None, "away": "others", "links": 64}


def kept(at: At) -> str:
    """Bob keeps his profile safe before he joins; the file."""
    file: str = at("keepProfile", "bob", passphrase=PASSPHRASE)["bytes"]
    at.agree()
    return file


def asks(at: At, who: str, file: str | None = None) -> None:
    """A new browser opens the players' link and says that it was bob."""
    at.here(who, links=64)
    if file is not None:
        at("bringIn", who, file=file, passphrase=PASSPHRASE)
    at("table", who, link=at.link("player", who))
    at.until(who, "s.me.lost.some(each => each.name === 'bob') && !s.me.seated")
    at("askToGoOn", who, name="bob")
    at.until(who, "s.me.goesOn !== null")


def asked(at: At, who: str) -> dict[str, Any]:
    found: dict[str, Any] = at.until(who, "s.game.newKeys.length === 1")["game"]["newKeys"][0]
    return found


def report(at: At, who: str) -> Any:
    found, _ = verify(at("save", who)["bytes"].encode())
    assert found.verdict == "holds", found.findings
    return found


def test_a_recovery_key_brings_a_new_browser_to_a_table_of_two(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address, agree=False, **OTHERS)
    file = kept(at)
    at.roll("bob")
    at("close", "bob")
    asks(at, "new", file)
    assert at.snapshot("new")["me"]["goesOn"]["recovered"]
    key = asked(at, "alice")
    assert (key["name"], key["recovered"], key["asks"], key["waits"], key["mine"]) == ("bob", True, True, False, True)
    at("letGoOn", "alice", key=key["key"])  # calls bob away, whom the server does not hear
    at.until("new", "s.me.seated && s.game.parties.some(p => p.name === 'bob' && p.away)")
    at.sign("new", "back", {"party": "bob"})
    at.until("alice", "s.game.parties.every(p => p.links > 0 && !p.away) && s.game.newKeys.length === 0")
    at.roll("new")
    at.roll("alice")
    (renewed,) = at.snapshot("alice")["game"]["renewed"]
    assert (renewed["name"], renewed["by"]) == ("bob", [])
    assert any(each.code == "party.replaced" for each in report(at, "alice").findings)
    # The lost browser turns up: it is told, signs nothing, and stops for nothing that the new one did.
    at.here("old", storage="bob", links=64)
    at("table", "old", link=at.link("player", "old"))
    shown = at.until("old", "s.me.replaced")
    assert (shown["me"]["seated"], shown["me"]["stopped"], shown["trouble"]) == (False, None, None)
    assert shown["me"]["asks"] is None, "nobody is asked to let it in"
    at.roll("new")
    at.until("old", "s.game.rolls.length === 4 && s.game.phase === 'idle'")
    with pytest.raises(CoreError, match="has another key"):
        at.sign("old", "roll", {"dice": "d20"})
    assert at.snapshot("old")["me"]["stopped"] is None
    # A browser that is opened again is still bob.
    at.here("again", storage="new", links=64)
    at("table", "again", link=at.link("player", "again"))
    at.until("again", "s.me.seated && s.me.joined")


def test_all_others_let_a_new_browser_go_on(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address, players=("alice", "bob", "carol"), **OTHERS)
    at("close", "bob")
    asks(at, "new")
    key = asked(at, "alice")
    assert (key["recovered"], key["asks"], key["awaited"]) == (False, True, ["alice", "carol"])
    for name in ("alice", "carol"):
        at.until(name, "s.game.newKeys.length === 1")
        at("letGoOn", name, key=key["key"])  # the first tap: bob is away when all have called
    at.until("carol", "s.game.parties.some(p => p.name === 'bob' && p.away)")
    at("letGoOn", "carol", key=key["key"])
    shown = at.until("new", "s.me.goesOn?.waits")
    assert shown["me"]["goesOn"]["awaited"] == ["alice"]
    assert asked(at, "alice")["agreed"] == ["carol"]
    at("letGoOn", "alice", key=key["key"])
    at.until("new", "s.me.seated")
    at.sign("new", "back", {"party": "bob"})
    at.until("alice", "s.game.parties.every(p => p.links > 0 && !p.away)")
    at.roll("new")
    assert at.snapshot("carol")["game"]["renewed"][0]["by"] == ["alice", "carol"]
    report(at, "carol")


def test_the_old_browser_comes_back_before_the_new_one_may_join(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address, players=("alice", "bob", "carol"), **OTHERS)
    at("close", "bob")
    asks(at, "new")
    key = asked(at, "alice")["key"]
    for name in ("alice", "carol"):
        at.until(name, "s.game.newKeys.length === 1")
        at("letGoOn", name, key=key)
    at.until("carol", "s.game.parties.some(p => p.name === 'bob' && p.away)")
    at("letGoOn", "carol", key=key)
    at.until("new", "s.me.goesOn?.waits")
    assert at.snapshot("new")["warnings"] == [], "it signs nothing before it may"
    at.here("old", storage="bob", links=64)
    at("table", "old", link=at.link("player", "old"))
    shown = at.until("old", "s.game.newKeys.length === 1 && s.game.newKeys[0].own")
    assert shown["me"]["seated"]
    at.sign("old", "back", {"party": "bob"})
    at.until("alice", "s.game.newKeys.every(each => !each.waits)")
    at.until("new", "s.me.goesOn && !s.me.goesOn.waits && !s.me.goesOn.away")
    at.roll("old")
    with pytest.raises(CoreError):
        at("letGoOn", "new", key=key)
    report(at, "alice")


def test_a_new_key_that_nobody_with_a_link_asked_for_is_told_so(server: Server, browsers: Browsers) -> None:
    """A seat in the log alone: the server, or one of its friends, wrote it (the wish is alice's own program's)."""
    at = At(browsers, server.address, players=("alice", "bob", "carol"), **OTHERS)
    at("close", "bob")
    asks(at, "new")
    key = asked(at, "alice")["key"]
    for name in ("alice", "carol"):
        at.until(name, "s.game.newKeys.length === 1")
        at("letGoOn", name, key=key)
    at.until("carol", "s.game.parties.some(p => p.name === 'bob' && p.away)")
    at("letGoOn", "carol", key=key)
    at("unseat", "host", key=key)  # from here on no seat stands for it
    shown = at.until("alice", "s.game.newKeys.length === 1 && s.game.newKeys[0].waits && !s.game.newKeys[0].asks")
    assert json.dumps(shown["game"]["newKeys"][0]["agreed"]) == '["carol"]'


def test_a_thief_of_the_file_takes_the_place_of_who_is_away_and_all_pages_say_so(
    server: Server, browsers: Browsers
) -> None:
    """Bob's page is open all the time. While he is there nothing comes of it; then he goes for a cup of tea."""
    at = At(browsers, server.address, agree=False, **OTHERS)
    file = kept(at)
    asks(at, "thief", file)
    at.roll("bob")
    assert not at.snapshot("thief")["me"]["seated"], "bob is here"
    at.sign("bob", "away", {"party": "bob"})
    at.until("thief", "s.me.seated")
    at.sign("thief", "back", {"party": "bob"})
    shown = at.until("bob", "s.me.replaced")
    assert (shown["me"]["seated"], shown["me"]["stopped"], shown["trouble"]) == (False, None, None)
    for type_, body in (("back", {"party": "bob"}), ("roll", {"dice": "d20"})):
        with pytest.raises(CoreError):
            at.sign("bob", type_, body)
    for name in ("alice", "bob", "host"):
        (renewed,) = at.until(name, "s.game.renewed.length === 1")["game"]["renewed"]
        assert (renewed["name"], renewed["by"]) == ("bob", [])
    at.until("alice", "s.game.parties.every(p => p.links > 0 && !p.away)")
    at.roll("thief")
    assert "bob goes on under a new key, by bob's recovery key" in report(at, "alice").trust


@pytest.mark.parametrize("public", [False, True], ids=["by-the-others-word", "by-a-public-succession"])
def test_no_page_signs_anything_on_a_replace_that_nobody_wished(
    server: Server, browsers: Browsers, cheat: Cheat, keeper: Keeper, *, public: bool
) -> None:
    """The keeper names a friend, or the key to which bob went on at another table; all pages hear it of the server."""
    judged = {**OTHERS, "judge": "dana"}
    players = ("alice", "bob", "carol")
    via = dict.fromkeys((*players, "phone"), cheat.address)
    at = At(browsers, server.address, players=players, via=via, agree=False, **judged)
    file = kept(at)
    at.here("phone", links=64)
    if public:
        at("bringIn", "phone", file=file, passphrase=PASSPHRASE)
    at.sign("dana", "away", {"party": "bob"})
    for name in players:
        at.until(name, "s.game.parties.some(p => p.name === 'bob' && p.away) && s.game.checkpoint.size === s.game.size")
    lines = at("save", "alice")["bytes"].encode().splitlines()
    last = json.loads(lines[-1])
    body: dict[str, Any] = {"key": str(Identity.generate("bob").key)}
    if public:
        succession = json.loads(at("successions", "phone")["bytes"])
        body = {"key": succession["new"], "succession": succession}
    line = keeper.line(
        {
            "author": keeper.identity.name,
            "body": body,
            "game": last["game"],
            "prev": leaf_hash(lines[-1]).hex(),
            "seq": len(lines),
            "time": last["time"],
            "type": "replace",
        }
    )
    sent = {name: at("posts", name) for name in players}
    cheat.apart = True
    note = keeper.checkpoint(last["game"], [*lines, line])
    cheat.push(lambda _size: [("line", str(len(lines)), line), ("checkpoint", "", note)])
    for name in players:
        (key,) = at.until(name, "s.game.newKeys.length === 1 && s.game.checkpoint.size === s.game.size")["game"][
            "newKeys"
        ]
        assert (key["key"], key["name"], key["asks"], key["waits"]) == (body["key"], "bob", False, True), name
        assert (key["recovered"], key["agreed"], key["own"]) == (public, [], name == "bob")
        shown = at.snapshot(name)
        assert (shown["trouble"], shown["me"]["replaced"], shown["game"]["renewed"]) == (None, False, [])
    assert {name: at("posts", name) for name in players} == sent, "nothing is signed without their word"
    assert at("prepare", "bob", type="back", body={"party": "bob"}), "one word of bob's ends it"


def test_a_seat_with_a_key_of_its_own_names_no_recovery_key_and_no_file_brings_it_back(
    server: Server, browsers: Browsers
) -> None:
    """Alice sits with her profile's key, bob with one of this table's own: the file says nothing of that one."""
    before = At(browsers, server.address, start=False, **OTHERS)
    files = {name: kept_file(before, name) for name in ("alice", "bob")}
    at = At(browsers, server.address, players=(), start=False, **OTHERS)
    for name in ("alice", "bob"):
        at.browsers("here", f"{at.prefix} {name}", address=server.address, storage=f"{before.prefix} {name}", links=64)
        at("table", name, link=at.links["player"])
        at("sit", name, name=name, own=name == "bob")
    at.names = ["alice", "bob"]
    seats = at.until("host", "s.table && s.table.seats.length === 2")["table"]["seats"]
    at("start", "host", keys=[seat["key"] for seat in seats])
    at.agree()
    joins = {event["author"]: event["body"] for event in at("events", "host") if event["type"] == "join"}
    assert joins["alice"] == {"recovery": json.loads(files["alice"])["recovery"]}
    assert joins["bob"] == {}, "nobody can tell whose profile it is, and no file takes its place"
    asks(at, "new", files["bob"])
    assert not at.snapshot("new")["me"]["goesOn"]["recovered"]


def kept_file(at: At, who: str) -> str:
    file: str = at("keepProfile", who, passphrase=PASSPHRASE)["bytes"]
    return file


def test_a_new_key_of_who_holds_secret_rolls_seals_anew_and_shows_what_it_rolls(
    server: Server, browsers: Browsers
) -> None:
    """The secrets of the lost browser are lost, and what it rolled in secret is never shown."""
    at = At(browsers, server.address, players=("alice",), gm="gil", sealed="kept", agree=False, **OTHERS)
    file = kept_file(at, "gil")
    at.agree()
    for name in at.names:
        at.until(name, "s.game.holders.includes('gil')")
    lost = secret_roll(at, "gil")
    at.sign("gil", "away", {"party": "gil"})
    at("close", "gil")
    at.here("new", links=64)
    at("bringIn", "new", file=file, passphrase=PASSPHRASE)
    at("table", "new", link=at.link("gm", "new"))
    at.until("new", "s.me.lost.some(each => each.name === 'gil') && !s.me.seated")
    at("askToGoOn", "new", name="gil")
    at.until("new", "s.me.seated")
    at.sign("new", "back", {"party": "gil"})
    at.until("new", "s.game.parties.every(p => p.links > 0 && !p.away) && s.game.holders.includes('gil')")
    seals = [each["body"] for each in at("events", "new") if each["type"] == "seal"]
    assert ["secret" in body for body in seals] == [False, False], "it gives no secret of the lost browser's"
    number = secret_roll(at, "new")
    shown = at.until("new", f"s.game.secrets.some(each => each.request === {number})")["game"]["secrets"]
    assert [each["request"] for each in shown] == [number], "and not what the lost browser rolled"
    with pytest.raises(CoreError, match="is not in this browser"):
        at("show", "new", request=lost)
    at("show", "new", request=number)
    at.until("alice", f"s.game.rolls.some(r => r.seq === {number} && r.shown)")
    report(at, "alice")


def secret_roll(at: At, who: str) -> int:
    """A secret roll of gil's, by one browser of his; the number of its request."""
    seq = at.sign(who, "roll", {"dice": "d20", "sealed": "gil", "sides": [20]})
    at.until(who, f"s.game.rolls.some(r => r.seq === {seq} && r.ended === 'reveal')")
    return seq
