"""Logs that cost much: what the issue's table has, and what the search has found. Each is about `size` bytes long."""

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, cast

import msgspec

from rules.systems.wh40k.next_step import next_step
from rules.systems.wh40k.settling import settle_open
from tests.hostile.forge import Forge

__all__ = ["BOMBS", "Bomb"]

Bomb = Callable[[int], bytes]
BOMBS: dict[str, tuple[str, Bomb]] = {}
"""name → the system, and what makes the log"""

MAGIC, AGE, WAR, DOWN, DICE = "mtg-706-2023-11-17", "t9a-2022", "wh40k-9e", "doubledown-1", "dice-1"
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    MAGIC: {"planechase": True},
    AGE: {},
    WAR: {"fast_rolling": True, "fast_saves": True, "command_reroll": False},
    DOWN: {},
    DICE: {},
}
LONG = "語" * 490


def bomb(system: str, **terms: Any) -> Callable[[Callable[[Forge], Iterator[None]]], None]:
    """A round of a game that is played again and again until the log is long enough; it may stop at each yield.

    `terms` are those of `Forge`.
    """

    def named(play: Callable[[Forge], Iterator[None]]) -> None:
        @wraps(play)
        def make(size: int) -> bytes:
            forge = Forge(system, _OPTIONS[system], **{"roles": ROLES[system]} | terms)
            while forge.bytes < size:
                for _ in play(forge):
                    if forge.bytes >= size:
                        break
            return forge.log

        BOMBS[play.__name__.replace("_", "-")] = system, make

    return named


_PLAYERS = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"}
ROLES: Mapping[str, Any] = {
    MAGIC: _PLAYERS,
    AGE: _PLAYERS,
    WAR: _PLAYERS,
    DOWN: {"host": "keeper", "alice": "player", "gail": "gm"} | {f"p{n}": "player" for n in range(60)},
    DICE: _PLAYERS | {"gail": "gm"},
}


def _release(forge: Forge) -> None:
    """Nobody owes a request that was voided."""
    for owed in list(forge.session.owes.values()):
        forge.act("dana", "ruling", {"ruling": "void", "subject": owed.seq, "text": "x"})


# --- Magic -----------------------------------------------------------------------------------------------------------


def _effects(count: int, source: str = "x", **more: Any) -> list[dict[str, Any]]:
    return [{"source": source, "kind": "adjust", "amounts": [1], **more} for _ in range(count)]


@bomb(MAGIC)
def magic_unanswered_effects(forge: Forge) -> Iterator[None]:
    """Many dice, as many effects as there may be, answered one by one."""
    effects = [*_effects(2, optional=True)]
    seq = forge.act("alice", "roll", {"source": "s", "dice": "980d6", "effects": effects})
    for number in (1, 2):
        yield
        forge.act("alice", "modify", {"roll": seq, "effect": number, "choice": "apply"})


@bomb(MAGIC)
def magic_answered_one_die_at_a_time(forge: Forge) -> Iterator[None]:
    """Some dice, many effects."""
    effects = _effects(86, optional=True, scope="one")
    seq = forge.act("alice", "roll", {"source": "s", "dice": "32d6", "effects": effects})
    for number in range(1, 87):
        yield
        forge.act("alice", "modify", {"roll": seq, "effect": number, "choice": "apply", "dice": [1]})


@bomb(MAGIC)
def magic_ruled_on_again_and_again(forge: Forge) -> Iterator[None]:
    """A thousand dice, abilities that trigger, a table; a judge corrects one die after the other."""
    if not forge.session.game.triggers:
        for on in ({"on": "result", "range": "1+"}, {"on": "highest"}, {"on": "die"}):
            for _ in range(33):
                forge.act("alice", "declare", {"what": "trigger", "source": "t", **on})
    table = [{"range": f"{n}", "effect": "x"} for n in (1, 2, 3)]
    seq = forge.act("alice", "roll", {"source": "s", "dice": "995d6", "table": table})
    for number in range(1, 200):
        yield
        results = [{"die": number, "result": 7}]
        forge.act("dana", "ruling", {"ruling": "correct", "subject": seq, "text": "x", "results": results})


