"""The snapshots that tests draw screens of have the form that core gives: `tsc` holds them to its types.

That `tests/web/fake_core.js` lacks no member of the real one is checked with the page's modules (`tsc --project .`).
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import SPECS
from tests.web.page_games import screens
from tests.web.scene_games import Played
from tests.web.table_page import FAKE, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

ROOT = SPECS.parent
OPTIONS = {"compilerOptions": {"typeRoots": []}, "extends": str(ROOT / "tsconfig.json")}


def _tsc() -> Path:
    for folder in os.environ.get("NODE_PATH", "").split(os.pathsep):
        path = Path(folder) / ".bin" / "tsc"
        if folder and path.is_file():
            return path
    pytest.skip("TypeScript is not installed (tests/oracles/node/package.json), or NODE_PATH does not lead to it")


def _faults(folder: Path, fakes: dict[str, Any]) -> list[str]:
    """What `tsc` finds where these are what a test gives the fake core."""
    module = folder / "given.js"
    types = f"/** @type {{{{[screen: string]: import('{FAKE}').Fake}}}} */"
    module.write_text(f"{types}\nexport const given = {json.dumps(fakes, indent=1)};\n")
    project = folder / "tsconfig.json"
    project.write_text(json.dumps({**OPTIONS, "include": [], "files": [str(module)]}))
    done = subprocess.run([_tsc(), "--project", project], capture_output=True, text=True, timeout=600)
    return done.stdout.splitlines()


def _given() -> Iterator[tuple[str, dict[str, Any]]]:
    yield from ((name, fake) for name, (_, fake) in screens().items())
    played = Played("dice-1", {}, alice="player", bob="player")
    played.type("alice", "roll", "2d6 for the door", 3, 4)
    yield "a game that the rules play", {"snapshot": played.snapshot("alice")}


def test_each_snapshot_of_a_test_has_the_form_that_core_gives(tmp_path: Path) -> None:
    assert _faults(tmp_path, dict(_given())) == []


def test_a_snapshot_that_lacks_a_member_or_has_one_more_is_found(tmp_path: Path) -> None:
    fakes = dict(_given())
    del fakes["game"]["snapshot"]["table"]["admits"]
    fakes["judge"]["snapshot"]["game"]["parties"][0]["height"] = 3
    faults = _faults(tmp_path, fakes)
    assert any("'admits' is missing" in each for each in faults), faults
    assert any("height" in each for each in faults), faults


@pytest.mark.parametrize(
    ("part", "value"),
    [
        pytest.param("game", {}, id="the whole page"),
        pytest.param("advice", {"size": 17, "actions": [{"type": "roll"}]}, id="a part"),
    ],
)
def test_a_page_that_throws_fails_its_test_at_once_and_says_why(browser: "Browser", part: str, value: Any) -> None:
    _, fake = screens()["game"]
    fake["snapshot"][part] = value
    with (
        pytest.raises(AssertionError, match=r"The page threw: (Uncaught )?TypeError"),
        shown(browser, fake) as page,
    ):
        page.locator("#what-never-comes").wait_for()
