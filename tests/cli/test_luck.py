"""Luck (specs/luck.md): p-values against enumeration, against scipy and under honest dice; what is counted and how."""

import sys
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise, product
from math import comb, sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger.analysis.luck import MAX_KINDS, MAX_KINDS_EACH, NOTICED_FROM, LuckTally, Player, Voided, caveats, sentence
from ledger.analysis.significance import DiceCounts, p_value, sum_p_value
from ledger.analysis.significance import _chi_square_tail as chi_square_tail
from ledger.analysis.significance import _equal_bins as equal_bins
from ledger.analysis.significance import look_at_faces as look_at
from rules.protocol import Phase
from tests.conftest import SPECS
from tests.support.bundles import bundled
from tests.support.cli import Cli, make_home
from tests.support.table import ROLL, Table
from verifier import verify

LOGS = SPECS / "vectors" / "logs"


def equal(k: int) -> list[Fraction]:
    return [Fraction(1, k)] * k


@pytest.mark.parametrize(("n", "k"), [(1, 6), (2, 6), (5, 6), (7, 4), (9, 3), (4, 20)])
def test_the_exact_test_is_that_of_all_throws(n: int, k: int) -> None:
    throws = (
        Counter(tuple(sorted(Counter(throw).values())) for throw in product(range(k), repeat=n))
        if k**n < 200_000
        else None
    )
    if throws is None:
        pytest.skip("too many throws to look at each")
    for squares in {sum(c * c for c in counts) for counts in throws}:
        least = sum(many for counts, many in throws.items() if sum(c * c for c in counts) >= squares)
        assert equal_bins(n, k, squares) == pytest.approx(least / k**n, rel=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 2, 7, 30, 49])
@pytest.mark.parametrize("chance", [Fraction(1, 2), Fraction(180, 361), Fraction(1, 3)])
def test_two_bins_are_all_splits(n: int, chance: Fraction) -> None:
    for count in range(n + 1):
        distance = abs(count - n * chance)
        alike = [m for m in range(n + 1) if abs(m - n * chance) >= distance]
        expected = sum(comb(n, m) * chance**m * (1 - chance) ** (n - m) for m in alike)
        assert p_value([count, n - count], [chance, 1 - chance])[1] == pytest.approx(float(expected))


@pytest.mark.long
@pytest.mark.parametrize("degrees", [1, 2, 3, 5, 19, 20, 99, 998, 999])
def test_the_tail_of_chi_square_is_that_of_scipy(degrees: int) -> None:
    from scipy.special import chdtrc

    for statistic in (0, 1e-9, 0.5, degrees / 2, degrees, 1.5 * degrees, 3 * degrees, 1_300, 1e9):
        expected = float(chdtrc(degrees, statistic))
        assert chi_square_tail(degrees, statistic) == pytest.approx(expected, rel=1e-11, abs=1e-300), statistic


@pytest.mark.long
def test_many_dice_are_tested_as_scipy_does() -> None:
    from scipy.stats import chisquare

    counts = [105, 98, 87, 120, 101, 89]
    statistic, p, method = p_value(counts, equal(6))
    expected = chisquare(counts)
    assert method == "chi-square"
    assert (statistic, p) == pytest.approx((expected.statistic, expected.pvalue))


