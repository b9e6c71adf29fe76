"""The tables of an event as games: the keeper opens them, a player's program checks them before it joins."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import command
from ledger.cli.arguments import Links
from ledger.cli.call import Call
from ledger.cli.event_desk import Event, EventDesk, Force, RoundNumber, event_group
from ledger.cli.output import printable
from ledger.errors import CheatedError, MissingError, RefusedError, UsageError, WaitingError

if TYPE_CHECKING:
    from ledger.cli.event_server import EventServer
    from verifier.event.records import OpenedTable, TableOpening

__all__ = ["heads", "open_tables"]

MAX_TABLE_LOG = 64_000_000
"""bytes of a table's log that is read at once"""
LOOK_EVERY = 1.0
"""seconds between two looks whether a table lets somebody in"""


def open_tables(
    desk: EventDesk, opening: "TableOpening", tables: "Sequence[OpenedTable]", links: int
) -> "list[tuple[int, str]]":
    """Open games for tables that a line opens, as the keeper: table and game's id (hex).

    A game that was opened and not yet named, because the machine stopped, is taken and not opened again.
    """
    from ledger.keeper.table import Table
    from verifier.event.tables import event_zero
    from verifier.log.bodies import Open
    from verifier.log.format import decode_body
    from verifier.log.plainjson import encode

    if not tables:
        return []
    call, keeper = desk.call, desk.replay.terms.keeper
    call.secrets.setdefault(keeper, desk_passphrase(desk, keeper))
    by_title: dict[str, list[str]] = {}
    for row in call.home.games():
        by_title.setdefault(row["title"], []).append(row["game"])
    found = []
    with closing(call.home.seat(keeper, call.secrets[keeper])) as kept:
        for table in tables:
            zero = event_zero(desk.replay.terms, opening, table)
            game = _opened_before(call, by_title.get(zero["body"]["title"], []), zero)
            if game is None:
                body = decode_body(encode(zero["body"]), Open, "open")
                receipt = call.ledger.create(kept.open_with(body, zero["time"]), kept)
                game = receipt.game
                begun = Table(call.ledger, bytes.fromhex(game), lambda _name: nullcontext(kept))
                begun.append(kept, lambda view: kept.commit(view, links))
            found.append((table.table, game))
    return found


def desk_passphrase(desk: EventDesk, name: str) -> bytes:
    """Return the passphrase of the acting identity. Raises PassphraseError."""
    from ledger.cli.passphrase import passphrase

    return desk.call.secrets.get(name) or passphrase(name)


def _opened_before(call: Call, games: Iterable[str], zero: dict[str, Any]) -> str | None:
    from verifier.event.tables import difference

    for game in games:
        first = next(iter(call.ledger.lines(bytes.fromhex(game))))
        if difference(first, zero) is None:
            return game
    return None


def heads(desk: EventDesk, number: int) -> "Iterator[tuple[str, str, int, int]]":
    """Game, root (both hex), size and table of each game of a round that has come further than was sealed."""
    here = {row["game"] for row in desk.call.home.games()}
    for opening in desk.state.openings.values():
        for table in opening.tables.values():
            if opening.round != number or table.game is None or table.game not in here:
                continue
            replay = desk.call.ledger.view(bytes.fromhex(table.game)).replay
            if replay.size > table.size:
                yield table.game, replay.tree.root().hex(), replay.size, table.table


@command(
    event_group,
    "tables",
    examples=["rollproof event tables 'Spring Open' --round 1 --out round-1"],
)
def tables(
    call: Call,
    event: Event,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="A folder.", show_default=False)],
    round_: RoundNumber = None,
    force: Force = False,
) -> None:
    """Write the logs of a round's tables into a folder: to hand them out if there is no server."""
    from ledger.cli.files import write_files
    from verifier.shell.files import sidecar_of

    desk = EventDesk(call, event)
    number, here = desk.round_number(round_), {row["game"] for row in call.home.games()}
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for opening in desk.state.openings.values():
        for table in opening.tables.values():
            if opening.round != number or table.game not in here or table.cancelled or table.game is None:
                continue
            game = bytes.fromhex(table.game)
            checkpoint, path = call.ledger.checkpoint(game), out / f"round-{number}-table-{table.table}.jsonl"
            files: dict[Path, Any] = {path: lambda stream, game=game: call.ledger.export(game, stream)}
            if checkpoint is not None:
                files[sidecar_of(path)] = lambda stream, note=bytes(checkpoint): stream.write(note)
            write_files(files, force=force)
            written.append({"table": table.table, "game": table.game, "file": str(path)})
    if call.out.json:
        call.out.value(written)
    else:
        call.out.say(f"{printable(out)}: logs of {len(written)} tables")


@command(
    event_group,
    "join",
    signed=True,
    examples=["rollproof event join 'Spring Open' round-1/round-1-table-17.jsonl --as p17"],
)
def join(
    call: Call,
    event: Event,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="LOG", help="The log of your table; not for an event at a server.", show_default=False),
    ] = None,
    links: Links = 1_024,
    check: Annotated[bool, typer.Option("--check", help="Compare it, and join nothing.")] = False,
    table_: Annotated[
        int | None,
        typer.Option("--table", "-t", metavar="N", min=1, max=9_999, help="As a judge at a server: which table."),
    ] = None,
) -> None:
    """Sit down at your table: compute its terms from the event, compare, and join.

    The game that the keeper opened must match the pairing, your check-in and the start, and the event must name this
    very game. If it is another game, nothing is signed.

    With a new phone, whose key an organizer has given you, you go on at the table that is open, as soon as a judge has
    signed your old phone away there. A judge who was appointed later comes in as soon as no roll waits.
    """
    from ledger.cli.files import read_whole
    from ledger.cli.joining import join_game
    from ledger.cli.play import Play
    from verifier import Pins

    desk = EventDesk(call, event)
    if file is None:
        _join_at(desk, links, table_, check=check)
        return
    data = read_whole(file, MAX_TABLE_LOG)
    game, opening, table = _compare(desk, data, file)
    if check:
        _tell_same(call, game, opening.round, table.table)
        return
    if str(call.home.key(call.acting)) not in {str(key) for key in (*table.keys, *opening.judges)}:
        raise MissingError(f"{call.acting} does not sit at table {table.table} of round {opening.round}")
    report, *_ = call.ledger.importer.import_log(data, name=printable(file), pins=Pins(game), is_here=call.home.has)
    if report.verdict != "holds":
        error = report.error
        assert error is not None
        raise RefusedError(error.message, error.code, error.clause)
    join_game(Play(call, game), links)


