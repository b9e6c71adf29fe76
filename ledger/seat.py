"""A party's seat at games: all that needs its secrets, and nobody else's (specs/protocol.md, "The course of a roll").

A seat sees a game as a View, checks that it extends what the party saw before, and gives back lines and openings.
What it gives back can travel: nothing here knows where the log is kept.
"""

import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.errors import RefusedError, UsageError
from ledger.identity import Identity
from ledger.seeds import DEFAULT_CHAIN_LENGTH, SeedStore
from ledger.seen import SeenStore
from ledger.view import View
from rules import Body, Role
from rules.session import Back, Join
from verifier import Failure, VerifierKey
from verifier.chain import ZERO_HASH
from verifier.checkpoint import Checkpoint, SignedCheckpoint, sign_checkpoint
from verifier.derivation import opening_message, roll_seed
from verifier.format import (
    FORMAT,
    MAX_CHAIN,
    MIN_CHAIN,
    AwayBody,
    Close,
    Commit,
    Continued,
    Disclose,
    LeaveBody,
    Open,
    Opening,
    Party,
    Reveal,
    Void,
    encode,
    signed_line,
    signed_message,
    unsigned_event,
)
from verifier.replay import Pending
from verifier.voided import draw_all, in_order

__all__ = ["Seat", "View", "utc_now"]


