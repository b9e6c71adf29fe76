"""The scene of the system: a turn with a roll-off, a random Move, Smite, shooting, and a charge with the Command
Re-roll.
"""

from rules.base import Ruling
from rules.scene import Forgery, Scene, Stage
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.next_step import Next, next_step
from rules.systems.wh40k.state import AttackSequence, Game, Inflicting, Model, Saving
from rules.systems.wh40k.terms import Announced, AutoHit, Change, Group, Modifier, RerollAbility, Trigger
from rules.systems.wh40k.units import eligible

__all__ = ["SCENE"]


_MARINES = b.DeclareUnit(
    "intercessors",
    "Intercessor Squad",
    (b.Line(5, "Intercessor", M=6, WS=3, BS=3, S=4, T=4, W=2, A=2, Ld=7, Sv=3),),
)
_DREADNOUGHT = b.DeclareUnit(
    "dreadnought", "Dreadnought", (b.Line(1, "Dreadnought", M=6, WS=3, BS=3, S=6, T=7, W=8, A=4, Ld=8, Sv=3),)
)
_SPAWN = b.DeclareUnit(
    "spawn", "Chaos Spawn", (b.Line(2, "Spawn", M="2d6", WS=4, BS="-", S=5, T=5, W=4, A="d6", Ld=8, Sv=5),)
)
_BOYZ = b.DeclareUnit(
    "boyz",
    "Ork Boyz",
    (
        b.Line(9, "Boy", M=5, WS=3, BS=5, S=4, T=5, W=1, A=2, Ld=6, Sv=6),
        b.Line(1, "Nob", M=5, WS=3, BS=5, S=5, T=5, W=2, A=3, Ld=7, Sv=4, ignores_wounds=6),
    ),
)
_CAPTAIN = RerollAbility("Captain", "hit", results=(1,))
_COVER = Modifier("Dense Cover", "hit", "subtract", 1)
_EXPLODING = Trigger("Exploding sixes", "hit", (6,), "extra_hits", unmodified=True, amount=1)
_MELTED = Trigger("Melta overload", "wound", (6,), "mortal", unmodified=True, amount="d3")
_RIFLES = Group(
    "boyz",
    "Bolt rifle",
    "ranged",
    A=2,
    S=4,
    AP=-1,
    D=1,
    modifiers=(_COVER,),
    abilities=(_CAPTAIN, _EXPLODING),
    announced=Announced(wound=5),
)
_MELTA = Group("boyz", "Multi-melta", "ranged", 2, 8, -4, "d6", modifiers=(_COVER,), abilities=(_MELTED,))
_FLAMER = Group("boyz", "Heavy flamer", "ranged", "d6", 5, -1, 1, abilities=(AutoHit("Flamer"),))


def _play(stage: Stage) -> None:
    """Play the turn."""
    for player, unit in (("alice", _MARINES), ("alice", _DREADNOUGHT), ("alice", _SPAWN), ("bob", _BOYZ)):
        stage.act(player, "declare", unit)
    _roll_off(stage)
    _move(stage)
    _psychic(stage)
    stage.act("alice", "declare", b.DeclarePhase("shooting"))
    stage.say(
        "Five Intercessors shoot at Bob's Ork Boyz in Dense Cover, two shots each: hits of 1 again by the Captain,"
    )
    stage.say("unmodified sixes hit twice. Hits and wounds are rolled together, saves one at a time.")
    stage.act("alice", "declare", b.DeclareAttacks("intercessors", (_RIFLES,)))
    _attacks(stage)
    if _alive(stage, "boyz"):
        stage.say("The Dreadnought: D6 flamer hits that need no roll, then a multi-melta of D6 damage.")
        stage.act("alice", "declare", b.DeclareAttacks("dreadnought", (_FLAMER, _MELTA)))
        _attacks(stage)
    stage.say("Bob asks what becomes of AP -2 that Dour Duty worsens by 1, where Bastion treats AP -1 as AP 0:")
    _characteristic(stage)
    charge = _charge(stage)
    stage.say("Dana, the judge, is asked about the charge and upholds it.")
    stage.act("dana", "ruling", Ruling("uphold", charge, "the Command Re-roll took both dice"))


def _roll_off(stage: Stage) -> None:
    stage.say("Alice and Bob roll off until one is higher; whoever it is gives Alice the first turn.")
    results: set[int] = set()
    while len(results) < 2:
        numbers = [_free(stage, player, b.FreeRoll("Roll-off", "d6")) for player in ("alice", "bob")]
        results = {stage.roll(number).parts[0].unmodified for number in numbers}


def _move(stage: Stage) -> None:
    stage.say("Alice's Chaos Spawn are selected to move: 2D6, once for the unit.")
    stage.act("alice", "declare", b.DeclarePhase("movement"))
    stage.act("alice", "declare", b.DeclareMove("spawn"))
    _resolve(stage, "alice", stage.act("alice", "roll", b.MoveRoll("spawn")))


def _psychic(stage: Stage) -> None:
    stage.say("Alice's Librarian casts Smite, 5 or more on 2D6; if it works, D3 mortal wounds on the Boyz.")
    stage.act("alice", "declare", b.DeclarePhase("psychic"))
    number = _free(stage, "alice", b.FreeRoll("Smite, Psychic test", "2d6", sum=True, needs=5))
    if stage.roll(number).parts[0].passed:
        number = _free(stage, "alice", b.FreeRoll("Smite", "d3", sum=True))
        stage.act("alice", "declare", b.DeclareMortal("boyz", "Smite", roll=number))
        _attacks(stage)


