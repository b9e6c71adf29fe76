"""A keeper's program that serves many games to parties on other machines (specs/network.md).

A batch of operations goes in; the outcome of each comes out, and the news for the readers of the games. A batch has two
steps:

    1  The lines of others are verified and stored, in one transaction.
    2  The keeper signs all that is then outstanding in these games, in one transaction of its seat's memory, and only
       then stores it, in one transaction of the store. This repeats until each line is under a checkpoint.

So nothing that was answered can be lost (specs/seats.md), and the keeper remembers nothing that its store may lose. If
the keeper cannot sign in a game, only that game stops. It ends no roll by itself; if it has the seat of a judge that
event 0 names as the keeper's, the judge joins, and voids on request.

The host knows no network, socket or timer. One thread at a time writes; any thread may read the store.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from threading import Lock
from typing import Literal, TypeVar

from msgspec import UNSET, Struct

from ledger.errors import (
    BehindError,
    LedgerError,
    MissingError,
    NotTakenError,
    RefusedError,
    StaleMemoryError,
    StoreError,
    UsageError,
)
from ledger.game.core import Due, KeptGame
from ledger.keeper.calling_away import Calling
from ledger.keeper.catching_up import LackingGame
from ledger.keeper.operations import (
    BatchResult,
    CallOff,
    CatchUp,
    CaughtUp,
    CloseGame,
    CreateGame,
    HandIn,
    HandInReceived,
    KeeperFailure,
    LetIn,
    NewCheckpoint,
    NewLine,
    NewOpening,
    NewReceived,
    News,
    Offer,
    OpenGame,
    OpeningOutcome,
    Operation,
    Outcome,
    ReceiptOutcome,
    Rejection,
    Resume,
    ResumeOutcome,
    Stands,
)
from ledger.seats.memory import Record
from ledger.seats.seat import Seat
from ledger.seats.seed_chain import DEFAULT_CHAIN_LENGTH
from ledger.store.ledger import GameView, Ledger, Receipt
from rules.data.language import N_, Message
from rules.protocol import Phase
from verifier import Failure, Replay, VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.format import AdmitBody, Opening, ReplaceBody, decode_envelope, glance, signed_message
from verifier.log.merkle import leaf_hash
from verifier.opening import ReceivedOpening, SentOpening

__all__ = ["Host", "Quota", "ends"]


_Beginning = OpenGame | CreateGame
"""operations that create a game"""

STALE_TRIES = 5
"""times that a keeper signs anew where another machine of its own was at one of the games at the same time"""

_ENDS = frozenset({"void", "leave"})
"""types of events that end something"""


class Quota(Struct, frozen=True):
    """The bounds of a log."""

    lines: int
    bytes: int


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
        going_on: Callable[[Replay], Collection[str]] = lambda _replay: (),
    ) -> None:
        """`seats` are those of keepers, `judge` that of their judge; the owner closes them.

        `links`: the length of each new seed chain; `quota`: the bounds of each game, None: no bounds; `streaming`
        returns the parties of a game that have a stream open, or had one just now, and is called in any thread;
        `going_on` those in whose place somebody asks to go on.
        """
        self.ledger = ledger
        self.streaming = streaming
        self.going_on = going_on
        self.calling = Calling(ledger, lambda game: self.streaming(game), going_on=lambda replay: self.going_on(replay))
        self.links = links
        self.judge = judge
        self._seats = {seat.key.public_bytes: seat for seat in seats}
        self._sound: dict[bytes, KeptGame] = {}
        """games as they are kept, in which the keeper has looked at all that the store had when they were read"""
        self._working = Lock()
        self._quota = quota
        self.moved: set[bytes] = set()
        """games in which a keeper's seed chain was moved here, and nothing was committed since"""

    def process(self, operations: Sequence[Operation]) -> BatchResult:
        """Do a batch. Everything that comes of it is durable when this returns; it raises no LedgerError."""
        with self._working:
            return _Batch(self, operations).run()

    def resume(self) -> BatchResult:
        """Finish all steps that the keepers left undone when their program ended.

        Where a keeper was moved here, it commits anew in each game in which no roll waits.
        """
        self.moved = {game for seat in self._seats.values() for game in seat.moved_games()} & self.ledger.idle()
        return self.process([Resume(game) for game in sorted({*self.ledger.unfinished(), *self.moved})])

    def seat(self, replay: Replay) -> Seat | None:
        """That of a game's keeper, by its key; None where it is not at hand."""
        terms = replay.terms
        return self.keeper_at(terms.keys[terms.keeper])

    def judge_of(self, replay: Replay) -> Seat | None:
        """That of the judge which event 0 names as the keeper's; None where it names none, or it is not at hand."""
        name, judge = replay.terms.keepers_judge, self.judge
        if name is None or judge is None or str(replay.terms.keys[name]) != str(judge.key):
            return None
        return judge

    def keeper_at(self, key: VerifierKey) -> Seat | None:
        """The seat with this key and its name."""
        seat = self._seats.get(key.public_bytes)
        return seat if seat is not None and seat.key.name == key.name else None

    # --- a game that the keeper may go on in -------------------------------------------------------------------------

    def examine(self, games: Iterable[bytes]) -> dict[bytes, KeeperFailure]:
        """Return the games in which the keeper would sign nothing, with the reason, before anything is taken.

        Else a restored store would take lines in the places of others for which the keeper has signed. The ledger
        notices the restore, and reads the game again.
        """
        games = list(games)
        problems: dict[bytes, KeeperFailure] = {}
        unseen: list[tuple[Seat, tuple[KeptGame, GameView]]] = []
        with self.ledger.looking(games):
            for game in games:
                try:
                    kept = self.ledger.live(game)
                except LedgerError as error:
                    problems[game] = self._unread(game, error)
                    continue
                if self._sound.get(game) is kept:
                    continue
                seat = self.seat(kept.replay)
                if seat is None:
                    keeper = kept.replay.terms.keeper
                    problem = f"{keeper}, the keeper of game {game.hex()[:12]}, is not here"
                    problems[game] = KeeperFailure("keeper.away", problem, kept.replay.size)
                else:
                    unseen.append((seat, (kept, self.ledger.view_of(kept))))
        for seat, found in _by_seat(unseen):
            problems |= _unsigned(seat, [view for _, view in found])
        self._sound.update((view.game, kept) for _, (kept, view) in unseen if view.game not in problems)
        return problems

    def _unread(self, game: bytes, error: LedgerError) -> KeeperFailure:
        """Return why a game cannot be read. One that the keeper has signed in, and that is missing, was put back."""
        if isinstance(error, UsageError):
            with suppress(LedgerError):
                if self._who_has_seen(game) is not None:
                    error = BehindError(f"game {game.hex()[:12]} is not here any more: the database was put back")
        return _failed(error, "not-found" if isinstance(error, UsageError) else None)

    def unsound(self, game: bytes) -> None:
        """The keeper could not sign in it: it looks at all of it again."""
        self._sound.pop(game, None)

    def sound(self, game: bytes) -> KeptGame | None:
        """The game as it was kept when the keeper last looked at all of it."""
        return self._sound.get(game)

    def check_room(self, kept: KeptGame, line: bytes) -> None:
        """Check that a game has room for another party's line. Raises RefusedError.

        Events that end a roll, or a party's part in the game, are always taken, and so are the keeper's own.
        """
        quota = self._quota
        if quota is None or (kept.replay.size < quota.lines and kept.bytes + len(line) < quota.bytes):
            return
        if not ends(line):
            text = N_("This game is as long as this server takes games: close it, and go on in another one.")
            raise RefusedError(Message(text), "game.full", None)

    # --- a log that somebody brings ----------------------------------------------------------------------------------

    def lacking(self, game: bytes) -> LackingGame | None:
        """Return what the store lacks of a game; None if its keeper has seen no more than the store has.

        Raises MissingError if no keeper here knows the game, UsageError if its keeper is elsewhere; LedgerError.
        """
        try:
            replay = self.ledger.view(game).replay
        except MissingError:
            seat = self._who_has_seen(game)
            if seat is None:
                raise
            here, head = 0, b""
        else:
            seat, here, head = self.seat(replay), replay.size, replay.head
            if seat is None:
                raise UsageError(f"{replay.terms.keeper}, the keeper of game {game.hex()[:12]}, is not here") from None
        record = seat.seen(game)
        if record.head.size <= here:
            return None
        return LackingGame(game, here, head, record.head.size, record.head.leaf, record.signed)

    def _who_has_seen(self, game: bytes) -> Seat | None:
        """The seat that remembers a game which is not here, and was not deleted."""
        if self.ledger.is_deleted(game):
            return None
        return next((seat for seat in self._seats.values() if seat.seen(game) != Record()), None)


