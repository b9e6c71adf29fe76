"""A browser's core when somebody comes later: it asks, the host lets it in, the others consent (specs/page.md)."""

import json

import pytest

from tests.server.served import Server
from tests.web.browsers import Browsers
from tests.web.cheat import Cheat, Event
from tests.web.tables import At

pytestmark = pytest.mark.long


def begun(browsers: Browsers, server: Server) -> At:
    """A table of alice and bob, and of a host who only looks on, at which somebody may come later."""
    patient = {"patience": 30_000}  # however busy the machine is
    return At(browsers, server.address, judge="dana", admits=["player", "judge"], links=64, times=patient)


def asks(at: At, name: str, role: str = "player") -> str:
    """Somebody with a browser of their own asks to come in; the key."""
    at.here(name, links=64)
    at("table", name, link=at.link(role, name))
    at.until(name, "s.me.asks === 'may' && !s.me.seated")
    at("ask", name, name=name)
    at.until(name, "s.me.asks === 'asked'")
    shown = at.until("host", f"s.table.asking.some(each => each.name === '{name}' && each.role === '{role}')")
    key: str = next(each["key"] for each in shown["table"]["asking"] if each["name"] == name)
    return key


def test_a_late_friend_asks_is_let_in_and_is_in_the_next_roll(server: Server, browsers: Browsers) -> None:
    at = begun(browsers, server)
    key = asks(at, "carol")
    at.roll("alice")
    assert at.snapshot("bob")["table"]["asking"] == [], "the host alone is asked"
    at("letIn", "host", key=key)
    at.until("carol", "s.stage === 'playing' && s.me.joined && s.me.asks === null")
    at.until("host", "s.table.asking.length === 0")
    at.until("alice", "s.game.parties.some(p => p.name === 'carol' && p.links > 0 && p.here)")
    at.roll("carol", "3d6")
    at.roll("bob")
    shown = at.snapshot("carol")["game"]["rolls"]
    assert [roll["contributors"] for roll in shown] == [
        ["keeper", "alice", "bob"],
        ["keeper", "alice", "bob", "carol"],
        ["keeper", "alice", "bob", "carol"],
    ]
    # Everybody who plays consents, each by a word of their own; then carol is a party like the others.
    for name in ("alice", "bob"):
        (newcomer,) = at.until(name, "s.game.newcomers.length === 1")["game"]["newcomers"]
        assert (newcomer["name"], newcomer["mine"], newcomer["byHost"]) == ("carol", True, True)
        at.sign(name, "consent", {"admit": newcomer["admit"]})
    at.until("carol", "s.game.newcomers.length === 0")
    at.names.append("carol")
    at.close_and_verify()


def test_whom_the_host_turns_away_is_told_and_can_ask_with_another_key(server: Server, browsers: Browsers) -> None:
    at = begun(browsers, server)
    at("unseat", "host", key=asks(at, "eve"))
    at.until("eve", "s.me.asks === 'out'")
    at.until("host", "s.table.asking.length === 0")
    at("ask", "eve", name="eve2")
    at.until("eve", "s.me.asks === 'asked'")
    at.until("host", "s.table.asking.length === 1 && s.table.asking[0].name === 'eve2'")


def test_whom_the_host_turns_away_before_it_saw_its_own_seat_is_told(
    server: Server, browsers: Browsers, cheat: Cheat
) -> None:
    """The host may tap before the stream of whoever asks has begun: it shows the seat never."""

    def event(_: str, event: Event) -> list[Event]:
        name, _, data = event
        return [] if name == "table" and any("eve" in seat["key"] for seat in json.loads(data)["seats"]) else [event]

    cheat.event = event
    at = At(browsers, server.address, via={"eve": cheat.address}, judge="dana", admits=["player"], links=64)
    at("unseat", "host", key=asks(at, "eve"))
    at.until("eve", "s.me.asks === 'out'")


def test_a_browser_that_is_closed_and_opened_again_waits_on_and_joins(server: Server, browsers: Browsers) -> None:
    at = begun(browsers, server)
    key = asks(at, "carol")
    at.here("carol2", storage="carol", links=64)
    at("table", "carol2", link=at.link("player", "carol2"))
    at.until("carol2", "s.me.asks === 'asked'")
    at("letIn", "host", key=key)
    at.until("carol2", "s.me.joined")
    at.until("host", "s.game.parties.some(p => p.name === 'carol' && p.links > 0)")
    at.roll("alice")


def test_a_host_lets_in_while_a_roll_waits_when_it_is_over(server: Server, browsers: Browsers) -> None:
    at = begun(browsers, server)
    key = asks(at, "dave")
    at("gate", "bob", paths=["POST /v1/games/.*/openings"])
    at.begin("sign", "alice", type="roll", body={"dice": "d20"})
    at.until("host", "s.game.phase === 'pending'")
    letting = at.begin("letIn", "host", key=key)
    at("gate", "bob", paths=[])
    at.here("bob2", storage="bob", links=64)
    at("table", "bob2", link=at.link("player", "bob2"))
    letting.result(60)
    at.until("dave", "s.me.joined")
