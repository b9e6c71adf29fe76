"""Successions: statements that a new key continues an old one (specs/profile.md)."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from rules.data.jsontext import UNREADABLE
from rules.data.language import N_, Message
from rules.data.schema import schema_problem
from verifier.errors import KeyFormatError, NoteError
from verifier.log.bodies import Succession
from verifier.log.identity import VerifierKey, holds, is_small_order
from verifier.log.plainjson import encode

__all__ = [
    "MAX_SUCCESSION",
    "MAX_SUCCESSIONS_FILE",
    "NOBODY",
    "Followed",
    "SuccessionError",
    "check_succession",
    "follow",
    "naming_message",
    "parse_succession",
    "parse_successions",
    "recovery_problem",
    "succession_message",
]

MAX_SUCCESSION = 2_000
"""bytes of a succession, without its line feed"""
MAX_SUCCESSIONS_FILE = 16_000_000
"""bytes of a file of successions"""

RECOVERY_LABEL = b"rollproof/v1/recovery\n"
SUCCESSION_LABEL = b"rollproof/v1/succession\n"


class SuccessionError(NoteError):
    """Raised for a succession that is not valid. `code` is that of specs/profile.md."""

    def __init__(self, code: str, template: str, /, **values: object) -> None:
        super().__init__(template, **values)
        self.code = code


class Followed(Struct, frozen=True):
    """The result of following a set of successions; public keys are in hex."""

    newest: Mapping[str, str]
    """key → its newest successor, for keys that have one"""
    split: tuple[str, ...]
    """keys with two different successions, of which none is followed"""
    joined: tuple[str, ...]
    """keys that two other keys name as their successor; neither succession is followed"""

    def of(self, key: str) -> str:
        """Return the key under which a key counts."""
        return self.newest.get(key, key)


NOBODY = Followed({}, (), ())
"""the result of following no successions"""


def naming_message(key: str, recovery: str) -> bytes:
    """Return the message by which a profile's key names its recovery key.

    `key` is its verifier key; `recovery` is in hex.
    """
    return RECOVERY_LABEL + encode({"format": "rollproof/recovery/v1", "key": key, "recovery": recovery})


def succession_message(key: str, new: str, recovery: str, time: str) -> bytes:
    """Return the message that the recovery key and the new key sign."""
    members = {"format": "rollproof/succession/v1", "key": key, "new": new, "recovery": recovery, "time": time}
    return SUCCESSION_LABEL + encode(members)


def parse_succession(data: bytes) -> Succession:
    """Parse and verify one line, with or without its line feed. Raises SuccessionError."""
    line = data.removesuffix(b"\n")
    try:
        if len(line) > MAX_SUCCESSION:
            raise NoteError("it is longer than {most} bytes", most=MAX_SUCCESSION)
        found = _decoded(line)
    except NoteError as problem:
        raise _malformed(problem) from None
    check_succession(found)
    return found


def check_succession(found: Succession) -> None:
    """Verify a succession that has its form. Raises SuccessionError."""
    try:
        old, new = VerifierKey.parse(found.key), VerifierKey.parse(found.new)
        if old.name != new.name or old.public_bytes == new.public_bytes:
            raise NoteError("the old and the new key are not two keys of one name")
        recovery = bytes.fromhex(found.recovery)
        problem = recovery_problem(recovery, old, new)
        if problem is not None:
            raise NoteError(problem)
    except (NoteError, KeyFormatError) as problem:
        raise _malformed(problem) from None
    if not old.verify(bytes.fromhex(found.named), naming_message(found.key, found.recovery)):
        text = N_("{name}'s old key has not named this recovery key")
        raise SuccessionError("succession.named", text, name=old.name)
    message = succession_message(found.key, found.new, found.recovery, found.time)
    if not holds(recovery, bytes.fromhex(found.sig), message):
        text = N_("the signature of {name}'s recovery key does not hold")
        raise SuccessionError("succession.recovery", text, name=old.name)
    if not new.verify(bytes.fromhex(found.new_sig), message):
        text = N_("the signature of {name}'s new key does not hold")
        raise SuccessionError("succession.new", text, name=old.name)


def _malformed(problem: Message) -> SuccessionError:
    return SuccessionError("succession.malformed", N_("this is no succession: {problem}"), problem=problem)


def parse_successions(data: bytes) -> tuple[Succession, ...]:
    """Parse a file of successions, one a line. Raises SuccessionError."""
    if len(data) > MAX_SUCCESSIONS_FILE:
        raise SuccessionError("succession.malformed", N_("it is longer than {most} bytes"), most=MAX_SUCCESSIONS_FILE)
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    return tuple(map(parse_succession, lines))


def recovery_problem(recovery: bytes, *keys: VerifierKey) -> str | None:
    """Return why 32 bytes cannot be the recovery key of these keys; None if they can."""
    if is_small_order(recovery):
        return N_("the recovery key is of small order: anybody can sign with it")
    if any(recovery == key.public_bytes for key in keys):
        return N_("the recovery key is the key itself")
    return None


def follow(successions: Iterable[Succession]) -> Followed:
    """Follow each key to its newest successor. The successions can be in any order, and must have been verified."""
    found: dict[str, set[tuple[str, str]]] = {}
    for one in successions:
        found.setdefault(_public(one.key), set()).add((_public(one.new), one.recovery))
    split = {key for key, ways in found.items() if len(ways) > 1}
    single = {key: next(iter(ways))[0] for key, ways in found.items() if key not in split}
    olders: dict[str, set[str]] = {}
    for key, ways in found.items():
        for new, _ in ways:
            olders.setdefault(new, set()).add(key)
    joined = {new for new, keys in olders.items() if len(keys) > 1}
    step = {key: new for key, new in single.items() if new not in joined}
    newest: dict[str, str] = {}
    for oldest in step.keys() - step.values():  # in a round nobody is the oldest, and nobody leads into it
        way, at = [oldest], step[oldest]
        while at in step:
            way.append(at)
            at = step[at]
        newest |= dict.fromkeys(way, at)
    return Followed(newest, tuple(sorted(split)), tuple(sorted(joined)))


def _decoded(line: bytes) -> Succession:
    """Parse a line. Raises NoteError."""
    try:
        found = msgspec.json.decode(line, type=Succession)
    except UNREADABLE as error:
        raise NoteError("{problem}", problem=schema_problem(error, line, Succession)) from None
    if encode(found) != line:
        raise NoteError("it is not in canonical form")
    return found


def _public(key: str) -> str:
    return VerifierKey.parse(key).public_bytes.hex()
