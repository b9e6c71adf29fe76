"""The version of this program: its number, and a hash of the code that judges."""

from functools import cache
from hashlib import sha256
from pathlib import Path

__all__ = ["fingerprint", "own_version"]

_PACKAGES = Path(__file__).parents[2]
"""the folder in which the three packages are installed side by side"""


def own_version() -> str:
    """Return the number of the installed package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rollproof")
    except PackageNotFoundError:
        return "not installed"


@cache
def fingerprint() -> str:
    """Return a SHA-256, in hex, over names and bytes of all modules of the three packages."""
    hashed = sha256()
    for name in ("ledger", "rules", "verifier"):
        top = _PACKAGES / name
        for path in sorted([*top.rglob("*.py"), *top.rglob("*.sql")]):
            data = path.read_bytes()
            hashed.update(f"{top.name}/{path.relative_to(top).as_posix()} {len(data)}\n".encode() + data)
    return hashed.hexdigest()
