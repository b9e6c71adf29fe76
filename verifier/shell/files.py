"""Files of logs and the files beside them. Apart from the program itself, no other module here opens files."""

import io
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol

from rules.data.language import N_, Translate
from rules.data.text import plain
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.checkpoints.note import MAX_NOTE
from verifier.checkpoints.policy import Policy, parse_policy
from verifier.checkpoints.receipts import MAX_RECEIPTS
from verifier.checkpoints.roll_proof import MAX_ROLL_FILE, checkpoint_of_roll, is_roll_proof, verify_roll_proof
from verifier.disputes.evidence import MAX_EVIDENCE, is_evidence, verify_evidence
from verifier.errors import KeyFormatError, NoteError
from verifier.log.format import MAX_LINE
from verifier.log.identity import VerifierKey
from verifier.log.merkle import leaf_hash
from verifier.log.terms import Pins
from verifier.replay import Replay
from verifier.report import Report, not_judged
from verifier.verification import verify

if TYPE_CHECKING:
    from verifier.log.roster import Roster

__all__ = [
    "SIDECAR",
    "Brought",
    "Elsewhere",
    "Place",
    "find_logs",
    "is_address",
    "is_event",
    "is_one_log",
    "leads_out",
    "open_regular",
    "path_text",
    "read_note",
    "read_policy",
    "read_roster",
    "read_sidecar",
    "sentence",
    "sidecar_of",
    "unopened_report",
    "verify_elsewhere",
    "verify_file",
    "verify_stream",
]

Place = Path | str
"""the place of a log: a file, or an address (`https://…`) that the program may be able to read"""

LOG_SUFFIX = ".jsonl"
"""the suffix of files that are read as logs only, so that no evidence is passed off as a log"""
SIDECAR = ".checkpoint"
"""the suffix, behind a log's name, of the file with its checkpoint"""


BUNDLE = b'{"bundle":'
EVENT = re.compile(rb'\{"author":"[a-z0-9._-]{1,32}","body":\{"act":\{[^{}]{0,400}"event":"rollproof/event/')
"""the beginnings of the bundle and of the log of an event (specs/event.md)"""

_MOST_GIVEN = MAX_RECEIPTS - 2
"""receipts that a caller gives; the checkpoint beside a file, and the one in a bundle, are two more"""
PIPE_PAUSE = 10
"""seconds to wait for data from a pipe or device"""


class Elsewhere(Protocol):
    """A log at an address."""

    @property
    def address(self) -> str:
        """The address, for messages."""

    def open(self) -> io.BufferedReader:
        """Open the log for reading on demand. Raises OSError or NoteError, as does reading."""

    def beside(self) -> tuple[str, bytes] | None:
        """Return the address and bytes of the checkpoint beside it; None without one. Raises OSError or NoteError."""


def is_address(text: str) -> bool:
    """Return whether a text is the address of a log. Paths of files do not have two slashes in a row."""
    return "://" in text


