"""The page that verifies logs with the rules of every game: one file that works offline (specs/web.md)."""

from functools import cache

from ledger.browser.loaded import CODE, LICENCES, code, compressed_vendored_files, licences
from verifier.shell.webpage import EmbeddedFile, build_page, page_policy

__all__ = ["verify_page", "verify_page_policy"]


@cache
def verify_page(*, rules: bool = True) -> bytes:
    """Return the page (HTML); without `rules`, a small one that checks signatures, chain and dice only."""
    if not rules:
        return build_page().encode()
    packed = [EmbeddedFile(name, data, packed=True) for name, data in compressed_vendored_files().items()]
    plain = [EmbeddedFile(CODE, code(), packed=False), EmbeddedFile(LICENCES, licences().encode(), packed=False)]
    return build_page([*packed, *plain]).encode()


@cache
def verify_page_policy() -> str:
    """Return the content policy of the page with rules."""
    return page_policy(rules=True)
