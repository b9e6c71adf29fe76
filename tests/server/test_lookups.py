"""What tokens open is looked up beside the event loop, and nobody waits for another's look (network.md, Limits)."""

import asyncio
import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from ledger.game.times import utc_now
from ledger.home import Home
from ledger.seats.identity import Identity
from ledger.server import lookups as module
from ledger.server.access import TokenAccess
from ledger.server.app import make_app
from ledger.server.event_tokens import EventTokenStore
from ledger.server.front import Front
from ledger.server.limits import Limits
from ledger.server.lookups import AT_ONCE, THREADS, Lookups
from ledger.server.problems import Problem
from ledger.server.run import Settings, open_service
from ledger.server.service import Service
from ledger.server.tables import TABLES_KIND, Tables
from ledger.store.storage import SqliteStorage
from tests.server.served import PASSPHRASE
from tests.server.test_races import _NoLoop, _Table
from tests.support.cli import QUICK

HERE, THERE = "192.0.2.1", "198.51.100.1"
GAME, TABLE, TOKEN = "b" * 64, "a" * 64, b"t" * 32
SLOW = 4.0
"""seconds of a slow look: whoever waited for one is noticed, however busy the machine is"""


# --- threads ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """A database that answers when this is set."""
    found = threading.Event()
    yield found
    found.set()


def asking(lookups: Lookups, network: str, work: Callable[[], Any], count: int = 1) -> "list[asyncio.Task[Any]]":
    return [asyncio.ensure_future(lookups.ask(network, work)) for _ in range(count)]


async def refusal(asked: "asyncio.Task[Any]") -> tuple[int, str]:
    with pytest.raises(Problem) as refused:
        await asked
    return refused.value.status, refused.value.code


def test_a_network_whose_looks_are_slow_leaves_threads_for_others(gate: threading.Event) -> None:
    async def all_() -> None:
        with closing(Lookups()) as lookups:
            slow = asking(lookups, HERE, gate.wait, 2 * THREADS)
            await asyncio.sleep(0)
            assert await asyncio.wait_for(lookups.ask(THERE, lambda: 7), SLOW) == 7
            assert not any(each.done() for each in slow)
            gate.set()
            assert await asyncio.gather(*slow) == [True] * 2 * THREADS

    asyncio.run(all_())


def test_networks_take_turns(gate: threading.Event) -> None:
    """However much one network asks, another's question is the next but those that are being answered."""
    order: list[str] = []

    async def all_() -> None:
        with closing(Lookups()) as lookups:
            busy = [task for network in ("c", "d") for task in asking(lookups, network, gate.wait, AT_ONCE)]
            many = asking(lookups, HERE, lambda: order.append(HERE), 50)
            await asyncio.sleep(0)
            one = asking(lookups, THERE, lambda: order.append(THERE))
            await asyncio.sleep(0)
            gate.set()
            await asyncio.gather(*busy, *many, *one)

    asyncio.run(all_())
    assert THERE in order[:THREADS]


