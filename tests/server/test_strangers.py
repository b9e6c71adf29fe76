"""What hostile strangers cost those who play, at a server with 200 tables (specs/network.md, "Limits")."""

import pytest

from tests.bench.hostile import ATTACKS, measure

TABLES = 200
EVERY = 5.0
"""seconds between two rolls at a table"""

SECONDS = 15.0
TURNS = 3

MOST_LATER = 2.0
"""times as late as without the attack, p99"""

MOST_EACH = 0.020
"""seconds of processor time that a hostile request costs the server"""

MOST_HELD = 1 << 20
"""bytes that it holds for one"""


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
def test_dice_come_as_soon_as_before(attack: str) -> None:
    """Some five minutes each, on a machine with nothing else to do."""
    (row,) = measure([attack], TABLES, EVERY, SECONDS, TURNS, print)
    assert row.ratio <= MOST_LATER, row.told
    assert not row.requests or row.each <= MOST_EACH, row.told
    assert row.after - row.before <= max(64, row.requests / TURNS) * MOST_HELD, row.told
