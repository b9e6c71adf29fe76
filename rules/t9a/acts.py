"""The 9th Age: what is done to a roll after its dice are shown (specs/t9a.md, T1.4, T2, T4.4, "Claims", "Rulings")."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import Ruling
from rules.history import find_roll, keep_roll, replaced
from rules.shared import add_to_tally, check_roller, check_room, find_die, open_roll, refuse, ruled_steps
from rules.t9a import bodies as b
from rules.t9a.rerolls import new_rule, ordered
from rules.t9a.rolls import check_reach, new_modifier
from rules.t9a.state import Die, Game, Roll, Throw


def declare(game: Game, author: str, body: b.DeclareReroll) -> Game:
    """A further reroll rule bears on the open roll."""
    roll = open_roll(game.open, body.roll, "T1.4")
    rule = new_rule(roll, author, body.rule, late=True)
    check_room(len(roll.rules), "T4.2")
    return replace(game, open=replace(roll, rules=(*roll.rules, rule)))


def modify(game: Game, author: str, body: b.ModifyBody) -> Game:
    """A further modifier bears on the open roll (T2)."""
    roll = open_roll(game.open, body.roll, "T1.4")
    if roll.direction:
        refuse("T7.3", "a direction is no number: {source} cannot modify it", source=body.modifier.source)
    roll = replace(roll, modifiers=(*roll.modifiers, new_modifier(author, body.modifier, late=True)))
    check_reach(roll, "T2.3")
    return replace(game, open=roll)


def resolve(game: Game, author: str, body: b.ResolveBody) -> Game:
    """The roll ends; what was announced is what the dice say."""
    roll = open_roll(game.open, body.roll, "T1.4")
    check_roller(roll, author, "T1.4")
    order = ordered(roll)
    if order is not None:
        text = "{source} orders a reroll ({which}) that has not been made"
        refuse("T4.4", text, source=order.source, which=order.words)
    _check_place(roll, body)
    _check_claims(roll, body)
    players = add_to_tally(game.players, author, rolls=1)
    settled = keep_roll(game.settled, replace(roll, status="resolved"))
    return replace(game, players=players, open=None, settled=settled)


# --- claims --------------------------------------------------------------------------------------------------------


def _check_place(roll: Roll, body: b.ResolveBody) -> None:
    """Nothing is claimed that such a roll does not have."""
    if roll.direction and not (isinstance(body.totals, UnsetType) and isinstance(body.successes, UnsetType)):
        refuse("T7.3", "a direction is no number: it has no total and no success")
    if not roll.direction and not isinstance(body.directions, UnsetType):
        refuse("T7.3", "{notation} gives no direction", notation=roll.notation)
    if roll.target is None and not isinstance(body.successes, UnsetType):
        refuse("T1.3", "roll {roll} has no target, so nothing succeeds or fails", roll=roll.roll)
    if roll.kinds[0] != "face" and not isinstance(body.faces, UnsetType):
        refuse("T7.2", "only a D6 in place of the direction die has a side that is the arrow")


def _check_claims(roll: Roll, body: b.ResolveBody) -> None:
    throws, turned = roll.throws, "T7.2" if roll.kinds[0] == "face" else "T7.1"
    if not isinstance(body.totals, UnsetType):
        _check_number(roll, body.totals, "T1.2")
        _check_each(roll, "the total", [throw.total for throw in throws], body.totals, partial(_overlooked, roll))
    if not isinstance(body.successes, UnsetType) and body.successes != roll.successes:
        always = roll.always.success or roll.always.failure
        clause = ("T5.2" if roll.kinds[0] == "d3" else "T3.1") if always else "T1.3"
        text = "{expected} of {times} throws succeed, not {actual}"
        if roll.times == 1:
            text = "the throw {does}: successes are {expected}, not {actual}"
        does = "succeeds" if roll.successes else "fails"
        refuse(clause, text, does=does, times=roll.times, expected=roll.successes, actual=body.successes)
    if not isinstance(body.directions, UnsetType):
        _check_number(roll, body.directions, turned)
        degrees = [throw.degrees for throw in throws]
        _check_each(roll, "the direction in degrees", degrees, body.directions, lambda _: turned)
    if not isinstance(body.faces, UnsetType):
        _check_number(roll, body.faces, "T7.2")
        _check_each(roll, "the side that is the arrow", [t.face for t in throws], body.faces, lambda _: "T7.2")


def _check_number(roll: Roll, claimed: Sequence[int], clause: str) -> None:
    """There is a claim for each throw."""
    if len(claimed) != roll.times:
        text = "say one number for each throw: {times}, not {claimed}"
        refuse(clause, text, times=roll.times, claimed=len(claimed))


def _check_each(
    roll: Roll, what: str, true: Sequence[int | None], claimed: Sequence[int], clause: Callable[[Throw], str]
) -> None:
    """Each claim is true; of the first that is not, `clause` says what was overlooked."""
    for throw, expected, actual in zip(roll.throws, true, claimed, strict=True):
        if actual != expected:
            text = "{what} is {expected}, not {actual}"
            if roll.times > 1:
                text = "throw {throw}: {what} is {expected}, not {actual}"
            refuse(clause(throw), text, throw=throw.throw, what=what, expected=expected, actual=actual)


def _overlooked(roll: Roll, wrong: Throw) -> str:
    """The clause that whoever claims another total for this throw has most likely overlooked."""
    causes = (
        ("T4.3", any(roll.dice[number - 1].rerolled for number in wrong.kept)),
        ("T2.2", wrong.total is not None and wrong.total < 1),
        ("T2.1", bool(roll.modifiers)),
        ("T5.1", roll.kinds[0] == "d3"),
        ("T6.4", bool(roll.maximised and roll.minimised)),
        ("T6.3", abs(roll.net) > 1),
        ("T6.1", roll.net == 1),
        ("T6.2", roll.net == -1),
    )
    return next((clause for clause, applies in causes if applies), "T1.2")


# --- leaving, rulings ----------------------------------------------------------------------------------------------


def leave(game: Game, party: str) -> Game:
    """The open roll of a player that leaves comes to nothing."""
    if game.open is None or game.open.player != party:
        return game
    return replace(game, open=None, settled=keep_roll(game.settled, replace(game.open, status="abandoned")))


def rule(game: Game, ruling: Ruling) -> Game:
    """What a ruling on a roll changes; any other ruling changes nothing here."""
    roll = find_roll(game.settled, game.open, ruling.subject)
    if roll is None:
        return game
    if ruling.ruling == "void":
        struck = replace(roll, status="struck")
        if game.open is roll:
            return replace(game, open=None, settled=keep_roll(game.settled, struck))
        return replace(game, settled=replaced(game.settled, roll, struck))
    if ruling.ruling == "correct" and not isinstance(ruling.results, UnsetType):
        dice = list(roll.dice)
        for ruled in ruling.results:
            die = find_die(dice, ruled.die, "ruling")
            dice[ruled.die - 1] = _corrected(die, ruled.result)
        corrected = replace(roll, dice=tuple(dice))
        check_reach(corrected, "ruling")
        if game.open is roll:
            return replace(game, open=corrected)
        return replace(game, settled=replaced(game.settled, roll, corrected))
    return game


def _corrected(die: Die, result: int) -> Die:
    if die.kind in ("arrow", "bearing") and not 0 <= result < 360:
        refuse("ruling", "die {die} gives a direction: 0 to 359 degrees", die=die.die)
    if die.kind == "face" and result not in (1, 5):
        refuse("ruling", "die {die} says which side is the arrow: 1 or 5", die=die.die)
    return replace(die, result=result, steps=ruled_steps(die.steps, result))
