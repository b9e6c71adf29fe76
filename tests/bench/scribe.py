"""A game as fast as it can be written: everybody's secrets in one place, and nothing stored."""

import io
import secrets
from collections.abc import Mapping
from typing import BinaryIO

import msgspec
from msgspec import UNSET

from ledger.game.core import KeptGame, reveal_of
from ledger.game.times import utc_now
from ledger.seats.identity import Identity
from ledger.seats.records import Memories, OwnChain, Record, SeatHead
from ledger.seats.seed_chain import SeedChain
from rules import Body, Role
from rules.protocol import Join
from rules.systems.mtg import Magic
from rules.systems.mtg.bodies import Options, ResolveBody, RollBody
from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint
from verifier.dice.derivation import opening_message
from verifier.log.bodies import MAX_CHAIN, Commit, Open, Opening, Party
from verifier.log.format import FORMAT, signed_line, signed_message, unsigned_event
from verifier.log.plainjson import encode
from verifier.log.signatures import trust

__all__ = ["DIE", "Scribe", "game"]

_ROLES: Mapping[str, Role] = {"host": "keeper", "alice": "player", "bob": "player"}
DIE = RollBody(source="Delina", dice="1d20", use="attack")
"""what is rolled"""


class Scribe:
    """Writes a log with everybody's secrets in one place and nothing stored: roll, reveal, resolve, again and again.

    The keeper's core says who does what next, as everywhere. There are no seats: they have every record on the disk
    before they sign, and logs of a million events are measured here. For the same reason the core is told to trust
    signatures that were made a moment ago.
    """

    def __init__(self, log: BinaryIO, chain_length: int) -> None:
        self.identities = {name: Identity.generate(name) for name in _ROLES}
        self._log = log
        self._kept = KeptGame()
        self._chain_length = min(chain_length, MAX_CHAIN)
        self._time = utc_now()
        self._chains: dict[str, SeedChain] = {}
        self._write("host", "open", self._terms())
        for name in ("alice", "bob"):
            self._write(name, "join", Join())
        self._write_due()

    @property
    def size(self) -> int:
        """How many events there are."""
        return self._kept.replay.size

    def write_rolls(self, events: int) -> None:
        """Write rolls until the log has `events` events, or a few more."""
        while self.size < events:
            self._write_due()
            seq, player = self.size, ("alice", "bob")[self._kept.replay.session.requests % 2]
            self._write(player, "roll", DIE)
            self._write_due()
            self._write(player, "resolve", ResolveBody(roll=seq))

    def remembers(self, name: str) -> Memories:
        """What this party's seat remembers, for another machine."""
        replay, chain = self._kept.replay, self._chains[name]
        own = OwnChain(chain.tip.hex(), chain.length, chain.link(chain.length).hex(), replay.chains[name].next - 1)
        return Memories(0, "", {replay.game.hex(): Record(SeatHead(self.size, replay.head.hex()), (own,))})

    def _terms(self) -> Open:
        parties = tuple(Party(str(self.identities[name].key), role) for name, role in _ROLES.items())
        options = msgspec.Raw(encode(Options(planechase=False)))
        return Open(FORMAT, Magic.id, options, parties, "all", secrets.token_hex(32), "benchmark")

    def _write_due(self) -> None:
        """All that the course of the game asks of somebody."""
        while due := self._kept.outstanding():
            for name, what in ((each.party, each.what) for each in due):
                match what:
                    case "take":
                        self._take(name)
                    case "open":
                        self._kept.take(self._opening(name), trust)
                    case "reveal":
                        openings = (*self._kept.openings, self._opening(name))
                        self._write(name, "reveal", reveal_of(self._kept.replay, openings))
                    case "commit":
                        self._commit(name)

    def _take(self, name: str) -> None:
        replay, identity = self._kept.replay, self.identities[name]
        head = Checkpoint(replay.game, replay.size, replay.tree.root())
        self._kept.checkpoint = sign_checkpoint(head, identity.key, identity.sign)

    def _commit(self, name: str) -> None:
        replay, replaced = self._kept.replay, self._chains.get(name)
        link = UNSET if replaced is None else replaced.link(replay.chains[name].next).hex()
        chain = self._chains[name] = SeedChain(replay.game, name, self._chain_length, secrets.token_bytes(32))
        self._write(name, "commit", Commit(chain.length, chain.tip.hex(), link))

    def _opening(self, name: str) -> Opening:
        replay, pending = self._kept.replay, self._kept.replay.pending
        assert pending is not None
        index = replay.chains[name].next
        link = self._chains[name].link(index)
        signature = self.identities[name].sign(opening_message(replay.game, pending.request, name, index, link))
        return Opening(name, index, link.hex(), signature.hex())

    def _write(self, author: str, type: str, body: Body) -> None:
        replay = self._kept.replay
        event = unsigned_event(author, body, replay.game.hex(), replay.head.hex(), replay.size, self._time, type)
        line = signed_line(event, self.identities[author].sign(signed_message(event)))
        self._kept.offer(line, None, trust)
        self._log.write(line + b"\n")


def game(events: int) -> tuple[bytes, Scribe]:
    """A log of that many events or a few more, and who wrote it."""
    log = io.BytesIO()
    scribe = Scribe(log, events // 3 + 1)
    scribe.write_rolls(events)
    return log.getvalue(), scribe
