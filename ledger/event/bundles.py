"""The bundle of an event (specs/event.md, "The bundle")."""

import hashlib
from collections.abc import Mapping, Sequence
from tempfile import SpooledTemporaryFile
from typing import BinaryIO

from ledger.store.ledger import Ledger
from verifier.event.bundle import BUNDLE_FORMAT, BundledFile, BundleManifest, read_manifest
from verifier.log.plainjson import encode

__all__ = ["add_files", "write_bundle"]

_IN_MEMORY = 50_000_000
_BLOCK = 1_000_000


def write_bundle(
    out: BinaryIO,
    ledger: Ledger,
    first: Mapping[str, bytes],
    games: Sequence[str],
    last: Mapping[str, bytes],
) -> None:
    """Write a bundle: the files of `first`, the logs and checkpoints of `games` (ids, hex), the files of `last`."""
    entries = list[BundledFile]()
    with SpooledTemporaryFile(_IN_MEMORY) as parts:

        def add(name: str, data: bytes) -> None:
            entries.append(_entry(name, data))
            parts.write(data)

        for name, data in first.items():
            add(name, data)
        for game in games:
            id_ = bytes.fromhex(game)
            checkpoint = ledger.checkpoint(id_)
            if checkpoint is not None:
                add(f"games/{game}.checkpoint", bytes(checkpoint))
            add(f"games/{game}.jsonl", b"".join(line + b"\n" for line in ledger.lines(id_)))
        for name, data in last.items():
            add(name, data)
        out.write(encode(BundleManifest(BUNDLE_FORMAT, tuple(entries))) + b"\n")
        parts.seek(0)
        while block := parts.read(_BLOCK):
            out.write(block)


def add_files(out: BinaryIO, bundle: BinaryIO, last: Mapping[str, bytes]) -> None:
    """Write a bundle with the files of `last` behind its own. Without any, it is the same. Raises NoteError."""
    manifest = read_manifest(bundle)
    entries = (*manifest.files, *(_entry(name, data) for name, data in last.items()))
    out.write(encode(BundleManifest(BUNDLE_FORMAT, entries)) + b"\n")
    while block := bundle.read(_BLOCK):
        out.write(block)
    out.writelines(last.values())


def _entry(name: str, data: bytes) -> BundledFile:
    return BundledFile(name, hashlib.sha256(data).hexdigest(), len(data))
