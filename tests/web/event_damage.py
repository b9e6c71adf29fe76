"""Event logs and bundles with something changed, mostly signed again by whoever has all keys."""

import json
from functools import cache
from random import Random
from typing import Any

from tests.conftest import SPECS
from tests.make.bundles import bundle_of
from tests.oracles import reference_event as oracle
from tests.oracles.reference import ZEROS, leaf, private_key
from tests.support.event import bundle, sound_event
from tests.web.games import change, encode

__all__ = ["damaged_bundle", "damaged_event"]

KEEPERS = ("opened", "seal")


@cache
def _event() -> tuple[dict[str, Any], ...]:
    vectors = json.loads((SPECS / "vectors" / "event.json").read_text(encoding="utf-8"))
    return tuple(json.loads(line) for line in vectors["event"])


@cache
def _files() -> tuple[tuple[str, bytes], ...]:
    return tuple(sound_event().files())


@cache
def _bundles() -> tuple[bytes, ...]:
    vectors = json.loads((SPECS / "vectors" / "bundles.json").read_text(encoding="utf-8"))
    return tuple(bundle_of(vectors, case) for case in vectors["cases"])


def _flipped(random: Random, data: bytes) -> bytes:
    """Up to three bytes changed, gone or more; or the end cut off."""
    found = bytearray(data)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(found))
        found[at : at + random.randint(0, 2)] = random.choice(
            [b"", b"0", b"\n", b"\xff", b'"', bytes([random.randrange(256)])]
        )
    return bytes(found[: random.randrange(len(found))] if random.random() < 0.1 else found)


def _act(random: Random, lines: list[dict[str, Any]], at: int) -> None:
    """Change the act of a line, in one of the ways in which people and keepers are wrong."""
    line = lines[at]
    body, others = line["body"], [each for each in lines if each["type"] == line["type"]]
    how = random.random()
    if how < 0.55:
        body["act"] = change(random, body["act"])
    elif how < 0.65:
        name = random.choice(list(body["act"]) or ["none"])
        given = random.choice(others)["body"]["act"]
        if name in given:
            body["act"] = {**body["act"], name: given[name]}
    elif how < 0.75 and "by" in body:
        body["by"] = random.choice(["olga", "dana", "henry", "p1", "p2", "p3", "p4", "hall", "p01", "mallory"])
    elif how < 0.8:
        line["type"] = random.choice(lines)["type"]
    elif how < 0.85:
        line["time"] = random.choice(lines)["time"]
    elif how < 0.9 and "upon" in body:
        body["upon"] = random.choice([ZEROS, lines[0]["prev"], random.choice(lines)["prev"]])
    elif how < 0.95:
        line["author"] = random.choice(["olga", "p1", "mallory"])
    else:
        changed = change(random, body)
        line["body"] = changed if isinstance(changed, dict) else {}


def _order(random: Random, lines: list[dict[str, Any]], at: int) -> None:
    """Leave a line out, write one twice, or swap two."""
    how = random.random()
    if how < 0.4:
        del lines[at]
    elif how < 0.7:
        lines.insert(random.randint(at, len(lines)), json.loads(json.dumps(lines[at])))
    else:
        other = random.randrange(1, len(lines))
        lines[at], lines[other] = lines[other], lines[at]


def _signed(lines: list[dict[str, Any]], secrets: dict[str, str]) -> list[bytes]:
    """All lines in their places, each act and each line signed again."""
    made: list[bytes] = []
    seen: dict[str, str] = {}
    for line in lines:
        was = leaf(encode(line)).hex()
        event, body = {key: each for key, each in line.items() if key != "sig"}, dict(line["body"])
        event["seq"], event["prev"] = len(made), leaf(made[-1]).hex() if made else ZEROS
        event["game"] = leaf(made[0]).hex() if made else ZEROS
        if isinstance(body.get("upon"), str):
            body["upon"] = seen.get(body["upon"], body["upon"])
        if event["type"] not in KEEPERS:
            head = {name: body[name] for name in ("act", "at", "by", "upon") if name in body}
            message = oracle.ACT + encode({**head, "event": event["game"], "type": event["type"]})
            by = str(body.get("by"))
            body["sig"] = private_key(secrets.get(by, by)).sign(message).hex()
            if event["type"] == "correct-key":
                secrets["p3"] = "p3 new"
        event["body"] = body
        sig = private_key(str(event["author"])).sign(oracle.LINE + encode(event)).hex()
        made.append(encode({**event, "sig": sig}))
        seen[was] = leaf(made[-1]).hex()
    return made


def damaged_event(random: Random) -> bytes:
    """An event log with something changed."""
    lines = json.loads(json.dumps(_event()))
    if random.random() < 0.15:
        return _flipped(random, b"".join(encode(line) + b"\n" for line in lines))
    at = random.randrange(0 if random.random() < 0.1 else 1, len(lines))
    (_act if random.random() < 0.75 else _order)(random, lines, at)
    if random.random() < 0.1:  # nobody signs again
        return b"".join(encode(line) + b"\n" for line in lines)
    return b"".join(line + b"\n" for line in _signed(lines, {}))


def damaged_bundle(random: Random) -> bytes:
    """A bundle with something changed."""
    how = random.random()
    if how < 0.3:
        return _flipped(random, random.choice(_bundles()))
    files = list(_files())
    at = random.randrange(len(files))
    name, data = files[at]
    if how < 0.5:
        files[at] = name, damaged_event(random)
    elif how < 0.7:
        files[at] = name, _flipped(random, data)
    elif how < 0.8:
        del files[at]
    elif how < 0.9:
        other = random.randrange(len(files))
        files[at], files[other] = (name, files[other][1]), (files[other][0], data)
    else:
        files.insert(random.randint(0, len(files)), random.choice(files))
    return bundle(files) if files else b'{"bundle":'
