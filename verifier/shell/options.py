"""The options of `verify` as data, from which both the parser and the help are made."""

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from verifier.checkpoints.head import parse_size
from verifier.errors import KeyFormatError
from verifier.log.identity import VerifierKey
from verifier.shell.pages import explained_names, paragraphs, width, wrap_text

__all__ = ["HOME", "KEEPING", "MAX_JOBS", "OPTIONS", "CommandOption", "UsageProblem", "help_page", "read_words"]

MAX_JOBS = 64
"""the highest number of processes"""

_ARGUMENTS = "Logs, folders of *.jsonl files, or evidence of a fork."

_DESCRIPTION = """\
Verify logs: signatures, chain, dice, rules. This needs no key of yours, and changes nothing.

A report says whether a log holds, what was rolled, what is wrong and whose fault it is, whom you must trust for the
dice, and what was checked and what was not. Several logs are reported in their order; the end says who was at fault,
for what and how often. Exit code: 0 every log holds, 1 at least one does not, 2 at least one could not be read, 3 at
least one could not be finished (memory, time, a process that died); 64 and above: nothing was judged
(specs/commands.md)."""
_EXAMPLES = """\
{program} table-12.jsonl
{program} round-3/ --summary
{program} round-3/ --json
{program} table-12.jsonl --receipt mine.checkpoint
{program} round-3/ --policy league.policy
{program} round-3/ --roster open.roster --organizer olga+7d66...
{program} fork.evidence --roster open.roster --organizer olga+7d66...
{program} --proof event-17.tlog-proof --game 9c31... --keeper host+4f5a... --index 17"""


class UsageProblem(Exception):
    """Raised for a command line that cannot be carried out."""


class CommandOption(NamedTuple):
    """An option: its name, its argument (None for a flag), its meaning, and the function that reads its argument."""

    name: str
    metavar: str | None
    help: str
    read: Callable[[str], Any] = str
    many: bool = False
    """whether it can be repeated"""
    heading: str = "Options"

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return f"--{self.name}"


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("an empty argument names no file")
    return Path(text)


def _word(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("an empty argument names no log and no game")
    return text


def _game(text: str) -> bytes:
    try:
        game = bytes.fromhex(text)
    except ValueError:
        game = b""
    if len(game) != 32:
        raise argparse.ArgumentTypeError(f"a game's whole id has 64 hex digits; not {text!r}")
    return game


def _key(text: str) -> VerifierKey:
    try:
        return VerifierKey.parse(text)
    except KeyFormatError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _count(text: str) -> int:
    number = parse_size(text)
    if number is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no number")
    return number


def _seconds(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0
    if not number:
        raise argparse.ArgumentTypeError(f"a limit is a number of seconds, not {text!r}")
    return number


def _jobs(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= MAX_JOBS:
        raise argparse.ArgumentTypeError(f"jobs are a number from 1 to {MAX_JOBS}")
    return number


_PROOF = "Proof of one event, with --game, --keeper, --index; FILE is then the event's line"
OPTIONS: Sequence[CommandOption] = (
    CommandOption(
        "rolls",
        None,
        "Show each roll: who, what for, the dice, and whether it was fair (the default for one log on a terminal).",
    ),
    CommandOption("summary", None, "A line for each log instead of its report."),
    CommandOption("game", "ID", "The game's id, 64 hex digits: the log must be of this game.", _game),
    CommandOption("key", "KEY", "A party's verifier key that you know; repeatable.", _key, many=True),
    CommandOption(
        *("receipt", "FILE"),
        "A checkpoint by the keeper that you hold: the log must match it; repeatable. FILE.checkpoint beside a log "
        "is used as one.",
        *(_path, True),
    ),
    CommandOption("policy", "FILE", "A policy for cosignatures, which each log must meet.", _path),
    CommandOption("roster", "FILE", "The list of people and their keys that the organizer signed.", _path),
    CommandOption("organizer", "KEY", "The verifier key that must have signed the roster."),
    CommandOption(
        "time-limit",
        "SECONDS",
        "Processor time for each file; a file that takes longer is reported as not finished.",
        _seconds,
    ),
    CommandOption(
        *("jobs", "N"),
        "Processes: each takes a log, or a part of the signatures of one long log (default: all cores).",
        _jobs,
    ),
    CommandOption("proof", "PROOF", "Check this proof, and no log.", _path, heading=_PROOF),
    CommandOption("keeper", "KEY", "The keeper's verifier key.", _key, heading=_PROOF),
    CommandOption("index", "N", "The number of the event.", _count, heading=_PROOF),
    CommandOption("size", "N", "How many events its checkpoint must be about.", _count, heading=_PROOF),
    CommandOption("json", None, "Answer in JSON, a report a line."),
    CommandOption("lang", "LANG", "Language of messages: en, de, ja (else ROLLPROOF_LANG, else the locale's)."),
    CommandOption("no-color", None, "No colour, no bold (as does the variable NO_COLOR)."),
    CommandOption("version", None, "Print the version and exit."),
)
HOME = CommandOption(
    "home", "DIR", "Folder of games and identities (else ROLLPROOF_HOME, else your platform's folder for data).", _path
)
KEEPING = (
    HOME,
    CommandOption(
        *("dask", "ADDRESS"),
        "A Dask scheduler whose workers verify the logs; `local` starts one on this machine. Of logs at an address "
        "(https://…, s3://…) the workers read the bytes themselves.",
    ),
)
"""additional options of a program that keeps games"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageProblem(message)


def read_words(words: Sequence[str], options: Sequence[CommandOption] = OPTIONS) -> argparse.Namespace:
    """Parse a command line into `words` (the logs), the options by name, and `help`. Raises UsageProblem."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("words", nargs="*", metavar="FILE|DIR", type=_word)
    parser.add_argument("-h", "--help", action="store_true")
    for option in options:
        settings: dict[str, Any] = {"action": "store_true"}
        if option.metavar is not None:
            settings = {"metavar": option.metavar, "type": option.read, "action": "append" if option.many else "store"}
            settings |= {"default": []} if option.many else {}
        parser.add_argument(option.flag, **settings)
    return parser.parse_intermixed_args(words)


def help_page(program: str, what: str, options: Sequence[CommandOption] = OPTIONS) -> str:
    """Return the help. `program` is the command as it is typed; `what` names its arguments, such as `FILE|DIR`."""
    columns, indent = width(), 2
    usage = wrap_text(f"Usage: {program} [OPTIONS] {what}...", columns, "", "    ")
    sections = {"Arguments": [(f"{what}...", _ARGUMENTS)]}
    for option in (*options, CommandOption("help", None, "Show this message and exit.")):
        name = option.flag if option.metavar is None else f"{option.flag} {option.metavar}"
        sections.setdefault(option.heading, []).append((f"-h, {name}" if option.name == "help" else name, option.help))
    sections["Options"] = sections.pop("Options")  # the common options come last
    parts = [f"{usage}\n", paragraphs(_DESCRIPTION, columns, " " * indent)]
    parts += [
        f"{wrap_text(heading, columns)}:\n{explained_names(rows, columns, indent)}"
        for heading, rows in sections.items()
    ]
    examples = _EXAMPLES.format(program=program)
    return "\n".join([*parts, f"  Examples:\n{os.linesep.join(f'    {line}' for line in examples.splitlines())}\n"])
