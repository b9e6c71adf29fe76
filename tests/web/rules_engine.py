"""`python -m tests.web.rules_engine`: what a worker answers, for browsers without a page: a line for each request.

It is the driver of the worker on the Python that runs the tests.
"""

import sys

from ledger.browser.driver import answer


def main() -> None:
    """Answer until standard input ends. What a worker would fail with ends this too."""
    for line in sys.stdin:
        print(answer(line), flush=True)


if __name__ == "__main__":
    main()
