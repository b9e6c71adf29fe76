"""The page `verify.html`, made of the ES modules in `verifier/web`: one file that works from disk, offline.

Each module becomes a function that is called once, in the order in which they need each other, and returns what it
exports; nothing else in it is changed, so that what runs is what was reviewed. The page's policy allows this one script
by its hash, and nothing from anywhere else. See `specs/web.md`.
"""

import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
from typing import Final

__all__ = ["PageError", "build_page", "page_policy"]

ENTRY: Final = "page/main.js"

_IMPORT: Final = re.compile(r"^import \{([^}]*)\} from '(\.{1,2}/[^']+)';\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_OTHER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class PageError(Exception):
    """A module is written in a way that this builder does not know."""


def _variable(path: str) -> str:
    """The name under which a module's exports stand."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _link(root: Traversable, path: str, done: dict[str, str], around: tuple[str, ...]) -> None:
    """Add the module at `path`, behind those that it imports."""
    if path in around:
        raise PageError(f"{' → '.join((*around, path))}: modules that need each other")
    if path in done:
        return
    text = root.joinpath(*path.split("/")).read_text(encoding="utf-8")
    for _, other in _IMPORT.findall(text):
        _link(root, normpath(join(dirname(path), other)), done, (*around, path))
    names = _EXPORT.findall(text)

    def imported(match: re.Match[str]) -> str:
        return f"const {{{match[1]}}} = {_variable(normpath(join(dirname(path), match[2])))};\n"

    body = _EXPORT.sub("", _IMPORT.sub(imported, text))
    if left := _OTHER.search(body):
        raise PageError(f"{path}: {left[0]}")
    done[path] = f"// {path}\nconst {_variable(path)} = (() => {{\n{body}return {{ {', '.join(names)} }};\n}})();\n"


def _program(root: Traversable) -> str:
    """All modules as one script."""
    done: dict[str, str] = {}
    _link(root, ENTRY, done, ())
    return "\n'use strict';\n" + "".join(done.values())


def _hash(text: str) -> str:
    """A source of a policy: the text, and no other."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def build_page() -> str:
    """The page as one HTML text.

    Raises `PageError` where a module imports or exports in a way that the builder does not know.
    """
    program, style = _parts()
    page = (files("verifier") / "web" / "page" / "verify.html").read_text(encoding="utf-8")
    for mark, text in {"@@POLICY@@": _policy(program, style), "@@STYLE@@": style, "@@PROGRAM@@": program}.items():
        before, after = page.split(mark)
        page = before + text + after
    return page


def page_policy() -> str:
    """The content policy that stands in the page, for a server's headers. Raises `PageError` as `build_page`."""
    return _policy(*_parts())


def _parts() -> tuple[str, str]:
    """The page's one script and its one style."""
    root = files("verifier") / "web"
    program = _program(root)
    style = "\n" + (root / "page" / "verify.css").read_text(encoding="utf-8")
    for text in (program, style):
        if re.search(r"</(?:script|style)|<!--", text, re.IGNORECASE) or "\r" in text:
            raise PageError("a module has text in it that would end the script")
    return program, style


def _policy(program: str, style: str) -> str:
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {_hash(program)}",
            f"style-src {_hash(style)}",
            "worker-src blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
