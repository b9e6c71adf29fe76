"""Ways to tamper with a log, and the verdict that each must get (specs/security.md, "The record")."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger.seats.identity import Identity
from rules.scene import Forgery
from verifier.log.bodies import Reveal
from verifier.log.format import Envelope, decode_body, decode_envelope, signed_message
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode

__all__ = ["Attempt", "attempts", "other_dice"]


class Attempt(Struct, frozen=True):
    """A copy of a log that somebody tampered with."""

    name: str
    what: str
    log: bytes
    code: str
    """the finding that is expected"""
    fault: str


def attempts(
    lines: Sequence[bytes],
    others: Sequence[bytes],
    identities: Mapping[str, Identity],
    forgery: Forgery,
) -> list[Attempt]:
    """Return tampered copies of `lines`, a closed game; `others` are the lines of another game of the same parties."""
    events = [decode_envelope(line) for line in lines]
    act = next(event.seq for event in events if event.type == "resolve")
    player, keeper = events[act].author, events[0].author
    return [
        *_forged(lines, events, act, identities[keeper], forgery),
        *_rearranged(lines, others, act),
        Attempt(
            "cheated",
            f"{player} claims another result than the dice gave, and {keeper} signs over it",
            _file(_claimed(lines, act, identities, forgery.claim)),
            "rules.violation",
            player,
        ),
        Attempt("cut", "the file is cut inside its last event", _file(lines)[:-20], "line.unterminated", "file"),
    ]


def _forged(
    lines: Sequence[bytes], events: Sequence[Envelope], act: int, keeper: Identity, forgery: Forgery
) -> list[Attempt]:
    """Return the copies in which an event says something else, or bears another's signature."""
    shown = next(event for event in events if event.type == "reveal")
    seq, rolled = shown.seq, events[shown.seq - 1]
    return [
        Attempt(
            "edited",
            f"somebody without a key changes a natural result in event {seq}",
            _file([*lines[:seq], _with_other_dice(shown, None), *lines[seq + 1 :]]),
            "signature.invalid",
            "file",
        ),
        other_dice(lines[: seq + 1], keeper),
        Attempt(
            "rewritten",
            f"{keeper.name} changes what {rolled.author} asked for in event {rolled.seq} and signs the dice again",
            _file(_rewritten(lines, shown, keeper, forgery.rewrite)),
            "signature.invalid",
            keeper.name,
        ),
        Attempt(
            "impostor",
            f"{keeper.name} signs in {events[act].author}'s name",
            _file([*lines[:act], _signed_by(events[act], keeper)]),
            "signature.invalid",
            "file",
        ),
    ]


def _rearranged(lines: Sequence[bytes], others: Sequence[bytes], act: int) -> list[Attempt]:
    """Return the copies in which each event is as it was signed, and is not where or how it was written."""
    return [
        Attempt("dropped", f"event {act} is dropped", _file([*lines[:act], *lines[act + 1 :]]), "chain.seq", "file"),
        Attempt(
            "swapped",
            f"events {act - 1} and {act} are swapped",
            _file([*lines[: act - 1], lines[act], lines[act - 1], *lines[act + 1 :]]),
            "chain.seq",
            "file",
        ),
        Attempt(
            "spliced",
            "an event of another game takes the place of event 1",
            _file([lines[0], others[1], *lines[2:]]),
            "chain.game",
            "file",
        ),
        Attempt(
            "reformatted",
            f"a blank is put into event {act}, which changes nothing that it says",
            _file([*lines[:act], lines[act].replace(b'":', b'": ', 1), *lines[act + 1 :]]),
            "line.not-canonical",
            "file",
        ),
    ]


def other_dice(lines: Sequence[bytes], keeper: Identity) -> Attempt:
    """Return the copy in which the keeper changes the first natural result of the log, and signs it again."""
    shown = next(event for event in map(decode_envelope, lines) if event.type == "reveal")
    changed = _with_other_dice(shown, keeper)
    return Attempt(
        "resigned",
        f"{shown.author} changes a natural result in event {shown.seq} and signs it again",
        _file([*lines[: shown.seq], changed, *lines[shown.seq + 1 :]]),
        "reveal.naturals",
        shown.author,
    )


def _file(lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _signed_by(event: Envelope, identity: Identity) -> bytes:
    return encode(replace(event, sig=identity.sign(signed_message(event)).hex()))


def _with_other_dice(event: Envelope, identity: Identity | None) -> bytes:
    body: Reveal = decode_body(event.body, Reveal, "reveal")
    first = body.sides[0] + 1 - body.naturals[0]  # low for high: what a cheat would want
    first = first if first != body.naturals[0] else first % body.sides[0] + 1
    event = replace(event, body=msgspec.Raw(encode(replace(body, naturals=(first, *body.naturals[1:])))))
    return encode(event) if identity is None else _signed_by(event, identity)


def _rewritten(lines: Sequence[bytes], reveal: Envelope, keeper: Identity, rewrite: tuple[bytes, bytes]) -> list[bytes]:
    request = lines[reveal.seq - 1].replace(*rewrite)
    return [*lines[: reveal.seq - 1], request, _signed_by(replace(reveal, prev=leaf_hash(request).hex()), keeper)]


def _claimed(
    lines: Sequence[bytes], act: int, identities: Mapping[str, Identity], claim: Mapping[str, Any]
) -> list[bytes]:
    """Return lines with a false claim instead of an event, and a close after it: an untaken last line is an offer."""
    event, close = decode_envelope(lines[act]), decode_envelope(lines[-1])
    body = {**msgspec.json.decode(event.body), **claim}
    claimed = _signed_by(replace(event, body=msgspec.Raw(encode(body))), identities[event.author])
    close = replace(close, seq=event.seq + 1, prev=leaf_hash(claimed).hex(), time=event.time)
    return [*lines[:act], claimed, _signed_by(close, identities[close.author])]
