"""A log of each system, whole turns of play, with every bit flipped and every line dropped, doubled and swapped."""

from collections.abc import Iterator
from typing import Any

import pytest

from ledger.demo.stage import LiveStage
from rules import SYSTEMS
from rules.scene import scene_of
from verifier import Failure, Replay, verify
from verifier.log.signatures import trust

PARTS = 8


@pytest.fixture(scope="module", params=SYSTEMS)
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A closed game, the system's scene."""
    system = SYSTEMS[request.param]
    scene = scene_of(system)
    stage = LiveStage(tmp_path_factory.mktemp(request.param), lambda _said: None, system, scene)
    try:
        stage.begin("Scene")
        scene.play(stage)
        stage.finish()
        return stage.log()
    finally:
        stage.close()


def at(log: bytes) -> int | None:
    """Where the verifier finds the flaw; None where it finds none."""
    report, _ = verify(log)
    assert report.exit_code == {"holds": 0, "fails": 1, "unreadable": 2}[report.verdict]
    return None if report.error is None else report.error.seq


def flips(line: bytes, start: int, step: int) -> Iterator[tuple[int, bytes]]:
    """The line with one bit flipped, for every `step`-th bit."""
    for bit in range(start, 8 * len(line), step):
        flipped = bytearray(line)
        flipped[bit // 8] ^= 1 << bit % 8
        yield bit, bytes(flipped)


def refused(replay: Replay, lines: list[bytes]) -> bool:
    """Whether one of these lines is refused."""
    try:
        for line in lines:
            replay.step(line)
    except Failure:
        return True
    return False


def check_bits(log: bytes, start: int, step: int) -> int:
    """Offer the replay of each line's predecessors that line with a bit flipped; returns how many bits.

    A line that is taken all the same must be found out by its successor.
    """
    lines = log.removesuffix(b"\n").split(b"\n")
    replay, tried = Replay(), 0
    for number, line in enumerate(lines):
        for bit, flipped in flips(line, start, step):
            tried += 1
            before = replay.head
            parts = [*flipped.split(b"\n"), *lines[number + 1 : number + 2]]
            assert refused(replay, parts), f"line {number}, bit {bit}: nobody finds it"
            assert replay.head == before, f"line {number}, bit {bit}: found out only after it was taken"
        replay.step(line, trust)
    return tried


@pytest.mark.long
def test_flipped_bits_are_found(log: bytes) -> None:
    assert check_bits(log, 0, 211) > 500


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_flipped_bit_is_found(log: bytes, part: int, record_property: Any) -> None:
    record_property("bits flipped", check_bits(log, part, PARTS))


@pytest.mark.long
def test_a_flipped_bit_in_a_file(log: bytes) -> None:
    """The verifier on the whole file: the finding names the event that holds the bit, line feeds included."""
    for bit, flipped in flips(log, 3, 8 * len(log) // 60):
        assert at(flipped) == log.count(b"\n", 0, bit // 8)


@pytest.mark.long
def test_every_flipped_line_feed_is_found(log: bytes) -> None:
    ends = [position for position, byte in enumerate(log) if byte == 10]
    for number, position in enumerate(ends[:: max(1, len(ends) // 12)]):
        flipped = bytearray(log)
        flipped[position] ^= 1 << number % 8
        assert at(bytes(flipped)) == log.count(b"\n", 0, position)


@pytest.mark.long
def test_every_dropped_doubled_and_swapped_line_is_found(log: bytes) -> None:
    lines = log.splitlines(keepends=True)
    for number in range(len(lines)):
        last = number == len(lines) - 1
        dropped = b"".join(lines[:number] + lines[number + 1 :])
        doubled = b"".join(lines[: number + 1] + lines[number:])
        assert at(dropped) == (None if last else number), "a cut at the end is a shorter log"
        assert at(doubled) == number + 1
        if not last:
            swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
            assert at(b"".join(swapped)) == number


def test_a_log_of_which_the_last_line_is_missing_says_so(log: bytes) -> None:
    report, _ = verify(b"".join(log.splitlines(keepends=True)[:-1]))
    assert [finding.code for finding in report.findings if finding.code == "log.unfinished"]
