"""What a browser is shown: the page of the table, and the page that verifies logs."""

from functools import cache

from ledger.page import POLICY, PageFile
from verifier.shell.webpage import build_page

__all__ = ["DOCUMENT_HEADERS", "FILE_HEADERS", "VERIFY_HEADERS", "is_known", "verify_page"]

VERIFY_HEADERS = {"referrer-policy": "no-referrer", "x-content-type-options": "nosniff"}
DOCUMENT_HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
    "vary": "accept-language",
}
"""of the first document of the page"""
FILE_HEADERS = {
    "content-security-policy": POLICY,  # a file opened by itself is no page without rules, and a worker has its own
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache",
}
"""of its files"""


@cache
def verify_page() -> bytes:
    """The page of `rollproof verify-page`, which verifies logs in the browser and sends nothing."""
    return build_page().encode()


def is_known(file: PageFile, if_none_match: str) -> bool:
    """Whether a browser that says what it has, has the file as it is (RFC 9110, 13.1.2)."""
    told = (each.strip().removeprefix("W/") for each in if_none_match.split(","))
    return any(each in (file.etag, "*") for each in told)
