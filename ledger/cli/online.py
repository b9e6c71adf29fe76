"""A table on a server: `rollproof new --at`, `join LINK`, `start`, `watch` (specs/network.md)."""

import re
import sys
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import LINKS, Links, game_argument
from ledger.cli.call import Call
from ledger.cli.coming import ask_at
from ledger.cli.isolation import isolated
from ledger.cli.lost import go_on_at
from ledger.cli.outcome import print_outcome
from ledger.cli.output import command_line
from ledger.cli.parties import identity_of
from ledger.cli.play import Play
from ledger.cli.table_terms import tell_seats, tell_terms
from ledger.errors import MissingError, TurnError, UsageError, WaitingError

if TYPE_CHECKING:
    from msgspec import UnsetType

    from ledger.client.remotes import Remote
    from ledger.client.tables import CheckedTable
    from ledger.lobby import InvitedRole, Link
    from rules import Body
    from verifier.log.bodies import Contributing, Permissions

__all__ = [
    "TableArgument",
    "TableWishes",
    "close_at",
    "is_link",
    "join_at",
    "open_at",
    "remote_of",
]

TableArgument = Annotated[str, game_argument("TABLE", "The table: its id, the beginning of it, or its title.")]


def is_link(text: str) -> bool:
    """Return True if the text is a link to a table, and not a game's id or title."""
    return text.startswith(("http://", "https://")) or re.search("/t/[0-9a-f]{8}", text) is not None


def _link(text: str) -> "Link":
    from ledger.lobby import parse_link

    return parse_link(text)


# --- opening ---------------------------------------------------------------------------------------------------------


class TableWishes(NamedTuple):
    """The terms that the host of a table wants: the arguments of `ledger.client.open_table`, by name."""

    contributors: "Contributing"
    title: str
    judge_after: int | None
    posts: bool
    public: bool
    permits: "Permissions"


def open_at(
    call: Call,
    address: str,
    system: str,
    options: "Body",
    seat: str,
    more: Collection[str],
    wishes: TableWishes,
    *,
    called: str | None,
    if_gone: str | None,
) -> None:
    """Open a table at a server as its host, sit down, and tell the links."""
    from ledger.client.tables import open_table, sit

    roles = _linked_roles(wishes, seat, more)
    host, remoted = identity_of(call), call.remoted
    connection = remoted.connect(address)
    judged = remoted.run(connection.server()).judge is not None
    wishes = _with_absence(call, wishes, if_gone, system, judged=judged)
    made = remoted.run(open_table(connection, remoted.remotes, host, system, options, roles, **wishes._asdict()))
    mine = next((link for role, link in made.items() if role == seat), None)
    if mine is not None:
        connection.token = mine.token
        remoted.run(sit(connection, remoted.remotes, mine, host, called))
    _tell_opened(call, made, host.name, None if mine is None else seat)


def _linked_roles(wishes: TableWishes, seat: str, more: Collection[str]) -> "tuple[InvitedRole, ...]":
    """Return the roles that get a link. Raises UsageError for one that nobody can have."""
    from ledger.lobby import INVITED
    from rules.base import given

    holders = ["gm"] if wishes.permits.sealed == "kept" else []
    late = given(wishes.permits.admits, ())
    wanted = {"player", "spectator", *more, *late, *holders, *([] if seat == "none" else [seat])}
    roles = tuple(role for role in INVITED if role in wanted)
    unknown = sorted(wanted - set(roles))
    if unknown or seat == "spectator":
        raise UsageError(f"there is no role {unknown[0] if unknown else seat} to sit down as")
    return roles


def _with_absence(call: Call, wishes: TableWishes, if_gone: str | None, system: str, *, judged: bool) -> TableWishes:
    """Return the terms with what is to happen if somebody is gone. `judged`: the server has a judge."""
    from msgspec import UNSET
    from msgspec.structs import replace

    from ledger.cli.absence import AbsenceTerms, what_if_gone
    from rules import SYSTEMS

    given = AbsenceTerms(wishes.judge_after, others_away=wishes.permits.away == "others")
    found = what_if_gone(call, if_gone, given, cooperates="player" in SYSTEMS[system].late, offered=judged)
    away: Literal["others"] | UnsetType = "others" if found.others_away else UNSET
    return wishes._replace(judge_after=found.judge_after, permits=replace(wishes.permits, away=away))


