"""The event's word at a table, in Node and in Python: judges who come later, keys that an organizer has corrected."""

import copy
import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.oracles.reference import (
    EVENT_LABEL,
    RECOVERY_LABEL,
    SUCCESSION_LABEL,
    ZEROS,
    canonical,
    leaf,
    private_key,
    public_key,
    verifier_key,
)
from tests.web.browsers import NODE
from tests.web.test_event_log import COMPARED, WEB, in_node
from verifier import verify

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

EVENT = "e5" * 32
ACT = b"rollproof/v1/act\n"
TIME = "2026-11-20T10:00:00.000Z"
PLAYERS = ("p1", "p2", "p3")


def key(name: str, hand: str | None = None) -> str:
    """The verifier key of a name, held by this hand."""
    return verifier_key(name, public_key(hand or name))


def act(type: str, by: str, members: dict[str, Any], event: str = EVENT, hand: str | None = None) -> dict[str, Any]:
    """An act, signed for an event."""
    signed = {"act": members, "at": TIME, "by": by, "upon": "ab" * 32}
    message = ACT + canonical({**signed, "event": event, "type": type})
    return {**signed, "sig": private_key(hand or by).sign(message).hex()}


def appointment(name: str = "jo", role: str = "judge", **more: Any) -> dict[str, Any]:
    return act("appoint", more.pop("by", "olga"), {"key": key(name), "role": role}, **more)


def correction(number: int = 1, hand: str = "p1 new", **more: Any) -> dict[str, Any]:
    members = {"key": key(f"p{number}", hand), "number": number, "reason": "a dead phone"}
    return act("correct-key", more.pop("by", "olga"), members, **more)


class Table:
    """The log of an event's table, whose parties have all joined."""

    def __init__(self, recovery: str | None = None, **terms: Any) -> None:
        """`recovery`: the recovery key that all name in their joins."""
        self.lines: list[bytes] = []
        parties = [{"key": key("hall"), "role": "keeper"}, *({"key": key(each), "role": "player"} for each in PLAYERS)]
        body = {
            "admits": ["judge", "witness"],
            "contributors": "roller",
            "event": {"id": EVENT, "organizers": [key("olga"), key("otto")]},
            "format": "rollproof/v1",
            "nonce": "77" * 32,
            "options": {},
            "parties": [*parties, {"key": key("dana"), "role": "judge"}],
            "system": "dice-1",
            "title": "Spring Open, round 1, table 11",
            **terms,
        }
        self.add("hall", "open", {name: each for name, each in body.items() if each is not None})
        for name in (*PLAYERS, "dana"):
            self.add(name, "join", {} if recovery is None else {"recovery": recovery})

    def add(self, author: str, type: str, body: dict[str, Any], hand: str | None = None) -> "Table":
        event = {"author": author, "body": body, "seq": len(self.lines), "time": TIME, "type": type}
        event["game"] = leaf(self.lines[0]).hex() if self.lines else ZEROS
        event["prev"] = leaf(self.lines[-1]).hex() if self.lines else ZEROS
        sig = private_key(hand or author).sign(EVENT_LABEL + canonical(event)).hex()
        self.lines.append(canonical({**event, "sig": sig}))
        return self

    def away(self, name: str = "p1", by: str = "dana") -> "Table":
        return self.add(by, "away", {"party": name})

    def admit(self, name: str = "jo", role: str = "judge", **more: Any) -> "Table":
        return self.add("hall", "admit", {"key": key(name), "role": role, **more})

    def replace(self, hand: str = "p1 new", **more: Any) -> "Table":
        return self.add("hall", "replace", {"key": key("p1", hand), **more})

    @property
    def data(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)


