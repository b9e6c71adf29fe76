"""What a server writes on standard error: one JSON object a line, whatever happens (specs/guide/serving.md)."""

import json
import logging
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from ledger.server.journal import Seldom
from tests.server.served import Server
from tests.server.test_surface import DATA, policies


class _Broken(Server):
    """A server with a mistake in it: it cannot say which games it knows."""

    program = """
import asyncio, threading, warnings
from ledger.cli import main
from ledger.server.service import Service

def broken(self):
    warnings.warn("a library is old")
    threading.Thread(target=lambda: 1 / 0).start()
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    raise ZeroDivisionError("a mistake")

Service.systems = property(broken)
main()
"""


def _log(server: Server) -> list[dict[str, Any]]:
    """All that it has written, when it has ended."""
    server.process.send_signal(signal.SIGTERM)
    _, log = server.process.communicate(timeout=60)
    return [json.loads(line) for line in log.splitlines()]


@pytest.mark.long
def test_every_line_of_a_server_is_one_object(tmp_path: Path) -> None:
    """Of its own, of libraries, of threads and of the loop, with their tracebacks; outsiders fill no disk with it."""
    server = _Broken(tmp_path)
    for request in (
        b"nonsense\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n",
        b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n{",
    ):
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
                connection.sendall(request)
                connection.recv(100)
    answer = httpx.get(f"{server.address}/v1/server")
    assert (answer.status_code, answer.json()["code"]) == (500, "failed")
    policies(answer.headers, DATA, elsewhere=True)
    assert "mistake" not in answer.text
    told = _log(server)
    assert all({"event", "level", "timestamp"} <= set(each) for each in told)
    failures = [each["exception"] for each in told if "exception" in each]
    assert len([each for each in failures if "ZeroDivisionError: a mistake" in each]) == 1
    assert len([each for each in failures if "division by zero" in each]) == 2, "the thread's and the loop's"
    assert len([each for each in told if "a library is old" in each["event"]]) == 1
    assert len(told) < 12, "and what is said again is said once"


def test_what_is_said_again_and_again_is_said_once_a_minute() -> None:
    now = [0.0]
    seldom = Seldom(lambda: now[0])

    def said(text: str, by: str = "uvicorn.error") -> int | None:
        """How often it was kept back before; None: it is kept back."""
        record = logging.LogRecord(by, logging.WARNING, "", 0, text, (), None)
        return getattr(record, "repeated", 0) if seldom.filter(record) else None

    assert [said("one"), said("one"), said("two"), said("one")] == [0, None, 0, None]
    assert [said("one", by="asyncio"), said("one", by="asyncio")] == [0, None], "who says it counts"
    now[0] += 60
    assert [said("one"), said("one"), said("two")] == [2, None, 0]
    for number in range(5_000):
        said(f"other {number}")
    assert len(seldom._said) <= Seldom.KEPT


@pytest.mark.long
def test_a_process_with_keys_leaves_no_core(tmp_path: Path) -> None:
    """Whatever whoever starts it allows; a command that ends at once as well as a server."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))
    server = Server(tmp_path)
    limits = Path(f"/proc/{server.process.pid}/limits").read_text()
    server.stop()
    [line] = [each for each in limits.splitlines() if each.startswith("Max core file size")]
    assert line.split()[4:6] == ["0", "0"]
    program = (
        "import atexit, resource, sys; from ledger.cli import main; sys.argv[1:] = ['--version'];"
        "atexit.register(lambda: print(resource.getrlimit(resource.RLIMIT_CORE))); main()"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[-1] == "(0, 0)"
