"""One change, tried in a process of its own: a fork that compiles the altered tree, puts it in place and looks."""

import importlib
import os
import resource
import signal
import sys

from tests.mutants import witnesses
from tests.mutants.altered import Altered
from tests.mutants.sites import Site, Tree

__all__ = ["SURVIVED", "Trial"]

SURVIVED = ""
"""what a trial comes to where nobody notices; else who does"""

CPU_SECONDS = 20
"""for the vectors, which take a second; a loop without end is noticed by this"""
CPU_SECONDS_OF_TESTS = 180
MEMORY = 6 << 30


class Trial:
    """A process that tries a change, on the vectors with these numbers (None: all). `result` waits for it."""

    def __init__(self, group: str, tree: Tree, site: Site, numbers: list[int] | None, *, tests: bool) -> None:
        self.site = site
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reader)
            told = "it crashed"
            try:
                told = _try(group, tree, site, numbers, tests=tests)
            finally:
                os.write(writer, told.encode()[:4000] + b"\n")
                os._exit(0)
        os.close(writer)
        self._reader = reader

    def result(self) -> str:
        """Who noticed; SURVIVED where nobody did."""
        with os.fdopen(self._reader, "rb") as pipe:
            told = pipe.read()
        os.waitpid(self.pid, 0)
        return told.decode().strip() if told else "ran out of time or memory"


def _try(group: str, tree: Tree, site: Site, numbers: list[int] | None, *, tests: bool) -> str:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    site.apply()
    for name in [name for name in sys.modules if name.split(".")[0] in ("rules", "verifier", "ledger")]:
        del sys.modules[name]
    sys.meta_path.insert(0, Altered(tree.module, compile(tree.tree, str(tree.path), "exec"), str(tree.path)))
    writes = witnesses.writes(tree.module)
    try:
        importlib.import_module("rules.script")
        importlib.import_module(tree.module)
    except Exception as error:
        return f"import: {type(error).__name__}"
    found = None if writes else witnesses.notices_in_vectors(group, numbers)
    if found is None and tests:
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS_OF_TESTS)
        found = witnesses.notices_in_tests(group, tree.module, played=numbers != [])
    return found or SURVIVED
