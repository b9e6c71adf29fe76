"""Words that people read: who is called, who is hit, names for keys, what was ruled, why a die is ignored."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import SPECS
from tests.web.scene_games import Played, playing
from tests.web.table_page import open_all
from tests.web.test_scenes import DOUBLE, MAGIC, NINTH, UI, WARHAMMER, called, node, sheets, shot
from tests.web.test_sentences import told

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WORDS = SPECS.parent / "ledger" / "web" / "ui" / "words.js"


def banes() -> Played:
    """Gil has banes of Alice's roll to spend, and both players are called."""
    game = called()
    seq = game.do("alice", "roll", {"call": 1}, 1)
    game.do("alice", "resolve", {"roll": seq})
    own = game.snapshot("gil")["advice"]["state"]["own"]
    assert [owed["kind"] for owed in own["owed"]] == ["banes"]
    return game


@pytest.mark.long
def test_who_is_called_reads_of_that_call_and_not_of_anothers_banes(browser: "Browser") -> None:
    game = banes()
    assert game.snapshot("bob")["advice"]["state"]["waits"]["party"] == "gil"
    with playing(browser, game, "bob") as page:
        page.locator(".now .status", has_text="A call for you: Lift the gate").wait_for()
    with playing(browser, game, "gil") as page:
        page.locator(".now .status", has_text="It is your turn: spend banes.").wait_for()


@pytest.mark.long
def test_a_key_that_spends_banes_says_whom_it_hits(browser: "Browser") -> None:
    with playing(browser, banes(), "gil") as page:
        keys = page.locator(".now .sign .verb", has_text="stress").all_inner_texts()
        assert keys == ["inflict stress on alice", "inflict stress on bob"]


@pytest.mark.long
def test_a_player_whose_sheet_is_confirmed_is_told_what_comes(browser: "Browser") -> None:
    confirmed = "Your sheet is confirmed."
    for party, tray, is_told in (
        ("alice", "No dice yet: a game master calls for the first roll.", True),
        ("bob", "No dice yet: your sheet waits for a game master.", False),
        ("gil", "No dice yet. First comes what stands below.", False),
    ):
        with playing(browser, sheets(), party) as page:
            page.locator(".tray .first", has_text=tray).wait_for()
            assert (confirmed in page.locator(".now").inner_text()) == is_told
    game = Played(DOUBLE, {}, gil="gm", alice="player")
    with playing(browser, game, "gil") as page:
        page.locator(".tray .first", has_text="No dice yet: the players hand in their sheets first.").wait_for()
    with playing(browser, game, "alice") as page:
        page.locator(".tray .first", has_text="No dice yet. First comes what stands below.").wait_for()
        assert confirmed not in page.locator(".now").inner_text()
    game.type("alice", "declare", "Ash; stats agility 3; track 1 2 3; tags rogue 2; drive 3", kind="sheet")
    with playing(browser, game, "gil") as page:
        page.locator(".tray .first", has_text="No dice yet. First comes what stands below.").wait_for()
    with playing(browser, called(), "alice") as page:
        page.locator(".tray .first", has_text="No dice yet. Roll below").wait_for()
        assert confirmed not in page.locator(".now").inner_text()


@pytest.mark.long
def test_a_card_that_ignores_the_lower_of_two_dice_is_two_taps_and_its_name(browser: "Browser") -> None:
    game = Played(MAGIC, {"planechase": False}, alice="player", bob="player")
    with playing(browser, game, "alice") as page:
        page.locator(".dice-keys .key", has_text="d20").click()
        page.get_by_role("button", name="two dice, ignore the lower").click()
        page.get_by_label("Card or ability that says so").fill("Chaos Channeler")
        line = page.locator("#line")
        assert line.input_value() == "2d20 Chaos Channeler | ignore lowest: Chaos Channeler"
        page.get_by_role("button", name="one more: how many").click()
        page.get_by_role("button", name="ignore the lowest").click()
        assert line.input_value() == "3d20 Chaos Channeler"
        page.get_by_role("button", name="ignore the highest").click()
        assert line.input_value() == "3d20 Chaos Channeler | ignore highest: Chaos Channeler"
        page.locator(".line button.sign:not([aria-disabled])").click()
        page.locator(".tray .die.out").wait_for()
    ignores = [{"source": "Chaos Channeler", "which": "highest"}]
    assert game.rolls[0]["body"] == {"dice": "3d20", "source": "Chaos Channeler", "ignores": ignores}


