"""The course of a call: contributions, the choice of the roller, and the modifier of its roll (R1, R2, R9)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from rules.base import Event, Violation, given
from rules.common.shared import check_room, refuse
from rules.data.language import N_, Message
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown.sheets import check_gives, in_force
from rules.systems.doubledown.state import Contribution, Game, Roll, RollCall, RollModifier, Sheet
from rules.systems.doubledown.tables import by_difficulty

MOST_DRIVE = 5

# --- calls -----------------------------------------------------------------------------------------------------------


def call(game: Game, author: str, body: b.DeclareCall) -> Game:
    """Return the game with a GM's new call. Raises Violation R1, R2, R9 or T2."""
    if author not in game.gms:
        refuse("R1", "a GM calls for rolls; {author} is none", author=author)
    by_difficulty(body.difficulty)
    if not body.players:
        refuse("R1", "say who may roll")
    if len(set(body.players)) != len(body.players):
        refuse("R9", "each participant is named once")
    for player in body.players:
        if player in game.players and player not in game.seated:
            refuse("R1", "{player} has left the game", player=player)
        if player not in game.seated:
            refuse("R1", "{player} is no player at this table: only players roll dice", player=player)
        in_force(game, player, "R2")
    if not any(body.stat in game.sheets[player].stats for player in body.players):
        refuse("R1", "{stat} is no base stat of {players}", stat=body.stat, players=", ".join(body.players))
    check_room(len(game.calls), "R1")
    number = game.last_call + 1
    called = RollCall(
        call=number,
        source=body.source,
        stat=body.stat,
        difficulty=body.difficulty,
        players=body.players,
        support=body.support is True,
        combat=body.combat is True,
    )
    return replace(game, calls=(*game.calls, called), last_call=number)


def withdraw(game: Game, author: str, body: b.DeclareWithdraw) -> Game:
    """Return the game without a call that a GM takes back. Raises Violation R1."""
    if author not in game.gms:
        refuse("R1", "a GM takes calls back; {author} is none", author=author)
    return without(game, _standing(game, body.call).call)


def without(game: Game, number: int) -> Game:
    """Return the game without the call."""
    return replace(game, calls=tuple(c for c in game.calls if c.call != number))


def _changed(game: Game, called: RollCall) -> Game:
    return replace(game, calls=tuple(called if c.call == called.call else c for c in game.calls))


def _standing(game: Game, number: int) -> RollCall:
    called = next((c for c in game.calls if c.call == number), None)
    if called is None:
        text = N_("call {call} stands no more: it was rolled or withdrawn, or its players left")
        refuse("R1", text if number <= game.last_call else N_("there is no call {call}"), call=number)
    return called


# --- the roller of a group -------------------------------------------------------------------------------------------


def name_roller(game: Game, author: str, body: b.DeclareRoller) -> Game:
    """Return the game with the roller that a GM chose for a tied group. Raises Violation R1 or R9."""
    if author not in game.gms:
        refuse("R9", "a GM says who rolls on a tie; {author} is none", author=author)
    called = _standing(game, body.call)
    names = names_of(game, called)
    if not is_tied(game, called, names):
        text = N_("the participants of call {call} are not tied: they choose the roller themselves")
        refuse("R9", text, call=called.call)
    if body.player not in names.values():
        refuse("R9", "nobody names {player}; they name {names}", player=body.player, names=_list(names.values()))
    return _changed(game, replace(called, roller=body.player))


def names_of(game: Game, called: RollCall) -> Mapping[str, str]:
    """Return the roller that each present participant has named in its contribution.

    A participant that named somebody who has left counts as having named nobody.
    """
    named = {name: gives.roller for name, gives in called.contributions.items() if gives.roller in called.players}
    return {name: named[name] for name in game.present(called.players) if name in named}


def is_tied(game: Game, called: RollCall, names: Mapping[str, str]) -> bool:
    """Return whether all present participants have named somebody, and no name has more than half of them."""
    return 0 < len(names) == len(game.present(called.players)) and _most(names, len(names)) is None


def _most(names: Mapping[str, str], participants: int) -> str | None:
    """Return the name that more than half of the participants have given; None without one."""
    return next((name for name, count in Counter(names.values()).items() if 2 * count > participants), None)


def _check_chosen(game: Game, called: RollCall, author: str) -> None:
    """Verify that the group's roller is the author, whose request counts as naming itself. Raises Violation R9."""
    names = {**names_of(game, called), author: author}
    present = game.present(called.players)
    chosen = _most(names, len(present))
    if chosen == author:
        return
    if chosen is not None:
        refuse("R9", "the group has named {roller} as the roller, not {author}", roller=chosen, author=author)
    if not is_tied(game, called, names):
        silent = [name for name in present if name not in names]
        text = N_("no roller is named by more than half of the group; {silent} can still say who rolls")
        refuse("R9", text, silent=_list(silent))
    if called.roller is None:
        refuse("R9", "the group is tied between {names}: a GM says who rolls", names=_list(names.values()))
    if called.roller != author:
        refuse("R9", "the group is tied, and a GM says that {roller} rolls", roller=called.roller)


