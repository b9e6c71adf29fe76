"""How long programs take to start."""

from collections.abc import Iterator
from pathlib import Path

from tests.bench.measure import Measure, Sizes, python, race
from tests.bench.scribe import game

__all__ = ["measure_start"]

START_TARGET = 0.5
_VERIFIER = "import sys; from verifier.__main__ import main; sys.argv[0] = 'rollproof-verify'; main()"
_PROGRAM = "import sys; from ledger.cli import main; sys.argv[0] = 'rollproof'; main()"
"""what the installed commands do"""


def measure_start(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    """The verifier on a short game, the program's help, and a roll that is refused for want of a game."""
    path = folder / "short.jsonl"
    path.write_bytes(game(30)[0])
    bare = "import cryptography.hazmat.primitives.asymmetric.ed25519, msgspec"
    yield _start("verify", "rollproof-verify on a game of 30 events", (_VERIFIER, str(path)), bare, sizes)
    yield _start("help", "rollproof --help", (_PROGRAM, "--help"), "import typer", sizes)
    yield _start("roll", "rollproof roll --help", (_PROGRAM, "roll", "--help"), "import typer", sizes)


def _start(key: str, what: str, ours: tuple[str, ...], bare: str, sizes: Sizes) -> Measure:
    python("-c", *ours)  # compiled by now, if it was not
    result = race(lambda: python("-c", *ours), lambda: python("-c", bare), sizes.starts)
    return Measure(
        f"start_{key}_to_bare_imports",
        f"start {what}",
        f"python -c '{bare}'",
        f"{result.ours * 1000:.0f} ms",
        f"{result.bare * 1000:.0f} ms",
        result.ratio,
        START_TARGET,
    )
