"""The scene of the system: a turn with charge, hits, wounds, saves, panic and a random direction."""

from rules.scene import Forgery, Scene, Stage
from rules.systems.t9a import bodies as b
from rules.systems.t9a.rerolls import ordered_reroll

__all__ = ["SCENE"]


_HATRED = b.RerollRule("Hatred", "failed")
_LETHAL = b.RerollRule("Lethal blades", "natural", naturals=(1,))
_BLESSED = b.RerollRule("Blessed", "natural", naturals=(1,))


def _play(stage: Stage) -> None:
    """Play the turn."""
    stage.say("Alice's riders charge: 2D6, Maximised by Swiftstride, +5 for their Advance Rate, 11 needed.")
    swift = (b.Modifier("Advance Rate", add=5),)
    _roll(stage, "alice", b.RollBody("Charge range", "2d6", maximised=("Swiftstride",), modifiers=swift, target="11+"))
    stage.say("Ten attacks hit on 4+; a natural 6 always, a natural 1 never; Hatred rerolls the failed ones at once.")
    always = b.Always(success=(6,), failure=(1,))
    body = b.RollBody("To hit", "1d6", 10, target="4+", always=always, rerolls=(_HATRED,), at_once=True)
    hits = _roll(stage, "alice", body)
    stage.say("They wound on 3+, ones are rerolled.")
    wounds = _roll(stage, "alice", b.RollBody("To wound", "1d6", max(hits, 1), target="3+", rerolls=(_LETHAL,)))
    stage.say("Bob saves on 4+, one worse for Armour Penetration; then Aegis on 5+, ones rerolled.")
    worse = (b.Modifier("Armour Penetration 1", add=-1),)
    saved = _roll(stage, "bob", b.RollBody("Armour Save", "1d6", max(wounds, 1), target="4+", modifiers=worse))
    through = max(wounds - saved, 1)
    _roll(stage, "bob", b.RollBody("Aegis Save", "1d6", through, target="5+", rerolls=(_BLESSED,)))
    stage.say("One wound multiplies by D3. Bob's unit tests for panic: 2D6, Minimised, 7 or less; then it flees.")
    _roll(stage, "alice", b.RollBody("Multiple Wounds (D3)", "d3"))
    _roll(stage, "bob", b.RollBody("Panic Test", "2d6", minimised=("Steady ranks",), target="7-"))
    _roll(stage, "bob", b.RollBody("Direction of flight", "direction"))
    _roll(stage, "bob", b.RollBody("Direction of a stray shot, with a D6", "direction-d6"))


def _roll(stage: Stage, player: str, body: b.RollBody) -> int:
    """Make a roll and the rerolls that rules order, resolve it, and return the number of successes."""
    number = stage.act(player, "roll", body)
    while rule := ordered_reroll(stage.roll(number)):
        stage.act(player, "reroll", b.RerollBody(number, rule.rule))
    stage.act(player, "resolve", b.ResolveBody(number))
    stage.show(number)
    return stage.roll(number).successes or 0


SCENE = Scene(
    {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"},
    b.Options(),
    _play,
    Forgery((b'"target":"11+"', b'"target":"3+"'), {"totals": [99]}),
)
