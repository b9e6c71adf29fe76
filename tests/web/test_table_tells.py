"""What the table's page tells, and when it keeps still (specs/page.md, "The tray", "Words", "Without the server")."""

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.page_games import screens, seat_of
from tests.web.scene_games import Played, playing
from tests.web.table_page import shown, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

FELT = """
globalThis.felt = [];
Object.defineProperty(navigator, 'vibrate', { value: (pattern) => { felt.push(['shake', ...pattern]); return true; } });
const tone = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
const start = () => felt.push(['knock']);
const part = () => ({ frequency: tone, gain: tone, connect: (next) => next, start, stop() {} });
globalThis.AudioContext = class {
  currentTime = 0;
  createOscillator = part;
  createGain = part;
};
"""
"""What is heard and felt."""
PROTOCOL = re.compile(
    r"\b(keepers?|openings?|seed chains?|commitments?|events? [0-9]+|null|undefined)\b", re.IGNORECASE
)
"""words of the specifications, and of programs"""


def game() -> Played:
    return Played("dice-1", {}, alice="player", bob="player")


def test_a_knock_and_a_shake_come_with_dice_where_they_were_switched_on(browser: "Browser") -> None:
    played = game()
    with playing(browser, played, "alice", init=FELT) as page:
        page.locator("summary", has_text="This screen").click()
        switches = [page.get_by_label("A knock when dice come"), page.get_by_label("Vibrate when dice come")]
        assert [each.is_checked() for each in switches] == [False, False]

        def comes() -> list[str]:
            page.evaluate("felt.length = 0")
            played.type("bob", "roll", "d20")
            page.evaluate(f"void fake.change({json.dumps(played.snapshot('alice'))})")
            page.locator(".entry.roll.fair").nth(len(played.rolls) - 1).wait_for(state="attached")
            page.wait_for_timeout(100)
            return sorted({each[0] for each in page.evaluate("felt")})

        assert comes() == []
        switches[0].check()
        assert comes() == ["knock"]
        switches[1].check()
        assert comes() == ["knock", "shake"]
        switches[0].uncheck()
        assert comes() == ["shake"]


def test_no_players_screen_speaks_as_the_protocol_does(browser: "Browser") -> None:
    for name, (path, fake) in screens().items():
        if "judge" in name or fake.get("snapshot", {}).get("trouble"):
            continue
        with shown(browser, fake, path) as page:
            text = page.locator("body").inner_text()
            assert PROTOCOL.findall(text) == [], name


def test_the_part_now_is_marked_where_something_waits(browser: "Browser") -> None:
    played = Played("dice-1", {}, alice="player", bob="player", gil="gm")
    with playing(browser, played, "alice") as page:
        page.locator(".parts button").first.wait_for()
        assert page.locator(".parts .due").count() == 0
        call = {"what": "call", "source": "Save on the bridge", "dice": "d20", "least": 12, "parties": ["alice"]}
        played.do("gil", "declare", call)
        page.evaluate(f"void fake.change({json.dumps(played.snapshot('alice'))})")
        marked = page.locator(".parts .due")
        marked.wait_for()
        assert " ".join(marked.inner_text().split()) == "Now (something waits for you)"


KEY = {"name": "bob", "key": "bob+2", "code": "12 34", "recovered": False, "asks": True, "several": False}
AWAITED: dict[str, tuple[str, dict[str, Any]]] = {
    "late": ("a knock", {"table": {"asking": [{**seat_of("eve"), "called": None}]}}),
    "gone": ("a roll that was called off for want of bob", {"game": {"missing": ["bob"]}, "gone": True}),
    "lost-2": (
        "a new browser",
        {"game": {"newKeys": [{**KEY, "own": False, "mine": True, "agreed": [], "awaited": []}]}},
    ),
}
"""What waits for alice's answer, by the part of the page that asks."""
UNDER_TRAY = """(id) => {
  const { top, bottom } = document.getElementById(`${id}-title`).getBoundingClientRect();
  return top >= document.querySelector('.tray').getBoundingClientRect().bottom
    && bottom <= document.querySelector('.parts').getBoundingClientRect().top;
}"""


@pytest.mark.parametrize("part", AWAITED)
def test_the_part_now_is_marked_and_leads_to_what_waits_for_an_answer(browser: "Browser", part: str) -> None:
    _, given = AWAITED[part]
    played = game()
    for _ in range(6):
        played.type("bob", "roll", "d20")
    with playing(browser, played, "alice", viewport={"width": 390, "height": 844}) as page:
        page.locator(".entry.roll.fair").nth(5).wait_for()
        now = page.locator(".parts").get_by_role("button", name="Now")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert page.locator(".parts .due").count() == 0
        snapshot = played.snapshot("alice")
        snapshot["table"] |= given.get("table", {})
        snapshot["game"] |= given.get("game", {})
        if "gone" in given:
            bob = next(each for each in snapshot["game"]["parties"] if each["name"] == "bob")
            bob["here"] = False
        page.evaluate(f"void fake.change({json.dumps(snapshot)})")
        page.locator(".parts .due").wait_for()
        now.click()
        assert page.evaluate(UNDER_TRAY, part), "what waits is in view, not under the tray"
        page.locator(".status button").wait_for()
        now.click()
        first = page.evaluate("document.querySelector('.thrown').getBoundingClientRect().top")
        assert 0 < first < 700, "the keys are in view by the next tap at the latest"


