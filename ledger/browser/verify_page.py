"""The page that verifies logs with the rules of every game: one file, offline (specs/web.md)."""

from functools import cache

from ledger.browser.loaded import CODE, LICENCES, code, licences, vendored_compressed
from verifier.shell.webpage import PageFile, build_page, page_policy

__all__ = ["verify_page", "verify_page_policy"]


@cache
def verify_page(*, rules: bool = True) -> bytes:
    """The page; without `rules` a small one, which checks signatures, chain and dice."""
    if not rules:
        return build_page().encode()
    packed = [PageFile(name, data, packed=True) for name, data in vendored_compressed().items()]
    plain = [PageFile(CODE, code(), packed=False), PageFile(LICENCES, licences().encode(), packed=False)]
    return build_page([*packed, *plain]).encode()


@cache
def verify_page_policy() -> str:
    """The content policy of the page with rules."""
    return page_policy(rules=True)
