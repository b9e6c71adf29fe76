"""The fork guard: a seat's checks before it signs or opens (specs/seats.md, whose numbers the comments give)."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import islice

import msgspec

from ledger.errors import (
    BehindError,
    ForkError,
    MemoryLostError,
    MissingError,
    RefusedError,
    StoppedError,
    TurnError,
    UntakenError,
)
from ledger.game.party_view import View
from ledger.seats.memory import Turn
from ledger.seats.records import OwnChain, Record, RememberedReceipt, SeatHead
from rules import Ruling
from rules.data.language import N_, Message
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint, keeper_signed, parse_checkpoint
from verifier.log.bodies import PROTOCOL_BODIES, AwayBody, Close, Commit, Disclose, LeaveBody, Opening, Reveal, Void
from verifier.log.format import Envelope, decode_body, glance
from verifier.log.merkle import MerkleTree, leaf_hash
from verifier.log.terms import Terms
from verifier.replay import Replay

__all__ = [
    "MAX_AHEAD",
    "add_receipt",
    "check_before_signing",
    "check_log",
    "check_receipts",
    "check_taken",
    "no_party",
    "waits",
]

MAX_AHEAD = timedelta(minutes=5)
"""how far ahead of a party's own clock the log that it signs on may be dated"""

_OF_OTHERS = frozenset({"reveal", "void", "disclose", "close", "leave", "away", "ruling"})
"""types of others' events whose bodies can concern a party"""


def check_before_signing(turn: Turn, view: View, key: VerifierKey, now: str) -> None:
    """Do steps 1 to 6. The turn's record keeps what was seen, and the reason to stop, if one was found.

    Raises ForkError, BehindError, StoreError, MemoryLostError, UsageError, RefusedError (a date ahead), StoppedError.
    """
    check_log(turn, view, key)  # 1
    if key.name != view.replay.terms.keeper:
        _hold_checkpoint(turn, view)
    check_receipts(turn, view, key.name)  # 2
    terms = view.replay.terms
    me = next((name for name, other in terms.keys.items() if other.public_bytes == key.public_bytes), None)
    if waits(view.replay, key):
        me = key.name
    if me is not None:
        _Walk(turn.record, view, me, new=waits(view.replay, key)).take(turn)  # 3
        turn.settle()
    if me != key.name:  # 4
        raise TurnError(no_party(terms, key))
    _check_clock(view, now, me)  # 5
    if turn.record.stopped:  # 6
        raise StoppedError(
            f"{me} signs and opens nothing more in game {terms.game.hex()[:12]}: {turn.record.stopped}. "
            f"Tell the others and the judge, without using this server."
        )


# --- 1: the log ------------------------------------------------------------------------------------------------------


def check_log(turn: Turn, view: View, key: VerifierKey) -> None:
    """Check that the log continues what the seat with this key has verified, and that it has verified the rest."""
    replay, head, name = view.replay, turn.record.head, key.name
    if turn.since and not head.size:
        opened = glance(next(view.lines(0))).time
        if opened <= turn.since:
            raise MemoryLostError(
                f"{name}'s memory was begun anew at {turn.since}, and this game was opened before: {name} signs and "
                f"opens nothing in it"
            )
    if replay.size < head.size:
        raise BehindError(
            f"{name} has seen {head.size} events of this game, but this log has {replay.size}: its end is "
            f"missing. Get the whole log before {name} signs anything."
        )
    if head.size and view.leaf(head.size - 1).hex() != head.leaf:
        raise ForkError(
            f"this log differs from what {name} saw, at event {head.size - 1} or before: it was forked. "
            f"Keep both versions and ask a judge; {name} signs nothing on this one."
        )
    if view.trusted > head.size or not view.stands_for(key):
        view.verify(head.size, key)


# --- 2: receipts -----------------------------------------------------------------------------------------------------


def add_receipt(turn: Turn, view: View, receipt: SignedCheckpoint) -> None:
    """Hold a checkpoint, not yet compared. Raises UsageError where it is not the keeper's of this game."""
    terms = view.replay.terms
    if receipt.head.game != terms.game:
        raise MissingError(f"this is a receipt of game {receipt.head.game.hex()}, not of {terms.game.hex()}")
    if not keeper_signed(receipt, terms.keys[terms.keeper]):
        raise MissingError(f"this receipt has no signature of {terms.keeper}, the keeper, that holds: it is worthless")
    if all(parse_checkpoint(held.note.encode()).head != receipt.head for held in turn.record.receipts):
        held = RememberedReceipt(receipt.head.size, receipt.head.root.hex(), bytes(receipt).decode())
        turn.change(receipts=(*turn.record.receipts, held))


