"""Write what the commands of the first pages print into these pages.

python -m tests.make.casts PAGE…    # runs the pages; writes each block below `<!-- prints -->` that is not so any more

What a person cuts from a block is written `…`, by hand (tests/support/pages.py).
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.make.practice import practice
from tests.support.pages import blocks, matches, played


def main() -> None:
    """Run the pages that are named, and write."""
    for name in sys.argv[1:]:
        page = Path(name)
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "practice.zip").write_bytes(practice())
            for block, printed in played(Path(folder), blocks(page)):
                if block.kind == "prints" and not matches(block.text, printed, exactly=block.name == "exactly"):
                    print(f"{page}: {block.text.partition(chr(10))[0]}")
                    # The first block with this text is the one: those above it are right by now.
                    text = text.replace(f"```text\n{block.text}```", f"```text\n{printed.strip()}\n```", 1)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
