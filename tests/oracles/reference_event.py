"""specs/event.md restated: an event log, line by line, and event 0 of its tables.

Written from the page alone, and slow; it shares no code with the packages that it judges. Whether the options are such
as the system has, receipts and policies are not looked at here, and of a bundle only which acts its tables have.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from tests.oracles import reference as ref
from tests.oracles.reference import Finding, Flaw, Malformed, is_hex, is_int, is_name, is_text, is_time

FORMAT = "rollproof/event/v1"
LINE = b"rollproof/v1/event log\n"
ACT = ref.ACT_LABEL
CLAIM = b"rollproof/v1/claim\n"
TABLE = b"rollproof/v1/event table\n"
BEHIND = 1_024
STEP = 29
STAFF = {"organizer", "head", "judge"}
RESULTS = {"won": (0, 99), "drawn": (0, 99), "conceded": (0, 1), "points": (-1_000_000, 1_000_000)}
PENALTIES = {"warning", "game-loss", "match-loss", "disqualification"}
KEEPERS = {"opened", "seal"}

# "Acts": who writes a type, and its members; those behind the bar are optional.
TABLE_OF_ACTS = """
open first away? contributors event keeper nonce options organizers results rounds system title
appoint organizer key role
dismiss organizer name reason
register organizer players
check-in player,staff claim? key number tablet?
drop player,staff number reason
pair organizer byes round tables
start organizer minutes round
opened keeper games line
extend staff minutes reason round table
pause organizer,head minutes reason round
by-hand staff round table text
call player round table text
answer staff call text
appeal player answer text
slip player,staff reason? round sides table
agree player slip
penalty staff number penalty text
correct-pairing organizer byes? cancelled reason round tables
correct-result organizer,head reason round sides table
correct-penalty organizer,head line penalty? reason
correct-drop organizer,head number reason
correct-key organizer key number reason
seal keeper games round
end organizer left round
close organizer
"""
WRITERS: dict[str, set[str]] = {}
MEMBERS: dict[str, list[str]] = {}
for row in TABLE_OF_ACTS.strip().splitlines():
    kind, who, *names = row.split()
    WRITERS[kind] = {role for each in who.split(",") for role in (STAFF if each == "staff" else {each})}
    MEMBERS[kind] = names


def is_list(value: object, item: Any, low: int, high: int) -> bool:
    return isinstance(value, list) and low <= len(value) <= high and all(map(item, value))


def has(value: object, **members: Any) -> bool:
    """An object with exactly these members, each of its kind; `_` behind a name: it may be missing."""
    if not isinstance(value, dict):
        return False
    kinds = {name.removesuffix("_"): (kind, name.endswith("_")) for name, kind in members.items()}
    if set(value) - set(kinds) or any(name not in value and not optional for name, (_, optional) in kinds.items()):
        return False
    return all(kinds[name][0](each) for name, each in value.items())


def number(value: object) -> bool:
    return is_int(value, 1, 5_000)


def table_number(value: object) -> bool:
    return is_int(value, 1, 9_999)


def reason(value: object) -> bool:
    return is_text(value, required=True)


def string(value: object) -> bool:
    return isinstance(value, str)


def hash_(value: object) -> bool:
    return is_hex(value, 32)


def a_line(value: object) -> bool:
    return is_int(value, 0)


def pairing(value: object) -> bool:
    return has(value, sides=lambda v: is_list(v, lambda s: is_list(s, number, 1, 8), 1, 8), table=table_number)


def side(value: object) -> bool:
    return isinstance(value, dict) and all(n in RESULTS and is_int(v, *RESULTS[n]) for n, v in value.items())


def right_member(kind: str, name: str, v: Any) -> bool:  # noqa: C901
    match name:
        case "away":
            return bool(v == "others")
        case "contributors":
            return v in ("all", "roller")
        case "event" | "keeper" | "key" | "system":
            return string(v)
        case "nonce":
            return hash_(v)
        case "options":
            return isinstance(v, dict)
        case "organizers":
            return is_list(v, string, 1, 8)
        case "results":
            return is_list(v, lambda each: each in list(RESULTS), 1, 4)
        case "rounds" | "round":
            return is_int(v, 1, 200)
        case "title":
            return is_text(v, required=True) and len(v) <= 400
        case "role":
            return v in ("organizer", "head", "judge")
        case "name":
            return is_name(v)
        case "reason":
            return reason(v)
        case "text":
            return is_text(v, required=kind in ("answer", "penalty", "by-hand"))
        case "tablet":
            return is_text(v, required=True)
        case "players":
            return is_list(v, lambda each: has(each, claim_=hash_, name=hash_, number=number), 1, 300)
        case "claim":
            return is_hex(v, 64)
        case "number":
            return number(v)
        case "byes":
            return is_list(v, number, 0, 1_000)
        case "tables":
            return is_list(v, pairing, 0, 600)
        case "minutes":
            return is_int(v, 1, 1_440 if kind == "start" else 600)
        case "games" if kind == "opened":
            return is_list(v, lambda each: has(each, game=hash_, table=table_number), 1, 300)
        case "games":
            size = lambda each: is_int(each, 1)  # noqa: E731
            return is_list(v, lambda each: has(each, game=hash_, root=hash_, size=size, table=table_number), 1, 300)
        case "table":
            return table_number(v)
        case "sides":
            return is_list(v, side, 1, 8)
        case "penalty":
            return v in list(PENALTIES)
        case "cancelled":
            return is_list(v, table_number, 0, 600)
        case "left":
            return is_list(v, lambda each: has(each, reason=reason, table=table_number), 0, 600)
    return a_line(v)  # line, call, answer, slip


def right_body(kind: str, body: Any) -> bool:
    if kind in KEEPERS:
        outer = has(body, act=lambda v: isinstance(v, dict))
    else:
        outer = has(
            body,
            act=lambda v: isinstance(v, dict),
            at=is_time,
            by=is_name,
            sig=lambda v: is_hex(v, 64),
            upon=hash_,
        )
    if not outer:
        return False
    act, names = body["act"], [name.removesuffix("?") for name in MEMBERS[kind]]
    needed = {name for name in MEMBERS[kind] if not name.endswith("?")}
    return needed <= set(act) <= set(names) and all(right_member(kind, name, v) for name, v in act.items())


@dataclass
class Table:
    sides: list[list[int]]
    line: int | None = None
    slips: list[int] = field(default_factory=list)
    claim: dict[str, Any] | None = None
    result: list[dict[str, int]] | None = None
    by: str | None = None


@dataclass
class Round:
    tables: dict[int, Table] = field(default_factory=dict)
    byes: list[int] = field(default_factory=list)
    state: str = "pairing"
    paired: int = 0


@dataclass
class Event:
    """An event as far as it was verified."""

    id: str = ""
    terms: dict[str, Any] = field(default_factory=dict)
    keeper: tuple[str, bytes] = ("", b"")
    staff: dict[str, dict[str, Any]] = field(default_factory=dict)
    public: set[bytes] = field(default_factory=set)
    players: dict[int, dict[str, Any]] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    openings: dict[int, dict[str, Any]] = field(default_factory=dict)
    games: dict[str, tuple[int, int]] = field(default_factory=dict)
    sealed: dict[str, int] = field(default_factory=dict)
    calls: dict[int, dict[str, Any]] = field(default_factory=dict)
    penalties: dict[int, tuple[int, str]] = field(default_factory=dict)
    closed: bool = False
    acts: list[tuple[str, bytes]] = field(default_factory=list)
    """of each line its type and its body in canonical form"""
    leaves: list[str] = field(default_factory=list)
    signed: list[bytes] = field(default_factory=list)
    time: str = ""

    def role(self, name: str) -> str | None:
        if name in self.staff:
            person = self.staff[name]
            return None if person["gone"] else str(person["role"])
        player = self.player(name)
        return None if player is None or player["key"] is None else "player"

    def player(self, name: str) -> dict[str, Any] | None:
        return next((p for n, p in self.players.items() if name == f"p{n}"), None)

    def round(self, at: int) -> Round | None:
        return self.rounds[at - 1] if at <= len(self.rounds) else None


def need(holds: object, rule: int, code: str) -> None:
    if not holds:
        raise Flaw(STEP, code, f"E{rule}")


def is_players(name: str) -> bool:
    return re.fullmatch("p[0-9]+", name) is not None


def verify(data: bytes) -> tuple[Event, list[Finding]]:
    """The event as far as it holds, and the error, if there is one."""
    e, lines = Event(), ref.split(data)
    for at, line in enumerate(lines):
        try:
            take(e, at, line)
        except Flaw as flaw:
            fault = "file"
            outside = flaw.step <= 7 or flaw.step in (11, 12)
            if at and not outside and keeper_signed(e, line.rstrip(b"\n")):
                fault = e.keeper[0]
            return e, [Finding(flaw.code, "error", flaw.step, at, fault, flaw.clause)]
    return e, []


def keeper_signed(e: Event, line: bytes) -> bool:
    event = json.loads(line)
    rest = {name: value for name, value in event.items() if name != "sig"}
    return event["author"] == e.keeper[0] and ref.signature_fits(
        e.keeper[1], bytes.fromhex(event["sig"]), LINE + ref.canonical(rest)
    )


def take(e: Event, at: int, line: bytes) -> None:  # noqa: C901
    """One line: the steps in their order."""
    if at == 0:
        first_line(line.rstrip(b"\n"))
    if not line.endswith(b"\n"):
        raise Flaw(4, "line.unterminated")
    line = line[:-1]
    if len(line) > ref.MAX_LINE:
        raise Flaw(4, "line.too-long")
    try:
        event = ref.read_event(line)
    except Malformed:
        raise Flaw(5, "line.malformed") from None
    if not ref.is_canonical(line, event):
        raise Flaw(6, "line.not-canonical")
    if event["seq"] != at:
        raise Flaw(7, "chain.seq")
    if event["game"] != (e.id or ref.ZEROS):
        raise Flaw(7, "chain.game")
    if event["prev"] != (e.leaves[-1] if e.leaves else ref.ZEROS):
        raise Flaw(7, "chain.prev")
    kind, body = event["type"], event["body"]
    if kind not in MEMBERS:
        raise Flaw(8, "type.unknown")
    if not right_body(kind, body):
        raise Flaw(9, "body.malformed")
    leaf = ref.leaf(line).hex()
    act, by = body["act"], body.get("by")
    if (kind == "open") != (at == 0):
        raise Flaw(10, "open.terms", "E1")
    if at == 0:
        read_terms(e, event)
    if event["author"] != e.keeper[0]:
        raise Flaw(11, "author.unknown")
    if not keeper_signed(e, line):
        raise Flaw(12, "signature.invalid")
    if event["time"] < e.time:
        raise Flaw(14, "time.backwards")
    need(not e.closed, 7, "event.closed")
    message = b""
    if kind not in KEEPERS:
        message = check_act(e, event, body)
    upon = e.leaves.index(body["upon"]) if at and kind not in KEEPERS else at
    if at:
        RULES[kind](e, act, by, at, event["time"], upon)
    else:
        e.id = leaf
    e.leaves.append(leaf)
    e.acts.append((kind, ref.canonical(body)))
    e.signed.append(message)
    e.time = event["time"]


def first_line(line: bytes) -> None:
    try:
        value = ref.plain_json(line)
        found = value["body"]["act"]["event"] if len(line) <= ref.MAX_LINE and value["type"] == "open" else None
    except (Malformed, KeyError, TypeError):
        found = None
    if not isinstance(found, str) or not found.startswith("rollproof/event/"):
        raise Flaw(1, "file.not-a-log")
    if found != FORMAT:
        raise Flaw(2, "file.version")


def read_terms(e: Event, event: dict[str, Any]) -> None:
    """E1."""
    act = event["body"]["act"]
    keys = [ref.parse_verifier_key(text) for text in (act["keeper"], *act["organizers"])]
    good = [key for key in keys if not isinstance(key, str)]
    right = (
        len(good) == len(keys)
        and len({name for name, _ in good}) == len(good)
        and len({public for _, public in good}) == len(good)
        and not any(is_players(name) for name, _ in good)
        and event["author"] == good[0][0]
        and event["body"]["by"] == good[1][0]
        and act["results"] == sorted(set(act["results"]))
    )
    if not right:
        raise Flaw(10, "open.terms", "E1")
    e.terms, e.keeper = act, good[0]
    for name, public in good[1:]:
        e.staff[name] = {"key": public, "text": ref.verifier_key(name, public), "role": "organizer", "gone": False}
    e.public = {public for _, public in good}


def check_act(e: Event, event: dict[str, Any], body: dict[str, Any]) -> bytes:
    """E2 to E6."""
    kind, act, by = event["type"], body["act"], body["by"]
    if kind == "check-in" and is_players(by):
        parsed = ref.parse_verifier_key(act["key"])
        good = not isinstance(parsed, str) and parsed[0] == by
        role, key = ("player", parsed[1]) if good and not isinstance(parsed, str) else (None, b"")
    else:
        role = e.role(by)
        person = e.staff.get(by) or e.player(by)
        key = person["key"] if role and person else b""
    need(role, 2, "act.author")
    writers = {"organizer"} if kind == "open" else WRITERS[kind]
    need(role in writers, 3, "act.role")
    need(role != "player" or kind not in ("check-in", "drop") or by == f"p{act['number']}", 3, "act.role")
    first = not e.leaves
    need(body["upon"] == ref.ZEROS if first else body["upon"] in e.leaves[-BEHIND:], 4, "act.upon")
    signed = {name: body[name] for name in ("act", "at", "by", "upon")}
    message = ref.act_message(e.id or ref.ZEROS, kind, signed)
    need(ref.signature_fits(key, bytes.fromhex(body["sig"]), message), 5, "act.signature")
    need(message not in e.signed[-BEHIND:], 6, "act.again")
    return message


# --- the rules of each type -------------------------------------------------------------------------------------


def appoint(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    parsed = ref.parse_verifier_key(act["key"])
    need(not isinstance(parsed, str), 8, "appoint.person")
    assert not isinstance(parsed, str)
    name, public = parsed
    taken = name in e.staff or name == e.keeper[0] or is_players(name) or public in e.public
    need(not taken, 8, "appoint.person")
    e.staff[name] = {"key": public, "text": act["key"], "role": act["role"], "gone": False}
    e.public.add(public)


def dismiss(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    person = e.staff.get(act["name"])
    rest = [p for p in e.staff.values() if p is not person and not p["gone"] and p["role"] == "organizer"]
    need(person is not None and not person["gone"] and rest, 9, "appoint.person")
    assert person is not None
    person["gone"] = True


def register(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    numbers = [p["number"] for p in act["players"]]
    claims = [p["claim"] for p in act["players"] if "claim" in p]
    known = [p["claim"] for p in e.players.values() if p["claim"] is not None]
    need(len(set(numbers)) == len(numbers) and not set(numbers) & set(e.players), 10, "player.number")
    need(len(set(claims)) == len(claims) and not set(claims) & set(known), 10, "player.number")
    for p in act["players"]:
        e.players[p["number"]] = {"claim": p.get("claim"), "key": None, "text": "", "state": "registered"}


def known(e: Event, act: Any) -> dict[str, Any]:
    need(act["number"] in e.players, 11, "player.unknown")
    return e.players[act["number"]]


def give_key(e: Event, player: dict[str, Any], act: Any, claim_holds: bool | None = None) -> None:
    parsed = ref.parse_verifier_key(act["key"])
    good = not isinstance(parsed, str) and parsed[0] == f"p{act['number']}" and parsed[1] not in e.public
    need(good, 13, "player.key")
    need(claim_holds is not False, 14, "player.claim")
    assert not isinstance(parsed, str)
    player["key"], player["text"] = parsed[1], act["key"]
    e.public.add(parsed[1])


def check_in(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    player = known(e, act)
    need(player["state"] == "registered", 12, "player.state")
    if by == f"p{act['number']}":
        message = CLAIM + ref.canonical({"event": e.id, "key": act["key"]})
        holds = player["claim"] is not None and "claim" in act and "tablet" not in act
        if holds:
            holds = ref.signature_fits(bytes.fromhex(player["claim"]), bytes.fromhex(act["claim"]), message)
    else:
        holds = "claim" not in act
    give_key(e, player, act, holds)
    player["state"] = "in"


def out(player: dict[str, Any]) -> None:
    if player["state"] != "dropped":
        player["before"], player["state"] = player["state"], "dropped"


def drop(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    player = known(e, act)
    need(player["state"] != "dropped", 12, "player.state")
    out(player)


def correct_drop(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    player = known(e, act)
    need(player["state"] == "dropped", 12, "player.state")
    player["state"] = player["before"]


def correct_key(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    player = known(e, act)
    need(player["state"] == "in", 12, "player.state")
    give_key(e, player, act)


def penalty(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    player = known(e, act)
    e.penalties[at] = act["number"], act["penalty"]
    if act["penalty"] == "disqualification":
        out(player)


def correct_penalty(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    need(act["line"] in e.penalties, 29, "penalty.unknown")
    who, _ = e.penalties.pop(act["line"])
    if "penalty" in act:
        penalty(e, {"number": who, "penalty": act["penalty"]}, by, at, time, upon)


def names_of(tables: Any) -> list[int]:
    return [n for each in tables for one in each["sides"] for n in one]


def check_tables(tables: Any) -> None:
    numbers = [each["table"] for each in tables]
    need(len(set(numbers)) == len(numbers), 18, "pairing.table")
    need(all(len(names_of([each])) <= 32 for each in tables), 18, "pairing.table")


def check_players(e: Event, whole: list[int], new: list[int]) -> None:
    need(len(set(whole)) == len(whole), 19, "pairing.player")
    need(all(n in e.players and e.players[n]["state"] == "in" for n in new), 19, "pairing.player")


def seated(round_: Round, without: set[int]) -> list[int]:
    return [n for t, table in round_.tables.items() if t not in without for one in table.sides for n in one]


def pair(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    latest = e.rounds[-1] if e.rounds else None
    pairing_now = latest is not None and latest.state == "pairing"
    due = len(e.rounds) + (0 if pairing_now else 1)
    free = latest is None or latest.state != "running"
    need(free and act["round"] == due and due <= e.terms["rounds"], 15, "round.order")
    round_ = latest if pairing_now and latest is not None else Round()
    check_tables(act["tables"])
    need(not {each["table"] for each in act["tables"]} & set(round_.tables), 18, "pairing.table")
    new = [*act["byes"], *names_of(act["tables"])]
    check_players(e, [*seated(round_, set()), *round_.byes, *new], new)
    if not pairing_now:
        e.rounds.append(round_)
    for each in act["tables"]:
        round_.tables[each["table"]] = Table(each["sides"])
    round_.byes = [*round_.byes, *act["byes"]]
    round_.paired = at


def opens(e: Event, number: int, tables: list[int], at: int, time: str) -> None:
    office = [p for p in e.staff.values() if not p["gone"]]
    judges = [p["text"] for p in office if p["role"] != "organizer"]
    organizers = [p["text"] for p in office if p["role"] == "organizer"][: ref.MAX_PARTIES]
    round_ = e.rounds[number - 1]
    keys = {t: [e.players[n]["text"] for one in round_.tables[t].sides for n in one] for t in tables}
    e.openings[at] = {"round": number, "time": time, "judges": judges, "keys": keys, "named": {}}
    e.openings[at]["organizers"] = organizers
    for t in tables:
        round_.tables[t].line = at


def start(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    round_ = e.round(act["round"])
    latest = round_ is not None and round_ is e.rounds[-1]
    need(latest and round_ and round_.state == "pairing" and round_.tables, 15, "round.order")
    assert round_ is not None
    need(upon >= round_.paired, 20, "round.unseen")
    round_.state = "running"
    opens(e, act["round"], list(round_.tables), at, time)


def opened(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    opening = e.openings.get(act["line"])
    tables, games = [g["table"] for g in act["games"]], [g["game"] for g in act["games"]]
    need(opening is not None, 21, "table.line")
    assert opening is not None
    right = all(t in opening["keys"] and t not in opening["named"] for t in tables)
    right &= len(set(tables)) == len(tables) and len(set(games)) == len(games) and not set(games) & set(e.games)
    need(right, 21, "table.line")
    for g in act["games"]:
        opening["named"][g["table"]] = g["game"]
        e.games[g["game"]] = act["line"], g["table"]


def running(e: Event, act: Any, *states: str) -> Round:
    round_ = e.round(act["round"])
    need(round_ is not None and round_.state in states, 16, "round.state")
    assert round_ is not None
    return round_


def table_of(e: Event, act: Any, *states: str) -> Table:
    round_ = running(e, act, *states)
    need(act["table"] in round_.tables, 17, "table.unknown")
    return round_.tables[act["table"]]


def side_of(table: Table, by: str) -> int:
    found = [i for i, one in enumerate(table.sides) if by in {f"p{n}" for n in one}]
    need(found, 22, "act.seat")
    return found[0]


def extend(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    table_of(e, act, "running")


def pause(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    running(e, act, "running")


def by_hand(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    table_of(e, act, "running")


def call(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    side_of(table_of(e, act, "running"), by)
    e.calls[at] = {"what": "call", "round": act["round"], "table": act["table"], "done": False}


def answer(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    found = e.calls.get(act["call"])
    need(found and found["what"] != "answer" and not found["done"], 23, "call.unknown")
    assert found is not None
    if found["what"] == "appeal":
        need(e.role(by) in ("head", "organizer") and e.calls[found["about"]]["by"] != by, 24, "call.head")
    found["done"] = True
    e.calls[at] = {**found, "what": "answer", "by": by, "done": found["what"] == "appeal"}


def appeal(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    found = e.calls.get(act["answer"])
    need(found and found["what"] == "answer" and not found["done"], 23, "call.unknown")
    assert found is not None
    tables = e.rounds[found["round"] - 1].tables
    need(found["table"] in tables, 17, "table.unknown")
    side_of(tables[found["table"]], by)
    found["done"] = True
    e.calls[at] = {"what": "appeal", "round": found["round"], "table": found["table"], "done": False}
    e.calls[at]["about"] = act["answer"]


def check_form(e: Event, table: Table, sides: Any) -> None:
    right = len(sides) == len(table.sides) and all(set(one) == set(e.terms["results"]) for one in sides)
    need(right, 26, "slip.form")


def slip(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    table = table_of(e, act, "running", "ended")
    staff = e.role(by) in STAFF
    mine = None if staff else side_of(table, by)
    need(table.result is None, 25, "slip.stands")
    check_form(e, table, act["sides"])
    need(staff == ("reason" in act), 26, "slip.form")
    table.slips.append(at)
    if staff or len(table.sides) == 1:
        table.result, table.by, table.claim = act["sides"], by, None
    else:
        table.claim = {"line": at, "sides": act["sides"], "signed": {mine}}


def agree(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    tables = [t for r in e.rounds for t in r.tables.values() if act["slip"] in t.slips]
    need(tables, 27, "slip.side")
    table = tables[0]
    mine = side_of(table, by)
    need(table.result is None, 25, "slip.stands")
    claim = table.claim
    need(claim and claim["line"] == act["slip"] and mine not in claim["signed"], 27, "slip.side")
    assert claim is not None
    claim["signed"].add(mine)
    if len(claim["signed"]) == len(table.sides):
        table.result, table.by, table.claim = claim["sides"], by, None


def correct_result(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    table = table_of(e, act, "running", "ended")
    need(table.result is not None, 25, "slip.stands")
    check_form(e, table, act["sides"])
    table.result, table.by = act["sides"], by


def correct_pairing(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    round_ = running(e, act, "pairing", "running")
    check_tables(act["tables"])
    new = [each["table"] for each in act["tables"]]
    gone = act["cancelled"]
    right = set(gone) <= set(round_.tables) and not set(gone) & set(new) and len(set(gone)) == len(gone)
    need(right, 18, "pairing.table")
    byes = act.get("byes", round_.byes)
    named = names_of(act["tables"])
    check_players(e, [*seated(round_, {*gone, *new}), *byes, *named], [*named, *act.get("byes", [])])
    for t in [*gone, *new]:
        round_.tables.pop(t, None)
    for each in act["tables"]:
        round_.tables[each["table"]] = Table(each["sides"])
    round_.byes, round_.paired = byes, at
    if round_.state == "running":
        opens(e, act["round"], new, at, time)


def seal(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    running(e, act, "running", "ended")
    sizes = dict(e.sealed)
    for g in act["games"]:
        line, table = e.games.get(g["game"], (None, None))
        right = line is not None and e.openings[line]["round"] == act["round"] and table == g["table"]
        need(right and g["size"] > sizes.get(g["game"], 0), 28, "table.seal")
        sizes[g["game"]] = g["size"]
    e.sealed = sizes


def end(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    round_ = running(e, act, "running")
    left = [each["table"] for each in act["left"]]
    need(set(left) <= set(round_.tables), 17, "table.unknown")
    open_ = {t for t, table in round_.tables.items() if table.result is None}
    need(len(set(left)) == len(left) and set(left) == open_, 30, "round.left")
    round_.state = "ended"


def close(e: Event, act: Any, by: str, at: int, time: str, upon: int) -> None:
    need(not e.rounds or e.rounds[-1].state == "ended", 31, "round.running")
    e.closed = True


RULES = {kind: globals()[kind.replace("-", "_")] for kind in MEMBERS if kind != "open"}


def event_zero(e: Event, line: int, table: int) -> dict[str, Any]:
    """Event 0 of the table that a line opens, without its sig: see the page, "Event tables"."""
    opening = e.openings[line]
    nonce = ref.sha256(TABLE + bytes.fromhex(e.id) + ref.u64(line) + ref.u64(table)).hex()
    people = [(e.terms["keeper"], "keeper"), *((key, "player") for key in opening["keys"][table])]
    people = [*people, *((key, "judge") for key in opening["judges"])][:64]
    body = {
        "admits": ["judge"],
        "contributors": e.terms["contributors"],
        "event": {"id": e.id, "organizers": opening["organizers"]},
        "format": "rollproof/v1",
        "nonce": nonce,
        "options": e.terms["options"],
        "parties": [{"key": key, "role": role} for key, role in people],
        "system": e.terms["system"],
        "title": f"{e.terms['title']}, round {opening['round']}, table {table}",
    }
    if "away" in e.terms:
        body["away"] = e.terms["away"]
    head = {"author": e.keeper[0], "game": ref.ZEROS, "prev": ref.ZEROS, "seq": 0, "type": "open"}
    return {**head, "body": body, "time": opening["time"]}


def strange_acts(e: Event, opened_by: int, data: bytes) -> list[dict[str, Any]]:
    """The acts in the valid prefix of a table's log that stand in no line of the event behind the one that opened the
    table (the page, "Verification", `table.act`).
    """
    said = e.acts[opened_by + 1 :]
    found = []
    for line in ref.split(data)[: ref.verify(data).valid_prefix]:
        event = ref.read_event(line[:-1])
        for type_, member, kind in (("admit", "appointment", "appoint"), ("replace", "correction", "correct-key")):
            act = event["body"].get(member) if event["type"] == type_ else None
            if act is not None and (kind, ref.canonical(act)) not in said:
                found.append(act)
    return found
