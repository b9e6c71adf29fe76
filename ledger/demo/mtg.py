"""A Magic game: every part of rule 706 that a table meets. Cards in our own words."""

from ledger.demo.table import Table
from rules import Role, Ruling
from rules.base import DieRecord
from rules.mtg import Magic
from rules.mtg import bodies as b

__all__ = ["CLAIM", "FILE", "REWRITE", "ROLES", "play"]

FILE = "mtg.jsonl"
ROLES: dict[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"}
REWRITE = (b'"dice":"1d20"', b'"dice":"1d12"')
"""what the cheating keeper makes of the first request"""
CLAIM = {"results": [20, 20]}
"""what the cheating player announces at the first resolve"""

_DELINA = (
    b.Row("1–14", "create a tapped and attacking token copy"),
    b.Row("15–20", "create that token. You may roll again.", again="may"),
)
_BARBARIAN = b.Ignores("Barbarian Class", "lowest", extra=1)


def play(table: Table) -> None:
    """Play a game from its opening to its close."""
    table.open(Magic.id, b.Options(planechase=True), "Demonstration")
    table.act("alice", "declare", b.DeclareTrigger("Brazen Dwarf: 1 damage to each opponent", "rolled"))
    _roll_again(table)
    _reroll(table)
    _cost(table)
    _barbarian_class(table)
    _centaur(table)
    _planar_die(table)
    doubles = _doubles(table)
    table.say("Dana, the judge, is asked about the last roll and upholds it.")
    table.act("dana", "ruling", Ruling("uphold", doubles, "both dice were in range of the camera"))
    table.finish()


def _roll_again(table: Table) -> None:
    table.say("Delina attacks: a d20 and a table whose upper row says “You may roll again.”")
    while True:
        roll = table.act("alice", "roll", b.RollBody("Delina, Wild Mage", dice="1d20", table=_DELINA))
        hit = _results(table, roll)[0] >= 15
        table.act("alice", "resolve", b.ResolveBody(roll))
        table.show(roll)
        if hit:
            break
        table.say("  No second roll. Delina attacks again next turn.")
    roll = table.act("alice", "roll", b.RollBody(again=roll))
    hit = _results(table, roll)[0] >= 15
    # She stops here, whatever the table offers.
    table.act("alice", "resolve", b.ResolveBody(roll, again=False) if hit else b.ResolveBody(roll))
    table.show(roll)


def _reroll(table: Table) -> None:
    table.say("Bob rolls two dice; Monitor Monitor lets him pay {1} to reroll one or more of them.")
    effect = b.Effect("Monitor Monitor", "reroll", scope="any", optional=True, mana_cost="{1}")
    body = b.RollBody("Bob's two-dice spell", dice="2d6", use="that much damage, divided", effects=(effect,))
    roll = table.act("bob", "roll", body)
    low = min(table.roll(roll).dice, key=lambda die: die.result or 0)
    reroll = b.RerollBody(roll=roll, effect=1, dice=(low.die,), paid=True, mana_abilities=("Island: add {U}",))
    table.act("bob", "reroll", reroll)
    table.act("bob", "resolve", b.ResolveBody(roll))
    table.show(roll)


def _cost(table: Table) -> None:
    table.say("Alice rolls a d6; Night Shift of the Living Dead: pay 1 life, and the result is one more or one less.")
    effect = b.Effect("Night Shift of the Living Dead", "adjust", amounts=(1, -1), optional=True, cost="pay 1 life")
    roll = table.act("alice", "roll", b.RollBody("A d6 spell", dice="1d6", use="draw that many", effects=(effect,)))
    table.act("alice", "modify", b.ModifyBody(roll, 1, "apply", amount=1, paid=True))
    table.act("alice", "resolve", b.ResolveBody(roll))
    table.show(roll)


def _barbarian_class(table: Table) -> None:
    table.say("Bob has Barbarian Class: one die more, and the lowest is ignored.")
    body = b.RollBody("Farideh, Devil's Chosen", dice="1d20", use="10 or more: draw a card", ignores=(_BARBARIAN,))
    roll = table.act("bob", "roll", body)
    first, second = table.roll(roll).dice
    if first.result == second.result:
        table.act("bob", "ignore", b.IgnoreBody(roll, (first.die,)))
    table.show(roll)


def _centaur(table: Table) -> None:
    table.say("Alice's Centaur of Attention stores four d6; later she rerolls the two lowest.")
    centaur = "centaur-1"
    table.act("alice", "declare", b.DeclarePermanent(centaur, "Centaur of Attention"))
    body = b.RollBody("Centaur of Attention enters", dice="4d6", store=centaur)
    roll = table.act("alice", "roll", body)
    table.act("alice", "resolve", b.ResolveBody(roll))
    table.show(roll)
    stored = sorted(table.view.replay.session.game.permanents[centaur].stored, key=lambda s: s.value)
    lowest = tuple(sorted(s.stored for s in stored[:2]))
    roll = table.act("alice", "reroll", b.RerollBody(permanent=centaur, stored=lowest, source="Centaur of Attention"))
    table.act("alice", "resolve", b.ResolveBody(roll))
    table.show(roll)
    values = [s.value for s in table.view.replay.session.game.permanents[centaur].stored]
    table.say(f"  stored on {centaur}: {', '.join(map(str, values))}")


def _planar_die(table: Table) -> None:
    table.say("Bob rolls the planar die.")
    roll = table.act("bob", "roll", b.RollBody("Planechase", dice="planar"))
    table.act("bob", "resolve", b.ResolveBody(roll))
    table.show(roll)


def _doubles(table: Table) -> int:
    table.say("Bob's Celebr-8000 rolls two d6; doubles do more.")
    body = b.RollBody("Celebr-8000", dice="2d6", use="a bonus for each number", doubles="and it gains trample")
    roll = table.act("bob", "roll", body)
    first, second = _results(table, roll)
    table.act("bob", "resolve", b.ResolveBody(roll, doubles=first == second))
    table.show(roll)
    table.say(f"  doubles: {'yes' if first == second else 'no'}")
    return roll


def _results(table: Table, roll: int) -> list[int]:
    dice: tuple[DieRecord, ...] = table.roll(roll).dice
    return [die.result for die in dice if die.result is not None]
