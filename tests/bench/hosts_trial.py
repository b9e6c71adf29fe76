"""Two machines of one keeper under load, one of which is killed again and again (`python -m tests.bench.hosts_trial`).

The machines are homes, processes and network namespaces of their own (where this runs as root). Their games are in one
PostgreSQL cluster, what the keeper remembers is in another, which has a synchronous standby. At each table two plain
clients roll every five seconds, or as often as the machines can (`--every 0`); they send again what was not answered,
and go to the other machine where one does not answer. Meanwhile

- one machine is killed (SIGKILL) and started again,
- connections to the games are ended by the database,
- that machine's wire is pulled out for some seconds: clients and the database of games hear nothing of it,
- a connection to the memory is cut between a COMMIT and its answer,
- the memory's service is killed and started again, once; and once its standby takes over.

At the end each log must hold, and must have every line that was answered; all checkpoints that the keeper gave must be
of that log, so nothing was signed twice; and nobody at a table may have waited for more than five seconds.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path

import httpx
import psycopg
from msgspec import Struct

from tests.bench.measure import cores, environment
from tests.bench.posting import PASSPHRASE, WIDE, Game, Posting, begin_all
from tests.bench.scribe import DIE
from tests.support.cutting import Cutting, cutting_apart
from tests.support.network import ALL, Network, able, network
from tests.support.postgres import Cluster, cluster, follower, free_port
from verifier import verify
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.log.merkle import MerkleTree, leaf_hash

__all__ = ["Found", "trial"]

NAMES = ("alice", "bob")
LINKS = 4_096
STILL_WITHIN = 5.0
"""seconds"""
ANSWER_WITHIN = 4.0
"""seconds after which a client goes to the other machine"""
AGAIN_AFTER = 0.5
"""seconds after which a client asks again where no machine has answered, then twice as long (specs/network.md)"""
GIVEN_UP_AFTER = 120.0
BETWEEN = (1.0, 3.0)
"""seconds between two blows, drawn"""
AWAY = (0.2, 2.0)
"""seconds for which a machine that was killed is away"""
OUT = (2.0, 6.0)
"""seconds for which a wire is out"""
PORT = 8706


class Found(Struct):
    """What a trial found."""

    tables: int
    kills: int
    seconds: float
    rolls: int
    answered: int
    """lines and openings that were answered"""
    cuts: int
    wires: int
    """times that the wire was pulled out"""
    lost: int
    """lines that were answered, and are not in the log"""
    broken: int
    """logs that do not hold"""
    twice: int
    """checkpoints that are not of the log"""
    still: float
    """seconds of the longest time in which somebody at a table waited for an answer"""
    until: str
    """when that ended"""

    @property
    def holds(self) -> bool:
        """Whether all is as it must be."""
        return not (self.lost or self.broken or self.twice) and self.still <= STILL_WITHIN

    @property
    def told(self) -> str:
        """In words."""
        return (
            f"{self.tables} tables, {self.seconds:.0f} s; one machine killed {self.kills} times, "
            f"its wire out {self.wires} times, {self.cuts} answers of the memory cut off\n"
            f"{self.rolls} rolls, {self.answered} answers: {self.lost} lines lost, {self.broken} logs broken, "
            f"{self.twice} signed twice; the longest stillness {self.still:.1f} s, until {self.until}\n"
            + ("holds" if self.holds else "does not hold")
        )


# --- machines --------------------------------------------------------------------------------------------------------


class Machine:
    """A home, a network of its own where there is one, and the server's process."""

    def __init__(self, root: Path, options: Sequence[str], network: Network | None) -> None:
        self._root, self._options, self.network = root, options, network
        self.host = "127.0.0.1" if network is None else network.host
        self.port = free_port() if network is None else PORT
        self.address = f"http://{self.host}:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        root.mkdir()

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        within = [] if self.network is None else self.network.within
        command = [sys.executable, "-c", "from ledger.cli import main; main()", "serve", "--home", "home", "--json"]
        given = {**environment(), "ROLLPROOF_PASSPHRASE": PASSPHRASE, "ROLLPROOF_STATE": str(self._root / "state")}
        listening = ["--host", self.host, "--port", str(self.port), *self._options]
        with (self._root / "journal").open("ab") as journal:
            self.process = subprocess.Popen(
                [*within, *command, *listening], cwd=self._root, env=given, stdout=subprocess.PIPE, stderr=journal
            )
        assert self.process.stdout is not None
        assert self.process.stdout.readline(), (self._root / "journal").read_text()

    def kill(self) -> None:
        """It dies."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()


# --- tables ----------------------------------------------------------------------------------------------------------


class Stopped(Exception):
    """The trial is over."""


class Table:
    """Two clients at a table, which roll until the end."""

    def __init__(self, game: Game, machines: Sequence[Machine], at: int, end: asyncio.Event, every: float) -> None:
        self.game, self._machines, self._at, self._end, self._every = game, machines, at, end, every
        self._chance = random.Random(at)
        self._connection: Posting | None = None
        self.answered = 0
        self.taken: dict[int, bytes] = {}
        """leaf hashes of lines that were answered, by number"""
        self.notes: set[str] = set()
        """the keeper's checkpoints"""
        self.rolls = 0
        self.still, self.until = 0.0, ""
        self._last = time.monotonic()

    async def play(self) -> None:
        """Roll again and again."""
        due = time.monotonic() + self._chance.uniform(0, self._every)
        with suppress(Stopped):
            while True:
                await self._pause(due - time.monotonic())
                due += self._every
                await self._follow()
                line = self.game.line("alice", "roll", DIE)
                request = leaf_hash(line)
                status, body = await self._ask(f"{self.game.path}/lines", line)
                if status not in (200, 201):
                    continue  # another line came first
                told = json.loads(body)
                self.taken[told["seq"]] = request
                self.notes.add(told["checkpoint"])
                for name in NAMES[::-1]:
                    await self._ask(f"{self.game.path}/openings", self.game.opening(name, request))
                self.rolls += 1

    async def _pause(self, seconds: float) -> None:
        """Let the people at the table think; nobody waits for the machines meanwhile."""
        if seconds > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._end.wait(), seconds)
            self._last = time.monotonic()
        if self._end.is_set():
            raise Stopped

    async def _follow(self) -> None:
        """Take what the keeper wrote."""
        start = max(0, self.game.size - 2)
        status, body = await self._ask(f"{self.game.path}/log?from={start}", None)
        lines = body.splitlines()
        assert lines, f"{self.game.path}/log?from={start}: {status} {body[:200]!r}"
        self.game.size, self.game.head = start + len(lines), leaf_hash(lines[-1])

    async def _ask(self, path: str, body: bytes | None) -> tuple[int, bytes]:
        """Ask until there is an answer that is one, at whichever machine."""
        until, tried = time.monotonic() + GIVEN_UP_AFTER, 0
        while True:
            try:
                async with asyncio.timeout(ANSWER_WITHIN):
                    if self._connection is None:
                        address = self._machines[self._at % len(self._machines)].address
                        self._connection = await Posting.to(address, self.game.token)
                    posted = self._connection.get(path) if body is None else self._connection.post(path, body)
                    status, answer = await posted
                if status < 500 and status != 429:
                    self._went_on()
                    return status, answer
            except (OSError, EOFError, TimeoutError, ValueError):
                pass
            tried += 1
            await self._elsewhere(tried - len(self._machines))
            assert time.monotonic() < until, f"{self.game.game.hex()[:12]}: nobody answers"

    async def _elsewhere(self, waits: int) -> None:
        """Go to the next machine: at once where it was not asked yet, else after a wait, the longer the more waits."""
        if self._end.is_set():
            raise Stopped
        self._at += 1
        if self._connection is not None:
            with suppress(OSError):
                await self._connection.close()
            self._connection = None
        if waits >= 0:
            await asyncio.sleep(AGAIN_AFTER * 2**waits * self._chance.uniform(0.5, 1))

    def _went_on(self) -> None:
        now = time.monotonic()
        self.answered += 1
        if now - self._last > self.still:
            self.still, self.until = now - self._last, time.strftime("%X")
        self._last = now
        if self._end.is_set():
            raise Stopped

    async def close(self) -> None:
        """Let go of the machine."""
        if self._connection is not None:
            with suppress(OSError):
                await self._connection.close()


