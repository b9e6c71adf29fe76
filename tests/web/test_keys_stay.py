"""Keys stay where they are: a tap hits what was there when the finger came down (specs/page.md, "The throw")."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.page_games import actions_of, advice_of, game_of, me, roll_of, table_of
from tests.web.scene_games import Played, playing
from tests.web.table_page import shown, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

SIZES = [(390, 844), (1280, 800)]
HEIGHT = "document.querySelector('.tray').getBoundingClientRect().height"
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
@pytest.mark.slow
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


def test_before_the_first_roll_the_tray_is_low_and_grows_once(browser: "Browser") -> None:
    """What stands below has moved then: a finger that comes down in that moment hits nothing."""
    at_once = "getComputedStyle(document.querySelector('.game')).pointerEvents"
    for motion in ("no-preference", "reduce"):
        game = Played("dice-1", {}, alice="player", bob="player")
        with playing(browser, game, "alice", reduced_motion=motion) as page:
            page.locator(".thrown button").first.wait_for()
            low = page.evaluate(HEIGHT)
            assert low <= 844 / 6
            assert page.evaluate(at_once) == "auto"
            game.type("bob", "roll", "d20", 7)
            page.evaluate(f"void fake.change({json.dumps(game.snapshot('alice'))})")
            page.locator(".tray .die").wait_for()
            assert page.evaluate(at_once) == "none"
            high = page.evaluate(HEIGHT)
            assert 844 / 4 < high < 844 / 2.5
            until(page, f"{at_once} === 'auto'")
            game.type("bob", "roll", "8d6", *[3] * 8)
            page.evaluate(f"void fake.change({json.dumps(game.snapshot('alice'))})")
            page.locator(".tray .die").nth(7).wait_for()
            assert (page.evaluate(HEIGHT), page.evaluate(at_once)) == (high, "auto")


# --- the other systems, and a judge's screen --------------------------------------------------------------------------

WATCH = """
globalThis.moved = [];
globalThis.step = 'at first';
let places = new Map();
let opened = false;
globalThis.look = () => {
  const now = new Map();
  /* at the moment of the first roll the tray grows, and no tap counts */
  const opens = document.querySelector('.tray.opens') !== null;
  const still = opens && !opened;
  opened = opens;
  for (const each of document.querySelectorAll('.now, .ruling-form')) {
    for (const key of each.querySelectorAll('button, summary, input, select, textarea, label.key')) {
      if (key.getClientRects().length === 0 || key.closest('.status')) continue;  /* a line, whose words are others */
      const { left, top, width, height } = key.getBoundingClientRect();
      const place = [left, top, width, height].map(Math.round).join(' ');
      const before = places.get(key);
      const name = key.textContent.trim() || key.id;
      if (before !== undefined && before !== place && !still) moved.push([step, name, before, place]);
      now.set(key, place);
    }
  }
  places = now;
};
const all = { subtree: true, childList: true, attributes: true, characterData: true };
addEventListener('DOMContentLoaded', () => new MutationObserver(look).observe(document, all));
"""
"""Each key that stays, and has moved while taps count, at each change of the document."""

Line = Callable[[Played], object]


def warhammer() -> Played:
    agreed = {"fast_rolling": True, "fast_saves": True}
    game = Played("wh40k-9e", agreed, alice="player", bob="player", dana="judge")
    game.type("alice", "declare", '10 Intercessors M6" WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+', kind="unit")
    game.type("bob", "declare", '30 Boyz M5" WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv5+', kind="unit")
    game.do("alice", "declare", {"what": "phase", "phase": "shooting"})
    return game


def turn_of_bob() -> Played:
    game = warhammer()
    game.do("alice", "declare", {"what": "phase", "phase": "morale"})
    game.do("bob", "declare", {"what": "phase", "phase": "command"})
    return game


def ninth() -> Played:
    game = Played("t9a-2022", {}, alice="player", bob="player", dana="judge")
    game.type("alice", "roll", "10xd6 To hit 4+")
    return game


def magic() -> Played:
    game = Played("mtg-706-2023-11-17", {"planechase": False}, alice="player", bob="player", dana="judge")
    game.type("alice", "roll", "d20 Delina | 1-14: a token | 15-20: the same", 4)
    return game


def doubledown() -> Played:
    game = Played("doubledown-1", {}, gil="gm", alice="player", bob="player", dana="judge")
    ash = "Ash; stats agility 3, toughness 5; track 1 2 3; stress 1; tags rogue 2, four-arms 4; drive 3"
    game.type("alice", "declare", ash, kind="sheet")
    game.type("bob", "declare", "Brook; stats agility 2, wits 4; track 1 1 2; tags medic 3; drive 2", kind="sheet")
    for player in ("alice", "bob"):
        game.do("gil", "declare", {"what": "confirm", "player": player})
    calls(["alice"])(game)
    return game


def dice() -> Played:
    game = Played("dice-1", {}, alice="player", bob="player", dana="judge")
    game.type("alice", "roll", "d20", 20)
    return game


def typed(author: str, type: str, line: str, **more: Any) -> Line:
    return lambda game: game.type(author, type, line, **more)


def calls(players: list[str]) -> Line:
    body = {"what": "call", "source": "Cross the bridge", "stat": "agility", "difficulty": 14, "players": players}
    return lambda game: game.do("gil", "declare", body)


def rules(ruling: str, **more: Any) -> Line:
    def line(game: Played) -> int:
        body = {"ruling": ruling, "subject": game.rolls[0]["seq"], "text": "a cocked die", **more}
        return game.do("dana", "ruling", body)

    return line


TRUCK = "Truck M12 WS5+ BS5+ S6 T6 W10 A3 Ld6 Sv4+"
GAMES: dict[str, tuple[Callable[[], Played], str, dict[str, Line]]] = {
    "Warhammer, to shoot": (
        warhammer,
        "alice",
        {
            "dice of the other’s": typed("bob", "roll", "2d6 sum for Deny the Witch, 7+", kind="free"),
            "another unit": typed("bob", "declare", TRUCK, kind="unit"),
            "a ruling": rules("uphold"),
        },
    ),
    "Warhammer, the other’s turn": (
        turn_of_bob,
        "alice",
        {
            "the next phase": lambda game: game.do("bob", "declare", {"what": "phase", "phase": "shooting"}),
            "dice of the other’s": typed("bob", "roll", "2d6 sum for Psychic test, 5+", kind="free"),
            "a volley": typed("bob", "roll", "boyz: Shoota at intercessors, A2 S4 AP0 D1", kind="attack"),
        },
    ),
    "The 9th Age": (
        ninth,
        "alice",
        {
            "dice of the other’s": typed("bob", "roll", "8xd6 To hit 3+"),
            "more of them": typed("bob", "roll", "To wound 4+ of successes"),
            "a ruling": rules("uphold"),
        },
    ),
    "Magic": (
        magic,
        "alice",
        {
            "a permanent": lambda game: game.do(
                "bob", "declare", {"what": "permanent", "permanent": "centaur", "name": "Centaur of Attention"}
            ),
            "dice of the other’s": typed("bob", "roll", "2d6 Celebr-8000: a bonus | may reroll any: Monitor Monitor"),
            "a ruling": rules("uphold"),
        },
    ),
    "Double Down, called": (
        doubledown,
        "alice",
        {
            "another call": calls(["alice", "bob"]),
            "a call to the other": calls(["bob"]),
            "dice of the other’s": lambda game: game.do("bob", "roll", {"call": 3}, 9),
            "it stands": lambda game: game.do("bob", "resolve", {"roll": game.rolls[-1]["seq"]}),
        },
    ),
    "a judge": (
        dice,
        "dana",
        {
            "dice": typed("bob", "roll", "2d6"),
            "more dice": typed("alice", "roll", "4d6kh3"),
        },
    ),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.slow
def test_what_others_do_moves_no_key_in_any_system(browser: "Browser", size: tuple[int, int], name: str) -> None:
    make, who, lines = GAMES[name]
    game = make()
    with playing(browser, game, who, init=WATCH, viewport={"width": size[0], "height": size[1]}) as page:
        page.locator(".now summary, .ruling-form .key").first.wait_for()
        if who == "dana":
            page.locator(".entry.roll").get_by_role("button", name="Rule on").click()
            page.locator(".ruling-form label.key", has_text="Correct").click()
            page.get_by_label("the reason").wait_for()
        page.evaluate("moved.length = 0; scrollTo(0, 0); look(); moved.length = 0")

        def change(step: str, part: dict[str, Any]) -> None:
            page.evaluate(f"globalThis.step = {json.dumps(step)}; fake.change({json.dumps(part)}); void 0")
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            page.evaluate("look()")

        for step, line in lines.items():
            before, size_before, rolls_before = game.snapshot(who), len(game.events), len(game.rolls)
            line(game)
            after = game.snapshot(who)
            if len(game.rolls) > rolls_before:
                pending = {
                    **before["game"],
                    "phase": "pending",
                    "size": size_before + 1,
                    "events": after["game"]["events"][:-1],
                }
                waiting = {**BOB, "seq": size_before, "author": "bob", "since": 0}
                change(f"{step}: it waits", {"game": {**pending, "waiting": waiting}})
                page.wait_for_timeout(1_100)
                change(f"{step}: it waits for long", {})
            change(f"{step}: it is here", {"game": after["game"]})
            change(f"{step}: its meaning", {"advice": after["advice"]})
        moved = page.evaluate("moved")
        assert moved == [], moved
