"""How much a server stores, for whom, and what is still possible when it has no room (specs/network.md, "Room")."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from ledger import lobby
from ledger.errors import StoreError, WaitingError
from ledger.server.limits import Gate, Limits
from ledger.server.problems import Problem
from ledger.server.room import Room
from ledger.store.storage import Storage
from tests.server.machines import until
from tests.server.served import ROOMY, Plain, seated, serving, with_limits
from verifier import verify


def close(party: Plain) -> tuple[int, str]:
    assert party.link is not None
    wish = bytes(lobby.new_closing(party.identity, party.link.table, party.game))
    answer = party.post(f"/v1/tables/{party.link.table.hex()}/close", wish)
    return answer.status_code, answer.text


def holds(party: Plain) -> bool:
    log = b"".join(line + b"\n" for line in party.view.lines(0))
    return verify(log)[0].verdict == "holds"


@pytest.mark.slow
@pytest.mark.parametrize("limit", [{"MAX_GAME_BYTES": 8_000}, {"MAX_GAME_LINES": 12}])
@pytest.mark.parametrize("ending", ["open", "void"])
def test_a_game_that_is_full_takes_no_more_rolls_and_comes_to_its_end(
    tmp_path: Path, limit: dict[str, int], ending: str
) -> None:
    """What was begun is ended, the keeper's part too; who plays on does so in another game."""
    with (
        serving(tmp_path / "server", *with_limits(tmp_path, ROOMY | limit)) as server,
        seated(tmp_path, server.address, "alice", "bob") as [alice, bob],
    ):
        told = alice.http.get("/v1/server").json()["limits"]
        assert told.items() >= limit.items()
        while True:
            alice.fetch()
            answer = alice.offer(alice.seat.sign(alice.view, "roll", alice.typed("20d6")))
            if answer.status_code != 201:
                break
            alice.fetch()
            # The request alone may fill it: its roll is ended all the same.
            if ending == "void":
                closer = alice if alice.view.replay.pending and alice.view.replay.pending.closer == "alice" else bob
                closer.fetch()
                assert closer.offer(closer.seat.void(closer.view)).status_code == 201
            else:
                assert {bob.open().status_code, alice.open().status_code} == {201}
            assert alice.view.replay.size < 60
        assert (answer.status_code, answer.json()["code"]) == (507, "game.full")
        bob.fetch()
        assert bob.offer(bob.seat.leave(bob.view, "bob")).status_code == 201
        status, text = close(alice)
        assert status == 201, text
        alice.fetch()
        assert alice.view.replay.session.phase == "closed"
        assert holds(alice)
        assert alice.view.replay.size <= 12 + 5 or "MAX_GAME_BYTES" in limit


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_bytes_are_bounded_for_each_address_in_a_second_and_in_a_day() -> None:
    clock = _Clock()
    gate = Gate(Limits(bytes=1_000, bytes_burst=5_000, bytes_day=20_000), clock)
    gate.body("203.0.113.7", 5_000)
    with pytest.raises(Problem) as refused:
        gate.body("203.0.113.7", 1_000)
    assert (refused.value.status, refused.value.code, refused.value.retry) == (429, "too-many", 2)
    gate.body("203.0.113.8", 5_000)
    taken = 5_000
    while clock.now < 100:
        clock.now += 1
        try:
            gate.body("203.0.113.7", 1_000)
            taken += 1_000
        except Problem:
            continue
    assert 20_000 <= taken < 22_000
    clock.now += 86_400
    gate.body("203.0.113.7", 5_000)


class _Stored:
    """A database of so many bytes; None: it is away."""

    def __init__(self, size: int | None) -> None:
        self.bytes = size

    def size(self) -> int:
        if self.bytes is None:
            raise StoreError("away")
        return self.bytes


def test_all_databases_together_have_so_many_bytes() -> None:
    games, tables = _Stored(60), _Stored(39)
    room = Room(Limits(store=100), [cast("Storage", each) for each in (games, tables)])

    def found() -> tuple[bool, bool]:
        return room.look(), room.full

    assert found() == (False, False)
    room.check()
    tables.bytes = 40
    assert [found(), found()] == [(True, True), (False, True)], "it is told once"
    with pytest.raises(Problem) as refused:
        room.check()
    assert (refused.value.status, refused.value.code) == (503, "store.full")
    games.bytes = None
    assert found() == (False, True), "what was so is so while nobody can say"
    games.bytes = 0
    assert found() == (False, False)
    games.bytes = None
    assert found() == (False, False)


@pytest.mark.long
def test_who_writes_as_fast_as_it_can_is_slowed_down(tmp_path: Path) -> None:
    limits = ROOMY | {"MAX_BYTES": 300, "MAX_BYTES_BURST": 6_000}
    with (
        serving(tmp_path / "server", *with_limits(tmp_path, limits)) as server,
        seated(tmp_path / "a", server.address, "alice") as [alice],
    ):
        began, sent = time.monotonic(), 0
        while sent < 30_000:  # what is not slowed down comes so far
            alice.fetch()
            line = alice.seat.sign(alice.view, "roll", alice.typed("20d6"))
            answer = alice.offer(line)
            if answer.status_code == 429:
                break
            sent += len(line)
            alice.fetch()
            if alice.open().status_code == 429:
                break
        assert sent < 6_000 + 300 * (time.monotonic() - began)
        assert alice.get(alice.path("log")).status_code == 200


