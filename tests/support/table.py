"""A table to play at: a ledger, and a seat for each party, each with its own key and its own database of seeds.

Nothing here is judged; the tests judge. `Forger` is what a dishonest party has: one key, and any bytes it likes.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger.errors import RefusedError
from ledger.game.core import reveal_of
from ledger.game.party_view import View
from ledger.game.times import utc_now
from ledger.keeper import table as played
from ledger.seats.identity import Identity
from ledger.seats.memory_places import begin_memory, open_memory
from ledger.seats.seat import Seat
from ledger.store.game_view import GameView
from ledger.store.ledger import Ledger
from ledger.store.receipts import Receipt
from rules import SYSTEMS, Body, Role
from rules.systems.mtg.bodies import Options
from tests.oracles.reference import leaf
from verifier import Finding, Replay, Report, VerifierKey, verify
from verifier.checkpoints.checkpoint import Checkpoint, SignedCheckpoint, sign_checkpoint
from verifier.dice.derivation import opening_message, roll_seed
from verifier.dice.pending import in_order
from verifier.log.bodies import PROTOCOL_BODIES, Opening, Permissions
from verifier.log.format import EVENT_LABEL, decode_body
from verifier.log.plainjson import encode

SYSTEM = "mtg-706-2023-11-17"
ROLES: Mapping[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"}
ROLL = {"source": "Delina, Wild Mage", "dice": "1d20", "use": "15 or more: roll again"}
READ_TABLES = ("dice", "rolls", "voids", "rulings", "parties", "games")


def make_body(type: str, members: Mapping[str, Any]) -> Body:
    """A body from JSON values, by the schema of its type."""
    schema: Any = PROTOCOL_BODIES.get(type) or SYSTEMS[SYSTEM].bodies[type]
    body: Body = decode_body(encode(members), schema, type)
    return body


class Clock:
    """The time at the table: a quarter of a second later each time somebody looks."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 20, 19, tzinfo=UTC)

    def __call__(self) -> str:
        self.now += timedelta(milliseconds=250)
        return self.last

    @property
    def last(self) -> str:
        """What it told last."""
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Table:
    """A game in a folder. `Table(folder)` has only event 0; `begin` lets everybody join and commit."""

    def __init__(
        self,
        folder: Path,
        *,
        roles: Mapping[str, Role] = ROLES,
        contributors: Literal["all", "roller"] | tuple[str, ...] = "all",
        planechase: bool = False,
        title: str = "",
        identities: Mapping[str, Identity] | None = None,
        **opened: Any,
    ) -> None:
        self.folder = folder
        self.roles = roles
        self.clock = Clock()
        self.identities = identities or {name: Identity.generate(name) for name in roles}
        self.seats = {name: self.seat(name) for name in roles}
        self.ledger = Ledger(folder / "ledger.db", self.clock)
        parties = [(self.identities[name].key, role) for name, role in roles.items()]
        opened["permits"] = Permissions(**{n: opened.pop(n) for n in Permissions.__struct_fields__ if n in opened})
        line = self.seats[self.keeper].open_game(SYSTEM, Options(planechase), parties, contributors, title, **opened)
        self.game = bytes.fromhex(self.ledger.create(line).game)

    def seat(self, name: str) -> Seat:
        """The party's seat, with what it remembers, on a machine of its own."""
        return seat_in(self.folder / name, self.identities[name], self.clock)

    def close(self) -> None:
        for seat in self.seats.values():
            seat.close()
        self.ledger.close()

    def restart(self) -> None:
        """Everybody's program ends and starts again: only what is on disk is left."""
        self.close()
        self.seats = {name: self.seat(name) for name in self.roles}
        self.ledger = Ledger(self.folder / "ledger.db", self.clock)

    # --- looking ---------------------------------------------------------------------------------------------------

    @property
    def keeper(self) -> str:
        return next(name for name, role in self.roles.items() if role == "keeper")

    @property
    def view(self) -> GameView:
        return self.ledger.view(self.game)

    @property
    def state(self) -> dict[str, Any]:
        return self.view.replay.session.view()

    @property
    def lines(self) -> list[bytes]:
        return list(self.ledger.lines(self.game))

    @property
    def log(self) -> bytes:
        stream = BytesIO()
        self.ledger.export(self.game, stream)
        return stream.getvalue()

    @property
    def keys(self) -> dict[str, VerifierKey]:
        return {name: identity.key for name, identity in self.identities.items()}

    # --- playing ---------------------------------------------------------------------------------------------------

    @property
    def played(self) -> played.Table:
        """The course of a roll, as commands, bots and the demonstration go through it, with every seat at hand."""
        return played.Table(self.ledger, self.game, lambda name: nullcontext(self.seats[name]))

    def begin(self, length: int = 16) -> "Table":
        """Everybody joins, and whoever contributes commits to a chain of `length` links; the keeper last."""
        terms = self.view.replay.terms
        for name in (*(name for name in self.roles if name != self.keeper), self.keeper):
            if name != self.keeper:
                self.played.append(self.seats[name], self.seats[name].join)
            if terms.may_contribute(name):
                self.commit(name, length)
        return self

    def take(self, name: str) -> GameView:
        """The keeper signs over what others than this party wrote last; the game, for this party to sign on."""
        if json.loads(self.lines[-1])["author"] not in (name, self.keeper):
            self.played.take(self.view.replay.size)
        return self.view

    def commit(self, name: str, length: int = 16) -> Receipt:
        return self.played.append(self.seats[name], partial(self.seats[name].commit, length=length))

    def sign(self, name: str, type: str, members: Mapping[str, Any]) -> bytes:
        """The next event, by this party's seat; not appended. What no seat signs is signed as a cheat would."""
        body = make_body(type, members)
        try:
            return self.played.in_turn(lambda view: self.seats[name].sign(view, type, body))
        except RefusedError:
            time = max(self.clock(), self.view.replay.time)
            return Forger(self.identities[name]).event(self.lines, type, body, time=time)

    def act(self, name: str, type: str, members: Mapping[str, Any]) -> Receipt:
        return self.ledger.append(self.game, self.sign(name, type, members))

    def hand_in(self, *names: str) -> None:
        """These parties open for the pending request."""
        for name in names:
            self.played.take(self.view.replay.size)
            self.played.open(self.seats[name])

    def open(self, name: str) -> Opening:
        """The party's opening for the pending request, which the keeper has taken; not handed in."""
        self.played.take(self.view.replay.size)
        return self.seats[name].opening(self.view, self.ledger.openings(self.game))

    def hand_in_all(self, *, but: Iterable[str] = ()) -> None:
        """All that the roll needs, in the order in which it asks for them; but not these."""
        self.hand_in(*(name for name in self.played.kept.awaited if name not in but))

    def reveal(self) -> Receipt:
        return self.played.write(self.seats[self.keeper], "reveal")

    def void(self, author: str | None = None, *missing: str) -> Receipt:
        """The roll's closer, or whoever is named, voids it, and the keeper discloses."""
        pending = self.view.replay.pending
        assert pending is not None
        name = author or pending.closer
        receipt = self.played.append(self.seats[name], lambda view: self.seats[name].void(view, missing))
        self.disclose()
        return receipt

    def disclose(self) -> Receipt:
        return self.played.write(self.seats[self.keeper], "disclose")

    def request(self, name: str, type: str, members: Mapping[str, Any]) -> int:
        """A request with its dice; its number."""
        seq = self.act(name, type, members).seq
        self.played.carry_on()
        return seq

    def roll(self, name: str, **members: Any) -> int:
        """A roll that ends at once; its number."""
        seq = self.request(name, "roll", ROLL | members)
        self.act(name, "resolve", {"roll": seq})
        return seq

    def naturals(self) -> list[int]:
        """What the latest reveal showed."""
        found = [event["body"]["naturals"] for event in map(json.loads, self.lines) if event["type"] == "reveal"]
        naturals: list[int] = found[-1]
        return naturals


