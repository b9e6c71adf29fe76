"""Processes that check signatures, played by this one."""

from collections.abc import Callable

from verifier.log.workers import WorkResult

__all__ = ["LatestFirst"]


class LatestFirst:
    """Workers that answer the latest piece of work first, as slow and quick processes may."""

    busy = room = True

    def __init__(self, count: int, make: Callable[[], Callable[[bytes], bytes]], **_options: object) -> None:
        self.function = make()
        self.pieces: list[tuple[int, bytes]] = []

    def submit(self, number: int, work: bytes) -> None:
        self.pieces.append((number, work))
        self.room = len(self.pieces) < 16

    def wait(self, timeout: float | None = None) -> list[WorkResult]:
        if timeout == 0:  # so that the next piece is checked by the one who made it
            return []
        number, work = self.pieces.pop()
        self.room = True
        return [WorkResult(number, self.function(work))]

    def close(self) -> None:
        """Nothing to end."""
