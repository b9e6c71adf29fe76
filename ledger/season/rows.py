"""The rows of one log, made in a process that verifies it (specs/luck.md, "A season as data")."""

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct, structs

from ledger.analysis.roll_history import JudgeRuling, Throw, throws
from ledger.network.remote_logs import Address
from rules.data.text import plain
from verifier import Failure, Pins, Replay, Report
from verifier.errors import NoteError
from verifier.log.format import MAX_LINE
from verifier.report import VERDICT_EXIT_CODES, not_judged
from verifier.shell.files import (
    Brought,
    Place,
    is_address,
    leads_out,
    path_text,
    unopened_report,
    verify_elsewhere,
    verify_file,
)
from verifier.verification import read_lines

__all__ = ["PartyRow", "RulingRow", "SeasonRows", "ThrowRow", "decode", "make_reader", "not_finished"]


class PartyRow(Struct, frozen=True):
    """A party of a game."""

    name: str
    role: str
    key: str
    """the public key, hex"""
    called: str | None = None


class ThrowRow(Struct, frozen=True):
    """A request that has ended, as in `Throw`; parties by name."""

    request: int
    type: str
    body: str
    player: str
    asked: str
    """time of the request"""
    ended: str
    how: str
    by: str | None
    known: bool
    hidden_by: tuple[str, ...]
    sides: tuple[int, ...]
    naturals: tuple[int, ...]
    without: tuple[str, ...] = ()
    """parties that did not contribute and have not accepted the roll; its dice are then not counted and left out"""
    taken_back: bool = False
    """whether all who played took it back"""


class RulingRow(Struct, frozen=True):
    """A judge's ruling."""

    event: int
    time: str
    judge: str
    ruling: str
    subject: int
    text: str


class SeasonRows(Struct, frozen=True):
    """The rows of one log; a log that does not hold has only the first members."""

    file: str
    verdict: str
    events: int
    valid_prefix: int
    error: str | None
    """the finding's code"""
    exit_code: int
    message: str = ""
    """the reason why it could not be opened"""
    game: str | None = None
    opened: str | None = None
    """time of event 0, if that event holds"""
    root: str | None = None
    system: str | None = None
    title: str | None = None
    keeper: str | None = None
    """its name"""
    parties: tuple[PartyRow, ...] = ()
    throws: tuple[ThrowRow, ...] = ()
    rulings: tuple[RulingRow, ...] = ()


class _Dated(Struct):
    time: str


def decode(data: bytes) -> SeasonRows:
    """Decode the result of `make_reader`'s function."""
    return msgspec.msgpack.decode(data, type=SeasonRows)


def not_finished(log: Place) -> SeasonRows:
    """Return the rows of a log whose process died."""
    return _told(not_judged(log if isinstance(log, str) else path_text(log), "unfinished", "process.died", "", str))


def make_reader(named: tuple[Place, ...]) -> Callable[[bytes], bytes]:
    """Return the function of a process: from a log's file or address to its rows, in MessagePack.

    `named` are the places that the user named.
    """
    paths = tuple(Path(place) for place in named if not is_address(str(place)))

    def read(name: bytes) -> bytes:
        return msgspec.msgpack.encode(_read(os.fsdecode(name), paths))

    return read


def _read(name: str, named: tuple[Path, ...]) -> SeasonRows:
    try:
        return _of_address(Address(name)) if is_address(name) else _of_file(Path(name), named)
    except MemoryError:
        return _told(not_judged(path_text(Path(name)), "unfinished", "limit.memory", "", str))


def _of_address(log: Address) -> SeasonRows:
    report, replay = verify_elsewhere(log, Pins(), 1, str, Brought(one_log=False))
    return _rows(log.open, report, replay)


