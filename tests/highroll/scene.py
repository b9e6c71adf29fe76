"""Two rolls: one with a reroll, whose sum is announced, and one that explodes."""

from rules.scene import Forgery, Scene, Stage
from tests.highroll.bodies import Options, RerollBody, ResolveBody, RollBody

__all__ = ["SCENE"]


def _play(stage: Stage) -> None:
    stage.say("Alice rolls three dice, rolls two of them again, and says what they come to.")
    roll = stage.act("alice", "roll", RollBody("3d6"))
    stage.act("alice", "reroll", RerollBody(roll, (1, 3)))
    total = sum(die.result or 0 for die in stage.roll(roll).dice)
    stage.act("alice", "resolve", ResolveBody(roll, total))
    stage.show(roll)
    stage.say("Bob's dice explode.")
    stage.show(stage.act("bob", "roll", RollBody("2d6!")))


SCENE = Scene(
    {"host": "keeper", "alice": "player", "bob": "player"},
    Options(),
    _play,
    Forgery((b'"dice":"3d6"', b'"dice":"4d6"'), {"total": 99}),
)
