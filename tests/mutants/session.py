"""Changes tried in forks of one pytest session, which has collected every test that can notice one of them.

A fork puts the altered function in the place of the one that everybody has imported, hands the altered module down to
the processes that a test starts, and runs the tests that come to the line, those first that noticed the last change
of the function, until one fails. A test that takes long and fails is run once more without any change: what fails then
as well has noticed nothing.
"""

import contextlib
import gc
import io
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import _lru_cache_wrapper
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from tests.mutants import scripts
from tests.mutants.altered import CHILD, Altered, hand_down
from tests.mutants.one_server import one_server
from tests.mutants.record import ROOT, Reached
from tests.mutants.scripts import Script
from tests.mutants.sites import Site, Tree

__all__ = ["Session"]

SURVIVED = ""
LONG = 0.5
"""seconds from which on a test that fails is run once more without the change"""
AT_MOST = 2.0
TIMES = 5
"""of processor time a test may take: as many seconds, and as many times what it took when it was recorded"""
SHARING = ("tests/server/", "tests/web/")
"""folders of which each file opens a server or a process of Node once, for all its tests: these stay together"""
PATIENCE = 20
"""times as long as recorded a fork may take, on a machine that is busy with other things"""
AT_LEAST = 90.0
MEMORY = 4 << 30

Work = tuple[str, Tree | Script, Site]
Told = Callable[[Work, str], None]


class Session:
    """A plugin of pytest that tries changes where it would run tests."""

    def __init__(
        self, work: Sequence[Work], reached: Reached, told: Told, *, workers: int = 1, seconds: float = 15
    ) -> None:
        """`told` is called with each change and who noticed it, in the order in which they are done.

        A change is shown to tests for so many seconds of a processor, by what they took when they were recorded.
        """
        self._work, self._reached, self._tell = work, reached, told
        self._workers, self._seconds = workers, seconds
        self._killers: dict[str, Counter[str]] = defaultdict(Counter)
        self._unsteady: Counter[str] = Counter()
        self._ways: dict[str, dict[str, frozenset[str]]] = {}
        self._vectors = Path(tempfile.mkdtemp(prefix="vectors-")) / "known.json"

    def run(self) -> None:
        """Collect what is needed, and try everything."""
        import pytest

        if any(group == "web" for group, _, _ in self._work):
            scripts.differing_vectors(self._vectors)
        needed = {test for _, _, site in self._work for test in self._tests(site)}
        files = sorted(file for file in {test.partition("::")[0] for test in needed} if (ROOT / file).exists())
        if not files:
            self._try_all({})
            return
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(CHILD), os.environ.get("PYTHONPATH"))))
        silent = io.StringIO()
        with contextlib.redirect_stdout(silent):
            options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow", f"--rootdir={ROOT}"]
            code = pytest.main([*options, *(str(ROOT / file) for file in files)], plugins=[self])
        if code not in (0, 5):
            raise RuntimeError(f"the tests cannot be collected:\n{silent.getvalue()[-3000:]}")

    # --- called by pytest ---------------------------------------------------------------------------------------------

    def pytest_collection(self) -> None:
        """Draw the same examples each time."""
        import hypothesis

        kept = hypothesis.settings(hypothesis.settings.default, derandomize=True, database=None, max_examples=30)
        hypothesis.settings.register_profile("mutants", kept)
        hypothesis.settings.load_profile("mutants")

    def pytest_runtestloop(self, session: Any) -> bool:
        """Try each change."""
        in_browsers = all(group == "core" for group, _, _ in self._work)
        with one_server() if in_browsers else contextlib.nullcontext():
            self._try_all({item.nodeid: item for item in session.items})
        return True

    # --- trying -------------------------------------------------------------------------------------------------------

    def _try_all(self, items: dict[str, Any]) -> None:
        self._items = items
        gc.unfreeze()
        objects = gc.get_objects()
        self._functions: dict[CodeType, list[FunctionType]] = defaultdict(list)
        for one in objects:
            if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(ROOT)):
                self._functions[one.__code__].append(one)
        self._caches = [one for one in objects if isinstance(one, _lru_cache_wrapper)]
        del objects
        gc.freeze()
        running: list[_Fork] = []
        for one in self._work:
            tests = self._chosen(one[2])
            if not tests and one[0] != "web":
                self._tell(one, SURVIVED)
                continue
            while len(running) >= self._workers:
                self._reap(running)
            running.append(_Fork(self, one, tests))
        while running:
            self._reap(running)

    def _reap(self, running: list["_Fork"]) -> None:
        """Wait until one has ended, and tell."""
        ready, _, _ = select.select([fork.pipe for fork in running], [], [], 1)
        for fork in list(running):
            if fork.pipe not in ready and not fork.late:
                continue
            running.remove(fork)
            noticed = fork.result()
            test = noticed.removeprefix("test ")
            if test in self._items and self._reached.seconds.get(test, 0) > LONG and self._fails_anyway(test):
                self._unsteady[test] += 1
                left = [each for each in fork.tests if each != test]
                if left:
                    running.append(_Fork(self, fork.work, left))
                    continue
                noticed = SURVIVED
            if test in self._items:
                site = fork.work[2]
                for place in (_place(site), site.module):
                    self._killers[place][test] += 1
            self._tell(fork.work, test)

    def _fails_anyway(self, test: str) -> bool:
        fork = _Fork(self, None, [test])
        while not select.select([fork.pipe], [], [], 1)[0] and not fork.late:
            pass
        return fork.result() != SURVIVED

    # --- which tests --------------------------------------------------------------------------------------------------

    def _tests(self, site: Site) -> set[str]:
        return self._reached.tests(site.module, site.function, site.text)

    def _chosen(self, site: Site) -> list[str]:
        """Those that are shown the change, as many as there is time for.

        First those that noticed others there, then of each file the quickest on each way through the function, rare
        ways first.
        """
        known = {test for test in self._tests(site) if test in self._items}
        seconds = self._reached.seconds
        killers = (self._killers[place].most_common(3) for place in (_place(site), site.module))
        chosen = list(dict.fromkeys(test for found in killers for test, _ in found if test in known))
        left = self._seconds - sum(seconds[test] for test in chosen)
        in_turn = list(self._in_turn(site, known.difference(chosen)))
        slow = [test for test in in_turn if seconds[test] > self._seconds / 10]
        quick = [test for test in in_turn if seconds[test] <= self._seconds / 10]
        for tests, kept in ((quick, left / 2 if slow else 0), (slow, 0)):  # neither keeps the other away
            for test in tests:
                if left <= kept:
                    break
                if seconds[test] > self._seconds:
                    continue
                chosen.append(test)
                left -= seconds[test]
        if any(test.startswith(SHARING) for test in chosen):
            chosen.sort(key=lambda each: each.partition("::")[0])
        return chosen

    def _in_turn(self, site: Site, tests: set[str]) -> Iterator[str]:
        if _place(site) not in self._ways:
            self._ways = {_place(site): self._reached.ways(site.module, site.function)}
        taken: dict[tuple[frozenset[str], str], list[str]] = defaultdict(list)
        for test in sorted(tests, key=lambda each: (self._reached.seconds[each], each)):
            taken[self._ways[_place(site)].get(test, frozenset()), test.partition("::")[0]].append(test)
        ways = sorted(taken.values(), key=len)
        for following in zip_longest(*ways):
            yield from (test for test in following if test is not None)

    # --- in a fork ----------------------------------------------------------------------------------------------------

    def try_it(self, work: Work | None, tests: Sequence[str], folder: Path) -> str:
        """Put the change in place, and run tests until one fails: "test NAME"; or SURVIVED."""
        from _pytest.runner import runtestprotocol

        known = None if work is None else self._put_in_place(work, folder)
        if known is not None:
            return known
        for cache in self._caches:
            cache.cache_clear()
        items = [self._items[test] for test in tests]
        if not items:
            return SURVIVED
        items[0].config._tmp_path_factory._basetemp = folder
        for item, following in zip(items, [*items[1:], None], strict=True):
            # What needs longer than this is taken to go on without end, and the process ends.
            signal.setitimer(signal.ITIMER_PROF, AT_MOST + TIMES * self._reached.seconds[item.nodeid])
            for report in runtestprotocol(item, log=False, nextitem=following):
                if report.failed:
                    return f"test {item.nodeid}"
        return SURVIVED

    def _put_in_place(self, work: Work, folder: Path) -> str | None:
        """Let this process and those that it starts run what is changed; who notices, if that is known at once."""
        group, tree, site = work
        if isinstance(tree, Script):
            scripts.hand_down(folder / "altered", tree, site)
            piece = scripts.differing_vectors(self._vectors) if group == "web" else None
            return f"vectors: {piece}" if piece else None
        site.apply()
        code = compile(tree.tree, str(tree.path), "exec")
        hand_down(folder / "altered", tree.module, code, tree.path)
        if tree.module not in sys.modules:
            sys.meta_path.insert(0, Altered(tree.module, code, str(tree.path)))
        elif not self._replace(tree.module, site, code):
            return SURVIVED  # nothing that is here has the change, so nothing can notice it
        return None

    def _replace(self, module: str, site: Site, altered: CodeType) -> bool:
        """Give every function that is there the altered code; whether any was there."""
        qualified, found = site.function, False
        codes = {(code.co_qualname, code.co_firstlineno): code for code in _codes(altered)}
        path = altered.co_filename
        for old, functions in self._functions.items():
            if old.co_filename == path and _within(qualified, old.co_qualname):
                new = codes.get((old.co_qualname, old.co_firstlineno))
                if new is None or new.co_freevars != old.co_freevars:
                    continue
                for function in functions:
                    function.__code__ = new
                    found = True
        return found


