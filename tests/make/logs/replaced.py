"""The logs of lost browsers (specs/protocol.md, "A lost browser"): each name says what must come out."""

from __future__ import annotations

from typing import Any

from tests.make.cases import Cases
from tests.make.parts import PARTIES, TWO
from tests.make.profiles import SMALL_ORDER, Person, succession
from tests.oracles.reference import Writer

CASES = Cases()
log = CASES.log


def numbered(name: str, number: int = 1) -> str:
    """The verifier key of a party, by the number of its key."""
    return Person(name, number).key


class Table(Writer):
    """A game of any dice in which everybody sits, and parties go on under new keys.

    `keys`: by name, the number of the key that signs for it; `recovery`: whether the joins name one, or which.
    """

    def __init__(self, label: str, roles: dict[str, str] | None = None, **opened: Any) -> None:
        super().__init__(f"replaced {label}", dict(roles or TWO), opened.pop("contributors", "all"))
        recovery = opened.pop("recovery", True)
        self.keys: dict[str, int] = {}
        self.open(**{"system": "dice-1", "options": {}, "away": "others", **opened})
        for name, role in self.roles.items():
            if role != "keeper":
                self.sit(name, recovery=role != "judge" and recovery)
        contributors = [name for name, role in self.roles.items() if role != "judge"]
        self.commit(*[name for name in contributors if self.terms in ("all", "roller") or name in self.terms])

    def signer(self, name: str) -> str:
        number = self.keys.get(name, 1)
        return name if number == 1 else f"{name} {number}"

    def event(self, author: str, type_: str, body: dict[str, Any], /, **how: Any) -> dict[str, Any]:
        return super().event(author, type_, body, **{"signer": self.signer(author), **how})

    def opening(self, name: str, **how: Any) -> dict[str, Any]:
        return super().opening(name, **{"signer": self.signer(name), **how})

    def sit(self, name: str, recovery: bool | str = True, **members: Any) -> int:
        """The join of the party's present key, with the recovery key of that key, or with another."""
        key = recovery if isinstance(recovery, str) else Person(name, self.keys.get(name, 1)).recovery
        return self.write(name, "join", {**({"recovery": key} if recovery else {}), **members})

    def commit_body(self, name: str, length: int = 20) -> dict[str, Any]:
        return super().commit_body(name, length)

    def commit(self, *names: str, length: int = 20, **how: Any) -> int:
        return super().commit(*names, length=length, **how)

    def roll(self, name: str = "alice") -> int:
        number = self.request(name, "roll", {"dice": "d20"}, [20])
        self.reveal()
        return number

    def sign_away(self, name: str = "bob", *others: str) -> int:
        """All others sign somebody away."""
        there = [each for each, role in self.roles.items() if role != "judge" and each not in (name, *self.gone)]
        *first, last = others or there
        for each in first:
            self.away(each, name, effect=False)
        return self.away(last, name)

    def succeed(self, name: str = "bob", number: int = 2, **members: Any) -> int:
        """The keeper's `replace` by the recovery key, from the present key; `members` replace those of its body."""
        old, new = Person(name, self.keys.get(name, 1)), Person(name, number)
        body = {"key": new.key, "succession": succession(old, new), **members}
        return self.write(self.keeper, "replace", body)

    def ask(self, name: str = "bob", number: int = 2) -> int:
        """The keeper's `replace` that waits for the others' consent."""
        return self.write(self.keeper, "replace", {"key": numbered(name, number)})

    def renewed(self, name: str = "bob", number: int = 2) -> None:
        """From here on the new key signs, and its chain is to be another."""
        self.keys[name] = number
        self.chains.pop(name, None)

    def returned(self, name: str = "bob", recovery: bool = True, **members: Any) -> None:
        """The new key joins, comes back and commits."""
        self.sit(name, recovery)
        self.back(name, name, **members)
        self.commit(name)

    def lost(self, name: str = "bob", number: int = 2) -> None:
        """The browser is lost, and the recovery key names a new key, which is yet to join."""
        self.sign_away(name)
        self.succeed(name, number)
        self.renewed(name, number)


