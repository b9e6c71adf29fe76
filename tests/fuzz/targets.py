"""What is fuzzed: each reader of bytes that a stranger wrote."""

# ruff: noqa: PT017 - these are no tests: what they look at is the error that may or may not come

import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

import rules.script
from ledger.errors import LedgerError
from ledger.seats.profile import parse_profile
from tests.conftest import SPECS
from tests.support.scripts import scripts_in
from verifier import Failure, KeyFormatError, VerifierKey, verify
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.checkpoints.event_proof import parse_proof, parse_request
from verifier.checkpoints.note import format_note, parse_note
from verifier.checkpoints.policy import parse_policy
from verifier.checkpoints.roll_proof import checkpoint_of_roll, verify_roll_proof
from verifier.disputes.evidence import verify_evidence
from verifier.errors import NoteError
from verifier.event.bundle import verify_bundle
from verifier.event.names import parse_names
from verifier.event.verification import verify_event
from verifier.log.format import decode_envelope
from verifier.log.plainjson import encode
from verifier.log.succession import check_succession, parse_succession
from verifier.opening import parse_received, parse_sent
from verifier.report import render
from verifier.rosters.roster import parse_roster, parse_rotation
from verifier.shown_roll import parse_shown

__all__ = ["FINDS", "TARGETS", "Target", "seeds"]

VECTORS = SPECS / "vectors"
FINDS = VECTORS / "fuzz"
_ORGANIZER = VerifierKey.parse(json.loads((VECTORS / "disputes.json").read_text())["organizer"])


class Target(Struct, frozen=True):
    """One reader, and where inputs to begin with are."""

    read: Callable[[bytes], object]
    """raises only for a bug"""
    seeds: tuple[str, ...]
    """patterns of files below specs/vectors"""
    lines: bool = False
    """each line of those files is an input"""
    scripts: bool = False
    """each rules script of those files is an input"""
    members: Callable[[Any], Iterator[str]] | None = None
    """takes inputs out of those files, which are JSON"""
    json: bool = False
    """inputs are JSON, and are changed as such too"""
    long: bool = False
    """an input takes long to read"""


def _line(data: bytes) -> None:
    try:
        decode_envelope(data)
    except Failure as failure:
        assert failure.code in {"line.malformed", "line.not-canonical"}, failure.code
        assert failure.message()


def _log(data: bytes) -> None:
    report, replay = verify(data, name="fuzz")
    assert (report.verdict == "holds") == (report.error is None)
    assert report.valid_prefix <= report.events
    assert replay is None or replay.size == report.valid_prefix
    assert render(report)


def _script(data: bytes) -> None:
    try:
        script = rules.script.read(data)
    except rules.script.ScriptError as error:
        assert error.message()
        return
    _played(script)


def _script_file(data: bytes) -> None:
    try:
        scripts = rules.script.read_file(data)
    except rules.script.ScriptError as error:
        assert error.message()
        return
    for script in scripts.values():
        _played(script)


def _played(script: rules.script.Script) -> None:
    try:
        outcome = rules.script.run(script)
    except rules.script.ScriptError as error:
        assert error.message()
        return
    assert outcome.session.view()
    assert outcome.violation is None or outcome.violation.message()
    assert all(difference.message() for difference in rules.script.differences(script, outcome))


def _parsing(parse: Callable[[bytes], Any], written: Callable[[Any], bytes] | None = None) -> Callable[[bytes], None]:
    """Read with a parser, whose refusals have words. What it reads is written as it was, but for its last line feed."""

    def read(data: bytes) -> None:
        try:
            found = parse(data)
        except (Failure, NoteError) as error:
            assert error.message()
            return
        except LedgerError as error:
            assert str(error)
            return
        if written is not None:
            assert written(found).removesuffix(b"\n") == data.removesuffix(b"\n"), "what is read has one form"

    return read


def _roll(data: bytes) -> None:
    report = verify_roll_proof(data)
    assert report.verdict != "holds" or checkpoint_of_roll(data) != data
    assert render(report)


def _event(data: bytes) -> None:
    report, replay = verify_event(data)
    assert replay is None or replay.size == report.valid_prefix
    assert render(report)


def _bundle(data: bytes) -> None:
    assert render(verify_bundle(io.BytesIO(data)))


def _evidence(data: bytes) -> None:
    report = verify_evidence(data)
    assert render(report)


