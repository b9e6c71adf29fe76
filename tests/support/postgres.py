"""A PostgreSQL server of one's own for as long as a test needs it, in a folder, where it listens at a socket."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import psycopg

__all__ = ["Cluster", "cluster", "follower", "free_port", "programs"]

USER = "postgres"


def programs() -> Path | None:
    """The folder with PostgreSQL's programs, the newest; None where it is not installed."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return known[-1].parent if known else None


class Cluster:
    """A server of its own, with databases that are made when they are asked for."""

    def __init__(self, folder: Path, programs: Path, port: int | None = None) -> None:
        """`port`: it listens there too, at all addresses of this machine; None: at its socket alone."""
        self.folder, self._bin, self._port = folder, programs, port
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """Of its first process, where it runs."""
        return None if self._process is None else self._process.pid

    def url(self, name: str = "postgres") -> str:
        """The address of a database."""
        port = "" if self._port is None else f"&port={self._port}"
        return f"postgresql:///{name}?host={self.folder}&user={USER}{port}"

    def url_at(self, host: str, name: str) -> str:
        """The address of a database for whoever reaches this machine by that name."""
        return f"postgresql://{USER}@{host}:{self._port}/{name}"

    def make(self, name: str) -> str:
        """A new database; its address."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return self.url(name)

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [str(self._bin / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder)]
        command += ["-h", ""] if self._port is None else ["-h", "*", "-p", str(self._port)]
        for _ in range(600):
            if self._process is None or self._process.poll() is not None:  # a process that was killed was still dying
                self._process = subprocess.Popen(
                    [*_as_user(), *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
                )
            try:
                psycopg.connect(self.url(), connect_timeout=2).close()
                return
            except psycopg.Error:
                time.sleep(0.1)
        raise AssertionError("PostgreSQL did not start")

    def kill(self) -> None:
        """The machine dies: all its processes at once."""
        told = (self.folder / "data" / "postmaster.pid").read_text(encoding="ascii")
        os.kill(int(told.splitlines()[0]), signal.SIGKILL)
        self.reap()

    def promote(self) -> None:
        """A standby takes over, and takes writes."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute("SELECT pg_promote(true, 60)")

    def reap(self) -> None:
        """It was killed: wait until it has ended."""
        if self._process is not None:
            self._process.wait(60)
            self._process = None

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop; SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one."""
        if self._process is not None:
            told = (self.folder / "data" / "postmaster.pid").read_text(encoding="ascii")
            os.kill(int(told.splitlines()[0]), how)
            self._process.wait(60)
            self._process = None


@contextmanager
def cluster(network: str | None = None) -> Iterator[Cluster | None]:
    """A running server, or None where there are no programs; `network`: addresses from which it is reached, too."""
    found = programs()
    if found is None:
        yield None
        return
    folder = Path(mkdtemp(prefix="rp-pg-"))  # short: a socket's path has at most 107 bytes
    try:
        if os.getuid() == 0:
            shutil.chown(folder, USER)
        options = ["-D", str(folder / "data"), "-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C", "-N"]
        subprocess.run([*_as_user(), str(found / "initdb"), *options], check=True, capture_output=True, cwd="/")
        if network is not None:
            with (folder / "data" / "pg_hba.conf").open("a") as file:
                file.write(f"host all all {network} trust\n")
        server = Cluster(folder, found, None if network is None else free_port())
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def follower(primary: Cluster) -> Iterator[Cluster]:
    """A standby of a server, which runs and follows it."""
    folder = Path(mkdtemp(prefix="rp-pg-"))
    try:
        if os.getuid() == 0:
            shutil.chown(folder, USER)
        copy = [str(primary._bin / "pg_basebackup"), "-D", str(folder / "data"), "-R", "-h", str(primary.folder)]
        subprocess.run([*_as_user(), *copy, "-U", USER, "-c", "fast"], check=True, capture_output=True, cwd="/")
        standby = Cluster(folder, primary._bin)
        standby.start()
        try:
            yield standby
        finally:
            standby.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as found:
        found.bind(("", 0))
        port: int = found.getsockname()[1]
        return port


def _as_user() -> list[str]:
    """PostgreSQL does not run as root."""
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"] if os.getuid() == 0 else []
