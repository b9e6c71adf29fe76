"""What the oracles of all systems share: specs/rules.md, and the steps of verification.md that a script goes through.

Nothing of the project is imported. An oracle gives a class made from `Game`; what a system's page says is there,
what rules.md, protocol.md and log.md say is here. Where the pages leave a choice, it is marked CHOICE.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any, ClassVar

SCRIPT_FORMAT = "rollproof/script/v1"

MAX_SAFE_INTEGER = 2**53 - 1
MAX_PARTIES = 64
MAX_TEXT = 500
MAX_DICE = 1_000
MAX_MODIFIER = 1_000_000_000
MAX_ITEMS = 100
HISTORY = 1_000
HISTORY_DICE = 10_000
MAX_TOLD = 10_000
MAX_LOAD = 100_000
HISTORY_LOAD = 2_000_000
MAX_SCRIPT_EVENTS = 10_000
REQUESTS = ("roll", "reroll")
ACTIONS = ("ignore", "store", "modify", "resolve", "declare")
DOMAIN = REQUESTS + ACTIONS
# Who may write what (protocol.md, the state table), for the types that a script has.
ROLES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("join", "void", "away", "back", "leave"), ("player", "gm", "judge", "witness")),
    "ruling": ("judge",),
    "close": ("keeper",),
    **dict.fromkeys(REQUESTS, ("player",)),
    **dict.fromkeys(ACTIONS, ("player", "gm")),
}

Body = dict[str, Any]
Check = Callable[[object], None]


class SchemaError(Exception):
    """A body, options or a script are not of their schema."""


class Violation(Exception):
    """An event that the rules, or steps 9, 13 and 15 of verification.md, refuse."""

    def __init__(self, clause: str | None, code: str = "rules.violation") -> None:
        super().__init__(f"{code} {clause}")
        self.code = code
        self.clause = clause


# --- what bears on a roll ---------------------------------------------------------------------------


def weight(texts: list[str]) -> int:
    """Of entries that have these texts, each all of its own."""
    return sum(32 + len(text.encode("utf-8")) for text in texts)


def check_load(told: int, dice: int, clause: str) -> None:
    if told > MAX_TOLD or told * (dice + 1) > MAX_LOAD:
        raise Violation(clause)


# --- schemas --------------------------------------------------------------------------------------


def need(condition: bool, what: str) -> None:
    if not condition:
        raise SchemaError(what)


def is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_SAFE_INTEGER


def integer(value: object) -> None:
    need(is_integer(value), "an integer is needed")


def integer_between(low: int, high: int) -> Check:
    def check(value: object) -> None:
        need(
            isinstance(value, int) and is_integer(value) and low <= value <= high,
            f"{low} to {high} is needed",
        )

    return check


def positive(value: object) -> None:
    integer_between(1, MAX_SAFE_INTEGER)(value)


def boolean(value: object) -> None:
    need(isinstance(value, bool), "a boolean is needed")


def true(value: object) -> None:
    need(value is True, "true is needed, or nothing")


def is_text(value: object, longest: int | None = MAX_TEXT) -> bool:
    if not isinstance(value, str) or (longest is not None and len(value) > longest):
        return False
    for character in value:
        point = ord(character)
        if point <= 0x1F or 0x7F <= point <= 0x9F or 0xD800 <= point <= 0xDFFF or 0x2028 <= point <= 0x2029:
            return False
        if any(first <= point <= last for first, last in IGNORABLE) and point not in JOINERS:
            return False
    return all(joins(value, at) for at, character in enumerate(value) if ord(character) in JOINERS)


JOINERS = (0x200C, 0x200D, 0xFE0F)
IGNORABLE = (
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)),
    *((0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
"""log.md, "Text": the property Default_Ignorable_Code_Point of Unicode 17.0.0"""


def joins(value: str, at: int) -> bool:
    """A joiner stands where scripts and emoji need it."""
    if at == 0:
        return False
    before = ord(value[at - 1])
    if before == 0xFE0F:
        return ord(value[at]) == 0x200D
    if before in JOINERS:
        return False
    return before >= 0x80 or (value[at - 1] in "0123456789#*" and value[at : at + 2] == "\ufe0f\u20e3")


def text(value: object) -> None:
    need(is_text(value), "a text is needed")


def required_text(value: object) -> None:
    need(is_text(value) and value != "", "a text that is not empty is needed")


def is_name(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[a-z0-9][a-z0-9._-]{0,31}", value) is not None and value != "file"


def name(value: object) -> None:
    need(is_name(value), "a name is needed")


def one_of(*words: str) -> Check:
    def check(value: object) -> None:
        need(isinstance(value, str) and value in words, f"one of {words} is needed")

    return check


def amount(value: object) -> None:
    integer_between(-MAX_MODIFIER, MAX_MODIFIER)(value)
    need(value != 0, "an amount is not 0")


def array_of(item: Check, most: int = MAX_ITEMS, least: int = 0) -> Check:
    def check(value: object) -> None:
        need(isinstance(value, list), "an array is needed")
        assert isinstance(value, list)
        need(least <= len(value) <= most, f"{least} to {most} entries are needed")
        for entry in value:
            item(entry)

    return check


def object_of(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    optional = optional or {}
    every = {**required, **optional}

    def check(value: object) -> None:
        need(isinstance(value, dict), "an object is needed")
        assert isinstance(value, dict)
        need(set(value) <= set(every), "a member that is not known")
        need(set(required) <= set(value), "a member is missing")
        for member, entry in value.items():
            every[member](entry)

    return check


def check_protocol_body(type: str, body: object) -> None:
    """The bodies of the protocol's own types, as far as a script has them."""
    if type in ("leave", "away", "back"):
        object_of({"party": name})(body)
    elif type == "ruling":
        object_of(
            {
                "ruling": one_of("void", "correct", "uphold", "penalty"),
                "subject": integer,
                "text": required_text,
            },
            {
                "party": name,
                "results": array_of(
                    object_of({"die": integer_between(1, MAX_SAFE_INTEGER), "result": integer}), MAX_DICE
                ),
            },
        )(body)
    else:
        object_of({})(body)


