"""Snapshots of the form that core gives, for tests of the screens, made of what the rules really offer."""

from typing import Any

import msgspec

from rules import SYSTEMS
from rules.actions import as_json

TABLE = "ab" * 32
SECRET = "pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8w"
TIME = "2026-11-22T14:30:0{}.000Z"
PARTIES = {"host": "keeper", "alice": "player", "bob": "player", "gil": "gm", "dana": "judge"}


def seat_of(name: str, mine: bool = False) -> dict[str, Any]:
    """A player at the table."""
    return {"name": name, "called": None, "role": "player", "key": f"{name}+1", "mine": mine, "alike": None}


def party_of(name: str, role: str, **more: Any) -> dict[str, Any]:
    """Somebody in the game."""
    return {
        "name": name,
        "called": None,
        "role": role,
        "key": f"{name}+1",
        "joined": True,
        "left": False,
        "away": False,
        "here": True,
        "mine": name == "alice",
        "links": 900,
        "calls": role != "judge",
        "calledBy": [],
        **more,
    }


def table_of(**more: Any) -> dict[str, Any]:
    """The table of a snapshot."""
    return {
        "id": TABLE,
        "title": "The Drowned Captain",
        "system": "dice-1",
        "contributors": "all",
        "away": "others",
        "serversJudge": None,
        "options": {},
        "host": "alice",
        "keeper": "host",
        "time": TIME.format(0),
        "roles": ["player", "judge", "spectator"],
        "judge": None,
        "seats": [seat_of("alice", True), seat_of("bob")],
        "admits": [],
        "strike": None,
        "posts": None,
        "public": None,
        "sealed": None,
        "asking": [],
        "canStart": True,
        "mine": False,
        "ended": False,
        "out": False,
        **more,
    }


def me(name: str = "alice", role: str = "player", **more: Any) -> dict[str, Any]:
    """Who this browser is."""
    return {
        "name": name,
        "role": role,
        "seated": True,
        "joined": True,
        "bound": False,
        "moved": False,
        "movable": True,
        "stopped": None,
        "asks": None,
        "goesOn": None,
        "lost": [],
        "replaced": False,
        "awaits": None,
        **more,
    }


def roll_of(
    seq: int, author: str, body: dict[str, Any], naturals: list[int], sides: int, **more: Any
) -> dict[str, Any]:
    """A roll that is over."""
    return {
        "seq": seq,
        "index": seq // 2,
        "author": author,
        "type": "roll",
        "body": body,
        "time": TIME.format(seq % 10),
        "naturals": naturals or None,
        "sides": [sides] * len(naturals) or None,
        "ended": "reveal",
        "end": seq + 1,
        "contributors": ["host", "alice", "bob", "gil"],
        "without": [],
        "unaccepted": [],
        "fair": True,
        "holder": None,
        "shown": None,
        "purpose": "",
        **more,
    }


ROLLS = [
    roll_of(8, "alice", {"dice": "4d6kh3 + 2", "source": "Strength"}, [6, 5, 3, 2], 6),
    roll_of(10, "bob", {"dice": "d20 + 1", "least": 15, "source": "Save on the rope bridge"}, [14], 20),
    roll_of(12, "bob", {"dice": "d20"}, [], 20, ended="void", fair=False),
    roll_of(14, "gil", {"dice": "12d10"}, [3, 10, 1, 7, 7, 9, 2, 10, 5, 6, 8, 4], 10),
]

TOLD = [
    {
        "roll": 8,
        "player": "alice",
        "source": "Strength",
        "notation": "4d6kh3 + 2",
        "status": "resolved",
        "summary": "= 16",
        "text": "4d6kh3 (6, 5, 3, ~~2~~) + 2 = 16",
        "notes": ["4d6kh3 (6, 5, 3, ~~2~~) + 2 = 16"],
        "dice": [
            {"die": i + 1, "sides": 6, "naturals": [n], "result": n, "status": "ignored" if n == 2 else "counted"}
            for i, n in enumerate([6, 5, 3, 2])
        ],
    },
    {
        "roll": 10,
        "player": "bob",
        "source": "Save on the rope bridge",
        "notation": "d20 + 1",
        "status": "resolved",
        "summary": "+ 1 = 15, 15 or more: passes",
        "text": "d20 (14) + 1 = 15",
        "notes": [],
        "dice": [{"die": 1, "sides": 20, "naturals": [14], "result": 14, "status": "counted"}],
    },
]