def check_receipts(turn: Turn, view: View, name: str) -> None:
    """Check that the log has all lines that the receipts cover.

    A receipt is compared with a log once: then the leaf hash of its last line stands for all lines before it. Of the
    receipts that agreed the largest is kept, which covers all that the others cover.
    """
    replay, receipts = view.replay, turn.record.receipts
    agreed = max((held for held in receipts if held.leaf), key=lambda held: held.size, default=None)
    new = sorted((held for held in receipts if not held.leaf), key=lambda held: held.size)
    if agreed is not None:
        if agreed.size > replay.size:
            raise _short(view, name, agreed.size)
        if view.leaf(agreed.size - 1).hex() != agreed.leaf:
            raise _fork(view, name, agreed.size)
    # Only on a log that passed the checks above: so these receipts are of the same history.
    within = [held for held in new if held.size <= replay.size]
    if within:
        roots = _roots(view, {held.size for held in within})
        for held in within:
            if roots[held.size].hex() != held.root:
                raise _fork(view, name, held.size)
        compared = [msgspec.structs.replace(held, leaf=view.leaf(held.size - 1).hex()) for held in within]
        largest = max([*compared, *([agreed] if agreed else [])], key=lambda held: held.size)
        turn.change(receipts=(largest, *(held for held in new if held.size > replay.size)))
        turn.settle()
    if len(within) < len(new):
        raise _short(view, name, new[-1].size)


def _short(view: View, name: str, size: int) -> BehindError:
    return BehindError(
        f"{_holds(view, name)} for {size} events of this game, but this log has {view.replay.size}: its end is "
        f"missing. Get the whole log before {name} signs anything."
    )


def _fork(view: View, name: str, size: int) -> ForkError:
    return ForkError(
        f"{_holds(view, name)} for another history of the first {size} events: the game was forked. "
        f"Keep receipt and log and show both to a judge; {name} signs nothing on this one."
    )


def _holds(view: View, name: str) -> str:
    return f"{name} holds a receipt of {view.replay.terms.keeper}, the keeper,"


def _roots(view: View, sizes: set[int]) -> dict[int, bytes]:
    """Return the roots of the game's first lines, by their number."""
    if sizes == {view.replay.size}:  # the head on show, as with every receipt of an event just made
        return {view.replay.size: view.replay.tree.root()}
    tree, roots, lines = MerkleTree(), {}, view.lines(0)
    for size in sorted(sizes):
        for line in islice(lines, size - tree.size):
            tree.append(leaf_hash(line))
        roots[size] = tree.root()
    return roots


def _hold_checkpoint(turn: Turn, view: View) -> None:
    """Keep the checkpoint that came with the log, unless one of more lines is held."""
    came = view.checkpoint
    if came is not None and came.head.size >= max((held.size for held in turn.record.receipts), default=0):
        add_receipt(turn, view, came)
        turn.settle()


def _taken(record: Record, view: View) -> int:
    """Return the number of lines that the keeper took, by its last event or a receipt, which agrees with the log."""
    return max([view.replay.sealed + 1, *(held.size for held in record.receipts)])


def check_taken(turn: Turn, view: View, name: str, *, whole: bool = False) -> None:
    """Verify that every line after the last one that the keeper has taken is the party's own. Raises UntakenError.

    With `whole`, its own count too: the keeper has taken the whole log.
    """
    terms, first = view.replay.terms, _taken(turn.record, view)
    for seq, line in enumerate(view.lines(first), first):
        author = glance(line).author
        if whole or author != name:
            raise UntakenError(
                f"it is not known whether {terms.keeper}, the keeper, has taken event {seq} of {author}. Until it has, "
                f"{name} signs nothing after it",
                "keeper.take",
                terms.keeper,
                game=terms.game.hex()[:12],
            )


# --- 3: its own name -------------------------------------------------------------------------------------------------


