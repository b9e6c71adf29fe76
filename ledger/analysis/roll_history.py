"""What was thrown in a verified log: of each request its dice, and how it ended (specs/luck.md, "What is counted")."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rules import Ruling
from rules.data.bounds import HISTORY
from rules.session import REQUESTS, Phase
from verifier import Replay
from verifier.dice.voided import VoidedRoll
from verifier.log.format import Reveal

__all__ = ["Ruled", "Throw", "throws"]


class Throw(Struct, frozen=True):
    """A request that has ended."""

    seq: int
    type: str
    body: bytes
    """as it was asked for, in canonical JSON"""
    roller: str
    sides: tuple[int, ...]
    naturals: tuple[int, ...]
    """of one that ended without dice: those that it draws at once, as far as all links are known"""
    ended: int
    """number of the event that ended it"""
    how: Literal["reveal", "void", "close"] = "reveal"
    by: str = ""
    """who ended it without dice"""
    known: bool = True
    """whether it is known what it would have shown"""
    hidden_by: tuple[str, ...] = ()
    """whose link is missing, where nobody is expected to show it any more"""
    holder: str | None = None
    """of a secret roll, whose dice are not here: its holder chooses which of them are known"""
    without: tuple[str, ...] = ()
    """who was signed away by somebody else, so had no part in the dice, and has not accepted them"""


class Ruled(Struct, frozen=True):
    """A judge's ruling."""

    seq: int
    judge: str
    ruling: Ruling


class _Asked(Struct, frozen=True):
    type: str
    body: bytes
    draws: int
    """dice that it draws before it depends on them how many more come"""


def throws(replay: Replay, lines: Iterable[bytes]) -> Iterator[Throw | Ruled]:
    """What the lines of a verified log, or of its valid prefix, have, without line feeds; `replay` is a new one.

    What ended without dice comes when nothing more can become known of it, at the latest at the end. A roll that was
    made without somebody comes at the end: it may still be accepted.
    """
    asked: dict[int, _Asked] = {}
    waiting: list[Throw] = []
    for line in lines:
        pending = replay.pending
        oldest = next(iter(replay.voided)) if replay.size and len(replay.voided) >= HISTORY else None
        event = replay.follow(line)
        if oldest is not None and replay.voided.get(oldest.pending.seq) is None:
            yield _voided(replay, oldest, asked.pop(oldest.pending.seq))  # it is not kept any longer
        match event.body:
            case Reveal() as body if pending is not None:
                request = asked.pop(pending.seq)
                dice = tuple(body.sides), tuple(body.naturals)
                shown = Throw(pending.seq, request.type, request.body, pending.roller, *dice, event.seq)
                shown = shown if pending.secret is None else replace(shown, holder=pending.secret.holder)
                if pending.without:
                    waiting.append(shown)
                else:
                    yield shown
            case Ruling() as ruling:
                yield Ruled(event.seq, event.author, ruling)
            case _ if event.type in REQUESTS:
                asked[event.seq] = _Asked(event.type, event.raw, len(replay.session.draw))
            case _:
                pass
    for roll in replay.voided if replay.size else ():
        yield _voided(replay, roll, asked[roll.pending.seq])
    for shown in waiting:
        yield replace(shown, without=replay.conduct.unaccepted(shown.seq))


def _voided(replay: Replay, roll: VoidedRoll, asked: _Asked) -> Throw:
    pending = roll.pending
    known = not roll.hidden_by and (pending.secret is None or bool(roll.secret))
    undisclosed = pending == replay.pending and replay.session.phase is Phase.VOIDED  # it may be disclosed
    return Throw(
        pending.seq,
        asked.type,
        asked.body,
        pending.roller,
        *((roll.sides[: asked.draws], roll.naturals[: asked.draws]) if known else ((), ())),
        ended=roll.ended,
        how=roll.how,
        by=roll.by,
        known=known,
        hidden_by=() if undisclosed else roll.hidden_by,
        holder=None if pending.secret is None else pending.secret.holder,
    )
