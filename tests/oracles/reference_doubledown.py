"""An oracle for Double Down: the rules of specs/doubledown.md and specs/rules.md, written from those pages alone.

Nothing of the project is imported; what all systems share is in reference_rules.py. Everything is plain dicts and
lists, the checks stand in the order in which they are made, and nothing is clever. Where the page once left a choice,
it now says what was chosen.
"""

from __future__ import annotations

import copy
import re

from tests.oracles import reference_rules
from tests.oracles.reference_rules import (
    MAX_ITEMS,
    Body,
    Check,
    SchemaError,
    Violation,
    array_of,
    boolean,
    difference,
    integer,
    integer_between,
    name,
    need,
    object_of,
    one_of,
    positive,
    required_text,
    run_event,
    true,
)

__all__ = ["DoubleDown", "SchemaError", "Violation", "check_body", "difference", "run_event", "run_script"]

# T1: tier -> outcome, boons multiple, banes multiple, damage.
OUTCOMES: list[tuple[str, int, int, int]] = [
    ("legendary failure", 0, 8, 0),
    ("overwhelming failure", 0, 4, 0),
    ("critical failure", 0, 2, 0),
    ("failure", 0, 1, 0),
    ("success", 0, 0, 1),
    ("critical success", 1, 0, 2),
    ("overwhelming success", 2, 0, 3),
    ("legendary success", 4, 0, 4),
]
NAMES = [outcome[0] for outcome in OUTCOMES]

# What one costs: T3 and T4. A story reward and a complication cost their amount.
BOONS = {"stress": 1, "tag": 2, "drive": 2, "story": 1}
BANES = {"stress": 1, "tension": 2, "complication": 1}

SHOWN = (
    *("roll", "player", "status", "dice", "source", "notation", "call", "stat", "difficulty", "players", "support"),
    *("combat", "modifiers", "modifier", "votes", "decided", "stands", "doubled", "before", "outcome", "boons"),
    *("banes", "left", "damage", "drive", "bought"),
)


# --- schemas --------------------------------------------------------------------------------------


def stat_or_tag_id(value: object) -> None:
    need(isinstance(value, str) and re.fullmatch("[a-z0-9._-]{1,40}", value) is not None, "an id is needed")


def object_by_id(entry: Check) -> Check:
    def check(value: object) -> None:
        need(isinstance(value, dict), "an object is needed")
        assert isinstance(value, dict)
        need(len(value) <= MAX_ITEMS, "too many members")
        for key, one in value.items():
            stat_or_tag_id(key)
            entry(one)

    return check


thousand = integer_between(0, 1_000)
one_to_thousand = integer_between(1, 1_000)
number = positive

# The members of a buy besides `buy`: those that it needs, those that it may have.
buys: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
    "stress": ({}, {"player": name, "amount": one_to_thousand}),
    "tag": ({"tag": stat_or_tag_id}, {"player": name}),
    "drive": ({}, {"player": name, "amount": one_to_thousand}),
    "story": ({"amount": one_to_thousand, "text": required_text}, {}),
    "tension": ({}, {"amount": one_to_thousand}),
    "complication": ({"amount": one_to_thousand, "text": required_text}, {}),
}


def spend_body(value: object) -> None:
    need(isinstance(value, dict), "an object is needed")
    assert isinstance(value, dict)
    one_of(*buys)(value.get("buy"))
    required, optional = buys[value["buy"]]
    object_of({"what": one_of("spend"), "roll": number, "buy": one_of(*buys), **required}, optional)(value)


declare_bodies: dict[str, Check] = {
    "sheet": object_of(
        {
            "what": one_of("sheet"),
            "character": required_text,
            "stats": object_by_id(integer),
            "track": array_of(integer),
            "stress": thousand,
            "tags": object_by_id(object_of({"stars": integer}, {"exhausted": true})),
            "drive": thousand,
        }
    ),
    "confirm": object_of({"what": one_of("confirm"), "player": name}),
    "call": object_of(
        {
            "what": one_of("call"),
            "source": required_text,
            "stat": stat_or_tag_id,
            "difficulty": integer,
            "players": array_of(name),
        },
        {"support": true, "combat": true},
    ),
    "withdraw": object_of({"what": one_of("withdraw"), "call": number}),
    "rest": object_of({"what": one_of("rest"), "player": name}, {"tags": array_of(stat_or_tag_id)}),
    "roller": object_of({"what": one_of("roller"), "call": number, "player": name}),
    "vote": object_of({"what": one_of("vote"), "roll": number, "double": boolean}),
    "spend": spend_body,
}

