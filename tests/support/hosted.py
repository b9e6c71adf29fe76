"""A keeper's program and participants on other machines, in one process: what passes between them are operations and
news. Nothing here is judged; the tests judge.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ledger.game.core import Due, KeptGame
from ledger.game.party_view import LogView
from ledger.keeper.host import Host
from ledger.keeper.operations import (
    Acceptance,
    BatchResult,
    HandIn,
    HandInReceived,
    KeeperFailure,
    NewCheckpoint,
    NewLine,
    NewOpening,
    NewReceived,
    News,
    Offer,
    OpenGame,
    Operation,
    Outcome,
    Rejection,
)
from ledger.seats.identity import Identity
from ledger.seats.seat import Seat
from ledger.store.ledger import Ledger
from rules import SYSTEMS, Body, Role
from rules.records import RollRecord
from rules.scene import scene_of
from tests.support.table import Clock, seat_in
from verifier.log.bodies import Open, Opening, Party
from verifier.log.format import FORMAT
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode
from verifier.opening import ReceivedOpening, SentOpening

__all__ = ["Client", "HostStage", "Hosted"]


class Client:
    """A participant at one game, which it verifies line by line."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.view = LogView()
        self.openings: dict[str, Opening] = {}
        self.received: list[ReceivedOpening] = []
        """all that came by"""
        self.checkpoints: list[int] = []
        """the sizes of those that came"""

    @property
    def game(self) -> bytes:
        return self.view.replay.game

    @property
    def lines(self) -> list[bytes]:
        return list(self.view.lines(0))

    @property
    def log(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)

    def hear(self, news: Iterable[News]) -> None:
        for each in news:
            match each:
                case NewLine(seq, line):
                    assert seq <= self.view.replay.size, "lines come in their order"
                    if seq < self.view.replay.size:  # a server that was caught up tells what it lacked
                        assert leaf_hash(line) == self.view.leaf(seq)
                        continue
                    self.view.append(line)
                    pending = self.view.replay.pending
                    if pending is None or pending.seq == seq:
                        self.openings.clear()
                case NewCheckpoint(checkpoint):
                    assert checkpoint.head.size == self.view.replay.size, "it is of all lines before it"
                    assert checkpoint.head.root == self.view.replay.tree.root()
                    self.view.checkpoint = checkpoint
                    self.checkpoints.append(checkpoint.head.size)
                case NewOpening(sent):
                    self.openings[sent.opening.author] = sent.opening
                case NewReceived(received):
                    self.received.append(received)
                    if received.author == self.seat.name:
                        self.seat.keyless.keep_received(received, self.view)

    def due(self) -> Operation | None:
        """What the course of the game asks of this party, signed."""
        name = self.seat.name
        kept = KeptGame(self.view.replay, self.view.checkpoint, self.openings.values())
        if kept.taken < self.view.replay.size:
            return None
        match next((due for due in kept.outstanding() if due.party == name), None):
            case Due(what="open"):
                return HandIn(self.open())
            case Due(what="join" | "commit" as what):
                return Offer(self.game, self.seat.due(what, self.view, (), 16))
            case _:
                return None

    def open(self) -> SentOpening:
        pending = self.view.replay.pending
        assert pending is not None
        opening = self.seat.opening(self.view, tuple(self.openings.values()))
        return SentOpening.of(self.game, pending.request, opening)

    def act(self, type: str, body: Body) -> Offer:
        return Offer(self.game, self.seat.sign(self.view, type, body))

    def acknowledge(self, opening: Opening) -> HandInReceived:
        return HandInReceived(self.seat.acknowledge(self.view, opening))