def _characteristic(stage: Stage) -> None:
    changes = (Change("Dour Duty", "worsen", 1), Change("Bastion", "treat", 0, when=(-1,)))
    stage.act("bob", "declare", b.DeclareCharacteristic("AP", printed=-2, modifiers=changes, value=0))
    for step in stage.game.computed[-1].steps:
        stage.say(f"  {step.op}{f' by {step.source}' if step.source else ''}: {step.value}")


def _charge(stage: Stage) -> int:
    stage.say("The Intercessors charge: 7 or more on 2D6; a failed charge is rolled again, both dice, once.")
    stage.act("alice", "declare", b.DeclarePhase("charge"))
    number = stage.act("alice", "roll", b.FreeRoll("Charge of the Intercessors", "2d6", sum=True, needs=7))
    if sum(die.value for die in stage.roll(number).dice) < 7:
        stage.act("alice", "reroll", b.RerollBody(number, command=True))
    _resolve(stage, "alice", number)
    return number


# --- attacks -------------------------------------------------------------------------------------------------------


def _attacks(stage: Stage) -> None:
    """Play the open sequence of attacks or mortal wounds to its end."""
    sequence = stage.game.sequence
    while (coming := next_step(stage.game)) is not None:
        event, body = _step(stage.game, coming)
        number = stage.act(coming.player, event, body)
        if event == "roll":
            _captain(stage, number)
            _resolve(stage, coming.player, number)
    ended = next((s for s in stage.game.sequences if sequence is not None and s.sequence == sequence.sequence), None)
    for loss in ended.damage.values() if ended else ():
        lost = ", ".join(f"{n} {what}" for n, what in ((loss.normal, "normal"), (loss.mortal, "mortal")) if n)
        stage.say(f"  {loss.unit}, model {loss.model}, lost wounds: {lost}")


def _step(game: Game, coming: Next) -> tuple[str, b.RollBody | b.ResolveBody]:
    """Return the next event of the player whose step it is."""
    sequence = game.sequence
    assert sequence is not None
    match coming.step:
        case "attacks or hit" | "hit":
            return _new_batch(sequence)
        case "strength" | "wound" | "damage" | "mortal" as step:
            forms = {"strength": b.StrengthRoll, "wound": b.WoundRoll, "damage": b.DamageRoll, "mortal": b.MortalRoll}
            return "roll", forms[step]()
        case "save":
            return _save(game, sequence)
        case "ignore":
            return "roll", b.IgnoreRoll()
        case _:
            return _inflict(game, sequence)


def _new_batch(sequence: AttackSequence) -> tuple[str, b.RollBody | b.ResolveBody]:
    group = next(group for group in sequence.groups if group.left)
    if group.queue is None:
        return "roll", b.AttacksRoll(group.group)
    return ("resolve", b.ResolveBody(groups=(1,))) if group.auto_hit else ("roll", b.HitRoll((group.group,)))


def _save(game: Game, sequence: AttackSequence) -> tuple[str, b.RollBody | b.ResolveBody]:
    step = sequence.at
    if not isinstance(step, Saving):
        raise TypeError("no wound waits for a save")
    model = _next_model(game, step.target)
    ap = sequence.group(step.wounds[0].group).AP.number
    if isinstance(model.line.Sv, int) and 6 + ap < model.line.Sv:
        return "resolve", b.ResolveBody(model=model.model)
    return "roll", b.SaveRoll(model.model)


def _inflict(game: Game, sequence: AttackSequence) -> tuple[str, b.RollBody | b.ResolveBody]:
    step = sequence.at
    if not isinstance(step, Inflicting):
        raise TypeError("no mortal wounds wait for a model")
    model = _next_model(game, step.target)
    owed = sum(m.amount * m.times for m in sequence.mortal if m.target == step.target and isinstance(m.amount, int))
    count = min(owed, model.left)
    if model.line.ward_of_mortal is not None:
        return "roll", b.IgnoreRoll(model.model, count)
    return "resolve", b.ResolveBody(model=model.model, mortal=count)


def _next_model(game: Game, target: str) -> Model:
    """Return the first of the models that can take the next wound."""
    return eligible(game.units[target])[0]


def _captain(stage: Stage, number: int) -> None:
    """Reroll dice that show 1, if the roll has a rule for that."""
    roll = stage.roll(number)
    ones = tuple(die.die for die in roll.dice if die.value == 1)
    if roll.rerolls and ones:
        stage.act(roll.player, "reroll", b.RerollBody(number, reroll=1, dice=ones))


# --- helpers -------------------------------------------------------------------------------------------------------


def _free(stage: Stage, player: str, body: b.FreeRoll) -> int:
    number = stage.act(player, "roll", body)
    _resolve(stage, player, number)
    return number


def _resolve(stage: Stage, player: str, number: int) -> None:
    opened = stage.game.open
    if opened is not None and opened.roll == number:
        stage.act(player, "resolve", b.ResolveBody(number))
    stage.say(f"  {stage.roll(number).source}")
    stage.show(number)


def _alive(stage: Stage, unit: str) -> bool:
    return bool(stage.game.units[unit].alive)


SCENE = Scene(
    {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"},
    b.Options(fast_rolling=True),
    _play,
    Forgery((b'"dice":"d6"', b'"dice":"d3"'), {"results": [99]}),
)
