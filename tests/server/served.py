"""A real server in a process of its own, and a party as plain as can be: httpx, a seat, a view."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec

from ledger import lobby
from ledger.game.party_view import LogView
from ledger.game.times import utc_now
from ledger.home import Home
from ledger.lobby import Link
from ledger.seats.identity import Identity
from ledger.seats.seat import Seat
from rules import SYSTEMS, Body
from rules.lines import read_roll
from tests.support.cli import QUICK
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.log.bodies import Permissions
from verifier.opening import SentOpening, parse_sent

PASSPHRASE = b"correct horse battery staple"
ENVIRONMENT = {"ROLLPROOF_PASSPHRASE": PASSPHRASE.decode()}


class Server:
    """A server's process."""

    verb: tuple[str, ...] = ("serve",)
    program = "from ledger.cli import main; main()"

    def __init__(self, root: Path, *arguments: str, port: int = 0) -> None:
        self.root, self.arguments = root, arguments
        environment = {**os.environ, **ENVIRONMENT, "ROLLPROOF_STATE": str(root / "state")}
        command = [
            sys.executable,
            "-c",
            self.program,
            *self.verb,
            "--home",
            str(root / "home"),
            "--json",
        ]
        self.process = subprocess.Popen(
            [*command, "--port", str(port), *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            assert self.process.stderr is not None
            raise AssertionError(self.process.stderr.read().decode())
        self.told: dict[str, Any] = json.loads(line)
        self.address: str = self.told["address"]
        listening: str = self.told.get("listening", self.address)
        self.port = int(listening.rpartition(":")[2])

    def again(self) -> Self:
        """Start it once more, as it was and at the same port; it has been stopped."""
        return type(self)(self.root, *self.arguments, port=self.port)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it; the exit code."""
        self.process.send_signal(how)
        return self.wait()

    def wait(self) -> int:
        """Wait until it has ended; the exit code."""
        try:
            self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode


@contextmanager
def serving(root: Path, *arguments: str) -> Iterator[Server]:
    """A server that is ended with the block."""
    server = Server(root, *arguments)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)


ROOMY = {
    "MAX_TABLES": 100_000,
    "MAX_POSTS": 100_000,
    "MAX_BURST": 100_000,
    "MAX_REFUSED": 100_000,
    "MAX_BYTES": 10**9,
    "MAX_BYTES_BURST": 10**9,
    "MAX_BYTES_DAY": 10**12,
}
"""limits that no test meets: whoever tests opens, sends and is refused more than anybody who plays"""


def with_limits(folder: Path, limits: Mapping[str, int] = ROOMY) -> tuple[str, str]:
    """The option of a server with these limits, which stand in a file in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "limits.json"
    file.write_text(json.dumps(dict(limits)))
    return "--limits", str(file)


@contextmanager
def roomy(root: Path) -> Iterator[Server]:
    """A server that takes any number of tables and lines from one address, and is ended with the block."""
    with serving(root, *with_limits(root)) as server:
        yield server


class UnableError(httpx.TransportError):
    """The server is there, and cannot say what it has."""


class Plain:
    """A party that does what the page says, one step at a time, and nothing by itself."""

    def __init__(self, root: Path, name: str, address: str) -> None:
        self.home = Home(root / "home", root / "state")
        if name not in self.home.names():
            self.home.new_identity(name, PASSPHRASE, QUICK)
        self.name = name
        self.identity: Identity = self.home.identity(name, PASSPHRASE)
        self.seat: Seat = self.home.seat(name, PASSPHRASE)
        self.http = httpx.Client(base_url=address, timeout=30)
        self.view = LogView()
        self.token = b""
        self.game = b""
        self.link: Link | None = None

    def close(self) -> None:
        self.seat.close()
        self.http.close()

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token.hex()}"} if self.token else {}

    def get(self, path: str) -> httpx.Response:
        return self.http.get(path, headers=self.headers)

    def post(self, path: str, body: bytes) -> httpx.Response:
        return self.http.post(path, content=body, headers=self.headers)

    def open_table(
        self,
        system: str,
        roles: tuple[lobby.InvitedRole, ...] = ("player", "spectator"),
        judge_after: int | None = None,
        **agreed: Any,
    ) -> dict[str, Link]:
        """Open a table as its host; the links by role. What it permits is said member by member."""
        permits = Permissions(**{name: agreed.pop(name) for name in Permissions.__struct_fields__ if name in agreed})
        server = self.http.get("/v1/server").json()
        keeper = VerifierKey.parse(server["keeper"])
        if judge_after is not None:
            agreed["judge"] = lobby.ServersJudge(judge_after, server["judge"])
        secrets = {role: os.urandom(32) for role in roles}
        invitations = [Link("", bytes(32), role, secret).invitation for role, secret in secrets.items()]
        options = msgspec.convert({}, SYSTEMS[system].options)
        terms = lobby.new_terms(
            *(self.identity, keeper, system, options, invitations),
            nonce=os.urandom(32),
            time=utc_now(),
            title="Tavern",
            permits=permits,
            **agreed,
        )
        answer = self.post("/v1/tables", bytes(terms))
        assert answer.status_code == 201, answer.text
        assert answer.json() == {"table": terms.id.hex()}
        return {role: Link(str(self.http.base_url), terms.id, role, secret) for role, secret in secrets.items()}

    def sit(self, link: Link) -> httpx.Response:
        self.link, self.token = link, link.token
        state = self.table()
        lobby.check_link(link, lobby.parse_terms(state.terms.encode()), state.invites)
        return self.post_seat(link)

    def post_seat(self, link: Link) -> httpx.Response:
        """Take a seat, whatever the server shows."""
        self.link, self.token = link, link.token
        return self.post(f"/v1/tables/{link.table.hex()}/seats", bytes(lobby.new_seat(self.identity, link)))

    def table(self) -> lobby.TableState:
        assert self.link is not None
        return lobby.parse_table(self.get(f"/v1/tables/{self.link.table.hex()}").content)

    def start(self) -> httpx.Response:
        assert self.link is not None
        start = lobby.new_start(self.identity, self.link.table, self.table().seats)
        return self.post(f"/v1/tables/{self.link.table.hex()}/start", bytes(start))

    def enter(self, links: int = 4_096) -> None:
        """Check event 0, join and commit."""
        state = self.table()
        assert state.game is not None
        assert state.start is not None
        self.game = bytes.fromhex(state.game)
        self.fetch()
        terms = lobby.parse_terms(state.terms.encode())
        lobby.check_opened(terms, state.seats, state.start, next(self.view.lines(0)), self.game, state.invites)
        self.offered(self.seat.join(self.view))
        if self.view.replay.terms.may_contribute(self.name):
            self.offered(self.seat.commit(self.view, links))

    def path(self, rest: str) -> str:
        return f"/v1/games/{self.game.hex()}/{rest}"

    def fetch(self) -> None:
        """Take the lines that are missing, and the keeper's checkpoint."""
        answer, checkpoint = self.get(self.path(f"log?from={self.view.replay.size}")), self.get(self.path("checkpoint"))
        if 503 in (answer.status_code, checkpoint.status_code):
            raise UnableError(answer.text)
        assert answer.status_code == 200, answer.text
        for line in answer.content.splitlines():
            self.view.append(line)
        assert int(answer.headers["Rollproof-Size"]) == self.view.replay.size
        self.view.checkpoint = parse_checkpoint(checkpoint.content)

    def offer(self, line: bytes) -> httpx.Response:
        return self.post(self.path("lines"), line)

    def offered(self, line: bytes) -> None:
        """Offer a line, which is taken."""
        answer = self.offer(line)
        assert answer.status_code == 201, answer.text
        self.fetch()

    def typed(self, line: str = "d20") -> Body:
        """What a roll that is typed so asks for."""
        session = self.view.replay.session
        return read_roll(session.system, line, session.game, self.name)

    def act(self, type: str, body: Body) -> None:
        self.fetch()
        self.offered(self.seat.sign(self.view, type, body))

    def openings(self) -> list[SentOpening]:
        """What the stream has of the roll that waits."""
        return [parse_sent(data) for name, data in self.stream_start() if name == "opening"]

    def stream_start(self) -> list[tuple[str, bytes]]:
        """The events that stand, up to the first `here`."""
        found = []
        with self.http.stream("GET", self.path("stream?from=0"), headers=self.headers) as answer:
            name = ""
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    found.append((name, line.removeprefix("data: ").encode()))
                    if name == "here":
                        break
        return found

    def open(self) -> httpx.Response:
        self.fetch()
        others = [sent.opening for sent in self.openings()]
        opening = self.seat.opening(self.view, others)
        pending = self.view.replay.pending
        assert pending is not None
        return self.post(self.path("openings"), bytes(SentOpening.of(self.game, pending.request, opening)))


@contextmanager
def seated(root: Path, address: str, *names: str, **agreed: Any) -> Iterator[list[Plain]]:
    """Parties at a table with any dice, who have joined and committed; the first is its host."""
    parties = [Plain(root / name, name, address) for name in names]
    try:
        links = parties[0].open_table("dice-1", **agreed)
        for party in parties:
            assert party.sit(links["player"]).status_code == 201
        assert parties[0].start().status_code == 201
        for party in parties:
            party.enter()
        yield parties
    finally:
        for party in parties:
            party.close()