def event(seq: int, author: str, type: str, body: dict[str, Any]) -> dict[str, Any]:
    """An event as a snapshot has it."""
    return {
        "seq": seq,
        "author": author,
        "type": type,
        "body": body,
        "time": TIME.format(seq % 10),
        "leaf": "00" * 32,
        "prev": "00" * 32,
        "line": "",
    }


def game_of(**more: Any) -> dict[str, Any]:
    """A game of any dice, some rolls old."""
    joined = [event(1 + i, name, "join", {}) for i, name in enumerate(("alice", "bob", "gil", "dana"))]
    call = {
        "what": "call",
        "source": "Save on the rope bridge",
        "dice": "d20",
        "least": 15,
        "parties": ["alice", "bob"],
    }
    events = [event(0, "host", "open", {}), *joined, event(6, "gil", "declare", call)]
    events += [event(r["seq"], r["author"], "roll", r["body"]) for r in ROLLS]
    ruling = {
        "ruling": "correct",
        "subject": 10,
        "text": "the die was read wrongly",
        "results": [{"die": 1, "result": 15}],
    }
    events.append(event(16, "dana", "ruling", ruling))
    return {
        "id": "9c" * 32,
        "size": 17,
        "phase": "idle",
        "closed": False,
        "code": "00044 85251 36140 11504 32282 23918",
        "parties": [party_of(name, role, away=name == "gil", here=name != "bob") for name, role in PARTIES.items()],
        "events": events,
        "rolls": ROLLS,
        "waiting": None,
        "newcomers": [],
        "newKeys": [],
        "renewed": [],
        "secrets": [],
        "holders": [],
        "missing": [],
        "owed": [],
        "unagreed": [],
        "unlinked": [],
        "strike": None,
        "takenBack": [],
        "rulings": [{"seq": 16, "author": "dana", "effect": True, **ruling}],
        "checkpoint": {"size": 17},
        "declined": False,
        **more,
    }


def actions_of(system: str = "dice-1", party: str = "alice", options: Any = None) -> list[dict[str, Any]]:
    """What the rules offer a party at the start, as a server sends it."""
    found = SYSTEMS[system]
    roles = {name: role for name, role in PARTIES.items() if role in {"keeper", "player", "judge", *found.roles}}
    game = found.start(msgspec.convert(options or {}, found.options), roles)
    actions = [as_json(action) for action in found.actions(game, party)]
    for action in actions:
        for field in action["fields"]:
            if field["kind"] == "free":
                field["typed"] = {"example": "4d6kh3 + 2", "lines": field["grammar"] in ("items", "table")}
        if action["type"] == "roll" and not action["body"]:
            action["line"] = {"example": "4d6kh3 + 2 for Strength", "grammar": "roll"}
    away: dict[str, Any] = {
        "type": "away",
        "label": "say that you are away",
        "clause": None,
        "due": False,
        "fields": [],
    }
    leave = {**away, "type": "leave", "label": "leave the game", "body": {"party": party}}
    return [*actions, {**away, "body": {"party": party}}, leave]


def rulings_of(size: int = 17) -> list[dict[str, Any]]:
    """What a judge can rule."""
    text = {"name": "text", "label": "the reason", "required": True, "default": None, "kind": "free", "grammar": "text"}
    subject = {"name": "subject", "label": "the number of the event", "required": True, "default": None}
    bound = {**subject, "kind": "range", "least": 0, "most": size - 1}
    return [
        {
            "type": "ruling",
            "label": f"{ruling} an event",
            "clause": None,
            "due": False,
            "body": {"ruling": ruling},
            "fields": [bound, {**text, "clauses": [], "typed": {"example": "", "lines": False}}],
        }
        for ruling in ("void", "correct", "uphold", "penalty")
    ]


