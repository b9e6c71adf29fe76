"""The command line of `verify`, for `rollproof-verify` and for `rollproof verify`, which adds the
games that it keeps.
"""

import io
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

from msgspec.structs import replace

from rules.data.language import Translate
from rules.data.text import isolated, plain
from verifier.errors import NoteError
from verifier.language import translator
from verifier.log.format import FORMAT
from verifier.log.merkle import leaf_hash
from verifier.log.terms import Pins
from verifier.shell.audit import (
    Audited,
    AuditOptions,
    MakePool,
    audit,
    audit_result,
    fork_in_json,
    forks,
    tell_fork,
    tell_summary,
)
from verifier.shell.exits import EXIT_CODES, Failed, bug, reader_gone, stopped_answer, tell
from verifier.shell.files import (
    Brought,
    Elsewhere,
    Place,
    find_logs,
    is_address,
    is_one_log,
    read_roster,
    sentence,
    unopened_report,
    verify_stream,
)
from verifier.shell.options import KEEPING, MAX_JOBS, OPTIONS, UsageProblem, help_page, read_words
from verifier.shell.proofs import judge_proof, read_expected
from verifier.shell.screen import say, say_beside, say_json
from verifier.shell.secrecy import keep_secrets
from verifier.shell.stdio import all_said, prepare
from verifier.shell.stopping import stoppable

__all__ = ["Keeping", "Stored", "main", "run"]


class Stored(NamedTuple):
    """A game or event that the program keeps, as it would be exported."""

    name: str
    data: bytes
    receipts: Mapping[str, bytes]


class Keeping:
    """The games that a program keeps besides files; this base class has none."""

    program = "rollproof-verify"
    """the name of the program, for its error messages"""
    typed = "rollproof-verify"
    """the command as it is typed"""
    what = "FILE|DIR"
    missing: str | None = None
    """the message for a word that names nothing; None for the system's message"""

    def stored(self, word: str, home: Path | None) -> Stored | None:  # noqa: ARG002
        """Return the game that a word names; None without one."""
        return None

    def at(self, word: str) -> Sequence[Place] | None:  # noqa: ARG002
        """Return the logs at an address; None for a word that is no address, or if addresses are not supported."""
        return None

    @property
    def elsewhere(self) -> Callable[[str], Elsewhere] | None:
        """A function that returns the log at an address; None if addresses are not supported."""
        return None

    def cluster(self, address: str, jobs: int) -> AbstractContextManager[MakePool]:
        """Return a context with a pool on other machines, for the option `--dask`."""
        raise NotImplementedError

    def failed(self, error: Exception) -> Failed | None:  # noqa: ARG002
        """Return the failure for an error of the program's own; None for an error that is a bug."""
        return None

    def progress(self, count: int, logs: Iterator[Audited], *, quiet: bool) -> Iterator[Audited]:  # noqa: ARG002
        """Yield the logs as they come, and show progress if the program does. With `quiet`, nothing is
        shown of each.
        """
        return logs


def main() -> NoReturn:
    """Run the command of this process, and exit."""
    keep_secrets()
    prepare()
    code = run(sys.argv[1:])
    sys.exit(code if all_said() else EXIT_CODES["machine"])


def run(words: Sequence[str], keeping: Keeping | None = None) -> int:
    """Verify what the words name, and return the exit code. Errors are printed, with --json as JSON."""
    keeping, in_json = keeping or Keeping(), "--json" in words
    try:
        with stoppable():
            code = _run(words, keeping)
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        return reader_gone()
    except KeyboardInterrupt:
        return tell(keeping.program, stopped_answer(), in_json=in_json)
    except UsageProblem as problem:
        failed = Failed("usage", f"{str(problem).rstrip('.')}. See: {keeping.typed} --help")
    except (OSError, NoteError) as error:
        missing = isinstance(error, (NoteError, FileNotFoundError, IsADirectoryError, NotADirectoryError))
        failed = Failed("missing" if missing else "machine", _sentence(error, words))
    except MemoryError:
        failed = Failed("machine", "there is not enough memory for this")
    except Exception as error:
        failed = keeping.failed(error) or bug(error)
    return tell(keeping.program, failed.in_json, in_json=in_json)


