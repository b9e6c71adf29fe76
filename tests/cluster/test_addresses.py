"""Logs at addresses (specs/verification.md, "Addresses"): a web server and memory, read as files are."""

import json
import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.bench.scribe import game
from tests.support.cli import REPOSITORY, Cli

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")
pytest.importorskip("pyarrow")

from ledger.network import remote_logs as elsewhere  # noqa: E402
from ledger.network.remote_logs import Address, folder_of, logs_at  # noqa: E402
from ledger.season.rows import decode, make_reader  # noqa: E402
from tests.cluster.test_season import contents  # noqa: E402
from verifier import Pins  # noqa: E402
from verifier.errors import NoteError  # noqa: E402
from verifier.shell.files import verify_elsewhere  # noqa: E402

LOGS = REPOSITORY / "specs" / "vectors" / "logs"
HOLDS = (LOGS / "holds--as-expected.jsonl").read_bytes()


class Handler(SimpleHTTPRequestHandler):
    """A folder, and answers that no folder gives."""

    protocol_version = "HTTP/1.1"
    sent = 0
    """bytes of the log without an end"""

    def do_GET(self) -> None:
        match self.path:
            case "/moved.jsonl":
                self.send_response(302)
                self.send_header("Location", "http://127.0.0.1:9/secret")
                self.send_header("Content-Length", "0")
                self.end_headers()
            case "/cut.jsonl":
                self.send_response(200)
                self.send_header("Content-Length", "100000")
                self.end_headers()
                self.wfile.write(HOLDS[:5000])
                self.close_connection = True
            case "/endless.jsonl" | "/noise.jsonl":
                self.send_response(200)
                self.end_headers()
                self.close_connection = True
                self._without_end(HOLDS if self.path == "/endless.jsonl" else b"")
            case "/listing/":
                names = ["../one.jsonl", "http://127.0.0.1:9/x.jsonl", "/one.jsonl", "%2e%2e/one.jsonl", "in.jsonl"]
                page = "".join(f'<a href="{name}">x</a>' for name in names).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)
            case _:
                super().do_GET()

    def _without_end(self, first: bytes) -> None:
        try:
            self.wfile.write(first)
            while True:
                self.wfile.write(b"x" * 10_000)
                Handler.sent += 10_000
        except OSError:
            pass  # whoever read has gone

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def store() -> Iterator[Any]:
    """Storage as S3 and others have it, by fsspec's interface alone. It is this process's."""
    store = fsspec.filesystem("memory")
    yield store
    for place in ("/season", "/other", "/data"):
        if store.exists(place):
            store.rm(place, recursive=True)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[str]:
    """A web server with two logs, one of them with a checkpoint that is none, and one in a folder of its own."""
    folder = tmp_path / "web"
    (folder / "more").mkdir(parents=True)
    (folder / "listing").mkdir()
    (folder / "one.jsonl").write_bytes(HOLDS)
    (folder / "two.jsonl").write_bytes(game(30)[0])
    (folder / "two.jsonl.checkpoint").write_bytes(b"junk\n")
    (folder / "more" / "three.jsonl").write_bytes(game(30)[0])
    Handler.sent = 0
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(tmp_path / "home", capsys, monkeypatch)


def reports(cli: Cli, *words: str | Path) -> dict[str, tuple[str, str | None]]:
    """Of each log what became of it, and the code of the first error."""
    rows = [json.loads(line) for line in cli("verify", "--json", "--summary", *words, "--jobs", "1").out.splitlines()]
    return {row["file"]: (row["verdict"], row["error"] and row["error"]["code"]) for row in rows if "file" in row}


def test_a_log_on_a_web_server_is_read_as_a_file_is(cli: Cli, web: str) -> None:
    here = cli.value("verify", LOGS / "holds--as-expected.jsonl")
    there = cli.value("verify", f"{web}/one.jsonl")
    assert there == here | {"file": f"{web}/one.jsonl"}
    junk = cli.value("verify", f"{web}/two.jsonl", code=1)
    assert [found["code"] for found in junk["findings"]][:1] == ["receipt.malformed"]
    assert f"{web}/two.jsonl.checkpoint" in junk["findings"][0]["message"]