own: dict[str, Check] = {"tag": stat_or_tag_id, "irrelevant": true, "drive": positive}

bodies: dict[str, Check] = {
    "modify": object_of({"call": number, "roller": name}, {"stat": true, "stress": true, **own}),
    "roll": object_of({"call": number}, own),
    "reroll": object_of({"roll": number}),
    "resolve": object_of(
        {"roll": number},
        {"outcome": one_of(*NAMES), "boons": integer, "banes": integer, "damage": integer, "drive": integer},
    ),
}


def check_options(options: object) -> None:
    object_of({})(options)


def check_body(type: str, body: object) -> None:
    need(isinstance(body, dict), "an object is needed")
    assert isinstance(body, dict)
    if type == "declare":
        one_of(*declare_bodies)(body.get("what"))
        declare_bodies[body["what"]](body)
        return
    need(type in bodies, f"{type} is no type of this system")
    bodies[type](body)
    need("irrelevant" not in body or "tag" in body, "irrelevant is said of a tag")


# --- tables ---------------------------------------------------------------------------------------


def boons_of(difficulty: int) -> int:
    """T2, the upper row."""
    for least, boons in ((25, 12), (22, 10), (19, 8), (16, 6), (13, 4)):
        if difficulty >= least:
            return boons
    return 2


def banes_of(difficulty: int) -> int:
    """T2, the lower row."""
    for least, banes in ((25, 6), (22, 5), (19, 4), (16, 3), (13, 2)):
        if difficulty >= least:
            return banes
    return 1


def read(natural: int, total: int, difficulty: int) -> str:
    """R3."""
    if natural >= 19:
        return "critical success"
    if natural <= 2:
        return "critical failure"
    return "success" if total >= difficulty else "failure"


def double_down(first: str, second: str) -> str:
    """R4."""
    step = {"critical success": 2, "success": 1, "failure": -1, "critical failure": -2}[second]
    return NAMES[NAMES.index(first) + step]


# --- what a roll comes to -------------------------------------------------------------------------


def readings(roll: Body) -> list[str]:
    return [read(die["naturals"][-1], die["result"], roll["difficulty"]) for die in roll["dice"]]


def work_out(roll: Body) -> Body:
    """What the dice and the difficulty say: outcomes, boons, banes, damage, drive."""
    first, *second = readings(roll)
    outcome = double_down(first, second[0]) if second else first
    _, many_boons, many_banes, damage = OUTCOMES[NAMES.index(outcome)]
    boons = many_boons * boons_of(roll["difficulty"])
    if outcome == "success" and roll["support"]:
        boons = boons_of(roll["difficulty"]) // 2
    failed = outcome.endswith("failure")
    if not failed:
        boons += sum(one["amount"] for one in roll["modifiers"] if one["kind"] == "drive")
    return {
        "before": first,
        "outcome": outcome,
        "boons": boons,
        "banes": many_banes * banes_of(roll["difficulty"]),
        "damage": damage if roll["combat"] else None,
        "drive": 1 if failed else 0,
    }


def contribution(body: Body, roller: str) -> Body:
    return {
        "roller": roller,
        "stat": body.get("stat", False),
        "stress": body.get("stress", False),
        "tag": body.get("tag"),
        "irrelevant": body.get("irrelevant", False),
        "drive": body.get("drive", 0),
    }


# --- the game -------------------------------------------------------------------------------------


