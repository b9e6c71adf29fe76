"""Who puts snapshots, or logs behind them, onto a machine: every answer is that without a snapshot (specs/seats.md)."""

import os
import pickle
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from typing import Any

import msgspec
import pytest

from ledger.errors import StoreError
from ledger.seats import snapshots
from ledger.seats.snapshots import MAX_STATE, Snapshot, Snapshots, encode_state, members_of
from tests.protocol.test_snapshots import parts, replayed
from tests.support.table import ROLL, Forger
from tests.support.table_with_snapshots import EVERY, TableWithSnapshots
from verifier import Replay
from verifier.log.merkle import MerkleTree


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> TableWithSnapshots:
    """A long game of which alice has the only snapshot; nobody is at the table now."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshots, "EVERY", EVERY)
        table = TableWithSnapshots(tmp_path_factory.mktemp("played") / "table")
        table.begin()
        for _ in range(4):
            table.roll("alice")
    for path in table.snapshot_files():
        if path != table.snapshot_of("alice"):
            path.unlink()
    table.close()
    return table


@pytest.fixture
def table(played: TableWithSnapshots, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TableWithSnapshots]:
    """That game."""
    monkeypatch.setattr(snapshots, "EVERY", EVERY)
    table = played.copied(tmp_path / "table")
    assert table.ledger.base(table.view.game) is not None, "without a change it is used"
    yield table
    table.close()


def false(replay: Replay) -> Replay:
    """The game with another state, another tree and another end of alice's chain."""
    other = replay.copy()
    other.session = msgspec.structs.replace(other.session, requests=other.session.requests + 1)
    other.tree = MerkleTree()
    for _ in range(replay.size):
        other.tree.append(bytes(32))
    other.chains["alice"] = msgspec.structs.replace(other.chains["alice"], next=1)
    return other


def signed(table: TableWithSnapshots, name: str, replay: Replay, *, as_: str | None = None) -> None:
    """Put down a snapshot that `name` signs, in the name of `as_`."""
    place = Snapshots(table.folder / "state", lambda _: True)
    shown = table.identities[as_ or name].key
    table.snapshot_of(as_ or name).unlink(missing_ok=True)
    place.renew(replay, shown, table.identities[name].sign)


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(bytes(data))


def another_state(table: TableWithSnapshots) -> None:
    """Header and signature are alice's, what follows is not."""
    path = table.snapshot_of("alice")
    header, signature, _ = path.read_bytes().split(b"\n", 2)
    replay = false(replayed(table))
    state = encode_state(members_of(replay), replay.session.system)
    assert state is not None
    path.write_bytes(header + b"\n" + signature + b"\n" + state)


def another_state_told(table: TableWithSnapshots) -> None:
    """The header has the hash of another state, under the signature that was there."""
    another_state(table)
    path = table.snapshot_of("alice")
    line, signature, state = path.read_bytes().split(b"\n", 2)
    header = msgspec.json.decode(line) | {"state": sha256(state).hexdigest()}
    path.write_bytes(msgspec.json.encode(header, order="sorted") + b"\n" + signature + b"\n" + state)


def of_another_game(table: TableWithSnapshots) -> None:
    """Alice's own, of another game that goes the same way."""
    other = TableWithSnapshots(table.folder / "other", identities=table.identities)
    other.begin()
    for _ in range(3):
        other.roll("alice")
    copyfile(other.snapshot_of("alice"), table.snapshot_of("alice"))
    other.close()


def of_another_seat(table: TableWithSnapshots) -> None:
    """Bob's, which he signed, under the name of alice's."""
    signed(table, "bob", false(replayed(table)))
    copyfile(table.snapshot_of("bob"), table.snapshot_of("alice"))
    table.snapshot_of("bob").unlink()