def declared(seat: Seat, view: View, source: str = "a dwarf") -> bytes:
    """An event by a player's seat, of no matter what kind."""
    return seat.sign(view, "declare", make_body("declare", {"what": "trigger", "source": source, "on": "rolled"}))


def replaced(table: Table, name: str, tip: str = "ab" * 32) -> bytes:
    """A commit in the place of a chain that still has links, as no seat signs it."""
    link = link_of(table, name, table.view.replay.chains[name].next).hex()
    return Forger(table.identities[name]).event(
        table.lines, "commit", {"length": 4, "link": link, "tip": tip}, time=table.clock()
    )


class Shown:
    """A game with a checkpoint beside it: what somebody is shown."""

    def __init__(self, view: View, checkpoint: SignedCheckpoint | None) -> None:
        self._view = view
        self.checkpoint = checkpoint
        self.leaf, self.lines = view.leaf, view.lines
        self.stands_for, self.verify = view.stands_for, view.verify

    @property
    def replay(self) -> Replay:
        return self._view.replay

    @property
    def trusted(self) -> int:
        return self._view.trusted


def seat_in(folder: Path, identity: Identity, clock: Callable[[], str] = utc_now) -> Seat:
    """A seat whose identity's folder and state folder are in `folder`; they are begun where they are not there."""
    place = (identity, folder / "identity", folder / "state")
    if not folder.exists():
        place[1].mkdir(parents=True)
        begin_memory(*place).close()
    return Seat(identity, open_memory(*place), clock)


