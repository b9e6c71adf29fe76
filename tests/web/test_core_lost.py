"""A browser's core when a browser is lost: it asks, the others let it go on, it joins by itself (specs/page.md)."""

import json
from typing import Any

import pytest

from tests.server.served import Server
from tests.web.browsers import NODE, Browsers, CoreError
from tests.web.tables import At
from verifier import verify

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
    with pytest.raises(CoreError, match="has another key"):
        at.sign("old", "roll", {"dice": "d20"})
    at.until("old", "s.game.rolls.length === 4")
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