# --- notations ------------------------------------------------------------------------------------


def parse_dice(notation: str) -> list[int] | None:
    """The sides of each die in order, or None when this is no dice notation."""
    sides: list[int] = []
    for term in notation.split("+"):
        match = re.fullmatch("([1-9][0-9]*)?d([1-9][0-9]*)", term)
        # More digits than MAX_SAFE_INTEGER has are too many in any case.
        if match is None or len(match[2]) > 16 or int(match[2]) > MAX_SAFE_INTEGER:
            return None
        if match[1] is not None and (len(match[1]) > 4 or int(match[1]) > MAX_DICE):
            return None
        sides += [int(match[2])] * (1 if match[1] is None else int(match[1]))
        if len(sides) > MAX_DICE:
            return None
    return sides


# --- the game -------------------------------------------------------------------------------------


class Game:
    """The part of one game's state that all systems have. A method that raises Violation has changed nothing before."""

    SYSTEM: ClassVar[str]
    ROLES: ClassVar[tuple[str, ...]] = ("keeper", "player", "judge", "witness")
    ROLLERS: ClassVar[tuple[str, ...]] = ("player",)
    """The roles that roll."""
    AGREEMENT: ClassVar[str | None] = None
    """The clause of `state.not-agreed`."""
    GM_ROLLS: ClassVar[str | None] = None
    """The clause of `author.role` for a request by a gm, where game masters do not roll."""

    def __init__(self, options: Body, parties: dict[str, str], joined: list[str] | None = None) -> None:
        """`parties`: name -> role, in party order; `joined`: who has joined at the start (absent: all)."""
        self.options = dict(options)
        self.parties = dict(parties)
        self.first = frozenset(parties)
        """of event 0: nobody waits for who comes later"""
        self.joined = set(parties if joined is None else joined)
        self.left: set[str] = set()
        self.away: set[str] = set()
        self.asked: Body = {}
        """The latest request: seq, author, type and body."""
        self.owes: dict[str, Body] = {}
        """For each author that owes one: the voided request."""
        self.phase = "idle"
        self.requests = 0
        self.rulings: list[Body] = []
        self.rolls: list[Body] = []
        self.open: int | None = None
        self.pending: Body | None = None

    # What a system's page says.

    @staticmethod
    def check_options(options: object) -> None:
        raise NotImplementedError

    @staticmethod
    def check_body(type: str, body: object) -> None:
        raise NotImplementedError

    def request(self, seq: int, author: str, type: str, body: Body) -> list[int]:
        """The sides of the dice that the request draws first."""
        raise NotImplementedError

    def further(self, naturals: list[int]) -> list[int]:
        """The sides of the dice that the pending request draws after these naturals; in no system yet any."""
        return []

    def reveal(self, naturals: list[int]) -> None:
        raise NotImplementedError

    def void(self) -> None:
        raise NotImplementedError

    def act(self, seq: int, author: str, type: str, body: Body) -> None:
        raise NotImplementedError

    def leave(self, name: str) -> None:
        raise NotImplementedError

    def ruling(self, seq: int, author: str, body: Body) -> None:
        raise NotImplementedError

    def presence(self) -> None:
        """What follows for the rules from an `away` or a `back` that took effect just now; `away` has who is."""

    def settle_standing(self) -> None:
        """Settle all rolls that stand, in the order of their requests; nothing where no roll stands."""

    def waits_for(self) -> dict[str, str] | None:
        raise NotImplementedError

    def state(self) -> Body:
        raise NotImplementedError

    # What rules.md and protocol.md say.

    def join(self, party: str) -> None:
        self.joined.add(party)

    def close(self) -> None:
        """A request that waits draws nothing, and nobody owes it: all is as before it. Then what stands is settled."""
        if self.phase == "pending":
            self.void()
        self.settle_standing()
        self.phase = "closed"

    def check_owed(self, author: str, type: str, body: Body) -> None:
        """The request that an author owes comes before any other of theirs."""
        owed = self.owes.get(author)
        if owed is None or (owed["type"] == type and equal(owed["body"], body)):
            return
        try:
            copy.deepcopy(self).request(owed["seq"], author, owed["type"], owed["body"])
        except Violation:  # the rules do not allow it any more
            return
        raise Violation(None, "state.owed")

    def requested(self, seq: int, author: str, type: str, body: Body) -> None:
        self.asked = {"seq": seq, "author": author, "type": type, "body": copy.deepcopy(body)}
        owed = self.owes.get(author)
        if owed is not None and owed["type"] == type and equal(owed["body"], body):
            del self.owes[author]

    def voided(self) -> None:
        """The rules see the pending request as never made; it is owed."""
        self.void()
        self.owes[self.asked["author"]] = self.asked

    def ruled(self, body: Body) -> None:
        """A ruling `void` about an owed request: nobody owes it any more."""
        if body["ruling"] == "void":
            self.owes = {who: one for who, one in self.owes.items() if one["seq"] != body["subject"]}

    def departed(self, party: str) -> None:
        self.leave(party)
        self.away.discard(party)
        self.owes.pop(party, None)

    def all_dice(self, first: list[int], naturals: list[int]) -> list[int]:
        """The sides of all dice that the pending request draws, as far as these naturals tell."""
        sides = first[:MAX_DICE]
        while len(sides) < MAX_DICE and len(naturals) >= len(sides):
            coming = self.further(naturals[: len(sides)])[: MAX_DICE - len(sides)]
            if not coming:
                break
            sides = sides + coming
        return sides

    def not_agreed(self) -> set[str]:
        """Who must join, or leave, before anybody rolls."""
        players = {party for party in self.first if self.parties[party] in ("player", "gm")}
        return players - self.left - self.joined

    def refuse_before_agreement(self) -> None:
        if self.not_agreed():
            raise Violation(self.AGREEMENT, "state.not-agreed")

    def find_roll(self, number: int) -> Body:
        for roll in reversed(self.rolls):
            if roll["roll"] == number:
                return roll
        raise KeyError(number)

    def kept_rolls(self) -> list[Body]:
        """The settled ones in the order in which they were settled, then the others in the order of their requests."""
        settled = [roll for roll in self.rolls if roll["status"] not in ("pending", "open")]
        unsettled = [roll for roll in self.rolls if roll["status"] in ("pending", "open")]
        return self.latest(settled) + sorted(unsettled, key=lambda roll: int(roll["roll"]))

    def settled_last(self, roll: Body) -> None:
        """The roll is settled now: of the settled ones it is the last. Needed where several rolls are open at once."""
        self.rolls = [*(one for one in self.rolls if one is not roll), roll]

    def latest(self, settled: list[Body]) -> list[Body]:
        """Looked at again whenever a roll is settled: what was dropped once does not come back."""
        kept: list[Body] = []
        for roll in settled:
            kept = [*kept, roll][-HISTORY:]
            while len(kept) > 1 and (
                sum(len(one["dice"]) for one in kept) > HISTORY_DICE
                or sum(self.load(one) for one in kept) > HISTORY_LOAD
            ):
                kept = kept[1:]
        return kept

    def load(self, roll: Body) -> int:
        """What bears on a roll, times its dice and one."""
        return 0

    def find_kept_roll(self, number: int) -> Body | None:
        for roll in self.kept_rolls():
            if roll["roll"] == number:
                return roll
        return None

    def check_naturals(self, naturals: list[int], sides: list[int]) -> None:
        need(
            len(naturals) == len(sides)
            and all(
                is_integer(natural) and 1 <= natural <= most for natural, most in zip(naturals, sides, strict=True)
            ),
            "the naturals do not fit the dice",
        )

    def record(self, seq: int, author: str, body: Body) -> None:
        """Enter a ruling."""
        self.rulings.append(
            {
                "seq": seq,
                "judge": author,
                "ruling": body["ruling"],
                "subject": body["subject"],
                "text": body["text"],
                "party": body.get("party"),
                "results": copy.deepcopy(body.get("results")),
            }
        )

    def waited_for(self) -> dict[str, str] | None:
        """What the state has in `waits_for`: the keeper, who has not joined, or what the rules wait for."""
        if self.phase == "closed":
            return None
        if self.phase in ("pending", "voided"):
            keeper = next(party for party, role in self.parties.items() if role == "keeper")
            return {"party": keeper, "choice": "reveal" if self.phase == "pending" else "disclose"}
        for party in self.parties:
            if party in self.not_agreed():
                return {"party": party, "choice": "join"}
        return self.waits_for()

    def shared_state(self, shown: tuple[str, ...]) -> Body:
        """The members of the state that every system has; `shown`: the members of a roll."""
        return {
            "system": self.SYSTEM,
            "phase": self.phase,
            "joined": [party for party in self.parties if party in self.joined],
            "left": [party for party in self.parties if party in self.left],
            "away": [party for party in self.parties if party in self.away],
            "owes": {party: one["seq"] for party, one in self.owes.items()},
            "requests": self.requests,
            "waits_for": self.waited_for(),
            "rulings": copy.deepcopy(self.rulings[-HISTORY:]),
            "rolls": [{member: copy.deepcopy(roll[member]) for member in shown} for roll in self.kept_rolls()],
        }


