"""The pages for browsers: the page of a table, and the page that verifies logs."""

import gzip
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape

from ledger.browser.verify_page import verify_page, verify_page_policy
from ledger.page.assets import POLICY
from ledger.page.overlay import overlay
from verifier.shell.webpage import page_policy

__all__ = [
    "DOCUMENT_HEADERS",
    "FILE_HEADERS",
    "FOR_EVER",
    "ROLL_POLICY",
    "SHOWN_ANYWHERE",
    "VERIFY_POLICY",
    "WINDOW_HEADERS",
    "Answer",
    "is_known",
    "no_roll",
    "overlay_answer",
    "roll_headers",
    "takes",
    "verify_answer",
]

DOCUMENT_HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
    "vary": "accept-language",
}
"""of the first document of the page"""
WINDOW_HEADERS = {
    **DOCUMENT_HEADERS,
    "cross-origin-opener-policy": "unsafe-none",
    "origin-agent-cluster": "?1",
}
"""of the same document as the window for plugins, which keeps its opener (specs/window.md)"""
FILE_HEADERS = {
    "content-security-policy": POLICY,  # also for a file that is opened directly, and for workers
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
    "vary": "accept-encoding",
}
"""of its files"""
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}
"""of those that have their hash in their path"""
_NEVER = re.compile(r"q=0(?:\.0{0,3})?")
"""matches the weight of a refused coding"""

VERIFY_POLICY = "{policy}; frame-ancestors 'none'; sandbox allow-scripts"
"""extends the policy of the page that verifies logs: it shows texts of strangers, and is kept away from all keys"""

ROLL_POLICY = "{policy}; frame-ancestors *; sandbox allow-scripts"
"""extends the policy of a published roll's page, the only page that other sites may frame: it has no keys"""

SHOWN_ANYWHERE = {
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "no-cache",
    "x-robots-tag": "noindex",
}
"""of a published roll's page and picture: other sites show them, and browsers ask each time whether they still may"""

Answer = tuple[bytes, Mapping[str, str]]
"""bytes and headers"""


@cache
def verify_answer(*, zipped: bool) -> Answer:
    """Return the page of `rollproof verify-page`, which verifies logs in the browser and sends nothing.

    `zipped`: encode it with gzip. It has no opener policy: browsers refuse one together with a sandbox.
    """
    page = verify_page()
    etag = sha256(page).hexdigest()
    headers = {
        "content-security-policy": VERIFY_POLICY.format(policy=verify_page_policy()),
        "cache-control": "no-cache",
        "vary": "accept-encoding",
        "etag": f'"{etag}"',
    }
    if not zipped:
        return page, headers
    return gzip.compress(page, 6, mtime=0), {**headers, "etag": f'"{etag}-gzip"', "content-encoding": "gzip"}


def roll_headers(etag: str, *, zipped: bool) -> Mapping[str, str]:
    """Return the headers of the page of a published roll."""
    policy = ROLL_POLICY.format(policy=page_policy(rules=False))
    headers = {"content-security-policy": policy, "vary": "accept-encoding, accept-language", "etag": etag}
    return {**SHOWN_ANYWHERE, **headers, **({"content-encoding": "gzip"} if zipped else {})}


_NO_ROLL_STYLE = (
    "body{font:1.125rem/1.6 system-ui,sans-serif;margin:15vh auto;max-width:32rem;padding:0 1.25rem}h1{font-size:1rem}"
)
_NO_ROLL = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Rollproof</title><style>{style}</style></head><body><h1>Rollproof</h1>
<p>{text}</p></body></html>
"""


def no_roll(text: str, language: str) -> Answer:
    """Return a page that says, in its language, why there is no roll."""
    style = b64encode(sha256(_NO_ROLL_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors *"
    page = _NO_ROLL.format(language=language, style=_NO_ROLL_STYLE, text=escape(text[:1].upper() + text[1:]))
    return page.encode(), {
        **SHOWN_ANYWHERE,
        "content-security-policy": f"{policy}; sandbox",
        "vary": "accept-language",
    }


@cache
def overlay_answer(language: str, *, zipped: bool) -> Answer:
    """Return the dice of a table alone, in a language; `zipped` as in `verify_answer`. Other sites may frame it."""
    found = overlay(language)
    etag = sha256(found.document).hexdigest()
    headers = {
        "content-security-policy": found.policy,
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": "no-cache",
        "vary": "accept-language, accept-encoding",
        "etag": f'"{etag}"',
    }
    if not zipped:
        return found.document, headers
    packed = {"etag": f'"{etag}-gzip"', "content-encoding": "gzip"}
    return gzip.compress(found.document, 9, mtime=0), {**headers, **packed}


def is_known(etag: str, if_none_match: str) -> bool:
    """Return True if `If-None-Match` names `etag` (RFC 9110, 13.1.2)."""
    tags = (each.strip().removeprefix("W/") for each in if_none_match.split(","))
    return any(each in (etag, "*") for each in tags)


def takes(coding: str, accept_encoding: str) -> bool:
    """Return True if `Accept-Encoding` allows a content coding, such as `gzip` (RFC 9110, 12.5.3)."""
    for each in accept_encoding.lower().split(","):
        name, _, quality = each.replace(" ", "").partition(";")
        if name == coding:
            return not _NEVER.fullmatch(quality)
    return False
