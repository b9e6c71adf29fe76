"""What a client makes of each answer of a server, one by one and without a network (specs/network.md)."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from ledger.client import game_sync, inbox, outbox
from ledger.client.game_sync import GameSync
from ledger.client.inbox import RemoteUpdate
from ledger.client.remotes import Remotes
from ledger.client.sse import StreamEvent
from ledger.errors import AwayError, CheatedError, LedgerError, RefusedError, ServerError, StoreError
from ledger.home import Home
from ledger.network.wire import TakenLine
from ledger.store.importing import LogImporter
from ledger.store.ledger import Ledger
from tests.support.table import ROLL, Forger, Table, declared, joined
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.bodies import Opening
from verifier.log.plainjson import encode
from verifier.opening import ReceivedOpening, SentOpening, parse_sent


class Server:
    """The answers of an honest server that has the table's store, until a test changes one of them."""

    address, patience = "https://d.example.org", 1.0

    def __init__(self, table: Table) -> None:
        self.table, self.asked = table, list[str]()
        self.log: Callable[[int], tuple[list[bytes], int]] = self._log
        """lines from a number on, and how many there are"""
        self.note: Callable[[], bytes] = self._note
        self.refuse: dict[str, list[LedgerError | None]] = {}
        """by what is asked: errors in the place of the next answers"""
        self.catches_up, self.stores = True, True
        self.taken: Callable[[TakenLine], TakenLine] = lambda taken: taken
        self.received: Callable[[ReceivedOpening], bytes] = encode
        self.streams: list[list[StreamEvent | LedgerError]] = []

    def _log(self, start: int) -> tuple[list[bytes], int]:
        lines = self.table.lines
        return lines[start:], len(lines)

    def _note(self) -> bytes:
        return bytes(self.table.ledger.sign_checkpoint(self.table.game, self.table.seats["host"]))

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        error = self.refuse[what].pop(0) if self.refuse.get(what) else None
        if error is not None:
            raise error

    async def lines(self, game: bytes, start: int) -> tuple[list[bytes], int]:
        assert game == self.table.game
        self._ask("lines")
        return self.log(start)

    async def checkpoint(self, game: bytes) -> bytes:
        assert game == self.table.game
        self._ask("checkpoint")
        return self.note()

    async def offer(self, _game: bytes, line: bytes) -> TakenLine:
        self._ask("offer")
        if self.stores:
            self.table.ledger.append(self.table.game, line)
        seq = msgspec.json.decode(line)["seq"]
        return self.taken(TakenLine(self._note().decode(), seq))

    async def catch_up(self, _game: bytes, log: bytes) -> None:
        self._ask("catch_up")
        if self.catches_up:
            self.table.ledger.importer.import_log(log, name="caught up")

    async def hand_in(self, game: bytes, opening: bytes) -> bytes:
        self._ask("hand_in")
        sent = parse_sent(opening)
        assert sent.game == game.hex()
        self.table.ledger.hand_in(game, sent.opening)
        return self.received(self.table.seats["host"].acknowledge(self.table.view, sent.opening))

    async def acknowledge(self, _game: bytes, _received: bytes) -> None:
        self._ask("acknowledge")

    @asynccontextmanager
    async def stream(self, _game: bytes, start: int) -> AsyncIterator[AsyncIterator[StreamEvent]]:
        self._ask(f"stream {start}")
        told = self.streams.pop(0)

        async def events() -> AsyncIterator[StreamEvent]:
            for event in told:
                if isinstance(event, LedgerError):
                    raise event
                yield event

        yield events()


class Client:
    """A store of its own, that follows the server."""

    def __init__(self, table: Table) -> None:
        self.table, self.server = table, Server(table)
        home = Home(table.folder / "client", table.folder / "client-state")
        self.ledger, self.remotes = home.ledger(), Remotes(home)
        self.sync = GameSync(
            self.ledger,
            table.game,
            self.server,  # type: ignore[arg-type]
            self.remotes,
            asyncio.run,
            patience=0.2,
        )

    def cheated(self, what: Callable[[], object], match: str) -> dict[str, bytes]:
        """Evidence that is kept when this is done; and nothing is sent any more."""
        with pytest.raises(CheatedError, match=match) as caught:
            what()
        asked = len(self.server.asked)
        line = b"{}"
        self.sync.follower = pytest.fail
        for send in (self.sync.fetch, lambda: self.sync.offer(line), self.sync.inbox.check, self.sync.wait):
            with pytest.raises(CheatedError, match=match):
                send()
        assert len(self.server.asked) == asked
        assert line not in self.remotes.kept(self.table.game)
        folder = Path(caught.value.evidence)
        return {path.name: path.read_bytes() for path in folder.iterdir()} if caught.value.evidence else {}

    def stray(self, name: str = "bob", source: str = "stray") -> bytes:
        """A line of this party that came here and not to the server."""
        line = declared(self.table.seats[name], self.table.take(name), source)
        assert self.sync.inbox.take_line(self.table.view.replay.size, line)
        return line


