"""The logs of the event's word (specs/protocol.md, "The event's word"): each name says what must come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.make.cases import Cases
from tests.make.profiles import Person, succession
from tests.make.replaced import Table, key_of
from tests.oracles import reference as ref
from tests.oracles.reference import make_act

TWO = {"hall": "keeper", "p1": "player", "p2": "player", "dana": "judge"}
THREE = {**TWO, "p3": "player"}
EVENT, OTHER = ref.secret_of("event").hex(), ref.secret_of("other event").hex()
CASES = Cases()
log = CASES.log


def plain_key(name: str, secret: str | None = None) -> str:
    """A verifier key; `secret`: whose secret it has, where it is somebody else's."""
    return ref.verifier_key(name, ref.public_key(secret or name))


def event_of(*organizers: str) -> dict[str, Any]:
    """`event` of event 0."""
    return {"id": EVENT, "organizers": list(organizers or (plain_key("olga"), plain_key("oscar")))}


def appointment(
    name: str = "judy", role: str = "judge", by: str = "olga", *, event: str = EVENT, kind: str = "appoint", **how: Any
) -> dict[str, Any]:
    """An organizer's `appoint`."""
    act = {"key": plain_key(name), "role": role}
    return make_act(event, kind, by, {**act, **how.pop("act", {})}, **how)


def correction(
    number: int = 2, key: int = 2, by: str = "olga", *, event: str = EVENT, kind: str = "correct-key", **how: Any
) -> dict[str, Any]:
    """An organizer's `correct-key`."""
    act = {"key": key_of(f"p{number}", key), "number": number, "reason": "a dead battery"}
    return make_act(event, kind, by, {**act, **how.pop("act", {})}, **how)


class EventTable(Table):
    """A table of an event, at which all sit; dana judges."""

    def __init__(self, label: str, roles: Mapping[str, str] = TWO, **opened: Any) -> None:
        known = {"admits": ["judge"], "away": "others", "event": event_of(), "recovery": False, **opened}
        if known["event"] is None:
            del known["event"]
        super().__init__(f"event's word {label}", dict(roles), **known)

    def appointed(self, name: str = "judy", **members: Any) -> int:
        """The `admit` of a judge, with an appointment."""
        return self.admit(name, "judge", **{"appointment": appointment(name), **members})

    def corrected(self, name: str = "p2", key: int = 2, **members: Any) -> int:
        """The keeper's `replace` by the event's word."""
        body = {"correction": correction(int(name[1:]), key), "key": key_of(name, key), **members}
        return self.write("hall", "replace", body)

    def dead(self, name: str = "p2", key: int = 2) -> None:
        """Dana signs away a player whose phone is dead, and the keeper lets the new key wait."""
        self.away("dana", name)
        self.corrected(name, key)
        self.renewed(name, key)


# --- later judges: logs that hold -------------------------------------------------------------------------------------


@log("holds--appointed-judge", "judy comes at noon, by olga's word, and judges at once: nobody is asked.")
def _() -> Any:
    w = EventTable("judge")
    w.roll("p1")
    w.appointed()
    w.write("judy", "join", {})
    w.write("judy", "ruling", {"ruling": "uphold", "subject": w.roll("p2"), "text": "As it was rolled."})
    w.away("judy", "p2")
    w.roll("p1")
    w.back("judy", "p2")
    w.roll("p1")
    w.close()
    return w


@log("holds--appointed-head-by-the-second-organizer", "oscar appoints hedda, the head judge, who calls a roll off.")
def _() -> Any:
    w = EventTable("head")
    w.appointed("hedda", appointment=appointment("hedda", "head", "oscar"))
    w.write("hedda", "join", {})
    w.request("p1", "roll", {"dice": "d20"}, [20])
    w.call_off("hedda", ["p2"])
    w.close()
    return w


