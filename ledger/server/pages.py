"""What a browser is shown: the page of the table, and the page that verifies logs."""

import gzip
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256

from ledger.browser.verify_page import verify_page, verify_page_policy
from ledger.page.assets import POLICY

__all__ = [
    "DOCUMENT_HEADERS",
    "FILE_HEADERS",
    "FOR_EVER",
    "VERIFY_POLICY",
    "Answer",
    "is_known",
    "takes_gzip",
    "verify_answer",
]

DOCUMENT_HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
    "vary": "accept-language",
}
"""of the first document of the page"""
FILE_HEADERS = {
    "content-security-policy": POLICY,  # a file opened by itself is no page without rules, and a worker has its own
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
    "vary": "accept-encoding",
}
"""of its files"""
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}
"""of those that have their hash in their path"""
_NEVER = re.compile(r"q=0(?:\.0{0,3})?")
"""the weight of what is not taken"""

VERIFY_POLICY = "{policy}; frame-ancestors 'none'; sandbox allow-scripts"
"""of the page that verifies logs, whose own is `policy`. It shows what strangers wrote, and reaches nobody's keys."""


Answer = tuple[bytes, Mapping[str, str]]
"""bytes and headers"""


@cache
def verify_answer(*, zipped: bool) -> Answer:
    """The page of `rollproof verify-page`, which verifies logs in the browser and sends nothing.

    `zipped` is for who takes gzip. A browser shows no document that has both a sandbox and an opener policy.
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


def is_known(etag: str, if_none_match: str) -> bool:
    """Whether a browser that says what it has, has what `etag` stands for (RFC 9110, 13.1.2)."""
    told = (each.strip().removeprefix("W/") for each in if_none_match.split(","))
    return any(each in (etag, "*") for each in told)


def takes_gzip(accept_encoding: str) -> bool:
    """Whether a browser takes an answer in gzip (RFC 9110, 12.5.3)."""
    for each in accept_encoding.lower().split(","):
        coding, _, quality = each.replace(" ", "").partition(";")
        if coding == "gzip":
            return not _NEVER.fullmatch(quality)
    return False
