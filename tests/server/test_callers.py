"""Whose requests are counted together, who is believed about it, and what of other sites is refused (network.md)."""

import contextlib
import datetime
import ipaddress
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from ledger import lobby
from ledger.cli import run as run_command
from ledger.game.times import utc_now
from tests.server.served import Plain, Server, serving, with_limits

pytestmark = pytest.mark.long

REFUSED = 6
ADDRESS = "https://dice.example.org"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Its limits are met soon, and callers are who a proxy on this machine says."""
    root = tmp_path_factory.mktemp("server")
    limits = {"MAX_REFUSED": REFUSED, "MAX_TABLES": 4, "MAX_CONNECTIONS": 20, "MAX_IDLE": 30}
    limits |= {"MAX_BYTES": 1, "MAX_BYTES_BURST": 250_000, "MAX_BYTES_DAY": 250_000}
    with serving(root, *with_limits(root, limits), "--address", ADDRESS) as server:
        yield server


@contextlib.contextmanager
def _party(root: Path, name: str, server: Server, address: str) -> Iterator[Plain]:
    """A party at this address, as a proxy says."""
    party = Plain(root / name, name, _listening(server))
    party.http.headers["X-Forwarded-For"] = address
    try:
        yield party
    finally:
        party.close()


def _listening(server: Server) -> str:
    return f"{'https' if server.arguments[0] == '--tls-cert' else 'http'}://127.0.0.1:{server.port}"


def _junk(server: Server, address: str, count: int, size: int = 2) -> list[int]:
    """What is answered to junk without a token."""
    headers = {"X-Forwarded-For": address}
    url = f"{_listening(server)}/v1/tables"
    return [httpx.post(url, content=b"{" * size, headers=headers).status_code for _ in range(count)]


@contextlib.contextmanager
def _table(root: Path, server: Server, address: str, *names: str) -> Iterator[list[Plain]]:
    """Parties at this one address, who have joined and committed, each with a token of its own; the first is host."""
    with contextlib.ExitStack() as stack:
        parties = [stack.enter_context(_party(root, name, server, address)) for name in names]
        links = parties[0].open_table("dice-1")
        for party in parties:
            assert party.sit(links["player"]).status_code == 201
        assert parties[0].start().status_code == 201
        for party in parties:
            party.enter(64)
        for party in parties:
            _get_own_token(party)
        yield parties


def _get_own_token(party: Plain) -> None:
    answer = party.post(party.path("access"), bytes(lobby.new_access(party.identity, party.game, utc_now())))
    assert answer.status_code == 200, answer.text
    party.token = bytes.fromhex(answer.json()["token"])


def test_who_posts_junk_without_a_token_bars_nobody_who_has_one(tmp_path: Path, server: Server) -> None:
    address = "198.51.100.1"
    with _table(tmp_path, server, address, "alice", "bob") as [alice, bob]:
        assert _junk(server, address, REFUSED + 3)[-2:] == [429, 429]
        assert alice.link is not None
        alice.act("roll", alice.typed())
        assert bob.open().status_code == 201
        assert alice.open().status_code == 201
        bob.token = alice.link.token  # which is sent with `access` too, so a page that is opened anew goes on
        _get_own_token(bob)
        assert alice.post(f"/v1/tables/{alice.link.table.hex()}/start", b"{}").status_code == 400, "it is looked at"
        bob.token = os.urandom(32)  # one that opens nothing is none
        wish = bytes(lobby.new_access(bob.identity, bob.game, utc_now()))
        assert bob.post(bob.path("access"), wish).status_code == 429


def test_who_posts_junk_with_a_token_bars_nobody_who_has_another(tmp_path: Path, server: Server) -> None:
    """By whatever many tokens a party is given, it is one."""
    address = "198.51.100.2"
    with _table(tmp_path, server, address, "alice", "mallory") as [alice, mallory]:
        first = mallory.token
        _get_own_token(mallory)
        assert mallory.token != first
        answers = [mallory.offer(b"{}").status_code for _ in range(REFUSED)]
        mallory.token = first
        answers += [mallory.offer(b"{}").status_code for _ in range(3)]
        assert answers == [422] * (REFUSED + 1) + [429] * 2
        alice.act("roll", alice.typed())
        assert _junk(server, address, 1) == [400], "and nobody who has none"


def test_the_bytes_of_junk_are_counted_for_nobody_who_has_a_token(tmp_path: Path, server: Server) -> None:
    """Neither in a second nor in a day: an address has stored nothing of what was refused."""
    address = "198.51.100.5"
    with _table(tmp_path, server, address, "alice") as [alice]:
        assert _junk(server, address, 5, size=60_000) == [400] * 4 + [429]
        assert _junk(server, address, 2, size=8_900) == [400, 429]
        alice.act("roll", alice.typed())
        assert alice.open().status_code == 201


def test_tables_are_used_up_by_tables_alone(tmp_path: Path, server: Server) -> None:
    """Not by what is none."""
    address = "198.51.100.3"
    with _party(tmp_path, "alice", server, address) as alice:
        assert _junk(server, address, 5) == [400] * 5
        for _ in range(4):
            alice.open_table("dice-1")
        with pytest.raises(AssertionError, match="too-many"):
            alice.open_table("dice-1")


# --- pages of other sites --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "taken"),
    [
        ({}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": ADDRESS}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": ADDRESS}, False),
        ({"Origin": ADDRESS}, True),
        ({"Origin": "http://tables.example:8706", "Host": "tables.example:8706"}, True),
        ({"Origin": "https://elsewhere.example"}, False),
        ({"Origin": "http://127.0.0.1:1"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": ""}, False),
    ],
)
def test_posts_of_other_sites_are_refused_before_anything(server: Server, headers: dict[str, str], taken: bool) -> None:
    told = {"X-Forwarded-For": "198.51.100.4", **headers}
    url = f"{_listening(server)}/v1/tables"
    for _ in range(1 if taken else 3 * REFUSED):
        answer = httpx.post(url, content=b"{}", headers=told)
        code = "malformed" if taken else "cross-site"
        assert (answer.status_code, answer.json()["code"]) == (400 if taken else 403, code)
    if not taken:
        assert _junk(server, f"203.0.113.{len(headers)}", 1) == [400]
    assert httpx.get(f"{_listening(server)}/v1/server", headers=told).status_code == 200, "who reads is not asked"


ELSEWHERE = {"Sec-Fetch-Site": "cross-site", "Origin": "https://elsewhere.example"}
"""what a browser says of a page of another site"""


@pytest.mark.parametrize(
    ("sent", "asked"),
    [
        ({"Content-Type": "application/json"}, True),
        ({"Content-Type": "Application/JSON; charset=utf-8"}, True),
        ({"Content-Type": "application/jsonl"}, True),
        ({"Authorization": "Bearer " + "0" * 64}, True),
        ({"Content-Type": "text/plain"}, False),
        ({"Content-Type": "text/plain; application/json"}, False),
        ({"Content-Type": "application/x-www-form-urlencoded"}, False),
        ({"Content-Type": "multipart/form-data"}, False),
        ({}, False),
    ],
    ids=str,
)
def test_only_what_a_browser_asked_first_for_is_looked_at(server: Server, sent: dict[str, str], asked: bool) -> None:
    url = f"{_listening(server)}/v1/tables"
    answer = httpx.post(
        url, content=b"{}", headers={"X-Forwarded-For": f"203.0.113.{70 + len(str(sent))}"} | ELSEWHERE | sent
    )
    assert answer.json()["code"] == ("malformed" if asked else "cross-site")
    assert answer.headers["access-control-allow-origin"] == "*", "a page may read why"


def test_a_browser_is_told_what_pages_of_other_sites_may_do(server: Server) -> None:
    asks = {**ELSEWHERE, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    for path, open_to_all in (("/v1/tables", True), ("/v1/games/x/lines", True), ("/", False), ("/page/x", False)):
        answer = httpx.options(_listening(server) + path, headers=asks)
        assert answer.status_code == (204 if open_to_all else 404), path
        told = {name for name in answer.headers if name.startswith("access-control-")}
        assert ("access-control-allow-origin" in told) == open_to_all
        assert "access-control-allow-credentials" not in told
    for path in ("/", "/verify", "/health", "/metrics", "/t/" + "0" * 64, "/page/ledger/web/ui/main.js", "/x", "/v1"):
        answer = httpx.get(_listening(server) + path, headers=ELSEWHERE)
        assert not any(name.startswith("access-control-") for name in answer.headers), path
    assert httpx.options(f"{_listening(server)}/v1/tables").status_code == 404, "no browser asks so"


def test_what_comes_from_elsewhere_is_counted_by_itself(tmp_path: Path, server: Server) -> None:
    """With the token of the visitor's own table, too: its page bars itself, and uses up its own tables."""
    address = "198.51.100.90"
    with _party(tmp_path, "alice", server, address) as alice, _party(tmp_path, "bob", server, address) as bob:
        links = alice.open_table("dice-1")
        for each in (alice, bob):
            assert each.sit(links["player"]).status_code == 201
        token = {"Authorization": f"Bearer {links['player'].token.hex()}"}
        told = {"X-Forwarded-For": address} | ELSEWHERE
        url = f"{_listening(server)}/v1/tables"
        for headers, path in ((told | token, f"/{links['player'].table.hex()}/seats"), (told | token, "")):
            junk = [httpx.post(url + path, content=b"{}", headers=headers).status_code for _ in range(2 * REFUSED)]
            assert junk[0] == 400
            assert junk[-1] == 429
        assert alice.start().status_code == 201
        for each in (alice, bob):
            each.enter()
        alice.fetch()
        alice.act("roll", alice.typed())
        for each in (bob, alice):
            assert each.open().status_code == 201
        alice.open_table("dice-1")
    assert _junk(server, address, 1) == [400], "who has no token is not barred either"