@log("holds--appointed-judge-beside-the-hosts-word", "The `admit` has both words: the report names the organizer.")
def _() -> Any:
    w = EventTable("two words", host=plain_key("hugo"))
    w.appointed(word=w.word("judy", "judge", "hugo"))
    w.write("judy", "join", {})
    w.close()
    return w


@log("holds--judge-without-an-appointment", "At a table of an event too, a judge without an act is a newcomer.")
def _() -> Any:
    w = EventTable("without")
    w.consent(w.admit("judy", "judge"), "p1", "p2")
    w.write("judy", "join", {})
    w.away("judy", "p2")
    w.roll("p1")
    w.close()
    return w


@log("holds--organizer-who-sits-there", "olga plays, and appoints: an organizer's key may be a party's.")
def _() -> Any:
    w = EventTable("sits", event=event_of(plain_key("olga", "p1")))
    w.appointed(appointment=appointment(signer="p1"))
    w.write("judy", "join", {})
    w.close()
    return w


# --- later judges: refused --------------------------------------------------------------------------------------------


def _no_appointment(name: str, about: str, /, role: str = "judge", opened: Any = None, **how: Any) -> None:
    @log(f"admit.appointment--{name}", about, "hall")
    def _() -> Any:
        w = EventTable(f"no appointment {name}", **(opened or {}))
        return w, w.admit("judy", role, appointment=appointment(**how))


_no_appointment("by-a-judge", "dana is no organizer.", by="dana")
_no_appointment("by-somebody-else-in-an-organizers-name", "mallory signs as olga.", signer="mallory")
_no_appointment("of-another-key", "The act appoints jane.", name="jane")
_no_appointment("of-the-same-name", "It appoints another judy.", act={"key": plain_key("judy", "jane")})
_no_appointment("as-an-organizer", "Who pairs does not judge.", by="olga", act={"role": "organizer"})
_no_appointment("at-another-event", "It was signed for another event.", event=OTHER)
_no_appointment("signed-as-another-type", "olga signed this as a `correct-key`.", kind="correct-key")
_witnesses = {"admits": ["judge", "witness"]}
_no_appointment("of-a-witness", "Nobody is appointed to be one.", role="witness", opened=_witnesses)
_no_appointment("at-a-table-of-no-event", "Event 0 names no event.", opened={"event": None})


def _changed(member: str, value: Any) -> None:
    @log(f"admit.appointment--with-another-{member}", f"`{member}` is not what olga signed.", "hall")
    def _() -> Any:
        w = EventTable(f"changed {member}")
        return w, w.appointed(appointment={**appointment(), member: value})


_changed("at", "2026-11-20T18:00:00.001Z")
_changed("upon", "cd" * 32)
_changed("by", "oscar")


@log("admit.appointment--that-was-not-signed-for-a-head", "olga appointed a judge, no head.", "hall")
def _() -> Any:
    w = EventTable("changed role")
    made = appointment()
    return w, w.appointed(appointment={**made, "act": {**made["act"], "role": "head"}})


@log("admit.word--beside-an-appointment", "Where the host's word does not hold, that is found first.", "hall")
def _() -> Any:
    w = EventTable("word first", host=plain_key("hugo"))
    return w, w.appointed(word=w.word("judy", "judge", "mallory"), appointment=appointment(by="dana"))


@log("state.consent--to-an-appointed-judge", "judy is no newcomer, and needs no consent.", "p1")
def _() -> Any:
    w = EventTable("consent")
    return w, w.consent(w.appointed(), "p1")


@log("state.newcomer--judge-without-an-appointment", "judy has no act of an organizer's, and signs p2 away.", "judy")
def _() -> Any:
    w = EventTable("newcomer")
    w.admit("judy", "judge")
    w.write("judy", "join", {})
    return w, w.away("judy", "p2")


def _malformed_admit(name: str, about: str, /, **members: Any) -> None:
    @log(f"body.malformed--appointment-{name}", about, "hall")
    def _() -> Any:
        w = EventTable(f"malformed {name}")
        return w, w.appointed(appointment={**appointment(), **members})


