"""A server that is stopped, killed, put back, and asked rudely (specs/network.md)."""

import asyncio
import contextlib
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import httpx
import pytest

from ledger import lobby
from ledger.browser.verify_page import verify_page
from ledger.cli import run
from ledger.home import Home
from ledger.page.assets import MEDIA_TYPES, POLICY
from ledger.server.run import Settings, open_service
from tests.server.load import Player, check_all
from tests.server.served import PASSPHRASE, ROOMY, Plain, Server, seated, serving, with_limits


@pytest.fixture
def wide(tmp_path: Path) -> tuple[str, str]:
    return with_limits(tmp_path, ROOMY | {"MAX_IDLE": 2})


@pytest.mark.long
def test_a_server_that_is_told_to_stop_finishes_and_sends_readers_away(tmp_path: Path, wide: tuple[str, str]) -> None:
    with serving(tmp_path / "server", *wide) as server, seated(tmp_path, server.address, "alice") as [alice]:
        alice.act("roll", alice.typed())
        events = []
        with alice.http.stream("GET", alice.path("stream"), headers=alice.headers) as answer:
            lines = answer.iter_lines()
            for line in lines:
                if line == "event: here":
                    break
            server.process.send_signal(signal.SIGTERM)
            events = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
        assert events[-1] == "bye"
        assert server.wait() == 0
        again = server.again()
        try:
            assert alice.open().status_code == 201
            alice.fetch()
            assert alice.view.replay.session.phase == "idle"
        finally:
            assert again.stop() == 0


@pytest.mark.long
@pytest.mark.parametrize("kills", [5, pytest.param(100, marks=pytest.mark.slow)])
def test_killed_at_random_moments_nothing_acknowledged_is_lost(
    tmp_path: Path, wide: tuple[str, str], kills: int
) -> None:
    chance = random.Random(kills)
    server = Server(tmp_path / "server", *wide)
    until = threading.Event()
    players: list[Player] = []
    with contextlib.ExitStack() as stack:
        try:
            for number in range(3):
                [party] = stack.enter_context(seated(tmp_path / str(number), server.address, "alice"))
                players.append(Player(party, until))
            for player in players:
                player.start()
            for _ in range(kills):
                time.sleep(chance.uniform(0.1, 0.8))
                server.stop(signal.SIGKILL)
                server = server.again()
            time.sleep(0.5)
        finally:
            until.set()
            for player in players:
                player.join(60)
        check_all(players)
        assert server.stop() == 0