def test_a_server_for_its_own_pages_alone_answers_no_other(tmp_path: Path) -> None:
    with serving(tmp_path, "--only-own-pages") as server:
        asks = {**ELSEWHERE, "Access-Control-Request-Method": "POST"}
        url = f"{_listening(server)}/v1/tables"
        assert httpx.options(url, headers=asks).status_code == 404
        answer = httpx.post(url, content=b"{}", headers=ELSEWHERE | {"Content-Type": "application/json"})
        assert answer.json()["code"] == "cross-site"
        assert "access-control-allow-origin" not in httpx.get(f"{_listening(server)}/v1/server").headers


def test_a_name_that_comes_to_lead_here_makes_no_page_the_servers_own(tmp_path: Path) -> None:
    """Its browser says that page and server are of one origin: a name server led it to this machine meanwhile."""
    pages = {
        ADDRESS: True,
        "http://127.0.0.1:8706": True,
        "http://[::1]:8706": True,
        "http://localhost:8706": True,
        "http://rebound.example:8706": False,
        "http://127.0.0.1.example:8706": False,
        "http://localhost.example": False,
    }
    with serving(tmp_path, "--only-own-pages", "--address", ADDRESS) as server:
        for page, own in pages.items():
            headers = {"Origin": page, "Host": page.partition("://")[2], "Sec-Fetch-Site": "same-origin"}
            answer = httpx.post(f"{_listening(server)}/v1/tables", content=b"{}", headers=headers)
            assert answer.json()["code"] == ("malformed" if own else "cross-site"), page


