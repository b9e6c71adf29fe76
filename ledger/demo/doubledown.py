"""A scene of Double Down: a roll that is doubled, a support roll, and a group that votes."""

from ledger.demo.table import Table
from rules import Role
from rules.doubledown import DoubleDown
from rules.doubledown import bodies as b
from rules.doubledown.state import Roll

__all__ = ["CLAIM", "FILE", "REWRITE", "ROLES", "play"]

FILE = "doubledown.jsonl"
ROLES: dict[str, Role] = {"host": "keeper", "gil": "gm", "alice": "player", "bob": "player"}
REWRITE = (b'"drive":1', b'"drive":2')
CLAIM = {"boons": 99}


def play(table: Table) -> None:
    """Play a scene from the game's opening to its close."""
    table.open(DoubleDown.id, b.Options(), "Demonstration")
    table.say("Alice and Bob declare their characters; Gil, the GM, confirms them.")
    tags = {"rogue": b.TagBody(2), "four-arms": b.TagBody(4)}
    _sheet(table, "alice", b.DeclareSheet("Ash", {"agility": 3, "toughness": 5}, (1, 2, 3), 1, tags, 3))
    _sheet(table, "bob", b.DeclareSheet("Brook", {"agility": 2, "wits": 4}, (1, 1, 2), 0, {"medic": b.TagBody(3)}, 2))
    table.say(
        "Ash crosses a rickety bridge: Agility against 14, her tag Rogue, one drive; whatever shows, she doubles."
    )
    call = _call(table, b.DeclareCall("Cross the rickety bridge", "agility", 14, ("alice",)))
    _resolve(table, "alice", table.act("alice", "roll", b.RollBody(call=call, tag="rogue", drive=1)), double=True)
    table.say("Brook tends to her: a support roll, Wits against 11.")
    call = _call(table, b.DeclareCall("Tend to Ash", "wits", 11, ("bob",), support=True))
    _resolve(table, "bob", table.act("bob", "roll", b.RollBody(call=call, tag="medic")), double=False)
    table.say("Both lift a gate, and vote: Bob against doubling, Alice, who rolls, for it; the roller breaks the tie.")
    call = _call(table, b.DeclareCall("Lift the gate", "toughness", 19, ("alice", "bob")))
    table.act("bob", "modify", b.ModifyBody(call=call, roller="alice", drive=1))
    roll = table.act("alice", "roll", b.RollBody(call=call, tag="four-arms"))
    table.act("bob", "declare", b.DeclareVote(roll, double=False))
    table.act("alice", "declare", b.DeclareVote(roll, double=True))
    _resolve(table, "alice", roll, double=True)
    table.finish()


def _sheet(table: Table, player: str, sheet: b.DeclareSheet) -> None:
    table.act(player, "declare", sheet)
    table.act("gil", "declare", b.DeclareConfirm(player))


def _call(table: Table, call: b.DeclareCall) -> int:
    table.act("gil", "declare", call)
    return int(table.view.replay.session.game.calls[-1].call)


def _resolve(table: Table, player: str, number: int, *, double: bool) -> None:
    """Double down or not, resolve, and spend what was earned: boons on a story, banes on tension."""
    if double:
        table.act(player, "reroll", b.RerollBody(number))
    table.act(player, "resolve", b.ResolveBody(number))
    table.show(number)
    roll = table.roll(number)
    assert isinstance(roll, Roll)
    if roll.left is not None:
        kind, amount = roll.left
        if kind == "boons":
            table.act(player, "declare", b.DeclareSpend(number, "story", amount=amount, text="a way in"))
        else:
            table.act("gil", "declare", b.DeclareSpend(number, "tension", amount=amount // 2 or 1))
        table.say(f"  {kind}: {amount}")
