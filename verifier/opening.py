"""Single openings, and receipts for them (specs/protocol.md, "An opening by itself" and the section after it)."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from rules import Body
from rules.base import given
from rules.data.bounds import Name
from rules.data.jsontext import UNREADABLE
from rules.data.schema import schema_problem
from verifier.dice.derivation import received_message, walk_down
from verifier.dice.pending import PendingRoll
from verifier.errors import Failure, NoteError
from verifier.log.bodies import ChainIndex, Close, Disclose, Hex32, Hex64, Opening, Reveal, Void
from verifier.log.format import check_canonical
from verifier.log.plainjson import encode
from verifier.replay import Replay

__all__ = [
    "MAX_SENT",
    "CheckedOpening",
    "ReceivedOpening",
    "SentOpening",
    "check_received",
    "check_received_now",
    "check_sent",
    "parse_received",
    "parse_sent",
    "proof_of",
]

MAX_SENT = 1_000
"""bytes of a sent opening or a receipt"""

_Format = Annotated[Literal["rollproof/opening/v1"], Meta(description="rollproof/opening/v1")]


class SentOpening(Body, frozen=True):
    """An opening with its game and its request (leaf hash), both in hex."""

    game: Hex32
    opening: Opening
    request: Hex32
    format: _Format

    @classmethod
    def of(cls, game: bytes, request: bytes, opening: Opening) -> "SentOpening":
        """Return an opening for a game and a request, 32 bytes each."""
        return cls(game.hex(), opening, request.hex(), "rollproof/opening/v1")

    def __bytes__(self) -> bytes:
        """Encode it as a line with its line feed."""
        return encode(self) + b"\n"


class ReceivedOpening(Body, frozen=True):
    """A receipt, signed by a party that has received and checked an opening. Hashes are hex."""

    author: Name
    """the author of the opening"""
    format: Annotated[Literal["rollproof/received/v1"], Meta(description="rollproof/received/v1")]
    game: Hex32
    index: ChainIndex
    link: Hex32
    receiver: Name
    request: Hex32
    sig: Hex64

    @classmethod
    def of(cls, game: bytes, request: bytes, opening: Opening, receiver: str, sig: bytes) -> "ReceivedOpening":
        """Return a receipt by `receiver`; `sig`, 64 bytes, is its signature over `received_message`."""
        return cls(
            author=opening.author,
            format="rollproof/received/v1",
            game=game.hex(),
            index=opening.index,
            link=opening.link,
            receiver=receiver,
            request=request.hex(),
            sig=sig.hex(),
        )

    def __bytes__(self) -> bytes:
        """Encode it as a line with its line feed."""
        return encode(self) + b"\n"


def parse_sent(data: bytes) -> SentOpening:
    """Parse a sent opening. Raises NoteError."""
    return _parse(data, SentOpening)


def parse_received(data: bytes) -> ReceivedOpening:
    """Parse a receipt for an opening. Raises NoteError."""
    return _parse(data, ReceivedOpening)


_Sent = TypeVar("_Sent", SentOpening, ReceivedOpening)


def _parse(data: bytes, kind: type[_Sent]) -> _Sent:
    if len(data) > MAX_SENT:
        raise NoteError("it is longer than {most} bytes", most=MAX_SENT)
    line = data.removesuffix(b"\n")
    try:
        sent = msgspec.json.decode(line, type=kind)
        check_canonical(line, sent)
    except UNREADABLE as error:
        raise NoteError("{problem}", problem=schema_problem(error, line, kind)) from None
    except Failure as failure:
        raise NoteError("{problem}", problem=failure) from None
    return sent


class CheckedOpening(Struct, frozen=True):
    """The facts in a log about the roll of an opening."""

    roll: int
    """the number of the request"""
    ended: int | None
    """the number of the reveal, void or close of that roll; None while it is pending"""
    how: str | None
    """`reveal`, `void` or `close`"""
    by: str | None
    """the author of that event"""
    used: bool
    """whether that event, or the keeper's disclose after it, contains the opening"""
    named: bool
    """whether the void names the author of the opening as missing"""
    settled: bool
    """whether the keeper has written which openings it had: false while the roll, or a disclose, is pending"""


