"""The overlay: the tray alone, in one document that fetches only the table's data (specs/page.md, "The overlay").

The overlay runs in an opaque origin, which could not load files of this server. So the document contains its modules,
words and style, and its policy allows this one script and this one style by their hashes.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final, NamedTuple

import msgspec

from ledger.page.systems import systems_json, systems_words
from verifier.language import translator
from verifier.shell.modules import join_modules

__all__ = ["Overlay", "overlay"]

_UI: Final = "ledger/web/ui"
_WORDS: Final = {"de": "german", "ja": "japanese"}
_ENTRY: Final = f"{_UI}/overlay-entry.js"
"""the path of the generated module that starts the overlay"""

_POLICY: Final = (
    "default-src 'none'; script-src {script}; style-src {style}; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types rollproof; sandbox allow-scripts"
)


class Overlay(NamedTuple):
    """The overlay in one language."""

    document: bytes
    policy: str
    """the content policy: other sites may frame the overlay, and it is not in the server's origin"""


@cache
def overlay(language: str) -> Overlay:
    """Return the overlay in an available language."""
    script = (
        f"\n'use strict';\n{join_modules(lambda path: _entry(language) if path == _ENTRY else _text(path), _ENTRY)}"
    )
    style = "\n" + "\n".join(_text(f"{_UI}/{name}.css") for name in ("style", "overlay"))
    systems = systems_json().decode().replace("<", "\\u003c")
    document = _DOCUMENT.format(language=language, style=style, systems=systems, script=script)
    return Overlay(document.encode(), _POLICY.format(script=_hash(script), style=_hash(style)))


def _entry(language: str) -> str:
    """Return the module that starts the overlay with the words of a language."""
    name = _WORDS.get(language)
    if name is None:
        return "import { show } from './overlay.js';\nshow({});\n"
    translate = translator(language)
    made = [msgspec.json.encode(systems_words(translate, of_game=each), order="sorted") for each in (False, True)]
    return (
        "import { show } from './overlay.js';\n"
        f"import {{ WORDS as FIRST }} from './{name}.js';\n"
        f"import {{ WORDS as GAME }} from './{name}-game.js';\n"
        f"import {{ WORDS as EVENT }} from './{name}-event.js';\n"
        f"show({{ ...{made[0].decode()}, ...{made[1].decode()}, ...FIRST, ...GAME, ...EVENT }});\n"
    )


def _text(path: str) -> str:
    package, *steps = path.split("/")
    return files(package).joinpath(*steps).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the source expression of a policy that allows exactly this text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_DOCUMENT: Final = """<!doctype html>
<html lang="{language}" class="overlay">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rollproof</title>
<style>{style}</style>
</head>
<body>
<script type="application/json" id="systems">{systems}</script>
<script>{script}</script>
</body>
</html>
"""
