"""The vote of a group on doubling down (R9)."""

from msgspec.structs import replace

from rules.common.shared import refuse
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown.rolling import open_roll, replace_open_roll
from rules.systems.doubledown.state import Game, Roll


def voters(game: Game, roll: Roll) -> tuple[str, ...]:
    """Return the parties that vote on an open roll; none if one participant decides alone or the vote is over."""
    present = game.present(roll.called.players)
    runs = not roll.doubled and roll.decided is None and len(present) > 1
    return present if runs else ()


def vote(game: Game, author: str, body: b.DeclareVote) -> Game:
    """Return the game with a participant's vote, which may decide. Raises Violation R4 or R9."""
    roll = open_roll(game, body.roll)
    if roll.doubled or roll.decided is not None:
        refuse("R9", "the vote on roll {roll} is over", roll=roll.roll)
    voting = voters(game, roll)
    if not voting:
        refuse("R9", "there is no group to vote: {player} alone decides", player=roll.player)
    if author not in voting:
        refuse("R9", "the participants vote; {author} is none", author=author)
    if author in roll.votes:
        refuse("R9", "{author} has voted already", author=author)
    after = replace(roll, votes={**roll.votes, author: body.double})
    return decide(replace(game, opened=tuple(after if one is roll else one for one in game.opened)))


def decide(game: Game) -> Game:
    """Return the game with the decision on each open roll whose voters have reached one."""
    for roll in game.opened:
        decided = _decision(roll, voters(game, roll))
        if decided is not None:
            game = replace_open_roll(game, roll, replace(roll, decided=decided))
    return game


def _decision(roll: Roll, voting: tuple[str, ...]) -> bool | None:
    """Return the choice of more than half of the voters, or of half with the roller among them; else None."""
    for choice in (True, False):
        for_it = [name for name in voting if roll.votes.get(name) is choice]
        if 2 * len(for_it) + (roll.player in for_it) > len(voting):
            return choice
    return None
