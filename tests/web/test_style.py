"""Each component of the page in each state, on one page for who looks: light, dark and with more contrast.

The page and its pictures are written into the test's folder (`--basetemp`), and axe looks at what they show.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.scene_games import Played, playing
from tests.web.table_page import axe_findings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

STATES: dict[str, tuple[Any, ...]] = {
    "each shape": ("d4 + d6 + d8 + d10 + d12 + d20 + d100 + d3", 3, 5, 7, 9, 11, 13, 77, 2),
    "a natural 20": ("d20 + 5 vs 15 for a save", 20),
    "a natural 1": ("d20", 1),
    "dropped": ("4d6kh3 for Strength", 6, 5, 3, 2),
    "rolled again": ("2d6rr1", 1, 4, 5),
    "Fate": ("4dF", 1, 2, 3, 3),
    "named faces": ("2d{sword,shield}", 2, 1),
    "a heap": ("40d6",),
}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more"},
    "forced": {"forced_colors": "active"},
    "German": {"locale": "de-DE"},
    "Japanese": {"locale": "ja-JP"},
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.slow
def test_each_component_in_each_state(browser: "Browser", axe: str, tmp_path: Path, look: str) -> None:
    shown: list[str] = []
    for state, (line, *naturals) in STATES.items():
        game = Played("dice-1", {}, alice="player", bob="player", gil="gm", dana="judge")
        game.type("bob", "roll", line, *naturals)
        with playing(browser, game, "alice", viewport={"width": 800, "height": 600}, **LOOKS[look]) as page:
            page.locator(".tray .die").first.wait_for()
            page.wait_for_timeout(100)
            page.screenshot(path=tmp_path / f"{look} {state}.png".replace(" ", "-"))
            for name in (
                ".tray .person .avatar",
                ".tray .badge",
                ".tray .outcome",
                ".entry .person",
                ".people .person",
            ):
                assert page.locator(name).count() > 0, name
            faint = page.evaluate(
                "[...document.querySelectorAll('.tray .die')].filter((die) => getComputedStyle(die).opacity < 1).length"
            )
            assert faint == 0, "what does not count is grey, and still reads"
            if state in ("dropped", "a natural 20"):
                assert axe_findings(page, axe) == [], state
        shown.append(f'<figure><img src="{look}-{state.replace(" ", "-")}.png" alt=""><figcaption>{state}</figcaption>')
    (tmp_path / f"{look}.html").write_text("\n".join(["<!doctype html><title>style</title>", *shown]), encoding="utf-8")


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_dice_before_read_while_a_roll_waits(browser: "Browser", axe: str, look: str) -> None:
    """They are shown less, and what they came to has enough contrast still."""
    for state in ("a natural 20", "a natural 1"):
        line, *naturals = STATES[state]
        game = Played("dice-1", {}, alice="player", bob="player", gil="gm", dana="judge")
        game.type("bob", "roll", line, *naturals)
        with playing(browser, game, "alice", viewport={"width": 390, "height": 800}, **LOOKS[look]) as page:
            page.locator(".tray .natural").wait_for()
            page.evaluate("document.querySelector('.tray').classList.add('past')")
            assert axe_findings(page, axe) == [], state
