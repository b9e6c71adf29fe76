"""The logs of lost browsers (specs/protocol.md, "A lost browser"): each name says what must come out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.make.cases import Cases
from tests.make.profiles import SMALL_ORDER, Person, public, succession
from tests.oracles import reference as ref
from tests.oracles.reference import Writer

TWO = {"host": "keeper", "alice": "player", "bob": "player"}
THREE = {**TWO, "carol": "player"}
JUDGED = {**THREE, "dana": "judge"}
CASES = Cases()
log = CASES.log


def key_of(name: str, number: int = 1) -> str:
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
        return self.write(self.keeper, "replace", {"key": key_of(name, number)})

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


# --- logs that hold ---------------------------------------------------------------------------------------------------


@log("holds--replaced-by-the-recovery-key", "Two sit at the table; bob is signed away, replaced, and rolls again.")
def _() -> Any:
    w = Table("recovery")
    w.roll("bob")
    w.lost()
    w.roll()
    w.returned(accept="rolls")
    w.roll("bob")
    w.roll()
    w.close()
    return w


@log("holds--replaced-when-away-by-itself", "bob said that he is away, and has lost his browser since.")
def _() -> Any:
    w = Table("own away")
    w.away("bob", "bob")
    w.succeed()
    w.renewed()
    w.returned()
    w.roll("bob")
    w.close()
    return w


@log("holds--replaced-by-all-others", "alice and carol consent to bob's new key, which has no recovery key.")
def _() -> Any:
    w = Table("all others", THREE, recovery=False)
    w.sign_away()
    w.consent(w.ask(), "carol", "alice")
    w.renewed()
    w.roll()
    w.returned(recovery=False)
    w.roll("bob")
    w.close()
    return w


@log(
    "holds--replaced-without-one-who-has-not-joined",
    "All have consented to walt, whom the keeper admitted and who never came: bob's new key needs no word of his.",
)
def _() -> Any:
    w = Table("absent and settled", THREE, recovery=False, admits=["witness"])
    w.consent(w.admit("walt", "witness"), "alice", "bob", "carol")
    w.sign_away("bob", "host", "alice", "carol")
    w.consent(w.ask(), "alice", "carol")
    w.renewed()
    w.returned(recovery=False)
    w.roll("bob")
    w.close()
    return w


@log(
    "holds--replaced-and-leaves-owing",
    "What bob's old key asked for was called off. His new key owes it, and leaves: the notice `roll.owed`.",
)
def _() -> Any:
    w = Table("owing anew", THREE)
    w.request("bob", "roll", {"dice": "d20"}, [20])
    w.call_off("bob")
    w.lost()
    w.returned()
    w.leave("bob", "bob")
    w.roll()
    w.close()
    return w


@log("holds--replaced-when-a-judge-signed-away", "dana, a judge, signs bob away and consents to nothing.")
def _() -> Any:
    w = Table("judge away", JUDGED)
    w.away("dana", "bob")
    w.consent(w.ask(), "alice", "carol")
    w.renewed()
    w.returned()
    w.roll("bob")
    w.close()
    return w


@log("holds--replaced-twice", "bob's second key is lost too, and its own recovery key replaces it.")
def _() -> Any:
    w = Table("twice")
    w.lost()
    w.returned()
    w.roll("bob")
    w.lost("bob", 3)
    w.returned()
    w.roll("bob")
    w.close()
    return w


@log("holds--replaced-by-a-later-key", "The second key never joins; the recovery key of the first names a third.")
def _() -> Any:
    w = Table("twice unjoined")
    w.sign_away()
    w.succeed()
    w.succeed("bob", 3)
    w.renewed("bob", 3)
    w.returned()
    w.roll("bob")
    w.close()
    return w


@log(
    "holds--replaced-and-a-voided-roll-stays-hidden",
    "bob did not open for two rolls; the links of his new chain, with the same numbers, show nothing of them.",
)
def _() -> Any:
    w = Table("hidden")
    for _ in range(2):
        w.request("alice", "roll", {"dice": "d20"}, [20])
        w.call_off("alice", ["bob"])
    w.lost()
    w.returned()
    for _ in range(4):
        w.roll()
    w.close()
    return w


@log(
    "holds--replaced-after-the-burned-link-was-given",
    "bob is away with his burned link, so that the voided roll is known, and is replaced.",
)
def _() -> Any:
    w = Table("burned")
    w.request("alice", "roll", {"dice": "d20"}, [20])
    w.call_off("alice", ["bob"])
    w.away("bob", "bob", burned=w.burned("bob"))
    w.succeed()
    w.renewed()
    w.returned()
    w.roll()
    w.close()
    return w


@log("holds--replaced-and-still-owes", "bob's roll was called off; his new key asks for the same before anything else.")
def _() -> Any:
    w = Table("owes")
    w.request("bob", "roll", {"dice": "2d6"}, [6, 6])
    w.call_off("bob", ["alice"])
    w.lost()
    w.returned()
    w.request("bob", "roll", {"dice": "2d6"}, [6, 6])
    w.reveal()
    w.close()
    return w


@log("holds--replacement-ends-when-the-party-is-back", "bob was only slow: he is back, and his key goes on.")
def _() -> Any:
    w = Table("back", THREE)
    w.sign_away()
    w.consent(w.ask(), "alice")
    w.back("bob", "bob")
    w.roll("bob")
    w.close()
    return w


@log("holds--replacement-asked-anew", "bob came back once, and is lost later: the same key takes new consents.")
def _() -> Any:
    w = Table("anew", THREE)
    w.sign_away()
    w.consent(w.ask(), "alice")
    w.back("bob", "bob")
    w.sign_away()
    w.consent(w.ask(), "carol")
    w.roll()
    w.close()
    return w


@log("holds--a-later-replacement-takes-the-place-of-one-that-waits", "alice's consent was to the first of two keys.")
def _() -> Any:
    w = Table("two asked", THREE)
    w.sign_away()
    w.consent(w.ask(), "alice")
    w.consent(w.ask("bob", 3), "carol")
    w.roll()
    w.close()
    return w


@log("holds--replacement-while-another-is-away", "carol is away, is asked, and cannot answer: bob's new key waits.")
def _() -> Any:
    w = Table("carol away", {**THREE, "erin": "player"})
    w.sign_away()
    w.away("carol", "carol")
    w.consent(w.ask(), "alice", "erin")
    w.roll()
    w.close()
    return w


@log("holds--replacement-where-somebody-leaves", "carol leaves without a word: alice and erin are all who play.")
def _() -> Any:
    w = Table("carol left", {**THREE, "erin": "player"})
    w.sign_away()
    w.consent(w.ask(), "alice", "erin")
    w.leave("carol", "carol")
    w.roll()
    w.renewed()
    w.returned()
    w.roll("bob")
    w.close()
    return w


@log("holds--replacement-at-a-table-of-two-waits", "alice alone consents: it takes two, so bob's key goes on.")
def _() -> Any:
    w = Table("table of two")
    w.sign_away()
    w.consent(w.ask(), "alice")
    w.back("bob", "bob")
    w.roll("bob")
    w.close()
    return w


@log("holds--replacement-needs-no-newcomer", "walt came later and is asked nothing; a witness of event 0 is.")
def _() -> Any:
    w = Table("newcomer", {**TWO, "wendy": "witness"}, admits=["witness"])
    w.admit("walt", "witness")
    w.sit("walt")
    w.sign_away("bob", "host", "alice", "wendy")
    w.consent(w.ask(), "wendy", "alice")
    w.renewed()
    w.returned()
    w.roll("bob")
    w.close()
    return w


@log("holds--replaced-who-came-later", "walt came later, never committed, and is replaced: nobody waits for him.")
def _() -> Any:
    w = Table("late", admits=["witness"])
    w.admit("walt", "witness")
    w.sit("walt")
    w.away("walt", "walt")
    w.succeed("walt")
    w.renewed("walt")
    w.roll()
    w.sit("walt")
    w.back("walt", "walt")
    w.roll()
    w.commit("walt")
    w.roll()
    w.close()
    return w


@log("holds--replaced-is-asked-for-consent-still", "dana comes while bob is lost: his new key's consent is needed too.")
def _() -> Any:
    w = Table("consent", admits=["judge"])
    number = w.admit("dana", "judge")
    w.write("dana", "join", {})
    w.lost()
    w.consent(number, "alice")
    w.returned()
    w.consent(number, "bob")
    w.write("dana", "ruling", {"ruling": "uphold", "subject": w.roll(), "text": "As it was rolled."})
    w.close()
    return w


@log("holds--replaced-holder-of-secret-rolls", "gil's new key seals anew; what the old one held is never shown.")
def _() -> Any:
    w = Table("secret", {**TWO, "gil": "gm"}, sealed="kept")
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
    w = _sealed_anew("seals twice")
    w.seal("gil", 4)
    w.show(w.roll_secret("gil", "gil", "d20", [20]))
    w.close()
    return w


def _sealed_anew(label: str) -> Table:
    """Gil, who holds secret rolls, has gone on under a new key, and this has sealed."""
    w = Table(label, {**TWO, "gil": "gm"}, sealed="kept")
    w.seal("gil", 4)
    w.lost("gil")
    w.returned("gil")
    w.resealing.add("gil")
    w.taken["gil"] = []
    w.seal("gil", 4)
    return w


@log("holds--replaced-by-recovery-for-a-key-that-waits", "alice has consented; then the recovery key names this key.")
def _() -> Any:
    w = Table("same key", THREE)
    w.sign_away()
    w.consent(w.ask(), "alice")
    w.succeed()
    w.renewed()
    w.returned()
    w.roll("bob")
    w.close()
    return w


@log(
    "holds--replaced-by-all-others-and-goes",
    "bob's new key came by the others' word: one roll is without him; when he is away, and has left, none is.",
)
def _() -> Any:
    w = Table("others and goes", THREE)
    w.sign_away()
    w.consent(w.ask(), "alice", "carol")
    w.renewed()
    w.returned()
    w.roll()
    w.away("bob", "bob")
    w.roll()
    w.back("bob", "bob")
    w.leave("bob", "bob")
    w.roll()
    w.close()
    return w


@log("holds--replaced-with-rules", "bob's first key says that its program knows the rules; the second does not.")
def _() -> Any:
    w = Table("checks")
    w.lost()
    w.sit("bob", checks="rules")
    w.back("bob", "bob")
    w.commit("bob")
    w.roll("bob")
    w.close()
    return w


@log("holds--replaced-and-the-old-key-is-expected", "The caller knows bob by the key of event 0.")
def _() -> Any:
    w = Table("expected")
    w.lost()
    w.returned()
    w.close()
    return w, None, {"game": None, "keys": [key_of("bob")]}


@log(
    "holds--replaced-by-recovery-behind-others-word",
    "bob's second key came by all others' word, the third by the second's recovery key: it is by their word for good.",
)
def _() -> Any:
    w = Table("behind others", THREE)
    w.sign_away()
    w.consent(w.ask(), "alice", "carol")
    w.renewed()
    w.returned()
    w.roll()
    w.lost("bob", 3)
    w.returned()
    w.roll("carol")
    w.close()
    return w


@log("holds--replacement-that-the-old-key-ends", "bob was only slow, and is back before the new key joins.")
def _() -> Any:
    w = Table("old key ends")
    w.sign_away()
    w.succeed()
    w.back("bob", "bob")
    w.roll("bob")
    w.close()
    return w


@log("holds--replacement-and-the-old-key-leaves", "The old key leaves, with its burned link, before the new one joins.")
def _() -> Any:
    w = Table("old key leaves")
    w.request("alice", "roll", {"dice": "d20"}, [20])
    w.call_off("alice", ["bob"])
    w.sign_away()
    w.succeed()
    w.leave("bob", "bob", burned=w.burned("bob"))
    w.close()
    return w


@log("holds--replacement-ends-when-a-judge-calls-back", "A judge calls bob back: the old key goes on.")
def _() -> Any:
    w = Table("called back", JUDGED)
    w.sign_away()
    w.succeed()
    w.back("dana", "bob")
    w.roll("bob")
    w.close()
    return w


@log("holds--replaced-by-a-key-that-another-was-to-have", "A `replace` that ended gives its key free.")
def _() -> Any:
    w = Table("key set free", {**THREE, "erin": "player"})
    w.sign_away()
    w.ask()
    w.back("bob", "bob")
    w.sign_away("carol")
    w.write("host", "replace", {"key": _of("carol", "bob 2")})
    w.close()
    return w


@log("holds--replaced-who-leaves", "bob's new key joins and leaves.")
def _() -> Any:
    w = Table("leaves")
    w.lost()
    w.sit("bob")
    w.leave("bob", "bob")
    w.close()
    return w


# --- refused ----------------------------------------------------------------------------------------------------------


@log("expect.key--of-a-replaced-party", "The caller knows bob's second key alone: by it nobody came.", "file")
def _() -> Any:
    w = Table("expected new")
    w.lost()
    w.returned()
    return w, 0, {"game": None, "keys": [key_of("bob", 2)]}


@log("body.malformed--join-with-half-a-recovery-key", "A recovery key has 32 bytes.", "alice")
def _() -> Any:
    w = Writer("half a recovery key", dict(TWO))
    w.open(system="dice-1", options={})
    return w, w.write("alice", "join", {"recovery": "00" * 16})


def _malformed(name: str, about: str, **members: Any) -> None:
    @log(f"body.malformed--replace-{name}", about, "host")
    def _() -> Any:
        w = Table(f"malformed {name}")
        w.sign_away()
        return w, w.succeed(**members)


_good = succession(Person("bob", 1), Person("bob", 2))
_malformed("with-a-role", "A new key takes no role of its own.", role="player")
_malformed("to-a-key-that-is-a-number", "A verifier key is a string.", key=2)
_malformed(
    "with-a-succession-that-lacks-a-member", "A succession has eight members.", succession={"key": key_of("bob")}
)
_malformed(
    "on-a-day-that-is-none", "There is no 30 February.", succession={**_good, "time": "2026-02-30T19:00:00.000Z"}
)
_malformed("with-another-format", "The format is another.", succession={**_good, "format": "rollproof/succession/v2"})


@log("author.role--player-replaces", "The keeper alone writes it.", "alice")
def _() -> Any:
    w = Table("by a player")
    w.sign_away()
    return w, w.write("alice", "replace", {"key": key_of("bob", 2)})


@log("state.pending--replace-while-a-roll-waits", "A roll waits: nobody's key is replaced.", "host")
def _() -> Any:
    w = Table("pending")
    w.sign_away()
    w.request("alice", "roll", {"dice": "d20"}, [20])
    return w, w.succeed()


def _no_replacement(name: str, about: str, make: Callable[[Table], int]) -> None:
    @log(f"state.replace--{name}", about, "host")
    def _() -> Any:
        w = Table(f"no replacement {name}", JUDGED)
        return w, make(w)


def _left(w: Table) -> int:
    w.sign_away()
    w.leave("dana", "bob")
    return w.succeed()


def _own(w: Table) -> int:
    w.away("bob", "bob")
    return w.ask()


_no_replacement("of-who-is-here", "bob is not away: whoever can write is not lost.", lambda w: w.succeed())
_no_replacement("of-who-is-here-by-all-others", "The same, where the others would be asked.", lambda w: w.ask())
_no_replacement("of-nobody", "Nobody is called zoe.", lambda w: w.ask("zoe"))
_no_replacement("of-the-keeper", "A keeper is never away.", lambda w: w.succeed("host"))
_no_replacement("of-a-judge", "A judge is never away.", lambda w: w.succeed("dana"))
_no_replacement("of-who-has-left", "bob was signed away and taken out.", _left)
_no_replacement(
    "of-who-is-away-by-its-own-word", "The others are asked only where somebody else signed bob away.", _own
)


@log("state.replace--to-no-key", "The key's hash is another.", "host")
def _() -> Any:
    w = Table("no key")
    w.sign_away()
    return w, w.succeed(key=key_of("bob", 2).replace("+", "+0", 1))


def _key(name: str, about: str, make: Callable[[Table], int]) -> None:
    @log(f"replace.key--{name}", about, "host")
    def _() -> Any:
        w = Table(f"key {name}", {**THREE, "erin": "player"})
        return w, make(w)


def _of(name: str, other: str) -> str:
    """A verifier key with one party's name and another's public key."""
    return ref.verifier_key(name, ref.public_key(other))


def _same(w: Table) -> int:
    w.sign_away()
    return w.write("host", "replace", {"key": key_of("bob")})


def _alices(w: Table) -> int:
    w.sign_away()
    return w.write("host", "replace", {"key": _of("bob", "alice")})


def _former(w: Table) -> int:
    w.lost()
    w.sit("bob")
    return w.write("host", "replace", {"key": key_of("bob")})


def _formers(w: Table) -> int:
    w.lost()
    w.sit("bob")
    w.sign_away("carol")
    return w.write("host", "replace", {"key": _of("carol", "bob")})


def _asked(w: Table) -> int:
    w.sign_away()
    w.sign_away("carol", "host", "alice", "erin")
    w.ask()
    return w.write("host", "replace", {"key": _of("carol", "bob 2")})


_key("that-it-has", "bob's key is bob's already.", _same)
_key("of-another-party", "It is alice's public key.", _alices)
_key("that-it-had", "bob's first key was replaced, and comes back to nothing.", _former)
_key("that-another-had", "carol would go on under bob's first key.", _formers)
_key("that-another-is-to-have", "bob's new key waits for consent; carol cannot have it.", _asked)


@log("admit.party--key-that-a-party-had", "bert would come with bob's first public key.", "host")
def _() -> Any:
    w = Table("former key admitted", admits=["player"])
    w.lost()
    w.sit("bob")
    return w, w.write("host", "admit", {"key": _of("bert", "bob"), "role": "player"})


@log("admit.party--key-that-a-party-is-to-have", "bert would come with the key that bob waits for.", "host")
def _() -> Any:
    w = Table("asked key admitted", THREE, admits=["player"])
    w.sign_away()
    w.ask()
    return w, w.write("host", "admit", {"key": _of("bert", "bob 2"), "role": "player"})


def _no_succession(name: str, about: str, recovery: bool | str = True, /, **members: Any) -> None:
    @log(f"replace.succession--{name}", about, "host")
    def _() -> Any:
        w = Table(f"no succession {name}", recovery=recovery)
        w.sign_away()
        return w, w.succeed(**members)


BOB, BOB2, BOB3, THIEF = (Person("bob", number) for number in (1, 2, 3, 66))
_thieves = succession(BOB, BOB2, recovery=THIEF.recovery, sign={"sig": THIEF.recovery_words})
_no_succession("join-without-recovery-key", "bob's join names no recovery key.", False)
_no_succession("by-another-recovery-key", "A thief of bob's key names another recovery key.", succession=_thieves)
_no_succession("from-another-key", "It goes on from a key that bob never had here.", succession=succession(BOB3, BOB2))
_no_succession("to-another-key", "It goes to another key than the keeper says.", succession=succession(BOB, BOB3))
_other, _elsewhere = succession(BOB, BOB2, key=BOB3.key), succession(BOB, BOB2, new=BOB3.key)
_no_succession("of-another-key-by-this-one", "bob's present key signs it, from another.", succession=_other)
_no_succession("to-another-key-by-the-new-one", "The new key signs it, to another.", succession=_elsewhere)
for _whose, _person, _about in (
    ("the-party-s-own-key", BOB, "bob's join names his own key: whoever has it would replace it."),
    ("the-new-key", BOB2, "bob's join names the key that would come."),
):
    _named = public(*_person.words).hex()
    _by_itself = succession(BOB, BOB2, recovery=_named, sign={"sig": _person.words})
    _no_succession(f"by-{_whose}", _about, _named, succession=_by_itself)
_anybody = {**succession(BOB, BOB2, recovery=SMALL_ORDER), "sig": SMALL_ORDER + "00" * 32}
_no_succession("by-a-key-of-small-order", "Anybody can sign for it.", SMALL_ORDER, succession=_anybody)
for _who, _about in (
    ("named", "The old key did not name the recovery key."),
    ("sig", "The recovery key did not sign."),
    ("new_sig", "The new key did not sign."),
):
    _no_succession(
        f"{_who.replace('_', '-')}-does-not-hold",
        _about,
        succession=succession(BOB, BOB2, sign={_who: THIEF.words}),
    )


@log("replace.succession--from-the-key-before-the-last", "bob's first key, replaced, goes on as a third.", "host")
def _() -> Any:
    w = Table("before the last")
    w.lost()
    w.sit("bob")
    return w, w.succeed("bob", 3, succession=succession(BOB, BOB3))


@log(
    "replace.succession--from-a-key-that-has-not-joined",
    "The second key waits, and names none.",
    "host",
)
def _() -> Any:
    w = Table("not joined")
    w.lost()
    return w, w.succeed("bob", 3)


@log("replace.succession--by-the-recovery-key-of-the-key-before", "bob's second join names no recovery key.", "host")
def _() -> Any:
    w = Table("recovery key before")
    w.lost()
    w.sit("bob", recovery=False)
    before = succession(BOB2, BOB3, recovery=BOB.recovery, sign={"sig": BOB.recovery_words})
    return w, w.succeed("bob", 3, succession=before)


@log(
    "body.malformed--declare-of-a-new-key-without-rules", "bob's second join said `checks`, his third does not.", "host"
)
def _() -> Any:
    w = Table("new key without rules", {**TWO, "erin": "player"}, recovery=True)
    w.lost()
    w.sit("bob", checks="rules")
    w.back("bob", "bob")
    w.lost("bob", 3)
    w.returned()
    number = w.write("bob", "declare", {"call": "none"})
    w.close()
    return w, number


@log("state.not-agreed--replace-before-all-have-joined", "carol has not joined, and is asked nothing.", "host")
def _() -> Any:
    w = Table.__new__(Table)
    Writer.__init__(w, "replaced too early", {**THREE, "erin": "player"})
    w.keys = {}
    w.open(system="dice-1", options={}, away="others")
    for name in ("alice", "bob", "erin"):
        w.sit(name)
    w.sign_away("bob", "host", "alice", "erin")
    return w, w.ask()


def _consent(name: str, about: str, who: str, make: Callable[[Table], int]) -> None:
    @log(f"state.consent--{name}", about, who)
    def _() -> Any:
        w = Table(f"consent {name}", {**JUDGED, "erin": "player"}, admits=["witness"])
        w.sign_away()
        return w, make(w)


def _twice(w: Table) -> int:
    return w.consent(w.ask(), "alice", "alice")


def _by_newcomer(w: Table) -> int:
    number = w.ask()
    w.admit("walt", "witness")
    w.sit("walt")
    return w.consent(number, "walt")


def _when_back(w: Table) -> int:
    number = w.ask()
    w.consent(number, "alice")
    w.back("bob", "bob")
    w.sign_away()
    return w.consent(number, "carol")


def _when_called_back(w: Table) -> int:
    number = w.ask()
    w.back("dana", "bob")
    w.away("dana", "bob")
    return w.consent(number, "carol")


def _to_the_first(w: Table) -> int:
    number = w.ask()
    w.ask("bob", 3)
    return w.consent(number, "carol")


def _in_effect(w: Table) -> int:
    number = w.ask()
    w.consent(number, "alice", "carol", "erin")
    w.renewed()
    w.returned()
    return w.consent(number, "alice")


def _to_recovery(w: Table) -> int:
    return w.consent(w.succeed(), "alice")


_consent("to-a-new-key-twice", "alice consents twice.", "alice", _twice)
_consent("to-a-new-key-by-a-newcomer", "walt came later, and is not asked.", "walt", _by_newcomer)
_consent("to-a-new-key-when-the-party-was-back", "bob was back meanwhile: that has ended it.", "carol", _when_back)
_consent("to-a-new-key-when-called-back", "A judge called bob back, and away again.", "carol", _when_called_back)
_consent("to-a-new-key-when-another-was-asked-for", "Another key is asked for since.", "carol", _to_the_first)
_consent("to-a-new-key-that-has-its-place", "All have consented, and bob's new key is there.", "alice", _in_effect)
_consent("to-a-recovery-key", "The recovery key asks nobody.", "alice", _to_recovery)


@log("author.role--judge-consents-to-a-new-key", "A judge's word counts for nothing.", "dana")
def _() -> Any:
    w = Table("judge consents", JUDGED)
    w.sign_away()
    return w, w.consent(w.ask(), "dana")


@log(
    "signature.invalid--old-key-when-replaced", "bob's first key says that it is back, behind its replacement.", "file"
)
def _() -> Any:
    w = Table("old key")
    w.lost()
    w.sit("bob")
    return w, w.back("bob", "bob", how={"signer": "bob"})


def _joins_early(name: str, about: str, make: Callable[[Table], object]) -> None:
    @log(f"state.consent--new-key-joins-{name}", about, "bob")
    def _() -> Any:
        w = Table(f"joins {name}", {**JUDGED, "erin": "player"}, admits=["witness"])
        w.sign_away()
        make(w)
        w.renewed()
        return w, w.sit("bob")


def _one_missing(w: Table) -> None:
    w.consent(w.ask(), "alice", "carol")


def _one_away(w: Table) -> None:
    w.away("erin", "erin")
    w.consent(w.ask(), "alice", "carol")


def _who_left(w: Table) -> None:
    w.consent(w.ask(), "alice", "carol")
    w.leave("erin", "erin")
    w.leave("carol", "carol")


def _settled(w: Table) -> None:
    number = w.admit("walt", "witness")
    w.sit("walt")
    w.consent(w.ask(), "alice", "carol", "erin")
    w.consent(number, "alice", "carol", "erin")
    w.write("dana", "back", {"party": "bob"})
    w.write("bob", "consent", {"admit": number})
    w.sign_away("bob", "dana")
    w.consent(w.ask(), "alice", "carol", "erin")


def _joined_since(w: Table) -> None:
    number = w.admit("walt", "witness")
    w.consent(number, "alice", "carol", "erin")
    w.write("dana", "back", {"party": "bob"})
    w.write("bob", "consent", {"admit": number})
    w.sign_away("bob", "dana")
    w.sit("walt")
    w.consent(w.ask(), "alice", "carol", "erin")


_joins_early("with-no-consent", "Nobody has consented.", lambda w: w.ask())
_joins_early("with-one-missing", "erin has not consented.", _one_missing)
_joins_early("with-one-away", "erin is away, and cannot answer.", _one_away)
_joins_early("with-one-who-left", "carol has left: of two who consented one counts.", _who_left)
_joins_early("with-a-newcomer-who-is-none-any-more", "All have consented to walt since: he is asked, too.", _settled)
_joins_early(
    "with-one-who-joined-since", "All had consented to walt, and he has joined since: he is asked.", _joined_since
)


@log("signature.invalid--old-key-joins", "A `replace` waits: a join is the new key's.", "file")
def _() -> Any:
    w = Table("old key joins")
    w.sign_away()
    w.succeed()
    return w, w.sit("bob")


@log("signature.invalid--new-key-is-back-before-it-joins", "Until its join everything else is the old key's.", "file")
def _() -> Any:
    w = Table("back first")
    w.lost()
    return w, w.back("bob", "bob")


@log("state.joined-twice--when-the-replacement-has-ended", "bob is back: his key has joined.", "bob")
def _() -> Any:
    w = Table("ended and joins")
    w.sign_away()
    w.succeed()
    w.back("bob", "bob")
    return w, w.sit("bob")


@log("state.presence--key-by-others-word-accepts", "What was rolled without bob nobody accepts for him.", "bob")
def _() -> Any:
    w = Table("accepts", THREE)
    w.sign_away()
    w.roll()
    w.consent(w.ask(), "alice", "carol")
    w.renewed()
    w.sit("bob")
    return w, w.back("bob", "bob", accept="rolls")


@log("state.presence--key-behind-others-word-accepts", "A later key accepts nothing either.", "bob")
def _() -> Any:
    w = Table("accepts later", THREE)
    w.sign_away()
    w.roll()
    w.consent(w.ask(), "alice", "carol")
    w.renewed()
    w.returned()
    w.lost("bob", 3)
    w.sit("bob")
    return w, w.back("bob", "bob", accept="rolls")


@log("burned.link--of-the-lost-chain", "bob's new key leaves with the burned link of the old chain.", "bob")
def _() -> Any:
    w = Table("old burned")
    w.request("alice", "roll", {"dice": "d20"}, [20])
    w.call_off("alice", ["bob"])
    burned = w.burned("bob")
    w.lost()
    w.sit("bob")
    return w, w.leave("bob", "bob", burned=burned)


@log("opening.signature--of-the-key-before", "The keeper reveals an opening that bob's first key signed.", "host")
def _() -> Any:
    w = Table("old opening")
    w.lost()
    w.returned()
    w.request("alice", "roll", {"dice": "d20"}, [20])
    return w, w.reveal(w.openings(bob=w.opening("bob", signer="bob")))


@log("state.joined-twice--new-key", "A new key joins once.", "bob")
def _() -> Any:
    w = Table("new key twice")
    w.lost()
    w.sit("bob")
    return w, w.sit("bob")


@log("state.away--new-key-commits-before-it-is-back", "It has joined, and is still away.", "bob")
def _() -> Any:
    w = Table("commit away")
    w.lost()
    w.sit("bob")
    return w, w.commit("bob")


@log("signature.invalid--new-key-of-who-was-taken-out", "A judge took bob out: nothing waits any more.", "file")
def _() -> Any:
    w = Table("taken out", JUDGED)
    w.lost()
    w.leave("dana", "bob")
    return w, w.sit("bob")


@log("state.not-committed--new-key-before-its-commit", "The old chain has no link for a roll any more.", "alice")
def _() -> Any:
    w = Table("not committed")
    w.lost()
    w.sit("bob")
    w.back("bob", "bob")
    return w, w.request("alice", "roll", {"dice": "d20"}, [20])


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


@log("seal.secret--of-the-key-before", "gil's new key gives the secret that his first one kept.", "gil")
def _() -> Any:
    w = Table("old secret", {**TWO, "gil": "gm"}, sealed="kept")
    w.seal("gil", 4)
    w.lost("gil")
    w.returned("gil")
    return w, w.seal("gil", 4)


@log("seal.secret--left-out-at-the-second-seal-of-a-new-key", "gil's second seal gives no secret of his first.", "gil")
def _() -> Any:
    w = _sealed_anew("second seal")
    w.resealing.add("gil")
    return w, w.seal("gil", 4)


@log("state.sealed--with-a-tag-of-the-key-before", "gil's new key has not sealed: the old tags are gone.", "alice")
def _() -> Any:
    w = Table("old tag", {**TWO, "gil": "gm"}, sealed="kept")
    w.seal("gil", 4)
    w.lost("gil")
    w.returned("gil")
    return w, w.ask_secret("alice", "gil", "d20", [20])


@log(
    "state.object--by-a-new-key",
    "The keeper's judge called bob missing; his new key has no opening of that roll.",
    "bob",
)
def _() -> Any:
    w = Table("object", {**TWO, "dana": "judge"}, judge="dana")
    number = w.request("alice", "roll", {"dice": "d20"}, [20])
    w.void("dana", ["bob"])
    w.disclose(["bob"])
    opening = super(Table, w).opening("bob", index=w.used["bob"])
    w.lost()
    w.sit("bob")
    w.back("bob", "bob")
    return w, w.write("bob", "object", {"opening": opening, "request": number})
