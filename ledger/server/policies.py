"""Headers that restrict a browser's use of answers (specs/network.md, "Answers in a browser"; specs/page.md)."""

from collections.abc import Iterable
from typing import Final

__all__ = ["DATA", "HTTPS_ONLY", "OF_EVERY_ANSWER", "add_policies"]

DATA: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
"""the content policy of answers that are no page: nothing is loaded or run, and the origin is opaque"""

OF_EVERY_ANSWER: Final = (
    (b"content-security-policy", DATA.encode()),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
"""unless the answer says otherwise itself"""

HTTPS_ONLY: Final = (b"strict-transport-security", b"max-age=31536000")
"""for a year"""


def add_policies(headers: Iterable[tuple[bytes, bytes]], secure: bool) -> list[tuple[bytes, bytes]]:
    """Add the policies that an answer does not state itself; `secure` says whether it goes over TLS."""
    found = list(headers)
    named = {name.lower() for name, _ in found}
    found += [each for each in OF_EVERY_ANSWER if each[0] not in named]
    if secure and HTTPS_ONLY[0] not in named:
        found.append(HTTPS_ONLY)
    return found