def utc_now() -> str:
    """The time in the log's form, UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Seat:
    """One party with its key and its seeds."""

    def __init__(self, identity: Identity, seeds: Path, clock: Callable[[], str] = utc_now) -> None:
        """`seeds` is the path of the party's own database. Raises StoreError."""
        self._identity = identity
        self._seeds = SeedStore(seeds, identity.name, identity.storage_key())
        self._seen = SeenStore(seeds, identity.name)
        self._clock = clock

    @property
    def name(self) -> str:
        return self._identity.name

    @property
    def key(self) -> VerifierKey:
        return self._identity.key

    def close(self) -> None:
        self._seeds.close()
        self._seen.close()

    def open_game(
        self,
        system: str,
        options: Body,
        parties: Sequence[tuple[VerifierKey, Role]],
        contributors: Literal["all", "roller"] | tuple[str, ...] = "all",
        title: str = "",
        *,
        others_away: bool = False,
        continues: Continued | None = None,
    ) -> bytes:
        """Event 0, by the keeper: the line, without its line feed.

        `others_away`: all other contributors together may sign a party away; `continues`: the game it goes on from.
        """
        body = Open(
            format=FORMAT,
            system=system,
            options=msgspec.Raw(encode(options)),
            parties=tuple(Party(str(key), role) for key, role in parties),
            contributors=contributors,
            nonce=secrets.token_hex(32),
            title=title,
            away="others" if others_away else UNSET,
            continues=continues or UNSET,
        )
        return self._sign(body, "open", ZERO_HASH, ZERO_HASH, 0, self._clock())

    def sign(self, view: View, type: str, body: Body) -> bytes:
        """The next event of a game, by this party: the line, without its line feed.

        Raises ForkError where the log does not extend what the party saw before. Whether the game accepts the
        event is for whoever appends it to say.
        """
        replay = view.replay
        self._look(view)
        return self._sign(body, type, replay.terms.game, replay.head, replay.size, max(self._clock(), replay.time))

    def join(self, view: View) -> bytes:
        """Agree to the game's terms."""
        return self.sign(view, "join", Join())

    def commit(self, view: View, length: int = DEFAULT_CHAIN_LENGTH) -> bytes:
        """Commit to a new seed chain of MIN_CHAIN to MAX_CHAIN links. Its secret is stored before this returns.

        Where the party has a chain in this game, its next link shows that who replaces it has its secret.
        """
        if not MIN_CHAIN <= length <= MAX_CHAIN:
            raise UsageError(f"a seed chain has {MIN_CHAIN} to {MAX_CHAIN} links, not {length}")
        self._look(view)
        game, replaced = view.replay.terms.game, view.replay.chains.get(self.name)
        chain = self._seeds.new_chain(game, length)
        link: str | UnsetType = UNSET
        if replaced is not None:
            link = self._seeds.open_link(game, replaced.tip, replaced.next, chain.tip).hex()
        return self.sign(view, "commit", Commit(length, chain.tip.hex(), link))

    def leave(self, view: View, party: str) -> bytes:
        """Take a party out of the game: this one, or as a judge another."""
        return self.sign(view, "leave", LeaveBody(party, self._burned(view, party)))

    def away(self, view: View, party: str) -> bytes:
        """Sign a party away: this one, or as a judge or together with all others another."""
        return self.sign(view, "away", AwayBody(party, self._burned(view, party)))

    def back(self, view: View, party: str) -> bytes:
        """Say that a party is back: this one, or as a judge another."""
        return self.sign(view, "back", Back(party))

    def close_game(self, view: View, openings: Sequence[Opening] = ()) -> bytes:
        """As the keeper: end the game. Where a request waits it is left without dice, and `openings` are disclosed."""
        if view.replay.pending is None:
            return self.sign(view, "close", Close(self._burned(view, self.name)))
        return self.sign(view, "close", Close(openings=self._disclosed(view, openings)))

    def _burned(self, view: View, party: str) -> str | UnsetType:
        """The own link of the latest voided roll (hex), where it is not known."""
        chain = view.replay.chains.get(self.name)
        if party != self.name or chain is None or chain.known >= chain.next - 1:
            return UNSET
        return self._seeds.link(view.replay.terms.game, chain.tip, chain.next - 1).hex()

    def opening(self, view: View, openings: Sequence[Opening] = ()) -> Opening:
        """Open this party's next link for the pending request; the same again when asked again. Not for the keeper.

        The closer of the roll opens when it has checked `openings`, those of all others but the keeper.

        Raises UsageError where nothing waits for this party, or too early for it; SeedError where it cannot or must not
        open; RefusedError for an opening that does not hold; ForkError.
        """
        replay = view.replay
        pending = self._pending(view)
        if self.name not in pending.contributors:
            raise UsageError(
                f"{self.name} contributes nothing to this roll; it waits for {', '.join(pending.contributors)}"
            )
        if self.name == replay.terms.keeper:
            raise UsageError(f"{self.name} keeps the log and opens last, in the reveal itself")
        if self.name == pending.closer:
            self._check_all(view, openings, but=(self.name, replay.terms.keeper))
        return self._open(view, pending)

    def _open(self, view: View, pending: Pending) -> Opening:
        replay = view.replay
        self._look(view)
        chain, game = replay.chains[self.name], replay.terms.game
        link = self._seeds.open_link(game, chain.tip, chain.next, pending.request)
        message = opening_message(game, pending.request, self.name, chain.next, link)
        return Opening(self.name, chain.next, link.hex(), self._identity.sign(message).hex())

    def _check_all(self, view: View, openings: Sequence[Opening], *, but: Collection[str]) -> dict[str, Opening]:
        """The openings by name: all of the pending roll `but` these, each checked.

        Raises UsageError where one is missing, RefusedError for one that does not hold.
        """
        replay, pending = view.replay, self._pending(view)
        received = {opening.author: opening for opening in openings if opening.author not in but}
        missing = [name for name in pending.contributors if name not in received and name not in but]
        if missing:
            raise UsageError(
                f"{self.name} opens when {' and '.join(missing)} {'have' if len(missing) > 1 else 'has'} opened; until "
                f"then the dice wait"
            )
        for opening in received.values():
            try:
                replay.check_opening(opening)
            except Failure as failure:
                raise RefusedError(failure, failure.code, failure.clause) from None
        return received

    def reveal(self, view: View, openings: Sequence[Opening]) -> bytes:
        """As the keeper: open last and show the dice. `openings` are all the others'.

        Each is checked before the keeper's own link is opened: whoever knows that link knows the dice, so nobody may
        get it for an opening that does not hold. Raises RefusedError for such a one, UsageError where one is missing.
        """
        replay, pending = view.replay, self._pending(view)
        received = self._check_all(view, openings, but=(self.name,))
        received[self.name] = self._open(view, pending)
        links = {name: bytes.fromhex(received[name].link) for name in pending.contributors}
        seed = roll_seed(replay.terms.game, pending.roll_index, in_order(pending.contributors, links))
        sides, naturals = draw_all(replay.session, seed)
        body = Reveal(pending.roll_index, tuple(received[name] for name in pending.contributors), sides, naturals)
        return self.sign(view, "reveal", body)

    def void(self, view: View, missing: Collection[str] = ()) -> bytes:
        """As the closer of the pending roll, who has not opened, or as a judge: end it without dice.

        `missing` are those who did not open, as far as this party knows. Raises SeedError where it has opened.
        """
        pending = self._pending(view)
        if self.name == pending.closer:
            self._seeds.check_unopened(view.replay.terms.game, pending.request)
        in_order = tuple(name for name in pending.contributors if name in missing)
        return self.sign(view, "void", Void(pending.roll_index, in_order))

    def disclose(self, view: View, openings: Sequence[Opening]) -> bytes:
        """As the keeper, after a void: the own link of that roll, and all `openings` that came."""
        pending = self._pending(view)
        return self.sign(view, "disclose", Disclose(pending.roll_index, self._disclosed(view, openings)))

    def _disclosed(self, view: View, openings: Sequence[Opening]) -> tuple[Opening, ...]:
        pending = self._pending(view)
        received = {opening.author: opening for opening in openings}
        if self.name in pending.contributors:
            received[self.name] = self._open(view, pending)
        return tuple(received[name] for name in pending.contributors if name in received)

    def checkpoint(self, view: View) -> SignedCheckpoint:
        """As the keeper: sign the tree head of the game as it stands. Tell `gave` when it is stored or handed out.

        Raises ForkError where the log does not extend what the keeper saw and signed before.
        """
        replay = view.replay
        self._seen.check(view)
        head = Checkpoint(replay.terms.game, replay.size, replay.tree.root())
        return sign_checkpoint(head, self.key, self._identity.sign)

    def gave(self, view: View) -> None:
        """As the keeper: from now on there is a checkpoint of the game as it stands."""
        self._seen.note(view)

    def keep(self, receipt: SignedCheckpoint, view: View) -> None:
        """Keep a receipt; from now on this party signs on no log that contradicts it.

        Raises UsageError where it is none; ForkError where it contradicts the log as shown (it is kept as evidence).
        """
        self._seen.keep(receipt, view)

    def _pending(self, view: View) -> Pending:
        if view.replay.pending is None:
            raise UsageError("no roll waits for dice in this game")
        return view.replay.pending

    def _look(self, view: View) -> None:
        self._seen.check(view)
        self._seen.note(view)

    def _sign(self, body: Body, type: str, game: bytes, prev: bytes, seq: int, time: str) -> bytes:
        event = unsigned_event(self.name, body, game.hex(), prev.hex(), seq, time, type)
        return signed_line(event, self._identity.sign(signed_message(event)))
