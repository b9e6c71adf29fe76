"""Two players and a judge on machines of their own, and a server: games by command line alone."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from ledger.cli import run
from ledger.cli.play import Play
from ledger.keeper.calling_away import HEARD
from tests.server.machines import LIMIT, Machine, Running, machines, until
from tests.server.served import Server, roomy, serving
from tests.support.cli import on_terminal
from verifier import verify

Capture = pytest.CaptureFixture[str]
T = TypeVar("T")
SYSTEMS = {
    "dice": (
        "player",
        ["alice: roll GAME 4d6kh3 for Strength", "bob: roll GAME d20 + 5 vs 15", "alice: dice roll GAME d%"],
    ),
    "magic": (
        "player",
        [
            "alice: roll GAME 'd20 Contact Other Plane | 1–9: draw two cards | 10–19: draw three | 20: draw four'",
            "bob: roll GAME '2d20 Farideh: 10 or more draws a card'",
        ],
    ),
    "wh40k --fast-rolling": (
        "player",
        [
            "alice: wh40k declare unit GAME 'marines: Marines; 10 Marines M6 WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+'",
            "bob: wh40k declare unit GAME 'boyz: Boyz; 20 Boyz M5 WS3+ BS5+ S4 T4 W1 A2 Ld6 Sv6+'",
            "alice: wh40k declare phase GAME shooting",
            "alice: roll GAME 'marines: Bolt rifle at boyz, A2 S4 AP-1 D1'",
        ],
    ),
    "t9a": (
        "player",
        [
            "alice: roll GAME '30 to hit 3+'",
            "alice: roll GAME 'to wound 3+ of successes'",
            "bob: roll GAME 'armour 6+ of successes'",
        ],
    ),
    "doubledown": (
        "gm",
        [
            "alice: doubledown declare sheet GAME 'Ash; stats agility 3, wits 2; track 1 1 2 3; tags rogue 2'",
            "bob: doubledown declare confirm GAME --player alice",
            "bob: doubledown declare call GAME agility 10 for alice: Cross the bridge",
            "alice: roll GAME rogue",
        ],
    ),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with roomy(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Machine]]:
    with machines(tmp_path_factory.mktemp("homes"), "alice", "bob", "dana") as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize(
    "system", [pytest.param(name, marks=[] if name == "dice" else [pytest.mark.slow]) for name in SYSTEMS]
)
def test_a_game_is_played_closed_and_verified(
    server: Server, homes: list[Machine], tmp_path: Path, system: str
) -> None:
    alice, bob, dana = homes
    role, script = SYSTEMS[system]
    name, _, options = system.partition(" ")
    options += "" if name in ("dice", "doubledown") else " --if-gone on"
    opened = alice.value(
        f"{name} new {options} --at {server.address} --link judge --link {role} --title '{name}' --as alice"
    )
    table, links = opened["table"], opened["links"]
    watching = [
        bob.begin(f"join '{links[role]}' --as bob"),
        dana.begin(f"join '{links['judge']}' --as dana"),
    ]
    until(lambda: "dana" in watching[0].said or "dana" in watching[1].said)
    watching[0].says("Waiting for alice to start")
    watching[1].says("Waiting for alice to start")
    game = alice.value(f"start {table} --as alice")["game"]
    watching.append(alice.begin(f"watch {game} --as alice"))
    watching[2].says("opens by itself")
    for line in script:
        who, _, command = line.partition(": ")
        {"alice": alice, "bob": bob}[who](command.replace("GAME", game) + f" --as {who}")
    rolls = [event for event in _log(alice, game) if event["type"] == "roll"]
    reveals = [event for event in _log(alice, game) if event["type"] == "reveal"]
    assert len(rolls) == len(reveals) == sum(": roll " in line or " roll GAME " in line for line in script)
    dana(f"ruling {game} uphold --subject {rolls[-1]['seq']} --text 'I saw it' --as dana")
    alice(f"close {game} --as alice")
    for machine, running in zip((bob, dana, alice), watching, strict=True):
        running.says("the game is over")
        assert running.process.wait(LIMIT) == 0, running.said
        log = tmp_path / f"{machine.home.name}.jsonl"
        machine(f"export {game} --out {log}")
        report, _replay = verify(log.read_bytes(), name=log.name, receipts={})
        assert report.verdict == "holds"
        assert machine(f"verify {game}")
    logs = {path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    assert len(logs) == 1


def _log(machine: Machine, game: str) -> list[dict[str, object]]:
    events: list[dict[str, object]] = machine.value(f"log {game}")["events"]
    return events


@pytest.mark.long
def test_from_nothing_to_a_d20_in_three_commands_each(server: Server, tmp_path: Path) -> None:
    """No identity, no folder: what is typed is all there is. Each further roll is one command by one person."""
    alice, bob = Machine(tmp_path / "alice"), Machine(tmp_path / "bob")
    try:
        told = alice(f"dice new --at {server.address} --as alice --title tavern")
        link = next(line.strip() for line in told.splitlines() if "#player." in line)
        playing = bob.begin(f"join '{link}' --as bob")
        playing.says("Waiting for alice")
        alice("start tavern --as alice")
        assert "d20 (" in alice("roll tavern d20 --as alice")
        playing.says("d20 (")
        assert "2d6 (" in alice("roll tavern 2d6 --as alice")
        alice.begin("watch tavern --as alice").says("opens by itself")
        at_once = [alice.begin("roll tavern 3d4 --as alice"), bob.begin("roll tavern 3d8 --as bob")]
        for running, told in zip(at_once, ("3d4 (", "3d8 ("), strict=True):
            running.says(told)
            assert running.process.wait(LIMIT) == 0, running.said
        playing.end()
        # A link is a secret: whoever has the folder could sit down with it, so nobody else reads it.
        for path in (tmp_path / "alice" / "remotes").rglob("*"):
            assert path.stat().st_mode & 0o077 == 0, path
    finally:
        alice.close()
        bob.close()


@pytest.mark.long
def test_who_rolls_a_moment_later_waits_for_the_other_roll(
    server: Server, homes: list[Machine], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Bob's program saw a game in which no roll waits; before it checks and before it signs alice asks for one."""
    alice, bob, _dana = homes
    game = _two_at_a_table(server, alice, bob, "moment")
    for name, value in bob.environment.items():
        monkeypatch.setenv(name, value)
    rolls, watching = ["d6", "d8", "d10"], list[Running]()

    def first_alice(play: Play) -> None:
        for running in watching:
            running.end()
        alice(f"roll {game} {rolls.pop(0)} --request-only --as alice", code=75)
        assert play.carrier is not None
        play.carrier.fetch()
        assert play.session.phase == "pending"
        watching.append(alice.begin(f"watch {game} --as alice"))  # opens, when it has started

    for name, moments in {"check": 2, "seat": 1}.items():
        monkeypatch.setattr(Play, name, _after(first_alice, getattr(Play, name), moments))
    assert run(["roll", game, "d12", "--as", "bob"]) == 0
    assert "d12 (" in capsys.readouterr().out
    assert rolls == []


