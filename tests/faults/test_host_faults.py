"""A host that is killed, or whose disk fails, at every write of a batch: nothing acknowledged is lost or there twice.

A short form strikes some points in the ordinary run; `pytest -m slow tests/faults/test_host_faults.py` every one.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.faults import Point, points, strace_works, strike
from tests.support.hosted_child import PROGRAM, opened, prepare, roll_everywhere
from verifier import verify
from verifier.log.merkle import leaf_hash

BLOWS = ("signal=SIGKILL", "error=EIO")

pytestmark = pytest.mark.skipif(not strace_works(), reason="strace (Debian: strace) is not here, or may not trace")


class Prepared(NamedTuple):
    folder: Path
    points: list[Point]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder = tmp_path_factory.mktemp("host")
    prepare(folder / "before")
    copy = Path(shutil.copytree(folder / "before", folder / "copy"))
    return Prepared(folder / "before", points([str(copy)], copy, folder / "trace", PROGRAM))


def check(point: Point, blow: str, prepared: Prepared, folder: Path) -> None:
    home = Path(shutil.copytree(prepared.folder, folder / "home"))
    try:
        struck = strike([str(home)], home, point, blow, PROGRAM)
        if blow == "signal=SIGKILL":
            assert struck.code == -9, struck
        check_whole(home, struck.out.splitlines())
    finally:
        shutil.rmtree(home)


def check_whole(home: Path, told: Sequence[str]) -> None:
    """What was told stands, and everybody goes on: the keeper remembers nothing that its store does not have."""
    hosted = opened(home)
    try:
        stored = {game.hex(): list(hosted.ledger.lines(game)) for game in hosted.ledger.catalog.games()}
        roll_everywhere(hosted)
        logs = {game.hex(): list(hosted.ledger.lines(game)) for game in hosted.ledger.catalog.games()}
        for game, lines in logs.items():
            assert lines[: len(stored[game])] == stored[game]
            report, replay = verify(b"".join(line + b"\n" for line in lines))
            assert report.verdict == "holds", report.findings
            assert replay is not None
            assert replay.session.phase == "idle"
            checkpoint = hosted.ledger.checkpoint(bytes.fromhex(game))
            assert checkpoint is not None
            assert checkpoint.head.size == len(lines)
        for line in told:
            kind, game, *rest = line.split()
            if kind == "line":
                assert leaf_hash(stored[game][int(rest[0])]).hex() == rest[1]
            else:
                assert opened_for(logs[game], rest[0], rest[1])
    finally:
        hosted.close()


def opened_for(lines: Sequence[bytes], request: str, author: str) -> bool:
    """Whether the reveal of a request has the author's opening."""
    reveals = [json.loads(line) for line in lines if b'"type":"reveal"' in line]
    (reveal,) = [event for event in reveals if event["prev"] == request]
    return author in [opening["author"] for opening in reveal["body"]["openings"]]


@pytest.mark.long
@pytest.mark.parametrize("blow", BLOWS)
def test_struck_at_some_points(blow: str, prepared: Prepared, tmp_path: Path) -> None:
    every = prepared.points
    for point in [every[len(every) * n // 3] for n in range(3)]:
        check(point, blow, prepared, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize("blow", BLOWS)
def test_struck_at_every_point(blow: str, part: int, prepared: Prepared, tmp_path: Path, record_property: Any) -> None:
    every = prepared.points[part::8]
    for point in every:
        check(point, blow, prepared, tmp_path)
    record_property("system calls of a host struck", len(every))