@pytest.mark.long
def test_folders_and_patterns_on_the_web(cli: Cli, web: str) -> None:
    assert logs_at(f"{web}/*.jsonl") == (f"{web}/one.jsonl", f"{web}/two.jsonl")
    assert logs_at(f"{web}/") == tuple(f"{web}/{name}.jsonl" for name in ("listing/in", "more/three", "one", "two"))
    assert logs_at(f"{web}/*/t*.jsonl") == (f"{web}/more/three.jsonl",)
    assert reports(cli, f"{web}/*.jsonl", f"{web}/more/") == {
        f"{web}/one.jsonl": ("holds", None),
        f"{web}/two.jsonl": ("fails", "receipt.malformed"),
        f"{web}/more/three.jsonl": ("holds", None),
    }


def test_nothing_is_followed_out_of_an_address(cli: Cli, web: str) -> None:
    assert logs_at(f"{web}/listing/") == (f"{web}/listing/in.jsonl",)
    moved = cli("verify", f"{web}/moved.jsonl")
    assert moved.code == 2
    assert "answers with 302 http://127.0.0.1:9/secret, which is not followed" in moved.err
    chained = cli("verify", f"simplecache::{web}/one.jsonl")
    assert (chained.code, chained.out) == (64, "")


@pytest.mark.long
def test_what_cannot_be_read_is_told_and_hides_no_other(cli: Cli, web: str, tmp_path: Path) -> None:
    words = [f"{web}/none.jsonl", f"{web}/cut.jsonl", "http://127.0.0.1:1/x.jsonl", "nosuch://x/y.jsonl"]
    words += [f"{web}/listing/none/*.jsonl", f"{web}/one.jsonl"]
    unopened = ("unreadable", "file.unopened")
    assert reports(cli, *words) == dict.fromkeys(words[:-1], unopened) | {words[-1]: ("holds", None)}
    told = cli("verify", *words, "--jobs", "1")
    assert told.code == 2
    assert all(f"rollproof: {word}: " in told.err for word in words[:-1])
    assert told.err.count("\n") == 5


