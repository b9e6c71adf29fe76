"""`rollproof event`: the commands of the organizer (specs/event.md)."""

from contextlib import closing
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ledger.cli.app import command
from ledger.cli.arguments import LINKS, Links, complete_system, find_system
from ledger.cli.call import Call
from ledger.cli.event_desk import (
    Event,
    EventDesk,
    Force,
    Out,
    Reason,
    RoundNumber,
    event_group,
    make_body,
)
from ledger.cli.passphrase import passphrase
from ledger.errors import UsageError

if TYPE_CHECKING:
    from ledger.seats.identity import Identity
    from ledger.store.event_logs import EventLogs
    from rules import Body
    from verifier.event.acts import EventOpen

__all__ = ["open_all"]


class _EventTerms(NamedTuple):
    """The terms of an event that its organizer chooses."""

    game: Annotated[
        str,
        typer.Option(metavar="GAME", help="The rules: the game's name.", autocompletion=complete_system),
    ] = "dice"
    results: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD", help="What a slip says of each side: won, drawn, points, conceded. Repeatable. (Else: won.)"
        ),
    ] = None
    rounds: Annotated[int, typer.Option(metavar="N", min=1, max=200, help="The most rounds there will be.")] = 200
    contributors: Annotated[str, typer.Option(metavar="all|roller", help="Who contributes to the dice.")] = "all"
    options: Annotated[str | None, typer.Option(metavar="JSON", help="The rules' options in JSON (or @FILE).")] = None
    others_away: Annotated[
        bool, typer.Option("--others-away", help="At a table all others together may sign a party away (dead phones).")
    ] = False
    organizer: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="A further organizer's verifier key; repeatable.")
    ] = None


@command(
    event_group,
    "new",
    signed=True,
    examples=[
        "rollproof event new 'Spring Open' --keeper hall --game dice --results won --as olga",
        "rollproof event new League --keeper hall --game warhammer --results points --rounds 5 --as olga",
    ],
)
def new(
    call: Call,
    *,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What it is called.", show_default=False)],
    keeper: Annotated[
        str | None, typer.Option(metavar="NAME", help="The identity here that keeps the log and all tables.")
    ] = None,
    server: Annotated[
        str | None, typer.Option("--server", metavar="URL", help="Instead of --keeper: the server that keeps them.")
    ] = None,
    terms: _EventTerms,
) -> None:
    """Begin an event, as its first organizer; its keeper is an identity on this machine, or a server.

    For an event at a server, all commands first fetch what is new, and hand in what they sign.
    """
    from ledger.event.acts import first_line
    from ledger.game.times import utc_now

    if (keeper is None) == (server is None):
        raise UsageError("give --keeper, an identity on this machine, or --server, the address of a server")
    system = find_system(terms.game)
    by = call.home.identity(call.acting, passphrase(call.acting))
    kept = None if keeper is None else call.home.identity(keeper, passphrase(keeper))
    keeper_key = str(kept.key) if kept is not None else _keeper_of(call, str(server))
    body = _open_body(call, title, system, terms, keeper_key, str(by.key))
    logs = call.home.event_logs()
    call.closing.callback(logs.close)
    if kept is not None:
        with closing(call.home.memory(kept)) as memory:
            _, event = logs.create(first_line(kept, by, body, utc_now()), memory)
    else:
        event = _begin_at(call, logs, str(server), by, body)
    link = None if server is None else f"{server.rstrip('/')}/e/{event.hex()}"
    if call.out.json:
        value = {"event": event.hex(), "title": title, "keeper": keeper_key, "organizer": str(by.key)}
        call.out.value(value if link is None else {**value, "link": link})
    else:
        call.out.say(f"Event {event.hex()}, {title}")
        if link is not None:
            call.out.say("Everybody can follow it at this address; what people do there they sign themselves:")
            call.out.line(link)
        call.out.say("Whoever verifies it later should know its id, and your key:")
        call.out.line(str(by.key))


