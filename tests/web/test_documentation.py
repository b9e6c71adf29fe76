"""The documentation site: every link leads somewhere, nothing comes from elsewhere, it is searched and served."""

import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from ledger.errors import MissingError, StoreError
from ledger.page.documentation import documentation_server, read_documentation

pytest.importorskip("material")
pytest.importorskip("mkdocstrings")
from tests.make.site import build, check, packed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PEOPLE = ("player", "judge", "organizer", "operator", "developer")
MOST = 3_000_000
"""bytes of the site in the package"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as a package carries it. It is built here, with every link checked."""
    folder = tmp_path_factory.mktemp("site")
    build(folder / "site")
    (folder / "site.zip").write_bytes(packed(folder / "site"))
    return folder / "site.zip"


@pytest.fixture(scope="module")
def address(archive: Path) -> Iterator[str]:
    server = documentation_server(read_documentation(archive), 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.long
def test_the_site_has_a_page_for_everybody_in_both_languages(archive: Path) -> None:
    assert archive.stat().st_size < MOST
    files = read_documentation(archive)
    for name in ("index", *PEOPLE):
        assert b'lang="en"' in files[f"{name}.html"]
        assert b'lang="ja"' in files[f"ja/{name}.html"]
    for name in ("guide/installing", "guide/checking", "glossary", "promise", "limits", "protocol", "changes"):
        assert f"{name}.html" in files, name
    assert b'id="ledger.home.Home"' in files["api.html"]
    assert b"open_table" in files["api.html"]
    assert sum(name.startswith("decisions/") for name in files) >= 16


@pytest.mark.long
def test_on_a_phone_and_a_desk_it_is_read_searched_and_fetches_nothing_from_elsewhere(
    browser: "Browser", address: str
) -> None:
    for width, height, scheme in ((390, 844, "dark"), (1280, 800, "light")):
        context = browser.new_context(viewport={"width": width, "height": height})
        page = context.new_page()
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        elsewhere: list[str] = []
        problems: list[str] = []
        page.on("request", lambda asked: elsewhere.append(asked.url) if address not in asked.url else None)  # noqa: B023
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)  # noqa: B023
        for path, word in (("index.html", "witness"), ("ja/index.html", "検証")):
            page.goto(f"{address}/{path}")
            assert page.evaluate("document.documentElement.scrollWidth") == width
            body = page.evaluate("document.body.getAttribute('data-md-color-scheme')")
            assert body == ("slate" if scheme == "dark" else "default")
            if width < 1000:
                page.click("label.md-header__button[for=__search]")
            else:
                page.click("input.md-search__input")
            page.keyboard.type(word)
            page.keyboard.press("Shift")
            page.wait_for_selector(".md-search-result__item a")
        assert [url for url in elsewhere if not url.startswith(("data:", "blob:"))] == []
        assert problems == []
        context.close()


@pytest.mark.long
def test_the_page_that_verifies_logs_is_offered_with_its_hash_and_works(
    browser: "Browser", address: str, tmp_path: Path
) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{address}/download.html")
    link = page.get_by_role("link", name="Save verify.html")
    told = page.locator("pre").first.inner_text().strip()
    with urlopen(f"{address}/{link.get_attribute('href')}") as answer:
        data = answer.read()
    assert sha256(data).hexdigest() == told
    with urlopen(f"{address}/practice.zip") as answer:
        (tmp_path / "practice.zip").write_bytes(answer.read())
    with ZipFile(tmp_path / "practice.zip") as logs:
        logs.extractall(tmp_path)
    page.set_default_timeout(120_000)
    link.click()
    page.set_input_files("#file", str(tmp_path / "round-1" / "table-14.jsonl"))
    page.locator("#verdict", has_text="FAILS").wait_for()
    page.context.close()


@pytest.mark.long
def test_a_server_of_it_gives_what_it_has_and_nothing_else(address: str) -> None:
    with urlopen(f"{address}/") as answer:
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'self';")
        assert b"Rollproof" in answer.read()
    for path in ("nothing.html", "../../etc/passwd", "%2e%2e/pyproject.toml", "//example.org/"):
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{address}/{path}")


def test_a_link_to_nowhere_a_wrong_heading_and_another_host_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<h1 id="one">1</h1><a href="b.html#two">b</a><a href="#one">1</a>')
    (tmp_path / "b.html").write_text('<h1 id="two">2</h1><a href="a.html">a</a><a href="https://example.org">x</a>')
    assert list(check(tmp_path)) == []
    (tmp_path / "b.html").write_text('<img src="https://example.org/x.png"><a href="c.html">c</a>')
    (tmp_path / "a.css").write_text('@import "https://example.org/x.css"; b { background: url(//example.org/y) }')
    found = list(check(tmp_path))
    assert found[:3] == [
        "a.html: b.html#two has no such heading",
        "b.html: <img> fetches https://example.org/x.png",
        "b.html: c.html leads nowhere",
    ]
    assert len(found) == 5


def test_a_copy_without_it_and_a_damaged_one_are_told(tmp_path: Path) -> None:
    with pytest.raises(MissingError):
        read_documentation(tmp_path / "site.zip")
    (tmp_path / "site.zip").write_bytes(b"PK")
    with pytest.raises(StoreError):
        read_documentation(tmp_path / "site.zip")
