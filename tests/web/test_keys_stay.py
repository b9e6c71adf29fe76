"""Keys stay where they are: a tap hits what was there when the finger came down (specs/page.md, "The throw")."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.page_games import actions_of, advice_of, game_of, me, roll_of, table_of
from tests.web.table_page import shown, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

SIZES = [(390, 844), (1280, 800)]
PLACES = """
globalThis.places = new Map();
globalThis.step = 'at first';
globalThis.look = () => {
  const keys = [...document.querySelectorAll('.thrown button')].map((each) => each.getBoundingClientRect());
  if (keys.length === 0) return;
  const [first, last] = [keys[0], keys[keys.length - 1]];
  const place = [first.left, first.top, last.right, last.bottom].map(Math.round).join(' ');
  if (!places.has(place)) places.set(place, step);
};
const all = { subtree: true, childList: true, attributes: true, characterData: true };
addEventListener('DOMContentLoaded', () => new MutationObserver(look).observe(document, all));
"""
"""Each place of the keys, at each change of the document, and the step at which it came."""
WHOLE = """[...document.querySelectorAll('.tray .felt')].every((felt) => felt.scrollHeight <= felt.clientHeight)
  && [...document.querySelectorAll('.tray .outcome, .tray .what')].every((each) => {
    const tray = document.querySelector('.tray').getBoundingClientRect();
    const { top, bottom } = each.getBoundingClientRect();
    return top >= tray.top && bottom <= tray.bottom;
  })"""
BOB = {
    "seq": 17,
    "author": "bob",
    "contributors": ["host", "alice", "bob", "gil"],
    "opened": ["alice"],
    "awaited": ["gil"],
    "absent": ["alice", "bob", "gil"],
    "closer": "bob",
    "since": 0,
    "mine": "opened",
}
DICE: dict[str, tuple[list[int], int]] = {
    "one": ([17], 20),
    "a pool": ([6, 5, 3, 2, 1, 1, 4, 6], 6),
    "forty": ([(7 * i) % 6 + 1 for i in range(40)], 6),
}
LONG = "Save on the rope bridge over the Drowned Captain’s ravine, in the rain, with both hands full of gold"


def steps() -> list[tuple[str, dict[str, Any]]]:
    """What comes and goes at a table while somebody looks at the keys: parts of a snapshot."""
    waits = {"party": "bob", "choice": {"text": "choose the target of each weapon, then how its hits are split"}}
    told = advice_of(actions_of())
    turn = {**told, "state": {**told["state"], "waits": {**waits, "clause": None}}}
    newcomer = {"name": "eve", "role": "player", "key": "eve+1", "admit": 9, "byHost": True, "awaited": ["alice"]}
    asking = {"name": "eve", "called": None, "role": "player", "key": "eve+1", "mine": False, "alike": None}
    given: list[tuple[str, dict[str, Any]]] = [
        ("the rules are being loaded", {"rules": {"state": "loading", "why": None}}),
        ("the rules are here", {"rules": {"state": "ready", "why": None}}),
        ("the rules cannot be used", {"rules": {"state": "unfinished", "why": {"text": "no room", "values": {}}}}),
        ("no connection", {"line": "away"}),
        ("sending", {"line": "live", "sending": 2}),
        ("connected", {"sending": 0}),
        ("bob’s turn", {"advice": turn}),
        ("nobody’s turn", {"advice": told}),
        ("somebody asks to come in", {"table": table_of(asking=[asking])}),
        ("somebody was let in", {"table": table_of(), "game": game_of(newcomers=[{**newcomer, "mine": True}])}),
        ("he was turned away", {"game": game_of()}),
        ("a roll waits", {"game": game_of(size=18, phase="pending", waiting=BOB)}),
    ]
    for name, (naturals, sides) in DICE.items():
        roll = roll_of(17, "bob", {"dice": f"{len(naturals)}d{sides}", "source": LONG}, naturals, sides)
        rolls = [*game_of()["rolls"], roll]
        given.append((f"its dice: {name}", {"game": game_of(size=19, rolls=rolls)}))
        entry = {"roll": 17, "player": "bob", "source": LONG, "notation": roll["body"]["dice"], "status": "resolved"}
        entry |= {"summary": f"= {sum(naturals)}, 15 or more: passes", "text": "", "notes": [], "dice": []}
        state = {**told["state"], "rolls": [entry, *told["state"]["rolls"]]}
        given.append((f"their meaning: {name}", {"advice": {**told, "size": 19, "state": state}}))
    return given


def change(page: "Page", step: str, part: dict[str, Any]) -> None:
    """Let core give another snapshot, as the next step."""
    page.evaluate(f"globalThis.step = {json.dumps(step)}; fake.change({json.dumps(part)}); void 0")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate("look()")
    assert page.evaluate(WHOLE), f"{step}: all dice in view"


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ja-JP"])
@pytest.mark.parametrize("size", SIZES)
def test_the_keys_do_not_move_while_things_come_and_go(browser: "Browser", size: tuple[int, int], locale: str) -> None:
    snapshot = {
        "stage": "playing",
        "table": table_of(),
        "me": me(),
        "game": game_of(),
        "advice": advice_of(actions_of()),
    }
    view = {"width": size[0], "height": size[1]}
    with shown(browser, {"snapshot": snapshot}, init=PLACES, viewport=view, locale=locale) as page:
        page.locator(".thrown button").first.wait_for()
        page.evaluate("places.clear()")
        for step, part in steps():
            change(page, step, part)
            if step == "a roll waits":
                page.locator(".waits.slow").wait_for()
                page.evaluate("look()")
        # A tap that comes too late says so, and its line goes: neither moves a key.
        page.evaluate(
            "globalThis.step = 'a tap came too late'; void (fake.sign = async () => { throw new Error('late'); })"
        )
        page.locator(".thrown button").first.click()
        page.locator(".thrown .problem").wait_for()
        page.evaluate("look()")
        assert len(page.evaluate("[...places]")) == 1, page.evaluate("[...places]")
        until(page, "document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("scrollY") == 0
