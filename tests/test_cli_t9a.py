"""`rollproof` in a game of The 9th Age: options to bodies, a turn as players type it, what a state says in words."""

import json
import shlex
import shutil
from inspect import signature
from pathlib import Path
from typing import Any, get_args

import pytest
from ledger.cli.place import Place
from ledger.cli.systems import MODULES, makers

from ledger.cli import t9a, t9a_words
from ledger.cli.play import Play
from ledger.errors import UsageError
from rules import Session
from rules.script import FORMAT, read, run
from rules.t9a.rerolls import pieces
from rules.t9a.state import Roll
from tests.cli import REPOSITORY, Cli, make_home, on_terminal, state_of

GAME = "Battle"
SCRIPTS = sorted((REPOSITORY / "specs" / "vectors" / "scripts" / "t9a").glob("*.json"))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a game of The 9th Age between alice and bob."""
    home = make_home(tmp_path_factory.mktemp("begun") / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLPROOF_PASSPHRASE", "correct horse battery")
        patch.setenv("ROLLPROOF_HOME", str(home))
        patch.setenv("ROLLPROOF_STATE", str(state_of(home)))
        from ledger.cli import run as run_command

        parties = ("--keeper", "host", "--player", "alice", "--player", "bob", "--judge", "dana")
        assert run_command(["new", *parties, "--system", "t9a", "--title", GAME, "--links", "40"]) == 0
        for name in ("alice", "bob", "dana"):
            assert run_command(["join", GAME, "--as", name, "--links", "40"]) == 0
    return home


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch)


class Taken(UsageError):
    """Stands for what would come next, so that nothing is written."""


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The bodies that commands make, instead of events."""
    import msgspec

    made: list[Any] = []

    def check(_: Play, _author: str, _type: str, body: Any) -> None:
        made.append(msgspec.json.decode(msgspec.json.encode(body)))
        raise Taken("taken")

    monkeypatch.setattr(Play, "check", check)
    return made


def session_of(*events: tuple[str, str, dict[str, Any], list[int] | None]) -> Session:
    """A game with these events: author, type, body, naturals."""
    told = [
        {"author": author, "type": type_, "body": body, **({"naturals": naturals} if naturals else {})}
        for author, type_, body, naturals in events
    ]
    parties = {"host": "keeper", "alice": "player", "bob": "player"}
    script = {"format": FORMAT, "system": "t9a-2022", "options": {}, "parties": parties, "events": told}
    outcome = run(read(json.dumps(script).encode()))
    assert outcome.violation is None, outcome.violation
    return outcome.session


def rolled(dice: str, naturals: list[int], **members: Any) -> Session:
    """A game in which alice has rolled this, as event 1."""
    return session_of(("alice", "roll", {"source": "To hit", "dice": dice, **members}, naturals))


def notes(session: Session) -> list[str]:
    return t9a.roll_notes(session.view()["rolls"][-1])


# --- options to bodies ---------------------------------------------------------------------------------------------