def _of_file(path: Path, named: tuple[Path, ...]) -> SeasonRows:
    if leads_out(path, named):
        text = f"{path_text(path)}: this link leads out of the folder, and is not followed. To export it, name it"
        return _told(unopened_report(path, text))
    report, replay = verify_file(path, Pins(), 1, str, Brought(one_log=False), alone=False)
    return _rows(lambda: path.open("rb"), report, replay)


def _rows(open_log: Callable[[], BinaryIO], report: Report, replay: Replay | None) -> SeasonRows:
    if report.verdict != "holds" or report.kind != "log" or replay is None:
        return _told(report, _opened(open_log, report))
    return _held(open_log, report, replay.terms.former)


def _told(report: Report, opened: str | None = None) -> SeasonRows:
    error = report.error
    verdict = report.verdict if report.kind == "log" else "unreadable"
    unopened_ = error.message if error is not None and error.code == "file.unopened" else ""
    return SeasonRows(
        report.file,
        verdict,
        report.events,
        report.valid_prefix,
        error.code if error is not None else None if report.kind == "log" else "file.not-a-log",
        VERDICT_EXIT_CODES[verdict],
        unopened_,
        report.game,
        opened,
    )


def _opened(open_log: Callable[[], BinaryIO], report: Report) -> str | None:
    """Return the time of event 0, which holds; None also if it cannot be read again."""
    if not report.valid_prefix:
        return None
    try:
        with open_log() as stream:
            return msgspec.json.decode(stream.readline(MAX_LINE), type=_Dated).time
    except (msgspec.DecodeError, OSError, NoteError):
        return None


def _held(open_log: Callable[[], BinaryIO], report: Report, replaced: Collection[str]) -> SeasonRows:
    """Read the log again, and return its rows if it is still the log that was verified."""
    assert report.head is not None
    replay, times, rolls, rulings = Replay(), list[str](), list[ThrowRow](), list[RulingRow]()
    try:
        with open_log() as stream:
            for one in throws(replay, _timed(stream, times)):
                if isinstance(one, JudgeRuling):
                    ruling, at = one.ruling, times[one.seq]
                    rulings.append(RulingRow(one.seq, at, one.judge, ruling.ruling, ruling.subject, ruling.text))
                else:
                    rolls.append(_row(one, times, replaced))
        changed = (replay.size, replay.tree.root().hex()) != (report.head.size, report.head.root)
    except (Failure, msgspec.DecodeError, OSError, NoteError):
        changed = True
    if changed:
        return _told(not_judged(report.file, "unfinished", "process.broke", "it was changed meanwhile", str))
    taken_back = {roll.request for roll in replay.conduct.taken_back.values()}
    rolls = [structs.replace(roll, taken_back=True) if roll.request in taken_back else roll for roll in rolls]
    terms = replay.terms
    parties = tuple(
        PartyRow(name, role, terms.keys_of(name)[0].public_bytes.hex(), terms.called.get(name))
        for name, role in terms.roles.items()
    )
    return SeasonRows(
        report.file,
        report.verdict,
        report.events,
        report.valid_prefix,
        None,
        0,
        "",
        report.game,
        times[0],
        report.head.root,
        terms.system,
        plain(terms.title),
        terms.keeper,
        parties,
        tuple(rolls),
        tuple(rulings),
    )


def _timed(stream: BinaryIO, times: list[str]) -> Iterator[bytes]:
    for line in read_lines(stream):
        times.append(msgspec.json.decode(line, type=_Dated).time)
        yield line.removesuffix(b"\n")


def _row(throw: Throw, times: list[str], replaced: Collection[str]) -> ThrowRow:
    uncounted = throw.without or {throw.roller, throw.by} & {*replaced}
    return ThrowRow(
        throw.seq,
        throw.type,
        throw.body.decode(),
        throw.roller,
        times[throw.seq],
        times[throw.ended],
        throw.how,
        throw.by or None,
        throw.known,
        throw.hidden_by,
        *(((), ()) if uncounted else (throw.sides, throw.naturals)),
        without=throw.without,
    )