@log("holds--replaced-holder-of-secret-rolls", "gil's new key seals anew; what the old one held is never shown.")
def _() -> Any:
    w = Table("secret", PARTIES["two, gil"], sealed="kept")
    w.seal("gil", 4)
    w.roll_secret("gil", "gil", "d20", [20])
    w.lost("gil")
    w.returned("gil")
    tags = w.seal_body("gil", 4)["tags"]
    w.taken["gil"] = []
    w.sealed["gil"] += 4
    w.taken["gil"] = [5, 6, 7]
    w.write("gil", "seal", {"tags": tags})
    number = w.roll_secret("gil", "gil", "d20", [20])
    w.show(number)
    w.close()
    return w


@log("holds--replaced-holder-seals-twice", "gil's new key gives the last secret of its own first seal.")
def _() -> Any:
    w = sealed_anew("seals twice")
    w.seal("gil", 4)
    w.show(w.roll_secret("gil", "gil", "d20", [20]))
    w.close()
    return w


def sealed_anew(label: str) -> Table:
    """Gil, who holds secret rolls, has gone on under a new key, and this has sealed."""
    w = Table(label, PARTIES["two, gil"], sealed="kept")
    w.seal("gil", 4)
    w.lost("gil")
    w.returned("gil")
    w.resealing.add("gil")
    w.taken["gil"] = []
    w.seal("gil", 4)
    return w


@log("replace.succession--by-a-key-of-small-order", "Anybody can sign for it.", "host")
def _() -> Any:
    w = Table("no succession by-a-key-of-small-order", recovery=SMALL_ORDER)
    w.sign_away()
    made = succession(Person("bob", 1), Person("bob", 2), recovery=SMALL_ORDER)
    return w, w.succeed(succession={**made, "sig": SMALL_ORDER + "00" * 32})


@log("state.not-agreed--replace-before-all-have-joined", "carol has not joined, and is asked nothing.", "host")
def _() -> Any:
    w = Table.__new__(Table)
    Writer.__init__(w, "replaced too early", dict(PARTIES["four"]))
    w.keys = {}
    w.open(system="dice-1", options={}, away="others")
    for name in ("alice", "bob", "erin"):
        w.sit(name)
    w.sign_away("bob", "host", "alice", "erin")
    return w, w.ask()


@log("burned.link--of-the-lost-chain", "bob's new key leaves with the burned link of the old chain.", "bob")
def _() -> Any:
    w = Table("old burned")
    w.request("alice", "roll", {"dice": "d20"}, [20])
    w.call_off("alice", ["bob"])
    burned = w.burned("bob")
    w.lost()
    w.sit("bob")
    return w, w.leave("bob", "bob", burned=burned)


@log("commit.link--of-the-lost-chain", "bob's new key gives the next link of the old chain.", "bob")
def _() -> Any:
    w = Table("lost link")
    link = w.next_link("bob").hex()
    w.lost()
    w.sit("bob")
    w.back("bob", "bob")
    return w, w.write("bob", "commit", {**w.commit_body("bob"), "link": link})


@log(
    "commit.link--left-out-at-the-second-commit-of-a-new-key", "The new key's own chain is replaced by its link.", "bob"
)
def _() -> Any:
    w = Table("second commit")
    w.lost()
    w.returned()
    w.chains.pop("bob")
    return w, w.commit("bob")


@log("seal.secret--left-out-at-the-second-seal-of-a-new-key", "gil's second seal gives no secret of his first.", "gil")
def _() -> Any:
    w = sealed_anew("second seal")
    w.resealing.add("gil")
    return w, w.seal("gil", 4)


@log(
    "state.object--by-a-new-key",
    "The keeper's judge called bob missing; his new key has no opening of that roll.",
    "bob",
)
def _() -> Any:
    w = Table("object", PARTIES["two, dana"], judge="dana")
    number = w.request("alice", "roll", {"dice": "d20"}, [20])
    w.void("dana", ["bob"])
    w.disclose(["bob"])
    opening = super(Table, w).opening("bob", index=w.used["bob"])
    w.lost()
    w.sit("bob")
    w.back("bob", "bob")
    return w, w.write("bob", "object", {"opening": opening, "request": number})
