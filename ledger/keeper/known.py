"""Answer operations that are stored already, are for no game of this keeper, or come in its own name."""

from collections.abc import Sequence

from msgspec import UNSET

from ledger.errors import LedgerError, RefusedError, UsageError
from ledger.game.core import KeptGame
from ledger.keeper.keepers import Keepers
from ledger.keeper.operations import (
    Acceptance,
    CallOff,
    CloseGame,
    HandIn,
    HandInReceived,
    KeeperFailure,
    LetIn,
    Offer,
    OpeningOutcome,
    ReceiptOutcome,
    Resume,
)
from ledger.keeper.tickets import BEGINNING, ActiveGame, Ticket, activate
from ledger.store.receipts import Receipt
from rules.data.language import N_, Message
from rules.parties import KeyWord
from verifier import Failure, VerifierKey
from verifier.log.bodies import AdmitBody, ReplaceBody
from verifier.log.format import glance
from verifier.log.merkle import leaf_hash
from verifier.opening import ReceivedOpening, SentOpening

__all__ = ["KnownAnswers"]


class KnownAnswers:
    """The answers to what was sent before, and the steps that operations without a line ask for."""

    def __init__(self, keepers: Keepers, games: dict[bytes, ActiveGame]) -> None:
        """`games` are those of the batch in which something is outstanding."""
        self._keepers = keepers
        self._ledger = keepers.ledger
        self._games = games

    def answer(self, tickets: Sequence[Ticket]) -> None:
        """Answer or refuse what can be answered without a write."""
        named = {ticket.game for ticket in tickets if not isinstance(ticket.operation, BEGINNING)}
        problems = self._keepers.examine(named)
        with self._ledger.looking(named):
            for ticket in tickets:
                if not isinstance(ticket.operation, BEGINNING):
                    self._answer_one(ticket, problems.get(ticket.game))

    def _answer_one(self, ticket: Ticket, problem: KeeperFailure | None) -> None:
        if problem is None or problem.size:
            try:
                self._know(ticket, self._ledger.live(ticket.game), sound=problem is None)
            except LedgerError as error:  # the game was deleted, or another program changed the store
                self._keepers.unsound(ticket.game)
                problem = KeeperFailure.of(error, "not-found" if isinstance(error, UsageError) else None)
        if ticket.is_open:
            ticket.outcome = problem

    def _know(self, ticket: Ticket, kept: KeptGame, *, sound: bool) -> None:
        match ticket.operation:
            case Offer(line=line):
                self._know_line(ticket, kept, line, sound=sound)
            case HandIn(sent):
                self._know_opening(ticket, kept, sent, sound=sound)
            case HandInReceived(received):
                self._know_received(ticket, kept, received)
            case Resume() if sound:
                activate(self._games, ticket)
            case CloseGame() if sound:
                activate(self._games, ticket).to_close = True
            case LetIn(body=body) if sound:
                known = _known_newcomer(kept, body) if isinstance(body, AdmitBody) else _known_new_key(kept, body)
                self._know_newcomer(ticket, kept, known)
            case CallOff() as call_off if sound:
                activate(self._games, ticket).to_call_off = call_off

    def _know_line(self, ticket: Ticket, kept: KeptGame, line: bytes, *, sound: bool) -> None:
        try:
            envelope = glance(line)
        except Failure:
            return  # the next step refuses it
        replay, seq, keeper = kept.replay, envelope.seq, kept.replay.terms.keeper
        if 0 <= seq < replay.size and list(self._ledger.lines(replay.game, seq, seq + 1)) == [line]:
            receipt = _receipt(kept, seq, line)
            if kept.checkpoint is not None and kept.checkpoint.head.size > seq:
                ticket.outcome = Acceptance(receipt, new=False)
            elif sound:
                ticket.receipt = receipt
                activate(self._games, ticket)
        elif envelope.author == keeper:
            text = N_("{keeper}, the keeper, writes its own events, and takes them from nobody")
            ticket.error = RefusedError(Message(text, keeper=keeper), "author.keeper", None)

    def _know_newcomer(self, ticket: Ticket, kept: KeptGame, known: int | None) -> None:
        """Answer what is written already, as event `known`, as if it were written now."""
        active = activate(self._games, ticket)
        if known is None:
            active.to_let_in.append(ticket)
            return
        (line,) = self._ledger.lines(kept.replay.game, known, known + 1)
        ticket.receipt = _receipt(kept, known, line)

    def _know_opening(self, ticket: Ticket, kept: KeptGame, sent: SentOpening, *, sound: bool) -> None:
        pending, game, opening = kept.replay.pending, kept.replay.game, sent.opening
        request = bytes.fromhex(sent.request)
        waits = pending is not None and pending.request == request
        if waits and opening not in kept.openings:
            return
        if self._ledger.opening(game, request, opening.author) != opening:
            if sound:  # else its request may be among the lines that are missing here
                text = N_("Nothing waits for an opening of {author}.")
                ticket.error = RefusedError(Message(text, author=opening.author), "opening.set", None)
            return
        keeper = kept.replay.terms.keeper
        by_keeper = (each for each in self._ledger.received(game, request) if each.receiver == keeper)
        received = next((each for each in by_keeper if each.author == opening.author), None)
        if received is not None or not waits:
            ticket.outcome = OpeningOutcome(received, new=False)

    def _know_received(self, ticket: Ticket, kept: KeptGame, received: ReceivedOpening) -> None:
        """Accept a receipt for an opening whose roll is over: it is late, and no mistake."""
        pending, request = kept.replay.pending, bytes.fromhex(received.request)
        if pending is not None and pending.request == request:
            return
        opening = self._ledger.opening(kept.replay.game, request, received.author)
        if opening is not None and (opening.index, opening.link) == (received.index, received.link):
            ticket.outcome = ReceiptOutcome(new=False)


def _receipt(kept: KeptGame, seq: int, line: bytes) -> Receipt:
    """Return the receipt of a stored line, with the log's end as it is now."""
    replay = kept.replay
    leaf, root = leaf_hash(line).hex(), replay.tree.root().hex()
    return Receipt(replay.game.hex(), seq, leaf, replay.size, root, kept.checkpoint)


def _known_newcomer(kept: KeptGame, body: AdmitBody) -> int | None:
    """Return the number of the `admit` of a key that is a party in this role already; None without one."""
    terms, name = kept.replay.terms, VerifierKey.parse(body.key).name
    if str(terms.keys.get(name)) != body.key or terms.roles[name] != body.role:
        return None
    late = kept.replay.conduct.late.get(name)
    return 0 if late is None else late.seq


def _known_new_key(kept: KeptGame, body: ReplaceBody) -> int | None:
    """Return the number of the `replace` of a key that waits, or of the join by which it took its place."""
    replay, name = kept.replay, VerifierKey.parse(body.key).name
    asked = replay.session.parties.asked.get(name)
    if asked is not None and asked.key == body.key and asked.word == _word_of(body):
        return asked.replace
    joins = [seq for seq, each in replay.conduct.replaced.items() if each.party == name]
    return joins[-1] if joins and str(replay.terms.keys[name]) == body.key else None


def _word_of(body: ReplaceBody) -> KeyWord:
    """Return by whose word a `replace` is."""
    if body.succession is not UNSET:
        return "recovery"
    return "others" if body.correction is UNSET else "event"
