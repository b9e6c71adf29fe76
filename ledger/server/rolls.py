"""Publish single rolls (specs/roll-proof.md, "A link that a server keeps").

The server makes the proof from its own log, and verifies it before it stores it; it accepts no proof from clients.
"""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from ledger.errors import MissingError, UsageError
from ledger.lobby import LobbyError
from ledger.lobby.published import Publish, check_published, parse_publish, parse_revoke
from ledger.network.wire import OEmbed, PublishedRoll, PublishedRolls
from ledger.server.cards import Card, card_of, head_of, oembed_of
from ledger.server.limits import Caller, Gate
from ledger.server.pictures import picture_of
from ledger.server.problems import Problem, problem_of
from ledger.server.published import PublishedRow, PublishedStore, PublishOutcome
from ledger.server.room import Room
from ledger.server.turns import Turns
from ledger.store.ledger import Ledger
from rules.data.language import N_, Message
from verifier import NoteError
from verifier.checkpoints.roll_proof import make_roll_proof
from verifier.language import translator
from verifier.log.format import Envelope, glance
from verifier.shell.webpage import RollPage

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["RollAnswer", "Rolls"]

MAX_KEPT = 128
"""pages and pictures that are kept at hand"""


class RollAnswer(NamedTuple):
    """A page or a picture, and its entity tag; a page packed with gzip, where that was asked for."""

    data: bytes
    etag: str


