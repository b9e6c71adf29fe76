"""A browser's seat: what it remembers, what it sends again, two tabs, another device, a thief (specs/page.md)."""

import json
import math
import re
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.served import Server, roomy, with_limits
from tests.web.browsers import NODE, Browsers, CoreError
from tests.web.cheat import Cheat
from tests.web.tables import JOINED, At
from verifier import verify

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.usefixtures("all_leave"),
    pytest.mark.long,
]

PASSPHRASE = "correct horse battery staple"
SHOWN = "s.game && s.game.rolls.length === {n} && s.game.rolls[{n} - 1].ended === 'reveal'"


@pytest.fixture
def at(server: Server, browsers: Browsers) -> At:
    return At(browsers, server.address)


def open_again(at: At, name: str, *, tab: str | None = None, **means: object) -> None:
    """The page is loaded, with what this browser has kept; `tab` is another one beside it."""
    at.here(tab or name, storage=name, **means)
    at("table", tab or name, link=at.link("judge" if name == "dana" else "player", name))


# --- killed between the record and the sending -----------------------------------------------------------------------


def test_an_opening_that_was_recorded_and_not_sent_is_sent_when_the_page_is_back_byte_for_byte(at: At) -> None:
    at("gate", "bob", paths=["POST .*/openings"])
    at.ask("alice")
    at.until("bob", "s.game.waiting && s.sending > 0")
    recorded = at("memory", "", storage=f"{at.prefix} bob")[0]["chains"][0]["opening"]
    assert recorded
    at("close", "bob")
    open_again(at, "bob")
    at.until("bob", SHOWN.format(n=1))
    assert at.openings("bob") == [recorded]
    at.close_and_verify()


def test_a_line_that_was_signed_and_not_sent_is_sent_when_the_page_is_back_byte_for_byte(at: At) -> None:
    at("gate", "bob", paths=["POST .*/lines"])
    at.begin("sign", "bob", type="roll", body={"dice": "2d6"})
    at.until("bob", "s.sending > 0")
    [line] = at("memory", "", storage=f"{at.prefix} bob")[0]["lines"]
    at("close", "bob")
    open_again(at, "bob")
    at.until("bob", SHOWN.format(n=1))
    assert [post.split(" ", 2)[2] for post in at("posts", "bob") if "/lines " in post] == [line]
    assert at("memory", "", storage=f"{at.prefix} bob")[0]["lines"] in ([], [line])
    at.close_and_verify()


def test_a_line_for_which_another_came_first_is_told_and_not_signed_anew(at: At) -> None:
    at("gate", "bob", paths=["POST .*/lines"])
    at.begin("sign", "bob", type="roll", body={"dice": "2d6"})
    at.until("bob", "s.sending > 0")
    at.roll("alice")  # bob opens for it
    at("close", "bob")
    open_again(at, "bob")
    state = at.until("bob", "s.warnings.length > 0")
    assert "could not be sent before something else came first" in state["warnings"][0]["message"]["text"]
    assert len(state["game"]["rolls"]) == 1


def test_the_join_is_signed_once_whatever_crashes(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address, agree=False)
    at.until("bob", "s.stage === 'agreeing'")
    at("gate", "bob", paths=["POST .*/lines"])
    at.begin("agree", "bob")
    for _ in range(100):
        memory = at("memory", "", storage=f"{at.prefix} bob")
        if memory and memory[0]["lines"]:
            break
        time.sleep(0.02)
    at("close", "bob")
    open_again(at, "bob")
    at.until("bob", "s.me.joined")
    at("agree", "bob")
    at("agree", "alice")
    at("agree", "dana")
    at.until("host", JOINED)
    joins = [post for post in at("posts", "bob") if '"type":"join"' in post]
    assert len(set(joins)) == 1
    assert memory[0]["lines"][0] in joins[0]