_What = Literal["commit", "reveal", "disclose", "close", "checkpoint", "admit", "replace", "away", "join", "void"]
"""the events that a keeper signs; the last two are its judge's"""


class _Played(Struct):
    """A game in which something was taken in this batch."""

    news: list[News] = []
    to_receive: list[SentOpening] = []
    """openings for which the keeper has not signed a receipt"""
    received: dict[tuple[str, str], ReceivedOpening] = {}
    """the keeper's receipts, by request and author"""
    to_close: bool = False
    """close the game when nothing else is outstanding for the keeper"""
    closed: bool = False
    """by this batch"""
    to_let_in: list[int] = []
    """indices of operations that admit a party, done when nothing else is outstanding for the keeper"""
    to_call_off: CallOff | None = None
    """the request that the keeper's judge voids when nothing else is outstanding"""
    judging: bool = True
    """whether that judge still does its part"""
    failed: KeeperFailure | None = None
    """why the keeper does no more in it"""
    signed: SignedCheckpoint | None = None
    """the latest, when it was looked at last"""


class _Task(Struct):
    """One signature that a keeper owes in a game, and its result."""

    view: GameView
    openings: tuple[Opening, ...]
    to_receive: Sequence[SentOpening]
    what: _What | None
    party: str = ""
    """the party that the keeper calls away"""
    let_in: int | None = None
    """the operation by which it lets somebody in"""
    late: Sequence[str] = ()
    """the parties that its judge names missing"""
    received: list[ReceivedOpening] = []
    line: bytes | None = None
    checkpoint: SignedCheckpoint | None = None