def _open_body(call: Call, title: str, system: str, terms: _EventTerms, keeper: str, by: str) -> "EventOpen":
    """Return the body of the event's first line. Raises UsageError, RefusedError."""
    import secrets

    from msgspec import Raw

    from ledger.cli.new_game import options_of
    from verifier.event.acts import EVENT_FORMAT, EventOpen
    from verifier.log.plainjson import encode

    members = {
        "contributors": terms.contributors,
        "event": EVENT_FORMAT,
        "keeper": keeper,
        "nonce": secrets.token_hex(32),
        "options": Raw(encode(options_of(system, terms.options, call.translate))),
        "organizers": [by, *(terms.organizer or ())],
        "results": sorted(set(terms.results or ["won"])),
        "rounds": terms.rounds,
        "system": system,
        "title": title,
    }
    if terms.others_away:
        members["away"] = "others"
    body: EventOpen = make_body(EventOpen, members, "event")
    return body


def _keeper_of(call: Call, address: str) -> str:
    """Return the verifier key of a server's keeper. Raises AwayError, UsageError."""
    connection = call.remoted.connect(address)
    return str(call.remoted.run(connection.server()).keeper)


def _begin_at(call: Call, logs: "EventLogs", address: str, by: "Identity", terms: "Body") -> bytes:
    """Begin an event at a server, and take it into the home; its id. Raises AwayError, ServerError, CheatedError."""
    from ledger.cli.event_server import EventRemote, EventServer
    from ledger.event.acts import sign_act
    from ledger.game.times import utc_now
    from verifier.event.replay import EventReplay
    from verifier.log.plainjson import encode

    connection = call.remoted.connect(address)
    act = sign_act(by, EventReplay(), "open", terms, utc_now())
    event: bytes = call.remoted.run(connection.begin_event(encode(act)))
    server = EventServer(call, event, EventRemote(connection.address))
    server.fetch(logs)
    server.keep()
    server.read_as(by)
    return event


@command(
    event_group,
    "appoint",
    signed=True,
    examples=["rollproof event appoint 'Spring Open' dana+5c3a… --role head --as olga"],
)
def appoint(
    call: Call,
    event: Event,
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="The person's verifier key: identity show NAME.", show_default=False)
    ],
    role: Annotated[str, typer.Option(metavar="ROLE", help="judge, head or organizer.")] = "judge",
    out: Out = None,
    force: Force = False,
) -> None:
    """Give somebody an office: judge, head judge or organizer."""
    from verifier.log.bodies import Appoint

    desk = EventDesk(call, event)
    desk.sign("appoint", make_body(Appoint, {"key": key, "role": role}, "appoint"), out, force=force)


@command(
    event_group,
    "dismiss",
    signed=True,
    examples=["rollproof event dismiss 'Spring Open' dana --reason 'her shift is over' --as olga"],
)
def dismiss(
    call: Call,
    event: Event,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The person whose office ends.", show_default=False)],
    reason: Reason,
    out: Out = None,
    force: Force = False,
) -> None:
    """End somebody's office."""
    from verifier.event.acts import Dismiss

    desk = EventDesk(call, event)
    desk.sign("dismiss", make_body(Dismiss, {"name": name, "reason": reason}, "dismiss"), out, force=force)


@command(
    event_group,
    "start",
    signed=True,
    examples=["rollproof event start 'Spring Open' --minutes 50 --as olga"],
)
def start(
    call: Call,
    event: Event,
    round_: RoundNumber = None,
    minutes: Annotated[int, typer.Option(metavar="N", min=1, max=1_440, help="How long the round is.")] = 50,
    links: Links = LINKS,
    out: Out = None,
    force: Force = False,
) -> None:
    """Start the round: one signature starts all its tables. If the keeper is here, it opens them."""
    from verifier.event.acts import StartRound

    desk = EventDesk(call, event)
    desk.sign("start", StartRound(minutes, desk.round_number(round_)), out, force=force)
    if desk.keeper_here and out is None:
        open_all(desk, links)