def test_a_page_that_is_loaded_shows_the_game_before_the_server_answers(at: At) -> None:
    at.roll("alice")
    at.until("bob", SHOWN.format(n=1))
    at("close", "bob")
    at.here("bob")
    at("gate", "bob", paths=["."])
    state = at("table", "bob", link=at.link("player", "bob"))
    assert (state["line"], state["game"]["rolls"][0]["ended"]) == ("connecting", "reveal")


# --- two tabs --------------------------------------------------------------------------------------------------------


def test_two_tabs_take_turns_and_the_second_follows_when_the_first_is_closed(at: At) -> None:
    open_again(at, "bob", tab="bob2")
    at.until("bob2", "s.game && s.line === 'live' && !s.leader")
    assert at.snapshot("bob")["leader"]
    for who, n in (("alice", 1), ("bob2", 2), ("bob", 3)):
        at.roll(who)
        for tab in ("bob", "bob2"):
            at.until(tab, SHOWN.format(n=n))
    sent = [*at.openings("bob"), *at.openings("bob2")]
    assert len(sent) == len(set(sent)) == 3
    at("close", "bob")
    at.until("bob2", "s.leader && s.line === 'live'")
    at.roll("alice")
    at.until("bob2", SHOWN.format(n=4))
    at("closeGame", "host")
    assert at.until("bob2", "s.stage === 'closed'")["warnings"] == []


def test_each_tab_knows_of_its_part_in_a_roll_without_the_servers_word(at: At) -> None:
    """Bob closes: he opens when alice's opening comes, and the server relays nothing of it."""
    open_again(at, "bob", tab="bob2")
    at.until("bob2", "s.game && s.line === 'live' && !s.leader")
    at("gate", "alice", paths=["POST .*/openings"])
    at("gate", "bob", paths=["POST .*/openings"])
    at.ask("bob")
    for tab in ("bob", "bob2"):
        at.until(tab, "s.game.waiting && s.game.waiting.mine === 'closer'")
    at("close", "alice")
    open_again(at, "alice")
    for tab in ("bob", "bob2"):
        at.until(tab, "s.game.waiting && s.game.waiting.mine === 'opened'")


def test_each_tab_knows_that_it_takes_no_part_in_a_roll(at: At) -> None:
    open_again(at, "bob", tab="bob2")
    at.until("bob2", "s.game && s.line === 'live' && !s.leader")
    at("gate", "alice", paths=["POST .*/openings"])
    at.ask("bob")
    at.until("bob2", "s.game.waiting && s.game.waiting.mine === 'closer'")
    at("decline", "bob2")
    for tab in ("bob", "bob2"):
        at.until(tab, "s.game.declined")


def test_two_tabs_that_sign_at_once_sign_each_their_own_and_one_is_asked_again(at: At) -> None:
    open_again(at, "bob", tab="bob2")
    at.until("bob2", "s.game && s.line === 'live'")
    both = [at.begin("sign", tab, type="roll", body={"dice": "d6"}) for tab in ("bob", "bob2")]
    failed = [error for each in both if (error := each.exception(30)) is not None]
    assert len(failed) < 2
    assert all(isinstance(error, CoreError) and error.name == "Changed" for error in failed)
    at.until("alice", "s.game.phase === 'idle' && s.game.rolls.length > 0")
    sent = [*at.openings("bob"), *at.openings("bob2")]
    assert len(sent) == len(set(sent))


# --- somebody else with the key, and histories that part -------------------------------------------------------------


def test_an_event_in_its_name_that_it_did_not_make_stops_the_seat_for_good(at: At) -> None:
    at.roll("bob")
    at("clone", "", storage=f"{at.prefix} bob", to=f"{at.prefix} thief")
    at.here("thief")
    at("table", "thief", link=at.link("player", "bob"))
    at.until("thief", "s.game && s.line === 'live'")
    at.sign("thief", "away", {"party": "bob"})
    state = at.until("bob", "s.me.stopped !== null")
    assert "somebody else has the key" in state["me"]["stopped"]["text"]
    with pytest.raises(CoreError) as stopped:
        at.sign("bob", "back", {"party": "bob"})
    assert stopped.value.name == "Stopped"
    at("close", "bob")
    open_again(at, "bob")
    assert at.until("bob", "s.me.stopped !== null")


