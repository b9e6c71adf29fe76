"""Seats: a party's secrets stay with it, and what it opened once it opens for nothing else (specs/security.md)."""

import hashlib
import json
import multiprocessing
import sqlite3
import stat
import subprocess
import time
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ledger.errors import (
    BehindError,
    ForkError,
    IdentityError,
    LedgerError,
    MemoryLostError,
    RefusedError,
    SeedError,
    StoreError,
    TurnError,
    UsageError,
)
from ledger.game import signature_cache
from ledger.game.party_view import LogView
from ledger.seats import memory_file as module
from ledger.seats.identity import MIN_PASSPHRASE, Identity, write_once
from ledger.seats.key_file import COST, Cost, seal_key
from ledger.seats.memory_file import Memory
from ledger.seats.memory_places import begin_memory
from ledger.seats.records import Record
from ledger.seats.seat import Seat
from ledger.seats.seed_chain import SeedChain
from ledger.store.ledger import Ledger
from rules.systems.mtg.bodies import Options
from tests.support.cli import QUICK
from tests.support.table import (
    ROLES,
    ROLL,
    SYSTEM,
    Clock,
    Forger,
    Shown,
    Table,
    joined,
    link_of,
    links_of,
    make_body,
    opening_of,
    private_bytes,
    report_on,
    seat_in,
)
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import sign_checkpoint
from verifier.checkpoints.note import parse_note, signed_by
from verifier.log.bodies import Opening
from verifier.log.plainjson import encode
from verifier.log.signatures import SignatureCheck

MakeTable = Callable[..., Table]
TRIGGER = {"what": "trigger", "source": "a dwarf", "on": "rolled"}
PASSPHRASE = b"correct horse battery staple"


# --- identities ----------------------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Identity, Path]:
    """Alice's identity, and the folder that it was saved in."""
    identity, folder = Identity.generate("alice"), tmp_path / "identities" / "alice"
    identity.save(folder, PASSPHRASE, QUICK)
    return identity, folder


def test_an_identity_that_is_saved_and_loaded_signs_as_before(saved: tuple[Identity, Path]) -> None:
    identity, folder = saved
    loaded = Identity.load(folder, PASSPHRASE)
    assert str(loaded.key) == str(identity.key) == str(Identity.read_key(folder))
    assert loaded.key.verify(loaded.sign(b"message"), b"message")
    assert loaded.storage_key() == identity.storage_key()


def test_the_key_file_is_its_owners_alone(saved: tuple[Identity, Path]) -> None:
    _, folder = saved
    assert stat.S_IMODE((folder / "key.json").stat().st_mode) == 0o600
    assert sorted(path.name for path in folder.iterdir()) == ["key.json", "key.txt"], "nothing else is left behind"