@pytest.mark.slow
def test_who_rolls_while_somebody_is_gone_is_told_who(server: Server, homes: list[Machine]) -> None:
    alice, bob, _dana = homes
    game = _two_at_a_table(server, alice, bob, "gone")
    told = alice.result(f"roll {game} d4 --request-only --as alice")[1]
    off, away = f"void {game[:12]} --missing bob --as alice", f"away {game[:12]} --party bob --as alice"
    assert f"alice first calls the roll off:\n  rollproof {off}\n  rollproof {away}\n" in told
    assert "a roll waits for bob: then comes the next" in alice(f"roll {game} d6 --as alice", code=75)
    began = time.monotonic()
    alice(off)
    assert time.monotonic() - began < 15, "who calls it off has waited enough: not 20 seconds more"


def _two_at_a_table(server: Server, alice: Machine, bob: Machine, title: str) -> str:
    """A game that alice opened and bob joined, whose programs have both ended."""
    opened = alice.value(f"dice new --at {server.address} --title {title} --as alice")
    playing = bob.begin(f"join '{opened['links']['player']}' --as bob")
    playing.says("Waiting for alice")
    game: str = alice.value(f"start {opened['table']} --as alice")["game"]
    playing.says("opens by itself")
    playing.end()
    return game


def _after(first: Callable[[Play], None], method: Callable[..., T], times: int) -> Callable[..., T]:
    """The method; the first times, something comes first."""
    left = [None] * times

    def called(play: Play, *arguments: object) -> T:
        if left:
            left.pop()
            first(play)
        return method(play, *arguments)

    return called


