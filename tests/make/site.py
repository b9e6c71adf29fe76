"""Build the documentation site from `specs/` and the guide, English and Japanese.

python -m tests.make.site DIR        # writes the site
python -m tests.make.site --wheel    # writes ledger/page/site.zip, which the next package takes in

A link or an anchor that leads nowhere, and anything that would be fetched from another host, ends it with code 1.
"""

from __future__ import annotations

import argparse
import importlib
import json
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mkdocs.commands.build import build as build_site
from mkdocs.config import load_config

from ledger.browser.verify_page import verify_page
from tests.make.practice import MADE, practice, zipped
from tests.make.promise import PUBLIC

ROOT = Path(__file__).resolve().parents[2]
SPECS = ROOT / "specs"
SITE = SPECS / "site"
PICTURES = SPECS / "pictures"
ZIP = ROOT / "ledger" / "page" / "site.zip"
CONFIG = Path(__file__).with_name("mkdocs.yml")
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
_WIDTHS = json.loads((PICTURES / "pictures.json").read_text(encoding="utf-8"))
_PICTURE = re.compile(r"!\[([^\[\]]*)\]\(([^)\s]+)\)")
_LIST = re.compile(r"(?:[-*]|\d+\.) ")
_UNUSED = re.compile(
    r"\.map$|^sitemap\.xml\.gz|^assets/javascripts/lunr/min/(?!lunr\.(ja|multi|stemmer\.support)\.)|wordcut\.js$"
)


def slug(text: str, separator: str) -> str:
    """Return the anchor of a heading, as the pages' links have it."""
    return re.sub(r"[^\w -]", "", text.lower()).strip().replace(" ", separator)


def address(path: Path) -> str | None:
    """Return where a page of the repository stands among the site's sources; None for what is no page."""
    if path.is_dir():
        path = path / "README.md"
    if path.suffix != ".md" or not path.exists():
        return None
    if path == ROOT / "CHANGELOG.md":
        return "changes.md"
    if path == ROOT / "README.md":
        return "index.md"
    if not path.is_relative_to(SPECS) or SPECS / "vectors" / "scripts" in path.parents:
        return None
    if path == SPECS / "README.md":
        return "specification.md"
    return (path.relative_to(SITE if path.is_relative_to(SITE) else SPECS)).as_posix().replace("README.md", "index.md")


def pages() -> dict[Path, str]:
    """Return every page of the site and where it stands among the sources."""
    found = [ROOT / "CHANGELOG.md", *sorted(SPECS.rglob("*.md"))]
    return {path: where for path in found if (where := address(path)) is not None}


def converted(path: Path, where: str) -> str:
    """Return a page as MkDocs needs it: links to where pages stand, lists apart from what is above them."""
    text = path.read_text(encoding="utf-8")
    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.MULTILINE | re.DOTALL)
    for number in range(0, len(parts), 2):
        parts[number] = _LINK.sub(lambda match: _link(match, path, where), parts[number])
        parts[number] = _PICTURE.sub(lambda match: _picture(match, path, where), parts[number])
        parts[number] = _apart(parts[number])
    text = "".join(parts)
    return _filled(text) if where.removeprefix("ja/") == "download.md" else text


def _filled(text: str) -> str:
    """The page of what is there to download, with the size and the hash of the page that verifies logs."""
    page = verify_page()
    return text.replace("VERIFY_PAGE_SIZE", f"{len(page) / 1e6:.1f}").replace(
        "VERIFY_PAGE_HASH", sha256(page).hexdigest()
    )


def _picture(match: re.Match[str], path: Path, where: str) -> str:
    there = (path.parent / match[2]).resolve().relative_to(SPECS)
    width = _WIDTHS[there.stem]["width"]
    return f"![{match[1]}]({os.path.relpath(there, Path(where).parent)}){{ width={width} loading=lazy }}"


