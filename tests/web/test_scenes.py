"""What the systems' scenes add to the table page: lines that keys build, odds, screens, a short game of each."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from ledger.server.problems import Problem
from rules.systems.doubledown.tables import OUTCOMES, SHIFT, outcome_of
from tests.conftest import SPECS
from tests.server.served import serving
from tests.web.scene_games import Played, playing
from tests.web.table_page import PATIENCE, axe_findings, open_all
from verifier import verify

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

UI = SPECS.parent / "ledger" / "web" / "ui" / "scenes"
NODE = shutil.which("node")
TOUCH = 44
"""CSS pixels: the least side of what is tapped"""
MOST_TAPS = 8
"""of both players, for 20 shots with saves at a table that stands"""
DAMAGE_TAPS = 3
"""for damage of a D6, once a save has failed"""
CHARGE_TAPS = 5
"""for a charge of Maximised dice, +5, 13 or more"""
MAGIC, WARHAMMER, NINTH, DOUBLE = "mtg-706-2023-11-17", "wh40k-9e", "t9a-2022", "doubledown-1"


def node(code: str) -> Any:
    """What a module of the scenes gives, in Node: `code` has its exports in `m`, and ends with an expression."""
    if NODE is None:
        pytest.skip("Node is not installed")
    module, _, expression = code.partition(": ")
    script = f"import * as m from '{(UI / module).as_uri()}';\nprocess.stdout.write(JSON.stringify({expression}));"
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", script], capture_output=True, text=True, check=True, timeout=60
    )
    return json.loads(done.stdout)


# --- lines and odds --------------------------------------------------------------------------------------------------


def test_doubling_is_what_the_rules_enumerate() -> None:
    range_ = [(m, d) for m in range(2, 19) for d in range(10, 41)]
    firsts = [OUTCOMES[tier].name for tier in SHIFT]
    each = f"{json.dumps(firsts)}.map((first) => m.doubled(first, mod, d))"
    told = node(f"odds.js: {json.dumps(range_)}.map(([mod, d]) => [m.succeeding(mod, d), {each}])")
    assert node("odds.js: m.OUTCOMES") == [outcome.name for outcome in OUTCOMES]
    for (modifier, difficulty), (succeeding, odds) in zip(range_, told, strict=True):
        tiers = [outcome_of(natural, natural + modifier, difficulty) for natural in range(1, 21)]
        assert succeeding == sum(OUTCOMES[tier].success for tier in tiers)
        for first, rows in zip(SHIFT, odds, strict=True):
            found = [min(7, max(0, first + SHIFT[tier])) for tier in tiers]
            counted = [(OUTCOMES[t].name, found.count(t)) for t in sorted(set(found), reverse=True)]
            assert [(row["outcome"], row["of20"]) for row in rows] == counted


PRESSED = {
    "m.addDie('', 'd6')": "d6",
    "m.addDie(m.addDie('', 'd6'), 'd6')": "2d6",
    "m.addDie('2d6', 'd8')": "2d6 + d8",
    "m.addDie('', 'dF')": "4dF",
    "m.addDie('2d6 + 1', 'd6')": "3d6 + 1",
    "m.addDie('d20 - 2 for Luck', 'd4')": "d20 + d4 - 2 for Luck",
    "m.changeCount('4d6 + 1 for Strength', -1)": "3d6 + 1 for Strength",
    "m.changeCount('d6', -1)": "d6",
    "m.changeAdd('d20adv vs 12', 5)": "d20adv + 5 vs 12",
    "m.changeAdd('d20 + 1', -1)": "d20",
    "m.changeAdd('d20', -1)": "d20 - 1",
    "m.changeAdd('', 1)": "d20 + 1",
    "m.turnAdvantage('', 'adv')": "d20adv",
    "m.turnKeep('4d6', 'kh')": "4d6kh3",
    "m.turnKeep('4d6kh1', 'kh')": "4d6",
    "m.turnKeep('d20', 'kl')": "2d20kl1",
    "m.changeCount('3d6kh2', -1)": "2d6kh1",
    "m.turnAdvantage('2d20kh1 + 3', 'adv')": "d20adv + 3",
    "m.turnAdvantage('d20adv', 'adv')": "d20",
    "m.turnExplode('5d6kh3')": "5d6!kh3",
    "m.changeCount('(1+2)d6', 1)": "(1+2)d6",
    "m.changeAdd('2d6 # the door', 3)": "2d6 + 3 # the door",
    "m.withTarget('', {way: 'vs', number: '15'})": "d20 vs 15",
    "m.withTarget('2d6 + 1 vs 7 for X | 6- no', {way: 'under', number: '9'})": "2d6 + 1 under 9 for X | 6- no",
    "m.withTarget('d20 vs 5 under 9', null)": "d20",
    "m.withTarget('(1+2)d6 # door', {way: 'vs', number: '4'})": "(1+2)d6 vs 4 # door",
    "m.turnExplode('seven')": "seven",
}


def test_keys_make_lines_that_are_read() -> None:
    made = node(f"line.js: [{', '.join(PRESSED)}]")
    assert made == list(PRESSED.values())
    game = Played("dice-1", {}, alice="player", bob="player")
    for line in made[:-1]:
        assert game.read({"type": "roll", "line": line, "party": "alice"})["body"]["dice"] in line


WEAPONS: dict[str, dict[str, Any]] = {
    'Bolt rifle 30" Rapid Fire 1 4 -1 1': {"weapon": "Bolt rifle", "A": 1, "S": 4, "AP": -1, "D": 1, "type": "ranged"},
    "Bolt rifle A2 S4 AP-1 D1": {"weapon": "Bolt rifle", "A": 2, "S": 4, "AP": -1},
    "Chainsword | Melee | Melee | User | 0 | 1": {"weapon": "Chainsword", "type": "melee", "S": "user"},
    "Power fist Melee x2 -3 2": {"weapon": "Power fist", "type": "melee", "AP": -3, "D": 2},
    'Heavy flamer 12" Heavy D6 5 −1 1': {"weapon": "Heavy flamer", "A": "D6"},
    "Storm bolter, at hand: Assault 2 S4": {"weapon": "Storm bolter, at hand", "A": 2, "AP": 0},
}


def test_weapons_are_read_as_datasheets_have_them() -> None:
    game = warhammer()
    more = "target: 'ork-boyz', bearers: [1, 2, 4], rules: 'hit -1 Dense Cover\\nreroll hit 1 Captain'"
    one = f"m.attackLine('intercessors', [{{ weapon, {more} }}])"
    lines = node(f"weapons.js: {json.dumps(list(WEAPONS))}.map((weapon) => {one})")
    for line, expected in zip(lines, WEAPONS.values(), strict=True):
        (group,) = game.read({"type": "roll", "kind": "attack", "line": line, "party": "alice"})["body"]["groups"]
        assert {name: group.get(name, 0) for name in expected} == expected
        assert (group["target"], group["bearers"], len(group["modifiers"]) >= 1) == ("ork-boyz", [1, 2, 4], True)
    assert node("weapons.js: [m.weaponOf('nothing'), m.attackLine('a', [{weapon: '', target: 'b'}])]") == [None, ""]


@pytest.mark.long
def test_forms_make_lines_that_are_read() -> None:
    plain: dict[str, Any] = {
        "count": 10,
        "die": "d6",
        "of": "",
        "target": 4,
        "side": "+",
        "reroll": "",
        "may": False,
        "add": 0,
    }
    plain |= {"maximised": 0, "natural": True, "how": "throws"}
    forms: list[dict[str, Any]] = [
        {**plain, "source": "To hit", "reroll": "failed"},
        {**plain, "source": '7 of them, "at" once', "reroll": "1s", "may": True, "maximised": -2},
        {**plain, "source": "Charge range", "how": "sum", "count": 2, "maximised": 1, "add": 5, "target": 11},
        {**plain, "source": "Panic Test", "how": "sum", "count": 2, "target": 7, "side": "-", "add": -1},
        {**plain, "source": "Multiple Wounds", "how": "sum", "count": 1, "die": "d3", "target": None},
        {**plain, "source": "To wound", "of": "successes"},
    ]
    lines = node(f"t9a-2022.js: {json.dumps(forms)}.map((form) => m.meantLine(form))")
    game = Played(NINTH, {}, alice="player", bob="player")
    for form, line in zip(forms, lines, strict=True):
        body = game.read({"type": "roll", "line": line, "party": "alice"})["body"]
        assert body["source"] == form["source"]
        assert body.get("target") == (None if form["target"] is None else f"{form['target']}{form['side']}")
        assert len(body.get("minimised", [])) - len(body.get("maximised", [])) == -form["maximised"]
        assert body.get("times", 1) == (10 if form["how"] == "throws" and not form["of"] else 1)
        assert body.get("of", "") == form["of"]
    rows = [
        {"range": "1-9", "effect": "draw | two", "again": ""},
        {"range": "10–20", "effect": "draw", "again": "may again"},
    ]
    meant: dict[str, Any] = {
        "dice": "d20",
        "source": "Delina: the wild",
        "use": "",
        "rows": rows,
        "effects": ["+1 ignore lowest: Pixie Guide"],
    }
    meant |= {"doubles": "trample", "store": "", "without": [1, 12]}
    line = node(f"{MAGIC}.js: m.rollLine({json.dumps(meant)})")
    game = Played(MAGIC, {"planechase": False}, alice="player", bob="player")
    body = game.read({"type": "roll", "line": line, "party": "alice"})["body"]
    assert body["source"] == "Delina: the wild"
    assert [row["effect"] for row in body["table"]] == ["draw | two", "draw"]
    assert (body["table"][1]["again"], body["doubles"], body["ignores"][0]["extra"]) == ("may", "trample", 1)
    assert body["without"] == [1, 12]


@pytest.mark.parametrize(
    ("module", "names"),
    [(f"{MAGIC}.js", ("CARDS", "EFFECTS", "STANDING", "TRIGGERS")), ("wh40k-9e.js", ("FREE", "RULES"))],
)
def test_ready_lines_are_read(module: str, names: tuple[str, ...]) -> None:
    """What the keys of a scene put into a field the server reads, each by itself."""
    code = (UI / module).read_text(encoding="utf-8")
    arrays = dict(re.findall(r"const (\w+) = \[(.*?)\];", code, re.DOTALL))
    found = {name: re.findall(r"'((?:[^'\\]|\\.)*)'", arrays[name]) for name in names}
    if module.startswith("mtg"):
        game = Played(MAGIC, {"planechase": True}, alice="player", bob="player")
        lines = [*found["CARDS"], *(f"d20 A card | {effect}" for effect in found["EFFECTS"])]
        for kind, declared in (("standing", found["STANDING"]), ("trigger", found["TRIGGERS"])):
            for line in declared:
                game.do("alice", "declare", game.read({"type": "declare", "kind": kind, "line": line})["body"])
    else:
        game = warhammer()
        lines = [*found["FREE"], *(f"intercessors: Rifle at ork-boyz, A1 S4, {rule}" for rule in found["RULES"])]
    assert len(lines) > 8
    for line in lines:
        try:
            game.read({"type": "roll", "line": line, "party": "alice"})
        except Problem as problem:
            raise AssertionError(line) from problem


VOLLEYS = [
    "dreadnought: Heavy flamer at ork-boyz, A d6 S5 AP-1 D1, auto-hit Flamer",
    "dreadnought: Multi-melta at ork-boyz, A2 S8 AP-4 D d6, on wound unmodified 4-6: mortal d3 Overload",
    "intercessors: Bolt rifle at ork-boyz, A2 S4 AP-1 D1, reroll hit 1 Captain; Stalker at truck, A1 S5 AP-2 D2",
    "intercessors: Arc rifle at ork-boyz, A2 S4, on hit unmodified 4-6: extra hits d3 Arc, wounds on 3+ Arc",
    "intercessors: Bomb at truck, A1 S 2d6 AP-5 D d3, on hit unmodified 6: mortal 2 Fuse",
]


def step_of(game: Played) -> bool:
    """Take what stands first among the steps of either player, or leave the dice as they are; whether there was any."""
    for party in ("alice", "bob"):
        advice = game.snapshot(party)["advice"]
        own = advice["state"]["own"]
        given = json.dumps([advice["actions"], own])
        found = node(f"wh40k-9e.js: ((a, own) => m.choices(a.filter(m.isStep), own))(...{given})")
        assert not any(each["open"] for each in found)
        if found:
            game.do(party, found[0]["action"]["type"], found[0]["body"])
            return True
        if any(each["due"] and [*each["body"]] == ["roll"] for each in advice["actions"]):
            game.do(party, "resolve", {"roll": own["open"]})
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("volley", VOLLEYS)
def test_each_step_of_a_volley_is_one_that_the_rules_take(volley: str) -> None:
    """No step needs more than a tap, and they come to an end."""
    game = warhammer(command_reroll=False)
    game.type("alice", "declare", "Dreadnought M6 WS3+ BS3+ S6 T7 W8 A4 Ld8 Sv3+", kind="unit")
    game.type("bob", "declare", "Truck M12 WS5+ BS5+ S6 T6 W10 A3 Ld6 Sv4+ fnp 6+", kind="unit")
    game.type("alice", "declare", volley, kind="attacks")
    for _ in range(30):
        if not step_of(game):
            break
    assert game.snapshot("alice")["advice"]["state"]["own"]["sequence"] is None


@pytest.mark.long
@pytest.mark.parametrize(("sheet", "damage"), [("Truck", "d6"), ("5 Bikers", "d3"), ("5 Bikers", "1")])
def test_six_saves_are_one_tap_whatever_they_lead_to(sheet: str, damage: str) -> None:
    """Damage that is rolled, and wounds that may be ignored, follow: a tap for each save that failed."""
    game = warhammer()
    ward = " fnp 5+" if damage == "1" else ""
    game.type("bob", "declare", f"{sheet} M12 WS5+ BS5+ S6 T5 W3 A3 Ld6 Sv3+{ward}", kind="unit")
    unit = "truck" if sheet == "Truck" else "bikers"
    seq = game.type("alice", "roll", f"intercessors: Lance at {unit}, A1 S8 AP-1 D {damage}", *[6] * 6, kind="attack")
    game.do("alice", "roll", {"for": "wound"}, *[6] * 6, *[1] * 4)
    game.random = Random(1)
    before = len(game.rolls)
    while step_of(game):
        pass
    after = [roll["body"]["for"] for roll in game.rolls[before:]]
    told = game.snapshot("alice")["advice"]["state"]["own"]["sequences"][-1]
    assert told["sequence"] == seq
    assert after == ["save", *["ignore" if ward else "damage"] * told["groups"][0]["failed"]]
    assert len(game.rolls[before]["naturals"]) == told["groups"][0]["wounds"] >= 6


# --- screens ---------------------------------------------------------------------------------------------------------


def warhammer(**options: bool) -> Played:
    agreed = {"fast_rolling": True, "fast_saves": True, **options}
    game = Played(WARHAMMER, agreed, alice="player", bob="player")
    game.type("alice", "declare", '10 Intercessors M6" WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+', kind="unit")
    boyz = '29 Boyz M5" WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv5+\n1 Nob M5" WS3+ BS5+ S5 T5 W2 A3 Ld7 Sv4+'
    game.type("bob", "declare", f"Ork Boyz\n{boyz}", kind="unit")
    game.do("alice", "declare", {"what": "phase", "phase": "shooting"})
    return game


def shot() -> Played:
    game = warhammer()
    game.type("alice", "roll", "intercessors: Bolt rifle at ork-boyz, A2 S4 AP-1 D1", kind="attack")
    return game


def to_save() -> Played:
    game = shot()
    seq = game.do("alice", "roll", {"for": "wound"})
    game.do("alice", "resolve", {"roll": seq})
    return game


def dice() -> Played:
    game = Played("dice-1", {}, alice="player", bob="player", gil="gm")
    game.type("alice", "roll", "2d6+1 for Hack and slash | 6- the GM moves | 7-9 at a cost | 10+ unharmed")
    deck = [{"item": "Joker", "count": 2}, {"item": "King of Spades"}]
    game.do("gil", "declare", {"what": "deck", "deck": "initiative", "items": deck})
    game.do("alice", "roll", {"deck": "initiative", "hand": True}, 3)
    call = {"what": "call", "source": "Save on the rope bridge", "dice": "d20", "least": 12, "parties": ["alice"]}
    game.do("gil", "declare", call)
    return game


def ninth() -> Played:
    game = Played(NINTH, {}, alice="player", bob="player")
    game.type("alice", "roll", "10 To hit 4+", *[6, 5, 4, 1])
    game.type("bob", "roll", "10xd6 To hit 4+ may reroll failed (Hatred)", *[1, 2, 6])
    return game


def magic() -> Played:
    game = Played(MAGIC, {"planechase": True}, alice="player", bob="player")
    game.do("alice", "declare", {"what": "permanent", "permanent": "centaur", "name": "Centaur of Attention"})
    game.type("alice", "roll", "5d6 Centaur of Attention | store on centaur")
    game.type("alice", "roll", "d20 Delina | 1-14: a token | 15-20: the same. You may roll again.", 16)
    return game


def effects() -> Played:
    game = Played(MAGIC, {"planechase": True}, alice="player", bob="player")
    thumb = "may reroll any, mana {1}: Monitor Monitor"
    adjust = 'may adjust +1/-1, cost "pay 1 life": Night Shift'
    game.type("alice", "roll", f"2d6 Celebr-8000: a bonus | {thumb} | {adjust}")
    return game


def sheets() -> Played:
    game = Played(DOUBLE, {}, gil="gm", alice="player", bob="player")
    ash = "Ash; stats agility 3, toughness 5; track 1 2 3; stress 1; tags rogue 2, four-arms 4; drive 3"
    game.type("alice", "declare", ash, kind="sheet")
    game.type("bob", "declare", "Brook; stats agility 2, wits 4; track 1 1 2; tags medic 3; drive 2", kind="sheet")
    game.do("gil", "declare", {"what": "confirm", "player": "alice"})
    return game


def called() -> Played:
    game = sheets()
    game.do("gil", "declare", {"what": "confirm", "player": "bob"})
    for source, players in (("Cross the bridge", ["alice"]), ("Lift the gate", ["alice", "bob"])):
        call = {"what": "call", "source": source, "stat": "agility", "difficulty": 14, "players": players}
        game.do("gil", "declare", call)
    return game


def first_die() -> Played:
    game = called()
    game.do("alice", "roll", {"call": 1, "tag": "rogue", "drive": 1}, 6)
    return game


def boons() -> Played:
    game = first_die()
    game.do("alice", "reroll", {"roll": game.rolls[-1]["seq"]}, 20)
    return game


SCREENS: dict[str, tuple[Callable[[], Played], str]] = {
    "any dice": (dice, "alice"),
    "any dice, game master": (dice, "gil"),
    "Warhammer, to shoot": (warhammer, "alice"),
    "Warhammer, to wound": (shot, "alice"),
    "Warhammer, to save": (to_save, "bob"),
    "The 9th Age": (ninth, "bob"),
    "Magic, may roll again": (magic, "alice"),
    "Magic, to roll": (lambda: Played(MAGIC, {"planechase": True}, alice="player", bob="player"), "alice"),
    "Magic, effects": (effects, "alice"),
    "Double Down, sheet": (lambda: Played(DOUBLE, {}, gil="gm", alice="player"), "alice"),
    "Double Down, game master": (sheets, "gil"),
    "Double Down, called": (called, "alice"),
    "Double Down, first die": (first_die, "alice"),
    "Double Down, boons": (boons, "alice"),
}

TWICE = """() => {
  const bare = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, ' ').trim();
  const pairs = [...document.querySelectorAll('.act')]
    .map((each) => ['.sign', '.advice'].map((name) => bare(each.querySelector(name)?.innerText ?? '')));
  return pairs.filter(([sign, advice]) => advice !== '' && sign.includes(advice));
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
def test_nothing_stands_on_a_button_and_once_more_below_it(browser: "Browser", name: str) -> None:
    make, party = SCREENS[name]
    with playing(browser, make(), party) as page:
        open_all(page)
        assert page.evaluate(TWICE) == []


