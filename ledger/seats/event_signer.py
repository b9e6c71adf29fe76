"""The one place where a seat signs: after the checks of the log, and with a record of what it signed."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ledger.errors import RefusedError
from ledger.game.party_view import View
from ledger.seats.fork_guard import check_before_signing, check_taken
from ledger.seats.identity import Identity
from ledger.seats.memory import SeatMemory, Turn
from ledger.seats.snapshots import Snapshots
from rules import Body
from verifier import Failure, Replay
from verifier.log.bodies import Open
from verifier.log.format import signed_line, signed_message, unsigned_event
from verifier.log.merkle import ZERO_HASH, leaf_hash
from verifier.log.signatures import trust

__all__ = ["EventSigner"]


class EventSigner:
    """Signs with a party's key, within the party's turns."""

    def __init__(
        self,
        identity: Identity,
        memory: SeatMemory,
        clock: Callable[[], str],
        snapshots: Snapshots | None,
    ) -> None:
        """`snapshots` are where it leaves those of long games; None: nowhere."""
        self.identity = identity
        self.key = identity.key
        self.clock = clock
        self._memory = memory
        self._snapshots = snapshots

    def forget(self) -> None:
        """Drop the key."""
        del self.identity

    @contextmanager
    def turn(self, view: View) -> Iterator[Turn]:
        """Take the party's turn in a game, after checks of the log (specs/seats.md, "Before it signs or opens")."""
        game = view.replay.terms.game
        with self._memory.game(game) as turn:
            check_before_signing(turn, view, self.key, self.clock())
            if self._snapshots is not None and turn.record.head.size == view.replay.size:
                self._snapshots.renew(view.replay, self.key, self.identity.sign)
            yield turn

    def first(self, body: Open, time: str) -> bytes:
        """Return event 0 as a signed line, on record. Raises RefusedError for invalid terms."""
        line = self._sign(body, "open", ZERO_HASH, ZERO_HASH, 0, time)
        try:
            Replay().step(line, trust)
        except Failure as failure:
            raise RefusedError(failure, failure.code, failure.clause) from None
        leaf = leaf_hash(line)
        with self._memory.game(leaf) as turn:
            turn.change(signed={leaf.hex(): 0})
        return line

    def event(self, turn: Turn, view: View, type: str, body: Body) -> bytes:
        """Return the next event as a signed line, which the game takes, on record.

        Raises RefusedError, UntakenError.
        """
        return self.events(turn, view, [(type, body)])[0]

    def events(self, turn: Turn, view: View, events: Sequence[tuple[str, Body]]) -> list[bytes]:
        """As `event`, several, each upon the one before."""
        replay, lines = view.replay.copy(), []
        if self.key.name != replay.terms.keeper:
            check_taken(turn, view, self.key.name)
        for kind, body in events:
            line = self._sign(body, kind, replay.terms.game, replay.head, replay.size, max(self.clock(), replay.time))
            try:
                replay.step(line, trust)  # its own signature
            except Failure as failure:
                raise RefusedError(failure, failure.code, failure.clause) from None
            lines.append(line)
        signed = {leaf_hash(line).hex(): seq for seq, line in enumerate(lines, view.replay.size)}
        turn.change(signed={**turn.record.signed, **signed})
        return lines

    def _sign(self, body: Body, type: str, game: bytes, prev: bytes, seq: int, time: str) -> bytes:
        event = unsigned_event(self.key.name, body, game.hex(), prev.hex(), seq, time, type)
        return signed_line(event, self.identity.sign(signed_message(event)))