def test_what_finds_no_room_is_refused_at_once(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING_OF_ONE", 3)
    monkeypatch.setattr(module, "MAX_WAITING", 5)

    async def all_() -> None:
        with closing(Lookups()) as lookups:
            asked = asking(lookups, HERE, gate.wait, AT_ONCE + 3)
            assert await refusal(asking(lookups, HERE, gate.wait)[0]) == (429, "too-many")
            asked += asking(lookups, THERE, gate.wait, AT_ONCE + 2)
            assert await refusal(asking(lookups, "another", gate.wait)[0]) == (429, "too-many")
            gate.set()
            await asyncio.gather(*asked)
            assert await lookups.ask(HERE, lambda: 7) == 7

    asyncio.run(all_())


def test_who_has_waited_too_long_is_refused_and_leaves_room(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WITHIN", 0.1)
    monkeypatch.setattr(module, "MAX_WAITING_OF_ONE", 3)
    done: list[int] = []

    async def all_() -> None:
        with closing(Lookups()) as lookups:
            for _ in range(3):
                asked = asking(lookups, HERE, gate.wait, AT_ONCE) if not done else []
                done.append(1)
                asked += asking(lookups, HERE, lambda: done.append(2), 3)
                assert {await refusal(each) for each in asked} == {(503, "keeper.failed")}
            monkeypatch.setattr(module, "WITHIN", 60)
            last = asking(lookups, HERE, lambda: 7)
            gate.set()
            assert await last[0] == 7

    asyncio.run(all_())
    assert 2 not in done, "nobody waits for it any more, so it is not asked"


def test_what_a_look_raises_is_raised_where_it_was_asked() -> None:
    async def all_() -> None:
        with closing(Lookups()) as lookups:
            with pytest.raises(ZeroDivisionError):
                await lookups.ask(HERE, lambda: 1 / 0)
            assert await lookups.ask(HERE, lambda: 7) == 7

    asyncio.run(all_())


# --- what tokens open ------------------------------------------------------------------------------------------------


@pytest.fixture
def storages(tmp_path: Path) -> Iterator[Sequence[SqliteStorage]]:
    """Two processes with one database."""
    with ExitStack() as stack:
        path = tmp_path / "tables.db"
        made = [SqliteStorage(path, kind=TABLES_KIND, mode=0o600) for _ in range(2)]
        yield [stack.enter_context(closing(each)) for each in made]


def access_to(lookups: Lookups, tables: Tables, tokens: EventTokenStore | None = None) -> TokenAccess:
    """Whoever only looks tokens up."""
    nothing: Any = None
    return TokenAccess(tables, nothing, nothing, lookups, Limits(), utc_now, tokens)


async def opened(access: TokenAccess, token: bytes | None = TOKEN) -> int:
    """The status with which a game is answered."""
    try:
        await access.open_game(HERE, GAME, token)
    except Problem as problem:
        return problem.status
    return 200


def test_what_a_token_opens_is_known_until_its_table_is_gone(
    storages: Sequence[SqliteStorage], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("ledger.server.access.time", SimpleNamespace(monotonic=lambda: now[0]))
    here, elsewhere = map(Tables, storages)
    assert here.add(TABLE, "terms", [hashlib.sha256(TOKEN).hexdigest()])

    async def all_() -> None:
        with closing(Lookups()) as lookups:
            one, other = (access_to(lookups, tables) for tables in (here, elsewhere))
            assert await opened(one) == 404
            here.start(TABLE, "start", GAME)
            assert (await opened(one), await opened(other)) == (200, 200)
            assert await opened(one, b"x" * 32) == 404
            here.delete(TABLE)
            assert await opened(one) == 410
            assert await opened(other) == 200, "another process has not asked again"
            now[0] += 1
            assert await opened(other) == 410

    asyncio.run(all_())


def test_what_was_looked_up_before_a_table_was_deleted_is_not_known_after(
    storages: Sequence[SqliteStorage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look has its answer, and hands it over when the table is gone."""
    tables = Tables(storages[0])
    assert tables.add(TABLE, "terms", [hashlib.sha256(TOKEN).hexdigest()])
    tables.start(TABLE, "start", GAME)
    look = tables.opens_game

    def late(game: str, token: bytes | None) -> Any:
        found = look(game, token)
        monkeypatch.undo()
        tables.delete(TABLE)
        return found

    monkeypatch.setattr(tables, "opens_game", late)

    async def all_() -> None:
        with closing(Lookups()) as lookups:
            access = access_to(lookups, tables)
            assert await opened(access) == 200
            assert await opened(access) == 410

    asyncio.run(all_())


def test_a_holder_is_known_until_its_token_ends(storages: Sequence[SqliteStorage]) -> None:
    tables, tokens = Tables(storages[0]), EventTokenStore(storages[0])
    event, bearer = "e" * 64, f"Bearer {TOKEN.hex()}"
    tokens.grant(event, [("p1", hashlib.sha256(TOKEN).hexdigest())], 4)

    async def all_() -> None:
        with closing(Lookups()) as lookups:
            access = access_to(lookups, tables, tokens)
            assert await access.holder(HERE, f"/v1/games/{GAME}/log", bearer) is None
            tokens.add_games(event, [GAME])
            for path in (f"/v1/events/{event}", f"/v1/games/{GAME}/log"):
                assert await access.holder(HERE, path, bearer) == f"{event} p1"
            assert await access.open_event(HERE, event, TOKEN) == "p1"
            assert await opened(access) == 200
            tokens.end(event, "p1")
            for path in (f"/v1/events/{event}", f"/v1/games/{GAME}/log"):
                assert await access.holder(HERE, path, bearer) is None
            assert await access.open_event(HERE, event, TOKEN) is None
            assert await opened(access) == 404
            tables.grant(GAME, "p1", b"s" * 32, 4)
            other = f"Bearer {(b's' * 32).hex()}"
            assert await access.holder(HERE, f"/v1/games/{GAME}/log", other) == f"{event} p1", "by its game's token"

    asyncio.run(all_())


# --- a server --------------------------------------------------------------------------------------------------------


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    home = Home(tmp_path / "home", tmp_path / "state")
    home.new_identity("keeper", PASSPHRASE, QUICK)
    organizers = (Identity.generate("olga").key,)
    with open_service(home, "keeper", PASSPHRASE, Settings(organizers=organizers)) as service:
        monkeypatch.setattr(service.writer, "_loop", _NoLoop(), raising=False)
        yield service


class _Game:
    """A game that has begun, and the token of its link."""

    def __init__(self, service: Service) -> None:
        table = _Table(service)
        assert table.sit(table.host)
        self.token = table.link.token
        self.table = table.id
        _, self.id = service.lifecycle._start(table.id, table.start("alice"))
        service.tables.grant(self.id, "alice", self.token, 4)


@pytest.mark.parametrize("path", ["/v1/games/{game}/checkpoint", "/v1/games/{game}/lines", "/v1/tables/{table}"])
def test_a_slow_answer_of_the_database_about_one_game_delays_no_other(service: Service, path: str) -> None:
    """Eight ask for a game whose tokens are found slowly; another game's answer does not wait, nor what asks nothing.

    This fails where the database is asked in the event loop, or where all threads can be at one network's questions.
    """
    slow, quick = _Game(service), _Game(service)
    storage: Any = service.tables._database
    read = storage.read

    def slowly(statement: str, values: Sequence[object] = ()) -> Any:
        if slow.id in values or slow.table in values:
            time.sleep(SLOW)
        return read(statement, values)

    storage.read = slowly

    async def ask(client: httpx.AsyncClient, game: _Game) -> int:
        at = path.format(game=game.id, table=game.table)
        headers = {"authorization": f"Bearer {game.token.hex()}"}
        answer = await (
            client.post(at, content=b"{", headers=headers) if "lines" in at else client.get(at, headers=headers)
        )
        return answer.status_code

    async def all_() -> None:
        front: Any = Front(make_app(service), Limits(), holding=service.access.holder)
        async with (
            service.lifespan(None),  # type: ignore[arg-type] # it asks nothing of the application
            httpx.AsyncClient(transport=httpx.ASGITransport(front, client=(HERE, 1)), base_url="http://x") as many,
            httpx.AsyncClient(transport=httpx.ASGITransport(front, client=(THERE, 1)), base_url="http://x") as one,
        ):
            status = await ask(one, quick)
            assert status in (200, 422), "it is let in"
            waiting = [asyncio.ensure_future(ask(many, slow)) for _ in range(8)]
            await asyncio.sleep(0.1)
            for client in (one, many) if "tables" not in path else (one,):
                assert await ask(client, quick) == status
            assert (await one.get("/health")).status_code == 200
            assert not any(each.done() for each in waiting), "all this came before the first slow answer"
            for each in waiting:
                each.cancel()
                with suppress(asyncio.CancelledError):
                    await each

    asyncio.run(all_())
