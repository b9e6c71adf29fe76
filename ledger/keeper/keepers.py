"""The keepers whose seats are at a program, and the games in which they may go on."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TypeVar

from msgspec import Struct

from ledger.errors import BehindError, LedgerError, MissingError, RefusedError, UsageError
from ledger.game.core import KeptGame
from ledger.keeper.catching_up import LackingGame
from ledger.keeper.operations import KeeperFailure
from ledger.seats.records import Record
from ledger.seats.seat import Seat
from ledger.store.game_view import GameView
from ledger.store.ledger import Ledger
from rules.data.language import N_, Message
from verifier import Failure, Replay, VerifierKey
from verifier.log.format import glance

__all__ = ["Keepers", "Quota", "by_seat", "ends"]

T = TypeVar("T")

_ENDS = frozenset({"void", "leave"})
"""types of events that end something"""


class Quota(Struct, frozen=True):
    """The bounds of a log."""

    lines: int
    bytes: int


class Keepers:
    """Seats of keepers and of their judge, over one store."""

    def __init__(self, ledger: Ledger, seats: Iterable[Seat], judge: Seat | None, quota: Quota | None) -> None:
        self.ledger = ledger
        self.judge = judge
        self.moved: set[bytes] = set()
        """games in which a keeper's seed chain was moved here, and nothing was committed since"""
        self._seats = {seat.key.public_bytes: seat for seat in seats}
        self._sound: dict[bytes, KeptGame] = {}
        """games as they are kept, in which the keeper has looked at all that the store had when they were read"""
        self._quota = quota

    def seat(self, replay: Replay) -> Seat | None:
        """Return the seat of a game's keeper, by its key; None if it is not here."""
        terms = replay.terms
        return self.seat_at(terms.keys[terms.keeper])

    def seat_at(self, key: VerifierKey) -> Seat | None:
        """Return the keeper's seat with this key and its name; None if it is not here."""
        seat = self._seats.get(key.public_bytes)
        return seat if seat is not None and seat.key.name == key.name else None

    def judge_of(self, replay: Replay) -> Seat | None:
        """Return the seat of the judge that event 0 names as the keeper's; None without one, or if it is not here."""
        name, judge = replay.terms.keepers_judge, self.judge
        if name is None or judge is None or str(replay.terms.keys[name]) != str(judge.key):
            return None
        return judge

    def look_for_moved(self) -> None:
        """Find the games in which a keeper's seed chain was moved here, and in which no roll waits."""
        self.moved = {game for seat in self._seats.values() for game in seat.moved_games()} & self.ledger.catalog.idle()

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
        for seat, found in by_seat(unseen):
            problems |= _unsigned(seat, [view for _, view in found])
        self._sound.update((view.game, kept) for _, (kept, view) in unseen if view.game not in problems)
        return problems

    def _unread(self, game: bytes, error: LedgerError) -> KeeperFailure:
        """Return why a game cannot be read. One that the keeper has signed in, and that is missing, was put back."""
        if isinstance(error, UsageError):
            with suppress(LedgerError):
                if self._who_has_seen(game) is not None:
                    error = BehindError(f"game {game.hex()[:12]} is not here any more: the database was put back")
        return KeeperFailure.of(error, "not-found" if isinstance(error, UsageError) else None)

    def unsound(self, game: bytes) -> None:
        """Have all of a game looked at again: the keeper could not sign in it."""
        self._sound.pop(game, None)

    def sound(self, game: bytes) -> KeptGame | None:
        """Return the game as it was kept when the keeper last looked at all of it."""
        return self._sound.get(game)

    def check_room(self, kept: KeptGame, line: bytes) -> None:
        """Check that a game has room for another party's line. Raises RefusedError.

        Events that end a roll, or a party's part in the game, are always taken, and so are the keeper's own.
        """
        quota = self._quota
        if quota is None or (kept.replay.size < quota.lines and kept.bytes + len(line) < quota.bytes):
            return
        if not ends(line):
            text = N_("This game has the maximum length at this server: close it, and go on in another one.")
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
        record = seat.keyless.seen(game)
        if record.head.size <= here:
            return None
        return LackingGame(game, here, head, record.head.size, record.head.leaf, record.signed)

    def _who_has_seen(self, game: bytes) -> Seat | None:
        """Return the seat that remembers a game which is not here, and was not deleted."""
        if self.ledger.is_deleted(game):
            return None
        return next((seat for seat in self._seats.values() if seat.keyless.seen(game) != Record()), None)


def by_seat(pairs: Iterable[tuple[Seat, T]]) -> Iterable[tuple[Seat, list[T]]]:
    """Group pairs by seat."""
    found: dict[int, tuple[Seat, list[T]]] = {}
    for seat, what in pairs:
        found.setdefault(id(seat), (seat, []))[1].append(what)
    return found.values()


def ends(line: bytes) -> bool:
    """Return True if a line, valid or not, is of a type that ends something."""
    with suppress(Failure):
        return glance(line).type in _ENDS
    return False


def _unsigned(seat: Seat, views: Sequence[GameView]) -> dict[bytes, KeeperFailure]:
    """Return those of the games in which a seat would sign nothing, with the reason."""
    problems: dict[bytes, KeeperFailure] = {}
    try:
        with seat.group([view.game for view in views]):
            for view in views:
                try:
                    seat.check(view)
                except LedgerError as error:
                    problems[view.game] = KeeperFailure.of(error, size=view.replay.size)
    except LedgerError as error:
        problems |= {view.game: KeeperFailure.of(error, size=view.replay.size) for view in views}
    return problems
