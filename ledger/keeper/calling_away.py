"""Find the party that a keeper calls away after all others have (specs/network.md, "Signed away")."""

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

import msgspec
from msgspec import Struct

from rules import Session
from rules.protocol import REQUESTS, Back, Phase
from verifier import Replay
from verifier.dice.voided import VoidedRoll
from verifier.log.bodies import Opening
from verifier.log.format import glance

__all__ = ["HEARD", "IDLE", "Calling", "LineSource"]

HEARD = 15.0
"""seconds for which a party counts as heard after its stream has ended (specs/network.md, "Signed away")"""

IDLE = 240.0
"""seconds after which a party without a link counts as gone although its stream is open"""

MAX_GAMES = 1_000
"""games whose latest authors are remembered"""


class LineSource(Protocol):
    """Access to the lines and openings of games."""

    def lines(self, game: bytes, start: int, stop: int) -> Iterable[bytes]:
        """Return the lines from number `start` to before `stop`."""

    def opening(self, game: bytes, request: bytes, author: str) -> Opening | None:
        """Return the opening of `author` that was taken for a request; None without one."""


class _Wrote(Struct):
    """The authors of a game's lines from `start` to before `stop`."""

    start: int
    stop: int
    lines: dict[str, int] = {}
    """party → number of its latest line"""
    backs: dict[str, int] = {}
    """party → number of the latest `back` about it"""


class _Waits(Struct):
    """The latest request that was taken in a game."""

    request: int
    """its number"""
    since: float
    """when that was, by a clock that goes on"""
    voided: float | None = None
    """when it was voided, by the same clock"""


class _Seen(Struct):
    """The moment at which a party was first seen without a link, or with somebody who asks to go on in its place."""

    size: int
    """how many lines the log had"""
    since: float
    """when that was, by a clock that goes on"""


