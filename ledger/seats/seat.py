"""A party's seat at games: all that needs its secrets, and nobody else's (specs/protocol.md, "The course of a roll").

A seat sees a game as a View, checks it against what it remembers (specs/seats.md), and gives back lines and openings.
What it gives back can travel: nothing here knows where the log is kept.

Decided elsewhere: how an event is signed (`event_signer`), whether the log may be signed on (`fork_guard`), which link
may be opened (`seed_vault`), whether the others have opened (`opening_checks`), and how secret rolls are sealed and
shown (`secret_rolls`).
"""

import secrets
from base64 import b64encode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.errors import BehindError, ForkError, TurnError, UsageError, WaitingError
from ledger.game.core import reveal_of
from ledger.game.party_view import View
from ledger.game.times import utc_now
from ledger.lobby import Access, new_access
from ledger.lobby.published import Publish, Revoke, new_publish, new_revoke
from ledger.seats.event_signer import EventSigner
from ledger.seats.identity import Identity
from ledger.seats.keyless_seat import KeylessSeat, acknowledged_authors
from ledger.seats.memory import SeatMemory, Turn
from ledger.seats.opening_checks import check_all_opened, check_openings, pending_or_voided, taken_roll, waiting_roll
from ledger.seats.records import Acknowledgements, SeatHead
from ledger.seats.sealing import hide
from ledger.seats.secret_rolls import needs_seal, new_seal, owed_show, own_secret, show_body
from ledger.seats.seed_chain import DEFAULT_CHAIN_LENGTH
from ledger.seats.seed_vault import SeedVault
from ledger.seats.snapshots import Snapshots
from rules import Body, Role
from rules.data.bounds import MAX_TAGS
from rules.protocol import REQUESTS, Back, Phase
from verifier import Replay, VerifierKey
from verifier.checkpoints.checkpoint import Checkpoint, SignedCheckpoint, sign_checkpoint
from verifier.checkpoints.note import Note, format_note, signature_line
from verifier.dice.derivation import received_message
from verifier.dice.pending import PendingRoll
from verifier.log.bodies import (
    MAX_CHAIN,
    MIN_CHAIN,
    ORDINARY,
    AwayBody,
    Close,
    Continued,
    Contributing,
    Disclose,
    JoinBody,
    LeaveBody,
    ObjectBody,
    Open,
    Opening,
    Party,
    Permissions,
    Void,
)
from verifier.log.format import FORMAT
from verifier.log.merkle import leaf_hash, root_of
from verifier.log.plainjson import encode
from verifier.opening import ReceivedOpening
from verifier.shown_roll import ShownRoll

__all__ = ["Seat"]


