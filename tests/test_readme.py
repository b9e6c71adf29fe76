"""The README's commands, run in order as they stand."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import LIMIT

README = (Path(__file__).parents[1] / "README.md").read_text()
BLOCKS = re.findall(r"<!-- run -->\n```sh\n(.*?)```", README, re.DOTALL)


@pytest.mark.skipif(shutil.which("jq") is None, reason="the organizers' part uses jq")
def test_the_guide_runs_from_top_to_bottom(tmp_path: Path) -> None:
    commands = Path(sys.executable).parent
    script = "set -euo pipefail\n" + "\n".join(BLOCKS)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={"PATH": f"{commands}:/usr/bin:/bin", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "HOLDS, 11 events" in done.stdout
    assert "706.6" in done.stdout
    for told in (
        "Step 6: the rules",
        "Receipts (mine.checkpoint, round-3.jsonl.checkpoint)",
        "ONE HISTORY: after.jsonl goes on",
        "HOLDS: host signed that this is event 8",
        "table-14.jsonl\tfails",
        "exit code 1",
        "by version 1 of the roster of Spring Open",
        "Policy: the cosignatures that it asks for are there",
        "Who looks at many things finds something unusual",
        "report.html is written",
    ):
        assert told in done.stdout, told
