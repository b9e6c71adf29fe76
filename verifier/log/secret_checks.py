"""Checks of secret rolls: of a seal, and of what a holder shows (steps 16, 21 and 22 of specs/verification.md)."""

from collections.abc import Mapping

from rules.base import given
from rules.data.bounds import MAX_SEALED
from rules.data.language import N_
from rules.sealing import Holder, SecretRoll, sealed_anew
from verifier.dice.derivation import hidden_purpose, seal_tag
from verifier.dice.pending import PendingRoll, draw_secret
from verifier.errors import Failure
from verifier.log.bodies import SealBody, ShowBody

__all__ = ["check_seal", "check_secret", "check_show", "check_shown_dice"]


def check_seal(game: bytes, seq: int, author: str, body: SealBody, before: Holder | None, *, unsealed: bool) -> None:
    """Verify event `seq`, a seal (step 16). Raises Failure.

    `before` is what the author had sealed; `unsealed` is True if that was with an earlier key only.
    """
    stated = given(body.secret, None)
    if len(sealed_anew(before, body.tags).unused) > MAX_SEALED:
        text = N_("{author} has at most {most} unused secrets for rolls.")
        raise Failure(16, "seal.tags", text, author=author, most=MAX_SEALED)
    if (before is not None and not unsealed) != (stated is not None):
        text = N_("{author} gives the secret of the last tag of the seal before, and none where there was none.")
        raise Failure(16, "seal.secret", text, author=author)
    if before is not None and stated is not None:
        check_secret(game, SecretRoll(seq, author, before.last, (), None), stated, 16, "seal.secret")


def check_secret(game: bytes, roll: SecretRoll, secret: str, step: int, code: str) -> None:
    """Verify that a secret (hex) leads to the tag that a secret roll took. Raises Failure with step and code."""
    tag = seal_tag(game, roll.holder, roll.tag.number, bytes.fromhex(secret))
    if tag.hex() != roll.tag.tag:
        text = N_("The secret that {author} gives is not the one that {author} sealed under number {number}.")
        raise Failure(step, code, text, author=roll.holder, number=roll.tag.number, actual=secret)


def check_show(game: bytes, author: str, body: ShowBody, roll: SecretRoll) -> None:
    """Verify secret and purpose of a show (step 21). Raises Failure."""
    check_secret(game, roll, body.secret, 21, "show.secret")
    salt, text = given(body.salt, None), given(body.text, None)
    if salt is not None and text is not None:
        hidden = hidden_purpose(game, author, bytes.fromhex(salt), text)
        if hidden.hex() != roll.hidden:
            problem = N_("The purpose that {author} gives for the roll is not the one that its request hid.")
            raise Failure(21, "show.text", problem, author=author)


def check_shown_dice(game: bytes, body: ShowBody, pending: PendingRoll, links: Mapping[str, bytes]) -> None:
    """Verify the dice of a show, of a roll that was revealed with these links (step 22). Raises Failure."""
    naturals = draw_secret(game, pending, links, bytes.fromhex(body.secret))
    if naturals != body.naturals:
        problem = N_("Links and secret give other dice than the show says.")
        actual = list(given(body.naturals, ()))
        raise Failure(22, "show.naturals", problem, expected=list(naturals), actual=actual)
