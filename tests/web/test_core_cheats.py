"""A server that cheats a browser: each attack of specs/page.md, with the keeper's own key where that helps it."""

import json
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ledger.home import Home
from tests.server.machines import until
from tests.server.served import Server
from tests.web.browsers import NODE, Browsers, CoreError
from tests.web.cheat import Cheat, Event, Keeper
from tests.web.tables import At
from verifier import VerifierKey, verify
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.usefixtures("all_leave"),
    pytest.mark.long,
]

TROUBLE = "s.trouble !== null"


@pytest.fixture
def at(server: Server, browsers: Browsers, cheat: Cheat) -> At:
    """A table at which bob's server will cheat."""
    return At(browsers, server.address, via={"bob": cheat.address})


def lines_of(at: At, who: str = "alice") -> list[bytes]:
    found: list[bytes] = at("save", who)["bytes"].encode().splitlines()
    return found


def on_line(type: str, change: Callable[[dict[str, Any]], bytes | None]) -> Callable[[str, Event], list[Event]]:
    """Lines of a type are changed in streams; None: left out."""

    def event(_: str, event: Event) -> list[Event]:
        name, identifier, data = event
        if name != "line" or json.loads(data)["type"] != type:
            return [event]
        changed = change(json.loads(data))
        return [] if changed is None else [(name, identifier, changed)]

    return event


def assert_caught(at: At, who: str, *words: str) -> dict[str, Any]:
    """The browser has found it, keeps evidence, and sends nothing more."""
    state: dict[str, Any] = at.until(who, TROUBLE)
    message = json.dumps(state["trouble"]["message"])
    for word in words:
        assert word in message, message
    names = {file["name"] for file in state["trouble"]["files"]}
    assert "here.jsonl" in names
    here = next(file["bytes"] for file in state["trouble"]["files"] if file["name"] == "here.jsonl")
    report, _ = verify(here.encode())
    assert report.verdict == "holds"  # what it had taken before
    sent = len(at("posts", who))
    with pytest.raises(CoreError) as refused:
        at.roll(who)
    assert refused.value.name == "Cheated"
    assert len(at("posts", who)) == sent
    return state


# --- the log ---------------------------------------------------------------------------------------------------------


def test_changed_dice_are_caught(at: At, cheat: Cheat, keeper: Keeper) -> None:
    def other(event: dict[str, Any]) -> bytes:
        event["body"]["naturals"] = [event["body"]["naturals"][0] % 20 + 1]
        return keeper.line(event)

    cheat.event = on_line("reveal", other)
    at.roll("alice")
    assert_caught(at, "bob", "other dice than the reveal says")


def test_a_line_that_nobody_signed_is_caught_and_the_state_is_that_from_before(at: At, cheat: Cheat) -> None:
    def other(event: dict[str, Any]) -> bytes:
        event["body"]["dice"] = "2d20"
        return encode(event)

    cheat.event = on_line("roll", other)
    size = at.snapshot("bob")["game"]["size"]
    at.ask("alice")
    assert_caught(at, "bob", "signature of this event")
    state = at.snapshot("bob")
    assert (state["game"]["size"], state["game"]["phase"], state["game"]["rolls"]) == (size, "idle", [])


def test_an_opening_of_another_roll_in_a_reveal_is_caught(at: At, cheat: Cheat, keeper: Keeper) -> None:
    at.roll("alice")
    before = json.loads(lines_of(at)[-1])["body"]["openings"]

    def other(event: dict[str, Any]) -> bytes:
        event["body"]["openings"][2] = before[2]
        return keeper.line(event)

    cheat.event = on_line("reveal", other)
    at.roll("alice")
    assert_caught(at, "bob", "this roll takes link")


