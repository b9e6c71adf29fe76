"""The course of a roll: first die, second die (R4), and its outcome (R3 to R8)."""

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from rules.base import Event
from rules.common.shared import called_off, check_roller, refuse
from rules.data.language import N_, Message
from rules.history import keep_roll
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown import calls, sheets
from rules.systems.doubledown.state import SIDES, Die, Game, Pending, Roll

# --- requests and dice -----------------------------------------------------------------------------------------------


def request(game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
    """Take a roll, or the second die of one. Return the game and the sides of the die to draw. Raises Violation."""
    match event.body:
        case b.RollBody() as body:
            after = _without_own(game, event.author)
            roll = calls.new_roll(after, event, body)
            pending = Pending(roll.roll, doubling=False, before=game)
            return replace(after, opened=(*after.opened, roll), pending=pending), (SIDES,)
        case b.RerollBody(roll=number):
            _check_may_double(game, event.author, number)
            return replace(game, pending=Pending(number, doubling=True, before=game)), (SIDES,)
        case body:
            raise TypeError(f"{event.type} has no body {body!r}")


def _without_own(game: Game, player: str) -> Game:
    """Return the game with the player's open roll settled. Raises Violation R4 if that roll does not stand."""
    own = game.own(player)
    if own is None:
        return game
    if not own.stands:
        refuse(
            "R4", "roll {roll} of {player} is not finished: double down, or resolve it", roll=own.roll, player=player
        )
    return settle(game, own)


def _check_may_double(game: Game, author: str, number: int) -> None:
    roll = open_roll(game, number)
    check_roller(roll, author, "R4")
    if roll.doubled:
        refuse("R4", "roll {roll} was doubled down already", roll=number)
    _check_decided(game, roll, double=True)


def _check_decided(game: Game, roll: Roll, *, double: bool) -> None:
    """Verify that the group has decided this way, or that there is no group. Raises Violation R9."""
    if roll.decided is None and len(game.present(roll.called.players)) > 1:
        refuse("R9", "the group has not yet decided whether to double down on roll {roll}", roll=roll.roll)
    if roll.decided is (not double):
        refuse("R9", N_("the group voted to double down") if roll.decided else N_("the group voted not to double down"))


def reveal(game: Game, naturals: tuple[int, ...]) -> Game:
    """Return the game with the die of the pending request revealed.

    With the first die, the contributions to the roll are paid.
    """
    assert game.pending is not None, "no request is pending"
    roll, doubling = game.find(game.pending.roll), game.pending.doubling
    assert roll is not None
    die = Die(len(roll.dice) + 1, naturals, naturals[0] + roll.modifier)
    game = _count(replace(game, pending=None), roll.player, dice=1, doubled=int(doubling))
    shown = replace(roll, status="open", dice=(*roll.dice, die))
    if doubling:
        return replace_open_roll(game, roll, shown)
    game = calls.without(with_opened(game, roll, shown), roll.called.call)
    for name, gives in roll.called.contributions.items():
        game = sheets.pay(game, name, gives.tag, gives.drive)
    return game


def void(game: Game) -> Game:
    """Return the game as before the pending request. A roll without dice is listed as void."""
    assert game.pending is not None, "no request is pending"
    before = game.pending.before
    if game.pending.doubling:
        return before
    roll = game.find(game.pending.roll)
    assert roll is not None
    return called_off(before, roll)


# --- settling --------------------------------------------------------------------------------------------------------


def resolve(game: Game, author: str, body: b.ResolveBody) -> Game:
    """Return the game with the open roll settled: its player lets the first die stand, or announces the outcome.

    Raises Violation R4 or R9, or the clause of a wrong announcement.
    """
    roll = open_roll(game, body.roll)
    check_roller(roll, author, "R4")
    if not roll.doubled:
        _check_decided(game, roll, double=False)
    _check_claims(replace(roll, status="resolved"), body)
    return settle(game, roll)


def settle_all(game: Game) -> Game:
    """Return the game with every roll settled that stands, in the order of their requests."""
    for roll in game.opened:
        if roll.stands:
            game = settle(game, roll)
    return game


def settle(game: Game, roll: Roll) -> Game:
    """Return the game with an open roll resolved: it stands, or its player lets the first die stand."""
    return _count(settle_roll(game, roll, replace(roll, status="resolved")), roll.player, rolls=1)


def settle_roll(game: Game, roll: Roll, after: Roll) -> Game:
    """Return the game with an open roll settled as `after`, and its player's drive adjusted to the outcome (R7)."""
    opened = tuple(one for one in game.opened if one is not roll)
    game = replace(game, opened=opened, settled=keep_roll(game.settled, after))
    return sheets.gain(game, roll.player, after.drive - roll.drive)


def replace_open_roll(game: Game, roll: Roll, after: Roll) -> Game:
    """Return the game with an open roll replaced by `after`, and its player's drive adjusted if that stands (R7)."""
    return sheets.gain(with_opened(game, roll, after), roll.player, after.drive - roll.drive)


def with_opened(game: Game, roll: Roll, after: Roll) -> Game:
    """Return the game with `after` in the place of this pending or open roll."""
    return replace(game, opened=tuple(after if one is roll else one for one in game.opened))


def open_roll(game: Game, number: int) -> Roll:
    """Return the open roll with this number. Raises Violation R4."""
    roll = next((one for one in game.opened if one.roll == number), None)
    if roll is None:
        refuse("R4", "roll {roll} is not open", roll=number)
    return roll


def _check_claims(roll: Roll, body: b.ResolveBody) -> None:
    """Verify that an announcement agrees with the dice. Raises Violation of the clause of the first wrong member."""
    assert roll.result is not None
    claims: tuple[tuple[str, str, Any, Any], ...] = (
        ("R4" if roll.doubled else "R3", N_("outcome"), body.outcome, roll.result.name),
        ("R8" if roll.halved else "R5", "boons", body.boons, roll.earned("boons")),
        ("R5", "banes", body.banes, roll.earned("banes")),
        ("R6", "damage", body.damage, roll.damage),
        ("R7", "drive", body.drive, roll.drive),
    )
    for clause, member, claim, actual in claims:
        if claim is not UNSET and claim != actual:
            text = N_("{member}: {actual}, not {claim}")
            values = {"member": Message(member), "actual": _claimed(actual), "claim": _claimed(claim)}
            refuse(clause, text, **values)


def _claimed(value: str | int | None) -> Message | int:
    """Return a claimed or actual value for a message: an outcome in words, or a number."""
    return Message("none") if value is None else Message(value) if isinstance(value, str) else value


def _count(game: Game, player: str, *, rolls: int = 0, dice: int = 0, doubled: int = 0) -> Game:
    tally = game.players[player]
    tally = replace(tally, rolls=tally.rolls + rolls, dice=tally.dice + dice, doubled=tally.doubled + doubled)
    return replace(game, players={**game.players, player: tally})
