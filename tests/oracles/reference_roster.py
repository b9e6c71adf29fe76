"""specs/roster.md and step 28 of specs/verification.md restated: whose keys a log's are, by a roster.

Written from the pages alone, and slow; it shares no code with the packages that it judges.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from tests.oracles import reference as ref

MAX_ROSTER = 8_388_608
MAX_SIGNATURES = 64

# checkpoints.md, "Signed notes": the code points with the property White_Space.
SPACES = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


class Unusable(Exception):
    """A roster by which nothing is judged; its argument is the code."""


@dataclass(frozen=True)
class Key:
    """A line of a roster."""

    name: str
    public: bytes
    since: str | None
    until: str | None


def read_roster(data: bytes, organizer: str) -> list[Key] | str:
    """The keys of a roster that the organizer, whose verifier key is given, signed; or the code why it is of no use."""
    try:
        return keys_of(data, organizer)
    except Unusable as unusable:
        return str(unusable)


def keys_of(data: bytes, organizer: str) -> list[Key]:
    text = signed_text(data, organizer)
    if not text.endswith("\n"):
        raise Unusable("roster.malformed")
    label, event, version, previous, *keys = [*text[:-1].split("\n"), "", "", ""]
    keys = keys[:-3]
    number = re.fullmatch("version ([1-9][0-9]{0,15})", version)
    before = re.fullmatch("previous ([0-9a-f]{64})", previous)
    right = (
        label == "rollproof/v1/roster"
        and event.startswith("event ")
        and ref.is_text(event.removeprefix("event "), required=True)
        and number is not None
        and int(number[1]) <= ref.MAX_SAFE_INTEGER
        and before is not None
        and (int(number[1]) == 1) == (before[1] == ref.ZEROS)
        and keys
    )
    if not right:
        raise Unusable("roster.malformed")
    found = [read_key(line) for line in keys]
    for at, key in enumerate(found):
        for other in found[:at]:
            if key.public == other.public or (key.name == other.name and overlap(key, other)):
                raise Unusable("roster.malformed")
    return found


def signed_text(data: bytes, organizer: str) -> str:
    """checkpoints.md, "Signed notes": the text of a note that holds for the organizer's key."""
    malformed = Unusable("roster.malformed")
    try:
        whole = data.decode("utf-8")
    except UnicodeDecodeError:
        raise malformed from None
    if len(data) > MAX_ROSTER or any(unicodedata.category(c) == "Cc" for c in whole if c != "\n"):
        raise malformed
    text, empty_line, below = whole.rpartition("\n\n")
    if not empty_line or not below.endswith("\n"):
        raise malformed
    text += "\n"
    lines = below[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise malformed
    parsed = ref.parse_verifier_key(organizer)
    assert not isinstance(parsed, str)
    name, public = parsed
    by_organizer = []
    for line in lines:
        parts = line.split(" ")
        if len(parts) != 3 or parts[0] != "—" or not parts[1] or any(c in SPACES + "+" for c in parts[1]):
            raise malformed
        raw = unpadded(parts[2])
        if raw is None or len(raw) < 5:
            raise malformed
        if parts[1] == name and raw[:4] == ref.key_id(name, public):
            by_organizer.append(raw[4:])
    fits = [len(sig) == 64 and ref.signature_fits(public, sig, text.encode()) for sig in by_organizer]
    if not fits or not all(fits):
        raise Unusable("roster.signature")
    return text


def unpadded(text: str) -> bytes | None:
    """The bytes of canonical base64."""
    try:
        raw = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        return None
    return raw if base64.b64encode(raw).decode("ascii") == text else None


def read_key(line: str) -> Key:
    parts = line.split(" ")
    if len(parts) != 4 or parts[0] != "key":
        raise Unusable("roster.malformed")
    parsed = ref.parse_verifier_key(parts[1])
    times = [None if part == "-" else part for part in parts[2:]]
    if isinstance(parsed, str) or not all(time is None or ref.is_time(time) for time in times):
        raise Unusable("roster.malformed")
    since, until = times
    if since is not None and until is not None and not since < until:
        raise Unusable("roster.malformed")
    return Key(*parsed, since, until)


def overlap(one: Key, other: Key) -> bool:
    """Whether both count at some time; a key counts from FROM on and before UNTIL."""
    return begins_before_end(one, other) and begins_before_end(other, one)


def begins_before_end(one: Key, other: Key) -> bool:
    return one.since is None or other.until is None or one.since < other.until


@dataclass(frozen=True)
class Reign:
    """The time of one key of a party: from the event that it came with, on which a finding about it stands."""

    public: bytes
    came: int
    """event 0, also of whoever was admitted; of a new key its join"""
    own: list[int]
    """the numbers of the events that it signed"""


def findings(data: bytes, prefix: int, roster: list[Key]) -> list[ref.Finding]:
    """Step 28, over the valid prefix, which has at least one line: the errors, then the notices."""
    events = [ref.read_event(line[:-1]) for line in ref.split(data)[:prefix]]
    joined = {event["author"] for event in events if event["type"] == "join"}
    texts = [party["key"] for party in events[0]["body"]["parties"]]
    texts += [event["body"]["key"] for event in events if event["type"] == "admit"]
    found = []
    for number, text in enumerate(texts):
        parsed = ref.parse_verifier_key(text)
        assert not isinstance(parsed, str)
        if number >= len(events[0]["body"]["parties"]) and parsed[0] not in joined:
            continue  # was admitted, and has not joined
        finding = of_party(*parsed, events, roster)
        if finding is not None:
            found.append(finding)
    return [f for f in found if f.severity == "error"] + [f for f in found if f.severity == "notice"]


def reigns(name: str, public: bytes, events: list[dict[str, Any]]) -> list[Reign]:
    """The keys of a party that came by `public`: each join but the first is that of the key of the latest replace."""
    found = [Reign(public, 0, [])]
    wanted, has_joined = public, False
    for number, event in enumerate(events):
        if event["type"] == "replace":
            parsed = ref.parse_verifier_key(event["body"]["key"])
            assert not isinstance(parsed, str)
            wanted = parsed[1] if parsed[0] == name else wanted
        if event["author"] != name:
            continue
        if event["type"] == "join" and has_joined:
            found.append(Reign(wanted, number, []))
        has_joined = has_joined or event["type"] == "join"
        found[-1].own.append(number)
    return found


def of_party(name: str, public: bytes, events: list[dict[str, Any]], roster: list[Key]) -> ref.Finding | None:
    """The first row of the table that one of its keys fits, then the first such key."""
    rows = [of_key(name, reign, events, roster) for reign in reigns(name, public, events)]
    fitting = [row for row in rows if row is not None]
    return min(fitting, key=lambda row: row[0])[1] if fitting else None


def of_key(name: str, reign: Reign, events: list[dict[str, Any]], roster: list[Key]) -> tuple[int, ref.Finding] | None:
    """The first row of the table that fits, and its number."""
    own, came = reign.own, reign.came
    times = [event["time"] for event in events]
    keys = [key for key in roster if key.public == reign.public]
    if not keys:
        return 1, ref.Finding("roster.unknown-key", "error", 28, came, "file")
    (key,) = keys
    if key.name != name:
        return 2, ref.Finding("roster.other-name", "error", 28, came, name if own else events[0]["author"])
    if (key.since is not None and times[came] < key.since) or (key.until is not None and times[came] >= key.until):
        return 3, ref.Finding("roster.revoked", "error", 28, came, "file")
    if key.until is None:
        return None
    late = [number for number in own if times[number] >= key.until]
    chosen = [number for number in late if times[number - 1] < key.until]
    if chosen:
        return 4, ref.Finding("roster.revoked", "error", 28, chosen[0], name)
    return (5, ref.Finding("roster.ended", "notice", 28, late[0], None)) if late else None
