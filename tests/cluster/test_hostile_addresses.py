"""What a hostile web server does to whoever verifies logs at its addresses: nothing, in bounded bytes and time."""

import importlib.util
import itertools
import json
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from tests.hostile.servers import bomb, drops, hostile, json_answer
from tests.support.cli import REPOSITORY, Cli

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

from ledger.errors import MissingError, UsageError
from ledger.network import remote_logs as elsewhere
from ledger.network.remote_logs import Address, logs_at, read_error
from verifier.errors import NoteError, TimeLimit

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


def test_an_answer_that_is_refused_is_let_go_of() -> None:
    """Else a server could hold a connection of each log that it names."""
    gone = threading.Event()

    def moved(_: bytes) -> Iterator[bytes]:
        try:
            yield b"HTTP/1.1 302 There\r\nLocation: /x\r\n\r\n"
            yield from itertools.repeat(b"x" * 100_000)
        finally:
            gone.set()

    with hostile(moved) as (address, _):
        with pytest.raises(NoteError, match="not followed") as kept:
            Address(f"{address}/one.jsonl").open()
        assert gone.wait(5)
        assert kept.tb, "what was refused is still at hand"


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


# --- bounds, one by one ----------------------------------------------------------------------------------------------

ONE = "https://league.example/one.jsonl"


class Pieces:
    """What a file system gives: pieces of bytes, or an error."""

    def __init__(self, *pieces: bytes | BaseException) -> None:
        self.pieces, self.closed = list(pieces), 0

    def read(self, most: int) -> bytes:
        found = self.pieces.pop(0) if self.pieces else b""
        if isinstance(found, BaseException):
            raise found
        assert len(found) <= most
        return found

    def close(self) -> None:
        self.closed += 1


def test_no_more_bytes_are_read_than_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elsewhere, "MAX_BYTES", 200)
    monkeypatch.setattr(elsewhere, "_stream", lambda _: Pieces(b"x" * 100, b"x" * 100))
    with Address(ONE).open() as stream:
        assert len(stream.read()) == 200
    monkeypatch.setattr(elsewhere, "_stream", lambda _: Pieces(b"x" * 100, b"x" * 101))
    with Address(ONE).open() as stream, pytest.raises(NoteError, match="more than 200 bytes"):
        stream.read()


@pytest.mark.parametrize(("late", "told"), [(0.0, False), (0.5, True)])
def test_bytes_are_waited_for_so_long_altogether(monkeypatch: pytest.MonkeyPatch, late: float, told: bool) -> None:
    ticks = iter([0.0, 300.0, 1_000.0, 1_300.0 + late, 2_000.0, 2_000.0])
    monkeypatch.setattr(elsewhere, "monotonic", lambda: next(ticks))
    monkeypatch.setattr(elsewhere, "_stream", lambda _: Pieces(b"x", b"y"))
    with Address(ONE).open() as stream:
        if told:
            with pytest.raises(NoteError, match="after 600 seconds"):
                stream.read()
        else:
            assert stream.read() == b"xy"


def test_a_stream_is_closed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = Pieces(b"x")
    monkeypatch.setattr(elsewhere, "_stream", lambda _: pieces)
    stream = Address(ONE).open()
    for _ in range(2):
        stream.close()
    stream.raw.close()
    assert pieces.closed == 1


PASSED: list[BaseException] = [MemoryError("full"), TimeLimit("too long"), NoteError("of its own")]
ERRORS = [*PASSED, OSError("broken"), ValueError("odd")]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_what_goes_wrong_at_an_address_is_told_and_what_stops_a_program_stops_it(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    kind = type(error) if error in PASSED else NoteError
    text = f"^{error}$" if error in PASSED else f"one\\.jsonl.*: {error}"
    for name in ("_stream", "_on_the_web"):
        monkeypatch.setattr(elsewhere, name, fail)
    with pytest.raises(kind, match=text):
        Address(ONE).open()
    with pytest.raises(kind, match=text.replace("jsonl.*", "jsonl.checkpoint.*")):
        Address(ONE).beside()
    with pytest.raises(kind, match=text.replace("one\\.jsonl.*", "league.example/")):
        Address("https://league.example/").open()
    if not isinstance(error, NoteError):
        monkeypatch.setattr(elsewhere, "_stream", lambda _: Pieces(error))
        with Address(ONE).open() as stream, pytest.raises(kind, match=text):
            stream.read()


def test_a_checkpoint_that_is_not_there_is_none_and_an_address_with_a_query_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[str]()

    def stream(address: str) -> Pieces:
        asked.append(address)
        if len(asked) > 1:
            raise FileNotFoundError
        return Pieces(b"note")

    monkeypatch.setattr(elsewhere, "_stream", stream)
    assert Address(ONE).beside() == (f"{ONE}.checkpoint", b"note")
    assert Address(ONE).beside() is None
    assert Address(f"{ONE}?key=x").beside() is None
    assert asked == [f"{ONE}.checkpoint"] * 2


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (FileNotFoundError("x"), f"{ONE}: there is nothing at this address"),
        (TimeoutError(), f"{ONE}: nothing has come from there for 30 seconds"),
        (OSError("a\n b"), f"{ONE}: a b"),
        (OSError(), f"{ONE}: OSError"),
        (OSError("x" * 400), f"{ONE}: {'x' * 300}"),
    ],
)
def test_errors_at_addresses_have_their_words(error: Exception, told: str) -> None:
    assert str(read_error(ONE, error)) == told


