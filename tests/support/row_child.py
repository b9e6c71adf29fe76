"""A program that is struck: a player and the keeper in one process, and rows of events by the player. It tells what has
a receipt as soon as it has.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from ledger.seats.seat import Seat
from ledger.store.ledger import Ledger
from rules import Body
from rules.systems.mtg.bodies import DeclareGone, DeclarePermanent
from tests.support.hosted_child import identities
from tests.support.table import seat_in

__all__ = ["PROGRAM", "ROW", "main", "rows", "seated"]

PROGRAM = "from tests.support.row_child import main; main()"
ROW = 3
"""events in a row"""
ROWS = 2


@contextmanager
def seated(folder: Path) -> Iterator[tuple[Ledger, Seat, Seat]]:
    """The store, the player's seat and the keeper's, of a folder that `hosted_child.prepare` made."""
    known = identities(folder)
    with (
        closing(Ledger(folder / "ledger.db")) as ledger,
        closing(seat_in(folder / "alice", known["alice"])) as player,
        closing(seat_in(folder / "host", known["host"])) as keeper,
    ):
        yield ledger, player, keeper


def rows(ledger: Ledger, player: Seat, keeper: Seat) -> None:
    """Some rows in the first game."""
    game = ledger.catalog.games()[0]
    for _ in range(ROWS):
        view = ledger.view(game)
        one, other = (f"{letter}{view.replay.size}" for letter in "ab")
        events: list[tuple[str, Body]] = [
            ("declare", DeclarePermanent(one, "A Die")),
            ("declare", DeclareGone(one)),
            ("declare", DeclarePermanent(other, "Another")),
        ]
        assert len(events) == ROW
        receipts = ledger.append_all(game, player.sign_all(view, events), keeper)
        told = [f"{receipt.seq} {receipt.leaf}\n" for receipt in receipts if receipt.checkpoint is not None]
        os.write(1, "".join(told).encode())


def main(arguments: Sequence[str] = ()) -> None:
    """Play in the folder that is named."""
    with seated(Path((arguments or sys.argv[1:])[0])) as (ledger, player, keeper):
        rows(ledger, player, keeper)