@pytest.mark.long
def test_a_database_that_was_put_back_signs_nothing_until_it_is_caught_up(
    tmp_path: Path, wide: tuple[str, str]
) -> None:
    with (
        serving(tmp_path / "server", *wide) as server,
        seated(tmp_path, server.address, "alice", "bob") as [alice, bob],
    ):
        assert server.stop() == 0
        home, kept = server.root / "home", tmp_path / "kept"
        shutil.copytree(home, kept)
        second = server.again()
        alice.act("roll", alice.typed())
        assert bob.open().status_code == 201
        assert alice.open().status_code == 201
        alice.fetch()
        assert second.stop() == 0
        for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
            with contextlib.suppress(FileNotFoundError):
                (home / name).unlink()
        shutil.copy(kept / "ledger.db", home / "ledger.db")
        third = server.again()
        try:
            size = int(alice.get(alice.path("log")).headers["Rollproof-Size"])
            assert size == alice.view.replay.size - 2
            refused = alice.offer(alice.seat.sign(alice.view, "roll", alice.typed()))
            assert refused.status_code in (409, 503)
            # bob has seen less: it would be a second history, and nobody but the keeper's memory could tell.
            behind = bob.offer(next(iter(alice.view.lines(size))))
            assert (behind.status_code, behind.json()["code"]) == (503, "keeper.behind")
            log = b"".join(line + b"\n" for line in alice.view.lines(0))
            assert bob.post(bob.path("catch-up"), log[: len(log) // 2] + b"\n").status_code in (409, 422, 503)
            assert bob.post(bob.path("catch-up"), log).status_code == 200
            bob.fetch()
            assert bob.view.replay.size == alice.view.replay.size
            bob.act("roll", bob.typed())
            assert alice.open().status_code == 201
            assert bob.open().status_code == 201
        finally:
            assert third.stop() == 0


# --- rude --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rude(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    root = tmp_path_factory.mktemp("rude")
    limits = ROOMY | {"MAX_IDLE": 1, "MAX_CONNECTIONS": 40, "MAX_REFUSED": 8}
    with serving(root, *with_limits(root, limits), "--proxies", "") as server:
        yield server


def _connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=10)


def _ended(connection: socket.socket) -> bool:
    """Whether the server ends the connection."""
    try:
        while connection.recv(65_536):
            pass
    except ConnectionError:
        pass
    return True


@pytest.mark.long
def test_a_head_that_does_not_come_ends_the_connection(rude: Server) -> None:
    with _connect(rude) as silent, _connect(rude) as slow, _connect(rude) as second:
        slow.sendall(b"GET /health HT")
        second.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200 OK" in second.recv(1_000)
        second.sendall(b"GET /hea")
        began = time.monotonic()
        assert all(_ended(each) for each in (silent, slow, second))
        assert time.monotonic() - began < 9


@pytest.mark.long
def test_a_body_that_does_not_come_is_answered(rude: Server) -> None:
    with _connect(rude) as slow:
        slow.sendall(b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
        assert b" 408 " in slow.recv(1_000)


@pytest.mark.long
@pytest.mark.parametrize("chunked", [False, True], ids=["told", "endless"])
def test_bodies_are_bounded(rude: Server, chunked: bool) -> None:
    with _connect(rude) as big:
        if chunked:
            big.sendall(b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            with contextlib.suppress(ConnectionError):
                for _ in range(10):
                    big.sendall(b"8000\r\n" + bytes(0x8000) + b"\r\n")
        else:
            big.sendall(b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
        assert b" 413 " in big.recv(1_000)


@pytest.mark.parametrize(
    "path",
    [
        *("/v1/../../etc/passwd", "/v1/games/%2e%2e/log", f"/v1/games/{'0' * 63}%00/log", f"/v1/tables/{'A' * 64}"),
        *("/v1//server/x", "/v1/anchors/tile/0/../../../x", f"/{'a' * 8_000}", f"/v1/games/{'f' * 64}/tile/9/000"),
    ],
)
def test_path_tricks_find_nothing(rude: Server, path: str) -> None:
    with _connect(rude) as tricky:
        tricky.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = tricky.recv(2_000)
        assert b" 404 " in answer.split(b"\r\n")[0] or b" 400 " in answer.split(b"\r\n")[0]


def test_heads_are_bounded(rude: Server) -> None:
    with _connect(rude) as tricky:
        with contextlib.suppress(ConnectionError):
            tricky.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"X-A: " + b"a" * 1_000_000 + b"\r\n\r\n")
        answer = tricky.recv(1_000)
    assert b" 400 " in answer
    assert b"sandbox" in answer, "with the policies of every answer"


@pytest.mark.long
def test_one_address_has_so_many_connections(rude: Server) -> None:
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(_connect(rude)) for _ in range(60)]
        time.sleep(0.3)
        ended = 0
        for connection in connections:
            connection.setblocking(False)
            try:
                ended += connection.recv(1) == b""
            except BlockingIOError:
                pass
            except ConnectionError:
                ended += 1
        assert 18 <= ended <= 21
    time.sleep(0.2)
    assert httpx.get(f"{rude.address}/health").text == "ok\n"


@pytest.mark.long
def test_who_floods_with_what_is_refused_waits(tmp_path: Path) -> None:
    with serving(tmp_path, *with_limits(tmp_path, {"MAX_REFUSED": 5})) as server:
        codes = [httpx.post(f"{server.address}/v1/tables", content=os.urandom(8).hex()).status_code for _ in range(8)]
        assert codes == [400] * 6 + [429] * 2
        assert httpx.get(f"{server.address}/v1/server").status_code == 200


@pytest.mark.parametrize("path", ["/", f"/t/{'0' * 64}"])
def test_what_a_browser_is_shown(rude: Server, path: str) -> None:
    """One document at every link, in the reader's language; the verifier's page is the one that the command writes."""
    shown = httpx.get(f"{rude.address}{path}", headers={"Accept-Language": "ja"})
    assert shown.headers["content-type"].startswith("text/html")
    assert shown.headers["content-security-policy"] == POLICY
    assert shown.headers["referrer-policy"] == "no-referrer"
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert shown.headers["cross-origin-opener-policy"] == "same-origin"
    assert '<html lang="ja">' in shown.text
    assert "rollproof join" in shown.text
    for encoding in ("identity", "gzip"):
        verifier = httpx.get(f"{rude.address}/verify", headers={"Accept-Encoding": encoding})
        assert verifier.content == verify_page()
        known = {"Accept-Encoding": encoding, "If-None-Match": verifier.headers["etag"]}
        assert httpx.get(f"{rude.address}/verify", headers=known).status_code == 304


@pytest.mark.slow
def test_a_server_shows_what_the_manifest_says(rude: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web-manifest", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    with httpx.Client(base_url=rude.address) as client:
        for path, digest in told["files"].items():
            answer = client.get(f"/page/{path}")
            assert hashlib.sha256(answer.content).hexdigest() == digest, path
            assert answer.headers["content-type"] == MEDIA_TYPES[Path(path).suffix]
            kept = "public, max-age=31536000, immutable" if path.startswith("rules/") else "no-cache"
            assert answer.headers["cache-control"] == kept, path
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["vary"] == "accept-encoding"
            for takes in ("gzip", "gzip, br", "br;q=0, gzip"):
                packed = client.get(f"/page/{path}", headers={"Accept-Encoding": takes})
                coding = "br" if takes.endswith("br") else "gzip"
                if coding == "br" and path.startswith("rules/") and packed.headers["content-encoding"] == "gzip":
                    coding = "gzip"  # until the server has made the other
                assert (packed.headers["content-encoding"], packed.content) == (coding, answer.content)
                assert packed.headers["etag"] == f'"{digest}-{coding}"'
                same = {"Accept-Encoding": takes, "If-None-Match": f'"other", W/"{digest}-{coding}"'}
                known = client.get(f"/page/{path}", headers=same)
                if known.status_code == 200 and known.headers["content-encoding"] == "br" != coding:
                    continue  # the server has just made the other
                assert (known.status_code, known.content) == (304, b"")
            for plain in ("identity", "br;q=0, gzip;q=0", ""):
                whole = client.get(f"/page/{path}", headers={"Accept-Encoding": plain})
                assert "content-encoding" not in whole.headers
                assert (whole.headers["etag"], whole.content) == (f'"{digest}"', answer.content)
            changed = client.get(f"/page/{path}", headers={"If-None-Match": '"other"'})
            assert (changed.status_code, changed.content) == (200, answer.content)
        documents = [("/", *each) for each in told["documents"].items()]
        documents += [(f"/e/{'0' * 64}", *each) for each in told["event_documents"].items()]
        for path, language, digest in documents:
            answer = client.get(path, headers={"Accept-Language": language})
            assert hashlib.sha256(answer.content).hexdigest() == digest
            assert told["manifest"] in answer.text
        for language, digest in told["overlays"].items():
            answer = client.get(f"/o/{'0' * 64}", headers={"Accept-Language": language})
            assert hashlib.sha256(answer.content).hexdigest() == digest
    assert run(["web-manifest"]) == 0
    *lines, last, _, _, _, _, _, _, _, _, _, verifier = capsys.readouterr().out.splitlines()
    assert verifier == f"{hashlib.sha256(verify_page()).hexdigest()}  /verify"
    assert last == f"{told['manifest']}  manifest"
    assert hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest() == told["manifest"]


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/page/",
            "/page/ledger/page.py",
            "/page/../ledger/page.py",
            "/page/%2e%2e/pyproject.toml",
            "/page/ledger/web",
        ),
        *("/page//etc/passwd", "/page/ledger/web/ui/../../page.py", "/page/SYSTEMS.JSON", "/x"),
    ],
)
def test_nothing_else_is_shown(rude: Server, path: str) -> None:
    with _connect(rude) as tricky:
        tricky.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        assert b" 404 " in tricky.recv(2_000).split(b"\r\n")[0]