def checked(table: Table, log: bytes) -> tuple[int, int, int]:
    """How many lines are lost, whether the log is broken, and how many checkpoints are not of it."""
    lines = log.splitlines()
    leaves = [leaf_hash(line) for line in lines]
    lost = sum(seq >= len(leaves) or leaves[seq] != leaf for seq, leaf in table.taken.items())
    tree, roots = MerkleTree(), [b""]
    for leaf in leaves:
        tree.append(leaf)
        roots.append(tree.root())
    heads = [parse_checkpoint(note.encode()).head for note in table.notes]
    twice = sum(head.size >= len(roots) or roots[head.size] != head.root for head in heads)
    return lost, verify(log)[0].verdict != "holds", twice


# --- the trial -------------------------------------------------------------------------------------------------------


class Blows:
    """What befalls machines and databases, in a thread."""

    def __init__(self, machine: Machine, games: Cluster, memory: Cluster, standby: Cluster, way: Cutting) -> None:
        self._machine, self._games, self._memory, self._standby, self._way = machine, games, memory, standby, way
        self.wires = 0
        """times that the wire was pulled out"""

    def strike(self, kills: int, tell: bool) -> None:
        """Kill the machine so many times, and do the rest between."""
        chance = random.Random(kills)
        for number in range(kills):
            time.sleep(chance.uniform(*BETWEEN))
            if number == kills // 3:
                self._say("the memory's service is killed and started again", tell)
                self._memory.kill()
                self._memory.start()
            elif number == 2 * kills // 3:
                self._say("the memory's standby takes over", tell)
                self._memory.kill()
                self._standby.promote()
                self._way.target = str(self._standby.folder / ".s.PGSQL.5432")
            elif number % 3 == 1:
                self._say("an answer of the memory is cut off", tell)
                self._way.cut = "after"
            elif number % 3 == 2:
                self._say("the database ends all connections to the games", tell)
                with psycopg.connect(self._games.url(), autocommit=True) as connection:
                    connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'games'")
            elif self._machine.network is not None:
                self._say("the machine's wire is pulled out", tell)
                self._machine.network.cut()
                self.wires += 1
                time.sleep(chance.uniform(*OUT))
                self._machine.network.mend()
                self._say("and put back", tell)
            time.sleep(chance.uniform(*BETWEEN))
            self._say(f"kill {number + 1}", tell)
            self._machine.kill()
            time.sleep(chance.uniform(*AWAY))
            self._machine.start()
        time.sleep(BETWEEN[1])

    @staticmethod
    def _say(what: str, tell: bool) -> None:
        if tell:
            print(f"{time.strftime('%X')} {what}", flush=True)


