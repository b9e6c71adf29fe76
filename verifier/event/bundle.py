"""The bundle of an event: one file with its log and its games (specs/event.md, "The bundle")."""

import hashlib
import io
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any, BinaryIO

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from rules import Body
from rules.data.bounds import Count
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_, Message, Translate
from verifier.checkpoints.note import MAX_NOTE
from verifier.checkpoints.policy import Policy
from verifier.checkpoints.receipts import Receipts
from verifier.errors import Failure, Finding, NoteError, TimeLimit
from verifier.event.changes import change_in_json
from verifier.event.names import MAX_NAMES, parse_names, wrong_name
from verifier.event.records import OpenedTable, TableOpening
from verifier.event.replay import EventReplay
from verifier.event.tables import difference, event_zero
from verifier.event.verification import judge_event
from verifier.log.bodies import Hex32
from verifier.log.format import MAX_LINE, decode_envelope
from verifier.log.merkle import MerkleTree, leaf_hash
from verifier.log.plainjson import encode
from verifier.log.terms import Pins
from verifier.replay import Replay
from verifier.report import Report, not_judged
from verifier.rosters.roster import MAX_ROSTER
from verifier.verification import verify

__all__ = [
    "BEGINNING",
    "BUNDLE_FORMAT",
    "MAX_FILES",
    "MAX_MANIFEST",
    "BundleManifest",
    "BundledFile",
    "is_bundle",
    "read_manifest",
    "read_part",
    "verify_bundle",
]

BUNDLE_FORMAT = "rollproof/bundle/v1"
BEGINNING = b'{"bundle":'
MAX_MANIFEST = 16_777_216
MAX_FILES = 100_000
STEP = 30
_GAME = re.compile(r"games/([0-9a-f]{64})\.(checkpoint|jsonl)")
_LAST = {"names.json": MAX_NAMES, "event.policy": MAX_NOTE, "event.roster": MAX_ROSTER}
_BLOCK = 65_536
_TAIL = 2 * (MAX_LINE + 1)
"""the highest number of bytes of two lines"""


class BundledFile(Body, frozen=True):
    """A file of a bundle: its name, the SHA-256 of its bytes, and their number."""

    name: Annotated[str, Meta(max_length=100)]
    sha256: Hex32
    size: Count


class BundleManifest(Body, frozen=True):
    """The first line of a bundle."""

    bundle: str
    files: Annotated[tuple[BundledFile, ...], Meta(min_length=1, max_length=MAX_FILES)]


def is_bundle(beginning: bytes) -> bool:
    """Return whether a file that begins like this is a bundle. The lines of a log begin with their author."""
    return beginning.startswith(BEGINNING)


def read_manifest(stream: BinaryIO) -> BundleManifest:
    """Parse the manifest at the beginning of a bundle. Raises NoteError."""
    line = stream.readline(MAX_MANIFEST + 1)
    try:
        found = msgspec.json.decode(line, type=BundleManifest)
    except UNREADABLE:
        raise NoteError(N_("its first line is no manifest")) from None
    if encode(found) + b"\n" != line:
        raise NoteError(N_("its first line is no manifest"))
    if found.bundle != BUNDLE_FORMAT:
        raise NoteError(N_("it has another format, {format!r}"), format=found.bundle[:40])
    problem = _order_problem(found.files)
    if problem is not None:
        raise NoteError(N_("{name} does not stand where it may, or is too long"), name=problem[:100])
    return found


def read_part(stream: BinaryIO, name: str) -> bytes | None:
    """Return a file of a bundle, which is not verified; None if it has none of this name.

    Raises NoteError, also if the bundle ends before the file does.
    """
    at = 0
    manifest = read_manifest(stream)
    for each in manifest.files:
        if each.name == name:
            start = stream.seek(at, io.SEEK_CUR)
            if stream.seek(0, io.SEEK_END) - start < each.size:
                raise NoteError(N_("it ends before its first line says: it is incomplete or damaged. Get it again"))
            stream.seek(start)
            return stream.read(each.size)
        at += each.size
    return None


def _order_problem(files: tuple[BundledFile, ...]) -> str | None:
    """Return the name of the first file that is in the wrong place; None if all are right."""
    names = [each.name for each in files]
    if "event.jsonl" not in names[:2]:
        return names[0]
    stage, seen = 0, set[str]()
    for at, each in enumerate(files):
        name, game = each.name, _GAME.fullmatch(each.name)
        following = names[at + 1] if at + 1 < len(names) else ""
        if name == "event.checkpoint":
            right = at == 0 and each.size <= MAX_NOTE
        elif name == "event.jsonl":
            right = at == 0 or names[0] == "event.checkpoint"
        elif game is not None:
            right = stage == 0
            if game[2] == "checkpoint":
                right &= following == f"games/{game[1]}.jsonl" and each.size <= MAX_NOTE
        else:
            right, stage = name in _LAST and each.size <= _LAST[name], 1
        if not right or name in seen:
            return name
        seen.add(name)
    return None


