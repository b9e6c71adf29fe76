"""Sign what is outstanding for the keepers, and store it once their memories have it."""

from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from ledger.errors import LedgerError, RefusedError, StaleMemoryError, StoreError
from ledger.game.core import Due, KeptGame
from ledger.keeper.calling_away import Calling
from ledger.keeper.keepers import Keepers, by_seat
from ledger.keeper.operations import KeeperFailure, LetIn, NewCheckpoint, NewLine, NewReceived
from ledger.keeper.tickets import ActiveGame, Ticket, ToSign
from ledger.seats.seat import Seat
from ledger.store.game_view import GameView
from rules.protocol import Phase
from verifier import Replay
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.bodies import Opening
from verifier.opening import ReceivedOpening, SentOpening

__all__ = ["Signing"]

STALE_TRIES = 5
"""times that a keeper signs anew where another machine of its own was at one of the games at the same time"""


class _Task(Struct, eq=False):
    """One signature that a keeper owes in a game, and its result."""

    view: GameView
    openings: tuple[Opening, ...]
    to_receive: Sequence[SentOpening]
    what: ToSign | None
    party: str = ""
    """the party that the keeper calls away"""
    let_in: Ticket | None = None
    """the operation by which it lets somebody in"""
    late: Sequence[str] = ()
    """the parties that its judge names missing"""
    received: list[ReceivedOpening] = []
    line: bytes | None = None
    checkpoint: SignedCheckpoint | None = None


