"""An event loop in a thread, for programs that have none: commands of the command line."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

__all__ = ["Portal"]

_T = TypeVar("_T")


class Portal:
    """Runs coroutines, each until it is done. Close it at the end."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self.loop.run_forever, name="portal", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        """What it comes to; whoever is interrupted while waiting has it cancelled. Raises what it raises."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def begin(self, coroutine: Coroutine[Any, Any, _T]) -> Future[_T]:
        """Have it run until it is done or the portal is closed; what it comes to is there then."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)

    def close(self) -> None:
        """End all that runs."""
        asyncio.run_coroutine_threadsafe(self._end(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _end(self) -> None:
        running = asyncio.all_tasks() - {asyncio.current_task()}
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self.loop.shutdown_asyncgens()
