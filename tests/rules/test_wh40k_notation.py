"""How people write Warhammer 40,000 (specs/wh40k.md, "Notation"): both ways, and datasheets as they are printed."""

import re
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import SYSTEMS
from rules.base import NotationError
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.terms import Announced, AnyAbility, Change, Group, Modifier, Reroll
from tests.rules.test_actions_wh40k import ability, change, group, line, modifier, reroll_rule

NOTATIONS = SYSTEMS["wh40k-9e"].notations
texts = st.one_of(
    st.sampled_from(
        ["Captain", "Rage, of course", 'the "big" one', "reroll all", "-1", "A2 S4", "by bob", "Ünholy; it is"]
    ),
    st.text(st.characters(blacklist_categories=("Cs", "Co", "Cc")), min_size=1, max_size=20),
)


def named(value: Any, names: list[str]) -> Any:
    """The value with other sources, weapons and names."""
    if isinstance(value, dict):
        told = {
            k: names[len(str(v)) % len(names)] if k in ("source", "weapon", "name") else v for k, v in value.items()
        }
        return {k: named(v, names) if isinstance(v, dict | list) else v for k, v in told.items()}
    return [named(item, names) for item in value] if isinstance(value, list) else value


def off(random: Random) -> dict[str, Any]:
    players = random.choice([{}, {"players": ["alice", "bob"]}, {"players": ["bob", "x.y", "carol"]}])
    return {"for": "off", "source": random.choice(["roll-off", "First turn", "of alice, bob"]), **players}


def free(random: Random) -> dict[str, Any]:
    body: dict[str, Any] = {"for": "free", "source": "Charge", "dice": random.choice(["d6", "2d6", "10D6", "d3"])}
    if random.random() < 0.5:
        body |= {"sum": True, "dice": random.choice(["2d6", "3d6dh1", "4d6dl1+2", "d3+1"])}
    if random.random() < 0.6:
        body["needs"] = random.randint(-2, 12)
        more: list[dict[str, Any]] = [{}, {"at_most": True}, {"test": "hit"}, {"fails": [2, 12]}]
        body |= random.choice(more)
    if random.random() < 0.4:
        body["modifiers"] = [change(random, "roll") for _ in range(random.randint(0, 1))]
    if random.random() < 0.4:
        body["rerolls"] = [reroll_rule(random) for _ in range(random.choice([0, 2]))]
    return body


MAKERS: dict[Any, Any] = {
    b.FreeRoll: free,
    b.OffRoll: off,
    b.AttackRoll: lambda r: {
        "for": "attack",
        "unit": "u1",
        "groups": [group(r) for _ in range(r.randint(1, 3))],
    },
    b.DeclareAttacks: lambda r: {"what": "attacks", "unit": "u-1", "groups": [group(r)]},
    b.DeclareUnit: lambda r: {"what": "unit", "unit": "u.1", "name": "Boyz", "models": [line(r), line(r)]},
    b.Line: line,
    Group: lambda r: group(r),
    Change: lambda r: change(r, r.choice(["D", "AP", "roll"])),
    Modifier: modifier,
    Reroll: reroll_rule,
    AnyAbility: ability,
    Announced: lambda r: r.choice([{}, {"hit": r.randint(2, 6), "AP": -r.randint(0, 3)}, {"S": 2**53 - 1}]),
    b.Triggered: lambda r: {"ability": r.randint(1, 3), "parts": sorted(r.sample(range(1, 20), r.choice([0, 5])))},
}


@pytest.mark.long
@pytest.mark.parametrize("schema", MAKERS, ids=lambda schema: getattr(schema, "__name__", "any-ability"))
@given(st.randoms(use_true_random=False), st.lists(texts, min_size=1, max_size=3))
def test_what_is_written_is_read_again(schema: Any, random: Random, names: list[str]) -> None:
    made = named(MAKERS[schema](random), names)
    notation = NOTATIONS[schema]
    assert notation.parse(notation.write(made)) == made


@pytest.mark.parametrize("schema", NOTATIONS, ids=lambda schema: getattr(schema, "__name__", "any-ability"))
def test_each_example_is_read_as_its_schema(schema: Any) -> None:
    msgspec.convert(NOTATIONS[schema].parse(NOTATIONS[schema].example), schema)


@pytest.mark.parametrize("schema", NOTATIONS, ids=lambda schema: getattr(schema, "__name__", "any-ability"))
@given(st.text(max_size=60))
def test_any_other_text_is_told_what_would_be_right(schema: Any, text: str) -> None:
    with suppress(NotationError):
        NOTATIONS[schema].parse(text)


# --- datasheets ----------------------------------------------------------------------------------------------------

