"""Commands on a long game beside the same on a short one, and what looks at a log beside verifying it."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

from ledger.home import Home
from ledger.seats.memory_places import begin_memory
from tests.bench.measure import Measure, Sizes, environment, race
from tests.bench.scribe import game

__all__ = ["measure_commands"]

SHORT = 50
"""events of the game that a long one is measured beside"""
LONG_TARGET = 1 / 1.5
LOOK_TARGET = 1 / 3
ROLL_WITHIN = 0.5
"""seconds"""
LOOKED_AT = 1_000
"""events of the log that is explained, reported and counted"""
LINKS = 64
PASSPHRASE = "measured here and nowhere else"
_PROGRAM = "import sys; from ledger.cli import main; sys.argv[0] = 'rollproof'; main()"
"""what the installed command does"""


class _Machine:
    """A home with one game, and everybody's seat."""

    def __init__(self, folder: Path, events: int) -> None:
        self.home = Home(folder / "home", folder / "state")
        log, scribe = game(events)
        for name, identity in scribe.identities.items():
            place = self.home.root / "identities" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            identity.save(place, PASSPHRASE.encode())
            begin_memory(identity, place, self.home.state, taken=scribe.remembers(name)).close()
        with closing(self.home.ledger()) as ledger:
            report = ledger.importer.import_log(log, name="benchmark").report
            assert report.game is not None
            self.game = report.game
            id_, passphrase = bytes.fromhex(self.game), PASSPHRASE.encode()
            with closing(self.home.seat("host", passphrase)) as host:
                ledger.append(id_, host.commit(ledger.view(id_), LINKS), host)
                for name in ("alice", "bob"):
                    with closing(self.home.seat(name, passphrase)) as seat:
                        ledger.append(id_, seat.commit(ledger.view(id_), LINKS), host)

    def run(self, *words: str) -> None:
        variables = {"ROLLPROOF_HOME": self.home.root, "ROLLPROOF_STATE": self.home.state}
        _run({name: str(path) for name, path in variables.items()}, *words)


def measure_commands(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    """Showing a game and rolling in it; explain, report and stats."""
    long, short = _Machine(folder / "long", sizes.command_events), _Machine(folder / "short", SHORT)
    roll = ("roll", "1d20", "for", "Delina", "--as", "alice")
    for machine in (long, short):
        machine.run(roll[0], machine.game, *roll[1:])  # a seat's first turn leaves the snapshot
    yield from _beside_short("roll", "rollproof roll, three parties here", roll, long, short, sizes)
    yield from _beside_short("state", "rollproof state", ("state",), long, short, sizes)
    yield from _looks(folder, sizes)


def _beside_short(
    key: str, what: str, words: tuple[str, ...], long: _Machine, short: _Machine, sizes: Sizes
) -> Iterator[Measure]:
    command, *more = words
    ours, bare = (partial(machine.run, command, machine.game, *more) for machine in (long, short))
    result = race(ours, bare, sizes.command_turns)
    at_length = f"{what}, in a game of {sizes.command_events:,} events"
    times = (f"{result.ours * 1000:.0f} ms", f"{result.bare * 1000:.0f} ms")
    yield Measure(f"{key}_long_to_short", at_length, f"the same in one of {SHORT}", *times, result.ratio, LONG_TARGET)
    if key == "roll":
        wanted, ratio = f"{ROLL_WITHIN * 1000:.0f} ms", ROLL_WITHIN / result.bare
        what = f"{what}, in a game of {SHORT} events"
        yield Measure("roll_within", what, "what a person does not wait for", times[1], wanted, ratio, 1.0)


def _looks(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    path, page = folder / "looked-at.jsonl", folder / "page.html"
    path.write_bytes(game(LOOKED_AT)[0])
    place = {"ROLLPROOF_HOME": str(folder / "nobody")}
    for key, words in (
        ("explain", (str(path), str(LOOKED_AT // 2))),
        ("report", (str(path), "--out", str(page), "--force")),
        ("stats", (str(path),)),
    ):
        look, verify = partial(_run, place, key, *words), partial(_run, place, "verify", str(path))
        if sizes.command_turns > 1:
            look()  # compiled by now, if it was not
        result = race(look, verify, sizes.command_turns)
        times = (f"{result.ours * 1000:.0f} ms", f"{result.bare * 1000:.0f} ms")
        what, against = f"rollproof {key} of {LOOKED_AT:,} events", "rollproof verify of the same"
        yield Measure(f"{key}_to_verify", what, against, *times, result.ratio, LOOK_TARGET)


def _run(variables: Mapping[str, str], *words: str) -> None:
    env = {**environment(), **variables, "ROLLPROOF_PASSPHRASE": PASSPHRASE}
    subprocess.run([sys.executable, "-c", _PROGRAM, *words], env=env, stdout=subprocess.DEVNULL, check=True)