class Signing:
    """The second step of a batch, which repeats until each line is under a checkpoint."""

    def __init__(self, keepers: Keepers, calling: Calling, links: int, games: dict[bytes, ActiveGame]) -> None:
        """`links`: the length of each new seed chain; `games`: those in which something was taken."""
        self._keepers = keepers
        self._ledger = keepers.ledger
        self._calling = calling
        self._links = links
        self._games = games

    def finish(self) -> None:
        """Sign and store until nothing is outstanding in any of the games."""
        while tasks := self._tasks():
            self._sign(tasks)
            self._store(tasks)

    # --- what is outstanding -----------------------------------------------------------------------------------------

    def _tasks(self) -> list[tuple[Seat, _Task]]:
        tasks = []
        with self._ledger.looking(self._games):
            for game, active in self._games.items():
                if active.failed is not None:
                    continue
                try:
                    kept = self._ledger.live(game)
                except LedgerError as error:
                    active.failed = KeeperFailure.of(error)
                    continue
                task = self._task(kept, active)
                if task is not None:
                    tasks.append(task)
        return tasks

    def _task(self, kept: KeptGame, active: ActiveGame) -> tuple[Seat, _Task] | None:
        active.signed = kept.checkpoint
        what, seat = _next(kept), self._keepers.seat(kept.replay)
        assert seat is not None, "a game whose keeper is not here takes nothing"
        if active.to_close and what in (None, "checkpoint") and kept.replay.session.phase is not Phase.CLOSED:
            what = "close"
        if what in (None, "checkpoint") and self._commits_anew(seat, kept.replay):
            what = "commit"
        let_in = None
        if what in (None, "checkpoint") and active.to_let_in:
            let_in = active.to_let_in.pop(0)
            assert isinstance(let_in.operation, LetIn)
            what = let_in.operation.what
        party = self._calling.party(kept.replay) if what is None else None
        if party is not None:
            what = "away"
        late: Sequence[str] = ()
        if what is None and not active.to_receive:
            seat = self._keepers.judge_of(kept.replay)
            if seat is None or not active.judging:
                return None
            what, late = self._next_of_judge(seat, kept, active)
            if what is None:
                return None
        task = _Task(self._ledger.view_of(kept), kept.openings, active.to_receive, what, party or "", let_in, late)
        active.to_receive = []
        return seat, task

    def _commits_anew(self, seat: Seat, replay: Replay) -> bool:
        """Return whether the keeper replaces a seed chain that was moved here, before the next roll."""
        if replay.game not in self._keepers.moved or replay.session.phase is not Phase.IDLE:
            return False
        moved = False
        with suppress(LedgerError):
            moved = seat.has_moved_chain(replay)
        if not moved:
            self._keepers.moved.discard(replay.game)
        return moved

    def _next_of_judge(self, judge: Seat, kept: KeptGame, active: ActiveGame) -> tuple[ToSign | None, Sequence[str]]:
        """Return what the keeper's judge has to sign, and the parties that its void names."""
        if Due(judge.name, "join") in kept.outstanding():
            return "join", ()
        pending = kept.replay.pending
        if pending is None or active.to_call_off is None or pending.seq != active.to_call_off.request:
            return None, ()
        late = _late(kept, closer=active.to_call_off.closer)
        return ("void" if late else None), late

    # --- in the seats' memories --------------------------------------------------------------------------------------

    def _sign(self, tasks: list[tuple[Seat, _Task]]) -> None:
        """Sign each keeper's part in all its games. A task has the result only when the memory has it durably."""
        for seat, of_seat in by_seat(tasks):
            for again in range(STALE_TRIES, -1, -1):
                try:
                    with seat.group([task.view.game for task in of_seat]):
                        for task in of_seat:
                            try:
                                self._sign_one(seat, task)
                            except LedgerError as error:
                                self._fail(task, error)
                    break
                except LedgerError as error:
                    for task in of_seat:
                        task.received, task.line, task.checkpoint = [], None, None
                    if not again or not isinstance(error, StaleMemoryError):
                        for task in of_seat:
                            self._fail(task, error)
                        break

    def _sign_one(self, seat: Seat, task: _Task) -> None:
        view = task.view
        if view.replay.session.phase is Phase.PENDING:  # else a void came first, whose disclose has the openings
            task.received += [seat.acknowledge(view, sent.opening) for sent in task.to_receive]
        match task.what:
            case None:
                pass
            case "checkpoint":
                task.checkpoint = seat.checkpoint(view)
            case "admit" | "replace":
                task.line = _let_in(seat, task)
            case "away":
                task.line = seat.away(view, task.party)
            case "void":
                task.late = self._unacknowledged(view, task.late)
                task.line = seat.void(view, task.late)
            case what:
                task.line = seat.due(what, view, task.openings, self._links)

    def _unacknowledged(self, view: GameView, names: Sequence[str]) -> list[str]:
        """Return the parties whose openings have no receipt of the keeper's, by its memory."""
        keeper, pending = self._keepers.seat(view.replay), view.replay.pending
        assert keeper is not None, "the keeper was examined"
        assert pending is not None, "only a roll that waits is called off"
        given = keeper.keyless.acknowledged(view.game, pending.request)
        return [name for name in names if name not in given]

    # --- in the store ------------------------------------------------------------------------------------------------

    def _store(self, tasks: list[tuple[Seat, _Task]]) -> None:
        # Checkpoints and receipts alone are not synced: those that a crash of the machine loses are signed again.
        durable = any(task.line is not None for _, task in tasks)
        try:
            with self._ledger.group((task.view.game for _, task in tasks), durable=durable):
                for _, task in tasks:
                    self._store_one(task)
        except StoreError as error:
            for _, task in tasks:
                self._fail(task, error)
            return
        for _, task in tasks:
            active = self._games[task.view.game]
            for received in task.received:
                active.received[received.request, received.author] = received
                active.news.append(NewReceived(received))
            if task.line is not None:
                active.news.append(NewLine(task.view.replay.size, task.line))
                active.closed |= task.what == "close"
            if task.checkpoint is not None:
                active.news.append(NewCheckpoint(task.checkpoint))

    def _store_one(self, task: _Task) -> None:
        self._ledger.keep_signed(task.received)
        if task.checkpoint is not None:
            self._ledger.keep_signed([task.checkpoint])
        if task.line is None:
            return
        try:
            if task.let_in is not None:
                task.let_in.receipt = self._ledger.append(task.view.game, task.line)
                task.let_in.new = True
            elif task.what != "void":
                self._ledger.append(task.view.game, task.line)
            elif not self._ledger.append_void(task.view.game, task.line, task.late):
                task.line = None
        except RefusedError as error:
            task.line = None
            if not error.code.startswith("chain."):  # else another program wrote to the store: sign again
                self._fail(task, error)
            elif task.let_in is not None:
                self._games[task.view.game].to_let_in.append(task.let_in)

    def _fail(self, task: _Task, error: LedgerError) -> None:
        """Record that the keeper, or its judge, does no more in this game."""
        if task.what in ("join", "void"):
            self._games[task.view.game].judging = False
            return
        self._games[task.view.game].failed = KeeperFailure.of(error, size=task.view.replay.size)
        self._keepers.unsound(task.view.game)


def _next(kept: KeptGame) -> ToSign | None:
    """Return what the keeper has to sign next; a checkpoint comes when it has no more lines to write."""
    keeper = kept.replay.terms.keeper
    unsigned = kept.checkpoint is None or kept.checkpoint.head.size < kept.replay.size
    for due in kept.outstanding():
        if due.party != keeper:
            continue
        match due:
            case Due(what="commit" | "reveal" | "disclose" as what):
                return what
            case _:
                break
    return "checkpoint" if unsigned else None


def _let_in(seat: Seat, task: _Task) -> bytes | None:
    """Sign an `admit` or a `replace`; None if the log would refuse it: the wishing party gets that answer."""
    assert task.let_in is not None
    operation = task.let_in.operation
    assert isinstance(operation, LetIn)
    try:
        return seat.sign(task.view, operation.what, operation.body)
    except RefusedError as error:
        task.let_in.error = error
        return None


def _late(kept: KeptGame, *, closer: bool) -> list[str]:
    """Return the parties that the keeper's judge names when a turn lasted too long; `closer`: the closer's turn.

    The closer opens after all others, so it is named only if it alone is awaited.
    """
    pending, awaited = kept.replay.pending, kept.awaited
    if pending is None or awaited == (pending.closer,):
        return list(awaited) if closer else []
    return [name for name in awaited if name != pending.closer]