def changed(body: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A signed act with members that its author did not sign."""
    return {**body, **more}


RECOVERY = public_key("recovery").hex()
SUCCESSION = {
    "format": "rollproof/succession/v1",
    "key": key("p1"),
    "named": "00" * 64,
    "new": key("p1", "p1 new"),
    "new_sig": "00" * 64,
    "recovery": RECOVERY,
    "sig": "00" * 64,
    "time": TIME,
}


def succession() -> dict[str, Any]:
    """The same, as all three keys sign it."""
    naming = {"format": "rollproof/recovery/v1", "key": key("p1"), "recovery": RECOVERY}
    stated = {name: SUCCESSION[name] for name in ("format", "key", "new", "recovery", "time")}
    message = SUCCESSION_LABEL + canonical(stated)
    return {
        **SUCCESSION,
        "named": private_key("p1").sign(RECOVERY_LABEL + canonical(naming)).hex(),
        "new_sig": private_key("p1 new").sign(message).hex(),
        "sig": private_key("recovery").sign(message).hex(),
    }


HOLDS = {
    "a judge rules as soon as it has joined": Table()
    .admit(appointment=appointment())
    .add("jo", "join", {})
    .add("jo", "away", {"party": "p2"}),
    "a head judge, by the other organizer": Table()
    .admit(appointment=appointment(role="head", by="otto"))
    .add("jo", "join", {}),
    "a new key goes on": Table()
    .away()
    .replace(correction=correction())
    .add("p1", "join", {}, "p1 new")
    .add("p1", "back", {"party": "p1"}, "p1 new")
    .add("p1", "commit", {"length": 64, "tip": "cc" * 32}, "p1 new"),
    "a later key takes the place of one that waits": Table()
    .away()
    .replace(correction=correction())
    .replace("p1 newer", correction=correction(hand="p1 newer"))
    .add("p1", "join", {}, "p1 newer"),
    "the old phone comes back before": Table()
    .away()
    .replace(correction=correction())
    .add("p1", "back", {"party": "p1"})
    .add("p1", "commit", {"length": 64, "tip": "cc" * 32}),
}

FAILS: dict[str, tuple[str, Table]] = {
    "two organizers share a name": (
        "open.terms",
        Table(event={"id": EVENT, "organizers": [key("olga"), key("olga", "other")]}),
    ),
    "two share a key": ("open.terms", Table(event={"id": EVENT, "organizers": [key("olga"), key("otto", "olga")]})),
    "an organizer has the keeper's key": (
        "open.terms",
        Table(event={"id": EVENT, "organizers": [key("olga", "hall")]}),
    ),
    "an organizer has no key": ("open.terms", Table(event={"id": EVENT, "organizers": ["olga"]})),
    "no organizer": ("body.malformed", Table(event={"id": EVENT, "organizers": []})),
    "a member more": ("body.malformed", Table(event={"id": EVENT, "organizers": [key("olga")], "title": "x"})),
    "no event": ("admit.appointment", Table(event=None).admit(appointment=appointment())),
    "a witness is appointed": (
        "admit.appointment",
        Table().admit("walt", "witness", appointment=appointment("walt")),
    ),
    "an organizer is appointed": ("admit.appointment", Table().admit(appointment=appointment(role="organizer"))),
    "another is appointed": ("admit.appointment", Table().admit("mallory", appointment=appointment())),
    "nobody's organizer": ("admit.appointment", Table().admit(appointment=appointment(by="mallory"))),
    "another hand": ("admit.appointment", Table().admit(appointment=appointment(hand="mallory"))),
    "another event": ("admit.appointment", Table().admit(appointment=appointment(event="11" * 32))),
    "another upon": ("admit.appointment", Table().admit(appointment=changed(appointment(), upon="11" * 32))),
    "another time": (
        "admit.appointment",
        Table().admit(appointment=changed(appointment(), at="2026-11-20T10:00:01.000Z")),
    ),
    "no time": ("body.malformed", Table().admit(appointment=changed(appointment(), at="2026-02-30T10:00:01.000Z"))),
    "a correction as appointment": ("body.malformed", Table().admit(appointment=correction())),
    "no judge before its appointment": ("state.newcomer", Table().admit().add("jo", "join", {}).away(by="jo")),
    "consent to a judge who needs none": (
        "state.consent",
        Table().admit(appointment=appointment()).add("p2", "consent", {"admit": 5}),
    ),
    "not away": ("state.replace", Table().replace(correction=correction())),
    "away by its own word": ("state.replace", Table().away(by="p1").replace(correction=correction())),
    "away by the others": (
        "state.replace",
        Table(away="others").away(by="p2").away(by="p3").away(by="hall").replace(correction=correction()),
    ),
    "no event for a key": ("replace.correction", Table(event=None).away().replace(correction=correction())),
    "another key": ("replace.correction", Table().away().replace(correction=correction(hand="mallory"))),
    "another player": (
        "replace.correction",
        Table()
        .away()
        .replace(correction=act("correct-key", "olga", {"key": key("p1", "p1 new"), "number": 2, "reason": "x"})),
    ),
    "another organizer": ("replace.correction", Table().away().replace(correction=correction(by="dana"))),
    "another hand than the organizer's": (
        "replace.correction",
        Table().away().replace(correction=correction(hand="p1 new", by="otto") | {"sig": "00" * 64}),
    ),
    "beside a succession that is another's": (
        "replace.succession",
        Table().away().replace(correction=correction(), succession=SUCCESSION),
    ),
    "beside a succession that nobody signed": (
        "replace.succession",
        Table(recovery=RECOVERY).away().replace(correction=correction(), succession=SUCCESSION),
    ),
    "beside a succession that holds": (
        "replace.correction",
        Table(recovery=RECOVERY).away().replace(correction=correction(), succession=succession()),
    ),
    "a number that no player has": (
        "body.malformed",
        Table()
        .away()
        .replace(correction=act("correct-key", "olga", {"key": key("p1", "p1 new"), "number": 5_001, "reason": "x"})),
    ),
    "no reason": (
        "body.malformed",
        Table()
        .away()
        .replace(correction=act("correct-key", "olga", {"key": key("p1", "p1 new"), "number": 1, "reason": ""})),
    ),
    "consent to a key that needs none": (
        "state.consent",
        Table().away().replace(correction=correction()).add("p2", "consent", {"admit": 6}),
    ),
    "the old key after the new one": (
        "signature.invalid",
        Table()
        .away()
        .replace(correction=correction())
        .add("p1", "join", {}, "p1 new")
        .add("p1", "back", {"party": "p1"}),
    ),
    "accepting by the event's word": (
        "state.presence",
        Table()
        .away()
        .replace(correction=correction())
        .add("p1", "join", {}, "p1 new")
        .add("p1", "back", {"accept": "rolls", "party": "p1"}, "p1 new"),
    ),
}


OTHER_WORDS = ("an organizer has no key", "beside a succession that nobody signed", "body.malformed")
"""where each says in words of its own what is wrong inside of a line"""


def said(name: str, report: Any) -> Any:
    """What both must say."""
    findings = [
        [*(each[member] for member in COMPARED), "" if {name, each["code"]} & {*OTHER_WORDS} else each["message"]]
        for each in report["findings"]
    ]
    return [*(report[member] for member in ("verdict", "events", "valid_prefix", "head", "trust")), findings]


def test_both_verifiers_say_the_same(tmp_path: Path) -> None:
    tables = {**{name: (None, table) for name, table in HOLDS.items()}, **FAILS}
    logs = [table.data for _, table in tables.values()]
    for (name, (code, _)), data, mine in zip(tables.items(), logs, in_node(logs, tmp_path), strict=True):
        theirs = msgspec.to_builtins(verify(data)[0])
        assert said(name, mine) == said(name, theirs), name
        errors = [each["code"] for each in mine["findings"] if each["severity"] == "error"]
        assert errors == ([] if code is None else [code]), name


def test_a_judge_who_was_appointed_is_named_with_the_organizer(tmp_path: Path) -> None:
    table = HOLDS["a new key goes on"].data, HOLDS["a judge rules as soon as it has joined"].data
    phone, judge = in_node([*table], tmp_path)
    assert (
        "p1 goes on under a new key, by the word of olga and dana (event 7): p1 may be somebody else" in phone["trust"]
    )
    assert "jo came later, appointed by olga, an organizer of the event (event 5)." in judge["trust"]


def test_a_new_phone_comes_back_by_itself_once_and_only_by_the_events_word() -> None:
    joined = Table().away().replace(correction=correction()).add("p1", "join", {}, "p1 new")
    back = copy.deepcopy(joined).add("p1", "back", {"party": "p1"}, "p1 new")
    by_others = Table().away().replace()
    for name in ("p2", "p3"):
        by_others.add(name, "consent", {"admit": 6})
    tables = {
        "not away": (Table(), False, None),
        "away, with the old phone": (Table().away(), False, "dana"),
        "in with the new one": (joined, True, "dana"),
        "back": (back, False, None),
        "signed away again": (copy.deepcopy(back).away(), False, "dana"),
        "away by its own word": (copy.deepcopy(back).add("p1", "away", {"party": "p1"}, "p1 new"), False, None),
        "by all others' word": (by_others.add("p1", "join", {}, "p1 new"), False, "dana"),
        "away by the others": (Table(away="others").away(by="p2").away(by="p3").away(by="hall"), False, None),
    }
    assert NODE is not None
    given = json.dumps([table.data.decode() for table, _, _ in tables.values()])
    ended = subprocess.run([NODE, WEB / "event_phone.mjs"], input=given, capture_output=True, text=True, check=True)
    found = dict(zip(tables, json.loads(ended.stdout), strict=True))
    assert found == {name: [comes, judge] for name, (_, comes, judge) in tables.items()}


def test_an_events_table_asks_the_server_for_no_lobby_where_somebody_is_missing() -> None:
    assert NODE is not None
    ended = subprocess.run([NODE, WEB / "late_lobby.mjs"], capture_output=True, text=True, check=True)
    assert json.loads(ended.stdout) == {"event": [], "served": ["/v1/tables/T/stream"]}
