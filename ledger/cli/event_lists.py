"""`rollproof event`: import and export lists of players and pairings (specs/guide/event.md)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import command
from ledger.cli.arguments import LINKS
from ledger.cli.call import Call
from ledger.cli.event import open_all
from ledger.cli.event_desk import Event, EventDesk, Force, Out, RoundNumber, event_group, make_body
from ledger.cli.output import printable
from ledger.errors import UsageError

if TYPE_CHECKING:
    from ledger.cli.event_server import EventServer
    from ledger.event.lists import ListProblem, PairingList
    from rules import Body
    from verifier.event.acts import Registered
    from verifier.event.names import NamedPlayer

__all__ = ["read_list"]

_Csv = Annotated[Path, typer.Argument(metavar="CSV", help="The list; - is standard input.", show_default=False)]
_DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done and what is wrong; sign nothing.")]


def _problems(call: Call, file: Path, problems: "Sequence[ListProblem]") -> None:
    """Print the problems of a list, line by line. Raises Exit if there are any."""
    if not problems:
        return
    if call.out.json:
        call.out.value({"file": str(file), "errors": [{"line": p.line, "problem": p.problem} for p in problems]})
    for problem in problems:
        call.out.note(f"{printable(file)}, line {problem.line}: {problem.problem}")
    raise typer.Exit(65)


def _read_csv(file: Path) -> bytes:
    from ledger.cli.files import read_whole
    from ledger.event.lists import MAX_CSV

    return read_whole(file, MAX_CSV)


@command(
    event_group,
    "register",
    signed=True,
    examples=[
        "rollproof event register 'Spring Open' players.csv --codes codes.csv --as olga",
        "rollproof event register 'Spring Open' players.csv --dry-run",
    ],
)
def register(
    call: Call,
    event: Event,
    file: _Csv,
    codes: Annotated[
        Path | None,
        typer.Option("--codes", metavar="FILE", help="Make claim codes, and write them to FILE, one a person."),
    ] = None,
    dry_run: _DryRun = False,
    force: Force = False,
) -> None:
    """Register the players of a list (CSV). Names stay in your home; the log has numbers and salted hashes.

    Columns: a name (or first and last name), and a number if you have one. Run it again for walk-ins. Each claim code
    goes to one person, who checks in with it; staff check in a person without one at the desk.
    """
    from ledger.cli.files import write_files
    from ledger.event.acts import new_claim_code
    from ledger.event.lists import csv_text, read_players
    from verifier.event.acts import Register
    from verifier.event.names import Names

    desk = EventDesk(call, event)
    rows, problems = read_players(_read_csv(file), desk.state.players)
    _problems(call, file, problems)
    if dry_run:
        if call.out.json:
            call.out.value({"players": [{"number": row.number, "name": row.name} for row in rows]})
        else:
            call.out.table(["number", "name"], [(row.number, row.name) for row in rows])
        return
    named, registered, handed = [], [], []
    for row in rows:
        assert row.number is not None
        code = new_claim_code() if codes is not None else None
        player, entry = _new_player(row.number, row.name, code)
        named.append(player)
        registered.append(entry)
        handed.append((row.number, row.name, code))
    before = desk.names()
    whole = sorted([*before.names, *named], key=lambda each: each.number)
    if codes is not None:  # before anything is signed: a code that nobody has lets nobody in
        text = csv_text(*_handed(desk, handed))
        write_files({codes: lambda stream: stream.write(text.encode())}, force=force, secret=True)
    desk.save_names(Names(desk.event.hex(), tuple(whole)))
    try:
        chunks = [tuple(registered[at : at + 300]) for at in range(0, len(registered), 300)]
        desk.sign_all([("register", Register(chunk)) for chunk in chunks])
    except BaseException:
        desk.save_names(before)
        raise
    if codes is not None and not call.out.json:
        call.out.say(f"{printable(codes)}: {len(handed)} codes. Give each to its person alone")
    if desk.server is not None:
        _let_read(desk, desk.server, handed)


def _new_player(number: int, name: str, code: str | None) -> "tuple[NamedPlayer, Registered]":
    """Return a player as the names file and the log have it, with one new salt. The log has the claim code's key."""
    import secrets

    from ledger.event.acts import claim_key
    from verifier.event.acts import Registered
    from verifier.event.names import NamedPlayer, name_hash

    salt = secrets.token_hex(32)
    members: dict[str, Any] = {"name": name_hash(name, salt), "number": number}
    if code is not None:
        members["claim"] = claim_key(code).public_key().public_bytes_raw().hex()
    return NamedPlayer(name, number, salt), Registered(**members)