def test_another_event_with_a_number_that_was_seen_is_a_fork(at: At, cheat: Cheat, keeper: Keeper) -> None:
    at.roll("alice")
    at.until("bob", "s.game.phase === 'idle' && s.game.rolls.length === 1 && s.game.checkpoint.size === s.game.size")
    seen = lines_of(at)
    event = json.loads(seen[-1])
    forked = [*seen[:-1], keeper.line({**event, "time": event["time"][:-4] + "999Z"})]
    game = event["game"]

    def other(_: str, event: Event) -> list[Event]:
        note = keeper.checkpoint(game, forked)
        return [("line", str(len(forked) - 1), forked[-1]), ("checkpoint", "", note), event]

    cheat.event = other
    at.ask("alice")
    state = assert_caught(at, "bob", "was forked")
    assert "given.jsonl" in {file["name"] for file in state["trouble"]["files"]}


def test_a_checkpoint_of_other_lines_is_caught(at: At, cheat: Cheat, keeper: Keeper) -> None:
    lines = lines_of(at)

    def other(_: str, event: Event) -> list[Event]:
        if event[0] != "checkpoint":
            return [event]
        return [("checkpoint", "", keeper.checkpoint(json.loads(lines[1])["game"], [*lines[:-1], b"{}"]))]

    cheat.event = other
    at.ask("alice")
    state = assert_caught(at, "bob", "does not fit")
    assert "given.checkpoint" in {file["name"] for file in state["trouble"]["files"]}


def test_a_checkpoint_that_the_keeper_did_not_sign_is_caught(at: At, cheat: Cheat) -> None:
    def other(_: str, event: Event) -> list[Event]:
        if event[0] != "checkpoint":
            return [event]
        note = json.loads(event[2])["checkpoint"]
        return [("checkpoint", "", json.dumps({"checkpoint": note[:-8] + "AAAAAA=\n"}).encode())]

    cheat.event = other
    at.ask("alice")
    assert_caught(at, "bob", "does not fit")


def test_a_log_that_has_become_shorter_is_caught_and_nothing_is_signed_on_it(at: At, cheat: Cheat) -> None:
    at.roll("alice")
    at.until("bob", "s.game.phase === 'idle' && s.game.rolls.length === 1")
    short = 5

    def answer(path: str, data: bytes, headers: dict[str, str]) -> bytes:
        if "/log?" in path:
            headers["rollproof-size"] = str(short)
            headers.pop("Rollproof-Size", None)
            return b""
        return data

    cheat.answer = answer
    cheat.request = lambda method, path, _: (200, b"null") if method == "POST" and path.endswith("/catch-up") else None
    at("close", "bob")
    at.here("bob")
    at("table", "bob", link=at.link("player", "bob"))
    assert_caught(at, "bob", "refuses the missing ones")


def test_a_replayed_stream_changes_nothing(at: At, cheat: Cheat) -> None:
    sent: list[Event] = []

    def twice(_: str, event: Event) -> list[Event]:
        sent.append(event)
        return [event, event, *sent[-6:]]

    cheat.event = twice
    for _ in range(2):
        at.roll("alice")
    state = at.until("bob", "s.game.rolls.length === 2 && s.game.phase === 'idle'")
    assert state["trouble"] is None
    assert len(at.openings("bob")) == len(set(at.openings("bob"))) == 2


# --- event 0 ---------------------------------------------------------------------------------------------------------


def without_alice(event: dict[str, Any]) -> None:
    del event["body"]["parties"][1]


def with_another_key(event: dict[str, Any]) -> None:
    parties = event["body"]["parties"]
    parties[1]["key"] = verifier_key_of("alice", parties[3]["key"])


def verifier_key_of(name: str, key: str) -> str:
    """Another's public key under a name."""
    return str(VerifierKey(name, VerifierKey.parse(key).public_bytes))


def with_options(event: dict[str, Any]) -> None:
    event["body"]["options"] = {"max": 1}


def of_another_system(event: dict[str, Any]) -> None:
    event["body"]["system"] = "t9a-2022"


def at_another_time(event: dict[str, Any]) -> None:
    event["time"] = event["time"][:-4] + "999Z"


CHANGES = (without_alice, with_another_key, with_options, of_another_system)


