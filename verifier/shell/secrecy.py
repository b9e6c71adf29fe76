"""Protection of a program's secrets: no passphrase stays in its environment, and no memory is written to a disk.

Call it before anything else, so that no process that is started later inherits secrets from the environment.
"""

import os
import re
import sys
from importlib import import_module

__all__ = ["keep_secrets", "no_core_dumps", "secret_variable"]

_SECRET = re.compile(r"ROLLPROOF_((PEM_)?PASSPHRASE(_(?!FILE\Z)[A-Z0-9_]+)?|DATABASE|MEMORY)")
"""variables that hold a passphrase or password; ROLLPROOF_PASSPHRASE_FILE is only the name of a file"""
_kept: dict[str, str] = {}


def keep_secrets() -> None:
    """Move passphrases and passwords out of the environment into this program, and disable core dumps."""
    no_core_dumps()
    for name in filter(_SECRET.fullmatch, list(os.environ)):
        _kept[name] = os.environ[name]
        _wipe(name)
        del os.environ[name]


def secret_variable(name: str) -> str | None:
    """Return the value of such a variable; None if it was not set."""
    return _kept.get(name, os.environ.get(name))


def no_core_dumps() -> None:
    """Disable core dumps of this process and of those that it starts."""
    if sys.platform != "win32":
        resource = import_module("resource")  # some platforms do not have it
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _wipe(name: str) -> None:
    """Overwrite a variable in memory, because `/proc/PID/environ` shows it, for forked processes too."""
    if sys.platform == "win32":
        return
    import ctypes

    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_void_p
    at = libc.getenv(name.encode())
    if at:
        ctypes.memset(at, 0, len(ctypes.string_at(at)))