ATTACKS: dict[str, Callable[[TableWithSnapshots], object]] = {
    "signed by another key": lambda table: signed(table, "bob", false(replayed(table)), as_="alice"),
    "another state": another_state,
    "another state, told": another_state_told,
    "of another game": of_another_game,
    "of another seat": of_another_seat,
    "signature changed": lambda table: flip(table.snapshot_of("alice"), header_end(table) + 3),
    "header changed": lambda table: flip(table.snapshot_of("alice"), header_end(table) - 3),
    "state changed": lambda table: flip(table.snapshot_of("alice"), -20),
    "cut": lambda table: os.truncate(table.snapshot_of("alice"), table.snapshot_of("alice").stat().st_size - 1),
    "cut in the header": lambda table: os.truncate(table.snapshot_of("alice"), 100),
    "empty": lambda table: table.snapshot_of("alice").write_bytes(b""),
    "no text": lambda table: table.snapshot_of("alice").write_bytes(bytes(range(256)) * 40),
    "no signature": lambda table: of_parts(table, signature=b"zz"),
    "a signature that is no text": lambda table: of_parts(table, signature=b"\xff" * 128),
    "a short signature": lambda table: of_parts(table, signature=b"00"),
    "no head": lambda table: of_parts(table, head="zz"),
    "a head that is none": lambda table: of_parts(table, head=5),
    "a member more": lambda table: of_parts(table, more=5),
    "another format": lambda table: of_parts(table, format="rollproof/snapshot/v2"),
    "a state that is too long": lambda table: too_long(table),
    "a folder": lambda table: in_its_place(table, Path.mkdir),
    "a pipe": lambda table: in_its_place(table, lambda path: os.mkfifo(path)),
    "deleted": lambda table: table.snapshot_of("alice").unlink(),
    "of a party elsewhere": lambda table: setattr(table, "here", {"bob", "host"}),
}


def of_parts(table: TableWithSnapshots, *, signature: bytes | None = None, **members: Any) -> None:
    """Alice's own, with other members that she signed, or another signature."""
    path = table.snapshot_of("alice")
    line, _, state = path.read_bytes().split(b"\n", 2)
    told = msgspec.json.encode(msgspec.json.decode(line) | members, order="sorted")
    made = table.identities["alice"].sign(b"rollproof/v1/snapshot\n" + told).hex().encode()
    path.write_bytes(b"\n".join([told, made if signature is None else signature, state]))


def too_long(table: TableWithSnapshots) -> None:
    """Alice's own, with a state that nothing writes: what follows the state ends nothing, and is read no further."""
    path = table.snapshot_of("alice")
    state = path.read_bytes().split(b"\n", 2)[2] + bytes(MAX_STATE)
    of_parts(table, state=sha256(state).hexdigest())
    line, signature, _ = path.read_bytes().split(b"\n", 2)
    path.write_bytes(b"\n".join([line, signature, state]))


def in_its_place(table: TableWithSnapshots, make: Callable[[Path], None]) -> None:
    path = table.snapshot_of("alice")
    path.unlink()
    make(path)


def header_end(table: TableWithSnapshots) -> int:
    return table.snapshot_of("alice").read_bytes().index(b"\n")


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_a_snapshot_that_is_not_a_seats_own_is_passed_over(
    table: TableWithSnapshots, attack: Callable[[TableWithSnapshots], object]
) -> None:
    attack(table)
    table.restart()
    assert parts(table.view.replay) == parts(replayed(table))
    assert table.ledger.base(table.game) is None


def test_files_of_strangers_are_passed_over(table: TableWithSnapshots) -> None:
    """Under another key's name, also alice's own; and where there is none, no line is read."""
    place, stranger = Snapshots(table.folder / "state", lambda _: True), "ab" * 32
    theirs = table.snapshot_folder / f"{table.game.hex()}-{stranger}.snapshot"
    lines = table.lines
    for data in (b"junk", table.snapshot_of("alice").read_bytes()):
        theirs.write_bytes(data)
        assert [each.key.name for each in place.of_seats_here(table.game, lines.__getitem__)] == ["alice"]
    assert place.of_seats_here(table.game, lambda _: b"") == [], "nor where the store has no such game"
    assert place.of_seats_here(bytes(32), lambda _: pytest.fail("nothing is there")) == []


def test_a_snapshot_of_another_program_is_passed_over(
    table: TableWithSnapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "_code", lambda: "00" * 32)
    table.restart()
    assert parts(table.view.replay) == parts(replayed(table))
    assert table.ledger.base(table.game) is None
    table.roll("alice")
    monkeypatch.undo()
    table.restart()
    assert parts(table.view.replay) == parts(replayed(table))
    assert table.ledger.base(table.game) is None, "nor has this one any use for that one's"


