"""A party's seat at games: all that needs its secrets, and nobody else's (specs/protocol.md, "The course of a roll").

A seat sees a game as a View, checks that it extends what the party saw before, and gives back lines and openings.
What it gives back can travel: nothing here knows where the log is kept.
"""

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from ledger.errors import RefusedError, UsageError
from ledger.identity import Identity
from ledger.seeds import DEFAULT_CHAIN_LENGTH, SeedStore
from ledger.seen import SeenStore
from ledger.view import View
from rules import Body, Role
from rules.session import Join
from verifier import Failure, VerifierKey
from verifier.chain import ZERO_HASH
from verifier.checkpoint import Checkpoint, SignedCheckpoint, sign_checkpoint
from verifier.derivation import draw, opening_message, roll_seed
from verifier.format import (
    FORMAT,
    MAX_CHAIN,
    Commit,
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
    ) -> bytes:
        """Event 0, by the keeper: the line, without its line feed."""
        body = Open(
            format=FORMAT,
            system=system,
            options=msgspec.Raw(encode(options)),
            parties=tuple(Party(str(key), role) for key, role in parties),
            contributors=contributors,
            nonce=secrets.token_hex(32),
            title=title,
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
        """Commit to a new seed chain of 1 to MAX_CHAIN links. Its secret is stored before this returns."""
        if not 1 <= length <= MAX_CHAIN:
            raise UsageError(f"a seed chain has 1 to {MAX_CHAIN} links, not {length}")
        self._look(view)
        chain = self._seeds.new_chain(view.replay.terms.game, length)
        return self.sign(view, "commit", Commit(length, chain.tip.hex()))

    def opening(self, view: View) -> Opening:
        """Open this party's next link for the pending request; the same again when asked again. Not for the keeper.

        Raises UsageError where nothing waits for this party, SeedError where it cannot or must not open, ForkError.
        """
        replay = view.replay
        pending = self._pending(view)
        if self.name not in pending.contributors:
            raise UsageError(
                f"{self.name} contributes nothing to this roll; it waits for {', '.join(pending.contributors)}"
            )
        if self.name == replay.terms.keeper:
            raise UsageError(f"{self.name} keeps the log and opens last, in the reveal itself")
        return self._open(view, pending)

    def _open(self, view: View, pending: Pending) -> Opening:
        replay = view.replay
        self._look(view)
        chain, game = replay.chains[self.name], replay.terms.game
        link = self._seeds.open_link(game, chain.tip, chain.next, pending.request)
        message = opening_message(game, pending.request, self.name, chain.next, link)
        return Opening(self.name, chain.next, link.hex(), self._identity.sign(message).hex())

    def reveal(self, view: View, openings: Sequence[Opening]) -> bytes:
        """As the keeper: open last and show the dice. `openings` are all the others'.

        Each is checked before the keeper's own link is opened: whoever knows that link knows the dice, so nobody may
        get it for an opening that does not hold. Raises RefusedError for such a one, UsageError where one is missing.
        """
        replay, pending = view.replay, self._pending(view)
        received = {opening.author: opening for opening in openings}
        missing = [name for name in pending.contributors if name not in received and name != self.name]
        if missing:
            raise UsageError(f"the dice wait for {', '.join(missing)} to open; until then nothing can be revealed")
        for opening in received.values():
            try:
                replay.check_opening(opening)
            except Failure as failure:
                raise RefusedError(failure, failure.code, failure.clause) from None
        received[self.name] = self._open(view, pending)
        links = {name: bytes.fromhex(received[name].link) for name in pending.contributors}
        others = [(name, links[name]) for name in pending.contributors if name != self.name]
        seed = roll_seed(links[self.name], replay.terms.game, pending.roll_index, others)
        naturals = draw(seed, replay.session.draw)
        in_order = tuple(received[name] for name in pending.contributors)
        return self.sign(view, "reveal", Reveal(pending.roll_index, in_order, naturals))

    def void(self, view: View, openings: Sequence[Opening]) -> bytes:
        """As the keeper: end the pending roll without dice.

        It names who failed to open: the keeper itself if nobody else did.
        """
        pending = self._pending(view)
        received = {opening.author: opening for opening in openings}
        in_order = tuple(received[name] for name in pending.contributors if name in received and name != self.name)
        failed = tuple(n for n in pending.contributors if n not in received and n != self.name) or (self.name,)
        return self.sign(view, "void", Void(pending.roll_index, in_order, failed))

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
