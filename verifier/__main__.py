"""The program `rollproof-verify`: the verifier on files. Signals are handled before anything else is imported."""

import signal

__all__ = ["main"]


def main() -> None:
    """Run the command of this process, and exit."""
    from verifier.shell.leaving import leave

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave("rollproof-verify"))
    from verifier.shell.installed import end_if_replaced

    end_if_replaced("rollproof-verify")
    from verifier.shell.command import main as program

    program()


if __name__ == "__main__":
    main()
