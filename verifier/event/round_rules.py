"""The rules for rounds, and for their tables (specs/event.md, E15 to E21, E28, E30 and E31)."""

from collections.abc import Collection, Iterable

from rules.base import given
from rules.data.language import N_
from verifier.event.acts import (
    CorrectPairing,
    DiceByHand,
    End,
    EventClose,
    Extend,
    Opened,
    Pair,
    Pairing,
    Pause,
    SealTables,
    StartRound,
)
from verifier.event.records import EventTable, OpenedTable, Round, TableOpening
from verifier.event.refusals import refuse
from verifier.event.state import ActLine, EventState

__all__ = [
    "by_hand",
    "close",
    "correct_pairing",
    "end",
    "extend",
    "name_games",
    "pair",
    "pause",
    "seal",
    "start",
]

MAX_AT_TABLE = 32
"""players that a table may have"""


def pair(state: EventState, act: Pair, at: ActLine) -> None:
    """Pair the next round, or more tables of it (E15, E18, E19)."""
    latest = state.round
    current = latest if latest is not None and latest.state == "pairing" else None
    due = len(state.rounds) if current is not None else len(state.rounds) + 1
    running = latest is not None and latest.state == "running"
    if running or act.round != due or act.round > state.terms.body.rounds:
        text = N_("Round {round} cannot be paired now: the next one is round {due}, when no round runs.")
        refuse(15, "round.order", text, round=act.round, due=due)
    known: Collection[int] = current.tables if current is not None else ()
    _check_tables(act.tables, known)
    seated = [] if current is None else [*current.byes, *(n for t in current.tables.values() for n in t.players)]
    _check_players(state, [*seated, *act.byes, *_players(act.tables)], [*act.byes, *_players(act.tables)])
    if current is None:
        current = Round(act.round)
        state.rounds.append(current)
    current.tables.update({each.table: EventTable(each.table, each.sides) for each in act.tables})
    current.byes += act.byes
    current.paired = at.seq


def _check_tables(tables: Iterable[Pairing], known: Collection[int]) -> None:
    """Verify that each table occurs once, is not in `known`, and does not have too many players (E18)."""
    seen: set[int] = set()
    for each in tables:
        if each.table in seen or each.table in known:
            refuse(18, "pairing.table", N_("Table {table} stands in the round twice."), table=each.table)
        if sum(map(len, each.sides)) > MAX_AT_TABLE:
            text = N_("Table {table} has more than {most} players.")
            refuse(18, "pairing.table", text, table=each.table, most=MAX_AT_TABLE)
        seen.add(each.table)


def _check_players(state: EventState, whole: Iterable[int], new: Iterable[int]) -> None:
    """Verify that nobody occurs twice in the `whole` round, and that all `new` players are in (E19)."""
    seen: set[int] = set()
    for number in whole:
        if number in seen:
            refuse(19, "pairing.player", N_("Player {number} stands in the round twice."), number=number)
        seen.add(number)
    for number in new:
        player = state.players.get(number)
        if player is None or player.state != "in":
            text = N_("Player {number} cannot be paired: not checked in, or dropped.")
            refuse(19, "pairing.player", text, number=number)


def start(state: EventState, act: StartRound, at: ActLine) -> None:
    """Start the round that is being paired, and open its tables (E15, E20)."""
    current = state.round
    if current is None or current.state != "pairing" or current.number != act.round or not current.tables:
        text = N_("Round {round} cannot start: it is not the one that is being paired, or has no table.")
        refuse(15, "round.order", text, round=act.round)
    if at.upon < current.paired:
        text = N_("Who starts round {round} had not seen its last pairings, which are in line {line}.")
        refuse(20, "round.unseen", text, round=act.round, line=current.paired)
    current.state, current.minutes, current.started = "running", act.minutes, at.time
    _open_tables(state, current, list(current.tables), at.seq, at.time)


def _open_tables(state: EventState, round_: Round, numbers: Iterable[int], seq: int, time: str) -> None:
    opened = {}
    for number in numbers:
        table = round_.tables[number]
        table.line = seq
        keys = tuple(key for n in table.players if (key := state.players[n].key) is not None)
        opened[number] = OpenedTable(number, table.sides, keys)
    office = [person for person in state.people.values() if person.until is None]
    judges = tuple(person.key for person in office if person.role != "organizer")
    organizers = tuple(person.key for person in office if person.role == "organizer")
    state.openings[seq] = TableOpening(seq, time, round_.number, judges, organizers, opened)


