"""A real server in a process of its own, honest players at it, and a proxy for the client that is tried.

The client sits down as `bob`. Alice is the host; she and carol are participants as any others. What is told to the
client alone comes from the proxy: once a lie stands there, the proxy answers for this game by itself, with the keeper's
key and alice's, so that a client that believes it can be led on.
"""

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from pathlib import Path

import msgspec

from ledger.client import Connection, Link, Participant, open_table, start
from ledger.client.event_loop_thread import EventLoopThread
from ledger.client.remotes import Remotes
from ledger.dev.forging import ForgingKeeper, signed_line
from ledger.dev.proxy import AlteringProxy, StreamEvent
from ledger.errors import LedgerError
from ledger.game.times import utc_now
from ledger.home import Home
from ledger.lobby import InvitedRole
from ledger.seats.identity import Identity
from ledger.seats.key_file import Cost
from rules import games
from verifier.log.merkle import leaf_hash

__all__ = ["CLIENT", "FalseGame", "LyingStage", "NotReachedError", "RealServer"]

CLIENT = "bob"
"""the name of the client that is tried"""
_STEP = 0.1
"""seconds between looks"""
_QUICK = Cost(n=16)
"""the keys end with the folder"""


class NotReachedError(Exception):
    """The client did not get so far that it could be tried."""


class FalseGame:
    """Hold the lines that the client is shown in place of the game, and the keeper's checkpoint over them."""

    def __init__(self, game: str, lines: Sequence[bytes], note: str) -> None:
        self.game = game
        self.lines = list(lines)
        self.note = note