_malformed_admit("with-a-member-too-many", "An act has five members here.", type="appoint")
_malformed_admit("on-a-day-that-is-none", "There is no 30 February.", at="2026-02-30T19:00:00.000Z")
_malformed_admit("to-no-office", "There is no such office.", act={"key": plain_key("judy"), "role": "player"})
_malformed_admit("that-corrects-a-key", "An `appoint` has other members.", act=correction()["act"])
_malformed_admit("with-half-a-signature", "A signature has 64 bytes.", sig="ab" * 32)


# --- other phones: logs that hold -------------------------------------------------------------------------------------


@log("holds--corrected-key", "p2's battery is dead: dana signs p2 away, olga corrects the key, and p2 rolls again.")
def _() -> Any:
    w = EventTable("key")
    w.roll("p2")
    w.dead()
    w.roll("p1")
    w.returned("p2", False)
    w.roll("p2")
    w.roll("p1")
    w.close()
    return w


@log("holds--corrected-key-where-a-roll-waited", "A roll waited for p2's phone: dana first calls it off.")
def _() -> Any:
    w = EventTable("waited")
    w.request("p1", "roll", {"dice": "d20"}, [20])
    w.call_off("dana", ["p2"])
    w.dead()
    w.returned("p2", False)
    w.request("p1", "roll", {"dice": "d20"}, [20])
    w.reveal()
    w.close()
    return w


@log("holds--corrected-key-signed-away-by-an-appointed-judge", "judy, who came at noon, signs p2 away.")
def _() -> Any:
    w = EventTable("appointed judge")
    w.appointed()
    w.write("judy", "join", {})
    w.away("judy", "p2")
    w.corrected(correction=correction(by="oscar"))
    w.renewed("p2")
    w.returned("p2", False)
    w.roll("p2")
    w.close()
    return w


@log("holds--corrected-key-after-the-others-signed-away", "The others signed p2 away once; now it is dana.")
def _() -> Any:
    w = EventTable("others first", THREE)
    w.sign_away("p2", "hall", "p1", "p3")
    w.back("p2", "p2")
    w.dead()
    w.returned("p2", False)
    w.roll("p2")
    w.close()
    return w


@log("holds--corrected-key-twice", "The second phone dies too: p2 goes on under a third key.")
def _() -> Any:
    w = EventTable("twice")
    w.dead()
    w.returned("p2", False)
    w.dead("p2", 3)
    w.returned("p2", False)
    w.roll("p2")
    w.close()
    return w


@log("holds--corrected-key-that-never-joins", "The phone is found: p2 is back by the old key, and nothing comes of it.")
def _() -> Any:
    w = EventTable("found")
    w.away("dana", "p2")
    w.corrected()
    w.back("p2", "p2")
    w.roll("p2")
    w.close()
    return w


@log("holds--corrected-key-in-the-place-of-one-that-waits", "The others' consent was asked for; then olga corrects it.")
def _() -> Any:
    w = EventTable("asked before", THREE)
    w.away("dana", "p2")
    w.consent(w.ask("p2"), "p1")
    w.corrected()
    w.renewed("p2")
    w.returned("p2", False)
    w.roll("p2")
    w.close()
    return w


@log("holds--key-by-all-others-word-at-an-event", "Nobody has corrected a key: the others consent, as at any table.")
def _() -> Any:
    w = EventTable("all others", THREE)
    w.away("dana", "p2")
    w.consent(w.ask("p2"), "p1", "p3")
    w.renewed("p2")
    w.returned("p2", False)
    w.roll("p2")
    w.close()
    return w


@log("holds--key-by-recovery-behind-the-events-word", "A third key, by recovery: p2 is by the event's word for good.")
def _() -> Any:
    w = EventTable("recovery behind", recovery=True)
    w.dead()
    w.returned("p2")
    w.away("p2", "p2")
    w.succeed("p2", 3)
    w.renewed("p2", 3)
    w.returned("p2")
    w.roll("p1")
    w.close()
    return w