def test_a_developers_tests_open_more_tables_than_others_may(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path / "server", "--developer") as server:
        assert httpx.get(f"{server.address}/v1/server").json()["limits"]["MAX_TABLES"] == 100_000
        with contextlib.closing(Plain(tmp_path / "alice", "alice", server.address)) as alice:
            for _ in range(12):
                alice.open_table("dice-1")
    for further in (("--host", "0.0.0.0"), ("--address", ADDRESS)):
        words = ["serve", "--home", str(tmp_path / "home"), "--developer", "--port", "0", *further]
        assert run_command(words) == 64
        assert "for tests on this machine" in capsys.readouterr().err


# --- proxies ---------------------------------------------------------------------------------------------------------


def _unfinished(server: Server, told: str, source: str = "127.0.0.1") -> socket.socket:
    """A connection on which a post has begun."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=10, source_address=(source, 0))
    connection.sendall(
        b"POST /v1/tables HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %b\r\nContent-Length: 9\r\n\r\n{" % told.encode()
    )
    return connection


def _ended(connections: list[socket.socket], count: int) -> int:
    """How many of them are answered 408 or closed, when it is so many, and a moment later."""
    for connection in connections:
        connection.setblocking(False)
    ended, until = set[socket.socket](), time.monotonic() + 15
    while len(ended) < count and time.monotonic() < until:
        time.sleep(0.5)
        for connection in connections:
            try:
                came = connection.recv(1_000)
            except BlockingIOError:
                continue
            except ConnectionError:
                came = b""
            if not came or b" 408 " in came:
                ended.add(connection)
    return len(ended)


@pytest.mark.parametrize(
    "told",
    ["203.0.113.50", "198.51.100.{n}, 203.0.113.51", "127.0.0.1, 203.0.113.52", "203.0.113.53, 127.0.0.1"],
    ids=["told", "spoofed", "as-the-proxy", "two-proxies"],
)
def test_behind_a_proxy_callers_are_bounded_and_the_proxy_is_not(server: Server, told: str) -> None:
    """The address that counts is the last that is no proxy's: those before it are the caller's own word."""
    with contextlib.ExitStack() as stack:
        posts = [stack.enter_context(_unfinished(server, told.format(n=n))) for n in range(60)]
        assert _ended(posts[:40], 40) == 40
        assert _ended(posts[40:], 20) == 0, "who came last stays"
        for other in ("203.0.113.99", "198.51.100.1"):
            answer = httpx.get(f"{_listening(server)}/health", headers={"X-Forwarded-For": other})
            assert answer.status_code == 200


def test_an_address_that_is_no_proxy_s_is_bounded_whatever_it_says(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        posts = [stack.enter_context(_unfinished(server, f"203.0.113.{n}", source="127.0.0.2")) for n in range(30)]
        assert _ended(posts, 10) == 10
        assert _ended(posts[-20:], 1) == 0


# --- one address for many people -------------------------------------------------------------------------------------


@pytest.mark.parametrize("proxied", [True, False])
def test_a_neighbour_who_takes_all_places_of_an_address_keeps_nobody_out(tmp_path: Path, proxied: bool) -> None:
    """With streams of its own table, and with posts that it never finishes, again and again."""
    limits = {"MAX_STREAMS": 6, "MAX_CONNECTIONS": 20, "MAX_IDLE": 60}
    address = "203.0.113.77" if proxied else "127.0.0.9"
    with (
        serving(tmp_path, *with_limits(tmp_path, limits), "--address", ADDRESS) as server,
        _table(tmp_path / "neighbour", server, address, "mallory") as (mallory,),
        _table(tmp_path / "table", server, address, "alice", "bob") as parties,
        contextlib.ExitStack() as stack,
    ):
        for party in (mallory, *parties):
            party.http.close()
            way = httpx.HTTPTransport(local_address="127.0.0.1" if proxied else address)
            headers = {"X-Forwarded-For": address}
            party.http = stack.enter_context(
                httpx.Client(transport=way, base_url=_listening(server), headers=headers, timeout=10)
            )
        ways = [httpx.HTTPTransport(local_address="127.0.0.1" if proxied else address) for _ in range(6)]
        for way in ways:
            client = stack.enter_context(
                httpx.Client(transport=way, base_url=_listening(server), headers={"X-Forwarded-For": address})
            )
            stream = client.stream("GET", mallory.path("stream?from=0"), headers=mallory.headers)
            assert stack.enter_context(stream).status_code == 200
        source = "127.0.0.1" if proxied else address
        for number in range(3):
            for _ in range(25):
                stack.enter_context(_unfinished(server, address, source=source))
            time.sleep(0.5)  # until the server has read what there is of them
            if not number:
                parties[0].act("roll", parties[0].typed())
            for party in parties:
                party.fetch()
                assert party.stream_start()[-1][0] == "here"
        assert parties[0].view.replay.pending is not None


@pytest.mark.parametrize("told", ["*", "proxy.example.org", "10.0.0.1, nonsense"])
def test_proxies_are_named_by_address(told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["serve", "--home", str(tmp_path), "--port", "0", "--proxies", told]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLPROOF_PASSPHRASE", "correct horse battery staple")
        assert run_command(words) == 64
    assert "proxies are told by addresses and networks" in capsys.readouterr().err


# --- TLS -------------------------------------------------------------------------------------------------------------


def test_browsers_are_told_to_come_with_tls_where_it_is_there(server: Server, tmp_path: Path) -> None:
    url = f"{_listening(server)}/health"
    name = "strict-transport-security"
    assert name not in httpx.get(url).headers
    assert name not in httpx.get(url, headers={"X-Forwarded-Proto": "http"}).headers
    assert httpx.get(url, headers={"X-Forwarded-Proto": "https"}).headers[name] == "max-age=31536000"
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as stranger:
        assert name not in stranger.get(url, headers={"X-Forwarded-Proto": "https"}).headers
    certify(tmp_path)
    words = ("--tls-cert", str(tmp_path / "cert.pem"), "--tls-key", str(tmp_path / "key.pem"))
    with serving(tmp_path / "own", *words) as own:
        answer = httpx.get(f"{_listening(own)}/health", verify=False)
        assert answer.headers[name] == "max-age=31536000"
        assert httpx.get(f"{_listening(own)}/nothing", verify=False).headers[name] == "max-age=31536000"


def certify(folder: Path) -> None:
    """A certificate for this machine."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))


# --- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "shown"),
    [
        ({}, True),
        ({"Host": "localhost:8706"}, True),
        ({"Host": "[::1]:8706"}, True),
        ({"Host": "127.0.0.1"}, True),
        ({"Host": "rebound.example:8706"}, False),
        ({"Host": "dice.example.org"}, False),
        ({"Host": "127.0.0.1.example"}, False),
        ({"X-Forwarded-For": "203.0.113.7"}, False),
        ({"X-Forwarded-For": "127.0.0.1"}, False),
        ({"X-Forwarded-Host": "dice.example.org"}, False),
        ({"Forwarded": "for=203.0.113.7"}, False),
        ({"Via": "1.1 proxy"}, False),
    ],
)
def test_figures_are_for_programs_on_this_machine(server: Server, headers: dict[str, str], shown: bool) -> None:
    """Neither for a page whose name leads here all of a sudden, nor for whoever comes through the proxy."""
    answer = httpx.get(f"{_listening(server)}/metrics", headers=headers)
    assert answer.status_code == (200 if shown else 404)


def test_figures_are_for_no_other_machine(server: Server) -> None:
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as other:
        assert other.get(f"{_listening(server)}/metrics").status_code == 404
