"""Browsers without a page: `ledger/web/core` in one Node process, driven line by line (tests/web/core.mjs)."""

import itertools
import json
import os
import shutil
import subprocess
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

NODE = shutil.which("node")
RUNNER = Path(__file__).with_name("core.mjs")
LIMIT = float(os.environ.get("ROLLPROOF_PATIENCE", "60"))
"""seconds: what takes longer hangs, however busy the machine is"""


class CoreError(Exception):
    """What core rejected with: the class's name, and its code where it has one."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['name']} {error['code']}: {error['message']}")
        self.name: str = error["name"]
        self.code: str | None = error["code"]
        self.message: str = error["message"]
        self.lines: list[str] = error["lines"]


class Browsers:
    """One process with any number of browsers, by name."""

    def __init__(self) -> None:
        assert NODE is not None
        self._process = subprocess.Popen([NODE, str(RUNNER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._ids = itertools.count()
        self._waiting: dict[int, Future[Any]] = {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line)
            future = self._waiting.pop(answer["id"])
            if "error" in answer:
                future.set_exception(CoreError(answer["error"]))
            else:
                future.set_result(answer["value"])
        for future in self._waiting.values():
            future.set_exception(AssertionError("the process has ended"))

    def begin(self, do: str, who: str = "", **given: Any) -> "Future[Any]":
        """Have something done; its answer comes."""
        assert self._process.stdin is not None
        identifier = next(self._ids)
        future: Future[Any] = Future()
        self._waiting[identifier] = future
        print(json.dumps({"id": identifier, "do": do, "who": who, "with": given}), file=self._process.stdin, flush=True)
        return future

    def __call__(self, do: str, who: str = "", **given: Any) -> Any:
        """Have something done; its answer. Raises CoreError."""
        return self.begin(do, who, **given).result(LIMIT)

    def until(self, who: str, condition: str) -> Any:
        """Wait for a snapshot `s`; it, without its events."""
        return self("until", who, condition=condition)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(LIMIT)
        self._reader.join(LIMIT)
        assert self._process.stdout is not None
        self._process.stdout.close()
