"""Shows of secret rolls in files beside the log (specs/protocol.md, "Secret rolls")."""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from rules.base import Body, given
from rules.data.bounds import RequiredText
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_
from rules.data.schema import schema_problem
from rules.sealing import SecretRoll
from verifier.dice.derivation import hidden_purpose, seal_tag
from verifier.dice.pending import PendingRoll, draw_secret
from verifier.errors import NoteError
from verifier.log.bodies import Hex32, ShowBody
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode
from verifier.replay import Replay

__all__ = ["MAX_SHOWN", "CheckedShow", "ShownRoll", "check_shown", "parse_shown"]

MAX_SHOWN = 4_000
"""bytes of a show in a file, without its line feed"""


class ShownRoll(Body, frozen=True):
    """A file that shows a secret roll: its secret and, if the request hid it, the purpose of the roll."""

    format: Literal["rollproof/show/v1"]
    game: Hex32
    request: Hex32
    """the leaf hash of the request's line"""
    secret: Hex32
    salt: Hex32 | UnsetType = UNSET
    text: RequiredText | UnsetType = UNSET

    @classmethod
    def of(cls, game: bytes, request: bytes, body: ShowBody) -> "ShownRoll":
        """Return the file for the body of a show."""
        return cls("rollproof/show/v1", game.hex(), request.hex(), body.secret, body.salt, body.text)

    def __bytes__(self) -> bytes:
        """Encode it as a line with its line feed."""
        return encode(self) + b"\n"


class CheckedShow(Struct, frozen=True):
    """A valid show: its holder, its roll and the outcome."""

    holder: str
    request: int
    """the number of the request"""
    sides: tuple[int, ...]
    naturals: tuple[int, ...] | None
    """the dice; None if the roll has none, or one of its links is not known"""
    text: str | None


def parse_shown(data: bytes) -> ShownRoll:
    """Parse a file that shows a secret roll. Raises NoteError."""
    line = data.removesuffix(b"\n")
    if len(line) > MAX_SHOWN:
        raise NoteError("a show of a secret roll has at most {most} bytes", most=MAX_SHOWN)
    try:
        shown = msgspec.json.decode(line, type=ShownRoll)
    except UNREADABLE as error:
        text = N_("this is no show of a secret roll: {problem}")
        raise NoteError(text, problem=schema_problem(error, line, ShownRoll)) from None
    if encode(shown) != line:
        raise NoteError("it is not in canonical form")
    return shown


def check_shown(lines: Iterable[bytes], shown: ShownRoll) -> CheckedShow:
    """Check a show against a valid log, given as lines without line feeds. Raises NoteError or Failure."""
    replay = Replay()
    roll: SecretRoll | None = None
    revealed: tuple[PendingRoll, Mapping[str, bytes]] | None = None
    for line in lines:
        replay.step(line)
        if leaf_hash(line).hex() == shown.request:
            roll = replay.session.secret
        elif roll is not None and revealed is None:
            revealed = replay.secret_rolls.get(roll.request)
    if replay.game.hex() != shown.game or roll is None:
        raise NoteError("it is not of a secret roll of this log")
    _check(replay.game, roll, shown)
    secret, text = bytes.fromhex(shown.secret), given(shown.text, None)
    if revealed is not None:
        return CheckedShow(roll.holder, roll.request, roll.sides, draw_secret(replay.game, *revealed, secret), text)
    replay.voided.learn_secret(roll.request, secret)
    voided = replay.voided.get(roll.request)
    return CheckedShow(roll.holder, roll.request, roll.sides, (voided.naturals or None) if voided else None, text)


def _check(game: bytes, roll: SecretRoll, shown: ShownRoll) -> None:
    if seal_tag(game, roll.holder, roll.tag.number, bytes.fromhex(shown.secret)).hex() != roll.tag.tag:
        raise NoteError("its secret is not the one that {holder} sealed for this roll", holder=roll.holder)
    has = {shown.salt is not UNSET, shown.text is not UNSET}
    if has != {roll.hidden is not None}:
        raise NoteError("a show says what its roll was for, with the salt, if the roll hid this, and only then")
    salt, text = given(shown.salt, ""), given(shown.text, "")
    if roll.hidden is not None and hidden_purpose(game, roll.holder, bytes.fromhex(salt), text).hex() != roll.hidden:
        raise NoteError("the purpose that it gives for the roll is not the one that the request hid")