def name_games(state: EventState, act: Opened, at: ActLine) -> None:
    """Name the games of tables that a line opens (E21)."""
    opening = state.openings.get(act.line)
    tables, games = set[int](), set[str]()
    for each in act.games:
        found = None if opening is None else opening.tables.get(each.table)
        if found is None or found.game is not None or each.table in tables:
            text = N_("Line {line} does not open table {table}, or its game was named before.")
            refuse(21, "table.line", text, line=act.line, table=each.table)
        if each.game in state.games or each.game in games:
            refuse(21, "table.line", N_("Game {game} is that of another table."), game=each.game[:12])
        tables.add(each.table)
        games.add(each.game)
    assert opening is not None
    for each in act.games:
        opening.tables[each.table].game = each.game
        state.games[each.game] = opening, opening.tables[each.table]


def seal(state: EventState, act: SealTables, at: ActLine) -> None:
    """Seal games at a size (E16, E28)."""
    state.round_in(act.round, ("running", "ended"))
    sizes: dict[str, int] = {}
    for each in act.games:
        found = state.games.get(each.game)
        if found is None or (found[0].round, found[1].table) != (act.round, each.table):
            text = N_("Game {game} was not opened for table {table} of round {round}.")
            refuse(28, "table.seal", text, game=each.game[:12], table=each.table, round=act.round)
        _, opened = found
        if each.size <= sizes.get(each.game, opened.size):
            text = N_("Game {game} is sealed already, with as many events or more.")
            refuse(28, "table.seal", text, game=each.game[:12])
        sizes[each.game] = each.size
    for each in act.games:
        _, opened = state.games[each.game]
        opened.size, opened.root = each.size, each.root


def extend(state: EventState, act: Extend, at: ActLine) -> None:
    """Give a table more time (E16, E17)."""
    state.table_in(state.round_in(act.round, ("running",)), act.table).extended += act.minutes


def pause(state: EventState, act: Pause, at: ActLine) -> None:
    """Add a pause to the round (E16)."""
    state.round_in(act.round, ("running",)).paused += act.minutes


def by_hand(state: EventState, act: DiceByHand, at: ActLine) -> None:
    """Let a table go on with dice of its own (E16, E17)."""
    table = state.table_in(state.round_in(act.round, ("running",)), act.table)
    state.count("event.by-hand", at.seq, int(table.by_hand is None))
    table.by_hand = act.text


def correct_pairing(state: EventState, act: CorrectPairing, at: ActLine) -> None:
    """Cancel tables of the round, and seat players anew (E16, E18, E19)."""
    current = state.round_in(act.round, ("pairing", "running"))
    new = [each.table for each in act.tables]
    _check_tables(act.tables, ())
    cancelled: set[int] = set()
    for number in act.cancelled:
        if number not in current.tables or number in new or number in cancelled:
            text = N_("Table {table} cannot be cancelled: it is not in the round, or stands there twice.")
            refuse(18, "pairing.table", text, table=number)
        cancelled.add(number)
    gone = cancelled | set(new)
    kept = [n for t in current.tables.values() if t.number not in gone for n in t.players]
    byes = given(act.byes, current.byes)
    named = [*_players(act.tables), *given(act.byes, ())]
    _check_players(state, [*kept, *byes, *_players(act.tables)], named)
    running = current.state == "running"
    changed = [number for number in gone if number in current.tables]
    for number in changed:
        line = current.tables.pop(number).line
        if line is not None:
            state.openings[line].tables[number].cancelled = True
    current.tables.update({each.table: EventTable(each.table, each.sides) for each in act.tables})
    current.byes, current.paired = byes, at.seq
    if running:
        _open_tables(state, current, new, at.seq, at.time)
        state.count("event.repaired", at.seq, len(changed))


def end(state: EventState, act: End, at: ActLine) -> None:
    """End the round (E16, E17, E30)."""
    current = state.round_in(act.round, ("running",))
    left: dict[int, str] = {}
    for each in act.left:
        state.table_in(current, each.table)
    for each in act.left:
        if each.table in left:
            refuse(30, "round.left", N_("Table {table} is left twice."), table=each.table)
        left[each.table] = each.reason
    for table in current.tables.values():
        if (table.result is None) != (table.number in left):
            text = N_("Table {table} must have a match result or be left with a reason, and not both.")
            refuse(30, "round.left", text, table=table.number)
    for number, reason in left.items():
        current.tables[number].left = reason
    current.state, current.ended = "ended", at.time
    state.count("event.left", at.seq, len(left))


def close(state: EventState, act: EventClose, at: ActLine) -> None:
    """Close the event (E31)."""
    if state.round is not None and state.round.state != "ended":
        text = N_("Round {round} has not ended: the event cannot close.")
        refuse(31, "round.running", text, round=state.round.number)
    state.closed = True


def _players(tables: Iterable[Pairing]) -> list[int]:
    return [number for each in tables for side in each.sides for number in side]