def test_the_key_file_is_what_the_page_says(tmp_path: Path) -> None:
    """Opened by the words of specs/security.md, "Identity files", with the standard library's scrypt and JSON."""
    identity, folder = Identity.generate("alice"), tmp_path / "alice"
    identity.save(folder, PASSPHRASE)
    line = (folder / "key.json").read_bytes()
    file = json.loads(line)
    assert line == json.dumps(file, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    assert set(file) == {"format", "kdf", "key", "name", "nonce", "salt", "sealed"}
    assert file["kdf"] == {"N": 2**15, "name": "scrypt", "p": 1, "r": 8}
    assert (file["format"], file["name"], file["key"]) == ("rollproof/identity/v1", "alice", str(identity.key))
    salt, nonce, sealed = (bytes.fromhex(file[name]) for name in ("salt", "nonce", "sealed"))
    assert (len(salt), len(nonce), len(sealed)) == (16, 12, 48)
    key = hashlib.scrypt(PASSPHRASE, salt=salt, n=2**15, r=8, p=1, dklen=32, maxmem=2**26)
    del file["sealed"]
    beside = json.dumps(file, sort_keys=True, separators=(",", ":")).encode()
    assert ChaCha20Poly1305(key).decrypt(nonce, sealed, beside) == private_bytes(identity)


def test_no_two_key_files_have_a_salt_or_a_nonce_in_common(tmp_path: Path) -> None:
    identity = Identity.generate("alice")
    for n in range(10):
        identity.save(tmp_path / f"{n}", PASSPHRASE, QUICK)
    files = [json.loads((tmp_path / f"{n}" / "key.json").read_bytes()) for n in range(10)]
    for member in ("salt", "nonce", "sealed"):
        assert len({file[member] for file in files}) == 10


OTHER_KEY = str(VerifierKey("alice", bytes(range(32))))


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("format", "rollproof/identity/v2"),
        ("name", "alicia"),
        ("key", OTHER_KEY),
        ("salt", "00" * 16),
        ("salt", "00" * 15),
        ("nonce", "00" * 12),
        ("nonce", "00" * 13),
        ("sealed", "00" * 48),
        ("sealed", "AB" * 48),
        ("sealed", ""),
        ("kdf", {"N": 32, "name": "scrypt", "p": 1, "r": 8}),
        ("kdf", {"N": 16, "name": "scrypt", "p": 2, "r": 8}),
        *(("kdf", {"N": n, "name": "scrypt", "p": 1, "r": 8}) for n in (-16, 0, 1, 3, 24, 2**19, 2**40, 2**70, "16")),
        *(("kdf", {"N": 16, "name": "scrypt", "p": p, "r": 8}) for p in (0, 5, 2**30)),
        *(("kdf", {"N": 16, "name": "scrypt", "p": 1, "r": r}) for r in (1, 9, 2**20)),
        ("kdf", {"N": 16, "name": "pbkdf2", "p": 1, "r": 8}),
        ("kdf", {"N": 16, "name": "scrypt", "p": 1, "r": 8, "x": 1}),
        ("kdf", None),
        ("more", 1),
    ],
)
def test_nothing_in_a_key_file_can_be_changed(saved: tuple[Identity, Path], member: str, value: Any) -> None:
    path = saved[1] / "key.json"
    file = json.loads(path.read_bytes()) | {member: value}
    path.write_bytes(json.dumps(file, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    started = time.monotonic()
    with pytest.raises(IdentityError):
        Identity.load(saved[1], PASSPHRASE)
    assert time.monotonic() - started < 2, "no file makes a reader work"


def test_a_name_and_key_changed_in_both_files_open_nothing(saved: tuple[Identity, Path]) -> None:
    """The associated data: the sealed key is there, the files agree, and yet it is not what was sealed."""
    path, key = saved[1] / "key.json", VerifierKey("mallory", saved[0].key.public_bytes)
    file = json.loads(path.read_bytes()) | {"name": "mallory", "key": str(key)}
    path.write_bytes(json.dumps(file, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    (saved[1] / "key.txt").write_text(f"{key}\n")
    with pytest.raises(IdentityError, match="passphrase"):
        Identity.load(saved[1], PASSPHRASE)


def test_a_key_sealed_for_another_is_refused(saved: tuple[Identity, Path]) -> None:
    """By somebody who knows the passphrase: the private key is not that of the verifier key beside it."""
    file = seal_key(bytes(32), "alice", str(saved[0].key), PASSPHRASE, QUICK)
    (saved[1] / "key.json").write_bytes(bytes(file))
    with pytest.raises(IdentityError, match="another key than it says"):
        Identity.load(saved[1], PASSPHRASE)


# --- keys of other programs ---------------------------------------------------------------------------------------


def pem_of(algorithm: str, *options: str) -> bytes:
    command = ["openssl", "genpkey", "-algorithm", algorithm, *options]
    return subprocess.run(command, check=True, capture_output=True).stdout


@pytest.mark.parametrize("scheme", [None, ["-v2", "aes-256-cbc"], ["-scrypt"]], ids=["plain", "pbkdf2", "scrypt"])
def test_a_key_of_openssl_is_read(tmp_path: Path, scheme: list[str] | None) -> None:
    made, phrase = tmp_path / "made.pem", PASSPHRASE.decode()
    made.write_bytes(pem_of("ed25519"))
    der = subprocess.run(
        ["openssl", "pkey", "-in", str(made), "-pubout", "-outform", "DER"], check=True, capture_output=True
    ).stdout
    pem = made.read_bytes()
    if scheme is not None:
        command = ["openssl", "pkcs8", "-topk8", *scheme, "-in", str(made), "-passout", f"pass:{phrase}"]
        pem = subprocess.run(command, check=True, capture_output=True).stdout
        with pytest.raises(IdentityError, match="its passphrase is needed"):
            Identity.from_pem("alice", pem, None)
        with pytest.raises(IdentityError, match="passphrase is wrong"):
            Identity.from_pem("alice", pem, b"another")
    identity = Identity.from_pem("alice", pem, None if scheme is None else PASSPHRASE)
    assert identity.key.public_bytes == der[-32:]


def test_another_kind_of_key_is_refused() -> None:
    with pytest.raises(IdentityError, match="no Ed25519 key"):
        Identity.from_pem("alice", pem_of("X25519"), None)


def test_a_key_that_the_library_does_not_know_is_refused() -> None:
    with pytest.raises(IdentityError, match="cannot be read"):
        Identity.from_pem("alice", pem_of("EC", "-pkeyopt", "ec_paramgen_curve:secp112r1"), None)


def test_a_passphrase_for_a_key_that_has_none_is_told() -> None:
    with pytest.raises(IdentityError, match="is not encrypted: it has no passphrase"):
        Identity.from_pem("alice", pem_of("ed25519"), PASSPHRASE)


@pytest.mark.parametrize(
    "pem", [b"", b"hello", b"-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", b"\xff" * 99]
)
def test_what_is_no_pem_is_refused(pem: bytes) -> None:
    with pytest.raises(IdentityError, match="cannot be read"):
        Identity.from_pem("alice", pem, None)


@pytest.mark.parametrize("passphrase", [b"", b"correct horse battery stable", PASSPHRASE + b" ", b"\xff\xfe" * 10])
def test_a_wrong_passphrase_opens_nothing_and_is_not_repeated(saved: tuple[Identity, Path], passphrase: bytes) -> None:
    with pytest.raises(IdentityError, match="passphrase") as caught:
        Identity.load(saved[1], passphrase)
    assert passphrase.decode(errors="replace") not in str(caught.value) or not passphrase


@pytest.mark.parametrize(
    "passphrase", [b"", b"short", b"x" * (MIN_PASSPHRASE - 1), "é".encode() * (MIN_PASSPHRASE - 1)]
)
def test_a_passphrase_that_is_too_short_saves_nothing(tmp_path: Path, passphrase: bytes) -> None:
    with pytest.raises(IdentityError, match=f"at least {MIN_PASSPHRASE}"):
        Identity.generate("alice").save(tmp_path / "alice", passphrase)
    assert not (tmp_path / "alice").exists()


def test_a_passphrase_of_just_enough_letters_is_taken(tmp_path: Path) -> None:
    Identity.generate("alice").save(tmp_path / "alice", "é".encode() * MIN_PASSPHRASE, QUICK)


def test_a_passphrase_has_a_bound(tmp_path: Path) -> None:
    """The library has one as well, and no words for it."""
    Identity.generate("alice").save(tmp_path / "alice", b"x" * 1_000, QUICK)
    with pytest.raises(IdentityError, match="too long: at most 1000 bytes"):
        Identity.generate("bob").save(tmp_path / "bob", b"x" * 1_001, QUICK)
    assert not (tmp_path / "bob").exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-60],
        lambda data: data.replace(b"0", b"1", 5),
        lambda data: data.replace(b",", b", ", 1),
        lambda data: data.rstrip(),
        lambda data: data + data,
        lambda data: data + b" " * 3_000,
        lambda data: b"{}\n",
        lambda data: b"\xff" * 200,
    ],
    ids=["empty", "cut", "changed", "a blank", "no line feed", "twice", "long", "no member", "no text"],
)
def test_a_damaged_key_file_is_an_identity_error(
    saved: tuple[Identity, Path], damage: Callable[[bytes], bytes]
) -> None:
    path = saved[1] / "key.json"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(IdentityError):
        Identity.load(saved[1], PASSPHRASE)


@pytest.mark.parametrize("text", [b"", b"alice", b"\xff\xfe", b"alice+00000000+AAAA", b"bob+82c57203+AY57", None])
def test_a_damaged_verifier_key_is_an_identity_error(saved: tuple[Identity, Path], text: bytes | None) -> None:
    path = saved[1] / "key.txt"
    path.unlink()
    if text is None:
        path.mkdir()
    else:
        path.write_bytes(text)
    with pytest.raises(IdentityError):
        Identity.load(saved[1], PASSPHRASE)


def test_a_file_whose_passphrase_is_tried_faster_than_ours_is_weak() -> None:
    assert [Cost(n=COST.n * times // 2).is_weak for times in (1, 2, 4)] == [True, False, False]


def test_a_verifier_key_that_does_not_belong_to_the_key_beside_it_is_refused(saved: tuple[Identity, Path]) -> None:
    (saved[1] / "key.txt").write_text(f"{Identity.generate('alice').key}\n")
    with pytest.raises(IdentityError, match="does not belong"):
        Identity.load(saved[1], PASSPHRASE)


def test_an_identity_that_is_there_is_not_overwritten(saved: tuple[Identity, Path]) -> None:
    before = {path.name: path.read_bytes() for path in saved[1].iterdir()}
    with pytest.raises(IdentityError, match="already"):
        Identity.generate("alice").save(saved[1], PASSPHRASE)
    assert {path.name: path.read_bytes() for path in saved[1].iterdir()} == before


def test_an_identity_whose_key_file_was_moved_away_is_left_alone(saved: tuple[Identity, Path], tmp_path: Path) -> None:
    (saved[1] / "key.json").rename(tmp_path / "backup.json")
    with pytest.raises(IdentityError, match="already"):
        Identity.generate("alice").save(saved[1], PASSPHRASE)
    assert [path.name for path in saved[1].iterdir()] == ["key.txt"]


def test_an_identity_without_its_key_file_is_told(saved: tuple[Identity, Path]) -> None:
    (saved[1] / "key.json").unlink()
    with pytest.raises(IdentityError, match="the key of alice cannot be read"):
        Identity.load(saved[1], PASSPHRASE)


def test_an_identity_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(IdentityError, match="cannot be written"):
        Identity.generate("alice").save(tmp_path / "alice", PASSPHRASE, QUICK, {"no folder/file": b""})
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_written_once_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for data in (b"first", b"second"):
        write_once(path, data)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"first", 0o600)
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(IdentityError, match="cannot be written"):
        write_once(tmp_path / "none" / "file", b"first")


@pytest.mark.parametrize("name", ["", "Alice", "ali ce", "file", "-alice", "a" * 33, "älice", "alice\n", "a+b", "../a"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(IdentityError):
        Identity.generate(name)


def test_an_identity_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(IdentityError, match="there is no identity"):
        Identity.load(tmp_path / "alice", PASSPHRASE)


# --- openings ------------------------------------------------------------------------------------------------------


def recorded(seat: Seat, table: Table) -> list[tuple[int, str]]:
    """Index and request of what is on record as opened, for each chain."""
    with seat._memory.game(table.game) as turn:
        return [(own.opened, own.request) for own in turn.record.chains]


@pytest.fixture
def opened(pending: Table) -> tuple[Table, Opening]:
    """Bob has opened for alice's request."""
    return pending, pending.open("bob")


def test_the_same_request_always_gets_the_same_opening(opened: tuple[Table, Opening]) -> None:
    table, first = opened
    assert table.open("bob") == first
    table.restart()
    assert table.open("bob") == first


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_crash_between_record_and_answer_changes_nothing(pending: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    seat, request = pending.seats["bob"], pending.view.replay.head.hex()
    pending.take("bob")
    with monkeypatch.context() as patch:
        patch.setattr(module, "_write_copy", interrupted)
        with pytest.raises(KeyboardInterrupt):
            seat.opening(pending.view)
    assert recorded(seat, pending) == [(1, request)], "it is on record before it is given out"
    pending.restart()
    assert pending.open("bob").link == link_of(pending, "bob", 1).hex()
    assert recorded(pending.seats["bob"], pending) == [(1, request)]


def test_an_opening_that_could_not_be_recorded_is_not_given(pending: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    pending.take("bob")

    def fail(memory: Memory, game: bytes, record: Record) -> bytes:
        raise sqlite3.OperationalError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(Memory, "_write", fail)
        with pytest.raises(StoreError, match="disk full"):
            pending.seats["bob"].opening(pending.view)
    assert recorded(pending.seats["bob"], pending) == [(0, "")]
    assert pending.open("bob").index == 1


def test_nobody_opens_for_a_request_that_the_keeper_has_not_taken(pending: Table) -> None:
    bob, host = pending.seats["bob"], pending.seats["host"]
    earlier = host.checkpoint(LogView(pending.lines[:-1]))
    taken = host.checkpoint(pending.view)
    for held in (None, earlier):
        with pytest.raises(UsageError, match="whether host, the keeper, has taken the request"):
            bob.opening(Shown(pending.view, held))
    by_alice = sign_checkpoint(taken.head, pending.keys["alice"], pending.identities["alice"].sign)
    with pytest.raises(UsageError, match="worthless"):
        bob.opening(Shown(pending.view, by_alice))
    with bob._memory.game(pending.game) as turn:
        turn.change(receipts=())
    with pytest.raises(UsageError, match="whether host, the keeper, has taken the request"):
        bob.opening(Shown(pending.view, None))
    assert recorded(bob, pending) == [(0, "")]
    bob.keyless.keep(taken, pending.view)
    assert bob.opening(pending.view).index == 1, "it holds it"


def test_the_closer_opens_last_and_checks_what_it_holds(pending: Table) -> None:
    alice = pending.seats["alice"]
    with pytest.raises(UsageError, match="alice opens when bob has opened"):
        pending.open("alice")
    forged = Forger(pending.identities["bob"]).opening(pending, bytes(32), 1, pending.view.replay.head)
    with pytest.raises(RefusedError) as caught:
        alice.opening(pending.take("bob"), [Opening(**forged)])
    assert caught.value.code == "opening.link"
    assert recorded(alice, pending) == [(0, "")]
    pending.hand_in("bob")
    assert pending.open("alice").index == 1


def test_whoever_opened_voids_nothing_and_whoever_voided_opens_nothing(pending: Table, tmp_path: Path) -> None:
    pending.hand_in("bob")
    fork = shown(pending, tmp_path, pending.lines)
    view = fork.view(pending.game)
    alice, openings = pending.seats["alice"], pending.ledger.openings(pending.game)
    taken = pending.ledger.sign_checkpoint(pending.game, pending.seats["host"])
    alice.void(Shown(view, taken))
    with pytest.raises(SeedError, match="has called this roll off"):
        alice.opening(Shown(view, taken), openings)
    pending.restart()
    with pytest.raises(SeedError, match="has called this roll off"):
        pending.seats["alice"].opening(Shown(view, taken), openings)
    pending.void()
    pending.act("alice", "roll", ROLL | {"dice": "20d20", "use": "compare"})
    pending.hand_in("bob", "alice")
    with pytest.raises(SeedError, match="cannot call it off"):
        pending.seats["alice"].void(pending.view)
    fork.close()


def taken(table: Table) -> Shown:
    """The game, and the keeper's checkpoint of all of it."""
    return Shown(table.view, table.seats["host"].checkpoint(table.view))


def test_a_closer_that_declined_opens_nothing_and_one_that_opened_cannot_decline(pending: Table) -> None:
    alice = pending.seats["alice"]
    with pytest.raises(TurnError, match="alice opens last before the keeper"):
        pending.seats["bob"].decline(taken(pending))
    pending.hand_in("bob")
    alice.decline(taken(pending))
    with pytest.raises(SeedError, match="has called this roll off"):
        pending.open("alice")
    pending.void("dana", "alice")
    pending.act("alice", "roll", ROLL | {"dice": "20d20", "use": "compare"})
    pending.hand_in("bob", "alice")
    with pytest.raises(SeedError, match="cannot call it off"):
        alice.decline(taken(pending))


def test_the_keeper_discloses_no_opening_that_does_not_hold(pending: Table) -> None:
    """It would be blamed for what it lists: a signature that is not bob's, or another link."""
    host, good = pending.seats["host"], pending.open("bob")
    forged = (msgspec.structs.replace(good, sig="00" * 64), msgspec.structs.replace(good, link="00" * 32))
    for each in forged:
        with pytest.raises(RefusedError):
            host.close_game(pending.view, [each])
    pending.ledger.append(pending.game, pending.seats["alice"].void(pending.take("alice")))
    for each in forged:
        with pytest.raises(RefusedError):
            host.disclose(pending.view, [each])
    assert recorded(host, pending) == [(0, "")]
    pending.ledger.append(pending.game, host.disclose(pending.view, [good]), host)
    with pytest.raises(TurnError, match="no roll waits"):
        host.disclose(pending.view, [good])


def test_after_a_void_nobody_opens(pending: Table) -> None:
    pending.ledger.append(pending.game, pending.seats["dana"].void(pending.take("dana")))
    with pytest.raises(UsageError, match="no roll waits"):
        pending.open("bob")


def test_a_chain_whose_secret_is_not_here_cannot_be_opened(pending: Table) -> None:
    bob = pending.seats["bob"]
    with bob._memory.game(pending.game) as turn:
        turn.change(chains=())
    with pytest.raises(SeedError, match="not on this machine"):
        pending.open("bob")


def test_a_chain_is_replaced_when_no_link_for_a_roll_is_left_in_it(make_table: MakeTable) -> None:
    table = make_table().begin(3)
    bob = table.seats["bob"]
    for left in ("2 more rolls", "1 more roll:"):
        with pytest.raises(UsageError, match=f"bob's seed chain in this game has links for {left}"):
            bob.commit(table.view, 4)
        assert recorded(bob, table)[0][0] < 3
        table.roll("alice")
    line = bob.commit(table.take("bob"), 4)
    assert json.loads(line)["body"]["link"] == link_of(table, "bob", 3).hex()
    # It did not come into the log: the link is given away all the same, so bob may commit again.
    table.act("alice", "declare", TRIGGER)
    again = bob.commit(table.take("bob"), 4)
    assert json.loads(again)["body"]["link"] == link_of(table, "bob", 3).hex()
    table.ledger.append(table.game, again)
    for name in ("host", "alice"):
        table.commit(name)
    table.request("alice", "roll", ROLL)


def given_away(table: Table, name: str) -> None:
    """As if the party's next link went into a commit that the keeper did not take, in a program of its own."""
    with table.seats[name]._memory.game(table.game) as turn:
        turn.change(chains=tuple(msgspec.structs.replace(chain, replaced=True) for chain in turn.record.chains))


def test_a_chain_whose_next_link_was_given_away_opens_nothing_and_is_replaced(table: Table) -> None:
    given_away(table, "bob")
    table.act("alice", "roll", ROLL)  # another event came first
    with pytest.raises(SeedError, match="is used up"):
        table.open("bob")
    table.void()
    again = table.seats["bob"].commit(table.view, 4)
    assert json.loads(again)["body"]["link"] == link_of(table, "bob", 2).hex()
    table.ledger.append(table.game, again)
    table.request("alice", "roll", ROLL)


def test_a_link_is_opened_once_and_a_request_has_one_link_whatever_the_log_shows(pending: Table) -> None:
    """What comes behind the fork guard: the record of the chain itself, by index and by request."""
    bob, request = pending.seats["bob"], pending.view.replay.head.hex()
    pending.take("bob")
    [own] = bob.keyless.seen(pending.game).chains
    later, again = (msgspec.structs.replace(own, opened=index, request="ab" * 32) for index in (2, 1))
    elsewhere = msgspec.structs.replace(own, tip="cd" * 32, opened=5, request=request)
    for chains, told in (
        ((later,), "bob opened link 1 for another request and never opens it twice"),
        ((again,), "bob opened link 1 for another request and never opens it twice"),
        ((own, elsewhere), "bob opened link 5 for this request and will not open link 1 for it too"),
    ):
        with bob._memory.game(pending.game) as turn:
            turn.change(chains=chains)
        with pytest.raises(SeedError, match=told):
            bob.opening(pending.view)
        assert bob.keyless.seen(pending.game).chains == chains
    unused = msgspec.structs.replace(own, tip="cd" * 32)
    with bob._memory.game(pending.game) as turn:
        turn.change(chains=(own, unused))
    bob.opening(pending.view)
    opened = msgspec.structs.replace(own, opened=1, request=request)
    assert bob.keyless.seen(pending.game).chains == (opened, unused), "of the one chain alone"


def test_a_chain_that_came_from_another_machine_is_opened_for_no_roll_and_asks_for_none(pending: Table) -> None:
    bob = pending.seats["bob"]
    with bob._memory.game(pending.game) as turn:
        turn.change(chains=tuple(msgspec.structs.replace(chain, moved=True) for chain in turn.record.chains))
    with pytest.raises(SeedError, match="bob's seed chain came from another machine"):
        pending.open("bob")
    pending.void("dana")
    with pytest.raises(SeedError, match="bob's seed chain came from another machine"):
        bob.sign(pending.take("bob"), "roll", make_body("roll", ROLL))
    bob.sign(pending.view, "declare", make_body("declare", TRIGGER))


def test_who_has_no_chain_asks_for_no_roll_and_gives_no_link_when_it_leaves(table: Table) -> None:
    dana = table.seats["dana"]
    with pytest.raises(RefusedError):
        dana.sign(table.view, "roll", make_body("roll", ROLL))
    assert "burned" not in json.loads(dana.leave(table.view, "dana"))["body"]


def test_who_leaves_after_a_void_gives_the_link_that_it_did_not_open(pending: Table) -> None:
    pending.void("dana", "bob")
    assert (
        json.loads(pending.seats["bob"].leave(pending.take("bob"), "bob"))["body"]["burned"]
        == link_of(pending, "bob", 1).hex()
    )


def test_chains_that_were_replaced_are_forgotten(table: Table) -> None:
    given_away(table, "bob")
    table.commit("bob")
    table.sign("bob", "roll", ROLL)
    assert len(recorded(table.seats["bob"], table)) == 2, "the keeper has not taken the new one"
    given_away(table, "alice")
    table.commit("alice")
    table.ledger.sign_checkpoint(table.game, table.seats["host"])
    table.sign("bob", "roll", ROLL)
    assert len(recorded(table.seats["bob"], table)) == 1
    table.roll("alice")


def test_a_chain_is_kept_until_the_keeper_has_taken_the_commit_that_replaces_it(make_table: MakeTable) -> None:
    table = make_table().begin(2)
    table.roll("alice")
    bob, lines = table.seats["bob"], [*table.take("bob").lines(0)]
    own = [*lines, bob.commit(table.view, 4)]
    bob.sign(LogView(own, table.view.checkpoint), "declare", make_body("declare", TRIGGER))
    table.act("alice", "declare", TRIGGER)
    again = bob.commit(table.take("bob"), 4)
    assert json.loads(again)["body"]["link"] == link_of(table, "bob", 2).hex()
    table.ledger.append(table.game, again)
    assert report_on(table.lines).verdict == "holds"


def test_a_secret_is_stored_before_its_commitment_is_out(table: Table) -> None:
    given_away(table, "alice")
    line = table.seats["alice"].commit(table.view, 3)
    tip = json.loads(line)["body"]["tip"]
    table.restart()
    table.ledger.append(table.game, line)
    table.act("alice", "roll", ROLL)
    table.hand_in("bob")
    assert table.open("alice").index == 1
    assert table.view.replay.chains["alice"].tip.hex() == tip


@pytest.mark.parametrize("length", [0, 1, -1, 65_537])
def test_a_chain_has_two_to_65536_links(table: Table, length: int) -> None:
    with pytest.raises(UsageError, match="65536"):
        table.seats["alice"].commit(table.view, length)


@pytest.mark.parametrize("length", [2, 65_536])
def test_the_shortest_and_the_longest_chain_can_be_committed_to(make_table: MakeTable, length: int) -> None:
    table = make_table()
    table.played.append(table.seats["alice"], table.seats["alice"].join)
    assert json.loads(table.seats["alice"].commit(table.view, length))["body"]["length"] == length
    assert not table.seats["alice"].has_moved_chain(table.view.replay), "the log has none yet"


def test_a_chain_has_no_links_but_those_from_its_tip_to_its_secret() -> None:
    chain = SeedChain(bytes(32), "bob", 3, b"s" * 32)
    assert (chain.link(0), chain.link(3)) == (chain.tip, b"s" * 32)
    for index in (-1, 4):
        with pytest.raises(SeedError, match="links 0 to 3"):
            chain.link(index)


def test_a_request_among_several_events_is_signed_only_by_who_can_open_for_it(table: Table) -> None:
    bob = table.seats["bob"]
    with bob._memory.game(table.game) as turn:
        turn.change(chains=())
    asks, tells = ("roll", make_body("roll", ROLL)), ("declare", make_body("declare", TRIGGER))
    assert len(bob.sign_all(table.view, [tells, tells])) == 2
    for events in ([tells, asks], [asks]):
        with pytest.raises(SeedError, match="not on this machine"):
            bob.sign_all(table.view, events)


def test_a_party_that_contributes_nothing_to_a_roll_opens_nothing(make_table: MakeTable) -> None:
    table = make_table(contributors="roller").begin()
    table.act("alice", "roll", ROLL)
    for name in ("bob", "dana"):
        with pytest.raises(UsageError, match="contributes nothing"):
            table.seats[name].opening(table.view)
    # Nor can it be made to count when it does.
    opening = opening_of(table, "alice") | {"author": "bob"}
    with pytest.raises(RefusedError) as caught:
        table.ledger.hand_in(table.game, Opening(**opening))
    assert caught.value.code == "opening.set"
    table.hand_in("alice")
    table.reveal()


def test_of_signatures_that_held_the_latest_are_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bob, checked = Identity.generate("bob"), list[bytes]()
    messages = [b"one", b"two", b"three"]
    checks = {each: SignatureCheck(bob.key.public_bytes, bob.sign(each), each, "bob", 12, 1) for each in messages}
    monkeypatch.setattr(signature_cache, "MOST", 2)
    monkeypatch.setattr(signature_cache, "_held", {})
    monkeypatch.setattr(signature_cache, "verify_now", lambda check: checked.append(check.message))
    for message in (*messages, b"two", b"three", b"one"):
        signature_cache.verify_once(checks[message])
    assert checked == [*messages, b"one"]


def test_nobody_objects_where_nothing_was_called_missing(pending: Table) -> None:
    with pytest.raises(TurnError, match="nothing that bob opened was called missing"):
        pending.seats["bob"].object_to_void(pending.view)


def test_the_keeper_opens_for_nobody_but_in_the_reveal(pending: Table) -> None:
    pending.hand_in_all(but=["host"])
    with pytest.raises(UsageError, match="host keeps the log and opens last, in the reveal itself"):
        pending.open("host")
    assert recorded(pending.seats["host"], pending) == [(0, "")]


def test_the_keeper_discloses_its_own_link_whatever_it_is_given_for_it(pending: Table) -> None:
    host = pending.seats["host"]
    forged = Forger(pending.identities["host"]).opening(pending, bytes(32), 1, pending.view.replay.head)
    line = host.close_game(pending.view, [Opening(**forged)])
    (disclosed,) = json.loads(line)["body"]["openings"]
    assert disclosed["link"] == link_of(pending, "host", 1).hex()


def test_the_keeper_reveals_nothing_before_everybody_opened(pending: Table) -> None:
    pending.hand_in("bob")
    with pytest.raises(UsageError, match="host opens when alice has opened"):
        pending.reveal()
    assert recorded(pending.seats["host"], pending) == [(0, "")]


def test_games_whose_chain_came_from_another_machine_are_told(table: Table) -> None:
    bob, dana = table.seats["bob"], table.seats["dana"]
    table.sign("dana", "leave", {"party": "dana"})
    assert (bob.moved_games(), dana.moved_games()) == ([], [])
    with bob._memory.game(table.game) as turn:
        turn.change(chains=tuple(msgspec.structs.replace(chain, moved=True) for chain in turn.record.chains))
    replay = table.view.replay
    assert bob.moved_games() == [table.game]
    assert [table.seats[name].has_moved_chain(replay) for name in table.roles] == [False, False, True, False]
    line = bob.commit(table.take("bob"), 4)
    assert bob.has_moved_chain(replay), "as long as the log has no other"
    table.ledger.append(table.game, line)
    assert bob.moved_games() == []
    assert not bob.has_moved_chain(table.view.replay)


def test_a_game_whose_terms_do_not_hold_is_not_opened(table: Table) -> None:
    host = table.seats["host"]
    before = host.keyless.records()
    with pytest.raises(RefusedError):
        host.open_game(SYSTEM, Options(False), [(host.key, "player")])
    assert host.keyless.records() == before, "nothing was signed"


def test_of_another_log_no_shorter_head_and_no_other_one_is_signed(table: Table) -> None:
    """As of a server's anchors."""
    host, leaves = table.seats["host"], [bytes([number]) * 32 for number in range(5)]
    assert host.log_head("anchors", leaves[:3]) == host.log_head("anchors", leaves[:3])
    table.restart()
    host = table.seats["host"]
    with pytest.raises(BehindError, match="host signed for 3 entries of anchors, and 2 are here"):
        host.log_head("anchors", leaves[:2])
    with pytest.raises(ForkError, match="host signed for other entries of anchors"):
        host.log_head("anchors", leaves[:2] + leaves[3:])
    assert host.log_head("others", leaves[3:]).startswith(b"others\n2\n")
    note = parse_note(host.log_head("anchors", leaves))
    assert signed_by(note, host.key) is not None
    assert note.text.splitlines()[1] == "5"


# --- what a party saw ----------------------------------------------------------------------------------------------


def shown(table: Table, folder: Path, lines: list[bytes]) -> Ledger:
    """Another store with these lines."""
    ledger = Ledger(folder / "shown.db", table.clock)
    assert ledger.importer.import_log(joined(lines), name="shown")[1] == len(lines)
    return ledger


@pytest.mark.parametrize("restarted", [False, True])
def test_a_forked_log_is_neither_signed_nor_opened_nor_committed_on(
    table: Table, tmp_path: Path, restarted: bool
) -> None:
    fork = shown(table, tmp_path, table.lines)
    fork.append(table.game, table.sign("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": "Fork."}))
    table.act("alice", "roll", ROLL)
    table.hand_in("bob")
    if restarted:
        table.restart()
    view = fork.view(table.game)
    bob = table.seats["bob"]
    with pytest.raises(ForkError, match="forked"):
        bob.sign(view, "roll", make_body("roll", ROLL))
    with pytest.raises(ForkError, match="forked"):
        bob.commit(view)
    fork.append(table.game, Forger(table.identities["alice"]).event(list(fork.lines(table.game)), "roll", ROLL))
    with pytest.raises(ForkError, match="forked"):
        bob.opening(fork.view(table.game))
    with pytest.raises(ForkError, match="forked"):
        bob.void(fork.view(table.game))
    fork.close()


def test_a_memory_that_was_begun_anew_is_of_games_that_were_opened_later(make_table: MakeTable) -> None:
    """Not of one of the same moment: which of the two came first, nobody knows."""
    table = make_table()
    opened, alice = json.loads(table.lines[0])["time"], table.identities["alice"]
    before = (datetime.fromisoformat(opened) - timedelta(milliseconds=1)).isoformat(timespec="milliseconds")
    for number, since in enumerate((opened, before.replace("+00:00", "Z"))):
        folder = table.folder / f"anew-{number}"
        folder.mkdir()
        seat = Seat(alice, begin_memory(alice, folder, folder / "state", since=since), table.clock)
        if since == opened:
            with pytest.raises(MemoryLostError, match=f"was begun anew at {since}"):
                seat.join(table.view)
        else:
            seat.join(table.view)
        seat.close()


def test_no_receipt_makes_a_seat_that_was_begun_anew_sign_in_an_earlier_game(make_table: MakeTable) -> None:
    """The keeper shows the game as it was before the seat wrote in it, and gives a receipt for that."""
    table = make_table()
    alice, view = table.identities["alice"], table.view
    folder = table.folder / "anew"
    folder.mkdir()
    seat = Seat(alice, begin_memory(alice, folder, folder / "state", since=table.clock.last), table.clock)
    receipt = Forger(table.identities["host"]).checkpoint(view)
    with pytest.raises(MemoryLostError, match="was begun anew"):
        seat.keyless.keep(receipt, view)
    assert seat.keyless.latest(table.game) == receipt, "it is evidence all the same"
    with pytest.raises(MemoryLostError, match="was begun anew"):
        seat.join(Shown(view, receipt))
    seat.close()


def test_what_came_into_the_log_is_not_remembered_as_signed_any_more(table: Table) -> None:
    for name in ("alice", "bob"):
        table.roll(name)
    for name in ("alice", "bob"):
        table.sign(name, "leave", {"party": name})
        table.take(name)
        table.sign(name, "leave", {"party": name})
        record = table.seats[name].keyless.seen(table.game)
        assert record.head.size == len(table.lines)
        assert set(record.signed.values()) == {len(table.lines)}, "both are of this place, and one may come"


def test_a_shorter_log_is_not_signed_on(table: Table, tmp_path: Path) -> None:
    table.sign("bob", "roll", ROLL)
    shorter = shown(table, tmp_path, table.lines[:-1])
    with pytest.raises(BehindError, match="its end is missing"):
        table.seats["bob"].sign(shorter.view(table.game), "roll", make_body("roll", ROLL))
    shorter.close()


def test_what_another_process_of_the_party_saw_counts_at_once(table: Table, tmp_path: Path) -> None:
    bob, fork = table.seats["bob"], shown(table, tmp_path, table.lines)
    fork.append(table.game, table.sign("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": "Fork."}))
    view = table.view
    bob.sign(view, "roll", make_body("roll", ROLL))  # so what was shown last has been checked
    other = table.seat("bob")
    shows = fork.view(table.game)
    other.sign(Shown(shows, Forger(table.identities["host"]).checkpoint(shows)), "roll", make_body("roll", ROLL))
    with pytest.raises(BehindError):
        bob.sign(view, "roll", make_body("roll", ROLL))
    table.act("alice", "roll", ROLL)
    with pytest.raises(ForkError):
        bob.sign(table.view, "roll", make_body("roll", ROLL))
    other.close()
    fork.close()


def test_each_of_two_logs_that_one_process_shows_is_checked(table: Table, tmp_path: Path) -> None:
    bob, fork = table.seats["bob"], shown(table, tmp_path, table.lines)
    fork.append(table.game, table.sign("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": "Fork."}))
    table.act("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": "Here."})
    table.take("bob")
    for shows, raises in ((table.view, False), (fork.view(table.game), True), (table.view, False)):
        if raises:
            with pytest.raises(ForkError):
                bob.sign(shows, "roll", make_body("roll", ROLL))
        else:
            bob.sign(shows, "roll", make_body("roll", ROLL))
    fork.close()


def test_an_event_is_never_dated_before_the_one_before_it(make_table: MakeTable) -> None:
    table = make_table().begin()
    before = table.view.replay.time
    table.clock.now -= timedelta(minutes=4)
    assert json.loads(table.sign("alice", "roll", ROLL))["time"] == before
    table.clock.now += timedelta(minutes=9)
    assert json.loads(table.sign("alice", "roll", ROLL))["time"] == table.clock.last


# --- where secrets are ---------------------------------------------------------------------------------------------


def written_as(secret: bytes) -> list[bytes]:
    """The ways in which a secret might stand in a file."""
    return [secret, secret.hex().encode(), secret.hex().upper().encode(), b64encode(secret), repr(secret).encode()]


def bytes_of(folder: Path, start: str) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.name.startswith(start))


@pytest.fixture
def finished(table: Table) -> Table:
    """A game with two rolls and a void."""
    table.roll("alice")
    table.roll("bob")
    table.act("alice", "roll", ROLL)
    table.hand_in("bob")
    table.void()
    return table


@pytest.mark.parametrize("name", ["host", "alice", "bob"])
def test_no_secret_stands_in_clear_in_a_partys_own_database(finished: Table, name: str) -> None:
    files = [path for path in (finished.folder / name).rglob("*") if path.is_file()]
    stored = b"".join(path.read_bytes() for path in files)
    _, *links = links_of(finished, name)
    assert len(links) == 16
    identity = finished.identities[name]
    for secret in (*links, private_bytes(identity), identity.storage_key()):
        assert not any(text in stored for text in written_as(secret))
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_no_partys_secrets_are_in_the_ledger_or_its_exports(finished: Table) -> None:
    stored, log = bytes_of(finished.folder, "ledger.db"), finished.log
    opened = {o["link"] for event in map(json.loads, finished.lines) for o in event["body"].get("openings", ())}
    for name, identity in finished.identities.items():
        secrets = [private_bytes(identity), identity.storage_key()]
        if finished.roles[name] != "judge":
            secrets += links_of(finished, name)[4:]
            # What was opened, for the roll that it was opened for, is public.
            used = 2 if name == "alice" else 3
            assert {link.hex() for link in links_of(finished, name)[1 : used + 1]} <= opened
        for secret in secrets:
            for text in written_as(secret):
                assert text not in stored
                assert text not in log
    # The closer's link of the roll that it called off was never opened to anybody.
    for text in written_as(link_of(finished, "alice", 3)):
        assert text not in stored


def test_no_error_message_tells_a_secret(pending: Table, tmp_path: Path) -> None:
    messages = []

    def fail(what: Callable[[], object]) -> None:
        with pytest.raises(LedgerError) as caught:
            what()
        messages.append(f"{caught.value!r} {caught.value.__cause__!r}")

    seat, view = pending.seats["bob"], pending.view
    opening = pending.open("bob")
    fail(lambda: pending.seats["dana"].opening(view))
    fail(pending.reveal)
    fail(lambda: pending.open("alice"))
    with seat._memory.game(pending.game) as turn:
        turn.change(voided=view.replay.head.hex())
    fail(lambda: pending.open("bob"))
    fail(lambda: pending.ledger.hand_in(pending.game, msgspec.structs.replace(opening, index=2)))
    fail(lambda: pending.ledger.append(pending.game, seat.sign(view, "roll", make_body("roll", ROLL))))
    fail(lambda: pending.identities["alice"].save(tmp_path / "alice", b"short"))
    for name, identity in pending.identities.items():
        links = links_of(pending, name)[1:] if name != "dana" else []
        for secret in (*links, private_bytes(identity), identity.storage_key()):
            assert not any(
                text.decode(errors="ignore") in message for text in written_as(secret)[1:] for message in messages
            )


# --- seats in separate processes -----------------------------------------------------------------------------------

_seat: Seat
_store: Ledger


def sit_down(name: str, folder: Path) -> None:
    """In a process of its own: a party makes its key here, and it never leaves."""
    global _seat, _store
    _seat = seat_in(folder / "own", Identity.generate(name), Clock())
    _store = Ledger(folder / "ledger.db", Clock())


def public_key() -> str:
    return str(_seat.key)


def open_game(keys: list[str]) -> bytes:
    parties = [(VerifierKey.parse(key), ROLES[key.split("+")[0]]) for key in keys]
    return _seat.open_game(SYSTEM, Options(False), parties)


def sign(log: bytes, taken: bytes | None, type: str, body: bytes) -> bytes:
    """See the log, and sign the next event."""
    view = see(log, taken)
    match type:
        case "close":
            return _seat.close_game(view)
        case "commit":
            return _seat.commit(view, 4)
        case "reveal":
            openings = msgspec.json.decode(body, type=list[Opening])
            return _seat.reveal(view, openings)
        case _:
            return _seat.sign(view, type, make_body(type, json.loads(body)))


def take(log: bytes) -> bytes:
    """As the keeper: sign over the log."""
    return bytes(_seat.checkpoint(see(log)))


def open_link(log: bytes, taken: bytes, openings: list[bytes]) -> bytes:
    others = [msgspec.json.decode(each, type=Opening) for each in openings]
    return encode(_seat.opening(see(log, taken), others))


def see(log: bytes, taken: bytes | None = None) -> Any:
    _store.importer.import_log(log, name="log", checkpoint=taken)
    return _store.view(_store.catalog.games()[0])


@pytest.mark.long
def test_a_game_is_played_with_every_seat_in_a_process_of_its_own(tmp_path: Path) -> None:
    # Between the processes go bytes only: verifier keys, lines, openings. No process ever has two parties' secrets.
    context = multiprocessing.get_context("spawn")
    seats = {
        name: ProcessPoolExecutor(1, context, initializer=sit_down, initargs=(name, tmp_path / name)) for name in ROLES
    }
    try:
        keys = [future.result() for future in [seat.submit(public_key) for seat in seats.values()]]
        lines = [seats["host"].submit(open_game, keys).result()]

        def act(name: str, type: str, body: Any = None) -> None:
            taken = seats["host"].submit(take, joined(lines)).result() if name != "host" else None
            lines.append(seats[name].submit(sign, joined(lines), taken, type, encode(body or {})).result())

        for name in ("alice", "bob", "dana"):
            act(name, "join")
        for name in ("host", "alice", "bob"):
            act(name, "commit")
        request = len(lines)
        act("alice", "roll", ROLL)
        taken = seats["host"].submit(take, joined(lines)).result()
        openings: list[bytes] = []
        for name in ("bob", "alice"):
            openings.append(seats[name].submit(open_link, joined(lines), taken, openings).result())
        act("host", "reveal", [json.loads(opening) for opening in openings])
        act("alice", "resolve", {"roll": request})
        act("host", "close")
    finally:
        for seat in seats.values():
            seat.shutdown()
    report = report_on(lines)
    assert (report.verdict, len(report.findings)) == ("holds", 0)
    assert report.state is not None
    assert [roll["status"] for roll in report.state["rolls"]] == ["resolved"]