@pytest.mark.long
def test_a_typed_line_is_told_once_and_a_volley_too(browser: "Browser") -> None:
    with playing(browser, Played(MAGIC, {"planechase": False}, alice="player", bob="player"), "alice") as page:
        page.locator("#line").fill("2d20 Barbarian Class | ignore lowest: Barbarian Class")
        page.locator(".line button.sign:not([aria-disabled])").wait_for()
        assert page.locator(".line .act").first.inner_text().count("ignore the lowest (Barbarian Class)") == 1
    with playing(browser, shot(), "alice") as page:
        assert page.locator(".tray .volley").count() == 1
        assert page.locator(".now .volley").count() == 0


@pytest.mark.long
def test_a_call_of_double_down_is_told_by_what_is_attempted(browser: "Browser") -> None:
    with playing(browser, first_die(), "alice") as page:
        assert "rolls for the call “Cross the bridge”" in page.locator(".tray .what").inner_text()
        assert "alice: the call “Cross the bridge”" in page.locator(".sign.main", has_text="Double down").inner_text()


TAPPED = "button, summary, select, input:not([type=radio]), textarea, label.key"
SMALL = """([tapped, least]) => [...document.querySelector('.now').querySelectorAll(tapped)]
  .filter((each) => each.getClientRects().length > 0)
  .map((each) => [each.getBoundingClientRect(), each.textContent || each.id])
  .filter(([box]) => box.height < least - 0.5 || box.width < least - 0.5)
  .map(([box, text]) => `${text}: ${box.width} x ${box.height}`)"""


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
def test_screens_can_be_used_by_everybody(browser: "Browser", axe: str, name: str) -> None:
    """axe, what is tapped, and a screen of 360 pixels; in both languages and schemes."""
    make, party = SCREENS[name]
    for width, scheme, locale in ((360, "light", "ja-JP"), (1280, "dark", "en-GB")):
        look = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme, "locale": locale}
        with playing(browser, make(), party, **look) as page:
            open_all(page)
            assert axe_findings(page, axe) == [], (width, scheme)
            assert page.evaluate(SMALL, [TAPPED, TOUCH]) == [], width
            assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.long