def test_what_the_server_says_of_itself(rude: Server) -> None:
    told = httpx.get(f"{rude.address}/v1/server").json()
    assert told["limits"]["MAX_IDLE"] == 1
    assert told["keeper"] == rude.told["keeper"]
    assert "dice-1" in told["systems"]
    api = httpx.get(f"{rude.address}/v1/openapi.json").json()
    assert "/v1/games/{game}/lines" in api["paths"]
    figures = httpx.get(f"{rude.address}/metrics").text
    assert "rollproof_refused_total" in figures


class _NoLoop:
    """Nobody follows anything."""

    def call_soon_threadsafe(self, *_: object) -> None: ...


@pytest.mark.long
def test_closed_games_stay_for_so_many_days(tmp_path: Path, wide: tuple[str, str]) -> None:
    """And tables that never start for 30; what is deleted leaves its id."""
    with (
        serving(tmp_path / "server", *wide) as server,
        seated(tmp_path / "a", server.address, "alice") as [alice],
        seated(tmp_path / "b", server.address, "bob") as [bob],
    ):
        assert alice.link is not None
        wish = bytes(lobby.new_closing(alice.identity, alice.link.table, alice.game))
        assert alice.post(f"/v1/tables/{alice.link.table.hex()}/close", wish).status_code == 201
        waiting = bob.open_table("dice-1")["player"].table.hex()
        assert server.stop() == 0
        home = Home(server.root / "home", server.root / "state")
        with open_service(home, "keeper", PASSPHRASE, Settings(keep_days=7)) as service:
            service.writer._loop = cast("asyncio.AbstractEventLoop", _NoLoop())
            service._expire()
            assert service.host.ledger.size(alice.game) > 0
            service.deletion._now = lambda: "2099-01-01T00:00:00.000Z"
            service._expire()
            assert service.host.ledger.size(alice.game) == 0
            assert service.host.ledger.size(bob.game) > 0
            deleted = {
                table: row.deleted for table in (alice.link.table.hex(), waiting) if (row := service.tables.get(table))
            }
            assert deleted == {alice.link.table.hex(): True, waiting: True}


