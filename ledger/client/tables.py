"""The steps from a link to a game: open a table, sit, start, agree to event 0 (specs/network.md, "The table").

These coroutines sign with an identity, and save what they learn to the home's `Remotes`.
"""

import asyncio
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from ledger.client.connection import Connection
from ledger.client.remotes import Remote, Remotes
from ledger.errors import LedgerError, UsageError
from ledger.game.times import utc_now
from ledger.home import Home
from ledger.lobby import (
    InvitedRole,
    Link,
    LobbyError,
    LobbySeat,
    SeatRole,
    ServersJudge,
    Signer,
    TableState,
    TableTerms,
    asking,
    check_free,
    check_goes_on,
    check_link,
    check_opened,
    check_seat,
    goes_on,
    invitations_of,
    look_alikes,
    new_admit,
    new_invite,
    new_replace,
    new_seat,
    new_start,
    new_terms,
    new_unseat,
    parse_link,
    parse_terms,
)
from rules import Body
from rules.base import given
from rules.data.language import Message
from verifier import Replay, VerifierKey
from verifier.log.bodies import ORDINARY, Contributing, Permissions, Succession

__all__ = [
    "CheckedTable",
    "agree",
    "ask_to_go_on",
    "let_in",
    "link_of",
    "look",
    "new_link",
    "open_table",
    "sit",
    "start",
    "take_out",
    "wait_for_start",
    "wants_to_go_on",
    "wish_for",
]


class CheckedTable(NamedTuple):
    """A table of a server, its terms checked against the link, and each seat checked."""

    link: Link
    terms: TableTerms
    state: TableState

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that have links."""
        return tuple(invitation.role for invitation in self.terms.invitations)

    @property
    def seats(self) -> tuple[LobbySeat, ...]:
        """The valid seats, in the order in which they were taken: one for each key and name."""
        found: list[LobbySeat] = []
        for seat in self.state.seats:
            try:
                check_seat(self.terms, seat, self.state.invites)
                if check_free(found, seat):
                    found.append(seat)
            except LobbyError:  # the server made it up
                continue
        return tuple(found)

    def alike(self) -> list[tuple[str, str]]:
        """Return pairs of names, of seats and of the server's parties, that look alike, or whose called names do."""
        seats = ((seat.name, given(seat.called, None)) for seat in self.seats)
        return list(look_alikes([*((key.name, None) for key in self.terms.reserved.values()), *seats]))


async def open_table(
    connection: Connection,
    remotes: Remotes,
    host: Signer,
    system: str,
    options: Body | msgspec.Raw,
    roles: Sequence[InvitedRole] = ("player", "spectator"),
    *,
    contributors: Contributing = "all",
    title: str = "",
    judge_after: int | None = None,
    posts: bool = False,
    public: bool = False,
    permits: Permissions = ORDINARY,
) -> Mapping[InvitedRole, Link]:
    """Open a table as its host; return a link for each role. The links are saved before the request is sent.

    `judge_after`: seconds after which the server's judge calls off a pending roll; `posts`: the server posts each
    result to its channel; `public`: everybody can read the closed game. Raises UsageError if the server has no judge,
    posts nowhere, or makes no games public; LobbyError, AwayError, ServerError.
    """
    server = await connection.server()
    if judge_after is not None and server.judge is None:
        raise UsageError(f"{connection.address} has no judge of its own")
    if posts and server.posts is None:
        raise UsageError(f"{connection.address} posts no results anywhere")
    if public and server.public is None:
        raise UsageError(f"{connection.address} makes no closed games public")
    address = connection.address
    drawn: dict[InvitedRole, bytes] = {role: secrets.token_bytes(32) for role in roles}
    terms = new_terms(
        host,
        VerifierKey.parse(server.keeper),
        system,
        options,
        [Link(address, bytes(32), role, secret).invitation for role, secret in drawn.items()],
        nonce=secrets.token_bytes(32),
        time=utc_now(),
        contributors=contributors,
        title=title,
        judge=None if judge_after is None or server.judge is None else ServersJudge(judge_after, server.judge),
        posts=server.posts.name if posts and server.posts is not None else None,
        public=server.public if public else None,
        permits=permits,
    )
    links = {role: Link(address, terms.id, role, secret) for role, secret in drawn.items()}
    first = next(iter(links.values()))
    remote = Remote(
        address,
        first.token.hex(),
        table=terms.id.hex(),
        terms=bytes(terms).decode(),
        links={role: str(link) for role, link in links.items()},
        host=host.key.name,
    )
    await asyncio.to_thread(remotes.save, remote)
    if await connection.open_table(terms) != terms.id.hex():
        raise UsageError(f"{address} took the table under another id: it is not the one that was opened")
    return links


