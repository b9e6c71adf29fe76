"""What a hostile web server does to whoever verifies logs at its addresses: nothing, in bounded bytes and time."""

import itertools
import json
import time
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.hostile.servers import bomb, drops, hostile, json_answer
from tests.support.cli import REPOSITORY, Cli

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

from ledger.errors import UsageError
from ledger.network import remote_logs as elsewhere
from ledger.network.remote_logs import Address, logs_at
from verifier.errors import NoteError

OK = b"HTTP/1.1 200 OK\r\n"
LOG = (REPOSITORY / "specs" / "vectors" / "logs" / "holds--as-expected.jsonl").read_bytes()
NO_ADDRESSES = (
    "https://league.example@evil.example/",
    "https://league.example:x@evil.example/tables/*.jsonl",
    "https://evil.example\\.league.example/",
    "https://league.example:99999/one.jsonl",
    "https://xn--/one.jsonl",
    "https://league\u3002example/one.jsonl",
    "http://0x7f.1/one.jsonl",
    "http:///one.jsonl",
)


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(tmp_path / "home", capsys, monkeypatch)


def page(*links: str) -> bytes:
    body = "".join(f'<li><A class="x" href="{link}">x</a>' for link in links).encode()
    return json_answer(body, b"Connection: close")


def read(answer: Callable[[bytes], Iterable[bytes]]) -> bytes:
    with hostile(answer) as (address, _asked), Address(f"{address}/one.jsonl").open() as stream:
        return stream.read()


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_an_address_that_would_reach_another_host_is_none(cli: Cli, address: str) -> None:
    with pytest.raises(UsageError, match="no address of a server"):
        logs_at(address)
    told = cli("verify", address)
    assert (told.code, told.out) == (64, "")
    assert "no address of a server" in told.err


def test_a_query_and_what_people_write_in_paths_is_no_harm() -> None:
    for rest in ("/a b", "/x\\y"):
        with pytest.raises(UsageError):
            logs_at(f"https://league.example{rest}.jsonl")
    for rest in ("/é.jsonl", "/a@b.jsonl?key=x:y", "/%20.jsonl#x"):
        assert logs_at(f"https://league.example:8443{rest}") == (f"https://league.example:8443{rest}",)


@pytest.mark.parametrize("encoding", ["gzip, gzip", "gzip", "br", "x"])
@pytest.mark.long
def test_what_is_encoded_is_not_read(encoding: str) -> None:
    packed = json_answer(bomb(1 << 26), b"Content-Encoding: " + encoding.encode())
    tracemalloc.start()
    try:
        with pytest.raises(NoteError, match="encoded"):
            read(lambda _: [packed])
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_what_is_asked_for_is_not_encoded() -> None:
    with hostile(lambda _: [json_answer(LOG, b"Set-Cookie: a=b")]) as (address, asked):
        for _ in range(2):
            with Address(f"{address}/one.jsonl").open() as stream:
                assert stream.read() == LOG
    assert all(b"\r\nAccept-Encoding: identity\r\n" in sent for sent in asked)
    assert not any(b"cookie" in sent.lower() for sent in asked)


@pytest.mark.parametrize(
    "answer",
    [
        lambda _: itertools.chain([OK], itertools.repeat(b"X-A: " + b"a" * 1_000 + b"\r\n")),
        lambda _: itertools.chain([OK + b"X-A: "], itertools.repeat(b"a" * 10_000)),
        lambda _: itertools.chain([OK], drops(b"X-A: " + b"a" * 1_000, 0.05)),
        lambda _: itertools.repeat(b"HTTP/1.1 103 Early\r\n\r\n"),
        lambda _: [b"\0" * 1_000],
        lambda _: [OK + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n"],
    ],
    ids=["headers", "a header", "slowly", "early", "no HTTP", "a length"],
)
@pytest.mark.long
def test_a_head_has_an_end(answer: Callable[[bytes], Iterable[bytes]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elsewhere, "SILENCE", 0.5)
    begun = time.monotonic()
    with pytest.raises(NoteError):
        read(answer)
    assert time.monotonic() - begun < 5.0


@pytest.mark.long
def test_a_page_is_read_to_its_bound_and_costs_its_length() -> None:
    """400,000 links that lead nowhere, 20 MB: neither read nor built."""
    big = page(*(f"{number}.html" for number in range(400_000)))
    with hostile(lambda _: [big]) as (address, _):
        tracemalloc.start()
        try:
            assert logs_at(f"{address}/") == (f"{address}/",)
            assert tracemalloc.get_traced_memory()[1] < 10_000_000
        finally:
            tracemalloc.stop()
        with pytest.raises(NoteError, match="more than 1,000,000 bytes"):
            Address(f"{address}/").open()


@pytest.mark.parametrize(
    "junk",
    [
        b"<a ",
        b"<a href",
        b"<a href=",
        b'<a href="',
        b"<a href = ",
        b"<",
        b"<a href='&#9999999;'>",
        b"<a" + b" href" * 30,
    ],
)
@pytest.mark.long
def test_no_page_takes_long(junk: bytes) -> None:
    body = (junk * 1_000_000)[:999_900] + b'<a href="one.jsonl">'
    with hostile(lambda _: [json_answer(body)]) as (address, _):
        begun = time.monotonic()
        logs_at(f"{address}/")
        assert time.monotonic() - begun < 5.0


@pytest.mark.parametrize(("kind", "bound"), [("logs", "MAX_LOGS"), ("folders", "MAX_FOLDERS")])
def test_a_listing_has_a_bound_that_is_told(cli: Cli, kind: str, bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 200 links none is asked for."""
    monkeypatch.setattr(elsewhere, bound, 30)
    end = ".jsonl" if kind == "logs" else "/"
    links, none, count = page(*(f"{number}{end}" for number in range(200))), page(), itertools.count()
    with hostile(lambda _: [links if next(count) < 40 else none]) as (address, asked):  # else it would never end
        told = cli("verify", f"{address}/", "--jobs", "1")
        assert told.code == 2
        assert f"more than 30 {kind}" in told.err
        assert len(asked) == 2, "the listing, and again to say what is wrong with it"
        assert json.loads(cli("verify", "--json", f"{address}/").out)["findings"][0]["code"] == "file.unopened"


def test_links_as_servers_write_them(cli: Cli) -> None:
    links = [
        b"<a href='one.jsonl'>", b"<A HREF=two.jsonl>", b'<a id=x\n href = "three&amp;.jsonl" >', b"<a href=http://[/>",
        b'<link href="four.jsonl">', b'<a data-href="five.jsonl">', b"<abbr href=six.jsonl>", b'<a href="?C=N;O=D">',
    ]  # fmt: skip
    with hostile(lambda _: [json_answer(b"".join(links), b"Connection: close")]) as (address, _):
        found = [log.rpartition("/")[2] for log in logs_at(f"{address}/")]
    assert found == ["one.jsonl", "three&.jsonl", "two.jsonl"]
