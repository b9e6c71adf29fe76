"""A player and the keeper whose program is killed, or whose disk fails, at every write of rows of events: a row is all
there or not at all, what has a receipt stands, and both go on.

A short form strikes some points; `pytest -m slow tests/faults/test_row_faults.py` every one.
"""

import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.faults import Point, points, strace_works, strike
from tests.support.hosted_child import prepare
from tests.support.row_child import PROGRAM, ROW, rows, seated
from tests.support.table import joined
from verifier import verify
from verifier.log.merkle import leaf_hash

BLOWS = ("signal=SIGKILL", "error=EIO")

pytestmark = pytest.mark.skipif(not strace_works(), reason="strace (Debian: strace) is not here, or may not trace")


class Prepared(NamedTuple):
    folder: Path
    lines: int
    """in the game before"""
    points: list[Point]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder = tmp_path_factory.mktemp("rows")
    prepare(folder / "before")
    copy = Path(shutil.copytree(folder / "before", folder / "copy"))
    found = points([str(copy)], copy, folder / "trace", PROGRAM)
    with seated(folder / "before") as (ledger, _, _):
        return Prepared(folder / "before", ledger.size(ledger.catalog.games()[0]), found)


def check(point: Point, blow: str, prepared: Prepared, folder: Path) -> None:
    home = Path(shutil.copytree(prepared.folder, folder / "home"))
    try:
        struck = strike([str(home)], home, point, blow, PROGRAM)
        if blow == "signal=SIGKILL":
            assert struck.code == -9, struck
        with seated(home) as (ledger, player, keeper):
            game = ledger.catalog.games()[0]
            stored = list(ledger.lines(game))
            assert (len(stored) - prepared.lines) % ROW == 0, "a row is all there or not at all"
            for told in struck.out.splitlines():
                seq, leaf = told.split()
                assert leaf_hash(stored[int(seq)]).hex() == leaf, "what has a receipt stands"
            if len(stored) > prepared.lines:
                ledger.sign_checkpoint(game, keeper)  # of what had none yet, or the same again
            rows(ledger, player, keeper)
            lines = list(ledger.lines(game))
            assert lines[: len(stored)] == stored
            checkpoint = ledger.checkpoint(game)
        assert checkpoint is not None
        assert checkpoint.head.size == len(lines)
        report, _ = verify(joined(lines))
        assert report.verdict == "holds", report.findings
    finally:
        shutil.rmtree(home)


@pytest.mark.long
@pytest.mark.parametrize("blow", BLOWS)
def test_struck_at_some_points(blow: str, prepared: Prepared, tmp_path: Path) -> None:
    every = prepared.points
    for part in (1, 2):
        check(every[len(every) * part // 3], blow, prepared, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("blow", BLOWS)
def test_struck_at_every_point(blow: str, part: int, prepared: Prepared, tmp_path: Path, record_property: Any) -> None:
    every = prepared.points[part::4]
    for point in every:
        check(point, blow, prepared, tmp_path)
    record_property("system calls struck while rows were written", len(every))
