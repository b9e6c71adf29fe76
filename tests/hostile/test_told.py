"""What is told of a log that was made to be expensive: state, log, explanation, statistics, page; bounded alike."""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from tests.hostile.bombs import BOMBS
from tests.hostile.cost import TIMES, limited
from tests.hostile.ordinary import ordinary
from tests.support.cli import LIMIT

ROOT = Path(__file__).parents[2]
RUN = "import sys; from ledger.cli import main; main()"
SIZE = 40_000
QUICK = ("age-many-throws", "explain")
"""what is looked at in the ordinary run"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux has them")


def seconds(home: Path, *arguments: str) -> tuple[float, int]:
    """Processor time of a command under a limit of memory, the middle one of three; its exit code."""
    taken, code = [], 0
    for _ in range(3):
        begun = os.times()
        done = subprocess.run(
            [sys.executable, "-c", RUN, *arguments],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT), "ROLLPROOF_HOME": str(home), "LC_ALL": "C", "LANGUAGE": ""},
            capture_output=True,
            timeout=LIMIT,
            check=False,
            preexec_fn=lambda: limited(2_000),
        )
        ended = os.times()
        taken.append(ended.children_user + ended.children_system - begun.children_user - begun.children_system)
        assert b"Traceback" not in done.stderr
        code = done.returncode
    return median(taken), code


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "word"),
    [
        pytest.param(name, word, marks=() if (name, word) == QUICK else pytest.mark.slow)
        for name in BOMBS
        for word in ("state", "explain", "log", "stats", "report")
    ],
)
def test_what_is_told_of_it_costs_no_more(name: str, word: str, tmp_path: Path) -> None:
    system, make = BOMBS[name]
    files = {"bomb": make(SIZE), "usual": ordinary(system, SIZE)[0]}
    taken = {}
    for which, log in files.items():
        path = tmp_path / f"{which}.jsonl"
        path.write_bytes(log)
        rolls = [n for n, line in enumerate(log.splitlines()) if json.loads(line)["type"] == "roll"]
        further = {"explain": [str(rolls[0])], "report": ["--out", str(tmp_path / "page.html")]}.get(word, [])
        begun, _ = seconds(tmp_path / "home", word, "--help")
        spent, code = seconds(tmp_path / "home", word, str(path), *further)
        (tmp_path / "page.html").unlink(missing_ok=True)
        assert code == 0
        taken[which] = max(spent - begun, 0.05) / len(log)
    assert taken["bomb"] < TIMES * taken["usual"]
