"""The server's log for its operator: one JSON object a line on standard error.

Messages of libraries and of the interpreter have the same form. A repeated message, which outsiders may provoke, is
written once a minute, with the number of repetitions.
"""

import logging
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["Seldom", "journal", "take_over"]

_ALL: tuple[structlog.typing.Processor, ...] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
)
_RENDERED = structlog.processors.JSONRenderer(sort_keys=True)


def journal() -> "FilteringBoundLogger":
    """Return the program's own logger. Never log secrets or personal data."""
    structlog.configure(
        processors=[_seldom(Seldom()), *_ALL, _RENDERED], logger_factory=structlog.WriteLoggerFactory(sys.stderr)
    )
    logger: FilteringBoundLogger = structlog.get_logger()
    return logger


def _seldom(seldom: "Seldom") -> structlog.typing.Processor:
    """Return a step that writes the same failure of the program once a minute."""

    def step(_: object, level: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        if level in ("warning", "error"):
            error = event.get("exc_info")
            what = type(error).__name__ if isinstance(error, BaseException) else str(event.get("problem", ""))[:200]
            kept_back = seldom.say((str(event["event"]), what))
            if kept_back is None:
                raise structlog.DropEvent
            if kept_back:
                event["repeated"] = kept_back
        return event

    return step


def take_over() -> None:
    """Send all other messages of this process through this log."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*_ALL[:2], structlog.stdlib.ExtraAdder(["repeated"])],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _ALL[2], _RENDERED],
        )
    )
    handler.addFilter(Seldom())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(True)
    threading.excepthook = lambda failure: _failed(failure.exc_type, failure.exc_value, failure.exc_traceback)
    sys.unraisablehook = lambda failure: _failed(failure.exc_type, failure.exc_value, failure.exc_traceback)


def _failed(kind: type[BaseException], error: BaseException | None, at: TracebackType | None) -> None:
    """Log an error that ended a thread, or that had no other receiver."""
    logging.getLogger("python").error("failed", exc_info=(kind, error or kind(), at))


class Seldom(logging.Filter):
    """Lets the same message through once a minute."""

    EVERY = 60.0
    KEPT = 1_000
    """messages that are remembered"""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._said: dict[tuple[str, str], tuple[float, int]] = {}
        """by logger and message: when it was said, and how often it was not since"""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if a record is to be written; add the number of suppressed repetitions to it."""
        kept_back = self.say((record.name, str(record.msg)[:200]))
        if kept_back:
            record.repeated = kept_back
        return kept_back is not None

    def say(self, message: tuple[str, str]) -> int | None:
        """Return the number of repetitions suppressed since a message was last written; None to suppress it now."""
        now = self._clock()
        before, kept_back = self._said.get(message, (-self.EVERY, 0))
        if now - before < self.EVERY:
            self._said[message] = before, kept_back + 1
            return None
        if len(self._said) >= self.KEPT:
            self._said.clear()
        self._said[message] = now, 0
        return kept_back