def _link(match: re.Match[str], path: Path, where: str) -> str:
    text, target = match[1], match[2]
    if re.match(r"[a-z]+:|#", target) or Path(target).name in MADE:
        return match[0]
    file, _, anchor = target.partition("#")
    there = address((path.parent / file).resolve())
    if there is None:
        return text  # a file of the code, which the site does not have
    relative = os.path.relpath(there, Path(where).parent)
    return f"[{text}]({relative}{'#' + anchor if anchor else ''})"


def _apart(text: str) -> str:
    lines: list[str] = []
    for line in text.split("\n"):
        above = lines[-1] if lines else ""
        begins = _LIST.match(line) and above.strip() and not _LIST.match(above) and not above.startswith((" ", "|"))
        begins = begins or (line.startswith("|") and above.strip() and not above.startswith("|"))
        if begins:
            lines.append("")
        nested = re.match(r"^(  +)((?:[-*]|\d+\.) )", line)
        lines.append("    " + line.lstrip() if nested and len(nested[1]) < 4 else line)
    return "\n".join(lines)


def reference() -> Iterator[str]:
    """The page of the public names, which mkdocstrings fills from the docstrings."""
    yield "# Reference\n\nThe public names, from their docstrings ([what is promised](promise.md)).\n"
    for package in PUBLIC:
        module = importlib.import_module(package)
        yield f"## `{package}`\n\n{(module.__doc__ or '').split(chr(10))[0]}\n"
        for name in sorted(module.__all__):
            found = getattr(module, name)
            home = getattr(found, "__module__", None)
            if home is not None and home.split(".")[0] in ("ledger", "verifier", "rules"):
                yield f"::: {home}.{found.__qualname__ if hasattr(found, '__qualname__') else name}\n"


def build(out: Path) -> None:
    """Build both languages into `out`, and check every link. Raises SystemExit."""
    with tempfile.TemporaryDirectory() as folder:
        for language in ("en", "ja"):
            source = Path(folder, language)
            for path, where in pages().items():
                mine = where.startswith("ja/") == (language == "ja")
                if mine:
                    target = source / where.removeprefix("ja/")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    text = converted(path, where)
                    target.write_text(_from_japanese(text) if language == "ja" else text, encoding="utf-8")
            shutil.copyfile(SITE / "site.css", source / "site.css")
            if language == "en":
                (source / "api.md").write_text("\n".join(reference()), encoding="utf-8")
                shutil.copytree(PICTURES, source / "pictures", ignore=shutil.ignore_patterns("*.json"))
            _run(language, source, out if language == "en" else out / "ja")
    for path in sorted(out.rglob("*")):
        if path.is_file() and _UNUSED.search(path.relative_to(out).as_posix().removeprefix("ja/")):
            path.unlink()
    (out / "practice.zip").write_bytes(practice())
    for path in sorted(out.rglob("*.html")):
        path.write_text(_relative(path, out), encoding="utf-8")
    (out / "verify.html").write_bytes(verify_page())
    problems = list(check(out))
    if problems:
        raise SystemExit("\n".join(problems))


def _from_japanese(text: str) -> str:
    """Links from a Japanese page to English ones, which another build makes: to where they stand when built."""
    return re.sub(r"\]\(\.\./([\w/-]+)\.md", r"](../\1.html", text)


def _relative(path: Path, out: Path) -> str:
    """A page whose links to the other language, which MkDocs writes from the root on, work in any folder."""
    top = os.path.relpath(out, path.parent)
    return re.sub(r'href="/((?:ja/)?index\.html)"', rf'href="{top}/\1"', path.read_text(encoding="utf-8"))


def _run(language: str, source: Path, out: Path) -> None:
    os.environ["ROLLPROOF_SITE_LANGUAGE"] = language
    navigation = NAVIGATION if language == "en" else JAPANESE
    config = load_config(str(CONFIG), docs_dir=str(source), site_dir=str(out), nav=navigation, strict=False)
    config.theme["language"] = language
    warned = _Warned()
    logging.getLogger("mkdocs").addHandler(warned)
    try:
        build_site(config)
    finally:
        logging.getLogger("mkdocs").removeHandler(warned)
    if warned.lines:
        raise SystemExit("\n".join(warned.lines))


