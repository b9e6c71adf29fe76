"""The outcome of a finished roll, and its settlement (specs/mtg.md, "The course of a roll")."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import NoReturn

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.base import given
from rules.common.ranges import NumberRange
from rules.common.shared import add_to_tally, check_none_open, check_roller, open_roll, refuse
from rules.data.language import N_, Message
from rules.history import find_roll, keep_roll, replace_roll
from rules.systems.mtg import bodies as b
from rules.systems.mtg.bodies import MAX_STORED
from rules.systems.mtg.effects import check_answered, to_answer, with_forced
from rules.systems.mtg.ignoring import check_ignored
from rules.systems.mtg.state import Game, Permanent, Roll, RowResult, StoredResult, Trigger
from rules.systems.mtg.table import rows_of

__all__ = [
    "check_nothing_due",
    "check_unfinished",
    "for_display",
    "leading",
    "repeat",
    "resolve",
    "room",
    "settle",
    "settled_if_finished",
    "triggered_abilities",
    "with_outcome",
]


def with_outcome(roll: Roll, watching: tuple[Trigger, ...]) -> Roll:
    """Return the roll with its rows (706.3a), doubles (706.5) and the abilities of `watching` that trigger (603)."""
    results = [(die.die, die.result) for die in roll.numbered if die.result is not None]
    rows: list[RowResult] = []
    if roll.table:
        numbers = rows_of(roll.table, (result for _, result in results))
        rows = [
            RowResult(die, number, roll.table[number - 1].effect if number else None)
            for (die, _), number in zip(results, numbers, strict=True)
        ]
    doubles = len(results) == 2 and results[0][1] == results[1][1]
    looking = triggered_abilities(roll, watching) if watching and not roll.random else ()
    return replace(roll, rows=tuple(rows), doubles=doubles, watching=watching, triggered=looking)


def triggered_abilities(roll: Roll, watching: tuple[Trigger, ...]) -> tuple[tuple[Trigger, int], ...]:
    """Return the abilities of `watching` that a roll triggers, with how many times each (603)."""
    counts = _Counts(roll)
    looking = [(trigger, counts.times(trigger)) for trigger in watching if trigger.looks_at(roll.player)]
    return tuple((trigger, times) for trigger, times in looking if times)


class _Counts:
    """The counts of a roll that abilities look at, computed once for all of them."""

    def __init__(self, roll: Roll) -> None:
        numbered = roll.numbered
        self.counted = 0 if roll.flips else len(roll.counted)
        self.won = roll.won or 0
        self.lost = 0 if roll.won is None else len(roll.counted) - roll.won
        self.results = sorted(die.result for die in numbered if die.result is not None)
        self.naturals = sorted(die.natural for die in numbered)
        self.highest = sum(die.natural == die.sides for die in numbered)

    def times(self, trigger: Trigger) -> int:
        """Return how many times the ability triggers."""
        match trigger.on:
            case "rolled":
                return min(self.counted, 1)
            case "die":
                return self.counted
            case "highest":
                return self.highest
            case "result":
                return _within(trigger.range, self.results)
            case "natural":
                return _within(trigger.range, self.naturals)
            case "won":
                return self.won
            case "lost":
                return self.lost


def _within(range_: NumberRange | None, numbers: list[int]) -> int:
    """Return how many of the numbers, which are sorted, are in the range."""
    assert range_ is not None
    low = 0 if range_.low is None else bisect_left(numbers, range_.low)
    high = len(numbers) if range_.high is None else bisect_right(numbers, range_.high)
    return max(high - low, 0)


# --- finishing and settling ------------------------------------------------------------------------------------------


def _is_finished(roll: Roll) -> bool:
    """Return whether no dice are to be ignored and no effect is to be answered."""
    return roll.status == "open" and not roll.demands and not to_answer(roll)


def settled_if_finished(game: Game) -> Roll | None:
    """Return the open roll as settling would leave it, if it is finished; else None."""
    roll = game.open
    return with_outcome(with_forced(roll), game.triggers) if roll is not None and _is_finished(roll) else None


def repeat(game: Game) -> Roll | None:
    """Return the roll whose repeat is due or offered, which is the finished one or a settled one
    (706.3c); else None.
    """
    if game.open is None:
        return game.again
    done = settled_if_finished(game)
    return done if done is not None and done.repeats else None


def settle(game: Game) -> Game:
    """Return the game with its open roll settled if that is finished. Its repeat is then due or offered."""
    done = settled_if_finished(game)
    return game if done is None else _settled(game, done)


def _settled(game: Game, done: Roll) -> Game:
    roll, permanents = _stored(game, replace(done, status="resolved"))
    players = add_to_tally(game.players, roll.player, rolls=1) if roll.counted else game.players
    return replace(
        game,
        open=None,
        settled=keep_roll(game.settled, roll),
        again=roll if roll.repeats else None,
        permanents=permanents,
        players=players,
    )


def for_display(game: Game) -> tuple[Roll | None, Mapping[str, Permanent]]:
    """Return the open roll and the permanents for display: a finished roll as if it were settled."""
    done = settled_if_finished(game)
    return (game.open, game.permanents) if done is None else _stored(game, done)


def shown_roll(game: Game, number: int) -> Roll | None:
    """Return a roll that the state keeps, as it is shown; only of the open one the outcome is worked out."""
    if game.open is not None and game.open.roll == number:
        return for_display(game)[0]
    return find_roll(game.settled, None, number)


def _stored(game: Game, roll: Roll) -> tuple[Roll, Mapping[str, Permanent]]:
    """Return the roll and the permanents with its results stored, if the permanent is still there (706.8a)."""
    permanent = None if roll.store is None else game.permanents.get(roll.store)
    if roll.store is None or permanent is None or permanent.number != roll.home:
        return roll, game.permanents
    new = tuple(
        StoredResult(number, die.sides, die.result, roll.roll, die.die)
        for number, die in enumerate(roll.numbered, permanent.last + 1)
        if die.result is not None
    )
    permanent = replace(permanent, stored=permanent.stored + new, last=permanent.last + len(new))
    return replace(roll, stored=True), {**game.permanents, roll.store: permanent}


def room(permanent: Permanent) -> int:
    """Return how many more results a permanent can store."""
    return MAX_STORED - len(permanent.stored)


# --- one thing at a time (706.3b) ----------------------------------------------------------------------------------


def check_unfinished(game: Game) -> None:
    """Raise Violation 706.3b if a roll is open and not finished."""
    if game.open is not None and not _is_finished(game.open):
        check_none_open(game.open, "706.3b")


def check_nothing_due(game: Game) -> None:
    """Raise Violation 706.3b if a roll is open and not finished, or a repeat is due or offered."""
    check_unfinished(game)
    roll = repeat(game)
    if roll is not None:
        text = N_("{player} still has to roll again for roll {roll}")
        if roll.offers_again:
            text = N_("{player} may roll again for roll {roll}, and still has to do so or decline")
        refuse("706.3b", text, roll=roll.roll, player=roll.player)


# --- announcements ----------------------------------------------------------------------------------------------------


def resolve(game: Game, author: str, body: b.ResolveBody) -> Game:
    """Return the game after an announcement that settles a finished roll, or after a “You may roll again.” is declined.

    Raises Violation of the clause of a wrong announcement.
    """
    roll = repeat(game) if game.open is None else None
    if roll is not None and roll.roll == body.roll and roll.offers_again:
        check_roller(roll, author, "706.3b")
        _check_claims(game, roll, body)
        if body.again is UNSET:
            refuse("706.3c", "{player} may roll again for roll {roll}: roll, or decline", **_who(roll))
        return replace(game, settled=replace_roll(game.settled, roll, replace(roll, declined=True)), again=None)
    opened = open_roll(game.open, body.roll, "706.3b")
    check_roller(opened, author, "706.3b")
    check_ignored(opened)
    check_answered(opened)
    done = settled_if_finished(game)
    assert done is not None
    _check_claims(game, done, body)
    if body.again is False and not done.offers_again:
        _refuse_decline(done)
    return _settled(game, replace(done, declined=True) if body.again is False else done)


def _who(roll: Roll) -> dict[str, object]:
    return {"player": roll.player, "roll": roll.roll}


def _refuse_decline(roll: Roll) -> NoReturn:
    if roll.makes_again:
        refuse("706.3c", "the table says “Roll again.”: this cannot be declined")
    refuse("706.3c", "no row of these results says “You may roll again.”, so there is nothing to decline")


_OF_NUMBERS = ("results", "rows", "total", "highest", "lowest", "best")


def _check_claims(game: Game, roll: Roll, body: b.ResolveBody) -> None:
    """Verify that an announcement agrees with the dice."""
    numbers = body.doubles is True or any(getattr(body, name) is not UNSET for name in _OF_NUMBERS)
    if roll.flips and numbers:
        refuse("705", "a coin has no number: what can be announced is how many show heads, and how many were won")
    if roll.all_planar and numbers:
        refuse("706.7", "the planar die has no number: there is no result, row or double to announce")
    _check_flips(roll, body)
    results = roll.results
    if given(body.results, results) != results:
        text = N_("the results are {expected}, not {actual}")
        refuse("706.2", text, expected=_list(results), actual=_list(given(body.results, ())))
    rows = tuple(row.row for row in roll.rows) or (0,) * len(results)
    if given(body.rows, rows) != rows:
        text = N_("rows of the results {results}: {expected}, not {actual}")
        claimed = _list(given(body.rows, ()))
        refuse("706.3a", text, results=_list(results), expected=_list(rows), actual=claimed)
    if given(body.doubles, roll.doubles) != roll.doubles:
        yes, no = N_("the results {results} are doubles"), N_("the results {results} are no doubles")
        refuse("706.5", yes if roll.doubles else no, results=_list(results))
    _check_together(game, roll, body)


def _check_flips(roll: Roll, body: b.ResolveBody) -> None:
    """Verify what was announced of coins (705)."""
    if given(body.heads, roll.heads) != roll.heads:
        if roll.heads is None:
            refuse("705", "no coin is flipped: there are no heads to announce")
        refuse("705", "{expected} of the coins show heads, not {actual}", expected=roll.heads, actual=body.heads)
    if given(body.won, roll.won) != roll.won:
        if roll.won is None:
            refuse("705", "nothing was called: nobody wins or loses")
        refuse("705", "flips that were won: {expected}, not {actual}", expected=roll.won, actual=body.won)


def _check_together(game: Game, roll: Roll, body: b.ResolveBody) -> None:
    """Verify what was announced of several results together (706.4)."""
    results = roll.results
    _check_number(N_("the sum of the results"), sum(results), body.total)
    _check_number(N_("the highest result"), max(results, default=None), body.highest)
    _check_number(N_("the lowest result"), min(results, default=None), body.lowest)
    if not isinstance(body.best, UnsetType):
        best = leading(game, roll)
        if sorted(body.best) != sorted(best) or not best:
            text = N_("the highest total in this ability: {expected}, not {actual}")
            refuse("706.4", text, expected=_list(best), actual=_list(body.best))


def _check_number(name: str, found: int | None, claimed: int | UnsetType) -> None:
    if isinstance(claimed, UnsetType) or claimed == found:
        return
    if found is None:
        refuse("706.4", "no die that counts has a number: there is no highest or lowest result to announce")
    refuse("706.4", "{member}: {expected}, not {actual}", member=Message(name), expected=found, actual=claimed)


def leading(game: Game, roll: Roll) -> tuple[str, ...]:
    """Return the players with the highest total among this finished roll and the resolved rolls of its
    ability (706.4).
    """
    first = roll.joins or roll.roll
    others = [one for one in game.settled if one.status == "resolved" and first in (one.roll, one.joins)]
    totals = [(sum(one.results), one.player) for one in (*others, roll) if one.results]
    return tuple(dict.fromkeys(player for total, player in totals if all(total >= other for other, _ in totals)))


def _list(numbers: tuple[int | str | None, ...]) -> str | Message:
    """Return numbers as `3, 5`, or `none`."""
    return ", ".join(map(str, numbers)) or Message("none")
