"""What holds of a store of games, in SQLite and in PostgreSQL alike."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event, Timer

import pytest

from ledger.database.sqlite import LEDGER_KIND
from ledger.errors import RefusedError, StoreError
from ledger.home import Home
from ledger.lobby.published import new_publish
from ledger.seats.identity import Identity
from ledger.seats.seat import Seat
from ledger.server.published import PublishedStore, PublishOutcome
from ledger.server.tables import Tables
from ledger.store.ledger import Ledger
from ledger.store.postgres import PostgresStorage
from ledger.store.storage import SqliteStorage, Storage
from ledger.transparency.anchors import Anchors, head_text
from rules import SYSTEMS
from rules.lines import read_roll
from tests.server.served import PASSPHRASE
from tests.support.cli import QUICK
from tests.support.postgres import Cluster, cluster
from verifier import VerifierKey, verify
from verifier.checkpoints.checkpoint import Checkpoint, SignedCheckpoint, cosign
from verifier.checkpoints.head import SignedHead
from verifier.checkpoints.note import signature_line, signed_by

Open = Callable[[], Storage]
"""the same database, once more"""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster | None]:
    with cluster() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgres"])
def storage(request: pytest.FixtureRequest, tmp_path: Path, postgres: Cluster | None) -> Iterator[Open]:
    with ExitStack() as stack:
        url = ""
        if request.param == "postgres":
            if postgres is None:
                pytest.skip("no PostgreSQL here: apt-get install postgresql")
            url = postgres.make(tmp_path.name)

        def opened() -> Storage:
            found: Storage = (
                PostgresStorage(url) if url else SqliteStorage(tmp_path / "ledger.db", kind=LEDGER_KIND, mode=0o600)
            )
            stack.callback(found.close)
            return found

        yield opened


class _Table:
    """A game of dice whose parties are all at hand."""

    def __init__(self, folder: Path, ledger: Ledger, names: tuple[str, ...] = ("alice", "bob")) -> None:
        home = Home(folder, folder / "state")
        self.ledger = ledger
        self.seats: dict[str, Seat] = {}
        for name in ("host", *names):
            if name not in home.names():
                home.new_identity(name, PASSPHRASE, QUICK)
            self.seats[name] = home.seat(name, PASSPHRASE)
        keys: list[tuple[VerifierKey, str]] = [(seat.key, "player") for seat in self.seats.values()]
        system = SYSTEMS["dice-1"]
        parties = [(keys[0][0], "keeper"), *keys[1:]]
        line = self.seats["host"].open_game("dice-1", system.options(), parties)  # type: ignore[arg-type]
        self.game = bytes.fromhex(ledger.create(line, self.seats["host"]).game)
        for name in names:
            self.append(self.seats[name].join(self.view))
        for seat in self.seats.values():
            self.append(seat.commit(self.view, 64))

    def close(self) -> None:
        for seat in self.seats.values():
            seat.close()

    @property
    def view(self):  # type: ignore[no-untyped-def]
        return self.ledger.view(self.game)

    def append(self, line: bytes) -> None:
        self.ledger.append(self.game, line, self.seats["host"])

    def request(self, name: str) -> bytes:
        session = self.view.replay.session
        return self.seats[name].sign(self.view, "roll", read_roll(session.system, "2d6", session.game, name))

    def roll(self, name: str) -> None:
        self.append(self.request(name))
        for opener in self.ledger.kept(self.game).awaited:
            opening = self.seats[opener].opening(self.view, self.ledger.openings(self.game))
            assert self.ledger.hand_in(self.game, opening)
            assert not self.ledger.hand_in(self.game, opening)
        self.append(self.seats["host"].reveal(self.view, self.ledger.openings(self.game)))

    def log(self) -> bytes:
        return b"".join(line + b"\n" for line in self.ledger.lines(self.game))


@pytest.fixture
def table(storage: Open, tmp_path: Path) -> Iterator[_Table]:
    found = _Table(tmp_path / "home", Ledger(storage()))
    yield found
    found.close()


@pytest.mark.long
def test_what_was_appended_is_there_and_verifies(table: _Table, storage: Open) -> None:
    table.roll("alice")
    table.roll("bob")
    other = Ledger(storage())
    assert other.catalog.games() == [table.game]
    assert list(other.lines(table.game)) == list(table.ledger.lines(table.game))
    assert other.view(table.game).replay.head == table.view.replay.head
    assert other.checkpoint(table.game) == table.ledger.checkpoint(table.game)
    report, _ = verify(table.log())
    assert report.verdict == "holds"


@pytest.mark.long
def test_another_program_s_writing_is_seen(table: _Table, storage: Open) -> None:
    other = Ledger(storage())
    assert other.view(table.game).replay.size == table.view.replay.size
    table.roll("alice")
    assert other.view(table.game).replay.size == table.view.replay.size
    here = table.ledger
    table.ledger = other
    table.roll("bob")
    table.ledger = here
    assert table.view.replay.size == other.view(table.game).replay.size
    table.roll("alice")
    assert other.catalog.marks([table.game, bytes(32)]) == here.catalog.marks([table.game, bytes(32)])


def test_a_group_is_all_or_nothing(table: _Table, tmp_path: Path) -> None:
    ledger, before = table.ledger, table.log()
    line = table.request("alice")

    class _Stop(BaseException): ...

    with suppress(_Stop), ledger.group():
        ledger.append(table.game, line)
        raise _Stop
    assert table.log() == before
    with ledger.group():
        with suppress(RefusedError):
            ledger.append(table.game, line[:-10] + b"0" * 9 + b"}")
        ledger.append(table.game, line)
    assert table.log() == before + line + b"\n"
    assert table.view.replay.size == before.count(b"\n") + 1


def test_of_statements_that_are_sent_together_one_that_fails_leaves_nothing(storage: Open) -> None:
    """It may be told of when the last was sent; the next transaction goes on."""
    here = storage()
    with here.transaction():
        here.execute("CREATE TABLE named (name TEXT PRIMARY KEY)")

    def write(*names: str) -> None:
        with here.transaction(["a"]), here.together():
            for name in names:
                here.insert("named", ("name",), [(name,)])

    with pytest.raises(StoreError, match="could not be written"):
        write("a", "b", "a", "c")
    assert here.read("SELECT name FROM named") == []
    write("a")
    assert here.read("SELECT name FROM named") == [("a",)]
    if isinstance(here, PostgresStorage):
        with here.transaction(["a"]), here.together():
            assert here._writer().info.pipeline_status, "nobody waits for each of them"


def test_lines_are_for_good(table: _Table) -> None:
    database = table.ledger._database
    table.roll("alice")
    for statement in ("DELETE FROM events", "UPDATE events SET line = 'x'", "DELETE FROM openings"):
        with pytest.raises(StoreError), database.transaction():
            database.execute(statement)
    table.roll("bob")
    report, _ = verify(table.log())
    assert report.verdict == "holds"


def test_openings_come_in_their_order(table: _Table, tmp_path: Path) -> None:
    table.append(table.request("alice"))
    first = table.seats["bob"].opening(table.view)
    table.ledger.hand_in(table.game, first)
    second = table.seats["alice"].opening(table.view, [first])
    table.ledger.hand_in(table.game, second)
    assert table.ledger.openings(table.game) == (first, second)


@pytest.mark.long
def test_openings_that_another_program_took_are_seen_in_a_look_at_many_games(table: _Table, storage: Open) -> None:
    """Lines and checkpoint are as they were: only the openings are more."""
    table.append(table.request("alice"))
    other = Ledger(storage())
    assert other.kept(table.game).openings == ()
    opening = table.seats["bob"].opening(table.view)
    table.ledger.hand_in(table.game, opening)
    with other.looking([table.game]):
        assert other.live(table.game).openings == (opening,)


def test_of_two_rows_with_one_key_the_later_stands(table: _Table) -> None:
    database = table.ledger._database
    with database.transaction([]):
        database.upsert("checkpoints", [("aa", 1, "first"), ("bb", 1, "other"), ("aa", 2, "second")])
    rows = database.read("SELECT game, size, note FROM checkpoints WHERE game IN ('aa', 'bb') ORDER BY game")
    assert rows == [("aa", 2, "second"), ("bb", 1, "other")]


@pytest.mark.long
def test_read_tables_are_made_anew(table: _Table) -> None:
    table.roll("alice")
    database = table.ledger._database
    statement = "SELECT * FROM dice ORDER BY roll, die"
    before = database.read(statement)
    assert len(before) == 2
    with database.transaction():
        database.execute("UPDATE dice SET result = 9")
    assert table.ledger.rebuild() == 1
    assert database.read(statement) == before
    rows = database.read("SELECT seq, author, type FROM timeline WHERE type = 'roll'")
    assert [row[1:] for row in rows] == [("alice", "roll")]


@pytest.mark.long
def test_a_deleted_game_is_gone(table: _Table, storage: Open) -> None:
    table.roll("alice")
    table.ledger.delete(table.game)
    other = Ledger(storage())
    assert other.catalog.games() == []
    assert other.size(table.game) == 0
    assert table.ledger.catalog.games() == []


@pytest.mark.long
def test_postgresql_is_restarted(tmp_path: Path, postgres: Cluster | None) -> None:
    """What was acknowledged stands; meanwhile it is said that nothing can be written; then it goes on."""
    if postgres is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    storage = PostgresStorage(postgres.make("restarted"))
    table = _Table(tmp_path / "home", Ledger(storage))
    try:
        table.roll("alice")
        before = table.log()
        for how in (signal.SIGINT, signal.SIGQUIT):
            line = table.request("alice")
            postgres.stop(how)
            with pytest.raises(StoreError, match=r"could not be written|cannot be reached"):
                table.ledger.append(table.game, line)
            postgres.start()
            assert table.log() == before
            table.ledger.append(table.game, line, table.seats["host"])
            for opener in table.ledger.kept(table.game).awaited:
                opening = table.seats[opener].opening(table.view, table.ledger.openings(table.game))
                table.ledger.hand_in(table.game, opening)
            table.append(table.seats["host"].reveal(table.view, table.ledger.openings(table.game)))
            before = table.log()
        report, _ = verify(before)
        assert report.verdict == "holds"
    finally:
        table.close()
        storage.close()


@pytest.mark.long
def test_cosignatures_are_of_the_anchor_logs_latest_head(storage: Open) -> None:
    """Another process sees them; an answer that comes late takes no newer one's place."""
    keeper, walt = Identity.generate("keeper"), Identity.generate("walt")

    def sign(origin: str, leaves: Sequence[bytes]) -> bytes:
        text = head_text(origin, leaves)
        return f"{text}\n{signature_line(keeper.key, keeper.sign(text.encode())).line}".encode()

    one, other = Anchors(storage(), keeper.key), Anchors(storage(), keeper.key)

    def closed(game: int) -> SignedHead:
        final = SignedCheckpoint(Checkpoint(game.to_bytes(32, "big"), 1, bytes(32)), ())
        one.add([final], sign)
        found = other.head()
        assert found is not None
        return found[0]

    heads = [closed(game) for game in range(2)]
    lines = [cosign(head.head, walt.cosigner_key, 1_800_000_000, walt.sign) for head in heads]
    for size in (2, 1):
        other.cosigned(size, walt.cosigner_key, lines[size - 1])
        found = one.head()
        assert found is not None
        assert signed_by(found[0].note, walt.cosigner_key) == lines[1]
    head = closed(2)
    assert [line.name for line in head.signatures] == ["keeper"]


