"""What the dearest requests cost a server: each at most 20 ms of processor time, or there is a rate for it.

`pytest -s` prints the table.
"""

from pathlib import Path

import httpx
import pytest
from psutil import Process

from ledger.server.limits import Limits
from tests.bench.hostile import fill
from tests.bench.posting import begin
from tests.server.attackers import connected
from tests.server.served import serving, with_limits

ROLLS = 60
TIMES = 40
MOST = 0.02
"""seconds of processor time"""
MOST_BYTES = 1 << 20

GETS = [
    *("state?rolls=200", "state?rolls=1", "actions?party=alice", "checkpoint", "anchor"),
    *("log", "log?from=100", "tile/0/000.p/100", "tile/entries/000.p/100"),
]
OTHERS = ["/health", "/v1/server", "/v1/openapi.json", "/v1/anchors/checkpoint", "/", "/verify", "/page/x", "/x"]
READS = [
    b'{"line":"' + b"1d6+" * 2_499 + b'1d6","party":"alice","type":"roll"}',
    b'{"line":"' + b"(" * 9_999 + b'","party":"alice","type":"roll"}',
    b'{"line":"' + b"4d6kh3 " * 1_400 + b'","party":"alice","type":"roll"}',
]


def _asked(port: int, sent: bytes, times: int) -> tuple[int, int]:
    """Bytes of the last answer, and how many of all were refused by a rate."""
    refused = size = 0
    with connected(port, "127.0.2.1") as connection:
        for _ in range(times):
            connection.sendall(sent)
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
    limits = {"MAX_REQUESTS": 10**6, "MAX_REQUESTS_BURST": 10**6, "MAX_POSTS": 10**6, "MAX_BURST": 10**6}
    with serving(tmp_path, *with_limits(tmp_path, limits)) as server:
        game = begin(server.address, ("alice", "bob", "carol"), ROLLS + 20)
        fill(server.address, game, ROLLS)
        head = f"HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {game.token}\r\n"
        headers = {"Authorization": f"Bearer {game.token}"}
        latest = httpx.get(f"{server.address}{game.path}/state", headers=headers).json()["rolls"][-1]["roll"]
        asked = [(path, f"GET {path} {head}\r\n".encode()) for path in OTHERS]
        asked += [(path, f"GET {game.path}/{path} {head}\r\n".encode()) for path in (*GETS, f"explain?roll={latest}")]
        asked += [
            (f"read {body[9:13]!r}", f"POST {game.path}/read {head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            for body in READS
        ]
        process = Process(server.process.pid)
        rows = []
        for name, sent in asked:
            _asked(server.port, sent, 1)
            before = sum(process.cpu_times()[:2])
            size, refused = _asked(server.port, sent, TIMES)
            used = (sum(process.cpu_times()[:2]) - before) / TIMES
            rows.append((name, used, size, refused))
        print("\nrequest                       ms     bytes   refused of", TIMES)
        for name, used, size, refused in rows:
            print(f"{name:26} {used * 1000:>6.1f} {size:>9,} {refused:>9}")
    rate = Limits().work / 1_000
    assert rate <= 0.2, "and what is dearer is bounded by this, for each caller"
    for name, used, size, refused in rows:
        assert used <= MOST or refused or name.startswith("read"), (name, used)
        assert size <= MOST_BYTES or name == "log", name
