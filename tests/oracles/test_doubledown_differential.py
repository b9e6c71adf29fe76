"""Random play of Double Down by the code's rules and by the oracle's: what is allowed, and what comes of it."""

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from rules import SYSTEMS, Role, Session
from rules.data.bounds import HISTORY
from rules.script import read, run
from rules.systems.doubledown.bodies import Options
from tests.oracles import reference_doubledown
from tests.oracles.test_properties import Dealer, code_step, randoms

ROLES: tuple[tuple[str, Role], ...] = (
    *(("host", "keeper"), ("gil", "gm"), ("alice", "player"), ("bob", "player"), ("cora", "player")),
    *(("gwen", "gm"), ("dana", "judge"), ("walt", "witness")),
)
PARTIES: dict[str, Role] = dict(ROLES)
PLAYERS = ("alice", "bob", "cora")
STATS = ("agility", "toughness", "wits")
TAGS = ("rogue", "four-arms", "loud")
# Naturals that decide, oftener than a die would show them.
NATURALS = (1, 2, 3, 18, 19, 20)

Event = dict[str, Any]
State = dict[str, Any]


class GameMaster(Dealer):
    """Makes up the next event of a game of Double Down from its state."""

    def event(self, state: State) -> Event:
        event = self.sensible(state) if not self.chance(15) else self.wild(state)
        if self.chance(4):
            event["author"] = self.some(*PARTIES)
        if self.chance(4):
            event["body"] = self.damaged(event["body"])
        return event

    def sensible(self, state: State) -> Event:
        missing = [name for name in PARTIES if name not in state["joined"] and name not in state["left"]]
        if missing and self.chance(70):
            return {"author": missing[0], "type": "join", "body": {}}
        if state["phase"] == "pending":
            return {"author": self.some("dana", *PLAYERS), "type": "void", "body": {}}
        if state["owes"] and self.chance(50):
            body = {"ruling": "void", "subject": next(iter(state["owes"].values())), "text": "So."}
            return {"author": "dana", "type": "ruling", "body": body}
        if self.chance(7):
            return self.ruling(state)
        if state["away"] and self.chance(25):
            party = self.some(*state["away"])
            return {"author": self.some(party, "dana"), "type": "back", "body": {"party": party}}
        if self.chance(5):
            party = self.some(*PLAYERS, "gil")
            return {"author": self.some(party, "dana"), "type": "away", "body": {"party": party}}
        there = [name for name in PLAYERS if name not in state["left"]]
        bare = [name for name in there if name not in state["sheets"]]
        if bare and self.chance(85):
            name = self.some(*bare)
            return self.confirm(name) if name in state["proposed"] and not self.chance(5) else self.sheet(name)
        offering = [name for call in state["calls"] for name in call["contributions"]]
        if offering and self.chance(10):
            # What was offered may be gone at the roll.
            name = self.some(*offering)
            return self.confirm(name) if name in state["proposed"] else self.sheet(name)
        waits = state["waits_for"]
        if waits is None or self.chance(12):
            return self.prepare(state)
        return self.follow(state, waits)

    def wild(self, state: State) -> Event:
        """Something whose time may not have come."""
        match self.number(0, 6):
            case 0 if self.chance(25):
                rolling = [roll["player"] for roll in state["rolls"] if roll["status"] == "open"]
                said = [call["roller"] for call in state["calls"] if call["roller"]]
                party = self.some(*PARTIES, "nobody") if self.chance(60) else self.some(*rolling, *said, "cora")
                author = party if party in PARTIES and self.chance(60) else "dana"
                return {"author": author, "type": "leave", "body": {"party": party}}
            case 1 if self.chance(8):
                return {"author": "host", "type": "close", "body": {}}
            case 1 | 2 if state["rolls"]:
                return self.go_on_with(self.some(*state["rolls"]), self.some("vote", "resolve", "double down", "spend"))
            case 3 if state["calls"]:
                return self.contribute(state, self.some(*state["calls"]), self.some(*PLAYERS))
            case 4 if state["calls"]:
                return self.take(state, self.some(*state["calls"]), self.some(*PLAYERS))
            case _:
                return self.prepare(state)

    def declare(self, author: str, what: str, **members: Any) -> Event:
        return {"author": author, "type": "declare", "body": {"what": what} | members}

    def gm(self) -> str:
        return str(self.some("gil", "gil", "gil", "gwen"))

    # Sheets, calls, rests: what may come at any time.

    def prepare(self, state: State) -> Event:
        match self.number(0, 9):
            case 0:
                return self.sheet(self.some(*PLAYERS))
            case 1:
                return self.confirm(self.some(*(state["proposed"] or PLAYERS)))
            case 2:
                name = self.some(*PLAYERS)
                tags = list(state["sheets"].get(name, {"tags": TAGS})["tags"])
                named = self.maybe(60, tags=lambda: [*tags[: self.number(0, 2)], *(["zzz"] if self.chance(5) else [])])
                return self.declare(self.gm(), "rest", player=name, **named)
            case 3 if state["calls"]:
                return self.declare(self.gm(), "withdraw", call=self.some(*state["calls"])["call"])
            case 4 if state["owed"]:
                return self.spend(state, self.some(*state["owed"]))
            case 5 if state["calls"]:
                return self.contribute(state, self.some(*state["calls"]), self.some(*PLAYERS))
            case _:
                return self.call(state)

    def stars(self, most: int) -> int:
        return int(self.some(0, most + 1)) if self.chance(2) else self.number(1, most)

    def sheet(self, name: str) -> Event:
        track = [self.stars(3) for _ in range(self.number(1, 4) if not self.chance(3) else 0)]
        tags = {tag: {"stars": self.stars(5)} | self.maybe(20, exhausted=lambda: True) for tag in TAGS}
        return self.declare(
            name,
            "sheet",
            character=name.title(),
            stats={stat: self.stars(5) for stat in STATS if self.chance(80)},
            track=track,
            stress=self.number(0, max(len(track) - (0 if self.chance(4) else 1), 0)),
            tags={tag: one for tag, one in tags.items() if self.chance(75)},
            drive=self.some(0, 0, 1, 1, 3, 6, 1_000),
        )

    def confirm(self, name: str) -> Event:
        return self.declare(self.gm(), "confirm", player=name)

    def call(self, state: State) -> Event:
        there = [name for name in PLAYERS if name in state["sheets"]] or list(PLAYERS)
        self.random.shuffle(there)
        players = there[: self.some(1, 1, 2, 2, 3)]
        if self.chance(4):
            players.append(self.some(*PLAYERS, "gil", "nobody"))
        if self.chance(2):
            players = []
        difficulty = self.some(10, 12, 13, 14, 15, 16, 18, 19, 21, 22, 24, 25, 40, self.some(9, 0, -1))
        flags = self.maybe(35, support=lambda: True, combat=lambda: True)
        body = {"source": "Cross the bridge", "stat": self.some(*STATS), "difficulty": difficulty, "players": players}
        return self.declare(self.gm(), "call", **body, **flags)

    # What is waited for.

    def follow(self, state: State, waits: dict[str, str]) -> Event:
        choice = waits["choice"]
        if choice == "join":
            return {"author": waits["party"], "type": "join", "body": {}}
        opened = [roll for roll in state["rolls"] if roll["status"] == "open"]
        standing = [roll for roll in opened if roll["stands"]]
        # What a roll settles stands again where it is called off.
        next_calls = [(roll, call) for roll in standing for call in state["calls"] if roll["player"] in call["players"]]
        if next_calls and self.chance(25):
            roll, call = self.some(*next_calls)
            return self.take(state, call, roll["player"])
        if standing and self.chance(20):
            return self.go_on_with(self.some(*standing), "resolve")
        if state["calls"] and (len(opened) > len(standing) or choice.startswith("spend")) and self.chance(35):
            call = self.some(*state["calls"])
            act = self.contribute if self.chance(40) else self.take
            return act(state, call, self.some(*call["players"]))
        if len(opened) > len(standing):
            return self.go_on_with(next(roll for roll in opened if not roll["stands"]), choice)
        if choice.startswith("spend"):
            return self.spend(state, self.some(*state["owed"]))
        calls = [call for call in state["calls"] if waits["party"] in call["players"]] or state["calls"]
        call = self.some(calls[0], *calls)
        if choice == "name the roller":
            named = [one["roller"] for one in call["contributions"].values()] or list(PLAYERS)
            said = self.some(*named) if not self.chance(5) else self.some(*PLAYERS, "gil")
            return self.declare(waits["party"], "roller", call=call["call"], player=said)
        if choice == "contribute":
            return self.contribute(state, call, waits["party"])
        return self.take(state, call, waits["party"])

    def own(self, state: State, name: str) -> dict[str, Any]:
        """The part of a contribution that a roll has too."""
        sheet = state["sheets"].get(name, {"tags": {}, "drive": 2})
        tags = [tag for tag, one in sheet["tags"].items() if not one["exhausted"] or self.chance(10)]
        if self.chance(3):
            tags.append("zzz")
        found = self.maybe(40, tag=lambda: self.some(*tags)) if tags else {}
        if found or self.chance(1):
            found |= self.maybe(30, irrelevant=lambda: True)
        spent = self.some(1, 1, 1, 2, self.number(0 if self.chance(3) else 1, 6))
        if not sheet["drive"] and not self.chance(3):
            return found
        return found | self.maybe(40, drive=lambda: min(spent, sheet["drive"]) if not self.chance(5) else spent)

    def contribute(self, state: State, call: dict[str, Any], name: str) -> Event:
        named = [one["roller"] for one in call["contributions"].values()]
        roller = self.some(*named) if named and self.chance(45) else self.some(*call["players"], name, name)
        body = {"call": call["call"], "roller": roller} | self.own(state, name)
        if self.chance(35):
            body |= self.maybe(50, stat=lambda: True, stress=lambda: True)
        return {"author": name, "type": "modify", "body": body}

    def take(self, state: State, call: dict[str, Any], name: str) -> Event:
        return {"author": name, "type": "roll", "body": {"call": call["call"]} | self.own(state, name)}

    # What can be done with a roll.

    def go_on_with(self, roll: dict[str, Any], choice: str) -> Event:
        number, roller = roll["roll"], roll["player"]
        if self.chance(6):
            choice = self.some("vote", "resolve", "double down")
        if choice == "spend":
            return self.spend({"sheets": {}}, {"roll": number, "kind": "boons", "party": roller, "left": 3})
        if choice == "vote":
            again = self.chance(15)
            waiting = [name for name in roll["players"] if again or name not in roll["votes"]] or list(PLAYERS)
            return self.declare(self.some(*waiting), "vote", roll=number, double=self.some(True, False))
        if choice.startswith("double down") and (choice == "double down" or self.chance(60)):
            return {"author": roller, "type": "reroll", "body": {"roll": number}}
        author = roller if self.chance(96) else self.gm()
        return {"author": author, "type": "resolve", "body": {"roll": number} | self.claims(roll)}

    def claims(self, roll: dict[str, Any]) -> dict[str, Any]:
        outcome = roll["outcome"] or "success"
        return self.maybe(
            12,
            outcome=lambda: outcome if not self.chance(10) else self.some(*reference_doubledown.NAMES),
            boons=lambda: self.some(0, 0, 2, 4, 8),
            banes=lambda: self.some(0, 0, 1, 2, 4),
            damage=lambda: self.some(0, 1, 2),
            drive=lambda: int(outcome.endswith("failure")) if not self.chance(20) else self.some(0, 1, 2),
        )

    def spend(self, state: State, owed: dict[str, Any]) -> Event:
        author = owed["party"] or self.gm()
        return self.declare(author, "spend", roll=owed["roll"], **self.buy(state, owed))

    def buy(self, state: State, owed: dict[str, Any]) -> dict[str, Any]:
        table = (
            ("stress", "tag", "drive", "story") if owed["kind"] == "boons" else ("stress", "tension", "complication")
        )
        word = self.some(*table) if not self.chance(6) else self.some("tag", "tension", "story", "luck")
        amount = self.some(1, 1, 2, owed["left"])
        if word in ("story", "complication"):
            return {"buy": word, "amount": amount, "text": "A rope"}
        if word == "tension":
            return {"buy": word} | self.maybe(50, amount=lambda: amount)
        player = self.some(*PLAYERS)
        whose = {"player": player} if self.chance(60) else {}
        if word != "tag":
            return {"buy": word, **whose} | self.maybe(50, amount=lambda: amount)
        sheet = state["sheets"].get(whose.get("player", owed["party"]), {"tags": {}})
        exhausted = [tag for tag, one in sheet["tags"].items() if one["exhausted"] or self.chance(20)]
        return {"buy": word, **whose, "tag": self.some(*(exhausted or TAGS))}

    def ruling(self, state: State) -> Event:
        event = super().ruling(state)
        for entry in event["body"].get("results", []):
            entry["result"] = self.some(entry["result"], self.number(5, 30))
        return event

    def naturals(self, sides: tuple[int, ...]) -> list[int]:
        return [self.some(*NATURALS, *(self.number(1, n) for _ in NATURALS)) for n in sides]


