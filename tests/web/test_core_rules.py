"""The rules in a browser, as its core uses them: offers, typed lines, what is signed, advice that lies (specs/page.md).

The worker's driver runs in a process here; that it says the same in a browser is shown by `test_page_seat_rules.py`.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import SYSTEMS
from tests.server.served import Server
from tests.web.browsers import NODE, Browsers, CoreError
from tests.web.cheat import Cheat, Event, Keeper
from tests.web.tables import At
from tests.web.test_core import BEFORE, GRAMMARS, OPTIONS
from verifier import Replay, verify
from verifier.dice.derivation import draw, roll_seed

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.usefixtures("all_leave"),
    pytest.mark.long,
]

ROOT = Path(__file__).parents[2]
READY = "s.rules && s.rules.state === 'ready' && s.advice && s.advice.own && s.advice.size === s.game.size"
ADVICE = ("/state?", "/actions?", "/explain?", "/read")


def has_rules(at: At, *names: str, held: bool = False) -> None:
    """These browsers load the rules; held: they do not come yet."""
    for name in names:
        at("know", name, python=sys.executable, held=held)
    for name in () if held else names:
        at.until(name, READY)


def posted(cheat: Cheat) -> list[bytes]:
    """Lines that bob's browser has offered."""
    return [body for path, body in cheat.posts if path.endswith("/lines")]


def changed(part: str, change: Callable[[Any], None]) -> Callable[[str, bytes, dict[str, str]], bytes]:
    """Answers of a path are changed."""

    def answer(path: str, data: bytes, _: dict[str, str]) -> bytes:
        if part not in path:
            return data
        told = json.loads(data)
        change(told)
        return json.dumps(told).encode()

    return answer


@pytest.fixture
def at(server: Server, browsers: Browsers, cheat: Cheat) -> At:
    """A table at which bob's server can cheat."""
    return At(browsers, server.address, via={"bob": cheat.address})


def test_what_the_rules_refuse_is_not_signed(at: At, cheat: Cheat) -> None:
    at.until("bob", "s.advice !== null && s.advice.size === s.game.size")
    for body in ({"dice": "banana"}, {"dice": "d20", "call": 77}, {"banana": 1}):
        sent = len(posted(cheat))
        with pytest.raises(CoreError) as refused:
            at.sign("bob", "roll", body)
        assert len(posted(cheat)) == sent + 1  # without rules it leaves, and the server refuses it
    has_rules(at, "bob")
    for body in ({"dice": "banana"}, {"dice": "d20", "call": 77}, {"banana": 1}):
        sent = len(posted(cheat))
        with pytest.raises(CoreError) as refused:
            at.sign("bob", "roll", body)
        assert refused.value.code in ("rules.violation", "body.malformed")
        assert len(posted(cheat)) == sent
    at.roll("bob")


def test_who_has_the_rules_says_so_and_then_signs_nothing_without_them(
    server: Server, browsers: Browsers, cheat: Cheat
) -> None:
    at = At(browsers, server.address, via={"bob": cheat.address}, agree=False, times={"patience": 300})
    at("know", "bob", python=sys.executable)
    at.until("bob", "s.rules && s.rules.state === 'ready'")
    at.agree()
    joined = {each["author"]: each["body"] for each in at("events", "bob") if each["type"] == "join"}
    assert joined["bob"] == {"checks": "rules"}
    assert joined["alice"] == {}
    at.roll("bob")
    # Its browser is closed, and opened again without them.
    at.browsers("close", f"{at.prefix} bob")
    at.here("bob", times={"patience": 300})
    at("table", "bob", link=at.link("player", "bob"))
    assert at.until("bob", "s.me && s.me.joined && s.line === 'live'")["me"]["bound"]
    sent = len(posted(cheat))
    with pytest.raises(CoreError) as refused:
        at.sign("bob", "roll", {"dice": "d20"})
    assert refused.value.code == "rules.away"
    assert len(posted(cheat)) == sent
    at.roll("alice")  # what depends on no rule it does all the same
    has_rules(at, "bob")
    at.roll("bob")


def test_lines_that_the_rules_refuse_are_caught_before_they_are_part_of_the_log(
    at: At, cheat: Cheat, keeper: Keeper
) -> None:
    has_rules(at, "bob")
    cheat.event = other_dice(keeper)
    at.roll("alice")
    state = at.until("bob", "s.trouble !== null")
    assert "other dice than the request draws" in json.dumps(state["trouble"]["message"])
    assert [roll["ended"] for roll in state["game"]["rolls"]] == [None]
    here = next(file["bytes"] for file in state["trouble"]["files"] if file["name"] == "here.jsonl")
    assert verify(here.encode())[0].verdict == "holds"