@pytest.mark.parametrize(
    ("change", "told"), [*((change, told) for change in CHANGES for told in (True, False)), (at_another_time, False)]
)
def test_another_event_0_than_was_agreed_to_is_not_joined(
    server: Server,
    browsers: Browsers,
    cheat: Cheat,
    keeper: Keeper,
    change: Callable[[dict[str, Any]], None],
    told: bool,
) -> None:
    """`told`: the table's state names the game that has this event 0."""

    def other(line: bytes) -> bytes:
        event = json.loads(line)
        change(event)
        return keeper.line(event)

    def answer(path: str, data: bytes, _: dict[str, str]) -> bytes:
        if "/log?" not in path or not data:
            return data
        first, __, rest = data.partition(b"\n")
        return other(first) + b"\n" + rest

    def state(_: str, event: Event) -> list[Event]:
        table: dict[str, Any] = json.loads(event[2]) if event[0] == "table" else {}
        if not told or table.get("game") is None:
            return [event]
        real = table["game"]
        table["game"] = leaf_hash(other(first_line(server, real))).hex()
        cheat.instead[table["game"]] = real
        return [("table", "", msgspec.json.encode(table, order="sorted"))]

    cheat.answer, cheat.event = answer, state
    at = At(browsers, server.address, via={"bob": cheat.address}, agree=False)
    refused = at.until("bob", "s.stage === 'refused'")
    assert "another game than the one that was agreed to" in json.dumps(refused["problem"])
    assert [post for post in at("posts", "bob") if "/lines" in post] == []
    assert {"given.jsonl", "table.json"} <= {file["name"] for file in at("evidence", "bob")}


def first_line(server: Server, game: str) -> bytes:
    ledger = Home(server.root / "home", server.root / "state").ledger()
    try:
        return next(ledger.lines(bytes.fromhex(game), 0, 1))
    finally:
        ledger.close()


def test_a_table_that_nests_too_deep_is_no_answer_and_is_asked_for_again(
    server: Server, browsers: Browsers, cheat: Cheat
) -> None:
    told: list[Event] = []

    def deep(_: str, event: Event) -> list[Event]:
        if event[0] != "table" or len(told) > 1:
            return [event]
        told.append(event)
        return [("table", "", event[2].replace(b'"start":null', b'"start":' + b"[" * 100_000 + b"]" * 100_000))]

    cheat.event = deep
    at = At(browsers, server.address, via={"bob": cheat.address})
    assert len(told) == 2
    assert at.snapshot("bob")["problem"] is None


# --- openings --------------------------------------------------------------------------------------------------------


def test_nothing_is_opened_without_the_keepers_checkpoint_of_the_request(at: At, cheat: Cheat) -> None:
    held: list[Event] = []

    def without(_: str, event: Event) -> list[Event]:
        if event[0] != "checkpoint":
            return [event]
        held.append(event)
        return []

    cheat.event = without
    at.ask("alice")
    at.until("bob", "s.game.phase === 'pending'")
    at("wake", "bob")
    assert at.snapshot("alice")["game"]["waiting"]["awaited"] == ["bob", "alice"]
    assert at.openings("bob") == []


def test_who_closes_the_roll_opens_when_all_others_have(server: Server, browsers: Browsers, cheat: Cheat) -> None:
    at = At(browsers, server.address, via={"alice": cheat.address})
    held: list[Event] = []

    def without(_: str, event: Event) -> list[Event]:
        if event[0] == "opening":
            held.append(event)
            return []
        return [event]

    cheat.event = without
    at.ask("alice")
    at.until("bob", "s.game.waiting && s.game.waiting.opened.includes('bob')")
    at("wake", "alice")
    assert at.snapshot("alice")["game"]["waiting"]["mine"] == "closer"
    assert at.openings("alice") == []


