"""`python -m ledger.cluster.child`: verifies logs that come by name on standard input, for the worker that started it.

The first piece is a pickled `Setup`, answered with what is wrong, or nothing. It comes from the worker, which has it
from whoever sent it work: who may do that runs what he likes there anyway (specs/verification.md, "Other machines").
"""

import os
import pickle
import signal
import sys
from contextlib import suppress

from ledger.cluster.frames import read_frame, write_frame
from ledger.cluster.task import Setup
from ledger.distribution.version import fingerprint, own_version
from verifier.shell.audit import make_auditor

__all__ = ["main"]


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches it too, on one machine; the first process decides
    # What a library prints goes elsewhere than the answers.
    into, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    first = read_frame(into)
    if first is None:
        return
    setup: Setup = pickle.loads(first)  # noqa: S301 (see above)
    wrong = _unfit(setup)
    with suppress(OSError):  # the worker is gone
        write_frame(out, wrong.encode())
        if wrong:
            return
        audit_log = make_auditor(setup.options, 1)
        while (name := read_frame(into)) is not None:
            write_frame(out, audit_log(name))


def _unfit(setup: Setup) -> str:
    if setup.fingerprint != fingerprint():
        return (
            f"has another version of this program: {own_version()} ({fingerprint()[:12]}), here it is {setup.version} "
            f"({setup.fingerprint[:12]}). Install the same version on all workers"
        )
    if not setup.options.named:
        return ""
    try:
        os.chdir(setup.folder)
    except OSError as error:
        return (
            f"cannot see the folder {setup.folder} ({error.strerror}), from which files were named. Name the logs by "
            "addresses, or use a file system that all machines share"
        )
    return ""


if __name__ == "__main__":
    main()
