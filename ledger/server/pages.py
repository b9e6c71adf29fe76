"""What a browser is shown: the page that verifies logs, and how a link is used."""

from functools import cache
from html import escape

from rules.language import N_, Translate
from verifier.shell.webpage import build_page

__all__ = ["LINK_POLICY", "link_page", "verify_page"]

LINK_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_PAGE = """<!doctype html>
<html lang="{lang}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rollproof</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.05rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 3rem auto; padding: 0 1rem }}
code {{ overflow-wrap: anywhere }}
</style>
<main>
<h1>Rollproof</h1>
{paragraphs}
</main>
</html>
"""


@cache
def verify_page() -> bytes:
    """The page of `rollproof verify-page`, which verifies logs in the browser and sends nothing."""
    return build_page().encode()


def link_page(lang: str, translate: Translate) -> bytes:
    """What stands at a link's address: how it is used. It has no script, and does not see the link's secret."""
    texts = (
        N_("A link works with the program on your own machine, which keeps your keys and checks every roll:"),
        N_("To look on: rollproof watch LINK. LINK is the whole address, with what stands behind #."),
    )
    first, second = (escape(translate(text)) for text in texts)
    third = escape(translate(N_("Check a log in this browser")))
    paragraphs = (
        f"<p>{first}</p>\n<p><code>rollproof join 'LINK' --as NAME</code></p>\n<p>{second}</p>\n"
        f'<p><a href="/verify">{third}</a></p>'
    )
    return _PAGE.format(lang=lang, paragraphs=paragraphs).encode()
