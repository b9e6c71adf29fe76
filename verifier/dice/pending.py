"""Pending requests, and the dice that their links give (specs/dice.md)."""

import hmac
from collections.abc import Iterable, Mapping

from msgspec import Struct

from rules import Session
from rules.base import next_wave
from rules.sealing import SecretRoll
from verifier.dice.derivation import Stream, draw, sealed_seed_message

__all__ = ["Accused", "PendingRoll", "draw_all", "draw_secret", "in_order"]


class PendingRoll(Struct, frozen=True):
    """A request that waits for its dice."""

    seq: int
    request: bytes
    """the leaf hash of the request's line"""
    roller: str
    contributors: tuple[str, ...]
    roll_index: int
    closer: str
    """the contributor that opens last before the keeper"""
    secret: SecretRoll | None = None
    """for a secret roll, its holder and the tag that it took"""
    without: tuple[str, ...] = ()
    """the parties that do not contribute because somebody else signed them away"""


class Accused(Struct, frozen=True):
    """A voided roll for which the keeper's judge accuses a party of not opening, with the index of the party's link."""

    roll: PendingRoll
    index: int


def in_order(contributors: Iterable[str], links: Mapping[str, bytes]) -> list[tuple[str, bytes]]:
    """Return the links in the order that `roll_seed` expects."""
    return [(name, links[name]) for name in contributors]


def draw_secret(game: bytes, pending: PendingRoll, links: Mapping[str, bytes], secret: bytes) -> tuple[int, ...]:
    """Return the naturals of a secret roll, from all its links and its holder's secret (specs/dice.md)."""
    roll = pending.secret
    assert roll is not None, "it is no secret roll"
    named = in_order(pending.contributors, links)
    message = sealed_seed_message(pending.roll_index, roll.holder, roll.tag.number, secret, named)
    return draw(hmac.digest(game, message, "sha256"), roll.sides)


def draw_all(session: Session, seed: bytes) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return sides and naturals of all dice that the pending request of `session` draws from this seed (32 bytes)."""
    stream, waves = Stream(seed), session.waves()
    sides, naturals = list[int](), list[int]()
    wave = next(waves)
    while wave:
        drawn = stream.draw(wave)
        sides += wave
        naturals += drawn
        wave = next_wave(waves, drawn)
    return tuple(sides), tuple(naturals)
