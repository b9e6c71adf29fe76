"""The dice of each request of a verified log, and how it ended (specs/luck.md, "What is counted")."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rules import Ruling
from rules.data.bounds import HISTORY
from rules.protocol import REQUESTS, Phase
from verifier import Replay
from verifier.dice.voided import VoidedRoll
from verifier.log.bodies import Reveal

__all__ = ["JudgeRuling", "Throw", "throws"]


class Throw(Struct, frozen=True):
    """A request that has ended."""

    seq: int
    type: str
    body: bytes
    """the body of the request, in canonical JSON"""
    roller: str
    sides: tuple[int, ...]
    naturals: tuple[int, ...]
    """of a request that ended without dice: the dice of its first draw, if all links are known"""
    ended: int
    """the number of the event that ended it"""
    how: Literal["reveal", "void", "close"] = "reveal"
    by: str = ""
    """the party that ended it without dice"""
    known: bool = True
    """whether the dice that it has, or would have had, are known"""
    hidden_by: tuple[str, ...] = ()
    """the parties whose link is missing and is not expected any more"""
    holder: str | None = None
    """of a secret roll, its holder, who chooses which of its dice are known; the dice are left out here"""
    without: tuple[str, ...] = ()
    """the parties that did not contribute, because another party had signed them away, and that have not accepted it"""


class JudgeRuling(Struct, frozen=True):
    """A judge's ruling."""

    seq: int
    judge: str
    ruling: Ruling


class _Asked(Struct, frozen=True):
    type: str
    body: bytes
    draws: int
    """the number of dice of its first draw; further dice depend on these"""


def throws(replay: Replay, lines: Iterable[bytes]) -> Iterator[Throw | JudgeRuling]:
    """Yield the ended requests and the rulings of a verified log, or of its valid prefix.

    The lines are without line feeds; `replay` is a new one. A request without dice is yielded when nothing more can
    become known of it, at the latest at the end. A roll that was made without a party is yielded at the end, because
    the party may still accept it.
    """
    asked: dict[int, _Asked] = {}
    waiting: list[Throw] = []
    for line in lines:
        pending = replay.pending
        oldest = next(iter(replay.voided)) if replay.size and len(replay.voided) >= HISTORY else None
        event = replay.follow(line)
        if oldest is not None and replay.voided.get(oldest.pending.seq) is None:
            yield _voided(replay, oldest, asked.pop(oldest.pending.seq))  # the replay has dropped it
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
                yield JudgeRuling(event.seq, event.author, ruling)
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