def check_sent(lines: Iterable[bytes], sent: SentOpening) -> CheckedOpening:
    """Check an opening against a verified log, given as lines without line feeds.

    Raises Failure (steps 17 to 20) if the opening is wrong, and NoteError if it is for another game or for no request
    of this log.
    """
    lines = iter(lines)
    replay, pending = _at_request(lines, sent)
    replay.check_opening(sent.opening)
    return _outcome(replay, lines, pending, sent.opening.author, sent.opening.link)


def _outcome(replay: Replay, lines: Iterator[bytes], pending: PendingRoll, author: str, link: str) -> CheckedOpening:
    """Return what became of the pending roll, and of this author's opening with this link (hex)."""
    following = next(lines, None)
    if following is None:
        return CheckedOpening(pending.seq, None, None, None, used=False, named=False, settled=False)
    event = replay.follow(following)
    ending: Body | None = event.body
    named = isinstance(ending, Void) and author in ending.missing
    if isinstance(ending, Void):
        after = next(lines, None)
        ending = None if after is None else replay.follow(after).body
    openings = given(ending.openings, ()) if isinstance(ending, Reveal | Close | Disclose) else None
    used = any((opening.author, opening.link) == (author, link) for opening in openings or ())
    settled = openings is not None
    return CheckedOpening(pending.seq, event.seq, event.type, event.author, used, named, settled)


def check_received(lines: Iterable[bytes], received: ReceivedOpening) -> CheckedOpening:
    """Check a receipt against a verified log, given as lines without line feeds.

    Raises NoteError if it is not valid, or is for another game or for no request of this log.
    """
    lines = iter(lines)
    replay, pending = _at_request(lines, received)
    _check_receipt(replay, pending, received)
    return _outcome(replay, lines, pending, received.author, received.link)


def check_received_now(replay: Replay, received: ReceivedOpening) -> None:
    """Check a receipt for an opening of the pending roll. Raises NoteError, also for another roll."""
    pending = replay.pending
    if pending is None or (received.game, received.request) != (replay.game.hex(), pending.request.hex()):
        raise NoteError("this log does not have the request that it is for")
    _check_receipt(replay, pending, received)


def _check_receipt(replay: Replay, pending: PendingRoll, received: ReceivedOpening) -> None:
    """Check a receipt while its roll is pending. Raises NoteError."""
    keys, author = replay.terms.keys, received.author
    if author not in pending.contributors:
        raise NoteError("nothing waits for an opening of {author}", author=author)
    if received.receiver not in keys:
        raise NoteError("{receiver} is no party of this game", receiver=received.receiver)
    game, request, link = (bytes.fromhex(text) for text in (received.game, received.request, received.link))
    message = received_message(game, request, author, received.index, link)
    if not keys[received.receiver].verify(bytes.fromhex(received.sig), message):
        raise NoteError("the signature is not {receiver}'s", receiver=received.receiver)
    chain = replay.chains[author]
    if received.index != chain.next or walk_down(link, game, author, received.index, chain.known) != chain.link:
        raise NoteError("it is for another link than the one that {author} has to open", author=author)


def proof_of(
    received: ReceivedOpening, found: CheckedOpening, keeper: str
) -> Literal["kept back", "named missing"] | None:
    """Return what a valid receipt proves against its receiver (specs/protocol.md).

    The keeper has kept the opening back if its disclose or close lacks it; the author of a void may have named the
    opening's author as missing, though it had the opening.
    """
    if found.by == received.receiver and found.named:
        return "named missing"
    return "kept back" if received.receiver == keeper and found.settled and not found.used else None


def _at_request(lines: Iterator[bytes], sent: SentOpening | ReceivedOpening) -> tuple[Replay, PendingRoll]:
    """Return the replay at the request that an opening or receipt is for. Raises NoteError."""
    replay = Replay()
    for line in lines:
        replay.follow(line)
        if replay.game.hex() != sent.game:
            raise NoteError("it is for game {game}, not for this one", game=sent.game)
        if replay.head.hex() == sent.request:
            break
    pending = replay.pending
    if replay.head.hex() != sent.request or pending is None:
        raise NoteError("this log does not have the request that it is for")
    return replay, pending
