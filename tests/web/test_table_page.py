"""The screens of the table page, on snapshots of the form that core gives; and two players at a real table."""

import copy
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.page.systems import systems_words
from tests.conftest import SPECS
from tests.server.served import serving
from tests.web.page_games import FIELDS, actions_of, advice_of, game_of, me, roll_of, screens, table_of
from tests.web.table_page import PATIENCE, axe_findings, open_all, shown, until
from tests.web.test_table_words import of_the_table
from verifier import verify
from verifier.checkpoints.checkpoint import Checkpoint
from verifier.checkpoints.code import table_code
from verifier.language import translator
from verifier.log.merkle import leaf_hash, root_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCREENS = screens()
TOUCH = 44
"""CSS pixels: the least side of what is tapped"""


def playing(actions: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """A fake game of alice's, which a test may change."""
    advice = advice_of(actions_of() if actions is None else actions)
    snapshot = {"stage": "playing", "table": table_of(), "me": me(), "game": game_of(), "advice": advice}
    return {"snapshot": copy.deepcopy(snapshot), **more}


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


# --- every screen ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
def test_nothing_is_wider_than_the_screen_and_all_can_be_tapped(browser: "Browser", name: str, tmp_path: Path) -> None:
    path, fake = SCREENS[name]
    with shown(browser, fake, path) as page:
        open_all(page)
        for width in (320, 360, 390, 640, 1280, 1600):  # 320 and 640 are 1280 at 400 % and at 200 %
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") == width, width
        page.set_viewport_size({"width": 390, "height": 844})
        small = page.evaluate(
            """(least) => [...document.querySelectorAll(
                'button, summary, select, textarea, input:not([type=radio], [type=checkbox]), label:is(.key, .choice)')]
              .filter((each) => each.offsetParent !== null)
              .map((each) => ({ html: each.outerHTML.slice(0, 80), box: each.getBoundingClientRect() }))
              .filter(({ box }) => box.height < least - 0.5 || box.width < least - 0.5).map(({ html }) => html)""",
            TOUCH,
        )
        assert small == []


_AT_PLAY = ("game master", "judge", "judge, a roll waits", "over", "spectator", "trouble")
"""screens that differ little from the game's, for a test of half a minute each"""


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in _AT_PLAY else name for name in SCREENS]
)
def test_axe_finds_nothing_serious(browser: "Browser", axe: str, name: str, tmp_path: Path) -> None:
    """In every look, with all open. What was looked at is to be seen: `pytest -m long -k axe --basetemp=DIR`."""
    path, fake = SCREENS[name]
    for width in (390, 1280):
        for scheme in ("light", "dark"):
            with shown(browser, fake, path, viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
                page.screenshot(path=tmp_path / f"{name}-{width}-{scheme}.png", full_page=True)
                open_all(page)
                assert axe_findings(page, axe) == [], (width, scheme)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
def test_in_japanese_nothing_english_is_left(browser: "Browser", name: str) -> None:
    path, fake = SCREENS[name]
    with shown(browser, fake, path) as page:
        page.locator(".language").select_option("ja")
        until(page, "document.documentElement.lang === 'ja'")  # the words are fetched
        open_all(page)
        text = re.sub("[0-9a-f]{64}", "", page.locator("body").inner_text())
        for field in page.locator("#name").all():  # a name has letters a to z, in every language
            text = text.replace(field.get_attribute("placeholder") or "", "")
    # What others said: names and titles that were typed, the server and core (which are English here), what is called
    # the same in both, and commands.
    same = {text for text, word in systems_words(translator("ja")).items() if text == word}
    for known in sorted({*_texts(fake), *same}, key=len, reverse=True):
        text = re.sub(rf"(?<![A-Za-z]){re.escape(known)}(?![A-Za-z])", "", text) if len(known) > 1 else text
    text = re.sub(
        "Double Down|Warhammer 40,000|The 9th Age(: Fantasy Battles)?", "", text
    )  # their names in Japanese, too
    spoken = r"English|Deutsch|rollproof [\w-]+|dice\.example\.org|openssl|http\S*|\b(host|alice|bob|gil|dana)\b"
    fakes = r"\$ sed|Step \d|\b(abab|cdcd|efef)|leaf hash|three highest|Rollproof|^zip"
    left = [line for line in re.sub(spoken, "", text).splitlines() if re.search(r"[A-Za-z]{4,}", line)]
    assert [line for line in left if not re.search(fakes, line)] == []


def _texts(value: Any) -> Iterator[str]:
    """All texts that a fake brings."""
    if isinstance(value, str):
        yield from (value, value[:1].upper() + value[1:], *value.split("~~"))
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


@pytest.mark.slow
def test_in_german_nothing_english_is_left(browser: "Browser") -> None:
    """No template of more than two words stands on a screen as it is in the code."""
    english = {text for text in of_the_table() if len(re.findall(r"[A-Za-z]{2,}", text)) > 2 and "{" not in text}
    assert len(english) > 200
    for path, fake in SCREENS.values():
        with shown(browser, fake, path) as page:
            page.locator(".language").select_option("de")
            until(page, "document.documentElement.lang === 'de'")
            open_all(page)
            text = flat(page.locator("body").inner_text())
            assert [each for each in english - set(_texts(fake)) if each in text] == []


PARTED = """([words, where]) => [...document.querySelectorAll(where)].flatMap((each) => {
  const found = [];
  const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const word of words)
      for (let at = text.data.indexOf(word); at >= 0; at = text.data.indexOf(word, at + 1)) {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + word.length);
        found.push([word, new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size]);
      }
  return found;
})"""
"""words that stand somewhere, each with the number of lines on which it stands"""


@pytest.mark.long
@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ja-JP"])
def test_each_word_of_the_bar_stands_on_one_line(browser: "Browser", locale: str) -> None:
    path, fake = SCREENS["game"]
    for width in (360, 390):
        with shown(browser, fake, path, locale=locale, viewport={"width": width, "height": 844}) as page:
            parts = page.locator(".parts button")
            parts.last.wait_for()
            for part in parts.all():
                words = part.inner_text().split("\n")[0].strip()
                assert page.evaluate(PARTED, [[words], ".parts"]) == [[words, 1]], width
                assert part.evaluate("(each) => each.scrollWidth <= each.clientWidth"), (width, words)


@pytest.mark.long
def test_lines_of_japanese_break_between_phrases(browser: "Browser") -> None:
    """At any width: a browser that knows no phrases breaks where it does, and this one is Chromium."""
    words = ["総合ルール", "サイコロ", "ブラウザ", "プレイヤー", "ゲームマスター"]
    path, fake = SCREENS["home"]
    with shown(browser, fake, path, locale="ja-JP") as page:
        found: list[tuple[str, int]] = []
        for width in range(320, 420, 4):
            page.set_viewport_size({"width": width, "height": 844})
            found += [
                (word, lines) for word, lines in page.evaluate(PARTED, [words, "h1, .lead, .choice, .check, .hint"])
            ]
        assert {word for word, _ in found} >= {"総合ルール", "サイコロ", "ブラウザ"}
        assert [word for word, lines in found if lines > 1] == []


STUCK = """(button) => {
  const dialog = button.closest('dialog');
  const around = dialog ? dialog.getBoundingClientRect().bottom - dialog.clientTop : innerHeight;
  const { boxShadow, outlineWidth } = getComputedStyle(button);
  const ground = boxShadow === 'none' ? parseFloat(outlineWidth) : Number(/([\\d.]+)px$/u.exec(boxShadow)[1]);
  return [around - button.getBoundingClientRect().bottom, ground];
}"""


@pytest.mark.long
@pytest.mark.parametrize("colours", ["none", "active"])
@pytest.mark.parametrize("name", ["home", "agreeing", "game"])
def test_nothing_shows_below_a_button_that_stays_in_view(browser: "Browser", name: str, colours: str) -> None:
    """What scrolls by ends at the ground that the button brings with it; a forced colour has no shadow."""
    path, fake = SCREENS[name]
    with shown(browser, fake, path, forced_colors=colours) as page:
        if name == "game":
            page.locator(".top .help").click()
        gap, ground = page.locator(":is(.sit, section, .explained) > button.main").last.evaluate(STUCK)
        assert 0 <= gap <= ground + 1, (gap, ground)


@pytest.mark.long
def test_a_keyboard_over_half_of_the_screen_leaves_the_name_in_view(browser: "Browser") -> None:
    """The button that stays in view on a whole screen stands over no field of a low one, wherever it is scrolled."""
    path, fake = SCREENS["home"]
    with shown(browser, fake, path, locale="de-DE", viewport={"width": 390, "height": 400}) as page:
        page.locator("#name").focus()
        page.keyboard.type("Ann")
        name = page.locator("#name").bounding_box()
        assert name is not None
        assert 0 <= name["y"] <= name["y"] + name["height"] <= 400
        for down in range(0, page.evaluate("document.documentElement.scrollHeight"), 40):
            page.evaluate(f"scrollTo(0, {down})")
            assert not page.evaluate(OVER), down


OVER = """(() => {
  const button = document.querySelector('.sit > button.main').getBoundingClientRect();
  return ['#title', '#name', '#name-hint'].some((each) => {
    const { top, bottom } = document.querySelector(each).getBoundingClientRect();
    return bottom > button.top && top < button.bottom;
  });
})()"""
"""Whether the button of the form stands over a field."""


@pytest.mark.long
@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ja-JP"])
def test_long_names_stand_beside_who_is_here_and_within_the_tray(browser: "Browser", locale: str) -> None:
    long = "Maximiliane-Wilhelmine von Hohenzollern"
    fake = playing()
    game = fake["snapshot"]["game"]
    for party in game["parties"]:
        party["called"] = long if party["name"] in ("alice", "bob") else None
    with shown(browser, fake, locale=locale) as page:
        rows = page.locator(".people li").all()
        assert len(rows) == len(game["parties"])
        for row in rows:
            dot, avatar = row.locator(".dot").bounding_box(), row.locator(".avatar").bounding_box()
            assert dot is not None
            assert avatar is not None
            assert dot["x"] + dot["width"] <= avatar["x"]
            assert dot["y"] < avatar["y"] + avatar["height"], "in one line"
        page.evaluate("void fake.change({ game: { ...fake.snapshot.game, rolls: [], unagreed: ['gil'] } })")
        page.locator(".tray.none").get_by_text("gil").wait_for()
        for unagreed in (["gil", "alice"], ["alice", "bob", "gil"]):
            page.evaluate(f"void fake.change({{ game: {{ ...fake.snapshot.game, unagreed: {unagreed} }} }})")
            page.wait_for_timeout(50)
            assert page.evaluate(LOW), unagreed
            told = page.locator(".tray .outcome").inner_text()
            assert str(len(unagreed)) in told
            assert long not in told


@pytest.mark.long
def test_dice_are_whole_in_the_tray_with_a_keyboard_over_half_of_the_screen(browser: "Browser") -> None:
    whole = """[...document.querySelectorAll('.tray .die')].every((each) => {
      const felt = document.querySelector('.tray .felt').getBoundingClientRect();
      const { top, bottom } = each.getBoundingClientRect();
      return top >= felt.top - 1 && bottom <= felt.bottom + 1;
    })"""
    body = {"dice": "4d6kh3", "source": "a save on the rope bridge over the ravine, in the rain"}
    rolled = game_of(size=19, rolls=[*game_of()["rolls"], roll_of(17, "bob", body, [6, 5, 3, 2], 6)])
    with shown(browser, playing(), viewport={"width": 390, "height": 440}) as page:
        page.evaluate(f"void fake.change({json.dumps({'game': rolled})})")
        until(page, "document.querySelectorAll('.tray:not(.past) .die').length === 4")
        page.wait_for_timeout(1_000)
        assert page.evaluate(whole)


LOW = """(() => {
  const tray = document.querySelector('.tray').getBoundingClientRect();
  const key = document.querySelector('.tray .only').getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(document.querySelector('.tray .outcome'));
  const { top, bottom, left } = words.getBoundingClientRect();
  return top >= tray.top && bottom <= tray.bottom && (left >= key.right || top >= key.bottom);
})()"""
"""What the low tray says stands in it, and not below its key."""


# --- what is tapped says what is signed ------------------------------------------------------------------------------


@pytest.mark.long
def test_a_button_says_what_it_signs_whatever_the_server_calls_it(browser: "Browser") -> None:
    due: dict[str, Any] = {
        "type": "leave",
        "label": "roll a d20",
        "clause": None,
        "due": True,
        "body": {"party": "alice"},
        "fields": [],
    }
    with shown(browser, playing([due])) as page:
        button = page.locator(".due button.sign")
        assert flat(button.inner_text()) == "Leave the game"
        assert page.locator(".due .advice").inner_text() == "Roll a d20"


HIDDEN = {
    "\u200b": r"\u200b",
    "\u202e": r"\u202e",
    "\u00ad": r"\xad",
    "\u3164": r"\u3164",
    "\n": r"\x0a",
    "\U000e0041": r"\u{e0041}",
}


@pytest.mark.long
def test_what_cannot_be_seen_stands_as_numbers_on_a_button(browser: "Browser") -> None:
    """In values, in names, and where the page has no words for a type: an honest server offers none of these."""
    text = "a".join(["", *HIDDEN, ""])
    bodies: list[tuple[str, dict[str, Any]]] = [
        ("roll", {"dice": "d20", "source": text}),
        ("declare", {"what": "deck", "deck": "one", "cards": {text: 2, "b": [text]}}),
        ("leave", {"party": text}),
        ("void", {text: 1, "missing": [text]}),
        (f"t{text}", {"x": True}),
    ]
    for type_, body in bodies:
        due: dict[str, Any] = {"type": type_, "label": text, "clause": None, "due": True, "body": body, "fields": []}
        with shown(browser, playing([due])) as page:
            words = page.locator(".due button.sign").inner_text()
        assert all(number in words for number in HIDDEN.values()), (type_, words)
        assert not any(hidden in words.replace("\n", "") for hidden in HIDDEN if hidden != "\n"), (type_, words)


@pytest.mark.long
def test_a_line_is_typed_read_and_rolled_by_keyboard_alone(browser: "Browser") -> None:
    with shown(browser, playing(), viewport={"width": 1280, "height": 900}) as page:
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == "line":
                break
        page.keyboard.type("d20")
        page.locator(".line button.sign:not([aria-disabled])").wait_for()
        assert flat(page.locator(".line button.sign").inner_text()) == "Roll d20"
        page.keyboard.press("Enter")
        entry = page.locator(".entry.roll").first
        page.locator("#event-17").wait_for()
        assert flat(entry.locator(".dice").inner_text()).startswith("d20")
        until(page, "document.querySelector('[role=log]').innerText.includes('this browser has checked it')")
        assert page.evaluate("document.activeElement.id") == "line"
        assert page.locator("#line").input_value() == ""
        assert "fair" in entry.locator(".fairness summary").inner_text()
        entry.locator(".fairness summary").click()
        entry.get_by_text("Fair: host, alice and bob each had a part in it; this browser has checked it.").wait_for()


@pytest.mark.long
def test_what_cannot_be_read_is_said_and_nothing_is_signed(browser: "Browser") -> None:
    with shown(browser, playing()) as page:
        page.locator("#line").fill("seven")
        page.get_by_text("seven is no dice").wait_for()
        page.keyboard.press("Enter")
        assert page.evaluate("fake.snapshot.game.size") == 17


@pytest.mark.long
def test_a_lost_race_asks_where_it_may_mean_something_else(browser: "Browser") -> None:
    with shown(browser, playing(changed=True)) as page:
        page.locator("#line").fill("d20")
        page.locator(".line button.sign:not([aria-disabled])").click()
        page.get_by_text("Somebody was faster").wait_for()
        assert page.evaluate("fake.snapshot.game.size") == 17
        page.locator(".line button.sign").click()
        page.locator("#event-17").wait_for()


def at_once(page: "Page", change: str, tap: str) -> None:
    """A change, and a tap as soon as it is on the screen: both by the page's own clock, which times what is late."""
    shown = "await new Promise((done) => setTimeout(done, 100))"
    page.evaluate(f"(async () => {{ {change}; {shown}; document.querySelector('{tap}').click(); {shown}; }})()")


GROWN = "void fake.change({ game: { ...fake.snapshot.game, size: fake.snapshot.game.size + 1 } })"
CAUGHT_UP = "void fake.change({ advice: { ...fake.snapshot.advice, size: fake.snapshot.game.size } })"


@pytest.mark.long
def test_a_tap_while_anothers_line_comes_is_not_lost(browser: "Browser") -> None:
    due: dict[str, Any] = {"type": "modify", "label": "add one", "clause": None, "due": True, "body": {}, "fields": []}
    with shown(browser, playing([due])) as page:
        free = page.locator(".due button.sign:not([aria-disabled])")
        free.wait_for()
        at_once(page, GROWN, ".due button.sign")
        until(page, "(fake.signed ?? []).length === 1")
        assert page.evaluate("fake.signed[0].known") is False, "core is told to ask whether it is still offered"
        page.evaluate(CAUGHT_UP)
        free.click()
        assert [each["known"] for each in page.evaluate("fake.signed")] == [False, True]
        later = "(type, body) => ({ type, body, event: { author: 'alice', type, body, seq: 99, time: '' } })"
        page.evaluate(f"void (fake.prepare = {later})")  # lines have come that are not on the screen
        free.click()
        until(page, "fake.signed.length === 3")
        assert page.evaluate("fake.signed[2].known") is False


@pytest.mark.long
@pytest.mark.parametrize("author", ["bob", "alice"])
def test_a_tap_while_another_rolls_is_not_lost_unless_the_roll_has_to_wait(browser: "Browser", author: str) -> None:
    waiting = {
        "seq": 17,
        "author": author,
        "contributors": [],
        "opened": [],
        "awaited": [],
        "absent": [],
        "closer": "bob",
    }
    pending = json.dumps({"phase": "pending", "waiting": {**waiting, "since": 0, "mine": None}})
    with shown(browser, playing()) as page:
        page.locator("#line").fill("d20")
        page.locator(".line button.sign:not([aria-disabled])").wait_for()
        page.evaluate(f"void fake.change({{ game: {{ ...fake.snapshot.game, ...{pending} }} }})")
        page.locator(".line button.sign[aria-disabled]").wait_for()
        page.locator(".line button.sign").dispatch_event("click")
        assert page.evaluate("(fake.signed ?? []).length") == 0
        page.evaluate("void fake.change({ game: { ...fake.snapshot.game, phase: 'idle', waiting: null } })")
        page.locator(".line button.sign:not([aria-disabled])").wait_for()
        another = json.dumps(
            {"phase": "pending", "waiting": {**waiting, "seq": 18, "since": 0, "mine": None}, "size": 19}
        )
        at_once(page, f"fake.change({{ game: {{ ...fake.snapshot.game, ...{another} }} }})", ".line button.sign")
        if author == "bob":
            until(page, "(fake.signed ?? []).length === 1")
        assert [each["known"] for each in page.evaluate("fake.signed ?? []")] == ([False] if author == "bob" else [])


@pytest.mark.long
def test_a_second_tap_upon_an_own_event_is_none(browser: "Browser") -> None:
    due: dict[str, Any] = {"type": "modify", "label": "add one", "clause": None, "due": True, "body": {}, "fields": []}
    with shown(browser, playing([due])) as page:
        button, free = page.locator(".due button.sign"), page.locator(".due button.sign:not([aria-disabled])")
        page.evaluate("fake.late = true")  # advice about the own event does not come at once
        free.wait_for()
        at_once(page, "document.querySelector('.due button.sign').click()", ".due button.sign")
        page.evaluate(CAUGHT_UP)
        free.wait_for()
        assert page.evaluate("fake.signed.length") == 1
        page.evaluate(GROWN)
        page.evaluate("void (fake.sign = async () => { throw new Error('refused'); })")
        page.wait_for_timeout(2_500)  # advice did not come: it can be tapped all the same
        button.click()
        page.get_by_text("refused").wait_for()
        assert button.get_attribute("aria-disabled") is None


@pytest.mark.long
def test_fields_of_every_kind(browser: "Browser") -> None:
    action = {
        "type": "modify",
        "label": "do it all",
        "clause": None,
        "due": True,
        "body": {"roll": 8},
        "fields": FIELDS,
    }
    with shown(browser, playing([action])) as page:
        sign = page.locator(".due button.sign")
        assert "first: which, how many, which dice, why, rows" in sign.inner_text()
        page.get_by_text("second", exact=True).click()
        page.get_by_role("button", name="one more: how many").click()
        page.get_by_role("button", name="die 3").click()
        page.get_by_role("button", name="die 1").click()
        page.get_by_label("why").fill("because")
        page.get_by_role("button", name="one more", exact=True).click()
        page.get_by_role("textbox", name="a number").fill("7")
        page.locator(".due button.sign:not([aria-disabled])").click()
        until(page, "fake.snapshot.game.size === 18")
        signed = page.evaluate("fake.snapshot.game.events.at(-1).body")
        assert signed == {"roll": 8, "which": "b", "many": 1, "dice": [3, 1], "text": "because", "rows": [{"n": 7}]}


@pytest.mark.long
def test_text_of_others_stays_text(browser: "Browser") -> None:
    fake = playing()
    evil = "<img src=x onerror=alert(1)>\u202e<b>bold</b>"
    fake["snapshot"]["game"]["rolls"][3] = {**game_of()["rolls"][3], "body": {"dice": "d6", "source": evil}}
    fake["snapshot"]["table"]["title"] = "<script>alert(1)</script>"
    with shown(browser, fake) as page:
        assert page.locator("main img, main b:not(.die), header script").count() == 0
        assert "<img src=x onerror=alert(1)>\\u202e<b>bold</b>" in page.locator("#event-14").inner_text()
        assert "<script>alert(1)</script>" in page.locator("h1").inner_text()


@pytest.mark.long
def test_what_a_roll_was_for_stands_by_itself_in_the_log(browser: "Browser") -> None:
    """A source from right to left turns neither dice nor words around it (specs/log.md, "Text")."""
    fake = playing()
    first = fake["snapshot"]["game"]["rolls"][0]
    first["body"] = {"dice": "6d6", "source": "\u05d0\u05d1\u05d2", "least": 15}
    with shown(browser, fake) as page:
        purpose = page.locator(f"#event-{first['seq']} .purpose")
        assert purpose.inner_text() == "6d6 for \u2068\u05d0\u05d1\u05d2\u2069, 15 or more"
        [source, dice] = page.evaluate(
            """(purpose) => {
              const text = [...purpose.childNodes].find((node) => node.nodeValue?.includes('15 or'));
              const at = (from, to) => {
                const range = document.createRange();
                range.setStart(text, from);
                range.setEnd(text, to);
                return range.getBoundingClientRect().left;
              };
              const [source, behind] = ['\\u05d1', '15 or'].map((each) => text.nodeValue.indexOf(each));
              return [at(source, source + 1), at(behind, behind + 1)];
            }""",
            purpose.element_handle(),
        )
        assert source < dice, "what is needed stands behind the source, where it was written"


# --- what must not be missed -----------------------------------------------------------------------------------------


@pytest.mark.long
def test_trouble_is_loud_and_stops_every_button(browser: "Browser") -> None:
    path, fake = SCREENS["trouble"]
    with shown(browser, fake, path) as page:
        alerts = page.get_by_role("alert")
        assert "does not go on from what this browser saw" in alerts.nth(0).inner_text()
        assert "the server says 6, 6, 6, 6; checked here: 6, 5, 3, 2" in alerts.nth(1).inner_text()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the evidence").click()
        assert saved.value.suggested_filename == "here.jsonl"
        assert page.locator("button.sign:not([aria-disabled])").count() == 0
        page.get_by_role("button", name="I have read this").click()
        until(page, "document.querySelectorAll('[role=alert]').length === 2")


@pytest.mark.long
def test_a_judge_voids_only_on_the_closers_word(browser: "Browser") -> None:
    path, fake = SCREENS["judge, a roll waits"]
    with shown(browser, fake, path) as page:
        page.get_by_text("The roll waits for gil.").wait_for()
        page.get_by_text("Call this roll off, as judge").click()
        button = page.get_by_role("button", name="Call this roll off; it waits for")
        assert button.get_attribute("aria-disabled") == "true"
        assert flat(button.inner_text()).endswith("it waits for gil"), "bob is there, and waits too"
        signed = page.locator(".waits .hint", has_text="You sign that these gave no part")
        assert flat(signed.inner_text()).endswith("gave no part: bob and gil."), "a void names the closer"
        page.locator(".waits .keys button", has_text="gil").click()
        page.get_by_role("button", name="Call this roll off; it waits for bob").wait_for()
        assert signed.count() == 0, "the button says it all"
        page.locator(".waits .keys button", has_text="gil").click()
        assert page.locator(".waits .keys").inner_text().split() == ["alice", "bob", "gil"]  # never the keeper
        page.get_by_label("bob has told me so").check()
        assert button.get_attribute("aria-disabled") is None


@pytest.mark.long
def test_a_judge_rules_from_the_log(browser: "Browser") -> None:
    path, fake = SCREENS["judge"]
    with shown(browser, fake, path) as page:
        page.locator("#event-8 .fairness summary").click()
        page.locator("#event-8").get_by_role("button", name="Rule on").click()
        page.get_by_text("Uphold", exact=True).click()
        page.get_by_label("the reason").fill("it stands")
        page.locator(".ruling-form button.sign:not([aria-disabled])").click()
        until(page, "fake.snapshot.game.size === 18")
        signed = page.evaluate("fake.snapshot.game.events.at(-1)")
        assert (signed["type"], signed["body"]) == ("ruling", {"ruling": "uphold", "subject": 8, "text": "it stands"})


@pytest.mark.long
def test_advice_that_makes_no_sense_leaves_the_rest_of_the_page(browser: "Browser") -> None:
    fake = playing([{"type": "roll", "due": True, "label": 7}])
    fake["snapshot"]["advice"]["state"]["tables"] = [{"title": None}]
    with shown(browser, fake, fails=True) as page:
        assert page.get_by_text("This part cannot be shown").count() == 2
        page.locator("#event-8 .fairness summary").click()
        page.locator("#event-8").get_by_text("Fair: host, alice, bob and gil each had a part in it").wait_for()
        assert page.get_by_role("button", name="Save the log").count() == 1
        nothing = "{ ...fake.snapshot.advice, actions: [], state: { rolls: [], tables: [] } }"
        page.evaluate(f"fake.change({{ advice: {nothing} }})")
        page.get_by_text("This part cannot be shown").first.wait_for(state="detached")


# --- the log, luck, files --------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_log_is_told_newest_first_and_filtered(browser: "Browser") -> None:
    with shown(browser, playing()) as page:
        order = [int(each.get_attribute("id").removeprefix("event-")) for each in page.locator(".entry").all()]  # type: ignore[union-attr]
        assert order == sorted(order, reverse=True)
        alice = flat(page.locator("#event-8").inner_text())
        assert "4d6 6 5 3 2 does not count" in alice
        assert "= 16" in alice
        assert page.locator("#event-8 s.die").inner_text().startswith("2")
        assert "dana ruled (corrected): the die was read wrongly" in page.locator("#event-10").inner_text()
        assert "No dice: it was called off" in page.locator("#event-12").inner_text()
        page.get_by_label("Whose").first.select_option("bob")
        assert page.locator(".entry.roll").count() == 2
        page.get_by_label("What kind").select_option("judged")
        assert page.locator(".entry").count() == 2
        page.locator("#event-10 .fairness summary").click()
        page.get_by_text("Step by step").click()
        assert "openssl dgst" in page.locator("#event-10 .hand").inner_text()


@pytest.mark.long
def test_a_roll_is_shown_before_its_result_and_announced_once_with_it(browser: "Browser", tmp_path: Path) -> None:
    fake = playing()
    fake["next"] = {**game_of()["rolls"][0], "seq": 17, "index": 9, "end": 18, "author": "bob"}
    fake["told"] = {**advice_of([])["state"]["rolls"][0], "roll": 17, "author": "bob"}
    with shown(browser, fake) as page:
        page.evaluate(
            """() => {
              const { game } = fake.snapshot;
              const event = (seq, type, author) => ({ ...game.events[0], body: {}, seq, type, author });
              const events = [...game.events, event(17, 'roll', 'bob'), event(18, 'reveal', 'host')];
              fake.change({ game: { ...game, size: 19, rolls: [...game.rolls, FAKE.next], events } });
            }"""
        )
        entry = page.locator("#event-17.fair")
        entry.locator(".result.coming").wait_for()
        entry.scroll_into_view_if_needed()
        page.screenshot(path=tmp_path / "result comes.png")
        assert page.locator("[role=log] p").count() == 0
        page.evaluate(
            """() => {
              const { state } = fake.snapshot.advice;
              const rolls = [FAKE.told, ...state.rolls];
              const advice = { ...fake.snapshot.advice, size: 19, state: { ...state, rolls } };
              fake.change({ advice });
              fake.change({ advice: { ...advice } });
            }"""
        )
        entry.locator(".result:not(.coming)").wait_for()
        page.screenshot(path=tmp_path / "result.png")
        page.locator("[role=log] p", has_text="bob").wait_for()
        page.wait_for_timeout(1_500)  # what waits for a result has given up by then
        assert page.locator("[role=log] p").count() == 1
        assert page.locator("[role=log]").inner_text().count("= 16") == 1


@pytest.mark.long
def test_luck_counts_faces_and_claims_nothing(browser: "Browser") -> None:
    with shown(browser, playing(), viewport={"width": 1280, "height": 900}) as page:
        luck = page.locator(".luck")
        assert flat(luck.locator(".tally").nth(0).inner_text()).startswith(
            "gil, d10 12 dice · average 6.00, to be expected 5.50"
        )
        assert "face 1 2 3 4 5 6 seen 0 1 1 0 1 1 to be expected 0.7 0.7" in flat(
            luck.locator(".tally").nth(1).inner_text()
        )
        assert "convict nobody" in luck.inner_text()
        assert "rollproof stats" in luck.inner_text()


@pytest.mark.long
def test_the_zip_can_be_read(browser: "Browser") -> None:
    with shown(browser, playing()) as page:
        made = page.evaluate(
            """async () => {
              const { zip } = await import('/page/ledger/web/ui/files.js');
              const file = (name, text) => ({ name, bytes: new TextEncoder().encode(text) });
              return [...zip([file('a.jsonl', 'one\\n'), file('a.jsonl', 'two'), file('卓/..', '')])];
            }"""
        )
    with zipfile.ZipFile(io.BytesIO(bytes(made))) as archive:
        assert archive.testzip() is None
        assert {each: archive.read(each) for each in archive.namelist()} == {
            "a.jsonl": b"one\n",
            "a (2).jsonl": b"two",
            "卓": b"",
        }


def test_colours_have_contrast() -> None:
    """WCAG 2.2, 1.4.3 and 1.4.11: text has 4.5 to 1 on whatever it stands on, edges of controls 3 to 1."""
    css = (SPECS.parent / "ledger" / "web" / "ui" / "style.css").read_text(encoding="utf-8")
    roots = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    schemes = [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", part)) for part in roots]
    schemes = [each for each in schemes if each]  # more contrast names no colours of its own
    assert len(schemes) == 2

    def light(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    grounds = ("ground", "paper", "soft")
    pairs = [(text, ground, 4.5) for text in ("ink", "quiet", "good", "bad", "doubt", "accent") for ground in grounds]
    pairs += [(name, f"{name}-ground", 4.5) for name in ("good", "bad", "doubt")]
    pairs += [
        ("on-accent", "accent", 4.5),
        ("ink", "accent-soft", 4.5),
        ("ink", "doubt-ground", 4.5),
        ("ink", "bad-ground", 4.5),
    ]
    pairs += [(f"{name}-ink", name, 4.5) for name in ("die", "high", "low")] + [("die-edge", "felt", 3.0)]
    pairs += [(name, "felt", 4.5) for name in ("ink", "quiet", "out")]
    pairs += [("quiet", "doubt-ground", 4.5)] + [("edge", ground, 3.0) for ground in grounds]
    for scheme in schemes:
        for text, ground, least in pairs:
            bright, dark = sorted((light(scheme[text]), light(scheme[ground])), reverse=True)
            assert (bright + 0.05) / (dark + 0.05) >= least, (text, ground)


# --- a real table ----------------------------------------------------------------------------------------------------


class Player:
    """A person with a phone, whose taps are counted. What is typed, and Enter on the keyboard, are no taps."""

    def __init__(self, browser: "Browser", name: str) -> None:
        self.name, self.taps = name, 0
        self.context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def tap(self, selector: str) -> None:
        self.page.locator(selector).first.click()
        self.taps += 1


@pytest.mark.long
def test_two_players_from_a_link_to_the_first_d20(browser: "Browser", tmp_path: Path, record_property: Any) -> None:
    alice, bob = Player(browser, "alice"), Player(browser, "bob")
    with serving(tmp_path / "server") as server:
        alice.page.goto(f"{server.address}/")
        alice.tap("#name")
        alice.page.keyboard.type("Alice")
        alice.page.keyboard.press("Enter")
        alice.tap("button:has-text('Copy')")
        link = alice.page.locator("input.link").first.input_value()
        bob.page.goto(link)
        bob.tap("#name")
        bob.page.keyboard.type("bob")
        bob.page.keyboard.press("Enter")
        alice.tap("button.main:has-text('Start with alice and bob')")
        bob.tap("button.main:has-text('Agree to these terms and play as bob')")
        alice.tap("#line")
        alice.page.keyboard.type("d20")
        before = alice.taps
        alice.tap(".line button.sign:not([aria-disabled])")
        for each in (alice, bob):
            each.page.locator(".entry.roll.fair").wait_for()
            each.page.locator(".tray .badge", has_text="fair ✓").click()
            each.page.get_by_role("dialog").get_by_text("Fair: keeper, alice and bob each had a part in it").wait_for()
            each.page.keyboard.press("Escape")
        shown_dice = [each.page.locator(".entry.roll .die").inner_text() for each in (alice, bob)]
        assert shown_dice[0] == shown_dice[1]
        assert alice.taps - before == 1
        record_property("taps to the first d20, of who opens the table", alice.taps)
        record_property("taps to the first d20, of who gets the link", bob.taps)
        assert max(alice.taps, bob.taps) <= 5
        alice.page.locator("#line").fill("d8 for what is not rolled yet")
        bob.page.locator("#line").fill("4d6kh3 + 2 for Strength")
        bob.tap(".line button.sign:not([aria-disabled])")
        alice.page.locator(".entry.roll.fair").nth(1).wait_for()
        assert alice.page.locator("#line").input_value() == "d8 for what is not rolled yet"
        alice.page.locator(".fairness summary").first.click()
        alice.page.get_by_text("Step by step").click()
        alice.page.locator(".why .hand").first.wait_for()
        assert "openssl" in alice.page.locator(".why").inner_text()
        codes = [each.page.locator(".save .digits").inner_text() for each in (alice, bob)]
        assert codes[0] == codes[1]
        with bob.page.expect_download() as saved:
            bob.page.get_by_role("button", name="Save the log").click()
        saved.value.save_as(tmp_path / "saved.jsonl")
        report, _ = verify((tmp_path / "saved.jsonl").read_bytes())
        assert report.verdict == "holds"
        leaves = [leaf_hash(line) for line in (tmp_path / "saved.jsonl").read_bytes().splitlines()]
        assert codes[0] == f"{len(leaves)}: {table_code(Checkpoint(leaves[0], len(leaves), root_of(leaves)))}"
        alice.page.reload()
        alice.page.locator(".entry.roll.fair").nth(1).wait_for()
        alice.page.goto(f"{server.address}/")
        alice.page.get_by_text("2 rolls").wait_for()
        with alice.page.expect_download() as saved:
            alice.page.get_by_role("button", name="Save all logs").click()
        saved.value.save_as(tmp_path / "all.zip")
        with zipfile.ZipFile(tmp_path / "all.zip") as archive:
            (name,) = [each for each in archive.namelist() if each.endswith(".jsonl")]
            assert archive.read(name) == (tmp_path / "saved.jsonl").read_bytes()
        assert alice.problems + bob.problems == []
    for each in (alice, bob):
        each.context.close()


@pytest.mark.long
def test_a_seat_moves_to_another_device(browser: "Browser", tmp_path: Path) -> None:
    alice, phone = Player(browser, "alice"), Player(browser, "alice's phone")
    with serving(tmp_path / "server") as server:
        page = alice.page
        page.goto(f"{server.address}/")
        page.locator("#name").fill("alice")
        page.get_by_text("A key of its own for this table").click()
        page.locator("#passphrase").fill("seven songs in a row")
        page.keyboard.press("Enter")
        page.locator("button:has-text('Start with alice')").click()
        page.locator("#line").fill("d6")
        page.locator(".line button.sign:not([aria-disabled])").click()
        page.locator(".entry.roll.fair").wait_for()
        page.get_by_text("Move this seat to another device").click()
        page.get_by_role("button", name="Move this seat").click()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Move this seat").click()
        saved.value.save_as(tmp_path / "seat.json")
        page.get_by_role("heading", name="This seat was moved to another device").wait_for()
        assert page.locator("button.sign:not([aria-disabled])").count() == 0
        phone.page.goto(page.url)
        phone.page.get_by_text("You look on: you have no seat in this game, in this browser.").wait_for()
        phone.page.get_by_text("I have a seat on another device").click()
        phone.page.locator("#moved").set_input_files(tmp_path / "seat.json")
        phone.page.locator("#moved-passphrase").fill("seven songs in a row")
        phone.page.get_by_role("button", name="Take the seat here").click()
        phone.page.locator("#line").fill("d6")
        phone.page.locator(".line button.sign:not([aria-disabled])").click()
        phone.page.locator(".entry.roll.fair").nth(1).wait_for()
        assert alice.problems + phone.problems == []
    for each in (alice, phone):
        each.context.close()