class _Batch:
    """One batch of operations."""

    def __init__(self, host: Host, operations: Sequence[Operation]) -> None:
        self._host = host
        self._ledger = host.ledger
        self._operations = operations
        self._outcomes: dict[int, Outcome] = {}
        self._errors: dict[int, RefusedError] = {}
        self._receipts: dict[int, Receipt] = {}
        """receipts of stored lines by operation; the keeper has yet to sign for them"""
        self._new: set[int] = set()
        """operations that changed something"""
        self._played: dict[bytes, _Played] = {}

    def run(self) -> BatchResult:
        first = self._first_of_each()
        waiting = [index for index in range(len(self._operations)) if first[index] == index]
        waiting = self._catch_up(waiting)
        waiting = self._answer_known(waiting)
        self._take(waiting)
        while tasks := self._tasks():
            self._sign(tasks)
            self._store(tasks)
        outcomes = tuple(self._outcomes.get(each) or self._outcome(each) for each in first)
        return BatchResult(outcomes, {game: played.news for game, played in self._played.items() if played.news})

    def _first_of_each(self) -> list[int]:
        """Return the index of the first equal operation for each: an operation sent twice is done once."""
        seen: dict[object, int] = {}
        first = []
        for index, operation in enumerate(self._operations):
            first.append(seen.setdefault(index if isinstance(operation, _Beginning) else operation, index))
        return first

    def _game(self, index: int) -> _Played:
        operation = self._operations[index]
        assert not isinstance(operation, _Beginning)
        return self._played.setdefault(operation.game, _Played())

    def _games(self, waiting: Sequence[int]) -> set[bytes]:
        operations = map(self._operations.__getitem__, waiting)
        return {operation.game for operation in operations if not isinstance(operation, _Beginning)}

    # --- missing lines -----------------------------------------------------------------------------------------------

    def _catch_up(self, waiting: list[int]) -> list[int]:
        """Take missing lines, each log by itself, so that an invalid one affects no other. Readers must start anew."""
        others = []
        for index in waiting:
            operation = self._operations[index]
            if not isinstance(operation, CatchUp):
                others.append(index)
                continue
            try:
                size = self._ledger.fill(operation.game, operation.first, operation.lines)
            except LedgerError as error:
                code = "not-found" if isinstance(error, MissingError) else None
                self._outcomes[index] = _failed(error, code, self._size(operation.game))
            else:
                self._outcomes[index] = CaughtUp(size, len(operation.lines))
        return others

    # --- known operations --------------------------------------------------------------------------------------------

    def _answer_known(self, waiting: list[int]) -> list[int]:
        """Answer operations that are stored already, are for no game of this keeper, or come in its own name."""
        games = self._games(waiting)
        problems = self._host.examine(games)
        with self._ledger.looking(games):
            for index in waiting:
                operation = self._operations[index]
                if not isinstance(operation, _Beginning):
                    self._answer_one(index, operation.game, problems.get(operation.game))
        return [index for index in waiting if index not in self._outcomes and index not in self._errors]

    def _answer_one(self, index: int, game: bytes, problem: KeeperFailure | None) -> None:
        if problem is None or problem.size:
            try:
                self._know(index, self._ledger.live(game), sound=problem is None)
            except LedgerError as error:  # the game was deleted, or another program changed the store
                self._host.unsound(game)
                problem = _failed(error, "not-found" if isinstance(error, UsageError) else None)
        if problem is not None and index not in self._outcomes and index not in self._errors:
            self._outcomes[index] = problem

    def _know(self, index: int, kept: KeptGame, *, sound: bool) -> None:
        match self._operations[index]:
            case Offer(line=line):
                self._know_line(index, kept, line, sound=sound)
            case HandIn(sent):
                self._know_opening(index, kept, sent)
            case HandInReceived(received):
                self._know_received(index, kept, received)
            case Resume() if sound:
                self._game(index)
            case CloseGame() if sound:
                self._game(index).to_close = True
            case LetIn(body=body):
                known = _known_newcomer(kept, body) if isinstance(body, AdmitBody) else _known_new_key(kept, body)
                self._know_newcomer(index, kept, known, sound=sound)
            case CallOff() as call_off if sound:
                self._game(index).to_call_off = call_off

    def _know_line(self, index: int, kept: KeptGame, line: bytes, *, sound: bool) -> None:
        try:
            envelope = glance(line)
        except Failure:
            return  # the next step refuses it
        replay, seq, keeper = kept.replay, envelope.seq, kept.replay.terms.keeper
        if 0 <= seq < replay.size and list(self._ledger.lines(replay.game, seq, seq + 1)) == [line]:
            leaf, root = leaf_hash(line).hex(), replay.tree.root().hex()
            receipt = Receipt(replay.game.hex(), seq, leaf, replay.size, root, kept.checkpoint)
            if kept.checkpoint is not None and kept.checkpoint.head.size > seq:
                self._outcomes[index] = Stands(receipt, new=False)
            elif sound:
                self._receipts[index] = receipt
                self._game(index)
        elif envelope.author == keeper:
            text = N_("{keeper}, the keeper, writes its own events, and takes them from nobody")
            self._errors[index] = RefusedError(Message(text, keeper=keeper), "author.keeper", None)

    def _know_newcomer(self, index: int, kept: KeptGame, known: int | None, *, sound: bool) -> None:
        """Answer what is written already, as event `known`, as if it were written now."""
        played = self._game(index)
        if known is None:
            if sound:
                played.to_let_in.append(index)
            return
        (line,) = self._ledger.lines(kept.replay.game, known, known + 1)
        root = kept.replay.tree.root().hex()
        self._receipts[index] = Receipt(
            kept.replay.game.hex(), known, leaf_hash(line).hex(), kept.replay.size, root, kept.checkpoint
        )

    def _know_opening(self, index: int, kept: KeptGame, sent: SentOpening) -> None:
        pending, game, opening = kept.replay.pending, kept.replay.game, sent.opening
        request = bytes.fromhex(sent.request)
        waits = pending is not None and pending.request == request
        if waits and opening not in kept.openings:
            return
        if self._ledger.opening(game, request, opening.author) != opening:
            text = N_("Nothing waits for an opening of {author}.")
            self._errors[index] = RefusedError(Message(text, author=opening.author), "opening.set", None)
            return
        keeper = kept.replay.terms.keeper
        by_keeper = (each for each in self._ledger.received(game, request) if each.receiver == keeper)
        received = next((each for each in by_keeper if each.author == opening.author), None)
        if received is not None or not waits:
            self._outcomes[index] = OpeningOutcome(received, new=False)

    def _know_received(self, index: int, kept: KeptGame, received: ReceivedOpening) -> None:
        """Accept a receipt for an opening whose roll is over: it is late, and no mistake."""
        pending, request = kept.replay.pending, bytes.fromhex(received.request)
        if pending is not None and pending.request == request:
            return
        opening = self._ledger.opening(kept.replay.game, request, received.author)
        if opening is not None and (opening.index, opening.link) == (received.index, received.link):
            self._outcomes[index] = ReceiptOutcome(new=False)

    # --- 1: lines of others ------------------------------------------------------------------------------------------

    def _take(self, waiting: list[int]) -> None:
        created = self._open_games(waiting)
        taken: list[tuple[bytes, News]] = []
        try:
            with self._ledger.group(self._games(waiting) | self._begun(waiting, created)):
                for index in waiting:
                    if index not in self._receipts and index not in self._errors and index not in self._outcomes:
                        taken += self._try(index, created.get(index))
        except StoreError as error:
            self._outcomes |= dict.fromkeys(waiting, _failed(error))
            return
        for game, news in taken:
            self._played.setdefault(game, _Played()).news.append(news)
        for index in waiting:
            operation = self._operations[index]
            if isinstance(operation, HandIn) and index not in self._errors and index not in self._outcomes:
                self._game(index).to_receive.append(operation.opening)

    def _begun(self, waiting: Sequence[int], created: Mapping[int, bytes]) -> set[bytes]:
        """Return the games that begin in this batch."""
        operations = map(self._operations.__getitem__, waiting)
        given = (operation.line for operation in operations if isinstance(operation, CreateGame))
        return {leaf_hash(line) for line in (*created.values(), *given)}

    def _try(self, index: int, created: bytes | None) -> list[tuple[bytes, News]]:
        """Take or refuse an operation, within the group; return its news."""
        try:
            new = self._take_one(index, created)
        except RefusedError as error:
            self._errors[index] = error
        except UsageError as error:
            self._outcomes[index] = _failed(error, "not-found")
        else:
            if new is not None:
                self._new.add(index)
                return [new]
        return []

    def _take_one(self, index: int, created: bytes | None) -> tuple[bytes, News] | None:
        """Take an operation, within the group; return its news, if any. Raises RefusedError, UsageError."""
        operation, ledger = self._operations[index], self._ledger
        match operation:
            case Offer(game, line):
                kept = self._host.sound(game)
                if kept is not None:
                    self._host.check_room(kept, line)
                receipt = self._receipts[index] = ledger.append(game, line, upon=kept)
                self._host.calling.took(game, glance(line).type, receipt.seq)
                return game, NewLine(receipt.seq, line)
            case OpenGame() if created is not None:
                receipt = self._receipts[index] = ledger.create(created)
                return bytes.fromhex(receipt.game), NewLine(0, created)
            case CreateGame(line):
                receipt = self._receipts[index] = ledger.create(line)
                return bytes.fromhex(receipt.game), NewLine(0, line)
            case HandIn(sent):
                return (operation.game, NewOpening(sent)) if ledger.hand_in(operation.game, sent.opening) else None
            case HandInReceived(received):
                new = ledger.hand_in_received(received)
                self._outcomes[index] = ReceiptOutcome(new)
                return (operation.game, NewReceived(received)) if new else None
            case _:
                return None

    def _open_games(self, waiting: list[int]) -> dict[int, bytes]:
        """Event 0 of each new game, signed by its keeper."""
        by_seat: list[tuple[Seat, tuple[int, OpenGame]]] = []
        for index in waiting:
            operation = self._operations[index]
            if isinstance(operation, OpenGame):
                keeper = next((key for key, role in operation.parties if role == "keeper"), None)
                seat = None if keeper is None else self._host.keeper_at(keeper)
                if seat is None:
                    self._outcomes[index] = KeeperFailure("keeper.away", "the keeper of this game is not here")
                else:
                    by_seat.append((seat, (index, operation)))
        lines: dict[int, bytes] = {}
        for seat, games in _by_seat(by_seat):
            signed: dict[int, bytes] = {}
            try:
                with seat.group():
                    for index, terms in games:
                        try:
                            signed[index] = seat.open_game(
                                terms.system,
                                terms.options,
                                terms.parties,
                                terms.contributors,
                                terms.title,
                                others_away=terms.others_away,
                                judge=terms.judge,
                                admits=terms.admits,
                                host=terms.host,
                                called=terms.called,
                                sealed=terms.sealed,
                                strikes=terms.strikes,
                            )
                        except RefusedError as error:
                            self._errors[index] = error
            except LedgerError as error:
                for index, _ in games:
                    self._outcomes[index] = _failed(error)
            else:
                lines |= signed
        return lines

    # --- 2: outstanding steps of the keeper --------------------------------------------------------------------------

    def _tasks(self) -> list[tuple[Seat, _Task]]:
        tasks = []
        with self._ledger.looking(self._played):
            for game, played in self._played.items():
                if played.failed is not None:
                    continue
                try:
                    kept = self._ledger.live(game)
                except LedgerError as error:
                    played.failed = _failed(error)
                    continue
                task = self._task(kept, played)
                if task is not None:
                    tasks.append(task)
        return tasks

    def _task(self, kept: KeptGame, played: _Played) -> tuple[Seat, _Task] | None:
        played.signed = kept.checkpoint
        what, seat = _next(kept), self._host.seat(kept.replay)
        if played.to_close and what in (None, "checkpoint") and kept.replay.session.phase is not Phase.CLOSED:
            what = "close"
        if what in (None, "checkpoint") and self._commits_anew(seat, kept.replay):
            what = "commit"
        let_in = None
        if what in (None, "checkpoint") and played.to_let_in:
            let_in = played.to_let_in.pop(0)
            operation = self._operations[let_in]
            assert isinstance(operation, LetIn)
            what = operation.what
        party = self._host.calling.party(kept.replay) if what is None else None
        if party is not None:
            what = "away"
        late: Sequence[str] = ()
        if what is None and not played.to_receive:
            what, late = self._next_of_judge(kept, played)
            seat = seat if what is None else self._host.judge
        if seat is None or (what is None and not played.to_receive):
            return None
        task = _Task(self._ledger.view_of(kept), kept.openings, played.to_receive, what, party or "", let_in, late)
        played.to_receive = []
        return seat, task

    def _commits_anew(self, seat: Seat | None, replay: Replay) -> bool:
        """Return whether the keeper replaces a seed chain that was moved here, before the next roll."""
        if replay.game not in self._host.moved or seat is None or replay.session.phase is not Phase.IDLE:
            return False
        moved = False
        with suppress(LedgerError):
            moved = seat.has_moved_chain(replay)
        if not moved:
            self._host.moved.discard(replay.game)
        return moved

    def _next_of_judge(self, kept: KeptGame, played: _Played) -> tuple[_What | None, Sequence[str]]:
        """Return what the keeper's judge has to sign, if it is here, and the parties that its void names."""
        replay, seat = kept.replay, self._host.judge_of(kept.replay)
        if seat is None or not played.judging:
            return None, ()
        if Due(seat.name, "join") in kept.outstanding():
            return "join", ()
        pending = replay.pending if replay.session.phase is Phase.PENDING else None
        if pending is None or played.to_call_off is None or pending.seq != played.to_call_off.request:
            return None, ()
        late = _late(kept, closer=played.to_call_off.closer)
        return ("void" if late else None), late

    def _sign(self, tasks: list[tuple[Seat, _Task]]) -> None:
        """Sign each keeper's part in all its games. A task has the result only when the memory has it durably."""
        for seat, of_seat in _by_seat(tasks):
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
                task.line = self._let_in(seat, task)
            case "away":
                task.line = seat.away(view, task.party)
            case "void":
                task.late = self._unacknowledged(view, task.late)
                task.line = seat.void(view, task.late)
            case what:
                task.line = seat.due(what, view, task.openings, self._host.links)

    def _let_in(self, seat: Seat, task: _Task) -> bytes | None:
        """Sign an `admit` or a `replace`; None if the log would refuse it, which whoever wishes it is answered."""
        assert task.let_in is not None
        operation = self._operations[task.let_in]
        assert isinstance(operation, LetIn)
        try:
            return seat.sign(task.view, operation.what, operation.body)
        except RefusedError as error:
            self._errors[task.let_in] = error
            return None

    def _unacknowledged(self, view: GameView, names: Sequence[str]) -> list[str]:
        """Return the parties whose openings have no receipt of the keeper's, by its memory."""
        keeper, pending = self._host.seat(view.replay), view.replay.pending
        assert keeper is not None, "the keeper was examined"
        assert pending is not None, "only a roll that waits is called off"
        given = keeper.acknowledged(view.game, pending.request)
        return [name for name in names if name not in given]

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
            played = self._played[task.view.game]
            for received in task.received:
                played.received[received.request, received.author] = received
                played.news.append(NewReceived(received))
            if task.line is not None:
                played.news.append(NewLine(task.view.replay.size, task.line))
                played.closed |= task.what == "close"
            if task.checkpoint is not None:
                played.news.append(NewCheckpoint(task.checkpoint))

    def _store_one(self, task: _Task) -> None:
        self._ledger.keep_signed(task.received)
        if task.checkpoint is not None:
            self._ledger.keep_signed([task.checkpoint])
        if task.line is None:
            return
        try:
            if task.let_in is not None:
                self._receipts[task.let_in] = self._ledger.append(task.view.game, task.line)
                self._new.add(task.let_in)
            elif task.what != "void":
                self._ledger.append(task.view.game, task.line)
            elif not self._ledger.append_void(task.view.game, task.line, task.late):
                task.line = None
        except RefusedError as error:
            task.line = None
            if not error.code.startswith("chain."):  # else another program wrote to the store: sign again
                self._fail(task, error)
            elif task.let_in is not None:
                self._played[task.view.game].to_let_in.append(task.let_in)

    def _fail(self, task: _Task, error: LedgerError) -> None:
        """The keeper, or its judge, does no more in this game."""
        if task.what in ("join", "void"):
            self._played[task.view.game].judging = False
            return
        self._played[task.view.game].failed = _failed(error, size=task.view.replay.size)
        self._host.unsound(task.view.game)

    # --- what became of it -------------------------------------------------------------------------------------------

    def _outcome(self, index: int) -> Outcome:
        operation = self._operations[index]
        if index in self._errors:
            return self._refused(operation, self._errors[index])
        if isinstance(operation, _Beginning | Offer | LetIn):
            receipt = self._receipts.get(index)
            if receipt is None:
                assert isinstance(operation, LetIn), "what is offered is taken or refused"
                failed = self._played[operation.game].failed
                assert failed is not None, "whom the host lets in is let in or refused, or the keeper cannot"
                return failed
            return self._receipt(bytes.fromhex(receipt.game), receipt, new=index in self._new)
        played = self._played[operation.game]
        if isinstance(operation, HandIn):
            sent = operation.opening
            received = played.received.get((sent.request, sent.opening.author))
            if received is None and played.failed is not None:
                return played.failed
            return OpeningOutcome(received, new=index in self._new)
        if isinstance(operation, CloseGame):
            replay = self._ledger.live(operation.game).replay
            if played.failed is not None and replay.session.phase is not Phase.CLOSED:
                return played.failed
            last = Receipt(
                operation.game.hex(), replay.size - 1, replay.head.hex(), replay.size, replay.tree.root().hex()
            )
            return self._receipt(operation.game, last, new=played.closed)
        return played.failed or ResumeOutcome(self._size(operation.game))

    def _receipt(self, game: bytes, receipt: Receipt, *, new: bool) -> Outcome:
        played = self._played[game]
        checkpoint = played.signed
        if checkpoint is None or checkpoint.head.size <= receipt.seq:
            assert played.failed is not None, "a line that is taken ends under a checkpoint, or the keeper cannot"
            return played.failed
        return Stands(Receipt(receipt.game, receipt.seq, receipt.leaf, receipt.size, receipt.root, checkpoint), new)

    def _refused(self, operation: Operation, error: RefusedError) -> Rejection:
        """With the log's end as it is now: another may have been faster in the same batch."""
        with suppress(LedgerError):
            if not isinstance(operation, _Beginning):
                replay = self._ledger.live(operation.game).replay
                return Rejection(error, replay.size, replay.head, _author_of_stale(operation, error, replay))
        return Rejection(error, 0, bytes(32))

    def _size(self, game: bytes) -> int:
        with suppress(LedgerError):
            return self._ledger.live(game).replay.size
        return 0