@pytest.mark.long
@pytest.mark.parametrize("count", [100, pytest.param(5_000, marks=pytest.mark.slow)])
def test_many_idle_streams(tmp_path: Path, count: int) -> None:
    """They cost the others nothing: a roll at the same table is seen by all of them."""
    limits = {"MAX_CONNECTIONS": 20_000, "MAX_STREAMS": 20_000, "MAX_READERS": 20_000, "MAX_CONCURRENT": 30_000}
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if most < 2 * count + 200:
        pytest.skip(f"a process may have {most} files open here")
    with (
        serving(tmp_path / "server", *with_limits(tmp_path, limits)) as server,
        seated(tmp_path, server.address, "alice") as [alice],
    ):
        seen = asyncio.run(_hold_streams(alice, server.port, count))
    assert seen == count


async def _hold_streams(party: Plain, port: int, count: int) -> int:
    """How many streams have seen a line that came when all were open."""
    token = party.headers["Authorization"]
    head = f"GET {party.path('stream?from=5')} HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\n\r\n"
    streams = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head.encode())
        streams.append((reader, writer))
    for reader, _ in streams:
        await asyncio.wait_for(reader.readuntil(b"event: here"), 120)
    await asyncio.to_thread(party.act, "roll", party.typed())
    seen = 0
    for reader, writer in streams:
        await asyncio.wait_for(reader.readuntil(b"event: line"), 60)
        seen += 1
        writer.close()
    return seen
