"""Logs at addresses that fsspec reads: a web server, S3-like storage, memory (specs/verification.md, "Addresses")."""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from html import unescape
from itertools import takewhile
from time import monotonic
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from msgspec import Struct

from ledger.distribution.optional_dependencies import needs_extra
from ledger.errors import UsageError
from ledger.lobby.addresses import check_web_address
from rules.data.language import N_
from rules.data.text import plain
from verifier.checkpoints.note import MAX_NOTE
from verifier.errors import NoteError, TimeLimit
from verifier.shell.files import LOG_SUFFIX, SIDECAR, is_address

__all__ = ["MAX_BYTES", "MAX_WAIT", "SILENCE", "Address", "file_system", "folder_of", "logs_at", "read_error"]

MAX_BYTES = 8_000_000_000
"""bytes of a log at an address: a file has an end, a server need not"""
MAX_WAIT = 600
"""seconds, in all, for which the bytes of one log are waited for"""
SILENCE = 30
"""seconds without a byte, and for the head of an answer, after which a web server is left"""
MAX_DEPTH = 16
"""levels of folders that are looked into"""
MAX_FOLDERS = 1_000
"""folders of a web server that are looked into"""
MAX_LOGS = 10_000
"""logs that an address stands for"""
MAX_PAGE = 1_000_000
"""bytes of the page that lists a folder"""
_WEB = ("http://", "https://")
_LINK = re.compile(
    r"""<a\s(?:[^<>]{0,1000}?[\s"'])?href\s{0,9}=\s{0,9}(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})'|([^\s"'<>]{1,2000}))""",
    re.IGNORECASE,
)
"""what a page links to; bounded, so that a page costs what its length costs"""


class Address(Struct, frozen=True):
    """A log at an address."""

    address: str

    def open(self) -> io.BufferedReader:
        """Return its bytes, read as they are asked for. Raises NoteError, as does reading."""
        if _names_several(self.address):
            if not _listed(self.address):
                raise NoteError("{path}: there are no *.jsonl files there", path=self.address)
            raise NoteError("{path}: this is a folder", path=self.address)
        try:
            return io.BufferedReader(_RemoteBytes(self.address, _stream(self.address)), 262_144)
        except (MemoryError, TimeLimit, NoteError):
            raise
        except Exception as error:
            raise read_error(self.address, error) from None

    def beside(self) -> tuple[str, bytes] | None:
        """Return the checkpoint beside it, with its address; None if there is none. Raises NoteError."""
        if urlsplit(self.address).query:  # what a query stands for at the log stands for nothing at another address
            return None
        address = self.address + SIDECAR
        try:
            stream = _stream(address)
        except FileNotFoundError:
            return None
        except (MemoryError, TimeLimit, NoteError):
            raise
        except Exception as error:
            raise read_error(address, error) from None
        with io.BufferedReader(_RemoteBytes(address, stream)) as note:
            return address, note.read(MAX_NOTE + 1)


def logs_at(address: str) -> Sequence[str]:
    """Return the addresses of the logs that this one names: its own, or of a folder or pattern those below it, sorted.

    Where there are none, or they cannot be listed, the address itself: opening it says so. Raises UsageError.
    """
    needs_extra("fsspec", *(["aiohttp"] if address.startswith(_WEB) else []), extra="cluster")
    if "::" in address:
        raise UsageError(f"{address}: an address within another one is not read; name that of the log")
    if address.startswith(_WEB):
        check_web_address(address)
    try:
        return (_listed(address) if _names_several(address) or _is_folder(address) else ()) or (address,)
    except NoteError:
        return (address,)


def folder_of(address: str) -> str:
    """Return the name of an address's folder, or of the folder of its log or pattern; the host's at the root."""
    parts = urlsplit(address)
    steps = [unquote(step) for step in (parts.netloc + parts.path).split("/") if step]
    plain_steps = list(takewhile(lambda step: not _pattern(step), steps))
    if plain_steps == steps and steps and steps[-1].endswith(LOG_SUFFIX):
        plain_steps.pop()
    return plain_steps[-1] if plain_steps else ""