ROLLS: list[tuple[str, dict[str, Any]]] = [
    ("2d6", {"dice": "2d6"}),
    ("2D6", {"dice": "2d6"}),
    ("d3", {"dice": "d3"}),
    ("d3 --times 2", {"dice": "d3", "times": 2}),
    ("10d6 --each", {"dice": "1d6", "times": 10}),
    ("d3 --each", {"dice": "1d3"}),
    ("d6 --times 10 --target 4+", {"dice": "d6", "times": 10, "target": "4+"}),
    ("10d6 --times 1 --target 4+", {"dice": "10d6", "target": "4+"}),
    ("2d6 --target 5+ --add 5", {"dice": "2d6", "target": "5+", "modifiers": [{"add": 5}]}),
    ("direction", {"dice": "direction"}),
    ("Direction-D6 --times 2 --zero north", {"dice": "direction-d6", "times": 2, "zero": "north"}),
    ("2d6 --target 8-", {"dice": "2d6", "target": "8-"}),
    ("2d6 --at-most 8", {"dice": "2d6", "target": "8-"}),
    ("d6+1", {"dice": "d6", "modifiers": [{"add": 1}]}),
    ("2d6x2-1", {"dice": "2d6", "modifiers": [{"multiply": 2}, {"add": -1}]}),
    ("d6+1 --add '-1=Curse'", {"dice": "d6", "modifiers": [{"add": 1}, {"source": "Curse", "add": -1}]}),
    (
        "d6 --add x2=Rage --add 1=Bless",
        {"dice": "d6", "modifiers": [{"source": "Rage", "multiply": 2}, {"source": "Bless", "add": 1}]},
    ),
    ("d6 --multiply 3=Rage", {"dice": "d6", "modifiers": [{"source": "Rage", "multiply": 3}]}),
    ("2d6 --maximised Swift --maximized Again", {"dice": "2d6", "maximised": ["Swift", "Again"]}),
    ("2d6 --minimised Slow", {"dice": "2d6", "minimised": ["Slow"]}),
    (
        "d6 --target 4+ --always-hit 6 --always-miss 1,2",
        {"dice": "d6", "target": "4+", "always": {"success": [6], "failure": [1, 2]}},
    ),
    ("d6 --target 4+ --always-miss 1s", {"dice": "d6", "target": "4+", "always": {"failure": [1]}}),
    ("d6 --reroll failed=Hatred", {"dice": "d6", "rerolls": [{"source": "Hatred", "which": "failed"}]}),
    (
        "d6 --must-reroll 5,6s=Dusk --may-reroll 1=Bless",
        {
            "dice": "d6",
            "rerolls": [
                {"source": "Dusk", "which": "natural", "naturals": [5, 6]},
                {"source": "Bless", "which": "natural", "naturals": [1], "may": True},
            ],
        },
    ),
    (
        "d6 --may-reroll failed=Rally --pick 1",
        {"dice": "d6", "rerolls": [{"source": "Rally", "which": "failed", "may": True, "pick": 1}]},
    ),
    (
        "d6 --reroll successful:2=A=B --may-reroll all=C",
        {
            "dice": "d6",
            "rerolls": [
                {"source": "A=B", "which": "successful", "pick": 2},
                {"source": "C", "which": "throw", "may": True},
            ],
        },
    ),
]


@pytest.mark.parametrize(("options", "members"), ROLLS, ids=[options for options, _ in ROLLS])
def test_options_of_a_roll(cli: Cli, bodies: list[Any], options: str, members: dict[str, Any]) -> None:
    cli.refused("roll", GAME, *shlex.split(options), "--for", "To hit", "--as", "alice")
    wanted = {"source": "To hit", **members}
    modifiers = [{"source": "To hit", **modifier} for modifier in wanted.pop("modifiers", [])]
    assert bodies == [wanted | ({"modifiers": modifiers} if modifiers else {})]


def test_for_is_source(cli: Cli, bodies: list[Any]) -> None:
    cli.refused("roll", GAME, "2d6", "--source", "Charge range", "--as", "alice")
    assert bodies[0]["source"] == "Charge range"


ACTS: list[tuple[str, dict[str, Any]]] = [
    ("reroll {} 7", {"roll": 7, "rule": 1}),
    ("reroll {} 7 --rule 2 --dice 2,5", {"roll": 7, "rule": 2, "dice": [2, 5]}),
    ("modify {} 7 --add '-1=Curse'", {"roll": 7, "modifier": {"source": "Curse", "add": -1}}),
    ("modify {} 7 --multiply 2=Rage", {"roll": 7, "modifier": {"source": "Rage", "multiply": 2}}),
    ("modify {} 7 --add x2=Rage", {"roll": 7, "modifier": {"source": "Rage", "multiply": 2}}),
    ("resolve {} 7", {"roll": 7}),
    ("resolve {} 7 --total 14 --successes 1", {"roll": 7, "totals": [14], "successes": 1}),
    ("resolve {} 7 --totals 14,-2 --successes 0", {"roll": 7, "totals": [14, -2], "successes": 0}),
    ("resolve {} 7 --direction 90 --face 5", {"roll": 7, "directions": [90], "faces": [5]}),
    (
        "declare reroll {} 7 --must-reroll failed=Hatred",
        {"what": "reroll", "roll": 7, "rule": {"source": "Hatred", "which": "failed"}},
    ),
    (
        "declare reroll {} 7 --may-reroll any=Luck --pick 1",
        {"what": "reroll", "roll": 7, "rule": {"source": "Luck", "which": "any", "may": True, "pick": 1}},
    ),
]


