"""What the dearest requests cost a server: each at most 20 ms of processor time, or there is a rate for it.

`pytest -s` prints the table.
"""

import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from psutil import Process

from ledger.server.limits import Limits
from rules.protocol import Leave
from tests.bench.hostile import fill
from tests.bench.posting import Game, begin
from tests.server.attackers import connected
from tests.server.served import serving, with_limits

ROLLS = 60
TIMES = 40
MOST = 0.02
"""seconds of processor time"""
MOST_BYTES = 1 << 20
OVERLAY = "/o/" + "0" * 64
IN_PIECES = ("/verify", OVERLAY)
"""answers of which a server holds one piece at a time: the next when a reader has taken it (test_slow_readers.py)"""

GETS = [
    *("state?rolls=200", "state?rolls=1", "actions?party=alice", "checkpoint", "anchor"),
    *("log", "log?from=100", "tile/0/000.p/100", "tile/entries/000.p/100"),
]
OTHERS = [
    *("/health", "/v1/server", "/v1/openapi.json", "/v1/anchors/checkpoint", "/", "/w", "/verify", OVERLAY),
    *("/page/event.js", "/page/systems.json", "/page/x", "/r/x", "/x"),
]
READS = {
    "read, many dice": b'{"line":"%d+' + b"1d6+" * 2_480 + b'1d6","party":"alice","type":"roll"}',
    "read, brackets": b'{"line":"%d' + b"(" * 9_980 + b'","party":"alice","type":"roll"}',
    "read, no notation": b'{"line":"%d ' + b"4d6kh3 " * 1_400 + b'","party":"alice","type":"roll"}',
}
"""each with a number, so that no answer is at hand"""
LONG = 64_000
JUNK = {
    "nested": b"%d" + b"[" * LONG,
    "a text": b'{"a%d":"' + b"x" * LONG + b'"}',
    "members": b'{"a%d":0' + b"".join(b',"%d":0' % number for number in range(LONG // 10)) + b"}",
}
POSTS = ("lines", "openings", "received", "access", "catch-up")


Sent = Callable[[int], bytes]
"""the n-th request"""


def _get(path: str, head: str) -> Sent:
    return lambda _: f"GET {path} {head}\r\n".encode()


def _post(path: str, head: str, body: bytes) -> Sent:
    def sent(number: int) -> bytes:
        text = body.replace(b"%d", b"%d" % number, 1)
        return (
            f"POST {path} {head}Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text
        )

    return sent


def _long_line(game: Game) -> bytes:
    """A line of alice's for the next place, 64 kB long, in canonical form, whose signature is of something else."""
    size, head = game.size, game.head
    event = json.loads(game.line("alice", "leave", Leave(party="alice")))
    game.size, game.head = size, head
    event |= {"type": "roll", "body": {"dice": "d20", "source": "N" + "x" * LONG}}
    line = json.dumps(event, separators=(",", ":"), sort_keys=True).encode()
    return line.replace(b"Nx", b"%dx", 1)


def _asked(port: int, sent: Sent, times: int, address: str) -> tuple[int, int]:
    """Bytes of the last answer, and how many of all were refused by a rate."""
    refused = size = 0
    with connected(port, address) as connection:
        for number in range(times):
            connection.sendall(sent(number))
            got = b""
            while b"\r\n\r\n" not in got:
                got += connection.recv(65_536)
            head, _, body = got.partition(b"\r\n\r\n")
            told = head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]
            while (len(body) < int(told)) if told else not body.endswith(b"0\r\n\r\n"):
                body += connection.recv(65_536)
            size = len(body)
            refused += b" 429 " in head[:20]
    return size, refused


@pytest.mark.slow
def test_no_request_costs_more_than_its_bound(tmp_path: Path) -> None:
    limits = {"MAX_POSTS": 10**6, "MAX_BURST": 10**6}
    with serving(tmp_path, *with_limits(tmp_path, limits)) as server:
        game = begin(server.address, ("alice", "bob", "carol"), ROLLS + 20)
        fill(server.address, game, ROLLS)
        head = f"HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {game.token}\r\n"
        headers = {"Authorization": f"Bearer {game.token}"}
        signed, table = _long_line(game), f"tables/{game.table.hex()}"
        latest = httpx.get(f"{server.address}{game.path}/state", headers=headers).json()["rolls"][-1]["roll"]
        asked = [(path, _get(path, head)) for path in OTHERS]
        asked += [("tables", _get(f"/v1/{table}", head))]
        asked += [(path, _get(f"{game.path}/{path}", head)) for path in (*GETS, f"explain?roll={latest}")]
        asked += [(name, _post(f"{game.path}/read", head, body)) for name, body in READS.items()]
        asked += [
            (f"{path}, {name}", _post(f"{game.path}/{path}", head, body))
            for path in POSTS
            for name, body in (JUNK | {"another's signature": signed}).items()
        ]
        asked += [
            (f"{path[:6]} {path[72:]}, {name}", _post(f"/v1/{path}", head, body))
            for path in ("tables", f"{table}/seats", f"{table}/start")
            for name, body in JUNK.items()
        ]
        process = Process(server.process.pid)
        rows = []
        for number, (name, sent) in enumerate(asked, 1):
            address = f"127.0.2.{number}"  # of its own: no row is refused for the one before
            _asked(server.port, sent, 1, address)
            before = sum(process.cpu_times()[:2])
            size, refused = _asked(server.port, sent, TIMES, address)
            used = (sum(process.cpu_times()[:2]) - before) / TIMES
            rows.append((name, used, size, refused))
        print("\nrequest                           ms     bytes   refused of", TIMES)
        for name, used, size, refused in rows:
            print(f"{name:30} {used * 1000:>6.1f} {size:>9,} {refused:>9}")
    rate = Limits().work / 1_000
    assert rate <= 0.2, "and what is dearer is bounded by this, for each caller"
    for name, used, size, refused in rows:
        assert used <= MOST or refused, (name, used)
        assert size <= MOST_BYTES or name in IN_PIECES, name