@pytest.mark.long
def test_a_die_that_stays_ignored_after_a_reroll_says_why(browser: "Browser") -> None:
    game = Played(MAGIC, {"planechase": False}, alice="player", bob="player")
    line = "d20 Delina | +1 ignore lowest: Pixie Guide | may reroll any, mana {1}: Monitor Monitor"
    seq = game.type("alice", "roll", line, 10, 7)
    why = "still ignored: 7. Dice are ignored before any is rolled again (706.6)"
    with playing(browser, game, "bob") as page:
        page.locator(".tray .die.out").wait_for()
        assert "still ignored" not in page.locator(".tray").inner_text()
    game.do("alice", "reroll", {"roll": seq, "effect": 1, "dice": [1], "paid": True, "mana_abilities": []}, 2)
    with playing(browser, game, "bob") as page:
        page.locator(".tray .stays", has_text=why).wait_for()
        assert page.locator(".tray .total").inner_text() == "2"


@pytest.mark.long
def test_the_way_on_has_the_same_word_on_each_button_and_above(browser: "Browser") -> None:
    with playing(browser, shot(), "alice") as page:
        page.locator(".now .status", has_text="It is your turn: roll dice again, or go on.").wait_for()
        page.locator(".course .sign.main", has_text="Go on: roll to wound").wait_for()
    with playing(browser, shot(), "alice", locale="de-DE") as page:
        page.locator(".course .sign.main", has_text="Weiter: auf Verwundung würfeln").wait_for()


def judged() -> tuple[Played, int]:
    game = Played("dice-1", {}, alice="player", bob="player", dana="judge")
    seq = game.type("alice", "roll", "2d6 for the door", 3, 4)
    game.type("bob", "roll", "d20 for the lock", 11)
    return game, seq


@pytest.mark.long
def test_a_ruling_on_an_earlier_roll_is_in_the_tray_until_the_next_dice(browser: "Browser") -> None:
    game, seq = judged()
    results = [{"die": 2, "result": 6}]
    game.do("dana", "ruling", {"ruling": "correct", "subject": seq, "text": "it was cocked", "results": results})
    with playing(browser, game, "bob") as page:
        ruled = page.locator(".tray .ruling.other")
        ruled.wait_for()
        assert ruled.locator("strong").inner_text() == "alice: 2d6 for the door"
        assert "Corrected by the judge dana, die 2: 4 → 6: it was cocked" in ruled.inner_text()
    game.do("dana", "ruling", {"ruling": "uphold", "subject": game.rolls[1]["seq"], "text": "it lay flat"})
    with playing(browser, game, "bob") as page:
        page.locator(".tray .ruling:not(.other)", has_text="dana ruled (upheld): it lay flat").wait_for()
    game.type("bob", "roll", "d20")
    with playing(browser, game, "bob") as page:
        page.locator(".tray .total, .tray .die").first.wait_for()
        assert page.locator(".tray .ruling").count() == 0


@pytest.mark.long
def test_a_judge_corrects_numbered_dice_and_is_asked_for_none_where_there_are_none(browser: "Browser") -> None:
    game, seq = judged()
    with playing(browser, game, "dana") as page:
        page.get_by_text("Correct", exact=True).click()
        page.locator(f"#event-{seq}").get_by_role("button", name="Rule on").click()
        form = page.locator(".ruling-form")
        form.get_by_text(re.compile(r"About this: alice, 2d6 for the door: 3 4 \(.*\d\d:\d\d\)\.")).wait_for()
        form.get_by_text("die 1 shows 3, die 2 shows 4").wait_for()
        assert form.get_by_label("dice and their results").count() == 1
        assert "(may be left out)" not in form.inner_text()
        page.get_by_label("What kind").select_option("all")
        page.locator("#event-1").get_by_role("button", name="Rule on").click()
        form.get_by_text("About this: alice,").wait_for()
        assert form.get_by_label("dice and their results").count() == 0


