"""`python -m tests.bench`: the benchmark without the command line's start."""

import argparse
import json

import tests.bench


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser("python -m tests.bench", description=tests.bench.__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes: some seconds")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    if given.json:
        print(json.dumps(tests.bench.run(lambda _: None, quick=given.quick), indent=2))
    else:
        tests.bench.run(print, quick=given.quick)


if __name__ == "__main__":
    main()
