"""The logs of called names (specs/log.md, "Called names"): each name says what must come out."""

from __future__ import annotations

from typing import Any

from tests.make.cases import Cases
from tests.oracles.reference import Writer

ROLES = {"host": "keeper", "alice": "player", "bob": "player"}
CASES = Cases()
log = CASES.log


def opened(label: str, called: dict[str, str], **members: Any) -> Writer:
    """A game of any dice whose parties are called so."""
    w = Writer(f"called {label}", dict(ROLES))
    w.open(system="dice-1", options={}, called=called, **members)
    return w


def played(label: str, called: dict[str, str], **members: Any) -> Writer:
    """The same, with a roll and to its end."""
    w = opened(label, called, **members)
    w.join("alice", "bob")
    w.commit("host", "alice", "bob", length=20)
    w.request("alice", "roll", {"dice": "d20"}, [20])
    w.reveal()
    return w


@log("holds--called-in-every-script", "alice, bob and the keeper are called in three scripts, one from right to left.")
def _() -> Any:
    w = played("scripts", {"host": "Ведущая", "alice": "アリス", "bob": "בוב"})
    w.close()
    return w


@log("holds--called-by-the-own-name", "alice is called alice: that is no other party's name.")
def _() -> Any:
    w = played("own name", {"alice": "alice"})
    w.close()
    return w


@log("holds--called-in-forty-characters", "bob's called name has forty characters, blanks among them.")
def _() -> Any:
    w = played("forty", {"bob": "Bob the " + "very " * 5 + "patient"})
    w.close()
    return w


@log("holds--called-alike-and-not-the-same", "Two called names look alike, and are not the same: a screen warns.")
def _() -> Any:
    w = played("alike", {"alice": "Anna", "bob": "Аnna"})
    w.close()
    return w


@log("holds--called-and-comes-later", "carol comes later, and is called in her script.")
def _() -> Any:
    w = played("later", {"alice": "アリス"}, admits=["player"])
    w.admit("carol", "player", called="カロル")
    w.join("carol")
    w.commit("carol", length=20)
    w.request("carol", "roll", {"dice": "d20"}, [20])
    w.reveal()
    w.close()
    return w


def _refused(name: str, about: str, called: dict[str, str]) -> None:
    @log(f"open.terms--{name}", about, "host")
    def _() -> Any:
        return opened(name, called), 0


_refused("called-like-another", "Two parties are called the same.", {"alice": "アリス", "bob": "アリス"})
_refused("called-by-anothers-name", "bob is called alice, which is the name of another's key.", {"bob": "alice"})


def _malformed(name: str, about: str, called: str) -> None:
    @log(f"body.malformed--called-{name}", about, "host")
    def _() -> Any:
        return opened(name, {"alice": called}), 0


_malformed("nothing", "A called name is not empty.", "")
_malformed("in-forty-one-characters", "A called name has at most 40 characters.", "x" * 41)
_malformed("with-a-blank-before", "A called name does not begin with a blank.", " Alice")
_malformed("with-a-blank-behind", "A called name does not end with a blank.", "Alice ")
_malformed("with-what-is-not-seen", "A called name is a text: nothing in it is unseen.", "Ali\u200bce")


def _not_admitted(name: str, about: str, who: str, called: str | None) -> None:
    @log(f"admit.party--{name}", about, "host")
    def _() -> Any:
        w = played(name, {"alice": "アリス", "bob": "robin"}, admits=["player"])
        return w, w.admit(who, "player", **({} if called is None else {"called": called}))


_not_admitted("called-like-another", "carol would be called like alice.", "carol", "アリス")
_not_admitted("called-by-anothers-name", "carol would be called bob.", "carol", "bob")
_not_admitted("name-that-another-is-called", "robin comes, and bob is called robin.", "robin", None)