@bomb(MAGIC)
def magic_asked_for_and_voided(forge: Forge) -> Iterator[None]:
    """A roll that stands is settled by a request, and stands again when that is voided."""
    seq = forge.act("alice", "roll", {"source": "s", "dice": "1000d6"})
    forge.act("alice", "declare", {"what": "effect", "roll": seq, "effect": _effects(1)[0]})
    forge.act("alice", "declare", {"what": "effect", "roll": seq, "effect": _effects(1)[0]})
    for _ in range(50):
        yield
        forge.act("alice", "roll", {"source": "s", "dice": "1000d6"}, end="void")


@bomb(MAGIC)
def magic_told_again_and_again(forge: Forge) -> Iterator[None]:
    """A roll with as much text as there may be is rolled again and again."""
    table = [{"range": "1+", "effect": LONG, "again": True}]
    body = {"source": LONG, "dice": "5d6", "table": table, "use": LONG, "effects": _effects(5, LONG, optional=True)}
    again = forge.session.game.again
    if again is None and forge.session.game.open is None:
        forge.act("alice", "roll", body)
    else:
        yield
        roll = forge.session.game.open
        for effect in roll.effects if roll else ():
            if effect.answer is None:
                forge.act("alice", "modify", {"roll": roll.roll, "effect": effect.effect, "choice": "apply"})
        forge.act("alice", "roll", {"again": roll.roll})


# --- The 9th Age -----------------------------------------------------------------------------------------------------


@bomb(AGE)
def age_at_once(forge: Forge) -> Iterator[None]:
    """Orders that are carried out at once, each on few of the throws: they are drawn one after the other."""
    rules = [{"source": "x", "which": "natural", "naturals": [n % 6 + 1]} for n in range(86)]
    forge.act("alice", "roll", {"source": "s", "dice": "1d6", "times": 34, "rerolls": rules, "at_once": True})
    yield


@bomb(AGE)
def age_many_throws(forge: Forge) -> Iterator[None]:
    """Hundreds of throws with modifiers; each event looks at all of them."""
    modifiers = [{"source": "m", "add": 1 if n % 2 else -1} for n in range(4)]
    body = {"source": "s", "dice": "1d6", "times": 500, "modifiers": modifiers, "target": "4+"}
    seq = forge.act("alice", "roll", body | {"rerolls": [{"source": "r", "which": "failed", "may": True}]})
    yield
    forge.act("bob", "modify", {"roll": seq, "modifier": {"source": "m", "add": 1}})
    for number in range(200):
        yield
        body = {
            "ruling": "correct",
            "subject": seq,
            "text": "x",
            "results": [{"die": number + 1, "result": number % 7}],
        }
        forge.act("dana", "ruling", body)
    forge.act("alice", "resolve", {"roll": seq})


@bomb(AGE)
def age_rerolled_one_by_one(forge: Forge) -> Iterator[None]:
    """Many throws, each rerolled by itself."""
    rules = [{"source": "r", "which": "any", "may": True, "first": True}]
    seq = forge.act("alice", "roll", {"source": "s", "dice": "1d6", "times": 998, "rerolls": rules})
    for number in range(1, 100):
        yield
        forge.act("alice", "reroll", {"roll": seq, "rule": 1, "dice": [number]})
        yield
        forge.act("alice", "ignore", {"roll": seq, "dice": [number]})
    forge.act("alice", "resolve", {"roll": seq})


@bomb(AGE)
def age_asked_for_and_voided(forge: Forge) -> Iterator[None]:
    """A roll that stands is settled by a request, and stands again when that is voided."""
    rules = [{"source": "r", "which": "natural", "naturals": [n % 6 + 1], "may": True} for n in range(3)]
    modifiers = [{"source": "m", "add": 1 if n % 2 else -1} for n in range(2)]
    body = {"source": "s", "dice": "1d6", "times": 900, "target": "0+", "modifiers": modifiers}
    _release(forge)
    forge.act("alice", "roll", body | {"rerolls": [{"source": "r", "which": "failed"}]})
    for _ in range(50):
        yield
        forge.act("alice", "roll", {"source": "s", "dice": "1d6", "times": 300, "rerolls": rules}, end="void")


# --- dice ------------------------------------------------------------------------------------------------------------


@bomb(DICE)
def dice_ruled_on(forge: Forge) -> Iterator[None]:
    """A hundred repetitions of a long sum; a judge corrects one die after the other."""
    dice = "100x" + "1+" * 240 + "5d1"
    seq = forge.act("alice", "roll", {"dice": dice})
    for number in range(400):
        yield
        body = {"ruling": "correct", "subject": seq, "text": "x", "results": [{"die": number + 1, "result": 7}]}
        forge.act("dana", "ruling", body)