@pytest.fixture
def client(table: Table) -> Iterator[Client]:
    """It has all that the server has."""
    client = Client(table)
    client.sync.fetch()
    assert client.sync.inbox.size == len(table.lines)
    yield client
    client.sync.close()
    client.ledger.close()


@pytest.fixture
def pending_client(pending: Table) -> Iterator[Client]:
    client = Client(pending)
    client.sync.fetch()
    yield client
    client.sync.close()
    client.ledger.close()


def server_error(code: str = "x", status: int = 422, size: int | None = None) -> ServerError:
    return ServerError("No.", code, None, status, size)


# --- reading ---------------------------------------------------------------------------------------------------------


def test_a_game_is_fetched_whole_and_then_what_is_new(table: Table) -> None:
    client = Client(table)
    assert client.sync.inbox.size == 0
    client.sync.fetch()
    assert list(client.ledger.lines(table.game)) == table.lines
    assert client.ledger.taken(table.game) == len(table.lines)
    table.roll("alice")
    client.sync.fetch()
    assert list(client.ledger.lines(table.game)) == table.lines
    assert client.server.asked == ["lines", "lines", "checkpoint"] * 2
    client.sync.close()
    client.ledger.close()


def test_a_server_that_says_it_has_more_and_shows_nothing_is_away(client: Client) -> None:
    client.server.log = lambda start: ([], start + 1)
    with pytest.raises(AwayError, match=r"says that it has 8 events, and sends 7"):
        client.sync.fetch()
    assert client.sync.inbox.trouble is None


def test_a_server_that_was_put_back_is_given_what_it_lacks(client: Client) -> None:
    lines = client.table.lines
    shown = [5, 6]
    client.server.log = lambda start: ([], shown.pop(0)) if shown else (lines[start:], len(lines))
    client.sync.fetch()
    assert client.server.asked[3:] == ["lines", "catch_up", "lines", "catch_up", "lines", "checkpoint"]


def test_a_server_that_forgets_what_it_is_given_is_given_it_three_times(client: Client) -> None:
    client.server.log = lambda _: ([], 5)
    kept = client.cheated(client.sync.fetch, "shows 5 of 7 events, though it was given what it lacks")
    assert client.server.asked.count("catch_up") == 3
    assert kept["here.jsonl"] == joined(client.table.lines)
    assert kept["there.jsonl"] == b""
    assert kept["here.jsonl.checkpoint"] == kept["there.jsonl.checkpoint"] == client.server._note()
    assert kept["why.txt"].splitlines()[1] == client.server.address.encode()


def test_a_server_that_takes_nothing_of_what_it_lacks_hides_something(client: Client) -> None:
    client.server.log = lambda _: ([], 5)
    client.server.refuse["catch_up"] = [server_error()]
    client.cheated(client.sync.fetch, "shorter than the one seen here, 5 of 7 events, .* missing ones: No\\. What it")


def test_a_checkpoint_of_lines_that_came_in_between_is_waited_for(client: Client) -> None:
    table, whole = client.table, client.server.log
    size = len(table.lines)
    table.roll("alice")
    asked: list[int] = []

    def late(start: int) -> tuple[list[bytes], int]:
        asked.append(start)
        return ([], size) if len(asked) == 1 else whole(start)

    client.server.log = late
    client.sync.fetch()
    assert client.sync.inbox.size == len(table.lines)


def test_a_checkpoint_of_lines_that_never_come_is_told(client: Client) -> None:
    table = client.table
    lines = table.lines
    table.roll("alice")
    client.server.log = lambda start: (lines[start:], len(lines))
    kept = client.cheated(client.sync.fetch, "hides the end of the log")
    assert kept["given.checkpoint"] == client.server._note()
    assert client.server.asked[3:].count("checkpoint") == 4 + 1, "three times more, and as evidence"


def test_a_line_that_does_not_hold_is_told_and_kept(client: Client) -> None:
    line = Forger(client.table.identities["alice"]).event(client.table.lines, "declare", {})
    client.server.log = lambda start: ([line], start + 1)
    kept = client.cheated(client.sync.fetch, "Line 7 that the server sent does not hold")
    assert kept["given.jsonl"] == line + b"\n"
    assert list(client.ledger.lines(client.table.game)) == client.table.lines