class _Walk:
    """Reads each line after the head, and checks that the seat remembers those in its name."""

    def __init__(self, record: Record, view: View, me: str, *, new: bool) -> None:
        """With `new`, the seat's key is yet to take its place."""
        self._record, self._view, self._me = record, view, me
        self._taken = view.replay.size if me == view.replay.terms.keeper else _taken(record, view)
        """the new head: later lines may yet be replaced, so they are read each time and not recorded"""
        replaced = view.replay.conduct.replaced.items()
        self._since = max((seq for seq, each in replaced if each.party == me), default=0)
        """the join of its key, where that took the place of another's, whose events and openings are not its own"""
        if new:
            self._since = view.replay.size
        self._warnings: list[str] = []
        self._tip = ""
        """of its latest chain, where its commit was taken"""
        self._request = ""
        """the request that was revealed, voided or closed over last"""
        self._denied = record.denied

    def take(self, turn: Turn) -> None:
        """Read the lines, and record what was seen."""
        start, replay = self._record.head.size, self._view.replay
        if start == replay.size:
            return
        for line in self._view.lines(max(start - 1, 0)):  # a disclose follows a void, which may be the head
            envelope = glance(line)
            if envelope.type in ("reveal", "void", "close"):
                self._request = envelope.prev
            if envelope.seq < start or envelope.seq < self._since:
                continue
            stopped = self._line(envelope, leaf_hash(line).hex())
            if stopped:
                turn.change(stopped=self._record.stopped or stopped, warnings=self._all_warnings())
                return
        turn.change(
            head=SeatHead(self._taken, self._view.leaf(self._taken - 1).hex()),
            # An event that is at another place than it was signed for can never come.
            signed={leaf: seq for leaf, seq in self._record.signed.items() if seq >= self._taken},
            warnings=self._all_warnings(),
            chains=self._chains_in_use(),
            denied=self._denied,
        )

    def _all_warnings(self) -> tuple[str, ...]:
        return (*self._record.warnings, *(text for text in self._warnings if text not in self._record.warnings))

    def _line(self, envelope: Envelope, leaf: str) -> str | None:
        """Return the reason to stop, if the line shows one."""
        mine = envelope.author == self._me
        if mine and leaf not in self._record.signed:
            return (
                f"event {envelope.seq}, a {envelope.type}, is signed with {self._me}'s key, but not by {self._me} on "
                f"this machine. Either somebody else has the key, or {self._me}'s memory was lost"
            )
        if envelope.type not in _OF_OTHERS and not (mine and envelope.type == "commit"):
            return None
        body = decode_body(envelope.body, PROTOCOL_BODIES[envelope.type], envelope.type)
        match body:
            case Reveal() | Disclose() | Close():
                openings = body.openings if isinstance(body.openings, tuple) else ()
                if not all(self._remembers(opening) for opening in openings if opening.author == self._me):
                    return (
                        f"event {envelope.seq}, a {envelope.type}, has an opening by {self._me}'s key that {self._me} "
                        f"did not make on this machine. Either somebody else has the key and the seeds, or "
                        f"{self._me}'s memory was lost"
                    )
            case Commit() if envelope.seq < self._taken:
                self._tip = body.tip
            case Void() if self._me in body.missing and self._opened():
                if envelope.author == self._view.replay.terms.keepers_judge and envelope.seq < self._taken:
                    self._denied = self._request
                self._warn(
                    envelope,
                    f"says that {self._me} did not open for roll {body.roll_index}. {self._me} did: show the opening "
                    f"and its receipts to the judge",
                )
            case LeaveBody() | AwayBody() if body.party == self._me and not mine:
                done = f"took {self._me} out of the game" if envelope.type == "leave" else f"signed {self._me} away"
                self._warn(envelope, done)
            case Ruling() if body.ruling in ("void", "correct") and self._event(body.subject).author == self._me:
                done = "ruled void" if body.ruling == "void" else "corrected"
                from verifier.shell.display import known_rolls

                what = known_rolls(self._view.replay.session)(body.subject) or self._event(body.subject).type
                self._warn(envelope, f"{done} event {body.subject} ({what}). The reason: {body.text}")
            case _:
                pass
        return None

    def _warn(self, envelope: Envelope, text: str) -> None:
        game = self._view.replay.terms.game.hex()[:12]
        if envelope.seq < self._taken:
            self._warnings.append(f"game {game}, event {envelope.seq}: {envelope.author} {text}")

    def _event(self, seq: int) -> Envelope:
        return glance(next(self._view.lines(seq)))

    def _opened(self) -> bool:
        return self._request in {chain.request for chain in self._record.chains}

    def _remembers(self, opening: Opening) -> bool:
        """Return whether the seat made an opening. The last line that it had seen then was the request."""
        return (opening.index, self._request) in {(chain.opened, chain.request) for chain in self._record.chains}

    def _chains_in_use(self) -> tuple[OwnChain, ...]:
        """Without those that a later commit, which the keeper has taken, has replaced."""
        chains = self._record.chains
        first = next((at for at, chain in enumerate(chains) if chain.tip == self._tip), 0)
        return chains[first:]


# --- 4, 5 ------------------------------------------------------------------------------------------------------------


def waits(replay: Replay, key: VerifierKey) -> bool:
    """Return whether a party may join with this key, which replaces its earlier one."""
    asked = replay.session.parties.asked.get(key.name)
    return asked is not None and asked.key == str(key)


def no_party(terms: Terms, key: VerifierKey) -> str:
    """Return why this key signs and opens nothing in a game with these terms, of which it is no party."""
    keys: Mapping[str, VerifierKey] = terms.keys
    game = terms.game.hex()[:12]
    if key in terms.former.get(key.name, ()):
        return (
            f"{key.name} goes on under another key in game {game}: this one signs and opens nothing more there. If the "
            f"other key is not yours, tell the others and the judge, without using this server"
        )
    if key.name not in keys:
        return f"{key.name} is no party of game {game}; the parties are {', '.join(keys)}"
    return f"the key of {key.name} here, {key}, is not the {key.name} of game {game}: {keys[key.name]}"


def _check_clock(view: View, now: str, me: str) -> None:
    time = view.replay.time
    if datetime.fromisoformat(time) > datetime.fromisoformat(now) + MAX_AHEAD:
        text = N_(
            "the log's last event is dated {time}, more than {minutes} minutes ahead of the clock here ({clock}): "
            "{name} signs and opens nothing on it. Set the clock right, or wait."
        )
        minutes = MAX_AHEAD.seconds // 60
        raise RefusedError(Message(text, time=time, minutes=minutes, clock=now, name=me), "time.ahead", None)
