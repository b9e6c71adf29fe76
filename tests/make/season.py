"""Seasons of any size without a signature: rows as of verified logs, with honest dice (`python -m tests.make.season`).

For what counts and reads rows; what verifies logs has logs of `tests.bench.scribe`.
"""

import argparse
import hashlib
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random

from ledger.season import CHUNK, Season
from ledger.season.rows import PartyRow, SeasonRows, ThrowRow

__all__ = ["games", "write"]

SIDES = (6, 6, 6, 6, 20, 20, 8, 100)
"""of the dice of a roll, one of these"""
ROLLS = 12
"""rolls of a game"""


def _key(kind: str, number: int) -> str:
    return hashlib.sha256(f"{kind} {number}".encode()).hexdigest()


def games(count: int, players: int, keepers: int = 50, seed: int = 1) -> Iterator[SeasonRows]:
    """So many games of two of the players each, over thirty days."""
    random = Random(seed)
    begin = datetime(2026, 9, 1, 9, tzinfo=UTC)
    for number in range(count):
        host, (one, other) = random.randrange(keepers), random.sample(range(players), 2)
        opened = begin + timedelta(days=number * 30 // count, minutes=random.randrange(600))
        parties = (
            PartyRow(f"host-{host}", "keeper", _key("host", host)),
            PartyRow(f"player-{one}", "player", _key("player", one)),
            PartyRow(f"player-{other}", "player", _key("player", other)),
        )
        throws = tuple(_throw(random, 6 + 3 * n, parties[1 + n % 2].name, opened) for n in range(ROLLS))
        yield SeasonRows(
            *(f"table-{number}.jsonl", "holds", 6 + 3 * ROLLS, 6 + 3 * ROLLS, None, 0),
            game=_key("game", number),
            opened=_text(opened),
            root=_key("root", number),
            system="any-dice-1",
            title=f"Table {number}",
            keeper=parties[0].name,
            parties=parties,
            throws=throws,
        )


def _throw(random: Random, seq: int, player: str, opened: datetime) -> ThrowRow:
    sides = (random.choice(SIDES),) * random.randint(1, 8)
    asked = _text(opened + timedelta(minutes=seq))
    naturals = tuple(random.randint(1, n) for n in sides)
    return ThrowRow(seq, "roll", "{}", player, asked, asked, "reveal", None, True, (), sides, naturals)


def _text(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write(folder: Path, rows: Iterator[SeasonRows], event: str = "season") -> Season:
    """A season's data with these games."""
    season = Season(folder, make=True)
    while chunk := list(islice(rows, CHUNK)):
        season.add(event, chunk)
    return season


def main() -> None:
    """Write one, and say how long it took."""
    parser = argparse.ArgumentParser("python -m tests.make.season", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--players", type=int, default=500)
    given = parser.parse_args()
    begun = time.perf_counter()
    write(given.folder, games(given.games, given.players))
    print(f"{given.games:,} games in {time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