@pytest.mark.parametrize("what", ["line", "checkpoint"])
def test_a_store_that_cannot_be_written_is_no_fault_of_the_server(
    client: Client, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("disk full")

    client.table.roll("alice")
    monkeypatch.setattr(LogImporter if what == "line" else Ledger, f"take_{what}", full)
    with pytest.raises(StoreError, match="disk full"):
        client.sync.fetch()
    assert client.sync.inbox.trouble is None


def test_a_checkpoint_that_is_none_is_told(client: Client) -> None:
    client.server.note = lambda: b"no note"
    kept = client.cheated(client.sync.fetch, "The checkpoint that the server sent does not fit")
    assert kept["given.checkpoint"] == b"no note"


def test_a_checkpoint_by_another_or_of_another_game_is_told(client: Client, make_table: Callable[..., Table]) -> None:
    """Also where the other game is here too, and its checkpoint holds."""
    other = make_table()
    note = bytes(other.ledger.sign_checkpoint(other.game, other.seats["host"]))
    client.ledger.importer.import_log(other.log, name="another game")
    client.server.note = lambda: note
    client.cheated(client.sync.fetch, "does not fit: it is of another game")


def test_a_checkpoint_by_somebody_else_is_told(client: Client) -> None:
    client.server.note = lambda: bytes(Forger(client.table.identities["alice"]).checkpoint(client.table.view))
    client.cheated(client.sync.fetch, "does not fit")


# --- lines that the keeper has not taken -----------------------------------------------------------------------------


def test_lines_that_no_checkpoint_covers_make_room_for_a_line(client: Client) -> None:
    stray = client.stray()
    client.table.act("alice", "declare", {"what": "trigger", "source": "taken", "on": "rolled"})
    client.table.roll("alice")
    assert client.sync.inbox.take_line(7, client.table.lines[7])
    assert stray not in client.ledger.lines(client.table.game)
    client.sync.fetch()
    assert client.sync.inbox.size == len(client.table.lines)


def test_lines_that_no_checkpoint_covers_make_room_for_a_checkpoint(client: Client) -> None:
    client.stray()
    client.table.act("alice", "declare", {"what": "trigger", "source": "taken", "on": "rolled"})
    client.sync.inbox.take_checkpoint(client.server._note())
    assert list(client.ledger.lines(client.table.game)) == client.table.lines
    assert client.ledger.taken(client.table.game) == 8


def test_a_checkpoint_that_made_room_brings_the_lines_that_it_covers(client: Client) -> None:
    """Where the server showed less of them, when it was asked for what makes room."""
    table, whole = client.table, client.server._log
    second = Forger(table.identities["bob"]).event(
        [*table.lines, client.stray()], "declare", {"what": "trigger", "source": "stray too", "on": "rolled"}
    )
    assert client.sync.inbox.take_line(8, second)
    table.act("alice", "declare", {"what": "trigger", "source": "one", "on": "rolled"})
    shorter, note = whole(0), client.server._note()
    table.act("alice", "declare", {"what": "trigger", "source": "two", "on": "rolled"})
    notes = [note]
    client.server.log = lambda start: (shorter[0][start:], shorter[1]) if notes else whole(start)
    client.server.note = lambda: notes.pop() if notes else client.server._note()
    event = checkpoint_event(client)
    assert client.sync.inbox.take(event) == RemoteUpdate("checkpoint")
    assert list(client.ledger.lines(table.game)) == table.lines


def test_room_is_made_for_what_the_keeper_signed_and_for_nothing_else(client: Client) -> None:
    """A line of a history that is none of the server's."""
    client.stray()
    client.table.act("alice", "declare", {"what": "trigger", "source": "taken", "on": "rolled"})
    other = Forger(client.table.identities["dana"]).event(
        client.table.lines[:7], "ruling", {"ruling": "uphold", "subject": 0, "text": "x"}
    )
    client.cheated(lambda: client.sync.inbox.take_line(7, other), "Line 7 that the server sent does not hold")


def test_no_room_is_made_for_a_checkpoint_that_is_none(client: Client) -> None:
    """Though the server has one that would make room."""
    client.stray()
    client.table.act("alice", "declare", {"what": "trigger", "source": "taken", "on": "rolled"})
    client.cheated(lambda: client.sync.inbox.take_checkpoint(b"no note"), "does not fit")


def test_a_fork_of_what_the_keeper_signed_is_told_without_a_further_look(client: Client) -> None:
    fork = Forger(client.table.identities["dana"]).event(
        client.table.lines[:6], "ruling", {"ruling": "uphold", "subject": 0, "text": "x"}
    )
    asked = len(client.server.asked)
    client.cheated(lambda: client.sync.inbox.take_line(6, fork), "Line 6 that the server sent does not hold")
    assert client.server.asked[asked:] == ["lines", "checkpoint"], "for the evidence"


@pytest.mark.parametrize("error", [AwayError("gone"), TimeoutError()])
def test_who_shows_nothing_for_what_makes_room_is_told(client: Client, error: Exception) -> None:
    client.stray()
    line = Forger(client.table.identities["alice"]).event(client.table.lines[:7], "roll", ROLL)

    def silent(start: int) -> tuple[list[bytes], int]:
        raise error

    client.server.log = silent
    kept = client.cheated(lambda: client.sync.inbox.take_line(7, line), "Line 7 that the server sent does not hold")
    assert "there.jsonl" not in kept


def test_a_note_that_is_none_makes_no_room(client: Client) -> None:
    client.stray()
    client.server.note = lambda: b"no note"
    line = Forger(client.table.identities["alice"]).event(client.table.lines[:7], "roll", ROLL)
    client.cheated(lambda: client.sync.inbox.take_line(7, line), "Line 7 that the server sent does not hold")


# --- evidence --------------------------------------------------------------------------------------------------------


def test_a_server_that_cheats_and_then_goes_silent_is_told_all_the_same(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing more is sent to it, though it shows no more of what it did."""
    monkeypatch.setattr(inbox, "SHOW_WITHIN", 0.05)
    lines = client.server.lines

    async def silent(game: bytes, start: int) -> tuple[list[bytes], int]:
        if start == 0:
            await asyncio.sleep(30)
        return await lines(game, start)

    monkeypatch.setattr(client.server, "lines", silent)
    client.server.note = lambda: b"no note"
    kept = client.cheated(client.sync.fetch, "does not fit")
    assert set(kept) == {"given.checkpoint", "here.jsonl", "here.jsonl.checkpoint", "why.txt"}


def test_a_server_that_cheats_where_nothing_can_be_kept_is_told_all_the_same(client: Client) -> None:
    (client.table.folder / "client" / "evidence").write_bytes(b"a file")
    client.server.note = lambda: b"no note"
    assert client.cheated(client.sync.fetch, r"does not fit: .* could not be kept \(.*Not a directory\)") == {}


def test_a_server_that_cheats_where_the_store_cannot_be_read_is_told_all_the_same(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(*_: object) -> None:
        raise StoreError("damaged")

    monkeypatch.setattr(Ledger, "export", damaged)
    client.server.note = lambda: b"no note"
    kept = client.cheated(client.sync.fetch, "does not fit")
    assert set(kept) == {"given.checkpoint", "there.jsonl", "there.jsonl.checkpoint", "why.txt"}


def test_evidence_has_a_bound_and_an_end(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that sends the same lines for ever, and one that says that there are more and sends none."""
    line = b"x" * 99
    monkeypatch.setattr(inbox, "MAX_SHOWN", 990)
    client.server.log = lambda start: ([line], start + 2)
    shown = asyncio.run(client.sync.inbox._shown())
    assert shown["there.jsonl"] == (line + b"\n") * 11
    client.server.log = lambda start: ([line] if start < 3 else [], 9)
    assert asyncio.run(client.sync.inbox._shown())["there.jsonl"] == (line + b"\n") * 3
    client.server.log, client.server.asked = (lambda start: ([line], start + 1)), []
    assert asyncio.run(client.sync.inbox._shown())["there.jsonl"] == line + b"\n"
    assert client.server.asked == ["lines", "checkpoint"]


def test_evidence_of_a_game_of_which_nothing_is_stored(table: Table) -> None:
    client = Client(table)
    client.server.log = lambda start: ([b"{}"], start + 1)
    kept = client.cheated(client.sync.fetch, "Line 0 that the server sent does not hold")
    assert set(kept) == {"given.jsonl", "here.jsonl", "there.jsonl", "there.jsonl.checkpoint", "why.txt"}
    assert kept["here.jsonl"] == b""
    client.sync.close()
    client.ledger.close()


# --- writing ---------------------------------------------------------------------------------------------------------


def test_a_line_is_kept_until_it_is_taken(client: Client) -> None:
    line = declared(client.table.seats["alice"], client.table.take("alice"))
    client.server.refuse["offer"] = [AwayError("gone")]
    with pytest.raises(AwayError):
        client.sync.offer(line)
    assert client.remotes.kept(client.table.game) == [line]
    client.sync.fetch()
    assert client.table.lines[-1] == line
    assert not client.remotes.kept(client.table.game)
    client.sync.fetch()
    assert client.server.asked.count("offer") == 2, "it is not sent again"


def test_a_line_that_stands_already_is_not_sent_again(client: Client) -> None:
    line = declared(client.table.seats["alice"], client.table.take("alice"))
    client.remotes.keep(client.table.game, line)
    client.table.ledger.append(client.table.game, line)
    client.sync.fetch()
    assert "offer" not in client.server.asked
    assert not client.remotes.kept(client.table.game)
    assert client.sync.outbox.untaken == []


@pytest.mark.parametrize("again", [False, True])
def test_a_line_that_another_overtook_is_told(client: Client, again: bool) -> None:
    """At once, or where it was to be sent again."""
    line = declared(client.table.seats["alice"], client.table.take("alice"))
    client.table.act("bob", "declare", {"what": "trigger", "source": "first", "on": "rolled"})
    client.server.refuse["offer"] = [server_error("chain.prev", 409)]
    if again:
        client.remotes.keep(client.table.game, line)
        client.sync.fetch()
        assert client.sync.outbox.untaken == [line]
    else:
        with pytest.raises(RefusedError, match="has gone on since this event was signed") as caught:
            client.sync.offer(line)
        assert caught.value.code == "chain.prev"
    assert not client.remotes.kept(client.table.game)
    assert list(client.ledger.lines(client.table.game)) == client.table.lines, "what came first is here"


def test_a_line_that_is_said_to_have_been_overtaken_and_stands_is_taken(client: Client) -> None:
    line = declared(client.table.seats["alice"], client.table.take("alice"))
    client.table.ledger.append(client.table.game, line)
    client.server.refuse["offer"] = [server_error("chain.prev", 409)]
    receipt = client.sync.offer(line)
    assert (receipt.seq, receipt.size) == (7, 8)
    assert receipt.checkpoint is not None
    assert receipt.checkpoint.head.size == 8


@pytest.mark.parametrize("again", [False, True])
def test_a_line_that_is_refused_is_not_kept(client: Client, again: bool) -> None:
    line = declared(client.table.seats["alice"], client.table.take("alice"))
    client.server.refuse["offer"] = [server_error()]
    if again:
        client.remotes.keep(client.table.game, line)
        client.sync.fetch()
        assert client.sync.outbox.untaken == [line]
    else:
        with pytest.raises(ServerError):
            client.sync.offer(line)
    assert not client.remotes.kept(client.table.game)
    assert client.sync.inbox.size == 7


def test_a_server_that_is_behind_is_caught_up_before_a_line(client: Client) -> None:
    line = declared(client.table.seats["alice"], client.table.take("alice"))
    client.server.refuse["offer"] = [server_error("keeper.behind", 503, 6), None]
    assert client.sync.offer(line).seq == 7
    assert client.server.asked[3:] == ["offer", "catch_up", "offer"]


@pytest.mark.parametrize(
    "error",
    [
        server_error("keeper.behind", 503),
        server_error("keeper.behind", 503, 7),
        server_error("keeper.behind", 503, 8),
        server_error("keeper.away", 503, 6),
    ],
)
def test_a_server_that_lacks_nothing_is_given_nothing(client: Client, error: ServerError) -> None:
    line = declared(client.table.seats["alice"], client.table.take("alice"))
    client.server.refuse["offer"] = [error]
    with pytest.raises(ServerError):
        client.sync.offer(line)
    assert client.server.asked[3:] == ["offer"]


def test_a_line_that_is_taken_behind_others_comes_with_them(client: Client) -> None:
    """Which the client did not have yet."""
    client.table.act("bob", "declare", {"what": "trigger", "source": "first", "on": "rolled"})
    line = declared(client.table.seats["alice"], client.table.take("alice"))
    assert client.sync.offer(line).seq == 8
    assert list(client.ledger.lines(client.table.game)) == client.table.lines


TAKEN: dict[str, Callable[[TakenLine, SignedCheckpoint], TakenLine]] = {
    "another number": lambda taken, _: replace(taken, seq=6),
    "an older checkpoint": lambda taken, old: replace(taken, checkpoint=bytes(old).decode()),
}


@pytest.mark.parametrize("change", TAKEN.values(), ids=TAKEN)
def test_a_line_that_is_said_to_be_taken_is_under_the_checkpoint(
    client: Client, change: Callable[[TakenLine, SignedCheckpoint], TakenLine]
) -> None:
    line = declared(client.table.seats["alice"], client.table.take("alice"))
    old = client.table.view.checkpoint
    assert old is not None
    assert old.head.size == 7
    client.server.taken = lambda taken: change(taken, old)
    kept = client.cheated(lambda: client.sync.offer(line), "took event 7, and gives no checkpoint for it")
    assert kept["given.jsonl"] == line + b"\n"
    assert "given.checkpoint" in kept


def test_another_line_under_the_checkpoint_is_not_the_line(client: Client) -> None:
    """The server says that it took alice's, and has bob's in its place."""
    client.table.act("bob", "declare", {"what": "trigger", "source": "first", "on": "rolled"})
    client.sync.fetch()
    line = Forger(client.table.identities["alice"]).event(
        client.table.lines[:7], "declare", {"what": "trigger", "source": "mine", "on": "rolled"}
    )
    client.server.stores = False
    client.cheated(lambda: client.sync.offer(line), "took event 7, and gives no checkpoint for it")


# --- openings --------------------------------------------------------------------------------------------------------


def test_an_opening_is_handed_in_and_its_receipt_is_kept(pending_client: Client) -> None:
    table, sync = pending_client.table, pending_client.sync
    bob, opening = table.seats["bob"], table.open("bob")
    sync.hand_in(bob, opening)
    (received,) = bob.keyless.received(table.game)
    assert (received.author, received.receiver) == ("bob", "host")
    assert list(sync.outbox.received) == [received.request]
    assert sync.outbox.received[received.request] <= time.monotonic()


def test_nothing_is_handed_in_where_no_roll_waits(client: Client) -> None:
    opening = Opening("bob", 1, "00" * 32, "00" * 64)
    client.sync.hand_in(client.table.seats["bob"], opening)
    assert "hand_in" not in client.server.asked


def test_nothing_is_handed_in_where_a_roll_was_voided(pending_client: Client) -> None:
    table = pending_client.table
    opening = table.open("bob")
    table.ledger.append(table.game, table.seats["dana"].void(table.take("dana")))
    pending_client.sync.fetch()
    pending_client.sync.hand_in(table.seats["bob"], opening)
    assert "hand_in" not in pending_client.server.asked


def test_an_opening_that_is_refused_where_the_game_has_not_gone_on_is_told(pending_client: Client) -> None:
    table, sync = pending_client.table, pending_client.sync
    opening = table.open("bob")
    pending_client.server.refuse["hand_in"] = [server_error(), server_error()]
    with pytest.raises(ServerError):
        sync.hand_in(table.seats["bob"], opening)
    table.ledger.append(table.game, table.seats["dana"].void(table.take("dana")))
    sync.hand_in(table.seats["bob"], opening)
    assert sync.outbox.received == {}


def test_an_opening_for_which_there_is_no_receipt_any_more(pending_client: Client) -> None:
    table, sync = pending_client.table, pending_client.sync
    pending_client.server.received = lambda _: b"null"
    sync.hand_in(table.seats["bob"], table.open("bob"))
    assert (sync.outbox.received, table.seats["bob"].keyless.received(table.game)) == ({}, [])


RECEIVED: dict[str, Callable[[ReceivedOpening], bytes]] = {
    "for another": lambda received: encode(replace(received, author="alice")),
    "of another link": lambda received: encode(replace(received, link="00" * 32)),
    "of another request": lambda received: encode(replace(received, request="00" * 32)),
    "forged": lambda received: encode(replace(received, sig="00" * 64)),
    "another form": lambda received: b"[]",
    "no JSON": lambda received: b"{" * 1_000,
}


@pytest.mark.parametrize("change", RECEIVED.values(), ids=RECEIVED)
def test_a_receipt_that_is_worthless_is_told(
    pending_client: Client, change: Callable[[ReceivedOpening], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MAX_KEPT", 500)
    table, sync = pending_client.table, pending_client.sync
    bob, opening = table.seats["bob"], table.open("bob")
    pending_client.server.received = change
    kept = pending_client.cheated(
        lambda: sync.hand_in(bob, opening), "The receipt that the server gave for bob's opening is worthless"
    )
    assert 0 < len(kept["given.received"]) <= 500
    assert bob.keyless.received(table.game) == []
    asked = len(pending_client.server.asked)
    with pytest.raises(CheatedError):
        sync.hand_in(bob, opening)
    with pytest.raises(CheatedError):
        sync.acknowledge(table.seats["alice"], opening)
    assert len(pending_client.server.asked) == asked


def test_a_receipt_for_an_opening_of_before_is_worthless(pending_client: Client) -> None:
    """It holds, and is for another opening of the same party."""
    table, sync = pending_client.table, pending_client.sync
    bob, opening = table.seats["bob"], table.open("bob")
    old = table.seats["host"].acknowledge(table.view, opening)
    table.ledger.append(table.game, table.seats["dana"].void(table.take("dana")))
    table.disclose()
    table.act("alice", "roll", ROLL | {"dice": "20d20", "use": "compare"})
    sync.fetch()
    pending_client.server.received = lambda _: encode(old)
    kept = pending_client.cheated(lambda: sync.hand_in(bob, table.open("bob")), "it is for another opening")
    assert kept["given.received"] == encode(old)


def test_the_own_opening_is_handed_in_again_and_no_others(pending_client: Client) -> None:
    table, sync = pending_client.table, pending_client.sync
    bobs = table.open("bob")
    sync.hand_in(table.seats["bob"], bobs)
    pending_client.ledger.hand_in(table.game, bobs)
    for own, times in (("", 1), ("alice", 1), ("bob", 2)):
        sync.outbox.own = own
        sync.fetch()
        assert pending_client.server.asked.count("hand_in") == times
    pending_client.server.refuse["hand_in"] = [server_error()]
    sync.fetch()
    table.hand_in("alice")
    table.reveal()
    sync.fetch()
    assert pending_client.server.asked.count("hand_in") == 3, "the roll has ended"


def test_a_receipt_for_anothers_opening_is_sent_as_long_as_it_is_wanted(pending_client: Client) -> None:
    table, sync = pending_client.table, pending_client.sync
    opening = table.open("bob")
    for refused in ([], [server_error()]):
        pending_client.server.refuse["acknowledge"] = [*refused]
        sync.acknowledge(table.seats["alice"], opening)
    assert pending_client.server.asked.count("acknowledge") == 2


# --- waiting ---------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_who_waits_hears_and_has_so_much_patience_altogether(client: Client) -> None:
    sync, begun = client.sync, time.monotonic()
    sync.heard()
    assert sync.wait()
    assert not sync.wait()
    assert time.monotonic() - begun >= 0.2
    sync.heard()
    assert sync.wait(), "what came is heard, also late"
    late = time.monotonic()
    assert not sync.wait()
    assert time.monotonic() - late < 0.15
    sync.be_patient()
    assert not sync.wait()
    assert time.monotonic() - late >= 0.2
    followed: list[int] = []
    sync.follower = lambda: followed.append(1)
    assert not sync.wait()
    assert followed == [1]
    sync.end()
    assert not sync.wait(), "it is over"
    assert client.server.patience == 0.0


def test_who_waits_goes_on_as_soon_as_something_came(client: Client) -> None:
    client.sync._patience, begun = 8.0, time.monotonic()
    client.sync.follower = client.sync.heard
    assert client.sync.wait()
    assert time.monotonic() - begun < 4.0


def test_who_waits_is_told_of_a_cheat_that_comes_meanwhile(client: Client) -> None:
    def cheat() -> None:
        client.sync.inbox.trouble = CheatedError("It lied.", "x")
        client.sync.heard()

    client.sync.follower = cheat
    with pytest.raises(CheatedError):
        client.sync.wait()


# --- following -------------------------------------------------------------------------------------------------------


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """For how long it was paused; nobody pauses in these tests."""
    times: list[float] = []

    async def sleep(seconds: float) -> None:
        times.append(seconds)

    monkeypatch.setattr(f"{game_sync.__name__}.asyncio.sleep", sleep)
    monkeypatch.setattr(f"{game_sync.__name__}.random.uniform", lambda _, most: most)
    return times


def followed(client: Client, *streams: list[StreamEvent | LedgerError], start: int | None = None) -> list[RemoteUpdate]:
    """What is told of these streams; then the server refuses to give another."""
    client.server.streams = [*streams, [server_error()]]
    found: list[RemoteUpdate] = []

    async def follow() -> None:
        async for came in client.sync.follow(start):
            found.append(came)
            assert client.sync.standing is not None or came.what == "away"

    with pytest.raises(ServerError, match="No"):
        asyncio.run(follow())
    assert client.sync.standing is None
    return found


def line_event(seq: int, line: bytes) -> StreamEvent:
    return StreamEvent("line", line, str(seq))


def checkpoint_event(client: Client) -> StreamEvent:
    return StreamEvent("checkpoint", msgspec.json.encode({"checkpoint": client.server._note().decode()}))


def opening_event(client: Client, opening: Opening, **members: str) -> StreamEvent:
    waiting = client.table.view.replay.pending
    assert waiting is not None
    sent = SentOpening.of(client.table.game, waiting.request, opening)
    return StreamEvent("opening", encode(replace(sent, **members)))


def test_a_stream_brings_lines_checkpoints_and_signs_of_life(client: Client, slept: list[float]) -> None:
    client.table.roll("alice")
    lines = client.table.lines
    client.sync.heard()
    assert client.sync.wait()
    came = followed(
        client,
        [
            StreamEvent(""),
            line_event(7, lines[7]),
            line_event(8, lines[8]),
            StreamEvent("here", b'{"here":["alice"]}'),
            StreamEvent("unheard of", b"x"),
            StreamEvent("bye", b'{"retry":7}'),
            line_event(99, b"behind it"),
        ],
        [line_event(9, lines[9]), checkpoint_event(client)],
    )
    assert [each.what for each in came] == ["alive", "line", "line", "here", "line", "checkpoint"]
    assert [(each.seq, each.line) for each in came if each.what == "line"] == [*enumerate(lines)][7:]
    assert came[3].here == ("alice",)
    assert client.sync.inbox.size == len(lines) == 10
    assert client.sync.wait(), "somebody who waits has heard of it"
    assert slept == [7.0, 0.5], "as the server asked, then as usual"
    assert [asked for asked in client.server.asked if "stream" in asked] == ["stream 7", "stream 9", "stream 10"]
    assert followed(client, start=3) == []
    assert client.server.asked[-1] == "stream 3"


def test_a_server_that_is_away_is_asked_again_and_caught_up_with(client: Client, slept: list[float]) -> None:
    client.table.roll("alice")
    client.server.refuse["lines"] = [AwayError("gone")]
    away: list[list[StreamEvent | LedgerError]] = [[AwayError("gone")] for _ in range(8)]
    came = followed(client, *away, [StreamEvent(""), StreamEvent("")], [AwayError("again")])
    assert [each.what for each in came] == ["away", "back", "alive", "alive", "away"]
    assert (came[0].text, came[-1].text) == ("gone", "again")
    assert slept == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 0.5, 1.0]
    assert client.sync.inbox.size == len(client.table.lines)


@pytest.mark.parametrize(("retry", "pause"), [(1, 1.0), (29, 29.0), (9_999, 30.0)])
def test_a_server_says_when_to_come_back(client: Client, slept: list[float], retry: int, pause: float) -> None:
    followed(client, [StreamEvent("bye", b'{"retry":%d}' % retry)])
    assert slept == [pause]


@pytest.mark.parametrize(
    "event",
    [
        StreamEvent("line", b"{}"),
        StreamEvent("line", b"{}", "-1"),
        StreamEvent("line", b"{}", "00000000007"),
        StreamEvent("line", b"{}", "\u0667"),
        StreamEvent("checkpoint", b"{}"),
        StreamEvent("opening", b"{}"),
        StreamEvent("received", b"{}"),
        StreamEvent("here", b"[]"),
        StreamEvent("here", b"[" * 100_000),
        StreamEvent("bye", b"{}"),
        StreamEvent("bye", b'{"retry":0}'),
    ],
)
def test_what_is_none_of_the_protocol_ends_a_stream(client: Client, slept: list[float], event: StreamEvent) -> None:
    (away,) = followed(client, [event, StreamEvent("")])
    assert away.what == "away"
    assert away.text.startswith("the server sent ")
    assert slept == [0.5]
    assert client.sync.inbox.trouble is None


def test_a_stream_ends_for_good_where_the_game_is_closed(client: Client, slept: list[float]) -> None:
    table, end = client.table, StreamEvent("bye", b'{"retry":null}')
    assert followed(client, [end, StreamEvent("")]) == []
    assert slept == [0.5]
    table.ledger.append(table.game, table.seats["host"].close_game(table.view))
    client.sync.fetch()
    client.server.streams = [[StreamEvent("bye", b'{"retry":2}')], [StreamEvent(""), end]]

    async def follow() -> list[str]:
        return [came.what async for came in client.sync.follow()]

    assert asyncio.run(follow()) == ["alive"]
    assert slept == [0.5, 2.0]


def test_a_cheat_ends_a_stream(client: Client, slept: list[float]) -> None:
    async def follow() -> None:
        async for came in client.sync.follow():
            assert came.what == "alive"

    client.server.streams = [[line_event(7, b"{}")]]
    with pytest.raises(CheatedError, match="Line 7"):
        asyncio.run(follow())
    assert client.sync.standing is None
    client.server.streams = [[StreamEvent("")]]
    with pytest.raises(CheatedError, match="Line 7"):  # which another thread has found
        asyncio.run(follow())
    assert slept == [], "it is told at once"


@pytest.mark.usefixtures("slept")
def test_a_checkpoint_of_a_stream_fetches_the_lines_that_it_covers(client: Client) -> None:
    client.table.roll("alice")
    (came,) = followed(client, [checkpoint_event(client)])
    assert came == RemoteUpdate("checkpoint")
    assert client.ledger.taken(client.table.game) == len(client.table.lines)


@pytest.mark.usefixtures("slept")
def test_an_opening_of_a_stream_is_stored_where_it_is_for_the_roll(pending_client: Client) -> None:
    client, table = pending_client, pending_client.table
    bobs, other = table.open("bob"), "00" * 32
    came = followed(
        client,
        [
            opening_event(client, bobs, game=other),
            opening_event(client, bobs, request=other),
            opening_event(client, replace(bobs, link=other)),
            opening_event(client, bobs),
            StreamEvent("received", encode(table.seats["host"].acknowledge(table.view, bobs))),
        ],
    )
    assert [each.what for each in came] == ["opening", "opening", "received"]
    assert (came[0].opening, bool(came[0].text)) == (None, True)
    assert (came[1].opening, came[1].text) == (bobs, "")
    assert came[2].received is not None
    assert came[2].received.receiver == "host"
    assert [*client.ledger.openings(table.game)] == [bobs]


@pytest.mark.usefixtures("slept")
def test_an_opening_of_a_stream_for_a_roll_that_has_ended_is_passed_over(
    pending_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it comes; or while it is looked at, by another program on the same store."""
    client, table = pending_client, pending_client.table
    event = opening_event(client, replace(table.open("bob"), link="00" * 32))
    hand_in = Ledger.hand_in

    def meanwhile(ledger: Ledger, game: bytes, opening: Opening) -> bool:
        table.ledger.append(game, table.seats["dana"].void(table.take("dana")))
        table.disclose()
        client.sync.inbox.catch_up()
        return hand_in(ledger, game, opening)

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "hand_in", meanwhile)
        assert client.sync.inbox.take(event) is None
    assert client.sync.inbox.take(event) is None
    table.act("alice", "roll", ROLL | {"dice": "20d20", "use": "compare"})
    client.sync.fetch()
    event = opening_event(client, replace(table.open("bob"), link="00" * 32))

    def again(ledger: Ledger, game: bytes, opening: Opening) -> bool:
        patch.setattr(Ledger, "hand_in", hand_in)
        table.ledger.append(game, table.seats["dana"].void(table.take("dana")))
        table.disclose()
        table.act("alice", "roll", ROLL | {"dice": "20d20", "use": "compare"})
        client.sync.inbox.catch_up()
        return hand_in(ledger, game, opening)

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "hand_in", again)
        assert client.sync.inbox.take(event) is None