def equal(one: object, other: object) -> bool:
    """Whether two JSON values are equal; in Python True is 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


# --- scripts --------------------------------------------------------------------------------------


def anything(value: object) -> None:
    pass


def any_object(value: object) -> None:
    need(isinstance(value, dict), "an object is needed")


def any_string(value: object) -> None:
    need(isinstance(value, str), "a string is needed")


def clause_or_null(value: object) -> None:
    need(value is None or isinstance(value, str), "a clause or null is needed")


def check_script(script: object, game: type[Game]) -> None:
    """What can be said of a script of this system before it is run."""
    object_of(
        {
            "format": one_of(SCRIPT_FORMAT),
            "system": one_of(game.SYSTEM),
            "options": game.check_options,
            "parties": any_object,
            "events": array_of(
                object_of(
                    {"author": any_string, "type": one_of(*ROLES)},
                    {"body": any_object, "naturals": array_of(integer, MAX_DICE)},
                ),
                MAX_SCRIPT_EVENTS,
            ),
        },
        {"about": any_string, "expect": any_object},
    )(script)
    assert isinstance(script, dict)
    parties = script["parties"]
    for party, role in parties.items():
        name(party)
        one_of(*game.ROLES)(role)
    roles = list(parties.values())
    need(roles.count("keeper") == 1 and "player" in roles, "one keeper and a player are needed")
    need(len(roles) <= MAX_PARTIES, "too many parties")
    for event in script["events"]:
        # CHOICE: an author that is no party makes a script unreadable; step 11 is none of a script's steps.
        need(event["author"] in parties, "the author is no party")
        need("naturals" not in event or event["type"] in REQUESTS, "only a request has naturals")
    if "expect" in script:
        violation = object_of({"seq": integer, "clause": clause_or_null}, {"code": any_string})
        need(len(script["expect"]) == 1, "expect is a violation or a state")
        object_of({}, {"violation": violation, "state": any_object})(script["expect"])


def run_event(game: Game, seq: int, event: Body) -> None:  # noqa: C901 - the checks in their order
    author, kind, body = event["author"], event["type"], event.get("body", {})
    role = game.parties[author]
    # Step 9.
    try:
        if kind in DOMAIN:
            game.check_body(kind, body)
        else:
            check_protocol_body(kind, body)
    except SchemaError as error:
        raise Violation(None, "body.malformed") from error
    # Step 13.
    if role not in (game.ROLLERS if kind in REQUESTS else ROLES[kind]):
        raise Violation(game.GM_ROLLS if role == "gm" and kind in REQUESTS else None, "author.role")
    # Step 15.
    if game.phase == "closed":
        raise Violation(None, "state.closed")
    if game.phase == "pending" and kind not in ("void", "close"):
        raise Violation(None, "state.pending")
    if game.phase != "pending" and kind == "void":
        raise Violation(None, "state.not-pending")
    if kind == "join":
        if author in game.joined:
            raise Violation(None, "state.joined-twice")
        if author in game.left:
            raise Violation(None, "state.left")
    else:
        if author in game.left:
            raise Violation(None, "state.left")
        if author not in game.joined:
            raise Violation(None, "state.not-joined")
        if author in game.away and kind not in ("back", "leave"):
            raise Violation(None, "state.away")
    if kind == "leave":
        party = body["party"]
        if party not in game.parties or game.parties[party] == "keeper" or party in game.left:
            raise Violation(None, "state.leave")
        if author != party and role != "judge":
            raise Violation(None, "state.leave")
    if kind in ("away", "back"):
        # A script has no event 0 that lets the others sign a party away.
        party = body["party"]
        if party not in game.parties or (author != party and role != "judge"):
            raise Violation(None, "state.presence")
        here = party in game.joined and party not in game.left and party not in game.away
        if kind == "away" and (game.parties[party] not in ("player", "gm", "witness") or not here):
            raise Violation(None, "state.presence")
        if kind == "back" and party not in game.away:
            raise Violation(None, "state.presence")
    if kind in REQUESTS:
        game.refuse_before_agreement()
        game.check_owed(author, kind, body)
    if kind == "void" and author != game.asked["author"] and role != "judge":
        raise Violation(None, "state.void")
    if kind == "ruling":
        if not 0 <= body["subject"] < seq:
            raise Violation(None, "ruling.subject")
        if ("party" in body) != (body["ruling"] == "penalty"):
            raise Violation(None, "ruling.form")
        if "results" in body and body["ruling"] != "correct":
            # CHOICE: `correct` may come without results, they are marked optional.
            raise Violation(None, "ruling.form")
        named = [entry["die"] for entry in body.get("results", [])]
        if len(set(named)) < len(named):
            raise Violation(None, "ruling.form")
        if "party" in body and body["party"] not in game.parties:
            raise Violation(None, "ruling.form")
    # Step 23.
    if kind in REQUESTS:
        first = game.request(seq, author, kind, body)
        game.requested(seq, author, kind, body)
        if "naturals" in event:
            game.check_naturals(event["naturals"], game.all_dice(first, event["naturals"]))
            game.reveal(event["naturals"])
    elif kind in ACTIONS:
        game.act(seq, author, kind, body)
    elif kind == "void":
        # A script leaves out the keeper's disclose.
        game.voided()
    elif kind == "join":
        game.join(author)
    elif kind == "leave":
        game.departed(body["party"])
    elif kind == "away":
        game.away.add(body["party"])
        game.presence()
    elif kind == "back":
        game.away.discard(body["party"])
        game.presence()
    elif kind == "ruling":
        game.ruling(seq, author, body)
        game.ruled(body)
    else:
        game.close()


def run_script(script: Body, system: type[Game]) -> Body:
    """The final state of a script, or its violation; SchemaError when it cannot be read."""
    check_script(script, system)
    parties: dict[str, str] = script["parties"]
    joined = list(parties)
    if any(event["type"] == "join" for event in script["events"]):
        joined = [party for party, role in parties.items() if role == "keeper"]
    game = system(script["options"], parties, joined)
    for seq, event in enumerate(script["events"], start=1):
        try:
            run_event(game, seq, event)
        except Violation as violation:
            return {"violation": {"seq": seq, "code": violation.code, "clause": violation.clause}}
    return {"state": game.state()}


def difference(expected: object, actual: object, where: str = "") -> str | None:
    """Where what is expected is not so, or None: members that are named, arrays whole."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for member, value in expected.items():
            if member not in actual:
                return f"{where}/{member}: missing"
            found = difference(value, actual[member], f"{where}/{member}")
            if found is not None:
                return found
        return None
    if isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            return f"{where}: {len(expected)} entries expected, {len(actual)} there"
        for index, (one, other) in enumerate(zip(expected, actual, strict=True)):
            found = difference(one, other, f"{where}/{index}")
            if found is not None:
                return found
        return None
    if type(expected) is not type(actual) or expected != actual:
        return f"{where}: {expected!r} expected, {actual!r} there"
    return None
