"""What verifying a log costs: processor time against that of ordinary games of its system, and bytes of state."""

import gc
import json
import resource
import subprocess
import sys
from operator import itemgetter
from pathlib import Path
from time import process_time
from typing import NamedTuple

import msgspec

from tests.hostile.ordinary import ordinary
from verifier import Report, verify

__all__ = ["MOST_STATE", "TIMES", "Cost", "cost", "peak"]

TIMES = 20
"""how many times as much as an ordinary log of its length a log may cost; so many bytes of state a byte"""
MOST_STATE = 4_000_000
"""bytes of state that a log of any length may have"""
_TURNS = 5
_ORDINARY = 60_000


class Cost(NamedTuple):
    """What one log costs."""

    seconds: float
    times: float
    """as much as ordinary games of its system"""
    state: int
    """bytes of JSON"""
    report: Report


def _seconds(log: bytes) -> tuple[float, Report]:
    gc.collect()  # what the process had before is not gone through again at this log's expense
    gc.freeze()
    begun = process_time()
    report, _ = verify(log, jobs=1)
    return process_time() - begun, report


def cost(system: str, log: bytes) -> Cost:
    """What a log of a system costs. It takes turns with the ordinary ones, and of each the quickest turn counts."""
    usual = ordinary(system, _ORDINARY)
    verify(usual[0], jobs=1)  # what is loaded once
    turns = [([_seconds(each)[0] for each in usual], _seconds(log)) for _ in range(_TURNS)]
    seconds, report = min((turn for _, turn in turns), key=itemgetter(0))
    pace = sum(map(min, zip(*(paces for paces, _ in turns), strict=True))) / sum(map(len, usual))
    return Cost(seconds, seconds / len(log) / pace, len(msgspec.json.encode(report.state)), report)


_MEASURED = """
import json, re, resource, sys
from pathlib import Path
from verifier import verify
with open(sys.argv[1], "rb") as stream:
    report, _ = verify(stream.read(), jobs=1)
import msgspec
told = msgspec.json.encode(report)
# Where there is one, the kernel's own figure for this program: the other one begins with that of its parent.
status = Path("/proc/self/status")
most = re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text()) if status.exists() else None
print(json.dumps([int(most[1]) if most else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, report.verdict]))
"""


def peak(path: Path) -> tuple[float, str]:
    """The most megabytes that a process takes which verifies a log and makes its report in JSON; the verdict."""
    done = subprocess.run([sys.executable, "-c", _MEASURED, str(path)], capture_output=True, text=True, check=True)
    most, verdict = json.loads(done.stdout)
    return most / 1024 if sys.platform != "darwin" else most / 2**20, verdict


def limited(megabytes: int) -> None:
    """For a process before it begins: it may have so much address space."""
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