def put_back(table: TableWithSnapshots, lines: list[bytes]) -> None:
    """Put other lines into the store, as a hand in the file does; the read tables say what is there."""
    replay = Replay()
    for line in lines:
        replay.follow(line)
    with closing(sqlite3.connect(table.folder / "ledger.db")) as store:
        for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            store.execute(f"DROP TRIGGER {name}")
        store.execute("DELETE FROM events")
        rows = [(table.game.hex(), seq, line.decode()) for seq, line in enumerate(lines)]
        store.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
        store.execute("UPDATE games SET events = ?, head = ?", (len(lines), replay.head.hex()))
        store.execute("DELETE FROM checkpoints")
        store.commit()


def asked(table: TableWithSnapshots) -> str:
    """How alice answers when she is to roll."""
    try:
        table.seats["alice"].sign(table.view, "roll", table.body("roll", ROLL))
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"
    return "signs"


def without_snapshots(table: TableWithSnapshots) -> None:
    for path in table.snapshot_files():
        path.unlink()
    table.restart()


def test_a_log_that_was_put_back_behind_the_snapshot_is_what_it_is_without(table: TableWithSnapshots) -> None:
    base = table.ledger.base(table.game)
    assert base is not None
    put_back(table, table.lines[: base.size - 2])
    table.restart()
    assert parts(table.view.replay) == parts(replayed(table))
    answer = asked(table)
    assert answer.startswith("BehindError")
    without_snapshots(table)
    assert asked(table) == answer


def test_on_a_fork_the_snapshot_is_passed_over_and_alice_signs_nothing(table: TableWithSnapshots) -> None:
    """The keeper shows another history, bob's events in the place of alice's last roll."""
    base = table.ledger.base(table.game)
    assert base is not None
    lines = list(table.lines)
    cut = max(seq for seq in range(base.size - 1) if b'"type":"resolve"' in lines[seq]) + 1
    fork = lines[:cut]
    while len(fork) <= len(lines):
        body = {"what": "trigger", "source": f"{len(fork)}", "on": "rolled"}
        fork.append(Forger(table.identities["bob"]).event(fork, "declare", body))
    put_back(table, fork)
    table.restart()
    assert parts(table.view.replay) == parts(replayed(table))
    assert table.ledger.base(table.game) is None
    answer = asked(table)
    assert answer.startswith("ForkError")
    without_snapshots(table)
    assert asked(table) == answer


def change(table: TableWithSnapshots, seq: int, old: bytes, new: bytes) -> None:
    """Change a line in the store."""
    line = table.lines[seq]
    assert old in line
    with closing(sqlite3.connect(table.folder / "ledger.db")) as store:
        for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            store.execute(f"DROP TRIGGER {name}")
        store.execute("UPDATE events SET line = ? WHERE seq = ?", (line.replace(old, new).decode(), seq))
        store.commit()


def test_a_line_behind_the_snapshot_that_was_changed_is_not_shown(table: TableWithSnapshots) -> None:
    log, changed = table.log, next(seq for seq, line in enumerate(table.lines) if b"Delina" in line)
    change(table, changed, b"Delina", b"Salome")
    table.restart()
    view = table.view
    assert table.ledger.base(table.game) is not None, "no line of these is needed for the state"
    looks: list[Callable[[], object]] = [
        lambda: next(view.lines(0)),
        lambda: next(view.lines(changed)),
        lambda: view.leaf(changed),
        lambda: table.log,
        lambda: table.ledger.importer.import_log(log, name="the same"),
    ]
    for look in looks:
        with pytest.raises(StoreError, match="was changed by something else"):
            look()
    without_snapshots(table)
    with pytest.raises(StoreError, match="was changed by something else"):
        _ = table.view


def test_a_line_that_is_changed_while_a_game_is_looked_at_is_not_shown(table: TableWithSnapshots) -> None:
    view, base = table.view, table.ledger.base(table.game)
    assert base is not None
    change(table, base.size - 1, b'"seq":', b'"seq": ')
    with pytest.raises(StoreError, match="was changed by something else"):
        next(view.lines(base.size - 2))


def test_terms_that_were_changed_are_not_shown(table: TableWithSnapshots) -> None:
    change(table, 0, b'"title":""', b'"title":"x"')
    table.restart()
    with pytest.raises(StoreError, match="was changed by something else"):
        _ = table.view


def test_what_a_snapshot_stands_for_is_taken_as_the_stored_lines_are(table: TableWithSnapshots) -> None:
    """Also where no line comes after it: a seat that has seen less verifies them."""
    signed(table, "alice", replayed(table))
    table.restart()
    size, base = table.view.replay.size, table.ledger.base(table.game)
    assert base is not None
    assert (base.size, table.ledger._cache.trusted(table.game)) == (size, size)


