"""What a browser is shown: the page of the table, and the page that verifies logs."""

from functools import cache

from ledger.page import POLICY, PageFile
from verifier.shell.webpage import build_page, page_policy

__all__ = ["DOCUMENT_HEADERS", "FILE_HEADERS", "VERIFY_POLICY", "is_known", "verify_headers", "verify_page"]

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
}
"""of its files"""

VERIFY_POLICY = "{policy}; frame-ancestors 'none'; sandbox allow-scripts"
"""of the page that verifies logs, whose own is `policy`. It shows what strangers wrote, and reaches nobody's keys."""


@cache
def verify_page() -> bytes:
    """The page of `rollproof verify-page`, which verifies logs in the browser and sends nothing."""
    return build_page().encode()


@cache
def verify_headers() -> dict[str, str]:
    """The headers of that page. A browser shows no document that has both a sandbox and an opener policy."""
    return {"content-security-policy": VERIFY_POLICY.format(policy=page_policy()), "cache-control": "no-cache"}


def is_known(file: PageFile, if_none_match: str) -> bool:
    """Whether a browser that says what it has, has the file as it is (RFC 9110, 13.1.2)."""
    told = (each.strip().removeprefix("W/") for each in if_none_match.split(","))
    return any(each in (file.etag, "*") for each in told)
