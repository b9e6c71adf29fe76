"""Write what is made of the catalogues: the compiled ones, and the pages' words in JavaScript (specs/languages.md).

python -m tests.make.words            # writes them
python -m tests.make.words --check    # names each that is out of date; exit code 1 if there is any

`templates` is the method by which Babel finds messages of the pages (`verifier/locale/babel.toml`).
"""

from __future__ import annotations

import io
import re
import sys
import tomllib
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_keywords
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from ledger.page.assets import CHECK_ENTRY, ENTRY, EVENT_ENTRY, needs
from verifier.language import DOMAIN, LOCALE_FOLDER, languages

ROOT = Path(__file__).parents[2]
CONTEXT = "page"
"""of a message that the pages have in the same English as the commands, in another sense"""
Id = tuple[str | None, str]
"""a message's context and its English"""

# --- finding --------------------------------------------------------------------------------------------------------

_TEXT = r"'((?:[^'\\\n]|\\.)+)'|\"((?:[^\"\\\n]|\\.)+)\""
_LITERAL = re.compile(rf"(?<!\w)(?:{_TEXT})")
_MEMBER = re.compile(rf"\btext:\s*(?:{_TEXT})")
_ATTRIBUTE = re.compile(r'\bdata-say="([^"]+)"')
_ARGUMENT = re.compile(rf"\s*(?:(?:{_TEXT})|[^,()'\"`;]+)\s*([,)])")
_COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*$", re.DOTALL | re.MULTILINE)
_SENTENCE = re.compile(r"(?<![$u])\{[a-z]\w*\}|^[A-Z{].* .*[.?!…:]$")
"""what says by itself that it is a message: a value in braces, or a whole sentence"""
_NO_WORDS = re.compile(r"\{\w+\}|…")
"""what is the same in every language"""


def templates(
    stream: BinaryIO, keywords: Collection[str], tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str | None, str | tuple[str | None, ...], list[str]]]:
    """Yield the messages of a module or a document of the pages, as Babel takes them from a method.

    They are literals that are an argument of one of `keywords` or a member `text`, those that are sentences or have a
    value in braces wherever they stand, and `data-say` of HTML. The option `apart` lists messages that have `CONTEXT`.
    """
    code = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), stream.read().decode())
    apart = options.get("apart", ())

    def told(at: int, text: str) -> tuple[int, str | None, str | tuple[str | None, ...], list[str]]:
        line = code.count("\n", 0, at) + 1
        return (line, "pgettext", (CONTEXT, text), []) if text in apart else (line, None, text, [])

    for found in _ATTRIBUTE.finditer(code):
        yield told(found.start(), found[1])
    for found in (*_MEMBER.finditer(code), *_LITERAL.finditer(code)):
        text = _plain(found)
        if (found.re is _MEMBER or _SENTENCE.search(found[1] or found[2])) and not _NO_WORDS.fullmatch(text):
            yield told(found.start(), text)
    for found in re.finditer(rf"(?<![\w.$])({'|'.join(map(re.escape, keywords))})\(", code):
        given = tuple(_arguments(code, found.end()))
        if given and given[0] in apart:
            yield told(found.start(), str(given[0]))
        elif not any(text and _NO_WORDS.fullmatch(text) for text in given):
            yield code.count("\n", 0, found.start()) + 1, found[1], given, []


def _plain(found: re.Match[str]) -> str:
    return re.sub(r"\\(.)", r"\1", found[1] or found[2])


def _arguments(code: str, at: int) -> Iterator[str | None]:
    """Yield the arguments of a call that begin at `at`, None for what is no literal, up to one that is not simple."""
    while found := _ARGUMENT.match(code, at):
        yield _plain(found) if found[1] or found[2] else None
        if found[3] == ")":
            return
        at = found.end()


@cache
def found() -> Mapping[Id, list[str]]:
    """Return all messages that Babel finds, each with `PATH:LINE` of every place."""
    told = tomllib.loads((LOCALE_FOLDER / "babel.toml").read_text(encoding="utf-8"))
    methods, options = [], {}
    for each in told["mappings"]:
        for pattern in each["pattern"]:
            methods.append((pattern, told["extractors"].get(each["method"], each["method"])))
            options[pattern] = {**each, "keywords": parse_keywords(each.get("keywords", ()))}
    places: dict[Id, list[str]] = {}
    for file, line, text, _, context in extract_from_dir(ROOT, methods, options, DEFAULT_KEYWORDS):
        assert isinstance(text, str)
        places.setdefault((context, text), []).append(f"{PurePosixPath(file)}:{line}")
    return places


def of_pages(place: str) -> bool:
    """Whether a place is in what a browser shows, and not in what Python tells."""
    return place.startswith(("ledger/web/", "verifier/web/"))


