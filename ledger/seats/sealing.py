"""Secrets of secret rolls: the tags of a seal, and what a holder shows (specs/seats.md, "Secrets of secret rolls")."""

import hmac
import secrets
from collections.abc import Iterable, Mapping, Sequence

from msgspec import UNSET, Struct

from ledger.seats.records import OwnSeal
from rules.base import given
from rules.sealing import SecretRoll, Tag
from verifier import Replay
from verifier.dice.derivation import hidden_purpose, seal_tag
from verifier.dice.pending import draw_secret
from verifier.log.bodies import ShowBody

__all__ = ["SECRET_LABEL", "SecretOutcome", "hide", "secret_of", "shown_by", "tags_of"]

SECRET_LABEL = b"rollproof/v1/secret\n"


class SecretOutcome(Struct, frozen=True):
    """The outcome of a secret roll, for its holder."""

    request: int
    roller: str
    sides: tuple[int, ...]
    naturals: tuple[int, ...]
    text: str | None
    """what it is for, where that is hidden"""

    @classmethod
    def of(cls, replay: Replay, body: ShowBody) -> "SecretOutcome":
        """Return the outcome of a roll that was revealed, from what its holder could show."""
        pending, _ = replay.secret_rolls[body.request]
        assert pending.secret is not None, "it is a secret roll"
        naturals, text = given(body.naturals, ()), given(body.text, None)
        return cls(body.request, pending.roller, pending.secret.sides, tuple(naturals), text)


def tags_of(game: bytes, name: str, seal: OwnSeal) -> tuple[str, ...]:
    """Return the tags (hex) of a seal, in the order of their numbers."""
    numbers = range(seal.first, seal.first + seal.count)
    return tuple(seal_tag(game, name, number, _secret(game, name, seal, number)).hex() for number in numbers)


def secret_of(game: bytes, name: str, seals: Iterable[OwnSeal], tag: Tag) -> bytes | None:
    """Return the secret (32 bytes) of a tag; None if no seal of these has it.

    Several seals can begin at one number: another event came before the first of them, and it was made anew.
    """
    for seal in seals:
        if seal.first <= tag.number < seal.first + seal.count:
            secret = _secret(game, name, seal, tag.number)
            if seal_tag(game, name, tag.number, secret).hex() == tag.tag:
                return secret
    return None


def _secret(game: bytes, name: str, seal: OwnSeal, number: int) -> bytes:
    bound = game + bytes([len(name)]) + name.encode("ascii") + number.to_bytes(8, "big")
    return hmac.digest(bytes.fromhex(seal.key), SECRET_LABEL + bound, "sha256")


def hide(game: bytes, author: str, text: str) -> tuple[str, str]:
    """Return a salt for the purpose of a secret roll, and the request's `hidden` value; both hex."""
    salt = secrets.token_bytes(32)
    return salt.hex(), hidden_purpose(game, author, salt, text).hex()


def shown_by(replay: Replay, roll: SecretRoll, secret: bytes, hidden: Mapping[str, Sequence[str]]) -> ShowBody:
    """Return the body of a show: the dice if the roll was revealed, and the purpose if it was hidden."""
    salt, text = hidden.get(roll.hidden, (UNSET, UNSET)) if roll.hidden is not None else (UNSET, UNSET)
    naturals = draw_secret(replay.game, *replay.secret_rolls[roll.request], secret) if roll.revealed else UNSET
    return ShowBody(request=roll.request, naturals=naturals, salt=salt, text=text, secret=secret.hex())