def test_a_target_is_set_by_a_field_and_follows_what_is_typed(browser: "Browser") -> None:
    game = Played("dice-1", {}, alice="player", bob="player")
    with playing(browser, game, "alice") as page:
        page.get_by_text("More dice, plus and minus, advantage, target").click()
        target = page.get_by_role("textbox", name="Target")
        target.fill("15")
        assert page.locator("#line").input_value() == "d20 vs 15"
        page.get_by_role("button", name="or less", exact=True).click()
        assert page.locator("#line").input_value() == "d20 under 15"
        page.locator("#line").fill("2d6 + 1 vs 8 for the door")
        assert target.input_value() == "8"
        assert page.get_by_role("button", name="or more").get_attribute("aria-pressed") == "true"
        target.fill("")
        assert page.locator("#line").input_value() == "2d6 + 1 for the door"
        target.fill("9")
        page.locator(".line button.sign:not([aria-disabled])").click()
        page.locator(".entry.roll.fair").wait_for()
    assert game.rolls[0]["body"] == {"dice": "2d6 + 1", "least": 9, "source": "the door"}


@pytest.mark.long
def test_a_line_that_was_rolled_is_rolled_again_in_one_tap_by_keyboard_too(browser: "Browser") -> None:
    game = dice()
    with playing(browser, game, "alice") as page:
        page.get_by_text("More dice, plus and minus, advantage").click()
        waits = [page.get_by_role("button", name=name, exact=True) for name in ("one more: how many", "keep highest")]
        assert [each.get_attribute("aria-disabled") for each in waits] == ["true"] * 2, "there are no dice yet"
        for name in ("advantage", "one more: plus or minus"):
            page.get_by_role("button", name=name, exact=True).click()
        assert page.locator("#line").input_value() == "d20adv + 1"
        page.get_by_text("d20adv + 1", exact=False).first.wait_for()
        page.locator(".line button.sign:not([aria-disabled])").wait_for()
        page.locator("#line").press("Enter")
        again = page.locator(".again button.sign").first
        again.wait_for()
        assert "d20adv + 1" in again.inner_text()
        assert page.locator("#line").input_value() == ""
        rolls = len(game.rolls)
        again.focus()
        page.keyboard.press("Enter")
        page.locator(".entry.roll").nth(rolls).wait_for()
        assert [roll["body"]["dice"] for roll in game.rolls[-2:]] == ["d20adv + 1"] * 2


