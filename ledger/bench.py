"""What the ledger and the verifier cost beside what they cannot do without (`rollproof bench`).

Absolute figures drift by half from minute to minute on a busy machine. So everything is measured in turns with a bare
counterpart that does only the unavoidable part (the signatures, the commit, the hashes), and what counts is the median
of the turns' ratios: at 1 ours is as fast as the bare counterpart, at 0.5 it takes twice as long.
"""

import argparse
import hashlib
import hmac
import io
import json
import os
import platform
import secrets
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from math import sqrt
from pathlib import Path
from statistics import NormalDist, median
from tempfile import TemporaryDirectory
from typing import BinaryIO

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Struct

import verifier
from ledger.identity import Identity
from ledger.seat import Seat, utc_now
from ledger.seeds import SeedChain
from ledger.store import Ledger
from rules import Body, Role
from rules.mtg import Magic
from rules.mtg.bodies import Options, ResolveBody, RollBody
from rules.session import Join
from verifier import Replay, verify
from verifier.chain import ZERO_HASH, leaf_hash
from verifier.derivation import draw, opening_message, roll_seed
from verifier.format import (
    FORMAT,
    MAX_CHAIN,
    Commit,
    Open,
    Opening,
    Party,
    Reveal,
    encode,
    signed_line,
    signed_message,
    unsigned_event,
)
from verifier.signatures import SignatureCheck

__all__ = ["Measure", "chi_square_p", "run"]

VERIFY_TARGET = 0.85
APPEND_TARGET = 0.7
DICE_TARGET = 10_000_000
"""d6 a second"""
MEMORY_TARGET = 150
"""megabytes, to verify a log of any length"""
P_LIMITS = (0.001, 0.999)
"""a fair die falls outside once in 500 tests"""

_ROLES: Mapping[str, Role] = {"host": "keeper", "alice": "player", "bob": "player"}
_DIE = RollBody(source="Delina", dice="1d20", use="attack")


class Sizes(Struct, frozen=True):
    """How much is measured."""

    turns: int
    verify_events: int
    one_thread_events: int
    append_rolls: int
    long_game: int
    dice: int
    fairness_d6: int
    fairness: int
    starts: int
    memory_events: int


FULL = Sizes(
    turns=5,
    verify_events=20_000,
    one_thread_events=5_000,
    append_rolls=100,
    long_game=10_000,
    dice=1_000_000,
    fairness_d6=10_000_000,
    fairness=1_000_000,
    starts=15,
    memory_events=100_000,
)
QUICK = Sizes(
    turns=3,
    verify_events=1_200,
    one_thread_events=600,
    append_rolls=15,
    long_game=600,
    dice=100_000,
    fairness_d6=200_000,
    fairness=100_000,
    starts=3,
    memory_events=2_000,
)


class Measure(Struct, frozen=True):
    """One line of the table. `ratio` has no unit, the greater the better; `target` is the least that it should be."""

    key: str
    what: str
    against: str
    ours: str
    bare: str
    ratio: float
    target: float | None = None

    def verdict(self, *, quick: bool) -> str:
        """The target, and in words whether it was reached; a quick run cannot tell."""
        if self.target is None:
            return ""
        words = "" if quick else ", reached" if self.ratio >= self.target else ", not reached"
        return f"{self.target:.2f}{words}"


def run(say: Callable[[str], None], *, quick: bool) -> dict[str, float]:
    """Measure everything and tell it line by line; returns the ratios, and the p-values of the dice, by name.

    Full takes a few minutes, `quick` a few seconds with small sizes, whose ratios say little.
    """
    sizes = QUICK if quick else FULL
    results: dict[str, float] = {}
    say(_machine())
    if (load := _load()) > 0.5:
        say(f"Others keep {load:.1f} of the cores busy: the figures are rough. Measure again when the machine is idle.")
    if quick:
        say("Quick run: these sizes are too small to tell whether a target is reached.")
    say("")
    say(_row("what", "ours", "bare", "ratio", "target"))
    with TemporaryDirectory(prefix="rollproof-bench-") as folder:
        for measure in _measures(Path(folder), sizes):
            results[measure.key] = measure.ratio
            verdict = measure.verdict(quick=quick)
            say(_row(measure.what, measure.ours, measure.bare, f"{measure.ratio:.2f}", verdict))
            say(f"    beside {measure.against}")
    say("")
    results.update(_fairness(say, sizes))
    return results