def advice_of(actions: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """What a server advises."""
    calls = {
        "title": "Calls",
        "columns": ["call", "what for", "answered", "still to answer"],
        "rows": [[6, "Save on the rope bridge, d20, 15 or more", "bob 15 passes", "alice"]],
    }
    decks = {
        "title": "Decks",
        "columns": ["deck", "declared by", "still in it", "drawn"],
        "rows": [["initiative", "gil", 52, None]],
    }
    return {
        "size": 17,
        "state": {"phase": "idle", "size": 17, "rolls": TOLD, "tables": [calls, decks], "waits": None, **more},
        "actions": actions,
    }


def screens() -> dict[str, tuple[str, dict[str, Any]]]:
    """Each screen of the page: where it stands, and what the fake core shows there."""

    def at(role: str) -> str:
        return f"/t/{TABLE}#{role}.{SECRET}"

    def playing(who: dict[str, Any], actions: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        shown = {"stage": "playing", "table": table_of(), "me": who, "game": game_of(), "advice": advice_of(actions)}
        return {"snapshot": {**shown, **more}}

    waiting = {
        "seq": 17,
        "author": "bob",
        "contributors": ["host", "alice", "bob", "gil"],
        "opened": ["alice"],
        "awaited": ["gil"],
        "absent": ["alice", "bob", "gil"],
        "closer": "bob",
        "since": 0,
        "mine": None,
    }
    pending = game_of(size=19, phase="pending", waiting=waiting)
    due = {"type": "roll", "label": "answer the call of gil: Save on the rope bridge", "clause": "D10", "due": True}
    known = {
        "table": TABLE,
        "game": None,
        "title": "Round 3, table 12",
        "system": "mtg-706-2023-11-17",
        "role": "player",
        "name": "alice",
        "host": True,
        "opened": "2026-11-20T19:00:00.000Z",
        "link": f"http://localhost{at('player')}",
    }
    fork = {"text": "The log that the server shows does not go on from what this browser saw."}
    trouble = {"message": fork, "files": []}
    warning = {"id": "1", "message": {"text": "bob’s opening does not hold."}, "files": []}
    empty = {"table": table_of(seats=[])}
    return {
        "home": ("/", {"tables": [known], **playing(me(), [])}),
        "lobby of a guest": (at("player"), {"snapshot": empty}),
        "lobby of the host": (at("player"), {"snapshot": {"table": table_of(mine=True), "me": me(joined=False)}}),
        "no key can be kept": (at("player"), {"ability": {"text": "This browser has no Ed25519."}, "snapshot": empty}),
        "agreeing": (
            at("player"),
            {"snapshot": {"stage": "agreeing", "table": table_of(), "me": me(joined=False), "game": game_of()}},
        ),
        "game": (at("player"), playing(me(), [{**due, "body": {"call": 6}, "fields": []}, *actions_of()])),
        "game master": (at("gm"), playing(me("gil", "gm"), actions_of(party="gil"))),
        "a roll waits": (
            at("player"),
            playing(me("bob"), [], game={**pending, "waiting": {**waiting, "mine": "closer"}}),
        ),
        "judge": (at("judge"), playing(me("dana", "judge"), rulings_of())),
        "judge, a roll waits": (at("judge"), playing(me("dana", "judge"), [], game=pending)),
        "spectator": (at("spectator"), playing(None, [])),  # type: ignore[arg-type] # nobody
        "over": (at("player"), playing(me(), [], stage="closed", table=table_of(mine=True))),
        "trouble": (
            at("player"),
            playing(
                me(),
                actions_of(),
                line="away",
                trouble=trouble,
                warnings=[warning],
                differs=[{"roll": 8, "told": [6, 6, 6, 6], "checked": [6, 5, 3, 2]}],
            ),
        ),
        "refused": (at("player"), {"snapshot": {"stage": "refused", "problem": {"text": "There is no such table."}}}),
    }


def _field(name: str, label: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "label": label, "kind": kind, "required": True, "default": None, **more}


FIELDS = [
    _field("which", "which", "one-of", options=[{"value": "a", "label": "first"}, {"value": "b", "label": "second"}]),
    _field("many", "how many", "range", least=1, most=3),
    _field(
        "dice", "which dice", "some-of", least=1, most=2, options=[{"value": i, "label": f"die {i}"} for i in (1, 3)]
    ),
    _field("text", "why", "free", grammar="text", clauses=[], typed={"example": "luck", "lines": False}),
    _field("rows", "rows", "records", least=1, most=2, fields=[_field("n", "a number", "range", least=0, most=9)]),
]
"""a field of each kind"""