def forked(server: Server, root: Path) -> Server:
    """A second server of the same keeper, which goes on from what the first one had."""
    for folder in ("home", "state"):
        shutil.copytree(server.root / folder, root / folder)
    return Server(root, *with_limits(root))


@pytest.mark.parametrize("kept", [True, False], ids=["lines kept", "lines lost"])
def test_no_link_is_opened_for_a_second_request_where_the_keeper_forks_the_game(
    browsers: Browsers, tmp_path: Path, kept: bool
) -> None:
    with roomy(tmp_path) as server:
        cheat = Cheat(server.address)
        at = At(browsers, server.address, via={"bob": cheat.address})
        at.roll("alice")
        at.until("bob", SHOWN.format(n=1) + " && s.game.checkpoint.size === s.game.size")
        at("clone", "", storage=f"{at.prefix} alice", to=f"{at.prefix} mallory")
        other = forked(server, tmp_path / "fork")
        try:
            # In the history that bob sees first his link 2 goes to alice's request for a d20.
            at("gate", "alice", paths=["POST .*/openings"])
            at.ask("alice", "d20")
            at.until("bob", "s.game.waiting && s.game.waiting.mine === 'opened'")
            assert len(at.openings("bob")) == 2
            at("close", "bob")
            # In the other one alice, who is with the server, asks for a d6.
            at.via["mallory"] = other.address
            at.here("mallory")
            at("table", "mallory", link=at.link("player", "mallory"))
            at.until("mallory", "s.game && s.line === 'live'")
            at.begin("sign", "mallory", type="roll", body={"dice": "d6"})
            at.until("mallory", "s.game.phase === 'pending'")
            cheat.upstream = other.address
            if not kept:
                at("forgetLines", "", storage=f"{at.prefix} bob")
            open_again(at, "bob")
            state = at.until("bob", "s.trouble !== null")
            told = json.dumps(state["trouble"]["message"])
            assert "forked" in told or "signed in it for other lines" in told
            assert at.openings("bob") == []
            # It stays so.
            at("close", "bob")
            cheat.upstream = server.address
            open_again(at, "bob")
            assert at.until("bob", "s.trouble !== null")
            assert at.openings("bob") == []
        finally:
            other.stop(signal.SIGKILL)
            cheat.close()


def test_a_server_that_was_put_back_gets_what_it_lacks(browsers: Browsers, tmp_path: Path) -> None:
    with roomy(tmp_path) as server:
        at = At(browsers, server.address)
        at.roll("alice")
        server.stop()
        shutil.copytree(tmp_path / "home", tmp_path / "backup")
        again = server.again()
        at.roll("bob")
        for who in at.names:
            at.until(who, SHOWN.format(n=2) + " && s.game.checkpoint.size === s.game.size")
        again.stop()
        shutil.rmtree(tmp_path / "home")
        shutil.copytree(tmp_path / "backup", tmp_path / "home")
        last = server.again()
        try:
            for who in at.names:
                at.until(who, "s.line === 'live'")
            at.roll("alice")
            at.until("bob", SHOWN.format(n=3))
            at.close_and_verify()
        finally:
            last.stop(signal.SIGKILL)


# --- rolls that are called off ---------------------------------------------------------------------------------------


def test_a_roll_is_called_off_by_who_closes_it_and_asked_for_again(at: At) -> None:
    at("gate", "bob", paths=["POST .*/openings"])
    at.ask("alice")
    at.until("alice", "s.game.waiting && s.game.waiting.awaited.length === 2 && s.game.waiting.mine === 'closer'")
    at("void", "alice", missing=["bob"])
    (owed,) = at.until("alice", "s.game.phase === 'idle'")["game"]["owed"]
    assert (owed["party"], owed["type"]) == ("alice", "roll")
    at("close", "bob")
    open_again(at, "bob")
    told = at.until("bob", "s.game.phase === 'idle' && s.warnings.length > 0")["warnings"]
    assert "did not open for this roll" in told[0]["message"]["text"]  # it had opened, and the opening did not leave
    at("told", "bob", ids=[each["id"] for each in told])
    assert at.roll("alice")
    assert at.until("bob", SHOWN.format(n=2))["game"]["owed"] == []
    at.close_and_verify()