class Seat:
    """One party with its key and its memory."""

    def __init__(
        self,
        identity: Identity,
        memory: SeatMemory,
        clock: Callable[[], str] = utc_now,
        snapshots: Snapshots | None = None,
        recovery: str | None = None,
    ) -> None:
        """`snapshots` are where it leaves those of long games; None: nowhere. `recovery`: its recovery key, in hex."""
        self.name = identity.key.name
        self.key = identity.key
        """the party's verifier key"""
        self.keyless = KeylessSeat(identity.key, memory)
        """keeps receipts and warns the owner, without the key"""
        self._memory = memory
        self._recovery = recovery
        self._vault = SeedVault(identity)
        self._signer = EventSigner(identity, memory, clock, snapshots)

    @property
    def memory(self) -> SeatMemory:
        """The seat's memory, which `close` closes."""
        return self._memory

    def close(self) -> None:
        """Close the memory."""
        self._memory.close()

    @contextmanager
    def group(self, games: Collection[bytes] = ()) -> Iterator[None]:
        """Several turns, one after the other and in any games, with one sync for all (specs/seats.md).

        `games`: those that turns are known to be in; a memory in a service reads them at once. Nothing that is signed
        or opened within may leave the program before this ends well. Raises MemoryLostError, StoreError.
        """
        with self._memory.group(games):
            yield

    def retire(self) -> KeylessSeat:
        """Drop the key at the end of the party's turn; return the seat without it."""
        self._vault.forget()
        self._signer.forget()
        return self.keyless

    def access(self, game: bytes) -> Access:
        """Sign a request for a token that reads a game at a server."""
        return new_access(self._signer.identity, game, self._signer.clock())

    def publish(self, game: bytes, request: int, *, names: bool) -> Publish:
        """Sign the request that a server publishes one roll of this party under a link."""
        return new_publish(self._signer.identity, game, request, names=names, nonce=secrets.token_bytes(32))

    def revoke(self, game: bytes, roll: str) -> Revoke:
        """Sign the request to end such a link."""
        return new_revoke(self._signer.identity, game, roll)

    def open_game(
        self,
        system: str,
        options: Body | msgspec.Raw,
        parties: Sequence[tuple[VerifierKey, Role]],
        contributors: Contributing = "all",
        title: str = "",
        *,
        permits: Permissions = ORDINARY,
        continues: Continued | None = None,
        judge: str | None = None,
        host: VerifierKey | None = None,
        called: Mapping[str, str] = MappingProxyType({}),
    ) -> bytes:
        """Sign event 0, as the keeper; return the line without its line feed. Raises RefusedError for invalid terms.

        `continues`: the game that this one continues; `judge`: the name of a judge that the keeper's operator runs,
        too; `host`: the key whose word admits parties that come later; `called`: parties' own names, by key name.
        """
        body = Open(
            format=FORMAT,
            system=system,
            options=msgspec.Raw(encode(options)),
            parties=tuple(Party(str(key), role, called.get(key.name, UNSET)) for key, role in parties),
            contributors=contributors,
            nonce=secrets.token_hex(32),
            title=title,
            continues=continues or UNSET,
            judge=judge or UNSET,
            host=UNSET if host is None else str(host),
            **msgspec.structs.asdict(permits),
        )
        return self.open_with(body, self._signer.clock())

    def open_agreed(self, body: Open) -> bytes:
        """Sign event 0 as agreed, with a nonce that is drawn here. Raises as `open_game`."""
        return self.open_with(msgspec.structs.replace(body, nonce=secrets.token_hex(32)), self._signer.clock())

    def open_with(self, body: Open, time: str) -> bytes:
        """Sign event 0 with a body and a time that follow from an event's log. Raises as `open_game`."""
        return self._signer.first(body, time)

    def sign(self, view: View, type: str, body: Body) -> bytes:
        """Sign the next event of a game; return the line without its line feed.

        Raises RefusedError if the game does not take the event, or has a date in the future; ForkError if the log does
        not extend the lines that the party saw; UntakenError if the event would follow another party's that the keeper
        has not taken; StoppedError, MemoryLostError, UsageError.
        """
        return self.sign_all(view, [(type, body)])[0]

    def sign_all(self, view: View, events: Sequence[tuple[str, Body]]) -> list[bytes]:
        """Sign the next events of a game, types and bodies, each upon the one before: as `sign`, at once.

        All of them, or an error and none. They are appended together, or in their order.
        """
        with self._signer.turn(view) as turn:
            if any(kind in REQUESTS for kind, _ in events):
                self._vault.check_can_open(turn, view.replay)
            return self._signer.events(turn, view, events)

    def join(self, view: View) -> bytes:
        """Agree to the game's terms, as a seat with rules (specs/seats.md), with the recovery key, if there is one."""
        recovery = UNSET if self._recovery is None else self._recovery
        return self.sign(view, "join", JoinBody(checks="rules", recovery=recovery))

    def commit(self, view: View, length: int = DEFAULT_CHAIN_LENGTH) -> bytes:
        """Commit to a new seed chain of MIN_CHAIN to MAX_CHAIN links. Its secret is stored before this returns.

        If the party has a chain in this game, its next link proves that the same holder replaces it. Raises UsageError
        if that chain still has links for rolls, and what `sign` raises.
        """
        if not MIN_CHAIN <= length <= MAX_CHAIN:
            raise UsageError(f"a seed chain has {MIN_CHAIN} to {MAX_CHAIN} links, not {length}")
        with self._signer.turn(view) as turn:
            return self._signer.event(turn, view, "commit", self._vault.commit(turn, view.replay, length))

    def check_here(self) -> None:
        """Check that it remembers, and was not moved to another machine. Raises MemoryLostError, StoreError."""
        with self._memory.group():
            pass

    def moved_games(self) -> list[bytes]:
        """Return the games whose latest seed chain was moved here, of which it opens nothing. Raises LedgerError."""
        return [game for game, record in self._memory.records().items() if record.chains and record.chains[-1].moved]

    def has_moved_chain(self, replay: Replay) -> bool:
        """Return whether the party's seed chain in a game was moved here. Raises LedgerError."""
        chain = replay.chains.get(self.name)
        return chain is not None and any(
            own.tip == chain.tip.hex() and own.moved for own in self.keyless.seen(replay.game).chains
        )

    def due(
        self,
        what: Literal["join", "commit", "reveal", "disclose", "close"],
        view: View,
        openings: Sequence[Opening],
        length: int = DEFAULT_CHAIN_LENGTH,
    ) -> bytes:
        """Sign the event that this party owes (`ledger.game.core.Due`), or the close of the game.

        `openings` are those for the pending roll, `length` is that of a new seed chain.
        """
        match what:
            case "join":
                return self.join(view)
            case "commit":
                return self.commit(view, length)
            case "reveal":
                return self.reveal(view, openings)
            case "disclose":
                return self.disclose(view, openings)
            case "close":
                return self.close_game(view, openings)

    # --- secret rolls ------------------------------------------------------------------------------------------------

    def seal(self, view: View, count: int = MAX_TAGS) -> bytes:
        """Write tags of new secrets for secret rolls. Their key is stored before this returns.

        Raises SeedError if the secret of the previous last tag is not here, and what `sign` raises.
        """
        with self._signer.turn(view) as turn:
            return self._signer.event(turn, view, "seal", new_seal(turn, view.replay, self.name, count))

    def hide(self, view: View, text: str) -> str:
        """Store the purpose of a secret roll durably; return its hash for the request (hex)."""
        with self._signer.turn(view) as turn:
            salt, hidden = hide(view.replay.terms.game, self.name, text)
            turn.change(hidden={**turn.record.hidden, hidden: (salt, text)})
            return hidden

    def show(self, view: View, request: int) -> bytes:
        """Show a secret roll of this party. Raises MissingError without such a roll, and what `sign` raises."""
        with self._signer.turn(view) as turn:
            return self._signer.event(turn, view, "show", show_body(turn, view.replay, self.name, request))

    def show_file(self, view: View, request: int) -> bytes:
        """Show a secret roll in a file beside the log, without a keeper, also after the close."""
        with self._memory.game(view.replay.terms.game) as turn:
            body = show_body(turn, view.replay, self.name, request)
        leaf = leaf_hash(next(view.lines(request)))
        return bytes(ShownRoll.of(view.replay.terms.game, leaf, body))

    def tend(self, view: View) -> list[Callable[[View], bytes]]:
        """Return the automatic events of this party between rolls: its opening that was called missing, a secret that
        it owes for secret rolls, and a new seal.
        """
        session, accused = view.replay.session, view.replay.accused.get(self.name)
        if session.phase is not Phase.IDLE or self.name not in session.parties.joined:
            return []
        if self.name in session.parties.left or self.name in session.parties.away:
            return []
        if accused is not None:
            with self._signer.turn(view) as turn:
                if turn.record.denied == accused.roll.request.hex():
                    return [self.object_to_void]
        if view.replay.terms.roles[self.name] not in view.replay.terms.holders:
            return []
        return self._tend_secrets(view)

    def object_to_void(self, view: View) -> bytes:
        """Show the own opening of which the keeper's judge says that it did not come. Raises TurnError without one."""
        with self._signer.turn(view) as turn:
            accused = view.replay.accused.get(self.name)
            if accused is None or turn.record.denied != accused.roll.request.hex():
                raise TurnError(f"nothing that {self.name} opened was called missing")
            opening = self._vault.opening_of(turn, view.replay, accused.roll, accused.index)
            return self._signer.event(turn, view, "object", ObjectBody(opening, accused.roll.seq))

    def _tend_secrets(self, view: View) -> list[Callable[[View], bytes]]:
        replay, seals = view.replay, self.keyless.seen(view.replay.terms.game).seals
        made, owed = list[Callable[[View], bytes]](), owed_show(replay, self.name, seals)
        if owed is not None:
            made.append(partial(self.show, request=owed))
        if needs_seal(replay, self.name, seals):
            made.append(self.seal)
        return made

    # --- coming and going --------------------------------------------------------------------------------------------

    def leave(self, view: View, party: str) -> bytes:
        """Take a party out of the game: this one, or as a judge another."""
        with self._signer.turn(view) as turn:
            return self._signer.event(turn, view, "leave", LeaveBody(party, self._burned(turn, view, party)))

    def away(self, view: View, party: str) -> bytes:
        """Sign a party away: this one, or as a judge or together with all others another."""
        with self._signer.turn(view) as turn:
            return self._signer.event(turn, view, "away", AwayBody(party, self._burned(turn, view, party)))

    def back(self, view: View, party: str) -> bytes:
        """Say that a party is back: this one, or as a judge another."""
        return self.sign(view, "back", Back(party))

    def close_game(self, view: View, openings: Sequence[Opening] = ()) -> bytes:
        """Close the game, as the keeper. A pending request gets no dice, and its `openings` are disclosed."""
        with self._signer.turn(view) as turn:
            body = Close() if view.replay.pending is None else Close(self._disclosed(turn, view, openings))
            return self._signer.event(turn, view, "close", body)

    def _burned(self, turn: Turn, view: View, party: str) -> str | UnsetType:
        """Return the own link of the latest voided roll (hex), if it is not in the log."""
        return self._vault.burned_link(turn, view.replay) if party == self.name else UNSET

    # --- rolls -------------------------------------------------------------------------------------------------------

    def opening(self, view: View, openings: Sequence[Opening] = ()) -> Opening:
        """Open this party's next link for the pending request; a second call returns the same. Not for the keeper.

        It needs the keeper's checkpoint whose last line is the request; the roll's closer also checks `openings`, those
        of all others but the keeper.

        Raises UsageError if no roll awaits this party yet; SeedError if it cannot or must not open; RefusedError for an
        invalid opening; and what `sign` raises.
        """
        with self._signer.turn(view) as turn:
            replay, pending = view.replay, waiting_roll(view)
            keeper = replay.terms.keeper
            if self.name not in pending.contributors:
                raise TurnError(
                    f"{self.name} contributes nothing to this roll; it waits for {', '.join(pending.contributors)}"
                )
            if self.name == keeper:
                raise TurnError(f"{self.name} keeps the log and opens last, in the reveal itself")
            if not any((held.size, held.leaf) == (replay.size, replay.head.hex()) for held in turn.record.receipts):
                raise WaitingError(
                    f"it is not known whether {keeper}, the keeper, has taken the request. {self.name} opens when it "
                    f"holds {keeper}'s checkpoint of the log up to event {pending.seq}"
                )
            if self.name == pending.closer:
                check_all_opened(view, self.name, openings, but=(self.name, keeper))
            return self._vault.open(turn, replay, pending)

    def reveal(self, view: View, openings: Sequence[Opening]) -> bytes:
        """Open last, as the keeper, and reveal the dice. `openings` are all the others'.

        Each is checked before the keeper opens its own link, which determines the dice: so an invalid opening must not
        elicit it. Raises RefusedError for an invalid opening, UsageError for a missing one.
        """
        with self._signer.turn(view) as turn:
            replay, pending = view.replay, waiting_roll(view)
            received = check_all_opened(view, self.name, openings, but=(self.name,))
            received[self.name] = self._vault.open(turn, replay, pending)
            return self._signer.event(turn, view, "reveal", reveal_of(replay, received.values()))

    def void(self, view: View, missing: Collection[str] = ()) -> bytes:
        """End the pending roll without dice, as its closer, who has not opened, or as a judge.

        `missing` are the parties that did not open, as far as this party knows. It gives no receipt for this request
        afterwards. Raises SeedError if it has opened, TurnError if it names a party that it may not name, UntakenError
        if the keeper has not taken the request.
        """
        with self._signer.turn(view) as turn:
            pending, keeper = taken_roll(turn, view, self.name), view.replay.terms.keeper
            if self.name == pending.closer:
                self._vault.check_unopened(turn, pending)
            elif keeper in missing:
                raise TurnError(
                    f"a judge cannot name {keeper}, the keeper, as missing, because it opens last. If it does not "
                    f"open, the table goes on in another game"
                )
            self._check_missing(turn, pending, missing)
            named = tuple(name for name in pending.contributors if name in missing)
            if not named and self.name == view.replay.terms.keepers_judge:
                raise TurnError(f"{self.name} voids a roll only where somebody but the keeper has not opened")
            secret: str | UnsetType = UNSET
            if pending.secret is not None and pending.secret.holder == self.name:
                secret = own_secret(turn, view.replay.terms.game, self.name, pending.secret.tag).hex()
            turn.change(voided=pending.request.hex())
            return self._signer.event(turn, view, "void", Void(pending.roll_index, named, secret))

    def _check_missing(self, turn: Turn, pending: PendingRoll, missing: Collection[str]) -> None:
        """Check that no named party's opening is here. Raises TurnError."""
        here = sorted(acknowledged_authors(turn, pending.request) & set(missing))
        if here:
            raise TurnError(
                f"{self.name} gave a receipt for the opening of {' and '.join(here)}: a void that names {here[0]} as "
                f"missing would contradict it. Void without naming {here[0]}"
            )

    def decline(self, view: View) -> None:
        """Promise never to open for the pending roll, as its closer, so that a judge can void it.

        Raises UsageError if another party closes the roll or the keeper has not taken the request, SeedError if this
        party has opened.
        """
        with self._signer.turn(view) as turn:
            pending = taken_roll(turn, view, self.name)
            if self.name != pending.closer:
                raise TurnError(f"{pending.closer} opens last before the keeper: a judge asks {pending.closer}")
            self._vault.check_unopened(turn, pending)
            turn.change(voided=pending.request.hex())

    def disclose(self, view: View, openings: Sequence[Opening]) -> bytes:
        """Disclose, as the keeper after a void, the own link of that roll and all `openings`, each checked."""
        with self._signer.turn(view) as turn:
            pending = pending_or_voided(view)
            body = Disclose(pending.roll_index, self._disclosed(turn, view, openings))
            return self._signer.event(turn, view, "disclose", body)

    def _disclosed(self, turn: Turn, view: View, openings: Sequence[Opening]) -> tuple[Opening, ...]:
        pending = pending_or_voided(view)
        received = {opening.author: opening for opening in openings if opening.author != self.name}
        check_openings(view, received.values())
        received[self.name] = self._vault.open(turn, view.replay, pending)
        return tuple(received[name] for name in pending.contributors if name in received)

    def acknowledge(self, view: View, opening: Opening) -> ReceivedOpening:
        """Check another party's opening for the pending roll, and sign a receipt.

        Raises RefusedError for an invalid opening, UntakenError if the keeper has not taken the request, and what
        `sign` raises.
        """
        with self._signer.turn(view) as turn:
            pending, game = taken_roll(turn, view, self.name), view.replay.terms.game
            if turn.record.voided == pending.request.hex():
                raise TurnError(f"{self.name} has called this roll off, and gives no receipt for it")
            check_openings(view, (opening,))
            message = received_message(
                game, pending.request, opening.author, opening.index, bytes.fromhex(opening.link)
            )
            before = acknowledged_authors(turn, pending.request)
            if opening.author not in before and self._may_void(view, pending):
                authors = before | {opening.author}
                turn.change(acknowledged=Acknowledgements(pending.request.hex(), tuple(sorted(authors))))
            return ReceivedOpening.of(game, pending.request, opening, self.name, self._signer.identity.sign(message))

    def _may_void(self, view: View, pending: PendingRoll) -> bool:
        """Return True if this party, or the judge beside it, may void the pending roll."""
        terms = view.replay.terms
        with_judge = self.name == terms.keeper and terms.keepers_judge is not None
        return with_judge or self.name == pending.closer or terms.roles[self.name] == "judge"

    # --- checkpoints -------------------------------------------------------------------------------------------------

    def check(self, view: View) -> None:
        """Raise what `checkpoint` would raise, as the keeper, and record nothing."""
        with self._signer.turn(view) as turn:
            turn.forget()

    def checkpoint(self, view: View) -> SignedCheckpoint:
        """Sign the tree head of the stored game, as the keeper, after recording it.

        Raises ForkError if the log does not extend the lines that the keeper signed before, and what `sign` raises.
        """
        with self._signer.turn(view):
            replay = view.replay
            head = Checkpoint(replay.terms.game, replay.size, replay.tree.root())
            return sign_checkpoint(head, self.key, self._signer.identity.sign)

    def log_head(self, origin: str, leaves: Sequence[bytes]) -> bytes:
        """Sign the head of another log, after recording it; return the note. `leaves` are its leaf hashes.

        Raises BehindError, ForkError if the log does not extend the signed one.
        """
        size, root = len(leaves), root_of(leaves).hex()
        with self._memory.game(sha256(origin.encode()).digest()) as turn:
            signed = turn.record.head
            if size < signed.size:
                raise BehindError(f"{self.name} signed for {signed.size} entries of {origin}, and {size} are here")
            if signed.size and root_of(leaves[: signed.size]).hex() != signed.leaf:
                raise ForkError(f"{self.name} signed for other entries of {origin} than those that are here")
            turn.change(head=SeatHead(size, root))
        text = f"{origin}\n{size}\n{b64encode(bytes.fromhex(root)).decode()}\n"
        return format_note(Note(text, (signature_line(self.key, self._signer.identity.sign(text.encode())),)))
