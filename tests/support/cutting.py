"""A way to a PostgreSQL server that is cut at a COMMIT."""

import multiprocessing
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.managers import BaseManager, NamespaceProxy  # type: ignore[attr-defined]  # not in typeshed
from pathlib import Path
from typing import cast

__all__ = ["Cutting", "cutting_apart"]


class Cutting:
    """A way to the service that is cut at the next COMMIT: before it gets there, or before its answer comes back."""

    def __init__(self, folder: Path, target: str) -> None:
        self.cut: str | None = None
        self.cuts = 0
        self.target = target
        """the socket that new connections go to"""
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._both, args=(near,), daemon=True).start()

    def _both(self, near: socket.socket) -> None:
        with near, socket.socket(socket.AF_UNIX) as far:
            try:
                far.connect(self.target)
            except OSError:
                return  # it does not run: nobody answers
            ended = threading.Event()
            answers = threading.Thread(target=self._pass, args=(far, near, False, ended), daemon=True)
            answers.start()
            self._pass(near, far, True, ended)
            answers.join()

    def _pass(self, one: socket.socket, two: socket.socket, asks: bool, ended: threading.Event) -> None:
        try:
            while data := one.recv(65_536):
                commits = asks and b"COMMIT" in data and self.cut is not None
                if commits and self.cut == "before":
                    break
                if ended.is_set():
                    break
                if commits:
                    ended.set()  # nothing comes back any more
                two.sendall(data)
        except OSError:
            pass
        finally:
            if asks and self.cut is not None:
                self.cuts += 1
                self.cut = None
            for each in (one, two):
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listening.close()


class _Manager(BaseManager):
    """The process in which a way is."""


_Manager.register("Cutting", Cutting, NamespaceProxy)


@contextmanager
def cutting_apart(folder: Path, target: str) -> Iterator[Cutting]:
    """A way in a process of its own: what it passes on does not wait until the caller's process has time."""
    with _Manager(ctx=multiprocessing.get_context("spawn")) as manager:
        make = getattr(manager, "Cutting")  # noqa: B009 - a registered name
        yield cast(Cutting, make(folder, target))