class Hosted:
    """A host, and participants of its games, each with one seat for all of them."""

    def __init__(
        self,
        folder: Path,
        names: Sequence[str] = ("alice", "bob"),
        links: int = 16,
        keeper: str = "host",
        identities: Mapping[str, Identity] | None = None,
        judge: str | None = None,
    ) -> None:
        """Where `identities` are given their homes may be in the folder already. `judge`: the keeper's."""
        self.folder = folder
        self.links = links
        self.name = keeper
        self.clock = Clock()
        own = (keeper,) if judge is None else (keeper, judge)
        self.identities = identities or {name: Identity.generate(name) for name in (*own, *names)}
        self.judges_name = judge
        self.seats = {name: self.seat(name) for name in names}
        self.clients: dict[bytes, dict[str, Client]] = {}
        self.start()

    def seat(self, name: str) -> Seat:
        return seat_in(self.folder / name, self.identities[name], self.clock)

    def start(self) -> None:
        """The keeper's program starts: it has what is on its disk."""
        self.keeper = self.seat(self.name)
        self.judge = None if self.judges_name is None else self.seat(self.judges_name)
        self.ledger = Ledger(self.folder / "ledger.db", self.clock)
        self.host = Host(self.ledger, [self.keeper], links=self.links, judge=self.judge)

    def stop(self) -> None:
        self.keeper.close()
        if self.judge is not None:
            self.judge.close()
        self.ledger.close()

    def close(self) -> None:
        self.stop()
        for seat in self.seats.values():
            seat.close()

    def hear_all(self) -> None:
        """Everybody has what the keeper's program has stored."""
        self.clients.clear()
        for game in self.ledger.catalog.games():
            kept = self.ledger.kept(game)
            lines = list(self.ledger.lines(game))
            followed = self.clients[game] = {name: Client(seat) for name, seat in self.seats.items()}
            for client in followed.values():
                client.hear(NewLine(seq, line) for seq, line in enumerate(lines))
                client.view.checkpoint = kept.checkpoint
                client.openings = {opening.author: opening for opening in kept.openings}

    def terms(self, system: str, options: Body, roles: Mapping[str, Role] | None = None, **members: Any) -> OpenGame:
        parties: dict[str, Role] = {self.name: "keeper", **dict.fromkeys(self.seats, "player"), **(roles or {})}
        if self.judges_name is not None:
            parties[self.judges_name] = "judge"
            members.setdefault("judge", self.judges_name)
        content: dict[str, Any] = {
            "format": FORMAT,
            "system": system,
            "options": msgspec.Raw(encode(options)),
            "parties": tuple(Party(str(self.identities[name].key), role) for name, role in parties.items()),
            "contributors": "all",
            "nonce": "",
            "title": "",
        }
        return OpenGame(Open(**content | {name: value for name, value in members.items() if value is not None}))

    def process(self, *operations: Operation) -> tuple[Outcome, ...]:
        """A batch; everybody hears what is new."""
        processed = self.host.process(operations)
        self.tell(processed)
        return processed.outcomes

    def tell(self, processed: BatchResult) -> None:
        for game, news in processed.news.items():
            for client in self.clients.setdefault(game, {n: Client(seat) for n, seat in self.seats.items()}).values():
                client.hear(news)

    def open(self, terms: OpenGame) -> bytes:
        """A game in which everybody has joined and committed."""
        (outcome,) = self.process(terms)
        assert isinstance(outcome, Acceptance), outcome
        game = bytes.fromhex(outcome.receipt.game)
        self.settle()
        return game

    def settle(self) -> None:
        """Everybody does what is outstanding, in all games at once; of a game's parties one in each batch."""
        while True:
            operations = []
            for clients in self.clients.values():
                for client in clients.values():
                    operation = client.due()
                    if operation is not None:
                        operations.append(operation)
                        if isinstance(operation, Offer):
                            break
            if not operations:
                return
            for outcome in self.process(*operations):
                assert not isinstance(outcome, Rejection | KeeperFailure), outcome


class HostStage:
    """A stage for scenes (`rules.scene.Stage`) over a host."""

    def __init__(self, folder: Path, system: str) -> None:
        self._system = SYSTEMS[system]
        self._scene = scene_of(self._system)
        roles = {name: role for name, role in self._scene.roles.items() if role != "keeper"}
        keeper = next(name for name, role in self._scene.roles.items() if role == "keeper")
        self.hosted = Hosted(folder, tuple(roles), links=256, keeper=keeper)
        self.id = self.hosted.open(self.hosted.terms(system, self._scene.options, roles))

    @property
    def client(self) -> Client:
        return next(iter(self.hosted.clients[self.id].values()))

    def play(self) -> bytes:
        """The scene; the log that a participant has."""
        self._scene.play(self)
        return self.client.log

    @property
    def game(self) -> Any:
        return self.client.view.replay.session.game

    def say(self, text: str) -> None:
        pass

    def act(self, name: str, type: str, body: Body) -> int:
        (outcome,) = self.hosted.process(self.hosted.clients[self.id][name].act(type, body))
        assert isinstance(outcome, Acceptance), outcome
        self.hosted.settle()
        return outcome.receipt.seq

    def roll(self, number: int) -> RollRecord:
        settled, opened = self._system.rolls(self.game)
        found: RollRecord = next(r for r in (*settled, *opened) if r.roll == number)
        return found

    def show(self, number: int) -> None:
        self.roll(number)