def catalogue(language: str) -> Catalog:
    """Return a language's catalogue, as its .po file has it."""
    with (LOCALE_FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as stream:
        return read_po(stream, locale=language, domain=DOMAIN)


# --- where the pages' words stand -----------------------------------------------------------------------------------

UI = "ledger/web/ui"
VERIFIER = "verifier/web"
FIRST = {
    UI: "about fields files glossary home html main moved open parts person profile qr sit systems top words",
    "ledger/web/core": "code errors here links profile transport",
}
"""modules of the table's page that speak before a table is opened"""
KINDS = {
    f"{VERIFIER}/words-{{}}.js": "what the verifier says at a table",
    f"{VERIFIER}/words-{{}}-event.js": "what the verifier says besides, of events and on its own page",
    f"{UI}/words-{{}}.js": "what the first page shows",
    f"{UI}/words-{{}}-game.js": "what a table shows besides",
    f"{UI}/words-{{}}-event.js": "what an event shows besides",
    f"{UI}/scenes/words-{{}}.js": "what scenes show besides",
}
"""the files of words, without the language, and what they hold"""
_OF_VERIFIER, _OF_EVENTS, _OF_FIRST, _OF_GAMES, _OF_EVENT, _OF_SCENES = KINDS


@cache
def _modules(entry: str) -> frozenset[str]:
    """Return the paths of a module and of all that it imports."""
    there, left = set[str](), [entry]
    while left:
        path = left.pop()
        if path not in there:
            there.add(path)
            left += needs(path, (ROOT / path).read_bytes())
    return frozenset(there)


def _kind(path: str) -> str:
    """Return the file of words that a module's messages need."""
    folder, name = str(PurePosixPath(path).parent), PurePosixPath(path).stem
    if path.startswith(VERIFIER):
        return _OF_VERIFIER if path in _modules(ENTRY) else _OF_EVENTS
    if folder == f"{UI}/scenes":
        return _OF_SCENES
    if name in FIRST.get(folder, "").split():
        return _OF_FIRST
    return _OF_EVENT if path in (_modules(EVENT_ENTRY) | _modules(CHECK_ENTRY)) - _modules(ENTRY) else _OF_GAMES


@cache
def placed() -> Mapping[str, list[Id]]:
    """Return the messages of each kind of file, sorted.

    A message stands once for the verifier and once for the table's page, in the file that is fetched the earliest of
    those that need it; scenes come with a table, and have what is not there then.
    """
    kinds: dict[str, list[Id]] = {kind: [] for kind in KINDS}
    for id_, places in sorted(found().items(), key=lambda item: item[0][1]):
        needed = {_kind(place.rpartition(":")[0]) for place in places if of_pages(place)}
        verifier = [kind for kind in (_OF_VERIFIER, _OF_EVENTS) if kind in needed][:1]
        page = [kind for kind in (_OF_FIRST, _OF_GAMES, _OF_EVENT) if kind in needed][:1]
        there = [*verifier, *page]
        if _OF_SCENES in needed and not {_OF_VERIFIER, _OF_FIRST, _OF_GAMES} & {*there}:
            there.append(_OF_SCENES)
        for kind in there:
            kinds[kind].append(id_)
    return kinds


@cache
def words(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return the words in a language, by the path of the file that has them; not those that the catalogue lacks."""
    told = {(each.context, each.id): str(each.string) for each in catalogue(language) if each.string}
    return {
        kind.format(language): {text: told[context, text] for context, text in ids if (context, text) in told}
        for kind, ids in placed().items()
    }


# --- writing --------------------------------------------------------------------------------------------------------

_WIDTH = 150
"""of a line of JavaScript, as Biome is told"""


def module(kind: str, language: str) -> str:
    """Return a file of words, in the form that Biome gives it."""
    name = str(Locale(language).english_name)
    lines = [
        "/**",
        f" * The {name} of {KINDS[kind]}: made by `python -m tests.make.words` (specs/languages.md).",
        " * @module",
        " */",
        "",
        "/** @type {{[text: string]: string}} */",
        f"export const {name.upper()} = {{",
    ]
    for text, told in words(language)[kind.format(language)].items():
        key = text if re.fullmatch(r"[A-Za-z_$][\w$]*", text, re.ASCII) else _quoted(text)
        line = f"  {key}: {_quoted(told)},"
        lines += [line] if _columns(line) <= _WIDTH else [f"  {key}:", f"    {_quoted(told)},"]
    return "\n".join([*lines, "};", ""])


def _quoted(text: str) -> str:
    """Return a literal of JavaScript, in the quotation marks that take the fewest backslashes."""
    mark = '"' if text.count("'") > text.count('"') else "'"
    return mark + text.replace("\\", "\\\\").replace(mark, f"\\{mark}") + mark


def _columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "FW" else 1 for character in line)


def compiled(language: str) -> bytes:
    """Return a catalogue as Python reads it: without the messages that only pages show."""
    kept = catalogue(language)
    for message in list(kept)[1:]:
        if all(map(of_pages, found().get((message.context, str(message.id)), ()))):
            kept.delete(message.id, message.context)
    stream = io.BytesIO()
    write_mo(stream, kept)
    return stream.getvalue()


def made() -> Iterator[tuple[Path, bytes]]:
    """Yield each file that is made of the catalogues, with its bytes."""
    for language in languages():
        yield LOCALE_FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.mo", compiled(language)
        for kind in KINDS:
            yield ROOT / kind.format(language), module(kind, language).encode()


def main() -> int:
    """Write the files, or check them."""
    old = [(path, data) for path, data in made() if not path.exists() or path.read_bytes() != data]
    for path, data in old:
        print(path.relative_to(ROOT))
        if "--check" not in sys.argv:
            path.write_bytes(data)
    return int("--check" in sys.argv and bool(old))


if __name__ == "__main__":
    sys.exit(main())