@bomb(DICE)
def dice_many_ruled_on(forge: Forge) -> Iterator[None]:
    """A thousand dice of which many are kept and dropped; a judge corrects one after the other."""
    seq = forge.act("alice", "roll", {"dice": "1000d6min2max5kh999kl998dh1dl1>=5f1ds6"})
    for number in range(400):
        yield
        body = {"ruling": "correct", "subject": seq, "text": "x", "results": [{"die": number + 1, "result": 7}]}
        forge.act("dana", "ruling", body)


@bomb(DICE)
def dice_repeated_groups(forge: Forge) -> Iterator[None]:
    """Groups in groups, a hundred times."""
    inner = "{" * 19 + "d1" + ",1}" * 19
    forge.act("alice", "roll", {"dice": f"100x{inner}+{inner}"})
    yield


@bomb(DICE)
def dice_that_explode_one_by_one(forge: Forge) -> Iterator[None]:
    """Chains of explosions, each drawn after the one before."""
    forge.act("alice", "roll", {"dice": "d2000000!>1+d2000000rr>1"})
    yield


@bomb(DICE)
def dice_drawn_from_long_decks(forge: Forge) -> Iterator[None]:
    """A deck of a thousand items with long names, drawn whole again and again."""
    if "d" not in forge.session.game.decks:
        items = [{"item": LONG[:33], "count": 980}]
        forge.act("alice", "declare", {"what": "deck", "deck": "d", "items": items})
    forge.act("alice", "roll", {"deck": "d", "draw": 980})
    yield
    forge.act("alice", "declare", {"what": "shuffle", "deck": "d"})


@bomb(DICE)
def dice_with_long_faces(forge: Forge) -> Iterator[None]:
    """Faces with names as long as they may be."""
    faces = ",".join(letter * 40 for letter in "語日本")
    forge.act("alice", "roll", {"dice": f"100x10d{{{faces}}}[{'語' * 40}]"})
    yield


# --- Warhammer 40,000 ------------------------------------------------------------------------------------------------