def open_all(desk: EventDesk, links: int) -> None:
    """Open the tables that have no game yet, as the keeper, and name their games in the log."""
    from ledger.cli.event_tables import open_tables
    from verifier.event.acts import Opened, OpenedGame

    acts, count = list[tuple[str, "Body"]](), 0
    for opening in list(desk.state.openings.values()):
        waiting = [t for t in opening.tables.values() if t.game is None and not t.cancelled]
        games = [OpenedGame(game, table) for table, game in open_tables(desk, opening, waiting, links)]
        count += len(games)
        acts += [("opened", Opened(tuple(games[at : at + 300]), opening.seq)) for at in range(0, len(games), 300)]
    desk.write_own(acts)
    if not desk.call.out.json:
        desk.call.out.say(f"tables opened: {count}")


@command(
    event_group,
    "end",
    signed=True,
    examples=[
        "rollproof event end 'Spring Open' --as olga",
        "rollproof event end 'Spring Open' --left '14=their slip comes later' --as olga",
    ],
)
def end(
    call: Call,
    event: Event,
    round_: RoundNumber = None,
    left: Annotated[
        list[str] | None,
        typer.Option("--left", metavar="TABLE=REASON", help="A table without a result, and why. Repeatable."),
    ] = None,
    out: Out = None,
    force: Force = False,
) -> None:
    """End the round: each table has a result or a reason. If the keeper is here, it seals the games."""
    from verifier.event.acts import End

    desk = EventDesk(call, event)
    number = desk.round_number(round_)
    found = [each.partition("=") for each in left or ()]
    for table, _equals, reason in found:
        if not table.isdigit() or not reason:
            raise UsageError(f"--left takes a table and a reason, as '14=no slip yet', not {table!r}")
    entries = [{"reason": reason, "table": int(table)} for table, _, reason in found]
    desk.sign("end", make_body(End, {"left": entries, "round": number}, "end"), out, force=force)
    if desk.keeper_here and out is None:
        seal_all(desk, number)


def seal_all(desk: EventDesk, number: int) -> None:
    """Seal the games of a round as far as they have come here, as the keeper."""
    from ledger.cli.event_tables import heads
    from verifier.event.acts import SealedGame, SealTables

    games = [SealedGame(game, root, size, table) for game, root, size, table in heads(desk, number)]
    desk.write_own([("seal", SealTables(tuple(games[at : at + 300]), number)) for at in range(0, len(games), 300)])
    if not desk.call.out.json:
        desk.call.out.say(f"games sealed: {len(games)}")


@command(event_group, "open", signed=True, examples=["rollproof event open 'Spring Open' --as hall"])
def open_(call: Call, event: Event, links: Links = LINKS) -> None:
    """Open the tables that have no game yet, as the keeper: after a start that came as a file."""
    desk = EventDesk(call, event)
    open_all(desk, links)
    if call.out.json:
        call.out.value({"event": desk.event.hex(), "games": len(desk.state.games)})


@command(event_group, "seal", signed=True, examples=["rollproof event seal 'Spring Open' --round 1 --as hall"])
def seal(call: Call, event: Event, round_: RoundNumber = None) -> None:
    """Seal the games of a round, as the keeper: sign how far each has come; do it again if some came late."""
    desk = EventDesk(call, event)
    number = desk.round_number(round_)
    seal_all(desk, number)
    if call.out.json:
        call.out.value({"event": desk.event.hex(), "round": number})


@command(event_group, "close", signed=True, examples=["rollproof event close 'Spring Open' --as olga"])
def close(call: Call, event: Event, out: Out = None, force: Force = False) -> None:
    """Close the event: nothing follows."""
    from verifier.event.acts import EventClose

    EventDesk(call, event).sign("close", EventClose(), out, force=force)
