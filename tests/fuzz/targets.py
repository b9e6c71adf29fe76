"""What is fuzzed: each reader of bytes that a stranger wrote."""

# ruff: noqa: PT017 - these are no tests: what they look at is the error that may or may not come

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

import rules.script
from tests.conftest import SPECS
from tests.support.scripts import scripts_in
from verifier import Failure, KeyFormatError, VerifierKey, verify
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.checkpoints.event_proof import parse_proof, parse_request
from verifier.checkpoints.note import format_note, parse_note
from verifier.checkpoints.policy import parse_policy
from verifier.disputes.evidence import verify_evidence
from verifier.errors import NoteError
from verifier.log.format import decode_envelope
from verifier.opening import parse_sent
from verifier.report import render
from verifier.rosters.roster import parse_roster, parse_rotation

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
    json: bool = False
    """inputs are JSON, and are changed as such too"""


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


def _note(data: bytes) -> None:
    try:
        note = parse_note(data)
    except NoteError as error:
        assert error.message()
        return
    assert format_note(note) == data, "a note that is read has one form"


def _checkpoint(data: bytes) -> None:
    try:
        checkpoint = parse_checkpoint(data)
    except NoteError as error:
        assert error.message()
        return
    assert bytes(checkpoint) == data


def _policy(data: bytes) -> None:
    try:
        parse_policy(data)
    except NoteError as error:
        assert error.message()


def _proof(data: bytes) -> None:
    try:
        proof = parse_proof(data)
    except NoteError as error:
        assert error.message()
        return
    assert bytes(proof) == data


def _request(data: bytes) -> None:
    try:
        parse_request(data)
    except NoteError as error:
        assert error.message()


def _opening(data: bytes) -> None:
    try:
        sent = parse_sent(data)
    except NoteError as error:
        assert error.message()
        return
    assert bytes(sent).removesuffix(b"\n") == data.removesuffix(b"\n")


def _roster(data: bytes) -> None:
    try:
        parse_roster(data, _ORGANIZER)
    except NoteError as error:
        assert error.message()


def _rotation(data: bytes) -> None:
    try:
        parse_rotation(data)
    except NoteError as error:
        assert error.message()


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


TARGETS: Mapping[str, Target] = {
    "line": Target(_line, ("logs/*.jsonl",), lines=True, json=True),
    "log": Target(_log, ("logs/*.jsonl",)),
    "script": Target(_script, ("scripts/*/*.json",), scripts=True, json=True),
    "scripts": Target(_script_file, ("scripts/*/void.json", "scripts/mtg/706.[38]*.json"), json=True),
    "note": Target(_note, ("notes/*",)),
    "checkpoint": Target(_checkpoint, ("notes/*",)),
    "policy": Target(_policy, ("notes/*",)),
    "proof": Target(_proof, ("notes/*",)),
    "request": Target(_request, ("notes/*",)),
    "opening": Target(_opening, ("openings/*",), json=True),
    "roster": Target(_roster, ("disputes/*.roster",)),
    "rotation": Target(_rotation, ("disputes/*.rotation",)),
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
        if not target.lines:
            yield path.name, path.read_bytes()
            continue
        for number, line in enumerate(path.read_bytes().split(b"\n")):
            yield f"{path.name}:{number}", line
    yield from _finds(FINDS / name)


def _finds(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.glob("*")):
        yield f"{folder.name}/{path.name}", path.read_bytes()