def _unit(forge: Forge, player: str, unit: str, lines: int = 1, **more: Any) -> None:
    """A unit of a hundred models, in so many lines that are alike."""
    printed = {"M": 6, "WS": 3, "BS": 3, "S": 4, "T": 4, "W": 100, "A": 10, "Ld": 7, "Sv": 2} | more
    models = [{"count": 100 // lines, "name": "m", **printed} for _ in range(lines)]
    forge.act(player, "declare", {"what": "unit", "unit": unit, "name": "n", "models": models})


def _shoot(forge: Forge, **more: Any) -> int:
    """A thousand attacks that hit without a roll; their number."""
    if "a" not in forge.session.game.units:
        _unit(forge, "alice", "a")
    if "b" in forge.session.game.units:
        forge.act("bob", "declare", {"what": "gone", "unit": "b"})
    _unit(forge, "bob", "b", 50)
    group = {"target": "b", "weapon": "w", "type": "ranged", "A": 10, "S": 4, "AP": 0, "D": 1}
    group |= {"abilities": [{"kind": "auto-hit", "source": "x"}]} | more
    seq = forge.act("alice", "declare", {"what": "attacks", "unit": "a", "groups": [group]})
    forge.act("alice", "resolve", {"groups": [1]})
    return seq


def _end(forge: Forge) -> None:
    """The sequence is over, and so is an open roll of it; nothing is owed."""
    _release(forge)
    sequence = forge.session.game.sequence
    if sequence is not None:
        forge.act("dana", "ruling", {"ruling": "void", "subject": sequence.sequence, "text": "x"})


@bomb(WAR)
def war_saves_asked_for_and_voided(forge: Forge) -> Iterator[None]:
    """Hundreds of saves stand, are settled by a request, and stand again when that is voided."""
    _shoot(forge)
    yield
    forge.act("alice", "roll", {"for": "wound"})
    forge.act("bob", "roll", {"for": "save", "model": 1})
    for _ in range(30):
        yield
        forge.act("bob", "roll", {"for": "free", "source": "x", "dice": "d6"}, end="void")
    _end(forge)


@bomb(WAR)
def war_wounds_that_nothing_saves(forge: Forge) -> Iterator[None]:
    """The wounds of a roll that stands are suffered one by one, again and again."""
    _shoot(forge, AP=-6)
    yield
    forge.act("alice", "roll", {"for": "wound"})
    for _ in range(30):
        yield
        forge.act("alice", "roll", {"for": "free", "source": "x", "dice": "d6"}, end="void")
    _end(forge)


@bomb(WAR)
def war_saves_ruled_on(forge: Forge) -> Iterator[None]:
    """Saves that were settled are ruled on, so that all that came of them is worked out anew."""
    _shoot(forge)
    yield
    forge.act("alice", "roll", {"for": "wound"})
    seq = forge.act("bob", "roll", {"for": "save", "model": 1, "count": 30})
    forge.act("bob", "resolve", {"roll": seq})
    for number in range(1, 31):
        yield
        body = {"ruling": "correct", "subject": seq, "text": "x", "results": [{"die": number, "result": 6}]}
        forge.act("dana", "ruling", body)
    _end(forge)


@bomb(WAR)
def war_open_roll_ruled_on(forge: Forge) -> Iterator[None]:
    """A thousand dice that are open; a judge corrects one after the other."""
    rules = [{"source": "x", "failed": True, "by": "bob"}]
    body = {"for": "free", "source": "x", "dice": "1000d6", "needs": 4, "rerolls": rules}
    seq = forge.act("alice", "roll", body)
    for number in range(1, 200):
        yield
        body = {"ruling": "correct", "subject": seq, "text": "x", "results": [{"die": number, "result": 6}]}
        forge.act("dana", "ruling", body)
    for number in range(201, 400):
        yield
        forge.act("alice", "declare", {"what": "replace", "roll": seq, "die": number, "shows": 6, "source": "x"})
    forge.act("dana", "ruling", {"ruling": "void", "subject": seq, "text": "x"})


def _step(forge: Forge) -> str | None:
    """What comes next in the attacks; None where they are over."""
    coming = _coming(forge)
    return None if coming is None else coming["step"]


def _coming(forge: Forge) -> dict[str, Any] | None:
    """What the state says of it, without the rest of the state."""
    game = settle_open(forge.session.game)
    coming = None if game.sequence is None else msgspec.to_builtins(next_step(game))
    return cast("dict[str, Any] | None", coming)


@bomb(WAR)
def war_many_groups(forge: Forge) -> Iterator[None]:
    """A hundred groups at a hundred units; rules for all of them."""
    if "a" not in forge.session.game.units:
        _unit(forge, "alice", "a", A=1)
        for number in range(90):
            _unit(forge, "bob", f"b{number}")
    group = {"weapon": "w", "type": "ranged", "A": 1, "S": 4, "AP": 0, "D": 1, "bearers": [1]}
    groups = [{"target": f"b{number}", **group} for number in range(90)]
    forge.act("alice", "declare", {"what": "attacks", "unit": "a", "groups": groups})
    for _ in range(9):
        yield
        modifiers = [{"source": "x", "on": "D", "op": "add", "amount": 1}]
        body = {"what": "rules", "groups": list(range(1, 91)), "modifiers": modifiers}
        forge.act("alice", "declare", body)
    for number in range(1, 91):
        yield
        forge.act("alice", "roll", {"for": "hit", "groups": [number]})
        if _step(forge) == "wound":
            forge.act("alice", "roll", {"for": "wound"})
        while _step(forge) == "save":
            forge.act("bob", "roll", {"for": "save", "model": 1})
    _end(forge)


@bomb(WAR)
def war_saves_one_by_one(forge: Forge) -> Iterator[None]:
    """A thousand wounds, saved one by one."""
    _shoot(forge)
    yield
    forge.act("alice", "roll", {"for": "wound"})
    for _ in range(200):
        yield
        forge.act("bob", "roll", {"for": "save", "model": 1, "count": 1})
    _end(forge)


@bomb(WAR)
def war_told_in_each_roll(forge: Forge) -> Iterator[None]:
    """Single attacks of a group with as much text as there may be."""
    modifiers = [{"source": LONG, "on": "hit", "op": "add", "amount": 1} for _ in range(6)]
    if "a" not in forge.session.game.units:
        _unit(forge, "alice", "a")
        _unit(forge, "bob", "b")
    group = {"target": "b", "weapon": LONG, "type": "ranged", "A": 10, "S": 4, "AP": 0, "D": 1, "modifiers": modifiers}
    forge.act("alice", "declare", {"what": "attacks", "unit": "a", "groups": [group]})
    for _ in range(200):
        yield
        forge.act("alice", "roll", {"for": "hit", "groups": [1], "count": 1})
        while (coming := _coming(forge)) is not None and coming["step"] != "hit":
            body = {"for": coming["step"]} | ({"model": 1} if coming["step"] == "save" else {})
            forge.act(coming["player"], "roll", body)
    _end(forge)


# --- Double Down -----------------------------------------------------------------------------------------------------


@bomb(DOWN)
def down_votes_in_a_crowd(forge: Forge) -> Iterator[None]:
    """Many players are in each other's group rolls, all of which are open; somebody comes and goes."""
    players = ["alice", *(f"p{n}" for n in range(60))]
    if not forge.session.game.sheets:
        for name in players:
            sheet = {"character": "C", "stats": {"wits": 1}, "track": [1], "stress": 0, "tags": {}, "drive": 0}
            forge.act(name, "declare", {"what": "sheet", **sheet})
            forge.act("gail", "declare", {"what": "confirm", "player": name})
        for name in players[1:]:
            forge.act(name, "away", {"party": name})
        for number, name in enumerate(players[1:40], 1):
            forge.act(name, "back", {"party": name})
            if number > 1:
                forge.act(players[number - 1], "away", {"party": players[number - 1]})
            call = {"what": "call", "source": "s", "stat": "wits", "difficulty": 10}
            there = [name, *(other for other in players if other not in (name, "alice"))]
            forge.act("gail", "declare", call | {"players": there})
            forge.act(name, "roll", {"call": number})
        for name in players[1:39]:
            forge.act(name, "back", {"party": name})
    for _ in range(20):
        yield
        forge.act("p59", "back", {"party": "p59"})
        yield
        forge.act("p59", "away", {"party": "p59"})


@bomb(DOWN)
def down_calls_voided(forge: Forge) -> Iterator[None]:
    """A call with as much text as there may be is rolled for and voided again and again."""
    if not forge.session.game.sheets:
        sheet = {"character": LONG, "stats": {"wits": 1}, "track": [1], "stress": 0, "tags": {}, "drive": 0}
        forge.act("alice", "declare", {"what": "sheet", **sheet})
        forge.act("gail", "declare", {"what": "confirm", "player": "alice"})
        call = {"what": "call", "source": LONG, "stat": "wits", "difficulty": 10, "players": ["alice"]}
        forge.act("gail", "declare", call)
    yield
    forge.act("alice", "roll", {"call": 1}, end="void")


# --- what all systems share ------------------------------------------------------------------------------------------

_CROWD = [f"p{n}" for n in range(61)]
_TABLE = {"host": "keeper", "alice": "player"} | dict.fromkeys(_CROWD, "player") | {"dana": "judge"}


@bomb(DICE, roles=_TABLE)
def shared_owed_by_everybody(forge: Forge) -> Iterator[None]:
    """Everybody owes a roll that was voided; a judge rules on each, with as many words as there may be."""
    seqs = []
    for name in ("alice", *_CROWD):
        if name not in forge.session.owes:
            seqs.append(forge.act(name, "roll", {"dice": "1000d1000", "source": LONG}, end="void"))
            yield
    for ruling in ("uphold", "penalty", "void"):
        for seq, name in zip(seqs, ("alice", *_CROWD), strict=False):
            whom = {"party": name} if ruling == "penalty" else {}
            forge.act("dana", "ruling", {"ruling": ruling, "subject": seq, "text": LONG, **whom})
            yield


@bomb(DICE, roles=_TABLE, contributors=("alice", *_CROWD), others_away=True)
def shared_calls_in_a_crowd(forge: Forge) -> Iterator[None]:
    """Everybody calls everybody else away, and nobody is ever the last to do so."""
    everybody = ["alice", *_CROWD]
    for caller in everybody[:-2]:
        for party in everybody[-2:]:
            if caller not in forge.session.parties.calls.get(party, ()):
                forge.act(caller, "away", {"party": party})
                yield
    for party in everybody[-2:]:  # who writes is here
        forge.act(party, "away", {"party": everybody[0]})
        yield


@bomb(DICE, roles=_TABLE, contributors=("alice", *_CROWD))
def shared_coming_and_going(forge: Forge) -> Iterator[None]:
    """A crowd comes and goes, and a roll is voided with every link there is."""
    for name in _CROWD:
        forge.act(name, "away", {"party": name})
        yield
    forge.act("alice", "roll", {"dice": "d6", "source": "x"}, end="void")
    for name in _CROWD:
        forge.act(name, "back", {"party": name})
        yield
    _release(forge)
