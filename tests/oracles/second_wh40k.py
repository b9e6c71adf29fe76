"""A second oracle for Warhammer's attacks and roll-offs: specs/wh40k.md, W1, W10 to W12, W15 to W18, W22, W23, W25.

By somebody who wrote neither page, code nor the first oracle. It knows one group of attacks that are rolled together,
without rerolls: wounds on a fixed roll, results that never pass, random extra hits and mortal wounds, damage of which
dice are discarded, and models that ignore wounds or mortal wounds alone. Nothing of `rules` is imported here.
"""

import re
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]


def random_value(text: str) -> tuple[int, int, int, int, int]:
    """`3d6dh1dl1+2`: number, sides, highest and lowest that are discarded, what is added."""
    found = re.fullmatch(r"([0-9]*)d([36])(?:dh([0-9]+))?(?:dl([0-9]+))?(?:\+([0-9]+))?", text.lower())
    assert found is not None
    number, sides, highest, lowest, more = found.groups()
    return int(number or 1), int(sides), int(highest or 0), int(lowest or 0), int(more or 0)


def dice_of(value: int | str) -> int:
    return random_value(value)[0] if isinstance(value, str) else 0


def worth(value: str, naturals: list[int]) -> tuple[int, list[int]]:
    """What a random value comes to, and the places of the dice that are discarded."""
    number, sides, highest, lowest, more = random_value(value)
    assert len(naturals) == number
    values = [natural if sides == 6 else (natural + 1) // 2 for natural in naturals]
    places = list(range(number))
    dropped = sorted(places, key=lambda at: (-values[at], at))[:highest]
    left = [at for at in places if at not in dropped]
    dropped += sorted(left, key=lambda at: (values[at], at))[:lowest]
    return sum(values[at] for at in places if at not in dropped) + more, sorted(dropped)


def roll_off(players: list[str], draw: Callable[[int], int]) -> str | None:
    """Who wins; ties are rolled again at once."""
    shown = {name: draw(6) for name in players}
    rolled = len(players)
    while True:
        best = [name for name in shown if shown[name] == max(shown.values())]
        if len(best) == 1:
            return best[0]
        if rolled + len(best) > 1000:
            return None
        shown = {name: draw(6) for name in best}
        rolled += len(best)


class Attack:
    """A unit's attacks with one weapon, all in one batch."""

    def __init__(self, weapon: Json, target: Json) -> None:
        self.weapon, self.target = weapon, target
        self.models = [
            {"W": target["W"], "lost": 0, "chosen": False, **target["abilities"]} for _ in range(target["count"])
        ]
        self.hit_dice: list[int] = []
        self.extra: list[Json] = []
        self.hits = self.attacks
        self.stage = "hit"
        self.wounds = 0
        self.damage: int | None = None
        self.struck: int | None = None
        self.mortal: list[tuple[str, int | str]] = []
        """whose they are, and how many"""
        self.done = False

    @property
    def attacks(self) -> int:
        return int(self.weapon["A"]) * len(self.weapon["bearers"])

    # --- what is next ---------------------------------------------------------------------------------------------

    def next(self) -> tuple[str, int] | None:
        """The step that waits and its dice, after whatever leaves no choice has happened."""
        while self.by_itself():
            pass
        if self.done:
            return None
        if self.stage == "hit":
            return "hit", self.attacks
        if self.stage == "extra":
            return "extra", sum(dice_of(one["amount"]) for one in self.alike())
        if self.stage == "wound":
            return "wound", self.hits
        if self.damage is not None and self.struck is not None:
            return "ignore", self.damage
        if self.struck is not None:
            return "damage", dice_of(self.weapon["D"])
        if self.wounds:
            return ("save", 1) if self.can_save() else ("allocate", 0)
        if random := self.random_mortal():
            return "mortal", len(random) * dice_of(random[0][1])
        return "inflict", 0

    def by_itself(self) -> bool:  # noqa: C901
        """Something that leaves no choice happens; whether it did."""
        if self.done:
            return False
        if self.stage == "extra" and not self.extra:
            self.stage = "wound"
            return True
        if self.stage == "wound" and not self.hits:
            self.stage = "wounds"
            return True
        if self.stage != "wounds":
            return False
        if all(model["lost"] == model["W"] for model in self.models):
            self.done = True
            return True
        if self.struck is not None:
            return False
        if self.wounds:
            takers = self.takers()
            if not self.can_save() and len(takers) == 1:
                self.fail(takers[0])
                return True
            return False
        if not self.mortal:
            self.done = True
            return True
        takers = self.takers()
        if not self.random_mortal() and len(takers) == 1 and not self.ward(takers[0]):
            self.lose(takers[0], self.pop_mortal(min(self.left(takers[0]), self.owed())))
            return True
        return False

    def takers(self) -> list[int]:
        """The models of which one takes the next wound (W11)."""
        there = [at for at, model in enumerate(self.models) if model["lost"] < model["W"]]
        first = [at for at in there if self.models[at]["lost"] or self.models[at]["chosen"]]
        return first or there

    def can_save(self) -> bool:
        return bool(self.target["Sv"] != "-" and 6 + int(self.weapon["AP"]) >= self.target["Sv"])

    def left(self, at: int) -> int:
        return int(self.models[at]["W"] - self.models[at]["lost"])

    def ward(self, at: int) -> int | None:
        """What a mortal wound is ignored on."""
        model = self.models[at]
        found = [model[name] for name in ("ignores_wounds", "ignores_mortal") if name in model]
        return min(found) if found else None

    # --- steps ----------------------------------------------------------------------------------------------------

    def triggers(self, on: str, unmodified: int) -> list[Json]:
        return [
            one
            for one in self.weapon["abilities"]
            if one["kind"] == "trigger" and one["on"] == on and unmodified in one["results"]
        ]

    def passes(self, on: str, unmodified: int, result: int, needs: int) -> bool:
        named = {
            kind: {
                result
                for one in self.weapon["abilities"]
                if one["kind"] == kind and one["on"] == on
                for result in one["results"]
            }
            for kind in ("passes", "fails")
        }
        if unmodified in named["fails"]:
            return False
        if unmodified in named["passes"] or unmodified == 6:
            return True
        return unmodified != 1 and result >= needs

    def hit(self, naturals: list[int]) -> None:
        change = sum(one["amount"] * (1 if one["op"] == "add" else -1) for one in self.weapon["modifiers"])
        change = max(-1, min(1, change))
        self.hits = 0
        for natural in naturals:
            good = self.passes("hit", natural, natural + change, self.weapon["BS"])
            for one in self.triggers("hit", natural):
                if one["does"] == "extra_hits" and isinstance(one["amount"], str):
                    self.extra.append(one)
                elif one["does"] == "extra_hits":
                    self.hits += one["amount"]
                else:
                    self.mortal.append((one["source"], one["amount"]))
                    good = good and "instead" not in one
            self.hits += good
        self.stage = "extra"

    def alike(self) -> list[Json]:
        first = self.extra[0]
        return [one for one in self.extra if (one["source"], one["amount"]) == (first["source"], first["amount"])]

    def extra_hits(self, naturals: list[int]) -> None:
        now = self.alike()
        self.extra = [one for one in self.extra if one not in now]
        for one in now:
            number = dice_of(one["amount"])
            self.hits += worth(one["amount"], naturals[:number])[0]
            naturals = naturals[number:]

    def needed(self) -> int:
        fixed = [one["needs"] for one in self.weapon["abilities"] if one["kind"] == "wounds-on"]
        if fixed:
            return int(fixed[0])
        s, t = self.weapon["S"], self.target["T"]
        if s >= 2 * t:
            return 2
        if s > t:
            return 3
        if s == t:
            return 4
        return 6 if 2 * s <= t else 5

    def wound(self, naturals: list[int]) -> None:
        for natural in naturals:
            good = self.passes("wound", natural, natural, self.needed())
            for one in self.triggers("wound", natural):
                self.mortal.append((one["source"], one["amount"]))
                good = good and "instead" not in one
            self.wounds += good
        self.stage = "wounds"

    def save(self, at: int, natural: int) -> None:
        if natural != 1 and natural + self.weapon["AP"] >= self.target["Sv"]:
            self.models[at]["chosen"] = True
            self.wounds -= 1
        else:
            self.fail(at)

    def fail(self, at: int) -> None:
        self.models[at]["chosen"] = True
        self.wounds -= 1
        self.struck = at
        if not isinstance(self.weapon["D"], str):
            self.hurt(self.weapon["D"])

    def hurt(self, damage: int) -> None:
        assert self.struck is not None
        if "ignores_wounds" in self.models[self.struck] and damage:
            self.damage = damage
            return
        self.lose(self.struck, damage)
        self.struck = None

    def rolled_damage(self, naturals: list[int]) -> None:
        self.hurt(max(0, worth(self.weapon["D"], naturals)[0]))

    def ignore(self, naturals: list[int]) -> None:
        assert self.struck is not None
        self.lose(self.struck, sum(n < self.models[self.struck]["ignores_wounds"] for n in naturals))
        self.struck = self.damage = None

    def random_mortal(self) -> list[tuple[str, int | str]]:
        """The first random mortal wounds that wait, and those alike."""
        random = [one for one in self.mortal if isinstance(one[1], str)]
        return [one for one in random if one == random[0]]

    def owed(self) -> int:
        return sum(int(amount) for _, amount in self.mortal)

    def rolled_mortal(self, naturals: list[int]) -> None:
        (source, amount), *_ = self.random_mortal()
        number = dice_of(amount)
        for at, one in enumerate(self.mortal):
            if one == (source, amount):
                self.mortal[at] = (source, worth(str(amount), naturals[:number])[0])
                naturals = naturals[number:]

    def pop_mortal(self, count: int) -> int:
        left = self.owed() - count
        self.mortal = [("", left)] if left else []
        return count

    def ignore_mortal(self, at: int, naturals: list[int]) -> None:
        ward = self.ward(at)
        assert ward is not None
        self.pop_mortal(len(naturals))
        self.lose(at, sum(n < ward for n in naturals))

    def lose(self, at: int, wounds: int) -> None:
        self.models[at]["lost"] = min(self.models[at]["W"], self.models[at]["lost"] + wounds)