def test_tables_that_did_not_start_are_found_and_start_once(storage: Open) -> None:
    tables, other = Tables(storage()), Tables(storage())
    for table in ("aa", "bb", "cc"):
        assert tables.add(table, "{}", [table])
    tables.delete("cc")
    assert other.start("aa", "first", "01")
    assert not tables.start("aa", "second", "02")
    assert not tables.start("cc", "first", "03")
    assert [row.id for row in tables.unstarted()] == ["bb"]
    found = tables.get("aa")
    assert found is not None
    assert (found.start, found.game) == ("first", "01")


def test_published_rolls_are_kept_in_their_order_and_end_for_good(storage: Open) -> None:
    key = Identity.generate("alice")
    made = [new_publish(key, bytes(32), 7, names=False, nonce=bytes([at]) * 32) for at in range(3)]
    published = PublishedStore(storage())
    assert [published.add(each, b"proof", 0, 2) for each in made] == [
        PublishOutcome.NEW,
        PublishOutcome.NEW,
        PublishOutcome.FULL,
    ]
    assert published.add(made[0], b"other", 0, 2) is PublishOutcome.STANDS
    published.renew(made[1].id, b"renewed", 1)
    assert [(row.id, row.proof) for row in published.of_game("00" * 32)] == [
        (made[0].id, b"proof"),
        (made[1].id, b"renewed"),
    ]
    published.revoke(made[0].id)
    published.renew(made[0].id, b"back", 1)
    assert published.add(made[0], b"back", 0, 2) is PublishOutcome.ENDED
    row = published.get(made[0].id)
    assert row is not None
    assert (row.proof, row.party) == (b"", "")
    assert published.take_down(made[0].id, "It is not shown.") == []
    assert published.take_down(made[1].id, "It insults.") == [made[1].id]
    assert published.take_down(made[1].id, "It insults somebody.") == [made[1].id], "asked again"
    row = PublishedStore(storage()).get(made[1].id)
    assert row is not None
    assert (row.proof, row.party, row.reason) == (b"", "", "It insults somebody.")
    other = new_publish(key, bytes(32), 7, names=True, nonce=bytes([9]) * 32)
    assert published.add(other, b"proof", 0, 9) is PublishOutcome.TAKEN_DOWN
    published.forget("00" * 32)
    assert published.of_game("00" * 32) == []
    row = published.get(made[1].id)
    assert row is not None
    assert row.reason == "It insults somebody."
    assert published.get(made[2].id) is None


@pytest.mark.long
def test_one_who_writes_waits_for_the_other(tmp_path: Path) -> None:
    """Tables and tokens of one file are written by several threads: a transaction has nothing of another's in it."""
    storage = SqliteStorage(tmp_path / "ledger.db", kind=LEDGER_KIND, mode=0o600)
    with storage.transaction():
        storage.execute("CREATE TABLE notes (who TEXT NOT NULL)")
    entered, leaving = Event(), Event()

    def first() -> None:
        with suppress(ValueError), storage.transaction():
            storage.execute("INSERT INTO notes VALUES ('first')")
            entered.set()
            assert leaving.wait(60)
            raise ValueError("its work is undone")

    def second() -> None:
        assert entered.wait(60)
        Timer(0.2, leaving.set).start()
        with storage.transaction():
            assert leaving.is_set(), "while the first is in its transaction"
            storage.execute("INSERT INTO notes VALUES ('second')")

    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(first), pool.submit(second)]:
            each.result(timeout=120)
    assert [who for (who,) in storage.execute("SELECT who FROM notes")] == ["second"]
    storage.close()