def link_of(remote: Remote, *roles: InvitedRole) -> Link:
    """Return the table's link for the first of these roles that has one, else any link. Raises UsageError."""
    found = next((remote.links[role] for role in (*roles, *remote.links) if role in remote.links), None)
    if found is None:
        raise UsageError("there is no link of this table here: ask its host for one")
    return parse_link(found)


async def look(connection: Connection, link: Link) -> CheckedTable:
    """Fetch and check the table of a link. Raises LobbyError if it is another table; AwayError, ServerError."""
    return _shown(link, await connection.table(link.table))


def _shown(link: Link, state: TableState) -> CheckedTable:
    terms = parse_terms(state.terms.encode())
    check_link(link, terms, state.invites)
    return CheckedTable(link, terms, state)


async def sit(
    connection: Connection, remotes: Remotes, link: Link, party: Signer, called: str | None = None
) -> CheckedTable:
    """Take a seat in the link's role under the name `called`; a second call changes nothing. Raises as `look`."""
    shown = await look(connection, link)
    remote = Remote(
        link.address,
        link.token.hex(),
        table=link.table.hex(),
        terms=shown.state.terms,
        links={link.role: str(link)},
        game=None,
    )
    await asyncio.to_thread(remotes.save, remote)
    await connection.sit(link.table, new_seat(party, link, called))
    return shown


async def take_out(connection: Connection, link: Link, host: Signer, name: str) -> CheckedTable:
    """Remove a seat as the host, and bar its key; return the table as it was before.

    Raises UsageError if nobody of this name has a seat; LobbyError, AwayError, ServerError.
    """
    shown = await _as_host(connection, link, host, begun=True)
    seat = next((seat for seat in shown.seats if seat.name == name), None)
    if seat is None:
        raise UsageError(f"{name} has no seat at this table")
    await connection.unseat(link.table, new_unseat(host, link.table, seat.party_key))
    return shown


async def new_link(connection: Connection, remotes: Remotes, link: Link, host: Signer, role: InvitedRole) -> Link:
    """Replace the link of a role as the host; the old link seats nobody any more.

    Raises UsageError if the table has no link for the role; LobbyError, AwayError, ServerError.
    """
    shown = await _as_host(connection, link, host, begun=True)
    before = invitations_of(shown.terms, shown.state.invites, role)
    if not before:
        raise UsageError(f"this table has no link for the role {role}: it has {', '.join(shown.roles)}")
    counts = [each.count for each in shown.state.invites if each.link.role == role]
    made = Link(link.address, link.table, role, secrets.token_bytes(32))
    remote = Remote(
        link.address, made.token.hex(), table=link.table.hex(), terms=shown.state.terms, links={role: str(made)}
    )
    await connection.invite(link.table, new_invite(host, made, max(counts, default=0) + 1))
    await asyncio.to_thread(remotes.save, remote)
    return made


async def let_in(connection: Connection, link: Link, host: Signer, replay: Replay, name: str) -> CheckedTable:
    """Admit a person who asks to join, as the host, at the current end of the game; return the table as it was before.

    Raises UsageError if nobody of this name asks; RefusedError `state.pending` while a roll is pending; LobbyError,
    AwayError, ServerError.
    """
    shown = await _as_host(connection, link, host, begun=True)
    roles = given(shown.terms.admits, ())  # others have a seat from before the start, and were not chosen
    asks = [seat for seat in asking(shown.seats, replay.terms) if seat.role in roles]
    seat = next((seat for seat in asks if seat.name == name), None)
    if seat is None:
        others = f": {', '.join(each.name for each in asks)} does" if asks else ""
        raise UsageError(f"{name} does not ask to come in{others}")
    await connection.let_in(link.table, new_admit(host, replay.game, replay.head, seat.party_key, seat.role))
    return shown


async def ask_to_go_on(
    connection: Connection, link: Link, party: Signer, replay: Replay, successions: Sequence[Succession] = ()
) -> LobbySeat:
    """Ask to go on as a party of the game under a new key of its name; return the seat that asks.

    It has the last of the `successions`, if that is from the party's present key by the recovery key of its join. A
    second call changes nothing. Raises LobbyError if there is no such party; AwayError, ServerError.
    """
    present, name = replay.terms.keys.get(party.key.name), party.key.name
    if present is None:
        raise LobbyError("table.seat", Message("{name} is no party of this game", name=name))
    last = next(iter(successions[-1:]), None)
    stated = None if last is None else (last.key, last.new, last.recovery)
    fits = stated == (str(present), str(party.key), replay.conduct.recovery.get(name))
    seat = new_seat(party, link, replaces=present, succession=last if fits else None)
    check_goes_on(seat, replay)
    await connection.sit(link.table, seat)
    return seat


