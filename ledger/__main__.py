"""The program `rollproof`. Other imports come only after the stop signals are handled."""

import signal

__all__ = ["main"]


def main() -> None:
    """Run the command that the process was given, and exit."""
    from verifier.shell.leaving import leave

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave("rollproof"))
    from verifier.shell.installed import end_if_replaced

    end_if_replaced("rollproof")
    from ledger.cli import main as program

    program()


if __name__ == "__main__":
    main()