# --- names ------------------------------------------------------------------------------------------------------------


def test_sentences_have_the_names_of_units_and_of_people(tmp_path: Path) -> None:
    def unit(seq: int, id_: str, name: str) -> dict[str, Any]:
        body = {"what": "unit", "unit": id_, "name": name, "models": []}
        return {"seq": seq, "author": "bob", "type": "declare", "body": body}

    log = {"rolls": [], "events": [unit(3, "warriors", "Necron Warriors"), unit(4, "boyz", "Boyz")]}
    twice = {"rolls": [], "events": [*log["events"], unit(5, "boyz-2", "Boyz")]}
    gone = {"what": "gone", "unit": "warriors"}
    ben = [{"name": "ben", "called": "Ben the Red"}]
    admit = {"seq": 3, "author": "host", "type": "admit", "body": {"key": "ben+abc", "role": "player"}}
    came = {"rolls": [], "events": [admit]}
    asked: list[dict[str, Any]] = [
        {"system": "wh40k-9e", "type": "declare", "author": "bob", "body": gone, "log": log},
        {"system": "wh40k-9e", "type": "declare", "author": "bob", "body": gone, "log": log, "seq": 2},
        {"system": "wh40k-9e", "type": "declare", "author": "bob", "body": {**gone, "unit": "boyz"}, "log": log},
        {"system": "wh40k-9e", "type": "declare", "author": "bob", "body": {**gone, "unit": "boyz"}, "log": twice},
        {
            "system": "doubledown-1",
            "type": "declare",
            "author": "gil",
            "body": {"what": "confirm", "player": "ben"},
            "people": ben,
        },
        {"system": "dice-1", "type": "consent", "author": "bob", "body": {"admit": 3}, "log": came, "people": ben},
        {"system": "dice-1", "type": "leave", "author": "bob", "body": {"party": "ben"}, "people": ben},
        {
            "system": "dice-1",
            "type": "declare",
            "author": "gil",
            "body": {"what": "call", "source": "a save", "dice": "d20", "parties": ["ben", "bob"]},
            "people": ben,
        },
        {
            "system": "doubledown-1",
            "type": "declare",
            "author": "gil",
            "body": {"what": "call", "source": "x", "stat": "wits", "difficulty": 12, "players": ["ben"]},
            "people": ben,
        },
        {
            "system": "doubledown-1",
            "type": "modify",
            "author": "bob",
            "body": {"call": 1, "roller": "ben"},
            "people": ben,
        },
        {"system": "dice-1", "type": "roll", "author": "bob", "body": {"dice": "d20", "sealed": "ben"}, "people": ben},
    ]
    assert [each["button"] for each in told(asked, tmp_path)] == [
        "Take Necron Warriors off the table",
        "Take warriors off the table",
        "Take Boyz off the table",
        "Take Boyz (boyz) off the table",
        "Confirm the sheet of Ben the Red",
        "Consent to who came later, or to a new key (Ben the Red)",
        "Take Ben the Red out of the game",
        "Call for a save, d20, for Ben the Red, bob",
        "Call Ben the Red to roll wits against 12, for x",
        "Contribute: Ben the Red rolls for the group (call 1)",
        "Roll d20, in secret: Ben the Red alone sees the dice",
    ]


def test_a_label_of_the_rules_has_people_by_what_they_are_called() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    people = [
        {"name": "ben", "called": "Ben $& Red"},
        {"name": "a.b", "called": "Abe"},
        {"name": "carl", "called": None},
    ]
    texts = ["sign ben away", "benny and old-ben", "a.b, acb: carl"]
    code = f"""import {{ callPeople, calledIn }} from '{WORDS.as_uri()}';
      callPeople({json.dumps(people)});
      const told = {json.dumps(texts)}.map((each) => calledIn(each, ['ben', 'a.b', 'carl', 3]));
      process.stdout.write(JSON.stringify(told));"""
    done = subprocess.run([node, "--input-type=module", "-e", code], capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout) == ["sign Ben $& Red away", "benny and old-ben", "Abe, acb: carl"]


