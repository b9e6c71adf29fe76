"""People by what they are called, wherever a scene or a part of the page names them."""

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import SPECS
from tests.web.page_games import screens
from tests.web.scene_games import Played, playing
from tests.web.table_page import open_all, shown
from tests.web.test_plain_words import judged
from tests.web.test_scenes import called, magic, sheets, warhammer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

UI = SPECS.parent / "ledger" / "web" / "ui"
CALLED = {"alice": "Anna", "bob": "Ben", "gil": "Gilda"}
PEOPLE = [
    "name",
    "author",
    "party",
    "judge",
    "keeper",
    "host",
    "holder",
    "closer",
    "gm",
    "owner",
    "other",
    "player",
    "roller",
    "waiting",
    "who",
]
"""values of the pages' words that are one person's key"""


def node(script: str) -> Any:
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node is not installed")
    done = subprocess.run([found, "--input-type=module", "-e", script], capture_output=True, check=True, timeout=60)
    return json.loads(done.stdout)


def test_each_value_that_is_a_person_is_told_as_called() -> None:
    people = [{"name": name, "called": text} for name, text in CALLED.items()]
    told = node(f"""import {{ callPeople, t }} from '{(UI / "words.js").as_uri()}';
      callPeople({json.dumps(people)});
      const one = {json.dumps(PEOPLE)}.map((name) => t(`{{${{name}}}} rolls`, {{ [name]: 'bob' }}));
      const all = ['names', 'others', 'missing'].map((name) => t(`{{${{name}}}}`, {{ [name]: {{ names: ['bob'] }} }}));
      process.stdout.write(JSON.stringify([one, all, t('{{text}}', {{ text: 'bob' }})]));""")
    assert told == [["Ben rolls"] * len(PEOPLE), ["Ben"] * 3, "bob"]


def test_dice_are_chosen_in_the_tray_only_where_nothing_else_is_to_be_chosen() -> None:
    dice = {"name": "dice", "kind": "some-of", "required": True, "options": [{"value": 1, "label": "3"}]}
    amount = {"name": "amount", "kind": "range", "required": False}
    actions = [{"type": "reroll", "body": {"roll": 4}, "fields": fields} for fields in ([dice], [dice, amount])]
    found = node(f"""import {{ decidedByDice }} from '{(UI / "decisions.js").as_uri()}';
      const found = decidedByDice({json.dumps(actions)}, 4).map(({{ fields }}) => fields.length);
      process.stdout.write(JSON.stringify(found));""")
    assert found == [1]


class _Called(Played):
    """A game whose people are called otherwise than their keys."""

    def snapshot(self, *given: Any) -> dict[str, Any]:
        found = super().snapshot(*given)
        for party in found["game"]["parties"]:
            party["called"] = CALLED.get(party["name"])
        return found


def with_names(game: Played) -> Played:
    game.__class__ = _Called
    return game


def texts(page: "Page", selector: str) -> list[str]:
    page.locator(selector).first.wait_for(state="attached")
    return page.locator(selector).all_text_contents()


@pytest.mark.slow
def test_scenes_have_the_called_names(browser: "Browser") -> None:
    with playing(browser, with_names(called()), "gil") as page:
        open_all(page)
        assert texts(page, ".now .key small")[:2] == ["Anna", "Ben"]
        assert texts(page, ".thing h3 small") == ["Anna", "Ben"]
        assert "Anna, Ben" in " ".join(texts(page, ".thing p"))
    with playing(browser, with_names(called()), "bob") as page:
        open_all(page)
        group = page.get_by_role("radiogroup", name="Who is to roll").or_(
            page.get_by_role("group", name="Who is to roll")
        )
        assert [each for each in ("Anna", "Ben") if each not in group.first.inner_text()] == []
    with playing(browser, with_names(sheets()), "gil") as page:
        assert texts(page, ".asked-for .offer h3 small") == ["Ben"]
        assert texts(page, ".thing h3 small") == ["Anna", "Ben"]
    with playing(browser, with_names(warhammer()), "alice") as page:
        assert texts(page, ".unit h3 small") == ["yours", "Ben"]
    with playing(browser, with_names(judged()[0]), "alice", viewport={"width": 1280, "height": 800}) as page:
        assert texts(page, "#lucky option") == ["Everybody", "Anna", "Ben"]
    with playing(browser, with_names(magic()), "bob") as page:
        assert texts(page, ".thing h3 small")[0] == "Anna"
        open_all(page)
        assert {"Anna", "Ben"} <= set(texts(page, "select option"))
        assert not {"alice", "bob"} & set(texts(page, "select option"))


@pytest.mark.long
def test_the_first_page_has_the_called_names(browser: "Browser") -> None:
    path, fake = screens()["home"]
    game = fake["snapshot"]["game"]
    waiting = screens()["a roll waits"][1]["snapshot"]["game"]["waiting"]
    parties = [{**party, "called": CALLED.get(party["name"])} for party in game["parties"]]
    fake["snapshot"]["game"] = {**game, "parties": parties, "waiting": waiting}
    with shown(browser, fake, path) as page:
        page.get_by_text("waits for Gilda").wait_for()
