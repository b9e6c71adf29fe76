"""The store: durable appends, by one and in a row, and read tables made anew, of one game and of many."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from statistics import median

import msgspec
from msgspec import Struct

from ledger.keeper.table import Table as Played
from ledger.seats.identity import Identity
from ledger.seats.memory_places import begin_memory
from ledger.seats.seat import Seat
from ledger.store.ledger import Ledger
from rules.systems.mtg.bodies import DeclareGone, DeclarePermanent, ResolveBody
from tests.bench.measure import Measure, Race, Sizes, cores, race, rate, seconds
from tests.bench.peers import Peers
from tests.bench.scribe import DIE, game

__all__ = ["measure_store"]

APPEND_TARGET = 0.7
LATE_TARGET = 0.9
"""what an append to a long game may cost more than one to a new game: what two measurements differ by"""
SAVE_TARGET = 0.4
ROW_TARGET = 1.5
REBUILD_TARGET = 5.0
STORE_TARGET = 2.0
PEER_SAVES = 100
"""events that the peer saves, in a turn"""
ROW = 8
"""events in a row"""
GAME = 300
"""events of each of many games, the peer's too"""


_IN_A_ROW = [("declare", DeclarePermanent("die", "A Die")), ("declare", DeclareGone("die"))] * (ROW // 2)


class Step(Struct, frozen=True):
    """A part of a roll: the seconds it took, and what it made durable, each with a commit of its own (JSON values)."""

    kind: str
    seconds: float
    records: list[object]


class Table:
    """A stored game with everybody at the table, ready to roll `rolls` times."""

    def __init__(self, ledger: Ledger, folder: Path, events: int, rolls: int) -> None:
        log, scribe = game(events)
        self.ledger = ledger
        report = ledger.importer.import_log(log, name="benchmark").report
        assert report.game is not None
        self.game = bytes.fromhex(report.game)
        self.seats = {}
        for name, identity in scribe.identities.items():
            (folder / name).mkdir(parents=True)
            taken = scribe.remembers(name)
            memory = begin_memory(identity, folder / name, folder / "state", taken=taken)
            self.seats[name] = Seat(identity, memory)
        for seat in self.seats.values():
            self.append(seat.commit(self.ledger.view(self.game), rolls + 1))

    def close(self) -> None:
        for seat in self.seats.values():
            seat.close()

    def append(self, line: bytes) -> None:
        """As the keeper does it: checked, with a checkpoint, durable."""
        self.ledger.append(self.game, line, self.seats["host"])

    def roll(self) -> Iterator[Step]:
        """A roll from request to resolve, step by step.

        `ledger.keeper.table` does the same in one go; here each step has its own clock, and the keeper signs within it.
        """
        ledger, game, host = self.ledger, self.game, self.seats["host"]
        seq = ledger.view(game).replay.size
        player = self.seats[("alice", "bob")[seq % 2]]
        yield self._append("roll", lambda: player.sign(ledger.view(game), "roll", DIE))
        handed_in = seconds(self._hand_in)
        openings = [msgspec.to_builtins(opening) for opening in ledger.openings(game)]
        # Recorded by those who open, and by the keeper who receives.
        yield Step("openings", handed_in, openings + openings)
        step = self._append("reveal", lambda: host.reveal(ledger.view(game), ledger.openings(game)))
        # The keeper opens too, and records it.
        yield Step(step.kind, step.seconds, openings[:1] + step.records)
        yield self._append("resolve", lambda: player.sign(ledger.view(game), "resolve", ResolveBody(roll=seq)))

    def row(self) -> None:
        """Events that a player writes in a row, durable and under a checkpoint."""
        ledger, game, player = self.ledger, self.game, self.seats["alice"]
        ledger.append_all(game, player.sign_all(ledger.view(game), _IN_A_ROW), self.seats["host"])

    def _append(self, kind: str, sign: Callable[[], bytes]) -> Step:
        lines: list[bytes] = []

        def append() -> None:
            lines.append(sign())
            self.ledger.append(self.game, lines[0], self.seats["host"])  # who signs the checkpoint

        return Step(kind, seconds(append), [msgspec.json.decode(lines[0])])

    def _hand_in(self) -> None:
        table = Played(self.ledger, self.game, lambda name: nullcontext(self.seats[name]))
        while (due := table.kept.outstanding()[0]).what != "reveal":
            table.do(due)


class BareStore:
    """The least that a durable signed log can do: encode, sign, insert, commit with synchronous FULL."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("CREATE TABLE events (game TEXT, seq INTEGER, line BLOB, PRIMARY KEY (game, seq))")
        self._key = Identity.generate("bare")
        self._encoder = msgspec.json.Encoder(order="sorted")
        self._size = 0

    def close(self) -> None:
        self._connection.close()

    def fill(self, lines: Iterable[bytes]) -> None:
        """Take many lines at once: a write-ahead log that has grown once is quicker, and the ledger's has."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany("INSERT INTO events VALUES ('full', ?, ?)", enumerate(lines))
        self._connection.execute("COMMIT")

    def append(self, record: object) -> None:
        """Append a JSON value."""
        encoded = self._encoder.encode(record)
        signed = encoded + self._key.sign(encoded)
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO events VALUES (?, ?, ?)", ("bare", self._size, signed))
        self._connection.execute("COMMIT")
        self._size += 1


def measure_store(folder: Path, sizes: Sizes, peers: Peers) -> Iterator[Measure]:
    """Appends to a new and to a long game, a whole roll, and the read tables made anew."""
    rolls, ledger, bare = sizes.append_rolls, Ledger(folder / "ledger.db"), BareStore(folder / "bare.db")
    old = Table(ledger, folder / "old", sizes.long_game, rolls)
    new = Table(ledger, folder / "new", 9, rolls)
    bare.fill(ledger.lines(old.game))
    try:
        yield from _append(new, old, bare, rolls, peers)
    finally:
        for closes in (new, old, bare, ledger):
            closes.close()
    yield from _rebuild(folder, sizes, peers)
    if peers.there:
        yield _rebuild_store(folder, sizes, peers)


Turn = dict[str, float]
"""seconds by kind of step"""


def _append(new: Table, old: Table, bare: BareStore, rolls: int, peers: Peers) -> Iterator[Measure]:
    length = old.ledger.view(old.game).replay.size
    news: list[tuple[Turn, Turn]] = []
    olds: list[tuple[Turn, Turn]] = []
    saves: list[float] = []
    rows: list[float] = []
    for number in range(rolls):
        news.append(_turn(new, bare))
        olds.append(_turn(old, bare))
        if peers.there and number % 10 == 0:
            saves.append(peers.seconds("save", PEER_SAVES) / PEER_SAVES)
            rows.append(median(seconds(new.row) / ROW for _ in range(5)))
    against, kinds = "encode, sign, insert, commit with synchronous FULL", ("roll", "resolve")
    what = "sign and append an event, with its checkpoint, to a new game"
    yield _beside("append_to_bare_insert", what, against, news, kinds, APPEND_TARGET)
    what = f"sign and append an event to a game of {length:,} events"
    yield _beside("append_at_length_to_bare_insert", what, against, olds, kinds, APPEND_TARGET)
    aged = [(ours, early) for (ours, _), (early, _) in zip(olds, news, strict=True)]
    yield _beside(
        "append_late_to_early",
        f"the same, after {length:,} events",
        "the same in the new game",
        aged,
        kinds,
        LATE_TARGET,
    )
    if saves:
        # Each beside the saves of its own ten turns: what others do on the machine changes within minutes.
        each = [sum(ours[kind] for kind in kinds) / len(kinds) for ours, _ in news]
        singles = [median(each[start : start + 10]) for start in range(0, rolls, 10)]
        yield _saved(
            "append_to_eventsourcing", "sign and append an event to a new game", singles, saves, peers, SAVE_TARGET
        )
        what = f"sign and append {ROW} events in a row, each with its receipt"
        yield _saved("append_row_to_eventsourcing", what, rows, saves, peers, ROW_TARGET)
    what, against = "a whole roll, from request to resolve", "the same eight durable records, encoded and signed"
    yield _beside("roll_to_bare_inserts", what, against, news, ("roll", "openings", "reveal", "resolve"))


def _saved(key: str, what: str, ours: Sequence[float], saves: Sequence[float], peers: Peers, target: float) -> Measure:
    """Seconds of an event and of a save, turn by turn."""
    result = Race.of(ours, saves)
    against = f"{peers.versions['eventsourcing']}: save one event"
    mine, theirs = rate(1, result.ours, "events"), rate(1, result.bare, "events")
    return Measure(key, what, against, mine, theirs, result.ratio, target)


def _turn(table: Table, bare: BareStore) -> tuple[Turn, Turn]:
    """A roll at the table, and after each of its steps the same records in the bare store."""
    ours, beside = {}, {}
    for step in table.roll():
        ours[step.kind] = step.seconds
        beside[step.kind] = sum(seconds(partial(bare.append, record)) for record in step.records)
    return ours, beside


def _beside(
    key: str,
    what: str,
    against: str,
    turns: Sequence[tuple[Turn, Turn]],
    kinds: Sequence[str],
    target: float | None = None,
) -> Measure:
    """These kinds of steps of many turns, ours and bare; a rate of steps if they are events, else of turns."""
    race = Race.of(*([sum(turn[side][kind] for kind in kinds) for turn in turns] for side in (0, 1)))
    count, unit = (len(kinds), "events") if "openings" not in kinds else (1, "rolls")
    ours, bare = rate(count, race.ours, unit), rate(count, race.bare, unit)
    return Measure(key, what, against, ours, bare, race.ratio, target)


def _rebuild(folder: Path, sizes: Sizes, peers: Peers) -> Iterator[Measure]:
    ledger, events = Ledger(folder / "rebuilt.db"), sizes.rebuild_events
    ledger.importer.import_log(game(events)[0], name="benchmark")
    lines = [line for id_ in ledger.catalog.games() for line in ledger.lines(id_)]
    connection = sqlite3.connect(folder / "bare-rebuilt.db", isolation_level=None)

    def bare() -> None:
        connection.execute("BEGIN")
        connection.execute("DROP TABLE IF EXISTS events")
        connection.execute("CREATE TABLE events (seq INTEGER, author TEXT, type TEXT, body TEXT)")
        for line in lines:
            event = msgspec.json.decode(line)
            row = (event["seq"], event["author"], event["type"], str(event["body"]))
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
        connection.execute("COMMIT")

    what = f"rebuild the read tables from {len(lines):,} events, signatures trusted"
    try:
        result = race(ledger.rebuild, bare, sizes.turns)
        against = "decode each line and insert one row for it"
        yield _rebuilt("rebuild_to_bare_inserts", what, against, len(lines), result)
        if not peers.there:
            return
        name = peers.versions["eventsourcing"]
        result = peers.race("aggregate", len(lines), ledger.rebuild, sizes)
        against = f"{name}: rebuild an aggregate of as many events in memory"
        yield _rebuilt("rebuild_to_eventsourcing", what, against, len(lines), result, REBUILD_TARGET)
        result = peers.race("projection", len(lines), ledger.rebuild, sizes)
        against = f"{name}: read as many events and insert one row for each, at once"
        yield _rebuilt("rebuild_to_eventsourcing_projection", what, against, len(lines), result)
    finally:
        connection.close()
        ledger.close()


def _rebuild_store(folder: Path, sizes: Sizes, peers: Peers) -> Measure:
    ledger, games = Ledger(folder / "many.db"), sizes.rebuild_games
    try:
        for _ in range(games):
            ledger.importer.import_log(game(GAME)[0], name="benchmark")
        events = sum(map(ledger.size, ledger.catalog.games()))
        result = peers.race("aggregates", games, lambda: ledger.rebuild(cores()), sizes)
    finally:
        ledger.close()
    what = f"rebuild the read tables of {games} games of {GAME} events, all cores"
    against = f"{peers.versions['eventsourcing']}: rebuild as many aggregates of as many events in memory"
    return _rebuilt("rebuild_store_to_eventsourcing", what, against, events, result, STORE_TARGET)


def _rebuilt(key: str, what: str, against: str, events: int, result: Race, target: float | None = None) -> Measure:
    ours, theirs = rate(events, result.ours, "events"), rate(events, result.bare, "events")
    return Measure(key, what, against, ours, theirs, result.ratio, target)