@pytest.mark.parametrize(("line", "body"), ACTS, ids=[line for line, _ in ACTS])
def test_options_of_what_is_done_with_a_roll(cli: Cli, bodies: list[Any], line: str, body: dict[str, Any]) -> None:
    cli.refused(*shlex.split(line.format(GAME)), "--as", "alice")
    assert bodies == [body]


# --- which reroll rule ---------------------------------------------------------------------------------------------

HATRED = {"source": "Hatred", "which": "failed"}
LUCK = {"source": "Luck", "which": "any", "may": True, "pick": 1}
ONES = {"source": "Blessed", "which": "natural", "naturals": [1]}


def test_the_only_rule_that_concerns_a_die_is_meant() -> None:
    session = rolled("1d6", [1, 2, 5], times=3, target="2+", rerolls=[{**ONES, "naturals": [6]}, HATRED])
    assert t9a.reroll(Place(session, "alice")) == {"roll": 1, "rule": 2}


def test_dice_say_which_rule_is_meant() -> None:
    place = Place(rolled("1d6", [1, 2, 5], times=3, target="4+", rerolls=[ONES, HATRED]), "alice")
    with pytest.raises(UsageError, match=r"--rule 1 \(Blessed\) or --rule 2 \(Hatred\)"):
        t9a.reroll(place)
    assert t9a.reroll(place, dice="2") == {"roll": 1, "rule": 2, "dice": [2]}


def test_a_rule_that_cannot_be_applied_is_left_to_the_rules() -> None:
    session = rolled("1d6", [5], target="4+", rerolls=[HATRED])
    assert t9a.reroll(Place(session, "alice")) == {"roll": 1, "rule": 1}
    with pytest.raises(UsageError, match="declare it first"):
        t9a.reroll(Place(rolled("1d6", [5]), "alice"))


# --- wrong input ---------------------------------------------------------------------------------------------------

WRONG: list[tuple[str, str]] = [
    ("roll {}", "say which dice: 2d6"),
    ("roll {} 2d6", "--for 'Charge range'"),
    ("roll {} 2d6 --for ''", "--for 'Charge range'"),
    ("roll {} foo --for x", "'foo' are no dice of The 9th Age"),
    ("roll {} d6+99999999999999 --for x", "are no dice of The 9th Age"),
    ("roll {} direction+1 --for x", "are no dice of The 9th Age"),
    ("roll {} d20 --for x", "(rule T1.1)"),
    ("roll {} 3x2d6 --for x", "write 2d6 --times 3; to multiply, 2d6x3"),
    ("roll {} 10d6 --for x --target 4+", "10d6 is one sum, never below 10; for 10 throws of one die each add --each"),
    ("roll {} 10d6 --for x --target 4+ --add -1", "never below 9"),
    ("roll {} 2d6 --for x --target 9+ --always-hit 6", "2d6 is one sum; for 2 throws"),
    ("roll {} 2d6+1d6 --each --for x", "--each is for dice of one kind"),
    ("roll {} 2d6 --each --times 2 --for x", "--each is for dice of one kind"),
    ("roll {} 2d6 --times 1001 --for x", "times"),
    ("roll {} 2d6 --for x --target 4", "'4' is no target"),
    ("roll {} 2d6 --for x --target 8- --at-most 8", "not both"),
    ("roll {} d6 --for x --target 4+ --always-hit 7", "'7'"),
    ("roll {} d6 --for x --target 4+ --always-miss ''", "1 to 6"),
    ("roll {} d6 --for x --always-hit 6", "(rule T3.2)"),
    ("roll {} d6 --for x --add foo", "not 'foo'"),
    ("roll {} d6 --for x --add 0", "changes nothing"),
    ("roll {} d6 --for x --add x1", "2 or more"),
    ("roll {} d6 --for x --multiply -2", "not '-2'"),
    ("roll {} d6 --for x --multiply 2=A --add 1=B", "in which order"),
    ("roll {} d6 --for x --maximised ''", "--maximised takes the rule"),
    ("roll {} d6 --for x --reroll failed", "failed=Hatred"),
    ("roll {} d6 --for x --reroll failed=", "failed=Hatred"),
    ("roll {} d6 --for x --may-reroll 7s=A", "not '7s=A'"),
    ("roll {} d6 --for x --reroll any:0=A", "not 'any:0=A'"),
    ("roll {} d6 --for x --reroll failed=A", "(rule T4.2)"),
    ("roll {} d6 --for x --pick 1", "--pick is for one reroll rule"),
    ("roll {} d6 --for x --reroll any=A --reroll 1s=B --pick 1", "--pick is for one reroll rule"),
    ("roll {} d6 --for x --reroll any:2=A --pick 1", "--pick is for one reroll rule"),
    ("roll {} direction --for x --target 4+", "(rule T7.3)"),
    ("roll {} d6 --for x --zero north", "(rule T7.3)"),
    ("roll {} d6 --for x --row 1=a", "--row means nothing"),
    ("roll {} d6 --for x --body '{{}}'", "put dice and source into it"),
    ("reroll {}", "no roll is open"),
    ("reroll {} 5", "(rule T1.4)"),
    ("reroll {} 5 --dice ''", "leave it out for all dice"),
    ("modify {} 5", "give one modifier"),
    ("modify {} 5 --add 1=A --add 2=B", "give one modifier"),
    ("modify {} 5 --add 1", "--add 1='Name of the rule'"),
    ("modify {} 5 --effect 1 --apply", "means nothing"),
    ("resolve {} 5 --total abc", "not 'abc'"),
    ("resolve {} 5 --total ''", "one number a throw"),
    ("declare reroll {} 5", "give one reroll rule"),
    ("declare reroll {} 5 --must-reroll any=A --may-reroll 1s=B", "give one reroll rule"),
    ("declare effect {} --source x --reroll", "t9a-2022"),
    ("ignore {} 1", "t9a-2022 has no ignore"),
    ("store {}", "t9a-2022 has no store"),
]


