"""`dice-1` against others: PyPI's d20 and npm's @dice-roller/rpg-dice-roller, with the same naturals.

What they read differently is not generated; each such difference is on the page (specs/dice-1.md, "Readings").
"""

import json
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules.data.bounds import MAX_DICE
from rules.systems.anydice.drawing import DrawnDice, dice_of_draw
from rules.systems.anydice.grammar import parse
from rules.systems.anydice.problems import DiceError
from rules.systems.anydice.terms import ParsedText
from rules.systems.anydice.totals import first_results, totals
from tests.support.anydice_random import draw
from tests.support.anydice_random import naturals as random_naturals

FEW = 400
MANY = 10_000


def drawn_at_random(random: Random, notation: ParsedText) -> list[int]:
    """Naturals for a notation, drawn wave by wave."""
    return draw(notation, lambda sides: random_naturals(random, sides))


def total_of(notation: ParsedText, naturals: list[int]) -> int:
    found = dice_of_draw(notation, naturals)
    (result,) = totals(notation, found.throws, list(first_results(notation, found)))
    return result.total


def samples(seed: int, count: int, make: Callable[[Random], tuple[str, str]]) -> Iterator[tuple[str, str, list[int]]]:
    """Texts of ours and theirs, with naturals in our order, for all that ends by itself."""
    random = Random(seed)
    while count:
        ours, theirs = make(random)
        try:
            notation = parse(ours)
        except DiceError as error:
            if error.clause not in ("D3", "D4"):  # going on for ever
                raise
            continue
        naturals = drawn_at_random(random, notation)
        if len(naturals) < MAX_DICE:
            count -= 1
            yield ours, theirs, naturals


def expression(
    random: Random, term: Callable[[Random], tuple[str, str]], group: str, depth: int = 2
) -> tuple[str, str]:
    """Sums, products, parentheses and groups of terms, in ours and in theirs; `group` is their brackets."""

    def factor() -> tuple[str, str]:
        kind = random.random()
        if depth and kind < 0.1:
            ours, theirs = expression(random, term, group, depth - 1)
            return f"({ours})", f"({theirs})"
        if depth and kind < 0.2:
            # rpg-dice-roller has no groups in groups.
            within = depth - 1 if group == "()" else 0
            parts = [expression(random, term, group, within) for _ in range(random.randint(2, 3))]
            keep = random.choice(["", "kh1", "kl1", "kh2"])
            both = [", ".join(part[side] for part in parts) for side in (0, 1)]
            return "{" + both[0] + "}" + keep, group[0] + both[1] + group[1] + keep
        if kind < 0.35:
            number = str(random.randint(0, 12))
            return number, number
        return term(random)

    ours, theirs = factor()
    for _ in range(random.choice([0, 0, 1, 2])):
        sign = random.choice([" + ", " - ", " * "])
        more = factor()
        ours, theirs = ours + sign + more[0], theirs + sign + more[1]
    if "d" not in ours:
        return term(random)
    return ours, theirs


# --- d20 ------------------------------------------------------------------------------------------------------------


def d20_term(random: Random) -> tuple[str, str]:
    """A term, with d20's names for explosions, limits and drops."""
    sides = random.choice([2, 4, 6, 8, 10, 12, 20, 100])
    ours = theirs = random.choice(["", "1", "2", "3", "4", "6"]) + f"d{sides}"
    if random.random() < 0.25:
        op, match = random.choice(["ro", "rr"]), random.choice(["<", ">", ""])
        number = random.randint(1, sides)
        ours, theirs = f"{ours}{op}{match}{number}", f"{theirs}{op}{match}{number}"
    if random.random() < 0.25:
        number = random.randint(2, sides)
        our_match, their_match = random.choice(
            [("", f"e{sides}"), (f"{number}", f"e{number}"), (f">={number}", f"e>{number - 1}"), ("<2", "e<2")]
        )
        ours, theirs = f"{ours}!{our_match}", theirs + their_match
    for our_limit, their_limit in (("min", "mi"), ("max", "ma")):
        if random.random() < 0.15:
            number = random.randint(1, sides)
            ours, theirs = f"{ours}{our_limit}{number}", f"{theirs}{their_limit}{number}"
    for op, their_op in random.choice(
        [[], [], [("k", "k")], [("d", "p")], [("k", "k"), ("d", "p")], [("d", "p"), ("k", "k")]]
    ):
        end, number = random.choice("hl"), random.randint(1, 4)
        ours, theirs = f"{ours}{op}{end}{number}", f"{theirs}{their_op}{end}{number}"
    if random.random() < 0.1:
        ours, theirs = f"{ours} [fire]", f"{theirs} [fire]"
    return ours, theirs


class Given:
    """In the place of d20's random module: gives naturals that are known."""

    def __init__(self) -> None:
        self.naturals: list[int] = []

    def randrange(self, *bounds: int) -> int:
        natural = self.naturals.pop(0)
        assert natural >= 1
        return range(*bounds)[natural - 1]


@pytest.fixture
def d20(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Given]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its parser's imports are deprecated
        module = pytest.importorskip("d20", reason="d20 is not installed: pip install -e '.[dev]'")
    given = Given()
    monkeypatch.setattr(module.expression, "random", given)

    class Ordered(set[Any]):
        """d20 rerolls the dice of a set, in whatever order that has; here in the order of the dice."""

        def __iter__(self) -> Iterator[Any]:
            return iter(sorted(super().__iter__(), key=order.__getitem__))

    order: dict[Any, int] = {}
    select = module.expression.SetOperator.select

    def ordered(self: Any, target: Any, max_targets: int | None = None) -> set[Any]:
        order.update({die: at for at, die in enumerate(target.set)})
        return Ordered(select(self, target, max_targets))

    monkeypatch.setattr(module.expression.SetOperator, "select", ordered)
    return module, given