CAME_TO: dict[str, tuple[str, dict[str, Any], tuple[int, ...], str, str]] = {
    "a charge": (NINTH, {}, (6, 4), "sum 2d6 Charge range +5 8+", "= (6 + 4) + 5 |15| 8+ · succeeds"),
    "a test": (NINTH, {}, (6, 4), "sum 2d6 Break Test 7-", "|10| 7− · fails"),
    "a blank": (MAGIC, {"planechase": True}, (4,), "planar Planechase", "|blank|"),
    "chaos beside a number": (MAGIC, {"planechase": True}, (6, 6), "d6+planar Planechase", "|6, chaos|"),
    "one of two": (MAGIC, {}, (2, 12), "d20 Delina | +1 ignore lowest: Pixie Guide", "|12|"),
}
"""what a roll comes to, its large part between two bars"""


@pytest.mark.long
def test_the_tray_and_the_log_say_what_a_roll_came_to(browser: "Browser") -> None:
    """One number large, a target never; words of faces on the dice too."""
    for system, options, naturals, line, expected in CAME_TO.values():
        game = Played(
            system, {"planechase": False, **options} if system == MAGIC else options, alice="player", bob="player"
        )
        game.type("alice", "roll", line, *naturals)
        before, large, after = (part.strip() for part in expected.split("|"))
        with playing(browser, game, "alice") as page:
            for where in (".tray .outcome", ".entry.roll .result"):
                told = page.locator(where)
                assert told.locator("strong").all_inner_texts() == [large], line
                assert " ".join(told.inner_text().split()) == " ".join([*before.split(), large, *after.split()]), line
            if "planar" in line:
                assert page.locator(".tray .die.worded").inner_text() == large.split(", ")[-1]
                assert page.locator(".entry.roll .die.worded").count() == 1


@pytest.mark.long
def test_the_tray_says_which_row_of_a_table_came_up_and_no_other(browser: "Browser") -> None:
    """Cut off after its first row a table reads as if that row had come up."""
    rows = "1: lose 3 life | 2-9: five Treasure tokens | 11-19: draw a card | 20: search your library"
    for natural, row in ((20, "20: search your library"), (5, "2-9: five Treasure tokens"), (10, "in no row")):
        game = Played(MAGIC, {"planechase": False}, alice="player", bob="player")
        game.type("alice", "roll", f"d20 Treasure Chest | {rows}", natural)
        with playing(browser, game, "bob") as page:
            page.locator(".tray .outcome", has_text=row).wait_for()
            assert page.locator(".tray .purpose").inner_text() == "d20 for Treasure Chest"
            assert "lose 3 life" not in page.locator(".tray").inner_text()


