"""A judge at the table page in Chromium, and an organizer with many tables (specs/page.md, "Screens")."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.served import Server
from tests.web.people import Person, opened
from tests.web.scene_games import Played, playing
from tests.web.table_page import until
from verifier import verify

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


def test_a_judge_sees_who_is_awaited_voids_and_rules(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    alice, bob, dana = (Person(browser, name) for name in ("alice", "bob", "dana"))
    opened(alice, server.address, [bob], judge=dana)
    address = bob.page.url
    bob.page.close()
    dana.page.get_by_text("bob is not connected").wait_for()
    alice.roll("d20")
    waits = dana.page.locator(".now .waits.slow", has_text="The roll waits for bob.")
    waits.wait_for()
    assert "For " in waits.inner_text()
    dana.page.wait_for_timeout(8_000)
    dana.page.reload()
    waits.wait_for()
    (count,) = re.findall(r"For (\d+) s", waits.inner_text())
    assert int(count) >= 8, "it counts from the request, and not from when the page was opened"
    dana.looked_at(tmp_path, "judge, a roll waits", axe)
    # Alice, who would open last, says by another way that she will not; then the judge calls the roll off.
    own = alice.page.locator(".own-part")
    own.get_by_text("This device has not given its part in this roll.").wait_for()
    own.get_by_role("button", name="Take no part in this roll").click()
    own.get_by_text("This device takes no part in this roll any more.").wait_for()
    alice.page.reload()  # and it keeps to that
    own.get_by_text("This device takes no part in this roll any more.").wait_for()
    dana.page.get_by_text("Call this roll off, as judge").click()
    void = dana.page.get_by_role("button", name="Call this roll off; it waits for")
    assert void.get_attribute("aria-disabled") == "true"
    dana.page.get_by_label("alice has told me so, by another way").check()
    void.click()
    bob.page = bob.tab()
    bob.page.goto(address)
    for each in (alice, bob, dana):
        off = each.page.locator(".entry.roll.off")
        off.wait_for()
        assert "No dice: it was called off" in off.inner_text()
    # She owes the same roll, and this time bob is there. Then the judge corrects a die.
    alice.page.locator(".due button.sign:not([aria-disabled])").click()
    dice = alice.sees_rolls(1)
    assert dana.sees_rolls(1) == dice
    fair = dana.page.locator(".entry.roll.fair")
    dana.page.get_by_text("Correct", exact=True).click()
    assert dana.page.locator(".ruling-form input[type=text]").count() == 0, "no number of an event is asked for"
    dana.page.get_by_role("button", name="Choose it in the log").click()
    assert fair.evaluate("(entry) => entry.getBoundingClientRect().top < innerHeight")
    fair.get_by_role("button", name="Rule on").click()
    dana.page.get_by_text("die 1 shows " + dice[0].removeprefix("d20 ")).wait_for()
    dana.page.get_by_label("the reason").fill("read from a cocked die")
    dana.looked_at(tmp_path, "judge, correct", axe)
    form = dana.page.locator(".ruling-form")
    corrected = "19" if dice[0] == "20" else "20"
    form.get_by_label("dice and their results").fill(f"1={corrected}")
    form.locator("button.sign:not([aria-disabled])", has_text=corrected).wait_for()
    form.locator("button.sign:not([aria-disabled])").click()
    for each in (alice, bob, dana):
        entry = each.page.locator(".entry.roll.fair", has_text="dana ruled (corrected)")
        entry.wait_for()
        assert "read from a cocked die" in entry.inner_text()
        entry.locator(".dice", has_text=f"counts as {corrected}").wait_for()
        assert each.sees_rolls(1) == [f"{dice[0]} → counts as {corrected}"]
    warning = alice.page.locator(".loud.doubt", has_text="dana corrected what you did.")
    assert "The reason: read from a cocked die" in warning.inner_text()
    assert "alice: d20" in warning.locator("strong").inner_text()
    assert bob.page.locator(".loud.doubt", has_text="corrected what you did").count() == 0
    alice.looked_at(tmp_path, "player, ruled", axe)
    code = alice.page.locator("#code").inner_text()
    bob.page.locator("#theirs").fill(code.replace(" ", "-"))
    bob.page.get_by_text("The same: both have the same first").wait_for()
    bob.page.locator("#theirs").fill(code[:-1] + str(9 - int(code[-1])))
    bob.page.locator(".loud.bad", has_text="Not the same.").wait_for()
    bob.looked_at(tmp_path, "another code", axe)
    report, _ = verify(dana.log())
    assert report.verdict == "holds"
    for each in (alice, bob, dana):
        each.close()


def test_a_new_table_leads_to_the_question_that_it_waits_for(browser: "Browser", server: Server) -> None:
    alice = Person(browser, "alice")
    page = alice.page
    page.goto(f"{server.address}/")
    page.get_by_text("Warhammer 40,000", exact=False).first.click()
    page.locator("#name").fill("alice")
    page.get_by_role("button", name="Open the table and sit down").click()
    question = page.get_by_role("group", name="If somebody’s phone dies?")
    question.get_by_text("Choose one of these, and then open the table.").wait_for()
    until(page, "document.activeElement.id === 'phone-title'")
    assert question.evaluate("(each) => each.getBoundingClientRect().top >= 0")
    page.get_by_text("Wait for them", exact=True).click()
    assert question.get_by_text("Choose one of these").count() == 0
    page.get_by_role("button", name="Open the table and sit down").click()
    page.get_by_text("Who sits here").first.wait_for()
    alice.close()


def test_the_servers_judge_is_not_told_of_as_missing(browser: "Browser", server: Server) -> None:
    alice, bob, dana = (Person(browser, name) for name in ("alice", "bob", "dana"))
    opened(alice, server.address, [bob], judge=dana, gone="Go on without them")
    dana.page.get_by_text("Everybody is here.").wait_for()
    bob.page.goto("about:blank")
    dana.page.locator(".awaited li").first.wait_for()
    assert dana.page.locator(".awaited li").all_inner_texts() == ["bob is not connected"]
    for each in (alice, bob, dana):
        each.close()


@pytest.mark.slow
def test_an_organizer_gets_all_logs_in_one_file_of_games_that_others_play(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    org = Person(browser, "org")
    links = []
    for title in ("Round 1", "Round 2"):
        org.page.goto(f"{server.address}/")
        org.page.get_by_label("Title").fill(title)
        org.page.get_by_text("my seat, links, whose dice").click()
        org.page.get_by_text("none: I only open it").click()
        org.page.get_by_role("button", name="Open the table", exact=True).click()
        links.append(org.page.get_by_role("textbox", name="Link for players", exact=True).input_value())
    players = []
    for number, link in enumerate(links):
        player = Person(browser, f"player{number}")
        player.sit(link)
        players.append(player)
        org.page.goto(f"{server.address}/")
        org.page.locator(".known a", has_text=f"Round {number + 1}").click()
        org.page.locator(f"button:has-text('Start with player{number}')").click()
        player.agree()
    org.page.goto(f"{server.address}/")  # nothing of what follows is shown to the organizer's page
    players[0].roll("2d6")
    players[0].sees_rolls(1)
    players[1].roll("d8")
    players[1].roll("d6")  # typed while the first one is on its way
    players[1].sees_rolls(2)
    files = {name: data for name, data in org.save("Save all logs").items() if name.endswith(".jsonl")}
    assert sorted(files) == ["Round 1.jsonl", "Round 2.jsonl"]
    for number, data in enumerate(files[f"Round {each}.jsonl"] for each in (1, 2)):
        report, _ = verify(data)
        assert report.verdict == "holds"
        assert data == players[number].log()
    org.page.reload()  # else it looks at its tables again after a while
    org.page.locator(".known li", has_text="Round 1").get_by_text("1 roll").wait_for()
    org.page.locator(".known li", has_text="Round 2").get_by_text("2 rolls").wait_for()
    org.looked_at(tmp_path, "organizer", axe)
    for each in (org, *players):
        each.close()


def test_a_table_with_the_servers_judge_and_those_who_contribute_by_name(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    alice, bob, carol = (Person(browser, name) for name in ("alice", "bob", "carol"))
    page = alice.page
    page.goto(f"{server.address}/")
    page.get_by_text("my seat, links, whose dice, who comes later").click()
    assert page.locator("#named").count() == 0
    page.get_by_text("Those whom I name, and the server").click()
    page.get_by_text("keeper, the server, has a part without being named").wait_for()
    page.get_by_text("Wait for them", exact=True).click()
    assert page.locator("#after").count() == 0
    page.get_by_text("Go on without them", exact=True).click()
    page.get_by_text("The operator of the server runs its judge too").wait_for()
    alice.looked_at(tmp_path, "a table to open", axe)
    page.locator("#name").fill("alice")
    for names, seconds, problem in (
        (" , ", "1", "Name at least one person, besides the server"),
        ("Alice, bob、alice", "never", "A roll waits for 1 to"),
        ("Alice, bob、alice", "0", "A roll waits for 1 to"),
        ("Alice, bob、alice", "１", ""),
    ):
        page.locator("#named").fill(names)
        page.locator("#after").fill(seconds)
        page.locator("#name").press("Enter")
        page.locator(".problem", has_text=problem).or_(page.locator("input.link").first).wait_for()
    link = page.get_by_role("textbox", name="Link for players", exact=True).input_value()
    carol.sit(link)
    start = page.locator("button", has_text="Start: waits for bob to sit down")
    start.wait_for()
    assert start.get_attribute("aria-disabled") == "true"
    bob.sit(link)
    for words in (
        "Dice: only keeper, alice and bob have a part in every roll",
        "The server's judge calls off a roll that has waited for 1 s.",
        "All others together can then sign away the people it named",
    ):
        bob.page.locator(".terms li", has_text=words).wait_for()
    bob.looked_at(tmp_path, "lobby with a judge", axe)
    page.locator("button:has-text('Start with alice, carol and bob')").click()
    carol.page.locator("button.main:has-text('Agree to these terms')").click()
    bob.agree()
    carol.page.close()  # who has no part is not waited for
    alice.roll()
    bob.sees_rolls(1)
    bob.page.close()
    alice.roll()
    page.locator(".entry.roll.off").wait_for()
    alice.looked_at(tmp_path, "called off by the server's judge", axe)
    events = [json.loads(line) for line in alice.log().splitlines()]
    assert (events[0]["body"]["contributors"], events[0]["body"]["judge"]) == (
        ["keeper", "alice", "bob"],
        "timer",
    )
    assert events[0]["body"]["away"] == "others"
    # Alice closes: her turn comes when bob has opened.
    assert [event["body"]["missing"] for event in events if event["type"] == "void"] == [["bob"]]
    for each in (alice, bob, carol):
        each.close()


STAYS = "A correction cannot make a die count"


@pytest.mark.parametrize(
    ("system", "options", "line", "said"),
    [
        ("mtg-706-2023-11-17", {"planechase": False}, "d20 Delina | +1 ignore lowest: Pixie Guide", True),
        ("mtg-706-2023-11-17", {"planechase": False}, "2d20 Delina", False),
        ("t9a-2022", {}, "sum 2d6 Charge maximised (Swift)", True),
        ("dice-1", {}, "d20adv", False),
    ],
)
@pytest.mark.slow
def test_a_judge_reads_that_an_ignored_die_stays_ignored(
    browser: "Browser", system: str, options: dict[str, bool], line: str, said: bool
) -> None:
    """Before the ruling, where dice are ignored; any dice sorts them anew. Behind it the roll says so, to everybody."""
    game = Played(system, options, alice="player", bob="player", dana="judge")
    seq = game.type("alice", "roll", line, 1, 5, 6)
    with playing(browser, game, "dana") as page:
        page.locator(f"#event-{seq}").get_by_role("button", name="Rule on").click()
        page.locator(".ruling-form label.key", has_text="Correct").click()
        form = page.locator(".ruling-form")
        form.get_by_label("dice and their results").fill("1=20")
        assert (form.get_by_text(STAYS).count() == 1) == said
        form.get_by_label("the reason").fill("a cocked die")
        if said:
            form.locator("button.sign[aria-disabled]", has_text="changes nothing: this die does not count").wait_for()
            form.get_by_label("dice and their results").fill("1=20\n2=4")
        form.locator("button.sign:not([aria-disabled])").click()
        page.locator(".entry.roll", has_text="dana ruled (corrected)").wait_for()
        told = page.locator(".entry.roll", has_text="die 1 was corrected, and still does not count")
        assert (told.count() > 0) == said
    with playing(browser, game, "bob") as page:
        ruling = page.locator(".tray .ruling", has_text="Corrected by the judge dana, die 1: 1 → 20")
        ruling.filter(has_text=": a cocked die").wait_for()
        assert ("die 1: 1 → 20, still does not count; die 2: 5 → 4" in ruling.inner_text()) == said


def test_an_address_without_its_secret_leads_to_the_seat_and_the_first_page(browser: "Browser", server: Server) -> None:
    alice, bob = (Person(browser, name) for name in ("alice", "bob"))
    link = opened(alice, server.address, start=False)["player"]
    for each in (alice, bob):
        each.page.goto("about:blank")
        each.page.goto(link.partition("#")[0])
        each.page.get_by_text("This is not a whole link").wait_for()
        each.page.get_by_role("link", name="To the first page").wait_for()
    assert bob.page.get_by_role("link", name="This browser knows that table").count() == 0
    alice.page.get_by_role("link", name="This browser knows that table: go on there").click()
    alice.page.get_by_text("Who sits here").first.wait_for()
    alice.page.locator(".people li", has_text="alice").wait_for()
    alice.close()
    bob.close()


def test_who_saves_reads_the_name_of_the_file_and_where_it_is_checked(browser: "Browser", server: Server) -> None:
    alice, bob = (Person(browser, name) for name in ("alice", "bob"))
    opened(alice, server.address, [bob])
    (name,) = alice.save()
    told = alice.page.locator(".save .saved", has_text=f"Saved among your downloads: {name}")
    told.wait_for()
    assert f"{server.address}/verify" in told.inner_text()
    alice.close()
    bob.close()


def test_a_judge_reads_once_for_whom_the_table_waits(browser: "Browser") -> None:
    game = Played("mtg-706-2023-11-17", {"planechase": False}, alice="player", bob="player", dana="judge")
    game.type("alice", "roll", "d20 Krark | ignore one of each pair: Krark's Other Thumb", 4, 9)
    with playing(browser, game, "dana") as page:
        page.get_by_text("The table waits for alice: choose the dice to ignore.").wait_for()
        assert page.locator("main").inner_text().count("The table waits for alice") == 1
