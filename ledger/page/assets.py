"""The page of the table: its files, their manifest, and the document that names them (specs/page.md).

The served files are those of `ledger/web`, the modules of `verifier/web` that they import, and files generated from
them and from the rules: `table.js`, which joins all modules, the words of other languages, and `systems.json`. Each
file is read once, and compressed once.
"""

import gzip
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from posixpath import dirname, join, normpath
from threading import Lock, Thread
from typing import Final

import msgspec

from ledger.browser.loaded import CODE, LICENCES, code, compressed_vendored_files, licences
from ledger.page.systems import systems_json, systems_words
from rules.data.language import N_, Translate
from verifier.language import languages, translator
from verifier.shell.modules import join_modules, variable

__all__ = [
    "CHECK_ENTRY",
    "CHECK_JOINED",
    "ENTRY",
    "EVENT_JOINED",
    "IMMUTABLE",
    "JOINED",
    "MEDIA_TYPES",
    "OFFLINE",
    "POLICY",
    "STYLE",
    "Page",
    "PageFile",
    "needs",
    "page",
]

ENTRY: Final = "ledger/web/ui/main.js"
STYLE: Final = "ledger/web/ui/style.css"
ICON: Final = "ledger/web/ui/icon.svg"
"""the icon that the document names, if the file exists"""
SYSTEMS: Final = "systems.json"
APPLICATION: Final = "ledger/web/ui/app.webmanifest"
"""the name and the icons of an installed page"""
OFFLINE: Final = "ledger/web/ui/offline.js"
"""the service worker; its scope is the whole origin"""
JOINED: Final = "table.js"
"""`ENTRY` and all modules that it imports, joined into the one file that a browser runs"""
EVENT_ENTRY: Final = "ledger/web/ui/event-main.js"
EVENT_JOINED: Final = "event.js"
"""`EVENT_ENTRY` and its modules, joined: the page of an event"""
CHECK_ENTRY: Final = "ledger/web/ui/event-check.js"
CHECK_JOINED: Final = "event-check.js"
"""`CHECK_ENTRY` and the verifier, joined: the desk of an event fetches it when a round has ended"""
_WORDS: Final[Mapping[str, str]] = {"de": "german", "ja": "japanese"}
"""by language, the module with the words of the first page, served joined as `words-LANGUAGE.js`; the words of a table
and of an event are served as `words-LANGUAGE-game.js` and `words-LANGUAGE-event.js`"""
_PARTS: Final = ("", "-game", "-event")
QR: Final = "ledger/web/vendor/uqr.module.js"
"""the module that draws QR codes; the page fetches it when it needs one"""
IMMUTABLE: Final = "rules/"
"""the prefix of paths that contain the hash of their file"""
_OWN: Final = "ledger/web"
_VERIFIER: Final = "verifier/web"

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types rollproof"
)

MEDIA_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/plain; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".zip": "application/zip",
}
"""media types by file suffix; other files are no part of the page"""
_MODULES: Final = frozenset({".js", ".mjs"})

_IMPORT: Final = re.compile(
    r"^(?:import|export)\s+(?:[\w*${},\s]+?\bfrom\s+)?['\"](\.{1,2}/[^'\"\n]+)['\"]"
    r"|^[^*/\n]*\b(?:await import|new URL)\(['\"](\.{1,2}/[^'\"\n]+)['\"][,)]",
    re.MULTILINE,
)
"""matches a module's static imports, and its dynamic imports and workers with a literal path; not those in comments"""


class PageFile:
    """A file as it is served under `/page/`."""

    _quality = 10
    """of Brotli: a fifteenth shorter than 9, which takes half a second once, in a thread of its own"""

    def __init__(self, path: str, data: bytes) -> None:
        """`path` is the path in the repository; for a generated file, its name."""
        self.path = path
        self._data = data
        self._packed_in: dict[str, bytes] = {}
        self._packs = Lock()

    @property
    def data(self) -> bytes:
        """Its bytes."""
        return self._data

    @property
    def media_type(self) -> str:
        """The media type, by the suffix of the name."""
        return MEDIA_TYPES[PurePosixPath(self.path).suffix]

    @cached_property
    def digest(self) -> bytes:
        """SHA-256."""
        return sha256(self.data).digest()

    @property
    def etag(self) -> str:
        """A strong validator (RFC 9110, 8.8.3)."""
        return f'"{self.digest.hex()}"'

    def packed_etag(self, coding: str) -> str:
        """Return the strong validator of the bytes in a content coding."""
        return f'"{self.digest.hex()}-{coding}"'

    @property
    def integrity(self) -> str:
        """The hash in the form of Subresource Integrity."""
        return f"sha256-{b64encode(self.digest).decode()}"

    @property
    def codings(self) -> tuple[str, ...]:
        """The available content codings, the shortest first; browsers take `br` over TLS only."""
        return ("br", "gzip")

    def packed(self, coding: str) -> bytes:
        """Return the bytes in a content coding, the same each time."""
        if coding not in self._packed_in:
            with self._packs:  # many ask for it when a server has just started
                if coding not in self._packed_in:
                    self._packed_in[coding] = _packed(self.data, coding, self._quality)
        return self._packed_in[coding]

    @property
    def is_module(self) -> bool:
        """True if it is an ES module."""
        return PurePosixPath(self.path).suffix in _MODULES