class Calling:
    """Used by the one thread that writes."""

    def __init__(
        self,
        stored: LineSource,
        streaming: Callable[[bytes], Collection[str]],
        clock: Callable[[], float] = time.monotonic,
        *,
        left: Callable[[bytes], Mapping[str, float]] = lambda _game: {},
        going_on: Callable[[Replay], Collection[str]] = lambda _replay: (),
    ) -> None:
        """`streaming` tells which parties of a game have a stream open, or had one just now; from any thread.

        `left` tells when the last stream of each party ended that had one and has none, by `clock`. `going_on` tells in
        whose place somebody asks to go on.
        """
        self._left = left
        self._going_on = going_on
        self._stored = stored
        self._streaming = streaming
        self._clock = clock
        self._wrote: OrderedDict[bytes, _Wrote] = OrderedDict()
        self._waits: OrderedDict[bytes, _Waits] = OrderedDict()
        self._without: OrderedDict[bytes, dict[str, _Seen]] = OrderedDict()
        """game → the parties without a link; of games where there are any"""
        self._asked: OrderedDict[bytes, dict[str, _Seen]] = OrderedDict()
        """game → the parties whom somebody calls, and in whose place somebody asks to go on"""

    def took(self, game: bytes, type: str, seq: int) -> None:
        """A line was taken in a game: how long a roll waits before it is called off is seen here alone."""
        waits = self._waits.get(game)
        if type in REQUESTS:
            self._waits[game] = _Waits(seq, self._clock())
            self._waits.move_to_end(game)
            if len(self._waits) > MAX_GAMES:
                self._waits.popitem(last=False)
        elif type == "void" and waits is not None:
            waits.voided = self._clock()

    def _has_waited(self, replay: Replay, roll: VoidedRoll, party: str) -> bool:
        """Return True if a roll that its closer voided says that the party is gone.

        It was seen to wait for `HEARD` seconds, or the party had gone before. A party that was connected when the
        roll was called off, and left later, missed nothing.
        """
        waits = self._waits.get(replay.game)
        if waits is None or waits.voided is None or waits.request != roll.pending.seq:
            return False
        left = self._left(replay.game).get(party)
        return waits.voided - waits.since >= HEARD or (left is not None and left <= waits.voided)

    def party(self, replay: Replay) -> str | None:
        """Return the party that the keeper has to call away now; None without one."""
        session, terms = replay.session, replay.terms
        if session.phase is not Phase.IDLE or not session.parties.callers:
            return None
        self._look_for(self._without, replay, _without_link(replay))
        if not session.parties.calls:
            return None
        asked = self._going_on(replay)
        self._look_for(self._asked, replay, [name for name in session.parties.calls if name in asked])
        latest = [] if terms.keepers_judge is None else self._voided_by(terms.keepers_judge, replay)
        return next(
            (
                each
                for each in _called(session, terms.keeper)
                if (latest and self._is_due(replay, each, latest))
                or self._stays(self._without, replay, each, idle=IDLE)
                or self._stays(self._asked, replay, each)
            ),
            None,
        )

    def _look_for(self, seen: OrderedDict[bytes, dict[str, _Seen]], replay: Replay, names: Collection[str]) -> None:
        """Record the parties of which something holds, and when that was first seen."""
        known = seen.pop(replay.game, {})
        if names:
            first = _Seen(replay.size, self._clock())
            seen[replay.game] = {name: known.get(name, first) for name in names}
            if len(seen) > MAX_GAMES:
                seen.popitem(last=False)

    def _stays(
        self, of: OrderedDict[bytes, dict[str, _Seen]], replay: Replay, party: str, idle: float | None = None
    ) -> bool:
        """Return True if it has held of a party for so long, without a word of it, that it counts as gone.

        After `idle` seconds it does although its stream is open.
        """
        seen = of.get(replay.game, {}).get(party)
        if seen is None:
            return False
        if seen.size > replay.size or self._look(replay, seen.size).lines.get(party, -1) >= seen.size:
            of[replay.game][party] = _Seen(replay.size, self._clock())
            return False
        stands = self._clock() - seen.since
        forgiven = idle is not None and stands >= idle
        return stands >= HEARD and (forgiven or party not in self._streaming(replay.game))

    def _is_due(self, replay: Replay, party: str, latest: list[VoidedRoll]) -> bool:
        """Return True if the voids of the latest requests, the last first, show that a party is gone."""
        judge = replay.terms.keepers_judge
        named = [roll for roll in latest if party in roll.missing]
        if latest[0].by != judge and not self._has_waited(replay, latest[0], party):
            return False
        if named[:1] != latest[:1] or self._stored.opening(replay.game, latest[0].pending.request, party) is not None:
            return False
        wrote = self._look(replay, latest[-1].pending.seq)
        since = wrote.backs.get(party, 0)
        counted = [roll for roll in named if roll.pending.seq > since]
        if len(counted) > 1:  # the server's judge has waited for each of them
            return True
        return bool(counted) and not self._is_heard(replay, party, wrote.lines.get(party, 0) > counted[0].ended)

    def _voided_by(self, judge: str, replay: Replay) -> list[VoidedRoll]:
        """Return the rolls of the two latest requests, the last first, up to one that this judge did not void.

        The latest of all can have been called off by its closer too.
        """
        found: list[VoidedRoll] = []
        for back, roll in enumerate(list(replay.voided)[:-3:-1], 1):
            by_closer = back == 1 and roll.by == roll.pending.closer
            latest = roll.how == "void" and roll.pending.roll_index == replay.session.requests - back
            if not latest or (roll.by != judge and not by_closer):
                break
            found.append(roll)
            if by_closer:
                break
        return found

    def _is_heard(self, replay: Replay, party: str, wrote: bool) -> bool:
        return wrote or party in self._streaming(replay.game)

    def _look(self, replay: Replay, start: int) -> _Wrote:
        """Return the authors from line `start` on; each line is read once."""
        wrote = self._wrote.pop(replay.game, None)
        if wrote is None or not wrote.start <= start <= wrote.stop <= replay.size:
            wrote = _Wrote(start, start)
        for line in self._stored.lines(replay.game, wrote.stop, replay.size):
            event = glance(line)
            wrote.lines[event.author] = wrote.stop
            if event.type == "back":
                wrote.backs[msgspec.json.decode(event.body, type=Back).party] = wrote.stop
            wrote.stop += 1
        self._wrote[replay.game] = wrote
        if len(self._wrote) > MAX_GAMES:
            self._wrote.popitem(last=False)
        return wrote


def _without_link(replay: Replay) -> list[str]:
    """Return the joined parties that contribute to all rolls and have no link left."""
    joined, keeper = replay.session.parties.joined, replay.terms.keeper
    chains = ((name, replay.chains.get(name)) for name in replay.contributors(keeper))
    return [name for name, chain in chains if name in joined and (chain is None or chain.next >= chain.length)]


def _called(session: Session, keeper: str) -> list[str]:
    """Return the parties that all who have a say in it but the keeper have called away."""
    return [each for each, by in session.parties.calls.items() if session.parties.have_to_call(each) - by == {keeper}]
