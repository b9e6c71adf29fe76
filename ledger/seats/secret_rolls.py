"""Seals and shows of a holder of secret rolls, and what it owes (specs/seats.md, "Secrets of secret rolls").

`ledger.seats.sealing` has the cryptography; this module has the party's memory and the state of the game.
"""

import secrets
from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from ledger.errors import MissingError, SeedError
from ledger.seats.memory import Turn
from ledger.seats.records import OwnSeal
from ledger.seats.sealing import secret_of, shown_by, tags_of
from rules.data.bounds import MAX_TAGS
from rules.sealing import Tag
from verifier import Replay
from verifier.log.bodies import SealBody, ShowBody

__all__ = ["needs_seal", "new_seal", "owed_show", "own_secret", "show_body"]


def new_seal(turn: Turn, replay: Replay, name: str, count: int) -> SealBody:
    """Make the secrets of `count` tags, record their key, and return the body of the seal.

    Raises SeedError if the secret of the last tag of the seal before is not in the record.
    """
    game, holder = replay.terms.game, replay.session.seals.get(name)
    first = 1 if holder is None else holder.last.number + 1
    last: str | UnsetType = UNSET
    if holder is not None and name not in replay.unsealed:
        last = own_secret(turn, game, name, holder.last).hex()
    own = OwnSeal(first, count, secrets.token_bytes(32).hex())
    turn.change(seals=(*turn.record.seals, own))
    return SealBody(tags_of(game, name, own), last)


def show_body(turn: Turn, replay: Replay, name: str, request: int) -> ShowBody:
    """Return the body that shows a secret roll. Raises MissingError without such a roll, SeedError."""
    holder = replay.session.seals.get(name)
    roll = None if holder is None else holder.secret.get(request)
    if roll is None:
        raise MissingError(f"event {request} is not a secret roll that {name} holds and has not shown")
    return shown_by(replay, roll, own_secret(turn, replay.terms.game, name, roll.tag), turn.record.hidden)


def own_secret(turn: Turn, game: bytes, name: str, tag: Tag) -> bytes:
    """Return the secret (32 bytes) of an own tag. Raises SeedError if the record lacks it."""
    secret = secret_of(game, name, turn.record.seals, tag)
    if secret is None:
        raise SeedError(
            f"{name}'s memory on this machine does not have the secret with number {tag.number}. {name} cannot show "
            f"the roll that used it, and holds no further secret rolls in this game"
        )
    return secret


def owed_show(replay: Replay, name: str, seals: Sequence[OwnSeal]) -> int | None:
    """Return the request of the secret roll that a holder owes a show for, if its secret is in these seals."""
    holder = replay.session.seals.get(name)
    if holder is None or holder.owes is None:
        return None
    return holder.owes if holder.secret[holder.owes].tag.number in _numbers(seals) else None


def needs_seal(replay: Replay, name: str, seals: Sequence[OwnSeal]) -> bool:
    """Return True if a holder has no tags yet, or few unused ones and the secret of its last tag in these seals."""
    holder = replay.session.seals.get(name)
    if holder is None:
        return True
    return len(holder.unused) < MAX_TAGS // 2 and holder.last.number in _numbers(seals)


def _numbers(seals: Sequence[OwnSeal]) -> set[int]:
    return {number for seal in seals for number in range(seal.first, seal.first + seal.count)}