def test_an_opening_that_does_not_hold_is_told_and_opens_nothing(
    server: Server, browsers: Browsers, cheat: Cheat
) -> None:
    at = At(browsers, server.address, via={"alice": cheat.address})
    at.roll("alice")
    before = json.loads(lines_of(at)[-1])["body"]["openings"][2]

    def other(_: str, event: Event) -> list[Event]:
        if event[0] != "opening":
            return [event]
        sent = json.loads(event[2])
        if sent["opening"]["author"] != "bob":
            return [event]
        return [("opening", "", encode({**sent, "opening": before}))]

    cheat.event = other
    at.ask("alice")
    state = at.until("alice", "s.warnings.length > 0")
    assert state["warnings"][0]["message"]["values"] == {"author": "bob", "code": "opening.signature"}
    assert len(at.openings("alice")) == 1
    at("told", "alice", ids=[state["warnings"][0]["id"]])
    assert at.until("alice", "s.warnings.length === 0")


def test_an_opening_that_is_kept_back_after_a_receipt_is_told(
    server: Server, browsers: Browsers, cheat: Cheat, keeper: Keeper
) -> None:
    at = At(browsers, server.address, via={"bob": cheat.address}, times={"handOn": 200})

    def keep_back(method: str, path: str, body: bytes) -> tuple[int, bytes] | None:
        if method != "POST" or not path.endswith("/openings"):
            return None
        return 201, msgspec.json.encode({"received": keeper.received(json.loads(body))}, order="sorted")

    cheat.request = keep_back
    at.ask("alice")
    state = at.until("bob", "s.warnings.length > 0")
    assert "does not pass the opening on" in state["warnings"][0]["message"]["text"]
    files = {file["name"]: file["bytes"] for file in state["warnings"][0]["files"]}
    assert set(files) == {"my.opening", "keeper.received"}
    assert files["my.opening"].strip() == at.openings("bob")[0]
    # Alice, who closes the roll, calls it off and names bob, who has the receipt that shows that he opened.
    at("void", "alice", missing=["bob"])
    told = at.until("bob", "s.warnings.some(w => w.message.text.includes('did not open'))")
    shown = next(each for each in told["warnings"] if "did not open" in each["message"]["text"])
    assert {file["name"] for file in shown["files"]} == {"my.opening", "1.received"}
    # And the keeper's disclose has no opening of bob's, though it gave him a receipt.
    left_out = "leaves your opening for this roll out"
    assert any(left_out in each["message"]["text"] for each in told["warnings"]) or at.until(
        "bob", f"s.warnings.some(w => w.message.text.includes('{left_out}'))"
    )


def test_an_opening_is_not_late_while_no_stream_stands(
    server: Server, browsers: Browsers, cheat: Cheat, keeper: Keeper
) -> None:
    """Each stream begins with all that waits, so the time begins anew with each; and no game ends by a `bye`."""
    at = At(browsers, server.address, via={"bob": cheat.address}, times={"handOn": 1_500})

    def keep_back(method: str, path: str, body: bytes) -> tuple[int, bytes] | None:
        if method != "POST" or not path.endswith("/openings"):
            return None
        return 201, msgspec.json.encode({"received": keeper.received(json.loads(body))}, order="sorted")

    def ended(_path: str, event: Event) -> list[Event]:
        return [event, ("bye", "", b'{"retry":null}')]

    cheat.request, cheat.event = keep_back, ended
    at.ask("alice")
    at.until("bob", "s.game.phase === 'pending'")
    time.sleep(3)  # twice as long as one stream would have
    assert at.snapshot("bob")["warnings"] == []
    cheat.event = None
    at.until("bob", "s.warnings.some(w => w.message.text.includes('does not pass the opening on'))")
    at("void", "alice", missing=["bob"])


def test_the_waits_begin_anew_with_a_stream_that_stands(server: Server, browsers: Browsers, cheat: Cheat) -> None:
    """A server that was away for long, and breaks off a stream once more, is asked again at once."""
    at = At(browsers, server.address, via={"bob": cheat.address}, times={"first": 20, "longest": 60_000})
    asked: list[float] = []
    away = 8

    def refuse(_method: str, path: str, _body: bytes) -> tuple[int, bytes] | None:
        if not path.partition("?")[0].endswith("/stream"):
            return None
        asked.append(time.monotonic())
        return (503, b"") if len(asked) <= away else None

    cheat.request = refuse
    cheat.push(lambda _size: [("bye", "", b'{"retry":null}')])
    until(lambda: len(asked) > away)
    at.until("bob", "s.line === 'live'")
    ended = time.monotonic()
    cheat.push(lambda _size: [("bye", "", b'{"retry":null}')])
    until(lambda: len(asked) > away + 1)
    assert asked[away] - asked[away - 1] > 1, "it had waited longer each time"
    assert asked[away + 1] - ended < 1


