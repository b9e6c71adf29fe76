"""The scene of the system: a roll that is doubled, a support roll, and a group that votes."""

from rules.scene import Forgery, Scene, Stage
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown.state import Roll

__all__ = ["SCENE"]


def _play(stage: Stage) -> None:
    """Play the three rolls."""
    stage.say("Alice and Bob declare their characters; Gil, the GM, confirms them.")
    tags = {"rogue": b.TagBody(2), "four-arms": b.TagBody(4)}
    _sheet(stage, "alice", b.DeclareSheet("Ash", {"agility": 3, "toughness": 5}, (1, 2, 3), 1, tags, 3))
    _sheet(stage, "bob", b.DeclareSheet("Brook", {"agility": 2, "wits": 4}, (1, 1, 2), 0, {"medic": b.TagBody(3)}, 2))
    stage.say(
        "Ash crosses a rickety bridge: Agility against 14, her tag Rogue, one drive; whatever shows, she doubles."
    )
    call = _call(stage, b.DeclareCall("Cross the rickety bridge", "agility", 14, ("alice",)))
    _resolve(stage, "alice", stage.act("alice", "roll", b.RollBody(call=call, tag="rogue", drive=1)), double=True)
    stage.say("Brook tends to her: a support roll, Wits against 11.")
    call = _call(stage, b.DeclareCall("Tend to Ash", "wits", 11, ("bob",), support=True))
    _resolve(stage, "bob", stage.act("bob", "roll", b.RollBody(call=call, tag="medic")), double=False)
    stage.say("Both lift a gate, and vote: Bob against doubling, Alice, who rolls, for it; the roller breaks the tie.")
    call = _call(stage, b.DeclareCall("Lift the gate", "toughness", 19, ("alice", "bob")))
    stage.act("bob", "modify", b.ModifyBody(call=call, roller="alice", drive=1))
    roll = stage.act("alice", "roll", b.RollBody(call=call, tag="four-arms"))
    stage.act("bob", "declare", b.DeclareVote(roll, double=False))
    stage.act("alice", "declare", b.DeclareVote(roll, double=True))
    _resolve(stage, "alice", roll, double=True)


def _sheet(stage: Stage, player: str, sheet: b.DeclareSheet) -> None:
    stage.act(player, "declare", sheet)
    stage.act("gil", "declare", b.DeclareConfirm(player))


def _call(stage: Stage, call: b.DeclareCall) -> int:
    stage.act("gil", "declare", call)
    return int(stage.game.calls[-1].call)


def _resolve(stage: Stage, player: str, number: int, *, double: bool) -> None:
    """Double down or not, resolve the roll, and spend what it earned: boons on a story, banes on tension."""
    if double:
        stage.act(player, "reroll", b.RerollBody(number))
    stage.act(player, "resolve", b.ResolveBody(number))
    stage.show(number)
    roll: Roll = stage.roll(number)
    if roll.left is not None:
        kind, amount = roll.left
        if kind == "boons":
            stage.act(player, "declare", b.DeclareSpend(number, "story", amount=amount, text="a way in"))
        else:
            stage.act("gil", "declare", b.DeclareSpend(number, "tension", amount=amount // 2 or 1))
        stage.say(f"  {kind}: {amount}")


SCENE = Scene(
    {"host": "keeper", "gil": "gm", "alice": "player", "bob": "player"},
    b.Options(),
    _play,
    Forgery((b'"drive":1', b'"drive":2'), {"boons": 99}),
)