def _sentence(error: OSError | NoteError, words: Sequence[str]) -> str:
    if isinstance(error, OSError) and error.filename is None:
        return error.strerror or str(error)
    return sentence(error, _translator(words))


def _translator(words: Sequence[str]) -> Translate:
    language = None
    with suppress(UsageProblem):
        language = read_words(words, (*OPTIONS, *KEEPING)).lang
    return translator(language or os.environ.get("ROLLPROOF_LANG") or None)


def _run(words: Sequence[str], keeping: Keeping) -> int:
    keeps = keeping.what != Keeping.what
    options = (*OPTIONS, *KEEPING) if keeps else OPTIONS
    given = read_words(words, options)
    if given.help:
        print(help_page(keeping.typed, keeping.what, options), end="")
        return 0
    if given.version:
        print(f"{keeping.program} {_version()}, {FORMAT}")
        return 0
    given.lang = given.lang or os.environ.get("ROLLPROOF_LANG") or None
    if given.proof is not None:
        return _prove(given)
    _check_options(given, keeping.what)
    return _verify(given, keeping)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rollproof")
    except PackageNotFoundError:
        return "(not installed)"


def _check_options(given: Namespace, what: str) -> None:
    """Raise UsageProblem for options that would have no effect, because the user would believe that they had."""
    if not given.words:
        raise UsageProblem(f"Missing argument '{what}...'")
    for option in ("keeper", "index", "size"):
        if getattr(given, option) is not None:
            raise UsageProblem(f"--{option} goes with --proof; to have a party's key checked in a log, use --key")
    if given.organizer is not None and given.roster is None:
        raise UsageProblem("--organizer goes with --roster")
    if getattr(given, "dask", None) not in (None, "local") and given.jobs is not None:
        raise UsageProblem("--jobs is for processes here; how many a Dask scheduler has is its own")


def _prove(given: Namespace) -> int:
    if given.game is None or given.keeper is None or given.index is None or len(given.words) > 1:
        raise UsageProblem("--proof takes --game, --keeper and --index, and at most one FILE with the event's line")
    event = Path(given.words[0]) if given.words else None
    expected = read_expected(
        *(given.game, given.keeper, given.index),
        size=given.size,
        event=event,
        keys=given.key,
        policy=given.policy,
    )
    code, text = judge_proof(given.proof, expected, json=given.json, translate=translator(given.lang))
    say_json(text) if given.json else say(text)
    return code


def _verify(given: Namespace, keeping: Keeping) -> int:
    """Verify the logs, and return the exit code. Raises OSError or NoteError for files beside the logs."""
    translate, at = translator(given.lang), {word: found for word in given.words if (found := keeping.at(word))}
    paths = [Path(word) for word in given.words if word not in at]
    roster = None if given.roster is None else read_roster(given.roster, given.organizer)
    one_log = len(given.words) == 1 and (is_one_log(paths) or [len(found) for found in at.values()] == [1])
    brought = Brought.read(given.receipt, given.policy, one_log=one_log)
    if given.summary and brought.policy is not None and (split := brought.policy.split) is not None:
        say_beside(keeping.program, f"{given.policy}: policy.split: {split.message(translate)}")
    jobs = given.jobs or min(os.cpu_count() or 1, MAX_JOBS)
    alone = one_log and sys.stdout.isatty() and not given.summary
    options = AuditOptions(
        *(Pins(given.game, tuple(given.key), roster), brought, given.json, given.summary, given.lang, tuple(paths)),
        time_limit=given.time_limit,
        rolls=given.rolls or alone,
        elsewhere=keeping.elsewhere if at else None,
    )
    files = _Files(given, keeping, at, options, jobs, translate)
    address, logs = getattr(given, "dask", None), []
    with nullcontext() if address is None or not files.logs else keeping.cluster(address, jobs) as make_pool:
        for log in keeping.progress(files.count, files.audited(make_pool), quiet=not given.summary):
            _say_log(log, given, keeping)
            logs.append(replace(log, text=""))
    return _say_all(logs, given, keeping, brought, translate)