class Brought(NamedTuple):
    """The files that the caller gives beside logs: receipts, by file name, and a policy."""

    receipts: Mapping[str, bytes] = {}
    policy: Policy | None = None
    one_log: bool = True
    """whether there is one log, for which all receipts are meant; else each is for the log of its game"""

    @classmethod
    def read(cls, receipts: Sequence[Path], policy: Path | None, *, one_log: bool) -> "Brought":
        """Read receipts and policy. Raises OSError or NoteError."""
        found = {path_text(path): _read_receipt(path) for path in receipts}
        if one_log:
            _check_number(found)
        return cls(found, None if policy is None else read_policy(policy), one_log)

    def of(self, log: Path) -> dict[str, bytes]:
        """Return the receipts for a log: those that were given, and its sidecar. Raises OSError or NoteError."""
        note = read_sidecar(log)
        return self.with_sidecar(lambda: log.open("rb"), None if note is None else (path_text(sidecar_of(log)), note))

    def with_sidecar(self, open_log: Callable[[], BinaryIO], sidecar: tuple[str, bytes] | None) -> dict[str, bytes]:
        """Return the receipts for a log: those that were given, and the sidecar. Raises OSError or NoteError."""
        found = self.receipts
        if found and not self.one_log:
            with open_log() as stream:
                first = stream.readline(MAX_LINE + 1)
            found = self.receipts_of(leaf_hash(first.removesuffix(b"\n")).hex())
        return {**found, **dict([sidecar] if sidecar else [])}

    def receipts_of(self, game: str) -> dict[str, bytes]:
        """Return the receipts that are meant for the log of a game. Raises NoteError for too many."""
        meant = {name: data for name, data in self.receipts.items() if self.one_log or _game_of(data) in (game, None)}
        _check_number(meant)
        return meant

    def unused(self, games: Set[str | None]) -> list[str]:
        """Return the names of receipts that are for none of these games."""
        if self.one_log:
            return []
        return [name for name, data in self.receipts.items() if _game_of(data) not in (*games, None)]


def _game_of(receipt: bytes) -> str | None:
    try:
        return parse_checkpoint(receipt).head.game.hex()
    except NoteError:
        return None


def is_one_log(paths: Sequence[Path]) -> bool:
    """Return whether the paths name exactly one log."""
    return len(paths) == 1 and not paths[0].is_dir()


def sidecar_of(log: Path) -> Path:
    """Return the path of the checkpoint beside a log."""
    return log.with_name(log.name + SIDECAR)


def read_note(path: Path) -> bytes:
    """Return the bytes of a note, cut just above the limit. Raises OSError, or NoteError for a pipe or device."""
    with open_regular(path) as stream:
        return stream.read(MAX_NOTE + 1)


def _check_number(receipts: Mapping[str, bytes]) -> None:
    if len(receipts) > _MOST_GIVEN:
        text = N_("{count} files were given with --receipt, and one verification takes {most} at most")
        raise NoteError(text, count=len(receipts), most=_MOST_GIVEN)


def _read_receipt(path: Path) -> bytes:
    """Return the bytes of a checkpoint, which may be in a proof of one roll. Raises as `read_note`."""
    with open_regular(path) as stream:
        data = stream.read(MAX_ROLL_FILE + 1)
    return checkpoint_of_roll(data) if is_roll_proof(data) else data[: MAX_NOTE + 1]


def read_sidecar(log: Path) -> bytes | None:
    """Return the checkpoint beside a log; None without one. Raises OSError, or NoteError for a pipe or device."""
    path = sidecar_of(log)
    return read_note(path) if os.path.lexists(path) else None


def read_policy(path: Path) -> Policy:
    """Read a policy file. Raises OSError, or NoteError with the file and the line."""
    data = read_note(path)
    try:
        return parse_policy(data)
    except NoteError as error:
        raise NoteError("{path}: {problem}", path=path_text(path), problem=error) from None


def read_roster(path: Path, organizer: str | None) -> "Roster":
    """Read a roster, which must be signed with the organizer's verifier key. Raises OSError or NoteError."""
    from verifier.rosters.roster import MAX_ROSTER, RosterError, parse_roster

    if organizer is None:
        raise NoteError("a roster is worth nothing without the organizer's key: give it with --organizer")
    try:
        key = VerifierKey.parse(organizer)
    except KeyFormatError as error:
        raise NoteError("{problem}", problem=error) from None
    with open_regular(path) as stream:
        data = stream.read(MAX_ROSTER + 1)
    try:
        return parse_roster(data, key)
    except RosterError as error:
        text = N_("{path} is no roster that can be used ({code}): {problem}")
        raise NoteError(text, path=path_text(path), code=error.code, problem=error) from None


def sentence(error: OSError | NoteError, translate: Translate = str) -> str:
    """Return what is wrong with a file that was given beside the logs."""
    if isinstance(error, NoteError):
        return plain(error.message(translate))
    return plain(f"{path_text(Path(error.filename or '-'))}: {error.strerror or error}")


