"""A log that an argument names: a file, or a stored game."""

import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from ledger.cli.call import Call
from ledger.cli.language import Translate
from ledger.cli.output import printable
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from verifier import Pins, Replay, Report

__all__ = ["LogSource", "named_log"]


class LogSource(NamedTuple):
    """A log: its printed name, a function that opens it, and the checkpoints that are stored with it."""

    name: str
    open: Callable[[], BinaryIO]
    receipts: Mapping[str, bytes]

    def verified(self, translate: Translate, pins: "Pins | None" = None) -> "tuple[Report, Replay | None]":
        """Return the log verified as `rollproof verify` does it. Raises OSError."""
        import os

        from verifier import verify

        with self.open() as stream:
            jobs = os.cpu_count() or 1
            return verify(stream, name=self.name, pins=pins, jobs=jobs, translate=translate, receipts=self.receipts)

    def lines(self, count: int) -> Iterator[bytes]:
        """Yield the first `count` lines, without line feeds. Raises OSError."""
        with self.open() as stream:
            for _number, line in zip(range(count), stream, strict=False):
                yield line.removesuffix(b"\n")


def named_log(call: Call, text: str) -> LogSource:
    """Return the log that `text` names. Raises UsageError, OSError."""
    _ = call.translate
    from verifier.shell.files import Brought, is_address

    path = Path(text)
    if path.is_file():
        return LogSource(printable(text), lambda: path.open("rb"), Brought().of(path))
    try:
        id_ = call.find(text) if call.home.ledger_path.exists() else None
    except UsageError:
        id_ = None
    if id_ is None and path.exists():
        raise MissingError(_("{path}: this is no regular file").format(path=printable(text)))
    if id_ is None and is_address(text):
        told = _("{what}: addresses are for verify and export --parquet; save the log in a file for anything else")
        raise UsageError(told.format(what=printable(text)))
    if id_ is None:
        raise MissingError(_("{what}: there is no such log or stored game").format(what=printable(text)))
    stream = io.BytesIO()
    call.ledger.export(id_, stream)
    name, checkpoint = _("game {game}").format(game=id_.hex()[:12]), call.ledger.checkpoint(id_)
    return LogSource(name, lambda: io.BytesIO(stream.getvalue()), {name: bytes(checkpoint)} if checkpoint else {})
