"""The 9th Age by the code and by tests/oracles/reference_t9a.py: random games; what clauses can be broken are."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import SYSTEMS
from rules.systems.t9a.bodies import Options
from tests.oracles.reference_t9a import NinthAge
from tests.oracles.test_properties import PARTIES, Dealer
from tests.support.differential import Outcomes, broken, compare, played_until


class Marshal(Dealer):
    """Makes up the next event of a game of The 9th Age: mostly what the state asks for, sometimes anything at all."""

    def sensible(self, state: dict[str, Any]) -> dict[str, Any]:
        missing = [name for name in PARTIES if name not in state["joined"] and name not in state["left"]]
        if missing and self.chance(70):
            return {"author": missing[0], "type": "join", "body": {}}
        if state["phase"] == "pending":
            return {"author": self.some("dana", "alice", "bob"), "type": "void", "body": {}}
        if state["owes"] and self.chance(90):
            body = {"ruling": "void", "subject": next(iter(state["owes"].values())), "text": "So."}
            return {"author": "dana", "type": "ruling", "body": body}
        if self.chance(6):
            return self.ruling(state)
        if state["open"] is not None:
            return self.go_on(state, state["rolls"][-1])
        return self.begin(state)

    # A roll.

    def begin(self, state: dict[str, Any]) -> dict[str, Any]:
        author = self.some(*[name for name in ("alice", "bob") if name not in state["left"] or self.chance(5)], "alice")
        return {"author": author, "type": "roll", "body": self.roll(state)}

    def roll(self, state: dict[str, Any]) -> dict[str, Any]:
        odd = 35 if self.chance(7) else 1
        dice = self.some("1d6", "d6", "1d6", "2d6", "2d6", "3d6", "d3", "2d3", "1d6+2d6", "direction", "direction-d6")
        if self.chance(odd):
            dice = self.some("d20", "1d6+1d3", "", "D6", "2d6-1", "1001d6", "999d6", "0d6", "d7", "Direction", "d06")
        body = {"source": self.some("To hit", "Panic Test", "é – “x”"), "dice": dice}
        body |= self.maybe(40, times=lambda: self.number(1, 4)) | self.maybe(15, at_once=lambda: True)
        last = next((roll for roll in reversed(state["rolls"]) if roll["status"] in ("resolved", "open")), None)
        linked = last is not None and last["target"] is not None
        body |= self.maybe(30 if linked else odd, of=lambda: self.some("successes", "successes", "failures"))
        if self.chance(odd):
            body["times"] = self.some(0, 500, 1000, 1001)
        if dice in ("direction", "direction-d6"):
            body |= self.maybe(30, zero=lambda: "the north edge")
            body |= self.maybe(60, rerolls=lambda: self.rules("any", "throw"))
            body |= self.maybe(odd, maximised=self.instances, minimised=self.instances, modifiers=self.modifiers)
            return body | self.maybe(odd, target=lambda: "4+", always=self.always, rerolls=lambda: self.rules("failed"))
        body |= self.maybe(30, maximised=self.instances, minimised=self.instances)
        body |= self.maybe(40, modifiers=self.modifiers) | self.maybe(65, target=self.target)
        single = dice in ("1d6", "d6", "d3") and "target" in body
        body |= self.maybe(40 if single else odd, always=self.always)
        body |= self.maybe(70, rerolls=lambda: self.rules(*self.kinds("target" in body, odd)))
        return body | self.maybe(odd, zero=lambda: "north")

    def instances(self) -> list[str]:
        return ["Swiftstride"] * self.some(1, 1, 1, 2, 3)

    def target(self) -> str:
        if self.chance(3):
            return str(self.some("4", "+4", "04+", "-1+", "", "4 +", "9007199254740992+", "٤+", "4+-"))
        return str(self.some(f"{self.number(0, 12)}{self.some('+', '+', '-')}", "4+", "7-", "9007199254740991+", "0-"))

    def modifiers(self) -> list[dict[str, Any]]:
        return [self.modifier() for _ in range(self.number(0, 3))]

    def modifier(self) -> dict[str, Any]:
        if self.chance(6):
            return {"source": "m", "multiply": self.some(10**9, 10**8, 90_071_992)}
        if self.chance(25):
            return {"source": "m", "multiply": self.some(2, 3)}
        return {"source": "m", "add": self.some(1, -1, -2, 2, -7, -7, 10**9)}

    def always(self) -> dict[str, Any]:
        odd = self.chance(6)
        return self.maybe(90, failure=lambda: [6, 1] if odd else [1]) | self.maybe(80, success=lambda: [6])

    def kinds(self, target: bool, odd: int) -> list[str]:
        return ["natural", "any", "throw", *(["failed", "failed", "successful"] if target or self.chance(odd) else [])]

    def rules(self, *kinds: str) -> list[dict[str, Any]]:
        return [self.rule(*kinds) for _ in range(self.some(0, 1, 1, 1, 2, 2, 3))]

    def rule(self, *kinds: str) -> dict[str, Any]:
        which = self.some(*kinds)
        rule: dict[str, Any] = {"source": "again", "which": which}
        if which == "natural":
            rule["naturals"] = [self.number(1, 6) for _ in range(self.some(1, 1, 2, 3))]
        if self.chance(30 if which not in ("natural", "any") else 1):
            rule["dropped"] = True
        rule |= self.maybe(50, may=lambda: True) | self.maybe(35, pick=lambda: self.some(1, 1, 2, 3))
        return rule | self.maybe(25, first=lambda: True)

    # What can be done with a roll.

    def go_on(self, state: dict[str, Any], roll: dict[str, Any]) -> dict[str, Any]:
        if self.chance(50 if state["waits_for"] is None else 3):
            return self.begin(state)
        waiting = state["waits_for"] or {"choice": "resolve"}
        number, author = roll["roll"], roll["player"]
        anybody = self.some(*[name for name in ("alice", "bob") if name not in state["left"]], "alice")
        if self.chance(10):
            body: dict[str, Any] = {"roll": number, "modifier": self.modifier()}
            return {"author": anybody, "type": "modify", "body": body}
        if self.chance(10):
            kinds = ["any", "throw"] if roll["zero"] else self.kinds(roll["target"] is not None, 5)
            body = {"what": "reroll", "roll": number, "rule": self.rule(*kinds)}
            return {"author": anybody, "type": "declare", "body": body}
        if roll["rerolls"] and self.chance({"resolve": 8, "reroll": 90}.get(waiting["choice"], 60)):
            return {"author": author, "type": "reroll", "body": self.reroll(roll)}
        if self.chance(70 if roll["first"] else 1):
            return {"author": author, "type": "ignore", "body": self.first(roll)}
        return {"author": author, "type": "resolve", "body": self.claims(roll)}

    def first(self, roll: dict[str, Any]) -> dict[str, Any]:
        pieces = roll["first"] or [{"throw": None, "dice": [1]}]
        throws = self.some(*pieces)["throw"] is not None
        found = [
            piece["throw"] if throws else piece["dice"][0] for piece in pieces if (piece["throw"] is not None) == throws
        ]
        self.random.shuffle(found)
        numbers = found[: self.number(1, len(found))]
        if self.chance(8):
            numbers = self.some([], [*numbers, numbers[0]], [*numbers, self.number(1, 5)])
        name = "throws" if throws != self.chance(4) else "dice"
        return {"roll": roll["roll"], name: numbers}

    def reroll(self, roll: dict[str, Any]) -> dict[str, Any]:
        rules = [rule for rule in roll["rerolls"] if self.concerned(roll, rule) and rule["pick"] != rule["rerolled"]]
        rule = self.some(*(rules if rules and not self.chance(12) else roll["rerolls"]))
        body = {"roll": roll["roll"], "rule": rule["rule"] if not self.chance(2) else self.number(1, 5)}
        pieces = self.concerned(roll, rule)
        if rule["pick"] is None and not rule["may"] and self.chance(60):
            return body
        name = "throws" if self.whole(roll, rule) != self.chance(3) else "dice"
        self.random.shuffle(pieces)
        most = len(pieces) if rule["pick"] is None else min(len(pieces), rule["pick"] - rule["rerolled"])
        count = self.number(1, max(most, 1)) if rule["may"] else most
        if count == len(pieces) and self.chance(50):
            return body
        dice = [
            piece if name == "throws" else die
            for piece, dice in pieces[:count]
            for die in dice[: 1 if name == "throws" else None]
        ]
        if self.chance(12) and roll["dice"]:
            dice.insert(self.number(0, len(dice)), self.number(1, len(roll["dice"]) + 1))
        if self.chance(6):
            dice = dice[1:]
        if self.chance(3):
            dice = []
        return body | {name: dice}

    def whole(self, roll: dict[str, Any], rule: dict[str, Any]) -> bool:
        """Whether a rule's pieces are throws."""
        directions = any(throw["degrees"] is not None for throw in roll["throws"])
        return directions or rule["which"] in ("failed", "successful", "throw")

    def concerned(self, roll: dict[str, Any], rule: dict[str, Any]) -> list[tuple[int, list[int]]]:
        """Roughly the dice that a rule concerns, in pieces, with their throws."""
        found: list[tuple[int, list[int]]] = []
        for throw in roll["throws"]:
            if rule["which"] in ("failed", "successful") and throw["success"] is not (rule["which"] == "successful"):
                continue
            dice = [roll["dice"][number - 1] for number in throw["kept"]]
            dice = [die for die in dice if len(die["naturals"]) == 1]
            if rule["which"] == "natural":
                dice = [die for die in dice if die["naturals"][0] in rule["naturals"]]
            numbers = [die["die"] for die in dice]
            several = [numbers] if self.whole(roll, rule) else [[number] for number in numbers]
            found += [(throw["throw"], piece) for piece in several if piece]
        return found

    def claims(self, roll: dict[str, Any]) -> dict[str, Any]:
        throws = roll["throws"]
        true: dict[str, Any] = {
            "totals": [throw["total"] for throw in throws],
            "successes": roll["successes"],
            "directions": [throw["degrees"] for throw in throws],
            "faces": [throw["face"] for throw in throws],
        }
        body: dict[str, Any] = {"roll": roll["roll"]}
        for name, value in true.items():
            has = value is not None and value not in ([None] * len(throws), [])
            if self.chance(55 if has else 1):
                body[name] = value if has else self.some(0, [0], [0] * len(throws))
                if has and self.chance(40):
                    body[name] = self.wrong(value)
        dropping = [throw for throw in throws if throw["dropped"]]
        if dropping and self.chance(15):
            body["totals"] = self.other_dropped(roll, self.some(*dropping))
        return body

    def other_dropped(self, roll: dict[str, Any], throw: dict[str, Any]) -> list[int]:
        """The totals, as if fewer or other dice of this throw had been dropped."""
        every = [*throw["kept"], *throw["dropped"]]
        self.random.shuffle(every)
        counted = every[self.number(0, len(throw["dropped"])) :]
        more = sum(roll["dice"][number - 1]["result"] for number in counted) - throw["sum"]
        for modifier in roll["modifiers"]:
            more *= modifier["multiply"] or 1
        return [one["total"] + (more if one is throw else 0) for one in roll["throws"]]

    def wrong(self, value: Any) -> Any:
        if not isinstance(value, list):
            return self.some(value + 1, value - 1)
        at = self.number(0, len(value) - 1)
        other = [*value[:at], value[at] + self.some(1, -1, 360), *value[at + 1 :]]
        return self.some(value[1:], [*value, 0], other, other, other)

    def ruling(self, state: dict[str, Any]) -> dict[str, Any]:
        event = super().ruling(state)
        body = event["body"]
        found = [roll for roll in state["rolls"] if roll["roll"] == body["subject"] and roll["dice"]]
        if "results" in body and found:
            dice = found[0]["dice"]
            for entry in body["results"]:
                if not self.chance(6):
                    entry["die"] = self.some(*dice)["die"]
                die = dice[min(entry["die"], len(dice)) - 1]
                entry["result"] = self.result(die["kind"]) if not self.chance(6) else self.number(-2, 400)
        return event

    def result(self, kind: str) -> int:
        """What a judge gives a die of this kind."""
        if kind == "face":
            return int(self.some(1, 5, 5, 3))
        if kind in ("arrow", "bearing"):
            return self.some(0, 359, 360, self.number(-1, 361)) if self.chance(40) else self.number(0, 359)
        return int(self.some(1, 2, 3, 6, 9, -3, 0, 10**6, 2**53 - 1, -(2**52)))


def games(random: Random, count: int, length: int) -> Outcomes:
    outcomes: Outcomes = Counter()
    for _ in range(count):
        outcomes += compare(Marshal(random), NinthAge, Options(), PARTIES, length)
    return outcomes


@settings(max_examples=settings().max_examples // 2, deadline=None)
@given(st.randoms(use_true_random=False))
def test_code_and_oracle_agree(random: Random) -> None:
    games(random, 1, 25)


@pytest.mark.slow
def test_code_and_oracle_agree_on_longer_games_in_which_every_clause_is_broken() -> None:
    clauses = {clause.number for clause in SYSTEMS[NinthAge.SYSTEM].clauses}
    outcomes = played_until(clauses.issubset, lambda seed: games(Random(f"t9a {seed}"), 3, 60), least=10, most=40)
    assert outcomes[None] > 0.6 * outcomes.total(), "the games were no games"
    assert clauses <= broken(outcomes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100))
def test_code_and_oracle_agree_on_many_games(seed: int) -> None:
    games(Random(f"t9a slow {seed}"), 50, 60)
