"""A seat on its way to another machine: what the file must be, and where it is taken (specs/seats.md)."""

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ledger.errors import IdentityError, MemoryLostError, MissingError, StoreError, UsageError
from ledger.home import Home
from ledger.seats import transfer
from ledger.seats.identity import Identity
from ledger.seats.key_file import MAX_FILE, SealError, parse_key_file, seal_key
from ledger.seats.records import Memories, SeatHead
from ledger.seats.transfer import pack, read_moved, unpack
from tests.support.cli import QUICK
from tests.support.table import ROLES, Table, private_bytes

PASSPHRASE = b"correct horse battery"
GAME = bytes(range(32))


class Machine:
    """A home and a state folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = Home(root / "home", root / "state")

    @property
    def folder(self) -> Path:
        return self.root / "home" / "identities" / "alice"

    @property
    def identity(self) -> Identity:
        return self.home.identity("alice", PASSPHRASE)

    def see(self, size: int) -> None:
        """Record something."""
        memory = self.home.memory(self.identity)
        with memory.game(GAME) as turn:
            turn.change(head=SeatHead(size, "aa" * 32))
        memory.close()

    def seen(self) -> int:
        memory = self.home.memory(self.identity)
        with memory.game(GAME) as turn:
            size = turn.record.head.size
        memory.close()
        return size

    def move(self) -> bytes:
        return self.home.move("alice", PASSPHRASE)

    def take(self, file: bytes) -> str:
        return self.home.take(file, lambda _: PASSPHRASE)

    def lose_memory(self) -> None:
        for each in (self.root / "state").iterdir():
            each.unlink()


@pytest.fixture
def one(tmp_path: Path) -> Machine:
    """Alice's machine, on which she has seen something."""
    machine = Machine(tmp_path / "one")
    machine.home.new_identity("alice", PASSPHRASE, QUICK)
    machine.see(3)
    return machine


@pytest.fixture
def two(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "two")


# --- the file --------------------------------------------------------------------------------------------------------