# --- a party whose key is on the same machine ------------------------------------------------------------------------


def test_no_seat_signs_on_the_word_of_another_seat(table: TableWithSnapshots) -> None:
    """Bob signs a false snapshot, and his identity is here: he shows nonsense, and nobody signs it but himself."""
    table.ledger.sign_checkpoint(table.game, table.seats["host"])  # it has seen all of it
    table.snapshot_of("host").unlink()
    signed(table, "bob", false(replayed(table)))
    table.restart()
    shown, true = table.view, replayed(table)
    base = table.ledger.base(table.game)
    assert base is not None
    assert base.key == table.identities["bob"].key.public_bytes
    assert shown.replay.tree.root() != true.tree.root(), "this is what bob signed"
    checkpoint = table.seats["host"].checkpoint(shown)
    assert checkpoint.head.root == true.tree.root()
    table.roll("alice")
    assert parts(table.view.replay) == parts(replayed(table)), "what a seat has verified stands in its place"
    without_snapshots(table)
    assert parts(table.view.replay) == parts(replayed(table))


def test_a_seat_goes_on_from_its_own_snapshot_of_no_more_lines_than_it_has_seen(table: TableWithSnapshots) -> None:
    """Alice's memory and snapshot from two machines do not come together: the lines between are verified."""
    alice = table.identities["alice"].key
    snapshot = Snapshots(table.folder / "state", lambda _: True).of(table.game, alice)
    assert snapshot is not None
    view = table.view
    view.verify(snapshot.size - 1, alice)
    assert view._start is None
    assert table.ledger._cache.trusted(table.game) == len(table.lines), "it was for this seat alone"
    view = table.view
    view.verify(snapshot.size, alice)
    assert view._start is None, "the game is not taken up from one any more"
    table.restart()
    view = table.view
    view.verify(snapshot.size, alice)
    assert view._start is not None


# --- what is in a state ----------------------------------------------------------------------------------------------


class Bomb:
    """What runs something as soon as it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize(
    "state",
    [
        pickle.dumps({"head": Path("x")}),
        pickle.dumps({"head": StoreError}),
        pickle.dumps({"head": Snapshots}),
        pickle.dumps({"head": pickle.loads}),
        pickle.dumps([1]),
        pickle.dumps({}),
        pickle.dumps({"admitted": (), "session": 5}),
        b"",
        b"nonsense",
        b"\x80\x05.",
    ],
)
def test_a_state_holds_nothing_but_what_a_game_is_made_of(table: TableWithSnapshots, state: bytes) -> None:
    """Even if its seat signed it."""
    key, replay = table.identities["alice"].key, replayed(table)
    assert Snapshot(key, table.game, replay.size, replay.head, state).restore(table.lines[0]) is None


def test_a_state_runs_nothing(table: TableWithSnapshots) -> None:
    key, replay, made = table.identities["alice"].key, replayed(table), table.folder / "made"
    state = pickle.dumps({"head": Bomb(made)})
    assert Snapshot(key, table.game, replay.size, replay.head, state).restore(table.lines[0]) is None
    assert not made.exists()


def test_a_state_with_something_else_beside_the_game_is_none(table: TableWithSnapshots) -> None:
    key, replay = table.identities["alice"].key, replayed(table)
    for other, fits in ((5, True), (StoreError, False)):
        state = encode_state({**members_of(replay), "other": other}, replay.session.system)
        assert state is not None
        found = Snapshot(key, table.game, replay.size, replay.head, state).restore(table.lines[0])
        assert (found is not None) is fits


def test_a_state_of_another_size_or_another_game_is_none(table: TableWithSnapshots) -> None:
    key, replay = table.identities["alice"].key, replayed(table)
    state = encode_state(members_of(replay), replay.session.system)
    assert state is not None
    first = table.lines[0]
    assert Snapshot(key, table.game, replay.size, replay.head, state).restore(first) is not None
    for other in (
        Snapshot(key, table.game, replay.size - 1, replay.head, state),
        Snapshot(key, table.game, replay.size, bytes(32), state),
        Snapshot(key, bytes(32), replay.size, replay.head, state),
    ):
        assert other.restore(first) is None
    another = TableWithSnapshots(table.folder / "another", identities=table.identities)
    for line in (table.lines[1], another.lines[0]):
        assert Snapshot(key, table.game, replay.size, replay.head, state).restore(line) is None
    another.close()
