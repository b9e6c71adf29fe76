"""The tray: the latest roll, in view on every screen, of verified dice alone (specs/page.md, "The tray")."""

import copy
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.page_games import advice_of, game_of, me, roll_of, screens, table_of
from tests.web.scene_games import Played, playing
from tests.web.table_page import shown, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

SIZES = [(390, 844), (1280, 800)]
SCREENS = screens()
IN_VIEW = """(selector) => [...document.querySelectorAll(selector), null].every((each, i) => {
  if (each === null) return i > 0;
  const { left, right, top, bottom, width } = each.getBoundingClientRect();
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const within = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  return within && width > 0 && each.closest('.tray').contains(at);
})"""
"""Whether all of these stand whole within the window, and nothing else over them."""


def rolled(*lines: Any) -> Played:
    """A game of any dice, in which bob has rolled these: a line, or a line with its naturals."""
    game = Played("dice-1", {}, alice="player", bob="player", gil="gm", dana="judge")
    for line in lines:
        text, *naturals = line if isinstance(line, tuple) else (line,)
        game.type("bob", "roll", text, *naturals)
    return game


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def dice(page: "Page") -> list[str]:
    """What the dice of the tray show; `-` before those that do not count."""
    found = page.locator(".tray .die")
    return [
        ("-" if "out" in (each.get_attribute("class") or "") else "") + flat(each.inner_text()) for each in found.all()
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["game", "game master", "judge", "spectator", "over"])
@pytest.mark.slow
def test_the_tray_stays_in_view_on_every_screen(browser: "Browser", name: str, size: tuple[int, int]) -> None:
    path, fake = SCREENS[name]
    with shown(browser, fake, path, viewport={"width": size[0], "height": size[1]}) as page:
        assert page.evaluate(IN_VIEW, ".tray .die")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_for_timeout(100)
        assert page.evaluate("scrollY") > 0
        assert page.evaluate(IN_VIEW, ".tray .die")
        assert dice(page) == ["3", "10", "1", "7", "7", "9", "2", "10", "5", "6", "8", "4"]


SHOWN: list[tuple[Any, list[str], str]] = [
    (("d20", 14), ["14"], "14"),
    (("d20 + 5 vs 15 for Save", 20), ["20 ✓ success"], "25 15 or more: passes dice checked here, result by the server"),
    (("d20adv + 3", 4, 17), ["-4 does not count", "17"], "20 dice checked here, result by the server"),
    (("4d6kh3", 6, 5, 3, 2), ["6", "5", "3", "-2 does not count"], "14 dice checked here, result by the server"),
    (("2d6rr1", 1, 4, 5), ["-1 rerolled", "5", "4"], "9 dice checked here, result by the server"),
    (("4dF", 1, 2, 3, 3), ["−", "blank", "+", "+"], "1 dice checked here, result by the server"),
    (("2d{sword,shield}", 2, 1), ["shield", "sword"], "0 dice checked here, result by the server"),
    (("3x d6", 2, 5, 6), ["2", "5", "6"], "2, 5, 6 dice checked here, result by the server"),
]


@pytest.mark.parametrize(("line", "expected", "outcome"), SHOWN)
@pytest.mark.slow
def test_what_was_rolled_and_what_it_comes_to(
    browser: "Browser", line: tuple[Any, ...], expected: list[str], outcome: str
) -> None:
    with playing(browser, rolled(line), "alice") as page:
        assert dice(page) == expected
        assert flat(page.locator(".tray .outcome").inner_text()).removeprefix("total ") == outcome
        assert flat(page.locator(".tray .what").inner_text()).startswith("bob ")
        assert page.evaluate(IN_VIEW, ".tray .die")


@pytest.mark.parametrize(("natural", "words"), [(20, "natural 20"), (1, "natural 1"), (19, "")])
def test_a_20_and_a_1_stand_out_in_words(browser: "Browser", natural: int, words: str) -> None:
    with playing(browser, rolled(("d20", natural)), "alice") as page:
        assert " ".join(page.locator(".tray .natural").all_inner_texts()) == words