def _tell_opened(call: Call, made: "Mapping[InvitedRole, Link]", host: str, seat: str | None) -> None:
    """Print the links of a table that was opened, and its terms."""
    from ledger.lobby import parse_terms

    _, table = call.translate, next(iter(made.values())).table.hex()
    links = {role: str(link) for role, link in made.items()}
    if call.out.json:
        call.out.value({"table": table, "links": links, "host": host, "seat": seat})
        return
    remote = call.remoted.remotes.of_table(table)
    assert remote is not None, "it was saved before it was opened"
    assert remote.terms is not None
    terms = parse_terms(remote.terms.encode())
    call.out.say(_("Table {table}").format(table=table) + (f", {isolated(terms.title)}" if terms.title else ""))
    if seat is not None:
        call.out.say(_("{name} sits at it: {role}.").format(name=host, role=_(seat)))
    for role, link in links.items():
        if role == "spectator":
            call.out.say(_("To look on: rollproof watch LINK, with"))
        else:
            text = _("To play as {role}: open this in a browser, or rollproof join LINK, with")
            call.out.say(text.format(role=_(role)))
        call.out.line(f"  {link}")
    tell_terms(call, terms)
    text = _("Anybody who has a link can use it: send it only to the people it is for. When all are seated, start:")
    call.out.say(text + command_line("start", table[:12], "--as", host))


# --- joining ---------------------------------------------------------------------------------------------------------


def join_at(call: Call, text: str, links: int, called: str | None, *, watch: bool, lost: bool = False) -> None:
    """Take a seat by a link, wait for the start, agree, join, commit; then watch.

    `lost`: ask to go on in the place of a lost key.
    """
    from ledger.client.tables import sit

    _, link = call.translate, _link(text)
    if link.role == "spectator":
        raise UsageError("this link is for looking on: rollproof watch LINK")
    me, remoted = identity_of(call), call.remoted
    connection = remoted.connect(link.address, link.token)
    known = remoted.remotes.of_table(link.table.hex())
    if not lost and (known is None or known.game is None):
        shown = remoted.run(sit(connection, remoted.remotes, link, me, called))
        if not call.out.json:
            _tell_table(call, shown)
            text = _("{name} sits there now: {role}. Waiting for {host} to start.")
            if shown.state.game is None:
                call.out.say(text.format(name=me.name, role=_(link.role), host=shown.terms.host_key.name))
    game = _begun(call, connection, link)
    play = Play(call, game)
    if lost:
        go_on_at(play, connection, link, me, patient=watch)
    else:
        ask_at(play, connection, link, me, called, patient=watch)
    _enter(play, me.name, links)
    if watch:
        _watch(call, game, me.name)


def _tell_table(call: Call, shown: "CheckedTable") -> None:
    """Print the terms of a table, before a party agrees to them."""
    from rules import SYSTEMS

    _, terms = call.translate, shown.terms
    system = SYSTEMS.get(terms.system)
    told = isolated(terms.title) if terms.title else shown.link.table.hex()[:12]
    text = _("Table {title} of {host}: {system}.")
    name = system.title if system else terms.system
    call.out.say(text.format(title=told, host=terms.host_key.name, system=name))
    options = bytes(terms.options).decode()
    if options != "{}":
        call.out.say(_("Options: {options}").format(options=options))
    if terms.contributors == "roller":
        text = _("Contributors to a roll: {keeper}, which keeps the log, the roller, and witnesses.")
    elif not isinstance(terms.contributors, str):
        text = _("Contributors to each roll: only {names}; {keeper} keeps the log.")
    else:
        text = _("Contributors to each roll: {keeper}, which keeps the log, and everybody at the table except judges.")
    names = "" if isinstance(terms.contributors, str) else ", ".join(terms.contributors)
    call.out.say(text.format(keeper=terms.keeper_key.name, names=names))
    tell_terms(call, terms)
    tell_seats(call, shown)


