"""The scene of the system: the parts of rule 706 that players meet. Card texts are paraphrased."""

from rules.base import Ruling
from rules.records import DieRecord
from rules.scene import Forgery, Scene, Stage
from rules.systems.mtg import bodies as b

__all__ = ["SCENE"]


_DELINA = (
    b.Row("1–14", "create a tapped and attacking token copy"),
    b.Row("15–20", "create that token. You may roll again.", again="may"),
)
_BARBARIAN = b.Ignores("Barbarian Class", "lowest", extra=1)


def _play(stage: Stage) -> None:
    """Play the game."""
    stage.act("alice", "declare", b.DeclareTrigger("Brazen Dwarf: 1 damage to each opponent", "rolled"))
    _roll_again(stage)
    _reroll(stage)
    _cost(stage)
    _barbarian_class(stage)
    _centaur(stage)
    _planar_die(stage)
    doubles = _doubles(stage)
    stage.say("Dana, the judge, is asked about the last roll and upholds it.")
    stage.act("dana", "ruling", Ruling("uphold", doubles, "both dice were in range of the camera"))


def _roll_again(stage: Stage) -> None:
    stage.say("Delina attacks: a d20 and a table whose upper row says “You may roll again.”")
    while True:
        roll = stage.act("alice", "roll", b.RollBody("Delina, Wild Mage", dice="1d20", table=_DELINA))
        hit = _results(stage, roll)[0] >= 15
        stage.act("alice", "resolve", b.ResolveBody(roll))
        stage.show(roll)
        if hit:
            break
        stage.say("  No second roll. Delina attacks again next turn.")
    roll = stage.act("alice", "roll", b.RollBody(again=roll))
    hit = _results(stage, roll)[0] >= 15
    # She stops here, even if the table offers another roll.
    stage.act("alice", "resolve", b.ResolveBody(roll, again=False) if hit else b.ResolveBody(roll))
    stage.show(roll)


def _reroll(stage: Stage) -> None:
    stage.say("Bob rolls two dice; Monitor Monitor lets him pay {1} to reroll one or more of them.")
    effect = b.Effect("Monitor Monitor", "reroll", scope="any", optional=True, mana_cost="{1}")
    body = b.RollBody("Bob's two-dice spell", dice="2d6", use="that much damage, divided", effects=(effect,))
    roll = stage.act("bob", "roll", body)
    low = min(stage.roll(roll).dice, key=lambda die: die.result or 0)
    reroll = b.RerollBody(roll=roll, effect=1, dice=(low.die,), paid=True, mana_abilities=("Island: add {U}",))
    stage.act("bob", "reroll", reroll)
    stage.act("bob", "resolve", b.ResolveBody(roll))
    stage.show(roll)


def _cost(stage: Stage) -> None:
    stage.say("Alice rolls a d6; Night Shift of the Living Dead: pay 1 life, and the result is one more or one less.")
    effect = b.Effect("Night Shift of the Living Dead", "adjust", amounts=(1, -1), optional=True, cost="pay 1 life")
    roll = stage.act("alice", "roll", b.RollBody("A d6 spell", dice="1d6", use="draw that many", effects=(effect,)))
    stage.act("alice", "modify", b.ModifyBody(roll, 1, "apply", amount=1, paid=True))
    stage.act("alice", "resolve", b.ResolveBody(roll))
    stage.show(roll)


def _barbarian_class(stage: Stage) -> None:
    stage.say("Bob has Barbarian Class: one die more, and the lowest is ignored.")
    body = b.RollBody("Farideh, Devil's Chosen", dice="1d20", use="10 or more: draw a card", ignores=(_BARBARIAN,))
    roll = stage.act("bob", "roll", body)
    first, second = stage.roll(roll).dice
    if first.result == second.result:
        stage.act("bob", "ignore", b.IgnoreBody(roll, (first.die,)))
    stage.show(roll)


def _centaur(stage: Stage) -> None:
    stage.say("Alice's Centaur of Attention stores four d6; later she rerolls the two lowest.")
    centaur = "centaur-1"
    stage.act("alice", "declare", b.DeclarePermanent(centaur, "Centaur of Attention"))
    body = b.RollBody("Centaur of Attention enters", dice="4d6", store=centaur)
    roll = stage.act("alice", "roll", body)
    stage.act("alice", "resolve", b.ResolveBody(roll))
    stage.show(roll)
    stored = sorted(stage.game.permanents[centaur].stored, key=lambda s: s.value)
    lowest = tuple(sorted(s.stored for s in stored[:2]))
    roll = stage.act("alice", "reroll", b.RerollBody(permanent=centaur, stored=lowest, source="Centaur of Attention"))
    stage.act("alice", "resolve", b.ResolveBody(roll))
    stage.show(roll)
    values = [s.value for s in stage.game.permanents[centaur].stored]
    stage.say(f"  stored on {centaur}: {', '.join(map(str, values))}")


def _planar_die(stage: Stage) -> None:
    stage.say("Bob rolls the planar die.")
    roll = stage.act("bob", "roll", b.RollBody("Planechase", dice="planar"))
    stage.act("bob", "resolve", b.ResolveBody(roll))
    stage.show(roll)


def _doubles(stage: Stage) -> int:
    stage.say("Bob's Celebr-8000 rolls two d6; doubles do more.")
    body = b.RollBody("Celebr-8000", dice="2d6", use="a bonus for each number", doubles="and it gains trample")
    roll = stage.act("bob", "roll", body)
    first, second = _results(stage, roll)
    stage.act("bob", "resolve", b.ResolveBody(roll, doubles=first == second))
    stage.show(roll)
    stage.say(f"  doubles: {'yes' if first == second else 'no'}")
    return roll


def _results(stage: Stage, roll: int) -> list[int]:
    dice: tuple[DieRecord, ...] = stage.roll(roll).dice
    return [die.result for die in dice if die.result is not None]


SCENE = Scene(
    {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"},
    b.Options(planechase=True),
    _play,
    Forgery((b'"dice":"1d20"', b'"dice":"1d12"'), {"results": [20, 20]}),
)
