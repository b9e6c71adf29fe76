"""Handling of signals while a program is loading, when nothing has been done that would have to be
reported or undone.
"""

__all__ = ["leave"]

# Import nothing slow here, not even typing: until the handler is set, Ctrl-C prints a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def leave(program: str) -> "Callable[[int, object], None]":
    """Return a signal handler that ends the process with the code of specs/commands.md."""

    def left(number: int, _frame: object) -> None:
        import os
        import sys

        stopped = "stopped; nothing was signed"
        answer = f'{{"error":{{"kind":"stopped","message":"{stopped}","exit_code":{128 + number},"signed":[]}}}}\n'
        try:
            if "--json" in sys.argv:
                os.write(1, answer.encode())
            os.write(2, f"{program}: {stopped}\n".encode())
        finally:
            os._exit(128 + number)

    return left
