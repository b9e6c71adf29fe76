"""Games as the rules alone play them, shown by the fake core: what a scene shows, and what comes of a tap."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.analysis.advice import actions_of, state_of
from ledger.server.advice import read
from ledger.server.problems import Problem
from rules import SYSTEMS, Event, Role, Session
from rules.data.language import Translate
from rules.script import Empty, ScriptEvent, step
from tests.web.page_games import event, me, party_of, table_of
from tests.web.table_page import LINK, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OPEN = {"holder": None, "shown": None, "purpose": ""}
"""of a roll that everybody sees"""


class Played:
    """A game that everybody has joined. Dice are given, or come from a seed."""

    def __init__(self, system: str, options: Mapping[str, Any], **roles: Role) -> None:
        self.system = SYSTEMS[system]
        self.roles: dict[str, Role] = {"host": "keeper", **roles}
        session = Session.start(self.system, msgspec.convert(options, self.system.options), self.roles)
        self.session = session.with_joined(self.roles)
        self.options = dict(options)
        self.events = [event(0, "host", "open", {}), *(event(1 + i, n, "join", {}) for i, n in enumerate(roles))]
        self.rolls: list[dict[str, Any]] = []
        self.random = Random(7)

    def _asked(self, author: str, type: str, body: Mapping[str, Any]) -> int:
        seq = len(self.events)
        self.session = step(self.session, seq, ScriptEvent(author, type, msgspec.Raw(msgspec.json.encode(body))))
        self.events.append(event(seq, author, type, dict(body)))
        return seq

    def call_off(self, author: str, body: Mapping[str, Any]) -> None:
        """A roll that is asked for and called off: its author owes it."""
        seq = self._asked(author, "roll", body)
        for number, ended in ((seq + 1, "void"), (seq + 2, "disclose")):
            self.session = self.session.apply(Event(number, "host", ended, Empty()))
            self.events.append(event(number, "host", ended, {}))
        shown = {"index": len(self.rolls), "naturals": None, "sides": None, "ended": "void", "end": seq + 1}
        self._show(seq, shown)

    def do(self, author: str, type: str, body: Mapping[str, Any], *naturals: int) -> int:
        """An event that is taken, with its dice; its number. Raises Violation."""
        seq = self._asked(author, type, body)
        if type not in ("roll", "reroll"):
            return seq
        dice: list[int] = []
        sides: list[int] = []
        while len(sides := list(self.session.sides_drawn(dice))) > len(dice):
            n = sides[len(dice)]
            dice.append(naturals[len(dice)] if len(dice) < len(naturals) else self.random.randint(1, n))
        self.session = self.session.apply(Event(seq + 1, "host", "reveal", Empty()), tuple(dice))
        self.events.append(event(seq + 1, "host", "reveal", {}))
        shown = {"index": len(self.rolls), "naturals": dice, "sides": sides, "ended": "reveal", "end": seq + 1}
        self._show(seq, shown)
        return seq

    def _show(self, seq: int, shown: Mapping[str, Any]) -> None:
        asked = {name: self.events[seq][name] for name in ("seq", "author", "type", "body", "time")}
        others = {"without": [], "unaccepted": [], "contributors": list(self.roles), "fair": True}
        self.rolls.append({**asked, **shown, **others, **OPEN})

    def type(self, author: str, type: str, line: str, *naturals: int, kind: str | None = None) -> int:
        """The same, typed on one line."""
        asked = {"line": line, "type": type, "party": author} | ({"kind": kind} if kind else {})
        return self.do(author, type, self.read(asked)["body"], *naturals)

    @property
    def _view(self) -> Any:
        terms = SimpleNamespace(roles=self.roles)
        return SimpleNamespace(replay=SimpleNamespace(session=self.session, size=len(self.events), terms=terms))

    def read(self, asked: Mapping[str, Any], translate: Translate = str) -> dict[str, Any]:
        """As the server reads what was typed. Raises Problem."""
        found: dict[str, Any] = msgspec.to_builtins(read(self._view, json.dumps(asked).encode(), translate))
        return found

    def snapshot(self, party: str, translate: Translate = str) -> dict[str, Any]:
        """What core gives the screens of a party."""
        size = len(self.events)
        parties = [party_of(name, role, mine=name == party) for name, role in self.roles.items()]
        game = {"id": "9c" * 32, "size": size, "phase": "idle", "closed": False, "code": "gravel-otter-seven"}
        game |= {
            "parties": parties,
            "events": self.events,
            "rolls": self.rolls,
            "waiting": None,
            "rulings": [
                {**each["body"], "seq": each["seq"], "author": each["author"], "effect": True}
                for each in self.events
                if each["type"] == "ruling"
            ],
            "strike": None,
            "takenBack": [],
        }
        game |= {
            "newcomers": [],
            "newKeys": [],
            "renewed": [],
            "missing": [],
            "owed": [
                {"party": name, "seq": owed.seq, "type": owed.type, "body": json.loads(owed.raw)}
                for name, owed in self.session.owes.items()
            ],
            "unagreed": [],
            "unlinked": [],
            "secrets": [],
            "holders": [],
            "declined": False,
        }
        state = msgspec.to_builtins(state_of(self._view.replay, 50, translate))
        actions = msgspec.to_builtins(actions_of(self._view.replay, party, translate))["actions"]
        return {
            "stage": "playing",
            "table": table_of(system=self.system.id, options=self.options, title="Tavern"),
            "me": me(party, self.roles[party]),
            "game": {**game, "checkpoint": {"size": size}},
            "advice": {"size": size, "state": state, "actions": actions},
        }


@contextmanager
def playing(browser: "Browser", played: Played, party: str, **context: Any) -> "Iterator[Page]":
    """The screen of a party of such a game: its taps are played."""
    translate: Translate = str

    def asked(request: str) -> str:
        given = json.loads(request)
        try:
            return json.dumps(played.read(given, translate))
        except Problem as problem:
            return json.dumps({"refused": str(problem), **problem.extra})

    def signed(request: str) -> str:
        given = json.loads(request)
        seq = played.do(party, given["type"], given["body"])
        return json.dumps({"seq": seq, "snapshot": played.snapshot(party, translate)})

    opened = {"snapshot": played.snapshot(party, translate)}
    with shown(browser, opened, LINK, functions={"rulesRead": asked, "rulesSign": signed}, **context) as screen:
        yield screen
