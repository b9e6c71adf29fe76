"""An event at a server: everybody's keys, acts, tokens, and calls, for tests."""

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec

from ledger.event.acts import claim_key, claim_signature, new_claim_code, sign_act
from ledger.event.links import code_token
from ledger.game.times import utc_now
from ledger.lobby import new_access
from ledger.lobby.links import token_hash
from ledger.seats.identity import Identity
from rules import Body
from tests.oracles.reference import private_key
from tests.server.served import ROOMY, serving, with_limits
from verifier.event.acts import ACTS, EVENT_FORMAT
from verifier.event.names import name_hash
from verifier.event.replay import EventReplay
from verifier.event.state import EventState
from verifier.log.plainjson import encode

__all__ = ["Day", "hall", "identity"]


def identity(name: str, key: str | None = None) -> Identity:
    """Whoever has this name, with a key that follows from it, or from another."""
    return Identity(name, private_key(key or name))


class Day:
    """An event at a server, as whoever has all keys sees it."""

    def __init__(self, address: str, *, players: int = 4) -> None:
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=30)
        self.olga = identity("olga")
        self.keeper: str = self.http.get("/v1/server").json()["keeper"]
        self.names = {number: f"Player {number}" for number in range(1, players + 1)}
        self.salts = {number: secrets.token_hex(32) for number in self.names}
        self.codes = {number: new_claim_code() for number in self.names}
        self.event = ""
        self.replay = EventReplay()
        self.token = ""

    def __enter__(self) -> Self:
        return self

    def reconnect(self) -> None:
        """Begin with new connections: those of a server that was killed are of no use."""
        self.http.close()
        self.http = httpx.Client(base_url=self.address, timeout=30)

    def __exit__(self, *_: object) -> None:
        self.http.close()

    @property
    def state(self) -> EventState:
        """The event, as the server shows it now, verified."""
        while True:
            lines = self.http.get(f"/v1/events/{self.event}/log?from={self.replay.size}").content.splitlines()
            for line in lines:
                self.replay.step(line)
            if not lines:
                return self.replay.state

    def act(self, by: Identity, type: str, members: dict[str, Any]) -> bytes:
        """An act as it travels, upon what was seen last."""
        body: Body = msgspec.convert(members, type=ACTS[type]) if type != "open" else members  # type: ignore[assignment]
        return encode(sign_act(by, self.replay, type, body, utc_now()))

    def post(self, path: str, data: bytes, token: str | None = None) -> httpx.Response:
        headers = {"content-type": "application/json"} | ({} if token is None else {"authorization": f"Bearer {token}"})
        return self.http.post(path, content=data, headers=headers)

    def does(self, by: Identity, type: str, token: str | None = None, **members: Any) -> int:
        """Sign an act and have it taken; the number of its line."""
        _ = self.state
        answer = self.post(f"/v1/events/{self.event}/acts", self.act(by, type, members), token)
        assert answer.status_code == 201, answer.text
        seq: int = answer.json()["seq"]
        return seq

    def refused(self, by: Identity, type: str, **members: Any) -> tuple[int, str]:
        """Sign an act that is refused: status and code."""
        _ = self.state
        answer = self.post(f"/v1/events/{self.event}/acts", self.act(by, type, members))
        assert answer.status_code >= 400, answer.text
        return answer.status_code, answer.json()["code"]

    def opening(self) -> bytes:
        """The act that begins the event."""
        members = {
            "contributors": "all",
            "event": EVENT_FORMAT,
            "keeper": self.keeper,
            "nonce": secrets.token_hex(32),
            "options": {},
            "organizers": [str(self.olga.key)],
            "results": ["won"],
            "rounds": 3,
            "system": "dice-1",
            "title": "Spring Open",
        }
        raw = msgspec.json.decode(encode(members), type=ACTS["open"])
        return encode(sign_act(self.olga, EventReplay(), "open", raw, utc_now()))

    def open(self) -> bytes:
        """Begin the event; the act."""
        act = self.opening()
        answer = self.post("/v1/events", act)
        assert answer.status_code == 201, answer.text
        self.event = answer.json()["event"]
        return act

    def access(self, who: Identity, game: str | None = None) -> str:
        """A token for somebody."""
        topic = game or self.event
        body = bytes(new_access(who, bytes.fromhex(topic), utc_now()))
        answer = self.post(f"/v1/{'games' if game else 'events'}/{topic}/access", body)
        assert answer.status_code == 200, answer.text
        token: str = answer.json()["token"]
        return token

    def register(self) -> None:
        """Register all players with claim codes, whose tokens the server gets."""
        players = [
            {
                "claim": claim_key(self.codes[number]).public_key().public_bytes_raw().hex(),
                "name": name_hash(name, self.salts[number]),
                "number": number,
            }
            for number, name in self.names.items()
        ]
        for at in range(0, len(players), 300):
            self.does(self.olga, "register", players=players[at : at + 300])
        self.token = self.access(self.olga)
        tokens = [{"party": f"p{number}", "token": token_hash(code_token(code))} for number, code in self.codes.items()]
        for at in range(0, len(tokens), 300):
            body = json.dumps({"tokens": tokens[at : at + 300]}).encode()
            assert self.post(f"/v1/events/{self.event}/tokens", body, self.token).status_code == 200

    def names_file(self) -> bytes:
        """The names of all."""
        entries = [{"name": name, "number": n, "salt": self.salts[n]} for n, name in self.names.items()]
        return encode({"event": self.event, "names": entries})

    def check_in(self, number: int, who: Identity | None = None) -> bytes:
        """The act by which a player checks in."""
        who = who or identity(f"p{number}")
        claim = claim_signature(self.codes[number], self.event, str(who.key))
        return self.act(who, "check-in", {"claim": claim, "key": str(who.key), "number": number})

    def all_in(self) -> None:
        """Everybody checks in by code."""
        _ = self.state
        for number in self.names:
            token = code_token(self.codes[number]).hex()
            answer = self.post(f"/v1/events/{self.event}/acts", self.check_in(number), token)
            assert answer.status_code == 201, answer.text

    def pair(self, round_: int = 1) -> None:
        """Everybody against the next one."""
        tables = [
            {"sides": [[number], [number + 1]], "table": number // 2 + 11} for number in range(1, len(self.names), 2)
        ]
        self.does(self.olga, "pair", byes=[], round=round_, tables=tables)

    def begun(self, round_: int = 1) -> None:
        """Register, check in, pair and start."""
        self.open()
        self.register()
        self.all_in()
        self.pair(round_)
        self.does(self.olga, "start", minutes=50, round=round_)

    def opened(self) -> bool:
        """Whether each table of the latest round has its game."""
        round_ = self.state.round
        assert round_ is not None
        openings = self.replay.state.openings
        return all(
            table.line is not None and openings[table.line].tables[table.number].game is not None
            for table in round_.tables.values()
        )


@contextmanager
def hall(root: Path) -> Iterator[Day]:
    """An event at a server of its own, whose four players are registered under names that browsers show."""
    options = ("--organizer", str(identity("olga").key), *with_limits(root, ROOMY))
    with serving(root, *options) as server, Day(server.address) as day:
        day.names = {1: "Alice Ito", 2: "Bob Meyer", 3: "佐藤 健", 4: "Dave Okafor"}
        day.open()
        day.register()
        day.post(f"/v1/events/{day.event}/names", day.names_file(), day.token)
        yield day