class _Warned(logging.Handler):
    """What MkDocs warned of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class _Page(HTMLParser):
    """The addresses and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src", "action") and value:
                self.links.append((tag, value))


def check(out: Path) -> Iterator[str]:
    """Yield each link of the site that leads nowhere, and each thing that would be fetched from another host."""
    pages = sorted(path for path in out.rglob("*.html") if path.name not in MADE)
    read = {path: _Page(path.read_text(encoding="utf-8")) for path in pages}
    for path, page in read.items():
        name = path.relative_to(out).as_posix()
        for tag, link in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("data", "mailto") or path.name == "404.html":
                continue
            if parts.scheme or parts.netloc:
                if tag != "a":
                    yield f"{name}: <{tag}> fetches {link}"
                continue
            found = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            found = found / "index.html" if found.is_dir() else found
            if not found.is_file():
                yield f"{name}: {link} leads nowhere"
            elif parts.fragment and found in read and unquote(parts.fragment) not in read[found].anchors:
                yield f"{name}: {link} has no such heading"
    for path in sorted(out.rglob("*.css")):
        for address_ in re.findall(r"url\(\s*[\"']?(https?:|//)[^)]*\)|@import", path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(out).as_posix()} fetches {address_}"


def packed(folder: Path) -> bytes:
    """Return the site as a zip file, without the page that verifies logs: the package can write that."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return zipped({name: path.read_bytes() for name, path in files.items() if name != "verify.html"})


def _titles(folder: str) -> list[str]:
    return sorted(path.relative_to(SPECS).as_posix() for path in (SPECS / folder).glob("*.md"))


_PEOPLE = ("player.md", "judge.md", "organizer.md", "operator.md", "developer.md")
_READ_FIRST = (
    *("installing", "checking", "table", "online", "playing", "games", "any-dice", "draft", "judging", "organizing"),
    *("event", "serving", "operating", "bots", "clients", "files"),
)
_GUIDE = tuple(f"guide/{name}.md" for name in _READ_FIRST)
_NOT_SPECIFICATIONS = {"glossary.md", "limits.md", "promise.md", "README.md"}
NAVIGATION = [
    {"Begin": ["index.md", *_PEOPLE, "download.md"]},
    {"Guide": [*_GUIDE, *(page for page in _titles("guide") if page not in _GUIDE)]},
    {"Promise": ["limits.md", "promise.md", "changes.md", "glossary.md"]},
    {
        "Specification": [
            "specification.md",
            *(path.name for path in sorted(SPECS.glob("*.md")) if path.name not in _NOT_SPECIFICATIONS),
            "models/index.md",
            "vectors/index.md",
        ]
    },
    {"Reference": ["api.md"]},
    {"Decisions": _titles("decisions")},
]
JAPANESE = [
    {"はじめに": ["index.md", *_PEOPLE]},
    {
        "手引き": [
            *("installing.md", "checking.md", "download.md", "table.md", "online.md", "judging.md", "organizing.md"),
            *("event.md", "serving.md"),
        ]
    },
    {"約束": ["limits.md", "promise.md", "glossary.md"]},
]


def main() -> None:
    """Build the site, or the archive for the package."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=Path, nargs="?")
    parser.add_argument("--wheel", action="store_true", help="write ledger/page/site.zip")
    given = parser.parse_args()
    if (given.folder is None) == (not given.wheel):
        parser.error("name a folder, or --wheel")
    if given.folder:
        build(given.folder)
        print(f"{given.folder}: {sum(1 for _ in given.folder.rglob('*.html'))} pages, every link leads somewhere")
        return
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        ZIP.write_bytes(packed(Path(folder)))
    print(f"{ZIP.relative_to(ROOT)}: {ZIP.stat().st_size} bytes")


if __name__ == "__main__":
    main()