def test_wrong_input_is_refused_in_one_sentence_and_nothing_is_written(cli: Cli) -> None:
    before = cli.value("log", GAME)
    for line, sentence in WRONG:
        assert sentence in cli.refused(*shlex.split(line.format(GAME)), "--as", "alice"), line
    assert cli.value("log", GAME) == before


def test_a_new_game_has_no_options_of_others(cli: Cli) -> None:
    given = ("--keeper", "host", "--player", "alice", "--system", "t9a", "--planechase")
    assert "--planechase" in cli.refused("new", *given)


# --- a turn --------------------------------------------------------------------------------------------------------


def next_line(said: str) -> str:
    """The command that an answer ends with."""
    return said.splitlines()[-1].strip()


def finish(cli: Cli, player: str, *line: str) -> Any:
    """Roll, do what the answers say is to be done, announce what came of it; returns the roll."""
    said = cli.ok("roll", GAME, *line, "--as", player)
    while f"{player} goes on (reroll)" in said:
        said = cli.ok(*shlex.split(next_line(said))[1:])
    assert next_line(said).startswith("rollproof resolve ")
    roll = cli.value("state", GAME)["rolls"][-1]
    throws = roll["throws"]
    claims = {
        "--total": [throw["total"] for throw in throws if throw["total"] is not None],
        "--direction": [throw["degrees"] for throw in throws if throw["degrees"] is not None],
        "--face": [throw["face"] for throw in throws if throw["face"] is not None],
        "--successes": [] if roll["successes"] is None else [roll["successes"]],
    }
    given = [part for option, told in claims.items() if told for part in (option, ",".join(map(str, told)))]
    assert "[resolved]" in cli.ok("resolve", GAME, *given, "--as", player)
    return cli.value("state", GAME)["rolls"][-1]


def test_a_turn(cli: Cli, tmp_path: Path) -> None:
    charge = ("2d6", "--for", "Charge range", "--maximised", "Swiftstride", "--add", "5=Advance Rate")
    roll = finish(cli, "alice", *charge, "--target", "11+")
    assert (len(roll["dice"]), len(roll["throws"][0]["dropped"])) == (3, 1)
    hits = ("10d6", "--each", "--for", "To hit", "--target", "4+", "--always-hit", "6", "--always-miss", "1")
    roll = finish(cli, "alice", *hits, "--reroll", "failed=Hatred")
    assert all(len(die["naturals"]) == 2 or die["result"] > 3 for die in roll["dice"])
    save = ("4d6", "--each", "--for", "Armour Save", "--target", "4+", "--add", "-1=Armour Penetration 1")
    finish(cli, "bob", *save, "--reroll", "1s=Blessed")
    finish(cli, "alice", "d3", "--times", "2", "--for", "Multiple Wounds")
    finish(cli, "bob", "2d6", "--for", "Panic Test", "--minimised", "Steady", "--at-most", "7")
    finish(cli, "bob", "direction", "--for", "Direction of flight")
    roll = finish(cli, "bob", "direction-d6", "--times", "3", "--for", "Stray shot", "--zero", "north")
    assert (roll["status"], roll["zero"], len(roll["dice"])) == ("resolved", "north", 6)
    players = cli.ok("state", GAME)
    assert "rolls finished" in players
    out = tmp_path / "battle.jsonl"
    cli.ok("export", GAME, "--out", out)
    assert "HOLDS" in cli.ok("verify", out)