def _compare(desk: EventDesk, data: bytes, file: Path) -> "tuple[bytes, TableOpening, OpenedTable]":
    """Compare event 0 of a table's log with the event; return the game's id, and the table with its opening.

    Raises CheatedError where the event names no such game, or other terms; UsageError for a table that was cancelled.
    """
    from verifier.event.tables import difference, event_zero
    from verifier.log.merkle import leaf_hash

    first = data.partition(b"\n")[0]
    game = leaf_hash(first)
    found = desk.state.games.get(game.hex())
    if found is None:
        raise CheatedError(
            f"The event does not name the game in {printable(file)}: it is another, or your copy of the event is old.",
            printable(file.parent),
        )
    opening, table = found
    differs = difference(first, event_zero(desk.replay.terms, opening, table))
    if differs is not None:
        problem = (
            f"The keeper opened table {table.table} with other terms than the event says ({differs.member} differs)."
        )
        raise CheatedError(problem, printable(file.parent))
    if table.cancelled:
        raise UsageError(f"table {table.table} of round {opening.round} was cancelled: get the event's newest log")
    return game, opening, table


def _join_at(desk: EventDesk, links: int, at: int | None, *, check: bool) -> None:
    """Sit down at one's table of the latest round, at the server, or as staff at table `at`.

    Raises CheatedError where it is another.
    """
    from ledger.cli.joining import join_game
    from ledger.cli.play import Play
    from verifier.event.tables import difference, event_zero
    from verifier.log.merkle import leaf_hash

    call, server = desk.call, desk.server
    if server is None:
        raise UsageError("give the log of your table: this event is at no server that is known here")
    number, own = desk.round_number(None), str(call.home.key(call.acting))
    opening, table = _table_of(desk, number, own, at)
    if table.game is None:
        raise WaitingError(f"table {table.table} of round {number} is not open yet: try again in a moment")
    game = bytes.fromhex(table.game)
    if own not in {str(key) for key in (*table.keys, *opening.judges)}:
        _wait_to_come_in(desk, server, game, table.table)
    first = server.sit_down(desk.identity(call.acting), game)
    differs = difference(first, event_zero(desk.replay.terms, opening, table))
    if differs is not None or leaf_hash(first) != game:
        raise server.forged(first, game, differs)
    if check:
        _tell_same(call, game, opening.round, table.table)
        return
    call.ledger.importer.take_line(game, 0, first)
    server.keep_game()
    play = Play(call, game)
    if play.carrier is not None:
        play.carrier.fetch()  # whom the table has let in since
    join_game(play, links)


def _table_of(desk: EventDesk, number: int, own: str, at: int | None) -> "tuple[TableOpening, OpenedTable]":
    """Return the latest table of the acting person in a round: a player's, by an older key too, or with `at` staff's.

    Raises MissingError.
    """
    name = desk.call.acting
    player, role = desk.state.player_named(name), desk.state.role_of(name)
    seat = player.number if player is not None and str(player.key) == own else None
    found = [
        (opening, table)
        for opening in desk.state.openings.values()
        for table in opening.tables.values()
        if opening.round == number
        and not table.cancelled
        and (
            own in {str(key) for key in table.keys}
            or (seat is not None and any(seat in side for side in table.sides))
            or (table.table == at and role in ("head", "judge"))
        )
    ]
    if not found:
        as_judge = " (a judge says which, with --table)" if role in ("head", "judge") and at is None else ""
        raise MissingError(f"{name} sits at no table of round {number}{as_judge}")
    return found[-1]


def _wait_to_come_in(desk: EventDesk, server: "EventServer", game: bytes, number: int) -> None:
    """Wait until a table lets in the acting person's key, of which event 0 does not speak. Raises WaitingError."""
    from time import monotonic, sleep

    from ledger.cli.remote import WRITING
    from ledger.seats.fork_guard import waits
    from verifier import verify

    identity, end = desk.identity(desk.call.acting), monotonic() + WRITING
    server.read_as(identity)
    while True:
        replay = verify(server.log_of(game))[1]
        name, key = identity.name, identity.key
        if replay is not None and (replay.terms.keys.get(name) == key or waits(replay, key)):
            return
        if monotonic() >= end:
            what = f"a judge of table {number} has signed {name}'s old phone away"
            if desk.state.role_of(name) != "player":
                what = f"all have sat down at table {number}, and no roll waits there"
            raise WaitingError(f"{name} comes in when {what}: then run the same again")
        sleep(LOOK_EVERY)


def _tell_same(call: Call, game: bytes, number: int, table: int) -> None:
    if call.out.json:
        call.out.value({"game": game.hex(), "round": number, "table": table, "same": True})
    else:
        call.out.say(f"round {number}, table {table}: what the keeper opened is what the event says")