@pytest.mark.slow
def test_while_the_server_is_away_what_is_here_is_shown_and_what_is_signed_is_kept(tmp_path: Path) -> None:
    server = Server(tmp_path / "server")
    alice = Machine(tmp_path / "alice")
    try:
        table = alice.value(f"dice new --at {server.address} --as alice --title tavern")["table"]
        game = alice.value(f"start {table} --as alice")["game"]
        assert "d20 (" in alice("roll tavern d20 --as alice")
        server.stop(signal.SIGKILL)
        for command in ("state tavern", "log tavern", "verify tavern", f"export tavern --out {tmp_path / 'log.jsonl'}"):
            code, out, err = alice.result(command)
            assert (code, "cannot be reached" in err, bool(out)) == (0, True, True), command
        watching = alice.begin("watch tavern --as alice")
        watching.says("cannot be reached")
        server = Server(tmp_path / "server", port=server.port)
        watching.says("is back")
        assert "d6 (" in alice("roll tavern d6 --as alice")
        watching.says("d6 (")
        assert watching.end() == 0
        assert alice.value(f"state {game}")["phase"] == "idle"
    finally:
        alice.close()
        server.stop(signal.SIGKILL)


@pytest.mark.long
def test_a_game_that_was_made_without_a_table(tmp_path: Path) -> None:
    """The keeper's own command line makes it, and the server keeps it: its parties read it by their keys."""
    with serving(tmp_path / "server") as server:
        alice = Machine(tmp_path / "alice", "alice")
        try:
            key = alice("identity show alice").strip()
            host = Machine(tmp_path / "server" / "home")
            host.environment |= {"ROLLPROOF_STATE": str(tmp_path / "server" / "state")}
            game = host.value(f"dice new --keeper keeper --player {key} --title ours")["game"]
            host.close()
            watching = alice.begin(f"watch {game} --at {server.address} --as alice")
            watching.says("opens by itself")
            alice(f"join {game} --as alice")
            assert "d20 (" in alice("roll ours d20 --as alice")
            watching.says("d20 (")
        finally:
            alice.close()


@pytest.mark.long
def test_links_and_tables_that_are_none(server: Server, tmp_path: Path) -> None:
    """One sentence, and nothing is made but the identity that was asked for."""
    eve = Machine(tmp_path / "eve", "eve")
    try:
        opened = eve.value(f"dice new --at {server.address} --as eve --title hers")
        link = opened["links"]["player"]
        for command, told in {
            f"join '{link[:-1]}' --as eve": "the link cannot be read",
            f"join '{link[:-2]}AA' --as eve": "there is no such table",
            f"join '{opened['links']['spectator']}' --as eve": "rollproof watch",
            "watch hers --as eve": "has not started",
            "start nothing --as eve": "there is no table",
            "start hers --with bob --as eve": "bob did not take a seat",
            f"dice new --at {server.address} --seat king --as eve": "no role king",
            f"dice new --at {server.address} --player bob --as eve": "nobody is named",
            f"dice new --at {server.address} --link gm --as eve": "",
            "dice new --at dice.example.org --as eve": "is no address of a server",
            "dice new --keeper eve --player eve --judge-after 5": "is for a table at a server",
            f"dice new --at {server.address} --contributors alice,bob --as eve": "keeper, the keeper, among them",
            "serve --judge keeper": "two identities",
        }.items():
            code, _, err = eve.result(command)
            assert told in err, (command, code, err)
            assert err.count("\n") == (1 if told else 0), err
            assert (code != 0) == bool(told)
    finally:
        eve.close()


