"""A turn of The 9th Age: charge, hits, wounds, saves, panic and a random direction."""

from ledger.demo.table import Table
from rules import Role
from rules.t9a import NinthAge
from rules.t9a import bodies as b
from rules.t9a.rerolls import ordered
from rules.t9a.state import Roll

__all__ = ["CLAIM", "FILE", "REWRITE", "ROLES", "play"]

FILE = "t9a.jsonl"
ROLES: dict[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"}
REWRITE = (b'"target":"11+"', b'"target":"3+"')
CLAIM = {"totals": [99]}

_HATRED = b.RerollRule("Hatred", "failed")
_LETHAL = b.RerollRule("Lethal blades", "natural", naturals=(1,))
_BLESSED = b.RerollRule("Blessed", "natural", naturals=(1,))


def play(table: Table) -> None:
    """Play a turn from the game's opening to its close."""
    table.open(NinthAge.id, b.Options(), "Demonstration")
    table.say("Alice's riders charge: 2D6, Maximised by Swiftstride, +5 for their Advance Rate, 11 needed.")
    swift = (b.Modifier("Advance Rate", add=5),)
    _roll(table, "alice", b.RollBody("Charge range", "2d6", maximised=("Swiftstride",), modifiers=swift, target="11+"))
    table.say("Ten attacks hit on 4+; a natural 6 always, a natural 1 never; Hatred rerolls the failed ones at once.")
    always = b.Always(success=(6,), failure=(1,))
    body = b.RollBody("To hit", "1d6", 10, target="4+", always=always, rerolls=(_HATRED,), at_once=True)
    hits = _roll(table, "alice", body)
    table.say("They wound on 3+, ones are rerolled.")
    wounds = _roll(table, "alice", b.RollBody("To wound", "1d6", max(hits, 1), target="3+", rerolls=(_LETHAL,)))
    table.say("Bob saves on 4+, one worse for Armour Penetration; then Aegis on 5+, ones rerolled.")
    worse = (b.Modifier("Armour Penetration 1", add=-1),)
    saved = _roll(table, "bob", b.RollBody("Armour Save", "1d6", max(wounds, 1), target="4+", modifiers=worse))
    through = max(wounds - saved, 1)
    _roll(table, "bob", b.RollBody("Aegis Save", "1d6", through, target="5+", rerolls=(_BLESSED,)))
    table.say("One wound multiplies by D3. Bob's unit tests for panic: 2D6, Minimised, 7 or less; then it flees.")
    _roll(table, "alice", b.RollBody("Multiple Wounds (D3)", "d3"))
    _roll(table, "bob", b.RollBody("Panic Test", "2d6", minimised=("Steady ranks",), target="7-"))
    _roll(table, "bob", b.RollBody("Direction of flight", "direction"))
    _roll(table, "bob", b.RollBody("Direction of a stray shot, with a D6", "direction-d6"))
    table.finish()


def _roll(table: Table, player: str, body: b.RollBody) -> int:
    """Roll, reroll what rules order, resolve; returns the number of successes."""
    number = table.act(player, "roll", body)
    while rule := ordered(_of(table, number)):
        table.act(player, "reroll", b.RerollBody(number, rule.rule))
    table.act(player, "resolve", b.ResolveBody(number))
    table.show(number)
    return _of(table, number).successes or 0


def _of(table: Table, number: int) -> Roll:
    roll = table.roll(number)
    assert isinstance(roll, Roll)
    return roll
