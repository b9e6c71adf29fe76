"""Writes `specs/vectors/event.json`: `python -m tests.make.event`, or with `--check` compares what is there.

One whole event, and lines that may not follow its beginnings. Each case says which rule it breaks; the oracle, which
was written from the page alone, must find the same.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tests.make.vectors import HERE, pretty
from tests.oracles import reference as ref
from tests.oracles import reference_event as oracle
from tests.oracles.reference import Finding, canonical, leaf, private_key

FILE = HERE / "event.json"
SYSTEM, OPTIONS = "mtg-706-2023-11-17", {"planechase": False}
ZEROS = ref.ZEROS


def key_of(name: str, secret: str | None = None) -> str:
    """A verifier key; `secret` is whose secret it has, where it is somebody else's."""
    return ref.verifier_key(name, private_key(secret or name).public_key().public_bytes_raw())


class EventWriter:
    """Writes the log of one event with everybody's keys. It checks nothing, so it writes wrong logs as well."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.id = ZEROS
        self.clock = datetime.datetime(2026, 11, 20, 9, tzinfo=datetime.UTC)

    def now(self) -> str:
        self.clock += datetime.timedelta(milliseconds=1_250)
        return self.clock.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.clock.microsecond // 1000:03d}Z"

    def copy(self, keep: int) -> EventWriter:
        other = EventWriter()
        other.lines, other.id, other.clock = self.lines[:keep], self.id if keep else ZEROS, self.clock
        return other

    def act(
        self,
        by: str,
        kind: str,
        members: dict[str, Any],
        *,
        signer: str | None = None,
        upon: str | None = None,
        event: str | None = None,
        signed_as: str | None = None,
    ) -> dict[str, Any]:
        """The body of a line with an act."""
        head = leaf(self.lines[-1]).hex() if self.lines else ZEROS
        body = {"act": members, "at": self.now(), "by": by, "upon": upon or head}
        message = oracle.ACT + canonical({**body, "event": event or self.id, "type": signed_as or kind})
        return {**body, "sig": private_key(signer or by).sign(message).hex()}

    def line(self, kind: str, body: dict[str, Any], *, keeper: str = "hall", **members: Any) -> bytes:
        label = members.pop("label", oracle.LINE)
        event: dict[str, Any] = {
            "author": keeper,
            "body": body,
            "game": self.id if self.lines else ZEROS,
            "prev": leaf(self.lines[-1]).hex() if self.lines else ZEROS,
            "seq": len(self.lines),
            "time": self.now(),
            "type": kind,
            **members,
        }
        signer = event.pop("signer", keeper)
        event["sig"] = private_key(signer).sign(label + canonical(event)).hex()
        return canonical(event)

    def put(self, line: bytes) -> int:
        self.lines.append(line)
        if len(self.lines) == 1:
            self.id = leaf(line).hex()
        return len(self.lines) - 1

    def write(self, by: str | None, kind: str, members: dict[str, Any] | None = None, **how: Any) -> int:
        """A line with an act of somebody's, or of the keeper's own; its number."""
        body = {"act": members or {}} if by is None else self.act(by, kind, members or {}, **how)
        return self.put(self.line(kind, body))

    @property
    def data(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)


def terms(**members: Any) -> dict[str, Any]:
    return {
        "contributors": "all",
        "event": oracle.FORMAT,
        "keeper": key_of("hall"),
        "nonce": ref.secret_of("event").hex(),
        "options": OPTIONS,
        "organizers": [key_of("olga")],
        "results": ["won"],
        "rounds": 2,
        "system": SYSTEM,
        "title": "Spring Open",
        **members,
    }


def salt(number: int) -> str:
    return ref.secret_of("salt", number).hex()


NAMES = {1: "Alice Ito", 2: "Bob Meyer", 3: "Carol Diaz", 4: "Dave Okafor", 5: "Erin Novak"}


def registered(number: int, claim: bool = True) -> dict[str, Any]:
    name = ref.sha256(b"rollproof/v1/name\n" + bytes.fromhex(salt(number)) + NAMES[number].encode()).hex()
    found: dict[str, Any] = {"name": name, "number": number}
    if claim:
        found["claim"] = private_key(f"claim {number}").public_key().public_bytes_raw().hex()
    return found


def check_in(w: EventWriter, number: int, key: str | None = None, code: int | None = None) -> dict[str, Any]:
    text = key or key_of(f"p{number}")
    message = oracle.CLAIM + canonical({"event": w.id, "key": text})
    return {"claim": private_key(f"claim {code or number}").sign(message).hex(), "key": text, "number": number}


def table(number: int, *sides: list[int]) -> dict[str, Any]:
    return {"sides": list(sides), "table": number}


def won(*numbers: int) -> list[dict[str, int]]:
    return [{"won": n} for n in numbers]


def game(word: str) -> str:
    return ref.secret_of("game", word).hex()


WHY = {"reason": "as seen at the table"}
AT: dict[str, int] = {}
"""what a line of the whole event is called → its number"""


def whole(games: Callable[[EventWriter, int], list[dict[str, Any]]] | None = None) -> EventWriter:
    """An event of two rounds with one of everything. `games` gives the games that a line opens."""
    w = EventWriter()

    def named(line: int, *tables: int) -> list[dict[str, Any]]:
        return games(w, line) if games else [{"game": game(f"{line} {t}"), "table": t} for t in tables]

    w.write("olga", "open", terms())
    w.write("olga", "register", {"players": [*(registered(n) for n in (1, 2, 3, 4)), registered(5, claim=False)]})
    w.write("olga", "appoint", {"key": key_of("dana"), "role": "judge"})
    AT["staff"] = w.write("olga", "appoint", {"key": key_of("henry"), "role": "head"}) + 1
    for number in (1, 2):
        w.write(f"p{number}", "check-in", check_in(w, number))
    w.write("dana", "check-in", {"key": key_of("p3"), "number": 3, "tablet": "dana's tablet; Carol sat there"})
    AT["in"] = w.write("p4", "check-in", check_in(w, 4)) + 1
    AT["pair"] = w.write("olga", "pair", {"byes": [], "round": 1, "tables": [table(11, [1], [2]), table(14, [3], [4])]})
    AT["start"] = w.write("olga", "start", {"minutes": 50, "round": 1})
    AT["opened"] = w.write(None, "opened", {"games": named(AT["start"], 11, 14), "line": AT["start"]})
    AT["call"] = w.write("p1", "call", {"round": 1, "table": 11, "text": "a die fell off"})
    AT["answer"] = w.write("dana", "answer", {"call": AT["call"], "text": "the roll stands"})
    AT["appeal"] = w.write("p1", "appeal", {"answer": AT["answer"], "text": ""})
    w.write("henry", "answer", {"call": AT["appeal"], "text": "it stands"})
    AT["slip"] = w.write("p1", "slip", {"round": 1, "sides": won(2, 1), "table": 11})
    AT["agree"] = w.write("p2", "agree", {"slip": AT["slip"]})
    w.write("dana", "slip", {"round": 1, "sides": won(2, 0), "table": 14, **WHY})
    w.write("dana", "extend", {"minutes": 5, "round": 1, "table": 11, **WHY})
    w.write("henry", "pause", {"minutes": 10, "round": 1, **WHY})
    for _ in range(2):
        w.write("dana", "by-hand", {"round": 1, "table": 14, "text": "no phone; dana saw each throw"})
    AT["penalty"] = w.write("dana", "penalty", {"number": 4, "penalty": "warning", "text": "late to the table"})
    w.write("henry", "correct-penalty", {"line": AT["penalty"], **WHY})
    w.write("henry", "correct-result", {"round": 1, "sides": won(1, 2), "table": 11, **WHY})
    AT["end"] = w.write("olga", "end", {"left": [], "round": 1})
    sealed = [{**g, "root": game("root"), "size": 9} for g in named(AT["start"], 11, 14)]
    AT["seal"] = w.write(None, "seal", {"games": sealed, "round": 1}) if games is None else AT["end"]
    w.write("p4", "drop", {"number": 4, "reason": "a train"})
    AT["pair 2"] = w.write("olga", "pair", {"byes": [2], "round": 2, "tables": [table(11, [1], [3])]})
    again = {"byes": [1], "cancelled": [11], "round": 2, "tables": [table(12, [2], [3])], **WHY}
    w.write("olga", "correct-pairing", again)
    w.write("olga", "appoint", {"key": key_of("oscar"), "role": "organizer"})
    AT["start 2"] = w.write("olga", "start", {"minutes": 50, "round": 2})
    AT["opened 2"] = w.write(None, "opened", {"games": named(AT["start 2"], 12), "line": AT["start 2"]})
    w.write("olga", "dismiss", {"name": "oscar", **WHY})
    again = {"byes": [2], "cancelled": [], "round": 2, "tables": [table(12, [1], [3])], **WHY}
    AT["again"] = w.write("olga", "correct-pairing", again)
    w.write(None, "opened", {"games": named(AT["again"], 12), "line": AT["again"]})
    w.write("henry", "correct-drop", {"number": 4, **WHY})
    w.write("olga", "correct-key", {"key": key_of("p3", "p3 new"), "number": 3, **WHY})
    AT["end 2"] = w.write("olga", "end", {"left": [{"table": 12, **WHY}], "round": 2})
    w.write("p1", "slip", {"round": 2, "sides": won(0, 2), "table": 12})
    w.write("p3", "agree", {"slip": len(w.lines) - 1}, signer="p3 new")
    w.write("olga", "close")
    return w


Make = Callable[[EventWriter], None]
CASES: list[tuple[str, str, str, str | None, str, Make]] = []
"""about, where in the whole event, code, rule, fault, and what writes the line"""


def case(about: str, where: str, code: str, rule: str | None, fault: str = "hall") -> Callable[[Make], Make]:
    def register(make: Make) -> Make:
        CASES.append((about, where, code, rule, fault, make))
        return make

    return register


def simple(about: str, where: str, code: str, rule: int, by: str | None, kind: str, members: Any, **how: Any) -> None:
    """A case whose line is one act. `members` may be made from the writer."""

    def make(w: EventWriter) -> None:
        w.write(by, kind, members(w) if callable(members) else members, **how)

    CASES.append((about, where, code, f"E{rule}", "hall", make))


def _terms() -> None:
    """Line 0 with other terms; the keeper writes it and the first organizer signs it, unless it is said otherwise."""
    olga, hall = key_of("olga"), key_of("hall")
    _first("a keeper with the name of the organizer", organizers=[key_of("hall", "olga")], by="hall")
    _first("a keeper with the key of the organizer", organizers=[key_of("olga", "hall")], signer="hall")
    _first("two organizers of one name", organizers=[olga, key_of("olga", "mallory")])
    _first("two organizers with one key", organizers=[olga, key_of("oscar", "olga")])
    _first("an organizer with the name of a player", organizers=[key_of("p7")], by="p7")
    _first("an organizer with a key that is none", organizers=[olga, olga[:-1] + "_"])
    _first("a keeper with a key that is none", keeper=hall[:-1] + "_")
    _first("terms that the second organizer signs", organizers=[key_of("oscar"), olga])
    _first("terms that another than the keeper writes", writes="mallory")
    _first("results that are not in order", results=["won", "drawn"])
    _first("a result twice", results=["won", "won"])
    none: list[Any] = [[], "planechase", 1, True]
    for options in none:
        about = f"options that are no object: {json.dumps(options)}"
        _first(about, "body.malformed", None, options=options)
    _first("a log of a later format", "file.version", None, event="rollproof/event/v2")
    _first("an open of something else", "file.not-a-log", None, event="rollproof/evening/v1")
    _first("an open whose format is a number", "file.not-a-log", None, event=1)
    _first("an open upon a line", "act.upon", "E4", upon=ref.secret_of("x").hex())


def _first(
    about: str,
    code: str = "open.terms",
    rule: str | None = "E1",
    *,
    by: str = "olga",
    signer: str | None = None,
    writes: str = "hall",
    upon: str | None = None,
    **members: Any,
) -> None:
    def make(w: EventWriter) -> None:
        w.put(w.line("open", w.act(by, "open", terms(**members), signer=signer, upon=upon), keeper=writes))

    CASES.append((about, "first", code, rule, "file", make))


def _people() -> None:
    simple("a second open", "in", "open.terms", 1, "olga", "open", terms())
    simple("an act by nobody", "in", "act.author", 2, "mallory", "drop", {"number": 1, **WHY})
    simple("a judge without appointment", "slip", "act.author", 2, "judy", "extend",
           {"minutes": 5, "round": 1, "table": 11, **WHY})  # fmt: skip
    simple("a player who has not checked in", "in", "act.author", 2, "p5", "drop", {"number": 5, **WHY})
    simple("a player who is not registered", "in", "act.author", 2, "p99", "drop", {"number": 99, **WHY})
    simple("a player under another number's name", "in", "act.author", 2, "p01", "drop", {"number": 1, **WHY},
           signer="p1")  # fmt: skip
    simple("a player with a key that is none", "in", "act.author", 2, "p5", "check-in", {"key": "p5", "number": 5})
    simple("a player with a key in another's name", "in", "act.author", 2, "p5", "check-in",
           {"key": key_of("p6"), "number": 5})  # fmt: skip
    simple("a judge pairs", "in", "act.role", 3, "dana", "pair", {"byes": [1], "round": 1, "tables": []})
    simple("a judge corrects a result", "end", "act.role", 3, "dana", "correct-result",
           {"round": 1, "sides": won(0, 2), "table": 11, **WHY})  # fmt: skip
    simple("a judge pauses", "slip", "act.role", 3, "dana", "pause", {"minutes": 5, "round": 1, **WHY})
    simple("a player throws by hand", "slip", "act.role", 3, "p1", "by-hand", {"round": 1, "table": 11, "text": "x"})
    simple("a player extends", "slip", "act.role", 3, "p1", "extend", {"minutes": 5, "round": 1, "table": 11, **WHY})
    simple("a player drops another", "in", "act.role", 3, "p1", "drop", {"number": 2, **WHY})
    simple("an act upon another history", "in", "act.upon", 4, "olga", "close", {}, upon=ref.secret_of("x").hex())
    simple("an act upon no line", "in", "act.upon", 4, "olga", "close", {}, upon=ZEROS)
    simple("an act that somebody else signed", "in", "act.signature", 5, "olga", "close", {}, signer="dana")
    simple("an act of another event", "in", "act.signature", 5, "olga", "close", {}, event=ref.secret_of("y").hex())
    simple("an act signed as another type", "in", "act.signature", 5, "olga", "drop", {"number": 1, **WHY},
           signed_as="check-in")  # fmt: skip
    simple("a judge with the name of a player", "in", "appoint.person", 8, "olga", "appoint",
           {"key": key_of("p9"), "role": "judge"})  # fmt: skip
    simple("a judge with a player's key", "in", "appoint.person", 8, "olga", "appoint",
           {"key": key_of("judy", "p1"), "role": "judge"})  # fmt: skip
    simple("a judge with the name of an organizer", "in", "appoint.person", 8, "olga", "appoint",
           {"key": key_of("olga", "judy"), "role": "judge"})  # fmt: skip
    simple("a judge with the name of the keeper", "in", "appoint.person", 8, "olga", "appoint",
           {"key": key_of("hall", "judy"), "role": "judge"})  # fmt: skip
    simple("a judge with a key that is none", "in", "appoint.person", 8, "olga", "appoint",
           {"key": "judy", "role": "judge"})  # fmt: skip
    simple("the last organizer is dismissed", "in", "appoint.person", 9, "olga", "dismiss", {"name": "olga", **WHY})
    simple("somebody without office is dismissed", "in", "appoint.person", 9, "olga", "dismiss", {"name": "p1", **WHY})
    simple("a number twice", "in", "player.number", 10, "olga", "register", {"players": [registered(1, claim=False)]})
    simple("a claim code twice", "in", "player.number", 10, "olga", "register",
           {"players": [{**registered(1), "number": 9}]})  # fmt: skip
    simple("a penalty for nobody", "in", "player.unknown", 11, "dana", "penalty",
           {"number": 9, "penalty": "warning", "text": "late"})  # fmt: skip
    simple("a second check-in", "in", "player.state", 12, "p1", "check-in", lambda w: check_in(w, 1))
    simple("a key in another's name", "in", "player.key", 13, "dana", "check-in", {"key": key_of("p6"), "number": 5})
    simple("another player's key", "in", "player.key", 13, "dana", "check-in",
           {"key": key_of("p5", "p1"), "number": 5})  # fmt: skip
    simple("a key that is none at the desk", "in", "player.key", 13, "dana", "check-in", {"key": "p5", "number": 5})
    simple("a check-in that leaves its code out", "staff", "player.claim", 14, "p1", "check-in",
           {"key": key_of("p1"), "number": 1})  # fmt: skip
    simple("a code of who was registered without one", "in", "player.claim", 14, "p5", "check-in",
           lambda w: check_in(w, 5))  # fmt: skip
    simple("a check-in without a code", "in", "player.claim", 14, "p5", "check-in",
           {"key": key_of("p5"), "number": 5})  # fmt: skip
    simple("a player on a tablet", "staff", "player.claim", 14, "p1", "check-in",
           lambda w: {**check_in(w, 1), "tablet": "my own"})  # fmt: skip
    simple("the desk with a claim", "in", "player.claim", 14, "dana", "check-in", lambda w: check_in(w, 5))
    simple("who is in comes back", "in", "player.state", 12, "henry", "correct-drop", {"number": 1, **WHY})
    simple("a new key of who is not in", "in", "player.state", 12, "olga", "correct-key",
           {"key": key_of("p5"), "number": 5, **WHY})  # fmt: skip
    simple("an exchanged key that is another's", "in", "player.key", 13, "olga", "correct-key",
           {"key": key_of("p3", "p1"), "number": 3, **WHY})  # fmt: skip
    simple("a penalty that was taken back", "end", "penalty.unknown", 29, "henry", "correct-penalty",
           lambda w: {"line": AT["penalty"] + 1, **WHY})  # fmt: skip
    simple("a penalty that is none", "end", "penalty.unknown", 29, "henry", "correct-penalty", {"line": 1, **WHY})


def _rounds() -> None:
    def pair(*tables: Any, byes: Any = (), round_: int = 1) -> dict[str, Any]:
        return {"byes": list(byes), "round": round_, "tables": list(tables)}

    simple("the second round first", "in", "round.order", 15, "olga", "pair", pair(byes=[1], round_=2))
    simple("the next round while one runs", "slip", "round.order", 15, "olga", "pair", pair(byes=[1], round_=2))
    simple("a pairing changed without a correction", "slip", "round.order", 15, "olga", "pair", pair(byes=[1]))
    simple("more rounds than the terms have", "close", "round.order", 15, "olga", "pair", pair(byes=[1], round_=3))
    simple("a start of what is not paired", "in", "round.order", 15, "olga", "start", {"minutes": 50, "round": 1})
    simple("a start of another round", "start", "round.order", 15, "olga", "start", {"minutes": 50, "round": 2})
    simple("a second start", "slip", "round.order", 15, "olga", "start", {"minutes": 50, "round": 1})
    simple("a call before the round", "start", "round.state", 16, "p1", "call",
           {"round": 1, "table": 11, "text": ""})  # fmt: skip
    simple("a correction of a round that ended", "seal", "round.state", 16, "olga", "correct-pairing",
           {"cancelled": [11], "round": 1, "tables": [], **WHY})  # fmt: skip
    simple("a pause of a round that is over", "seal", "round.state", 16, "olga", "pause",
           {"minutes": 5, "round": 1, **WHY})  # fmt: skip
    simple("dice by hand when the round is over", "seal", "round.state", 16, "dana", "by-hand",
           {"round": 1, "table": 11, "text": "x"})  # fmt: skip
    simple("dice by hand at no table", "slip", "table.unknown", 17, "dana", "by-hand",
           {"round": 1, "table": 12, "text": "x"})  # fmt: skip
    simple("a table that is not in the round", "slip", "table.unknown", 17, "dana", "extend",
           {"minutes": 5, "round": 1, "table": 12, **WHY})  # fmt: skip
    simple("a table twice", "in", "pairing.table", 18, "olga", "pair", pair(table(1, [1]), table(1, [2])))
    simple("a table that is there already", "start", "pairing.table", 18, "olga", "pair", pair(table(11, [5])))
    simple("too many at a table", "in", "pairing.table", 18, "olga", "pair",
           pair(table(1, *([[n, n + 1, n + 2, n + 3, n + 4] for n in range(10, 50, 6)]))))  # fmt: skip
    simple("32 at a table who are not here", "in", "pairing.player", 19, "olga", "pair",
           pair(table(1, *([n, n + 1, n + 2, n + 3] for n in range(10, 42, 4)))))  # fmt: skip
    simple("a correction with a table twice", "slip", "pairing.table", 18, "olga", "correct-pairing",
           {"cancelled": [11], "round": 1, "tables": [table(15, [1]), table(15, [2])], **WHY})  # fmt: skip
    simple("a table that is cancelled twice", "slip", "pairing.table", 18, "olga", "correct-pairing",
           {"cancelled": [11, 11], "round": 1, "tables": [], **WHY})  # fmt: skip
    simple("a cancelled table that is none", "slip", "pairing.table", 18, "olga", "correct-pairing",
           {"cancelled": [12], "round": 1, "tables": [], **WHY})  # fmt: skip
    simple("a table that is cancelled and replaced", "slip", "pairing.table", 18, "olga", "correct-pairing",
           {"cancelled": [11], "round": 1, "tables": [table(11, [1], [2])], **WHY})  # fmt: skip
    simple("a player at two tables", "in", "pairing.player", 19, "olga", "pair", pair(table(1, [1], [1])))
    simple("a player with a bye and a table", "in", "pairing.player", 19, "olga", "pair", pair(table(1, [1]), byes=[1]))
    simple("a player who is not here", "in", "pairing.player", 19, "olga", "pair", pair(table(1, [1], [5])))
    simple("a player whom a line before has paired", "start", "pairing.player", 19, "olga", "pair",
           pair(table(15, [1])))  # fmt: skip
    simple("a correction that seats somebody twice", "slip", "pairing.player", 19, "olga", "correct-pairing",
           {"cancelled": [], "round": 1, "tables": [table(15, [1], [3])], **WHY})  # fmt: skip
    simple("a start by who had not seen the pairings", "start", "round.unseen", 20, "olga", "start",
           {"minutes": 50, "round": 1}, upon="before")  # fmt: skip
    simple("games of a line that opens none", "opened", "table.line", 21, None, "opened",
           {"games": [{"game": game("x"), "table": 11}], "line": 1})  # fmt: skip
    simple("a table opened twice", "call", "table.line", 21, None, "opened",
           lambda w: {"games": [{"game": game("x"), "table": 11}], "line": AT["start"]})  # fmt: skip
    simple("one game for two tables", "opened", "table.line", 21, None, "opened",
           lambda w: {"games": [{"game": game("x"), "table": t} for t in (11, 14)], "line": AT["start"]})  # fmt: skip
    simple("a table twice in one act", "opened", "table.line", 21, None, "opened",
           lambda w: {"games": [{"game": game(each), "table": 11} for each in "xy"], "line": AT["start"]})  # fmt: skip
    simple("a game that another table has", "opened 2", "table.line", 21, None, "opened",
           lambda w: {"games": [{"game": game(f"{AT['start']} 11"), "table": 12}],
                      "line": AT["start 2"]})  # fmt: skip
    simple("a game that was not opened is sealed", "end", "table.seal", 28, None, "seal",
           {"games": [{"game": game("x"), "root": ZEROS, "size": 3, "table": 11}], "round": 1})  # fmt: skip
    simple("a game of another table is sealed", "end", "table.seal", 28, None, "seal",
           lambda w: {"games": [{"game": game(f"{AT['start']} 14"), "root": ZEROS, "size": 3, "table": 11}],
                      "round": 1})  # fmt: skip
    simple("a seal that goes back", "drop", "table.seal", 28, None, "seal",
           lambda w: {"games": [{"game": game(f"{AT['start']} 11"), "root": ZEROS, "size": 9, "table": 11}],
                      "round": 1})  # fmt: skip
    simple("a seal twice in one act", "end", "table.seal", 28, None, "seal",
           lambda w: {"games": [{"game": game(f"{AT['start']} 11"), "root": ZEROS, "size": 30, "table": 11}] * 2,
                      "round": 1})  # fmt: skip
    simple("an end with a table that is open", "slip", "round.left", 30, "olga", "end", {"left": [], "round": 1})
    simple("an end that leaves a table with a result", "end", "round.left", 30, "olga", "end",
           {"left": [{"table": 11, **WHY}], "round": 1})  # fmt: skip
    simple("an end that leaves a table twice", "slip", "round.left", 30, "olga", "end",
           {"left": [{"table": t, **WHY} for t in (11, 14, 14)], "round": 1})  # fmt: skip
    simple("an end that leaves a table that is not there", "slip", "table.unknown", 17, "olga", "end",
           {"left": [{"table": t, **WHY} for t in (11, 12, 14)], "round": 1})  # fmt: skip
    simple("a close while a round runs", "slip", "round.running", 31, "olga", "close", {})
    simple("a line behind the close", "after", "event.closed", 7, "olga", "close", {})


def _tables() -> None:
    simple("a call from another table", "slip", "act.seat", 22, "p3", "call", {"round": 1, "table": 11, "text": ""})
    simple("a slip from another table", "slip", "act.seat", 22, "p3", "slip",
           {"round": 1, "sides": won(2, 0), "table": 11})  # fmt: skip
    simple("an answer to nothing", "slip", "call.unknown", 23, "dana", "answer", {"call": 1, "text": "yes"})
    simple("an answer to an answer", "appeal", "call.unknown", 23, "dana", "answer",
           lambda w: {"call": AT["answer"], "text": "yes"})  # fmt: skip
    simple("a second answer", "slip", "call.unknown", 23, "dana", "answer",
           lambda w: {"call": AT["call"], "text": "no"})  # fmt: skip
    simple("an appeal of nothing", "slip", "call.unknown", 23, "p1", "appeal", {"answer": 1, "text": ""})
    simple("an appeal of a call", "answer", "call.unknown", 23, "p1", "appeal",
           lambda w: {"answer": AT["call"], "text": ""})  # fmt: skip
    simple("an appeal of what an appeal has decided", "slip", "call.unknown", 23, "p1", "appeal",
           lambda w: {"answer": AT["appeal"] + 1, "text": ""})  # fmt: skip
    simple("an appeal of what was appealed", "slip", "call.unknown", 23, "p1", "appeal",
           lambda w: {"answer": AT["answer"], "text": ""})  # fmt: skip
    simple("an appeal that a judge answers", "appealed", "call.head", 24, "dana", "answer",
           lambda w: {"call": AT["appeal"], "text": "no"})  # fmt: skip
    simple("a slip where a result stands", "end", "slip.stands", 25, "p1", "slip",
           {"round": 1, "sides": won(2, 0), "table": 11})  # fmt: skip
    simple("an agreement to what stands", "end", "slip.stands", 25, "p2", "agree", lambda w: {"slip": AT["slip"]})
    simple("a correction of no result", "slip", "slip.stands", 25, "henry", "correct-result",
           {"round": 1, "sides": won(2, 0), "table": 11, **WHY})  # fmt: skip
    simple("a slip with a side too many", "slip", "slip.form", 26, "p1", "slip",
           {"round": 1, "sides": won(2, 0, 0), "table": 11})  # fmt: skip
    simple("a slip with points that nobody asked for", "slip", "slip.form", 26, "p1", "slip",
           {"round": 1, "sides": [{"points": 2}, {"points": 0}], "table": 11})  # fmt: skip
    simple("a slip with one side as it should be", "slip", "slip.form", 26, "p1", "slip",
           {"round": 1, "sides": [{"won": 2}, {"points": 0}], "table": 11})  # fmt: skip
    simple("a player's slip with a reason", "slip", "slip.form", 26, "p1", "slip",
           {"round": 1, "sides": won(2, 0), "table": 11, **WHY})  # fmt: skip
    simple("a corrected result with a side too many", "end", "slip.form", 26, "henry", "correct-result",
           {"round": 1, "sides": won(1, 2, 0), "table": 11, **WHY})  # fmt: skip
    simple("a judge's slip without a reason", "slip", "slip.form", 26, "dana", "slip",
           {"round": 1, "sides": won(2, 0), "table": 11})  # fmt: skip
    simple("a slip that one player signs twice", "agree", "slip.side", 27, "p1", "agree",
           lambda w: {"slip": AT["slip"]})  # fmt: skip
    simple("an agreement to no slip", "agree", "slip.side", 27, "p2", "agree", {"slip": 1})


@case("the same act again", "in", "act.again", "E6")
def _again(w: EventWriter) -> None:
    # The keeper puts the last act, which it has, in a second line.
    w.put(w.line("check-in", json.loads(w.lines[-1])["body"]))


@case("an act that the keeper put in too late", "in", "act.upon", "E4")
def _late(w: EventWriter) -> None:
    late = w.act("p1", "drop", {"number": 1, **WHY})
    for at in range(oracle.BEHIND + 1):
        w.write("dana", "penalty", {"number": 2, "penalty": "warning", "text": f"{at}"})
    w.put(w.line("drop", late))


@case("an act that the keeper changed", "in", "act.signature", "E5")
def _changed(w: EventWriter) -> None:
    body = w.act("p1", "drop", {"number": 1, "reason": "a train"})
    w.put(w.line("drop", {**body, "act": {"number": 1, "reason": "I give up"}}))


@case("a claim code of somebody else", "in", "player.claim", "E14")
def _code(w: EventWriter) -> None:
    w.write("olga", "register", {"players": [{**registered(1), "number": 9, "claim": game("claim")}]})
    w.write("p9", "check-in", {**check_in(w, 1, key_of("p9")), "number": 9})


@case("a check-in that the keeper signed", "in", "act.author", "E2")
def _keepers(w: EventWriter) -> None:
    w.write("hall", "check-in", {"key": key_of("p5"), "number": 5})


@case("somebody is dismissed twice", "in", "appoint.person", "E9")
def _dismissed_twice(w: EventWriter) -> None:
    for _ in range(2):
        w.write("olga", "dismiss", {"name": "dana", **WHY})


@case("the last of two organizers is dismissed", "in", "appoint.person", "E9")
def _last_of_two(w: EventWriter) -> None:
    w.write("olga", "appoint", {"key": key_of("oscar"), "role": "organizer"})
    for name in ("oscar", "olga"):
        w.write("olga", "dismiss", {"name": name, **WHY})


@case("a second drop", "in", "player.state", "E12")
def _dropped_twice(w: EventWriter) -> None:
    for _ in range(2):
        w.write("p1", "drop", {"number": 1, **WHY})


@case("a start of a round without a table", "in", "round.order", "E15")
def _no_table(w: EventWriter) -> None:
    w.write("olga", "pair", {"byes": [1], "round": 1, "tables": []})
    w.write("olga", "start", {"minutes": 50, "round": 1})


@case("an appeal that another judge answers", "appealed", "call.head", "E24")
def _another_judge(w: EventWriter) -> None:
    w.write("olga", "appoint", {"key": key_of("judy"), "role": "judge"})
    w.write("judy", "answer", {"call": AT["appeal"], "text": "no"})


@case("an appeal that a head answers whose answer it is about", "answer", "call.head", "E24")
def _own_answer(w: EventWriter) -> None:
    answer = w.write("henry", "answer", {"call": AT["call"], "text": "the roll stands"})
    appeal = w.write("p1", "appeal", {"answer": answer, "text": ""})
    w.write("henry", "answer", {"call": appeal, "text": "it stands"})


@case("a penalty that was replaced", "in", "penalty.unknown", "E29")
def _penalty_replaced(w: EventWriter) -> None:
    line = w.write("dana", "penalty", {"number": 4, "penalty": "warning", "text": "late"})
    for penalty in ("game-loss", "match-loss"):
        w.write("henry", "correct-penalty", {"line": line, "penalty": penalty, **WHY})


@case("a paired player whose penalty became a disqualification", "in", "pairing.player", "E19")
def _penalty_raised(w: EventWriter) -> None:
    line = w.write("dana", "penalty", {"number": 4, "penalty": "warning", "text": "marked dice"})
    w.write("henry", "correct-penalty", {"line": line, "penalty": "disqualification", **WHY})
    w.write("olga", "pair", {"byes": [], "round": 1, "tables": [table(1, [1], [4])]})


@case("a slip that one of three sides has not signed", "in", "round.left", "E30")
def _three_sides(w: EventWriter) -> None:
    w.write("olga", "pair", {"byes": [], "round": 1, "tables": [table(1, [1], [2], [3])]})
    w.write("olga", "start", {"minutes": 50, "round": 1})
    w.write("p1", "slip", {"round": 1, "sides": won(2, 0, 0), "table": 1})
    w.write("p2", "agree", {"slip": len(w.lines) - 1})
    w.write("olga", "end", {"left": [], "round": 1})


@case("an agreement to a slip of a table that is gone", "agree", "slip.side", "E27")
def _cancelled(w: EventWriter) -> None:
    w.write("olga", "correct-pairing", {"cancelled": [11], "round": 1, "tables": [], **WHY})
    w.write("p2", "agree", {"slip": AT["slip"]})


@case("an agreement to a slip of a table at which somebody else sits now", "agree", "slip.side", "E27")
def _reseated(w: EventWriter) -> None:
    changed = {"byes": [2], "cancelled": [], "round": 1, "tables": [table(11, [1])], **WHY}
    w.write("olga", "correct-pairing", changed)
    w.write("p2", "agree", {"slip": AT["slip"]})


@case("a dismissed judge", "slip", "act.author", "E2")
def _dismissed(w: EventWriter) -> None:
    w.write("olga", "dismiss", {"name": "dana", **WHY})
    w.write("dana", "extend", {"minutes": 5, "round": 1, "table": 11, **WHY})


@case("an old key after its owner got a new one", "slip", "act.signature", "E5")
def _old_key(w: EventWriter) -> None:
    w.write("olga", "correct-key", {"key": key_of("p1", "p1 new"), "number": 1, **WHY})
    w.write("p1", "slip", {"round": 1, "sides": won(2, 0), "table": 11})


@case("an agreement to a slip that a later one replaced", "agree", "slip.side", "E27")
def _replaced(w: EventWriter) -> None:
    w.write("p1", "slip", {"round": 1, "sides": won(2, 0), "table": 11})
    w.write("p2", "agree", {"slip": AT["slip"]})


@case("an agreement to a slip of a table that was changed", "agree", "slip.side", "E27")
def _gone(w: EventWriter) -> None:
    changed = {"cancelled": [], "round": 1, "tables": [table(11, [1], [2])], **WHY}
    w.write("olga", "correct-pairing", changed)
    w.write("p2", "agree", {"slip": AT["slip"]})


@case("a paired player who was disqualified", "in", "pairing.player", "E19")
def _disqualified(w: EventWriter) -> None:
    w.write("dana", "penalty", {"number": 4, "penalty": "disqualification", "text": "marked dice"})
    w.write("olga", "pair", {"byes": [], "round": 1, "tables": [table(1, [1], [4])]})


@case("a line that another key signed", "in", "signature.invalid", None, "file")
def _stranger(w: EventWriter) -> None:
    w.put(w.line("close", w.act("olga", "close", {}), signer="mallory"))


@case("a line with the label of a game's events", "in", "signature.invalid", None, "file")
def _label(w: EventWriter) -> None:
    w.put(w.line("close", w.act("olga", "close", {}), label=ref.EVENT_LABEL))


@case("a line that the organizer writes herself", "in", "author.unknown", None, "file")
def _organizer(w: EventWriter) -> None:
    w.put(w.line("close", w.act("olga", "close", {}), keeper="olga"))


@case("a line that the keeper signs in another's name", "in", "author.unknown", None, "file")
def _another(w: EventWriter) -> None:
    w.put(w.line("close", w.act("olga", "close", {}), keeper="olga", signer="hall"))


@case("a line that was taken out", "in", "chain.seq", None, "file")
def _cut(w: EventWriter) -> None:
    w.write("p1", "drop", {"number": 1, **WHY})
    w.write("p2", "drop", {"number": 2, **WHY})
    del w.lines[-2]


@case("a line upon another", "in", "chain.prev", None, "file")
def _swapped(w: EventWriter) -> None:
    w.put(w.line("close", w.act("olga", "close", {}), prev=ref.secret_of("z").hex()))


@case("a line of another event", "in", "chain.game", None, "file")
def _other(w: EventWriter) -> None:
    w.put(w.line("close", w.act("olga", "close", {}), game=ref.secret_of("z").hex()))


@case("a date before the line before", "in", "time.backwards", None)
def _date(w: EventWriter) -> None:
    w.put(w.line("close", w.act("olga", "close", {}), time="2026-11-20T08:59:59.999Z"))


@case("a type that there is not", "in", "type.unknown", None)
def _type(w: EventWriter) -> None:
    w.write("olga", "standings", {})


@case("a keeper's line with an author", "in", "body.malformed", None)
def _signed(w: EventWriter) -> None:
    w.write("olga", "opened", {"games": [{"game": game("x"), "table": 1}], "line": 1})


for about_, members_ in (
    ("a table number of 0", {"byes": [], "round": 1, "tables": [table(0, [1])]}),
    ("a table number of 10,000", {"byes": [], "round": 1, "tables": [table(10_000, [1])]}),
    ("nine sides", {"byes": [], "round": 1, "tables": [table(1, *([n] for n in range(1, 10)))]}),
    ("a side of nobody", {"byes": [], "round": 1, "tables": [table(1, [])]}),
    ("round 201", {"byes": [1], "round": 201, "tables": []}),
    ("player 5,001", {"byes": [5_001], "round": 1, "tables": []}),
    ("a member too many", {"byes": [1], "round": 1, "tables": [], "x": 1}),
    ("a member too few", {"round": 1, "tables": []}),
):
    CASES.append((about_, "in", "body.malformed", None, "hall",
                  lambda w, m=members_: w.write("olga", "pair", m) and None))  # type: ignore[misc] # fmt: skip
_terms()
_people()
_rounds()
_tables()


HOLDS: list[tuple[str, str, Make]] = []
"""what just holds: about, where, and what writes the lines"""


def holds(about: str, where: str) -> Callable[[Make], Make]:
    def register(make: Make) -> Make:
        HOLDS.append((about, where, make))
        return make

    return register


@holds("players without a claim code", "in")
def _codeless(w: EventWriter) -> None:
    w.write("olga", "register", {"players": [{**registered(n, claim=False), "number": n + 5} for n in (1, 2)]})
    w.write("olga", "register", {"players": [{**registered(3, claim=False), "number": 8}]})


@holds("a penalty that is changed twice", "in")
def _penalized(w: EventWriter) -> None:
    line = w.write("dana", "penalty", {"number": 4, "penalty": "warning", "text": "late"})
    for penalty in ("game-loss", "match-loss"):
        line = w.write("henry", "correct-penalty", {"line": line, "penalty": penalty, **WHY})
    w.write("olga", "pair", {"byes": [4], "round": 1, "tables": []})


@holds("a player who dropped, was disqualified and is back", "in")
def _back(w: EventWriter) -> None:
    w.write("p4", "drop", {"number": 4, **WHY})
    w.write("dana", "penalty", {"number": 4, "penalty": "disqualification", "text": "marked dice"})
    w.write("henry", "correct-drop", {"number": 4, **WHY})
    w.write("olga", "pair", {"byes": [4], "round": 1, "tables": []})


@holds("two lines of one moment", "in")
def _at_once(w: EventWriter) -> None:
    body = w.act("p1", "drop", {"number": 1, **WHY})
    w.put(w.line("drop", body, time=json.loads(w.lines[-1])["time"]))


@holds("an event without a round", "in")
def _no_round(w: EventWriter) -> None:
    w.write("olga", "close")


@holds("an act that is just not too late", "in")
def _just_in_time(w: EventWriter) -> None:
    act = w.act("p1", "drop", {"number": 1, **WHY})
    for at in range(oracle.BEHIND - 1):
        w.write("dana", "penalty", {"number": 2, "penalty": "warning", "text": f"{at}"})
    w.put(w.line("drop", act))


@holds("teams at the last table", "in")
def _teams(w: EventWriter) -> None:
    w.write("olga", "pair", {"byes": [], "round": 1, "tables": [table(9_999, [1, 2], [3, 4])]})
    w.write("olga", "start", {"minutes": 1_440, "round": 1})
    w.write("p1", "slip", {"round": 1, "sides": won(99, 0), "table": 9_999})
    w.write("p4", "agree", {"slip": len(w.lines) - 1})
    w.write("olga", "end", {"left": [], "round": 1})


@holds("a table with one side", "in")
def _alone(w: EventWriter) -> None:
    w.write("olga", "pair", {"byes": [2, 3, 4], "round": 1, "tables": [table(1, [1])]})
    w.write("olga", "start", {"minutes": 1, "round": 1})
    w.write("p1", "slip", {"round": 1, "sides": won(1), "table": 1})
    w.write("olga", "end", {"left": [], "round": 1})
    w.write("olga", "close")


@holds("a round in two lines", "in")
def _in_parts(w: EventWriter) -> None:
    w.write("olga", "pair", {"byes": [1], "round": 1, "tables": [table(2, [2], [3])]})
    w.write("olga", "pair", {"byes": [4], "round": 1, "tables": []})
    w.write("olga", "start", {"minutes": 1, "round": 1})


def _keep(where: str, size: int) -> int:
    """How many lines of the whole event stand before the line of a case."""
    special = {"first": 0, "in": AT["in"], "after": size, "close": size - 1}
    special |= {"appealed": AT["appeal"] + 1, "drop": AT["seal"] + 1}
    return special.get(where, AT.get(where, 0))


def made(w: EventWriter) -> Iterator[tuple[str, int, EventWriter, Finding | None]]:
    """All cases: about, the lines of the whole event `w` before their own, the log, and what the oracle finds."""
    for about, where, code, rule, fault, make in CASES:
        keep = _keep(where, len(w.lines))
        part = w.copy(keep)
        if about.startswith("a start by who"):
            part.write("olga", "start", {"minutes": 50, "round": 1}, upon=leaf(part.lines[keep - 2]).hex())
        else:
            make(part)
        _, found = oracle.verify(part.data)
        assert found, about
        (error,) = found
        assert (error.code, error.clause, error.fault) == (code, rule, fault), (about, error)
        assert error.seq == len(part.lines) - 1 or code.startswith("chain"), (about, error)
        yield about, keep, part, error
    for about, where, make in HOLDS:
        keep = _keep(where, len(w.lines))
        part = w.copy(keep)
        make(part)
        assert oracle.verify(part.data)[1] == [], about
        yield about, keep, part, None


def vectors() -> dict[str, Any]:
    """The file. Cases of more than a hundred lines are made by the tests and not kept."""
    w = whole()
    event, errors = oracle.verify(w.data)
    assert not errors, errors
    cases = [_entry(about, keep, part, error) for about, keep, part, error in made(w) if len(part.lines) < 100]
    tables = [
        {"line": line, "table": t, "event": oracle.event_zero(event, line, t)}
        for line, opening in event.openings.items()
        for t in opening["keys"]
    ]
    return {
        "about": "specs/event.md: `event` is a whole event, line by line. Each case keeps so many of its lines, and "
        "goes on with its own; the first line that does not hold, its code, rule and fault are in `error`.",
        "event": [line.decode() for line in w.lines],
        "root": ref.root([leaf(line) for line in w.lines]).hex(),
        "tables": tables,
        "cases": cases,
    }


def _entry(about: str, keep: int, part: EventWriter, error: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {"about": about, "keep": keep, "lines": [line.decode() for line in part.lines[keep:]]}
    entry["error"] = None
    if error is not None:
        entry["error"] = {"code": error.code, "seq": error.seq, "fault": error.fault, "clause": error.clause}
        entry["error"]["step"] = error.step
    return entry


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the vectors of event logs.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file differs")
    arguments = parser.parse_args()
    data = pretty(vectors())
    if FILE.exists() and FILE.read_bytes() == data:
        return 0
    print(FILE.name)
    if not arguments.check:
        FILE.write_bytes(data)
    return int(arguments.check)


if __name__ == "__main__":
    sys.exit(main())