def find_logs(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files among `paths`, and the *.jsonl files in the folders among them, sorted.

    Links within a folder are followed, and each folder is visited once. A folder without logs is yielded itself. So is
    a subfolder that cannot be read, or to which a link leads that points outside: it must be reported, not skipped.
    """
    for path in paths:
        if path.is_dir():
            yield from _logs_below(path)
        else:
            yield path


def _logs_below(folder: Path) -> list[Path]:
    found: list[Path] = []
    visited: set[tuple[int, int]] = set()

    def unreadable(error: OSError) -> None:
        found.append(Path(error.filename))

    for place, folders, names in os.walk(folder, onerror=unreadable, followlinks=True):
        try:
            status = Path(place).stat()
        except OSError as error:
            unreadable(error)
            continue
        if (status.st_dev, status.st_ino) in visited:
            folders.clear()
            continue
        out = [name for name in folders if leads_out(Path(place, name), (folder,))]
        found += [Path(place, name) for name in out]
        # Sorted, so that of two ways to one folder the same is always taken.
        folders[:] = sorted(name for name in folders if name not in out)
        visited.add((status.st_dev, status.st_ino))
        found += [Path(place, name) for name in names if name.endswith(LOG_SUFFIX)]
    return sorted(found) or [folder]


def leads_out(path: Path, named: Sequence[Path]) -> bool:
    """Return whether a path, with links followed, is outside of all folders in `named`; False if `named` is empty."""
    if not named or path in named:
        return False
    real = os.path.realpath(path)
    return not any(Path(real).is_relative_to(os.path.realpath(folder)) for folder in named)


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading.

    Raises OSError, and NoteError for a pipe or device, which might never deliver anything.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NoteError("{path}: this is no regular file", path=path_text(path))
    return os.fdopen(descriptor, "rb")


def verify_file(
    path: Path,
    pins: Pins,
    jobs: int,
    translate: Translate = str,
    brought: Brought | None = None,
    *,
    alone: bool = True,
) -> tuple[Report, Replay | None]:
    """Return the report on a file, also if it cannot be opened, and the replay of a log's valid prefix.

    Unless `alone`, only a regular file is read, because a pipe in a folder might never deliver anything.
    """
    brought = brought or Brought()
    try:
        problem = None
        if path.is_dir():
            next(path.iterdir(), None)
            problem = N_("{path}: there are no *.jsonl files in this folder")
        elif not alone and not stat.S_ISREG(path.stat().st_mode):
            problem = N_("{path}: this is no regular file. To verify what comes out of it, name it alone")
        if problem is None:
            with _open_alone(path) as stream:
                receipts = partial(brought.of, path)
                return verify_stream(stream, path_text(path), pins, jobs, translate, brought, receipts)
        message = translate(problem).format(path=path_text(path))
    except (OSError, NoteError) as error:
        message = sentence(error, translate)
    return unopened_report(path, message, translate), None


def verify_elsewhere(
    log: Elsewhere, pins: Pins, jobs: int, translate: Translate = str, brought: Brought | None = None
) -> tuple[Report, Replay | None]:
    """Return the same as `verify_file` for a log at an address."""
    brought = brought or Brought()
    try:
        with log.open() as stream:
            receipts = partial(_receipts_elsewhere, log, brought)
            return verify_stream(stream, log.address, pins, jobs, translate, brought, receipts)
    except (OSError, NoteError) as error:
        problem = error.message(translate) if isinstance(error, NoteError) else _said_of(log, error)
        return not_judged(log.address, "unreadable", "file.unopened", plain(problem), translate), None


def _receipts_elsewhere(log: Elsewhere, brought: Brought) -> dict[str, bytes]:
    return brought.with_sidecar(log.open, log.beside())


def _said_of(log: Elsewhere, error: OSError) -> str:
    return f"{log.address}: {error.strerror or error}"


def _open_alone(path: Path) -> BinaryIO:
    """Open a file, or a pipe or device that was named by itself. Raises OSError."""
    if os.name != "posix" or stat.S_ISREG(path.stat().st_mode):
        return path.open("rb")
    return io.BufferedReader(_Coming(os.open(path, os.O_RDONLY | os.O_NONBLOCK), path))


class _Coming(io.RawIOBase):
    """The data from a pipe or device, as long as it keeps coming."""

    def __init__(self, descriptor: int, path: Path) -> None:
        super().__init__()
        self._descriptor, self._path = descriptor, path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        import select

        if not select.select([self._descriptor], [], [], PIPE_PAUSE)[0]:
            text = N_("{path}: nothing has come out of it for {seconds} seconds")
            raise NoteError(text, path=path_text(self._path), seconds=PIPE_PAUSE)
        view = memoryview(buffer).cast("B")
        data = os.read(self._descriptor, len(view))
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            os.close(self._descriptor)
        super().close()


def unopened_report(path: Path, message: str, translate: Translate = str) -> Report:
    """Return the report on a file that cannot be opened; `message` is a sentence with its name."""
    return not_judged(path_text(path), "unreadable", "file.unopened", plain(message), translate)


def verify_stream(
    stream: BinaryIO,
    name: str,
    pins: Pins,
    jobs: int,
    translate: Translate,
    brought: Brought,
    receipts: Callable[[], dict[str, bytes]],
) -> tuple[Report, Replay | None]:
    """Verify a stream as what its beginning shows it to be. Raises OSError or NoteError."""
    if not name.endswith(LOG_SUFFIX) and is_evidence(stream.peek()):  # type: ignore[attr-defined]
        if brought.receipts or brought.policy is not None:
            text = N_("{path}: this is evidence and no log, so it has no receipts and meets no policy")
            raise NoteError(text, path=name)
        return verify_evidence(stream.read(MAX_EVIDENCE + 1), name=name, pins=pins, translate=translate), None
    beginning = stream.peek()  # type: ignore[attr-defined]
    if not name.endswith(LOG_SUFFIX) and is_roll_proof(beginning):
        if brought.receipts or brought.policy is not None:
            text = N_("{path}: this is a proof of one roll and no log, so it has no receipts and meets no policy")
            raise NoteError(text, path=name)
        data = stream.read(MAX_ROLL_FILE + 1)
        return verify_roll_proof(data, name=name, pins=pins, translate=translate), None
    if is_event(beginning):
        return _verify_event(stream, name, pins, jobs, translate, brought, receipts), None
    return verify(
        stream,
        name=name,
        pins=pins,
        jobs=jobs,
        translate=translate,
        receipts=receipts(),
        policy=brought.policy,
    )


def _verify_event(
    stream: BinaryIO,
    name: str,
    pins: Pins,
    jobs: int,
    translate: Translate,
    brought: Brought,
    receipts: Callable[[], dict[str, bytes]],
) -> Report:
    """Return the report on an event log or its bundle. Raises OSError or NoteError."""
    held, policy = receipts(), brought.policy
    if stream.peek().startswith(BUNDLE):  # type: ignore[attr-defined]
        from verifier.event.bundle import verify_bundle

        return verify_bundle(stream, name=name, pins=pins, jobs=jobs, translate=translate, receipts=held, policy=policy)
    from verifier.event.verification import verify_event

    return verify_event(stream, name=name, pins=pins, translate=translate, receipts=held, policy=policy)[0]


def is_event(beginning: bytes) -> bool:
    """Return whether a file that begins like this is the log or the bundle of an event."""
    return beginning.startswith(BUNDLE) or EVENT.match(beginning) is not None


def path_text(path: Path) -> str:
    """Return the name of a file as text, even if its bytes are not text."""
    return str(path).encode(errors="backslashreplace").decode()