class _Files:
    """The things that the words name, in their order: files, files in folders, and games that the program keeps."""

    def __init__(
        self,
        given: Namespace,
        keeping: Keeping,
        at: Mapping[str, Sequence[Place]],
        options: AuditOptions,
        jobs: int,
        translate: Translate,
    ) -> None:
        self._options, self._jobs, self._translate = options, jobs, translate
        self._named: list[tuple[str, Stored | None, Sequence[Place]]] = []
        self._missing = keeping.missing
        self._addresses = at.keys()
        for word in given.words:
            if word in at:
                self._named.append((word, None, at[word]))
                continue
            path = Path(word)
            found = None if os.path.lexists(path) else keeping.stored(word, getattr(given, "home", None))
            self._named.append((word, found, [] if found else list(find_logs([path]))))
        absent = (word for word, found, _ in self._named if not found and word not in self._addresses)
        missing = {Path(word) for word in absent if not os.path.lexists(word)}
        self._absent: Set[Place] = set() if self._missing is None else missing
        self.logs = [log for _word, _found, each in self._named for log in each if log not in self._absent]
        """the logs that have to be read"""

    @property
    def count(self) -> int:
        return sum(len(files) or 1 for _word, _found, files in self._named)

    def audited(self, make_pool: MakePool | None) -> Iterator[Audited]:
        """Yield the result for each, in their order."""
        results = audit(self.logs, self._options, self._jobs, make_pool)
        for word, found, each in self._named:
            if found is not None:
                yield self._audited(found)
            elif self._missing is not None and word not in self._addresses and Path(word) in self._absent:
                text = self._translate(self._missing).format(what=word)
                yield audit_result(unopened_report(Path(word), text, self._translate), self._options, self._translate)
            else:
                yield from (next(results) for _ in each)

    def _audited(self, game: Stored) -> Audited:
        options = self._options
        receipts = {**options.brought.receipts_of(_game_of(game.data)), **game.receipts}
        stream = io.BufferedReader(io.BytesIO(game.data))
        report, replay = verify_stream(
            stream, game.name, options.pins, self._jobs, self._translate, options.brought, lambda: receipts
        )
        return audit_result(report, options, self._translate, replay)


def _game_of(data: bytes) -> str:
    """Return the id of the game of a log."""
    return leaf_hash(data.partition(b"\n")[0]).hex()


def _say_log(log: Audited, given: Namespace, keeping: Keeping) -> None:
    if given.json:
        say_json(log.text)
    elif log.unopened:
        say_beside(keeping.program, log.text)
    else:
        say(log.text, verdict_after=plain(isolated(log.file)), color=not given.no_color)


def _open_again(keeping: Keeping, log: Audited) -> BinaryIO:
    if is_address(log.file) and keeping.elsewhere is not None:
        return keeping.elsewhere(log.file).open()
    return Path(log.file).open("rb")


def _say_all(
    logs: Sequence[Audited], given: Namespace, keeping: Keeping, brought: Brought, translate: Translate
) -> int:
    """Print what concerns all logs together, and return the exit code."""
    worst = max(log.exit_code for log in logs)
    for line in () if given.json else tell_summary(logs, translate, brief=given.summary):
        say(line)
    for fork in forks(logs, partial(_open_again, keeping)):
        worst = max(worst, 1)
        say_json(fork_in_json(fork)) if given.json else say(tell_fork(fork, translate))
    for name in brought.unused({log.game for log in logs}):
        text = translate("{name} is a receipt of a game that is none of these").format(name=name)
        unread = {"kind": "unreadable", "message": text, "code": None, "clause": None, "exit_code": 2}
        worst = max(worst, tell(keeping.program, {"error": unread}, in_json=given.json))
    return worst
