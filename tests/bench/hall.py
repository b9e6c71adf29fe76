"""A day in a hall (`python -m tests.bench.hall`; specs/event.md, "At a server"): check-ins, a round, rolls, the end.

Phones are official page cores in Node, each with a storage and a key of its own, behind one address. Those of one
program share the results of verified signatures, because each phone of a hall has a processor of its own. Most of the
processor time is theirs all the same. What the server had of the machine is told.
"""

import argparse
import io
import json
import os
import pstats
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Self

from msgspec import Struct
from psutil import Process

from tests.bench.measure import cores
from tests.server.event_day import Day, identity
from tests.server.served import Server

__all__ = ["Hall", "Sizes", "measure", "percentile"]

ROOT = Path(__file__).parents[2]


class Sizes(Struct, frozen=True):
    """How large the hall is. Times are in seconds."""

    players: int = 400
    programs: int = 2
    """Node processes that have the phones"""
    checking_in: float = 60
    play: float = 600
    every: float = 20
    """between two rolls of a table"""
    delay: float = 0
    """milliseconds by which each request of a phone is late"""
    events: int = 0
    """events that each log has at least when the round ends: rolled without a pause behind `play`"""
    loss: float = 0
    """the share of requests that are lost on the way, or whose answer is: both are errors of the network to a phone"""
    kills: int = 0
    """how often the server is killed and begun again while they play"""
    lost_laptop: bool = False
    """whether the last time it goes on in another folder, with home and state as they were on the disk"""
    profile: bool = False
    """whether it is told where the server's processor time goes; a server that is killed cannot tell"""


class Hall(Struct, frozen=True):
    """What was measured. Times are in milliseconds."""

    players: int
    check_ins: Sequence[float]
    published: Sequence[float]
    """from the line with the pairings to a phone that shows them"""
    seen: Sequence[float]
    """from the start's line to a phone that sees its table open"""
    going_on: Sequence[float]
    """and to a phone that sees all players of its table in the game"""
    dice: Sequence[float]
    """from a tap to the dice at all phones of the table"""
    dice_around_kills: Sequence[float]
    """the same of rolls that were asked for while the server was away, or up to `BACK_WITHIN` before or behind that"""
    errors: Sequence[str]
    ended: float
    """from the end of the round until all games are closed and sealed"""
    bundled: float
    """until all of the event is in one file, then"""
    verified: float
    """of the bundle, by a verifier in a process of its own, while the next round is published and opens"""
    again: Sequence[float]
    """from the start of that next round to a phone that sees its table open"""
    verdict: str
    games: Sequence[int]
    """events of each game"""
    lost: int
    """rolls that phones saw and the bundle does not have"""
    anchored: int
    """games whose final checkpoint is in the server's anchor log"""
    away: Sequence[float]
    """for how long the server answered nobody, each time it was killed"""
    server: float
    """processor seconds of the server"""
    phones: float
    """processor seconds of the phones"""
    whole: float
    """seconds of all of it"""
    profile: str = ""
    """the functions of the server's main thread in which most time went, if that was asked for"""