class Oracle:
    """tests/oracles/reference_doubledown.py, one event at a time."""

    def __init__(self, joined: list[str]) -> None:
        self.game = reference_doubledown.DoubleDown({}, dict(PARTIES), joined)

    def step(self, seq: int, event: Event) -> tuple[str, str | None] | None:
        """None where the event is allowed, otherwise code and clause of its violation."""
        game = copy.deepcopy(self.game)
        try:
            reference_doubledown.run_event(game, seq, copy.deepcopy(event))
        except reference_doubledown.Violation as violation:
            return violation.code, violation.clause
        self.game = game
        return None


def start(*, joined: bool) -> tuple[Session, Oracle]:
    session = Session.start(SYSTEMS["doubledown-1"], Options(), PARTIES)
    if joined:
        session = session.with_joined(PARTIES)
    return session, Oracle(list(PARTIES) if joined else ["host"])


def compare_on_a_script(random: Random, length: int) -> list[Event]:
    """Play a game by the code's rules and by the oracle's; the events that both allowed."""
    deal = GameMaster(random)
    session, oracle = start(joined=deal.chance(85))
    events: list[Event] = []
    for _ in range(length):
        seq, event = len(events) + 1, deal.event(session.view())
        after, violation = code_step(session, seq, event)
        settles = bool(session.view()["open"]) and event["type"] == "roll"
        if violation is None and after.draw and not deal.chance(25 if settles else 8):
            event["naturals"] = deal.naturals(after.draw)
            after, violation = code_step(session, seq, event)
        assert violation == oracle.step(seq, event), told([*events, event])
        if violation is None:
            session = after
            events.append(event)
            assert session.view() == oracle.game.state(), told(events)
        if session.phase == "closed" and deal.chance(50):
            break
    return events