def _names_several(address: str) -> bool:
    """Return True for a folder, a pattern, or a whole web server. On the web a question mark begins a query."""
    return address.endswith("/") or _pattern(address) or (address.startswith(_WEB) and _is_host(address))


def _is_host(address: str) -> bool:
    parts = urlsplit(address)
    return not (parts.path or parts.query or parts.fragment)


def _is_folder(address: str) -> bool:
    if address.startswith(_WEB):  # to ask, all of it would be read
        return False
    try:
        fs, path = file_system(address)
        return bool(fs.isdir(path))
    except Exception:
        return False  # opening it will say what is wrong


def _listed(address: str) -> tuple[str, ...]:
    """Return the logs of a folder or pattern. Raises NoteError."""
    try:
        if address.startswith(_WEB):
            names: Iterable[str] = _on_the_web(address)
        else:
            fs, path = file_system(address)
            found = fs.glob(path) if _pattern(address) else fs.find(path, maxdepth=MAX_DEPTH)
            names = [name if is_address(name) else fs.unstrip_protocol(name) for name in found]
        logs = set[str]()
        for name in names:
            if name.endswith(LOG_SUFFIX):
                logs.add(name)
            if len(logs) > MAX_LOGS:
                text = N_(
                    "{path}: there are more than {most:,} logs there, which are not taken together: name its folders"
                )
                raise NoteError(text, path=address, most=MAX_LOGS)
        return tuple(sorted(logs))
    except (MemoryError, TimeLimit, NoteError):
        raise
    except Exception as error:
        raise read_error(address, error) from None


def _pattern(address: str) -> bool:
    return any(sign in address for sign in "*[")


def _on_the_web(address: str) -> Iterator[str]:
    """Yield the addresses below `address` to which the pages of a web server's folders link.

    Not fsspec's own listing: that follows redirects, and reads pages without an end. Raises NoteError.
    """
    fixed = min((address.index(sign) for sign in "*[" if sign in address), default=len(address))
    folder = address[: address.rindex("/", 0, fixed) + 1] if _pattern(address) else address.rstrip("/") + "/"
    todo, seen, begun = [folder], {folder}, monotonic()
    while todo:
        page = todo.pop()
        for link in _links(page, begun) - seen:
            parts = urlsplit(link)
            if not link.startswith(folder) or parts.query or parts.fragment or {"..", "."} & _steps(parts.path):
                continue
            if not link.endswith("/"):
                if not _pattern(address) or (link.count("/") == address.count("/") and fnmatchcase(link, address)):
                    yield link
            elif not _pattern(address) or link.count("/") <= address.count("/"):
                seen.add(link)
                todo.append(link)
            if len(seen) > MAX_FOLDERS:
                text = N_("{path}: there are more than {most:,} folders there, which are not looked through together")
                raise NoteError(text, path=address, most=MAX_FOLDERS)


def _links(page: str, begun: float) -> set[str]:
    """Return the logs and folders that a page links to, within the listing's time. Raises NoteError."""
    with io.BufferedReader(_RemoteBytes(page, _stream(page))) as stream:
        data = stream.read(MAX_PAGE + 1)
    if len(data) > MAX_PAGE:
        text = N_("{path}: the page that lists this folder has more than {most:,} bytes. Name the logs one by one")
        raise NoteError(text, path=page, most=MAX_PAGE)
    if monotonic() - begun > MAX_WAIT:
        text = N_("{path}: timed out after {seconds} seconds of waiting for its bytes")
        raise NoteError(text, path=page, seconds=MAX_WAIT)
    found = {unescape(next(filter(None, match.groups()))) for match in _LINK.finditer(data.decode(errors="replace"))}
    return {_joined(page, link) for link in found if link.endswith((LOG_SUFFIX, "/"))}


def _joined(page: str, link: str) -> str:
    try:
        return urljoin(page, link)
    except ValueError:  # `http://[` and the like
        return ""


