"""Start, drain and stop a server (specs/network.md; specs/guide/serving.md)."""

import os
import signal
import ssl
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from ipaddress import ip_network
from pathlib import Path
from socket import socket
from types import FrameType
from typing import TypeVar

import msgspec
import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from ledger.database.sqlite import EVENTS_KIND, LEDGER_KIND
from ledger.distribution.optional_dependencies import needs_extra
from ledger.errors import UsageError
from ledger.home import Home
from ledger.keeper.host import Host
from ledger.keeper.keepers import Quota
from ledger.server.app import make_app
from ledger.server.clock import SteadyClock
from ledger.server.connections import ACCEPTED_AT_ONCE, within_descriptors
from ledger.server.cosigning import PublicWitness
from ledger.server.event_cosigned import EventCosignatures
from ledger.server.event_keeper import EventKeeper
from ledger.server.event_tokens import EventTokenStore
from ledger.server.front import Front
from ledger.server.journal import journal, take_over
from ledger.server.limits import Limits
from ledger.server.protocol import begin_tls, bounded_protocol
from ledger.server.public_games import PublicGames, check_folder
from ledger.server.published import PublishedStore
from ledger.server.room import Room
from ledger.server.service import Service
from ledger.server.tables import TABLES_KIND, Tables
from ledger.server.waiting import find_missing
from ledger.server.webhook import PostingTo
from ledger.server.witnessing import in_words, make_witness_app
from ledger.store.copying import check_whole
from ledger.store.event_logs import EventLogs
from ledger.store.ledger import Ledger
from ledger.store.storage import SqliteStorage, Storage
from ledger.transparency.anchors import ANCHORS_KIND, Anchors
from verifier import VerifierKey

__all__ = ["Settings", "WitnessSettings", "parse_proxies", "serve", "serve_witness", "tables_storage"]

S = TypeVar("S", bound="Listening")

QUEUED = 1_024
"""connections that the system keeps until they are accepted"""

CLOCK_WAS_SET = "the machine's clock was set to another time; the server goes on by its own until it is started again"

WAITS = "the keeper has signed over more than is here, and signs nothing there until it has been brought"

WAITS_NAMED = 5
"""games that are named one by one"""

SWITCH_WITHIN = 0.0005
"""seconds for which a thread keeps the interpreter while another waits for it: the writer waits after each statement"""

DRAIN_WITHIN = 10
"""seconds that open connections have to end when the server stops"""


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """The address that a program listens at, and its limits."""

    host: str = "127.0.0.1"
    port: int = 8706
    """0: any that is free"""
    proxies: str = "127.0.0.1"
    """addresses of proxies whose X-Forwarded-For and -Proto are believed, with commas"""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    limits: Limits = Limits()


class Settings(Listening, frozen=True, kw_only=True):
    """The settings of a server."""

    address: str | None = None
    """the public one, as links have it, without a slash at the end; None: that of host and port"""
    database: str | None = None
    """postgresql://…; None: SQLite, in the home"""
    keep_days: int | None = None
    """how many days closed games stay; None: for ever"""
    judge: str | None = None
    """the identity of the judge that tables may have, with the keeper's passphrase; None: there is none"""
    witnesses: tuple[PublicWitness, ...] = ()
    """the witnesses that cosign the anchor log"""
    witness_games: bool = False
    """and each game's"""
    organizers: tuple[VerifierKey, ...] = ()
    """the keys that may begin an event here; without any there are no events"""
    other_sites: bool = True
    """pages of other sites may use the paths of /v1"""
    posting: PostingTo | None = None
    """the channel for results of tables whose terms allow that; None: no channel"""
    public: PublicGames | None = None
    """where everybody can read closed games of tables whose terms say so; None: nowhere"""


class WitnessSettings(Listening, frozen=True, kw_only=True):
    """The settings of a public witness."""

    port: int = 8707
    keepers: tuple[VerifierKey, ...]
    """the keepers whose logs are cosigned"""


class _Server(uvicorn.Server):
    """Says where it listens, and lets the readers go before it waits for connections to end."""

    def __init__(
        self, config: uvicorn.Config, drain: Callable[[], None], started: Callable[[str], None], scheme: str
    ) -> None:
        super().__init__(config)
        self._drain = drain
        self._announce = started
        self._scheme = scheme

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers if self.started else ():
            for listening in server.sockets:
                with socket(fileno=os.dup(listening.fileno())) as same:
                    same.listen(QUEUED)  # the loop's own bound is for how many it accepts at once
                host, port = listening.getsockname()[:2]
                name = f"[{host}]" if ":" in host else host
                self._announce(f"{self._scheme}://{name}:{port}")
                return

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals without raising them again at the end, as uvicorn does: stopping is success."""
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._drain()
        super().handle_exit(sig, frame)


def _storages(home: Home, settings: Settings) -> Iterator[Storage]:
    """Open the storages of games, of tables, and of the anchor log."""
    yield _storage(home, settings.database, "ledger.db", LEDGER_KIND)
    yield tables_storage(home, settings.database)
    yield _storage(home, settings.database, "anchors.db", ANCHORS_KIND)


def tables_storage(home: Home, database: str | None) -> Storage:
    """Open the database of a server's tables and published rolls; the caller closes it. Raises StoreError."""
    return _storage(home, database, "tables.db", TABLES_KIND)


def _storage(home: Home, database: str | None, name: str, kind: int) -> Storage:
    if database is None:
        return SqliteStorage(home.root / name, kind=kind, mode=0o600)
    needs_extra("psycopg", "psycopg_pool", extra="postgres")
    from ledger.store.postgres import PostgresStorage

    return PostgresStorage(database)