class RealServer:
    """A real server in a process of its own, whose keeper's key is at hand. Close it at the end."""

    def __init__(self, folder: Path) -> None:
        """`folder` is empty. Raises LedgerError where the server does not begin."""
        self.passphrase = secrets.token_hex(16).encode()
        home, state, log = folder / "home", folder / "state", folder / "server.log"
        environment = {
            **os.environ,
            "ROLLPROOF_PASSPHRASE": self.passphrase.decode(),
            "ROLLPROOF_STATE": str(state),
        }
        command = [sys.executable, "-m", "ledger", "serve", "--home", str(home), "--port", "0", "--json", "--developer"]
        with log.open("wb") as errors:
            self._process = subprocess.Popen(  # noqa: S603 - this program
                command, env=environment, stdout=subprocess.PIPE, stderr=errors
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self.close()
            raise LedgerError(log.read_text(errors="replace").strip()[-500:])
        self.address: str = json.loads(line)["address"]
        self.keeper = ForgingKeeper(Home(home, state).identity("keeper", self.passphrase))

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


class LyingStage:
    """One table at one server. Close it at the end."""

    def __init__(
        self, server: RealServer, folder: Path, *, port: int = 0, patience: float = 20.0, three: bool = False
    ) -> None:
        """`folder` is for the players' keys, and empty. `three`: carol plays too, and alice has no part in the dice."""
        self.folder, self.patience, self.three = folder, patience, three
        self._passphrase = server.passphrase
        self.upstream, self.keeper = server.address, server.keeper
        self.taken: list[str] = []
        """what the client did upon a lie, and must not do"""
        self.false: FalseGame | None = None
        self.forbidden: dict[str, str] = {}
        """requests for which the client must not open, and why"""
        self.opened: dict[str, tuple[int, str]] = {}
        """requests for which the client opened: number and link"""
        self.signed: dict[str, bytes] = {}
        """what the client signed, by the line upon which it stands"""
        self.gone: Callable[[], bool] = lambda: False
        """whether the client's program has ended"""
        self.signed_lies: list[str] = []
        """types of lines that were answered with a lie"""
        self._game = ""
        self._held: str | None = None
        self.held = False
        self.names = ["alice", "carol"] if three else ["alice"]
        self.homes = {name: self._home(name) for name in self.names}
        self.alice: Identity = self.homes["alice"].identity("alice", self._passphrase)
        self.players: dict[str, Participant] = {}
        self.proxy = AlteringProxy(self.upstream, port)
        self.proxy.posted = self._posted
        self._event_loop = EventLoopThread()
        self._waiting: dict[str, Future[Participant]] = {}
        """honest ones who sit and wait for the start"""
        try:
            self._links = self._event_loop.run(self._open())
            self._sit()
        except BaseException:
            self.close()
            raise
        found = self._links["player"]
        self.link = str(Link(self.proxy.address, found.table, found.role, found.secret))

    def close(self) -> None:
        """End everybody."""
        self.proxy.close()
        for player in self.players.values():
            try:
                self._event_loop.run(player.close())
            except LedgerError:
                continue
        self._event_loop.close()

    # --- the honest ones -------------------------------------------------------------------------------------------

    def _home(self, name: str) -> Home:
        home = Home(self.folder / name, self.folder / f"{name}-state")
        home.new_identity(name, self._passphrase, _QUICK)
        return home

    async def _open(self) -> dict[InvitedRole, Link]:
        async with Connection(self.upstream) as connection:
            links = await open_table(
                connection,
                Remotes(self.homes["alice"]),
                self.alice,
                games()["dice"],
                msgspec.Raw(b"{}"),
                ("player", "spectator"),
                contributors=("keeper", "carol", CLIENT) if self.three else "all",
                title="A table of lies",
            )
        return dict(links)

    def _sit(self) -> None:
        """Seat the honest players before the client has the link: the last one seated closes alice's rolls."""
        for name in self.names:
            joining = Participant.join(self.homes[name], self._links["player"], name, self._passphrase)
            self._waiting[name] = self._event_loop.begin(joining)
        self.until(lambda: set(self.names) <= set(self._seated()), "the honest ones take no seat")

    def begin(self, *, joined: bool = True) -> None:
        """Wait until the client sits here, and start; with `joined`, also until it has joined and committed."""
        self.until(lambda: CLIENT in self._seated(), f"{CLIENT} takes no seat")
        self._event_loop.run(self._start())
        for name in self.names:
            self.players[name] = self._waiting[name].result(self.patience)
            self._event_loop.run(self.players[name].attend())
        self._game = self.players["alice"].game.hex()
        if joined:
            self.until(lambda: self._has(CLIENT, "commit"), f"{CLIENT} does not join and commit")

    async def _start(self) -> None:
        async with Connection(self.upstream, self._links["player"].token) as connection:
            await start(connection, self._links["player"], self.alice, (*self.names, CLIENT))

    def _seated(self) -> list[str]:
        async def look() -> list[str]:
            async with Connection(self.upstream, self._links["player"].token) as connection:
                state = await connection.table(self._links["player"].table)
            return [seat.name for seat in state.seats]

        return self._event_loop.run(look())

    def _has(self, author: str, type: str) -> bool:
        return any(event["author"] == author and event["type"] == type for event in map(json.loads, self.lines()))

    @property
    def game(self) -> str:
        """The game's id, hex."""
        return self._game

    def lines(self) -> list[bytes]:
        """Return the log as it really is."""
        return self.lines_of(self._game)

    def lines_of(self, game: str) -> list[bytes]:
        """Return a game's real log; an id that the client is shown instead of it counts too."""

        async def read() -> list[bytes]:
            async with Connection(self.upstream, self._links["player"].token) as connection:
                return (await connection.lines(bytes.fromhex(self.proxy.instead.get(game, game)), 0))[0]

        return self._event_loop.run(read())

    def roll(self) -> None:
        """Alice asks for a d20, and has it. Raises NotReachedError where the client does not open."""
        size = len(self.lines())
        self.ask()
        self.until(
            lambda: any(json.loads(line)["type"] == "reveal" for line in self.lines()[size:]),
            f"{CLIENT} does not open for a roll",
        )

    def ask(self) -> None:
        """Alice asks for a d20, and nobody waits for it."""
        self._event_loop.begin(self.players["alice"].roll("d20"))

    def until(self, holds: Callable[[], bool], otherwise: str, patience: float | None = None) -> None:
        """Wait until something holds. Raises NotReachedError."""
        deadline = time.monotonic() + (self.patience if patience is None else patience)
        while not holds():
            if time.monotonic() > deadline or self.gone():
                if holds():
                    return
                raise NotReachedError(otherwise)
            time.sleep(_STEP)

    # --- what a lie is made of -------------------------------------------------------------------------------------

    def hold(self, type: str) -> None:
        """Cut the client's streams off from the real server, from the next line of this type on."""
        self._held = type
        self.proxy.event = self._hold

    def _hold(self, _: str, event: StreamEvent) -> list[StreamEvent]:
        if self.proxy.apart:
            return []
        if event[0] == "line" and json.loads(event[2])["type"] == self._held:
            self.proxy.apart = self.held = True
            return []
        return [event]

    def second_roll(self, held: str) -> list[bytes]:
        """Make a roll that the client cannot see from a line of the type `held` on; return the real lines."""
        self.hold(held)
        self.ask()
        self.until(lambda: self.held, f"{CLIENT} follows no stream")
        if held == "reveal":
            self.until(lambda: json.loads(self.lines()[-1])["type"] == "reveal", f"{CLIENT} does not open for a roll")
        return self.lines()

    def show(self, lines: Sequence[bytes], *, note: str | None = None, again: int | None = None) -> None:
        """Show the client these lines from now on, and a checkpoint of them by the keeper's key.

        `note`: another checkpoint; "" for none. `again`: the number of a line from which on they are all sent anew.
        """
        found = self.keeper.note(self._game, lines) if note is None else note
        self.false = FalseGame(self._game, lines, found)
        self.proxy.request, self.proxy.stream = self._answer, self._stream
        self.proxy.apart = True
        self.proxy.push(lambda size: self._events(min(size, size if again is None else again)))

    def begin_falsely(self, game: str, lines: Sequence[bytes]) -> None:
        """Show the client another log from its beginning; it must not join."""
        self.false = FalseGame(game, lines, self.keeper.note(game, lines))
        self.proxy.request, self.proxy.stream = self._answer, self._stream
        self.forbidden["any"] = "it opened in a game that is not the one that was agreed to"

    def probe(self) -> None:
        """Alice asks for dice upon what the client is shown: who opens for it has believed that."""
        assert self.false is not None
        lines = self.false.lines
        self.add(self.request_upon(lines), f"it opened for a roll upon line {len(lines) - 1}")

    def request_upon(self, lines: Sequence[bytes], dice: str = "d20") -> bytes:
        """Return a request of alice's upon some lines."""
        event = {
            "author": "alice",
            "body": {"dice": dice},
            "game": self._game,
            "prev": leaf_hash(lines[-1]).hex(),
            "seq": len(lines),
            "time": max(utc_now(), json.loads(lines[-1])["time"]),
            "type": "roll",
        }
        return signed_line(self.alice, event)

    def add(self, line: bytes, forbidden: str | None, *, note: str | None = None) -> None:
        """Show one line more; `forbidden`: the client must not open for it, and what it means where it does."""
        assert self.false is not None
        if forbidden is not None:
            self.forbidden[leaf_hash(line).hex()] = forbidden
        self.show([*self.false.lines, line], note=note)

    def _events(self, first: int) -> list[StreamEvent]:
        assert self.false is not None
        lines = self.false.lines
        found: list[StreamEvent] = [("line", str(number), lines[number]) for number in range(first, len(lines))]
        if self.false.note:
            found.append(("checkpoint", "", json.dumps({"checkpoint": self.false.note}).encode()))
        return found

    def _stream(self, path: str) -> Sequence[StreamEvent] | None:
        if "/games/" not in path or self.false is None:
            return None
        found = path.rpartition("from=")[2]
        return self._events(int(found) if found.isdecimal() else 0)

    def _answer(
        self, method: str, path: str, body: bytes
    ) -> tuple[int, bytes] | tuple[int, bytes, dict[str, str]] | None:
        """Answer for the game from the shown log; other paths are the real server's."""
        if "/games/" not in path or self.false is None or method == "OPTIONS":
            return None
        lines, rest = self.false.lines, path.split("/", 4)[-1]
        headers = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After, Rollproof-Size"}
        if method == "GET" and rest.startswith("log"):
            found = rest.rpartition("from=")[2]
            first = int(found) if found.isdecimal() else 0
            data = b"".join(line + b"\n" for line in lines[first:])
            return 200, data, {**headers, "Content-Type": "application/jsonl", "Rollproof-Size": str(len(lines))}
        if method == "GET" and rest == "checkpoint":
            return 200, self.false.note.encode(), {**headers, "Content-Type": "text/plain; charset=utf-8"}
        if method == "POST" and rest == "openings":
            return 201, json.dumps({"received": self.keeper.received(json.loads(body))}, separators=(",", ":")).encode()
        if method == "POST" and rest in ("received", "catch-up"):
            return 200, b"null"
        if method == "POST" and rest == "lines":
            seq = json.loads(body).get("seq")
            return 201, json.dumps({"checkpoint": self.false.note, "seq": seq}).encode()
        return None

    # --- what the client does --------------------------------------------------------------------------------------

    def _posted(self, path: str, body: bytes) -> None:
        """Check a post of the client's, and note one that no honest client sends."""
        rest = path.rpartition("/")[2]
        if rest not in ("openings", "lines") or "/games/" not in path:
            return
        sent = json.loads(body)
        if rest == "openings":
            self._opens(sent["request"], sent["opening"]["index"], sent["opening"]["link"])
        elif self.false is not None and self.forbidden:
            self.taken.append(f"it signed a {sent['type']} upon what it was shown")
        if rest == "lines":
            before = self.signed.setdefault(sent["prev"], body)
            if before != body:
                self.taken.append(f"it signed two events upon one line: {json.loads(before)['type']}, {sent['type']}")

    def _opens(self, request: str, index: int, link: str) -> None:
        if request in self.forbidden:
            self.taken.append(self.forbidden[request])
        if self.opened.setdefault(request, (index, link)) != (index, link):
            self.taken.append("it opened twice for one request, with two links")
        others = [each for each, (number, _) in self.opened.items() if each != request and number == index]
        if others:
            self.taken.append(f"it opened link {index} for two requests")

    def watch(self, patience: float) -> None:
        """Wait until the client has done what it must not, has ended, or has done nothing for so long."""
        deadline = time.monotonic() + patience
        while not self.taken and time.monotonic() < deadline and not self.gone():
            time.sleep(_STEP)

    def opens(self, requests: Collection[str]) -> bool:
        """Return True if the client opened for one of these requests (hex)."""
        return any(request in self.opened for request in requests)
