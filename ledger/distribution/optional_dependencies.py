"""Libraries that come with an extra of the package: whether they are here, and what is to be installed where not."""

import importlib.util
import shlex
from importlib import metadata
from pathlib import Path

from ledger.errors import MissingError

__all__ = ["needs_extra", "requirements"]


def needs_extra(*modules: str, extra: str) -> None:
    """Raises MissingError for the first of these libraries of an extra that is not installed."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise MissingError(f"this needs {module}, which is not installed", "extra.install", extra)


def requirements(extra: str) -> str:
    """Return the requirements of an extra, quoted for a shell, for `pip install`.

    By the names of the libraries: that holds from any folder, however this package was installed. Where it was not, or
    before it had that extra, it runs from a checkout, which is named.
    """
    try:
        needed = metadata.requires("rollproof") or []
    except metadata.PackageNotFoundError:
        needed = []
    asked = (text.partition(";") for text in needed)
    found = [name.strip() for name, _, marker in asked if marker.replace('"', "'").strip() == f"extra == '{extra}'"]
    return shlex.join(found or [f"{Path(__file__).parents[2]}[{extra}]"])