def test_who_has_declined_opens_no_more_and_a_judge_voids(at: At) -> None:
    at("gate", "bob", paths=["POST .*/openings"])
    at.ask("alice")
    at.until("alice", "s.game.waiting && s.game.waiting.mine === 'closer'")
    at("decline", "alice")
    at("close", "bob")
    open_again(at, "bob")
    at.until("alice", "s.game.waiting.opened.includes('bob')")
    at("wake", "alice")
    assert at.snapshot("alice")["game"]["declined"]
    with pytest.raises(CoreError, match="opens last"):
        at("void", "dana", missing=["keeper"])
    at("void", "dana", missing=["alice"])
    at.until("alice", "s.game.phase === 'idle'")
    assert at.openings("alice") == []
    assert at.snapshot("alice")["warnings"] == []
    at.roll("alice")
    at.close_and_verify()


def test_who_has_opened_calls_nothing_off(at: At) -> None:
    at("gate", "bob", paths=["POST .*/openings"])
    at.ask("alice")
    at.until("bob", "s.game.waiting && s.game.waiting.mine === 'opened'")
    for who, what in (("bob", "void"), ("bob", "decline")):
        with pytest.raises(CoreError):
            at(what, who, missing=[])
    assert at.snapshot("alice")["game"]["phase"] == "pending"


# --- chains, clocks, another device ----------------------------------------------------------------------------------


def test_a_chain_that_is_spent_is_followed_by_another_and_who_rolls_meanwhile_waits_for_it(
    server: Server, browsers: Browsers
) -> None:
    at = At(browsers, server.address, links=3)
    for who in ("alice", "bob", "alice", "alice", "alice", "bob", "alice"):
        at.roll(who)
    commits = [event["author"] for event in at("events", "host") if event["type"] == "commit"]
    assert commits.count("alice") >= 3
    at.close_and_verify()


def test_a_log_that_is_dated_ahead_is_not_signed_upon_until_the_clock_is_right(at: At) -> None:
    at("clock", "bob", ahead=-600_000)
    at.ask("alice")
    state = at.until("bob", "s.warnings.some(w => w.id === 'clock')")
    assert "the clock here says" in state["warnings"][0]["message"]["text"]
    assert at.openings("bob") == []
    at("clock", "bob", ahead=0)
    at("wake", "bob")
    at.until("bob", SHOWN.format(n=1))
    assert at.until("bob", "s.warnings.length === 0")


def test_a_seat_moves_to_another_device_commits_anew_and_has_stopped_where_it_was(
    server: Server, browsers: Browsers
) -> None:
    at = At(browsers, server.address, passphrases={"bob": PASSPHRASE})
    at.roll("alice")
    assert at.snapshot("bob")["me"]["movable"]
    file = at("move", "bob")
    assert at.snapshot("bob")["me"]["moved"]
    with pytest.raises(CoreError):
        at.roll("bob")
    assert json.loads(at("move", "bob"))["key"] == json.loads(file)["key"]  # asked again, the same seat
    at.here("phone")
    with pytest.raises(CoreError) as wrong:
        at("take", "phone", file=file, passphrase="another")
    assert wrong.value.code == "moved.passphrase"
    at("take", "phone", file=file, passphrase=PASSPHRASE)
    with pytest.raises(CoreError) as twice:
        at("take", "phone", file=file, passphrase=PASSPHRASE)
    assert twice.value.code == "moved.twice"
    at("table", "phone", link=at.link("player", "bob"))
    at.until("phone", "s.game && s.game.events !== 0 && s.line === 'live' && s.sending === 0")
    for _ in range(200):
        commits = [event["author"] for event in at("events", "phone") if event["type"] == "commit"]
        if commits.count("bob") == 2:
            break
        time.sleep(0.05)
    assert commits.count("bob") == 2
    at.roll("phone")
    at.until("phone", SHOWN.format(n=2))
    assert at.openings("bob") == [at.openings("bob")[0]]
    # And back.
    back = at("move", "phone")
    at("take", "bob", file=back, passphrase=PASSPHRASE)
    report, _ = verify(at("save", "host")["bytes"].encode())
    assert report.verdict == "holds"