def test_lines_that_the_rules_refuse_are_caught_when_the_rules_come(at: At, cheat: Cheat, keeper: Keeper) -> None:
    cheat.event = other_dice(keeper)
    at.roll("alice")
    at.until("bob", "s.game.rolls.some(each => each.fair)")
    at("know", "bob", python=sys.executable)
    state = at.until("bob", "s.trouble !== null")
    assert "breaks the rules of the game" in json.dumps(state["trouble"]["message"])
    with pytest.raises(CoreError) as refused:
        at.roll("bob")
    assert refused.value.name == "Cheated"


def other_dice(keeper: Keeper) -> Callable[[str, Event], list[Event]]:
    """The keeper shows a d6 where a d20 was asked for, from the same links. Chain, signatures and dice hold."""
    forged = False

    def event(_: str, came: Event) -> list[Event]:
        nonlocal forged
        name, identifier, data = came
        if name == "line" and json.loads(data)["type"] == "reveal":
            told = json.loads(data)
            links = [(each["author"], bytes.fromhex(each["link"])) for each in told["body"]["openings"]]
            seed = roll_seed(bytes.fromhex(told["game"]), told["body"]["roll_index"], links)
            told["body"] |= {"sides": [6], "naturals": list(draw(seed, (6,)))}
            forged = True
            return [(name, identifier, keeper.line(told))]
        return [] if forged and name == "checkpoint" else [came]

    return event


def test_a_server_is_not_asked_at_each_line_while_a_game_begins(
    server: Server, browsers: Browsers, cheat: Cheat
) -> None:
    asked: list[str] = []

    def counted(_: str, path: str, __: bytes) -> None:
        if "/state?" in path:
            asked.append(path)

    cheat.request = counted
    at = At(browsers, server.address, players=("alice", "bob", "carol", "dave"), via={"bob": cheat.address})
    state = at.until("bob", "s.game.phase === 'idle' && s.advice !== null && s.advice.size === s.game.size")
    assert state["game"]["size"] > 10
    assert len(asked) <= 3  # two, but for a machine on which two lines are more than a second apart


def test_a_game_whose_players_have_not_all_come_is_asked_about_all_the_same(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address, agree=False)
    at.until("alice", "s.stage === 'agreeing'")
    at("agree", "alice")
    state = at.until("alice", "s.game !== null && s.advice !== null && s.advice.size === s.game.size")
    assert [party["joined"] for party in state["game"]["parties"] if party["name"] == "bob"] == [False]


def test_with_rules_nobody_is_asked_for_advice(at: At, cheat: Cheat) -> None:
    has_rules(at, "bob", "alice")
    asked: list[str] = []

    def nothing(_: str, path: str, __: bytes) -> tuple[int, bytes] | None:
        if not any(part in path for part in ADVICE):
            return None
        asked.append(path)
        return 503, b""

    cheat.request = nothing
    [natural] = at.roll("bob")
    state = at.until("bob", f"{READY} && s.advice.state.rolls.length > 0")
    assert [die["naturals"] for die in state["advice"]["state"]["rolls"][-1]["dice"]] == [[natural]]
    assert "roll" in {action["type"] for action in state["advice"]["actions"]}
    read = at("read", "bob", request={"type": "roll", "line": "4d6kh3 for Strength"})
    assert read["body"] == {"dice": "4d6kh3", "source": "Strength"}
    with pytest.raises(CoreError) as refused:
        at("read", "bob", request={"type": "roll", "line": "d20+5 adv"})
    assert (refused.value.code, refused.value.lines) == ("notation", ["d20adv+5"])
    seq = state["advice"]["state"]["rolls"][-1]["roll"]
    assert at("explain", "bob", seq=seq)["reasons"]
    assert asked == []