def test_a_listing_of_just_so_many_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {
        "https://league.example/": "".join(f'<a href="{n}.jsonl">' for n in range(3)) + '<a href="in/"><a href="b/">',
        "https://league.example/in/": '<a href="/in/">',
        "https://league.example/b/": '<a href="/">',
    }
    monkeypatch.setattr(elsewhere, "_stream", lambda address: Pieces(pages[address].encode()))
    for name, many in (("MAX_LOGS", 3), ("MAX_FOLDERS", 3), ("MAX_PAGE", max(map(len, pages.values())))):
        monkeypatch.setattr(elsewhere, name, many)
        assert len(logs_at("https://league.example/")) == 3
        monkeypatch.setattr(elsewhere, name, many - 1)
        with pytest.raises(NoteError, match="more than"):
            Address("https://league.example/").open()
        monkeypatch.undo()
        monkeypatch.setattr(elsewhere, "_stream", lambda address: Pieces(pages[address].encode()))
    late = iter([0.0, *[0.0, 0.0] * 2, 600.0, *[0.0, 0.0] * 2, 600.0, *[0.0, 0.0] * 2, 600.0])
    monkeypatch.setattr(elsewhere, "monotonic", lambda: next(late))
    assert len(logs_at("https://league.example/")) == 3
    late = iter([0.0, *[0.0, 0.0] * 2, 600.5])
    with pytest.raises(NoteError, match="after 600 seconds"):
        elsewhere._listed("https://league.example/")


def test_a_server_without_a_path_is_a_folder_and_with_a_query_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    def stream(address: str) -> Pieces:
        asked.append(address)
        return Pieces(b'<a href="one.jsonl">')

    monkeypatch.setattr(elsewhere, "_stream", stream)
    assert logs_at("https://league.example") == (ONE,)
    assert asked == ["https://league.example/"]
    for rest in ("?key=x", "#x"):
        assert logs_at(f"https://league.example{rest}") == (f"https://league.example{rest}",)
    assert len(asked) == 1


def test_a_library_that_is_not_installed_is_named_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that reads the web is not needed for storage."""
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "aiohttp" else name)
    with pytest.raises(MissingError, match="needs aiohttp"):
        logs_at(ONE)
    assert logs_at("memory://none/one.jsonl") == ("memory://none/one.jsonl",)


def test_a_pattern_looks_no_deeper_than_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    pages = {
        "https://league.example/r/": "a/ one.jsonl /s/ a/#/ a/?x=/ %2e%2e/b/ a/../one.jsonl",
        "https://league.example/r/a/": "two.jsonl x.txt deep/ three.jsonl?a=b ?a=.jsonl #b.jsonl",
    }

    def stream(address: str) -> Pieces:
        asked.append(address)
        return Pieces("".join(f'<a href="{link}">' for link in pages[address].split()).encode())

    monkeypatch.setattr(elsewhere, "_stream", stream)
    assert logs_at("https://league.example/r/*/*.jsonl") == ("https://league.example/r/a/two.jsonl",)
    assert asked == [*pages]
    asked.clear()
    assert logs_at("https://league.example/r/[n-p]*.jsonl") == ("https://league.example/r/one.jsonl",)
    assert asked == ["https://league.example/r/"]
    with pytest.raises(NoteError, match="this is a folder"):
        Address("https://league.example/r/[n-p]*.jsonl").open()
