"""`rollproof-verify`: the verifier alone, on files. The only module here that opens any."""

import argparse
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import msgspec

from verifier import KeyFormatError, Pins, Report, VerifierKey, render, verify
from verifier.language import Translate, translator

MAX_THREADS = 64
DESCRIPTION = """\
Verify Rollproof logs: signatures, chain, dice, rules.

Each FILE is a log; of a folder all *.jsonl files below it are taken. Exit code: 0 every log holds, 1 at least one does
not, 2 at least one could not be read (or wrong usage)."""
EPILOG = """\
examples:
  rollproof-verify table-12.jsonl
  rollproof-verify --json round-3/ | jq -r 'select(.verdict != "holds") | .file'
  rollproof-verify --key alice+4f5a1c0e+AbC... --game 9c31... table-12.jsonl"""


def main() -> NoReturn:
    """Run the command and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                errors="backslashreplace"
            )  # a terminal or pipe that cannot show a letter gets its number
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has gone; nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 2
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Verify what the arguments name; returns the exit code."""
    parser = argparse.ArgumentParser(
        "rollproof-verify", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", metavar="FILE", type=Path, help="a log, or a folder of logs")
    parser.add_argument("--json", action="store_true", help="one JSON report a line and file")
    parser.add_argument(
        "--game", type=_game, metavar="ID", help="the game's id, 64 hex digits: the log must be of this game"
    )
    parser.add_argument(
        "--key",
        type=_key,
        action="append",
        default=[],
        metavar="KEY",
        help="a party's verifier key that you know; repeatable",
    )
    parser.add_argument(
        "--threads",
        type=_positive,
        default=min(os.cpu_count() or 1, MAX_THREADS),
        metavar="N",
        help="threads for signatures (default: all cores)",
    )
    parser.add_argument("--lang", metavar="LANG", help="language of the messages: en, ja (default: the locale's)")
    given = parser.parse_args(arguments)
    translate = translator(given.lang)
    pins = Pins(given.game, tuple(given.key))
    worst = 0
    for path in find_logs(given.paths):
        report = verify_file(path, pins, given.threads, translate)
        if isinstance(report, str):
            worst = 2
            print(f"rollproof-verify: {report}", file=sys.stderr)
            continue
        worst = max(worst, report.exit_code)
        print(msgspec.json.encode(report).decode() if given.json else render(report, translate), flush=True)
    return worst


def find_logs(paths: list[Path]) -> Iterator[Path]:
    """The files among `paths`, and the *.jsonl files below the folders among them, sorted.

    A folder without any yields itself.
    """
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*.jsonl") if file.is_file()) or [path]
        else:
            yield path


def verify_file(path: Path, pins: Pins, threads: int, translate: Translate = str) -> Report | str:
    """The report on a file, or a sentence that says why it cannot be opened."""
    try:
        if path.is_dir():
            return translate("{path}: there are no *.jsonl files in this folder").format(path=path)
        with path.open("rb") as stream:
            return verify(stream, name=_shown(path), pins=pins, threads=threads, translate=translate)[0]
    except OSError as error:
        return f"{path}: {error.strerror or error}"


def _shown(path: Path) -> str:
    """A file's name as text, also where its bytes are no text."""
    return str(path).encode(errors="backslashreplace").decode()


def _game(text: str) -> bytes:
    try:
        game = bytes.fromhex(text)
    except ValueError:
        game = b""
    if len(game) != 32:
        raise argparse.ArgumentTypeError("a game's id has 64 hex digits")
    return game


def _key(text: str) -> VerifierKey:
    try:
        return VerifierKey.parse(text)
    except KeyFormatError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _positive(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= MAX_THREADS:
        raise argparse.ArgumentTypeError(f"threads are a number from 1 to {MAX_THREADS}")
    return number


if __name__ == "__main__":
    main()