class DoubleDown(reference_rules.Game):
    """The state of one game. A method that raises Violation has changed nothing before."""

    SYSTEM = "doubledown-1"
    ROLES = ("keeper", "player", "gm", "judge", "witness")
    AGREEMENT = None
    GM_ROLLS = "R1"
    check_options = staticmethod(check_options)
    check_body = staticmethod(check_body)

    def __init__(self, options: Body, parties: dict[str, str], joined: list[str] | None = None) -> None:
        super().__init__(options, parties, joined)
        self.sheets: Body = {}
        self.proposed: Body = {}
        self.calls: list[Body] = []
        self.call_count = 0
        self.tension = 0
        self.players = {
            player: {"rolls": 0, "dice": 0, "doubled": 0} for player, role in parties.items() if role == "player"
        }

    # What is asked again and again.

    def is_gm(self, party: str) -> bool:
        return self.parties[party] == "gm"

    def is_present(self, party: str) -> bool:
        return party not in self.left and party not in self.away

    def first_gm(self) -> str | None:
        """The first gm in party order that has not left and is not away."""
        for party in self.parties:
            if self.is_gm(party) and self.is_present(party):
                return party
        return None

    def the_call(self, wanted: int) -> Body:
        for call in self.calls:
            if call["call"] == wanted:
                return call
        raise Violation("R1")

    def open_rolls(self) -> list[Body]:
        """Each from its request on, in the order of the requests."""
        return [roll for roll in self.kept_rolls() if roll["status"] in ("pending", "open")]

    def open_roll_of(self, player: str) -> Body | None:
        for roll in self.open_rolls():
            if roll["player"] == player:
                return roll
        return None

    def the_open_roll(self, wanted: int) -> Body:
        for roll in self.open_rolls():
            if roll["roll"] == wanted and roll["status"] == "open":
                return roll
        raise Violation("R4")

    def left_to_spend(self, roll: Body) -> tuple[str | None, int]:
        """`boons`, `banes` or None, and how many; what a roller who left had is lapsed."""
        if roll["status"] != "resolved" and not roll["stands"]:
            return None, 0
        for kind in ("boons", "banes"):
            left = roll[kind]["earned"] - roll[kind]["spent"]
            if left > 0 and not (kind == "boons" and roll["player"] in self.left):
                return kind, left
        return None, 0

    # The roller of a group (R9).

    def present(self, call: Body) -> list[str]:
        return [player for player in call["players"] if self.is_present(player)]

    def named_by(self, call: Body, player: str) -> str | None:
        """Whom a participant names; who named one that has left names nobody."""
        given = call["contributions"].get(player)
        if given is None or given["roller"] in self.left:
            return None
        roller: str = given["roller"]
        return roller

    def names(self, call: Body) -> dict[str, str | None]:
        """For each present participant whom it names."""
        return {player: self.named_by(call, player) for player in self.present(call)}

    def majority(self, names: dict[str, str | None]) -> str | None:
        """Whom more than half of the present participants name."""
        for candidate in names.values():
            if candidate is not None and 2 * list(names.values()).count(candidate) > len(names):
                return candidate
        return None

    def is_tie(self, names: dict[str, str | None]) -> bool:
        return bool(names) and None not in names.values() and self.majority(names) is None

    def would_roll(self, call: Body, player: str) -> bool:
        """Whether a request by this participant would be one by the roller."""
        if len(call["players"]) == 1:
            return player in call["players"]
        names = self.names(call)
        names[player] = player
        if self.majority(names) == player:
            return True
        return self.is_tie(names) and call["roller"] == player

    # Whether to double down (R9).

    def voters(self, roll: Body) -> list[str]:
        """The present participants, where they are two or more."""
        there = [player for player in roll["players"] if self.is_present(player)]
        return there if len(there) >= 2 else []

    def look_at_votes(self) -> None:
        """After every vote, leave, away and back: what is decided now, of each open roll."""
        for roll in self.open_rolls():
            if roll["status"] != "open" or roll["doubled"] or roll["decided"] is not None:
                continue
            voters = self.voters(roll)
            if not voters:
                continue
            for double in (True, False):
                having = [voter for voter in voters if roll["votes"].get(voter) is double]
                half_with_roller = 2 * len(having) == len(voters) and roll["player"] in having
                if 2 * len(having) > len(voters) or half_with_roller:
                    roll["decided"] = double
            if roll["decided"] is False:
                self.stand(roll)

    def roller_alone_chooses(self, roll: Body) -> bool:
        return roll["decided"] is None and not self.voters(roll)

    # What stands, and is settled.

    def stand(self, roll: Body) -> None:
        roll["stands"] = True
        self.enter(roll, work_out(roll))

    def settle(self, roll: Body) -> None:
        """A roll that is worked out already."""
        roll["status"] = "resolved"
        roll["stands"] = False
        self.players[roll["player"]]["rolls"] += 1
        self.settled_last(roll)

    def stand_again(self, roll: Body) -> None:
        roll["status"] = "open"
        roll["stands"] = True
        self.players[roll["player"]]["rolls"] -= 1

    def settle_standing(self) -> None:
        for roll in self.open_rolls():
            if roll["stands"]:
                self.settle(roll)

    # Requests.

    def request(self, seq: int, author: str, type: str, body: Body) -> list[int]:
        self.pending = self.request_roll(seq, author, body) if type == "roll" else self.request_second(author, body)
        self.requests += 1
        self.phase = "pending"
        return [20]

    def check_roll(self, author: str, body: Body) -> tuple[Body, Body]:
        """The call, and what each participant gives, the author by this request."""
        standing = self.open_roll_of(author)
        if standing is not None and not standing["stands"]:
            raise Violation("R4")
        call = self.the_call(body["call"])
        if author not in call["players"]:
            raise Violation("R1")
        if not self.would_roll(call, author):
            raise Violation("R9")
        given = copy.deepcopy(call["contributions"])
        given[author] = contribution(body, author)
        self.check_contribution(call, author, given[author])
        others = [player for player in call["players"] if player != author and player in given]
        for player in others:
            self.check_again(call, player, given[player])
        by_stat = [player for player in others if given[player]["stat"]]
        by_stress = [player for player in others if given[player]["stress"]]
        given[author]["stat"] = not by_stat
        given[author]["stress"] = not by_stress
        if call["stat"] not in self.sheets[by_stat[0] if by_stat else author]["stats"]:
            raise Violation("R2")
        return call, given

    def request_roll(self, seq: int, author: str, body: Body) -> Body:
        call, given = self.check_roll(author, body)
        standing = self.open_roll_of(author)
        if standing is not None:
            self.settle(standing)
        modifiers = self.modifiers(call, given)
        roll = {
            "roll": seq,
            "player": author,
            "status": "pending",
            "dice": [],
            "source": call["source"],
            "notation": "1d20",
            "call": call["call"],
            "stat": call["stat"],
            "difficulty": call["difficulty"],
            "players": list(call["players"]),
            "support": call["support"],
            "combat": call["combat"],
            "modifiers": modifiers,
            "modifier": sum(one["amount"] for one in modifiers),
            "votes": {},
            "decided": None,
            "stands": False,
            "doubled": False,
            "before": None,
            "outcome": None,
            "boons": {"earned": 0, "spent": 0},
            "banes": {"earned": 0, "spent": 0},
            "left": 0,
            "damage": None,
            "drive": 0,
            "bought": [],
        }
        self.rolls.append(roll)
        return {"kind": "roll", "roll": roll, "settled": standing}

    def modifiers(self, call: Body, given: Body) -> list[Body]:
        giving = [player for player in call["players"] if player in given]
        found: list[Body] = []
        for player in giving:
            if given[player]["stat"]:
                stars = self.sheets[player]["stats"][call["stat"]]
                found.append({"kind": "stat", "player": player, "source": call["stat"], "amount": stars})
        for player in giving:
            if given[player]["stress"]:
                sheet = self.sheets[player]
                stars = sheet["track"][sheet["stress"]]
                found.append({"kind": "stress", "player": player, "source": "stress", "amount": stars})
        for player in giving:
            tag = given[player]["tag"]
            if tag is not None:
                stars = self.sheets[player]["tags"][tag]["stars"] - (1 if given[player]["irrelevant"] else 0)
                found.append({"kind": "tag", "player": player, "source": tag, "amount": stars})
        for player in giving:
            drive = given[player]["drive"]
            if drive > 0:
                found.append({"kind": "drive", "player": player, "source": "drive", "amount": drive})
        return found

    def check_contribution(self, call: Body, author: str, given: Body) -> None:
        others = [one for player, one in call["contributions"].items() if player != author]
        sheet = self.sheets[author]
        if given["stat"]:
            if call["stat"] not in sheet["stats"]:
                raise Violation("R2")
            if any(one["stat"] for one in others):
                raise Violation("R9")
        if given["stress"] and any(one["stress"] for one in others):
            raise Violation("R9")
        if given["tag"] is not None:
            self.check_tag(sheet, given["tag"])
            if any(one["tag"] is not None for one in others):
                raise Violation("R9")
        if given["drive"] + sum(one["drive"] for one in others) > 5:
            raise Violation("R9" if len(call["players"]) >= 2 else "R2")
        if given["drive"] > sheet["drive"]:
            raise Violation("R2")

    def check_tag(self, sheet: Body, tag: str) -> None:
        if tag not in sheet["tags"] or sheet["tags"][tag]["exhausted"]:
            raise Violation("R2")

    def check_again(self, call: Body, player: str, given: Body) -> None:
        """A contribution from before: whether the sheet that is in force now still has it."""
        sheet = self.sheets[player]
        if given["stat"] and call["stat"] not in sheet["stats"]:
            raise Violation("R2")
        if given["tag"] is not None:
            self.check_tag(sheet, given["tag"])
        if given["drive"] > sheet["drive"]:
            raise Violation("R2")

    def request_second(self, author: str, body: Body) -> Body:
        roll = self.the_open_roll(body["roll"])
        if roll["player"] != author:
            raise Violation("R4")
        if roll["doubled"]:
            raise Violation("R4")
        if roll["decided"] is not True and not self.roller_alone_chooses(roll):
            raise Violation("R9")
        return {"kind": "reroll", "roll": roll, "settled": None}

    # What a request ends with.

    def reveal(self, naturals: list[int]) -> None:
        assert self.pending is not None
        self.check_naturals(naturals, [20])
        roll = self.pending["roll"]
        roll["dice"].append(
            {
                "die": len(roll["dice"]) + 1,
                "sides": 20,
                "naturals": [naturals[0]],
                "status": "counted",
                "result": naturals[0] + roll["modifier"],
                "steps": [],
            }
        )
        counts = self.players[roll["player"]]
        counts["dice"] += 1
        if self.pending["kind"] == "roll":
            roll["status"] = "open"
            self.pay(roll)
            self.read_outcome(roll)
        else:
            roll["doubled"] = True
            counts["doubled"] += 1
            self.stand(roll)
        self.pending = None
        self.phase = "idle"

    def pay(self, roll: Body) -> None:
        for one in roll["modifiers"]:
            sheet = self.sheets[one["player"]]
            if one["kind"] == "tag":
                sheet["tags"][one["source"]]["exhausted"] = True
            elif one["kind"] == "drive":
                sheet["drive"] -= one["amount"]
        self.calls = [call for call in self.calls if call["call"] != roll["call"]]

    def read_outcome(self, roll: Body) -> None:
        read = work_out(roll)
        roll["before"] = read["before"]
        roll["outcome"] = read["outcome"]

    def void(self) -> None:
        assert self.pending is not None
        if self.pending["settled"] is not None:
            self.stand_again(self.pending["settled"])
        if self.pending["kind"] == "roll":
            self.pending["roll"]["status"] = "void"
            self.settled_last(self.pending["roll"])
        self.pending = None
        self.phase = "idle"

    # Actions.

    def act(self, seq: int, author: str, type: str, body: Body) -> None:
        if type == "modify":
            self.modify(author, body)
        elif type == "resolve":
            self.resolve(author, body)
        else:
            {
                "sheet": self.propose,
                "confirm": self.confirm,
                "call": self.call,
                "withdraw": self.withdraw,
                "rest": self.rest,
                "roller": self.say_roller,
                "vote": self.vote,
                "spend": self.spend,
            }[body["what"]](author, body)

    def propose(self, author: str, body: Body) -> None:
        if self.parties[author] != "player":
            raise Violation("R2")
        if not body["stats"] or not all(1 <= stars <= 5 for stars in body["stats"].values()):
            raise Violation("R2")
        if not body["track"] or not all(1 <= stars <= 3 for stars in body["track"]):
            raise Violation("R2")
        if body["stress"] >= len(body["track"]):
            raise Violation("R2")
        if not all(1 <= tag["stars"] <= 5 for tag in body["tags"].values()):
            raise Violation("R2")
        self.proposed[author] = {
            "character": body["character"],
            "stats": dict(body["stats"]),
            "track": list(body["track"]),
            "stress": body["stress"],
            "tags": {
                key: {"stars": tag["stars"], "exhausted": tag.get("exhausted", False)}
                for key, tag in body["tags"].items()
            },
            "drive": body["drive"],
        }

    def confirm(self, author: str, body: Body) -> None:
        if not self.is_gm(author):
            raise Violation("R2")
        if body["player"] not in self.proposed:
            raise Violation("R2")
        self.sheets[body["player"]] = self.proposed.pop(body["player"])

    def call(self, author: str, body: Body) -> None:
        if not self.is_gm(author):
            raise Violation("R1")
        if body["difficulty"] < 10:
            raise Violation("T2")
        if not body["players"]:
            raise Violation("R1")
        if len(set(body["players"])) < len(body["players"]):
            raise Violation("R9")
        for player in body["players"]:
            if self.parties.get(player) != "player" or player in self.left:
                raise Violation("R1")
            if player not in self.sheets:
                raise Violation("R2")
        if not any(body["stat"] in self.sheets[player]["stats"] for player in body["players"]):
            raise Violation("R1")
        if len(self.calls) >= MAX_ITEMS:
            raise Violation("R1")
        self.call_count += 1
        self.calls.append(
            {
                "call": self.call_count,
                "source": body["source"],
                "stat": body["stat"],
                "difficulty": body["difficulty"],
                "players": list(body["players"]),
                "support": body.get("support", False),
                "combat": body.get("combat", False),
                "roller": None,
                "contributions": {},
            }
        )

    def withdraw(self, author: str, body: Body) -> None:
        if not self.is_gm(author):
            raise Violation("R1")
        wanted = self.the_call(body["call"])
        self.calls = [call for call in self.calls if call is not wanted]

    def rest(self, author: str, body: Body) -> None:
        if not self.is_gm(author):
            raise Violation("R2")
        if body["player"] not in self.sheets:
            raise Violation("R2")
        tags = self.sheets[body["player"]]["tags"]
        named = body.get("tags", list(tags))
        if not all(tag in tags for tag in named):
            raise Violation("R2")
        if len(set(named)) < len(named):
            raise Violation("R2")
        for tag in named:
            tags[tag]["exhausted"] = False

    def say_roller(self, author: str, body: Body) -> None:
        if not self.is_gm(author):
            raise Violation("R9")
        call = self.the_call(body["call"])
        if len(call["players"]) < 2:
            raise Violation("R9")
        names = self.names(call)
        if not self.is_tie(names):
            raise Violation("R9")
        if body["player"] not in names.values():
            raise Violation("R9")
        call["roller"] = body["player"]

    def modify(self, author: str, body: Body) -> None:
        call = self.the_call(body["call"])
        if len(call["players"]) < 2:
            raise Violation("R9")
        if author not in call["players"]:
            raise Violation("R9")
        if body["roller"] not in call["players"]:
            raise Violation("R9")
        given = contribution(body, body["roller"])
        self.check_contribution(call, author, given)
        call["contributions"][author] = given

    def vote(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if roll["doubled"] or roll["decided"] is not None:
            raise Violation("R9")
        voters = self.voters(roll)
        if not voters:
            raise Violation("R9")
        if author not in voters:
            raise Violation("R9")
        if author in roll["votes"]:
            raise Violation("R9")
        roll["votes"][author] = body["double"]
        self.look_at_votes()

    def resolve(self, author: str, body: Body) -> None:
        roll = self.the_open_roll(body["roll"])
        if author != roll["player"]:
            raise Violation("R4")
        if not roll["doubled"] and roll["decided"] is not False and not self.roller_alone_chooses(roll):
            raise Violation("R9")
        found = work_out(roll)
        self.check_claims(roll, found, body)
        self.enter(roll, found)
        self.settle(roll)

    def check_claims(self, roll: Body, found: Body, body: Body) -> None:
        if "outcome" in body and body["outcome"] != found["outcome"]:
            raise Violation("R4" if roll["doubled"] else "R3")
        if "boons" in body and body["boons"] != found["boons"]:
            raise Violation("R8" if roll["support"] and found["outcome"] == "success" else "R5")
        if "banes" in body and body["banes"] != found["banes"]:
            raise Violation("R5")
        if "damage" in body and body["damage"] != found["damage"]:
            raise Violation("R6")
        if "drive" in body and body["drive"] != found["drive"]:
            raise Violation("R7")

    def enter(self, roll: Body, found: Body) -> None:
        """What a roll that stands or is resolved came to, also after a correction; what was entered is not again."""
        roll["before"] = found["before"]
        roll["outcome"] = found["outcome"]
        roll["boons"]["earned"] = found["boons"]
        roll["banes"]["earned"] = found["banes"]
        roll["damage"] = found["damage"]
        self.change_drive(roll["player"], found["drive"] - roll["drive"])
        roll["drive"] = found["drive"]

    def change_drive(self, player: str, change: int) -> None:
        if player in self.sheets:
            self.sheets[player]["drive"] = max(0, self.sheets[player]["drive"] + change)

    # Spending.

    def spend(self, author: str, body: Body) -> None:
        roll = self.find_kept_roll(body["roll"])
        if roll is None or (roll["status"] != "resolved" and not roll["stands"]):
            raise Violation("R5")
        kind, left = self.left_to_spend(roll)
        if kind is None:
            raise Violation("R5")
        if author != roll["player"] if kind == "boons" else not self.is_gm(author):
            raise Violation("R5")
        table, clause = (BOONS, "T3") if kind == "boons" else (BANES, "T4")
        buy = body["buy"]
        if buy not in table:
            raise Violation(clause)
        amount = None if buy == "tag" else body.get("amount", 1)
        player = body.get("player", roll["player"]) if buy in ("stress", "tag", "drive") else None
        cost = table[buy] * (1 if amount is None else amount)
        if cost > left:
            raise Violation("R5")
        if player is not None:
            if player not in self.sheets:
                raise Violation(clause)
            self.take_effect(self.sheets[player], kind, body, amount, clause)
        if buy == "tension":
            assert amount is not None
            self.tension += amount
        if roll["stands"]:
            self.settle(roll)
        roll["bought"].append(
            {
                "kind": kind,
                "buy": buy,
                "player": player,
                "tag": body.get("tag"),
                "amount": amount,
                "text": body.get("text"),
                "cost": cost,
            }
        )
        roll[kind]["spent"] += cost

    def take_effect(self, sheet: Body, kind: str, one: Body, amount: int | None, clause: str) -> None:
        if one["buy"] == "tag":
            if one["tag"] not in sheet["tags"] or not sheet["tags"][one["tag"]]["exhausted"]:
                raise Violation(clause)
            sheet["tags"][one["tag"]]["exhausted"] = False
        elif one["buy"] == "drive":
            sheet["drive"] += amount
        else:
            assert amount is not None
            stress = sheet["stress"] + (-amount if kind == "boons" else amount)
            if not 0 <= stress < len(sheet["track"]):
                raise Violation(clause)
            sheet["stress"] = stress

    # Leaving, being away, and rulings.

    def leave(self, name: str) -> None:
        self.left.add(name)
        self.sheets.pop(name, None)
        self.proposed.pop(name, None)
        for call in self.calls:
            if name in call["players"]:
                call["players"].remove(name)
                call["contributions"].pop(name, None)
            if call["roller"] == name:
                call["roller"] = None
        self.calls = [call for call in self.calls if call["players"]]
        roll = self.open_roll_of(name)
        if roll is not None:
            roll["status"] = "abandoned"
            self.nothing_comes_of(roll)
            self.settled_last(roll)
        self.look_at_votes()

    def nothing_comes_of(self, roll: Body) -> None:
        roll["stands"] = False
        roll["before"] = roll["outcome"] = None
        roll["boons"]["earned"] = roll["banes"]["earned"] = 0
        roll["damage"] = None
        roll["drive"] = 0

    def presence(self) -> None:
        self.look_at_votes()

    def ruling(self, seq: int, author: str, body: Body) -> None:
        roll = self.find_kept_roll(body["subject"])
        if roll is not None and body["ruling"] == "correct":
            results = body.get("results", [])
            if not all(1 <= entry["die"] <= len(roll["dice"]) for entry in results):
                raise Violation("ruling")
            self.correct(roll, results)
        if roll is not None and body["ruling"] == "void":
            self.strike(roll)
        self.record(seq, author, body)

    def correct(self, roll: Body, results: list[Body]) -> None:
        for entry in results:
            die = roll["dice"][entry["die"] - 1]
            if die["steps"] and "ruled" in die["steps"][-1]:
                die["steps"].pop()
            die["steps"].append({"ruled": entry["result"]})
            die["result"] = entry["result"]
        if roll["stands"] or roll["status"] == "resolved":
            self.enter(roll, work_out(roll))
        elif roll["status"] == "open":
            self.read_outcome(roll)

    def strike(self, roll: Body) -> None:
        was = roll["status"]
        if was not in ("void", "struck"):
            for one in roll["modifiers"]:
                if one["kind"] == "drive":
                    self.change_drive(one["player"], one["amount"])
                elif one["kind"] == "tag" and not self.exhausted_again(roll, one):
                    tags = self.sheets.get(one["player"], {"tags": {}})["tags"]
                    if one["source"] in tags:
                        tags[one["source"]]["exhausted"] = False
            self.change_drive(roll["player"], -roll["drive"])
            self.nothing_comes_of(roll)
        roll["status"] = "struck"
        if was == "open":
            self.settled_last(roll)

    def exhausted_again(self, roll: Body, tag: Body) -> bool:
        for other in self.kept_rolls():
            if other["roll"] <= roll["roll"] or other["status"] in ("void", "struck"):
                continue
            for one in other["modifiers"]:
                if one["kind"] == "tag" and one["player"] == tag["player"] and one["source"] == tag["source"]:
                    return True
        return False

    # The state, as reports show it.

    def owed(self) -> list[Body]:
        found: list[Body] = []
        for roll in self.kept_rolls():
            kind, left = self.left_to_spend(roll)
            if kind is not None:
                party = roll["player"] if kind == "boons" else None
                found.append({"roll": roll["roll"], "kind": kind, "party": party, "left": left})
        return found

    def waits_for(self) -> dict[str, str] | None:
        for roll in self.open_rolls():
            if not roll["stands"]:
                return self.waits_for_open_roll(roll)
        for entry in self.owed():
            if entry["kind"] == "boons":
                if entry["party"] not in self.away:
                    return {"party": entry["party"], "choice": "spend boons"}
            else:
                gm = self.first_gm()
                if gm is not None:
                    return {"party": gm, "choice": "spend banes"}
        for call in self.calls:
            waiting = self.waits_for_call(call)
            if waiting is not None:
                return waiting
        return None

    def waits_for_open_roll(self, roll: Body) -> dict[str, str]:
        roller: str = roll["player"]
        if roll["decided"] is True:
            return {"party": roller, "choice": "double down"}
        voters = self.voters(roll)
        if not voters:
            return {"party": roller, "choice": "double down or resolve"}
        for voter in voters:
            if voter not in roll["votes"]:
                return {"party": voter, "choice": "vote"}
        return {"party": roller, "choice": "vote"}

    def may_roll(self, call: Body, player: str) -> bool:
        try:
            self.check_roll(player, {"call": call["call"]})
        except Violation:
            return False
        return True

    def contribution_holds(self, call: Body, player: str) -> bool:
        """Whether a contribution that is there can still be given; there need not be any."""
        given = call["contributions"].get(player)
        if given is None:
            return True
        try:
            self.check_contribution(call, player, given)
        except Violation:
            return False
        return True

    def waits_for_call(self, call: Body) -> dict[str, str] | None:
        present = self.present(call)
        for player in present:
            if self.may_roll(call, player):
                return {"party": player, "choice": "roll"}
        if len(call["players"]) < 2:
            return None
        # That somebody who would be the roller has a roll open that does not stand was told before any call.
        names = self.names(call)
        for player in present:
            nameless = names[player] is None and not self.would_roll(call, player)
            if nameless or not self.contribution_holds(call, player):
                return {"party": player, "choice": "contribute"}
        gm = self.first_gm()
        said = call["roller"] is not None and call["roller"] in present
        if self.is_tie(names) and not said and gm is not None:
            return {"party": gm, "choice": "name the roller"}
        for player in present:
            return {"party": player, "choice": "contribute"}
        return None

    def show_sheets(self, sheets: Body) -> Body:
        return {
            player: {**copy.deepcopy(sheet), "stars": sheet["track"][sheet["stress"]]}
            for player, sheet in sheets.items()
        }

    def state(self) -> Body:
        for roll in self.rolls:
            roll["left"] = self.left_to_spend(roll)[1]
        return {
            **self.shared_state(SHOWN),
            "open": [roll["roll"] for roll in self.open_rolls()],
            "sheets": self.show_sheets(self.sheets),
            "proposed": self.show_sheets(self.proposed),
            "calls": copy.deepcopy(self.calls),
            "owed": self.owed(),
            "tension": self.tension,
            "players": copy.deepcopy(self.players),
        }


def run_script(script: Body) -> Body:
    """The final state of a script, or its violation; SchemaError when it cannot be read."""
    return reference_rules.run_script(script, DoubleDown)