def _measures(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    yield from _verification(sizes)
    yield from _store(folder, sizes)
    yield from _dice(sizes)
    yield _start(folder, sizes)
    yield from _memory(folder, sizes)


def _machine() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("cryptography", "msgspec"))
    return (
        f"{platform.python_implementation()} {platform.python_version()}, {packages}, SQLite {sqlite3.sqlite_version}, "
        f"{_cores()} cores, {platform.system()} {platform.machine()}"
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _load() -> float:
    """How many processes wanted to run, on average over the last minute; 0 where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _row(what: str, ours: str, bare: str, ratio: str, target: str) -> str:
    return f"{what:<52}{ours:>20}{bare:>20}{ratio:>7}  {target}".rstrip()


def _rate(count: float, seconds: float, unit: str) -> str:
    return f"{count / seconds:,.0f} {unit}/s"


# --- taking turns ----------------------------------------------------------------------------------------------------


class Race(Struct, frozen=True):
    """Median seconds of both sides, and the median of bare / ours, turn by turn."""

    ours: float
    bare: float
    ratio: float

    @classmethod
    def of(cls, ours: Sequence[float], bare: Sequence[float]) -> "Race":
        return cls(median(ours), median(bare), median(b / o for o, b in zip(ours, bare, strict=True)))


def _race(ours: Callable[[], object], bare: Callable[[], object], turns: int) -> Race:
    """Run both in turns, each first in every other turn."""
    seconds: dict[Callable[[], object], list[float]] = {ours: [], bare: []}
    for turn in range(turns):
        for work in (ours, bare) if turn % 2 else (bare, ours):
            seconds[work].append(_seconds(work))
    return Race.of(seconds[ours], seconds[bare])


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# --- a game as fast as it can be written -----------------------------------------------------------------------------


class Scribe:
    """Writes a log with everybody's secrets in one place and nothing stored: roll, reveal, resolve, again and again."""

    def __init__(self, log: BinaryIO, chain_length: int) -> None:
        self.identities = {name: Identity.generate(name) for name in _ROLES}
        self.size = 0
        self._log = log
        self._chain_length = min(chain_length, MAX_CHAIN)
        self._time = utc_now()
        self._head = self._game = ZERO_HASH
        self._rolls = 0
        self._game = self._write("host", "open", self._terms())
        for name in ("alice", "bob"):
            self._write(name, "join", Join())
        self._commit()

    def write_rolls(self, events: int) -> None:
        """Write rolls until the log has `events` events, or a few more."""
        while self.size < events:
            if self._link > self._chain_length:
                self._commit()
            self._write_roll()

    def _terms(self) -> Open:
        parties = tuple(Party(str(self.identities[name].key), role) for name, role in _ROLES.items())
        options = msgspec.Raw(encode(Options(planechase=False)))
        return Open(FORMAT, Magic.id, options, parties, "all", secrets.token_hex(32), "benchmark")

    def _commit(self) -> None:
        self._link = 1
        self._chains = {
            name: SeedChain(self._game, name, self._chain_length, secrets.token_bytes(32)) for name in _ROLES
        }
        for name, chain in self._chains.items():
            self._write(name, "commit", Commit(chain.length, chain.tip.hex()))

    def _write_roll(self) -> None:
        player, seq = ("alice", "bob")[self._rolls % 2], self.size
        request = self._write(player, "roll", _DIE)
        links = {name: chain.link(self._link) for name, chain in self._chains.items()}
        openings = tuple(self._opening(name, link, request) for name, link in links.items())
        seed = roll_seed(links["host"], self._game, self._rolls, [(n, links[n]) for n in ("alice", "bob")])
        self._write("host", "reveal", Reveal(self._rolls, openings, draw(seed, (20,))))
        self._write(player, "resolve", ResolveBody(roll=seq))
        self._rolls += 1
        self._link += 1

    def _opening(self, name: str, link: bytes, request: bytes) -> Opening:
        signature = self.identities[name].sign(opening_message(self._game, request, name, self._link, link))
        return Opening(name, self._link, link.hex(), signature.hex())

    def _write(self, author: str, type: str, body: Body) -> bytes:
        """Write an event; returns its leaf hash."""
        event = unsigned_event(author, body, self._game.hex(), self._head.hex(), self.size, self._time, type)
        line = signed_line(event, self.identities[author].sign(signed_message(event)))
        self._log.write(line + b"\n")
        self._head = leaf_hash(line)
        self.size += 1
        return self._head


def _game(events: int) -> tuple[bytes, Scribe]:
    log = io.BytesIO()
    scribe = Scribe(log, events // 3 + 1)
    scribe.write_rolls(events)
    return log.getvalue(), scribe


# --- verification ----------------------------------------------------------------------------------------------------


def _verification(sizes: Sizes) -> Iterator[Measure]:
    cores = _cores()
    log, scribe = _game(sizes.verify_events)
    yield _verify("verify_to_bare_ed25519", log, scribe.size, threads=cores, turns=sizes.turns, target=VERIFY_TARGET)
    log, scribe = _game(sizes.one_thread_events)
    yield _verify("verify_one_thread_to_bare_ed25519", log, scribe.size, threads=1, turns=sizes.turns, target=None)


def _verify(key: str, log: bytes, events: int, *, threads: int, turns: int, target: float | None) -> Measure:
    checks: list[SignatureCheck] = []
    replay = Replay()
    for line in log.splitlines():
        replay.step(line, checks.append)
    jobs = [
        (Ed25519PublicKey.from_public_bytes(check.key.public_bytes), check.signature, check.message) for check in checks
    ]
    _check_holds(log)

    def bare() -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(_verify_all, (jobs[i::threads] for i in range(threads))))

    race = _race(lambda: verify(log, threads=threads), bare, turns)
    on = "one thread" if threads == 1 else f"{threads} threads"
    return Measure(
        key,
        f"verify a game of {events:,} events on {on}",
        f"cryptography's Ed25519 verify over the same {len(jobs):,} messages, on {on}",
        _rate(events, race.ours, "events"),
        _rate(events, race.bare, "events"),
        race.ratio,
        target,
    )


def _verify_all(jobs: Iterable[tuple[Ed25519PublicKey, bytes, bytes]]) -> None:
    for key, signature, message in jobs:
        key.verify(signature, message)


def _check_holds(log: bytes) -> None:
    report, _ = verify(log)
    assert report.verdict == "holds", verifier.render(report)


# --- the store -------------------------------------------------------------------------------------------------------


class Step(Struct, frozen=True):
    """A part of a roll: the seconds it took, and what it made durable, each with a commit of its own (JSON values)."""

    kind: str
    seconds: float
    records: list[object]


class Table:
    """A stored game with everybody at the table, ready to roll `rolls` times."""

    def __init__(self, ledger: Ledger, folder: Path, events: int, rolls: int) -> None:
        log, scribe = _game(events)
        self.ledger = ledger
        report, _ = ledger.import_log(log, name="benchmark")
        assert report.game is not None
        self.game = bytes.fromhex(report.game)
        self.seats = {name: Seat(identity, folder / name / "seeds.db") for name, identity in scribe.identities.items()}
        for seat in self.seats.values():
            self.ledger.append(self.game, seat.commit(self.ledger.view(self.game), rolls))

    def close(self) -> None:
        for seat in self.seats.values():
            seat.close()

    def roll(self) -> Iterator[Step]:
        """A roll from request to resolve, step by step."""
        ledger, game, host = self.ledger, self.game, self.seats["host"]
        seq = ledger.view(game).replay.size
        player = self.seats[("alice", "bob")[seq % 2]]
        yield self._append("roll", lambda: player.sign(ledger.view(game), "roll", _DIE))
        seconds = _seconds(self._hand_in)
        openings = [msgspec.to_builtins(opening) for opening in ledger.openings(game)]
        # Recorded by those who open, and by the keeper who receives.
        yield Step("openings", seconds, openings + openings)
        step = self._append("reveal", lambda: host.reveal(ledger.view(game), ledger.openings(game)))
        # The keeper opens too, and records it.
        yield Step(step.kind, step.seconds, openings[:1] + step.records)
        yield self._append("resolve", lambda: player.sign(ledger.view(game), "resolve", ResolveBody(roll=seq)))

    def _append(self, kind: str, sign: Callable[[], bytes]) -> Step:
        lines: list[bytes] = []

        def append() -> None:
            lines.append(sign())
            self.ledger.append(self.game, lines[0])

        return Step(kind, _seconds(append), [msgspec.json.decode(lines[0])])

    def _hand_in(self) -> None:
        for name in ("alice", "bob"):
            self.ledger.hand_in(self.game, self.seats[name].opening(self.ledger.view(self.game)))


class BareStore:
    """The least that a durable signed log can do: encode, sign, insert, commit with synchronous FULL."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("CREATE TABLE events (game TEXT, seq INTEGER, line BLOB, PRIMARY KEY (game, seq))")
        self._key = Identity.generate("bare")
        self._encoder = msgspec.json.Encoder(order="sorted")
        self._size = 0

    def close(self) -> None:
        self._connection.close()

    def fill(self, lines: Iterable[bytes]) -> None:
        """Take many lines at once: a write-ahead log that has grown once is quicker, and the ledger's has."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany("INSERT INTO events VALUES ('full', ?, ?)", enumerate(lines))
        self._connection.execute("COMMIT")

    def append(self, record: object) -> None:
        """Append a JSON value."""
        encoded = self._encoder.encode(record)
        signed = encoded + self._key.sign(encoded)
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO events VALUES (?, ?, ?)", ("bare", self._size, signed))
        self._connection.execute("COMMIT")
        self._size += 1


def _store(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    rolls, ledger, bare = sizes.append_rolls, Ledger(folder / "ledger.db"), BareStore(folder / "bare.db")
    old = Table(ledger, folder / "old", sizes.long_game, rolls)
    new = Table(ledger, folder / "new", 9, rolls)
    bare.fill(ledger.lines(old.game))
    try:
        yield from _append(new, old, bare, rolls)
        yield _rebuild(ledger, folder, sizes.turns)
    finally:
        for closes in (new, old, bare, ledger):
            closes.close()


Turn = dict[str, float]
"""seconds by kind of step"""


def _append(new: Table, old: Table, bare: BareStore, rolls: int) -> Iterator[Measure]:
    length = old.ledger.view(old.game).replay.size
    news: list[tuple[Turn, Turn]] = []
    olds: list[tuple[Turn, Turn]] = []
    for _ in range(rolls):
        news.append(_turn(new, bare))
        olds.append(_turn(old, bare))
    against, kinds = "encode, sign, insert, commit with synchronous FULL", ("roll", "resolve")
    what = "sign and append an event to a new game"
    yield _beside("append_to_bare_insert", what, against, news, kinds, APPEND_TARGET)
    what = f"sign and append an event to a game of {length:,} events"
    yield _beside("append_at_length_to_bare_insert", what, against, olds, kinds, APPEND_TARGET)
    aged = [(ours, early) for (ours, _), (early, _) in zip(olds, news, strict=True)]
    yield _beside("append_late_to_early", f"the same, after {length:,} events", "the same in the new game", aged, kinds)
    what, against = "a whole roll, from request to resolve", "the same eight durable records, encoded and signed"
    yield _beside("roll_to_bare_inserts", what, against, news, ("roll", "openings", "reveal", "resolve"))


def _turn(table: Table, bare: BareStore) -> tuple[Turn, Turn]:
    """A roll at the table, and after each of its steps the same records in the bare store."""
    ours, beside = {}, {}
    for step in table.roll():
        ours[step.kind] = step.seconds
        beside[step.kind] = sum(_seconds(partial(bare.append, record)) for record in step.records)
    return ours, beside


def _beside(
    key: str,
    what: str,
    against: str,
    turns: Sequence[tuple[Turn, Turn]],
    kinds: Sequence[str],
    target: float | None = None,
) -> Measure:
    """These kinds of steps of many turns, ours and bare; a rate of steps if they are events, else of turns."""
    race = Race.of(*([sum(turn[side][kind] for kind in kinds) for turn in turns] for side in (0, 1)))
    count, unit = (len(kinds), "events") if "openings" not in kinds else (1, "rolls")
    ours, bare = _rate(count, race.ours, unit), _rate(count, race.bare, unit)
    return Measure(key, what, against, ours, bare, race.ratio, target)


def _rebuild(ledger: Ledger, folder: Path, turns: int) -> Measure:
    lines = [line for game in ledger.games() for line in ledger.lines(game)]
    connection = sqlite3.connect(folder / "rebuilt.db", isolation_level=None)

    def bare() -> None:
        connection.execute("BEGIN")
        connection.execute("DROP TABLE IF EXISTS events")
        connection.execute("CREATE TABLE events (seq INTEGER, author TEXT, type TEXT, body TEXT)")
        for line in lines:
            event = msgspec.json.decode(line)
            row = (event["seq"], event["author"], event["type"], str(event["body"]))
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
        connection.execute("COMMIT")

    race = _race(ledger.rebuild, bare, turns)
    connection.close()
    return Measure(
        "rebuild_to_bare_inserts",
        f"rebuild the read tables from {len(lines):,} events",
        "decode each line and insert one row for it",
        _rate(len(lines), race.ours, "events"),
        _rate(len(lines), race.bare, "events"),
        race.ratio,
    )


# --- dice ------------------------------------------------------------------------------------------------------------


def _dice(sizes: Sizes) -> Iterator[Measure]:
    seed, many = secrets.token_bytes(32), (6,) * sizes.dice
    race = _race(lambda: draw(seed, many), lambda: _stream(seed, sizes.dice), 2 * sizes.turns)
    ours, beside = _rate(sizes.dice, race.ours, "dice"), _rate(sizes.dice, race.bare, "dice")
    what, against = f"derive {sizes.dice:,} d6 from a seed", "the HMAC-SHA256 blocks that they are read from, alone"
    yield Measure("d6_to_bare_hmac", what, against, ours, beside, race.ratio)
    wanted = f"{DICE_TARGET:,} dice/s"
    reached = sizes.dice / race.ours / DICE_TARGET
    what, against = "the same as dice a second", "the figure to reach, on any machine"
    yield Measure("d6_to_10_million_per_second", what, against, ours, wanted, reached, 1.0)
    race = _race(_repeat(lambda: draw(seed, (20,))), _repeat(lambda: hmac.digest(seed, b"d20", "sha256")), sizes.turns)
    ours, beside = _rate(1000, race.ours, "rolls"), _rate(1000, race.bare, "rolls")
    yield Measure("d20_to_bare_hmac", "derive a single d20 from a seed", "one HMAC-SHA256", ours, beside, race.ratio)


def _stream(seed: bytes, count: int) -> bytes:
    """At least `count` bytes of stream, and as many more as d6 reject (specs/dice.md)."""
    keyed = hmac.new(seed, b"rollproof/v1/dice\n", "sha256")
    blocks = []
    for counter in range(count * 256 // 252 // 32 + 1):
        block = keyed.copy()
        block.update(counter.to_bytes(8, "big"))
        blocks.append(block.digest())
    return b"".join(blocks)


def _repeat(work: Callable[[], object]) -> Callable[[], None]:
    def thousand() -> None:
        for _ in range(1000):
            work()

    return thousand


def _fairness(say: Callable[[str], None], sizes: Sizes) -> dict[str, float]:
    say("Are the dice uniform? Pearson's chi-square of dice from fixed seeds, so that every run gives the same;")
    say("p by the Wilson–Hilferty approximation. A fair die has any p from 0 to 1 equally often.")
    results = {}
    for sides in (4, 6, 8, 10, 12, 20, 100, 1000):
        count = sizes.fairness_d6 if sides == 6 else sizes.fairness
        p = chi_square_p(_counts(sides, count))
        results[f"chi_square_p_d{sides}"] = p
        words = "as a fair die" if P_LIMITS[0] < p < P_LIMITS[1] else "NOT as a fair die"
        say(f"  {count:>10,} d{sides:<5} p = {p:.3f}, {words}")
    return results


def _counts(sides: int, count: int) -> list[int]:
    """How often each natural comes among `count` dice, a hundred thousand from a seed."""
    counter: Counter[int] = Counter()
    for part, start in enumerate(range(0, count, 100_000)):
        seed = hashlib.sha256(f"rollproof bench d{sides} {part}".encode()).digest()
        counter.update(draw(seed, (sides,) * min(100_000, count - start)))
    assert counter.keys() <= set(range(1, sides + 1))
    return [counter[natural] for natural in range(1, sides + 1)]


def chi_square_p(counts: Sequence[float]) -> float:
    """The chance that a fair die with a side for each of `counts` strays as far from equal counts, or farther.

    Pearson's chi-square; its upper tail by Wilson and Hilferty (1931), good to two decimals from four sides on.
    """
    expected = sum(counts) / len(counts)
    freedom = len(counts) - 1
    chi_square = sum((count - expected) ** 2 for count in counts) / expected
    spread = 2 / (9 * freedom)
    z = ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)
    return NormalDist().cdf(-z)


# --- start and memory ------------------------------------------------------------------------------------------------


def _start(folder: Path, sizes: Sizes) -> Measure:
    path = folder / "short.jsonl"
    path.write_bytes(_game(30)[0])
    imports = "import cryptography.hazmat.primitives.asymmetric.ed25519, msgspec"
    race = _race(lambda: _python("-m", "verifier", str(path)), lambda: _python("-c", imports), sizes.starts)
    return Measure(
        "start_to_bare_imports",
        "start rollproof-verify on a game of 30 events",
        f"python -c '{imports}'",
        f"{race.ours * 1000:.0f} ms",
        f"{race.bare * 1000:.0f} ms",
        race.ratio,
    )


def _python(*arguments: str) -> str:
    """What another Python prints, with this one's packages."""
    root = str(Path(verifier.__file__).resolve().parent.parent)
    paths = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    done = subprocess.run(  # noqa: S603 - this Python, arguments of this module
        [sys.executable, *arguments], env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=True
    )
    return done.stdout


# The peak of the program's own memory. The ru_maxrss of a child would count what its parent held when it was started.
_PEAK = """
import re, sys
from pathlib import Path
from verifier.__main__ import run
assert run(["--json", sys.argv[1]]) == 0
print(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def _memory(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    if not Path("/proc/self/status").exists():
        return
    path, peaks, most = folder / "long.jsonl", [], sizes.memory_events
    with path.open("wb") as log:
        scribe = Scribe(log, most // 12)
        for events in (most // 4, most):
            scribe.write_rolls(events)
            log.flush()
            peaks.append(int(_python("-c", _PEAK, str(path)).split()[-1]) / 1024)
    fewer, peak = peaks
    ours = f"{peak:.0f} MB"
    what, limit = f"peak memory to verify {scribe.size:,} events", f"{MEMORY_TARGET} MB"
    against = "the figure to stay below, for a log of any length"
    yield Measure("memory_limit_to_peak", what, against, ours, limit, MEMORY_TARGET / peak, 1.0)
    what, against = "the same, when the log grows", f"its first {most // 4:,} events"
    yield Measure("memory_quarter_to_whole", what, against, ours, f"{fewer:.0f} MB", fewer / peak)


def main() -> None:
    """`python -m ledger.bench`."""
    parser = argparse.ArgumentParser("python -m ledger.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes: a few seconds")
    parser.add_argument("--json", action="store_true", help="print only the ratios, as JSON")
    given = parser.parse_args()
    if given.json:
        print(json.dumps(run(lambda _: None, quick=given.quick), indent=2))
    else:
        run(print, quick=given.quick)


if __name__ == "__main__":
    main()
