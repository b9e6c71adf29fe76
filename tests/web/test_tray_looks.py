"""The tray's few states compared with what somebody looked at and approved, by structure: colours, boxes, order.

No picture is compared: fonts and rounding differ from machine to machine, and what a person approved does not. What is
kept in `tray_looks.json` is, of each part of the tray, its colours, whether it is struck through, which parts stand
above which, and boxes in steps of a tenth of the tray's width. After a change that was looked at (with `--basetemp=DIR`
the pictures stay there) `ROLLPROOF_APPROVE=1` writes the file anew.
"""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.scene_games import Played, playing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

APPROVED = Path(__file__).with_name("tray_looks.json")
STATES: dict[str, tuple[Any, ...]] = {
    "empty": (),
    "one": ("d20 + 5 vs 15 for a save", 12),
    "a natural 20": ("d20", 20),
    "dropped": ("4d6kh3 for Strength", 6, 5, 3, 2),
    "a heap": ("40d6", *[1 + i % 6 for i in range(40)]),
}
LOOKS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}},
    "phone, dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
    "desk": {"viewport": {"width": 1280, "height": 800}},
}
PARTS = (".tray", ".tray .avatar", ".tray .purpose", ".tray .badge", ".tray .felt", ".tray .die", ".tray .total")
READ = """(parts) => {
  const tray = document.querySelector('.tray').getBoundingClientRect();
  const step = (length) => Math.round(10 * length / tray.width);
  const top = (part) => document.querySelector(part)?.getBoundingClientRect().top ?? -1;
  const placed = ['.tray', '.tray .felt', '.tray .die'];  /* the place of words depends on the machine's fonts */
  const one = (part) => (each) => {
    const [box, style] = [each.getBoundingClientRect(), getComputedStyle(each)];
    return {
      color: style.color, ground: style.backgroundColor, border: style.borderTopColor,
      faint: style.opacity !== '1', struck: style.textDecorationLine.includes('line-through'),
      at: placed.includes(part) ? step(box.left - tray.left) : null,
      wide: placed.includes(part) ? step(box.width) : null,
      seen: box.width > 0 && box.top >= 0 && box.bottom <= innerHeight,
    };
  };
  const found = parts.map((part) => [part, [...document.querySelectorAll(part)].slice(0, 8).map(one(part))]);
  const order = ['.tray .avatar', '.tray .felt', '.tray .total'].filter((part) => top(part) >= 0);
  return { parts: Object.fromEntries(found), order: order.sort((a, b) => top(a) - top(b)) };
}"""


def structure(page: "Page") -> Any:
    return page.evaluate(READ, list(PARTS))


@pytest.mark.parametrize("look", LOOKS)
def test_the_tray_looks_as_it_was_approved(browser: "Browser", tmp_path: Path, look: str) -> None:
    approved = json.loads(APPROVED.read_text()) if APPROVED.exists() else {}
    for state, (*line,) in STATES.items():
        game = Played("dice-1", {}, alice="player", bob="player", gil="gm", dana="judge")
        if line:
            game.type("bob", "roll", *line)
        with playing(browser, game, "alice", reduced_motion="reduce", **LOOKS[look]) as page:
            page.locator(".tray .die" if line else ".tray .blank").first.wait_for()
            page.screenshot(path=tmp_path / f"{look} {state}.png".replace(" ", "-"))
            found = structure(page)
        if os.environ.get("ROLLPROOF_APPROVE"):
            approved.setdefault(look, {})[state] = found
            APPROVED.write_text(json.dumps(approved, indent=1, sort_keys=True) + "\n")
        assert found == approved[look][state], f"{look}, {state}: look at it, and approve it or mend it"


def test_a_change_is_noticed(browser: "Browser") -> None:
    """A colour, a die that is gone, a tray that is pushed out of sight: each is another structure."""
    game = Played("dice-1", {}, alice="player", bob="player", gil="gm", dana="judge")
    game.type("bob", "roll", *STATES["dropped"])
    with playing(browser, game, "alice", reduced_motion="reduce", **LOOKS["phone"]) as page:
        page.locator(".tray .die").first.wait_for()
        before = structure(page)
        for change in (
            "document.querySelector('.tray .badge').style.color = 'rgb(1, 2, 3)'",
            "document.querySelector('.tray .die').remove()",
            "document.querySelector('.tray').style.marginTop = '900px'",
        ):
            page.evaluate(change)
            after = structure(page)
            assert after != before, change
            before = after