WHOLE = """(() => {
  const felt = document.querySelector('.tray .felt');
  return felt.scrollHeight <= felt.clientHeight && felt.clientHeight > 0;
})()"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_no_die_of_a_volley_is_cut(browser: "Browser", size: tuple[int, int]) -> None:
    """However many there are, and however far the volley has come."""
    with playing(browser, warhammer(), "bob", viewport={"width": size[0], "height": size[1]}) as page:
        for count in (1, 3, 8, 15, 20, 29):
            game = warhammer()
            weapon = f"intercessors: Gun at ork-boyz by 1, A{count} S4 AP-1 D1"
            game.type("alice", "roll", weapon, *[6] * count, kind="attack")
            game.do("alice", "resolve", {"roll": game.do("alice", "roll", {"for": "wound"}, *[6] * count)})
            game.do("bob", "roll", {"for": "save", "model": 1}, *[3] * count)
            for shown in range(1, len(game.rolls) + 1):
                snapshot = game.snapshot("bob")
                snapshot["game"] = {**snapshot["game"], "rolls": game.rolls[:shown]}
                page.evaluate(f"void fake.change({json.dumps(snapshot)})")
                page.locator(".tray .die").nth(count - 1).wait_for()
                assert page.evaluate(WHOLE), (count, shown)


@pytest.mark.long
def test_doubles_and_what_is_critical_look_like_it(browser: "Browser") -> None:
    pair = Played(MAGIC, {"planechase": False}, alice="player", bob="player")
    pair.type("alice", "roll", "2d6 Celebr-8000: a bonus | doubles: double strike", 4, 4)
    other = Played(MAGIC, {"planechase": False}, alice="player", bob="player")
    other.type("alice", "roll", "2d6 Celebr-8000: a bonus | doubles: double strike", 4, 5)
    critical, plain = called(), called()
    for game, natural in ((critical, 20), (plain, 15)):
        game.do("alice", "roll", {"call": 1}, natural)
        game.do("alice", "resolve", {"roll": game.rolls[-1]["seq"]})
    for game, words in ((pair, ["doubles"]), (other, []), (critical, ["critical success"]), (plain, [])):
        with playing(browser, game, "alice") as page:
            page.locator(".tray .die").first.wait_for()
            assert page.locator(".tray .outcome .natural").all_inner_texts() == words


@pytest.mark.long
def test_the_planar_die_stands_in_line_with_the_other_dice(browser: "Browser") -> None:
    game = Played(MAGIC, {"planechase": True}, alice="player", bob="player")
    with playing(browser, game, "alice") as page:
        keys = {key.inner_text(): key.bounding_box() for key in page.locator(".dice-keys .key").all()}
        d20, planar = keys["d20"], keys["planar die"]
        assert d20 is not None
        assert planar is not None
        assert (planar["y"], planar["height"]) == (d20["y"], d20["height"])


@pytest.mark.long
def test_a_datasheet_for_four_to_nine_asks_how_many_there_are(browser: "Browser") -> None:
    game = Played(WARHAMMER, {"fast_rolling": True, "fast_saves": True}, alice="player", bob="player")
    with playing(browser, game, "alice") as page:
        page.get_by_label("Datasheet").fill('4-9 Intercessors M6" WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+')
        page.get_by_text("4-9: say how many there are, from 4 to 9").wait_for()
        assert page.locator(".numbers .key").all_inner_texts() == [str(number) for number in range(4, 10)]
        page.locator(".numbers .key", has_text="7").click()
        page.locator(".typed-line .sign:not([aria-disabled])", has_text="7 Intercessors").click()
        page.get_by_text("7 of 7 models").first.wait_for()


@pytest.mark.long
def test_a_sheet_that_nobody_can_confirm_says_so(browser: "Browser") -> None:
    for last, said in (("player", True), ("gm", False)):
        game = Played(DOUBLE, {}, alice="player", bob="gm" if last == "gm" else "player")
        game.type("alice", "declare", "Ash; stats agility 3; track 1 2 3; tags rogue 2; drive 3", kind="sheet")
        with playing(browser, game, "alice") as page:
            waits = page.get_by_text("Your sheet waits for a game master to confirm it.")
            assert ("Nobody here is one" in waits.inner_text()) == said


@pytest.mark.long
def test_saves_that_are_rolled_one_by_one_are_numbered(browser: "Browser") -> None:
    game = warhammer(fast_saves=False)
    game.type("alice", "roll", "intercessors: Bolt rifle at ork-boyz, A2 S4 AP-1 D1", kind="attack")
    game.do("alice", "resolve", {"roll": game.do("alice", "roll", {"for": "wound"})})
    count = game.snapshot("bob")["advice"]["state"]["own"]["sequence"]["wounds"]
    with playing(browser, game, "bob") as page:
        for number, words in ((1, "Roll save 1"), (2, "Go on: roll save 2")):
            step = page.locator(".course .sign .verb").first
            assert step.inner_text() == f"{words} of {count}: Boyz"
            step.click()
            page.locator(".course .sign .verb", has_text=f"Go on: roll save {number + 1} of").first.wait_for()
            assert page.locator(".course .main").count() == 1, "to go on leaves the dice"


@pytest.mark.long
def test_a_hand_is_shown_to_all_and_played(browser: "Browser") -> None:
    game = dice()
    with playing(browser, game, "bob") as page:
        page.get_by_text("alice holds 1: King of Spades").first.wait_for()
        assert page.get_by_text("Play from the hand").count() == 0
    with playing(browser, game, "alice") as page:
        page.get_by_text("Play from the hand, of initiative").click()
        page.get_by_text("King of Spades").first.wait_for()
        page.get_by_role("button", name="Draw one from initiative to the hand").click()
        page.get_by_text("alice holds 2: Joker, King of Spades").first.wait_for()


@pytest.mark.long
def test_a_tap_on_dice_decides_which_are_rolled_again(browser: "Browser", axe: str) -> None:
    game = ninth()
    with playing(browser, game, "bob") as page:
        dice = page.locator(".tray .pick")
        failed = [n for n in game.rolls[-1]["naturals"] if n < 4]
        assert [int(each) for each in dice.all_inner_texts()] == failed, "those that the rule lets roll again"
        assert page.locator(".tray .sign").count() == 0
        boxes = [each.bounding_box() for each in dice.all()]
        assert all(box and min(box["width"], box["height"]) >= TOUCH for box in boxes)
        dice.nth(0).click()
        dice.nth(2).focus()
        page.keyboard.press("Enter")
        assert dice.nth(2).get_attribute("aria-pressed") == "true"
        button = page.locator(".tray .sign")
        assert button.locator(".verb").inner_text() == f"Reroll the {failed[0]}, {failed[2]}"
        assert axe_findings(page, axe) == []
        dice.nth(2).click()
        assert button.locator(".verb").inner_text() == f"Reroll the {failed[0]}"
        button.click()
        page.locator(".tray .die.out").first.wait_for()
        chosen = game.events[-2]["body"]["throws"]
        assert [game.rolls[-2]["naturals"][number - 1] for number in chosen] == [failed[0]]


@pytest.mark.long
def test_of_a_heap_a_tap_takes_one_die_after_the_other(browser: "Browser") -> None:
    game = warhammer()
    bolter = "intercessors: Bolt rifle at ork-boyz, A4 S4 AP-1 D1"
    game.type("alice", "roll", bolter, *([1, 2] * 20), kind="attack")
    with playing(browser, game, "alice") as page:
        pile = page.locator(".tray .pick").last
        pile.click()
        page.locator(".tray .sign .verb", has_text="Reroll the 1").wait_for()
        page.locator(".tray .pick").first.click()
        page.locator(".tray .sign .verb", has_text="Reroll the 2").wait_for()
        assert page.locator('.tray .pick[aria-pressed="true"]').count() == 1, "the Command Re-roll takes one"


@pytest.mark.long
def test_damage_of_a_d6_takes_three_taps_at_most(browser: "Browser", record_property: Any) -> None:
    game = warhammer()
    game.type("alice", "roll", "intercessors: Lascannon at ork-boyz, A1 S9 AP-3 D d6", *[6] * 10, kind="attack")
    game.do("alice", "resolve", {"roll": game.rolls[-1]["seq"]})
    game.do("alice", "roll", {"for": "wound"}, *[6] * 10)
    game.do("alice", "resolve", {"roll": game.rolls[-1]["seq"]})
    game.do("bob", "roll", {"for": "save", "model": 1}, 1)
    game.do("bob", "resolve", {"roll": game.rolls[-1]["seq"]})
    with playing(browser, game, "alice") as page:
        taps = 0
        for words in ("Roll the damage", re.compile("(R|r)oll the damage|Go on: no re-roll")):
            page.locator(".course button.sign:not([aria-disabled])", has_text=words).click()
            taps += 1
        page.locator(".tray .volley", has_text=re.compile(r"\d damage")).wait_for()
    record_property("taps for damage of a D6", taps)
    assert taps <= DAMAGE_TAPS


def lance(*naturals: int) -> Played:
    """One attack of a D6 that hits and wounds, and the save with its AP; then the damage."""
    game = warhammer()
    game.type("alice", "roll", "intercessors: Lance at ork-boyz by 1, A1 S8 AP-1 D D6", 6, kind="attack")
    game.do("alice", "resolve", {"roll": game.do("alice", "roll", {"for": "wound"}, 6)})
    seq = game.do("bob", "roll", {"for": "save", "model": 1}, naturals[0])
    for natural in naturals[1:]:
        game.do("bob", "resolve", {"roll": seq})
        seq = game.do("alice", "roll", {"for": "damage"}, natural)
        game.do("alice", "resolve", {"roll": seq})
    return game


@pytest.mark.long
def test_a_volley_says_what_the_dice_come_to_before_one_is_rolled_again(browser: "Browser") -> None:
    shots = warhammer()
    attack = "intercessors: Bolt rifle at ork-boyz by 1-2, A2 S4 AP-1 D1"
    shots.type("alice", "roll", attack, 3, 1, 6, 2, kind="attack")
    minus = warhammer()
    minus.type("alice", "roll", f"{attack}, hit -1 Dense Cover", 3, 1, 6, 2, kind="attack")
    for game, words in (
        (shots, "as they lie: 2 hits"),
        (minus, "as they lie: 1 hit"),
        (lance(2), "as they lie: 1 save fails"),
        (lance(5), "as they lie: 1 save fails"),
        (lance(6), "as they lie: 0 saves fail"),
    ):
        with playing(browser, game, "bob") as page:
            assert page.locator(".tray .so-far").inner_text() == words
    with playing(browser, lance(2, 5), "bob") as page:
        page.locator(".tray .volley", has_text="5 damage, 1 lost: no model loses more wounds than it has").wait_for()
    with playing(browser, lance(2, 1), "bob") as page:
        page.locator(".tray .volley .stage", has_text=re.compile("^1 damage$")).wait_for()


IN_VIEW = """(step) => {
  const { left, right, top, bottom } = step.getBoundingClientRect();
  const [tray, bar] = ['.tray', '.parts'].map((part) => document.querySelector(part).getBoundingClientRect());
  const least = Math.max(0, tray.bottom);
  const most = bar.height > 0 ? bar.top : innerHeight;
  const upon = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= least && bottom <= most && step.contains(upon);
}"""
"""whether the whole of a button is in view, below the tray and above the bar, and nothing lies upon it"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
@pytest.mark.parametrize("damage", ["1", "d3"])
def test_each_step_of_a_volley_is_in_view_for_whoever_has_to_take_it(
    browser: "Browser", size: tuple[int, int], damage: str
) -> None:
    """However far its player has scrolled, and whatever was tapped before."""
    game = warhammer()
    ward = " fnp 5+" if damage == "1" else ""
    game.type("bob", "declare", f"5 Bikers M12 WS5+ BS5+ S6 T5 W3 A3 Ld6 Sv3+{ward}", kind="unit")
    for _ in range(8):  # a log to scroll in
        game.do("alice", "resolve", {"roll": game.type("alice", "roll", "d6 sum for Advance", kind="free")})
    game.type("alice", "roll", f"intercessors: Lance at bikers, A1 S8 AP-1 D {damage}", *[6] * 6, kind="attack")
    view = {"width": size[0], "height": size[1]}
    taken: list[tuple[str, str]] = []
    with playing(browser, game, "alice", viewport=view) as one, playing(browser, game, "bob", viewport=view) as other:
        pages = {"alice": one, "bob": other}
        for _ in range(40):
            due = {name: page.locator(".course .sign.main:not([aria-disabled])").first for name, page in pages.items()}
            for page in pages.values():
                page.evaluate(f"void fake.change({json.dumps(game.snapshot('alice' if page is one else 'bob'))})")
                page.evaluate(f"scrollTo(0, {[0, 100_000, 600][len(taken) % 3]})")
            waits = game.snapshot("alice")["advice"]["state"]["waits"]
            if waits is None:
                break
            due[waits["party"]].wait_for()
            for _ in range(40):  # at first no tap counts
                if due[waits["party"]].evaluate(IN_VIEW):
                    break
                pages[waits["party"]].wait_for_timeout(50)
            else:
                raise AssertionError((taken, waits))
            assert pages["bob" if waits["party"] == "alice" else "alice"].locator(".course").count() == 0
            words = due[waits["party"]].locator(".verb").inner_text().removesuffix(": Biker")
            taken.append((waits["party"], words))
            before = len(game.events)
            due[waits["party"]].click()
            until_events(pages[waits["party"]], game, before)
    steps = [("alice", "Go on: roll to wound"), ("alice", "Go on: no re-roll"), ("bob", "Roll the saves")]
    assert taken[:4] == [*steps, ("bob", "Roll to ignore wounds") if ward else ("alice", "Roll the damage")]


