"""Logs of links and openings that are taken from another place (specs/protocol.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.make.cases import Cases
from tests.make.parts import DELINA, JUDGED, PARTIES, TWO, first_seed, request, resolve, table, whole_roll
from tests.oracles import reference as ref
from tests.oracles.reference import Writer, leaf

CASES = Cases()
log = CASES.log


@log("body.malformed--openings-of-65", "A reveal with more openings than MAX_PARTIES.", "host")
def _() -> Any:
    w = table("openings 65")
    request(w)
    openings = w.openings()
    w.naturals = [1]
    body = {"roll_index": 0, "openings": (openings * 22)[:65], "naturals": [1], "sides": [20]}
    return w, w.write("host", "reveal", body)


@log("opening.set--of-64", "A reveal with as many openings as a body can have, 61 too many.", "host")
def _() -> Any:
    w = table("openings 64")
    request(w)
    body = {"roll_index": 0, "openings": (w.openings() * 22)[:64], "naturals": [1], "sides": [20]}
    return w, w.write("host", "reveal", body)


@log("commit.tip-reused--identical", "alice commits the same chain again, to have its links back.", "alice")
def _() -> Any:
    w = table("identical")
    whole_roll(w)
    body = {"length": 5, "link": w.next_link("alice").hex(), "tip": w.chains["alice"][0].hex()}
    flawed = w.write("alice", "commit", body)
    w.used["alice"] = 0
    request(w)
    w.reveal()
    return w, flawed


@log("commit.tip-reused--own-earlier", "The keeper commits a tip of its own from two chains ago.", "host")
def _() -> Any:
    w = table("own earlier")
    tip = w.chains["host"][0].hex()
    w.commit("host")
    flawed = w.write("host", "commit", {"length": 3, "link": w.next_link("host").hex(), "tip": tip})
    return w, flawed


def bad_link(label: str, change: Callable[[Writer, dict[str, Any]], dict[str, Any]]) -> tuple[Writer, int]:
    """Bob's link 1 was opened in a roll, his link 2 burned; his commit's link should be number 3."""
    w = table(f"bad link {label}")
    whole_roll(w)
    request(w)
    w.call_off("alice", ["bob"])
    old = Writer(w.label, w.roles)
    old.chains["bob"] = w.chains["bob"]
    flawed = w.write("bob", "commit", change(old, w.commit_body("bob")))
    w.commit("host")
    return w, flawed


@log("commit.link--left-out", "A thief of bob's signing key replaces his chain, without a link of it.", "bob")
def _() -> Any:
    return bad_link("none", lambda w, body: {name: body[name] for name in ("length", "tip")})


@log("commit.link--opened-before", "A thief of bob's signing key gives the link that was opened last.", "bob")
def _() -> Any:
    return bad_link("opened", lambda w, body: {**body, "link": w.chains["bob"][1].hex()})


@log("commit.link--burned", "bob gives his burned link: others may have it, if he opened.", "bob")
def _() -> Any:
    return bad_link("burned", lambda w, body: {**body, "link": w.chains["bob"][2].hex()})


@log("commit.link--one-too-far", "bob gives link 4, where 3 is next.", "bob")
def _() -> Any:
    return bad_link("far", lambda w, body: {**body, "link": w.chains["bob"][4].hex()})


@log("commit.link--of-no-chain", "A link that leads nowhere.", "bob")
def _() -> Any:
    return bad_link("nowhere", lambda w, body: {**body, "link": ref.secret_of("wrong").hex()})


@log("commit.link--nothing-to-replace", "alice's first commit has a link.", "alice")
def _() -> Any:
    w = Writer("link of nothing", TWO)
    w.open()
    w.join("alice", "bob")
    return w, w.write("alice", "commit", {**w.commit_body("alice"), "link": w.chains["alice"][1].hex()})


@log(
    "commit.link--of-the-chain-before-the-last", "alice has replaced her chain, and gives its link once more.", "alice"
)
def _() -> Any:
    w = table("link twice")
    link = w.next_link("alice").hex()
    w.commit("alice")
    return w, w.write("alice", "commit", {**w.commit_body("alice"), "link": link})


def burned(label: str) -> Writer:
    """Bob's link 1 is burned and in nobody's hands."""
    w = table(f"burned {label}", JUDGED)
    request(w)
    w.call_off("dana", ["bob"])
    return w


@log(
    "burned.link--known-by-a-commit",
    "bob replaced his chain: his burned link is known, and the new chain has none.",
    "bob",
)
def _() -> Any:
    w = burned("replaced")
    link = w.burned("bob")
    w.commit("bob")
    return w, w.leave("bob", "bob", burned=link)


@log("roll.index--too-high", "The keeper counts one request too many, to get another seed.", "host")
def _() -> Any:
    w = table("index high")
    number = request(w)
    w.requests += 1
    flawed = w.reveal()
    resolve(w, number)
    return w, flawed


@log("roll.index--voids-not-counted", "The keeper does not count the voided request before.", "host")
def _() -> Any:
    w = table("index low")
    request(w)
    w.call_off("alice", ["bob"])
    request(w)
    w.requests -= 1
    flawed = w.reveal()
    return w, flawed


@log(
    "opening.signature--moved-to-another-request",
    "alice opened for a request that the keeper lost on purpose; it uses her opening for her next one.",
    "host",
)
def _() -> Any:
    w = table("moved")
    before = list(w.lines)
    request(w)
    moved = w.opening("alice")
    w.lines, w.requests = before, 0
    request(w, "alice", {**DELINA, "use": "Another use."})
    flawed = w.reveal(w.openings(alice=moved))
    return w, flawed


@log("opening.signature--event-label", "alice signs an opening under the label of events.", "host")
def _() -> Any:
    w = table("event label")
    request(w)
    flawed = w.reveal(w.openings(alice=w.opening("alice", label=ref.EVENT_LABEL)))
    return w, flawed


@log(
    "opening.index--all-reloaded",
    "Reload: everybody's data is set back after a roll, and the first links are opened again.",
    "host",
)
def _() -> Any:
    w = table("reload")
    whole_roll(w)
    for name in w.used:
        w.used[name] = 0
    request(w)
    flawed = w.reveal()
    return w, flawed


@log("opening.link--keeper", "The keeper, knowing the others' links, opens one that suits it.", "host")
def _() -> Any:
    def make(label: str) -> Writer:
        w = table("better link")
        request(w)
        w.reveal(w.openings(host=w.opening("host", link=ref.secret_of(label))))
        return w

    w = first_seed("better", lambda w: w.naturals == [20], make)
    return w, w.last


@log("opening.link--of-the-chain-before", "After a new commit alice opens a link of her old chain.", "alice")
def _() -> Any:
    w = table("old chain")
    old = w.chains["alice"]
    w.commit("alice")
    request(w)
    flawed = w.reveal(w.openings(alice=w.opening("alice", link=old[1])))
    return w, flawed


@log("opening.link--chain-of-another-game", "alice's chain was made for another game.", "alice")
def _() -> Any:
    w = Writer("other game's chain", TWO)
    w.open()
    w.join("alice", "bob")
    w.commit("host", "bob")
    w.chains["alice"] = ref.make_chain(ref.secret_of("other"), leaf(b"another game"), "alice", 3)
    w.used["alice"] = 0
    w.write("alice", "commit", {"length": 3, "tip": w.chains["alice"][0].hex()})
    request(w)
    flawed = w.reveal()
    return w, flawed


@log("opening.link--chain-of-another-name", "alice's chain was made with bob's name.", "alice")
def _() -> Any:
    w = Writer("other name's chain", TWO)
    w.open()
    w.join("alice", "bob")
    w.commit("host", "bob")
    w.chains["alice"] = ref.make_chain(ref.secret_of("other name"), w.game, "bob", 3)
    w.used["alice"] = 0
    w.write("alice", "commit", {"length": 3, "tip": w.chains["alice"][0].hex()})
    request(w)
    flawed = w.reveal()
    return w, flawed


@log("state.object--after-another-event", "alice writes a commit first: then it is not her next event.", "alice")
def _() -> Any:
    w = Writer("absence object late", dict(PARTIES["two, timer"]))
    w.open(system="dice-1", options={}, away="others", judge="timer")
    w.seat_all(200, system=ref.AnyDice)
    number = w.request("alice", "roll", {"dice": "d20"}, [20])
    w.void("timer", ["alice"])
    w.disclose(["alice"])
    body = {"opening": w.opening("alice", index=1), "request": number}
    w.commit("alice", length=20)
    return w, w.write("alice", "object", body)