def _packed(data: bytes, coding: str, quality: int) -> bytes:
    if coding == "gzip":
        return gzip.compress(data, 9, mtime=0)
    import brotli  # a server has it

    return bytes(brotli.compress(data, quality=quality))


class Immutable(PageFile):
    """A large file with its hash in its path, kept in memory only as gzip.

    The first request starts a thread that compresses the file with Brotli, and is itself answered with gzip.
    """

    _quality = 9
    _packing: Thread | None = None

    @property
    def codings(self) -> tuple[str, ...]:
        """The content codings that are available now."""
        if "br" in self._packed_in:
            return ("br", "gzip")
        if self._packing is None:
            self._packing = Thread(target=self.packed, args=("br",), daemon=True)
            self._packing.start()
        return ("gzip",)

    def __init__(self, name: str, packed: bytes) -> None:
        data = gzip.decompress(packed)
        super().__init__(f"{IMMUTABLE}{sha256(data).hexdigest()}/{name}", b"")
        self.size = len(data)
        self._packed_in["gzip"] = packed

    @property
    def data(self) -> bytes:
        """The bytes, decompressed at each call."""
        return gzip.decompress(self._packed_in["gzip"])


class Page:
    """The files of the page, their manifest, and the documents that name them."""

    def __init__(self, found: Mapping[str, bytes], rules: Iterable[Immutable] = ()) -> None:
        """`found`: the bytes of each file by its path; `rules`: the files that a browser loads to apply the rules."""
        self._rules = tuple(rules)
        files = [*(PageFile(path, data) for path, data in found.items()), *self._rules]
        self.files: Mapping[str, PageFile] = {file.path: file for file in sorted(files, key=lambda each: each.path)}
        lines = "".join(f"{file.digest.hex()}  {file.path}\n" for file in self.files.values())
        self.manifest: str = lines
        """one line for each file: `HASH  PATH`"""
        self.hash: str = sha256(lines.encode()).hexdigest()
        """SHA-256 of the manifest (hex)"""
        known = ("en", *languages())
        self.documents: Mapping[str, bytes] = {name: self._document(JOINED, name, translator(name)) for name in known}
        """the document of a table, by language"""
        self.event_documents: Mapping[str, bytes] = {
            name: self._document(EVENT_JOINED, name, translator(name)) for name in known
        }
        """the document of an event, by language"""

    def _document(self, joined: str, language: str, translate: Translate) -> bytes:
        instructions = "\n".join(f"<p>{text}</p>" for text in _instructions(translate))
        return _DOCUMENT.format(
            language=language,
            hash=self.hash,
            rules=self._named(),
            icon=self._link("icon", ICON),
            application=self._application(),
            style=self._link("stylesheet", STYLE),
            modules=self._hash("qr", QR) + self._hash("event-check", CHECK_JOINED),
            words="".join(self._words(known, language) for known in _WORDS),
            systems=_PRELOAD if SYSTEMS in self.files else "",
            entry=self._entry(joined),
            instructions=instructions,
        ).encode()

    def _named(self) -> str:
        """Return the tag that lists the files of the rules: each path, which contains a hash, and the size in bytes."""
        paths = [f"{file.path.removeprefix(IMMUTABLE)}={file.size}" for file in self._rules]
        return f'<meta name="rollproof-rules" content="{" ".join(paths)}">\n' if paths else ""

    def _entry(self, joined: str) -> str:
        file = self.files.get(joined)
        integrity = "" if file is None else f' integrity="{file.integrity}"'
        return f'<script type="module" src="/page/{joined}"{integrity}></script>\n'

    def _application(self) -> str:
        return f'<link rel="manifest" href="/page/{APPLICATION}">\n' if APPLICATION in self.files else ""

    def _words(self, known: str, wanted: str) -> str:
        """Return the hashes of a language's words; the document in that language preloads those of the first page."""
        named = "".join(self._hash(f"words-{known}{part}", f"words-{known}{part}.js") for part in _PARTS)
        return named + self._link("modulepreload", f"words-{known}.js") if known == wanted else named

    def _hash(self, name: str, path: str) -> str:
        """Return the tag with the hash of a module that is fetched on demand."""
        file = self.files.get(path)
        return "" if file is None else f'<meta name="rollproof-{name}" content="{file.integrity}">\n'

    def _link(self, relation: str, path: str) -> str:
        file = self.files.get(path)
        if file is None:
            return ""
        return f'<link rel="{relation}" href="/page/{escape(path)}" integrity="{file.integrity}">\n'


