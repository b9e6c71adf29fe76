"""The documentation site that a release carries, and a server for it on this machine."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from posixpath import splitext
from zipfile import BadZipFile, ZipFile

from ledger.browser.verify_page import verify_page, verify_page_policy
from ledger.errors import MissingError, StoreError
from rules.data.language import N_

__all__ = ["VERIFY", "documentation_server", "read_documentation"]

VERIFY = "verify.html"
"""the page that verifies logs, which the site offers and the program writes"""
_FILE = Path(__file__).with_name("site.zip")
"""made by `python -m tests.make.site --wheel`; a checkout has none"""
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".xml": "application/xml",
    ".zip": "application/zip",
}
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "worker-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""the theme has scripts and styles in its documents; nothing comes from another host"""
_TIMEOUT = 10
"""seconds for a request"""


def read_documentation(path: Path = _FILE) -> dict[str, bytes]:
    """Return the files of the site by their paths, without `VERIFY`. Raises MissingError, StoreError."""
    try:
        with ZipFile(path) as packed:
            return {name: packed.read(name) for name in packed.namelist()}
    except FileNotFoundError:
        raise MissingError(
            N_("this copy was installed without the documentation, as from a checkout, where it stands in specs/")
        ) from None
    except BadZipFile:
        raise StoreError(N_("the documentation is damaged: install anew")) from None


def documentation_server(files: dict[str, bytes], port: int) -> ThreadingHTTPServer:
    """Return a server of the site for programs on this machine; port 0 is any. Raises OSError."""

    class Handler(BaseHTTPRequestHandler):
        timeout = _TIMEOUT

        def do_GET(self) -> None:
            """Answer with a file of the site."""
            self._answer(body=True)

        def do_HEAD(self) -> None:
            """Answer with the head alone."""
            self._answer(body=False)

        def _answer(self, *, body: bool) -> None:
            path = self.path.partition("?")[0].lstrip("/")
            found = files.get(path if path and not path.endswith("/") else f"{path}index.html")
            found = verify_page() if path == VERIFY else found
            data = found if found is not None else files.get("404.html", b"")
            self.send_response(200 if found is not None else 404)
            ending = splitext(path)[1] if found is not None else ""
            self.send_header("Content-Type", _TYPES.get(ending, "text/html; charset=utf-8"))
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Content-Security-Policy", verify_page_policy() if path == VERIFY else _POLICY)
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            if body:
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)
