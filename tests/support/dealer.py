"""A player of random games of Magic: it mostly does what the state asks for, and sometimes anything at all."""

from collections.abc import Callable
from random import Random
from typing import Any

from rules import Role

__all__ = ["PARTIES", "Dealer"]

PARTIES: dict[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge", "walt": "witness"}


class Dealer:
    """Makes up the next event of a game from its state."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.asked: dict[int, dict[str, Any]] = {}
        """the requests so far, by number: one that was voided is owed"""
        self.sources = ["Delina, Wild Mage", "Barbarian Class", "D20", "é – “x”"]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def some(self, *choices: Any) -> Any:
        return choices[self.random.randrange(len(choices))]

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def maybe(self, percent: int, **members: Callable[[], Any]) -> dict[str, Any]:
        return {name: make() for name, make in members.items() if self.chance(percent)}

    def event(self, state: dict[str, Any]) -> dict[str, Any]:
        """Author, type and body of what might come next."""
        event: dict[str, Any] = self.sensible(state) if not self.chance(12) else self.wild(state)
        owed = self.asked.get(state["owes"].get(event["author"], 0))
        if owed is not None and event["type"] in ("roll", "reroll") and self.chance(60):
            event = {name: owed[name] for name in ("author", "type", "body")}
        if self.chance(4):
            event["author"] = self.some(*PARTIES)
        if self.chance(4):
            event["body"] = self.damaged(event["body"])
        return event

    def sensible(self, state: dict[str, Any]) -> dict[str, Any]:
        missing = [name for name in PARTIES if name not in state["joined"] and name not in state["left"]]
        if missing and self.chance(70):
            return {"author": missing[0], "type": "join", "body": {}}
        if self.chance(6):
            return self.ruling(state)
        if state["phase"] == "pending":
            return self.end(state)
        if state["away"] and self.chance(25):
            party = self.some(*state["away"])
            return {"author": self.some(party, "dana"), "type": "back", "body": {"party": party}}
        if state["owes"] and self.chance(40):
            owed = self.asked[state["owes"][self.some(*state["owes"])]]
            return {name: owed[name] for name in ("author", "type", "body")}
        if state["open"] is not None:
            roll = next(roll for roll in state["rolls"] if roll["roll"] == state["open"])
            return self.go_on(state, roll)
        if state["again"] is not None:
            if self.chance(15):
                return self.offer(state)
            first = next((roll for roll in state["rolls"] if roll["roll"] == state["again"]), {"player": "alice"})
            if self.chance(20):
                return {"author": self.some("alice", "bob"), "type": "declare", "body": self.declaration(state)}
            return self.repeat(state, first)
        return self.begin(state)

    def repeat(self, state: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
        body = {"again": state["again"]}
        if self.chance(20) and "notation" in first:
            body |= {"dice": first["notation"], "modifiers": first["modifiers"][::-1]}
        body |= self.maybe(25, ignores=lambda: self.some([], self.ignores()), effects=lambda: [self.effect()])
        body |= self.maybe(15, source=lambda: "Again") | self.without(state)
        return {"author": first["player"], "type": "roll", "body": body}

    def end(self, state: dict[str, Any]) -> dict[str, Any]:
        """What a roll comes to that waits and gets no dice."""
        if self.chance(5):
            return {"author": "host", "type": "close", "body": {}}
        roller = next((roll["player"] for roll in state["rolls"] if roll["status"] == "pending"), "alice")
        return {"author": self.some(roller, roller, "dana"), "type": "void", "body": {}}

    def offer(self, state: dict[str, Any]) -> dict[str, Any]:
        """What can come instead of a roll again: an answer to its offer, a permanent that leaves."""
        first = next((roll for roll in state["rolls"] if roll["roll"] == state["again"]), {"player": "alice"})
        if state["permanents"] and self.chance(30):
            return self.gone(state)
        body = {"roll": state["again"]} | self.maybe(85, again=lambda: False)
        return {"author": first["player"], "type": "resolve", "body": body}

    def gone(self, state: dict[str, Any]) -> dict[str, Any]:
        key = self.permanent(state, there=True)
        owner = state["permanents"].get(key, {"controller": "bob"})["controller"]
        return {"author": owner, "type": "declare", "body": {"what": "gone", "permanent": key}}

    def wild(self, state: dict[str, Any]) -> dict[str, Any]:
        """Something whose time may not have come."""
        roll = state["rolls"][self.number(0, len(state["rolls"]) - 1)] if state["rolls"] else None
        if roll is not None and self.chance(50):
            return self.go_on(state, roll)
        if self.chance(20):
            party = self.some(*PARTIES, "nobody")
            author = party if party in PARTIES and self.chance(60) else self.some("dana", "dana", *PARTIES)
            return {"author": author, "type": self.some("leave", "away", "away", "back"), "body": {"party": party}}
        if self.chance(2):
            return {"author": "host", "type": "close", "body": {}}
        return self.begin(state)

    # What can begin when nothing is open.

    def begin(self, state: dict[str, Any]) -> dict[str, Any]:
        author = self.some("alice", "alice", "bob")
        author = author if author not in state["left"] or self.chance(5) else "alice"
        stored = [key for key, permanent in state["permanents"].items() if permanent["stored"]]
        choice = self.number(0, 99)
        if state["ability"] is not None and choice < 18:
            body = {"joins": state["ability"]} | self.maybe(25, ignores=self.ignores, effects=lambda: [self.effect()])
            first = next((roll for roll in state["rolls"] if roll["roll"] == state["ability"]), {"notation": ""})
            body |= self.maybe(60 if "coin" in first["notation"] else 2, call=lambda: self.some("heads", "tails"))
            body |= self.without(state)
            return {"author": self.some("alice", "bob", "bob"), "type": "roll", "body": body}
        if stored and choice < 55:
            return self.stored_reroll(state, self.some(*stored))
        if choice < 68:
            return {"author": author, "type": "declare", "body": self.declaration(state)}
        body = self.some(*[self.roll] * 8, self.flip, self.chosen)(state) | self.without(state)
        owner = state["permanents"].get(body.get("store"), {}).get("controller", author)
        return {"author": owner if self.chance(90) else author, "type": "roll", "body": body}

    def stored_reroll(self, state: dict[str, Any], key: str) -> dict[str, Any]:
        permanent = state["permanents"][key]
        numbers = [one["stored"] for one in permanent["stored"]]
        self.random.shuffle(numbers)
        body = {"permanent": key, "stored": numbers[: self.number(1, 2)], "source": "Reroll"}
        body |= self.maybe(8, by=lambda: self.some(key, "other"), modifiers=self.modifiers, ignores=self.ignores)
        body |= self.without(state)
        return {"author": permanent["controller"], "type": "reroll", "body": body}

    def without(self, state: dict[str, Any]) -> dict[str, Any]:
        numbers = [one["standing"] for one in state.get("standing", ())]
        if not self.chance(20 if numbers else 1):
            return {}
        self.random.shuffle(numbers)
        numbers = numbers[: self.number(1, 2)] + ([self.number(1, 4)] if self.chance(10) else [])
        return {"without": numbers}

    def flip(self, state: dict[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = {"source": "Mana Crypt", "dice": self.some("coin", "coin", "3coin", "2coin+coin")}
        body |= self.maybe(60, call=lambda: self.some("heads", "tails"), use=lambda: "3 damage")
        body |= self.maybe(4, modifiers=self.modifiers, table=self.table, ignores=self.ignores)
        return body | self.maybe(30, ignores=lambda: [{"source": "Krark's Thumb", "which": self.some("pair", "any")}])

    def chosen(self, state: dict[str, Any]) -> dict[str, Any]:
        body = {"source": "Hymn to Tourach", "dice": self.some("d7", "2d4", "2d4", "planar", "coin"), "random": True}
        return body | self.maybe(30, table=self.table) | self.maybe(3, ignores=self.ignores)

    def declaration(self, state: dict[str, Any]) -> dict[str, Any]:
        match self.number(0, 8):
            case 6 | 7:
                what: dict[str, Any] = {"ignore": self.ignoring()} if self.chance(50) else {"effect": self.effect()}
                told = what.get("ignore", what.get("effect", {}))
                if self.chance(85):
                    told.pop("sides", None)
                    told.pop("once", None)
                whose = self.maybe(50, whose=lambda: self.some("you", "opponents", "any"))
                goes = self.maybe(25, permanent=lambda: self.permanent(state, there=True))
                return {"what": "standing", **what, **whose, **goes}
            case 8:
                return {"what": "ends", "standing": self.number(1, 4)}
            case 0 | 1:
                on = self.some("rolled", "die", "result", "result", "natural", "highest", "won", "lost")
                low = f"{self.some('', '-')}{self.number(0, 3)} or less"
                ranged = {"range": self.some(self.range(), low)} if on in ("result", "natural") else {}
                whose = self.maybe(60, whose=lambda: self.some("you", "opponents", "any"))
                return {"what": "trigger", "source": self.some(*self.sources), "on": on, **ranged, **whose}
            case 2 | 3:
                return {"what": "permanent", "permanent": self.permanent(state, there=False), "name": "Centaur"}
            case 4:
                return {"what": "gone", "permanent": self.permanent(state, there=True)}
            case _:
                return {"what": "ends", "trigger": self.number(1, 3)}

    def permanent(self, state: dict[str, Any], *, there: bool) -> str:
        """The id of a permanent that is there, or of one that is not; now and then of any."""
        ids = [key for key in ("centaur", "art", "k.2", "k.3") if (key in state["permanents"]) is there]
        return str(self.some(*ids)) if ids and self.chance(92) else str(self.some("centaur", "art", "zzz"))

    def range(self) -> str:
        if self.chance(5):
            return str(self.some("", "x", "5-", "+", "9-2", "01", "-3", "1--4", "99999999999999999"))
        low = self.number(0, 8)
        return str(self.some(str(low), f"{low}{self.some(*'–—-−～')}{low + self.number(0, 5)}", f"{low}+", "２＋"))

    def table(self) -> list[dict[str, Any]]:
        rows, low = [], self.number(-1, 2)
        for _ in range(self.number(1, 4)):
            low = max(low, 0) + self.number(0, 1)
            high = low + self.number(0, 4)
            row: dict[str, Any] = {
                "range": f"{low}–{high}" if high > low else str(low),
                "effect": self.some("", "Draw."),
            }
            row |= self.maybe(25, again=lambda: self.some(True, True, "may"))
            rows.append(row)
            low = high + 1
        if self.chance(30):
            rows[-1]["range"] = f"{low}+"
        if self.chance(5):
            rows[self.number(0, len(rows) - 1)]["range"] = self.range()
        return rows if self.chance(70) else rows[::-1]

    def modifiers(self) -> list[dict[str, Any]]:
        return [{"source": "Bonus", "amount": self.some(1, 2, -1, -7, 10**9)} for _ in range(self.number(0, 2))]

    def ignores(self) -> list[dict[str, Any]]:
        return [self.ignoring() for _ in range(self.number(1, 2))]

    def ignoring(self) -> dict[str, Any]:
        only = self.maybe(12, only=lambda: self.some("d6", "d4", "d20", "planar", "coin"))
        if self.chance(25):
            return {"source": "Krark's Other Thumb", "which": "pair", **only} | self.maybe(3, extra=lambda: 1)
        told = {"source": self.some("Barbarian Class", "Pixie Guide")}
        told |= {"which": self.some("lowest", "lowest", "highest", "any")}
        told |= self.maybe(60, extra=lambda: self.some(0, 1, 1, 2), count=lambda: self.some(1, 1, 2))
        if "only" in only and (told["which"] == "any" or only["only"] not in ("planar", "coin") or self.chance(5)):
            return told | only
        return told | self.maybe(15 if told.get("extra") else 1, sides=lambda: self.some(4, 6, 6, 8, 20))

    def effect(self) -> dict[str, Any]:
        kind = self.some("reroll", "adjust", "adjust", "exchange")
        own: dict[str, Any] = {"amounts": [self.some(1, -1, 2, 5) for _ in range(self.number(1, 2))]}
        if kind != "adjust":
            own = {"number": self.some(0, 4, -2), "scope": "one"} if kind == "exchange" else {}
        scope = self.maybe(60, scope=lambda: self.some("each", "one", "any"))
        return {
            "source": self.some("Pixie Guide", "Bonus"),
            "kind": kind,
            **(scope if kind != "exchange" or self.chance(5) else {}),
            **own,
            **self.maybe(40, optional=lambda: True),
            **self.maybe(15, cost=lambda: "a life"),
            **self.maybe(12, mana_cost=lambda: "{1}"),
            **self.maybe(12, once=lambda: True),
            **self.maybe(12, only=lambda: self.some("d6", "d4", "d20", "planar" if kind == "reroll" else "d8")),
        }

    def roll(self, state: dict[str, Any]) -> dict[str, Any]:
        dice = self.some(
            "d20", "1d20", "2d6", "2d6", "3d4", "d6+d6", "1d6+1d8", "2d4+d4", "2d2", "3d1", "planar", "planar+2d4"
        )
        if self.chance(4):
            dice = self.some("0d6", "d0", "", "1001d6", "2D6", "d6+", "02d6", "d9007199254740993", "0planar", "1d٣")
        body: dict[str, Any] = {"source": self.some(*self.sources), "dice": dice}
        if dice == "planar" and self.chance(80):
            return body | self.maybe(30, effects=lambda: [self.effect()], use=lambda: "x")
        body |= self.maybe(25, modifiers=self.modifiers, ignores=self.ignores)
        body |= self.maybe(40, effects=lambda: [self.effect() for _ in range(self.number(1, 3))])
        body |= self.maybe(50, table=self.table)
        body |= self.maybe(30 if dice in ("2d6", "d6+d6", "1d6+1d8", "2d2") else 2, doubles=lambda: "Treasure")
        body |= self.maybe(35 if state["permanents"] else 2, store=lambda: self.permanent(state, there=True))
        if "table" not in body or self.chance(30):
            body |= self.maybe(95, use=lambda: "compare")
        body |= self.maybe(2, again=lambda: self.number(1, 9))
        return body

    # What can be done with a roll.

    def go_on(self, state: dict[str, Any], roll: dict[str, Any]) -> dict[str, Any]:
        waiting = state["waits_for"] or {"choice": "stands"}
        if waiting["choice"] in ("stands", "roll again", "may roll again") and self.chance(65):
            if waiting["choice"] == "stands":
                return self.begin(state)
            return self.repeat(state, roll) if self.chance(75) else self.offer(state)
        choice = waiting["choice"]
        if self.chance(8):
            choice = self.some("ignore", "effects", "resolve")
        if self.chance(4) and state["permanents"]:
            return self.gone(state)
        if self.chance(6) and roll["effects"]:
            one = self.some(*roll["effects"])
            body = {"what": "ends", "roll": roll["roll"], "effect": one["effect"]}
            return {"author": self.some(one["controller"], one["controller"], "bob"), "type": "declare", "body": body}
        if self.chance(10) and roll["status"] == "open":
            body = {"what": "effect", "roll": roll["roll"], "effect": self.effect()}
            body |= self.maybe(40, controller=lambda: self.some("alice", "bob", "dana"))
            return {"author": self.some("alice", "bob"), "type": "declare", "body": body}
        make = {"ignore": self.ignore, "effects": self.answer}.get(choice, self.resolve)
        kind, body = make(roll)
        return {"author": roll["player"], "type": kind, "body": body}

    def ignore(self, roll: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        asked = roll["ignoring"] or {"of": [die["die"] for die in roll["dice"]], "count": 1}
        numbers = list(asked["of"])
        self.random.shuffle(numbers)
        numbers = numbers[: asked["count"] if not self.chance(8) else self.number(0, 3)]
        if self.chance(8):
            numbers.append(self.number(1, 5))
        return "ignore", {"roll": roll["roll"], "dice": numbers}

    def answer(self, roll: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        effects = [one for one in roll["effects"] if one["answer"] is None] or roll["effects"]
        if not effects:
            return "modify", {"roll": roll["roll"], "effect": 1, "choice": "decline"}
        one = self.some(*effects)
        body: dict[str, Any] = {"roll": roll["roll"], "effect": one["effect"]}
        costs = one["cost"] is not None or one["mana_cost"] is not None
        if (one["optional"] or costs) and self.chance(25):
            return "modify", body | {"choice": "decline"}
        if costs != self.chance(4):
            body["paid"] = True
        if (one["mana_cost"] is not None) != self.chance(4):
            body["mana_abilities"] = self.some([], ["Forest"])
        numbers = [die["die"] for die in roll["dice"] if die["status"] == "counted" or self.chance(10)]
        if one["scope"] != "each" or self.chance(20):
            self.random.shuffle(numbers)
            count = {"one": 1, "each": len(numbers)}.get(one["scope"], self.number(1, max(len(numbers), 1)))
            body["dice"] = numbers[:count]
        if one["kind"] == "reroll" and not self.chance(3):
            return "reroll", body
        if len(one["amounts"]) > 1 or self.chance(10):
            body["amount"] = self.some(*one["amounts"], 3) if one["amounts"] else 1
        return "modify", body | {"choice": "apply"}

    def resolve(self, roll: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        results = [die["result"] for die in roll["dice"] if die["status"] == "counted" and die["result"] is not None]
        body: dict[str, Any] = {"roll": roll["roll"]}
        body |= self.maybe(15, results=lambda: results)
        body |= self.maybe(
            6, rows=lambda: [self.number(0, 2) for _ in results], again=lambda: self.some(True, False, False)
        )
        body |= self.maybe(10, doubles=lambda: len(results) == 2 and results[0] == results[1])
        if self.chance(4):
            body["results"] = [*results[1:], 3]
        told = {name: roll[name] for name in ("total", "highest", "lowest", "heads", "won") if roll[name] is not None}
        body |= {name: number if self.chance(80) else 1 for name, number in told.items() if self.chance(12)}
        body |= self.maybe(3, heads=lambda: 1, won=lambda: 0, highest=lambda: 2)
        body |= self.maybe(10, best=lambda: self.some([roll["player"]], ["alice"], ["bob"], ["bob", "alice"], []))
        return "resolve", body

    def ruling(self, state: dict[str, Any]) -> dict[str, Any]:
        rolls = [roll["roll"] for roll in state["rolls"]] or [0]
        body: dict[str, Any] = {"ruling": self.some("void", "correct", "correct", "uphold", "penalty"), "text": "So."}
        body["subject"] = self.some(*rolls, rolls[-1], rolls[-1], 0, *state["owes"].values())
        if state.get("standing") and self.chance(25):  # perhaps the declaration of one of these
            body |= {"ruling": "void", "subject": self.number(1, 40)}
            return {"author": "dana", "type": "ruling", "body": body}
        if (body["ruling"] == "penalty") != self.chance(5):
            body["party"] = self.some("alice", "bob", "nobody", "dana")
        if body["ruling"] == "correct" and not self.chance(10):
            dice = self.some([1], [1], [2], [1, 2], [self.number(1, 3)], [1, 1])
            body["results"] = [{"die": die, "result": self.some(1, 4, 20, -3)} for die in dice]
        return {"author": "dana", "type": "ruling", "body": body}

    # Anything at all.

    def damaged(self, value: Any) -> Any:
        """A value with one thing in it changed."""
        if isinstance(value, dict) and value:
            name = self.some(*sorted(value))
            match self.number(0, 3):
                case 0:
                    return {key: member for key, member in value.items() if key != name}
                case 1:
                    return value | {self.some("x", "roll", "dice", "again", "amount", "range"): self.junk()}
                case _:
                    return value | {name: self.damaged(value[name])}
        if isinstance(value, list) and value:
            at = self.number(0, len(value) - 1)
            match self.number(0, 3):
                case 0:
                    return value[:at] + value[at + 1 :]
                case 1:
                    return [*value, value[at]]
                case _:
                    return [*value[:at], self.damaged(value[at]), *value[at + 1 :]]
        return self.junk()

    def junk(self) -> Any:
        return self.some(
            *(
                0,
                1,
                -1,
                2,
                3,
                2**53 - 1,
                2**53,
                -(2**53),
                10**9 + 1,
                True,
                False,
                None,
                "",
                "x",
                "alice",
                "may",
                "each",
            ),
            *("x" * 501, "a\nb", "\u202e", "D20", [], {}, [1], [1, 1], [[]], {"x": 1}, "reroll", "any", "planar"),
        )

    def naturals(self, sides: tuple[int, ...]) -> list[int]:
        return [self.some(1, n, self.number(1, n), self.number(1, n)) for n in sides]