def _begun(call: Call, connection: Any, link: "Link") -> bytes:
    """Wait for the start, and check the game; return its id."""
    from ledger.client.tables import agree, wait_for_start

    remoted, seen = call.remoted, [0]

    def on_change(shown: "CheckedTable") -> None:
        if len(shown.seats) != seen[0] and shown.state.game is None and not call.out.json:
            if seen[0]:
                tell_seats(call, shown)
            seen[0] = len(shown.seats)

    shown = remoted.run(wait_for_start(connection, link, on_change))
    game: bytes = remoted.run(agree(connection, remoted.remotes, call.home, shown))
    return game


def _enter(play: Play, name: str, links: int) -> None:
    """Join and commit, as far as that is not done; and tell."""
    from ledger.game.core import Due
    from ledger.seats.fork_guard import waits
    from rules.protocol import Back
    from verifier.report import trust_statement

    _ = play.call.translate
    assert play.carrier is not None
    play.carrier.fetch()
    outstanding = play.table.kept.outstanding()
    if name not in play.replay.terms.keys:
        text = _("{host} began the game without {name}.")
        raise TurnError(text.format(host=_host(play), name=name))
    with play.seat(name) as seat:
        if Due(name, "join") in outstanding or waits(play.replay, seat.key):
            play.append(seat.join)
            play.notes.append(trust_statement(play.replay, _))
        if seat.key in play.replay.terms.keys_of(name)[1:] and name in play.session.parties.away:  # it goes on
            play.append(lambda view: seat.sign(view, "back", Back(name)))
        if Due(name, "commit") in play.table.kept.outstanding():
            play.append(lambda view: seat.commit(view, links))
        play.call.remoted.read_as(seat, play.game)
    print_outcome(play)


def _host(play: Play) -> str:
    from ledger.lobby import parse_terms

    remote = play.call.remoted.remotes.of_game(play.game)
    return parse_terms(remote.terms.encode()).host_key.name if remote and remote.terms else "the host"


# --- starting --------------------------------------------------------------------------------------------------------


@command(
    app,
    "start",
    signed=True,
    examples=["rollproof start 7d0c --as alice", "rollproof start 7d0c --with bob --with dana --as alice"],
)
def start(
    call: Call,
    table: TableArgument,
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="NAME", help="Start only with those whom you name, and yourself; repeatable."),
    ] = None,
    links: Links = LINKS,
    watch: Annotated[bool, typer.Option("--watch", help="Go on as `rollproof watch`.")] = False,
) -> None:
    """Start the game of a table that you opened at a server.

    The game has all who sit there, or only those whom you name; then you join, and commit. Check who sits there:
    anybody with a link can take a seat, under any name.
    """
    from ledger.client.tables import link_of, look
    from ledger.client.tables import start as start_table

    _, remoted = call.translate, call.remoted
    remote = remote_of(call, table)
    me = identity_of(call)
    link = link_of(remote, "player")
    connection = remoted.connect(remote.address, link.token)
    shown = remoted.run(look(connection, link))
    if not call.out.json:
        tell_seats(call, shown)
    if shown.state.start is None:
        mine = [seat.name for seat in shown.seats if seat.key == str(me.key)]
        shown, _seats = remoted.run(start_table(connection, link, me, {*with_, *mine} if with_ else ()))
    game = _begun(call, connection, link)
    play = Play(call, game)
    if me.name not in play.replay.terms.keys:
        print_outcome(play)
        return
    _wait_for_all(play, me.name, links)
    if watch:
        _watch(call, game, me.name)


def _wait_for_all(play: Play, name: str, links: int) -> None:
    """Join, commit, and wait until the others have: then somebody can roll."""
    if not play.call.out.json:
        text = play.call.translate("Game {game}")
        play.call.out.say(text.format(game=play.game.hex()))
    assert play.carrier is not None
    _enter_quietly(play, name, links)
    while any(due.what in ("join", "commit") for due in play.table.kept.outstanding()):
        if not play.carrier.wait():
            break
    print_outcome(play)


def _enter_quietly(play: Play, name: str, links: int) -> None:
    from ledger.game.core import Due

    assert play.carrier is not None
    play.carrier.fetch()
    with play.seat(name) as seat:
        if Due(name, "join") in play.table.kept.outstanding():
            play.append(seat.join)
        if Due(name, "commit") in play.table.kept.outstanding():
            play.append(lambda view: seat.commit(view, links))
        play.call.remoted.read_as(seat, play.game)