# --- other phones: refused --------------------------------------------------------------------------------------------


def _no_correction(name: str, about: str, /, opened: Any = None, **how: Any) -> None:
    @log(f"replace.correction--{name}", about, "hall")
    def _() -> Any:
        w = EventTable(f"no correction {name}", **(opened or {}))
        w.away("dana", "p2")
        return w, w.corrected(correction=correction(**how))


_no_correction("by-a-judge", "dana is no organizer.", by="dana")
_no_correction("by-somebody-else-in-an-organizers-name", "mallory signs as olga.", signer="mallory")
_no_correction("to-another-key", "olga corrected it to another.", key=3)
_no_correction("of-another-number", "The number is not p2's.", act={"number": 1})
_no_correction("at-another-event", "It was signed for another event.", event=OTHER)
_no_correction("signed-as-another-type", "olga signed this as a `check-in`.", kind="check-in")
_no_correction("at-a-table-of-no-event", "Event 0 names no event.", opened={"event": None})


@log(
    "replace.correction--beside-a-succession", "One word is enough: either the recovery key's, or the event's.", "hall"
)
def _() -> Any:
    w = EventTable("both", recovery=True)
    w.away("dana", "p2")
    return w, w.corrected(succession=succession(Person("p2", 1), Person("p2", 2)))


@log("replace.succession--beside-a-correction", "Where the succession does not hold, that is found first.", "hall")
def _() -> Any:
    w = EventTable("succession first", recovery=True)
    w.away("dana", "p2")
    wrong = succession(Person("p2", 1), Person("p2", 2), sign={"sig": Person("p2", 66).words})
    return w, w.corrected(succession=wrong)


@log("replace.key--by-the-events-word", "p2's new key is p1's.", "hall")
def _() -> Any:
    w = EventTable("taken key")
    w.away("dana", "p2")
    key = plain_key("p2", "p1")
    return w, w.write("hall", "replace", {"correction": correction(act={"key": key}), "key": key})


def _no_replacement(name: str, about: str, make: Callable[[EventTable], object]) -> None:
    @log(f"state.replace--by-the-events-word-{name}", about, "hall")
    def _() -> Any:
        w = EventTable(f"no replacement {name}", THREE, recovery=True)
        make(w)
        return w, w.corrected()


def _away_anew(w: EventTable) -> None:
    w.away("dana", "p2")
    w.back("p2", "p2")
    w.sign_away("p2", "hall", "p1", "p3")


_no_replacement("of-who-is-here", "p2 is not away.", lambda w: None)
_no_replacement("of-who-is-away-by-its-own-word", "p2 takes a break.", lambda w: w.away("p2", "p2"))
_no_replacement("of-whom-the-others-signed-away", "No judge has.", lambda w: w.sign_away("p2", "hall", "p1", "p3"))
_no_replacement("of-whom-a-judge-signed-away-before", "Since then p2 was back; the others signed away.", _away_anew)


@log(
    "state.replace--by-both-words-of-whom-the-others-signed-away",
    "It has a correction, and no judge has signed p2 away: a succession beside it does not help.",
    "hall",
)
def _() -> Any:
    w = EventTable("both words", THREE, recovery=True)
    w.sign_away("p2", "hall", "p1", "p3")
    return w, w.corrected(succession=succession(Person("p2", 1), Person("p2", 2)))


@log(
    "state.replace--by-both-words-of-who-is-away-by-its-own-word",
    "dana signed p2 away once, and p2 was back. Now p2 takes a break: no judge has signed p2 away.",
    "hall",
)
def _() -> Any:
    w = EventTable("both words own", THREE, recovery=True)
    w.away("dana", "p2")
    w.back("p2", "p2")
    w.away("p2", "p2")
    return w, w.corrected(succession=succession(Person("p2", 1), Person("p2", 2)))