def test_no_other_tab_signs_for_a_seat_that_was_moved_away(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address, passphrases={"bob": PASSPHRASE})
    at.here("tab", storage="bob")
    at("table", "tab", link=at.link("player", "bob"))
    at.until("tab", "s.stage === 'playing' && s.me.joined")
    at("move", "bob")
    with pytest.raises(CoreError) as stopped:
        at.sign("tab", "roll", {"dice": "d20"})
    assert stopped.value.name == "Stopped"


def test_nothing_secret_stands_in_a_snapshot_or_in_what_is_kept(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address, passphrases={"bob": PASSPHRASE})
    at.roll("bob")
    kept = at("memory", "", storage=f"{at.prefix} bob")
    shown = json.dumps([at.snapshot("bob"), kept])
    for secret in (at.links["player"].rpartition(".")[2], PASSPHRASE, '"secret"'):
        assert secret not in shown


def test_a_deleted_table_is_told(at: At) -> None:
    at("deleteTable", "host")
    assert at.until("bob", "s.stage === 'deleted'")
    assert at("tables", "bob")[0]["title"] == "Tavern"


def test_who_loses_a_race_signs_anew_by_itself_as_long_as_that_is_offered(at: At) -> None:
    for who in ("alice", "bob"):
        at.until(who, "s.advice !== null")
    both = [at.begin("sign", who, type="roll", body={"dice": "d6"}) for who in ("alice", "bob")]
    seqs = [each.result(60)["seq"] for each in both]
    assert len(set(seqs)) == 2
    at.until("host", SHOWN.format(n=2))
    at.close_and_verify()


@pytest.mark.parametrize("before", [True, False])
def test_what_cannot_be_signed_soon_is_not_signed_later(at: At, before: bool) -> None:
    """The roll before it waits for bob, whose line was cut; it was prepared before that roll, or while it waits."""
    at("gate", "bob", paths=["POST .*/openings"])
    prepared = at("prepare", "bob", type="roll", body={"dice": "d6"})
    at.ask("alice")
    size = at.until("bob", "s.game.waiting && s.line === 'live'")["game"]["size"]
    if not before:
        prepared = at("prepare", "bob", type="roll", body={"dice": "d6"})
    with pytest.raises(CoreError) as told:
        at("signPrepared", "bob", prepared=prepared)
    assert (told.value.name, "is not over" in str(told.value)) == ("Refused", True)
    at("close", "bob")
    open_again(at, "bob")
    assert at.until("bob", SHOWN.format(n=1))["game"]["size"] == size + 1
    assert not [post for post in at("posts", "bob") if "/lines " in post]


def test_what_is_prepared_while_a_roll_waits_is_signed_when_that_is_over(at: At) -> None:
    at.until("bob", "s.advice !== null")
    at("gate", "alice", paths=["POST .*/openings"])
    at.ask("alice")
    at.until("bob", "s.game.waiting && s.line === 'live'")
    signing = at.begin("sign", "bob", type="roll", body={"dice": "d6"})
    at("close", "alice")
    open_again(at, "alice")
    seq = signing.result(30)["seq"]
    at.until("bob", SHOWN.format(n=2))
    assert [event["seq"] for event in at("events", "bob") if event["type"] == "roll"][1] == seq


# --- statements that agree -------------------------------------------------------------------------------------------