def told(events: list[Event]) -> str:
    return json.dumps(events, ensure_ascii=False)


@settings(max_examples=settings().max_examples // 2)
@given(randoms)
def test_code_and_oracle_allow_the_same_events_and_come_to_the_same_state(random: Random) -> None:
    compare_on_a_script(random, 30)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_code_and_oracle_agree_on_longer_games(seed: int) -> None:
    events = [event for part in range(10) for event in compare_on_a_script(Random(f"{seed} {part}"), 90)]
    assert len(events) > 250, "the games were no games"
    kinds = {event["body"].get("what", event["type"]) for event in events}
    missing = {"sheet", "confirm", "call", "modify", "roll", "reroll", "resolve", "vote", "roller", "spend"} - kinds
    assert not missing, "a part of the rules was not played"


def both(events: list[Event]) -> dict[str, Any]:
    """What a script of these events comes to, by the code and by the oracle alike."""
    script = {"format": "rollproof/script/v1", "system": "doubledown-1", "options": {}, "parties": PARTIES}
    outcome = run(read(json.dumps({**script, "events": events}).encode()))
    found = reference_doubledown.run_script({**script, "events": events})
    refused = outcome.violation
    if refused is not None:
        assert found == {"violation": {"seq": outcome.seq, "code": refused.code, "clause": refused.clause}}
    else:
        assert found == {"state": outcome.session.view()}
    return found


def declared(author: str, what: str, **members: Any) -> Event:
    return {"author": author, "type": "declare", "body": {"what": what, **members}}


SHEET = {"character": "Ash", "stats": {"agility": 3}, "track": [1], "stress": 0, "tags": {}, "drive": 0}
READY = [declared("alice", "sheet", **SHEET), declared("gil", "confirm", player="alice")]
CALL = declared("gil", "call", source="Jump", stat="agility", difficulty=10, players=["alice"])


def test_a_hundred_calls_stand_and_no_more() -> None:
    assert len(both([*READY, *[CALL] * 100])["state"]["calls"]) == 100
    assert both([*READY, *[CALL] * 101])["violation"]["clause"] == "R1"


@pytest.mark.slow
def test_boons_of_a_roll_that_is_no_longer_kept_cannot_be_spent() -> None:
    events = list(READY)
    for number in range(1, HISTORY + 2):
        seq = len(events) + 2
        roll: Event = {"author": "alice", "type": "roll", "body": {"call": number}, "naturals": [20]}
        events += [CALL, roll, {"author": "alice", "type": "resolve", "body": {"roll": seq}}]
    gone, kept = 4, 7

    def spend(roll: int) -> Event:
        return declared("alice", "spend", roll=roll, buy="story", amount=1, text="So")

    state = both([*events, spend(kept)])["state"]
    assert [owed["roll"] for owed in state["owed"]][:2] == [kept, kept + 3]
    assert (len(state["rolls"]), state["rolls"][0]["left"]) == (HISTORY, 1)
    assert both([*events, spend(gone)])["violation"]["clause"] == "R5"


def sent(author: str, kind: str, natural: int | None = None, **members: Any) -> Event:
    return {"author": author, "type": kind, "body": members} | ({} if natural is None else {"naturals": [natural]})


def called(*players: str) -> Event:
    return declared("gil", "call", source="Jump", stat="agility", difficulty=14, players=list(players))


def named(**names: str) -> list[Event]:
    return [sent(author, "modify", call=1, roller=roller) for author, roller in names.items()]


def gone(kind: str, *parties: str) -> list[Event]:
    return [sent(party, kind, party=party) for party in parties]


ALL_READY = [
    event for name in PLAYERS for event in (declared(name, "sheet", **SHEET), declared("gil", "confirm", player=name))
]
BOB_STANDS = [
    *ALL_READY,
    called("alice"),
    called("bob"),
    sent("bob", "roll", 5, call=2),
    sent("bob", "reroll", 5, roll=9),
]


def test_a_close_settles_whatever_stands_whatever_waits() -> None:
    waiting = sent("alice", "roll", call=1)
    shown = [sent("alice", "roll", 5, call=1), sent("alice", "reroll", roll=11)]
    for events in ([waiting], shown, [called("bob"), sent("bob", "roll", call=3)], []):
        state = both([*BOB_STANDS, *events, sent("host", "close")])["state"]
        assert [roll["roll"] for roll in state["rolls"] if roll["stands"]] == []
        assert state["players"]["bob"]["rolls"] == 1


def test_rolls_stand_in_the_order_in_which_they_were_settled() -> None:
    events = [sent("alice", "roll", 5, call=1), sent("alice", "resolve", roll=11), sent("bob", "resolve", roll=9)]
    state = both([*BOB_STANDS, *events])["state"]
    assert [roll["roll"] for roll in state["rolls"]] == [11, 9]


def test_nothing_is_decided_after_the_second_die() -> None:
    events = [*ALL_READY, called(*PLAYERS), *named(bob="alice", cora="alice"), sent("alice", "roll", 5, call=1)]
    events += [*gone("away", "cora"), declared("bob", "vote", roll=10, double=False), *gone("away", "bob")]
    late = both([*events, sent("alice", "reroll", 20, roll=10), *gone("back", "bob", "cora")])["state"]
    assert (late["rolls"][0]["decided"], late["rolls"][0]["outcome"]) == (None, "critical success")
    votes = [*gone("back", "bob", "cora"), declared("cora", "vote", roll=10, double=False)]
    early = both([*events, *votes])["state"]
    assert (early["rolls"][0]["decided"], early["rolls"][0]["stands"]) == (False, True)


def test_nothing_is_tied_where_nobody_is_present() -> None:
    tied = [*ALL_READY, called("alice", "bob"), *named(alice="alice", bob="bob")]
    assert both(tied)["state"]["waits_for"] == {"party": "gil", "choice": "name the roller"}
    empty = [*tied, *gone("away", "alice", "bob")]
    assert both(empty)["state"]["waits_for"] is None
    assert both([*empty, declared("gil", "roller", call=1, player="alice")])["violation"]["clause"] == "R9"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_code_and_oracle_agree_on_many_games(seed: int) -> None:
    for part in range(50):
        compare_on_a_script(Random(f"slow {seed} {part}"), 90)