def _let_read(desk: EventDesk, server: "EventServer", handed: Sequence[tuple[int, str, str | None]]) -> None:
    """Let the holders of claim codes read the event at its server, and give the server the names file."""
    from ledger.event.links import code_token
    from ledger.lobby.links import token_hash
    from ledger.network.wire import EventToken
    from verifier.log.plainjson import encode

    server.read_as(desk.identity(desk.call.acting))
    server.let_read([EventToken(f"p{number}", token_hash(code_token(code))) for number, _, code in handed if code])
    server.keep_names(encode(desk.names()))


def _handed(
    desk: EventDesk, handed: Sequence[tuple[int, str, str | None]]
) -> tuple[list[str], list[tuple[object, ...]]]:
    """Return header and rows of what each person gets: a code, and at a server the link that has it."""
    from ledger.event.links import EventLink

    headers = ["number", "name", "code"]
    if desk.server is None:
        return headers, [*handed]
    address = desk.server.remote.address
    return [*headers, "link"], [(*row, str(EventLink(address, desk.event, row[2]))) for row in handed]


@command(
    event_group,
    "players",
    examples=["rollproof event players 'Spring Open' --in --out in.csv"],
)
def players(
    call: Call,
    event: Event,
    only_in: Annotated[bool, typer.Option("--in", help="Only players who are here: checked in, not dropped.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write a CSV for your pairing tool.")
    ] = None,
    force: Force = False,
) -> None:
    """List the players, with the names that are known here."""
    from ledger.cli.files import write_files
    from ledger.event.lists import csv_text

    desk = EventDesk(call, event)
    names = desk.names().by_number()
    rows = [
        (player.number, names.get(player.number, ""), player.state)
        for player in sorted(desk.state.players.values(), key=lambda player: player.number)
        if player.state == "in" or not only_in
    ]
    if out is not None:
        text = csv_text(["number", "name", "state"], rows)
        write_files({out: lambda stream: stream.write(text.encode())}, force=force)
    if call.out.json:
        call.out.value([{"number": number, "name": name, "state": state} for number, name, state in rows])
    elif out is not None:
        call.out.say(f"{printable(out)}: {len(rows)} players")
    else:
        call.out.table(["number", "name", "state"], rows)


