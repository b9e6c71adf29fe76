"""Double Down, event by event (specs/doubledown.md). Pure: a Game and an event in, a new Game or a Violation out.

The course of a roll: call → contributions (R9) → `request` → `reveal` → votes (R9) → second die (R4) → resolve → spend.
"""

from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.base import Event, Ruling
from rules.doubledown import bodies as b
from rules.doubledown import calls, sheets
from rules.doubledown.spending import spend
from rules.doubledown.state import SIDES, Call, Die, Game, Roll
from rules.history import find_roll, keep_roll, replaced
from rules.shared import check_roller, find_die, open_roll, refuse, ruled_steps

# --- requests and dice ---------------------------------------------------------------------------------------------


def request(game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
    """Take a roll or the second die of one; also the sides of the die to draw."""
    match event.body:
        case b.RollBody() as body:
            return replace(game, open=calls.new_roll(game, event, body)), (SIDES,)
        case b.RerollBody(roll=number):
            _check_may_double(game, event.author, number)
            return replace(game, doubling=True), (SIDES,)
        case body:
            raise TypeError(f"{event.type} has no body {body!r}")


def _check_may_double(game: Game, author: str, number: int) -> None:
    roll = open_roll(game.open, number, "R4")
    check_roller(roll, author, "R4")
    if roll.doubled:
        refuse("R4", "roll {roll} was doubled down already", roll=number)
    if game.group(roll):
        _check_decided(game, roll, double=True)


def reveal(game: Game, naturals: tuple[int, ...]) -> Game:
    """The pending request's die shows this natural. The first die also costs what was given to the roll."""
    roll = game.open
    assert roll is not None, "no request is pending"
    die = Die(len(roll.dice) + 1, naturals, naturals[0] + roll.modifier)
    game = _count(game, roll.player, dice=1, doubled=int(game.doubling))
    if not game.doubling:
        game = calls.without(game, roll.called.call)
        for name, gives in roll.called.contributions.items():
            game = sheets.pay(game, name, gives.tag, gives.drive)
    return replace(game, open=replace(roll, status="open", dice=(*roll.dice, die)), doubling=False)


def void(game: Game) -> Game:
    """The pending request draws nothing: the call stands, or the roll waits for its second die as before."""
    assert game.open is not None, "no request is pending"
    if game.doubling:
        return replace(game, doubling=False)
    return replace(game, open=None, settled=keep_roll(game.settled, replace(game.open, status="void")))


# --- acts ----------------------------------------------------------------------------------------------------------


def act(game: Game, event: Event) -> Game:
    """Take a modify, resolve or declare."""
    match event.body:
        case b.ModifyBody() as body:
            return calls.contribute(game, event.author, body)
        case b.ResolveBody() as body:
            return _resolve(game, event.author, body)
        case body:
            return _declare(game, event.author, body)


def _declare(game: Game, author: str, body: object) -> Game:
    match body:
        case b.DeclareSheet():
            return sheets.propose(game, author, body)
        case b.DeclareConfirm(player=player):
            return sheets.confirm(game, author, player)
        case b.DeclareRest():
            return sheets.rest(game, author, body)
        case b.DeclareCall():
            return calls.call(game, author, body)
        case b.DeclareWithdraw(call=number):
            return calls.withdraw(game, author, number)
        case b.DeclareVote(roll=number, double=double):
            return _vote(game, author, number, double=double)
        case b.DeclareCount(roll=number):
            return _count_votes(game, author, number)
        case b.DeclareSpend():
            return spend(game, author, body)
        case _:
            raise TypeError(f"no such declaration: {body!r}")


def _vote(game: Game, author: str, number: int, *, double: bool) -> Game:
    roll = _votable(game, number)
    if author not in game.voters(roll):
        refuse("R9", "the participants vote; {author} is none", author=author)
    _check_vote_runs(roll)
    if author in roll.votes:
        refuse("R9", "{author} has voted already", author=author)
    return replace(game, open=replace(roll, votes={**roll.votes, author: double}))


def _count_votes(game: Game, author: str, number: int) -> Game:
    if author not in game.gms:
        refuse("R9", "a GM ends the vote; {author} is none", author=author)
    roll = _votable(game, number)
    _check_vote_runs(roll)
    if roll.player not in roll.votes:
        refuse("R9", "{player} breaks ties, so must vote before the count", player=roll.player)
    return replace(game, open=replace(roll, counted=True))


def _votable(game: Game, number: int) -> Roll:
    roll = open_roll(game.open, number, "R4")
    if not game.group(roll):
        refuse("R9", "roll {roll} is no group's: {player} alone decides", roll=number, player=roll.player)
    return roll


def _check_vote_runs(roll: Roll) -> None:
    if roll.doubled or roll.counted:
        refuse("R9", "the vote on roll {roll} is over", roll=roll.roll)


def _check_decided(game: Game, roll: Roll, *, double: bool) -> None:
    decision = game.decision(roll)
    if decision is None:
        refuse("R9", "the group has not yet decided whether to double down on roll {roll}", roll=roll.roll)
    if decision is not double:
        text = "the group voted to double down" if decision else "the group voted not to double down"
        refuse("R9", text)


def _resolve(game: Game, author: str, body: b.ResolveBody) -> Game:
    roll = open_roll(game.open, body.roll, "R4")
    if author not in game.gms:
        check_roller(roll, author, "R4")
    if not roll.doubled:
        if game.group(roll):
            _check_decided(game, roll, double=False)
        elif author != roll.player:
            refuse("R4", "{player} may still double down", player=roll.player)
    roll = replace(roll, status="resolved")
    _check_claims(roll, body)
    game = _count(replace(game, open=None, settled=keep_roll(game.settled, roll)), roll.player, rolls=1)
    return sheets.gain(game, roll.player, roll.drive)


def _check_claims(roll: Roll, body: b.ResolveBody) -> None:
    """What was announced is what the dice say."""
    assert roll.result is not None
    claims: tuple[tuple[str, str, Any, Any], ...] = (
        ("R4" if roll.doubled else "R3", "outcome", body.outcome, roll.result.name),
        ("R8" if roll.halved else "R5", "boons", body.boons, roll.earned("boons")),
        ("R5", "banes", body.banes, roll.earned("banes")),
        ("R6", "damage", body.damage, roll.damage),
        ("R7", "drive", body.drive, roll.drive),
    )
    for clause, member, claim, actual in claims:
        if claim is not UNSET and claim != actual:
            text = "{member}: {actual}, not {claim}"
            refuse(clause, text, member=member, actual="none" if actual is None else actual, claim=claim)


# --- leaving, rulings ----------------------------------------------------------------------------------------------


def leave(game: Game, party: str) -> Game:
    """What a party that leaves takes along."""
    roll = game.open
    if roll is not None and roll.player == party:
        game = replace(game, open=None, settled=keep_roll(game.settled, replace(roll, status="abandoned")))
    return replace(
        game,
        gms=tuple(name for name in game.gms if name != party),
        seated=tuple(name for name in game.seated if name != party),
        sheets={name: sheet for name, sheet in game.sheets.items() if name != party},
        proposed={name: sheet for name, sheet in game.proposed.items() if name != party},
        calls=tuple(c for c in (_call_without(call, party) for call in game.calls) if c.players),
    )


def _call_without(call: Call, party: str) -> Call:
    return replace(
        call,
        players=tuple(name for name in call.players if name != party),
        contributions={name: c for name, c in call.contributions.items() if name != party},
    )


def rule(game: Game, ruling: Ruling) -> Game:
    """What a ruling on a roll changes; any other ruling changes nothing here."""
    roll = find_roll(game.settled, game.open, ruling.subject)
    if roll is None:
        return game
    if ruling.ruling == "void":
        return _strike(game, roll)
    if ruling.ruling == "correct" and not isinstance(ruling.results, UnsetType):
        return _correct(game, roll, {r.die: r.result for r in ruling.results})
    return game


def _strike(game: Game, roll: Roll) -> Game:
    struck = replace(roll, status="struck")
    if game.open is roll:
        game = replace(game, open=None, settled=keep_roll(game.settled, struck))
    else:
        game = replace(game, settled=replaced(game.settled, roll, struck))
    if roll.status in ("void", "struck"):
        return game
    for name, gives in roll.called.contributions.items():
        game = sheets.gain(game, name, gives.drive)
        if gives.tag is not None and name in game.sheets and not _exhausted_later(game, roll, name, gives.tag):
            game = sheets.with_sheet(game, name, sheets.with_tag(game.sheets[name], gives.tag, exhausted=False))
    return sheets.gain(game, roll.player, -roll.drive)


def _exhausted_later(game: Game, roll: Roll, player: str, tag: str) -> bool:
    """Whether another roll exhausted this tag after it had been recovered, so that `roll` is not why it is."""
    rolls = (*game.settled, *((game.open,) if game.open is not None else ()))
    later = (r for r in rolls if r.roll > roll.roll and r.status not in ("void", "struck"))
    return any((m.kind, m.player, m.source) == ("tag", player, tag) for r in later for m in r.modifiers)


def _correct(game: Game, roll: Roll, results: dict[int, int]) -> Game:
    dice = list(roll.dice)
    for number, result in results.items():
        die = find_die(dice, number, "ruling")
        dice[number - 1] = replace(die, result=result, steps=ruled_steps(die.steps, result))
    corrected = replace(roll, dice=tuple(dice))
    if game.open is roll:
        return replace(game, open=corrected)
    game = replace(game, settled=replaced(game.settled, roll, corrected))
    return sheets.gain(game, roll.player, corrected.drive - roll.drive)


# --- helpers -------------------------------------------------------------------------------------------------------


def _count(game: Game, player: str, *, rolls: int = 0, dice: int = 0, doubled: int = 0) -> Game:
    tally = game.players[player]
    tally = replace(tally, rolls=tally.rolls + rolls, dice=tally.dice + dice, doubled=tally.doubled + doubled)
    return replace(game, players={**game.players, player: tally})
