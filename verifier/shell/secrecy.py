"""What keeps a program's secrets in the program: no passphrase in its environment, no memory on a disk.

Called once, before anything else is done: no process that is started later inherits what was in the environment.
"""

import os
import re
import sys
from importlib import import_module

__all__ = ["keep_secrets", "no_core_dumps", "secret_variable"]

_SECRET = re.compile(r"ROLLPROOF_((PEM_)?PASSPHRASE(_(?!FILE\Z)[A-Z0-9_]+)?|DATABASE|MEMORY)")
"""variables with a passphrase or a password in them; ROLLPROOF_PASSPHRASE_FILE is a file's name"""
_kept: dict[str, str] = {}


def keep_secrets() -> None:
    """Take passphrases and passwords out of the environment, for this program alone; and leave no core dump."""
    no_core_dumps()
    for name in filter(_SECRET.fullmatch, list(os.environ)):
        _kept[name] = os.environ[name]
        _wipe(name)
        del os.environ[name]


def secret_variable(name: str) -> str | None:
    """What such a variable had; None where there was none."""
    return _kept.get(name, os.environ.get(name))


def no_core_dumps() -> None:
    """Have the system write no memory of this process to a disk when it dies, nor of those that it starts."""
    if sys.platform != "win32":
        resource = import_module("resource")  # not on every platform
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _wipe(name: str) -> None:
    """Overwrite a variable where the system put it: `/proc/PID/environ` shows that, of forked processes too."""
    if sys.platform == "win32":
        return
    import ctypes

    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_void_p
    at = libc.getenv(name.encode())
    if at:
        ctypes.memset(at, 0, len(ctypes.string_at(at)))