MARINE = {"M": 6, "WS": 3, "BS": 3, "S": 4, "T": 4, "W": 2, "A": 2, "Ld": 7, "Sv": 3}
SHEETS = [
    (
        '10 Intercessors M6" WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+ inv 5+',
        [(10, "Intercessors", {**MARINE, "invulnerable": 5})],
    ),
    ("Marine M6 WS3 BS3 S4 T4 W2 A2 Ld7 Sv3", [(1, "Marine", MARINE)]),
    (
        "Marine M6 WS3 BS3 S4 T4 W2 A2 Ld7 Sv3 6+++ 5+++ vs mortal wounds",
        [(1, "Marine", {**MARINE, "ignores_wounds": 6, "ignores_mortal": 5})],
    ),
    ("Marine M6 WS3 BS3 S4 T4 W2 A2 Ld7 Sv3 fnp 5+ MW", [(1, "Marine", {**MARINE, "ignores_mortal": 5})]),
    ("Spawn M3d6dh1 WS3 BS3 S4 T4 W2 A2d3dl1+1 Ld7 Sv3", [(1, "Spawn", {**MARINE, "M": "3d6dh1", "A": "2d3dl1+1"})]),
    ('5x Marine: M:6", WS:3+, BS:3+, S:4, T:4, W:2, A:2, Ld:7, Save:3+', [(5, "Marine", MARINE)]),
    (
        "Marine x5 | M 6″ | WS 3+ | BS 3+ | S 4 | T 4 | W 2 | A 2 | Ld 7 | Sv 3+ | 5++",
        [(5, "Marine", {**MARINE, "invulnerable": 5})],
    ),
    (
        'Squad [9 PL, 180pts]\nUnit\tM\tWS\tBS\tS\tT\tW\tA\tLd\tSave\n4 Marine\t6"\t3+\t3+\t4\t4\t2\t2\t7\t3+\n'
        'Sergeant\t6"\t3+\t3+\t4\t4\t2\t3\t8\t3+',
        [(4, "Marine", MARINE), (1, "Sergeant", {**MARINE, "A": 3, "Ld": 8})],
    ),
    (
        'Spawn M2D6" WS4+ BS- S5 T5 W4 AD6 Ld8 Sv5+ Feel No Pain 5+++ invulnerable save 4+',
        [
            (
                1,
                "Spawn",
                {
                    "M": "2D6",
                    "WS": 4,
                    "BS": "-",
                    "S": 5,
                    "T": 5,
                    "W": 4,
                    "A": "D6",
                    "Ld": 8,
                    "Sv": 5,
                    "ignores_wounds": 5,
                    "invulnerable": 4,
                },
            )
        ],
    ),
]


@pytest.mark.parametrize(("text", "lines"), SHEETS, ids=lambda value: value[:12] if isinstance(value, str) else "")
def test_a_datasheet_is_read_as_it_is_printed(text: str, lines: list[tuple[int, str, dict[str, Any]]]) -> None:
    body = NOTATIONS[b.DeclareUnit].parse(text)
    assert body["models"] == [{"count": count, "name": name, **stats} for count, name, stats in lines]
    msgspec.convert(body, b.Declare)