@log("state.consent--to-a-corrected-key", "The event's word asks nobody.", "p1")
def _() -> Any:
    w = EventTable("asks nobody", THREE)
    w.away("dana", "p2")
    return w, w.consent(w.corrected(), "p1")


@log("signature.invalid--old-key-joins-where-a-corrected-one-waits", "A join is the new key's.", "file")
def _() -> Any:
    w = EventTable("old joins")
    w.away("dana", "p2")
    w.corrected()
    return w, w.sit("p2", False)


@log("state.presence--corrected-key-accepts", "Nobody accepts for p2 what was rolled without p2.", "p2")
def _() -> Any:
    w = EventTable("accepts")
    w.dead()
    w.roll("p1")
    w.sit("p2", False)
    return w, w.back("p2", "p2", accept="rolls")


@log("state.not-agreed--corrected-key-before-all-have-joined", "p3 has not sat down yet.", "hall")
def _() -> Any:
    w = EventTable.__new__(EventTable)
    ref.Writer.__init__(w, "event's word too early", dict(THREE))
    w.keys = {}
    w.open(system="dice-1", options={}, away="others", admits=["judge"], event=event_of())
    for name in ("p1", "p2", "dana"):
        w.sit(name, False)
    w.away("dana", "p2")
    return w, w.corrected()


def _malformed_replace(name: str, about: str, /, **members: Any) -> None:
    @log(f"body.malformed--correction-{name}", about, "hall")
    def _() -> Any:
        w = EventTable(f"malformed {name}")
        w.away("dana", "p2")
        return w, w.corrected(correction={**correction(), **members})


_act = correction()["act"]
_malformed_replace("that-appoints", "A `correct-key` has other members.", act=appointment()["act"])
_malformed_replace("of-player-0", "Numbers begin at 1.", act={**_act, "number": 0})
_malformed_replace("of-player-5001", "They end at 5,000.", act={**_act, "number": 5_001})
_malformed_replace("without-a-reason", "It gives one.", act={**_act, "reason": ""})
_malformed_replace("upon-nothing", "`upon` is a hash.", upon="")


# --- event 0 ----------------------------------------------------------------------------------------------------------


def _opened(name: str, about: str, event: Any, fault: str = "hall", code: str = "open.terms") -> None:
    @log(f"{code}--{name}", about, fault)
    def _() -> Any:
        w = ref.Writer(f"event's word opened {name}", dict(TWO))
        return w, w.open(system="dice-1", options={}, admits=["judge"], event=event)


_opened("event-with-the-keepers-key", "The keeper would organize.", event_of(plain_key("olga", "hall")))
_opened("event-with-two-organizers-of-one-name", "Which olga?", event_of(plain_key("olga"), plain_key("olga", "ole")))
_opened(
    "event-with-two-organizers-of-one-key", "oscar is olga.", event_of(plain_key("olga"), plain_key("oscar", "olga"))
)
_opened("event-with-an-organizer-without-a-key", "olga has none.", event_of("olga"))
_malformed = "body.malformed"
_opened("event-without-organizers", "There is one.", {"id": EVENT, "organizers": []}, code=_malformed)
_opened("event-without-an-id", "It has one.", {"organizers": [plain_key("olga")]}, code=_malformed)
_opened("event-with-half-an-id", "An id has 32 bytes.", {**event_of(), "id": EVENT[:32]}, code=_malformed)
_opened("event-with-a-name", "It has two members.", {**event_of(), "name": "Spring Open"}, code=_malformed)
_opened(
    "event-with-65-organizers",
    "They are 64 at most.",
    event_of(*(plain_key(f"o{n}") for n in range(65))),
    code=_malformed,
)


@log("holds--event-with-64-organizers", "As many as there may be; the last of them appoints.")
def _() -> Any:
    w = EventTable("many", event=event_of(*(plain_key(f"o{n}") for n in range(64))))
    w.appointed(appointment=appointment(by="o63"))
    w.close()
    return w