def check_d20(d20: tuple[Any, Given], seed: int, count: int) -> None:
    module, given = d20
    for ours, theirs, naturals in samples(seed, count, lambda random: expression(random, d20_term, "()")):
        given.naturals = list(naturals)
        told = module.roll(theirs)
        assert (told.total, given.naturals) == (total_of(parse(ours), naturals), []), (
            ours,
            theirs,
            naturals,
            str(told),
        )


def test_d20_comes_to_the_same(d20: tuple[Any, Given]) -> None:
    check_d20(d20, 1, FEW)


@pytest.mark.slow
def test_d20_comes_to_the_same_ten_thousand_times(d20: tuple[Any, Given]) -> None:
    check_d20(d20, 2, MANY)


# --- rpg-dice-roller ------------------------------------------------------------------------------------------------


def rpg_term(random: Random) -> tuple[str, str]:
    """A term: it has one notation for both but for rerolls."""
    sides = random.choice([2, 4, 6, 8, 10, 12, 20, 100])
    kind = random.choice([f"d{sides}"] * 6 + ["dF", "d%"])
    ours = theirs = random.choice(["", "1", "2", "3", "4", "6"]) + kind
    number = random.randint(1, sides)
    match = random.choice(["", f"={number}", f"<{number}", f">={number}", f"<={number}", f">{number}"])
    what = random.random()
    if kind[1].isdigit() and what < 0.2:
        ours, theirs = f"{ours}rr{match}", f"{theirs}r{match}"
        if random.random() < 0.5:
            ours, theirs = ours.replace("rr", "ro"), theirs.replace("r", "ro")
    elif kind[1].isdigit() and what < 0.45:
        op = random.choice(["!", "!!", "!p", "!!p"])
        ours, theirs = f"{ours}{op}{match}", f"{theirs}{op}{match}"
    elif kind[1].isdigit() and what < 0.6:
        limits = random.choice([f"min{number}", f"max{number}", f"min{max(1, number - 1)}max{number}"])
        ours, theirs = ours + limits, theirs + limits
    keep = random.choice(["", "", "", "kh1", "kh2", "kl1", "k2", "dl1", "dh1", "d1", "kh3", "kl2", "dl2"])
    many = ours.startswith(("3d", "4d", "6d"))  # where more are to be kept than there are, theirs drops some
    ours, theirs = (ours + keep, theirs + keep) if many else (ours, theirs)
    if random.random() < 0.15 and kind[1].isdigit():
        # Directly behind a reroll or an explosion a comparison is theirs, for both.
        behind = ours.endswith(("ro", "rr", "!", "p"))
        count = (
            ""
            if behind
            else f">={random.randint(3, 6)}" + random.choice(["", "f<=2", "f1", "f=2"]).replace("f1", "f=1")
        )
        ours, theirs = ours + count, theirs + count
    return ours, theirs


def in_their_order(notation: ParsedText, found: DrawnDice) -> list[int]:
    """The naturals as rpg-dice-roller draws them: all first dice of a term, then each die's own, die by die."""
    after = {origin: die for die, origin in found.origins.items()}
    naturals: list[int] = []
    for throws in found.throws:
        first = [die for throw in throws for die in throw if die not in found.origins]
        naturals += [found.naturals[die][0] for die in first]
        for die in first:
            naturals += found.naturals[die][1:]
            while (further := after.get(die)) is not None:
                naturals += found.naturals[further]
                die = further
    return naturals


@pytest.fixture(scope="module")
def rpg() -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed (Debian: nodejs)")

    def run(rolls: list[dict[str, Any]]) -> list[dict[str, Any]]:
        command = [node, str(Path(__file__).parent / "node" / "rolls.js")]
        done = subprocess.run(
            command, input=json.dumps(rolls), capture_output=True, text=True, timeout=300, check=False
        )
        if "Cannot find module '@dice-roller" in done.stderr:
            pytest.skip("it is not installed: npm install --no-package-lock --prefix tests/oracles/node")
        assert done.returncode == 0, done.stderr
        results: list[dict[str, Any]] = json.loads(done.stdout)
        return results

    return run


def check_rpg(run: Callable[[list[dict[str, Any]]], list[dict[str, Any]]], seed: int, count: int) -> None:
    found = list(samples(seed, count, lambda random: expression(random, rpg_term, "{}")))
    rolls = []
    for ours, theirs, naturals in found:
        notation = parse(ours)
        rolls.append({"notation": theirs, "naturals": in_their_order(notation, dice_of_draw(notation, naturals))})
    for (ours, _, naturals), roll, told in zip(found, rolls, run(rolls), strict=True):
        assert told == {"total": total_of(parse(ours), naturals), "unused": 0}, (ours, roll)


def test_rpg_dice_roller_comes_to_the_same(rpg: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
    check_rpg(rpg, 1, FEW)


@pytest.mark.slow
def test_rpg_dice_roller_comes_to_the_same_ten_thousand_times(
    rpg: Callable[[list[dict[str, Any]]], list[dict[str, Any]]],
) -> None:
    check_rpg(rpg, 2, MANY)