_DOCUMENT: Final = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="rollproof-manifest" content="{hash}">
{rules}<title>Rollproof</title>
{modules}{words}{icon}{application}{style}{systems}{entry}</head>
<body>
<noscript>
{instructions}
</noscript>
</body>
</html>
"""

_PRELOAD: Final = f'<link rel="preload" href="/page/{SYSTEMS}" as="fetch" crossorigin>\n'


def _instructions(translate: Translate) -> Iterator[str]:
    """Yield paragraphs (HTML) for browsers without scripts, which never receive the secret of a link."""
    yield escape(translate(N_("This page needs JavaScript, and this browser runs none.")))
    text = N_("A link works with the program on your own machine, which keeps your keys and checks every roll:")
    yield escape(translate(text))
    yield "<code>rollproof join 'LINK' --as NAME</code>"
    text = N_("To look on: rollproof watch LINK. LINK is the whole address, with the part after #.")
    yield escape(translate(text))


@cache
def page() -> Page:
    """Return the page of this version of the program, read once."""
    found = dict(_tree(files("ledger") / "web", _OWN))
    needed = [path for name, data in found.items() for path in needs(name, data)]
    while needed:
        path = needed.pop()
        if path not in found and path.startswith(f"{_VERIFIER}/"):
            found[path] = files("verifier").joinpath(*path.split("/")[1:]).read_bytes()
            needed += needs(path, found[path])
    return Page({**found, **dict(_joined(found)), SYSTEMS: systems_json()}, _rules())


def _rules() -> Iterator[Immutable]:
    """Yield the files that a browser loads to apply the rules."""
    packed = {CODE: code(), LICENCES: licences().encode()}
    for name, data in packed.items():
        yield Immutable(name, gzip.compress(data, 9, mtime=0))
    for name, data in compressed_vendored_files().items():
        yield Immutable(name, data)


def _joined(found: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the joined modules that a browser runs: the two pages, and the words of each other language."""

    def read(path: str) -> str:
        return found[path].decode()

    yield JOINED, join_modules(read, ENTRY, documented=False).encode()
    yield EVENT_JOINED, join_modules(read, EVENT_ENTRY, documented=False).encode()
    check = join_modules(read, CHECK_ENTRY, documented=False)
    yield CHECK_JOINED, f"{check}export const {{ checkBundle }} = {variable(CHECK_ENTRY)};\n".encode()
    for language, module in _WORDS.items():
        for part in _PARTS:
            entry = f"{_OWN}/ui/{module}{part}.js"
            words = {} if part == "-event" else systems_words(translator(language), of_game=part == "-game")
            made = msgspec.json.encode(words, order="sorted").decode()
            text = f"{join_modules(read, entry)}export const WORDS = {{ ...{made}, ...{variable(entry)}.WORDS }};\n"
            yield f"words-{language}{part}.js", text.encode()


def _tree(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield the page's files below a folder: path and bytes."""
    for child in folder.iterdir() if folder.is_dir() else ():
        below = f"{path}/{child.name}"
        if child.is_dir():
            yield from _tree(child, below)
        elif PurePosixPath(child.name).suffix in MEDIA_TYPES and not child.name.startswith("."):
            yield below, child.read_bytes()


def needs(path: str, data: bytes) -> list[str]:
    """Return the paths of the modules that a module imports."""
    if PurePosixPath(path).suffix not in _MODULES:
        return []
    found = (one or other for one, other in _IMPORT.findall(data.decode()))
    return [normpath(join(dirname(path), module)) for module in found]