def test_a_server_that_lies_with_its_judge_is_told_at_once(
    server: Server, browsers: Browsers, cheat: Cheat, keeper: Keeper
) -> None:
    """It gives bob a receipt, keeps his opening back, and has its judge say that he did not open."""
    at = At(browsers, server.address, via={"bob": cheat.address}, judge=None, judgeAfter=1)

    def keep_back(method: str, path: str, body: bytes) -> tuple[int, bytes] | None:
        if method != "POST" or not path.endswith("/openings"):
            return None
        return 201, msgspec.json.encode({"received": keeper.received(json.loads(body))}, order="sorted")

    cheat.request = keep_back
    at.ask("alice")
    state = at.until("bob", "s.warnings.some(w => w.message.text.includes('did not open'))")
    [told] = [each for each in state["warnings"] if "did not open" in each["message"]["text"]]
    assert told["message"]["values"]["author"] == "timer"
    assert {file["name"]: file["bytes"].strip() for file in told["files"]}["my.opening"] == at.openings("bob")[0]
    assert "1.received" in {file["name"] for file in told["files"]}
    assert not any("does not pass the opening on" in each["message"]["text"] for each in state["warnings"]), (
        "before ten seconds"
    )
    # The judge's void and the keeper's receipt contradict each other: one hand has both keys.
    events = [json.loads(line) for line in lines_of(at, "bob")]
    void = next(event for event in events if event["type"] == "void")
    assert (void["author"], void["body"]["missing"]) == ("timer", ["bob"])


def test_a_receipt_that_does_not_hold_is_told(at: At, cheat: Cheat, keeper: Keeper) -> None:
    def forged(method: str, path: str, body: bytes) -> tuple[int, bytes] | None:
        if method != "POST" or not path.endswith("/openings"):
            return None
        sent = json.loads(body)
        received = keeper.received({**sent, "opening": {**sent["opening"], "index": 2}})
        return 201, msgspec.json.encode({"received": {**received, "index": 1}}, order="sorted")

    cheat.request = forged
    at.ask("alice")
    assert "worthless" in at.until("bob", "s.warnings.length > 0")["warnings"][0]["message"]["text"]


def test_a_line_that_the_server_says_it_took_and_has_no_checkpoint_for_is_caught(at: At, cheat: Cheat) -> None:
    note = at("save", "bob")["checkpoint"]["bytes"]
    size = at.snapshot("bob")["game"]["size"]

    def lie(method: str, path: str, _: bytes) -> tuple[int, bytes] | None:
        if method != "POST" or not path.endswith("/lines"):
            return None
        return 201, json.dumps({"checkpoint": note, "seq": size}).encode()

    cheat.request = lie
    with pytest.raises(CoreError) as caught:
        at.roll("bob")
    assert caught.value.name == "Cheated"
    assert at.until("bob", TROUBLE)


def test_what_one_tab_was_shown_counts_in_the_others(at: At, cheat: Cheat, keeper: Keeper) -> None:
    at.here("bob2", storage="bob")
    at("table", "bob2", link=at.links["player"])  # by the true address
    at.until("bob2", "s.game && !s.leader && s.line === 'live'")

    def other(event: dict[str, Any]) -> bytes:
        event["body"]["naturals"] = [event["body"]["naturals"][0] % 20 + 1]
        return keeper.line(event)

    cheat.event = on_line("reveal", other)
    at.roll("alice")
    at.until("bob", TROUBLE)
    at.until("bob2", TROUBLE)
    sent = len(at("posts", "bob2"))
    with pytest.raises(CoreError, match="other dice"):
        at.roll("bob2")
    assert len(at("posts", "bob2")) == sent