@pytest.mark.long
def test_a_passphrase_is_asked_for_once(server: Server, tmp_path: Path) -> None:
    """At a terminal: one unlock a command, whatever it does."""
    home = {"ROLLPROOF_HOME": str(tmp_path / "zoe"), "LANGUAGE": "en"}
    secret = "zoe counts to twelve"
    asked = [("New passphrase for zoe", secret), ("Repeat for confirmation", secret)]
    code, shown = on_terminal(
        *("dice", "new", "--at", server.address, "--as", "zoe", "--title", "hers"), env=home, columns=200, answers=asked
    )
    assert (code, shown.count("assphrase")) == (0, 1), shown
    code, shown = on_terminal(
        "start", "hers", "--as", "zoe", env=home, columns=200, answers=[("Passphrase of zoe", secret)]
    )
    assert (code, shown.count("assphrase")) == (0, 1), shown
    code, shown = on_terminal(
        "roll", "hers", "d20", "--as", "zoe", env=home, columns=200, answers=[("Passphrase of zoe", secret)]
    )
    assert (code, shown.count("assphrase")) == (0, 1), shown


@pytest.mark.long
def test_where_two_play_against_each_other_they_are_asked_what_if_a_phone_dies(server: Server, tmp_path: Path) -> None:
    """Nothing is picked: at a terminal the program asks, elsewhere it says what to give, and what each lets whom do."""
    alice = Machine(tmp_path / "alice")
    try:
        opening = f"magic new --at {server.address} --as alice"
        for form in ("", " --json"):
            code, _, err = alice.result(f"{opening} --title none{form}")
            told = " ".join(err.split())
            assert (code, "phone dies" in told, "could call off a roll whose dice" in told) == (64, True, True)
            assert "--if-gone wait: wait for them" in err
        code, _, err = alice.result(f"{opening} --title both --if-gone wait --judge-after 5")
        assert (code, "--if-gone wait has no --judge-after" in err) == (64, True)
        assert "waited for 120 s" in alice(f"{opening} --title on --if-gone on")
        assert "waited for 9 s" in alice(f"{opening} --title nine --if-gone on --judge-after 9")
        assert "however long" in alice(f"{opening} --title wait --if-gone wait")
        code, shown = on_terminal(
            *("magic", "new", "--at", server.address, "--as", "alice", "--title", "asked"),
            env={name: value for name, value in alice.environment.items() if name.startswith("ROLLPROOF")},
            columns=400,
            answers=[("Which? Its number", "3"), ("Which? Its number", "2")],
        )
        assert (code, "If somebody's phone dies?" in shown, "however long" in shown) == (0, True, True), shown
    finally:
        alice.close()


@pytest.mark.slow
def test_a_player_whose_machine_dies_in_the_middle_of_a_roll(server: Server, tmp_path: Path) -> None:
    """The lobby says what comes then; the server's judge calls the roll off, and the others go on."""
    alice, bob = Machine(tmp_path / "alice"), Machine(tmp_path / "bob")
    try:
        lonely = alice(f"dice new --at {server.address} --as alice --title lonely --if-gone wait")
        assert "A roll waits for every contributor, however long" in lonely
        picked = alice(f"dice new --at {server.address} --as alice --title picked")
        assert "The server's judge calls off a roll that has waited for 120 s" in picked
        told = alice(f"dice new --at {server.address} --as alice --title tavern --judge-after 3 --others-away")
        assert "The server's judge calls off a roll" in told
        link = next(line.strip() for line in told.splitlines() if "#player." in line)
        playing = bob.begin(f"join '{link}' --as bob")
        playing.says("The server's judge calls off a roll that has waited for 3 s")
        playing.says("All others together can then sign away")
        playing.says("Waiting for alice")
        alice("start tavern --as alice")
        playing.says("opens by itself")
        assert "keeper runs the judge timer too" in playing.said
        playing.end(signal.SIGKILL)
        assert "d20 (no dice)" in alice("roll tavern d20 --as alice")
        until(lambda: alice.value("state tavern")["phase"] == "idle")
        assert [event["author"] for event in _log(alice, "tavern") if event["type"] == "void"] == ["timer"]
        time.sleep(HEARD)  # until then the server has just heard bob
        alice("away tavern --party bob --as alice")
        assert "(no dice)" not in alice("roll tavern d20 --as alice")
        again = bob.begin("watch tavern --as bob")
        again.says("opens by itself")
        bob("back tavern --as bob")
        assert "(no dice)" not in alice("roll tavern d6 --as alice")
        again.end()
        shown = {row["title"]: row["server"] for row in alice.value("games")}
        assert shown == {"tavern": server.address}, "the other has not begun"
        assert server.address in alice("games")
        assert "tavern" in alice(f"games {server.address}")
    finally:
        alice.close()
        bob.close()


