"""The scene for newcomers: the last evening of a campaign, with saves, open strikes, an announced blow and a draw."""

from rules.scene import Forgery, Scene, Stage
from rules.systems.anydice import bodies as b
from rules.systems.anydice.state import Roll

__all__ = ["SCENE"]

_ABOUT = (
    "For three years Alice has played Mira, a locksmith who cannot swim, and Bob her brother Bram. Gil is their game "
    "master. Last spring Mira's old teacher drowned, by one die that only Gil saw. Nobody said a word, and nobody "
    "forgot. Tonight is the last evening. The four sit in four towns; Hal, a friend, keeps the log; and no die is "
    "rolled out of sight."
)
_CAPTAIN = 22
"""the Captain's hit points"""
_BRAM = {
    (True, True): "Bram follows.",
    (True, False): "Under Bram the ropes tear; he comes up on the far bank, cold and furious.",
    (False, True): "Bram walks out to her, and pulls her over.",
    (False, False): "Under Bram the last ropes tear. The water takes both, and throws them out on the far bank.",
}
"""whether Mira and whether Bram pass → what happens to Bram"""
_CHEST = (b.Item("wet rope", 3), b.Item("a purse of silver", 2), b.Item("the teacher's letter"))


def _play(stage: Stage) -> None:
    """Play the bridge, the fight and the chest."""
    crossed = _bridge(stage)
    _fight(stage, crossed=crossed)
    _chest(stage)


def _bridge(stage: Stage) -> bool:
    stage.say("A rope bridge over black water. Gil calls for a save: d20 and what each is good for, 12 or more.")
    stage.act("gil", "declare", b.DeclareCall("Save on the rope bridge", "d20", least=12))
    call = stage.game.calls[-1].call
    mira = _passed(_rolled(stage, "alice", b.RollBody(call=call, dice="d20 + 4")))
    stage.say(
        "Mira runs, and is over." if mira else "Too little: a plank breaks. Mira hangs above the water she dreads."
    )
    bram = _passed(_rolled(stage, "bob", b.RollBody(call=call, dice="d20 + 1")))
    stage.say(_BRAM[mira, bram])
    return mira


def _fight(stage: Stage, *, crossed: bool) -> None:
    stage.say("There the Drowned Captain rises, who has their teacher's voice.")
    left = _CAPTAIN
    how, dice = ("from the dark, with advantage", "d20adv + 5") if crossed else ("out of breath", "d20 + 5")
    stage.say(f"Mira strikes {how}; 14 hits.")
    if _passed(_rolled(stage, "alice", b.RollBody(dice=dice, source="Mira strikes", least=14))):
        left -= _total(_rolled(stage, "alice", b.RollBody(dice="2d6 + 4", source="her knife")))
    else:
        stage.say("Her knife finds only fog.")
    stage.say("The Captain strikes at Bram, and Gil's die lies as open as theirs; 15 hits.")
    hurt = _passed(_rolled(stage, "gil", b.RollBody(dice="d20 + 6", source="the Captain strikes", least=15)))
    stage.say(
        "Bram goes down on one knee. He throws the lamp from there:"
        if hurt
        else "The blade rings on stone. Bram throws the lamp:"
    )
    lamp = _rolled(stage, "bob", b.RollBody(dice="4d6!", source="the burning lamp; sixes burn on"))
    stage.act("bob", "resolve", b.ResolveBody(lamp.roll, totals=(_total(lamp),)))
    left -= _total(lamp)
    stage.say(
        "The Captain burns, thanks them in the old man's voice, and is gone."
        if left <= 0
        else f"The Captain sinks with {left} of {_CAPTAIN} wounds to go. There will be one more evening after all."
    )


def _chest(stage: Stage) -> None:
    stage.say("The chest: six things in Gil's list, in an order that nobody can know. Alice draws one.")
    stage.act("gil", "declare", b.DeclareDeck("chest", _CHEST))
    found = _rolled(stage, "alice", b.RollBody(deck="chest", draw=1, source="the chest"))
    letter = _CHEST[-1].item == found.dice[0].face
    stage.say("She reads it aloud." if letter else "The letter is still in there. They vote to open everything.")


def _rolled(stage: Stage, player: str, body: b.RollBody) -> Roll:
    number = stage.act(player, "roll", body)
    stage.show(number)
    roll: Roll = stage.roll(number)
    return roll


def _passed(roll: Roll) -> bool:
    return bool(roll.results[0].passed)


def _total(roll: Roll) -> int:
    return roll.results[0].total


SCENE = Scene(
    {"hal": "keeper", "alice": "player", "bob": "player", "gil": "gm"},
    b.Options(),
    _play,
    Forgery((b'"dice":"d20 + 4"', b'"dice":"d20 + 9"'), {"totals": [99]}),
    _ABOUT,
)
