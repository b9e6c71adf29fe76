"""Signed logs of any system, written as fast as events can be made up: everybody's secrets in one place.

What is written is a log that holds: each event goes through the rules first, and Violation leaves the log as it was.
The keys are those of the vectors, which everybody knows: the same events make the same log everywhere.
"""

from collections.abc import Collection, Mapping
from functools import cache
from hashlib import sha256
from typing import Any, Literal, cast

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET, UnsetType

from ledger.seats.identity import Identity
from ledger.seats.seed_chain import SeedChain
from rules import SYSTEMS, Body, Event, Role, Session
from rules.protocol import REQUESTS, Join
from rules.script import Empty, ScriptEvent, step
from verifier.dice.derivation import draw, opening_message, roll_seed
from verifier.dice.pending import draw_all
from verifier.log.bodies import Commit, Disclose, Open, Opening, Party, Reveal, Void
from verifier.log.format import FORMAT, signed_line, signed_message, unsigned_event
from verifier.log.merkle import ZERO_HASH, leaf_hash
from verifier.log.plainjson import encode

__all__ = ["ROLES", "Forge"]

ROLES: Mapping[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"}
_TIME = "2026-11-22T19:00:00.000Z"
_LINKS = 4_096
"""of each chain"""


@cache
def _identity(name: str) -> Identity:
    secret = sha256(f"rollproof vectors key {name}".encode()).digest()
    return Identity(name, Ed25519PrivateKey.from_private_bytes(secret))


class Forge:
    """A log that grows by one event at a time. The keeper and `contributors`, of which `alice` is one, contribute."""

    def __init__(
        self,
        system: str,
        options: Mapping[str, Any],
        roles: Mapping[str, Role] = ROLES,
        contributors: Collection[str] = ("alice",),
        *,
        others_away: bool = False,
    ) -> None:
        self.roles = roles
        self.keeper = next(name for name, role in roles.items() if role == "keeper")
        self.contributors = tuple(name for name in roles if name == self.keeper or name in contributors)
        self.system = SYSTEMS[system]
        decoded: Body = msgspec.convert(options, self.system.options)
        callers = frozenset(self.contributors) if others_away else frozenset()
        session = Session.start(self.system, decoded, roles, callers)
        self.session = session.with_joined(roles)
        self.lines: list[bytes] = []
        self.bytes = 0
        self.requests = 0
        self._head = self._game = ZERO_HASH
        self._chains: dict[str, SeedChain] = {}
        self._link = 1
        parties = tuple(Party(str(_identity(name).key), role) for name, role in roles.items())
        raw = msgspec.Raw(encode(decoded))
        away: Literal["others"] | UnsetType = "others" if others_away else UNSET
        body = Open(FORMAT, system, raw, parties, self.contributors, "5" * 64, "a game", away=away)
        self._game = self._write(self.keeper, "open", body)
        for name in roles:
            if name != self.keeper:
                self._write(name, "join", Join())
        self._commit()

    @property
    def seq(self) -> int:
        """The number of the next event."""
        return len(self.lines)

    @property
    def log(self) -> bytes:
        return b"".join(self.lines)

    def act(self, author: str, type: str, body: Mapping[str, Any] | None = None, *, end: str = "reveal") -> int:
        """An event; of a request also its dice, or with `end` "void" that it was called off, with "" nothing yet.

        Its number. Raises Violation.
        """
        raw, seq = msgspec.Raw(encode(body or {})), self.seq
        if type == "close":
            raise ValueError("a log that grows is not closed")
        self.session = step(self.session, seq, ScriptEvent(author, type, raw))
        leaf = self._write(author, type, raw)
        if type in REQUESTS and end:
            self._void(author) if end == "void" else self._reveal(leaf)
        return seq

    def say(self, author: str, type: str, body: Mapping[str, Any], sides: tuple[int, ...] = ()) -> int:
        """An event that the rules are not asked about; of a request, with the dice of these sides. Its number."""
        seq = self.seq
        leaf = self._write(author, type, msgspec.Raw(encode(body)))
        if type in REQUESTS:
            links, openings = self._openings(leaf)
            naturals = draw(roll_seed(self._game, self.requests, list(links.items())), sides)
            self._write(self.keeper, "reveal", Reveal(self.requests, openings, sides, naturals))
            self._spend()
        return seq

    def _reveal(self, request: bytes) -> None:
        links, openings = self._openings(request)
        sides, naturals = draw_all(self.session, roll_seed(self._game, self.requests, list(links.items())))
        self._write(self.keeper, "reveal", Reveal(self.requests, openings, sides, naturals))
        self.session = self.session.apply(Event(self.seq - 1, self.keeper, "reveal", Empty()), naturals)
        self._spend()

    def _void(self, author: str) -> None:
        request = self._head
        _, openings = self._openings(request)
        closer = author if author in self.contributors else "alice"
        self.session = self.session.apply(Event(self.seq, closer, "void", Empty()))
        self._write(closer, "void", Void(self.requests, ()))
        self.session = self.session.apply(Event(self.seq, self.keeper, "disclose", Empty()))
        own = tuple(opening for opening in openings if opening.author == self.keeper)
        self._write(self.keeper, "disclose", Disclose(self.requests, own))
        self._spend()

    def _spend(self) -> None:
        self.requests += 1
        self._link += 1
        if self._link == _LINKS:
            self._commit()

    def _openings(self, request: bytes) -> tuple[Mapping[str, bytes], tuple[Opening, ...]]:
        links = {name: chain.link(self._link) for name, chain in self._chains.items()}
        found = []
        for name, link in links.items():
            signature = _identity(name).sign(opening_message(self._game, request, name, self._link, link))
            found.append(Opening(name, self._link, link.hex(), signature.hex()))
        return links, tuple(found)

    def _commit(self) -> None:
        replaced = {name: chain.link(self._link) for name, chain in self._chains.items()}
        self._link = 1
        for name in self.contributors:
            tip = (self.seq.to_bytes(8, "big") + name.encode()).ljust(32, b"\0")
            self._chains[name] = SeedChain(self._game, name, _LINKS, tip)
            link = replaced[name].hex() if name in replaced else UNSET
            self._write(name, "commit", Commit(_LINKS, self._chains[name].tip.hex(), link))

    def _write(self, author: str, type: str, body: Body | msgspec.Raw) -> bytes:
        """Write an event; its leaf hash."""
        event = unsigned_event(author, cast("Body", body), self._game.hex(), self._head.hex(), self.seq, _TIME, type)
        line = signed_line(event, _identity(author).sign(signed_message(event)))
        self.lines.append(line + b"\n")
        self.bytes += len(line) + 1
        self._head = leaf_hash(line)
        return self._head
