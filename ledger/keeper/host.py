"""A keeper's program that serves many games to parties on other machines (specs/network.md).

A batch of operations goes in; the outcome of each comes out, and the news for the readers of the games. A batch has two
steps:

    1  The lines of others are verified and stored, in one transaction (`ledger.keeper.taking`).
    2  The keeper signs all that is then outstanding in these games, in one transaction of its seat's memory, and only
       then stores it, in one transaction of the store (`ledger.keeper.signing`). This repeats until each line is under
       a checkpoint.

So nothing that was answered can be lost (specs/seats.md), and the keeper remembers nothing that its store may lose. If
the keeper cannot sign in a game, only that game stops. It ends no roll by itself; if it has the seat of a judge that
event 0 names as the keeper's, the judge joins, and voids on request.

The host knows no network, socket or timer. One thread at a time writes; any thread may read the store.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from threading import Lock

from ledger.keeper.batch import Batch
from ledger.keeper.calling_away import Calling
from ledger.keeper.catching_up import LackingGame
from ledger.keeper.keepers import Keepers, Quota
from ledger.keeper.operations import BatchResult, Operation, Resume
from ledger.seats.seat import Seat
from ledger.seats.seed_chain import DEFAULT_CHAIN_LENGTH
from ledger.store.ledger import Ledger
from verifier import Replay

__all__ = ["Host"]


class Host:
    """The keeper of games for parties on other machines; this program has the keeper's seats."""

    def __init__(
        self,
        ledger: Ledger,
        seats: Iterable[Seat],
        *,
        links: int = DEFAULT_CHAIN_LENGTH,
        judge: Seat | None = None,
        quota: Quota | None = None,
        streaming: Callable[[bytes], Collection[str]] = lambda _game: (),
        left: Callable[[bytes], Mapping[str, float]] = lambda _game: {},
        going_on: Callable[[Replay], Collection[str]] = lambda _replay: (),
    ) -> None:
        """`seats` are those of keepers, `judge` that of their judge; the owner closes them.

        `links`: the length of each new seed chain; `quota`: the bounds of each game, None: no bounds; `streaming`
        returns the parties of a game that have a stream open, or had one just now; `left` those that had one and have
        none, and when it ended (`time.monotonic`); both are called in any thread. `going_on` returns those in whose
        place somebody asks to go on.
        """
        self.ledger = ledger
        self.judge = judge
        self.streaming = streaming
        self.left = left
        self.going_on = going_on
        self.calling = Calling(
            ledger,
            lambda game: self.streaming(game),
            left=lambda game: self.left(game),
            going_on=lambda replay: self.going_on(replay),
        )
        self._keepers = Keepers(ledger, seats, judge, quota)
        self._links = links
        self._working = Lock()

    def process(self, operations: Sequence[Operation]) -> BatchResult:
        """Do a batch. Everything that comes of it is durable when this returns; it raises no LedgerError."""
        with self._working:
            return Batch(self._keepers, self.calling, self._links, operations).run()

    def resume(self) -> BatchResult:
        """Finish all steps that the keepers left undone when their program ended.

        A keeper that was moved here commits to a new chain in each game without a pending roll.
        """
        self._keepers.look_for_moved()
        return self.process(
            [Resume(game) for game in sorted({*self.ledger.catalog.unfinished(), *self._keepers.moved})]
        )

    def lacking(self, game: bytes) -> LackingGame | None:
        """Return what the store lacks of a game; None if its keeper has seen no more than the store has.

        Raises MissingError if no keeper here knows the game, UsageError if its keeper is elsewhere; LedgerError.
        """
        return self._keepers.lacking(game)
