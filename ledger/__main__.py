"""The program `rollproof`. Nothing else is imported before it can be stopped without a traceback."""

import signal

__all__ = ["main"]


def main() -> None:
    """Run the command that the process was given, and exit."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    from ledger.cli import main as program

    program()


def _leave(number: int, _frame: object) -> None:
    """Before a command begins: nothing has been done that would have to be told or undone."""
    import os
    import sys

    text = "stopped; nothing was signed"
    answer = f'{{"error":{{"kind":"stopped","message":"{text}","exit_code":{128 + number},"signed":[]}}}}\n'
    try:
        if "--json" in sys.argv:
            os.write(1, answer.encode())
        os.write(2, f"rollproof: {text}\n".encode())
    finally:
        os._exit(128 + number)


if __name__ == "__main__":
    main()