def _known_newcomer(kept: KeptGame, body: AdmitBody) -> int | None:
    """Return the number of the `admit` of a key that is a party in this role already; None without one."""
    terms, name = kept.replay.terms, VerifierKey.parse(body.key).name
    if str(terms.keys.get(name)) != body.key or terms.roles[name] != body.role:
        return None
    return kept.replay.conduct.late.get(name, (0, True))[0]


def _known_new_key(kept: KeptGame, body: ReplaceBody) -> int | None:
    """Return the number of the `replace` of a key that waits, or of the join by which it took its place."""
    replay, name = kept.replay, VerifierKey.parse(body.key).name
    asked = replay.session.parties.asked.get(name)
    if asked is not None and asked.key == body.key and asked.recovered == (body.succession is not UNSET):
        return asked.replace
    joins = [seq for seq, each in replay.conduct.replaced.items() if each.party == name]
    return joins[-1] if joins and str(replay.terms.keys[name]) == body.key else None


def ends(line: bytes) -> bool:
    """Return True if a line, valid or not, is of a type that ends something."""
    with suppress(Failure):
        return glance(line).type in _ENDS
    return False


T = TypeVar("T")


def _author_of_stale(operation: Operation, error: RefusedError, replay: Replay) -> str | None:
    """Return the author of a line that lost a race, by its signature: anybody can write any name."""
    if not isinstance(operation, Offer) or error.code not in ("chain.seq", "chain.prev"):
        return None
    try:
        event = decode_envelope(operation.line)
    except Failure:
        return None
    key = replay.terms.keys.get(event.author)
    if key is None or event.game != replay.game.hex():
        return None
    return event.author if key.verify(bytes.fromhex(event.sig), signed_message(event)) else None