@pytest.mark.long
def test_units_are_chosen_by_their_names(browser: "Browser") -> None:
    game = Played(WARHAMMER, {"fast_rolling": True, "fast_saves": True}, alice="player", bob="player")
    for name in ("Necron Warriors", "Necron Scarabs"):
        game.type("alice", "declare", f'3 {name} M6" WS3+ BS3+ S4 T4 W1 A1 Ld7 Sv3+', kind="unit")
    with playing(browser, game, "alice") as page:
        open_all(page)
        now = page.locator(".now")
        now.get_by_text("Necron Warriors", exact=True).first.wait_for()
        assert "necron-" not in now.inner_text()


def test_a_name_that_two_players_gave_their_units_stands_with_what_is_typed() -> None:
    game = Played(WARHAMMER, {"fast_rolling": True, "fast_saves": True}, alice="player", bob="player")
    models = '3 Boyz M6" WS3+ BS3+ S4 T4 W1 A1 Ld7 Sv3+'
    for party, typed in (("alice", "Boyz"), ("bob", "mob: Boyz"), ("bob", "Nobz")):
        game.type(party, "declare", f"{typed}; {models}", kind="unit")
    found = [
        {option["label"] for option in field["options"]}
        for action in game.snapshot("alice")["advice"]["actions"]
        for field in action["fields"]
        if field["name"] == "target"
    ]
    assert {"Boyz (boyz)", "Boyz (mob)", "Nobz"} in found
    game.do("bob", "declare", {"what": "gone", "unit": "mob"})
    labels = json.dumps(game.snapshot("alice")["advice"]["actions"])
    assert "Boyz (boyz)" not in labels


KEPT = ("range", "again", "dice", "which", "scope", "store", "target", "kind")
"""members of a roll that are no words"""


def shape(value: Any, name: str = "") -> Any:
    """What is left of a body without its words."""
    if isinstance(value, dict):
        return {key: shape(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each, name) for each in value]
    return value if not isinstance(value, str) or name in KEPT else ""


@pytest.mark.parametrize(("file", "words"), [("words-de.js", "GERMAN"), ("words-ja.js", "JAPANESE")])
def test_examples_are_read_as_the_same_roll_in_each_language(file: str, words: str) -> None:
    magic = Played(MAGIC, {"planechase": True}, alice="player", bob="player")
    code = (UI / f"{MAGIC}.js").read_text(encoding="utf-8")
    lines = [(magic, line) for line in re.findall(r"mark\('((?:\d*d\d+|2d6) [A-Z][^']*)'\)", code)]
    assert len(lines) > 3
    lines.append((Played(NINTH, {}, alice="player", bob="player"), "10xd6 To hit 4+ reroll failed (Hatred)"))
    for game, line in lines:
        told = node(f"{file}: m.{words}[{json.dumps(line)}]")
        assert told != line
        read = [game.read({"type": "roll", "line": each, "party": "alice"})["body"] for each in (line, told)]
        assert shape(read[0]) == shape(read[1])


def test_each_step_in_german_begins_with_no_noun() -> None:
    """It stands behind a colon there, with a small letter."""
    steps = re.findall(
        r"t\('((?:Roll|Hit|Suffer|A wound)[^']*)'",
        (UI / "wh40k-9e.js").read_text(encoding="utf-8").split("const Turn")[0],
    )
    german = node(f"words-de.js: {json.dumps(steps)}.map((step) => m.GERMAN[step] ?? null)")
    firsts = {each.split()[0].rstrip(",") for each in german if each}
    assert firsts <= {"Auf", "Auswürfeln", "Den", "Die", "Eine", "Ohne", "Tödliche", "Würfeln"}
    assert len(german) > 12