def wants_to_go_on(shown: CheckedTable, replay: Replay, name: str | None = None) -> list[LobbySeat]:
    """Return the seats that ask to go on in the place of a party's key, of all or of one party."""
    found = []
    for seat in goes_on(shown.seats, replay.terms):
        if name in (None, seat.name):
            with suppress(LobbyError):  # the server made it up
                check_goes_on(seat, replay)
                found.append(seat)
    return found


async def wish_for(connection: Connection, link: Link, by: Signer, game: bytes, key: VerifierKey) -> None:
    """Have the keeper write the `replace` of a key that asks. Raises AwayError, ServerError."""
    await connection.replace(link.table, new_replace(by, game, key))


async def _as_host(connection: Connection, link: Link, host: Signer, *, begun: bool = False) -> CheckedTable:
    """Fetch a table, and check that this is its host and that the game has not begun.

    With `begun` the game may have begun. Raises UsageError, and as `look`.
    """
    shown = await look(connection, link)
    if shown.terms.host_key.public_bytes != host.key.public_bytes:
        raise UsageError(f"{shown.terms.host_key.name} opened this table, and says who sits at it, not {host.key.name}")
    if shown.state.start is not None and not begun:
        raise UsageError("this table has started")
    return shown


async def start(
    connection: Connection, link: Link, host: Signer, names: Collection[str] = ()
) -> tuple[CheckedTable, Sequence[LobbySeat]]:
    """Start the game as the host, with all seats or those with these names; return the table before, and these seats.

    Raises UsageError if a name has no seat; LobbyError, AwayError, ServerError.
    """
    shown = await _as_host(connection, link, host)
    seats = [seat for seat in shown.seats if not names or seat.name in names]
    missing = sorted(set(names) - {seat.name for seat in seats})
    if missing:
        raise UsageError(f"{' and '.join(missing)} did not take a seat at this table")
    if not any(seat.role == "player" for seat in seats):
        raise UsageError("nobody plays yet: send the player's link, and start when somebody has taken a seat")
    order: Sequence[SeatRole] = ("player", "gm", "judge", "witness")
    seats.sort(key=lambda seat: order.index(seat.role))
    await connection.start(link.table, new_start(host, link.table, seats))
    return shown, seats


async def wait_for_start(
    connection: Connection, link: Link, on_change: Callable[[CheckedTable], object] = lambda _shown: None
) -> CheckedTable:
    """Wait until the host has started the game. `on_change` receives each change. Raises LobbyError, ServerError."""
    async for state in connection.table_changes(link.table):
        shown = _shown(link, state)
        on_change(shown)
        if state.game is not None and state.start is not None:
            return shown
    raise LedgerError("the table's stream has ended")


async def agree(connection: Connection, remotes: Remotes, home: Home, shown: CheckedTable) -> bytes:
    """Check that the server began the game that was agreed to, and store its event 0; return its id.

    Raises LobbyError (`table.opened` and others) if it is another game; what the server showed is kept as evidence.
    """
    state = shown.state
    assert state.game is not None
    assert state.start is not None
    game, begun = bytes.fromhex(state.game), state.start
    known = await asyncio.to_thread(remotes.of_table, shown.link.table.hex())
    if known is not None and known.game not in (None, state.game):
        raise UsageError(f"this table has started as game {known.game}, and the server shows game {state.game} now")
    lines, _ = await connection.lines(game, 0)
    line = lines[0] if lines else b""
    try:
        check_opened(shown.terms, shown.seats, begun, line, game, state.invites)
    except LobbyError:
        files = {"table.json": msgspec.json.encode(state), "given.jsonl": line + b"\n"}
        await asyncio.to_thread(remotes.keep_evidence, game, files)
        raise
    link = shown.link
    remote = Remote(
        link.address,
        link.token.hex(),
        table=link.table.hex(),
        terms=state.terms,
        game=state.game,
        links={link.role: str(link)},
    )
    await asyncio.to_thread(_begin, home, game, line)
    await asyncio.to_thread(remotes.save, remote)
    return game


def _begin(home: Home, game: bytes, line: bytes) -> None:
    ledger = home.ledger()
    try:
        ledger.importer.take_line(game, 0, line)
    finally:
        ledger.close()