def test_what_the_other_army_brings(cli: Cli) -> None:
    cli.ok("roll", GAME, "6d6", "--each", "--for", "To hit", "--target", "2+", "--as", "alice")
    said = cli.ok("modify", GAME, "--add", "-1=Curse", "--as", "bob")
    assert "modifiers, in this order: -1 Curse (by bob, after the dice were shown)" in said
    said = cli.ok("declare", "reroll", GAME, "--must-reroll", "any=Distracting", "--as", "bob")
    assert "reroll 1, Distracting: must reroll any: dice 1 (" in said
    assert "orders a reroll" in cli.refused("resolve", GAME, "--as", "alice")
    assert "alice made roll" in cli.refused("reroll", GAME, "--as", "bob")
    assert "must reroll any: no die now" in cli.ok("reroll", GAME, "--as", "alice")
    cli.ok("resolve", GAME, "--as", "alice")
    log = " ".join(cli.ok("log", GAME).split())
    assert "6 times 1d6 for To hit, 2+ succeeds" in log
    assert "-1 Curse" in log
    assert "must reroll any (Distracting)" in log
    explained = cli.ok("explain", GAME, "7")
    assert "T2.1" in explained
    assert "Curse bears on the roll (bob brought it when the dice had been shown)" in explained


def test_a_roll_is_rerolled_whole_or_not(cli: Cli) -> None:
    cli.ok("roll", GAME, "2d6", "--for", "Charge range", "--may-reroll", "throw=Horn", "--as", "alice")
    assert "rerolls all dice of a throw together" in cli.refused("reroll", GAME, "--dice", "1", "--as", "alice")
    assert "may reroll the whole throw: no die now" in cli.ok("reroll", GAME, "--as", "alice")
    cli.ok("resolve", GAME, "--as", "alice")


def test_on_a_narrow_terminal_no_line_is_cut(cli: Cli) -> None:
    cli.ok(
        "roll", GAME, "10d6", "--each", "--for", "To hit", "--target", "7+", "--may-reroll", "any=Luck", "--as", "bob"
    )
    code, shown = on_terminal("state", GAME, "--no-color", env={"ROLLPROOF_HOME": str(cli.home)})
    words = " ".join(shown.split())
    assert code == 0
    assert all(len(line) <= 60 for line in shown.splitlines() if "rollproof " not in line)
    assert "reroll 1, Luck: may reroll any: dice 1 (" in words


# --- words ---------------------------------------------------------------------------------------------------------


def test_a_whole_throw_is_told_together() -> None:
    horn = {"source": "Horn", "which": "throw", "may": True}
    assert notes(rolled("2d6", [1, 6], rerolls=[horn])) == [
        "reroll 1, Horn: may reroll the whole throw: dice 1 (1) and 2 (6) together"
    ]


def test_extra_dice_are_told() -> None:
    more, fewer = ["Swiftstride"], ["Slow", "Mud"]
    assert notes(rolled("2d6", [1, 2, 3], maximised=more)) == [
        "Maximised (Swiftstride): one more die, the lowest dropped"
    ]
    assert notes(rolled("1d6", [1, 2, 3] * 2, minimised=fewer, times=2)) == [
        "Minimised (Slow, Mud): 2 more dice, the 2 highest dropped in each throw"
    ]
    assert notes(rolled("2d6", [1, 2, 3], maximised=more, minimised=fewer)) == [
        "Maximised (Swiftstride) and Minimised (Slow, Mud) left after cancelling: one more die, the highest dropped"
    ]
    assert notes(rolled("2d6", [1, 2], maximised=more, minimised=more)) == [
        "Maximised (Swiftstride) and Minimised (Swiftstride) cancel each other: no die is added"
    ]