class Forger:
    """A party that cheats: it has its own key, whatever log it was shown or made, and no scruples."""

    def __init__(self, identity: Identity) -> None:
        self.identity = identity
        self.name = identity.name

    def event(self, lines: list[bytes], type: str, body: Any, **members: Any) -> bytes:
        """The line after `lines`, signed with this party's key; `members` replace what would be right."""
        last = json.loads(lines[-1])
        return self.sign(
            {
                "author": self.name,
                "body": body,
                "game": leaf(lines[0]).hex(),
                "prev": leaf(lines[-1]).hex(),
                "seq": len(lines),
                "time": last["time"],
                "type": type,
                **members,
            }
        )

    def sign(self, event: Mapping[str, Any], label: bytes = EVENT_LABEL) -> bytes:
        """Any event, signed anew."""
        unsigned = {name: value for name, value in event.items() if name != "sig"}
        return encode(unsigned | {"sig": self.identity.sign(label + encode(unsigned)).hex()})

    def checkpoint(self, view: View) -> SignedCheckpoint:
        """A checkpoint of any log."""
        replay = view.replay
        head = Checkpoint(replay.game, replay.size, replay.tree.root())
        return sign_checkpoint(head, self.identity.key, self.identity.sign)

    def opening(self, table: Table, link: bytes, index: int, request: bytes) -> dict[str, Any]:
        """Any link, opened for any request."""
        message = opening_message(table.game, request, self.name, index, link)
        sig = self.identity.sign(message).hex()
        return {"author": self.name, "index": index, "link": link.hex(), "sig": sig}


def seed_of(replay: Replay, openings: Iterable[Mapping[str, Any]]) -> bytes:
    """The seed that these openings give for the pending request."""
    pending, terms = replay.pending, replay.terms
    assert pending is not None
    links = {opening["author"]: bytes.fromhex(opening["link"]) for opening in openings}
    return roll_seed(terms.game, pending.roll_index, in_order(pending.contributors, links))


def reveal_body(replay: Replay, openings: list[dict[str, Any]], **members: Any) -> dict[str, Any]:
    """The reveal that goes with these openings; `members` replace what would be right."""
    body = reveal_of(replay, (Opening(**opening) for opening in openings))
    return {**json.loads(encode(body)), "openings": openings, **members}


def links_of(table: Table, name: str) -> list[bytes]:
    """All links of the party's latest chain, the tip first: its secrets."""
    tip = table.view.replay.chains[name].tip
    seat = table.seats[name]
    with seat._memory.game(table.game) as turn:
        own = seat._vault.chain(turn, tip)
    return [seat._vault.link(table.game, own, index) for index in range(own.length + 1)]


def link_of(table: Table, name: str, index: int) -> bytes:
    return links_of(table, name)[index]


def opening_of(table: Table, name: str) -> dict[str, Any]:
    """The party's right opening, as JSON values; the keeper's too, which its seat gives nobody."""
    pending = table.view.replay.pending
    assert pending is not None
    seat = table.seats[name]
    with seat._memory.game(table.game) as turn:
        opening = seat._vault.open(turn, table.view.replay, pending)
        turn.forget()  # nobody knows
    return as_json(opening)


def as_json(opening: Opening) -> dict[str, Any]:
    return {"author": opening.author, "index": opening.index, "link": opening.link, "sig": opening.sig}


def joined(lines: Iterable[bytes]) -> bytes:
    """The file that these lines make."""
    return b"".join(line + b"\n" for line in lines)


def report_on(lines: Iterable[bytes]) -> Report:
    return verify(joined(lines))[0]


def error_in(lines: Iterable[bytes]) -> Finding:
    """What is wrong with the log that these lines make."""
    report = report_on(lines)
    assert report.verdict == "fails", report.verdict
    assert report.error is not None
    return report.error


def dump(ledger: Ledger) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of the store."""
    tables = ("events", "openings", "checkpoints", *READ_TABLES)
    return {table: sorted(ledger._database.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in tables}


def read_tables(ledger: Ledger) -> dict[str, list[tuple[Any, ...]]]:
    everything = dump(ledger)
    return {table: everything[table] for table in READ_TABLES}


def private_bytes(identity: Identity) -> bytes:
    return identity._private_key.private_bytes_raw()


def identity_from(name: str, secret: bytes) -> Identity:
    return Identity(name, Ed25519PrivateKey.from_private_bytes(secret))