def test_the_first_line_decides_and_no_server_feeds_a_reader_for_ever(
    cli: Cli, web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = reports(cli, f"{web}/noise.jsonl").values()
    assert row == ("unreadable", "file.not-a-log")
    assert Handler.sent < 20_000_000, "what waits in the system's own buffers"
    monkeypatch.setattr(elsewhere, "MAX_BYTES", 3_000_000)
    told = cli("verify", f"{web}/endless.jsonl")
    assert told.code == 2
    assert "there are more than 3,000,000 bytes" in told.err


def test_a_server_that_goes_silent_is_left(web: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(0, 10_000, 700))
    monkeypatch.setattr(elsewhere, "monotonic", lambda: next(ticks))
    with Address(f"{web}/one.jsonl").open() as stream, pytest.raises(NoteError, match="after 600 seconds"):
        stream.read(3_000_000)


def test_memory_as_storage_is_read_too(cli: Cli, store: Any) -> None:
    log, _ = game(30)
    for name in ("a", "b", "deep/c"):
        store.pipe(f"/season/{name}.jsonl", log)
    store.pipe("/season/cheat.jsonl", (LOGS / "reveal.naturals--changed.jsonl").read_bytes())
    store.pipe("/season/notes.txt", b"nothing of ours")
    store.pipe("/other/d.jsonl", log)
    found = logs_at("memory://season")
    assert found == tuple(f"memory:///season/{name}.jsonl" for name in ("a", "b", "cheat", "deep/c"))
    assert logs_at("memory://season/*.jsonl") == found[:3]
    verdicts = [verify_elsewhere(Address(log), Pins(), 1)[0].verdict for log in found]
    assert verdicts == ["holds", "holds", "fails", "holds"]
    assert reports(cli, "memory://season/b.jsonl") == {"memory://season/b.jsonl": ("holds", None)}
    store.pipe("/season/b.jsonl.checkpoint", b"junk")
    assert reports(cli, "memory://season/b.jsonl") == {"memory://season/b.jsonl": ("fails", "receipt.malformed")}


def test_a_log_at_the_root_of_storage_is_a_log(store: Any) -> None:
    """Storage is asked without what is for the web alone."""

    class Strict(type(store)):  # type: ignore[misc]
        protocol = "strict"

        def __init__(self) -> None:
            super().__init__()

        @classmethod
        def _strip_protocol(cls, path: str) -> str:
            return f"/{path.rpartition('/')[2]}"

    fsspec.register_implementation("strict", Strict, clobber=True)
    store.pipe("/root.jsonl", HOLDS)
    try:
        for address in ("memory://root.jsonl", "strict://root.jsonl"):
            with Address(address).open() as stream:
                assert stream.read() == HOLDS
    finally:
        store.rm("/root.jsonl")


# --- a season at an address ------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_season_is_exported_from_a_web_server_to_storage(cli: Cli, web: str, store: Any, tmp_path: Path) -> None:
    """As from files to a folder: the same rows, but for where the logs are."""
    here, there, files = tmp_path / "data", "memory://data", tmp_path / "web"
    assert cli("export", "--parquet", here, files / "one.jsonl", files / "two.jsonl", files / "more").code == 1
    for _ in range(2):
        told = cli("export", "--parquet", there, f"{web}/*.jsonl", f"{web}/more/", "--event", "web")
        assert told.code == 1
        assert f"{web}/two.jsonl: fails (receipt.malformed)" in told.err
    found, expected = contents(there), contents(here)
    assert {row["file"] for row in found["games"]} == {f"{web}/{name}.jsonl" for name in ("one", "two", "more/three")}
    for rows in (*found.values(), *expected.values()):
        for row in rows:
            row["event"], row["file"] = "", Path(row.get("file", "")).name
    assert {name: sorted(map(str, rows)) for name, rows in found.items()} == {
        name: sorted(map(str, rows)) for name, rows in expected.items()
    }
    assert cli.value("stats", there, code=1)["ranked"] == cli.value("stats", here, code=1)["ranked"]


def test_rows_of_a_log_in_storage_are_those_of_the_file(store: Any) -> None:
    path = LOGS / "holds--as-expected.jsonl"
    store.pipe("/season/a.jsonl", path.read_bytes())
    read = make_reader(("memory://season/a.jsonl", path))
    there, here = (decode(read(os.fsencode(name))) for name in ("memory://season/a.jsonl", path))
    assert there.throws
    assert msgspec.structs.replace(there, file=here.file) == here
    gone = decode(read(b"memory://season/none.jsonl"))
    assert (gone.verdict, gone.error) == ("unreadable", "file.unopened")


def test_a_place_that_holds_something_else_or_cannot_be_written_is_told(
    cli: Cli, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LOGS / "holds--as-expected.jsonl"
    store.pipe("/data/notes.txt", b"somebody's")
    assert "no season's data" in cli.refused("export", "--parquet", "memory://data", log)
    assert "a web server cannot be" in cli.refused("export", "--parquet", "https://x.example/season", log)
    assert "nosuch" in cli.refused("export", "--parquet", "nosuch://x/season", log)
    assert "within another" in cli.refused("export", "--parquet", "simplecache::memory://data", log)
    assert "addresses are for verify" in cli("stats", "https://x.example/one.jsonl").err

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("Access Denied")

    monkeypatch.setattr(type(store), "open", refuse)
    assert "memory://other: Access Denied" in cli.refused("export", "--parquet", "memory://other", log)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://league.example/tables/*.jsonl", "tables"),
        ("https://league.example/spring%20open/", "spring open"),
        ("https://league.example/one.jsonl?key=x", "league.example"),
        ("s3://league/round-1", "round-1"),
        ("s3://league/round-1/*/x.jsonl", "round-1"),
        ("memory://season/b.jsonl", "season"),
        ("memory://*.jsonl", ""),
    ],
)
def test_an_event_is_called_after_the_folder_at_the_address(address: str, name: str) -> None:
    assert folder_of(address) == name


def test_an_address_of_a_file_is_the_file(cli: Cli) -> None:
    path = LOGS / "holds--as-expected.jsonl"
    assert cli.value("verify", path.as_uri()) == cli.value("verify", path)


def test_a_receipt_is_for_the_log_of_its_game_at_addresses_too(cli: Cli, web: str) -> None:
    receipt = LOGS / "holds--as-expected.jsonl"  # none, so it is told
    told = cli.value("verify", f"{web}/one.jsonl", "--receipt", receipt, code=1)
    assert told["findings"][0]["code"] == "receipt.malformed"