class _Fork:
    """A process of its own, with all that it starts."""

    def __init__(self, session: Session, work: Work | None, tests: Sequence[str]) -> None:
        self.work: Any = work
        self.tests = tests
        self.folder = Path(tempfile.mkdtemp(prefix="mutant-"))
        seconds = sum(session._reached.seconds[test] for test in tests)
        self._until = time.monotonic() + AT_LEAST + PATIENCE * seconds
        self.pipe, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            told = "it crashed"
            try:
                os.setsid()
                silence = os.open(os.devnull, os.O_RDWR)
                for descriptor in (0, 1, 2):
                    os.dup2(silence, descriptor)
                resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
                told = session.try_it(work, tests, self.folder)
            except BaseException as error:
                told = f"it crashed: {type(error).__name__}: {error}"
            finally:
                os.write(writer, told.encode()[:4000] + b"\n")
                os._exit(0)
        os.close(writer)

    @property
    def late(self) -> bool:
        return time.monotonic() > self._until

    def result(self) -> str:
        """Who noticed; what it has started is ended with it."""
        told = os.read(self.pipe, 5000) if not self.late else b"ran out of time"
        os.close(self.pipe)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        shutil.rmtree(self.folder, ignore_errors=True)
        return told.decode(errors="replace").strip() if told else "ran out of time or memory"


def _place(site: Site) -> str:
    return f"{site.module}:{site.function}"


def _codes(code: CodeType) -> Iterable[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)


def _within(qualified: str, name: str) -> bool:
    """Whether a code of this name is the function or stands around it: `A.f` for `A.f.inner`."""
    plain = name.replace(".<locals>", "")
    return qualified == plain or qualified.startswith(f"{plain}.") or plain.startswith(f"{qualified}.")