def test_what_is_wrong_with_a_line_stands_right_below_it(browser: "Browser") -> None:
    with playing(browser, game(), "alice", viewport={"width": 390, "height": 844}) as page:
        page.locator("summary", has_text="More dice").click()
        page.locator("#line").fill("8d6 fire")
        problem = page.locator(".line .problem").first
        problem.wait_for()
        page.keyboard.press("Enter")
        below = """(problem) => {
          const { top, bottom } = problem.getBoundingClientRect();
          const field = document.querySelector('#line').closest('.field').getBoundingClientRect();
          return top - field.bottom < 48 && bottom <= document.querySelector('.parts').getBoundingClientRect().top;
        }"""
        assert problem.evaluate(below)


def test_what_is_chosen_wraps_beside_its_box_and_buttons_keep_apart(browser: "Browser") -> None:
    path, fake = screens()["home"]
    with shown(browser, fake, path, viewport={"width": 390, "height": 844}) as page:
        page.get_by_text("Warhammer 40,000").first.click()
        box = page.locator("fieldset .check").first
        box.wait_for()
        assert box.evaluate("""(box) => {
          const place = (part) => box.querySelector(part).getBoundingClientRect();
          return place('span').left > place('input').right;
        }""")
    path, fake = screens()["lobby of the host"]
    with shown(browser, fake, path, viewport={"width": 390, "height": 844}) as page:
        page.locator("summary", has_text="Other links").click()
        button = page.locator(".handed + button").first
        assert button.evaluate(
            "(each) => each.getBoundingClientRect().top - each.previousSibling.getBoundingClientRect().bottom >= 6"
        )


def test_what_is_sent_is_told_in_grey_and_to_whom(browser: "Browser") -> None:
    with playing(browser, game(), "alice") as page:
        page.evaluate("void fake.change({ line: 'live', sending: 1 })")
        line = page.locator(".connection", has_text="sending to localhost…")
        line.wait_for()
        colours = [
            page.evaluate(f"getComputedStyle(document.querySelector('{each}')).color")
            for each in (".connection", "small")
        ]
        assert colours[0] == colours[1], "as quiet as a remark"
        page.evaluate("void fake.change({ sending: 0 })")
        line.wait_for(state="detached")


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_a_question_in_the_tray_cuts_no_die(browser: "Browser", size: tuple[int, int]) -> None:
    """Whoever is asked to take a roll back sees all of it, and so does whoever asked."""
    whole = "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector('.tray .felt'))"
    with playing(browser, game(), "alice", viewport={"width": size[0], "height": size[1]}) as page:
        for dice in ("d20", "3d6", "8d6", "15d6", "29d6", "40d6"):
            played = game()
            seq = played.type("bob", "roll", f"{dice} # Strength")
            for by, missing, words in (("bob", "alice", "?"), ("alice", "bob", "Waits for bob")):
                snapshot = played.snapshot("alice")
                snapshot["game"]["strike"] = {"roll": seq, "by": [by], "missing": [missing]}
                page.evaluate(f"void fake.change({json.dumps(snapshot)})")
                page.locator(".take-back.asked").get_by_text(words).first.wait_for()
                assert page.evaluate(whole), (dice, by)


def test_the_log_is_parted_where_another_phase_begins(browser: "Browser") -> None:
    agreed = {"fast_rolling": True, "fast_saves": True}
    played = Played("wh40k-9e", agreed, alice="player", bob="player")
    for phase in ("command", "movement", "shooting"):
        played.do("alice", "declare", {"what": "phase", "phase": phase})
    with playing(browser, played, "bob") as page:
        parted = page.locator(".entry.scene")
        assert [re.sub(r"\s+", " ", each) for each in parted.all_inner_texts()]
        assert parted.count() == 3
        assert parted.locator("time").count() == 3
        assert parted.locator(".avatar").count() == 3


def test_an_installed_page_says_that_it_may_be_kept_apart(browser: "Browser") -> None:
    standalone = "Object.defineProperty(navigator, 'standalone', { value: true });"
    for init, told in ((standalone, 1), ("", 0)):
        with shown(browser, {"tables": []}, "/", init=init) as page:
            page.get_by_text("Nobody yet").wait_for()
            assert page.get_by_text("This is the installed page").count() == told
            until(page, "document.documentElement.scrollWidth <= innerWidth")