class Rolls:
    """The published rolls of a server. Methods are for the event loop; blocking work runs in threads."""

    def __init__(
        self,
        ledger: Ledger,
        published: PublishedStore,
        turns: Turns,
        gate: Gate,
        room: Room,
        address: str | None,
        log: "FilteringBoundLogger",
    ) -> None:
        """`address` is the server's, as links have it; None: the one by which it is asked."""
        self.address = address
        self._ledger = ledger
        self._published = published
        self._turns = turns
        self._gate = gate
        self._room = room
        self._log = log
        self._kept: OrderedDict[tuple[str, ...], RollAnswer] = OrderedDict()
        self._at_kept = Lock()

    # --- who publishes -----------------------------------------------------------------------------------------------

    async def publish(self, caller: Caller, game: bytes, body: bytes) -> tuple[bool, str]:
        """Show a roll; whether it is new, and its id. Raises Problem."""
        try:
            publish = parse_publish(body)
            await self._check(caller, game, publish)
        except LobbyError as error:
            raise problem_of(error) from None
        known = await asyncio.to_thread(self._published.get, publish.id)
        if known is not None:
            if not known.proof:
                raise _gone(known.reason)
            return False, publish.id
        self._room.check()
        self._gate.publish(caller[0])
        proof = await self._turns.ask(caller, lambda: self._proof(game, publish.request, names=publish.names))
        limits = self._gate.limits
        if len(proof.data) > limits.published_bytes:
            text = Message("the proof of this roll has more than {most} bytes", most=limits.published_bytes)
            raise Problem(413, "too-large", text)
        added = await asyncio.to_thread(self._published.add, publish, proof.data, proof.rulings, limits.published)
        match added:
            case PublishOutcome.FULL:
                text = Message("a game has at most {most} links to rolls, revoked ones too", most=limits.published)
                raise Problem(429, "too-many", text, retry=3_600)
            case PublishOutcome.ENDED:
                raise _gone()
            case PublishOutcome.TAKEN_DOWN:
                text = Message("the operator of this server took this roll down: it is shown under no link here")
                raise Problem(410, "deleted", text)
        if await asyncio.to_thread(self._ledger.is_deleted, game):  # meanwhile
            await asyncio.to_thread(self._published.forget, publish.game)
            raise _gone()
        self._log.info("published", game=publish.game[:12], roll=publish.id[:12])
        return added is PublishOutcome.NEW, publish.id

    async def _check(self, caller: Caller, game: bytes, publish: Publish) -> None:
        """Check that a party signed it, and that the roll is its own. Raises LobbyError."""
        view = await self._turns.ask(caller, lambda: self._ledger.view(game))
        check_published(publish, game, view.replay.terms.keys.get(publish.party))
        if publish.request >= view.replay.size:
            raise LobbyError("roll.none", Message("there is no event {seq} in this game", seq=publish.request))
        author = (await self._turns.ask(caller, lambda: self._line(game, publish.request))).author
        if author != publish.party:
            text = N_("event {seq} is {author}'s: who asked for a roll publishes it")
            raise LobbyError("roll.party", Message(text, seq=publish.request, author=author))

    def _line(self, game: bytes, seq: int) -> Envelope:
        return glance(next(self._ledger.lines(game, seq, seq + 1)))

    def _proof(self, game: bytes, request: int, *, names: bool) -> "_Proof":
        """Make the proof of a roll from the current log, and verify it. Raises Problem."""
        checkpoint = self._ledger.checkpoint(game)
        if checkpoint is None:
            raise Problem(422, "roll.none", Message("the keeper has not signed over this roll"))
        try:
            made = make_roll_proof(list(self._ledger.lines(game)), request, checkpoint, names=names)
        except NoteError as problem:
            raise Problem(422, "roll.none", problem) from None
        data = bytes(made)
        if card_of(data, str) is None:
            raise Problem(422, "roll.none", Message("the proof of this roll does not hold"))
        return _Proof(data, self._ledger.count_rulings(game, request, checkpoint.head.size))

    async def revoke(self, caller: Caller, roll: str, body: bytes) -> None:
        """End a link; asked again, it is the same. Raises Problem."""
        found = await asyncio.to_thread(self._published.get, roll)
        if found is None:
            raise _unknown()
        game = bytes.fromhex(found.game)
        try:
            revoke = parse_revoke(body)
            if revoke.roll != roll or (found.proof and revoke.party != found.party):
                raise LobbyError("roll.party", Message("{name} did not publish this roll", name=revoke.party))
            view = await self._turns.ask(caller, lambda: self._ledger.view(game))
            check_published(revoke, game, view.replay.terms.keys.get(revoke.party))
        except LobbyError as error:
            raise problem_of(error) from None
        except (UsageError, MissingError):  # the game is deleted, and its links with it
            return
        if found.proof:
            await asyncio.to_thread(self._published.revoke, roll)
            self._log.info("revoked", game=found.game[:12], roll=roll[:12])

    async def of_game(self, caller: Caller, game: bytes) -> PublishedRolls:
        """Return the rolls of a game that are shown. Raises Problem."""
        rows = await self._turns.ask(caller, lambda: self._published.of_game(game.hex()))
        return PublishedRolls(tuple(PublishedRoll(row.names, row.party, row.request, row.id) for row in rows))

    # --- who looks ---------------------------------------------------------------------------------------------------

    async def proof(self, caller: Caller, roll: str) -> bytes:
        """Return the proof of a roll. Raises Problem."""
        return await self._turns.ask(caller, lambda: self._shown(roll).proof)

    async def page(self, caller: Caller, roll: str, language: str, address: str, *, zipped: bool) -> RollAnswer:
        """Return the page of a roll; the words of its card in a language. Raises Problem."""

        def make(row: PublishedRow) -> bytes:
            head = head_of(self._card(row, language), address, roll)
            page = _roll_page().with_roll(head, row.proof).encode()
            return gzip.compress(page, 4, mtime=0) if zipped else page

        key = "page", language, address, str(zipped)
        return await self._turns.ask(caller, lambda: self._made(roll, key, make))

    async def picture(self, caller: Caller, roll: str) -> RollAnswer:
        """Return the picture of a roll's card, as PNG. Raises Problem."""
        make = lambda row: picture_of(self._card(row, "en"))  # noqa: E731 - as the page's
        return await self._turns.ask(caller, lambda: self._made(roll, ("picture",), make))

    async def oembed(
        self, caller: Caller, roll: str, language: str, address: str, width: int | None, height: int | None
    ) -> OEmbed:
        """Return the card of a roll. Raises Problem."""

        def make() -> OEmbed:
            return oembed_of(self._card(self._shown(roll), language), address, roll, width, height)

        return await self._turns.ask(caller, make)

    def _shown(self, roll: str) -> PublishedRow:
        """Return a roll that is shown, with every ruling about it. Raises Problem."""
        row = self._published.get(roll)
        if row is None:
            raise _unknown()
        if not row.proof:
            raise _gone(row.reason)
        game = bytes.fromhex(row.game)
        checkpoint = self._ledger.checkpoint(game)
        size = 0 if checkpoint is None else checkpoint.head.size
        if self._ledger.count_rulings(game, row.request, size) <= row.rulings:
            return row
        proof = self._proof(game, row.request, names=row.names)
        self._published.renew(roll, proof.data, proof.rulings)
        return row._replace(proof=proof.data, rulings=proof.rulings)

    def _made(self, roll: str, key: tuple[str, ...], make: Callable[[PublishedRow], bytes]) -> RollAnswer:
        """Return something made from a roll, cached for each of its proofs."""
        row = self._shown(roll)
        whole = roll, sha256(row.proof).hexdigest(), *key
        with self._at_kept:
            found = self._kept.get(whole)
            if found is not None:
                self._kept.move_to_end(whole)
                return found
        data = make(row)
        found = RollAnswer(data, f'"{sha256(data).hexdigest()}"')
        with self._at_kept:
            self._kept[whole] = found
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        return found

    def _card(self, row: PublishedRow, language: str) -> Card:
        card = card_of(row.proof, translator(language))
        assert card is not None, "what is kept was verified"
        return card


class _Proof(NamedTuple):
    data: bytes
    rulings: int


@cache
def _roll_page() -> RollPage:
    return RollPage()


def _unknown() -> Problem:
    return Problem(404, "not-found", Message("there is no such roll here"))


def _gone(reason: str = "") -> Problem:
    """`reason`: why the operator took it down; empty: its party took the link back."""
    if reason:
        text = N_("the operator of this server took this roll down: {reason}")
        return Problem(410, "deleted", Message(text, reason=reason))
    return Problem(
        410, "deleted", Message("this roll is not shown any more: the person who published it took the link back")
    )