class _Phones:
    """A Node process with some of the phones."""

    def __init__(self, day: Day, numbers: Sequence[int], sizes: Sizes) -> None:
        node = shutil.which("node")
        assert node is not None, "node is not installed"
        command = [node, "tests/bench/hall.mjs"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        players = [{"number": number, "code": day.codes[number]} for number in numbers]
        seconds = {"in": sizes.checking_in, "play": sizes.play, "every": sizes.every}
        line = {"delay": sizes.delay, "loss": sizes.loss}
        event = {"address": day.address, "event": day.event, "players": players, "events": sizes.events}
        self.tell({**event, "seconds": seconds, "line": line})

    def tell(self, value: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()

    def told(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the phones have ended"
        return json.loads(line)

    @property
    def processor(self) -> float:
        """Processor seconds so far."""
        return _processor(self._process.pid)

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def _processor(pid: int) -> float:
    times = Process(pid).cpu_times()
    return float(times.user + times.system)


class _Profiled(Server):
    """A server that writes where the time of its main thread went, when it is stopped."""

    program = """
import cProfile, os
from ledger.cli import main
state, profile = os.environ["ROLLPROOF_STATE"], cProfile.Profile()
try:
    profile.runcall(main)
finally:
    profile.dump_stats(os.path.join(state, "server.profile"))
"""

    @property
    def told_by_it(self) -> str:
        """The functions in which most time went."""
        text = io.StringIO()
        pstats.Stats(str(self.root / "state" / "server.profile"), stream=text).sort_stats("tottime").print_stats(25)
        return text.getvalue().replace(f"{ROOT}/", "")


class _Hall:
    """The server, which is killed and begun again while the phones play."""

    def __init__(self, server: Server, sizes: Sizes) -> None:
        self.server = server
        self.away: list[tuple[float, float]] = []
        """when it was killed and when it took requests again, in milliseconds of the clock"""
        self.address = server.address
        self._before = 0.0
        self._sizes = sizes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.server.process.poll() is None:
            self.server.stop(signal.SIGKILL)

    @property
    def processor(self) -> float:
        """Processor seconds of all its processes."""
        return self._before + _processor(self.server.process.pid)

    def kill(self, *, laptop: bool) -> None:
        """Kill it, and begin it again at the same address; with another disk where the laptop is lost."""
        self._before = self.processor
        began = time.time() * 1_000
        self.server.stop(signal.SIGKILL)
        if laptop:
            other = self.server.root.with_name("another-laptop")
            shutil.copytree(self.server.root, other)
            shutil.rmtree(self.server.root)
            self.server.root = other
        self.server = self.server.again()
        self.away.append((began, time.time() * 1_000))

    def met(self, began: float) -> bool:
        """Return True if a roll that was asked for then can have met a server that was away."""
        return any(killed - BACK_WITHIN < began < back + BACK_WITHIN for killed, back in self.away)

    def play(self) -> None:
        """The kills, spread over the time in which phones play."""
        for at in range(self._sizes.kills):
            time.sleep(self._sizes.play / (self._sizes.kills + 1))
            self.kill(laptop=self._sizes.lost_laptop and at == self._sizes.kills - 1)


def measure(root: Path, sizes: Sizes) -> Hall:
    """Run a hall, with the server's own limits."""
    began = time.monotonic()
    organizer = str(identity("olga").key)
    made = (_Profiled if sizes.profile else Server)(root, "--organizer", organizer)
    with _Hall(made, sizes) as hall, Day(hall.address, players=sizes.players) as day:
        day.open()
        day.register()
        day.post(f"/v1/events/{day.event}/names", day.names_file(), day.token)
        tables = [range(number, number + 2) for number in range(1, sizes.players, 2)]
        programs = [
            _Phones(day, [n for table in tables[at :: sizes.programs] for n in table], sizes)
            for at in range(sizes.programs)
        ]
        try:
            came = [each.told() for each in programs]
            failed = [error for each in came for error in each["errors"]]
            assert not failed, f"{len(failed)} phones did not check in: {failed[0]}"
            day.pair()
            published = [each.told() for each in programs]
            day.does(day.olga, "start", day.token, minutes=50, round=1)
            opened = [each.told() for each in programs]
            for each in programs:
                each.tell("play")
            hall.play()
            day.reconnect()
            played = [each.told() for each in programs]
            for each in programs:
                each.told()  # logs are as long as after a whole round
            for table in range(len(tables)):
                sides = [{"won": 2}, {"won": 1}]
                day.does(day.olga, "slip", day.token, round=1, sides=sides, table=table + 11, reason="the bench")
            end = _ended(day, root)
            for each in programs:
                each.tell("the second round begins")
            day.pair(2)
            day.does(day.olga, "start", day.token, minutes=50, round=2)
            again = [each.told() for each in programs]
            report, verified = end.verified()
            anchored = sum(_anchored(day, game) for game in end.games)
            processor = sum(each.processor for each in programs)
        finally:
            for each in programs:
                each.end()
        used = hall.processor
        assert hall.server.stop() == 0
        both = [pair for each in opened for pair in each["opened"] if pair[0] is not None]
        dice = [(began, took) for one in played for began, took in one["dice"]]
        return Hall(
            sizes.players,
            [each for one in came for each in one["checkIns"]],
            [each for one in published for each in one["published"] if each is not None],
            [seen for seen, _ in both],
            [going for _, going in both],
            [took for began, took in dice if not hall.met(began)],
            [took for began, took in dice if hall.met(began)],
            [each for one in again for each in one["errors"]],
            end.ended,
            end.bundled,
            verified,
            [each for one in again for each in one["again"] if each is not None],
            report["verdict"],
            [game["events"] for game in report["state"]["games"]],
            max(0, len(dice) - end.rolls),
            anchored,
            [back - killed for killed, back in hall.away],
            used,
            processor,
            time.monotonic() - began,
            hall.server.told_by_it if isinstance(hall.server, _Profiled) else "",
        )


class _Ended:
    """What is left of a round that has ended: one file, which another process verifies."""

    def __init__(self, day: Day, root: Path, ended: float) -> None:
        """`ended`: milliseconds until all games were sealed. Fetch the bundle, and begin to verify it."""
        self.ended = ended
        began = time.monotonic()
        headers = {"authorization": f"Bearer {day.token}"}
        data = day.http.get(f"/v1/events/{day.event}/bundle", headers=headers, timeout=120).content
        self.bundled = (time.monotonic() - began) * 1_000
        self.rolls = data.count(b'"type":"reveal"')
        self.games = list(day.state.games)
        file = root.with_name("hall.bundle")
        file.write_bytes(data)
        self._began = time.monotonic()
        # As the organizers' guide has it: the next round's tables come first.
        command = ["nice", sys.executable, "-m", "verifier", str(file), "--json", "--jobs", str(os.cpu_count() or 1)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self._report: list[tuple[Any, float]] = []
        self._waits = Thread(target=self._wait)
        self._waits.start()

    def _wait(self) -> None:
        told, _ = self._process.communicate()
        self._report.append((json.loads(told), (time.monotonic() - self._began) * 1_000))

    def verified(self) -> tuple[Any, float]:
        """The report, and milliseconds until it was there."""
        self._waits.join()
        return self._report[0]


def _ended(day: Day, root: Path) -> _Ended:
    """End the first round, and wait until all games are closed and sealed."""
    began = time.monotonic()
    day.does(day.olga, "end", day.token, left=[], round=1)
    while not all(table.size for _, table in day.state.games.values()):
        time.sleep(0.2)
    return _Ended(day, root, (time.monotonic() - began) * 1_000)


def _anchored(day: Day, game: str) -> bool:
    headers = {"authorization": f"Bearer {day.token}"}
    return day.http.get(f"/v1/games/{game}/anchor", headers=headers).status_code == 200


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of them is."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


BACK_WITHIN = 15_000
"""milliseconds in which phones find a server again that was away: they ask again after longer and longer pauses"""
FIVE_MINUTES = 300_000
"""milliseconds in which play goes on at another laptop"""
AIMS: Sequence[tuple[str, str, float]] = (
    ("check-in, from the link to a line that is seen", "check_ins", 2_000),
    ("pairings of a round are seen after they are published", "published", 2_000),
    ("a table is seen open after the start", "seen", 10_000),
    ("a table of the next round, while the first is verified", "again", 10_000),
    ("all players of a table are in its game after the start", "going_on", 0),
    ("dice at all phones of a table", "dice", 1_500),
    ("the same, asked for around a kill of the server", "dice_around_kills", 0),
)
"""what it is, where its figures are, and what 99 of 100 are to be below, in milliseconds; 0: nothing is asked of it"""


def _row(name: str, values: Sequence[float], aim: float) -> str:
    p99 = percentile(values, 0.99)
    asked = f"p99 below {aim:,.0f}: {_met(p99 < aim)}" if aim else ""
    return f"{name:58} {len(values):5} {percentile(values, 0.5):10,.0f} {p99:9,.0f}   {asked}"


def _met(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def table(hall: Hall) -> str:
    """The figures, a line each, and what was asked of them."""
    after = hall.ended + hall.bundled + hall.verified
    whole = hall.verdict == "holds" and hall.anchored == len(hall.games)
    games = f"{len(hall.games)} games of {min(hall.games)} to {max(hall.games)} events"
    away = max(hall.away, default=0)
    lines = [
        f"{hall.players} phones; {cores()} cores",
        f"{'':58} count     p50 ms    p99 ms   to reach",
        *(_row(name, getattr(hall, where), aim) for name, where, aim in AIMS),
        f"errors: {len(hall.errors)} {'; '.join(sorted(set(hall.errors))[:5])} (to reach: 0: {_met(not hall.errors)})",
        f"server killed {len(hall.away)} times; ms until it took requests again: {[round(each) for each in hall.away]} "
        f"(below {FIVE_MINUTES:,}: {_met(away < FIVE_MINUTES)}); rolls lost: {hall.lost} (0: {_met(not hall.lost)})",
        f"{games}: closed and sealed {hall.ended:,.0f} ms, bundled {hall.bundled:,.0f} ms, verified by another process "
        f"{hall.verified:,.0f} ms: {hall.verdict}; anchored: {hall.anchored} "
        f"(all below 60,000 while the next round opens: {_met(after < 60_000 and whole)})",
        f"processor time: server {hall.server:,.1f} s, phones {hall.phones:,.1f} s, of {hall.whole:,.0f} s",
    ]
    return "\n".join([*lines, *hall.profile.splitlines()])


def main() -> int:
    """Measure, and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.hall", description=__doc__)
    parser.add_argument("--players", type=int, default=400, metavar="N")
    parser.add_argument("--seconds", type=float, default=600, metavar="N", help="how long they play")
    parser.add_argument("--checking-in", type=float, default=60, metavar="N", help="seconds in which all come")
    parser.add_argument("--events", type=int, default=300, metavar="N", help="events of each log when the round ends")
    parser.add_argument("--delay", type=float, default=80, metavar="MS", help="of each request")
    parser.add_argument("--loss", type=float, default=2, metavar="PERCENT", help="of requests")
    parser.add_argument("--kills", type=int, default=3, metavar="N", help="how often the server is killed in the round")
    parser.add_argument("--keep-laptop", action="store_true", help="do not lose the laptop with the last kill")
    parser.add_argument("--profile", action="store_true", help="tell where the server's time goes; without kills")
    given = parser.parse_args()
    sizes = Sizes(
        players=given.players,
        play=given.seconds,
        checking_in=given.checking_in,
        events=given.events,
        delay=given.delay,
        loss=given.loss / 100,
        kills=0 if given.profile else given.kills,
        lost_laptop=not given.keep_laptop,
        profile=given.profile,
    )
    with TemporaryDirectory() as folder:
        hall = measure(Path(folder) / "hall", sizes)
    print(table(hall))
    return int(bool(hall.errors) or hall.verdict != "holds")


if __name__ == "__main__":
    sys.exit(main())
