"""A second oracle for Magic's standing effects, coins, choices at random and claims: specs/mtg.md, 603 to 706.6.

By somebody who wrote neither page, code nor the first oracle. It knows dice with numbers and coins, effects that leave
no choice but which die to ignore, and rolls that several players make in one ability; nothing of planar dice, stored
results and “Roll again.”. Nothing of `rules` is imported here.
"""

from collections.abc import Callable
from typing import Any

Json = dict[str, Any]


class Refused(Exception):
    """What is refused; the argument is the clause."""


def kinds_of(dice: str) -> list[str]:
    """`2d6+d20` as its kinds, one by one."""
    found = []
    for term in dice.split("+"):
        word = "coin" if term.endswith("coin") else "d" + term.partition("d")[2]
        found += [word] * int(term.removesuffix(word) or 1)
    return found


def concerns(entry: Json, kind: str) -> bool:
    return bool(entry.get("only", kind) == kind)


class Game:
    """One game; `draw` gives a natural of a die with so many sides."""

    def __init__(self, players: list[str], draw: Callable[[int], int]) -> None:
        self.players, self.draw = players, draw
        self.standing: list[Json] = []
        self.declared = 0
        self.rolls: dict[int, Json] = {}
        self.open: Json | None = None
        self.ability: int | None = None

    # --- what stands ----------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Whatever is finished and open is settled. Raises Refused where it is not finished."""
        if self.open is not None and self.open["ignoring"] is not None:
            raise Refused("706.3b")
        if self.open is not None:
            self.open["status"] = "resolved"
            self.open = None

    def stand(self, seq: int, author: str, body: Json) -> None:
        """An effect stands from now on."""
        self.settle()
        self.declared += 1
        self.standing.append(
            {"number": self.declared, "seq": seq, "controller": author, "whose": body.get("whose", "you"), **body}
        )

    def end(self, author: str, number: int) -> None:
        """It ends by its controller's word."""
        if self.open is not None and self.open["ignoring"] is not None:
            raise Refused("706.3b")
        found = next((one for one in self.standing if one["number"] == number), None)
        if found is None or found["controller"] != author:
            raise Refused("604")
        self.settle()
        self.standing.remove(found)

    def void(self, subject: int) -> None:
        """A judge voids a declaration."""
        for one in [one for one in self.standing if one["seq"] == subject]:
            self.standing.remove(one)
            if self.open is not None:
                self.open["effects"] = [e for e in self.open["effects"] if e["standing"] != one["number"]]

    @staticmethod
    def looks(one: Json, player: str) -> bool:
        return bool(one["whose"] == "any" or (one["whose"] == "you") == (one["controller"] == player))

    def fits(self, one: Json, player: str, kinds: list[str]) -> bool:
        entry = one.get("ignore") or one["effect"]
        wanted = entry.get("only")
        return self.looks(one, player) and any(kind == wanted if wanted else kind != "coin" for kind in kinds)

    # --- rolls ----------------------------------------------------------------------------------------------------

    def roll(self, seq: int, author: str, body: Json) -> Json:
        """A roll and its dice. Raises Refused."""
        if self.open is not None and self.open["ignoring"] is not None:
            raise Refused("706.3b")
        joined = self.joined(author, body) if "joins" in body else None
        dice = joined["dice_text"] if joined else body["dice"]
        kinds = kinds_of(dice)
        flips, random = "coin" in kinds, "random" in body
        own = body.get("ignores", [])
        if random and flips:
            raise Refused("705")
        self.check_coins(kinds, body, own)
        taken, without = self.standing_of(author, kinds, body, own, random)
        entries = list(own) + [one["ignore"] for one in taken if "ignore" in one]
        drawn, groups = self.plan(kinds, own, [one["ignore"] for one in taken if "ignore" in one])
        modifiers = sum(one["amount"] for one in (joined or body).get("modifiers", []))
        roll: Json = {
            "roll": seq,
            "player": author,
            "dice_text": dice,
            "modifiers": (joined or body).get("modifiers", []),
            "flips": flips,
            "random": random,
            "call": body.get("call"),
            "joins": body.get("joins"),
            "status": "open",
            "standing": [one["number"] for one in taken],
            "without": [
                {"standing": one["number"], "controller": one["controller"], "source": _source(one), "why": "left out"}
                for one in without
            ],
            "effects": [{**one["effect"], "standing": one["number"]} for one in taken if "effect" in one],
            "steps": _steps(groups, entries),
            "ignored": set(),
        }
        self.settle()
        roll["dice"] = []
        for kind in drawn:
            natural = self.draw(2 if kind == "coin" else int(kind[1:]))
            roll["dice"].append({"kind": kind, "natural": natural, "plain": natural + modifiers})
        self.rolls[seq] = self.open = roll
        if not joined and not random:
            self.ability = seq
        self.ignoring(roll)
        return roll

    def joined(self, author: str, body: Json) -> Json:
        first = body["joins"]
        if first != self.ability:
            raise Refused("706.3b")
        if any(
            one["player"] == author and (one["roll"] == first or one["joins"] == first) for one in self.rolls.values()
        ):
            raise Refused("706.3b")
        return self.rolls[first]

    @staticmethod
    def check_coins(kinds: list[str], body: Json, own: list[Json]) -> None:
        if "coin" in kinds:
            beside = set(kinds) != {"coin"} or "modifiers" in body
            if beside or any(one["which"] in ("lowest", "highest") for one in own):
                raise Refused("705")
        elif "call" in body:
            raise Refused("705")

    def standing_of(
        self, author: str, kinds: list[str], body: Json, own: list[Json], random: bool
    ) -> tuple[list[Json], list[Json]]:
        """What stands and is taken in, and what is left out."""
        left_out = body.get("without", [])
        there = {one["number"]: one for one in self.standing}
        for place, number in enumerate(left_out):
            if number in left_out[:place] or number not in there or not self.looks(there[number], author):
                raise Refused("604")
        fitting = [] if random else [one for one in self.standing if self.fits(one, author, kinds)]
        taken = [one for one in fitting if one["number"] not in left_out]
        for entry in own:
            if any(_source(one) == entry["source"] for one in taken):
                raise Refused("604")
        return taken, [one for one in fitting if one["number"] in left_out]

    @staticmethod
    def plan(kinds: list[str], own: list[Json], stand: list[Json]) -> tuple[list[str], list[set[int]]]:
        """The kinds of all dice, and the groups of pairs."""
        called = list(dict.fromkeys(kinds))
        found = list(kinds)
        groups: list[set[int]] = []
        for entry in [*own, *stand]:
            if entry["which"] == "pair":
                for place in [at for at, kind in enumerate(found) if concerns(entry, kind)]:
                    found.append(found[place])
                    group = next((one for one in groups if place in one), None)
                    if group is None:
                        group = {place}
                        groups.append(group)
                    group.add(len(found) - 1)
            elif entry.get("extra"):
                kind = entry.get("only") or (f"d{entry['sides']}" if "sides" in entry else None)
                if entry in stand:
                    kind = entry.get("only") or kinds[0]
                if kind is None:
                    if len(called) > 1:
                        raise Refused("706.1")
                    kind = called[0]
                if kind not in called:
                    raise Refused("706.1")
                found += [kind] * entry["extra"]
        return found, groups

    # --- what is ignored ------------------------------------------------------------------------------------------

    def ignoring(self, roll: Json) -> None:
        """Whatever leaves no choice is ignored; the choice that is left, if any, waits."""
        roll["ignoring"] = None
        while roll["steps"]:
            step = roll["steps"][0]
            of = [at for at in step["of"](roll["dice"]) if at not in roll["ignored"]]
            count = step["count"]
            if step["which"] != "group" and len(of) <= count:
                roll["ignored"] |= set(of)
                roll["steps"].pop(0)
                continue
            if step["which"] in ("lowest", "highest"):
                sign = 1 if step["which"] == "lowest" else -1
                ranked = sorted(sign * roll["dice"][at]["plain"] for at in of)
                edge = ranked[count - 1]
                beyond = [at for at in of if sign * roll["dice"][at]["plain"] < edge]
                tied = [at for at in of if sign * roll["dice"][at]["plain"] == edge]
                roll["ignored"] |= set(beyond)
                count -= len(beyond)
                if len(tied) == count:
                    roll["ignored"] |= set(tied)
                    roll["steps"].pop(0)
                    continue
                of = tied
            roll["ignoring"] = {"of": [at + 1 for at in of], "count": count}
            return

    def ignore(self, author: str, number: int, dice: list[int]) -> None:
        """The player who rolled names dice to ignore. Raises Refused."""
        roll = self.open
        if roll is None or roll["roll"] != number:
            raise Refused("706.3b")
        asked = roll["ignoring"]
        if (
            author != roll["player"]
            or asked is None
            or len(set(dice)) != len(dice)
            or len(dice) != asked["count"]
            or not set(dice) <= set(asked["of"])
        ):
            raise Refused("706.6")
        roll["ignored"] |= {one - 1 for one in dice}
        roll["steps"].pop(0)
        self.ignoring(roll)

    # --- what it comes to -----------------------------------------------------------------------------------------

    @staticmethod
    def results(roll: Json) -> list[int | None]:
        """The result of each die; forced increases and decreases only of those that count."""
        found: list[int | None] = []
        for at, die in enumerate(roll["dice"]):
            amounts = [e["amounts"][0] for e in roll["effects"] if concerns(e, die["kind"])]
            more = 0 if at in roll["ignored"] or roll["ignoring"] is not None else sum(amounts)
            found.append(None if die["kind"] == "coin" else die["plain"] + more)
        return found

    def told(self, roll: Json) -> Json:
        """Totals and coins, as the state shows them."""
        none = {"total": None, "highest": None, "lowest": None, "heads": None, "won": None}
        if roll["ignoring"] is not None:
            return none
        counted = [at for at in range(len(roll["dice"])) if at not in roll["ignored"]]
        if roll["flips"]:
            heads = sum(roll["dice"][at]["natural"] == 1 for at in counted)
            won = {"heads": heads, "tails": len(counted) - heads, None: None}[roll["call"]]
            return none | {"heads": heads, "won": won}
        results = [result for at, result in enumerate(self.results(roll)) if at in counted and result is not None]
        return none | {
            "total": sum(results),
            "highest": max(results) if results else None,
            "lowest": min(results) if results else None,
        }

    def best(self, roll: Json) -> list[str]:
        """Who has the highest total of those that rolled in the ability."""
        first = roll["joins"] or roll["roll"]
        among = [
            one
            for one in self.rolls.values()
            if one is roll
            or (not one["random"] and (one["joins"] or one["roll"]) == first and one["status"] == "resolved")
        ]
        totals = {one["player"]: told["total"] for one in among if (told := self.told(one))["highest"] is not None}
        return [name for name, total in totals.items() if total == max(totals.values())]

    def resolve(self, author: str, number: int, claim: Json) -> None:
        """One claim or none; the roll is settled. Raises Refused."""
        roll = self.open
        if roll is None or roll["roll"] != number or author != roll["player"]:
            raise Refused("706.3b")
        if roll["ignoring"] is not None:
            raise Refused("706.6")
        told = self.told(roll)
        for name, claimed in claim.items():
            if name in ("heads", "won"):
                right = roll["flips"] and told[name] is not None and claimed == told[name]
                clause = "705"
            elif roll["flips"]:
                right, clause = False, "705"
            elif name == "best":
                right, clause = told["highest"] is not None and set(claimed) == set(self.best(roll)), "706.4"
            elif name == "results":
                shown = [r for at, r in enumerate(self.results(roll)) if at not in roll["ignored"]]
                right, clause = claimed == shown, "706.2"
            else:
                right, clause = told[name] is not None and claimed == told[name], "706.4"
            if not right:
                raise Refused(clause)
        self.settle()


def _source(one: Json) -> str:
    return str((one.get("ignore") or one["effect"])["source"])


def _steps(groups: list[set[int]], entries: list[Json]) -> list[Json]:
    """What is to be ignored, step by step: `of` gives the places of the dice that a step looks at."""
    steps: list[Json] = []
    for group in sorted(groups, key=min):
        places = sorted(group)
        steps.append({"which": "group", "count": len(places) - 1, "of": lambda dice, places=places: places})
    for entry in (one for one in entries if one["which"] != "pair"):
        last = steps[-1] if steps else None
        if last and (last["which"], last.get("only")) == (entry["which"], entry.get("only")):
            last["count"] += entry.get("count", 1)
            continue
        steps.append(
            {
                "which": entry["which"],
                "only": entry.get("only"),
                "count": entry.get("count", 1),
                "of": lambda dice, entry=entry: [at for at, die in enumerate(dice) if concerns(entry, die["kind"])],
            }
        )
    return steps
