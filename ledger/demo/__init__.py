"""`rollproof demo`: real games with fresh keys and dice, verified by the standalone verifier, then tampered with."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ledger.demo import doubledown, mtg, t9a, wh40k
from ledger.demo.table import Say, Table
from ledger.demo.tampering import Attempt, attempts

__all__ = ["run"]

_GAMES = (mtg, t9a, doubledown, wh40k)


def run(directory: Path, say: Say) -> bool:
    """Play, verify and tamper; the logs are left in `directory`. True if everything went as it should."""
    directory.mkdir(parents=True, exist_ok=True)
    outcomes = [_one(game, directory, say) for game in _GAMES]
    return all(outcomes)


def _one(game: Any, directory: Path, say: Say) -> bool:
    with tempfile.TemporaryDirectory(prefix="rollproof-demo-") as folder:
        table = Table(Path(folder) / "game", say, game.ROLES)
        other = Table(Path(folder) / "other", say, game.ROLES)
        try:
            game.play(table)
            other.open(table.view.replay.terms.system, table.options, "Another game")
            tampered = attempts(table.lines(), other.lines(), table.identities, game.REWRITE, game.CLAIM)
            log = b"".join(line + b"\n" for line in table.lines())
        finally:
            table.close()
            other.close()
    path = directory / game.FILE
    _write(path, log)
    say(f"\nThe log is in {path}. The standalone verifier says:\n")
    report = _verify(path)
    say(_text(path))
    held = report["verdict"] == "holds"
    say("\nNow copies of it are tampered with.\n")
    found = [_tamper(attempt, path, say) for attempt in tampered]
    say(f"\n{sum(found)} of {len(found)} attempts were found out, each for what it was.")
    return held and all(found)


def _tamper(attempt: Attempt, path: Path, say: Callable[[str], None]) -> bool:
    copy = path.with_name(f"{path.stem}-{attempt.name}.jsonl")
    _write(copy, attempt.log)
    report = _verify(copy)
    error = next((f for f in report["findings"] if f["severity"] == "error"), None)
    say(f"{copy.name}: {attempt.what}.")
    if error is None:
        say("  NOT FOUND OUT")
        return False
    say(f"  {report['verdict']}: {error['code']} at event {error['seq']}, fault: {error['fault']}. {error['message']}")
    as_expected = (error["code"], error["fault"]) == (attempt.code, attempt.fault)
    if not as_expected:
        say(f"  EXPECTED {attempt.code}, fault: {attempt.fault}")
    return as_expected


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


def _run_verifier(path: Path, *options: str) -> str:
    command = [sys.executable, "-m", "verifier", *options, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603 - our own module


def _verify(path: Path) -> dict[str, Any]:
    report: dict[str, Any] = msgspec.json.decode(_run_verifier(path, "--json"))
    return report


def _text(path: Path) -> str:
    return _run_verifier(path).rstrip("\n")
