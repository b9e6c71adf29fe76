"""The dice that a page adds up by itself come to what the rules make of them (specs/page.md, "Secret rolls")."""

import json
import shutil
import subprocess
from random import Random
from typing import Any

import pytest

from rules import SYSTEMS, Violation
from rules.systems.anydice.rolling import with_secret_dice
from rules.systems.anydice.state import Roll
from tests.conftest import SPECS

SYSTEM = SYSTEMS["dice-1"]
NODE = shutil.which("node")

REFUSED = [
    "",
    "7",
    "d",
    "d0",
    "0d6",
    "06",
    "2d06",
    "d6!",
    "4d6ro1",
    "6d6>=5",
    "2dis",
    "2d20adv",
    "4d6kk",
    "4d6k0",
    "d6 d6",
    "d6 +",
    "+ d6",
    "2*d6",
    "(d6)",
    "6x d6",
    "d{1,2}",
    "d%%",
    "d6 for the door",
    "1001d6",
    "600d6 + 600d6",
    "d6 + -1",
]


def page(asked: list[dict[str, Any]]) -> list[Any]:
    """What the page makes of notations."""
    if NODE is None:
        pytest.skip("node is not here")
    path = SPECS.parent / "tests" / "web" / "fixed_dice.mjs"
    done = subprocess.run([NODE, str(path)], input=json.dumps(asked), capture_output=True, text=True, check=True)
    found: list[Any] = json.loads(done.stdout)
    return found


def drawn(random: Random) -> str:
    """A notation of the kind that the page reads, and its neighbours."""
    terms = []
    for _ in range(random.randint(1, 3)):
        if random.random() < 0.25:
            terms.append(str(random.randint(0, 30)))
            continue
        count = random.choice(["", "1", "2", "4", "10"])
        die = random.choice(["4", "6", "20", "%", "F", "100", "3", "1"])
        adv = random.choice(["adv", "dis"]) if count in ("", "1") and random.random() < 0.3 else ""
        keeps = [random.choice(["k", "kh", "kl", "d", "dh", "dl"]) + str(random.randint(1, 4)) for _ in range(2)]
        terms.append(f"{count}d{die}{adv}{''.join(keeps[: random.choice([0, 0, 1, 2])])}")
    text = terms[0]
    for term in terms[1:]:
        text += random.choice([" + ", " - ", "+", "-"]) + term
    return text


def test_sides_totals_and_what_counts_are_those_of_the_rules() -> None:
    random, asked, expected = Random(28), list[dict[str, Any]](), list[dict[str, Any]]()
    while len(asked) < 400:
        dice = drawn(random)
        try:
            sides = SYSTEM.secret_sides(dice)
        except Violation:
            continue
        naturals = [random.randint(1, each) for each in sides]
        roll = with_secret_dice(Roll(1, "gil", "", dice, sealed="gil"), naturals)
        asked.append({"dice": dice, "naturals": naturals})
        counts = [die.status == "counted" for die in roll.dice]
        expected.append({"dice": dice, "sides": list(sides), "total": roll.results[0].total, "counts": counts})
    for case, found, wanted in zip(asked, page(asked), expected, strict=True):
        assert found == wanted, case


def test_what_it_reads_the_rules_take_and_other_notations_it_leaves_to_the_program() -> None:
    odd = ["2D6", "２ｄ６ ＋ ３", " d20 ", "2d6  −  1", "d20k", "d6+3-2d4"]
    found = page([{"dice": dice, "naturals": []} for dice in [*REFUSED, *odd]])
    assert [dice for dice, each in zip(REFUSED, found, strict=False) if each is not None] == []
    for each in found[len(REFUSED) :]:
        assert list(SYSTEM.secret_sides(each["dice"])) == each["sides"]