@pytest.mark.long
@pytest.mark.parametrize(("sides", "n"), [(6, 20), (6, 200), (20, 30), (20, 60), (100, 70), (360, 30), (2**53 - 1, 80)])
def test_honest_dice_bring_every_p_equally_often(sides: int, n: int) -> None:
    """At most as many small p-values as their size says, and about as many where the statistic is fine enough."""
    random = Random(sides * n)
    found = []
    for _ in range(300):
        dice = DiceCounts(sides, min(sides, 1_000), Counter())
        for _ in range(n):
            dice.counts[random.randrange(sides) * dice.bins // sides] += 1
        found.append(look_at("alice", "key", dice).p)
    for level in (0.05, 0.2, 0.5):
        share = sum(p <= level for p in found) / len(found)
        assert share <= level + 3.5 * (level * (1 - level) / len(found)) ** 0.5


def test_loaded_dice_are_found_with_enough_of_them() -> None:
    dice = DiceCounts(6, 6, Counter({0: 60, 1: 60, 2: 60, 3: 60, 4: 60, 5: 120}))
    assert look_at("alice", "key", dice).p < 1e-5


@pytest.mark.long
def test_what_is_said_of_small_samples() -> None:
    from scipy.stats import chi2, ncx2

    unevenness = 6 * ((0.25 - 1 / 6) ** 2 + 5 * (0.15 - 1 / 6) ** 2)
    least = chi2.isf(0.05, 5)
    noticed = [n for n in range(100, 500) if ncx2.sf(least, 5, n * unevenness) >= 0.8]
    assert min(noticed) == NOTICED_FROM


@pytest.mark.parametrize("sides", [1, 2, 6, 20, 100, 101, 360, 1_000, 1_001, 2**53 - 1])
@pytest.mark.parametrize("n", [1, 12, 60])
def test_bins_hold_every_face_once(sides: int, n: int) -> None:
    random = Random(sides)
    dice, naturals = DiceCounts(sides, min(sides, 1_000), Counter()), [random.randint(1, sides) for _ in range(n)]
    for natural in naturals:
        dice.counts[(natural - 1) * dice.bins // sides] += 1
    bins = look_at("alice", "key", dice).bins
    assert (bins[0].low, bins[-1].high) == (1, sides)
    assert all(a.high + 1 == b.low for a, b in pairwise(bins))
    assert [sum(b.low <= natural <= b.high for natural in naturals) for b in bins] == [b.count for b in bins]
    assert sum(b.expected for b in bins) == pytest.approx(n)


def test_rerolled_and_ignored_dice_count_as_thrown(table: Table) -> None:
    ignores = [{"source": "Barbarian Class", "which": "lowest", "extra": 1}]
    effects = [{"source": "Wyll", "kind": "reroll", "scope": "one"}]
    seq = table.request(
        "alice", "roll", {"source": "Delina", "dice": "1d20", "use": "x", "ignores": ignores, "effects": effects}
    )
    if table.state["waits_for"]["choice"] == "ignore":  # the two are equal
        table.act("alice", "ignore", {"roll": seq, "dice": [1]})
    (counted,) = [die["die"] for die in table.state["rolls"][-1]["dice"] if die["status"] == "counted"]
    table.request("alice", "reroll", {"roll": seq, "effect": 1, "dice": [counted]})
    table.act("alice", "resolve", {"roll": seq})
    tally = LuckTally()
    tally.add(table.lines)
    (test,) = tally.luck().tests
    assert (test.player, test.sides, test.dice) == ("alice", 20, 3)


def test_voids_and_struck_rolls_are_told(table: Table) -> None:
    seq = table.roll("alice")
    table.act("dana", "ruling", {"ruling": "void", "subject": seq, "text": "the die left the table"})
    table.act("dana", "ruling", {"ruling": "void", "subject": seq, "text": "said twice, and without effect"})
    table.act("bob", "roll", ROLL)
    table.hand_in("alice")
    table.void()
    luck = tally_of(table.lines).luck()
    assert luck.struck == {"dana": 1}
    assert luck.voids == (Voided("bob", "bob", "void", rolls=1, known=0, hidden_by=Counter(bob=1)),)
    assert [(test.player, test.dice, test.voided_by) for test in luck.tests] == [("alice", 1, None)], (
        "a struck roll's dice were thrown"
    )
    told = caveats(luck)
    assert "Rolls of bob that bob called off: 1. What they would have shown is known of 0." in told
    assert "Of 1 of these the link of bob is missing, so what they would have shown is not known." in told


def test_what_voided_rolls_would_have_shown_is_counted_apart(table: Table) -> None:
    """With the dice of its next roll bob's link of the voided one is known."""
    table.act("bob", "roll", ROLL | {"dice": "3d20"})
    table.hand_in("alice")
    table.act("dana", "void", {"missing": ["bob"], "roll_index": 0})
    (voided,) = tally_of(table.lines).luck().voids
    assert (voided.known, voided.hidden_by) == (0, Counter()), "what was opened is not disclosed yet"
    table.disclose()
    table.request("bob", "roll", ROLL | {"dice": "3d20"})
    luck = tally_of(table.lines).luck()
    (roll,) = table.view.replay.voided
    stands, called_off = luck.tests
    assert luck.voids == (Voided("dana", "bob", "void", rolls=1, known=1),)
    assert (stands.player, stands.voided_by, stands.dice) == ("bob", None, 3)
    assert (called_off.player, called_off.voided_by, called_off.dice) == ("bob", "dana", 3)
    assert called_off.voided_by_key == table.keys["dana"].public_bytes.hex()
    assert sorted(b.low for b in called_off.bins for _ in range(b.count)) == sorted(roll.naturals)
    assert (called_off.statistic < 0) == (sum(roll.naturals) < 31.5)
    assert "bob, called off by dana, d20: they would have shown" in sentence(called_off)
    assert called_off.corrected >= called_off.p


def test_a_roll_that_a_close_left_is_told_of_the_keeper(table: Table) -> None:
    table.act("alice", "roll", ROLL)
    table.hand_in("bob")
    table.ledger.append(table.game, table.seats["host"].close_game(table.view))
    (voided,) = tally_of(table.lines).luck().voids
    assert voided == Voided("host", "alice", "close", 1, 0, Counter(alice=1, bob=1))
    assert "left without dice when host closed the game: 1" in " ".join(caveats(tally_of(table.lines).luck()))


def test_voided_rolls_that_the_state_keeps_no_longer_are_counted(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        table.act("alice", "roll", ROLL)
        table.hand_in("bob")
        table.void("dana", "alice")
    table.request("alice", "roll", ROLL)
    whole = tally_of(table.lines).luck().voids
    assert whole == (Voided("dana", "alice", "void", rolls=5, known=5),)
    monkeypatch.setattr("verifier.dice.voided.HISTORY", 2)
    monkeypatch.setattr("ledger.analysis.roll_history.HISTORY", 2)
    assert tally_of(table.lines).luck().voids == (
        Voided("dana", "alice", "void", rolls=5, known=2, hidden_by=Counter(alice=3)),
    )


@bundled("path", sorted(LOGS.glob("holds--*.jsonl")), lambda path: path.stem)
def test_voided_rolls_of_every_log_are_counted_as_the_verifier_has_them(path: Path) -> None:
    report, replay = verify(path.read_bytes())
    assert replay is not None
    voids = tally_of(path.read_bytes().splitlines()[: report.events]).luck().voids
    for roll in replay.voided:
        assert any((each.by, each.roller, each.how) == (roll.by, roll.pending.roller, roll.how) for each in voids)
    assert sum(each.rolls for each in voids) == len(replay.voided)
    known = [roll for roll in replay.voided if not roll.hidden_by and (roll.pending.secret is None or roll.secret)]
    assert sum(each.known for each in voids) == len(known)
    hidden: Counter[str] = sum((each.hidden_by for each in voids), Counter())
    if replay.session.phase is not Phase.VOIDED:
        assert hidden == {name: count.count for name, count in replay.voided.hidden(but=None).items()}


def tally_of(lines: Iterable[bytes]) -> LuckTally:
    tally = LuckTally()
    tally.add(lines)
    return tally


def dice_of(sides: int, naturals: Iterable[int]) -> DiceCounts:
    dice = DiceCounts(sides, min(sides, 1_000), Counter())
    for natural in naturals:
        dice.counts[(natural - 1) * dice.bins // sides] += 1
    return dice


@pytest.mark.long
@pytest.mark.parametrize(("n", "sides"), [(1, 2), (1, 6), (2, 6), (3, 6), (5, 4), (3, 20)])
def test_the_chance_of_a_sum_is_that_of_all_throws(n: int, sides: int) -> None:
    sums = Counter(sum(throw) for throw in product(range(1, sides + 1), repeat=n))
    for throw in product(range(1, sides + 1), repeat=n):
        off = abs(2 * sum(throw) - n * (sides + 1))
        expected = sum(many for total, many in sums.items() if abs(2 * total - n * (sides + 1)) >= off) / sides**n
        statistic, p, method = sum_p_value(dice_of(sides, throw))
        assert method == "exact"
        assert p == pytest.approx(expected)
        assert statistic * sqrt(n * (sides**2 - 1) / 12) == pytest.approx(sum(throw) - n * (sides + 1) / 2)


def test_bins_of_unequal_chance_have_the_chance_of_their_faces() -> None:
    """Of 1,001 faces one bin of 1,000 has two: the sum of one die is at most as far off as its face."""
    for natural in (1, 2, 400, 999, 1_001):
        one = sum_p_value(dice_of(1_001, [natural]))[1]
        values = [(face - 1) * 1_000 // 1_001 for face in range(1, 1_002)]
        mean = Fraction(sum(values), 1_001)
        off = abs((natural - 1) * 1_000 // 1_001 - mean)
        assert one == pytest.approx(sum(abs(value - mean) >= off for value in values) / 1_001)


@pytest.mark.long
@pytest.mark.parametrize(("sides", "n"), [(6, 5), (6, 100), (20, 12), (6, 2_000), (2**53 - 1, 12)])
def test_honest_dice_that_were_called_off_bring_every_p_equally_often(sides: int, n: int) -> None:
    random = Random(sides * n)
    found = [sum_p_value(dice_of(sides, (random.randint(1, sides) for _ in range(n))))[1] for _ in range(300)]
    for level in (0.05, 0.2, 0.5):
        share = sum(p <= level for p in found) / len(found)
        assert share <= level + 3.5 * (level * (1 - level) / len(found)) ** 0.5


@pytest.mark.parametrize("n", [20, 1_000])
def test_who_calls_off_low_dice_is_found(n: int) -> None:
    """Of d20 only those below 11 were called off; and for as many high ones it is told the other way round."""
    random = Random(n)
    low = [random.randint(1, 10) for _ in range(n)]
    statistic, p, method = sum_p_value(dice_of(20, low))
    assert (statistic < -3, p < 1e-4, method) == (True, True, "exact" if n == 20 else "normal")
    higher, same, _ = sum_p_value(dice_of(20, [21 - natural for natural in low]))
    assert higher == pytest.approx(-statistic)
    assert same == pytest.approx(p)


def test_a_hostile_log_does_not_fill_the_memory() -> None:
    tally = LuckTally()
    for number in range(100):
        for sides in range(2, MAX_KINDS_EACH + 12):
            tally._count(Player(f"p{number}", "", str(number)), [sides], [1])
    assert len(tally._dice) == MAX_KINDS
    assert set(tally._kinds.values()) == {MAX_KINDS_EACH}, "nobody shuts out the others"
    assert tally._untested == 100 * (MAX_KINDS_EACH + 10) - MAX_KINDS


def test_corrections_grow_with_what_is_looked_at() -> None:
    tally = LuckTally()
    tally._count(Player("alice", "1", "a"), [6] * 40, [6] * 40)
    tally._count(Player("bob", "2", "b"), [6] * 40, [1, 2, 3, 4, 5, 6] * 6 + [1, 2, 3, 4])
    luck = tally.luck()
    assert [test.player for test in luck.tests] == ["alice", "bob", None]
    alice, bob, _everybody = luck.tests
    assert alice.p < 1e-9
    assert bob.p > 0.9
    assert all(test.corrected >= test.p for test in luck.tests)
    assert "< 1" in sentence(alice)


# --- on the command line -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(begun, capsys, monkeypatch)


@pytest.mark.long
def test_each_game_counts_once_and_exit_codes_are_those_of_verify(cli: Cli, tmp_path: Path) -> None:
    log = next(path for path in sorted(LOGS.glob("holds--*.jsonl")) if b'"reveal"' in path.read_bytes())
    (tmp_path / "a.jsonl").write_bytes(log.read_bytes())
    (tmp_path / "copy.jsonl").write_bytes(log.read_bytes())
    once = cli.value("stats", tmp_path / "a.jsonl")
    twice = cli.value("stats", tmp_path)
    assert once["tests"] == twice["tests"]
    assert twice["not_counted"] == [str(tmp_path / "copy.jsonl")]
    cut = log.read_bytes()[:-10]
    (tmp_path / "a.jsonl").write_bytes(cut)
    result = cli("stats", tmp_path / "a.jsonl")
    assert result.code == 1
    assert "only its first" in result.out
    assert cli("stats", tmp_path / "none.jsonl").code == 2
    assert cli("stats", tmp_path / "copy.jsonl", tmp_path / "none.jsonl").code == 2


@pytest.mark.long
def test_a_plot_is_drawn(cli: Cli, tmp_path: Path) -> None:
    log = next(path for path in sorted(LOGS.glob("holds--*.jsonl")) if b'"reveal"' in path.read_bytes())
    cli.ok("stats", log, "--plot", tmp_path / "luck.svg")
    assert b"<svg" in (tmp_path / "luck.svg").read_bytes()
    assert "exists" in cli.refused("stats", log, "--plot", tmp_path / "luck.svg")


def test_voids_are_told_where_no_dice_fell(cli: Cli) -> None:
    told = cli.ok("stats", LOGS / "holds--left-without-dice-hidden.jsonl")
    assert "left without dice when host closed the game: 1" in told
    assert "link of" in told
    value = cli.value("stats", LOGS / "holds--void-known-by-burned-in-a-leave.jsonl")
    (voided,) = value["voids"]
    assert (voided["by"], voided["roller"], voided["how"], voided["rolls"]) == ("dana", "alice", "void", 2)
    assert {test["voided_by"] for test in value["tests"]} == {"dana"}
    told = cli.ok("stats", LOGS / "holds--void-known-by-burned-in-a-leave.jsonl")
    assert "alice, called off by dana" in told


def test_dice_that_were_taken_back_count_and_are_told(cli: Cli) -> None:
    log = LOGS / "holds--taken-back-again-and-again.jsonl"
    assert "Rolls of alice that all who played took back: 3. Their dice are counted." in cli.ok("stats", log)
    value = cli.value("stats", log)
    assert value["taken_back"] == {"alice": 3, "bob": 1}
    assert [test["dice"] for test in value["tests"] if test["player"] is None] == [4]


def test_no_dice(cli: Cli) -> None:
    assert "nothing to test" in cli.ok("stats", "Table 12")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither extra is installed."""
    import importlib.util

    find: Any = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name, *more: None if name in ("scipy", "jinja2") else find(name, *more)
    )


def test_without_the_extra_a_sentence_says_what_to_install(cli: Cli, bare: None) -> None:
    stats = cli.refused("stats", "Table 12")
    assert "needs scipy" in stats
    assert f"Install it with: {sys.executable} -m pip install 'matplotlib" in stats
    assert f"{sys.executable} -m pip install 'jinja2<4," in cli.refused("report", "Table 12", "--out", "x.html")


def test_what_is_wrong_with_the_words_is_told_before_a_missing_library(cli: Cli, bare: None, tmp_path: Path) -> None:
    none = cli("stats", tmp_path / "none")
    assert (none.code, "there is no such log" in none.err, "scipy" in none.err) == (2, True, False)
    page = cli("report", tmp_path / "none", "--out", "x.html")
    assert ("none of these logs" in page.err, "jinja2" in page.err) == (True, False)
    assert "there is no such log" in cli("stats", tmp_path / "none", "Table 12").err