def is_chosen(game: Game, called: RollCall, name: str) -> bool:
    """Return whether a participant would be the group's roller if it asked to roll."""
    try:
        _check_chosen(game, called, name)
    except Violation:
        return False
    return True


def _list(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


# --- contributions ---------------------------------------------------------------------------------------------------


def contribute(game: Game, author: str, body: b.ModifyBody) -> Game:
    """Return the game with a participant's contribution to a group roll, which replaces its earlier one.

    Raises Violation R1, R2 or R9.
    """
    called = _standing(game, body.call)
    if not called.group:
        refuse("R9", "call {call} is no group roll: only its roller adds to it", call=called.call)
    for name in (author, body.roller):
        if name not in called.players:
            text = N_("{name} is no participant: {players} are")
            refuse("R9", text, name=name, players=", ".join(called.players))
    return _changed(game, _with(game, called, author, _contribution(body, body.roller)))


def new_roll(game: Game, event: Event, body: b.RollBody) -> Roll:
    """Return the roll that a player requests, with its modifier. Raises Violation R1, R2 or R9."""
    called = _standing(game, body.call)
    author = event.author
    if author not in called.players:
        text = N_("the GM called {players} for this roll, not {author}")
        refuse("R1", text, players=", ".join(called.players), author=author)
    _check_chosen(game, called, author)
    called = _with(game, called, author, _contribution(body, author))
    for name in called.contributions:
        if name != author:
            check_still_there(game, called, name)
    return Roll(event.seq, author, called, tuple(_modifiers(game, called, author)))


def _contribution(body: b.RollBody | b.ModifyBody, roller: str) -> Contribution:
    return Contribution(
        roller=roller,
        stat=isinstance(body, b.ModifyBody) and body.stat is True,
        stress=isinstance(body, b.ModifyBody) and body.stress is True,
        tag=given(body.tag, None),
        irrelevant=body.irrelevant is True,
        drive=given(body.drive, 0),
    )


def _with(game: Game, called: RollCall, author: str, gives: Contribution) -> RollCall:
    """Return the call with this contribution. Raises Violation R2 or R9 if it cannot be given."""
    others = {name: c for name, c in called.contributions.items() if name != author}
    sheet = game.sheets[author]
    if gives.stat:
        _check_stat(sheet, author, called.stat)
        _check_first(Message("base stat"), [name for name, c in others.items() if c.stat])
    if gives.stress:
        _check_first(Message("stress track"), [name for name, c in others.items() if c.stress])
    if gives.tag is not None:
        check_gives(sheet, author, gives.tag, 0)
        _check_first(Message("tag"), [name for name, c in others.items() if c.tag is not None])
    drive = gives.drive + sum(c.drive for c in others.values())
    if drive > MOST_DRIVE:
        text = N_("at most {most} drive is spent on one roll, not {drive}")
        refuse("R9" if called.group else "R2", text, most=MOST_DRIVE, drive=drive)
    check_gives(sheet, author, None, gives.drive)
    contributions = {**others, author: gives}
    return replace(called, contributions={n: contributions[n] for n in called.players if n in contributions})


def _check_first(what: Message, others: list[str]) -> None:
    if others:
        refuse("R9", "one {what} counts for the whole group; {other} gives one", what=what, other=others[0])


def _check_stat(sheet: Sheet, player: str, stat: str) -> None:
    if stat not in sheet.stats:
        refuse("R2", "{player} has no base stat {stat}, and one must be added", player=player, stat=stat)


def check_still_there(game: Game, called: RollCall, name: str) -> None:
    """Verify that a participant still has what it contributed. Raises Violation R2.

    It may have spent it on another roll since, or a new sheet may lack it.
    """
    sheet, gives = game.sheets[name], called.contributions[name]
    if gives.stat:
        _check_stat(sheet, name, called.stat)
    check_gives(sheet, name, gives.tag, gives.drive)


def _modifiers(game: Game, called: RollCall, roller: str) -> Iterator[RollModifier]:
    """Yield the sources of the modifier, in the order of the printed rules (R2)."""
    gives = called.contributions
    stat = next((name for name, c in gives.items() if c.stat), roller)
    _check_stat(game.sheets[stat], stat, called.stat)
    yield RollModifier("stat", stat, called.stat, game.sheets[stat].stats[called.stat])
    stress = next((name for name, c in gives.items() if c.stress), roller)
    yield RollModifier("stress", stress, "stress", game.sheets[stress].stars)
    for name, c in gives.items():
        if c.tag is not None:
            yield RollModifier("tag", name, c.tag, game.sheets[name].tags[c.tag].stars - c.irrelevant)
    for name, c in gives.items():
        if c.drive:
            yield RollModifier("drive", name, "drive", c.drive)