def remote_of(call: Call, text: str) -> "Remote":
    """Return the table that is meant. Raises MissingError."""
    from ledger.lobby import parse_link

    remotes = call.remoted.remotes
    found = remotes.of_table(parse_link(text).table.hex()) if is_link(text) else remotes.find(text)
    if found is None or found.table is None:
        raise MissingError(f"there is no table {text!r} here: open one with rollproof new --at URL")
    return found


# --- closing ---------------------------------------------------------------------------------------------------------


def close_at(play: Play) -> bool:
    """Have the server close the game, as the host of its table. False if the acting identity is not the host."""
    from ledger.lobby import new_closing

    remoted, name = play.call.remoted, play.call.acting
    remote = remoted.remotes.of_game(play.game)
    if play.carrier is None or remote is None or remote.table is None or remote.host != name:
        return False
    closing = new_closing(identity_of(play.call), bytes.fromhex(remote.table), play.game)
    remoted.run(play.carrier.connection.close_game(bytes.fromhex(remote.table), closing))
    play.carrier.fetch()
    return True


# --- watching --------------------------------------------------------------------------------------------------------


@command(
    app,
    "watch",
    signed=True,
    examples=["rollproof watch 9c31 --as bob", "rollproof watch 'https://dice.example.org/t/7d0c…e1#spectator.k2Wd…'"],
)
def watch(
    call: Call,
    game: Annotated[str, game_argument("GAME|LINK", "A game that a server keeps, or a link to look on.")],
    alone: Annotated[bool, typer.Option("--spectator", help="Look on: open nothing, even if a party is here.")] = False,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="URL", help="The server of a game that was made without a link; needed once."),
    ] = None,
) -> None:
    """Follow a game on a server: report what happens, check all of it, and open for every roll without being asked.

    You are asked for your passphrase once. When your seed chain is used up, the command commits to a new one. It goes
    on after this machine has slept or the server was away, until you interrupt it. It prints a line for each event;
    with --json an object a line.
    """
    if at is not None:
        id_ = _attach(call, at, game)
    elif is_link(game):
        link, remoted = _link(game), call.remoted
        id_ = _begun(call, remoted.connect(link.address, link.token), link)
    else:
        remote = call.remoted.remotes.find(game)
        if remote is not None and remote.game is None:
            raise WaitingError(
                f"the table {game} has not started: its host does, with rollproof start; who sits down waits with "
                f"rollproof join LINK"
            )
        id_ = call.find(game)
        if call.carrier(id_) is None:
            raise UsageError("this game is on no server that is known here: it goes by files, or by its own commands")
    play = Play(call, id_)
    here = play.parties_here
    named = call.acting_if_named()
    name = named or (here[0] if len(here) == 1 else None)
    if name is None and here and not alone:
        raise UsageError(f"say who watches: --as {' or --as '.join(here)}, or --spectator")
    if name is not None and not alone:
        play.check_party(name)
    _watch(call, id_, None if alone else name)


def _attach(call: Call, address: str, game: str) -> bytes:
    """Connect to a game that a server keeps without a table, as one of its parties; return its id."""
    from ledger.client.remotes import Remote
    from ledger.game.times import utc_now
    from ledger.lobby import new_access

    whole = len(game) == 64 and all(digit in "0123456789abcdef" for digit in game)
    id_ = bytes.fromhex(game) if whole else call.ledger.catalog.find(game)
    me, remoted = identity_of(call), call.remoted
    connection = remoted.connect(address)
    token = remoted.run(connection.access(id_, new_access(me, id_, utc_now())))
    remoted.remotes.save(Remote(connection.address, token.hex(), game=id_.hex()))
    carrier = call.carrier(id_)
    assert carrier is not None
    carrier.fetch()
    return id_


def _watch(call: Call, game: bytes, name: str | None) -> None:
    import asyncio

    from ledger.cli.passphrase import passphrase
    from ledger.cli.watching import Watching

    secret = None if name is None else call.secrets.get(name) or passphrase(name)
    watching = Watching(call, game, name, secret)
    try:
        asyncio.run(watching.run())
    except KeyboardInterrupt:
        if sys.stdout.isatty():
            call.out.say()