def _steps(path: str) -> set[str]:
    return set(unquote(path).split("/"))


def file_system(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path there. Raises whatever its library raises."""
    from fsspec.core import url_to_fs

    options: dict[str, Any] = {"get_client": _session} if address.startswith(_WEB) else {}
    fs, path = url_to_fs(address, **options)
    return fs, path


async def _session(**_settings: Any) -> Any:
    """Return a client that decodes no body, keeps no cookie and follows no redirect."""
    from aiohttp import ClientSession, ClientTimeout, DummyCookieJar

    return ClientSession(
        auto_decompress=False,
        cookie_jar=DummyCookieJar(),
        headers={"Accept-Encoding": "identity"},
        timeout=ClientTimeout(total=None, sock_connect=SILENCE, sock_read=SILENCE),
    )


def _stream(address: str) -> Any:
    """Open the bytes at an address. Raises whatever its library raises, and NoteError."""
    fs, path = file_system(address)
    return _OnTheWeb(fs, address) if address.startswith(_WEB) else fs.open(path, "rb")


class _OnTheWeb:
    """An answer of a web server, read as it comes: one request."""

    def __init__(self, fs: Any, address: str) -> None:
        """Raises NoteError for an answer that is not followed or not taken, and whatever the library raises."""
        from fsspec.asyn import sync

        self._loop, self._sync = fs.loop, sync

        async def ask() -> Any:
            session = await fs.set_session()
            return await session.get(fs.encode_url(address), allow_redirects=False)

        self._answer = sync(fs.loop, ask, timeout=SILENCE)
        try:
            self._check(address)
        except BaseException:
            self.close()
            raise

    def _check(self, address: str) -> None:
        status, headers = self._answer.status, self._answer.headers
        if status == 404:
            raise FileNotFoundError(address)
        if status != 200:
            to = plain(headers.get("Location", "")[:200])
            text = N_(
                "{path}: the server answers with {status} {to}, which is not followed. To verify what is there, name it"
            )
            raise NoteError(text, path=address, status=status, to=to)
        encoding = headers.get("Content-Encoding", "identity").strip().lower()
        if encoding != "identity":
            text = N_("{path}: the server sends this encoded ({encoding}), which nobody asked for: it is not read")
            raise NoteError(text, path=address, encoding=plain(encoding[:40]))

    def read(self, most: int) -> bytes:
        data: bytes = self._sync(self._loop, self._answer.content.read, most)
        return data

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._answer.close)


class _RemoteBytes(io.RawIOBase):
    """The bytes of an address, bounded in number and time."""

    def __init__(self, address: str, stream: Any) -> None:
        super().__init__()
        self._address, self._stream = address, stream
        self._read, self._waited = 0, 0.0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view, begun = memoryview(buffer).cast("B"), monotonic()
        try:
            data = self._stream.read(len(view))
        except (MemoryError, TimeLimit):
            raise
        except Exception as error:
            raise read_error(self._address, error) from None
        self._read += len(data)
        self._waited += monotonic() - begun
        if self._read > MAX_BYTES:
            text = N_("{path}: there are more than {bytes:,} bytes, more than are read from an address")
            raise NoteError(text, path=self._address, bytes=MAX_BYTES)
        if self._waited > MAX_WAIT:
            text = N_("{path}: timed out after {seconds} seconds of waiting for its bytes")
            raise NoteError(text, path=self._address, seconds=MAX_WAIT)
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


def read_error(address: str, error: Exception) -> NoteError:
    """Return the error for an address that cannot be read, with the library's own words."""
    if isinstance(error, FileNotFoundError):
        return NoteError("{path}: there is nothing at this address", path=address)
    if isinstance(error, TimeoutError):
        text = N_("{path}: nothing has come from there for {seconds} seconds")
        return NoteError(text, path=address, seconds=SILENCE)
    said = " ".join(str(error).split())[:300] or type(error).__name__
    return NoteError("{path}: {problem}", path=address, problem=plain(said))
