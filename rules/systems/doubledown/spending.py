"""Purchases with boons and banes, one an event (R5, T3, T4)."""

from msgspec.structs import replace

from rules.base import given
from rules.common.shared import refuse
from rules.data.language import N_, Message
from rules.history import replace_roll
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown.rolling import settle
from rules.systems.doubledown.sheets import gain, in_force, inflict_stress, recover_stress, recover_tag, with_sheet
from rules.systems.doubledown.state import Game, Purchase, Roll
from rules.systems.doubledown.tables import BUYS, CLAUSE_OF, KINDS, Kind, cost

_FOR_SOMEBODY = ("stress", "tag", "drive")


def spend(game: Game, author: str, body: b.DeclareSpend) -> Game:
    """Return the game after a purchase: with boons by the roller, with banes by a GM. Raises Violation R2, R5, T3 or
    T4.
    """
    roll = game.find(body.roll)
    owed = None if roll is None else game.owed(roll)
    if roll is None or owed is None:
        refuse("R5", "roll {roll} has no boons or banes to spend", roll=body.roll)
    kind, left = owed
    if kind == "boons" and author != roll.player:
        refuse("R5", "the boons of roll {roll} are {player}'s to spend", roll=roll.roll, player=roll.player)
    if kind == "banes" and author not in game.gms:
        refuse("R5", "the banes of roll {roll} are a GM's to spend", roll=roll.roll)
    purchase = _purchase(roll, kind, body)
    if purchase.cost > left:
        text = N_("{buy} costs {cost}; {left} {kind} are left")
        refuse("R5", text, buy=Message(BUYS[body.buy]), cost=purchase.cost, left=left, kind=Message(KINDS[kind]))
    game = _apply(game, kind, purchase)
    if roll.stands:
        game = settle(game, roll)
    kept = game.find(roll.roll)
    assert kept is not None
    return replace(game, settled=replace_roll(game.settled, kept, replace(kept, bought=(*kept.bought, purchase))))


def _purchase(roll: Roll, kind: Kind, buy: b.DeclareSpend) -> Purchase:
    return Purchase(
        kind=kind,
        buy=buy.buy,
        player=given(buy.player, roll.player) if buy.buy in _FOR_SOMEBODY else None,
        tag=given(buy.tag, None),
        amount=None if buy.buy == "tag" else given(buy.amount, 1),
        text=given(buy.text, None),
        cost=cost(kind, buy.buy, given(buy.amount, 1)),
    )


def _apply(game: Game, kind: Kind, purchase: Purchase) -> Game:
    if purchase.buy == "tension":
        return replace(game, tension=game.tension + (purchase.amount or 0))
    if purchase.player is None:
        return game
    sheet = in_force(game, purchase.player, CLAUSE_OF[kind])
    if purchase.buy == "drive":
        return gain(game, purchase.player, purchase.amount or 0)
    if purchase.tag is not None:
        return with_sheet(game, purchase.player, recover_tag(sheet, purchase.tag))
    change = recover_stress if kind == "boons" else inflict_stress
    return with_sheet(game, purchase.player, change(sheet, purchase.amount or 0))