def _key(data: bytes) -> None:
    try:
        key = VerifierKey.parse(data.decode("utf-8", "surrogateescape"))
    except KeyFormatError as error:
        assert error.message()
        return
    assert str(key).encode() == data


def _shows(vectors: Any) -> Iterator[str]:
    """A show of a secret roll for each request of an opening, since no vector has one."""
    for case in vectors["openings"]:
        request = json.loads(case["sent"]).get("request") if case["flaw"] is None else None
        if request:
            members = {"game": "ab" * 32, "request": request, "salt": "01" * 16, "secret": "ef" * 32, "text": "Stealth"}
            yield encode({"format": "rollproof/show/v1", **members}).decode()


def _texts(file: Any, part: str, member: str) -> Iterator[str]:
    """A text of each case in a part of a file."""
    return (case[member] for case in file[part])


def _names_in(file: Any) -> Iterator[str]:
    """The files of names in bundles."""
    return (line for line in file["lines"] if '"names":[' in line[:90])


def _bundles(file: Any) -> Iterator[str]:
    for case in file["cases"]:
        yield "".join(file["lines"][each] for each in case["lines"])


def _events(file: Any) -> Iterator[str]:
    for case in file["cases"]:
        yield "\n".join([*file["event"][: case.get("keep", len(file["event"]))], *case.get("lines", ()), ""])


TARGETS: Mapping[str, Target] = {
    "line": Target(_line, ("logs/*.jsonl",), lines=True, json=True),
    "log": Target(_log, ("logs/*.jsonl",), long=True),
    "script": Target(_script, ("scripts/*/*.json",), scripts=True, json=True),
    "scripts": Target(_script_file, ("scripts/*/void.json", "scripts/mtg/706.[38]*.json"), json=True),
    "note": Target(_parsing(parse_note, format_note), ("notes/*",)),
    "checkpoint": Target(_parsing(parse_checkpoint, bytes), ("notes/*",)),
    "policy": Target(_parsing(parse_policy), ("notes/*",)),
    "proof": Target(_parsing(parse_proof, bytes), ("notes/*",)),
    "request": Target(_parsing(parse_request), ("notes/*",)),
    "opening": Target(_parsing(parse_sent, bytes), ("openings/*",), json=True),
    "received": Target(
        _parsing(parse_received, bytes),
        ("openings.json",),
        members=lambda file: _texts(file, "receipts", "sent"),
        json=True,
    ),
    "show": Target(_parsing(parse_shown, bytes), ("openings.json",), members=_shows, json=True),
    "roll": Target(_roll, ("rolls.json",), members=lambda file: _texts(file, "cases", "file"), json=True),
    "event": Target(_event, ("event.json",), members=_events, long=True),
    "bundle": Target(_bundle, ("bundles.json",), members=_bundles, long=True),
    "names": Target(_parsing(parse_names), ("bundles.json",), members=_names_in, json=True),
    "profile": Target(
        _parsing(parse_profile), ("profiles.json",), members=lambda file: _texts(file, "files", "file"), json=True
    ),
    "succession": Target(
        _parsing(lambda data: check_succession(parse_succession(data))),
        ("profiles.json",),
        members=lambda file: _texts(file, "successions", "line"),
        json=True,
    ),
    "roster": Target(_parsing(lambda data: parse_roster(data, _ORGANIZER)), ("disputes/*.roster",)),
    "rotation": Target(_parsing(parse_rotation), ("disputes/*.rotation",)),
    "evidence": Target(_evidence, ("disputes/*.evidence",), json=True),
    "key": Target(_key, ("notes/*",), lines=True),
}


def seeds(name: str) -> Iterator[tuple[str, bytes]]:
    """Inputs to begin with, each with a name: vectors, and what was found before."""
    target = TARGETS[name]
    files = [path for pattern in target.seeds for path in sorted(VECTORS.glob(pattern)) if path.is_file()]
    for path in files:
        if target.scripts:
            yield from ((str(vector), vector.data) for vector in scripts_in(path))
            continue
        if target.members is not None:
            made = target.members(json.loads(path.read_bytes()))
            yield from ((f"{path.name}:{number}", text.encode()) for number, text in enumerate(made))
            continue
        if not target.lines:
            yield path.name, path.read_bytes()
            continue
        for number, line in enumerate(path.read_bytes().split(b"\n")):
            yield f"{path.name}:{number}", line
    yield from _finds(FINDS / name)


def _finds(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.glob("*")):
        yield f"{folder.name}/{path.name}", path.read_bytes()