def test_directions_are_told() -> None:
    assert notes(rolled("direction", [90])) == [
        "0° is straight away from alice's table edge; degrees go clockwise, seen from above"
    ]
    assert notes(rolled("direction-d6", [2, 90, 6, 270], times=2, zero="north")) == [
        "0° is north; degrees go clockwise, seen from above",
        "throw 1: the D6 shows 2; the arrow is the side with the single dot",
        "throw 2: the D6 shows 6; the arrow is the central dot of the 5",
    ]


def test_modifiers_naturals_and_halves_are_told() -> None:
    modifiers = [{"source": "Rage", "multiply": 2}, {"source": "Curse", "add": -1}]
    always = {"success": [5, 6], "failure": [1]}
    assert notes(rolled("1d3", [5], modifiers=modifiers, target="4+", always=always)) == [
        "a D3 is half of what the D6 shows, rounded up",
        "modifiers, in this order: × 2 Rage, -1 Curse",
        "a natural 5 or 6 always succeeds, a natural 1 always fails",
    ]


def test_rerolls_are_told_with_the_dice_that_they_concern() -> None:
    pick = {**HATRED, "pick": 1}
    session = rolled("2d6", [1, 2, 5, 6, 1, 1], times=3, target="9+", rerolls=[pick, LUCK, ONES])
    assert notes(session) == [
        "reroll 1, Hatred: must reroll failed ones, 1 of them: dice 1 (1) and 2 (2) together; 5 (1) and 6 (1) together",
        "reroll 2, Luck: may reroll any, 1 at most: dice 1 (1), 2 (2), 3 (5), 4 (6), 5 (1), 6 (1)",
        "reroll 3, Blessed: must reroll natural 1s: dice 1 (1), 5 (1), 6 (1)",
    ]
    view = session.view()
    assert t9a.next_command("reroll", view, "9c31") == "rollproof reroll 9c31 --rule 1 --dice N"
    view = rolled("1d6", [3], target="2+", rerolls=[HATRED, {**LUCK, "pick": 3}]).view()
    assert t9a.next_command("reroll or resolve", view, "9c31") == (
        "rollproof reroll 9c31 --as alice, or rollproof resolve 9c31"
    )
    assert t9a.next_command("resolve", view, "9c31") == "rollproof resolve 9c31"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_state_reads_and_its_dice_are_those_of_the_rules(path: Path) -> None:
    session = run(read(path.read_bytes())).session
    view, (settled, opened) = session.view(), session.system.rolls(session.game)
    for seen, record in zip(view["rolls"], [*settled, *opened], strict=True):
        assert isinstance(record, Roll)
        for told, rule in zip(seen["rerolls"], record.rules, strict=True):
            assert t9a_words.pieces(seen, told) == [list(piece) for piece in pieces(record, rule)]
        assert all("{" not in note for note in t9a.roll_notes(seen))
    waits = session.waits_for()
    if waits is not None and waits.choice != "reveal":
        assert (t9a.next_command(waits.choice, view, "9c31") or "").startswith("rollproof re")
    assert [section.title for section in t9a.sections(view)] == ["Players"]
    assert t9a.due(view, "9c31") == []


# --- systems side by side ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", sorted({event for module in MODULES.values() for event in module.BODIES}))
def test_what_systems_call_by_one_name_is_one_option(event: str) -> None:
    types: dict[str, set[str]] = {}
    defaults: dict[str, set[str]] = {}
    of_all, *own = makers(event)
    for parameter in (p for maker in own for p in signature(maker).parameters.values() if p.kind is p.KEYWORD_ONLY):
        type_ = str(get_args(parameter.annotation)[0]).removeprefix("<class '").removesuffix("'>")
        types.setdefault(parameter.name, set()).add(type_.removesuffix(" | None"))
        if parameter.default is not parameter.empty:
            defaults.setdefault(parameter.name, set()).add(repr(parameter.default))
        info = get_args(signature(of_all).parameters[parameter.name].annotation)[1]
        words = get_args(parameter.annotation)[1].help.partition(": ")[2] or get_args(parameter.annotation)[1].help
        assert words.lower() in info.help.lower()
    assert all(len(found) == 1 for found in types.values()), types
    assert all(len(found) == 1 for found in defaults.values()), defaults
