"""What other programs read differently, by running both; the guide tells all of it (specs/guide/any-dice.md)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules.base import NotationError
from rules.systems.anydice import AnyDice
from rules.systems.anydice.bodies import RollBody
from rules.systems.anydice.grammar import parse
from tests.oracles.test_anydice_differential import Given, d20, rpg, total_of  # noqa: F401 - fixtures

GUIDE = (Path(__file__).parents[2] / "specs" / "guide" / "any-dice.md").read_text(encoding="utf-8")

# Theirs, the naturals, what it comes to there (None: an error); ours, and what it comes to here (None: refused).
Difference = tuple[str, list[int], float | None, str, int | None]
AVRAE: list[Difference] = [
    ("2d6 > 7", [4, 5], 1, "2d6>7", None),
    ("4d6k3", [3, 4, 5, 3], 6, "4d6k3", 12),
    ("-7/2 + d1", [1], -2, "-7/2 + d1", -3),
    ("7/2 * d2", [2], 7, "7/2 * d2", 6),
    ("2d20kh1kl1", [7, 16], 23, "2d20kh1kl1", 16),
    ("d%", [4], 30, "d%", 4),
    ("0d6", [], 0, "0d6", None),
    ("(1+2)d6", [], None, "(1+2)d6", 6),
    ("d6^2", [], None, "d6^2", 9),
    ("max(d6, 4)", [], None, "max(d6, 4)", 4),
    ("--d6", [3], 3, "--d6", None),
    ("d6e6", [2], 2, "d6e6", None),
]
RPG: list[Difference] = [
    ("7/2 * d2", [2], 7, "7/2 * d2", 6),
    ("round(0 - d6/2)", [3], -2, "round(0 - d6/2)", -1),
    ("2^3^2 + d1", [1], 513, "2^3^2 + d1", None),
    ("2dFkh3", [3, 3], 1, "2dFkh3", 2),
    ("0d6 + d4", [], None, "0d6 + d4", 3),
    ("1.5 * d6", [3], 4.5, "1.5 * d6", None),
    ("d1ro", [], None, "d1ro", 1),
    ("4d6r=1", [1, 2, 3, 4, 5], 14, "4d6r=1", None),
]
ALIKE_RPG = ["(1+2)d6", "3d(2*3)", "7 % 4 + 3d6", "-7 % 4 + 3d6", "3d6^2", "2**3 + 3d6", "floor(3d6/2)", "ceil(3d6/2)"]
ALIKE_RPG += ["round(3d6/2)", "abs(3d6 - 18)", "max(3d6, 10)", "min(3d6, 10)", "ceil(3d6/2 + 1/2)", "-2^2 + 3d6"]


def comes_to(line: str, naturals: list[int]) -> int | None:
    """What dice come to here; None where they are refused."""
    try:
        body = AnyDice().notations[RollBody].parse(line)
    except NotationError:
        return None
    return total_of(parse(body["dice"]), naturals)


OURS = {"0d6 + d4": [3], "d1ro": [1, 1], "(1+2)d6": [1, 2, 3], "d6^2": [3], "max(d6, 4)": [3]}
"""naturals where theirs draws none"""


@pytest.mark.parametrize(("theirs", "naturals", "there", "ours", "here"), AVRAE)
def test_avrae_reads_it_otherwise(
    d20: tuple[Any, Given],  # noqa: F811
    theirs: str,
    naturals: list[int],
    there: float | None,
    ours: str,
    here: int | None,
) -> None:
    module, given = d20
    given.naturals = list(naturals)
    try:
        total: float | None = module.roll(theirs).total
    except module.RollError:
        total = None
    assert (total, comes_to(ours, OURS.get(ours, naturals))) == (there, here)
    assert there != here
    assert f"`{theirs}`" in GUIDE


def test_rpg_dice_roller_reads_it_otherwise(
    rpg: Callable[[list[dict[str, Any]]], list[dict[str, Any]]],  # noqa: F811
) -> None:
    told = rpg([{"notation": theirs, "naturals": naturals} for theirs, naturals, *_ in RPG])
    for one, (theirs, naturals, there, ours, here) in zip(told, RPG, strict=True):
        assert (theirs, one.get("total"), comes_to(ours, OURS.get(ours, naturals))) == (theirs, there, here)
        assert there != here
        assert f"`{theirs}`" in GUIDE


def test_what_is_computed_comes_to_the_same(
    rpg: Callable[[list[dict[str, Any]]], list[dict[str, Any]]],  # noqa: F811
) -> None:
    asked = [(line, naturals) for naturals in ([3, 4, 6], [1, 1, 1], [2, 5, 2]) for line in ALIKE_RPG]
    told = rpg([{"notation": line, "naturals": naturals} for line, naturals in asked])
    assert [one.get("total") for one in told] == [comes_to(line, naturals) for line, naturals in asked]