@pytest.mark.long
def test_tokens_of_a_party_are_bounded(tmp_path: Path) -> None:
    limits = with_limits(tmp_path, ROOMY | {"MAX_ACCESS": 3})
    with serving(tmp_path / "server", *limits) as server, seated(tmp_path, server.address, "alice") as [alice]:
        tokens = []
        for _ in range(8):
            wish = alice.seat.access(alice.game)
            tokens.append(alice.post(alice.path("access"), bytes(wish)).json()["token"])

        def good() -> int:
            found = 0
            for token in tokens:
                alice.token = bytes.fromhex(token)
                found += alice.get(alice.path("log")).status_code == 200
            return found

        until(lambda: good() == 3)
        alice.token = bytes.fromhex(tokens[-1])
        assert alice.get(alice.path("log")).status_code == 200, "the latest is good"


# --- a disk that is full ---------------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of its own."""
    folder.mkdir(parents=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def filled(folder: Path, leave: int) -> Path:
    """A file that takes all but so many bytes."""
    there = os.statvfs(folder)
    file = folder / "filling"
    with file.open("ab") as stream:
        stream.write(bytes(there.f_bavail * there.f_frsize - leave))
    return file


@pytest.mark.long
def test_long_before_the_disk_is_full_nothing_new_is_taken(tmp_path: Path) -> None:
    limits = with_limits(tmp_path, ROOMY | {"MIN_FREE": 4_000_000})
    with (
        small_disk(tmp_path / "server", "16m") as disk,
        serving(disk, *limits) as server,
        seated(tmp_path, server.address, "alice", "bob") as [alice, bob],
    ):
        alice.act("roll", alice.typed())
        filling = filled(disk, 3_000_000)
        alice.fetch()

        def is_full() -> bool:
            answer = bob.post(bob.path("lines"), b"{}")
            return answer.status_code == 503 and answer.json()["code"] == "store.full"

        until(is_full)
        refused = alice.post("/v1/tables", b"{}")
        assert (refused.status_code, refused.json()["code"], refused.headers["Retry-After"]) == (
            503,
            "store.full",
            "60",
        )
        assert {bob.open().status_code, alice.open().status_code} == {201}, "the roll that waits is ended"
        alice.fetch()
        assert alice.view.replay.session.phase == "idle"
        assert close(alice)[0] == 201
        filling.unlink()
        until(lambda: not is_full())
        with seated(tmp_path / "new", server.address, "carol") as [carol]:
            assert holds(carol)


@pytest.mark.long
def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """Without a reserve: what is answered stands, nothing is half written, and it goes on when there is space."""
    limits = with_limits(tmp_path, ROOMY | {"MIN_FREE": 0})
    with (
        small_disk(tmp_path / "server", "16m") as disk,
        serving(disk, *limits) as server,
        seated(tmp_path, server.address, "alice", "bob") as [alice, bob],
    ):
        alice.fetch()
        filling = filled(disk, 120_000)
        codes: list[tuple[int, str]] = []
        for _ in range(40):
            rolls = alice.view.replay.session.phase == "idle"
            line = alice.seat.sign(alice.view, "roll", alice.typed("40d6")) if rolls else b""
            answer = alice.offer(line) if rolls else alice.open()
            codes.append((answer.status_code, answer.json().get("code", "")))
            if answer.status_code == 503:
                break
            alice.fetch()
            if alice.view.replay.session.phase != "idle":
                answer = bob.open()
                if answer.status_code == 503:
                    codes.append((503, answer.json()["code"]))
                    break
            alice.fetch()
        assert codes[-1] == (503, "keeper.failed")
        with filling.open("ab") as stream:
            stream.truncate(1_000_000)
        answered = alice.view.replay.size

        def ended() -> bool:
            for each in (bob, alice):
                each.fetch()
                if each.view.replay.session.phase == "pending":
                    try:
                        answer = each.open()
                    except WaitingError:  # the keeper's checkpoint, or an opening, was written to no disk yet
                        return False
                    if answer.status_code == 503:
                        return False
                    assert answer.status_code in (200, 201), answer.text
            alice.fetch()
            return alice.view.replay.session.phase == "idle"

        until(ended)
        assert alice.view.replay.size >= answered
        alice.act("roll", alice.typed())
        assert {bob.open().status_code, alice.open().status_code} == {201}
        alice.fetch()
        assert holds(alice)
        assert server.stop() == 0
        again = server.again()
        try:
            bob.act("roll", bob.typed())
        finally:
            assert again.stop() == 0
