"""Fixtures that the tests of pages and of their core share: what each module opens once, and closes in the end."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.served import Server, roomy
from tests.web.browsers import Browsers
from tests.web.cheat import Cheat, Keeper
from tests.web.people import Two
from tests.web.table_page import axe_source, launched

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Debian's Chromium; without it the test is skipped."""
    yield from launched()


@pytest.fixture(scope="module")
def axe() -> str:
    """What looks at pages; without it the test is skipped."""
    return axe_source()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server, for any number of tables."""
    with roomy(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(scope="module")
def keeper(server: Server) -> Keeper:
    """The server's own key, for what a cheating one signs."""
    return Keeper(server.root)


@pytest.fixture
def cheat(server: Server) -> Iterator[Cheat]:
    """What stands before the server: it is honest until told otherwise, and counts what it passes on."""
    found = Cheat(server.address)
    yield found
    found.close()


@pytest.fixture
def two(browser: "Browser", server: Server, cheat: Cheat) -> Iterator[Two]:
    """Alice and bob at a table, with bob's page behind what can cheat."""
    found = Two(browser, server, cheat)
    yield found
    found.close()


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    """The core of any number of browsers, in Node."""
    found = Browsers()
    yield found
    found.close()


@pytest.fixture
def all_leave(browsers: Browsers) -> Iterator[None]:
    """No stream is left open behind a test."""
    yield
    browsers("reset")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[int]:
    """The port of another site on this machine."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<!doctype html><title>elsewhere</title>")
    site = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path / "site")))
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    yield site.server_port
    site.shutdown()
    thread.join()
    site.server_close()