def until_events(page: "Page", game: Played, before: int) -> None:
    """Wait until a tap has come to an event."""
    until_time = monotonic() + PATIENCE / 1000
    while len(game.events) == before and monotonic() < until_time:
        page.wait_for_timeout(20)
    assert len(game.events) > before


@pytest.mark.long
def test_a_step_that_comes_under_a_finger_takes_no_tap_at_first(browser: "Browser") -> None:
    """Nor does what it covers."""
    game = shot()
    game.do("alice", "roll", {"for": "wound"})
    with playing(browser, game, "bob") as page:
        page.locator(".now summary").first.wait_for()
        game.do("alice", "resolve", {"roll": game.rolls[-1]["seq"]})
        page.evaluate(f"void fake.change({json.dumps(game.snapshot('bob'))})")
        step = page.locator(".course .sign")
        step.first.wait_for()
        hit = page.evaluate("""(() => {
          const { left, top } = document.querySelector('.course .sign').getBoundingClientRect();
          return document.elementFromPoint(left + 20, top + 20).className;
        })()""")
        assert hit == "quick next-step"
        before = len(game.events)
        step.first.click()
        until_events(page, game, before)


MARKED: dict[str, tuple[Callable[[], Played], int, int]] = {
    "hits as they lie": (lambda: hits(""), 4, 2),
    "hits with a modifier": (lambda: hits(", hit -1 Dense Cover"), 4, 1),
    "a save that fails": (lambda: lance(2), 1, 0),
    "a save that is made": (lambda: lance(6), 1, 1),
    "throws of the 9th Age": (lambda: rolled(NINTH, "4 To hit 4+", 6, 3, 4, 1), 4, 2),
    "a sum of the 9th Age": (lambda: rolled(NINTH, "sum 2d6 Charge range 8+", 6, 6), 2, 0),
    "successes that are counted": (lambda: rolled("dice-1", "5d6>=5", 6, 5, 4, 1, 5), 5, 3),
    "one die and its target": (lambda: rolled("dice-1", "d20adv + 5 vs 15", 3, 12), 2, 1),
    "below its target": (lambda: rolled("dice-1", "d20 vs 15", 14), 1, 0),
    "a heap": (lambda: rolled("dice-1", "40d6>=5", *[1 + i % 6 for i in range(40)]), 6, 2),
    "no target": (lambda: rolled("dice-1", "4d6", 6, 6, 6, 6), 4, 0),
}
"""a game, how many dice or piles lie in its tray, and how many of them are marked"""


def hits(rule: str) -> Played:
    """Four shots, two of which hit."""
    game = warhammer()
    line = f"intercessors: Bolt rifle at ork-boyz by 1-2, A2 S4 AP-1 D1{rule}"
    game.type("alice", "roll", line, 3, 1, 6, 2, kind="attack")
    return game


def rolled(system: str, line: str, *naturals: int) -> Played:
    game = Played(system, {}, alice="player", bob="player")
    game.type("alice", "roll", line, *naturals)
    return game


@pytest.mark.slow
@pytest.mark.parametrize("name", MARKED)
def test_dice_that_reach_their_target_are_marked_and_not_by_colour(browser: "Browser", name: str) -> None:
    make, dice, marked = MARKED[name]
    for look in ({}, {"forced_colors": "active"}, {"color_scheme": "dark", "contrast": "more"}):
        with playing(browser, make(), "bob", **look) as page:
            page.locator(".tray .die").nth(dice - 1).wait_for()
            assert page.locator(".tray .die").count() == dice
            ticks = page.locator(".tray .die.passed .tick")
            assert ticks.all_inner_texts() == ["✓"] * marked
            assert page.locator(".tray .die.passed", has_text="success").count() == marked
            assert page.evaluate(WHOLE)
            if marked:
                outlines = (
                    "[...document.querySelectorAll('.tray .die')].map((each) => parseFloat(getComputedStyle("
                    "each.querySelector('.body')).strokeWidth))"
                )
                assert len(set(page.evaluate(outlines))) == (1 if marked == dice else 2), "the outline says it too"
                colours = ticks.first.evaluate(
                    "(each) => [getComputedStyle(each).color, getComputedStyle(each).backgroundColor]"
                )
                assert colours[0] != colours[1]


@pytest.mark.long
def test_dice_that_are_rolled_again_are_chosen_in_one_place(browser: "Browser") -> None:
    magic = Played(MAGIC, {"planechase": False}, alice="player", bob="player")
    magic.type("alice", "roll", "2d6 Celebr-8000: a bonus | may reroll any: Monitor Monitor")
    both = Played(NINTH, {}, alice="player", bob="player")
    both.type("bob", "roll", "4xd6 To hit 4+ may reroll failed (Hatred)", 1, 2, 6, 1)
    for game, party in ((shot(), "alice"), (both, "bob"), (magic, "alice")):
        with playing(browser, game, party) as page:
            open_all(page)
            page.locator(".tray .pick").first.wait_for()
            quick = page.locator(".now .quick")
            assert quick.get_by_text("chosen").count() == 0
            assert quick.locator(".key .die").count() == 0
            page.get_by_text(
                re.compile("(T|t)ap (the dice above that are rolled again|its die among the dice above)")
            ).wait_for()
            page.locator(".tray .pick").first.click()
            before, rolls = len(game.events), len(game.rolls)
            page.locator(".tray .decide .sign:not([aria-disabled])").click()
            until_events(page, game, before)
            assert len(game.rolls) == rolls + 1


@pytest.mark.long
@pytest.mark.parametrize("language", ["de", "ja"])
def test_cards_of_other_languages_are_read_as_in_english(language: str) -> None:
    """What is typed by a tap says the same to the rules, whatever its free words."""
    words = node(f"words-{language}.js: Object.values(m)[0]")
    game = Played(MAGIC, {"planechase": False}, alice="player", bob="player")
    cards = node(f"{MAGIC}.js: m.CARDS")
    assert len(cards) > 5
    for card in cards:
        assert words[card] != card
        bodies = [game.read({"type": "roll", "line": line, "party": "alice"})["body"] for line in (card, words[card])]
        told = [
            {
                **{name: value for name, value in body.items() if name not in ("use", "doubles", "table")},
                "free": [name for name in ("use", "doubles") if name in body],
                "rows": [(row["range"], row.get("again")) for row in body.get("table", [])],
            }
            for body in bodies
        ]
        assert told[0] == told[1], words[card]


@pytest.mark.long
@pytest.mark.parametrize("locale", ["de-DE", "ja-JP"])
def test_keys_of_magic_speak_the_readers_language_and_type_the_notation(browser: "Browser", locale: str) -> None:
    game = Played(MAGIC, {"planechase": False}, alice="player", bob="player")
    with playing(browser, game, "alice", locale=locale) as page:
        page.locator(".dice-keys .key").first.click()
        open_all(page)
        keys = page.locator(".lines .key").all_inner_texts()
        assert len(keys) > 15
        english = ("lowest", "reroll", "whenever", "or more", "you ", "ignore", "draw", "token")
        assert [key for key in keys if any(word in key for word in english)] == []
        assert "draw a card" not in page.locator(".line .hint").first.inner_text()
        page.locator(".lines .key", has_text="Pixie Guide").first.click()
        assert page.locator("#mtg-effects").input_value() == "+1 ignore lowest: Pixie Guide"


CALLED = {"alice": "Ünal", "bob": "Ōta", "gil": "Žofie"}