APPS = {
    "a site's table, with its number of models": (
        'No.\tNAME\tM\tWS\tBS\tS\tT\tW\tA\tLd\tSv\tCost\n4\tIntercessor\t6"\t3+\t3+\t4\t4\t2\t2\t7\t3+\t20'
    ),
    "a site's export": (
        "datasheet_id|line|name|M|WS|BS|S|T|W|A|Ld|Sv|Cost|cost_description|models_per_unit|\n"
        '000000122|1|Intercessor|6"|3+|3+|4|4|2|2|7|3+|20||5-10|'
    ),
    "a codex": 'Intercessor Squad\nNAME M WS BS S T W A Ld Sv\nIntercessor 6" 3+ 3+ 4 4 2 2 7 3+',
    "a chat's table": (
        "| Unit | M | WS | BS | S | T | W | A | Ld | Sv |\n|------|---|----|----|---|---|---|---|----|----|\n"
        '| Intercessor | 6" | 3+ | 3+ | 4 | 4 | 2 | 2 | 7 | 3+ |'
    ),
    "a campaign's page": (
        "Intercessor\n\n| M | WS | BS | S | T | W | A | Ld | Sv |\n|---|----|----|---|---|---|---|----|----|\n"
        '| 6" | 3+ | 3+ | 4 | 4 | 2 | 2 | 7 | 3+ |'
    ),
    "a roster as text": 'Unit: Intercessor, M: 6", WS: 3+, BS: 3+, S: 4, T: 4, W: 2, A: 2, Ld: 7, Save: 3+',
    "a roster as a page": (
        'Unit\tM\tWS\tBS\tS\tT\tW\tA\tLd\tSave\tRef\nIntercessor\t6"\t3+\t3+\t4\t4\t2\t2\t7\t3+\tCodex p. 84'
    ),
    "a virtual table's description": (
        "Intercessor\n[56f442]   M        WS      BS     S   T   W   A   Ld   Sv[-]\n"
        '   6"      3+     3+     4   4   2   2   7    3+'
    ),
    "a card, line by line": 'Intercessor\nM: 6"\nWS: 3+\nBS: 3+\nS: 4\nT: 4\nW: 2\nA: 2\nLd: 7\nSv: 3+',
    "a card, cell by cell": 'Intercessor\nM\n6"\nWS\n3+\nBS\n3+\nS\n4\nT\n4\nW\n2\nA\n2\nLd\n7\nSv\n3+',
    "a card, names first": 'Intercessor\nM\nWS\nBS\nS\nT\nW\nA\nLd\nSv\n6"\n3+\n3+\n4\n4\n2\n2\n7\n3+',
    "a table with a number, and with what comes below it": (
        'No.\tName\tM\tWS\tBS\tS\tT\tW\tA\tLd\tSv\tBase\n4\tIntercessor\t6"\t3+\t3+\t4\t4\t2\t2\t7\t3+\t32mm\n'
        'WEAPON\tRANGE\tTYPE\tS\tAP\tD\tABILITIES\nSlug thrower\t24"\tRapid Fire 1\t4\t-1\t1\t-\n'
        "Keywords: Infantry, Core"
    ),
    "a roster's page, with what its number of models bears": (
        "Line Squad [5 PL, 100pts]\nSelections: Slug thrower\nCategories: Infantry, Core, Troops\n"
        "4x Intercessor\nSelections: 4x Sidearm\nUnit: Intercessor, Weapon: Sidearm, Slug thrower\n"
        'Unit\tM\tWS\tBS\tS\tT\tW\tA\tLd\tSave\tRef\nIntercessor\t6"\t3+\t3+\t4\t4\t2\t2\t7\t3+\t\n'
        'Weapon\tRange\tType\tS\tAP\tD\tAbilities\tRef\nSidearm\t12"\tPistol 1\t4\t0\t1\t-\t'
    ),
    "a message, with bullets": '• Intercessor: M 6", WS 3+, BS 3+, S 4, T 4, W 2, A 2, Ld 7, Sv 3+',
    "a message, with a number of models and bullets": (
        "- 4 Intercessor M 6'' WS 3+ BS 3+ S 4 T 4 W 2 A 2 Ld 7 Sv 3+\n* Keywords: Infantry"
    ),
    "a spreadsheet": (
        'Name,Move,WS,BS,Strength,Toughness,Wounds,Attacks,Leadership,Save,Points\nIntercessor,6",3+,3+,4,4,2,2,7,3+,20'
    ),
}
"""as apps, sites and books hand a unit on; all of them the same one"""


@pytest.mark.parametrize("app", APPS)
def test_a_datasheet_is_read_as_an_app_hands_it_on(app: str) -> None:
    body = NOTATIONS[b.DeclareUnit].parse(APPS[app])
    (model,) = body["models"]
    assert {name: model[name] for name in MARINE} == MARINE
    assert (model["name"], model["count"]) == ("Intercessor", 4 if "number" in app else 1)
    msgspec.convert(body, b.Declare)


@pytest.mark.parametrize(
    "told",
    ["Invulnerable save 5+", "5++", "Invuln: 5+", "5+ invulnerable save.", "Abilities: none\nInv 5+"],
)
def test_a_save_on_a_line_of_its_own_is_that_of_the_models(told: str) -> None:
    sheet = f"Guard M6 WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+\n{told}"
    (model,) = NOTATIONS[b.DeclareUnit].parse(sheet)["models"]
    assert model == {"count": 1, "name": "Guard", **MARINE, "invulnerable": 5}


def test_what_is_left_out_hides_no_save() -> None:
    """Of a text that tells of a save nothing is signed before it is said whose it is."""
    one = "Guard M6 WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+"
    for told in ("Abilities: Shield: a 4+ invulnerable save", "Rules: ignores each wound on a 6", "Keywords: 5++"):
        with pytest.raises(NotationError, match="stands behind their Sv"):
            NOTATIONS[b.DeclareUnit].parse(f"{one}\n{told}")
    with pytest.raises(NotationError, match="say whose save it is"):
        NOTATIONS[b.DeclareUnit].parse(f"{one}\n{one.replace('Guard', 'Captain')}\nInvulnerable save 5+")
    table = "No.\tName\tM\tWS\tBS\tS\tT\tW\tA\tLd\tSv\n1\tTank\t*\t6+\t*\t8\t8\t16\t*\t9\t2+"
    with pytest.raises(NotationError, match=r"Tank: \* changes with its wounds"):
        NOTATIONS[b.DeclareUnit].parse(table)


def test_there_are_ten_of_them() -> None:
    assert len(APPS) >= 10


