"""The page `verify.html`, built from the ES modules in `verifier/web`: one file that works from disk, offline.

The policy of the page allows this one script, by its hash, and nothing from anywhere else (specs/web.md).
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from verifier.shell.modules import ModuleError, join_modules

__all__ = ["EmbeddedFile", "PageError", "RollPage", "build_page", "page_policy"]

ENTRY: Final = "page/main.js"
_HEAD: Final = "<title>Verify a Rollproof log</title>"
_ROLL: Final = "roll"
"""the name of the proof inside the page of one roll"""


class EmbeddedFile(NamedTuple):
    """A file inside the page, for the rules. `data` is as it is, or packed with gzip."""

    name: str
    data: bytes
    packed: bool


class PageError(Exception):
    """Raised if the page cannot be made of these modules."""


def _program(root: Traversable) -> str:
    """Return all modules as one script."""
    try:
        joined = join_modules(lambda path: root.joinpath(*path.split("/")).read_text(encoding="utf-8"), ENTRY)
    except ModuleError as error:
        raise PageError(str(error)) from error
    return f"\n'use strict';\n{joined}"


def _hash(text: str) -> str:
    """Return a source for a policy that allows exactly this text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def build_page(rules: Iterable[EmbeddedFile] = ()) -> str:
    """Return the page as one HTML text. With the files that the rules need, it knows the rules.

    Raises `PageError` for a module that imports or exports in an unsupported form.
    """
    blocks = "".join(map(_block, rules))
    return _HEAD.join(_page(" data-rules" if blocks else "", blocks, rules=bool(blocks)))


class RollPage:
    """The page for one roll: it contains the proof and verifies it, without rules, and takes no file."""

    def __init__(self) -> None:
        """Prepare the page. Raises `PageError` as `build_page`."""
        before, behind = _page(" data-roll", "@@PROOF@@", rules=False)
        between, after = behind.split("@@PROOF@@")
        self._parts = before, between, after

    def with_roll(self, head: str, proof: bytes) -> str:
        """Return the page with this proof. `head` is HTML for its head, including the title."""
        before, between, after = self._parts
        return "".join((before, head, between, _block(EmbeddedFile(_ROLL, proof, packed=False)), after))


def _page(mark: str, blocks: str, *, rules: bool) -> tuple[str, str]:
    """Return the page before and behind its title."""
    program, style = _parts()
    page = (files("verifier") / "web" / "page" / "verify.html").read_text(encoding="utf-8")
    marks = {
        "@@MARK@@": mark,
        "@@POLICY@@": _policy(program, style, rules=rules),
        "@@STYLE@@": style,
        "@@PROGRAM@@": program,
        "@@FILES@@": blocks,
    }
    for place, text in marks.items():
        before, after = page.split(place)
        page = before + text + after
    before, after = page.split(_HEAD)
    return before, after


def page_policy(*, rules: bool) -> str:
    """Return the content policy of the page, for a server's headers. Raises `PageError` as `build_page`."""
    return _policy(*_parts(), rules=rules)


def _block(file: EmbeddedFile) -> str:
    """Return a file as a block of data, which is no script and so is never run."""
    packed = " data-packed" if file.packed else ""
    text = b64encode(file.data).decode()
    return f'<script type="text/plain" data-file="{file.name}"{packed}>{text}</script>\n'


def _parts() -> tuple[str, str]:
    """Return the script and the style of the page."""
    root = files("verifier") / "web"
    program = _program(root)
    style = "\n" + (root / "page" / "verify.css").read_text(encoding="utf-8")
    for text in (program, style):
        if re.search(r"</(?:script|style)|<!--", text, re.IGNORECASE) or "\r" in text:
            raise PageError("a module has text in it that would end the script")
    return program, style


def _policy(program: str, style: str, *, rules: bool) -> str:
    """Return the content policy. With `rules`, WebAssembly may be compiled too."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {_hash(program)}" + (" 'wasm-unsafe-eval'" if rules else ""),
            f"style-src {_hash(style)}",
            "worker-src blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