def test_dice_that_the_server_tells_otherwise_than_they_were_checked_are_shown(at: At, cheat: Cheat) -> None:
    def other(path: str, data: bytes, _: dict[str, str]) -> bytes:
        if "/state?" not in path:
            return data
        told = json.loads(data)
        for roll in told["rolls"]:
            for die in roll["dice"]:
                die["naturals"] = [die["naturals"][0] % 20 + 1]
        return json.dumps(told).encode()

    cheat.answer = other
    [natural] = at.roll("alice")
    state = at.until("bob", "s.differs.length > 0")
    assert state["differs"][0]["checked"] == [natural]
    assert state["differs"][0]["told"] == [natural % 20 + 1]
    assert at.until("alice", "s.advice && s.advice.state.rolls.length > 0")["differs"] == []


def test_an_answer_about_fewer_lines_tells_no_other_dice(at: At, cheat: Cheat) -> None:
    def older(path: str, data: bytes, _: dict[str, str]) -> bytes:
        if "/state?" not in path:
            return data
        told = json.loads(data)
        told["size"] = max(roll["roll"] for roll in told["rolls"]) + 1 if told["rolls"] else told["size"]
        for roll in told["rolls"]:
            roll["dice"] = []
        return json.dumps(told).encode()

    cheat.answer = older
    at.roll("alice")
    state = at.until("bob", "s.advice && s.advice.state.rolls.length > 0 && s.game.rolls.some(each => each.fair)")
    assert state["differs"] == []


def test_advice_about_other_lines_is_asked_for_again_before_an_event_is_signed(at: At, cheat: Cheat) -> None:
    prepared = at("prepare", "bob", type="roll", body={"dice": "d6"})
    at.roll("alice")
    before, asked = at.until("bob", "s.game.phase === 'idle' && s.advice.size === s.game.size")["game"]["size"], 0

    def older(path: str, data: bytes, _: dict[str, str]) -> bytes:
        nonlocal asked
        if "/actions?" not in path or asked == 2:
            return data
        asked += 1
        return json.dumps(json.loads(data) | {"size": before - 1, "actions": []}).encode()

    cheat.answer = older
    assert at("signPrepared", "bob", prepared=prepared)["seq"] == before
    assert asked == 2


@pytest.mark.parametrize(
    ("typed", "made"),
    [
        ("Strength", "Strength\u200b"),
        ("Strength", "Stren\u00adgth"),
        ("Strength", "\u3164"),
        ("Strength", "Str\u0435ngth"),
        ("Strength", "Strength "),
    ],
)
def test_a_text_that_was_not_typed_is_not_taken_for_what_was(at: At, cheat: Cheat, typed: str, made: str) -> None:
    request = {"type": "roll", "line": f"d20 for {typed}"}
    assert at("read", "bob", request=request)["body"]["source"] == typed
    cheat.answer = lambda path, data, _: (
        data if not path.endswith("/read") else data.decode().replace(f'"{typed}"', json.dumps(made)).encode()
    )
    with pytest.raises(CoreError) as told:
        at("read", "bob", request=request)
    assert (told.value.name, told.value.code) == ("Refused", "notation")


def test_what_is_about_another_thing_by_now_is_not_signed_anew_on_the_servers_word(at: At, cheat: Cheat) -> None:
    """Bob calls for a roll, alice's comes first: that the server still offers it proves nothing."""
    prepared = at("prepare", "bob", type="declare", body={"what": "shuffle", "deck": "tarot"})
    at.roll("alice")
    at.until("bob", "s.game.phase === 'idle' && s.advice.size === s.game.size")
    offered = {"type": "declare", "body": prepared["body"], "fields": [], "label": "", "due": False}
    cheat.answer = lambda path, data, _: (
        data if "/actions?" not in path else json.dumps(json.loads(data) | {"actions": [offered]}).encode()
    )
    sent = len(cheat.posts)
    with pytest.raises(CoreError) as told:
        at("signPrepared", "bob", prepared=prepared)
    assert told.value.name == "Changed"
    assert not [path for path, _ in cheat.posts[sent:] if path.endswith("/lines")]