def test_a_judge_who_gave_a_receipt_for_an_opening_does_not_name_its_author(at: At) -> None:
    """Not after the page was loaded anew either."""
    at("gate", "alice", paths=["POST .*/openings"])
    at.ask("alice")
    at.until("dana", "s.game.waiting && s.game.waiting.absent.join() === 'alice'")
    for _ in range(2):
        with pytest.raises(CoreError, match="gave a receipt for the opening of bob"):
            at("void", "dana", missing=["bob"])
        at("close", "dana")
        open_again(at, "dana")
        at.until("dana", "s.game && s.game.waiting && s.game.waiting.absent.join() === 'alice'")
    at("void", "dana", missing=["alice"])
    at.until("host", "s.game.phase === 'idle'")
    at("gate", "alice", paths=[])


def test_a_judge_who_signed_a_void_gives_no_receipt_for_its_request(at: At) -> None:
    """Her void does not reach the server; bob's opening does, later."""
    at("gate", "bob", paths=["POST .*/openings"])
    at("gate", "dana", paths=["POST .*/lines"])
    at.ask("alice")
    at.until("dana", "s.game.waiting")
    at.begin("void", "dana", missing=["bob"])
    at.until("dana", "s.sending > 0")
    at("close", "bob")
    open_again(at, "bob")
    at.until("dana", "s.game.phase === 'idle'")
    assert not [post for post in at("posts", "dana") if "/received " in post]


# --- another line comes first ----------------------------------------------------------------------------------------

DECK = {"what": "deck", "deck": "tarot", "items": [{"item": "The Fool"}, {"item": "The Sun"}]}
ADVICE = re.compile(r"/(?:state|actions)\?")


class Silent(Cheat):
    """A server that lets some questions about the rules go unanswered."""

    lost: float = 0
    status = 503

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.request = self._request

    def _request(self, _: object, path: str, __: object) -> tuple[int, bytes] | None:
        if self.lost <= 0 or not ADVICE.search(path):
            return None
        self.lost -= 1
        return self.status, b'{"code":"not-found","detail":"There is nothing."}'


@pytest.fixture
def silent(server: Server) -> Iterator[Silent]:
    cheat = Silent(server.address)
    yield cheat
    cheat.close()


@pytest.mark.parametrize(("kind", "body"), [("roll", {"dice": "d6"}), ("declare", DECK)])
def test_a_line_on_which_no_rule_depends_hinders_nobody(
    server: Server, browsers: Browsers, silent: Silent, kind: str, body: dict[str, object]
) -> None:
    at = At(browsers, server.address, via={"bob": silent.address}, agree=False)
    for name in ("alice", "bob"):
        at.until(name, "s.stage === 'agreeing'")
        at("agree", name)
    at.until(
        "bob",
        "s.advice !== null && s.game.phase === 'idle' && s.game.parties.every(p => p.role === 'judge' || p.links > 0)",
    )
    silent.lost = math.inf
    prepared = at("prepare", "bob", type=kind, body=body)
    at("agree", "dana")
    at.until("bob", JOINED)
    assert at("signPrepared", "bob", prepared=prepared)["seq"] > prepared["event"]["seq"]


def test_a_lost_answer_about_the_rules_is_asked_for_again(server: Server, browsers: Browsers, silent: Silent) -> None:
    at = At(browsers, server.address, via={"bob": silent.address})
    at.until("bob", "s.advice !== null")
    prepared = at("prepare", "bob", type="roll", body={"dice": "d6"})
    at.roll("alice")
    at.until("bob", SHOWN.format(n=1))
    silent.lost = 4
    assert at("signPrepared", "bob", prepared=prepared)["seq"] > prepared["event"]["seq"]
    assert silent.lost <= 0


def test_a_server_without_advice_is_not_asked_again_and_again(
    server: Server, browsers: Browsers, silent: Silent
) -> None:
    at = At(browsers, server.address, via={"bob": silent.address})
    at.until("bob", "s.advice !== null")
    prepared = at("prepare", "bob", type="roll", body={"dice": "d6"})
    silent.lost, silent.status = 100, 404
    at.roll("alice")
    at.until("bob", SHOWN.format(n=1))
    with pytest.raises(CoreError) as told:
        at("signPrepared", "bob", prepared=prepared)
    assert told.value.name == "Changed"
    assert silent.lost > 80, silent.lost
