"""`rollproof-verify`: the verifier alone, on files."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec

from rules.text import plain
from verifier import KeyFormatError, NoteError, Pins, VerifierKey
from verifier.checkpoints.checkpoint import parse_size
from verifier.format import FORMAT, MAX_LINE
from verifier.language import Translate, translator
from verifier.shell.audit import Audited, AuditOptions, audit, fork_in_json, forks, tell_fork, tell_summary
from verifier.shell.files import (
    Brought,
    find_logs,
    is_one_log,
    read_note,
    read_policy,
    read_roster,
    read_sidecar,
    sentence,
    shown,
    sidecar_of,
    verify_file,
)
from verifier.shell.stdio import all_said, give_up, prepare

if TYPE_CHECKING:
    from verifier.checkpoints.event_proof import Expected

__all__ = [
    "Brought",
    "find_logs",
    "is_one_log",
    "judge_proof",
    "main",
    "read_expected",
    "read_note",
    "read_sidecar",
    "run",
    "sentence",
    "shown",
    "sidecar_of",
    "verify_file",
]

MAX_JOBS = 64
DESCRIPTION = """\
Verify Rollproof logs: signatures, chain, dice, rules.

Each FILE is a log, or evidence of a fork (rollproof compare); of a folder all *.jsonl files below it are taken, and
told in their order. Exit code: 0 every one holds, 1 at least one does not, 2 at least one could not be read (or wrong
usage), 3 at least one could not be finished (memory, time, a process that died), 130 stopped by Ctrl-C."""
EPILOG = """\
examples:
  rollproof-verify table-12.jsonl
  rollproof-verify --summary round-3/
  rollproof-verify --json round-3/ | jq -r 'select(.verdict != "holds") | .file'
  rollproof-verify --key alice+4f5a1c0e+AbC... --game 9c31... table-12.jsonl
  rollproof-verify --receipt mine.checkpoint --policy league.policy table-12.jsonl
  rollproof-verify --roster open.roster --organizer olga+7d66... round-3/
  rollproof-verify --proof event-17.tlog-proof --game 9c31... --keeper host+4f5a... --index 17"""


def main() -> NoReturn:
    """Run the command and exit."""
    prepare()
    try:
        code = run(sys.argv[1:])
    except SystemExit as ended:  # of the parser
        code = ended.code if isinstance(ended.code, int) else 0
    except BrokenPipeError:
        give_up(sys.stdout)  # the reader of our output has gone; nothing is left to say to it
        code = 2
    except OSError as error:
        with suppress(OSError):
            print(f"rollproof-verify: {error.strerror}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        code = 130
    sys.exit(code if all_said() else code or 2)


def run(arguments: list[str]) -> int:
    """Verify what the arguments name; returns the exit code."""
    parser = argparse.ArgumentParser(
        "rollproof-verify", description=DESCRIPTION, epilog=EPILOG, formatter_class=_formatter
    )
    parser.add_argument("paths", nargs="*", metavar="FILE", type=_path, help="a log, or a folder of logs")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
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
    parser.add_argument("--summary", action="store_true", help="a line a log instead of its report")
    parser.add_argument(
        "--jobs",
        type=_positive,
        default=min(os.cpu_count() or 1, MAX_JOBS),
        metavar="N",
        help="processes: each takes a log, or of one long log a part of the signatures (default: all cores)",
    )
    parser.add_argument(
        "--time-limit",
        type=_seconds,
        metavar="SECONDS",
        help="processor time for each file; one that takes longer is told as not finished",
    )
    parser.add_argument(
        "--receipt",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a checkpoint by the keeper that you hold: the log must have what it says; repeatable. FILE.checkpoint "
        "beside a log is taken as one",
    )
    parser.add_argument("--policy", type=Path, metavar="FILE", help="whose cosignatures each log must have")
    parser.add_argument("--roster", type=Path, metavar="FILE", help="whose keys are whose, signed by the organizer")
    parser.add_argument("--organizer", metavar="KEY", help="the verifier key that must have signed the roster")
    _add_proof_options(parser)
    parser.add_argument("--lang", metavar="LANG", help="language of the messages: en, ja (default: the locale's)")
    given = parser.parse_args(arguments)
    translate = translator(given.lang)
    if given.proof is not None:
        return _run_proof(parser, given, translate)
    _check_options(parser, given)
    worst, games = 0, set()
    try:
        roster = None if given.roster is None else read_roster(given.roster, given.organizer)
        pins = Pins(given.game, tuple(given.key), roster)
        brought = Brought.read(given.receipt, given.policy, one_log=is_one_log(given.paths))
    except (OSError, NoteError) as error:
        print(f"rollproof-verify: {sentence(error, translate)}", file=sys.stderr)
        return 2
    if given.summary and brought.policy is not None and (split := brought.policy.split) is not None:
        print(f"rollproof-verify: {given.policy}: policy.split: {plain(split.message(translate))}", file=sys.stderr)
    files = list(find_logs(given.paths))
    options = AuditOptions(pins, brought, given.json, given.summary, given.lang, tuple(given.paths), given.time_limit)
    logs: list[Audited] = []
    for log in audit(files, options, given.jobs):
        worst = max(worst, log.exit_code)
        games.add(log.game)
        if log.unopened and not given.json:
            print(f"rollproof-verify: {log.text}", file=sys.stderr)
        else:
            print(log.text, flush=True)
        logs.append(msgspec.structs.replace(log, text=""))
    for line in () if given.json else tell_summary(logs, translate, brief=given.summary):
        print(line, flush=True)
    for fork in forks(logs):
        worst = max(worst, 1)
        print(fork_in_json(fork) if given.json else tell_fork(fork, translate), flush=True)
    for name in brought.unused(games):
        worst = 2
        text = translate("{name} is a receipt of a game that is none of these")
        print(f"rollproof-verify: {text.format(name=name)}", file=sys.stderr)
    return worst


class _Version(argparse.Action):
    """Looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("rollproof")
        except PackageNotFoundError:
            found = "(not installed)"
        print(f"rollproof-verify {found}, {FORMAT}")
        parser.exit()


