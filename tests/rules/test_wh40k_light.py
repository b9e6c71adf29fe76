"""Play light: how few events the scenes of a shooting phase take, typed as people type them (specs/wh40k.md)."""

from random import Random
from typing import Any

import msgspec
import pytest

from rules import SYSTEMS, Event, Role, Session
from rules.script import Empty, ScriptEvent, step
from rules.systems.wh40k import bodies as b

SYSTEM = SYSTEMS["wh40k-9e"]
ROLES: dict[str, Role] = {"host": "keeper", "alice": "player", "bob": "player"}
SQUAD = 'squad: 10 Intercessors M6" WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+'
BOYZ = 'boyz: 30 Boyz M5" WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv5+'
TANK = 'tank: Battlewagon M12" WS5+ BS5+ S8 T8 W16 A6 Ld7 Sv4+'
RIFLES = "Bolt rifle at boyz, A2 S4 AP-1 D1, hit -1 Dense Cover, reroll hit 1 Captain, reroll wound 1 Lieutenant"


class Scene:
    """A game whose events are counted once the units stand."""

    def __init__(self, *, command: bool = False) -> None:
        session = Session.start(SYSTEM, b.Options(True, True, command), ROLES)
        self.session = session.with_joined(ROLES)
        self.seq, self.events = 0, 0
        for player, sheet in (("alice", SQUAD), ("bob", BOYZ), ("bob", TANK)):
            self.do(player, "declare", SYSTEM.notations[b.DeclareUnit].parse(sheet))
        self.events = 0

    def do(self, player: str, type: str, body: dict[str, Any], naturals: list[int] | None = None) -> None:
        told = msgspec.UNSET if naturals is None else tuple(naturals)
        self.seq, self.events = self.seq + 1, self.events + 1
        line = ScriptEvent(player, type, msgspec.Raw(msgspec.json.encode(body)), told)
        self.session = step(self.session, self.seq, line)

    def attack(self, text: str, naturals: list[int]) -> None:
        self.do("alice", "roll", SYSTEM.notations[b.AttackRoll].parse(text), naturals)

    def reroll(self, dice: list[int], naturals: list[int]) -> None:
        self.do("alice", "reroll", {"roll": self.view["open"], "reroll": 1, "dice": dice}, naturals)

    def show(self, player: str, body: dict[str, Any], dice: list[int]) -> list[int]:
        """Roll as many of the dice as it takes; the others are left."""
        self.do(player, "roll", body)
        count = len(self.session.draw)
        self.session = self.session.apply(Event(0, "host", "reveal", Empty()), tuple(dice[:count]))
        return dice[count:]

    @property
    def view(self) -> dict[str, Any]:
        return self.session.view()

    def destroyed(self, unit: str) -> int:
        return sum(model["destroyed"] for model in self.view["units"][unit]["models"])


HITS = [1, 1, 6, 5, 4, 3, 4, 4, 5, 5, 6, 6, 2, 2, 3, 4, 4, 5, 5, 6]
"""two to be rerolled"""


@pytest.mark.parametrize("command", [False, True], ids=["without the Command Re-roll", "with it"])
def test_ten_intercessors_with_two_reroll_rules_take_six_events(command: bool) -> None:
    scene = Scene(command=command)
    scene.attack(f"squad: {RIFLES}", HITS)
    scene.reroll([1, 2], [4, 1])
    scene.do("alice", "roll", {"for": "wound"}, [1, *[5] * 8, *[2] * 6])
    scene.reroll([1], [6])
    if command:  # which she declines
        scene.do("alice", "resolve", {"roll": scene.view["open"]})
    scene.do("bob", "roll", {"for": "save"}, [6, *[1] * 8])
    assert (scene.view["waits_for"], scene.view["sequence"], scene.destroyed("boyz")) == (None, None, 8)
    assert scene.events <= 6


def test_rules_that_always_reroll_leave_three() -> None:
    scene = Scene()
    rules = RIFLES.replace("1 Captain", "1 always Captain").replace("1 Lieutenant", "1 always Lieutenant")
    scene.attack(f"squad: {rules}", [*HITS, 4, 1])
    scene.do("alice", "roll", {"for": "wound"}, [1, *[5] * 8, *[2] * 6, 6])
    scene.do("bob", "roll", {"for": "save"}, [6, *[1] * 8])
    assert (scene.view["sequence"], scene.destroyed("boyz"), scene.events) == (None, 8, 3)


