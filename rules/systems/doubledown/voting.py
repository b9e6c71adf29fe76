"""Whether a group doubles down (R9): votes, who counts, and when it is decided."""

from msgspec.structs import replace

from rules.common.shared import refuse
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown.rolling import changed, open_roll
from rules.systems.doubledown.state import Game, Roll


def voters(game: Game, roll: Roll) -> tuple[str, ...]:
    """Who votes on an open roll: its present participants, where they are several and nothing is decided yet."""
    present = game.present(roll.called.players)
    runs = not roll.doubled and roll.decided is None and len(present) > 1
    return present if runs else ()


def vote(game: Game, author: str, body: b.DeclareVote) -> Game:
    """A participant's vote, which may decide."""
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
    """The game in which each open roll is decided whose voters have decided it."""
    for roll in game.opened:
        decided = _decision(roll, voters(game, roll))
        if decided is not None:
            game = changed(game, roll, replace(roll, decided=decided))
    return game


def _decision(roll: Roll, voting: tuple[str, ...]) -> bool | None:
    """More than half of the voters, or exactly half with the roller among them."""
    for choice in (True, False):
        for_it = [name for name in voting if roll.votes.get(name) is choice]
        if 2 * len(for_it) + (roll.player in for_it) > len(voting):
            return choice
    return None