@pytest.mark.long
@pytest.mark.parametrize("name", ["any dice", "Warhammer, to save", "Magic, may roll again", "Double Down, called"])
def test_people_are_called_as_they_wish_on_the_table(browser: "Browser", name: str) -> None:
    make, party = SCREENS[name]
    game = make()
    with playing(browser, game, party) as page:
        snapshot = game.snapshot(party)
        for each in snapshot["game"]["parties"]:
            each["called"] = CALLED.get(each["name"])
        page.evaluate(f"void fake.change({json.dumps(snapshot)})")
        page.locator(".people", has_text=CALLED["bob"]).wait_for()
        things = page.locator(".thing").all_inner_texts()
        assert re.search("|".join(CALLED.values()), " ".join(things))
        assert [text for text in things if re.search(r"\b(alice|bob|gil)\b", text)] == []


LINES = [
    "d20",
    "d20adv + 5 vs 15 for Longsword",
    'd% under 45 for "Stealth +1"',
    "5d6>=5",
    '"2d6>=1"',
    '"d66" for Morale',
    "d20 # the door",
    "2d6 + 1 for Hack and slash | 6- the GM moves | 7-9 at a cost | 10+ unharmed",
]


def test_a_roll_becomes_the_line_that_is_read_as_it() -> None:
    game = Played("dice-1", {}, alice="player", bob="player")
    bodies = [game.read({"type": "roll", "line": line, "party": "alice"})["body"] for line in LINES]
    for body, line in zip(bodies, node(f"line.js: {json.dumps(bodies)}.map(m.lineOfBody)"), strict=True):
        assert game.read({"type": "roll", "line": line, "party": "alice"})["body"] == body, line
    others = [{"deck": "initiative", "draw": 1}, {"call": 3}, {"dice": "d20", "sealed": "x"}]
    assert node(f"line.js: {json.dumps(others)}.map(m.lineOfBody)") == [""] * 3


@pytest.mark.long
def test_doubling_is_told_in_words_before_it_is_chosen(browser: "Browser") -> None:
    with playing(browser, first_die(), "alice") as page:
        told = page.locator(".odds").first.inner_text()
        assert told == "It is a success now. Doubling down makes it better with 15 of 20 dice, worse with 5."
        page.locator("button.main", has_text="Double down").click()
        page.locator(".entry.roll .result.large").first.wait_for()


# --- games at a real server ------------------------------------------------------------------------------------------


class Player:
    """A person with a phone, whose taps are counted. What is typed, and Enter on the keyboard, are no taps."""

    def __init__(self, browser: "Browser", name: str) -> None:
        self.name, self.taps = name, 0
        self.context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def tap(self, what: "str | Locator") -> None:
        """A button by its name, once it can be tapped, or what is given."""
        if isinstance(what, str):
            what = self.page.locator("main button:not([aria-disabled])", has_text=what).first
        what.click()
        self.taps += 1

    def type(self, label: str, text: str) -> None:
        """Into a field: one tap, and the keyboard."""
        self.tap(self.page.get_by_label(label).first)
        self.page.keyboard.type(text)

    def sees(self, text: str) -> None:
        self.page.locator("main").get_by_text(text).first.wait_for()


class At:
    """A game that has begun: alice opened it, bob and a game master have joined."""

    def __init__(
        self,
        browser: "Browser",
        address: str,
        title: str,
        *,
        gm: bool = False,
        options: tuple[str, ...] = (),
        seat: str = "",
    ):
        names = ["alice", "bob", *(["gil"] if gm else [])]
        self.players = [Player(browser, name) for name in names]
        alice, _bob = self.players[:2]
        alice.page.goto(f"{address}/")
        alice.page.get_by_label(re.compile(title)).check()
        alice.page.get_by_text("Wait for them", exact=True).click()
        for option in options:
            alice.page.get_by_label(re.compile(option)).check()
        if seat:
            alice.page.get_by_text(seat, exact=True).click()
        self.form = alice.page.locator("main").inner_text()
        alice.page.locator("#name").fill("alice")
        alice.page.keyboard.press("Enter")
        alice.page.locator("input.link").first.wait_for()
        self.lobby = [alice.page.locator("main").inner_text()]
        alice.page.locator("summary", has_text="Other links").click()
        alice.page.locator("input.link").nth(1).wait_for()
        links = [field.input_value() for field in alice.page.locator("input.link").all()]
        for player, role in zip(self.players[1:], ("player", "gm"), strict=False):
            player.page.goto(next(link for link in links if f"#{role}." in link))
            player.page.locator("#name").fill(player.name)
            player.page.keyboard.press("Enter")
            alice.page.locator("main").get_by_text(player.name, exact=True).first.wait_for()
        self.lobby.append(alice.page.locator("main").inner_text())
        alice.tap("Start with")
        for player in self.players[1:]:
            player.tap("Agree to these terms")
        for player in self.players:
            player.page.locator(".now .quick").first.wait_for(state="attached")
            player.taps = 0

    def close(self, to: Path) -> None:
        """The host closes; what bob saves holds."""
        alice, bob = self.players[:2]
        alice.page.locator("summary", has_text="End the game").first.click()
        alice.page.locator(".save button", has_text="Close the game").click()
        alice.page.locator(".save button.danger", has_text="Close the game").click()
        bob.sees("The game is over")
        with bob.page.expect_download() as saved:
            bob.page.get_by_role("button", name="Save the log").first.click()
        saved.value.save_as(to)
        report, _ = verify(to.read_bytes())
        assert report.verdict == "holds", report.findings
        assert [problem for player in self.players for problem in player.problems] == []
        for player in self.players:
            player.context.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("scenes") / "server") as server:
        yield server.address


@pytest.mark.long
def test_any_dice(browser: "Browser", address: str, tmp_path: Path) -> None:
    at = At(browser, address, "Dice for any game", gm=True)
    alice, bob, gil = at.players
    gil.page.locator("summary", has_text="Call for a roll").click()
    gil.page.get_by_label("what the roll is for").fill("Save on the bridge")
    gil.page.get_by_role("button", name=re.compile("^Call for")).first.click()
    bob.sees("Save on the bridge")
    alice.tap(alice.page.locator("summary", has_text="More dice"))
    alice.tap(alice.page.get_by_role("button", name="one more d20", exact=True))
    alice.tap("advantage")
    alice.tap(alice.page.locator(".line button.sign:not([aria-disabled])").first)
    bob.page.locator(".entry.roll.fair").first.wait_for()
    before = alice.taps
    alice.tap(alice.page.locator(".again button.sign:not([aria-disabled])").first)
    bob.page.locator(".entry.roll.fair").nth(1).wait_for()
    assert alice.taps - before == 1
    at.close(tmp_path / "dice.jsonl")


@pytest.mark.long
def test_who_taps_in_the_same_moment_or_while_the_other_rolls_rolls_too(
    browser: "Browser", address: str, tmp_path: Path
) -> None:
    at = At(browser, address, "Dice for any game")
    alice, bob = at.players
    again = ".again button.sign:not([aria-disabled])"
    for player in (alice, bob):
        player.page.locator("#line").fill("d20")
        player.tap(player.page.locator(".line button.sign:not([aria-disabled])").first)
        player.page.locator(again).first.wait_for()
    for number, pause in enumerate((0, 30, 60, 120, 240), 1):
        for player in (alice, bob):
            player.page.locator(again).first.wait_for()
        alice.page.evaluate("document.querySelector('.again button.sign').click()")
        alice.page.wait_for_timeout(pause)
        bob.page.evaluate("document.querySelector('.again button.sign').click()")
        for player in (alice, bob):
            player.page.locator(".entry.roll.fair").nth(1 + 2 * number).wait_for()
            assert player.page.locator(".problem").count() == 0
    at.close(tmp_path / "both.jsonl")


@pytest.mark.long
def test_magic(browser: "Browser", address: str, tmp_path: Path) -> None:
    at = At(browser, address, "Magic")
    alice, bob = at.players
    alice.tap("d20")
    alice.type("Card or ability", "Delina, Wild Mage")
    for at_row, (range_, effect) in enumerate((("1-14", "one token"), ("15-20", "the same")), 1):
        alice.tap("A results table" if at_row == 1 else "One more row")
        alice.type(f"results of row {at_row}", range_)
        alice.type(f"what row {at_row} does", effect)
    alice.tap(alice.page.locator(".line button.sign:not([aria-disabled])").first)
    for player in (alice, bob):
        player.page.locator(".entry.roll.fair .rows .hit").wait_for()
        assert player.page.locator(".rows .hit").count() == 1
    at.close(tmp_path / "magic.jsonl")