def _late(kept: KeptGame, *, closer: bool) -> list[str]:
    """Return the parties that the keeper's judge names when a turn lasted too long; `closer`: the closer's turn.

    The closer opens after all others, so it is named only if it alone is awaited.
    """
    pending, awaited = kept.replay.pending, kept.awaited
    if pending is None or awaited == (pending.closer,):
        return list(awaited) if closer else []
    return [name for name in awaited if name != pending.closer]


def _by_seat(pairs: Iterable[tuple[Seat, T]]) -> Iterable[tuple[Seat, list[T]]]:
    """Group pairs by seat."""
    found: dict[int, tuple[Seat, list[T]]] = {}
    for seat, what in pairs:
        found.setdefault(id(seat), (seat, []))[1].append(what)
    return found.values()


def _unsigned(seat: Seat, views: Sequence[GameView]) -> dict[bytes, KeeperFailure]:
    """In which of these games a seat would sign nothing, and why."""
    problems: dict[bytes, KeeperFailure] = {}
    try:
        with seat.group([view.game for view in views]):
            for view in views:
                try:
                    seat.check(view)
                except LedgerError as error:
                    problems[view.game] = _failed(error, size=view.replay.size)
    except LedgerError as error:
        problems |= {view.game: _failed(error, size=view.replay.size) for view in views}
    return problems


def _next(kept: KeptGame) -> _What | None:
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


def _failed(error: LedgerError, code: str | None = None, size: int = 0) -> KeeperFailure:
    """Return the outcome that reports an error of store or seat."""
    match error:
        case BehindError():
            found = "keeper.behind"
        case NotTakenError():
            found = "catch-up"
        case StoreError():
            found = "keeper.failed"
        case RefusedError():
            found = error.code
        case _:
            found = "keeper.stopped"
    return KeeperFailure(code or found, str(error), size)
