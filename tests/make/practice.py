"""What the documentation site makes beside its pages: logs to practise with, and the page that verifies logs."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

SPECS = Path(__file__).resolve().parents[2] / "specs"
MADE = ("api.md", "practice.zip", "verify.html")
"""files at the top of the site that the pages link to and that are not among their sources"""
_VECTORS = SPECS / "vectors"
_LOGS = {
    "table-12.jsonl": _VECTORS / "logs" / "holds--rulings.jsonl",
    "table-13.jsonl": _VECTORS / "systems" / "dice--holds.jsonl",
    "table-14.jsonl": _VECTORS / "logs" / "reveal.naturals--changed.jsonl",
    "table-15.jsonl": _VECTORS / "logs" / "line.malformed--last-line-nobody-signed-over.jsonl",
    "table-16-alice.jsonl": _VECTORS / "logs" / "holds--copy-shown-to-alice.jsonl",
    "table-16-bob.jsonl": _VECTORS / "logs" / "holds--copy-shown-to-bob.jsonl",
}
"""logs of a round: two that hold, one whose keeper cheated, a damaged one, and one that was told in two ways"""


def zipped(files: dict[str, bytes]) -> bytes:
    """Return files as a zip file: sorted, with one time and one mode."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr, info.compress_type, info.create_system = 0o644 << 16, zipfile.ZIP_DEFLATED, 3
            packed.writestr(info, files[name])
    return stream.getvalue()


def practice_logs() -> dict[str, bytes]:
    """Return the logs to practise with, by name."""
    return {name: path.read_bytes() for name, path in _LOGS.items()}


def practice() -> bytes:
    """Return the logs to practise with, as a zip file with a folder `round-1`."""
    return zipped({f"round-1/{name}": data for name, data in practice_logs().items()})
