"""What a server shows: the paths of specs/network.md, no other, and the policies of every answer (specs/page.md)."""

import logging
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from ledger.browser.verify_page import verify_page_policy
from ledger.home import Home
from ledger.page.assets import POLICY
from ledger.page.overlay import overlay
from ledger.server.app import HANDLERS, make_app
from ledger.server.limits import Limits
from ledger.server.openapi import describe_paths
from ledger.server.pages import no_roll
from ledger.server.protocol import bounded_protocol
from ledger.server.run import Settings, open_service
from ledger.server.witnessing import make_witness_app
from tests.conftest import SPECS
from tests.server.served import PASSPHRASE, Server, roomy
from tests.server.test_witnesses import WitnessServer
from tests.support.cli import QUICK
from verifier.shell.webpage import page_policy

ROLL = f"{page_policy(rules=False)}; frame-ancestors *; sandbox allow-scripts"
"""of the page of a published roll"""
NO_ROLL = no_roll("", "en")[1]["content-security-policy"]
COMMON = {
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
DATA = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
"""the policy of what is no page"""
VERIFIER = f"{verify_page_policy()}; frame-ancestors 'none'; sandbox allow-scripts"


def told_paths(text: str) -> set[tuple[str, str]]:
    """Method and path of each row of a table of paths, as the framework writes them."""
    found = set()
    for cell in re.findall(r"^\| (`(?:GET|POST) .*?) \|", text, re.MULTILINE):
        method, before = "", ""
        for named, path in re.findall(r"`(?:(GET|POST) )?([^` ]+)`", cell):
            method = named or method
            whole = path if named or before.count("/") < 3 else _beside(before, path)
            before = before if before and not named else whole
            found.add((method, _framework(whole.partition("?")[0])))
    return found


def _beside(first: str, path: str) -> str:
    """The path of a cell that leaves out what it shares with the first."""
    return first.rpartition("/")[0] + path


def _framework(path: str) -> str:
    named = {
        "/page/…": "/page/{path:path}",
        "/tile/L/N": "/tile/{path:path}",
        "/tile/entries/N": "/tile/{path:path}",
        "TABLE": "{table:str}",
        "GAME": "{game:str}",
        "EVENT": "{event:str}",
        "ROLL": "{roll:str}",
        "HASH": "{digest:str}",
    }
    for word, name in named.items():
        path = path.replace(word, name)
    return path


def network(start: str, end: str, name: str = "network.md") -> str:
    """A part of a page of specs."""
    page = (SPECS / name).read_text(encoding="utf-8")
    return page[page.index(start) : page.index(end)]


PATHS = told_paths(network("## Paths", "**The table as it stands**"))
PATHS |= told_paths(network("## At a server", "**Links.**", "event.md"))
WITNESS_PATHS = told_paths(network("**Answering.**", "The `log` lines of the operator's policy file"))


@pytest.mark.long
def test_a_server_has_the_paths_of_the_specification_and_no_other(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", tmp_path / "state")
    home.new_identity("keeper", PASSPHRASE, QUICK)
    with open_service(home, "keeper", PASSPHRASE, Settings()) as service:
        routes = make_app(service).routes
    served = {(method, route.path) for route in routes for method in route.methods - {"OPTIONS"}}
    assert served == PATHS


@pytest.mark.long
def test_a_witness_has_the_paths_of_the_specification_and_no_other(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", tmp_path / "state")
    home.new_identity("walt", PASSPHRASE, QUICK)
    with closing(home.witness("walt", PASSPHRASE)) as witness:
        routes = make_witness_app(witness, [], Limits(), lambda *_: None).routes
    served = {(method, route.path) for route in routes for method in route.methods - {"OPTIONS"}}
    assert served == WITNESS_PATHS


def test_all_paths_are_described() -> None:
    """Every path of specs/network.md, and no other; bodies, refusals and tokens with them."""
    found = describe_paths(HANDLERS)
    named = {(method.upper(), path) for path, operations in found["paths"].items() for method in operations}
    told = {(method, re.sub(r":\w+}", "}", path)) for method, path in PATHS}
    assert named == told - {("GET", "/v1/openapi.json")}
    for path, operations in found["paths"].items():
        assert ("post" not in operations) or "requestBody" in operations["post"], path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with roomy(tmp_path_factory.mktemp("server")) as server:
        yield server


def _raw(port: int, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """What answers to bytes that no library would send."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request)
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(first.split(" ")[1]), headers, body


def policies(headers: Mapping[str, str], policy: str, *, elsewhere: bool = False, window: bool = False) -> None:
    """Each of them is there, once, and no other policy beside it.

    `elsewhere`: pages of other sites may read the answer (network.md, "Pages of other sites"). `window`: it is the one
    document that keeps its opener (window.md).
    """
    told = httpx.Headers(headers)
    framed = {"cross-origin-resource-policy": "cross-origin"} if "frame-ancestors 'none'" not in policy else {}
    for name, value in {**COMMON, **framed, "content-security-policy": policy}.items():
        assert told.get(name) == value, name
    opener = told.get("cross-origin-opener-policy")
    alone = None if "sandbox" in policy else "unsafe-none" if window else "same-origin"
    assert opener == alone, "a sandbox is alone without it"
    assert told.get("origin-agent-cluster") == ("?1" if window else None)
    assert told.get("access-control-allow-origin") == ("*" if elsewhere else None)
    assert "access-control-allow-credentials" not in told


def _policy_of(method: str, path: str, status: int) -> str:
    """Which policy the answer of a path must have."""
    if re.fullmatch("/r/[^/]+", path) and method == "GET":
        return ROLL if status == 200 else NO_ROLL
    if status >= 400:
        return DATA
    if path == "/verify":
        return VERIFIER
    if path.startswith("/o/"):
        return overlay("en").policy
    return POLICY if path in ("/", "/w") or path.startswith(("/t/", "/e/", "/page/")) else DATA


@pytest.mark.long
def test_every_answer_of_every_path_has_its_policy(server: Server) -> None:
    paths = {
        re.sub(r"\{(\w+):\w+}", lambda match: {"path": "0/000"}.get(match[1], "0" * 64), path) for _, path in PATHS
    }
    paths |= {"/page/ledger/web/ui/main.js", "/page/systems.json", "/page/ledger/web/ui/icon.svg"}
    paths |= {"/v1/schema", "/v1/schema/", "/v1/schema/swagger", "/v1/schema/openapi.json", "/schema", "/x", "/v1"}
    seen = set()
    with httpx.Client(base_url=server.address) as client:
        for path in sorted(paths):
            for method in ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "PROPFIND"):
                if path.endswith("/stream"):
                    continue  # without a token as everything else; with one below
                answer = client.request(method, path, content=b"{" if method == "POST" else None)
                policies(
                    answer.headers,
                    _policy_of(method, path, answer.status_code),
                    elsewhere=path.startswith("/v1/"),
                    window=path == "/w" and answer.status_code == 200,
                )
                if answer.status_code >= 400 and not (path.startswith("/r/") and method == "GET"):
                    assert answer.headers["content-type"] == "application/problem+json", (method, path)
                if method not in ("GET", "POST"):
                    assert answer.status_code == 404, (method, path)
                seen.add((answer.status_code, path.partition("/v1/schema")[1]))
    assert {status for status, _ in seen} >= {200, 400, 404}
    assert {status for status, schema in seen if schema} == {404}


@pytest.mark.parametrize(
    "path", ["/v1/server/", "//v1/server", "/v1//server", "/%761/server", "/v1%2fserver", "/verify/", "/%76erify", "//"]
)
def test_a_path_has_one_form(server: Server, path: str) -> None:
    """Nothing before the server has to know in which other forms its framework would take it."""
    status, headers, body = _raw(server.port, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert (status, headers["content-type"]) == (404, "application/problem+json")
    assert b'"code":"not-found"' in body


@pytest.mark.long
def test_an_html_answer_is_a_page_of_the_specification(server: Server) -> None:
    """No other path answers with anything that a browser takes for a document with scripts."""
    with httpx.Client(base_url=server.address, timeout=60) as client:
        for _, told in sorted(PATHS):
            path = re.sub(r"\{(\w+):\w+}", "0" * 64, told)
            shown = client.get(path, headers={"Accept": "text/html"}).headers.get("content-type", "")
            pages = path in ("/", "/w", "/verify") or path.startswith(("/t/", "/e/", "/o/")) or told == "/r/{roll:str}"
            assert shown.startswith("text/html") == pages, path


@pytest.mark.parametrize(
    "request_",
    [
        b"nonsense\r\n\r\n",
        b"GET /health HTTP/1.1\r\n\r\n",
        b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    ],
    ids=["nonsense", "no-host", "encoding", "chunk", "lengths"],
)
def test_what_is_no_request_is_answered_with_the_policies_too(server: Server, request_: bytes) -> None:
    status, headers, body = _raw(server.port, request_)
    assert status == 400
    policies(headers, DATA)
    assert headers["content-type"] == "application/problem+json"
    assert b'"code":"malformed"' in body


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n",
        b"transfer-encoding: CHUNKED\r\ncontent-length: 11\r\n",
    ],
)
def test_a_body_with_two_lengths_is_refused_and_nothing_behind_it_is_read(server: Server, head: bytes) -> None:
    """Two programs in a row could read two requests where the other reads one (RFC 9112, 6.1)."""
    post = b"POST /v1/tables HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n2\r\n{}\r\n0\r\n\r\n"
    status, headers, body = _raw(server.port, post + b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    assert status == 400
    assert headers["connection"] == "close"
    assert not re.search(rb"HTTP/1.1 \d", body), "nothing else is answered"
    policies(headers, DATA)


@pytest.mark.long
def test_a_witness_s_answers_have_the_policies(tmp_path: Path, server: Server) -> None:
    policy = tmp_path / "keepers.policy"
    policy.write_text(f"log {server.told['keeper']}\nquorum none\n")
    home = Home(tmp_path / "home", tmp_path / "state")
    home.new_identity("walt", PASSPHRASE, QUICK)
    witness = WitnessServer(tmp_path, "--policy", str(policy), "--as", "walt")
    try:
        with httpx.Client(base_url=witness.address) as client:
            for _, path in [*sorted(WITNESS_PATHS), ("GET", "/schema"), ("GET", "/docs")]:
                for method in ("GET", "POST", "OPTIONS", "PUT"):
                    answer = client.request(method, path.replace("{digest:str}", "0" * 64), content=b"")
                    policies(answer.headers, DATA)
        policies(_raw(witness.port, b"nonsense\r\n\r\n")[1], DATA)
    finally:
        witness.stop()


# --- what answers is none of the paths' ------------------------------------------------------------------------------


@contextmanager
def answering(app: Any, **more: Any) -> Iterator[int]:
    """An application on the server's connections, in a thread; its port."""
    protocol = bounded_protocol(Limits(), lambda _: False)
    config = uvicorn.Config(
        app, port=0, http=protocol, ws="none", lifespan="off", interface="asgi3", log_config=None, **more
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


async def _fails(_scope: Any, _receive: Any, _send: Any) -> None:
    raise ZeroDivisionError


async def _says_nothing(_scope: Any, _receive: Any, _send: Any) -> None: ...


async def _says_html(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
    await send({"type": "http.response.body", "body": b"<script>alert(1)</script>"})


@pytest.mark.parametrize(
    ("app", "more", "status"),
    [(_fails, {}, 500), (_says_nothing, {}, 500), (_says_html, {"limit_concurrency": 1}, 503), (_says_html, {}, 200)],
    ids=["fails", "says-nothing", "too-many", "forgets"],
)
def test_no_answer_leaves_without_policies(app: Any, more: dict[str, Any], status: int) -> None:
    """Neither those that uvicorn makes, nor that of a handler which says nothing of them."""
    with answering(app, **more) as port:
        found, headers, _ = _raw(port, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert found == status
    policies(headers, DATA)


@pytest.mark.parametrize("late", [False, True], ids=["early", "late"])
def test_what_is_no_request_any_more_ends_the_connection_in_order(caplog: pytest.LogCaptureFixture, late: bool) -> None:
    """Bytes that are none of a body, before or after its answer has begun: nothing fails, and nobody hangs."""

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        if late:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        await send({"type": "http.response.body", "body": b"end"} if late else _START)

    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
    with answering(app) as port, socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(head)
        time.sleep(0.2)
        connection.sendall(b"zz\r\n")
        answer = b""
        with suppress(ConnectionError):
            while part := connection.recv(1_000):
                answer += part
    assert answer.startswith(b"HTTP/1.1 200" if late else b"HTTP/1.1 400")
    assert [each.message for each in caplog.records if each.levelno >= logging.ERROR] == []


_START = {"type": "http.response.start", "status": 500, "headers": []}
