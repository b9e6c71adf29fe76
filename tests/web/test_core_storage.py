"""A browser that keeps nothing for a while: it says so, sends nothing that it must remember, and goes on (page.md)."""

import json
import time

import pytest

from tests.server.served import Server
from tests.web.browsers import NODE, Browsers, CoreError
from tests.web.tables import At

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.usefixtures("all_leave"),
    pytest.mark.long,
]

TOLD = "s.warnings.some(w => w.id === 'unstored' && w.message.text.startsWith('This browser could not save'))"
ALL = ["get", "all", "lines", "write", "putLines"]
WRITES = ["write", "putLines"]


def fail(at: At, who: str, *methods: str) -> None:
    at.browsers("fail", storage=f"{at.prefix} {who}", methods=list(methods))


@pytest.mark.parametrize("methods", [WRITES, ALL], ids=["writes", "everything"])
def test_an_opening_waits_until_it_is_remembered(server: Server, browsers: Browsers, methods: list[str]) -> None:
    at = At(browsers, server.address)
    at.roll("alice")
    before = len(at.openings("bob"))
    fail(at, "bob", *methods)
    seq = at.ask("alice")
    told = at.until("bob", TOLD)
    assert told["problem"] is None
    assert told["stage"] == "playing"
    time.sleep(1)  # it is tried again meanwhile
    assert len(at.openings("bob")) == before
    assert at("snapshot", "alice")["game"]["phase"] == "pending"
    fail(at, "bob")
    at.until("alice", f"s.game.rolls.some(r => r.seq === {seq} && r.ended === 'reveal')")
    at.until("bob", f"s.game.rolls.some(r => r.seq === {seq} && r.ended === 'reveal') && !({TOLD})")
    [*_, opening] = at.openings("bob")
    [memory] = at.browsers("memory", storage=f"{at.prefix} bob")
    assert opening in [chain["opening"] for chain in memory["chains"]] or json.loads(opening)
    at.roll("bob")
    at.close_and_verify()


def test_an_event_is_not_sent_before_it_is_remembered(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address)
    size = at.snapshot("alice")["game"]["size"]
    posts = at("posts", "alice")
    fail(at, "alice", *WRITES)
    with pytest.raises(CoreError) as refused:
        at.sign("alice", "roll", {"dice": "d20"})
    assert refused.value.name == "Unstored"
    assert "QuotaExceededError" in refused.value.message
    assert at("posts", "alice") == posts
    assert at.snapshot("bob")["game"]["size"] == size
    at.until("alice", TOLD)
    fail(at, "alice")
    at.until("alice", f"!({TOLD})")
    at.roll("alice")
    at.close_and_verify()


def test_lines_that_are_not_kept_hold_nothing_up(server: Server, browsers: Browsers) -> None:
    """They can be fetched again; the seat's own memory is another matter."""
    at = At(browsers, server.address)
    fail(at, "bob", "putLines")
    at.roll("alice")
    at.roll("bob")
    at.until("bob", TOLD)
    fail(at, "bob")
    at.until("bob", f"!({TOLD})")
    at("close", "bob")
    at.here("again", storage="bob")
    at("table", "again", link=at.links["player"])
    size = at.snapshot("alice")["game"]["size"]
    at.until("again", f"s.game && s.game.size === {size}")
    at.roll("alice")


@pytest.mark.parametrize("own", [False, True], ids=["the profile's key", "a key of its own"])
def test_a_seat_is_not_asked_for_before_its_key_is_kept(server: Server, browsers: Browsers, own: bool) -> None:
    at = At(browsers, server.address)
    at.here("carol")
    at("table", "carol", link=at.opened["links"]["player"])
    opened = at("open", "host", system="dice-1", options={}, title="", roles=["player"])
    at.here("dora")
    at("table", "dora", link=opened["links"]["player"])
    fail(at, "dora", *WRITES)
    with pytest.raises(CoreError) as refused:
        at("sit", "dora", name="dora", own=own)
    assert refused.value.name == "Unstored"
    time.sleep(0.5)  # what goes on by itself sends nothing either
    assert at("posts", "dora") == []
    assert at.snapshot("dora")["me"]["name"] == ""
    fail(at, "dora")
    at("sit", "dora", name="dora", own=own)
    assert len(at("posts", "dora")) == 1


def test_a_table_opens_when_storage_comes_back(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address)
    at.roll("alice")
    at("close", "bob")
    at.here("again", storage="bob")
    fail(at, "bob", *ALL)
    at("table", "again", link=at.links["player"])
    assert at.until("again", TOLD)["problem"] is None
    fail(at, "bob")
    told = at.until("again", f"s.stage === 'playing' && s.me.name === 'bob' && !({TOLD})")
    assert told["me"]["stopped"] is None
    at.roll("alice")


def test_no_file_of_a_seat_is_given_before_its_end_is_kept(server: Server, browsers: Browsers) -> None:
    """Asked twice too: what failed the first time is not taken for done."""
    at = At(browsers, server.address, passphrases={"bob": "seven songs in a row"})
    fail(at, "bob", *WRITES)
    for _ in range(2):
        with pytest.raises(CoreError) as refused:
            at("move", "bob")
        assert refused.value.name == "Unstored"
    fail(at, "bob")
    assert json.loads(at("move", "bob"))["name"] == "bob"
