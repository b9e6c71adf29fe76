"""An opening by itself: from a contributor to the keeper, or to a judge (specs/protocol.md, "An opening by itself")."""

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from rules import Body
from rules.base import given
from rules.jsontext import UNREADABLE
from rules.schema import schema_problem
from verifier.errors import Failure, NoteError
from verifier.format import Close, Disclose, Hex32, Opening, Reveal, Void, check_canonical, encode
from verifier.replay import Replay

__all__ = ["MAX_SENT", "CheckedOpening", "SentOpening", "check_sent", "parse_sent"]

MAX_SENT = 1_000
"""bytes"""

_Format = Annotated[Literal["rollproof/opening/v1"], Meta(description="rollproof/opening/v1")]


class SentOpening(Body, frozen=True):
    """An opening, and the game (hex) and request (leaf hash, hex) that it is for."""

    game: Hex32
    opening: Opening
    request: Hex32
    format: _Format

    @classmethod
    def of(cls, game: bytes, request: bytes, opening: Opening) -> "SentOpening":
        return cls(game.hex(), opening, request.hex(), "rollproof/opening/v1")

    def __bytes__(self) -> bytes:
        """The line, with its line feed."""
        return encode(self) + b"\n"


_decoder = msgspec.json.Decoder(SentOpening)


def parse_sent(data: bytes) -> SentOpening:
    """Read a sent opening. Raises NoteError where the bytes are none."""
    if len(data) > MAX_SENT:
        raise NoteError("it is longer than {most} bytes", most=MAX_SENT)
    line = data.removesuffix(b"\n")
    try:
        sent = _decoder.decode(line)
        check_canonical(line, sent)
    except UNREADABLE as error:
        raise NoteError("{problem}", problem=schema_problem(error, line, SentOpening)) from None
    except Failure as failure:
        raise NoteError("{problem}", problem=failure) from None
    return sent


class CheckedOpening(Struct, frozen=True):
    """What a log has of the roll that an opening is for."""

    roll: int
    """the number of the request"""
    ended: int | None
    """the number of the reveal, void or close that followed; None while the roll waits"""
    how: Literal["reveal", "void", "close"] | None
    by: str | None
    """who wrote that event"""
    used: bool
    """whether the opening stands in it, or in the keeper's disclose after it"""
    named: bool
    """whether the void names who opened as missing"""


def check_sent(lines: Iterable[bytes], sent: SentOpening) -> CheckedOpening:
    """Check an opening against a log that was verified, its lines without line feeds.

    Raises Failure (steps 17 to 20) where it does not hold, NoteError where it is for another game or for no request of
    this log.
    """
    replay, lines = Replay(), iter(lines)
    for line in lines:
        replay.follow(line)
        if replay.game.hex() != sent.game:
            raise NoteError("it is for game {game}, not for this one", game=sent.game)
        if replay.head.hex() == sent.request:
            break
    pending = replay.pending
    if not replay.size or replay.head.hex() != sent.request or pending is None:
        raise NoteError("no request of this log is the one that it is for")
    replay.check_opening(sent.opening)
    following = next(lines, None)
    if following is None:
        return CheckedOpening(pending.seq, None, None, None, used=False, named=False)
    event = replay.follow(following)
    author, body = sent.opening.author, event.body
    if isinstance(body, Void):
        after = next(lines, None)
        disclosed = None if after is None else replay.follow(after).body
        openings = disclosed.openings if isinstance(disclosed, Disclose) else ()
        used = encode(sent.opening) in map(encode, openings)
        return CheckedOpening(pending.seq, event.seq, "void", event.author, used, author in body.missing)
    assert isinstance(body, Reveal | Close), "nothing else follows a request"
    how: Literal["reveal", "close"] = "reveal" if isinstance(body, Reveal) else "close"
    used = encode(sent.opening) in map(encode, given(body.openings, ()))
    return CheckedOpening(pending.seq, event.seq, how, event.author, used, named=False)