def test_a_second_weapon_takes_seven_and_no_json() -> None:
    scene = Scene()
    rifles = RIFLES.replace("boyz,", "boyz by 1-9,").replace("1 Captain", "1 always Captain")
    plasma = "Plasma gun at boyz by 10, Rapid Fire 1 S8 AP-3 D2, hit -1 Dense Cover"
    scene.attack(f"squad: {rifles}; {plasma}", [*HITS[:18], 4, 1])
    scene.do("alice", "roll", {"for": "wound"}, [1, *[5] * 8, *[2] * 4])
    scene.reroll([1], [6])
    scene.do("bob", "roll", {"for": "save"}, [6, *[1] * 8])
    scene.do("alice", "roll", {"for": "hit", "groups": [2]}, [4])
    scene.do("alice", "roll", {"for": "wound"}, [3])
    assert (scene.view["sequence"], scene.destroyed("boyz")) == (None, 8 + 1)  # AP -3: no save, told and done
    assert scene.events <= 7


def test_six_saves_that_no_die_can_pass_take_none() -> None:
    scene = Scene()
    scene.attack("squad: Melta at boyz by 1-6, A1 S8 AP-4 D1", [6] * 6)
    scene.do("alice", "roll", {"for": "wound"}, [6] * 6)
    assert (scene.view["sequence"], scene.destroyed("boyz"), scene.events) == (None, 6, 2)


def test_random_damage_takes_one_for_each_failed_save_and_the_saves_one_for_all() -> None:
    scene = Scene()
    scene.attack("squad: Lascannon at tank by 1-3, A1 S9 AP-3 Dd6", [6] * 3)
    scene.do("alice", "roll", {"for": "wound"}, [6] * 3)
    before = scene.events
    for damage in (4, 5, 6):
        # AP -3 against 4+: no save; the damage alone is rolled
        scene.do("alice", "roll", {"for": "damage"}, [damage])
    assert scene.events - before == 3
    assert scene.view["units"]["tank"]["models"][0]["lost"] == 15
    scene = Scene()
    scene.attack("squad: Autocannon at tank by 1-3, A1 S9 AP-1 Dd3", [6] * 3)
    scene.do("alice", "roll", {"for": "wound"}, [6] * 3)
    before = scene.events
    scene.do("bob", "roll", {"for": "save"}, [1, 6, 2])
    for damage in (6, 1):
        scene.do("alice", "roll", {"for": "damage"}, [damage])
    assert scene.events - before == 3
    assert (scene.view["sequence"], scene.view["units"]["tank"]["models"][0]["lost"]) == (None, 4)


@pytest.mark.parametrize("seed", range(100))
def test_saves_together_come_to_what_they_come_to_one_at_a_time(seed: int) -> None:
    """With damage that is fixed or rolled, and wounds that are ignored or not: of the same dice, save by save."""
    random = Random(seed)
    wounds, lost = random.randint(1, 3), random.randint(0, 2)
    damage = random.choice([0, 1, 2, 3, "d3", "d6"])
    ward = random.choice(["", "", " fnp 4+"])
    save, nobs = random.choice([3, 4, 6]), random.choice(["", "; 2 Nob M5 WS3 BS5 S4 T4 W2 A2 Ld6 Sv4"])
    units = f"mob: 4 Boy M5 WS3 BS5 S4 T4 W{wounds} A2 Ld6 Sv{save}{ward}{nobs}"
    dice = {step: [random.randint(1, 6) for _ in range(60)] for step in ("save", "damage", "ignore")}

    def play(*, together: bool) -> Any:
        scene = Scene()
        scene.do("bob", "declare", SYSTEM.notations[b.DeclareUnit].parse(units))
        if lost and lost < wounds:
            body = {"what": "wounds", "unit": "mob", "model": 2, "lost": lost, "source": "before"}
            scene.do("bob", "declare", body)
        scene.attack(f"squad: Gun at mob, A1 S8 AP0 D{damage}", [6] * 10)
        scene.do("alice", "roll", {"for": "wound"}, [6] * 10)
        left = {step: list(each) for step, each in dice.items()}
        while (sequence := scene.view["sequence"]) is not None:
            coming = sequence["next"]
            body = {"for": coming["step"]}
            if coming["step"] == "save":
                unit = scene.view["units"]["mob"]
                there = [m for m in unit["models"] if not m["destroyed"]]
                model = next((m for m in there if m["lost"] or m["model"] in unit["chosen"]), there[0])["model"]
                body |= {"model": model, **({} if together else {"count": 1})}
            left[coming["step"]] = scene.show(coming["player"], body, left[coming["step"]])
        return scene.view["units"]["mob"], scene.view["sequences"][-1]["groups"][0]

    assert play(together=True) == play(together=False)
