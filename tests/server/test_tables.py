"""The steps from a link to a game, at a server whose answers a test gives: what a client takes for a table."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from ledger.client.remotes import Remote, Remotes
from ledger.client.tables import (
    CheckedTable,
    agree,
    ask_to_go_on,
    let_in,
    link_of,
    look,
    new_link,
    open_table,
    sit,
    start,
    take_out,
    wait_for_start,
    wants_to_go_on,
)
from ledger.errors import AwayError, LedgerError, UsageError
from ledger.home import Home
from ledger.lobby import (
    AdmitWord,
    Invite,
    Link,
    LobbyError,
    LobbySeat,
    Start,
    TableState,
    TableTerms,
    Unseat,
    agreed_open,
    new_invite,
    new_seat,
    parse_terms,
)
from ledger.network.wire import PostsTold
from ledger.network.wire import Server as ServerTold
from ledger.seats.identity import Identity
from tests.support.table import Forger, Table
from verifier import Replay
from verifier.log.bodies import Permissions, Succession
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode

T = TypeVar("T")
HOST, KEEPER, TIMER = Identity.generate("alice"), Identity.generate("keeper"), Identity.generate("timer")
ADDRESS, TIME = "https://d.example.org", "2026-11-20T19:00:00.000Z"


class Server:
    """What a server answers, and what it was sent."""

    address = ADDRESS

    def __init__(self, home: Home) -> None:
        self.home, self.remotes = home, Remotes(home)
        self.told = ServerTold(None, None, str(KEEPER.key), {}, "d", None, None, ("dice-1",), "", ())
        self.sent: list[Any] = []
        self.state: TableState | None = None
        self.log: list[bytes] = []
        self.id: Callable[[TableTerms], str] = lambda terms: terms.id.hex()

    async def server(self) -> ServerTold:
        return self.told

    async def open_table(self, terms: TableTerms) -> str:
        assert self.remotes.of_table(terms.id.hex()) is not None, "the links are kept before it is asked for"
        self.state = TableState(None, (), (), (), None, bytes(terms).decode())
        return self.id(terms)

    async def table(self, _table: bytes) -> TableState:
        assert self.state is not None
        return self.state

    async def table_changes(self, _table: bytes) -> AsyncIterator[TableState]:
        assert self.state is not None
        begun, game = Start("rollproof/start/v1", (), "0" * 128, _table.hex()), "11" * 32
        for told in ((None, None), (game, None), (None, begun), *[(game, begun)] * len(self.log)):
            yield replace(self.state, game=told[0], start=told[1])

    async def lines(self, _game: bytes, _start: int) -> tuple[list[bytes], int]:
        return self.log, len(self.log)

    async def post(self, _table: bytes, what: Any) -> None:
        self.sent.append(what)

    sit = unseat = invite = start = let_in = replace = post

    def seats(self, *seats: LobbySeat) -> None:
        assert self.state is not None
        self.state = replace(self.state, seats=seats)


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(coroutine)


@pytest.fixture
def server(tmp_path: Path) -> Any:
    return Server(Home(tmp_path, tmp_path / "state"))


def opened(server: Any, *roles: Any, **options: Any) -> dict[Any, Link]:
    roles = roles or ("player", "judge", "spectator")
    made = open_table(server, server.remotes, HOST, "dice-1", msgspec.Raw(b"{}"), roles, **options)
    return dict(run(made))


def terms_of(server: Any) -> TableTerms:
    return parse_terms(server.state.terms.encode())


# --- opening ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "lacks"),
    [({"judge_after": 60}, "no judge of its own"), ({"posts": True}, "posts no results"), ({"public": True}, "public")],
)
def test_what_a_server_does_not_do_is_not_asked_of_it(server: Any, wanted: dict[str, Any], lacks: str) -> None:
    with pytest.raises(UsageError, match=lacks):
        opened(server, **wanted)
    assert server.state is None
    assert list(server.remotes.all()) == []


def test_what_a_server_does_is_in_the_terms_where_it_is_asked_for(server: Any) -> None:
    timer = str(TIMER.key)
    server.told = replace(server.told, judge=timer, posts=PostsTold(True, "club"), public="https://all.example")
    opened(server)
    terms = terms_of(server)
    assert (terms.judge, terms.posts, terms.public) == (UNSET, UNSET, UNSET)
    opened(server, judge_after=60, posts=True, public=True)
    terms = terms_of(server)
    assert terms.judge is not UNSET
    assert (terms.judge.key, terms.posts, terms.public) == (timer, "club", "https://all.example")


def test_the_links_of_a_table_are_kept_though_nobody_answered(server: Any) -> None:
    def away(_terms: TableTerms) -> str:
        raise AwayError("gone")

    server.id = away
    with pytest.raises(AwayError):
        opened(server)
    (kept,) = server.remotes.all()
    assert set(kept.links) == {"player", "judge", "spectator"}
    assert kept.host == "alice"


def test_a_table_under_another_id_is_not_the_one_that_was_opened(server: Any) -> None:
    server.id = lambda _: "00" * 32
    with pytest.raises(UsageError, match="took the table under another id"):
        opened(server)


def test_a_link_is_the_first_that_there_is_of_the_roles(server: Any) -> None:
    links = opened(server)
    (kept,) = server.remotes.all()
    assert link_of(kept, "gm", "judge") == links["judge"]
    assert link_of(kept) == links["player"]
    with pytest.raises(UsageError, match="no link of this table here"):
        link_of(Remote(ADDRESS, "00" * 32))


# --- looking and sitting ---------------------------------------------------------------------------------------------


def test_a_table_that_is_not_the_links_is_refused(server: Any) -> None:
    link = opened(server)["player"]
    assert run(look(server, link)).roles == ("player", "judge", "spectator")
    opened(server)  # another one
    for ask in (look(server, link), sit(server, server.remotes, link, HOST), take_out(server, link, HOST, "bob")):
        with pytest.raises(LobbyError):
            run(ask)
    assert server.sent == []


def test_of_the_seats_of_a_server_those_count_that_hold_and_are_free(server: Any) -> None:
    links = opened(server)
    bob, carol, again = (Identity.generate(name) for name in ("bob", "carol", "bob"))
    seat = new_seat(bob, links["player"], "Bob")
    forged = replace(new_seat(carol, links["player"]), sig="0" * 128)
    alike = new_seat(Identity.generate("b0b"), links["judge"])
    server.seats(forged, seat, new_seat(again, links["player"]), new_seat(bob, links["judge"]), alike, seat)
    shown = run(look(server, links["player"]))
    assert shown.seats == (seat, alike)
    assert shown.alike() == [("b0b", "bob")]


def test_a_seat_is_asked_for_under_a_name(server: Any) -> None:
    links = opened(server)
    shown = run(sit(server, server.remotes, links["judge"], Identity.generate("dana"), "Dana"))
    (seat,) = server.sent
    assert (seat.name, seat.role, seat.called) == ("dana", "judge", "Dana")
    server.seats(seat)
    assert CheckedTable(shown.link, shown.terms, server.state).seats == (seat,)


# --- as the host -----------------------------------------------------------------------------------------------------


def seated(server: Any, links: dict[str, Link], *names: str, role: str = "player") -> dict[str, Identity]:
    made = {name: Identity.generate(name) for name in names}
    server.seats(*server.state.seats, *(new_seat(one, links[role]) for one in made.values()))
    return made


def test_the_host_takes_out_who_has_a_seat(server: Any) -> None:
    links = opened(server)
    made = seated(server, links, "bob", "carol")
    with pytest.raises(UsageError, match="dave has no seat at this table"):
        run(take_out(server, links["player"], HOST, "dave"))
    assert server.sent == []
    run(take_out(server, links["player"], HOST, "carol"))
    (unseat,) = server.sent
    assert isinstance(unseat, Unseat)
    assert unseat.key == str(made["carol"].key)


def test_nobody_but_the_host_says_who_sits(server: Any) -> None:
    links = opened(server)
    seated(server, links, "bob")
    player, other = links["player"], Identity.generate("alice")
    for ask in (
        take_out(server, player, other, "bob"),
        new_link(server, server.remotes, player, other, "player"),
        start(server, player, other),
        let_in(server, player, other, Replay(), "bob"),
    ):
        with pytest.raises(UsageError, match="alice opened this table, and says who sits at it"):
            run(ask)
    assert server.sent == []


def test_a_new_link_takes_the_place_of_its_role_alone(server: Any) -> None:
    links = opened(server)
    with pytest.raises(UsageError, match="no link for the role gm: it has player, judge, spectator"):
        run(new_link(server, server.remotes, links["player"], HOST, "gm"))
    judges = Link(ADDRESS, links["judge"].table, "judge", bytes(range(32)))
    server.state = replace(server.state, invites=(new_invite(HOST, judges, 7),))
    for count in (1, 2):
        made = run(new_link(server, server.remotes, links["spectator"], HOST, "player"))
        invite = server.sent.pop()
        assert isinstance(invite, Invite)
        assert (invite.count, invite.link, made.role) == (count, made.invitation, "player")
        (kept,) = server.remotes.all()
        assert kept.links["player"] == str(made)
        server.state = replace(server.state, invites=(*server.state.invites, invite))
    assert run(look(server, made)).link == made


def test_a_table_is_started_with_whom_the_host_names_in_the_order_of_roles(server: Any) -> None:
    links = opened(server)
    seated(server, links, "dana", role="judge")
    with pytest.raises(UsageError, match="nobody plays yet"):
        run(start(server, links["player"], HOST))
    seated(server, links, "bob", "carol")
    with pytest.raises(UsageError, match="eve and zoe did not take a seat"):
        run(start(server, links["player"], HOST, ["zoe", "bob", "eve"]))
    with pytest.raises(UsageError, match="nobody plays yet"):
        run(start(server, links["player"], HOST, ["dana"]))
    for names, expected in (([], ["bob", "carol", "dana"]), (["dana", "carol"], ["carol", "dana"])):
        _, seats = run(start(server, links["player"], HOST, names))
        begun = server.sent.pop()
        assert isinstance(begun, Start)
        assert [seat.name for seat in seats] == expected
        assert [party.key for party in begun.parties] == [seat.key for seat in seats]
    server.state = replace(server.state, start=begun)
    with pytest.raises(UsageError, match="this table has started"):
        run(start(server, links["player"], HOST))
    run(take_out(server, links["player"], HOST, "bob"))  # which goes on


# --- a game that has begun -------------------------------------------------------------------------------------------


def test_who_waits_for_the_start_waits_for_the_game_and_the_hosts_word(server: Any) -> None:
    link = opened(server)["player"]
    seen: list[CheckedTable] = []
    with pytest.raises(LedgerError, match="the table's stream has ended"):
        run(wait_for_start(server, link, seen.append))
    assert len(seen) == 3
    server.log = [b"{}"]
    shown = run(wait_for_start(server, link, seen.append))
    assert shown.state.game == "11" * 32
    assert len(seen) == 3 + 4


def begin(server: Any, links: dict[str, Link]) -> CheckedTable:
    """The host starts the table, and the server begins the game."""
    _, _ = run(start(server, links["player"], HOST))
    begun, terms = server.sent.pop(), terms_of(server)
    body = json.loads(encode(agreed_open(terms, begun))) | {"nonce": "22" * 32}
    unsigned = {"author": "keeper", "body": body, "game": "0" * 64, "prev": "0" * 64, "seq": 0, "type": "open"}
    line = Forger(KEEPER).sign(unsigned | {"time": "2026-11-20T19:00:00.000Z"})
    server.log = [line]
    server.state = replace(server.state, start=begun, game=leaf_hash(line).hex())
    return run(look(server, links["player"]))


def test_a_server_that_shows_no_event_0_began_no_game(server: Any) -> None:
    links = opened(server)
    seated(server, links, "bob")
    shown = begin(server, links)
    log, server.log = server.log, []
    with pytest.raises(LobbyError):
        run(agree(server, server.remotes, server.home, shown))
    (evidence,) = (server.home.root / "evidence").iterdir()
    assert (evidence / "given.jsonl").read_bytes() == b"\n"
    server.log = log
    assert run(agree(server, server.remotes, server.home, shown)) == leaf_hash(log[0])
    other = CheckedTable(shown.link, shown.terms, replace(shown.state, game="33" * 32))
    with pytest.raises(UsageError, match="the server shows game 3333"):
        run(agree(server, server.remotes, server.home, other))
    assert run(agree(server, Remotes(Home(server.home.root / "new")), server.home, shown)) == leaf_hash(log[0])


def test_the_host_lets_in_who_asks_in_a_role_in_which_one_comes_later(server: Any) -> None:
    """Not who has a seat from before the start, and was not chosen."""
    links = opened(server, "player", "witness", permits=Permissions(admits=("witness",)))
    seated(server, links, "bob")
    game = begin(server, links)
    replay = Replay()
    replay.step(server.log[0])
    seated(server, links, "carol")
    ask = let_in(server, links["player"], HOST, replay, "carol")
    with pytest.raises(UsageError, match=r"carol does not ask to come in$"):
        run(ask)
    made = seated(server, links, "wanda", role="witness")
    for name in ("carol", "bob", "zoe"):
        with pytest.raises(UsageError, match=f"{name} does not ask to come in: wanda does"):
            run(let_in(server, links["player"], HOST, replay, name))
    run(let_in(server, links["player"], HOST, replay, "wanda"))
    (word,) = server.sent
    assert isinstance(word, AdmitWord)
    assert (word.key, word.head, word.role) == (str(made["wanda"].key), replay.head.hex(), "witness")
    assert game.state.start is not None


def test_who_lost_a_key_asks_in_the_place_of_its_own_party(server: Any, table: Table) -> None:
    link = opened(server)["player"]
    replay, new, stranger = table.view.replay, Identity.generate("alice"), Identity.generate("zoe")
    with pytest.raises(LobbyError, match="zoe is no party of this game"):
        run(ask_to_go_on(server, link, stranger, replay))
    dana = Identity.generate("dana")
    with pytest.raises(LobbyError, match="goes on as dana"):
        run(ask_to_go_on(server, link, dana, replay))
    assert server.sent == []
    seat = run(ask_to_go_on(server, link, new, replay))
    assert (seat.replaces, seat.succession) == (str(table.keys["alice"]), UNSET)
    assert server.sent == [seat]
    recovery = "ab" * 32
    replay.conduct.recovery["alice"] = recovery
    words = [
        Succession("rollproof/succession/v1", key, "0" * 128, str(new.key), "0" * 128, recovery, "0" * 128, TIME)
        for key in (str(table.keys["alice"]), str(table.keys["bob"]))
    ]
    assert run(ask_to_go_on(server, link, new, replay, words)) == seat, "the last one is of another key"
    with pytest.raises(LobbyError, match="has not named this recovery key"):  # it is handed in, and it is forged
        run(ask_to_go_on(server, link, new, replay, words[::-1]))
    assert server.sent.pop() == seat
    bobs = new_seat(Identity.generate("bob"), link, replaces=table.keys["bob"])
    danas = new_seat(dana, link, replaces=table.keys["dana"])
    server.seats(seat, bobs, danas, new_seat(stranger, link))
    shown = run(look(server, link))
    assert wants_to_go_on(shown, replay) == [seat, bobs]
    assert wants_to_go_on(shown, replay, "bob") == [bobs]
    assert wants_to_go_on(shown, replay, "zoe") == []