def trial(tables: int, kills: int, every: float, *, tell: bool = False) -> Found:
    """Play at so many tables, a roll each so many seconds, while one machine is killed so many times."""
    with ExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rp-trial-")))
        games = stack.enter_context(cluster(ALL if able() else None))
        memory = stack.enter_context(cluster())
        assert games is not None, "PostgreSQL is not installed here"
        assert memory is not None
        games.make("games")
        service = memory.make("memory")
        with psycopg.connect(memory.url(), autocommit=True) as connection:  # the standby has it from here
            connection.execute("ALTER SYSTEM SET wal_retrieve_retry_interval = '200ms'")
        standby = stack.enter_context(follower(memory))
        _synchronous(memory)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="rp-way-"))
        way = stack.enter_context(cutting_apart(Path(folder), str(memory.folder / ".s.PGSQL.5432")))
        (root / "limits.json").write_text(json.dumps(WIDE))
        options = ["--limits", str(root / "limits.json"), "--memory", service.replace(str(memory.folder), folder)]
        machines = [stack.enter_context(_machine(root / str(number), games, options)) for number in (1, 2)]
        machines[0].start()
        shutil.copytree(root / "1" / "home" / "identities", root / "2" / "home" / "identities")
        machines[1].start()
        begun = begin_all(machines[0].address, tables, NAMES, LINKS)
        blows = Blows(machines[0], games, memory, standby, way)
        return asyncio.run(_play(begun, machines, blows, way, kills, every, tell=tell))


async def _play(
    games: Sequence[Game],
    machines: Sequence[Machine],
    blows: Blows,
    way: Cutting,
    kills: int,
    every: float,
    *,
    tell: bool,
) -> Found:
    end = asyncio.Event()
    tables = [Table(game, machines, at, end, every) for at, game in enumerate(games)]
    began = time.monotonic()
    playing = [asyncio.create_task(table.play()) for table in tables]
    striking = asyncio.create_task(asyncio.to_thread(blows.strike, kills, tell))
    done, _ = await asyncio.wait([striking, *playing], return_when=asyncio.FIRST_COMPLETED)
    for each in done:
        each.result()
    end.set()
    await asyncio.gather(*playing)
    seconds = time.monotonic() - began
    checks = []
    for table in tables:
        await table.close()
        headers = {"Authorization": f"Bearer {table.game.token}"}
        answer = await asyncio.to_thread(
            httpx.get, f"{machines[1].address}{table.game.path}/log", headers=headers, timeout=60
        )
        answer.raise_for_status()
        checks.append(checked(table, answer.content))
    lost, broken, twice = (sum(column) for column in zip(*checks, strict=True))
    rolls, answered = sum(table.rolls for table in tables), sum(table.answered for table in tables)
    still, until = max((table.still, table.until) for table in tables)
    return Found(len(tables), kills, seconds, rolls, answered, way.cuts, blows.wires, lost, broken, twice, still, until)


@contextmanager
def _machine(root: Path, games: Cluster, options: Sequence[str]) -> Iterator[Machine]:
    with network() if able() else nullcontext() as own:
        database = games.url("games") if own is None else games.url_at(own.here, "games")
        found = Machine(root, ["--database", database, *options], own)
        try:
            yield found
        finally:
            found.kill()


def _synchronous(memory: Cluster) -> None:
    """The standby has what is answered."""
    with psycopg.connect(memory.url(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        connection.execute("SELECT pg_reload_conf()")
        while connection.execute("SELECT sync_state FROM pg_stat_replication").fetchall() != [("sync",)]:
            time.sleep(0.05)


def main() -> None:
    """Print what was found; the exit code says whether it holds."""
    parser = argparse.ArgumentParser("python -m tests.bench.hosts_trial", description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=256, help="tables at which two clients roll")
    parser.add_argument("--kills", type=int, default=20, help="times that one machine is killed")
    parser.add_argument("--every", type=float, default=5.0, help="seconds from a roll to the next at a table")
    given = parser.parse_args()
    print(f"{cores()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    found = trial(given.tables, given.kills, given.every, tell=True)
    print(found.told)
    sys.exit(not found.holds)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main()