class _BundlePart(io.RawIOBase):
    """The next `size` bytes of a stream. It records their hash, their first line, and one root of their lines."""

    def __init__(self, stream: BinaryIO, entry: BundledFile, root_at: int = 0) -> None:
        super().__init__()
        self._stream, self._entry, self._left = stream, entry, entry.size
        self._hash = hashlib.sha256()
        self._line = bytearray()
        self._root_at = root_at
        self._tree = MerkleTree()
        self._tail = b""
        self.first = b""
        """the first line, without its line feed"""
        self.root: bytes | None = None
        """the root of the first `root_at` lines, once they have been read"""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        data = self._stream.read(min(len(view), self._left))
        view[: len(data)] = data
        self._left -= len(data)
        self._hash.update(data)
        self._tail = (self._tail + bytes(data))[-_TAIL:]
        self._note(data)
        return len(data)

    def _note(self, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        for line in lines:
            whole = bytes(self._line) + line
            self._line.clear()
            if not self._tree.size:
                self.first = whole[: MAX_LINE + 1]
            self._tree.append(leaf_hash(whole))
            if self._tree.size == self._root_at:
                self.root = self._tree.root()
        if len(self._line) <= MAX_LINE:  # a longer line is invalid in any case
            self._line += rest

    def played_until(self) -> str:
        """Return the time of the last line that is no `close`; empty if there is none."""
        for line in reversed(self._tail.split(b"\n")[-3:-1]):
            with suppress(Failure):
                event = decode_envelope(line)
                if event.type != "close":
                    return event.time
        return ""

    def ends_well(self) -> bool:
        """Read the rest. Return whether size and hash are those of the manifest."""
        buffer = bytearray(_BLOCK)
        while self.readinto(buffer):
            pass
        return not self._left and self._hash.hexdigest() == self._entry.sha256


class _BundledGame(Struct, frozen=True):
    """The result of verifying a game of a bundle."""

    opening: TableOpening
    opened: OpenedTable
    report: Report
    replay: Replay | None


def verify_bundle(
    stream: BinaryIO,
    *,
    name: str = "bundle",
    pins: Pins | None = None,
    jobs: int = 1,
    translate: Translate = str,
    receipts: Mapping[str, bytes] | None = None,
    policy: Policy | None = None,
) -> Report:
    """Verify an event with its games, and return the report.

    Receipts and policy are for the event log; a roster in `pins` is for the games. The stream is read once. Nothing in
    it makes this function raise; an OSError of the stream is passed on.
    """
    try:
        manifest = read_manifest(stream)
    except NoteError as problem:
        text = translate(N_("This is no bundle of an event: {problem}.")).format(problem=problem.message(translate))
        return replace(not_judged(name, "unreadable", "bundle.malformed", text, translate), kind="bundle")
    run = _BundleRun(stream, manifest, name, pins or Pins(), jobs, translate)
    try:
        return run.run(dict(receipts or {}), policy)
    except MemoryError:
        message = translate(N_("There was not enough memory to verify this log to its end."))
        return replace(not_judged(name, "unfinished", "limit.memory", message, translate), kind="bundle")
    except TimeLimit as limit:
        message = limit.message(translate)
        return replace(not_judged(name, "unfinished", "limit.time", message, translate), kind="bundle")


class _BundleRun:
    """One verification of a bundle."""

    def __init__(
        self, stream: BinaryIO, manifest: BundleManifest, name: str, pins: Pins, jobs: int, translate: Translate
    ) -> None:
        self.stream, self.files, self.name, self.pins = stream, manifest.files, name, pins
        self.jobs, self.translate = jobs, translate
        self.errors: list[Finding] = []
        self.games: dict[str, _BundledGame] = {}
        self.counts: dict[str, tuple[int, int]] = {}
        self.names_checked = False

    def run(self, receipts: dict[str, bytes], policy: Policy | None) -> Report:
        """Verify the event log, then the games, then the files behind them."""
        rest = iter(self.files)
        entry = next(rest)
        if entry.name == "event.checkpoint":
            part = _BundlePart(self.stream, entry)
            name = f"{self.name}/{entry.name}" if entry.name in receipts else entry.name
            receipts[name] = part.readall()
            if not part.ends_well():
                return self._without_event(entry.name)
            entry = next(rest)
        part = _BundlePart(self.stream, entry)
        pins = Pins(self.pins.game, self.pins.keys)
        replay = EventReplay()
        buffered = io.BufferedReader(part, _BLOCK)
        judged = Receipts(receipts, policy)
        report, found = judge_event(buffered, replay, self.name, pins, self.translate, judged)
        if not part.ends_well():
            self._error("bundle.file", None, "file", Message(_FILE, name=entry.name))
            return self._report(report)
        if found is None or report.valid_prefix != report.events:
            return self._report(report)
        whole = self._games(found, rest)
        if whole:
            self._missing(found)
        return self._report(report, found if whole else None)

    def _without_event(self, name: str) -> Report:
        text = self.translate(_FILE).format(name=name)
        finding = Finding("bundle.file", "error", STEP, None, "file", None, text)
        return Report(self.name, "fails", None, 0, 0, None, (finding,), "", (), (), None, "bundle")

    def _error(
        self, code: str, seq: int | None, fault: str | None, message: Message, expected: str = "", actual: str = ""
    ) -> None:
        text = message.message(self.translate)
        self.errors.append(Finding(code, "error", STEP, seq, fault, None, text, expected or None, actual or None))

    def _notice(self, code: str, seq: int, more: int = 1) -> None:
        count, first = self.counts.get(code, (0, seq))
        self.counts[code] = count + more, min(first, seq)

    def _games(self, event: EventReplay, rest: Iterable[BundledFile]) -> bool:
        """Verify the files behind the event log. Return whether all of them are complete."""
        beside: dict[str, bytes] = {}
        for entry in rest:
            game = _GAME.fullmatch(entry.name)
            found = None if game is None else event.state.games.get(game[1])
            part = _BundlePart(self.stream, entry, 0 if found is None else found[1].size)
            if game is None or game[2] == "checkpoint":
                beside = {entry.name: part.readall()}
            else:
                if found is not None:
                    self._game(game[1], found, part, entry, beside)
                beside = {}
            if not part.ends_well():
                self._error("bundle.file", None, "file", Message(_FILE, name=entry.name))
                return False
            if game is not None and game[2] == "jsonl":
                if found is None:
                    text = N_("{name} is the log of a game that this event did not open.")
                    self._error("bundle.stranger", None, "file", Message(text, name=entry.name))
                else:
                    self._compare(event, game[1], part)
            if entry.name == "names.json":
                self._names(event, beside[entry.name])
        if self.stream.read(1):
            self._error("bundle.file", None, "file", Message("Bytes follow the last file of the bundle."))
            return False
        return True

    def _game(
        self,
        id_: str,
        found: tuple[TableOpening, OpenedTable],
        part: _BundlePart,
        entry: BundledFile,
        beside: Mapping[str, bytes],
    ) -> None:
        pins = Pins(bytes.fromhex(id_), (), self.pins.roster)
        report, replay = verify(
            io.BufferedReader(part, _BLOCK),
            name=entry.name,
            pins=pins,
            jobs=self.jobs,
            translate=self.translate,
            receipts=beside,
        )
        self.games[id_] = _BundledGame(*found, report, replay)

    def _compare(self, event: EventReplay, id_: str, part: _BundlePart) -> None:
        """Compare a game that has been read with the event log."""
        game, keeper = self.games[id_], event.terms.keeper
        opening, opened, report = game.opening, game.opened, game.report
        where = {"table": opened.table, "round": opening.round}
        error = report.error
        if error is not None:
            template = N_("The log of table {table} in round {round} does not hold ({code}): {problem}")
            message = Message(template, **where, code=error.code, problem=error.message)
            self._error("table.fails", opening.seq, error.fault, message)
        differs = difference(part.first, event_zero(event.terms, opening, opened))
        if differs is not None:
            template = N_("Event 0 of table {table} in round {round} is not what the event says: {member} differs.")
            message = Message(template, **where, member=differs.member)
            self._error("table.terms", opening.seq, keeper, message, differs.expected, differs.actual)
        self._compare_acts(event, game)
        if not opened.size:
            self._notice("table.unsealed", opening.seq)
        elif part.root is None:
            template = N_("The log of table {table} in round {round} is cut: {size} events were sealed.")
            self._error("table.short", opening.seq, "file", Message(template, **where, size=opened.size))
        elif part.root.hex() != opened.root:
            template = N_("The log of table {table} in round {round} has other events than {keeper} sealed.")
            message = Message(template, **where, keeper=keeper)
            self._error("table.forked", opening.seq, keeper, message, opened.root, part.root.hex())
        replay = game.replay
        if replay is not None and replay.size:
            ended = event.state.rounds[opening.round - 1].ended
            if replay.conduct.changed:
                self._notice("table.changed", opening.seq, replay.conduct.changed)
            if not replay.closed:
                self._notice("table.open", opening.seq)
            if ended and part.played_until() > ended:
                self._notice("table.outside", opening.seq)

    def _compare_acts(self, event: EventReplay, game: _BundledGame) -> None:
        """Look for each organizer's act that a game contains behind the line that opened its table."""
        opening, opened = game.opening, game.opened
        if game.replay is None:
            return
        later = {encode(body): line for line, body in event.state.words.items() if line > opening.seq}
        for seq, word in game.replay.conduct.event_words.items():
            if (act := encode(word)) in later:
                if "" < event.state.ended.get(later[act], "") < game.replay.conduct.word_times[seq]:
                    self._notice("table.ended", opening.seq)
            else:
                template = N_(
                    "Event {event} of table {table} in round {round} has an act of {by} that the event's log does not "
                    "have, or not since the table was opened."
                )
                values = {"table": opened.table, "round": opening.round, "event": seq, "by": word.by}
                message = Message(template, **values)
                self._error("table.act", opening.seq, event.terms.keeper, message, actual=act.decode()[:400])

    def _missing(self, event: EventReplay) -> None:
        for id_, (opening, opened) in event.state.games.items():
            if id_ not in self.games:
                template = N_("The game of table {table} in round {round} is not in the bundle.")
                message = Message(template, table=opened.table, round=opening.round)
                self._error("table.missing", opening.seq, "file", message)
        for opening in event.state.openings.values():
            ended = event.state.rounds[opening.round - 1].state == "ended"
            for opened in opening.tables.values():
                if ended and opened.game is None and not opened.cancelled:
                    template = N_("{keeper} named no game for table {table} in round {round}, which has ended.")
                    keeper = event.terms.keeper
                    message = Message(template, table=opened.table, round=opening.round, keeper=keeper)
                    self._error("table.unopened", opening.seq, keeper, message)

    def _names(self, event: EventReplay, data: bytes) -> None:
        try:
            names = parse_names(data)
        except NoteError as problem:
            text = N_("The names file cannot be used: {problem}.")
            self._error("bundle.names", None, "file", Message(text, problem=problem))
            return
        if names.event != event.terms.game.hex():
            self._error("bundle.names", None, "file", Message("The names file is that of another event."))
            return
        wrong = wrong_name(names, {number: player.name for number, player in event.state.players.items()})
        if wrong is not None:
            text = N_("Player {number} was not registered with the name that the names file has.")
            self._error("bundle.names", None, "file", Message(text, number=wrong))
        else:
            self.names_checked = True

    def _report(self, report: Report, whole: EventReplay | None = None) -> Report:
        _ = self.translate
        notices = [finding for finding in report.findings if finding.severity == "notice"]
        errors = [finding for finding in report.findings if finding.severity == "error"]
        for code, template in _NOTICES.items():
            if code in self.counts:
                count, seq = self.counts[code]
                notices.append(Finding(code, "notice", STEP, seq, None, None, _(template).format(count=count)))
        verdict = "fails" if self.errors and report.verdict != "unreadable" else report.verdict
        checked, not_checked = list(report.checked), list(report.not_checked)
        if whole is not None:
            not_checked = not_checked[:-1]  # the dice of the tables
            text = _(N_("Games of tables, each by itself and with the event: {count}."))
            checked.append(text.format(count=len(self.games)))
        if self.names_checked:
            checked.append(_(N_("The names file: its names are those that were registered.")))
        state = report.state
        if state is not None:
            state = {**state, "games": [_game_state(id_, game) for id_, game in self.games.items()]}
        return replace(
            report,
            verdict=verdict,
            findings=(*errors, *self.errors, *notices),
            checked=tuple(checked),
            not_checked=tuple(not_checked),
            state=state,
            kind="bundle",
        )


_FILE = N_("{name} is not as the first line of the bundle says: the file is incomplete or damaged. Get it again.")
_NOTICES = {
    "table.changed": N_("Rolls and parties that judges and others changed at tables: {count}."),
    "table.ended": N_("Judges and keys that tables took in after the event had ended them: {count}."),
    "table.open": N_("Games of tables that were not closed: {count}."),
    "table.unsealed": N_("Games of tables whose length was never sealed: {count}."),
    "table.outside": N_("Games of tables that went on after their round had ended: {count}."),
}


def _game_state(id_: str, game: _BundledGame) -> dict[str, Any]:
    found = {
        "round": game.opening.round,
        "table": game.opened.table,
        "game": id_,
        "verdict": game.report.verdict,
        "events": game.report.events,
        "cancelled": game.opened.cancelled,
    }
    changes = () if game.replay is None else game.replay.conduct.changes
    return found | ({"changes": list(map(change_in_json, changes))} if changes else {})
