"""No honest party is named, whatever a coalition with the keeper puts together (specs/security.md, claim 4)."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adversary.search import COALITION, Search
from tests.web.browsers import NODE, Browsers

FIRST = int(os.environ.get("ROLLPROOF_SEARCH_SEED", "0"))
"""the first seed: a run that failed is repeated with the seed that it printed"""


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    if NODE is None:
        pytest.skip("node is not installed")
    process = Browsers()
    yield process
    process.close()


def searched(seed: int, folder: Path, browsers: Browsers | None, innocent: tuple[str, ...] | None = None) -> Search:
    """A search with what it named; nothing honest."""
    search = Search(seed, folder / str(seed), browsers)
    try:
        search.run()
        found = search.named() if innocent is None else search.named(innocent)
    finally:
        search.close()
    print(f"seed {seed}: {dict(sorted(search.told.items()))}")
    if innocent is None:
        assert not found, f"ROLLPROOF_SEARCH_SEED={seed}: {found}"
    search.found = found
    return search


def check_power(told: Counter[str], *, pages: bool) -> None:
    """What the search is worth: each of these came about."""
    needed = ["program open", "program sign", "program acknowledge", "host reveal", "forked", "evidence against host"]
    needed += ["program void", "fault host rules.violation", "fault bob rules.violation", "fault host receipt.forked"]
    needed += ["page open", "page sign", "page acknowledge", "page tend", "page show"] if pages else []
    assert not [each for each in needed if not told[each]], told


@pytest.mark.long
def test_a_search_names_nobody_honest(tmp_path: Path, browsers: Browsers) -> None:
    for seed in range(FIRST, FIRST + 1):
        searched(seed, tmp_path, browsers)


@pytest.mark.slow
def test_no_search_names_anybody_honest(tmp_path: Path, browsers: Browsers) -> None:
    told: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + 100):
        told += searched(seed, tmp_path, browsers).told
    print(dict(sorted(told.items())))
    check_power(told, pages=True)


@pytest.mark.long
def test_a_seat_that_speaks_of_requests_that_the_keeper_has_not_taken_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another control: a judge that does so says of one opening that it came, and that it is missing."""
    monkeypatch.setattr("ledger.seats.opening_checks.check_taken", lambda *_, **__: None)
    for seed in range(FIRST, FIRST + 40):
        search = Search(seed, tmp_path / str(seed), None)
        try:
            search.run()
            found = search.named()
        finally:
            search.close()
        if any("gave a receipt for the opening of bob, whom its void names" in each for each in found):
            return
    pytest.fail("no search found it")


@pytest.mark.slow
@pytest.mark.parametrize("cheat", COALITION)
def test_a_cheat_that_is_taken_for_honest_is_found(tmp_path: Path, browsers: Browsers, cheat: str) -> None:
    """The control: each member of the coalition is named again and again."""
    found = [bool(searched(seed, tmp_path, browsers, (cheat,)).found) for seed in range(FIRST, FIRST + 12)]
    assert sum(found) >= 4, found