@pytest.mark.parametrize("offered", [True, False])
def test_what_was_not_known_to_be_offered_is_asked_for_before_it_is_signed(at: At, cheat: Cheat, offered: bool) -> None:
    at.until("bob", "s.advice !== null && s.advice.size === s.game.size")
    sent = len(cheat.posts)
    cheat.answer = lambda path, data, _: (
        data if offered or "/actions?" not in path else json.dumps(json.loads(data) | {"actions": []}).encode()
    )
    prepared = at("prepare", "bob", type="roll", body={"dice": "d6"})
    if offered:
        assert at("signPrepared", "bob", prepared=prepared, known=False)["seq"] == prepared["event"]["seq"]
    else:
        with pytest.raises(CoreError) as told:
            at("signPrepared", "bob", prepared=prepared, known=False)
        assert (told.value.name, len(cheat.posts)) == ("Changed", sent)


HOSTILE_ADVICE = {
    "null": b"null",
    "a number": b"7",
    "an array": b"[[]]",
    "prototypes": b'{"__proto__":{"size":1},"size":9007199254740993,"rolls":{"__proto__":[]},"actions":{"length":3}}',
    "200,000 levels": b'{"size":1,"rolls":' + b"[" * 200_000 + b"]" * 200_000 + b',"actions":[]}',
    "9,000 actions": json.dumps(
        {
            "size": 9,
            "rolls": [{"roll": 7, "dice": [None, {"naturals": [{}]}]}] * 900,
            "actions": [{"type": "__proto__"}] * 9_000,
        }
    ).encode(),
    "null in everything": b'{"size":null,"rolls":[null,{"roll":null,"dice":[null]}],'
    b'"actions":[null,{"fields":[null]}]}',
}


@pytest.mark.parametrize("kind", HOSTILE_ADVICE)
def test_hostile_advice_stops_no_dice(at: At, cheat: Cheat, kind: str) -> None:
    def hostile(path: str, data: bytes, _: dict[str, str]) -> bytes:
        return HOSTILE_ADVICE[kind] if "/state?" in path or "/actions?" in path else data

    cheat.answer = hostile
    [natural] = at.roll("bob")
    assert 1 <= natural <= 20
    state = at.snapshot("bob")
    assert state["problem"] is None
    assert state["trouble"] is None
    cheat.answer = None
    at.roll("alice")
    at.until("bob", "s.advice && s.advice.size === s.game.size")


def test_an_opening_that_the_servers_judge_calls_missing_is_shown_before_anything_else(
    server: Server, browsers: Browsers, cheat: Cheat
) -> None:
    """The server takes bob's opening for his own roll, and has its judge say that it did not come."""
    at = At(browsers, server.address, via={"bob": cheat.address}, judge=None, judgeAfter=1)

    def swallowed(method: str, path: str, _: bytes) -> tuple[int, bytes] | None:
        return (200, b'{"received":null}') if method == "POST" and path.endswith("/openings") else None

    cheat.request = swallowed
    request = at.ask("bob", "d20")
    at.until("alice", f"s.game.events.some(e => e.type === 'object' && e.author === 'bob') && s.game.size > {request}")
    cheat.request = None
    events = [json.loads(line) for line in lines_of(at)]
    void, _, shown = events[request + 1 : request + 4]
    assert (void["type"], void["body"]["missing"], shown["type"]) == ("void", ["bob"], "object")
    (sent,) = {json.loads(line)["opening"]["link"] for line in at.openings("bob")}
    assert (shown["body"]["request"], shown["body"]["opening"]["link"]) == (request, sent)
    assert "says that you did not open" in json.dumps(at.snapshot("bob")["warnings"])
    assert not any(event["type"] == "roll" for event in events[request + 1 :]), "it asks again when bob says so"
    at.roll("bob", "d20")
    report, _ = verify(b"".join(line + b"\n" for line in lines_of(at)))
    assert (report.verdict, "void.objected" in {finding.code for finding in report.findings}) == ("holds", True)