def test_a_file_has_a_bound(one: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    file = one.move()
    monkeypatch.setattr(transfer, "MAX_MOVED", len(file))
    assert read_moved(file)[0].name == "alice"
    monkeypatch.setattr(transfer, "MAX_MOVED", len(file) - 1)
    with pytest.raises(IdentityError, match="too long"):
        read_moved(file)


@pytest.mark.parametrize("long", [MAX_FILE, MAX_FILE + 1])
def test_a_key_file_has_a_bound(long: int) -> None:
    """The name in it has no other one."""

    def made(name: str) -> bytes:
        return bytes(seal_key(bytes(32), name, "key", PASSPHRASE, QUICK))

    file = made("a" * (long - len(made(""))))
    assert len(file) == long
    if long > MAX_FILE:
        with pytest.raises(SealError, match="too long"):
            parse_key_file(file)
    else:
        assert parse_key_file(file).key == "key"


@pytest.mark.parametrize(
    "change",
    [
        lambda first, second: first + second.replace(b":", b": ", 1),
        lambda first, second: first + second[:-1],
        lambda first, second: first.replace(b",", b", ", 1) + second,
        lambda first, second: first,
        lambda first, second: first + b"\xff\n",
        lambda first, second: first + b"[" * 100_000,
        lambda first, second: b"{}\n" + second,
    ],
    ids=["a blank", "no line feed", "a blank in the key", "no memory", "no text", "deep", "no key"],
)
def test_a_file_of_another_form_is_none(one: Machine, change: Callable[[bytes, bytes], bytes]) -> None:
    first, second = one.move().splitlines(keepends=True)
    with pytest.raises(IdentityError, match="this is no file of an identity that was moved"):
        read_moved(change(first, second))


def test_what_is_remembered_goes_with_its_own_key_file_alone(one: Machine, two: Machine) -> None:
    """Another's memory, or another key file of the same key: nothing of it is taken."""
    two.home.new_identity("alice", PASSPHRASE, QUICK)
    files = [Identity.read_file(machine.folder) for machine in (one, two)]
    again = seal_key(private_bytes(one.identity), "alice", str(one.identity.key), PASSPHRASE, QUICK)
    _, sealed = read_moved(one.move())
    assert unpack(files[0], sealed, one.identity).records[GAME.hex()].head.size == 3
    for file, identity in ((files[1], two.identity), (files[1], one.identity), (again, one.identity)):
        with pytest.raises(IdentityError, match="is damaged in this file"):
            unpack(file, sealed, identity)


def test_what_is_sealed_is_what_the_page_says(one: Machine) -> None:
    """By the words of specs/seats.md; what a later program seals as it says, and this one does not know, is told."""
    file = Identity.read_file(one.folder)
    first, _, second = one.move().partition(b"\n")
    sealed = bytes.fromhex(json.loads(second)["sealed"])
    aead, bound = ChaCha20Poly1305(one.identity.storage_key()), b"rollproof/v1/moved\n" + first + b"\n"
    told = json.loads(aead.decrypt(sealed[:12], sealed[12:], bound))
    assert set(told) == {"count", "since", "records"}
    later = aead.encrypt(bytes(12), json.dumps(told | {"later": 1}).encode(), bound)
    with pytest.raises(IdentityError, match="is damaged in this file"):
        unpack(file, (bytes(12) + later).hex(), one.identity)


def test_a_home_has_the_very_keys_that_it_has(one: Machine) -> None:
    assert one.home.has(one.identity.key)
    for name in ("alice", "bob"):
        assert not one.home.has(Identity.generate(name).key)
    one.home.check_new("bob")
    with pytest.raises(IdentityError, match="there is an identity alice here already"):
        one.home.check_new("alice")


def test_a_passphrase_that_is_too_short_makes_nothing(two: Machine) -> None:
    with pytest.raises(IdentityError, match="too short"):
        two.home.new_identity("alice", b"short", QUICK)
    assert not two.home.root.exists()


def test_a_home_that_is_only_looked_at_is_not_made(two: Machine) -> None:
    with pytest.raises(MissingError, match="there are no games"):
        two.home.ledger(writable=False)
    assert two.home.games() == []
    for name in ("../alice", "", "Alice"):
        with pytest.raises(UsageError, match="is no name for a party"):
            two.home.key(name)
    assert not two.home.root.exists()


def test_a_home_that_cannot_be_made_is_told(two: Machine) -> None:
    two.root.parent.mkdir(exist_ok=True)
    two.root.write_text("a file")
    with pytest.raises(StoreError, match="cannot be made"):
        two.home.new_identity("alice", PASSPHRASE, QUICK)


def test_who_has_saved_a_profile_names_its_recovery_key_with_each_join(
    one: Machine, make_table: Callable[..., Table]
) -> None:
    """Only by it a lost key's place is taken without the others' word."""
    others = {name: Identity.generate(name) for name in ROLES if name != "alice"}
    table = make_table(identities={**others, "alice": one.identity})

    def named() -> Any:
        with closing(one.home.seat("alice", PASSPHRASE)) as seat:
            return json.loads(seat.join(table.view))["body"].get("recovery")

    assert named() is None
    file = one.home.back_up("alice", PASSPHRASE)
    assert named() == json.loads(file)["recovery"]


# --- where it is taken -----------------------------------------------------------------------------------------------


def test_a_seat_goes_there_and_back_and_each_file_is_taken_once(one: Machine, two: Machine) -> None:
    there = one.move()
    assert one.move() != there, "it is sealed anew"
    with pytest.raises(IdentityError, match="taken here before"):
        one.take(there)
    assert two.take(there) == "alice"
    assert two.seen() == 3
    two.see(4)
    with pytest.raises(IdentityError, match="seat is on this machine"):
        two.take(there)
    back = two.move()
    one.take(back)
    assert one.seen() == 4
    for file in (there, back):
        for machine in (one, two):
            with pytest.raises(IdentityError, match="taken here before"):
                machine.take(file)
    assert one.seen() == 4


def test_where_the_memory_is_lost_only_a_file_is_taken_that_is_not_behind_it(one: Machine, two: Machine) -> None:
    """The identity's folder says how far the seat had come."""
    there = one.move()
    two.take(there)
    two.see(4)
    copy = (two.folder / "memory").read_bytes()
    last = two.move()
    two.lose_memory()
    (two.folder / "memory").write_bytes(copy)  # as if the machine had died before it was written over
    with pytest.raises(IdentityError, match="taken here before"):
        two.take(there)
    two.take(last)
    assert two.seen() == 4


def test_a_memory_that_was_put_back_is_not_written_over(one: Machine, two: Machine) -> None:
    """It is here, whatever the folder says: its owner has to look first."""
    backup = shutil.copytree(one.root / "state", one.root / "backup")
    two.take(one.move())
    for size in range(5, 9):
        two.see(size)
    later = two.move()
    shutil.rmtree(one.root / "state")
    shutil.copytree(backup, one.root / "state")
    with pytest.raises(IdentityError, match="seat is on this machine"):
        one.take(later)


def test_another_key_of_the_name_is_left_as_it_is(one: Machine, two: Machine) -> None:
    two.home.new_identity("alice", PASSPHRASE, QUICK)
    before = {path.name: path.read_bytes() for path in two.folder.iterdir()}
    with pytest.raises(IdentityError, match="another identity alice here"):
        two.take(one.move())
    assert {path.name: path.read_bytes() for path in two.folder.iterdir()} == before


def test_a_file_whose_key_is_another_than_it_says_is_not_taken(one: Machine, two: Machine) -> None:
    """By somebody who knows the passphrase, and seals a key of its own under alice's."""
    own = Identity.generate("alice")
    file = seal_key(private_bytes(own), "alice", str(one.identity.key), PASSPHRASE, QUICK)
    with pytest.raises(IdentityError, match="another key than it says"):
        two.take(pack(file, own, Memories(9, "", {})))
    assert two.home.names() == []


# --- a home that is not whole ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("copy", [None, b"", b"x" * 600])
def test_a_seat_whose_copy_is_gone_or_damaged_signs_nothing(one: Machine, copy: bytes | None) -> None:
    path = one.folder / "memory"
    path.unlink()
    if copy is not None:
        path.write_bytes(copy)
    with pytest.raises(MemoryLostError, match="is missing" if copy is None else "is damaged or another key's"):
        one.see(4)


def test_a_memory_that_is_whole_is_not_begun_anew(one: Machine, two: Machine) -> None:
    since = "2026-11-22T05:00:00.000Z"
    with pytest.raises(UsageError, match="there is nothing to begin anew"):
        one.home.forget("alice", PASSPHRASE, since)
    two.take(one.move())
    one.home.forget("alice", PASSPHRASE, since)  # it is not here
    assert one.seen() == 0
    two.lose_memory()
    two.home.forget("alice", PASSPHRASE, since)
    memory = two.home.memory(two.identity)
    with memory.game(GAME) as turn:
        assert (turn.record.head.size, turn.since) == (0, since)
    memory.close()