@pytest.mark.slow
def test_who_is_not_there_is_told_before_a_roll_is_asked_for(server: Server, tmp_path: Path) -> None:
    """Of those for whom the roll would wait: with `roller` contributors nobody is."""
    alice, bob = Machine(tmp_path / "alice"), Machine(tmp_path / "bob")
    try:
        for title, options in (("waits", ""), ("goes", "--contributors roller")):
            table = f"dice new --at {server.address} {options} --as alice --title {title}"
            link = alice.value(table)["links"]["player"]
            joining = bob.begin(f"join '{link}' --no-watch --as bob")
            joining.says("Waiting for alice")
            alice(f"start {title} --as alice")
            assert joining.process.wait(60) == 0
        code, out, err = alice.result("roll goes d20 --as alice")
        assert (code, "(no dice)" in out, "is at the table" in err) == (0, False, False), (out, err)
        watching = bob.begin("watch waits --as bob")
        watching.says("opens by itself")
        code, out, err = alice.result("roll waits d20 --as alice")
        assert (code, "(no dice)" in out, "is at the table" in err) == (0, False, False), (out, err)
        watching.end(signal.SIGKILL)
        until(lambda: "no program of bob is at the table now: the roll waits for it" in _asked(alice))
    finally:
        alice.close()
        bob.close()


def _asked(machine: Machine) -> str:
    """What is told to who asks for dice, and calls it off then."""
    _, _, err = machine.result("roll waits d20 --request-only --as alice")
    machine.result("void waits --as alice")
    return err


@pytest.mark.slow
def test_a_host_takes_somebody_out_and_makes_a_new_link(server: Server, tmp_path: Path) -> None:
    """By command line. Whoever sits by the old link goes on; nobody else comes in by it, and mallory not at all."""
    alice, bob, eve, carol = (Machine(tmp_path / name) for name in ("alice", "bob", "mallory", "carol"))
    try:
        opened = alice.value(f"dice new --at {server.address} --as alice --title guests")
        table, old = opened["table"], opened["links"]["player"]
        watching = [machine.begin(f"join '{old}' --as {name}") for machine, name in ((bob, "bob"), (eve, "mallory"))]
        for running in watching:
            running.says("Waiting for alice to start")
        said = alice(f"unseat {table} mallory --as alice")
        assert "mallory has no seat at this table any more" in said
        assert "bob" in said
        assert "mallory" not in said.partition("\n")[2]
        assert "mallory has no seat at this table" in alice(f"unseat {table} mallory --as alice", code=64)
        assert "taken mallory out of this table" in eve(f"join '{old}' --as mallory", code=65)
        new = alice.value(f"link {table} --as alice")["link"]
        assert new != old
        assert "made a new link" in carol(f"join '{old}' --no-watch --as carol", code=65)
        assert "no link for the role gm" in alice(f"link {table} gm --as alice", code=64)
        assert "there is no role king" in alice(f"link {table} king --as alice", code=64)
        for command in (f"unseat {table} alice --as bob", f"link {table} --as bob"):
            assert bob.result(command)[0] != 0, "who is not the host does neither"
        coming = carol.begin(f"join '{new}' --as carol")
        coming.says("Waiting for alice to start")
        parties = alice.value(f"start {table} --as alice")
        for running in (watching[0], coming):
            running.says("opens by itself")
        game = parties["game"]
        assert "d20 (" in alice(f"roll {game} d20 --as alice")
        joined = {event["author"] for event in _log(alice, game) if event["type"] == "join"}
        assert joined == {"alice", "bob", "carol", "timer"}, "a server's judge sits down where the others go on"
        assert "has begun" in alice(f"unseat {table} bob --as alice", code=65)
    finally:
        for machine in (alice, bob, eve, carol):
            machine.close()