@command(
    event_group,
    "pair",
    signed=True,
    examples=[
        "rollproof event pair 'Spring Open' round-1.csv --as olga",
        "rollproof event pair 'Spring Open' round-1.csv --dry-run",
        "rollproof event pair 'Spring Open' --player 17 --player 18 --as olga",
    ],
)
def pair(
    call: Call,
    event: Event,
    file: Annotated[Path | None, typer.Argument(metavar="CSV", help="The list; - is standard input.")] = None,
    players: Annotated[
        list[int] | None,
        typer.Option("--player", "-p", metavar="N", min=1, max=5_000, help="By hand: one of two; alone: with a bye."),
    ] = None,
    table: Annotated[
        int | None,
        typer.Option("--table", "-t", metavar="N", min=1, max=9_999, help="By hand: the table (else: the next)."),
    ] = None,
    round_: RoundNumber = None,
    dry_run: _DryRun = False,
    out: Out = None,
    force: Force = False,
) -> None:
    """Publish the pairings of the next round, from the list of your pairing tool (CSV).

    Columns: a table, and a column for each side (Player 1, Player 2, …), with numbers or names. A row without a table
    and with one player is a bye; a team is written with plus signs: 3+4.

    Two players who came late, or have no opponent, are paired by hand, without a list: give --player twice. While the
    round runs, their table opens at once.
    """
    from verifier.event.acts import Pair

    if (file is None) is not bool(players):
        raise UsageError("give a list, or --player for each of two who are paired by hand")
    if table is not None and len(players or ()) != 2:
        raise UsageError("--table goes with two players who are paired by hand")
    desk = EventDesk(call, event)
    latest = desk.state.round
    due = 1 if latest is None else latest.number + (latest.state == "ended")
    number = due if round_ is None else round_
    found = _by_hand(desk, players or (), table, number) if file is None else read_list(desk, file)
    late = file is None and latest is not None and (latest.number, latest.state) == (number, "running")
    chunks = [found.tables[at : at + 600] for at in range(0, len(found.tables), 600)] or [()]
    acts: list[tuple[str, Body]] = (
        [("correct-pairing", _added(desk, found, number))]
        if late
        else [("pair", Pair(found.byes if not at else (), number, t)) for at, t in enumerate(chunks)]
    )
    if not dry_run:
        desk.sign_all(acts, out, force=force)
        if late and desk.keeper_here and out is None:
            open_all(desk, LINKS)
        return
    _try(desk, acts)
    if call.out.json:
        call.out.value({"round": number, "tables": found.tables, "byes": found.byes})
    else:
        sides = [(each.table, " : ".join("+".join(map(str, side)) for side in each.sides)) for each in found.tables]
        call.out.table(["table", "sides"], sides)
        call.out.say(f"round {number}; byes: {', '.join(map(str, found.byes)) or 'none'}")


def _by_hand(desk: EventDesk, players: Sequence[int], table: int | None, number: int) -> "PairingList":
    """Return two players at a table of their own, or one with a bye. Raises UsageError."""
    from ledger.event.lists import PairingList
    from verifier.event.acts import Pairing

    if len(players) > 2:
        raise UsageError("--player is given twice at most: the two who play each other")
    if len(players) == 1:
        return PairingList((), (players[0],))
    known = desk.state.rounds[number - 1].tables if number <= len(desk.state.rounds) else ()
    sides = tuple((player,) for player in players)
    return PairingList((Pairing(sides, max(known, default=0) + 1 if table is None else table),), ())


def _added(desk: EventDesk, found: "PairingList", number: int) -> "Body":
    """Return the act that adds pairings to a round that runs."""
    from verifier.event.acts import CorrectPairing

    members = {"cancelled": [], "reason": "paired at the desk", "round": number, "tables": found.tables}
    if found.byes:
        members["byes"] = (*desk.state.rounds[number - 1].byes, *found.byes)
    body: Body = make_body(CorrectPairing, members, "correct-pairing")
    return body


def read_list(desk: EventDesk, file: Path) -> "PairingList":
    """Read the pairings of a list. Raises Exit after printing its problems."""
    from ledger.event.lists import read_pairings

    found, problems = read_pairings(_read_csv(file), desk.names().by_number())
    _problems(desk.call, file, problems)
    return found


def _try(desk: EventDesk, acts: "Sequence[tuple[str, Body]]") -> None:
    """Raises RefusedError where the rules would not take the acts; nothing is signed, and the state is spoiled."""
    from ledger.errors import RefusedError
    from verifier import Failure
    from verifier.event.rules import apply_act

    try:
        for _, act in acts:
            apply_act(desk.state, act, None, desk.replay.size, desk.replay.time, desk.replay.size)
    except Failure as failure:
        raise RefusedError(failure, failure.code, failure.clause) from None