def test_many_dice_count_themselves(browser: "Browser") -> None:
    game = rolled("50d6")
    with playing(browser, game, "alice") as page:
        piles = [flat(each) for each in page.locator(".tray .pile").all_inner_texts()]
        naturals = game.rolls[-1]["naturals"]
        assert piles == [f"{n} ×{naturals.count(n)}" for n in range(6, 0, -1)]
        assert page.evaluate(IN_VIEW, ".tray .die")
    for count in (29, 30):
        with playing(browser, rolled(f"{count}d6"), "alice", viewport={"width": 320, "height": 844}) as page:
            assert page.locator(".tray .pile").count() == (0 if count < 30 else len(set(dice(page))))
            assert page.evaluate(IN_VIEW, ".tray .die")


def test_cards_are_shown_as_cards(browser: "Browser") -> None:
    game = rolled()
    game.do("gil", "declare", {"what": "cards", "deck": "cards", "cards": "52"})
    game.do("bob", "roll", {"deck": "cards", "draw": 2}, 13, 24)
    with playing(browser, game, "alice") as page:
        assert dice(page) == ["King of Clubs", "Queen of Diamonds"]


def told(*naturals: list[int], **more: Any) -> dict[str, Any]:
    """A server's word for the roll 17, of these d6."""
    each = [
        {"die": i + 1, "sides": 6, "naturals": n, "result": n[-1] if n else None, "status": "counted", "text": ""}
        for i, n in enumerate(naturals)
    ]
    return {
        "roll": 17,
        "player": "bob",
        "source": "",
        "notation": "2d6",
        "status": "open",
        "summary": "= 12",
        "notes": [],
        "dice": each,
        **more,
    }


LIES = {
    "another die": told([6], [6]),
    "one die more": told([3], [4], [6]),
    "one die less": told([4]),
    "a reroll that nobody asked for": told([3], [4, 6]),
    "other sides": told(
        [3], [4], dice=[{"die": 1, "sides": 20, "naturals": [n], "result": n, "status": "ignored"} for n in (3, 4)]
    ),
    "no dice": told([], []),
    "no numbers": told([3], [4], dice=[{"die": 1, "sides": 6, "naturals": "34", "result": 20, "status": "counted"}]),
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.slow
def test_dice_that_a_server_makes_up_are_not_shown(browser: "Browser", lie: str) -> None:
    roll = roll_of(17, "bob", {"dice": "2d6"}, [3, 4], 6)
    game = game_of(size=19, rolls=[*game_of()["rolls"], roll])
    advice = {
        **advice_of([]),
        "size": 19,
        "state": {"phase": "idle", "size": 19, "rolls": [LIES[lie]], "tables": [], "waits": None},
    }
    snapshot = {"stage": "playing", "table": table_of(), "me": me(), "game": game, "advice": advice}
    with shown(browser, {"snapshot": snapshot}) as page:
        assert dice(page) == ["3", "4"]


def test_a_reroll_shows_the_dice_that_it_changes(browser: "Browser") -> None:
    roll = roll_of(17, "bob", {"dice": "2d6"}, [3, 4], 6)
    again = roll_of(19, "bob", {"roll": 17}, [6], 6, type="reroll")
    game = game_of(size=21, rolls=[roll, again])
    advice = {
        **advice_of([]),
        "size": 21,
        "state": {"phase": "idle", "size": 21, "rolls": [told([3, 6], [4])], "tables": [], "waits": None},
    }
    snapshot = {"stage": "playing", "table": table_of(), "me": me(), "game": game, "advice": advice}
    with shown(browser, {"snapshot": snapshot}) as page:
        assert dice(page) == ["-3 rerolled", "6", "4"]
        assert "reroll" in page.locator(".tray .what").inner_text()


def test_a_roll_that_waits_says_for_whom(browser: "Browser") -> None:
    path, fake = copy.deepcopy(SCREENS["judge, a roll waits"])
    waiting, game = fake["snapshot"]["game"]["waiting"], game_of()
    with shown(browser, {"snapshot": {**fake["snapshot"], "game": game}}, path) as page:
        pending = f"{{ phase: 'pending', waiting: {{ ...{json.dumps(waiting)}, since: Date.now() }} }}"
        page.evaluate(f"void fake.change({{ game: {{ ...fake.snapshot.game, ...{pending} }} }})")
        page.locator(".tray.past .die").first.wait_for()  # an ordinary roll goes by, and nothing moves
        assert page.locator(".tray .awaits").count() == 0
        page.locator(".tray .awaits", has_text="Waits for gil").wait_for(timeout=3_000)
        assert page.locator(".tray .die").count() == 0
        page.locator(".tray .since", has_text="For ").wait_for()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("game", "No dice yet. Roll below"),
        ("judge", "What the players roll is seen here"),
        ("spectator", "As soon as somebody rolls"),
    ],
)
def test_before_the_first_dice_it_says_what_to_do(browser: "Browser", name: str, words: str) -> None:
    path, fake = copy.deepcopy(SCREENS[name])
    fake["snapshot"]["game"]["rolls"] = []
    with shown(browser, fake, path) as page:
        assert words in page.locator(".tray").inner_text()
        assert page.locator(".tray .die").count() == 0


