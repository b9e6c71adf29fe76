"""Damaged logs without end, numbered: a number makes the same log on every machine and with every Python.

A fourth are games of any dice with something changed, mostly signed again (`games`), a fourth logs of the vectors with
up to three bytes changed. The others are logs of the vectors, and games of every system (`tests.hostile.bombs`), with
the body of an event changed, and all behind it put in its place and signed again: so they come to the rules.
"""

import hashlib
import json
from functools import cache
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.conftest import SPECS
from tests.hostile.bombs import BOMBS
from tests.web.games import change, damaged, encode, leaf, random_game

__all__ = ["damaged_log"]

DOMAIN = {"roll", "reroll", "ignore", "store", "modify", "resolve", "declare", "correct"}


@cache
def _vectors() -> tuple[bytes, ...]:
    logs = sorted((SPECS / "vectors" / "logs").glob("holds--*.jsonl"))
    found = (log.read_bytes() for log in logs if log.stat().st_size < 20_000)
    return tuple(log for log in found if log.count(b"\n") > 2)


@cache
def _games() -> tuple[bytes, ...]:
    found = (make(4_000) for _, (_, make) in sorted(BOMBS.items()))
    return tuple(log for log in found if len(log) < 30_000)


@cache
def _key(name: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"rollproof vectors key {name}".encode()).digest())


def _signed(event: dict[str, Any]) -> dict[str, Any]:
    """The event, signed by its author's key of the vectors."""
    unsigned = {name: value for name, value in event.items() if name != "sig"}
    signature = _key(str(event.get("author"))).sign(b"rollproof/v1/event\n" + encode(unsigned))
    return {**unsigned, "sig": signature.hex()}


def _changed_body(choice: Random, log: bytes) -> bytes:
    """The body of one event changed, and all from there on linked and signed again; the first line stays."""
    lines = log.splitlines()
    events = [json.loads(line) for line in lines]
    filled = [seq for seq, event in enumerate(events) if seq and event["body"]]
    of_rules = [seq for seq in filled if events[seq]["type"] in DOMAIN]
    at = choice.choice(of_rules if of_rules and choice.random() < 0.7 else filled or [len(lines) - 1])
    was = events[at]["body"]
    body = change(choice, was or {"empty": 0})
    while not isinstance(body, dict) or body == was:
        body = change(choice, was or {"empty": 0})
    events[at]["body"] = body
    for seq in range(at, len(lines)):
        lines[seq] = encode(_signed({**events[seq], "prev": leaf(lines[seq - 1]).hex()}))
    return b"".join(line + b"\n" for line in lines)


def damaged_log(number: int) -> bytes:
    """The log of a number."""
    choice = Random(f"damaged {number}")  # the seed is text: SHA-512 of it, whatever the hash seed
    if number % 4 == 0:
        return damaged(choice, random_game(choice))
    log = choice.choice(_games() if number % 8 == 2 else _vectors())
    if number % 4 == 1:
        changed = bytearray(log)
        for _ in range(choice.randint(1, 3)):
            changed[choice.randrange(len(changed))] = choice.randrange(256)
        return bytes(changed)
    return _changed_body(choice, log)