LIES: dict[str, tuple[str, Callable[[Any], None]]] = {
    "a result": ("/state?", lambda told: told["rolls"][-1].update(text="20")),
    "a note": ("/state?", lambda told: told["rolls"][-1].update(notes=["bob loses"])),
    "whose turn": ("/state?", lambda told: told.update(waits={"choice": "something", "party": "bob"})),
    "no offers": ("/actions?", lambda told: told.update(actions=[])),
    "a word of an offer": ("/actions?", lambda told: told["actions"][0].update(label="Do nothing")),
    "a body of an offer": ("/actions?", lambda told: told["actions"][0].update(body={"dice": "1d4"})),
    "what was typed": ("/read", lambda told: told["body"].update(dice="1d20")),
    "an explanation": ("/explain?", lambda told: told["reasons"][0].update(text="bob loses")),
    "words of what was typed": ("/read", lambda told: told.update(words="3d20")),
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.slow
def test_advice_that_lies_is_told_when_the_rules_come_and_nothing_is_signed(at: At, cheat: Cheat, lie: str) -> None:
    at.roll("alice")
    part, change = LIES[lie]
    cheat.answer = changed(part, change)
    at("advise", "bob")
    at.until("bob", "s.advice && s.advice.size === s.game.size && !s.advice.own && s.game.phase === 'idle'")
    at("read", "bob", request={"type": "roll", "line": "2d20"})
    at("explain", "bob", seq=at.snapshot("bob")["game"]["rolls"][0]["seq"])
    at("advise", "bob")
    at.until("bob", "s.advice && s.advice.size === s.game.size")
    at("know", "bob", python=sys.executable)  # what was advised before counts too
    state = at.until("bob", "s.lies.length > 0")
    what = {"/state?": "state", "/actions?": "offers", "/read": "reading", "/explain?": "reasons"}[part]
    assert {each["what"] for each in state["lies"]} == {what}
    files = at("lies", "bob")
    assert all(json.loads(each["bytes"])["server"] != json.loads(each["bytes"])["rules"] for each in files)
    at.until("bob", READY)
    sent = len(posted(cheat))
    with pytest.raises(CoreError) as refused:
        at.roll("bob")
    assert (refused.value.code, len(posted(cheat))) == ("advice.lied", sent)
    at.roll("alice")  # its openings come all the same


def test_honest_advice_is_no_lie_and_a_worker_that_ends_is_begun_anew(at: At, cheat: Cheat) -> None:
    has_rules(at, "bob", held=True)
    for _ in range(3):
        at.roll("alice")
        at("read", "bob", request={"type": "roll", "line": "2d20"})
        at("explain", "bob", seq=at.snapshot("bob")["game"]["rolls"][0]["seq"])
    at("hold", "bob", held=False)
    assert at.until("bob", READY)["lies"] == []
    for _ in range(2):
        at("killEngine", "bob")
        at.roll("alice")
        at.roll("bob")
        state = at.until("bob", READY)
        assert (state["lies"], state["warnings"], state["trouble"]) == ([], [], None)
    at.roll("alice")
    at.until("bob", READY)
    follows = [each for each in at("asked", "bob") if each["do"] == "follow"]
    assert follows[-1]["at"] > 0  # a line costs itself, and not the log
    assert len(follows[-1]["lines"]) == 1


LATE = """
import { Rules } from '%s';
const events = Array.from({ length: 6 }, (_, at) => ({ line: `line ${at}`, leaf: `leaf ${at}` }));
const log = { events, size: 6, leaf: (at) => `leaf ${at}`, rules: null };
const life = { ended: false, changed() {} };
const sync = { trouble: null, check() {}, alone: (task) => task() };
const rules = new Rules({ log, life, sync }, () => 'en');
let here = 0;
let heard = false;
const engine = {
  ready: true,
  async ask(request) {
    if (request.do === 'advise') return { state: { size: here }, actions: [] };
    here = request.at + request.lines.length;
    if (!heard) rules.hear('state', 4, { rolls: 50 }, TOLD); // about fewer lines than the worker has just got
    heard = true;
    return { size: here, refused: null };
  },
};
rules.loaded = engine;
await rules.catchUp();
const { state, lies, files, size } = rules;
process.stdout.write(JSON.stringify({ state, lies, files: files.length, size }));
"""


@pytest.mark.parametrize(("told", "lies"), [("{ size: 4 }", []), ("{ size: 5 }", [{"what": "state", "size": 4}])])
def test_advice_that_comes_when_the_worker_is_past_its_lines_is_compared_all_the_same(
    told: str, lies: list[Any]
) -> None:
    script = LATE.replace("TOLD", told) % (ROOT / "ledger" / "web" / "core" / "rules.js").as_uri()
    done = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(done.stdout) == {"state": "ready", "lies": lies, "files": len(lies), "size": 6}


def test_advice_about_lines_that_are_not_here_is_not_shown(at: At, cheat: Cheat) -> None:
    at.roll("alice")
    at.until("bob", "s.advice && s.advice.size === s.game.size")
    lied = 0

    def lie(told: Any) -> None:
        nonlocal lied
        lied += 1
        told.update(size=10**9, rolls=[])

    cheat.answer = changed("/state?", lie)
    at("advise", "bob")
    at.roll("alice")
    end = time.monotonic() + 60
    while (state := at.snapshot("bob"))["advice"]["size"] <= state["game"]["size"] and time.monotonic() < end:
        if lied > 2:  # it asked again, and so took none of those before
            return
        at("advise", "bob")
        time.sleep(0.1)
    raise AssertionError(state["advice"]["size"], lied)


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_game_of_each_system_is_played_with_rules_in_each_browser(
    server: Server, browsers: Browsers, system: str
) -> None:
    gm = "gail" if system == "doubledown-1" else None
    at = At(browsers, server.address, system, options=OPTIONS.get(system), judge=None, gm=gm)
    has_rules(at, *at.names)
    for name, body in BEFORE.get(system, []):
        at.sign(name, "declare", body)
    types = at.play(Random(system), GRAMMARS[system], 6)
    assert "roll" in types
    for name in at.names:
        state = at.until(name, READY)
        assert state["lies"] == []
        replay = Replay()
        for line in at("save", name)["bytes"].encode().splitlines():
            replay.step(line)
        assert state["advice"]["size"] == replay.size
