"""The logs of secret rolls (specs/protocol.md, "Secret rolls"): each name says what must come out."""

from __future__ import annotations

from typing import Any

from tests.make.cases import Cases
from tests.make.parts import PARTIES
from tests.oracles import reference as ref
from tests.oracles.reference import Writer

CASES = Cases()
log = CASES.log


def table(label: str, contributors: Any = "all", seal: int = 0) -> Writer:
    """A game of any dice in which everybody has joined and committed, and gil has sealed so many tags."""
    w = Writer(f"secret {label}", dict(PARTIES["one, gil"]), contributors)
    w.open(system="dice-1", options={}, sealed="kept")
    w.seat_all(200, system=ref.AnyDice)
    if seal:
        w.seal("gil", seal)
    return w


def own(w: Writer, **members: Any) -> int:
    """Gil's own secret roll."""
    return w.roll_secret("gil", "gil", "d20", [20], **members)


@log("holds--128-unshown-rolls", "gil holds as many rolls that are not shown as it may.")
def _() -> Any:
    return full("full")


def full(label: str) -> Writer:
    w = table(label, ["host", "gil"], seal=64)
    for done in range(128):
        if done in (60, 110):
            w.seal("gil", 64)
        own(w)
    return w


@log("state.sealed--129-unshown", "gil holds 128 rolls that are not shown.", "gil")
def _() -> Any:
    w = full("one too many")
    return w, w.ask_secret("gil", "gil", "d20", [20])


@log("seal.secret--missing", "A thief of the signing key has not the secret of the last tag.", "gil")
def _() -> Any:
    w = table("no last secret", seal=6)
    body = w.seal_body("gil")
    del body["secret"]
    return w, w.write("gil", "seal", body)


@log(
    "reveal.naturals--of-a-secret-roll",
    "The keeper shows dice of a secret roll as if the links alone gave them.",
    "host",
)
def _() -> Any:
    w = table("told", seal=6)
    w.ask_secret("gil", "gil", "d20", [20])
    drawn = ref.naturals_of(w.seed(w.openings()), [20])
    return w, w.reveal(naturals=drawn, sides=[20])


@log("show.text--another", "gil says that the roll was for something else than it hid.", "gil")
def _() -> Any:
    w = table("wrong text", seal=6)
    number = own(w, hidden=w.hide("gil", "the left door"))
    return w, w.write("gil", "show", {**w.show_body(number, "the left door"), "text": "the right door"})