def _check_options(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """Nothing that would not be looked at is taken: whoever gave it would think that it was."""
    if not given.paths:
        parser.error("the following arguments are required: FILE")
    for option in ("keeper", "index", "size"):
        if getattr(given, option) is not None:
            parser.error(f"--{option} goes with --proof; to have a party's key checked in a log, use --key")
    if given.organizer is not None and given.roster is None:
        parser.error("--organizer goes with --roster")


def _formatter(prog: str) -> argparse.HelpFormatter:
    """The formatter of the help. Without a width it would look for one, at every start, in ways that take long."""
    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size().columns)
    except (OSError, ValueError):
        columns = 80
    return argparse.RawDescriptionHelpFormatter(prog, width=columns - 2)


def _add_proof_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "proof of one event", "with --game, --keeper and --index; FILE is then the event's line, if you have it"
    )
    group.add_argument("--proof", type=Path, metavar="PROOF", help="check this proof, and no log")
    group.add_argument("--keeper", type=_key, metavar="KEY", help="the keeper's verifier key")
    group.add_argument("--index", type=_count, metavar="N", help="the number of the event")
    group.add_argument("--size", type=_count, metavar="N", help="how many events its checkpoint must be about")


def _run_proof(parser: argparse.ArgumentParser, given: argparse.Namespace, translate: Translate) -> int:
    if given.game is None or given.keeper is None or given.index is None or len(given.paths) > 1:
        parser.error("--proof takes --game, --keeper and --index, and at most one FILE with the event's line")
    event = given.paths[0] if given.paths else None
    try:
        expected = read_expected(
            given.game, given.keeper, given.index, size=given.size, event=event, keys=given.key, policy=given.policy
        )
        code, text = judge_proof(given.proof, expected, json=given.json, translate=translate)
    except (OSError, NoteError) as error:
        print(f"rollproof-verify: {sentence(error, translate)}", file=sys.stderr)
        return 2
    print(text, flush=True)
    return code


def read_expected(
    game: bytes,
    keeper: VerifierKey,
    index: int,
    *,
    size: int | None,
    event: Path | None,
    keys: Sequence[VerifierKey],
    policy: Path | None,
) -> "Expected":
    """What the caller of a proof's check knows, with the files read. Raises OSError, NoteError."""
    from verifier.checkpoints.event_proof import Expected

    line = None
    if event is not None:
        with event.open("rb") as stream:
            line = stream.read(MAX_LINE + 2).removesuffix(b"\n")
    return Expected(
        game=game,
        keeper=keeper,
        index=index,
        size=size,
        line=line,
        keys=tuple(keys),
        policy=None if policy is None else read_policy(policy),
    )


def judge_proof(path: Path, expected: "Expected", *, json: bool, translate: Translate = str) -> tuple[int, str]:
    """The exit code and what to say of a proof in a file. Raises OSError."""
    # Here and not above: logs are verified without it.
    from verifier.checkpoints.event_proof import MAX_PROOF_FILE, ProofFailure, check_proof, proof_report, render_proven

    with path.open("rb") as stream:
        data = stream.read(MAX_PROOF_FILE + 1)
    try:
        proven = check_proof(data, expected)
    except ProofFailure as failure:
        code, message = 2 if failure.code == "proof.malformed" else 1, failure.message(translate)
        if json:
            report = {
                "verdict": "fails" if code == 1 else "unreadable",
                "step": failure.step,
                "code": failure.code,
                "message": message,
            }
            return code, msgspec.json.encode(report).decode()
        text = translate("{path}: FAILS ({code}, step {step}): {message}")
        return code, plain(text.format(path=shown(path), code=failure.code, step=failure.step, message=message))
    if json:
        return 0, msgspec.json.encode(proof_report(proven, expected, translate)).decode()
    return 0, "\n".join(map(plain, render_proven(proven, expected, translate).split("\n")))


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("an empty argument names no file")
    return Path(text)


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


def _positive(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= MAX_JOBS:
        raise argparse.ArgumentTypeError(f"jobs are a number from 1 to {MAX_JOBS}")
    return number


if __name__ == "__main__":
    main()