def test_how_many_models_there_are_is_never_guessed() -> None:
    """“4-9 Intercessors”: a datasheet says what a unit may have, and a game how many there are."""
    sheet = APPS["a site's table, with its number of models"].replace("\n4\t", "\n4-9\t")
    with pytest.raises(NotationError, match="4-9: say how many there are, from 4 to 9"):
        NOTATIONS[b.DeclareUnit].parse(sheet)


def test_a_unit_has_its_id_and_name_from_the_first_line() -> None:
    sheet = 'boyz: Ork Boyz\n10 Boy M5" WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+'
    body = NOTATIONS[b.DeclareUnit].parse(sheet)
    assert (body["unit"], body["name"], body["models"][0]["name"]) == ("boyz", "Ork Boyz", "Boy")
    body = NOTATIONS[b.DeclareUnit].parse(sheet.removeprefix("boyz: "))
    assert (body["unit"], body["name"]) == ("ork-boyz", "Ork Boyz")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("10 Boyz", "a unit has models"),
        ("Boyz M5 WS3+", "says nothing of BS, S, T, W, A, Ld, Sv"),
        ("Boyz M5 M6 WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+", "M stands twice"),
    ],
)
def test_what_a_datasheet_lacks_is_told(text: str, told: str) -> None:
    with pytest.raises(NotationError, match=told):
        NOTATIONS[b.DeclareUnit].parse(text)


def test_a_second_weapon_is_a_second_group() -> None:
    text = "squad: Bolt rifle at boyz by 1-9, Assault 2 S4 AP-1 D1, -1 to hit Dense Cover; "
    text += "Plasma gun at boyz by 10, Rapid Fire 1 S8 AP–3 D2"
    body = NOTATIONS[b.AttackRoll].parse(text)
    assert [(g["weapon"], g["A"], g["AP"]) for g in body["groups"]] == [("Bolt rifle", 2, -1), ("Plasma gun", 1, -3)]
    assert body["groups"][0]["modifiers"] == [{"source": "Dense Cover", "on": "hit", "op": "subtract", "amount": 1}]
    msgspec.convert(body, b.AnyRoll)


def test_a_melee_weapon_is_the_users_with_what_it_adds() -> None:
    (found,) = NOTATIONS[b.AttackRoll].parse("nob: Klaw at marines, melee S x2 AP-3 D2")["groups"]
    assert (found["type"], found["A"], found["S"]) == ("melee", "user", "user")
    assert found["modifiers"] == [{"source": "Klaw", "on": "S", "op": "multiply", "amount": 2}]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("d6, 4+, 5+", "5+"),
        ("2d6 sum, hit, 4+, wound", "wound"),
        ("d6, 4+, fails on 1, fails on 2", "fails on 2"),
        ("d6, 4+, passes on 6, passes on 5", "passes on 5"),
    ],
)
def test_a_second_target_or_test_is_not_the_one_that_counts(text: str, second: str) -> None:
    with pytest.raises(NotationError, match=re.escape(second)):
        NOTATIONS[b.FreeRoll].parse(text)


@pytest.mark.parametrize(
    ("profile", "second"),
    [
        ("A2 S4 A3", "A3"),
        ("A2 S4 AP-1, AP-2", "AP-2"),
        ("A2 S4 D1 D2", "D2"),
        ("Assault 2 S4 A3", "A3"),
        ("melee ranged A2 S4", "ranged"),
        ("A2 S4 S +1", "S +1"),
        ("A2 S4, announced hit 3+ hit 4+", "hit 4"),
        ("A2 S4, announced hit 3+, announced S4", "announced S4"),
    ],
)
def test_a_second_characteristic_is_not_the_one_that_counts(profile: str, second: str) -> None:
    with pytest.raises(NotationError, match=re.escape(second)):
        NOTATIONS[b.AttackRoll].parse(f"squad: Gun at boyz, {profile}")


@pytest.mark.parametrize("bears", ["7+", "5-", "+1 Advance", "reroll any Icon", "7+, +1 Advance"])
def test_what_several_dice_are_is_said_where_something_hangs_on_it(bears: str) -> None:
    """The refusal has both lines, and each is read as what it says."""
    with pytest.raises(NotationError) as refused:
        NOTATIONS[b.FreeRoll].parse(f"2d6 for Charge, {bears}")
    for word in ("sum", "each"):
        line = f"2d6 {word} for Charge, {bears}"
        assert line in str(refused.value)
        assert ("sum" in NOTATIONS[b.FreeRoll].parse(line)) == (word == "sum")
    assert "sum" not in NOTATIONS[b.FreeRoll].parse("2d6 for Charge")
    assert NOTATIONS[b.FreeRoll].parse(f"2d6, hit, 4+, {bears}" if bears[0] == "r" else "2d6, hit, 4+")["test"] == "hit"
