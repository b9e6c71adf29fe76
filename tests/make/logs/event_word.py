"""The logs of the event's word (specs/protocol.md, "The event's word"): each name says what must come out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.make.cases import Cases
from tests.make.logs.replaced import Table, numbered
from tests.make.parts import PARTIES, key_of
from tests.oracles import reference as ref
from tests.oracles.reference import make_act

EVENT = ref.secret_of("event").hex()
CASES = Cases()
log = CASES.log


def event_of(*organizers: str) -> dict[str, Any]:
    """`event` of event 0."""
    return {"id": EVENT, "organizers": list(organizers or (key_of("olga"), key_of("oscar")))}


def appointment(
    name: str = "judy", role: str = "judge", by: str = "olga", *, event: str = EVENT, kind: str = "appoint", **how: Any
) -> dict[str, Any]:
    """An organizer's `appoint`."""
    act = {"key": key_of(name), "role": role}
    return make_act(event, kind, by, {**act, **how.pop("act", {})}, **how)


def correction(
    number: int = 2, key: int = 2, by: str = "olga", *, event: str = EVENT, kind: str = "correct-key", **how: Any
) -> dict[str, Any]:
    """An organizer's `correct-key`."""
    act = {"key": numbered(f"p{number}", key), "number": number, "reason": "a dead battery"}
    return make_act(event, kind, by, {**act, **how.pop("act", {})}, **how)


class EventTable(Table):
    """A table of an event, at which all sit; dana judges."""

    def __init__(self, label: str, roles: Mapping[str, str], **opened: Any) -> None:
        known = {"admits": ["judge"], "away": "others", "event": event_of(), "recovery": False, **opened}
        super().__init__(f"event's word {label}", dict(roles), **known)

    def appointed(self, newcomer: str = "judy", **members: Any) -> int:
        """The `admit` of a judge, with an appointment."""
        return self.admit(newcomer, "judge", **{"appointment": appointment(newcomer), **members})

    def corrected(self, name: str = "p2", key: int = 2, **members: Any) -> int:
        """The keeper's `replace` by the event's word."""
        body = {"correction": correction(int(name[1:]), key), "key": numbered(name, key), **members}
        return self.write("hall", "replace", body)

    def dead(self, name: str = "p2", key: int = 2) -> None:
        """Dana signs away a player whose phone is dead, and the keeper lets the new key wait."""
        self.away("dana", name)
        self.corrected(name, key)
        self.renewed(name, key)


@log("state.not-agreed--corrected-key-before-all-have-joined", "p3 has not sat down yet.", "hall")
def _() -> Any:
    w = EventTable.__new__(EventTable)
    ref.Writer.__init__(w, "event's word too early", dict(PARTIES["event of three"]))
    w.keys = {}
    w.open(system="dice-1", options={}, away="others", admits=["judge"], event=event_of())
    for name in ("p1", "p2", "dana"):
        w.sit(name, False)
    w.away("dana", "p2")
    return w, w.corrected()


def opened(name: str, event: dict[str, Any]) -> tuple[ref.Writer, int]:
    w = ref.Writer(f"event's word opened {name}", dict(PARTIES["event"]))
    return w, w.open(system="dice-1", options={}, admits=["judge"], event=event)


@log("body.malformed--event-with-half-an-id", "An id has 32 bytes.", "hall")
def _() -> Any:
    return opened("event-with-half-an-id", {**event_of(), "id": EVENT[:32]})


@log("body.malformed--event-with-65-organizers", "They are 64 at most.", "hall")
def _() -> Any:
    return opened("event-with-65-organizers", event_of(*(key_of(f"o{n}") for n in range(65))))


@log("holds--event-with-64-organizers", "As many as there may be; the last of them appoints.")
def _() -> Any:
    w = EventTable("many", PARTIES["event"], event=event_of(*(key_of(f"o{n}") for n in range(64))))
    w.appointed(appointment=appointment(by="o63"))
    w.close()
    return w