def test_before_the_first_dice_only_who_plays_must_still_agree(browser: "Browser") -> None:
    """A judge's `join` is no condition of a request (specs/protocol.md)."""
    path, fake = copy.deepcopy(SCREENS["game"])
    game = fake["snapshot"]["game"]
    game["rolls"] = []
    for party in game["parties"]:
        party["joined"] = party["role"] != "judge"
    with shown(browser, fake, path) as page:
        assert "No dice yet. Roll below" in page.locator(".tray").inner_text()
        page.evaluate("void fake.change({ game: { ...fake.snapshot.game, unagreed: ['bob'] } })")
        page.locator(".tray").get_by_text("No dice yet: bob must still agree.").wait_for()


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_dice_tumble_when_they_are_there(browser: "Browser", motion: str, moves: bool) -> None:
    with playing(browser, rolled("d6"), "alice", reduced_motion=motion) as page:
        page.evaluate(
            """() => {
              const { animate } = Element.prototype;
              globalThis.moved = [];
              Element.prototype.animate = function (...given) {
                moved.push(this.innerText.trim());
                return animate.apply(this, given);
              };
            }"""
        )
        page.locator("#line").fill("3d6")
        page.locator(".line button.sign:not([aria-disabled])").click()
        until(page, "document.querySelectorAll('.tray .die').length === 3")
        page.wait_for_timeout(200)
        assert page.evaluate("moved") == (dice(page) if moves else [])
        page.wait_for_timeout(800)
        assert page.evaluate("document.querySelector('.tray').getAnimations({ subtree: true }).length") == 0


def test_the_badge_opens_to_the_reasons(browser: "Browser", axe: str, tmp_path: Path) -> None:
    with playing(browser, rolled("d20"), "alice") as page:
        page.get_by_role("button", name="fair ✓").click()
        dialog = page.get_by_role("dialog")
        assert "each had a part in it; this browser has checked it" in dialog.inner_text()
        page.keyboard.press("Escape")
        dialog.wait_for(state="detached")
        assert page.evaluate("document.activeElement.className").startswith("badge")


@pytest.mark.parametrize("key", ["fair ✓", "What the words mean"])
def test_what_opens_over_the_page_opens_at_its_top(browser: "Browser", key: str) -> None:
    with playing(browser, rolled("d20"), "alice") as page:
        page.get_by_role("button", name=key).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("heading", level=2).wait_for()
        assert dialog.evaluate("(each) => each.scrollTop") == 0
        assert dialog.get_by_role("heading", level=2).evaluate("(each) => each === document.activeElement")
        box, close = dialog.bounding_box(), dialog.get_by_role("button", name="Close", exact=True).bounding_box()
        assert box is not None
        assert close is not None
        assert close["y"] + close["height"] <= box["y"] + box["height"] + 1, "and is closed from there"


def test_who_listens_hears_first_what_counts(browser: "Browser") -> None:
    with playing(browser, rolled(), "alice") as page:
        page.locator("#line").fill("2d6 for the door")
        page.locator(".line button.sign:not([aria-disabled])").click()
        said = page.locator("[role=log] p")
        said.wait_for()
        assert re.match(r"alice = \d+\. \d, \d\. .*the door", flat(said.inner_text()))