def _event_storage(home: Home, settings: Settings) -> Storage:
    """Open the storage of event logs."""
    if settings.database is None:
        return SqliteStorage(home.root / "events.db", kind=EVENTS_KIND, mode=0o600)
    from ledger.store.postgres import PostgresStorage

    return PostgresStorage(settings.database)


@contextmanager
def open_service(home: Home, keeper: str, passphrase: bytes, settings: Settings) -> Iterator[Service]:
    """Open the service of a keeper whose identity is in `home`. Raises IdentityError, MemoryLostError, StoreError."""
    with ExitStack() as stack:
        log = journal()
        clock = SteadyClock(lambda ahead: log.error("clock", ahead=round(ahead), problem=CLOCK_WAS_SET))
        seat = stack.enter_context(closing(home.seat(keeper, passphrase, clock=clock)))
        seat.check_here()
        if settings.public is not None:
            check_folder(settings.public.folder, home, seat.key)
        judge = None
        if settings.judge is not None:
            judge = stack.enter_context(closing(home.seat(settings.judge, passphrase, clock=clock)))
            judge.check_here()
        of_games, of_tables, of_anchors = (stack.enter_context(closing(each)) for each in _storages(home, settings))
        check_whole(home.root)
        ledger, tables, anchors = Ledger(of_games, clock), Tables(of_tables), Anchors(of_anchors, seat.key)
        if waits := find_missing(seat, of_games, anchors):
            first = [f"{each.what} {each.id[:12]}: {each.here} of {each.there}" for each in waits[:WAITS_NAMED]]
            log.warning("waits", count=len(waits), first=first, problem=WAITS)
        limits = settings.limits
        host = Host(ledger, [seat], judge=judge, quota=Quota(limits.game_lines, limits.game_bytes))
        stored = (of_games, of_tables, of_anchors) if settings.database is None else (of_games,)
        event_keeper = None
        if settings.organizers:
            of_events = stack.enter_context(closing(_event_storage(home, settings)))
            event_keeper = EventKeeper(
                *(EventLogs(of_events), host, seat, home.identity(keeper, passphrase)),
                *(EventTokenStore(of_tables), EventCosignatures(of_tables), settings.organizers, clock),
            )
            stored = (*stored, of_events) if settings.database is None else stored
        yield Service(
            host,
            seat,
            tables,
            PublishedStore(of_tables),
            anchors,
            log,
            limits,
            Room(limits, stored, (home.root, home.state)),
            clock,
            keep_days=settings.keep_days,
            listen=getattr(of_games, "listen", None),
            witnesses=settings.witnesses,
            witness_games=settings.witness_games,
            event_keeper=event_keeper,
            posting=settings.posting,
            address=settings.address,
            public=settings.public,
        )


def serve(home: Home, keeper: str, passphrase: bytes, settings: Settings, started: Callable[[str], None]) -> None:
    """Serve until a signal stops it. `started` is called with the address when the server takes requests.

    Raises IdentityError, MemoryLostError, StoreError; UsageError if it cannot listen at the address, or use the
    certificate.
    """
    settings = _within_descriptors(settings)
    with open_service(home, keeper, passphrase, settings) as service:
        front = Front(
            make_app(service),
            settings.limits,
            settings.address,
            quiet=service.quiet,
            other_sites=settings.other_sites,
            holding=service.access.holder,
        )
        _run(front, settings, service.drain_soon, started)


def serve_witness(
    home: Home, name: str, passphrase: bytes, settings: WitnessSettings, started: Callable[[str], None]
) -> None:
    """Answer requests for cosignatures until a signal says to stop; as `serve`."""
    settings = _within_descriptors(settings)
    with closing(home.witness(name, passphrase)) as witness:
        app = make_witness_app(witness, settings.keepers, settings.limits, journal().info)
        _run(Front(app, settings.limits, refusal=in_words), settings, lambda: None, started)


def _within_descriptors(settings: S) -> S:
    return msgspec.structs.replace(settings, limits=within_descriptors(settings.limits))


def _run(app: Front, settings: Listening, drain: Callable[[], None], started: Callable[[str], None]) -> None:
    take_over()
    sys.setswitchinterval(SWITCH_WITHIN)
    if (settings.tls_cert is None) != (settings.tls_key is None):
        raise UsageError("a certificate and its key go together")
    proxied = ProxyHeadersMiddleware(app, parse_proxies(settings.proxies))  # type: ignore[arg-type] # its types are its own
    config = uvicorn.Config(
        proxied,
        host=settings.host,
        port=settings.port,
        http=bounded_protocol(settings.limits, proxied.trusted_hosts.__contains__),
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # done above
        backlog=ACCEPTED_AT_ONCE,
        timeout_keep_alive=settings.limits.idle,
        timeout_graceful_shutdown=DRAIN_WITHIN,
        h11_max_incomplete_event_size=16_384,
        ssl_certfile=settings.tls_cert,
        ssl_keyfile=settings.tls_key,
    )
    try:
        config.load()
    except (OSError, ssl.SSLError) as error:
        raise UsageError(f"the certificate cannot be used: {error}") from None
    begin_tls(config)
    server = _Server(config, drain, started, "http" if settings.tls_cert is None else "https")
    try:
        server.run()
    except SystemExit:  # uvicorn's way to say that it could not listen
        raise UsageError(f"nobody can listen at {settings.host} port {settings.port}: is it in use?") from None


def parse_proxies(text: str) -> list[str]:
    """Return the addresses and networks of proxies. Raises UsageError.

    "All" is refused: any caller could then claim any address.
    """
    found = [each.strip() for each in text.split(",") if each.strip()]
    for each in found:
        try:
            ip_network(each)
        except ValueError:
            raise UsageError(f"proxies are told by addresses and networks, with commas: {each} is neither") from None
    return found
