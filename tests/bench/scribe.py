"""A game as fast as it can be written: everybody's secrets in one place, and nothing stored."""

import io
import secrets
from collections.abc import Mapping
from typing import BinaryIO

import msgspec
from msgspec import UNSET

from ledger.identity import Identity
from ledger.memory import Head, Memories, OwnChain, Record
from ledger.seat import utc_now
from ledger.seed_chain import SeedChain
from rules import Body, Role
from rules.mtg import Magic
from rules.mtg.bodies import Options, ResolveBody, RollBody
from rules.session import Join
from verifier.derivation import draw, opening_message, roll_seed
from verifier.format import (
    FORMAT,
    MAX_CHAIN,
    Commit,
    Open,
    Opening,
    Party,
    Reveal,
    encode,
    signed_line,
    signed_message,
    unsigned_event,
)
from verifier.merkle import ZERO_HASH, leaf_hash

__all__ = ["DIE", "Scribe", "game"]

_ROLES: Mapping[str, Role] = {"host": "keeper", "alice": "player", "bob": "player"}
DIE = RollBody(source="Delina", dice="1d20", use="attack")
"""what is rolled"""


class Scribe:
    """Writes a log with everybody's secrets in one place and nothing stored: roll, reveal, resolve, again and again."""

    def __init__(self, log: BinaryIO, chain_length: int) -> None:
        self.identities = {name: Identity.generate(name) for name in _ROLES}
        self.size = 0
        self._log = log
        self._chain_length = min(chain_length, MAX_CHAIN)
        self._time = utc_now()
        self._head = self._game = ZERO_HASH
        self._rolls = 0
        self._link = 1
        self._chains: dict[str, SeedChain] = {}
        self._game = self._write("host", "open", self._terms())
        for name in ("alice", "bob"):
            self._write(name, "join", Join())
        self._commit()

    def write_rolls(self, events: int) -> None:
        """Write rolls until the log has `events` events, or a few more."""
        while self.size < events:
            if self._link == self._chain_length:
                self._commit()
            self._write_roll()

    def remembers(self, name: str) -> Memories:
        """What this party's seat remembers, for another machine."""
        chain = self._chains[name]
        own = OwnChain(chain.tip.hex(), chain.length, chain.link(chain.length).hex(), self._link - 1)
        return Memories(0, "", {self._game.hex(): Record(Head(self.size, self._head.hex()), (own,))})

    def _terms(self) -> Open:
        parties = tuple(Party(str(self.identities[name].key), role) for name, role in _ROLES.items())
        options = msgspec.Raw(encode(Options(planechase=False)))
        return Open(FORMAT, Magic.id, options, parties, "all", secrets.token_hex(32), "benchmark")

    def _commit(self) -> None:
        replaced = {name: chain.link(self._link) for name, chain in self._chains.items()}
        self._link = 1
        self._chains = {
            name: SeedChain(self._game, name, self._chain_length, secrets.token_bytes(32)) for name in _ROLES
        }
        for name, chain in self._chains.items():
            link = replaced[name].hex() if name in replaced else UNSET
            self._write(name, "commit", Commit(chain.length, chain.tip.hex(), link))

    def _write_roll(self) -> None:
        player, seq = ("alice", "bob")[self._rolls % 2], self.size
        request = self._write(player, "roll", DIE)
        links = {name: chain.link(self._link) for name, chain in self._chains.items()}
        openings = tuple(self._opening(name, link, request) for name, link in links.items())
        seed = roll_seed(self._game, self._rolls, list(links.items()))
        self._write("host", "reveal", Reveal(self._rolls, openings, (20,), draw(seed, (20,))))
        self._write(player, "resolve", ResolveBody(roll=seq))
        self._rolls += 1
        self._link += 1

    def _opening(self, name: str, link: bytes, request: bytes) -> Opening:
        signature = self.identities[name].sign(opening_message(self._game, request, name, self._link, link))
        return Opening(name, self._link, link.hex(), signature.hex())

    def _write(self, author: str, type: str, body: Body) -> bytes:
        """Write an event; returns its leaf hash."""
        event = unsigned_event(author, body, self._game.hex(), self._head.hex(), self.size, self._time, type)
        line = signed_line(event, self.identities[author].sign(signed_message(event)))
        self._log.write(line + b"\n")
        self._head = leaf_hash(line)
        self.size += 1
        return self._head


def game(events: int) -> tuple[bytes, Scribe]:
    """A log of that many events or a few more, and who wrote it."""
    log = io.BytesIO()
    scribe = Scribe(log, events // 3 + 1)
    scribe.write_rolls(events)
    return log.getvalue(), scribe