@pytest.mark.long
def test_an_evening_of_magic_is_played_from_the_screens(browser: "Browser", address: str, tmp_path: Path) -> None:
    """Two dice of which the lower is ignored, typed as one says it; a card that triggers; who may join in a roll."""
    at = At(browser, address, "Magic")
    alice, bob = at.players
    alice.page.locator("#line").fill("roll two d20 and ignore the lower")
    alice.tap(alice.page.locator(".instead button"))
    alice.page.locator(".line button.sign:not([aria-disabled])").first.wait_for()
    alice.page.keyboard.press("Enter")
    for player in (alice, bob):
        player.page.locator(".tray .die.out").wait_for()
        assert player.page.locator(".tray .die:not(.out)").count() == 1
    joining = bob.page.locator("summary", has_text="If a card has each player roll")
    joining.wait_for()
    assert bob.page.get_by_role("button", name="Each player rolls").count() == 0, "folded: few cards have others roll"
    assert bob.page.locator(".now .status").inner_text() == "", "nothing is asked of bob"
    assert bob.page.locator("nav .due").count() == 0, "nothing waits for bob"
    bob.tap(bob.page.locator("summary", has_text="Cards on the table that act on rolls"))
    bob.tap("whenever you roll one or more dice: Brazen Dwarf")
    bob.tap("It triggers from now on")
    bob.tap("+1 ignore lowest: Pixie Guide")
    bob.tap("It does so from now on")
    bob.page.get_by_role("button", name="Pixie Guide is gone").wait_for()
    bob.page.locator("#line").fill("d20 Delina, Wild Mage | 1-14: one token | 15-20: two")
    bob.tap(bob.page.locator(".line button.sign:not([aria-disabled])").first)
    for player in (alice, bob):
        player.page.locator(".tray .means", has_text="triggers: Brazen Dwarf").wait_for()
        assert player.page.locator(".tray .die").count() == 2
        player.page.locator(".entry.roll", has_text="Brazen Dwarf (bob) triggers").wait_for()
    bob.tap("Pixie Guide is gone")
    bob.page.get_by_role("button", name="Pixie Guide is gone").wait_for(state="detached")
    alice.tap(alice.page.locator("summary", has_text="If Delina, Wild Mage has each player roll"))
    alice.tap("Each player rolls for Delina, Wild Mage: roll d20")
    bob.page.locator(".entry.roll.fair").nth(2).wait_for()
    at.close(tmp_path / "evening.jsonl")


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "line", "kind"),
    [
        (warhammer(), "intercessors: Bolt rifle at ork-boyz, A2 S4 AP-1 D1", "attack"),
        (Played(NINTH, {}, alice="player", bob="player"), "10 To hit 4+", None),
        (Played(MAGIC, {"planechase": False}, alice="player", bob="player"), "d20 Pixie Guide", None),
        (Played("dice-1", {}, alice="player", bob="player"), "d20 + 5", None),
        (called(), {"call": 1, "tag": "rogue", "drive": 1}, None),
    ],
    ids=[WARHAMMER, NINTH, MAGIC, "dice-1", DOUBLE],
)
def test_a_roll_that_was_called_off_is_asked_for_again_in_one_tap(
    browser: "Browser", game: Played, line: Any, kind: str | None
) -> None:
    asked = {"line": line, "type": "roll", "party": "alice"} | ({"kind": kind} if kind else {})
    game.call_off("alice", line if isinstance(line, dict) else game.read(asked)["body"])
    with playing(browser, game, "alice") as page:
        assert not page.get_by_text("cannot be shown").count()
        page.locator(".now .due").get_by_role("button").first.click()
        until = monotonic() + PATIENCE / 1000
        while len(game.rolls) == 1 and monotonic() < until:
            page.wait_for_timeout(50)
    assert [roll["ended"] for roll in game.rolls] == ["void", "reveal"]


@pytest.mark.long
def test_twenty_shots(browser: "Browser", address: str, tmp_path: Path, record_property: Any) -> None:
    at = At(browser, address, "Warhammer")  # fast rolling is in the terms that the form proposes
    alice, bob = at.players
    for player, sheet in (
        (alice, '10 Intercessors M6" WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+'),
        (bob, '30 Boyz M5" WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv5+'),
    ):
        player.page.get_by_label("Datasheet").fill(sheet)
        player.tap("Put ")
    alice.page.get_by_label("Weapon, as its datasheet").wait_for()
    bob.page.get_by_label("Weapon, as its datasheet").wait_for()
    alice.taps = bob.taps = 0
    alice.tap(alice.page.get_by_label("Weapon, as its datasheet").first)
    alice.page.keyboard.insert_text('Lascannon 48" Rapid Fire 2 10 -1 1')  # pasted: one tap
    alice.taps += 1
    alice.tap("Shoot: roll")
    bob.page.locator(".entry.roll.fair").first.wait_for()
    alice.tap("Roll to wound")
    # Both rolls offer to leave their dice: the second must be there, or the tap would be for the hits.
    alice.page.locator(".entry.roll.fair").nth(1).wait_for()
    alice.page.locator(".tray .volley", has_text="hits").wait_for()
    alice.tap("Go on: no re-roll")
    bob.tap(bob.page.locator("button.sign:not([aria-disabled])", has_text="Roll the saves").first)  # and not the line
    for player in (alice, bob):
        player.page.locator(".entry.roll .volley", has_text="20 shots").first.wait_for()
        player.page.locator(".entry.roll.fair").nth(2).wait_for()
    taps = alice.taps + bob.taps
    record_property("taps for 20 shots with saves, both players", taps)
    assert taps <= MOST_TAPS
    at.close(tmp_path / "warhammer.jsonl")


@pytest.mark.long
def test_the_ninth_age(browser: "Browser", address: str, tmp_path: Path, record_property: Any) -> None:
    at = At(browser, address, "9th Age")
    alice, bob = at.players
    alice.tap("to hit")
    alice.tap("3+")
    alice.tap(alice.page.locator("label.key", has_text="failed rolls").first)
    alice.tap(alice.page.locator(".line button.sign:not([aria-disabled])").first)
    bob.page.locator(".entry.roll.fair .result.large").wait_for()
    bob.taps = 0
    bob.tap("charge range")
    for key in ("Maximised", "+5", "13+"):
        bob.tap(bob.page.get_by_role("button", name=key, exact=True))
    bob.tap(bob.page.locator(".line button.sign:not([aria-disabled])").first)
    alice.page.locator(".entry.roll.fair").nth(1).wait_for()
    alice.page.locator(".entry.roll", has_text=re.compile(r"Charge range.*\+ ?5.*13\+", re.DOTALL)).first.wait_for()
    record_property("taps for a charge: Maximised, +5, 13 or more", bob.taps)
    assert bob.taps <= CHARGE_TAPS
    at.close(tmp_path / "ninth.jsonl")


@pytest.mark.long
def test_double_down(browser: "Browser", address: str, tmp_path: Path) -> None:
    at = At(browser, address, "Double Down", gm=True, seat="player")
    assert "This game needs a game master" in at.form
    assert ["This game needs a game master" in told for told in at.lobby] == [True, False]
    alice, _, gil = at.players
    alice.page.get_by_label("The character’s name").fill("Ash")
    alice.page.get_by_label("Base stats, number 1").fill("agility")
    alice.page.get_by_label("Tags, number 1").fill("rogue")
    alice.tap("Propose this sheet")
    gil.tap("Confirm this sheet")
    gil.page.get_by_label("What is attempted").fill("Cross the bridge")
    assert gil.page.locator(".now button.key", has_text="Ash").get_attribute("aria-pressed") == "true"
    gil.tap(gil.page.locator("label.key", has_text="agility"))
    gil.tap("Call for this roll")
    alice.sees("Cross the bridge")
    alice.tap("Roll the d20")
    alice.tap("Double down")
    gil.page.locator(".entry.roll.fair").nth(1).wait_for()
    at.close(tmp_path / "double.jsonl")
